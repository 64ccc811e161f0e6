//! A model and a mutant of it, made comparable: one numbering of labels, and code for what differs.

use std::sync::{Arc, OnceLock};

use action::spec::{ActionKind, ActionSpec, Block};
use action::{Program, Regions, Shape, Spec};

/// What is the same for all mutants of a model that change neither labels nor the regions of parameters.
#[derive(Clone)]
pub struct Base {
    shape: Shape,
    regions: Regions,
    program: Arc<Program>,
    kinds: Arc<[ActionKind]>,
    /// The alternatives that call each action of the model.
    callers: Vec<Vec<usize>>,
    initial: Vec<i64>,
}

/// A model and a mutant.
pub struct Pair {
    /// The code of the model.
    pub original: Arc<Program>,
    /// The alternatives of the mutant that are not alternatives of the model.
    pub changed: Program,
    /// The alternatives of the model that are not alternatives of the mutant.
    pub removed: Program,
    /// Whether both begin in the same state.
    pub same_start: bool,
    /// Whether the types of all variables are the same.
    pub same_types: bool,
    /// Whether every action is controllable, observable or internal in both alike.
    pub same_kinds: bool,
    /// The state the mutant begins in.
    pub initial: Arc<[i64]>,
    /// Who decides about each action of the shape, in the model and in the mutant.
    pub kinds: (Arc<[ActionKind]>, Arc<[ActionKind]>),
    /// Where the alternatives of the mutant come from.
    order: Order,
    /// The code of the mutant, put together when it is first needed.
    mutant: OnceLock<Program>,
}

/// Where the alternatives of a mutant come from.
enum Order {
    /// They are the model's but for those at these places.
    Replaced { places: Vec<usize>, count: usize },
    /// For each the one of the model that it is, if it is one.
    Found(Vec<Option<usize>>),
}

/// Why a mutant cannot be compared with the model, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl Base {
    /// What the model alone contributes.
    pub fn new(spec: &Spec) -> Base {
        let shape = Shape::of(&[spec]);
        let regions = Regions::of(&[spec], &shape);
        let program = Arc::new(Program::new(spec, &shape, &regions));
        let mut callers = vec![Vec::new(); spec.actions().len()];
        for (index, alternative) in spec.alternatives().iter().enumerate() {
            for call in alternative.calls() {
                callers[call.action].push(index);
            }
        }
        Base { kinds: kinds(spec, &shape), initial: spec.initial().to_vec(), shape, regions, program, callers }
    }

    /// The code of the model.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Who decides about each action of the model.
    pub fn kinds(&self) -> &[ActionKind] {
        &self.kinds
    }

    /// The state the model begins in.
    pub fn initial(&self) -> &[i64] {
        &self.initial
    }

    /// The actions that a mutant changes while everything else is the model's own; none where it changes more.
    fn changed_actions(&self, original: &Spec, mutant: &Spec) -> Option<Vec<usize>> {
        if !original.shares_all_but_actions(mutant) {
            return None;
        }
        let changed = original.actions().replaced(mutant.actions());
        let same_label = |&number: &usize| {
            let (one, two) = (&original.actions()[number], &mutant.actions()[number]);
            one.name == two.name && one.parameters.len() == two.parameters.len() && one.kind == two.kind
        };
        let fits = changed.iter().all(same_label) && self.regions.hold_in(mutant, &self.shape, &changed);
        fits.then_some(changed)
    }
}

impl Pair {
    /// Makes a model and a mutant comparable.
    ///
    /// # Errors
    /// When they do not have the same variables.
    pub fn new(original: &Spec, mutant: &Spec) -> Result<Pair, Unsupported> {
        Pair::over(&Base::new(original), original, mutant)
    }

    /// The same, sharing with other pairs what is the same.
    ///
    /// # Errors
    /// When they do not have the same variables.
    pub fn over(base: &Base, original: &Spec, mutant: &Spec) -> Result<Pair, Unsupported> {
        match base.changed_actions(original, mutant) {
            Some(changed) => Ok(Pair::replaced(base, original, mutant, &changed)),
            None => Pair::found(base, original, mutant),
        }
    }

    /// A mutant with some actions replaced.
    fn replaced(base: &Base, original: &Spec, mutant: &Spec, actions: &[usize]) -> Pair {
        let mut touched: Vec<usize> = actions.iter().flat_map(|&action| base.callers[action].clone()).collect();
        touched.sort_unstable();
        touched.dedup();
        let ours = original.alternatives();
        let (mut places, mut elsewhere) = (Vec::new(), Vec::new());
        for place in touched {
            let block = &mutant.alternatives()[place];
            // Names of actions are unique, so what calls another action is another alternative.
            let called = block.calls().first().map(|call| call.action);
            let alike = called.map(|action| base.callers[action].as_slice()).unwrap_or_default();
            match alike.iter().copied().find(|&one| same(original, &ours[one], mutant, block)) {
                Some(one) if one == place => {}
                Some(one) => elsewhere.push((place, one)),
                None => places.push(place),
            }
        }
        if !elsewhere.is_empty() {
            let mut found: Vec<Option<usize>> = (0..ours.len()).map(Some).collect();
            places.iter().for_each(|&place| found[place] = None);
            elsewhere.iter().for_each(|&(place, one)| found[place] = Some(one));
            return Pair::compiled(base, base.program.clone(), &base.regions, original, mutant, Order::Found(found));
        }
        let order = Order::Replaced { places, count: ours.len() };
        Pair::compiled(base, base.program.clone(), &base.regions, original, mutant, order)
    }

