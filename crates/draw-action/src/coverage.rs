//! Guarded-model coverage as goals: explicit exploration finds shortest traces, and proves the rest unreachable.

use std::collections::BTreeSet;

use action::Spec;
use action::coverage::{Observer, Target, What};
use action::interp::Interpreter;
use action::trace::{Label, Step};
use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use testcase::{Goal, GoalStatus, Inputs, Location, ObligationId, TestCase};

use super::limits::{Limits, Stopped};
use super::space::Space;
use super::subject::depth_of;
use super::walk::walks;
use action::finding::Relation;
use action::finding::Seen;
use action::observe::{allowed_points, end_of, state_notes};
use action::trial::Trial;
use search::{Backend, Options, SearchError};
use search::{Bound, Engine, Finding, Replay, Replayed, Searcher, Subject, Witness};

/// A model with goals of a coverage criterion.
pub struct CoverageSubject<'a> {
    spec: &'a Spec,
    targets: Vec<Target>,
    goals: Vec<Goal>,
    limits: Limits,
}

impl<'a> CoverageSubject<'a> {
    /// A model with these goals; `place` tells where in the text something stands.
    pub fn new(
        spec: &'a Spec,
        targets: Vec<Target>,
        limits: Limits,
        place: &dyn Fn(source::Span) -> Location,
    ) -> CoverageSubject<'a> {
        let goal = |(number, target): (u32, &Target)| {
            let ways = vec![vec![ObligationId(number)]];
            Goal::new(target.key.clone(), target.label.clone(), target.span.map(place), ways)
        };
        let goals = (0u32..).zip(&targets).map(goal).collect();
        CoverageSubject { spec, targets, goals, limits }
    }
}

impl Subject for CoverageSubject<'_> {
    fn goals(&self) -> &[Goal] {
        &self.goals
    }

    fn obligation_count(&self) -> usize {
        self.targets.len()
    }

    fn searcher<'s>(&'s self, backend: &'s Backend, options: &Options) -> Result<Searcher<'s>, SearchError> {
        let limits = Limits {
            depth: depth_of(options.bound),
            deadline: backend.deadline,
            interrupt: options.interrupt.clone(),
            ..self.limits.within(options.effort)
        };
        Ok(Searcher::Engine(Box::new(Explorer { subject: self, limits })))
    }

    fn replay(&self) -> Box<dyn Replay + '_> {
        Box::new(Judge {
            subject: self,
            observer: Observer::new(self.spec),
            interpreter: Interpreter::new(self.spec),
            covered: Vec::new(),
        })
    }

    fn random_inputs(&self, seed: u64, count: usize, bound: Bound) -> Vec<Inputs> {
        let longest = depth_of(bound).unwrap_or(u64::MAX);
        let trials = walks(self.spec, Relation::Refinement, seed, count, longest, 1);
        trials.into_iter().map(|trial| Inputs::Document(Trial { then: None, ..trial }.to_json())).collect()
    }
}

/// What one state, and one step out of it, show.
struct Shown<'a> {
    subject: &'a CoverageSubject<'a>,
}

impl Shown<'_> {
    fn action(&self, label: &Label) -> Vec<usize> {
        label.0.iter().filter_map(|event| self.subject.spec.action_named(&event.action)).collect()
    }

    /// Whether a target is shown by being in a state.
    fn by_state(&self, what: What, state: &[i64], deciding: &BTreeSet<What>) -> bool {
        match what {
            What::Node(slot, value) => state[slot] == value,
            What::Condition(..) => deciding.contains(&what),
            What::Action(_) | What::Pair(..) | What::Edge(_) => false,
        }
    }

    /// Whether a target is shown by a step, after another one or at the beginning.
    fn by_step(&self, what: What, before: Option<&Label>, label: &Label, guards: &BTreeSet<usize>) -> bool {
        let actions = self.action(label);
        match what {
            What::Action(action) => actions.contains(&action),
            What::Edge(guard) => guards.contains(&guard),
            What::Pair(first, second) => {
                let last = before.and_then(|before| self.action(before).last().copied());
                let all: Vec<usize> = last.into_iter().chain(actions).collect();
                all.windows(2).any(|pair| pair == [first, second])
            }
            What::Node(..) | What::Condition(..) => false,
        }
    }
}

