//! Programs that misbehave in every way we could think of, as shell scripts.

use std::time::{Duration, Instant};

use tempfile::TempDir;
use value::{Sort, Value};

use super::*;
use crate::{Interrupt, Limits, Op, Wanted};

/// A solver whose program is a shell script. The shell reads it as a file: executing a file that was just written
/// fails now and then when other threads start processes.
fn scripted(script: &str) -> (TempDir, ProcessSolver) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("solver");
    std::fs::write(&path, script).unwrap();
    let path: &'static str = path.to_str().unwrap().to_owned().leak();
    let program = SolverProgram { args: vec![path].leak(), ..SolverProgram::named("z3").unwrap().clone() };
    (directory, ProcessSolver::at(&program, PathBuf::from("/bin/sh")))
}

/// Answers every question with what the lines of `answers` say for a prefix of the command.
fn answering(answers: &str) -> String {
    format!("while read -r line; do case \"$line\" in\n{answers}\nesac; done")
}

fn model_wanted() -> Query<'static> {
    let limits = Limits { time: Some(Duration::from_secs(20)), conflicts: None };
    Query { wanted: Wanted { model: true, core: true }, limits, ..Query::default() }
}

/// Asks for a model of `x = x` with an integer `x`.
fn asked(script: &str) -> Result<Answer, SolverError> {
    let (_directory, mut solver) = scripted(script);
    let mut terms = Terms::new();
    let x = terms.symbol("x", &Sort::Int);
    let fact = terms.eq(x, x);
    solver.assert(&terms, fact).unwrap();
    solver.check(&terms, model_wanted())
}

#[test]
fn a_well_behaved_program_is_understood() {
    let answer = asked(&answering("'(check-sat'*) echo sat;; '(get-value (s.x))') echo '((s.x (- 3)))';;"));
    let Ok(Answer::Sat(model)) = answer else { panic!("{answer:?}") };
    assert_eq!(model.iter().next().unwrap().1, &Value::int(-3));
}

#[test]
fn a_program_that_ends_has_died_and_its_last_words_are_kept() {
    for script in ["echo boom >&2; exit 3", &answering("'(check-sat)') echo boom >&2; exit 3;;")] {
        let Err(SolverError::Died { detail, .. }) = asked(script) else { panic!("it died") };
        assert!(detail.contains("boom") && detail.contains('3'), "{detail}");
    }
    let Err(SolverError::Died { .. }) = asked(&answering("'(check-sat)') echo sat; exit 0;;")) else {
        panic!("it died")
    };
    let Err(SolverError::Died { .. }) = asked("kill -9 $$") else { panic!("it died") };
    let Err(SolverError::Died { .. }) = asked("exit 0") else { panic!("an empty output is not an answer") };
}

#[test]
fn nonsense_is_garbage() {
    for said in ["hello", "(error \"line 1: no\")", "unsupported", ")", "((("] {
        let quoted = said.replace('"', "\\\"");
        let result = asked(&answering(&format!("'(check-sat)') echo \"{quoted}\"; exit 0;;")));
        match result {
            Err(SolverError::Garbage { said: heard, .. }) => assert_eq!(heard, said),
            Err(SolverError::Died { detail, .. }) => assert!(said == "(((" && detail.contains("((("), "{detail}"),
            other => panic!("{said}: {other:?}"),
        }
    }
}

#[test]
fn models_that_are_no_models_are_refused() {
    let with = |value: &str| asked(&answering(&format!("'(check-sat)') echo sat;; '(get-value'*) echo '{value}';;")));
    assert!(matches!(with("((s.x 1) (s.y 2))"), Err(SolverError::Garbage { .. })));
    assert!(matches!(with("x"), Err(SolverError::Garbage { .. })));
    assert!(matches!(with("((s.x true))"), Ok(Answer::Unknown(Unknown::Incomplete(_)))));
    assert!(matches!(with("((s.x (_ as-array k!0)))"), Ok(Answer::Unknown(Unknown::Incomplete(_)))));
    assert!(matches!(with("((s.x (root-obj (+ (^ x 2) (- 2)) 1)))"), Ok(Answer::Unknown(Unknown::Incomplete(_)))));
}

#[test]
fn a_program_that_cannot_say_why_it_does_not_know_is_started_again() {
    let script = answering("'(check-sat)') echo unknown;; '(get-info'*) echo '(error \"no such command\")'; exit 1;;");
    let (_directory, mut solver) = scripted(&script);
    for _ in 0..3 {
        let answer = solver.check(&Terms::new(), model_wanted());
        let Ok(Answer::Unknown(Unknown::Incomplete(reason))) = answer else { panic!("{answer:?}") };
        assert_eq!(reason, "it does not say why");
    }
}

#[test]
fn an_error_in_place_of_unknown_is_no_garbage() {
    let (_directory, mut solver) =
        scripted(&answering("'(check-sat)') echo '(error \"no procedure for it\")'; exit 1;;"));
    solver.program.gives_up = &["no procedure"];
    for _ in 0..2 {
        let answer = solver.check(&Terms::new(), model_wanted());
        assert_eq!(answer, Ok(Answer::Unknown(Unknown::Incomplete("no procedure for it".to_owned()))));
    }
}

