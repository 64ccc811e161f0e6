//! The SAT solver itself: variables, clauses, assumptions, limits. A thin safe layer over CaDiCaL.

use std::ops::Not;
use std::time::Instant;

use cadical_sys::{CaDiCal, Status, Terminator};
use smt::{Interrupt, Unknown};

pub use crate::totalizer::Totalizer;

/// A literal: a variable or its negation, numbered as in DIMACS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(i32);

impl Lit {
    /// Whether this is a variable and not its negation.
    pub fn is_positive(self) -> bool {
        0 < self.0
    }

    /// The number of the variable, from 1.
    pub fn variable(self) -> u32 {
        self.0.unsigned_abs()
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

/// An incremental SAT solver.
///
/// ```
/// use smt_sat::sat::{Budget, Outcome, Sat};
/// let mut sat = Sat::new();
/// let (a, b) = (sat.new_var(), sat.new_var());
/// sat.add_clause(&[a, b]);
/// assert_eq!(sat.solve(&[!a], &Budget::default()), Outcome::Sat);
/// assert!(sat.value(b));
/// assert_eq!(sat.solve(&[!a, !b], &Budget::default()), Outcome::Unsat);
/// assert!(sat.failed(!b));
/// ```
pub struct Sat {
    handle: Handle,
    variables: i32,
    clauses: u64,
    preferred: Vec<Lit>,
    /// Whether CaDiCaL keeps to the preferences.
    preferring: bool,
}

/// After this many conflicts a search no longer keeps to preferences: it is hard, and they slow it down.
const PATIENCE: u64 = 2000;

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is a model: see [`Sat::value`].
    Sat,
    /// There is none under the assumptions: see [`Sat::failed`].
    Unsat,
    /// The budget ran out.
    Unknown(Unknown),
}

/// When a search gives up.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// After this many conflicts.
    pub conflicts: Option<u64>,
    /// At this moment.
    pub deadline: Option<Instant>,
    /// When someone raises this.
    pub interrupt: Interrupt,
}

impl Budget {
    /// Why the search must end now, if it must.
    pub fn spent(&self) -> Option<Unknown> {
        if self.interrupt.is_raised() {
            Some(Unknown::Interrupted)
        } else if self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            Some(Unknown::Time)
        } else {
            None
        }
    }
}

impl Default for Sat {
    fn default() -> Self {
        Sat::new()
    }
}

impl Sat {
    /// A solver without variables and clauses.
    ///
    /// CaDiCaL takes options from variables `CADICAL_…` of the environment, and results must not depend on who runs us:
    /// every option is put back to its default. What that leaves is measuring and CaDiCaL's checks of itself, and of
    /// those the one that ends the process is put back too. Only `CADICAL_LIDRUP_TRACE`, for debugging CaDiCaL, keeps
    /// its meaning: a proof is written, and a second solver at the same time ends the process.
    pub fn new() -> Sat {
        Sat::with_luck(true)
    }

    /// A solver that does not try simple assignments before it searches: for large problems with many questions, where
    /// that costs more than it brings.
    pub fn without_luck() -> Sat {
        Sat::with_luck(false)
    }

    fn with_luck(luck: bool) -> Sat {
        let mut solver = CaDiCal::new();
        assert!(solver.configure("default"), "CaDiCaL has a configuration of this name");
        assert!(solver.set("checkfrozen", 0), "CaDiCaL has an option of this name");
        if !luck {
            assert!(solver.set("lucky", 0), "CaDiCaL has an option of this name");
        }
        Sat { handle: Handle(solver), variables: 0, clauses: 0, preferred: Vec::new(), preferring: true }
    }

    /// A new variable.
    pub fn new_var(&mut self) -> Lit {
        assert!(self.variables < i32::MAX - 1, "fewer than 2^31 variables");
        self.variables += 1;
        Lit(self.variables)
    }

    /// The number of variables made.
    pub fn variable_count(&self) -> u64 {
        self.variables.unsigned_abs().into()
    }

    /// The number of clauses added.
    pub fn clause_count(&self) -> u64 {
        self.clauses
    }

    /// Adds a clause: one of `lits` is true.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.clauses += 1;
        let solver = &mut self.handle.0;
        match *lits {
            [a] => solver.clause1(a.0),
            [a, b] => solver.clause2(a.0, b.0),
            [a, b, c] => solver.clause3(a.0, b.0, c.0),
            [a, b, c, d] => solver.clause4(a.0, b.0, c.0, d.0),
            _ => {
                lits.iter().for_each(|lit| solver.add(lit.0));
                solver.add(0);
            }
        }
    }

    /// Lets `lit` hold where the search has a choice, as long as it is short.
    pub fn prefer(&mut self, lit: Lit) {
        self.preferred.push(lit);
        if self.preferring {
            self.handle.0.phase(lit.0);
        }
    }

    /// Looks for a model in which all `assumptions` hold.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        let most = budget.conflicts.unwrap_or(u64::MAX);
        if self.preferred.is_empty() {
            return self.search(assumptions, budget, most);
        }
        self.keep_preferences(true);
        match self.search(assumptions, budget, most.min(PATIENCE)) {
            Outcome::Unknown(Unknown::Conflicts) if PATIENCE < most => {
                self.keep_preferences(false);
                self.search(assumptions, budget, most - PATIENCE)
            }
            decided => decided,
        }
    }

    fn keep_preferences(&mut self, keep: bool) {
        if self.preferring != keep {
            self.preferring = keep;
            for &lit in &self.preferred {
                if keep { self.handle.0.phase(lit.0) } else { self.handle.0.unphase(lit.0) }
            }
        }
    }

    fn search(&mut self, assumptions: &[Lit], budget: &Budget, conflicts: u64) -> Outcome {
        if let Some(reason) = budget.spent() {
            return Outcome::Unknown(reason);
        }
        let solver = &mut self.handle.0;
        assumptions.iter().for_each(|lit| solver.assume(lit.0));
        if let Ok(conflicts) = i32::try_from(conflicts) {
            solver.limit("conflicts", conflicts);
        }
        solver.connect_terminator(Alarm(budget.clone()));
        let status = solver.solve();
        solver.disconnect_terminator();
        match status {
            Status::SATISFIABLE => Outcome::Sat,
            Status::UNSATISFIABLE => Outcome::Unsat,
            Status::UNKNOWN => Outcome::Unknown(budget.spent().unwrap_or(Unknown::Conflicts)),
        }
    }

    /// The value of a literal in the model of the last search, which was [`Outcome::Sat`] with no clause added since.
    pub fn value(&mut self, lit: Lit) -> bool {
        self.handle.0.val(lit.0) == lit.0
    }

    /// Whether an assumption of the last search, which was [`Outcome::Unsat`], takes part in the contradiction.
    pub fn failed(&mut self, lit: Lit) -> bool {
        self.handle.0.failed(lit.0)
    }

    /// The conflicts of all searches so far.
    pub fn conflicts(&self) -> u64 {
        u64::try_from(self.handle.0.get_statistic_value("conflicts")).unwrap_or(0)
    }
}

struct Handle(CaDiCal);

// SAFETY: CaDiCaL keeps all its state in the object behind the pointer, none of it bound to a thread, and the only
// callback ever connected is an `Alarm`, which is `Send`.
#[allow(unsafe_code)]
unsafe impl Send for Handle {}

/// Ends a search when its budget is spent.
struct Alarm(Budget);

const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Alarm>();
};

impl Terminator for Alarm {
    fn terminated(&mut self) -> bool {
        self.0.spent().is_some()
    }
}
