//! What the calling thread holds in memory, counted in nodes of decision diagrams: a user's limit is about all diagrams together, not
//! about each.

use std::cell::Cell;

/// What a node of a decision diagram takes, with its place in the tables and what these keep free to grow; measured.
pub const BYTES_PER_NODE: u64 = 128;

/// What the program takes without any diagram.
const PROGRAM: u64 = 24 << 20;

thread_local! {
    static HELD: Cell<u64> = const { Cell::new(0) };
    static LIMIT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Nodes, or what takes as much, that somebody holds.
#[derive(Debug, Default)]
pub struct Held(u64);

impl Held {
    /// Holds more; false if that is more than is allowed.
    pub fn add(&mut self, nodes: u64) -> bool {
        self.0 += nodes;
        let all = HELD.get().saturating_add(nodes);
        HELD.set(all);
        all <= LIMIT.get()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        HELD.set(HELD.get().saturating_sub(self.0));
    }
}

/// As long as it lives, the calling thread may hold only so much.
#[must_use]
pub struct MemoryLimit {
    before: u64,
}

impl MemoryLimit {
    /// A limit in mebibytes, the program itself included; none changes nothing.
    pub fn of(mebibytes: Option<u64>) -> MemoryLimit {
        let before = LIMIT.get();
        if let Some(mebibytes) = mebibytes {
            let bytes = mebibytes.saturating_mul(1 << 20);
            let nodes = bytes.saturating_sub(PROGRAM.min(bytes / 2)) / BYTES_PER_NODE;
            LIMIT.set(before.min(nodes));
        }
        MemoryLimit { before }
    }
}

impl Drop for MemoryLimit {
    fn drop(&mut self) {
        LIMIT.set(self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_hold_together_is_limited() {
        let limit = MemoryLimit::of(Some(1));
        let most = (1 << 19) / BYTES_PER_NODE;
        let (mut one, mut other) = (Held::default(), Held::default());
        assert!(one.add(most / 2) && other.add(most / 2));
        assert!(!one.add(1));
        drop(other);
        assert!(one.add(1));
        drop(limit);
        assert!(one.add(most));
    }
}
