//! Values that count as constants for gradients.

/// The value itself, through which no derivative flows: gradients and tangents take it for a constant.
///
/// In a kernel it takes any value: a number, a vector, a matrix, a struct. Elsewhere it does nothing.
///
/// ```
/// # use warp_core::prelude::detach;
/// // The slope of `x * detach(x)` is `x`, not `2 x`; its value is `x * x`.
/// assert_eq!(3.0 * detach(3.0), 9.0);
/// ```
#[inline]
pub fn detach<T>(value: T) -> T {
    value
}
