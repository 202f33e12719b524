//! The notation of signatures: sets of scalar types, and classes that a signature's letters stand for.

use std::fmt;

use crate::ir::Scalar;

/// What a parameter or result of a builtin may be. Within one signature, the same class means the same type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// `S`: integers, F32 and F64.
    Arithmetic,
    /// `I`: integers.
    Integer,
    /// `F`: F32 or F64.
    Float,
    /// `L`: integers and Bool, as rows of bits.
    Logical,
    /// `C`: what can be compared: integers, F32, F64, Bool.
    Comparable,
    /// `T`: any scalar.
    Any,
    /// `R`: any scalar, independent of the operands; the op says which.
    Free,
    /// One type.
    Exactly(Scalar),
}

impl Class {
    /// The types in the class.
    pub fn members(self) -> Scalars {
        match self {
            Class::Arithmetic => Scalars::INT.or(Scalars::FLOAT),
            Class::Integer => Scalars::INT,
            Class::Float => Scalars::FLOAT,
            Class::Logical => Scalars::INT.or(Scalars::BOOL),
            Class::Comparable => Scalars::INT.or(Scalars::FLOAT).or(Scalars::BOOL),
            Class::Any | Class::Free => Scalars::ANY,
            Class::Exactly(scalar) => Scalars::only(scalar),
        }
    }

    /// What the class takes, in words.
    pub fn describe(self) -> String {
        match self {
            Class::Arithmetic => "an integer, f32 or f64".into(),
            Class::Integer => "an integer".into(),
            Class::Float => "f32 or f64".into(),
            Class::Logical => "an integer or bool".into(),
            Class::Comparable => "an integer, f32, f64 or bool".into(),
            Class::Any | Class::Free => "any scalar".into(),
            Class::Exactly(scalar) => scalar.name().into(),
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Arithmetic => "S",
            Class::Integer => "I",
            Class::Float => "F",
            Class::Logical => "L",
            Class::Comparable => "C",
            Class::Any => "T",
            Class::Free => "R",
            Class::Exactly(scalar) => scalar.name(),
        })
    }
}

/// A set of scalar types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scalars(u16);

impl Scalars {
    /// I8, I16, I32, I64.
    pub const SIGNED: Scalars = Scalars::of(&[Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64]);
    /// U8, U16, U32, U64.
    pub const UNSIGNED: Scalars = Scalars::of(&[Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64]);
    /// All integers.
    pub const INT: Scalars = Scalars::SIGNED.or(Scalars::UNSIGNED);
    /// Integers of 8 bits.
    pub const INT8: Scalars = Scalars::of(&[Scalar::I8, Scalar::U8]);
    /// Integers of 32 bits.
    pub const INT32: Scalars = Scalars::of(&[Scalar::I32, Scalar::U32]);
    /// Integers of 64 bits.
    pub const INT64: Scalars = Scalars::of(&[Scalar::I64, Scalar::U64]);
    /// F32 and F64.
    pub const FLOAT: Scalars = Scalars::of(&[Scalar::F32, Scalar::F64]);
    /// F16 and BF16.
    pub const HALF: Scalars = Scalars::of(&[Scalar::F16, Scalar::BF16]);
    /// BF16.
    pub const BF16: Scalars = Scalars::only(Scalar::BF16);
    /// Bool.
    pub const BOOL: Scalars = Scalars::only(Scalar::Bool);
    /// Every scalar.
    pub const ANY: Scalars = Scalars::of(&Scalar::ALL);

    /// The set of one.
    pub const fn only(scalar: Scalar) -> Scalars {
        Scalars(1 << scalar as u16)
    }

    /// The set of those listed.
    pub const fn of(list: &[Scalar]) -> Scalars {
        let mut set = 0;
        let mut i = 0;
        while i < list.len() {
            set |= 1 << list[i] as u16;
            i += 1;
        }
        Scalars(set)
    }

    /// The union.
    pub const fn or(self, other: Scalars) -> Scalars {
        Scalars(self.0 | other.0)
    }

    /// Whether `scalar` is in the set.
    pub const fn contains(self, scalar: Scalar) -> bool {
        self.0 >> scalar as u16 & 1 == 1
    }

    /// The members, in the order of [`Scalar::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Scalar> {
        Scalar::ALL.into_iter().filter(move |&s| self.contains(s))
    }
}
