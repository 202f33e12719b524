//! The kernel subset of Rust: names are resolved to variables, spans are kept, and every expression has a number, so
//! that later phases keep what they find in tables beside it.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Span, TokenStream};

use super::types::Ty;

/// A whole function body with its parameters.
#[derive(Default, Debug)]
pub(crate) struct Body {
    pub exprs: Vec<Expr>,
    pub pats: Vec<Pat>,
    pub vars: Vec<Variable>,
    /// Loops and labelled blocks, by [`Target`].
    pub targets: u32,
    pub params: Vec<Parameter>,
    pub result: Ty,
    pub root: ExprId,
    /// Operands that the plain function evaluates before what stands left of them.
    pub hoisted: HashSet<ExprId>,
    /// The user's text of each statement, and where it begins, by the expression that it evaluates.
    pub statements: HashMap<ExprId, (Span, String)>,
}

/// A parameter of the function: its pattern and type.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub name: String,
    pub pat: PatId,
    pub ty: Ty,
    /// How the argument is passed.
    pub passing: Passing,
    pub span: Span,
}

/// How an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passing {
    Value,
    /// `&mut T`: copied in and out.
    InOut,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(crate) struct ExprId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PatId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct VarId(pub u32);

/// What `break` and `continue` leave: a loop or a labelled block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Target(pub u32);

#[derive(Debug)]
pub(crate) struct Variable {
    pub name: String,
    pub span: Span,
}

#[derive(Debug)]
pub(crate) struct Expr {
    pub span: Span,
    /// The user's tokens, on one line; for reports.
    pub text: String,
    pub kind: Kind,
}

/// An expression.
#[derive(Debug)]
pub(crate) enum Kind {
    Int {
        value: u128,
        suffix: Option<Ty>,
    },
    Float {
        text: String,
        suffix: Option<Ty>,
    },
    Bool(bool),
    /// A string, as the argument of `expect` only.
    Text(String),
    /// A known value of a primitive type, as `f32::MAX`.
    Bits {
        ty: Ty,
        bits: u64,
    },
    Unit,
    Var(VarId),
    /// A constant of the user's crate, by its path.
    Constant {
        tokens: TokenStream,
        ty: Option<Ty>,
    },
    /// A larger constant expression: one hole where its type is a scalar, else what stands inside.
    Folded {
        tokens: TokenStream,
        inner: ExprId,
    },
    /// A fieldless enum's variant.
    Variant {
        ty: Ty,
        value: i128,
    },
    None,
    Some(ExprId),
    /// A value whose type is written out: `None::<i32>`.
    Ascribed {
        value: ExprId,
        ty: Ty,
    },
    Unary {
        op: Unary,
        value: ExprId,
    },
    Binary {
        op: Binary,
        left: ExprId,
        right: ExprId,
    },
    Logic {
        and: bool,
        left: ExprId,
        right: ExprId,
    },
    Assign {
        place: ExprId,
        value: ExprId,
    },
    Compound {
        op: Binary,
        place: ExprId,
        value: ExprId,
    },
    Cast {
        value: ExprId,
        to: Ty,
    },
    Field {
        base: ExprId,
        name: String,
        name_span: Span,
    },
    Index {
        base: ExprId,
        index: ExprId,
    },
    Range {
        start: Option<ExprId>,
        end: Option<ExprId>,
        inclusive: bool,
    },
    Borrow {
        mutable: bool,
        place: ExprId,
    },
    Deref(ExprId),
    Call {
        callee: Callee,
        generics: Vec<Generic>,
        args: Vec<ExprId>,
    },
    Method {
        receiver: ExprId,
        name: String,
        name_span: Span,
        /// The generic arguments that are written out.
        generics: Vec<Generic>,
        args: Vec<ExprId>,
    },
    Struct {
        ty: Ty,
        fields: Vec<(String, ExprId)>,
        base: Option<ExprId>,
    },
    Tuple(Vec<ExprId>),
    List(Vec<ExprId>),
    Repeat {
        value: ExprId,
        len: u64,
    },
    If {
        cond: ExprId,
        then: ExprId,
        otherwise: Option<ExprId>,
    },
    /// `let pat = value` as a condition.
    Let {
        pat: PatId,
        value: ExprId,
    },
    Match {
        value: ExprId,
        arms: Vec<Arm>,
    },
    Block {
        stmts: Vec<Stmt>,
        tail: Option<ExprId>,
        label: Option<Target>,
    },
    While {
        cond: ExprId,
        body: ExprId,
        target: Target,
    },
    Loop {
        body: ExprId,
        target: Target,
    },
    For {
        pat: PatId,
        iter: Iter,
        body: ExprId,
        target: Target,
    },
    Break {
        target: Target,
        value: Option<ExprId>,
    },
    Continue {
        target: Target,
    },
    Return(Option<ExprId>),
    Assert {
        cond: ExprId,
        message: Vec<Piece>,
    },
    AssertEq {
        equal: bool,
        left: ExprId,
        right: ExprId,
        message: Vec<Piece>,
    },
    Panic {
        message: Vec<Piece>,
    },
    Print {
        pieces: Vec<Piece>,
        newline: bool,
    },
    Closure {
        params: Vec<PatId>,
        body: ExprId,
    },
    /// An error was reported here.
    Bad,
}

