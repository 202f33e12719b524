//! Values of Rust's types in the bits of registers.

/// A number type that registers can hold.
pub(super) trait Word: Copy {
    /// The value that the low bits mean.
    fn of(bits: u64) -> Self;
    /// The value's bits, zeros above.
    fn bits(self) -> u64;
}

macro_rules! words {
    ($($t:ty, $unsigned:ty;)*) => {$(
        impl Word for $t {
            fn of(bits: u64) -> Self { bits as Self }
            fn bits(self) -> u64 { u64::from(self as $unsigned) }
        }
    )*};
}

words! { u8, u8; u16, u16; u32, u32; u64, u64; i8, u8; i16, u16; i32, u32; i64, u64; }

impl Word for bool {
    fn of(bits: u64) -> Self {
        bits != 0
    }

    fn bits(self) -> u64 {
        u64::from(self)
    }
}

impl Word for f32 {
    fn of(bits: u64) -> Self {
        Self::from_bits(bits as u32)
    }

    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Word for f64 {
    fn of(bits: u64) -> Self {
        Self::from_bits(bits)
    }

    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// The function for `$kind` out of a list `Type variant => Rust type`, whose operands are values of the Rust type.
macro_rules! unary {
    ($kind:expr, [$($variant:ident => $t:ty),+ $(,)?], |$a:ident| $body:expr) => {
        match $kind {
            $($crate::types::Type::$variant => {
                fn run(a: u64) -> u64 {
                    let $a = <$t as $crate::arithmetic::word::Word>::of(a);
                    $crate::arithmetic::word::Word::bits($body)
                }
                Some(run as $crate::arithmetic::Unary)
            })+
            _ => None,
        }
    };
}

/// The same for two operands of one type.
macro_rules! binary {
    ($kind:expr, [$($variant:ident => $t:ty),+ $(,)?], |$a:ident, $b:ident| $body:expr) => {
        match $kind {
            $($crate::types::Type::$variant => {
                fn run(a: u64, b: u64) -> u64 {
                    let $a = <$t as $crate::arithmetic::word::Word>::of(a);
                    let $b = <$t as $crate::arithmetic::word::Word>::of(b);
                    $crate::arithmetic::word::Word::bits($body)
                }
                Some(run as $crate::arithmetic::Binary)
            })+
            _ => None,
        }
    };
}

pub(super) use {binary, unary};
