//! The error function and its relatives.

use std::f64::consts::FRAC_2_SQRT_PI;

use super::elementary::error_function;
use super::row::{INF, NAN};

rows! {
    topic "error functions", module error, names error_names, result r, adjoint dr;

    /// The error function: the share of a normal distribution of variance 1/2 within `-x` to `x`.
    ///
    /// Example: `0f32.erf()` is `0.0`.
    Erf = erf(x: F) -> F {
        expand: error_function::erf;
        adjoint: bounded { x: dr * ((-(x * x)).exp() * FRAC_2_SQRT_PI) };
        accuracy: 1.2, 1.1;
        values: [0.0] => 0.0, [-0.0] => -0.0, [INF] => 1.0, [-INF] => -1.0, [NAN] => NAN;
        domain: -2.0..2.0;
        fixed: [0.0] => [FRAC_2_SQRT_PI];
    }

    /// One less the error function, accurate where that is small.
    ///
    /// Example: `0f32.erfc()` is `1.0`.
    Erfc = erfc(x: F) -> F {
        expand: error_function::erfc;
        adjoint: bounded { x: -(dr * ((-(x * x)).exp() * FRAC_2_SQRT_PI)) };
        accuracy: 5.0, 4.0;
        values: [0.0] => 1.0, [-0.0] => 1.0, [INF] => 0.0, [-INF] => 2.0, [NAN] => NAN;
        domain: -2.0..2.0;
        fixed: [0.0] => [-FRAC_2_SQRT_PI];
    }

    /// The number whose error function is `x`: infinite at -1 and 1, NaN beyond. The gradient at -1 and 1 is 0.
    ///
    /// Example: `0.5f32.erf_inv().erf()` is about `0.5`.
    ErfInv = erf_inv(x: F) -> F {
        expand: error_function::erf_inv;
        adjoint: unbounded { x: x.abs().eq(1.0).select(0.0, dr * ((r * r).exp() * (1.0 / FRAC_2_SQRT_PI))) };
        accuracy: 4.5, 3.5;
        values:
            [0.0] => 0.0, [-0.0] => -0.0, [INF] => NAN, [-INF] => NAN, [NAN] => NAN, [1.0] => INF, [-1.0] => -INF,
            [1.5] => NAN, [-1.5] => NAN;
        domain: -0.9..0.9;
        fixed: [1.0] => [0.0], [-1.0] => [0.0], [0.0] => [0.886226925452758];
    }

    /// The number whose complementary error function is `x`: infinite at 0, minus infinity at 2, NaN beyond. The
    /// gradient at 0 and 2 is 0.
    ///
    /// Example: `1f32.erfc_inv()` is `0.0`.
    ErfcInv = erfc_inv(x: F) -> F {
        expand: error_function::erfc_inv;
        adjoint: unbounded {
            x: (x.eq(0.0) | x.eq(2.0)).select(0.0, -(dr * ((r * r).exp() * (1.0 / FRAC_2_SQRT_PI)))),
        };
        accuracy: 5.0, 3.5;
        values:
            [0.0] => INF, [-0.0] => INF, [INF] => NAN, [-INF] => NAN, [NAN] => NAN, [1.0] => 0.0, [2.0] => -INF,
            [2.5] => NAN, [-0.5] => NAN;
        domain: 0.1..1.9;
        fixed: [0.0] => [0.0], [2.0] => [0.0], [1.0] => [-0.886226925452758];
    }
}
