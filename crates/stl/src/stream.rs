//! Monitoring a signal while it comes in, in memory that does not grow with it.
//!
//! What has a bounded horizon is decided once, from the beginning of the signal. Operators without an upper bound that stand
//! above such formulas gather what they see stretch by stretch: a stretch is judged by the exact monitor as soon as the signal
//! reaches beyond it by the horizon, and is forgotten then.

use value::{RBig, Sort};

use crate::horizon::{hindsight, horizon};
use crate::interp::{Outlook, Question, Verdict, answers};
use crate::robust::{Distances, agreeing};
use crate::signal::{SignalValue, Step, Trace};
use crate::spec::{Shape, Spec};
use crate::store::{Formula, Node, Store, Window};

/// A stretch is judged when it has at least this many samples.
const FEWEST: usize = 4096;

/// A value of a signal in a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Real(RBig),
    /// A truth value.
    Bool(bool),
}

/// What a signal turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What is known about the formula at time zero.
    pub verdict: Verdict,
    /// Whether the formula holds at time zero if the signals keep their last values.
    pub holds: bool,
    /// The robustness at time zero, with the last values kept.
    pub robustness: f64,
    /// How many samples there were.
    pub samples: u64,
    /// The time of the sample with which the verdict was settled; none where only the end of the signal settled it.
    pub settled: Option<RBig>,
    /// Up to when samples are needed, where the verdict is undecided.
    pub needed: Option<RBig>,
    /// The time of the last sample.
    pub end: RBig,
}

/// A monitor.
pub struct Monitor<'a> {
    spec: &'a Spec,
    parts: Vec<Part>,
    /// How far the formulas that are judged on stretches look ahead, and how far back.
    ahead: RBig,
    behind: RBig,
    /// Where the stretch begins that is not judged yet; what is remembered before it is only looked back to.
    base: RBig,
    /// The samples not forgotten yet, by column; times count from the first sample of all.
    times: Vec<RBig>,
    columns: Vec<Vec<Value>>,
    /// A stretch is judged when there are this many samples, and never with fewer than that.
    wanted: usize,
    fewest: usize,
    samples: u64,
    decided: Option<RBig>,
    /// No value of a comparison was larger.
    magnitude: f64,
}

/// A part of the formula that is seen from time zero only; operands stand before what uses them.
struct Part {
    formula: Formula,
    what: What,
    truth: Option<bool>,
    /// The robustness as far as it is known.
    robustness: f64,
}

enum What {
    /// Decided from the beginning of the signal, once it is this long.
    Bounded { ahead: RBig },
    /// A truth function of other parts, by number.
    Logical(Vec<usize>),
    /// At all times from this one on.
    Always { from: RBig, inner: Formula },
    /// At some time from this one on.
    Eventually { from: RBig, inner: Formula },
    /// The second from this time on, the first before; both and the whole negated where `dual`.
    Until { from: RBig, left: Formula, right: Formula, dual: bool, held: bool, lowest: f64 },
}

impl Part {
    /// What this part asks about a stretch up to `until`; `later` counts times from the first sample that is remembered.
    fn question(&self, later: impl Fn(&RBig) -> RBig, until: Option<&RBig>) -> Option<Question> {
        match &self.what {
            What::Bounded { .. } | What::Logical(_) => None,
            What::Always { from, inner } | What::Eventually { from, inner } => {
                let from = later(from);
                let reached = until.is_none_or(|until| from < *until);
                reached.then_some(Question::Spread(*inner, from))
            }
            What::Until { from, left, right, dual, .. } => Some(Question::Until(*left, *right, later(from), *dual)),
        }
    }

    /// What is left of this part for the samples that are remembered; none for truth functions.
    fn rest(&self, store: &mut Store, later: impl Fn(&RBig) -> RBig) -> Option<Formula> {
        let window = |from: &RBig| Window { lower: later(from), upper: None };
        let node = match &self.what {
            What::Bounded { .. } => return Some(self.formula),
            What::Logical(_) => return None,
            What::Always { from, inner } => Node::Globally(window(from), *inner),
            What::Eventually { from, inner } => Node::Finally(window(from), *inner),
            What::Until { from, left, right, dual: false, .. } => Node::Until(window(from), *left, *right),
            What::Until { from, left, right, dual: true, .. } => Node::Release(window(from), *left, *right),
        };
        Some(store.add(node))
    }

