//! Gradients through steps, against closed forms and differences.

use warp::grad_check;
use warp::optim::{Adam, FirstOrder, Stop};
use warp::prelude::*;
use warp::sim::{ModelBuilder, SemiImplicit, Shape, Solver};
use warp_test_devices::{device, on_every_device};

use super::{assert_near, rollout};

const STEPS: usize = 60;

#[kernel]
fn distance_squared(q: &[Vec3], goal: Vec3, loss: &mut [f32]) {
    let miss = q[0] - goal;
    loss[0] = miss.length_squared();
}

fn throw(on: &Device, v: Vec3) -> (f32, Vec3, Vec3) {
    let mut b = ModelBuilder::new();
    b.particle([0.0, 0.0, 1.0]).velocity(v).id();
    let model = b.finalize(on).unwrap();
    let start = model.state().unwrap();
    let mut loss = Array::zeros(on, 1).unwrap();
    let recorded = Tape::record_with(|| {
        let states = rollout(&model, start, STEPS, 1.0 / 60.0)?;
        distance_squared::launch(1, &states[STEPS].particle_q, Vec3::new(3.0, 0.0, 0.5), &mut loss)?;
        Ok::<_, warp::sim::Error>(states)
    });
    let (states, tape) = recorded.unwrap();
    tape.backward(&loss).unwrap();
    let gradient = states[0].particle_qd.grad().unwrap().get(0).unwrap();
    (loss.get(0).unwrap(), gradient, states[STEPS].particle_q.get(0).unwrap())
}

#[on_every_device]
fn a_throw_has_the_gradient_of_its_sum() {
    let (_, gradient, at) = throw(&device(), Vec3::new(2.0, 0.0, 3.0));
    assert!(at.abs_diff_eq(Vec3::new(2.0, 0.0, -0.98675), 2e-5), "{at}");
    assert!(gradient.abs_diff_eq(Vec3::new(-2.0, 0.0, -2.9735), 4e-5), "{gradient}");
}

#[test]
fn a_throw_is_aimed_by_its_gradient() {
    let found = Adam::new(0.1f64).minimize(&[2.0, 0.0, 3.0], &Stop { iterations: 400, ..Stop::default() }, |v| {
        let (loss, gradient, _) = throw(&Device::cpu(), Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32));
        (f64::from(loss), gradient.to_array().map(f64::from).to_vec())
    });
    assert!(found.loss < 1e-6, "{found}");
    for (at, right) in [3.0, 0.0, 4.48675].into_iter().enumerate() {
        assert_near("the throw", found.x[at], right, 2e-3);
    }
}

/// Everything that a step reads, at once: state, forces, masses, inertias, springs, gravity.
#[on_every_device]
fn steps_have_the_gradients_of_differences() {
    let mut b = ModelBuilder::new();
    let shape = Shape::cuboid([0.1, 0.2, 0.3]).at([0.1, -0.05, 0.2]);
    b.body("box").velocity([0.3, 0.2, -0.1]).spin([1.2, -2.0, 0.7]).shape(shape.density(20.0)).id();
    b.body("carried").kinematic().velocity([0.3, 0.2, -0.1]).spin([0.3, 0.1, 0.2]).id();
    let a = b.particle([0.0, 0.0, 0.0]).fixed().id();
    let c = b.particle([0.5, 0.1, 0.0]).mass(0.4).velocity([0.1, 0.4, 0.2]).id();
    let d = b.particle([0.9, 0.1, 0.3]).mass(0.3).id();
    b.spring(a, c, 20.0).rest(0.4).damping(0.3).id();
    b.spring(c, d, 10.0).rest(0.6).damping(0.1).id();
    let model = b.replicate(2).finalize(&device()).unwrap();
    let mut start = model.state().unwrap();
    start.body_f.fill(warp::math::Wrench::new(Vec3::new(1.0, 0.5, -0.3), Vec3::new(0.2, 0.1, -0.4))).unwrap();
    let mut states = [start, model.state().unwrap(), model.state().unwrap(), model.state().unwrap()];
    for state in &mut states[1..] {
        state.body_f.fill(warp::math::Wrench::new(Vec3::new(0.2, -0.5, 0.3), Vec3::new(-0.2, 0.1, 0.1))).unwrap();
    }
    let control = model.control().unwrap();
    let report = grad_check(|| {
        for step in 0..3 {
            let (from, to) = states.split_at_mut(step + 1);
            SemiImplicit.step(&model, &from[step], &mut to[0], &control, 0.02).map_err(|error| match error {
                warp::sim::Error::Runtime(error) => error,
                other => panic!("{other}"),
            })?;
        }
        Ok(())
    })
    .unwrap();
    assert!(report.passes(), "{report}");
}

