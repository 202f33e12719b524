//! The shape of a random kernel: a small typed subset of Rust.

/// Types that occur in random kernels.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Usize,
    F32,
    F64,
    Vec3,
    /// The user struct `Body { p: Vec3, m: f32, k: i32, q: Inner { c: f32, n: u16 } }`.
    Body,
    /// An instance of the user's generic struct, `Duo<f32>`.
    DuoF,
    /// `Duo<i32>`.
    DuoI,
    /// `(f32, i32)`.
    Pair,
    /// `Option<i32>`.
    OptI,
    /// `Option<f32>`.
    OptF,
    /// `[f32; 4]`.
    ArrF,
    /// `[i32; 4]`.
    ArrI,
    /// The fieldless enum `Mode { Off, Slow, Fast }`.
    Mode,
    /// The user struct `Rig { t: [f32; 4], w: [i32; 6], c: Vec3 }`.
    Rig,
    /// `[i32; 20]`: so large that a copy of it is a loop.
    Wide,
    /// `[[i32; 20]; 3]`.
    Rows,
    /// `Mat3`.
    Mat,
}

impl Ty {
    /// The integer types.
    pub const INTS: [Ty; 9] = [Ty::I8, Ty::I16, Ty::I32, Ty::I64, Ty::U8, Ty::U16, Ty::U32, Ty::U64, Ty::Usize];

    /// An integer type.
    pub fn is_int(self) -> bool {
        Ty::INTS.contains(&self)
    }

    /// A signed integer type.
    pub fn is_signed(self) -> bool {
        matches!(self, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64)
    }

    /// `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64)
    }
}

/// An expression.
#[allow(missing_docs)]
#[derive(Clone, Debug)]
pub enum Expr {
    /// Text without a suffix, and whether to print one.
    Lit {
        ty: Ty,
        text: String,
        suffix: bool,
    },
    /// Any text that is the same in both forms: a variable, `i`, `fb.len()`.
    Name(String),
    Field(Box<Expr>, &'static str),
    Index(Box<Expr>, Box<Expr>),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Cast {
        value: Box<Expr>,
        from: Ty,
        to: Ty,
    },
    Method(Box<Expr>, &'static str, Vec<Expr>),
    Call(&'static str, Vec<Expr>),
    BodyLit(Vec<Expr>),
    /// Of this instance, and whether its argument is written.
    DuoLit(Ty, bool, Vec<Expr>),
    /// `None` of this option type.
    None(Ty),
    /// `Rig { .. }`: the four of `t`, the six of `w`, and `c`.
    RigLit(Vec<Expr>),
    Tuple(Vec<Expr>),
    Array(Vec<Expr>),
    /// `[value; n]`.
    Repeat(Box<Expr>, usize),
    If(Box<Expr>, Block, Block),
    /// Scrutinee, arms (pattern and optional guard as text-safe expressions), all of one type.
    Match(Box<Expr>, Vec<Arm>),
    Block(Block),
    Loop(Block),
}

/// An arm of a match.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Pattern text; it holds no float literals.
    pub pattern: String,
    /// A guard.
    pub guard: Option<Expr>,
    /// The value.
    pub value: Expr,
}

/// Statements and an optional value.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Stmt>,
    /// The value at the end.
    pub value: Option<Box<Expr>>,
}

/// A statement.
#[allow(missing_docs)]
#[derive(Clone, Debug)]
pub enum Stmt {
    Let {
        pattern: String,
        ty: Option<Ty>,
        value: Expr,
    },
    /// Operator is `=`, `+=`, ..
    Assign {
        place: Expr,
        op: &'static str,
        value: Expr,
        /// Whether the place has its turn before the value: a compound assignment of a type that overloads it.
        place_first: bool,
    },
    If(Expr, Block, Option<Block>),
    IfLet {
        pattern: String,
        value: Expr,
        then: Block,
        otherwise: Option<Block>,
    },
    While {
        label: Option<&'static str>,
        cond: Expr,
        body: Block,
    },
    For {
        label: Option<&'static str>,
        pattern: String,
        iter: Iter,
        body: Block,
    },
    Break(Option<&'static str>, Option<Expr>),
    Continue(Option<&'static str>),
    Return,
    Assert(Expr),
    Expr(Expr),
    /// Statements in braces.
    Block(Block),
}

/// What a `for` runs over.
#[allow(missing_docs)]
#[derive(Clone, Debug)]
pub enum Iter {
    Range {
        lo: Expr,
        hi: Expr,
        inclusive: bool,
        rev: bool,
        step: Option<u32>,
    },
    /// `fb[lo..hi].iter()`-like: a read-only slice, as `x` or `(k, x)`.
    Slice {
        name: &'static str,
        enumerate: bool,
    },
    /// Any text that is the same in both forms: `d[1..].iter_mut()`.
    Name(String),
}

/// `place = value` and the like for primitives, where the value's turn comes first.
pub fn assign(place: Expr, op: &'static str, value: Expr) -> Stmt {
    Stmt::Assign { place, op, value, place_first: false }
}
