//! From arguments to a suite: the session with its progress, its folder and its end.

use std::collections::HashSet;
use std::io;
use std::time::{Duration, Instant};

use front::Asked;
use front::failure::{Failure, INVALID_TESTS};
use front::input;
use front::output::Output;
use front::specification::Specification;
use front::words::counted;
use indexmap::IndexMap;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search::{Backend, Bound, CrossCheck, Effort, Options, Outcome, Session, Shard, Statistics, Step, Subject};
use serde_json::{Value as Json, json};
use testcase::{GoalRecord, GoalStatus, Inputs, Method, Status, Suite};

use crate::args::{Minimize, SearchArguments};
use crate::folder::OutFolder;
use crate::interrupt;
use crate::present;
use crate::provenance;

/// A run spends at most one tenth of its time on writing what it has to its folder.
const SAVING_SHARE: u32 = 10;

/// When a run writes what it has: as soon as it has found something and before it looks for more, unless it has just done so.
struct Saving {
    last: Instant,
    cost: Duration,
}

impl Saving {
    fn is_due(&self) -> bool {
        SAVING_SHARE * self.cost <= self.last.elapsed()
    }

    fn save(&mut self, write: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        let begun = Instant::now();
        write()?;
        (self.cost, self.last) = (begun.elapsed(), Instant::now());
        Ok(())
    }
}

/// A suite with what else the run reports.
pub(crate) struct Drawn {
    /// The suite.
    pub(crate) suite: Suite,
    /// What must hold in addition to the goals and does not: the obligations that no goal names.
    pub(crate) unmet: Vec<GoalStatus>,
    /// Counts of what the search took.
    pub(crate) statistics: Statistics,
    /// The part of the goals that was searched for.
    pub(crate) shard: Option<Shard>,
    /// Whether its tests have been shown already.
    pub(crate) shown: bool,
}

/// What a search starts from.
pub(crate) struct Start<'a> {
    /// The specification.
    pub(crate) specification: &'a Specification,
    /// What is asked for.
    pub(crate) asked: &'a Asked,
    /// How to search.
    pub(crate) options: Options,
    /// Tests of the user's, which stay.
    pub(crate) given: Vec<Inputs>,
    /// Tests that earlier runs found.
    pub(crate) tests: Vec<Inputs>,
    /// Whether those of them that cannot be used are left out.
    pub(crate) lenient: bool,
    /// What earlier runs found out about goals.
    pub(crate) known: Vec<GoalRecord>,
    /// Where to save.
    pub(crate) folder: Option<&'a OutFolder>,
    /// Whether to search at all, or only to judge and reduce what is there.
    pub(crate) search: bool,
    /// Whether the tests and what is known come from complete runs.
    pub(crate) concluded: bool,
    /// Whether every line of standard input asks for one further test.
    pub(crate) interactive: bool,
}

impl<'a> Start<'a> {
    /// A search that knows nothing yet and saves nothing.
    pub(crate) fn anew(specification: &'a Specification, asked: &'a Asked, options: Options) -> Start<'a> {
        Start {
            specification,
            asked,
            options,
            given: Vec::new(),
            tests: Vec::new(),
            lenient: false,
            known: Vec::new(),
            folder: None,
            search: true,
            concluded: false,
            interactive: false,
        }
    }
}

/// What shapes a suite in addition to its sources: two runs of the same shape have the same goals and the same claims.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) criterion: String,
    pub(crate) options: IndexMap<String, Json>,
    pub(crate) strategy: Method,
    pub(crate) bound: Option<u64>,
}

impl Shape {
    /// The shape of a run.
    pub(crate) fn of(specification: &Specification, asked: &Asked, options: &Options) -> Shape {
        let mut written = asked.options.clone();
        written.insert("seed".to_owned(), json!(options.seed));
        if options.effort != Effort::NORMAL {
            written.insert("effort".to_owned(), json!(options.effort.to_string()));
        }
        if let Some(shard) = options.shard {
            written.insert("shard".to_owned(), json!(format!("{}/{}", shard.index + 1, shard.count)));
        }
        let usual = specification.model.bound();
        let bound = usual.map(|usual| if options.bound == Bound(0) { usual } else { options.bound.0 });
        Shape {
            criterion: asked.criterion.clone(),
            options: written,
            strategy: Method::Search(options.strategy),
            bound: bound.map(u64::from),
        }
    }

