//! `specimen mutants`: the specification with one small mistake, again and again.

use serde_json::json;

use crate::args::MutantsArguments;
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Form, Output};
use crate::present::counted;
use crate::specification::Specification;

pub(crate) fn run(output: &Output, arguments: &MutantsArguments) -> Result<Exit, Failure> {
    let specification = Specification::read(output, &arguments.spec.file, &arguments.spec.reading)?;
    if arguments.harness.steps.implementation.is_some() {
        return specification.model.harness(output, &arguments.criterion, &arguments.harness);
    }
    let mutants = specification.model.mutants(&arguments.criterion)?;
    let text = match output.form {
        Form::Json => {
            let list: Vec<_> = mutants
                .iter()
                .map(|mutant| {
                    json!({
                        "id": mutant.name,
                        "operator": mutant.operator,
                        "location": mutant.location,
                        "words": mutant.words,
                        "text": mutant.text,
                    })
                })
                .collect();
            let family = specification.language.front().family();
            format!("{:#}\n", json!({ "language": family, "source": specification.record, "mutants": list }))
        }
        Form::Human => {
            let mut table = Table::new(&["mutant", "operator", "place", "what"]);
            for mutant in &mutants {
                let place = mutant.location.as_ref().map(|place| format!("{}:{}", place.line, place.column));
                let place = place.unwrap_or_else(|| "-".to_owned());
                table.row(vec![mutant.name.clone(), mutant.operator.clone(), place, mutant.words.clone()]);
            }
            table.to_text(0)
        }
    };
    output.product(&text)?;
    output.talk(&counted(mutants.len(), "mutant"));
    Ok(Exit::Done)
}
