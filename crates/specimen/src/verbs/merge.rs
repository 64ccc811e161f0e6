//! `specimen merge`: joins the suites of the shards of a run.

use std::collections::BTreeSet;
use std::fmt;

use front::Asked;
use front::exit::Exit;
use front::failure::{Failure, INVALID_SUITE};
use front::output::Output;
use front::specification::Specification;
use front::tests_file;
use search::{Bound, ELSEWHERE, Effort, Options, Strategy};
use testcase::{GoalRecord, Inputs, Method, Status, Suite};

use crate::args::MergeArguments;
use crate::drawing::{self, Shape, Start};
use crate::folder::OutFolder;
use crate::interrupt;
use crate::project;
use crate::verbs::{generate, replay};

pub(crate) fn run(output: &Output, arguments: &MergeArguments) -> Result<Exit, Failure> {
    if let [folder] = arguments.suites.as_slice()
        && folder.is_dir()
    {
        return project::merge(output, folder, arguments.out.as_deref());
    }
    let suites = arguments.suites.iter().map(|path| replay::read(path)).collect::<Result<Vec<Suite>, Failure>>()?;
    let (first, rest) = suites.split_first().expect("the command line asks for at least one suite");
    for (other, path) in rest.iter().zip(&arguments.suites[1..]) {
        agree(first, other).map_err(|what| {
            let names = (arguments.suites[0].display(), path.display());
            Failure::Refused(
                &INVALID_SUITE,
                format!("{} and {} are not parts of one run: of the first, {what}", names.0, names.1),
            )
        })?;
    }
    let specification = Specification::of_suite(output, first, &arguments.suites[0], arguments.source.as_deref())?;
    let mut asked = Asked::of_suite(first);
    asked.options.retain(|name, _| !["seed", "effort", "shard"].contains(&name.as_str()));
    let folder = arguments.out.as_deref().map(OutFolder::open).transpose()?;
    let strategy = match first.strategy {
        Method::Search(strategy) => strategy,
        Method::Unnamed | Method::Product | Method::Measure | Method::Machine => Strategy::Each,
    };
    let effort = first.options.get("effort").and_then(serde_json::Value::as_str);
    let effort = effort.and_then(Effort::from_name).unwrap_or_default();
    let seed = first.options.get("seed").and_then(serde_json::Value::as_u64).unwrap_or(0);
    let bound = first.bound.and_then(|bound| u32::try_from(bound).ok()).map_or(Bound(0), Bound);
    let mut tests: Vec<Inputs> = Vec::new();
    for suite in &suites {
        let given = tests_file::of_suite(&*specification.model, suite)
            .map_err(|error| Failure::Refused(&INVALID_SUITE, error))?;
        tests.extend(given.into_iter().map(|test| test.inputs));
    }
    let joined = Joined::of(&suites);
    let missing = joined.as_ref().map(Joined::missing).unwrap_or_default();
    if !missing.is_empty() {
        output.warn(&format!(
            "what these shards were to search for stays open, since they are missing: {}",
            missing.join(", ")
        ));
    }
    let start = Start {
        specification: &specification,
        asked: &asked,
        options: Options {
            strategy,
            seed,
            effort,
            bound,
            // As long as shards are missing, any test may be needed.
            minimize: missing.is_empty(),
            interrupt: interrupt::on_ctrl_c(),
            ..Options::default()
        },
        given: Vec::new(),
        tests,
        lenient: false,
        known: known(&suites),
        folder: folder.as_ref(),
        search: false,
        concluded: suites.iter().all(|suite| suite.complete),
        interactive: false,
    };
    let mut drawn = drawing::draw(output, start)?;
    restore_manners(&mut drawn.suite, &suites);
    if let Some(joined) = joined.filter(|_| !missing.is_empty()) {
        drawn.suite.options.insert("shard".to_owned(), joined.to_string().into());
    }
    generate::finish(output, &specification, &drawn, folder.as_ref())
}

/// What the suites say about goals. That a goal could not be decided is believed of a complete run; what another says
/// about the same goal is said after it, and counts.
fn known(suites: &[Suite]) -> Vec<GoalRecord> {
    let undecided = |goal: &&GoalRecord| goal.status == Status::Unknown && goal.reason.as_deref() != Some(ELSEWHERE);
    let ended = suites.iter().filter(|suite| suite.complete).flat_map(|suite| suite.goals.iter().filter(undecided));
    let decided = suites.iter().flat_map(|suite| suite.goals.iter().filter(|goal| goal.status != Status::Unknown));
    let elsewhere = |goal: &&GoalRecord| goal.reason.as_deref() == Some(ELSEWHERE);
    let left = suites.iter().flat_map(|suite| suite.goals.iter().filter(elsewhere));
    left.chain(ended).chain(decided).cloned().collect()
}

/// Says again in what manner goals are covered, and why in no better one: the search knew that, and its tests do not tell.
fn restore_manners(merged: &mut Suite, suites: &[Suite]) {
    let name = |manner: &str| manner.split([',', ';']).next().unwrap_or_default().to_owned();
    for goal in merged.goals.iter_mut().filter(|goal| goal.status == Status::Covered) {
        let Some(manner) = &goal.reason else { continue };
        let earlier = suites.iter().flat_map(|suite| &suite.goals).filter(|earlier| earlier.id == goal.id);
        let mut earlier =
            earlier.filter(|earlier| earlier.status == Status::Covered).filter_map(|earlier| earlier.reason.clone());
        if let Some(same) = earlier.find(|earlier| name(earlier) == name(manner)) {
            goal.reason = Some(same);
        }
    }
}

/// The shards that suites stand for. What was merged from some shards stands for all of them: `1+3/4`.
struct Joined {
    parts: BTreeSet<u32>,
    count: u32,
}

impl Joined {
    /// The shards of these suites; none where one of them is of all goals.
    fn of(suites: &[Suite]) -> Option<Joined> {
        let mut joined = Joined { parts: BTreeSet::new(), count: 0 };
        for suite in suites {
            let (parts, count) = suite.options.get("shard")?.as_str()?.split_once('/')?;
            joined.count = count.parse().ok()?;
            joined.parts.extend(parts.split('+').filter_map(|part| part.parse::<u32>().ok()));
        }
        Some(joined)
    }

    /// The shards that are not among them, as `I/N`.
    fn missing(&self) -> Vec<String> {
        let missing = (1..=self.count).filter(|part| !self.parts.contains(part));
        missing.map(|part| format!("{part}/{}", self.count)).collect()
    }
}

impl fmt::Display for Joined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.parts.iter().map(u32::to_string).collect();
        write!(f, "{}/{}", parts.join("+"), self.count)
    }
}

/// Whether two suites are parts of one run, or in what they differ.
fn agree(first: &Suite, other: &Suite) -> Result<(), String> {
    let whole = |suite: &Suite| {
        let mut suite = suite.clone();
        suite.options.shift_remove("shard");
        suite
    };
    let count = |suite: &Suite| Some(suite.options.get("shard")?.as_str()?.split_once('/')?.1.to_owned());
    if let (Some(ours), Some(theirs)) = (count(first), count(other))
        && ours != theirs
    {
        return Err(format!("the goals are split into {ours} shards, and of the other into {theirs}"));
    }
    let differences = first.sources().differences(&other.sources());
    let differences =
        if differences.is_empty() { Shape::of_suite(&whole(other)).differences(&whole(first)) } else { differences };
    if differences.is_empty() { Ok(()) } else { Err(differences.join("; ")) }
}
