//! Goals, infeasible goals and the smallest number of tests, found by running the programs on all inputs that matter, against
//! table 7.2 of the thesis, figure 7.1, the regression queries of FShell and the worked examples.

use std::collections::BTreeSet;
use std::path::Path;

use c::interp::{InputValue, Interpreter, RecordedInputs, Settings};
use fql::follow::{Follower, is_complete};
use fql::meter::Meter;
use fql::predicates::Predicates;
use fql::program::{Blocks, ProgramGraph};
use fql::{evaluate, parse};

/// Values of inputs by name; a name may occur several times.
type Given = Vec<(String, i128)>;

struct Bench {
    file: &'static str,
    entry: &'static str,
    blocks: Blocks,
    assertions: bool,
    /// Whether some of the runs have undefined behaviour: they do not count.
    undefined: bool,
    runs: Vec<Given>,
}

impl Bench {
    fn program(&self) -> c::Translation {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/fql/programs");
        let text = std::fs::read_to_string(folder.join(self.file)).expect("the program is there");
        let shape = c::Shape { inserted_skips: self.blocks == Blocks::Strict, ..Default::default() };
        let options = c::Options { shape, ..c::Options::default() };
        c::load_text(self.file, &text, &options).expect("the program is correct")
    }

    /// The goals that every run covers, and the number of all goals.
    fn measure(&self, query: &str) -> (u128, Vec<BTreeSet<u128>>) {
        let mut program = self.program();
        let entry = program.program.function_named(self.entry).expect("the entry is there");
        let graph = ProgramGraph::new(&program, entry, self.blocks);
        let parsed = parse(query).unwrap_or_else(|error| panic!("{query}: {}", error.message));
        let (spec, _) = evaluate(&parsed, &graph.graph).unwrap_or_else(|error| panic!("{query}: {}", error.message));
        let (predicates, _) = Predicates::compile(&mut program, &spec, graph.graph.nodes.len()).expect("predicates");
        let settings = Settings { assertions: self.assertions, ..Settings::default() };
        let interpreter = Interpreter::new(&program.program, settings);
        let mut meter = Meter::new(&spec);
        let mut covered = Vec::new();
        for given in &self.runs {
            let mut inputs = RecordedInputs::default();
            for (name, value) in given {
                inputs.push(name, InputValue::Integer(*value));
            }
            let mut follower = Follower::new(&program.program, &graph, &predicates, meter.clone());
            let outcome = interpreter.run(entry, &mut inputs, &mut follower);
            if !is_complete(&outcome.ending) {
                assert!(self.assertions || self.undefined, "{query}: {:?} on {given:?}", outcome.ending);
                continue;
            }
            meter = follower.listener;
            let run = meter.finish();
            covered.push(meter.goals_of(run, usize::MAX).into_iter().collect());
        }
        (spec.goals.count().expect("a number"), covered)
    }

    /// `goals / infeasible / smallest number of tests`.
    fn row(&self, query: &str) -> String {
        let (goals, covered) = self.measure(query);
        let feasible: BTreeSet<u128> = covered.iter().flatten().copied().collect();
        format!("{goals} / {} / {}", goals - feasible.len() as u128, smallest(&covered, &feasible))
    }

    fn check(&self, rows: &[(&str, &str)]) {
        for (query, expected) in rows {
            assert_eq!(self.row(query), *expected, "{} {query}", self.file);
        }
    }
}

/// The least number of sets whose union is everything.
fn smallest(sets: &[BTreeSet<u128>], all: &BTreeSet<u128>) -> usize {
    let mut distinct: Vec<&BTreeSet<u128>> = Vec::new();
    for set in sets {
        if !distinct.contains(&set) {
            distinct.push(set);
        }
    }
    let maximal: Vec<&BTreeSet<u128>> = distinct
        .iter()
        .copied()
        .filter(|set| !distinct.iter().any(|other| *other != *set && other.is_superset(set)))
        .collect();
    (0..=maximal.len()).find(|count| covers(&maximal, *count, &BTreeSet::new(), all)).expect("all sets cover all")
}

fn covers(sets: &[&BTreeSet<u128>], count: usize, so_far: &BTreeSet<u128>, all: &BTreeSet<u128>) -> bool {
    let Some(open) = all.iter().find(|goal| !so_far.contains(goal)) else { return true };
    0 < count && sets.iter().filter(|set| set.contains(open)).any(|set| covers(sets, count - 1, &(so_far | set), all))
}

