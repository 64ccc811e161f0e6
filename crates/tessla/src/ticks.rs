//! Times that are parts of a unit: the same specification, with times counted in ticks, so many to a unit.
//!
//! With real times, a trace of `n` moments has at most `n` different fractions of times, and where times meet nothing but each other
//! and whole numbers only the order of these fractions counts. So `n` ticks to a unit show everything that real times show. Whole
//! numbers that meet times (amounts of delays, distances that times are compared with) are multiplied by the ticks.

use crate::codes::UNSUPPORTED;
use crate::core::{Definition, Function, FunctionId, Node, NodeId, NodeKind, Spec, Stream, StreamId};
use crate::operator::Operator;
use crate::place::Origin;
use crate::report::Report;
use crate::run::user_place;
use crate::types::Type;
use crate::value::Value;

/// Changes a specification to times in ticks; what cannot be said in ticks is reported.
pub(crate) fn count_in_ticks(spec: &mut Spec, ticks: u32) -> Vec<Report> {
    let mut change = Change { ticks, times: times(spec), reports: Vec::new() };
    let original = spec.functions.clone();
    let mut owned = vec![false; original.len()];
    for index in 0..change.times.len() {
        change.stream(spec, StreamId(index as u32), &original, &mut owned);
    }
    for output in &spec.outputs {
        if change.is_time(output.stream) {
            let report = unsupported(spec, output.origin, "an output of times");
            change.reports.push(report);
        }
    }
    change.reports
}

fn unsupported(spec: &Spec, origin: Origin, what: &str) -> Report {
    let place = user_place(spec, origin).unwrap_or(origin.place);
    Report::error(&UNSUPPORTED, place, format!("{what} cannot be counted in ticks")).help(
        "Times may be compared, added and subtracted, and be the amounts of delays; without --ticks they are whole numbers.",
    )
}

/// The streams whose values are times or distances of times.
fn times(spec: &Spec) -> Vec<bool> {
    let mut times = vec![false; spec.streams.len()];
    loop {
        let before = times.clone();
        for (id, stream) in spec.streams() {
            times[id.0 as usize] |= match &stream.definition {
                Definition::Time(_) => true,
                Definition::Last { value, .. } => times[value.0 as usize],
                Definition::Merge(streams) => streams.iter().any(|stream| times[stream.0 as usize]),
                Definition::DefaultFrom { value, default } => times[value.0 as usize] || times[default.0 as usize],
                Definition::Lift { arguments, function } | Definition::SignalLift { arguments, function } => {
                    let given: Vec<bool> = arguments.iter().map(|argument| times[argument.0 as usize]).collect();
                    let function = spec.function(*function);
                    given.contains(&true) && roles(function, &given)[function.root.0 as usize]
                }
                Definition::Input(_) | Definition::Nil | Definition::Unit | Definition::Delay { .. } => false,
            };
        }
        if before == times {
            return times;
        }
    }
}

/// Which nodes of a function are times, given which parameters are.
fn roles(function: &Function, given: &[bool]) -> Vec<bool> {
    let mut times: Vec<bool> = Vec::with_capacity(function.nodes.len());
    for node in &function.nodes {
        let is = |node: &NodeId| times[node.0 as usize];
        times.push(match &node.kind {
            NodeKind::Parameter(index) => given.get(*index as usize).copied().unwrap_or(false),
            NodeKind::If { then, otherwise, .. } => is(then) || is(otherwise),
            NodeKind::Apply(operator, operands) => gives_time(*operator) && operands.iter().any(is),
            NodeKind::Constant(_) | NodeKind::And(..) | NodeKind::Or(..) | NodeKind::Object(_) => false,
            NodeKind::Member(..) | NodeKind::Call(..) | NodeKind::Fold { .. } => false,
        });
    }
    times
}

/// Whether an operator gives a time where it is given one.
fn gives_time(operator: Operator) -> bool {
    let wraps = matches!(operator, Operator::Some | Operator::GetSome);
    wraps || matches!(operator, Operator::Add | Operator::Subtract | Operator::Negate | Operator::Multiply)
}

