//! Expressions to terms, with a stack of tasks instead of recursion.

use source::{SExpr, SExprKind, SExprs};
use value::{BitVec, IBig, RBig, UBig, Value};

use super::ReadError;
use super::apply;
use super::environment::{Environment, Meaning, expand};
use super::sort;
use crate::{Op, Term, Terms};

/// What reading works on.
pub(super) struct Context<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) text: &'a str,
    pub(super) read: &'a SExprs,
    pub(super) environment: &'a mut Environment,
}

/// What is still to be done; results go to a stack of their own.
enum Task {
    Read(SExpr),
    /// Applies the head of a list to the results of its other items.
    Apply(SExpr),
    /// Binds the names of a list of `let` bindings to the latest results.
    Bind(SExpr),
    Unbind(usize),
    /// Notes the name an annotation gives to the latest result.
    Annotate(SExpr),
}

/// Reads an expression.
pub(super) fn read(context: &mut Context<'_>, root: SExpr) -> Result<Term, ReadError> {
    let mut tasks = vec![Task::Read(root)];
    let mut results = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Read(node) => start(context, node, &mut tasks, &mut results)?,
            Task::Apply(node) => {
                let count = context.read.list(node).expect("applications are lists").len() - 1;
                let args = results.split_off(results.len() - count);
                results.push(application(context, node, &args)?);
            }
            Task::Bind(bindings) => {
                let bindings = context.read.list(bindings).expect("bindings were checked");
                let values = results.split_off(results.len() - bindings.len());
                for (&binding, value) in bindings.iter().zip(values) {
                    let name = binding_parts(context, binding)?.0;
                    context.environment.bind_term(name, value);
                }
            }
            Task::Unbind(count) => context.environment.unbind(count),
            Task::Annotate(node) => annotate(context, node, *results.last().expect("an annotated term was read"))?,
        }
    }
    Ok(results.pop().expect("every reading leaves its result"))
}

fn start(
    context: &mut Context<'_>,
    node: SExpr,
    tasks: &mut Vec<Task>,
    results: &mut Vec<Term>,
) -> Result<(), ReadError> {
    let (text, read) = (context.text, context.read);
    let Some(items) = read.list(node) else {
        results.push(atom(context, node)?);
        return Ok(());
    };
    let Some(&head) = items.first() else { return Err(problem(context, node, "an expression is expected")) };
    let word = if read.kind(head) == SExprKind::Symbol { read.text(text, head) } else { "" };
    match (word, &items[1..]) {
        ("let", &[bindings, body]) => {
            let list = read.list(bindings).filter(|list| !list.is_empty());
            let list = list.ok_or_else(|| problem(context, bindings, "a list of bindings is expected"))?;
            tasks.extend([Task::Unbind(list.len()), Task::Read(body), Task::Bind(bindings)]);
            for &binding in list.iter().rev() {
                tasks.push(Task::Read(binding_parts(context, binding)?.1));
            }
        }
        ("!", &[term, ..]) => tasks.extend([Task::Annotate(node), Task::Read(term)]),
        ("_", _) => results.push(indexed_constant(context, node, items)?),
        ("as", &[name, _]) => results.push(atom(context, name)?),
        ("forall" | "exists" | "lambda" | "match" | "choice", _) => {
            return Err(problem(context, node, format!("`{word}` is not supported")));
        }
        ("let" | "!" | "as", _) => return Err(problem(context, node, format!("this is not how `{word}` is written"))),
        (_, []) => return Err(problem(context, node, "an application needs arguments")),
        (_, args) => {
            tasks.push(Task::Apply(node));
            tasks.extend(args.iter().rev().map(|&arg| Task::Read(arg)));
        }
    }
    Ok(())
}

fn binding_parts<'a>(context: &Context<'a>, binding: SExpr) -> Result<(&'a str, SExpr), ReadError> {
    if let Some(&[name, value]) = context.read.list(binding)
        && let Some(name) = context.read.symbol(context.text, name)
    {
        return Ok((name, value));
    }
    Err(problem(context, binding, "a binding `(name expression)` is expected"))
}

fn annotate(context: &mut Context<'_>, node: SExpr, term: Term) -> Result<(), ReadError> {
    let (text, read) = (context.text, context.read);
    let items = read.list(node).expect("annotations are lists");
    for pair in items[2..].windows(2) {
        if read.text(text, pair[0]) == ":named" {
            let name = read.symbol(text, pair[1]).ok_or_else(|| problem(context, pair[1], "a name is expected"))?;
            context.environment.named.push((name.into(), term));
        }
    }
    Ok(())
}

fn atom(context: &mut Context<'_>, node: SExpr) -> Result<Term, ReadError> {
    let written = context.read.text(context.text, node);
    let value = match context.read.kind(node) {
        SExprKind::Symbol | SExprKind::QuotedSymbol => return symbol(context, node),
        SExprKind::Numeral => Value::Int(written.parse().expect("a numeral is digits")),
        SExprKind::Decimal => Value::Real(decimal(written)),
        SExprKind::Hex => pattern(context, node, 4 * (written.len() - 2), &written[2..], 16)?,
        SExprKind::Binary => pattern(context, node, written.len() - 2, &written[2..], 2)?,
        SExprKind::Keyword | SExprKind::String | SExprKind::List => {
            return Err(problem(context, node, "an expression is expected"));
        }
    };
    Ok(context.terms.constant(value))
}

