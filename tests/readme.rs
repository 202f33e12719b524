//! The programs of the README, which stand there word for word.

use warp::Float;
use warp::prelude::*;
use warp::sim::{ModelBuilder, SemiImplicit, Shape, Stepper};

#[kernel]
fn swing(angle: &mut [f32], speed: &mut [f32], dt: f32) {
    let i = tid();
    speed[i] -= 9.81 * angle[i].sin() * dt;
    angle[i] += speed[i] * dt;
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Spring {
    ends: [u32; 2],
    rest: f32,
    stiffness: f32,
}

#[methods]
impl Spring {
    fn force(self, a: Vec3, b: Vec3) -> Vec3 {
        along(b - a) * (self.stiffness * (a.distance(b) - self.rest))
    }
}

#[func]
fn along(d: Vec3) -> Vec3 {
    d / d.length()
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Dual<T: Float> {
    v: T,
    d: T,
}

#[methods]
impl<T: Float> std::ops::Mul for Dual<T> {
    type Output = Dual<T>;
    fn mul(self, other: Dual<T>) -> Dual<T> {
        Dual { v: self.v * other.v, d: self.v * other.d + self.d * other.v }
    }
}

#[kernel]
fn slopes_of_squares(x: &mut [Dual<f64>]) {
    let i = tid();
    x[i] = x[i] * x[i];
}

#[derive(Args)]
struct Cloth<'a> {
    points: &'a [Vec3],
    springs: &'a [Spring],
    forces: &'a mut [Vec3],
}

#[kernel]
fn pull(cloth: Cloth) {
    let spring = cloth.springs[tid()];
    let [a, b] = spring.ends;
    let force = spring.force(cloth.points[a as usize], cloth.points[b as usize]);
    atomic_add(&mut cloth.forces[a as usize], force);
    atomic_sub(&mut cloth.forces[b as usize], force);
}

#[kernel]
fn turn(from: View2<f32>, mut to: ViewMut2<f32>) {
    let (i, j) = tid2();
    to[(j, i)] = from[(i, j)];
}

use warp::math::{Noise, Rng};

#[kernel]
fn scatter(points: &mut [Vec3], seed: u32) {
    let i = tid();
    let mut rng = Rng::with_offset(seed, i as u32);
    points[i] = rng.in_unit_sphere();
}

#[kernel]
fn drift(points: &mut [Vec3], time: f32, dt: f32) {
    let i = tid();
    let flow = Noise::new(7).curl4((points[i] * 2.0).extend(time));
    points[i] += flow * dt;
}

#[kernel]
fn rise(height: &mut [f32], speed: &mut [f32], dt: f32) {
    let i = tid();
    speed[i] -= 9.81 * dt;
    height[i] += speed[i] * dt;
}

#[kernel]
fn miss(height: &[f32], goal: f32, loss: &mut [f32]) {
    let error = height[tid()] - goal;
    atomic_add(&mut loss[0], error * error);
}

/// How fast to throw so that a ball is at `goal` after a second.
fn aim(device: &Device, goal: f32) -> Result<f32, warp::Error> {
    let mut throw = 0.0;
    for _ in 0..20 {
        let (mut height, mut speed) = (Array::zeros(device, 1)?, Array::from_slice(device, &[throw])?);
        let mut loss = Array::zeros(device, 1)?;
        let tape = Tape::record(|| {
            (0..100).try_for_each(|_| rise::launch(1, &mut height, &mut speed, 0.01))?;
            miss::launch(1, &height, goal, &mut loss)
        })?;
        tape.backward(&loss)?;
        throw -= 0.3 * speed.grad()?.get(0)?; // by the speed at the start
    }
    Ok(throw)
}

#[test]
fn a_throw_is_found_by_its_gradient() -> Result<(), warp::Error> {
    // A hundred steps lose 9.81 dt^2 (1 + .. + 100).
    let lost = 9.81 * 1e-4 * 5050.0;
    let throw = aim(&Device::cpu(), 3.0)?;
    assert!((throw - 3.0 - lost).abs() < 1e-4, "{throw}");
    Ok(())
}

#[test]
fn points_drift_without_gathering() -> Result<(), warp::Error> {
    let device = Device::cpu();
    let count = 20_000;
    let mut points = Array::zeros(&device, count)?;
    scatter::launch(count, &mut points, 42)?;
    let start = points.to_vec()?;
    assert!(start.iter().all(|p: &Vec3| p.length() < 1.0 + 1e-6));
    for step in 0..50 {
        drift::launch(count, &mut points, step as f32 * 0.02, 0.02)?;
    }
    let end = points.to_vec()?;
    let moved = start.iter().zip(&end).map(|(a, b)| a.distance(*b)).sum::<f32>() / count as f32;
    assert!(moved > 0.1, "{moved}");
    // A ball inside holds as many as before, since the flow neither gathers nor thins out.
    let inside = |list: &[Vec3]| list.iter().filter(|p| p.length() < 0.3).count() as f32;
    let (before, after) = (inside(&start), inside(&end));
    assert!((before - after).abs() < 5.0 * (2.0 * before).sqrt(), "{before} and {after}");
    // The same seed gives the same points.
    let mut again = Array::zeros(&device, count)?;
    scatter::launch(count, &mut again, 42)?;
    assert_eq!(again.to_vec()?, start);
    Ok(())
}

#[test]
fn bundles_and_views_go_to_kernels() -> Result<(), warp::Error> {
    let device = Device::cpu();
    let points = Array::from_slice(&device, &[Vec3::ZERO, Vec3::X * 3.0])?;
    let springs = Array::from_slice(&device, &[Spring { ends: [0, 1], rest: 1.0, stiffness: 5.0 }])?;
    let mut forces = Array::zeros(&device, 2)?;
    pull::launch(springs.len(), ClothArrays { points: &points, springs: &springs, forces: &mut forces })?;
    assert_eq!(forces.to_vec()?, [Vec3::X * 10.0, Vec3::X * -10.0]);

    let list = Array::from_slice(&device, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let from = list.reshape([2, 3])?;
    let mut to = Array::zeros(&device, [3, 2])?;
    turn::launch((2, 3), &from, &mut to)?;
    assert_eq!(to.to_vec()?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);

    let mut host = [0.0; 6];
    turn::plain((2, 3), View2::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]), ViewMut2::new(&mut host, [3, 2]))?;
    assert_eq!(host, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    Ok(())
}

#[test]
fn dual_numbers_know_their_slope() -> Result<(), warp::Error> {
    let mut x = Array::from_slice(&Device::cpu(), &[Dual { v: 3.0, d: 1.0 }, Dual { v: -0.5, d: 2.0 }])?;
    slopes_of_squares::launch(2, &mut x)?;
    assert_eq!(x.to_vec()?.iter().map(|x| (x.v, x.d)).collect::<Vec<_>>(), [(9.0, 6.0), (0.25, -2.0)]);
    Ok(())
}

#[test]
fn a_pendulum_keeps_its_energy() -> Result<(), warp::Error> {
    let device = Device::cpu();
    let mut angle = Array::from_slice(&device, &[0.1, 1.0, 2.0])?;
    let mut speed = Array::zeros(&device, 3)?;
    for _ in 0..10_000 {
        swing::launch(3, &mut angle, &mut speed, 1e-3)?;
    }
    let energies =
        angle.to_vec()?.into_iter().zip(speed.to_vec()?).map(|(a, v): (f32, f32)| v * v / 2.0 - 9.81 * a.cos());
    for (energy, start) in energies.zip([0.1f32, 1.0, 2.0]) {
        assert!((energy + 9.81 * start.cos()).abs() < 0.05, "{start}: {energy}");
    }
    Ok(())
}

/// So many swings in steps of a millisecond, recorded once.
fn swings(device: &Device, steps: usize, angle: &mut Array<f32>, speed: &mut Array<f32>) -> Result<(), warp::Error> {
    let n = angle.len();
    let (hundred, ()) = device.capture(|| (0..100).try_for_each(|_| swing::launch(n, angle, speed, 1e-3)))?;
    (0..steps / 100).try_for_each(|_| hundred.launch())
}

#[test]
fn a_graph_swings_as_launches_do() -> Result<(), warp::Error> {
    let device = Device::cpu();
    let start = [0.1f32, 1.0, 2.0];
    let arrays = || Ok::<_, warp::Error>((Array::from_slice(&device, &start)?, Array::<f32>::zeros(&device, 3)?));
    let ((mut angle, mut speed), (mut other, mut other_speed)) = (arrays()?, arrays()?);
    swings(&device, 1000, &mut angle, &mut speed)?;
    (0..1000).try_for_each(|_| swing::launch(3, &mut other, &mut other_speed, 1e-3))?;
    assert_eq!((angle.to_vec()?, speed.to_vec()?), (other.to_vec()?, other_speed.to_vec()?));
    Ok(())
}

struct Swarm {
    angle: Array<f32>,
    speed: Array<f32>,
}

/// Two swarms side by side; the seconds that the first took.
fn side_by_side(device: &Device, a: &mut Swarm, b: &mut Swarm) -> Result<f64, warp::Error> {
    let (first, second) = (Stream::new(device)?, Stream::new(device)?);
    let start = first.record()?;
    for _ in 0..100 {
        swing::on(&first).launch(a.angle.len(), &mut a.angle, &mut a.speed, 1e-3)?;
        second.scope(|| swing::launch(b.angle.len(), &mut b.angle, &mut b.speed, 1e-3))?;
    }
    first.record()?.seconds_since(&start)
}

#[test]
fn swarms_swing_side_by_side() -> Result<(), warp::Error> {
    let device = Device::cpu();
    let swarm = |angle: f32| {
        Ok::<_, warp::Error>(Swarm { angle: Array::full(&device, 5, angle)?, speed: Array::zeros(&device, 5)? })
    };
    let (mut a, mut b, mut alone) = (swarm(0.5)?, swarm(0.25)?, swarm(0.25)?);
    assert!(side_by_side(&device, &mut a, &mut b)? >= 0.0);
    swings(&device, 100, &mut alone.angle, &mut alone.speed)?;
    assert_eq!(b.angle.to_vec()?, alone.angle.to_vec()?);
    Ok(())
}

/// Where a thousand boxes are after a second, each in a world of its own.
fn boxes(device: &Device) -> Result<Vec<f32>, warp::sim::Error> {
    let mut b = ModelBuilder::new();
    let cube = b.body("cube").at([0.0, 0.0, 10.0]).shape(Shape::cuboid([0.1, 0.2, 0.3]).density(300.0)).id();
    let model = b.replicate(1000).finalize(device)?;
    let mut sim = Stepper::new(&model, SemiImplicit::new(&model)?)?.substeps(4);
    (0..60).try_for_each(|_| sim.step(1.0 / 60.0))?;
    sim.check()?;
    let poses = sim.state.body_q.to_vec()?;
    (0..1000).map(|world| Ok(poses[model.body_at(world, cube)?].p.z)).collect()
}

#[test]
fn boxes_fall() -> Result<(), warp::sim::Error> {
    // 240 steps of semi-implicit Euler: g dt² N (N + 1) / 2.
    let right = 10.0 - 9.81 / 240.0 / 240.0 * 240.0 * 241.0 / 2.0;
    assert!(boxes(&Device::cpu())?.iter().all(|z| (z - right).abs() < 1e-4));
    Ok(())
}

#[test]
fn a_main_that_returns_an_error_says_the_sentence() -> Result<(), warp::Error> {
    let device = Device::cpu();
    let (mut angle, mut speed) = (Array::zeros(&device, 3)?, Array::zeros(&device, 3)?);
    let error = swing::launch(4, &mut angle, &mut speed, 0.1).unwrap_err();
    assert!(
        format!("{error:?}").ends_with("index 3 is out of range for `angle` of length 3, in thread 3: `angle[i]`"),
        "{error:?}"
    );
    Ok(())
}
