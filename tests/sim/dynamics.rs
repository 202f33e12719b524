//! What joints have to do and how heavy robots are along them, against differences in double precision.

use warp::math::DMat3;
use warp::prelude::*;
use warp::sim::articulation::{bias, energy, gravity_effort, inverse_dynamics, mass_matrix};
use warp::sim::{Model, ModelBuilder, State};
use warp_test_devices::{device, on_every_device};

use super::trees::{Numbers, Tree};
use super::{assert_near, cpu};

fn started(model: &Model, qd: &[f64]) -> State {
    let mut state = model.state().unwrap();
    let worlds = model.worlds();
    state.joint_qd.copy_from_slice(&qd.iter().map(|v| *v as f32).collect::<Vec<_>>().repeat(worlds)).unwrap();
    warp::sim::articulation::forward_kinematics(model, &mut state).unwrap();
    state
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// Two uniform rods of 1 m and 1 kg, hinged about y, hanging down at zero.
fn two_rods(q: [f64; 2], qd: [f64; 2]) -> ModelBuilder {
    let mut b = ModelBuilder::new();
    let rod = DMat3::from_diagonal([1.0 / 12.0, 1.0 / 12.0, 1e-9].into());
    let mut parent = None;
    for k in 0..2 {
        let height = -(k as f64);
        let body = b.body(["upper", "lower"][k]).at([0.0, 0.0, height]).mass_properties(1.0, [0.0, 0.0, -0.5], rod);
        let body = body.id();
        b.revolute(["shoulder", "elbow"][k], parent, body, [0.0, 1.0, 0.0]).position(q[k]).velocity(qd[k]);
        parent = Some(body);
    }
    b.repair_inertia(true);
    b
}

#[test]
fn two_rods_have_the_mass_and_the_bias_of_textbooks() {
    let (q, qd) = ([0.3, 0.7], [1.0, 2.0]);
    let model = cpu(&two_rods(q, qd));
    let state = model.state().unwrap();
    let found = mass_matrix(&model, &state).unwrap().to_vec().unwrap();
    for (entry, right) in found.iter().zip([2.43150885, 0.71575443, 0.71575443, 1.0 / 3.0]) {
        assert_near("an entry of the mass matrix", f64::from(*entry), right, 1e-6);
    }
    let pull = |angle: f64| 9.81 * f64::sin(angle);
    let gravity = [1.5 * pull(q[0]) + 0.5 * pull(q[0] + q[1]), 0.5 * pull(q[0] + q[1])];
    let moving = [-0.5 * q[1].sin() * (2.0 * qd[0] * qd[1] + qd[1] * qd[1]), 0.5 * q[1].sin() * qd[0] * qd[0]];
    let found = bias(&model, &state).unwrap().to_vec().unwrap();
    let still = gravity_effort(&model, &state).unwrap().to_vec().unwrap();
    for k in 0..2 {
        assert_near("the bias", f64::from(found[k]), gravity[k] + moving[k], 1e-5);
        assert_near("gravity", f64::from(still[k]), gravity[k], 1e-5);
    }
}

#[on_every_device]
fn mass_matrices_have_the_kinetic_energy_of_bodies() {
    for seed in 0..10 {
        let (tree, motion) = Tree::random(seed, 1 + seed as usize % 6);
        let model = tree.described(&motion).replicate(2).finalize(&device()).unwrap();
        let state = started(&model, &motion.qd);
        let found = mass_matrix(&model, &state).unwrap().to_vec().unwrap();
        let right = tree.mass_matrix(&motion.q);
        let scale = right.iter().map(|row| largest(row)).fold(1.0, f64::max);
        let dofs = tree.dofs();
        for world in 0..2 {
            for (k, row) in right.iter().enumerate() {
                for (j, entry) in row.iter().enumerate() {
                    let value = f64::from(found[(world * dofs + k) * dofs + j]);
                    assert_near(&format!("seed {seed}: M[{k}, {j}]"), value, *entry, 1e-5 * scale);
                }
            }
        }
        let energy = energy(&model, &state).unwrap().to_vec().unwrap()[0];
        let twice: f64 = (0..dofs)
            .flat_map(|k| (0..dofs).map(move |j| (k, j)))
            .map(|(k, j)| motion.qd[k] * right[k][j] * motion.qd[j])
            .sum();
        assert_near("kinetic energy", f64::from(energy.kinetic), 0.5 * twice, 2e-5 * (1.0 + twice));
    }
}

#[on_every_device]
fn efforts_are_those_of_d_alembert() {
    for seed in 0..10 {
        let (tree, motion) = Tree::random(seed, 1 + seed as usize % 6);
        let model = tree.described(&motion).replicate(2).finalize(&device()).unwrap();
        let state = started(&model, &motion.qd);
        let dofs = tree.dofs();
        let mut n = Numbers::new(seed + 100);
        let qdd: Vec<f64> = (0..dofs).map(|_| f64::from((3.0 * n.next()) as f32)).collect();
        let single: Vec<f32> = qdd.iter().map(|a| *a as f32).collect();
        let wanted = Array::from_slice(&device(), &single.repeat(2)).unwrap();
        for (found, right) in [
            (inverse_dynamics(&model, &state, &wanted).unwrap(), tree.efforts(&motion, &qdd)),
            (bias(&model, &state).unwrap(), tree.efforts(&motion, &vec![0.0; dofs])),
        ] {
            let found = found.to_vec().unwrap();
            let scale = largest(&right).max(1.0);
            for (k, effort) in right.iter().chain(&right).enumerate() {
                assert_near(&format!("seed {seed}: effort {k}"), f64::from(found[k]), *effort, 1e-5 * scale);
            }
        }
    }
}

/// What is computed has gradients, which are those of differences of the same computation in double precision.
#[on_every_device]
fn dynamics_have_the_gradients_of_differences() {
    for seed in [1, 2, 5] {
        let (tree, motion) = Tree::random(seed, 3);
        let model = tree.described(&motion).finalize(&device()).unwrap();
        let mut state = started(&model, &motion.qd);
        let qdd = Array::full(&device(), model.dofs(), 0.5f32).unwrap();
        let runtime = |error| match error {
            warp::sim::Error::Runtime(error) => error,
            other => panic!("{other}"),
        };
        let report = warp::grad_check(|| {
            inverse_dynamics(&model, &state, &qdd).map(drop).map_err(runtime)?;
            mass_matrix(&model, &state).map(drop).map_err(runtime)
        });
        let report = report.unwrap();
        assert!(report.passes(), "seed {seed}: {report}");
        let report =
            warp::grad_check(|| warp::sim::articulation::forward_kinematics(&model, &mut state).map_err(runtime));
        let report = report.unwrap();
        assert!(report.passes(), "seed {seed}: {report}");
    }
}
