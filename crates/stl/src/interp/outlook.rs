//! What the samples up to an end decide, whatever comes after them.
//!
//! Every subformula has two sets of times: those at which it holds however the signals go on, and those at which it may hold. A
//! formula whose verdict depends on what comes is undecided. An operator without an upper bound can only be refuted, or fulfilled,
//! for good; where it is neither, the verdict is presumed from the times of the samples.

use value::RBig;

use super::{compound, counted, propositions};
use crate::signal::Trace;
use crate::spec::Spec;
use crate::store::{Formula, Node, Store, Window};
use crate::times::{Instant, Times};

/// What is known about a formula at time zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds or does not, however the signals go on.
    Decided(bool),
    /// No sample contradicts it, and none can come that must be waited for; an operator without an upper bound stays open.
    Presumed(bool),
    /// It depends on what comes.
    Undecided,
}

/// A verdict, and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// The verdict.
    pub verdict: Verdict,
    /// Up to when samples are needed, where it is undecided.
    pub needed: Option<RBig>,
    /// The times up to the end at which the formula is known to hold.
    pub times: Times<RBig>,
}

impl Outlook {
    /// What a trace that is known up to its end says about a formula.
    pub fn of(spec: &Spec, trace: &Trace) -> Outlook {
        Outlook::at(&spec.store, trace, spec.formula)
    }

    pub(crate) fn at(store: &Store, trace: &Trace, formula: Formula) -> Outlook {
        let below = store.below(&[formula]);
        let mut verdict = Verdict::Undecided;
        let unbounded = below.iter().any(|&part| store.node(part).is_open_ended());
        let open = views(store, &below, trace, false);
        let root = |views: &[View]| views.last().and_then(View::at_start);
        if let Some(truth) = root(&open) {
            verdict = Verdict::Decided(truth);
        }
        let closed = if unbounded { views(store, &below, trace, true) } else { open };
        if let (Verdict::Undecided, Some(truth)) = (verdict, root(&closed)) {
            verdict = Verdict::Presumed(truth);
        }
        let needed = (verdict == Verdict::Undecided).then(|| needed(store, &below, &closed, &trace.end));
        let times = closed.last().expect("the formula is among those below it").must.up_to(&trace.end);
        Outlook { verdict, needed, times }
    }
}

/// For each part of a formula, operands first, the times at which it holds for sure and those at which it may, up to the end of a trace
/// that goes on in a way that is not known. Operators without an upper bound look no further than the end.
pub fn known_parts(store: &Store, trace: &Trace, formula: Formula) -> Vec<(Formula, Times<RBig>, Times<RBig>)> {
    let below = store.below(&[formula]);
    let unbounded = below.iter().any(|&part| store.node(part).is_open_ended());
    let views = views(store, &below, trace, unbounded);
    let known = |(part, view): (Formula, View)| (part, view.must.up_to(&trace.end), view.may.up_to(&trace.end));
    below.into_iter().zip(views).map(known).collect()
}

/// The times at which a formula holds for sure, and those at which it may.
struct View<T = RBig> {
    must: Times<T>,
    may: Times<T>,
}

impl View {
    fn at_start(&self) -> Option<bool> {
        match (self.must.holds_at_start(), self.may.holds_at_start()) {
            (true, _) => Some(true),
            (false, false) => Some(false),
            (false, true) => None,
        }
    }
}

/// The views of formulas on a trace; `closed` lets operators without an upper bound look no further than its end.
fn views(store: &Store, below: &[Formula], trace: &Trace, closed: bool) -> Vec<View> {
    match counted(store, below, trace, &[&trace.end]) {
        Some((clock, propositions)) => {
            let view = |view: View<_>| View { must: clock.written(view.must), may: clock.written(view.may) };
            let end = clock.read(&trace.end);
            let found = viewed(store, below, propositions, |time| clock.read(time), &end, closed);
            found.into_iter().map(view).collect()
        }
        None => viewed(store, below, propositions(store, below, trace), RBig::clone, &trace.end, closed),
    }
}

fn viewed<T: Instant>(
    store: &Store,
    below: &[Formula],
    mut propositions: Vec<Option<Times<T>>>,
    convert: impl Fn(&RBig) -> T,
    end: &T,
    closed: bool,
) -> Vec<View<T>> {
    let mut views: Vec<View<T>> = Vec::with_capacity(below.len());
    for (place, &formula) in below.iter().enumerate() {
        let node = store.node(formula);
        let view = match node {
            Node::Signal(_) | Node::Compare(_) => {
                let known = propositions[place].take().expect("propositions are prepared");
                View { must: known.up_to(end), may: known.and_after(end) }
            }
            _ => {
                let at = |arg: &Formula| {
                    let place = below.binary_search(arg).expect("operands are among those below");
                    &views[place]
                };
                let (must, may) = (|arg: &Formula| &at(arg).must, |arg: &Formula| &at(arg).may);
                match node.window().filter(|_| closed && node.is_open_ended()) {
                    Some(window) => up_to_end(node, end, &convert(&window.lower), must, may, &convert),
                    None => {
                        View { must: compound(node, must, may, &convert), may: compound(node, may, must, &convert) }
                    }
                }
            }
        };
        views.push(view);
    }
    views
}

