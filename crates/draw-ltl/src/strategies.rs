//! Test strategies as a subject: goals are faults, tests are machines that expose them in every implementation.

use std::sync::Arc;

use ltl::faults::Fault;
use ltl::meter::{JUDGE, Meter, Wanted};
use ltl::vacuity::{Impossible, VacuityClaims, judge_impossible};
use ltl::{
    Frequency, Grounds, Judgement, Lasso, Letter, Machine, Move, Role, Spec, State, SymmetricFaults, Target, verify,
};
use omega::{AtomId, Formulas};
use source::Source;
use testcase::{Goal, GoalId, Inputs, Location, ObligationId, Pursuit};

use super::replay::StrategyReplay;
use super::synthesis::Synthesis;
use super::vacuity::Vacuity;
use search::{Abilities, Certifies, Describes};
use search::{Backend, Options, SearchError};
use search::{Bound, Replay, Searcher, Subject};

/// Faults of a specification, to be exposed by strategies.
pub struct StrategySubject {
    pub(super) spec: Spec,
    goals: Vec<Goal>,
    /// For every obligation what strategies must satisfy.
    pub(super) demands: Vec<Wanted>,
    /// Whether strategies leave inputs free that do not matter.
    pub(super) general: bool,
    /// The most megabytes of decision diagrams.
    pub(super) memory: Option<u64>,
    /// Systems that are said to satisfy the specification, as machines in JSON.
    pub(super) systems: Vec<serde_json::Value>,
    /// Which demands ask for nothing.
    pub(super) vacuity: Arc<Vacuity>,
    /// Which faults are the same up to a symmetry.
    pub(super) symmetric: SymmetricFaults,
}

/// The largest strategies that are looked for where the user names no bound.
pub const USUAL_BOUND: u32 = 4;

impl StrategySubject {
    /// The subject of some faults of a specification.
    pub fn new(source: &Source, spec: Spec, faults: Vec<Fault>) -> StrategySubject {
        StrategySubject::several(source, spec, faults, 1)
    }

    /// The same, with several strategies for each fault, each of which does what none of those before it allows.
    pub fn several(source: &Source, mut spec: Spec, faults: Vec<Fault>, count: usize) -> StrategySubject {
        let symmetric = SymmetricFaults::of(&mut spec, &faults);
        let mut demands = Vec::new();
        let mut goals = Vec::new();
        let ranked = faults.into_iter().enumerate().flat_map(|fault| (0..count).map(move |rank| (fault.clone(), rank)));
        for ((number, fault), rank) in ranked {
            let location = fault.span.map(|span| {
                let place = source.place(span.start);
                let text = source.slice(span).chars().take(60).collect();
                Location { line: place.line, column: place.column, text }
            });
            let mut alternatives = Vec::new();
            for demand in fault.demands {
                alternatives.push(vec![ObligationId(demands.len() as u32)]);
                demands.push(Wanted { label: fault.label.clone(), fault: number, rank, demand });
            }
            let (key, label) = match rank {
                0 => (fault.key, fault.label),
                _ => (format!("{}#{}", fault.key, rank + 1), format!("{}, strategy {}", fault.label, rank + 1)),
            };
            let goal = Goal::new(key, label, location, alternatives);
            // Which strategy is a further one depends on those before it: only the first is looked for again.
            let first = goals.len() - rank;
            goals.push(match rank {
                0 => goal.pursued(Pursuit::BestFirst),
                _ => goal.following(GoalId(first as u32)),
            });
        }
        let vacuity = Arc::new(Vacuity::new(demands.len()));
        StrategySubject { spec, goals, demands, general: false, memory: None, systems: Vec::new(), vacuity, symmetric }
    }

    /// The same, with at most so many megabytes of decision diagrams for one strategy.
    #[must_use]
    pub fn within(mut self, megabytes: u64) -> StrategySubject {
        self.memory = Some(megabytes);
        self
    }

