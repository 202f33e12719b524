//! Functions of angles.

use super::elementary::trigonometry;

rows! {
    topic "trigonometry", module trigonometry, names trigonometry_names, result r, adjoint dr;

    /// The sine of an angle in radians, for angles of any size; NaN for infinities.
    Sin = sin(x: F) -> F {
        expand: trigonometry::sin;
        adjoint: bounded { x: dr * x.cos() };
        accuracy: 1.2, 0.9;
        domain: -4.0..4.0;
        fixed: [0.0] => [1.0];
    }

    /// The cosine of an angle in radians, for angles of any size; NaN for infinities.
    Cos = cos(x: F) -> F {
        expand: trigonometry::cos;
        adjoint: bounded { x: -(dr * x.sin()) };
        accuracy: 1.2, 0.9;
        domain: -4.0..4.0;
        fixed: [0.0] => [0.0];
    }

    /// The tangent of an angle in radians, for angles of any size; NaN for infinities. No float is a pole.
    Tan = tan(x: F) -> F {
        expand: trigonometry::tan;
        adjoint: bounded { x: dr * r.mul_add(r, r.lit(1.0)) };
        accuracy: 2.3, 2.0;
        domain: -1.4..1.4;
        fixed: [0.0] => [1.0];
    }
}
