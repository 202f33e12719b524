//! The scalar types, the only types of values.

use serde::{Deserialize, Serialize};

/// The type of a value. `usize` is [`Scalar::U64`], `isize` is [`Scalar::I64`].
///
/// A value travels outside compiled code as the low bits of a `u64`, zero-extended: `true` is 1, `-1i8` is `0xff`.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    /// Storage only: loads, stores and casts. Arithmetic is done in `F32` by the front end.
    F16,
    /// Storage only, as [`Scalar::F16`].
    BF16,
    F32,
    F64,
}

impl Scalar {
    /// All scalar types, in declaration order.
    pub const ALL: [Scalar; 13] = {
        use Scalar::*;
        [Bool, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64]
    };

    /// Size in memory in bytes; equal to its alignment.
    pub const fn size(self) -> usize {
        use Scalar::*;
        match self {
            Bool | I8 | U8 => 1,
            I16 | U16 | F16 | BF16 => 2,
            I32 | U32 | F32 => 4,
            I64 | U64 | F64 => 8,
        }
    }

    /// Size in bits of the value; 8 for `Bool`.
    pub const fn bits(self) -> u32 {
        self.size() as u32 * 8
    }

    /// The bits of a `u64` that a value of this type may use.
    pub const fn mask(self) -> u64 {
        match self {
            Scalar::Bool => 1,
            _ => u64::MAX >> (64 - self.bits()),
        }
    }

    /// An integer type, signed or not; `Bool` is none.
    pub const fn is_int(self) -> bool {
        use Scalar::*;
        matches!(self, I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64)
    }

    /// A signed integer type.
    pub const fn is_signed(self) -> bool {
        use Scalar::*;
        matches!(self, I8 | I16 | I32 | I64)
    }

    /// `F32` or `F64`: the floats that have arithmetic.
    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// `F16` or `BF16`.
    pub const fn is_half(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::BF16)
    }

    /// Rust's name of the type, also its name in the text form (`u64` for `usize`).
    pub const fn name(self) -> &'static str {
        use Scalar::*;
        match self {
            Bool => "bool",
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
            U8 => "u8",
            U16 => "u16",
            U32 => "u32",
            U64 => "u64",
            F16 => "f16",
            BF16 => "bf16",
            F32 => "f32",
            F64 => "f64",
        }
    }

    /// The inverse of [`Scalar::name`]; also takes `usize` and `isize`.
    pub fn from_name(name: &str) -> Option<Scalar> {
        match name {
            "usize" => Some(Scalar::U64),
            "isize" => Some(Scalar::I64),
            _ => Scalar::ALL.into_iter().find(|s| s.name() == name),
        }
    }
}
