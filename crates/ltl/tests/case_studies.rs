//! The judge on the strategies that Röck's thesis (2018) describes for its case studies.

use ltl::automaton::Limits;
use ltl::faults::{Selection, faults};
use ltl::{AtomId, Dialect, Grounds, Judgement, Machine, Move, Role, Spec, State, Target, load, verify};
use source::Source;

fn read(text: &str) -> Spec {
    load(&Source::new("example.ltl", text), Dialect::Ltl).expect("the example is well formed").0
}

/// A strategy: for each state the inputs that are true (a `?` before those that are free), and the next state as a
/// function of the outputs in `watched`.
fn strategy(
    spec: &mut Spec,
    watched: &[&str],
    states: &[&[&str]],
    next: impl Fn(usize, &dyn Fn(&str) -> bool) -> usize,
) -> Machine {
    let watched: Vec<(&str, AtomId)> = watched.iter().map(|name| (*name, spec.formulas.atom_id(name))).collect();
    let inputs = spec.atoms_with(Role::Input);
    let mut machine =
        Machine { kind: Target::Moore, reads: spec.atoms_with(Role::Output), sets: inputs.clone(), states: Vec::new() };
    for (number, set) in states.iter().enumerate() {
        let mut sets = Vec::new();
        for &input in &inputs {
            let name = spec.formulas.atom_name(input);
            if !set.contains(&format!("?{name}").as_str()) {
                sets.push((input, set.contains(&name)));
            }
        }
        let mut moves = Vec::new();
        for code in 0..1_u32 << watched.len() {
            let seen = |name: &str| {
                watched.iter().position(|(other, _)| *other == name).is_some_and(|bit| code >> bit & 1 == 1)
            };
            let guard = watched.iter().enumerate().map(|(bit, (_, atom))| (*atom, code >> bit & 1 == 1)).collect();
            moves.push(Move { guard, sets: sets.clone(), target: next(number, &seen) });
        }
        machine.states.push(State { moves });
    }
    machine
}

/// The frequencies at which a strategy exposes a fault.
fn exposes(spec: &mut Spec, machine: &Machine, selection: Selection, key: &str) -> Vec<&'static str> {
    let faults = faults(spec, selection).expect("the faults are well formed");
    let fault = faults.iter().find(|fault| fault.key == key).expect("there is such a fault").clone();
    let mut found = Vec::new();
    for demand in fault.demands {
        match verify(&mut spec.formulas, machine, demand.claim, Limits { states: 100_000, ..Limits::default() }) {
            Judgement::Satisfied => found.push(demand.frequency.expect("a kind of fault").symbol()),
            Judgement::Violated(_) => {}
            Judgement::Unknown => panic!("{key} is within the limits"),
        }
    }
    found
}

const FDIR: &str = include_str!("../../../examples/ltl/fdir.ltl");
const UNITS: [&str; 4] = ["on1", "on2", "off1", "off2"];

/// Which single command is given.
fn only(seen: &dyn Fn(&str) -> bool) -> &'static str {
    let given: Vec<&'static str> = UNITS.into_iter().filter(|name| seen(name)).collect();
    if let [one] = given.as_slice() { one } else { "" }
}

#[test]
fn the_strategy_of_figure_4_12_exposes_a_missing_safe_mode() {
    let mut spec = read(FDIR);
    let states: [&[&str]; 4] = [&["mode1", "err_nC"], &[], &["mode1", "mode2", "?err_nC"], &["mode2", "err_nC"]];
    let machine = strategy(&mut spec, &UNITS, &states, |state, seen| match (state, only(seen)) {
        (0, "off1") | (3, "off2") => 1,
        (0, "on2") | (3, "on1") => 2,
        (1, "on1") | (2, "off2") => 0,
        (1, "on2") | (2, "off1") => 3,
        (state, _) => state,
    });
    assert_eq!(exposes(&mut spec, &machine, Selection::Declared, "safemode/stuck-at-0"), ["FG", "G"]);
}

