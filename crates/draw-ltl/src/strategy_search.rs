//! The search for one strategy of one fault at one frequency. It begins with nothing but the specification, so it comes to the same
//! whenever and wherever it is done.

use std::sync::Arc;

use ltl::faults::Demand;
use ltl::meter::{JUDGE, Wanted};
use ltl::vacuity::provokes;
use ltl::{Grounds, Machine, Role, Spec, Target};
use omega::AtomId;
use omega::automaton::Limits;
use omega::work::Deadline;
use testcase::GoalStatus;

use super::bounded::{Bounded, Found};
use super::effort;
use super::inductive::{Inductive, Style};
use super::realizable::{Answer, Budget, decide};
use super::refinement::{GuaranteeRefinement, Refined, Sides, share};
use super::sat_budget::SatBudget;
use super::vacuity::Vacuity;

/// Strategies up to this size are tried before the game is.
const SMALL: usize = 2;

/// The largest strategies that are looked for from counterexamples.
const INDUCED: usize = 4;

/// The longest sequences of steps that repeat what was seen, without waiting and with it.
const LONGEST: usize = 6;
const LONGEST_WAITING: usize = 4;

/// A fault that is exposed already is looked for at lower frequencies with this part of the budget.
const BETTER: u64 = 12;

/// The part of the budget that a strategy found at once may take.
const SWIFT: u64 = 60;
const SWIFTLY_REPEATING: u64 = 6;

/// What all searches of a run share.
pub(super) struct Setting {
    /// The specification as it was read.
    pub(super) spec: Spec,
    /// For every obligation what strategies must satisfy.
    pub(super) demands: Vec<Wanted>,
    /// The specification, taken apart.
    pub(super) grounds: Grounds,
    /// Which demands ask for nothing.
    pub(super) vacuity: Arc<Vacuity>,
    /// Systems that are said to satisfy the specification, as machines in JSON.
    pub(super) systems: Vec<serde_json::Value>,
    /// The largest strategies that are looked for state by state.
    pub(super) bound: usize,
    /// The steps that one fault at one frequency may take.
    pub(super) steps: u64,
    /// The most megabytes of decision diagrams.
    pub(super) memory: Option<u64>,
    pub(super) interrupt: smt::Interrupt,
}

impl Setting {
    /// What one fault at one frequency may cost.
    pub(super) fn budget(&self) -> Budget {
        Budget::new(Some(Deadline::after(self.steps)), self.memory)
    }
}

/// What is looked for.
pub(super) struct Asked<'a> {
    pub(super) demand: &'a Demand,
    /// Whether the fault is exposed at some frequency, and only something better is wanted.
    pub(super) better: bool,
    /// Strategies of the fault that are known, if another one is wanted.
    pub(super) excluded: &'a [Machine],
    /// A system that satisfies the specification, if one is known and another strategy is wanted.
    pub(super) system: Option<&'a Machine>,
}

/// What a search for a strategy comes to.
#[derive(Clone, Debug)]
pub(super) enum Sought {
    /// A strategy.
    Machine(Machine),
    /// A system that has the fault and hides it, and whether it satisfies the specification and nothing more.
    Hidden(Machine, bool),
    /// Something else.
    Closed(GoalStatus),
}

/// A search, with formulas of its own.
pub(super) struct StrategySearch {
    pub(super) setting: Arc<Setting>,
    pub(super) spec: Spec,
}

impl StrategySearch {
    /// A search that knows the specification and nothing else.
    pub(super) fn new(setting: &Arc<Setting>) -> StrategySearch {
        StrategySearch { setting: setting.clone(), spec: setting.spec.clone() }
    }

    pub(super) fn budget(&self) -> Budget {
        self.setting.budget()
    }

    /// What a tester sets, what it sees, and what it does not see.
    pub(super) fn signals(&self) -> (Vec<AtomId>, Vec<AtomId>, Vec<AtomId>) {
        let with = |role| self.spec.atoms_with(role);
        (with(Role::Input), with(Role::Output), with(Role::Hidden))
    }

    pub(super) fn sides(&self, demand: &Demand) -> Sides {
        let (sets, sees, hidden) = self.signals();
        let mut system: Vec<AtomId> = sees.iter().chain(&hidden).copied().collect();
        let unseen = self.spec.formulas.atoms_of([demand.search]).into_iter();
        let unseen: Vec<AtomId> = unseen.filter(|atom| !sets.contains(atom) && !system.contains(atom)).collect();
        system.extend(unseen);
        Sides { sets, sees, system }
    }

