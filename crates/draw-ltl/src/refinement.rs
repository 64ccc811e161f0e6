//! Counterexample-guided choice of guarantees: strategies that need only some of them, and systems that keep all and hide the fault.
//!
//! A strategy that convicts every faulty system of breaking *some* guarantees convicts it of breaking the specification,
//! and the game is much smaller with few guarantees. So the game begins with none. If the system wins, its machine is
//! asked which other guarantees it keeps: if all, no strategy exists, and the machine is the proof; if not, some that it
//! breaks are added, and the game is played again.

use ltl::faults::Demand;
use ltl::{Grounds, Judgement, Machine, Target, reduce, verify};
use omega::automaton::Limits;
use omega::work::Deadline;
use omega::{AtomId, Formula, Formulas};

use super::bounded::{Bounded, Found};
use super::effort::{self, Effort};
use super::realizable::{Answer, Budget, decide};
use super::sat_budget::SatBudget;
use super::visits::{Player, rounds};

/// What the refinement came to.
pub(crate) enum Refined {
    /// This strategy exposes the fault.
    Strategy(Machine),
    /// This system has the fault, keeps all guarantees, and sees everything: no strategy exposes it, whatever it sees.
    Hidden(Machine),
    /// Nobody knows.
    Open,
}

/// Who sets and sees what.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    /// What the tester sets.
    pub(crate) sets: Vec<AtomId>,
    /// What the tester sees.
    pub(crate) sees: Vec<AtomId>,
    /// What the system sets, seen or not.
    pub(crate) system: Vec<AtomId>,
}

/// A search for one strategy that begins with no guarantee and adds those that matter.
pub(crate) struct GuaranteeRefinement<'a> {
    pub(crate) formulas: &'a mut Formulas,
    pub(crate) grounds: &'a Grounds,
    pub(crate) demand: &'a Demand,
    pub(crate) sides: &'a Sides,
    /// The most states of strategies that are looked for state by state.
    pub(crate) bound: usize,
    pub(crate) budget: Budget,
    pub(crate) interrupt: &'a smt::Interrupt,
}

/// What the judge may cost for one machine of a system and one guarantee.
const JUDGE: Limits =
    Limits { states: effort::SYSTEM_STATES.size(), nodes: effort::SYSTEM_NODES.size(), deadline: None };

/// What a smaller strategy in place of another may cost.
pub(crate) const REDUCTION: Limits =
    Limits { states: effort::REDUCTION_STATES.size(), nodes: effort::REDUCTION_NODES.size(), deadline: None };

/// How many guarantees are added at a time.
const ADDED: usize = 2;

