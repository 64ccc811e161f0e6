//! Test strategies as a subject: goals are faults, tests are machines that expose them in every implementation.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use ltl::automaton::Limits;
use ltl::faults::{Demand, Fault};
use ltl::symmetry::Renaming;
use ltl::{
    AtomId, Frequency, Grounds, Judgement, Lasso, Letter, Machine, Move, Role, Spec, State, Target, generalise,
    holds_on_lasso, verify,
};
use serde_json::json;
use smt_sat::sat;
use source::Source;
use testcase::{Goal, GoalStatus, Inputs, Location, ObligationId, TestCase};

use super::bounded::{Bounded, Found};
use super::hollow::Hollow;
use super::inductive::{Inductive, Style};
use super::mirror::Mirrors;
use super::pace::stretched;
use super::pursuit::{Pursued, Pursuit, Sides, share};
use super::realizable::{Answer, Budget, decide};
use crate::backend::Backend;
use crate::subject::{Engine, Finding, Reason, Replay, Replayed, Subject, Witness};
use crate::{Options, SearchError};

/// Faults of a specification, to be exposed by strategies.
pub struct StrategySubject {
    spec: Spec,
    goals: Vec<Goal>,
    /// For every obligation what strategies must satisfy.
    demands: Vec<Wanted>,
    /// Whether strategies leave inputs free that do not matter.
    general: bool,
    /// The most megabytes of decision diagrams.
    memory: Option<u64>,
    /// Systems that are said to satisfy the specification, as machines in JSON.
    systems: Vec<serde_json::Value>,
    /// Which demands ask for nothing.
    hollow: Hollow,
    /// Which faults are the same up to a symmetry.
    mirrors: Mirrors,
}

/// What an obligation asks for: a strategy for a demand that is inside none of the earlier strategies of its fault.
struct Wanted {
    /// The fault.
    label: String,
    fault: usize,
    /// How many strategies of the fault come before it.
    rank: usize,
    demand: Demand,
}

/// The largest strategies that are looked for where the user names no bound.
pub const USUAL_BOUND: u32 = 4;

/// Strategies up to this size are tried before the game is.
const SMALL: usize = 2;

/// The largest strategies that are looked for from counterexamples.
const INDUCED: usize = 4;

/// The longest sequences of steps that repeat what was seen, without waiting and with it.
const LONGEST: usize = 4;
const LONGEST_WAITING: usize = 4;

/// In how many other states known systems are started.
const MOST_STARTS: usize = 8;

/// How long one fault at one frequency is worked on where the user names no time.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// A fault that is exposed already is looked for at lower frequencies with this part of the time.
const BETTER: u32 = 3;

/// What the judge may cost for one strategy and one formula.
const JUDGE: Limits = Limits { states: 200_000, nodes: 10_000_000, deadline: None };

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

    fn faults(&self) -> usize {
        self.demands.iter().map(|wanted| wanted.fault + 1).max().unwrap_or(0)
    }

    /// Whether a strategy that satisfies a demand is evidence of anything: every machine satisfies a hollow one.
    fn evident(&self, spec: &mut Spec, place: usize) -> bool {
        let budget = || Budget::new(Some(Instant::now() + USUAL_TIME / 6), self.memory);
        let place = self.twin(place).unwrap_or(place);
        self.hollow.specification(spec, &self.systems, budget()).reason.is_none()
            && self.hollow.fault(spec, place, &self.demands[place].demand, budget()).is_none()
    }
}

impl StrategySubject {
    /// The demand of an earlier fault that a demand is the same as, up to a symmetry.
    fn twin(&self, place: usize) -> Option<usize> {
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
        let bound = if options.bound.0 == 0 { USUAL_BOUND } else { options.bound.0 };
        Ok(Some(Box::new(Synthesis {
            subject: self,
            spec: self.spec.clone(),
            bound,
            time: options.goal_timeout.unwrap_or(USUAL_TIME),
            memory: self.memory,
            deadline: backend.deadline,
            interrupt: backend.interrupt.clone(),
            known: Vec::new(),
            exposed: vec![false; self.faults()],
            grounds: Grounds::of(&self.spec.formulas, self.spec.requirement),
            systems: Vec::new(),
            settled: BTreeMap::new(),
        })))
    }