    /// A strategy of one or two states that is found at once, whatever the frequency, with the place of its demand: a user has something
    /// in hand before much is spent on weaker ones.
    pub(super) fn swift(&mut self, fault: usize) -> Option<(usize, Machine)> {
        let setting = self.setting.clone();
        let own = |wanted: &&Wanted| wanted.fault == fault && wanted.rank == 0;
        let direct = |wanted: &&Wanted| wanted.demand.certain || wanted.demand.provoked;
        let numbered = setting.demands.iter().enumerate();
        let mut searches = Vec::new();
        for (place, Wanted { demand, .. }) in numbered.filter(|(_, wanted)| own(wanted) && direct(wanted)) {
            if setting.vacuity.fault(&setting.spec, place, demand, &setting.systems).is_none() {
                let sides = self.sides(demand);
                let formulas = &mut self.spec.formulas;
                let lessons = Inductive::new(formulas, demand, &setting.grounds, &sides.sees, &sides.sets);
                searches.push((place, demand, lessons));
            }
        }
        for count in 1..=SMALL.min(setting.bound) {
            for (place, demand, lessons) in &mut searches {
                let budget = share(self.budget(), SWIFT);
                if let Found::Machine(machine) = self.induced(lessons, count, Style::Plain, budget)
                    && (!demand.provoked || provokes(&mut self.spec, &machine, demand))
                {
                    return Some((*place, machine));
                }
            }
        }
        // Where inputs are compared with what was seen, strategies repeat it: the strongest frequency is the easiest.
        let (place, demand, lessons) = searches.iter_mut().rfind(|(.., lessons)| lessons.may_repeat())?;
        let machine = self.repeating(lessons, share(self.budget(), SWIFTLY_REPEATING))?;
        (!demand.provoked || provokes(&mut self.spec, &machine, demand)).then_some((*place, machine))
    }

    /// The whole search.
    pub(super) fn sought(&mut self, asked: &Asked<'_>) -> Sought {
        let budget = if asked.better { share(self.budget(), BETTER) } else { self.budget() };
        let sides = self.sides(asked.demand);
        let grounds = &self.setting.grounds.clone();
        let lessons = Inductive::new(&mut self.spec.formulas, asked.demand, grounds, &sides.sees, &sides.sets);
        let largest = self.setting.bound;
        let mut progress = Progress { asked, sides, budget, lessons, largest, fallback: None };
        if asked.excluded.is_empty()
            && let Some(sought) = self.with_few_guarantees(&mut progress)
        {
            return sought;
        }
        self.with_all_guarantees(progress)
    }

    /// Strategies that need few guarantees, or a system that keeps all of them and hides the fault.
    fn with_few_guarantees(&mut self, progress: &mut Progress<'_>) -> Option<Sought> {
        let budget = progress.budget;
        // One state comes first: such strategies expose much besides. Then what the game answers at once, then small machines,
        // then the game with more time.
        if let Found::Machine(machine) = self.induced(&mut progress.lessons, 1, Style::Plain, share(budget, 12)) {
            return Some(Sought::Machine(machine));
        }
        let mut small = 1;
        for part in [12, 3] {
            if progress.fallback.is_none() {
                match self.refinement(progress.asked.demand, &progress.sides, share(budget, part)).run() {
                    Refined::Strategy(machine) => progress.fall_back(machine),
                    Refined::Hidden(system) => {
                        return Some(Sought::Hidden(system, progress.asked.demand.keep.is_none()));
                    }
                    Refined::Open => {}
                }
            }
            let sizes = small..=progress.largest.min(SMALL);
            if let Some(machine) = self.induced_up_to(&mut progress.lessons, sizes, budget) {
                return Some(Sought::Machine(machine));
            }
            small = SMALL + 1;
        }
        if progress.largest == 0 {
            return progress.fallback.take().map(Sought::Machine);
        }
        let states = progress.fallback.as_ref().map(|machine| machine.states.len());
        if states.is_none_or(|states| self.setting.bound + LONGEST < states) && progress.lessons.may_repeat() {
            let repeating = self.repeating(&mut progress.lessons, share(budget, 2));
            let smaller = |machine: &Machine| states.is_none_or(|states| machine.states.len() < states);
            if let Some(machine) = repeating.filter(smaller) {
                return Some(Sought::Machine(machine));
            }
        }
        let sizes = SMALL + 1..=progress.largest.min(INDUCED);
        self.induced_up_to(&mut progress.lessons, sizes, budget).map(Sought::Machine)
    }

    /// With all guarantees: small machines first, then the game, then larger machines.
    fn with_all_guarantees(&mut self, mut progress: Progress<'_>) -> Sought {
        let Progress { asked: &Asked { demand, excluded, system, .. }, budget, .. } = progress;
        let limits = share(budget, if progress.fallback.is_some() { 8 } else { 4 }).limits();
        let Sides { sees, sets, .. } = progress.sides.clone();
        let mut search = Bounded::new(&mut self.spec.formulas, demand.search, &sees, &sets, limits);
        if let (None, Some(system)) = (&search, system) {
            // Other strategies are those that do something else when they meet a system that is known.
            for machine in excluded {
                progress.lessons.exclude(machine, system);
            }
            let sizes = 1..=progress.largest.min(INDUCED);
            if let Some(machine) = self.induced_up_to(&mut progress.lessons, sizes, budget) {
                return Sought::Machine(machine);
            }
        }
        let mut tried = 0;
        while tried < progress.largest.min(SMALL) {
            match self.bounded(search.as_mut(), tried + 1, excluded, share(budget, 3)) {
                Found::Machine(machine) => return Sought::Machine(machine),
                Found::None => tried += 1,
                Found::Unknown => break,
            }
        }
        if progress.fallback.is_none()
            && let Some(system) = self.with_game(&mut progress)
        {
            return Sought::Hidden(system, false);
        }
        let Progress { largest, fallback, .. } = progress;
        for count in tried + 1..=largest {
            match self.bounded(search.as_mut(), count, excluded, share(budget, 1)) {
                Found::Machine(machine) => return Sought::Machine(machine),
                Found::None => {}
                Found::Unknown => {
                    let reason = self.cut(search.is_some(), budget, &format!("strategies of {}", states(count)));
                    return fallback.map_or(Sought::Closed(GoalStatus::Unknown(reason)), Sought::Machine);
                }
            }
        }
        let words = if excluded.is_empty() { "strategies" } else { "other strategies" };
        let none = GoalStatus::InfeasibleUpTo(format!("{words} of {}", states(largest)));
        fallback.map_or(Sought::Closed(none), Sought::Machine)
    }

