//! Properties over random formulas and signals: printing, the exact monitor against a naive one, robustness against verdicts.

use proptest::prelude::*;
use random::Random;
use source::Source;
use stl::interp::{holds, times};
use stl::robust::robustness;
use stl::sample::Sampler;
use stl::signal::{SignalValue, Trace, from_json, to_json, truth_at, value_at};
use stl::store::{Comparison, Formula, Node, Relation, Store, Window};
use stl::{Shape, Signal, Spec, load, print};
use value::RBig;

use crate::random;

fn spec(seed: u64, depth: u64) -> Spec {
    let text = Random(seed).file(depth);
    load(&Source::new("random.stl", text.clone())).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).0
}

/// The verdict at a time, straight from the definition, over all instants that can matter and instants between them.
struct Naive<'a> {
    store: &'a Store,
    trace: &'a Trace,
    instants: Vec<RBig>,
}

impl Naive<'_> {
    fn holds(&self, formula: Formula, time: &RBig) -> bool {
        match self.store.node(formula) {
            Node::Constant(truth) => *truth,
            Node::Signal(signal) => match &self.trace.signals[signal.0 as usize] {
                SignalValue::Bool(steps) => truth_at(steps, time).0,
                SignalValue::Real(_) | SignalValue::Named(_) => unreachable!(),
            },
            Node::Compare(Comparison { form, relation, bound }) => {
                let value = |(coefficient, signal): &(RBig, stl::store::SignalId)| match &self.trace.signals
                    [signal.0 as usize]
                {
                    SignalValue::Real(points) => coefficient * value_at(points, time),
                    SignalValue::Named(values) => {
                        coefficient * &values[values.partition_point(|value| value.0 <= *time) - 1].1
                    }
                    SignalValue::Bool(_) => unreachable!(),
                };
                let sum = form.iter().map(value).fold(RBig::ZERO, |sum, term| sum + term);
                relation.holds(sum.cmp(bound))
            }
            Node::Not(x) => !self.holds(*x, time),
            Node::And(x, y) => self.holds(*x, time) && self.holds(*y, time),
            Node::Or(x, y) => self.holds(*x, time) || self.holds(*y, time),
            Node::Implies(x, y) => !self.holds(*x, time) || self.holds(*y, time),
            Node::Next(by, x) => self.holds(*x, &(time + by)),
            Node::Finally(window, x) => self.within(window, time).any(|at| self.holds(*x, &at)),
            Node::Globally(window, x) => self.within(window, time).all(|at| self.holds(*x, &at)),
            Node::Until(window, x, y) => self.until(window, time, |at| self.holds(*x, at), |at| self.holds(*y, at)),
            Node::Release(window, x, y) => {
                !self.until(window, time, |at| !self.holds(*x, at), |at| !self.holds(*y, at))
            }
            Node::Once(window, x) => self.back(window, time).any(|at| self.holds(*x, &at)),
            Node::Historically(window, x) => self.back(window, time).all(|at| self.holds(*x, &at)),
            Node::Since(window, x, y) => {
                let since = |begin: &RBig| {
                    let zero = Window::new(RBig::ZERO, time - begin);
                    self.back(&zero, time).filter(|at| begin < at).all(|at| self.holds(*x, &at))
                };
                self.back(window, time).any(|at| self.holds(*y, &at) && since(&at))
            }
        }
    }

    fn until(&self, window: &Window, time: &RBig, x: impl Fn(&RBig) -> bool, y: impl Fn(&RBig) -> bool) -> bool {
        let before = |end: &RBig| {
            let zero = Window::new(RBig::ZERO, end - time);
            self.within(&zero, time).filter(|at| at < end).all(|at| x(&at))
        };
        self.within(window, time).any(|at| y(&at) && before(&at))
    }

    /// Sample instants of the window: its ends, the instants that matter, one between each two.
    fn within(&self, window: &Window, time: &RBig) -> impl Iterator<Item = RBig> {
        self.between(time + &window.lower, time + window.upper.as_ref().expect("bounded"))
    }

    /// The same of a window that looks back; nothing lies before time zero.
    fn back(&self, window: &Window, time: &RBig) -> impl Iterator<Item = RBig> {
        let from = window.upper.as_ref().map_or(RBig::ZERO, |upper| time - upper);
        self.between(from.max(RBig::ZERO), time - &window.lower)
    }

    fn between(&self, from: RBig, to: RBig) -> impl Iterator<Item = RBig> {
        if to < from {
            return Vec::new().into_iter();
        }
        let mut points: Vec<RBig> = vec![from.clone(), to.clone()];
        points.extend(self.instants.iter().filter(|at| from < **at && **at < to).cloned());
        points.sort();
        points.dedup();
        let middles: Vec<RBig> = points.windows(2).map(|pair| (&pair[0] + &pair[1]) / RBig::from(2)).collect();
        points.extend(middles);
        points.retain(|at| from <= *at && *at <= to);
        points.into_iter()
    }
}