/// A generic argument that is written out.
#[derive(Clone, Debug)]
pub(crate) enum Generic {
    Type(Ty),
    Length(u64),
    /// `_`
    Infer,
}

/// Who is called.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    /// A `#[func]`, by the path as written.
    Func { key: String, span: Span, tokens: TokenStream },
    /// A builtin free function by its original name.
    Builtin { name: String, span: Span },
    /// `Type::function`.
    Assoc { ty: Ty, name: String, span: Span },
}

/// A piece of what `println!` prints, or of what an assertion says.
#[derive(Debug)]
pub(crate) enum Piece {
    Text(String),
    Arg { value: ExprId, spec: String },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Neg,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Binary {
    pub(crate) fn is_comparison(self) -> bool {
        use Binary::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    pub(crate) fn is_shift(self) -> bool {
        matches!(self, Binary::Shl | Binary::Shr)
    }

    /// The name of the trait's function, by which operators of structs are found.
    pub(crate) fn function(self) -> &'static str {
        use Binary::*;
        match self {
            Add => "add",
            Sub => "sub",
            Mul => "mul",
            Div => "div",
            Rem => "rem",
            And => "bitand",
            Or => "bitor",
            Xor => "bitxor",
            Shl => "shl",
            Shr => "shr",
            Eq => "eq",
            Ne => "ne",
            Lt => "lt",
            Le => "le",
            Gt => "gt",
            Ge => "ge",
        }
    }

    /// As the source writes it.
    pub(crate) fn symbol(self) -> &'static str {
        use Binary::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            And => "&",
            Or => "|",
            Xor => "^",
            Shl => "<<",
            Shr => ">>",
            Eq => "==",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Arm {
    pub pat: PatId,
    /// Where the pattern has alternatives that bind variables and a guard: the patterns without alternatives that it
    /// stands for, each of which has the guard of its own.
    pub cases: Vec<PatId>,
    pub guard: Option<ExprId>,
    pub body: ExprId,
}

#[derive(Debug)]
pub(crate) enum Stmt {
    Let { pat: PatId, ty: Option<Ty>, init: Option<ExprId>, otherwise: Option<ExprId> },
    Expr(ExprId),
}

impl Stmt {
    /// The expression that it evaluates.
    pub fn evaluates(&self) -> Option<ExprId> {
        match self {
            Stmt::Let { init, .. } => *init,
            Stmt::Expr(expr) => Some(*expr),
        }
    }
}

/// What a `for` walks over.
#[derive(Debug)]
pub(crate) enum Iter {
    /// `start..` has no end.
    Range {
        start: ExprId,
        end: Option<ExprId>,
        inclusive: bool,
    },
    Rev(Box<Iter>),
    StepBy(Box<Iter>, ExprId),
    Take(Box<Iter>, ExprId),
    Skip(Box<Iter>, ExprId),
    Enumerate(Box<Iter>),
    Zip(Box<Iter>, Box<Iter>),
    /// The elements of a slice or array, which the loop may write when `mutable`.
    Elements {
        place: ExprId,
        mutable: bool,
    },
    /// `place.chunks_exact(size)`: parts of a slice or array, which the loop may write when `mutable`.
    Chunks {
        place: ExprId,
        size: ExprId,
        mutable: bool,
    },
    /// A struct with `next`, or an array by value.
    Value(ExprId),
}

impl Iter {
    /// What stands under all adaptors.
    pub(crate) fn sources(&self) -> Vec<&Iter> {
        match self {
            Iter::Rev(i) | Iter::Enumerate(i) | Iter::StepBy(i, _) | Iter::Take(i, _) | Iter::Skip(i, _) => i.sources(),
            Iter::Zip(a, b) => [a.sources(), b.sources()].concat(),
            Iter::Range { .. } | Iter::Elements { .. } | Iter::Chunks { .. } | Iter::Value(_) => vec![self],
        }
    }
}

#[derive(Debug)]
pub(crate) struct Pat {
    pub span: Span,
    pub kind: PatKind,
}

#[derive(Clone, Debug)]
pub(crate) enum PatKind {
    Wild,
    /// `..` inside a tuple.
    Rest,
    Bind {
        var: VarId,
        sub: Option<PatId>,
    },
    /// A literal, constant or variant to compare with.
    Value(ExprId),
    Range {
        start: Option<ExprId>,
        end: Option<ExprId>,
        inclusive: bool,
    },
    Tuple(Vec<PatId>),
    /// `[a, b]` on an array.
    List(Vec<PatId>),
    Struct {
        ty: Ty,
        fields: Vec<(String, PatId)>,
    },
    None,
    Some(PatId),
    Or(Vec<PatId>),
    /// A pattern with a type: `x: f32` of a closure's parameter.
    Typed(PatId, Ty),
    /// `&p` or `&mut p`: what stands behind a reference, as a copy.
    Reference(PatId),
    Bad,
}

impl Body {
    pub(crate) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    pub(crate) fn pat(&self, id: PatId) -> &Pat {
        &self.pats[id.0 as usize]
    }

    /// Whether it is a field of a constant, or of such a field.
    pub(crate) fn is_part(&self, id: ExprId) -> bool {
        let Kind::Field { base, .. } = &self.expr(id).kind else { return false };
        match &self.expr(*base).kind {
            Kind::Constant { .. } => true,
            Kind::Folded { inner, .. } => self.is_part(*inner),
            _ => self.is_part(*base),
        }
    }
}
