//! The operators: one row each. A new operator is a new row here; then follow the compiler.

/// The theory an operator belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Theory {
    /// Constants, symbols, connectives, equality, if-then-else.
    Core,
    /// Integer and real arithmetic.
    Arithmetic,
    /// Fixed-size bit-vectors.
    BitVectors,
    /// Arrays with extensionality.
    Arrays,
    /// Conversions between integers and bit-vectors.
    Conversion,
}

/// How many arguments an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly this many.
    Exactly(u8),
    /// At least this many.
    AtLeast(u8),
}

macro_rules! operators {
    ($($variant:ident $name:literal $theory:ident $arity:ident($count:literal) $indices:literal, $doc:literal;)*) => {
        /// An operator of SMT-LIB, or one of the two kinds of leaves.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op { $(#[doc = $doc] $variant,)* }

        impl Op {
            /// Every operator, in the order of the table.
            pub const ALL: &'static [Op] = &[$(Op::$variant,)*];

            /// The name in SMT-LIB.
            pub fn name(self) -> &'static str { match self { $(Op::$variant => $name,)* } }

            /// The theory the operator belongs to.
            pub fn theory(self) -> Theory { match self { $(Op::$variant => Theory::$theory,)* } }

            /// How many arguments it takes.
            pub fn arity(self) -> Arity { match self { $(Op::$variant => Arity::$arity($count),)* } }

            /// How many numerals index it, as in `(_ extract 7 0)`.
            pub fn index_count(self) -> usize { match self { $(Op::$variant => $indices,)* } }
        }
    };
}

