//! `specimen generate`: the suite.

use testcase::{GoalRecord, GoalStatus, Inputs, Suite};
use testgen::Subject;
use testgen::boolean::BooleanSubject;

use crate::args::GenerateArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folder::OutFolder;
use crate::output::Output;
use crate::search::{self, Drawn, Start};
use crate::specification::Specification;
use crate::{input, present, tests_file};

pub(crate) fn run(output: &Output, arguments: &GenerateArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    let folder = arguments.out.as_deref().map(OutFolder::open).transpose()?;
    let earlier = match &folder {
        Some(folder) => folder.suite()?,
        None => None,
    };
    let (mut tests, mut known) = (Vec::new(), Vec::new());
    if let Some(earlier) = earlier {
        (tests, known) = continued(output, arguments, &specification, &earlier)?;
    }
    let start = Start {
        specification: &specification,
        criterion: &arguments.criterion,
        options: search::options(&arguments.search),
        given: given(output, arguments, &specification)?,
        tests,
        known,
        folder: folder.as_ref(),
        search: true,
    };
    let drawn = search::draw(output, start)?;
    finish(output, &specification, &drawn, folder.as_ref(), &arguments.spec.file)
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
        folder.write_all(&drawn.suite, specification.source.text(), &input::read(source)?)?;
    }
    present::suite(output, &drawn.suite)?;
    let mut exit = present::exit(&drawn.suite, drawn.shard);
    if let Some(status) = drawn.unmet.first() {
        let reason = status.reason().unwrap_or_default();
        output.warn(&format!("the suite does not show both outcomes of the decision: {reason}"));
    }
    if drawn.unmet.iter().any(|status| !matches!(status, GoalStatus::Infeasible(_))) {
        exit = Exit::Open;
    }
    Ok(exit)
}

/// What an earlier run left in the folder, if it was the same run.
fn continued(
    output: &Output,
    arguments: &GenerateArguments,
    specification: &Specification,
    earlier: &Suite,
) -> Result<(Vec<Inputs>, Vec<GoalRecord>), Failure> {
    let same = earlier.source == specification.record && earlier.criterion == arguments.criterion.criterion.name();
    let wanted = specification.options(&arguments.criterion);
    if !same || wanted.iter().any(|(name, value)| earlier.options.get(name) != Some(value)) {
        return Err(Failure::Environment(
            "the folder holds the suite of another source, criterion or options; name another folder".to_owned(),
        ));
    }
    if earlier.complete {
        // A finished suite is drawn again from the start: the same run gives the same bytes.
        return Ok((Vec::new(), Vec::new()));
    }
    let goals = specification.goals(output, &arguments.criterion)?;
    let subject = BooleanSubject::new(&specification.spec, specification.decision(), goals);
    let tests: Result<Vec<Inputs>, String> =
        earlier.tests.iter().map(|test| subject.read_inputs(&test.inputs)).collect();
    let tests = tests.map_err(Failure::Rejected)?;
    output.talk(&format!("continuing a partial suite of {}", present::counted(tests.len(), "test")));
    Ok((tests, earlier.goals.clone()))
}

/// The tests to start from.
fn given(
    output: &Output,
    arguments: &GenerateArguments,
    specification: &Specification,
) -> Result<Vec<Inputs>, Failure> {
    let tests = tests_file::read_all(output, specification, &arguments.augment)?;
    let names = || specification.spec.variables.iter().map(|variable| variable.name.clone());
    Ok(tests.into_iter().map(|test| Inputs::Assignment(names().zip(test.values).collect())).collect())
}
