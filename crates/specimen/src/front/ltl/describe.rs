//! What `check` says about a specification: its signals and properties.

use ltl::{Property, Role, Spec};
use serde_json::{Map, Value as Json, json};

use crate::columns::Table;
use crate::exit::Exit;
use crate::front::Description;
use crate::output::Output;
use crate::present::counted;

pub(super) fn describe(output: &Output, spec: &Spec) -> Description {
    Description { text: as_text(output, spec), json: as_json(spec), exit: Exit::Done }
}

const ROLES: [(Role, &str, &str); 4] = [
    (Role::Input, "input", "inputs"),
    (Role::Output, "output", "outputs"),
    (Role::Hidden, "hidden output", "hidden"),
    (Role::Open, "proposition", "propositions"),
];

fn as_json(spec: &Spec) -> Map<String, Json> {
    let mut map = Map::new();
    for (role, _, plural) in ROLES {
        let names: Vec<&str> =
            spec.signals.iter().filter(|signal| signal.role == role).map(|signal| signal.name.as_str()).collect();
        map.insert(plural.to_owned(), json!(names));
    }
    let properties = |properties: &[Property]| -> Vec<Json> {
        let one =
            |property: &Property| json!({ "name": property.name, "formula": spec.formulas.show(property.formula) });
        properties.iter().map(one).collect()
    };
    map.insert("assumptions".to_owned(), json!(properties(&spec.assumptions)));
    map.insert("guarantees".to_owned(), json!(properties(&spec.guarantees)));
    map
}

fn as_text(output: &Output, spec: &Spec) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (role, singular, _) in ROLES {
        match spec.signals.iter().filter(|signal| signal.role == role).count() {
            0 => {}
            count => parts.push(counted(count, singular)),
        }
    }
    parts.push(counted(spec.assumptions.len(), "assumption"));
    parts.push(counted(spec.guarantees.len(), "guarantee"));
    let mut text = format!("ok, {}\n", parts.join(", "));
    if output.verbose {
        let mut table = Table::new(&["property", "formula"]);
        for property in spec.assumptions.iter().chain(&spec.guarantees) {
            table.row(vec![property.name.clone(), spec.formulas.show(property.formula)]);
        }
        text.push_str(&format!("\n{}", table.to_text(0)));
    }
    text
}
