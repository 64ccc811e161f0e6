//! What the operators and functions of `.bool` files mean, by the sorts of their arguments.

use source::{Diagnostic, Span};
use value::{IBig, Sort, Value};

use crate::ast::{Binary, Unary};
use crate::build::{Builder, Misfit, ShapeId};
use crate::rank::index_count;
use crate::{Operator, codes};

/// A use of an expression, or why there is none.
pub(crate) type Applied = Result<ShapeId, Box<Diagnostic>>;

/// The functions that are not operators of SMT-LIB.
const OWN: [&str; 4] = ["ite", "min", "max", "abs"];

/// Whether a function is built in: one of ours, or an operator under its name in SMT-LIB.
pub(crate) fn is_function(name: &str) -> bool {
    OWN.contains(&name) || named(name).is_some()
}

/// The operator that can be called by its name.
fn named(name: &str) -> Option<Operator> {
    let callable = |operator: &&Operator| operator.name() == name && **operator != Operator::ConstArray;
    let word = name.starts_with(|first: char| first.is_ascii_alphabetic());
    Operator::ALL.iter().filter(|_| word).find(callable).copied()
}

pub(crate) fn apply_unary(builder: &mut Builder, unary: Unary, arg: ShapeId, span: Span) -> Applied {
    let vector = matches!(builder.sort(arg), Sort::BitVec(_));
    let operator = match unary {
        Unary::Not if vector => Operator::BvNot,
        Unary::Not => Operator::Not,
        Unary::Minus if vector => Operator::BvNeg,
        Unary::Minus => match builder.literal_value(arg) {
            Some(Value::Int(number)) => {
                let negated = -number.clone();
                return Ok(builder.literal(Value::Int(negated), span));
            }
            Some(Value::Real(number)) => {
                let negated = -number.clone();
                return Ok(builder.literal(Value::Real(negated), span));
            }
            _ => Operator::Neg,
        },
    };
    let text = match unary {
        Unary::Not => "!",
        Unary::Minus => "-",
    };
    let applied = builder.apply(operator, [0, 0], &[arg], span);
    applied.map_err(|misfit| {
        let error = mismatch(builder, text, misfit, &[arg], span);
        match unary {
            Unary::Not => Box::new(error.help("`!` binds tighter than comparisons: write `!(a == b)`.")),
            Unary::Minus => Box::new(error),
        }
    })
}

pub(crate) fn apply_binary(
    builder: &mut Builder,
    binary: Binary,
    left: ShapeId,
    right: ShapeId,
    span: Span,
) -> Applied {
    let mut args = [left, right];
    let arithmetic = !matches!(binary, Binary::And | Binary::Or | Binary::Xor | Binary::Implies | Binary::Iff);
    let vector = args.iter().any(|&arg| matches!(builder.sort(arg), Sort::BitVec(_)));
    if (arithmetic || vector)
        && let Err(misfit) = builder.unify(&mut args, true)
    {
        return Err(Box::new(mismatch(builder, binary.text(), misfit, &args, span)));
    }
    if binary == Binary::Divide && args.iter().all(|&arg| *builder.sort(arg) == Sort::Int) {
        let message = "`/` divides reals, but both sides are integers";
        let error = Diagnostic::error(&codes::SORT_MISMATCH, span, message);
        return Err(Box::new(error.help("Write `div` for the integer quotient, or `to_real(x) / y`.")));
    }
    let applied = builder.apply(meaning(binary, vector), [0, 0], &args, span);
    applied.map_err(|misfit| Box::new(mismatch(builder, binary.text(), misfit, &args, span)))
}

