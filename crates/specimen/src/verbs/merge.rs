//! `specimen merge`: joins the suites of the shards of a run.

use testcase::{GoalRecord, Inputs, Suite};
use testgen::{Options, Strategy};

use crate::args::MergeArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folder::OutFolder;
use crate::front::Asked;
use crate::interrupt;
use crate::output::Output;
use crate::search::{self, Start};
use crate::specification::Specification;
use crate::tests_file;
use crate::verbs::{generate, replay};

pub(crate) fn run(output: &Output, arguments: &MergeArguments) -> Result<Exit, Failure> {
    let suites = arguments.suites.iter().map(|path| replay::read(path)).collect::<Result<Vec<Suite>, Failure>>()?;
    let (first, rest) = suites.split_first().expect("the command line asks for at least one suite");
    for (other, path) in rest.iter().zip(&arguments.suites[1..]) {
        agree(first, other).map_err(|what| {
            let names = (arguments.suites[0].display(), path.display());
            Failure::Rejected(format!("{} and {} differ in their {what}", names.0, names.1))
        })?;
    }
    let specification = Specification::of_suite(output, first, &arguments.suites[0], arguments.source.as_ref())?;
    let mut asked = Asked::of_suite(first);
    asked.options.retain(|name, _| name != "seed" && name != "shard");
    let folder = arguments.out.as_deref().map(OutFolder::open).transpose()?;
    let strategy = Strategy::from_name(&first.strategy).unwrap_or(Strategy::Each);
    let seed = first.options.get("seed").and_then(serde_json::Value::as_u64).unwrap_or(0);
    let mut tests: Vec<Inputs> = Vec::new();
    for suite in &suites {
        let given = tests_file::of_suite(&*specification.model, suite).map_err(Failure::Rejected)?;
        tests.extend(given.into_iter().map(|test| test.inputs));
    }
    let start = Start {
        specification: &specification,
        asked: &asked,
        options: Options { strategy, seed, interrupt: interrupt::on_ctrl_c(), ..Options::default() },
        given: Vec::new(),
        tests,
        known: suites.iter().flat_map(|suite| suite.goals.clone()).collect::<Vec<GoalRecord>>(),
        folder: folder.as_ref(),
        search: false,
        interactive: false,
    };
    let drawn = search::draw(output, start)?;
    let source = arguments.source.clone().unwrap_or_else(|| arguments.suites[0].with_file_name(&first.source.file));
    generate::finish(output, &specification, &drawn, folder.as_ref(), &source)
}

/// Whether two suites are parts of one run, or in what they differ.
fn agree(first: &Suite, other: &Suite) -> Result<(), &'static str> {
    let shape = |suite: &Suite| {
        let mut options = suite.options.clone();
        options.shift_remove("shard");
        options
    };
    match () {
        () if first.source != other.source => Err("source"),
        () if first.criterion != other.criterion => Err("criterion"),
        () if shape(first) != shape(other) => Err("options"),
        () => Ok(()),
    }
}
