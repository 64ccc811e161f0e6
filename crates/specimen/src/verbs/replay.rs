//! `specimen replay`: judges a saved suite again, by the interpreter alone.

use serde_json::json;
use testcase::{Suite, TestRecord};

use crate::args::ReplayArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Form, Output};
use crate::present::counted;
use crate::specification::{Specification, criterion_of};
use crate::tests_file::GivenTest;
use crate::verbs::measure;
use crate::{input, present};

pub(crate) fn run(output: &Output, arguments: &ReplayArguments) -> Result<Exit, Failure> {
    let suite = read(&arguments.suite)?;
    let specification = Specification::of_suite(output, &suite, &arguments.suite, arguments.source.as_ref())?;
    let criterion = criterion_of(&suite)?;
    let tests = given(&specification, &suite)?;
    let judged = measure::measured(output, &specification, &criterion, &tests)?;
    let differences = differences(&suite, &judged);
    for difference in &differences {
        output.complain(difference);
    }
    let agrees = differences.is_empty();
    let text = match output.form {
        Form::Json => {
            let whole = json!({ "agrees": agrees, "differences": differences, "summary": suite.summary });
            format!("{whole:#}\n")
        }
        Form::Human if agrees => {
            format!("every test gives what the suite expects\n{}", present::counts(output, &suite))
        }
        Form::Human => format!("{}\n", counted(differences.len(), "difference")),
    };
    output.product(&text)?;
    Ok(if agrees { present::exit(&suite, None) } else { Exit::Rejected })
}

/// Reads a suite from a file.
pub(crate) fn read(path: &std::path::Path) -> Result<Suite, Failure> {
    let text = input::read_text(path)?;
    Suite::from_json(&text).map_err(|error| Failure::Rejected(format!("{}: {error}", path.display())))
}

fn given(specification: &Specification, suite: &Suite) -> Result<Vec<GivenTest>, Failure> {
    let value = |test: &TestRecord, variable: &boolean::Variable| {
        let json =
            test.inputs.get(&variable.name).ok_or_else(|| format!("there is no value for `{}`", variable.name))?;
        value::from_json(&variable.sort, json).map_err(|error| error.to_string())
    };
    let one = |test: &TestRecord| {
        let values =
            specification.spec.variables.iter().map(|variable| value(test, variable)).collect::<Result<_, _>>();
        let values = values.map_err(|problem| Failure::Rejected(format!("in the test {}: {problem}", test.id)))?;
        Ok(GivenTest { name: test.id.clone(), values })
    };
    suite.tests.iter().map(one).collect()
}

/// Where the suite says other than the interpreter.
fn differences(suite: &Suite, judged: &Suite) -> Vec<String> {
    let mut differences = Vec::new();
    for (said, found) in suite.tests.iter().zip(&judged.tests) {
        if said.expected != found.expected {
            let text = |test: &TestRecord| json!(test.expected).to_string();
            differences.push(format!("test {} expects {}, but gives {}", said.id, text(said), text(found)));
        }
    }
    for found in &judged.goals {
        match suite.goals.iter().find(|goal| goal.id == found.id) {
            None => differences.push(format!("the suite does not know the goal {}", found.id)),
            Some(said) if said.status == "covered" && found.status != "covered" => {
                differences.push(format!("goal {} is said to be covered, but the tests do not cover it", said.id));
            }
            Some(said) if said.status != "covered" && found.status == "covered" => {
                differences.push(format!("goal {} is said to be {}, but the tests cover it", said.id, said.status));
            }
            Some(_) => {}
        }
    }
    for said in &suite.goals {
        if !judged.goals.iter().any(|found| found.id == said.id) {
            differences.push(format!("the specification has no goal {}", said.id));
        }
    }
    differences
}
