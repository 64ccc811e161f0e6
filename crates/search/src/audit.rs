//! The audit of a suite that somebody else wrote: everything it says that can be computed again is, and what it declares impossible
//! is attacked with random runs. It needs no solver and believes nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use testcase::{Goal, GoalRecord, Inputs, Minimality, ObligationId, Pursuit, Status, Suite, TestRecord};

use crate::Options;
use crate::abilities::{attacks, is_within};
use crate::outcome::covers;
use crate::refute::affordable_runs;
use crate::subject::{Bound, Replayed, Subject, Witness};

/// What became of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// What the suite says and the interpreter does not, in words.
    pub differences: Vec<String>,
    /// How many goals it declares impossible without showing why; random runs did not refute them.
    pub unproved: usize,
}

/// Holds a suite against what its tests, by their inputs, show.
pub fn audit(subject: &dyn Subject, suite: &Suite, inputs: &[Inputs], options: &Options) -> Audit {
    let mut replay = subject.replay();
    let replayed: Vec<Replayed> = inputs.iter().map(|inputs| replay.run(inputs)).collect();
    let shown = Shown::of(replay.witnesses());
    let said: BTreeMap<&str, &GoalRecord> = suite.goals.iter().map(|goal| (goal.id.as_str(), goal)).collect();
    let mut audit = Audit::default();
    let differences = &mut audit.differences;
    tests_differ(suite, &replayed, differences);
    bound_differs(subject, suite, inputs, differences);
    for goal in subject.goals() {
        match said.get(goal.key.as_str()) {
            None => differences.push(format!("the suite does not know the goal {}", goal.key)),
            Some(record) => goal_differs(subject, suite, goal, record, inputs, &shown, differences),
        }
    }
    let known: BTreeSet<&str> = subject.goals().iter().map(|goal| goal.key.as_str()).collect();
    for record in suite.goals.iter().filter(|record| !known.contains(record.id.as_str())) {
        differences.push(format!("the specification has no goal {}", record.id));
    }
    coverage_differs(subject, suite, &said, &shown, differences);
    minimality_differs(subject, suite, &said, &shown, differences);
    attack(subject, &said, options, &mut audit);
    audit
}

/// The sets of tests that meet each obligation.
struct Shown {
    all: Vec<Witness>,
    by_obligation: BTreeMap<ObligationId, Vec<Vec<u32>>>,
}

impl Shown {
    fn of(all: Vec<Witness>) -> Shown {
        let mut by_obligation: BTreeMap<ObligationId, Vec<Vec<u32>>> = BTreeMap::new();
        for witness in &all {
            by_obligation.entry(witness.obligation).or_default().push(witness.tests.clone());
        }
        Shown { all, by_obligation }
    }

    /// Whether the tests that may be used cover a goal.
    fn covers(&self, goal: &Goal, usable: impl Fn(u32) -> bool) -> bool {
        self.first_met(goal, usable).is_some()
    }

    /// The first alternative of a goal that the tests that may be used meet.
    fn first_met(&self, goal: &Goal, usable: impl Fn(u32) -> bool) -> Option<usize> {
        let meets = |tests: &Vec<u32>| tests.iter().all(|&test| usable(test));
        let is_met = |obligation| self.by_obligation.get(obligation).is_some_and(|sets| sets.iter().any(meets));
        goal.alternatives.iter().position(|all| all.iter().all(is_met))
    }

    /// Whether some of the tests cover a goal as well as all of them do: where alternatives have an order, by one that is as good.
    fn covers_as_well(&self, goal: &Goal, usable: impl Fn(u32) -> bool) -> bool {
        match goal.pursuit {
            Pursuit::InOrder | Pursuit::BestFirst => self.first_met(goal, usable) == self.first_met(goal, |_| true),
            Pursuit::OneByOne | Pursuit::AllAtOnce => self.covers(goal, usable),
        }
    }
}

/// What tests expect and remark, against what the interpreter says.
fn tests_differ(suite: &Suite, replayed: &[Replayed], differences: &mut Vec<String>) {
    for (said, found) in suite.tests.iter().zip(replayed) {
        if let Some(objection) = &found.objection {
            differences.push(format!("test {} is not allowed: {objection}", said.id));
        } else if said.expected != found.test.expected {
            let (said_text, found) = (json!(said.expected), json!(found.test.expected));
            differences.push(format!("test {} expects {said_text}, but gives {found}", said.id));
        } else if said.notes != found.test.notes {
            let (said_text, found) = (json!(said.notes), json!(found.test.notes));
            differences.push(format!("test {} has the notes {said_text}; they should be {found}", said.id));
        }
    }
}

/// No test goes beyond the bound that the suite names.
fn bound_differs(subject: &dyn Subject, suite: &Suite, inputs: &[Inputs], differences: &mut Vec<String>) {
    let Some(bound) = suite.bound else { return };
    let Ok(bound) = u32::try_from(bound) else {
        differences.push(format!("the bound {bound} is larger than any bound that can be asked for"));
        return;
    };
    for (test, _) in suite.tests.iter().zip(inputs).filter(|(_, inputs)| !is_within(subject, inputs, Bound(bound))) {
        differences.push(format!("test {} goes beyond the bound {bound}", test.id));
    }
}

