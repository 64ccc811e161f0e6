//! Numbers that count up and are compared with constants only need not be told apart beyond the greatest of these constants.
//!
//! Take numbers that flow into each other, to which nothing is done but that constants of at least 0 are added, and which meet nothing
//! but constants of at most `k` in comparisons. Where each number `x` is replaced by the lesser of `x` and `k + 1`, every comparison
//! comes out as before: beyond `k` all compare alike, and stay beyond `k` whatever is added. So a counter of events needs no more bits
//! in a long grid than in a short one.

use tessla::Operator;
use tessla::core::{Definition, FunctionId, NodeId, NodeKind, Spec, StreamId};
use tessla::types::Type;
use tessla::value::Value;
use value::IBig;

/// The greatest number that must be told from greater ones, for each sum and each stream where there is one.
pub(super) struct Ceilings {
    /// By function and node; only sums of a number and a constant.
    nodes: Vec<Vec<Option<IBig>>>,
    /// By stream.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests compare values up to their ceilings"))]
    pub(super) streams: Vec<Option<IBig>>,
}

impl Ceilings {
    /// Those of a specification; the values of `exact` streams count to the last.
    pub(super) fn of(spec: &Spec, exact: &[StreamId]) -> Ceilings {
        let mut flow = Flow::new(spec);
        exact.iter().for_each(|&stream| flow.poison(flow.stream(stream)));
        for (id, _) in spec.streams() {
            flow.equation(spec, id);
        }
        let mut nodes = Vec::with_capacity(spec.functions.len());
        // Where called functions get their numbers from is not followed.
        let called = called(spec);
        for (function, id) in spec.functions.iter().zip(0u32..) {
            if called[id as usize] {
                nodes.push(vec![None; function.nodes.len()]);
                continue;
            }
            let mut ceiling = |(node, number): (&NodeKind, u32)| match node {
                NodeKind::Apply(Operator::Add, _) => flow.ceiling(flow.node(FunctionId(id), NodeId(number))),
                _ => None,
            };
            nodes.push(function.nodes.iter().map(|node| &node.kind).zip(0u32..).map(&mut ceiling).collect());
        }
        let streams = (0..spec.streams.len() as u32).map(|id| flow.ceiling(flow.stream(StreamId(id)))).collect();
        Ceilings { nodes, streams }
    }

    /// The ceilings of the nodes of a function.
    pub(super) fn function(&self, function: FunctionId) -> &[Option<IBig>] {
        &self.nodes[function.0 as usize]
    }
}

/// What flows into what: classes of streams and nodes.
struct Flow {
    /// The number of the first node of each function; streams come first.
    starts: Vec<usize>,
    parents: Vec<usize>,
    /// For each representative: whether its numbers are used in another way, and the greatest constant they are compared with.
    poisoned: Vec<bool>,
    greatest: Vec<IBig>,
}

impl Flow {
    fn new(spec: &Spec) -> Flow {
        let mut count = spec.streams.len();
        let mut starts = Vec::with_capacity(spec.functions.len());
        for function in &spec.functions {
            starts.push(count);
            count += function.nodes.len();
        }
        Flow { starts, parents: (0..count).collect(), poisoned: vec![false; count], greatest: vec![IBig::ZERO; count] }
    }

    fn stream(&self, id: StreamId) -> usize {
        id.0 as usize
    }

    fn node(&self, function: FunctionId, node: NodeId) -> usize {
        self.starts[function.0 as usize] + node.0 as usize
    }

