//! The arena of terms: append-only, hash-consed, children before parents.

#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicU32, Ordering};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use value::{Sort, Value};

use crate::Op;
use crate::rank::{SortError, rank};
use crate::unique::UniqueTable;

/// A term: an id in the arena that made it. In debug builds it also knows which arena that was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term {
    index: u32,
    #[cfg(debug_assertions)]
    arena: u32,
}

/// The id of an interned sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortId(u16);

/// The arena.
pub struct Terms {
    nodes: Vec<Node>,
    /// The arguments of applications with more than three of them.
    spilled: Vec<Term>,
    unique: UniqueTable,
    sorts: Vec<Sort>,
    sort_ids: HashMap<Sort, SortId, FxBuildHasher>,
    values: Vec<Value>,
    value_ids: HashMap<Value, u32, FxBuildHasher>,
    names: Vec<Box<str>>,
    name_ids: HashMap<Box<str>, u32, FxBuildHasher>,
    fresh: u32,
    #[cfg(debug_assertions)]
    arena: u32,
}

/// One node in 16 bytes. `data` holds up to three arguments, followed by indices; or the place of spilled arguments;
/// or the number of a value or a name.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    op: Op,
    layout: Layout,
    sort: SortId,
    data: [Term; 3],
}

#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Layout {
    Inline0,
    Inline1,
    Inline2,
    Inline3,
    Spilled,
}

const INLINE: [Layout; 4] = [Layout::Inline0, Layout::Inline1, Layout::Inline2, Layout::Inline3];

impl SortId {
    /// The sort of truth values.
    pub const BOOL: SortId = SortId(0);
    /// The sort of integers.
    pub const INT: SortId = SortId(1);
    /// The sort of reals.
    pub const REAL: SortId = SortId(2);

    pub(crate) fn from_index(index: u32) -> SortId {
        SortId(u16::try_from(index).expect("a sort index comes from a SortId"))
    }

    /// The position of the sort in its arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Term {
    /// The position of the term in its arena; every argument has a smaller one.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

impl Terms {
    /// An arena that holds only `false` and `true`.
    pub fn new() -> Terms {
        #[cfg(debug_assertions)]
        static ARENAS: AtomicU32 = AtomicU32::new(0);
        let mut terms = Terms {
            nodes: Vec::new(),
            spilled: Vec::new(),
            unique: UniqueTable::default(),
            sorts: Vec::new(),
            sort_ids: HashMap::default(),
            values: Vec::new(),
            value_ids: HashMap::default(),
            names: Vec::new(),
            name_ids: HashMap::default(),
            fresh: 0,
            #[cfg(debug_assertions)]
            arena: ARENAS.fetch_add(1, Ordering::Relaxed),
        };
        for sort in [Sort::Bool, Sort::Int, Sort::Real] {
            terms.intern_sort(&sort);
        }
        terms.constant(Value::Bool(false));
        terms.constant(Value::Bool(true));
        terms
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it is without any term; never, since `false` and `true` are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The term at a position, see [`Term::index`].
    pub fn at(&self, index: usize) -> Term {
        assert!(index < self.nodes.len(), "the index of a term of this arena");
        self.term(index as u32)
    }

    /// The declared constant called `name`. A name has one sort for the life of the arena.
    pub fn symbol(&mut self, name: &str, sort: &Sort) -> Term {
        let number = match self.name_ids.get(name) {
            Some(&number) => number,
            None => {
                let number = self.names.len() as u32;
                self.names.push(name.into());
                self.name_ids.insert(name.into(), number);
                number
            }
        };
        let sort = self.intern_sort(sort);
        let data = [self.term(number), self.term(0), self.term(0)];
        self.intern(Node { op: Op::Symbol, layout: Layout::Inline0, sort, data })
    }

    /// A declared constant whose name starts with `prefix` and is used by no other.
    pub fn fresh(&mut self, prefix: &str, sort: &Sort) -> Term {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if !self.name_ids.contains_key(name.as_str()) {
                return self.symbol(&name, sort);
            }
        }
    }

    /// The constant with this value.
    pub fn constant(&mut self, value: Value) -> Term {
        let sort = self.intern_sort(&value.sort());
        let number = match self.value_ids.get(&value) {
            Some(&number) => number,
            None => {
                let number = self.values.len() as u32;
                self.values.push(value.clone());
                self.value_ids.insert(value, number);
                number
            }
        };
        let data = [self.term(number), self.term(0), self.term(0)];
        self.intern(Node { op: Op::Constant, layout: Layout::Inline0, sort, data })
    }

