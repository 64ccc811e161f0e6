//! Runs the cases of `corpus/ltl/run` and `corpus/ltl/trace`. A case is an `.ltl` file, one or more traces beside it (`NAME.csv`, `NAME-1.trace`,
//! …) and an `.expected` file, which `UPDATE_EXPECT=1` writes. Lines `// clock: NAME`, `// reset: NAME` and `// unknown: WHAT` say
//! how value change dumps are read, a line `// rules: NAMES` rules of the counting semantics that differ from the usual ones.

use std::fmt::Write;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use ltl::trace::{Dump, Format, Trace, TraceError, Unknown};
use ltl::verdict::{Divergence, Monitor, Semantics, Verdict};
use ltl::{Dialect, Property, Spec, load};
use omega::Formula;
use source::Source;

fn paths(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/ltl").join(kind);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the corpus is there").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// The traces of a case: those whose name is its name, perhaps with a number.
fn traces(case: &Path, all: &[PathBuf]) -> Vec<PathBuf> {
    let stem = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let wanted = stem(case);
    let belongs = |path: &&PathBuf| {
        let found = stem(path);
        let numbered = found.strip_prefix(&wanted).and_then(|rest| rest.strip_prefix('-'));
        let is_trace = path.extension().and_then(|name| Format::from_extension(name.to_str()?)).is_some();
        is_trace && (found == wanted || numbered.is_some_and(|number| number.parse::<u8>().is_ok()))
    };
    all.iter().filter(belongs).cloned().collect()
}

fn expect(case: &Path, actual: &str) {
    let mut name = case.to_path_buf().into_os_string();
    name.push(".expected");
    expect_file![PathBuf::from(name)].assert_eq(actual);
}

/// How the dumps of a case are read.
struct Reading {
    clock: Option<String>,
    reset: Option<String>,
    unknown: Option<String>,
}

impl Reading {
    fn dump(&self) -> Dump<'_> {
        let unknown = match self.unknown.as_deref() {
            None => Unknown::Error,
            Some("false") => Unknown::False,
            Some("ignore") => Unknown::Ignore,
            Some(other) => panic!("{other} is not a policy"),
        };
        Dump { clock: self.clock.as_deref(), reset: self.reset.as_deref(), unknown }
    }
}

fn read(case: &Path) -> (Spec, Reading) {
    let text = std::fs::read_to_string(case).expect("a case is text");
    let named = |what: &str| text.lines().find_map(|line| line.strip_prefix(what)).map(str::to_owned);
    let reading = Reading { clock: named("// clock: "), reset: named("// reset: "), unknown: named("// unknown: ") };
    let source = Source::new(case.file_name().expect("a name").to_string_lossy(), text);
    let (spec, _) = load(&source, Dialect::Ltl).unwrap_or_else(|errors| panic!("{}: {errors:?}", case.display()));
    (spec, reading)
}

/// The rules that a case names.
fn rules(case: &Path) -> Vec<Divergence> {
    let text = std::fs::read_to_string(case).expect("a case is text");
    let named = text.lines().find_map(|line| line.strip_prefix("// rules: ")).unwrap_or("");
    named.split_whitespace().map(|name| name.parse().expect("a rule")).collect()
}

/// Reads a trace to its end into monitors; what there is to say of it goes to `text`.
fn feed(
    spec: &Spec,
    path: &Path,
    reading: &Reading,
    monitors: &mut [&mut Monitor],
    text: &mut String,
    mut each: impl FnMut(&mut [&mut Monitor]),
) -> Result<(), TraceError> {
    let names: Vec<&str> = monitors[0].atoms().iter().map(|&atom| spec.formulas.atom_name(atom)).collect();
    let name = path.file_name().expect("a name").to_string_lossy();
    let format = Format::from_extension(path.extension().expect("a format").to_str().expect("text")).expect("known");
    let file = BufReader::new(File::open(path).expect("the trace is there"));
    let mut trace = Trace::open(&name, file, format, &names, reading.dump())?;
    let mut letter = vec![false; names.len()];
    loop {
        let more = trace.next(&mut letter);
        for warning in trace.warnings() {
            let rendered = source::render(&warning.source, &warning.diagnostic, source::Style::Plain);
            let _ = writeln!(text, "{}", trimmed(&rendered));
        }
        if !more? {
            return Ok(());
        }
        for monitor in monitors.iter_mut() {
            monitor.push(&letter);
        }
        each(monitors);
    }
}

