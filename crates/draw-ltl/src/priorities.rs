//! From conditions on marks to priorities: Zielonka's tree of a condition, read as a deterministic parity automaton.

use super::condition::Condition;
use super::effort;

/// A parity automaton that reads sets of marks. Its states are the leaves of the tree.
pub(crate) struct Priorities {
    /// For every leaf the nodes on its path, from the root to the leaf.
    pub(crate) leaves: Vec<Vec<Step>>,
    /// One more than the largest priority. Even priorities are good.
    pub(crate) count: usize,
}

/// A node on the path of a leaf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The marks of the node, one bit each.
    pub(crate) marks: u64,
    /// The priority of reading marks that lead up to this node.
    pub(crate) priority: usize,
    /// The leaf to go on with then.
    pub(crate) next: usize,
}

struct Node {
    marks: u64,
    good: bool,
    depth: usize,
    children: Vec<usize>,
    first_leaf: usize,
}

/// The automaton of a condition over `marks` marks; none if there are too many.
pub(crate) fn priorities(condition: &Condition, marks: usize) -> Option<Priorities> {
    if effort::GAME_MARKS.size() < marks {
        return None;
    }
    let all = (1_u64 << marks) - 1;
    let mut nodes =
        vec![Node { marks: all, good: holds(condition, all), depth: 0, children: Vec::new(), first_leaf: 0 }];
    let mut place = 0;
    while place < nodes.len() {
        let (marks, good, depth) = (nodes[place].marks, nodes[place].good, nodes[place].depth);
        for marks in largest(condition, marks, !good) {
            let child = nodes.len();
            nodes.push(Node { marks, good: !good, depth: depth + 1, children: Vec::new(), first_leaf: 0 });
            nodes[place].children.push(child);
        }
        place += 1;
        if effort::GAME_TREE.size() < nodes.len() {
            return None;
        }
    }
    Some(walk(nodes))
}

/// The largest subsets that are good (or bad), none inside another.
fn largest(condition: &Condition, marks: u64, good: bool) -> Vec<u64> {
    let mut found: Vec<u64> = Vec::new();
    let mut layer: Vec<u64> = vec![marks];
    while !layer.is_empty() {
        let mut next: Vec<u64> = Vec::new();
        for set in layer {
            if found.iter().any(|larger| set & !larger == 0) {
                continue;
            }
            if holds(condition, set) == good {
                found.push(set);
                continue;
            }
            let bits = (0..64).filter(|bit| set >> bit & 1 == 1);
            next.extend(bits.map(|bit| set & !(1 << bit)));
        }
        next.sort_unstable_by(|left, right| right.cmp(left));
        next.dedup();
        layer = next;
    }
    found
}

fn holds(condition: &Condition, marks: u64) -> bool {
    match condition {
        Condition::Repeatedly(mark) => marks >> mark & 1 == 1,
        Condition::Finitely(mark) => marks >> mark & 1 == 0,
        Condition::All(parts) => parts.iter().all(|part| holds(part, marks)),
        Condition::Any(parts) => parts.iter().any(|part| holds(part, marks)),
    }
}

fn walk(mut nodes: Vec<Node>) -> Priorities {
    // Leaves in depth-first order; every node knows its first leaf.
    let mut order: Vec<usize> = Vec::new();
    let mut parent: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut open = vec![0];
    while let Some(node) = open.pop() {
        if nodes[node].children.is_empty() {
            order.push(node);
        }
        for &child in nodes[node].children.iter().rev() {
            parent[child] = Some(node);
            open.push(child);
        }
    }
    for (number, &leaf) in order.iter().enumerate().rev() {
        let mut place = Some(leaf);
        while let Some(node) = place {
            nodes[node].first_leaf = number;
            place = parent[node];
        }
    }
    let deepest = nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    // Nodes near the root have the largest priorities; the parity says whether a node is good.
    let top = deepest + usize::from((deepest % 2 == 0) != nodes[0].good);
    let path = |leaf: usize| {
        let mut steps = Vec::new();
        let (mut place, mut below) = (Some(leaf), None);
        while let Some(node) = place {
            let next = match below {
                None => nodes[node].first_leaf,
                Some(child) => {
                    let children = &nodes[node].children;
                    let position = children.iter().position(|other| *other == child).expect("a child is a child");
                    nodes[children[(position + 1) % children.len()]].first_leaf
                }
            };
            steps.push(Step { marks: nodes[node].marks, priority: top - nodes[node].depth, next });
            below = Some(node);
            place = parent[node];
        }
        steps.reverse();
        steps
    };
    Priorities { leaves: order.iter().map(|leaf| path(*leaf)).collect(), count: top + 1 }
}
