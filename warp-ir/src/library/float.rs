// Methods of f32 and f64 that are made of others; `x` is the receiver. Those that are one builtin are not here.

/// Into `min..=max`; a NaN stays. Bounds that cross or are NaN are a fault.
pub fn clamp(x: f32, min: f32, max: f32) -> f32 {
    clamp_bounds(min, max);
    let above = if x < min { min } else { x };
    if above > max { max } else { above }
}

/// What truncation drops; it has the sign of `x`.
pub fn fract(x: f32) -> f32 {
    x - x.trunc()
}

/// 1 with the sign of `x`; NaN for a NaN.
pub fn signum(x: f32) -> f32 {
    let one: f32 = 1.0;
    if x.is_nan() { x } else { one.copysign(x) }
}

/// One over `x`.
pub fn recip(x: f32) -> f32 {
    1.0 / x
}

/// Radians to degrees.
pub fn to_degrees(x: f32) -> f32 {
    x * 57.2957795130823208767981548141051703
}

/// Degrees to radians.
pub fn to_radians(x: f32) -> f32 {
    x * (3.14159265358979323846264338327950288 / 180.0)
}

/// The whole quotient such that the remainder is not negative.
pub fn div_euclid(x: f32, rhs: f32) -> f32 {
    let q = (x / rhs).trunc();
    if x % rhs < 0.0 { if rhs > 0.0 { q - 1.0 } else { q + 1.0 } } else { q }
}

/// The remainder that is not negative; by rounding it may equal `rhs`.
pub fn rem_euclid(x: f32, rhs: f32) -> f32 {
    let r = x % rhs;
    if r < 0.0 { r + rhs.abs() } else { r }
}

/// `x` to a whole power, by squaring: the bits of `n` from the lowest choose the factors, and a negative power is one
/// over the positive one.
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
pub fn sin_cos(x: f32) -> (f32, f32) {
    (x.sin(), x.cos())
}

/// The logarithm to a base.
pub fn log(x: f32, base: f32) -> f32 {
    x.ln() / base.ln()
}

/// Whether it is NaN.
pub fn is_nan(x: f32) -> bool {
    x != x
}

/// Whether it is an infinity.
pub fn is_infinite(x: f32) -> bool {
    x.abs() == f32::INFINITY
}

/// Whether it is a number and not infinite.
pub fn is_finite(x: f32) -> bool {
    x.abs() < f32::INFINITY
}

/// Whether the sign bit is set: also of -0.0, and of some NaNs.
pub fn is_sign_negative(x: f32) -> bool {
    let one: f32 = 1.0;
    one.copysign(x) < 0.0
}

/// Whether the sign bit is not set.
pub fn is_sign_positive(x: f32) -> bool {
    let one: f32 = 1.0;
    one.copysign(x) > 0.0
}

/// From `x` at 0 to `rhs` at 1.
pub fn lerp(x: f32, rhs: f32, t: f32) -> f32 {
    x * (1.0 - t) + rhs * t
}

/// From `x` at 0 to about `rhs` at 1, monotonic in `t`.
pub fn lerp_monotonic(x: f32, rhs: f32, t: f32) -> f32 {
    x + (rhs - x) * t
}

/// What rounding down drops.
pub fn fract_gl(x: f32) -> f32 {
    x - x.floor()
}

/// 0 where `value` lies below `x`, else 1.
pub fn step(x: f32, value: f32) -> f32 {
    if value < x { 0.0 } else { 1.0 }
}

/// Into 0 to 1.
pub fn saturate(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

/// 0 below `edge0`, 1 above `edge1`, a smooth cubic between.
pub fn smoothstep(x: f32, edge0: f32, edge1: f32) -> f32 {
    let t = ((x - edge0) / (edge1 - edge0)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// From one range to another, in proportion.
pub fn remap(x: f32, in_start: f32, in_end: f32, out_start: f32, out_end: f32) -> f32 {
    let t = (x - in_start) / (in_end - in_start);
    out_start * (1.0 - t) + out_end * t
}

/// At most `d` nearer to `rhs`.
pub fn move_towards(x: f32, rhs: f32, d: f32) -> f32 {
    let a = rhs - x;
    if a.abs() <= d { rhs } else { x + a.signum() * d }
}