struct Explorer<'a> {
    subject: &'a CoverageSubject<'a>,
    limits: Limits,
}

impl Engine for Explorer<'_> {
    fn round(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let spec = self.subject.spec;
        let space = Space::explore(spec, &self.limits);
        let observer = Observer::new(spec);
        let shown = Shown { subject: self.subject };
        let mut left: Vec<ObligationId> = open.to_vec();
        let mut findings = Vec::new();
        for number in 0..space.len() {
            if left.is_empty() || self.limits.spent().is_some() {
                break;
            }
            let state = space.state_at(number);
            let seen = observer.observe(&state);
            let what = |obligation: &ObligationId| self.subject.targets[obligation.0 as usize].what;
            let here: Vec<ObligationId> = left
                .iter()
                .copied()
                .filter(|obligation| shown.by_state(what(obligation), &state, &seen.deciding))
                .collect();
            if !here.is_empty() {
                findings.push(self.finding(&space, number, &[], here.clone()));
                left.retain(|obligation| !here.contains(obligation));
            }
            if number < space.expanded() {
                self.steps(&space, number, &observer, &seen, &mut left, &mut findings);
            }
        }
        for obligation in left {
            let status = match (space.stopped(), self.limits.spent()) {
                (_, Some(stopped)) => GoalStatus::Unknown(stopped.to_string()),
                (None, None) => {
                    GoalStatus::Infeasible(format!("it is unreachable: none of all {} states shows it", space.len()))
                }
                (Some(Stopped::Depth(depth)), None) => {
                    GoalStatus::InfeasibleUpTo(format!("no trace of up to {depth} steps shows it"))
                }
                (Some(stopped), None) => GoalStatus::Unknown(stopped.to_string()),
            };
            findings.push(Finding::Closed(obligation, status));
        }
        Ok(findings)
    }
}

impl Explorer<'_> {
    /// Targets that steps from a state show, alone or followed by one more step.
    fn steps(
        &self,
        space: &Space,
        number: usize,
        observer: &Observer<'_>,
        seen: &action::coverage::Observation,
        left: &mut Vec<ObligationId>,
        findings: &mut Vec<Finding>,
    ) {
        let shown = Shown { subject: self.subject };
        let what = |obligation: &ObligationId| self.subject.targets[obligation.0 as usize].what;
        let pairs = left.iter().any(|obligation| matches!(what(obligation), What::Pair(..)));
        for walked in &seen.walked {
            let guards: BTreeSet<usize> = walked.guards.iter().copied().collect();
            let found: Vec<ObligationId> = left
                .iter()
                .copied()
                .filter(|obligation| shown.by_step(what(obligation), None, &walked.step.label, &guards))
                .collect();
            if !found.is_empty() {
                findings.push(self.finding(space, number, &[&walked.step], found.clone()));
                left.retain(|obligation| !found.contains(obligation));
            }
            let deeper = self.limits.depth.is_none_or(|depth| (space.depth_of(number) as u64) + 2 <= depth);
            if !pairs || !deeper {
                continue;
            }
            for next in observer.observe(&walked.step.post).walked {
                let found: Vec<ObligationId> = left
                    .iter()
                    .copied()
                    .filter(|obligation| {
                        shown.by_step(what(obligation), Some(&walked.step.label), &next.step.label, &BTreeSet::new())
                    })
                    .collect();
                if !found.is_empty() {
                    findings.push(self.finding(space, number, &[&walked.step, &next.step], found.clone()));
                    left.retain(|obligation| !found.contains(obligation));
                }
            }
        }
    }

    fn finding(&self, space: &Space, number: usize, steps: &[&Step], targets: Vec<ObligationId>) -> Finding {
        let way = space.trace(number).into_iter().chain(steps.iter().map(|step| (*step).clone()));
        let trial = Trial { trace: way.map(Seen::Step).collect(), then: None };
        Finding::Inputs { targets, inputs: vec![Inputs::Document(trial.to_json())] }
    }
}

