//! Types, state spaces and roundings of the language.

use std::fmt;

macro_rules! types {
    ($($variant:ident $name:literal $size:literal,)*) => {
        /// A fundamental type, as instructions and registers name it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Type { $($variant,)* }

        impl Type {
            /// The type of a modifier, which is given without its dot.
            pub(crate) fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }

            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Bytes of a value; a predicate has none.
            pub(crate) fn size(self) -> usize {
                match self { $(Self::$variant => $size,)* }
            }
        }
    };
}

types! {
    B8 "b8" 1, B16 "b16" 2, B32 "b32" 4, B64 "b64" 8,
    U8 "u8" 1, U16 "u16" 2, U32 "u32" 4, U64 "u64" 8,
    S8 "s8" 1, S16 "s16" 2, S32 "s32" 4, S64 "s64" 8,
    F16 "f16" 2, Bf16 "bf16" 2, F32 "f32" 4, F64 "f64" 8,
    Pred "pred" 0,
}

impl Type {
    pub(crate) fn is_bits(self) -> bool {
        matches!(self, Self::B8 | Self::B16 | Self::B32 | Self::B64)
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Self::S8 | Self::S16 | Self::S32 | Self::S64)
    }

    /// Signed or unsigned numbers; types of bits are not numbers.
    pub(crate) fn is_integer(self) -> bool {
        self.is_signed() || matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64)
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    /// Whether a register of type `register` may stand where an instruction has this type: of the same size, and of
    /// the same kind unless one of the two is mere bits.
    pub(crate) fn takes(self, register: Self) -> bool {
        let kind = self == register
            || (self != Self::Pred
                && register != Self::Pred
                && (self.is_bits() || register.is_bits() || (self.is_integer() && register.is_integer())));
        kind && self.size() == register.size()
    }

    /// The same for loads, stores and conversions, where an integer register may be wider than the type.
    pub(crate) fn takes_wider(self, register: Self) -> bool {
        let whole = |t: Self| t.is_integer() || t.is_bits();
        self.takes(register) || (whole(self) && whole(register) && register.size() > self.size())
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.name())
    }
}

/// Where a variable lies or an access goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    /// Any of global, shared, local and const: the address tells.
    Generic,
    Global,
    Shared,
    Local,
    Const,
    /// Parameters of an entry, the same for all threads, read only.
    EntryParam,
    /// Parameters of functions, results, and those that a caller prepares.
    Param,
}

impl Space {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Global => "global",
            Self::Shared => "shared",
            Self::Local => "local",
            Self::Const => "const",
            Self::EntryParam | Self::Param => "param",
        }
    }
}

/// How a result that lies between two representable numbers is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// To the nearest, to the even one of two that are equally near.
    Nearest,
    /// Towards zero.
    Zero,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
}

impl Rounding {
    /// `rn`, `rz`, `rm`, `rp`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "rn" => Some(Self::Nearest),
            "rz" => Some(Self::Zero),
            "rm" => Some(Self::Down),
            "rp" => Some(Self::Up),
            _ => None,
        }
    }

    /// `rni`, `rzi`, `rmi`, `rpi`: to whole numbers.
    pub(crate) fn to_integer(name: &str) -> Option<Self> {
        name.strip_suffix('i').and_then(Self::named)
    }
}
