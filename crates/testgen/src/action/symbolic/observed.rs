//! Input-output conformance with a solver, for models in which a label leads to one state and nothing is internal.
//!
//! First every mutant is asked where it leaves the model's way: where it puts out what the model does not, is silent where the model
//! is not, or goes to another state by the same label. Mutants that never do, by induction over the model alone, conform. The
//! others are followed beside the model, state by state, up to the depth.

use action::Shape;
use action::spec::{ActionKind, Spec};
use smt::{Answer, Model, Op, Scope, Solver, Term, Terms};
use value::Sort;

use super::bounded::{Aim, Ended, Search, argument_hull};
use super::encode::{Encoder, TooLarge, equals, symbols, within};
use super::read::numbers;
use crate::SearchError;
use crate::action::confirm::objection;
use crate::action::limits::Limits;
use crate::action::pair::Pair;
use crate::action::verdict::{Difference, Equivalence, Kill, Seen, Verdict};
use crate::backend::Backend;

/// Examines mutants of a model for input-output conformance, up to a depth.
///
/// # Errors
/// When a solver fails, or the interpreter contradicts a finding.
pub fn observed(
    spec: &Spec,
    mutants: &[Result<Spec, String>],
    depth: u64,
    backend: &Backend,
    limits: &Limits,
) -> Result<Vec<Verdict>, SearchError> {
    let mut all: Vec<Option<Verdict>> = mutants.iter().map(|mutant| settled(spec, mutant)).collect();
    let open: Vec<(usize, &Spec)> = mutants
        .iter()
        .enumerate()
        .filter(|(index, _)| all[*index].is_none())
        .filter_map(|(index, mutant)| Some((index, mutant.as_ref().ok()?)))
        .collect();
    let specs: Vec<&Spec> = std::iter::once(spec).chain(open.iter().map(|(_, mutant)| *mutant)).collect();
    let shape = Shape::of(&specs);
    if let Err(why) = follows_one_way(spec, &shape, backend)? {
        return Ok(all.into_iter().map(|verdict| verdict.unwrap_or(Verdict::Unknown(why.clone()))).collect());
    }
    // A mutant that begins elsewhere deviates at once.
    let (same, elsewhere): (Vec<_>, Vec<_>) = open.iter().partition(|(_, mutant)| mutant.initial() == spec.initial());
    let mut search = Search::new(spec, same, &shape, backend, limits, Aim::Deviation)?;
    search.whole(depth)?;
    for (index, verdict) in search.verdicts {
        all[index] = Some(verdict);
    }
    let mut left: Vec<(usize, &Spec)> =
        open.into_iter().filter(|(index, _)| search.deviating.contains(index)).collect();
    left.extend(elsewhere);
    left.sort_by_key(|(index, _)| *index);
    let mut product = Product::new(spec, left, &shape, backend, limits)?;
    match product.run(depth) {
        Ok(()) => {}
        Err(Ended::Solver(error)) => return Err(error),
        Err(Ended::TooLarge(why)) => product.leave_open(&format!("the model is too large to be encoded: {why}")),
        Err(Ended::Unknown(why)) => product.leave_open(&why),
    }
    for (index, verdict) in product.verdicts {
        all[index] = Some(verdict);
    }
    Ok(all.into_iter().map(|verdict| verdict.unwrap_or(Verdict::ConformsUpTo(depth))).collect())
}

/// The verdict on a mutant that needs no search, or that this search cannot give.
fn settled(spec: &Spec, mutant: &Result<Spec, String>) -> Option<Verdict> {
    let mutant = match mutant {
        Err(why) => return Some(Verdict::Unsupported(why.clone())),
        Ok(mutant) => mutant,
    };
    match Pair::new(spec, mutant) {
        Err(why) => Some(Verdict::Unsupported(why.0)),
        Ok(pair) if pair.is_same() => Some(Verdict::Equivalent(Equivalence::Syntactic)),
        Ok(pair) if !pair.same_kinds => {
            Some(Verdict::Unknown("only the explicit search compares other kinds of actions".to_owned()))
        }
        Ok(_) => None,
    }
}

