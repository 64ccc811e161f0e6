//! The syntax tree of a `.bool` file: what was written, names unresolved.
//!
//! Nodes live in one arena, arguments before the nodes that use them, and the nodes of one body are contiguous. Names and
//! numbers are spans of the source.

use source::Span;

/// A parsed file.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// The declarations, in order.
    pub items: Vec<Item>,
    /// Every expression node.
    pub nodes: Vec<Node>,
    /// The arguments of calls.
    pub args: Vec<NodeId>,
}

/// The position of a node in [`Ast::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A declaration.
#[derive(Clone, Debug)]
pub struct Item {
    /// What is declared.
    pub kind: ItemKind,
    /// From the keyword to the semicolon.
    pub span: Span,
}

/// What is declared.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `type NAME = { VARIANT, … };`
    Type {
        /// The name of the enumeration.
        name: Span,
        /// Its values.
        variants: Vec<Span>,
    },
    /// `input NAME, …: SORT in LOW..HIGH;`
    Input {
        /// The variables.
        names: Vec<Span>,
        /// Their sort.
        sort: SortNode,
        /// The ends of their range.
        range: Option<(Body, Body)>,
    },
    /// `let NAME(PARAMETER: SORT, …) = BODY;`
    Let {
        /// The name.
        name: Span,
        /// The parameters; none for a plain abbreviation.
        params: Vec<(Span, SortNode)>,
        /// What it stands for.
        body: Body,
    },
    /// `assume LABEL: BODY;`
    Assume {
        /// The label.
        name: Option<Span>,
        /// What is assumed.
        body: Body,
    },
    /// `decision NAME = BODY;`
    Decision {
        /// The name; without one it is called `decision`.
        name: Option<Span>,
        /// The decision.
        body: Body,
    },
}

/// A whole expression: the nodes from `first` up to its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    /// The first of its nodes.
    pub first: u32,
    /// Its root, the last of its nodes.
    pub root: NodeId,
    /// Where it stands, with outer parentheses.
    pub span: Span,
}

/// A sort as written.
#[derive(Clone, Debug)]
pub enum SortNode {
    /// A name.
    Named(Span),
    /// `bitvec[WIDTH]`.
    BitVec(Span),
    /// `array[INDEX] of ELEMENT`.
    Array(Box<SortNode>, Box<SortNode>),
}

/// An expression.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it stands, without parentheses around it.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// `true` or `false`.
    Truth(bool),
    /// An integer, decimal or hexadecimal numeral.
    Number,
    /// A name.
    Name,
    /// `ENUMERATION.VARIANT`; holds the offset of the variant in the span.
    Qualified {
        /// The enumeration.
        sort: Span,
        /// The variant.
        variant: Span,
    },
    /// A prefix operator.
    Unary(Unary, NodeId),
    /// An infix operator.
    Binary(Binary, NodeId, NodeId),
    /// `CONDITION ? THEN : ELSE`.
    Conditional(NodeId, NodeId, NodeId),
    /// `ARRAY[INDEX]`.
    Index(NodeId, NodeId),
    /// `NAME(ARGUMENT, …)`; the arguments are `args[start..end]`.
    Call {
        /// The name.
        name: Span,
        /// The first argument's position in [`Ast::args`].
        start: u32,
        /// One past the last argument's.
        end: u32,
    },
}

/// A prefix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `!`, on truth values and bit-vectors.
    Not,
    /// `-`.
    Minus,
}

macro_rules! binaries {
    ($($variant:ident $text:literal $level:literal $side:ident;)*) => {
        /// An infix operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Binary { $(#[doc = concat!("`", $text, "`.")] $variant,)* }

        impl Binary {
            /// Every infix operator.
            pub const ALL: &'static [Binary] = &[$(Binary::$variant,)*];

            /// The spelling the printer uses.
            pub fn text(self) -> &'static str { match self { $(Binary::$variant => $text,)* } }

            /// How tightly it binds: a higher level binds tighter.
            pub fn level(self) -> u8 { match self { $(Binary::$variant => $level,)* } }

            /// How it groups among operators of its level.
            pub fn grouping(self) -> Grouping { match self { $(Binary::$variant => Grouping::$side,)* } }
        }
    };
}

/// How operators of one level group without parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// `a - b - c` is `(a - b) - c`.
    Left,
    /// `a -> b -> c` is `a -> (b -> c)`.
    Right,
    /// `a < b < c` is an error.
    Never,
}

binaries! {
    Iff "<->" 1 Left;
    Implies "->" 2 Right;
    Or "||" 3 Left;
    Xor "^" 4 Left;
    And "&&" 5 Left;
    Eq "==" 6 Never;
    Ne "!=" 6 Never;
    Lt "<" 6 Never;
    Le "<=" 6 Never;
    Gt ">" 6 Never;
    Ge ">=" 6 Never;
    ShiftLeft "<<" 7 Left;
    ShiftRight ">>" 7 Left;
    Add "+" 8 Left;
    Sub "-" 8 Left;
    Mul "*" 9 Left;
    Divide "/" 9 Left;
    Div "div" 9 Left;
    Mod "mod" 9 Left;
}

impl Ast {
    /// The node at a position.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// The arguments of a call.
    pub fn call_args(&self, start: u32, end: u32) -> &[NodeId] {
        &self.args[start as usize..end as usize]
    }
}
