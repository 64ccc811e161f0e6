//! Records and machines: variables with fields, and variables and actions that exist several times.
//!
//! Both are written with what there is already. A field of a record is a variable called `record.field`. The variables of
//! a machine are arrays with a cell for each instance, and its actions have the number of the instance as their first parameter.

use std::sync::Arc;

use source::Diagnostic;

use super::lex::Token;
use super::{Parsed, Parser};
use crate::ast::{
    Action, Argument, Call, Expr, ExprKind, Initial, Loop, Name, TypeDeclaration, TypeKind, VariableDeclaration,
};
use crate::codes;

/// A record type, or an array of records.
pub(super) struct Record {
    name: Name,
    /// The names and types of the fields.
    fields: Vec<(Name, Name)>,
    /// The first and the last index of an array.
    cells: Option<(i64, i64)>,
}

/// A machine that was read.
pub(super) struct Machine {
    name: Name,
    actions: Vec<Name>,
}

/// The machine whose parts are being read.
pub(super) struct Inside {
    machine: Name,
    /// The name of the instance.
    id: Name,
    /// The first and the last instance.
    range: (i64, i64),
    variables: Vec<String>,
    actions: Vec<Name>,
}

impl Parser<'_> {
    /// `record { x: T, y: S }`.
    pub(super) fn record(&mut self, name: Name) -> Parsed<()> {
        self.bump();
        self.expect(Token::OpenBrace, "`{`")?;
        let mut fields: Vec<(Name, Name)> = Vec::new();
        loop {
            let field = self.name("the name of a field")?;
            if fields.iter().any(|(other, _)| other.text == field.text) {
                let message = format!("a second field `{}`", field.text);
                return Err(Diagnostic::error(&codes::DUPLICATE_NAME, field.span(), message));
            }
            self.expect(Token::Colon, "`:` and a type")?;
            fields.push((field, self.name("a type")?));
            if !self.accept(Token::Comma) {
                break;
            }
        }
        self.expect(Token::CloseBrace, "`,` or `}`")?;
        self.records.push(Record { name, fields, cells: None });
        self.end_of_item()
    }

    /// An array of records; none where the element is not a record.
    pub(super) fn array_of_records(&mut self, name: &Name, cells: (i64, i64), element: &Name) -> Option<Parsed<()>> {
        let record = self.records.iter().find(|record| record.name.text == element.text && record.cells.is_none())?;
        let fields = record.fields.clone();
        self.records.push(Record { name: name.clone(), fields, cells: Some(cells) });
        Some(self.end_of_item())
    }

    /// Declares a variable; one of a record type is one for each field.
    pub(super) fn declare(&mut self, name: Name, kind: &Name, initial: &Initial) -> Parsed<()> {
        let Some(place) = self.records.iter().position(|record| record.name.text == kind.text) else {
            self.declare_plain(name, kind.clone(), initial.clone());
            return Ok(());
        };
        let (fields, cells) = (self.records[place].fields.clone(), self.records[place].cells);
        let each: Vec<Initial> = match initial {
            Initial::List(items, at) if items.len() != fields.len() => {
                let message = format!("{} initial values for {} fields", items.len(), fields.len());
                return Err(Diagnostic::error(&codes::ARITY, at.0, message));
            }
            Initial::List(items, _) => items.clone(),
            Initial::Number(..) | Initial::Label(_) => vec![initial.clone(); fields.len()],
        };
        for ((field, field_kind), initial) in fields.into_iter().zip(each) {
            let called = Name { text: format!("{}.{}", name.text, field.text), at: name.at };
            let field_kind = match cells {
                Some(cells) => self.array_type(&kind.text, cells, &field_kind),
                None => field_kind,
            };
            self.declare_plain(called, field_kind, initial);
        }
        Ok(())
    }

    /// Declares a variable of an interval or an array; inside of a machine, one for each instance.
    fn declare_plain(&mut self, name: Name, kind: Name, initial: Initial) {
        let kind = match &mut self.inside {
            Some(inside) => {
                inside.variables.push(name.text.clone());
                let (machine, range) = (inside.machine.text.clone(), inside.range);
                self.array_type(&machine, range, &kind)
            }
            None => kind,
        };
        Arc::make_mut(&mut self.model.variables).push(VariableDeclaration { name, kind, initial });
    }

    /// The type of arrays of these cells, declared when it is first needed.
    fn array_type(&mut self, prefix: &str, (low, high): (i64, i64), element: &Name) -> Name {
        let name = Name { text: format!("{prefix}.{}", element.text), at: element.at };
        if !self.model.types.iter().any(|declared| declared.name.text == name.text) {
            let kind = TypeKind::Array { low, high, element: element.clone() };
            Arc::make_mut(&mut self.model.types).push(TypeDeclaration { name: name.clone(), kind });
        }
        name
    }

    /// A name with its fields: `p.x`.
    pub(super) fn dotted(&mut self, mut name: Name) -> Parsed<Name> {
        while self.accept(Token::Dot) {
            let field = self.name("the name of a field")?;
            name = Name::new(format!("{}.{}", name.text, field.text), name.span().join(field.span()));
        }
        Ok(name)
    }

    /// The instance whose variable this is, where it is one of the machine at hand.
    pub(super) fn instance_of(&self, name: &str) -> Option<Expr> {
        let inside = self.inside.as_ref().filter(|inside| inside.variables.iter().any(|own| own == name))?;
        Some(Expr::new(ExprKind::Name(inside.id.text.clone()), inside.id.span()))
    }

    /// `machine Door(id: 0..N) { var …; action … }`.
    pub(super) fn machine(&mut self) -> Parsed<()> {
        let span = self.bump();
        if self.inside.is_some() {
            return Err(Diagnostic::error(&codes::SYNTAX, span, "a machine has no machines inside"));
        }
        let machine = self.name("the name of a machine")?;
        self.expect(Token::Open, "`(` and a name for the instance")?;
        let id = self.name("a name for the instance")?;
        self.expect(Token::Colon, "`:` and a range")?;
        let range = self.range()?;
        self.expect(Token::Close, "`)`")?;
        self.expect(Token::OpenBrace, "`{`")?;
        let kind = TypeKind::Interval { low: range.0, high: range.1, labels: Vec::new() };
        Arc::make_mut(&mut self.model.types).push(TypeDeclaration { name: machine.clone(), kind });
        let (variables, actions) = (Vec::new(), Vec::new());
        self.inside = Some(Inside { machine: machine.clone(), id, range, variables, actions });
        while self.token() != Token::CloseBrace {
            match self.token() {
                Token::Var | Token::Action | Token::Input | Token::Internal => self.item()?,
                _ => return Err(self.unexpected("`var`, `action`, `input`, `internal` or `}`")),
            }
        }
        self.bump();
        let actions = self.inside.take().map(|inside| inside.actions).unwrap_or_default();
        self.machines.push(Machine { name: machine, actions });
        Ok(())
    }

    /// Adds an action; inside of a machine, with the instance as its first parameter.
    pub(super) fn add_action(&mut self, mut action: Action) {
        if let Some(inside) = &mut self.inside {
            action.parameters.insert(0, inside.id.clone());
            inside.actions.push(action.name.clone());
        }
        self.model.actions.push(Arc::new(action));
    }

    /// Whether the next word is the name of a machine.
    pub(super) fn names_machine(&self) -> bool {
        let word = self.source.slice(self.span());
        self.machines.iter().any(|machine| machine.name.text == word)
    }

    /// All actions of a machine, each for every instance; none where no machine has this name.
    pub(super) fn all_of(&self, name: &Name) -> Option<Parsed<Loop>> {
        let machine = self.machines.iter().find(|machine| machine.name.text == name.text)?;
        let mut calls = Vec::new();
        for action in &machine.actions {
            if self.model.action(&action.text).is_some_and(|action| action.parameters.len() != 1) {
                let message = format!("`{}` has further parameters", action.text);
                let error = Diagnostic::error(&codes::ARITY, name.span(), message);
                let help = format!(
                    "Call the actions of the machine one by one: `{}(I, P) for I: {}, P: …`.",
                    action.text, name.text
                );
                return Some(Err(error.help(help)));
            }
            let binder = Name { text: "I".to_owned(), at: name.at };
            let arguments = vec![Argument::Name(binder.clone())];
            let called = Name { text: action.text.clone(), at: name.at };
            calls.push(Loop::Call(Call { binders: vec![(binder, name.clone())], action: called, arguments }));
        }
        let nothing = || Diagnostic::error(&codes::MISSING, name.span(), "this machine has no action");
        Some(match calls.len() {
            0 => Err(nothing()),
            1 => Ok(calls.remove(0)),
            _ => Ok(Loop::Choice(calls)),
        })
    }
}