    /// The same, with a system that is said to satisfy the specification: faults that it has and hides are not searched for
    /// long. It is judged before it is believed.
    #[must_use]
    pub fn knowing(mut self, system: serde_json::Value) -> StrategySubject {
        self.systems.push(system);
        self
    }

    /// The same, with strategies that leave inputs free where that costs nothing: algorithm 3 of Röck's thesis.
    #[must_use]
    pub fn generalised(mut self) -> StrategySubject {
        self.general = true;
        self
    }

    pub(super) fn faults(&self) -> usize {
        self.demands.iter().map(|wanted| wanted.fault + 1).max().unwrap_or(0)
    }

    /// The demand of an earlier fault that a demand is the same as, up to a symmetry.
    pub(super) fn twin(&self, place: usize) -> Option<usize> {
        ltl::meter::twin(&self.demands, &self.symmetric, place)
    }
}

impl VacuityClaims for StrategySubject {
    fn unrealizable(&self) -> Option<serde_json::Value> {
        self.vacuity.specification(&self.spec, &self.systems).environment.clone()
    }

    fn impossible(&self, place: usize) -> Option<Impossible> {
        let demand = &self.demands[place].demand;
        self.vacuity.fault(&self.spec, place, demand, &self.systems).cloned()
    }
}

impl Subject for StrategySubject {
    fn goals(&self) -> &[Goal] {
        &self.goals
    }

    fn obligation_count(&self) -> usize {
        self.demands.len()
    }

    fn searcher<'a>(&'a self, backend: &'a Backend, options: &Options) -> Result<Searcher<'a>, SearchError> {
        Ok(Searcher::Engine(Box::new(Synthesis::new(self, backend, options))))
    }

    fn replay(&self) -> Box<dyn Replay + '_> {
        Box::new(StrategyReplay(Meter::new(&self.spec, &self.demands, self, &self.symmetric)))
    }

    fn random_inputs(&self, seed: u64, count: usize, _bound: Bound) -> Vec<Inputs> {
        // A few machines that set constants: judging one costs far more than running a test elsewhere, and whoever has no time left asks
        // for few.
        let sets = self.spec.atoms_with(Role::Input);
        let machine = |number: u64| {
            let mut bits = seed.wrapping_add(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let literals = sets.iter().map(|atom| {
                bits = bits.rotate_left(23).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                (*atom, bits >> 63 == 1)
            });
            let taken = Move { guard: Vec::new(), sets: literals.collect(), target: 0 };
            let states = vec![State { moves: vec![taken] }];
            let reads = self.spec.atoms_with(Role::Output);
            Machine { kind: Target::Moore, reads, sets: sets.clone(), states }
        };
        let few = (count / 10).clamp(1, 8) as u64;
        (0..few).map(|number| Inputs::Document(machine(number).to_json(&self.spec.formulas))).collect()
    }

    fn abilities(&self) -> Abilities<'_> {
        Abilities { describes: Some(self), certifies: Some(self), ..Abilities::default() }
    }
}

impl Describes for StrategySubject {
    fn manner(&self, obligation: ObligationId) -> Option<&str> {
        let demand = &self.demands[obligation.0 as usize].demand;
        if demand.provoked || demand.certain {
            return demand.frequency.map(Frequency::symbol);
        }
        Some(match demand.frequency {
            None => "kept from showing",
            Some(Frequency::Once) => "F kept from showing",
            Some(Frequency::Repeatedly) => "GF kept from showing",
            Some(Frequency::Finally) => "FG kept from showing",
            Some(Frequency::Always) => "G kept from showing",
        })
    }

    fn counterexample(&self, goal: GoalId, inputs: &Inputs) -> Option<String> {
        let Inputs::Document(document) = inputs else { return None };
        let mut spec = self.spec.clone();
        let machine = Machine::from_json(document, &mut spec.formulas).ok()?;
        // The strongest frequency is the easiest one.
        let obligation = self.goals[goal.0 as usize].alternatives.iter().flatten().last()?;
        let demand = &self.demands[obligation.0 as usize].demand;
        let grounds = Grounds::of(&spec.formulas, spec.requirement);
        match grounds.judge(&mut spec.formulas, &machine, demand, &mut Vec::new(), JUDGE) {
            Judgement::Violated(lasso) => {
                let atoms = spec.formulas.atoms_of([demand.search]);
                Some(format!("a system hides the fault in the run {}", in_words(&spec.formulas, &atoms, &lasso)))
            }
            Judgement::Satisfied | Judgement::Unknown => None,
        }
    }
}

