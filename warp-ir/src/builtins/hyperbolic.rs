//! Hyperbolic functions.

use super::Val;
use super::elementary::hyperbolic;
use super::row::{INF, NAN};

rows! {
    topic "hyperbolic functions", module hyperbolic, names hyperbolic_names, result r, adjoint dr;

    /// The hyperbolic sine, `(e^x - e^-x) / 2`.
    ///
    /// Example: `2f32.ln().sinh()` is about `0.75`.
    Sinh = sinh(x: F) -> F {
        expand: hyperbolic::sinh;
        adjoint: unbounded { x: dr * x.cosh() };
        accuracy: 2.4, 2.2;
        values:
            [0.0] => 0.0, [-0.0] => -0.0, [INF] => INF, [-INF] => -INF, [NAN] => NAN, [800.0] => INF,
            [-800.0] => -INF;
        domain: -4.0..4.0;
        fixed: [0.0] => [1.0];
    }

    /// The hyperbolic cosine, `(e^x + e^-x) / 2`.
    ///
    /// Example: `2f32.ln().cosh()` is about `1.25`.
    Cosh = cosh(x: F) -> F {
        expand: hyperbolic::cosh;
        adjoint: unbounded { x: dr * x.sinh() };
        accuracy: 1.7, 1.6;
        values: [0.0] => 1.0, [-0.0] => 1.0, [INF] => INF, [-INF] => INF, [NAN] => NAN, [800.0] => INF, [-800.0] => INF;
        domain: -4.0..4.0;
        fixed: [0.0] => [0.0];
    }

    /// The hyperbolic tangent, from -1 to 1.
    ///
    /// Example: `2f32.ln().tanh()` is about `0.6`.
    Tanh = tanh(x: F) -> F {
        expand: hyperbolic::tanh;
        adjoint: bounded { x: dr * slope_of_tanh(x) };
        accuracy: 2.7, 2.5;
        values:
            [0.0] => 0.0, [-0.0] => -0.0, [INF] => 1.0, [-INF] => -1.0, [NAN] => NAN, [100.0] => 1.0,
            [-100.0] => -1.0;
        domain: -4.0..4.0;
        fixed: [0.0] => [1.0];
    }

    /// The number whose hyperbolic sine is `x`.
    ///
    /// Example: `0.75f32.asinh()` is about `2f32.ln()`.
    Asinh = asinh(x: F) -> F {
        expand: hyperbolic::asinh;
        adjoint: bounded { x: dr / x.hypot(x.lit(1.0)) };
        accuracy: 1.9, 1.9;
        values: [0.0] => 0.0, [-0.0] => -0.0, [INF] => INF, [-INF] => -INF, [NAN] => NAN;
        domain: -4.0..4.0;
        fixed: [0.0] => [1.0];
    }

    /// The number from 0 on whose hyperbolic cosine is `x`; NaN below 1. The gradient at 1 is 0.
    ///
    /// Example: `1.25f32.acosh()` is about `2f32.ln()`.
    Acosh = acosh(x: F) -> F {
        expand: hyperbolic::acosh;
        adjoint: unbounded { x: x.eq(1.0).select(0.0, dr / ((x - 1.0).sqrt() * (x + 1.0).sqrt())) };
        accuracy: 2.1, 2.1;
        values:
            [0.0] => NAN, [-0.0] => NAN, [INF] => INF, [-INF] => NAN, [NAN] => NAN, [1.0] => 0.0, [0.5] => NAN,
            [-3.0] => NAN;
        domain: 1.5..4.0;
        fixed: [1.0] => [0.0];
    }

    /// The number whose hyperbolic tangent is `x`: infinite at -1 and 1, NaN beyond. The gradient at -1 and 1 is 0.
    ///
    /// Example: `0.6f32.atanh()` is about `2f32.ln()`.
    Atanh = atanh(x: F) -> F {
        expand: hyperbolic::atanh;
        adjoint: unbounded { x: x.abs().eq(1.0).select(0.0, dr / (-x).mul_add(x, x.lit(1.0))) };
        accuracy: 2.1, 2.0;
        values:
            [0.0] => 0.0, [-0.0] => -0.0, [INF] => NAN, [-INF] => NAN, [NAN] => NAN, [1.0] => INF, [-1.0] => -INF,
            [2.0] => NAN, [-2.0] => NAN;
        domain: -0.9..0.9;
        fixed: [1.0] => [0.0], [-1.0] => [0.0], [0.0] => [1.0];
    }
}

/// `1 / cosh(x)^2`, to the last place also where `tanh(x)` is all but 1.
fn slope_of_tanh(x: Val<'_>) -> Val<'_> {
    let e = (x.abs() * -2.0).exp();
    let sum = e + 1.0;
    e * 4.0 / (sum * sum)
}
