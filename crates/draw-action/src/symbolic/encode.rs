//! Steps of a model as terms: one disjunct for each way through the do-od block, no quantifier left.
//!
//! Choices are pulled to the outside, assignments are carried out on terms, and parameters are read off the label, so that
//! the negation of a step relation says exactly that the step is impossible. Where ways part and nothing later assigns what
//! they assigned, they meet again: such variables have their last value, which is the one after the step, so the ways agree
//! on the state and become one with a disjunction of conditions. Choices in sequence are therefore not multiplied.

use action::Shape;
use action::ast::{ArithmeticOp, Comparison, Connective};
use action::spec::{Actual, Block, Command, Condition, Invocation, Number, Spec};
use indexmap::IndexMap;
use smt::{Op, Term, Terms};
use value::Sort;

use super::frame::Frame;
use crate::limits::{Limits, Stopped};

/// More ways through one alternative than this are not encoded.
const MOST_WAYS: usize = 20_000;
/// More combinations of binder values than this are not encoded where priorities need them one by one.
const MOST_COMBINATIONS: i64 = 1_024;
/// Alternatives encoded between two looks at the clock.
const ALTERNATIVES_PER_LOOK: usize = 64;
/// Arrays with more cells than this are not encoded.
const MOST_CELLS: usize = 256;

/// Why a model cannot be encoded, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TooLarge(pub(super) String);

/// Why a step relation was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unmade {
    /// The model cannot be encoded.
    TooLarge(String),
    /// The run must end.
    Stopped(Stopped),
}

impl From<TooLarge> for Unmade {
    fn from(error: TooLarge) -> Unmade {
        Unmade::TooLarge(error.0)
    }
}

/// Encodes the steps of one model.
#[derive(Clone, Copy)]
pub(super) struct Encoder<'a> {
    pub(super) spec: &'a Spec,
    pub(super) shape: &'a Shape,
    pub(super) limits: &'a Limits,
}

/// A way through a block, as far as it was followed.
#[derive(Clone)]
struct Way {
    conditions: Vec<Term>,
    state: Vec<Term>,
    events: usize,
}

/// What comes after a part of a step.
#[derive(Clone, Copy)]
struct Ahead<'a> {
    /// The state after the whole step, where it has a name.
    post: Option<&'a [Term]>,
    /// The slots that are assigned later.
    assigned: &'a [bool],
}

/// A value, and when it is defined; none means always.
struct Defined {
    value: Term,
    when: Option<Term>,
}

/// Symbols for the variables of one state, by their names.
pub(super) fn state_symbols(terms: &mut Terms, spec: &Spec, prefix: &str) -> Vec<Term> {
    spec.slots().iter().map(|slot| terms.symbol(&format!("{prefix}.{}", slot.name), &Sort::Int)).collect()
}

/// Symbols for one label.
pub(super) fn symbols(terms: &mut Terms, prefix: &str, count: usize) -> Vec<Term> {
    (0..count).map(|index| terms.symbol(&format!("{prefix}.{index}"), &Sort::Int)).collect()
}

/// The facts that the cells of a label lie in the hull of all they can be in some models.
pub(super) fn label_in_hull<'a>(
    terms: &mut Terms,
    shape: &Shape,
    specs: impl Iterator<Item = &'a Spec>,
    label: &[Term],
) -> Vec<Term> {
    let mut hull = (0i64, 0i64);
    for call in specs.flat_map(|spec| spec.body().calls()) {
        for argument in &call.arguments {
            let (low, high) = match argument {
                Actual::Constant(number) => (*number, *number),
                Actual::Binder(binder) => call.binders[*binder],
            };
            hull = (hull.0.min(low), hull.1.max(high));
        }
    }
    let bounds = |place: usize| match place.is_multiple_of(shape.stride()) {
        true => (0, shape.actions.len() as i64),
        false => hull,
    };
    let cells = label.iter().enumerate();
    cells.map(|(place, cell)| within(terms, *cell, bounds(place).0, bounds(place).1)).collect()
}

/// The fact that a number lies in an interval.
pub(super) fn within(terms: &mut Terms, term: Term, low: i64, high: i64) -> Term {
    let (least, most) = (terms.int(low), terms.int(high));
    let above = terms.app(Op::Le, &[least, term]);
    let below = terms.app(Op::Le, &[term, most]);
    terms.and(&[above, below])
}

