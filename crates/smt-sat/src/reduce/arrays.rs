//! Arrays, replaced by the elements that are read from them.
//!
//! An element is computed through the writes down to a symbol, where it is a fresh symbol; elements of one symbol at
//! equal indices are equal (an axiom per pair: for pairs with one of the first [`EAGER`] reads at once, for the others
//! when a model breaks it). An equality of arrays is a fresh truth value `p` with axioms:
//! if `p` is false, the arrays differ at a witness, a fresh index; if `p` is true, they agree at every index that
//! matters to the arrays connected with them by writes, choices and equalities (the *component*), and *elsewhere*.
//! Elsewhere stands for one index that differs from all those that matter. Such an index exists in every model, since
//! there are more indices than ones that matter (this is checked); and a model of the axioms becomes one of the arrays
//! by giving every array its element "elsewhere" as the default.
//!
//! Over an index sort of few values ([`FEW`]) that argument fails, and is not needed: the indices that matter are all
//! of them, as constants, and a read at a variable index chooses between the elements.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Evaluator, Op, Term, Terms};
use value::{BitVec, EnumValue, Sort, UBig, Value};

use super::Reason;
use super::build::{build, not};

/// Index sorts with at most this many values are enumerated.
const FEW: u64 = 32;

/// A read is related at once to this many others of the same array.
const EAGER: usize = 8;

/// An array, by its place in [`Arrays`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ArrayId(u32);

/// What is known of an array symbol.
pub(crate) struct ArraySymbol {
    pub(crate) index: Sort,
    pub(crate) element: Sort,
    /// The indices read, with the elements there.
    pub(crate) reads: Vec<(Term, Term)>,
    /// The element at all other indices, if that matters.
    pub(crate) elsewhere: Option<Term>,
}

enum Node {
    Symbol(ArraySymbol),
    Store { array: ArrayId, index: Term, element: Term },
    Constant(Term),
    Choose { condition: Term, then: ArrayId, otherwise: ArrayId },
}

/// Where in an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    At(Term),
    Elsewhere,
}

struct Equality {
    left: ArrayId,
    right: ArrayId,
    truth: Term,
}

#[derive(Default)]
pub(super) struct Arrays {
    nodes: Vec<Node>,
    /// The index sort of each array, and all its values if they are few.
    domains: Vec<u32>,
    domain_list: Vec<Domain>,
    /// A forest: the component of each array.
    parents: Vec<u32>,
    /// At the roots of the forest: the indices that matter.
    indices: Vec<Indices>,
    elements: FxHashMap<(ArrayId, Place), Term>,
    equal: FxHashMap<(ArrayId, ArrayId), Term>,
    equalities: Vec<Equality>,
    instantiated: FxHashSet<(usize, Place)>,
    /// Whether an index, an equality or a connection came since the last closure.
    open: bool,
}

/// A set of indices, in the order they came.
#[derive(Default)]
struct Indices {
    list: Vec<Term>,
    known: FxHashSet<Term>,
}

impl Indices {
    fn insert(&mut self, index: Term) -> bool {
        let new = self.known.insert(index);
        if new {
            self.list.push(index);
        }
        new
    }
}

struct Domain {
    sort: Sort,
    /// How many values there are, if fewer than 2^32.
    size: Option<u64>,
    /// All of them, if they are few.
    few: Option<Vec<Value>>,
}

/// Making arrays.
impl Arrays {
    pub(super) fn new_symbol(&mut self, index: &Sort, element: &Sort) -> Result<ArrayId, Reason> {
        let symbol = ArraySymbol { index: index.clone(), element: element.clone(), reads: Vec::new(), elsewhere: None };
        self.new_leaf(index, element, Node::Symbol(symbol))
    }

    pub(super) fn constant(&mut self, index: &Sort, element: &Sort, value: Term) -> Result<ArrayId, Reason> {
        self.new_leaf(index, element, Node::Constant(value))
    }

