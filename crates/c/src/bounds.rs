//! How far an index may go: inner arrays have bounds of their own, as compilers see them that are asked to check.

use crate::expr::{Base, Place, Step};
use crate::program::Program;

impl Program {
    /// How many values an index of a place may have, from 0 on, if the array that it is a step into has a known length. Where only the
    /// address is taken, the last index may stand just behind the end. An array at the end of what a pointer points to may be longer
    /// than its type says, since memory that was allocated often is; so may one without a length of its own.
    pub fn places_of_index(&self, place: &Place, step: usize, pointed: bool) -> Option<u64> {
        let Some(Step::Index { length: Some(length), .. }) = place.steps.get(step) else { return None };
        let may_be_longer = *length == 0 || matches!(place.base, Base::Pointer(_));
        if may_be_longer && self.ends_structure(&place.steps[..step]) {
            return None;
        }
        let behind = u64::from(pointed && step + 1 == place.steps.len());
        length.checked_add(behind)
    }

    /// Whether steps lead to a member that nothing stands behind in its structure, nor in those around it.
    fn ends_structure(&self, steps: &[Step]) -> bool {
        let mut is_member = false;
        for step in steps.iter().rev() {
            let Step::Field { record, field, .. } = step else { break };
            is_member = true;
            let record = self.types.record(*record);
            let count = record.layout.as_ref().map_or(0, |layout| layout.fields.len());
            if !record.union && *field as usize + 1 < count {
                return false;
            }
        }
        is_member
    }
}
