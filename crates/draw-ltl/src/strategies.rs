//! Test strategies as a subject: goals are faults, tests are machines that expose them in every implementation.

use std::time::Duration;

use ltl::faults::{Demand, Fault};
use ltl::{Frequency, Grounds, Judgement, Lasso, Letter, Machine, Move, Role, Spec, State, Target, verify};
use omega::automaton::Limits;
use omega::{AtomId, Formulas};
use source::Source;
use testcase::{Goal, GoalId, Inputs, Location, ObligationId};

use super::hollow::Hollow;
use super::mirror::Mirrors;
use super::strategy_judge::Judge;
use super::synthesis::Synthesis;
use search::Backend;
use search::{Engine, Reason, Replay, Subject};
use search::{Options, SearchError};

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
    pub(super) hollow: Hollow,
    /// Which faults are the same up to a symmetry.
    pub(super) mirrors: Mirrors,
}

/// What an obligation asks for: a strategy for a demand that is inside none of the earlier strategies of its fault.
pub(super) struct Wanted {
    /// The fault.
    pub(super) label: String,
    pub(super) fault: usize,
    /// How many strategies of the fault come before it.
    pub(super) rank: usize,
    pub(super) demand: Demand,
}

/// The largest strategies that are looked for where the user names no bound.
pub const USUAL_BOUND: u32 = 4;

/// How long one fault at one frequency is worked on where the user names no time.
pub(super) const USUAL_TIME: Duration = Duration::from_secs(60);

/// What the judge may cost for one strategy and one formula.
pub(super) const JUDGE: Limits = Limits { states: 200_000, nodes: 10_000_000, deadline: None };

impl StrategySubject {
    /// The subject of some faults of a specification.
    pub fn new(source: &Source, spec: Spec, faults: Vec<Fault>) -> StrategySubject {
        StrategySubject::several(source, spec, faults, 1)
    }

    /// The same, with several strategies for each fault, each of which does what none of those before it allows.
    pub fn several(source: &Source, mut spec: Spec, faults: Vec<Fault>, count: usize) -> StrategySubject {
        let mirrors = Mirrors::of(&mut spec, &faults);
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
            goals.push(Goal { key, label, location, alternatives, ordered: false });
        }
        let hollow = Hollow::new(demands.len());
        StrategySubject { spec, goals, demands, general: false, memory: None, systems: Vec::new(), hollow, mirrors }
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

    /// Whether a strategy that satisfies a demand is evidence of anything: every machine satisfies a hollow one.
    pub(super) fn evident(&self, spec: &mut Spec, place: usize) -> bool {
        let place = self.twin(place).unwrap_or(place);
        self.hollow.specification(spec, &self.systems).environment.is_none()
            && !self.hollow.fault(spec, place, &self.demands[place].demand, &self.systems)
    }
}

impl StrategySubject {
    /// The demand of an earlier fault that a demand is the same as, up to a symmetry.
    pub(super) fn twin(&self, place: usize) -> Option<usize> {
        let Wanted { fault, rank, .. } = self.demands[place];
        let mirror = self.mirrors.get(fault).filter(|_| rank == 0)?;
        let first = |fault: usize| self.demands.iter().position(|wanted| wanted.fault == fault);
        Some(first(mirror.fault)? + place - first(fault)?)
    }
}

impl Subject for StrategySubject {
    fn goals(&self) -> &[Goal] {
        &self.goals
    }

    fn obligation_count(&self) -> usize {
        self.demands.len()
    }

    fn engine(&self, backend: &Backend, options: &Options) -> Result<Option<Box<dyn Engine + '_>>, SearchError> {
        Ok(Some(Box::new(Synthesis::new(self, backend, options))))
    }

    fn replay(&self) -> Box<dyn Replay + '_> {
        Box::new(Judge::new(self))
    }

    fn random_inputs(&self, seed: u64, count: usize) -> Vec<Inputs> {
        // A few machines that set constants: judging one costs far more than running a test elsewhere.
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
        let few = count.min(8) as u64;
        (0..few).map(|number| Inputs::Document(machine(number).to_json(&self.spec.formulas))).collect()
    }

    fn prefers_earlier(&self, goal: &Goal) -> bool {
        // Which strategy is a further one depends on those before it: only the first is looked for again.
        let first = goal.alternatives.first().and_then(|alternative| alternative.first());
        first.is_some_and(|obligation| self.demands[obligation.0 as usize].rank == 0)
    }

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

    fn chain(&self, goal: GoalId) -> u32 {
        let first = self.goals[goal.0 as usize].alternatives.iter().flatten().next();
        first.map_or(goal.0, |obligation| self.demands[obligation.0 as usize].fault as u32)
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

    fn judge_evidence(&self, goal: GoalId, evidence: &serde_json::Value) -> Result<(), String> {
        let goal = &self.goals[goal.0 as usize];
        let manner = evidence["manner"].as_str();
        let places = goal.alternatives.iter().flatten();
        let place = places.copied().find(|obligation| self.manner(*obligation) == manner);
        let Some(place) = place else { return Err("it is about a frequency that nobody asked for".to_owned()) };
        let mut spec = self.spec.clone();
        let system = Machine::from_json(&evidence["system"], &mut spec.formulas)?;
        let inputs = spec.atoms_with(Role::Input);
        let foreign = |atom: &&AtomId| !inputs.contains(atom);
        if let Some(atom) = system.reads.iter().find(foreign) {
            return Err(format!("a system cannot read `{}`", spec.formulas.atom_name(*atom)));
        }
        if let Some(atom) = system.sets.iter().find(|atom| inputs.contains(atom)) {
            return Err(format!("a system cannot set `{}`", spec.formulas.atom_name(*atom)));
        }
        let hides = spec.formulas.not(self.demands[place.0 as usize].demand.search);
        match verify(&mut spec.formulas, &system, hides, JUDGE) {
            Judgement::Satisfied => Ok(()),
            Judgement::Violated(_) => Err("the system does not have the fault, or shows it".to_owned()),
            Judgement::Unknown => Err("the system is too large to be judged".to_owned()),
        }
    }

    fn explain(&self, obligation: ObligationId, _core: &[Reason]) -> String {
        format!("no strategy exposes {}", self.demands[obligation.0 as usize].label)
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
