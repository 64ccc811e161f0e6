//! Mutants of calls, initial values and types.

use crate::ast::{Argument, At, Initial, TypeKind};

use super::expressions::{each_call, interval, label_value};
use super::{Change, Edit, Maker, Operator};

impl Maker<'_> {
    pub(super) fn declarations(&mut self, operator: Operator) {
        match operator {
            Operator::Argument => self.arguments(),
            Operator::Initial => self.initials(),
            Operator::Bound => self.bounds(),
            _ => unreachable!("these are the operators on declarations"),
        }
    }

    /// A constant moves by one; a binder becomes the lowest value of its type, or another binder.
    fn arguments(&mut self) {
        let model = self.spec.model();
        let mut edits = Vec::new();
        let mut number = 0;
        let Some(body) = &model.body else { return };
        each_call(body, &mut |call| {
            for (position, argument) in call.arguments.iter().enumerate() {
                let (span, before, new) = match argument {
                    Argument::Number(old, at) => {
                        let near = [old + 1, old - 1].map(|new| Argument::Number(new, *at));
                        (at.0, old.to_string(), near.to_vec())
                    }
                    Argument::Name(name) => {
                        let binder = call.binders.iter().find(|(binder, _)| binder.text == name.text);
                        let mut new = Vec::new();
                        if let Some((low, _, _)) = binder.and_then(|(_, kind)| interval(model, &kind.text)) {
                            new.push(Argument::Number(low, name.at));
                        }
                        let others = call.binders.iter().filter(|(binder, _)| binder.text != name.text);
                        new.extend(others.map(|(binder, _)| Argument::Name(binder.clone())));
                        (name.span(), name.text.clone(), new)
                    }
                };
                for new in new {
                    let after = match &new {
                        Argument::Number(number, _) => number.to_string(),
                        Argument::Name(name) => name.text.clone(),
                    };
                    let change = Change::Argument { call: number, argument: position, new };
                    let action = Some(call.action.text.clone());
                    edits.push(Edit { action, span, before: before.clone(), after, change });
                }
            }
            number += 1;
        });
        edits.into_iter().for_each(|edit| self.add(Operator::Argument, edit));
    }

    /// The next value of the type, and the one before.
    fn initials(&mut self) {
        let model = self.spec.model();
        let mut edits = Vec::new();
        for (index, variable) in model.variables.iter().enumerate() {
            let Some((low, high, _)) = interval(model, &variable.kind.text) else { continue };
            let cells: Vec<(Option<usize>, &Initial)> = match &variable.initial {
                Initial::List(items, _) => items.iter().enumerate().map(|(cell, item)| (Some(cell), item)).collect(),
                one => vec![(None, one)],
            };
            for (cell, initial) in cells {
                let (old, at) = match initial {
                    Initial::Number(number, at) => (*number, *at),
                    Initial::Label(name) => (label_value(model, &name.text).unwrap_or(low), name.at),
                    Initial::List(_, at) => (low, *at),
                };
                let next = if old == high { low } else { old + 1 };
                let previous = if old == low { high } else { old - 1 };
                let mut values = vec![next, previous];
                values.dedup();
                for new in values.into_iter().filter(|new| *new != old) {
                    let place = cell.map_or(String::new(), |cell| format!("[{cell}]"));
                    edits.push(self.initial_edit(index, cell, &format!("{}{place}", variable.name.text), old, new, at));
                }
            }
        }
        edits.into_iter().for_each(|edit| self.add(Operator::Initial, edit));
    }

    fn initial_edit(&self, variable: usize, cell: Option<usize>, name: &str, old: i64, new: i64, at: At) -> Edit {
        Edit {
            action: None,
            span: at.0,
            before: format!("{name} = {old}"),
            after: format!("{name} = {new}"),
            change: Change::Initial { variable, cell, new },
        }
    }

    /// Each end of each interval, one further out and one further in.
    fn bounds(&mut self) {
        let model = self.spec.model();
        let mut edits = Vec::new();
        for (kind, declared) in model.types.iter().enumerate() {
            let TypeKind::Interval { low, high, labels } = &declared.kind else { continue };
            if !labels.is_empty() {
                continue;
            }
            for (new_low, new_high) in [(*low, high + 1), (*low, high - 1), (low - 1, *high), (low + 1, *high)] {
                if new_low <= new_high {
                    edits.push(Edit {
                        action: None,
                        span: declared.name.span(),
                        before: format!("{} = {low}..{high}", declared.name.text),
                        after: format!("{} = {new_low}..{new_high}", declared.name.text),
                        change: Change::Bounds { kind, low: new_low, high: new_high },
                    });
                }
            }
        }
        edits.into_iter().for_each(|edit| self.add(Operator::Bound, edit));
    }
}
