//! The formulas whose value matters in every step: the subformulas of some properties, and `X (a U b)` for every `a U b`.
//!
//! Derived operators are written out as the thesis derives them (`<->`, `xor`, `W`, `M`), conjunction, implication, `G` and `R` have
//! rules of their own, equal to the derived ones by duality. Truth constants are folded away.

use rustc_hash::FxHashMap;

use super::count::{Count, Pair};
use omega::{AtomId, Binary, Formula, Formulas, Node, Unary};

/// A cell of every column, by its number.
pub(super) type CellId = u32;

/// What a cell is made of. Arguments are cells of the same column and have smaller numbers, except where the next column is
/// named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cell {
    /// A proposition, by its place in a letter.
    Atom(u32),
    Not(CellId),
    And(CellId, CellId),
    Or(CellId, CellId),
    Implies(CellId, CellId),
    /// `argument` in the next column; `inner` is what stands under all `count` leading `X`.
    Next {
        argument: CellId,
        inner: CellId,
        count: u32,
    },
    /// The argument here, or the same in the next column.
    Finally(CellId),
    Globally(CellId),
    /// `next` is the cell of `X` of this one.
    Until {
        left: CellId,
        right: CellId,
        next: CellId,
    },
    Release {
        left: CellId,
        right: CellId,
        next: CellId,
    },
}

/// A property as a cell, unless it is a truth constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    Constant(bool),
    Cell(CellId),
}

/// The cells of some properties.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// The properties and everything written out of them.
    pub(super) formulas: Formulas,
    /// The cells; arguments stand before their users.
    pub(super) cells: Vec<Cell>,
    /// What each cell says.
    pub(super) texts: Vec<Formula>,
    /// The properties.
    pub(super) roots: Vec<Root>,
    /// The propositions, in the order of a letter.
    pub(super) atoms: Vec<AtomId>,
    /// The pair of each cell after the end of the trace, counted from there.
    pub(super) end: Vec<Pair>,
    /// Whether a user could have written it: no helper `X (a U b)`.
    pub(super) written: Vec<bool>,
    /// The most `X` in a row.
    pub(super) longest_next: u32,
}

impl Cells {
    /// The cells of these properties.
    pub(super) fn new(formulas: &Formulas, properties: &[Formula]) -> Cells {
        let mut builder = Builder {
            cells: Cells {
                formulas: formulas.clone(),
                cells: Vec::new(),
                texts: Vec::new(),
                roots: Vec::new(),
                atoms: formulas.atoms_of(properties.iter().copied()),
                end: Vec::new(),
                written: Vec::new(),
                longest_next: 0,
            },
            known: FxHashMap::default(),
        };
        let mut roots: FxHashMap<Formula, Root> = FxHashMap::default();
        for formula in formulas.reachable(properties.iter().copied()) {
            let root = builder.formula(formulas.node(formula), &roots);
            roots.insert(formula, root);
        }
        let mut cells = builder.cells;
        cells.roots = properties.iter().map(|property| roots[property]).collect();
        cells.end = ends(&cells.cells);
        cells
    }

    /// The number of cells.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// What a cell says, as text.
    pub(super) fn show(&self, cell: CellId) -> String {
        crate::print::print(&self.formulas, self.texts[cell as usize])
    }
}

struct Builder {
    cells: Cells,
    known: FxHashMap<Node, CellId>,
}

impl Builder {
    fn formula(&mut self, node: Node, roots: &FxHashMap<Formula, Root>) -> Root {
        match node {
            Node::Constant(value) => Root::Constant(value),
            Node::Atom(atom) => {
                let place = self.cells.atoms.binary_search(&atom).expect("every atom of the properties is listed");
                Root::Cell(self.add(Node::Atom(atom), |_| Cell::Atom(place as u32)))
            }
            Node::Unary(operator, argument) => self.unary(operator, roots[&argument]),
            Node::Binary(operator, left, right) => self.binary(operator, roots[&left], roots[&right]),
        }
    }

    fn unary(&mut self, operator: Unary, argument: Root) -> Root {
        let argument = match (argument, operator) {
            (Root::Constant(value), Unary::Not) => return Root::Constant(!value),
            (Root::Constant(value), Unary::Next | Unary::Finally | Unary::Globally) => return Root::Constant(value),
            (Root::Cell(argument), _) => argument,
        };
        let node = Node::Unary(operator, self.cells.texts[argument as usize]);
        Root::Cell(match operator {
            Unary::Not => self.add(node, |_| Cell::Not(argument)),
            Unary::Finally => self.add(node, |_| Cell::Finally(argument)),
            Unary::Globally => self.add(node, |_| Cell::Globally(argument)),
            Unary::Next => {
                let (inner, count) = match self.cells.cells[argument as usize] {
                    Cell::Next { inner, count, .. } => (inner, count + 1),
                    _ => (argument, 1),
                };
                self.cells.longest_next = self.cells.longest_next.max(count);
                self.add(node, |_| Cell::Next { argument, inner, count })
            }
        })
    }

