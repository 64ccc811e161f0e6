//! Which slots of a state matter when steps are compared: in two states that agree on them the same steps are told apart.
//!
//! A slot matters if its value may be read before a step assigns it, or if one of the steps that are compared assigns it and another
//! one, or the same one on another way, leaves it as it was. A slot that none of them touches does not matter, nor one that all of
//! them assign on every way before they read it.

use std::collections::BTreeSet;

use crate::spec::{Block, Command, Condition, Number, Spec};

/// What an alternative does with slots; each list is ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touch {
    /// Slots that may be read before they are assigned.
    pub(crate) read: Vec<u32>,
    /// Slots that may be assigned.
    pub(crate) written: Vec<u32>,
    /// Slots that are assigned on every way.
    pub(crate) assigned: Vec<u32>,
}

impl Touch {
    /// What an alternative does with slots.
    pub(crate) fn of(spec: &Spec, block: &Block) -> Touch {
        let mut flow = Flow { spec, read: BTreeSet::new(), written: BTreeSet::new() };
        let mut assigned = BTreeSet::new();
        flow.block(block, &mut assigned);
        let list = |slots: BTreeSet<usize>| slots.into_iter().map(|slot| slot as u32).collect();
        Touch { read: list(flow.read), written: list(flow.written), assigned: list(assigned) }
    }
}

/// The slots on which it depends how the steps of some alternatives compare with each other.
pub(crate) fn relevant<'a>(touches: impl Iterator<Item = &'a Touch> + Clone) -> BTreeSet<u32> {
    let mut all: BTreeSet<u32> = touches.clone().flat_map(|touch| touch.read.iter().copied()).collect();
    let written: BTreeSet<u32> = touches.clone().flat_map(|touch| touch.written.iter().copied()).collect();
    let is_kept = |slot: &u32| touches.clone().any(|touch| touch.assigned.binary_search(slot).is_err());
    all.extend(written.into_iter().filter(is_kept));
    all
}

struct Flow<'a> {
    spec: &'a Spec,
    /// Slots that may be read before they are assigned.
    read: BTreeSet<usize>,
    /// Slots that may be assigned.
    written: BTreeSet<usize>,
}

/// The slots that every way up to here has assigned.
type Assigned = BTreeSet<usize>;

impl Flow<'_> {
    fn block(&mut self, block: &Block, assigned: &mut Assigned) {
        match block {
            Block::Call(call) => {
                let action = &self.spec.actions()[call.action];
                self.condition(&action.guard, assigned);
                self.command(&action.body, assigned);
            }
            Block::Sequence(parts) => parts.iter().for_each(|part| self.block(part, assigned)),
            Block::Choice(parts) | Block::Priority(parts) => {
                self.ways(parts, assigned, |flow, part, own| flow.block(part, own));
            }
        }
    }

    fn command(&mut self, command: &Command, assigned: &mut Assigned) {
        match command {
            Command::Skip => {}
            Command::Assign(slot, value) => {
                self.number(value, assigned);
                self.written.insert(*slot);
                assigned.insert(*slot);
            }
            Command::AssignElement { first, length, index, value, .. } => {
                self.number(index, assigned);
                self.number(value, assigned);
                self.written.extend(*first..*first + *length);
            }
            Command::Together(parts) => {
                // All of them read what was there before.
                let before = assigned.clone();
                for part in parts {
                    let mut own = before.clone();
                    self.command(part, &mut own);
                    assigned.extend(own);
                }
            }
            Command::Any { body, .. } => self.command(body, assigned),
            Command::Sequence(parts) => parts.iter().for_each(|part| self.command(part, assigned)),
            Command::Choice(parts) | Command::Priority(parts) => {
                self.ways(parts, assigned, |flow, part, own| flow.command(part, own));
            }
            Command::Guarded(guard, body) => {
                self.condition(guard, assigned);
                self.command(body, assigned);
            }
        }
    }

    /// Ways that part: only what each of them assigns is assigned after them.
    fn ways<T>(&mut self, parts: &[T], assigned: &mut Assigned, part: fn(&mut Self, &T, &mut Assigned)) {
        let mut common: Option<Assigned> = None;
        for one in parts {
            let mut own = assigned.clone();
            part(self, one, &mut own);
            common = Some(match common {
                None => own,
                Some(common) => common.intersection(&own).copied().collect(),
            });
        }
        if let Some(common) = common {
            *assigned = common;
        }
    }

    fn condition(&mut self, condition: &Condition, assigned: &Assigned) {
        match condition {
            Condition::Truth(_) => {}
            Condition::Not(inner) => self.condition(inner, assigned),
            Condition::Compare(_, left, right) => {
                self.number(left, assigned);
                self.number(right, assigned);
            }
            Condition::Connect(_, parts) => parts.iter().for_each(|part| self.condition(part, assigned)),
        }
    }

    fn number(&mut self, number: &Number, assigned: &Assigned) {
        match number {
            Number::Constant(_) | Number::Parameter(_) => {}
            Number::Slot(slot) => self.reads(*slot..*slot + 1, assigned),
            Number::Element { first, length, index, .. } => {
                self.reads(*first..*first + *length, assigned);
                self.number(index, assigned);
            }
            Number::Negate(inner) | Number::Absolute(inner) => self.number(inner, assigned),
            Number::Arithmetic(_, left, right) => {
                self.number(left, assigned);
                self.number(right, assigned);
            }
        }
    }

    fn reads(&mut self, slots: std::ops::Range<usize>, assigned: &Assigned) {
        self.read.extend(slots.filter(|slot| !assigned.contains(slot)));
    }
}