fn triples(name: &str) -> Vec<Given> {
    let each = 0..3i128;
    let mut found = Vec::new();
    for one in each.clone() {
        for two in each.clone() {
            for three in each.clone() {
                found.push(
                    [one, two, three].iter().enumerate().map(|(at, value)| (format!("{name}[{at}]"), *value)).collect(),
                );
            }
        }
    }
    found
}

fn list2() -> Bench {
    Bench {
        file: "list2.c",
        entry: "main",
        blocks: Blocks::Loose,
        assertions: false,
        undefined: false,
        runs: triples("three"),
    }
}

#[test]
fn list2_has_the_published_figures() {
    let bb = "@BASICBLOCKENTRY";
    let product = |count: usize| format!("cover {}", vec![bb; count].join("->"));
    list2().check(&[
        ("cover @BASICBLOCKENTRY", "11 / 0 / 3"),
        ("cover @CONDITIONEDGE", "8 / 0 / 3"),
        ("cover @CONDITIONEDGE & @STMTTYPE(if,switch,for,while,?:)", "8 / 0 / 3"),
        ("cover @DEF(t)", "2 / 0 / 1"),
        ("cover @USE(t)", "2 / 0 / 1"),
        ("cover @DEF(t).\"NOT(@DEF(t))*\".@USE(t)", "4 / 2 / 1"),
        ("in @FUNC(partition) cover @CONDITIONEDGE passing @7", "8 / 3 / 1"),
        (&product(2), "121 / 53 / 4"),
        (&product(3), "1331 / 1060 / 4"),
        (&product(4), "14641 / 13927 / 4"),
        (&product(5), "161051 / 159776 / 4"),
        (&product(6), "1771561 / 1769986 / 4"),
    ]);
}

#[test]
fn the_eight_blocks_of_list2_need_one_test() {
    let bench = Bench { blocks: Blocks::Strict, ..list2() };
    bench.check(&[("cover @BASICBLOCKENTRY", "8 / 0 / 1")]);
}

#[test]
fn predicates_hold_between_steps() {
    // Q9: j is read before it is set, so its value is an input wherever the predicate looks at it.
    let mut bench = list2();
    for run in &mut bench.runs {
        for _ in 0..8 {
            run.push(("j".into(), 1));
        }
    }
    bench.check(&[("cover @BASICBLOCKENTRY passing ^(@2.{j>0}+NOT(@2))*$", "11 / 0 / 3")]);
    for run in &mut bench.runs {
        run.iter_mut().filter(|(name, _)| name == "j").for_each(|(_, value)| *value = -1);
    }
    bench.check(&[("cover @BASICBLOCKENTRY passing ^(@2.{j>0}+NOT(@2))*$", "11 / 11 / 0")]);
}

fn sort1() -> Bench {
    let mut runs = Vec::new();
    for triple in triples("three") {
        for verify in [0, 1] {
            let mut run: Given = triple.clone();
            run.push(("verify".into(), verify));
            runs.push(run);
        }
    }
    Bench { file: "sort1.c", entry: "main", blocks: Blocks::Loose, assertions: true, undefined: false, runs }
}

#[test]
fn sort1_has_the_published_figures() {
    sort1().check(&[
        (
            "cover @CONDITIONEDGE & @FUNC(compare) passing ^(NOT(@CALL(compare))*.(@CALL(compare) & @FUNC(sort))*)*$",
            "2 / 0 / 1",
        ),
        (
            "in @FUNC(sort) | @FUNC(compare) cover @ENTRY(sort).{len>=2}.{len<=15}.\"NOT(@EXIT(sort))*\".@BASICBLOCKENTRY",
            "8 / 1 / 1",
        ),
        // As printed, without the scope that the original benchmark file had: blocks of every function count behind the entry of `sort`.
        ("cover @ENTRY(sort).{len>=2}.{len<=15}.\"NOT(@EXIT(sort))*\".@BASICBLOCKENTRY", "17 / 10 / 1"),
        (
            "cover @CALL(sort) passing ^(NOT(@FUNC(sort))*.(@FUNC(sort) & NOT(@CALL(unfinished)))*.NOT(@FUNC(sort))*)*$",
            "1 / 0 / 1",
        ),
        // The table counts 29: what both sides of the sum ask for counts twice there. The benchmark file asked for blocks, since
        // there was no @DECISIONEDGE; as printed it asks for decisions.
        ("cover @CONDITIONEDGE + @BASICBLOCKENTRY", "17 / 0 / 2"),
        ("cover @CONDITIONEDGE + @DECISIONEDGE", "12 / 0 / 2"),
        ("cover (@CONDITIONEDGE & @FUNC(sort)) -> (@BASICBLOCKENTRY & @FUNC(eval))", "12 / 0 / 1"),
        ("cover @STMTTYPE(assert)", "2 / 0 / 1"),
        ("cover @STMTTYPE(assert)->@STMTTYPE(assert)", "4 / 3 / 1"),
    ]);
}

