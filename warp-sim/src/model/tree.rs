//! Packs the joints of a world: trees of bodies, each joint with the joints that lead to it and those that hang on it.

use warp::math::{DQuat, DTransform, DVec3, Transform, Vec3};

use super::joint::{Dof, JointKind};
use super::label::Labels;
use super::record::{AXES, BALL, FREE, JointRecord, NONE, Pair};
use super::scene::{Joint, Mimic, Scene};
use super::{ModelError, tree_check};

/// The joints of a row, as the arrays have them.
#[derive(Clone, Debug, Default)]
pub(super) struct Trees {
    pub records: Vec<JointRecord>,
    pub parent_anchor: Vec<Transform>,
    pub child_anchor: Vec<Transform>,
    /// The most that ball joints lean and twist.
    pub cone: Vec<f32>,
    pub twist: Vec<f32>,
    /// By coordinate.
    pub q_start: Vec<f32>,
    pub target_q: Vec<f32>,
    pub rest: Vec<f32>,
    pub dofs: Dofs,
    /// The joint of each body, or none.
    pub of_body: Vec<u32>,
    /// The joints from the root to each one, itself the last.
    pub paths: Lists,
    /// The joints that hang on each one, itself among them.
    pub subtrees: Lists,
}

/// What is known of each degree of freedom.
#[derive(Clone, Debug, Default)]
pub(super) struct Dofs {
    pub joint: Vec<u32>,
    /// Its number in its world.
    pub number: Vec<u32>,
    /// Which degree of freedom it follows: itself, or [`NONE`] where nothing but its own velocity moves it.
    pub leader: Vec<u32>,
    pub ratio: Vec<f32>,
    pub offset: Vec<f32>,
    pub axis: Vec<Vec3>,
    pub qd_start: Vec<f32>,
    pub target_qd: Vec<f32>,
    pub limit_lower: Vec<f32>,
    pub limit_upper: Vec<f32>,
    pub limit_ke: Vec<f32>,
    pub limit_kd: Vec<f32>,
    pub effort_limit: Vec<f32>,
    pub velocity_limit: Vec<f32>,
    pub armature: Vec<f32>,
    pub friction: Vec<f32>,
    pub damping: Vec<f32>,
    pub stiffness: Vec<f32>,
    pub target_ke: Vec<f32>,
    pub target_kd: Vec<f32>,
}

/// Lists of numbers, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    pub start: Vec<u32>,
    pub entries: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Self {
        Lists { start: vec![0], entries: vec![] }
    }
}

impl Lists {
    pub fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.entries.extend(list);
        self.start.push(self.entries.len() as u32);
    }

    /// Adds other lists, their numbers moved.
    fn extend(&mut self, other: &Lists, by: u32) {
        let first = self.entries.len() as u32;
        self.entries.extend(other.entries.iter().map(|entry| by + entry));
        self.start.extend(other.start[1..].iter().map(|start| first + start));
    }
}

impl Trees {
    pub fn of(scene: &Scene) -> Result<Trees, ModelError> {
        let (joints, labels) = with_roots(scene)?;
        let of_body = tree_check::joint_of_bodies(scene, &joints, &labels)?;
        let mut trees = Trees { of_body, ..Trees::default() };
        for (number, joint) in joints.iter().enumerate() {
            let name = labels.call("joint", number);
            tree_check::joint(&name, joint)?;
            trees.add(scene, joint);
        }
        for number in 0..joints.len() {
            let path = trees.path(number);
            trees.paths.push(path.ok_or_else(|| ModelError::JointLoop { joint: labels.call("joint", number) })?);
        }
        for number in 0..joints.len() as u32 {
            let hanging = (0..joints.len() as u32).filter(|&joint| trees.path_of(joint as usize).contains(&number));
            let hanging: Vec<u32> = hanging.collect();
            trees.subtrees.push(hanging);
        }
        trees.tie(&joints, &labels)?;
        Ok(trees)
    }

    /// The joints from the root to one, or none where they go round in a loop.
    fn path(&self, number: usize) -> Option<Vec<u32>> {
        let mut path = vec![number as u32];
        while let parent = self.records[path[0] as usize].parent
            && parent != NONE
        {
            if path.contains(&parent) {
                return None;
            }
            path.insert(0, parent);
        }
        Some(path)
    }

    fn path_of(&self, joint: usize) -> &[u32] {
        &self.paths.entries[self.paths.start[joint] as usize..self.paths.start[joint + 1] as usize]
    }

    /// The joints that hang on one, itself among them.
    pub fn subtree_of(&self, joint: usize) -> &[u32] {
        &self.subtrees.entries[self.subtrees.start[joint] as usize..self.subtrees.start[joint + 1] as usize]
    }

