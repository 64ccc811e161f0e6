//! The tree of a specification as it is written: names unresolved, a place on every node.

use std::sync::Arc;

use dashu_int::IBig;

use crate::place::Place;

/// A name with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name.
    pub text: Arc<str>,
    /// Where it stands.
    pub place: Place,
}

/// A statement at the top level or in a module.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `def`.
    Definition(Arc<Definition>),
    /// `type`.
    Type(Arc<TypeDefinition>),
    /// `module`.
    Module {
        /// Its name.
        name: Name,
        /// What it holds.
        statements: Vec<Statement>,
    },
    /// `import` of a member of a module, or of all.
    Import {
        /// The path.
        path: Vec<Name>,
        /// Whether it ends in `.*`.
        wildcard: bool,
        /// Whether what is imported counts as a member here: `imexport`.
        export: bool,
    },
    /// `def @name(parameters)`.
    Annotation {
        /// The name of the annotation.
        name: Name,
        /// Its parameters.
        parameters: Vec<Parameter>,
    },
    /// `in`.
    Input {
        /// The stream.
        name: Name,
        /// Its type.
        of: TypeExpr,
        /// The annotations before it.
        annotations: Vec<Annotation>,
        /// The whole statement.
        place: Place,
    },
    /// `out`.
    Output {
        /// What is printed.
        value: Expr,
        /// Its name after `as`.
        name: Option<Name>,
        /// The annotations before it.
        annotations: Vec<Annotation>,
    },
    /// `out *`.
    OutputAll(Place),
    /// `print`.
    Print(Expr),
    /// `include`.
    Include {
        /// The path as written.
        path: String,
        /// Where it stands.
        place: Place,
    },
}

/// `@name(arguments)` before a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Its name.
    pub name: Name,
    /// Its arguments.
    pub arguments: Vec<Argument>,
}

/// A definition of a value, stream, function or macro.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: Name,
    /// The annotations before it.
    pub annotations: Vec<Annotation>,
    /// Whether it may be applied to streams in place of values.
    pub liftable: bool,
    /// Its type parameters.
    pub generics: Vec<Name>,
    /// Its parameters, if it has a parameter list.
    pub parameters: Option<Vec<Parameter>>,
    /// The type of the result.
    pub result: Option<TypeExpr>,
    /// What it is.
    pub body: Body,
    /// From `def` up to the sign of definition.
    pub header: Place,
    /// The whole definition.
    pub place: Place,
}

/// What a definition stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// An expression.
    Expression(Expr),
    /// Something built in.
    Extern(Arc<str>, Place),
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub of: Option<TypeExpr>,
}

/// `type`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDefinition {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub generics: Vec<Name>,
    /// What it stands for; nothing for a built-in type.
    pub body: Result<TypeExpr, Arc<str>>,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    /// What it is.
    pub kind: TypeKind,
    /// Where it stands.
    pub place: Place,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// A name with arguments.
    Named(Vec<Name>, Vec<TypeExpr>),
    /// `(A, B) => C`.
    Function(Vec<TypeExpr>, Box<TypeExpr>),
    /// `{x: A, y: B, ..}`.
    Object(Vec<(Name, TypeExpr)>, bool),
    /// `(A, B)`.
    Tuple(Vec<TypeExpr>),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, brackets around it included.
    pub place: Place,
    /// How deeply it is nested, itself included.
    pub(crate) depth: u32,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A name.
    Name(Arc<str>),
    /// `__root__`: the outermost scope.
    Root,
    /// An integer with its time unit.
    Int(IBig, Option<Name>),
    /// A floating-point number.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A string.
    Text(Vec<TextPart>),
    /// `(a, b)`.
    Tuple(Vec<Expr>),
    /// `{x = a, y}`.
    Object(Vec<(Name, Expr)>),
    /// `{ def …; e }` and `e where { def … }`.
    Block(Vec<Arc<Definition>>, Box<Expr>),
    /// `f[T](a, name = b)`; without brackets after `f[T]` it has no arguments.
    Call {
        /// What is called.
        function: Box<Expr>,
        /// The types.
        generics: Vec<TypeExpr>,
        /// The arguments, if there is a list.
        arguments: Option<Vec<Argument>>,
    },
    /// `o.m`.
    Member(Box<Expr>, Name),
    /// A prefix operator, by the name of its function.
    Unary(&'static str, Box<Expr>),
    /// An infix operator, by the name of its function.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `if c then a else b`.
    If {
        /// Whether the condition must be known before the run.
        is_static: bool,
        /// Condition, then and else.
        parts: Box<[Expr; 3]>,
    },
    /// `(x: A) => e`.
    Lambda(Vec<Parameter>, Arc<Expr>),
}

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// The parameter it is for.
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// A part of a string.
#[derive(Clone, Debug, PartialEq)]
pub enum TextPart {
    /// Characters.
    Text(String),
    /// A value, with its format.
    Value(Expr, Option<String>),
}
