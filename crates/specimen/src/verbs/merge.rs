//! `specimen merge`: joins the suites of the shards of a run.

use std::collections::BTreeSet;

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
    let missing = missing_shards(&suites);
    if !missing.is_empty() {
        output.warn(&format!(
            "what these shards were to search for stays open, since they are missing: {}",
            missing.join(", ")
        ));
    }
    let start = Start {
        specification: &specification,
        asked: &asked,
        options: Options { strategy, seed, effort, bound, interrupt: interrupt::on_ctrl_c(), ..Options::default() },
        given: Vec::new(),
        tests,
        lenient: false,
        known: known(&suites),
        folder: folder.as_ref(),
        search: false,
        concluded: missing.is_empty() && suites.iter().all(|suite| suite.complete),
        interactive: false,
    };
    let mut drawn = drawing::draw(output, start)?;
    restore_manners(&mut drawn.suite, &suites);
    generate::finish(output, &specification, &drawn, folder.as_ref())
}

/// What the suites say about goals. That a goal could not be decided is believed of a run that came to its end; what another says
/// about the same goal is said after it, and counts.
fn known(suites: &[Suite]) -> Vec<GoalRecord> {
    let undecided = |goal: &&GoalRecord| goal.status == Status::Unknown && goal.reason.as_deref() != Some(ELSEWHERE);
    let ended = suites.iter().filter(|suite| suite.complete).flat_map(|suite| suite.goals.iter().filter(undecided));
    let decided = suites.iter().flat_map(|suite| suite.goals.iter().filter(|goal| goal.status != Status::Unknown));
    ended.chain(decided).cloned().collect()
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

/// The shards that are not among the suites, as `I/N`.
fn missing_shards(suites: &[Suite]) -> Vec<String> {
    let shards: BTreeSet<(u32, u32)> = suites
        .iter()
        .filter_map(|suite| suite.options.get("shard")?.as_str()?.split_once('/'))
        .filter_map(|(part, count)| Some((count.parse().ok()?, part.parse().ok()?)))
        .collect();
    // A suite of all goals stands for every shard.
    let Some(&(count, _)) = shards.first().filter(|_| suites.iter().all(|suite| suite.options.contains_key("shard")))
    else {
        return Vec::new();
    };
    (1..=count).filter(|part| !shards.contains(&(count, *part))).map(|part| format!("{part}/{count}")).collect()
}

/// Whether two suites are parts of one run, or in what they differ.
fn agree(first: &Suite, other: &Suite) -> Result<(), String> {
    let whole = |suite: &Suite| {
        let mut suite = suite.clone();
        suite.options.shift_remove("shard");
        suite
    };
    let differences = first.sources().differences(&other.sources());
    let differences =
        if differences.is_empty() { Shape::of_suite(&whole(other)).differences(&whole(first)) } else { differences };
    if differences.is_empty() { Ok(()) } else { Err(differences.join("; ")) }
}
