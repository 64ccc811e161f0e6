//! Checks the syntax tree of a `.bool` file and makes the specification from it.

mod declare;
mod elaborate;
mod order;

use source::{Diagnostic, Source, Span};
use value::Sort;

use crate::assemble::{Pieces, assemble};
use crate::ast::{Ast, Body, ItemKind};
use crate::build::{Builder, ShapeId};
use crate::operators::sort_text;
use crate::parse::ERROR_LIMIT;
use crate::unfold::{NODE_LIMIT, on_one_line};
use crate::{Operator, Spec, Variable, codes};
use declare::Names;
use elaborate::Elaborator;
pub(crate) use elaborate::RETOLD_BYTES;

/// The specification of a syntax tree, and warnings.
///
/// # Errors
/// What is wrong with it, at most 20 errors.
pub fn check(source: &Source, ast: &Ast) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let names = Names::declare(source, ast, &mut errors);
    let order = order::order(ast, &names, source, &mut errors);
    let mut elaborator = Elaborator::new(source, ast, &names, order.cyclic);
    for &definition in &order.sequence {
        elaborator.define(definition, &mut errors);
    }
    let mut pieces = Pieces::new(names.variables.clone(), NODE_LIMIT.max(ast.nodes.len() * 2));
    ranges(ast, &mut elaborator, &mut pieces, &mut errors);
    for item in &ast.items {
        if let ItemKind::Assume { name, body } = &item.kind
            && let Some(shape) = truth(&mut elaborator, *body, "an assumption", &mut errors)
        {
            let label = source.slice(name.unwrap_or(body.span));
            pieces.assumptions.push((on_one_line(label), shape, item.span));
        }
    }
    for &index in &names.decisions {
        let definition = &names.definitions[index];
        if let Some(shape) = elaborator.value_of(index)
            && is_truth(&elaborator.builder, shape, definition.body.span, "a decision", &mut errors)
        {
            pieces.decisions.push((definition.name_text(source).to_owned(), shape, definition.body.span));
        }
    }
    if names.decisions.is_empty() && errors.is_empty() {
        let end = Span::new(source.text().len(), source.text().len());
        errors.push(
            Diagnostic::error(&codes::NO_DECISION, end, "the file has no decision")
                .help("Add one: `decision NAME = FORMULA;`."),
        );
    }
    if !errors.is_empty() {
        return Err(errors.into_vec());
    }
    assemble(source, elaborator.builder, pieces)
}

/// Errors so far, each place and kind once.
#[derive(Default)]
pub(crate) struct Errors {
    found: Vec<Diagnostic>,
}

impl Errors {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let place = |other: &Diagnostic| (other.code.id, other.labels[0].span);
        let known = self.found.iter().any(|other| place(other) == place(&diagnostic));
        if !known && self.found.len() < ERROR_LIMIT {
            self.found.push(diagnostic);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(crate) fn is_full(&self) -> bool {
        ERROR_LIMIT <= self.found.len()
    }

    pub(crate) fn into_vec(self) -> Vec<Diagnostic> {
        self.found
    }
}

/// Elaborates a body that must be a truth value.
fn truth(elaborator: &mut Elaborator<'_>, body: Body, what: &str, errors: &mut Errors) -> Option<ShapeId> {
    let shape = elaborator.body(body, errors)?;
    is_truth(&elaborator.builder, shape, body.span, what, errors).then_some(shape)
}

fn is_truth(builder: &Builder, shape: ShapeId, span: Span, what: &str, errors: &mut Errors) -> bool {
    let sort = builder.sort(shape);
    if *sort == Sort::Bool {
        return true;
    }
    let message = format!("{what} must be a truth value, but this is of sort {}", sort_text(sort));
    errors.push(Diagnostic::error(&codes::SORT_MISMATCH, span, message));
    false
}

/// Turns declared ranges into ranges of variables and into assumptions.
fn ranges(ast: &Ast, elaborator: &mut Elaborator<'_>, pieces: &mut Pieces, errors: &mut Errors) {
    let mut next = 0;
    for item in &ast.items {
        let ItemKind::Input { names, range, .. } = &item.kind else { continue };
        let first = next;
        next += names.len();
        let Some((low, high)) = range else { continue };
        let ends = [elaborator.body(*low, errors), elaborator.body(*high, errors)];
        let [Some(low_end), Some(high_end)] = ends else { continue };
        let span = low.span.join(high.span);
        for place in first..next {
            let Some(index) = elaborator.names.declared[place] else { continue };
            let variable = &mut pieces.variables[index];
            if let Err(diagnostic) =
                range_of(elaborator, variable, index, (low_end, high_end), span, &mut pieces.assumptions)
            {
                errors.push(diagnostic);
                break;
            }
        }
    }
}

type Assumptions = Vec<(String, ShapeId, Span)>;

fn range_of(
    elaborator: &mut Elaborator<'_>,
    variable: &mut Variable,
    index: usize,
    ends: (ShapeId, ShapeId),
    span: Span,
    assumptions: &mut Assumptions,
) -> Result<(), Diagnostic> {
    let builder = &mut elaborator.builder;
    let bad = |message: String| Diagnostic::error(&codes::BAD_NUMBER, span, message);
    let compare = match variable.sort {
        Sort::Int | Sort::Real => Operator::Le,
        Sort::BitVec(_) => Operator::BvUle,
        Sort::Bool | Sort::Enum(_) | Sort::Array(_) => {
            let message =
                format!("a range is for numbers, but `{}` is of sort {}", variable.name, sort_text(&variable.sort));
            return Err(Diagnostic::error(&codes::SORT_MISMATCH, span, message));
        }
    };
    let coerce = |builder: &mut Builder, end: ShapeId| {
        let end = builder.coerce(end, &variable.sort, true).ok();
        end.filter(|&end| builder.literal_value(end).is_some())
    };
    let (Some(low), Some(high)) = (coerce(builder, ends.0), coerce(builder, ends.1)) else {
        return Err(bad(format!("the ends of a range must be literal numbers of sort {}", sort_text(&variable.sort))));
    };
    let (low_value, high_value) = (builder.literal_value(low).cloned(), builder.literal_value(high).cloned());
    if high_value < low_value {
        return Err(bad("the lower end of this range is above the upper end".to_owned()));
    }
    if let (Some(value::Value::Int(low)), Some(value::Value::Int(high))) = (&low_value, &high_value) {
        variable.range = Some((low.clone(), high.clone()));
    }
    let own = builder.variable(crate::VariableId(index as u32), &variable.sort, variable.span);
    let fits = "the sorts of a range were made equal";
    let above = builder.apply(compare, [0, 0], &[low, own], span).ok().expect(fits);
    let below = builder.apply(compare, [0, 0], &[own, high], span).ok().expect(fits);
    let both = builder.apply(Operator::And, [0, 0], &[above, below], span).ok().expect(fits);
    let text = on_one_line(elaborator.source.slice(span));
    assumptions.push((format!("{} in {text}", variable.name), both, variable.span));
    Ok(())
}
