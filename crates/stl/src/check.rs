//! From the syntax tree to a specification: names resolved, numbers computed, definitions expanded.

mod linear;
mod shapes;

pub(crate) use linear::seconds;

use std::collections::BTreeMap;

use source::{Diagnostic, Source, Span};
use value::{RBig, Sort};

use crate::ast::{Ast, Bounds, Expr, ExprId, ExprKind, Infix, ItemKind, Prefix, Sum};
use crate::codes;
use crate::number::write_number;
use crate::parse::parse;
use crate::spec::{Occurrence, Shape, Signal, Spec};
use crate::store::{Comparison, Formula, Node, SignalId, Store, Window};

/// The most places the tree of a formula can have.
const LARGEST: usize = 100_000;

/// Reads and checks a file. The diagnostics beside a specification are warnings.
///
/// # Errors
/// What is wrong with the text.
pub fn load(source: &Source) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    check(source, &parse(source)?)
}

/// The names of the definitions of a file, in order.
///
/// # Errors
/// What is wrong with the text.
pub fn definitions(source: &Source) -> Result<Vec<String>, Vec<Diagnostic>> {
    let ast = parse(source)?;
    let defined = ast.items.iter().filter(|item| matches!(item.kind, ItemKind::Definition(_)));
    Ok(defined.map(|item| source.slice(item.name).to_owned()).collect())
}

/// Reads and checks a file, and takes one of its definitions as the formula.
///
/// # Errors
/// What is wrong with the text, or that no such definition exists.
pub fn load_definition(source: &Source, name: &str) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    let ast = parse(source)?;
    let mut checker = Checker::new(source, &ast);
    checker.run().map_err(|error| vec![*error])?;
    let Checker { store, mut signals, title, requirement, names, warnings, unit, .. } = checker;
    let Some(Meaning::Definition(tree)) = names.get(name).map(|named| &named.meaning) else {
        let definitions = names.iter().filter(|(_, named)| matches!(named.meaning, Meaning::Definition(_)));
        let known: Vec<&str> = definitions.map(|(name, _)| *name).collect();
        let message = format!("unknown definition `{name}`");
        let error = Diagnostic::error(&codes::UNKNOWN_DEFINITION, Span::default(), message);
        return Err(vec![match known.as_slice() {
            [] => error.help("The file has no definitions."),
            known => error.help(format!("The definitions are {}.", known.join(", "))),
        }]);
    };
    let tree = tree.clone();
    let formula = tree.last().expect("a definition has a formula").formula;
    let (store, formula) = only_used(&store, formula, &mut signals);
    let spec = Spec { title, requirement, unit, signals, store, formula, occurrences: Vec::new() };
    Ok((spec.with_places(&tree), warnings))
}

/// Checks a syntax tree.
///
/// # Errors
/// What is wrong with the text.
pub fn check(source: &Source, ast: &Ast) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut checker = Checker::new(source, ast);
    checker.run().map_err(|error| vec![*error])?;
    let Checker { store, signals, title, requirement, tree, warnings, unit, .. } = checker;
    let formula = tree.last().expect("the formula was elaborated").formula;
    Ok((Spec { title, requirement, unit, signals, store, formula, occurrences: tree }, warnings))
}

type Checked<T> = Result<T, Box<Diagnostic>>;

/// Makes a node of operands.
type Maker = fn(&[Formula]) -> Node;

/// What a name stands for besides a signal.
enum Meaning {
    Parameter(RBig),
    /// The places of the definition's tree, the whole last.
    Definition(Vec<Occurrence>),
    /// A definition further down.
    Later,
}

struct Named {
    meaning: Meaning,
    span: Span,
    used: bool,
}

struct Checker<'a> {
    source: &'a Source,
    ast: &'a Ast,
    names: BTreeMap<&'a str, Named>,
    signals: Vec<Signal>,
    signal_places: Vec<Span>,
    by_name: BTreeMap<&'a str, SignalId>,
    store: Store,
    title: Option<String>,
    requirement: Option<String>,
    tree: Vec<Occurrence>,
    warnings: Vec<Diagnostic>,
    /// The shapes of signals that the file declares, with the places.
    shapes: BTreeMap<&'a str, (Shape, Span)>,
    /// How many seconds the unit of times has that the file names.
    unit: Option<RBig>,
    /// The first unit in the text.
    seconds: Option<Span>,
}

