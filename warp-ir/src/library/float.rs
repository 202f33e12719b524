// Methods of f32 and f64 that are made of others; `x` is the receiver. Those that are one builtin are not here.

/// Into `min..=max`; a NaN stays. Bounds that cross or are NaN are a fault. At a bound the derivative is that of `x`.
///
/// Example: `3.5f32.clamp(1.0, 2.0)` is `2.0`.
///
/// Example: `1.5f32.clamp(1.0, 2.0)` is `1.5`.
pub fn clamp(x: f32, min: f32, max: f32) -> f32 {
    clamp_bounds(min, max);
    let above = if x < min { min } else { x };
    if above > max { max } else { above }
}

/// What truncation drops; it has the sign of `x`. The derivative is 1, at the jumps too.
///
/// Example: `(-1.25f32).fract()` is `-0.25`.
pub fn fract(x: f32) -> f32 {
    x - x.trunc()
}

/// 1 with the sign of `x`; NaN for a NaN. The derivative is 0 everywhere.
///
/// Example: `(-0.0f32).signum()` is `-1.0`.
pub fn signum(x: f32) -> f32 {
    let one: f32 = 1.0;
    if x.is_nan() { x } else { one.copysign(x) }
}

/// One over `x`. At 0 value and derivative are infinite (`safe_recip` has 0 for both).
///
/// Example: `4f32.recip()` is `0.25`.
pub fn recip(x: f32) -> f32 {
    1.0 / x
}

/// Radians to degrees.
///
/// Example: `core::f32::consts::PI.to_degrees()` is about `180.0`.
pub fn to_degrees(x: f32) -> f32 {
    x * 57.2957795130823208767981548141051703
}

/// Degrees to radians.
///
/// Example: `180f32.to_radians()` is about `core::f32::consts::PI`.
pub fn to_radians(x: f32) -> f32 {
    x * (3.14159265358979323846264338327950288 / 180.0)
}

/// The whole quotient such that the remainder is not negative. The derivative is 0 everywhere.
///
/// Example: `(-7f32).div_euclid(2.0)` is `-4.0`.
pub fn div_euclid(x: f32, rhs: f32) -> f32 {
    let q = (x / rhs).trunc();
    if x % rhs < 0.0 { if rhs > 0.0 { q - 1.0 } else { q + 1.0 } } else { q }
}

/// The remainder that is not negative; by rounding it may equal `rhs`. The derivative takes the quotient as constant.
///
/// Example: `(-7f32).rem_euclid(2.0)` is `1.0`.
pub fn rem_euclid(x: f32, rhs: f32) -> f32 {
    let r = x % rhs;
    if r < 0.0 { r + rhs.abs() } else { r }
}

/// `x` to a whole power, by squaring: the bits of `n` from the lowest choose the factors, and a negative power is one
/// over the positive one. Any number to the power 0 is 1.
///
/// Example: `2f32.powi(-3)` is `0.125`.
pub fn powi(x: f32, n: i32) -> f32 {
    let mut power = 1.0;
    let mut factor = x;
    let mut rest = n;
    loop {
        if rest & 1 != 0 {
            power *= factor;
        }
        rest /= 2;
        if rest == 0 {
            break;
        }
        factor *= factor;
    }
    if n < 0 { 1.0 / power } else { power }
}

/// The sine and the cosine.
///
/// Example: `0f32.sin_cos()` is `(0.0, 1.0)`.
pub fn sin_cos(x: f32) -> (f32, f32) {
    (x.sin(), x.cos())
}

/// The logarithm to a base. As `ln`: minus infinity at 0, NaN below. Not finite for a base of 1.
///
/// Example: `8f32.log(2.0)` is about `3.0`.
pub fn log(x: f32, base: f32) -> f32 {
    x.ln() / base.ln()
}

/// Whether it is NaN.
///
/// Example: `f32::NAN.is_nan() && !1f32.is_nan()` holds.
pub fn is_nan(x: f32) -> bool {
    x != x
}

/// Whether it is an infinity.
///
/// Example: `f32::INFINITY.is_infinite() && !f32::NAN.is_infinite()` holds.
pub fn is_infinite(x: f32) -> bool {
    x.abs() == f32::INFINITY
}

/// Whether it is a number and not infinite.
///
/// Example: `1f32.is_finite() && !f32::NAN.is_finite()` holds.
pub fn is_finite(x: f32) -> bool {
    x.abs() < f32::INFINITY
}

/// Whether it is a number, not infinite, and neither zero nor smaller than normal numbers.
///
/// Example: `1f32.is_normal() && !0f32.is_normal()` holds.
pub fn is_normal(x: f32) -> bool {
    x.abs() >= f32::MIN_POSITIVE && x.abs() < f32::INFINITY
}

/// Whether it is smaller than normal numbers, and not zero.
///
/// Example: `(f32::MIN_POSITIVE / 2.0).is_subnormal() && !1f32.is_subnormal()` holds.
pub fn is_subnormal(x: f32) -> bool {
    x.abs() < f32::MIN_POSITIVE && x != 0.0
}

