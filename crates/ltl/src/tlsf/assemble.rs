//! Makes a specification of a TLSF file: declares signals, unfolds sections, and joins them as the semantics says.

use std::collections::BTreeMap;

use source::{Diagnostic, Span};

use super::ast::{Ast, Declaration, Definition, Enumeration, Section};
use super::evaluate::Evaluator;
use super::value::Value;
use crate::codes;
use crate::spec::{Property, Role, Signal, Spec, Target};
use omega::{AtomId, Binary, Formula, Formulas, Node, Unary};

/// The widest bus.
const WIDEST: i64 = 100_000;

pub(crate) fn assemble(ast: Ast, parameters: &[(String, i64)]) -> Result<Spec, Diagnostic> {
    let mut evaluator = Evaluator {
        ast: &ast,
        formulas: Formulas::new(),
        globals: BTreeMap::new(),
        definitions: BTreeMap::new(),
        locals: Vec::new(),
        depth: 0,
        steps: 0,
    };
    let mut places: BTreeMap<String, Span> = BTreeMap::new();
    for enumeration in &ast.enumerations {
        for (value, patterns) in &enumeration.values {
            declare(&mut places, value, enumeration.span)?;
            evaluator.globals.insert(value.clone(), Value::Constant(patterns.clone()));
        }
    }
    for definition in ast.parameters.iter().chain(&ast.definitions) {
        define(&mut evaluator, &mut places, definition, parameters)?;
    }
    let mut signals = Vec::new();
    let mut extra: Vec<(Section, Property)> = Vec::new();
    for (role, declarations) in [(Role::Input, &ast.inputs), (Role::Output, &ast.outputs)] {
        for declaration in declarations {
            declare_side(&signals, &places, declaration)?;
            places.insert(declaration.name.clone(), declaration.span);
            let section = if role == Role::Input { Section::Require } else { Section::Assert };
            let legal = signal(&mut evaluator, &mut signals, declaration, role)?;
            extra.extend(legal.map(|property| (section, property)));
        }
    }
    let mut properties = Vec::new();
    for (section, formulas) in &ast.sections {
        for &expr in formulas {
            let formula = evaluator.formula(expr)?;
            let name = format!("{} {}", section_name(*section), properties.len() + 1);
            properties.push((*section, Property { name, formula, span: evaluator.span(expr) }));
        }
    }
    properties.extend(extra);
    let mut formulas = evaluator.formulas;
    if ast.semantics != ast.target {
        shift(&mut formulas, &signals, &mut properties, ast.target);
    }
    let requirement = join(&mut formulas, &properties, ast.strict);
    let (mut assumptions, mut guarantees) = (Vec::new(), Vec::new());
    for (section, mut property) in properties {
        if matches!(section, Section::Require | Section::Assert) {
            property.formula = formulas.unary(Unary::Globally, property.formula);
        }
        match section {
            Section::Initially | Section::Require | Section::Assume => assumptions.push(property),
            Section::Preset | Section::Assert | Section::Guarantee => guarantees.push(property),
        }
    }
    let (target, faults, symmetries) = (ast.target, Vec::new(), Vec::new());
    Ok(Spec { formulas, signals, assumptions, guarantees, requirement, target, faults, symmetries })
}

fn section_name(section: Section) -> &'static str {
    match section {
        Section::Initially => "initially",
        Section::Preset => "preset",
        Section::Require => "require",
        Section::Assert => "assert",
        Section::Assume => "assume",
        Section::Guarantee => "guarantee",
    }
}

fn declare(places: &mut BTreeMap<String, Span>, name: &str, span: Span) -> Result<(), Diagnostic> {
    match places.insert(name.to_owned(), span) {
        None => Ok(()),
        Some(first) => {
            let error = Diagnostic::error(&codes::DUPLICATE_NAME, span, format!("`{name}` is declared twice"));
            Err(error.also(first, "declared here first"))
        }
    }
}

