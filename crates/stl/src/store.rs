//! Formulas: a hash-consed store in which equal formulas are one.
//!
//! A formula, its mutants and its coverage predicates live in one store, so that what they share is monitored and encoded
//! once, and duplicates are found by comparing numbers. Operands always stand before what uses them.

use indexmap::IndexSet;
use value::RBig;

/// A formula of a [`Store`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(pub u32);

/// A signal of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SignalId(pub u32);

/// What a formula is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Always true, or always false.
    Constant(bool),
    /// A Boolean signal.
    Signal(SignalId),
    /// A linear comparison.
    Compare(Comparison),
    /// Negation.
    Not(Formula),
    /// Conjunction.
    And(Formula, Formula),
    /// Disjunction.
    Or(Formula, Formula),
    /// Implication.
    Implies(Formula, Formula),
    /// After exactly this much time.
    Next(RBig, Formula),
    /// At some time in the window.
    Finally(Window, Formula),
    /// At all times in the window.
    Globally(Window, Formula),
    /// The second at some time in the window, the first at all times before.
    Until(Window, Formula, Formula),
    /// The dual of until: the second at all times in the window that the first has not come before.
    Release(Window, Formula, Formula),
    /// At some time that lies so far back; before time zero there is none.
    Once(Window, Formula),
    /// At all times that lie so far back.
    Historically(Window, Formula),
    /// The second at some time that lies so far back, the first at all times since, now included.
    Since(Window, Formula, Formula),
}

/// A window of time, relative to now.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Window {
    /// The lower bound; not negative.
    pub lower: RBig,
    /// The upper bound; none if infinite.
    pub upper: Option<RBig>,
}

/// `2*x - y <= 3`: a linear form, a relation, a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Comparison {
    /// The signals with their coefficients, none zero, each signal once.
    pub form: Vec<(RBig, SignalId)>,
    /// The relation.
    pub relation: Relation,
    /// The number.
    pub bound: RBig,
}

/// A relation between numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

/// Formulas, each once.
#[derive(Clone, Debug, Default)]
pub struct Store {
    nodes: IndexSet<Node, rustc_hash::FxBuildHasher>,
}

impl Store {
    /// The formula with this node.
    pub fn add(&mut self, node: Node) -> Formula {
        debug_assert!(node.args().iter().all(|arg| (arg.0 as usize) < self.nodes.len()), "operands come first");
        let (place, _) = self.nodes.insert_full(node);
        Formula(u32::try_from(place).expect("fewer than 2^32 formulas"))
    }

    /// The node of a formula.
    pub fn node(&self, formula: Formula) -> &Node {
        self.nodes.get_index(formula.0 as usize).expect("a formula of this store")
    }

    /// The number of formulas.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What some formulas are made of, themselves included, operands before what uses them.
    pub fn below(&self, roots: &[Formula]) -> Vec<Formula> {
        let mut needed = vec![false; self.nodes.len()];
        roots.iter().for_each(|root| needed[root.0 as usize] = true);
        // Going down once is enough, since operands come first.
        for place in (0..self.nodes.len()).rev() {
            if needed[place] {
                self.mark(place, &mut needed);
            }
        }
        (0..self.nodes.len()).filter(|&place| needed[place]).map(|place| Formula(place as u32)).collect()
    }

    fn mark(&self, place: usize, needed: &mut [bool]) {
        self.node(Formula(place as u32)).args().iter().for_each(|arg| needed[arg.0 as usize] = true);
    }

    /// `!formula`, without a double negation.
    pub fn not(&mut self, formula: Formula) -> Formula {
        match *self.node(formula) {
            Node::Not(inner) => inner,
            _ => self.add(Node::Not(formula)),
        }
    }

    /// `left & right`.
    pub fn and(&mut self, left: Formula, right: Formula) -> Formula {
        self.add(Node::And(left, right))
    }

    /// Whether some operator looks ahead without an end.
    pub fn is_unbounded(&self, root: Formula) -> bool {
        self.below(&[root]).into_iter().any(|formula| self.node(formula).is_open_ended())
    }
}

impl Node {
    /// The operands.
    pub fn args(&self) -> Vec<Formula> {
        match *self {
            Node::Constant(_) | Node::Signal(_) | Node::Compare(_) => Vec::new(),
            Node::Not(arg)
            | Node::Next(_, arg)
            | Node::Finally(_, arg)
            | Node::Globally(_, arg)
            | Node::Once(_, arg)
            | Node::Historically(_, arg) => vec![arg],
            Node::And(left, right)
            | Node::Or(left, right)
            | Node::Implies(left, right)
            | Node::Until(_, left, right)
            | Node::Release(_, left, right)
            | Node::Since(_, left, right) => vec![left, right],
        }
    }

