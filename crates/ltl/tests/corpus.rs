//! Runs the cases of `corpus/ltl`. A case is an `.ltl` or `.tlsf` file, with a `.part` file beside it where another file
//! declares its sides, and an `.expected` file; `UPDATE_EXPECT=1` writes the latter.

use std::fmt::Write;

use ltl::{Dialect, Loaded, load, load_with_partition};
use testkit::corpus::{Case, cases, describe};

fn read(case: &Case) -> Loaded {
    match case.beside("part") {
        Some(partition) => load_with_partition(&case.source, &partition),
        None => {
            let extension = case.path.extension().and_then(|extension| extension.to_str());
            load(&case.source, extension.and_then(Dialect::from_extension).expect("only specifications are read"))
        }
    }
}

#[test]
fn accepted_files_mean_what_is_expected() {
    for case in cases("ltl/accept", &["ltl", "tlsf"]) {
        let (spec, _) = read(&case).unwrap_or_else(|errors| case.rejected(&errors));
        let mut text = String::new();
        let _ = writeln!(text, "target {:?}", spec.target);
        for signal in &spec.signals {
            let _ = writeln!(text, "{:?} {}", signal.role, signal.name);
        }
        for property in &spec.assumptions {
            let _ = writeln!(text, "assume {}: {}", property.name, ltl::print(&spec.formulas, property.formula));
        }
        for property in &spec.guarantees {
            let _ = writeln!(text, "guarantee {}: {}", property.name, ltl::print(&spec.formulas, property.formula));
        }
        for fault in &spec.faults {
            let _ = writeln!(text, "fault {:?} {:?}", fault.name, fault.frequencies);
        }
        let _ = writeln!(text, "requirement {}", ltl::print(&spec.formulas, spec.requirement));
        case.expect(&text);
    }
}

#[test]
fn rejected_files_say_why() {
    for case in cases("ltl/reject", &["ltl", "tlsf"]) {
        let errors = read(&case).err().unwrap_or_else(|| panic!("{} is accepted", case.path.display()));
        case.expect(&describe(&case.source, &errors));
    }
}