    /// The truth constant.
    pub fn bool(&self, truth: bool) -> Term {
        self.term(u32::from(truth))
    }

    /// The integer constant.
    pub fn int(&mut self, number: impl Into<value::IBig>) -> Term {
        self.constant(Value::Int(number.into()))
    }

    /// The application of `op` to `args`.
    ///
    /// # Errors
    /// When the arguments do not fit the operator.
    pub fn try_app(&mut self, op: Op, indices: [u32; 2], args: &[Term]) -> Result<Term, SortError> {
        for &arg in args {
            self.assert_own(arg);
        }
        let sort = rank(self, op, indices, args)?;
        Ok(self.intern_application(op, indices, args, sort))
    }

    /// The application of an operator without indices to arguments that fit it.
    pub fn app(&mut self, op: Op, args: &[Term]) -> Term {
        self.indexed(op, [0, 0], args)
    }

    /// The application of an indexed operator to arguments that fit it.
    pub fn indexed(&mut self, op: Op, indices: [u32; 2], args: &[Term]) -> Term {
        match self.try_app(op, indices, args) {
            Ok(term) => term,
            Err(error) => panic!("terms are built well-sorted: {error}"),
        }
    }

    /// The operator of a term.
    pub fn op(&self, term: Term) -> Op {
        self.node(term).op
    }

    /// The arguments of a term.
    pub fn args(&self, term: Term) -> &[Term] {
        let node = self.node(term);
        match node.layout {
            Layout::Spilled => {
                let start = node.data[0].index();
                &self.spilled[start..start + node.data[1].index()]
            }
            inline => &node.data[..inline as usize],
        }
    }

