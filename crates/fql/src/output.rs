//! Test suites of C programs as files: FShell's plain and XML forms, Test-Comp's XML, and a C harness.
//!
//! Everything here is text made from data: nothing is run and no file is written.

mod address;
pub mod after;
pub mod harness;
pub mod of_run;
mod plain;
pub mod read;
mod testcomp;
mod xml;

pub use plain::{PlainOptions, plain};
pub use testcomp::{Metadata, Unsaid, test_comp};
pub use xml::xml;

/// A suite as the writers see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tests {
    /// The function where runs start.
    pub entry: Entry,
    /// The tests.
    pub tests: Vec<Test>,
    /// The variables of static storage whose contents are compared behind a call.
    pub watched: Vec<after::Watched>,
}

/// The function where runs start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its parameters: type and name.
    pub parameters: Vec<(String, String)>,
    /// Its result.
    pub result: String,
    /// Where it is.
    pub place: Place,
}

/// A place in a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A test.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Test {
    /// The inputs in the order in which the program asks for them.
    pub inputs: Vec<Input>,
    /// How often the entry function is called behind the first call.
    pub more_calls: u32,
    /// The functions that are called, where asked for.
    pub calls: Vec<Call>,
    /// The assignments to globals, where asked for.
    pub assignments: Vec<Assignment>,
    /// The objects that pointers among the inputs of the last call point to.
    pub objects: Vec<after::Built>,
    /// What the program does on the inputs.
    pub expected: Expected,
    /// A part of memory that the test speaks of and that the program does not have any more.
    pub gone: Option<String>,
}

/// The status with which a harness ends a program that does not end itself: in a call of a function that nobody defines and that
/// never returns, at an assumption, and where a test is cut.
pub const STOPPED: i64 = 97;

/// The status with which a harness ends a program that makes other calls than expected.
pub const DIFFERS: i64 = 96;

/// What cuts a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The inputs have run out.
    Inputs,
    /// It goes on for ever.
    Steps,
}

/// What a program does on the inputs of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// What the entry function returns, where that is a number.
    pub returns: Option<String>,
    /// The status with which the program ends, if it calls `exit`.
    pub exits: Option<i64>,
    /// Whether it is aborted, by `abort` or an assertion.
    pub aborts: bool,
    /// Whether it ends in a call of a function that nobody defines and that never returns, or at an assumption.
    pub stops: bool,
    /// What it is cut by, if it is only the beginning of a run.
    pub cut: Option<Cut>,
    /// What it prints, where that is known and text.
    pub prints: Option<String>,
    /// What the entry function returns, where that is a pointer.
    pub pointer: Option<after::Wanted>,
    /// What is in memory behind the call, where the suite says that.
    pub after: Option<after::After>,
    /// The calls of functions without a body, where the suite says that.
    pub calls: Option<after::Calls>,
    /// What is written to devices, where the suite says that.
    pub writes: Option<after::Writes>,
}

impl Expected {
    /// Whether parts of what the entry function returns are compared.
    pub fn looks_at_result(&self) -> bool {
        let changes = self.after.iter().flat_map(|after| &after.changes);
        changes.map(|(_, access, _)| access).any(|access| access.root == after::Root::Result)
    }

    /// The status of the process, as a shell of Unix tells it.
    pub fn status(&self) -> i64 {
        match (self.aborts, self.exits) {
            (true, _) => 128 + 6,
            (false, Some(status)) => status & 0xff,
            (false, None) if self.stops || self.cut.is_some() => STOPPED,
            (false, None) => 0,
        }
    }
}

/// An input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Who asks for it.
    pub kind: InputKind,
    /// How C would write it: `x`, `A[1]`, `read_sensor()`.
    pub name: String,
    /// The type, as C writes it.
    pub ty: String,
    /// Where the variable or the function is declared.
    pub place: Place,
    /// The value, as C writes it.
    pub value: String,
    /// The bits of an integer, most significant first; empty where there are none.
    pub bits: String,
    /// Where C has no name for it, or none that can be assigned to: an expression that can, with `@` for the variable.
    pub raw: String,
    /// The call of the entry function that it belongs to, from 0.
    pub call: u32,
}

/// Who asks for an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// The entry function, for an argument.
    Parameter,
    /// A variable of static storage.
    Global,
    /// A local variable that is read before it is written.
    Local,
    /// A part of an object that a pointer among the inputs points to.
    Object,
    /// Memory that is read before it is written.
    Heap,
    /// A call of a function without a body.
    Result,
}

/// A call that a test makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function.
    pub name: String,
    /// Where it is called.
    pub place: Place,
    /// What it returned, where known.
    pub value: Option<String>,
}

/// An assignment to a global.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// The type.
    pub ty: String,
    /// Where it is assigned.
    pub place: Place,
    /// The value, where it is a number.
    pub value: String,
}