/// Whether the sign bit is set: also of -0.0, and of some NaNs.
///
/// Example: `(-0.0f32).is_sign_negative()` holds.
pub fn is_sign_negative(x: f32) -> bool {
    let one: f32 = 1.0;
    one.copysign(x) < 0.0
}

/// Whether the sign bit is not set.
///
/// Example: `0f32.is_sign_positive()` holds.
pub fn is_sign_positive(x: f32) -> bool {
    let one: f32 = 1.0;
    one.copysign(x) > 0.0
}

/// From `x` at 0 to `rhs` at 1. Beyond 0 and 1 it goes on.
///
/// Example: `2f32.lerp(6.0, 0.25)` is `3.0`.
pub fn lerp(x: f32, rhs: f32, t: f32) -> f32 {
    x * (1.0 - t) + rhs * t
}

/// From `x` at 0 to about `rhs` at 1, monotonic in `t`. Beyond 0 and 1 it goes on.
///
/// Example: `2f32.lerp_monotonic(6.0, 0.25)` is `3.0`.
pub fn lerp_monotonic(x: f32, rhs: f32, t: f32) -> f32 {
    x + (rhs - x) * t
}

/// Where `v` lies between `x`, which gives 0, and `b`, which gives 1; not finite where both are equal.
///
/// Example: `f32::inverse_lerp(2.0, 6.0, 3.0)` is `0.25`.
pub fn inverse_lerp(x: f32, b: f32, v: f32) -> f32 {
    (v - x) / (b - x)
}

/// What rounding down drops. The derivative is 1, at the jumps too.
///
/// Example: `(-1.25f32).fract_gl()` is `0.75`.
pub fn fract_gl(x: f32) -> f32 {
    x - x.floor()
}

/// 0 where `value` lies below `x`, else 1. The derivative is 0 everywhere.
///
/// Example: `2f32.step(2.0)` is `1.0`.
///
/// Example: `2f32.step(1.5)` is `0.0`.
pub fn step(x: f32, value: f32) -> f32 {
    if value < x { 0.0 } else { 1.0 }
}

/// Into 0 to 1. At 0 and 1 the derivative is 1.
///
/// Example: `1.5f32.saturate()` is `1.0`.
pub fn saturate(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

/// 0 below `edge0`, 1 above `edge1`, a smooth cubic between, with the derivative 0 at both.
///
/// Example: `2.5f32.smoothstep(2.0, 4.0)` is `0.15625`.
pub fn smoothstep(x: f32, edge0: f32, edge1: f32) -> f32 {
    let t = ((x - edge0) / (edge1 - edge0)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// From one range to another, in proportion. It goes on beyond both ends. Not finite where `in_start` is `in_end`.
///
/// Example: `3f32.remap(2.0, 6.0, 10.0, 30.0)` is `15.0`.
pub fn remap(x: f32, in_start: f32, in_end: f32, out_start: f32, out_end: f32) -> f32 {
    let t = (x - in_start) / (in_end - in_start);
    out_start * (1.0 - t) + out_end * t
}

/// At most `d` nearer to `rhs`. The derivative is that of `rhs` once it is reached.
///
/// Example: `1f32.move_towards(4.0, 2.0)` is `3.0`.
///
/// Example: `1f32.move_towards(4.0, 9.0)` is `4.0`.
pub fn move_towards(x: f32, rhs: f32, d: f32) -> f32 {
    let a = rhs - x;
    if a.abs() <= d { rhs } else { x + a.signum() * d }
}

/// Half the sum, rounded once; it does not overflow on the way.
///
/// Example: `f32::MAX.midpoint(f32::MAX)` is `f32::MAX`.
pub fn midpoint(x: f32, rhs: f32) -> f32 {
    if f32::EPSILON > 1e-10 {
        return ((x as f64 + rhs as f64) / 2.0) as f32;
    }
    let (tiny, huge) = (f32::MIN_POSITIVE * 2.0, f32::MAX / 2.0);
    if x.abs() <= huge && rhs.abs() <= huge {
        (x + rhs) / 2.0
    } else if x.abs() < tiny {
        x + rhs / 2.0
    } else if rhs.abs() < tiny {
        x / 2.0 + rhs
    } else {
        x / 2.0 + rhs / 2.0
    }
}

/// The next larger number; infinity and NaN stay. It has no derivative.
///
/// Example: `1f32.next_up() > 1.0 && 1f32.next_up() <= 1.0 + f32::EPSILON` holds.
pub fn next_up(x: f32) -> f32 {
    if x.is_nan() || x == f32::INFINITY {
        x
    } else if x == 0.0 {
        f32::from_bits(1)
    } else if x > 0.0 {
        f32::from_bits(x.to_bits() + 1)
    } else {
        f32::from_bits(x.to_bits() - 1)
    }
}

/// The next smaller number; minus infinity and NaN stay. It has no derivative.
///
/// Example: `1f32.next_down() < 1.0 && 1f32.next_down().next_up() == 1.0` holds.
pub fn next_down(x: f32) -> f32 {
    -(-x).next_up()
}
