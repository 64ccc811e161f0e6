//! How an object falls into cells: the scalars of its type, each at its place.

use std::rc::Rc;

use c::types::{Type, TypeId, Types};

/// Objects with more cells than this are not followed.
const MOST_CELLS: usize = 1 << 16;

/// A cell of an object: some bytes that are read and written together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Cell {
    /// The first byte.
    pub(super) offset: u64,
    /// The number of bytes.
    pub(super) size: u64,
}

/// The cells of an object, in order, without overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    /// The cells.
    pub(super) cells: Vec<Cell>,
    /// The size of all cells, if they are equally large and fill the object.
    pub(super) stride: Option<u64>,
}

impl Partition {
    /// Cells that do not overlap, in any order.
    pub(super) fn new(mut cells: Vec<Cell>) -> Partition {
        cells.sort_unstable();
        cells.dedup();
        let stride = cells.first().map(|cell| cell.size);
        let even =
            |size: u64| cells.iter().enumerate().all(|(at, cell)| *cell == Cell { offset: at as u64 * size, size });
        Partition { stride: stride.filter(|&size| even(size)), cells }
    }

    /// `size` bytes in cells of one size, the rest in single bytes.
    pub(super) fn even(size: u64, stride: u64) -> Option<Partition> {
        let count = size / stride;
        if MOST_CELLS as u64 <= count {
            return None;
        }
        let mut cells: Vec<Cell> = (0..count).map(|at| Cell { offset: at * stride, size: stride }).collect();
        cells.extend((count * stride..size).map(|offset| Cell { offset, size: 1 }));
        Some(Partition::new(cells))
    }

    /// The position of the cell that begins at a byte.
    pub(super) fn starting_at(&self, offset: u64) -> Option<usize> {
        self.cells.binary_search_by_key(&offset, |cell| cell.offset).ok()
    }

    /// The positions of the cells that share bytes with a range.
    pub(super) fn overlapping(&self, offset: u64, size: u64) -> std::ops::Range<usize> {
        let first = self.cells.partition_point(|cell| cell.offset + cell.size <= offset);
        let last = self.cells.partition_point(|cell| cell.offset < offset + size);
        first..last.max(first)
    }

    /// The same bytes with a cell of its own for a range; what is left of cut cells falls into bytes.
    pub(super) fn carved(&self, offset: u64, size: u64) -> Partition {
        let end = offset + size;
        let mut cells = vec![Cell { offset, size }];
        for cell in &self.cells {
            if cell.offset + cell.size <= offset || end <= cell.offset {
                cells.push(*cell);
            } else {
                let bytes = (cell.offset..cell.offset + cell.size).filter(|byte| *byte < offset || end <= *byte);
                cells.extend(bytes.map(|offset| Cell { offset, size: 1 }));
            }
        }
        Partition::new(cells)
    }
}

/// The cells of `count` elements of a type in a row; none if the type is incomplete or has too many.
pub(super) fn partition(types: &Types, ty: TypeId, count: u64) -> Option<Rc<Partition>> {
    let size = types.size(ty)?;
    let mut cells = Vec::new();
    let mut pending = vec![(ty, 0u64)];
    while let Some((ty, offset)) = pending.pop() {
        if MOST_CELLS < cells.len() + pending.len() {
            return None;
        }
        match types.kind(ty) {
            Type::Array { element, length } => {
                let (size, length) = (types.size(*element)?, (*length)?);
                if MOST_CELLS as u64 <= length {
                    return None;
                }
                pending.extend((0..length).map(|at| (*element, offset + at * size)));
            }
            Type::Record(id) => {
                let record = types.record(*id);
                let layout = record.layout.as_ref()?;
                if record.union {
                    let largest = layout.fields.iter().max_by_key(|field| types.size(field.ty).unwrap_or(0));
                    let largest_size = largest.map_or(0, |field| types.size(field.ty).unwrap_or(0));
                    pending.extend(largest.map(|field| (field.ty, offset)));
                    cells.extend((largest_size..layout.size).map(|at| Cell { offset: offset + at, size: 1 }));
                } else {
                    // A flexible member at the end has no cells.
                    let sized = layout.fields.iter().filter(|field| types.size(field.ty).is_some());
                    pending.extend(sized.map(|field| (field.ty, offset + field.offset)));
                }
            }
            _ => cells.push(Cell { offset, size: types.size(ty)? }),
        }
    }
    let cells = apart(cells);
    if MOST_CELLS as u64 <= (cells.len() as u64).checked_mul(count)? {
        return None;
    }
    let row = |at: u64| cells.iter().map(move |cell| Cell { offset: cell.offset + at * size, size: cell.size });
    Some(Rc::new(Partition::new((0..count).flat_map(row).collect())))
}

/// Cells that overlap (storage units of bit-fields) fall into bytes.
fn apart(mut cells: Vec<Cell>) -> Vec<Cell> {
    cells.sort_unstable();
    cells.dedup();
    let mut result: Vec<Cell> = Vec::new();
    let mut at = 0;
    while at < cells.len() {
        let mut end = cells[at].offset + cells[at].size;
        let mut next = at + 1;
        while next < cells.len() && cells[next].offset < end {
            end = end.max(cells[next].offset + cells[next].size);
            next += 1;
        }
        match next - at {
            1 => result.push(cells[at]),
            _ => result.extend((cells[at].offset..end).map(|offset| Cell { offset, size: 1 })),
        }
        at = next;
    }
    result
}
