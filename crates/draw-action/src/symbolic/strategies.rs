//! The three strategies of the thesis, with a solver that enumerates successors; kept for comparison.
//!
//! All check every state up to the depth bound and expand those below it, so that their verdicts are the same.

use std::time::{Duration, Instant};

use action::interp::Interpreter;
use action::spec::Spec;
use action::trace::{Label, Step};
use action::{OutOfFuel, Shape};
use smt::{Answer, Model, Scope, Solver, Term, Terms};

use super::encode::{Encoder, Unmade, equals, label_in_hull, state_symbols, symbols, within};
use super::read::numbers;
use crate::limits::{Limits, Stopped};
use crate::pair::{Base, Pair};
use crate::verdict::{Proof, Verdict};
use action::confirm::objection;
use action::finding::{Difference, Kill, Seen};
use search::Backend;
use search::SearchError;

/// The steps that only a mutant can make, from any state within the types, that are listed at most.
const MOST_LISTED: usize = 10_000;

/// Which of the strategies of the thesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceStrategy {
    /// The initial one, for tiny models: lists every step that only the mutant can make, reachable or not, then looks for one
    /// from a reachable state.
    Initial,
    /// A breadth-first search for each mutant.
    One,
    /// The states once, then each mutant against each state in order.
    Two,
    /// The states once, then one question for each mutant; the trace need not be shortest.
    Three,
}

/// How many formulas were asserted, as the thesis counts them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assertions {
    /// Specifications, states, negated states and mutants.
    pub count: u64,
    /// For each mutant those made while it was examined, and how long that took. The first one pays for what all share.
    pub each: Vec<(u64, Duration)>,
}

/// Examines mutants of a model for refinement with one of the three strategies.
///
/// # Errors
/// When a solver fails, or the interpreter contradicts a finding.
pub fn strategy(
    which: SourceStrategy,
    spec: &Spec,
    mutants: &[Result<Spec, String>],
    depth: Option<u64>,
    backend: &Backend,
    limits: &Limits,
) -> Result<(Vec<Verdict>, Assertions), SearchError> {
    let mut verdicts = Vec::new();
    let mut assertions = Assertions::default();
    let mut begin = Instant::now();
    let interpreter = Interpreter::new(spec);
    let well_formed: Vec<&Spec> = mutants.iter().filter_map(|mutant| mutant.as_ref().ok()).collect();
    let mut shared = Solvers::new(spec, &well_formed, backend, limits, depth);
    for mutant in mutants {
        let verdict = match (mutant, &mut shared) {
            (Err(why), _) => Verdict::Unsupported(why.clone()),
            (Ok(_), Err(Ended::TooLarge(why))) => Verdict::Unknown(format!("too large to be encoded: {why}")),
            (Ok(_), Err(Ended::Solver(error))) => return Err(error.clone()),
            (Ok(_), Err(Ended::Unknown(why))) => Verdict::Unknown(why.clone()),
            (Ok(mutant), Ok(solvers)) => match solvers.examine(which, mutant) {
                Ok(verdict) => verdict,
                Err(Ended::Solver(error)) => return Err(error),
                Err(Ended::TooLarge(why)) => Verdict::Unknown(format!("too large to be encoded: {why}")),
                Err(Ended::Unknown(why)) => Verdict::Unknown(why),
            },
        };
        let verdict = match (verdict, mutant) {
            (Verdict::Killed(kill), Ok(mutant)) => match objection(spec, &interpreter, mutant, &kill) {
                Ok(None) => Verdict::Killed(kill),
                Ok(Some(objection)) => return Err(SearchError::Disagreement(objection)),
                Err(OutOfFuel) => Verdict::unconfirmed(),
            },
            (verdict, _) => verdict,
        };
        verdicts.push(verdict);
        let asserted = shared.as_ref().map_or(0, |solvers| solvers.asserted);
        assertions.each.push((asserted - assertions.count, begin.elapsed()));
        assertions.count = asserted;
        begin = Instant::now();
    }
    Ok((verdicts, assertions))
}

#[derive(Clone, Debug)]
enum Ended {
    Solver(SearchError),
    TooLarge(String),
    Unknown(String),
}

impl From<smt::SolverError> for Ended {
    fn from(error: smt::SolverError) -> Ended {
        Ended::Solver(error.into())
    }
}

