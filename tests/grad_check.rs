//! The comparison of gradients with differences: it passes what is right, and finds what is wrong.

use warp::grad_check::Compared;
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

/// From x to y by a launch, to `kept` by a copy, and to z by a launch: no launch takes what is copied between.
#[test]
fn arrays_that_copies_alone_meet_are_compared() -> Result<(), Error> {
    let device = Device::cpu();
    let source = Array::from_slice(&device, &[0.5f32, -1.25, 2.0])?;
    let (mut x, mut y, mut kept, mut z) =
        (Array::zeros(&device, 3)?, Array::zeros(&device, 3)?, Array::zeros(&device, 3)?, Array::zeros(&device, 3)?);
    let mut out = Array::zeros(&device, 3)?;
    let report = grad_check(|| {
        x.copy_from(&source)?;
        cubes::launch(3, &x, &mut y)?;
        kept.copy_from(&y)?;
        z.copy_from(&kept)?;
        cubes::launch(3, &z, &mut y)?;
        out.copy_from(&y)
    })?;
    assert!(report.passes(), "{report}");
    assert_eq!((report.compared, report.kinks), (18, 0), "{report}");
    Ok(())
}

#[kernel]
fn products(a: &[f32], b: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i] * b[i] * b[i];
}

/// What is detached is a constant on both sides: where it is read, where it is copied, and for what was computed before.
#[test]
fn detached_arrays_are_constants_of_the_check_too() -> Result<(), Error> {
    let device = Device::cpu();
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

#[test]
fn a_kernel_that_detaches_values_is_named() -> Result<(), Error> {
    let device = Device::cpu();
    let x = Array::from_slice(&device, &[0.5f32, -1.25])?;
    let mut y = Array::zeros(&device, 2)?;
    let report = grad_check(|| by_detached::launch(2, &x, &mut y))?;
    assert!(!report.passes() && report.detaching == ["by_detached"], "{report}");
    assert!(report.to_string().contains("kernel `by_detached` has `detach(..)` in it"), "{report}");
    Ok(())
}

#[kernel(grad(dt, pull))]
fn fall(height: &mut [f32], speed: &mut [f32], mass: f32, dt: f32, pull: Vec2) {
    let i = tid();
    speed[i] += (pull.x - pull.y * speed[i] * speed[i]) * dt / mass;
    height[i] += speed[i] * dt;
}

#[test]
fn scalar_arguments_are_compared_where_kernels_ask_for_them() -> Result<(), Error> {
    let device = Device::cpu();
    let mut height = Array::from_slice(&device, &[10.0f32, 20.0])?;
    let mut speed = Array::from_slice(&device, &[0.5f32, -0.25])?;
    let report = grad_check(|| {
        fall::launch(0, &mut height, &mut speed, 1.0, 9.0, Vec2::ONE)?;
        for step in 0..5 {
            fall::launch(2, &mut height, &mut speed, 2.0, 0.1 + 0.01 * step as f32, Vec2::new(-9.81, 0.3))?;
        }
        Ok(())
    })?;
    assert!(report.passes(), "{report}");
    // Two arrays of two floats, and three scalars of five launches.
    assert_eq!((report.compared, report.kinks), (4 + 15, 0), "{report}");
    // In double precision alone, and at some launches.
    let (x, mut y) = (Array::from_slice(&device, &[0.5f64])?, Array::zeros(&device, 1)?);
    let report = GradCheck::new()
        .entries(2)
        .run(|| (0..7).try_for_each(|k| scaled::launch(1, &x, &mut y, f64::from(k) * 0.3)))?;
    assert!(report.passes() && report.compared == 4 && report.tolerance == 1e-6, "{report}");
    Ok(())
}

#[kernel(grad(by))]
fn scaled(x: &[f64], y: &mut [f64], by: f64) {
    let i = tid();
    y[i] += (by * x[i]).sin();
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

#[test]
fn a_wrong_gradient_by_a_scalar_argument_is_found_where_it_is() -> Result<(), Error> {
    let device = Device::cpu();
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

#[kernel]
fn halves(x: &[bf16], y: &mut [bf16]) {
    let i = tid();
    let v = x[i].to_f32();
    y[i] = bf16::from_f32(v * v * v);
}

/// Gradients of halves are halves themselves, and round so.
#[test]
fn halves_pass_with_their_own_rounding() -> Result<(), Error> {
    let device = Device::cpu();
    let x = Array::from_fn(&device, 40, |[i]| bf16::from_f32(0.5 + i as f32 * 0.037))?;
    let mut y = Array::zeros(&device, 40)?;
    let report = grad_check(|| halves::launch(40, &x, &mut y))?;
    assert!(report.passes() && report.compared == 80 && report.tolerance == 2e-2, "{report}");
    Ok(())
}

/// Another thread writes between two launches, and what was there before is lost: nothing can run again from it.
#[test]
fn a_write_from_elsewhere_is_told() -> Result<(), Error> {
    let device = Device::cpu();
    let mut x = Array::from_slice(&device, &[0.5f32, 1.25])?;
    let mut y = Array::zeros(&device, 2)?;
    let error = grad_check(|| {
        cubes::launch(2, &x, &mut y)?;
        std::thread::scope(|scope| scope.spawn(|| x.fill(3.0)).join().expect("no panic"))?;
        cubes::launch(2, &x, &mut y)
    });
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("`x`: the value that launch `cubes`") && error.contains("written outside"), "{error}");
    Ok(())
}

#[kernel]
fn cancelled(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = (x[i] + 1.0e8) - 1.0e8;
}

/// In double precision the small number stays; the launch has lost it.
#[test]
fn results_that_rounding_made_are_named() -> Result<(), Error> {
    let device = Device::cpu();
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
#[test]
fn bottoms_are_compared_and_jumps_are_not() -> Result<(), Error> {
    let device = Device::cpu();
    let (x, mut y) = (Array::from_slice(&device, &[0.0f32, 0.5])?, Array::zeros(&device, 2)?);
    let report = grad_check(|| bowl::launch(2, &x, &mut y))?;
    assert!(report.passes() && (report.compared, report.kinks) == (4, 0), "{report}");
    let report = grad_check(|| stair::launch(2, &x, &mut y))?;
    assert!(report.passes() && (report.compared, report.kinks) == (3, 1), "{report}");
    Ok(())
}

#[kernel(grad(by))]
fn bits_times(x: &[f32], constant: &[f32], y: &mut [f32], by: f32) {
    let i = tid();
    y[i] += x[i] * constant[i] * by * if x[i].to_bits() >> 31 == 0 { 1.0 } else { 2.0 };
}

/// What holds in double precision does so in that of the launches: scalars, and what is detached.
#[test]
fn scalars_and_detached_arrays_in_single_precision() -> Result<(), Error> {
    let device = Device::cpu();
    let (x, mut y) = (Array::from_slice(&device, &[0.75f32, -0.5])?, Array::zeros(&device, 2)?);
    let report = grad_check(|| {
        bits_times::launch(2, &x, &x.detach(), &mut y, 1.5)?;
        bits_times::launch(2, &x, &x.detach(), &mut y, -0.25)
    })?;
    assert!(report.passes() && report.single.is_some(), "{report}");
    assert_eq!((report.compared, report.kinks), (6, 0), "{report}");
    Ok(())
}

/// The host writes planes between two launches, and has so ended the life of what was there.
#[test]
fn planes_that_the_host_writes() -> Result<(), Error> {
    let device = Device::cpu();
    let ball = |k: usize| Ball { name: k as u8, mass: 2.0 + k as f64, speed: Vec2::new(0.5 + k as f32, -1.0) };
    let list: Vec<Ball> = (0..3).map(ball).collect();
    let (mut planes, other) = (SoaArray::from_slice(&device, &list)?, Array::from_slice(&device, &list)?);
    let (mut first, mut second) = (Array::zeros(&device, 3)?, Array::zeros(&device, 3)?);
    let report = grad_check(|| {
        energies::launch(3, &planes, &other, &mut first)?;
        planes.copy_from_slice(&(5..8).map(ball).collect::<Vec<_>>())?;
        energies::launch(3, &planes, &other, &mut second)
    })?;
    assert!(report.passes() && report.primal < 1e-6, "{report}");
    assert_eq!((report.compared, report.kinks), (9 + 9 + 6, 0), "{report}");
    Ok(())
}

#[test]
fn arrays_that_are_gone_afterwards_are_compared() -> Result<(), Error> {
    let device = Device::cpu();
    let mut y = Array::zeros(&device, 4)?;
    let report = grad_check(|| {
        let x = Array::from_slice(&device, &[1.0f32, 2.0, -3.0, 0.5])?;
        cubes::launch(4, &x, &mut y)
    })?;
    assert!(report.passes() && report.compared >= 4, "{report}");
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
#[test]
fn no_component_is_passed_over() -> Result<(), Error> {
    let device = Device::cpu();
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
#[test]
fn opposites_do_not_hide_a_wrong_derivative() -> Result<(), Error> {
    let device = Device::cpu();
    let x = Array::from_slice(&device, &[0.5f32, 1.5, 2.0])?;
    let (mut a, mut b) = (Array::zeros(&device, 3)?, Array::zeros(&device, 3)?);
    let report = grad_check(|| action_and_reaction::launch(3, &x, &mut a, &mut b))?;
    assert!(report.unresolved == 0 && report.worst.as_ref().is_some_and(|worst| worst.error > 0.1), "{report}");
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

#[test]
fn a_gradient_that_is_no_number_is_wrong_at_a_kink_too() -> Result<(), Error> {
    let device = Device::cpu();
    let x = Array::from_slice(&device, &[1.0f32, 0.0, -2.0])?;
    let mut y = Array::zeros(&device, 3)?;
    let report = grad_check(|| magnitudes::launch(3, &x, &mut y))?;
    assert!(!report.passes() && report.worst.as_ref().is_some_and(|worst| worst.gradient.is_nan()), "{report}");
    Ok(())
}

/// Differences are taken as near as they have to be; and where one number is NaN, the others are compared.
#[test]
fn large_and_missing_numbers() -> Result<(), Error> {
    let device = Device::cpu();
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