operators! {
    Constant "" Core Exactly(0) 0, "A value.";
    Symbol "" Core Exactly(0) 0, "A declared constant.";
    Not "not" Core Exactly(1) 0, "Negation.";
    And "and" Core AtLeast(2) 0, "Conjunction.";
    Or "or" Core AtLeast(2) 0, "Disjunction.";
    Xor "xor" Core Exactly(2) 0, "Exclusive disjunction.";
    Implies "=>" Core Exactly(2) 0, "Implication.";
    Eq "=" Core Exactly(2) 0, "Equality, of any sort.";
    Distinct "distinct" Core AtLeast(2) 0, "Pairwise difference, of any sort.";
    Ite "ite" Core Exactly(3) 0, "If-then-else, of any sort.";

    Neg "-" Arithmetic Exactly(1) 0, "Arithmetic negation.";
    Add "+" Arithmetic AtLeast(2) 0, "Sum.";
    Sub "-" Arithmetic Exactly(2) 0, "Difference.";
    Mul "*" Arithmetic AtLeast(2) 0, "Product.";
    Div "div" Arithmetic Exactly(2) 0, "Integer quotient with a remainder that is never negative; by zero it is 0.";
    Mod "mod" Arithmetic Exactly(2) 0, "Remainder of `Div`, never negative; by zero it is the dividend.";
    Abs "abs" Arithmetic Exactly(1) 0, "Absolute value of an integer.";
    Divide "/" Arithmetic Exactly(2) 0, "Real quotient; by zero it is 0.";
    Lt "<" Arithmetic Exactly(2) 0, "Less than.";
    Le "<=" Arithmetic Exactly(2) 0, "Less than or equal.";
    Gt ">" Arithmetic Exactly(2) 0, "Greater than.";
    Ge ">=" Arithmetic Exactly(2) 0, "Greater than or equal.";
    Divisible "divisible" Arithmetic Exactly(1) 1, "Whether the index, which is positive, divides the integer.";
    ToReal "to_real" Arithmetic Exactly(1) 0, "The integer as a real.";
    ToInt "to_int" Arithmetic Exactly(1) 0, "The largest integer not above the real.";
    IsInt "is_int" Arithmetic Exactly(1) 0, "Whether the real is an integer.";

    Concat "concat" BitVectors Exactly(2) 0, "The first argument's bits above the second's.";
    Extract "extract" BitVectors Exactly(1) 2, "Bits from the first index down to the second.";
    BvNot "bvnot" BitVectors Exactly(1) 0, "Bitwise negation.";
    BvNeg "bvneg" BitVectors Exactly(1) 0, "Two's complement negation.";
    BvAnd "bvand" BitVectors Exactly(2) 0, "Bitwise and.";
    BvOr "bvor" BitVectors Exactly(2) 0, "Bitwise or.";
    BvXor "bvxor" BitVectors Exactly(2) 0, "Bitwise exclusive or.";
    BvNand "bvnand" BitVectors Exactly(2) 0, "Negated bitwise and.";
    BvNor "bvnor" BitVectors Exactly(2) 0, "Negated bitwise or.";
    BvXnor "bvxnor" BitVectors Exactly(2) 0, "Negated bitwise exclusive or.";
    BvComp "bvcomp" BitVectors Exactly(2) 0, "One bit: whether the arguments are equal.";
    BvAdd "bvadd" BitVectors Exactly(2) 0, "Sum modulo two to the width.";
    BvSub "bvsub" BitVectors Exactly(2) 0, "Difference modulo two to the width.";
    BvMul "bvmul" BitVectors Exactly(2) 0, "Product modulo two to the width.";
    BvUdiv "bvudiv" BitVectors Exactly(2) 0, "Unsigned quotient; by zero it is all ones.";
    BvUrem "bvurem" BitVectors Exactly(2) 0, "Unsigned remainder; by zero it is the dividend.";
    BvSdiv "bvsdiv" BitVectors Exactly(2) 0, "Signed quotient, rounded towards zero.";
    BvSrem "bvsrem" BitVectors Exactly(2) 0, "Signed remainder with the dividend's sign.";
    BvSmod "bvsmod" BitVectors Exactly(2) 0, "Signed remainder with the divisor's sign.";
    BvShl "bvshl" BitVectors Exactly(2) 0, "Shift left.";
    BvLshr "bvlshr" BitVectors Exactly(2) 0, "Shift right, zeros in.";
    BvAshr "bvashr" BitVectors Exactly(2) 0, "Shift right, sign bits in.";
    Repeat "repeat" BitVectors Exactly(1) 1, "The argument, index times over.";
    ZeroExtend "zero_extend" BitVectors Exactly(1) 1, "Index zeros above.";
    SignExtend "sign_extend" BitVectors Exactly(1) 1, "Index copies of the sign bit above.";
    RotateLeft "rotate_left" BitVectors Exactly(1) 1, "Rotation to the left.";
    RotateRight "rotate_right" BitVectors Exactly(1) 1, "Rotation to the right.";
    BvUlt "bvult" BitVectors Exactly(2) 0, "Unsigned less than.";
    BvUle "bvule" BitVectors Exactly(2) 0, "Unsigned less than or equal.";
    BvUgt "bvugt" BitVectors Exactly(2) 0, "Unsigned greater than.";
    BvUge "bvuge" BitVectors Exactly(2) 0, "Unsigned greater than or equal.";
    BvSlt "bvslt" BitVectors Exactly(2) 0, "Signed less than.";
    BvSle "bvsle" BitVectors Exactly(2) 0, "Signed less than or equal.";
    BvSgt "bvsgt" BitVectors Exactly(2) 0, "Signed greater than.";
    BvSge "bvsge" BitVectors Exactly(2) 0, "Signed greater than or equal.";

    Select "select" Arrays Exactly(2) 0, "The element at an index.";
    Store "store" Arrays Exactly(3) 0, "The array with one element replaced.";
    ConstArray "const" Arrays Exactly(1) 1, "The array that is the argument everywhere; the index is the array's `SortId`.";

    BvToNat "bv2nat" Conversion Exactly(1) 0, "The bit pattern as an unsigned integer.";
    IntToBv "int2bv" Conversion Exactly(1) 1, "The lowest index bits of the integer in two's complement.";
}
