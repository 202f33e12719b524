// Methods of integers without sign that are made of others; `x` is the receiver, `i32` the type with a sign.

/// The bits as the type with a sign.
///
/// Example: `u32::MAX.cast_signed()` is `-1`.
pub fn cast_signed(x: u32) -> i32 {
    x as i32
}

/// Whether exactly one bit is 1.
///
/// Example: `8u32.is_power_of_two() && !0u32.is_power_of_two()` holds.
pub fn is_power_of_two(x: u32) -> bool {
    x.count_ones() == 1
}

/// The smallest power of two not below `x`; 0 where it does not fit.
///
/// Example: `9u32.next_power_of_two()` is `16`.
pub fn next_power_of_two(x: u32) -> u32 {
    let one: u32 = 1;
    if x <= 1 {
        1
    } else {
        let zeros = (x - 1).leading_zeros();
        if zeros == 0 { 0 } else { one << (u32::BITS - zeros) }
    }
}

/// The smallest power of two not below `x`, if it fits.
///
/// Example: `9u32.checked_next_power_of_two()` is `Some(16)`.
///
/// Example: `u32::MAX.checked_next_power_of_two()` is `None`.
pub fn checked_next_power_of_two(x: u32) -> Option<u32> {
    let power = x.next_power_of_two();
    if power == 0 { None } else { Some(power) }
}

/// Whether `rhs` divides `x`; 0 divides 0 alone.
///
/// Example: `12u32.is_multiple_of(4) && !12u32.is_multiple_of(0)` holds.
pub fn is_multiple_of(x: u32, rhs: u32) -> bool {
    if rhs == 0 { x == 0 } else { x % rhs == 0 }
}

/// The smallest multiple of `rhs` not below `x`; it wraps. 0 is a fault.
///
/// Example: `9u32.next_multiple_of(4)` is `12`.
pub fn next_multiple_of(x: u32, rhs: u32) -> u32 {
    let r = x % rhs;
    if r == 0 { x } else { x.wrapping_add(rhs - r) }
}

/// The smallest multiple of `rhs` not below `x`, if there is one and it fits.
///
/// Example: `9u32.checked_next_multiple_of(4)` is `Some(12)`.
///
/// Example: `9u32.checked_next_multiple_of(0)` is `None`.
pub fn checked_next_multiple_of(x: u32, rhs: u32) -> Option<u32> {
    if rhs == 0 {
        None
    } else {
        let r = x % rhs;
        if r == 0 { Some(x) } else { x.checked_add(rhs - r) }
    }
}

/// The quotient rounded up.
///
/// Example: `9u32.div_ceil(4)` is `3`.
pub fn div_ceil(x: u32, rhs: u32) -> u32 {
    let q = x / rhs;
    if x % rhs > 0 { q + 1 } else { q }
}

/// The largest number whose square is not above `x`, bit by bit.
///
/// Example: `17u32.isqrt()` is `4`.
pub fn isqrt(x: u32) -> u32 {
    let one: u32 = 1;
    let mut rest = x;
    let mut root: u32 = 0;
    let mut bit = one << (u32::BITS - 2);
    while bit > x {
        bit >>= 2;
    }
    while bit != 0 {
        let trial = root + bit;
        root >>= 1;
        if rest >= trial {
            rest -= trial;
            root += bit;
        }
        bit >>= 2;
    }
    root
}

/// The distance.
///
/// Example: `5u32.abs_diff(9)` is `4`.
pub fn abs_diff(x: u32, rhs: u32) -> u32 {
    if x < rhs { rhs - x } else { x - rhs }
}

/// The quotient. 0 as a divisor is a fault.
///
/// Example: `9u32.div_euclid(4)` is `2`.
pub fn div_euclid(x: u32, rhs: u32) -> u32 {
    x / rhs
}

/// The remainder. 0 as a divisor is a fault.
///
/// Example: `9u32.rem_euclid(4)` is `1`.
pub fn rem_euclid(x: u32, rhs: u32) -> u32 {
    x % rhs
}

/// The quotient. 0 as a divisor is a fault.
///
/// Example: `9u32.wrapping_div(4)` is `2`.
pub fn wrapping_div(x: u32, rhs: u32) -> u32 {
    x / rhs
}

