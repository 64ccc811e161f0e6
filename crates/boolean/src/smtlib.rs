//! Reads an SMT-LIB 2 script as a specification: declarations, definitions and assertions, one of which is the decision.

mod apply;
mod sort;
mod term;

use rustc_hash::FxHashMap;
use source::{Diagnostic, SExpr, SExprs, Source, Span};
use value::{Sort, Value};

use crate::assemble::{Pieces, assemble};
use crate::build::{Builder, ShapeId};
use crate::check::Errors;
use crate::load::{Loaded, unknown_decision};
use crate::unfold::{NODE_LIMIT, on_one_line};
use crate::{Variable, VariableId, codes};

/// Commands that say nothing about the decision.
const IGNORED: [&str; 16] = [
    "set-logic",
    "set-info",
    "set-option",
    "check-sat",
    "check-sat-assuming",
    "get-model",
    "get-value",
    "get-assignment",
    "get-info",
    "get-option",
    "get-proof",
    "get-unsat-core",
    "get-unsat-assumptions",
    "get-assertions",
    "get-objectives",
    "echo",
];

/// The specification of a script. The decision is what `decision` names, an assertion or a Boolean definition; without it
/// the definition called `decision`, or else the last assertion.
pub(crate) fn load(source: &Source, decision: Option<&str>) -> Loaded {
    let text = source.text();
    let read = SExprs::read(text)
        .map_err(|error| vec![Diagnostic::error(&codes::SYNTAX, error.span, error.message.clone())])?;
    if read.roots().is_empty() {
        let message = "the script holds no command";
        return Err(vec![Diagnostic::error(&codes::EMPTY, Span::new(0, 0), message)]);
    }
    let mut script = Script::new(source, &read);
    let mut errors = Errors::default();
    for &command in read.roots() {
        match script.command(command) {
            Ok(true) => {}
            Ok(false) => break,
            Err(None) => {}
            Err(Some(diagnostic)) => errors.push(*diagnostic),
        }
        if errors.is_full() {
            break;
        }
    }
    if !errors.is_empty() {
        return Err(errors.into_vec());
    }
    script.finish(decision)
}

/// Why a command was not read: a diagnostic, or nothing where it was reported before.
type Fault = Option<Box<Diagnostic>>;

fn fault<T>(diagnostic: Diagnostic) -> Result<T, Fault> {
    Err(Some(Box::new(diagnostic)))
}

fn syntax<T>(span: Span, message: &str) -> Result<T, Fault> {
    fault(Diagnostic::error(&codes::SYNTAX, span, message))
}

fn unsupported<T>(span: Span, what: &str) -> Result<T, Fault> {
    fault(Diagnostic::error(&codes::UNSUPPORTED, span, format!("{what} are not supported")))
}

/// What a symbol stands for.
#[derive(Clone)]
enum Symbol {
    Variable(VariableId),
    /// A definition without parameters, or a named term.
    Shape(ShapeId),
    Function(usize),
    Variant(Value),
    /// A definition that was not read; reported already.
    Broken,
}

struct Function<'a> {
    params: Vec<(&'a str, Sort)>,
    result: Sort,
    body: SExpr,
}

struct Assertion {
    name: Option<String>,
    shape: ShapeId,
    span: Span,
}

struct Script<'a> {
    source: &'a Source,
    text: &'a str,
    read: &'a SExprs,
    builder: Builder,
    variables: Vec<Variable>,
    symbols: FxHashMap<&'a str, Symbol>,
    /// Every symbol in order of declaration, for suggestions.
    spoken: Vec<&'a str>,
    sorts: FxHashMap<&'a str, Sort>,
    functions: Vec<Function<'a>>,
    calls: FxHashMap<(usize, Vec<ShapeId>), ShapeId>,
    /// Terms read in calls.
    unfolded: usize,
    /// Boolean definitions and named terms that can be the decision.
    definitions: Vec<(&'a str, ShapeId, Span)>,
    assertions: Vec<Assertion>,
}

