//! A value function at one slot: what every node gives, when it is evaluated, and when it is undefined.

use smt::{Op, Term, Terms};
use tessla::Operator;
use tessla::core::{Function, Node, NodeId, NodeKind};
use tessla::types::Type;
use value::IBig;

use super::datum::{Datum, Shape, Texts};
use super::gate;

/// A function applied to the arguments of one slot.
#[derive(Clone, Debug)]
pub(super) struct Applied {
    /// What each node gives.
    pub(super) values: Vec<Datum>,
    /// When each node is evaluated: not when a decision passes it by.
    pub(super) reached: Vec<Term>,
    /// When a partial operator is evaluated outside its domain.
    pub(super) undefined: Vec<(NodeId, Term)>,
}

/// When conditionals of a function take the branch they do not choose, by node; none is turned where nothing is said.
pub(super) type Turns<'a> = &'a [(NodeId, Term)];

/// What an application depends on besides its arguments.
pub(super) struct Context<'a> {
    /// The texts of the specification.
    pub(super) texts: &'a Texts,
    /// For each node, the greatest number that must be told from greater ones.
    pub(super) ceilings: &'a [Option<IBig>],
    /// The conditionals that are turned.
    pub(super) turns: Turns<'a>,
}

/// Applies a function where `trigger` holds.
pub(super) fn apply(
    terms: &mut Terms,
    context: &Context<'_>,
    function: &Function,
    arguments: &[Datum],
    trigger: Term,
) -> Applied {
    let Context { texts, ceilings, turns } = *context;
    let mut values: Vec<Datum> = Vec::with_capacity(function.nodes.len());
    let mut domains: Vec<Option<Term>> = Vec::with_capacity(function.nodes.len());
    for (index, node) in function.nodes.iter().enumerate() {
        let (value, domain) = match &node.kind {
            NodeKind::If { condition, then, otherwise } => {
                let chosen = choice(terms, &values, NodeId(index as u32), *condition, turns);
                let (then, otherwise) = (&values[then.0 as usize], &values[otherwise.0 as usize]);
                (Datum::choose(terms, chosen, then, otherwise), None)
            }
            _ => compute(terms, texts, function, node, arguments, &values),
        };
        let value = match &ceilings[index] {
            Some(ceiling) => Datum::Scalar(at_most_beyond(terms, value.scalar(), ceiling)),
            None => value,
        };
        values.push(value);
        domains.push(domain);
    }
    let reached = reached(terms, function, &values, trigger, turns);
    let mut undefined = Vec::new();
    for (index, domain) in domains.into_iter().enumerate() {
        if let Some(domain) = domain {
            let outside = gate::not(terms, domain);
            let happens = gate::and(terms, &[reached[index], outside]);
            if gate::truth(terms, happens) != Some(false) {
                undefined.push((NodeId(index as u32), happens));
            }
        }
    }
    Applied { values, reached, undefined }
}

/// A number, or the one after the ceiling if it is greater still.
fn at_most_beyond(terms: &mut Terms, number: Term, ceiling: &IBig) -> Term {
    let (most, beyond) = (terms.int(ceiling.clone()), terms.int(ceiling + IBig::ONE));
    let below = terms.app(Op::Le, &[number, most]);
    terms.ite(below, number, beyond)
}

/// Whether a conditional takes its first branch.
fn choice(terms: &mut Terms, values: &[Datum], node: NodeId, condition: NodeId, turns: Turns<'_>) -> Term {
    let holds = values[condition.0 as usize].scalar();
    match turns.iter().find(|(turned, _)| *turned == node) {
        None => holds,
        Some(&(_, turned)) => {
            let fails = gate::not(terms, holds);
            gate::choose(terms, turned, fails, holds)
        }
    }
}

/// When each node is evaluated, from the root down: some user evaluates it.
fn reached(terms: &mut Terms, function: &Function, values: &[Datum], trigger: Term, turns: Turns<'_>) -> Vec<Term> {
    let mut uses: Vec<Vec<Term>> = vec![Vec::new(); function.nodes.len()];
    uses[function.root.0 as usize].push(trigger);
    let mut reached = vec![terms.bool(false); function.nodes.len()];
    for index in (0..function.nodes.len()).rev() {
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
                let holds = values[left.0 as usize].scalar();
                used(*left, here);
                used(*right, gate::and(terms, &[here, holds]));
            }
            NodeKind::Or(left, right) => {
                let fails = gate::not(terms, values[left.0 as usize].scalar());
                used(*left, here);
                used(*right, gate::and(terms, &[here, fails]));
            }
            other => other.operands().into_iter().for_each(|operand| used(operand, here)),
        }
    }
    reached
}

