//! Types during inference, and their unification.

use warp_ir::ir::Scalar;

use crate::env::{self, Type, TypeId};

/// A type, perhaps not known yet.
///
/// References are transparent: a `&T` has the type `T`, since kernels only read through it; rustc checks the rest.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) enum Ty {
    Var(u32),
    #[default]
    Unit,
    Never,
    Scalar(Scalar),
    Usize,
    Isize,
    /// With the arguments of the instance; none where an expression leaves those of a generic struct out.
    Struct(TypeId, Vec<Argument>),
    Enum(TypeId),
    Tuple(Vec<Ty>),
    Array(Box<Ty>, u64),
    Option(Box<Ty>),
    Slice {
        element: Box<Ty>,
        mutable: bool,
    },
    Planes {
        element: Box<Ty>,
        mutable: bool,
    },
    View {
        element: Box<Ty>,
        rank: u8,
        mutable: bool,
    },
    Bundle(TypeId),
    /// A range in the place of an index.
    Range(Box<Ty>),
}

/// An argument of a generic struct or function.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Argument {
    Type(Ty),
    Length(u64),
}

impl Argument {
    fn of(argument: &env::Argument, instance: &[(String, Argument)]) -> Argument {
        match argument {
            env::Argument::Type(ty) => Argument::Type(Ty::of(ty, instance)),
            env::Argument::Length(len) => Argument::Length(*len),
            env::Argument::LengthOf(name) => Argument::Length(length_of(instance, name)),
        }
    }

    fn to_argument(&self) -> Option<env::Argument> {
        Some(match self {
            Argument::Type(ty) => env::Argument::Type(ty.to_type()?),
            Argument::Length(len) => env::Argument::Length(Some(*len).filter(|len| *len < UNKNOWN_LENGTH)?),
        })
    }

    fn name(&self) -> String {
        match self {
            Argument::Type(ty) => ty.name(),
            Argument::Length(len) => len.to_string(),
        }
    }
}

fn of_name<'a>(instance: &'a [(String, Argument)], name: &str) -> Option<&'a Argument> {
    instance.iter().find(|(other, _)| other == name).map(|(_, argument)| argument)
}

fn length_of(instance: &[(String, Argument)], name: &str) -> u64 {
    match of_name(instance, name) {
        Some(Argument::Length(len)) => *len,
        _ => 0,
    }
}

impl Ty {
    pub(crate) const BOOL: Ty = Ty::Scalar(Scalar::Bool);
    pub(crate) const F32: Ty = Ty::Scalar(Scalar::F32);
    pub(crate) const F64: Ty = Ty::Scalar(Scalar::F64);
    pub(crate) const I32: Ty = Ty::Scalar(Scalar::I32);
    pub(crate) const U32: Ty = Ty::Scalar(Scalar::U32);

