//! Which joints can be.

use warp::math::DTransform;

use super::ModelError;
use super::finalize::{finite, not_negative, number};
use super::joint::{Dof, JointKind};
use super::label::Labels;
use super::record::NONE;
use super::scene::{Joint, Mimic, Scene};

/// Whether the bodies of joints are there.
pub(super) fn ends(scene: &Scene, joints: &[Joint], labels: &Labels) -> Result<(), ModelError> {
    let bodies = scene.bodies.len() as u32;
    for (number, joint) in joints.iter().enumerate() {
        let name = || labels.call("joint", number);
        if joint.child >= bodies || joint.parent.is_some_and(|parent| parent >= bodies || parent == joint.child) {
            return Err(ModelError::JointEnds { joint: name() });
        }
        let child = &scene.bodies[joint.child as usize];
        let body = || scene.body_labels.call("body", joint.child as usize);
        if child.kinematic {
            return Err(ModelError::JointedKinematic { body: body(), joint: name() });
        }
        let moves = child.linear != Default::default() || child.angular != Default::default();
        if moves && joint.kind != JointKind::Free {
            return Err(ModelError::JointedMotion { body: body(), joint: name() });
        }
    }
    Ok(())
}

/// The joint of each body, or [`NONE`].
pub(super) fn joint_of_bodies(scene: &Scene, joints: &[Joint], labels: &Labels) -> Result<Vec<u32>, ModelError> {
    let mut of_body = vec![NONE; scene.bodies.len()];
    for (number, joint) in joints.iter().enumerate() {
        let other = std::mem::replace(&mut of_body[joint.child as usize], number as u32);
        if other != NONE {
            return Err(ModelError::TwoJoints {
                body: scene.body_labels.call("body", joint.child as usize),
                joints: [other as usize, number].map(|joint| labels.call("joint", joint)),
            });
        }
    }
    Ok(of_body)
}

/// Whether a joint's own numbers make sense.
pub(super) fn joint(name: &str, joint: &Joint) -> Result<(), ModelError> {
    let linear = joint.dofs.iter().filter(|dof| !dof.angular).count();
    let sorted = joint.dofs.iter().skip(linear).all(|dof| dof.angular);
    if joint.kind == JointKind::Axes && (!sorted || linear > 3 || joint.dofs.len() - linear > 3) {
        return Err(ModelError::JointAxes { joint: name.to_owned() });
    }
    for pose in [joint.parent_anchor, joint.child_anchor].into_iter().flatten() {
        anchor(name, pose)?;
    }
    if let Some(at) = joint.at {
        finite(name, "place", at)?;
    }
    for (property, angle) in [("cone", joint.cone), ("twist", joint.twist)] {
        let given = angle != f64::INFINITY;
        let range = "between 0 and π, and only ball joints have one";
        let may =
            |angle: f64| !given || (joint.kind == JointKind::Ball && (0.0..=std::f64::consts::PI).contains(&angle));
        number(name, property, angle, range, may)?;
    }
    joint.dofs.iter().try_for_each(|dof| check_dof(name, joint.kind, dof))
}

fn anchor(name: &str, pose: DTransform) -> Result<(), ModelError> {
    finite(name, "anchor", pose.p)?;
    number(name, "anchor's rotation's length", pose.q.length(), "1", |length| (length - 1.0).abs() < 1e-6)
}

fn check_dof(name: &str, kind: JointKind, dof: &Dof) -> Result<(), ModelError> {
    let length = dof.axis.length();
    number(name, "axis's length", length, "above zero and finite", |length| length > 0.0 && length.is_finite())?;
    for (property, value) in [
        ("position", dof.position),
        ("velocity", dof.velocity),
        ("spring's rest", dof.rest),
        ("target", dof.target.unwrap_or(0.0)),
        ("target velocity", dof.target_velocity),
    ] {
        number(name, property, value, "finite in single precision", |value| (value as f32).is_finite())?;
    }
    for (property, value) in [
        ("limits' stiffness", dof.limit_gains[0]),
        ("limits' damping", dof.limit_gains[1]),
        ("armature", dof.armature),
        ("friction", dof.friction),
        ("damping", dof.damping),
        ("spring's stiffness", dof.stiffness),
        ("drive's stiffness", dof.target_gains[0]),
        ("drive's damping", dof.target_gains[1]),
    ] {
        not_negative(name, property, value)?;
    }
    for (property, value) in [("effort limit", dof.effort_limit), ("velocity limit", dof.velocity_limit)] {
        number(name, property, value, "at least zero", |value| value >= 0.0)?;
    }
    let [lower, upper] = dof.limits;
    let above = "not above the upper one";
    number(name, "lower limit", lower, above, |lower| {
        lower <= upper && lower < f64::INFINITY && upper > -f64::INFINITY
    })?;
    let bare = dof.position == 0.0
        && dof.rest == 0.0
        && dof.target.is_none()
        && lower == -f64::INFINITY
        && upper == f64::INFINITY;
    if matches!(kind, JointKind::Ball | JointKind::Free) && !bare {
        return Err(ModelError::JointCoordinate { joint: name.to_owned() });
    }
    Ok(())
}

/// Which joint leads one in the end, through all that follow each other between.
pub(super) fn leader_of(number: usize, first: Mimic, joints: &[Joint], labels: &Labels) -> Result<Mimic, ModelError> {
    let wrong = |why| ModelError::Mimic { joint: labels.call("joint", number), why };
    let single = |joint: &Joint| joint.kind == JointKind::Axes && joint.dofs.len() == 1;
    let own = &joints[number];
    if !single(own) {
        return Err(wrong("it has to have one degree of freedom"));
    }
    if own.dofs[0].target_gains != [0.0; 2] {
        return Err(wrong("it has a drive, and only its leader can be driven"));
    }
    let mut all = first;
    for _ in 0..joints.len() {
        if !(all.ratio as f32).is_finite() || !(all.offset as f32).is_finite() {
            return Err(wrong("its ratio and offset have to be finite"));
        }
        let Some(leader) = joints.get(all.leader as usize) else {
            return Err(wrong("its leader has to be a joint of its world"));
        };
        if !single(leader) {
            return Err(wrong("its leader has to have one degree of freedom"));
        }
        let Some(next) = leader.mimic else { return Ok(all) };
        all =
            Mimic { leader: next.leader, ratio: all.ratio * next.ratio, offset: all.ratio * next.offset + all.offset };
    }
    Err(wrong("those that it follows follow each other in a circle"))
}