fn trimmed(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn letter(verdict: Verdict) -> char {
    match verdict {
        Verdict::False => 'F',
        Verdict::PresumablyFalse => 'f',
        Verdict::Inconclusive => '?',
        Verdict::PresumablyTrue => 't',
        Verdict::True => 'T',
    }
}

#[test]
fn traces_get_the_verdicts_that_are_expected() {
    let all = paths("run");
    let cases: Vec<&PathBuf> = all.iter().filter(|path| path.extension().is_some_and(|name| name == "ltl")).collect();
    assert!(20 < cases.len());
    for case in cases {
        let (spec, reading) = read(case);
        let properties: Vec<&Property> = spec.assumptions.iter().chain(&spec.guarantees).collect();
        let formulas: Vec<Formula> = properties.iter().map(|property| property.formula).collect();
        let mut text = String::new();
        let traces = traces(case, &all);
        assert!(!traces.is_empty(), "{} has no trace", case.display());
        for path in traces {
            let rules = rules(case);
            let mut keeping = Monitor::keeping_all(&spec.formulas, &formulas).diverging(&rules);
            let mut settling = Monitor::new(&spec.formulas, &formulas).diverging(&rules);
            let mut sweeps = vec![String::new(); formulas.len()];
            let _ = writeln!(text, "{}", path.file_name().expect("a name").to_string_lossy());
            let fed = feed(&spec, &path, &reading, &mut [&mut keeping, &mut settling], &mut text, |monitors| {
                for (sweep, verdict) in sweeps.iter_mut().zip(monitors[1].verdicts()) {
                    sweep.push(letter(verdict));
                }
            });
            assert!(fed.is_ok(), "{} is rejected", path.display());
            let _ = writeln!(text, "{} steps", keeping.length());
            for row in keeping.table().iter().filter(|row| row.entries.len() <= 20) {
                let entries: Vec<String> =
                    row.entries.iter().map(|(pair, verdict)| format!("{pair}{}", verdict.symbol())).collect();
                let _ = writeln!(text, "  {}: {}", row.formula, entries.join(" "));
            }
            for (number, property) in properties.iter().enumerate() {
                let _ = writeln!(text, "{}", ltl::print(&spec.formulas, property.formula));
                let _ = write!(text, " ");
                for &semantics in Semantics::ALL {
                    let verdict = settling.judge(semantics)[number];
                    assert_eq!(keeping.judge(semantics)[number], verdict, "{} {semantics:?}", case.display());
                    let _ = write!(text, " {}={}", semantics.name(), verdict.map_or("unknown", Verdict::symbol));
                }
                let why = settling.explanations()[number].clone();
                let _ = writeln!(text, "\n  sweep {}\n  why {why}", sweeps[number]);
            }
        }
        expect(case, &text);
    }
}

#[test]
fn wrong_traces_are_rejected_with_their_place() {
    let all = paths("trace");
    let cases: Vec<&PathBuf> = all.iter().filter(|path| path.extension().is_some_and(|name| name == "ltl")).collect();
    for case in cases {
        let (spec, reading) = read(case);
        let mut text = String::new();
        let traces = traces(case, &all);
        assert!(!traces.is_empty(), "{} has no trace", case.display());
        for path in traces {
            let mut monitor = Monitor::new(&spec.formulas, &[spec.requirement]);
            let fed = feed(&spec, &path, &reading, &mut [&mut monitor], &mut text, |_| {});
            match fed.expect_err(&format!("{} is rejected", path.display())) {
                TraceError::Rejected(rejection) => {
                    let rendered = source::render(&rejection.source, &rejection.diagnostic, source::Style::Plain);
                    let _ = writeln!(text, "{}", trimmed(&rendered));
                }
                TraceError::Io(error) => panic!("{error}"),
            }
        }
        expect(case, &text);
    }
}