impl Certifies for StrategySubject {
    fn judge_evidence(&self, goal: GoalId, evidence: &serde_json::Value) -> Result<(), String> {
        let goal = &self.goals[goal.0 as usize];
        let manner = evidence["manner"].as_str();
        let places = goal.alternatives.iter().flatten();
        let place = places.copied().find(|obligation| self.manner(*obligation) == manner);
        let Some(place) = place else { return Err("it is about a frequency that nobody asked for".to_owned()) };
        let mut spec = self.spec.clone();
        let demand = &self.demands[place.0 as usize].demand;
        if let Some(shown) = impossible_of(evidence) {
            return judge_impossible(&mut spec, demand, &shown);
        }
        let system = Machine::from_json(&evidence["system"], &mut spec.formulas)?;
        let inputs = spec.atoms_with(Role::Input);
        let foreign = |atom: &&AtomId| !inputs.contains(atom);
        if let Some(atom) = system.reads.iter().find(foreign) {
            return Err(format!("a system cannot read `{}`", spec.formulas.atom_name(*atom)));
        }
        if let Some(atom) = system.sets.iter().find(|atom| inputs.contains(atom)) {
            return Err(format!("a system cannot set `{}`", spec.formulas.atom_name(*atom)));
        }
        let hides = spec.formulas.not(demand.search);
        match verify(&mut spec.formulas, &system, hides, JUDGE) {
            Judgement::Satisfied => Ok(()),
            Judgement::Violated(_) => Err("the system does not have the fault, or shows it".to_owned()),
            Judgement::Unknown => Err("the system is too large to be judged".to_owned()),
        }
    }

    fn not_shown(&self, goal: GoalId, evidence: &[serde_json::Value]) -> Vec<String> {
        let shown: Vec<Option<&str>> = evidence.iter().map(|evidence| evidence["manner"].as_str()).collect();
        let obligations = self.goals[goal.0 as usize].alternatives.iter().flatten();
        let manners = obligations.map(|obligation| self.manner(*obligation)).filter(|manner| !shown.contains(manner));
        manners.map(|manner| manner.unwrap_or("any time").to_owned()).collect()
    }
}

/// What a suite holds to show that no system can have a fault, in JSON.
pub(super) fn shown_of(impossible: &Impossible) -> (&'static str, serde_json::Value) {
    match impossible {
        Impossible::NoRun => ("runs", "none".into()),
        Impossible::Against(environment) => ("environment", environment.clone()),
    }
}

/// The same, read again; none if something else is shown.
fn impossible_of(evidence: &serde_json::Value) -> Option<Impossible> {
    match (&evidence["runs"], &evidence["environment"]) {
        (serde_json::Value::String(runs), _) if runs == "none" => Some(Impossible::NoRun),
        (_, environment @ serde_json::Value::Object(_)) => Some(Impossible::Against(environment.clone())),
        _ => None,
    }
}

/// A run in words: the values of its steps, and in brackets what repeats for ever.
fn in_words(formulas: &Formulas, atoms: &[AtomId], lasso: &Lasso) -> String {
    let step = |letter: &Letter| -> String {
        let literal =
            |atom: &AtomId| format!("{}{}", if letter.holds(*atom) { "" } else { "!" }, formulas.atom_name(*atom));
        atoms.iter().map(literal).collect::<Vec<_>>().join(" ")
    };
    let prefix: String = lasso.prefix.iter().map(|letter| format!("{}; ", step(letter))).collect();
    format!("{prefix}({})", lasso.cycle.iter().map(step).collect::<Vec<_>>().join("; "))
}
