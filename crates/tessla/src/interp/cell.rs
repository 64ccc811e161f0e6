//! Events as the monitor keeps them: small values as words that are copied, all others beside them.

use crate::value::Value;

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Kind {
    /// No event.
    Nothing,
    /// The unit value.
    Unit,
    /// A truth value: 0 or 1.
    Bool,
    /// An integer.
    Int,
    /// Some other value, which is kept beside the cell.
    Other,
}

/// The event of a stream at one time, or none. Kind and word have one size, so that cells are moved in one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) kind: Kind,
    pub(crate) word: i64,
}

impl Cell {
    pub(crate) const NOTHING: Cell = Cell { kind: Kind::Nothing, word: 0 };
    pub(crate) const UNIT: Cell = Cell { kind: Kind::Unit, word: 0 };
    const OTHER: Cell = Cell { kind: Kind::Other, word: 0 };

    pub(crate) fn int(word: i64) -> Cell {
        Cell { kind: Kind::Int, word }
    }

    /// Whether there is an event.
    #[inline]
    pub(crate) fn is_event(self) -> bool {
        self.kind != Kind::Nothing
    }

    /// The cell of a value that needs nothing beside it.
    pub(crate) fn small(value: &Value) -> Option<Cell> {
        match value {
            Value::Unit => Some(Cell::UNIT),
            Value::Bool(truth) => Some(Cell { kind: Kind::Bool, word: i64::from(*truth) }),
            Value::Int(number) => Some(Cell::int(*number)),
            Value::Big(_) | Value::Float(_) | Value::String(_) | Value::None | Value::Some(_) => None,
            Value::Object(_) | Value::List(_) | Value::Set(_) | Value::Map(_) | Value::Failure(_) => None,
        }
    }
}

/// One cell for each stream.
#[derive(Debug)]
pub(super) struct Cells {
    cells: Vec<Cell>,
    /// The values of the cells of kind [`Kind::Other`].
    others: Vec<Value>,
}

impl Cells {
    pub(super) fn new(streams: usize) -> Cells {
        Cells { cells: vec![Cell::NOTHING; streams], others: vec![Value::Unit; streams] }
    }

    #[inline]
    pub(super) fn cell(&self, stream: u32) -> Cell {
        self.cells[stream as usize]
    }

    #[inline]
    pub(super) fn is_event(&self, stream: u32) -> bool {
        self.cells[stream as usize].is_event()
    }

    pub(super) fn value(&self, stream: u32) -> Option<Value> {
        let cell = self.cells[stream as usize];
        Some(match cell.kind {
            Kind::Nothing => return None,
            Kind::Unit => Value::Unit,
            Kind::Bool => Value::Bool(cell.word != 0),
            Kind::Int => Value::Int(cell.word),
            Kind::Other => self.others[stream as usize].clone(),
        })
    }

    /// The value beside a cell of kind [`Kind::Other`].
    pub(super) fn other(&self, stream: u32) -> &Value {
        &self.others[stream as usize]
    }

    /// Sets a cell that needs nothing beside it.
    #[inline]
    pub(super) fn set_small(&mut self, stream: u32, cell: Cell) {
        debug_assert!(cell.kind != Kind::Other, "such a cell needs its value");
        self.cells[stream as usize] = cell;
    }

    pub(super) fn set(&mut self, stream: u32, value: Value) {
        let cell = Cell::small(&value).unwrap_or_else(|| {
            self.others[stream as usize] = value;
            Cell::OTHER
        });
        self.cells[stream as usize] = cell;
    }

    /// Gives a stream the event of another one, if that has one; whether it has.
    #[inline]
    pub(super) fn copy(&mut self, from: u32, to: u32) -> bool {
        let cell = self.cells[from as usize];
        if cell.kind == Kind::Other {
            self.others[to as usize] = self.others[from as usize].clone();
        }
        self.cells[to as usize] = cell;
        cell.is_event()
    }

    /// The same from other cells.
    #[inline]
    pub(super) fn copy_from(&mut self, cells: &Cells, from: u32, to: u32) -> bool {
        let cell = cells.cells[from as usize];
        if cell.kind == Kind::Other {
            self.others[to as usize] = cells.others[from as usize].clone();
        }
        self.cells[to as usize] = cell;
        cell.is_event()
    }

    /// Takes an event away, to other cells if they are to have it.
    #[inline]
    pub(super) fn take(&mut self, stream: u32, to: Option<&mut Cells>) {
        let stream = stream as usize;
        let cell = std::mem::replace(&mut self.cells[stream], Cell::NOTHING);
        let other = (cell.kind == Kind::Other).then(|| std::mem::replace(&mut self.others[stream], Value::Unit));
        if let Some(to) = to {
            to.cells[stream] = cell;
            if let Some(other) = other {
                to.others[stream] = other;
            }
        }
    }
}
