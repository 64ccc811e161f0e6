//! Fault models: what a test strategy must force a faulty system to do, one formula for each fault and frequency.
//!
//! The faulty system computes the correct value `o'` of an output `o`, which nobody sees, and shows something else. A
//! strategy is good for a fault `d` if every run satisfies `(s[o := o'] & d) -> !s` for the specification `s`: Röck,
//! "Building Bridges Between Formal Verification and Testing" (2018), theorem 4. Where its propositions 7 and 8 apply,
//! `o'` can be left out and nothing is lost.

use source::{Diagnostic, Span};

use crate::codes;
use crate::spec::{FaultDeclaration, FaultKind, Frequency, Role, Spec};
use omega::{AtomId, Binary, Formula, Formulas, Node, Unary};

/// A fault to look for.
#[derive(Clone, Debug)]
pub struct Fault {
    /// A stable name: `p/stuck-at-0`.
    pub key: String,
    /// A description for people.
    pub label: String,
    /// Where it is declared, if it is.
    pub span: Option<Span>,
    /// What strategies must satisfy, weakest frequency first: the first that any strategy satisfies is the best.
    pub demands: Vec<Demand>,
}

/// What a strategy must satisfy.
#[derive(Clone, Debug)]
pub struct Demand {
    /// How often the fault shows; none where a model says it.
    pub frequency: Option<Frequency>,
    /// What every run must satisfy: the judge's formula.
    pub claim: Formula,
    /// A formula that implies it and is easier to search with.
    pub search: Formula,
    /// Whether no strategy at all exists if none satisfies `search`.
    pub complete: bool,
    /// What a run in which the fault shows satisfies, correct values included.
    pub possible: Formula,
    /// What a system satisfies whatever it reads, the correct values in place of those that are shown.
    pub correct: Formula,
    /// What the fault does over all time.
    pub model: Formula,
    /// Whether every system has a run with the fault. It is so with faults of the library: what they show in place of the correct
    /// values is nobody's business but theirs.
    pub certain: bool,
    /// Whether a strategy counts only if the fault shows in some run with it. A strategy that keeps the fault from showing satisfies
    /// the claim as well, but finds no faulty system.
    pub provoked: bool,
    /// The signals that have correct values, with those.
    pub shadows: Vec<(AtomId, AtomId)>,
    /// What the fault does in one step, for a kind.
    pub kind: Option<Formula>,
    /// What a faulty system does, as `search` says it.
    pub premise: Premise,
    /// What every run of a strategy must satisfy besides.
    pub keep: Option<Formula>,
}

/// What a faulty system does besides satisfying, as it seems, its specification `s`.
#[derive(Clone, Debug)]
pub enum Premise {
    /// A formula without `s`.
    Alone(Formula),
    /// A formula, and `s` with the correct values in the places of some signals.
    Shadow(Formula, Vec<(AtomId, Formula)>),
    /// `s` with a formula in the place of a signal.
    Put(AtomId, Formula),
}

impl Demand {
    /// Demands besides that every run of a strategy satisfies a formula.
    pub fn keep(&mut self, formulas: &mut Formulas, keep: Formula) {
        self.claim = formulas.binary(Binary::And, self.claim, keep);
        self.search = formulas.binary(Binary::And, self.search, keep);
        self.keep = Some(match self.keep {
            Some(old) => formulas.binary(Binary::And, old, keep),
            None => keep,
        });
    }

    /// What a strategy must satisfy if the system has only to satisfy `whole`. Where the specification implies `whole`,
    /// this implies `search`: whoever convicts a system of less convicts it of more.
    pub fn against(&self, formulas: &mut Formulas, whole: Formula) -> Formula {
        let premise = match &self.premise {
            Premise::Alone(premise) => *premise,
            Premise::Shadow(model, replacements) => {
                let shadow = formulas.substitute(whole, replacements);
                formulas.binary(Binary::And, shadow, *model)
            }
            Premise::Put(atom, known) => formulas.substitute(whole, &[(*atom, *known)]),
        };
        let violated = formulas.not(whole);
        let search = formulas.binary(Binary::Implies, premise, violated);
        match self.keep {
            Some(keep) => formulas.binary(Binary::And, search, keep),
            None => search,
        }
    }
}

/// A selection of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Those the file declares; stuck-at faults of every output if it declares none.
    Declared,
    /// One kind for every output.
    Each(FaultKind),
    /// Stuck-at faults for every output.
    StuckAt,
    /// Stuck-at faults and flips for every output.
    All,
}

