//! Demands that ask for nothing: where no system satisfies the specification, or no run of one can have the fault, every machine
//! is a strategy, and none is evidence.
//!
//! Whoever searches decides such questions by games and claims the answer; here claims are judged by their machines.

use serde_json::Value as Json;

use crate::faults::Demand;
use crate::machine::{Machine, Move, State};
use crate::spec::{Role, Spec, Target};
use crate::verify::{Judgement, verify};
use omega::automaton::Limits;
use omega::{AtomId, Binary, Formula, Node, Unary};

/// What is claimed about the demands of a specification, each with what shows it.
pub trait VacuityClaims {
    /// An environment, as a machine in JSON, that is claimed to make every system fail.
    fn unrealizable(&self) -> Option<Json>;

    /// The claim that no system can have the fault of a demand, which is at a place among all.
    fn impossible(&self, place: usize) -> Option<Impossible>;
}

/// What shows that no system can have a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// No run at all has correct values and the fault.
    NoRun,
    /// This environment, as a machine in JSON, keeps the fault from every system, though each announces the inputs that it
    /// needs for it.
    Against(Json),
}

/// What a claim may cost.
const CLAIM: Limits = Limits { states: 200_000, nodes: 10_000_000, deadline: None };

/// What it may cost to look for a run.
const RUN: Limits = Limits { states: 20_000, nodes: 1_000_000, deadline: None };

/// A game in which a system says in every step which inputs it expects next, satisfies the correct values whatever comes, and has
/// the fault if all comes as it said. The first step is for what it says only.
pub struct Announced {
    /// What the system wants.
    pub wanted: Formula,
    /// What the environment sets.
    pub inputs: Vec<AtomId>,
    /// What the system sets, what it announces included.
    pub outputs: Vec<AtomId>,
}

/// The game whose winner says whether some system can have a fault.
pub fn announced(spec: &mut Spec, demand: &Demand) -> Announced {
    let inputs = spec.atoms_with(Role::Input);
    let mut outputs = spec.atoms_with(Role::Output);
    outputs.extend(spec.atoms_with(Role::Hidden));
    outputs.extend(spec.formulas.atoms_of([demand.correct, demand.model]));
    outputs.retain(|atom| !inputs.contains(atom));
    outputs.sort_unstable();
    outputs.dedup();
    let formulas = &mut spec.formulas;
    let mut expected: Vec<Formula> = Vec::new();
    for &input in &inputs {
        let name = format!("next {}", formulas.atom_name(input));
        let says = formulas.atom_id(&name);
        outputs.push(says);
        let (says, input) = (formulas.add(Node::Atom(says)), formulas.add(Node::Atom(input)));
        let later = formulas.unary(Unary::Next, input);
        expected.push(formulas.binary(Binary::Iff, says, later));
    }
    let expected = formulas.all(expected);
    let as_said = formulas.unary(Unary::Globally, expected);
    let correct = formulas.unary(Unary::Next, demand.correct);
    let model = formulas.unary(Unary::Next, demand.model);
    let has = formulas.binary(Binary::Implies, as_said, model);
    let wanted = formulas.binary(Binary::And, correct, has);
    Announced { wanted, inputs, outputs }
}

/// Judges the claim that an environment makes every system fail.
///
/// # Errors
/// Why it is not shown.
pub fn judge_unrealizable(spec: &mut Spec, environment: &Json) -> Result<(), String> {
    let machine = environment_of(spec, environment)?;
    let fails = spec.formulas.not(spec.requirement);
    judged(verify(&mut spec.formulas, &machine, fails, CLAIM))
}

/// Judges the claim that no system can have the fault of a demand.
///
/// # Errors
/// Why it is not shown.
pub fn judge_impossible(spec: &mut Spec, demand: &Demand, shown: &Impossible) -> Result<(), String> {
    match shown {
        Impossible::NoRun => {
            let both = spec.formulas.binary(Binary::And, demand.correct, demand.model);
            let never = spec.formulas.not(both);
            judged(verify(&mut spec.formulas, &anything(), never, RUN))
        }
        Impossible::Against(environment) => {
            let game = announced(spec, demand);
            let machine = environment_of(spec, environment)?;
            let fails = spec.formulas.not(game.wanted);
            judged(verify(&mut spec.formulas, &machine, fails, CLAIM))
        }
    }
}

fn judged(judgement: Judgement) -> Result<(), String> {
    match judgement {
        Judgement::Satisfied => Ok(()),
        Judgement::Violated(_) => Err("some system has a run with the fault".to_owned()),
        Judgement::Unknown => Err("the machine is too large to be judged".to_owned()),
    }
}

/// A machine that sets inputs only, before it sees what a system does.
fn environment_of(spec: &mut Spec, json: &Json) -> Result<Machine, String> {
    let machine = Machine::from_json(json, &mut spec.formulas)?;
    let inputs = spec.atoms_with(Role::Input);
    if machine.kind != Target::Moore {
        return Err("an environment is a Moore machine: systems answer it in the same step".to_owned());
    }
    match machine.sets.iter().find(|atom| !inputs.contains(atom)) {
        Some(atom) => Err(format!("an environment cannot set `{}`", spec.formulas.atom_name(*atom))),
        None => Ok(machine),
    }
}

/// Whether the fault of a demand shows in some run with a strategy; true where nobody knows.
pub fn provokes(spec: &mut Spec, machine: &Machine, demand: &Demand) -> bool {
    let never = spec.formulas.not(demand.possible);
    verify(&mut spec.formulas, machine, never, RUN) != Judgement::Satisfied
}

/// Whether a system, with correct values in place of what it shows, has a run with the fault of a demand.
pub fn has_run_with(spec: &mut Spec, system: &Machine, demand: &Demand) -> bool {
    let never = spec.formulas.not(demand.model);
    let system = shadowed(system, &demand.shadows);
    matches!(verify(&mut spec.formulas, &system, never, RUN), Judgement::Violated(_))
}

/// A machine that leaves everything free.
fn anything() -> Machine {
    let taken = Move { guard: Vec::new(), sets: Vec::new(), target: 0 };
    Machine { kind: Target::Moore, reads: Vec::new(), sets: Vec::new(), states: vec![State { moves: vec![taken] }] }
}

/// A system that sets the correct values of some signals in place of the signals.
fn shadowed(system: &Machine, shadows: &[(AtomId, AtomId)]) -> Machine {
    let renamed = |atom: AtomId| shadows.iter().find(|(own, _)| *own == atom).map_or(atom, |(_, shadow)| *shadow);
    let mut system = system.clone();
    system.sets.iter_mut().for_each(|atom| *atom = renamed(*atom));
    for taken in system.states.iter_mut().flat_map(|state| &mut state.moves) {
        taken.sets.iter_mut().for_each(|(atom, _)| *atom = renamed(*atom));
    }
    system
}
