//! Runs the cases of `corpus/action`. A case is an `.as` or `.pl` file and an `.expected` file, which `UPDATE_EXPECT=1`
//! writes. Accepted models are printed in both notations; cases in `run` have a `.trace` beside them.

use std::fmt::Write;

use action::interp::Interpreter;
use action::trace::read_labels;
use action::{Notation, codes, load, parse, print};
use source::Source;
use testkit::corpus::{Case, cases, describe};

fn notation(case: &Case) -> Notation {
    let extension = case.path.extension().and_then(|extension| extension.to_str());
    extension.and_then(Notation::from_extension).expect("only models are read")
}

#[test]
fn accepted_models_read_as_expected() {
    for case in cases("action/accept", &["as", "pl"]) {
        let (spec, warnings) = load(&case.source, notation(&case)).unwrap_or_else(|errors| case.rejected(&errors));
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
    for case in cases("action/reject", &["as", "pl"]) {
        let text = match (load(&case.source, notation(&case)), case.beside("trace")) {
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
    for case in cases("action/run", &["as", "pl"]) {
        let spec = load(&case.source, notation(&case)).expect("accepted").0;
        let trace = case.beside("trace").expect("a trace");
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
