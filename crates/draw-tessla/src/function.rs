//! A value function at one slot: what every node gives, when it is evaluated, and when it is undefined.
//!
//! Recursive functions and folds are unrolled: every call is an application of its own, as deep as the [room](super::Room) allows. What
//! would go deeper *overflows*, as do collections with more elements than there are places.

use smt::{Op, Term, Terms};
use tessla::Operator;
use tessla::core::{Function, FunctionId, Node, NodeId, NodeKind, Spec};
use tessla::types::Type;
use value::IBig;

use super::Room;
use super::ceiling::Ceilings;
use super::collection::{self, Item, Kind};
use super::datum::{Datum, Shape, Texts};
use super::gate;
use super::grid::SlotTurns;
use super::integer;

/// A function applied to the arguments of one slot.
#[derive(Clone, Debug)]
pub(super) struct Applied {
    /// Which one.
    pub(super) function: FunctionId,
    /// What each node gives; nothing in particular where none can be evaluated.
    pub(super) values: Vec<Datum>,
    /// When each node is evaluated: not when a decision passes it by.
    pub(super) reached: Vec<Term>,
    /// When a partial operator is evaluated outside its domain.
    pub(super) undefined: Vec<(NodeId, Term)>,
    /// When something is evaluated that does not fit.
    pub(super) overflows: Vec<Term>,
    /// The applications of other functions, or of itself.
    pub(super) calls: Vec<Applied>,
}

impl Applied {
    /// This application and all below it.
    pub(super) fn all(&self) -> impl Iterator<Item = &Applied> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let next = open.pop()?;
            open.extend(next.calls.iter().rev());
            Some(next)
        })
    }
}

/// When conditionals of a function take the branch they do not choose, by node; none is turned where nothing is said.
type Turns<'a> = &'a [(NodeId, Term)];

/// What applications at one slot depend on besides their arguments.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The functions.
    pub(super) spec: &'a Spec,
    /// The texts of the specification.
    pub(super) texts: &'a Texts,
    /// Up to where numbers are told apart.
    pub(super) ceilings: &'a Ceilings,
    /// The conditionals that are turned.
    pub(super) turns: Option<&'a SlotTurns>,
    /// How large values may be, and how deep calls.
    pub(super) room: Room,
}

impl<'a> Context<'a> {
    fn turns(&self, function: FunctionId) -> Turns<'a> {
        self.turns.map_or(&[], |turns| &turns[function.0 as usize])
    }
}

/// Applies a function where `trigger` holds.
pub(super) fn apply(
    terms: &mut Terms,
    context: &Context<'_>,
    function: FunctionId,
    arguments: &[Datum],
    trigger: Term,
) -> Applied {
    let mut applied = values(terms, context, function, arguments, context.room.depth);
    evaluate(terms, context, &mut applied, trigger);
    finished(terms, context, applied)
}

/// An application of which it is not yet known when its nodes are evaluated.
struct Draft {
    function: FunctionId,
    values: Vec<Option<Datum>>,
    /// Where each node is defined, if it is partial, and where it does not fit.
    limits: Vec<(Option<Term>, Option<Term>)>,
    /// The applications that a node makes, and under which condition each; none where all do.
    calls: Vec<(NodeId, Option<Term>, Draft)>,
    reached: Vec<Term>,
}

/// What the nodes give that can be evaluated: a condition that is known beforehand passes the other branch by. `depth` is how deep calls
/// may go from here.
fn values(terms: &mut Terms, context: &Context<'_>, id: FunctionId, arguments: &[Datum], depth: usize) -> Draft {
    let function = context.spec.function(id);
    let ceilings = context.ceilings.function(id);
    let count = function.nodes.len();
    let mut draft = Draft {
        function: id,
        values: vec![None; count],
        limits: vec![(None, None); count],
        calls: Vec::new(),
        reached: Vec::new(),
    };
    let mut open = vec![function.root];
    while let Some(&at) = open.last() {
        let index = at.0 as usize;
        if draft.values[index].is_some() {
            open.pop();
            continue;
        }
        let node = function.node(at);
        let missing = missing(terms, &draft.values, at, &node.kind, context.turns(id));
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        open.pop();
        let Computed { value, domain, overflow } = compute(terms, context, &mut draft, at, arguments, depth);
        draft.values[index] = Some(match &ceilings[index] {
            Some(ceiling) => Datum::Scalar(at_most_beyond(terms, value.scalar(), ceiling)),
            None => value,
        });
        draft.limits[index] = (domain, overflow);
    }
    draft
}