/// What the suite says about one goal.
fn goal_differs(
    subject: &dyn Subject,
    suite: &Suite,
    goal: &Goal,
    said: &GoalRecord,
    inputs: &[Inputs],
    shown: &Shown,
    differences: &mut Vec<String>,
) {
    if said.label != goal.label || said.location != goal.location {
        differences.push(format!("the goal {} is another one: `{}`, not `{}`", goal.key, goal.label, said.label));
    }
    let covered = shown.covers(goal, |_| true);
    let named: BTreeSet<u32> = said.tests.iter().filter_map(|id| number_of(suite, id)).collect();
    match (said.status == Status::Covered, covered) {
        (true, false) => {
            let place = subject.goals().iter().position(|other| other.key == goal.key);
            let first = named.first().and_then(|&test| inputs.get(test as usize));
            let why = place.zip(first).and_then(|(place, inputs)| {
                let describes = subject.abilities().describes?;
                describes.counterexample(testcase::GoalId(u32::try_from(place).ok()?), inputs)
            });
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            differences.push(format!("goal {} is said to be covered, but the tests do not cover it{why}", said.id));
        }
        (false, true) => {
            differences.push(format!("goal {} is said to be {}, but the tests cover it", said.id, said.status));
        }
        (true, true) if !shown.covers(goal, |test| named.contains(&test)) => {
            let list = if said.tests.is_empty() { "no test".to_owned() } else { said.tests.join(", ") };
            differences.push(format!("goal {} is said to be covered by {list}, which does not cover it", said.id));
        }
        (false, false) if !said.tests.is_empty() => {
            differences.push(format!("goal {} is said to be {}, and yet names tests", said.id, said.status));
        }
        (true, true) | (false, false) => {}
    }
}

/// The number of a test.
fn number_of(suite: &Suite, id: &str) -> Option<u32> {
    suite.tests.iter().position(|test| test.id == id).and_then(|place| u32::try_from(place).ok())
}

/// Which goals each test helps to cover.
fn coverage_differs(
    subject: &dyn Subject,
    suite: &Suite,
    said: &BTreeMap<&str, &GoalRecord>,
    shown: &Shown,
    differences: &mut Vec<String>,
) {
    let is_covered = |goal: &Goal| said.get(goal.key.as_str()).is_some_and(|record| record.status == Status::Covered);
    let found = covers(subject.goals(), is_covered, &shown.all, suite.tests.len());
    for (test, found) in suite.tests.iter().zip(found) {
        let keys = |test: &TestRecord| test.covers.iter().cloned().collect::<BTreeSet<String>>();
        let found: BTreeSet<String> = found.iter().map(|goal| subject.goals()[goal.0 as usize].key.clone()).collect();
        let said = keys(test);
        let list = |keys: Vec<&String>| keys.iter().map(|key| key.as_str()).collect::<Vec<_>>().join(", ");
        let (more, less) = (list(said.difference(&found).collect()), list(found.difference(&said).collect()));
        if !more.is_empty() {
            differences.push(format!("test {} is said to cover {more}, and does not", test.id));
        }
        if !less.is_empty() {
            differences.push(format!("test {} covers {less}, and is not said to", test.id));
        }
    }
}

/// A suite that can do without one of its tests is not a smallest one.
fn minimality_differs(
    subject: &dyn Subject,
    suite: &Suite,
    said: &BTreeMap<&str, &GoalRecord>,
    shown: &Shown,
    differences: &mut Vec<String>,
) {
    if suite.minimality == Minimality::NotProved {
        return;
    }
    let covered: Vec<&Goal> = subject
        .goals()
        .iter()
        .filter(|goal| said.get(goal.key.as_str()).is_some_and(|record| record.status == Status::Covered))
        .filter(|goal| shown.covers(goal, |_| true))
        .collect();
    for (number, test) in (0..).zip(&suite.tests) {
        // Tests that no goal needs may be there for what must hold in addition to the goals.
        let free = test.covers.is_empty();
        if !free && covered.iter().all(|goal| shown.covers_as_well(goal, |other| other != number)) {
            differences.push(format!("no smaller suite is said to exist, but test {} can be left out", test.id));
            return;
        }
    }
}

/// Random runs against everything that is said to be impossible.
fn attack(subject: &dyn Subject, said: &BTreeMap<&str, &GoalRecord>, options: &Options, audit: &mut Audit) {
    let claimed = |goal: &&Goal| said.get(goal.key.as_str()).is_some_and(|record| record.status.is_claim());
    let goals: Vec<&Goal> = subject.goals().iter().filter(claimed).collect();
    let evident = |goal: &&&Goal| !said[goal.key.as_str()].evidence.is_empty();
    audit.unproved = goals.len() - goals.iter().filter(evident).count();
    if goals.is_empty() || options.attacks == 0 {
        return;
    }
    let mut obligations: Vec<ObligationId> =
        goals.iter().flat_map(|goal| goal.alternatives.iter().flatten().copied()).collect();
    obligations.sort_unstable();
    obligations.dedup();
    let count = options.attacks.min(affordable_runs(subject));
    let mut replay = subject.replay();
    let mut runs = Vec::new();
    for inputs in attacks(subject, options.seed, count, &obligations, options.bound) {
        replay.run(&inputs);
        runs.push(inputs);
    }
    let shown = Shown::of(replay.witnesses());
    // What lies beyond the bound does not contradict a claim within it.
    let within: Vec<bool> = runs.iter().map(|inputs| is_within(subject, inputs, options.bound)).collect();
    for goal in goals {
        let bounded = said[goal.key.as_str()].status == Status::InfeasibleUpTo;
        if shown.covers(goal, |run| !bounded || within[run as usize]) {
            audit.differences.push(format!("goal {} is said to be impossible, but random runs cover it", goal.key));
            audit.unproved = audit.unproved.saturating_sub(1);
        }
    }
}