    fn replay(&self) -> Box<dyn Replay + '_> {
        let faults = self.faults();
        Box::new(Judge {
            subject: self,
            spec: self.spec.clone(),
            met: vec![Vec::new(); self.demands.len()],
            several: self.demands.iter().any(|wanted| 0 < wanted.rank),
            grounds: Grounds::of(&self.spec.formulas, self.spec.requirement),
            chosen: vec![Vec::new(); faults],
            held: vec![Vec::new(); faults],
            run: 0,
        })
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
        self.demands[obligation.0 as usize].demand.frequency.map(Frequency::symbol)
    }

    fn explain(&self, obligation: ObligationId, _core: &[Reason]) -> String {
        format!("no strategy exposes {}", self.demands[obligation.0 as usize].label)
    }
}

struct Judge<'a> {
    subject: &'a StrategySubject,
    spec: Spec,
    /// For every obligation the tests that meet it.
    met: Vec<Vec<u32>>,
    /// Whether faults have several strategies: then each obligation has one test, since others would change their order.
    several: bool,
    grounds: Grounds,
    /// For every fault the guarantees that it was judged with.
    chosen: Vec<Vec<usize>>,
    /// For every fault the strategies that count for it, in order.
    held: Vec<Vec<Machine>>,
    run: u32,
}

impl Judge<'_> {
    /// For every obligation whether every run of a strategy satisfies its demand. A fault that shows more often is
    /// exposed more easily: if it is not exposed always, it is not exposed at times either.
    ///
    /// `search` is judged in place of `claim`: they are equivalent for a machine that does not see the correct values.
    /// Where a fault does not mention them, a run that refutes `search` refutes `claim` with the correct values equal to
    /// those that are shown; where a permanent fault determines them, they are what is put in their place.
    fn satisfied(&mut self, machine: &Machine) -> Vec<bool> {
        let demands = &self.subject.demands;
        let mut met = vec![false; demands.len()];
        let mut of_fault: Vec<Vec<usize>> = vec![Vec::new(); self.held.len()];
        for (place, wanted) in demands.iter().enumerate().filter(|(_, wanted)| wanted.rank == 0) {
            of_fault[wanted.fault].push(place);
        }
        for places in &of_fault {
            let strength = |place: &usize| demands[*place].demand.frequency;
            let ordered = places.iter().all(|place| strength(place).is_some()) && places.is_sorted_by_key(strength);
            for &place in places.iter().rev() {
                let (formulas, demand) = (&mut self.spec.formulas, &demands[place].demand);
                let chosen = &mut self.chosen[demands[place].fault];
                met[place] = self.grounds.judge(formulas, machine, demand, chosen, JUDGE) == Judgement::Satisfied
                    && self.subject.evident(&mut self.spec, place);
                if ordered && !met[place] {
                    break;
                }
            }
        }
        // Further strategies of a fault have the same demands.
        let mut number = 0;
        for place in 0..demands.len() {
            let same = place.checked_sub(1).is_some_and(|before| {
                demands[before].fault == demands[place].fault && demands[before].rank == demands[place].rank
            });
            number = if same { number + 1 } else { 0 };
            met[place] = met[of_fault[demands[place].fault][number]];
        }
        met
    }

    /// Which of the faults that a strategy is the first for it exposes as another strategy does an earlier fault.
    fn by_symmetry(&self, machine: &Machine, new: &[bool]) -> serde_json::Map<String, serde_json::Value> {
        let plain = Renaming::default().machine(machine);
        let label = |fault: usize| self.subject.demands.iter().find(|wanted| wanted.fault == fault).map(|w| &w.label);
        let mut found = serde_json::Map::new();
        for fault in (0..new.len()).filter(|fault| new[*fault]) {
            let Some(mirror) = self.subject.mirrors.get(fault) else { continue };
            let is_same = self.held[mirror.fault]
                .iter()
                .any(|other| Renaming::default().machine(other) != plain && mirror.renaming.machine(other) == plain);
            if let (true, Some(own), Some(other)) = (is_same, label(fault), label(mirror.fault)) {
                found.insert(own.clone(), json!(other));
            }
        }
        found
    }

    fn machine(&mut self, inputs: &Inputs) -> Result<Machine, String> {
        let Inputs::Document(document) = inputs else { return Err("a strategy is a machine".to_owned()) };
        let machine = Machine::from_json(document, &mut self.spec.formulas)?;
        if machine.kind != Target::Moore {
            return Err("a strategy is a Moore machine: it sets inputs before it sees outputs".to_owned());
        }
        let seen = self.spec.atoms_with(Role::Output);
        let set = self.spec.atoms_with(Role::Input);
        if let Some(atom) = machine.reads.iter().find(|atom| !seen.contains(atom)) {
            return Err(format!("a strategy cannot see `{}`", self.spec.formulas.atom_name(*atom)));
        }
        if let Some(atom) = machine.sets.iter().find(|atom| !set.contains(atom)) {
            return Err(format!("a strategy cannot set `{}`", self.spec.formulas.atom_name(*atom)));
        }
        Ok(machine)
    }
}

