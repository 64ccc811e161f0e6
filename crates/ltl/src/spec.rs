//! A checked specification: signals with their sides, assumptions, guarantees, and the formula they make together.

use source::Span;

use crate::symmetry::Symmetry;
use omega::{AtomId, Binary, Formula, Formulas};

/// Who sets a signal, and who sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Set by the environment, that is by the tester.
    Input,
    /// Set by the system and seen by the tester.
    Output,
    /// Set by the system and not seen by the tester.
    Hidden,
    /// A proposition of a file that declares no sides.
    Open,
}

/// A signal.
#[derive(Clone, Debug)]
pub struct Signal {
    /// The name.
    pub name: String,
    /// The proposition.
    pub atom: AtomId,
    /// Who sets it.
    pub role: Role,
    /// Where it is declared or first used.
    pub span: Span,
}

/// Which machine shall implement a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// Outputs may depend on the inputs of the same step.
    Mealy,
    /// Outputs depend on the inputs of earlier steps only.
    Moore,
}

/// A named formula of a file.
#[derive(Clone, Debug)]
pub struct Property {
    /// The name: given, or `assumption 1`, `guarantee 2`.
    pub name: String,
    /// The formula.
    pub formula: Formula,
    /// Where it stands.
    pub span: Span,
}

/// A fault that a file declares; the words are resolved when faults are asked for.
#[derive(Clone, Debug)]
pub struct FaultDeclaration {
    /// The name: given, or made from the kind and the signal.
    pub name: Option<String>,
    /// What is wrong with the system.
    pub kind: FaultKind,
    /// Which signals it concerns.
    pub signals: Vec<(AtomId, Span)>,
    /// How often it shows, weakest first; empty for the usual four.
    pub frequencies: Vec<Frequency>,
    /// Where it stands.
    pub span: Span,
}

/// What is wrong with a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The signal is false.
    StuckAt0,
    /// The signal is true.
    StuckAt1,
    /// The signal is the opposite of the correct value.
    Flip,
    /// The signal has the correct value of the step before.
    Delay,
    /// A formula over the signal `o` and its correct value `o'` says what is wrong in a step.
    Custom(Formula),
    /// A formula says what the faulty system does over all time, frequencies included.
    Model(Formula),
    /// The system implements another specification.
    Mutant(Formula),
}

/// How often a fault shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Frequency {
    /// `F`: at least once.
    Once,
    /// `GF`: again and again.
    Repeatedly,
    /// `FG`: always from some step on.
    Finally,
    /// `G`: always.
    Always,
}

impl Frequency {
    /// The usual four, weakest first.
    pub const ALL: [Frequency; 4] = [Frequency::Once, Frequency::Repeatedly, Frequency::Finally, Frequency::Always];

    /// As operators: `F`, `GF`, `FG`, `G`.
    pub fn symbol(self) -> &'static str {
        match self {
            Frequency::Once => "F",
            Frequency::Repeatedly => "GF",
            Frequency::Finally => "FG",
            Frequency::Always => "G",
        }
    }

    /// The frequency written with these operators.
    pub fn from_symbol(symbol: &str) -> Option<Frequency> {
        Frequency::ALL.into_iter().find(|frequency| frequency.symbol() == symbol)
    }
}

/// A specification.
#[derive(Clone, Debug)]
pub struct Spec {
    /// All its formulas.
    pub formulas: Formulas,
    /// The signals, in order of declaration; in a file without declarations, of first use.
    pub signals: Vec<Signal>,
    /// What the environment is trusted to do.
    pub assumptions: Vec<Property>,
    /// What the system must do.
    pub guarantees: Vec<Property>,
    /// The whole: assumptions imply guarantees, or what the semantics of a TLSF file makes of them.
    pub requirement: Formula,
    /// Which machine shall implement it.
    pub target: Target,
    /// The faults that the file declares.
    pub faults: Vec<FaultDeclaration>,
    /// Its symmetries; each was checked.
    pub symmetries: Vec<Symmetry>,
}

impl Spec {
    /// The signal of a name.
    pub fn signal_named(&self, name: &str) -> Option<&Signal> {
        self.signals.iter().find(|signal| signal.name == name)
    }

    /// The propositions with a role, in order of declaration.
    pub fn atoms_with(&self, role: Role) -> Vec<AtomId> {
        self.signals.iter().filter(|signal| signal.role == role).map(|signal| signal.atom).collect()
    }

    /// Keeps these guarantees only, and all assumptions.
    ///
    /// # Errors
    /// A name that no guarantee has, or that parts cannot be told apart in the whole.
    pub fn restrict(&mut self, names: &[&str]) -> Result<(), String> {
        if self.requirement != implication(&mut self.formulas, &self.assumptions, &self.guarantees) {
            return Err("the semantics of the file joins its parts otherwise; none can be left out".to_owned());
        }
        if let Some(name) = names.iter().find(|name| !self.guarantees.iter().any(|other| other.name == **name)) {
            let mut known: Vec<&str> = self.guarantees.iter().map(|guarantee| guarantee.name.as_str()).collect();
            known.dedup();
            return Err(format!("unknown guarantee `{name}`; there are {}", known.join(", ")));
        }
        self.guarantees.retain(|guarantee| names.contains(&guarantee.name.as_str()));
        self.requirement = implication(&mut self.formulas, &self.assumptions, &self.guarantees);
        Ok(())
    }

    /// Whether the file says who sets which signal.
    pub fn has_sides(&self) -> bool {
        self.signals.iter().all(|signal| signal.role != Role::Open)
    }
}

/// Assumptions imply guarantees.
pub(crate) fn implication(formulas: &mut Formulas, assumptions: &[Property], guarantees: &[Property]) -> Formula {
    let right = formulas.all(guarantees.iter().map(|property| property.formula));
    if assumptions.is_empty() {
        return right;
    }
    let left = formulas.all(assumptions.iter().map(|property| property.formula));
    formulas.binary(Binary::Implies, left, right)
}
