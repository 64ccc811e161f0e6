//! The diagnostics of action systems: one row each.

use source::Code;

macro_rules! codes {
    ($($name:ident $id:literal $title:literal $explanation:literal;)*) => {
        $(#[doc = $title] pub static $name: Code = Code { id: $id, title: $title, explanation: $explanation };)*

        /// Every code.
        pub const CODES: &[&Code] = &[$(&$name,)*];
    };
}

codes! {
    SYNTAX "action-syntax" "The text does not follow the grammar"
        "The parser met something it did not expect. The message says what, and what could stand there instead.";
    NESTED "action-nested" "Something is nested too deeply"
        "Parentheses, blocks and operators nest up to 200 deep. Long sequences, choices and conjunctions do not nest.";
    NUMBER "action-number" "A number is out of range or out of place"
        "Numbers lie between -2^62 and 2^62, the lower end of an interval is not above the upper one, and a type has at most \
         2^40 values, an array at most 65,536 cells.";
    MISSING "action-missing" "A part of the model is missing"
        "A model has at least one state variable with an initial value, one action and a do-od block that calls an action.";
    UNKNOWN_NAME "action-unknown-name" "A name is not declared"
        "Types, variables, parameters, binders and actions must be declared. The nearest declared name is suggested.";
    DUPLICATE_NAME "action-duplicate-name" "A name is declared twice"
        "A type, a variable, an action, a parameter or a fact that may occur once is declared twice, or a parameter \
         has the name of a variable.";
    ARITY "action-arity" "The number of values or arguments is wrong"
        "A call needs one argument for each parameter of its action, the initial state one value for each variable.";
    DOMAIN "action-domain" "A value lies outside its type"
        "An initial value lies outside the type of its variable.";
    KIND "action-kind" "Something of another kind is needed here"
        "A condition stands where a number is needed, a number where a condition is needed, an array without an index, or a \
         variable with an index that is not an array. Parameters cannot be assigned.";
    OVERFLOW "action-overflow" "Arithmetic may leave the 64-bit integers"
        "The values an expression can take, given the types of its variables, do not fit. Use smaller types.";
    ZERO_DIVISION "action-zero-division" "A division by zero"
        "The divisor is always zero. A division whose divisor may be zero gives a warning: a path that divides by zero is \
         no step, just as a path whose guard is false.";
    UNDEFINED "action-undefined" "An expression may be undefined"
        "A divisor may be zero, or an index may lie outside its array. The path that meets such a value is not a step.";
    UNSUPPORTED "action-unsupported" "Something is not supported"
        "The construct is known but Specimen does not handle it: methods and qualitative differential equations. Nothing \
         is dropped silently.";
    UNUSED "action-unused" "Something has no effect"
        "An action that is never called, a controllable or internal label without an action, or a binder no argument uses.";
    OTHER_VARIABLES "action-other-variables" "The mutant has other state variables than the model"
        "A mutant has the variables of the model, with the same names in the same order; their types, the initial state, the \
         actions and the do-od block may differ.";
    TRACE "action-trace" "A trace cannot be read"
        "A trace is a list of labels such as `close, lock, after(20)`, one per line or separated by commas. Each label is an \
         action of the model with as many numbers as it has parameters.";
}