impl Replay for Judge<'_> {
    fn run(&mut self, inputs: &Inputs) -> Replayed {
        let number = self.run;
        self.run += 1;
        let mut met = Vec::new();
        let mut notes = IndexMap::new();
        let objection = match self.machine(inputs) {
            Err(objection) => Some(objection),
            Ok(machine) => {
                notes.insert("states".to_owned(), json!(machine.states.len()));
                let mut exposes = serde_json::Map::new();
                let mut new = vec![false; self.held.len()];
                let satisfied = self.satisfied(&machine);
                for (place, wanted) in self.subject.demands.iter().enumerate() {
                    let (label, demand) = (&wanted.label, &wanted.demand);
                    // How many strategies of the fault came before this one, which is inside none of them.
                    let held = &self.held[wanted.fault];
                    let rank = held.len() - usize::from(new[wanted.fault]);
                    let counts = new[wanted.fault] || !held.iter().any(|other| machine.is_inside(other));
                    if rank != wanted.rank && wanted.rank != 0 {
                        continue;
                    }
                    if !satisfied[place] {
                        continue;
                    }
                    // Frequencies come weakest first: the first one that is met is the best.
                    let symbol = demand.frequency.map_or("model", |frequency| frequency.symbol());
                    exposes.entry(label.clone()).or_insert_with(|| json!(symbol));
                    if counts && !new[wanted.fault] {
                        new[wanted.fault] = true;
                        self.held[wanted.fault].push(machine.clone());
                    }
                    if wanted.rank == 0 || counts && rank == wanted.rank {
                        if self.met[place].is_empty() {
                            met.push(ObligationId(place as u32));
                        }
                        if self.met[place].is_empty() || !self.several {
                            self.met[place].push(number);
                        }
                    }
                }
                notes.insert("exposes".to_owned(), exposes.into());
                let symmetric = self.by_symmetry(&machine, &new);
                if !symmetric.is_empty() {
                    notes.insert("by_symmetry".to_owned(), symmetric.into());
                }
                None
            }
        };
        Replayed { test: TestCase { inputs: inputs.clone(), expected: IndexMap::new(), notes }, met, objection }
    }

    fn witnesses(&self) -> Vec<Witness> {
        let witness = |place: usize, test: u32| Witness { obligation: ObligationId(place as u32), tests: vec![test] };
        let each = self.met.iter().enumerate();
        each.flat_map(|(place, tests)| tests.iter().map(move |test| witness(place, *test))).collect()
    }
}

/// The search: for each fault and frequency the game with full information, then the smallest machine that sees only
/// what a tester sees.
struct Synthesis<'a> {
    subject: &'a StrategySubject,
    spec: Spec,
    bound: u32,
    time: Duration,
    memory: Option<u64>,
    deadline: Option<Instant>,
    interrupt: smt::Interrupt,
    /// The strategies found so far, with their faults.
    known: Vec<(usize, Machine)>,
    /// Which faults some strategy exposes, at whatever frequency.
    exposed: Vec<bool>,
    /// The specification, taken apart.
    grounds: Grounds,
    /// Systems that satisfy the specification, found on the way.
    systems: Vec<Machine>,
    /// What was found out about demands, for those that are the same up to a symmetry.
    settled: BTreeMap<usize, Settled>,
}

