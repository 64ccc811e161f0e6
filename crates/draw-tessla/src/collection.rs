//! Lists, sets and maps of a limited number of elements.
//!
//! A collection is a row of places, filled from the front in the order in which elements came. What would take more places than there
//! are *overflows*: the search leaves such executions out, and its claims say so.

use smt::{Term, Terms};
use tessla::Operator;

use super::datum::Datum;
use super::gate;

/// What a collection is, which decides what makes two of them equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Elements in their order.
    List,
    /// Different elements, in any order.
    Set,
    /// Pairs of a key and a value, with different keys, in any order.
    Map,
}

/// A place of a collection.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Whether it is filled.
    pub(super) present: Term,
    /// The element; without one it means nothing.
    pub(super) value: Datum,
}

/// What an operator on collections gives.
pub(super) struct Outcome {
    pub(super) value: Datum,
    /// Where it is defined, if it is partial.
    pub(super) domain: Option<Term>,
    /// Where it takes more places than there are.
    pub(super) overflow: Option<Term>,
}

/// What an operator gives that [is one of these](has).
pub(super) fn operation(terms: &mut Terms, operator: Operator, operands: &[&Datum]) -> Outcome {
    let total = |value: Datum| Outcome { value, domain: None, overflow: None };
    match operator {
        Operator::ListSize | Operator::SetSize | Operator::MapSize => {
            let size = size(terms, operands[0].items().1);
            total(Datum::Scalar(size))
        }
        Operator::ListAppend => {
            let always = terms.bool(true);
            added(terms, operands[0], operands[1], always)
        }
        Operator::ListPrepend => {
            let (kind, items) = operands[1].items();
            let overflow = items.last().map(|item| item.present);
            let first = Item { present: terms.bool(true), value: operands[0].clone() };
            let rest = items[..items.len() - 1].iter().cloned();
            let value = Datum::Items(kind, [first].into_iter().chain(rest).collect());
            Outcome { value, domain: None, overflow }
        }
        Operator::ListGet => {
            let hits = positions(terms, operands[0].items().1, operands[1].scalar());
            found(terms, operands[0].items().1, &hits, |item| item.value.clone())
        }
        Operator::ListSet => {
            let (kind, items) = operands[0].items();
            let hits = positions(terms, items, operands[1].scalar());
            let value = replaced(terms, items, &hits, operands[2]);
            Outcome { value: Datum::Items(kind, value), domain: Some(gate::or(terms, &hits)), overflow: None }
        }
        Operator::ListTail => {
            let (kind, items) = operands[0].items();
            let (always, domain) = (terms.bool(true), items[0].present);
            let value = shifted(terms, items, &vec![always; items.len()]);
            Outcome { value: Datum::Items(kind, value), domain: Some(domain), overflow: None }
        }
        Operator::ListInit => {
            let (kind, items) = operands[0].items();
            let never = terms.bool(false);
            let after = items.iter().skip(1).map(|item| item.present).chain([never]);
            let kept = items.iter().zip(after).map(|(item, present)| Item { present, value: item.value.clone() });
            total(Datum::Items(kind, kept.collect()))
        }
        Operator::SetContains | Operator::MapContains => {
            let hits = matches(terms, operands[0], operands[1]);
            total(Datum::Scalar(gate::or(terms, &hits)))
        }
        Operator::SetAdd => {
            let hits = matches(terms, operands[0], operands[1]);
            let known = gate::or(terms, &hits);
            let fresh = gate::not(terms, known);
            added(terms, operands[0], operands[1], fresh)
        }
        Operator::SetRemove | Operator::MapRemove => {
            let hits = matches(terms, operands[0], operands[1]);
            let (kind, items) = operands[0].items();
            let from = since(terms, &hits);
            total(Datum::Items(kind, shifted(terms, items, &from)))
        }
        Operator::SetUnion => union(terms, operands[0], operands[1]),
        Operator::SetIntersection => total(kept(terms, operands[0], operands[1], true)),
        Operator::SetMinus => total(kept(terms, operands[0], operands[1], false)),
        Operator::MapAdd => {
            let hits = matches(terms, operands[0], operands[1]);
            let known = gate::or(terms, &hits);
            let fresh = gate::not(terms, known);
            let pair = Datum::Object(vec![operands[1].clone(), operands[2].clone()]);
            let (kind, items) = operands[0].items();
            let changed = Datum::Items(kind, replaced(terms, items, &hits, &pair));
            added(terms, &changed, &pair, fresh)
        }
        Operator::MapGet => {
            let hits = matches(terms, operands[0], operands[1]);
            found(terms, operands[0].items().1, &hits, |item| item.value.pair().1.clone())
        }
        Operator::MapKeys => {
            let items = operands[0].items().1.iter();
            let keys = items.map(|item| Item { present: item.present, value: item.value.pair().0.clone() });
            total(Datum::Items(Kind::List, keys.collect()))
        }
        other => unreachable!("{} is not an operator on collections", other.name()),
    }
}

