//! `specimen generate`: the suite.

use testcase::{GoalRecord, GoalStatus, Inputs, Suite};

use crate::args::GenerateArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folder::OutFolder;
use crate::front::Asked;
use crate::language::Language;
use crate::output::{Form, Output};
use crate::search::{self, Drawn, Start};
use crate::specification::Specification;
use crate::tests_file::{self, GivenTest};
use crate::{execute, input, present};

pub(crate) fn run(output: &Output, arguments: &GenerateArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    let asked = specification.asked(&arguments.criterion)?;
    let folder = arguments.out.as_deref().map(OutFolder::open).transpose()?;
    let earlier = match &folder {
        Some(folder) => folder.suite()?,
        None => None,
    };
    let (mut tests, mut known) = (Vec::new(), Vec::new());
    if let Some(earlier) = earlier {
        (tests, known) = continued(output, &asked, &specification, &earlier)?;
    }
    let mut options = search::options(&arguments.search, &specification);
    if let Some(mebibytes) = arguments.criterion.action.memory {
        options.memory = mebibytes.saturating_mul(1 << 20);
    }
    // Tests that were shown stay.
    options.minimize &= !arguments.interactive;
    let start = Start {
        specification: &specification,
        asked: &asked,
        options,
        given: inputs(tests_file::read_all(output, &*specification.model, &arguments.augment)?),
        tests,
        known,
        folder: folder.as_ref(),
        search: true,
        interactive: arguments.interactive,
    };
    if arguments.execute && specification.language != Language::C {
        return Err(Failure::Usage("--execute is for C programs".to_owned()));
    }
    let drawn = search::draw(output, start)?;
    if drawn.suite.summary.goals == 0
        && let Some(nothing) = specification.model.nothing_asked(&asked)
    {
        output.warn(&nothing);
    }
    let exit = finish(output, &specification, &drawn, folder.as_ref(), &arguments.spec.file)?;
    if arguments.execute {
        let executed = execute::execute(&drawn.suite, (&arguments.spec.file, specification.model.source().text()))?;
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
    source: &std::path::Path,
) -> Result<Exit, Failure> {
    if let Some(folder) = folder {
        let front = specification.language.front();
        folder.write_companions(&specification.model.companions())?;
        folder.write_all(&drawn.suite, front, specification.model.source().text(), &input::read(source)?)?;
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

/// What an earlier run left in the folder, if it was the same run.
fn continued(
    output: &Output,
    asked: &Asked,
    specification: &Specification,
    earlier: &Suite,
) -> Result<(Vec<Inputs>, Vec<GoalRecord>), Failure> {
    let same = earlier.source == specification.record && earlier.criterion == asked.criterion;
    if !same || asked.options.iter().any(|(name, value)| earlier.options.get(name) != Some(value)) {
        return Err(Failure::Environment(
            "the folder holds the suite of another source, criterion or options; name another folder".to_owned(),
        ));
    }
    if earlier.complete {
        // A finished suite is drawn again from the start: the same run gives the same bytes.
        return Ok((Vec::new(), Vec::new()));
    }
    let tests = inputs(tests_file::of_suite(&*specification.model, earlier).map_err(Failure::Rejected)?);
    output.talk(&format!("continuing a partial suite of {}", present::counted(tests.len(), "test")));
    Ok((tests, earlier.goals.clone()))
}

fn inputs(tests: Vec<GivenTest>) -> Vec<Inputs> {
    tests.into_iter().map(|test| test.inputs).collect()
}