/// What was found out about a demand.
enum Settled {
    /// A strategy.
    Exposed(Machine),
    /// A system that has the fault and hides it.
    Hidden(Machine),
    /// Something else.
    Closed(GoalStatus),
}

impl Engine for Synthesis<'_> {
    fn round(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let Some(&obligation) = open.iter().min() else { return Ok(Vec::new()) };
        if self.interrupt.is_raised() || self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return Ok(vec![Finding::Finished("the time is over".to_owned())]);
        }
        if let Some(reason) = self.vacuous() {
            let closed =
                |obligation: &ObligationId| Finding::Closed(*obligation, GoalStatus::Infeasible(reason.clone()));
            return Ok(open.iter().map(closed).collect());
        }
        let finding = self.mirrored(obligation).unwrap_or_else(|| self.work(obligation));
        let place = obligation.0 as usize;
        match &finding {
            Finding::Inputs { .. } => {
                if let Some((_, machine)) = self.known.last() {
                    self.settled.insert(place, Settled::Exposed(machine.clone()));
                }
            }
            Finding::Closed(_, status) => {
                self.settled.entry(place).or_insert_with(|| Settled::Closed(status.clone()));
            }
            Finding::Finished(_) => {}
        }
        Ok(vec![finding])
    }

    fn met(&mut self, obligations: &[ObligationId]) {
        for obligation in obligations {
            self.exposed[self.subject.demands[obligation.0 as usize].fault] = true;
        }
    }
}