impl<'a> Checker<'a> {
    fn new(source: &'a Source, ast: &'a Ast) -> Checker<'a> {
        Checker {
            source,
            ast,
            names: BTreeMap::new(),
            signals: Vec::new(),
            signal_places: Vec::new(),
            by_name: BTreeMap::new(),
            store: Store::default(),
            title: None,
            requirement: None,
            tree: Vec::new(),
            warnings: Vec::new(),
            shapes: BTreeMap::new(),
            unit: None,
            seconds: None,
        }
    }

    fn run(&mut self) -> Checked<()> {
        for item in &self.ast.items {
            if let ItemKind::Definition(_) | ItemKind::Parameter(_) = item.kind {
                let later = Named { meaning: Meaning::Later, span: item.name, used: false };
                if let Some(first) = self.names.insert(self.source.slice(item.name), later) {
                    let message = format!("`{}` is defined twice", self.source.slice(item.name));
                    let error = Diagnostic::error(&codes::DUPLICATE_NAME, item.name, message);
                    return Err(Box::new(error.also(first.span, "the first time")));
                }
            }
        }
        for item in self.ast.items.iter().filter(|item| matches!(item.kind, ItemKind::Unit)) {
            self.unit = Some(linear::unit_named(self.source.slice(item.name), item.name)?);
        }
        self.declare_shapes()?;
        let mut first = ExprId(0);
        for item in &self.ast.items {
            let meaning = match &item.kind {
                ItemKind::Title(text) => {
                    self.title = Some(text.clone());
                    continue;
                }
                ItemKind::Requirement(text) => {
                    self.requirement = Some(text.clone());
                    continue;
                }
                ItemKind::Unit | ItemKind::Steps(_) | ItemKind::Enumeration(_) => continue,
                ItemKind::Parameter(sum) => Meaning::Parameter(self.constant(sum)?),
                ItemKind::Definition(expr) => {
                    let tree = self.elaborate(first, *expr)?;
                    first = ExprId(expr.0 + 1);
                    Meaning::Definition(tree)
                }
            };
            if let Some(named) = self.names.get_mut(self.source.slice(item.name)) {
                named.meaning = meaning;
            }
        }
        let formula = self.ast.formula.expect("the parser found a formula");
        self.tree = self.elaborate(first, formula)?;
        for (name, named) in self.names.iter().filter(|(_, named)| !named.used) {
            let message = format!("`{name}` is never used");
            self.warnings.push(Diagnostic::warning(&codes::UNUSED, named.span, message));
        }
        for (name, (_, span)) in self.shapes.iter().filter(|(name, _)| !self.by_name.contains_key(*name)) {
            let message = format!("no signal is called `{name}`");
            self.warnings.push(Diagnostic::warning(&codes::UNUSED, *span, message));
        }
        if let (Some(span), None) = (self.seconds, &self.unit) {
            let message = "times with a unit are counted in seconds here";
            let help = "The column `time` of a table must then be in seconds. `unit ms;` before the formula says that it is in ms.";
            self.warnings.push(Diagnostic::warning(&codes::ASSUMED_SECONDS, span, message).help(help));
        }
        for &span in &self.ast.mixed {
            let message = "without brackets, other tools may read this differently";
            self.warnings.push(
                Diagnostic::warning(&codes::MIXED_OPERATORS, span, message)
                    .help("Here `U` and `R` bind tighter than `&`, `|` and `->`, and chains are read from the left."),
            );
        }
        for &(operator, whole) in &self.ast.narrow {
            let name = self.source.slice(operator);
            let rest = self.source.slice(Span { start: operator.end, ..whole });
            let message = format!("`{name}` covers only what stands right behind it, not the whole implication");
            let help = format!(
                "Write `{name} ({})` if it is meant for all of it; brackets on the left keep this reading.",
                rest.trim()
            );
            self.warnings.push(Diagnostic::warning(&codes::NARROW_WINDOW, operator, message).help(help));
        }
        self.warnings.sort_by_key(|warning| warning.labels[0].span);
        Ok(())
    }

    /// The tree of the expressions from `first` to `root`, which belong to one formula.
    fn elaborate(&mut self, first: ExprId, root: ExprId) -> Checked<Vec<Occurrence>> {
        let mut tree: Vec<Occurrence> = Vec::new();
        let mut places: Vec<u32> = Vec::new();
        for id in first.0..=root.0 {
            let expr: &'a Expr = &self.ast.exprs[id as usize];
            let place = |arg: ExprId| places[(arg.0 - first.0) as usize];
            let args: Vec<u32> = match &expr.kind {
                ExprKind::Prefix(_, arg) => vec![place(*arg)],
                ExprKind::Infix(_, left, right) => vec![place(*left), place(*right)],
                ExprKind::Constant(_) | ExprKind::Name | ExprKind::Compare(..) => Vec::new(),
            };
            if let ExprKind::Infix(Infix::Iff | Infix::Xor, ..) = expr.kind {
                let differ = matches!(expr.kind, ExprKind::Infix(Infix::Xor, ..));
                self.compare_truths(&mut tree, [args[0], args[1]], differ, expr.span);
            } else if let ExprKind::Prefix(Prefix::Rise(time) | Prefix::Fall(time), _) = &expr.kind {
                let rises = matches!(expr.kind, ExprKind::Prefix(Prefix::Rise(_), _));
                let ago = self.time(time)?;
                self.change(&mut tree, args[0], &ago, rises, expr.span);
            } else if let ExprKind::Name = expr.kind
                && self.expand(expr, &mut tree)?
            {
            } else {
                let formulas: Vec<_> = args.iter().map(|&arg| tree[arg as usize].formula).collect();
                let node = self.node(expr, &formulas)?;
                let formula = self.store.add(node);
                tree.push(Occurrence { formula, args, span: expr.span });
            }
            if LARGEST < tree.len() {
                let message = format!("the formula has more than {LARGEST} operators");
                return Err(Box::new(Diagnostic::error(&codes::TOO_LARGE, expr.span, message)));
            }
            places.push(tree.len() as u32 - 1);
        }
        Ok(tree)
    }

    /// `rise[a] p` is `p & O[a,a] !p`, and `fall[a] p` is `!p & O[a,a] p`; the operand is the last of the tree.
    fn change(&mut self, tree: &mut Vec<Occurrence>, now: u32, ago: &RBig, rises: bool, span: Span) {
        let mut push = |tree: &mut Vec<Occurrence>, args: &[u32], make: &dyn Fn(&[Formula]) -> Node| {
            let formulas: Vec<Formula> = args.iter().map(|&arg| tree[arg as usize].formula).collect();
            let formula = self.store.add(make(&formulas));
            tree.push(Occurrence { formula, args: args.to_vec(), span });
            tree.len() as u32 - 1
        };
        let not = |of: &[Formula]| Node::Not(of[0]);
        let once = |of: &[Formula]| Node::Once(Window::new(ago.clone(), ago.clone()), of[0]);
        let left = if rises { now } else { push(tree, &[now], &not) };
        let before = copied(tree, now);
        let before = if rises { push(tree, &[before], &not) } else { before };
        let right = push(tree, &[before], &once);
        push(tree, &[left, right], &|of| Node::And(of[0], of[1]));
    }

    /// `l <-> r` is `(l -> r) & (r -> l)`, and `l xor r` is `(l & !r) | (!l & r)`; the operands are the last two of the tree.
    fn compare_truths(&mut self, tree: &mut Vec<Occurrence>, [left, right]: [u32; 2], differ: bool, span: Span) {
        let mut push = |tree: &mut Vec<Occurrence>, args: &[u32], make: Maker| {
            let formulas: Vec<Formula> = args.iter().map(|&arg| tree[arg as usize].formula).collect();
            let formula = self.store.add(make(&formulas));
            tree.push(Occurrence { formula, args: args.to_vec(), span });
            tree.len() as u32 - 1
        };
        let not: Maker = |of| Node::Not(of[0]);
        let and: Maker = |of| Node::And(of[0], of[1]);
        if differ {
            let without = push(tree, &[right], not);
            let one = push(tree, &[left, without], and);
            let left = copied(tree, left);
            let without = push(tree, &[left], not);
            let right = copied(tree, right);
            let other = push(tree, &[without, right], and);
            push(tree, &[one, other], |of| Node::Or(of[0], of[1]));
        } else {
            let implies: Maker = |of| Node::Implies(of[0], of[1]);
            let one = push(tree, &[left, right], implies);
            let (right, left) = (copied(tree, right), copied(tree, left));
            let other = push(tree, &[right, left], implies);
            push(tree, &[one, other], and);
        }
    }

    /// Puts a definition's tree in the place of its name.
    fn expand(&mut self, expr: &Expr, tree: &mut Vec<Occurrence>) -> Checked<bool> {
        let name = self.source.slice(name_span(expr, self.source));
        let Some(named) = self.names.get_mut(name) else { return Ok(false) };
        named.used = true;
        match &named.meaning {
            Meaning::Definition(definition) => {
                let offset = tree.len() as u32;
                tree.extend(definition.iter().map(|occurrence| Occurrence {
                    formula: occurrence.formula,
                    args: occurrence.args.iter().map(|arg| arg + offset).collect(),
                    span: occurrence.span,
                }));
                Ok(true)
            }
            Meaning::Parameter(_) => {
                let message = format!("`{name}` is a parameter, a formula is needed here");
                let error = Diagnostic::error(&codes::SORT_CONFLICT, expr.span, message);
                Err(Box::new(error.also(named.span, "the parameter")))
            }
            Meaning::Later => {
                let message = format!("`{name}` is used before it is defined");
                let error = Diagnostic::error(&codes::DEFINITION_ORDER, expr.span, message);
                Err(Box::new(error.also(named.span, "its definition")))
            }
        }
    }

    fn node(&mut self, expr: &'a Expr, args: &[crate::store::Formula]) -> Checked<Node> {
        Ok(match &expr.kind {
            ExprKind::Constant(truth) => Node::Constant(*truth),
            ExprKind::Name => Node::Signal(self.signal(name_span(expr, self.source), &Sort::Bool)?),
            ExprKind::Compare(left, relation, right) => match self.named_comparison(left, *relation, right)? {
                Some(comparison) => Node::Compare(comparison),
                None => Node::Compare(self.comparison(left, *relation, right, expr.span)?),
            },
            ExprKind::Prefix(Prefix::Not, _) => Node::Not(args[0]),
            ExprKind::Prefix(Prefix::Next(time), _) => Node::Next(self.time(time)?, args[0]),
            ExprKind::Prefix(Prefix::Finally(bounds), _) => Node::Finally(self.window(bounds)?, args[0]),
            ExprKind::Prefix(Prefix::Globally(bounds), _) => Node::Globally(self.window(bounds)?, args[0]),
            ExprKind::Prefix(Prefix::Once(bounds), _) => Node::Once(self.window(bounds)?, args[0]),
            ExprKind::Prefix(Prefix::Historically(bounds), _) => Node::Historically(self.window(bounds)?, args[0]),
            ExprKind::Prefix(Prefix::Previous(time), _) => {
                let ago = self.time(time)?;
                Node::Once(Window::new(ago.clone(), ago), args[0])
            }
            ExprKind::Prefix(Prefix::Rise(_) | Prefix::Fall(_), _) => unreachable!("these stand for other operators"),
            ExprKind::Infix(Infix::Since(bounds), ..) => Node::Since(self.window(bounds)?, args[0], args[1]),
            ExprKind::Infix(Infix::Iff | Infix::Xor, ..) => unreachable!("these stand for other operators"),
            ExprKind::Infix(Infix::And, ..) => Node::And(args[0], args[1]),
            ExprKind::Infix(Infix::Or, ..) => Node::Or(args[0], args[1]),
            ExprKind::Infix(Infix::Implies, ..) => Node::Implies(args[0], args[1]),
            ExprKind::Infix(Infix::Until(bounds), ..) => Node::Until(self.window(bounds)?, args[0], args[1]),
            ExprKind::Infix(Infix::Release(bounds), ..) => Node::Release(self.window(bounds)?, args[0], args[1]),
        })
    }

    /// The signal of that name, which from now on has that sort.
    fn signal(&mut self, span: Span, sort: &Sort) -> Checked<SignalId> {
        let name: &'a str = self.source.slice(span);
        if let Some(&known) = self.by_name.get(name) {
            let place = known.0 as usize;
            if self.signals[place].sort != *sort {
                let message = format!("`{name}` is used both as a truth value and as a number");
                let error = Diagnostic::error(&codes::SORT_CONFLICT, span, message);
                return Err(Box::new(error.also(self.signal_places[place], "otherwise here")));
            }
            return Ok(known);
        }
        let shape = match self.shapes.get(name) {
            Some((_, place)) if *sort == Sort::Bool => {
                let message = format!("`{name}` is not a truth value");
                let error = Diagnostic::error(&codes::SORT_CONFLICT, span, message);
                return Err(Box::new(error.also(*place, "declared here")));
            }
            Some((shape, _)) => shape.clone(),
            None if *sort == Sort::Bool => Shape::Steps,
            None => Shape::Straight,
        };
        let id = SignalId(self.signals.len() as u32);
        self.by_name.insert(name, id);
        self.signals.push(Signal { name: name.to_owned(), sort: sort.clone(), shape });
        self.signal_places.push(span);
        Ok(id)
    }

    fn window(&mut self, bounds: &Bounds) -> Checked<Window> {
        let Some((lower, upper)) = &bounds.bounds else { return Ok(Window { lower: RBig::ZERO, upper: None }) };
        let lower = self.time(lower)?;
        let upper = upper.as_ref().map(|upper| self.time(upper)).transpose()?;
        let window = Window { lower, upper };
        if window.is_empty() {
            let message = format!("the window {} holds no time", crate::print::window_text(&window));
            self.warnings.push(
                Diagnostic::warning(&codes::EMPTY_WINDOW, bounds.span, message)
                    .help("The lower bound comes first: `[1,3]`."),
            );
        }
        Ok(window)
    }

    fn time(&mut self, sum: &Sum) -> Checked<RBig> {
        let time = self.constant(sum)?;
        if time < RBig::ZERO {
            let message = format!("the time bound {} is negative", write_number(&time));
            return Err(Box::new(Diagnostic::error(&codes::NEGATIVE_BOUND, sum.span, message)));
        }
        Ok(time)
    }
}

