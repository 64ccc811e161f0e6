//! The built-in operators on values: one row each.

macro_rules! operators {
    ($($variant:ident $name:literal $arity:literal $doc:literal;)*) => {
        /// A strict built-in operator on values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Operator {
            $(#[doc = $doc] $variant,)*
        }

        impl Operator {
            /// Every operator.
            pub const ALL: &'static [Operator] = &[$(Operator::$variant,)*];

            /// The name under which the standard library asks for it.
            pub fn name(self) -> &'static str {
                match self { $(Operator::$variant => $name,)* }
            }

            /// The number of operands.
            pub fn arity(self) -> usize {
                match self { $(Operator::$variant => $arity,)* }
            }
        }
    };
}

operators! {
    Not "not" 1 "Negation of a truth value.";
    Negate "negate" 1 "`-x`.";
    BitNot "bitflip" 1 "`~x`.";
    Add "add" 2 "`x + y`.";
    Subtract "sub" 2 "`x - y`.";
    Multiply "mul" 2 "`x * y`.";
    Divide "div" 2 "`x / y`, towards zero; undefined for `y == 0`.";
    Modulo "mod" 2 "`x % y`, with the sign of `x`; undefined for `y == 0`.";
    BitAnd "bitand" 2 "`x & y` on two's complement.";
    BitOr "bitor" 2 "`x | y` on two's complement.";
    BitXor "bitxor" 2 "`x ^ y` on two's complement.";
    ShiftLeft "leftshift" 2 "`x << y`; a negative `y` shifts right.";
    ShiftRight "rightshift" 2 "`x >> y`; a negative `y` shifts left.";
    Equal "eq" 2 "`x == y` on any type.";
    NotEqual "neq" 2 "`x != y` on any type.";
    Less "lt" 2 "`x < y`.";
    LessEqual "leq" 2 "`x <= y`.";
    Greater "gt" 2 "`x > y`.";
    GreaterEqual "geq" 2 "`x >= y`.";
    FloatNegate "fnegate" 1 "`-.x`.";
    FloatAdd "fadd" 2 "`x +. y`.";
    FloatSubtract "fsub" 2 "`x -. y`.";
    FloatMultiply "fmul" 2 "`x *. y`.";
    FloatDivide "fdiv" 2 "`x /. y`.";
    FloatLess "flt" 2 "`x <. y`.";
    FloatLessEqual "fleq" 2 "`x <=. y`.";
    FloatGreater "fgt" 2 "`x >. y`.";
    FloatGreaterEqual "fgeq" 2 "`x >=. y`.";
    Power "pow" 2 "A float to the power of another.";
    Logarithm "log" 2 "The logarithm of the first to the base of the second.";
    Sine "sin" 1 "Of an angle in radians.";
    Cosine "cos" 1 "Of an angle in radians.";
    Tangent "tan" 1 "Of an angle in radians.";
    ArcTangent "atan" 1 "The angle in radians.";
    IntToFloat "intToFloat" 1 "The nearest float.";
    FloatToInt "floatToInt" 1 "Without its fraction; undefined for NaN and the infinities.";
    Some "Some" 1 "An option that holds the operand.";
    IsNone "isNone" 1 "Whether an option holds nothing.";
    GetSome "getSome" 1 "What an option holds; undefined for `None`.";
    ToString "toString" 1 "The text of a value.";
    Concat "String_concat" 2 "Two texts, one after the other.";
    Format "String_format" 2 "A value in a format such as `%+.3f`.";
    SetAdd "Set_add" 2 "A set and one element more.";
    SetContains "Set_contains" 2 "Whether a set has an element.";
    SetRemove "Set_remove" 2 "A set without an element.";
    SetSize "Set_size" 1 "The number of elements.";
    SetUnion "Set_union" 2 "The elements of either.";
    SetIntersection "Set_intersection" 2 "The elements of both.";
    SetMinus "Set_minus" 2 "The elements of the first that are not in the second.";
    MapAdd "Map_add" 3 "A map in which the key has the value.";
    MapContains "Map_contains" 2 "Whether a map has a key.";
    MapGet "Map_get" 2 "The value of a key; undefined without it.";
    MapRemove "Map_remove" 2 "A map without a key.";
    MapSize "Map_size" 1 "The number of keys.";
    MapKeys "Map_keys" 1 "The keys, as a list.";
    ListAppend "List_append" 2 "A list with an element behind it.";
    ListPrepend "List_prepend" 2 "A list with an element before it.";
    ListGet "List_get" 2 "The element at a position from 0; undefined outside.";
    ListSet "List_set" 3 "A list with another element at a position; undefined outside.";
    ListSize "List_size" 1 "The number of elements.";
    ListTail "List_tail" 1 "Without the first element; undefined for the empty list.";
    ListInit "List_init" 1 "Without the last element.";
}

impl Operator {
    /// The operator the standard library asks for by a name.
    pub fn from_name(name: &str) -> Option<Operator> {
        let bare = name.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).unwrap_or(name);
        Operator::ALL.iter().copied().find(|operator| operator.name() == bare)
    }

    /// Whether there are operands for which it is undefined.
    pub fn is_partial(self) -> bool {
        matches!(
            self,
            Operator::Divide
                | Operator::Modulo
                | Operator::GetSome
                | Operator::MapGet
                | Operator::ListGet
                | Operator::ListSet
                | Operator::ListTail
                | Operator::FloatToInt
                | Operator::Format
        )
    }

    /// Whether it compares two values.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            Operator::Equal
                | Operator::NotEqual
                | Operator::Less
                | Operator::LessEqual
                | Operator::Greater
                | Operator::GreaterEqual
                | Operator::FloatLess
                | Operator::FloatLessEqual
                | Operator::FloatGreater
                | Operator::FloatGreaterEqual
        )
    }
}
