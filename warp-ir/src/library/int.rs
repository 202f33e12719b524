// Methods of all integers that are made of others; `x` is the receiver. Those that are one builtin are not here.

/// Into `min..=max`. Bounds that cross are a fault.
///
/// Example: `9i32.clamp(1, 5)` is `5`.
pub fn clamp(x: i32, min: i32, max: i32) -> i32 {
    clamp_bounds(min, max);
    if x < min {
        min
    } else if x > max {
        max
    } else {
        x
    }
}

/// How many bits are 0.
///
/// Example: `5i32.count_zeros()` is `i32::BITS - 2`.
pub fn count_zeros(x: i32) -> u32 {
    (!x).count_ones()
}

/// How many bits are 1 before the highest 0.
///
/// Example: `(!3i32).leading_ones()` is `i32::BITS - 2`.
pub fn leading_ones(x: i32) -> u32 {
    (!x).leading_zeros()
}

/// How many bits are 1 below the lowest 0.
///
/// Example: `11i32.trailing_ones()` is `2`.
pub fn trailing_ones(x: i32) -> u32 {
    (!x).trailing_zeros()
}

/// `x` to a power, by squaring; it wraps.
///
/// Example: `3i32.pow(4)` is `81`.
pub fn pow(x: i32, exp: u32) -> i32 {
    x.wrapping_pow(exp)
}

/// `x` to a power, by squaring; it wraps.
///
/// Example: `3i32.wrapping_pow(4)` is `81`.
pub fn wrapping_pow(x: i32, exp: u32) -> i32 {
    let mut power: i32 = 1;
    let mut factor = x;
    let mut rest = exp;
    while rest != 0 {
        if rest & 1 != 0 {
            power = power.wrapping_mul(factor);
        }
        factor = factor.wrapping_mul(factor);
        rest >>= 1;
    }
    power
}

/// `x` to a power, unless that overflows.
///
/// Example: `3i32.checked_pow(4)` is `Some(81)`.
///
/// Example: `3i32.checked_pow(64)` is `None`.
pub fn checked_pow(x: i32, exp: u32) -> Option<i32> {
    let (power, over) = x.overflowing_pow(exp);
    if over { None } else { Some(power) }
}

/// `x` to a power; at an overflow the end of the type on that side.
///
/// Example: `3i32.saturating_pow(4)` is `81`.
///
/// Example: `i32::MAX.saturating_pow(2)` is `i32::MAX`.
pub fn saturating_pow(x: i32, exp: u32) -> i32 {
    let (power, over) = x.overflowing_pow(exp);
    if !over {
        power
    } else if x < 0 && exp & 1 != 0 {
        i32::MIN
    } else {
        i32::MAX
    }
}

/// `x` to a power that wraps, and whether it did.
///
/// Example: `3i32.overflowing_pow(4)` is `(81, false)`.
pub fn overflowing_pow(x: i32, exp: u32) -> (i32, bool) {
    let mut power: i32 = 1;
    let mut factor = x;
    let mut rest = exp;
    let mut over = false;
    while rest != 0 {
        if rest & 1 != 0 {
            let (product, wraps) = power.overflowing_mul(factor);
            power = product;
            over = over || wraps;
        }
        rest >>= 1;
        if rest != 0 {
            let (square, wraps) = factor.overflowing_mul(factor);
            factor = square;
            over = over || wraps;
        }
    }
    (power, over)
}

/// `x << rhs`, the amount taken modulo the width.
///
/// Example: `3i32.wrapping_shl(i32::BITS + 2)` is `12`.
pub fn wrapping_shl(x: i32, rhs: u32) -> i32 {
    x << (rhs & (i32::BITS - 1))
}

/// `x >> rhs`, the amount taken modulo the width.
///
/// Example: `12i32.wrapping_shr(i32::BITS + 2)` is `3`.
pub fn wrapping_shr(x: i32, rhs: u32) -> i32 {
    x >> (rhs & (i32::BITS - 1))
}

/// `x << rhs`, unless the amount reaches the width.
///
/// Example: `3i32.checked_shl(2)` is `Some(12)`.
///
/// Example: `3i32.checked_shl(i32::BITS)` is `None`.
pub fn checked_shl(x: i32, rhs: u32) -> Option<i32> {
    if rhs < i32::BITS { Some(x << rhs) } else { None }
}

/// `x >> rhs`, unless the amount reaches the width.
///
/// Example: `12i32.checked_shr(2)` is `Some(3)`.
///
/// Example: `12i32.checked_shr(i32::BITS)` is `None`.
pub fn checked_shr(x: i32, rhs: u32) -> Option<i32> {
    if rhs < i32::BITS { Some(x >> rhs) } else { None }
}

/// `x << rhs` with the amount modulo the width, and whether it reached the width.
///
/// Example: `3i32.overflowing_shl(i32::BITS + 2)` is `(12, true)`.
pub fn overflowing_shl(x: i32, rhs: u32) -> (i32, bool) {
    (x << (rhs & (i32::BITS - 1)), rhs >= i32::BITS)
}