/// A copy of the subtree at a place, behind the others; its place.
fn copied(tree: &mut Vec<Occurrence>, place: u32) -> u32 {
    let mut start = place;
    while let Some(&first) = tree[start as usize].args.first() {
        start = first;
    }
    let by = tree.len() as u32 - start;
    for at in start..=place {
        let Occurrence { formula, args, span } = tree[at as usize].clone();
        tree.push(Occurrence { formula, args: args.iter().map(|arg| arg + by).collect(), span });
    }
    place + by
}

/// The formula with only the signals that occur in it.
fn only_used(store: &Store, formula: Formula, signals: &mut Vec<Signal>) -> (Store, Formula) {
    let below = store.below(&[formula]);
    let mut used: Vec<SignalId> = Vec::new();
    for &part in &below {
        match store.node(part) {
            Node::Signal(signal) => used.push(*signal),
            Node::Compare(comparison) => used.extend(comparison.form.iter().map(|(_, signal)| *signal)),
            _ => {}
        }
    }
    used.sort();
    used.dedup();
    let renumbered = |signal: &SignalId| SignalId(used.binary_search(signal).expect("collected above") as u32);
    let mut images: BTreeMap<Formula, Formula> = BTreeMap::new();
    let mut kept = Store::default();
    for &part in &below {
        let node = match store.node(part) {
            Node::Signal(signal) => Node::Signal(renumbered(signal)),
            Node::Compare(comparison) => {
                let form = comparison.form.iter().map(|(factor, signal)| (factor.clone(), renumbered(signal)));
                Node::Compare(Comparison { form: form.collect(), ..comparison.clone() })
            }
            node => node.with_args(&node.args().iter().map(|arg| images[arg]).collect::<Vec<_>>()),
        };
        images.insert(part, kept.add(node));
    }
    *signals = used.iter().map(|signal| signals[signal.0 as usize].clone()).collect();
    (kept, images[&formula])
}

/// The name in an expression that may be bracketed.
fn name_span(expr: &Expr, source: &Source) -> Span {
    let text = source.slice(expr.span);
    let start = text.find(|character: char| character != '(' && !character.is_whitespace()).unwrap_or(0);
    let rest = &text[start..];
    let end = rest.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(rest.len());
    let start = expr.span.start as usize + start;
    Span::new(start, start + end)
}
