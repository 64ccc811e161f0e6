//! Symmetries of a specification: signals that can be exchanged for others without changing what it says.
//!
//! A symmetry is declared and never believed: with the signals exchanged, the specification must have the same normal form, or every
//! one of its parts must follow from a part that was there before. Then a strategy for one output, renamed, is one for the other.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Source, Span, nearest};

use crate::codes;
use crate::lex::Token;
use crate::machine::{Machine, Move, State};
use crate::parse::Reader;
use crate::spec::{Property, Role, Signal, Spec, Target, implication};
use crate::verify::{Judgement, verify};
use omega::automaton::Limits;
use omega::nnf;
use omega::{AtomId, Binary, Formula, Formulas, Node};

/// Signals that are exchanged for one another.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// Pairs, and whether one is the negation of the other; a signal may be exchanged for its own negation.
    pub pairs: Vec<(AtomId, AtomId, bool)>,
    /// Where it is declared.
    pub span: Span,
}

/// What it may cost to compare two parts of a specification by their automata.
const COMPARISON: Limits = Limits { states: 4_000, nodes: 400_000, deadline: None };

/// Reads `a = b, c = !d`.
pub(crate) fn read(reader: &mut Reader<'_>, formulas: &mut Formulas) -> Result<Symmetry, Diagnostic> {
    let start = reader.span();
    let mut pairs: Vec<(AtomId, AtomId, bool)> = Vec::new();
    loop {
        let span = reader.span();
        let first = name(reader, formulas)?;
        if !reader.accept(Token::Equals) {
            return Err(reader.unexpected("`=`"));
        }
        let negated = reader.accept(Token::Not);
        let second = name(reader, formulas)?;
        let span = span.join(reader.last_span());
        if first == second && !negated {
            let message = format!("`{}` is exchanged for itself", formulas.atom_name(first));
            return Err(Diagnostic::error(&codes::ASYMMETRIC, span, message));
        }
        for &(one, other, _) in &pairs {
            if let Some(twice) = [one, other].into_iter().find(|atom| *atom == first || *atom == second) {
                let message = format!("`{}` is exchanged twice", formulas.atom_name(twice));
                return Err(Diagnostic::error(&codes::ASYMMETRIC, span, message));
            }
        }
        pairs.push((first, second, negated));
        if !reader.accept(Token::Comma) {
            return Ok(Symmetry { pairs, span: start.join(reader.last_span()) });
        }
    }
}

fn name(reader: &mut Reader<'_>, formulas: &mut Formulas) -> Result<AtomId, Diagnostic> {
    let text = reader.text();
    let name = match reader.token()? {
        Token::Name => text,
        Token::Quoted if 2 < text.len() => &text[1..text.len() - 1],
        _ => return Err(reader.unexpected("a signal")),
    };
    let atom = formulas.atom_id(name);
    reader.advance();
    Ok(atom)
}

/// Reads a symmetry of a specification, as in `a = b, c = !d`, and adds it if it holds.
///
/// # Errors
/// What is wrong with the text, or which part of the specification is not symmetric.
pub fn add_symmetry(spec: &mut Spec, source: &Source) -> Result<(), Diagnostic> {
    let mut reader = Reader::new(source);
    let symmetry = read(&mut reader, &mut spec.formulas)?;
    if reader.token()? != Token::End {
        return Err(reader.unexpected("`,` or the end"));
    }
    check(spec, &symmetry).map_err(|(error, _)| error)?;
    spec.symmetries.push(symmetry);
    Ok(())
}

