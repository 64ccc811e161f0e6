//! Which demands ask for nothing, decided once by games that are limited in work; what is claimed is judged by `ltl::vacuity`.

use std::sync::OnceLock;

use ltl::faults::Demand;
use ltl::vacuity::{Impossible, announced, has_run_with, judge_impossible};
use ltl::{Judgement, Machine, Role, Spec, Target, verify};
use omega::Node;
use omega::automaton::Limits;

use super::effort;
use super::realizable::{Answer, quickly};

/// What is known about vacuous demands, each asked for once.
pub(crate) struct Vacuity {
    specification: OnceLock<Implementations>,
    /// For every demand what shows that no system can have its fault, if that is known.
    faults: Vec<OnceLock<Option<Impossible>>>,
}

/// Whether the specification can be implemented, as far as that is answered quickly.
pub(crate) struct Implementations {
    /// An environment that makes every system fail, as a machine in JSON.
    pub(crate) environment: Option<serde_json::Value>,
    /// Systems that were found to satisfy it.
    pub(crate) systems: Vec<Machine>,
}

/// Why a fault cannot be exposed that no system can have.
pub(super) const IMPOSSIBLE: &str = "no system can have this fault";

/// What it may cost to believe that a system satisfies the specification.
const BELIEF: Limits =
    Limits { states: effort::JUDGE_STATES.size(), nodes: effort::JUDGE_NODES.size(), deadline: None };

impl Vacuity {
    /// Nothing is known about so many demands.
    pub(super) fn new(demands: usize) -> Vacuity {
        Vacuity { specification: OnceLock::new(), faults: (0..demands).map(|_| OnceLock::new()).collect() }
    }

    /// Whether any system satisfies the specification. `known` are said to, as machines in JSON.
    pub(super) fn specification(&self, spec: &Spec, known: &[serde_json::Value]) -> &Implementations {
        self.specification.get_or_init(|| {
            // Whoever asks first, the answer comes from the same formulas.
            let spec = &mut spec.clone();
            let mut systems = Vec::new();
            for system in known {
                let Ok(system) = Machine::from_json(system, &mut spec.formulas) else { continue };
                if verify(&mut spec.formulas, &system, spec.requirement, BELIEF) == Judgement::Satisfied {
                    systems.push(system);
                }
            }
            if !systems.is_empty() {
                return Implementations { environment: None, systems };
            }
            let inputs = spec.atoms_with(Role::Input);
            let mut outputs = spec.atoms_with(Role::Output);
            outputs.extend(spec.atoms_with(Role::Hidden));
            match quickly(&mut spec.formulas, spec.requirement, &inputs, &outputs, Target::Mealy) {
                Answer::Unrealizable(machine) => {
                    Implementations { environment: Some(machine.to_json(&spec.formulas)), systems }
                }
                Answer::Realizable(system) => Implementations { environment: None, systems: vec![system] },
                Answer::Unkept { .. } | Answer::Unknown(_) | Answer::Disagreement(_) => {
                    Implementations { environment: None, systems }
                }
            }
        })
    }

    /// What shows that no system can have the fault of a demand, which is at a place among all: that no run has the fault of
    /// any system whose correct values satisfy the specification. A fault need not be possible whatever the inputs are.
    pub(super) fn fault(
        &self,
        spec: &Spec,
        place: usize,
        demand: &Demand,
        known: &[serde_json::Value],
    ) -> Option<&Impossible> {
        if demand.certain {
            return None;
        }
        let decided = self.faults[place].get_or_init(|| {
            let known = &self.specification(spec, known).systems;
            let spec = &mut spec.clone();
            let inputs = spec.atoms_with(Role::Input);
            let ordinary = !demand.shadows.iter().any(|(atom, _)| inputs.contains(atom));
            // A mutant is implemented by systems of its own.
            if ordinary
                && !matches!(spec.formulas.node(demand.model), Node::Constant(_))
                && known.iter().any(|system| has_run_with(spec, system, demand))
            {
                return None;
            }
            if judge_impossible(spec, demand, &Impossible::NoRun).is_ok() {
                return Some(Impossible::NoRun);
            }
            if effort::ANNOUNCED_INPUTS.size() < inputs.len() {
                return None;
            }
            let game = announced(spec, demand);
            match quickly(&mut spec.formulas, game.wanted, &game.inputs, &game.outputs, Target::Mealy) {
                Answer::Unrealizable(machine) => Some(Impossible::Against(machine.to_json(&spec.formulas))),
                Answer::Realizable(_) | Answer::Unkept { .. } | Answer::Unknown(_) | Answer::Disagreement(_) => None,
            }
        });
        decided.as_ref()
    }
}
