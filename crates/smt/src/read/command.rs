//! Commands.

use std::rc::Rc;

use source::{SExpr, SExprKind, SExprs};
use value::{EnumValue, Sort, Value};

use super::environment::{Environment, Meaning, SortMeaning};
use super::term::{Context, index};
use super::{Command, ReadError, Script, apply, sort, term};
use crate::{SortId, Term, Terms};

/// More open scopes than anyone writes.
const DEEPEST: usize = 100_000;

/// Reads the commands of one text.
pub(super) struct Reader<'a> {
    terms: &'a mut Terms,
    text: &'a str,
    read: &'a SExprs,
    environment: Environment,
    script: Script,
}

impl<'a> Reader<'a> {
    pub(super) fn new(terms: &'a mut Terms, text: &'a str, read: &'a SExprs) -> Reader<'a> {
        Reader { terms, text, read, environment: Environment::default(), script: Script::default() }
    }

    pub(super) fn script(mut self) -> Result<Script, ReadError> {
        for &root in self.read.roots() {
            self.command(root)?;
            if let Some((_, Command::Exit)) = self.script.commands.last() {
                break;
            }
        }
        Ok(self.script)
    }

    fn command(&mut self, node: SExpr) -> Result<(), ReadError> {
        let read = self.read;
        let items = read.list(node).unwrap_or_default();
        let Some(name) = items.first().and_then(|&head| read.symbol(self.text, head)) else {
            return Err(self.problem(node, "a command is expected"));
        };
        let command = match (name, &items[1..]) {
            ("set-logic", &[logic]) => Command::Logic(self.name(logic)?.to_owned()),
            (
                "set-info"
                | "set-option"
                | "get-model"
                | "get-unsat-core"
                | "get-unsat-assumptions"
                | "get-info"
                | "get-option"
                | "get-proof"
                | "get-assertions"
                | "get-assignment"
                | "echo",
                _,
            ) => Command::Other(name.to_owned()),
            ("declare-const", &[symbol, sort]) => Command::Declare(self.declare(symbol, sort)?),
            ("declare-fun", &[symbol, parameters, sort]) => {
                if read.list(parameters) != Some(&[]) {
                    return Err(self.problem(parameters, "functions with parameters are not supported"));
                }
                Command::Declare(self.declare(symbol, sort)?)
            }
            ("define-fun", &[symbol, parameters, sort, body]) => {
                return self.define(node, symbol, read.list(parameters).unwrap_or_default(), sort, body);
            }
            ("define-const", &[symbol, sort, body]) => return self.define(node, symbol, &[], sort, body),
            ("define-sort", &[symbol, parameters, body]) => return self.define_sort(symbol, parameters, body),
            ("declare-datatype", &[symbol, constructors]) => return self.enumeration(node, symbol, constructors),
            ("declare-datatypes", &[symbols, constructors]) => {
                return self.enumerations(node, symbols, constructors);
            }
            ("assert", &[fact]) => Command::Assert(self.truth(fact)?),
            ("push", counts @ ([] | [_])) => Command::Push(self.push(node, counts.first())?),
            ("pop", counts @ ([] | [_])) => Command::Pop(self.pop(node, counts.first())?),
            ("check-sat", &[]) => Command::Check { assumptions: Vec::new() },
            ("check-sat-assuming", &[list]) => {
                let literals = read.list(list).unwrap_or_default();
                let assumptions = literals.iter().map(|&literal| self.truth(literal)).collect::<Result<_, _>>()?;
                Command::Check { assumptions }
            }
            ("get-value", &[list]) => {
                let wanted = read.list(list).unwrap_or_default();
                Command::Values(wanted.iter().map(|&term| self.term(term)).collect::<Result<_, _>>()?)
            }
            ("exit", &[]) => Command::Exit,
            (
                "declare-const" | "declare-fun" | "define-fun" | "define-const" | "define-sort" | "declare-datatype"
                | "declare-datatypes" | "assert" | "push" | "pop" | "check-sat" | "check-sat-assuming" | "get-value"
                | "set-logic" | "exit",
                _,
            ) => return Err(self.problem(node, format!("this is not how `{name}` is written"))),
            _ => return Err(self.problem(node, format!("the command `{name}` is not supported"))),
        };
        self.script.commands.push((read.span(node), command));
        Ok(())
    }

    fn context(&mut self) -> Context<'_> {
        Context { terms: self.terms, text: self.text, read: self.read, environment: &mut self.environment }
    }

    fn term(&mut self, node: SExpr) -> Result<Term, ReadError> {
        let term = term::read(&mut self.context(), node)?;
        for (name, named) in std::mem::take(&mut self.environment.named) {
            if self.environment.term(&name).is_some() {
                return Err(self.problem(node, format!("`{name}` is already declared")));
            }
            self.environment.bind_term(&name, named);
        }
        Ok(term)
    }

    fn truth(&mut self, node: SExpr) -> Result<Term, ReadError> {
        let term = self.term(node)?;
        if self.terms.sort_id(term) == SortId::BOOL {
            Ok(term)
        } else {
            Err(self.problem(node, "a truth value is expected"))
        }
    }

