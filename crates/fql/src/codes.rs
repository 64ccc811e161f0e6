//! The diagnostics of FQL: one row each.

use source::Code;

macro_rules! codes {
    ($($name:ident $id:literal $title:literal $explanation:literal;)*) => {
        $(#[doc = $title] pub static $name: Code = Code { id: $id, title: $title, explanation: $explanation };)*

        /// Every code.
        pub const CODES: &[&Code] = &[$(&$name,)*];
    };
}

codes! {
    SYNTAX "fql-syntax" "The query does not follow the grammar"
        "The parser met something it did not expect. The message says what, and what could stand there instead. \
         `HELP` in the shell shows the whole grammar.";
    INFINITE "fql-infinite" "The coverage clause asks for infinitely many goals"
        "Every word of the cover clause is a goal, so `*` and `>=` are not allowed there. Put the part into double quotes: \
         a quoted pattern is one goal that any of its words meets.";
    QUOTE "fql-quote" "A quoted pattern stands where it has no meaning"
        "Quotes turn a pattern into one goal of the cover clause. Inside quotes and in the passing clause, which describes one \
         run, there is nothing to quote.";
    NOT_A_FILTER "fql-not-a-filter" "A pattern stands where a filter is needed"
        "`|`, `&`, NOT, SETMINUS, COMPOSE, NODES, EDGES, PATHS and `in` take filters. Patterns are joined by `+` and `.`.";
    BAD_BOUND "fql-bad-bound" "A bound is not what it must be"
        "Bounds are natural numbers; that of PATHS is at least 1. Very large repetitions are rejected because the automaton \
         would grow with them.";
    TOO_DEEP "fql-too-deep" "The query is nested too deeply"
        "Parentheses and functions may be nested up to 500 deep. Use macros or split the query.";
    TOO_LARGE "fql-too-large" "The query is too large for this program"
        "The automaton, the set of paths or the number of goals grows beyond what can be handled. Lower the bounds, or name a \
         smaller part of the program, for instance with `& @FUNC(f)`.";
    MACRO "fql-macro" "A macro is defined or used wrongly"
        "Macros are defined as in C: `#define name text` or `#define name(a, b) text`. A macro with parameters is used with as many \
         arguments; `#` and `##` are not supported.";
    PREDICATE "fql-predicate" "A predicate is no C expression"
        "The text between braces must be a C expression without assignments and other side effects. Its names are looked up at every \
         place of the program.";
    UNRESOLVED_PREDICATE "fql-unresolved-predicate" "The names of a predicate are known nowhere"
        "At no place of the program do all names of the predicate mean something, so its value is arbitrary everywhere: it \
         constrains nothing.";
    UNKNOWN_NAME "fql-unknown-name" "A name does not occur in the program"
        "The function, label, variable or file of a filter is not part of the program. The nearest known name is suggested.";
    EMPTY_TARGET "fql-empty-target" "A filter expression finds nothing"
        "The filter expression evaluates to an empty target graph, so that it contributes no goal and matches no step. The names in it \
         are known; likely the combination is not what was meant.";
    PROPERTY "fql-property" "A property file is not supported"
        "The property files of Test-Comp are read: `COVER( init(main()), FQL(…) )`. Other properties, such as those of SV-COMP \
         about all runs, are not coverage goals.";
    NO_ENTRY "fql-no-entry" "The function to test does not exist"
        "Tests call one function: `main`, the only one there is, or the one that is named. It must have a body: a file without \
         functions, or with declarations alone, has nothing to test.";
    COMMAND "fql-command" "A command of the shell is not understood"
        "The commands are listed by HELP. Names of files are written in single quotes.";
}