fn meaning(binary: Binary, vector: bool) -> Operator {
    match (binary, vector) {
        (Binary::And, false) => Operator::And,
        (Binary::And, true) => Operator::BvAnd,
        (Binary::Or, false) => Operator::Or,
        (Binary::Or, true) => Operator::BvOr,
        (Binary::Xor, false) => Operator::Xor,
        (Binary::Xor, true) => Operator::BvXor,
        (Binary::Implies, _) => Operator::Implies,
        (Binary::Iff | Binary::Eq, _) => Operator::Eq,
        (Binary::Ne, _) => Operator::Distinct,
        (Binary::Lt, false) => Operator::Lt,
        (Binary::Lt, true) => Operator::BvUlt,
        (Binary::Le, false) => Operator::Le,
        (Binary::Le, true) => Operator::BvUle,
        (Binary::Gt, false) => Operator::Gt,
        (Binary::Gt, true) => Operator::BvUgt,
        (Binary::Ge, false) => Operator::Ge,
        (Binary::Ge, true) => Operator::BvUge,
        (Binary::ShiftLeft, _) => Operator::BvShl,
        (Binary::ShiftRight, _) => Operator::BvLshr,
        (Binary::Add, false) => Operator::Add,
        (Binary::Add, true) => Operator::BvAdd,
        (Binary::Sub, false) => Operator::Sub,
        (Binary::Sub, true) => Operator::BvSub,
        (Binary::Mul, false) => Operator::Mul,
        (Binary::Mul, true) => Operator::BvMul,
        (Binary::Divide, false) => Operator::Divide,
        (Binary::Div, false) => Operator::Div,
        (Binary::Divide | Binary::Div, true) => Operator::BvUdiv,
        (Binary::Mod, false) => Operator::Mod,
        (Binary::Mod, true) => Operator::BvUrem,
    }
}

pub(crate) fn apply_call(builder: &mut Builder, name: &str, args: &[ShapeId], span: Span) -> Applied {
    let mut args = args.to_vec();
    match name {
        "ite" if args.len() == 3 => {
            if let Err(misfit) = builder.unify(&mut args[1..], true) {
                return Err(Box::new(mismatch(builder, name, misfit, &args, span)));
            }
        }
        "min" | "max" => return extreme(builder, name, args, span),
        "abs" if args.len() == 1 && *builder.sort(args[0]) == Sort::Real => {
            let negated = apply_unary(builder, Unary::Minus, args[0], span)?;
            return extreme(builder, "max", vec![args[0], negated], span);
        }
        "select" | "store" => elements(builder, &mut args),
        _ => {}
    }
    let Some(operator) = named(name) else {
        return Err(Box::new(mismatch(builder, name, Misfit::Arity, &args, span)));
    };
    let indices = match numerals(builder, operator, &mut args) {
        Some(indices) => indices,
        None => {
            let message = format!("`{name}` takes {} literal numbers first", index_count(operator));
            return Err(Box::new(Diagnostic::error(&codes::BAD_NUMBER, span, message)));
        }
    };
    let name_says_vector = name.starts_with("bv");
    if name_says_vector && let Err(misfit) = builder.unify(&mut args, true) {
        return Err(Box::new(mismatch(builder, name, misfit, &args, span)));
    }
    let applied = builder.apply(operator, indices, &args, span);
    applied.map_err(|misfit| Box::new(mismatch(builder, name, misfit, &args, span)))
}

/// The least or the greatest of two or more numbers, as nested conditionals.
fn extreme(builder: &mut Builder, name: &str, mut args: Vec<ShapeId>, span: Span) -> Applied {
    let fault = |builder: &Builder, misfit, args: &[ShapeId]| Box::new(mismatch(builder, name, misfit, args, span));
    if args.len() < 2 {
        return Err(fault(builder, Misfit::Arity, &args));
    }
    if let Err(misfit) = builder.unify(&mut args, true) {
        return Err(fault(builder, misfit, &args));
    }
    let vector = matches!(builder.sort(args[0]), Sort::BitVec(_));
    let compare = meaning(if name == "min" { Binary::Le } else { Binary::Ge }, vector);
    let mut best = args[0];
    for &arg in &args[1..] {
        let first = builder.apply(compare, [0, 0], &[best, arg], span);
        let first = first.map_err(|misfit| fault(builder, misfit, &args))?;
        let chosen = builder.apply(Operator::Ite, [0, 0], &[first, best, arg], span);
        best = chosen.map_err(|misfit| fault(builder, misfit, &args))?;
    }
    Ok(best)
}

