//! A C harness that runs every test of a suite: `tester.c`, a part for every file of the program, and what builds and runs them.
//!
//! All tests are tables of values; the number of the test is the argument of the program. Values are handed out by name, in
//! the order in which the program asks for them:
//!
//! - arguments of the entry function (`main` is renamed in the parts, whether it is the entry or not);
//! - globals, set before the entry function is called;
//! - results of functions without a body, which the harness defines;
//! - local variables that are read before they are written;
//! - volatile variables that nobody defines and memory at fixed addresses, each read a value of its own; what is written there is
//!   compared, in order.
//!
//! A part includes the file of the program as it is now, and what knows the types of the program stands behind it, where they are
//! known: structures, enumerations and static names need not be declared again. Only a file with local variables that are inputs is
//! copied, with statements that set them behind their declarations. What a test is expected to return, to leave in memory and to call is compared by the
//! parts, what it prints and how it ends by the script `run_test.sh`. The user's files are never changed.
//!
//! Names of files and texts of options are the user's: nothing here hands them to a shell or to make.

mod after;
mod frame;
mod names;
mod part;
mod position;
mod world;

use super::{Input, InputKind, Tests};
pub use names::{include, response, safe};
use part::Part;
use world::World;

/// What the harness has to know about the program besides its tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// The files of the program. The entry function is in the first whose name its place has.
    pub files: Vec<Unit>,
    /// The functions that the harness must define.
    pub undefined: Vec<Undefined>,
    /// The variables that are declared and nowhere defined.
    pub undefined_variables: Vec<String>,
    /// Declarations of functions of other files that pointers are given.
    pub declarations: Vec<String>,
    /// The fixed addresses that the program uses.
    pub addresses: Vec<u64>,
    /// The variables that stand for devices.
    pub devices: Vec<String>,
    /// Options of the preprocessor, as the program was read with.
    pub flags: Vec<String>,
}

/// A file of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Its name, as the user gave it.
    pub name: String,
    /// What is in it.
    pub text: String,
    /// The folder it stands in, so that the harness can include it as it is now; none for a file that is only here.
    pub folder: Option<String>,
    /// Options for this file only.
    pub flags: Vec<String>,
}

/// A function without a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undefined {
    /// The type of its result.
    pub result: String,
    /// Its name.
    pub name: String,
    /// The parameters as a declaration lists them.
    pub parameters: String,
    /// Whether a call of it ends the program.
    pub never_returns: bool,
    /// Whether its calls are compared.
    pub watched: bool,
}

/// What runs the tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Frame {
    /// A Makefile.
    #[default]
    Make,
    /// A suite of CUnit, with a Makefile.
    CUnit,
    /// CTest, with a CMakeLists.txt.
    CTest,
}

/// A test that the harness cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The test, counted from 1.
    pub test: usize,
    /// Why.
    pub reason: String,
}

/// A test with its number.
pub(super) type Numbered<'a> = (usize, &'a super::Test);

/// The files of a harness, and the tests that it leaves out.
pub fn harness(suite: &Tests, sources: &Sources, frame: Frame) -> (Vec<(String, String)>, Vec<Unsupported>) {
    let mut left_out = Vec::new();
    let mut tests: Vec<Numbered<'_>> = Vec::new();
    for (number, test) in suite.tests.iter().enumerate() {
        match reason(&test.inputs) {
            Some(reason) => left_out.push(Unsupported { test: number + 1, reason }),
            None => tests.push((number + 1, test)),
        }
    }
    let names = names::of_units(&sources.files);
    let world = World::new(&tests, sources);
    let part = Part { suite, sources, tests: &tests, world: &world };
    let mut files = vec![
        ("tester.c".to_owned(), frame::tester(&tests, frame, world.is_needed())),
        ("tester.flags".to_owned(), response(&sources.flags)),
    ];
    for (at, (unit, name)) in sources.files.iter().zip(&names).enumerate() {
        files.push((format!("{name}.mod.c"), part.copy(at)));
        // What stands beside the file is found first, whatever the system has of that name.
        let beside = unit.folder.iter().flat_map(|folder| ["-iquote".to_owned(), folder.clone()]);
        let flags: Vec<String> =
            beside.chain(sources.flags.iter().cloned()).chain(unit.flags.iter().cloned()).collect();
        files.push((format!("{name}.mod.flags"), response(&flags)));
    }
    for (number, test) in &tests {
        if let Some(prints) = &test.expected.prints {
            files.push((format!("expected/{number}.out"), prints.clone()));
        }
    }
    files.extend(frame::scripts(&names, &tests, frame));
    (files, left_out)
}

