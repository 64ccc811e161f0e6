//! Values of events as terms: every type is taken apart into truth values and integers.
//!
//! Units and objects need no variable of their own, an option is a truth value beside what it may hold, texts are numbers, since
//! nothing but equality can be asked of them, and collections are rows of places.

use std::sync::Arc;

use smt::{Model, Op, Term, Terms};
use tessla::types::Type;
use tessla::value::{Value, ValueMap, ValueSet};
use value::{IBig, Sort};

use super::collection::{self, Item, Kind};
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
    /// At most so many elements; those of maps are pairs.
    Items(Kind, Box<Shape>, usize),
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
    /// The places of a collection.
    Items(Kind, Vec<Item>),
}

/// The texts a specification names; other texts have higher numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts(Vec<Arc<str>>);

impl Shape {
    /// The shape of a type, with so many places in collections; none for floating-point numbers and foreign types.
    pub(super) fn of(of: &Type, places: usize) -> Option<Shape> {
        let items = |kind: Kind, element: Shape| Shape::Items(kind, Box::new(element), places);
        Some(match of {
            Type::Bool => Shape::Bool,
            Type::Int => Shape::Int,
            Type::String => Shape::Text,
            Type::Option(inner) => Shape::Option(Box::new(Shape::of(inner, places)?)),
            Type::Object(object) => {
                let names: Vec<Arc<str>> = object.members.iter().map(|(name, _)| name.clone()).collect();
                let shapes = object.members.iter().map(|(_, of)| Shape::of(of, places)).collect::<Option<_>>()?;
                Shape::Object(names.into(), shapes)
            }
            Type::List(of) => items(Kind::List, Shape::of(of, places)?),
            Type::Set(of) => items(Kind::Set, Shape::of(of, places)?),
            Type::Map(key, value) => {
                let pair = vec![Shape::of(key, places)?, Shape::of(value, places)?];
                items(Kind::Map, Shape::Object(["key".into(), "value".into()].into(), pair))
            }
            Type::Float => return None,
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
            Shape::Items(kind, element, places) => {
                let place = |_| Item { present: terms.bool(false), value: element.any(terms) };
                Datum::Items(*kind, (0..*places).map(place).collect())
            }
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
            Shape::Items(kind, element, places) => {
                let mut items = Vec::with_capacity(*places);
                for place in 0..*places {
                    let present = terms.symbol(&format!("{name}[{place}]?"), &Sort::Bool);
                    items.push(Item { present, value: element.free(terms, &format!("{name}[{place}]"), facts) });
                }
                collection::well_formed(terms, *kind, &items, facts);
                Datum::Items(*kind, items)
            }
        }
    }

    /// Whether there are places for all elements of a value.
    pub(super) fn holds(&self, value: &Value) -> bool {
        match (self, value) {
            (Shape::Option(inner), Value::Some(value)) => inner.holds(value),
            (Shape::Object(names, members), Value::Object(object)) => {
                let mut pairs = names.iter().zip(members);
                pairs.all(|(name, shape)| object.member(name).is_none_or(|value| shape.holds(value)))
            }
            (Shape::Items(_, element, places), Value::List(items)) => {
                items.len() <= *places && items.iter().all(|item| element.holds(item))
            }
            (Shape::Items(_, element, places), Value::Set(items)) => {
                items.len() <= *places && items.iter().all(|item| element.holds(item))
            }
            (Shape::Items(_, element, places), Value::Map(entries)) => {
                let Shape::Object(_, pair) = &**element else { return false };
                let fits = |(key, value): (&Value, &Value)| pair[0].holds(key) && pair[1].holds(value);
                entries.len() <= *places && entries.iter().all(fits)
            }
            _ => true,
        }
    }

    /// A constant of this shape, which must [hold](Shape::holds) it.
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
            (Shape::Items(kind, element, places), value) => {
                let given: Vec<Datum> = match (value, &**element) {
                    (Value::List(items), _) => items.iter().map(|item| element.constant(terms, texts, item)).collect(),
                    (Value::Set(items), _) => items.iter().map(|item| element.constant(terms, texts, item)).collect(),
                    (Value::Map(entries), Shape::Object(_, pair)) => entries
                        .iter()
                        .map(|(key, value)| {
                            let key = pair[0].constant(terms, texts, key);
                            Datum::Object(vec![key, pair[1].constant(terms, texts, value)])
                        })
                        .collect(),
                    _ => unreachable!("a constant has the type the checker found"),
                };
                let mut items: Vec<Item> =
                    given.into_iter().map(|value| Item { present: terms.bool(true), value }).collect();
                while items.len() < *places {
                    items.push(Item { present: terms.bool(false), value: element.any(terms) });
                }
                Datum::Items(*kind, items)
            }
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
            (Shape::Items(_, element, _), Datum::Items(kind, items)) => {
                let there = items.iter().filter(|item| truth(terms, model, item.present));
                let values = there.map(|item| element.read(terms, model, texts, &item.value));
                match kind {
                    Kind::List => Value::List(Arc::new(values.collect())),
                    Kind::Set => Value::Set(Arc::new(values.collect::<ValueSet>())),
                    Kind::Map => Value::Map(Arc::new(values.filter_map(as_pair).collect::<ValueMap>())),
                }
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
            Datum::Option(..) | Datum::Object(_) | Datum::Items(..) => unreachable!("the checker found a scalar type"),
        }
    }

