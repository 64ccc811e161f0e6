//! Games that count visits of accepting states, for both players in turn and with growing counts: whoever finds a machine wins.
//!
//! A part of an objective is a disjunction. Leaving members of it out makes the objective harder, so whoever wins then
//! wins; with fewer members the automata are often much smaller.

use ltl::{Machine, Target};
use omega::simplify::is_suspendable;
use omega::work::Deadline;
use omega::{AtomId, Formula, Formulas};

use super::counting::{Counting, Outcome};
use super::effort::{self, Effort};
use super::realizable::Budget;
use super::universal::{Part, Universal, parts};

/// The largest counts that are tried, one after the other.
const COUNTS: [u8; 6] = [0, 1, 2, 4, 8, 16];

/// The most members of a part that are tried alone.
const MOST_ALONE: usize = 16;

/// How many counts an effort tries.
pub(crate) fn rounds(effort: Effort) -> usize {
    match effort {
        Effort::Small => effort::VISITS_SMALL_COUNTS.size(),
        Effort::Large => COUNTS.len(),
    }
}

/// A player who looks for a machine that satisfies a formula.
pub(crate) struct Player {
    /// Harder objectives first, the whole last; each with its automaton once that is built.
    objectives: Vec<(Vec<Part>, Automaton)>,
    reads: Vec<AtomId>,
    sets: Vec<AtomId>,
    kind: Target,
    effort: Effort,
}

enum Automaton {
    /// Not built; so many steps were not enough.
    NotYet(u64),
    Built(Box<Universal>),
    TooLarge,
}

impl Player {
    /// A player of a formula. A Mealy machine moves second, a Moore machine first.
    pub(crate) fn new(
        formulas: &mut Formulas,
        formula: Formula,
        reads: &[AtomId],
        sets: &[AtomId],
        kind: Target,
        effort: Effort,
    ) -> Player {
        let whole = parts(formulas, formula);
        let mut objectives = harder(formulas, &whole);
        objectives.push(whole);
        let objectives = objectives.into_iter().map(|parts| (parts, Automaton::NotYet(0))).collect();
        Player { objectives, reads: reads.to_vec(), sets: sets.to_vec(), kind, effort }
    }

    /// Looks for machines with the counts of a round, within a share of the budget for each objective.
    pub(crate) fn round(&mut self, formulas: &mut Formulas, round: usize, budget: Budget) -> Vec<Machine> {
        let mut found = Vec::new();
        for number in 0..self.objectives.len() {
            let left = budget.deadline.map(Deadline::left);
            let shares = (self.objectives.len() - number) as u64;
            let deadline = left.map(|left| Deadline::after(left / shares));
            if let Some(machine) = self.attempt(formulas, number, COUNTS[round], budget, deadline) {
                found.push(machine);
                break;
            }
        }
        found
    }

    fn attempt(
        &mut self,
        formulas: &mut Formulas,
        number: usize,
        most: u8,
        budget: Budget,
        deadline: Option<Deadline>,
    ) -> Option<Machine> {
        let (first, second) = match self.kind {
            Target::Mealy => (&self.reads, &self.sets),
            Target::Moore => (&self.sets, &self.reads),
        };
        let (parts, automaton) = &mut self.objectives[number];
        if let Automaton::NotYet(tried) = *automaton {
            let began = Deadline::now();
            let share = deadline.map(Deadline::left);
            if share.is_some_and(|share| share < tried.saturating_mul(2)) {
                return None;
            }
            let own = budget.limits();
            let limits = omega::automaton::Limits { deadline, nodes: own.nodes.min(self.effort.nodes()), ..own };
            *automaton = match Universal::new(formulas, parts, first, second, limits) {
                Some(built) => Automaton::Built(Box::new(built)),
                None if deadline.is_some_and(Deadline::is_over) => Automaton::NotYet(Deadline::now().since(began)),
                None => Automaton::TooLarge,
            };
        }
        let Automaton::Built(built) = automaton else { return None };
        built.bdds.allow_until(deadline);
        match Counting::new(built, self.kind, most, self.effort.positions() * budget.scale(), deadline)
            .play(&self.reads, &self.sets)
        {
            Outcome::Won(machine) => Some(machine),
            Outcome::Lost => None,
            Outcome::Unknown => {
                if built.bdds.is_exhausted() {
                    *automaton = Automaton::NotYet(0);
                }
                None
            }
        }
    }
}

/// Objectives that are harder than a conjunction of parts, and worth trying first.
fn harder(formulas: &Formulas, whole: &[Part]) -> Vec<Vec<Part>> {
    let mut found = Vec::new();
    // Do without what only holds in the long run, if something else is left.
    let mut fewer = Vec::new();
    for part in whole {
        let kept: Part = part.iter().copied().filter(|member| !is_suspendable(formulas, *member)).collect();
        fewer.push(if kept.is_empty() { part.clone() } else { kept });
    }
    if fewer != whole {
        found.push(fewer);
    }
    // What all real disjunctions share stays; of what the largest has besides, one member alone.
    let several: Vec<usize> = (0..whole.len()).filter(|place| 1 < whole[*place].len()).collect();
    let Some(&place) = several.iter().max_by_key(|place| whole[**place].len()) else { return found };
    let shared: Part = whole[place]
        .iter()
        .copied()
        .filter(|member| 1 < several.len() && several.iter().all(|other| whole[*other].contains(member)))
        .collect();
    let own: Part = whole[place].iter().copied().filter(|member| !shared.contains(member)).collect();
    let alone_elsewhere = several.iter().all(|other| *other == place || whole[*other].len() <= shared.len() + 1);
    if (2..=MOST_ALONE).contains(&own.len()) && alone_elsewhere {
        for member in own {
            let mut alone = whole.to_vec();
            alone[place] = shared.iter().copied().chain([member]).collect();
            found.push(alone);
        }
    }
    found
}