    /// Takes into account what a stretch has shown.
    fn take(&mut self, truths: (bool, bool), distances: (f64, f64)) {
        let Part { what, truth, robustness, .. } = self;
        match what {
            What::Bounded { .. } | What::Logical(_) => {}
            What::Always { .. } => {
                *truth = if truths.0 { *truth } else { Some(false) };
                *robustness = robustness.min(distances.0);
            }
            What::Eventually { .. } => {
                *truth = if truths.1 { Some(true) } else { *truth };
                *robustness = robustness.max(distances.1);
            }
            What::Until { dual, held, lowest, .. } => {
                let (reached, throughout) = truths;
                let best = lowest.min(distances.0);
                if *held && reached {
                    *truth = Some(!*dual);
                }
                *held &= throughout;
                if !*held && truth.is_none() {
                    *truth = Some(*dual);
                }
                *lowest = lowest.min(distances.1);
                *robustness = if *dual { robustness.min(-best) } else { robustness.max(best) };
            }
        }
    }
}

impl<'a> Monitor<'a> {
    /// A monitor of a formula; none where operators without an upper bound stand within temporal operators, since what they see
    /// cannot be forgotten, and none where operators look back within an until or a release without an upper bound.
    pub fn new(spec: &'a Spec) -> Option<Monitor<'a>> {
        let store = &spec.store;
        if spec.signals.iter().any(|signal| signal.sort == Sort::Real && signal.shape != Shape::Straight) {
            return None;
        }
        let below = store.below(&[spec.formula]);
        let mut unbounded = vec![false; store.len()];
        for &formula in &below {
            let node = store.node(formula);
            let own = node.is_open_ended();
            unbounded[formula.0 as usize] = own || node.args().iter().any(|arg| unbounded[arg.0 as usize]);
        }
        let bounded = |formula: &Formula| !unbounded[formula.0 as usize];
        // Only what stands under truth functions is seen from time zero.
        let mut wanted = vec![false; store.len()];
        wanted[spec.formula.0 as usize] = true;
        for formula in below.iter().rev().filter(|formula| !bounded(formula)) {
            let node = store.node(*formula);
            if wanted[formula.0 as usize] && (node.is_logical() || matches!(node, Node::Not(_))) {
                node.args().iter().for_each(|arg| wanted[arg.0 as usize] = true);
            }
        }
        let mut parts: Vec<Part> = Vec::new();
        let mut places = vec![None; store.len()];
        let (mut ahead, mut behind) = (RBig::ZERO, RBig::ZERO);
        for &formula in below.iter().filter(|formula| wanted[formula.0 as usize]) {
            let node = store.node(formula);
            let what = if bounded(&formula) {
                What::Bounded { ahead: horizon(store, &[formula]) }
            } else {
                match node {
                    Node::Not(_) | Node::And(..) | Node::Or(..) | Node::Implies(..) => {
                        let place = |arg: &Formula| places[arg.0 as usize].expect("operands come first");
                        What::Logical(node.args().iter().map(place).collect())
                    }
                    Node::Globally(window, inner) if bounded(inner) => {
                        What::Always { from: window.lower.clone(), inner: *inner }
                    }
                    Node::Finally(window, inner) if bounded(inner) => {
                        What::Eventually { from: window.lower.clone(), inner: *inner }
                    }
                    Node::Until(window, left, right) | Node::Release(window, left, right)
                        if bounded(left) && bounded(right) =>
                    {
                        let dual = matches!(node, Node::Release(..));
                        let (from, lowest) = (window.lower.clone(), f64::INFINITY);
                        What::Until { from, left: *left, right: *right, dual, held: true, lowest }
                    }
                    _ => return None,
                }
            };
            if !matches!(what, What::Bounded { .. } | What::Logical(_)) {
                ahead = ahead.max(horizon(store, &node.args()));
                let reach = hindsight(store, &node.args())?;
                if !reach.is_zero() && matches!(what, What::Until { .. }) {
                    return None;
                }
                behind = behind.max(reach);
            }
            let robustness = match (&what, node) {
                (What::Always { .. }, _) | (What::Until { .. }, Node::Release(..)) => f64::INFINITY,
                _ => f64::NEG_INFINITY,
            };
            places[formula.0 as usize] = Some(parts.len());
            parts.push(Part { formula, what, truth: None, robustness });
        }
        let columns = spec.signals.iter().map(|_| Vec::new()).collect();
        Some(Monitor {
            spec,
            parts,
            ahead,
            behind,
            base: RBig::ZERO,
            times: Vec::new(),
            columns,
            wanted: FEWEST,
            fewest: FEWEST,
            samples: 0,
            decided: None,
            magnitude: 0.0,
        })
    }

    /// The same, judging as soon as there are this many samples: sooner is slower.
    #[must_use]
    pub fn judging_every(mut self, samples: usize) -> Monitor<'a> {
        self.fewest = samples.max(2);
        self.wanted = self.fewest;
        self
    }

