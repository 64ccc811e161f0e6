//! Arrays, each in one canonical form.

use std::collections::BTreeMap;
use std::sync::Arc;

use value::{ArrayValue, BitVec, EnumValue, Sort, UBig, Value};

use crate::Op;

pub(super) fn apply(op: Op, sort: &Sort, args: &[&Value]) -> Value {
    match op {
        Op::Select => of(args[0]).get(args[1]).clone(),
        Op::Store => {
            let stored = of(args[0]).with(args[1].clone(), args[2].clone());
            Value::Array(Arc::new(with_common_default(stored)))
        }
        Op::ConstArray => {
            let Sort::Array(parts) = sort else { unreachable!("terms are well-sorted: an array, not {sort}") };
            let (index, element) = (parts.0.clone(), parts.1.clone());
            Value::Array(Arc::new(ArrayValue::new(index, element, args[0].clone(), BTreeMap::new())))
        }
        other => unreachable!("`{}` does not apply to arrays", other.name()),
    }
}

/// The array in a value.
pub(super) fn of(value: &Value) -> &ArrayValue {
    match value {
        Value::Array(array) => array,
        other => unreachable!("terms are well-sorted: an array, not {other}"),
    }
}

/// The value with every array in it written in its canonical form, so that equal maps are equal data.
///
/// Over a finite index sort the same map has several defaults to choose from; the canonical one is the most frequent
/// element, the smallest of these if there are several.
pub fn canonical(value: &Value) -> Value {
    let Value::Array(array) = value else { return value.clone() };
    let default = canonical(array.default());
    let entries = array.entries().iter().map(|(index, element)| (canonical(index), canonical(element))).collect();
    let (index, element) = (array.index_sort().clone(), array.element_sort().clone());
    Value::Array(Arc::new(with_common_default(ArrayValue::new(index, element, default, entries))))
}

/// The same map with its most frequent element as the default, where the index sort is finite.
pub(super) fn with_common_default(array: ArrayValue) -> ArrayValue {
    let entries = array.entries().len();
    let Some(size) = size(array.index_sort()).filter(|&size| size / 2 <= entries) else {
        return array;
    };
    let mut counts = BTreeMap::new();
    counts.insert(array.default(), size - entries);
    for element in array.entries().values() {
        *counts.entry(element).or_insert(0) += 1;
    }
    let most = counts.values().copied().max().expect("the default is counted");
    let (&common, _) = counts.iter().find(|(_, count)| **count == most).expect("the maximum is there");
    if common == array.default() {
        return array;
    }
    let all = (0..size).map(|place| member(array.index_sort(), place));
    let entries = all.map(|index| (index.clone(), array.get(&index).clone())).collect();
    ArrayValue::new(array.index_sort().clone(), array.element_sort().clone(), common.clone(), entries)
}

/// How many values a sort has, if they can be counted.
fn size(sort: &Sort) -> Option<usize> {
    match sort {
        Sort::Bool => Some(2),
        Sort::Int | Sort::Real => None,
        Sort::BitVec(width) => 1usize.checked_shl(*width),
        Sort::Enum(sort) => Some(sort.variants.len()),
        Sort::Array(parts) => match (size(&parts.0), size(&parts.1)) {
            (_, Some(1)) => Some(1),
            (Some(indices), Some(elements)) => elements.checked_pow(u32::try_from(indices).ok()?),
            _ => None,
        },
    }
}

/// The canonical value of a finite sort at a place; the elements of an array are the digits of its place.
fn member(sort: &Sort, place: usize) -> Value {
    match sort {
        Sort::Bool => Value::Bool(place == 1),
        Sort::Int | Sort::Real => unreachable!("only members of finite sorts are listed"),
        Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, UBig::from(place))),
        Sort::Enum(sort) => Value::Enum(EnumValue { sort: sort.clone(), index: place as u32 }),
        Sort::Array(parts) => {
            let elements = size(&parts.1).expect("a finite sort of arrays has finitely many elements");
            let (mut entries, mut rest, mut index) = (BTreeMap::new(), place, 0);
            while 0 < rest {
                entries.insert(member(&parts.0, index), member(&parts.1, rest % elements));
                rest /= elements;
                index += 1;
            }
            let default = member(&parts.1, 0);
            let array = ArrayValue::new(parts.0.clone(), parts.1.clone(), default, entries);
            Value::Array(Arc::new(with_common_default(array)))
        }
    }
}