/// The fact that numbers are these.
pub(super) fn equals(terms: &mut Terms, symbols: &[Term], values: &[i64]) -> Term {
    let same: Vec<Term> = symbols
        .iter()
        .zip(values)
        .map(|(symbol, value)| {
            let value = terms.int(*value);
            terms.eq(*symbol, value)
        })
        .collect();
    terms.and(&same)
}

impl Encoder<'_> {
    /// The fact that the values of a state lie in their types.
    pub(super) fn in_types(&self, terms: &mut Terms, state: &[Term]) -> Term {
        let slots = self.spec.slots().iter().zip(state);
        let all: Vec<Term> = slots.map(|(slot, term)| within(terms, *term, slot.low, slot.high)).collect();
        terms.and(&all)
    }

    /// The step relation of these alternatives; of all of them where none are named.
    pub(super) fn step(
        &self,
        terms: &mut Terms,
        pre: &[Term],
        label: &[Term],
        post: &[Term],
        alternatives: Option<&[usize]>,
    ) -> Result<Term, Unmade> {
        let mut disjuncts = Vec::new();
        let assigned = vec![false; pre.len()];
        let ahead = Ahead { post: Some(post), assigned: &assigned };
        let frame = Frame::new(terms, pre, post);
        let all = self.spec.alternatives();
        for count in 0..alternatives.map_or(all.len(), <[usize]>::len) {
            if count.is_multiple_of(ALTERNATIVES_PER_LOOK) {
                self.look(terms)?;
            }
            let block = &all[alternatives.map_or(count, |chosen| chosen[count])];
            let start = Way { conditions: Vec::new(), state: pre.to_vec(), events: 0 };
            for way in self.block(terms, block, start, Some(label), ahead)? {
                disjuncts.push(self.finish(terms, way, label, (pre, post), &frame));
            }
        }
        let any = terms.or(&disjuncts);
        let types = self.in_types(terms, post);
        Ok(terms.and(&[any, types]))
    }

    /// Stops where time or memory is spent.
    fn look(&self, terms: &Terms) -> Result<(), Unmade> {
        let full = (self.limits.memory / 3 < terms.memory()).then_some(Stopped::Memory(self.limits.memory));
        self.limits.spent().or(full).map_or(Ok(()), |stopped| Err(Unmade::Stopped(stopped)))
    }

    fn finish(
        &self,
        terms: &mut Terms,
        way: Way,
        label: &[Term],
        (pre, post): (&[Term], &[Term]),
        frame: &Frame,
    ) -> Term {
        let mut parts = way.conditions;
        let zero = terms.int(0);
        let rest = &label[way.events * self.shape.stride()..];
        parts.extend(rest.iter().map(|cell| terms.eq(*cell, zero)));
        let touched: Vec<usize> = (0..pre.len()).filter(|slot| way.state[*slot] != pre[*slot]).collect();
        parts.extend(touched.iter().map(|&slot| terms.eq(post[slot], way.state[slot])));
        parts.extend(frame.keep_all_but(&touched));
        terms.and(&parts)
    }

    /// Follows a block. Without a label, binders run through their values one by one.
    fn block(
        &self,
        terms: &mut Terms,
        block: &Block,
        way: Way,
        label: Option<&[Term]>,
        ahead: Ahead<'_>,
    ) -> Result<Vec<Way>, TooLarge> {
        let ways = match block {
            Block::Call(call) => self.call(terms, call, way, label, ahead)?,
            Block::Sequence(parts) => {
                let mut ways = vec![way];
                for (index, part) in parts.iter().enumerate() {
                    let mut assigned = ahead.assigned.to_vec();
                    for call in parts[index + 1..].iter().flat_map(Block::calls) {
                        assigns(&self.spec.actions()[call.action].body, &mut assigned);
                    }
                    let here = Ahead { assigned: &assigned, ..ahead };
                    let mut next = Vec::new();
                    for way in ways {
                        next.extend(self.block(terms, part, way, label, here)?);
                        few(&next)?;
                    }
                    ways = met(terms, next, here);
                }
                ways
            }
            Block::Choice(parts) => {
                let mut ways = Vec::new();
                for part in parts {
                    ways.extend(self.block(terms, part, way.clone(), label, ahead)?);
                }
                parted(terms, &way, ways, ahead)
            }
            Block::Priority(parts) => {
                let mut ways = Vec::new();
                let mut blocked = Vec::new();
                for (index, part) in parts.iter().enumerate() {
                    let mut open = way.clone();
                    open.conditions.extend(&blocked);
                    ways.extend(self.block(terms, part, open, label, ahead)?);
                    if index + 1 < parts.len() {
                        let bare = Way { conditions: Vec::new(), ..way.clone() };
                        let possible = self.block(terms, part, bare, None, Ahead { post: None, ..ahead })?;
                        blocked.push(none_of(terms, possible));
                    }
                }
                parted(terms, &way, ways, ahead)
            }
        };
        few(&ways)?;
        Ok(ways)
    }

    fn call(
        &self,
        terms: &mut Terms,
        call: &Invocation,
        way: Way,
        label: Option<&[Term]>,
        ahead: Ahead<'_>,
    ) -> Result<Vec<Way>, TooLarge> {
        match label {
            Some(label) => self.labelled_call(terms, call, way, label, ahead),
            None => {
                let mut combinations: Vec<Vec<i64>> = vec![Vec::new()];
                for &(low, high) in &call.binders {
                    if MOST_COMBINATIONS < (high - low + 1).saturating_mul(combinations.len() as i64) {
                        return Err(TooLarge("a call within a priority has too many parameter values".to_owned()));
                    }
                    let extend =
                        |chosen: Vec<i64>| (low..=high).map(move |value| [chosen.clone(), vec![value]].concat());
                    combinations = combinations.into_iter().flat_map(extend).collect();
                }
                let mut ways = Vec::new();
                for values in combinations {
                    let argument = |actual: &Actual| match actual {
                        Actual::Constant(number) => *number,
                        Actual::Binder(binder) => values[*binder],
                    };
                    let arguments: Vec<i64> = call.arguments.iter().map(argument).collect();
                    let parameters: Vec<Term> = arguments.iter().map(|value| terms.int(*value)).collect();
                    ways.extend(self.happen(terms, call, &parameters, way.clone(), ahead)?);
                }
                Ok(ways)
            }
        }
    }

    /// Parameters are the arguments in the label.
    fn labelled_call(
        &self,
        terms: &mut Terms,
        call: &Invocation,
        mut way: Way,
        label: &[Term],
        ahead: Ahead<'_>,
    ) -> Result<Vec<Way>, TooLarge> {
        let begin = way.events * self.shape.stride();
        let cells = &label[begin..begin + self.shape.stride()];
        let number = terms.int(self.shape.action(&self.spec.actions()[call.action]) as i64 + 1);
        way.conditions.push(terms.eq(cells[0], number));
        let mut parameters = Vec::new();
        for (position, actual) in call.arguments.iter().enumerate() {
            let cell = cells[position + 1];
            parameters.push(cell);
            let fact = match actual {
                Actual::Constant(number) => {
                    let number = terms.int(*number);
                    terms.eq(cell, number)
                }
                Actual::Binder(binder) => match call.arguments.iter().position(|other| other == actual) {
                    Some(first) if first < position => terms.eq(cell, cells[first + 1]),
                    _ => within(terms, cell, call.binders[*binder].0, call.binders[*binder].1),
                },
            };
            way.conditions.push(fact);
        }
        let zero = terms.int(0);
        way.conditions.extend(cells[call.arguments.len() + 1..].iter().map(|cell| terms.eq(*cell, zero)));
        self.happen(terms, call, &parameters, way, ahead)
    }

    fn happen(
        &self,
        terms: &mut Terms,
        call: &Invocation,
        parameters: &[Term],
        mut way: Way,
        ahead: Ahead<'_>,
    ) -> Result<Vec<Way>, TooLarge> {
        let action = &self.spec.actions()[call.action];
        way.events += 1;
        require(terms, &action.guard, parameters, &mut way)?;
        command(terms, &action.body, parameters, way, ahead)
    }
}