/// All comparisons harder to satisfy by `by`: where they count positively, otherwise easier.
fn shifted(store: &mut Store, signals: &[Signal], formula: Formula, by: &RBig, positive: bool) -> Formula {
    let node = store.node(formula).clone();
    let mut go = |arg, positive| shifted(store, signals, arg, by, positive);
    let named = |comparison: &Comparison| matches!(signals[comparison.form[0].1.0 as usize].shape, Shape::Named(_));
    let node = match node {
        Node::Constant(_) | Node::Signal(_) => node,
        // The values of an enumeration have no distance.
        Node::Compare(comparison) if named(&comparison) => Node::Compare(comparison),
        Node::Compare(comparison) => {
            let relation = comparison.relation;
            let by = if positive { by.clone() } else { -by.clone() };
            let part = |relation, bound: RBig| Node::Compare(Comparison { relation, bound, ..comparison.clone() });
            match relation {
                Relation::Greater | Relation::AtLeast => part(relation, &comparison.bound + by),
                Relation::Less | Relation::AtMost => part(relation, &comparison.bound - by),
                // |d| > by, and its negation.
                Relation::NotEqual => {
                    let above = store.add(part(Relation::Greater, &comparison.bound + &by));
                    let below = store.add(part(Relation::Less, &comparison.bound - &by));
                    Node::Or(above, below)
                }
                Relation::Equal => {
                    let above = store.add(part(Relation::AtLeast, &comparison.bound + &by));
                    let below = store.add(part(Relation::AtMost, &comparison.bound - &by));
                    Node::And(above, below)
                }
            }
        }
        Node::Not(x) => Node::Not(go(x, !positive)),
        Node::Implies(x, y) => Node::Implies(go(x, !positive), go(y, positive)),
        other => {
            let args: Vec<Formula> = other.args().into_iter().map(|arg| go(arg, positive)).collect();
            other.with_args(&args)
        }
    };
    store.add(node)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_back(seed: u64) {
        let spec = spec(seed, 5);
        let printed = print(&spec, spec.formula);
        let shapes = Random(seed).shapes();
        let (again, warnings) = load(&Source::new("printed.stl", format!("{shapes}{printed}"))).expect("it reads back");
        let warnings: Vec<_> = warnings.iter().filter(|warning| warning.code.id != "stl-unused").collect();
        prop_assert_eq!(print(&again, again.formula), printed);
        prop_assert!(warnings.is_empty(), "{:?}", warnings);
    }

    #[test]
    fn the_monitor_agrees_with_the_definition(seed: u64) {
        let spec = spec(seed, 2);
        let trace = Sampler::new(&spec, &[], seed).draw();
        prop_assert_eq!(&from_json(&spec, &to_json(&spec, &trace)).expect("it reads back"), &trace);
        // Where any proposition changes, moved by all sums of bounds that can occur: multiples of a half suffice here only if
        // the changes are taken as they are, so take each change minus 0..6.
        let mut instants: Vec<RBig> = (0..24).map(|place| RBig::from_parts(place.into(), 2u8.into())).collect();
        for proposition in spec.propositions() {
            for cut in times(&spec.store, &trace, proposition).cuts {
                instants.extend((-6..6).map(|by| &cut.at - RBig::from(by)));
            }
        }
        instants.sort();
        instants.dedup();
        let naive = Naive { store: &spec.store, trace: &trace, instants };
        prop_assert_eq!(holds(&spec.store, &trace, spec.formula), naive.holds(spec.formula, &RBig::ZERO),
            "{} on {}", print(&spec, spec.formula), to_json(&spec, &trace));
        let mut collapsed = spec.clone();
        let image = stl::collapsed(&mut collapsed.store, &[spec.formula])[0];
        prop_assert_eq!(times(&collapsed.store, &trace, image), times(&spec.store, &trace, spec.formula));
        // The rational path gives the same as the scaled one.
        let exact = times(&spec.store, &trace, spec.formula);
        prop_assert_eq!(exact.holds_at_start(), holds(&spec.store, &trace, spec.formula));
    }

    #[test]
    fn robustness_is_the_largest_shift_that_keeps_the_verdict(seed: u64) {
        let mut spec = spec(seed, 3);
        let trace = Sampler::new(&spec, &[], seed).draw();
        let verdict = holds(&spec.store, &trace, spec.formula);
        let rho = robustness(&spec.store, &trace, spec.formula, verdict);
        prop_assert!(!rho.is_nan());
        prop_assert!(if verdict { 0.0 <= rho } else { rho <= 0.0 }, "{} {}", print(&spec, spec.formula), rho);
        if rho.is_finite() {
            let value = RBig::try_from(rho).expect("finite");
            let tiny = RBig::from_parts(1.into(), 1_000_000u32.into());
            for (by, expected) in [(&value - &tiny, true), (&value + &tiny, false)] {
                let moved = shifted(&mut spec.store, &spec.signals, spec.formula, &by, true);
                prop_assert_eq!(holds(&spec.store, &trace, moved), expected,
                    "{} robustness {} on {}", print(&spec, spec.formula), rho, to_json(&spec, &trace));
            }
        }
    }
}

