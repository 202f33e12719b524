//! Sums, products and their relatives.

use super::Val;
use super::host::Float;
use crate::ir::Scalar;

rows! {
    topic "arithmetic", module arithmetic, names arithmetic_names, result r, adjoint dr;

    /// `a + b`. Integers wrap.
    ///
    /// Example: `2 + 3` is `5`.
    ///
    /// Example: `255u8 + 1` is `0`.
    Add = add(a: S, b: S) -> S {
        host: int |a, b| a.wrapping_add(b), float |a, b| a + b;
        adjoint: bounded { a: dr, b: dr };
        clif: int Iadd, float Fadd;
        ptx: int "add.{t} {r}, {a}, {b};", float "add.rn.{t} {r}, {a}, {b};";
        ulp: 0;
        domain: -4.0..4.0, -4.0..4.0;
    }

    /// `a - b`. Integers wrap.
    ///
    /// Example: `2.5 - 3.0` is `-0.5`.
    ///
    /// Example: `0u8 - 1` is `255`.
    Sub = sub(a: S, b: S) -> S {
        host: int |a, b| a.wrapping_sub(b), float |a, b| a - b;
        adjoint: bounded { a: dr, b: -dr };
        clif: int Isub, float Fsub;
        ptx: int "sub.{t} {r}, {a}, {b};", float "sub.rn.{t} {r}, {a}, {b};";
        ulp: 0;
        domain: -4.0..4.0, -4.0..4.0;
    }

    /// `a * b`. Integers wrap.
    ///
    /// Example: `2.5 * -3.0` is `-7.5`.
    Mul = mul(a: S, b: S) -> S {
        host: int |a, b| a.wrapping_mul(b), float |a, b| a * b;
        adjoint: bounded { a: dr * b, b: dr * a };
        clif: int Imul, float Fmul;
        ptx: int "mul.lo.{t} {r}, {a}, {b};", float "mul.rn.{t} {r}, {a}, {b};";
        ulp: 0;
        domain: -4.0..4.0, -4.0..4.0;
        fixed: [0.0, 0.0] => [0.0, 0.0];
    }

    /// `a / b`. Integers truncate toward zero; they are defined only under checks against zero and `MIN / -1`. Floats
    /// never fault; where `b` is 0 the gradient is as infinite as the value.
    ///
    /// Example: `-7 / 2` is `-3`.
    ///
    /// Example: `1.0 / -0.0` is `f32::NEG_INFINITY`.
    Div = div(a: S, b: S) -> S {
        host: int |a, b| a.checked_div(b), float |a, b| a / b;
        adjoint: unbounded {
            a: dr / b,
            b: {
                // Both have the first quotient, which may be infinite where `r` is 0. Only what is NaN is looked at again.
                let slope = -((dr / b) * r);
                (r.eq(0.0) & slope.ne(slope)).select(dr * r, slope)
            },
        };
        clif: signed Sdiv, unsigned Udiv, float Fdiv;
        ptx: int "div.{t} {r}, {a}, {b};", float "div.rn.{t} {r}, {a}, {b};";
        fast: "div.full.f32 {r}, {a}, {b};";
        ulp: 0;
        domain: -4.0..4.0, 0.5..4.0;
        fixed: [0.0, 2.0] => [0.5, 0.0], [3.0, -2.0] => [-0.5, -0.75];
    }

    /// The remainder of truncating division: it has the sign of `a`. Exact on floats (`fmod`); integers are defined
    /// only where `div` is. The gradient takes the whole quotient as constant, also at its jumps; where `b` is 0 the value
    /// is NaN.
    ///
    /// Example: `-7 % 2` is `-1`.
    ///
    /// Example: `5.5 % 2.0` is `1.5`.
    Rem = rem(a: S, b: S) -> S {
        host: int |a, b| a.checked_rem(b), float |a, b| a.exact_rem(b);
        adjoint: unbounded { a: dr, b: -(((a - r) / b).round_even() * dr) };
        clif: signed Srem, unsigned Urem, float helper;
        ptx: int "rem.{t} {r}, {a}, {b};", float emitter;
        ulp: 0;
        domain: 2.1..2.9, 1.0..1.04;
        // The quotient of the second rounds to 10, and is 9.
        fixed: [6.0, 2.0] => [1.0, -3.0], [1.0, 0.1] => [1.0, -9.0], [-6.0, 2.0] => [1.0, 3.0], [0.0, 2.0] => [1.0, 0.0];
    }

    /// `-a`. Integers wrap, so `-MIN` is `MIN`.
    ///
    /// Example: `-(-7)` is `7`.
    Neg = neg(a: S) -> S {
        host: int |a| a.wrapping_neg(), float |a| -a;
        adjoint: bounded { a: -dr };
        clif: int Ineg, float Fneg;
        ptx: signed "neg.{t} {r}, {a};", unsigned expand(negate), float "neg.{t} {r}, {a};";
        ulp: 0;
        domain: -4.0..4.0;
    }

    /// The magnitude. `MIN` of a signed integer wraps to itself. The gradient at 0 is 0.
    ///
    /// Example: `(-2.5f32).abs()` is `2.5`.
    ///
    /// Example: `(-7i32).abs()` is `7`.
    Abs = abs(a: S) -> S {
        host: signed |a| a.wrapping_abs(), unsigned |a| a, float |a| a.abs();
        adjoint: bounded { a: a.eq(0.0).select(0.0, a.lt(0.0).select(-dr, dr)) };
        clif: signed Iabs, unsigned Nothing, float Fabs;
        ptx: signed "abs.{t} {r}, {a};", unsigned "mov.{bits} {r}, {a};", float "abs.{t} {r}, {a};";
        ulp: 0;
        domain: 0.5..4.0;
        fixed: [0.0] => [0.0], [-0.0] => [0.0], [-2.0] => [-1.0];
    }

    /// The smaller. On floats IEEE `minimumNumber`: a NaN counts as missing, and -0 lies below +0. At a tie the whole
    /// gradient goes to `a`.
    ///
    /// Example: `2f32.min(3.0)` is `2.0`.
    ///
    /// Example: `f32::NAN.min(3.0)` is `3.0`.
    ///
    /// Example: `(-7i32).min(3)` is `-7`.
    Min = min(a: S, b: S) -> S {
        host: int |a, b| a.min(b), float |a, b| a.minimum_number(b);
        adjoint: bounded { a: takes_min(a, b).select(dr, dr.lit(0.0)), b: takes_min(a, b).select(0.0, dr) };
        clif: signed Smin, unsigned Umin, float expand(minimum_number);
        ptx: int "min.{t} {r}, {a}, {b};", float "min.{t} {r}, {a}, {b};";
        ulp: 0;
        domain: 1.0..2.0, 2.5..4.0;
        fixed: [3.0, 3.0] => [1.0, 0.0], [0.0, -0.0] => [1.0, 0.0], [2.0, 1.0] => [0.0, 1.0];
    }

    /// The larger. On floats IEEE `maximumNumber`: a NaN counts as missing, and -0 lies below +0. At a tie the whole
    /// gradient goes to `a`.
    ///
    /// Example: `2f32.max(3.0)` is `3.0`.
    ///
    /// Example: `f32::NAN.max(3.0)` is `3.0`.
    ///
    /// Example: `(-7i32).max(3)` is `3`.
    Max = max(a: S, b: S) -> S {
        host: int |a, b| a.max(b), float |a, b| a.maximum_number(b);
        adjoint: bounded { a: takes_max(a, b).select(dr, dr.lit(0.0)), b: takes_max(a, b).select(0.0, dr) };
        clif: signed Smax, unsigned Umax, float expand(maximum_number);
        ptx: int "max.{t} {r}, {a}, {b};", float "max.{t} {r}, {a}, {b};";
        ulp: 0;
        domain: 1.0..2.0, 2.5..4.0;
        fixed: [3.0, 3.0] => [1.0, 0.0], [0.0, -0.0] => [1.0, 0.0], [2.0, 1.0] => [1.0, 0.0];
    }

    /// `a * b + c`, rounded once.
    ///
    /// Example: `2f32.mul_add(3.0, 4.0)` is `10.0`.
    Fma = fma(a: F, b: F, c: F) -> F {
        host: float |a, b, c| a.fused_mul_add(b, c);
        adjoint: bounded { a: dr * b, b: dr * a, c: dr };
        clif: float Fma;
        ptx: float "fma.rn.{t} {r}, {a}, {b}, {c};";
        ulp: 0;
        domain: -4.0..4.0, -4.0..4.0, -4.0..4.0;
    }

    /// The square root, correctly rounded; NaN below zero. The gradient at 0 is 0.
    ///
    /// Example: `9f32.sqrt()` is `3.0`.
    ///
    /// Example: `(-1f32).sqrt().is_nan()` holds.
    Sqrt = sqrt(a: F) -> F {
        host: float |a| a.sqrt();
        // The slope is there before the adjoint: what waits for that is one product.
        adjoint: unbounded { a: r.eq(0.0).select(0.0, dr * (r.lit(0.5) / r)) };
        clif: float Sqrt;
        ptx: float "sqrt.rn.{t} {r}, {a};";
        fast: "sqrt.approx.f32 {r}, {a};";
        ulp: 0;
        domain: 0.5..4.0;
        fixed: [0.0] => [0.0], [-0.0] => [0.0];
    }
}

