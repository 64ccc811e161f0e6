//! What can be chosen about the execution of a program.

use std::collections::{BTreeMap, BTreeSet};

use c::program::{FunctionId, LoopId};

/// What becomes of executions that enter a loop or a function more often than its bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beyond {
    /// They are left out, and what is impossible without them is reported as limited to the bound.
    #[default]
    Excluded,
    /// There must be none: otherwise nothing is searched for.
    Asserted,
    /// They leave the loop after its last round, whatever its condition says. What is found so is run like everything
    /// else, and dropped when the real execution is another one.
    Partial,
}

/// What becomes of executions in which something undefined happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undefined {
    /// They are not tests, but what only they do is reported with one of them.
    #[default]
    Report,
    /// They do not count: what only they do is impossible.
    Stop,
    /// Behind undefined arithmetic they go on as compiled programs do, and are tests.
    GoOn,
}

/// How goals are put beside the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// All readings of an execution are followed at once.
    #[default]
    Native,
    /// A monitor's state is guessed at every step, as if the program were instrumented.
    Instrumented,
}

/// The choices for one program.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The function that is tested.
    pub entry: FunctionId,
    /// How often the head of a loop is entered and how deep a function calls itself; none to find out.
    pub unwind: Option<u32>,
    /// As `unwind`, for single loops.
    pub loops: BTreeMap<LoopId, u32>,
    /// What becomes of executions that would need more than the bounds.
    pub beyond: Beyond,
    /// How goals are put beside the program.
    pub encoding: Encoding,
    /// At most this many steps of the unrolled program.
    pub steps: usize,
    /// How often the function is called, one call after the other; what is static keeps its values.
    pub calls: u32,
    /// How many calls, one after the other, are looked at before it is claimed that none does something; 1 for none but `calls`.
    pub most_calls: u32,
    /// What becomes of executions in which something undefined happens.
    pub undefined: Undefined,
    /// Whether signed arithmetic wraps around.
    pub wrap: bool,
    /// At most this many steps of a run, if the user says so.
    pub run_steps: Option<u64>,
    /// Whether `assert` counts: executions in which one fails end there, as where `NDEBUG` is not defined.
    pub assertions: bool,
    /// Whether `__CPROVER_assume` counts.
    pub assumptions: bool,
    /// Whether variables of static storage without an initialiser start as inputs instead of zero.
    pub free_globals: bool,
    /// Functions whose bodies are not looked at.
    pub abstracted: BTreeSet<FunctionId>,
    /// How deep objects are built for the pointers the entry function gets.
    pub depth: u32,
    /// The elements of an object built for a pointer to a number.
    pub elements: u64,
    /// Whether inputs are looked for by running before the solver is asked.
    pub hybrid: bool,
    /// Whether comparisons are decided as closely as the way through the program allows, and free inputs can be told apart.
    pub border: bool,
}

impl Settings {
    /// The usual choices for an entry function.
    pub fn new(entry: FunctionId) -> Settings {
        Settings {
            entry,
            unwind: None,
            loops: BTreeMap::new(),
            beyond: Beyond::Excluded,
            encoding: Encoding::Native,
            steps: 200_000,
            calls: 1,
            most_calls: 8,
            undefined: Undefined::Report,
            wrap: false,
            run_steps: None,
            assertions: true,
            assumptions: true,
            free_globals: false,
            abstracted: BTreeSet::new(),
            depth: 2,
            elements: 8,
            hybrid: true,
            border: true,
        }
    }
}
