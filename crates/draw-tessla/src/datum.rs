//! Values of events as terms: every type is taken apart into truth values and integers.
//!
//! Units and objects need no variable of their own, an option is a truth value beside what it may hold, and texts are numbers:
//! nothing but equality can be asked of them.

use std::sync::Arc;

use smt::{Model, Op, Term, Terms};
use tessla::types::Type;
use tessla::value::Value;
use value::{IBig, Sort};

use super::gate;

/// How values of a type are taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A truth value.
    Bool,
    /// An integer.
    Int,
    /// A text, by its number.
    Text,
    /// Something or nothing.
    Option(Box<Shape>),
    /// Members; the unit type has none.
    Object(Arc<[Arc<str>]>, Vec<Shape>),
}

/// A value as terms.
#[derive(Clone, Debug)]
pub(super) enum Datum {
    /// A truth value, an integer or the number of a text.
    Scalar(Term),
    /// Whether there is something, and what. Without something the second means nothing.
    Option(Term, Box<Datum>),
    /// The members in the order of the shape.
    Object(Vec<Datum>),
}

/// The texts a specification names; other texts have higher numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts(Vec<Arc<str>>);

impl Shape {
    /// The shape of a type; none for collections, floating-point numbers and foreign types.
    pub(super) fn of(of: &Type) -> Option<Shape> {
        Some(match of {
            Type::Bool => Shape::Bool,
            Type::Int => Shape::Int,
            Type::String => Shape::Text,
            Type::Option(inner) => Shape::Option(Box::new(Shape::of(inner)?)),
            Type::Object(object) => {
                let names: Vec<Arc<str>> = object.members.iter().map(|(name, _)| name.clone()).collect();
                let shapes = object.members.iter().map(|(_, of)| Shape::of(of)).collect::<Option<_>>()?;
                Shape::Object(names.into(), shapes)
            }
            Type::Float | Type::List(_) | Type::Set(_) | Type::Map(..) => return None,
            Type::Events(_) | Type::Function(_) | Type::Parameter(_) => return None,
            Type::Meta(_) | Type::Opaque(..) | Type::Wrong => return None,
        })
    }

    /// A value of this shape that nobody looks at.
    pub(super) fn any(&self, terms: &mut Terms) -> Datum {
        match self {
            Shape::Bool => Datum::Scalar(terms.bool(false)),
            Shape::Int | Shape::Text => Datum::Scalar(terms.int(0)),
            Shape::Option(inner) => Datum::Option(terms.bool(false), Box::new(inner.any(terms))),
            Shape::Object(_, members) => Datum::Object(members.iter().map(|member| member.any(terms)).collect()),
        }
    }

    /// A value of this shape for the solver to choose, and what must hold of it.
    pub(super) fn free(&self, terms: &mut Terms, name: &str, facts: &mut Vec<Term>) -> Datum {
        match self {
            Shape::Bool => Datum::Scalar(terms.symbol(name, &Sort::Bool)),
            Shape::Int => Datum::Scalar(terms.symbol(name, &Sort::Int)),
            Shape::Text => {
                let number = terms.symbol(name, &Sort::Int);
                let zero = terms.int(0);
                facts.push(terms.app(Op::Le, &[zero, number]));
                Datum::Scalar(number)
            }
            Shape::Option(inner) => {
                let some = terms.symbol(&format!("{name}?"), &Sort::Bool);
                Datum::Option(some, Box::new(inner.free(terms, name, facts)))
            }
            Shape::Object(names, members) => {
                let member =
                    |(member, shape): (&Arc<str>, &Shape)| shape.free(terms, &format!("{name}.{member}"), facts);
                Datum::Object(names.iter().zip(members).map(member).collect())
            }
        }
    }

    /// A constant of this shape.
    pub(super) fn constant(&self, terms: &mut Terms, texts: &Texts, value: &Value) -> Datum {
        match (self, value) {
            (Shape::Bool, Value::Bool(truth)) => Datum::Scalar(terms.bool(*truth)),
            (Shape::Int, number) => {
                Datum::Scalar(terms.int(number.as_integer().expect("a constant of type Int is an integer")))
            }
            (Shape::Text, Value::String(text)) => Datum::Scalar(terms.int(texts.number(text))),
            (Shape::Option(inner), Value::Some(value)) => {
                Datum::Option(terms.bool(true), Box::new(inner.constant(terms, texts, value)))
            }
            (Shape::Option(_), _) => self.any(terms),
            (Shape::Object(names, members), Value::Object(object)) => {
                let member = |(name, shape): (&Arc<str>, &Shape)| {
                    let value = object.member(name).expect("a constant has the members of its type");
                    shape.constant(terms, texts, value)
                };
                Datum::Object(names.iter().zip(members).map(member).collect())
            }
            (Shape::Object(..), _) => Datum::Object(Vec::new()),
            (Shape::Bool | Shape::Text, _) => unreachable!("a constant has the type the checker found"),
        }
    }