/// Whether two collections of one kind are equal.
pub(super) fn equal(terms: &mut Terms, kind: Kind, left: &[Item], right: &[Item]) -> Term {
    let mut parts = Vec::with_capacity(left.len() * 2);
    for (one, other) in left.iter().zip(right) {
        // Elements stand in front, so that equal places mean equal sizes.
        parts.push(gate::equal(terms, one.present, other.present));
        let same = match kind {
            Kind::List => Datum::equal(terms, &one.value, &other.value),
            Kind::Set | Kind::Map => {
                let each: Vec<Term> = right
                    .iter()
                    .map(|item| {
                        let same = Datum::equal(terms, &one.value, &item.value);
                        gate::and(terms, &[item.present, same])
                    })
                    .collect();
                gate::or(terms, &each)
            }
        };
        let absent = gate::not(terms, one.present);
        parts.push(gate::or(terms, &[absent, same]));
    }
    gate::and(terms, &parts)
}

/// What holds of a collection that the solver chooses: elements stand in front, and those of sets and keys of maps differ.
pub(super) fn well_formed(terms: &mut Terms, kind: Kind, items: &[Item], facts: &mut Vec<Term>) {
    for (place, item) in items.iter().enumerate() {
        let absent = gate::not(terms, item.present);
        if let Some(before) = place.checked_sub(1) {
            facts.push(gate::or(terms, &[absent, items[before].present]));
        }
        if kind == Kind::List {
            continue;
        }
        for earlier in &items[..place] {
            let same = Datum::equal(terms, key(kind, item), key(kind, earlier));
            let differ = gate::not(terms, same);
            facts.push(gate::or(terms, &[absent, differ]));
        }
    }
}

/// What tells an element from the others.
fn key(kind: Kind, item: &Item) -> &Datum {
    match kind {
        Kind::List | Kind::Set => &item.value,
        Kind::Map => item.value.pair().0,
    }
}

fn size(terms: &mut Terms, items: &[Item]) -> Term {
    let mut size = terms.int(0);
    for (place, item) in items.iter().enumerate() {
        let number = terms.int(place as i64 + 1);
        size = gate::choose(terms, item.present, number, size);
    }
    size
}

/// For each place, whether it is filled and a number says it.
fn positions(terms: &mut Terms, items: &[Item], number: Term) -> Vec<Term> {
    let mut hits = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        let this = terms.int(place as i64);
        let named = gate::equal(terms, number, this);
        hits.push(gate::and(terms, &[item.present, named]));
    }
    hits
}

/// For each place, whether an element with this key stands there.
fn matches(terms: &mut Terms, collection: &Datum, wanted: &Datum) -> Vec<Term> {
    let (kind, items) = collection.items();
    let mut hits = Vec::with_capacity(items.len());
    for item in items {
        let same = Datum::equal(terms, key(kind, item), wanted);
        hits.push(gate::and(terms, &[item.present, same]));
    }
    hits
}

/// For each place, whether something was hit there or before.
fn since(terms: &mut Terms, hits: &[Term]) -> Vec<Term> {
    let mut before = terms.bool(false);
    let mut since = Vec::with_capacity(hits.len());
    for &hit in hits {
        before = gate::or(terms, &[before, hit]);
        since.push(before);
    }
    since
}

