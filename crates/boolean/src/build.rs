//! Builds the expressions of a specification: equal ones once, and beside them the shapes of Boolean expressions, which
//! remember occurrences.
//!
//! A shape is a use of an expression at a place in the text. Definitions are shared between their uses, so shapes form a
//! graph without cycles; the tree of a decision's occurrences is unfolded from it at the end (`unfold.rs`).

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use formula::Connective;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use source::Span;
use value::{BitVec, IBig, RBig, Sort, UBig, Value};

use crate::rank::{arity, rank};
use crate::{Expr, ExprId, ExprKind, Operator, VariableId};

/// The position of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ShapeId(pub(crate) u32);

/// A use of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) expr: ExprId,
    pub(crate) span: Span,
    pub(crate) structure: Structure,
    /// The text, where it is not the source's at `span`: parameters are replaced in it.
    pub(crate) text: Option<Rc<str>>,
}

/// What a Boolean expression is made of; everything else is an atom.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Structure {
    Atom,
    Constant(bool),
    /// The arguments are [`Builder::parts`].
    Connective(Connective, u32, u32),
}

/// Why an application cannot be built.
pub(crate) enum Misfit {
    /// The wrong number of arguments.
    Arity,
    /// The wrong sorts; what the operator needs.
    Sort(&'static str),
    /// A number that does not fit into its bit-vector.
    Number(u32),
}

/// Expressions and shapes under construction.
#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) exprs: Vec<Expr>,
    table: HashTable<u32>,
    pub(crate) shapes: Vec<Shape>,
    parts: Vec<ShapeId>,
}

impl Builder {
    pub(crate) fn sort(&self, shape: ShapeId) -> &Sort {
        &self.exprs[self.shapes[shape.0 as usize].expr.0 as usize].sort
    }

    pub(crate) fn expr(&self, shape: ShapeId) -> ExprId {
        self.shapes[shape.0 as usize].expr
    }

    pub(crate) fn shape(&self, shape: ShapeId) -> &Shape {
        &self.shapes[shape.0 as usize]
    }

    pub(crate) fn parts(&self, start: u32, end: u32) -> &[ShapeId] {
        &self.parts[start as usize..end as usize]
    }

    /// The value of a literal.
    pub(crate) fn literal_value(&self, shape: ShapeId) -> Option<&Value> {
        match &self.exprs[self.expr(shape).0 as usize].kind {
            ExprKind::Literal(value) => Some(value),
            ExprKind::Variable(_) | ExprKind::Apply { .. } => None,
        }
    }

    pub(crate) fn variable(&mut self, variable: VariableId, sort: &Sort, span: Span) -> ShapeId {
        let expr = self.intern(Expr { kind: ExprKind::Variable(variable), sort: sort.clone() });
        self.use_of(expr, span, Structure::Atom)
    }

    pub(crate) fn literal(&mut self, value: Value, span: Span) -> ShapeId {
        let structure = value.as_bool().map_or(Structure::Atom, Structure::Constant);
        let expr = self.literal_expr(value);
        self.use_of(expr, span, structure)
    }

    /// The same use at another place, with another text.
    pub(crate) fn retold(&mut self, shape: ShapeId, text: Rc<str>) {
        self.shapes[shape.0 as usize].text = Some(text);
    }

    /// An operator over uses. Chains are taken apart: `(< a b c)` becomes one atom, a conjunction of comparisons.
    pub(crate) fn apply(
        &mut self,
        operator: Operator,
        indices: [u32; 2],
        args: &[ShapeId],
        span: Span,
    ) -> Result<ShapeId, Misfit> {
        let exprs: Vec<ExprId> = args.iter().map(|&arg| self.expr(arg)).collect();
        let expr = self.apply_exprs(operator, indices, &exprs)?;
        let boolean = args.iter().all(|&arg| *self.sort(arg) == Sort::Bool);
        let connective = match operator {
            Operator::Not => Some(Connective::Not),
            Operator::And => Some(Connective::And),
            Operator::Or => Some(Connective::Or),
            Operator::Xor => Some(Connective::Xor),
            Operator::Implies => Some(Connective::Implies),
            Operator::Eq if boolean => Some(Connective::Iff),
            Operator::Distinct if boolean => Some(Connective::Distinct),
            Operator::Ite if boolean => Some(Connective::Ite),
            _ => None,
        };
        let structure = match connective {
            None => Structure::Atom,
            Some(Connective::Implies) => return Ok(self.implication(expr, args, span)),
            Some(connective) => self.connective(connective, args),
        };
        Ok(self.use_of(expr, span, structure))
    }