#[test]
fn huge_output_does_not_block_anyone() {
    let noise =
        "'(assert'*) yes '; a comment' | head -c 3000000;; '(check-sat)') echo sat;; '(get-value'*) echo '((s.x 1))';;";
    assert!(matches!(asked(&answering(noise)), Ok(Answer::Sat(_))));
}

#[test]
fn a_program_that_hangs_is_stopped_and_started_again_with_all_facts() {
    let script =
        "if [ -e \"$0.again\" ]; then echo unsat; exec cat > \"$0.heard\"; fi; touch \"$0.again\"; exec sleep 60";
    let (directory, mut solver) = scripted(script);
    let mut terms = Terms::new();
    let p = terms.symbol("p", &Sort::Bool);
    let q = terms.symbol("q", &Sort::Bool);
    solver.assert(&terms, p).unwrap();
    solver.push().unwrap();
    solver.assert(&terms, q).unwrap();
    let limits = Limits { time: Some(Duration::from_millis(100)), conflicts: None };
    let start = Instant::now();
    let first = solver.check(&terms, Query { limits, ..Query::default() });
    assert_eq!(first, Ok(Answer::Unknown(Unknown::Time)));
    assert!(start.elapsed() < Duration::from_secs(5));
    let second = solver.check(&terms, Query::default());
    assert!(matches!(second, Ok(Answer::Unsat { .. })), "{second:?}");
    let heard = directory.path().join("solver.heard");
    let mut text = String::new();
    for _ in 0..200 {
        text = std::fs::read_to_string(&heard).unwrap_or_default();
        if text.contains("(check-sat)") {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(
        text.ends_with(
            "(declare-const s.p Bool)\n(assert s.p)\n(push 1)\n(declare-const s.q Bool)\n(assert s.q)\n(check-sat)\n"
        ),
        "{text}"
    );
}

#[test]
fn a_program_that_counts_its_work_is_told_how_much_it_may_do() {
    let script = answering(
        "'(set-option :reproducible-resource-limit'*) limit=\"${line##* }\";;\n\
         '(check-sat)') case \"$limit\" in '5000)') echo unknown;; '0)') echo unsat;; *) echo sat;; esac;;\n\
         '(get-info'*) echo '(:reason-unknown \"max. resource limit exceeded\")';;",
    );
    let (_directory, mut solver) = scripted(&script);
    let limited = || Query { limits: Limits { conflicts: Some(5), time: None }, ..Query::default() };
    let spent = Ok(Answer::Unknown(Unknown::Conflicts));
    assert_eq!(solver.check(&Terms::new(), Query::default()), Ok(Answer::Sat(Model::new())));
    assert_eq!(solver.check(&Terms::new(), limited()), spent);
    assert!(matches!(solver.check(&Terms::new(), Query::default()), Ok(Answer::Unsat { .. })));
    solver.program.work = None;
    assert!(matches!(solver.check(&Terms::new(), limited()), Ok(Answer::Unsat { .. })));
}

#[test]
fn an_interrupt_ends_a_query() {
    let (_directory, mut solver) = scripted("exec sleep 60");
    let interrupt = Interrupt::new();
    let raised = interrupt.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        raised.raise();
    });
    let answer = solver.check(&Terms::new(), Query { interrupt, ..Query::default() });
    assert_eq!(answer, Ok(Answer::Unknown(Unknown::Interrupted)));
    thread.join().unwrap();
}

#[test]
fn a_missing_program_is_missing_with_a_hint() {
    let nowhere = PathBuf::from("/nonexistent/z3");
    let mut solver = ProcessSolver::at(SolverProgram::named("z3").unwrap(), nowhere);
    let Err(SolverError::Missing { hint, .. }) = solver.check(&Terms::new(), Query::default()) else {
        panic!("missing")
    };
    assert!(hint.contains("install"));
}

#[test]
fn what_a_program_does_not_decide_is_unsupported_every_time() {
    let (_directory, mut solver) = scripted("exit 0");
    solver.program = SolverProgram::named("yices").unwrap().clone();
    let mut terms = Terms::new();
    let x = terms.symbol("x", &Sort::Int);
    let square = terms.app(Op::Mul, &[x, x]);
    let fact = terms.eq(square, x);
    for _ in 0..2 {
        assert!(matches!(solver.assert(&terms, fact), Err(SolverError::Unsupported { .. })));
    }
}

#[test]
fn cores_are_read_back_to_the_assumptions() {
    let script = answering("'(check-sat-assuming'*) echo unsat;; '(get-unsat'*) echo '((not s.p) |$assumed|)';;");
    let (_directory, mut solver) = scripted(&script);
    let mut terms = Terms::new();
    let p = terms.symbol("p", &Sort::Bool);
    let q = terms.symbol("q", &Sort::Bool);
    let (not_p, both) = (terms.not(p), terms.and(&[p, q]));
    let answer = solver.check(&terms, Query { assumptions: &[q, both, not_p], ..model_wanted() }).unwrap();
    let mut core = vec![not_p, both];
    core.sort();
    assert_eq!(answer, Answer::Unsat { core, scope: Scope::All });
}