fn declare_side(
    signals: &[Signal],
    places: &BTreeMap<String, Span>,
    declaration: &Declaration,
) -> Result<(), Diagnostic> {
    let Some(first) = places.get(&declaration.name) else { return Ok(()) };
    let side = signals.iter().any(|signal| signal.span == *first);
    let code = if side { &codes::BOTH_SIDES } else { &codes::DUPLICATE_NAME };
    let error = Diagnostic::error(code, declaration.span, format!("`{}` is declared twice", declaration.name));
    Err(error.also(*first, "declared here first"))
}

fn define<'a>(
    evaluator: &mut Evaluator<'a>,
    places: &mut BTreeMap<String, Span>,
    definition: &'a Definition,
    parameters: &[(String, i64)],
) -> Result<(), Diagnostic> {
    declare(places, &definition.name, definition.span)?;
    match parameters.iter().find(|(name, _)| *name == definition.name) {
        Some((_, value)) => {
            evaluator.globals.insert(definition.name.clone(), Value::Number(*value));
        }
        None => {
            evaluator.definitions.insert(definition.name.clone(), definition);
        }
    }
    Ok(())
}

/// Declares the signals of one declaration; of an enumeration the bit patterns that have a meaning are returned.
fn signal(
    evaluator: &mut Evaluator<'_>,
    signals: &mut Vec<Signal>,
    declaration: &Declaration,
    role: Role,
) -> Result<Option<Property>, Diagnostic> {
    let mut add = |formulas: &mut Formulas, name: String| -> Result<AtomId, Diagnostic> {
        if signals.iter().any(|signal| signal.name == name) {
            let message = format!("`{name}` is declared twice");
            return Err(Diagnostic::error(&codes::BOTH_SIDES, declaration.span, message));
        }
        let atom = formulas.atom_id(&name);
        signals.push(Signal { name, atom, role, span: declaration.span });
        Ok(atom)
    };
    let ast = evaluator.ast;
    let enumeration: Option<&Enumeration> = match &declaration.enumeration {
        None => None,
        Some((name, span)) => {
            let found = ast.enumerations.iter().find(|enumeration| enumeration.name == *name);
            let error = || Diagnostic::error(&codes::UNKNOWN_NAME, *span, format!("unknown enumeration `{name}`"));
            Some(found.ok_or_else(error)?)
        }
    };
    let width = match (declaration.width, enumeration) {
        (Some(expr), _) => {
            let width = evaluator.number(expr)?;
            if !(0..=WIDEST).contains(&width) {
                let message = format!("a bus has 0 to {WIDEST} bits, not {width}");
                return Err(Diagnostic::error(&codes::OUT_OF_RANGE, evaluator.span(expr), message));
            }
            width as usize
        }
        (None, Some(enumeration)) => enumeration.values[0].1[0].len(),
        (None, None) => {
            let atom = add(&mut evaluator.formulas, declaration.name.clone())?;
            let formula = evaluator.formulas.add(Node::Atom(atom));
            evaluator.globals.insert(declaration.name.clone(), Value::Formula(formula));
            return Ok(None);
        }
    };
    let mut bits = Vec::new();
    for bit in 0..width {
        bits.push(add(&mut evaluator.formulas, format!("{}_{bit}", declaration.name))?);
    }
    evaluator.globals.insert(declaration.name.clone(), Value::Bus(bits.clone()));
    let Some(enumeration) = enumeration else { return Ok(None) };
    let mut legal = evaluator.formulas.constant(false);
    for pattern in enumeration.values.iter().flat_map(|(_, patterns)| patterns) {
        let mut all = evaluator.formulas.constant(true);
        for (bit, wanted) in bits.iter().zip(pattern.bytes()) {
            let atom = evaluator.formulas.add(Node::Atom(*bit));
            let literal = match wanted {
                b'1' => atom,
                b'0' => evaluator.formulas.not(atom),
                _ => continue,
            };
            all = evaluator.fold_binary(Binary::And, all, literal);
        }
        legal = evaluator.fold_binary(Binary::Or, legal, all);
    }
    let name = format!("{} is a value of {}", declaration.name, enumeration.name);
    Ok(Some(Property { name, formula: legal, span: declaration.span }))
}

