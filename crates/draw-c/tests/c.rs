//! Programs from text to suites.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::path::Path;

use c::{DataModel, Options as Reading, Shape, Translation};
use draw_c::{CSubject, Encoding, Settings, Undefined};
use fql::program::{Blocks, ProgramGraph};
use search::{Backend, Options, Outcome, SearchError, Session, Strategy, Subject};
use testcase::GoalStatus;

#[path = "c/calls.rs"]
mod calls;
#[path = "c/exhaustive.rs"]
mod exhaustive;
#[path = "c/llvm.rs"]
mod llvm;
#[path = "c/mcdc.rs"]
mod mcdc;
#[path = "c/queries.rs"]
mod queries;
#[path = "c/random.rs"]
mod random;
#[path = "c/values.rs"]
mod values;
#[path = "c/wide.rs"]
mod wide;
#[path = "c/writer.rs"]
mod writer;

/// A number that the environment gives, such as how many programs are tried.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// A program to test and how.
struct Case {
    text: String,
    entry: &'static str,
    unwind: Option<u32>,
    blocks: Blocks,
    skips: bool,
    assertions: bool,
    encoding: Encoding,
    undefined: Undefined,
    hybrid: bool,
    most_calls: u32,
    border: bool,
    model: DataModel,
}

fn case(text: &str, entry: &'static str) -> Case {
    Case {
        text: text.to_owned(),
        entry,
        unwind: None,
        blocks: Blocks::Strict,
        skips: true,
        assertions: true,
        encoding: Encoding::Native,
        undefined: Undefined::Report,
        // The encoders are what is tested here.
        hybrid: false,
        most_calls: 8,
        border: true,
        model: DataModel::default(),
    }
}

impl Case {
    fn translation(&self) -> Translation {
        let shape = Shape { inserted_skips: self.skips, ..Default::default() };
        let reading = Reading { shape, model: self.model, ..Reading::default() };
        match c::load_text("test.c", &self.text, &reading) {
            Ok(translation) => translation,
            Err(findings) => panic!("{:?}", findings.iter().map(|finding| &finding.diagnostic).collect::<Vec<_>>()),
        }
    }

    fn subject(&self, query: &str) -> CSubject {
        self.possible_subject(query).expect("the query fits the program")
    }

    /// The subject, if what a query names is there.
    fn possible_subject(&self, query: &str) -> Option<CSubject> {
        let mut translation = self.translation();
        let entry = translation.program.function_named(self.entry).expect("the entry function is there");
        translation.program.offer_callbacks(entry);
        let mut settings = Settings::new(entry);
        settings.unwind = self.unwind;
        settings.assertions = self.assertions;
        settings.encoding = self.encoding;
        settings.undefined = self.undefined;
        settings.hybrid = self.hybrid;
        settings.most_calls = self.most_calls;
        settings.border = self.border;
        let graph = ProgramGraph::new(&translation, entry, self.blocks);
        if query == "mcdc" {
            return Some(CSubject::with_mcdc(&translation, graph, settings).expect("decisions are small"));
        }
        let query = fql::parse(query).expect("the query is correct");
        let (spec, _) = fql::evaluate(&query, &graph.graph).ok()?;
        Some(CSubject::with_query(&translation, graph, spec, settings).expect("predicates can be evaluated").0)
    }

    fn run(&self, query: &str, options: Options) -> Result<(CSubject, Outcome), SearchError> {
        let subject = self.subject(query);
        let backend = Backend::new(&options);
        let mut session = Session::new(&subject, &backend, options)?;
        while session.pull()?.is_some() {}
        let outcome = session.finish()?;
        Ok((subject, outcome))
    }

    /// `goals/infeasible/tests`, with `+` what is limited, `!` what needs undefined behaviour, and with `?` and the reason for what is not known.
    fn figures(&self, query: &str) -> String {
        let options = Options { attacks: 300, ..Options::default() };
        let (subject, outcome) = match self.run(query, options) {
            Ok(found) => found,
            Err(error) => return error.to_string(),
        };
        let infeasible = outcome.statuses.iter().filter(|status| matches!(status, GoalStatus::Infeasible(_))).count();
        let bounded = outcome.statuses.iter().filter(|status| matches!(status, GoalStatus::InfeasibleUpTo(_))).count();
        let mut text = format!("{}/{}", subject.goals().len(), infeasible);
        if bounded != 0 {
            text += &format!("+{bounded}");
        }
        let undefined = |status: &&GoalStatus| matches!(status, GoalStatus::OnlyUndefined { .. });
        let undefined = outcome.statuses.iter().filter(undefined).count();
        if undefined != 0 {
            text += &format!("!{undefined}");
        }
        text += &format!("/{}", outcome.tests.len());
        for (goal, status) in subject.goals().iter().zip(&outcome.statuses) {
            if let GoalStatus::Unknown(reason) = status {
                text += &format!(" ? {}: {reason}", goal.label);
            }
        }
        text
    }
}

