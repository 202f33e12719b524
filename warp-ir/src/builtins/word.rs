//! Expansions on the host.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Shl, Shr, Sub};

use super::soft;
use super::value::{Table, Value, literal_bits};
use super::{Builtin, host::Float};
use crate::ir::Scalar;

/// A number of the host with its type. Where expansions are compiled for one type, the compiler sees through it.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    scalar: Scalar,
    bits: u64,
}

impl Word {
    /// From bits, zero-extended.
    #[inline(always)]
    pub fn new(scalar: Scalar, bits: u64) -> Word {
        Word { scalar, bits }
    }

    /// The bits, zero-extended.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.bits
    }

    #[inline(always)]
    fn f32(self) -> f32 {
        f32::from_bits(self.bits as u32)
    }

    #[inline(always)]
    fn f64(self) -> f64 {
        f64::from_bits(self.bits)
    }

    /// The value of an integer, sign-extended.
    #[inline(always)]
    fn signed(self) -> i64 {
        let unused = 64 - self.scalar.bits();
        (self.bits << unused) as i64 >> unused
    }

    /// Applies a function to operands of one float type.
    #[inline(always)]
    fn float(self, single: impl FnOnce(f32) -> f32, double: impl FnOnce(f64) -> f64) -> Word {
        match self.scalar {
            Scalar::F32 => Word { bits: single(self.f32()).to_bits() as u64, ..self },
            _ => Word { bits: double(self.f64()).to_bits(), ..self },
        }
    }

    /// Keeps the bits of its own width.
    #[inline(always)]
    fn integer(self, bits: u64) -> Word {
        Word { bits: bits & self.scalar.mask(), ..self }
    }

    #[inline(always)]
    fn compare(self, other: Word, ordering: impl FnOnce(Option<std::cmp::Ordering>) -> bool) -> Word {
        let found = match self.scalar {
            Scalar::F32 => self.f32().partial_cmp(&other.f32()),
            Scalar::F64 => self.f64().partial_cmp(&other.f64()),
            s if s.is_signed() => Some(self.signed().cmp(&other.signed())),
            _ => Some(self.bits.cmp(&other.bits)),
        };
        Word { scalar: Scalar::Bool, bits: ordering(found) as u64 }
    }

    #[inline(always)]
    fn convert(self, to: Scalar) -> Word {
        let bits = match (self.scalar, to) {
            (Scalar::F32, Scalar::F64) => (self.f32() as f64).to_bits(),
            (Scalar::F64, Scalar::F32) => (self.f64() as f32).to_bits() as u64,
            (from, Scalar::F64) if from.is_signed() => (self.signed() as f64).to_bits(),
            (from, Scalar::F32) if from.is_signed() => (self.signed() as f32).to_bits() as u64,
            (from, Scalar::F64) if from.is_int() => (self.bits as f64).to_bits(),
            (from, Scalar::F32) if from.is_int() => (self.bits as f32).to_bits() as u64,
            (from, to) if (from.is_int() || from == Scalar::Bool) && to.is_int() => {
                if from.is_signed() {
                    self.signed() as u64 & to.mask()
                } else {
                    self.bits & to.mask()
                }
            }
            (from, to) => super::convert::cast(&[from], to, &[self.bits]).unwrap_or(0),
        };
        Word { scalar: to, bits }
    }
}

/// Applies an expansion to operands of one type.
#[inline(always)]
pub(super) fn apply(scalar: Scalar, bits: &[u64], expansion: impl FnOnce(&[Word]) -> Word) -> Option<u64> {
    Some(match *bits {
        [a] => expansion(&[Word::new(scalar, a)]).bits,
        [a, b] => expansion(&[Word::new(scalar, a), Word::new(scalar, b)]).bits,
        [a, b, c] => expansion(&[Word::new(scalar, a), Word::new(scalar, b), Word::new(scalar, c)]).bits,
        _ => return None,
    })
}

/// `a * b + c`, rounded once: by the instruction where the program is compiled for one.
const HARDWARE: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

#[inline(always)]
fn fma(a: Word, b: Word, c: Word) -> Word {
    match HARDWARE {
        true => a.float(|x| x.mul_add(b.f32(), c.f32()), |x| x.mul_add(b.f64(), c.f64())),
        false => a.float(|x| soft::fma_f32(x, b.f32(), c.f32()), |x| soft::fma_f64(x, b.f64(), c.f64())),
    }
}

impl Value for Word {
    #[inline(always)]
    fn scalar(self) -> Scalar {
        self.scalar
    }

    #[inline(always)]
    fn literal(self, scalar: Scalar, bits: u64) -> Word {
        Word { scalar, bits: bits & scalar.mask() }
    }

