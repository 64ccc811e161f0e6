//! One copy of a decision's variables, as terms: expressions, conditions, and the value of every node.

use boolean::{Decision, ExprId, ExprKind, Operator, Spec};
use formula::{Connective, Formula, LeafId, Node, NodeId};
use smt::{Op, Term, Terms};

/// The terms of one copy.
pub(crate) struct Copy {
    /// The variables, in order of declaration.
    pub(crate) variables: Vec<Term>,
    /// The expressions.
    exprs: Vec<Term>,
    /// The conditions, leaf by leaf.
    pub(crate) leaves: Vec<Term>,
    /// The value of every node of the decision.
    pub(crate) nodes: Vec<Term>,
}

impl Copy {
    /// Copy number `number`: its variables are told apart from the other copies' by their names.
    pub(crate) fn new(terms: &mut Terms, spec: &Spec, decision: &Decision, number: usize) -> Copy {
        let symbol = |terms: &mut Terms, variable: &boolean::Variable| {
            terms.symbol(&format!("{}@{number}", variable.name), &variable.sort)
        };
        let variables: Vec<Term> = spec.variables.iter().map(|variable| symbol(terms, variable)).collect();
        let exprs = expressions(terms, spec, &variables);
        let atom = |condition: &boolean::Condition| exprs[condition.atom.0 as usize];
        let leaves: Vec<Term> = decision.conditions.iter().map(atom).collect();
        let nodes = node_values(terms, &decision.formula, &leaves);
        Copy { variables, exprs, leaves, nodes }
    }

    /// An expression of the specification in this copy.
    pub(crate) fn expr(&self, expr: ExprId) -> Term {
        self.exprs[expr.0 as usize]
    }

    /// The decision's value.
    pub(crate) fn outcome(&self) -> Term {
        *self.nodes.last().expect("a formula has a root")
    }

    /// Whether flipping some leaves together flips the decision.
    pub(crate) fn decides(&self, terms: &mut Terms, formula: &Formula, leaves: &[LeafId]) -> Term {
        let high = self.outcome_with(terms, formula, leaves, true);
        let low = self.outcome_with(terms, formula, leaves, false);
        terms.xor(high, low)
    }

    /// The decision's value if some of its leaves were constant.
    fn outcome_with(&self, terms: &mut Terms, formula: &Formula, leaves: &[LeafId], truth: bool) -> Term {
        let mut replaced = self.leaves.clone();
        for leaf in leaves {
            replaced[leaf.0 as usize] = terms.bool(truth);
        }
        *node_values(terms, formula, &replaced).last().expect("a formula has a root")
    }
}

fn expressions(terms: &mut Terms, spec: &Spec, variables: &[Term]) -> Vec<Term> {
    let mut exprs: Vec<Term> = Vec::with_capacity(spec.exprs.len());
    for expr in &spec.exprs {
        let term = match &expr.kind {
            ExprKind::Variable(variable) => variables[variable.0 as usize],
            ExprKind::Literal(value) => terms.constant(value.clone()),
            ExprKind::Apply { operator, indices, args } => {
                let args: Vec<Term> = args.iter().map(|arg| exprs[arg.0 as usize]).collect();
                application(terms, *operator, *indices, &args, &expr.sort)
            }
        };
        exprs.push(term);
    }
    exprs
}

/// An operator of decisions over terms. Chains of equalities and parities become binary.
fn application(terms: &mut Terms, operator: Operator, indices: [u32; 2], args: &[Term], sort: &value::Sort) -> Term {
    match operator {
        Operator::Eq => {
            let links: Vec<Term> = args.windows(2).map(|pair| terms.eq(pair[0], pair[1])).collect();
            terms.and(&links)
        }
        Operator::Xor => args[1..].iter().fold(args[0], |parity, &arg| terms.xor(parity, arg)),
        Operator::ConstArray => {
            let sort = terms.intern_sort(sort).index() as u32;
            terms.indexed(Op::ConstArray, [sort, 0], args)
        }
        _ => terms.indexed(op(operator), indices, args),
    }
}

