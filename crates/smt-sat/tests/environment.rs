//! Whoever runs us may have options of CaDiCaL in the environment; they change nothing.

use std::process::Command;

use smt_sat::sat::{Budget, Outcome, Sat};

const MARK: &str = "SPECIMEN_TEST_PRINTS_A_MODEL";

/// Prints a model and the number of conflicts when started by the other test, in the environment that test wants.
#[test]
fn a_model_is_printed_on_demand() {
    if std::env::var_os(MARK).is_none() {
        return;
    }
    let mut sat = Sat::new();
    let variables: Vec<_> = (0..60).map(|_| sat.new_var()).collect();
    for (place, &variable) in variables.iter().enumerate() {
        let (near, far) = (variables[place * 7 % 60], variables[(place * place + 11) % 60]);
        sat.add_clause(&[variable, near, !far]);
        sat.add_clause(&[!variable, far, near]);
    }
    assert_eq!(sat.solve(&[], &Budget::default()), Outcome::Sat);
    let bits: String = variables.iter().map(|&variable| if sat.value(variable) { '1' } else { '0' }).collect();
    println!("model {bits} after {} conflicts", sat.conflicts());
}

fn printed(options: &[(&str, &str)]) -> String {
    let program = std::env::current_exe().expect("a test is a program");
    let mut command = Command::new(program);
    command.args(["--exact", "environment::a_model_is_printed_on_demand", "--nocapture"]).env(MARK, "1");
    command.envs(options.iter().copied());
    let output = command.output().expect("it starts again");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let model = text.find("model ").unwrap_or_else(|| panic!("no model in {text}"));
    text[model..].lines().next().unwrap_or_default().to_owned()
}

#[test]
fn options_in_the_environment_change_nothing() {
    let usual = printed(&[]);
    for (name, value) in [
        ("CADICAL_PHASE", "0"),
        ("CADICAL_SEED", "77"),
        ("CADICAL_LUCKY", "0"),
        ("CADICAL_FORCEPHASE", "1"),
        ("CADICAL_CHECKFROZEN", "1"),
    ] {
        assert_eq!(printed(&[(name, value), ("CADICAL_WALK", "0")]), usual, "{name}={value}");
    }
}
