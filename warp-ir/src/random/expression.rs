//! Random pure ops, divisions with their checks among them.

use super::bits::bits;
use super::statement::Maker;
use crate::builtins::Builtin::{self, *};
use crate::ir::{CheckKind, Op, Scalar, Value};

/// Operands of the arithmetic type, result of the same.
const ARITHMETIC: [(Builtin, usize); 7] = [(Add, 2), (Sub, 2), (Mul, 2), (Min, 2), (Max, 2), (Neg, 1), (Abs, 1)];
const FLOAT: [(Builtin, usize); 9] =
    [(Div, 2), (Rem, 2), (Fma, 3), (Sqrt, 1), (Floor, 1), (Ceil, 1), (Trunc, 1), (Round, 1), (RoundEven, 1)];
const INTEGER: [(Builtin, usize); 8] =
    [(And, 2), (Or, 2), (Xor, 2), (Not, 1), (Shl, 2), (Shr, 2), (ReverseBits, 1), (SwapBytes, 1)];
const COUNTS: [Builtin; 3] = [CountOnes, LeadingZeros, TrailingZeros];
const COMPARE: [Builtin; 4] = [Eq, Ne, Lt, Le];

impl Maker {
    /// A value of the type that is visible, or a constant.
    pub(super) fn value(&mut self, scalar: Scalar) -> Value {
        self.pool.value(&mut self.rng, &mut self.b, scalar)
    }

    fn values(&mut self, scalar: Scalar, count: usize) -> Vec<Value> {
        (0..count).map(|_| self.value(scalar)).collect()
    }

    /// A new value of a type that the kernel likes.
    pub(super) fn expression(&mut self) -> Value {
        let scalar = self.liked();
        self.computed(scalar)
    }

    /// A type that the kernel likes, or one that every kernel needs.
    pub(super) fn liked(&mut self) -> Scalar {
        match self.rng.below(8) {
            0 => Scalar::U64,
            1 => Scalar::Bool,
            _ => self.rng.pick(&self.palette.clone()),
        }
    }

    /// A new value of the type, by a random op.
    pub(super) fn computed(&mut self, scalar: Scalar) -> Value {
        let value = match self.rng.below(8) {
            0 => self.selected(scalar),
            1 => self.converted(scalar),
            _ => self.operated(scalar),
        };
        self.pool.add(scalar, value);
        value
    }

    /// One op on each component of a vector, as lowering writes it; one operand may be the same for all.
    pub(super) fn components(&mut self) {
        let liked: Vec<Scalar> =
            self.palette.iter().copied().filter(|scalar| scalar.is_float() && !scalar.is_half()).collect();
        let scalar = self.rng.pick(&liked);
        let (builtin, count) = if self.rng.chance(50) { self.rng.pick(&FLOAT) } else { self.rng.pick(&ARITHMETIC) };
        let shared = self.value(scalar);
        let shares = count > 1 && self.rng.chance(50);
        let mut components: Vec<Vec<Value>> = (0..self.rng.range(2, 5)).map(|_| self.values(scalar, count)).collect();
        if shares {
            components.iter_mut().for_each(|args| args[count - 1] = shared);
        }
        for args in components {
            let value = self.b.pure(builtin, &args);
            self.pool.add(scalar, value);
        }
    }

    fn operated(&mut self, scalar: Scalar) -> Value {
        if scalar == Scalar::Bool {
            return self.condition();
        }
        if scalar.is_half() {
            return self.converted(scalar);
        }
        if scalar == Scalar::U32 && self.rng.chance(15) {
            let of = self.integer();
            let arg = self.value(of);
            let builtin = self.rng.pick(&COUNTS);
            return self.b.pure(builtin, &[arg]);
        }
        let (builtin, count) = match self.rng.below(2) {
            0 => self.rng.pick(&ARITHMETIC),
            _ if scalar.is_float() => self.rng.pick(&FLOAT),
            _ => self.rng.pick(&INTEGER),
        };
        match self.rng.below(16) {
            0 if scalar.is_float() => self.copysign(scalar),
            0 | 1 if scalar.is_int() => self.division(scalar),
            2 if scalar.is_int() => {
                let (a, n) = (self.value(scalar), self.value(Scalar::U32));
                let builtin = self.rng.pick(&[RotateLeft, RotateRight]);
                self.b.pure(builtin, &[a, n])
            }
            _ => {
                let args = self.values(scalar, count);
                self.b.pure(builtin, &args)
            }
        }
    }

    /// An integer type, liked or not.
    pub(super) fn integer(&mut self) -> Scalar {
        let liked = self.liked();
        if liked.is_int() { liked } else { self.rng.pick(&[Scalar::I32, Scalar::U8, Scalar::I64, Scalar::U16]) }
    }

