//! The built-in solver behind the interface of all solvers.

use std::collections::BTreeMap;
use std::time::Instant;

use smt::{
    Answer, Capabilities, Evaluator, Model, Op, Query, Scope, Solver, SolverError, Term, Terms, Theories, Unknown,
};
use value::{ArrayValue, Value};

use crate::blast::Blaster;
use crate::gate::Signal;
use crate::int::bound;
use crate::reduce::{Meaning, Reason, Reducer};
use crate::sat::{Budget, Lit, Outcome, Sat};

/// The widths at which integers are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Widths {
    /// The first width, unless constants need more.
    pub first: u32,
    /// The last width, unless constants need more.
    pub last: u32,
    /// The last width where it is known that no more bits are ever needed: then the answer is for all integers.
    pub last_complete: u32,
}

impl Default for Widths {
    fn default() -> Self {
        Widths { first: 8, last: 64, last_complete: 256 }
    }
}

/// What a gate takes, with its clauses and what the SAT solver keeps for them.
const BYTES_PER_GATE: u64 = 900;

/// Decides truth values, bit-vectors, arrays, enumerations, integers of growing width and ordered reals by translation
/// to propositional logic.
pub struct SatSolver {
    capabilities: Capabilities,
    widths: Widths,
    reducer: Reducer,
    blaster: Blaster,
    /// Facts about fresh symbols.
    axioms: Vec<Term>,
    /// How many of them the SAT solver has.
    axioms_given: usize,
    frames: Vec<Frame>,
}

/// A scope of facts.
struct Frame {
    facts: Vec<Term>,
    /// How many facts the SAT solver has.
    given: usize,
    /// Switches the facts on; none at the bottom, whose facts are permanent.
    switch: Option<Signal>,
}

impl Default for SatSolver {
    fn default() -> Self {
        SatSolver::new()
    }
}

/// Whether the built-in solver decides these terms; if not, what it does not decide.
///
/// # Errors
/// The construct that is not decided.
pub fn supports(terms: &Terms, roots: &[Term]) -> Result<(), String> {
    let mut reducer = Reducer::new();
    roots.iter().try_for_each(|&root| reducer.reduce(terms, root).map(|_| ()))
}

impl SatSolver {
    /// A solver without facts.
    pub fn new() -> SatSolver {
        SatSolver::with_widths(Widths::default())
    }

    /// A solver without facts for large problems: see [`Sat::without_luck`].
    pub fn without_luck() -> SatSolver {
        SatSolver { blaster: Blaster::over(Sat::without_luck()), ..SatSolver::new() }
    }

    /// The solver with room for about so many bytes. What needs more is not decided: see [`crate::NO_ROOM`].
    #[must_use]
    pub fn within(mut self, bytes: u64) -> SatSolver {
        self.blaster.room = usize::try_from(bytes / BYTES_PER_GATE).unwrap_or(usize::MAX);
        self
    }

    /// A solver without facts that tries integers at other widths.
    pub fn with_widths(widths: Widths) -> SatSolver {
        let theories = Theories {
            integers: true,
            reals: false,
            nonlinear: false,
            bit_vectors: true,
            arrays: true,
            enumerations: true,
        };
        SatSolver {
            capabilities: Capabilities { theories, cores: true, incremental: true },
            widths,
            reducer: Reducer::new(),
            blaster: Blaster::over(Sat::new()),
            axioms: Vec::new(),
            axioms_given: 0,
            frames: vec![Frame { facts: Vec::new(), given: 0, switch: None }],
        }
    }

    /// The number of variables and of clauses given to the SAT solver so far.
    pub fn size(&self) -> (u64, u64) {
        let sat = &self.blaster.gates.sat;
        (sat.variable_count(), sat.clause_count())
    }

