//! The search for strategies: for each fault and frequency the game with full information, then the smallest machine that sees
//! only what a tester sees.

use std::collections::BTreeMap;
use std::time::Instant;

use ltl::faults::{Demand, Premise};
use ltl::meter::{JUDGE, Wanted};
use ltl::vacuity::{Impossible, provokes};
use ltl::{
    Frequency, Grounds, Judgement, Lasso, Letter, Machine, Move, Role, Spec, State, Target, generalise, holds_on_lasso,
    verify,
};
use omega::automaton::Limits;
use omega::work::{Deadline, StopSignal, steps_in};
use omega::{AtomId, Formulas};
use testcase::{GoalStatus, Inputs, ObligationId};

use super::bounded::{Bounded, Found};
use super::effort;
use super::inductive::{Inductive, Style};
use super::realizable::{Answer, Budget, decide};
use super::reference::Reference;
use super::refinement::{GuaranteeRefinement, Refined, Sides, share};
use super::sat_budget::SatBudget;
use super::strategies::{StrategySubject, USUAL_BOUND, shown_of};
use super::vacuity::IMPOSSIBLE;
use search::Backend;
use search::{Describes, Engine, Finding};
use search::{Options, SearchError};

/// Strategies up to this size are tried before the game is.
const SMALL: usize = 2;

/// The largest strategies that are looked for from counterexamples.
const INDUCED: usize = 4;

/// The longest sequences of steps that repeat what was seen, without waiting and with it.
const LONGEST: usize = 4;
const LONGEST_WAITING: usize = 4;

/// With more inputs than this, strategies that set constants are not tried one by one.
const MOST_CONSTANT: usize = 5;

/// In how many other states known systems are started.
const MOST_STARTS: usize = 8;

/// A fault that is exposed already is looked for at lower frequencies with this part of the budget.
const BETTER: u64 = 12;

/// The part of the budget that a strategy found at once may take.
const SWIFT: u64 = 60;

/// The search in progress.
pub(super) struct Synthesis<'a> {
    subject: &'a StrategySubject,
    spec: Spec,
    bound: u32,
    /// The steps that one fault at one frequency may take.
    steps: u64,
    memory: Option<u64>,
    deadline: Option<Instant>,
    interrupt: smt::Interrupt,
    /// The strategies found so far.
    known: Vec<Machine>,
    /// For every fault the strategies that count for it, in order, as the judge has them.
    held: Vec<Vec<Machine>>,
    /// Which faults some strategy exposes, at whatever frequency.
    exposed: Vec<bool>,
    /// Which faults were looked at swiftly.
    tried_swiftly: Vec<bool>,
    /// The specification, taken apart.
    grounds: Grounds,
    /// Systems that satisfy the specification, found on the way.
    systems: Vec<Machine>,
    /// Whether it was asked whether the specification can be implemented.
    asked: bool,
    /// The game of the specification, once it was played, if the system is known to win it.
    reference: Option<Option<Box<Reference>>>,
    /// What was found out about demands, for those that are the same up to a symmetry.
    settled: BTreeMap<usize, Settled>,
}

/// What was found out about a demand.
enum Settled {
    /// A strategy.
    Exposed(Machine),
    /// A system that has the fault and hides it.
    Hidden(Machine),
    /// No system can have the fault.
    Impossible(Impossible),
    /// Something else.
    Closed(GoalStatus),
}

/// What a search for a strategy comes to.
enum Sought {
    Machine(Machine),
    Closed(Finding),
}

