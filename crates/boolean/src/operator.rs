//! The operators of expressions: one row each. Their meaning is in the interpreter, their sorts in the checker.

macro_rules! operators {
    ($($variant:ident $name:literal;)*) => {
        /// An operator. Division by zero is total: `div` and `/` give 0, `mod` the dividend, and bit-vectors what
        /// SMT-LIB says.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Operator { $(#[doc = concat!("`", $name, "` of SMT-LIB.")] $variant,)* }

        impl Operator {
            /// Every operator.
            pub const ALL: &'static [Operator] = &[$(Operator::$variant,)*];

            /// The name in SMT-LIB.
            pub fn name(self) -> &'static str { match self { $(Operator::$variant => $name,)* } }
        }
    };
}

operators! {
    Not "not";
    And "and";
    Or "or";
    Xor "xor";
    Implies "=>";
    Eq "=";
    Distinct "distinct";
    Ite "ite";
    Neg "-";
    Add "+";
    Sub "-";
    Mul "*";
    Div "div";
    Mod "mod";
    Abs "abs";
    Divide "/";
    Lt "<";
    Le "<=";
    Gt ">";
    Ge ">=";
    Divisible "divisible";
    ToReal "to_real";
    ToInt "to_int";
    IsInt "is_int";
    Concat "concat";
    Extract "extract";
    BvNot "bvnot";
    BvNeg "bvneg";
    BvAnd "bvand";
    BvOr "bvor";
    BvXor "bvxor";
    BvNand "bvnand";
    BvNor "bvnor";
    BvXnor "bvxnor";
    BvComp "bvcomp";
    BvAdd "bvadd";
    BvSub "bvsub";
    BvMul "bvmul";
    BvUdiv "bvudiv";
    BvUrem "bvurem";
    BvSdiv "bvsdiv";
    BvSrem "bvsrem";
    BvSmod "bvsmod";
    BvShl "bvshl";
    BvLshr "bvlshr";
    BvAshr "bvashr";
    Repeat "repeat";
    ZeroExtend "zero_extend";
    SignExtend "sign_extend";
    RotateLeft "rotate_left";
    RotateRight "rotate_right";
    BvUlt "bvult";
    BvUle "bvule";
    BvUgt "bvugt";
    BvUge "bvuge";
    BvSlt "bvslt";
    BvSle "bvsle";
    BvSgt "bvsgt";
    BvSge "bvsge";
    Select "select";
    Store "store";
    ConstArray "const";
    BvToNat "bv2nat";
    IntToBv "int2bv";
}
