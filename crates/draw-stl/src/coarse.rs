//! The search on few chosen times: where a uniform grid would be long, signals change at the sums of bounds only.
//!
//! Propositions do not change between chosen times. Every subformula has a partition of its own: the times at which it may change,
//! which follow from those of its operands and its bounds. Index `2n` is the point with number `n` of a partition, `2n + 1` the open
//! cell behind it. For each index there is a term that says "surely true" and one that says "surely false", as on a uniform grid.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use smt::{Answer, Term, Terms};
use stl::goals::Obligation;
use stl::signal::Trace;
use stl::store::{Formula, Node, Store, Window};
use testcase::ObligationId;
use value::RBig;

use super::StlSubject;
use super::atoms::Atoms;
use super::effort::{CHOSEN_TERMS, CHOSEN_TIMES};
use super::grid::Grid;
use search::{Backend, SearchError, Statistics};

/// A formula at all times at which it is needed.
struct Row {
    points: Vec<RBig>,
    /// At each index: surely true, and surely false.
    truths: Vec<[Term; 2]>,
}

/// What is looked at from one index of an operator with a window: the operand's index now, and those at the ends of the window.
struct Span {
    now: usize,
    window: Option<(usize, usize)>,
    /// Whether the window begins now.
    at_once: bool,
}

/// Looks for a signal that meets an obligation, satisfying or violating the formula, and changes at chosen times only. The first of the
/// two verdicts is tried first.
pub(super) fn look(
    subject: &StlSubject,
    target: ObligationId,
    verdicts: [bool; 2],
    level: u32,
    backend: &Backend,
    statistics: &mut Statistics,
) -> Result<Option<Trace>, SearchError> {
    let (store, formula) = (&subject.spec.store, subject.spec.formula);
    let obligation = subject.goals.obligations[target.0 as usize];
    let (Obligation::Differ(other) | Obligation::Hold { predicate: other, .. }) = obligation;
    let Some(times) = chosen(store, &[formula, other], level, backend) else { return Ok(None) };
    let mut terms = Terms::new();
    let grid = Grid::chosen(times.into_iter().collect());
    let atoms = Atoms::new(&mut terms, &subject.spec, &[formula, other], &grid);
    let mut encoder = Encoder { store, atoms, grid, terms, rows: FxHashMap::default() };
    let most = CHOSEN_TERMS.count(backend.effort);
    let (Some([yes, no]), Some([other_yes, other_no])) =
        (encoder.at_start(formula, most), encoder.at_start(other, most))
    else {
        return Ok(None);
    };
    let Encoder { atoms, grid, mut terms, .. } = encoder;
    let ways: Vec<Vec<Term>> = match obligation {
        Obligation::Differ(_) => {
            verdicts.iter().map(|&verdict| if verdict { vec![yes, other_no] } else { vec![no, other_yes] }).collect()
        }
        Obligation::Hold { verdict: None, .. } => vec![vec![other_yes]],
        Obligation::Hold { verdict: Some(verdict), .. } => vec![vec![other_yes, if verdict { yes } else { no }]],
    };
    let mut solver = backend.solver()?;
    for fact in atoms.facts(&mut terms) {
        solver.assert(&terms, fact)?;
    }
    for way in ways {
        let answer = solver.check(&terms, backend.query(&way))?;
        statistics.count(&answer);
        if let Answer::Sat(model) = answer {
            return Ok(Some(atoms.decode(&terms, &model, &grid)));
        }
    }
    Ok(None)
}

/// The sums of bounds, with the middles between them added so many times; nothing if there are too many.
fn chosen(store: &Store, roots: &[Formula], level: u32, backend: &Backend) -> Option<BTreeSet<RBig>> {
    let most = CHOSEN_TIMES.count(backend.effort);
    let mut times = stl::sums(store, roots, most)?;
    for _ in 0..level {
        let middles: Vec<RBig> =
            times.iter().zip(times.iter().skip(1)).map(|(left, right)| (left + right) / RBig::from(2)).collect();
        times.extend(middles);
    }
    (times.len() <= most).then_some(times)
}