    fn name(&self, node: SExpr) -> Result<&'a str, ReadError> {
        self.read.symbol(self.text, node).ok_or_else(|| self.problem(node, "a name is expected"))
    }

    fn new_name(&self, node: SExpr) -> Result<&'a str, ReadError> {
        let name = self.name(node)?;
        match self.environment.term(name) {
            Some(_) => Err(self.problem(node, format!("`{name}` is already declared"))),
            None => Ok(name),
        }
    }

    fn declare(&mut self, symbol: SExpr, sort: SExpr) -> Result<Term, ReadError> {
        let name = self.new_name(symbol)?;
        let sort = sort::read(&mut self.context(), sort)?;
        let term = self.terms.symbol(name, &sort);
        self.environment.bind_term(name, term);
        Ok(term)
    }

    fn define(
        &mut self,
        node: SExpr,
        symbol: SExpr,
        parameters: &[SExpr],
        sort: SExpr,
        body: SExpr,
    ) -> Result<(), ReadError> {
        let name = self.new_name(symbol)?;
        let sort = sort::read(&mut self.context(), sort)?;
        let mut symbols = Vec::new();
        for &parameter in parameters {
            let Some(&[parameter, sort]) = self.read.list(parameter) else {
                return Err(self.problem(parameter, "a parameter `(name sort)` is expected"));
            };
            let (parameter, sort) = (self.name(parameter)?, sort::read(&mut self.context(), sort)?);
            let symbol = self.terms.fresh(parameter, &sort);
            self.environment.bind_term(parameter, symbol);
            symbols.push(symbol);
        }
        let body = term::read(&mut self.context(), body)?;
        self.environment.unbind(symbols.len());
        let body = apply::coerced(self.terms, body, &sort);
        if *self.terms.sort(body) != sort {
            return Err(self.problem(node, format!("the body is no {sort}")));
        }
        self.environment.bind(
            name,
            match symbols.is_empty() {
                true => Meaning::Term(body),
                false => Meaning::Macro { parameters: symbols.into(), body },
            },
        );
        Ok(())
    }

    fn define_sort(&mut self, symbol: SExpr, parameters: SExpr, body: SExpr) -> Result<(), ReadError> {
        let name = self.new_sort(symbol)?;
        let parameters = self.read.list(parameters).unwrap_or_default();
        let meaning = if parameters.is_empty() {
            SortMeaning::Sort(sort::read(&mut self.context(), body)?)
        } else {
            let names: Result<Rc<[Box<str>]>, _> =
                parameters.iter().map(|&name| self.name(name).map(Box::from)).collect();
            SortMeaning::Macro { parameters: names?, body }
        };
        self.environment.bind_sort(name, meaning);
        Ok(())
    }

    fn new_sort(&self, node: SExpr) -> Result<&'a str, ReadError> {
        let name = self.name(node)?;
        match self.environment.sort(name) {
            Some(_) => Err(self.problem(node, format!("the sort `{name}` is already declared"))),
            None => Ok(name),
        }
    }

    fn enumerations(&mut self, node: SExpr, symbols: SExpr, constructors: SExpr) -> Result<(), ReadError> {
        let read = self.read;
        let (symbols, lists) = (read.list(symbols).unwrap_or_default(), read.list(constructors).unwrap_or_default());
        if symbols.is_empty() || symbols.len() != lists.len() {
            return Err(self.problem(node, "`((Name 0) …)` and as many lists of constructors are expected"));
        }
        for (&symbol, &constructors) in symbols.iter().zip(lists) {
            match read.list(symbol) {
                Some(&[name, arity]) if read.text(self.text, arity) == "0" => {
                    self.enumeration(node, name, constructors)?
                }
                _ => return Err(self.problem(symbol, "only enumerations are supported: `(Name 0)`")),
            }
        }
        Ok(())
    }

    fn enumeration(&mut self, node: SExpr, symbol: SExpr, constructors: SExpr) -> Result<(), ReadError> {
        let name = self.new_sort(symbol)?;
        let mut variants: Vec<String> = Vec::new();
        for &constructor in self.read.list(constructors).unwrap_or_default() {
            let variant = match (self.read.kind(constructor), self.read.list(constructor)) {
                (SExprKind::Symbol | SExprKind::QuotedSymbol, _) => constructor,
                (_, Some(&[only])) => only,
                _ => {
                    return Err(
                        self.problem(constructor, "only enumerations are supported: constructors without fields")
                    );
                }
            };
            variants.push(self.new_name(variant)?.to_owned());
        }
        if variants.is_empty() {
            return Err(self.problem(node, "an enumeration has at least one constructor"));
        }
        let sort = Sort::enumeration(name, variants.clone());
        if 30_000 < self.terms.sort_count() {
            return Err(self.problem(node, "there are more sorts than we can hold"));
        }
        self.environment.bind_sort(name, SortMeaning::Sort(sort.clone()));
        let Sort::Enum(sort) = sort else { unreachable!("an enumeration was just made") };
        for (index, variant) in variants.iter().enumerate() {
            if self.environment.term(variant).is_some() {
                return Err(self.problem(node, format!("`{variant}` is declared twice")));
            }
            let value = Value::Enum(EnumValue { sort: sort.clone(), index: index as u32 });
            let term = self.terms.constant(value);
            self.environment.bind_term(variant, term);
        }
        Ok(())
    }

    fn push(&mut self, node: SExpr, count: Option<&SExpr>) -> Result<u32, ReadError> {
        let count = self.count(count)?;
        if DEEPEST < self.environment.depth() + count as usize {
            return Err(self.problem(node, "there are too many open scopes"));
        }
        (0..count).for_each(|_| self.environment.push());
        Ok(count)
    }

    fn pop(&mut self, node: SExpr, count: Option<&SExpr>) -> Result<u32, ReadError> {
        let count = self.count(count)?;
        if self.environment.depth() < count as usize {
            return Err(self.problem(node, "no scope is open"));
        }
        (0..count).for_each(|_| self.environment.pop());
        Ok(count)
    }

    fn count(&mut self, count: Option<&SExpr>) -> Result<u32, ReadError> {
        match count {
            None => Ok(1),
            Some(&count) => index(&self.context(), count),
        }
    }

    fn problem(&self, node: SExpr, message: impl Into<String>) -> ReadError {
        ReadError { span: self.read.span(node), message: message.into() }
    }
}
