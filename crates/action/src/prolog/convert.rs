//! From trees of words to the syntax tree: the place decides whether a tree is a condition, a number or a statement.

use source::{Diagnostic, Span};

use super::lex::Token;
use super::tree::{Kind, Tree};
use crate::ast::{
    Action, Argument, ArithmeticOp, At, Call, Comparison, Connective, Expr, ExprKind, Initial, Loop, Name, Stmt,
};
use crate::codes;

type Converted<T> = Result<T, Diagnostic>;

/// A syntax error at a tree.
fn wrong<T>(span: Span, message: impl Into<String>) -> Converted<T> {
    Err(Diagnostic::error(&codes::SYNTAX, span, message))
}

/// Notes that something occurs; twice is an error.
pub(super) fn repeated(seen: &mut Option<Span>, span: Span, what: &str) -> Converted<()> {
    match seen.replace(span) {
        None => Ok(()),
        Some(first) => {
            Err(Diagnostic::error(&codes::DUPLICATE_NAME, span, format!("a second {what}"))
                .also(first, "the first one"))
        }
    }
}

/// The tree without parentheses around it.
pub(super) fn strip(mut tree: Tree) -> Tree {
    while let Kind::Group(inner) = tree.kind {
        tree = *inner;
    }
    tree
}

/// The name a tree is, if it is one.
pub(super) fn named(tree: &Tree) -> Option<&str> {
    match &tree.kind {
        Kind::Name(name) => Some(name),
        _ => None,
    }
}

/// The parts of a chain; the tree itself where it is none.
pub(super) fn within(operator: Token, tree: Tree) -> Vec<Tree> {
    match tree.kind {
        Kind::Infix(same, parts) if same == operator => parts,
        kind => vec![Tree { kind, span: tree.span }],
    }
}

pub(super) fn number(tree: Tree) -> Converted<i64> {
    match tree.kind {
        Kind::Number(number) => Ok(number),
        _ => wrong(tree.span, "a number is expected"),
    }
}

pub(super) fn range(sides: Vec<Tree>) -> Converted<(i64, i64)> {
    let [low, high] = <[Tree; 2]>::try_from(sides).expect("`..` has two sides");
    Ok((number(low)?, number(high)?))
}

pub(super) fn label(tree: Tree) -> Converted<Name> {
    let span = tree.span;
    match tree.kind {
        Kind::Name(text) => Ok(Name::new(text, span)),
        _ => wrong(span, "a name is expected"),
    }
}

pub(super) fn labels(tree: Tree) -> Converted<Vec<Name>> {
    match tree.kind {
        Kind::List(items) => items.into_iter().map(label).collect(),
        _ => wrong(tree.span, "a list of names is expected"),
    }
}

pub(super) fn initial(tree: Tree) -> Converted<Initial> {
    let at = At(tree.span);
    match tree.kind {
        Kind::Number(number) => Ok(Initial::Number(number, at)),
        Kind::Name(text) => Ok(Initial::Label(Name { text, at })),
        Kind::List(items) => Ok(Initial::List(items.into_iter().map(initial).collect::<Result<_, _>>()?, at)),
        _ => wrong(tree.span, "an initial value is expected"),
    }
}

/// `'label'(p) :: guard => body`.
pub(super) fn action(tree: Tree) -> Converted<Action> {
    let tree = strip(tree);
    let span = tree.span;
    let Kind::Infix(Token::Action, sides) = tree.kind else {
        return wrong(span, "an action is expected, as in `'label' :: (guard) => (body)`");
    };
    let [head, command] = <[Tree; 2]>::try_from(sides).expect("`::` has two sides");
    let head_span = head.span;
    let (name, parameters) = match head.kind {
        Kind::Name(text) => (Name::new(text, head_span), Vec::new()),
        Kind::Apply(text, items) => {
            (Name::new(text, head_span), items.into_iter().map(label).collect::<Result<_, _>>()?)
        }
        _ => return wrong(head_span, "the label of an action is expected"),
    };
    let command_span = command.span;
    let Kind::Infix(Token::Guard, sides) = strip(command).kind else {
        return wrong(command_span, "a guarded command is expected, as in `(guard) => (body)`");
    };
    let [guard, body] = <[Tree; 2]>::try_from(sides).expect("`=>` has two sides");
    Ok(Action { name, parameters, guard: condition(guard)?, body: statement(body)? })
}