fn few(ways: &[Way]) -> Result<(), TooLarge> {
    if ways.len() <= MOST_WAYS { Ok(()) } else { Err(TooLarge(format!("more than {MOST_WAYS} ways through a step"))) }
}

/// The fact that no way can be gone.
fn none_of(terms: &mut Terms, ways: Vec<Way>) -> Term {
    let possible: Vec<Term> = ways.into_iter().map(|way| terms.and(&way.conditions)).collect();
    let any = terms.or(&possible);
    terms.not(any)
}

/// Marks the slots that a command may assign.
fn assigns(root: &Command, assigned: &mut [bool]) {
    match root {
        Command::Skip => {}
        Command::Assign(slot, _) => assigned[*slot] = true,
        Command::AssignElement { first, length, .. } => assigned[*first..*first + *length].fill(true),
        Command::Together(parts) | Command::Sequence(parts) | Command::Choice(parts) | Command::Priority(parts) => {
            parts.iter().for_each(|part| assigns(part, assigned));
        }
        Command::Guarded(_, body) | Command::Any { body, .. } => assigns(body, assigned),
    }
}

/// Ways that parted behind `before`. Slots that one of them assigned and that nothing later assigns have their last value;
/// after that, ways may have met.
fn parted(terms: &mut Terms, before: &Way, mut ways: Vec<Way>, ahead: Ahead<'_>) -> Vec<Way> {
    let Some(post) = ahead.post.filter(|_| 1 < ways.len()) else { return ways };
    let differs = |slot: &usize| ways.iter().any(|way| way.state[*slot] != before.state[*slot]);
    let last: Vec<usize> = (0..post.len()).filter(|slot| !ahead.assigned[*slot]).filter(differs).collect();
    for way in &mut ways {
        for &slot in &last {
            way.conditions.push(terms.eq(post[slot], way.state[slot]));
            way.state[slot] = post[slot];
        }
    }
    met(terms, ways, ahead)
}

