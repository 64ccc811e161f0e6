//! What is known about obligations, and what follows for goals.

use std::collections::BTreeMap;

use testcase::{Goal, GoalStatus, ObligationId, Pursuit};

/// The state of every obligation of a run: open, or closed with a status.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    entries: Vec<Option<GoalStatus>>,
    /// What earlier runs found out about goals, by key.
    settled: BTreeMap<String, GoalStatus>,
}

impl Ledger {
    /// All open.
    pub(crate) fn new(count: usize) -> Ledger {
        Ledger { entries: vec![None; count], settled: BTreeMap::new() }
    }

    pub(crate) fn get(&self, obligation: ObligationId) -> Option<&GoalStatus> {
        self.entries[obligation.0 as usize].as_ref()
    }

    pub(crate) fn is_met(&self, obligation: ObligationId) -> bool {
        self.get(obligation) == Some(&GoalStatus::Covered)
    }

    pub(crate) fn close(&mut self, obligation: ObligationId, status: GoalStatus) {
        self.entries[obligation.0 as usize] = Some(status);
    }

    /// Takes over what an earlier run found out about a goal.
    pub(crate) fn settle(&mut self, key: &str, status: GoalStatus) {
        self.settled.insert(key.to_owned(), status);
    }

    /// What an earlier run found out about a goal.
    pub(crate) fn settled(&self, goal: &Goal) -> Option<&GoalStatus> {
        self.settled.get(&goal.key)
    }

    /// The closed obligations with their statuses.
    pub(crate) fn closed(&self) -> impl Iterator<Item = (ObligationId, &GoalStatus)> {
        self.entries
            .iter()
            .enumerate()
            .filter_map(|(index, status)| Some((ObligationId(index as u32), status.as_ref()?)))
    }

    /// The alternatives of a goal in which nothing stands in the way, in order. None when the goal is covered or nothing more
    /// can be done for it.
    pub(crate) fn pursued<'g>(&self, goal: &'g Goal) -> impl Iterator<Item = &'g [ObligationId]> {
        let open = self.goal(goal).is_none();
        let workable = move |alternative: &&'g Vec<ObligationId>| {
            open && alternative.iter().all(|&obligation| self.get(obligation).is_none() || self.is_met(obligation))
        };
        goal.alternatives.iter().filter(workable).map(Vec::as_slice)
    }

    /// The first alternative before the one that counts which nobody has looked for yet.
    pub(crate) fn better<'g>(&self, goal: &'g Goal) -> Option<&'g [ObligationId]> {
        let counted = self.met_alternative(goal)?;
        let untried = |alternative: &&[ObligationId]| {
            alternative.iter().all(|&obligation| self.get(obligation).is_none() || self.is_met(obligation))
        };
        goal.alternatives.iter().map(Vec::as_slice).take_while(|alternative| *alternative != counted).find(untried)
    }

    /// The alternative of a goal that the tests meet and that counts.
    pub(crate) fn met_alternative<'g>(&self, goal: &'g Goal) -> Option<&'g [ObligationId]> {
        for alternative in &goal.alternatives {
            if alternative.iter().all(|&obligation| self.is_met(obligation)) {
                return Some(alternative);
            }
            let impossible = |&obligation| matches!(self.get(obligation), Some(GoalStatus::Infeasible(_)));
            if goal.pursuit == Pursuit::InOrder && !alternative.iter().any(impossible) {
                return None;
            }
        }
        None
    }

    /// What is known about a goal; none while it is open.
    pub(crate) fn goal(&self, goal: &Goal) -> Option<GoalStatus> {
        if self.met_alternative(goal).is_some() {
            return Some(GoalStatus::Covered);
        }
        if let Some(status) = self.settled(goal) {
            return Some(status.clone());
        }
        if goal.alternatives.is_empty() {
            return Some(GoalStatus::Infeasible("no tests could show it, whatever is executed".into()));
        }
        let mut worst: Option<GoalStatus> = None;
        for alternative in &goal.alternatives {
            let blocking = alternative.iter().filter_map(|&obligation| self.get(obligation)).min_by_key(|s| rank(s))?;
            if *blocking == GoalStatus::Covered {
                return None;
            }
            if goal.pursuit == Pursuit::InOrder && !matches!(blocking, GoalStatus::Infeasible(_)) {
                return Some(blocking.clone());
            }
            if worst.as_ref().is_none_or(|worst| rank(worst) < rank(blocking)) {
                worst = Some(blocking.clone());
            }
        }
        worst
    }
}