/// Whether `min(a, b)` is `a`: it is smaller or equal, or alone a number.
fn takes_min<'g>(a: Val<'g>, b: Val<'g>) -> Val<'g> {
    a.le(b) | b.ne(b)
}

/// Whether `max(a, b)` is `a`: it is larger or equal, or alone a number.
fn takes_max<'g>(a: Val<'g>, b: Val<'g>) -> Val<'g> {
    b.le(a) | b.ne(b)
}

fn negate<'g>(args: &[Val<'g>], _result: Scalar) -> Val<'g> {
    args[0].lit(0.0) - args[0]
}

/// Equal operands differ at most in the sign of a zero: or-ing their bits keeps the minus.
fn minimum_number<'g>(args: &[Val<'g>], _result: Scalar) -> Val<'g> {
    let (a, b) = (args[0], args[1]);
    let word = word_of(a.scalar());
    let equal = (a.bitcast(word) | b.bitcast(word)).bitcast(a.scalar());
    a.eq(b).select(equal, (a.lt(b) | b.ne(b)).select(a, b))
}

/// As [`minimum_number`]: and-ing the bits of equal operands drops the minus.
fn maximum_number<'g>(args: &[Val<'g>], _result: Scalar) -> Val<'g> {
    let (a, b) = (args[0], args[1]);
    let word = word_of(a.scalar());
    let equal = (a.bitcast(word) & b.bitcast(word)).bitcast(a.scalar());
    a.eq(b).select(equal, (b.lt(a) | b.ne(b)).select(a, b))
}

fn word_of(float: Scalar) -> Scalar {
    if float == Scalar::F64 { Scalar::U64 } else { Scalar::U32 }
}