impl Selection {
    /// The selections by name.
    pub const NAMES: [(&'static str, Selection); 7] = [
        ("declared", Selection::Declared),
        ("stuck-at", Selection::StuckAt),
        ("stuck-at-0", Selection::Each(FaultKind::StuckAt0)),
        ("stuck-at-1", Selection::Each(FaultKind::StuckAt1)),
        ("bit-flip", Selection::Each(FaultKind::Flip)),
        ("time-shift", Selection::Each(FaultKind::Delay)),
        ("all-faults", Selection::All),
    ];
}

/// The faults of a specification.
///
/// # Errors
/// What is wrong with declared faults, or that the file does not say who sets which signal.
pub fn faults(spec: &mut Spec, selection: Selection) -> Result<Vec<Fault>, Vec<Diagnostic>> {
    if !spec.has_sides() {
        let message = "test strategies need to know which signals are inputs and which are outputs";
        let error = Diagnostic::error(&codes::NO_SIDE, Span::new(0, 0), message);
        return Err(vec![error.help("Declare them: `input a; output b;`.")]);
    }
    let outputs = spec.atoms_with(Role::Output);
    let each = |kinds: &[FaultKind]| -> Vec<FaultDeclaration> {
        kinds
            .iter()
            .flat_map(|kind| {
                outputs.iter().map(|output| FaultDeclaration {
                    name: None,
                    kind: *kind,
                    signals: vec![(*output, Span::new(0, 0))],
                    frequencies: Vec::new(),
                    span: Span::new(0, 0),
                })
            })
            .collect()
    };
    let stuck = [FaultKind::StuckAt0, FaultKind::StuckAt1];
    let declarations = match selection {
        Selection::Declared if !spec.faults.is_empty() => spec.faults.clone(),
        Selection::Declared | Selection::StuckAt => each(&stuck),
        Selection::Each(kind) => each(&[kind]),
        Selection::All => each(&[FaultKind::StuckAt0, FaultKind::StuckAt1, FaultKind::Flip]),
    };
    let mut found = Vec::new();
    let mut errors = Vec::new();
    for declaration in declarations {
        match resolve(spec, &declaration) {
            Ok(faults) => found.extend(faults),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

fn resolve(spec: &mut Spec, declaration: &FaultDeclaration) -> Result<Vec<Fault>, Diagnostic> {
    for (atom, span) in &declaration.signals {
        if !spec.signals.iter().any(|signal| signal.atom == *atom) {
            let message = format!("unknown signal `{}`", spec.formulas.atom_name(*atom));
            return Err(Diagnostic::error(&codes::UNKNOWN_NAME, *span, message));
        }
    }
    let span = (declaration.span != Span::new(0, 0)).then_some(declaration.span);
    let alone = matches!(declaration.kind, FaultKind::Model(_) | FaultKind::Mutant(_));
    let groups: Vec<Vec<AtomId>> = if alone {
        vec![declaration.signals.iter().map(|(atom, _)| *atom).collect()]
    } else if declaration.signals.is_empty() {
        spec.atoms_with(Role::Output).into_iter().map(|atom| vec![atom]).collect()
    } else {
        declaration.signals.iter().map(|(atom, _)| vec![*atom]).collect()
    };
    let mut found = Vec::new();
    for signals in groups {
        let mut demands = demands(spec, declaration, &signals);
        // Where a strategy may keep a fault from showing, those that do are second to those that do not.
        let lax: Vec<Demand> = demands.iter().filter(|demand| demand.provoked).cloned().collect();
        demands.extend(lax.into_iter().map(|demand| Demand { provoked: false, ..demand }));
        check_names(spec, &demands, declaration.span)?;
        let names: Vec<&str> = signals.iter().map(|atom| spec.formulas.atom_name(*atom)).collect();
        let kind = kind_name(declaration.kind);
        let name = declaration.name.clone().unwrap_or_else(|| kind.to_owned());
        let key = if names.is_empty() { name.clone() } else { format!("{}/{name}", names.join("+")) };
        let label = if names.is_empty() { name } else { format!("{name} on {}", names.join(", ")) };
        found.push(Fault { key, label, span, demands });
    }
    Ok(found)
}

fn kind_name(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::StuckAt0 => "stuck-at-0",
        FaultKind::StuckAt1 => "stuck-at-1",
        FaultKind::Flip => "bit-flip",
        FaultKind::Delay => "time-shift",
        FaultKind::Custom(_) => "custom",
        FaultKind::Model(_) => "model",
        FaultKind::Mutant(_) => "mutant",
    }
}

/// The correct value of a signal, which nobody sees.
fn correct(formulas: &mut Formulas, atom: AtomId) -> Formula {
    let name = format!("{}'", formulas.atom_name(atom));
    formulas.atom(&name)
}

/// Every name of a fault is a signal or the correct value of one.
fn check_names(spec: &Spec, demands: &[Demand], span: Span) -> Result<(), Diagnostic> {
    for demand in demands {
        for atom in spec.formulas.atoms_of([demand.claim]) {
            let name = spec.formulas.atom_name(atom);
            if spec.signal_named(name).is_none() && spec.signal_named(name.trim_end_matches('\'')).is_none() {
                return Err(Diagnostic::error(&codes::UNKNOWN_NAME, span, format!("unknown signal `{name}`")));
            }
        }
    }
    Ok(())
}

fn demands(spec: &mut Spec, declaration: &FaultDeclaration, signals: &[AtomId]) -> Vec<Demand> {
    let whole = spec.requirement;
    let hidden = !spec.atoms_with(Role::Hidden).is_empty();
    let formulas = &mut spec.formulas;
    let violated = formulas.not(whole);
    if let FaultKind::Mutant(mutant) = declaration.kind {
        let claim = formulas.binary(Binary::Implies, mutant, violated);
        return vec![Demand {
            frequency: None,
            claim,
            search: claim,
            complete: !hidden,
            possible: mutant,
            correct: mutant,
            model: formulas.constant(true),
            certain: false,
            provoked: true,
            shadows: Vec::new(),
            kind: None,
            premise: Premise::Alone(mutant),
            keep: None,
        }];
    }
    let replacements: Vec<(AtomId, Formula)> = signals.iter().map(|atom| (*atom, correct(formulas, *atom))).collect();
    let shadow = formulas.substitute(whole, &replacements);
    if let FaultKind::Model(model) = declaration.kind {
        return vec![demand(formulas, None, model, shadow, violated, &replacements, hidden)];
    }
    let atom = signals[0];
    let own = formulas.add(Node::Atom(atom));
    let correct = replacements[0].1;
    let kappa = match declaration.kind {
        FaultKind::StuckAt0 => formulas.not(own),
        FaultKind::StuckAt1 => own,
        FaultKind::Flip => formulas.binary(Binary::Xor, own, correct),
        FaultKind::Delay => {
            let later = formulas.unary(Unary::Next, own);
            formulas.binary(Binary::Iff, correct, later)
        }
        FaultKind::Custom(kappa) => kappa,
        FaultKind::Model(_) | FaultKind::Mutant(_) => unreachable!("these were dealt with above"),
    };
    let always = formulas.unary(Unary::Globally, kappa);
    let frequencies =
        if declaration.frequencies.is_empty() { Frequency::ALL.to_vec() } else { declaration.frequencies.clone() };
    let mut found = Vec::new();
    for frequency in frequencies {
        let model = match frequency {
            Frequency::Once => formulas.unary(Unary::Finally, kappa),
            Frequency::Repeatedly => {
                let some = formulas.unary(Unary::Finally, kappa);
                formulas.unary(Unary::Globally, some)
            }
            Frequency::Finally => formulas.unary(Unary::Finally, always),
            Frequency::Always => always,
        };
        let mut made = demand(formulas, Some(frequency), model, shadow, violated, &replacements, hidden);
        made.kind = Some(kappa);
        if !matches!(declaration.kind, FaultKind::Custom(_)) {
            made.possible = model;
            (made.certain, made.provoked) = (true, false);
        }
        // A permanent flip or delay says what the correct value is: it can be put in its place.
        let known = match declaration.kind {
            FaultKind::Flip => Some(formulas.not(own)),
            FaultKind::Delay => Some(formulas.unary(Unary::Next, own)),
            FaultKind::StuckAt0
            | FaultKind::StuckAt1
            | FaultKind::Custom(_)
            | FaultKind::Model(_)
            | FaultKind::Mutant(_) => None,
        };
        if let (Frequency::Always, Some(known)) = (frequency, known) {
            let put = formulas.substitute(whole, &[(atom, known)]);
            made.search = formulas.binary(Binary::Implies, put, violated);
            made.complete = !hidden;
            made.premise = Premise::Put(atom, known);
        }
        found.push(made);
    }
    found
}

fn demand(
    formulas: &mut Formulas,
    frequency: Option<Frequency>,
    model: Formula,
    shadow: Formula,
    violated: Formula,
    replacements: &[(AtomId, Formula)],
    hidden: bool,
) -> Demand {
    let possible = formulas.binary(Binary::And, shadow, model);
    let claim = formulas.binary(Binary::Implies, possible, violated);
    let shadows = formulas.atoms_of(replacements.iter().map(|(_, shadow)| *shadow));
    let sees_shadow = formulas.atoms_of([model]).iter().any(|atom| shadows.contains(atom));
    let (search, premise) = match sees_shadow {
        true => (claim, Premise::Shadow(model, replacements.to_vec())),
        false => (formulas.binary(Binary::Implies, model, violated), Premise::Alone(model)),
    };
    let shadows = replacements.iter().filter_map(|(atom, shadow)| match formulas.node(*shadow) {
        Node::Atom(shadow) => Some((*atom, shadow)),
        Node::Constant(_) | Node::Unary(..) | Node::Binary(..) => None,
    });
    Demand {
        frequency,
        claim,
        search,
        complete: !sees_shadow && !hidden,
        possible,
        correct: shadow,
        model,
        certain: false,
        provoked: true,
        shadows: shadows.collect(),
        kind: None,
        premise,
        keep: None,
    }
}
