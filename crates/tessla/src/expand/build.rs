//! Value functions under construction.

use crate::core::{Function, FunctionId, Node, NodeId, NodeKind};
use crate::operator::Operator;
use crate::place::Origin;
use crate::types::Type;
use crate::value::Value;

use super::frame::{Argument, NodeRef, Val};
use super::{Context, Expanded, Expander, Stop};

/// A value function under construction.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) parameters: Vec<Type>,
    pub(super) nodes: Vec<Node>,
    /// Nodes of surrounding functions that it uses, with the parameters that stand for them.
    pub(super) captures: Vec<(NodeRef, NodeId)>,
    /// Calls of recursive functions whose captures are not known yet.
    pub(super) open_calls: Vec<(NodeId, FunctionId)>,
    pub(super) finished: bool,
}

impl Expander<'_> {
    pub(super) fn new_builder(&mut self, parameters: Vec<Type>) -> usize {
        let nodes = parameters.iter().enumerate().map(|(index, of)| Node {
            kind: NodeKind::Parameter(index as u32),
            sort: of.clone(),
            origin: Origin::default(),
        });
        let nodes = nodes.collect();
        self.builders.push(Builder { parameters, nodes, ..Builder::default() });
        self.builders.len() - 1
    }

    /// Says where the arguments of the first parameters stand.
    pub(super) fn place_parameters(&mut self, builder: usize, origins: &[Origin]) {
        for (node, origin) in self.builders[builder].nodes.iter_mut().zip(origins) {
            node.origin = *origin;
        }
    }

    /// The node of a parameter given at the start.
    pub(super) fn parameter(&self, builder: usize, index: usize) -> Val {
        Val::Node(NodeRef { builder, node: NodeId(index as u32) })
    }

    pub(super) fn raw_node(&mut self, builder: usize, kind: NodeKind, sort: Type, origin: Origin) -> NodeId {
        let nodes = &mut self.builders[builder].nodes;
        nodes.push(Node { kind, sort, origin });
        NodeId(nodes.len() as u32 - 1)
    }

    pub(super) fn node(&mut self, builder: usize, kind: NodeKind, sort: Type, origin: Origin) -> Val {
        let node = self.raw_node(builder, kind, sort, origin);
        Val::Node(NodeRef { builder, node })
    }

    pub(super) fn constant_node(&mut self, builder: usize, value: Value, sort: Type, origin: Origin) -> NodeId {
        self.raw_node(builder, NodeKind::Constant(value), sort, origin)
    }

    /// A node as seen in a function: nodes of surrounding functions become parameters.
    pub(super) fn import(&mut self, builder: usize, from: NodeRef) -> NodeId {
        if from.builder == builder {
            return from.node;
        }
        if let Some((_, own)) = self.builders[builder].captures.iter().find(|(outer, _)| *outer == from) {
            return *own;
        }
        let sort = self.builders[from.builder].nodes[from.node.0 as usize].sort.clone();
        let position = self.builders[builder].parameters.len() as u32;
        self.builders[builder].parameters.push(sort.clone());
        let own = self.raw_node(builder, NodeKind::Parameter(position), sort, Origin::default());
        self.builders[builder].captures.push((from, own));
        own
    }

    /// The finished function.
    pub(super) fn finish_function(&mut self, builder: usize, root: NodeId, name: Option<String>) -> FunctionId {
        let id = self.new_function();
        self.finish_as(id, builder, root, name, false);
        id
    }

    pub(super) fn finish_as(
        &mut self,
        id: FunctionId,
        builder: usize,
        root: NodeId,
        name: Option<String>,
        recursive: bool,
    ) {
        let done = &mut self.builders[builder];
        done.finished = true;
        let parameters = std::mem::take(&mut done.parameters);
        let nodes = done.nodes.clone();
        self.functions[id.0 as usize] = Some(Function { parameters, nodes, root, name, recursive });
    }

    /// A value known before the run, if the whole of it is.
    pub(super) fn value_of(&mut self, val: &Val, of: &Type) -> Expanded<Option<Value>> {
        match val {
            Val::Value(value) => Ok(Some(value.clone())),
            Val::Object(members) => {
                let members = members.clone();
                let mut values = Vec::new();
                for (name, member) in members.iter() {
                    let inner = match of {
                        Type::Object(object) => object.member(name).cloned().unwrap_or(Type::Wrong),
                        _ => Type::Wrong,
                    };
                    let val = self.force_member(member, crate::place::Place::default())?;
                    match self.value_of(&val, &inner)? {
                        Some(value) => values.push(value),
                        None => return Ok(None),
                    }
                }
                if let Some(failure) = values.iter().find(|value| value.is_failure()) {
                    return Ok(Some(failure.clone()));
                }
                Ok(Some(Value::object(members.iter().map(|(name, _)| name.clone()).collect(), values)))
            }
            Val::Node(_) | Val::Stream(_) | Val::Closure(_) | Val::Lifted(_) => Ok(None),
        }
    }

    /// A value as a node of a function.
    pub(super) fn node_of(&mut self, val: &Val, of: &Type, builder: usize, origin: Origin) -> Expanded<NodeId> {
        if let Some(value) = self.value_of(val, of)? {
            return Ok(self.constant_node(builder, value, of.clone(), origin));
        }
        match val {
            Val::Node(node) => Ok(self.import(builder, *node)),
            Val::Object(members) => {
                let mut operands = Vec::new();
                let mut types = Vec::new();
                for (name, member) in members.clone().iter() {
                    let val = self.force_member(member, origin.place)?;
                    let inner = match of {
                        Type::Object(object) => object.member(name).cloned().unwrap_or(Type::Wrong),
                        _ => Type::Wrong,
                    };
                    let inner = self.type_of_val(&val, inner);
                    operands.push(self.node_of(&val, &inner, builder, origin)?);
                    types.push((name.clone(), inner));
                }
                Ok(self.raw_node(builder, NodeKind::Object(operands), Type::object(types), origin))
            }
            Val::Stream(_) | Val::Closure(_) | Val::Lifted(_) => {
                let message = "a function or stream is used as a value that depends on events";
                self.stop(&crate::codes::UNSUPPORTED, origin.place, message)
            }
            Val::Value(_) => Err(Stop),
        }
    }

    /// The type of something in an object whose type does not list it.
    fn type_of_val(&self, val: &Val, listed: Type) -> Type {
        match val {
            Val::Node(node) => self.builders[node.builder].nodes[node.node.0 as usize].sort.clone(),
            Val::Value(_) | Val::Object(_) | Val::Stream(_) | Val::Closure(_) | Val::Lifted(_) => listed,
        }
    }

    /// An operator on values: computed now if all operands are known.
    pub(super) fn operate(
        &mut self,
        operator: Operator,
        arguments: &[Argument],
        of: Type,
        context: Context,
        origin: Origin,
    ) -> Expanded<Val> {
        let mut vals = Vec::new();
        for argument in arguments {
            let of = self.argument_type(argument);
            vals.push((self.argument(argument)?, of));
        }
        let mut values = Vec::new();
        for (val, of) in &vals {
            match self.value_of(val, of)? {
                Some(value) => values.push(value),
                None => break,
            }
        }
        if values.len() == vals.len() {
            return Ok(Val::Value(crate::arithmetic::apply(operator, &values, origin)));
        }
        let Some(builder) = context.builder else {
            return self.stop(&crate::codes::UNSUPPORTED, origin.place, "this value is not known before the run");
        };
        let mut operands = Vec::new();
        for (val, of) in &vals {
            operands.push(self.node_of(val, of, builder, origin)?);
        }
        // What was just put into an option can be taken out of it again.
        if operator == Operator::GetSome {
            let inner = &self.builders[builder].nodes[operands[0].0 as usize].kind;
            if let NodeKind::Apply(Operator::Some, inner) = inner {
                return Ok(Val::Node(NodeRef { builder, node: inner[0] }));
            }
        }
        Ok(self.node(builder, NodeKind::Apply(operator, operands), of, origin))
    }
}
