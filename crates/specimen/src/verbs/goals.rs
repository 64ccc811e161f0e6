//! `specimen goals`: what a criterion asks for, without searching.

use serde_json::json;

use crate::args::GoalsArguments;
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Form, Output};
use crate::present::counted;
use crate::specification::Specification;

pub(crate) fn run(output: &Output, arguments: &GoalsArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    let asked = specification.asked(&arguments.criterion)?;
    let subject = specification.model.subject(output, &asked)?;
    let goals = subject.goals();
    let text = match output.form {
        Form::Json => {
            let list: Vec<_> = goals
                .iter()
                .map(|goal| json!({ "id": goal.key, "label": goal.label, "location": goal.location }))
                .collect();
            let whole = json!({
                "language": specification.language.front().family(),
                "source": specification.record,
                "criterion": asked.criterion,
                "options": asked.options,
                "goals": list,
            });
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
    output.product(&text)?;
    output.talk(&counted(goals.len(), "goal"));
    Ok(Exit::Done)
}
