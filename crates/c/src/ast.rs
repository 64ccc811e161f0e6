//! The tree of a translation unit, as written: names unresolved, nothing computed.

use source::Span;

use crate::token::Name;

/// A translation unit.
#[derive(Debug, Default)]
pub struct Unit {
    /// Declarations and functions in order.
    pub items: Vec<Item>,
}

/// A declaration or a function at file scope.
#[derive(Debug)]
pub enum Item {
    /// A declaration.
    Declaration(Declaration),
    /// A function with a body.
    Function(Box<FunctionDefinition>),
}

/// A function with a body.
#[derive(Debug)]
pub struct FunctionDefinition {
    /// What stands before the declarator.
    pub specifiers: Specifiers,
    /// The declarator.
    pub declarator: Declarator,
    /// The declarations of parameters between the declarator and the body, in the style before ANSI C.
    pub old_parameters: Vec<Declaration>,
    /// The body.
    pub body: Statement,
}

/// A declaration, or `_Static_assert`.
#[derive(Debug)]
pub struct Declaration {
    /// What stands before the declarators.
    pub specifiers: Specifiers,
    /// What is declared.
    pub declarators: Vec<InitDeclarator>,
    /// The condition of a static assertion.
    pub assertion: Option<Expr>,
    /// The whole.
    pub span: Span,
}

/// A declarator with its initialiser.
#[derive(Debug)]
pub struct InitDeclarator {
    /// The declarator.
    pub declarator: Declarator,
    /// The initialiser.
    pub initialiser: Option<Initialiser>,
}

/// Storage classes, qualifiers and the type before declarators.
#[derive(Debug)]
pub struct Specifiers {
    /// `typedef`.
    pub is_typedef: bool,
    /// `extern`.
    pub is_extern: bool,
    /// `static`.
    pub is_static: bool,
    /// `_Thread_local`.
    pub is_thread_local: bool,
    /// `inline`.
    pub is_inline: bool,
    /// `const`.
    pub is_const: bool,
    /// `volatile`.
    pub is_volatile: bool,
    /// The type.
    pub ty: TypeSpecifier,
    /// Attributes and `_Alignas`.
    pub attributes: Attributes,
    /// The whole.
    pub span: Span,
}

/// The attributes that matter.
#[derive(Debug, Default)]
pub struct Attributes {
    /// `packed`.
    pub packed: bool,
    /// `aligned(n)` and `_Alignas`; without a value the largest alignment.
    pub aligned: Vec<Option<Alignment>>,
    /// `noreturn`.
    pub noreturn: bool,
    /// What makes a type that can be named and passed on, but not computed with.
    pub opaque: Option<Opaque>,
    /// `mode(DI)` and the like.
    pub mode: Option<Name>,
    /// `transparent_union`.
    pub transparent_union: bool,
}

/// A type whose values are not looked into.
#[derive(Debug)]
pub enum Opaque {
    /// `vector_size(bytes)`.
    Vector(Box<Expr>),
    /// `_Complex`.
    Complex,
}

/// What an alignment is given by.
#[derive(Debug)]
pub enum Alignment {
    /// A number of bytes.
    Bytes(Box<Expr>),
    /// The alignment of a type.
    Type(Box<TypeName>),
}

/// The type part of specifiers.
#[derive(Debug)]
pub enum TypeSpecifier {
    /// A basic type.
    Basic(Basic),
    /// A structure or union.
    Record(Box<RecordSpecifier>),
    /// An enumeration.
    Enum(Box<EnumSpecifier>),
    /// A name declared with `typedef`.
    Name(Name),
    /// `typeof(expression)`.
    TypeofExpr(Box<Expr>),
    /// `typeof(type)`.
    TypeofType(Box<TypeName>),
    /// `__auto_type`.
    Auto,
    /// No type is written; `int` is meant.
    Missing,
}

/// The basic types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the type of its name")]
pub enum Basic {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    Int128,
    UInt128,
    Float,
    Double,
    LongDouble,
    VaList,
}

