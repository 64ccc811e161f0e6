//! Goals: what a criterion asks for.

mod output;

use std::fmt;

use testcase::{Goal, Location, ObligationId};

use crate::core::{Definition, Function, FunctionId, NodeId, NodeKind, Spec, StreamId};
use crate::obligation::{Merged, Obligation, Site, Timing, merged_by};
use crate::operator::Operator;
use crate::place::Origin;

use output::Asked;

/// The longest text of a place, in characters.
const LOCATION_TEXT: usize = 60;

/// A coverage criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    /// Every conditional of every lifted function chooses each branch, masked ones not counted; every truth value that is put out is
    /// true once and false once, and outputs that no conditional leads to have an event and have none.
    Decision,
    /// Every condition is true once and false once.
    Condition,
    /// Every condition is true and decides, false and decides.
    Mcdc,
    /// `last` with and without memory; `delay` fired, reset and set again; `merge` from each stream and from several.
    Operators,
    /// Every output has an event and has none while something happens; truth values are true once and false once.
    Outputs,
    /// Every truth value that is put out is false once, the violation, and true once, the satisfaction.
    Verdict,
    /// Every conditional chooses each branch at a time at which the other one would have changed an output.
    Observable,
    /// Every partial operator is evaluated outside its domain: what a specification must rule out.
    Undefined,
    /// Decisions, conditions, operators and outputs together.
    All,
}

/// What a criterion asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goals {
    /// The goals; their alternatives name obligations by position.
    pub goals: Vec<Goal>,
    /// The obligations.
    pub obligations: Vec<Obligation>,
}

/// What shapes goals besides the criterion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoalOptions {
    /// Whether code of the standard library counts too.
    pub library: bool,
}

/// What a criterion asks for. Streams that only assertions need do not count; that the assertions hold together does.
pub fn goals(spec: &Spec, criterion: Criterion, options: GoalOptions) -> Goals {
    let mut collector = Collector { spec, options, goals: Vec::new(), obligations: Vec::new() };
    let wants = |wanted: Criterion| match wanted {
        Criterion::Observable | Criterion::Undefined | Criterion::Verdict => criterion == wanted,
        _ => criterion == wanted || criterion == Criterion::All,
    };
    if !spec.assertions.is_empty() {
        collector.assertions();
    }
    let streams = shown_streams(spec);
    let functions = collector.functions(&streams);
    if wants(Criterion::Decision) {
        collector.decisions(&functions, false);
    }
    if wants(Criterion::Observable) {
        collector.decisions(&functions, true);
    }
    if wants(Criterion::Condition) {
        collector.conditions(&functions);
    }
    if wants(Criterion::Mcdc) {
        collector.active(&functions);
    }
    if wants(Criterion::Operators) {
        collector.operators(&streams);
    }
    if wants(Criterion::Undefined) {
        collector.undefined(&functions);
    }
    if wants(Criterion::Verdict) {
        collector.outputs(Asked::Verdicts);
    }
    if wants(Criterion::Outputs) {
        collector.outputs(Asked::Everything);
    } else if criterion == Criterion::Decision {
        collector.outputs(Asked::Undecided);
    }
    Goals { goals: collector.goals, obligations: collector.obligations }
}

impl Criterion {
    /// Every criterion.
    pub const ALL: &'static [Criterion] = &[
        Criterion::Decision,
        Criterion::Condition,
        Criterion::Mcdc,
        Criterion::Operators,
        Criterion::Outputs,
        Criterion::Verdict,
        Criterion::Observable,
        Criterion::Undefined,
        Criterion::All,
    ];

    /// The name on the command line and in suites.
    pub fn name(self) -> &'static str {
        match self {
            Criterion::Decision => "decision",
            Criterion::Condition => "condition",
            Criterion::Mcdc => "mcdc",
            Criterion::Operators => "operators",
            Criterion::Outputs => "outputs",
            Criterion::Verdict => "verdict",
            Criterion::Observable => "observable",
            Criterion::Undefined => "undefined",
            Criterion::All => "all",
        }
    }

    /// The criterion of a name or of a usual other name.
    pub fn from_name(name: &str) -> Option<Criterion> {
        let full = match name {
            "dc" => "decision",
            "cc" => "condition",
            "mc/dc" | "masking-mcdc" => "mcdc",
            other => other,
        };
        Criterion::ALL.iter().find(|criterion| criterion.name() == full).copied()
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The streams that outputs need.
fn shown_streams(spec: &Spec) -> Vec<StreamId> {
    needed_for(spec, spec.outputs.iter().map(|output| output.stream).collect())
}

/// Streams with all that they need.
fn needed_for(spec: &Spec, mut open: Vec<StreamId>) -> Vec<StreamId> {
    let mut shown = vec![false; spec.streams.len()];
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut shown[id.0 as usize], true) {
            open.extend(spec.stream(id).definition.dependencies());
        }
    }
    (0..spec.streams.len() as u32).map(StreamId).filter(|id| shown[id.0 as usize]).collect()
}