    pub(super) fn store(&mut self, array: ArrayId, index: Term, element: Term) -> ArrayId {
        let id = self.push(Node::Store { array, index, element }, self.domains[array.0 as usize]);
        self.connect(id, array);
        self.matters(id, index);
        id
    }

    pub(super) fn choose(&mut self, condition: Term, then: ArrayId, otherwise: ArrayId) -> ArrayId {
        let id = self.push(Node::Choose { condition, then, otherwise }, self.domains[then.0 as usize]);
        self.connect(id, then);
        self.connect(id, otherwise);
        id
    }

    pub(super) fn symbol(&self, id: ArrayId) -> &ArraySymbol {
        match &self.nodes[id.0 as usize] {
            Node::Symbol(symbol) => symbol,
            Node::Store { .. } | Node::Constant(_) | Node::Choose { .. } => unreachable!("the id of a symbol"),
        }
    }

    /// Says of pairs of reads of a symbol that equal indices have equal elements.
    pub(super) fn relate(&self, arena: &mut Terms, axioms: &mut Vec<Term>, id: ArrayId, pairs: &[(usize, usize)]) {
        let symbol = self.symbol(id);
        pairs.iter().for_each(|&(left, right)| symbol.relate(arena, axioms, left, right));
    }

    fn new_leaf(&mut self, index: &Sort, element: &Sort, node: Node) -> Result<ArrayId, Reason> {
        if matches!(index, Sort::Array(_)) || matches!(element, Sort::Array(_)) {
            return Err("arrays of arrays".to_owned());
        }
        let known = self.domain_list.iter().position(|domain| domain.sort == *index);
        let domain = known.unwrap_or_else(|| {
            self.domain_list.push(Domain::new(index));
            self.domain_list.len() - 1
        });
        Ok(self.push(node, domain as u32))
    }

    fn push(&mut self, node: Node, domain: u32) -> ArrayId {
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 arrays");
        self.nodes.push(node);
        self.domains.push(domain);
        self.parents.push(id);
        self.indices.push(Indices::default());
        ArrayId(id)
    }

    fn domain(&self, id: ArrayId) -> &Domain {
        &self.domain_list[self.domains[id.0 as usize] as usize]
    }
}

impl Domain {
    fn new(sort: &Sort) -> Domain {
        let size = match sort {
            Sort::Bool => Some(2),
            Sort::BitVec(width) => (*width < 32).then(|| 1u64 << width),
            Sort::Enum(sort) => Some(sort.variants.len() as u64),
            Sort::Int | Sort::Real | Sort::Array(_) => None,
        };
        let few = size.filter(|&size| size <= FEW).map(|size| (0..size).map(|place| nth(sort, place)).collect());
        Domain { sort: sort.clone(), size, few }
    }
}

fn nth(sort: &Sort, place: u64) -> Value {
    match sort {
        Sort::Bool => Value::Bool(place == 1),
        Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, UBig::from(place))),
        Sort::Enum(sort) => Value::Enum(EnumValue { sort: sort.clone(), index: place as u32 }),
        Sort::Int | Sort::Real | Sort::Array(_) => unreachable!("only finite sorts are enumerated"),
    }
}

/// Components.
impl Arrays {
    fn root(&mut self, id: ArrayId) -> usize {
        let mut at = id.0;
        while self.parents[at as usize] != at {
            self.parents[at as usize] = self.parents[self.parents[at as usize] as usize];
            at = self.parents[at as usize];
        }
        at as usize
    }

    fn connect(&mut self, left: ArrayId, right: ArrayId) {
        let (left, right) = (self.root(left), self.root(right));
        if left == right {
            return;
        }
        let fewer = self.indices[left].list.len() < self.indices[right].list.len();
        let (small, large) = if fewer { (left, right) } else { (right, left) };
        self.parents[small] = large as u32;
        for index in std::mem::take(&mut self.indices[small]).list {
            self.indices[large].insert(index);
        }
        self.open = true;
    }

    fn matters(&mut self, id: ArrayId, index: Term) {
        let root = self.root(id);
        self.open |= self.indices[root].insert(index);
    }
}

