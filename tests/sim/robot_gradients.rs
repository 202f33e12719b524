//! Gradients through steps of robots.

use warp::GradCheck;
use warp::math::{DMat3, DVec3};
use warp::optim::{Adam, FirstOrder, Stop};
use warp::prelude::*;
use warp::sim::{Control, Dof, Error, Featherstone, Model, ModelBuilder, Solver, State};
use warp_test_devices::{device, on_every_device};

use super::trees::{Numbers, Tree};
use super::{assert_near, cpu};

fn runtime(error: Error) -> warp::Error {
    match error {
        Error::Runtime(error) => error,
        other => panic!("{other}"),
    }
}

/// So many steps, each with a state and a control of its own.
fn steps(model: &Model, count: usize) -> (Vec<State>, Vec<Control>) {
    let states = (0..=count).map(|_| model.state().unwrap()).collect();
    (states, (0..count).map(|_| model.control().unwrap()).collect())
}

fn roll(
    solver: &Featherstone,
    model: &Model,
    states: &mut [State],
    controls: &[Control],
    dt: f32,
) -> Result<(), Error> {
    for (step, control) in controls.iter().enumerate() {
        let (from, to) = states.split_at_mut(step + 1);
        solver.step(model, &from[step], &mut to[0], control, dt)?;
    }
    Ok(())
}

#[kernel]
fn squared_miss(q: &[f32], which: u32, goal: f32, loss: &mut [f32]) {
    let miss = q[which as usize] - goal;
    loss[0] = miss * miss;
}

/// A pendulum under a steady torque.
#[on_every_device]
fn a_pendulum_has_the_gradient_of_its_torque() {
    let mut b = ModelBuilder::new();
    let body = b.body("bob").mass_properties(1.0, [0.0, 0.0, -1.0], DMat3::ZERO).id();
    b.revolute("hinge", None, body, [0.0, 1.0, 0.0]);
    let model = b.finalize(&device()).unwrap();
    let solver = Featherstone::new(&model).unwrap();
    let mut states: Vec<State> = (0..=150).map(|_| model.state().unwrap()).collect();
    let mut control = model.control().unwrap();
    control.joint_f.fill(0.5).unwrap();
    let mut loss = Array::zeros(&device(), 1).unwrap();
    let tape = Tape::record_with(|| {
        for step in 0..150 {
            let (from, to) = states.split_at_mut(step + 1);
            solver.step(&model, &from[step], &mut to[0], &control, 0.01)?;
        }
        squared_miss::launch(1, &states[150].joint_q, 0, 1.0, &mut loss)?;
        Ok::<_, Error>(())
    });
    let ((), tape) = tape.unwrap();
    tape.backward(&loss).unwrap();
    assert_near("q", f64::from(states[150].joint_q.get(0).unwrap()), 0.05114870, 1e-4);
    let gradient = f64::from(control.joint_f.grad().unwrap().get(0).unwrap());
    assert_near("dL/du", gradient, -0.19612406, 1e-4 * 0.196);
}

/// All that a step reads, at once: coordinates, speeds, targets, efforts, and every parameter of bodies and joints, with a
/// follower, springs, drives, one of them at its limit, a limit that acts, friction that slides and friction that sticks. All that
/// has no friction moves: where it stands still, friction is at a kink.
#[test]
fn steps_of_robots_have_the_gradients_of_differences() {
    let mut b = ModelBuilder::new();
    let mut n = Numbers::new(3);
    let mut bodies = vec![];
    for k in 0..6 {
        let turn = DMat3::from_quat(n.rotation());
        let inertia = turn * DMat3::from_diagonal(DVec3::new(0.05, 0.06, 0.07)) * turn.transpose();
        let pose = n.pose();
        let body = b.body(format!("body {k}")).at(pose.p).turned(pose.q);
        bodies.push(body.mass_properties(0.5, 0.2 * n.vec(), inertia).id());
    }
    let base = b.revolute("base", None, bodies[0], n.vec()).position(0.3).velocity(0.5).drive(20.0, 2.0).target(0.6);
    let base = base.armature(0.05).damping(0.1).id();
    b.d6(
        "wrist",
        bodies[0],
        bodies[1],
        [
            Dof::linear(n.vec()).position(0.1).spring(30.0, 0.05).velocity(0.2),
            Dof::angular(n.vec()).position(-0.2).velocity(0.3).drive(500.0, 5.0).target(1.0).effort_limit(1.5),
            Dof::angular(n.vec()).velocity(0.4).friction(0.2),
        ],
    );
    b.ball("shoulder", bodies[0], bodies[2]).turned(n.rotation()).velocity(0.2).drive(3.0, 0.3).damping(0.05);
    b.revolute("stopped", bodies[2], bodies[3], n.vec()).position(0.5).velocity(1.0).limits(-1.0, 0.501);
    b.revolute("stuck", bodies[2], bodies[4], n.vec()).friction(50.0);
    b.revolute("follower", bodies[1], bodies[5], n.vec()).mimic(base, -0.7, 0.1);
    let model = cpu(&b);
    let solver = Featherstone::new(&model).unwrap();
    let (mut states, mut controls) = steps(&model, 2);
    for control in &mut controls {
        control.joint_f.fill(0.1).unwrap();
    }
    let check = GradCheck::new().entries(20);
    let report = check.run(|| roll(&solver, &model, &mut states, &controls, 0.01).map_err(runtime)).unwrap();
    assert!(report.passes(), "{report}");
}

