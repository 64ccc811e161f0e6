//! The order in which the nodes of a function are visited: a weak topological order, flattened.
//!
//! Loops are nested components, each with a head. Every edge that leads backwards in the order leads to the head of a
//! component around it, whatever the program's jumps look like; so a loop is unrolled by going through its component
//! again, and what leaves the loop waits behind it until all rounds are done.

use c::Program;
use c::program::{Body, NodeId};

/// One step of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A loop begins; its head is visited next. `close` is the place of its end.
    Open {
        /// The node that is entered again.
        head: NodeId,
        /// The place of the matching [`Item::Close`].
        close: usize,
    },
    /// A node.
    Visit(NodeId),
    /// A loop ends. `open` is the place of its beginning.
    Close {
        /// The place of the matching [`Item::Open`].
        open: usize,
    },
}

/// The order of a function's nodes, those that are reachable from its entry.
pub(super) fn order(program: &Program, body: &Body) -> Vec<Item> {
    Search::new(program, body).run()
}

/// Bourdoncle's algorithm without recursion.
struct Search<'a> {
    program: &'a Program,
    first: u32,
    /// Depth-first numbers; 0 is unseen, `DONE` is finished.
    number: Vec<u32>,
    counter: u32,
    stack: Vec<NodeId>,
    /// The order, last item first.
    reversed: Vec<Reversed>,
    calls: Vec<Call>,
}

const DONE: u32 = u32::MAX;

enum Reversed {
    Node(NodeId),
    /// The head of a component, whose other items stand between this and its `End`.
    Head(NodeId),
    End,
}

/// A suspended visit of a node.
struct Call {
    node: NodeId,
    successors: Vec<NodeId>,
    at: usize,
    head: u32,
    looping: bool,
    /// Whether the node is being expanded as a component, after its visit.
    expanding: bool,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program, body: &Body) -> Search<'a> {
        let mut search = Search {
            program,
            first: body.nodes.start,
            number: vec![0; body.nodes.len()],
            counter: 0,
            stack: Vec::new(),
            reversed: Vec::new(),
            calls: Vec::new(),
        };
        search.enter(body.entry);
        search
    }

    fn number(&mut self, node: NodeId) -> &mut u32 {
        &mut self.number[(node.0 - self.first) as usize]
    }

    fn successors(&self, node: NodeId) -> Vec<NodeId> {
        // The last successor first: then the order follows the text.
        self.program.node(node).out.iter().rev().map(|&edge| self.program.edge(edge).to).collect()
    }

    fn enter(&mut self, node: NodeId) {
        self.counter += 1;
        let number = self.counter;
        *self.number(node) = number;
        self.stack.push(node);
        let successors = self.successors(node);
        self.calls.push(Call { node, successors, at: 0, head: number, looping: false, expanding: false });
    }

    fn run(mut self) -> Vec<Item> {
        while let Some(call) = self.calls.last_mut() {
            if let Some(&next) = call.successors.get(call.at) {
                call.at += 1;
                let expanding = call.expanding;
                let seen = *self.number(next);
                if seen == 0 {
                    self.enter(next);
                } else if !expanding {
                    self.lower(seen);
                }
                continue;
            }
            let call = self.calls.pop().expect("there is a last one");
            self.leave(call);
        }
        flatten(self.reversed)
    }

    /// A successor of the current node has this number.
    fn lower(&mut self, number: u32) {
        let call = self.calls.last_mut().expect("a node is being visited");
        if number != DONE && number <= call.head {
            call.head = number;
            call.looping = true;
        }
    }

    fn leave(&mut self, call: Call) {
        if call.expanding {
            self.reversed.push(Reversed::Head(call.node));
            return self.back(call.head);
        }
        let number = *self.number(call.node);
        if call.head != number {
            return self.back(call.head);
        }
        *self.number(call.node) = DONE;
        let mut top = self.stack.pop().expect("the node is on the stack");
        if !call.looping {
            self.reversed.push(Reversed::Node(call.node));
            return self.back(call.head);
        }
        while top != call.node {
            *self.number(top) = 0;
            top = self.stack.pop().expect("the node is on the stack");
        }
        self.reversed.push(Reversed::End);
        let successors = self.successors(call.node);
        self.calls.push(Call { successors, at: 0, expanding: true, looping: false, ..call });
    }

    /// Tells the caller what its successor returned.
    fn back(&mut self, head: u32) {
        if let Some(caller) = self.calls.last_mut()
            && !caller.expanding
        {
            let looping = head <= caller.head;
            // A finished component cannot be lower than its caller: numbers only grow.
            if looping {
                self.lower(head);
            }
        }
    }
}

/// Turns the reversed list round and matches openings with closings.
fn flatten(reversed: Vec<Reversed>) -> Vec<Item> {
    let mut items = Vec::new();
    let mut open = Vec::new();
    for item in reversed.into_iter().rev() {
        match item {
            Reversed::Node(node) => items.push(Item::Visit(node)),
            Reversed::Head(head) => {
                open.push(items.len());
                items.push(Item::Open { head, close: 0 });
                items.push(Item::Visit(head));
            }
            Reversed::End => {
                let start = open.pop().expect("every end has a head");
                let end = items.len();
                if let Item::Open { close, .. } = &mut items[start] {
                    *close = end;
                }
                items.push(Item::Close { open: start });
            }
        }
    }
    items
}
