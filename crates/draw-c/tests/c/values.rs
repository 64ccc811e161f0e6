//! Values that are moved after the search: on random programs they change nothing that is said about goals and tests.

use search::{Options, Subject};

use super::writer::Writer;

/// Programs per run of the tests.
const PROGRAMS: u64 = 12;

#[test]
fn values_on_borders_change_no_status_no_coverage_and_no_number_of_tests() {
    let mut moved = 0;
    for seed in 1..=PROGRAMS {
        let written = Writer::new(seed).program();
        let options = Options { attacks: 20, seed, goal_conflicts: Some(2_000), ..Options::default() };
        let found = [true, false].map(|border| {
            let case = super::Case { hybrid: true, most_calls: 1, border, ..super::case(&written.text, "f") };
            case.run("cover @CONDITIONEDGE", options.clone())
        });
        let [Ok((subject, sharp)), Ok((_, plain))] = found else { panic!("seed {seed} cannot be searched") };
        assert_eq!(sharp.statuses, plain.statuses, "seed {seed}");
        assert_eq!(sharp.covers, plain.covers, "seed {seed}");
        assert_eq!(sharp.minimality, plain.minimality, "seed {seed}");
        let mut judge = subject.replay();
        for (sharp, plain) in sharp.tests.iter().zip(&plain.tests) {
            let (inputs, before) = (&sharp.test().inputs, &plain.test().inputs);
            moved += usize::from(inputs.to_json() != before.to_json());
            assert!(judge.run(inputs).objection.is_none(), "seed {seed}");
            let steps = |test: &search::Confirmed| test.test().notes["steps"].clone();
            assert_eq!(steps(sharp), steps(plain), "seed {seed}: another way through the program");
        }
    }
    assert!(0 < moved, "no value was moved");
}