    fn add(&mut self, scene: &Scene, joint: &Joint) {
        let child = &scene.bodies[joint.child as usize];
        let parent_pose = joint.parent.map_or(DTransform::IDENTITY, |parent| scene.bodies[parent as usize].pose);
        let free = joint.kind == JointKind::Free;
        let child_anchor = joint.child_anchor.unwrap_or_else(|| match joint.at {
            Some(at) if !free => DTransform::from_translation(child.pose.inverse_transform_point(at)),
            _ => DTransform::IDENTITY,
        });
        let described = parent_pose.inverse() * child.pose * child_anchor;
        let parent_anchor = joint.parent_anchor.unwrap_or(if free { DTransform::IDENTITY } else { described });
        let kind = match joint.kind {
            JointKind::Fixed | JointKind::Axes => AXES,
            JointKind::Ball => BALL,
            JointKind::Free => FREE,
        };
        self.records.push(JointRecord {
            kind,
            parent: joint.parent.map_or(NONE, |parent| self.of_body[parent as usize]),
            body: joint.child,
            q: self.q_start.len() as u32,
            qd: self.dofs.axis.len() as u32,
            dofs: joint.dofs.len() as u32,
            linear: joint.dofs.iter().filter(|dof| !dof.angular).count() as u32,
        });
        let number = self.records.len() as u32 - 1;
        for (k, dof) in joint.dofs.iter().enumerate() {
            self.dofs.add(number, dof);
            let last = self.dofs.leader.len() - 1;
            if child.kinematic {
                self.dofs.leader[last] = NONE;
            }
            if free {
                // The child's own velocity is the joint's.
                let velocity = if dof.angular { child.angular } else { child.linear };
                let along = (parent_pose.q * parent_anchor.q).inverse() * velocity;
                self.dofs.qd_start[last] += along[k % 3] as f32;
            }
        }
        let single = |q: DQuat| q.normalize().as_quat().to_array();
        match joint.kind {
            JointKind::Fixed | JointKind::Axes => {
                self.q_start.extend(joint.dofs.iter().map(|dof| dof.position as f32));
                self.target_q.extend(joint.dofs.iter().map(|dof| dof.target.unwrap_or(dof.position) as f32));
                self.rest.extend(joint.dofs.iter().map(|dof| dof.rest as f32));
            }
            JointKind::Ball => {
                self.q_start.extend(single(joint.rotation));
                self.target_q.extend(single(joint.rotation));
                self.rest.extend(single(DQuat::IDENTITY));
            }
            JointKind::Free => {
                let start = parent_anchor.inverse() * described;
                let pose = || start.p.as_vec3().to_array().into_iter().chain(single(start.q));
                self.q_start.extend(pose());
                self.target_q.extend(pose());
                self.rest.extend(pose());
            }
        }
        let anchor = |pose: DTransform| Transform::new(pose.p.as_vec3(), pose.q.normalize().as_quat());
        self.parent_anchor.push(anchor(parent_anchor));
        self.child_anchor.push(anchor(child_anchor));
        self.cone.push(joint.cone as f32);
        self.twist.push(joint.twist as f32);
    }

    /// Ties followers to their leaders, and puts them where those start.
    fn tie(&mut self, joints: &[Joint], labels: &Labels) -> Result<(), ModelError> {
        for (number, joint) in joints.iter().enumerate() {
            let Some(first) = joint.mimic else { continue };
            let Mimic { leader, ratio, offset } = tree_check::leader_of(number, first, joints, labels)?;
            let (own, other) = (self.records[number], self.records[leader as usize]);
            let (dof, lead) = (own.qd as usize, other.qd as usize);
            self.dofs.follow(dof, lead, ratio, offset);
            self.q_start[own.q as usize] = ratio as f32 * self.q_start[other.q as usize] + offset as f32;
            self.target_q[own.q as usize] = self.q_start[own.q as usize];
        }
        Ok(())
    }

    /// Which entries the mass matrix has.
    pub fn pairs(&self) -> Vec<Pair> {
        let mut pairs = vec![];
        for (joint, record) in (0..).zip(&self.records) {
            for inner in record.qd..record.qd + record.dofs {
                for &above in self.path_of(joint as usize) {
                    let above = self.records[above as usize];
                    let dofs = above.qd..above.qd + above.dofs;
                    // Of the joint's own, each two of them once.
                    let mine = dofs.filter(|&outer| above.qd != record.qd || outer <= inner);
                    pairs.extend(mine.map(|outer| Pair { outer, inner, joint }));
                }
            }
        }
        pairs
    }

    /// The coordinate of each degree of freedom, or none where that is part of a rotation or a pose.
    pub fn coordinates(&self) -> Vec<u32> {
        let of_dof = |dof: u32| {
            let record = self.records[self.dofs.joint[dof as usize] as usize];
            if record.kind == AXES { record.q + dof - record.qd } else { NONE }
        };
        (0..self.dofs.joint.len() as u32).map(of_dof).collect()
    }

