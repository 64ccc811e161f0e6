//! Which solver answers a search, and what stands between it and us.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use smt::{
    Anew, Answer, Capabilities, Checked, Interrupt, Limits, PROGRAMS, ProcessSolver, Query, Raced, Recorded, Scope,
    Solver, SolverError, SolverProgram, Term, Terms, Unknown, Wanted,
};
use smt_sat::SatSolver;

use crate::{Effort, Options, SearchError, SolverChoice};

/// Makes solvers for one run: each checked against its own models, and recorded if the user wants that.
pub struct Backend {
    choice: SolverChoice,
    incremental: bool,
    record: Option<PathBuf>,
    /// The bytes that a large problem may take.
    memory: u64,
    /// The limits of one query.
    pub limits: Limits,
    /// By how much budgets are scaled.
    pub effort: Effort,
    /// When the whole run ends.
    pub deadline: Option<Instant>,
    /// Ends every query of the run.
    pub interrupt: Interrupt,
    made: Arc<AtomicUsize>,
    /// The installed program that helped the built-in solver out.
    helper: Arc<OnceLock<&'static str>>,
}

impl Backend {
    /// The back end the options choose.
    pub fn new(options: &Options) -> Backend {
        Backend {
            choice: options.solver.clone(),
            incremental: options.incremental,
            record: options.record.clone(),
            memory: options.memory,
            limits: Limits { conflicts: options.goal_conflicts, time: options.goal_timeout },
            effort: options.effort,
            deadline: options.timeout.map(|timeout| Instant::now() + timeout),
            interrupt: options.interrupt.clone(),
            made: Arc::default(),
            helper: Arc::default(),
        }
    }

    /// Whether the chosen solver is there.
    ///
    /// # Errors
    /// When it is not.
    pub fn probe(&self) -> Result<(), SearchError> {
        Ok(present(&self.choice)?)
    }

    /// The installed program that answered what the built-in solver could not, so far.
    pub fn helper(&self) -> Option<&'static str> {
        self.helper.get().copied()
    }

    /// The solvers that answer and are not ours.
    fn foreign(&self) -> Option<String> {
        fn names(choice: &SolverChoice) -> Vec<&str> {
            match choice {
                SolverChoice::Auto | SolverChoice::BuiltIn => Vec::new(),
                SolverChoice::Program(name) => vec![name],
                SolverChoice::Command(_) => vec!["the command of --solver-command"],
                SolverChoice::Portfolio(members) => members.iter().flat_map(names).collect(),
            }
        }
        let names: Vec<&str> = names(&self.choice).into_iter().chain(self.helper()).collect();
        (!names.is_empty()).then(|| names.join(" and "))
    }

    /// An error of a search with these solvers: a contradiction is a bug of ours only where nobody else answered.
    pub fn blamed(&self, error: SearchError) -> SearchError {
        match (error, self.foreign()) {
            (SearchError::Disagreement(what), Some(solver)) => SearchError::Distrusted { solver, what },
            (error, _) => error,
        }
    }

    /// Whether the run is to end now.
    pub fn is_over(&self) -> bool {
        self.interrupt.is_raised() || self.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// A solver with no facts yet.
    ///
    /// # Errors
    /// When the chosen program is missing or a recording cannot be written.
    pub fn solver(&self) -> Result<Box<dyn Solver>, SearchError> {
        self.solver_over(SatSolver::new)
    }

    /// A solver with no facts yet, for a large problem.
    ///
    /// # Errors
    /// When the chosen program is missing or a recording cannot be written.
    pub fn large_solver(&self) -> Result<Box<dyn Solver>, SearchError> {
        let memory = self.memory;
        self.solver_over(move || SatSolver::without_luck().within(memory))
    }

    /// A solver with no facts yet with a limit on memory, in bytes.
    ///
    /// # Errors
    /// When the chosen program is missing or a recording cannot be written.
    pub fn roomy_solver(&self, bytes: u64) -> Result<Box<dyn Solver>, SearchError> {
        self.solver_over(move || SatSolver::new().within(bytes))
    }

    fn solver_over(
        &self,
        built_in: impl Fn() -> SatSolver + Clone + Send + 'static,
    ) -> Result<Box<dyn Solver>, SearchError> {
        let (choice, helper) = (self.choice.clone(), self.helper.clone());
        let (record, made) = (self.record.clone(), self.made.clone());
        let make = move || recorded(chosen(&choice, &built_in, &helper)?, record.as_deref(), &made);
        Ok(match self.incremental {
            true => make()?,
            false => Box::new(Anew::new(Box::new(make))?),
        })
    }

    /// A query with this run's limits that wants a model and a core.
    pub fn query<'a>(&self, assumptions: &'a [Term]) -> Query<'a> {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let time = self.limits.time.into_iter().chain(left).min();
        Query {
            assumptions,
            wanted: Wanted { model: true, core: true },
            limits: Limits { time, ..self.limits },
            interrupt: self.interrupt.clone(),
        }
    }
}

/// Whether the programs of a choice are there. What a command starts is not known before it is started.
fn present(choice: &SolverChoice) -> Result<(), SolverError> {
    match choice {
        SolverChoice::Auto | SolverChoice::BuiltIn | SolverChoice::Command(_) => Ok(()),
        SolverChoice::Program(name) => named(name)?.locate().map(drop),
        SolverChoice::Portfolio(members) => members.iter().try_for_each(present),
    }
}

