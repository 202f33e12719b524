// Methods of f32 and f64 that Rust's own floats lack; `x` is the receiver. Where the plain operation divides by zero,
// leaves its domain or has no finite derivative, these have a value, and the derivative 0.

/// `x / rhs`; where `rhs` is 0 it is 0, with the derivative 0 by both.
///
/// Example: `6f32.safe_div(2.0)` is `3.0`.
///
/// Example: `6f32.safe_div(0.0)` is `0.0`.
pub fn safe_div(x: f32, rhs: f32) -> f32 {
    let nothing = rhs == 0.0;
    let divisor = if nothing { 1.0 } else { rhs };
    let quotient = x / divisor;
    if nothing { 0.0 } else { quotient }
}

/// `1 / x`; where `x` is 0 it is 0, with the derivative 0.
///
/// Example: `4f32.safe_recip()` is `0.25`.
///
/// Example: `0f32.safe_recip()` is `0.0`.
pub fn safe_recip(x: f32) -> f32 {
    let nothing = x == 0.0;
    let divisor = if nothing { 1.0 } else { x };
    let inverse = 1.0 / divisor;
    if nothing { 0.0 } else { inverse }
}

/// The square root; at 0 and below it is 0, with the derivative 0. A NaN stays.
///
/// Example: `9f32.safe_sqrt()` is `3.0`.
///
/// Example: `(-1f32).safe_sqrt()` is `0.0`.
pub fn safe_sqrt(x: f32) -> f32 {
    let square = if x < 0.0 { 0.0 } else { x };
    square.sqrt()
}

/// The arc sine of `x` kept in -1 to 1; at both ends and beyond it has the derivative 0. A NaN stays.
///
/// Example: `2f32.safe_asin().to_degrees()` is about `90.0`.
pub fn safe_asin(x: f32) -> f32 {
    let above = if x < -1.0 { -1.0 } else { x };
    let sine = if above > 1.0 { 1.0 } else { above };
    sine.asin()
}

/// The arc cosine of `x` kept in -1 to 1; at both ends and beyond it has the derivative 0. A NaN stays.
///
/// Example: `2f32.safe_acos()` is `0.0`.
pub fn safe_acos(x: f32) -> f32 {
    let above = if x < -1.0 { -1.0 } else { x };
    let cosine = if above > 1.0 { 1.0 } else { above };
    cosine.acos()
}
