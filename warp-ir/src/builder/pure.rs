//! Pure ops: builtins by name.

use super::Builder;
use crate::builtins::Builtin;
use crate::ir::*;

/// Pure ops.
impl Builder {
    /// A builtin whose result's type follows from its operands: all but `Cast` and `Bitcast`.
    pub fn pure(&mut self, builtin: Builtin, args: &[Value]) -> Value {
        let scalar = self.result_of(builtin, args);
        self.pure_as(scalar, builtin, args)
    }

    /// A builtin with a result of this type.
    pub fn pure_as(&mut self, scalar: Scalar, builtin: Builtin, args: &[Value]) -> Value {
        let result = self.value(scalar);
        self.push(Op::Pure { builtin, args: args.into(), result });
        result
    }

    fn result_of(&self, builtin: Builtin, args: &[Value]) -> Scalar {
        use Builtin::*;
        match builtin {
            Eq | Ne | Lt | Le => Scalar::Bool,
            CountOnes | LeadingZeros | TrailingZeros => Scalar::U32,
            Select => self.scalar(args[1]),
            Cast | Bitcast => panic!("{builtin:?} does not follow from its operand: use `cast` or `bitcast`"),
            _ => self.scalar(args[0]),
        }
    }

    /// Rust's `as`; the value itself when it has the type already.
    pub fn cast(&mut self, to: Scalar, value: Value) -> Value {
        if self.scalar(value) == to { value } else { self.pure_as(to, Builtin::Cast, &[value]) }
    }

    /// The same bits as another type of the same size.
    pub fn bitcast(&mut self, to: Scalar, value: Value) -> Value {
        if self.scalar(value) == to { value } else { self.pure_as(to, Builtin::Bitcast, &[value]) }
    }

    /// `a > b`.
    pub fn gt(&mut self, a: Value, b: Value) -> Value {
        self.lt(b, a)
    }

    /// `a >= b`.
    pub fn ge(&mut self, a: Value, b: Value) -> Value {
        self.le(b, a)
    }

    /// `if cond { a } else { b }` without control flow.
    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        self.pure(Builtin::Select, &[cond, a, b])
    }

    /// `a * b + c`, rounded once.
    pub fn fma(&mut self, a: Value, b: Value, c: Value) -> Value {
        self.pure(Builtin::Fma, &[a, b, c])
    }
}

macro_rules! unary {
    ($($name:ident $builtin:ident $doc:literal)*) => {
        /// Pure ops of one operand.
        impl Builder {
            $(#[doc = $doc]
            pub fn $name(&mut self, a: Value) -> Value {
                self.pure(Builtin::$builtin, &[a])
            })*
        }
    };
}

unary! {
    neg Neg "`-a`, wrapping."
    not Not "`!a`."
    abs Abs "Magnitude, wrapping."
    sqrt Sqrt "Square root."
    floor Floor "Largest integer not above."
    ceil Ceil "Smallest integer not below."
}

macro_rules! binary {
    ($($name:ident $builtin:ident $doc:literal)*) => {
        /// Pure ops of two operands.
        impl Builder {
            $(#[doc = $doc]
            pub fn $name(&mut self, a: Value, b: Value) -> Value {
                self.pure(Builtin::$builtin, &[a, b])
            })*
        }
    };
}

binary! {
    add Add "`a + b`, wrapping."
    sub Sub "`a - b`, wrapping."
    mul Mul "`a * b`, wrapping."
    div Div "`a / b`; integers need a check."
    rem Rem "`a % b`; integers need a check."
    min Min "The smaller one."
    max Max "The larger one."
    and And "`a & b`."
    or Or "`a | b`."
    xor Xor "`a ^ b`."
    shl Shl "`a << b`, the amount masked."
    shr Shr "`a >> b`, the amount masked."
    eq Eq "`a == b`."
    ne Ne "`a != b`."
    lt Lt "`a < b`."
    le Le "`a <= b`."
}