    fn reduce(&mut self, terms: &Terms, term: Term) -> Result<Term, SolverError> {
        let reduced = self.reducer.reduce(terms, term);
        let axioms = self.reducer.take_axioms();
        self.axioms.extend(axioms);
        reduced.map_err(|what: Reason| SolverError::Unsupported { solver: self.name().to_owned(), what })
    }
}

impl Solver for SatSolver {
    fn name(&self) -> &str {
        "sat"
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), SolverError> {
        let fact = self.reduce(terms, fact)?;
        self.frames.last_mut().expect("the bottom frame stays").facts.push(fact);
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        let switch = Some(self.blaster.gates.input());
        self.frames.push(Frame { facts: Vec::new(), given: 0, switch });
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        if 1 < self.frames.len()
            && let Some(frame) = self.frames.pop()
            && let Some(switch) = frame.switch
        {
            self.blaster.gates.clause(&[!switch]);
        }
        Ok(())
    }

    fn check(&mut self, terms: &Terms, query: Query<'_>) -> Result<Answer, SolverError> {
        let budget = Budget {
            conflicts: query.limits.conflicts,
            deadline: query.limits.time.and_then(|time| Instant::now().checked_add(time)),
            interrupt: query.interrupt.clone(),
        };
        let mut assumed = Vec::with_capacity(query.assumptions.len());
        for &assumption in query.assumptions {
            assumed.push(self.reduce(terms, assumption)?);
            // Reads of arrays make terms that nobody wrote.
            if self.blaster.room < self.reducer.arena.len() {
                return Ok(Answer::Unknown(Unknown::Incomplete(crate::NO_ROOM.into())));
            }
        }
        Ok(match self.search(&assumed, &budget) {
            Err(reason) => Answer::Unknown(reason),
            Ok(None) if query.wanted.model => Answer::Sat(self.model()),
            Ok(None) => Answer::Sat(Model::new()),
            Ok(Some(Refuted { failed, scope })) => {
                let failed = if query.wanted.core { failed } else { Vec::new() };
                Answer::Unsat { core: failed.into_iter().map(|place| query.assumptions[place]).collect(), scope }
            }
        })
    }
}

/// A contradiction: the places of the assumptions in it, and what it holds for.
struct Refuted {
    failed: Vec<usize>,
    scope: Scope,
}

/// The search.
impl SatSolver {
    /// Nothing if there is a model, which the SAT solver then holds.
    fn search(&mut self, assumed: &[Term], budget: &Budget) -> Result<Option<Refuted>, Unknown> {
        self.give_facts(budget)?;
        for &assumption in assumed {
            self.blaster.blast(&self.reducer.arena, assumption, budget)?;
        }
        let mut sizing = Sizing::new(&self.widths, self.blaster.integers.constant_width());
        let start = self.blaster.gates.sat.conflicts();
        loop {
            let used = self.blaster.gates.sat.conflicts() - start;
            let left = Budget { conflicts: budget.conflicts.map(|most| most.saturating_sub(used)), ..budget.clone() };
            let Some(attempt) = self.attempt(assumed, sizing.width, &left)? else {
                if self.refine() {
                    self.give_facts(budget)?;
                    continue;
                }
                return Ok(None);
            };
            if !attempt.sized {
                return Ok(Some(Refuted { failed: attempt.failed, scope: Scope::All }));
            }
            let arena = &self.reducer.arena;
            let enough = *sizing.enough.get_or_insert_with(|| {
                let facts = live_roots(&self.frames, &self.axioms, &[]);
                bound::enough(arena, &facts, assumed)
            });
            if let Some(enough) = enough.filter(|enough| enough.width <= sizing.width && !attempt.overflowed) {
                let mut failed = attempt.failed;
                if enough.by_assumptions {
                    failed.extend((0..assumed.len()).filter(|&place| !bound::stated(arena, assumed[place]).is_empty()));
                    failed.sort_unstable();
                    failed.dedup();
                }
                return Ok(Some(Refuted { failed, scope: Scope::All }));
            }
            if !sizing.grow(enough.map(|enough| enough.width)) {
                let scope = Scope::Width(sizing.width as u32);
                return Ok(Some(Refuted { failed: attempt.failed, scope }));
            }
        }
    }

