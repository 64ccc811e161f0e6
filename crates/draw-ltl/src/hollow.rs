//! Demands that ask for nothing: where no system satisfies the specification, or no run of one can have the fault, every machine
//! is a strategy, and none is evidence.
//!
//! What is decided here is decided once, without a clock: search and judge see the same.

use std::sync::OnceLock;

use ltl::faults::Demand;
use ltl::{Judgement, Machine, Move, Role, Spec, State, Target, verify};
use omega::automaton::Limits;
use omega::{AtomId, Binary, Formula, Node, Unary};

use super::realizable::{Answer, glance};

/// What is known about hollow demands, each asked for once.
pub(crate) struct Hollow {
    specification: OnceLock<Vacuity>,
    /// For every demand whether no system can have its fault.
    faults: Vec<OnceLock<bool>>,
}

/// Whether the specification can be implemented, as far as that is seen at a glance.
pub(crate) struct Vacuity {
    /// An environment that makes every system fail.
    pub environment: Option<Machine>,
    /// Systems that were found to satisfy it.
    pub systems: Vec<Machine>,
}

/// Why a demand is hollow.
pub(super) const IMPOSSIBLE: &str = "no system can have this fault";

/// What it may cost to believe that a system satisfies the specification.
const BELIEF: Limits = Limits { states: 200_000, nodes: 10_000_000, deadline: None };

/// What it may cost to look for a run.
const LOOK: Limits = Limits { states: 20_000, nodes: 1_000_000, deadline: None };

/// With more inputs than this, systems that foresee their inputs are not looked for.
const MOST_FORESEEN: usize = 6;

impl Hollow {
    /// Nothing is known about so many demands.
    pub(super) fn new(demands: usize) -> Hollow {
        Hollow { specification: OnceLock::new(), faults: (0..demands).map(|_| OnceLock::new()).collect() }
    }

    /// Whether any system satisfies the specification. `known` are said to, as machines in JSON.
    pub(super) fn specification(&self, spec: &mut Spec, known: &[serde_json::Value]) -> &Vacuity {
        self.specification.get_or_init(|| {
            let mut systems = Vec::new();
            for system in known {
                let Ok(system) = Machine::from_json(system, &mut spec.formulas) else { continue };
                if verify(&mut spec.formulas, &system, spec.requirement, BELIEF) == Judgement::Satisfied {
                    systems.push(system);
                }
            }
            if !systems.is_empty() {
                return Vacuity { environment: None, systems };
            }
            let (inputs, outputs) = sides(spec, []);
            match glance(&mut spec.formulas, spec.requirement, &inputs, &outputs, Target::Mealy) {
                Answer::Unrealizable(machine) => Vacuity { environment: Some(machine), systems },
                Answer::Realizable(system) => Vacuity { environment: None, systems: vec![system] },
                Answer::Unkept { .. } | Answer::Unknown(_) | Answer::Disagreement(_) => {
                    Vacuity { environment: None, systems }
                }
            }
        })
    }

    /// Whether no system can have the fault of a demand, which is at a place among all: whether no run has the fault of
    /// any system whose correct values satisfy the specification. A fault need not be possible whatever the inputs are.
    pub(super) fn fault(&self, spec: &mut Spec, place: usize, demand: &Demand, known: &[serde_json::Value]) -> bool {
        if demand.certain {
            return false;
        }
        *self.faults[place].get_or_init(|| {
            let never = spec.formulas.not(demand.model);
            let shown = |spec: &mut Spec, system: &Machine| {
                let system = shadowed(system, &demand.shadows);
                matches!(verify(&mut spec.formulas, &system, never, LOOK), Judgement::Violated(_))
            };
            let inputs = spec.atoms_with(Role::Input);
            let ordinary = !demand.shadows.iter().any(|(atom, _)| inputs.contains(atom));
            // A mutant is implemented by systems of its own.
            if ordinary && !matches!(spec.formulas.node(demand.model), Node::Constant(_)) {
                let systems = self.specification(spec, known).systems.clone();
                if systems.iter().any(|system| shown(spec, system)) {
                    return false;
                }
            }
            let both = spec.formulas.binary(Binary::And, demand.correct, demand.model);
            let never = spec.formulas.not(both);
            if verify(&mut spec.formulas, &anything(), never, LOOK) == Judgement::Satisfied {
                return true;
            }
            MOST_FORESEEN >= inputs.len() && no_system_has(spec, demand)
        })
    }
}

/// Whether the environment wins a game in which a system says in every step which inputs it expects next, satisfies the correct
/// values whatever comes, and has the fault if all comes as it said. The first step is for what it says only.
fn no_system_has(spec: &mut Spec, demand: &Demand) -> bool {
    let atoms: Vec<AtomId> = spec.formulas.atoms_of([demand.correct, demand.model]);
    let (inputs, mut outputs) = sides(spec, atoms);
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
    matches!(glance(formulas, wanted, &inputs, &outputs, Target::Mealy), Answer::Unrealizable(_))
}

/// Whether the fault of a demand shows in some run with a strategy; true where nobody knows.
pub(super) fn provokes(spec: &mut Spec, machine: &Machine, demand: &Demand) -> bool {
    let never = spec.formulas.not(demand.possible);
    verify(&mut spec.formulas, machine, never, LOOK) != Judgement::Satisfied
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

/// What the environment sets and what a system sets, further signals included.
fn sides(spec: &Spec, further: impl IntoIterator<Item = AtomId>) -> (Vec<AtomId>, Vec<AtomId>) {
    let inputs = spec.atoms_with(Role::Input);
    let mut outputs = spec.atoms_with(Role::Output);
    outputs.extend(spec.atoms_with(Role::Hidden));
    outputs.extend(further.into_iter().filter(|atom| !inputs.contains(atom)));
    outputs.sort_unstable();
    outputs.dedup();
    (inputs, outputs)
}
