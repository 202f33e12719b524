//! What a tape keeps.

use super::*;

#[kernel]
fn integrate(pos: &mut [f32], vel: &mut [f32], force: &[f32], dt: f32) {
    let i = tid();
    vel[i] += force[i] * dt;
    pos[i] += vel[i] * dt;
}

#[test]
fn a_linear_rollout_keeps_nothing() {
    const STEPS: usize = 1000;
    let (n, dt) = (8, 1.0 / 64.0f32);
    let (mut pos, mut vel) = (array(&vec![1.0; n]), array(&vec![2.0; n]));
    let force = array(&vec![0.5; n]);
    let (loss, tape) = Tape::record_with(|| {
        for _ in 0..STEPS {
            integrate::launch(n, &mut pos, &mut vel, &force, dt)?;
        }
        total(&pos)
    })
    .unwrap();
    assert_eq!(tape.snapshot_bytes(), 0);
    tape.backward(&loss).unwrap();
    assert_eq!(tape.peak_snapshot_bytes(), 0);
    let steps = STEPS as f32;
    assert_eq!(pos.grad().unwrap().to_vec().unwrap(), vec![1.0; n]);
    assert_eq!(vel.grad().unwrap().to_vec().unwrap(), vec![steps * dt; n]);
    // Step k of n moves the end by dt^2 (n - k).
    assert_eq!(force.grad().unwrap().to_vec().unwrap(), vec![dt * dt * steps * (steps + 1.0) / 2.0; n]);
}

#[test]
fn a_nonlinear_step_keeps_one_array() {
    const STEPS: usize = 20;
    let mut a = array(&[0.25; 16]);
    let (_, tape) = Tape::record_with(|| {
        for _ in 0..STEPS {
            square_plus_one::launch(16, &mut a)?;
        }
        total(&a)
    })
    .unwrap();
    assert_eq!(tape.snapshot_bytes(), STEPS * 16 * 4);
}
