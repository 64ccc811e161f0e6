//! A formula as a Boolean combination of deterministic automata.
//!
//! Conjunctions of safety formulas and disjunctions of guarantees share one mark each, so that specifications with
//! dozens of conjuncts keep few marks.

use omega::automaton::Limits;
use omega::deterministic::{Acceptance, Deterministic, determinise, guarantee, is_guarantee, is_safety, safety};
use omega::normal::normal_form;
use omega::simplify::simplify;
use omega::{Binary, Formula, Formulas, Node, Unary};
use rustc_hash::FxHashMap;

/// A condition on which marks are seen for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// A mark of this number is seen for ever.
    Repeatedly(usize),
    /// A mark of this number is seen only finitely often.
    Finitely(usize),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

/// How often a part may be replaced by its normal form.
const FUEL: u32 = 3;

/// What watches one part of an objective.
pub(crate) struct Watch {
    pub(crate) automaton: Deterministic,
    /// The mark that its marked edges carry; none if it must never take one.
    pub(crate) mark: Option<usize>,
    /// The formula under the `G` or `F` of the part, if that is about one step and the next.
    pub(crate) step: Option<Formula>,
    /// The mark after which marked edges may be taken although they carry none.
    pub(crate) excuse: Option<usize>,
}

/// A game's objective.
pub(crate) struct Objective {
    /// The automata.
    pub(crate) automata: Vec<Watch>,
    /// The number of marks.
    pub(crate) marks: usize,
    /// What must hold besides never taking a marked edge of the automata without a number.
    pub(crate) condition: Condition,
    /// How many parts were of no simple class, and how those are treated.
    pub(crate) hard: usize,
    /// Whether some guarantees may only be broken after an assumption was.
    pub(crate) ordered: bool,
    treatment: Hard,
}

/// How parts are treated that are of no simple class. They all occur positively, so refusing them makes the objective
/// harder for the system and granting them makes it easier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hard {
    /// As they are, by their normal form.
    Exact,
    /// As false: if the system wins all the same, it wins.
    Refused,
    /// As true: if the environment wins all the same, it wins.
    Granted,
}

/// When a guarantee that only forbids may be broken, where an assumption that only forbids stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breaking {
    /// At any time, if an assumption is broken at any time.
    Freely,
    /// Only when an assumption has been broken: if the system wins all the same, it wins. What was broken before need not be
    /// remembered then, and that makes the game much smaller.
    AfterAssumptions,
}

/// The objective of a formula, with automata within the limits; the part that has none if there is one.
pub(crate) fn objective(
    formulas: &mut Formulas,
    root: Formula,
    treatment: Hard,
    breaking: Breaking,
    limits: Limits,
) -> Result<Objective, Formula> {
    let root = simplify(formulas, root);
    let root = normalise(formulas, root);
    let mut objective = Objective {
        automata: Vec::new(),
        marks: 0,
        condition: Condition::All(Vec::new()),
        hard: 0,
        ordered: false,
        treatment,
    };
    let mut conditions = Vec::new();
    for conjunct in formulas.conjuncts(root) {
        let order = match breaking {
            Breaking::Freely => None,
            Breaking::AfterAssumptions => Order::of(formulas, conjunct),
        };
        if is_safety(formulas, conjunct) {
            let automaton = safety(formulas, conjunct, limits).ok_or(conjunct)?;
            let step = one_step(formulas, conjunct);
            objective.automata.push(Watch { automaton, mark: None, step, excuse: None });
        } else if let Some(order) = order {
            conditions.push(objective.ordered_part(formulas, order, limits)?);
        } else {
            conditions.push(objective.part(formulas, conjunct, limits, FUEL)?);
        }
    }
    objective.condition = Condition::All(conditions);
    Ok(objective)
}

/// A disjunction in which assumptions that only forbid stand beside guarantees that only forbid.
struct Order {
    /// Negations of assumptions that only forbid.
    broken: Vec<Formula>,
    /// Guarantees that only forbid.
    forbids: Vec<Formula>,
    /// The other guarantees.
    promises: Vec<Formula>,
    /// The negations of other assumptions.
    others: Vec<Formula>,
}