fn symbol(context: &mut Context<'_>, node: SExpr) -> Result<Term, ReadError> {
    let name = context.read.symbol(context.text, node).ok_or_else(|| problem(context, node, "a name is expected"))?;
    match (context.environment.term(name), name) {
        (Some(Meaning::Term(term)), _) => Ok(*term),
        (Some(Meaning::Macro { .. }), _) => Err(problem(context, node, format!("`{name}` needs arguments"))),
        (None, "true") => Ok(context.terms.bool(true)),
        (None, "false") => Ok(context.terms.bool(false)),
        (None, _) => Err(problem(context, node, format!("`{name}` is not declared"))),
    }
}

fn decimal(written: &str) -> RBig {
    let (whole, fraction) = written.split_once('.').expect("a decimal has a point");
    let digits: IBig = format!("{whole}{fraction}").parse().expect("a decimal is digits");
    RBig::from_parts(digits, UBig::from(10u8).pow(fraction.len()))
}

fn pattern(context: &Context<'_>, node: SExpr, width: usize, digits: &str, radix: u32) -> Result<Value, ReadError> {
    match u32::try_from(width) {
        Ok(width) if width <= sort::WIDEST => {
            let bits = UBig::from_str_radix(digits, radix).expect("a bit pattern is digits");
            Ok(Value::BitVec(BitVec::new(width, bits)))
        }
        _ => Err(problem(context, node, format!("bit-vectors have between 1 and {} bits here", sort::WIDEST))),
    }
}

/// `(_ bv10 32)`.
fn indexed_constant(context: &mut Context<'_>, node: SExpr, items: &[SExpr]) -> Result<Term, ReadError> {
    let digits =
        items.get(1).map(|&name| context.read.text(context.text, name)).and_then(|name| name.strip_prefix("bv"));
    let number = digits.and_then(|digits| UBig::from_str_radix(digits, 10).ok());
    let (Some(number), &[_, _, width]) = (number, items) else {
        return Err(problem(context, node, "this indexed constant is not supported"));
    };
    let width = index(context, width)?;
    if width == 0 || sort::WIDEST < width {
        return Err(problem(context, node, format!("bit-vectors have between 1 and {} bits here", sort::WIDEST)));
    }
    Ok(context.terms.constant(Value::BitVec(BitVec::new(width, number))))
}

fn application(context: &mut Context<'_>, node: SExpr, args: &[Term]) -> Result<Term, ReadError> {
    let (text, read) = (context.text, context.read);
    let head = read.list(node).expect("applications are lists")[0];
    let result = if let Some(name) = read.symbol(text, head) {
        match context.environment.term(name).cloned() {
            Some(Meaning::Macro { parameters, body }) => return call(context, node, &parameters, body, args),
            Some(Meaning::Term(_)) => return Err(problem(context, node, format!("`{name}` takes no arguments"))),
            None => apply::by_name(context.terms, name, args),
        }
    } else {
        match *read.list(head).unwrap_or_default() {
            [keyword, name, sort] if read.text(text, keyword) == "as" && read.text(text, name) == "const" => {
                let sort = sort::read(context, sort)?;
                apply::constant_array(context.terms, &sort, args)
            }
            [keyword, name, variant]
                if read.text(text, keyword) == "_" && read.text(text, name) == "is" && args.len() == 1 =>
            {
                let variant = atom(context, variant)?;
                context.terms.try_app(Op::Eq, [0, 0], &[args[0], variant]).map_err(|error| error.to_string())
            }
            [keyword, name, ref indices @ ..] if read.text(text, keyword) == "_" => {
                let name = read.text(text, name);
                let mut numbers = [0; 2];
                if numbers.len() < indices.len() {
                    return Err(problem(context, head, format!("`{name}` does not have so many indices")));
                }
                for (number, &node) in numbers.iter_mut().zip(indices) {
                    *number = index(context, node)?;
                }
                apply::indexed(context.terms, name, &numbers[..indices.len()], args)
            }
            _ => Err("an operator is expected".to_owned()),
        }
    };
    let term = result.map_err(|message| problem(context, node, message))?;
    match context.terms.width(term) {
        Some(width) if sort::WIDEST < width => {
            Err(problem(context, node, format!("bit-vectors have at most {} bits here", sort::WIDEST)))
        }
        _ => Ok(term),
    }
}

fn call(
    context: &mut Context<'_>,
    node: SExpr,
    parameters: &[Term],
    body: Term,
    args: &[Term],
) -> Result<Term, ReadError> {
    let mut coerced = Vec::new();
    for (&arg, &parameter) in args.iter().zip(parameters) {
        let sort = context.terms.sort(parameter).clone();
        let arg = apply::coerced(context.terms, arg, &sort);
        if *context.terms.sort(arg) != sort {
            return Err(problem(context, node, format!("an argument of sort {sort} is expected")));
        }
        coerced.push(arg);
    }
    if args.len() != parameters.len() {
        return Err(problem(context, node, format!("{} arguments are expected", parameters.len())));
    }
    Ok(expand(context.terms, parameters, body, &coerced))
}

/// Reads a numeral that must be small.
pub(super) fn index(context: &Context<'_>, node: SExpr) -> Result<u32, ReadError> {
    let number = match context.read.kind(node) {
        SExprKind::Numeral => context.read.text(context.text, node).parse().ok(),
        _ => None,
    };
    number.ok_or_else(|| problem(context, node, "a numeral below 2^32 is expected"))
}

pub(super) fn problem(context: &Context<'_>, node: SExpr, message: impl Into<String>) -> ReadError {
    ReadError { span: context.read.span(node), message: message.into() }
}