/// Whether a symmetry holds; if not, why, and the part of the specification that speaks against it.
pub(crate) fn check(spec: &mut Spec, symmetry: &Symmetry) -> Result<(), (Diagnostic, Option<Span>)> {
    for &(one, other, _) in &symmetry.pairs {
        let sides = [one, other].map(|atom| role(spec, atom, symmetry.span));
        let [Ok(first), Ok(second)] = sides else {
            let error = sides.into_iter().find_map(Result::err).expect("one of them is unknown");
            return Err((error, None));
        };
        if first != second {
            let words = |atom, role| format!("`{}` is {}", spec.formulas.atom_name(atom), side(role));
            let message = format!("{} and {}", words(one, first), words(other, second));
            let error = Diagnostic::error(&codes::ASYMMETRIC, symmetry.span, message);
            return Err((error.help("Signals are exchanged for signals of the same side."), None));
        }
    }
    let renaming = Renaming::of(&mut spec.formulas, symmetry);
    let renamed = renaming.formula(&mut spec.formulas, spec.requirement);
    if canonical(&mut spec.formulas, renamed) == canonical(&mut spec.formulas, spec.requirement) {
        return Ok(());
    }
    let wrong = |message: String, part: Option<Span>| {
        let error = Diagnostic::error(&codes::ASYMMETRIC, symmetry.span, message);
        let help = "Exchange all signals that belong together, inputs and hidden ones too: `on1 = on2, mode1 = mode2`.";
        Err((error.help(help), part))
    };
    if spec.requirement != implication(&mut spec.formulas, &spec.assumptions, &spec.guarantees) {
        // The parts are joined otherwise: the whole is compared with the whole.
        let same = spec.formulas.binary(Binary::Iff, spec.requirement, renamed);
        return match is_valid(&mut spec.formulas, same) {
            true => Ok(()),
            false => wrong("the specification is not known to say the same with these signals exchanged".into(), None),
        };
    }
    // An exchange done twice changes nothing, so what follows from the parts implies them, too.
    let Spec { formulas, assumptions, guarantees, .. } = spec;
    for parts in [&*assumptions, &*guarantees] {
        if let Some(property) = unmatched(formulas, &renaming, parts) {
            let own = renaming.formula(formulas, property.formula);
            let text: String = crate::print::print(formulas, own).chars().take(200).collect();
            let message =
                format!("{} with these signals exchanged is not part of the specification: {text}", property.name);
            return wrong(message, Some(property.span));
        }
    }
    Ok(())
}

/// A property that has no counterpart among all.
fn unmatched<'a>(formulas: &mut Formulas, renaming: &Renaming, properties: &'a [Property]) -> Option<&'a Property> {
    let mut known: Vec<Formula> = Vec::new();
    for property in properties {
        let form = canonical(formulas, property.formula);
        known.extend(formulas.conjuncts(form));
    }
    let listed: FxHashSet<Formula> = known.iter().copied().collect();
    properties.iter().find(|property| {
        let renamed = renaming.formula(formulas, property.formula);
        let form = canonical(formulas, renamed);
        formulas.conjuncts(form).into_iter().any(|part| {
            let atoms = formulas.atoms_of([part]);
            !listed.contains(&part)
                && !known.iter().any(|&other| {
                    formulas.atoms_of([other]) == atoms && {
                        let follows = formulas.binary(Binary::Implies, other, part);
                        is_valid(formulas, follows)
                    }
                })
        })
    })
}

/// Whether every word satisfies a formula, as far as that can be told at little cost.
fn is_valid(formulas: &mut Formulas, formula: Formula) -> bool {
    let anything = State { moves: vec![Move { guard: Vec::new(), sets: Vec::new(), target: 0 }] };
    let machine = Machine { kind: Target::Moore, reads: Vec::new(), sets: Vec::new(), states: vec![anything] };
    verify(formulas, &machine, formula, COMPARISON) == Judgement::Satisfied
}

fn role(spec: &Spec, atom: AtomId, span: Span) -> Result<Role, Diagnostic> {
    if let Some(signal) = spec.signals.iter().find(|signal| signal.atom == atom) {
        return Ok(signal.role);
    }
    let name = spec.formulas.atom_name(atom);
    let error = Diagnostic::error(&codes::UNKNOWN_NAME, span, format!("unknown signal `{name}`"));
    let names = spec.signals.iter().map(|Signal { name, .. }| name.as_str());
    Err(match nearest(name, names) {
        Some(near) => error.help(format!("Is `{near}` meant?")),
        None => error,
    })
}

fn side(role: Role) -> &'static str {
    match role {
        Role::Input => "an input",
        Role::Output => "an output",
        Role::Hidden => "hidden",
        Role::Open => "open",
    }
}

/// A normal form up to the order of arguments: equal forms say the same, the reverse need not hold.
pub fn canonical(formulas: &mut Formulas, root: Formula) -> Formula {
    let root = nnf(formulas, root, false);
    let junction = |formulas: &Formulas, formula: Formula| match formulas.node(formula) {
        Node::Binary(operator @ (Binary::And | Binary::Or), ..) => Some(operator),
        Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => None,
    };
    let mut forms: FxHashMap<Formula, Formula> = FxHashMap::default();
    let order = formulas.reachable([root]);
    // Inner nodes of a chain of the same operator have no form of their own.
    let mut wanted: FxHashSet<Formula> = [root].into_iter().collect();
    for &formula in &order {
        let own = junction(formulas, formula);
        let apart = formulas.arguments(formula).filter(|part| own.is_none() || junction(formulas, *part) != own);
        wanted.extend(apart);
    }
    for formula in order.into_iter().filter(|formula| wanted.contains(formula)) {
        let form = match (formulas.node(formula), junction(formulas, formula)) {
            (node @ (Node::Constant(_) | Node::Atom(_)), _) => formulas.add(node),
            (Node::Unary(operator, argument), _) => formulas.unary(operator, forms[&argument]),
            (_, Some(operator)) => {
                let (mut parts, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![formula]);
                while let Some(inner) = open.pop() {
                    if !seen.insert(inner) {
                        continue;
                    }
                    match junction(formulas, inner) == Some(operator) {
                        true => open.extend(formulas.arguments(inner)),
                        false => parts.push(forms[&inner]),
                    }
                }
                parts.sort_unstable();
                parts.dedup();
                let joined = parts.into_iter().reduce(|left, right| formulas.binary(operator, left, right));
                joined.expect("a junction has arguments")
            }
            (Node::Binary(operator, left, right), None) => formulas.binary(operator, forms[&left], forms[&right]),
        };
        forms.insert(formula, form);
    }
    forms[&root]
}