/// The outermost connectives of a function, and the conditions of its conditionals that are not connectives.
pub(crate) fn decisions_of(function: &Function) -> Vec<NodeId> {
    let count = function.nodes.len();
    let (mut inner, mut tested) = (vec![false; count], vec![false; count]);
    for node in &function.nodes {
        if is_connective(&node.kind) {
            node.kind.operands().iter().for_each(|operand| inner[operand.0 as usize] = true);
        }
        if let NodeKind::If { condition, .. } = node.kind {
            tested[condition.0 as usize] = true;
        }
    }
    let is_decision = |index: &usize| {
        let kind = &function.nodes[*index].kind;
        let constant = matches!(kind, NodeKind::Constant(_));
        !constant && (tested[*index] || (is_connective(kind) && !inner[*index]))
    };
    (0..count).filter(is_decision).map(|index| NodeId(index as u32)).collect()
}

/// The conditions of a decision, in the order of evaluation.
pub(crate) fn conditions_of(function: &Function, decision: NodeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut open = vec![decision];
    while let Some(id) = open.pop() {
        let kind = &function.node(id).kind;
        if is_connective(kind) {
            open.extend(kind.operands().into_iter().rev());
        } else if !matches!(kind, NodeKind::Constant(_)) && !found.contains(&id) {
            found.push(id);
        }
    }
    found
}

fn is_connective(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::And(..) | NodeKind::Or(..) | NodeKind::Apply(Operator::Not, _))
}

/// Goals and obligations so far.
struct Collector<'a> {
    spec: &'a Spec,
    options: GoalOptions,
    goals: Vec<Goal>,
    obligations: Vec<Obligation>,
}

