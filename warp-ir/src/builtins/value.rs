//! What expansions are written over: a value that is either a node of a growing expression or a number of the host.
//!
//! An expansion is one generic function. As [`Val`] it appends nodes, which backends lower; as [`Word`] the same lines
//! compute on the host, at the speed of ordinary Rust. So a row's meaning on the host and on devices is one list of
//! operations.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Shl, Shr, Sub};

use super::{Builtin, Val};
use crate::ir::Scalar;

/// A constant table of U64 words, whose length is a power of two.
pub struct Table {
    /// Its name, in dumps.
    pub name: &'static str,
    /// Its words.
    pub words: &'static [u64],
}

impl Table {
    /// How many words there are: a power of two.
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> usize {
        self.words.len()
    }

    /// The word at an index, modulo the length.
    #[inline(always)]
    pub fn word(&self, index: u64) -> u64 {
        self.words[index as usize & (self.words.len() - 1)]
    }
}

/// Tables are compared by name.
impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Arithmetic with values, and with numbers on the right.
pub trait Operators<R>:
    Sized
    + Add<R, Output = Self>
    + Sub<R, Output = Self>
    + Mul<R, Output = Self>
    + Div<R, Output = Self>
    + BitAnd<R, Output = Self>
    + BitOr<R, Output = Self>
    + BitXor<R, Output = Self>
    + Shl<R, Output = Self>
    + Shr<R, Output = Self>
{
}

impl<R, T> Operators<R> for T where
    T: Sized
        + Add<R, Output = T>
        + Sub<R, Output = T>
        + Mul<R, Output = T>
        + Div<R, Output = T>
        + BitAnd<R, Output = T>
        + BitOr<R, Output = T>
        + BitXor<R, Output = T>
        + Shl<R, Output = T>
        + Shr<R, Output = T>
{
}

/// A scalar of any type. A number on the right of an operator is a literal of the left side's type: an `f64` is
/// rounded to it, a `u64` gives the bits of an integer.
pub trait Value: Copy + Neg<Output = Self> + Operators<Self> + Operators<f64> + Operators<u64> {
    /// Its type.
    fn scalar(self) -> Scalar;

    /// A literal.
    fn literal(self, scalar: Scalar, bits: u64) -> Self;

    /// A builtin of values, of this type.
    fn op(builtin: Builtin, args: &[Self], scalar: Scalar) -> Self;

    /// The word of a table at an index (U64), which wraps at the table's length.
    fn look_up(self, table: &'static Table) -> Self;

    /// For a Bool: `otherwise`, but `seldom` where it holds. Both are defined everywhere; a backend may skip `seldom`
    /// where it is not needed, and should where it costs more than a branch.
    fn rarely(self, seldom: impl FnOnce() -> Self, otherwise: Self) -> Self;

    /// A literal of this value's type.
    fn lit(self, value: f64) -> Self {
        let scalar = self.scalar();
        self.literal(scalar, literal_bits(scalar, value))
    }

    /// The magnitude.
    fn abs(self) -> Self {
        Self::op(Builtin::Abs, &[self], self.scalar())
    }

    /// The square root.
    fn sqrt(self) -> Self {
        Self::op(Builtin::Sqrt, &[self], self.scalar())
    }

    /// Rounded toward zero.
    fn trunc(self) -> Self {
        Self::op(Builtin::Trunc, &[self], self.scalar())
    }

    /// This magnitude with the other's sign.
    fn copysign(self, sign: Self) -> Self {
        Self::op(Builtin::Copysign, &[self, sign], self.scalar())
    }

    /// `self * b + c`, rounded once.
    fn mul_add(self, b: Self, c: Self) -> Self {
        Self::op(Builtin::Fma, &[self, b, c], self.scalar())
    }

    /// `self == other` (Bool).
    fn eq(self, other: Self) -> Self {
        Self::op(Builtin::Eq, &[self, other], Scalar::Bool)
    }

    /// `self != other` (Bool).
    fn ne(self, other: Self) -> Self {
        Self::op(Builtin::Ne, &[self, other], Scalar::Bool)
    }

    /// `self < other` (Bool).
    fn lt(self, other: Self) -> Self {
        Self::op(Builtin::Lt, &[self, other], Scalar::Bool)
    }

    /// `self <= other` (Bool).
    fn le(self, other: Self) -> Self {
        Self::op(Builtin::Le, &[self, other], Scalar::Bool)
    }

    /// For a Bool: `then` where it holds, else `otherwise`.
    fn select(self, then: Self, otherwise: Self) -> Self {
        Self::op(Builtin::Select, &[self, then, otherwise], otherwise.scalar())
    }

    /// `self as scalar`.
    fn cast(self, scalar: Scalar) -> Self {
        if scalar == self.scalar() { self } else { Self::op(Builtin::Cast, &[self], scalar) }
    }

    /// The bits as another type of the same size.
    fn bitcast(self, scalar: Scalar) -> Self {
        if scalar == self.scalar() { self } else { Self::op(Builtin::Bitcast, &[self], scalar) }
    }
}

/// The bits of a literal: a float is rounded to nearest, an integer or Bool takes the whole number.
pub(crate) fn literal_bits(scalar: Scalar, value: f64) -> u64 {
    match scalar {
        Scalar::F64 => value.to_bits(),
        Scalar::F32 => (value as f32).to_bits() as u64,
        Scalar::Bool => (value != 0.0) as u64,
        s if s.is_int() => value as i64 as u64 & s.mask(),
        s => super::convert::cast(&[Scalar::F64], s, &[value.to_bits()]).unwrap_or(0),
    }
}

impl Value for Val<'_> {
    fn scalar(self) -> Scalar {
        Val::scalar(self)
    }

    fn literal(self, scalar: Scalar, bits: u64) -> Self {
        Val::bits(self, scalar, bits)
    }

    fn op(builtin: Builtin, args: &[Self], scalar: Scalar) -> Self {
        Val::op(builtin, args, scalar)
    }

    fn look_up(self, table: &'static Table) -> Self {
        Val::look_up(self, table)
    }

    fn rarely(self, seldom: impl FnOnce() -> Self, otherwise: Self) -> Self {
        Val::rarely(self, seldom(), otherwise)
    }
}