/// The operator of terms with the same meaning.
fn op(operator: Operator) -> Op {
    macro_rules! same {
        ($($name:ident)*) => { match operator { $(Operator::$name => Op::$name,)* } };
    }
    same! {
        Not And Or Xor Implies Eq Distinct Ite Neg Add Sub Mul Div Mod Abs Divide Lt Le Gt Ge Divisible ToReal ToInt
        IsInt Concat Extract BvNot BvNeg BvAnd BvOr BvXor BvNand BvNor BvXnor BvComp BvAdd BvSub BvMul BvUdiv BvUrem
        BvSdiv BvSrem BvSmod BvShl BvLshr BvAshr Repeat ZeroExtend SignExtend RotateLeft RotateRight BvUlt BvUle BvUgt
        BvUge BvSlt BvSle BvSgt BvSge Select Store ConstArray BvToNat IntToBv
    }
}

/// The value of every node over the given values of the leaves.
fn node_values(terms: &mut Terms, formula: &Formula, leaves: &[Term]) -> Vec<Term> {
    let mut values: Vec<Term> = Vec::with_capacity(formula.len());
    for id in formula.ids() {
        let term = match formula.node(id) {
            Node::Constant(truth) => terms.bool(truth),
            Node::Leaf(leaf) => leaves[leaf.0 as usize],
            Node::Apply(connective) => {
                let args: Vec<Term> = formula.args(id).iter().map(|arg| values[arg.0 as usize]).collect();
                connect(terms, connective, &args)
            }
        };
        values.push(term);
    }
    values
}

fn connect(terms: &mut Terms, connective: Connective, args: &[Term]) -> Term {
    match connective {
        Connective::Not => terms.not(args[0]),
        Connective::And => terms.and(args),
        Connective::Or => terms.or(args),
        Connective::Xor => args[1..].iter().fold(args[0], |parity, &arg| terms.xor(parity, arg)),
        Connective::Implies => terms.implies(args[0], args[1]),
        Connective::Iff => {
            let links: Vec<Term> = args.windows(2).map(|pair| terms.eq(pair[0], pair[1])).collect();
            terms.and(&links)
        }
        Connective::Distinct => terms.app(Op::Distinct, args),
        Connective::Ite => terms.ite(args[0], args[1], args[2]),
    }
}

/// A step from a node up to its parent: what must hold for a flip of the node to flip the parent.
pub(crate) struct Passage {
    /// What must hold.
    pub(crate) term: Term,
    /// The sibling it speaks about.
    pub(crate) sibling: NodeId,
}

/// The parent of every node but the root.
pub(crate) fn parents(formula: &Formula) -> Vec<Option<NodeId>> {
    let mut parents = vec![None; formula.len()];
    for id in formula.ids() {
        for arg in formula.args(id) {
            parents[arg.0 as usize] = Some(id);
        }
    }
    parents
}

/// What must hold at `parent` for a flip of its argument `child` to flip it: one entry per sibling in the way.
pub(crate) fn passages(
    terms: &mut Terms,
    formula: &Formula,
    nodes: &[Term],
    child: NodeId,
    parent: NodeId,
) -> Vec<Passage> {
    let Node::Apply(connective) = formula.node(parent) else { unreachable!("only applications have arguments") };
    let args = formula.args(parent);
    let value = |id: NodeId| nodes[id.0 as usize];
    let siblings: Vec<NodeId> = args.iter().copied().filter(|&arg| arg != child).collect();
    let place = args.iter().position(|&arg| arg == child).expect("a child is among its parent's arguments");
    let passage = |term, sibling| Passage { term, sibling };
    match connective {
        Connective::Not | Connective::Xor => Vec::new(),
        Connective::And => siblings.iter().map(|&sibling| passage(value(sibling), sibling)).collect(),
        Connective::Or => siblings.iter().map(|&sibling| passage(terms.not(value(sibling)), sibling)).collect(),
        Connective::Implies if place == 0 => vec![passage(terms.not(value(args[1])), args[1])],
        Connective::Implies => vec![passage(value(args[0]), args[0])],
        Connective::Iff => {
            let links = siblings.windows(2).map(|pair| passage(terms.eq(value(pair[0]), value(pair[1])), pair[1]));
            links.collect()
        }
        Connective::Distinct if args.len() == 2 => Vec::new(),
        Connective::Distinct => vec![passage(terms.bool(false), siblings[0])],
        Connective::Ite => match place {
            0 => vec![passage(terms.xor(value(args[1]), value(args[2])), args[1])],
            1 => vec![passage(value(args[0]), args[0])],
            _ => vec![passage(terms.not(value(args[0])), args[0])],
        },
    }
}