impl<'a> Script<'a> {
    fn new(source: &'a Source, read: &'a SExprs) -> Script<'a> {
        Script {
            source,
            text: source.text(),
            read,
            builder: Builder::default(),
            variables: Vec::new(),
            symbols: FxHashMap::default(),
            spoken: Vec::new(),
            sorts: FxHashMap::default(),
            functions: Vec::new(),
            calls: FxHashMap::default(),
            unfolded: 0,
            definitions: Vec::new(),
            assertions: Vec::new(),
        }
    }

    /// Reads a command; false at the end of the script.
    fn command(&mut self, command: SExpr) -> Result<bool, Fault> {
        let span = self.read.span(command);
        let parts = self.read.list(command).filter(|parts| !parts.is_empty());
        let Some((head, rest)) = parts.and_then(|parts| parts.split_first()) else {
            return syntax(span, "expected a command in parentheses");
        };
        let Some(name) = self.read.symbol(self.text, *head) else {
            return syntax(self.read.span(*head), "expected the name of a command");
        };
        match (name, rest) {
            ("exit", _) => return Ok(false),
            ("declare-const", [name, sort]) => self.declare(*name, *sort)?,
            ("declare-fun", [name, params, sort]) => match self.read.list(*params) {
                Some([]) => self.declare(*name, *sort)?,
                Some(_) => return unsupported(span, "uninterpreted functions"),
                None => return syntax(self.read.span(*params), "expected a list of sorts"),
            },
            ("define-const", [name, sort, body]) => self.define(*name, &[], *sort, *body, span)?,
            ("define-fun", [name, params, sort, body]) => {
                let Some(params) = self.read.list(*params) else {
                    return syntax(self.read.span(*params), "expected a list of parameters");
                };
                self.define(*name, params, *sort, *body, span)?;
            }
            ("define-sort", [name, params, sort]) => self.define_sort(*name, *params, *sort)?,
            ("declare-datatype", [name, constructors]) => self.datatype(*name, *constructors)?,
            ("declare-datatypes", [names, bodies]) => self.datatypes(*names, *bodies)?,
            ("assert", [body]) => self.assertion(*body)?,
            ("declare-sort", _) => return unsupported(span, "uninterpreted sorts"),
            ("define-fun-rec" | "define-funs-rec", _) => return unsupported(span, "recursive functions"),
            ("push" | "pop" | "reset" | "reset-assertions", _) => return unsupported(span, "several assertion levels"),
            ("minimize" | "maximize" | "assert-soft", _) => return unsupported(span, "optimisation goals"),
            (ignored, _) if IGNORED.contains(&ignored) => {}
            (
                "declare-const" | "declare-fun" | "define-const" | "define-fun" | "define-sort" | "declare-datatype"
                | "declare-datatypes" | "assert",
                _,
            ) => return syntax(span, &format!("`{name}` has the wrong number of parts")),
            _ => {
                let message = format!("the command `{name}` is not supported");
                return fault(Diagnostic::error(&codes::UNSUPPORTED, span, message));
            }
        }
        Ok(true)
    }

    fn name(&self, node: SExpr) -> Result<&'a str, Fault> {
        match self.read.symbol(self.text, node) {
            Some(name) => Ok(name),
            None => syntax(self.read.span(node), "expected a symbol"),
        }
    }

    /// Takes a new name.
    fn claim(&mut self, node: SExpr) -> Result<&'a str, Fault> {
        let name = self.name(node)?;
        if self.symbols.contains_key(name) {
            let message = format!("`{name}` is declared twice");
            return fault(Diagnostic::error(&codes::DUPLICATE_NAME, self.read.span(node), message));
        }
        self.spoken.push(name);
        self.symbols.insert(name, Symbol::Broken);
        Ok(name)
    }

    fn declare(&mut self, node: SExpr, sort: SExpr) -> Result<(), Fault> {
        let name = self.claim(node)?;
        let sort = self.sort(sort)?;
        let id = VariableId(self.variables.len() as u32);
        let span = self.read.span(node);
        self.variables.push(Variable { name: name.to_owned(), sort, range: None, span });
        self.symbols.insert(name, Symbol::Variable(id));
        Ok(())
    }

    fn define(&mut self, node: SExpr, params: &[SExpr], sort: SExpr, body: SExpr, span: Span) -> Result<(), Fault> {
        let name = self.claim(node)?;
        let result = self.sort(sort)?;
        if params.is_empty() {
            let shape = self.term(body)?;
            let shape = self.fitting(shape, &result, self.read.span(body))?;
            self.name_shape(name, shape, span);
            return Ok(());
        }
        let mut described = Vec::new();
        for &param in params {
            let Some([param_name, param_sort]) = self.read.list(param) else {
                return syntax(self.read.span(param), "expected a parameter and its sort: `(x Int)`");
            };
            described.push((self.name(*param_name)?, self.sort(*param_sort)?));
        }
        let function = self.functions.len();
        let dummies: Vec<Sort> = described.iter().map(|(_, sort)| sort.clone()).collect();
        self.functions.push(Function { params: described, result, body });
        // Tried once with plain arguments, so that its errors are found even where nothing calls it.
        let args = dummies.iter().map(|sort| self.builder.literal(Value::default_of(sort), span)).collect();
        self.call_directly(function, args)?;
        self.symbols.insert(name, Symbol::Function(function));
        Ok(())
    }

    /// Lets a name stand for a term.
    fn name_shape(&mut self, name: &'a str, shape: ShapeId, span: Span) {
        self.symbols.insert(name, Symbol::Shape(shape));
        if *self.builder.sort(shape) == Sort::Bool {
            self.definitions.push((name, shape, span));
        }
    }

    fn assertion(&mut self, body: SExpr) -> Result<(), Fault> {
        let before = self.definitions.len();
        let shape = self.term(body)?;
        let shape = self.fitting(shape, &Sort::Bool, self.read.span(body))?;
        // `(! φ :named n)` has just named the whole of it.
        let named = self.definitions[before..].iter().find(|(_, named, _)| *named == shape);
        let name = named.map(|(name, _, _)| (*name).to_owned());
        self.assertions.push(Assertion { name, shape, span: self.read.span(body) });
        Ok(())
    }

    /// The term as one of the sort that is declared for it.
    fn fitting(&mut self, shape: ShapeId, sort: &Sort, span: Span) -> Result<ShapeId, Fault> {
        let given = self.builder.sort(shape).clone();
        match self.builder.coerce(shape, sort, false) {
            Ok(shape) => Ok(shape),
            Err(_) => {
                let message = format!("expected a term of sort {sort}, but this is of sort {given}");
                fault(Diagnostic::error(&codes::SORT_MISMATCH, span, message))
            }
        }
    }

    fn finish(self, wanted: Option<&str>) -> Loaded {
        let limit = NODE_LIMIT.max(self.text.len());
        let default = self.definitions.iter().find(|(name, ..)| *name == "decision");
        let usual = match (default, self.assertions.last()) {
            (Some((name, shape, span)), _) => Some((name.to_string(), *shape, *span)),
            (None, Some(last)) => {
                Some((last.name.clone().unwrap_or_else(|| "decision".to_owned()), last.shape, last.span))
            }
            (None, None) => None,
        };
        let chosen = match wanted {
            Some(wanted) => {
                let found = self.definitions.iter().find(|(name, ..)| *name == wanted);
                let found = found.map(|(name, shape, span)| (name.to_string(), *shape, *span));
                // What a suite calls the decision names it again.
                let Some(found) = found.or_else(|| usual.filter(|(name, ..)| name == wanted)) else {
                    let names = self.definitions.iter().map(|(name, ..)| *name);
                    return Err(vec![unknown_decision(wanted, names)]);
                };
                found
            }
            None => match usual {
                Some(usual) => usual,
                None => {
                    let end = Span::new(self.text.len(), self.text.len());
                    let error = Diagnostic::error(&codes::NO_DECISION, end, "the script asserts nothing");
                    return Err(vec![error.help("Add `(assert …)`, or define `(define-fun decision () Bool …)`.")]);
                }
            },
        };
        let mut pieces = Pieces::new(self.variables, limit);
        for assertion in &self.assertions {
            // The decision itself is not assumed, and neither is an assertion that only repeats it.
            if self.builder.expr(assertion.shape) != self.builder.expr(chosen.1) {
                let label = assertion.name.clone();
                let label = label.unwrap_or_else(|| on_one_line(self.source.slice(assertion.span)));
                pieces.assumptions.push((label, assertion.shape, assertion.span));
            }
        }
        pieces.decisions.push(chosen);
        assemble(self.source, self.builder, pieces)
    }
}