impl<'a> Synthesis<'a> {
    /// A search at its beginning.
    pub(super) fn new(subject: &'a StrategySubject, backend: &Backend, options: &Options) -> Synthesis<'a> {
        let faults = subject.faults();
        Synthesis {
            subject,
            spec: subject.spec.clone(),
            bound: if options.bound.0 == 0 { USUAL_BOUND } else { options.bound.0 },
            steps: options.goal_timeout.map_or(options.effort.of(effort::STRATEGY.amount), steps_in),
            memory: subject.memory,
            deadline: backend.deadline,
            interrupt: backend.interrupt.clone(),
            known: Vec::new(),
            held: vec![Vec::new(); faults],
            exposed: vec![false; faults],
            tried_swiftly: vec![false; faults],
            grounds: Grounds::of(&subject.spec.formulas, subject.spec.requirement),
            systems: Vec::new(),
            asked: false,
            reference: None,
            settled: BTreeMap::new(),
        }
    }
}

impl Engine for Synthesis<'_> {
    fn round(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let Some(&obligation) = open.iter().min() else { return Ok(Vec::new()) };
        if self.interrupt.is_raised() || self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return Ok(vec![Finding::Finished("the time is over".to_owned())]);
        }
        let (interrupt, end) = (self.interrupt.clone(), self.deadline);
        let signal = StopSignal::when(move || interrupt.is_raised() || end.is_some_and(|end| end <= Instant::now()));
        self.vacuous()?;
        let mut sorted = open.to_vec();
        sorted.sort_unstable();
        let finding = match sorted.into_iter().find_map(|obligation| self.swift(obligation)) {
            Some(finding) => finding,
            None => {
                self.implementable()?;
                self.by_symmetry(obligation).unwrap_or_else(|| self.work(obligation))
            }
        };
        drop(signal);
        if self.interrupt.is_raised() || end.is_some_and(|end| end <= Instant::now()) {
            // What was not finished is not known.
            return Ok(vec![Finding::Finished("the time is over".to_owned())]);
        }
        let place = obligation.0 as usize;
        match &finding {
            Finding::Inputs { targets, .. } => {
                for (target, machine) in targets.iter().zip(self.known.last()) {
                    self.settled.insert(target.0 as usize, Settled::Exposed(machine.clone()));
                }
            }
            Finding::Closed(_, status) => {
                self.settled.entry(place).or_insert_with(|| Settled::Closed(status.clone()));
            }
            Finding::Finished(_) => {}
        }
        Ok(vec![finding])
    }

    fn met(&mut self, inputs: &Inputs, obligations: &[ObligationId]) {
        let Inputs::Document(document) = inputs else { return };
        let Ok(machine) = Machine::from_json(document, &mut self.spec.formulas) else { return };
        for obligation in obligations {
            let Wanted { fault, rank, .. } = self.subject.demands[obligation.0 as usize];
            self.exposed[fault] = true;
            // The judge counts a strategy as the next one of its fault if it met what the next one should.
            if rank == self.held[fault].len() {
                self.held[fault].push(machine.clone());
            }
        }
    }

    fn evidence(&self, obligation: ObligationId) -> Option<serde_json::Value> {
        let place = obligation.0 as usize;
        let (key, machine) = match self.settled.get(&place)? {
            Settled::Hidden(system) => ("system", system.to_json(&self.spec.formulas)),
            Settled::Impossible(shown) => shown_of(shown),
            // What no first strategy does, no further one does.
            Settled::Closed(GoalStatus::Infeasible(_)) => match self.settled.get(&self.first_like(place))? {
                Settled::Hidden(system) => ("system", system.to_json(&self.spec.formulas)),
                Settled::Impossible(shown) => shown_of(shown),
                Settled::Exposed(_) | Settled::Closed(_) => return None,
            },
            Settled::Exposed(_) | Settled::Closed(_) => return None,
        };
        let mut shown = serde_json::Map::new();
        if let Some(manner) = self.subject.manner(obligation) {
            shown.insert("manner".to_owned(), manner.into());
        }
        shown.insert(key.to_owned(), machine);
        Some(shown.into())
    }
}

