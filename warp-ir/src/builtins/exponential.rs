//! Exponentials, logarithms, powers and roots.

use super::Val;
use super::elementary::{exponential, logarithm, power};
use super::row::{INF, NAN};
use crate::ir::Scalar;

rows! {
    topic "exponentials, logarithms and powers", module exponential, names exponential_names, result r, adjoint dr;

    /// e to the power `x`.
    ///
    /// Example: `0f32.exp()` is `1.0`.
    ///
    /// Example: `1f32.exp()` is about `core::f32::consts::E`.
    Exp = exp(x: F) -> F {
        expand: exponential::exp;
        adjoint: unbounded { x: dr * r };
        fast: expand(quick_exp);
        accuracy: 1.2, 1.1;
        values: [0.0] => 1.0, [-0.0] => 1.0, [INF] => INF, [-INF] => 0.0, [NAN] => NAN, [800.0] => INF, [-800.0] => 0.0;
        domain: -4.0..4.0;
        fixed: [0.0] => [1.0];
    }

    /// 2 to the power `x`; exact for whole numbers.
    ///
    /// Example: `(-3f32).exp2()` is `0.125`.
    Exp2 = exp2(x: F) -> F {
        expand: exponential::exp2;
        adjoint: unbounded { x: dr * (r * std::f64::consts::LN_2) };
        fast: "ex2.approx.f32 {r}, {x};";
        accuracy: 1.0, 1.0;
        values:
            [0.0] => 1.0, [-0.0] => 1.0, [INF] => INF, [-INF] => 0.0, [NAN] => NAN, [2000.0] => INF, [-2000.0] => 0.0;
        domain: -4.0..4.0;
        fixed: [0.0] => [std::f64::consts::LN_2];
    }

    /// e to the power `x`, less 1; accurate for small `x` too.
    ///
    /// Example: `0f32.exp_m1()` is `0.0`.
    ExpM1 = exp_m1(x: F) -> F {
        expand: exponential::exp_m1;
        adjoint: unbounded { x: dr * x.exp() };
        accuracy: 1.8, 1.7;
        values:
            [0.0] => 0.0, [-0.0] => -0.0, [INF] => INF, [-INF] => -1.0, [NAN] => NAN, [800.0] => INF,
            [-800.0] => -1.0;
        domain: -4.0..4.0;
        fixed: [0.0] => [1.0];
    }

    /// The natural logarithm: minus infinity at 0, NaN below. The gradient at 0 is 0.
    ///
    /// Example: `core::f32::consts::E.ln()` is about `1.0`.
    ///
    /// Example: `0f32.ln()` is `f32::NEG_INFINITY`.
    Ln = ln(x: F) -> F {
        expand: logarithm::ln;
        adjoint: unbounded { x: x.eq(0.0).select(0.0, dr / x) };
        fast: expand(quick_ln);
        accuracy: 0.9, 0.9;
        values: [0.0] => -INF, [-0.0] => -INF, [INF] => INF, [-INF] => NAN, [NAN] => NAN, [1.0] => 0.0, [-1.0] => NAN;
        domain: 0.5..4.0;
        fixed: [0.0] => [0.0], [1.0] => [1.0];
    }

    /// The logarithm to base 2, exact for powers of 2: minus infinity at 0, NaN below. The gradient at 0 is 0.
    ///
    /// Example: `8f32.log2()` is `3.0`.
    Log2 = log2(x: F) -> F {
        expand: logarithm::log2;
        adjoint: unbounded { x: x.eq(0.0).select(0.0, dr / (x * std::f64::consts::LN_2)) };
        fast: "lg2.approx.f32 {r}, {x};";
        accuracy: 0.8, 0.7;
        values: [0.0] => -INF, [-0.0] => -INF, [INF] => INF, [-INF] => NAN, [NAN] => NAN, [1.0] => 0.0, [-1.0] => NAN;
        domain: 0.5..4.0;
        fixed: [0.0] => [0.0];
    }

    /// The logarithm to base 10: minus infinity at 0, NaN below. The gradient at 0 is 0.
    ///
    /// Example: `1000f32.log10()` is about `3.0`.
    Log10 = log10(x: F) -> F {
        expand: logarithm::log10;
        adjoint: unbounded { x: x.eq(0.0).select(0.0, dr / (x * std::f64::consts::LN_10)) };
        fast: expand(quick_log10);
        accuracy: 0.8, 0.7;
        values: [0.0] => -INF, [-0.0] => -INF, [INF] => INF, [-INF] => NAN, [NAN] => NAN, [1.0] => 0.0, [-1.0] => NAN;
        domain: 0.5..4.0;
        fixed: [0.0] => [0.0];
    }

    /// The natural logarithm of `1 + x`, accurate for small `x` too: minus infinity at -1, NaN below. The gradient at -1
    /// is 0.
    ///
    /// Example: `0f32.ln_1p()` is `0.0`.
    Ln1p = ln_1p(x: F) -> F {
        expand: logarithm::ln_1p;
        adjoint: unbounded { x: x.eq(-1.0).select(0.0, dr / (x + 1.0)) };
        accuracy: 1.5, 1.2;
        values: [0.0] => 0.0, [-0.0] => -0.0, [INF] => INF, [-INF] => NAN, [NAN] => NAN, [-1.0] => -INF, [-1.5] => NAN;
        domain: -0.5..4.0;
        fixed: [-1.0] => [0.0], [0.0] => [1.0];
    }

    /// `x` to the power `y`, with the special values of IEEE 754 (`pow`): 1 for an exponent of 0 and for a base of 1
    /// whatever the other, NaN for a negative base and an exponent that is not whole. The gradient by `x` is 0 where `x`
    /// is 0 and `y` below 1; the one by `y` is 0 unless `x` is positive.
    ///
    /// Example: `9f32.powf(1.5)` is about `27.0`.
    ///
    /// Example: `0f32.powf(0.0)` is `1.0`.
    Powf = powf(x: F, y: F) -> F {
        expand: power::powf;
        adjoint: unbounded {
            x: ((x.eq(0.0) & y.lt(1.0)) | y.eq(0.0)).select(0.0, dr * (y * x.powf(y - 1.0))),
            y: x.lit(0.0).lt(x).select(dr * (r * x.ln()), dr.lit(0.0)),
        };
        accuracy: 0.6, 1.2;
        values:
            [0.0, 0.0] => 1.0, [-0.0, 0.0] => 1.0, [1.0, 0.0] => 1.0, [-2.5, 0.0] => 1.0, [INF, 0.0] => 1.0,
            [-INF, 0.0] => 1.0, [NAN, 0.0] => 1.0, [0.0, -0.0] => 1.0, [-0.0, -0.0] => 1.0, [1.0, -0.0] => 1.0,
            [-2.5, -0.0] => 1.0, [INF, -0.0] => 1.0, [-INF, -0.0] => 1.0, [NAN, -0.0] => 1.0, [1.0, 0.5] => 1.0,
            [1.0, -3.0] => 1.0, [1.0, INF] => 1.0, [1.0, -INF] => 1.0, [1.0, NAN] => 1.0, [-1.0, INF] => 1.0,
            [-1.0, -INF] => 1.0, [0.0, 3.0] => 0.0, [-0.0, 3.0] => -0.0, [-0.0, 2.0] => 0.0, [-0.0, 2.5] => 0.0,
            [0.0, -3.0] => INF, [-0.0, -3.0] => -INF, [-0.0, -2.0] => INF, [0.0, -2.5] => INF, [-0.0, -2.5] => INF,
            [0.0, -INF] => INF, [-0.0, -INF] => INF, [0.0, INF] => 0.0, [0.5, INF] => 0.0, [-0.5, INF] => 0.0,
            [0.5, -INF] => INF, [2.0, INF] => INF, [-2.0, INF] => INF, [2.0, -INF] => 0.0, [INF, 2.0] => INF,
            [INF, 0.5] => INF, [INF, -2.0] => 0.0, [INF, INF] => INF, [INF, -INF] => 0.0, [-INF, 3.0] => -INF,
            [-INF, 2.0] => INF, [-INF, 0.5] => INF, [-INF, -3.0] => -0.0, [-INF, -2.0] => 0.0, [-INF, -0.5] => 0.0,
            [-INF, INF] => INF, [-8.0, 1.0 / 3.0] => NAN, [-2.0, 3.0] => -8.0, [-2.0, -1.0] => -0.5,
            [NAN, 2.0] => NAN, [2.0, NAN] => NAN, [0.0, NAN] => NAN, [-2.0, NAN] => NAN, [1e300, 1e300] => INF,
            [1e300, -1e300] => 0.0, [-1e300, 3.0] => -INF;
        domain: 0.5..4.0, -4.0..4.0;
        fixed:
            [0.0, 0.5] => [0.0, 0.0], [0.0, 1.0] => [1.0, 0.0], [0.0, 2.0] => [0.0, 0.0], [0.0, 0.0] => [0.0, 0.0],
            [-2.0, 3.0] => [12.0, 0.0], [0.0, -1.0] => [0.0, 0.0];
    }

    /// The cube root, of negative numbers too; exact for cubes. The gradient at 0 is 0.
    ///
    /// Example: `(-27f32).cbrt()` is `-3.0`.
    Cbrt = cbrt(x: F) -> F {
        expand: power::cbrt;
        adjoint: unbounded { x: x.eq(0.0).select(0.0, dr / (r * r * 3.0)) };
        accuracy: 0.51, 0.51;
        values: [0.0] => 0.0, [-0.0] => -0.0, [INF] => INF, [-INF] => -INF, [NAN] => NAN, [27.0] => 3.0, [-8.0] => -2.0;
        domain: 0.5..4.0;
        fixed: [0.0] => [0.0];
    }

    /// The length of `(x, y)` without overflow on the way; infinite where one is, even if the other is NaN. The gradient
    /// at the origin is 0.
    ///
    /// Example: `3f32.hypot(4.0)` is about `5.0`.
    Hypot = hypot(x: F, y: F) -> F {
        expand: power::hypot;
        adjoint: unbounded { x: share(x, r, dr), y: share(y, r, dr) };
        accuracy: 0.8, 0.6;
        values:
            [INF, NAN] => INF, [NAN, INF] => INF, [NAN, -INF] => INF, [-INF, NAN] => INF, [INF, 1.0] => INF,
            [1.0, INF] => INF, [NAN, 1.0] => NAN, [1.0, NAN] => NAN, [NAN, 0.0] => NAN, [0.0, NAN] => NAN,
            [0.0, 0.0] => 0.0, [-0.0, -0.0] => 0.0, [-0.0, 3.0] => 3.0, [3.0, -0.0] => 3.0;
        domain: 0.5..4.0, 0.5..4.0;
        fixed: [0.0, 0.0] => [0.0, 0.0], [3.0, -4.0] => [0.6, -0.8];
    }
}

/// `dr * a / length`, and 0 for no length.
fn share<'g>(a: Val<'g>, length: Val<'g>, dr: Val<'g>) -> Val<'g> {
    length.eq(0.0).select(0.0, dr * (a / length))
}

/// From the approximation of the power of 2.
fn quick_exp<'g>(args: &[Val<'g>], _result: Scalar) -> Val<'g> {
    (args[0] * std::f64::consts::LOG2_E).exp2()
}

/// From the approximation of the logarithm to base 2, as the next one.
fn quick_ln<'g>(args: &[Val<'g>], _result: Scalar) -> Val<'g> {
    args[0].log2() * std::f64::consts::LN_2
}

fn quick_log10<'g>(args: &[Val<'g>], _result: Scalar) -> Val<'g> {
    args[0].log2() * std::f64::consts::LOG10_2
}
