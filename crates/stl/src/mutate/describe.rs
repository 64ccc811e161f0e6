//! Mutations in words.

use crate::number::write_number;
use crate::print::{comparison_text, print, window_text};
use crate::spec::Spec;
use crate::store::{Formula, Node};

/// Formulas longer than this are shortened.
const LONGEST: usize = 60;

pub(super) struct Words<'a> {
    spec: &'a Spec,
}

impl Words<'_> {
    pub(super) fn of(spec: &Spec) -> Words<'_> {
        Words { spec }
    }

    fn text(&self, formula: Formula) -> String {
        let text = print(self.spec, formula);
        if text.chars().count() <= LONGEST {
            return text;
        }
        text.chars().take(LONGEST - 1).chain(['…']).collect()
    }

    pub(super) fn instead_of(&self, old: Formula, new: Formula) -> String {
        format!("`{}` stands where the formula has `{}`", self.text(new), self.text(old))
    }

    pub(super) fn negated(&self, formula: Formula) -> String {
        format!("`{}` is negated", self.text(formula))
    }

    pub(super) fn without_negation(&self, formula: Formula) -> String {
        format!("the negation of `{}` is missing", self.text(formula))
    }

    pub(super) fn stuck(&self, formula: Formula, truth: bool) -> String {
        format!("`{}` counts as always {truth}", self.text(formula))
    }

    pub(super) fn dropped(&self, formula: Formula) -> String {
        format!("`{}` is left out", self.text(formula))
    }

    pub(super) fn only(&self, node: &Node, kept: Formula) -> String {
        format!("`{}` is left out, only `{}` remains", symbol(self.spec, node), self.text(kept))
    }

    pub(super) fn without(&self, node: &Node) -> String {
        format!("`{}` is left out", symbol(self.spec, node))
    }

    pub(super) fn inserted(&self, node: &Node, formula: Formula) -> String {
        let meaning = match node {
            Node::Finally(..) => "at some time soon",
            Node::Globally(..) => "for a while",
            _ => "one step later",
        };
        format!("`{}` stands before `{}`: {meaning} instead of now", symbol(self.spec, node), self.text(formula))
    }

    pub(super) fn bracketed(&self, formula: Formula) -> String {
        format!("the brackets stand otherwise: `{}`", self.text(formula))
    }

    pub(super) fn operator(&self, old: &Node, new: &Node) -> String {
        format!("`{}` stands where the formula has `{}`", symbol(self.spec, new), symbol(self.spec, old))
    }
}

/// The operator alone, as it is written.
fn symbol(spec: &Spec, node: &Node) -> String {
    match node {
        Node::Constant(truth) => truth.to_string(),
        Node::Signal(signal) => spec.signals[signal.0 as usize].name.clone(),
        Node::Compare(comparison) => comparison_text(&spec.signals, comparison),
        Node::Not(_) => "!".into(),
        Node::And(..) => "&".into(),
        Node::Or(..) => "|".into(),
        Node::Implies(..) => "->".into(),
        Node::Next(time, _) => format!("N[{}]", write_number(time)),
        Node::Finally(window, _) => format!("F{}", window_text(window)),
        Node::Globally(window, _) => format!("G{}", window_text(window)),
        Node::Until(window, ..) => format!("U{}", window_text(window)),
        Node::Release(window, ..) => format!("R{}", window_text(window)),
        Node::Once(window, _) => format!("O{}", window_text(window)),
        Node::Historically(window, _) => format!("H{}", window_text(window)),
        Node::Since(window, ..) => format!("S{}", window_text(window)),
    }
}
