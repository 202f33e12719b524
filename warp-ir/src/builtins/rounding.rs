//! Rounding to whole numbers, and signs.

use super::{Contribution, Val};
use crate::ir::Scalar;

rows! {
    topic "rounding", module rounding, names rounding_names, result r, adjoint dr;

    /// The largest whole number not above `a`.
    ///
    /// Example: `(-1.5f32).floor()` is `-2.0`.
    Floor = floor(a: F) -> F {
        host: float |a| a.floor();
        adjoint: none { "piecewise constant" };
        clif: float Floor;
        ptx: float "cvt.rmi.{t}.{t} {r}, {a};";
        ulp: 0;
    }

    /// The smallest whole number not below `a`.
    ///
    /// Example: `(-1.5f32).ceil()` is `-1.0`.
    Ceil = ceil(a: F) -> F {
        host: float |a| a.ceil();
        adjoint: none { "piecewise constant" };
        clif: float Ceil;
        ptx: float "cvt.rpi.{t}.{t} {r}, {a};";
        ulp: 0;
    }

    /// The whole number next to `a` toward zero.
    ///
    /// Example: `(-1.5f32).trunc()` is `-1.0`.
    Trunc = trunc(a: F) -> F {
        host: float |a| a.trunc();
        adjoint: none { "piecewise constant" };
        clif: float Trunc;
        ptx: float "cvt.rzi.{t}.{t} {r}, {a};";
        ulp: 0;
    }

    /// The nearest whole number; halves away from zero.
    ///
    /// Example: `2.5f32.round()` is `3.0`.
    Round = round(a: F) -> F {
        host: float |a| a.round();
        adjoint: none { "piecewise constant" };
        clif: float expand(round_half_away);
        ptx: float expand(round_half_away);
        ulp: 0;
    }

    /// The nearest whole number; halves to the even one.
    ///
    /// Example: `2.5f32.round_ties_even()` is `2.0`.
    RoundEven = round_even(a: F) -> F {
        host: float |a| a.round_ties_even();
        adjoint: none { "piecewise constant" };
        clif: float Nearest;
        ptx: float "cvt.rni.{t}.{t} {r}, {a};";
        ulp: 0;
    }

    /// The magnitude of `a` with the sign bit of `sign`. The gradient by `a` is 0 where `a` is 0; by `sign` there is
    /// none.
    ///
    /// Example: `2.5f32.copysign(-0.0)` is `-2.5`.
    Copysign = copysign(a: F, sign: F) -> F {
        host: float |a, sign| a.copysign(sign);
        adjoint: bounded {
            a: a.eq(0.0).select(0.0, dr * (dr.lit(1.0).copysign(a) * dr.lit(1.0).copysign(sign))),
            sign: Contribution::Inactive,
        };
        clif: float Fcopysign;
        ptx: float "copysign.{t} {r}, {sign}, {a};";
        ulp: 0;
        domain: 0.5..4.0, 0.5..4.0;
        fixed: [0.0, 1.0] => [0.0, 0.0], [-2.0, 3.0] => [-1.0, 0.0], [2.0, -3.0] => [-1.0, 0.0];
    }
}

/// The fraction that truncation drops is exact, so comparing it with a half is.
fn round_half_away<'g>(args: &[Val<'g>], _result: Scalar) -> Val<'g> {
    let a = args[0];
    let whole = a.trunc();
    let up = whole + a.lit(1.0).copysign(a);
    whole.lit(0.5).le((a - whole).abs()).select(up, whole)
}
