//! Programs that are right pass, whatever their launches take.

use warp::prelude::*;
use warp::{GradCheck, grad_check};
use warp_test_devices::{device, on_every_device};

use super::cubes;

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
#[on_every_device]
fn a_program_of_several_launches_passes() -> Result<(), Error> {
    let device = device();
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

#[on_every_device]
fn views_of_doubles_pass_tighter() -> Result<(), Error> {
    let device = device();
    let x = Array::from_fn(&device, (4, 6), |[i, j]| 0.1 + i as f64 * 0.37 - j as f64 * 0.21)?;
    let mut y = Array::full(&device, (4, 6), 1.5)?;
    let (from, mut to) = (x.slice_along(1, 1..4)?, y.slice_along_mut(1, 2..5)?);
    let report = grad_check(|| functions::launch((4, 3), &from, &mut to))?;
    assert!(report.passes() && report.tolerance == 1e-6, "{report}");
    assert_eq!(report.compared, 48, "{report}");
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

#[on_every_device]
fn planes_and_structs() -> Result<(), Error> {
    let device = device();
    let ball = |k: usize| Ball { name: k as u8, mass: 2.0 + k as f64, speed: Vec2::new(0.5 + k as f32, -1.0) };
    let list: Vec<Ball> = (0..3).map(ball).collect();
    let (planes, other) = (SoaArray::from_slice(&device, &list)?, Array::from_slice(&device, &list)?);
    let mut out = Array::zeros(&device, 3)?;
    let report = grad_check(|| energies::launch(3, &planes, &other, &mut out))?;
    assert!(report.passes(), "{report}");
    assert_eq!(report.compared, 9 + 9 + 3, "{report}");
    Ok(())
}

#[on_every_device]
fn large_arrays_are_looked_at_here_and_there() -> Result<(), Error> {
    let device = device();
    let x = Array::from_fn(&device, 10_000, |[i]| 0.5 + i as f32 * 1e-4)?;
    let mut y = Array::zeros(&device, 10_000)?;
    let report = GradCheck::new().entries(10).run(|| cubes::launch(10_000, &x, &mut y))?;
    assert!(report.passes() && report.compared == 20, "{report}");
    Ok(())
}

/// From x to y by a launch, to `kept` by a copy, and to z by a launch: no launch takes what is copied between.
#[on_every_device]
fn arrays_that_copies_alone_meet_are_compared() -> Result<(), Error> {
    let device = device();
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

#[kernel(grad(dt, pull))]
fn fall(height: &mut [f32], speed: &mut [f32], mass: f32, dt: f32, pull: Vec2) {
    let i = tid();
    speed[i] += (pull.x - pull.y * speed[i] * speed[i]) * dt / mass;
    height[i] += speed[i] * dt;
}

#[kernel(grad(by))]
fn scaled(x: &[f64], y: &mut [f64], by: f64) {
    let i = tid();
    y[i] += (by * x[i]).sin();
}

#[on_every_device]
fn scalar_arguments_are_compared_where_kernels_ask_for_them() -> Result<(), Error> {
    let device = device();
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

#[kernel]
fn halves(x: &[bf16], y: &mut [bf16]) {
    let i = tid();
    let v = x[i].to_f32();
    y[i] = bf16::from_f32(v * v * v);
}

/// Gradients of halves are halves themselves, and round so.
#[on_every_device]
fn halves_pass_with_their_own_rounding() -> Result<(), Error> {
    let device = device();
    let x = Array::from_fn(&device, 40, |[i]| bf16::from_f32(0.5 + i as f32 * 0.037))?;
    let mut y = Array::zeros(&device, 40)?;
    let report = grad_check(|| halves::launch(40, &x, &mut y))?;
    assert!(report.passes() && report.compared == 80 && report.tolerance == 2e-2, "{report}");
    Ok(())
}

/// Another thread writes between two launches, and what was there before is lost: nothing can run again from it.
#[on_every_device]
fn a_write_from_elsewhere_is_told() -> Result<(), Error> {
    let device = device();
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

/// The host writes planes between two launches, and has so ended the life of what was there.
#[on_every_device]
fn planes_that_the_host_writes() -> Result<(), Error> {
    let device = device();
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

#[on_every_device]
fn arrays_that_are_gone_afterwards_are_compared() -> Result<(), Error> {
    let device = device();
    let mut y = Array::zeros(&device, 4)?;
    let report = grad_check(|| {
        let x = Array::from_slice(&device, &[1.0f32, 2.0, -3.0, 0.5])?;
        cubes::launch(4, &x, &mut y)
    })?;
    assert!(report.passes() && report.compared >= 4, "{report}");
    Ok(())
}
