//! The body of one expression: a term down to constants, symbols and the terms that have a name.

use crate::{Op, SortId, Term, Terms};

use super::script::{Naming, may_divide_by_zero};
use super::value::{append, write_sort, write_value};

/// What is still to be written, the next on top.
enum Step {
    Term(Term),
    Text(&'static str),
    Number(u32),
}

/// Writes `root`, which is spelled out even if it has a name.
pub(super) fn write_body(out: &mut String, terms: &Terms, naming: &mut Naming, root: Term) {
    let mut steps = Vec::new();
    expand(out, terms, naming, root, &mut steps);
    while let Some(step) = steps.pop() {
        match step {
            Step::Text(text) => out.push_str(text),
            Step::Number(number) => append(out, format_args!("{number}")),
            Step::Term(term) => match naming.name(term) {
                Some(name) => out.push_str(&name),
                None => expand(out, terms, naming, term, &mut steps),
            },
        }
    }
}

fn expand(out: &mut String, terms: &Terms, naming: &mut Naming, term: Term, steps: &mut Vec<Step>) {
    let (op, args, indices) = (terms.op(term), terms.args(term), terms.indices(term));
    match op {
        Op::Constant => {
            let value = terms.value(term).expect("a constant has a value");
            return write_value(out, &mut naming.names, value);
        }
        Op::Symbol => return out.push_str(&naming.names.symbol(terms, term)),
        Op::Div | Op::Mod | Op::Divide if may_divide_by_zero(terms, term) => {
            return total_division(out, op, args, steps);
        }
        Op::Divisible => {
            // Not every solver knows the operator, but all know what it means.
            out.push_str("(= (mod ");
            let all = [Step::Term(args[0]), Step::Text(" "), Step::Number(indices[0]), Step::Text(") 0)")];
            return steps.extend(all.into_iter().rev());
        }
        Op::ConstArray => {
            out.push_str("((as const ");
            write_sort(out, &mut naming.names, terms.sort_at(SortId::from_index(indices[0])));
            out.push(')');
        }
        op if op.index_count() == 1 => append(out, format_args!("((_ {} {})", op.name(), indices[0])),
        op if op.index_count() == 2 => append(out, format_args!("((_ {} {} {})", op.name(), indices[0], indices[1])),
        op => append(out, format_args!("({}", op.name())),
    }
    steps.push(Step::Text(")"));
    for &arg in args.iter().rev() {
        steps.push(Step::Term(arg));
        steps.push(Step::Text(" "));
    }
}

/// Writes a division or remainder with the case of a zero divisor.
fn total_division(out: &mut String, op: Op, args: &[Term], steps: &mut Vec<Step>) {
    let zero = if op == Op::Divide { "0.0" } else { "0" };
    let otherwise = if op == Op::Mod { Step::Term(args[0]) } else { Step::Text(zero) };
    let start = match op {
        Op::Div => " (div ",
        Op::Mod => " (mod ",
        _ => " (/ ",
    };
    out.push_str("(ite (= ");
    let all = [
        Step::Term(args[1]),
        Step::Text(" "),
        Step::Text(zero),
        Step::Text(") "),
        otherwise,
        Step::Text(start),
        Step::Term(args[0]),
        Step::Text(" "),
        Step::Term(args[1]),
        Step::Text("))"),
    ];
    steps.extend(all.into_iter().rev());
}