/// The operands whose values are not yet known and may be needed.
fn missing(terms: &mut Terms, values: &[Option<Datum>], at: NodeId, kind: &NodeKind, turns: Turns<'_>) -> Vec<NodeId> {
    let known = |node: &NodeId| values[node.0 as usize].is_some();
    let wanted = match kind {
        NodeKind::If { condition, .. } if !known(condition) => vec![*condition],
        NodeKind::If { condition, then, otherwise } => {
            let chosen = choice(terms, values, at, *condition, turns);
            match gate::truth(terms, chosen) {
                Some(true) => vec![*then],
                Some(false) => vec![*otherwise],
                None => vec![*then, *otherwise],
            }
        }
        NodeKind::And(left, _) | NodeKind::Or(left, _) if !known(left) => vec![*left],
        NodeKind::And(left, right) => match gate::truth(terms, scalar(values, *left)) {
            Some(false) => Vec::new(),
            Some(true) | None => vec![*right],
        },
        NodeKind::Or(left, right) => match gate::truth(terms, scalar(values, *left)) {
            Some(true) => Vec::new(),
            Some(false) | None => vec![*right],
        },
        NodeKind::Constant(_)
        | NodeKind::Parameter(_)
        | NodeKind::Apply(..)
        | NodeKind::Object(_)
        | NodeKind::Member(..)
        | NodeKind::Call(..)
        | NodeKind::Fold { .. } => kind.operands(),
    };
    wanted.into_iter().filter(|node| !known(node)).collect()
}

fn datum(values: &[Option<Datum>], node: NodeId) -> &Datum {
    values[node.0 as usize].as_ref().expect("operands are known before what they are operands of")
}

fn scalar(values: &[Option<Datum>], node: NodeId) -> Term {
    datum(values, node).scalar()
}

/// Finds out when the nodes of an application and of those below it are evaluated. Calls are not nested deeper than the room allows.
fn evaluate(terms: &mut Terms, context: &Context<'_>, draft: &mut Draft, trigger: Term) {
    let function = context.spec.function(draft.function);
    draft.reached = reached(terms, function, &draft.values, trigger, context.turns(draft.function));
    for (node, when, call) in &mut draft.calls {
        let mut parts = vec![draft.reached[node.0 as usize]];
        parts.extend(*when);
        let trigger = gate::and(terms, &parts);
        evaluate(terms, context, call, trigger);
    }
}

fn finished(terms: &mut Terms, context: &Context<'_>, draft: Draft) -> Applied {
    let Draft { function: id, values, limits, calls, reached } = draft;
    let (mut undefined, mut overflows) = (Vec::new(), Vec::new());
    for (index, (domain, overflow)) in limits.into_iter().enumerate() {
        if let Some(overflow) = overflow {
            let happens = gate::and(terms, &[reached[index], overflow]);
            if gate::truth(terms, happens) != Some(false) {
                overflows.push(happens);
            }
        }
        if let Some(domain) = domain {
            let outside = gate::not(terms, domain);
            let happens = gate::and(terms, &[reached[index], outside]);
            if gate::truth(terms, happens) != Some(false) {
                undefined.push((NodeId(index as u32), happens));
            }
        }
    }
    let nodes = &context.spec.function(id).nodes;
    let value =
        |(value, node): (Option<Datum>, &Node)| value.unwrap_or_else(|| shape(node, context.room.places).any(terms));
    let values = values.into_iter().zip(nodes).map(value).collect();
    let calls = calls.into_iter().map(|(_, _, call)| finished(terms, context, call)).collect();
    Applied { function: id, values, reached, undefined, overflows, calls }
}

/// A number, or the one after the ceiling if it is greater still.
fn at_most_beyond(terms: &mut Terms, number: Term, ceiling: &IBig) -> Term {
    let (most, beyond) = (terms.int(ceiling.clone()), terms.int(ceiling + IBig::ONE));
    let below = terms.app(Op::Le, &[number, most]);
    terms.ite(below, number, beyond)
}