/// Whether the operands of an operator are all times or none.
fn mixes(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Add
            | Operator::Subtract
            | Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::LessEqual
            | Operator::Greater
            | Operator::GreaterEqual
    )
}

struct Change {
    ticks: u32,
    /// The streams whose values are times.
    times: Vec<bool>,
    reports: Vec<Report>,
}

impl Change {
    fn is_time(&self, stream: StreamId) -> bool {
        self.times.get(stream.0 as usize).copied().unwrap_or(false)
    }

    fn stream(&mut self, spec: &mut Spec, id: StreamId, original: &[Function], owned: &mut [bool]) {
        let (definition, origin) = (spec.stream(id).definition.clone(), spec.stream(id).origin);
        let changed = match definition {
            Definition::Delay { delays, resets } if !self.is_time(delays) => {
                Definition::Delay { delays: self.scaled(spec, delays, origin), resets }
            }
            Definition::Merge(streams) if self.is_time(id) => {
                Definition::Merge(streams.into_iter().map(|stream| self.as_time(spec, stream, origin)).collect())
            }
            Definition::DefaultFrom { value, default } if self.is_time(id) => Definition::DefaultFrom {
                value: self.as_time(spec, value, origin),
                default: self.as_time(spec, default, origin),
            },
            Definition::Lift { arguments, function } => {
                Definition::Lift { function: self.function(spec, &arguments, function, original, owned), arguments }
            }
            Definition::SignalLift { arguments, function } => Definition::SignalLift {
                function: self.function(spec, &arguments, function, original, owned),
                arguments,
            },
            same @ (Definition::Input(_)
            | Definition::Nil
            | Definition::Unit
            | Definition::Time(_)
            | Definition::Last { .. }
            | Definition::Delay { .. }
            | Definition::Merge(_)
            | Definition::DefaultFrom { .. }) => same,
        };
        spec.streams[id.0 as usize].definition = changed;
    }

    fn as_time(&self, spec: &mut Spec, stream: StreamId, origin: Origin) -> StreamId {
        if self.is_time(stream) || stream.0 as usize >= self.times.len() {
            stream
        } else {
            self.scaled(spec, stream, origin)
        }
    }

    /// A stream of whole units as a stream of ticks. It can be computed right after the other one; places in the order are only
    /// bound by what is needed at the same time.
    fn scaled(&self, spec: &mut Spec, stream: StreamId, origin: Origin) -> StreamId {
        let node = |kind: NodeKind| Node { kind, sort: Type::Int, origin };
        let nodes = vec![
            node(NodeKind::Parameter(0)),
            node(NodeKind::Constant(Value::Int(self.ticks.into()))),
            node(NodeKind::Apply(Operator::Multiply, vec![NodeId(0), NodeId(1)])),
        ];
        let parameters = vec![Type::Int];
        spec.functions.push(Function { parameters, nodes, root: NodeId(2), name: None, recursive: false });
        let function = FunctionId(spec.functions.len() as u32 - 1);
        let definition = Definition::SignalLift { arguments: vec![stream], function };
        spec.streams.push(Stream { definition, element: Type::Int, name: None, origin });
        let id = StreamId(spec.streams.len() as u32 - 1);
        let place = spec.order.iter().position(|other| *other == stream).map_or(0, |place| place + 1);
        spec.order.insert(place, id);
        id
    }

    /// The function for arguments some of which are times.
    fn function(
        &mut self,
        spec: &mut Spec,
        arguments: &[StreamId],
        id: FunctionId,
        original: &[Function],
        owned: &mut [bool],
    ) -> FunctionId {
        let given: Vec<bool> = arguments.iter().map(|argument| self.is_time(*argument)).collect();
        if !given.contains(&true) {
            return id;
        }
        let function = &original[id.0 as usize];
        let times = roles(function, &given);
        let changed = self.rewritten(spec, function, &times);
        if !std::mem::replace(&mut owned[id.0 as usize], true) {
            spec.functions[id.0 as usize] = changed;
            return id;
        }
        spec.functions.push(changed);
        FunctionId(spec.functions.len() as u32 - 1)
    }

