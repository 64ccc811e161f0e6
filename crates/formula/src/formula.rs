//! Formulas as trees in an arena: children before parents, every leaf exactly once.
//!
//! A leaf is an occurrence, not an atom: `a && b || a && c` has four leaves. Which atom a leaf shows is the business of
//! whoever built the formula.

use crate::Connective;

/// The number of a leaf, from 0 in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LeafId(pub u32);

/// The position of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// A truth constant.
    Constant(bool),
    /// An occurrence of an atom.
    Leaf(LeafId),
    /// A connective; its arguments are [`Formula::args`].
    Apply(Connective),
}

/// A Boolean formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    nodes: Vec<Node>,
    /// The first argument of each node in `args`; the next node's start is its end.
    starts: Vec<u32>,
    args: Vec<NodeId>,
    leaf_count: u32,
}

/// Builds a formula bottom-up. Each node but the last becomes the argument of exactly one later node.
#[derive(Clone, Debug, Default)]
pub struct FormulaBuilder {
    formula: Formula,
}

impl Default for Formula {
    fn default() -> Self {
        Formula { nodes: Vec::new(), starts: vec![0], args: Vec::new(), leaf_count: 0 }
    }
}

impl FormulaBuilder {
    /// Nothing built yet.
    pub fn new() -> FormulaBuilder {
        FormulaBuilder::default()
    }

    /// A truth constant.
    pub fn constant(&mut self, truth: bool) -> NodeId {
        self.push(Node::Constant(truth), &[])
    }

    /// The next leaf.
    pub fn leaf(&mut self) -> (NodeId, LeafId) {
        let leaf = LeafId(self.formula.leaf_count);
        self.formula.leaf_count += 1;
        (self.push(Node::Leaf(leaf), &[]), leaf)
    }

    /// A connective over nodes that are not an argument yet.
    pub fn apply(&mut self, connective: Connective, args: &[NodeId]) -> NodeId {
        self.push(Node::Apply(connective), args)
    }

    /// The number of nodes so far.
    pub fn len(&self) -> usize {
        self.formula.nodes.len()
    }

    /// Whether nothing was built yet.
    pub fn is_empty(&self) -> bool {
        self.formula.nodes.is_empty()
    }

    /// The formula whose root is the last node.
    pub fn finish(self) -> Formula {
        assert!(!self.is_empty(), "a formula has a root");
        self.formula
    }

    fn push(&mut self, node: Node, args: &[NodeId]) -> NodeId {
        let id = NodeId(u32::try_from(self.formula.nodes.len()).expect("fewer than 2^32 nodes"));
        self.formula.nodes.push(node);
        self.formula.args.extend_from_slice(args);
        self.formula.starts.push(self.formula.args.len() as u32);
        id
    }
}

impl Formula {
    /// The root: the last node.
    pub fn root(&self) -> NodeId {
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it is without any node; never for a finished formula.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of leaves.
    pub fn leaf_count(&self) -> usize {
        self.leaf_count as usize
    }

    /// The node at a position.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// The arguments of a node.
    pub fn args(&self, id: NodeId) -> &[NodeId] {
        let index = id.0 as usize;
        &self.args[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// All nodes, arguments before the nodes that use them.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The value of every node, where `leaves` holds the value of every leaf.
    pub fn values(&self, leaves: &[bool]) -> Vec<bool> {
        let mut values = Vec::with_capacity(self.nodes.len());
        let mut arguments = Vec::new();
        for id in self.ids() {
            values.push(match self.node(id) {
                Node::Constant(truth) => truth,
                Node::Leaf(leaf) => leaves[leaf.0 as usize],
                Node::Apply(connective) => {
                    arguments.clear();
                    arguments.extend(self.args(id).iter().map(|arg| values[arg.0 as usize]));
                    connective.apply(&arguments)
                }
            });
        }
        values
    }

    /// The value of the root.
    pub fn eval(&self, leaves: &[bool]) -> bool {
        *self.values(leaves).last().expect("a formula has a root")
    }

    /// Which leaves decide the root: flipping such a leaf alone flips the root. One pass down the tree.
    pub fn deciding(&self, leaves: &[bool]) -> Vec<bool> {
        let values = self.values(leaves);
        let mut decides = vec![false; self.nodes.len()];
        decides[self.root().0 as usize] = true;
        let mut deciding = vec![false; self.leaf_count()];
        let mut arguments = Vec::new();
        for id in self.ids().rev() {
            let index = id.0 as usize;
            match self.node(id) {
                Node::Constant(_) => {}
                Node::Leaf(leaf) => deciding[leaf.0 as usize] = decides[index],
                Node::Apply(connective) if decides[index] => {
                    arguments.clear();
                    arguments.extend(self.args(id).iter().map(|arg| values[arg.0 as usize]));
                    self.mark_deciding(id, connective, &mut arguments, values[index], &mut decides);
                }
                Node::Apply(_) => {}
            }
        }
        deciding
    }

    /// Marks the arguments of `id` whose flip flips `id`.
    fn mark_deciding(&self, id: NodeId, connective: Connective, values: &mut [bool], value: bool, marks: &mut [bool]) {
        let args = self.args(id);
        if matches!(connective, Connective::And | Connective::Or) && 8 < args.len() {
            // Wide conjunctions and disjunctions would make flipping each argument quadratic: an argument decides
            // exactly when every other one is neutral.
            let neutral = connective == Connective::And;
            let others = values.iter().filter(|&&value| value != neutral).count();
            for (place, arg) in args.iter().enumerate() {
                marks[arg.0 as usize] = others == usize::from(values[place] != neutral);
            }
            return;
        }
        for (place, arg) in args.iter().enumerate() {
            values[place] = !values[place];
            marks[arg.0 as usize] = connective.apply(values) != value;
            values[place] = !values[place];
        }
    }
}