/// Whether a conditional takes its first branch.
fn choice(terms: &mut Terms, values: &[Option<Datum>], node: NodeId, condition: NodeId, turns: Turns<'_>) -> Term {
    let holds = scalar(values, condition);
    match turns.iter().find(|(turned, _)| *turned == node) {
        None => holds,
        Some(&(_, turned)) => {
            let fails = gate::not(terms, holds);
            gate::choose(terms, turned, fails, holds)
        }
    }
}

/// When each node is evaluated, from the root down: some user evaluates it.
fn reached(
    terms: &mut Terms,
    function: &Function,
    values: &[Option<Datum>],
    trigger: Term,
    turns: Turns<'_>,
) -> Vec<Term> {
    let mut uses: Vec<Vec<Term>> = vec![Vec::new(); function.nodes.len()];
    uses[function.root.0 as usize].push(trigger);
    let mut reached = vec![terms.bool(false); function.nodes.len()];
    for index in (0..function.nodes.len()).rev() {
        if values[index].is_none() {
            continue;
        }
        let here = gate::or(terms, &std::mem::take(&mut uses[index]));
        reached[index] = here;
        let mut used = |operand: NodeId, when: Term| uses[operand.0 as usize].push(when);
        match &function.nodes[index].kind {
            NodeKind::If { condition, then, otherwise } => {
                let holds = choice(terms, values, NodeId(index as u32), *condition, turns);
                let fails = gate::not(terms, holds);
                used(*condition, here);
                used(*then, gate::and(terms, &[here, holds]));
                used(*otherwise, gate::and(terms, &[here, fails]));
            }
            NodeKind::And(left, right) => {
                let holds = scalar(values, *left);
                used(*left, here);
                used(*right, gate::and(terms, &[here, holds]));
            }
            NodeKind::Or(left, right) => {
                let fails = gate::not(terms, scalar(values, *left));
                used(*left, here);
                used(*right, gate::and(terms, &[here, fails]));
            }
            other => other.operands().into_iter().for_each(|operand| used(operand, here)),
        }
    }
    reached
}

/// What a node gives.
struct Computed {
    value: Datum,
    /// Where it is defined, if it is partial.
    domain: Option<Term>,
    /// Where a collection takes more places than there are.
    overflow: Option<Term>,
}

impl Computed {
    fn total(value: Datum) -> Computed {
        Computed { value, domain: None, overflow: None }
    }
}

