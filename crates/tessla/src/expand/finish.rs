//! The end of expansion: placeholders resolved, cycles checked, what nothing needs dropped.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::core::{Definition, Function, FunctionId, NodeId, NodeKind, Output, Spec, Stream, StreamId};

use super::Expander;

impl Expander<'_> {
    pub(super) fn finish(&mut self) -> Result<Spec, ()> {
        for frame in std::mem::take(&mut self.frames) {
            frame.slots.borrow_mut().clear();
        }
        let failed = |expander: &Self| expander.reports.iter().any(crate::report::Report::is_error);
        if failed(self) {
            return Err(());
        }
        let real: Vec<StreamId> = (0..self.streams.len() as u32).map(|id| self.real(StreamId(id))).collect();
        let redirect = |id: &mut StreamId| *id = real[id.0 as usize];
        self.streams.iter_mut().for_each(|stream| stream.definition.each_stream(redirect));
        self.outputs.iter_mut().for_each(|output| redirect(&mut output.stream));
        self.assertions.iter_mut().for_each(|assertion| redirect(&mut assertion.stream));
        self.results.iter_mut().for_each(|result| redirect(&mut result.stream));
        self.check_cycles(&real);
        if failed(self) {
            return Err(());
        }
        Ok(self.assemble())
    }

    /// What a placeholder stands for.
    fn real(&mut self, id: StreamId) -> StreamId {
        let mut at = id;
        let mut seen = FxHashSet::default();
        while let Some(placeholder) = self.placeholders.get(&at) {
            let next = placeholder.target;
            if !seen.insert(at) || next.is_none() {
                let (body, references) = (placeholder.body, placeholder.references.clone());
                if at == id || next.is_none() {
                    self.report_recursion(body, &references);
                }
                return id;
            }
            at = next.expect("it was just checked");
        }
        at
    }

    /// Reports every definition that needs its own event to compute it.
    fn check_cycles(&mut self, real: &[StreamId]) {
        let count = self.streams.len();
        let mut component = vec![0_u32; count];
        let mut finished = vec![false; count];
        let mut reported: Vec<Vec<StreamId>> = Vec::new();
        for start in 0..count {
            if finished[start] {
                continue;
            }
            let mut stack: Vec<(usize, Vec<StreamId>)> = vec![(start, guarded(&self.streams[start].definition))];
            component[start] = 1;
            while let Some((at, rest)) = stack.last_mut() {
                let Some(next) = rest.pop() else {
                    finished[*at] = true;
                    component[*at] = 0;
                    stack.pop();
                    continue;
                };
                let next = next.0 as usize;
                if component[next] == 1 {
                    let from = stack.iter().position(|(node, _)| *node == next).expect("it is on the stack");
                    reported.push(stack[from..].iter().map(|(node, _)| StreamId(*node as u32)).collect());
                } else if !finished[next] {
                    component[next] = 1;
                    let edges = guarded(&self.streams[next].definition);
                    stack.push((next, edges));
                }
            }
        }
        for cycle in reported {
            self.report_cycle(&cycle, real);
        }
    }

    fn report_cycle(&mut self, cycle: &[StreamId], real: &[StreamId]) {
        let mut on_cycle: Vec<(StreamId, StreamId)> = self
            .placeholders
            .keys()
            .map(|placeholder| (*placeholder, real[placeholder.0 as usize]))
            .filter(|(_, target)| cycle.contains(target))
            .collect();
        on_cycle.sort();
        match on_cycle.first() {
            Some((placeholder, _)) => {
                let known = &self.placeholders[placeholder];
                let (body, references) = (known.body, known.references.clone());
                self.report_recursion(body, &references);
            }
            None => {
                let place = self.streams[cycle[0].0 as usize].origin.place;
                self.report_recursion(place, &[]);
            }
        }
    }

    fn assemble(&mut self) -> Spec {
        let mut seen = FxHashSet::default();
        self.outputs.retain(|output| seen.insert((output.name.clone(), output.stream)));
        let mut needed: Vec<bool> = vec![false; self.streams.len()];
        let mut open: Vec<StreamId> = self.inputs.clone();
        open.extend(self.outputs.iter().map(|output| output.stream));
        open.extend(self.assertions.iter().map(|assertion| assertion.stream));
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut needed[id.0 as usize], true) {
                open.extend(self.streams[id.0 as usize].definition.dependencies());
            }
        }
        let mut renumbered = vec![StreamId(u32::MAX); self.streams.len()];
        let mut streams: Vec<Stream> = Vec::new();
        for (index, stream) in std::mem::take(&mut self.streams).into_iter().enumerate() {
            if needed[index] {
                renumbered[index] = StreamId(streams.len() as u32);
                streams.push(stream);
            }
        }
        let renumber = |id: &mut StreamId| *id = renumbered[id.0 as usize];
        streams.iter_mut().for_each(|stream| stream.definition.each_stream(renumber));
        let functions = self.needed_functions(&mut streams);
        let mut outputs: Vec<Output> = std::mem::take(&mut self.outputs);
        outputs.iter_mut().for_each(|output| renumber(&mut output.stream));
        let mut assertions = std::mem::take(&mut self.assertions);
        assertions.iter_mut().for_each(|assertion| renumber(&mut assertion.stream));
        let mut results = std::mem::take(&mut self.results);
        results.retain(|result| needed[result.stream.0 as usize]);
        results.iter_mut().for_each(|result| renumber(&mut result.stream));
        let mut inputs = std::mem::take(&mut self.inputs);
        inputs.iter_mut().for_each(renumber);
        let order = order(&streams);
        Spec {
            files: self.files.clone(),
            streams,
            inputs,
            outputs,
            functions,
            order,
            steps: std::mem::take(&mut self.steps),
            results,
            assertions,
        }
    }

    /// The functions that streams use, renumbered, without nodes that nothing needs.
    fn needed_functions(&mut self, streams: &mut [Stream]) -> Vec<Function> {
        let mut renumbered: FxHashMap<FunctionId, FunctionId> = FxHashMap::default();
        let mut queue: Vec<FunctionId> = Vec::new();
        let mut known = |id: &mut FunctionId, queue: &mut Vec<FunctionId>| {
            let next = FunctionId(renumbered.len() as u32);
            *id = *renumbered.entry(*id).or_insert_with_key(|old| {
                queue.push(*old);
                next
            });
        };
        for stream in streams {
            if let Definition::Lift { function, .. } | Definition::SignalLift { function, .. } = &mut stream.definition
            {
                known(function, &mut queue);
            }
        }
        let mut functions = Vec::new();
        let mut at = 0;
        while at < queue.len() {
            let function = self.functions[queue[at].0 as usize].take().expect("functions in use are finished");
            let mut function = compacted(function);
            for node in &mut function.nodes {
                if let NodeKind::Call(id, _) | NodeKind::Fold { function: id, .. } = &mut node.kind {
                    known(id, &mut queue);
                }
            }
            functions.push(function);
            at += 1;
        }
        functions
    }
}