/// Trees of all kinds of joints, free ones too.
#[test]
fn steps_of_random_trees_have_the_gradients_of_differences() {
    for seed in [0, 1, 2, 3, 4, 5] {
        let (tree, motion) = Tree::random(seed, 2 + seed as usize % 3);
        let model = cpu(&tree.described(&motion));
        let solver = Featherstone::new(&model).unwrap();
        let (mut states, controls) = steps(&model, 1);
        let check = GradCheck::new().entries(20);
        let report = check.run(|| roll(&solver, &model, &mut states, &controls, 0.01).map_err(runtime)).unwrap();
        assert!(report.passes(), "seed {seed}: {report}");
    }
}

/// What a tape records has the bits of what nobody records.
#[test]
fn recording_changes_no_bit() {
    for seed in 0..8 {
        let (tree, motion) = Tree::random(seed, 2 + seed as usize % 4);
        let model = cpu(&tree.described(&motion));
        let solver = Featherstone::new(&model).unwrap();
        let (mut states, controls) = steps(&model, 5);
        roll(&solver, &model, &mut states, &controls, 0.01).unwrap();
        let (mut again, _) = steps(&model, 5);
        Tape::record_with(|| roll(&solver, &model, &mut again, &controls, 0.01)).unwrap();
        let bits = |state: &State| -> Vec<u32> {
            let (q, qd) = (state.joint_q.to_vec().unwrap(), state.joint_qd.to_vec().unwrap());
            // Both zeros are one number.
            q.iter().chain(&qd).map(|x| (x + 0.0).to_bits()).collect()
        };
        assert!(bits(&states[5]) == bits(&again[5]), "seed {seed}");
    }
}

/// A cart with a chain of rods: the same discrete steps in double precision.
pub struct Chain {
    pub q: Vec<f64>,
    pub qd: Vec<f64>,
}

pub const CART: f64 = 1.0;
pub const LINK: (f64, f64, f64, f64) = (0.2, 0.5, 0.25, 0.0041666667);

impl Chain {
    /// One step under a force on the cart.
    pub fn step(&mut self, force: f64, dt: f64) {
        let (mass, length, com, inertia) = LINK;
        let links = self.q.len() - 1;
        let n = links + 1;
        // Absolute angles and how each coordinate moves each centre of mass: x = q0 - Σ l sin, z = -Σ l cos.
        let angle = |k: usize| self.q[1..=k + 1].iter().sum::<f64>();
        let speed = |k: usize| self.qd[1..=k + 1].iter().sum::<f64>();
        let mut m = vec![vec![0.0; n]; n];
        let mut right = vec![0.0; n];
        m[0][0] += CART;
        right[0] += force;
        for body in 0..links {
            let arm = |k: usize| if k == body { com } else { length };
            // Derivatives of the centre by absolute angles, then by joint angles.
            let by = |joint: usize| -> [f64; 2] {
                (joint..=body)
                    .fold([0.0; 2], |sum, k| [sum[0] - arm(k) * angle(k).cos(), sum[1] + arm(k) * angle(k).sin()])
            };
            let rows: Vec<[f64; 2]> = std::iter::once([1.0, 0.0]).chain((0..links).map(by)).collect();
            // What accelerates without coordinates doing so.
            let moving = (0..=body).fold([0.0; 2], |sum, k| {
                let w = speed(k) * speed(k);
                [sum[0] + arm(k) * angle(k).sin() * w, sum[1] + arm(k) * angle(k).cos() * w]
            });
            for i in 0..n {
                let turn_i = if (1..=body + 1).contains(&i) { 1.0 } else { 0.0 };
                right[i] -= mass * (rows[i][0] * moving[0] + rows[i][1] * (moving[1] + 9.81));
                for j in 0..n {
                    let turn_j = if (1..=body + 1).contains(&j) { 1.0 } else { 0.0 };
                    m[i][j] += mass * (rows[i][0] * rows[j][0] + rows[i][1] * rows[j][1]) + inertia * turn_i * turn_j;
                }
            }
        }
        let qdd = solved(m, right);
        for ((q, qd), rate) in self.q.iter_mut().zip(&mut self.qd).zip(qdd) {
            *qd += dt * rate;
            *q += dt * *qd;
        }
    }
}

