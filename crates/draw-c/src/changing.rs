//! What a claim about one call takes for granted: static memory as it was before the first call, volatile memory as the program left it.

use std::collections::BTreeSet;

use c::Program;
use c::expr::{Base, PlaceId};
use c::program::{FunctionId, Operation, VariableId};

use super::CSubject;

/// So many variables are named.
const MOST_NAMES: usize = 3;

/// The variables of static storage that earlier calls may have changed. The function that programs begin with has none before it.
pub(super) fn changing(program: &Program, entry: FunctionId) -> BTreeSet<VariableId> {
    if program.function(entry).name == "main" {
        return BTreeSet::new();
    }
    // What other files can name they may change, unless the program is whole.
    let open = program.function_named("main").is_none_or(|main| program.function(main).body.is_none());
    let mut written: BTreeSet<VariableId> = BTreeSet::new();
    for edge in &program.edges {
        let place = match &edge.operation {
            Operation::Assign { place, .. } => Some(*place),
            Operation::Call { result, .. } => *result,
            Operation::Skip
            | Operation::Initialise { .. }
            | Operation::Assume { .. }
            | Operation::Return { .. }
            | Operation::Assert { .. }
            | Operation::Restrict { .. } => None,
        };
        written.extend(place.and_then(|place| base(program, place)));
    }
    let numbered = (0u32..).map(VariableId).zip(&program.variables);
    let changes = numbered.filter(|(id, variable)| {
        let literal = variable.name.starts_with('"') || variable.ty.is_const();
        let changes = variable.address_taken || written.contains(id) || (open && variable.external);
        variable.storage.is_static() && !literal && changes
    });
    changes.map(|(id, _)| id).collect()
}

fn base(program: &Program, place: PlaceId) -> Option<VariableId> {
    match program.place(place).base {
        Base::Variable(variable) => Some(variable),
        Base::Pointer(_) => None,
    }
}

impl CSubject {
    /// Whether claims about executions hold only under terms of this kind.
    pub(super) fn has_terms(&self) -> bool {
        !self.changing.is_empty() || self.has_volatile()
    }

    fn has_volatile(&self) -> bool {
        self.translation.program.places.iter().any(|place| place.ty.is_volatile())
    }

    /// The terms in words, for claims about so many calls.
    pub(super) fn terms_of_claims(&self, calls: u32) -> String {
        let program = &self.translation.program;
        let volatile = "unless something outside of the program changes volatile memory";
        if self.changing.is_empty() {
            return volatile.to_owned();
        }
        let names: Vec<String> =
            self.changing.iter().take(MOST_NAMES).map(|&id| format!("`{}`", program.variable(id).name)).collect();
        let more = if MOST_NAMES < self.changing.len() { ", …" } else { "" };
        let count = match (self.settings.calls, calls) {
            (1, 0 | 1) => "one call".to_owned(),
            (1, count) => format!("up to {count} calls"),
            (count, _) => format!("{count} calls"),
        };
        let external = self.changing.iter().any(|&id| program.variable(id).external);
        let who = if external { "other calls or files" } else { "other calls" };
        let calls = format!("in {count} from the initial state ({who} may change {}{more})", names.join(", "));
        if self.has_volatile() { format!("{calls}, {volatile}") } else { calls }
    }
}