    #[inline(always)]
    fn op(builtin: Builtin, args: &[Word], scalar: Scalar) -> Word {
        use std::cmp::Ordering::*;
        let a = args[0];
        match builtin {
            Builtin::Abs if scalar.is_float() => a.float(f32::abs, f64::abs),
            Builtin::Sqrt => a.float(f32::sqrt, f64::sqrt),
            Builtin::Trunc => a.float(f32::trunc, f64::trunc),
            Builtin::Copysign => a.float(|x| x.copysign(args[1].f32()), |x| x.copysign(args[1].f64())),
            Builtin::Min if scalar.is_float() => {
                a.float(|x| x.minimum_number(args[1].f32()), |x| x.minimum_number(args[1].f64()))
            }
            Builtin::Max if scalar.is_float() => {
                a.float(|x| x.maximum_number(args[1].f32()), |x| x.maximum_number(args[1].f64()))
            }
            Builtin::Fma => fma(a, args[1], args[2]),
            Builtin::Eq => a.compare(args[1], |o| o == Some(Equal)),
            Builtin::Ne => a.compare(args[1], |o| o != Some(Equal)),
            Builtin::Lt => a.compare(args[1], |o| o == Some(Less)),
            Builtin::Le => a.compare(args[1], |o| matches!(o, Some(Less | Equal))),
            Builtin::Select => {
                if a.bits & 1 == 1 {
                    args[1]
                } else {
                    args[2]
                }
            }
            Builtin::Cast => a.convert(scalar),
            Builtin::Bitcast => Word { scalar, ..a },
            _ => other(builtin, args, scalar),
        }
    }

    #[inline(always)]
    fn look_up(self, table: &'static Table) -> Word {
        Word { bits: table.word(self.bits), ..self }
    }

    #[inline(always)]
    fn rarely(self, seldom: impl FnOnce() -> Word, otherwise: Word) -> Word {
        if self.bits & 1 == 1 { seldom() } else { otherwise }
    }
}

/// Builtins that no expansion needs to be quick.
fn other(builtin: Builtin, args: &[Word], scalar: Scalar) -> Word {
    let scalars: Vec<Scalar> = args.iter().map(|a| a.scalar).collect();
    let bits: Vec<u64> = args.iter().map(|a| a.bits).collect();
    Word { scalar, bits: builtin.eval(&scalars, scalar, &bits).unwrap_or(0) }
}

macro_rules! arithmetic {
    ($($trait:ident $method:ident $operator:tt $wrapping:ident),+) => {$(
        impl $trait for Word {
            type Output = Word;
            #[inline(always)]
            fn $method(self, other: Word) -> Word {
                match self.scalar.is_float() {
                    true => self.float(|x| x $operator other.f32(), |x| x $operator other.f64()),
                    false => self.integer(self.bits.$wrapping(other.bits)),
                }
            }
        }
    )+};
}
arithmetic!(Add add + wrapping_add, Sub sub - wrapping_sub, Mul mul * wrapping_mul);

impl Div for Word {
    type Output = Word;
    /// Floats only.
    #[inline(always)]
    fn div(self, other: Word) -> Word {
        self.float(|x| x / other.f32(), |x| x / other.f64())
    }
}

impl Neg for Word {
    type Output = Word;
    #[inline(always)]
    fn neg(self) -> Word {
        match self.scalar.is_float() {
            true => self.float(|x| -x, |x| -x),
            false => self.integer(self.bits.wrapping_neg()),
        }
    }
}

macro_rules! bitwise {
    ($($trait:ident $method:ident $operator:tt),+) => {$(
        impl $trait for Word {
            type Output = Word;
            #[inline(always)]
            fn $method(self, other: Word) -> Word {
                self.integer(self.bits $operator other.bits)
            }
        }
    )+};
}
bitwise!(BitAnd bitand &, BitOr bitor |, BitXor bitxor ^);

/// The amount is masked to the width.
impl Shl for Word {
    type Output = Word;
    #[inline(always)]
    fn shl(self, by: Word) -> Word {
        self.integer(self.bits << (by.bits & (self.scalar.bits() as u64 - 1)))
    }
}

impl Shr for Word {
    type Output = Word;
    #[inline(always)]
    fn shr(self, by: Word) -> Word {
        let by = by.bits & (self.scalar.bits() as u64 - 1);
        match self.scalar.is_signed() {
            true => self.integer((self.signed() >> by) as u64),
            false => self.integer(self.bits >> by),
        }
    }
}

macro_rules! literals {
    ($($trait:ident $method:ident),+) => {$(
        impl $trait<f64> for Word {
            type Output = Word;
            #[inline(always)]
            fn $method(self, value: f64) -> Word {
                self.$method(Word { bits: literal_bits(self.scalar, value), ..self })
            }
        }

        impl $trait<u64> for Word {
            type Output = Word;
            #[inline(always)]
            fn $method(self, bits: u64) -> Word {
                self.$method(self.integer(bits))
            }
        }
    )+};
}
literals!(Add add, Sub sub, Mul mul, Div div, BitAnd bitand, BitOr bitor, BitXor bitxor, Shl shl, Shr shr);
