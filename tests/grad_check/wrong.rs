//! Gradients that are wrong are found, where they are.

use warp::grad_check;
use warp::grad_check::Compared;
use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

/// Threads that write one element: the last one's value stays, and nobody can see that in the code.
#[kernel]
fn overwritten(x: &[f32], to: &[u32], y: &mut [f32]) {
    let i = tid();
    y[to[i] as usize] = x[i] * x[i];
}

#[test]
fn a_wrong_gradient_is_found_where_it_is() -> Result<(), Error> {
    let device = Device::cpu();
    let x = Array::from_slice(&device, &[0.5f32, 1.0, 0.25])?;
    let mut y = Array::zeros(&device, 3)?;
    let apart = Array::from_slice(&device, &[2u32, 0, 1])?;
    let report = grad_check(|| overwritten::launch(3, &x, &apart, &mut y))?;
    assert!(report.passes() && report.compared == 6, "{report}");
    let together = Array::from_slice(&device, &[0u32, 0, 1])?;
    let report = grad_check(|| overwritten::launch(3, &x, &together, &mut y))?;
    assert!(!report.passes(), "{report}");
    let worst = report.worst.clone().expect("a worst entry");
    assert_eq!((worst.kernel.as_str(), worst.array.as_str(), worst.index), ("overwritten", "x", 1));
    assert!(worst.gradient == 0.0 && worst.difference != 0.0 && worst.error > 0.999, "{report}");
    let text = report.to_string();
    assert!(
        text.starts_with("gradients are WRONG: ") && text.contains("the worst is by `x[1]` (kernel `overwritten`)")
    );
    Ok(())
}

#[func(grad = slope_of_right)]
fn right(x: f32) -> f32 {
    x * x * x
}

#[func]
fn slope_of_right(x: f32, y: f32) -> f32 {
    3.0 * x * x * y
}

#[func(grad = slope_of_wrong)]
fn wrong(x: f32) -> f32 {
    x * x * x
}

/// Right up to 0.9.
#[func]
fn slope_of_wrong(x: f32, y: f32) -> f32 {
    if x > 0.9 { 2.5 * x * x * y } else { 3.0 * x * x * y }
}

#[kernel]
fn by_right(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = right(x[i]);
}

#[kernel]
fn by_wrong(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = wrong(x[i]);
}

#[on_every_device]
fn a_wrong_derivative_of_the_users_own_is_found() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[0.5f32, 0.25, 1.0, -2.0])?;
    let mut y = Array::zeros(&device, 4)?;
    let report = grad_check(|| by_right::launch(4, &x, &mut y))?;
    assert!(report.passes(), "{report}");
    let report = grad_check(|| by_wrong::launch(4, &x, &mut y))?;
    assert!(!report.passes(), "{report}");
    let worst = report.worst.clone().expect("a worst entry");
    assert_eq!((worst.kernel.as_str(), worst.array.as_str(), worst.index), ("by_wrong", "x", 2));
    assert!((worst.gradient / worst.difference - 2.5 / 3.0).abs() < 1e-4, "{report}");
    Ok(())
}

/// Right by its first argument, and by its second too small from 0.9 on.
#[func(grad = slopes_of_scaled)]
fn scaling(x: f32, by: f32) -> f32 {
    x * by * by
}

#[func]
fn slopes_of_scaled(x: f32, by: f32, d: f32) -> (f32, f32) {
    (by * by * d, if by > 0.9 { x * by * d } else { 2.0 * x * by * d })
}

#[kernel(grad(by))]
fn scales(x: &[f32], y: &mut [f32], shift: f32, by: f32) {
    let i = tid();
    y[i] += scaling(x[i], by) + shift;
}

#[on_every_device]
fn a_wrong_gradient_by_a_scalar_argument_is_found_where_it_is() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[0.5f32, 0.25])?;
    let mut y = Array::zeros(&device, 2)?;
    let mut run = |all: &[f32]| grad_check(|| all.iter().try_for_each(|&by| scales::launch(2, &x, &mut y, 1.0, by)));
    let report = run(&[0.5, 0.75, -1.0])?;
    assert!(report.passes() && report.compared == 4 + 3, "{report}");
    let report = run(&[0.5, 0.75, 1.0, 0.25])?;
    let worst = report.worst.clone().expect("a worst entry");
    assert!(!report.passes() && worst.of == Compared::Scalar, "{report}");
    assert_eq!((worst.kernel.as_str(), worst.array.as_str(), worst.index), ("scales", "by", 2));
    assert!((worst.gradient / worst.difference - 0.5).abs() < 1e-4, "{report}");
    assert!(report.to_string().contains("by the argument `by` of the 3rd launch of kernel `scales`"), "{report}");
    Ok(())
}