    /// The trees of one more world in the same row.
    pub fn extend(&mut self, world: &Trees) {
        let (joints, bodies) = (self.records.len() as u32, self.of_body.len() as u32);
        let (coordinates, dofs) = (self.q_start.len() as u32, self.dofs.joint.len() as u32);
        self.records.extend(world.records.iter().map(|record| record.moved(joints, bodies, coordinates, dofs)));
        self.parent_anchor.extend(&world.parent_anchor);
        self.child_anchor.extend(&world.child_anchor);
        self.cone.extend(&world.cone);
        self.twist.extend(&world.twist);
        self.q_start.extend(&world.q_start);
        self.target_q.extend(&world.target_q);
        self.rest.extend(&world.rest);
        self.of_body.extend(world.of_body.iter().map(|&joint| if joint == NONE { NONE } else { joints + joint }));
        self.paths.extend(&world.paths, joints);
        self.subtrees.extend(&world.subtrees, joints);
        self.dofs.extend(&world.dofs, joints, dofs);
    }
}

/// The joints as described, and one more for each root that is a parent and that no joint holds.
fn with_roots(scene: &Scene) -> Result<(Vec<Joint>, Labels), ModelError> {
    let (mut joints, mut labels) = (scene.joints.clone(), scene.joint_labels.clone());
    tree_check::ends(scene, &joints, &labels)?;
    for body in 0..scene.bodies.len() as u32 {
        let is_parent = joints.iter().any(|joint| joint.parent == Some(body));
        if is_parent && !joints.iter().any(|joint| joint.child == body) {
            labels.add("joint", &format!("free joint of {}", scene.body_labels.call("body", body as usize)));
            joints.push(Joint::new(JointKind::Free, None, body, Joint::free_dofs()));
        }
    }
    Ok((joints, labels))
}

impl Dofs {
    fn add(&mut self, joint: u32, dof: &Dof) {
        self.joint.push(joint);
        self.number.push(self.number.len() as u32);
        self.leader.push(self.leader.len() as u32);
        self.ratio.push(1.0);
        self.offset.push(0.0);
        self.axis.push(dof.axis.try_normalize().unwrap_or(DVec3::Z).as_vec3());
        self.qd_start.push(dof.velocity as f32);
        self.target_qd.push(dof.target_velocity as f32);
        self.limit_lower.push(dof.limits[0] as f32);
        self.limit_upper.push(dof.limits[1] as f32);
        self.limit_ke.push(dof.limit_gains[0] as f32);
        self.limit_kd.push(dof.limit_gains[1] as f32);
        self.effort_limit.push(dof.effort_limit as f32);
        self.velocity_limit.push(dof.velocity_limit as f32);
        self.armature.push(dof.armature as f32);
        self.friction.push(dof.friction as f32);
        self.damping.push(dof.damping as f32);
        self.stiffness.push(dof.stiffness as f32);
        self.target_ke.push(dof.target_gains[0] as f32);
        self.target_kd.push(dof.target_gains[1] as f32);
    }

    /// Which one each follows: itself where it follows none.
    pub fn leaders(&self) -> Vec<u32> {
        (0..).zip(&self.leader).map(|(dof, &leader)| if leader == NONE { dof } else { leader }).collect()
    }

    /// Makes one follow another. What stops the follower stops its leader: limits and friction go over to that.
    fn follow(&mut self, dof: usize, lead: usize, ratio: f64, offset: f64) {
        let (ratio, offset) = (ratio as f32, offset as f32);
        (self.leader[dof], self.ratio[dof], self.offset[dof]) = (lead as u32, ratio, offset);
        self.qd_start[dof] = ratio * self.qd_start[lead];
        if ratio == 0.0 {
            return;
        }
        let ends = [self.limit_lower[dof], self.limit_upper[dof]].map(|end| (end - offset) / ratio);
        self.limit_lower[lead] = self.limit_lower[lead].max(ends[0].min(ends[1]));
        self.limit_upper[lead] = self.limit_upper[lead].min(ends[0].max(ends[1]));
        self.velocity_limit[lead] = self.velocity_limit[lead].min(self.velocity_limit[dof] / ratio.abs());
        self.friction[lead] += self.friction[dof] * ratio.abs();
        (self.limit_lower[dof], self.limit_upper[dof]) = (f32::NEG_INFINITY, f32::INFINITY);
        (self.velocity_limit[dof], self.friction[dof]) = (f32::INFINITY, 0.0);
    }

    fn extend(&mut self, other: &Dofs, joints: u32, dofs: u32) {
        self.joint.extend(other.joint.iter().map(|joint| joints + joint));
        self.leader.extend(other.leader.iter().map(|&leader| if leader == NONE { NONE } else { dofs + leader }));
        self.axis.extend(&other.axis);
        macro_rules! all {
            ($($field:ident)*) => { $(self.$field.extend(&other.$field);)* };
        }
        all! {
            number ratio offset qd_start target_qd limit_lower limit_upper limit_ke limit_kd effort_limit velocity_limit armature
            friction damping stiffness target_ke target_kd
        }
    }
}
