// Methods of signed integers that are made of others; `x` is the receiver, `u32` the type without sign.

/// -1, 0 or 1.
///
/// Example: `(-7i32).signum()` is `-1`.
pub fn signum(x: i32) -> i32 {
    (x > 0) as i32 - (x < 0) as i32
}

/// Whether it is above 0.
///
/// Example: `7i32.is_positive() && !0i32.is_positive()` holds.
pub fn is_positive(x: i32) -> bool {
    x > 0
}

/// Whether it is below 0.
///
/// Example: `(-7i32).is_negative() && !0i32.is_negative()` holds.
pub fn is_negative(x: i32) -> bool {
    x < 0
}

/// The bits as the type without sign.
///
/// Example: `(-1i32).cast_unsigned()` is `u32::MAX`.
pub fn cast_unsigned(x: i32) -> u32 {
    x as u32
}

/// The magnitude; that of `MIN` fits.
///
/// Example: `(-7i32).unsigned_abs()` is `7`.
pub fn unsigned_abs(x: i32) -> u32 {
    x.wrapping_abs() as u32
}

/// The magnitude, unless it overflows.
///
/// Example: `(-7i32).checked_abs()` is `Some(7)`.
///
/// Example: `i32::MIN.checked_abs()` is `None`.
pub fn checked_abs(x: i32) -> Option<i32> {
    if x == i32::MIN { None } else { Some(x.abs()) }
}

/// The magnitude; `MAX` for `MIN`.
///
/// Example: `i32::MIN.saturating_abs()` is `i32::MAX`.
pub fn saturating_abs(x: i32) -> i32 {
    if x == i32::MIN { i32::MAX } else { x.abs() }
}

/// The magnitude that wraps, and whether it did.
///
/// Example: `i32::MIN.overflowing_abs()` is `(i32::MIN, true)`.
pub fn overflowing_abs(x: i32) -> (i32, bool) {
    (x.wrapping_abs(), x == i32::MIN)
}

/// The negated value that wraps, and whether it did.
///
/// Example: `7i32.overflowing_neg()` is `(-7, false)`.
pub fn overflowing_neg(x: i32) -> (i32, bool) {
    (x.wrapping_neg(), x == i32::MIN)
}

/// The negated value; `MAX` for `MIN`.
///
/// Example: `i32::MIN.saturating_neg()` is `i32::MAX`.
pub fn saturating_neg(x: i32) -> i32 {
    if x == i32::MIN { i32::MAX } else { x.wrapping_neg() }
}

/// The distance; it fits the type without sign.
///
/// Example: `(-7i32).abs_diff(5)` is `12`.
pub fn abs_diff(x: i32, rhs: i32) -> u32 {
    if x < rhs { rhs.wrapping_sub(x) as u32 } else { x.wrapping_sub(rhs) as u32 }
}

/// The quotient such that the remainder is not negative. 0 as a divisor is a fault, as are `MIN` and -1.
///
/// Example: `(-7i32).div_euclid(2)` is `-4`.
pub fn div_euclid(x: i32, rhs: i32) -> i32 {
    let q = x / rhs;
    if x % rhs < 0 { if rhs > 0 { q - 1 } else { q + 1 } } else { q }
}

/// The remainder that is not negative. 0 as a divisor is a fault, as are `MIN` and -1.
///
/// Example: `(-7i32).rem_euclid(2)` is `1`.
pub fn rem_euclid(x: i32, rhs: i32) -> i32 {
    let r = x % rhs;
    if r < 0 { r.wrapping_add(rhs.wrapping_abs()) } else { r }
}

/// The quotient; `MIN / -1` is `MIN`. 0 as a divisor is a fault.
///
/// Example: `i32::MIN.wrapping_div(-1)` is `i32::MIN`.
pub fn wrapping_div(x: i32, rhs: i32) -> i32 {
    if rhs == -1 { x.wrapping_neg() } else { x / rhs }
}

/// The remainder; `MIN % -1` is 0. 0 as a divisor is a fault.
///
/// Example: `i32::MIN.wrapping_rem(-1)` is `0`.
pub fn wrapping_rem(x: i32, rhs: i32) -> i32 {
    if rhs == -1 { 0 } else { x % rhs }
}

/// The quotient, unless there is none.
///
/// Example: `(-7i32).checked_div(2)` is `Some(-3)`.
///
/// Example: `7i32.checked_div(0)` is `None`.
pub fn checked_div(x: i32, rhs: i32) -> Option<i32> {
    if rhs == 0 || (rhs == -1 && x == i32::MIN) { None } else { Some(x / rhs) }
}

/// The remainder, unless there is none.
///
/// Example: `(-7i32).checked_rem(2)` is `Some(-1)`.
///
/// Example: `7i32.checked_rem(0)` is `None`.
pub fn checked_rem(x: i32, rhs: i32) -> Option<i32> {
    if rhs == 0 || (rhs == -1 && x == i32::MIN) { None } else { Some(x % rhs) }
}

