//! Functions of angles.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use super::Val;
use super::elementary::{arc, trigonometry};
use super::row::{INF, NAN};
use crate::ir::Scalar;

rows! {
    topic "trigonometry", module trigonometry, names trigonometry_names, result r, adjoint dr;

    /// The sine of an angle in radians, for angles of any size; NaN for infinities.
    ///
    /// Example: `90f32.to_radians().sin()` is `1.0`.
    Sin = sin(x: F) -> F {
        expand: trigonometry::sin;
        adjoint: bounded { x: dr * x.cos() };
        fast: "sin.approx.f32 {r}, {x};";
        accuracy: 1.0, 0.9;
        values: [0.0] => 0.0, [-0.0] => -0.0, [INF] => NAN, [-INF] => NAN, [NAN] => NAN;
        domain: -4.0..4.0;
        fixed: [0.0] => [1.0];
    }

    /// The cosine of an angle in radians, for angles of any size; NaN for infinities.
    ///
    /// Example: `0f32.cos()` is `1.0`.
    Cos = cos(x: F) -> F {
        expand: trigonometry::cos;
        adjoint: bounded { x: -(dr * x.sin()) };
        fast: "cos.approx.f32 {r}, {x};";
        accuracy: 1.0, 0.9;
        values: [0.0] => 1.0, [-0.0] => 1.0, [INF] => NAN, [-INF] => NAN, [NAN] => NAN;
        domain: -4.0..4.0;
        fixed: [0.0] => [0.0];
    }

    /// The tangent of an angle in radians, for angles of any size; NaN for infinities. No float is a pole.
    ///
    /// Example: `45f32.to_radians().tan()` is about `1.0`.
    Tan = tan(x: F) -> F {
        expand: trigonometry::tan;
        adjoint: bounded { x: dr * r.mul_add(r, r.lit(1.0)) };
        fast: expand(quick_tan);
        accuracy: 2.4, 2.0;
        values: [0.0] => 0.0, [-0.0] => -0.0, [INF] => NAN, [-INF] => NAN, [NAN] => NAN;
        domain: -1.4..1.4;
        fixed: [0.0] => [1.0];
    }

    /// The angle from -pi/2 to pi/2 whose sine is `x`; NaN beyond -1 to 1. The gradient at -1 and 1 is 0.
    ///
    /// Example: `0.5f32.asin().to_degrees()` is about `30.0`.
    Asin = asin(x: F) -> F {
        expand: arc::asin;
        adjoint: unbounded { x: x.abs().eq(1.0).select(0.0, dr / (-x).mul_add(x, x.lit(1.0)).sqrt()) };
        accuracy: 2.1, 2.0;
        values:
            [0.0] => 0.0, [-0.0] => -0.0, [INF] => NAN, [-INF] => NAN, [NAN] => NAN, [1.0] => FRAC_PI_2,
            [-1.0] => -FRAC_PI_2, [1.5] => NAN, [-1.5] => NAN;
        domain: -0.9..0.9;
        fixed: [1.0] => [0.0], [-1.0] => [0.0], [0.0] => [1.0];
    }

    /// The angle from 0 to pi whose cosine is `x`; NaN beyond -1 to 1. The gradient at -1 and 1 is 0.
    ///
    /// Example: `0.5f32.acos().to_degrees()` is about `60.0`.
    Acos = acos(x: F) -> F {
        expand: arc::acos;
        adjoint: unbounded { x: x.abs().eq(1.0).select(0.0, -dr / (-x).mul_add(x, x.lit(1.0)).sqrt()) };
        accuracy: 1.4, 1.3;
        values:
            [0.0] => FRAC_PI_2, [-0.0] => FRAC_PI_2, [INF] => NAN, [-INF] => NAN, [NAN] => NAN, [1.0] => 0.0,
            [-1.0] => PI, [1.5] => NAN, [-1.5] => NAN;
        domain: -0.9..0.9;
        fixed: [1.0] => [0.0], [-1.0] => [0.0], [0.0] => [-1.0];
    }

    /// The angle from -pi/2 to pi/2 whose tangent is `x`.
    ///
    /// Example: `1f32.atan().to_degrees()` is about `45.0`.
    Atan = atan(x: F) -> F {
        expand: arc::atan;
        adjoint: bounded { x: dr / x.mul_add(x, x.lit(1.0)) };
        accuracy: 2.1, 2.0;
        values:
            [0.0] => 0.0, [-0.0] => -0.0, [INF] => FRAC_PI_2, [-INF] => -FRAC_PI_2, [NAN] => NAN, [1.0] => FRAC_PI_4;
        domain: -4.0..4.0;
        fixed: [0.0] => [1.0];
    }

    /// The angle of the point `(x, y)` from the positive x axis, from -pi to pi: the signs of zeros choose the side, and
    /// the origin and infinite points have the angles of axes and diagonals. The gradient at the origin is 0.
    ///
    /// Example: `1f32.atan2(-1.0).to_degrees()` is about `135.0`.
    ///
    /// Example: `0f32.atan2(0.0)` is `0.0`.
    Atan2 = atan2(y: F, x: F) -> F {
        expand: arc::atan2;
        adjoint: unbounded { y: over_square(x, y, dr), x: -over_square(y, x, dr) };
        accuracy: 2.4, 2.0;
        values:
            [0.0, 0.0] => 0.0, [-0.0, 0.0] => -0.0, [0.0, -0.0] => PI, [-0.0, -0.0] => -PI, [0.0, 3.0] => 0.0,
            [-0.0, 3.0] => -0.0, [0.0, -3.0] => PI, [-0.0, -3.0] => -PI, [2.0, 0.0] => FRAC_PI_2,
            [-2.0, 0.0] => -FRAC_PI_2, [2.0, -0.0] => FRAC_PI_2, [-2.0, -0.0] => -FRAC_PI_2, [2.0, INF] => 0.0,
            [-2.0, INF] => -0.0, [2.0, -INF] => PI, [-2.0, -INF] => -PI, [INF, 2.0] => FRAC_PI_2,
            [-INF, 2.0] => -FRAC_PI_2, [INF, -2.0] => FRAC_PI_2, [-INF, -2.0] => -FRAC_PI_2, [INF, INF] => FRAC_PI_4,
            [-INF, INF] => -FRAC_PI_4, [INF, -INF] => 3.0 * FRAC_PI_4, [-INF, -INF] => -3.0 * FRAC_PI_4,
            [1.0, NAN] => NAN, [NAN, 1.0] => NAN, [NAN, NAN] => NAN, [INF, NAN] => NAN, [0.0, NAN] => NAN;
        domain: 0.5..4.0, -4.0..4.0;
        fixed: [0.0, 0.0] => [0.0, 0.0], [-0.0, 0.0] => [0.0, 0.0], [0.0, 2.0] => [0.5, 0.0], [0.0, -2.0] => [-0.5, 0.0];
    }
}

/// `dr * a / (a^2 + b^2)`, and 0 at the origin and at infinity.
fn over_square<'g>(a: Val<'g>, b: Val<'g>, dr: Val<'g>) -> Val<'g> {
    let length = a.hypot(b);
    let inside = a.lit(0.0).lt(length) & length.lt(f64::INFINITY);
    inside.select(dr * (a / length / length), dr.lit(0.0))
}

/// From the approximations of sine and cosine.
fn quick_tan<'g>(args: &[Val<'g>], _result: Scalar) -> Val<'g> {
    args[0].sin() / args[0].cos()
}
