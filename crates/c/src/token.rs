//! The words and signs of C.

use rustc_hash::FxHashMap;
use source::Span;

/// A name, interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// The names of a program.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<String>,
    known: FxHashMap<String, u32>,
}

impl Names {
    /// The name with this text.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&index) = self.known.get(text) {
            return Name(index);
        }
        let index = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.known.insert(text.to_owned(), index);
        Name(index)
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }
}

/// A word or sign with its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

/// What a token is. Literals are read when they are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name that is not a keyword.
    Name(Name),
    /// A keyword.
    Word(Word),
    /// An operator or other sign.
    Sign(Sign),
    /// An integer or floating literal.
    Number,
    /// A character literal.
    Character,
    /// A string literal.
    Text,
    /// The end of the unit.
    End,
}

macro_rules! words {
    ($($name:ident $($spelling:literal)+;)*) => {
        /// A keyword; spellings with underscores are the same word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each is the keyword of its name")]
        pub enum Word { $($name,)* }

        /// The keyword with a spelling.
        pub fn word(spelling: &str) -> Option<Word> {
            match spelling {
                $($($spelling)|+ => Some(Word::$name),)*
                _ => None,
            }
        }
    };
}

words! {
    Auto "auto"; Break "break"; Case "case"; Char "char"; Const "const" "__const" "__const__"; Continue "continue"; Default "default";
    Do "do"; Double "double" "_Float64" "_Float32x"; Else "else"; Enum "enum"; Extern "extern"; Float "float" "_Float32"; For "for"; Goto "goto"; If "if";
    Inline "inline" "__inline" "__inline__"; Int "int"; Long "long"; Register "register"; Restrict "restrict" "__restrict" "__restrict__"; Return "return";
    Short "short"; Signed "signed" "__signed" "__signed__"; Sizeof "sizeof"; Static "static"; Struct "struct"; Switch "switch"; Typedef "typedef"; Union "union";
    Unsigned "unsigned"; Void "void"; Volatile "volatile" "__volatile" "__volatile__"; While "while"; Alignas "_Alignas"; Alignof "_Alignof" "__alignof" "__alignof__";
    Atomic "_Atomic"; Bool "_Bool" "__CPROVER_bool"; Complex "_Complex" "__complex__" "__complex"; Generic "_Generic"; Imaginary "_Imaginary"; Noreturn "_Noreturn";
    StaticAssert "_Static_assert"; ThreadLocal "_Thread_local" "__thread"; Asm "asm" "__asm" "__asm__"; Attribute "__attribute__" "__attribute";
    Extension "__extension__"; Typeof "typeof" "__typeof" "__typeof__"; AutoType "__auto_type"; Int128 "__int128" "__int128_t"; UInt128 "__uint128_t"; Float128 "_Float128" "__float128" "_Float64x" "_Float128x"; Float16 "_Float16" "__bf16";
    VaArg "__builtin_va_arg"; Offsetof "__builtin_offsetof"; TypesCompatible "__builtin_types_compatible_p"; ChooseExpr "__builtin_choose_expr"; VaList "__builtin_va_list"; Label "__label__";
    BitInt "_BitInt"; Real "__real__" "__real"; Imag "__imag__" "__imag"; Declspec "__declspec";
}

macro_rules! signs {
    ($($name:ident $text:literal;)*) => {
        /// An operator or other sign.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each is written in the table")]
        pub enum Sign { $($name,)* }

        impl Sign {
            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $(Sign::$name => $text,)* }
            }
        }

        /// All signs, longer ones before their beginnings.
        pub(crate) const SIGNS: &[(&str, Sign)] = &[$(($text, Sign::$name),)*];
    };
}

signs! {
    Ellipsis "..."; ShiftLeftAssign "<<="; ShiftRightAssign ">>=";
    Arrow "->"; Increment "++"; Decrement "--"; ShiftLeft "<<"; ShiftRight ">>"; LessEqual "<="; GreaterEqual ">="; Equal "=="; Unequal "!=";
    AndAnd "&&"; OrOr "||"; AddAssign "+="; SubtractAssign "-="; MultiplyAssign "*="; DivideAssign "/="; RemainderAssign "%="; AndAssign "&="; XorAssign "^="; OrAssign "|=";
    OpenBracketDigraph "<:"; CloseBracketDigraph ":>"; OpenBraceDigraph "<%"; CloseBraceDigraph "%>";
    OpenParen "("; CloseParen ")"; OpenBracket "["; CloseBracket "]"; OpenBrace "{"; CloseBrace "}"; Dot "."; Comma ","; Semicolon ";"; Colon ":"; Question "?";
    Plus "+"; Minus "-"; Star "*"; Slash "/"; Percent "%"; And "&"; Or "|"; Xor "^"; Tilde "~"; Not "!"; Less "<"; Greater ">"; Assign "=";
}
