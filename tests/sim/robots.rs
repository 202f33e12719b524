//! Worlds of robots: each as if it were alone, bit for bit, at any number of threads, in a graph or not.

use warp::prelude::*;
use warp::sim::{Featherstone, Model, ModelBuilder, Solver, State};
use warp_test_devices::{device, on_every_device};

use super::trees::Tree;
use super::worlds::bits;

/// Robots of all kinds of joints, with followers, drives, limits and friction, beside bodies and particles.
fn robots(seed: u64) -> ModelBuilder {
    let (tree, motion) = Tree::random(seed, 4);
    let mut b = tree.described(&motion);
    let inertia = warp::math::DMat3::IDENTITY * 0.1;
    let arm = b.body("arm").mass_properties(1.0, [0.2, 0.0, 0.0], inertia).id();
    let lead = b.revolute("lead", None, arm, [0.0, 1.0, 0.0]).drive(50.0, 5.0).target(0.6).effort_limit(3.0);
    let lead = lead.limits(-0.5, 0.4).velocity(1.5).id();
    let hand = b.body("hand").mass_properties(1.0, [0.2, 0.0, 0.0], inertia).id();
    b.revolute("follow", arm, hand, [0.0, 1.0, 0.0]).mimic(lead, -0.5, 0.1);
    let tail = b.body("tail").mass_properties(1.0, [0.2, 0.0, 0.0], inertia).id();
    b.revolute("tail", arm, tail, [0.0, 0.0, 1.0]).friction(0.4).velocity(0.3);
    let bob = b.body("bob").mass_properties(1.0, [0.0, 0.0, -0.5], inertia).id();
    b.ball("cone", hand, bob).cone(0.3).twist(0.2).damping(0.05);
    b.body("loose").velocity([1.0, 0.0, 0.0]).spin([1.0, 2.0, 3.0]).mass_properties(1.0, [0.1; 3], inertia).id();
    let a = b.particle([0.0; 3]).fixed().id();
    let c = b.particle([0.5, 0.0, 0.0]).id();
    b.spring(a, c, 100.0).damping(0.1).id();
    b
}

fn bits_of_robots(state: &State) -> Vec<u32> {
    let (q, qd) = (state.joint_q.to_vec().unwrap(), state.joint_qd.to_vec().unwrap());
    bits(state).into_iter().chain(q.into_iter().chain(qd).map(f32::to_bits)).collect()
}

fn robots_after(b: &ModelBuilder, on: &Device, steps: usize) -> (Model, State) {
    let model = b.finalize(on).unwrap();
    let solver = Featherstone::new(&model).unwrap();
    let (control, mut now, mut next) = (model.control().unwrap(), model.state().unwrap(), model.state().unwrap());
    for _ in 0..steps {
        solver.step(&model, &now, &mut next, &control, 0.005).unwrap();
        std::mem::swap(&mut now, &mut next);
    }
    (model, now)
}

/// Alike or not, a world of robots has the bits that it has alone.
#[on_every_device]
fn robots_of_many_worlds_are_those_alone() {
    let mut mixed = ModelBuilder::new();
    mixed.gravity([0.3, -0.2, -9.81]);
    mixed.add_worlds(&robots(2), 2).add_worlds(&robots(5), 1).add_worlds(&robots(2), 1);
    for (b, kinds) in [(robots(2).replicate(5), vec![2; 5]), (mixed, vec![2, 2, 5, 2])] {
        let (model, all) = robots_after(&b, &device(), 6);
        let (q, qd) = (all.joint_q.to_vec().unwrap(), all.joint_qd.to_vec().unwrap());
        let bodies = all.body_q.to_vec().unwrap();
        let (mut at_q, mut at_qd, mut at_body) = (0, 0, 0);
        for (world, seed) in kinds.into_iter().enumerate() {
            let (one_model, one) = robots_after(&robots(seed), &device(), 6);
            let same = |found: &[f32], right: Vec<f32>| {
                found[..right.len()].iter().zip(&right).all(|(a, b)| a.to_bits() == b.to_bits())
            };
            assert!(same(&q[at_q..], one.joint_q.to_vec().unwrap()), "coordinates of world {world}");
            assert!(same(&qd[at_qd..], one.joint_qd.to_vec().unwrap()), "speeds of world {world}");
            assert_eq!(bodies[at_body..at_body + one_model.bodies()], one.body_q.to_vec().unwrap());
            let hand = model.joint_in(world, "follow").unwrap();
            assert!(q[model.joint_q_range(world, hand).unwrap()][0].is_finite());
            at_q += one_model.coordinates();
            at_qd += one_model.dofs();
            at_body += one_model.bodies();
        }
    }
}

#[test]
fn threads_and_graphs_change_no_bit_of_robots() {
    let b = robots(4).replicate(300);
    let (_, right) = robots_after(&b, &Device::cpu_with_threads(1), 20);
    for threads in [2, 8] {
        let (_, found) = robots_after(&b, &Device::cpu_with_threads(threads), 20);
        assert!(bits_of_robots(&found) == bits_of_robots(&right), "{threads} threads");
    }
    let model = b.finalize(&Device::cpu()).unwrap();
    let solver = Featherstone::new(&model).unwrap();
    let (control, mut now, mut next) = (model.control().unwrap(), model.state().unwrap(), model.state().unwrap());
    let two = model.device().capture(|| {
        solver.step(&model, &now, &mut next, &control, 0.005)?;
        solver.step(&model, &next, &mut now, &control, 0.005)
    });
    let (two, ()) = two.unwrap();
    (0..10).for_each(|_| two.launch().unwrap());
    assert!(bits_of_robots(&now) == bits_of_robots(&right), "a graph");
}

/// What was reset goes on as if nothing had been before.
#[on_every_device]
fn robots_are_reset_one_by_one() {
    let model = robots(3).replicate(3).finalize(&device()).unwrap();
    let solver = Featherstone::new(&model).unwrap();
    let control = model.control().unwrap();
    let (mut now, mut next) = (model.state().unwrap(), model.state().unwrap());
    let fresh = model.state().unwrap();
    for _ in 0..3 {
        solver.step(&model, &now, &mut next, &control, 0.005).unwrap();
        std::mem::swap(&mut now, &mut next);
    }
    let moved = now.joint_q.to_vec().unwrap();
    model.reset(&mut now, &Array::from_slice(&device(), &[false, true, false]).unwrap()).unwrap();
    let (q, first) = (now.joint_q.to_vec().unwrap(), fresh.joint_q.to_vec().unwrap());
    let one = model.coordinates() / 3;
    assert_eq!(q[..one], moved[..one]);
    assert_eq!(q[one..2 * one], first[one..2 * one]);
    assert_eq!(q[2 * one..], moved[2 * one..]);
    let bodies = model.bodies() / 3;
    assert_eq!(now.body_q.to_vec().unwrap()[bodies..2 * bodies], fresh.body_q.to_vec().unwrap()[bodies..2 * bodies]);
}
