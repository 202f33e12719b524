//! The simulation library against closed forms and published values, on every device where sizes allow.
#![cfg(all(feature = "cpu", feature = "cuda", feature = "sim"))]

mod bodies;
mod descriptions;
mod dynamics;
mod featherstone;
mod films;
mod gradients;
mod hulls;
mod import;
mod inverse_kinematics;
mod joint_mistakes;
mod joints;
mod masses;
mod particles;
mod pictures;
mod robot_files;
mod robot_gradients;
mod robots;
mod rollouts;
mod trees;
mod worlds;

use warp::prelude::*;
use warp::sim::{Error, Featherstone, Model, ModelBuilder, SemiImplicit, Solver, State, Stepper};

fn cpu(b: &ModelBuilder) -> Model {
    b.finalize(&Device::cpu()).unwrap()
}

/// A world without gravity.
fn weightless() -> ModelBuilder {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b
}

fn semi_implicit(model: &Model) -> Stepper<'_, SemiImplicit> {
    Stepper::new(model, SemiImplicit::new(model).unwrap()).unwrap()
}

fn featherstone(model: &Model) -> Stepper<'_, Featherstone> {
    Stepper::new(model, Featherstone::new(model).unwrap()).unwrap()
}

/// States of so many steps, the first as given: what a tape records.
fn rollout(model: &Model, start: State, steps: usize, dt: f32) -> Result<Vec<State>, Error> {
    let solver = SemiImplicit::new(model)?;
    let control = model.control()?;
    let mut states = vec![start];
    for _ in 0..steps {
        let mut next = model.state()?;
        solver.step(model, states.last().expect("there is a first"), &mut next, &control, dt)?;
        states.push(next);
    }
    Ok(states)
}

#[track_caller]
fn assert_near(what: &str, found: f64, right: f64, tolerance: f64) {
    assert!((found - right).abs() <= tolerance, "{what} is {found}, and should be {right} within {tolerance}");
}