/// The remainder. 0 as a divisor is a fault.
///
/// Example: `9u32.wrapping_rem(4)` is `1`.
pub fn wrapping_rem(x: u32, rhs: u32) -> u32 {
    x % rhs
}

/// The quotient, unless there is none.
///
/// Example: `9u32.checked_div(4)` is `Some(2)`.
///
/// Example: `9u32.checked_div(0)` is `None`.
pub fn checked_div(x: u32, rhs: u32) -> Option<u32> {
    if rhs == 0 { None } else { Some(x / rhs) }
}

/// The remainder, unless there is none.
///
/// Example: `9u32.checked_rem(4)` is `Some(1)`.
///
/// Example: `9u32.checked_rem(0)` is `None`.
pub fn checked_rem(x: u32, rhs: u32) -> Option<u32> {
    if rhs == 0 { None } else { Some(x % rhs) }
}

/// The quotient.
///
/// Example: `9u32.wrapping_div_euclid(4)` is `2`.
pub fn wrapping_div_euclid(x: u32, rhs: u32) -> u32 {
    x / rhs
}

/// The remainder.
///
/// Example: `9u32.wrapping_rem_euclid(4)` is `1`.
pub fn wrapping_rem_euclid(x: u32, rhs: u32) -> u32 {
    x % rhs
}

/// The quotient, unless there is none.
///
/// Example: `9u32.checked_div_euclid(4)` is `Some(2)`.
///
/// Example: `9u32.checked_div_euclid(0)` is `None`.
pub fn checked_div_euclid(x: u32, rhs: u32) -> Option<u32> {
    x.checked_div(rhs)
}

/// The remainder, unless there is none.
///
/// Example: `9u32.checked_rem_euclid(4)` is `Some(1)`.
///
/// Example: `9u32.checked_rem_euclid(0)` is `None`.
pub fn checked_rem_euclid(x: u32, rhs: u32) -> Option<u32> {
    x.checked_rem(rhs)
}

/// The quotient, which never wraps.
///
/// Example: `9u32.overflowing_div(4)` is `(2, false)`.
pub fn overflowing_div(x: u32, rhs: u32) -> (u32, bool) {
    (x / rhs, false)
}

/// The remainder, which never wraps.
///
/// Example: `9u32.overflowing_rem(4)` is `(1, false)`.
pub fn overflowing_rem(x: u32, rhs: u32) -> (u32, bool) {
    (x % rhs, false)
}

/// The quotient, which never wraps.
///
/// Example: `9u32.overflowing_div_euclid(4)` is `(2, false)`.
pub fn overflowing_div_euclid(x: u32, rhs: u32) -> (u32, bool) {
    (x / rhs, false)
}

/// The remainder, which never wraps.
///
/// Example: `9u32.overflowing_rem_euclid(4)` is `(1, false)`.
pub fn overflowing_rem_euclid(x: u32, rhs: u32) -> (u32, bool) {
    (x % rhs, false)
}

/// The quotient.
///
/// Example: `9u32.saturating_div(4)` is `2`.
pub fn saturating_div(x: u32, rhs: u32) -> u32 {
    x / rhs
}

/// The negated value that wraps, and whether it did.
///
/// Example: `0u32.overflowing_neg()` is `(0, false)`.
pub fn overflowing_neg(x: u32) -> (u32, bool) {
    (x.wrapping_neg(), x != 0)
}

/// The sum that wraps, and whether it did.
///
/// Example: `u32::MAX.overflowing_add(1)` is `(0, true)`.
pub fn overflowing_add(x: u32, rhs: u32) -> (u32, bool) {
    let sum = x.wrapping_add(rhs);
    (sum, sum < x)
}

/// The difference that wraps, and whether it did.
///
/// Example: `0u32.overflowing_sub(1)` is `(u32::MAX, true)`.
pub fn overflowing_sub(x: u32, rhs: u32) -> (u32, bool) {
    (x.wrapping_sub(rhs), x < rhs)
}

/// The product that wraps, and whether it did: then dividing does not undo it.
///
/// Example: `3u32.overflowing_mul(4)` is `(12, false)`.
pub fn overflowing_mul(x: u32, rhs: u32) -> (u32, bool) {
    let product = x.wrapping_mul(rhs);
    (product, x != 0 && product / x != rhs)
}