    /// The scalar of a primitive type.
    pub(crate) fn scalar(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(s) => Some(*s),
            Ty::Usize => Some(Scalar::U64),
            Ty::Isize => Some(Scalar::I64),
            _ => None,
        }
    }

    pub(crate) fn is_int(&self) -> bool {
        self.scalar().is_some_and(Scalar::is_int)
    }

    pub(crate) fn is_float(&self) -> bool {
        self.scalar().is_some_and(|s| s.is_float() || s.is_half())
    }

    /// A primitive type by its Rust name.
    pub(crate) fn primitive(name: &str) -> Option<Ty> {
        match name {
            "usize" => Some(Ty::Usize),
            "isize" => Some(Ty::Isize),
            _ => Scalar::from_name(name).map(Ty::Scalar),
        }
    }

    /// From a signature's or a field's type without parameters; `&T` and `&mut T` become `T`.
    pub(crate) fn from_type(ty: &Type) -> Ty {
        Ty::of(ty, &[])
    }

    /// The same with the parameters of an instance by name.
    pub(crate) fn of(ty: &Type, instance: &[(String, Argument)]) -> Ty {
        let inner = |t: &Type| Box::new(Ty::of(t, instance));
        match ty {
            Type::Unit => Ty::Unit,
            Type::Param(name) => match of_name(instance, name) {
                Some(Argument::Type(ty)) => ty.clone(),
                _ => Ty::Unit,
            },
            Type::Never => Ty::Never,
            Type::Scalar(s) => Ty::Scalar(*s),
            Type::Usize => Ty::Usize,
            Type::Isize => Ty::Isize,
            Type::Struct(id, list) => {
                Ty::Struct(id.clone(), list.iter().map(|argument| Argument::of(argument, instance)).collect())
            }
            Type::Enum(id) => Ty::Enum(id.clone()),
            Type::Tuple(list) if list.is_empty() => Ty::Unit,
            Type::Tuple(list) => Ty::Tuple(list.iter().map(|t| Ty::of(t, instance)).collect()),
            Type::Array(element, len) => Ty::Array(inner(element), *len),
            Type::ArrayOf(element, name) => Ty::Array(inner(element), length_of(instance, name)),
            Type::Option(t) => Ty::Option(inner(t)),
            Type::Slice { element, mutable } => Ty::Slice { element: inner(element), mutable: *mutable },
            Type::Planes { element, mutable } => Ty::Planes { element: inner(element), mutable: *mutable },
            Type::View { element, rank, mutable } => {
                Ty::View { element: inner(element), rank: *rank, mutable: *mutable }
            }
            Type::Bundle(id) => Ty::Bundle(id.clone()),
            Type::MutRef(t) | Type::Ref(t) => Ty::of(t, instance),
        }
    }

    /// The form that signatures carry; `None` while something is unknown.
    pub(crate) fn to_type(&self) -> Option<Type> {
        let inner = |t: &Ty| t.to_type().map(Box::new);
        Some(match self {
            Ty::Var(_) | Ty::Range(_) => return None,
            Ty::Unit => Type::Unit,
            Ty::Never => Type::Never,
            Ty::Scalar(s) => Type::Scalar(*s),
            Ty::Usize => Type::Usize,
            Ty::Isize => Type::Isize,
            Ty::Struct(id, list) => {
                Type::Struct(id.clone(), list.iter().map(Argument::to_argument).collect::<Option<_>>()?)
            }
            Ty::Enum(id) => Type::Enum(id.clone()),
            Ty::Tuple(list) => Type::Tuple(list.iter().map(Ty::to_type).collect::<Option<_>>()?),
            Ty::Array(element, len) => Type::Array(inner(element)?, *len),
            Ty::Option(t) => Type::Option(inner(t)?),
            Ty::Slice { element, mutable } => Type::Slice { element: inner(element)?, mutable: *mutable },
            Ty::Planes { element, mutable } => Type::Planes { element: inner(element)?, mutable: *mutable },
            Ty::View { element, rank, mutable } => {
                Type::View { element: inner(element)?, rank: *rank, mutable: *mutable }
            }
            Ty::Bundle(id) => Type::Bundle(id.clone()),
        })
    }

    /// The right-hand type's part of an operator's key: without the arguments of an instance.
    pub(crate) fn key(&self) -> String {
        match self {
            Ty::Struct(id, _) => id.clone(),
            other => other.name(),
        }
    }

    /// What `_` stands for until inference looks at it.
    pub(crate) const HOLE: Ty = Ty::Var(u32::MAX);

    /// A struct without parameters.
    pub(crate) fn plain(id: impl Into<TypeId>) -> Ty {
        Ty::Struct(id.into(), vec![])
    }

    /// A name that no other type has.
    pub(crate) fn name(&self) -> String {
        match self {
            Ty::Var(_) => "_".into(),
            Ty::Unit => "()".into(),
            Ty::Never => "!".into(),
            Ty::Scalar(s) => s.name().into(),
            Ty::Usize => "usize".into(),
            Ty::Isize => "isize".into(),
            Ty::Struct(id, list) if !list.is_empty() => {
                format!("{id}<{}>", list.iter().map(Argument::name).collect::<Vec<_>>().join(","))
            }
            Ty::Struct(id, _) | Ty::Enum(id) | Ty::Bundle(id) => id.clone(),
            Ty::Tuple(list) => format!("({})", list.iter().map(Ty::name).collect::<Vec<_>>().join(", ")),
            Ty::Array(element, len) => format!("[{}; {len}]", element.name()),
            Ty::Option(t) => format!("Option<{}>", t.name()),
            Ty::Slice { element, mutable: false } => format!("&[{}]", element.name()),
            Ty::Slice { element, mutable: true } => format!("&mut [{}]", element.name()),
            Ty::Planes { element, .. } => format!("Soa<{}>", element.name()),
            Ty::View { element, rank, mutable: false } => format!("View{rank}<{}>", element.name()),
            Ty::View { element, rank, mutable: true } => format!("ViewMut{rank}<{}>", element.name()),
            Ty::Range(t) => format!("Range<{}>", t.name()),
        }
    }
}