struct Encoder<'a> {
    store: &'a Store,
    atoms: Atoms,
    grid: Grid,
    terms: Terms,
    rows: FxHashMap<(Formula, (RBig, RBig)), Row>,
}

impl Encoder<'_> {
    /// A formula at time zero; nothing if that takes more than so many terms.
    fn at_start(&mut self, formula: Formula, most: usize) -> Option<[Term; 2]> {
        let below = self.store.below(&[formula]);
        let needs = self.needs(&below, formula);
        for &part in &below {
            let Some(need) = needs.get(&part) else { continue };
            if !self.rows.contains_key(&(part, need.clone())) {
                let row = self.row(part, need, &needs);
                self.rows.insert((part, need.clone()), row);
            }
            if most < self.terms.len() {
                return None;
            }
        }
        Some(self.rows[&(formula, needs[&formula].clone())].truths[0])
    }

    /// From which time to which each subformula is needed, from the whole downwards.
    fn needs(&self, below: &[Formula], root: Formula) -> FxHashMap<Formula, (RBig, RBig)> {
        let mut needs: FxHashMap<Formula, (RBig, RBig)> = FxHashMap::default();
        needs.insert(root, (RBig::ZERO, RBig::ZERO));
        for &formula in below.iter().rev() {
            let Some((first, last)) = needs.get(&formula).cloned() else { continue };
            let node = self.store.node(formula);
            let (from, to) = match node {
                Node::Next(time, _) => (&first + time, &last + time),
                _ => match node.window() {
                    Some(window) if window.is_empty() => continue,
                    Some(window) if node.is_past() => {
                        let back = window.upper.clone().map_or(RBig::ZERO, |upper| (&first - upper).max(RBig::ZERO));
                        (back, last)
                    }
                    Some(window) => {
                        let upper = window.upper.clone().expect("unbounded formulas are not searched");
                        (first, last + upper)
                    }
                    None => (first, last),
                },
            };
            for arg in node.args() {
                let need = needs.entry(arg).or_insert_with(|| (from.clone(), to.clone()));
                *need = (need.0.clone().min(from.clone()), need.1.clone().max(to.clone()));
            }
        }
        needs
    }

    fn row(&mut self, formula: Formula, need: &(RBig, RBig), needs: &FxHashMap<Formula, (RBig, RBig)>) -> Row {
        let node = self.store.node(formula).clone();
        match &node {
            Node::Constant(truth) => self.constant(*truth, need),
            Node::Signal(_) | Node::Compare(_) => {
                let Encoder { atoms, grid, terms, .. } = self;
                let truths =
                    (0..=grid.last).map(|index| [true, false].map(|sign| atoms.literal(terms, &node, index, sign)));
                Row { truths: truths.collect(), points: grid.points() }
            }
            Node::Not(_) | Node::And(..) | Node::Or(..) | Node::Implies(..) => {
                self.operands(&node, needs, |encoder, args| encoder.connective(&node, args, need))
            }
            Node::Next(time, _) => {
                let window = Window::new(time.clone(), time.clone());
                self.operands(&node, needs, |encoder, args| encoder.windowed(args[0], &window, false, false, need))
            }
            Node::Finally(window, _)
            | Node::Globally(window, _)
            | Node::Once(window, _)
            | Node::Historically(window, _) => {
                let all = matches!(node, Node::Globally(..) | Node::Historically(..));
                if window.is_empty() {
                    return self.constant(all, need);
                }
                let past = node.is_past();
                self.operands(&node, needs, |encoder, args| encoder.windowed(args[0], window, past, all, need))
            }
            Node::Until(window, ..) | Node::Since(window, ..) | Node::Release(window, ..) => {
                let dual = matches!(node, Node::Release(..));
                if window.is_empty() {
                    return self.constant(dual, need);
                }
                let past = node.is_past();
                self.operands(&node, needs, |encoder, args| encoder.until([args[0], args[1]], window, past, dual, need))
            }
        }
    }

    /// Does something with the rows of the operands.
    fn operands(
        &mut self,
        node: &Node,
        needs: &FxHashMap<Formula, (RBig, RBig)>,
        make: impl FnOnce(&mut Self, &[&Row]) -> Row,
    ) -> Row {
        let rows = std::mem::take(&mut self.rows);
        let args: Vec<&Row> = node.args().iter().map(|arg| &rows[&(*arg, needs[arg].clone())]).collect();
        let row = make(self, &args);
        self.rows = rows;
        row
    }

    fn constant(&mut self, truth: bool, need: &(RBig, RBig)) -> Row {
        let points = between(Vec::new(), need);
        let truths = vec![[self.terms.bool(truth), self.terms.bool(!truth)]; 2 * points.len() - 1];
        Row { points, truths }
    }

    fn connective(&mut self, node: &Node, args: &[&Row], need: &(RBig, RBig)) -> Row {
        let points = between(args.iter().flat_map(|row| row.points.iter().cloned()).collect(), need);
        let mut truths = Vec::new();
        for index in 0..2 * points.len() - 1 {
            let at: Vec<[Term; 2]> = args.iter().map(|row| row.truths[row.seen(&points, index, &RBig::ZERO)]).collect();
            let mut flip = |[yes, no]: [Term; 2], [other_yes, other_no]: [Term; 2]| {
                [self.terms.or(&[yes, other_yes]), self.terms.and(&[no, other_no])]
            };
            let not = |[yes, no]: [Term; 2]| [no, yes];
            truths.push(match node {
                Node::Not(_) => not(at[0]),
                Node::Or(..) => flip(at[0], at[1]),
                Node::Implies(..) => flip(not(at[0]), at[1]),
                Node::And(..) => not(flip(not(at[0]), not(at[1]))),
                _ => unreachable!("only connectives come here"),
            });
        }
        Row { points, truths }
    }

    /// At some index, or at all indices of a window.
    fn windowed(&mut self, arg: &Row, window: &Window, past: bool, all: bool, need: &(RBig, RBig)) -> Row {
        let points = between(turning(&arg.points, window, past, false), need);
        let mut truths = Vec::new();
        for index in 0..2 * points.len() - 1 {
            let span = arg.span(&points, index, window, past);
            let seen = span.window.map_or(&[][..], |(first, last)| &arg.truths[first..=last]);
            let [yes, no] = [0, 1].map(|sign| seen.iter().map(|truth| truth[sign]).collect::<Vec<Term>>());
            truths.push(match all {
                true => [self.terms.and(&yes), self.terms.or(&no)],
                false => [self.terms.or(&yes), self.terms.and(&no)],
            });
        }
        Row { points, truths }
    }

    /// Until and since; `dual` makes release of until.
    fn until(&mut self, args: [&Row; 2], window: &Window, past: bool, dual: bool, need: &(RBig, RBig)) -> Row {
        let (first, last) = [args[0], args[1]].iter().fold((None, None), |(first, last), row| {
            let (own_first, own_last) = (row.points.first(), row.points.last());
            (first.max(own_first), [last, own_last].into_iter().flatten().min())
        });
        let whole = (first.cloned().unwrap_or(RBig::ZERO), last.cloned().unwrap_or(RBig::ZERO));
        let both = between(args.iter().flat_map(|row| row.points.iter().cloned()).collect(), &whole);
        let common = |row: &Row| -> Vec<[Term; 2]> {
            (0..2 * both.len() - 1).map(|index| row.truths[row.seen(&both, index, &RBig::ZERO)]).collect()
        };
        let sides = [common(args[0]), common(args[1])];
        let row = Row { points: both.clone(), truths: Vec::new() };
        let points = between(turning(&both, window, past, true), need);
        let mut truths = Vec::new();
        for index in 0..2 * points.len() - 1 {
            let span = row.span(&points, index, window, past);
            let [yes, no] = [0, 1].map(|sign| {
                // Release is the negation of an until of negations: "surely true" of one is "surely false" of the other.
                let side = |place: usize, at: usize| sides[place][at][sign];
                let truth = (sign == 0) != dual;
                self.reached(|at| side(0, at), |at| side(1, at), &span, past, truth)
            });
            truths.push([yes, no]);
        }
        Row { points, truths }
    }

    /// That the goal is reached within the window and the first part holds on the way, or that it is not.
    fn reached(
        &mut self,
        hold: impl Fn(usize) -> Term,
        goal: impl Fn(usize) -> Term,
        span: &Span,
        past: bool,
        truth: bool,
    ) -> Term {
        let never = self.terms.bool(!truth);
        let Some((first, last)) = span.window else { return never };
        // From the far end of the window to now.
        let way: Vec<usize> = if past { (first..=span.now).collect() } else { (span.now..=last).rev().collect() };
        let mut reached = never;
        for at in way {
            let mut ways = vec![self.both(truth, hold(at), reached)];
            if (first..=last).contains(&at) {
                // Inside a cell, the first part holds between now, or the cell's border, and the goal.
                let is_cell = at % 2 == 1 && !(at == span.now && span.at_once);
                ways.push(if is_cell { self.both(truth, hold(at), goal(at)) } else { goal(at) });
            }
            reached = ways.into_iter().reduce(|left, right| self.both(!truth, left, right)).unwrap_or(never);
        }
        reached
    }

    fn both(&mut self, and: bool, left: Term, right: Term) -> Term {
        if and { self.terms.and(&[left, right]) } else { self.terms.or(&[left, right]) }
    }
}

