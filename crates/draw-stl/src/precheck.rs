//! Whether the formula demands anything at all, and whether it can be met.

use source::{Diagnostic, Source, Span};
use stl::Spec;
use stl::goals::{Criterion, GoalOptions};
use testcase::ObligationId;

use super::StlSubject;
use super::engine::StlEngine;
use search::{Backend, Options, SearchError};
use search::{Engine, Finding};
use testcase::GoalStatus;

/// Warnings about a formula that is always true, or never; bounded claims say so.
///
/// # Errors
/// When a solver fails.
pub fn precheck(source: &Source, spec: &Spec, backend: &Backend) -> Result<Vec<Diagnostic>, SearchError> {
    let Ok(subject) = StlSubject::new(source, spec, Criterion::Outcome, &GoalOptions::default()) else {
        return Ok(Vec::new());
    };
    let mut engine = StlEngine::new(&subject, backend, &Options::default());
    let root = spec.occurrences.last().map_or(Span::default(), |occurrence| occurrence.span);
    let mut warnings = Vec::new();
    let verdicts = [
        (ObligationId(0), &stl::codes::CONTRADICTION, "never true", "no signal satisfies it"),
        (ObligationId(1), &stl::codes::TAUTOLOGY, "always true", "no signal violates it"),
    ];
    for (obligation, code, words, meaning) in verdicts {
        for finding in engine.round(&[obligation])? {
            let message = match finding {
                Finding::Closed(_, GoalStatus::Infeasible(_)) => format!("the formula is {words}: {meaning}"),
                Finding::Closed(_, GoalStatus::InfeasibleUpTo(scope)) => {
                    let scope = scope.split(": ").next().unwrap_or_default().to_owned();
                    format!("the formula seems to be {words}: {meaning} among {scope}")
                }
                Finding::Closed(..) | Finding::Inputs { .. } | Finding::Finished(_) => continue,
            };
            warnings.push(Diagnostic::warning(code, root, message));
        }
    }
    Ok(warnings)
}