fn statement(tree: Tree) -> Converted<Stmt> {
    let tree = strip(tree);
    let span = tree.span;
    match tree.kind {
        Kind::Infix(Token::Comma, parts) => Ok(Stmt::Sequence(statements(parts)?)),
        Kind::Infix(Token::Semicolon, parts) => Ok(Stmt::Choice(statements(parts)?)),
        Kind::Infix(Token::Priority, parts) => Ok(Stmt::Priority(statements(parts)?)),
        Kind::Infix(Token::Guard, sides) => {
            let [guard, body] = <[Tree; 2]>::try_from(sides).expect("`=>` has two sides");
            Ok(Stmt::Guarded { guard: condition(guard)?, body: Box::new(statement(body)?) })
        }
        Kind::Infix(Token::Assign, sides) => {
            let [target, value] = <[Tree; 2]>::try_from(sides).expect("`:=` has two sides");
            let place = target.span;
            match (target.kind, value.kind) {
                (Kind::List(targets), Kind::List(values)) if 2 <= targets.len() && targets.len() == values.len() => {
                    let pairs = targets.into_iter().zip(values);
                    let parts = pairs.map(|(target, value)| assignment(target, value)).collect::<Result<_, _>>()?;
                    Ok(Stmt::Together(parts))
                }
                (Kind::List(_), _) => wrong(place, "as many values as variables are expected, at least two"),
                (target, kind) => assignment(Tree { kind: target, span: place }, Tree { kind, span: value.span }),
            }
        }
        Kind::Apply(word, items) if word == "any" && items.len() == 2 => {
            let [local, body] = <[Tree; 2]>::try_from(items).expect("there are two");
            let (name, kind) = binder(local)?;
            Ok(Stmt::Any { name, kind, body: Box::new(statement(body)?) })
        }
        Kind::Name(name) if name == "skip" => Ok(Stmt::Skip(At(span))),
        _ => wrong(span, "a statement is expected: `x := e`, `skip`, `(guard) => ...` or a group of them"),
    }
}

fn assignment(target: Tree, value: Tree) -> Converted<Stmt> {
    let place = target.span;
    let (target, index) = match target.kind {
        Kind::Name(text) => (Name::new(text, place), None),
        Kind::Index(text, index) => (Name::new(text, place), Some(arithmetic(*index)?)),
        _ => return wrong(place, "a variable is expected on the left of `:=`"),
    };
    Ok(Stmt::Assign { target, index, value: arithmetic(value)? })
}

fn statements(parts: Vec<Tree>) -> Converted<Vec<Stmt>> {
    parts.into_iter().map(statement).collect()
}

/// The do-od block.
pub(super) fn block(tree: Tree) -> Converted<Loop> {
    let tree = strip(tree);
    let blocks = |parts: Vec<Tree>| parts.into_iter().map(block).collect::<Converted<Vec<Loop>>>();
    match tree.kind {
        Kind::Infix(Token::Semicolon, parts) => Ok(Loop::Choice(blocks(parts)?)),
        Kind::Infix(Token::Comma, parts) => Ok(Loop::Sequence(blocks(parts)?)),
        Kind::Infix(Token::Priority, parts) => Ok(Loop::Priority(blocks(parts)?)),
        Kind::Infix(Token::Colon, sides) => {
            let [binders, called] = <[Tree; 2]>::try_from(sides).expect("`:` has two sides");
            let Kind::List(items) = binders.kind else {
                return wrong(binders.span, "a list of binders is expected, as in `[A:t]`");
            };
            let binders = items.into_iter().map(binder).collect::<Result<_, _>>()?;
            call(binders, called)
        }
        kind => call(Vec::new(), Tree { kind, span: tree.span }),
    }
}

fn binder(tree: Tree) -> Converted<(Name, Name)> {
    let Kind::Infix(Token::Colon, sides) = tree.kind else {
        return wrong(tree.span, "a binder is expected, as in `A:t`");
    };
    let [name, kind] = <[Tree; 2]>::try_from(sides).expect("`:` has two sides");
    Ok((label(name)?, label(kind)?))
}

fn call(binders: Vec<(Name, Name)>, tree: Tree) -> Converted<Loop> {
    let tree = strip(tree);
    let span = tree.span;
    let argument = |tree: Tree| match tree.kind {
        Kind::Number(number) => Ok(Argument::Number(number, At(tree.span))),
        Kind::Name(text) => Ok(Argument::Name(Name::new(text, tree.span))),
        _ => wrong(tree.span, "an argument is a number or a binder"),
    };
    match tree.kind {
        Kind::Name(text) => Ok(Loop::Call(Call { binders, action: Name::new(text, span), arguments: Vec::new() })),
        Kind::Apply(text, items) => {
            let arguments = items.into_iter().map(argument).collect::<Result<_, _>>()?;
            Ok(Loop::Call(Call { binders, action: Name::new(text, span), arguments }))
        }
        _ => wrong(span, "a call of an action is expected"),
    }
}

