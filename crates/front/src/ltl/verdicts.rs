//! The properties of a specification that traces are judged by, and their verdicts on one trace.

use ltl::verdict::{Explanation, Monitor, Semantics, Verdict};
use ltl::{Property, Spec};
use omega::Formula;

use super::traces::Times;

/// A property with the name people know it by.
pub(super) struct Judged {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) formula: Formula,
}

/// What was found on a trace.
pub(super) struct Outcome {
    pub(super) trace: String,
    pub(super) steps: u64,
    /// For every semantics asked for, the verdict of every property.
    pub(super) verdicts: Vec<(Semantics, Vec<Option<Verdict>>)>,
    /// Why, in the counting semantics; empty if that was not asked for.
    pub(super) explanations: Vec<Explanation>,
    pub(super) times: Times,
}

/// The whole first, then assumptions and guarantees, each followed by its conjuncts where it has several.
pub(super) fn judged(spec: &Spec) -> Vec<Judged> {
    let mut found = vec![Judged { name: "whole".to_owned(), kind: "requirement", formula: spec.requirement }];
    let kinds = [(&spec.assumptions, "assumption"), (&spec.guarantees, "guarantee")];
    for (property, kind) in kinds.iter().flat_map(|(properties, kind)| properties.iter().map(move |one| (one, *kind))) {
        let Property { name, formula, .. } = property;
        found.push(Judged { name: name.clone(), kind, formula: *formula });
        let conjuncts = spec.formulas.conjuncts(*formula);
        if 1 < conjuncts.len() {
            found.extend((1..).zip(conjuncts).map(|(number, formula)| Judged {
                name: format!("{name}, part {number}"),
                kind,
                formula,
            }));
        }
    }
    // One property that is the whole needs no second name.
    if let [_, only] = found.as_slice()
        && only.formula == spec.requirement
    {
        found.remove(0);
    }
    found
}

impl Outcome {
    pub(super) fn new(trace: String, monitor: &mut Monitor, semantics: &[Semantics], times: Times) -> Outcome {
        let verdicts = semantics.iter().map(|&semantics| (semantics, monitor.judge(semantics))).collect();
        let counts = semantics.contains(&Semantics::Counting);
        let explanations = if counts { monitor.explanations() } else { Vec::new() };
        Outcome { trace, steps: monitor.length(), verdicts, explanations, times }
    }

    /// The verdict of the whole, in the first semantics.
    pub(super) fn overall(&self) -> Option<Verdict> {
        self.verdicts[0].1[0]
    }

    /// The first property with the worst verdict, the whole not counted unless it is alone.
    pub(super) fn worst(&self) -> usize {
        let verdicts = &self.verdicts[0].1;
        (0..verdicts.len()).skip(usize::from(1 < verdicts.len())).min_by_key(|&number| verdicts[number]).unwrap_or(0)
    }

    /// How suspicious the trace is: smaller is worse.
    pub(super) fn rank(&self) -> (Option<Verdict>, std::cmp::Reverse<u64>) {
        let excess = self.explanations.iter().map(Explanation::excess).max().unwrap_or(0);
        (self.overall(), std::cmp::Reverse(excess))
    }
}
