//! The concrete interpreter: runs programs with C's integer and memory rules, and names undefined behaviour.
//!
//! Memory is objects of bytes; an address is an object and an offset, so that every access is checked against the object
//! it was made from, and an index against the array that it is written behind. Lifetimes of locals end with their function; aliasing
//! and alignment rules are not checked, nor that a pointer stays within an inner array of an object.

mod arithmetic;
mod code;
mod compile;
mod effects;
mod expression;
mod format;
mod function_name;
mod inputs;
mod jump;
mod machine;
mod memory;
mod models;
mod path;
mod step;
mod strings;
mod visible;

use std::sync::Arc;

use crate::program::{EdgeId, FunctionId, Program};

pub use effects::{Effects, Observed, Passed, StubCall};
pub use function_name::FunctionName;
pub use inputs::{CALLS, InputRecord, InputValue, Inputs, Origin, RandomInputs, RecordedInputs, Request};
pub use machine::Machine;

/// How programs are run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// After so many edges a run is given up.
    pub steps: u64,
    /// So many bytes may be allocated at one time.
    pub memory: u64,
    /// So many calls may be open at one time.
    pub calls: u32,
    /// So much output is kept.
    pub output: usize,
    /// So many inputs may be asked for; then a run is cut.
    pub inputs: u64,
    /// Whether assertions are checked, as where `NDEBUG` is not defined. They are skipped otherwise.
    pub assertions: bool,
    /// Whether assumptions restrict executions.
    pub assumptions: bool,
    /// Whether uninitialised memory is an input. Reading it is undefined behaviour otherwise.
    pub uninitialised_inputs: bool,
    /// Whether variables of static storage without an initialiser start at zero. They are inputs otherwise.
    pub zero_globals: bool,
    /// Whether functions of the C library have their meaning. They are undefined functions otherwise.
    pub library: bool,
    /// Functions whose bodies are ignored: their results are inputs.
    pub abstracted: Vec<FunctionId>,
    /// How often the entry function is called, one call after the other; what is static keeps its values.
    pub rounds: u32,
    /// Whether signed arithmetic wraps around, as compilers do it with `-fwrapv`. It is undefined otherwise.
    pub wrap: bool,
    /// Whether runs go on behind undefined arithmetic as compiled programs usually do; they end there otherwise.
    pub go_on: bool,
    /// How many pointers deep objects are made for pointers that are inputs; further pointers are null.
    pub pointer_depth: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            steps: 10_000_000,
            memory: 256 << 20,
            calls: 10_000,
            output: 1 << 20,
            inputs: u64::MAX,
            assertions: true,
            assumptions: true,
            uninitialised_inputs: true,
            zero_globals: true,
            library: true,
            abstracted: Vec::new(),
            rounds: 1,
            wrap: false,
            go_on: false,
            pointer_depth: 3,
        }
    }
}