    fn rewritten(&mut self, spec: &Spec, function: &Function, times: &[bool]) -> Function {
        let mut nodes: Vec<Node> = Vec::with_capacity(function.nodes.len());
        let mut place: Vec<NodeId> = Vec::with_capacity(function.nodes.len());
        let is = |node: &NodeId| times[node.0 as usize];
        for (index, node) in function.nodes.iter().enumerate() {
            let mut moved = node.clone();
            match &mut moved.kind {
                NodeKind::If { condition, then, otherwise } => {
                    *condition = place[condition.0 as usize];
                    for branch in [then, otherwise] {
                        *branch = self.operand(&mut nodes, place[branch.0 as usize], !times[index] || is(branch));
                    }
                }
                NodeKind::And(left, right) | NodeKind::Or(left, right) => {
                    (*left, *right) = (place[left.0 as usize], place[right.0 as usize]);
                }
                NodeKind::Apply(operator, operands) => {
                    let some = operands.iter().any(is);
                    let fits = mixes(*operator)
                        || matches!(operator, Operator::IsNone | Operator::Negate)
                        || matches!(operator, Operator::Some | Operator::GetSome)
                        || (*operator == Operator::Multiply && !operands.iter().all(is));
                    if some && !fits {
                        let what = format!("the operator `{}` on times", operator.name());
                        self.reports.push(unsupported(spec, node.origin, &what));
                    }
                    let scales = some && mixes(*operator);
                    for operand in operands {
                        *operand = self.operand(&mut nodes, place[operand.0 as usize], !scales || is(operand));
                    }
                }
                NodeKind::Object(operands) | NodeKind::Call(_, operands) => {
                    self.plain(spec, node.origin, operands.iter().any(is));
                    operands.iter_mut().for_each(|operand| *operand = place[operand.0 as usize]);
                }
                NodeKind::Member(object, _) => *object = place[object.0 as usize],
                NodeKind::Fold { collection, start, captures, .. } => {
                    self.plain(spec, node.origin, is(start) || captures.iter().any(is));
                    *collection = place[collection.0 as usize];
                    *start = place[start.0 as usize];
                    captures.iter_mut().for_each(|capture| *capture = place[capture.0 as usize]);
                }
                NodeKind::Constant(_) | NodeKind::Parameter(_) => {}
            }
            nodes.push(moved);
            place.push(NodeId(nodes.len() as u32 - 1));
        }
        let root = place[function.root.0 as usize];
        Function { nodes, root, ..function.clone() }
    }

    fn plain(&mut self, spec: &Spec, origin: Origin, has_time: bool) {
        if has_time {
            self.reports.push(unsupported(spec, origin, "times in objects, recursive functions and folds"));
        }
    }

    /// An operand as it is, or in ticks.
    fn operand(&self, nodes: &mut Vec<Node>, operand: NodeId, fits: bool) -> NodeId {
        let Node { kind, sort, origin } = nodes[operand.0 as usize].clone();
        if fits || kind == NodeKind::Constant(Value::None) || !matches!(sort, Type::Int | Type::Option(_)) {
            return operand;
        }
        // Nobody wrote the decision that an option takes: it stands nowhere in the user's text.
        let origin = if sort == Type::Int { origin } else { Origin::default() };
        let mut add = |kind: NodeKind, sort: &Type| {
            nodes.push(Node { kind, sort: sort.clone(), origin });
            NodeId(nodes.len() as u32 - 1)
        };
        let ticks = add(NodeKind::Constant(Value::Int(self.ticks.into())), &Type::Int);
        if sort == Type::Int {
            return add(NodeKind::Apply(Operator::Multiply, vec![operand, ticks]), &sort);
        }
        // An option of a whole number: in ticks where there is one.
        let none = add(NodeKind::Constant(Value::None), &sort);
        let absent = add(NodeKind::Apply(Operator::IsNone, vec![operand]), &Type::Bool);
        let value = add(NodeKind::Apply(Operator::GetSome, vec![operand]), &Type::Int);
        let scaled = add(NodeKind::Apply(Operator::Multiply, vec![value, ticks]), &Type::Int);
        let some = add(NodeKind::Apply(Operator::Some, vec![scaled]), &sort);
        add(NodeKind::If { condition: absent, then: none, otherwise: some }, &sort)
    }
}
