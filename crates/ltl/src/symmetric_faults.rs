//! Faults that are the same up to a symmetry of the specification: what is found out about one is true of the others, with the
//! signals renamed.

use rustc_hash::FxHashMap;

use crate::faults::Fault;
use crate::spec::Spec;
use crate::symmetry::{Renaming, canonical};
use omega::{Formula, Formulas};

/// For every fault, the first fault that it is the same as.
pub struct SymmetricFaults {
    of: Vec<Option<Image>>,
}

/// The fault that another one is, renamed.
pub struct Image {
    /// The other fault.
    pub fault: usize,
    /// What its signals become.
    pub renaming: Renaming,
}

impl SymmetricFaults {
    /// Compares all faults. Nothing is taken from the declaration but the renaming: faults are the same if every one of their
    /// demands, renamed, is the demand of the other.
    pub fn of(spec: &mut Spec, faults: &[Fault]) -> SymmetricFaults {
        let mut of: Vec<Option<Image>> = faults.iter().map(|_| None).collect();
        if spec.symmetries.is_empty() {
            return SymmetricFaults { of };
        }
        let symmetries = spec.symmetries.clone();
        let formulas = &mut spec.formulas;
        let exchanges: Vec<Renaming> = symmetries.iter().map(|symmetry| Renaming::of(formulas, symmetry)).collect();
        let none = Renaming::default();
        // Where two faults ask for the same, the first stands for both.
        let mut known: FxHashMap<Vec<Formula>, usize> = FxHashMap::default();
        for (number, fault) in faults.iter().enumerate() {
            known.entry(forms(formulas, fault, &none)).or_insert(number);
        }
        let mut seen = vec![false; faults.len()];
        for first in 0..faults.len() {
            if seen[first] {
                continue;
            }
            seen[first] = true;
            let mut open = vec![(first, none.clone())];
            while let Some((fault, renaming)) = open.pop() {
                for exchange in &exchanges {
                    let Some(&twin) = known.get(&forms(formulas, &faults[fault], exchange)) else { continue };
                    if !seen[twin] {
                        seen[twin] = true;
                        let renaming = renaming.then(exchange);
                        of[twin] = Some(Image { fault: first, renaming: renaming.clone() });
                        open.push((twin, renaming));
                    }
                }
            }
        }
        SymmetricFaults { of }
    }

    /// The fault that a fault is the same as, if there is an earlier one.
    pub fn get(&self, fault: usize) -> Option<&Image> {
        self.of[fault].as_ref()
    }
}

/// The normal forms of all that a fault demands, renamed.
fn forms(formulas: &mut Formulas, fault: &Fault, renaming: &Renaming) -> Vec<Formula> {
    let mut forms = Vec::new();
    for demand in &fault.demands {
        for formula in [demand.claim, demand.search, demand.possible] {
            let renamed = renaming.formula(formulas, formula);
            forms.push(canonical(formulas, renamed));
        }
    }
    forms
}