/// An operator without an upper bound as it is seen up to the end: what comes later counts for nothing, and where its window
/// begins later nothing is known.
fn up_to_end<'s, T: Instant + 's>(
    node: &Node,
    end: &T,
    lower: &T,
    must: impl Fn(&Formula) -> &'s Times<T>,
    may: impl Fn(&Formula) -> &'s Times<T>,
    convert: impl Fn(&RBig) -> T,
) -> View<T> {
    let latest = end.minus(lower);
    if latest < T::zero() {
        return View { must: Times::constant(false), may: Times::constant(true) };
    }
    let goal = *node.args().last().expect("a temporal operator has operands");
    let fulfils = matches!(node, Node::Finally(..) | Node::Until(..));
    let seen = |times: &Times<T>| if fulfils { times.up_to(end) } else { times.and_after(end) };
    let (must_goal, may_goal) = (seen(must(&goal)), seen(may(&goal)));
    let must = |arg: &Formula| if *arg == goal { &must_goal } else { must(arg) };
    let may = |arg: &Formula| if *arg == goal { &may_goal } else { may(arg) };
    View {
        must: compound(node, must, may, &convert).up_to(&latest),
        may: compound(node, may, must, &convert).and_after(&latest),
    }
}

/// Up to when samples are needed: the latest time at which the value of a proposition can still matter.
fn needed(store: &Store, below: &[Formula], views: &[View], end: &RBig) -> RBig {
    // The times at which each formula matters, as one interval.
    let mut ranges: Vec<Option<(RBig, RBig)>> = vec![None; below.len()];
    let place = |formula: Formula| below.binary_search(&formula).expect("operands are among those below");
    if let Some(root) = ranges.last_mut() {
        *root = Some((RBig::ZERO, RBig::ZERO));
    }
    let mut needed = end.clone();
    for (at, &formula) in below.iter().enumerate().rev() {
        let Some(range) = ranges[at].take() else { continue };
        let Some((from, to)) = open_between(&views[at], &range) else { continue };
        let node = store.node(formula);
        if node.is_proposition() {
            needed = needed.max(to);
            continue;
        }
        let ahead = |window: &Window| match &window.upper {
            Some(upper) => &to + upper,
            None => end.clone().max(&to + &window.lower),
        };
        let back = |window: &Window| match &window.upper {
            Some(upper) if *upper < from => &from - upper,
            _ => RBig::ZERO,
        };
        let mut widen = |arg: Formula, from: RBig, to: RBig| {
            let range = &mut ranges[place(arg)];
            *range = Some(match range.take() {
                None => (from, to),
                Some((first, last)) => (first.min(from), last.max(to)),
            });
        };
        match node {
            Node::Constant(_) | Node::Signal(_) | Node::Compare(_) => {}
            Node::Not(_) | Node::And(..) | Node::Or(..) | Node::Implies(..) => {
                node.args().into_iter().for_each(|arg| widen(arg, from.clone(), to.clone()));
            }
            Node::Next(time, arg) => widen(*arg, &from + time, &to + time),
            Node::Finally(window, arg) | Node::Globally(window, arg) => {
                widen(*arg, &from + &window.lower, ahead(window));
            }
            Node::Until(window, left, right) | Node::Release(window, left, right) => {
                widen(*left, from.clone(), ahead(window));
                widen(*right, &from + &window.lower, ahead(window));
            }
            Node::Once(window, arg) | Node::Historically(window, arg) => {
                if window.lower <= to {
                    widen(*arg, back(window), &to - &window.lower);
                }
            }
            Node::Since(window, left, right) => {
                widen(*left, back(window), to.clone());
                if window.lower <= to {
                    widen(*right, back(window), &to - &window.lower);
                }
            }
        }
    }
    needed
}

/// The part of an interval at whose times a formula is open, as one interval.
fn open_between(view: &View, (from, to): &(RBig, RBig)) -> Option<(RBig, RBig)> {
    let open = view.must.combine(&view.may, |must, may| must != may);
    let mut hull: Option<(RBig, RBig)> = None;
    for interval in open.cuts.chunks(2) {
        let (first, last) = (&interval[0].at, interval.get(1).map(|cut| &cut.at));
        if to < first || last.is_some_and(|last| last < from) {
            continue;
        }
        let (first, last) =
            (first.clone().max(from.clone()), last.map_or_else(|| to.clone(), |last| last.clone().min(to.clone())));
        hull = Some(match hull {
            None => (first, last),
            Some((earliest, latest)) => (earliest.min(first), latest.max(last)),
        });
    }
    hull
}