/// A solver as it was chosen.
fn chosen(
    choice: &SolverChoice,
    built_in: &(impl Fn() -> SatSolver + Clone + Send + 'static),
    helper: &Arc<OnceLock<&'static str>>,
) -> Result<Box<dyn Solver>, SolverError> {
    Ok(match choice {
        SolverChoice::BuiltIn => Box::new(built_in()),
        SolverChoice::Program(name) => Box::new(ProcessSolver::new(named(name)?)?),
        SolverChoice::Command(command) => Box::new(ProcessSolver::command(command)),
        SolverChoice::Auto => Box::new(Widening::new(built_in(), helper.clone())),
        SolverChoice::Portfolio(members) => {
            let members: Result<Vec<_>, SolverError> =
                members.iter().map(|member| chosen(member, built_in, helper)).collect();
            Box::new(Raced::new(members?))
        }
    })
}

/// The solver, checked against its own models, and its conversation written down where the user wants that.
fn recorded(
    solver: Box<dyn Solver>,
    folder: Option<&Path>,
    made: &AtomicUsize,
) -> Result<Box<dyn Solver>, SolverError> {
    let number = made.fetch_add(1, Ordering::Relaxed);
    Ok(match folder {
        None => Box::new(Checked::new(solver)),
        Some(folder) => {
            let path = folder.join(format!("solver-{number}.smt2"));
            Box::new(Checked::new(Recorded::new(solver, &path)?))
        }
    })
}

fn named(name: &str) -> Result<&'static SolverProgram, SolverError> {
    let known = || PROGRAMS.iter().map(|program| program.name).collect::<Vec<_>>().join(", ");
    SolverProgram::named(name).ok_or_else(|| SolverError::Missing {
        program: name.into(),
        hint: format!("the solvers we know are {}", known()),
    })
}

/// The built-in solver, with an installed program behind it for what lies outside its world: a construct it does not
/// decide, or a claim it can make only up to a width.
struct Widening {
    built_in: SatSolver,
    /// Facts of every open scope, to tell a second solver.
    facts: Vec<Vec<Term>>,
    second: Option<ProcessSolver>,
    /// Set once the built-in solver has met something it does not decide.
    outgrown: Option<SolverError>,
    helper: Arc<OnceLock<&'static str>>,
}

impl Widening {
    fn new(built_in: SatSolver, helper: Arc<OnceLock<&'static str>>) -> Widening {
        Widening { built_in, facts: vec![Vec::new()], second: None, outgrown: None, helper }
    }

    /// The second solver, told every fact; started when first needed.
    fn second(&mut self, terms: &Terms) -> Result<Option<&mut ProcessSolver>, SolverError> {
        if self.second.is_none() {
            let Some(program) = PROGRAMS.iter().find(|program| program.locate().is_ok()) else { return Ok(None) };
            let mut solver = ProcessSolver::new(program)?;
            let _ = self.helper.set(program.name);
            for (depth, scope) in self.facts.iter().enumerate() {
                if 0 < depth {
                    solver.push()?;
                }
                for &fact in scope {
                    solver.assert(terms, fact)?;
                }
            }
            self.second = Some(solver);
        }
        Ok(self.second.as_mut())
    }
}

impl Solver for Widening {
    fn name(&self) -> &str {
        "auto"
    }

    fn capabilities(&self) -> &Capabilities {
        self.built_in.capabilities()
    }

    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), SolverError> {
        self.facts.last_mut().expect("the outermost scope is always open").push(fact);
        if let Some(second) = &mut self.second {
            second.assert(terms, fact)?;
        }
        if self.outgrown.is_none() {
            self.outgrown = only_unsupported(self.built_in.assert(terms, fact))?;
        }
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.facts.push(Vec::new());
        if let Some(second) = &mut self.second {
            second.push()?;
        }
        self.built_in.push()
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.facts.pop();
        if let Some(second) = &mut self.second {
            second.pop()?;
        }
        self.built_in.pop()
    }

    fn check(&mut self, terms: &Terms, query: Query<'_>) -> Result<Answer, SolverError> {
        if self.outgrown.is_none() {
            match self.built_in.check(terms, query.clone()) {
                Ok(Answer::Unsat { core, scope: Scope::Width(width) }) => {
                    let second = match self.second(terms)? {
                        Some(second) => second.check(terms, query)?,
                        None => Answer::Unknown(Unknown::Incomplete(String::new())),
                    };
                    return Ok(match second {
                        Answer::Unknown(_) => Answer::Unsat { core, scope: Scope::Width(width) },
                        decided => decided,
                    });
                }
                Ok(answer) => return Ok(answer),
                Err(error) => self.outgrown = only_unsupported(Err(error))?,
            }
        }
        let reason = self.outgrown.clone();
        match (self.second(terms)?, reason) {
            (Some(second), _) => second.check(terms, query),
            (None, Some(SolverError::Unsupported { what, .. })) => Err(SolverError::Missing {
                program: "z3".into(),
                hint: format!("the built-in solver does not decide {what}; install z3, cvc5 or yices for it"),
            }),
            (None, _) => unreachable!("a second solver is asked only where the first cannot answer"),
        }
    }
}

/// Sorts "not decided by this solver" out of the failures.
fn only_unsupported(result: Result<(), SolverError>) -> Result<Option<SolverError>, SolverError> {
    match result {
        Ok(()) => Ok(None),
        Err(error @ SolverError::Unsupported { .. }) => Ok(Some(error)),
        Err(error) => Err(error),
    }
}