    fn find(&mut self, mut place: usize) -> usize {
        while self.parents[place] != place {
            self.parents[place] = self.parents[self.parents[place]];
            place = self.parents[place];
        }
        place
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.find(left), self.find(right));
        if left != right {
            self.parents[right] = left;
            self.poisoned[left] |= self.poisoned[right];
            self.greatest[left] = self.greatest[left].clone().max(self.greatest[right].clone());
        }
    }

    fn poison(&mut self, place: usize) {
        let place = self.find(place);
        self.poisoned[place] = true;
    }

    fn compared(&mut self, place: usize, constant: &IBig) {
        let place = self.find(place);
        self.greatest[place] = self.greatest[place].clone().max(constant.clone());
    }

    fn ceiling(&mut self, place: usize) -> Option<IBig> {
        let place = self.find(place);
        (!self.poisoned[place]).then(|| self.greatest[place].clone())
    }

    fn equation(&mut self, spec: &Spec, id: StreamId) {
        let this = self.stream(id);
        match &spec.stream(id).definition {
            Definition::Input(_) | Definition::Nil | Definition::Unit => {}
            Definition::Time(_) => self.poison(this),
            Definition::Last { value, .. } => self.join(this, self.stream(*value)),
            Definition::Delay { delays, .. } => self.poison(self.stream(*delays)),
            Definition::Merge(streams) => streams.iter().for_each(|&stream| self.join(this, self.stream(stream))),
            Definition::DefaultFrom { value, default } => {
                self.join(this, self.stream(*value));
                self.join(this, self.stream(*default));
            }
            Definition::Lift { arguments, function } | Definition::SignalLift { arguments, function } => {
                self.join(this, self.node(*function, spec.function(*function).root));
                for index in 0..spec.function(*function).nodes.len() as u32 {
                    self.computed(spec, *function, NodeId(index), arguments);
                }
            }
        }
    }

    fn computed(&mut self, spec: &Spec, id: FunctionId, node: NodeId, arguments: &[StreamId]) {
        let function = spec.function(id);
        let this = self.node(id, node);
        match &function.node(node).kind {
            NodeKind::Constant(_) | NodeKind::And(..) | NodeKind::Or(..) => {}
            NodeKind::Parameter(position) => self.join(this, self.stream(arguments[*position as usize])),
            NodeKind::If { then, otherwise, .. } => {
                self.join(this, self.node(id, *then));
                self.join(this, self.node(id, *otherwise));
            }
            NodeKind::Apply(Operator::Some | Operator::GetSome, operands) => {
                self.join(this, self.node(id, operands[0]));
            }
            NodeKind::Apply(Operator::IsNone | Operator::Not, _) => {}
            NodeKind::Apply(Operator::Add, operands) => {
                let natural = |node: NodeId| constant(spec, id, node).is_some_and(|number| IBig::ZERO <= number);
                match **operands {
                    [number, added] if natural(added) => self.join(this, self.node(id, number)),
                    [added, number] if natural(added) => self.join(this, self.node(id, number)),
                    _ => self.poison_all(id, node, operands),
                }
            }
            NodeKind::Apply(
                Operator::Less
                | Operator::LessEqual
                | Operator::Greater
                | Operator::GreaterEqual
                | Operator::Equal
                | Operator::NotEqual,
                operands,
            ) => match (constant(spec, id, operands[0]), constant(spec, id, operands[1])) {
                (_, Some(number)) => self.compared(self.node(id, operands[0]), &number),
                (Some(number), _) => self.compared(self.node(id, operands[1]), &number),
                (None, None) => self.poison_all(id, node, operands),
            },
            NodeKind::Apply(_, operands) | NodeKind::Object(operands) | NodeKind::Call(_, operands) => {
                self.poison_all(id, node, operands);
            }
            NodeKind::Member(object, _) => self.poison_all(id, node, &[*object]),
            NodeKind::Fold { .. } => self.poison_all(id, node, &function.node(node).kind.operands()),
        }
    }

    fn poison_all(&mut self, function: FunctionId, node: NodeId, operands: &[NodeId]) {
        self.poison(self.node(function, node));
        operands.iter().for_each(|&operand| self.poison(self.node(function, operand)));
    }
}

/// The functions that others call.
fn called(spec: &Spec) -> Vec<bool> {
    let mut called = vec![false; spec.functions.len()];
    for node in spec.functions.iter().flat_map(|function| &function.nodes) {
        if let NodeKind::Call(function, _) | NodeKind::Fold { function, .. } = node.kind {
            called[function.0 as usize] = true;
        }
    }
    called
}

/// The number a node always gives.
fn constant(spec: &Spec, function: FunctionId, node: NodeId) -> Option<IBig> {
    let node = spec.function(function).node(node);
    match &node.kind {
        NodeKind::Constant(value @ (Value::Int(_) | Value::Big(_))) if node.sort == Type::Int => value.as_integer(),
        _ => None,
    }
}