    /// The indices of an indexed operator, zeros elsewhere.
    pub fn indices(&self, term: Term) -> [u32; 2] {
        let node = self.node(term);
        match node.op.index_count() {
            0 => [0, 0],
            1 => [node.data[1].index, 0],
            _ => [node.data[1].index, node.data[2].index],
        }
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> &Sort {
        &self.sorts[self.node(term).sort.index()]
    }

    /// The id of the sort of a term.
    pub fn sort_id(&self, term: Term) -> SortId {
        self.node(term).sort
    }

    /// The sort with this id.
    pub fn sort_at(&self, sort: SortId) -> &Sort {
        &self.sorts[sort.index()]
    }

    /// The width of a bit-vector term.
    pub fn width(&self, term: Term) -> Option<u32> {
        match self.sort(term) {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    /// The value of a constant.
    pub fn value(&self, term: Term) -> Option<&Value> {
        let node = self.node(term);
        (node.op == Op::Constant).then(|| &self.values[node.data[0].index()])
    }

    /// The name of a symbol.
    pub fn name(&self, term: Term) -> Option<&str> {
        let node = self.node(term);
        (node.op == Op::Symbol).then(|| &*self.names[node.data[0].index()])
    }

    /// The id of `sort`.
    pub fn intern_sort(&mut self, sort: &Sort) -> SortId {
        if let Some(&id) = self.sort_ids.get(sort) {
            return id;
        }
        if let Sort::Array(parts) = sort {
            self.intern_sort(&parts.0);
            self.intern_sort(&parts.1);
        }
        let id = SortId(u16::try_from(self.sorts.len()).expect("fewer than 65,536 sorts"));
        self.sorts.push(sort.clone());
        self.sort_ids.insert(sort.clone(), id);
        id
    }

    /// The number of sorts.
    pub fn sort_count(&self) -> usize {
        self.sorts.len()
    }

    pub(crate) fn bit_vector_sort(&mut self, width: u32) -> SortId {
        self.intern_sort(&Sort::BitVec(width))
    }

    pub(crate) fn array_parts(&self, sort: SortId) -> Option<(SortId, SortId)> {
        match self.sorts.get(sort.index())? {
            Sort::Array(parts) => Some((self.sort_ids[&parts.0], self.sort_ids[&parts.1])),
            _ => None,
        }
    }

    /// The bytes the arena occupies, counted by capacity.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.spilled.capacity() * size_of::<Term>()
            + self.unique.memory()
            + self.names.iter().map(|name| 2 * name.len() + 32).sum::<usize>()
            + self.values.capacity() * 2 * size_of::<Value>()
    }

    fn intern_application(&mut self, op: Op, indices: [u32; 2], args: &[Term], sort: SortId) -> Term {
        let zero = self.term(0);
        let mut data = [zero; 3];
        if args.len() <= 3 {
            data[..args.len()].copy_from_slice(args);
            for (place, &index) in indices.iter().take(op.index_count()).enumerate() {
                data[1 + place] = self.term(index);
            }
            return self.intern(Node { op, layout: INLINE[args.len()], sort, data });
        }
        let start = self.spilled.len();
        self.spilled.extend_from_slice(args);
        data[0] = self.term(u32::try_from(start).expect("fewer than 2^32 spilled arguments"));
        data[1] = self.term(args.len() as u32);
        let before = self.nodes.len();
        let term = self.intern(Node { op, layout: Layout::Spilled, sort, data });
        if self.nodes.len() == before {
            self.spilled.truncate(start);
        }
        term
    }

    fn intern(&mut self, node: Node) -> Term {
        let hash = hash(&self.spilled, &node);
        let found = self.unique.find(hash, |index| same(&self.spilled, &self.nodes[index as usize], &node));
        if let Some(index) = found {
            return self.term(index);
        }
        let index = u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms");
        assert!(index < u32::MAX, "fewer than 2^32 - 1 terms");
        if self.nodes.len() == self.nodes.capacity() {
            // By half and not by double: an arena of many millions of terms should not be half empty.
            self.nodes.reserve_exact((self.nodes.len() / 2).max(1024));
        }
        self.nodes.push(node);
        self.unique.insert(hash, index);
        self.term(index)
    }

    fn node(&self, term: Term) -> &Node {
        self.assert_own(term);
        &self.nodes[term.index()]
    }

    fn term(&self, index: u32) -> Term {
        Term {
            index,
            #[cfg(debug_assertions)]
            arena: self.arena,
        }
    }

    fn assert_own(&self, _term: Term) {
        #[cfg(debug_assertions)]
        assert_eq!(_term.arena, self.arena, "a term is used with the arena that made it");
    }
}

fn spilled_args<'a>(spilled: &'a [Term], node: &Node) -> &'a [Term] {
    &spilled[node.data[0].index()..][..node.data[1].index()]
}

fn hash(spilled: &[Term], node: &Node) -> u64 {
    let head = u64::from(node.op as u8) << 16 | u64::from(node.sort.0);
    if node.layout == Layout::Spilled {
        return spilled_args(spilled, node).iter().fold(head, |hash, arg| mix(hash, u64::from(arg.index)));
    }
    // Terms are mostly built over terms just built: with the other arguments the same, eight in a row share a line.
    let mut data = node.data.map(|arg| u64::from(arg.index));
    let newest = if data[0] < data[1] { 1 } else { 0 };
    let newest = if data[newest] < data[2] { 2 } else { newest };
    let low = data[newest] & 7;
    data[newest] ^= low;
    let line = mix(head << 32 | data[0], data[1] << 32 | data[2]);
    line & !(7 << 32) | low << 32
}

/// Folds the full product of two words: every bit of both reaches every bit of the result.
fn mix(left: u64, right: u64) -> u64 {
    let product = u128::from(left ^ 0x9e37_79b9_7f4a_7c15) * u128::from(right ^ 0xd1b5_4a32_d192_ed03);
    (product >> 64) as u64 ^ product as u64
}

fn same(spilled: &[Term], left: &Node, right: &Node) -> bool {
    if left.layout != Layout::Spilled {
        return left == right;
    }
    left.op == right.op
        && right.layout == Layout::Spilled
        && spilled_args(spilled, left) == spilled_args(spilled, right)
}

/// Short names for the applications encoders write most. They fold nothing away except empty and unit lists.
impl Terms {
    /// Negation.
    pub fn not(&mut self, arg: Term) -> Term {
        self.app(Op::Not, &[arg])
    }

    /// Conjunction of any number of terms.
    pub fn and(&mut self, args: &[Term]) -> Term {
        match args {
            [] => self.bool(true),
            [only] => *only,
            _ => self.app(Op::And, args),
        }
    }

    /// Disjunction of any number of terms.
    pub fn or(&mut self, args: &[Term]) -> Term {
        match args {
            [] => self.bool(false),
            [only] => *only,
            _ => self.app(Op::Or, args),
        }
    }

    /// Implication.
    pub fn implies(&mut self, left: Term, right: Term) -> Term {
        self.app(Op::Implies, &[left, right])
    }

    /// Equality.
    pub fn eq(&mut self, left: Term, right: Term) -> Term {
        self.app(Op::Eq, &[left, right])
    }

    /// Exclusive disjunction.
    pub fn xor(&mut self, left: Term, right: Term) -> Term {
        self.app(Op::Xor, &[left, right])
    }

    /// If-then-else.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.app(Op::Ite, &[condition, then, otherwise])
    }
}
