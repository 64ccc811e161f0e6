//! The mutation operators: one row each.

macro_rules! operators {
    ($($variant:ident $name:literal $source:literal $words:literal;)*) => {
        /// A mutation operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Operator { $(#[doc = $words] $variant,)* }

        impl Operator {
            /// Every operator, in the order in which mutants are made.
            pub const ALL: &'static [Operator] = &[$(Operator::$variant,)*];

            /// The name on the command line and in the names of mutants.
            pub fn name(self) -> &'static str { match self { $(Operator::$variant => $name,)* } }

            /// What it does, in a few words.
            pub fn description(self) -> &'static str { match self { $(Operator::$variant => $words,)* } }

            /// Whether the thesis uses it.
            pub fn is_classic(self) -> bool { match self { $(Operator::$variant => $source,)* } }
        }
    };
}

operators! {
    GuardTrue "guard-true" true "a guard becomes true";
    Equality "equality" true "equal becomes different and the reverse";
    Increment "increment" true "a number grows by one, or becomes the lowest of its type";
    Identity "identity" true "nothing changes: a mutant known to be equivalent";
    GuardNegation "guard-negation" false "a guard is negated";
    Relational "relational" false "a comparison becomes another one";
    Logical "logical" false "and becomes or, a negation is dropped, and the like";
    Arithmetic "arithmetic" false "an arithmetic operator becomes another one";
    Constant "constant" false "a number becomes one less, zero, or one";
    Variable "variable" false "a variable becomes another one of the same type";
    Delete "delete" false "an assignment is left out";
    Swap "swap" false "two neighbours of a sequence change places";
    Branch "branch" false "a branch of a choice is left out";
    Argument "argument" false "an argument of a call changes";
    Initial "initial" false "an initial value changes";
    Bound "bound" false "an end of a type moves by one";
}

/// A set of operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorSet(Vec<Operator>);

impl OperatorSet {
    /// The four of the thesis.
    pub fn classic() -> OperatorSet {
        OperatorSet(Operator::ALL.iter().copied().filter(|operator| operator.is_classic()).collect())
    }

    /// All of them.
    pub fn all() -> OperatorSet {
        OperatorSet(Operator::ALL.to_vec())
    }

    /// The set that a list of names, separated by commas, stands for; `classic` and `all` are sets.
    ///
    /// # Errors
    /// The name that is none.
    pub fn from_names(names: &str) -> Result<OperatorSet, String> {
        let mut chosen = Vec::new();
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match name {
                "classic" => chosen.extend(OperatorSet::classic().0),
                "all" => chosen.extend(Operator::ALL),
                _ => match Operator::ALL.iter().find(|operator| operator.name() == name) {
                    Some(operator) => chosen.push(*operator),
                    None => return Err(name.to_owned()),
                },
            }
        }
        Ok(OperatorSet(chosen))
    }

    /// Whether the operator is in the set.
    pub fn contains(&self, operator: Operator) -> bool {
        self.0.contains(&operator)
    }
}
