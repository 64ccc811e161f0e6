//! The Prolog notation of the thesis: facts in any order, one `as` clause, types behind or before their use.
//!
//! Beyond it: arrays (`type(cells, X) :- X in array(0..3, bool).` and `c[i]`), names for values (`names([red, green])` behind
//! the interval), `internal([...])`, `//`, sequences in the do-od block, and `mod`, `abs`, `min`, `max`.

mod convert;
mod lex;
mod tree;

pub(crate) use tree::too_deep;

use std::sync::Arc;

use source::{Diagnostic, Source, Span};

use crate::ast::{At, Initial, Invariant, Model, Name, TypeDeclaration, TypeKind, VariableDeclaration};
use crate::codes;
use convert::{action, initial, label, labels, named, number, range, repeated, strip, within};
use lex::Token;
use tree::{Clause, Kind, Tree, clauses};

/// The syntax tree of a `.pl` text.
///
/// # Errors
/// What is wrong with the text, at least one error.
pub(crate) fn parse(source: &Source) -> Result<Model, Vec<Diagnostic>> {
    let clauses = clauses(source).map_err(|error| vec![error])?;
    let mut facts = Facts::default();
    for clause in clauses {
        if let Err(error) = facts.add(clause) {
            facts.errors.push(error);
        }
    }
    facts.model(source)
}

/// What the clauses said so far.
#[derive(Default)]
struct Facts {
    model: Model,
    depth: Option<Span>,
    declared: Vec<(Name, Name)>,
    state: Option<(Vec<Name>, Span)>,
    init: Option<(Vec<Initial>, Span)>,
    input: Option<Span>,
    internal: Option<Span>,
    system: Option<Span>,
    errors: Vec<Diagnostic>,
}

impl Facts {
    fn add(&mut self, clause: Clause) -> Result<(), Diagnostic> {
        let span = clause.head.span;
        match (clause.head.kind, clause.body) {
            (Kind::Name(name), Some(body)) if name == "as" => {
                repeated(&mut self.system, span, "`as` clause")?;
                self.system(body)
            }
            (Kind::Apply(name, arguments), Some(body)) if name == "type" => self.type_clause(span, arguments, body),
            (Kind::Apply(name, arguments), None) => self.fact(&name, span, arguments),
            _ => Err(Diagnostic::error(&codes::SYNTAX, span, "this is not a fact of a model").help(EXPECTED)),
        }
    }

    fn fact(&mut self, name: &str, span: Span, arguments: Vec<Tree>) -> Result<(), Diagnostic> {
        let count = arguments.len();
        let mut arguments = arguments.into_iter();
        let mut next = || arguments.next().expect("the number of arguments was looked at");
        match (name, count) {
            ("searchDepth", 1) => {
                repeated(&mut self.depth, span, "`searchDepth`")?;
                let depth = number(next())?;
                self.model.depth = Some(
                    u64::try_from(depth)
                        .map_err(|_| Diagnostic::error(&codes::NUMBER, span, "the search depth is negative"))?,
                );
            }
            ("var", 2) => {
                let names = labels(next())?;
                let kind = label(next())?;
                self.declared.extend(names.into_iter().map(|name| (name, kind.clone())));
            }
            ("state_def", 1) => {
                let names = labels(next())?;
                repeated(&mut self.state.as_ref().map(|(_, span)| *span), span, "`state_def`")?;
                self.state = Some((names, span));
            }
            ("init", 1) => {
                repeated(&mut self.init.as_ref().map(|(_, span)| *span), span, "`init`")?;
                let list = next();
                let Kind::List(items) = list.kind else {
                    return Err(Diagnostic::error(&codes::SYNTAX, list.span, "a list of numbers is expected"));
                };
                self.init = Some((items.into_iter().map(initial).collect::<Result<_, _>>()?, span));
            }
            ("input", 1) => {
                repeated(&mut self.input, span, "`input`")?;
                self.model.inputs = Arc::new(labels(next())?);
            }
            ("internal", 1) => {
                repeated(&mut self.internal, span, "`internal`")?;
                self.model.internals = Arc::new(labels(next())?);
            }
            ("invariant", 2) => {
                let name = label(next())?;
                let condition = convert::condition(next())?;
                Arc::make_mut(&mut self.model.invariants).push(Invariant { name, condition });
            }
            _ => {
                let message = format!("unknown fact `{name}` with {count} arguments");
                return Err(Diagnostic::error(&codes::SYNTAX, span, message).help(EXPECTED));
            }
        }
        Ok(())
    }

    /// `type(t, X) :- X in 0..7, labeling([], [X]).`
    fn type_clause(&mut self, span: Span, arguments: Vec<Tree>, body: Tree) -> Result<(), Diagnostic> {
        let [name, variable] = <[Tree; 2]>::try_from(arguments)
            .map_err(|_| Diagnostic::error(&codes::SYNTAX, span, "`type` has two arguments, as in `type(t, X)`"))?;
        let name = label(name)?;
        let variable = label(variable)?;
        let mut kind = None;
        let mut value_names = Vec::new();
        for part in within(Token::Comma, body) {
            let place = part.span;
            match part.kind {
                Kind::Infix(Token::In, sides) => {
                    let [left, right] = <[Tree; 2]>::try_from(sides).expect("`in` has two sides");
                    let left = label(left)?;
                    if left.text != variable.text {
                        let message = format!("this clause is about `{}`", variable.text);
                        return Err(Diagnostic::error(&codes::UNKNOWN_NAME, left.span(), message));
                    }
                    kind = Some(type_kind(strip(right))?);
                }
                Kind::Apply(word, _) if word == "labeling" => {}
                Kind::Apply(word, mut items) if word == "names" && items.len() == 1 => {
                    value_names = labels(items.remove(0))?;
                }
                _ => return Err(Diagnostic::error(&codes::SYNTAX, place, "expected `X in LOW..HIGH` or `labeling`")),
            }
        }
        let mut kind = kind.ok_or_else(|| Diagnostic::error(&codes::SYNTAX, span, "the type has no interval"))?;
        if let TypeKind::Interval { labels, .. } = &mut kind {
            *labels = value_names;
        }
        Arc::make_mut(&mut self.model.types).push(TypeDeclaration { name, kind });
        Ok(())
    }