    /// The array that is one value everywhere.
    pub(crate) fn const_array(&mut self, sort: &Sort, element: ShapeId, span: Span) -> Result<ShapeId, Misfit> {
        match sort {
            Sort::Array(parts) if parts.1 == *self.sort(element) => {}
            _ => return Err(Misfit::Sort("an element of the array's sort")),
        }
        let kind = ExprKind::Apply { operator: Operator::ConstArray, indices: [0, 0], args: vec![self.expr(element)] };
        let expr = self.intern(Expr { kind, sort: sort.clone() });
        Ok(self.use_of(expr, span, Structure::Atom))
    }

    /// The use as one of sort `sort`: integers become reals, and integer literals bit-vectors where `vectors` allows it.
    pub(crate) fn coerce(&mut self, shape: ShapeId, sort: &Sort, vectors: bool) -> Result<ShapeId, Misfit> {
        let given = self.sort(shape);
        if given == sort {
            return Ok(shape);
        }
        let span = self.shape(shape).span;
        let expr = match (given, sort) {
            (Sort::Int, Sort::Real) => match self.literal_value(shape) {
                Some(Value::Int(number)) => {
                    let number = RBig::from(number.clone());
                    self.literal_expr(Value::Real(number))
                }
                _ => {
                    let args = [self.expr(shape)];
                    self.apply_exprs(Operator::ToReal, [0, 0], &args)?
                }
            },
            (Sort::Int, Sort::BitVec(width)) if vectors => match self.literal_value(shape) {
                Some(Value::Int(number)) => {
                    let pattern = pattern(*width, number).ok_or(Misfit::Number(*width))?;
                    self.literal_expr(Value::BitVec(pattern))
                }
                _ => return Err(Misfit::Sort("a bit-vector")),
            },
            _ => return Err(Misfit::Sort("another sort")),
        };
        let coerced = self.use_of(expr, span, Structure::Atom);
        if let Some(text) = self.shape(shape).text.clone() {
            self.retold(coerced, text);
        }
        Ok(coerced)
    }

    /// Brings uses to one sort where one of them is real, or a bit-vector.
    pub(crate) fn unify(&mut self, args: &mut [ShapeId], vectors: bool) -> Result<(), Misfit> {
        let wanted = args.iter().map(|&arg| self.sort(arg)).find(|sort| matches!(sort, Sort::Real | Sort::BitVec(_)));
        let Some(wanted) = wanted.cloned() else {
            return Ok(());
        };
        for arg in args {
            match self.coerce(*arg, &wanted, vectors) {
                Ok(coerced) => *arg = coerced,
                Err(Misfit::Number(width)) => return Err(Misfit::Number(width)),
                Err(Misfit::Sort(_) | Misfit::Arity) => {}
            }
        }
        Ok(())
    }

    fn apply_exprs(&mut self, operator: Operator, indices: [u32; 2], args: &[ExprId]) -> Result<ExprId, Misfit> {
        let (least, more) = arity(operator);
        if args.len() < least {
            return Err(Misfit::Arity);
        }
        if args.len() == least || more {
            return self.apply_exact(operator, indices, args);
        }
        match operator {
            Operator::Lt | Operator::Le | Operator::Gt | Operator::Ge | Operator::Eq => {
                let mut links = Vec::with_capacity(args.len());
                for pair in args.windows(2) {
                    links.push(self.apply_exact(operator, indices, pair)?);
                }
                self.apply_exact(Operator::And, [0, 0], &links)
            }
            Operator::Implies => {
                let mut whole = args[args.len() - 1];
                for &arg in args[..args.len() - 1].iter().rev() {
                    whole = self.apply_exact(operator, indices, &[arg, whole])?;
                }
                Ok(whole)
            }
            Operator::Xor
            | Operator::Sub
            | Operator::Div
            | Operator::Divide
            | Operator::Concat
            | Operator::BvAnd
            | Operator::BvOr
            | Operator::BvXor
            | Operator::BvAdd
            | Operator::BvMul => {
                let mut whole = args[0];
                for &arg in &args[1..] {
                    whole = self.apply_exact(operator, indices, &[whole, arg])?;
                }
                Ok(whole)
            }
            _ => Err(Misfit::Arity),
        }
    }

