// Methods of signed integers that are made of others; `x` is the receiver, `u32` the type without sign.

/// -1, 0 or 1.
pub fn signum(x: i32) -> i32 {
    (x > 0) as i32 - (x < 0) as i32
}

/// Whether it is above 0.
pub fn is_positive(x: i32) -> bool {
    x > 0
}

/// Whether it is below 0.
pub fn is_negative(x: i32) -> bool {
    x < 0
}

/// The bits as the type without sign.
pub fn cast_unsigned(x: i32) -> u32 {
    x as u32
}

/// The magnitude; that of `MIN` fits.
pub fn unsigned_abs(x: i32) -> u32 {
    x.wrapping_abs() as u32
}

/// The magnitude, unless it overflows.
pub fn checked_abs(x: i32) -> Option<i32> {
    if x == i32::MIN { None } else { Some(x.abs()) }
}

/// The magnitude; `MAX` for `MIN`.
pub fn saturating_abs(x: i32) -> i32 {
    if x == i32::MIN { i32::MAX } else { x.abs() }
}

/// The magnitude that wraps, and whether it did.
pub fn overflowing_abs(x: i32) -> (i32, bool) {
    (x.wrapping_abs(), x == i32::MIN)
}

/// The negated value that wraps, and whether it did.
pub fn overflowing_neg(x: i32) -> (i32, bool) {
    (x.wrapping_neg(), x == i32::MIN)
}

/// The negated value; `MAX` for `MIN`.
pub fn saturating_neg(x: i32) -> i32 {
    if x == i32::MIN { i32::MAX } else { x.wrapping_neg() }
}

/// The distance; it fits the type without sign.
pub fn abs_diff(x: i32, rhs: i32) -> u32 {
    if x < rhs { rhs.wrapping_sub(x) as u32 } else { x.wrapping_sub(rhs) as u32 }
}

/// The quotient such that the remainder is not negative.
pub fn div_euclid(x: i32, rhs: i32) -> i32 {
    let q = x / rhs;
    if x % rhs < 0 { if rhs > 0 { q - 1 } else { q + 1 } } else { q }
}

/// The remainder that is not negative.
pub fn rem_euclid(x: i32, rhs: i32) -> i32 {
    let r = x % rhs;
    if r < 0 { r.wrapping_add(rhs.wrapping_abs()) } else { r }
}

/// The quotient; `MIN / -1` is `MIN`.
pub fn wrapping_div(x: i32, rhs: i32) -> i32 {
    if rhs == -1 { x.wrapping_neg() } else { x / rhs }
}

/// The remainder; `MIN % -1` is 0.
pub fn wrapping_rem(x: i32, rhs: i32) -> i32 {
    if rhs == -1 { 0 } else { x % rhs }
}

/// The quotient, unless there is none.
pub fn checked_div(x: i32, rhs: i32) -> Option<i32> {
    if rhs == 0 || (rhs == -1 && x == i32::MIN) { None } else { Some(x / rhs) }
}

/// The remainder, unless there is none.
pub fn checked_rem(x: i32, rhs: i32) -> Option<i32> {
    if rhs == 0 || (rhs == -1 && x == i32::MIN) { None } else { Some(x % rhs) }
}

/// The quotient; `MIN / -1` is `MAX`.
pub fn saturating_div(x: i32, rhs: i32) -> i32 {
    if rhs == -1 { x.saturating_neg() } else { x / rhs }
}

/// The sum that wraps, and whether it did: then its sign differs from both operands'.
pub fn overflowing_add(x: i32, rhs: i32) -> (i32, bool) {
    let sum = x.wrapping_add(rhs);
    (sum, (x ^ sum) & (rhs ^ sum) < 0)
}

/// The difference that wraps, and whether it did.
pub fn overflowing_sub(x: i32, rhs: i32) -> (i32, bool) {
    let difference = x.wrapping_sub(rhs);
    (difference, (x ^ rhs) & (x ^ difference) < 0)
}

/// The product that wraps, and whether it did: then dividing does not undo it.
pub fn overflowing_mul(x: i32, rhs: i32) -> (i32, bool) {
    let product = x.wrapping_mul(rhs);
    let over = if x == -1 { rhs == i32::MIN } else { x != 0 && product / x != rhs };
    (product, over)
}

/// The sum; at an overflow the end of the type on that side.
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
pub fn wrapping_add_unsigned(x: i32, rhs: u32) -> i32 {
    x.wrapping_add(rhs as i32)
}

/// `x - rhs`, wrapping.
pub fn wrapping_sub_unsigned(x: i32, rhs: u32) -> i32 {
    x.wrapping_sub(rhs as i32)
}

/// `x + rhs`, unless it overflows: then the wrapped sum lies below.
pub fn checked_add_unsigned(x: i32, rhs: u32) -> Option<i32> {
    let sum = x.wrapping_add(rhs as i32);
    if sum >= x { Some(sum) } else { None }
}

/// `x - rhs`, unless it overflows.
pub fn checked_sub_unsigned(x: i32, rhs: u32) -> Option<i32> {
    let difference = x.wrapping_sub(rhs as i32);
    if difference <= x { Some(difference) } else { None }
}

/// `x + rhs`; at an overflow `MAX`.
pub fn saturating_add_unsigned(x: i32, rhs: u32) -> i32 {
    let sum = x.wrapping_add(rhs as i32);
    if sum >= x { sum } else { i32::MAX }
}

/// `x - rhs`; at an overflow `MIN`.
pub fn saturating_sub_unsigned(x: i32, rhs: u32) -> i32 {
    let difference = x.wrapping_sub(rhs as i32);
    if difference <= x { difference } else { i32::MIN }
}