#[track_caller]
fn check(case: &Case, query: &str, expected: &str) {
    assert_eq!(case.figures(query), expected, "{query}");
}

fn program(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/fql/programs").join(name);
    std::fs::read_to_string(path).expect("the program is there")
}

#[test]
fn conditions_of_the_running_example_need_two_tests() {
    let text = "int foo(int x, int y) {\n  if (x > y)\n    return x;\n  else\n    return y + 10;\n}\n";
    check(&case(text, "foo"), "cover @CONDITIONEDGE", "2/0/2");
    check(&case(text, "foo"), "cover @CONDITIONEDGE passing ^(ID.{x > 100})*$", "2/0/2");
    check(&case(text, "foo"), "cover @CONDITIONEDGE passing ^NOT(@3)*$", "2/1/1");
}

#[test]
fn partition_of_three_numbers_has_the_published_figures() {
    let list2 = Case { unwind: Some(3), blocks: Blocks::Loose, skips: false, ..case(&program("list2.c"), "main") };
    check(&list2, "cover @BASICBLOCKENTRY", "11/0/3");
    check(&list2, "cover @CONDITIONEDGE", "8/0/3");
    check(&list2, "cover @DEF(t)", "2/0/1");
    check(&list2, "cover @USE(t)", "2/0/1");
    check(&list2, "cover @DEF(t).\"NOT(@DEF(t))*\".@USE(t)", "4/2/1");
    check(&list2, "cover @BASICBLOCKENTRY passing ^(@2.{j>0}+NOT(@2))*$", "11/0/3");
    check(&list2, "in @FUNC(partition) cover @CONDITIONEDGE passing @7", "8/3/1");
    check(&list2, "cover @BASICBLOCKENTRY->@BASICBLOCKENTRY", "121/53/4");
}

#[test]
fn masking_pairs_are_found() {
    let text = "int f(int a, int b, int c) { if ((a > 0 && b > 0) || c > 0) return 1; return 0; }";
    check(&case(text, "f"), "mcdc", "3/0/4");
}

#[test]
fn infeasible_branches_are_explained() {
    let text = "int f(int x) {\n  if (x > 5)\n    if (x < 3)\n      return 1;\n  return 0;\n}\n";
    let (subject, outcome) = case(text, "f").run("cover @CONDITIONEDGE", Options::default()).expect("a suite");
    let reasons: Vec<_> = outcome.statuses.iter().filter_map(GoalStatus::reason).collect();
    assert_eq!(reasons, ["these exclude each other: test.c:2 `x > 5` is true; test.c:3 `x < 3` is true"]);
    assert_eq!(subject.goals().len(), 4);
}

#[test]
fn the_bound_grows_until_nothing_is_cut() {
    let text = "int f(unsigned char n) { int i, s = 0; for (i = 0; i < n % 10; i++) s += 2; if (s == 18) return 1; if (s == 20) return 2; return 0; }";
    check(&case(text, "f"), "cover @CONDITIONEDGE", "6/1/2");
    let endless = "int f(int n) { int i = 0; while (i < n) i += 2; if (i == 7) return 1; return 0; }";
    let figures = case(endless, "f").figures("cover @CONDITIONEDGE");
    assert_eq!(figures, "4/0+1/1");
}

#[test]
fn every_strategy_covers_the_same() {
    let text = program("list2.c");
    let list2 = Case { unwind: Some(3), blocks: Blocks::Loose, skips: false, ..case(&text, "main") };
    for strategy in [Strategy::Each, Strategy::Iterative, Strategy::Groupwise, Strategy::Incremental] {
        let options = Options { strategy, ..Options::default() };
        let (_, outcome) = list2.run("cover @CONDITIONEDGE", options).expect("a suite");
        assert!(outcome.statuses.iter().all(|status| *status == GoalStatus::Covered), "{strategy:?}");
    }
}

/// The next test differs from the last in no more inputs than it must.
#[test]
fn incremental_tests_keep_what_they_can() {
    let text = "int f(int a, int b, int c) { int odd = (a ^ b ^ c) & 1; if (a > 70) { if (b == 7000) return 1; } return odd; }";
    let options = Options { strategy: Strategy::Incremental, minimize: false, ..Options::default() };
    let (_, outcome) = case(text, "f").run("cover @CONDITIONEDGE", options).expect("a suite");
    let values: Vec<Vec<String>> = outcome
        .tests
        .iter()
        .map(|test| draw_c::values(&test.test().inputs).expect("numbers"))
        .map(|values| values.into_iter().map(|(name, value)| format!("{name}={value:?}")).collect())
        .collect();
    assert_eq!(values.len(), 3, "{values:?}");
    for (one, next) in values.iter().zip(&values[1..]) {
        assert!(one.iter().filter(|value| !next.contains(value)).count() <= 2, "{values:?}");
        assert!(one.iter().any(|value| next.contains(value)), "{values:?}");
    }
}