/// Elements and equalities.
impl Arrays {
    /// The element at an index.
    pub(super) fn read(&mut self, arena: &mut Terms, axioms: &mut Vec<Term>, id: ArrayId, index: Term) -> Term {
        let few = self.domain(id).few.clone();
        let (None, Some(values)) = (arena.value(index), few) else {
            self.matters(id, index);
            return self.element(arena, axioms, id, Place::At(index));
        };
        let mut result = None;
        for value in values.into_iter().rev() {
            let place = arena.constant(value);
            let element = self.element(arena, axioms, id, Place::At(place));
            result = Some(match result {
                None => element,
                Some(rest) => {
                    let here = build(arena, Op::Eq, [0, 0], &[index, place]);
                    build(arena, Op::Ite, [0, 0], &[here, element, rest])
                }
            });
        }
        result.expect("a sort has values")
    }

    /// The truth of an equality.
    pub(super) fn equal(&mut self, arena: &mut Terms, axioms: &mut Vec<Term>, left: ArrayId, right: ArrayId) -> Term {
        if left == right {
            return arena.bool(true);
        }
        let (left, right) = if left < right { (left, right) } else { (right, left) };
        if let Some(&truth) = self.equal.get(&(left, right)) {
            return truth;
        }
        let truth = match self.domain(left).few.clone() {
            Some(values) => self.equal_everywhere(arena, axioms, left, right, values),
            None => self.new_equality(arena, axioms, left, right),
        };
        self.equal.insert((left, right), truth);
        truth
    }

    fn equal_everywhere(
        &mut self,
        arena: &mut Terms,
        axioms: &mut Vec<Term>,
        left: ArrayId,
        right: ArrayId,
        values: Vec<Value>,
    ) -> Term {
        let mut parts = Vec::new();
        for value in values {
            let place = Place::At(arena.constant(value));
            parts.push(self.agree(arena, axioms, left, right, place));
        }
        build(arena, Op::And, [0, 0], &parts)
    }

    fn new_equality(&mut self, arena: &mut Terms, axioms: &mut Vec<Term>, left: ArrayId, right: ArrayId) -> Term {
        self.connect(left, right);
        let truth = arena.fresh("same", &Sort::Bool);
        let witness = arena.fresh("differ", &self.domain(left).sort.clone());
        self.matters(left, witness);
        self.equalities.push(Equality { left, right, truth });
        let agree = self.agree(arena, axioms, left, right, Place::At(witness));
        let differ = not(arena, agree);
        axioms.push(build(arena, Op::Or, [0, 0], &[truth, differ]));
        self.open = true;
        truth
    }

    fn agree(
        &mut self,
        arena: &mut Terms,
        axioms: &mut Vec<Term>,
        left: ArrayId,
        right: ArrayId,
        place: Place,
    ) -> Term {
        let left = self.element(arena, axioms, left, place);
        let right = self.element(arena, axioms, right, place);
        build(arena, Op::Eq, [0, 0], &[left, right])
    }

    /// Says of every equality what it means at every index that matters and elsewhere.
    pub(super) fn close(&mut self, arena: &mut Terms, axioms: &mut Vec<Term>) -> Result<(), Reason> {
        if !std::mem::take(&mut self.open) {
            return Ok(());
        }
        for number in 0..self.equalities.len() {
            let Equality { left, right, truth } = self.equalities[number];
            let root = self.root(left);
            if self.domain(left).size.is_some_and(|size| size <= self.indices[root].list.len() as u64) {
                self.open = true;
                return Err("equality of arrays with more reads and writes than indices".to_owned());
            }
            let places = self.indices[root].list.iter().map(|&index| Place::At(index)).chain([Place::Elsewhere]);
            for place in places.collect::<Vec<_>>() {
                if self.instantiated.insert((number, place)) {
                    let agree = self.agree(arena, axioms, left, right, place);
                    axioms.push(build(arena, Op::Implies, [0, 0], &[truth, agree]));
                }
            }
        }
        Ok(())
    }

