//! Sorts.

use source::SExpr;
use value::Sort;

use super::ReadError;
use super::environment::SortMeaning;
use super::term::{Context, index, problem};

/// Wider bit-vectors are refused: nobody writes them, and their numerals alone would fill memory.
pub(super) const WIDEST: u32 = 32_768;
/// Larger sorts are refused; nested definitions can make them exponentially large.
const LARGEST: usize = 1_000;
/// More sorts than this are refused.
const MOST: usize = 30_000;

/// Reads a sort.
pub(super) fn read(context: &mut Context<'_>, node: SExpr) -> Result<Sort, ReadError> {
    let sort = nested(context, node, &[], 100)?;
    if MOST < context.terms.sort_count() {
        return Err(problem(context, node, "there are more sorts than we can hold"));
    }
    Ok(sort)
}

fn nested(
    context: &mut Context<'_>,
    node: SExpr,
    parameters: &[(Box<str>, Sort)],
    budget: u32,
) -> Result<Sort, ReadError> {
    if budget == 0 {
        return Err(problem(context, node, "this sort is nested too deeply"));
    }
    let (text, read) = (context.text, context.read);
    if let Some(name) = read.symbol(text, node) {
        if let Some((_, sort)) = parameters.iter().find(|(parameter, _)| **parameter == *name) {
            return Ok(sort.clone());
        }
        return match (context.environment.sort(name), name) {
            (Some(SortMeaning::Sort(sort)), _) => Ok(sort.clone()),
            (Some(SortMeaning::Macro { .. }), _) => Err(problem(context, node, "this sort needs arguments")),
            (None, "Bool") => Ok(Sort::Bool),
            (None, "Int") => Ok(Sort::Int),
            (None, "Real") => Ok(Sort::Real),
            (None, _) => Err(problem(context, node, format!("unknown sort `{name}`, or none we support"))),
        };
    }
    let Some(items) = read.list(node) else { return Err(problem(context, node, "a sort is expected")) };
    let head = items.first().and_then(|&head| read.symbol(text, head));
    match (head, items) {
        (Some("_"), &[_, name, width]) if read.symbol(text, name) == Some("BitVec") => {
            let width = index(context, width)?;
            if width == 0 || WIDEST < width {
                return Err(problem(context, node, format!("bit-vectors have between 1 and {WIDEST} bits here")));
            }
            Ok(Sort::BitVec(width))
        }
        (Some("Array"), &[_, index, element]) => {
            let index = nested(context, index, parameters, budget - 1)?;
            let element = nested(context, element, parameters, budget - 1)?;
            let sort = Sort::array(index, element);
            if LARGEST < size(&sort) {
                return Err(problem(context, node, "this sort is too large"));
            }
            Ok(sort)
        }
        (Some(name), &[_, ref arguments @ ..]) => {
            let Some(SortMeaning::Macro { parameters: names, body }) = context.environment.sort(name).cloned() else {
                return Err(problem(context, node, format!("unknown sort `{name}` with arguments")));
            };
            if names.len() != arguments.len() {
                return Err(problem(context, node, format!("`{name}` takes {} arguments", names.len())));
            }
            let mut bound = Vec::new();
            for (name, &argument) in names.iter().zip(arguments) {
                bound.push((name.clone(), nested(context, argument, parameters, budget - 1)?));
            }
            nested(context, body, &bound, budget - 1)
        }
        _ => Err(problem(context, node, "a sort is expected")),
    }
}

fn size(sort: &Sort) -> usize {
    match sort {
        Sort::Array(parts) => 1 + size(&parts.0) + size(&parts.1),
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Enum(_) => 1,
    }
}