/// Adapts formulas written for one kind of machine to the other: to a Mealy machine each input of a Moore formula comes
/// a step later, to a Moore machine each output of a Mealy formula does. Where every such signal stands under `X`
/// already on the other side, that `X` is taken off instead.
fn shift(formulas: &mut Formulas, signals: &[Signal], properties: &mut [(Section, Property)], target: Target) {
    let (delayed, guarded) = match target {
        Target::Mealy => (Role::Input, Role::Output),
        Target::Moore => (Role::Output, Role::Input),
    };
    let has = |atom: AtomId, role: Role| signals.iter().any(|signal| signal.atom == atom && signal.role == role);
    let roots: Vec<Formula> = properties.iter().map(|(_, property)| property.formula).collect();
    let is_guarded = |formulas: &Formulas, formula: Formula| match formulas.node(formula) {
        Node::Unary(Unary::Next, inner) => matches!(formulas.node(inner), Node::Atom(atom) if has(atom, guarded)),
        Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => false,
    };
    let all_guarded =
        formulas.reachable(roots.iter().copied()).into_iter().all(|formula| {
            is_guarded(formulas, formula)
                || formulas
                    .arguments(formula)
                    .all(|argument| !matches!(formulas.node(argument), Node::Atom(atom) if has(atom, guarded)))
        }) && roots.iter().all(|root| !matches!(formulas.node(*root), Node::Atom(atom) if has(atom, guarded)));
    for (_, property) in properties {
        property.formula = formulas.rewrite(property.formula, |formulas, node| match node {
            Node::Unary(Unary::Next, inner) if all_guarded => match formulas.node(inner) {
                Node::Atom(atom) if has(atom, guarded) => inner,
                _ => formulas.add(node),
            },
            Node::Atom(atom) if !all_guarded && has(atom, delayed) => {
                let atom = formulas.add(node);
                formulas.unary(Unary::Next, atom)
            }
            Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => formulas.add(node),
        });
    }
}

/// `initially -> preset & (G require & assume -> G assert & guarantee)`; strict: what is asserted must hold until the
/// environment breaks a requirement, whatever comes later.
fn join(formulas: &mut Formulas, properties: &[(Section, Property)], strict: bool) -> Formula {
    let mut part = |section: Section| {
        let parts: Vec<Formula> =
            properties.iter().filter(|(own, _)| *own == section).map(|(_, property)| property.formula).collect();
        (!parts.is_empty()).then(|| formulas.all(parts))
    };
    let initially = part(Section::Initially);
    let preset = part(Section::Preset);
    let require = part(Section::Require);
    let assert = part(Section::Assert);
    let assume = part(Section::Assume);
    let guarantee = part(Section::Guarantee);
    let always =
        |formulas: &mut Formulas, part: Option<Formula>| part.map(|part| formulas.unary(Unary::Globally, part));
    let always_require = always(formulas, require);
    let left = conjunction(formulas, [always_require, assume]);
    let (safe, right) = match (strict, assert, require) {
        (true, Some(assert), Some(require)) => {
            let broken = formulas.not(require);
            (Some(formulas.binary(Binary::WeakUntil, assert, broken)), guarantee)
        }
        (true, Some(assert), None) => (Some(formulas.unary(Unary::Globally, assert)), guarantee),
        _ => {
            let always_assert = always(formulas, assert);
            (None, conjunction(formulas, [always_assert, guarantee]))
        }
    };
    let main = match (left, right) {
        (_, None) => None,
        (None, Some(right)) => Some(right),
        (Some(left), Some(right)) => Some(formulas.binary(Binary::Implies, left, right)),
    };
    let system = conjunction(formulas, [preset, safe, main]);
    let system = system.unwrap_or_else(|| formulas.constant(true));
    match initially {
        None => system,
        Some(initially) => formulas.binary(Binary::Implies, initially, system),
    }
}

fn conjunction<const N: usize>(formulas: &mut Formulas, parts: [Option<Formula>; N]) -> Option<Formula> {
    parts.into_iter().flatten().reduce(|left, right| formulas.binary(Binary::And, left, right))
}
