//! The diagnostics of C programs: one row each.

use source::Code;

macro_rules! codes {
    ($($name:ident $id:literal $title:literal $explanation:literal;)*) => {
        $(#[doc = $title] pub static $name: Code = Code { id: $id, title: $title, explanation: $explanation };)*

        /// Every code.
        pub const CODES: &[&Code] = &[$(&$name,)*];
    };
}

codes! {
    SYNTAX "c-syntax" "The text does not follow the grammar of C"
        "The parser met something it did not expect. The message says what, and what could stand there instead. Reading \
         stops there, since in C the meaning of what follows depends on the declarations before it.";
    PREPROCESSOR "c-preprocessor" "The preprocessor failed"
        "C files are preprocessed by the system's compiler, `cc -E`, or by the program named in the environment variable \
         CPP. Its messages are shown. Files called `.i` are taken as already preprocessed.";
    NESTING "c-nesting" "The program nests too deeply"
        "Blocks, parentheses, declarators and operators may be nested up to 4000 deep. Generated code can usually be split.";
    UNKNOWN_NAME "c-unknown-name" "A name is not declared"
        "Every variable, type, member and label must be declared before it is used. A call of an undeclared function is \
         taken as a function that returns `int`, as in C before 1999, with a warning.";
    DUPLICATE "c-duplicate" "Something is declared twice"
        "Two declarations in one scope contradict each other, or something is defined a second time.";
    TYPE "c-type" "A type does not fit"
        "An operator, an assignment, a call or an initialiser gets something of a type it cannot take. The rules are \
         those of C11 with the extensions of GNU C that the headers of the system use.";
    CONSTANT "c-constant" "A constant expression is not constant, or out of range"
        "Sizes of arrays, widths of bit-fields, case labels, values of enumerations and initialisers of static \
         variables must be known when the program is compiled, and static assertions must hold.";
    CONVERSION "c-conversion" "A questionable conversion"
        "A conversion between a pointer and an integer, or between pointers to different types, without a cast. Compilers \
         warn of it too; the program is taken as it is.";
    IMPLICIT "c-implicit" "A function is called without a declaration"
        "The function is taken to return `int`. Include the header that declares it.";
    CONTROL "c-control" "A jump leads nowhere"
        "A `break` or `continue` outside a loop, a `case` outside a `switch`, or a `goto` to a label that the function \
         does not have.";
    UNSUPPORTED "c-unsupported" "Something is not supported"
        "The construct is known but Specimen does not handle it: nested functions, `_BitInt`. Within a function most constructs that \
         are not supported, such as computed gotos, end the runs that come to them instead. Nothing is dropped silently.";
    ASSEMBLY "c-assembly" "Inline assembly is not followed"
        "What inline assembly writes is unknown. A run that uses such a value ends there, and so does a run that comes to assembly \
         with the clobber `memory` or with `goto`; goals that are only met behind stay open. Assembly that writes nothing is skipped: \
         barriers, waiting, switching interrupts.";
    ENVIRONMENT "c-environment" "Functions of the outside world are inputs"
        "The program calls functions of the system whose results depend on the world outside of the program, such as `time` or \
         `getenv`. Their results are inputs: tests choose them, and a harness supplies them. Functions of the library that compute \
         something are not inputs; where one has no model, a run ends at its call and goals behind it stay open.";
    LINK "c-link" "Files of a program do not fit together"
        "Two files define the same function or variable, or declare it with different types, or the entry function is missing.";
}