fn solved(mut m: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        for i in k + 1..n {
            let (upper, lower) = m.split_at_mut(i);
            let factor = lower[0][k] / upper[k][k];
            lower[0].iter_mut().zip(&upper[k]).for_each(|(entry, above)| *entry -= factor * above);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|j| m[k][j] * b[j]).sum::<f64>()) / m[k][k];
    }
    b
}

/// The same as the library describes it.
pub fn chain(angles: &[f64]) -> ModelBuilder {
    let (mass, length, com, inertia) = LINK;
    let mut b = ModelBuilder::new();
    let cart = b.body("cart").mass_properties(CART, [0.0; 3], DMat3::IDENTITY).id();
    b.prismatic("rail", None, cart, [1.0, 0.0, 0.0]);
    let mut parent = cart;
    for (k, angle) in angles.iter().enumerate() {
        let height = -(length * k as f64);
        let link = b.body(format!("link {k}")).at([0.0, 0.0, height]);
        let inertia = DMat3::from_diagonal(DVec3::new(inertia, inertia, 1e-4));
        let link = link.mass_properties(mass, [0.0, 0.0, -com], inertia).id();
        b.revolute(format!("hinge {k}"), parent, link, [0.0, 1.0, 0.0]).position(*angle);
        parent = link;
    }
    b
}

/// Where the last link ends, and how far that is from a goal, squared.
#[kernel]
fn tip_miss(q: &[f32], length: f32, goal_x: f32, goal_z: f32, loss: &mut [f32]) {
    let mut angle = 0.0;
    let (mut x, mut z) = (q[0], 0.0);
    for turn in q.iter().skip(1) {
        angle += turn;
        x -= length * angle.sin();
        z -= length * angle.cos();
    }
    loss[0] = (x - goal_x) * (x - goal_x) + (z - goal_z) * (z - goal_z);
}

const STEPS: usize = 200;
const DT: f64 = 0.005;
const GOAL: (f64, f64) = (0.6, -1.2);

fn tip_loss(chain: &Chain) -> f64 {
    let (mut angle, mut x, mut z) = (0.0, chain.q[0], 0.0);
    for turn in &chain.q[1..] {
        angle += turn;
        x -= LINK.1 * f64::sin(angle);
        z -= LINK.1 * f64::cos(angle);
    }
    (x - GOAL.0).powi(2) + (z - GOAL.1).powi(2)
}

fn reference(forces: &[f64], angles: &[f64]) -> f64 {
    let mut chain = Chain { q: [&[0.0], angles].concat(), qd: vec![0.0; 1 + angles.len()] };
    forces.iter().for_each(|force| chain.step(*force, DT));
    tip_loss(&chain)
}

const ANGLES: [f64; 3] = [0.3, -0.4, 0.2];

/// The loss and its gradient by the force of each step.
fn gradient(model: &Model, solver: &Featherstone, forces: &[f64]) -> (f64, Vec<f64>) {
    let (mut states, mut controls) = steps(model, STEPS);
    for (control, force) in controls.iter_mut().zip(forces) {
        control.joint_f.copy_from_slice(&[*force as f32, 0.0, 0.0, 0.0]).unwrap();
    }
    let mut loss = Array::zeros(model.device(), 1).unwrap();
    let recorded = Tape::record_with(|| {
        roll(solver, model, &mut states, &controls, DT as f32)?;
        tip_miss::launch(1, &states[STEPS].joint_q, LINK.1 as f32, GOAL.0 as f32, GOAL.1 as f32, &mut loss)?;
        Ok::<_, Error>(())
    });
    let ((), tape) = recorded.unwrap();
    tape.backward(&loss).unwrap();
    let of = |control: &Control| f64::from(control.joint_f.grad().unwrap().get(0).unwrap());
    (f64::from(loss.get(0).unwrap()), controls.iter().map(of).collect())
}