/// What a variable may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VarKind {
    Any,
    /// `{integer}`.
    Int,
    /// `{float}`.
    Float,
}

/// The same of a length.
pub(crate) const LENGTH_HOLE: u64 = u64::MAX;

/// Lengths from here on stand for lengths that are not known yet.
pub(crate) const UNKNOWN_LENGTH: u64 = 1 << 62;

/// The variables of one body.
#[derive(Clone, Default, Debug)]
pub(crate) struct Unifier {
    bound: Vec<Option<Ty>>,
    kinds: Vec<VarKind>,
    /// Lengths of arrays that calls of generic functions find out.
    lengths: Vec<Option<u64>>,
    /// Counts bindings, so that a fixpoint knows whether anything moved.
    pub steps: usize,
}

impl Unifier {
    pub(crate) fn fresh(&mut self, kind: VarKind) -> Ty {
        self.bound.push(None);
        self.kinds.push(kind);
        Ty::Var(self.kinds.len() as u32 - 1)
    }

    /// The type with its outermost variable replaced, as far as known.
    pub(crate) fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty;
        while let Ty::Var(v) = ty {
            match &self.bound[*v as usize] {
                Some(next) => ty = next,
                None => break,
            }
        }
        ty.clone()
    }

    /// The kind of an unbound variable.
    pub(crate) fn kind(&self, ty: &Ty) -> Option<VarKind> {
        match ty {
            Ty::Var(v) if self.bound[*v as usize].is_none() => Some(self.kinds[*v as usize]),
            Ty::Var(_) => self.kind(&self.shallow(ty)),
            _ => None,
        }
    }

    /// The type with all variables replaced, as far as known.
    pub(crate) fn resolve(&self, ty: &Ty) -> Ty {
        let inner = |t: &Ty| Box::new(self.resolve(t));
        match self.shallow(ty) {
            Ty::Tuple(list) => Ty::Tuple(list.iter().map(|t| self.resolve(t)).collect()),
            Ty::Struct(id, list) => Ty::Struct(id, list.iter().map(|a| self.resolve_argument(a)).collect()),
            Ty::Array(t, len) => Ty::Array(inner(&t), self.length(len)),
            Ty::Option(t) => Ty::Option(inner(&t)),
            Ty::Range(t) => Ty::Range(inner(&t)),
            Ty::Slice { element, mutable } => Ty::Slice { element: inner(&element), mutable },
            Ty::Planes { element, mutable } => Ty::Planes { element: inner(&element), mutable },
            Ty::View { element, rank, mutable } => Ty::View { element: inner(&element), rank, mutable },
            other => other,
        }
    }

    pub(crate) fn resolve_argument(&self, argument: &Argument) -> Argument {
        match argument {
            Argument::Type(ty) => Argument::Type(self.resolve(ty)),
            Argument::Length(len) => Argument::Length(self.length(*len)),
        }
    }

    /// Whether no variable is left.
    pub(crate) fn is_known(&self, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(_) => false,
            Ty::Tuple(list) => list.iter().all(|t| self.is_known(t)),
            Ty::Struct(_, list) => list.iter().all(|argument| match argument {
                Argument::Type(ty) => self.is_known(ty),
                Argument::Length(len) => self.length(*len) < UNKNOWN_LENGTH,
            }),
            Ty::Array(t, _) | Ty::Option(t) | Ty::Range(t) => self.is_known(&t),
            Ty::Slice { element, .. } | Ty::Planes { element, .. } | Ty::View { element, .. } => {
                self.is_known(&element)
            }
            _ => true,
        }
    }

    /// Makes two types equal; false when they cannot be.
    pub(crate) fn unify(&mut self, a: &Ty, b: &Ty) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Ty::Var(v), Ty::Var(w)) if v == w => true,
            (Ty::Var(v), _) => self.bind(*v, &b),
            (_, Ty::Var(w)) => self.bind(*w, &a),
            (Ty::Tuple(x), Ty::Tuple(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| self.unify(x, y)),
            (Ty::Struct(x, given), Ty::Struct(y, others)) => {
                x == y
                    && given.len() == others.len()
                    && given.iter().zip(others).all(|(a, b)| self.unify_arguments(a, b))
            }
            (Ty::Array(x, n), Ty::Array(y, m)) => self.unify_lengths(*n, *m) && self.unify(x, y),
            (Ty::Option(x), Ty::Option(y)) | (Ty::Range(x), Ty::Range(y)) => self.unify(x, y),
            (Ty::Slice { element: x, .. }, Ty::Slice { element: y, .. })
            | (Ty::Planes { element: x, .. }, Ty::Planes { element: y, .. }) => self.unify(x, y),
            (Ty::View { element: x, rank: n, .. }, Ty::View { element: y, rank: m, .. }) => n == m && self.unify(x, y),
            _ => a == b,
        }
    }

    fn unify_arguments(&mut self, a: &Argument, b: &Argument) -> bool {
        match (a, b) {
            (Argument::Type(a), Argument::Type(b)) => self.unify(a, b),
            (Argument::Length(a), Argument::Length(b)) => self.unify_lengths(*a, *b),
            _ => false,
        }
    }

    /// A length that is not known yet.
    pub(crate) fn fresh_length(&mut self) -> u64 {
        self.lengths.push(None);
        UNKNOWN_LENGTH + self.lengths.len() as u64 - 1
    }

    /// The length, as far as known.
    pub(crate) fn length(&self, len: u64) -> u64 {
        match len.checked_sub(UNKNOWN_LENGTH).and_then(|k| self.lengths.get(k as usize)) {
            Some(Some(known)) => self.length(*known),
            _ => len,
        }
    }

    pub(crate) fn unify_lengths(&mut self, a: u64, b: u64) -> bool {
        let (a, b) = (self.length(a), self.length(b));
        let (unknown, other) = if a >= UNKNOWN_LENGTH { (a, b) } else { (b, a) };
        if unknown < UNKNOWN_LENGTH || unknown == other {
            return a == b;
        }
        self.steps += 1;
        self.lengths[(unknown - UNKNOWN_LENGTH) as usize] = Some(other);
        true
    }

    fn bind(&mut self, var: u32, to: &Ty) -> bool {
        let kind = self.kinds[var as usize];
        match (kind, to) {
            (VarKind::Any, _) => {
                if self.occurs(var, to) {
                    return false;
                }
            }
            (_, Ty::Var(other)) => {
                let theirs = self.kinds[*other as usize];
                if theirs == VarKind::Any {
                    // The more specific variable stays.
                    self.steps += 1;
                    self.bound[*other as usize] = Some(Ty::Var(var));
                    return true;
                }
                if theirs != kind {
                    return false;
                }
            }
            (VarKind::Int, known) if known.is_int() => {}
            (VarKind::Float, known) if known.scalar().is_some_and(Scalar::is_float) => {}
            _ => return false,
        }
        self.steps += 1;
        self.bound[var as usize] = Some(to.clone());
        true
    }

    fn occurs(&self, var: u32, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(v) => v == var,
            Ty::Tuple(list) => list.iter().any(|t| self.occurs(var, t)),
            Ty::Struct(_, list) => {
                list.iter().any(|argument| matches!(argument, Argument::Type(ty) if self.occurs(var, ty)))
            }
            Ty::Array(t, _) | Ty::Option(t) | Ty::Range(t) => self.occurs(var, &t),
            _ => false,
        }
    }
}

impl Unifier {
    /// Rust's fallback for literals that nothing else decides.
    pub(crate) fn default_literals(&mut self) {
        for v in 0..self.kinds.len() {
            if self.bound[v].is_none() {
                let default = match self.kinds[v] {
                    VarKind::Int => Ty::I32,
                    VarKind::Float => Ty::F64,
                    VarKind::Any => continue,
                };
                self.bound[v] = Some(default);
                self.steps += 1;
            }
        }
    }
}
