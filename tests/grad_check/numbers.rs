//! Kinks, jumps, rounding, and numbers that are none.

use warp::grad_check;
use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

#[kernel]
fn kinked(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i].abs() + x[i].max(1.0);
}

#[kernel]
fn bits(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] * x[i] * if x[i].to_bits() >> 31 == 0 { 1.0 } else { 2.0 };
}

#[on_every_device]
fn kinks_are_left_out_and_bits_are_compared_in_single_precision() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[0.0f32, 0.5, 1.0, 3.0])?;
    let mut y = Array::zeros(&device, 4)?;
    let report = grad_check(|| kinked::launch(4, &x, &mut y))?;
    assert!(report.passes() && report.kinks == 2, "{report}");
    let report = grad_check(|| bits::launch(4, &x, &mut y))?;
    assert!(report.passes() && report.single.as_ref().is_some_and(|why| why.contains("`bits`")), "{report}");
    Ok(())
}

#[kernel]
fn lifted(x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] = 1e10 + x[i].sin();
}

/// The slope is lost in the rounding of the result: no gradient can pass, a right one no more than a wrong one.
#[on_every_device]
fn what_rounding_hides_does_not_pass() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[0.5f64, 0.25])?;
    let mut y = Array::zeros(&device, 2)?;
    let report = grad_check(|| lifted::launch(2, &x, &mut y))?;
    assert!(!report.passes() && report.unresolved + report.kinks == 2, "{report}");
    Ok(())
}

#[kernel]
fn cancelled(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = (x[i] + 1.0e8) - 1.0e8;
}

/// In double precision the small number stays; the launch has lost it.
#[on_every_device]
fn results_that_rounding_made_are_named() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[0.5f32, 1.25])?;
    let mut y = Array::zeros(&device, 2)?;
    let report = grad_check(|| cancelled::launch(2, &x, &mut y))?;
    assert!(!report.passes() && report.worst.as_ref().is_some_and(|worst| worst.error <= report.tolerance), "{report}");
    let worst = report.worst_result.clone().expect("a worst result");
    assert_eq!((worst.kernel.as_str(), worst.array.as_str(), worst.index), ("cancelled", "y", 1));
    assert_eq!((worst.launched, worst.again, worst.error, report.primal), (0.0, 1.25, 1.0, 1.0));
    assert!(report.to_string().contains("results differ most at `y[1]` (`cancelled`): launches wrote 0e0"), "{report}");
    Ok(())
}

#[kernel]
fn bowl(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] * x[i] + 0.5 * x[i] * x[i] * x[i] * x[i];
}

#[kernel]
fn stair(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] + if x[i] > 0.0 { 1.0 } else { 0.0 } - if x[i] < 0.0 { 1.0 } else { 0.0 };
}

/// At the bottom slopes on both sides differ, the less the nearer: no kink. Across a jump they agree, the larger the
/// nearer: no slope.
#[on_every_device]
fn bottoms_are_compared_and_jumps_are_not() -> Result<(), Error> {
    let device = device();
    let (x, mut y) = (Array::from_slice(&device, &[0.0f32, 0.5])?, Array::zeros(&device, 2)?);
    let report = grad_check(|| bowl::launch(2, &x, &mut y))?;
    assert!(report.passes() && (report.compared, report.kinks) == (4, 0), "{report}");
    let report = grad_check(|| stair::launch(2, &x, &mut y))?;
    assert!(report.passes() && (report.compared, report.kinks) == (3, 1), "{report}");
    Ok(())
}

#[func(grad = slope_of_magnitude)]
fn magnitude(v: f32) -> f32 {
    v.abs()
}

#[func]
fn slope_of_magnitude(v: f32, d: f32) -> f32 {
    v * (d / v.abs())
}

#[kernel]
fn magnitudes(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = magnitude(x[i]);
}

#[kernel]
fn sines(x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] = x[i].sin();
}

#[on_every_device]
fn a_gradient_that_is_no_number_is_wrong_at_a_kink_too() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[1.0f32, 0.0, -2.0])?;
    let mut y = Array::zeros(&device, 3)?;
    let report = grad_check(|| magnitudes::launch(3, &x, &mut y))?;
    assert!(!report.passes() && report.worst.as_ref().is_some_and(|worst| worst.gradient.is_nan()), "{report}");
    Ok(())
}

/// Differences are taken as near as they have to be; and where one number is NaN, the others are compared.
#[on_every_device]
fn large_and_missing_numbers() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[1000.0, 3.0, 20_000.0])?;
    let mut y = Array::zeros(&device, 3)?;
    let report = grad_check(|| sines::launch(3, &x, &mut y))?;
    assert!(report.passes() && report.compared == 6, "{report}");
    let x = Array::from_slice(&device, &[1.0f32, -1.0, 2.0])?;
    let mut y = Array::zeros(&device, 3)?;
    let report = grad_check(|| cubes_above_zero::launch(3, &x, &mut y))?;
    assert!(report.passes() && report.compared == 6, "{report}");
    let report = grad_check(|| Ok(()))?;
    assert!(!report.passes() && report.to_string().starts_with("gradients are not shown to be right: 0 compared"));
    Ok(())
}

#[kernel]
fn cubes_above_zero(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = if x[i] > 0.0 { x[i] * x[i] * x[i] } else { f32::NAN };
}

#[kernel]
fn raised(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] + 2147483648.0 * 1048576.0;
}

#[kernel]
fn over_zero(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] / 0.0;
}

/// Nothing is known to be wrong where nothing can be known.
#[on_every_device]
fn what_cannot_be_compared_is_not_called_wrong() -> Result<(), Error> {
    let device = device();
    let (x, mut y) = (Array::from_slice(&device, &[1.0f32, 2.0])?, Array::zeros(&device, 2)?);
    for (report, why) in [
        (grad_check(|| raised::launch(2, &x, &mut y))?, "hidden by the rounding of large results"),
        (
            grad_check(|| over_zero::launch(2, &x, &mut y))?,
            "`y[0]` (`over_zero`): launches wrote inf, which is no finite",
        ),
    ] {
        let words = report.to_string();
        assert!(!report.passes() && words.starts_with("gradients are not shown to be right"), "{words}");
        assert!(words.contains(why), "{words}");
    }
    Ok(())
}
