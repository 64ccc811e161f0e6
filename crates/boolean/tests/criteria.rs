//! The worked examples of the sources, judged by the meter.

use boolean::goals::{ConditionMode, Criterion, GoalOptions, Goals, goals};
use boolean::interp::{decides, run};
use boolean::meter::Meter;
use boolean::{Dialect, Spec, load};
use formula::LeafId;
use source::Source;
use testcase::GoalId;
use value::{Value, from_text};

struct Case {
    source: Source,
    spec: Spec,
}

impl Case {
    fn new(text: &str) -> Case {
        let source = Source::new("case.bool", text);
        let (spec, _) = load(&source, Dialect::Bool).expect("the case is well formed");
        Case { source, spec }
    }

    fn goals(&self, criterion: Criterion) -> Goals {
        goals(&self.source, &self.spec, self.spec.default_decision(), criterion, GoalOptions::default())
            .expect("the criterion is defined")
    }

    fn assignment(&self, row: &str) -> Vec<Value> {
        let words = row.split_whitespace();
        self.spec
            .variables
            .iter()
            .zip(words)
            .map(|(variable, word)| from_text(&variable.sort, word).expect("a value"))
            .collect()
    }

    /// The keys of the goals that the rows cover.
    fn covered(&self, criterion: Criterion, rows: &[&str]) -> Vec<String> {
        let goals = self.goals(criterion);
        let mut meter = Meter::new(&self.spec, self.spec.default_decision(), &goals);
        for row in rows {
            meter.add(&self.assignment(row));
        }
        let covered = (0..goals.goals.len()).filter(|&goal| meter.is_covered(GoalId(goal as u32)));
        covered.map(|goal| goals.goals[goal].key.clone()).collect()
    }

    fn deciding(&self, row: &str) -> (bool, Vec<usize>) {
        let decision = &self.spec.decisions[self.spec.default_decision()];
        let run = run(&self.spec, self.spec.default_decision(), &self.assignment(row));
        let all = 0..decision.conditions.len();
        let by_definition: Vec<usize> =
            all.filter(|&leaf| decides(decision, &run.conditions, &[LeafId(leaf as u32)])).collect();
        let marks = decision.formula.deciding(&run.conditions);
        assert_eq!(by_definition, (0..marks.len()).filter(|&leaf| marks[leaf]).collect::<Vec<_>>());
        (run.outcome, by_definition)
    }
}

const EXAMPLE_5: &str = "input a, b, c: int; decision d = a > 5 && (b > 4 || c < 9);";

#[test]
fn example_5_a_masking_pair_may_differ_elsewhere() {
    // Digest 1.7 AT1.1.
    let case = Case::new(EXAMPLE_5);
    assert_eq!(case.covered(Criterion::MaskingMcdc, &["6 5 0", "5 5 9"]), ["c1"]);
    assert_eq!(case.goals(Criterion::MaskingMcdc).goals.len(), 3);
}

#[test]
fn example_6_a_unique_cause_pair_may_not() {
    // Digest 1.7 AT1.2.
    let case = Case::new(EXAMPLE_5);
    assert!(case.covered(Criterion::UniqueCauseMcdc, &["6 5 0", "5 5 9"]).is_empty());
    assert_eq!(case.covered(Criterion::UniqueCauseMcdc, &["6 5 0", "5 5 0"]), ["c1"]);
    // Digest 1.10: four tests are enough for masking.
    assert_eq!(case.covered(Criterion::MaskingMcdc, &["6 5 9", "5 5 9", "6 4 9", "6 4 8"]), ["c1", "c2", "c3"]);
}

#[test]
fn the_hiring_policy_is_decided_as_printed() {
    // Digest 1.7 AT1.3.
    let case = Case::new(
        "input age, exp, skills: int;
         let experienced = exp >= 3 || skills >= 4;
         decision hire = age > 21 && experienced;",
    );
    assert_eq!(case.deciding("19 0 0"), (false, vec![]));
    assert_eq!(case.deciding("19 4 2"), (false, vec![0]));
    assert_eq!(case.deciding("22 4 2"), (true, vec![0, 1]));
    assert_eq!(case.deciding("22 4 4"), (true, vec![0]));
}

#[test]
fn coupled_conditions_have_no_unique_cause() {
    // Digest 1.7 AT1.4: (a > 5) with (a <= 5), and (a > 5) with (a < 9).
    let strongly = Case::new("input a: int; input b: bool; decision d = a > 5 && b || a <= 5 && !b;");
    let rows: Vec<String> = (0..10).flat_map(|a| [format!("{a} true"), format!("{a} false")]).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let covered = strongly.covered(Criterion::UniqueCauseMcdc, &rows);
    assert!(!covered.contains(&"c1".to_owned()) && !covered.contains(&"c3".to_owned()));
    let weakly = Case::new("input a: int; decision d = a > 5 && a < 9;");
    assert_eq!(weakly.covered(Criterion::UniqueCauseMcdc, &["4", "6"]), ["c1"]);
}

#[test]
fn exclusive_or_tells_masking_from_correlated_coverage() {
    // Digest 1.7 AT1.7.
    let case = Case::new("input a, b: bool; decision d = a ^ b;");
    let rows = ["true false", "false true", "false false"];
    assert_eq!(case.covered(Criterion::MaskingMcdc, &rows[..2]), ["c1", "c2"]);
    assert!(case.covered(Criterion::Cacc, &rows[..2]).is_empty());
    assert_eq!(case.covered(Criterion::Cacc, &rows), ["c1", "c2"]);
}

#[test]
fn a_condition_that_occurs_twice_has_no_unique_cause() {
    // Digest 1.7 AT1.8.
    let case = Case::new("input a, b, c: bool; decision d = a && b || a && c;");
    let rows: Vec<String> = (0..8).map(|n| format!("{} {} {}", n & 1, n >> 1 & 1, n >> 2)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert_eq!(case.covered(Criterion::UniqueCauseMcdc, &rows), ["c2", "c4"]);
    assert_eq!(case.covered(Criterion::MaskingMcdc, &rows), ["c1", "c2", "c3", "c4"]);
    let options = GoalOptions { mode: ConditionMode::Variable, boundary: false };
    let goals = goals(&case.source, &case.spec, 0, Criterion::UniqueCauseMcdc, options).unwrap();
    assert_eq!(goals.conditions.len(), 3);
    let mut meter = Meter::new(&case.spec, 0, &goals);
    rows.iter().for_each(|row| {
        meter.add(&case.assignment(row));
    });
    assert!((0..3).all(|goal| meter.is_covered(GoalId(goal))));
}

#[test]
fn a_dead_condition_is_never_covered() {
    // Digest 1.7 AT1.9.
    let case = Case::new("input a, b: bool; decision d = a || a && b;");
    let rows = ["0 0", "0 1", "1 0", "1 1"];
    // The second `a` is false wherever it decides, and `b` decides nowhere.
    assert_eq!(case.covered(Criterion::MaskingMcdc, &rows), ["c1"]);
    let undecided = |row: &&str| !case.deciding(row).1.contains(&2);
    assert!(rows.iter().all(undecided));
}
