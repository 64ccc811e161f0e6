//! The times of the slots.
//!
//! In general they are integers, and they grow: the more slots, the more bits. Where a specification never looks at times, they count
//! only for timers, and a timer counts only what is left. If no amount is longer than `m`, no gap between neighbouring slots need be
//! longer either: while a timer runs, the next slot is not behind its end; while none runs, any gap does. So a gap is a number from 1
//! to `m`, whatever the number of slots; without timers it is 1, and the solver has nothing to choose.

use smt::{Model, Op, Term, Terms};
use tessla::Operator;
use tessla::core::{Definition, FunctionId, NodeId, NodeKind, Spec, StreamId};
use tessla::value::Value;
use value::{IBig, Sort};

use super::datum::{Shape, integer};
use super::gate;

/// Longer amounts of timers are not worth a choice of gaps.
const LONGEST: i64 = 1 << 40;

/// The times of the slots so far.
pub(super) enum Clock {
    /// As they are.
    Times(Vec<Term>),
    /// As distances from the slot before; the first is at 0.
    Gaps {
        /// The longest gap there need be.
        longest: i64,
        /// One for each slot; that of the first means nothing.
        gaps: Vec<Term>,
    },
}

impl Clock {
    /// No slots yet, in the way that suits a specification.
    pub(super) fn of(spec: &Spec) -> Clock {
        match longest_gap(spec) {
            Some(longest) => Clock::Gaps { longest, gaps: Vec::new() },
            None => Clock::Times(Vec::new()),
        }
    }

    /// Adds a slot.
    pub(super) fn tick(&mut self, terms: &mut Terms, spec: &Spec, facts: &mut Vec<Term>) {
        let zero = terms.int(0);
        match self {
            Clock::Times(times) => {
                let time = terms.symbol(&format!("slot {} time", times.len()), &Sort::Int);
                let fact = match times.last() {
                    Some(&earlier) => terms.app(Op::Lt, &[earlier, time]),
                    None if spec.streams.iter().any(|stream| stream.definition == Definition::Unit) => {
                        terms.eq(time, zero)
                    }
                    None => terms.app(Op::Le, &[zero, time]),
                };
                facts.push(fact);
                times.push(time);
            }
            Clock::Gaps { longest, gaps } => {
                let gap = match (gaps.len(), *longest) {
                    (0, _) => zero,
                    (_, 1) => terms.int(1),
                    (slot, longest) => {
                        let gap = terms.symbol(&format!("slot {slot} gap"), &Sort::Int);
                        let (least, most) = (terms.int(1), terms.int(longest));
                        facts.push(terms.app(Op::Le, &[least, gap]));
                        facts.push(terms.app(Op::Le, &[gap, most]));
                        gap
                    }
                };
                gaps.push(gap);
            }
        }
    }

    /// Adds one slot of which nothing is known but that there were others before it.
    pub(super) fn tick_at_some_time(&mut self, terms: &mut Terms, facts: &mut Vec<Term>) {
        match self {
            Clock::Times(times) => {
                let (time, zero) = (terms.symbol("some time", &Sort::Int), terms.int(0));
                facts.push(terms.app(Op::Lt, &[zero, time]));
                times.push(time);
            }
            Clock::Gaps { gaps, .. } => gaps.push(terms.int(0)),
        }
    }

    /// The number of slots.
    pub(super) fn slots(&self) -> usize {
        match self {
            Clock::Times(slots) | Clock::Gaps { gaps: slots, .. } => slots.len(),
        }
    }

    /// The time of a slot, where the specification may look at it.
    pub(super) fn time(&self, slot: usize) -> Term {
        match self {
            Clock::Times(times) => times[slot],
            Clock::Gaps { .. } => unreachable!("gaps are for specifications that never look at times"),
        }
    }

    /// What a timer that is set to an amount at a slot shows: the end, or what is left.
    pub(super) fn set(&self, terms: &mut Terms, slot: usize, amount: Term) -> Term {
        match self {
            Clock::Times(times) => terms.app(Op::Add, &[times[slot], amount]),
            Clock::Gaps { .. } => amount,
        }
    }

    /// What a timer shows at a slot, and whether it has not run out before it, given what it showed after the slot before.
    pub(super) fn pass(&self, terms: &mut Terms, slot: usize, shown: Term) -> (Term, Term) {
        match self {
            Clock::Times(times) => (shown, terms.app(Op::Le, &[times[slot], shown])),
            Clock::Gaps { gaps, .. } => {
                let zero = terms.int(0);
                let left = terms.app(Op::Sub, &[shown, gaps[slot]]);
                let in_time = terms.app(Op::Le, &[zero, left]);
                (gate::choose(terms, in_time, left, zero), in_time)
            }
        }
    }

    /// Whether a timer that shows this runs out at a slot.
    pub(super) fn is_end(&self, terms: &mut Terms, slot: usize, shown: Term) -> Term {
        match self {
            Clock::Times(times) => terms.eq(shown, times[slot]),
            Clock::Gaps { .. } => {
                let zero = terms.int(0);
                gate::equal(terms, shown, zero)
            }
        }
    }