/// How conclusive a status is for an alternative that contains it: the most conclusive one decides the alternative.
/// Met obligations come last: they do not stand in the way.
fn rank(status: &GoalStatus) -> u8 {
    match status {
        GoalStatus::Infeasible(_) => 0,
        GoalStatus::InfeasibleUpTo(_) => 1,
        GoalStatus::OnlyUndefined { .. } => 2,
        GoalStatus::Unknown(_) => 3,
        GoalStatus::Covered => 4,
    }
}

#[cfg(test)]
mod tests {
    use testcase::Inputs;

    use super::*;

    fn goal(alternatives: &[&[u32]], ordered: bool) -> Goal {
        let alternatives = alternatives.iter().map(|ids| ids.iter().map(|&id| ObligationId(id)).collect()).collect();
        let pursuit = if ordered { Pursuit::InOrder } else { Pursuit::OneByOne };
        Goal::new("g".into(), String::new(), None, alternatives).pursued(pursuit)
    }

    fn ledger(states: &str) -> Ledger {
        let mut ledger = Ledger::new(states.len());
        for (index, state) in states.chars().enumerate() {
            let status = match state {
                'm' => GoalStatus::Covered,
                'i' => GoalStatus::Infeasible("i".into()),
                'b' => GoalStatus::InfeasibleUpTo("b".into()),
                'd' => GoalStatus::OnlyUndefined { reason: "d".into(), witness: Inputs::Document(().into()) },
                'u' => GoalStatus::Unknown("u".into()),
                _ => continue,
            };
            ledger.close(ObligationId(index as u32), status);
        }
        ledger
    }

    #[track_caller]
    fn check(states: &str, alternatives: &[&[u32]], ordered: bool, expected: Option<&str>) {
        let status = ledger(states).goal(&goal(alternatives, ordered));
        assert_eq!(status.as_ref().map(GoalStatus::name), expected);
    }

    #[test]
    fn a_goal_without_alternatives_is_infeasible() {
        check("m", &[], false, Some("infeasible"));
    }

    #[test]
    fn a_goal_is_covered_when_one_alternative_is_met() {
        check("mm", &[&[0, 1]], false, Some("covered"));
        check("m.", &[&[0, 1]], false, None);
        check("i.mm", &[&[0, 1], &[2, 3]], false, Some("covered"));
    }

    #[test]
    fn a_goal_is_infeasible_only_when_every_alternative_is() {
        check("mi", &[&[0, 1]], false, Some("infeasible"));
        check("im.i", &[&[0, 1], &[2, 3]], false, Some("infeasible"));
        check("imbm", &[&[0, 1], &[2, 3]], false, Some("infeasible_up_to"));
        check("iumu", &[&[0, 1], &[2, 3]], false, Some("unknown"));
        check("i...", &[&[0, 1], &[2, 3]], false, None);
        check("imdm", &[&[0, 1], &[2, 3]], false, Some("only_undefined"));
        check("bmdm", &[&[0, 1], &[2, 3]], false, Some("only_undefined"));
        check("dmum", &[&[0, 1], &[2, 3]], false, Some("unknown"));
        check("di", &[&[0, 1]], false, Some("infeasible"));
    }

    #[test]
    fn what_comes_before_a_chance_hit_is_still_worth_asking_for() {
        let goal = goal(&[&[0], &[1], &[2]], false);
        assert_eq!(ledger("..m").better(&goal), Some([ObligationId(0)].as_slice()));
        assert_eq!(ledger("u.m").better(&goal), Some([ObligationId(1)].as_slice()));
        assert_eq!(ledger("bim").better(&goal), None);
        assert_eq!(ledger("m..").better(&goal), None);
        assert_eq!(ledger("...").better(&goal), None);
    }

    #[test]
    fn an_ordered_goal_takes_a_later_alternative_only_after_a_proof() {
        check(".mm", &[&[0], &[1, 2]], true, None);
        check("imm", &[&[0], &[1, 2]], true, Some("covered"));
        check("umm", &[&[0], &[1, 2]], true, Some("unknown"));
    }
}
