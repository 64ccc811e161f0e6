//! `specimen farm`: hands the tasks of a plan to a job engine. Engines that exist elsewhere are programs of their own, called
//! `specimen-farm-NAME`, as with git and cargo; this one only finds and starts them.

use std::path::{Path, PathBuf};
use std::process::Command;

use front::exit::Exit;
use front::failure::Failure;
use front::output::Output;

use super::plan::{read_plan, work};
use super::summary::exit_of;
use crate::args::{FarmArguments, WorkArguments};

pub(crate) fn farm(output: &Output, arguments: &FarmArguments) -> Result<Exit, Failure> {
    let tasks = read_plan(&arguments.plan)?.task_count();
    let text = match arguments.engine.as_str() {
        "local" => {
            return work(output, &WorkArguments { plan: arguments.plan.clone(), task: None, jobs: None });
        }
        "parallel" => format!("seq 1 {tasks} | parallel --joblog jobs.log --retries 3 specimen work plan {{}}\n"),
        "github" => github(tasks),
        "gitlab" => gitlab(tasks),
        engine => return external(engine, arguments),
    };
    output.product(&text)?;
    Ok(Exit::Done)
}

/// Runs an engine that is a program of its own.
fn external(engine: &str, arguments: &FarmArguments) -> Result<Exit, Failure> {
    let plain = !engine.is_empty() && engine.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let name = format!("specimen-farm-{engine}");
    let program = plain.then(|| found(&name)).flatten().ok_or_else(|| {
        let known = "local, dask, slurm, parallel, github, gitlab";
        Failure::Environment(format!(
            "the engine `{engine}` is not known: it would be a program called {name} on the path (engines: {known})"
        ))
    })?;
    let own = std::env::current_exe().map_err(|error| Failure::Environment(error.to_string()))?;
    let status = Command::new(&program)
        .arg(&arguments.plan)
        .arg("--specimen")
        .arg(own)
        .args(&arguments.rest)
        .status()
        .map_err(|error| Failure::Environment(format!("cannot run {}: {error}", program.display())))?;
    Ok(exit_of(status.code().unwrap_or(4)))
}

/// A program beside this one, in the folder `farm` of the sources it was built from, or on the path.
fn found(name: &str) -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let beside = own.parent()?.join(name);
    let of_sources = own.ancestors().skip(1).take(4).map(|folder| folder.join("farm").join(name));
    let on_path =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    let on_path = on_path.into_iter().map(|folder| folder.join(name));
    [beside].into_iter().chain(of_sources).chain(on_path).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

fn numbers(tasks: usize) -> String {
    (1..=tasks).map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

fn github(tasks: usize) -> String {
    format!(
        "# The plan is an artifact called `plan`; a last job downloads the results and runs `specimen merge plan`.\n\
         jobs:\n  work:\n    runs-on: ubuntu-latest\n    strategy:\n      fail-fast: false\n      matrix:\n        \
         task: [{}]\n    steps:\n      - uses: actions/download-artifact@v4\n        with: {{ name: plan, path: plan }}\n      \
         - run: specimen work plan ${{{{ matrix.task }}}}\n      - uses: actions/upload-artifact@v4\n        \
         with: {{ name: \"result-${{{{ matrix.task }}}}\", path: plan/results }}\n",
        numbers(tasks)
    )
}

fn gitlab(tasks: usize) -> String {
    format!(
        "# The plan is an artifact of an earlier job; a last job runs `specimen merge plan`.\n\
         work:\n  parallel:\n    matrix:\n      - TASK: [{}]\n  script:\n    - specimen work plan \"$TASK\"\n  \
         artifacts:\n    paths: [plan/results]\n",
        numbers(tasks)
    )
}