impl Synthesis<'_> {
    /// The same demand of the first strategy of a fault.
    fn first_like(&self, place: usize) -> usize {
        let Wanted { fault, rank, .. } = self.subject.demands[place];
        let first = |rank: usize| {
            let same = |wanted: &Wanted| wanted.fault == fault && wanted.rank == rank;
            self.subject.demands.iter().position(same).unwrap_or(place)
        };
        first(0) + place - first(rank)
    }

    fn budget(&self) -> Budget {
        Budget::new(Some(Deadline::after(self.steps)), self.memory)
    }

    fn signals(&self) -> (Vec<AtomId>, Vec<AtomId>, Vec<AtomId>) {
        let with = |role| self.spec.atoms_with(role);
        (with(Role::Input), with(Role::Output), with(Role::Hidden))
    }

    /// What is known without much work: whether there is nothing to test, since no system satisfies the specification.
    fn vacuous(&mut self) -> Result<(), SearchError> {
        let known = self.subject.vacuity.specification(&mut self.spec, &self.subject.systems);
        match &known.environment {
            Some(environment) => Err(pointless(environment.clone())),
            None => Ok(()),
        }
    }

    /// Looks for a system that satisfies the specification: it is asked first about every fault.
    ///
    /// # Errors
    /// When there is nothing to test.
    fn implementable(&mut self) -> Result<(), SearchError> {
        if std::mem::replace(&mut self.asked, true) {
            return Ok(());
        }
        let known = self.subject.vacuity.specification(&mut self.spec, &self.subject.systems);
        self.systems.extend(known.systems.iter().cloned());
        if self.systems.is_empty() {
            let budget = share(self.budget(), 6);
            if let Some(system) = self.referred(budget, |reference, formulas| reference.system(formulas, budget)) {
                self.systems.push(system);
                return Ok(());
            }
            let (inputs, mut outputs, hidden) = self.signals();
            outputs.extend(hidden);
            match decide(&mut self.spec.formulas, self.spec.requirement, &inputs, &outputs, Target::Mealy, budget) {
                Answer::Realizable(system) => self.systems.push(system),
                Answer::Unrealizable(environment) => {
                    return Err(pointless(environment.to_json(&self.spec.formulas)));
                }
                Answer::Unkept { .. } | Answer::Unknown(_) | Answer::Disagreement(_) => {}
            }
        }
        Ok(())
    }

    /// What is known by symmetry with an earlier fault. Renamed machines are judged once more before they are believed.
    fn by_symmetry(&mut self, obligation: ObligationId) -> Option<Finding> {
        let place = obligation.0 as usize;
        let twin = self.subject.twin(place)?;
        let Wanted { demand, fault, .. } = &self.subject.demands[place];
        let renaming = &self.subject.symmetric.get(*fault)?.renaming;
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
            Some(Settled::Impossible(_)) => return None,
            Some(Settled::Closed(status)) => {
                return Some(Finding::Closed(obligation, with_words(status.clone(), &words)));
            }
            // A strategy for something else exposed it.
            None => self.known.clone(),
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
        let place = obligation.0 as usize;
        let Wanted { demand, fault, rank, .. } = &self.subject.demands[place];
        let (demand, rank, fault) = (demand.clone(), *rank, *fault);
        if let Some(shown) = self.subject.vacuity.fault(&mut self.spec, place, &demand, &self.subject.systems) {
            self.settled.insert(place, Settled::Impossible(shown.clone()));
            return Finding::Closed(obligation, GoalStatus::Infeasible(IMPOSSIBLE.to_owned()));
        }
        if self.held[fault].len() < rank {
            // A further strategy is one besides those before it.
            return Finding::Closed(obligation, self.without(fault, rank));
        }
        let excluded = if rank == 0 { Vec::new() } else { self.held[fault].clone() };
        if demand.provoked
            && let Some(machine) = self.constant(&demand, &excluded)
        {
            return self.found(obligation, &machine);
        }
        match self.sought(obligation, &demand, rank, fault, &excluded) {
            Sought::Closed(finding) => finding,
            Sought::Machine(machine) if !demand.provoked || provokes(&mut self.spec, &machine, &demand) => {
                self.found(obligation, &machine)
            }
            Sought::Machine(machine) => self.provoking(obligation, &demand, excluded, machine),
        }
    }

    /// A strategy of one or two states that is found at once, whatever the frequency: a user has something in hand before much
    /// is spent on weaker ones.
    fn swift(&mut self, obligation: ObligationId) -> Option<Finding> {
        let Wanted { fault, rank, .. } = self.subject.demands[obligation.0 as usize];
        let has_twin = self.subject.symmetric.get(fault).is_some();
        if rank != 0 || has_twin || self.exposed[fault] || std::mem::replace(&mut self.tried_swiftly[fault], true) {
            return None;
        }
        let own = |wanted: &&Wanted| wanted.fault == fault && wanted.rank == 0;
        let direct = |wanted: &&Wanted| wanted.demand.certain || wanted.demand.provoked;
        let numbered = self.subject.demands.iter().enumerate();
        let places: Vec<usize> =
            numbered.filter(|(_, wanted)| own(wanted) && direct(wanted)).map(|(place, _)| place).collect();
        let mut searches = Vec::new();
        for place in places {
            let demand = self.subject.demands[place].demand.clone();
            if self.subject.vacuity.fault(&mut self.spec, place, &demand, &self.subject.systems).is_none() {
                let sides = self.sides(&demand);
                let formulas = &mut self.spec.formulas;
                let lessons = Inductive::new(formulas, &demand, &self.grounds, &sides.sees, &sides.sets);
                searches.push((place, demand, lessons));
            }
        }
        for count in 1..=SMALL.min(self.bound as usize) {
            for (place, demand, lessons) in &mut searches {
                let budget = share(self.budget(), SWIFT);
                if let Found::Machine(machine) = self.induced(lessons, count, Style::Plain, budget)
                    && (!demand.provoked || provokes(&mut self.spec, &machine, demand))
                {
                    return Some(self.found(ObligationId(*place as u32), &machine));
                }
            }
        }
        None
    }

    /// What is known about a strategy besides others that were not found.
    fn without(&self, fault: usize, rank: usize) -> GoalStatus {
        let same = |wanted: &&Wanted| wanted.fault == fault && wanted.rank + 1 == rank;
        let places = self.subject.demands.iter().enumerate().filter(|(_, wanted)| same(wanted)).map(|(place, _)| place);
        let mut bounded = false;
        for place in places {
            match self.settled.get(&place) {
                Some(Settled::Closed(GoalStatus::Infeasible(_)) | Settled::Hidden(_) | Settled::Impossible(_)) => {}
                Some(Settled::Closed(GoalStatus::InfeasibleUpTo(_))) => bounded = true,
                Some(
                    Settled::Closed(GoalStatus::Unknown(_) | GoalStatus::OnlyUndefined { .. } | GoalStatus::Covered)
                    | Settled::Exposed(_),
                )
                | None => {
                    return GoalStatus::Unknown("no strategy is known that should come before it".to_owned());
                }
            }
        }
        match bounded {
            true => GoalStatus::InfeasibleUpTo(format!("strategies of {}", states(self.bound as usize))),
            false => GoalStatus::Infeasible("the strategy that should come before it does not exist".to_owned()),
        }
    }

    /// A strategy that sets every input once and for all and lets the fault show.
    fn constant(&mut self, demand: &Demand, excluded: &[Machine]) -> Option<Machine> {
        let (sets, sees, _) = self.signals();
        let count = sets.len();
        (count <= MOST_CONSTANT).then_some(())?;
        let mut chosen = Vec::new();
        for bits in (0..1_usize << count).rev() {
            let set = sets.iter().enumerate().map(|(bit, atom)| (*atom, bits >> bit & 1 == 1)).collect();
            let states = vec![State { moves: vec![Move { guard: Vec::new(), sets: set, target: 0 }] }];
            let machine = Machine { kind: Target::Moore, reads: sees.clone(), sets: sets.clone(), states };
            let formulas = &mut self.spec.formulas;
            if !excluded.iter().any(|other| machine.is_inside(other))
                && self.grounds.judge(formulas, &machine, demand, &mut chosen, JUDGE) == Judgement::Satisfied
                && provokes(&mut self.spec, &machine, demand)
            {
                return Some(machine);
            }
        }
        None
    }

    /// Other strategies in place of one that keeps the fault from showing.
    fn provoking(
        &mut self,
        obligation: ObligationId,
        demand: &Demand,
        mut excluded: Vec<Machine>,
        machine: Machine,
    ) -> Finding {
        let sides = self.sides(demand);
        let budget = self.budget();
        let limits = share(budget, 4).limits();
        let mut search = Bounded::new(&mut self.spec.formulas, demand.search, &sides.sees, &sides.sets, limits);
        excluded.push(machine);
        let mut size = 1;
        for _ in 0..effort::PASSED_OVER.amount {
            match self.bounded(search.as_mut(), size, &excluded, share(budget, 3)) {
                Found::Machine(machine) if provokes(&mut self.spec, &machine, demand) => {
                    return self.found(obligation, &machine);
                }
                Found::Machine(machine) => excluded.push(machine),
                Found::None if size < self.bound as usize => size += 1,
                Found::None => {
                    let bound = format!("strategies of {} that let the fault show", states(size));
                    return Finding::Closed(obligation, GoalStatus::InfeasibleUpTo(bound));
                }
                Found::Unknown => break,
            }
        }
        let reason = match search.is_some() && !is_over(budget) {
            true => format!(
                "the strategies that were found keep the fault from showing: {} is used up",
                effort::PASSED_OVER
            ),
            false => self.cut(search.is_some(), budget, "strategies that let the fault show"),
        };
        Finding::Closed(obligation, GoalStatus::Unknown(reason))
    }

    fn sought(
        &mut self,
        obligation: ObligationId,
        demand: &Demand,
        rank: usize,
        fault: usize,
        excluded: &[Machine],
    ) -> Sought {
        let demand = demand.clone();
        let sides = self.sides(&demand);
        let better = rank == 0 && self.exposed[fault];
        let budget = if better { share(self.budget(), BETTER) } else { self.budget() };
        if let Some(system) = self.hidden(&demand, &sides).or_else(|| self.showing_at_once(&demand)) {
            return Sought::Closed(self.refuted(obligation, &demand, &system));
        }
        let mut largest = self.bound as usize;
        let mut fallback: Option<Machine> = None;
        let mut small = 1;
        let mut lessons = Inductive::new(&mut self.spec.formulas, &demand, &self.grounds, &sides.sees, &sides.sets);
        if rank == 0 {
            // One state comes first: such strategies expose much besides. Then what the game answers at once, then small machines,
            // then the game with more time.
            if let Found::Machine(machine) = self.induced(&mut lessons, 1, Style::Plain, share(budget, 12)) {
                return Sought::Machine(machine);
            }
            for part in [12, 3] {
                if fallback.is_none() {
                    match self.refinement(&demand, &sides, share(budget, part)).run() {
                        Refined::Strategy(machine) => {
                            largest = largest.min(machine.states.len().saturating_sub(1));
                            fallback = Some(machine);
                        }
                        Refined::Hidden(system) => {
                            if demand.keep.is_none() {
                                self.systems.push(system.clone());
                            }
                            return Sought::Closed(self.refuted(obligation, &demand, &system));
                        }
                        Refined::Open => {}
                    }
                }
                for count in small..=largest.min(SMALL) {
                    match self.induced(&mut lessons, count, Style::Plain, share(budget, 3)) {
                        Found::Machine(machine) => return Sought::Machine(machine),
                        Found::None => {}
                        Found::Unknown => break,
                    }
                }
                small = SMALL + 1;
            }
        }
        if let Some(machine) = fallback.take_if(|_| largest == 0) {
            return Sought::Machine(machine);
        }
        let large = fallback.as_ref().is_none_or(|machine| self.bound as usize + LONGEST < machine.states.len());
        if rank == 0 && large && lessons.may_repeat() {
            let repeating = self.repeating(&mut lessons, share(budget, 2));
            let smaller = |machine: &Machine| {
                fallback.as_ref().is_none_or(|fallback| machine.states.len() < fallback.states.len())
            };
            if let Some(machine) = repeating.filter(smaller) {
                return Sought::Machine(machine);
            }
        }
        if rank == 0 {
            for count in SMALL + 1..=largest.min(INDUCED) {
                match self.induced(&mut lessons, count, Style::Plain, share(budget, 3)) {
                    Found::Machine(machine) => return Sought::Machine(machine),
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
            for machine in excluded {
                lessons.exclude(machine, system);
            }
            for count in 1..=largest.min(INDUCED) {
                match self.induced(&mut lessons, count, Style::Plain, share(budget, 3)) {
                    Found::Machine(machine) => return Sought::Machine(machine),
                    Found::None => {}
                    Found::Unknown => break,
                }
            }
        }
        let mut tried = 0;
        while tried < largest.min(SMALL) {
            match self.bounded(search.as_mut(), tried + 1, excluded, share(budget, 3)) {
                Found::Machine(machine) => return Sought::Machine(machine),
                Found::None => tried += 1,
                Found::Unknown => break,
            }
        }
        if fallback.is_none() {
            let game = share(budget, 2);
            let formulas = &mut self.spec.formulas;
            match decide(formulas, demand.search, &sides.system, &sides.sets, Target::Moore, game) {
                Answer::Unrealizable(system) => return Sought::Closed(self.refuted(obligation, &demand, &system)),
                Answer::Realizable(machine) if sides.sees.len() == sides.system.len() && rank == 0 => {
                    fallback = Some(Machine { reads: sides.sees.clone(), ..machine });
                }
                Answer::Realizable(_) | Answer::Unkept { .. } | Answer::Unknown(_) | Answer::Disagreement(_) => {}
            }
            if fallback.is_none() && rank == 0 {
                // Counting needs no bound on the states, and what is not seen never enters a move.
                fallback = self.refinement(&demand, &sides, share(budget, 2)).counted(demand.search);
            }
            if let Some(machine) = &fallback {
                largest = largest.min(machine.states.len().saturating_sub(1));
            }
        }
        for count in tried + 1..=largest {
            match self.bounded(search.as_mut(), count, excluded, share(budget, 1)) {
                Found::Machine(machine) => return Sought::Machine(machine),
                Found::None => {}
                Found::Unknown => {
                    let reason = self.cut(search.is_some(), budget, &format!("strategies of {}", states(count)));
                    return match fallback {
                        Some(machine) => Sought::Machine(machine),
                        None => Sought::Closed(Finding::Closed(obligation, GoalStatus::Unknown(reason))),
                    };
                }
            }
        }
        match fallback {
            Some(machine) => Sought::Machine(machine),
            None => {
                let words = if rank == 0 { "strategies" } else { "other strategies" };
                let status = GoalStatus::InfeasibleUpTo(format!("{words} of {}", states(largest)));
                Sought::Closed(Finding::Closed(obligation, status))
            }
        }
    }

    /// Which budget cut a search.
    fn cut(&self, has_automaton: bool, budget: Budget, what: &str) -> String {
        let row = match (is_over(budget), has_automaton) {
            // A part of the budget is all that an automaton gets.
            (true, _) => effort::Budget { amount: self.steps, ..effort::STRATEGY },
            (false, false) => effort::BOUNDED_STATES,
            (false, true) => effort::BOUNDED_RANK,
        };
        format!("the budget {row} is used up at {what}")
    }

    fn sides(&self, demand: &Demand) -> Sides {
        let (sets, sees, hidden) = self.signals();
        let mut system: Vec<AtomId> = sees.iter().chain(&hidden).copied().collect();
        let unseen = self.spec.formulas.atoms_of([demand.search]).into_iter();
        let unseen: Vec<AtomId> = unseen.filter(|atom| !sets.contains(atom) && !system.contains(atom)).collect();
        system.extend(unseen);
        Sides { sets, sees, system }
    }

    fn refinement<'a>(&'a mut self, demand: &'a Demand, sides: &'a Sides, budget: Budget) -> GuaranteeRefinement<'a> {
        GuaranteeRefinement {
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

    /// A correct system that shows a fault in its first step, and therefore once.
    fn showing_at_once(&mut self, demand: &Demand) -> Option<Machine> {
        let Demand { frequency: Some(Frequency::Once), premise: Premise::Alone(_), kind: Some(kind), .. } = demand
        else {
            return None;
        };
        let budget = share(self.budget(), 6);
        let system = self.referred(budget, |reference, formulas| reference.beginning_with(formulas, *kind, budget))?;
        let hides = self.spec.formulas.not(demand.search);
        (verify(&mut self.spec.formulas, &system, hides, JUDGE) == Judgement::Satisfied).then_some(system)
    }

    /// Asks the game of the specification, which is played once; nothing if the system is not known to win it.
    fn referred<T>(
        &mut self,
        budget: Budget,
        asked: impl FnOnce(&mut Reference, &mut Formulas) -> Option<T>,
    ) -> Option<T> {
        let (inputs, mut outputs, hidden) = self.signals();
        outputs.extend(hidden);
        let (formulas, wanted) = (&mut self.spec.formulas, self.spec.requirement);
        let played = self
            .reference
            .get_or_insert_with(|| Reference::new(formulas, wanted, &inputs, &outputs, budget).map(Box::new));
        asked(played.as_mut()?, formulas)
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
        let limit = SatBudget { deadline: budget.deadline, interrupt: self.interrupt.clone() };
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
        let limit = SatBudget { deadline: budget.deadline, interrupt: self.interrupt.clone() };
        search.map_or(Found::Unknown, |search| search.solve(count, excluded, &limit))
    }

    /// A system that has a fault and hides it, in words; all of it if it is small.
    fn hides(&self, machine: &Machine) -> String {
        const SMALL: usize = 8;
        let words = format!("a system of {} has the fault and never shows it", states(machine.states.len()));
        let moves: usize = machine.states.iter().map(|state| state.moves.len()).sum();
        if moves <= SMALL { format!("{words}: {}", machine.to_words(&self.spec.formulas)) } else { words }
    }

    fn found(&mut self, obligation: ObligationId, machine: &Machine) -> Finding {
        let demand = &self.subject.demands[obligation.0 as usize].demand;
        let general = match self.subject.general {
            true => generalise(&mut self.spec.formulas, machine, demand.claim, JUDGE),
            false => machine.clone(),
        };
        // What the judge cannot answer within its limits is no test; what it refuses is a mistake of ours, and it says so itself.
        let judged = self.grounds.judge(&mut self.spec.formulas, &general, demand, &mut Vec::new(), JUDGE);
        if judged == Judgement::Unknown {
            let budgets = format!("{} or {}", effort::JUDGE_STATES, effort::JUDGE_NODES);
            let reason = format!("the budget {budgets} is used up while a strategy is judged");
            return Finding::Closed(obligation, GoalStatus::Unknown(reason));
        }
        let inputs = vec![Inputs::Document(general.to_json(&self.spec.formulas))];
        self.known.push(general);
        Finding::Inputs { targets: vec![obligation], inputs }
    }
}

/// There is nothing to test: the environment, a machine in JSON, makes every system fail.
fn pointless(environment: serde_json::Value) -> SearchError {
    SearchError::Pointless { reason: "no system satisfies the specification".to_owned(), proof: environment }
}

/// Whether no work is left.
fn is_over(budget: Budget) -> bool {
    budget.deadline.is_some_and(Deadline::is_over)
}

/// A number of states.
fn states(count: usize) -> String {
    if count == 1 { "1 state".to_owned() } else { format!("{count} states") }
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