/// The quotient such that the remainder is not negative; `MIN / -1` is `MIN`. 0 as a divisor is a fault.
///
/// Example: `i32::MIN.wrapping_div_euclid(-1)` is `i32::MIN`.
pub fn wrapping_div_euclid(x: i32, rhs: i32) -> i32 {
    if rhs == -1 { x.wrapping_neg() } else { x.div_euclid(rhs) }
}

/// The remainder that is not negative; that of `MIN / -1` is 0. 0 as a divisor is a fault.
///
/// Example: `i32::MIN.wrapping_rem_euclid(-1)` is `0`.
pub fn wrapping_rem_euclid(x: i32, rhs: i32) -> i32 {
    if rhs == -1 { 0 } else { x.rem_euclid(rhs) }
}

/// The quotient such that the remainder is not negative, unless there is none.
///
/// Example: `(-7i32).checked_div_euclid(2)` is `Some(-4)`.
///
/// Example: `7i32.checked_div_euclid(0)` is `None`.
pub fn checked_div_euclid(x: i32, rhs: i32) -> Option<i32> {
    if rhs == 0 || (rhs == -1 && x == i32::MIN) { None } else { Some(x.div_euclid(rhs)) }
}

/// The remainder that is not negative, unless there is none.
///
/// Example: `(-7i32).checked_rem_euclid(2)` is `Some(1)`.
///
/// Example: `7i32.checked_rem_euclid(0)` is `None`.
pub fn checked_rem_euclid(x: i32, rhs: i32) -> Option<i32> {
    if rhs == 0 || (rhs == -1 && x == i32::MIN) { None } else { Some(x.rem_euclid(rhs)) }
}

/// The quotient that wraps, and whether it did.
///
/// Example: `i32::MIN.overflowing_div(-1)` is `(i32::MIN, true)`.
pub fn overflowing_div(x: i32, rhs: i32) -> (i32, bool) {
    (x.wrapping_div(rhs), rhs == -1 && x == i32::MIN)
}

/// The remainder, 0 where the quotient overflows, and whether it does.
///
/// Example: `i32::MIN.overflowing_rem(-1)` is `(0, true)`.
pub fn overflowing_rem(x: i32, rhs: i32) -> (i32, bool) {
    (x.wrapping_rem(rhs), rhs == -1 && x == i32::MIN)
}

/// The quotient such that the remainder is not negative, and whether it wraps.
///
/// Example: `(-7i32).overflowing_div_euclid(2)` is `(-4, false)`.
pub fn overflowing_div_euclid(x: i32, rhs: i32) -> (i32, bool) {
    (x.wrapping_div_euclid(rhs), rhs == -1 && x == i32::MIN)
}

/// The remainder that is not negative, 0 where the quotient overflows, and whether it does.
///
/// Example: `(-7i32).overflowing_rem_euclid(2)` is `(1, false)`.
pub fn overflowing_rem_euclid(x: i32, rhs: i32) -> (i32, bool) {
    (x.wrapping_rem_euclid(rhs), rhs == -1 && x == i32::MIN)
}

/// The quotient; `MIN / -1` is `MAX`.
///
/// Example: `i32::MIN.saturating_div(-1)` is `i32::MAX`.
pub fn saturating_div(x: i32, rhs: i32) -> i32 {
    if rhs == -1 { x.saturating_neg() } else { x / rhs }
}

/// The sum that wraps, and whether it did: then its sign differs from both operands'.
///
/// Example: `i32::MAX.overflowing_add(1)` is `(i32::MIN, true)`.
pub fn overflowing_add(x: i32, rhs: i32) -> (i32, bool) {
    let sum = x.wrapping_add(rhs);
    (sum, (x ^ sum) & (rhs ^ sum) < 0)
}

/// The difference that wraps, and whether it did.
///
/// Example: `i32::MIN.overflowing_sub(1)` is `(i32::MAX, true)`.
pub fn overflowing_sub(x: i32, rhs: i32) -> (i32, bool) {
    let difference = x.wrapping_sub(rhs);
    (difference, (x ^ rhs) & (x ^ difference) < 0)
}

/// The product that wraps, and whether it did: then dividing does not undo it.
///
/// Example: `3i32.overflowing_mul(-4)` is `(-12, false)`.
pub fn overflowing_mul(x: i32, rhs: i32) -> (i32, bool) {
    let product = x.wrapping_mul(rhs);
    let over = if x == -1 { rhs == i32::MIN } else { x != 0 && product / x != rhs };
    (product, over)
}

/// The sum; at an overflow the end of the type on that side.
///
/// Example: `i32::MAX.saturating_add(1)` is `i32::MAX`.
pub fn saturating_add(x: i32, rhs: i32) -> i32 {
    let (sum, over) = x.overflowing_add(rhs);
    if !over {
        sum
    } else if x < 0 {
        i32::MIN
    } else {
        i32::MAX
    }
}