    /// The shape of a suite.
    pub(crate) fn of_suite(suite: &Suite) -> Shape {
        Shape {
            criterion: suite.criterion.clone(),
            options: suite.options.clone(),
            strategy: suite.strategy,
            bound: suite.bound,
        }
    }

    /// In what an earlier suite differs from this, in words.
    pub(crate) fn differences(&self, earlier: &Suite) -> Vec<String> {
        let earlier = Shape::of_suite(earlier);
        let mut found = Vec::new();
        let mut differ = |what: &str, old: Option<String>, new: Option<String>| match (old, new) {
            (old, new) if old == new => {}
            (Some(old), Some(new)) => found.push(format!("its {what} is {old}, not {new}")),
            (Some(old), None) => found.push(format!("its {what} is {old}, and now there is none")),
            (None, Some(new)) => found.push(format!("it was drawn without the {what} {new}")),
            (None, None) => {}
        };
        differ("criterion", Some(earlier.criterion.clone()), Some(self.criterion.clone()));
        let names =
            earlier.options.keys().chain(self.options.keys().filter(|name| !earlier.options.contains_key(*name)));
        for name in names.filter(|name| *name != testcase::UNLISTED) {
            let value = |options: &IndexMap<String, Json>| options.get(name).map(|value| present::cell(Some(value)));
            differ(name, value(&earlier.options), value(&self.options));
        }
        differ("strategy", Some(earlier.strategy.to_string()), Some(self.strategy.to_string()));
        let number = |bound: Option<u64>| bound.map(|bound| bound.to_string());
        differ("bound", number(earlier.bound), number(self.bound));
        found
    }
}

/// The options of a search for tests of a specification.
pub(crate) fn options(arguments: &SearchArguments, specification: &Specification) -> Options {
    Options {
        strategy: arguments.strategy.unwrap_or_else(|| specification.model.strategy()),
        bound: Bound(arguments.steps.bound.unwrap_or(0)),
        limit: arguments.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
        timeout: arguments.timeout,
        goal_timeout: arguments.goal_timeout,
        goal_conflicts: arguments.queries.conflicts,
        jobs: usize::from(arguments.jobs),
        seed: arguments.seed,
        effort: arguments.effort,
        solver: arguments.chosen_solver(),
        incremental: !arguments.queries.no_incremental,
        minimize: arguments.minimize == Minimize::Auto,
        shard: arguments.shard,
        record: arguments.queries.smt2_out.clone(),
        cross_check: arguments.sat_coverage_check,
        interrupt: interrupt::on_ctrl_c(),
        ..Options::default()
    }
}

