//! The diagnostics of linear temporal logic: one row each.

use source::Code;

macro_rules! codes {
    ($($name:ident $id:literal $title:literal $explanation:literal;)*) => {
        $(#[doc = $title] pub static $name: Code = Code { id: $id, title: $title, explanation: $explanation };)*

        /// Every code.
        pub const CODES: &[&Code] = &[$(&$name,)*];
    };
}

codes! {
    SYNTAX "ltl-syntax" "The text does not follow the grammar"
        "The parser met something it did not expect. The message says what, and what could stand there instead.";
    EMPTY "ltl-empty" "The file holds no formula"
        "The file is empty or holds declarations and comments only. A specification has at least one formula.";
    BOTH_SIDES "ltl-both-sides" "A signal is declared twice"
        "Every signal belongs to one side: the environment sets inputs, the system sets outputs and hidden outputs. A signal \
         cannot be set by both.";
    NO_SIDE "ltl-no-side" "A signal is neither input nor output"
        "Once a file declares inputs or outputs, every proposition of its formulas must be one of them. The nearest declared \
         name is suggested. `Fp` is a name: write `F p`.";
    TRACE_SYNTAX "ltl-trace-syntax" "A trace cannot be read"
        "The text does not follow the format of the trace: a table (CSV), one JSON object or array a line, a value change dump \
         (VCD), or one line of values for each signal.";
    TRACE_MISSING "ltl-trace-missing" "A trace lacks a signal"
        "Every proposition of the properties needs a value in every step. The nearest name of the trace is suggested. In a value \
         change dump a name that stands in several scopes is written with its scope, as in `\"top.request\"`.";
    TRACE_EXTRA "ltl-trace-extra" "A trace holds signals that no property mentions"
        "They are ignored. The warning is there because a misspelt name looks the same.";
    TRACE_VALUE "ltl-trace-value" "A value of a trace is neither true nor false"
        "True is written 1, T or true; false is 0, F, - or false. Unknown and undriven values (x, z) have no truth \
         value unless --unknown says which; of several bits one is named, or they are compared with a number.";
    TRACE_RESET "ltl-trace-reset" "The system is reset in the middle of a trace"
        "Steps in which the signal of --reset is active are none of the trace. Once it has begun, a further reset ends it: properties \
         are about one run of the system. Cut the dump there to judge what follows.";
    TRACE_ROW "ltl-trace-row" "A step of a trace has too few or too many values"
        "Every line of a table has as many fields as its head, and every signal of a trace as many values as the others.";
    BAD_NUMBER "ltl-bad-number" "A number is malformed or out of place"
        "A number of steps cannot be read, is too large, or the ends of a range are the wrong way round.";
    TOO_LARGE "ltl-too-large" "The specification is too large once it is unfolded"
        "Repeated operators and TLSF definitions are unfolded. The result has more than a few million parts, or definitions \
         refer to themselves without end.";
    TOO_DEEP "ltl-too-deep" "Definitions are nested too deeply"
        "TLSF function calls and big operators may be nested up to a few hundred deep.";
    UNKNOWN_NAME "ltl-unknown-name" "A name is not declared"
        "A TLSF specification declares its signals, parameters and definitions. The nearest declared name is suggested.";
    DUPLICATE_NAME "ltl-duplicate-name" "A name is declared twice"
        "Signals, parameters, definitions, enumerations and their values share one name space. Rename one of the two.";
    TYPE_MISMATCH "ltl-type-mismatch" "An operator gets a value of the wrong kind"
        "TLSF distinguishes numbers, sets, buses, enumeration values and formulas. The message says what was expected and \
         what was found.";
    OUT_OF_RANGE "ltl-out-of-range" "An index is outside its bus"
        "A bus of width n has the signals 0 to n-1. The same is reported for negative widths, a division by zero, and the \
         smallest member of an empty set.";
    NO_MATCH "ltl-no-match" "No case of a definition applies"
        "None of the guards of the definition holds for the arguments. Add a case `otherwise`.";
    ARITY "ltl-arity" "A definition gets the wrong number of arguments"
        "The call has more or fewer arguments than the definition has parameters.";
    ASYMMETRIC "ltl-asymmetric" "A declared symmetry does not hold"
        "With the signals exchanged the specification must say the same: each of its parts must be one of its parts again, up to \
         the order of arguments, or follow from one. Signals that belong together are exchanged together, and only for signals of \
         the same side. What cannot be shown is not used.";
    UNREALIZABLE "ltl-unrealizable" "No system satisfies the specification"
        "Some environment makes every system fail, so there is nothing to test: a strategy would convict systems that nobody could \
         have built better. The environment is shown, and written to machine.json with --out; `specimen check --realizable` finds \
         it as well. Weaken a guarantee, or assume more of the inputs.";
    UNSUPPORTED "ltl-unsupported" "Something is not supported"
        "The construct is known but Specimen does not handle it. Nothing is dropped silently.";
}