/// The element that is hit, if one is.
fn found(terms: &mut Terms, items: &[Item], hits: &[Term], of: impl Fn(&Item) -> Datum) -> Outcome {
    let (last, others) = items.split_last().expect("a collection has places");
    let mut value = of(last);
    for (item, &hit) in others.iter().zip(hits).rev() {
        value = Datum::choose(terms, hit, &of(item), &value);
    }
    Outcome { value, domain: Some(gate::or(terms, hits)), overflow: None }
}

/// The same places, with another element where one is hit.
fn replaced(terms: &mut Terms, items: &[Item], hits: &[Term], by: &Datum) -> Vec<Item> {
    let place = |(item, &hit): (&Item, &Term)| Item {
        present: item.present,
        value: Datum::choose(terms, hit, by, &item.value),
    };
    items.iter().zip(hits).map(place).collect()
}

/// The elements moved to the front by one place where that is said.
fn shifted(terms: &mut Terms, items: &[Item], from: &[Term]) -> Vec<Item> {
    let mut moved = Vec::with_capacity(items.len());
    for (place, (item, &shift)) in items.iter().zip(from).enumerate() {
        moved.push(match items.get(place + 1) {
            Some(next) => Item {
                present: gate::choose(terms, shift, next.present, item.present),
                value: Datum::choose(terms, shift, &next.value, &item.value),
            },
            None => {
                let stays = gate::not(terms, shift);
                Item { present: gate::and(terms, &[stays, item.present]), value: item.value.clone() }
            }
        });
    }
    moved
}

/// A collection with one element more behind the others, where it is wanted.
fn added(terms: &mut Terms, collection: &Datum, value: &Datum, wanted: Term) -> Outcome {
    let (kind, items) = collection.items();
    let mut more = Vec::with_capacity(items.len());
    let mut before = terms.bool(true);
    for item in items {
        let here = gate::and(terms, &[wanted, before]);
        more.push(Item {
            present: gate::or(terms, &[item.present, here]),
            value: match gate::truth(terms, item.present) {
                Some(true) => item.value.clone(),
                Some(false) => value.clone(),
                None => Datum::choose(terms, item.present, &item.value, value),
            },
        });
        before = item.present;
    }
    let overflow = gate::and(terms, &[wanted, before]);
    Outcome { value: Datum::Items(kind, more), domain: None, overflow: Some(overflow) }
}

fn union(terms: &mut Terms, left: &Datum, right: &Datum) -> Outcome {
    let mut whole = left.clone();
    let mut overflows = Vec::new();
    for item in right.items().1 {
        let hits = matches(terms, left, &item.value);
        let known = gate::or(terms, &hits);
        let fresh = gate::not(terms, known);
        let wanted = gate::and(terms, &[item.present, fresh]);
        let more = added(terms, &whole, &item.value, wanted);
        overflows.extend(more.overflow);
        whole = more.value;
    }
    Outcome { value: whole, domain: None, overflow: Some(gate::or(terms, &overflows)) }
}

/// The elements of one set that are in another, or that are not.
fn kept(terms: &mut Terms, left: &Datum, right: &Datum, inside: bool) -> Datum {
    let (kind, items) = left.items();
    let none = items.iter().map(|item| Item { present: terms.bool(false), value: item.value.clone() }).collect();
    let mut whole = Datum::Items(kind, none);
    for item in items {
        let hits = matches(terms, right, &item.value);
        let known = gate::or(terms, &hits);
        let fits = if inside { known } else { gate::not(terms, known) };
        let wanted = gate::and(terms, &[item.present, fits]);
        whole = added(terms, &whole, &item.value, wanted).value;
    }
    whole
}

/// Whether the encoding has the operator.
pub(super) fn has(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::ListSize
            | Operator::ListAppend
            | Operator::ListPrepend
            | Operator::ListGet
            | Operator::ListSet
            | Operator::ListTail
            | Operator::ListInit
            | Operator::SetSize
            | Operator::SetContains
            | Operator::SetAdd
            | Operator::SetRemove
            | Operator::SetUnion
            | Operator::SetIntersection
            | Operator::SetMinus
            | Operator::MapSize
            | Operator::MapContains
            | Operator::MapAdd
            | Operator::MapGet
            | Operator::MapRemove
            | Operator::MapKeys
    )
}
