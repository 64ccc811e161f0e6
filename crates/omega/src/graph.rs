//! Strongly connected components, by Tarjan's algorithm on explicit stacks.

/// The component of every node; edges lead to components of the same or a smaller number.
pub fn components(count: usize, successors: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let mut index = vec![NEW; count];
    let mut low = vec![0; count];
    let mut component = vec![NEW; count];
    let (mut stack, mut next, mut found) = (Vec::new(), 0, 0);
    for root in 0..count {
        if index[root] != NEW {
            continue;
        }
        let mut calls = vec![(root, successors(root), 0)];
        (index[root], low[root]) = (next, next);
        next += 1;
        stack.push(root);
        while let Some((node, targets, place)) = calls.last_mut() {
            let node = *node;
            if let Some(&target) = targets.get(*place) {
                *place += 1;
                if index[target] == NEW {
                    (index[target], low[target]) = (next, next);
                    next += 1;
                    stack.push(target);
                    calls.push((target, successors(target), 0));
                } else if component[target] == NEW {
                    low[node] = low[node].min(index[target]);
                }
                continue;
            }
            calls.pop();
            if let Some((caller, ..)) = calls.last() {
                low[*caller] = low[*caller].min(low[node]);
            }
            if low[node] == index[node] {
                loop {
                    let member = stack.pop().expect("the node itself is on the stack");
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}