#[test]
fn a_chain_on_a_cart_has_the_gradient_of_differences() {
    let model = cpu(&chain(&ANGLES));
    let solver = Featherstone::new(&model).unwrap();
    let forces: Vec<f64> = (0..STEPS).map(|k| f64::from((2.0 * (0.1 * k as f64).sin()) as f32)).collect();
    let (loss, found) = gradient(&model, &solver, &forces);
    assert_near("the loss", loss, reference(&forces, &ANGLES), 1e-4);
    let largest = found.iter().fold(0.0f64, |most, slope| most.max(slope.abs()));
    for (k, slope) in found.iter().enumerate() {
        let at = |h: f64| {
            let mut forces = forces.clone();
            forces[k] += h;
            reference(&forces, &ANGLES)
        };
        let right = (at(1e-6) - at(-1e-6)) / 2e-6;
        assert_near(&format!("the slope by force {k}"), *slope, right, 1e-3 * largest);
    }
}

#[test]
fn forces_on_a_cart_bring_the_tip_to_a_target() {
    let model = cpu(&chain(&ANGLES));
    let solver = Featherstone::new(&model).unwrap();
    let stop = Stop { iterations: 200, ..Stop::default() };
    let found = Adam::new(0.3f64).minimize(&vec![0.0; STEPS], &stop, |forces| gradient(&model, &solver, forces));
    assert!(found.loss.sqrt() < 0.05, "the tip is {} m away", found.loss.sqrt());
    assert!(reference(&found.x, &ANGLES).sqrt() < 0.05, "by the reference it is not there");
}

/// A thousand starts of random robots, moving, at rest, at their limits: no gradient is no number.
#[test]
fn no_gradient_is_no_number() {
    for seed in 0..20 {
        let (tree, motion) = Tree::random(seed, 1 + seed as usize % 5);
        let mut b = tree.described(&motion);
        let arm = b.body("arm").mass_properties(1.0, [0.2, 0.0, 0.0], DMat3::IDENTITY).id();
        b.revolute("limited", None, arm, DVec3::Y).limits(0.0, 0.3).drive(20.0, 1.0).friction(0.1);
        let model = b.replicate(50).finalize(&Device::cpu()).unwrap();
        let solver = Featherstone::new(&model).unwrap();
        let (mut states, controls) = steps(&model, 4);
        let mut n = Numbers::new(seed);
        let dofs = model.dofs() / 50;
        // Every other world is at rest, at the limit's lower end; a third at its upper one.
        let speed = |k: usize, n: &mut Numbers| if (k / dofs).is_multiple_of(2) { 0.0 } else { 2.0 * n.next() as f32 };
        let qd: Vec<f32> = (0..model.dofs()).map(|k| speed(k, &mut n)).collect();
        states[0].joint_qd.copy_from_slice(&qd).unwrap();
        let mut q = states[0].joint_q.to_vec().unwrap();
        let limited = model.joint("limited").unwrap();
        for world in (0..50).step_by(3) {
            q[model.joint_q_range(world, limited).unwrap()].fill(0.3);
        }
        states[0].joint_q.copy_from_slice(&q).unwrap();
        let mut loss = Array::zeros(model.device(), 1).unwrap();
        let recorded = Tape::record_with(|| {
            roll(&solver, &model, &mut states, &controls, 0.01)?;
            sum_of_squares::launch(model.dofs(), &states[4].joint_qd, &states[4].joint_q, &mut loss)?;
            Ok::<_, Error>(())
        });
        let ((), tape) = recorded.unwrap();
        tape.backward(&loss).unwrap();
        for gradient in [
            states[0].joint_q.grad(),
            states[0].joint_qd.grad(),
            controls[0].joint_f.grad(),
            controls[0].joint_target_q.grad(),
            model.body_mass.array().grad(),
            model.joint_friction.array().grad(),
        ] {
            let gradient = gradient.unwrap().to_vec().unwrap();
            assert!(gradient.iter().all(|slope| slope.is_finite()), "seed {seed}: {gradient:?}");
        }
    }
}

#[kernel]
fn sum_of_squares(qd: &[f32], q: &[f32], sum: &mut [f32]) {
    let i = tid();
    atomic_add(&mut sum[0], qd[i] * qd[i] + q[i] * q[i]);
}
