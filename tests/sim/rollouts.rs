//! Many steps with gradients, with all states kept or with few.

use warp::math::DMat3;
use warp::prelude::*;
use warp::sim::{Featherstone, Model, ModelBuilder, Rollout};

use super::cpu;
use super::robot_gradients::chain;

#[kernel]
fn end_squared(q: &[f32], qd: &[f32], loss: &mut [f32]) {
    let mut sum = 0.0;
    for i in 0..q.len() {
        sum += q[i] * q[i] + 0.1 * qd[i] * qd[i];
    }
    loss[0] = sum;
}

/// The gradient by the start and by all forces, as bits, and the bytes that the tape kept at most.
fn gradients(model: &Model, steps: usize, checkpoints: bool) -> (Vec<u32>, usize) {
    let mut rollout = Rollout::new(model, Featherstone::new(model).unwrap(), steps).unwrap();
    for (step, control) in rollout.controls.iter_mut().enumerate() {
        control.joint_f.fill((0.01 * step as f32).sin()).unwrap();
    }
    let mut loss = Array::zeros(model.device(), 1).unwrap();
    let end = |state: &warp::sim::State, loss: &mut Array<f32>| {
        end_squared::launch(1, &state.joint_q, &state.joint_qd, loss).map_err(warp::sim::Error::from)
    };
    let tape = match checkpoints {
        true => rollout.record_checkpointed(0.002, |state| end(state, &mut loss)),
        false => rollout.record(0.002, |state| end(state, &mut loss)),
    };
    let tape = tape.unwrap();
    tape.backward(&loss).unwrap();
    let mut all = rollout.start.joint_q.grad().unwrap().to_vec().unwrap();
    for control in &rollout.controls {
        all.extend(control.joint_f.grad().unwrap().to_vec().unwrap());
    }
    (all.into_iter().map(|x| (x + 0.0).to_bits()).collect(), tape.peak_snapshot_bytes())
}

#[test]
fn checkpoints_change_no_gradient() {
    let model = cpu(&chain(&[0.3, -0.4, 0.2]));
    let (all, _) = gradients(&model, 200, false);
    let (few, _) = gradients(&model, 200, true);
    assert!(all == few);
}

/// A hundred times the steps take about ten times the memory.
#[test]
fn long_rollouts_take_little_memory() {
    let mut b = ModelBuilder::new();
    let body = b.body("bob").mass_properties(1.0, [0.0, 0.0, -1.0], DMat3::ZERO).id();
    b.revolute("hinge", None, body, [0.0, 1.0, 0.0]).position(1.0);
    let model = cpu(&b);
    let [(_, short), (_, long)] = [100, 10_000].map(|steps| gradients(&model, steps, true));
    assert!(long < 14 * short, "{short} and {long} bytes");
}
