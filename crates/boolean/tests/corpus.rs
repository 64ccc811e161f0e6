//! Runs the cases of `corpus/boolean`. A case is a `.bool` or `.smt2` file, with a `.csv` of tests beside it where it has
//! any, and an `.expected` file; `UPDATE_EXPECT=1` writes the latter. Directives stand in comments at the top:
//! `decision: NAME`, `criterion: NAME`, `mode: variable`, `boundary: yes`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use boolean::goals::{ConditionMode, Criterion, GoalOptions, Goals, goals};
use boolean::interp::decides;
use boolean::meter::Meter;
use boolean::table::{read_table, write_table};
use boolean::{Dialect, Spec, codes, load, load_decision, parse, partition, print};
use expect_test::expect_file;
use formula::{Connective, Formula, LeafId, Node};
use source::{Diagnostic, Severity, Source};
use testcase::GoalId;

struct Case {
    path: PathBuf,
    source: Source,
    dialect: Dialect,
}

fn cases(kind: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/boolean").join(kind);
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
    fn directive(&self, key: &str) -> Option<&str> {
        let comments = self.source.text().lines().take_while(|line| line.starts_with(['/', ';', '#']));
        let mut words = comments.map(|line| line.trim_start_matches(['/', ';', '#']).trim());
        words.find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim)
    }

    fn load(&self) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
        match self.directive("decision") {
            Some(name) => load_decision(&self.source, self.dialect, name),
            None => load(&self.source, self.dialect),
        }
    }

    fn goals(&self, spec: &Spec) -> Result<Goals, Vec<Diagnostic>> {
        let criterion = self.directive("criterion").unwrap_or("masking-mcdc");
        let criterion = Criterion::from_name(criterion).expect("a known criterion");
        let mode = match self.directive("mode") {
            Some("variable") => ConditionMode::Variable,
            _ => ConditionMode::Occurrence,
        };
        let options = GoalOptions { mode, boundary: self.directive("boundary").is_some() };
        goals(&self.source, spec, spec.default_decision(), criterion, options)
    }

    fn table(&self) -> Option<Source> {
        let text = std::fs::read_to_string(self.path.with_extension("csv")).ok()?;
        Some(Source::new("tests.csv", text))
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

/// The structure in prefix form: `(or c1 (not c2))`.
fn structure(formula: &Formula) -> String {
    let mut texts: Vec<String> = Vec::new();
    for id in formula.ids() {
        let text = match formula.node(id) {
            Node::Constant(truth) => truth.to_string(),
            Node::Leaf(leaf) => format!("c{}", leaf.0 + 1),
            Node::Apply(connective) => {
                let name = match connective {
                    Connective::Not => "not",
                    Connective::And => "and",
                    Connective::Or => "or",
                    Connective::Xor => "xor",
                    Connective::Implies => "=>",
                    Connective::Iff => "iff",
                    Connective::Distinct => "distinct",
                    Connective::Ite => "ite",
                };
                let args: Vec<&str> = formula.args(id).iter().map(|arg| texts[arg.0 as usize].as_str()).collect();
                format!("({name} {})", args.join(" "))
            }
        };
        texts.push(text);
    }
    texts.pop().expect("a formula has a root")
}

#[test]
fn accepted_files_mean_what_is_expected() {
    for case in cases("accept") {
        let (spec, warnings) = case.load().unwrap_or_else(|errors| {
            panic!("{} is rejected:\n{}", case.path.display(), describe(&case.source, &errors))
        });
        let mut text = String::new();
        for variable in &spec.variables {
            let range = variable.range.as_ref().map(|(low, high)| format!(" in {low}..{high}")).unwrap_or_default();
            let _ = writeln!(text, "input {}: {}{range}", variable.name, variable.sort);
        }
        for assumption in &spec.assumptions {
            let _ = writeln!(text, "assume {}", assumption.label);
        }
        for decision in &spec.decisions {
            let _ = writeln!(text, "decision {} = {}", decision.name, structure(&decision.formula));
            for (index, condition) in decision.conditions.iter().enumerate() {
                let place = case.source.place(condition.span.start);
                let _ = writeln!(text, "  c{} {}:{} {}", index + 1, place.line, place.column, condition.text);
            }
        }
        for partition in partition::partitions(&spec, spec.default_decision()) {
            let classes: Vec<String> = partition.classes.iter().map(ToString::to_string).collect();
            let name = &spec.variables[partition.variable.0 as usize].name;
            let _ = writeln!(text, "classes of {name}: {}", classes.join(" "));
        }
        text += &describe(&case.source, &warnings);
        case.expect(&text);
        if case.dialect == Dialect::Bool {
            let ast = parse(&case.source).expect("it was read before");
            let printed = Source::new("printed.bool", print(&case.source, &ast));
            let (again, _) = load(&printed, Dialect::Bool).expect("what is printed can be read");
            assert_eq!(again.exprs, load(&case.source, Dialect::Bool).expect("it was read before").0.exprs);
        }
    }
}

#[test]
fn rejected_files_say_why() {
    for case in cases("reject") {
        let judged = case.load().and_then(|(spec, _)| {
            case.goals(&spec)?;
            match case.table() {
                Some(table) => read_table(&table, &spec).map(|_| ()),
                None => Ok(()),
            }
        });
        let errors = judged.expect_err(&format!("{} is rejected", case.path.display()));
        let table = case.table();
        let about_table = errors.iter().all(|error| error.code == &codes::TABLE);
        let source = table.as_ref().filter(|_| about_table).unwrap_or(&case.source);
        case.expect(&describe(source, &errors));
    }
}

#[test]
fn given_tests_do_and_cover_what_is_expected() {
    for case in cases("run") {
        let (spec, _) = case.load().expect("the case is well formed");
        let goals = case.goals(&spec).expect("the criterion is defined");
        let table = case.table().expect("a table of tests");
        let tests = read_table(&table, &spec).expect("the table is well formed");
        let rewritten = Source::new("again.csv", write_table(&spec, &tests));
        assert_eq!(read_table(&rewritten, &spec).expect("what is written can be read"), tests);
        case.expect(&measure(&spec, &goals, &tests));
    }
}

fn measure(spec: &Spec, goals: &Goals, tests: &[Vec<value::Value>]) -> String {
    let decision = &spec.decisions[spec.default_decision()];
    let mut text = String::new();
    let mut meter = Meter::new(spec, spec.default_decision(), goals);
    for (index, test) in tests.iter().enumerate() {
        let run = meter.add(test).run;
        let letters: String = run.conditions.iter().map(|&value| if value { 'T' } else { 'F' }).collect();
        let _ = write!(text, "t{} {letters} -> {}", index + 1, run.outcome);
        for (number, group) in goals.conditions.iter().enumerate() {
            let leaves: &[LeafId] = &group.leaves;
            if decides(decision, &run.conditions, leaves) {
                let _ = write!(text, " c{}", number + 1);
            }
        }
        for &assumption in &run.violated {
            let _ = write!(text, " violates `{}`", spec.assumptions[assumption].label);
        }
        text.push('\n');
    }
    let witnesses = meter.witnesses();
    for (index, goal) in goals.goals.iter().enumerate() {
        let covered = if meter.is_covered(GoalId(index as u32)) { "covered" } else { "open" };
        let _ = write!(text, "{} {covered}:", goal.key);
        let wanted: BTreeSet<_> = goal.alternatives.iter().flatten().collect();
        for witness in witnesses.iter().filter(|witness| wanted.contains(&witness.obligation)) {
            let names: Vec<String> = witness.tests.iter().map(|test| format!("t{}", test + 1)).collect();
            let _ = write!(text, " {}", names.join("+"));
        }
        let _ = writeln!(text, " ({})", goal.label);
    }
    let named: BTreeSet<_> = goals.goals.iter().flat_map(|goal| goal.alternatives.iter().flatten()).collect();
    let others = (0..goals.obligations.len() as u32).map(testcase::ObligationId).filter(|id| !named.contains(id));
    for id in others {
        let _ = writeln!(
            text,
            "besides {:?} {}",
            goals.obligations[id.0 as usize],
            if meter.is_met(id) { "met" } else { "open" }
        );
    }
    text
}