    /// Any other mutant: its alternatives are looked for among those of the model.
    fn found(base: &Base, original: &Spec, mutant: &Spec) -> Result<Pair, Unsupported> {
        let names = |spec: &Spec| -> Vec<String> { spec.slots().iter().map(|slot| slot.name.clone()).collect() };
        if names(original) != names(mutant) {
            return Err(Unsupported("the mutant has other state variables than the model".to_owned()));
        }
        let shape = Shape::of(&[original, mutant]);
        let regions = Regions::of(&[original, mutant], &shape);
        let fits = shape == base.shape && regions == base.regions;
        let program = if fits { base.program.clone() } else { Arc::new(Program::new(original, &shape, &regions)) };
        let ours = original.alternatives();
        let same_types = same_types(original, mutant);
        let is_ours = |(index, block): (usize, &Block)| -> Option<usize> {
            let same = |one: &usize| ours.get(*one).is_some_and(|other| same(original, other, mutant, block));
            // An alternative that stayed mostly stayed where it was.
            if same_types { Some(index).filter(same).or_else(|| (0..ours.len()).find(same)) } else { None }
        };
        let found = mutant.alternatives().iter().enumerate().map(is_ours).collect();
        Ok(Pair::compiled(base, program, &regions, original, mutant, Order::Found(found)))
    }

    fn compiled(
        base: &Base,
        program: Arc<Program>,
        regions: &Regions,
        original: &Spec,
        mutant: &Spec,
        order: Order,
    ) -> Pair {
        let (changed, removed): (Vec<usize>, Vec<usize>) = match &order {
            Order::Replaced { places, .. } => (places.clone(), places.clone()),
            Order::Found(found) => (
                (0..found.len()).filter(|place| found[*place].is_none()).collect(),
                (0..original.alternatives().len()).filter(|place| !found.contains(&Some(*place))).collect(),
            ),
        };
        let shared = |spec: &Spec| {
            let kinds = kinds(spec, program.shape());
            if kinds == base.kinds { base.kinds.clone() } else { kinds }
        };
        let kinds = match &order {
            Order::Replaced { .. } => (base.kinds.clone(), base.kinds.clone()),
            Order::Found(_) => (shared(original), shared(mutant)),
        };
        Pair {
            changed: program.of_mutant(original, mutant, regions, &changed),
            removed: program.only(&removed),
            original: program,
            same_start: original.begins_alike(mutant),
            same_types: same_types(original, mutant),
            same_kinds: kinds.0 == kinds.1,
            initial: mutant.initial_state(),
            kinds,
            order,
            mutant: OnceLock::new(),
        }
    }

    /// The code of the mutant.
    pub fn mutant(&self) -> &Program {
        self.mutant.get_or_init(|| match &self.order {
            Order::Replaced { places, count } => {
                let kept = |place: usize| (!places.contains(&place)).then_some(place);
                self.original.assembled((0..*count).map(kept), &self.changed)
            }
            Order::Found(found) => self.original.assembled(found.iter().copied(), &self.changed),
        })
    }

    /// The layout of the labels of both.
    pub fn shape(&self) -> &Shape {
        self.original.shape()
    }

    /// The numbers of the mutant's alternatives that are not alternatives of the model.
    pub fn changed_places(&self) -> Vec<usize> {
        match &self.order {
            Order::Replaced { places, .. } => places.clone(),
            Order::Found(found) => (0..found.len()).filter(|place| found[*place].is_none()).collect(),
        }
    }

    /// Whether the two say the same.
    pub fn is_same(&self) -> bool {
        let same = self.same_start && self.same_types && self.same_kinds;
        same && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// Who decides about each action of a shape; actions that a model does not have are its own.
fn kinds(spec: &Spec, shape: &Shape) -> Arc<[ActionKind]> {
    let kind = |(name, _): &(String, usize)| {
        spec.action_named(name).map_or(ActionKind::Observable, |action| spec.actions()[action].kind)
    };
    shape.actions.iter().map(kind).collect()
}

/// Whether every variable has the same values in both; they have the same variables.
fn same_types(original: &Spec, mutant: &Spec) -> bool {
    let pairs = || original.slots().iter().zip(mutant.slots());
    std::ptr::eq(original.slots(), mutant.slots())
        || pairs().all(|(left, right)| left.low == right.low && left.high == right.high)
}

/// Whether two alternatives call the same actions in the same way.
fn same(original: &Spec, left: &Block, mutant: &Spec, right: &Block) -> bool {
    let all = |left: &[Block], right: &[Block]| {
        left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(original, left, mutant, right))
    };
    match (left, right) {
        (Block::Call(left), Block::Call(right)) => {
            left.binders == right.binders
                && left.arguments == right.arguments
                && same_action(&original.actions()[left.action], &mutant.actions()[right.action])
        }
        (Block::Sequence(left), Block::Sequence(right))
        | (Block::Choice(left), Block::Choice(right))
        | (Block::Priority(left), Block::Priority(right)) => all(left, right),
        _ => false,
    }
}

fn same_action(left: &Arc<ActionSpec>, right: &Arc<ActionSpec>) -> bool {
    Arc::ptr_eq(left, right) || left == right
}