/// The formula with all bounds of windows, and all times of the trace, times `by`: on a grid that doubles do not hold.
fn stretched(spec: &Spec, trace: &Trace, by: &RBig) -> (Spec, Trace) {
    let mut store = Store::default();
    let mut images: std::collections::BTreeMap<Formula, Formula> = std::collections::BTreeMap::new();
    for part in spec.store.below(&[spec.formula]) {
        let node = spec.store.node(part);
        let args: Vec<Formula> = node.args().iter().map(|arg| images[arg]).collect();
        let wide = |window: &Window| Window {
            lower: &window.lower * by,
            upper: window.upper.as_ref().map(|upper| upper * by),
        };
        let node = match node.with_args(&args) {
            Node::Next(time, arg) => Node::Next(time * by, arg),
            other => match other.window() {
                Some(window) => other.with_window(wide(window)),
                None => other,
            },
        };
        images.insert(part, store.add(node));
    }
    let formula = images[&spec.formula];
    let signal = |signal: &SignalValue| match signal {
        SignalValue::Real(points) => {
            SignalValue::Real(points.iter().map(|(time, value)| (time * by, value.clone())).collect())
        }
        SignalValue::Bool(steps) => SignalValue::Bool(
            steps.iter().map(|step| stl::signal::Step { time: &step.time * by, ..step.clone() }).collect(),
        ),
        SignalValue::Named(values) => {
            SignalValue::Named(values.iter().map(|(time, value)| (time * by, value.clone())).collect())
        }
    };
    let trace = Trace { signals: trace.signals.iter().map(signal).collect(), end: &trace.end * by };
    (Spec::from_parts(spec.signals.clone(), store, formula), trace)
}

