//! Solvers that answer wrongly: the run ends with exit code 4, the name of the solver and what it was asked.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

const POLICY: &str = "input a: bool;\ninput b: bool;\ndecision d = a && !b;\n";

/// Draws tests with a solver that is a script of the shell, which reads every line of the question.
fn generate(folder: &Path, script: &str) -> Output {
    fs::write(folder.join("policy.bool"), POLICY).expect("written");
    fs::write(folder.join("solver.sh"), format!("while read -r line; do case $line in\n{script}\nesac; done\n"))
        .expect("written");
    fs::create_dir_all(folder.join("temporary")).expect("a folder");
    let solver = format!("sh {}", folder.join("solver.sh").display());
    Command::new(env!("CARGO_BIN_EXE_specimen"))
        .args(["generate", "policy.bool", "--solver-command", &solver, "--timeout", "20"])
        .env("TMPDIR", folder.join("temporary"))
        .current_dir(folder)
        .output()
        .expect("it starts")
}

fn blamed(output: &Output, words: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains(words) && !said.contains("specimen has a bug"), "{said}");
}

#[test]
fn a_model_that_is_none_is_blamed_on_the_solver_and_the_question_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    // Every value is false.
    let script = "*check-sat*) echo sat;;\n\
        *get-value*) names=${line#*\\(get-value \\(}; out=; for name in ${names%%)*}; do out=\"$out($name false)\"; done; echo \"($out)\";;";
    let output = generate(folder.path(), script);
    blamed(&output, "returned a model under which");
    let kept: Vec<_> = fs::read_dir(folder.path().join("temporary"))
        .expect("readable")
        .map(|entry| entry.expect("readable").path())
        .collect();
    let [kept] = kept.as_slice() else { panic!("one folder is kept: {kept:?}") };
    assert_eq!(fs::metadata(kept).expect("it is there").permissions().mode() & 0o777, 0o700);
    let question = fs::read_to_string(kept.join("question.smt2")).expect("the question is kept");
    assert!(question.starts_with("(set-option :produce-models true)\n(set-logic ") && question.contains("(check-sat"));
}

#[test]
fn a_contradiction_between_no_facts_is_blamed_on_the_solver() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "*check-sat*) echo unsat;;\n*get-unsat*) echo '()';;";
    blamed(&generate(folder.path(), script), "a contradiction between no facts");
}

#[test]
fn a_claim_that_a_run_refutes_is_blamed_on_the_solver() {
    let folder = tempfile::tempdir().expect("a folder");
    // Whatever is assumed contradicts itself, but each assumption alone does not.
    let script = "*check-sat-assuming*) core=${line#*assuming }; echo unsat;;\n*check-sat*) echo unknown;;\n\
        *get-info*) echo '(:reason-unknown tired)';;\n*get-unsat*) echo \"${core%)}\";;";
    let output = generate(folder.path(), script);
    blamed(&output, "contradict each other");
}
