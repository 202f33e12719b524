//! What is detached is a constant on both sides.

use warp::grad_check;
use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

use super::cubes;

#[kernel]
fn products(a: &[f32], b: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i] * b[i] * b[i];
}

/// What is detached is a constant on both sides: where it is read, where it is copied, and for what was computed before.
#[on_every_device]
fn detached_arrays_are_constants_of_the_check_too() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[0.5f32, -1.25, 2.0])?;
    let (mut y, mut z, mut kept) =
        (Array::zeros(&device, 3)?, Array::zeros(&device, 3)?, Array::full(&device, 3, 7.0)?);
    let report = grad_check(|| {
        cubes::launch(3, &x, &mut y)?;
        // Both of one array, one of them detached: the slope by `y` is that of `y * const`.
        products::launch(3, &y, &y.detach(), &mut z)?;
        kept.copy_from(&z.detach())?;
        products::launch(3, &kept, &z, &mut y)
    })?;
    assert!(report.passes(), "{report}");
    assert_eq!((report.compared, report.kinks), (12, 0), "{report}");
    Ok(())
}

#[kernel]
fn by_detached(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] * detach(x[i]);
}

#[on_every_device]
fn a_kernel_that_detaches_values_is_named() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[0.5f32, -1.25])?;
    let mut y = Array::zeros(&device, 2)?;
    let report = grad_check(|| by_detached::launch(2, &x, &mut y))?;
    assert!(!report.passes() && report.detaching == ["by_detached"], "{report}");
    assert!(report.to_string().contains("kernel `by_detached` has `detach(..)` in it"), "{report}");
    Ok(())
}

#[kernel(grad(by))]
fn bits_times(x: &[f32], constant: &[f32], y: &mut [f32], by: f32) {
    let i = tid();
    y[i] += x[i] * constant[i] * by * if x[i].to_bits() >> 31 == 0 { 1.0 } else { 2.0 };
}

/// What holds in double precision does so in that of the launches: scalars, and what is detached.
#[on_every_device]
fn scalars_and_detached_arrays_in_single_precision() -> Result<(), Error> {
    let device = device();
    let (x, mut y) = (Array::from_slice(&device, &[0.75f32, -0.5])?, Array::zeros(&device, 2)?);
    let report = grad_check(|| {
        bits_times::launch(2, &x, &x.detach(), &mut y, 1.5)?;
        bits_times::launch(2, &x, &x.detach(), &mut y, -0.25)
    })?;
    assert!(report.passes() && report.single.is_some(), "{report}");
    assert_eq!((report.compared, report.kinks), (6, 0), "{report}");
    Ok(())
}

/// The inverse of a number, which is taken for a constant.
#[kernel(no_adjoint)]
fn invert(x: &[f32], inverse: &mut [f32]) {
    let i = tid();
    inverse[i] = 1.0 / x[i];
}

/// The same with the slope of the inverse: `1 - x y` is zero, and its slope by `x` is `-y`.
#[kernel]
fn refine(x: &[f32], inverse: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = inverse[i] + inverse[i] * (1.0 - x[i] * inverse[i]);
}

/// What has no way back may be used as a constant, and is no result of its own.
#[on_every_device]
fn results_without_a_way_back_do_not_count() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[0.5f32, -1.25])?;
    let (mut inverse, mut y) = (Array::zeros(&device, 2)?, Array::zeros(&device, 2)?);
    let report = grad_check(|| {
        invert::launch(2, &x, &mut inverse)?;
        refine::launch(2, &x, &inverse.detach(), &mut y)
    })?;
    assert!(report.passes() && report.without_adjoint == ["invert"], "{report}");
    assert!(report.to_string().contains("results of kernel `invert`"), "{report}");
    // Alone it is what was to be checked, and has no gradient; so is what goes on from it.
    let alone = grad_check(|| invert::launch(2, &x, &mut inverse)).unwrap_err();
    assert!(alone.to_string().contains("it is marked `no_adjoint`"), "{alone}");
    let through = grad_check(|| {
        invert::launch(2, &x, &mut inverse)?;
        refine::launch(2, &x, &inverse, &mut y)
    });
    assert!(through.unwrap_err().to_string().contains("it is marked `no_adjoint`"));
    Ok(())
}
