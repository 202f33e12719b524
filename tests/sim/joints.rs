//! Where joints put bodies, and how coordinates come back from there.

use warp::math::{DQuat, DVec3};
use warp::prelude::*;
use warp::sim::articulation::{forward_kinematics, jacobian, joint_coordinates};
use warp_test_devices::{device, on_every_device};

use super::trees::{Kind, Tree};
use super::{assert_near, cpu};

fn single(values: &[f64]) -> Vec<f32> {
    values.iter().map(|value| *value as f32).collect()
}

#[on_every_device]
fn bodies_are_where_their_joints_put_them() {
    for seed in 0..12 {
        let (tree, motion) = Tree::random(seed, 1 + seed as usize % 6);
        let model = tree.described(&motion).replicate(2).finalize(&device()).unwrap();
        let mut state = model.state().unwrap();
        // A free joint's speeds have no words of their own.
        state.joint_qd.copy_from_slice(&single(&motion.qd).repeat(2)).unwrap();
        forward_kinematics(&model, &mut state).unwrap();
        let (poses, velocities) = (tree.poses(&motion.q), tree.velocities(&motion.q, &motion.qd));
        let (found, moving) = (state.body_q.to_vec().unwrap(), state.body_qd.to_vec().unwrap());
        for world in 0..2 {
            for (k, pose) in poses.iter().enumerate() {
                let at = world * poses.len() + k;
                let near = (found[at].p.as_dvec3() - pose.p).length() < 1e-5
                    && DQuat::from_array(found[at].q.to_array().map(f64::from)).dot(pose.q).abs() > 1.0 - 1e-6;
                assert!(near, "seed {seed}, body {k}: {:?} is not {pose:?}", found[at]);
                let (linear, angular) = velocities[k];
                let off = (moving[at].linear.as_dvec3() - linear).length()
                    + (moving[at].angular.as_dvec3() - angular).length();
                assert!(off < 5e-5, "seed {seed}, body {k} moves by {:?}, not {:?}", moving[at], velocities[k]);
            }
        }
    }
}

#[on_every_device]
fn coordinates_come_back_from_bodies() {
    for seed in 0..12 {
        let (tree, motion) = Tree::random(seed, 1 + seed as usize % 6);
        let model = tree.described(&motion).finalize(&device()).unwrap();
        let mut state = model.state().unwrap();
        state.joint_qd.copy_from_slice(&single(&motion.qd)).unwrap();
        forward_kinematics(&model, &mut state).unwrap();
        let (q, qd) = (state.body_q.to_vec().unwrap(), state.body_qd.to_vec().unwrap());
        let (joint_q, joint_qd) = (state.joint_q.to_vec().unwrap(), state.joint_qd.to_vec().unwrap());
        state.joint_q.fill(0.0).unwrap();
        state.joint_qd.fill(0.0).unwrap();
        joint_coordinates(&model, &mut state).unwrap();
        let back = state.joint_q.to_vec().unwrap();
        let mut at = 0;
        for (number, joint) in tree.joints.iter().enumerate() {
            let own = at..at + joint.coordinates();
            // Axes at random may have another set of angles for the same rotation; then the bodies have to agree.
            let unique = !matches!(&joint.kind, Kind::Axes(axes, linear) if axes.len() - linear == 3);
            for k in own.clone().filter(|_| unique) {
                let rotation = !matches!(joint.kind, Kind::Axes(..)) && k + 4 >= own.end;
                let sign = if rotation && back[own.end - 1] * joint_q[own.end - 1] < 0.0 { -1.0 } else { 1.0 };
                let off = (back[k] * sign - joint_q[k]).abs();
                assert!(off < 2e-5, "seed {seed}, joint {number}: coordinate {k} is off by {off}");
            }
            at = own.end;
        }
        let speeds = state.joint_qd.to_vec().unwrap();
        let unique = tree
            .joints
            .iter()
            .all(|joint| !matches!(&joint.kind, Kind::Axes(axes, linear) if axes.len() - linear == 3));
        if unique {
            assert!(speeds.iter().zip(&joint_qd).all(|(a, b)| (a - b).abs() < 1e-4), "seed {seed}");
        }
        forward_kinematics(&model, &mut state).unwrap();
        for (k, (again, first)) in state.body_q.to_vec().unwrap().iter().zip(&q).enumerate() {
            let near = again.p.abs_diff_eq(first.p, 3e-5) && again.q.dot(first.q).abs() > 1.0 - 1e-6;
            assert!(near, "seed {seed}, body {k}: {again:?} is not {first:?}");
        }
        for (again, first) in state.body_qd.to_vec().unwrap().iter().zip(&qd) {
            assert!(again.abs_diff_eq(*first, 5e-4), "seed {seed}: {again:?} is not {first:?}");
        }
    }
}