#[test]
fn pointers_get_objects() {
    let text = "struct node { int value; struct node *next; };\nint f(struct node *list, const char *name) {\n  int n = 0;\n  if (!list) return -1;\n  if (list->next && list->next->value == 42) n = 1;\n  if (name && name[0] == 'x' && name[1] == 0) n += 2;\n  return n;\n}\n";
    check(&case(text, "f"), "cover @CONDITIONEDGE", "12/0/5");
}

#[test]
fn results_of_undefined_functions_are_inputs() {
    let text = "int sensor(void);\nint f(void) {\n  int a = sensor(), b = sensor();\n  if (a == 1000 && b == 2000) return 1;\n  return 0;\n}\n";
    check(&case(text, "f"), "cover @CONDITIONEDGE", "4/0/3");
}

#[test]
fn sorting_has_the_published_figures() {
    // Assertions do nothing there unless they are asked for.
    let loose = Case { unwind: Some(4), blocks: Blocks::Loose, skips: false, ..case(&program("sort1.c"), "main") };
    let sort1 = Case { assertions: false, ..loose };
    let q10 = "cover @CONDITIONEDGE & @FUNC(compare) passing ^(NOT(@CALL(compare))*.(@CALL(compare) & @FUNC(sort))*)*$";
    check(&sort1, q10, "2/0/1");
    let q13 =
        "cover @CALL(sort) passing ^(NOT(@FUNC(sort))*.(@FUNC(sort) & NOT(@CALL(unfinished)))*.NOT(@FUNC(sort))*)*$";
    check(&sort1, q13, "1/0/1");
    check(&sort1, "cover (@CONDITIONEDGE & @FUNC(sort)) -> (@BASICBLOCKENTRY & @FUNC(eval))", "12/0/1");
    let asserting = Case { assertions: true, ..sort1 };
    check(&asserting, "cover @STMTTYPE(assert)", "2/0/1");
    check(&asserting, "cover @STMTTYPE(assert)->@STMTTYPE(assert)", "4/3/1");
}

#[test]
fn recursion_has_the_published_figures() {
    let text = program("sort2-with-room.c");
    let loose = Case { unwind: Some(4), blocks: Blocks::Loose, skips: false, ..case(&text, "main") };
    let sort2 = Case { assertions: false, ..loose };
    // The second figure counts what is impossible only as long as the bound is not passed.
    check(&sort2, "cover PATHS(@FUNC(main) | @FUNC(insert),1)", "6/0+2/2");
    // One of the paths needs the head of a loop five times: bounds hold for runs as well.
    let further =
        Case { unwind: Some(5), blocks: Blocks::Loose, skips: false, assertions: false, ..case(&text, "main") };
    check(&further, "cover PATHS(@FUNC(main) | @FUNC(insert),2)", "9/0+3/3");
    let q12 = "in @FUNC(eval) cover @CONDITIONEDGE passing @CALL(eval).NOT(@EXIT(eval))*.@CALL(eval).NOT(@EXIT(eval))*.@CALL(eval)";
    check(&sort2, q12, "2/0/1");
    // A bound that runs reach limits the claim, and so does the end of the array, behind which anything may happen; without both it is
    // proved.
    let q14 = "cover @CONDITIONEDGE passing ^(NOT(@CALL(eval))*.@CALL(insert))>=2";
    check(&sort2, q14, "6/0+1/1");
    let unbounded = Case { unwind: None, ..sort2 };
    check(&unbounded, q14, "6/0+1/1");
    check(&Case { undefined: Undefined::Stop, ..unbounded }, q14, "6/1/1");
    // As listed, with an array of three: two elements are never inserted without undefined behaviour, and two of the goals lie behind it.
    let text = program("sort2.c");
    let listed = Case { unwind: Some(4), blocks: Blocks::Loose, skips: false, ..case(&text, "main") };
    check(&listed, q14, "6/0+2!4/0");
}

/// One edge between patterns: the patterns of each goal count, not only those of the first.
#[test]
fn goals_of_one_edge_keep_their_patterns() {
    let text = "int f(int x, int y) {\n  int r;\n  if (x > 0)\n    r = 1;\n  else\n    r = 2;\n  if (y > 0)\n    r += 3;\n  return r;\n}\n";
    let query = "cover ^(\"ID*\".@4.\"ID*\" + \"NOT(@4)*\".@8.\"ID*\")$";
    let (_, outcome) = case(text, "f").run(query, Options::default()).expect("it ends");
    assert_eq!(outcome.statuses, [GoalStatus::Covered, GoalStatus::Covered]);
    assert_eq!(outcome.tests.len(), 2);
}