/// Draws a suite.
pub(crate) fn draw(output: &Output, mut start: Start<'_>) -> Result<Drawn, Failure> {
    let began = Instant::now();
    let specification = start.specification;
    if start.options.bound == Bound(0) {
        start.options.bound = Bound(specification.model.bound().unwrap_or(0));
    }
    if let Some(product) = specification.model.product(output, start.asked)? {
        if !start.given.is_empty() {
            let message = "goals that are not listed cannot be added to given tests; `measure` says what those cover";
            return Err(Failure::Usage(message.to_owned()));
        }
        let (mut suite, statistics) =
            crate::product::draw(output, specification, start.asked, &product, &start.options)?;
        suite.provenance = Some(provenance::of(&start.options.solver, None, &specification.reader));
        if let Some(folder) = start.folder {
            folder.write_suite(&suite)?;
            folder.write_sources(&specification.reader)?;
        }
        return Ok(Drawn { suite, unmet: Vec::new(), statistics, shard: None, shown: false });
    }
    let backend = Backend::new(&start.options);
    let subject = specification.model.subject(output, start.asked)?;
    let subject = &*subject;
    if let Some(folder) = &start.options.record {
        std::fs::create_dir_all(folder).map_err(|error| input::cannot("create", folder, &error))?;
    }
    specification.model.precheck(output, &backend)?;
    let mut session = Session::new(subject, &backend, start.options.clone())?;
    let unusable = |(number, objection)| {
        Failure::Refused(&INVALID_TESTS, format!("given test {} cannot be used: {objection}", number + 1))
    };
    session.keep_tests(&start.given).map_err(unusable)?;
    let held = Held::of(&mut start);
    if start.lenient {
        start.tests.retain(|inputs| subject.replay().run(inputs).objection.is_none());
    }
    session.add_tests(&start.tests).map_err(unusable)?;
    settle(&mut session, &start.known);
    if let Some(folder) = start.folder {
        // From here on, a run killed at any moment leaves a suite that can be read, judged again and continued.
        if !folder.holds_suite() || start.lenient {
            folder.write_suite(&suite_of(&start, subject, &session.snapshot()?, None))?;
        }
        folder.write_sources(&specification.reader)?;
    }
    if start.concluded {
        session.conclude();
    }
    let pulled = match (start.search, start.interactive) {
        (true, true) => pull_on_demand(output, &start, subject, &mut session),
        (true, false) => pull(output, &start, subject, &mut session, held.known.len()),
        (false, _) => Ok(()),
    };
    if let Err(Failure::Pointless(reason, proof)) = pulled {
        let files = specification.model.pointless(output, &reason, &proof);
        start.folder.map_or(Ok(()), |folder| folder.write_files(&files))?;
        return Err(Failure::PointlessShown);
    }
    pulled?;
    // What an earlier run found is not lost where this one did not come as far.
    if session.has_open_goals() {
        session.add_tests(&held.tests).map_err(unusable)?;
        let statuses = session.statuses();
        let open: HashSet<&str> = subject
            .goals()
            .iter()
            .zip(&statuses)
            .filter(|(_, status)| status.is_none())
            .map(|(goal, _)| goal.key.as_str())
            .collect();
        let known: Vec<GoalRecord> =
            held.known.iter().filter(|goal| open.contains(goal.id.as_str())).cloned().collect();
        settle(&mut session, &known);
    }
    let outcome = session.finish()?;
    if output.verbose {
        output.talk(&statistics(specification, &outcome, began.elapsed()));
    }
    if start.options.cross_check {
        let inputs: Vec<Inputs> = outcome.tests.iter().map(|test| test.test().inputs.clone()).collect();
        let checked = search::cross_check(subject, &backend, outcome.posed, &inputs)?;
        output.talk(&second_opinion(checked.as_ref()));
    }
    let unmet = outcome.unmet.iter().map(|(_, status)| status.clone()).collect();
    let statistics = outcome.statistics;
    Ok(Drawn {
        suite: suite_of(&start, subject, &outcome, backend.helper()),
        unmet,
        statistics,
        shard: start.options.shard,
        shown: start.interactive,
    })
}

/// What an earlier run found, held back while the search takes the same way again.
#[derive(Default)]
struct Held {
    tests: Vec<Inputs>,
    known: Vec<GoalRecord>,
}

impl Held {
    /// What is held back of a run that is continued: all, where the course of the search depends on what it found itself, so that
    /// only the same course leads to the same suite. A user who limits the time wants to get further, not the same bytes.
    fn of(start: &mut Start<'_>) -> Held {
        let again = start.search && !start.lenient && !start.concluded && start.options.timeout.is_none();
        if !again || !start.specification.model.retraces() {
            return Held::default();
        }
        Held { tests: std::mem::take(&mut start.tests), known: std::mem::take(&mut start.known) }
    }
}

/// Takes over what an earlier run found out about goals.
fn settle(session: &mut Session<'_>, known: &[GoalRecord]) {
    for goal in known {
        let reason = goal.reason.clone().unwrap_or_default();
        match goal.status {
            Status::Infeasible => session.settle(&goal.id, GoalStatus::Infeasible(reason)),
            Status::InfeasibleUpTo => session.settle(&goal.id, GoalStatus::InfeasibleUpTo(reason)),
            Status::OnlyUndefined => {
                let witness = Inputs::Document(goal.witness.clone().unwrap_or_default());
                session.settle(&goal.id, GoalStatus::OnlyUndefined { reason, witness });
            }
            Status::Unknown => session.settle(&goal.id, GoalStatus::Unknown(reason)),
            Status::Covered => {}
        }
    }
}