/// The sum; at an overflow `MAX`.
///
/// Example: `u32::MAX.saturating_add(1)` is `u32::MAX`.
pub fn saturating_add(x: u32, rhs: u32) -> u32 {
    let (sum, over) = x.overflowing_add(rhs);
    if over { u32::MAX } else { sum }
}

/// The difference; at an overflow 0.
///
/// Example: `3u32.saturating_sub(4)` is `0`.
pub fn saturating_sub(x: u32, rhs: u32) -> u32 {
    if x < rhs { 0 } else { x - rhs }
}

/// The product; at an overflow `MAX`.
///
/// Example: `u32::MAX.saturating_mul(2)` is `u32::MAX`.
pub fn saturating_mul(x: u32, rhs: u32) -> u32 {
    let (product, over) = x.overflowing_mul(rhs);
    if over { u32::MAX } else { product }
}

/// `x + rhs`, wrapping.
///
/// Example: `9u32.wrapping_add_signed(-4)` is `5`.
pub fn wrapping_add_signed(x: u32, rhs: i32) -> u32 {
    x.wrapping_add(rhs as u32)
}

/// `x + rhs`, unless it overflows: then the wrapped sum lies on the wrong side.
///
/// Example: `9u32.checked_add_signed(-4)` is `Some(5)`.
///
/// Example: `3u32.checked_add_signed(-4)` is `None`.
pub fn checked_add_signed(x: u32, rhs: i32) -> Option<u32> {
    let sum = x.wrapping_add(rhs as u32);
    if (sum >= x) == (rhs >= 0) { Some(sum) } else { None }
}

/// `x + rhs`; at an overflow 0 or `MAX`.
///
/// Example: `3u32.saturating_add_signed(-4)` is `0`.
pub fn saturating_add_signed(x: u32, rhs: i32) -> u32 {
    let sum = x.wrapping_add(rhs as u32);
    if (sum >= x) == (rhs >= 0) {
        sum
    } else if rhs < 0 {
        0
    } else {
        u32::MAX
    }
}

/// `x + rhs` that wraps, and whether it did.
///
/// Example: `3u32.overflowing_add_signed(-3)` is `(0, false)`.
pub fn overflowing_add_signed(x: u32, rhs: i32) -> (u32, bool) {
    let sum = x.wrapping_add(rhs as u32);
    (sum, (sum >= x) != (rhs >= 0))
}

/// `x - rhs`, wrapping.
///
/// Example: `3u32.wrapping_sub_signed(-4)` is `7`.
pub fn wrapping_sub_signed(x: u32, rhs: i32) -> u32 {
    x.wrapping_sub(rhs as u32)
}

/// `x - rhs` that wraps, and whether it did: then it lies on the wrong side.
///
/// Example: `0u32.overflowing_sub_signed(1)` is `(u32::MAX, true)`.
pub fn overflowing_sub_signed(x: u32, rhs: i32) -> (u32, bool) {
    let difference = x.wrapping_sub(rhs as u32);
    (difference, (difference <= x) != (rhs >= 0))
}

/// `x - rhs`, unless it overflows.
///
/// Example: `3u32.checked_sub_signed(-4)` is `Some(7)`.
///
/// Example: `3u32.checked_sub_signed(4)` is `None`.
pub fn checked_sub_signed(x: u32, rhs: i32) -> Option<u32> {
    let (difference, over) = x.overflowing_sub_signed(rhs);
    if over { None } else { Some(difference) }
}

/// `x - rhs`; at an overflow 0 or `MAX`.
///
/// Example: `3u32.saturating_sub_signed(4)` is `0`.
pub fn saturating_sub_signed(x: u32, rhs: i32) -> u32 {
    let (difference, over) = x.overflowing_sub_signed(rhs);
    if !over {
        difference
    } else if rhs < 0 {
        u32::MAX
    } else {
        0
    }
}

/// Half the sum, rounded down; the sum does not overflow on the way.
///
/// Example: `3u32.midpoint(6)` is `4`.
pub fn midpoint(x: u32, rhs: u32) -> u32 {
    (x & rhs) + ((x ^ rhs) >> 1)
}