/// Makes one way of those that are in the same state after as many events.
fn met(terms: &mut Terms, ways: Vec<Way>, ahead: Ahead<'_>) -> Vec<Way> {
    if ahead.post.is_none() || ways.len() < 2 {
        return ways;
    }
    let mut groups: IndexMap<(usize, Vec<Term>), Vec<Vec<Term>>> = IndexMap::new();
    for Way { conditions, state, events } in ways {
        groups.entry((events, state)).or_default().push(conditions);
    }
    let one = |((events, state), mut all): ((usize, Vec<Term>), Vec<Vec<Term>>)| {
        let first = all.swap_remove(0);
        if all.is_empty() {
            return Way { conditions: first, state, events };
        }
        all.push(first);
        let shortest = all.iter().map(Vec::len).min().unwrap_or(0);
        let common = (0..shortest).take_while(|&place| all.iter().all(|one| one[place] == all[0][place])).count();
        let mut conditions = all[0][..common].to_vec();
        let choices: Vec<Term> = all.iter().map(|one| terms.and(&one[common..])).collect();
        conditions.push(terms.or(&choices));
        Way { conditions, state, events }
    };
    groups.into_iter().map(one).collect()
}

/// Carries out an assignment whose index and value are read in the state `before`.
fn assignment(
    terms: &mut Terms,
    root: &Command,
    parameters: &[Term],
    before: &[Term],
    way: &mut Way,
) -> Result<(), TooLarge> {
    match root {
        Command::Assign(slot, value) => {
            let value = number(terms, value, parameters, before)?;
            way.conditions.extend(value.when);
            way.state[*slot] = value.value;
        }
        Command::AssignElement { first, low, length, index, value } => {
            let index = number(terms, index, parameters, before)?;
            let value = number(terms, value, parameters, before)?;
            way.conditions.extend(index.when);
            way.conditions.extend(value.when);
            way.conditions.push(within(terms, index.value, *low, *low + *length as i64 - 1));
            small(*length)?;
            for cell in 0..*length {
                let place = terms.int(*low + cell as i64);
                let here = terms.eq(index.value, place);
                way.state[*first + cell] = terms.ite(here, value.value, way.state[*first + cell]);
            }
        }
        other => unreachable!("{other:?} is not an assignment"),
    }
    Ok(())
}