/// Brings the index and the element of an array access to the sorts of the array, where literals allow it.
fn elements(builder: &mut Builder, args: &mut [ShapeId]) {
    let Some(Sort::Array(parts)) = args.first().map(|&array| builder.sort(array).clone()) else { return };
    for (arg, sort) in args[1..].iter_mut().zip([&parts.0, &parts.1]) {
        if let Ok(coerced) = builder.coerce(*arg, sort, true) {
            *arg = coerced;
        }
    }
}

/// Takes the numerals of an indexed operator from the front of its arguments.
fn numerals(builder: &Builder, operator: Operator, args: &mut Vec<ShapeId>) -> Option<[u32; 2]> {
    let count = index_count(operator);
    let mut indices = [0, 0];
    if args.len() < count {
        return None;
    }
    for (index, arg) in indices.iter_mut().zip(args.drain(..count)) {
        let Some(Value::Int(number)) = builder.literal_value(arg) else { return None };
        *index = u32::try_from(number.clone()).ok()?;
    }
    Some(indices)
}

/// The diagnostic of an application that cannot be built.
fn mismatch(builder: &Builder, name: &str, misfit: Misfit, args: &[ShapeId], span: Span) -> Diagnostic {
    misfit_diagnostic(builder, name, misfit, args, span, sort_text)
}

/// The diagnostic of an application that cannot be built, with sorts written as `sort_text` writes them.
pub(crate) fn misfit_diagnostic(
    builder: &Builder,
    name: &str,
    misfit: Misfit,
    args: &[ShapeId],
    span: Span,
    sort_text: fn(&Sort) -> String,
) -> Diagnostic {
    match misfit {
        Misfit::Arity => {
            let message = format!("`{name}` does not take {}", arguments(args.len()));
            Diagnostic::error(&codes::ARITY, span, message)
        }
        Misfit::Number(width) => {
            let most = (IBig::ONE << width as usize) - IBig::ONE;
            let message = format!("a number here does not fit into {width} bits");
            Diagnostic::error(&codes::BAD_NUMBER, span, message).help(format!("The largest that fits is {most}."))
        }
        Misfit::Sort(needs) => {
            let sorts: Vec<String> = args.iter().map(|&arg| sort_text(builder.sort(arg))).collect();
            let message = format!("`{name}` needs {needs}, not {}", sorts.join(" and "));
            let mut error = Diagnostic::error(&codes::SORT_MISMATCH, span, message);
            for &arg in args.iter().take(3) {
                error = error.also(builder.shape(arg).span, format!("of sort {}", sort_text(builder.sort(arg))));
            }
            let has = |wanted: fn(&Sort) -> bool| args.iter().any(|&arg| wanted(builder.sort(arg)));
            // Scripts in SMT-LIB write all of this otherwise.
            if sort_text(&Sort::Bool) != "bool" {
                return error;
            }
            match needs {
                "integers" if has(|sort| *sort == Sort::Real) => {
                    error.help("Declare the input `int` in place of `real`.")
                }
                "truth values" if has(Sort::is_numeric) => error.help("Compare the number, as in `x != 0`."),
                _ if has(|sort| *sort == Sort::Bool) && has(Sort::is_numeric) => error.help(
                    "A truth value is not a number: write `a` where it is to be true, `!a` where it is to be false.",
                ),
                _ => error,
            }
        }
    }
}

/// The sort as `.bool` files write it.
pub(crate) fn sort_text(sort: &Sort) -> String {
    match sort {
        Sort::Bool => "bool".to_owned(),
        Sort::Int => "int".to_owned(),
        Sort::Real => "real".to_owned(),
        Sort::BitVec(width) => format!("bitvec[{width}]"),
        Sort::Enum(sort) => sort.name.clone(),
        Sort::Array(parts) => format!("array[{}] of {}", sort_text(&parts.0), sort_text(&parts.1)),
    }
}

/// "1 argument", "2 arguments".
pub(crate) fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}