pub(super) fn condition(tree: Tree) -> Converted<Expr> {
    let span = tree.span;
    let kind = match tree.kind {
        Kind::Group(inner) => return condition(*inner),
        Kind::Prefix(Token::Hash, inner) => ExprKind::Not(Box::new(condition(*inner)?)),
        Kind::Name(name) if name == "true" => ExprKind::Truth(true),
        Kind::Name(name) if name == "false" || name == "fail" => ExprKind::Truth(false),
        // A bare name is a flag: it holds where it is 1.
        Kind::Name(name) => {
            let (flag, one) = (Expr::new(ExprKind::Name(name), span), Expr::new(ExprKind::Number(1), span));
            ExprKind::Compare(Comparison::Equal, Box::new(flag), Box::new(one))
        }
        Kind::Infix(operator, parts) => match (comparison(operator), connective(operator)) {
            (Some(comparison), _) => {
                let [left, right] = <[Tree; 2]>::try_from(parts).expect("a comparison has two sides");
                ExprKind::Compare(comparison, Box::new(arithmetic(left)?), Box::new(arithmetic(right)?))
            }
            (None, Some(connective)) => {
                ExprKind::Connect(connective, parts.into_iter().map(condition).collect::<Result<_, _>>()?)
            }
            (None, None) => return wrong(span, "a condition is expected here"),
        },
        _ => return wrong(span, "a condition is expected here, as in `x #= 1`"),
    };
    Ok(Expr::new(kind, span))
}

fn arithmetic(tree: Tree) -> Converted<Expr> {
    let span = tree.span;
    let two = |operator, parts: Vec<Tree>| {
        let [left, right] = <[Tree; 2]>::try_from(parts).expect("two parts");
        Ok::<_, Diagnostic>(ExprKind::Arithmetic(operator, Box::new(arithmetic(left)?), Box::new(arithmetic(right)?)))
    };
    let kind = match tree.kind {
        Kind::Group(inner) => return arithmetic(*inner),
        Kind::Number(number) => ExprKind::Number(number),
        Kind::Name(name) => ExprKind::Name(name),
        Kind::Index(name, index) => ExprKind::Element(Name::new(name, span), Box::new(arithmetic(*index)?)),
        Kind::Prefix(Token::Minus, inner) => ExprKind::Negate(Box::new(arithmetic(*inner)?)),
        Kind::Infix(Token::Plus, parts) => two(ArithmeticOp::Add, parts)?,
        Kind::Infix(Token::Minus, parts) => two(ArithmeticOp::Subtract, parts)?,
        Kind::Infix(Token::Star, parts) => two(ArithmeticOp::Multiply, parts)?,
        Kind::Infix(Token::Slash, parts) => two(ArithmeticOp::Divide, parts)?,
        Kind::Infix(Token::Mod, parts) => two(ArithmeticOp::Modulo, parts)?,
        Kind::Apply(name, parts) if name == "min" && parts.len() == 2 => two(ArithmeticOp::Minimum, parts)?,
        Kind::Apply(name, parts) if name == "max" && parts.len() == 2 => two(ArithmeticOp::Maximum, parts)?,
        Kind::Apply(name, mut parts) if name == "abs" && parts.len() == 1 => {
            ExprKind::Absolute(Box::new(arithmetic(parts.remove(0))?))
        }
        _ => return wrong(span, "a number is expected here"),
    };
    Ok(Expr::new(kind, span))
}

fn comparison(token: Token) -> Option<Comparison> {
    Some(match token {
        Token::Equal => Comparison::Equal,
        Token::Different => Comparison::Different,
        Token::Less => Comparison::Less,
        Token::AtMost => Comparison::AtMost,
        Token::Greater => Comparison::Greater,
        Token::AtLeast => Comparison::AtLeast,
        _ => return None,
    })
}

fn connective(token: Token) -> Option<Connective> {
    Some(match token {
        Token::And => Connective::And,
        Token::Or => Connective::Or,
        Token::Hash => Connective::Xor,
        Token::Implies => Connective::Implies,
        Token::ImpliedBy => Connective::ImpliedBy,
        Token::Iff => Connective::Iff,
        _ => return None,
    })
}