fn sort2(file: &'static str, undefined: bool) -> Bench {
    let runs = (-2..=4).map(|max| vec![("max".to_owned(), max)]).collect();
    Bench { file, entry: "main", blocks: Blocks::Loose, assertions: false, undefined, runs }
}

/// The listing reads behind its array of three where two elements or more are inserted. Its tool went on behind that, so Q4, Q5 and Q14
/// have fewer feasible goals here than in the table: what is missing needs undefined behaviour.
#[test]
fn sort2_as_listed_has_fewer_runs_without_undefined_behaviour() {
    sort2("sort2.c", true).check(&[
        ("cover PATHS(@FUNC(main) | @FUNC(insert),1)", "6 / 3 / 2"),
        ("cover PATHS(@FUNC(main) | @FUNC(insert),2)", "9 / 6 / 2"),
        ("cover @CONDITIONEDGE passing ^(NOT(@CALL(eval))*.@CALL(insert))>=2", "6 / 6 / 0"),
    ]);
}

#[test]
fn sort2_with_room_has_the_published_figures() {
    sort2("sort2-with-room.c", false).check(&[
        ("cover PATHS(@FUNC(main) | @FUNC(insert),1)", "6 / 2 / 2"),
        ("cover PATHS(@FUNC(main) | @FUNC(insert),2)", "9 / 3 / 3"),
        (
            "in @FUNC(eval) cover @CONDITIONEDGE passing @CALL(eval).NOT(@EXIT(eval))*.@CALL(eval).NOT(@EXIT(eval))*.@CALL(eval)",
            "2 / 0 / 1",
        ),
        ("cover @CONDITIONEDGE passing ^(NOT(@CALL(eval))*.@CALL(insert))>=2", "6 / 1 / 1"),
        (
            "cover @ENTRY(main) passing @ENTRY(main).{precond()}.NOT(@EXIT(main))*.{!postcond()}.@EXIT(main)",
            "2 / 2 / 0",
        ),
    ]);
}

#[test]
fn the_regression_queries_have_their_figures() {
    let runs = [-1, 0, 1, 2, 3, 4, 9, 10, 26, 27, 28, 100].map(|argc| vec![("argc".to_owned(), argc)]).to_vec();
    let bench =
        Bench { file: "labels.c", entry: "main", blocks: Blocks::Loose, assertions: false, undefined: false, runs };
    bench.check(&[
        ("cover edges(@basicblockentry)", "6 / 0 / 3"),
        ("cover edges(@basicblockentry) passing @func(main)*.@label(L1)->@label(L2).@func(main)*", "6 / 2 / 1"),
        ("cover edges(@basicblockentry) passing @func(main)*.@label(L2)->@label(L1).@func(main)*", "6 / 6 / 0"),
        ("cover edges(@conditionedge)->edges(@conditionedge)", "16 / 14 / 2"),
        ("cover edges(@basicblockentry).\"@func(main)*\".edges(@basicblockentry)", "36 / 25 / 3"),
        ("cover paths(id,1)", "3 / 0 / 3"),
        ("cover @label(L2).{x>=0}", "1 / 0 / 1"),
        ("cover @label(L2).{x>0}", "1 / 1 / 0"),
        ("cover {x>0}.@label(L2)", "1 / 0 / 1"),
        ("cover \"ID*\"", "1 / 0 / 1"),
        ("cover \"ID*.@5.ID*\" + \"ID*.@7.ID*\"", "2 / 0 / 2"),
        ("cover @label(L0a)->@label(L1) + @label(L1)->@label(L2)", "3 / 1 / 1"),
        ("cover nodes(id)", "11 / 0 / 2"),
        // The tool has one edge more, the jump behind the inner `if`: 13 goals, and 208 with 182 infeasible.
        ("cover ^ID$", "12 / 12 / 0"),
        ("cover ({x==0}+{x!=0}).({argc<10}+{argc>=10}).ID.({x==0}+{x!=0}).({argc<10}+{argc>=10})", "192 / 168 / 4"),
    ]);
}