/// `struct tag { … }`.
#[derive(Debug)]
pub struct RecordSpecifier {
    /// Whether it is a union.
    pub union: bool,
    /// The tag.
    pub tag: Option<Name>,
    /// The members, if they are given.
    pub members: Option<Vec<MemberDeclaration>>,
    /// Attributes.
    pub attributes: Attributes,
    /// The whole.
    pub span: Span,
}

/// Members declared together, or a static assertion among them.
#[derive(Debug)]
pub struct MemberDeclaration {
    /// What stands before the declarators.
    pub specifiers: Specifiers,
    /// The members; a declarator without a name for an unnamed bit-field.
    pub members: Vec<Member>,
    /// The condition of a static assertion.
    pub assertion: Option<Expr>,
}

/// A member.
#[derive(Debug)]
pub struct Member {
    /// The declarator.
    pub declarator: Declarator,
    /// The width of a bit-field.
    pub width: Option<Expr>,
}

/// `enum tag { … }`.
#[derive(Debug)]
pub struct EnumSpecifier {
    /// The tag.
    pub tag: Option<Name>,
    /// The names with their values, if they are given.
    pub values: Option<Vec<(Name, Span, Option<Expr>)>>,
    /// Attributes.
    pub attributes: Attributes,
    /// The whole.
    pub span: Span,
}

/// A declarator: a name and how its type is made from the one before it.
#[derive(Debug)]
pub struct Declarator {
    /// The name; none in type names and for unnamed parameters.
    pub name: Option<(Name, Span)>,
    /// How the type is made, in the order of application.
    pub derived: Vec<Derived>,
    /// Attributes.
    pub attributes: Attributes,
    /// The whole.
    pub span: Span,
}

/// One step of a declarator.
#[derive(Debug)]
pub enum Derived {
    /// `*`.
    Pointer {
        /// `const`.
        is_const: bool,
        /// `volatile`.
        is_volatile: bool,
    },
    /// `[n]`.
    Array {
        /// The length.
        length: Option<Box<Expr>>,
        /// The brackets.
        span: Span,
    },
    /// `(parameters)`.
    Function(Parameters),
}

/// The parameters of a function.
#[derive(Debug)]
pub struct Parameters {
    /// Those with types.
    pub list: Vec<Parameter>,
    /// The names of a definition in the style before ANSI C.
    pub names: Vec<(Name, Span)>,
    /// Whether `...` follows.
    pub variadic: bool,
    /// Whether types are given; `()` gives none.
    pub prototyped: bool,
}

/// A parameter.
#[derive(Debug)]
pub struct Parameter {
    /// What stands before the declarator.
    pub specifiers: Specifiers,
    /// The declarator.
    pub declarator: Declarator,
}

/// A type as in casts.
#[derive(Debug)]
pub struct TypeName {
    /// What stands before the declarator.
    pub specifiers: Specifiers,
    /// The declarator without a name.
    pub declarator: Declarator,
    /// The whole.
    pub span: Span,
}

/// An initialiser.
#[derive(Debug)]
pub enum Initialiser {
    /// An expression.
    Expr(Expr),
    /// `{ … }`.
    List(Vec<InitialiserItem>, Span),
}

/// An item of `{ … }`.
#[derive(Debug)]
pub struct InitialiserItem {
    /// `.x[3] =`.
    pub designators: Vec<Designator>,
    /// The value.
    pub value: Initialiser,
    /// The whole.
    pub span: Span,
}

/// `.x`, `[3]` or `[3 ... 5]`.
#[derive(Debug)]
pub enum Designator {
    /// `.x`.
    Field(Name, Span),
    /// `[3]` or `[3 ... 5]`.
    Index(Expr, Option<Expr>),
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The whole.
    pub span: Span,
    /// How deep it nests.
    pub depth: u32,
}