    /// Whether the model breaks axioms about arrays that were not given yet; they are now known.
    fn refine(&mut self) -> bool {
        if !self.reducer.may_refine() {
            return false;
        }
        let model = self.inner_model();
        let refined = self.reducer.refine(&model);
        self.axioms.extend(self.reducer.take_axioms());
        refined
    }

    /// One search at one width. Nothing if there is a model.
    fn attempt(&mut self, assumed: &[Term], width: usize, budget: &Budget) -> Result<Option<Attempt>, Unknown> {
        let arena = &self.reducer.arena;
        let blaster = &mut self.blaster;
        let mut extra: Vec<Signal> = self.frames.iter().filter_map(|frame| frame.switch).collect();
        extra.extend(blaster.ranks.define(&mut blaster.gates, arena, &blaster.words, budget)?);
        let mut sized = Vec::new();
        let mut no_overflow = Signal::TRUE;
        if !blaster.integers.is_empty() {
            let guards = blaster.integers.define(&mut blaster.gates, arena, &blaster.words, width, budget)?;
            extra.extend(guards.others);
            sized.push(guards.guard);
            if !guards.overflows.is_empty() {
                let live = live_terms(arena, &live_roots(&self.frames, &self.axioms, assumed));
                let live: Vec<Signal> = guards
                    .overflows
                    .iter()
                    .filter(|(atom, _)| live[atom.index()])
                    .map(|&(_, overflow)| !overflow)
                    .collect();
                no_overflow = blaster.gates.all(&live);
                sized.push(no_overflow);
            }
        }
        let signals: Vec<Signal> = assumed.iter().map(|&term| blaster.words.signal(term)).collect();
        let mut lits: Vec<Lit> = Vec::new();
        for &signal in extra.iter().chain(&sized).chain(&signals) {
            lits.push(blaster.gates.lit(signal));
        }
        match blaster.gates.sat.solve(&lits, budget) {
            Outcome::Unknown(reason) => Err(reason),
            Outcome::Sat => {
                blaster.gates.new_model();
                Ok(None)
            }
            Outcome::Unsat => {
                let mut failed_signal = |signal: Signal| {
                    let lit = blaster.gates.lit(signal);
                    blaster.gates.sat.failed(lit)
                };
                let overflowed = no_overflow != Signal::TRUE && failed_signal(no_overflow);
                let sized = sized.iter().any(|&signal| failed_signal(signal));
                let mut failed: Vec<usize> = Vec::new();
                for (place, &signal) in signals.iter().enumerate() {
                    if !signals[..place].contains(&signal) && failed_signal(signal) {
                        failed.push(place);
                    }
                }
                Ok(Some(Attempt { failed, sized, overflowed }))
            }
        }
    }

    fn give_facts(&mut self, budget: &Budget) -> Result<(), Unknown> {
        while let Some(&axiom) = self.axioms.get(self.axioms_given) {
            give(&self.reducer.arena, &mut self.blaster, None, axiom, budget)?;
            self.axioms_given += 1;
        }
        for frame in &mut self.frames {
            while let Some(&fact) = frame.facts.get(frame.given) {
                give(&self.reducer.arena, &mut self.blaster, frame.switch, fact, budget)?;
                frame.given += 1;
            }
        }
        Ok(())
    }
}

/// A contradiction at one width.
struct Attempt {
    failed: Vec<usize>,
    /// Whether it needs the width.
    sized: bool,
    /// Whether it needs that nothing overflows.
    overflowed: bool,
}

/// The width, and how it grows.
struct Sizing {
    width: usize,
    last: usize,
    last_complete: usize,
    /// The width that is enough, once asked for.
    enough: Option<Option<bound::Enough>>,
}

