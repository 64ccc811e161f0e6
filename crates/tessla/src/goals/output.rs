//! Goals about what outputs show, whatever computes them.

use crate::core::{Definition, NodeKind, Output, StreamId};
use crate::obligation::{Obligation, Shown};
use crate::types::Type;

use super::{Collector, needed_for};

/// Which outputs are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// All of them, in every respect.
    Everything,
    /// Truth values of all that are computed; events of those that no decision leads to.
    Undecided,
    /// Truth values of all that are computed.
    Verdicts,
}

impl Collector<'_> {
    /// What every output has to show. An input that is shown as it is tells nothing about the specification: it counts where there is
    /// nothing else to ask for.
    pub(super) fn outputs(&mut self, asked: Asked) {
        self.each_output(asked, false);
        match asked {
            Asked::Everything => self.each_output(Asked::Everything, true),
            Asked::Undecided if self.goals.is_empty() => self.each_output(Asked::Everything, true),
            Asked::Undecided | Asked::Verdicts => {}
        }
    }

    fn each_output(&mut self, asked: Asked, inputs: bool) {
        let spec = self.spec;
        let mut seen: Vec<StreamId> = Vec::new();
        for (number, output) in spec.outputs.iter().enumerate() {
            let stream = output.stream;
            let is_input = matches!(spec.stream(stream).definition, Definition::Input(_));
            if is_input != inputs || seen.contains(&stream) {
                continue;
            }
            seen.push(stream);
            let events = match asked {
                Asked::Everything => true,
                Asked::Undecided => !self.is_decided(stream),
                Asked::Verdicts => false,
            };
            for shown in wanted(spec.stream(stream).element == Type::Bool, events) {
                self.output(number + 1, output, shown);
            }
        }
    }

    fn output(&mut self, number: usize, output: &Output, shown: Shown) {
        let (key, what) = match shown {
            Shown::Truth(truth) => (truth.to_string(), format!("is {truth}")),
            Shown::Event => ("event".to_owned(), "has an event".to_owned()),
            Shown::Nothing => ("none".to_owned(), "has no event while something happens".to_owned()),
        };
        let name = output.name.clone().unwrap_or_else(|| self.text(output.origin));
        let obligation = Obligation::Output { stream: output.stream, shown };
        let origin = output.origin;
        self.goal(format!("out{number}={key}"), &format!("`{name}` {what}"), origin, origin, obligation);
    }

    /// Whether a decision that counts leads to a stream.
    fn is_decided(&self, stream: StreamId) -> bool {
        let functions = self.functions(&needed_for(self.spec, vec![stream]));
        !self.sites(&functions, |function, node| matches!(function.node(node).kind, NodeKind::If { .. })).is_empty()
    }
}

/// What an output has to show.
fn wanted(is_truth: bool, events: bool) -> Vec<Shown> {
    let mut wanted = match (is_truth, events) {
        (true, _) => vec![Shown::Truth(true), Shown::Truth(false)],
        (false, true) => vec![Shown::Event],
        (false, false) => Vec::new(),
    };
    if events {
        wanted.push(Shown::Nothing);
    }
    wanted
}
