//! Evidence is checked: models by evaluation, cores by looking.

use super::Facts;
use crate::print::Logic;
use crate::{
    Answer, Capabilities, Evaluator, Model, Query, ScriptWriter, Solver, SolverError, Term, Terms, Wanted, print_term,
    print_value,
};

/// A solver whose models are evaluated before anyone sees them.
///
/// A model under which a fact or an assumption is false is [`SolverError::WrongModel`]. Models are asked for even
/// when the query does not want one.
pub struct Checked<S> {
    inner: S,
    facts: Facts,
}

impl<S: Solver> Checked<S> {
    /// Checks what `inner`, which has no facts yet, answers.
    pub fn new(inner: S) -> Checked<S> {
        Checked { inner, facts: Facts::default() }
    }

    fn judge(&self, terms: &Terms, model: &Model, assumptions: &[Term]) -> Result<(), SolverError> {
        let wrong = |violated: String| SolverError::WrongModel {
            solver: self.inner.name().to_owned(),
            violated,
            script: script(terms, &self.facts.facts, assumptions),
        };
        for (symbol, value) in model.iter() {
            if value.sort() != *terms.sort(symbol) {
                return Err(wrong(format!(
                    "{} : {}, not {}",
                    print_term(terms, symbol),
                    terms.sort(symbol),
                    print_value(value)
                )));
            }
        }
        let mut evaluator = Evaluator::new(terms, model);
        match self.facts.facts.iter().chain(assumptions).find(|&&fact| !evaluator.holds(fact)) {
            Some(&fact) => Err(wrong(print_term(terms, fact))),
            None => Ok(()),
        }
    }
}

/// A question as a script.
fn script(terms: &Terms, facts: &[Term], assumptions: &[Term]) -> String {
    let (mut writer, mut logic, mut text) = (ScriptWriter::new(), Logic::default(), String::new());
    for &fact in facts {
        logic.note(terms, fact);
        writer.assert(terms, fact, &mut text);
    }
    let mut literals = Vec::new();
    for &assumption in assumptions {
        logic.note(terms, assumption);
        literals.push(writer.literal(terms, assumption, &mut text));
    }
    text.push_str(&ScriptWriter::question(&literals));
    format!("(set-option :produce-models true)\n(set-logic {})\n{text}\n", logic.name())
}

impl<S: Solver> Solver for Checked<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), SolverError> {
        self.inner.assert(terms, fact)?;
        self.facts.facts.push(fact);
        Ok(())
    }

    fn size(&self) -> Option<(u64, u64)> {
        self.inner.size()
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.inner.push()?;
        self.facts.push();
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.inner.pop()?;
        self.facts.pop();
        Ok(())
    }

    fn check(&mut self, terms: &Terms, query: Query<'_>) -> Result<Answer, SolverError> {
        let Query { assumptions, wanted, .. } = query;
        let answer = self.inner.check(terms, Query { wanted: Wanted { model: true, ..wanted }, ..query })?;
        match &answer {
            Answer::Sat(model) => {
                self.judge(terms, model, assumptions)?;
                Ok(if wanted.model { answer } else { Answer::Sat(Model::new()) })
            }
            // Nothing contradicts itself only where something is asserted or assumed.
            Answer::Unsat { core, .. }
                if self.facts.facts.is_empty() && core.is_empty() && (wanted.core || assumptions.is_empty()) =>
            {
                let said = "a contradiction between no facts at all".to_owned();
                Err(SolverError::Garbage { solver: self.inner.name().to_owned(), said })
            }
            Answer::Unsat { core, .. } => match core.iter().find(|part| !assumptions.contains(part)) {
                Some(&foreign) => {
                    let said = format!("a core with {}, which was not assumed", print_term(terms, foreign));
                    Err(SolverError::Garbage { solver: self.inner.name().to_owned(), said })
                }
                None => Ok(answer),
            },
            Answer::Unknown(_) => Ok(answer),
        }
    }
}
