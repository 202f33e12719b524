//! Powers and logarithms.

use super::elementary::{exponential, logarithm};

rows! {
    topic "exponentials and logarithms", module exponential, names exponential_names, result r, adjoint dr;

    /// e to the power `x`.
    Exp = exp(x: F) -> F {
        expand: exponential::exp;
        adjoint: unbounded { x: dr * r };
        accuracy: 1.1, 1.0;
        domain: -4.0..4.0;
        fixed: [0.0] => [1.0];
    }

    /// 2 to the power `x`; exact for whole numbers.
    Exp2 = exp2(x: F) -> F {
        expand: exponential::exp2;
        adjoint: unbounded { x: dr * (r * std::f64::consts::LN_2) };
        accuracy: 1.0, 1.0;
        domain: -4.0..4.0;
        fixed: [0.0] => [0.6931471805599453];
    }

    /// e to the power `x`, less 1; exact for small `x` too.
    ExpM1 = exp_m1(x: F) -> F {
        expand: exponential::exp_m1;
        adjoint: unbounded { x: dr * (r + 1.0) };
        accuracy: 1.7, 1.7;
        domain: -4.0..4.0;
        fixed: [0.0] => [1.0];
    }

    /// The natural logarithm: minus infinity at 0, NaN below. The gradient at 0 is 0.
    Ln = ln(x: F) -> F {
        expand: logarithm::ln;
        adjoint: unbounded { x: x.eq(0.0).select(0.0, dr / x) };
        accuracy: 0.9, 0.9;
        domain: 0.5..4.0;
        fixed: [0.0] => [0.0], [1.0] => [1.0];
    }
}
