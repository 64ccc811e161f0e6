//! Which conditions of a decision depend on each other.

use boolean::ExprId;
use draw_boolean::{Coupling, CouplingKind, couplings};
use search::{Backend, Options};
use serde_json::json;
use smt::Interrupt;

use super::BooleanModel;
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::CouplingArguments;
use crate::output::{Form, Output};

/// `specimen coupling` for a decision.
pub(super) fn run(
    model: &BooleanModel,
    output: &Output,
    arguments: &CouplingArguments,
    interrupt: Interrupt,
) -> Result<Exit, Failure> {
    let options =
        Options { solver: arguments.solver.clone(), timeout: arguments.timeout, interrupt, ..Options::default() };
    let decision = model.decision();
    let found = couplings(&model.spec, decision, &Backend::new(&options))?;
    let text_of = |atom: ExprId| {
        let condition = decision.conditions.iter().find(|condition| condition.atom == atom);
        condition.map_or_else(String::new, |condition| condition.text.clone())
    };
    let text = match output.form {
        Form::Json => {
            let list: Vec<_> = found
                .iter()
                .map(|coupling| {
                    let (kind, detail) = words(&coupling.kind);
                    json!({ "first": text_of(coupling.first), "second": text_of(coupling.second), "kind": kind, "detail": detail })
                })
                .collect();
            format!("{:#}\n", json!({ "decision": decision.name, "couplings": list }))
        }
        Form::Human => as_table(output, &found, &text_of),
    };
    output.product(&text)?;
    let open = found.iter().any(|coupling| matches!(coupling.kind, CouplingKind::Unknown(_)));
    Ok(if open { Exit::Open } else { Exit::Done })
}

/// The pairs that depend on each other; with `-v` the independent ones too.
fn as_table(output: &Output, found: &[Coupling], text_of: &dyn Fn(ExprId) -> String) -> String {
    let mut table = Table::new(&["coupling", "first", "second", "detail"]);
    for coupling in found.iter().filter(|coupling| output.verbose || coupling.kind != CouplingKind::Independent) {
        let (kind, detail) = words(&coupling.kind);
        table.row(vec![kind.to_owned(), text_of(coupling.first), text_of(coupling.second), detail]);
    }
    let independent = found.iter().filter(|coupling| coupling.kind == CouplingKind::Independent).count();
    let listed = if table.is_empty() { String::new() } else { format!("{}\n", table.to_text(0)) };
    format!("{listed}{independent} of {} pairs of conditions are independent\n", found.len())
}

fn words(kind: &CouplingKind) -> (&'static str, String) {
    match kind {
        CouplingKind::Independent => ("none", "all four combinations occur".to_owned()),
        CouplingKind::Strong { equal: true } => ("strong", "always equal".to_owned()),
        CouplingKind::Strong { equal: false } => ("strong", "always opposite".to_owned()),
        CouplingKind::Weak { impossible } => {
            let letter = |value: bool| if value { 'T' } else { 'F' };
            let pairs: Vec<String> =
                impossible.iter().map(|&(first, second)| format!("({}, {})", letter(first), letter(second))).collect();
            ("weak", format!("never {}", pairs.join(" or ")))
        }
        CouplingKind::Constant => ("constant", "one of them never changes".to_owned()),
        CouplingKind::Unknown(reason) => ("unknown", reason.clone()),
    }
}