    /// The same operator with other operands.
    pub fn with_args(&self, args: &[Formula]) -> Node {
        match self {
            Node::Constant(_) | Node::Signal(_) | Node::Compare(_) => self.clone(),
            Node::Not(_) => Node::Not(args[0]),
            Node::Next(time, _) => Node::Next(time.clone(), args[0]),
            Node::Finally(window, _) => Node::Finally(window.clone(), args[0]),
            Node::Globally(window, _) => Node::Globally(window.clone(), args[0]),
            Node::And(..) => Node::And(args[0], args[1]),
            Node::Or(..) => Node::Or(args[0], args[1]),
            Node::Implies(..) => Node::Implies(args[0], args[1]),
            Node::Until(window, ..) => Node::Until(window.clone(), args[0], args[1]),
            Node::Release(window, ..) => Node::Release(window.clone(), args[0], args[1]),
            Node::Once(window, _) => Node::Once(window.clone(), args[0]),
            Node::Historically(window, _) => Node::Historically(window.clone(), args[0]),
            Node::Since(window, ..) => Node::Since(window.clone(), args[0], args[1]),
        }
    }

    /// The window, of operators that have one.
    pub fn window(&self) -> Option<&Window> {
        match self {
            Node::Finally(window, _)
            | Node::Globally(window, _)
            | Node::Until(window, ..)
            | Node::Release(window, ..)
            | Node::Once(window, _)
            | Node::Historically(window, _)
            | Node::Since(window, ..) => Some(window),
            Node::Constant(_)
            | Node::Signal(_)
            | Node::Compare(_)
            | Node::Not(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Implies(..)
            | Node::Next(..) => None,
        }
    }

    /// The same operator with another window; an operator that has none stays as it is.
    pub fn with_window(&self, window: Window) -> Node {
        match *self {
            Node::Finally(_, arg) => Node::Finally(window, arg),
            Node::Globally(_, arg) => Node::Globally(window, arg),
            Node::Until(_, left, right) => Node::Until(window, left, right),
            Node::Release(_, left, right) => Node::Release(window, left, right),
            Node::Once(_, arg) => Node::Once(window, arg),
            Node::Historically(_, arg) => Node::Historically(window, arg),
            Node::Since(_, left, right) => Node::Since(window, left, right),
            Node::Constant(_)
            | Node::Signal(_)
            | Node::Compare(_)
            | Node::Not(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Implies(..)
            | Node::Next(..) => self.clone(),
        }
    }

    /// Whether it looks back.
    pub fn is_past(&self) -> bool {
        matches!(self, Node::Once(..) | Node::Historically(..) | Node::Since(..))
    }

    /// Whether it looks ahead without an end.
    pub fn is_open_ended(&self) -> bool {
        !self.is_past() && self.window().is_some_and(|window| window.upper.is_none())
    }

    /// The times it is written with: the step of `N`, the ends of a window.
    pub fn bounds(&self) -> impl Iterator<Item = &RBig> + Clone {
        let next = if let Node::Next(time, _) = self { Some(time) } else { None };
        let window = self.window();
        next.into_iter()
            .chain(window.map(|window| &window.lower))
            .chain(window.and_then(|window| window.upper.as_ref()))
    }

    /// Whether this is an atomic proposition: a Boolean signal or a comparison.
    pub fn is_proposition(&self) -> bool {
        matches!(self, Node::Signal(_) | Node::Compare(_))
    }

    /// Whether this is a conjunction, disjunction or implication.
    pub fn is_logical(&self) -> bool {
        matches!(self, Node::And(..) | Node::Or(..) | Node::Implies(..))
    }
}

impl Window {
    /// The window from `lower` to `upper`.
    pub fn new(lower: RBig, upper: RBig) -> Window {
        Window { lower, upper: Some(upper) }
    }

    /// Whether no time lies in it.
    pub fn is_empty(&self) -> bool {
        self.upper.as_ref().is_some_and(|upper| *upper < self.lower)
    }
}

impl Relation {
    /// Every relation.
    pub const ALL: [Relation; 6] =
        [Relation::Equal, Relation::NotEqual, Relation::Greater, Relation::AtLeast, Relation::Less, Relation::AtMost];

    /// The relation that holds exactly when this one does not.
    pub fn opposite(self) -> Relation {
        match self {
            Relation::Less => Relation::AtLeast,
            Relation::AtMost => Relation::Greater,
            Relation::Greater => Relation::AtMost,
            Relation::AtLeast => Relation::Less,
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
        }
    }

    /// The relation after both sides changed their sign.
    pub fn mirrored(self) -> Relation {
        match self {
            Relation::Less => Relation::Greater,
            Relation::AtMost => Relation::AtLeast,
            Relation::Greater => Relation::Less,
            Relation::AtLeast => Relation::AtMost,
            Relation::Equal => Relation::Equal,
            Relation::NotEqual => Relation::NotEqual,
        }
    }

    /// Whether it holds of two numbers in this order.
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Relation::Less => order.is_lt(),
            Relation::AtMost => order.is_le(),
            Relation::Greater => order.is_gt(),
            Relation::AtLeast => order.is_ge(),
            Relation::Equal => order.is_eq(),
            Relation::NotEqual => order.is_ne(),
        }
    }

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::Greater => ">",
            Relation::AtLeast => ">=",
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
        }
    }
}
