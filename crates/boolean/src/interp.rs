//! Runs a decision on concrete inputs.

use formula::LeafId;
use value::Value;

use crate::arithmetic::apply;
use crate::{Decision, ExprId, ExprKind, Spec};

/// A value for every variable, by [`crate::VariableId`].
pub type Assignment = Vec<Value>;

/// What a decision does on one assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The outcome of the decision.
    pub outcome: bool,
    /// The value of every condition, by leaf of the formula.
    pub conditions: Vec<bool>,
    /// The assumptions that do not hold, by position in [`Spec::assumptions`].
    pub violated: Vec<usize>,
}

/// Runs one decision of a specification.
#[derive(Clone, Debug)]
pub struct Interpreter<'a> {
    spec: &'a Spec,
    decision: &'a Decision,
    /// The expressions the decision and the assumptions need, in order.
    needed: Vec<u32>,
}

/// Runs the decision at position `decision` on one assignment.
///
/// # Panics
/// When the assignment has not one value of the right sort for every variable.
pub fn run(spec: &Spec, decision: usize, assignment: &[Value]) -> Run {
    Interpreter::new(spec, decision).run(assignment)
}

/// Whether flipping all of `leaves` together flips the decision, where the conditions have the values `conditions`: the
/// definition, word for word.
pub fn decides(decision: &Decision, conditions: &[bool], leaves: &[LeafId]) -> bool {
    let mut flipped = conditions.to_vec();
    for leaf in leaves {
        flipped[leaf.0 as usize] = !flipped[leaf.0 as usize];
    }
    decision.formula.eval(conditions) != decision.formula.eval(&flipped)
}

impl<'a> Interpreter<'a> {
    /// For the decision at position `decision`.
    pub fn new(spec: &'a Spec, decision: usize) -> Interpreter<'a> {
        let decision = &spec.decisions[decision];
        let roots = std::iter::once(decision.expr)
            .chain(decision.conditions.iter().map(|condition| condition.atom))
            .chain(spec.assumptions.iter().map(|assumption| assumption.expr));
        let mut used = vec![false; spec.exprs.len()];
        roots.for_each(|root| used[root.0 as usize] = true);
        for index in (0..spec.exprs.len()).rev() {
            if let (true, ExprKind::Apply { args, .. }) = (used[index], &spec.exprs[index].kind) {
                args.iter().for_each(|arg| used[arg.0 as usize] = true);
            }
        }
        let needed = (0..spec.exprs.len() as u32).filter(|&index| used[index as usize]).collect();
        Interpreter { spec, decision, needed }
    }

    /// Runs the decision on one assignment.
    ///
    /// # Panics
    /// When the assignment has not one value of the right sort for every variable.
    pub fn run(&self, assignment: &[Value]) -> Run {
        self.run_with_values(assignment).0
    }

    /// As [`Interpreter::run`], with the values of expressions.
    pub(crate) fn run_with_values(&self, assignment: &[Value]) -> (Run, Values) {
        let values = self.values(assignment);
        let conditions: Vec<bool> =
            self.decision.conditions.iter().map(|condition| values.truth(condition.atom)).collect();
        let outcome = self.decision.formula.eval(&conditions);
        debug_assert_eq!(outcome, values.truth(self.decision.expr), "the structure and the expression agree");
        let assumptions = self.spec.assumptions.iter().enumerate();
        let violated =
            assumptions.filter(|(_, assumption)| !values.truth(assumption.expr)).map(|(index, _)| index).collect();
        (Run { outcome, conditions, violated }, values)
    }

    fn values(&self, assignment: &[Value]) -> Values {
        assert_eq!(assignment.len(), self.spec.variables.len(), "an assignment has a value for every variable");
        let mut values = Values { values: vec![Value::Bool(false); self.spec.exprs.len()] };
        for &index in &self.needed {
            let expr = &self.spec.exprs[index as usize];
            let value = match &expr.kind {
                ExprKind::Variable(variable) => assignment[variable.0 as usize].clone(),
                ExprKind::Literal(value) => value.clone(),
                ExprKind::Apply { operator, indices, args } => {
                    let args: Vec<&Value> = args.iter().map(|arg| values.get(*arg)).collect();
                    apply(*operator, *indices, &args, &expr.sort)
                }
            };
            debug_assert_eq!(value.sort(), expr.sort, "values have the sorts the checker found");
            values.values[index as usize] = value;
        }
        values
    }
}

/// The values of the expressions a decision needs.
pub(crate) struct Values {
    values: Vec<Value>,
}

impl Values {
    pub(crate) fn get(&self, expr: ExprId) -> &Value {
        &self.values[expr.0 as usize]
    }

    fn truth(&self, expr: ExprId) -> bool {
        self.get(expr).as_bool().expect("a condition has a truth value")
    }
}