fn command(
    terms: &mut Terms,
    root: &Command,
    parameters: &[Term],
    mut way: Way,
    ahead: Ahead<'_>,
) -> Result<Vec<Way>, TooLarge> {
    let ways = match root {
        Command::Skip => vec![way],
        Command::Together(parts) => {
            // Each reads the state before all of them.
            let before = way.state.clone();
            for part in parts {
                assignment(terms, part, parameters, &before, &mut way)?;
            }
            vec![way]
        }
        Command::Any { low, high, body } => {
            if MOST_COMBINATIONS <= high - low {
                return Err(TooLarge("a local name has too many values".to_owned()));
            }
            let mut ways = Vec::new();
            for value in *low..=*high {
                let inner = [parameters, &[terms.int(value)]].concat();
                ways.extend(command(terms, body, &inner, way.clone(), ahead)?);
                few(&ways)?;
            }
            parted(terms, &way, ways, ahead)
        }
        Command::Assign(..) | Command::AssignElement { .. } => {
            let before = way.state.clone();
            assignment(terms, root, parameters, &before, &mut way)?;
            vec![way]
        }
        Command::Sequence(parts) => {
            let mut ways = vec![way];
            for (index, part) in parts.iter().enumerate() {
                let mut assigned = ahead.assigned.to_vec();
                parts[index + 1..].iter().for_each(|later| assigns(later, &mut assigned));
                let here = Ahead { assigned: &assigned, ..ahead };
                let mut next = Vec::new();
                for way in ways {
                    next.extend(command(terms, part, parameters, way, here)?);
                    few(&next)?;
                }
                ways = met(terms, next, here);
            }
            ways
        }
        Command::Choice(parts) => {
            let mut ways = Vec::new();
            for part in parts {
                ways.extend(command(terms, part, parameters, way.clone(), ahead)?);
            }
            parted(terms, &way, ways, ahead)
        }
        Command::Priority(parts) => {
            let mut ways = Vec::new();
            let mut blocked = Vec::new();
            for part in parts {
                let mut open = way.clone();
                open.conditions.extend(&blocked);
                ways.extend(command(terms, part, parameters, open, ahead)?);
                let bare = Way { conditions: Vec::new(), ..way.clone() };
                let possible = command(terms, part, parameters, bare, Ahead { post: None, ..ahead })?;
                blocked.push(none_of(terms, possible));
            }
            parted(terms, &way, ways, ahead)
        }
        Command::Guarded(guard, body) => {
            require(terms, guard, parameters, &mut way)?;
            command(terms, body, parameters, way, ahead)?
        }
    };
    few(&ways)?;
    Ok(ways)
}

/// Adds a condition, and that it is defined, to a way.
fn require(terms: &mut Terms, root: &Condition, parameters: &[Term], way: &mut Way) -> Result<(), TooLarge> {
    if let Condition::Connect(Connective::And, parts) = root {
        return parts.iter().try_for_each(|part| require(terms, part, parameters, way));
    }
    let truth = condition(terms, root, parameters, &way.state)?;
    way.conditions.extend(truth.when);
    way.conditions.push(truth.value);
    Ok(())
}

fn both(terms: &mut Terms, left: Option<Term>, right: Option<Term>) -> Option<Term> {
    match (left, right) {
        (Some(left), Some(right)) => Some(terms.and(&[left, right])),
        (one, None) | (None, one) => one,
    }
}

fn condition(terms: &mut Terms, root: &Condition, parameters: &[Term], state: &[Term]) -> Result<Defined, TooLarge> {
    Ok(match root {
        Condition::Truth(truth) => Defined { value: terms.bool(*truth), when: None },
        Condition::Not(inner) => {
            let inner = condition(terms, inner, parameters, state)?;
            Defined { value: terms.not(inner.value), when: inner.when }
        }
        Condition::Compare(comparison, left, right) => {
            let left = number(terms, left, parameters, state)?;
            let right = number(terms, right, parameters, state)?;
            let when = both(terms, left.when, right.when);
            Defined { value: compare(terms, *comparison, left.value, right.value), when }
        }
        Condition::Connect(connective, parts) => {
            let mut values = Vec::new();
            for part in parts {
                values.push(condition(terms, part, parameters, state)?);
            }
            connect(terms, *connective, values)
        }
    })
}

