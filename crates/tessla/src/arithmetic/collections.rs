//! Operators on lists, sets and maps.

use std::sync::Arc;

use crate::operator::Operator;
use crate::place::Origin;
use crate::show::Shown;
use crate::value::Value;

use super::edited;

pub(super) fn apply(operator: Operator, operands: &[Value], origin: Origin) -> Value {
    match operands {
        [Value::List(_), ..] | [_, Value::List(_)] => list(operator, operands, origin),
        [Value::Set(_), ..] => set(operator, operands, origin),
        [Value::Map(_), ..] => map(operator, operands, origin),
        _ => super::confused(operator, origin),
    }
}

fn list(operator: Operator, operands: &[Value], origin: Origin) -> Value {
    match (operator, operands) {
        (Operator::ListPrepend, [item, Value::List(items)]) => {
            Value::List(edited(items, |items| items.insert(0, item.clone())))
        }
        (Operator::ListAppend, [Value::List(items), item]) => {
            Value::List(edited(items, |items| items.push(item.clone())))
        }
        (Operator::ListSize, [Value::List(items)]) => Value::Int(items.len() as i64),
        (Operator::ListGet, [Value::List(items), index]) => match position(index, items.len()) {
            Some(index) => items[index].clone(),
            None => outside(index, items.len(), origin),
        },
        (Operator::ListSet, [Value::List(items), index, item]) => match position(index, items.len()) {
            Some(index) => Value::List(edited(items, |items| items[index] = item.clone())),
            None => outside(index, items.len(), origin),
        },
        (Operator::ListTail, [Value::List(items)]) => match items.split_first() {
            Some((_, rest)) => Value::List(Arc::new(rest.to_vec())),
            None => Value::failure("The empty list has no tail", origin),
        },
        (Operator::ListInit, [Value::List(items)]) => match items.split_last() {
            Some((_, rest)) => Value::List(Arc::new(rest.to_vec())),
            None => Value::List(items.clone()),
        },
        // A set of lists, or a map with lists in it.
        (_, [Value::Set(_), ..]) => set(operator, operands, origin),
        (_, [Value::Map(_), ..]) => map(operator, operands, origin),
        _ => super::confused(operator, origin),
    }
}

fn position(index: &Value, length: usize) -> Option<usize> {
    match index {
        Value::Int(index) => usize::try_from(*index).ok().filter(|index| *index < length),
        _ => None,
    }
}

fn outside(index: &Value, length: usize, origin: Origin) -> Value {
    Value::failure(format!("Position {} is outside a list of {length} elements", Shown(index)), origin)
}

fn set(operator: Operator, operands: &[Value], origin: Origin) -> Value {
    match (operator, operands) {
        (Operator::SetAdd, [Value::Set(items), item]) if items.contains(item) => Value::Set(items.clone()),
        (Operator::SetAdd, [Value::Set(items), item]) => Value::Set(edited(items, |items| {
            items.insert(item.clone());
        })),
        (Operator::SetContains, [Value::Set(items), item]) => Value::Bool(items.contains(item)),
        (Operator::SetRemove, [Value::Set(items), item]) => Value::Set(edited(items, |items| {
            items.shift_remove(item);
        })),
        (Operator::SetSize, [Value::Set(items)]) => Value::Int(items.len() as i64),
        (Operator::SetUnion, [Value::Set(left), Value::Set(right)]) => {
            Value::Set(edited(left, |items| items.extend(right.iter().cloned())))
        }
        (Operator::SetIntersection, [Value::Set(left), Value::Set(right)]) => {
            Value::Set(edited(left, |items| items.retain(|item| right.contains(item))))
        }
        (Operator::SetMinus, [Value::Set(left), Value::Set(right)]) => {
            Value::Set(edited(left, |items| items.retain(|item| !right.contains(item))))
        }
        _ => super::confused(operator, origin),
    }
}

fn map(operator: Operator, operands: &[Value], origin: Origin) -> Value {
    match (operator, operands) {
        (Operator::MapAdd, [Value::Map(entries), key, value]) => Value::Map(edited(entries, |entries| {
            entries.insert(key.clone(), value.clone());
        })),
        (Operator::MapContains, [Value::Map(entries), key]) => Value::Bool(entries.contains_key(key)),
        (Operator::MapGet, [Value::Map(entries), key]) => match entries.get(key) {
            Some(value) => value.clone(),
            None => {
                let message = format!("Key {} was not found in {}", Shown(key), Shown(&operands[0]));
                Value::failure(message, origin)
            }
        },
        (Operator::MapRemove, [Value::Map(entries), key]) => Value::Map(edited(entries, |entries| {
            entries.shift_remove(key);
        })),
        (Operator::MapSize, [Value::Map(entries)]) => Value::Int(entries.len() as i64),
        (Operator::MapKeys, [Value::Map(entries)]) => Value::List(Arc::new(entries.keys().cloned().collect())),
        _ => super::confused(operator, origin),
    }
}