/// What becomes of every signal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renaming {
    /// For signals that change: what they become, and whether negated.
    map: BTreeMap<AtomId, (AtomId, bool)>,
}

impl Renaming {
    /// The renaming of a symmetry, correct values (`o'`) included.
    pub fn of(formulas: &mut Formulas, symmetry: &Symmetry) -> Renaming {
        let mut map = BTreeMap::new();
        for &(one, other, negated) in &symmetry.pairs {
            let mut exchange = |one: AtomId, other: AtomId| {
                map.insert(one, (other, negated));
                map.insert(other, (one, negated));
            };
            exchange(one, other);
            let hidden = [one, other].map(|atom| format!("{}'", formulas.atom_name(atom)));
            if hidden.iter().any(|name| formulas.find_atom(name).is_some()) {
                exchange(formulas.atom_id(&hidden[0]), formulas.atom_id(&hidden[1]));
            }
        }
        Renaming { map }
    }

    /// This renaming, and then another.
    #[must_use]
    pub fn then(&self, other: &Renaming) -> Renaming {
        let mut map = other.map.clone();
        for (atom, (renamed, negated)) in &self.map {
            map.insert(*atom, other.literal(*renamed, *negated));
        }
        Renaming { map }
    }

    /// What a signal with a sign becomes.
    fn literal(&self, atom: AtomId, sign: bool) -> (AtomId, bool) {
        let (renamed, negated) = self.map.get(&atom).copied().unwrap_or((atom, false));
        (renamed, sign != negated)
    }

    /// A formula with its signals renamed.
    pub fn formula(&self, formulas: &mut Formulas, formula: Formula) -> Formula {
        formulas.rewrite(formula, |formulas, node| match node {
            Node::Atom(atom) => {
                let (renamed, negated) = self.literal(atom, false);
                let literal = formulas.add(Node::Atom(renamed));
                if negated { formulas.not(literal) } else { literal }
            }
            Node::Constant(_) | Node::Unary(..) | Node::Binary(..) => formulas.add(node),
        })
    }

    /// A machine with its signals renamed: its runs are those of the machine, renamed.
    pub fn machine(&self, machine: &Machine) -> Machine {
        let literals = |literals: &[(AtomId, bool)]| -> Vec<(AtomId, bool)> {
            let mut renamed: Vec<(AtomId, bool)> =
                literals.iter().map(|&(atom, value)| self.literal(atom, value)).collect();
            renamed.sort_unstable();
            renamed
        };
        let atoms = |atoms: &[AtomId]| -> Vec<AtomId> {
            let mut renamed: Vec<AtomId> = atoms.iter().map(|&atom| self.literal(atom, false).0).collect();
            renamed.sort_unstable();
            renamed
        };
        let taken =
            |taken: &Move| Move { guard: literals(&taken.guard), sets: literals(&taken.sets), target: taken.target };
        let state = |state: &State| State { moves: state.moves.iter().map(taken).collect() };
        Machine {
            kind: machine.kind,
            reads: atoms(&machine.reads),
            sets: atoms(&machine.sets),
            states: machine.states.iter().map(state).collect(),
        }
    }

