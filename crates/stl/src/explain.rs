//! Why a formula is true or false of a signal: from the whole to the propositions that decide it, each with its moment.

use value::RBig;

use crate::interp::parts;
use crate::number::write_number;
use crate::print::print;
use crate::signal::{SignalValue, Trace, truth_at, value_at};
use crate::spec::{Shape, Spec};
use crate::store::{Formula, Node, SignalId, Window};
use crate::times::{Cut, Times};

/// More steps than this are not followed.
const MOST_STEPS: usize = 40;

/// A moment: an instant, or what comes just after it.
pub type Moment = Cut<RBig>;

/// A step of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// How many steps it lies below the whole.
    pub depth: usize,
    /// The part of the formula.
    pub formula: Formula,
    /// When.
    pub moment: Moment,
    /// What the part is then.
    pub truth: bool,
    /// Why, where that is not a matter of one moment of an operand: "from 2 to 7", or the values of signals.
    pub reason: Option<String>,
}

/// When each part of a formula holds, operands first.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The parts with their times.
    pub parts: Vec<(Formula, Times<RBig>)>,
    /// From the whole at time zero to what decides it.
    pub steps: Vec<Step>,
}

impl Explanation {
    /// Explains the truth of the formula at time zero, which words call `origin`. Signals keep their last values.
    pub fn of(spec: &Spec, trace: &Trace, origin: &RBig) -> Explanation {
        let parts = parts(&spec.store, trace, spec.formula);
        let finder = Finder { spec, trace, origin, parts: &parts };
        let steps = finder.steps();
        Explanation { parts, steps }
    }

    /// The step at which a proposition is reached first: the cause, and its moment.
    pub fn cause(&self, spec: &Spec) -> Option<&Step> {
        self.steps.iter().find(|step| spec.store.node(step.formula).is_proposition())
    }
}

/// What comes next of a part: an operand at a moment.
type Next = (Formula, Moment);

struct Finder<'a> {
    spec: &'a Spec,
    trace: &'a Trace,
    origin: &'a RBig,
    parts: &'a [(Formula, Times<RBig>)],
}

