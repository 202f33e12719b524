//! Polynomials.

use crate::builtins::value::Value;

/// `c[0] + c[1] x + ..`: a short one from the highest coefficient down, a longer one as two or four such chains in `x^2`
/// or `x^4`, which do not wait for each other.
#[inline(always)]
pub(super) fn polynomial<V: Value>(x: V, c: &[f64]) -> V {
    match c.len() {
        0..=3 => chain(x, c, 0, 1),
        4..=9 => {
            let x2 = x * x;
            chain(x2, c, 1, 2).mul_add(x, chain(x2, c, 0, 2))
        }
        _ => {
            let x2 = x * x;
            let x4 = x2 * x2;
            let low = chain(x4, c, 1, 4).mul_add(x, chain(x4, c, 0, 4));
            let high = chain(x4, c, 3, 4).mul_add(x, chain(x4, c, 2, 4));
            high.mul_add(x2, low)
        }
    }
}

/// `c[first] + c[first + step] x + ..`, from the highest coefficient down.
#[inline(always)]
fn chain<V: Value>(x: V, c: &[f64], first: usize, step: usize) -> V {
    let last = first + (c.len() - 1 - first) / step * step;
    let mut sum = x.lit(c[last]);
    let mut at = last;
    while at > first {
        at -= step;
        sum = sum.mul_add(x, x.lit(c[at]));
    }
    sum
}
