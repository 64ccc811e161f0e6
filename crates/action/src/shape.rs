//! The shape of labels: one numbering of actions and one layout for a model and its mutants.

use std::collections::BTreeMap;

use crate::spec::{ActionSpec, Spec};
use crate::trace::{Event, Label};

/// How labels are laid out as numbers: for each event the action's number, from 1, and its arguments, zeros behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The names of the actions and the numbers of their parameters; action `k` has the number `k + 1`. An action that has
    /// other parameters in a mutant is another action.
    pub actions: Vec<(String, usize)>,
    /// The actions of each name.
    numbers: BTreeMap<String, Vec<usize>>,
    /// The most events of a step.
    pub events: usize,
    /// The most arguments of an event.
    pub arity: usize,
}

impl Shape {
    /// A shape for all of these models; the first one's actions come first.
    pub fn of(specs: &[&Spec]) -> Shape {
        let mut shape = Shape { actions: Vec::new(), numbers: BTreeMap::new(), events: 1, arity: 0 };
        for spec in specs {
            shape.events = shape.events.max(spec.body().longest());
            for action in spec.actions() {
                shape.arity = shape.arity.max(action.parameters.len());
                if shape.find(&action.name, action.parameters.len()).is_none() {
                    shape.numbers.entry(action.name.clone()).or_default().push(shape.actions.len());
                    shape.actions.push((action.name.clone(), action.parameters.len()));
                }
            }
        }
        shape
    }

    /// The number of an action of one of the models, from 0.
    pub fn action(&self, action: &ActionSpec) -> usize {
        self.find(&action.name, action.parameters.len()).expect("a shape knows every action of its models")
    }

    /// The number of the action with this name and this many parameters, from 0.
    pub fn find(&self, name: &str, parameters: usize) -> Option<usize> {
        self.numbers.get(name)?.iter().copied().find(|number| self.actions[*number].1 == parameters)
    }

    /// A label as numbers; none where it is not a label of these models.
    pub fn encode(&self, label: &Label) -> Option<Vec<i64>> {
        if label.0.is_empty() || self.events < label.0.len() {
            return None;
        }
        let mut numbers = vec![0; self.width()];
        for (event, place) in label.0.iter().zip(numbers.chunks_mut(self.stride())) {
            place[0] = self.find(&event.action, event.arguments.len())? as i64 + 1;
            place[1..=event.arguments.len()].copy_from_slice(&event.arguments);
        }
        Some(numbers)
    }

    /// The label that numbers stand for.
    pub fn decode(&self, numbers: &[i64]) -> Label {
        let events = numbers.chunks(self.stride()).filter(|event| event[0] != 0).map(|event| {
            let (name, arity) = &self.actions[event[0] as usize - 1];
            Event { action: name.clone(), arguments: event[1..=*arity].to_vec() }
        });
        Label(events.collect())
    }

    /// The numbers of one event.
    pub fn stride(&self) -> usize {
        1 + self.arity
    }

    /// The numbers of one label.
    pub fn width(&self) -> usize {
        self.events * self.stride()
    }
}