    fn system(&mut self, body: Tree) -> Result<(), Diagnostic> {
        for part in within(Token::Comma, body) {
            let span = part.span;
            match part.kind {
                Kind::Apply(word, items) if word == "methods" || word == "qdes" => nothing(&word, span, items)?,
                Kind::Apply(word, items) if word == "actions" => {
                    for item in items {
                        match action(item) {
                            Ok(action) => self.model.actions.push(Arc::new(action)),
                            Err(error) => self.errors.push(error),
                        }
                    }
                }
                Kind::Apply(word, items) if word == "dood" => {
                    if items.is_empty() {
                        return Err(Diagnostic::error(&codes::MISSING, span, "the do-od block calls no action"));
                    }
                    for block in items {
                        self.model.body = Some(Arc::new(convert::block(block)?));
                    }
                }
                _ => {
                    let message = "expected `methods`, `actions`, `dood` or `qdes`";
                    return Err(Diagnostic::error(&codes::SYNTAX, span, message));
                }
            }
        }
        Ok(())
    }

    fn model(mut self, source: &Source) -> Result<Model, Vec<Diagnostic>> {
        let end = Span::new(source.text().len(), source.text().len());
        let missing = |what: &str| Diagnostic::error(&codes::MISSING, end, format!("the model has no {what}"));
        if self.system.is_none() {
            self.errors.push(missing("`as` clause"));
        }
        let Some((state, state_span)) = self.state.take() else {
            self.errors.push(missing("`state_def`"));
            return Err(self.errors);
        };
        let Some((init, init_span)) = self.init.take() else {
            self.errors.push(missing("`init`"));
            return Err(self.errors);
        };
        if init.len() != state.len() {
            let message = format!("{} initial values for {} variables", init.len(), state.len());
            self.errors.push(Diagnostic::error(&codes::ARITY, init_span, message).also(state_span, "the variables"));
        }
        for (index, (name, _)) in self.declared.iter().enumerate() {
            if let Some((first, _)) = self.declared[..index].iter().find(|(other, _)| other.text == name.text) {
                let message = format!("the variable `{}` is declared twice", name.text);
                let error = Diagnostic::error(&codes::DUPLICATE_NAME, name.span(), message);
                self.errors.push(error.also(first.span(), "first here"));
            } else if !state.iter().any(|other| other.text == name.text) {
                let message = format!("the variable `{}` is not in `state_def`", name.text);
                self.errors.push(Diagnostic::error(&codes::UNKNOWN_NAME, name.span(), message));
            }
        }
        for (name, initial) in state.into_iter().zip(init) {
            match self.declared.iter().find(|(other, _)| other.text == name.text) {
                Some((_, kind)) => {
                    let variable = VariableDeclaration { name, kind: kind.clone(), initial };
                    Arc::make_mut(&mut self.model.variables).push(variable);
                }
                None => {
                    let message = format!("the variable `{}` has no `var` fact", name.text);
                    self.errors.push(Diagnostic::error(&codes::UNKNOWN_NAME, name.span(), message));
                }
            }
        }
        if self.errors.is_empty() { Ok(self.model) } else { Err(self.errors) }
    }
}

const EXPECTED: &str = "The facts are searchDepth(N), var([x], t), state_def([x]), init([0]), input([...]), internal([...]), invariant(n, (x #= 0)), the clauses `type(t, X) :- \
     X in 0..7.` and `as :- methods(none), actions(...), dood(...), qdes(none).`";

/// `0..7` or `array(0..3, t)`.
fn type_kind(tree: Tree) -> Result<TypeKind, Diagnostic> {
    let span = tree.span;
    match tree.kind {
        Kind::Infix(Token::Range, sides) => {
            let (low, high) = range(sides)?;
            Ok(TypeKind::Interval { low, high, labels: Vec::new() })
        }
        Kind::Apply(word, items) if word == "array" && items.len() == 2 => {
            let [bounds, element] = <[Tree; 2]>::try_from(items).expect("there are two");
            let Kind::Infix(Token::Range, sides) = bounds.kind else {
                return Err(Diagnostic::error(&codes::SYNTAX, bounds.span, "expected `LOW..HIGH`"));
            };
            let (low, high) = range(sides)?;
            Ok(TypeKind::Array { low, high, element: label(element)? })
        }
        _ => Err(Diagnostic::error(&codes::SYNTAX, span, "expected `LOW..HIGH` or `array(LOW..HIGH, type)`")),
    }
}

/// `methods(none)`.
fn nothing(word: &str, span: Span, mut items: Vec<Tree>) -> Result<(), Diagnostic> {
    let none = items.len() == 1 && named(&strip(items.remove(0))) == Some("none");
    let message = format!("`{word}` other than `none` is not supported");
    if none { Ok(()) } else { Err(Diagnostic::error(&codes::UNSUPPORTED, span, message)) }
}

impl From<Span> for At {
    fn from(span: Span) -> At {
        At(span)
    }
}