    /// The value a model gives.
    pub(super) fn read(&self, terms: &Terms, model: &Model, texts: &Texts, datum: &Datum) -> Value {
        match (self, datum) {
            (Shape::Bool, Datum::Scalar(term)) => Value::Bool(truth(terms, model, *term)),
            (Shape::Int, Datum::Scalar(term)) => Value::integer(integer(terms, model, *term)),
            (Shape::Text, Datum::Scalar(term)) => Value::string(texts.text(&integer(terms, model, *term))),
            (Shape::Option(inner), Datum::Option(some, value)) => match truth(terms, model, *some) {
                true => Value::some(inner.read(terms, model, texts, value)),
                false => Value::None,
            },
            (Shape::Object(names, shapes), Datum::Object(members)) => {
                let values = shapes.iter().zip(members).map(|(shape, member)| shape.read(terms, model, texts, member));
                Value::object(names.clone(), values.collect())
            }
            _ => unreachable!("a datum has the shape it was made with"),
        }
    }
}

impl Datum {
    /// The only term of a truth value, an integer or a text.
    pub(super) fn scalar(&self) -> Term {
        match self {
            Datum::Scalar(term) => *term,
            Datum::Option(..) | Datum::Object(_) => unreachable!("the checker found a scalar type"),
        }
    }

    /// Whether an option holds something.
    pub(super) fn option(&self) -> (Term, &Datum) {
        match self {
            Datum::Option(some, value) => (*some, value),
            Datum::Scalar(_) | Datum::Object(_) => unreachable!("the checker found an option"),
        }
    }

    /// The second where the condition holds, otherwise the third.
    pub(super) fn choose(terms: &mut Terms, condition: Term, then: &Datum, otherwise: &Datum) -> Datum {
        match (then, otherwise) {
            (Datum::Scalar(then), Datum::Scalar(otherwise)) => {
                Datum::Scalar(gate::choose(terms, condition, *then, *otherwise))
            }
            (Datum::Option(some, value), Datum::Option(other, second)) => {
                let chosen = gate::choose(terms, condition, *some, *other);
                // What nothing holds means nothing: then the other value does as well, and no choice is needed.
                let value = match (gate::truth(terms, *some), gate::truth(terms, *other)) {
                    (Some(false), _) => (**second).clone(),
                    (_, Some(false)) => (**value).clone(),
                    _ => Datum::choose(terms, condition, value, second),
                };
                Datum::Option(chosen, Box::new(value))
            }
            (Datum::Object(left), Datum::Object(right)) => {
                let pairs = left.iter().zip(right);
                Datum::Object(pairs.map(|(left, right)| Datum::choose(terms, condition, left, right)).collect())
            }
            _ => unreachable!("both branches have one type"),
        }
    }

    /// Whether two values are the same.
    pub(super) fn equal(terms: &mut Terms, left: &Datum, right: &Datum) -> Term {
        match (left, right) {
            (Datum::Scalar(left), Datum::Scalar(right)) => gate::equal(terms, *left, *right),
            (Datum::Option(left, first), Datum::Option(right, second)) => {
                let same = gate::equal(terms, *left, *right);
                let (value, nothing) = (Datum::equal(terms, first, second), gate::not(terms, *left));
                let value = gate::or(terms, &[nothing, value]);
                gate::and(terms, &[same, value])
            }
            (Datum::Object(left), Datum::Object(right)) => {
                let same: Vec<Term> =
                    left.iter().zip(right).map(|(left, right)| Datum::equal(terms, left, right)).collect();
                gate::and(terms, &same)
            }
            _ => unreachable!("the checker found one type for both"),
        }
    }
}

impl Texts {
    /// Takes over the texts in a value.
    pub(super) fn add(&mut self, value: &Value) {
        match value {
            Value::String(text) if !self.0.contains(text) => self.0.push(text.clone()),
            Value::Some(inner) => self.add(inner),
            Value::Object(object) => object.values.iter().for_each(|value| self.add(value)),
            _ => {}
        }
    }

    /// Whether all texts in a value are known.
    pub(super) fn knows(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.0.contains(text),
            Value::Some(inner) => self.knows(inner),
            Value::Object(object) => object.values.iter().all(|value| self.knows(value)),
            _ => true,
        }
    }

    pub(super) fn number(&self, text: &Arc<str>) -> u32 {
        self.0.iter().position(|known| known == text).map_or(0, |position| position as u32)
    }

    pub(super) fn text(&self, number: &IBig) -> String {
        let known = usize::try_from(number).ok().and_then(|number| self.0.get(number));
        match known {
            Some(text) => text.to_string(),
            None => {
                let mut text = format!("text {number}");
                while self.0.iter().any(|known| **known == *text) {
                    text.push('\'');
                }
                text
            }
        }
    }
}

/// A truth in a model.
pub(super) fn truth(terms: &Terms, model: &Model, term: Term) -> bool {
    matches!(model.value(terms, term), value::Value::Bool(true))
}

/// An integer in a model.
pub(super) fn integer(terms: &Terms, model: &Model, term: Term) -> IBig {
    match model.value(terms, term) {
        value::Value::Int(number) => number,
        other => unreachable!("an integer term has the value {other}"),
    }
}