    fn binary(&mut self, operator: Binary, left: Root, right: Root) -> Root {
        match operator {
            Binary::And => self.connect(Binary::And, left, right),
            Binary::Or => self.connect(Binary::Or, left, right),
            Binary::Implies => self.connect(Binary::Implies, left, right),
            Binary::Iff | Binary::Xor => {
                let there = self.connect(Binary::Implies, left, right);
                let back = self.connect(Binary::Implies, right, left);
                let both = self.connect(Binary::And, there, back);
                if operator == Binary::Xor { self.unary(Unary::Not, both) } else { both }
            }
            Binary::Until => self.until(left, right),
            Binary::Release => self.release(left, right),
            Binary::WeakUntil => {
                let until = self.until(left, right);
                let always = self.unary(Unary::Globally, left);
                self.connect(Binary::Or, until, always)
            }
            Binary::StrongRelease => {
                let both = self.connect(Binary::And, left, right);
                self.until(right, both)
            }
        }
    }

    /// A conjunction, disjunction or implication.
    fn connect(&mut self, operator: Binary, left: Root, right: Root) -> Root {
        let (left, right) = match (operator, left, right) {
            (Binary::And, Root::Constant(true), other) | (Binary::And, other, Root::Constant(true)) => return other,
            (Binary::And, Root::Constant(false), _) | (Binary::And, _, Root::Constant(false)) => {
                return Root::Constant(false);
            }
            (Binary::Or, Root::Constant(false), other) | (Binary::Or, other, Root::Constant(false)) => return other,
            (Binary::Or, Root::Constant(true), _) | (Binary::Or, _, Root::Constant(true)) => {
                return Root::Constant(true);
            }
            (_, Root::Constant(true), other) => return other,
            (_, Root::Constant(false), _) | (_, _, Root::Constant(true)) => return Root::Constant(true),
            (_, other, Root::Constant(false)) => return self.unary(Unary::Not, other),
            (_, Root::Cell(left), Root::Cell(right)) => (left, right),
        };
        let node = Node::Binary(operator, self.cells.texts[left as usize], self.cells.texts[right as usize]);
        Root::Cell(self.add(node, |_| match operator {
            Binary::And => Cell::And(left, right),
            Binary::Or => Cell::Or(left, right),
            _ => Cell::Implies(left, right),
        }))
    }

    fn until(&mut self, left: Root, right: Root) -> Root {
        match (left, right) {
            (_, Root::Constant(value)) => Root::Constant(value),
            (Root::Constant(true), _) => self.unary(Unary::Finally, right),
            (Root::Constant(false), _) => right,
            (Root::Cell(left), Root::Cell(right)) => self.fixed_point(Binary::Until, left, right),
        }
    }

    fn release(&mut self, left: Root, right: Root) -> Root {
        match (left, right) {
            (_, Root::Constant(value)) => Root::Constant(value),
            (Root::Constant(true), _) => right,
            (Root::Constant(false), _) => self.unary(Unary::Globally, right),
            (Root::Cell(left), Root::Cell(right)) => self.fixed_point(Binary::Release, left, right),
        }
    }

    /// `U` or `R`: two cells, the first of which is `X` of the second.
    fn fixed_point(&mut self, operator: Binary, left: CellId, right: CellId) -> Root {
        let node = Node::Binary(operator, self.cells.texts[left as usize], self.cells.texts[right as usize]);
        if let Some(&known) = self.known.get(&node) {
            return Root::Cell(known);
        }
        let text = self.cells.formulas.add(node);
        let next_text = self.cells.formulas.unary(Unary::Next, text);
        let next = self.cells.cells.len() as CellId;
        self.cells.longest_next = self.cells.longest_next.max(1);
        self.cells.cells.push(Cell::Next { argument: next + 1, inner: next + 1, count: 1 });
        self.cells.texts.push(next_text);
        self.cells.written.push(false);
        Root::Cell(self.add(node, |_| match operator {
            Binary::Until => Cell::Until { left, right, next },
            _ => Cell::Release { left, right, next },
        }))
    }

    fn add(&mut self, node: Node, cell: impl FnOnce(&Cells) -> Cell) -> CellId {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let id = u32::try_from(self.cells.cells.len()).expect("fewer than 2^32 cells");
        let text = self.cells.formulas.add(node);
        let made = cell(&self.cells);
        self.cells.cells.push(made);
        self.cells.texts.push(text);
        self.cells.written.push(true);
        self.known.insert(node, id);
        id
    }
}

/// The pairs after the end of a trace. The helper `X (a U b)` is never asked for there.
fn ends(cells: &[Cell]) -> Vec<Pair> {
    let least = Pair::new(Count::NEVER, Count::INFINITE);
    let mut ends: Vec<Pair> = Vec::with_capacity(cells.len());
    for cell in cells {
        let at = |id: CellId| ends[id as usize];
        let pair = match *cell {
            Cell::Atom(_) => Pair::new(Count::ZERO, Count::ZERO),
            Cell::Not(argument) => at(argument).swapped(),
            Cell::And(left, right) => at(left).and(at(right)),
            Cell::Or(left, right) => at(left).or(at(right)),
            Cell::Implies(left, right) => at(left).swapped().or(at(right)),
            Cell::Next { argument, .. } => match ends.get(argument as usize) {
                Some(pair) => pair.later(1),
                None => Pair::new(Count::INFINITE, Count::INFINITE),
            },
            Cell::Finally(argument) => at(argument).or(least),
            Cell::Globally(argument) => at(argument).and(least.swapped()),
            Cell::Until { left, right, .. } => at(right).or(at(left).and(least)),
            Cell::Release { left, right, .. } => at(right).and(at(left).or(least.swapped())),
        };
        ends.push(pair);
    }
    ends
}
