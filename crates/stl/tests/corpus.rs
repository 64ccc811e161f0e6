//! Runs the cases of `corpus/stl`. A case is an `.stl` file, with a `.csv` of signals beside it where it has any, and an
//! `.expected` file; `UPDATE_EXPECT=1` writes the latter. Directives stand in comments at the top: `criterion: NAME`, `decision: NAME`.

use std::fmt::Write;

use source::{Diagnostic, Source};
use stl::goals::{Criterion, GoalOptions, Goals, goals, untestable};
use stl::interp::{holds, times};
use stl::meter::Meter;
use stl::mutate::{MutationOptions, mutants};
use stl::robust::robustness;
use stl::table::read_table;
use stl::{Spec, load, print, write_number};
use testkit::corpus::{Case, cases, describe};

fn read(case: &Case) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    match case.directive("decision") {
        Some(name) => stl::load_definition(&case.source, name),
        None => load(&case.source),
    }
}

fn asked(case: &Case, spec: &mut Spec) -> Option<Result<Goals, Vec<Diagnostic>>> {
    let criterion = Criterion::from_name(case.directive("criterion")?).expect("a known criterion");
    Some(goals(&case.source, spec, criterion, &GoalOptions::default()))
}

#[test]
fn accepted_files_mean_what_is_expected() {
    for case in cases("stl/accept", &["stl"]) {
        let loaded = read(&case);
        let (mut spec, warnings) = loaded.unwrap_or_else(|errors| case.rejected(&errors));
        let mut text = String::new();
        for signal in &spec.signals {
            let _ = writeln!(text, "signal {}: {}", signal.name, signal.sort);
        }
        let printed = print(&spec, spec.formula);
        let _ = writeln!(text, "formula {printed}");
        let horizon = stl::horizon(&spec.store, &[spec.formula]);
        let _ = writeln!(text, "step {}, horizon {}", write_number(&spec.step()), write_number(&horizon));
        let mut counts: Vec<String> = Vec::new();
        for operator in MutationOptions::published().operators {
            let options = MutationOptions { operators: vec![operator], ..MutationOptions::published() };
            let count = mutants(&mut spec, &options).expect("few mutants").len();
            counts.push(format!("{} {count}", operator.name()));
        }
        let published = mutants(&mut spec, &MutationOptions::published()).expect("few mutants").len();
        let all = mutants(&mut spec, &MutationOptions::default()).expect("few mutants").len();
        let _ = writeln!(text, "mutants {}: {published}, by default {all}", counts.join(" "));
        if let Some(goals) = asked(&case, &mut spec) {
            for goal in &goals.expect("few goals").goals {
                let _ = writeln!(text, "{} {}", goal.key, goal.label);
            }
        }
        text += &describe(&case.source, &warnings);
        case.expect(&text);
        let (again, _) = load(&Source::new("printed.stl", printed.clone())).expect("what is printed can be read");
        assert_eq!(print(&again, again.formula), printed);
    }
}

#[test]
fn rejected_files_say_why() {
    for case in cases("stl/reject", &["stl"]) {
        let table = case.beside("csv");
        let judged: Result<(), (bool, Vec<Diagnostic>)> = (|| {
            let loaded = read(&case);
            let (mut spec, _) = loaded.map_err(|errors| (false, errors))?;
            let goals = asked(&case, &mut spec).transpose().map_err(|errors| (false, errors))?;
            if let Some(error) = goals.and_then(|goals| untestable(&case.source, &spec, &goals)) {
                return Err((false, vec![error]));
            }
            match &table {
                Some(table) => read_table(table, &spec).map(|_| ()).map_err(|errors| (true, errors)),
                None => Ok(()),
            }
        })();
        let (about_table, errors) = judged.expect_err(&format!("{} is rejected", case.path.display()));
        let source = table.as_ref().filter(|_| about_table).unwrap_or(&case.source);
        case.expect(&describe(source, &errors));
    }
}

#[test]
fn given_signals_get_the_expected_verdicts() {
    for case in cases("stl/run", &["stl"]) {
        let (mut spec, _) = load(&case.source).expect("the case is well formed");
        let table = case.beside("csv").expect("a table of signals");
        let trace = read_table(&table, &spec).expect("the table is well formed");
        let mut text = String::new();
        let _ = writeln!(text, "holds {}", holds(&spec.store, &trace, spec.formula));
        let _ = writeln!(
            text,
            "robustness {}",
            robustness(&spec.store, &trace, spec.formula, holds(&spec.store, &trace, spec.formula))
        );
        let cuts = times(&spec.store, &trace, spec.formula).cuts;
        let mut shown: Vec<String> = Vec::new();
        for interval in cuts.chunks(2) {
            let open = if interval[0].after { '(' } else { '[' };
            let start = write_number(&interval[0].at);
            shown.push(match interval.get(1) {
                Some(end) => format!("{open}{start}, {}{}", write_number(&end.at), if end.after { ']' } else { ')' }),
                None => format!("{open}{start}, inf)"),
            });
        }
        let _ = writeln!(text, "times {}", if shown.is_empty() { "none".to_owned() } else { shown.join(" ") });
        if let Some(goals) = asked(&case, &mut spec) {
            let goals = goals.expect("few goals");
            let mut meter = Meter::new(&spec, &goals);
            for met in meter.add(&trace).meets {
                let goal = &goals.goals[met.0 as usize];
                let _ = writeln!(text, "covers {} {}", goal.key, goal.label);
            }
        }
        case.expect(&text);
    }
}