impl Row {
    /// The index that holds the times of an index of another partition, moved by some time.
    fn seen(&self, points: &[RBig], index: usize, by: &RBig) -> usize {
        let time = &points[index / 2] + by;
        match self.points.binary_search(&time) {
            Ok(place) => 2 * place + index % 2,
            Err(place) => 2 * place.saturating_sub(1) + 1,
        }
        .min(2 * self.points.len() - 2)
    }

    /// What an index of an operator's partition looks at.
    fn span(&self, points: &[RBig], index: usize, window: &Window, past: bool) -> Span {
        let now = self.seen(points, index, &RBig::ZERO);
        let at_once = window.lower.is_zero();
        if !past {
            let upper = window.upper.clone().expect("unbounded formulas are not searched");
            let ends = (self.seen(points, index, &window.lower), self.seen(points, index, &upper));
            return Span { now, window: Some(ends), at_once };
        }
        // A point looks back to itself at the earliest; a cell lies behind its point.
        let reaches = |by: &RBig| *by <= points[index / 2];
        let window = reaches(&window.lower).then(|| {
            let first = window.upper.as_ref().filter(|upper| reaches(upper));
            let first = first.map_or(0, |upper| self.seen(points, index, &-upper.clone()));
            (first, self.seen(points, index, &-window.lower.clone()))
        });
        Span { now, window, at_once }
    }
}

/// Where an operator may change, given where its operands may.
fn turning(points: &[RBig], window: &Window, past: bool, now: bool) -> Vec<RBig> {
    let ends = || [&window.lower].into_iter().chain(&window.upper);
    let moved = points.iter().flat_map(|point| ends().map(move |end| if past { point + end } else { point - end }));
    moved.chain(points.iter().filter(|_| now).cloned()).collect()
}

/// Points in order, each once, between the first and the last time that is needed, both included.
fn between(points: Vec<RBig>, (first, last): &(RBig, RBig)) -> Vec<RBig> {
    let inner = points.into_iter().filter(|point| first < point && point < last);
    let all: BTreeSet<RBig> = inner.chain([first.clone(), last.clone()]).collect();
    all.into_iter().collect()
}

#[cfg(test)]
mod tests;