impl Order {
    /// The parts of a disjunction; none if it has no guarantee and no assumption that only forbids.
    fn of(formulas: &Formulas, disjunction: Formula) -> Option<Order> {
        let members = disjuncts(formulas, disjunction);
        let (broken, others): (Vec<Formula>, Vec<Formula>) =
            members.into_iter().partition(|member| is_guarantee(formulas, *member));
        let forbidding = |member: Formula| {
            let conjuncts = formulas.conjuncts(member).into_iter();
            conjuncts.partition::<Vec<Formula>, _>(|conjunct| is_safety(formulas, *conjunct))
        };
        let place = (0..others.len()).max_by_key(|place| forbidding(others[*place]).0.len())?;
        let (forbids, promises) = forbidding(others[place]);
        if broken.is_empty() || forbids.is_empty() {
            return None;
        }
        let others = others.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, member)| *member);
        Some(Order { broken, forbids, promises, others: others.collect() })
    }
}

impl Objective {
    /// A disjunction whose guarantees may be broken only after its assumptions.
    fn ordered_part(&mut self, formulas: &mut Formulas, order: Order, limits: Limits) -> Result<Condition, Formula> {
        self.ordered = true;
        let mark = self.mark();
        for broken in order.broken {
            let automaton = guarantee(formulas, broken, limits).ok_or(broken)?;
            self.add(formulas, broken, automaton, mark);
        }
        for forbids in order.forbids {
            let automaton = safety(formulas, forbids, limits).ok_or(forbids)?;
            let step = one_step(formulas, forbids);
            self.automata.push(Watch { automaton, mark: None, step, excuse: Some(mark) });
        }
        let mut ways = vec![Condition::Repeatedly(mark)];
        ways.extend(self.members(formulas, order.others, false, limits, FUEL)?);
        ways.push(Condition::All(self.members(formulas, order.promises, true, limits, FUEL)?));
        Ok(Condition::Any(ways))
    }

    fn part(
        &mut self,
        formulas: &mut Formulas,
        formula: Formula,
        limits: Limits,
        fuel: u32,
    ) -> Result<Condition, Formula> {
        match formulas.node(formula) {
            Node::Binary(Binary::And, ..) => {
                let members = formulas.conjuncts(formula);
                Ok(Condition::All(self.members(formulas, members, true, limits, fuel)?))
            }
            Node::Binary(Binary::Or, ..) => {
                let members = disjuncts(formulas, formula);
                Ok(Condition::Any(self.members(formulas, members, false, limits, fuel)?))
            }
            Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => {
                let Some(automaton) = determinise(formulas, formula, limits) else {
                    return self.hard_part(formulas, formula, limits, fuel);
                };
                let mark = self.mark();
                Ok(self.add(formulas, formula, automaton, mark))
            }
        }
    }

    /// The members of a conjunction or disjunction. Of a conjunction all that forbid marks share one, of a disjunction
    /// all that want marks do: it makes no difference whose marks are seen.
    fn members(
        &mut self,
        formulas: &mut Formulas,
        members: Vec<Formula>,
        conjunction: bool,
        limits: Limits,
        fuel: u32,
    ) -> Result<Vec<Condition>, Formula> {
        let mut shared: Option<usize> = None;
        let mut conditions = Vec::new();
        for member in members {
            let simple = if conjunction { is_safety(formulas, member) } else { is_guarantee(formulas, member) };
            let boolean = matches!(formulas.node(member), Node::Binary(Binary::And | Binary::Or, ..));
            let automaton = match (simple, boolean) {
                (true, _) if conjunction => safety(formulas, member, limits),
                (true, _) => guarantee(formulas, member, limits),
                (false, true) => None,
                (false, false) => determinise(formulas, member, limits),
            };
            let Some(automaton) = automaton else {
                conditions.push(match boolean {
                    true => self.part(formulas, member, limits, fuel)?,
                    false => self.hard_part(formulas, member, limits, fuel)?,
                });
                continue;
            };
            let forbids = matches!(automaton.acceptance, Acceptance::Never | Acceptance::Finitely);
            if forbids != conjunction {
                let mark = self.mark();
                conditions.push(self.add(formulas, member, automaton, mark));
                continue;
            }
            let mark = match shared {
                Some(mark) => mark,
                None => self.mark(),
            };
            let condition = self.add(formulas, member, automaton, mark);
            if shared.replace(mark).is_none() {
                conditions.push(condition);
            }
        }
        Ok(conditions)
    }

