//! The diagnostics of TeSSLa specifications and traces: one row each.

use source::Code;

macro_rules! codes {
    ($($name:ident $id:literal $title:literal $explanation:literal;)*) => {
        $(#[doc = $title] pub static $name: Code = Code { id: $id, title: $title, explanation: $explanation };)*

        /// Every code.
        pub const CODES: &[&Code] = &[$(&$name,)*];
    };
}

codes! {
    SYNTAX "tessla-syntax" "The text does not follow the grammar"
        "The parser met something it did not expect. Statements end at the end of a line; a line may go on after an operator, a \
         comma or an opening bracket. Reading goes on at the next statement, so one mistake may cause a second message.";
    TOO_DEEP "tessla-too-deep" "Something is nested too deeply"
        "Expressions and types may be nested some thousand levels deep, and macros may expand each other about as deeply. Macros that \
         call themselves need a `static if` whose condition is known before the run.";
    UNKNOWN_NAME "tessla-unknown-name" "A name is not defined"
        "Every value, stream, function, type and module must be defined in the file, in one it includes or in the standard \
         library, and every member in its object. The nearest defined name is suggested.";
    DUPLICATE_NAME "tessla-duplicate-name" "A name is defined twice in one scope"
        "Definitions of an inner scope may hide those of an outer one, and those of a file hide those of the standard library, but one \
         scope defines each name once.";
    TYPE_MISMATCH "tessla-type-mismatch" "A type is not the one that is needed"
        "The expression has another type than its context needs. Values become streams with one event at time 0 where streams are \
         needed, and liftable functions take streams in place of values; nothing else is converted silently.";
    MISSING_TYPE "tessla-missing-type" "A type must be written down"
        "Parameters need a type annotation, and so does the result of a definition that refers to itself. A type argument that neither \
         the arguments nor the use of the result tell must be written down, as in `nil[Int]`.";
    ARITY "tessla-arity" "The number of arguments is wrong"
        "The call has more or fewer arguments, or type arguments, than the definition has parameters; or a named argument has no \
         parameter of its name.";
    RECURSION "tessla-recursion" "A definition depends on itself"
        "A value cannot be defined by itself. A stream can, when every way back to itself passes through the first argument of `last` \
         or of `delay`, which look at the past only.";
    TIME_UNIT "tessla-time-unit" "A time unit cannot be used"
        "Literals with a unit, such as `5ms`, are converted to the unit of the trace, which `--time-unit` names. The unit of the \
         literal must not be smaller. Units are fs, ps, ns, us, ms, s, min, h and d.";
    INCLUDE "tessla-include" "A file cannot be included"
        "The path of an `include` is relative to the file it stands in.";
    ASSERTION "tessla-assertion" "An assertion cannot be understood"
        "A comment that begins with `# assert` constrains generated tests. It goes on with some, empty, exists or all and a stream \
         expression; exists and all need a stream of truth values. The readable forms never, sequence, directly, response and precedence \
         take streams of truth values with commas between them, and some of them `within N` at the end.";
    UNSUPPORTED "tessla-unsupported" "Something is not supported"
        "The construct is known but Specimen does not handle it. Nothing is dropped silently.";
    EMPTY "tessla-empty" "The file declares nothing"
        "The file holds no statement and no assertion, only blanks and comments. A specification declares its inputs with `in` and says what \
         to show with `out`.";
    NO_OUTPUT "tessla-no-output" "A specification has no output"
        "Nothing is printed and nothing is to be covered: goals belong to streams that some `out` or `print` shows. A file that is only \
         included by others needs none.";
    DUPLICATE_OUTPUT "tessla-duplicate-output" "Two outputs have the same name"
        "Lines of both appear under one name. Rename one with `as`.";
    DEPRECATED "tessla-deprecated" "An old way of writing"
        "The construct still works, but newer versions of the language write it differently.";
    TRACE_SYNTAX "tessla-trace-syntax" "A line of a trace is not an event"
        "A line of a trace is `TIME: STREAM = VALUE`, or `TIME: STREAM` for a stream of units. Blank lines and comments from `--` or `#` on are \
         skipped.";
    TRACE_ORDER "tessla-trace-order" "The events of a trace are not in order"
        "Times must not decrease from line to line, and a stream has at most one event at a time.";
    TRACE_STREAM "tessla-trace-stream" "A trace names an unknown stream"
        "The specification does not declare the stream with `in`. Its events are ignored, and time passes to them; with \
         `--reject-undeclared-inputs` the trace is rejected.";
    TRACE_VALUE "tessla-trace-value" "An event has a value of the wrong type"
        "The value must have the type with which the stream is declared.";
    RUN_TIME "tessla-run-time" "An operation is undefined"
        "During a run an operation had no result: a division by zero, the value of `None`, a missing key, a position outside a list, a \
         delay that is not positive. Outputs before that time are valid. The message names the time.";
}
