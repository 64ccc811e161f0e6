//! The judge on the strategies that Röck's thesis (2018) describes for its case studies.

use ltl::faults::{Demand, Selection, faults};
use ltl::{Dialect, Grounds, Judgement, Machine, Move, Role, Spec, State, Target, generalise, load, verify};
use omega::AtomId;
use omega::automaton::Limits;
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

/// What a stuck output at a frequency demands of strategies.
fn demand(spec: &mut Spec, key: &str, frequency: &str) -> Demand {
    let faults = faults(spec, Selection::StuckAt).expect("the faults are well formed");
    let fault = faults.iter().find(|fault| fault.key == key).expect("there is such a fault");
    let symbol = |demand: &Demand| demand.frequency.map(|frequency| frequency.symbol());
    fault.demands.iter().find(|demand| symbol(demand) == Some(frequency)).expect("there is such a frequency").clone()
}

/// Whether a strategy exposes a fault at a frequency, judged with as few guarantees as that takes.
fn is_exposed(spec: &mut Spec, machine: &Machine, key: &str, frequency: &str) -> bool {
    let demand = demand(spec, key, frequency);
    let grounds = Grounds::of(&spec.formulas, spec.requirement);
    let limits = Limits { states: 100_000, ..Limits::default() };
    match grounds.judge(&mut spec.formulas, machine, &demand, &mut Vec::new(), limits) {
        Judgement::Satisfied => true,
        Judgement::Violated(_) => false,
        Judgement::Unknown => panic!("{key} at {frequency} is within the limits"),
    }
}

/// Thesis, table 4.8: two states at GF. While a locked burst of four is under way nothing may start; the tester holds
/// `ready` back until the fault shows, and lets it come then: what it shows cannot be kept.
#[test]
fn two_states_expose_decisions_and_grants_in_a_locked_burst() {
    let mut spec = read(include_str!("../../../examples/ltl/amba.ltl"));
    let busy: &[&str] = &["ready", "hlock0", "hlock1", "hbusreq0", "hbusreq1", "hbursteqburst4"];
    let states = [busy, &["hbursteqburst4"]];
    let decides = strategy(&mut spec, &["start", "hmastlock", "decide"], &states, |state, seen| match state {
        0 => usize::from(seen("start") && seen("hmastlock")),
        _ => usize::from(!seen("decide")),
    });
    assert!(is_exposed(&mut spec, &decides, "decide/stuck-at-1", "GF"));
    let watched = ["start", "hmastlock", "hmaster", "hgrant0"];
    let grants = strategy(&mut spec, &watched, &states, |state, seen| match state {
        0 => usize::from(seen("start") && seen("hmastlock") && seen("hmaster")),
        _ => usize::from(!seen("hgrant0")),
    });
    assert!(is_exposed(&mut spec, &grants, "hgrant0/stuck-at-1", "GF"));
    assert!(!is_exposed(&mut spec, &grants, "decide/stuck-at-1", "GF"));
}

/// Thesis, table 4.10: four states at FG. A critical error of the second unit, and a reset where no way is left.
#[test]
fn four_states_expose_a_first_unit_that_is_never_switched_on() {
    let mut spec = read(FDIR);
    let states: [&[&str]; 4] = [&[], &["mode1", "mode2", "reset"], &["mode1", "reset"], &["mode2", "err_crit"]];
    let watched = ["on1", "on2", "off1", "off2", "safemode"];
    let machine = strategy(&mut spec, &watched, &states, |state, seen| match state {
        0 if seen("on1") => 2,
        0 if seen("on2") => 3,
        0 => usize::from(seen("safemode")),
        1 => 2,
        2 => {
            if seen("off1") && seen("off2") {
                2
            } else {
                3
            }
        }
        _ if seen("safemode") || seen("on1") && !seen("off1") => 1,
        _ => {
            if seen("off1") || seen("off2") {
                0
            } else {
                3
            }
        }
    });
    assert!(is_exposed(&mut spec, &machine, "on1/stuck-at-0", "FG"));
}

