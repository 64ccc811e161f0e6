//! The search for strategies: for each fault and frequency the game with full information, then the smallest machine that sees
//! only what a tester sees.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use ltl::faults::{Demand, Premise};
use ltl::meter::{JUDGE, Wanted};
use ltl::vacuity::{Impossible, provokes};
use ltl::{
    Frequency, Grounds, Judgement, Lasso, Letter, Machine, Move, State, Target, generalise, holds_on_lasso, verify,
};
use omega::Formulas;
use omega::automaton::Limits;
use omega::memory::MemoryLimit;
use omega::work::{StopSignal, steps_in};
use testcase::{GoalStatus, Inputs, ObligationId};

use super::ahead::{self, Ahead, Task};
use super::bounded::{Bounded, Found};
use super::effort;
use super::injection::injected;
use super::realizable::{Answer, Budget, decide};
use super::reference::Reference;
use super::refinement::share;
use super::strategies::{StrategySubject, USUAL_BOUND, shown_of};
use super::strategy_search::{Asked, Setting, Sought, StrategySearch, is_over, states};
use super::vacuity::IMPOSSIBLE;
use search::Backend;
use search::{Describes, Engine, Finding};
use search::{Options, SearchError};

/// With more inputs than this, strategies that set constants are not tried one by one.
const MOST_CONSTANT: usize = 5;

/// In how many other states known systems are started.
const MOST_STARTS: usize = 8;

/// The part of the budget for a system that begins with a fault.
const AT_ONCE: u64 = 6;

/// Into how many systems faults are put, and the part of the budget for that.
const MOST_INJECTED: usize = 2;
const INJECTION: u64 = 6;

/// How many times less is spent on faults that are exposed already.
const EXPOSED: u64 = 4;

/// The search in progress.
pub(super) struct Synthesis<'a> {
    subject: &'a StrategySubject,
    /// What is done in turn, with formulas of its own.
    search: StrategySearch,
    /// What is done before its turn.
    ahead: Ahead,
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
    /// Systems that satisfy the specification, found on the way.
    systems: Vec<Machine>,
    /// Whether it was asked whether the specification can be implemented.
    asked: bool,
    /// For demands that were looked at before their turn: how many systems were asked, and the first that hides the fault.
    asked_about: BTreeMap<usize, (usize, Option<Machine>)>,
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