impl Finder<'_> {
    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut open = vec![(0, self.spec.formula, Cut { at: RBig::ZERO, after: false })];
        while let Some((depth, formula, moment)) = open.pop() {
            if steps.len() == MOST_STEPS {
                break;
            }
            let truth = self.truth(formula, &moment);
            let (nexts, reason) = self.why(formula, &moment, truth);
            open.extend(nexts.into_iter().rev().map(|(arg, moment)| (depth + 1, arg, moment)));
            steps.push(Step { depth, formula, moment, truth, reason });
        }
        steps
    }

    fn times(&self, formula: Formula) -> &Times<RBig> {
        let place = self.parts.binary_search_by_key(&formula, |part| part.0).expect("a part of the formula");
        &self.parts[place].1
    }

    fn truth(&self, formula: Formula, moment: &Moment) -> bool {
        self.times(formula).cuts.partition_point(|cut| cut <= moment) % 2 == 1
    }

    /// The first moment from `from` to `to` at which a part is so.
    fn first(&self, formula: Formula, truth: bool, from: &Moment, to: Option<&Moment>) -> Option<Moment> {
        if self.truth(formula, from) == truth {
            return Some(from.clone());
        }
        let cuts = &self.times(formula).cuts;
        let next = cuts.get(cuts.partition_point(|cut| cut <= from))?;
        to.is_none_or(|to| next <= to).then(|| next.clone())
    }

    /// What decides a part at a moment: operands at their moments, and words.
    fn why(&self, formula: Formula, moment: &Moment, truth: bool) -> (Vec<Next>, Option<String>) {
        let at = |arg: &Formula| (*arg, moment.clone());
        let alone = |next: Option<Next>| (next.into_iter().collect(), None);
        match self.spec.store.node(formula) {
            Node::Constant(_) => (Vec::new(), None),
            Node::Signal(signal) => (Vec::new(), Some(self.value(*signal, moment))),
            Node::Compare(comparison) => {
                let values: Vec<String> =
                    comparison.form.iter().map(|(_, signal)| self.value(*signal, moment)).collect();
                (Vec::new(), Some(values.join(", ")))
            }
            Node::Not(arg) => alone(Some(at(arg))),
            Node::And(left, right) => (self.deciding([*left, *right], [truth, truth], truth, moment), None),
            Node::Or(left, right) => (self.deciding([*left, *right], [truth, truth], !truth, moment), None),
            Node::Implies(left, right) => (self.deciding([*left, *right], [!truth, truth], !truth, moment), None),
            Node::Next(time, arg) => alone(Some((*arg, later(moment, time)))),
            Node::Finally(window, arg) => self.windowed(*arg, window, moment, truth, true),
            Node::Globally(window, arg) => self.windowed(*arg, window, moment, truth, false),
            Node::Once(window, arg) => self.behind(*arg, window, moment, truth, true),
            Node::Historically(window, arg) => self.behind(*arg, window, moment, truth, false),
            Node::Until(window, left, right) => self.until([*left, *right], window, moment, truth, true),
            Node::Release(window, left, right) => self.until([*left, *right], window, moment, !truth, false),
            Node::Since(..) => (Vec::new(), None),
        }
    }

    /// Of two operands those that decide: both where all must be so, otherwise the first that is.
    fn deciding(&self, args: [Formula; 2], wanted: [bool; 2], all: bool, moment: &Moment) -> Vec<Next> {
        let so = args.into_iter().zip(wanted).filter(|(arg, wanted)| all || self.truth(*arg, moment) == *wanted);
        so.map(|(arg, _)| (arg, moment.clone())).take(if all { 2 } else { 1 }).collect()
    }

    /// `F` is true, or `G` false, for one moment; the opposite is said of the whole window.
    fn windowed(
        &self,
        arg: Formula,
        window: &Window,
        moment: &Moment,
        truth: bool,
        some: bool,
    ) -> (Vec<Next>, Option<String>) {
        if window.is_empty() {
            return (Vec::new(), Some("the window holds no time".to_owned()));
        }
        let (from, to) = (later(moment, &window.lower), window.upper.as_ref().map(|upper| later(moment, upper)));
        if truth == some {
            return (self.first(arg, some, &from, to.as_ref()).map(|at| (arg, at)).into_iter().collect(), None);
        }
        (Vec::new(), Some(self.stretch(if some { "never" } else { "always" }, &from, to.as_ref())))
    }

    /// The same for windows that look back.
    fn behind(
        &self,
        arg: Formula,
        window: &Window,
        moment: &Moment,
        truth: bool,
        some: bool,
    ) -> (Vec<Next>, Option<String>) {
        let back = |by: &RBig| Cut { at: &moment.at - by, after: moment.after };
        let beginning = Cut { at: RBig::ZERO, after: false };
        let (from, to) =
            (window.upper.as_ref().map_or(beginning.clone(), back).max(beginning.clone()), back(&window.lower));
        if window.is_empty() || to < beginning {
            return (Vec::new(), Some("the window holds no time".to_owned()));
        }
        if truth == some {
            return (self.first(arg, some, &from, Some(&to)).map(|at| (arg, at)).into_iter().collect(), None);
        }
        (Vec::new(), Some(self.stretch(if some { "never" } else { "always" }, &from, Some(&to))))
    }

    /// Until, or with `plain` false the until of negations that release is the negation of.
    fn until(
        &self,
        [left, right]: [Formula; 2],
        window: &Window,
        moment: &Moment,
        truth: bool,
        plain: bool,
    ) -> (Vec<Next>, Option<String>) {
        if window.is_empty() {
            return (Vec::new(), Some("the window holds no time".to_owned()));
        }
        let (from, to) = (later(moment, &window.lower), window.upper.as_ref().map(|upper| later(moment, upper)));
        let Some(goal) = self.first(right, plain, &from, to.as_ref()) else {
            return (Vec::new(), Some(self.stretch("the second part does not come", &from, to.as_ref())));
        };
        match self.first(left, !plain, moment, Some(&goal)) {
            Some(breach) if !truth => {
                let words = format!("the first part ends before the second comes {}", when(&later(&goal, self.origin)));
                (vec![(left, breach)], Some(words))
            }
            _ => (vec![(right, goal)], None),
        }
    }

    fn stretch(&self, word: &str, from: &Moment, to: Option<&Moment>) -> String {
        let from = short(&(&from.at + self.origin));
        match to {
            Some(to) => format!("{word} from {from} to {}", short(&(&to.at + self.origin))),
            None => format!("{word} from {from} on"),
        }
    }

    fn value(&self, signal: SignalId, moment: &Moment) -> String {
        let Cut { at, after } = moment;
        let declared = &self.spec.signals[signal.0 as usize];
        let value = match (&self.trace.signals[signal.0 as usize], &declared.shape) {
            (SignalValue::Bool(steps), _) => {
                let (now, then) = truth_at(steps, at);
                (if *after { then } else { now }).to_string()
            }
            (SignalValue::Named(values), Shape::Named(names)) => {
                let place = values.partition_point(|value| value.0 <= *at).saturating_sub(1);
                let number = usize::try_from(values[place].1.numerator()).unwrap_or(0);
                names.get(number).cloned().unwrap_or_default()
            }
            (value, _) => value.polyline().map(|points| short(&value_at(&points, at))).unwrap_or_default(),
        };
        format!("{} = {value}", declared.name)
    }
}

/// A number as it is, or rounded where it is long.
fn short(number: &RBig) -> String {
    let exact = write_number(number);
    if exact.len() <= 12 { exact } else { format!("about {}", (number.to_f64().value() * 1e6).round() / 1e6) }
}

fn later(moment: &Moment, by: &RBig) -> Moment {
    Cut { at: &moment.at + by, after: moment.after }
}

/// A moment in words.
pub fn when(moment: &Moment) -> String {
    match moment.after {
        false => format!("at {}", short(&moment.at)),
        true => format!("just after {}", short(&moment.at)),
    }
}

/// The steps as lines; time zero is called `origin`.
pub fn lines(spec: &Spec, steps: &[Step], origin: &RBig) -> Vec<String> {
    steps
        .iter()
        .map(|step| {
            let moment = later(&step.moment, origin);
            let reason = step.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
            format!(
                "{}{} is {} {}{reason}",
                "  ".repeat(step.depth),
                print(spec, step.formula),
                step.truth,
                when(&moment)
            )
        })
        .collect()
}