fn connect(terms: &mut Terms, connective: Connective, parts: Vec<Defined>) -> Defined {
    let values: Vec<Term> = parts.iter().map(|part| part.value).collect();
    let value = match connective {
        Connective::And => terms.and(&values),
        Connective::Or => terms.or(&values),
        Connective::Xor => values[1..].iter().fold(values[0], |odd, value| terms.xor(odd, *value)),
        Connective::Implies => terms.implies(values[0], values[1]),
        Connective::ImpliedBy => terms.implies(values[1], values[0]),
        Connective::Iff => terms.eq(values[0], values[1]),
    };
    let mut when = None;
    for (index, part) in parts.iter().enumerate() {
        let Some(defined) = part.when else { continue };
        // A part that is not looked at need not be defined.
        let looked_at = match connective {
            Connective::And | Connective::Implies => Some(terms.and(&values[..index])),
            Connective::Or | Connective::ImpliedBy => {
                let earlier = terms.or(&values[..index]);
                Some(terms.not(earlier))
            }
            Connective::Xor | Connective::Iff => None,
        };
        let needed = looked_at.map_or(defined, |looked_at| terms.implies(looked_at, defined));
        when = both(terms, when, Some(needed));
    }
    Defined { value, when }
}

fn compare(terms: &mut Terms, comparison: Comparison, left: Term, right: Term) -> Term {
    match comparison {
        Comparison::Equal => terms.eq(left, right),
        Comparison::Different => {
            let same = terms.eq(left, right);
            terms.not(same)
        }
        Comparison::Less => terms.app(Op::Lt, &[left, right]),
        Comparison::AtMost => terms.app(Op::Le, &[left, right]),
        Comparison::Greater => terms.app(Op::Gt, &[left, right]),
        Comparison::AtLeast => terms.app(Op::Ge, &[left, right]),
    }
}

fn small(length: usize) -> Result<(), TooLarge> {
    if length <= MOST_CELLS { Ok(()) } else { Err(TooLarge(format!("an array of more than {MOST_CELLS} cells"))) }
}

fn number(terms: &mut Terms, root: &Number, parameters: &[Term], state: &[Term]) -> Result<Defined, TooLarge> {
    Ok(match root {
        Number::Constant(number) => Defined { value: terms.int(*number), when: None },
        Number::Slot(slot) => Defined { value: state[*slot], when: None },
        Number::Parameter(parameter) => Defined { value: parameters[*parameter], when: None },
        Number::Element { first, low, length, index } => {
            small(*length)?;
            let index = number(terms, index, parameters, state)?;
            let inside = within(terms, index.value, *low, *low + *length as i64 - 1);
            let mut value = state[*first];
            for cell in 1..*length {
                let place = terms.int(*low + cell as i64);
                let here = terms.eq(index.value, place);
                value = terms.ite(here, state[*first + cell], value);
            }
            Defined { value, when: both(terms, index.when, Some(inside)) }
        }
        Number::Negate(inner) => {
            let inner = number(terms, inner, parameters, state)?;
            Defined { value: terms.app(Op::Neg, &[inner.value]), when: inner.when }
        }
        Number::Absolute(inner) => {
            let inner = number(terms, inner, parameters, state)?;
            Defined { value: terms.app(Op::Abs, &[inner.value]), when: inner.when }
        }
        Number::Arithmetic(operator, left, right) => {
            let left = number(terms, left, parameters, state)?;
            let right = number(terms, right, parameters, state)?;
            let when = both(terms, left.when, right.when);
            arithmetic(terms, *operator, left.value, right.value, when)
        }
    })
}

fn arithmetic(terms: &mut Terms, operator: ArithmeticOp, left: Term, right: Term, when: Option<Term>) -> Defined {
    let plain = |terms: &mut Terms, op: Op| Defined { value: terms.app(op, &[left, right]), when };
    match operator {
        ArithmeticOp::Add => plain(terms, Op::Add),
        ArithmeticOp::Subtract => plain(terms, Op::Sub),
        ArithmeticOp::Multiply => plain(terms, Op::Mul),
        ArithmeticOp::Divide | ArithmeticOp::Modulo => {
            let op = if operator == ArithmeticOp::Divide { Op::Div } else { Op::Mod };
            let zero = terms.int(0);
            let zero = terms.eq(right, zero);
            let nonzero = terms.not(zero);
            Defined { value: terms.app(op, &[left, right]), when: both(terms, when, Some(nonzero)) }
        }
        ArithmeticOp::Minimum | ArithmeticOp::Maximum => {
            let op = if operator == ArithmeticOp::Minimum { Op::Le } else { Op::Ge };
            let first = terms.app(op, &[left, right]);
            Defined { value: terms.ite(first, left, right), when }
        }
    }
}