impl<'a> Synthesis<'a> {
    /// A search at its beginning.
    pub(super) fn new(subject: &'a StrategySubject, backend: &Backend, options: &Options) -> Synthesis<'a> {
        let faults = subject.faults();
        let setting = Arc::new(Setting {
            spec: subject.spec.clone(),
            demands: subject.demands.clone(),
            grounds: Grounds::of(&subject.spec.formulas, subject.spec.requirement),
            vacuity: subject.vacuity.clone(),
            systems: subject.systems.clone(),
            bound: if options.bound.0 == 0 { USUAL_BOUND } else { options.bound.0 } as usize,
            steps: options.goal_timeout.map_or(options.effort.of(effort::STRATEGY.amount), steps_in),
            memory: subject.memory,
            interrupt: backend.interrupt.clone(),
        });
        Synthesis {
            subject,
            search: StrategySearch::new(&setting),
            // A limit of memory is for one search at a time.
            ahead: Ahead::new(&setting, if subject.memory.is_some() { 1 } else { options.jobs }, backend.deadline),
            deadline: backend.deadline,
            interrupt: backend.interrupt.clone(),
            known: Vec::new(),
            held: vec![Vec::new(); faults],
            exposed: vec![false; faults],
            tried_swiftly: vec![false; faults],
            systems: Vec::new(),
            asked: false,
            asked_about: BTreeMap::new(),
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
        let _limit = MemoryLimit::of(self.subject.memory);
        self.vacuous()?;
        let mut sorted = open.to_vec();
        sorted.sort_unstable();
        self.plan(None, &sorted);
        let finding = match sorted.iter().find_map(|obligation| self.swift(*obligation)) {
            Some(finding) => finding,
            None => {
                self.implementable()?;
                self.by_symmetry(obligation).unwrap_or_else(|| self.work(obligation, &sorted))
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
        let Ok(machine) = Machine::from_json(document, &mut self.search.spec.formulas) else { return };
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
            Settled::Hidden(system) => ("system", system.to_json(&self.search.spec.formulas)),
            Settled::Impossible(shown) => shown_of(shown),
            // What no first strategy does, no further one does.
            Settled::Closed(GoalStatus::Infeasible(_)) => match self.settled.get(&self.first_like(place))? {
                Settled::Hidden(system) => ("system", system.to_json(&self.search.spec.formulas)),
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

    /// What is known without much work: whether there is nothing to test, since no system satisfies the specification.
    fn vacuous(&mut self) -> Result<(), SearchError> {
        let known = self.subject.vacuity.specification(&self.subject.spec, &self.subject.systems);
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
        let known = self.subject.vacuity.specification(&self.subject.spec, &self.subject.systems);
        self.systems.extend(known.systems.iter().cloned());
        if self.systems.is_empty() {
            let budget = share(self.search.budget(), 6);
            if let Some(system) = self.referred(budget, |reference, formulas| reference.system(formulas, budget)) {
                self.systems.push(system);
                return Ok(());
            }
            let (inputs, mut outputs, hidden) = self.search.signals();
            outputs.extend(hidden);
            match decide(
                &mut self.search.spec.formulas,
                self.search.spec.requirement,
                &inputs,
                &outputs,
                Target::Mealy,
                budget,
            ) {
                Answer::Realizable(system) => self.systems.push(system),
                Answer::Unrealizable(environment) => {
                    return Err(pointless(environment.to_json(&self.search.spec.formulas)));
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
                let hides = self.search.spec.formulas.not(demand.search);
                if verify(&mut self.search.spec.formulas, &system, hides, JUDGE) != Judgement::Satisfied {
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
        let limits = Limits { deadline: share(self.search.budget(), 12).deadline, ..JUDGE };
        let mut chosen = Vec::new();
        let machine = candidates.iter().map(|machine| renaming.machine(machine)).find(|machine| {
            let formulas = &mut self.search.spec.formulas;
            self.search.setting.grounds.judge(formulas, machine, demand, &mut chosen, limits) == Judgement::Satisfied
        })?;
        Some(self.found(obligation, &machine))
    }

    /// A strategy of one or two states that is found at once, whatever the frequency.
    fn swift(&mut self, obligation: ObligationId) -> Option<Finding> {
        let Wanted { fault, .. } = self.subject.demands[obligation.0 as usize];
        if !self.is_swift(obligation) {
            return None;
        }
        let result = self.ahead.result(Task::Swift(fault));
        self.tried_swiftly[fault] = true;
        let ahead::Result::Swift(Some((place, machine))) = result else { return None };
        Some(self.found(ObligationId(place as u32), &machine))
    }

    /// Whether a small strategy is wanted for the fault of an obligation.
    fn is_swift(&self, obligation: ObligationId) -> bool {
        let Wanted { fault, rank, .. } = self.subject.demands[obligation.0 as usize];
        let has_twin = self.subject.symmetric.get(fault).is_some();
        rank == 0 && !has_twin && !self.exposed[fault] && !self.tried_swiftly[fault]
    }

    fn work(&mut self, obligation: ObligationId, open: &[ObligationId]) -> Finding {
        let place = obligation.0 as usize;
        let Wanted { demand, fault, rank, .. } = &self.subject.demands[place];
        let (demand, rank, fault) = (demand.clone(), *rank, *fault);
        if let Some(shown) = self.subject.vacuity.fault(&self.subject.spec, place, &demand, &self.subject.systems) {
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
        match self.sought(obligation, &demand, &excluded, open) {
            Sought::Closed(status) => Finding::Closed(obligation, status),
            Sought::Hidden(system, is_correct) => {
                if is_correct {
                    self.systems.push(system.clone());
                }
                self.refuted(obligation, &demand, &system)
            }
            Sought::Machine(machine) if !demand.provoked || provokes(&mut self.search.spec, &machine, &demand) => {
                self.found(obligation, &machine)
            }
            Sought::Machine(machine) => self.provoking(obligation, &demand, excluded, machine),
        }
    }

    /// The search for a strategy, unless a system is known that hides the fault.
    fn sought(
        &mut self,
        obligation: ObligationId,
        demand: &Demand,
        excluded: &[Machine],
        open: &[ObligationId],
    ) -> Sought {
        let place = obligation.0 as usize;
        let Wanted { fault, rank, .. } = self.subject.demands[place];
        let known =
            self.hidden(place).or_else(|| self.showing_at_once(demand, fault)).or_else(|| self.injected(demand, fault));
        if let Some(system) = known {
            return Sought::Hidden(system, false);
        }
        if rank != 0 {
            let system = self.systems.first();
            return StrategySearch::new(&self.search.setting).sought(&Asked {
                demand,
                better: false,
                excluded,
                system,
            });
        }
        let task = Task::Whole(place, self.exposed[fault]);
        self.plan(Some(task), open);
        match self.ahead.result(task) {
            ahead::Result::Whole(sought) => sought,
            ahead::Result::Swift(_) => unreachable!("a search comes to what was asked"),
        }
    }

    /// Says which searches come next, after one whose turn it is: small strategies first, then the weakest open frequency of every
    /// fault, then the next ones. The first frequency of faults that are exposed already is mostly refuted by a system that is known.
    fn plan(&mut self, turn: Option<Task>, open: &[ObligationId]) {
        if self.ahead.width() == 0 {
            return;
        }
        let most = 2 * self.ahead.width();
        let mut next: Vec<Task> = turn.into_iter().collect();
        let swift = open.iter().filter(|obligation| self.is_swift(**obligation));
        next.extend(swift.map(|obligation| Task::Swift(self.subject.demands[obligation.0 as usize].fault)));
        next.dedup();
        if next.len() == usize::from(turn.is_some()) {
            let mut ranked: Vec<(usize, usize)> = Vec::new();
            let mut seen = vec![0; self.exposed.len()];
            for obligation in open {
                let place = obligation.0 as usize;
                let Wanted { fault, rank, demand, .. } = &self.subject.demands[place];
                let is_first = self.exposed[*fault] && demand.frequency == Some(Frequency::Once);
                if *rank == 0 && !is_first && self.subject.symmetric.get(*fault).is_none() {
                    ranked.push((seen[*fault], place));
                    seen[*fault] += 1;
                }
            }
            ranked.sort_unstable();
            for (_, place) in ranked {
                if most <= next.len() {
                    break;
                }
                let task = Task::Whole(place, self.exposed[self.subject.demands[place].fault]);
                if !next.contains(&task) && self.hidden(place).is_none() {
                    next.push(task);
                }
            }
        }
        next.truncate(most);
        let demands = &self.subject.demands;
        let is_open = |place: usize| open.binary_search(&ObligationId(place as u32)).is_ok();
        let (exposed, tried) = (&self.exposed, &self.tried_swiftly);
        self.ahead.plan(&next, |task| match task {
            Task::Swift(fault) => !exposed[fault] && !tried[fault],
            Task::Whole(place, better) => is_open(place) && exposed[demands[place].fault] == better,
        });
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
            true => GoalStatus::InfeasibleUpTo(format!("strategies of {}", states(self.search.setting.bound))),
            false => GoalStatus::Infeasible("the strategy that should come before it does not exist".to_owned()),
        }
    }

    /// A strategy that sets every input once and for all and lets the fault show.
    fn constant(&mut self, demand: &Demand, excluded: &[Machine]) -> Option<Machine> {
        let (sets, sees, _) = self.search.signals();
        let count = sets.len();
        (count <= MOST_CONSTANT).then_some(())?;
        let mut chosen = Vec::new();
        for bits in (0..1_usize << count).rev() {
            let set = sets.iter().enumerate().map(|(bit, atom)| (*atom, bits >> bit & 1 == 1)).collect();
            let states = vec![State { moves: vec![Move { guard: Vec::new(), sets: set, target: 0 }] }];
            let machine = Machine { kind: Target::Moore, reads: sees.clone(), sets: sets.clone(), states };
            let formulas = &mut self.search.spec.formulas;
            if !excluded.iter().any(|other| machine.is_inside(other))
                && self.search.setting.grounds.judge(formulas, &machine, demand, &mut chosen, JUDGE)
                    == Judgement::Satisfied
                && provokes(&mut self.search.spec, &machine, demand)
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
        let sides = self.search.sides(demand);
        let budget = self.search.budget();
        let limits = share(budget, 4).limits();
        let mut search = Bounded::new(&mut self.search.spec.formulas, demand.search, &sides.sees, &sides.sets, limits);
        excluded.push(machine);
        let mut size = 1;
        for _ in 0..effort::PASSED_OVER.amount {
            match self.search.bounded(search.as_mut(), size, &excluded, share(budget, 3)) {
                Found::Machine(machine) if provokes(&mut self.search.spec, &machine, demand) => {
                    return self.found(obligation, &machine);
                }
                Found::Machine(machine) => excluded.push(machine),
                Found::None if size < self.search.setting.bound => size += 1,
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
            false => self.search.cut(search.is_some(), budget, "strategies that let the fault show"),
        };
        Finding::Closed(obligation, GoalStatus::Unknown(reason))
    }

    /// The first system found earlier that has the fault of a demand as well, and hides it. A fault that shows once may show in the
    /// first step, so systems are also started in states that show it.
    fn hidden(&mut self, place: usize) -> Option<Machine> {
        let (begin, known) = self.asked_about.remove(&place).unwrap_or((0, None));
        if known.is_none() && begin < self.systems.len() {
            // Formulas of its own: what is looked at before its turn must not change what others find.
            let mut search = StrategySearch::new(&self.search.setting);
            let demand = &self.subject.demands[place].demand;
            let sides = search.sides(demand);
            let hides = search.spec.formulas.not(demand.search);
            let fits = |system: &&Machine| sides.system.iter().all(|atom| system.sets.contains(atom));
            let found = self.systems[begin..].iter().filter(fits).find_map(|system| {
                let mut tried = vec![system.clone()];
                if demand.frequency == Some(Frequency::Once) {
                    let starts = (1..system.states.len()).filter(|state| self.shows(system, *state, demand));
                    tried.extend(starts.map(|state| started(system, state)).take(MOST_STARTS));
                }
                let formulas = &mut search.spec.formulas;
                tried.into_iter().find(|system| verify(formulas, system, hides, JUDGE) == Judgement::Satisfied)
            });
            self.asked_about.insert(place, (self.systems.len(), found.clone()));
            return found;
        }
        self.asked_about.insert(place, (self.systems.len(), known.clone()));
        known
    }

    /// A system that shows a fault in its first step, and therefore once, and nothing else that is wrong.
    fn showing_at_once(&mut self, demand: &Demand, fault: usize) -> Option<Machine> {
        let (Some(Frequency::Once), Some(kind)) = (demand.frequency, demand.kind) else { return None };
        let budget = share(self.search.budget(), self.part(fault, AT_ONCE));
        let system = match &demand.premise {
            Premise::Alone(_) => {
                self.referred(budget, |reference, formulas| reference.beginning_with(formulas, kind, budget))?
            }
            Premise::Shadow(..) => {
                // Correct values satisfy the specification, and what is shown seems to.
                let sides = self.search.sides(demand);
                let formulas = &mut self.search.spec.formulas;
                let both = formulas.all([self.subject.spec.requirement, demand.correct]);
                let mut game = Reference::new(formulas, both, &sides.sets, &sides.system, budget)?;
                game.beginning_with(formulas, kind, budget)?
            }
            Premise::Put(..) => return None,
        };
        let hides = self.search.spec.formulas.not(demand.search);
        (verify(&mut self.search.spec.formulas, &system, hides, JUDGE) == Judgement::Satisfied).then_some(system)
    }

    /// The part of the budget for systems that hide a fault: less where the fault is exposed, and only something better is wanted.
    fn part(&self, fault: usize, part: u64) -> u64 {
        if self.exposed[fault] { part * EXPOSED } else { part }
    }

    /// A system that is known, with the fault where nobody sees it.
    fn injected(&mut self, demand: &Demand, fault: usize) -> Option<Machine> {
        let deadline = share(self.search.setting.budget(), self.part(fault, INJECTION)).deadline;
        let (formulas, requirement) = (&mut self.search.spec.formulas, self.subject.spec.requirement);
        let limits = Limits { deadline, ..JUDGE };
        let systems = self.systems.iter().take(MOST_INJECTED);
        systems.into_iter().find_map(|system| injected(formulas, system, demand, requirement, limits))
    }

    /// Asks the game of the specification, which is played once; nothing if the system is not known to win it.
    fn referred<T>(
        &mut self,
        budget: Budget,
        asked: impl FnOnce(&mut Reference, &mut Formulas) -> Option<T>,
    ) -> Option<T> {
        let (inputs, mut outputs, hidden) = self.search.signals();
        outputs.extend(hidden);
        let (formulas, wanted) = (&mut self.search.spec.formulas, self.search.spec.requirement);
        let played = self
            .reference
            .get_or_insert_with(|| Reference::new(formulas, wanted, &inputs, &outputs, budget).map(Box::new));
        asked(played.as_mut()?, formulas)
    }

    /// Whether a system shows a fault in the first step, whatever it reads, when it begins in a state.
    fn shows(&self, system: &Machine, state: usize, demand: &Demand) -> bool {
        let formulas = &self.search.spec.formulas;
        let Some(kind) = demand.kind else { return false };
        system.states[state].moves.iter().all(|taken| {
            let letter = Letter::of(taken.sets.iter().filter(|(_, value)| *value).map(|(atom, _)| *atom));
            holds_on_lasso(formulas, kind, &Lasso { prefix: Vec::new(), cycle: vec![letter] })
        })
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

    /// A system that has a fault and hides it, in words; all of it if it is small.
    fn hides(&self, machine: &Machine) -> String {
        const SMALL: usize = 8;
        let words = format!("a system of {} has the fault and never shows it", states(machine.states.len()));
        let moves: usize = machine.states.iter().map(|state| state.moves.len()).sum();
        if moves <= SMALL { format!("{words}: {}", machine.to_words(&self.search.spec.formulas)) } else { words }
    }

    fn found(&mut self, obligation: ObligationId, machine: &Machine) -> Finding {
        let demand = &self.subject.demands[obligation.0 as usize].demand;
        let general = match self.subject.general {
            true => generalise(&mut self.search.spec.formulas, machine, demand.claim, JUDGE),
            false => machine.clone(),
        };
        // What the judge cannot answer within its limits is not a test; what it refuses is a mistake of ours, and it says so itself.
        let judged =
            self.search.setting.grounds.judge(&mut self.search.spec.formulas, &general, demand, &mut Vec::new(), JUDGE);
        if judged == Judgement::Unknown {
            let budgets = format!("{} or {}", effort::JUDGE_STATES, effort::JUDGE_NODES);
            let reason = format!("the budget {budgets} is used up while a strategy is judged");
            return Finding::Closed(obligation, GoalStatus::Unknown(reason));
        }
        let inputs = vec![Inputs::Document(general.to_json(&self.search.spec.formulas))];
        self.known.push(general);
        Finding::Inputs { targets: vec![obligation], inputs }
    }
}

/// There is nothing to test: the environment, a machine in JSON, makes every system fail.
fn pointless(environment: serde_json::Value) -> SearchError {
    SearchError::Pointless { reason: "no system satisfies the specification".to_owned(), proof: environment }
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