    /// A new `Bool`.
    pub(super) fn condition(&mut self) -> Value {
        match self.rng.below(4) {
            0 => {
                let args = self.values(Scalar::Bool, 2);
                let builtin = self.rng.pick(&[And, Or, Xor, Eq, Ne]);
                self.b.pure(builtin, &args)
            }
            1 => {
                let arg = self.value(Scalar::Bool);
                self.b.not(arg)
            }
            _ => {
                let mut scalar = self.liked();
                if scalar.is_half() {
                    scalar = Scalar::U64;
                }
                let args = self.values(scalar, 2);
                let builtin = if scalar == Scalar::Bool { Ne } else { self.rng.pick(&COMPARE) };
                self.b.pure(builtin, &args)
            }
        }
    }

    /// A comparison of two integers of a type, on either side.
    pub(super) fn compared(&mut self, value: Value, other: Value) -> Value {
        let args = if self.rng.chance(50) { [value, other] } else { [other, value] };
        let builtin = self.rng.pick(&COMPARE);
        self.b.pure(builtin, &args)
    }

    fn selected(&mut self, scalar: Scalar) -> Value {
        let cond = self.value(Scalar::Bool);
        let args = self.values(scalar, 2);
        self.b.select(cond, args[0], args[1])
    }

    /// By a cast or bitcast from another type.
    fn converted(&mut self, scalar: Scalar) -> Value {
        if scalar == Scalar::Bool {
            return self.condition();
        }
        if self.rng.chance(25) {
            return self.bitcast(scalar);
        }
        let from = match scalar {
            _ if scalar.is_half() => self.rng.pick(&[Scalar::F32, Scalar::F64]),
            _ => self.rng.pick(&Scalar::ALL),
        };
        let from = match (from, scalar) {
            (Scalar::Bool, _) if !scalar.is_int() => Scalar::I32,
            _ if from.is_half() && !scalar.is_float() => Scalar::F64,
            _ => from,
        };
        let arg = self.value(from);
        if from == scalar { arg } else { self.b.cast(scalar, arg) }
    }

    /// The bits of a NaN are not specified, so they are not looked at: floats pass on their bits unless they are NaN.
    fn bitcast(&mut self, scalar: Scalar) -> Value {
        let same_size: Vec<Scalar> =
            Scalar::ALL.into_iter().filter(|s| s.size() == scalar.size() && *s != Scalar::Bool).collect();
        let from = self.rng.pick(&same_size);
        let arg = self.value(from);
        if scalar == from {
            return arg;
        }
        let cast = self.b.bitcast(scalar, arg);
        if from.is_int() {
            return cast;
        }
        let number = if from.is_half() { self.b.cast(Scalar::F32, arg) } else { arg };
        let ordered = self.b.eq(number, number);
        let other = self.value(scalar);
        self.b.select(ordered, cast, other)
    }

    /// The sign of a NaN is not specified either.
    fn copysign(&mut self, scalar: Scalar) -> Value {
        let args = self.values(scalar, 3);
        let ordered = self.b.eq(args[1], args[1]);
        let ordered_other = self.b.eq(args[2], args[2]);
        let one = self.b.const_(scalar, if scalar == Scalar::F32 { 0x3f80_0000 } else { 0x3ff0_0000_0000_0000 });
        let other = self.b.select(ordered_other, args[2], one);
        let sign = self.b.select(ordered, args[1], other);
        self.b.pure(Copysign, &[args[0], sign])
    }

    /// An integer division with its checks. In a kernel that takes no risks they hold.
    pub(super) fn division(&mut self, scalar: Scalar) -> Value {
        let mut args = self.values(scalar, 2);
        let risky = self.takes_risk();
        if !risky {
            let one = self.b.int(scalar, 1);
            args[1] = self.b.or(args[1], one);
            if scalar.is_signed() {
                // Half of the smallest value is not the smallest value.
                args[0] = self.b.shr(args[0], one);
            }
        } else if self.rng.chance(30) {
            args[1] = self.b.const_(scalar, bits(&mut self.rng, scalar).max(1));
        }
        let (zero, source) = (self.b.zero(scalar), self.source());
        let cond = self.b.ne(args[1], zero);
        self.b.check(cond, CheckKind::DivideByZero, &[], source);
        if scalar.is_signed() {
            self.check_overflow(scalar, &args);
        }
        let builtin = self.rng.pick(&[Div, Rem]);
        let result = self.b.value(scalar);
        self.b.push(Op::Pure { builtin, args, result });
        result
    }

    fn check_overflow(&mut self, scalar: Scalar, args: &[Value]) {
        let (min, minus) = (self.b.const_(scalar, 1 << (scalar.bits() - 1)), self.b.int(scalar, -1));
        let source = self.source();
        let cond = if self.rng.chance(50) {
            let (p, q) = (self.b.ne(args[0], min), self.b.ne(args[1], minus));
            self.b.or(p, q)
        } else {
            let (p, q) = (self.b.eq(args[0], min), self.b.eq(args[1], minus));
            let both = self.b.and(p, q);
            self.b.not(both)
        };
        self.b.check(cond, CheckKind::DivideOverflow, &[], source);
    }
}