/// `x >> rhs` with the amount modulo the width, and whether it reached the width.
///
/// Example: `12i32.overflowing_shr(2)` is `(3, false)`.
pub fn overflowing_shr(x: i32, rhs: u32) -> (i32, bool) {
    (x >> (rhs & (i32::BITS - 1)), rhs >= i32::BITS)
}

/// `x << rhs`; 0 where the amount reaches the width.
///
/// Example: `3i32.unbounded_shl(i32::BITS)` is `0`.
///
/// Example: `3i32.unbounded_shl(2)` is `12`.
pub fn unbounded_shl(x: i32, rhs: u32) -> i32 {
    if rhs < i32::BITS { x << rhs } else { 0 }
}

/// `x >> rhs`; where the amount reaches the width only the sign is left: 0, or -1 below zero.
///
/// Example: `12i32.unbounded_shr(2)` is `3`.
///
/// Example: `12i32.unbounded_shr(i32::BITS)` is `0`.
pub fn unbounded_shr(x: i32, rhs: u32) -> i32 {
    if rhs < i32::BITS { x >> rhs } else { (x >> (i32::BITS - 1)) >> 1 }
}

/// The sum, unless it overflows.
///
/// Example: `3i32.checked_add(4)` is `Some(7)`.
///
/// Example: `i32::MAX.checked_add(1)` is `None`.
pub fn checked_add(x: i32, rhs: i32) -> Option<i32> {
    let (sum, over) = x.overflowing_add(rhs);
    if over { None } else { Some(sum) }
}

/// The difference, unless it overflows.
///
/// Example: `7i32.checked_sub(4)` is `Some(3)`.
///
/// Example: `i32::MIN.checked_sub(1)` is `None`.
pub fn checked_sub(x: i32, rhs: i32) -> Option<i32> {
    let (difference, over) = x.overflowing_sub(rhs);
    if over { None } else { Some(difference) }
}

/// The product, unless it overflows.
///
/// Example: `3i32.checked_mul(4)` is `Some(12)`.
///
/// Example: `i32::MAX.checked_mul(2)` is `None`.
pub fn checked_mul(x: i32, rhs: i32) -> Option<i32> {
    let (product, over) = x.overflowing_mul(rhs);
    if over { None } else { Some(product) }
}

/// The negated value, unless it overflows. Of types without sign, only 0 has one.
///
/// Example: `0i32.checked_neg()` is `Some(0)`.
pub fn checked_neg(x: i32) -> Option<i32> {
    let (negated, over) = x.overflowing_neg();
    if over { None } else { Some(negated) }
}

/// The position of the highest 1; a fault for what is not positive.
///
/// Example: `9i32.ilog2()` is `3`.
pub fn ilog2(x: i32) -> u32 {
    assert!(x > 0, "argument of integer logarithm must be positive");
    i32::BITS - 1 - x.leading_zeros()
}

/// The position of the highest 1, if `x` is positive.
///
/// Example: `9i32.checked_ilog2()` is `Some(3)`.
///
/// Example: `0i32.checked_ilog2()` is `None`.
pub fn checked_ilog2(x: i32) -> Option<u32> {
    if x > 0 { Some(i32::BITS - 1 - x.leading_zeros()) } else { None }
}

/// The whole part of the logarithm to base 10; a fault for what is not positive.
///
/// Example: `120i32.ilog10()` is `2`.
pub fn ilog10(x: i32) -> u32 {
    assert!(x > 0, "argument of integer logarithm must be positive");
    let mut digits = 0;
    let mut rest = x / 10;
    while rest != 0 {
        rest /= 10;
        digits += 1;
    }
    digits
}

/// The whole part of the logarithm to base 10, if `x` is positive.
///
/// Example: `120i32.checked_ilog10()` is `Some(2)`.
///
/// Example: `0i32.checked_ilog10()` is `None`.
pub fn checked_ilog10(x: i32) -> Option<u32> {
    if x > 0 { Some(x.ilog10()) } else { None }
}

/// The whole part of the logarithm to a base; a fault for what is not positive, and for a base below 2.
///
/// Example: `82i32.ilog(3)` is `4`.
pub fn ilog(x: i32, base: i32) -> u32 {
    assert!(base >= 2, "base of integer logarithm must be at least 2");
    assert!(x > 0, "argument of integer logarithm must be positive");
    let mut power = 0;
    let mut rest = x / base;
    while rest != 0 {
        rest /= base;
        power += 1;
    }
    power
}

/// The whole part of the logarithm to a base, if `x` is positive and the base at least 2.
///
/// Example: `82i32.checked_ilog(3)` is `Some(4)`.
///
/// Example: `82i32.checked_ilog(1)` is `None`.
pub fn checked_ilog(x: i32, base: i32) -> Option<u32> {
    if x > 0 && base >= 2 { Some(x.ilog(base)) } else { None }
}