/// A body at rest has no axis to turn about, and springs may have no length: gradients are numbers all the same.
#[test]
fn nothing_at_rest_makes_a_gradient_that_is_no_number() {
    let mut b = ModelBuilder::new();
    b.body("still").shape(Shape::sphere(0.1)).id();
    let a = b.particle([0.0; 3]).id();
    let c = b.particle([0.0; 3]).id();
    b.spring(a, c, 100.0).damping(1.0).id();
    let model = b.finalize(&Device::cpu()).unwrap();
    let start = model.state().unwrap();
    let ((states, sum), tape) = Tape::record_with(|| {
        let states = rollout(&model, start, 10, 0.01)?;
        let mut sum = Array::zeros(&Device::cpu(), 1)?;
        everything::launch(1, &states[10].body_q, &states[10].particle_q, &mut sum)?;
        Ok::<_, warp::sim::Error>((states, sum))
    })
    .unwrap();
    tape.backward(&sum).unwrap();
    let turn = states[0].body_qd.grad().unwrap().get(0).unwrap();
    assert!(turn.linear.is_finite() && turn.angular.is_finite(), "{turn:?}");
    // Each radian a second is 0.1 rad after 0.1 s, half of that in the quaternion.
    assert!(turn.angular.abs_diff_eq(Vec3::new(0.05, 0.05, 0.05), 1e-5), "{turn:?}");
    let speeds = states[0].particle_qd.grad().unwrap().to_vec().unwrap();
    assert!(speeds.iter().all(|speed| speed.is_finite()), "{speeds:?}");
    let masses = model.body_mass.array().grad().unwrap().get(0).unwrap();
    assert!(masses.is_finite());
}

#[kernel]
fn everything(bodies: &[warp::math::Transform], particles: &[Vec3], sum: &mut [f32]) {
    let q = bodies[0];
    sum[0] = q.p.element_sum() + q.q.x + q.q.y + q.q.z + particles[0].element_sum() + particles[1].element_sum();
}

/// A start that is recorded, too, has gradients by the model's own numbers, summed over the worlds that share them.
#[on_every_device]
fn starts_of_worlds_are_leaves() {
    let mut b = ModelBuilder::new();
    b.particle([0.0; 3]).velocity([1.0, 0.0, 0.0]).id();
    let model = b.replicate(3).finalize(&device()).unwrap();
    let mut sum = Array::zeros(&device(), 1).unwrap();
    let recorded = Tape::record_with(|| {
        let states = rollout(&model, model.state()?, 10, 0.1)?;
        total_of_x::launch(3, &states[10].particle_q, &mut sum)?;
        Ok::<_, warp::sim::Error>(())
    });
    let ((), tape) = recorded.unwrap();
    tape.backward(&sum).unwrap();
    let gradient = model.particle_qd_start.array().grad().unwrap().to_vec().unwrap();
    assert_eq!(gradient.len(), 1);
    assert!(gradient[0].abs_diff_eq(Vec3::new(3.0, 0.0, 0.0), 1e-5), "{gradient:?}");
}

#[kernel]
fn total_of_x(q: &[Vec3], sum: &mut [f32]) {
    atomic_add(&mut sum[0], q[tid()].x);
}
