//! Several solvers at once: of those that answer definitely within their share of work, the earliest in the list counts.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::{
    Answer, Capabilities, Interrupt, Limits, Query, Scope, Solver, SolverError, Term, Terms, Theories, Unknown,
};

/// The conflicts of each member but the last where the query does not limit them: who is behind counts when who is before has
/// had this much work without an answer. Who cannot count work has all the time there is.
const SHARE: u64 = 20_000;
/// How often the interrupt of the query is looked at.
const PATIENCE: Duration = Duration::from_millis(5);

/// A portfolio. All members work at the same time, but which answer counts does not depend on who is quicker: it is that of the
/// earliest member in the list with a definite one. So those behind it stop as soon as it is there, and those before it go on until
/// they have had their share of work.
///
/// A member that does not support a fact sits out until the fact's scope is closed. Two members that contradict each
/// other are an error.
pub struct Raced {
    name: String,
    capabilities: Capabilities,
    members: Vec<Member>,
    depth: usize,
}

struct Member {
    solver: Box<dyn Solver>,
    /// The depth of the scope with a fact it did not take, and why.
    out: Option<(usize, SolverError)>,
}

type Outcome = Result<Answer, SolverError>;

impl Raced {
    /// A race between at least one solver, none of which has facts yet.
    pub fn new(solvers: Vec<Box<dyn Solver>>) -> Raced {
        assert!(!solvers.is_empty(), "a race has at least one member");
        let name = solvers.iter().map(|solver| solver.name()).collect::<Vec<_>>().join("+");
        let each = || solvers.iter().map(|solver| solver.capabilities());
        let any = |has: fn(&Theories) -> bool| each().any(|capabilities| has(&capabilities.theories));
        let theories = Theories {
            integers: any(|theories| theories.integers),
            reals: any(|theories| theories.reals),
            nonlinear: any(|theories| theories.nonlinear),
            bit_vectors: any(|theories| theories.bit_vectors),
            arrays: any(|theories| theories.arrays),
            enumerations: any(|theories| theories.enumerations),
        };
        let capabilities = Capabilities {
            theories,
            cores: each().all(|capabilities| capabilities.cores),
            incremental: each().all(|capabilities| capabilities.incremental),
        };
        let members = solvers.into_iter().map(|solver| Member { solver, out: None }).collect();
        Raced { name, capabilities, members, depth: 0 }
    }

    fn run(&mut self, terms: &Terms, query: &Query<'_>) -> Vec<(String, Outcome)> {
        let start = |member: &Member| member.out.is_none();
        let runners: Vec<&mut Member> = self.members.iter_mut().filter(|member| start(member)).collect();
        let names: Vec<String> = runners.iter().map(|member| member.solver.name().to_owned()).collect();
        let last = runners.len().saturating_sub(1);
        let share = Limits { conflicts: query.limits.conflicts.or(Some(SHARE)), ..query.limits };
        let stops: Vec<Interrupt> = names.iter().map(|_| Interrupt::new()).collect();
        let mut outcomes: Vec<Option<Outcome>> = names.iter().map(|_| None).collect();
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            for (place, member) in runners.into_iter().enumerate() {
                let limits = if place == last { query.limits } else { share };
                let interrupt = stops[place].clone();
                let (sender, query) = (sender.clone(), Query { interrupt, limits, ..query.clone() });
                scope.spawn(move || {
                    // The receiver stays until every member has answered.
                    let _ = sender.send((place, member.solver.check(terms, query)));
                });
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(PATIENCE) {
                    Ok((place, outcome)) => {
                        if is_definite(&outcome) {
                            stops[place + 1..].iter().for_each(Interrupt::raise);
                        }
                        outcomes[place] = Some(outcome);
                    }
                    Err(RecvTimeoutError::Timeout) if query.interrupt.is_raised() => {
                        stops.iter().for_each(Interrupt::raise);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        let answered = |outcome: Option<Outcome>| outcome.expect("every member answers before its thread ends");
        names.into_iter().zip(outcomes.into_iter().map(answered)).collect()
    }
}

/// Whether nobody can answer better.
fn is_definite(outcome: &Outcome) -> bool {
    matches!(outcome, Ok(Answer::Sat(_) | Answer::Unsat { scope: Scope::All, .. }))
}

/// How much an outcome is worth; less is better.
fn worth(outcome: &Outcome) -> u8 {
    match outcome {
        Ok(Answer::Sat(_) | Answer::Unsat { scope: Scope::All, .. }) => 0,
        Ok(Answer::Unsat { scope: Scope::Width(_), .. }) => 1,
        Ok(Answer::Unknown(Unknown::Incomplete(_))) => 2,
        Ok(Answer::Unknown(Unknown::Time | Unknown::Conflicts)) => 3,
        Ok(Answer::Unknown(Unknown::Interrupted)) => 4,
        Err(_) => 5,
    }
}

fn contradiction(outcomes: &[(String, Outcome)]) -> Option<SolverError> {
    let satisfied = outcomes.iter().find(|(_, outcome)| matches!(outcome, Ok(Answer::Sat(_))))?;
    let refuted =
        outcomes.iter().find(|(_, outcome)| matches!(outcome, Ok(Answer::Unsat { scope: Scope::All, .. })))?;
    let said = format!("unsat, where {} found a model", satisfied.0);
    Some(SolverError::Garbage { solver: refuted.0.clone(), said })
}

impl Solver for Raced {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), SolverError> {
        for member in self.members.iter_mut().filter(|member| member.out.is_none()) {
            if let Err(error) = member.solver.assert(terms, fact) {
                member.out = Some((self.depth, error));
            }
        }
        match self.members.iter().all(|member| member.out.is_some()) {
            true => Err(self.members[0].out.clone().expect("every member is out").1),
            false => Ok(()),
        }
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.depth += 1;
        for member in &mut self.members {
            if let Err(error) = member.solver.push() {
                member.out.get_or_insert((0, error));
            }
        }
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        if self.depth == 0 {
            return Ok(());
        }
        for member in &mut self.members {
            if member.out.as_ref().is_some_and(|(depth, _)| *depth == self.depth) {
                member.out = None;
            }
            if let Err(error) = member.solver.pop() {
                member.out.get_or_insert((0, error));
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn check(&mut self, terms: &Terms, query: Query<'_>) -> Result<Answer, SolverError> {
        let outcomes = self.run(terms, &query);
        if let Some(error) = contradiction(&outcomes) {
            return Err(error);
        }
        match outcomes.into_iter().min_by_key(|(_, outcome)| worth(outcome)) {
            Some((_, outcome)) => outcome,
            None => Err(self.members[0].out.clone().expect("every member is out").1),
        }
    }
}
