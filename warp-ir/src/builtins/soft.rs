//! Float operations in integers, for hosts and devices without an instruction: correctly rounded, so that they give
//! the bits of the instruction wherever there is one.

/// `a * b + c`, rounded once. The product of two F32s is exact in F64, and so is the rest of the sum; a sum that is
/// forced odd where it is not exact rounds to F32 as the exact one does.
pub fn fma_f32(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (a as f64 * b as f64, c as f64);
    let sum = product + c;
    let shifted = sum - product;
    let rest = (product - (sum - shifted)) + (c - shifted);
    let odd = match sum.is_finite() && rest != 0.0 && sum.to_bits() & 1 == 0 {
        true if (rest > 0.0) == (sum > 0.0) => f64::from_bits(sum.to_bits() + 1),
        true => f64::from_bits(sum.to_bits() - 1),
        false => sum,
    };
    odd as f32
}

/// `a * b + c`, rounded once.
pub fn fma_f64(a: f64, b: f64, c: f64) -> f64 {
    // Infinities and NaNs follow from the unfused form, but for a product that is finite; a product of zero is exact.
    if a.is_finite() && b.is_finite() && !c.is_finite() {
        return c;
    }
    if !(a.is_finite() && b.is_finite()) || a == 0.0 || b == 0.0 {
        return a * b + c;
    }
    let ((ma, ea), (mb, eb), (mc, ec)) = (parts(a), parts(b), parts(c));
    let product = Aligned::new(ma as u128 * mb as u128, ea + eb, (a < 0.0) != (b < 0.0));
    if mc == 0 {
        return product.round();
    }
    let addend = Aligned::new(mc as u128, ec, c < 0.0);
    product.plus(addend).map_or(0.0, Aligned::round)
}

/// The remainder of truncating division, exact, with the sign of `x`.
pub fn rem_f32(x: f32, y: f32) -> f32 {
    rem_f64(x as f64, y as f64) as f32
}

/// The remainder of truncating division, exact, with the sign of `x`.
pub fn rem_f64(x: f64, y: f64) -> f64 {
    if !x.is_finite() || y.is_nan() || y == 0.0 {
        return f64::NAN;
    }
    if x.abs() < y.abs() || x == 0.0 {
        return x;
    }
    let ((mx, ex), (my, ey)) = (parts(x), parts(y));
    let mut rest = mx % my;
    let mut steps = ex - ey;
    while steps > 0 {
        let shift = steps.min(64);
        rest = (((rest as u128) << shift) % my as u128) as u64;
        steps -= shift;
    }
    (rest as f64 * exp2(ey)).copysign(x)
}

/// The magnitude as a whole number and a power of two.
fn parts(x: f64) -> (u64, i32) {
    let field = (x.to_bits() >> 52 & 0x7ff) as i32;
    let fraction = x.to_bits() & ((1 << 52) - 1);
    if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) }
}

/// A power of two, also a denormal one.
fn exp2(exponent: i32) -> f64 {
    let bits = if exponent < -1022 { 1 << (exponent + 1074) } else { ((exponent + 1023) as u64) << 52 };
    f64::from_bits(bits)
}

/// A number other than zero: `mantissa * 2^exponent` with bit 125 the highest, so that a sum has room above. At least
/// the 20 lowest bits are zero at first, so that bits shifted out matter for rounding only.
#[derive(Clone, Copy)]
struct Aligned {
    mantissa: u128,
    exponent: i32,
    negative: bool,
}

impl Aligned {
    fn new(mantissa: u128, exponent: i32, negative: bool) -> Aligned {
        let shift = mantissa.leading_zeros() as i32 - 2;
        Aligned { mantissa: mantissa << shift, exponent: exponent - shift, negative }
    }

    /// The sum; `None` for zero.
    fn plus(self, other: Aligned) -> Option<Aligned> {
        let smaller = (self.exponent, self.mantissa) < (other.exponent, other.mantissa);
        let (x, y) = if smaller { (other, self) } else { (self, other) };
        let shift = x.exponent - y.exponent;
        // What is shifted out leaves a mark in the lowest bit.
        let lower = match shift {
            0 => y.mantissa,
            1..126 => y.mantissa >> shift | (y.mantissa << (128 - shift) != 0) as u128,
            _ => 1,
        };
        let mantissa = if x.negative == y.negative { x.mantissa + lower } else { x.mantissa - lower };
        (mantissa != 0).then_some(Aligned { mantissa, ..x })
    }

    /// The nearest F64, ties to even: a count of units of its last place, which carries into the exponent by itself.
    fn round(self) -> f64 {
        let top = self.exponent + 127 - self.mantissa.leading_zeros() as i32;
        let unit = (top - 52).max(-1074);
        let drop = unit - self.exponent;
        let units = match drop {
            ..=0 => (self.mantissa << -drop) as u64,
            1..128 => {
                let (half, rest) = (1u128 << (drop - 1), self.mantissa & ((1u128 << drop) - 1));
                let whole = (self.mantissa >> drop) as u64;
                whole + (rest > half || (rest == half && whole & 1 == 1)) as u64
            }
            _ => 0,
        };
        let infinity = f64::INFINITY.to_bits();
        let bits = if top > 1023 { infinity } else { (((unit + 1074) as u64) << 52) + units };
        f64::from_bits(bits.min(infinity) | (self.negative as u64) << 63)
    }
}