    /// Plays the game of the whole specification: a system that hides the fault, or perhaps a strategy to fall back on.
    fn with_game(&mut self, progress: &mut Progress<'_>) -> Option<Machine> {
        let Progress { asked: &Asked { demand, excluded, .. }, budget, .. } = *progress;
        let Sides { sees, sets, system } = progress.sides.clone();
        let formulas = &mut self.spec.formulas;
        match decide(formulas, demand.search, &system, &sets, Target::Moore, share(budget, 2)) {
            Answer::Unrealizable(system) => return Some(system),
            Answer::Realizable(machine) if sees.len() == system.len() && excluded.is_empty() => {
                progress.fall_back(Machine { reads: sees, ..machine });
            }
            Answer::Realizable(_) | Answer::Unkept { .. } | Answer::Unknown(_) | Answer::Disagreement(_) => {}
        }
        if progress.fallback.is_none() && excluded.is_empty() {
            // Counting needs no bound on the states, and what is not seen never enters a move.
            let mut refinement = self.refinement(demand, &progress.sides, share(budget, 2));
            if let Some(machine) = refinement.counted(demand.search) {
                progress.fall_back(machine);
            }
        }
        None
    }

    /// Which budget cut a search.
    pub(super) fn cut(&self, has_automaton: bool, budget: Budget, what: &str) -> String {
        let row = match (is_over(budget), has_automaton) {
            // A part of the budget is all that an automaton gets.
            (true, _) => effort::Budget { amount: self.setting.steps, ..effort::STRATEGY },
            (false, false) => effort::BOUNDED_STATES,
            (false, true) => effort::BOUNDED_RANK,
        };
        format!("the budget {row} is used up at {what}")
    }

    fn refinement<'a>(&'a mut self, demand: &'a Demand, sides: &'a Sides, budget: Budget) -> GuaranteeRefinement<'a> {
        GuaranteeRefinement {
            formulas: &mut self.spec.formulas,
            grounds: &self.setting.grounds,
            demand,
            sides,
            bound: self.setting.bound,
            budget,
            interrupt: &self.setting.interrupt,
        }
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

    fn induced_up_to(
        &mut self,
        lessons: &mut Inductive,
        sizes: std::ops::RangeInclusive<usize>,
        budget: Budget,
    ) -> Option<Machine> {
        for count in sizes {
            match self.induced(lessons, count, Style::Plain, share(budget, 3)) {
                Found::Machine(machine) => return Some(machine),
                Found::None => {}
                Found::Unknown => return None,
            }
        }
        None
    }

    fn induced(&mut self, lessons: &mut Inductive, count: usize, style: Style, budget: Budget) -> Found {
        let limit = SatBudget { deadline: budget.deadline, interrupt: self.setting.interrupt.clone() };
        lessons.solve(&mut self.spec.formulas, count, style, &limit, Limits { deadline: budget.deadline, ..JUDGE })
    }

    pub(super) fn bounded(
        &self,
        search: Option<&mut Bounded>,
        count: usize,
        excluded: &[Machine],
        budget: Budget,
    ) -> Found {
        let limit = SatBudget { deadline: budget.deadline, interrupt: self.setting.interrupt.clone() };
        search.map_or(Found::Unknown, |search| search.solve(count, excluded, &limit))
    }
}

/// How far a search has come.
struct Progress<'a> {
    asked: &'a Asked<'a>,
    sides: Sides,
    budget: Budget,
    lessons: Inductive,
    /// The largest strategies that are still worth finding.
    largest: usize,
    /// A strategy that may be larger than necessary.
    fallback: Option<Machine>,
}

impl Progress<'_> {
    /// A strategy is known: only smaller ones are worth finding.
    fn fall_back(&mut self, machine: Machine) {
        self.largest = self.largest.min(machine.states.len().saturating_sub(1));
        self.fallback = Some(machine);
    }
}

/// Whether no work is left.
pub(super) fn is_over(budget: Budget) -> bool {
    budget.deadline.is_some_and(Deadline::is_over)
}

/// A number of states.
pub(super) fn states(count: usize) -> String {
    if count == 1 { "1 state".to_owned() } else { format!("{count} states") }
}