/// What a node gives, and where it is defined if it is partial.
fn compute(
    terms: &mut Terms,
    texts: &Texts,
    function: &Function,
    node: &Node,
    arguments: &[Datum],
    values: &[Datum],
) -> (Datum, Option<Term>) {
    let value = |id: &NodeId| &values[id.0 as usize];
    let total = |datum: Datum| (datum, None);
    match &node.kind {
        NodeKind::Constant(constant) => total(shape(node).constant(terms, texts, constant)),
        NodeKind::Parameter(position) => total(arguments[*position as usize].clone()),
        NodeKind::If { .. } => unreachable!("conditionals are applied with their turns"),
        NodeKind::And(left, right) => {
            total(Datum::Scalar(gate::and(terms, &[value(left).scalar(), value(right).scalar()])))
        }
        NodeKind::Or(left, right) => {
            total(Datum::Scalar(gate::or(terms, &[value(left).scalar(), value(right).scalar()])))
        }
        NodeKind::Apply(operator, operands) => {
            let operands: Vec<&Datum> = operands.iter().map(value).collect();
            operation(terms, *operator, &operands)
        }
        NodeKind::Object(members) => total(Datum::Object(members.iter().map(|member| value(member).clone()).collect())),
        NodeKind::Member(object, name) => total(member(value(object), &function.node(*object).sort, name)),
        NodeKind::Call(..) | NodeKind::Fold { .. } => unreachable!("`supported` has ruled this out"),
    }
}

fn shape(node: &Node) -> Shape {
    Shape::of(&node.sort).expect("`supported` has ruled other types out")
}

fn member(object: &Datum, of: &Type, name: &str) -> Datum {
    let (Datum::Object(members), Type::Object(of)) = (object, of) else { unreachable!("the checker found an object") };
    let position = of.members.iter().position(|(member, _)| &**member == name);
    members[position.expect("the checker found the member")].clone()
}

/// What an operator gives, and where it is defined if it is partial.
fn operation(terms: &mut Terms, operator: Operator, operands: &[&Datum]) -> (Datum, Option<Term>) {
    let scalar = |position: usize| operands[position].scalar();
    let mut plain = |op: Op, arguments: &[Term]| (Datum::Scalar(terms.app(op, arguments)), None);
    match operator {
        Operator::Negate => plain(Op::Neg, &[scalar(0)]),
        Operator::Add => plain(Op::Add, &[scalar(0), scalar(1)]),
        Operator::Subtract => plain(Op::Sub, &[scalar(0), scalar(1)]),
        Operator::Multiply => plain(Op::Mul, &[scalar(0), scalar(1)]),
        Operator::Less => plain(Op::Lt, &[scalar(0), scalar(1)]),
        Operator::LessEqual => plain(Op::Le, &[scalar(0), scalar(1)]),
        Operator::Greater => plain(Op::Gt, &[scalar(0), scalar(1)]),
        Operator::GreaterEqual => plain(Op::Ge, &[scalar(0), scalar(1)]),
        Operator::Not => (Datum::Scalar(gate::not(terms, scalar(0))), None),
        Operator::Equal => (Datum::Scalar(Datum::equal(terms, operands[0], operands[1])), None),
        Operator::NotEqual => {
            let same = Datum::equal(terms, operands[0], operands[1]);
            (Datum::Scalar(gate::not(terms, same)), None)
        }
        Operator::Some => (Datum::Option(terms.bool(true), Box::new(operands[0].clone())), None),
        Operator::IsNone => (Datum::Scalar(gate::not(terms, operands[0].option().0)), None),
        Operator::GetSome => {
            let (some, value) = operands[0].option();
            (value.clone(), Some(some))
        }
        Operator::Divide => {
            let (quotient, domain) = (truncated(terms, scalar(0), scalar(1)), nonzero(terms, scalar(1)));
            (Datum::Scalar(quotient), Some(domain))
        }
        Operator::Modulo => {
            let quotient = truncated(terms, scalar(0), scalar(1));
            let product = terms.app(Op::Mul, &[quotient, scalar(1)]);
            let remainder = terms.app(Op::Sub, &[scalar(0), product]);
            (Datum::Scalar(remainder), Some(nonzero(terms, scalar(1))))
        }
        other => unreachable!("`supported` has ruled out {}", other.name()),
    }
}

/// Whether the encoding has the operator.
pub(super) fn has(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Negate
            | Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::Modulo
            | Operator::Less
            | Operator::LessEqual
            | Operator::Greater
            | Operator::GreaterEqual
            | Operator::Not
            | Operator::Equal
            | Operator::NotEqual
            | Operator::Some
            | Operator::IsNone
            | Operator::GetSome
    )
}

fn nonzero(terms: &mut Terms, number: Term) -> Term {
    let zero = terms.int(0);
    let is_zero = gate::equal(terms, number, zero);
    gate::not(terms, is_zero)
}

/// The quotient rounded towards zero: SMT-LIB's rounds so that the remainder is never negative.
fn truncated(terms: &mut Terms, dividend: Term, divisor: Term) -> Term {
    let zero = terms.int(0);
    let negative = terms.app(Op::Lt, &[dividend, zero]);
    let opposite = terms.app(Op::Neg, &[dividend]);
    let (straight, turned) = (terms.app(Op::Div, &[dividend, divisor]), terms.app(Op::Div, &[opposite, divisor]));
    let back = terms.app(Op::Neg, &[turned]);
    terms.ite(negative, back, straight)
}
