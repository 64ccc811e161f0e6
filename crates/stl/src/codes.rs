//! The diagnostics of signal temporal logic: one row each.

use source::Code;

macro_rules! codes {
    ($($name:ident $id:literal $title:literal $explanation:literal;)*) => {
        $(#[doc = $title] pub static $name: Code = Code { id: $id, title: $title, explanation: $explanation };)*

        /// Every code.
        pub const CODES: &[&Code] = &[$(&$name,)*];
    };
}

codes! {
    SYNTAX "stl-syntax" "The text does not follow the grammar"
        "The parser met something it did not expect. The message says what, and what could stand there instead.";
    EMPTY "stl-empty" "The file holds no formula"
        "A file holds parameters, definitions and one formula, in this order. This one has no formula.";
    KEYWORD "stl-keyword" "An operator's letter is used as a name"
        "The letters G, F, N, o, U and R are temporal operators. A signal must have another name, such as `G1` or `gear`.";
    BAD_NUMBER "stl-bad-number" "A number is malformed or out of place"
        "A numeral is too long, a divisor is zero, or something that is not a number stands where a constant is needed.";
    DUPLICATE_NAME "stl-duplicate-name" "A name is defined twice"
        "Parameters and definitions share one name space.";
    DEFINITION_ORDER "stl-definition-order" "A definition is used before it is given"
        "Definitions are abbreviations. One can use only those above it, so none can refer to itself.";
    UNKNOWN_DEFINITION "stl-unknown-definition" "No definition has the chosen name"
        "`--decision NAME` takes the definition `let NAME = ...;` in place of the whole formula, to find out where a mistake lies.";
    SORT_CONFLICT "stl-sort-conflict" "A name is used both as a truth value and as a number"
        "A signal is either Boolean, as in `engine_on & ...`, or real, as in `speed > 3`. Parameters are numbers, \
         definitions are formulas.";
    UNKNOWN_VALUE "stl-unknown-value" "An enumeration does not have this value"
        "`enum mode = {off, on};` gives the values of the signal `mode`. A comparison names one of them: `mode == on`.";
    MIXED_SHAPES "stl-mixed-shapes" "A sum mixes signals with steps and straight ones"
        "The monitor judges such a sum. Tests are not drawn for it: declare all of its signals with `step`, or none of them.";
    NOT_LINEAR "stl-not-linear" "A comparison is not linear"
        "Comparisons are linear: sums of signals, each multiplied by a constant. Products of signals and division by a signal \
         are not supported, and at least one signal must occur.";
    VECTOR_LENGTH "stl-vector-length" "The two vectors of a comparison have different lengths"
        "`(c1, c2)^T (x1, x2) <= b` needs as many coefficients as signals.";
    NEGATIVE_BOUND "stl-negative-bound" "A time bound is negative"
        "Windows look ahead only: both bounds are zero or more.";
    EMPTY_WINDOW "stl-empty-window" "A window holds no point of time"
        "The lower bound is above the upper one. Then `F` and `U` are always false, `G` and `R` always true. That is hardly meant.";
    MIXED_OPERATORS "stl-mixed-operators" "A formula reads differently in other tools without brackets"
        "`U` and `R` bind tighter than `&`, `|` and `->` here, and `a -> b -> c` means `(a -> b) -> c`. Other tools read them \
         differently; brackets make the meaning plain.";
    NARROW_WINDOW "stl-narrow-window" "A temporal operator covers less than it seems to"
        "`G[0,10] a -> b` means `(G[0,10] a) -> b`: a prefix operator covers only what stands right behind it. Most requirements mean \
         `G[0,10] (a -> b)`. Brackets on either side make the meaning plain, and the warning goes.";
    UNUSED "stl-unused" "A parameter or definition is never used"
        "It is given but occurs nowhere below.";
    TOO_LARGE "stl-too-large" "The formula is too large once its definitions are expanded"
        "Definitions are abbreviations; nested ones can multiply. The limit is 100,000 operators.";
    TOO_MANY_GOALS "stl-too-many-goals" "The criterion has too many goals"
        "The number of mutants grows with the square of the number of propositions. Choose fewer mutation operators, or validate parts \
         of the formula one by one.";
    UNBOUNDED "stl-unbounded" "Tests need bounded operators"
        "A test is a signal of finite length, so every temporal operator needs a window such as `[0,10]`. The monitor takes \
         unbounded operators.";
    TOO_LONG "stl-too-long" "The formula looks too far ahead for the size of its time step"
        "Signals are drawn on a grid whose step divides all bounds, or, where that would have more than 20,000 steps, at the sums of bounds. \
         A formula with more than 250 such sums is not searched: choose bounds with a larger common divisor, or nest fewer windows.";
    TAUTOLOGY "stl-tautology" "The formula is always true"
        "No signal violates the formula, so it demands nothing. A frequent cause is `F(p -> q)`, which holds as soon as `p` \
         fails once; often `F(p & q)` or `G(p -> q)` is meant.";
    CONTRADICTION "stl-contradiction" "The formula is never true"
        "No signal satisfies the formula, so no system can.";
    ASSUMED_SECONDS "stl-assumed-seconds" "Times with a unit are counted in seconds"
        "A bound such as `20ms` is converted to the unit of the times of the signals. The file does not say which that is, so it is taken \
         to be seconds. Write `unit ms;` before the formula, or another of h, min, s, ms, us and ns, to say so.";
    SIGNAL_SYNTAX "stl-signal-syntax" "A file of signals cannot be read"
        "A file of signals is a table: a header line `time,x,y,...` and one line for each sample, fields separated by commas. Every \
         signal of the formula has a column; further columns are ignored.";
    SIGNAL_COLUMN "stl-signal-column" "A signal has no column, or two"
        "The header of the table names every signal of the formula once, and one column is called `time`.";
    SIGNAL_VALUE "stl-signal-value" "A sample is not a number"
        "A field is NaN, infinite or no number (for Boolean signals: no truth value; for enumerations: none of their values). An empty \
         field is no sample: the signal goes on as it does between samples.";
    SIGNAL_TIME "stl-signal-time" "The times of the samples decrease"
        "Times increase from line to line; two lines with one time are a jump. Sort the table.";
    SIGNAL_LATE "stl-signal-late" "A signal has its first sample later than others"
        "What a signal was before its first sample is not made up: time zero is where all signals are known. Remove the lines before it, or          give the signal a first value, to judge from there.";
    SIGNAL_SHORT "stl-signal-short" "The signal ends before the formula's horizon"
        "The formula looks further ahead than the samples reach. What comes after them is not made up: the verdict is undecided if it \
         depends on that, and the message says up to when samples are needed. The signals of a suite hold their last values.";
}
