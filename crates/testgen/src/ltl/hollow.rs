//! Demands that ask for nothing: where no system satisfies the specification, or none can have the fault, every machine
//! is a strategy, and none is evidence.

use std::sync::OnceLock;

use ltl::automaton::Limits;
use ltl::faults::Demand;
use ltl::{AtomId, Judgement, Machine, Role, Spec, Target, verify};

use super::realizable::{Answer, Budget, decide};

/// What is known about hollow demands, each asked for once.
pub(crate) struct Hollow {
    specification: OnceLock<Vacuity>,
    /// For every demand why no system can have its fault.
    faults: Vec<OnceLock<Option<String>>>,
}

/// Whether the specification can be implemented.
pub(crate) struct Vacuity {
    /// Why it cannot.
    pub reason: Option<String>,
    /// Systems that were found to satisfy it.
    pub systems: Vec<Machine>,
}

/// What it may cost to believe that a system satisfies the specification.
const BELIEF: Limits = Limits { states: 200_000, nodes: 10_000_000, deadline: None };

impl Hollow {
    /// Nothing is known about so many demands.
    pub(super) fn new(demands: usize) -> Hollow {
        Hollow { specification: OnceLock::new(), faults: (0..demands).map(|_| OnceLock::new()).collect() }
    }

    /// Whether any system satisfies the specification. `known` are said to, as machines in JSON.
    pub(super) fn specification(&self, spec: &mut Spec, known: &[serde_json::Value], budget: Budget) -> &Vacuity {
        self.specification.get_or_init(|| {
            let mut systems = Vec::new();
            for system in known {
                let Ok(system) = Machine::from_json(system, &mut spec.formulas) else { continue };
                if verify(&mut spec.formulas, &system, spec.requirement, BELIEF) == Judgement::Satisfied {
                    systems.push(system);
                }
            }
            if !systems.is_empty() {
                return Vacuity { reason: None, systems };
            }
            let (inputs, outputs) = sides(spec, []);
            match decide(&mut spec.formulas, spec.requirement, &inputs, &outputs, Target::Mealy, budget) {
                Answer::Unrealizable(machine) => {
                    let states = machine.states.len();
                    let reason = format!(
                        "no system satisfies the specification: an environment of {states} states makes every one fail"
                    );
                    Vacuity { reason: Some(reason), systems }
                }
                Answer::Realizable(system) => Vacuity { reason: None, systems: vec![system] },
                Answer::Unknown(_) | Answer::Disagreement(_) => Vacuity { reason: None, systems },
            }
        })
    }

    /// Why no system can have the fault of a demand, which is at a place among all.
    pub(super) fn fault(&self, spec: &mut Spec, place: usize, demand: &Demand, budget: Budget) -> Option<String> {
        let reason = self.faults[place].get_or_init(|| {
            let own: Vec<AtomId> = spec.formulas.atoms_of([demand.possible]);
            let (inputs, outputs) = sides(spec, own);
            match decide(&mut spec.formulas, demand.possible, &inputs, &outputs, Target::Mealy, budget) {
                Answer::Unrealizable(_) => Some("no system can have this fault".to_owned()),
                Answer::Realizable(_) | Answer::Unknown(_) | Answer::Disagreement(_) => None,
            }
        });
        reason.clone()
    }
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