/// Whether every label leads to one state, in every state there is; or why that is not known.
fn follows_one_way(spec: &Spec, shape: &Shape, backend: &Backend) -> Result<Result<(), String>, SearchError> {
    if spec.actions().iter().any(|action| action.kind == ActionKind::Internal) {
        return Ok(Err("only the explicit search follows internal actions".to_owned()));
    }
    let mut terms = Terms::new();
    let encoder = Encoder { spec, shape };
    let state = symbols(&mut terms, "state", spec.slots().len());
    let label = symbols(&mut terms, "label", shape.width());
    let posts = ["one", "other"].map(|name| symbols(&mut terms, name, spec.slots().len()));
    let mut facts = bounds(&mut terms, shape, &label, argument_hull(std::iter::once(spec)));
    for values in [&state, &posts[0], &posts[1]] {
        facts.push(encoder.in_types(&mut terms, values));
    }
    for post in &posts {
        match encoder.step(&mut terms, &state, &label, post, &|_| true) {
            Ok(step) => facts.push(step),
            Err(TooLarge(why)) => return Ok(Err(format!("the model is too large to be encoded: {why}"))),
        }
    }
    facts.push(distinct(&mut terms, &posts[0], &posts[1]));
    let mut solver = backend.solver()?;
    for fact in facts {
        solver.assert(&terms, fact)?;
    }
    Ok(match solver.check(&terms, backend.query(&[]))? {
        Answer::Unsat { scope: Scope::All, .. } => Ok(()),
        Answer::Sat(_) | Answer::Unsat { .. } | Answer::Unknown(_) => {
            Err("a label may lead to several states: only the explicit search follows sets of states".to_owned())
        }
    })
}

fn distinct(terms: &mut Terms, left: &[Term], right: &[Term]) -> Term {
    let differ: Vec<Term> =
        left.iter().zip(right).map(|(left, right)| terms.app(Op::Distinct, &[*left, *right])).collect();
    terms.or(&differ)
}

/// Cells of labels lie in the hull of all they can be.
fn bounds(terms: &mut Terms, shape: &Shape, label: &[Term], hull: (i64, i64)) -> Vec<Term> {
    let cell = |(place, cell): (usize, &Term)| {
        let is_action = place % shape.stride() == 0;
        let (low, high) = if is_action { (0, shape.actions.len() as i64) } else { hull };
        within(terms, *cell, low, high)
    };
    label.iter().enumerate().map(cell).collect()
}

/// The fact that the first action of a label is one of the tester's.
fn is_input(terms: &mut Terms, encoder: &Encoder<'_>, label: &[Term]) -> Term {
    let mut choices = Vec::new();
    for action in encoder.spec.actions().iter().filter(|action| action.kind == ActionKind::Controllable) {
        let number = terms.int(encoder.shape.action(action) as i64 + 1);
        choices.push(terms.eq(label[0], number));
    }
    terms.or(&choices)
}

/// The fact that a mutant can put out a label that the model cannot, each in its state.
pub(super) fn own_output(
    terms: &mut Terms,
    model: &Encoder<'_>,
    mutant: &Encoder<'_>,
    states: (&[Term], &[Term]),
    label: &[Term],
) -> Result<Term, TooLarge> {
    let input = is_input(terms, model, label);
    let output = terms.not(input);
    let theirs = mutant.enabled(terms, states.1, label)?;
    let ours = model.enabled(terms, states.0, label)?;
    let not_ours = terms.not(ours);
    Ok(terms.and(&[output, theirs, not_ours]))
}

/// The fact that a mutant waits for an input where the model does not, each in its state.
pub(super) fn own_silence(
    terms: &mut Terms,
    model: &Encoder<'_>,
    mutant: &Encoder<'_>,
    states: (&[Term], &[Term]),
) -> Result<Term, TooLarge> {
    let ours = model.moves_by_itself(terms, states.0)?;
    let theirs = mutant.moves_by_itself(terms, states.1)?;
    let silent = terms.not(theirs);
    Ok(terms.and(&[ours, silent]))
}

/// The fact that a mutant goes from one state to another by a label; an input that it refuses leaves it where it is.
pub(super) fn taken(
    terms: &mut Terms,
    mutant: &Encoder<'_>,
    pre: &[Term],
    label: &[Term],
    post: &[Term],
) -> Result<Term, TooLarge> {
    let step = mutant.step(terms, pre, label, post, &|_| true)?;
    let input = is_input(terms, mutant, label);
    let enabled = mutant.enabled(terms, pre, label)?;
    let refused = terms.not(enabled);
    let mut stays: Vec<Term> = pre.iter().zip(post).map(|(pre, post)| terms.eq(*pre, *post)).collect();
    stays.extend([input, refused]);
    let stays = terms.and(&stays);
    Ok(terms.or(&[step, stays]))
}

