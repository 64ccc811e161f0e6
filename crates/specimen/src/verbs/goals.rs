//! `specimen goals`: what a criterion asks for, without searching.

use front::Asked;
use front::columns::Table;
use front::exit::Exit;
use front::failure::Failure;
use front::output::{Form, Output};
use front::specification::Specification;
use front::words::counted;
use serde_json::json;
use testcase::Goal;

use crate::args::GoalsArguments;

/// How many goals of a product that is too large to be listed are shown.
const SHOWN: u128 = 20;

pub(crate) fn run(output: &Output, arguments: &GoalsArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    let asked = specification.asked(&arguments.criterion)?;
    if let Some(product) = specification.model.product(output, &asked)? {
        let count = product.product().unwrap_or_default();
        let some: Vec<Goal> = (0..SHOWN).map_while(|number| product.unlisted_goal(number)).collect();
        show(output, &specification, &asked, &some, Some(count))?;
        output.talk(&format!("{count} goals; the first {SHOWN} are shown"));
        return Ok(Exit::Done);
    }
    let subject = specification.model.subject(output, &asked)?;
    let goals = subject.goals();
    show(output, &specification, &asked, goals, None)?;
    output.talk(&counted(goals.len(), "goal"));
    Ok(Exit::Done)
}

/// Shows goals; with their number if they are not all.
fn show(
    output: &Output,
    specification: &Specification,
    asked: &Asked,
    goals: &[Goal],
    count: Option<u128>,
) -> Result<(), Failure> {
    let text = match output.form {
        Form::Json => {
            let list: Vec<_> = goals
                .iter()
                .map(|goal| json!({ "id": goal.key, "label": goal.label, "location": goal.location }))
                .collect();
            let mut whole = json!({
                "language": specification.language.front().family(),
                "source": specification.record,
                "criterion": asked.criterion,
                "options": asked.options,
                "goals": list,
            });
            if let Some(count) = count {
                whole["count"] = u64::try_from(count).map_or_else(|_| json!(count.to_string()), |count| json!(count));
            }
            format!("{whole:#}\n")
        }
        Form::Human => {
            let mut table = Table::new(&["goal", "place", "what"]);
            for goal in goals {
                let place = goal.location.as_ref().map(|place| format!("{}:{}", place.line, place.column));
                table.row(vec![goal.key.clone(), place.unwrap_or_else(|| "-".to_owned()), goal.label.clone()]);
            }
            table.to_text(0)
        }
    };
    output.product(&text)
}
