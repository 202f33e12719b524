//! Coordinates that bring bodies where they should be.

use warp::math::{DMat3, DQuat, DTransform, DVec3, Transform};
use warp::prelude::*;
use warp::sim::articulation::forward_kinematics;
use warp::sim::ik::{Ik, Missed};
use warp::sim::{BodyId, Model, ModelBuilder};
use warp_test_devices::{device, on_every_device};

use super::trees::Numbers;

/// An arm of seven hinges with the lengths and limits of a Franka Panda (its data sheet's Denavit-Hartenberg parameters, in
/// Craig's convention).
fn panda() -> (ModelBuilder, BodyId) {
    let quarter = std::f64::consts::FRAC_PI_2;
    let links = [
        (0.0, 0.333, 0.0, [-2.8973, 2.8973]),
        (0.0, 0.0, -quarter, [-1.7628, 1.7628]),
        (0.0, 0.316, quarter, [-2.8973, 2.8973]),
        (0.0825, 0.0, quarter, [-3.0718, -0.0698]),
        (-0.0825, 0.384, -quarter, [-2.8973, 2.8973]),
        (0.0, 0.0, quarter, [-0.0175, 3.7525]),
        (0.088, 0.0, quarter, [-2.8973, 2.8973]),
    ];
    let mut b = ModelBuilder::new();
    let mut parent: Option<BodyId> = None;
    for (k, (a, d, twist, [lower, upper])) in links.into_iter().enumerate() {
        let body = b.body(format!("link {k}")).mass_properties(1.0, [0.0; 3], DMat3::IDENTITY * 0.01).id();
        let turn = DQuat::from_rotation_x(twist);
        let pose = DTransform::new(DVec3::new(a, 0.0, 0.0) + turn * DVec3::new(0.0, 0.0, d), turn);
        let joint = b.revolute(format!("joint {k}"), parent, body, DVec3::Z).parent_anchor(pose);
        joint.limits(lower, upper).position(0.5 * (lower + upper));
        parent = Some(body);
    }
    (b, parent.unwrap())
}

/// Random coordinates within limits, by world.
pub fn random_coordinates(model: &Model, seed: u64) -> Vec<f32> {
    let mut n = Numbers::new(seed);
    let lower = model.joint_limit_lower.array().to_vec().unwrap();
    let upper = model.joint_limit_upper.array().to_vec().unwrap();
    let one = |k: usize, n: &mut Numbers| {
        let (low, high) = (f64::from(lower[k].max(-3.1)), f64::from(upper[k].min(3.1)));
        (low + (high - low) * (0.5 + 0.5 * n.next())) as f32
    };
    (0..model.worlds()).flat_map(|_| (0..lower.len()).map(|k| one(k, &mut n)).collect::<Vec<_>>()).collect()
}

/// Solves for where a body is at random coordinates, and says how many worlds come within a millimetre and half a degree.
pub fn reached(model: &Model, hand: BodyId, seed: u64) -> (usize, Vec<Missed>) {
    let mut state = model.state().unwrap();
    state.joint_q.copy_from_slice(&random_coordinates(model, seed)).unwrap();
    forward_kinematics(model, &mut state).unwrap();
    let poses = state.body_q.to_vec().unwrap();
    let goals: Vec<Transform> = (0..model.worlds()).map(|world| poses[model.body_at(world, hand).unwrap()]).collect();
    let mut state = model.state().unwrap();
    let found = Ik::new(model)
        .unwrap()
        .position(hand, Vec3::ZERO, &goals.iter().map(|goal| goal.p).collect::<Vec<_>>())
        .unwrap()
        .orientation(hand, &goals.iter().map(|goal| goal.q).collect::<Vec<_>>())
        .unwrap()
        .solve(&mut state)
        .unwrap();
    let q = state.joint_q.to_vec().unwrap();
    let (lower, upper) =
        (model.joint_limit_lower.array().to_vec().unwrap(), model.joint_limit_upper.array().to_vec().unwrap());
    for own in q.chunks(lower.len()) {
        assert!(own.iter().zip(lower.iter().zip(&upper)).all(|(q, (low, high))| low <= q && q <= high), "{own:?}");
    }
    (found.iter().filter(|missed| missed.distance < 1e-3 && missed.angle < 0.5f32.to_radians()).count(), found)
}

#[test]
fn an_arm_reaches_what_it_can_reach() {
    let (b, hand) = panda();
    let model = b.replicate(100).finalize(&Device::cpu()).unwrap();
    for seed in 1..4 {
        let (count, found) = reached(&model, hand, seed);
        assert!(count >= 95, "only {count} of 100 are reached: {found:?}");
    }
}