impl Collector<'_> {
    fn counts(&self, origin: Origin) -> bool {
        self.options.library || self.spec.is_user(origin)
    }

    /// The functions of the streams and those they call.
    fn functions(&self, streams: &[StreamId]) -> Vec<FunctionId> {
        let mut known = vec![false; self.spec.functions.len()];
        let mut open = Vec::new();
        for id in streams {
            if let Definition::Lift { function, .. } | Definition::SignalLift { function, .. } =
                self.spec.stream(*id).definition
            {
                open.push(function);
            }
        }
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut known[id.0 as usize], true) {
                continue;
            }
            for node in &self.spec.function(id).nodes {
                if let NodeKind::Call(called, _) | NodeKind::Fold { function: called, .. } = node.kind {
                    open.push(called);
                }
            }
        }
        (0..known.len() as u32).map(FunctionId).filter(|id| known[id.0 as usize]).collect()
    }

    /// Nodes in the order of the text, then of the calls.
    fn in_text_order(&self, mut sites: Vec<(Site, Origin)>) -> Vec<Site> {
        sites.sort_by_key(|(site, origin)| (self.first_user_place(*origin), origin.place, origin.path, *site));
        sites.into_iter().map(|(site, _)| site).collect()
    }

    fn first_user_place(&self, origin: Origin) -> crate::place::Place {
        crate::run::user_place(self.spec, origin).unwrap_or(origin.place)
    }

    fn sites(&self, functions: &[FunctionId], wanted: impl Fn(&Function, NodeId) -> bool) -> Vec<Site> {
        let mut sites = Vec::new();
        for id in functions {
            let function = self.spec.function(*id);
            for index in 0..function.nodes.len() as u32 {
                let node = NodeId(index);
                let origin = function.node(node).origin;
                if wanted(function, node) && self.counts(origin) {
                    sites.push((Site { function: *id, node }, origin));
                }
            }
        }
        self.in_text_order(sites)
    }

    /// That the assertions can hold together. It tells contradictory assertions apart from goals that cannot be reached, and is
    /// what is asked for where a specification has no decisions.
    fn assertions(&mut self) {
        let origin = self.spec.assertions[0].origin;
        let what = "the assertions hold together";
        self.goal("assertions".to_owned(), what, Origin::default(), origin, Obligation::Assertions);
    }

    fn decisions(&mut self, functions: &[FunctionId], visible: bool) {
        let sites = self.sites(functions, |function, node| matches!(function.node(node).kind, NodeKind::If { .. }));
        for (number, site) in sites.into_iter().enumerate() {
            let function = self.spec.function(site.function);
            let NodeKind::If { condition, .. } = function.node(site.node).kind else { continue };
            let (origin, own) = (function.node(condition).origin, function.node(site.node).origin);
            let shown = if origin == Origin::default() { own } else { origin };
            for outcome in [true, false] {
                if visible {
                    let key = format!("v{}={outcome}", number + 1);
                    let what = format!("`{}` is {outcome} and an output shows it", self.text(shown));
                    self.goal(key, &what, own, shown, Obligation::Visible { site, outcome });
                    continue;
                }
                let key = format!("d{}={outcome}", number + 1);
                let what = format!("`{}` is {outcome}", self.text(shown));
                self.goal(key, &what, own, shown, Obligation::Branch { site, outcome });
            }
        }
    }

    fn decision_sites(&self, functions: &[FunctionId]) -> Vec<Site> {
        let mut sites = Vec::new();
        for id in functions {
            let function = self.spec.function(*id);
            for node in decisions_of(function) {
                let origin = function.node(node).origin;
                if self.counts(origin) {
                    sites.push((Site { function: *id, node }, origin));
                }
            }
        }
        self.in_text_order(sites)
    }

    fn conditions(&mut self, functions: &[FunctionId]) {
        let mut number = 0;
        let mut seen = Vec::new();
        for decision in self.decision_sites(functions) {
            let function = self.spec.function(decision.function);
            for condition in conditions_of(function, decision.node) {
                let site = Site { function: decision.function, node: condition };
                if seen.contains(&site) {
                    continue;
                }
                seen.push(site);
                number += 1;
                let origin = self.site_origin(site, decision);
                for value in [true, false] {
                    let what = format!("`{}` is {value}", self.text(origin));
                    self.goal(
                        format!("c{number}={value}"),
                        &what,
                        origin,
                        origin,
                        Obligation::Condition { site, value },
                    );
                }
            }
        }
    }

    /// The place of a condition; that of its decision where it is a parameter of the lift.
    fn site_origin(&self, site: Site, decision: Site) -> Origin {
        let own = self.spec.function(site.function).node(site.node).origin;
        if own == Origin::default() { self.spec.function(decision.function).node(decision.node).origin } else { own }
    }

    fn active(&mut self, functions: &[FunctionId]) {
        let mut number = 0;
        for decision in self.decision_sites(functions) {
            let function = self.spec.function(decision.function);
            for condition in conditions_of(function, decision.node) {
                number += 1;
                let origin = self.site_origin(Site { function: decision.function, node: condition }, decision);
                for value in [true, false] {
                    let what = format!("`{}` is {value} and decides", self.text(origin));
                    let obligation = Obligation::Active { decision, condition, value };
                    self.goal(format!("m{number}={value}"), &what, origin, origin, obligation);
                }
            }
        }
    }

    fn operators(&mut self, streams: &[StreamId]) {
        let mut streams: Vec<StreamId> =
            streams.iter().copied().filter(|id| self.counts(self.spec.stream(*id).origin)).collect();
        streams.sort_by_key(|id| (self.spec.stream(*id).origin.place, self.spec.stream(*id).origin.path, *id));
        let mut number = 0;
        for id in streams {
            let stream = self.spec.stream(id);
            let origin = stream.origin;
            let text = self.text(origin);
            let wanted: Vec<(String, String, Obligation)> = match &stream.definition {
                Definition::Last { .. } => {
                    [(true, "known", "has a value to show"), (false, "unknown", "has no value to show")]
                        .into_iter()
                        .map(|(remembered, key, what)| {
                            (key.into(), what.into(), Obligation::Last { stream: id, remembered })
                        })
                        .collect()
                }
                Definition::Delay { .. } => [
                    (Timing::Fired, "fired", "runs out"),
                    (Timing::Reset, "reset", "is reset while it runs"),
                    (Timing::Rearmed, "rearmed", "is set again when it runs out"),
                ]
                .into_iter()
                .map(|(what, key, words)| (key.into(), words.into(), Obligation::Delay { stream: id, what }))
                .collect(),
                Definition::Merge(_) | Definition::Lift { .. } => match merged_by(self.spec, id) {
                    Some(of) => self.merged(id, of.len()),
                    None => continue,
                },
                Definition::Input(_)
                | Definition::Nil
                | Definition::Unit
                | Definition::Time(_)
                | Definition::SignalLift { .. }
                | Definition::DefaultFrom { .. } => continue,
            };
            number += 1;
            for (key, what, obligation) in wanted {
                self.goal(format!("o{number}={key}"), &format!("`{text}` {what}"), origin, origin, obligation);
            }
        }
    }

    fn merged(&self, stream: StreamId, count: usize) -> Vec<(String, String, Obligation)> {
        let name = |index: u32| match (index, count) {
            (0, 2) => "left".to_owned(),
            (1, 2) => "right".to_owned(),
            _ => format!("only{}", index + 1),
        };
        let only = (0..count as u32).map(|index| {
            let from = Merged::Only(index);
            let what = format!("has an event of stream {} alone", index + 1);
            (name(index), what, Obligation::Merge { stream, from })
        });
        let several = Obligation::Merge { stream, from: Merged::Several };
        let key = if count == 2 { "both" } else { "several" };
        only.chain([(key.to_owned(), "has several events at once".to_owned(), several)]).collect()
    }

    fn undefined(&mut self, functions: &[FunctionId]) {
        let is_partial = |function: &Function, node: NodeId| matches!(&function.node(node).kind, NodeKind::Apply(operator, _) if operator.is_partial());
        for (number, site) in self.sites(functions, is_partial).into_iter().enumerate() {
            let origin = self.spec.function(site.function).node(site.node).origin;
            let what = format!("`{}` is undefined", self.text(origin));
            self.goal(format!("u{}", number + 1), &what, origin, origin, Obligation::Undefined { site });
        }
    }

    fn goal(&mut self, key: String, what: &str, instance: Origin, shown: Origin, obligation: Obligation) {
        let id = ObligationId(self.obligations.len() as u32);
        self.obligations.push(obligation);
        let label = match self.path_text(instance) {
            Some(path) => format!("{what}, in {path}"),
            None => what.to_owned(),
        };
        let location = Some(self.location(shown));
        self.goals.push(Goal::new(key, label, location, vec![vec![id]]));
    }

    /// The calls on the way to an instance, outermost first.
    fn path_text(&self, origin: Origin) -> Option<String> {
        let steps: Vec<String> = self
            .spec
            .path(origin)
            .into_iter()
            .filter(|step| step.name != "=>")
            .map(|step| {
                let source = self.spec.files.source(step.call.file);
                let place = source.place(step.call.span.start);
                format!("{} at {}:{}", step.name, place.line, place.column)
            })
            .collect();
        (!steps.is_empty()).then(|| steps.join(" > "))
    }

    fn text(&self, origin: Origin) -> String {
        on_one_line(self.spec.files.slice(origin.place))
    }

    fn location(&self, origin: Origin) -> Location {
        let source = self.spec.files.source(origin.place.file);
        let place = source.place(origin.place.span.start);
        Location { line: place.line, column: place.column, text: self.text(origin) }
    }
}

/// A text on one line, shortened.
fn on_one_line(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if joined.chars().count() <= LOCATION_TEXT {
        return joined;
    }
    let kept: String = joined.chars().take(LOCATION_TEXT - 1).collect();
    format!("{kept}…")
}
