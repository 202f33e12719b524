//! Host values behind bits: how typed closures of rows become functions on words.

use super::soft;
use super::word::Word as Value;
use crate::ir::Scalar;

/// A scalar of the host that is the value of an IR type.
pub(super) trait Word: Copy {
    fn from_word(bits: u64) -> Self;
    fn to_word(self) -> u64;
}

/// What a row's closure may give: a value, or nothing where the op is undefined.
pub(super) trait Outcome {
    fn word(self) -> Option<u64>;
}

impl<T: Word> Outcome for T {
    fn word(self) -> Option<u64> {
        Some(self.to_word())
    }
}

impl<T: Word> Outcome for Option<T> {
    fn word(self) -> Option<u64> {
        self.map(T::to_word)
    }
}

macro_rules! integer_words {
    ($($type:ident $unsigned:ident),+) => {$(
        impl Word for $type {
            fn from_word(bits: u64) -> $type {
                bits as $type
            }
            fn to_word(self) -> u64 {
                self as $unsigned as u64
            }
        }
    )+};
}
integer_words!(i8 u8, i16 u16, i32 u32, i64 u64, u8 u8, u16 u16, u32 u32, u64 u64);

impl Word for bool {
    fn from_word(bits: u64) -> bool {
        bits & 1 == 1
    }
    fn to_word(self) -> u64 {
        self as u64
    }
}

impl Word for f32 {
    fn from_word(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
    fn to_word(self) -> u64 {
        self.to_bits() as u64
    }
}

impl Word for f64 {
    fn from_word(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
    fn to_word(self) -> u64 {
        self.to_bits()
    }
}

pub(super) fn unary<A: Word, R: Outcome>(f: impl Fn(A) -> R, bits: &[u64]) -> Option<u64> {
    f(A::from_word(bits[0])).word()
}

pub(super) fn binary<A: Word, B: Word, R: Outcome>(f: impl Fn(A, B) -> R, bits: &[u64]) -> Option<u64> {
    f(A::from_word(bits[0]), B::from_word(bits[1])).word()
}

pub(super) fn ternary<A: Word, B: Word, C: Word, R: Outcome>(f: impl Fn(A, B, C) -> R, bits: &[u64]) -> Option<u64> {
    f(A::from_word(bits[0]), B::from_word(bits[1]), C::from_word(bits[2])).word()
}

/// What rows say of floats and Rust's own types do not, or leave open.
pub(super) trait Float: Copy {
    /// IEEE `minimumNumber`; Rust's `min` leaves the sign of zero open.
    fn minimum_number(self, other: Self) -> Self;
    /// IEEE `maximumNumber`.
    fn maximum_number(self, other: Self) -> Self;
    /// `self * b + c`, rounded once, without libm.
    fn fused_mul_add(self, b: Self, c: Self) -> Self;
    /// The exact remainder of truncating division, without libm.
    fn exact_rem(self, b: Self) -> Self;
}

macro_rules! floats {
    ($($type:ident $fma:ident $rem:ident),+) => {$(
        impl Float for $type {
            fn minimum_number(self, other: $type) -> $type {
                match self == other {
                    true => $type::from_bits(self.to_bits() | other.to_bits()),
                    false if self < other || other.is_nan() => self,
                    false => other,
                }
            }
            fn maximum_number(self, other: $type) -> $type {
                match self == other {
                    true => $type::from_bits(self.to_bits() & other.to_bits()),
                    false if self > other || other.is_nan() => self,
                    false => other,
                }
            }
            fn fused_mul_add(self, b: $type, c: $type) -> $type {
                soft::$fma(self, b, c)
            }
            fn exact_rem(self, b: $type) -> $type {
                soft::$rem(self, b)
            }
        }
    )+};
}
floats!(f32 fma_f32 rem_f32, f64 fma_f64 rem_f64);

/// `f32` or `f64`: what functions of the host take.
pub trait HostFloat: Copy {
    /// Its type in the IR.
    const SCALAR: Scalar;
    /// As a value of expansions.
    #[doc(hidden)]
    fn word(self) -> Value;
    /// From one.
    #[doc(hidden)]
    fn from_word(word: Value) -> Self;
}

macro_rules! host_floats {
    ($($type:ident $scalar:ident),+) => {$(
        impl HostFloat for $type {
            const SCALAR: Scalar = Scalar::$scalar;
            #[inline(always)]
            fn word(self) -> Value {
                Value::new(Scalar::$scalar, self.to_word())
            }
            #[inline(always)]
            fn from_word(word: Value) -> $type {
                Word::from_word(word.bits())
            }
        }
    )+};
}
host_floats!(f32 F32, f64 F64);