/// Why a test cannot be expressed.
fn reason(inputs: &[Input]) -> Option<String> {
    for (at, input) in inputs.iter().enumerate() {
        let again = inputs[..at].iter().any(|other| other.name == input.name && other.kind == input.kind);
        match input.kind {
            InputKind::Heap if world::is_fixed(input) && world::is_number(input) => {}
            InputKind::Heap if world::is_fixed(input) => {
                return Some(format!("it reads memory at a fixed address, `{}`", input.name));
            }
            InputKind::Global if again && !world::is_number(input) => {
                return Some(format!("`{}` changes while the test runs", input.name));
            }
            InputKind::Heap => return Some("it reads memory from malloc that was never written".into()),
            InputKind::Local if again => {
                return Some(format!("the local variable `{}` is an input more than once", input.name));
            }
            InputKind::Object if input.name.contains("()") => {
                return Some(format!("`{}` belongs to an object that a function without a body returns", input.name));
            }
            InputKind::Result if input.value.starts_with("new[") => {
                return Some(format!("`{}` returns a pointer to an object", input.name));
            }
            InputKind::Result if !input.name.ends_with("()") => {
                return Some(format!("`{}` is a part of what a function without a body returns", input.name));
            }
            InputKind::Global | InputKind::Local if input.value.starts_with("new[") => {
                return Some(format!("`{}` is a pointer to an object", input.name));
            }
            InputKind::Object if input.ty.contains("(*)") && !is_function(&input.value) => {
                return Some(format!("`{}` is a pointer to a function", input.name));
            }
            InputKind::Parameter if is_anonymous(&input.ty) => {
                return Some(format!("the type of `{}` has no name", input.name));
            }
            InputKind::Parameter | InputKind::Object | InputKind::Global | InputKind::Local | InputKind::Result => {}
        }
    }
    None
}

/// Whether a pointer to functions has a value that C can write.
fn is_function(value: &str) -> bool {
    value == "null" || value.starts_with('&')
}

fn is_anonymous(ty: &str) -> bool {
    ty.contains('<')
}

/// The name of a file without folders.
fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// A declaration of a name with a type, as far as the type is written in front of the name.
pub(super) fn declare(ty: &str, name: &str) -> String {
    match (ty.find("(*)"), ty.find('[')) {
        (Some(at), _) => format!("{}(*{name}){}", &ty[..at], &ty[at + 3..]),
        (None, Some(at)) => format!("{} {name}{}", ty[..at].trim_end(), &ty[at..]),
        (None, None) if ty.ends_with('*') => format!("{ty}{name}"),
        (None, None) => format!("{ty} {name}"),
    }
}

/// The value of an input as a C expression: characters as characters.
fn literal(input: &Input) -> String {
    let is_char = matches!(input.ty.as_str(), "char" | "const char");
    match input.value.parse::<u8>() {
        Ok(byte) if is_char => match byte {
            b'\'' | b'\\' => format!("'\\{}'", char::from(byte)),
            b'\n' => "'\\n'".into(),
            b'\t' => "'\\t'".into(),
            b'\r' => "'\\r'".into(),
            b' '..=b'~' => format!("'{}'", char::from(byte)),
            _ => byte.to_string(),
        },
        _ => number_literal(&input.value),
    }
}

/// A value as a C expression.
fn number_literal(value: &str) -> String {
    match value {
        "null" => "0".into(),
        "inf" => "(1.0 / 0.0)".into(),
        "-inf" => "(-1.0 / 0.0)".into(),
        "NaN" => "(0.0 / 0.0)".into(),
        "-9223372036854775808" => "(-9223372036854775807LL - 1)".into(),
        value => {
            let wide = value.trim_start_matches('-').len() > 9
                && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
            let suffix = match (wide, value.starts_with('-')) {
                (true, true) => "LL",
                (true, false) => "ULL",
                (false, _) => "",
            };
            format!("{value}{suffix}")
        }
    }
}