/// Pulls steps until the search is over, showing and saving progress once it is as far as an earlier run was.
fn pull(
    output: &Output,
    start: &Start<'_>,
    subject: &dyn Subject,
    session: &mut Session<'_>,
    earlier: usize,
) -> Result<(), Failure> {
    let bar = progress(output, subject.goals().len());
    let mut saving = Saving { last: Instant::now(), cost: Duration::ZERO };
    while session.pull()?.is_some() {
        let settled = || session.statuses().iter().flatten().count() as u64;
        if output.shows_progress() {
            bar.set_position(settled());
            bar.set_message(format!("{} tests", session.tests().len()));
        }
        if let Some(folder) = start.folder
            && session.is_about_to_search()
            && saving.is_due()
            && earlier <= settled() as usize
        {
            saving.save(|| folder.write_suite(&suite_of(start, subject, &session.snapshot()?, None)))?;
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// Pulls one test for every line of standard input, and shows it.
fn pull_on_demand(
    output: &Output,
    start: &Start<'_>,
    subject: &dyn Subject,
    session: &mut Session<'_>,
) -> Result<(), Failure> {
    let mut lines = io::stdin().lines();
    while lines
        .next()
        .transpose()
        .map_err(|error| Failure::Environment(format!("cannot read standard input: {error}")))?
        .is_some()
    {
        let test = loop {
            match session.pull()? {
                None => return Ok(()),
                Some(Step::Test { number, .. }) => break number,
                Some(Step::Closed { .. }) => {}
            }
        };
        let suite = suite_of(start, subject, &session.snapshot()?, None);
        present::test(output, &suite, test)?;
    }
    Ok(())
}

/// What the search took, in a line.
fn statistics(specification: &Specification, outcome: &Outcome, time: Duration) -> String {
    let counts = &outcome.statistics;
    format!(
        "{}; {}: {} sat, {} unsat, {} unknown; {} found, {} kept; {:.2} s",
        specification.model.size(),
        counted(counts.sat + counts.unsat + counts.unknown, "query").replace("querys", "queries"),
        counts.sat,
        counts.unsat,
        counts.unknown,
        counted(counts.found, "test"),
        outcome.tests.len(),
        time.as_secs_f64()
    )
}

/// What the solver says about the tests, in a line.
fn second_opinion(checked: Option<&CrossCheck>) -> String {
    let Some(checked) = checked else { return "the solver cannot be asked what these tests cover".to_owned() };
    let mut words =
        format!("interpreter and solver agree on {} of tests and obligations", counted(checked.agreed, "pair"));
    if 0 < checked.undecided {
        words += &format!(", {} undecided", checked.undecided);
    }
    if !checked.beyond.is_empty() {
        let names: Vec<String> = checked.beyond.iter().map(|number| format!("t{}", number + 1)).collect();
        words += &format!("; beyond what the solver follows: {}", names.join(" "));
    }
    words
}

fn progress(output: &Output, goals: usize) -> ProgressBar {
    if !output.shows_progress() {
        return ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len} goals, {msg}, {elapsed}");
    let bar = ProgressBar::new(goals as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The suite of an outcome, with the names and options only the program knows.
fn suite_of(start: &Start<'_>, subject: &dyn Subject, outcome: &Outcome, helper: Option<&str>) -> Suite {
    let specification = start.specification;
    let mut suite =
        outcome.to_suite(subject.goals(), specification.language.front().family(), specification.record.clone());
    suite.others = specification.others();
    suite.interface = specification.model.interface();
    let shape = Shape::of(specification, start.asked, &start.options);
    (suite.criterion, suite.options) = (shape.criterion, shape.options);
    (suite.strategy, suite.bound) = (shape.strategy, shape.bound);
    suite.provenance = Some(provenance::of(&start.options.solver, helper, &specification.reader));
    // What an earlier run found out it also showed.
    for goal in suite.goals.iter_mut().filter(|goal| goal.evidence.is_empty()) {
        let same = |known: &&GoalRecord| known.id == goal.id && known.status == goal.status;
        goal.evidence = start.known.iter().find(same).map(|known| known.evidence.clone()).unwrap_or_default();
    }
    suite
}