    fn apply_exact(&mut self, operator: Operator, indices: [u32; 2], args: &[ExprId]) -> Result<ExprId, Misfit> {
        let sorts: Vec<&Sort> = args.iter().map(|arg| &self.exprs[arg.0 as usize].sort).collect();
        let sort = rank(operator, indices, &sorts).map_err(Misfit::Sort)?;
        Ok(self.intern(Expr { kind: ExprKind::Apply { operator, indices, args: args.to_vec() }, sort }))
    }

    /// Implication groups to the right: `(=> a b c)` is `a → (b → c)`.
    fn implication(&mut self, expr: ExprId, args: &[ShapeId], span: Span) -> ShapeId {
        let mut whole = args[args.len() - 1];
        for (place, &arg) in args[..args.len() - 1].iter().enumerate().rev() {
            let inner = if place == 0 {
                expr
            } else {
                let pair = [self.expr(arg), self.expr(whole)];
                self.apply_exact(Operator::Implies, [0, 0], &pair).ok().expect("an implication between truth values")
            };
            let structure = self.connective(Connective::Implies, &[arg, whole]);
            whole = self.use_of(inner, span, structure);
        }
        whole
    }

    fn connective(&mut self, connective: Connective, args: &[ShapeId]) -> Structure {
        let start = self.parts.len() as u32;
        self.parts.extend_from_slice(args);
        Structure::Connective(connective, start, self.parts.len() as u32)
    }

    fn use_of(&mut self, expr: ExprId, span: Span, structure: Structure) -> ShapeId {
        let id = ShapeId(u32::try_from(self.shapes.len()).expect("fewer than 2^32 uses in a text under 4 GiB"));
        self.shapes.push(Shape { expr, span, structure, text: None });
        id
    }

    fn literal_expr(&mut self, value: Value) -> ExprId {
        let sort = value.sort();
        self.intern(Expr { kind: ExprKind::Literal(value), sort })
    }

    fn intern(&mut self, expr: Expr) -> ExprId {
        let exprs = &mut self.exprs;
        let entry = self.table.entry(
            fingerprint(&expr),
            |&id| exprs[id as usize] == expr,
            |&id| fingerprint(&exprs[id as usize]),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => ExprId(*found.get()),
            hashbrown::hash_table::Entry::Vacant(place) => {
                let id = exprs.len() as u32;
                place.insert(id);
                exprs.push(expr);
                ExprId(id)
            }
        }
    }
}

/// The bit pattern of a number: unsigned, or negative in two's complement.
fn pattern(width: u32, number: &IBig) -> Option<BitVec> {
    let size = IBig::from(UBig::ONE << width as usize);
    let half = IBig::from(UBig::ONE << (width as usize - 1));
    let wrapped = if *number < IBig::ZERO { number + &size } else { number.clone() };
    let fits = -half <= *number && *number < size;
    fits.then(|| UBig::try_from(wrapped).ok()).flatten().map(|bits| BitVec::new(width, bits))
}

/// A hash of an expression; cheap for enumerations, whose sorts are long.
fn fingerprint(expr: &Expr) -> u64 {
    let mut hasher = FxHasher::default();
    match &expr.kind {
        ExprKind::Variable(variable) => (0u8, variable).hash(&mut hasher),
        ExprKind::Literal(Value::Enum(variant)) => (1u8, variant.index).hash(&mut hasher),
        ExprKind::Literal(value) => (2u8, value).hash(&mut hasher),
        ExprKind::Apply { operator, indices, args } => (3u8, operator, indices, args).hash(&mut hasher),
    }
    hasher.finish()
}