#[func(grad = slopes_of_leaning)]
fn leaning(v: Vec3) -> f32 {
    v.x * v.x + v.y * v.y + v.z * v.z
}

/// Wrong by z alone.
#[func]
fn slopes_of_leaning(v: Vec3, d: f32) -> Vec3 {
    Vec3::new(2.0 * v.x * d, 2.0 * v.y * d, v.z * d)
}

#[kernel]
fn leans(x: &[Vec3], y: &mut [f32]) {
    let i = tid();
    y[i] = leaning(x[i]);
}

/// However many elements there are, each of their components is looked at.
#[on_every_device]
fn no_component_is_passed_over() -> Result<(), Error> {
    let device = device();
    for count in [67, 200, 400, 1000] {
        let x = Array::from_fn(&device, count, |[i]| Vec3::new(1.0, 2.0, 0.5 + i as f32 * 0.01))?;
        let mut y = Array::zeros(&device, count)?;
        let report = grad_check(|| leans::launch(count, &x, &mut y))?;
        assert!(!report.passes() && report.worst.as_ref().is_some_and(|worst| worst.leaf == 2), "{count}: {report}");
    }
    Ok(())
}

#[kernel]
fn action_and_reaction(x: &[f32], a: &mut [f32], b: &mut [f32]) {
    let i = tid();
    let force = wrong(x[i]);
    a[i] = force;
    b[i] = -force;
}

/// What arrays hold may cancel; their weights do not.
#[on_every_device]
fn opposites_do_not_hide_a_wrong_derivative() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[0.5f32, 1.5, 2.0])?;
    let (mut a, mut b) = (Array::zeros(&device, 3)?, Array::zeros(&device, 3)?);
    let report = grad_check(|| action_and_reaction::launch(3, &x, &mut a, &mut b))?;
    assert!(report.unresolved == 0 && report.worst.as_ref().is_some_and(|worst| worst.error > 0.1), "{report}");
    Ok(())
}

#[func(grad = slope_of_waves)]
fn waves(a: f32) -> f32 {
    if a > 100.0 { a * a * a } else { a.sin() }
}

/// Right above 100 alone.
#[func]
fn slope_of_waves(a: f32, d: f32) -> f32 {
    if a > 100.0 { 3.0 * a * a * d } else { 0.0 }
}

#[kernel]
fn by_waves(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = waves(x[i]);
}

/// One large gradient is no cover for many small ones.
#[on_every_device]
fn small_gradients_that_are_wrong_are_found_beside_a_large_one() -> Result<(), Error> {
    let device = device();
    let x = Array::from_fn(&device, 16, |[i]| if i == 3 { 200.0 } else { 0.1 * i as f32 })?;
    let mut y = Array::zeros(&device, 16)?;
    let report = grad_check(|| by_waves::launch(16, &x, &mut y))?;
    let small = report.worst_small.as_ref().expect("15 of 16 are wrong");
    assert!(!report.passes() && small.gradient == 0.0 && small.difference.abs() > 0.1, "{report}");
    let words = report.to_string();
    assert!(words.starts_with("gradients are WRONG") && words.contains("more than half of themselves"), "{words}");
    Ok(())
}

#[derive(Struct, Clone, Copy)]
#[repr(C)]
struct Spring {
    place: Vec3,
    stiffness: f32,
}

#[func(grad = slopes_of_energy)]
fn energy(place: Vec3, stiffness: f32) -> f32 {
    1e3 * place.length_squared() + 1e-4 * stiffness
}

/// Leaves the stiffness out.
#[func]
fn slopes_of_energy(place: Vec3, _stiffness: f32, d: f32) -> (Vec3, f32) {
    (place * (2e3 * d), 0.0)
}

#[kernel]
fn energies(springs: &[Spring], out: &mut [f32]) {
    let i = tid();
    out[i] = energy(springs[i].place, springs[i].stiffness);
}

/// Fields have sizes of their own, and so have their gradients.
#[on_every_device]
fn each_field_is_compared_with_its_own_largest() -> Result<(), Error> {
    let device = device();
    let springs = Array::from_fn(&device, 4, |[i]| Spring { place: Vec3::splat(i as f32 + 0.5), stiffness: 2.0 })?;
    let mut out = Array::zeros(&device, 4)?;
    let report = grad_check(|| energies::launch(4, &springs, &mut out))?;
    let worst = report.worst.as_ref().expect("all are compared");
    assert_eq!((report.passes(), worst.leaf, worst.gradient), (false, 3, 0.0), "{report}");
    Ok(())
}
