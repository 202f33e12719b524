//! Many worlds at once: each as if it were alone, bit for bit, on any device, at any number of threads, in a graph or not.

use warp::prelude::*;
use warp::sim::{ModelBuilder, SemiImplicit, Shape, Solver, State, Stepper};
use warp_test_devices::{device, on_every_device};

/// Two bodies and a short rope; worlds of another number are another world.
fn world(number: u32) -> ModelBuilder {
    let mut b = ModelBuilder::new();
    let shift = f64::from(number);
    b.body("box").at([shift, 0.0, 1.0]).spin([0.2, 5.0 - shift, 0.1]).shape(Shape::cuboid([0.1, 0.2, 0.3])).id();
    if number != 2 {
        b.body("ball").velocity([1.0, shift, 0.5]).shape(Shape::sphere(0.1).at([0.1, 0.0, 0.05])).id();
    }
    let ids: Vec<_> = (0..3 + number)
        .map(|k| {
            let particle = b.particle([0.1 * f64::from(k), 0.01 * shift, 0.0]).mass(0.1);
            if k == 0 { particle.fixed().id() } else { particle.id() }
        })
        .collect();
    for pair in ids.windows(2) {
        b.spring(pair[0], pair[1], 200.0).damping(0.1).id();
    }
    b
}

/// All that a state says, as bits.
pub fn bits(state: &State) -> Vec<u32> {
    let mut all = vec![];
    for q in state.body_q.to_vec().unwrap() {
        all.extend(q.p.to_array().map(f32::to_bits));
        all.extend(q.q.to_array().map(f32::to_bits));
    }
    for qd in state.body_qd.to_vec().unwrap() {
        all.extend(qd.to_array().map(f32::to_bits));
    }
    for v in [&state.particle_q, &state.particle_qd, &state.spring_f] {
        v.to_vec().unwrap().iter().for_each(|v| all.extend(v.to_array().map(f32::to_bits)));
    }
    all
}

fn after(b: &ModelBuilder, on: &Device, steps: usize) -> (warp::sim::Model, State) {
    let model = b.finalize(on).unwrap();
    let mut sim = Stepper::new(&model, SemiImplicit::new(&model).unwrap()).unwrap();
    (0..steps).for_each(|_| sim.step(0.002).unwrap());
    let state = sim.state;
    (model, state)
}

#[on_every_device]
fn a_world_of_many_is_that_world_alone() {
    let steps = 10;
    for number in 0..3 {
        let alone = world(number);
        let (_, one) = after(&alone, &device(), steps);
        let (model, many) = after(&alone.replicate(5), &device(), steps);
        for world in 0..5 {
            let part = |bodies: usize, of: &Array<warp::math::Transform>| {
                of.to_vec().unwrap()[world * bodies..(world + 1) * bodies].to_vec()
            };
            let bodies = model.bodies() / 5;
            assert_eq!(part(bodies, &many.body_q), one.body_q.to_vec().unwrap());
            let particles = model.particles() / 5;
            let all = many.particle_q.to_vec().unwrap();
            assert_eq!(all[world * particles..(world + 1) * particles], one.particle_q.to_vec().unwrap());
        }
    }
}

#[on_every_device]
fn worlds_need_not_be_alike() {
    let mut b = ModelBuilder::new();
    let order = [2, 0, 1, 0, 2];
    for number in order {
        b.add_worlds(&world(number), 1);
    }
    let (model, many) = after(&b, &device(), 10);
    let (q, x) = (many.body_q.to_vec().unwrap(), many.particle_q.to_vec().unwrap());
    for (at, number) in order.into_iter().enumerate() {
        let (one_model, one) = after(&world(number), &device(), 10);
        let body = model.body_at(at, model.body_in(at, "box").unwrap()).unwrap();
        assert_eq!(q[body..body + one_model.bodies()], one.body_q.to_vec().unwrap());
        let first = order[..at].iter().map(|&other| 3 + other as usize).sum::<usize>();
        assert_eq!(x[first..first + one_model.particles()], one.particle_q.to_vec().unwrap());
    }
}

#[test]
fn threads_and_graphs_change_no_bit() {
    let b = world(1).replicate(700);
    let (_, right) = after(&b, &Device::cpu_with_threads(1), 20);
    for threads in [2, 3, 8] {
        let (_, found) = after(&b, &Device::cpu_with_threads(threads), 20);
        assert!(bits(&found) == bits(&right), "{threads} threads");
    }
    let model = b.finalize(&Device::cpu()).unwrap();
    let solver = SemiImplicit::new(&model).unwrap();
    let (mut now, mut next) = (model.state().unwrap(), model.state().unwrap());
    let control = model.control().unwrap();
    let two = model.device().capture(|| {
        solver.step(&model, &now, &mut next, &control, 0.002)?;
        solver.step(&model, &next, &mut now, &control, 0.002)
    });
    let (two, ()) = two.unwrap();
    (0..10).for_each(|_| two.launch().unwrap());
    assert!(bits(&now) == bits(&right), "a graph");
}

#[on_every_device]
fn worlds_may_differ_in_their_parameters() {
    let mut b = ModelBuilder::new();
    let ball = b.body("ball").shape(Shape::sphere(0.1)).mass(1.0).id();
    let mut model = b.replicate(3).finalize(&device()).unwrap();
    assert!(model.body_mass.is_shared());
    model.body_mass.spread().unwrap();
    model.body_mass.array_mut().set(2, 4.0).unwrap();
    model.gravity.set(1, Vec3::new(0.0, 0.0, -1.0)).unwrap();
    assert_eq!(model.body_inertia(2, ball).unwrap().mass, 4.0);
    let mut state = model.state().unwrap();
    state.body_f.fill(warp::math::Wrench::new(Vec3::X, Vec3::ZERO)).unwrap();
    let mut next = model.state().unwrap();
    SemiImplicit.step(&model, &state, &mut next, &model.control().unwrap(), 0.5).unwrap();
    let speeds: Vec<Vec3> = next.body_qd.to_vec().unwrap().iter().map(|qd| qd.linear).collect();
    let right = [Vec3::new(0.5, 0.0, -4.905), Vec3::new(0.5, 0.0, -0.5), Vec3::new(0.125, 0.0, -4.905)];
    assert_eq!(speeds, right);
}

#[on_every_device]
fn worlds_are_reset_one_by_one() {
    let mut unlike = ModelBuilder::new();
    for number in 0..3 {
        unlike.add_worlds(&world(number), 1);
    }
    for b in [world(1).replicate(3), unlike] {
        let (model, mut state) = after(&b, &device(), 5);
        state.body_f.fill(warp::math::Wrench::new(Vec3::X, Vec3::Y)).unwrap();
        let (start, before) = (model.state().unwrap(), state.try_clone().unwrap());
        let mask = Array::from_slice(&device(), &[false, true, false]).unwrap();
        model.reset(&mut state, &mask).unwrap();
        for world in 0..3 {
            let from = if world == 1 { &start } else { &before };
            let body = model.body_at(world, model.body_in(world, "box").unwrap()).unwrap();
            assert_eq!(state.body_q.get(body).unwrap(), from.body_q.get(body).unwrap());
            assert_eq!(state.body_qd.get(body).unwrap(), from.body_qd.get(body).unwrap());
            assert_eq!(state.body_f.get(body).unwrap(), from.body_f.get(body).unwrap());
        }
        let wrong = Array::from_slice(&device(), &[true]).unwrap();
        let told = model.reset(&mut state, &wrong).unwrap_err().to_string();
        assert_eq!(told, "the mask was made for another model: 3 worlds are expected, and it has 1");
    }
}