/// What an expression is.
#[derive(Debug)]
pub enum ExprKind {
    /// A name.
    Name(Name),
    /// An integer literal.
    Integer(IntegerLiteral),
    /// A floating literal.
    Float(f64, Basic),
    /// A constant of type `long double`: its 80 bits.
    Extended(u128),
    /// A character literal: its value, and its type.
    Character(i128, CharacterWidth),
    /// String literals side by side: code units and their width.
    Text(Vec<u32>, CharacterWidth),
    /// An operator with one operand.
    Unary(Unary, Box<Expr>),
    /// An operator with two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `&&` (true) or `||` (false).
    Logical(bool, Box<Expr>, Box<Expr>),
    /// `=`, or with an operator.
    Assign(Option<Binary>, Box<Expr>, Box<Expr>),
    /// `++` and `--`.
    Step {
        /// What is changed.
        operand: Box<Expr>,
        /// Whether it grows.
        up: bool,
        /// Whether the operator stands before it.
        prefix: bool,
    },
    /// `c ? a : b`; GNU C may leave out `a`.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// A call.
    Call(Box<Expr>, Vec<Expr>),
    /// `a[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `a.x`, or with an arrow.
    Member(Box<Expr>, Name, bool),
    /// A cast.
    Cast(Box<TypeName>, Box<Expr>),
    /// `(type){ … }`.
    Compound(Box<TypeName>, Box<Initialiser>),
    /// `sizeof e`.
    SizeofExpr(Box<Expr>),
    /// `sizeof(type)`.
    SizeofType(Box<TypeName>),
    /// `_Alignof e`.
    AlignofExpr(Box<Expr>),
    /// `_Alignof(type)`.
    AlignofType(Box<TypeName>),
    /// `_Generic`.
    Generic(Box<Expr>, Vec<(Option<TypeName>, Expr)>),
    /// `({ … })`.
    Block(Box<Statement>),
    /// `offsetof(type, .x[3])`.
    Offsetof(Box<TypeName>, Vec<Designator>),
    /// `va_arg(list, type)`.
    VaArg(Box<Expr>, Box<TypeName>),
    /// `__builtin_types_compatible_p`.
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr`.
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `&&label`.
    LabelAddress(Name),
}

/// An integer literal.
#[derive(Clone, Copy, Debug)]
pub struct IntegerLiteral {
    /// The value.
    pub value: u128,
    /// Whether it is decimal, so that no unsigned type is tried.
    pub decimal: bool,
    /// A suffix `u`.
    pub unsigned: bool,
    /// The number of `l` in the suffix.
    pub longs: u8,
}

/// The width of characters in a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is a prefix")]
pub enum CharacterWidth {
    Plain,
    Wide,
    Utf16,
    Utf32,
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the operator of its name")]
pub enum Unary {
    Plus,
    Negate,
    Complement,
    Not,
    Dereference,
    Address,
    Real,
    Imag,
}

/// An operator with two operands.
pub use crate::expr::BinaryOp as Binary;

/// A statement.
#[derive(Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// The whole.
    pub span: Span,
}

/// What a statement is.
#[derive(Debug)]
pub enum StatementKind {
    /// `{ … }`.
    Block(Vec<Statement>),
    /// A declaration in a block.
    Declaration(Declaration),
    /// An expression, or nothing, before a semicolon.
    Expr(Option<Expr>),
    /// `if`.
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    /// `while`.
    While(Expr, Box<Statement>),
    /// `do`.
    Do(Box<Statement>, Expr),
    /// `for`; the first part is a declaration or an expression statement.
    For(Option<Box<Statement>>, Option<Expr>, Option<Expr>, Box<Statement>),
    /// `switch`.
    Switch(Expr, Box<Statement>),
    /// Labels before a statement.
    Labelled(Vec<Label>, Box<Statement>),
    /// `goto`.
    Goto(Name),
    /// `goto *e`.
    ComputedGoto(Expr),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`.
    Return(Option<Expr>),
    /// Inline assembly.
    Asm(Assembly),
}

/// Inline assembly, as far as the language sees it.
#[derive(Debug)]
pub struct Assembly {
    /// The places that it writes.
    pub outputs: Vec<Expr>,
    /// What it reads.
    pub inputs: Vec<Expr>,
    /// Whether it may change memory that is not among its outputs, or jump.
    pub reaches_out: bool,
}

/// A label.
#[derive(Debug)]
pub enum Label {
    /// `name:`.
    Name(Name, Span),
    /// `case e:` or `case e ... e:`.
    Case(Expr, Option<Expr>, Span),
    /// `default:`.
    Default(Span),
}