struct Judge<'a> {
    subject: &'a CoverageSubject<'a>,
    observer: Observer<'a>,
    interpreter: Interpreter,
    /// The targets each test covers.
    covered: Vec<Vec<u32>>,
}

impl Judge<'_> {
    fn judge(&mut self, trial: &Trial) -> Result<Vec<u32>, String> {
        let shown = Shown { subject: self.subject };
        let mut state = self.subject.spec.initial().to_vec();
        let mut covered: BTreeSet<u32> = BTreeSet::new();
        let mut before: Option<Label> = None;
        for position in 0..=trial.trace.len() {
            let seen = self.observer.observe(&state);
            for (number, target) in (0u32..).zip(&self.subject.targets) {
                if shown.by_state(target.what, &state, &seen.deciding) {
                    covered.insert(number);
                }
            }
            let Some(next) = trial.trace.get(position) else { break };
            let (label, post) = self.next(&state, next, position)?;
            let same = |walked: &&action::coverage::Walked| walked.step.label == label && walked.step.post == post;
            let guards: BTreeSet<usize> =
                seen.walked.iter().filter(same).flat_map(|walked| walked.guards.iter().copied()).collect();
            for (number, target) in (0u32..).zip(&self.subject.targets) {
                if shown.by_step(target.what, before.as_ref(), &label, &guards) {
                    covered.insert(number);
                }
            }
            before = Some(label);
            state = post;
        }
        Ok(covered.into_iter().collect())
    }

    fn next(&mut self, state: &[i64], seen: &Seen, position: usize) -> Result<(Label, Vec<i64>), String> {
        let impossible = || format!("the model cannot do `{seen}` after {position} steps");
        match seen {
            Seen::Step(step) if self.interpreter.allows(state, step) == Ok(true) => {
                Ok((step.label.clone(), step.post.clone()))
            }
            Seen::Step(_) => Err(impossible()),
            Seen::Observed(label) => {
                let after = self.interpreter.after(state, label).map_err(|_| "too many ways".to_owned())?;
                if 1 < after.len() {
                    return Err(format!("`{label}` leads to several states: the test must name one"));
                }
                after.into_iter().next().map(|post| (label.clone(), post)).ok_or_else(impossible)
            }
            Seen::Silence => Err("silence is not a step".to_owned()),
        }
    }
}

impl Replay for Judge<'_> {
    fn run(&mut self, inputs: &Inputs) -> Replayed {
        let trial = match inputs {
            Inputs::Document(document) => Trial::from_json(self.subject.spec, document),
            Inputs::Assignment(_) => Err("a test of an action system is a trace".to_owned()),
        };
        let mut test = TestCase { inputs: inputs.clone(), expected: IndexMap::new(), notes: IndexMap::new() };
        match trial.and_then(|trial| self.judge(&trial).map(|covered| (trial, covered))) {
            Ok((trial, covered)) => {
                let is_new = |target: &&u32| !self.covered.iter().any(|earlier| earlier.binary_search(target).is_ok());
                let met = covered.iter().filter(is_new).map(|target| ObligationId(*target)).collect();
                self.covered.push(covered);
                if let Ok(end) = end_of(self.subject.spec, &self.interpreter, &trial) {
                    test.expected.insert("end".to_owned(), json!(end.states));
                    test.expected.insert("allowed".to_owned(), json!(end.allowed));
                }
                test.notes.insert(
                    "points".to_owned(),
                    Json::from(allowed_points(self.subject.spec, &self.interpreter, &trial)),
                );
                test.notes.extend(state_notes(self.subject.spec));
                Replayed { test, met, objection: None }
            }
            Err(objection) => {
                self.covered.push(Vec::new());
                Replayed { test, met: Vec::new(), objection: Some(objection) }
            }
        }
    }

    fn witnesses(&self) -> Vec<Witness> {
        let each = (0u32..).zip(&self.covered).flat_map(|(test, covered)| {
            covered.iter().map(move |target| Witness { obligation: ObligationId(*target), tests: vec![test] })
        });
        let mut witnesses: Vec<Witness> = each.collect();
        witnesses.sort();
        witnesses
    }
}