/// The difference; at an overflow the end of the type on that side.
///
/// Example: `i32::MIN.saturating_sub(1)` is `i32::MIN`.
pub fn saturating_sub(x: i32, rhs: i32) -> i32 {
    let (difference, over) = x.overflowing_sub(rhs);
    if !over {
        difference
    } else if x < 0 {
        i32::MIN
    } else {
        i32::MAX
    }
}

/// The product; at an overflow the end of the type on that side.
///
/// Example: `i32::MAX.saturating_mul(-2)` is `i32::MIN`.
pub fn saturating_mul(x: i32, rhs: i32) -> i32 {
    let (product, over) = x.overflowing_mul(rhs);
    if !over {
        product
    } else if (x < 0) == (rhs < 0) {
        i32::MAX
    } else {
        i32::MIN
    }
}

/// `x + rhs`, wrapping.
///
/// Example: `(-7i32).wrapping_add_unsigned(9)` is `2`.
pub fn wrapping_add_unsigned(x: i32, rhs: u32) -> i32 {
    x.wrapping_add(rhs as i32)
}

/// `x - rhs`, wrapping.
///
/// Example: `2i32.wrapping_sub_unsigned(9)` is `-7`.
pub fn wrapping_sub_unsigned(x: i32, rhs: u32) -> i32 {
    x.wrapping_sub(rhs as i32)
}

/// `x + rhs`, unless it overflows: then the wrapped sum lies below.
///
/// Example: `(-7i32).checked_add_unsigned(9)` is `Some(2)`.
///
/// Example: `i32::MAX.checked_add_unsigned(1)` is `None`.
pub fn checked_add_unsigned(x: i32, rhs: u32) -> Option<i32> {
    let sum = x.wrapping_add(rhs as i32);
    if sum >= x { Some(sum) } else { None }
}

/// `x - rhs`, unless it overflows.
///
/// Example: `2i32.checked_sub_unsigned(9)` is `Some(-7)`.
///
/// Example: `i32::MIN.checked_sub_unsigned(1)` is `None`.
pub fn checked_sub_unsigned(x: i32, rhs: u32) -> Option<i32> {
    let difference = x.wrapping_sub(rhs as i32);
    if difference <= x { Some(difference) } else { None }
}

/// `x + rhs`; at an overflow `MAX`.
///
/// Example: `i32::MAX.saturating_add_unsigned(1)` is `i32::MAX`.
pub fn saturating_add_unsigned(x: i32, rhs: u32) -> i32 {
    let sum = x.wrapping_add(rhs as i32);
    if sum >= x { sum } else { i32::MAX }
}

/// `x - rhs`; at an overflow `MIN`.
///
/// Example: `i32::MIN.saturating_sub_unsigned(1)` is `i32::MIN`.
pub fn saturating_sub_unsigned(x: i32, rhs: u32) -> i32 {
    let difference = x.wrapping_sub(rhs as i32);
    if difference <= x { difference } else { i32::MIN }
}

/// `x + rhs` that wraps, and whether it did: then it lies below.
///
/// Example: `i32::MAX.overflowing_add_unsigned(1)` is `(i32::MIN, true)`.
pub fn overflowing_add_unsigned(x: i32, rhs: u32) -> (i32, bool) {
    let sum = x.wrapping_add(rhs as i32);
    (sum, sum < x)
}

/// `x - rhs` that wraps, and whether it did.
///
/// Example: `i32::MIN.overflowing_sub_unsigned(1)` is `(i32::MAX, true)`.
pub fn overflowing_sub_unsigned(x: i32, rhs: u32) -> (i32, bool) {
    let difference = x.wrapping_sub(rhs as i32);
    (difference, difference > x)
}

/// Half the sum, rounded toward zero; the sum does not overflow on the way.
///
/// Example: `(-3i32).midpoint(2)` is `0`.
pub fn midpoint(x: i32, rhs: i32) -> i32 {
    // Rounded down: the bits that both have, and half of those that one has.
    let down = (x & rhs).wrapping_add((x ^ rhs) >> 1);
    let odd = (x ^ rhs) & 1;
    if down < 0 { down + odd } else { down }
}

/// The largest number whose square is not above `x`; a fault below zero.
///
/// Example: `17i32.isqrt()` is `4`.
pub fn isqrt(x: i32) -> i32 {
    assert!(x >= 0, "argument of integer square root cannot be negative");
    (x as u32).isqrt() as i32
}

/// The largest number whose square is not above `x`, unless `x` is below zero.
///
/// Example: `17i32.checked_isqrt()` is `Some(4)`.
///
/// Example: `(-1i32).checked_isqrt()` is `None`.
pub fn checked_isqrt(x: i32) -> Option<i32> {
    if x < 0 { None } else { Some((x as u32).isqrt() as i32) }
}
