//! Runs the cases of `corpus/tessla`. A case is a `.tessla` file and an `.expected` file; `UPDATE_EXPECT=1` writes the latter.
//! Traces stand in the file in lines that begin with `#!`; a line `#! ---` begins the next trace. Directives stand in comments at
//! the top: `unit: ms`, `ticks: N`, `abort-at: N`, `stop-on: NAME`, `until: TIME`, `criterion: NAME`, `library: yes`,
//! `reject-undeclared: yes`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use source::{Diagnostic, Severity, Source};
use tessla::goals::{Criterion, GoalOptions, goals};
use tessla::meter::Meter;
use tessla::run::{Ended, RunOptions, run_plain};
use tessla::time::TimeUnit;
use tessla::trace::{Event, TraceReader};
use tessla::{Loaded, Options, core::Spec, load};
use testcase::GoalId;

struct Case {
    path: PathBuf,
    text: String,
}

fn cases(kind: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/tessla").join(kind);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the corpus is there").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "tessla"));
    assert!(!paths.is_empty());
    let read = |path: PathBuf| Case { text: std::fs::read_to_string(&path).expect("text"), path };
    paths.into_iter().map(read).collect()
}

impl Case {
    fn directive(&self, key: &str) -> Option<&str> {
        let comments = self.text.lines().take_while(|line| line.starts_with('#'));
        let mut words = comments.map(|line| line.trim_start_matches('#').trim());
        words.find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim)
    }

    fn number<T: std::str::FromStr>(&self, key: &str) -> Option<T> {
        self.directive(key).map(|text| text.parse().ok().expect("a number"))
    }

    fn load(&self) -> Loaded {
        let name = self.path.file_name().and_then(|name| name.to_str()).expect("a name");
        let unit = self.directive("unit").map(|unit| TimeUnit::from_name(unit).expect("a unit"));
        let folder = self.path.parent().expect("a folder").to_owned();
        let resolver =
            |path: &str| std::fs::read_to_string(folder.join(path)).map_err(|_| "it is not there".to_owned());
        load(Source::new(name, self.text.clone()), &resolver, Options { unit, ticks: self.number("ticks") })
    }

    fn traces(&self) -> Vec<String> {
        let mut traces = vec![String::new()];
        for line in self.text.lines().filter_map(|line| line.strip_prefix("#!")) {
            match line.trim() {
                "---" => traces.push(String::new()),
                line => *traces.last_mut().expect("there is one") += &format!("{line}\n"),
            }
        }
        traces
    }

    fn options(&self) -> RunOptions {
        RunOptions {
            abort_at: self.number("abort-at"),
            stop_on: self.directive("stop-on").map(str::to_owned),
            until: self.number("until"),
            call_depth: None,
            json: self.directive("json").is_some(),
            reject_undeclared: self.directive("reject-undeclared").is_some(),
        }
    }

    fn expect(&self, actual: &str) {
        let mut name = self.path.clone().into_os_string();
        name.push(".expected");
        expect_file![PathBuf::from(name)].assert_eq(actual);
    }
}

fn describe(source: &Source, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut text = format!("{severity}[{}]: {}\n", diagnostic.code.id, diagnostic.message);
    for label in &diagnostic.labels {
        let (start, end) = (source.place(label.span.start), source.place(label.span.end));
        let snippet: String = source.slice(label.span).chars().take(50).collect();
        let place = format!("{}({},{} - {},{})", source.name(), start.line, start.column, end.line, end.column);
        let _ = writeln!(text, "  {place} {snippet:?} {}", label.text);
    }
    for help in &diagnostic.help {
        let _ = writeln!(text, "  help: {help}");
    }
    text
}

fn reports(loaded: &Loaded) -> String {
    loaded.reports.iter().map(|report| describe(loaded.files.source(report.file), &report.diagnostic)).collect()
}

