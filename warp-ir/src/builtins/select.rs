//! Choice between two values.

use super::Contribution;
use crate::ir::Scalar;

rows! {
    topic "selection", module select, names select_names, result r, adjoint dr;

    /// `a` where `cond` holds, else `b`; both are evaluated. The gradient goes to the one that was taken.
    ///
    /// Example: `if 2 < 3 { 1.5 } else { 2.5 }` is `1.5`.
    Select = select(cond: Bool, a: T, b: T) -> T {
        host: bits select;
        adjoint: bounded {
            cond: Contribution::Inactive,
            a: cond.select(dr, dr.lit(0.0)),
            b: cond.select(0.0, dr),
        };
        clif: any Select;
        ptx: any emitter;
        ulp: 0;
        domain: 0.0..1.0, -4.0..4.0, -4.0..4.0;
    }
}

fn select(_args: &[Scalar], _result: Scalar, bits: &[u64]) -> Option<u64> {
    Some(if bits[0] & 1 == 1 { bits[1] } else { bits[2] })
}