impl From<SearchError> for Ended {
    fn from(error: SearchError) -> Ended {
        Ended::Solver(error)
    }
}

impl From<Unmade> for Ended {
    fn from(error: Unmade) -> Ended {
        match error {
            Unmade::TooLarge(why) => Ended::TooLarge(why),
            Unmade::Stopped(stopped) => Ended::Unknown(stopped.to_string()),
        }
    }
}

/// A state with the way to it.
#[derive(Clone)]
struct Reached {
    state: Vec<i64>,
    trace: Vec<Step>,
}

/// The two solver instances of the thesis: one with the model, one with its negation.
struct Solvers<'a> {
    spec: &'a Spec,
    base: Base,
    shape: Shape,
    backend: &'a Backend,
    limits: &'a Limits,
    depth: Option<u64>,
    terms: Terms,
    forward: Box<dyn Solver>,
    refuting: Box<dyn Solver>,
    pre: Vec<Term>,
    label: Vec<Term>,
    post: Vec<Term>,
    /// The reachable states, where they were computed, and whether they are all.
    reached: Option<(Vec<Reached>, bool)>,
    /// Whether the disjunction of states was asserted.
    joined: bool,
    asserted: u64,
}

impl<'a> Solvers<'a> {
    fn new(
        spec: &'a Spec,
        mutants: &[&Spec],
        backend: &'a Backend,
        limits: &'a Limits,
        depth: Option<u64>,
    ) -> Result<Solvers<'a>, Ended> {
        let specs: Vec<&Spec> = std::iter::once(spec).chain(mutants.iter().copied()).collect();
        let shape = Shape::of(&specs);
        let mut terms = Terms::new();
        let pre = state_symbols(&mut terms, spec, "pre");
        let label = symbols(&mut terms, "trace", shape.width());
        let post = state_symbols(&mut terms, spec, "post");
        let encoder = Encoder { spec, shape: &shape, limits };
        let step = encoder.step(&mut terms, &pre, &label, &post, None)?;
        let types = encoder.in_types(&mut terms, &pre);
        let (mut forward, mut refuting) = (backend.solver()?, backend.solver()?);
        let forbidden = terms.not(step);
        let mut facts = label_in_hull(&mut terms, &shape, specs.iter().copied(), &label);
        facts.push(types);
        for (slot, term) in post.iter().enumerate() {
            let same = specs.iter().filter_map(|spec| spec.slots().get(slot));
            let (low, high) =
                same.fold((i64::MAX, i64::MIN), |(low, high), slot| (low.min(slot.low), high.max(slot.high)));
            facts.push(within(&mut terms, *term, low, high));
        }
        for fact in facts {
            forward.assert(&terms, fact)?;
            refuting.assert(&terms, fact)?;
        }
        forward.assert(&terms, step)?;
        refuting.assert(&terms, forbidden)?;
        Ok(Solvers {
            spec,
            base: Base::new(spec),
            shape,
            backend,
            limits,
            depth,
            terms,
            forward,
            refuting,
            pre,
            label,
            post,
            reached: None,
            joined: false,
            asserted: 2,
        })
    }

    fn examine(&mut self, which: SourceStrategy, mutant: &Spec) -> Result<Verdict, Ended> {
        let changed = match Pair::over(&self.base, self.spec, mutant) {
            Err(why) => return Ok(Verdict::Unsupported(why.0)),
            Ok(pair) if pair.is_same() => return Ok(Verdict::conforms(Proof::Syntactic)),
            Ok(pair) if !pair.same_start => {
                let difference = Difference::Initial(mutant.initial().to_vec());
                return Ok(Verdict::Killed(Kill { trace: Vec::new(), state: None, difference, differences: 1 }));
            }
            Ok(pair) => pair.changed_places(),
        };
        if which == SourceStrategy::Three {
            self.join_states()?;
        }
        self.refuting.push()?;
        let verdict = self.examine_pushed(which, mutant, &changed);
        self.refuting.pop()?;
        verdict
    }

    fn examine_pushed(&mut self, which: SourceStrategy, mutant: &Spec, changed: &[usize]) -> Result<Verdict, Ended> {
        let encoder = Encoder { spec: mutant, shape: &self.shape, limits: self.limits };
        let step = encoder.step(&mut self.terms, &self.pre, &self.label, &self.post, Some(changed))?;
        self.assert_refuting(step)?;
        match which {
            SourceStrategy::Initial => self.list_all(),
            SourceStrategy::One => {
                if self.bad_step()?.is_none() {
                    return Ok(Verdict::conforms(Proof::EveryState));
                }
                self.breadth_first()
            }
            SourceStrategy::Two => {
                if self.bad_step()?.is_none() {
                    return Ok(Verdict::conforms(Proof::EveryState));
                }
                self.explore()?;
                let (states, complete) = self.reached.clone().expect("just explored");
                for reached in &states {
                    if let Some(kill) = self.bad_from(reached)? {
                        return Ok(Verdict::Killed(kill));
                    }
                }
                Ok(self.nothing(complete, states.len()))
            }
            SourceStrategy::Three => {
                let (states, complete) = self.reached.clone().expect("the states were joined");
                let Some(model) = self.bad_step()? else { return Ok(self.nothing(complete, states.len())) };
                let state = numbers(&self.terms, &model, &self.pre)?;
                let reached = states.iter().find(|reached| reached.state == state);
                let reached =
                    reached.ok_or_else(|| SearchError::Disagreement("a state that was not reached".into()))?;
                Ok(Verdict::Killed(self.kill(reached, &model)?))
            }
        }
    }

    fn nothing(&self, complete: bool, states: usize) -> Verdict {
        let stopped = (!complete).then(|| Stopped::Depth(self.depth.unwrap_or(u64::MAX)));
        Verdict::of_nothing(stopped, states)
    }

    fn assert_refuting(&mut self, fact: Term) -> Result<(), Ended> {
        self.asserted += 1;
        Ok(self.refuting.assert(&self.terms, fact)?)
    }

    /// A step only the mutant can make, under the facts of the moment.
    fn bad_step(&mut self) -> Result<Option<Model>, Ended> {
        answered(self.refuting.check(&self.terms, self.backend.query(&[]))?)
    }

    fn bad_from(&mut self, reached: &Reached) -> Result<Option<Kill>, Ended> {
        let fact = equals(&mut self.terms, &self.pre, &reached.state);
        self.refuting.push()?;
        self.assert_refuting(fact)?;
        let found = self.bad_step();
        self.refuting.pop()?;
        match found? {
            Some(model) => Ok(Some(self.kill(reached, &model)?)),
            None => Ok(None),
        }
    }

    fn kill(&self, reached: &Reached, model: &Model) -> Result<Kill, SearchError> {
        let label = self.label_of(model)?;
        let post = numbers(&self.terms, model, &self.post)?;
        Ok(Kill {
            trace: reached.trace.iter().cloned().map(Seen::Step).collect(),
            state: Some(reached.state.clone()),
            difference: Difference::Step(Step { label, post }),
            differences: 1,
        })
    }

    fn label_of(&self, model: &Model) -> Result<Label, SearchError> {
        Ok(self.shape.decode(&numbers(&self.terms, model, &self.label)?))
    }

    /// The initial strategy: asks for one difference after the other, each excluded when it is known.
    fn list_all(&mut self) -> Result<Verdict, Ended> {
        let mut listed: Vec<(Vec<i64>, Step)> = Vec::new();
        while let Some(model) = self.bad_step()? {
            if listed.len() == MOST_LISTED {
                return Err(Ended::Unknown(format!("the mutant alone can make more than {MOST_LISTED} steps")));
            }
            if let Some(stopped) = self.limits.spent() {
                return Err(Ended::Unknown(stopped.to_string()));
            }
            let parts = [self.pre.clone(), self.label.clone(), self.post.clone()];
            let mut values = Vec::new();
            for part in &parts {
                values.push(numbers(&self.terms, &model, part)?);
            }
            let same = equals(&mut self.terms, &parts.concat(), &values.concat());
            let other = self.terms.not(same);
            self.assert_refuting(other)?;
            listed.push((values[0].clone(), Step { label: self.label_of(&model)?, post: values[2].clone() }));
        }
        if listed.is_empty() {
            return Ok(Verdict::conforms(Proof::EveryState));
        }
        self.explore()?;
        let (states, complete) = self.reached.clone().expect("just explored");
        for reached in &states {
            let mut steps: Vec<&Step> =
                listed.iter().filter(|(state, _)| *state == reached.state).map(|(_, step)| step).collect();
            steps.sort();
            if let Some(step) = steps.first() {
                return Ok(Verdict::Killed(Kill {
                    trace: reached.trace.iter().cloned().map(Seen::Step).collect(),
                    state: Some(reached.state.clone()),
                    difference: Difference::Step(Step::clone(step)),
                    differences: steps.len() as u64,
                }));
            }
        }
        Ok(self.nothing(complete, states.len()))
    }

    /// The first strategy: checks each state before it is expanded.
    fn breadth_first(&mut self) -> Result<Verdict, Ended> {
        let mut queue = vec![Reached { state: self.spec.initial().to_vec(), trace: Vec::new() }];
        let mut next = 0;
        let mut complete = true;
        while next < queue.len() {
            let reached = queue[next].clone();
            if let Some(kill) = self.bad_from(&reached)? {
                return Ok(Verdict::Killed(kill));
            }
            complete &= self.expand(&reached, &mut queue)?;
            next += 1;
        }
        Ok(self.nothing(complete, queue.len()))
    }

    fn explore(&mut self) -> Result<(), Ended> {
        if self.reached.is_some() {
            return Ok(());
        }
        let mut queue = vec![Reached { state: self.spec.initial().to_vec(), trace: Vec::new() }];
        let mut next = 0;
        let mut complete = true;
        while next < queue.len() {
            let reached = queue[next].clone();
            complete &= self.expand(&reached, &mut queue)?;
            next += 1;
        }
        self.reached = Some((queue, complete));
        Ok(())
    }

    /// Adds the unknown successors of a state; whether nothing was left out for its depth.
    fn expand(&mut self, reached: &Reached, queue: &mut Vec<Reached>) -> Result<bool, Ended> {
        if let Some(stopped) = self.limits.spent() {
            return Err(Ended::Unknown(stopped.to_string()));
        }
        let last = self.depth.is_some_and(|depth| depth <= reached.trace.len() as u64);
        for step in self.successors(&reached.state)? {
            if queue.iter().any(|known| known.state == step.post) {
                continue;
            }
            if last {
                return Ok(false);
            }
            let state = step.post.clone();
            queue.push(Reached { state, trace: [reached.trace.clone(), vec![step]].concat() });
        }
        Ok(true)
    }

    /// One step to each successor, by asking again with the last ones excluded.
    fn successors(&mut self, state: &[i64]) -> Result<Vec<Step>, Ended> {
        self.forward.push()?;
        let fact = equals(&mut self.terms, &self.pre, state);
        self.asserted += 1;
        self.forward.assert(&self.terms, fact)?;
        let found = self.enumerate();
        self.forward.pop()?;
        let mut steps = found?;
        steps.sort();
        Ok(steps)
    }

    fn enumerate(&mut self) -> Result<Vec<Step>, Ended> {
        let mut steps = Vec::new();
        while let Some(model) = answered(self.forward.check(&self.terms, self.backend.query(&[]))?)? {
            let post = numbers(&self.terms, &model, &self.post)?;
            let same = equals(&mut self.terms, &self.post, &post);
            let other = self.terms.not(same);
            self.asserted += 1;
            self.forward.assert(&self.terms, other)?;
            steps.push(Step { label: self.label_of(&model)?, post });
        }
        Ok(steps)
    }

    /// The third strategy's one assertion of all states.
    fn join_states(&mut self) -> Result<(), Ended> {
        self.explore()?;
        if !self.joined {
            let (states, _) = self.reached.clone().expect("just explored");
            let each: Vec<Term> =
                states.iter().map(|reached| equals(&mut self.terms, &self.pre, &reached.state)).collect();
            let any = self.terms.or(&each);
            self.assert_refuting(any)?;
            self.joined = true;
        }
        Ok(())
    }
}

/// A model, or none where there is none for any integers.
fn answered(answer: Answer) -> Result<Option<Model>, Ended> {
    match answer {
        Answer::Sat(model) => Ok(Some(model)),
        Answer::Unsat { scope: Scope::All, .. } => Ok(None),
        Answer::Unsat { scope: Scope::Width(width), .. } => {
            Err(Ended::Unknown(format!("decided only for integers of {width} bits")))
        }
        Answer::Unknown(why) => Err(Ended::Unknown(why.to_string())),
    }
}
