//! Runs the cases of `corpus/action`. A case is an `.as` or `.pl` file and an `.expected` file, which `UPDATE_EXPECT=1`
//! writes. Accepted models are printed in both notations; cases in `run` have a `.trace` beside them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use action::interp::Interpreter;
use action::trace::read_labels;
use action::{Notation, codes, load, parse, print};
use expect_test::expect_file;
use source::{Diagnostic, Severity, Source};

struct Case {
    path: PathBuf,
    source: Source,
    notation: Notation,
}

fn cases(kind: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/action").join(kind);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the corpus is there").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let case = |path: PathBuf| {
        let notation = Notation::from_extension(path.extension()?.to_str()?)?;
        let name = path.file_name()?.to_str()?.to_owned();
        let text = String::from_utf8_lossy(&std::fs::read(&path).ok()?).into_owned();
        Some(Case { path, source: Source::new(name, text), notation })
    };
    let cases: Vec<Case> = paths.into_iter().filter_map(case).collect();
    assert!(!cases.is_empty());
    cases
}

impl Case {
    fn expect(&self, actual: &str) {
        let mut name = self.path.clone().into_os_string();
        name.push(".expected");
        expect_file![PathBuf::from(name)].assert_eq(actual);
    }

    fn trace(&self) -> Option<Source> {
        let text = std::fs::read_to_string(self.path.with_extension("trace")).ok()?;
        Some(Source::new("trace", text))
    }
}

fn describe(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let _ = writeln!(text, "{severity}[{}]: {}", diagnostic.code.id, diagnostic.message);
        for label in &diagnostic.labels {
            let place = source.place(label.span.start);
            let snippet: String = source.slice(label.span).chars().take(40).collect();
            let _ = writeln!(text, "  {}:{} {snippet:?} {}", place.line, place.column, label.text);
        }
        for help in &diagnostic.help {
            let _ = writeln!(text, "  help: {help}");
        }
    }
    text
}

#[test]
fn accepted_models_read_as_expected() {
    for case in cases("accept") {
        let (spec, warnings) = load(&case.source, case.notation).unwrap_or_else(|errors| {
            panic!("{} is rejected:\n{}", case.path.display(), describe(&case.source, &errors))
        });
        let mut text = describe(&case.source, &warnings);
        for notation in [Notation::Native, Notation::Prolog] {
            let printed = print(spec.model(), notation);
            let again =
                parse(&Source::new("printed", printed.as_str()), notation).expect("what is printed can be read");
            assert_eq!(print(&again, notation), printed);
            let _ = writeln!(text, "--- {notation:?}\n{printed}");
        }
        let steps = Interpreter::new(&spec).steps(spec.initial()).expect("fuel");
        let _ = writeln!(text, "--- steps from {}", spec.show_state(spec.initial()));
        for (step, weight) in steps {
            let times = if weight == 1 { String::new() } else { format!(" and {} alike", weight - 1) };
            let _ = writeln!(text, "{}{times} -> {}", step.label, spec.show_state(&step.post));
        }
        case.expect(&text);
    }
}

#[test]
fn rejected_models_say_why() {
    let mut seen = String::new();
    for case in cases("reject") {
        let text = match (load(&case.source, case.notation), case.trace()) {
            (Err(errors), _) => describe(&case.source, &errors),
            (Ok(_), Some(trace)) => {
                describe(&trace, &read_labels(&trace).expect_err(&format!("{} is accepted", case.path.display())))
            }
            (Ok((_, warnings)), None) => {
                assert!(!warnings.is_empty(), "{} is accepted", case.path.display());
                describe(&case.source, &warnings)
            }
        };
        seen.push_str(&text);
        case.expect(&text);
    }
    // A mutant with other variables is met only where a mutant is compared with its model.
    let elsewhere = ["action-other-variables"];
    for code in codes::CODES.iter().filter(|code| !elsewhere.contains(&code.id)) {
        assert!(seen.contains(code.id), "no case for {}", code.id);
    }
}

#[test]
fn traces_lead_where_expected() {
    for case in cases("run") {
        let spec = load(&case.source, case.notation).expect("accepted").0;
        let trace = case.trace().expect("a trace");
        let labels: Vec<_> = read_labels(&trace).expect("labels").into_iter().map(|(label, _)| label).collect();
        let run = Interpreter::new(&spec).run(&labels).expect("fuel");
        let mut text = String::new();
        for (number, states) in run.states.iter().enumerate() {
            let label = if number == 0 { "begin".to_owned() } else { labels[number - 1].to_string() };
            let states: Vec<String> = states.iter().map(|state| spec.show_state(state)).collect();
            let _ = writeln!(text, "{label}: {}", states.join(" | "));
        }
        if !run.possible {
            let _ = writeln!(text, "{} is impossible", labels[run.states.len() - 1]);
        }
        case.expect(&text);
    }
}