impl Sizing {
    fn new(widths: &Widths, constants: usize) -> Sizing {
        let width = constants.max(widths.first.max(2) as usize);
        Sizing {
            width,
            last: width.max(widths.last as usize),
            last_complete: width.max(widths.last_complete as usize),
            enough: None,
        }
    }

    /// Goes to the next width, if there is one.
    fn grow(&mut self, enough: Option<usize>) -> bool {
        let next = match enough {
            Some(enough) if self.width < enough && enough <= self.last_complete => enough.min(2 * self.width),
            _ => (2 * self.width).min(self.last),
        };
        let grows = self.width < next;
        self.width = self.width.max(next);
        grows
    }
}

/// Adds a fact: conjunctions part by part, disjunctions as clauses.
fn give(
    arena: &Terms,
    blaster: &mut Blaster,
    switch: Option<Signal>,
    fact: Term,
    budget: &Budget,
) -> Result<(), Unknown> {
    let mut open = vec![fact];
    while let Some(term) = open.pop() {
        if arena.op(term) == Op::And {
            open.extend(arena.args(term).iter().rev());
            continue;
        }
        let mut clause: Vec<Signal> = switch.map(|switch| !switch).into_iter().collect();
        match (arena.op(term), arena.args(term)) {
            (Op::Not, &[inner]) if arena.op(inner) == Op::And => {
                for &part in arena.args(inner) {
                    blaster.blast(arena, part, budget)?;
                    clause.push(!blaster.words.signal(part));
                }
            }
            _ => {
                blaster.blast(arena, term, budget)?;
                clause.push(blaster.words.signal(term));
            }
        }
        if switch.is_none() {
            for (symbol, interval) in bound::stated(arena, term) {
                blaster.integers.restrict(symbol, &interval);
            }
        }
        blaster.gates.clause(&clause);
    }
    Ok(())
}

fn live_roots(frames: &[Frame], axioms: &[Term], assumed: &[Term]) -> Vec<Term> {
    let facts = frames.iter().flat_map(|frame| &frame.facts);
    facts.chain(axioms).chain(assumed).copied().collect()
}

/// For every term of the arena, whether it is below one of the roots.
fn live_terms(arena: &Terms, roots: &[Term]) -> Vec<bool> {
    let mut live = vec![false; arena.len()];
    let mut open = roots.to_vec();
    while let Some(term) = open.pop() {
        if !std::mem::replace(&mut live[term.index()], true) {
            open.extend(arena.args(term));
        }
    }
    live
}

/// Models.
impl SatSolver {
    /// The model of our own arena.
    fn inner_model(&mut self) -> Model {
        let mut model = Model::new();
        for (symbol, value) in self.blaster.values(&self.reducer.arena) {
            model.insert(symbol, value);
        }
        model
    }

    fn model(&mut self) -> Model {
        let inner = self.inner_model();
        let arena = &self.reducer.arena;
        let mut evaluator = None;
        let mut model = Model::new();
        for &(symbol, meaning) in self.reducer.symbols() {
            let value = match meaning {
                Meaning::Symbol(term) => inner.value(arena, term),
                Meaning::Array(id) => {
                    let evaluator = evaluator.get_or_insert_with(|| Evaluator::new(arena, &inner));
                    let array = self.reducer.array(id);
                    let mut entries = BTreeMap::new();
                    for &(index, element) in &array.reads {
                        let index = evaluator.eval(index).clone();
                        entries.insert(index, evaluator.eval(element).clone());
                    }
                    let default = match array.elsewhere {
                        Some(element) => evaluator.eval(element).clone(),
                        None => Value::default_of(&array.element),
                    };
                    let array = ArrayValue::new(array.index.clone(), array.element.clone(), default, entries);
                    Value::Array(std::sync::Arc::new(array))
                }
            };
            model.insert(symbol, value);
        }
        model
    }
}