    /// The times of the slots in a model.
    pub(super) fn read(&self, terms: &Terms, model: &Model) -> Vec<i64> {
        let number = |term: &Term| match terms.value(*term) {
            Some(value::Value::Int(constant)) => i64::try_from(constant).unwrap_or(i64::MAX),
            _ => i64::try_from(&integer(terms, model, *term)).unwrap_or(i64::MAX),
        };
        match self {
            Clock::Times(times) => times.iter().map(number).collect(),
            Clock::Gaps { gaps, .. } => {
                let mut now: i64 = 0;
                let later = |gap: &Term| {
                    now = now.saturating_add(number(gap));
                    now
                };
                gaps.iter().map(later).collect()
            }
        }
    }

    /// That no slot lies behind the last time a run can reach, where one does in a model.
    pub(super) fn limit(&self, terms: &mut Terms, model: &Model) -> Option<Term> {
        let Clock::Times(times) = self else { return None };
        let (&last, most) = (times.last()?, IBig::from(i64::MAX));
        if integer(terms, model, last) <= most {
            return None;
        }
        let most = terms.int(most);
        Some(terms.app(Op::Le, &[last, most]))
    }

    /// What must be equal for the slots to show moments at these times, which increase: terms and their values.
    pub(super) fn at(&self, moments: &[i64]) -> Vec<(Term, i64)> {
        match self {
            Clock::Times(times) => times.iter().copied().zip(moments.iter().copied()).collect(),
            Clock::Gaps { longest, gaps } => {
                let between = moments.windows(2).map(|pair| (pair[1] - pair[0]).min(*longest));
                gaps.iter().skip(1).copied().zip(between).collect()
            }
        }
    }
}

/// The longest gap that is needed between slots; none where times must be told as they are.
fn longest_gap(spec: &Spec) -> Option<i64> {
    if spec.streams.iter().any(|stream| matches!(stream.definition, Definition::Time(_))) {
        return None;
    }
    let amounts: Vec<StreamId> = spec
        .streams
        .iter()
        .filter_map(|stream| match stream.definition {
            Definition::Delay { delays, .. } => Some(delays),
            _ => None,
        })
        .collect();
    // What is left of several timers is not a difference of two numbers: the solver must know all its numbers to be small.
    if !amounts.is_empty() && spec.inputs.iter().any(|&input| holds_number(&Shape::of(&spec.stream(input).element, 1)))
    {
        return None;
    }
    greatest(spec, amounts)
}

fn holds_number(shape: &Option<Shape>) -> bool {
    let mut open: Vec<&Shape> = shape.iter().collect();
    while let Some(shape) = open.pop() {
        match shape {
            Shape::Bool => {}
            Shape::Int | Shape::Text => return true,
            Shape::Option(inner) | Shape::Items(_, inner, _) => open.push(inner),
            Shape::Object(_, members) => open.extend(members),
        }
    }
    false
}

/// Where a value may come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Stream(StreamId),
    Node(FunctionId, NodeId, StreamId),
}

/// The greatest value of streams that show nothing but constants of the specification, at least 1.
fn greatest(spec: &Spec, streams: Vec<StreamId>) -> Option<i64> {
    let mut greatest = 1;
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open: Vec<Place> = streams.into_iter().map(Place::Stream).collect();
    while let Some(place) = open.pop() {
        if !seen.insert(place) {
            continue;
        }
        match place {
            Place::Stream(stream) => match &spec.stream(stream).definition {
                Definition::Nil => {}
                Definition::Last { value, .. } => open.push(Place::Stream(*value)),
                Definition::Merge(streams) => open.extend(streams.iter().copied().map(Place::Stream)),
                Definition::DefaultFrom { value, default } => {
                    open.extend([Place::Stream(*value), Place::Stream(*default)]);
                }
                Definition::Lift { function, .. } | Definition::SignalLift { function, .. } => {
                    open.push(Place::Node(*function, spec.function(*function).root, stream));
                }
                Definition::Input(_) | Definition::Unit | Definition::Time(_) | Definition::Delay { .. } => {
                    return None;
                }
            },
            Place::Node(function, node, stream) => match &spec.function(function).node(node).kind {
                NodeKind::Constant(Value::None) => {}
                NodeKind::Constant(constant) => {
                    let mut constant = constant;
                    while let Value::Some(inner) = constant {
                        constant = inner;
                    }
                    match constant {
                        Value::Int(amount) if *amount <= LONGEST => greatest = greatest.max(*amount),
                        _ => return None,
                    }
                }
                NodeKind::Parameter(position) => match &spec.stream(stream).definition {
                    Definition::Lift { arguments, .. } | Definition::SignalLift { arguments, .. } => {
                        open.push(Place::Stream(arguments[*position as usize]));
                    }
                    _ => return None,
                },
                NodeKind::If { then, otherwise, .. } => {
                    open.extend([*then, *otherwise].map(|node| Place::Node(function, node, stream)));
                }
                NodeKind::Apply(Operator::Some | Operator::GetSome, operands) => {
                    open.push(Place::Node(function, operands[0], stream));
                }
                NodeKind::And(..)
                | NodeKind::Or(..)
                | NodeKind::Apply(..)
                | NodeKind::Object(_)
                | NodeKind::Member(..)
                | NodeKind::Call(..)
                | NodeKind::Fold { .. } => return None,
            },
        }
    }
    Some(greatest)
}
