//! Runs the cases of `corpus/boolean`. A case is a `.bool` or `.smt2` file, with a `.csv` of tests beside it where it has
//! any, and an `.expected` file; `UPDATE_EXPECT=1` writes the latter. Directives stand in comments at the top:
//! `decision: NAME`, `criterion: NAME`, `mode: variable`, `boundary: yes`.

use std::collections::BTreeSet;
use std::fmt::Write;

use boolean::goals::{ConditionMode, Criterion, GoalOptions, Goals, goals};
use boolean::interp::decides;
use boolean::meter::Meter;
use boolean::table::{read_table, write_table};
use boolean::{Dialect, Spec, codes, load, load_decision, parse, partition, print};
use formula::{Connective, Formula, LeafId, Node};
use source::{Diagnostic, Source};
use testcase::GoalId;
use testkit::corpus::{Case, cases, describe};

fn dialect(case: &Case) -> Dialect {
    let extension = case.path.extension().and_then(|extension| extension.to_str());
    extension.and_then(Dialect::from_extension).expect("only decisions are read")
}

fn read(case: &Case) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    match case.directive("decision") {
        Some(name) => load_decision(&case.source, dialect(case), name),
        None => load(&case.source, dialect(case)),
    }
}

fn asked(case: &Case, spec: &Spec) -> Result<Goals, Vec<Diagnostic>> {
    let criterion = case.directive("criterion").unwrap_or("masking-mcdc");
    let criterion = Criterion::from_name(criterion).expect("a known criterion");
    let mode = match case.directive("mode") {
        Some("variable") => ConditionMode::Variable,
        _ => ConditionMode::Occurrence,
    };
    let options = GoalOptions { mode, boundary: case.directive("boundary").is_some() };
    goals(&case.source, spec, spec.default_decision(), criterion, options)
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
    for case in cases("boolean/accept", &["bool", "smt2"]) {
        let (spec, warnings) = read(&case).unwrap_or_else(|errors| case.rejected(&errors));
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
        if dialect(&case) == Dialect::Bool {
            let ast = parse(&case.source).expect("it was read before");
            let printed = Source::new("printed.bool", print(&case.source, &ast));
            let (again, _) = load(&printed, Dialect::Bool).expect("what is printed can be read");
            assert_eq!(again.exprs, load(&case.source, Dialect::Bool).expect("it was read before").0.exprs);
        }
    }
}

#[test]
fn rejected_files_say_why() {
    for case in cases("boolean/reject", &["bool", "smt2"]) {
        let judged = read(&case).and_then(|(spec, _)| {
            asked(&case, &spec)?;
            match case.beside("csv") {
                Some(table) => read_table(&table, &spec).map(|_| ()),
                None => Ok(()),
            }
        });
        let errors = judged.expect_err(&format!("{} is rejected", case.path.display()));
        let table = case.beside("csv");
        let about_table = errors.iter().all(|error| error.code == &codes::TABLE);
        let source = table.as_ref().filter(|_| about_table).unwrap_or(&case.source);
        case.expect(&describe(source, &errors));
    }
}

#[test]
fn given_tests_do_and_cover_what_is_expected() {
    for case in cases("boolean/run", &["bool", "smt2"]) {
        let (spec, _) = read(&case).expect("the case is well formed");
        let goals = asked(&case, &spec).expect("the criterion is defined");
        let table = case.beside("csv").expect("a table of tests");
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
