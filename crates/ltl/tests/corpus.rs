//! Runs the cases of `corpus/ltl`. A case is an `.ltl` or `.tlsf` file, with a `.part` file beside it where another file
//! declares its sides, and an `.expected` file; `UPDATE_EXPECT=1` writes the latter.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use ltl::{Dialect, Loaded, load, load_with_partition};
use source::{Diagnostic, Source};

struct Case {
    path: PathBuf,
    source: Source,
    dialect: Dialect,
}

fn cases(kind: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/ltl").join(kind);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the corpus is there").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let case = |path: PathBuf| {
        let dialect = Dialect::from_extension(path.extension()?.to_str()?)?;
        let name = path.file_name()?.to_str()?.to_owned();
        let text = String::from_utf8_lossy(&std::fs::read(&path).ok()?).into_owned();
        Some(Case { path, source: Source::new(name, text), dialect })
    };
    let cases: Vec<Case> = paths.into_iter().filter_map(case).collect();
    assert!(!cases.is_empty());
    cases
}

impl Case {
    fn load(&self) -> Loaded {
        match std::fs::read_to_string(self.path.with_extension("part")) {
            Ok(text) => load_with_partition(&self.source, &Source::new("partition", text)),
            Err(_) => load(&self.source, self.dialect),
        }
    }

    fn expect(&self, actual: &str) {
        let mut name = self.path.clone().into_os_string();
        name.push(".expected");
        expect_file![PathBuf::from(name)].assert_eq(actual);
    }
}

fn describe(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let _ = writeln!(text, "[{}]: {}", diagnostic.code.id, diagnostic.message);
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
fn accepted_files_mean_what_is_expected() {
    for case in cases("accept") {
        let (spec, _) = case.load().unwrap_or_else(|errors| {
            panic!("{} is rejected:\n{}", case.path.display(), describe(&case.source, &errors))
        });
        let mut text = String::new();
        let _ = writeln!(text, "target {:?}", spec.target);
        for signal in &spec.signals {
            let _ = writeln!(text, "{:?} {}", signal.role, signal.name);
        }
        for property in &spec.assumptions {
            let _ = writeln!(text, "assume {}: {}", property.name, spec.formulas.show(property.formula));
        }
        for property in &spec.guarantees {
            let _ = writeln!(text, "guarantee {}: {}", property.name, spec.formulas.show(property.formula));
        }
        for fault in &spec.faults {
            let _ = writeln!(text, "fault {:?} {:?}", fault.name, fault.frequencies);
        }
        let _ = writeln!(text, "requirement {}", spec.formulas.show(spec.requirement));
        case.expect(&text);
    }
}

#[test]
fn rejected_files_say_why() {
    for case in cases("reject") {
        let errors = case.load().err().unwrap_or_else(|| panic!("{} is accepted", case.path.display()));
        case.expect(&describe(&case.source, &errors));
    }
}
