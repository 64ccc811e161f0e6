//! The diagnostics of Boolean decisions: one row each.

use source::Code;

macro_rules! codes {
    ($($name:ident $id:literal $title:literal $explanation:literal;)*) => {
        $(#[doc = $title] pub static $name: Code = Code { id: $id, title: $title, explanation: $explanation };)*

        /// Every code.
        pub const CODES: &[&Code] = &[$(&$name,)*];
    };
}

codes! {
    SYNTAX "bool-syntax" "The text does not follow the grammar"
        "The parser met something it did not expect. The message says what, and what could stand there instead. After an \
         error in a `.bool` file reading goes on behind the next semicolon, so one missing sign may cause a second message.";
    EMPTY "bool-empty" "The file holds nothing"
        "The file is empty or holds comments only. A specification declares inputs and at least one decision.";
    BAD_NUMBER "bool-bad-number" "A number is malformed or out of place"
        "A numeral cannot be read, does not fit the bit-vector it is used as, or a width, an index or the ends of a range \
         are not what they must be: literal numbers, the lower end not above the upper.";
    UNKNOWN_NAME "bool-unknown-name" "A name is not declared"
        "Every variable, definition, function and enumeration value must be declared. The nearest declared name is \
         suggested. To use a free Boolean variable declare it: `input a: bool;`.";
    UNKNOWN_SORT "bool-unknown-sort" "A sort is not known"
        "The sorts are bool, int, real, bitvec[N] (also u8, u16, u32, u64), array[INDEX] of ELEMENT and declared enumerations; in \
         SMT-LIB files Bool, Int, Real, (_ BitVec N), (Array I E) and declared enumerations.";
    AMBIGUOUS_NAME "bool-ambiguous-name" "A value belongs to several enumerations"
        "Two enumerations declare the same value. Write it with its enumeration, as in `Colour.red`.";
    DUPLICATE_NAME "bool-duplicate-name" "A name is declared twice"
        "Inputs, definitions, decisions and enumeration values share one name space. Rename one of the two.";
    CYCLIC_DEFINITION "bool-cyclic-definition" "A definition refers to itself"
        "Definitions are abbreviations: they are replaced by what they stand for, so none may refer to itself, directly \
         or through others.";
    SORT_MISMATCH "bool-sort-mismatch" "An operator or function gets arguments of the wrong sort"
        "Connectives take truth values, arithmetic takes numbers, comparisons take two sides of one sort. Integers are \
         converted to reals where needed; nothing else is converted silently.";
    ARITY "bool-arity" "A function gets the wrong number of arguments"
        "The call has more or fewer arguments than the definition has parameters or the operator takes.";
    NO_DECISION "bool-no-decision" "The file has no decision"
        "A specification needs at least one decision: `decision name = formula;` in a `.bool` file, an `assert` or a Boolean \
         `define-fun` called `decision` in an SMT-LIB file.";
    UNKNOWN_DECISION "bool-unknown-decision" "No decision has the chosen name"
        "The name given for the decision is not among those of the file.";
    CONSTANT_DECISION "bool-constant-decision" "A decision always has the same outcome"
        "A decision built from truth constants alone is an error: it has no condition to test. Where no input that the \
         assumptions allow changes the outcome, this is a finding about the decision, shown as a warning: goals that need \
         the other outcome, or a condition that decides, are infeasible; all others are covered.";
    CONTRADICTORY_ASSUMPTIONS "bool-contradictory-assumptions" "The assumptions contradict each other"
        "No input satisfies all assumptions, ranges of inputs included, so there is nothing to test. The message points at a \
         smallest set of assumptions that cannot hold together.";
    TOO_LARGE "bool-too-large" "The decision is too large once its definitions are expanded"
        "Conditions are counted by occurrence, so every use of a definition counts anew and nested definitions can multiply. \
         Make the inner definitions inputs or decisions of their own.";
    TOO_DEEP "bool-too-deep" "Sorts are nested too deeply"
        "Array sorts may be nested up to 32 deep.";
    NOT_DNF "bool-not-dnf" "The decision is not in disjunctive normal form"
        "MUMCUT is defined on a disjunction of conjunctions of conditions, each negated or not. Rewrite the decision, or \
         choose a criterion that takes any shape, such as masking-mcdc.";
    TOO_MANY_COMBINATIONS "bool-too-many-combinations" "Too many combinations of condition values"
        "Multiple condition coverage asks for every combination of condition values, two to the number of conditions. It \
         is offered up to 16 conditions; masking-mcdc needs about one test more than there are conditions.";
    UNSUPPORTED "bool-unsupported" "Something is not supported"
        "The construct is known but Specimen does not handle it. Nothing is dropped silently.";
    UNUSED_INPUT "bool-unused-input" "An input occurs nowhere"
        "The input is declared but no decision and no assumption mentions it. Tests give it a value all the same.";
    TABLE "bool-table" "A table of tests cannot be read"
        "A table of tests has a header line of variable names and one line per test, fields separated by commas. \
         Every input has a column; further columns are ignored.";
}