/// The Jacobian times the speeds is how a point moves, and its transpose turns a force into efforts.
#[on_every_device]
fn a_jacobian_has_the_velocity_of_its_point() {
    for seed in 0..8 {
        let (tree, motion) = Tree::random(seed, 3 + seed as usize % 4);
        let model = tree.described(&motion).replicate(2).finalize(&device()).unwrap();
        let mut state = model.state().unwrap();
        state.joint_qd.copy_from_slice(&single(&motion.qd).repeat(2)).unwrap();
        forward_kinematics(&model, &mut state).unwrap();
        let last = tree.joints.len() - 1;
        let body = model.body(&format!("body {last}")).unwrap();
        let point = Vec3::new(0.3, -0.2, 0.5);
        let columns = jacobian(&model, &state, body, point).unwrap().to_vec().unwrap();
        let dofs = tree.dofs();
        for world in 0..2 {
            let mut sum = warp::math::Twist::ZERO;
            for k in 0..dofs {
                sum = sum + columns[world * dofs + k] * motion.qd[k] as f32;
            }
            let at = model.body_at(world, body).unwrap();
            let (pose, twist) = (state.body_q.get(at).unwrap(), state.body_qd.get(at).unwrap());
            let com = tree.joints[last].com.as_vec3();
            let velocity = twist.velocity_at(pose.q * (point - com));
            assert!(sum.linear.abs_diff_eq(velocity, 2e-5), "seed {seed}: {sum:?} is not {velocity}");
            assert!(sum.angular.abs_diff_eq(twist.angular, 2e-5), "seed {seed}");
        }
    }
}

/// Bodies are described where all coordinates are zero; a joint is at its child's origin, or where `at` says.
#[test]
fn joints_are_described_by_where_bodies_stand() {
    let mut b = warp::sim::ModelBuilder::new();
    let base = b.body("base").at([1.0, 0.0, 0.0]).mass_properties(1.0, [0.0; 3], warp::math::DMat3::IDENTITY).id();
    let arm = b.body("arm").at([1.0, 0.0, 2.0]).mass_properties(1.0, [0.0; 3], warp::math::DMat3::IDENTITY).id();
    b.fixed("hold", None, base);
    let turn = std::f64::consts::FRAC_PI_2;
    let hinge = b.revolute("hinge", base, arm, [0.0, 1.0, 0.0]).at([1.0, 0.0, 1.0]).position(turn).id();
    let model = cpu(&b);
    let state = model.state().unwrap();
    assert_eq!(model.joint_parent(0, hinge).unwrap(), Some(base));
    assert_eq!(model.joint_child(0, hinge).unwrap(), arm);
    assert_eq!(model.joint_label(0, model.joint_of(0, base).unwrap().unwrap()).unwrap(), "hold");
    assert_eq!((model.joints(), model.dofs(), model.coordinates()), (2, 1, 1));
    // A quarter of a turn about y takes what stands up to what lies along x.
    let at = state.body_q.get(model.body_at(0, arm).unwrap()).unwrap().p;
    assert!(at.abs_diff_eq(Vec3::new(2.0, 0.0, 1.0), 1e-6), "{at}");
}

/// A free body on which another hangs has a joint of its own, with the pose and the velocity of its description.
#[test]
fn a_root_is_free() {
    let mut b = warp::sim::ModelBuilder::new();
    let inertia = warp::math::DMat3::IDENTITY;
    let base = b.body("base").at([0.0, 0.0, 3.0]).velocity([1.0, 2.0, 3.0]).spin([0.0, 0.0, 1.0]);
    let base = base.mass_properties(1.0, [0.5, 0.0, 0.0], inertia).id();
    let arm = b.body("arm").at([1.0, 0.0, 3.0]).mass_properties(1.0, [0.0; 3], inertia).id();
    b.revolute("hinge", base, arm, [0.0, 0.0, 1.0]);
    let model = cpu(&b);
    let state = model.state().unwrap();
    assert_eq!((model.joints(), model.dofs(), model.coordinates()), (2, 7, 8));
    let arm_qd = state.body_qd.get(1).unwrap();
    // From the centre of mass of the base the arm is half a metre along x.
    assert!(arm_qd.linear.abs_diff_eq(Vec3::new(1.0, 2.5, 3.0), 1e-6), "{arm_qd:?}");
    assert_eq!(state.joint_q.to_vec().unwrap(), [0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0]);
}

/// A follower starts where its leader has it, and a follower of a follower too.
#[test]
fn followers_start_with_their_leaders() {
    let mut b = warp::sim::ModelBuilder::new();
    let mut hinges = vec![];
    for (name, ratio, offset) in [("a", 1.0, 0.0), ("b", -0.5, 0.25), ("c", 2.0, 0.1)] {
        let body = b.body(name).mass_properties(1.0, [0.0; 3], warp::math::DMat3::IDENTITY).id();
        let hinge = b.revolute(name, None, body, DVec3::Z).position(0.4);
        let hinge = match hinges.last() {
            Some(&leader) => hinge.mimic(leader, ratio, offset),
            None => hinge,
        };
        hinges.push(hinge.id());
    }
    let model = cpu(&b);
    let q = model.state().unwrap().joint_q.to_vec().unwrap();
    for (found, right) in q.iter().zip([0.4, 0.05, 0.2]) {
        assert_near("a coordinate", f64::from(*found), right, 1e-7);
    }
}