/// The streams whose events at the same time are needed, and the resets of a delay, which the language asks for too.
fn guarded(definition: &Definition) -> Vec<StreamId> {
    match definition {
        Definition::Delay { resets, .. } => vec![*resets],
        other => other.strict_dependencies(),
    }
}

/// The streams, each after what it needs at the same time.
fn order(streams: &[Stream]) -> Vec<StreamId> {
    let mut done = vec![false; streams.len()];
    let mut order = Vec::new();
    for start in 0..streams.len() {
        if done[start] {
            continue;
        }
        let mut stack = vec![(start, streams[start].definition.strict_dependencies())];
        done[start] = true;
        while let Some((at, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(StreamId(next)) if !done[next as usize] => {
                    done[next as usize] = true;
                    stack.push((next as usize, streams[next as usize].definition.strict_dependencies()));
                }
                Some(_) => {}
                None => {
                    order.push(StreamId(*at as u32));
                    stack.pop();
                }
            }
        }
    }
    order
}

/// A function without the nodes that its result does not need.
fn compacted(function: Function) -> Function {
    let mut needed = vec![false; function.nodes.len()];
    let mut open = vec![function.root];
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut needed[id.0 as usize], true) {
            open.extend(function.node(id).kind.operands());
        }
    }
    // Operands may be newer than what uses them where captures were added late; the order is made anew.
    let mut position: Vec<Option<NodeId>> = vec![None; function.nodes.len()];
    let mut nodes = Vec::new();
    let mut stack = vec![(function.root, false)];
    while let Some((id, ready)) = stack.pop() {
        if position[id.0 as usize].is_some() {
            continue;
        }
        if ready {
            let mut node = function.nodes[id.0 as usize].clone();
            node.kind.each_operand(|operand| *operand = position[operand.0 as usize].expect("operands come first"));
            position[id.0 as usize] = Some(NodeId(nodes.len() as u32));
            nodes.push(node);
            continue;
        }
        stack.push((id, true));
        let operands = function.node(id).kind.operands();
        stack.extend(operands.into_iter().rev().map(|operand| (operand, false)));
    }
    let root = position[function.root.0 as usize].expect("the root was visited");
    Function { nodes, root, ..function }
}

impl Definition {
    /// Visits every stream it mentions.
    fn each_stream(&mut self, mut visit: impl FnMut(&mut StreamId)) {
        match self {
            Definition::Input(_) | Definition::Nil | Definition::Unit => {}
            Definition::Time(stream) => visit(stream),
            Definition::Last { value, trigger } => {
                visit(value);
                visit(trigger);
            }
            Definition::Delay { delays, resets } => {
                visit(delays);
                visit(resets);
            }
            Definition::Merge(streams) => streams.iter_mut().for_each(visit),
            Definition::Lift { arguments, .. } | Definition::SignalLift { arguments, .. } => {
                arguments.iter_mut().for_each(visit);
            }
            Definition::DefaultFrom { value, default } => {
                visit(value);
                visit(default);
            }
        }
    }
}

impl NodeKind {
    fn each_operand(&mut self, mut visit: impl FnMut(&mut NodeId)) {
        match self {
            NodeKind::Constant(_) | NodeKind::Parameter(_) => {}
            NodeKind::If { condition, then, otherwise } => {
                visit(condition);
                visit(then);
                visit(otherwise);
            }
            NodeKind::And(left, right) | NodeKind::Or(left, right) => {
                visit(left);
                visit(right);
            }
            NodeKind::Apply(_, operands) | NodeKind::Object(operands) | NodeKind::Call(_, operands) => {
                operands.iter_mut().for_each(visit);
            }
            NodeKind::Member(object, _) => visit(object),
            NodeKind::Fold { collection, start, captures, .. } => {
                visit(collection);
                visit(start);
                captures.iter_mut().for_each(visit);
            }
        }
    }
}