    fn element(&mut self, arena: &mut Terms, axioms: &mut Vec<Term>, id: ArrayId, place: Place) -> Term {
        let mut open = vec![id];
        while let Some(&id) = open.last() {
            if self.elements.contains_key(&(id, place)) {
                open.pop();
                continue;
            }
            let before = open.len();
            let known = &self.elements;
            let missing = |inner: &ArrayId| !known.contains_key(&(*inner, place));
            match &self.nodes[id.0 as usize] {
                Node::Symbol(_) | Node::Constant(_) => {}
                Node::Store { array, index, .. } => {
                    let overwritten = place == Place::At(*index);
                    open.extend(Some(*array).filter(|inner| !overwritten && missing(inner)));
                }
                Node::Choose { then, otherwise, .. } => {
                    open.extend([*then, *otherwise].into_iter().filter(missing));
                }
            }
            if open.len() == before {
                open.pop();
                let element = self.step(arena, axioms, id, place);
                self.elements.insert((id, place), element);
            }
        }
        self.elements[&(id, place)]
    }

    fn step(&mut self, arena: &mut Terms, axioms: &mut Vec<Term>, id: ArrayId, place: Place) -> Term {
        match &mut self.nodes[id.0 as usize] {
            Node::Constant(element) => *element,
            Node::Symbol(symbol) => symbol.element_at(arena, axioms, place),
            Node::Store { array, index, element } => match place {
                Place::Elsewhere => self.elements[&(*array, place)],
                Place::At(here) if here == *index => *element,
                Place::At(here) => {
                    let rest = self.elements[&(*array, place)];
                    let overwritten = build(arena, Op::Eq, [0, 0], &[here, *index]);
                    build(arena, Op::Ite, [0, 0], &[overwritten, *element, rest])
                }
            },
            Node::Choose { condition, then, otherwise } => {
                let (then, otherwise) = (self.elements[&(*then, place)], self.elements[&(*otherwise, place)]);
                build(arena, Op::Ite, [0, 0], &[*condition, then, otherwise])
            }
        }
    }
}

impl ArraySymbol {
    fn element_at(&mut self, arena: &mut Terms, axioms: &mut Vec<Term>, place: Place) -> Term {
        let element = arena.fresh("read", &self.element);
        let Place::At(index) = place else {
            self.elsewhere = Some(element);
            return element;
        };
        self.reads.push((index, element));
        for place in 0..EAGER.min(self.reads.len() - 1) {
            self.relate(arena, axioms, place, self.reads.len() - 1);
        }
        element
    }

    /// Says that two reads at the same index have the same element.
    fn relate(&self, arena: &mut Terms, axioms: &mut Vec<Term>, left: usize, right: usize) {
        let ((index, element), (other, known)) = (self.reads[left], self.reads[right]);
        let same_index = build(arena, Op::Eq, [0, 0], &[index, other]);
        if same_index != arena.bool(false) {
            let same_element = build(arena, Op::Eq, [0, 0], &[element, known]);
            axioms.push(build(arena, Op::Implies, [0, 0], &[same_index, same_element]));
        }
    }

    /// Whether some pairs of reads are not related yet.
    pub(crate) fn has_unrelated_reads(&self) -> bool {
        EAGER + 1 < self.reads.len()
    }

    /// The pairs of reads that a model breaks, by their places.
    pub(crate) fn broken(&self, evaluator: &mut Evaluator<'_>) -> Vec<(usize, usize)> {
        let mut known: FxHashMap<Value, (usize, Value)> = FxHashMap::default();
        let mut broken = Vec::new();
        for (place, &(index, element)) in self.reads.iter().enumerate() {
            let (index, element) = (evaluator.eval(index).clone(), evaluator.eval(element).clone());
            match known.get(&index) {
                Some((first, value)) if *value != element => broken.push((*first, place)),
                Some(_) => {}
                None => {
                    known.insert(index, (place, element));
                }
            }
        }
        broken
    }
}