/// Thesis, table 4.9: GF with 45 states, and FG with 52. The codes are mirrored while the door is locked and closed, then it
/// is opened. A door that was opened stays so until it is closed: whoever waits for it to be closed, and closes it only
/// then, exposes it at GF.
#[test]
fn nineteen_states_expose_a_door_that_is_closed_again_and_again() {
    let mut spec = read(include_str!("../../../examples/ltl/pin-door.ltl"));
    let code = |seen: &dyn Fn(&str) -> bool| {
        usize::from(seen("digit_A")) + 2 * usize::from(seen("digit_B")) + 4 * usize::from(seen("digit_C"))
    };
    let mut states: Vec<Vec<&str>> = vec![vec!["action_unlock"]];
    for action in ["action_lock", "action_close"] {
        for digits in 0..8 {
            let pressed = ["press_A", "press_B", "press_C"].into_iter().enumerate();
            let pressed = pressed.filter(|(bit, _)| digits >> bit & 1 == 1).map(|(_, name)| name);
            states.push([action].into_iter().chain(pressed).collect());
        }
    }
    states.push(vec!["action_open"]);
    let watched = ["digit_A", "digit_B", "digit_C", "doorclosed"];
    let step = |state: usize, seen: &dyn Fn(&str) -> bool| match state {
        0 => 1 + code(seen),
        1..=8 => 9 + code(seen),
        9..=16 => 17,
        _ => 0,
    };
    let sets: Vec<&[&str]> = states.iter().map(Vec::as_slice).collect();
    let machine = strategy(&mut spec, &watched, &sets, step);
    for key in ["doorclosed/stuck-at-1", "doorlocked/stuck-at-1"] {
        assert!(is_exposed(&mut spec, &machine, key, "FG"), "{key}");
        assert!(!is_exposed(&mut spec, &machine, key, "GF"), "{key}");
    }
    states.push(Vec::new());
    let sets: Vec<&[&str]> = states.iter().map(Vec::as_slice).collect();
    let machine = strategy(&mut spec, &watched, &sets, |state, seen| match state {
        17 => 18,
        18 if !seen("doorclosed") => 18,
        state => step(state, seen),
    });
    assert!(is_exposed(&mut spec, &machine, "doorclosed/stuck-at-1", "GF"));
}

/// Thesis, section 4.2.3 and algorithm 3: of the third strategy for the traffic light exactly the first input can be freed,
/// which makes it the fourth; of the strategy of example 9 none can.
#[test]
fn the_third_strategy_in_general_is_the_fourth() {
    let mut spec = read(include_str!("../../../examples/ltl/traffic-light.ltl"));
    let mut third = |first: &'static [&'static str]| {
        strategy(&mut spec, &["f"], &[first, &[], &["c"]], |state, seen| match state {
            0 => 1,
            1 => {
                if seen("f") {
                    1
                } else {
                    2
                }
            }
            _ => {
                if seen("f") {
                    1
                } else {
                    2
                }
            }
        })
    };
    let (third, fourth) = (third(&[]), third(&["?c"]));
    let claim = demand(&mut spec, "p/stuck-at-0", "FG").claim;
    assert_eq!(generalise(&mut spec.formulas, &third, claim, Limits::default()), fourth);

    let mut spec = read(include_str!("../../../examples/ltl/example9.ltl"));
    let sixth = strategy(&mut spec, &[], &[&["i"], &[]], |state, _| 1 - state);
    let claim = demand(&mut spec, "o/stuck-at-0", "GF").claim;
    assert_eq!(generalise(&mut spec.formulas, &sixth, claim, Limits::default()), sixth);

    let mut spec = read(include_str!("../../../examples/ltl/arbiter.ltl"));
    let seventh = strategy(&mut spec, &[], &[&["r1"]], |_, _| 0);
    let ninth = strategy(&mut spec, &[], &[&["r1", "?r2"]], |_, _| 0);
    let claim = demand(&mut spec, "g1/stuck-at-0", "FG").claim;
    assert_eq!(generalise(&mut spec.formulas, &seventh, claim, Limits::default()), ninth);
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