#[test]
fn the_examples_of_the_tutorial_have_their_figures() {
    let values = [-1, 0, 1, 42];
    let pairs: Vec<Given> = values
        .iter()
        .flat_map(|x| values.iter().map(move |y| vec![("x".to_owned(), *x), ("y".to_owned(), *y)]))
        .collect();
    let cmp = Bench {
        file: "compare.c",
        entry: "cmp",
        blocks: Blocks::Loose,
        assertions: false,
        undefined: false,
        runs: pairs.clone(),
    };
    cmp.check(&[
        ("cover \"EDGES(ID)*\" . EDGES(@FUNC(cmp)) . \"EDGES(ID)*\"", "8 / 0 / 3"),
        ("cover \"ID*\" . NODES(@FUNC(cmp)) . \"ID*\"", "7 / 0 / 2"),
        ("cover @CONDITIONEDGE", "4 / 0 / 3"),
        ("cover \"ID*\" . (@2 + @4 + @6 + @7) . \"ID*\"", "4 / 0 / 2"),
        ("cover \"ID* . @4 . ID*\"", "1 / 0 / 1"),
        ("cover \"ID* . { x==42 } . @4 . ID*\"", "1 / 0 / 1"),
    ]);
    let multiple = Bench {
        file: "multiple.c",
        entry: "cmp",
        blocks: Blocks::Loose,
        assertions: false,
        undefined: false,
        runs: pairs.clone(),
    };
    multiple.check(&[("cover PATHS(@3, 1)", "5 / 0 / 5")]);
    let bar =
        Bench { file: "bar.c", entry: "foo", blocks: Blocks::Strict, assertions: false, undefined: false, runs: pairs };
    bar.check(&[("cover @CONDITIONEDGE", "2 / 0 / 2"), ("cover @BASICBLOCKENTRY", "3 / 0 / 2")]);
}

#[test]
fn coverage_tools_disagree_because_criteria_do() {
    // Listing 1.1: the suite {1, 4} covers 5 of 6 condition edges, and both of those in conditional statements.
    let runs = |values: &[i128]| values.iter().map(|x| vec![("x".to_owned(), *x)]).collect();
    let foo = |values: &[i128]| Bench {
        file: "foo.c",
        entry: "foo",
        blocks: Blocks::Strict,
        assertions: false,
        undefined: false,
        runs: runs(values),
    };
    let all = "cover @CONDITIONEDGE";
    let statements = "cover @CONDITIONEDGE & @STMTTYPE(if,switch,for,while,?:)";
    foo(&[1, 4]).check(&[(all, "6 / 1 / 2"), (statements, "2 / 0 / 2")]);
    foo(&[1, 4, 5]).check(&[(all, "6 / 0 / 3")]);
}

#[test]
fn three_readings_of_a_query_are_told_apart() {
    let run = |(x, y, z): (i128, i128, i128)| vec![("x".to_owned(), x), ("y".to_owned(), y), ("z".to_owned(), z)];
    let measure = |triples: &[(i128, i128, i128)], query: &str| {
        let runs = triples.iter().copied().map(run).collect();
        let bench =
            Bench { file: "three.c", entry: "main", blocks: Blocks::Loose, assertions: false, undefined: false, runs };
        let (goals, covered) = bench.measure(query);
        let all: BTreeSet<u128> = covered.into_iter().flatten().collect();
        format!("{}/{goals}", all.len())
    };
    let union = "cover @CALL(cmp) | (@CONDITIONEDGE & @FUNC(cmp))";
    let product = "cover @CALL(cmp) -> (@CONDITIONEDGE & @FUNC(cmp))";
    let site = "cover @CALL(cmp).\"NOT(@EXIT(cmp))*\".(@CONDITIONEDGE & @FUNC(cmp))";
    for (suite, expected) in [
        (&[(1, 0, 1)][..], ["7/7", "9/12", "5/12"]),
        (&[(1, 0, 1), (2, 0, 1), (1, 0, 2)], ["7/7", "12/12", "7/12"]),
        (&[(1, 0, 0), (0, 1, 0), (0, 0, 1)], ["7/7", "12/12", "12/12"]),
    ] {
        assert_eq!([union, product, site].map(|query| measure(suite, query)), expected, "{suite:?}");
    }
}