fn compute(
    terms: &mut Terms,
    context: &Context<'_>,
    draft: &mut Draft,
    at: NodeId,
    arguments: &[Datum],
    depth: usize,
) -> Computed {
    let function = context.spec.function(draft.function);
    let node = function.node(at);
    let known = &draft.values;
    match &node.kind {
        NodeKind::Constant(constant) => {
            Computed::total(shape(node, context.room.places).constant(terms, context.texts, constant))
        }
        NodeKind::Parameter(position) => Computed::total(arguments[*position as usize].clone()),
        NodeKind::If { condition, then, otherwise } => {
            let chosen = choice(terms, known, at, *condition, context.turns(draft.function));
            Computed::total(match gate::truth(terms, chosen) {
                Some(true) => datum(known, *then).clone(),
                Some(false) => datum(known, *otherwise).clone(),
                None => Datum::choose(terms, chosen, datum(known, *then), datum(known, *otherwise)),
            })
        }
        NodeKind::And(left, right) => Computed::total(Datum::Scalar(match gate::truth(terms, scalar(known, *left)) {
            Some(false) => terms.bool(false),
            Some(true) | None => gate::and(terms, &[scalar(known, *left), scalar(known, *right)]),
        })),
        NodeKind::Or(left, right) => Computed::total(Datum::Scalar(match gate::truth(terms, scalar(known, *left)) {
            Some(true) => terms.bool(true),
            Some(false) | None => gate::or(terms, &[scalar(known, *left), scalar(known, *right)]),
        })),
        NodeKind::Apply(operator, operands) => {
            let operands: Vec<&Datum> = operands.iter().map(|&operand| datum(known, operand)).collect();
            operation(terms, *operator, &operands)
        }
        NodeKind::Object(members) => {
            Computed::total(Datum::Object(members.iter().map(|&member| datum(known, member).clone()).collect()))
        }
        NodeKind::Member(object, name) => {
            Computed::total(member(datum(known, *object), &function.node(*object).sort, name))
        }
        NodeKind::Call(..) | NodeKind::Fold { .. } if depth == 0 => Computed {
            value: shape(node, context.room.places).any(terms),
            domain: None,
            overflow: Some(terms.bool(true)),
        },
        NodeKind::Call(called, operands) => {
            let operands: Vec<Datum> = operands.iter().map(|&operand| datum(known, operand).clone()).collect();
            let call = values(terms, context, *called, &operands, depth - 1);
            let value = result(context, &call).clone();
            draft.calls.push((at, None, call));
            Computed::total(value)
        }
        NodeKind::Fold { collection, start, function, captures } => {
            let (kind, items) = datum(known, *collection).items();
            let (items, mut accumulator) = (items.to_vec(), datum(known, *start).clone());
            let captures: Vec<Datum> = captures.iter().map(|&capture| datum(known, capture).clone()).collect();
            for Item { present, value } in items {
                if gate::truth(terms, present) == Some(false) {
                    break;
                }
                let mut operands = vec![accumulator.clone()];
                match kind {
                    Kind::List | Kind::Set => operands.push(value),
                    Kind::Map => operands.extend([value.pair().0.clone(), value.pair().1.clone()]),
                }
                operands.extend(captures.iter().cloned());
                let call = values(terms, context, *function, &operands, depth - 1);
                accumulator = Datum::choose(terms, present, result(context, &call), &accumulator);
                draft.calls.push((at, Some(present), call));
            }
            Computed::total(accumulator)
        }
    }
}

fn result<'d>(context: &Context<'_>, draft: &'d Draft) -> &'d Datum {
    datum(&draft.values, context.spec.function(draft.function).root)
}

fn shape(node: &Node, places: usize) -> Shape {
    Shape::of(&node.sort, places).expect("`supported` has ruled other types out")
}

fn member(object: &Datum, of: &Type, name: &str) -> Datum {
    let (Datum::Object(members), Type::Object(of)) = (object, of) else { unreachable!("the checker found an object") };
    let position = of.members.iter().position(|(member, _)| &**member == name);
    members[position.expect("the checker found the member")].clone()
}

/// What an operator gives.
fn operation(terms: &mut Terms, operator: Operator, operands: &[&Datum]) -> Computed {
    if collection::has(operator) {
        let collection::Outcome { value, domain, overflow } = collection::operation(terms, operator, operands);
        return Computed { value, domain, overflow };
    }
    if integer::has(operator) {
        let (left, right) = (operands[0].scalar(), operands.get(1).map(|operand| operand.scalar()));
        let integer::Outcome { value, domain, overflow } = integer::operation(terms, operator, left, right);
        return Computed { value: Datum::Scalar(value), domain, overflow };
    }
    match operator {
        Operator::Not => Computed::total(Datum::Scalar(gate::not(terms, operands[0].scalar()))),
        Operator::Equal => Computed::total(Datum::Scalar(Datum::equal(terms, operands[0], operands[1]))),
        Operator::NotEqual => {
            let same = Datum::equal(terms, operands[0], operands[1]);
            Computed::total(Datum::Scalar(gate::not(terms, same)))
        }
        Operator::Some => Computed::total(Datum::Option(terms.bool(true), Box::new(operands[0].clone()))),
        Operator::IsNone => Computed::total(Datum::Scalar(gate::not(terms, operands[0].option().0))),
        Operator::GetSome => {
            let (some, value) = operands[0].option();
            Computed { value: value.clone(), domain: Some(some), overflow: None }
        }
        other => unreachable!("`supported` has ruled out {}", other.name()),
    }
}

/// Whether the encoding has the operator.
pub(super) fn has(operator: Operator) -> bool {
    collection::has(operator)
        || integer::has(operator)
        || matches!(
            operator,
            Operator::Not
                | Operator::Equal
                | Operator::NotEqual
                | Operator::Some
                | Operator::IsNone
                | Operator::GetSome
        )
}