/// Model and mutant side by side, all mutants in one solver: a number says which.
struct Product<'a> {
    spec: &'a Spec,
    shape: &'a Shape,
    backend: &'a Backend,
    limits: &'a Limits,
    terms: Terms,
    solver: Box<dyn Solver>,
    open: Vec<(usize, &'a Spec)>,
    verdicts: Vec<(usize, Verdict)>,
    hull: (i64, i64),
    chosen: Term,
    states: Vec<(Vec<Term>, Vec<Term>)>,
    labels: Vec<Vec<Term>>,
    bad_label: Vec<Term>,
    silence: Term,
}

impl<'a> Product<'a> {
    fn new(
        spec: &'a Spec,
        open: Vec<(usize, &'a Spec)>,
        shape: &'a Shape,
        backend: &'a Backend,
        limits: &'a Limits,
    ) -> Result<Product<'a>, SearchError> {
        let mut terms = Terms::new();
        let hull = argument_hull(std::iter::once(spec).chain(open.iter().map(|(_, mutant)| *mutant)));
        let chosen = terms.symbol("mutant", &Sort::Int);
        let bad_label = symbols(&mut terms, "bad-label", shape.width());
        let silence = terms.symbol("silence", &Sort::Bool);
        let solver = backend.solver()?;
        let (states, labels, verdicts) = (Vec::new(), Vec::new(), Vec::new());
        let mut product = Product {
            spec,
            shape,
            backend,
            limits,
            terms,
            solver,
            open,
            verdicts,
            hull,
            chosen,
            states,
            labels,
            bad_label,
            silence,
        };
        let mut facts = bounds(&mut product.terms, shape, &product.bad_label.clone(), hull);
        let last = product.open.iter().map(|(index, _)| *index as i64).max().unwrap_or(0);
        facts.push(within(&mut product.terms, chosen, 0, last));
        product.assert_all(&facts)?;
        Ok(product)
    }

    fn assert_all(&mut self, facts: &[Term]) -> Result<(), SearchError> {
        facts.iter().try_for_each(|fact| self.solver.assert(&self.terms, *fact).map_err(SearchError::from))
    }

    fn leave_open(&mut self, why: &str) {
        let left = self.open.drain(..).map(|(index, _)| (index, Verdict::Unknown(why.to_owned())));
        self.verdicts.extend(left);
    }

    fn is_chosen(&mut self, index: usize) -> Term {
        let number = self.terms.int(index as i64);
        self.terms.eq(self.chosen, number)
    }

    /// The fact that something holds for the chosen mutant.
    fn for_chosen(
        &mut self,
        fact: &mut dyn FnMut(&mut Terms, &Encoder<'a>, &Encoder<'a>) -> Result<Term, TooLarge>,
    ) -> Result<Term, Ended> {
        let model = Encoder { spec: self.spec, shape: self.shape };
        let mut choices = Vec::new();
        for (index, spec) in self.open.clone() {
            let mutant = Encoder { spec, shape: self.shape };
            let holds = fact(&mut self.terms, &model, &mutant)?;
            let chosen = self.is_chosen(index);
            choices.push(self.terms.and(&[chosen, holds]));
        }
        Ok(self.terms.or(&choices))
    }

    fn run(&mut self, depth: u64) -> Result<(), Ended> {
        if self.open.is_empty() {
            return Ok(());
        }
        self.pair(0)?;
        let (ours, theirs) = self.states[0].clone();
        let initial = equals(&mut self.terms, &ours, self.spec.initial());
        let begins = self.for_chosen(&mut |terms, _, mutant| Ok(equals(terms, &theirs, mutant.spec.initial())))?;
        self.assert_all(&[initial, begins])?;
        for length in 0..=depth as usize {
            if let Some(stopped) = self.limits.spent() {
                return Err(Ended::Unknown(stopped.to_string()));
            }
            self.kill_at(length)?;
            if self.open.is_empty() {
                return Ok(());
            }
            self.extend(length)?;
        }
        Ok(())
    }