    fn add(&mut self, formulas: &Formulas, part: Formula, automaton: Deterministic, mark: usize) -> Condition {
        let acceptance = automaton.acceptance;
        self.automata.push(Watch { automaton, mark: Some(mark), step: one_step(formulas, part), excuse: None });
        match acceptance {
            Acceptance::Never | Acceptance::Finitely => Condition::Finitely(mark),
            Acceptance::Once | Acceptance::Repeatedly => Condition::Repeatedly(mark),
        }
    }

    /// A part of no simple class: its normal form is a combination of formulas that are.
    fn hard_part(
        &mut self,
        formulas: &mut Formulas,
        formula: Formula,
        limits: Limits,
        fuel: u32,
    ) -> Result<Condition, Formula> {
        self.hard += 1;
        match self.treatment {
            Hard::Refused => return Ok(Condition::Any(Vec::new())),
            Hard::Granted => return Ok(Condition::All(Vec::new())),
            Hard::Exact => {}
        }
        let normal = normal_form(formulas, formula).filter(|normal| *normal != formula).ok_or(formula)?;
        let deeper = fuel.checked_sub(1).ok_or(formula)?;
        self.part(formulas, normal, limits, deeper)
    }

    fn mark(&mut self) -> usize {
        self.marks += 1;
        self.marks - 1
    }
}

/// What stands under the `G` or `F` of a formula, if that is a Boolean combination of what holds now and in the next step.
fn one_step(formulas: &Formulas, formula: Formula) -> Option<Formula> {
    let Node::Unary(Unary::Globally | Unary::Finally, inner) = formulas.node(formula) else { return None };
    let mut depth: FxHashMap<Formula, u32> = FxHashMap::default();
    for part in formulas.reachable([inner]) {
        let own = match formulas.node(part) {
            Node::Constant(_) | Node::Atom(_) => 0,
            Node::Unary(Unary::Not, argument) => depth[&argument],
            Node::Unary(Unary::Next, argument) => depth[&argument] + 1,
            Node::Binary(Binary::And | Binary::Or, left, right) => depth[&left].max(depth[&right]),
            Node::Unary(..) | Node::Binary(..) => return None,
        };
        depth.insert(part, own);
    }
    (depth[&inner] <= 1).then_some(inner)
}

fn disjuncts(formulas: &Formulas, root: Formula) -> Vec<Formula> {
    let mut found: Vec<Formula> = Vec::new();
    let mut open = vec![root];
    while let Some(formula) = open.pop() {
        match formulas.node(formula) {
            Node::Binary(Binary::Or, left, right) => open.extend([right, left]),
            Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => {
                if !found.contains(&formula) {
                    found.push(formula);
                }
            }
        }
    }
    found
}

/// Moves `X` off Boolean combinations and splits `F` of disjunctions, so that the parts are of simple classes.
fn normalise(formulas: &mut Formulas, root: Formula) -> Formula {
    formulas.rewrite(root, |formulas, node| match node {
        Node::Unary(Unary::Next, argument) => {
            let shape = formulas.node(argument);
            match shape {
                Node::Binary(operator @ (Binary::And | Binary::Or), left, right)
                    if !is_safety(formulas, argument) && !is_guarantee(formulas, argument) =>
                {
                    let left = formulas.unary(Unary::Next, left);
                    let right = formulas.unary(Unary::Next, right);
                    formulas.binary(operator, left, right)
                }
                _ => formulas.add(node),
            }
        }
        Node::Unary(Unary::Finally, argument) if !is_guarantee(formulas, argument) => {
            let members = disjuncts(formulas, argument);
            let (together, apart): (Vec<Formula>, Vec<Formula>) =
                members.into_iter().partition(|member| is_guarantee(formulas, *member));
            let mut parts: Vec<Formula> = Vec::new();
            if !together.is_empty() {
                let together = formulas.any(together);
                parts.push(formulas.unary(Unary::Finally, together));
            }
            for member in apart {
                parts.push(formulas.unary(Unary::Finally, member));
            }
            formulas.any(parts)
        }
        Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => formulas.add(node),
    })
}