/// What a run prints, and how it ends.
fn run(spec: &Spec, trace: &str, options: &RunOptions) -> (String, bool) {
    let mut out = Vec::new();
    let ran = run_plain(spec, "trace", trace.as_bytes(), &mut out, options).expect("memory can be written");
    let (ended, ignored) = ran;
    let mut text = String::from_utf8(out).expect("the output is text");
    let is_fine = matches!(ended, Ended::Finished);
    text += &match ended {
        Ended::Finished => String::new(),
        Ended::Failed(report) => describe(spec.files.source(report.file), &report.diagnostic),
        Ended::BadTrace(error) => describe(&error.source, &error.diagnostic),
    };
    text.extend(ignored.map(|warning| describe(&warning.source, &warning.diagnostic)));
    (text, is_fine)
}

fn measure(case: &Case, spec: &Spec, criterion: &str) -> String {
    let criterion = Criterion::from_name(criterion).expect("a known criterion");
    let goals = goals(spec, criterion, GoalOptions { library: case.directive("library").is_some() });
    let mut meter = Meter::new(spec, &goals);
    let mut text = String::new();
    for (index, trace) in case.traces().iter().enumerate() {
        let mut reader = TraceReader::new(spec, "trace", trace.as_bytes());
        let mut events: Vec<Event> = Vec::new();
        while let Some(event) = reader.next_event().expect("the trace is well formed") {
            events.push(event);
        }
        let last = events.last().map_or(0, |event| event.time);
        let measured = meter.add(&events, case.number("until").unwrap_or(last));
        let keys = measured.met.iter().map(|id| goals.goals[id.0 as usize].key.as_str());
        let _ = writeln!(text, "trace {} covers {}", index + 1, keys.collect::<Vec<_>>().join(" "));
        for position in measured.violated {
            let _ = writeln!(text, "trace {} violates assertion {}", index + 1, position + 1);
        }
    }
    let mut covered = 0;
    for (index, goal) in goals.goals.iter().enumerate() {
        let is_covered = meter.is_covered(GoalId(index as u32));
        covered += usize::from(is_covered);
        let mark = if is_covered { "covered" } else { "open   " };
        let place = goal.location.as_ref().map(|place| format!("{}:{}", place.line, place.column)).unwrap_or_default();
        let _ = writeln!(text, "{mark} {} {place} {}", goal.key, goal.label);
    }
    let _ = writeln!(text, "{covered} of {} goals", goals.goals.len());
    text
}

#[test]
fn runs_print_what_is_expected() {
    for case in cases("run") {
        let loaded = case.load();
        let mut text = reports(&loaded);
        let spec = loaded.spec.unwrap_or_else(|| panic!("{} is rejected:\n{text}", case.path.display()));
        let traces = case.traces();
        for (index, trace) in traces.iter().enumerate() {
            if traces.len() > 1 {
                let _ = writeln!(text, "--- trace {}", index + 1);
            }
            text += &run(&spec, trace, &case.options()).0;
        }
        if let Some(criterion) = case.directive("criterion") {
            text += "--- goals\n";
            text += &measure(&case, &spec, criterion);
        }
        case.expect(&text);
    }
}

#[test]
fn rejected_files_and_traces_say_why() {
    for case in cases("reject") {
        let loaded = case.load();
        let mut text = reports(&loaded);
        if let Some(spec) = loaded.spec {
            let (output, is_fine) = run(&spec, &case.traces()[0], &case.options());
            assert!(!is_fine, "{} is rejected", case.path.display());
            text += &output;
        }
        case.expect(&text);
    }
}

#[test]
fn every_code_has_a_case() {
    let texts: Vec<String> = ["run", "reject"]
        .iter()
        .flat_map(|kind| cases(kind))
        .map(|case| std::fs::read_to_string(format!("{}.expected", case.path.display())).expect("it was written"))
        .collect();
    for code in tessla::codes::CODES {
        assert!(texts.iter().any(|text| text.contains(code.id)), "{} has no case", code.id);
    }
}
