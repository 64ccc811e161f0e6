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

/// The automaton of a condition over `marks` marks; otherwise the budget that it is too large for.
pub(crate) fn priorities(condition: &Condition, marks: usize) -> Result<Priorities, effort::Budget> {
    if effort::GAME_MARKS.size() < marks {
        return Err(effort::GAME_MARKS);
    }
    let all = (1_u64 << marks) - 1;
    let terms = [false, true].map(|good| terms(condition, good));
    let [Some(bad_terms), Some(good_terms)] = terms else { return Err(effort::GAME_TERMS) };
    let mut nodes =
        vec![Node { marks: all, good: holds(condition, all), depth: 0, children: Vec::new(), first_leaf: 0 }];
    let mut place = 0;
    while place < nodes.len() {
        let (marks, good, depth) = (nodes[place].marks, nodes[place].good, nodes[place].depth);
        for marks in largest(if good { &bad_terms } else { &good_terms }, marks) {
            let child = nodes.len();
            nodes.push(Node { marks, good: !good, depth: depth + 1, children: Vec::new(), first_leaf: 0 });
            nodes[place].children.push(child);
        }
        place += 1;
        if effort::GAME_TREE.size() < nodes.len() {
            return Err(effort::GAME_TREE);
        }
    }
    Ok(walk(nodes))
}

/// One way to satisfy a condition: marks that must be seen for ever, and marks that must not.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Term {
    seen: u64,
    unseen: u64,
}

impl Term {
    fn implies(self, other: Term) -> bool {
        other.seen & !self.seen == 0 && other.unseen & !self.unseen == 0
    }
}

/// The ways in which a condition holds, or fails; none if there are too many.
fn terms(condition: &Condition, holds: bool) -> Option<Vec<Term>> {
    let literal = |mark: &usize, seen: bool| {
        let (one, none) = (1 << mark, 0);
        Some(vec![if seen { Term { seen: one, unseen: none } } else { Term { seen: none, unseen: one } }])
    };
    let (parts, together) = match condition {
        Condition::Repeatedly(mark) => return literal(mark, holds),
        Condition::Finitely(mark) => return literal(mark, !holds),
        Condition::All(parts) => (parts, holds),
        Condition::Any(parts) => (parts, !holds),
    };
    let mut found: Vec<Term> = if together { vec![Term { seen: 0, unseen: 0 }] } else { Vec::new() };
    for part in parts {
        let own = terms(part, holds)?;
        let joined: Vec<Term> = match together {
            false => found.iter().chain(&own).copied().collect(),
            true => {
                let pairs = found.iter().flat_map(|left| own.iter().map(move |right| (left, right)));
                let both = pairs
                    .map(|(left, right)| Term { seen: left.seen | right.seen, unseen: left.unseen | right.unseen });
                both.filter(|term| term.seen & term.unseen == 0).take(effort::GAME_TERMS.size() + 1).collect()
            }
        };
        if effort::GAME_TERMS.size() < joined.len() {
            return None;
        }
        // What implies another way does not count as one of its own.
        found = Vec::new();
        for term in joined {
            if !found.iter().any(|other| term.implies(*other)) {
                found.retain(|other| !other.implies(term));
                found.push(term);
            }
        }
    }
    Some(found)
}

/// The largest subsets of some marks that satisfy a term, none inside another.
fn largest(terms: &[Term], marks: u64) -> Vec<u64> {
    let mut sets: Vec<u64> =
        terms.iter().filter(|term| term.seen & !marks == 0).map(|term| marks & !term.unseen).collect();
    sets.sort_unstable_by_key(|set| std::cmp::Reverse((set.count_ones(), *set)));
    let mut found: Vec<u64> = Vec::new();
    for set in sets {
        if !found.iter().any(|larger| set & !larger == 0) {
            found.push(set);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest subsets by trying all of them.
    fn tried(condition: &Condition, marks: u64, good: bool) -> Vec<u64> {
        let mut sets: Vec<u64> =
            (0..=marks).filter(|set| set & !marks == 0 && holds(condition, *set) == good).collect();
        let all = sets.clone();
        sets.retain(|set| !all.iter().any(|larger| larger != set && set & !larger == 0));
        sets.sort_unstable_by_key(|set| std::cmp::Reverse((set.count_ones(), *set)));
        sets
    }

    #[test]
    fn largest_subsets_are_those_found_by_trying_all() {
        let mut state = 5_u64;
        let mut draw = |count: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % count
        };
        for _ in 0..300 {
            let mut parts: Vec<Condition> = Vec::new();
            for mark in 0..5 {
                parts.push(if draw(2) == 0 { Condition::Repeatedly(mark) } else { Condition::Finitely(mark) });
            }
            while 1 < parts.len() {
                let count = 2 + draw(2) as usize;
                let mut taken = Vec::new();
                for _ in 0..count.min(parts.len()) {
                    taken.push(parts.remove(draw(parts.len() as u64) as usize));
                }
                parts.push(if draw(2) == 0 { Condition::All(taken) } else { Condition::Any(taken) });
            }
            let condition = parts.remove(0);
            for good in [false, true] {
                let own = terms(&condition, good).expect("there are few");
                for marks in [0b11111, 0b10110, 0b00101, 0] {
                    assert_eq!(largest(&own, marks), tried(&condition, marks, good), "{condition:?} {marks:b} {good}");
                }
            }
        }
    }

    #[test]
    fn many_marks_of_a_simple_condition_are_few_priorities() {
        let each = |from: usize, make: fn(usize) -> Condition| (from..from + 20).map(make).collect::<Vec<_>>();
        let assumed = Condition::Any(each(0, Condition::Finitely));
        let wanted = Condition::All(each(20, Condition::Repeatedly));
        let found = priorities(&Condition::Any(vec![assumed, wanted]), 40);
        assert_eq!(found.map(|priorities| priorities.count).ok(), Some(3));
    }
}
