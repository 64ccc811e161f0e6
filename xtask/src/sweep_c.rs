//! Sweeps over random C programs, with referees that are not ours: compilers with sanitisers on all inputs, gcov, MC/DC of LLVM, csmith.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Outcome, cargo, root, run, target};

/// The seconds that a search is given, and those after which something hangs.
const SEARCH: &str = "10";
const PATIENCE: Duration = Duration::from_secs(60);

/// What csmith writes is run for so long at most: it may go on for ever.
const SHORT: Duration = Duration::from_secs(3);

/// Random C programs, a given number of each kind, from a seed on: runs of the interpreter are those of compiled programs, claims of the search
/// are what all inputs show, tests do in compiled programs what they say, branch by branch, and checksums of csmith are equal.
pub(crate) fn programs(words: &[&str]) -> Outcome {
    let (count, seed) = match words {
        [] => ("500", "1000"),
        [count] => (*count, "1000"),
        [count, seed, ..] => (*count, *seed),
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"));
    let (programs, first) = (number(count)?, number(seed)?);
    let folder = target().join("sweep-c");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let tests = [
        ("c", "differential::random_programs_print_what_compiled_ones_print"),
        ("draw-c", "c::exhaustive::claims_about_random_programs_agree_with_all_inputs"),
        ("draw-c", "c::llvm::conditions_that_decide_are_those_that_llvm_sees_decide"),
        ("draw-c", "c::queries::claims_about_random_queries_agree_with_all_runs"),
        ("draw-c", "c::wide::runs_and_claims_of_wide_programs_are_those_of_compiled_ones"),
    ];
    for (package, test) in tests {
        let words = ["test", "--release", "--quiet", "--package", package, "--test", "all", "--", test, "--nocapture"];
        let mut command = cargo(&words);
        command.env("SPECIMEN_PROGRAMS", count).env("SPECIMEN_EXHAUSTIVE", count).env("SPECIMEN_WIDE", count);
        command.env("SPECIMEN_MCDC", count).env("SPECIMEN_QUERIES", count);
        run(command.env("SPECIMEN_SEED", seed).env("SPECIMEN_KEEP", &folder))?;
    }
    run(&mut cargo(&["build", "--release", "--quiet", "--package", "specimen"]))?;
    let program = target().join("release/specimen");
    let replayed = replay(&program, &folder, first..first + programs)?;
    let checked = csmith(&program, &folder, first..first + programs)?;
    if replayed + checked == 0 { Ok(()) } else { Err(format!("{} programs differ", replayed + checked)) }
}

/// Draws tests from the programs in a folder and runs them compiled, under gcov; how many programs differ.
fn replay(program: &Path, folder: &Path, seeds: std::ops::Range<u64>) -> Result<usize, String> {
    let (mut wrong, mut replayed) = (0, 0);
    for seed in seeds {
        let file = folder.join(format!("wide-{seed}.c"));
        let mut command = Command::new(program);
        command.args(["generate", "--function", "f", "--execute", "--timeout", SEARCH]).arg(&file);
        let (status, said) = ended(command, &folder.join("said.txt"), PATIENCE)?;
        let executed = said.lines().rev().find(|line| line.starts_with("executed: ")).unwrap_or_default();
        let agrees = executed.contains("branch by branch") || executed.starts_with("executed: 0 of 0 tests");
        if agrees && status.is_some_and(|status| status <= 1) {
            replayed += 1;
            continue;
        }
        wrong += 1;
        println!("{}: {status:?}", file.display());
        said.lines()
            .filter(|line| line.contains("error") || line.contains("differs"))
            .for_each(|line| println!("  {line}"));
    }
    println!("{replayed} programs do compiled what their tests say, branch by branch; {wrong} do not");
    Ok(wrong)
}

/// Compares what programs of csmith print, interpreted and compiled; how many differ.
fn csmith(program: &Path, folder: &Path, seeds: std::ops::Range<u64>) -> Result<usize, String> {
    let headers = PathBuf::from("/usr/include/csmith");
    if !headers.is_dir() || Command::new("csmith").arg("--version").output().is_err() {
        println!("csmith is not installed: its programs are left out");
        return Ok(0);
    }
    let (mut wrong, mut compared, mut long) = (0, 0, 0);
    let said = folder.join("said.txt");
    for seed in seeds {
        let (file, compiled) = (folder.join(format!("csmith-{seed}.c")), folder.join("csmith"));
        let mut writer = Command::new("csmith");
        writer
            .args(["--max-funcs", "3", "--max-block-depth", "3", "--concise", "--seed", &seed.to_string(), "-o"])
            .arg(&file);
        let mut compiler = Command::new("cc");
        compiler.args(["-w", "-O0", "-I"]).arg(&headers).arg("-o").arg(&compiled).arg(&file);
        if ended(writer, &said, PATIENCE)?.0 != Some(0) || ended(compiler, &said, PATIENCE)?.0 != Some(0) {
            continue;
        }
        let (Some(0), theirs) = ended(Command::new(&compiled), &said, SHORT)? else {
            long += 1;
            continue;
        };
        let mut interpreter = Command::new(program);
        interpreter.arg("run").arg(&file).arg("-I").arg(&headers);
        let (_, ours) = ended(interpreter, &said, PATIENCE)?;
        if ours.contains(": given up") || ours.is_empty() {
            long += 1;
            continue;
        }
        compared += 1;
        if !theirs.lines().all(|line| ours.lines().any(|other| other.trim_start().strip_prefix("out ") == Some(line))) {
            wrong += 1;
            println!("{}: {}\n  instead of {theirs}", file.display(), ours.lines().next().unwrap_or_default());
        }
    }
    println!("{compared} programs of csmith compared, {wrong} differ, {long} run too long");
    Ok(wrong)
}

/// Runs a command with what it says in a file; its status, none if it had to be ended, and what it said.
fn ended(mut command: Command, said: &Path, patience: Duration) -> Result<(Option<i32>, String), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", said.display());
    let out = std::fs::File::create(said).map_err(failed)?;
    let also = out.try_clone().map_err(failed)?;
    let shown = format!("{command:?}");
    let child = command.current_dir(root()).stdin(Stdio::null()).stdout(out).stderr(also).spawn();
    let mut child = child.map_err(|error| format!("{shown}: {error}"))?;
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break Some(status.code().unwrap_or(-1)),
            None if patience < begun.elapsed() => {
                child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    Ok((status, String::from_utf8_lossy(&std::fs::read(said).map_err(failed)?).into_owned()))
}