    /// Takes the next sample: a later time than the last, counted from the first sample, and a value for every signal.
    pub fn sample(&mut self, time: RBig, values: Vec<Value>) {
        self.samples += 1;
        self.times.push(time);
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(value);
        }
        if self.wanted <= self.times.len() {
            self.advance();
        }
    }

    /// Whether the formula holds, where that is settled.
    pub fn verdict(&self) -> Option<bool> {
        self.parts.last().and_then(|part| part.truth)
    }

    /// How many samples are remembered.
    pub fn remembered(&self) -> usize {
        self.times.len()
    }

    /// The end of the signal, whose last values are held; none where there was no sample.
    pub fn finish(mut self) -> Option<Report> {
        let end = self.times.last()?.clone();
        let settled = if self.verdict().is_some() { self.decided.clone() } else { None };
        let trace = self.trace(0, self.times.len());
        let (verdict, needed) = self.outlook(&trace);
        self.judge_start(&trace, None);
        self.judge_stretch(&trace, None);
        // What was never violated holds, and what was never seen does not.
        for place in 0..self.parts.len() {
            let part = &mut self.parts[place];
            match &part.what {
                What::Always { .. } => part.truth = part.truth.or(Some(true)),
                What::Eventually { .. } => part.truth = part.truth.or(Some(false)),
                What::Until { dual, .. } => part.truth = part.truth.or(Some(*dual)),
                What::Bounded { .. } | What::Logical(_) => {}
            }
        }
        self.conclude();
        let root = self.parts.last().expect("the formula is a part");
        let holds = root.truth.expect("the end settles every part");
        Some(Report {
            verdict,
            holds,
            robustness: agreeing(root.robustness, holds, self.magnitude),
            samples: self.samples,
            settled,
            needed,
            end,
        })
    }

    /// What the samples decide, whatever comes after them; and up to when more are needed if they do not.
    fn outlook(&mut self, trace: &Trace) -> (Verdict, Option<RBig>) {
        let known: Vec<Option<bool>> = self.parts.iter().map(|part| part.truth).collect();
        let (start, base) = (self.times[0].clone(), self.base.clone());
        let mut presumed: Vec<(usize, bool)> = Vec::new();
        let mut needed = RBig::ZERO;
        let mut store = self.spec.store.clone();
        for (place, part) in self.parts.iter_mut().enumerate().filter(|(_, part)| part.truth.is_none()) {
            let later = |from: &RBig| from.max(&base) - &start;
            let Some(rest) = part.rest(&mut store, later) else { continue };
            let outlook = Outlook::at(&store, trace, rest);
            match outlook.verdict {
                Verdict::Decided(truth) => part.truth = Some(truth),
                Verdict::Presumed(truth) => presumed.push((place, truth)),
                Verdict::Undecided => needed = needed.max(outlook.needed.unwrap_or(RBig::ZERO) + &start),
            }
        }
        self.conclude();
        let mut verdict = self.verdict().map(Verdict::Decided);
        if verdict.is_none() {
            presumed.into_iter().for_each(|(place, truth)| self.parts[place].truth = Some(truth));
            self.conclude();
            verdict = self.verdict().map(Verdict::Presumed);
        }
        for (part, truth) in self.parts.iter_mut().zip(known) {
            part.truth = truth;
        }
        match verdict {
            Some(verdict) => (verdict, None),
            None => (Verdict::Undecided, Some(needed)),
        }
    }

    /// Judges what can be judged, and forgets it.
    fn advance(&mut self) {
        let last = self.times[self.times.len() - 1].clone();
        let open = |what: &What| !matches!(what, What::Bounded { .. } | What::Logical(_));
        let trace = self.trace(0, self.times.len());
        let whole = self.samples as usize == self.times.len();
        if whole {
            self.judge_start(&trace, Some(&last));
        }
        let waiting = |part: &Part| matches!(part.what, What::Bounded { .. }) && part.truth.is_none();
        if self.parts.iter().any(waiting) {
            // The beginning is still needed.
            self.wanted = self.times.len() * 2;
        } else if self.parts.iter().any(|part| open(&part.what)) {
            let safe = self.times.partition_point(|time| time <= &(&last - &self.ahead));
            if let Some(next) =
                safe.checked_sub(1).map(|last| self.times[last].clone()).filter(|next| self.base < *next)
            {
                let until = &next - &self.times[0];
                self.judge_stretch(&trace, Some(&until));
                let seen = &next - &self.behind;
                self.base = next;
                let forgotten = self.times.partition_point(|time| *time <= seen).saturating_sub(1);
                self.times.drain(..forgotten);
                self.columns.iter_mut().for_each(|column| drop(column.drain(..forgotten)));
            }
            self.wanted = (self.times.len() * 2).max(self.fewest);
        } else {
            // Nothing is open: only the last sample is kept, for its time.
            let keep = self.times.len() - 1;
            self.times.drain(..keep);
            self.columns.iter_mut().for_each(|column| drop(column.drain(..keep)));
            self.wanted = self.fewest;
        }
        self.conclude();
        if self.decided.is_none() && self.verdict().is_some() {
            self.decided = Some(last);
        }
    }

    /// The remembered samples in a range, as a trace that begins at time zero.
    fn trace(&self, from: usize, to: usize) -> Trace {
        let start = &self.times[from];
        let times: Vec<RBig> = self.times[from..to].iter().map(|time| time - start).collect();
        let signal = |column: &Vec<Value>| match &column[from] {
            Value::Real(_) => {
                let number = |value: &Value| match value {
                    Value::Real(number) => number.clone(),
                    Value::Bool(_) => unreachable!("a signal has one sort"),
                };
                SignalValue::Real(times.iter().cloned().zip(column[from..to].iter().map(number)).collect())
            }
            Value::Bool(_) => {
                let step = |(time, value): (&RBig, &Value)| match value {
                    Value::Bool(truth) => Step { time: time.clone(), at: *truth, after: *truth },
                    Value::Real(_) => unreachable!("a signal has one sort"),
                };
                SignalValue::Bool(times.iter().zip(&column[from..to]).map(step).collect())
            }
        };
        let end = times[times.len() - 1].clone();
        Trace { signals: self.columns.iter().map(signal).collect(), end }
    }

    /// Decides bounded parts from the beginning of the signal, as far as it is known.
    fn judge_start(&mut self, trace: &Trace, known: Option<&RBig>) {
        let store = &self.spec.store;
        let ready = |part: &Part| match &part.what {
            What::Bounded { ahead } => part.truth.is_none() && known.is_none_or(|known| ahead <= known),
            _ => false,
        };
        if !self.parts.iter().any(ready) {
            return;
        }
        let distances = Distances::new(store, &[self.spec.formula], trace, &[]);
        self.magnitude = self.magnitude.max(distances.magnitude());
        for part in self.parts.iter_mut().filter(|part| ready(part)) {
            let question = Question::Start(part.formula);
            part.robustness = distances.answer(&question, None).0;
            part.truth = Some(answers(store, trace, &[question], None)[0].0);
        }
    }

    /// Takes into account what is not judged yet; up to `until` after the first sample that is remembered, or to the end of time.
    fn judge_stretch(&mut self, trace: &Trace, until: Option<&RBig>) {
        let store = &self.spec.store;
        let later = |from: &RBig| from.max(&self.base) - &self.times[0];
        let questions: Vec<Option<Question>> = self.parts.iter().map(|part| part.question(later, until)).collect();
        let own = questions.iter().flatten().filter_map(Question::from);
        let more: Vec<&RBig> = own.chain(until).collect();
        let distances = Distances::new(store, &[self.spec.formula], trace, &more);
        self.magnitude = self.magnitude.max(distances.magnitude());
        for (part, question) in self.parts.iter_mut().zip(&questions) {
            let Some(question) = question else { continue };
            let truths = answers(store, trace, std::slice::from_ref(question), until)[0];
            part.take(truths, distances.answer(question, until));
        }
    }

    /// What follows for the truth functions.
    fn conclude(&mut self) {
        for place in 0..self.parts.len() {
            let What::Logical(args) = &self.parts[place].what else { continue };
            let truth = |arg: usize| self.parts[args[arg]].truth;
            let value = |arg: usize| self.parts[args[arg]].robustness;
            let either = |left: Option<bool>, right: Option<bool>| match (left, right) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
            let not = |truth: Option<bool>| truth.map(|truth| !truth);
            let (truth, robustness) = match self.spec.store.node(self.parts[place].formula) {
                Node::Not(_) => (not(truth(0)), -value(0)),
                Node::And(..) => (not(either(not(truth(0)), not(truth(1)))), value(0).min(value(1))),
                Node::Or(..) => (either(truth(0), truth(1)), value(0).max(value(1))),
                Node::Implies(..) => (either(not(truth(0)), truth(1)), (-value(0)).max(value(1))),
                Node::Constant(_)
                | Node::Signal(_)
                | Node::Compare(_)
                | Node::Next(..)
                | Node::Finally(..)
                | Node::Globally(..)
                | Node::Until(..)
                | Node::Release(..)
                | Node::Once(..)
                | Node::Historically(..)
                | Node::Since(..) => unreachable!("no truth function"),
            };
            (self.parts[place].truth, self.parts[place].robustness) = (truth, robustness);
        }
    }
}
