//! The step of one particle.

use warp_examples_support::workload::particles::CORE;

/// Pulls a particle towards the centre, and moves it.
pub fn step(position: &mut [f32; 3], velocity: &mut [f32; 3], dt: f32, gravitation: f32, mass: f32) {
    let r = position.iter().map(|c| c * c).sum::<f32>().sqrt();
    if r < CORE {
        return;
    }
    for c in 0..3 {
        let pull = -position[c] / r * (gravitation * mass / (r * r));
        velocity[c] += pull * dt;
        position[c] += velocity[c] * dt;
    }
}