#[test]
fn without_the_state_for_two_units_it_exposes_nothing() {
    let mut spec = read(FDIR);
    let states: [&[&str]; 3] = [&["mode1", "err_nC"], &[], &["mode2", "err_nC"]];
    let machine = strategy(&mut spec, &UNITS, &states, |state, seen| match (state, only(seen)) {
        (0, "off1") | (2, "off2") => 1,
        (1, "on1") => 0,
        (1, "on2") => 2,
        (state, _) => state,
    });
    assert!(exposes(&mut spec, &machine, Selection::Declared, "safemode/stuck-at-0").is_empty());
}

#[test]
fn a_constant_reset_exposes_more_than_the_table_says() {
    let mut spec = read(FDIR);
    let machine = strategy(&mut spec, &[], &[&["reset", "mode1"]], |_, _| 0);
    assert_eq!(exposes(&mut spec, &machine, Selection::Declared, "on1/stuck-at-1"), ["F", "GF", "FG", "G"]);
    assert_eq!(exposes(&mut spec, &machine, Selection::Declared, "safemode/stuck-at-1"), ["GF", "FG", "G"]);
}

#[test]
fn a_preset_cycle_exposes_a_door_that_is_open_once() {
    let mut spec = read(include_str!("../../../examples/ltl/pin-door.ltl"));
    let states: [&[&str]; 4] = [&["action_unlock"], &["action_close"], &["action_lock"], &["action_open"]];
    let machine = strategy(&mut spec, &[], &states, |state, _| (state + 1) % 4);
    let found = exposes(&mut spec, &machine, Selection::StuckAt, "doorclosed/stuck-at-0");
    assert_eq!(found, ["F", "GF", "FG", "G"]);
}

/// Thesis, propositions 7 and 8: the correct value of an output can be left out where a fault does not mention it or says
/// what it is. The judge that looks at few guarantees says the same as the one that looks at the formula of theorem 4.
#[test]
fn few_guarantees_judge_like_all_of_them() {
    let mut state = 5_u64;
    let mut draw = |count: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % count
    };
    let mut seen = [0, 0];
    for text in [
        include_str!("../../../examples/ltl/traffic-light.ltl"),
        include_str!("../../../examples/ltl/arbiter.ltl"),
        include_str!("../../../examples/ltl/example8.ltl"),
    ] {
        let mut spec = read(text);
        let outputs: Vec<String> =
            spec.atoms_with(Role::Output).iter().map(|atom| spec.formulas.atom_name(*atom).to_owned()).collect();
        let inputs: Vec<String> =
            spec.atoms_with(Role::Input).iter().map(|atom| spec.formulas.atom_name(*atom).to_owned()).collect();
        let faults = faults(&mut spec, Selection::All).expect("the faults are well formed");
        let grounds = Grounds::of(&spec.formulas, spec.requirement);
        for _ in 0..8 {
            let watched = outputs[draw(outputs.len() as u64) as usize].clone();
            let mut set = || -> Vec<&str> { inputs.iter().map(String::as_str).filter(|_| draw(2) == 0).collect() };
            let states = [set(), set()];
            let targets = [draw(2), draw(2), draw(2), draw(2)];
            let machine = strategy(&mut spec, &[watched.as_str()], &[&states[0], &states[1]], |number, holds| {
                targets[2 * number + usize::from(holds(&watched))] as usize
            });
            for demand in faults.iter().flat_map(|fault| &fault.demands) {
                let limits = Limits { states: 100_000, ..Limits::default() };
                let whole = verify(&mut spec.formulas, &machine, demand.claim, limits);
                let few = grounds.judge(&mut spec.formulas, &machine, demand, &mut Vec::new(), limits);
                assert_eq!(whole == Judgement::Satisfied, few == Judgement::Satisfied, "{machine:?} {demand:?}");
                assert!(whole != Judgement::Unknown && few != Judgement::Unknown);
                seen[usize::from(whole == Judgement::Satisfied)] += 1;
            }
        }
    }
    assert!(20 < seen[0] && 20 < seen[1], "{seen:?}");
}
