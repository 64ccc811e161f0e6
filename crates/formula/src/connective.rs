//! The Boolean connectives: one row each.

/// A Boolean connective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Connective {
    /// Negation of one argument.
    Not,
    /// Conjunction of two or more.
    And,
    /// Disjunction of two or more.
    Or,
    /// Parity of two or more: whether an odd number of them holds.
    Xor,
    /// Implication between two.
    Implies,
    /// Equality of two or more: whether all or none of them hold.
    Iff,
    /// Whether no two of two or more are equal; with three or more it never holds.
    Distinct,
    /// The second or the third of three, as the first holds or not.
    Ite,
}

impl Connective {
    /// The value for the values of the arguments.
    pub fn apply(self, args: &[bool]) -> bool {
        match self {
            Connective::Not => !args[0],
            Connective::And => args.iter().all(|&arg| arg),
            Connective::Or => args.iter().any(|&arg| arg),
            Connective::Xor => args.iter().filter(|&&arg| arg).count() % 2 == 1,
            Connective::Implies => !args[0] || args[1],
            Connective::Iff => args.iter().all(|&arg| arg == args[0]),
            Connective::Distinct => args.len() == 2 && args[0] != args[1],
            Connective::Ite => {
                if args[0] {
                    args[1]
                } else {
                    args[2]
                }
            }
        }
    }
}