impl GuaranteeRefinement<'_> {
    /// Plays the games.
    pub(crate) fn run(&mut self) -> Refined {
        let mut chosen: Vec<usize> = Vec::new();
        loop {
            if self.interrupt.is_raised() || self.is_over() {
                return Refined::Open;
            }
            let whole = self.grounds.with(self.formulas, &chosen);
            let search = self.demand.against(self.formulas, whole);
            let game = share(self.budget, 2);
            match decide(self.formulas, search, &self.sides.system, &self.sides.sets, Target::Moore, game) {
                Answer::Realizable(machine) => {
                    return match self.strategy(search, machine) {
                        Some(machine) => Refined::Strategy(machine),
                        None => Refined::Open,
                    };
                }
                Answer::Unrealizable(system) => {
                    let broken = self.broken(&system, &chosen);
                    match broken {
                        None => return Refined::Open,
                        Some(broken) if broken.is_empty() => return self.whole(system),
                        Some(broken) => chosen.extend(broken),
                    }
                }
                Answer::Unkept { .. } | Answer::Unknown(_) | Answer::Disagreement(_) => return Refined::Open,
            }
        }
    }

    fn is_over(&self) -> bool {
        self.budget.deadline.is_some_and(Deadline::is_over)
    }

    /// A system that hides the fault behind each guarantee, judged once more with all of them.
    fn whole(&mut self, system: Machine) -> Refined {
        let hides = self.formulas.not(self.demand.search);
        let limits = Limits { deadline: self.budget.deadline, ..JUDGE };
        match verify(self.formulas, &system, hides, limits) {
            Judgement::Satisfied => Refined::Hidden(system),
            Judgement::Violated(_) | Judgement::Unknown => Refined::Open,
        }
    }

    /// Some guarantees that a system breaks while it has the fault, those nearest to what is chosen first; none if nobody
    /// knows.
    fn broken(&mut self, system: &Machine, chosen: &[usize]) -> Option<Vec<usize>> {
        let mut near: Vec<AtomId> = self.formulas.atoms_of([self.demand.possible]);
        near.extend(self.formulas.atoms_of(chosen.iter().map(|place| self.grounds.guarantees[*place])));
        let mut order: Vec<(usize, usize, usize)> = Vec::new();
        for (place, &guarantee) in self.grounds.guarantees.iter().enumerate() {
            if !chosen.contains(&place) {
                let atoms = self.formulas.atoms_of([guarantee]);
                // What the tester does not see helps least.
                let new = atoms.iter().filter(|atom| self.sides.system.contains(atom) && !near.contains(atom));
                let cost = new.map(|atom| if self.sides.sees.contains(atom) { 1 } else { 3 }).sum();
                order.push((cost, self.formulas.reachable([guarantee]).len(), place));
            }
        }
        order.sort_unstable();
        let mut found = Vec::new();
        for (_, _, place) in order {
            let whole = self.grounds.with(self.formulas, &[place]);
            let search = self.demand.against(self.formulas, whole);
            let hides = self.formulas.not(search);
            let limits = Limits { deadline: self.budget.deadline, ..JUDGE };
            match verify(self.formulas, system, hides, limits) {
                Judgement::Satisfied => {}
                Judgement::Violated(_) => found.push(place),
                Judgement::Unknown => return if found.is_empty() { None } else { Some(found) },
            }
            if ADDED <= found.len() {
                break;
            }
        }
        Some(found)
    }

    /// A strategy, given a machine that wins but may see what no tester sees.
    fn strategy(&mut self, search: Formula, machine: Machine) -> Option<Machine> {
        let seen = |literal: &(AtomId, bool)| self.sides.sees.contains(&literal.0);
        let honest = machine.states.iter().flat_map(|state| &state.moves).all(|taken| taken.guard.iter().all(seen));
        let limits = Limits { deadline: self.budget.deadline, ..REDUCTION };
        let found = honest.then(|| Machine { reads: self.sides.sees.clone(), ..machine });
        let found = found.map(|machine| reduce(self.formulas, machine, search, limits, effort::REDUCTION.amount));
        let most = found.as_ref().map_or(self.bound, |machine| self.bound.min(machine.states.len() - 1));
        if 0 < most {
            let limits = share(self.budget, 3).limits();
            let bounded = Bounded::new(self.formulas, search, &self.sides.sees, &self.sides.sets, limits);
            if let Some(mut bounded) = bounded {
                for count in 1..=most {
                    let limit =
                        SatBudget { deadline: share(self.budget, 3).deadline, interrupt: self.interrupt.clone() };
                    match bounded.solve(count, &[], &limit) {
                        Found::Machine(machine) => return Some(machine),
                        Found::None => {}
                        Found::Unknown => break,
                    }
                }
            }
        }
        found.or_else(|| self.counted(search))
    }

    /// A strategy that counts visits: as large as it happens to be, and confirmed.
    pub(crate) fn counted(&mut self, search: Formula) -> Option<Machine> {
        let Sides { sees, sets, .. } = self.sides;
        let mut player = Player::new(self.formulas, search, sees, sets, Target::Moore, Effort::Large);
        for round in 0..rounds(Effort::Large) {
            let share = share(self.budget, (rounds(Effort::Large) - round) as u64);
            for machine in player.round(self.formulas, round, share) {
                let limits = Limits { deadline: self.budget.deadline, ..JUDGE };
                if verify(self.formulas, &machine, search, limits) == Judgement::Satisfied {
                    return Some(reduce(self.formulas, machine, search, limits, effort::REDUCTION.amount));
                }
            }
            if self.interrupt.is_raised() || self.is_over() {
                return None;
            }
        }
        None
    }
}

/// A part of the work that is left.
pub(crate) fn share(budget: Budget, part: u64) -> Budget {
    let left = budget.deadline.map(Deadline::left);
    Budget { deadline: left.map(|left| Deadline::after(left / part)), ..budget }
}
