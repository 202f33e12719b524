//! Which inertias bodies can have.

use warp::math::{DMat3, DMat3Ext, DVec3};

/// How far, as a part of the largest moment, an inertia may be off before it is refused. Files round to six digits.
const TOLERANCE: f64 = 1e-5;

/// What is wrong with an inertia about the centre of mass, if anything.
pub(super) fn fault(inertia: DMat3) -> Option<String> {
    if !inertia.is_finite() {
        return Some("it is not finite".to_owned());
    }
    let size = inertia.to_cols_array().into_iter().fold(0.0f64, |largest, entry| largest.max(entry.abs()));
    if !inertia.abs_diff_eq(inertia.transpose(), TOLERANCE * size) {
        return Some("it is not symmetric".to_owned());
    }
    let [a, b, c] = inertia.symmetric_eigen().0.to_array();
    let shown = || format!("its principal moments are {a:.4e}, {b:.4e} and {c:.4e} kg m²");
    if a <= 0.0 {
        return Some(format!("{}, and all have to be above zero", shown()));
    }
    // What is far from one axis is far from one of the other two.
    (a + b < c * (1.0 - TOLERANCE)).then(|| format!("{}, and two of them have to be at least the third", shown()))
}

/// Whether no body can have an inertia.
pub(crate) fn is_impossible(inertia: DMat3) -> bool {
    fault(inertia).is_some()
}

/// The nearest inertia that a body can have: symmetric, each moment at least a millionth of the largest, and the largest at
/// most the sum of the others, which are raised by the same amount for that.
pub(super) fn repaired(inertia: DMat3) -> DMat3 {
    let (moments, axes) = inertia.symmetric_eigen();
    let largest = moments.z.max(f64::MIN_POSITIVE);
    let mut moments = moments.max(DVec3::splat(1e-6 * largest));
    let short = moments.z - moments.x - moments.y;
    if short > 0.0 {
        moments += DVec3::new(0.5 * short, 0.5 * short, 0.0);
    }
    axes * DMat3::from_diagonal(moments) * axes.transpose()
}