    /// Whether an option holds something.
    pub(super) fn option(&self) -> (Term, &Datum) {
        match self {
            Datum::Option(some, value) => (*some, value),
            Datum::Scalar(_) | Datum::Object(_) | Datum::Items(..) => unreachable!("the checker found an option"),
        }
    }

    /// The places of a collection.
    pub(super) fn items(&self) -> (Kind, &[Item]) {
        match self {
            Datum::Items(kind, items) => (*kind, items),
            Datum::Scalar(_) | Datum::Option(..) | Datum::Object(_) => unreachable!("the checker found a collection"),
        }
    }

    /// The key and the value of an element of a map.
    pub(super) fn pair(&self) -> (&Datum, &Datum) {
        match self {
            Datum::Object(members) if members.len() == 2 => (&members[0], &members[1]),
            Datum::Object(_) | Datum::Scalar(_) | Datum::Option(..) | Datum::Items(..) => {
                unreachable!("elements of maps are pairs")
            }
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
            (Datum::Items(kind, left), Datum::Items(_, right)) => {
                let place = |(left, right): (&Item, &Item)| Item {
                    present: gate::choose(terms, condition, left.present, right.present),
                    value: Datum::choose(terms, condition, &left.value, &right.value),
                };
                Datum::Items(*kind, left.iter().zip(right).map(place).collect())
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
            (Datum::Items(kind, left), Datum::Items(_, right)) => collection::equal(terms, *kind, left, right),
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
            Value::List(items) => items.iter().for_each(|item| self.add(item)),
            Value::Set(items) => items.iter().for_each(|item| self.add(item)),
            Value::Map(entries) => entries.iter().for_each(|(key, value)| {
                self.add(key);
                self.add(value);
            }),
            _ => {}
        }
    }

    /// Whether all texts in a value are known.
    pub(super) fn knows(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.0.contains(text),
            Value::Some(inner) => self.knows(inner),
            Value::Object(object) => object.values.iter().all(|value| self.knows(value)),
            Value::List(items) => items.iter().all(|item| self.knows(item)),
            Value::Set(items) => items.iter().all(|item| self.knows(item)),
            Value::Map(entries) => entries.iter().all(|(key, value)| self.knows(key) && self.knows(value)),
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

/// The key and the value of an element of a map.
fn as_pair(value: Value) -> Option<(Value, Value)> {
    let Value::Object(object) = value else { return None };
    Some((object.member("key")?.clone(), object.member("value")?.clone()))
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
