//! `specimen generate`: the suite.

use front::Asked;
use front::exit::Exit;
use front::failure::Failure;
use front::language::Language;
use front::output::{Form, Output};
use front::specification::Specification;
use front::tests_file::{self, GivenTest};
use testcase::{GoalStatus, Inputs};

use crate::args::GenerateArguments;
use crate::drawing::{self, Drawn, Shape, Start};
use crate::folder::OutFolder;
use crate::memory::Watch;
use crate::resume::{self, Resumed};
use crate::verbs::export;
use crate::{execute, present};

pub(crate) fn run(output: &Output, arguments: &GenerateArguments) -> Result<Exit, Failure> {
    if arguments.c.all_functions { every_function(output, arguments) } else { one(output, arguments) }
}

/// Draws a suite for every function of a program, each into a folder of its own.
fn every_function(output: &Output, arguments: &GenerateArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(&output.silent(), &arguments.spec.file, &arguments.spec.reading)?;
    let names = specification.model.functions();
    if names.is_empty() {
        return Err(Failure::Rejected(format!("{} defines no function", arguments.spec.file.display())));
    }
    let mut worst = Exit::Done;
    for name in names {
        let mut alone = arguments.clone();
        alone.c.all_functions = false;
        alone.out = arguments.out.as_ref().map(|folder| folder.join(&name));
        output.talk(&format!("function {name}"));
        alone.spec.reading.c.function = Some(name);
        if one(output, &alone)? != Exit::Done {
            worst = Exit::Open;
        }
    }
    Ok(worst)
}

/// Draws a suite.
fn one(output: &Output, arguments: &GenerateArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    let front = specification.language.front();
    arguments.to.iter().try_for_each(|format| export::known(front, format))?;
    let wanted = arguments.to.iter().find_map(|format| front.asked_for(format, &arguments.criterion));
    let asked = specification.asked(wanted.as_ref().unwrap_or(&arguments.criterion))?;
    let folder = arguments.out.as_deref().map(OutFolder::open).transpose()?;
    let mut options = drawing::options(&arguments.search, &specification);
    if let Some(mebibytes) = arguments.criterion.memory() {
        options.memory = mebibytes.saturating_mul(1 << 20);
    }
    let given = inputs(tests_file::read_given(output, &specification, &arguments.augment)?);
    if let Some(folder) = folder.as_ref().filter(|_| arguments.force) {
        folder.clear()?;
    }
    let resumed = match folder.as_ref().map(OutFolder::suite).transpose()?.flatten() {
        Some(earlier) => {
            resume::resumed(output, &specification, &Shape::of(&specification, &asked, &options), &earlier)?
        }
        None => Resumed::default(),
    };
    // Tests that were shown stay.
    options.minimize &= !arguments.interactive;
    let start = Start {
        specification: &specification,
        asked: &asked,
        options,
        given,
        tests: resumed.tests,
        lenient: resumed.lenient,
        known: resumed.known,
        folder: folder.as_ref(),
        search: true,
        concluded: false,
        interactive: arguments.interactive,
    };
    if arguments.c.execute && !matches!(specification.language, Language::C | Language::Preprocessed) {
        return Err(Failure::Usage("--execute is for C programs".to_owned()));
    }
    let limit = arguments.criterion.program_memory();
    let watch = limit.map(|mebibytes| Watch::new(mebibytes, start.options.interrupt.clone()));
    let drawn = drawing::draw(output, start)?;
    if drawn.suite.summary.goals == 0
        && let Some(nothing) = specification.model.nothing_asked(&asked)
    {
        output.warn(&nothing);
    }
    if let Some(indifferent) = specification.model.indifferent(&drawn.suite) {
        output.warn(&indifferent);
    }
    let exit = finish(output, &specification, &drawn, folder.as_ref())?;
    if let Some(limit) = limit
        && watch.is_some_and(|watch| watch.is_exceeded())
    {
        let message =
            format!("the search used more than the {limit} MiB of --memory; the suite holds what was found before");
        return Err(Failure::Environment(message));
    }
    for format in &arguments.to {
        let source = (arguments.spec.file.as_path(), specification.model.source().text());
        let files = export::exported(output, &drawn.suite, format, Some(source))?;
        folder.as_ref().map_or(Ok(()), |folder| folder.write_files(&files))?;
    }
    if arguments.c.execute {
        let executed = execute::of_run(&drawn.suite, &specification, &arguments.spec.file)?;
        if !execute::report(output, &executed) {
            return Ok(Exit::Open);
        }
    }
    Ok(exit)
}

/// Shows a drawn suite, writes it to its folder, and says how it ended.
pub(crate) fn finish(
    output: &Output,
    specification: &Specification,
    drawn: &Drawn,
    folder: Option<&OutFolder>,
) -> Result<Exit, Failure> {
    if let Some(folder) = folder {
        let front = specification.language.front();
        folder.write_all(&drawn.suite, front, specification.model.source().text())?;
    }
    if drawn.shown {
        present::rest(output, &drawn.suite)?;
    } else {
        present::suite(output, &drawn.suite)?;
    }
    let asked = Asked { criterion: drawn.suite.criterion.clone(), options: drawn.suite.options.clone() };
    if let Some(extent) = specification.model.extent(&asked).filter(|_| output.form == Form::Human) {
        output.product(&format!("{extent}\n"))?;
    }
    let mut exit = present::exit(&drawn.suite, drawn.shard);
    if let Some(status) = drawn.unmet.first() {
        let reason = status.reason().unwrap_or_default();
        output.warn(&specification.model.unmet(reason));
    }
    if drawn.unmet.iter().any(|status| !matches!(status, GoalStatus::Infeasible(_))) {
        exit = Exit::Open;
    }
    Ok(exit)
}

fn inputs(tests: Vec<GivenTest>) -> Vec<Inputs> {
    tests.into_iter().map(|test| test.inputs).collect()
}