impl Synthesis<'_> {
    fn budget(&self) -> Budget {
        let own = Instant::now() + stretched(self.time);
        Budget::new(Some(self.deadline.map_or(own, |deadline| deadline.min(own))), self.memory)
    }

    fn signals(&self) -> (Vec<AtomId>, Vec<AtomId>, Vec<AtomId>) {
        let with = |role| self.spec.atoms_with(role);
        (with(Role::Input), with(Role::Output), with(Role::Hidden))
    }

    /// Why there is nothing to test: no system satisfies the specification.
    fn vacuous(&mut self) -> Option<String> {
        let budget = share(self.budget(), 6);
        let vacuity = self.subject.hollow.specification(&mut self.spec, &self.subject.systems, budget);
        if self.systems.is_empty() {
            self.systems.extend(vacuity.systems.iter().cloned());
        }
        vacuity.reason.clone()
    }

    /// What is known by symmetry with an earlier fault. Renamed machines are judged once more before they are believed.
    fn mirrored(&mut self, obligation: ObligationId) -> Option<Finding> {
        let place = obligation.0 as usize;
        let twin = self.subject.twin(place)?;
        let Wanted { demand, fault, .. } = &self.subject.demands[place];
        let renaming = &self.subject.mirrors.get(*fault)?.renaming;
        let words = format!("by symmetry with {}", self.subject.demands[twin].label);
        let candidates: Vec<Machine> = match self.settled.get(&twin) {
            Some(Settled::Exposed(machine)) => vec![machine.clone()],
            Some(Settled::Hidden(system)) => {
                let system = renaming.machine(system);
                let hides = self.spec.formulas.not(demand.search);
                if verify(&mut self.spec.formulas, &system, hides, JUDGE) != Judgement::Satisfied {
                    return None;
                }
                return match self.refuted(obligation, demand, &system) {
                    Finding::Closed(obligation, status) => {
                        Some(Finding::Closed(obligation, with_words(status, &words)))
                    }
                    other @ (Finding::Inputs { .. } | Finding::Finished(_)) => Some(other),
                };
            }
            Some(Settled::Closed(status)) => {
                return Some(Finding::Closed(obligation, with_words(status.clone(), &words)));
            }
            // A strategy for something else exposed it.
            None => self.known.iter().map(|(_, machine)| machine.clone()).collect(),
        };
        let limits = Limits { deadline: share(self.budget(), 12).deadline, ..JUDGE };
        let mut chosen = Vec::new();
        let machine = candidates.iter().map(|machine| renaming.machine(machine)).find(|machine| {
            let formulas = &mut self.spec.formulas;
            self.grounds.judge(formulas, machine, demand, &mut chosen, limits) == Judgement::Satisfied
        })?;
        Some(self.found(obligation, &machine))
    }

    fn work(&mut self, obligation: ObligationId) -> Finding {
        let Wanted { demand, fault, rank, .. } = &self.subject.demands[obligation.0 as usize];
        let (demand, rank, fault) = (demand.clone(), *rank, *fault);
        let excluded: Vec<Machine> = self
            .known
            .iter()
            .filter(|(other, _)| 0 < rank && *other == fault)
            .map(|(_, machine)| machine.clone())
            .collect();
        let sides = self.sides(&demand);
        let better = rank == 0 && self.exposed[fault];
        let budget = if better { share(self.budget(), BETTER) } else { self.budget() };
        let hollow = &self.subject.hollow;
        if let Some(reason) = hollow.fault(&mut self.spec, obligation.0 as usize, &demand, share(budget, 6)) {
            return Finding::Closed(obligation, GoalStatus::Infeasible(reason));
        }
        if let Some(system) = self.hidden(&demand, &sides) {
            return self.refuted(obligation, &demand, &system);
        }
        let mut largest = self.bound as usize;
        let mut fallback: Option<Machine> = None;
        let mut small = 1;
        let mut lessons = Inductive::new(&mut self.spec.formulas, &demand, &self.grounds, &sides.sees, &sides.sets);
        if rank == 0 {
            // One state comes first: such strategies expose much besides. Then what the game answers at once, then small machines,
            // then the game with more time.
            if let Found::Machine(machine) = self.induced(&mut lessons, 1, Style::Plain, share(budget, 12)) {
                return self.found(obligation, &machine);
            }
            for part in [12, 3] {
                if fallback.is_none() {
                    match self.pursuit(&demand, &sides, share(budget, part)).run() {
                        Pursued::Caught(machine) => {
                            largest = largest.min(machine.states.len().saturating_sub(1));
                            fallback = Some(machine);
                        }
                        Pursued::Hidden(system) => {
                            if demand.keep.is_none() {
                                self.systems.push(system.clone());
                            }
                            return self.refuted(obligation, &demand, &system);
                        }
                        Pursued::Open => {}
                    }
                }
                for count in small..=largest.min(SMALL) {
                    match self.induced(&mut lessons, count, Style::Plain, share(budget, 3)) {
                        Found::Machine(machine) => return self.found(obligation, &machine),
                        Found::None => {}
                        Found::Unknown => break,
                    }
                }
                small = SMALL + 1;
            }
        }
        if let Some(machine) = fallback.take_if(|_| largest == 0) {
            return self.found(obligation, &machine);
        }
        let large = fallback.as_ref().is_none_or(|machine| self.bound as usize + LONGEST < machine.states.len());
        if rank == 0 && large && lessons.may_repeat() {
            let repeating = self.repeating(&mut lessons, share(budget, 2));
            let smaller = |machine: &Machine| {
                fallback.as_ref().is_none_or(|fallback| machine.states.len() < fallback.states.len())
            };
            if let Some(machine) = repeating.filter(smaller) {
                return self.found(obligation, &machine);
            }
        }
        if rank == 0 {
            for count in SMALL + 1..=largest.min(INDUCED) {
                match self.induced(&mut lessons, count, Style::Plain, share(budget, 3)) {
                    Found::Machine(machine) => return self.found(obligation, &machine),
                    Found::None => {}
                    Found::Unknown => break,
                }
            }
        }
        // With all guarantees: small machines first, then the game, then larger machines.
        let limits = share(budget, if fallback.is_some() { 8 } else { 4 }).limits();
        let mut search = Bounded::new(&mut self.spec.formulas, demand.search, &sides.sees, &sides.sets, limits);
        if let (None, 1.., Some(system)) = (&search, rank, self.systems.first()) {
            // Other strategies are those that do something else when they meet a system that is known.
            for machine in &excluded {
                lessons.exclude(machine, system);
            }
            for count in 1..=largest.min(INDUCED) {
                match self.induced(&mut lessons, count, Style::Plain, share(budget, 3)) {
                    Found::Machine(machine) => return self.found(obligation, &machine),
                    Found::None => {}
                    Found::Unknown => break,
                }
            }
        }
        let mut tried = 0;
        while tried < largest.min(SMALL) {
            match self.bounded(search.as_mut(), tried + 1, &excluded, share(budget, 3)) {
                Found::Machine(machine) => return self.found(obligation, &machine),
                Found::None => tried += 1,
                Found::Unknown => break,
            }
        }
        if fallback.is_none() {
            let game = share(budget, 2);
            let formulas = &mut self.spec.formulas;
            match decide(formulas, demand.search, &sides.system, &sides.sets, Target::Moore, game) {
                Answer::Unrealizable(system) => return self.refuted(obligation, &demand, &system),
                Answer::Realizable(machine) if sides.sees.len() == sides.system.len() && rank == 0 => {
                    fallback = Some(Machine { reads: sides.sees.clone(), ..machine });
                }
                Answer::Realizable(_) | Answer::Unknown(_) | Answer::Disagreement(_) => {}
            }
            if fallback.is_none() && rank == 0 {
                // Counting needs no bound on the states, and what is not seen never enters a move.
                fallback = self.pursuit(&demand, &sides, share(budget, 2)).counted(demand.search);
            }
            if let Some(machine) = &fallback {
                largest = largest.min(machine.states.len().saturating_sub(1));
            }
        }
        for count in tried + 1..=largest {
            match self.bounded(search.as_mut(), count, &excluded, share(budget, 1)) {
                Found::Machine(machine) => return self.found(obligation, &machine),
                Found::None => {}
                Found::Unknown => {
                    let reason = format!("no answer within the budget for strategies of size {count}");
                    return self.end(obligation, fallback, reason);
                }
            }
        }
        match fallback {
            Some(machine) => self.found(obligation, &machine),
            None => {
                let words = if rank == 0 { "strategies" } else { "other strategies" };
                Finding::Closed(obligation, GoalStatus::InfeasibleUpTo(format!("{words} of {largest} states")))
            }
        }
    }

    fn sides(&self, demand: &Demand) -> Sides {
        let (sets, sees, hidden) = self.signals();
        let mut system: Vec<AtomId> = sees.iter().chain(&hidden).copied().collect();
        let unseen = self.spec.formulas.atoms_of([demand.search]).into_iter();
        let unseen: Vec<AtomId> = unseen.filter(|atom| !sets.contains(atom) && !system.contains(atom)).collect();
        system.extend(unseen);
        Sides { sets, sees, system }
    }

    fn pursuit<'a>(&'a mut self, demand: &'a Demand, sides: &'a Sides, budget: Budget) -> Pursuit<'a> {
        Pursuit {
            formulas: &mut self.spec.formulas,
            grounds: &self.grounds,
            demand,
            sides,
            bound: self.bound as usize,
            budget,
            interrupt: &self.interrupt,
        }
    }

    /// A system found earlier that has this fault as well, and hides it. A fault that shows once may show in the first
    /// step, so systems are also started in states that show it.
    fn hidden(&mut self, demand: &Demand, sides: &Sides) -> Option<Machine> {
        let hides = self.spec.formulas.not(demand.search);
        for place in 0..self.systems.len() {
            let system = self.systems[place].clone();
            if !sides.system.iter().all(|atom| system.sets.contains(atom)) {
                continue;
            }
            let mut tried = vec![system];
            if demand.frequency == Some(Frequency::Once) {
                let system = &tried[0];
                let starts: Vec<Machine> = (1..system.states.len())
                    .filter(|state| self.shows(system, *state, demand))
                    .map(|state| started(system, state))
                    .take(MOST_STARTS)
                    .collect();
                tried.extend(starts);
            }
            for system in tried {
                if verify(&mut self.spec.formulas, &system, hides, JUDGE) == Judgement::Satisfied {
                    return Some(system);
                }
            }
        }
        None
    }

    /// Whether a system shows a fault in the first step, whatever it reads, when it begins in a state.
    fn shows(&self, system: &Machine, state: usize, demand: &Demand) -> bool {
        let formulas = &self.spec.formulas;
        let Some(kind) = demand.kind else { return false };
        system.states[state].moves.iter().all(|taken| {
            let letter = Letter::of(taken.sets.iter().filter(|(_, value)| *value).map(|(atom, _)| *atom));
            holds_on_lasso(formulas, kind, &Lasso { prefix: Vec::new(), cycle: vec![letter] })
        })
    }

    /// A strategy that repeats what it sees, a sequence of few steps, round and round.
    fn repeating(&mut self, lessons: &mut Inductive, budget: Budget) -> Option<Machine> {
        for (style, longest) in [(Style::Echoing, LONGEST), (Style::Waiting, LONGEST_WAITING)] {
            for count in 1..=longest {
                match self.induced(lessons, count, style, share(budget, 2)) {
                    Found::Machine(machine) => return Some(machine),
                    Found::None => {}
                    Found::Unknown => break,
                }
            }
        }
        None
    }

    fn induced(&mut self, lessons: &mut Inductive, count: usize, style: Style, budget: Budget) -> Found {
        let limit = sat::Budget { conflicts: None, deadline: budget.deadline, interrupt: self.interrupt.clone() };
        lessons.solve(&mut self.spec.formulas, count, style, &limit, Limits { deadline: budget.deadline, ..JUDGE })
    }

    /// A system has the fault and hides it from everyone.
    fn refuted(&mut self, obligation: ObligationId, demand: &Demand, system: &Machine) -> Finding {
        self.settled.insert(obligation.0 as usize, Settled::Hidden(system.clone()));
        let words = self.hides(system);
        let status = match demand.complete {
            true => GoalStatus::Infeasible(words),
            false => GoalStatus::InfeasibleUpTo(format!("one strategy for all systems: {words}")),
        };
        Finding::Closed(obligation, status)
    }

    fn bounded(&self, search: Option<&mut Bounded>, count: usize, excluded: &[Machine], budget: Budget) -> Found {
        let limit = sat::Budget { conflicts: None, deadline: budget.deadline, interrupt: self.interrupt.clone() };
        search.map_or(Found::Unknown, |search| search.solve(count, excluded, &limit))
    }

    /// A system that has a fault and hides it, in words; all of it if it is small.
    fn hides(&self, machine: &Machine) -> String {
        const SMALL: usize = 8;
        let words = format!("a system of {} states has the fault and never shows it", machine.states.len());
        let moves: usize = machine.states.iter().map(|state| state.moves.len()).sum();
        if moves <= SMALL { format!("{words}: {}", machine.to_words(&self.spec.formulas)) } else { words }
    }

    fn found(&mut self, obligation: ObligationId, machine: &Machine) -> Finding {
        let Wanted { demand, fault, .. } = &self.subject.demands[obligation.0 as usize];
        let (claim, fault) = (demand.claim, *fault);
        let general = match self.subject.general {
            true => generalise(&mut self.spec.formulas, machine, claim, JUDGE),
            false => machine.clone(),
        };
        let inputs = vec![Inputs::Document(general.to_json(&self.spec.formulas))];
        self.known.push((fault, general));
        Finding::Inputs { targets: vec![obligation], inputs }
    }

    fn end(&mut self, obligation: ObligationId, fallback: Option<Machine>, reason: String) -> Finding {
        match fallback {
            Some(machine) => self.found(obligation, &machine),
            None => Finding::Closed(obligation, GoalStatus::Unknown(reason)),
        }
    }
}

/// A status with words after its reason.
fn with_words(status: GoalStatus, words: &str) -> GoalStatus {
    match status {
        GoalStatus::Infeasible(reason) => GoalStatus::Infeasible(format!("{reason}, {words}")),
        GoalStatus::InfeasibleUpTo(reason) => GoalStatus::InfeasibleUpTo(format!("{reason}, {words}")),
        GoalStatus::Unknown(reason) => GoalStatus::Unknown(format!("{reason}, {words}")),
        other @ (GoalStatus::Covered | GoalStatus::OnlyUndefined { .. }) => other,
    }
}

/// A machine that begins in another state.
fn started(machine: &Machine, state: usize) -> Machine {
    let other = |place: usize| match place {
        0 => state,
        place if place == state => 0,
        place => place,
    };
    let mut started = machine.clone();
    started.states.swap(0, state);
    for taken in started.states.iter_mut().flat_map(|state| &mut state.moves) {
        taken.target = other(taken.target);
    }
    started
}
