//! Arrays: reads see through the writes they cannot be affected by.

use super::{Node, Step, args_of, becomes, differ, is};
use crate::{Op, Term, Terms};

pub(super) fn step(terms: &mut Terms, node: &Node) -> Option<Step> {
    match (node.op, &node.args[..]) {
        (Op::Select, &[array, index]) => select(terms, array, index),
        (Op::Store, &[array, index, element]) => store(terms, array, index, element),
        _ => None,
    }
}

fn select(terms: &Terms, mut array: Term, index: Term) -> Option<Step> {
    let start = array;
    while let Some(&[inner, written, element]) = args_of(terms, Op::Store, array) {
        if written == index {
            return is(element);
        }
        if !differ(terms, written, index) {
            break;
        }
        array = inner;
    }
    if let Some(&[element]) = args_of(terms, Op::ConstArray, array) {
        return is(element);
    }
    if array == start { None } else { becomes(Op::Select, &[array, index]) }
}

fn store(terms: &Terms, array: Term, index: Term, element: Term) -> Option<Step> {
    if args_of(terms, Op::Select, element) == Some(&[array, index]) {
        return is(array);
    }
    if args_of(terms, Op::ConstArray, array) == Some(&[element]) {
        return is(array);
    }
    match args_of(terms, Op::Store, array) {
        Some(&[inner, written, _]) if written == index => becomes(Op::Store, &[inner, index, element]),
        _ => None,
    }
}