/// The samples of a trace up to a time.
fn beginning(trace: &Trace, end: &RBig) -> Trace {
    let signal = |signal: &SignalValue| match signal {
        SignalValue::Real(points) => {
            SignalValue::Real(points.iter().filter(|point| point.0 <= *end).cloned().collect())
        }
        SignalValue::Bool(steps) => SignalValue::Bool(steps.iter().filter(|step| step.time <= *end).cloned().collect()),
        SignalValue::Named(values) => {
            SignalValue::Named(values.iter().filter(|value| value.0 <= *end).cloned().collect())
        }
    };
    Trace { signals: trace.signals.iter().map(signal).collect(), end: end.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Tenths and thirds are not doubles: a time that is off by a rounding error would meet a jump too early or too late.
    #[test]
    fn robustness_does_not_depend_on_the_unit_of_time(seed: u64) {
        let spec = spec(seed, 4);
        let trace = Sampler::new(&spec, &[], seed).draw();
        let verdict = holds(&spec.store, &trace, spec.formula);
        let rho = robustness(&spec.store, &trace, spec.formula, verdict);
        for (numerator, denominator) in [(1, 10u32), (1, 3), (7, 30)] {
            let by = RBig::from_parts(numerator.into(), denominator.into());
            let (other, wide) = stretched(&spec, &trace, &by);
            prop_assert_eq!(holds(&other.store, &wide, other.formula), verdict);
            let same = robustness(&other.store, &wide, other.formula, verdict);
            prop_assert!(if verdict { 0.0 <= same } else { same <= 0.0 }, "{}", print(&other, other.formula));
            prop_assert!(same == rho || (same - rho).abs() < 1e-9, "{}: {} and {}", print(&other, other.formula), rho, same);
        }
    }

    /// A verdict that is called decided is that of every continuation; with the samples that are said to be needed it is decided.
    #[test]
    fn what_is_decided_stays_so_whatever_comes(seed: u64, cut in 0u64..40) {
        use stl::interp::{Outlook, Verdict};
        let spec = spec(seed, 3);
        let mut sampler = Sampler::new(&spec, &[], seed);
        let trace = sampler.draw();
        let mut times: Vec<RBig> = trace.signals[0].times().cloned().collect();
        times.dedup();
        let end = &times[cut as usize % times.len()];
        let known = beginning(&trace, end);
        let outlook = Outlook::of(&spec, &known);
        match outlook.verdict {
            Verdict::Decided(truth) => {
                prop_assert_eq!(holds(&spec.store, &trace, spec.formula), truth, "{} to {}", print(&spec, spec.formula), end);
                prop_assert_eq!(holds(&spec.store, &known, spec.formula), truth);
                // Another continuation, shifted behind the end.
                let other = sampler.draw();
                let signals = known.signals.iter().zip(&other.signals).map(|pair| match pair {
                    (SignalValue::Real(points), SignalValue::Real(more)) => {
                        let later = more.iter().map(|(time, value)| (time + end + RBig::ONE, value.clone()));
                        SignalValue::Real(points.iter().cloned().chain(later).collect())
                    }
                    (SignalValue::Bool(steps), SignalValue::Bool(more)) => {
                        let later = more.iter().map(|step| stl::signal::Step { time: &step.time + end + RBig::ONE, ..step.clone() });
                        SignalValue::Bool(steps.iter().cloned().chain(later).collect())
                    }
                    (SignalValue::Named(values), SignalValue::Named(more)) => {
                        let later = more.iter().map(|(time, value)| (time + end + RBig::ONE, value.clone()));
                        SignalValue::Named(values.iter().cloned().chain(later).collect())
                    }
                    _ => unreachable!(),
                });
                let longer = Trace { signals: signals.collect(), end: end + &other.end + RBig::ONE };
                prop_assert_eq!(holds(&spec.store, &longer, spec.formula), truth);
            }
            Verdict::Undecided => {
                let needed = outlook.needed.expect("undecided");
                prop_assert!(*end < needed && needed <= stl::horizon(&spec.store, &[spec.formula]));
                if let Some(enough) = times.iter().find(|time| needed <= **time) {
                    let verdict = Outlook::of(&spec, &beginning(&trace, enough)).verdict;
                    prop_assert!(matches!(verdict, Verdict::Decided(_)), "{} {:?}", print(&spec, spec.formula), verdict);
                }
            }
            Verdict::Presumed(_) => prop_assert!(false, "every operator has an upper bound"),
        }
    }
}

/// An operator without an upper bound over a formula that may look back, beside one that may too.
fn looking_back(random: &mut Random) -> String {
    let operator = ["G", "F", "G[1,inf]", "F[2,inf]"][random.below(4) as usize];
    let joined = ["&", "|", "->"][random.below(3) as usize];
    format!("({operator} ({})) {joined} ({})", random.formula(2), random.formula(2))
}

/// A formula with operators without an upper bound above bounded ones, joined by truth functions.
fn open_ended(random: &mut Random) -> String {
    let part = |random: &mut Random| {
        let (inner, other) = (random.ahead(2), random.ahead(2));
        let from = random.below(3);
        match random.below(6) {
            0 => format!("G[{from},inf] ({inner})"),
            1 => format!("F[{from},inf] ({inner})"),
            2 => format!("(({inner}) U[{from},inf] ({other}))"),
            3 => format!("(({inner}) R[{from},inf] ({other}))"),
            4 => format!("!(G[{from},inf] ({inner}))"),
            _ => format!("({inner})"),
        }
    };
    let (left, right) = (part(random), part(random));
    match random.below(4) {
        0 => format!("({left}) & ({right})"),
        1 => format!("({left}) | ({right})"),
        2 => format!("({left}) -> ({right})"),
        _ => left,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    /// Whatever is forgotten, the verdict and the robustness are those of the whole signal.
    #[test]
    fn a_stream_is_judged_as_the_whole_is(seed: u64, every in 2usize..9) {
        use stl::stream::{Monitor, Value};
        let mut random = Random(seed);
        let back = seed % 2 == 0;
        let text = if back { looking_back(&mut random) } else { open_ended(&mut random) };
        let spec = load(&Source::new("random.stl", text.clone())).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).0;
        let Some(monitor) = Monitor::new(&spec) else {
            // Only what looks back without an end cannot be forgotten.
            prop_assert!(back && (text.contains("inf]") || text.contains(['O', 'H', 'S'])), "{}", text);
            return Ok(());
        };
        let mut monitor = monitor.judging_every(every);
        let mut signals: Vec<SignalValue> = spec.signals.iter().map(|signal| match signal.sort == value::Sort::Bool {
            true => SignalValue::Bool(Vec::new()),
            false => SignalValue::Real(Vec::new()),
        }).collect();
        let mut time = RBig::ZERO;
        let mut settled = None;
        for _ in 0..20 + random.below(30) {
            let mut values = Vec::new();
            for signal in &mut signals {
                match signal {
                    SignalValue::Real(points) => {
                        let value = RBig::from_parts((random.below(7) as i64 - 2).into(), 2u8.into());
                        points.push((time.clone(), value.clone()));
                        values.push(Value::Real(value));
                    }
                    SignalValue::Bool(steps) => {
                        let value = random.below(3) != 0;
                        steps.push(stl::signal::Step { time: time.clone(), at: value, after: value });
                        values.push(Value::Bool(value));
                    }
                    SignalValue::Named(_) => unreachable!("these formulas have no enumerations"),
                }
            }
            monitor.sample(time.clone(), values);
            // What is settled stays so.
            prop_assert!(settled.is_none() || settled == monitor.verdict(), "{}", text);
            settled = monitor.verdict();
            time += RBig::from_parts((1 + random.below(4) as i64).into(), 2u8.into());
        }
        let report = monitor.finish().expect("there are samples");
        let trace = Trace { signals, end: report.end.clone() };
        prop_assert_eq!(report.holds, holds(&spec.store, &trace, spec.formula), "{} on {}", text, to_json(&spec, &trace));
        let whole = robustness(&spec.store, &trace, spec.formula, holds(&spec.store, &trace, spec.formula));
        let close = whole == report.robustness || (whole - report.robustness).abs() < 1e-9;
        prop_assert!(close, "{} on {}: {} and {}", text, to_json(&spec, &trace), whole, report.robustness);
        prop_assert!(settled.is_none() || settled == Some(report.holds));
        let whole = stl::interp::Outlook::of(&spec, &trace);
        prop_assert_eq!(report.verdict, whole.verdict, "{} on {}", text, to_json(&spec, &trace));
        match report.verdict {
            // What looks back may see in held values what the samples did not show.
            stl::interp::Verdict::Presumed(_) if back => {}
            stl::interp::Verdict::Decided(truth) | stl::interp::Verdict::Presumed(truth) => {
                prop_assert_eq!(report.holds, truth, "{} on {}", text, to_json(&spec, &trace));
            }
            stl::interp::Verdict::Undecided => prop_assert!(report.needed.is_some_and(|needed| report.end < needed)),
        }
    }
}