#[on_every_device]
fn goals_of_all_joints_are_met() {
    let mut b = ModelBuilder::new();
    let inertia = DMat3::IDENTITY;
    let base = b.body("base").mass_properties(1.0, [0.1, 0.0, 0.0], inertia).id();
    let arm = b.body("arm").at([0.5, 0.0, 0.0]).mass_properties(1.0, [0.0; 3], inertia).id();
    b.ball("shoulder", base, arm);
    let hand = b.body("hand").at([1.0, 0.0, 0.0]).mass_properties(1.0, [0.0; 3], inertia).id();
    let slide = b.prismatic("slide", arm, hand, [1.0, 0.0, 0.0]).limits(-0.2, 0.2).id();
    let thumb = b.body("thumb").at([1.0, 0.1, 0.0]).mass_properties(1.0, [0.0; 3], inertia).id();
    b.prismatic("thumb", arm, thumb, [1.0, 0.0, 0.0]).mimic(slide, -1.0, 0.05);
    let model = b.replicate(2).finalize(&device()).unwrap();
    let mut state = model.state().unwrap();
    let goals = [Vec3::new(0.2, 0.9, 0.3), Vec3::new(-1.0, 0.2, 0.6)];
    let turn = Quat::from_scaled_axis(Vec3::new(0.4, -0.3, 1.0));
    let found = Ik::new(&model)
        .unwrap()
        .position(hand, Vec3::new(0.0, 0.0, 0.1), &goals)
        .unwrap()
        .orientation(hand, &[turn])
        .unwrap()
        .iterations(40)
        .solve(&mut state)
        .unwrap();
    for missed in found {
        assert!(missed.distance < 1e-4 && missed.angle < 1e-3, "{missed:?}");
    }
    let q = state.joint_q.to_vec().unwrap();
    let at = |world, name: &str| model.joint_q_range(world, model.joint(name).unwrap()).unwrap().start;
    for world in 0..2 {
        assert!((q[at(world, "thumb")] - (0.05 - q[at(world, "slide")])).abs() < 1e-6);
    }
}

/// Of all coordinates that reach, those near the wanted ones; of what cannot be reached, the nearest.
#[test]
fn spare_joints_stay_near_and_goals_out_of_reach_are_come_near_to() {
    let mut b = ModelBuilder::new();
    let mut parent = None;
    for k in 0..3 {
        let body = b.body(format!("link {k}")).at([f64::from(k), 0.0, 0.0]);
        let body = body.mass_properties(1.0, [0.0; 3], DMat3::IDENTITY).id();
        b.revolute(format!("hinge {k}"), parent, body, DVec3::Z).position(0.3);
        parent = Some(body);
    }
    let hand = parent.unwrap();
    let model = b.finalize(&Device::cpu()).unwrap();
    let solve = |goal: Vec3, weight: f32| {
        let mut state = model.state().unwrap();
        let tip = Vec3::new(1.0, 0.0, 0.0);
        let ik = Ik::new(&model).unwrap().position(hand, tip, &[goal]).unwrap().near(&[0.0, 1.0, 0.0], weight).unwrap();
        (ik.iterations(200).solve(&mut state).unwrap()[0], state.joint_q.to_vec().unwrap())
    };
    let (missed, q) = solve(Vec3::new(1.5, 1.5, 0.0), 1e-3);
    assert!(missed.distance < 1e-3, "{missed:?}");
    // With the first and the last tied by the goal, the middle one may be anything; nothing else bends more than it must.
    let bent = |q: &[f32]| q[0].powi(2) + (q[1] - 1.0).powi(2) + q[2].powi(2);
    let mut least = f32::INFINITY;
    for k in 0..6000 {
        // All arms that reach: the middle link's direction decides, and both others close the triangle.
        let angle = k as f32 * 1e-3 - 3.0;
        let rest = Vec2::new(1.5, 1.5) - Vec2::new(angle.cos(), angle.sin());
        let (length, lean) = (rest.length(), rest.y.atan2(rest.x));
        if length < 2.0 {
            for side in [-1.0, 1.0] {
                let half = side * (length / 2.0).acos();
                least = least.min(bent(&[angle, lean + half - angle, -2.0 * half]));
            }
        }
    }
    assert!((bent(&q) - least).abs() < 0.02, "{} is not {least}", bent(&q));
    let (missed, _) = solve(Vec3::new(0.0, 5.0, 0.0), 0.0);
    assert!((missed.distance - 2.0).abs() < 0.05, "{missed:?}");
}

#[test]
fn what_cannot_be_solved_is_told() {
    let (b, hand) = panda();
    let model = b.replicate(3).finalize(&Device::cpu()).unwrap();
    let told = Ik::new(&model).unwrap().position(hand, Vec3::ZERO, &[Vec3::ZERO; 2]).unwrap_err().to_string();
    assert_eq!(
        told,
        "the list of goals was made for another model: 3 worlds, or one goal for all, are expected, and it has 2"
    );
    let told = Ik::new(&model).unwrap().near(&[0.0; 3], 1.0).unwrap_err().to_string();
    assert!(told.contains("7 joint coordinates of a world are expected, and it has 3"), "{told}");
    let mut unlike = ModelBuilder::new();
    unlike.add_worlds(&b, 1);
    let (mut other, _) = panda();
    other.body("more").mass_properties(1.0, [0.0; 3], DMat3::IDENTITY);
    unlike.add_worlds(&other, 1);
    let model = unlike.finalize(&Device::cpu()).unwrap();
    let told = Ik::new(&model).unwrap_err().to_string();
    assert!(told.contains("inverse kinematics takes worlds that are alike"), "{told}");
}