/// Sees every edge that is taken.
pub trait Observer {
    /// The entry function is about to begin.
    fn begun(&mut self, _machine: &mut Machine<'_>) {}

    /// The entry function is about to begin once more.
    fn begun_again(&mut self, _machine: &mut Machine<'_>) {}

    /// An edge was taken: its operation is done, or, for a call of a function with a body, its arguments are passed, or,
    /// for a call that ends the program, this is the end.
    fn taken(&mut self, edge: EdgeId, machine: &mut Machine<'_>);

    /// A function with a body was left and its result is stored; the call edge it was entered by, none for the entry function.
    fn returned(&mut self, _call: Option<EdgeId>, _machine: &mut Machine<'_>) {}

    /// Functions were left by `longjmp`; control is behind this call of `setjmp` again.
    fn jumped(&mut self, _call: EdgeId, _machine: &mut Machine<'_>) {}
}

/// Sees nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl Observer for Blind {
    fn taken(&mut self, _: EdgeId, _: &mut Machine<'_>) {}
}

/// Keeps the edges that are taken.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The edges in order.
    pub edges: Vec<EdgeId>,
}

impl Observer for Path {
    fn taken(&mut self, edge: EdgeId, _: &mut Machine<'_>) {
        self.edges.push(edge);
    }
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// What it printed.
    pub output: Vec<u8>,
    /// How many edges were taken.
    pub steps: u64,
    /// The first undefined behaviour that it went on behind, and where.
    pub undefined: Option<(Fault, EdgeId)>,
    /// The inputs it asked for, in order.
    pub inputs: Vec<InputRecord>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The entry function returned; its result, if it has a scalar one.
    Returned(Option<InputValue>),
    /// `exit` was called.
    Exited(i32),
    /// `abort` was called.
    Aborted,
    /// An assertion failed, which aborts the program.
    AssertionFailed(EdgeId),
    /// A function was called that nobody defines and that never returns.
    Stopped {
        /// The function.
        function: FunctionId,
        /// Where.
        edge: EdgeId,
    },
    /// A function of the library was called that has no model: what it does is not known, nor what follows.
    Unmodelled {
        /// The function.
        function: FunctionId,
        /// Where.
        edge: EdgeId,
    },
    /// An assumption does not hold: nothing happens behind it.
    Excluded(EdgeId),
    /// Something undefined happened.
    Undefined {
        /// What.
        fault: Fault,
        /// Where.
        edge: EdgeId,
    },
    /// The run was given up.
    GivenUp(Limit),
    /// The program needs something that is not modelled.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        edge: EdgeId,
    },
    /// The inputs have run out.
    EndOfInputs {
        /// The one that was asked for.
        name: String,
        /// Where.
        edge: EdgeId,
    },
    /// There was a value for an input that does not fit.
    NoInput(String),
}

/// A limit that ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Edges taken.
    Steps,
    /// Bytes allocated.
    Memory,
    /// Calls open.
    Calls,
}

/// Undefined behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// A signed result does not fit its type.
    SignedOverflow,
    /// Division or remainder by zero.
    DivisionByZero,
    /// A shift by a negative count or by the width or more, or of a negative number to the left.
    Shift,
    /// An access through a null pointer.
    NullPointer,
    /// A null pointer plus or minus a number that is not zero.
    NullArithmetic,
    /// An access through a pointer that points to no object.
    WildPointer,
    /// An access outside of the object.
    OutOfBounds,
    /// An access to an object that no longer lives.
    Dangling,
    /// A read of a value that was never set.
    Uninitialised,
    /// A write to a string literal or another constant object.
    ReadOnly,
    /// `free` of something that `malloc` did not give.
    BadFree,
    /// Pointers into different objects are compared or subtracted.
    DifferentObjects,
    /// A floating number that does not fit the integer type it becomes.
    FloatToInteger,
    /// A call of a function through a pointer of another type, or of no function.
    BadCall,
    /// The value of a function that returned none is used.
    MissingReturn,
    /// A function of the library was called with arguments it does not take.
    LibraryPrecondition,
    /// Regions that must not overlap do.
    Overlap,
    /// `__builtin_unreachable` was reached.
    Unreachable,
    /// The length of an array of variable length is not positive.
    ArrayLength,
    /// An access to an array that is declared without a size and not defined: nobody knows whether it is allowed.
    UnknownSize,
}

impl Fault {
    /// What it is, in words.
    pub fn text(self) -> &'static str {
        match self {
            Fault::SignedOverflow => "signed overflow",
            Fault::DivisionByZero => "division by zero",
            Fault::Shift => "shift out of range",
            Fault::NullPointer => "access through a null pointer",
            Fault::NullArithmetic => "arithmetic on a null pointer",
            Fault::WildPointer => "access through a pointer to no object",
            Fault::OutOfBounds => "access out of bounds",
            Fault::Dangling => "access to an object that no longer lives",
            Fault::Uninitialised => "read of an uninitialised value",
            Fault::ReadOnly => "write to a constant object",
            Fault::BadFree => "free of something that was not allocated",
            Fault::DifferentObjects => "comparison or difference of pointers into different objects",
            Fault::FloatToInteger => "conversion of a floating number that does not fit",
            Fault::BadCall => "call through a pointer that does not point to a function of this type",
            Fault::MissingReturn => "use of the value of a function that returned none",
            Fault::LibraryPrecondition => "call of a library function with arguments it does not take",
            Fault::Overlap => "copy between overlapping regions",
            Fault::Unreachable => "control reached a place declared unreachable",
            Fault::ArrayLength => "array of variable length whose length is not positive",
            Fault::UnknownSize => "access to an array of unknown size",
        }
    }
}

/// Whether a function of the C library has a meaning of its own, modelled or not, so that its result is not an input.
pub fn has_model(name: &str) -> bool {
    models::Model::named(name, true).is_some() || crate::library::needs_model(name)
}

/// The name by which a run asks for a scalar within an object.
pub(crate) fn path_name(
    program: &Program,
    name: &str,
    ty: crate::types::TypeId,
    offset: u64,
    leaf: crate::types::TypeId,
) -> String {
    path::name_of(program, name, ty, offset, leaf)
}

/// Whether a function of the C library can be taken as one that nobody knows: not those that end a program or that compilers
/// build in.
pub fn may_be_abstracted(name: &str) -> bool {
    has_model(name) && models::Model::named(name, false).is_none() && !crate::library::never_returns(name)
}

/// A program made ready to run many times.
#[derive(Clone, Debug)]
pub struct Interpreter<'p> {
    program: &'p Program,
    code: Arc<code::Code>,
    settings: Settings,
}

/// What was made of a program, for further interpreters of the same program and settings.
#[derive(Clone, Debug)]
pub struct Prepared(Arc<code::Code>);

impl<'p> Interpreter<'p> {
    /// Makes a program ready.
    pub fn new(program: &'p Program, settings: Settings) -> Interpreter<'p> {
        let code = Arc::new(compile::compile(program, &settings));
        Interpreter { program, code, settings }
    }

    /// The same, from what another interpreter of the program made with these settings.
    pub fn again(program: &'p Program, settings: Settings, prepared: &Prepared) -> Interpreter<'p> {
        Interpreter { program, code: Arc::clone(&prepared.0), settings }
    }

    /// What was made of the program.
    pub fn prepared(&self) -> Prepared {
        Prepared(Arc::clone(&self.code))
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Runs a function with a body. Its parameters are inputs.
    pub fn run<O: Observer>(&self, entry: FunctionId, inputs: &mut dyn Inputs, observer: &mut O) -> Outcome {
        let mut machine = Machine::new(self.program, &self.code, &self.settings, inputs);
        machine.run(entry, observer)
    }

    /// The same, with what a caller sees of the run beside how it ends and what it prints.
    pub fn watch<O: Observer>(
        &self,
        entry: FunctionId,
        inputs: &mut dyn Inputs,
        observer: &mut O,
    ) -> (Outcome, Effects) {
        let mut machine = Machine::new(self.program, &self.code, &self.settings, inputs);
        machine.watched(entry, observer)
    }
}