    /// Symbols for the states of both after so many steps.
    fn pair(&mut self, length: usize) -> Result<(), Ended> {
        let count = self.spec.slots().len();
        let ours = symbols(&mut self.terms, &format!("model.{length}"), count);
        let theirs = symbols(&mut self.terms, &format!("mutant.{length}"), count);
        let mut facts = vec![Encoder { spec: self.spec, shape: self.shape }.in_types(&mut self.terms, &ours)];
        for slot in 0..count {
            let all = std::iter::once(self.spec).chain(self.open.iter().map(|(_, mutant)| *mutant));
            let hull = all.fold((i64::MAX, i64::MIN), |(low, high), spec| {
                (low.min(spec.slots()[slot].low), high.max(spec.slots()[slot].high))
            });
            facts.push(within(&mut self.terms, theirs[slot], hull.0, hull.1));
        }
        self.assert_all(&facts)?;
        self.states.push((ours, theirs));
        Ok(())
    }

    fn extend(&mut self, length: usize) -> Result<(), Ended> {
        let label = symbols(&mut self.terms, &format!("label.{length}"), self.shape.width());
        let mut facts = bounds(&mut self.terms, self.shape, &label, self.hull);
        self.pair(length + 1)?;
        let (before, after) = (self.states[length].clone(), self.states[length + 1].clone());
        let model = Encoder { spec: self.spec, shape: self.shape };
        facts.push(model.step(&mut self.terms, &before.0, &label, &after.0, &|_| true)?);
        facts.push(self.for_chosen(&mut |terms, _, mutant| taken(terms, mutant, &before.1, &label, &after.1))?);
        self.assert_all(&facts)?;
        self.labels.push(label);
        Ok(())
    }

    /// Retires every mutant that can be told from the model behind a trace of this length.
    fn kill_at(&mut self, length: usize) -> Result<(), Ended> {
        let active = self.terms.symbol(&format!("active.{length}"), &Sort::Bool);
        let states = self.states[length].clone();
        let (label, silence) = (self.bad_label.clone(), self.silence);
        let bad = self.for_chosen(&mut |terms, model, mutant| {
            let output = own_output(terms, model, mutant, (&states.0, &states.1), &label)?;
            let silent = own_silence(terms, model, mutant, (&states.0, &states.1))?;
            Ok(terms.ite(silence, silent, output))
        })?;
        let fact = self.terms.implies(active, bad);
        self.assert_all(&[fact])?;
        while !self.open.is_empty() {
            match self.solver.check(&self.terms, self.backend.query(&[active]))? {
                Answer::Sat(model) => self.retire(length, &model)?,
                Answer::Unsat { scope: Scope::All, .. } => return Ok(()),
                Answer::Unsat { scope: Scope::Width(width), .. } => {
                    return Err(Ended::Unknown(format!("decided only for integers of {width} bits")));
                }
                Answer::Unknown(why) => return Err(Ended::Unknown(why.to_string())),
            }
        }
        Ok(())
    }

    fn retire(&mut self, length: usize, model: &Model) -> Result<(), Ended> {
        let mut trace = Vec::new();
        for label in &self.labels[..length] {
            trace.push(Seen::Observed(self.shape.decode(&numbers(&self.terms, model, label)?)));
        }
        let silent = smt::Evaluator::new(&self.terms, model).holds(self.silence);
        let difference = match silent {
            true => Difference::Silence,
            false => Difference::Observed(self.shape.decode(&numbers(&self.terms, model, &self.bad_label)?)),
        };
        let kill = Kill { trace, state: None, difference, differences: 1 };
        let chosen = numbers(&self.terms, model, &[self.chosen])?[0];
        let mut retired = Vec::new();
        for (index, mutant) in std::mem::take(&mut self.open) {
            // Whoever else the interpreter sees going wrong by the same labels is retired too.
            match objection(self.spec, mutant, &kill) {
                None => {
                    self.verdicts.push((index, Verdict::Killed(kill.clone())));
                    let this = self.is_chosen(index);
                    retired.push(self.terms.not(this));
                }
                Some(objection) if index as i64 == chosen => {
                    return Err(SearchError::Disagreement(format!("mutant {}: {objection}", index + 1)).into());
                }
                Some(_) => self.open.push((index, mutant)),
            }
        }
        self.assert_all(&retired)?;
        Ok(())
    }
}