    /// What changes, in words: `on1 = on2, done = !done`.
    pub fn to_words(&self, formulas: &Formulas) -> String {
        let changes = self.map.iter().filter(|(atom, (renamed, negated))| *atom != renamed || *negated);
        let words = changes.map(|(&atom, &(renamed, negated))| {
            let sign = if negated { "!" } else { "" };
            format!("{} = {sign}{}", formulas.atom_name(atom), formulas.atom_name(renamed))
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Lasso, Letter, holds_on_lasso};
    use crate::load::{Dialect, load};
    use crate::parse::parse_formula;

    fn loaded(text: &str) -> Result<Spec, String> {
        let loaded = load(&Source::new("test.ltl", text), Dialect::Ltl);
        loaded.map(|(spec, _)| spec).map_err(|errors| errors[0].message.clone())
    }

    #[test]
    fn forms_do_not_depend_on_order() {
        let mut formulas = Formulas::new();
        let mut form = |text: &str| {
            let formula = parse_formula(&Source::new("formula", text), &mut formulas).expect("well formed");
            canonical(&mut formulas, formula)
        };
        assert_eq!(form("(a & b) & (c & a)"), form("c & (b & a)"));
        assert_eq!(form("a -> b | c"), form("c | !a | b"));
        assert_eq!(form("a xor b"), form("b xor a"));
        assert_eq!(form("!(a U X b)"), form("!a R X !b"));
        assert_ne!(form("a U b"), form("b U a"));
        assert_ne!(form("a & b"), form("a | b"));
    }

    #[test]
    fn symmetries_are_checked() {
        let arbiter = "input r1, r2; output g1, g2; G (r1 -> F g1); G (r2 -> F g2); G (!g1 | !g2);";
        let spec = loaded(&format!("{arbiter} symmetric r1 = r2, g1 = g2;")).expect("it is symmetric");
        assert_eq!(spec.symmetries.len(), 1);
        assert!(loaded(&format!("{arbiter} symmetric g1 = g2;")).unwrap_err().contains("guarantee 1"));
        assert!(loaded(&format!("{arbiter} symmetric r1 = r2, g1 = g2; g1;")).unwrap_err().contains("guarantee 4"));
        // Told by the automata alone: what is exchanged is written otherwise.
        let other = "input r1, r2; output g1, g2; G (r1 -> F g1); G !(r2 & G !g2) & G (r2 -> F g2); symmetric r1 = r2, g1 = g2;";
        assert!(loaded(other).is_ok());
        let turned = "output a, b; hidden s; G (a -> s); G (b -> !s); symmetric a = b, s = !s;";
        assert!(loaded(turned).is_ok());
        assert!(loaded(&turned.replace("s = !s", "s = s")).unwrap_err().contains("itself"));
    }

    /// A word satisfies a renamed formula if and only if the word, read with the old names, satisfies the formula.
    #[test]
    fn renamed_formulas_and_machines_agree() {
        let mut formulas = Formulas::new();
        let formula = parse_formula(&Source::new("formula", "G (a -> X (b U !c)) | F (c & X a)"), &mut formulas);
        let formula = formula.expect("well formed");
        let [a, b, c] = ["a", "b", "c"].map(|name| formulas.atom_id(name));
        let first = Renaming::of(&mut formulas, &Symmetry { pairs: vec![(a, b, false)], span: Span::new(0, 0) });
        let second = Renaming::of(&mut formulas, &Symmetry { pairs: vec![(b, c, true)], span: Span::new(0, 0) });
        let renaming = first.then(&second);
        let (one, two) = (first.formula(&mut formulas, formula), renaming.formula(&mut formulas, formula));
        assert_eq!(second.formula(&mut formulas, one), two);
        for code in 0_u32..512 {
            let letter = |place: u32| {
                Letter::of(
                    [a, b, c]
                        .into_iter()
                        .zip(0..)
                        .filter(|(_, bit)| code >> (3 * place + bit) & 1 == 1)
                        .map(|(atom, _)| atom),
                )
            };
            let letters: Vec<Letter> = (0..3).map(letter).collect();
            let old = |letter: &Letter| {
                Letter::of([a, b, c].into_iter().filter(|atom| {
                    let (renamed, negated) = renaming.literal(*atom, false);
                    letter.holds(renamed) != negated
                }))
            };
            let word = Lasso { prefix: letters[..1].to_vec(), cycle: letters[1..].to_vec() };
            let read = Lasso { prefix: vec![old(&letters[0])], cycle: letters[1..].iter().map(old).collect() };
            assert_eq!(holds_on_lasso(&formulas, two, &word), holds_on_lasso(&formulas, formula, &read));
        }
        let taken = |value: bool, target: usize| Move { guard: vec![(b, value)], sets: vec![(a, value)], target };
        let states = vec![State { moves: vec![taken(true, 0), taken(false, 0)] }];
        let machine = Machine { kind: Target::Mealy, reads: vec![b], sets: vec![a], states };
        let other = renaming.machine(&machine);
        let claim = parse_formula(&Source::new("claim", "G (a <-> b)"), &mut formulas).expect("well formed");
        let limits = COMPARISON;
        assert_eq!(verify(&mut formulas, &machine, claim, limits), Judgement::Satisfied);
        let renamed = renaming.formula(&mut formulas, claim);
        assert_eq!(verify(&mut formulas, &other, renamed, limits), Judgement::Satisfied);
        assert_ne!(verify(&mut formulas, &other, claim, limits), Judgement::Satisfied);
    }
}
