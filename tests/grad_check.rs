//! The comparison of gradients with differences: it passes what is right, and finds what is wrong.

use warp::prelude::*;
use warp::{GradCheck, grad_check};

#[kernel]
fn springs(places: &[Vec3], ends: &[[u32; 2]], stiffness: f32, forces: &mut [Vec3]) {
    let s = tid();
    let (a, b) = (ends[s][0] as usize, ends[s][1] as usize);
    let d = places[a] - places[b];
    let length = d.length();
    let pull = d * (stiffness * (length - 1.0) / length);
    atomic_sub(&mut forces[a], pull);
    atomic_add(&mut forces[b], pull);
}

#[kernel]
fn advance(places: &mut [Vec3], speeds: &mut [Vec3], forces: &[Vec3], dt: f32) {
    let i = tid();
    speeds[i] += forces[i] * dt;
    places[i] += speeds[i] * dt;
}

/// A step of a triangle of springs, twice, in place, with a fill and a copy between.
#[test]
fn a_program_of_several_launches_passes() -> Result<(), Error> {
    let device = Device::cpu();
    let mut places = Array::from_fn(&device, 3, |[i]| Vec3::new(i as f32, (i * i) as f32 * 0.7, 0.3 * i as f32))?;
    let mut speeds = Array::from_fn(&device, 3, |[i]| Vec3::new(0.5, -0.2 * i as f32, 0.1))?;
    let mut forces = Array::full(&device, 3, Vec3::ONE)?;
    let mut kept = Array::zeros(&device, 3)?;
    let ends = Array::from_slice(&device, &[[0u32, 1], [1, 2], [2, 0]])?;
    let report = grad_check(|| {
        for _ in 0..2 {
            forces.fill(Vec3::new(0.0, -9.81, 0.0))?;
            springs::launch(3, &places, &ends, 20.0, &mut forces)?;
            advance::launch(3, &mut places, &mut speeds, &forces, 0.1)?;
            kept.copy_from(&places)?;
        }
        advance::launch(3, &mut kept, &mut speeds, &forces, 0.5)
    })?;
    assert!(report.passes(), "{report}");
    // Places, speeds, forces and what is kept, three floats each.
    assert_eq!((report.compared, report.kinks, report.single.is_none()), (36, 0, true), "{report}");
    assert!(report.worst.as_ref().unwrap().error < 1e-4 && report.primal < 1e-5, "{report}");
    Ok(())
}

#[kernel]
fn functions(x: View2<f64>, mut y: ViewMut2<f64>) {
    let at = tid2();
    let v = x[at];
    let mut sum = v.sin() * v.exp();
    let mut k = 0;
    while sum < 4.0 && k < 20 {
        sum = 1.25 * sum + 0.5 + (sum * v).tanh() * 0.1;
        k += 1;
    }
    y[at] *= sum;
}

#[test]
fn views_of_doubles_pass_tighter() -> Result<(), Error> {
    let device = Device::cpu();
    let x = Array::from_fn(&device, (4, 6), |[i, j]| 0.1 + i as f64 * 0.37 - j as f64 * 0.21)?;
    let mut y = Array::full(&device, (4, 6), 1.5)?;
    let (from, mut to) = (x.slice_along(1, 1..4)?, y.slice_along_mut(1, 2..5)?);
    let report = grad_check(|| functions::launch((4, 3), &from, &mut to))?;
    assert!(report.passes() && report.tolerance == 1e-6, "{report}");
    assert_eq!(report.compared, 48, "{report}");
    Ok(())
}

#[kernel]
fn cubes(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] * x[i] * x[i];
}

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

#[derive(Struct, Clone, Copy)]
#[repr(C)]
struct Ball {
    name: u8,
    mass: f64,
    speed: Vec2,
}

#[kernel]
fn energies(balls: &Soa<Ball>, other: &[Ball], out: &mut [f32]) {
    let i = tid();
    out[i] = (0.5 * balls[i].mass) as f32 * balls[i].speed.length_squared() * other[i].speed.x;
}

#[test]
fn planes_and_structs() -> Result<(), Error> {
    let device = Device::cpu();
    let ball = |k: usize| Ball { name: k as u8, mass: 2.0 + k as f64, speed: Vec2::new(0.5 + k as f32, -1.0) };
    let list: Vec<Ball> = (0..3).map(ball).collect();
    let (planes, other) = (SoaArray::from_slice(&device, &list)?, Array::from_slice(&device, &list)?);
    let mut out = Array::zeros(&device, 3)?;
    let report = grad_check(|| energies::launch(3, &planes, &other, &mut out))?;
    assert!(report.passes(), "{report}");
    assert_eq!(report.compared, 9 + 9 + 3, "{report}");
    Ok(())
}

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

#[test]
fn kinks_are_left_out_and_bits_are_compared_in_single_precision() -> Result<(), Error> {
    let device = Device::cpu();
    let x = Array::from_slice(&device, &[0.0f32, 0.5, 1.0, 3.0])?;
    let mut y = Array::zeros(&device, 4)?;
    let report = grad_check(|| kinked::launch(4, &x, &mut y))?;
    assert!(report.passes() && report.kinks == 2, "{report}");
    let report = grad_check(|| bits::launch(4, &x, &mut y))?;
    assert!(report.passes() && report.single.as_ref().is_some_and(|why| why.contains("`bits`")), "{report}");
    Ok(())
}

#[test]
fn large_arrays_are_looked_at_here_and_there() -> Result<(), Error> {
    let device = Device::cpu();
    let x = Array::from_fn(&device, 10_000, |[i]| 0.5 + i as f32 * 1e-4)?;
    let mut y = Array::zeros(&device, 10_000)?;
    let report = GradCheck::new().entries(10).run(|| cubes::launch(10_000, &x, &mut y))?;
    assert!(report.passes() && report.compared == 20, "{report}");
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

#[test]
fn a_wrong_derivative_of_the_users_own_is_found() -> Result<(), Error> {
    let device = Device::cpu();
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

#[kernel]
fn lifted(x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] = 1e10 + x[i].sin();
}

/// The slope is lost in the rounding of the result: no gradient can pass, a right one no more than a wrong one.
#[test]
fn what_rounding_hides_does_not_pass() -> Result<(), Error> {
    let device = Device::cpu();
    let x = Array::from_slice(&device, &[0.5f64, 0.25])?;
    let mut y = Array::zeros(&device, 2)?;
    let report = grad_check(|| lifted::launch(2, &x, &mut y))?;
    assert!(!report.passes() && report.unresolved + report.kinks == 2, "{report}");
    Ok(())
}
