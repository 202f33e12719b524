//! Random trees of joints, and what they do by a reference in double precision: poses by their definition, everything else by
//! differences of poses.

use warp::math::{DMat3, DQuat, DTransform, DVec3};
use warp::sim::{Dof, JointId, ModelBuilder};

/// Numbers that look random and are the same each time.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Between -1 and 1.
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn below(&mut self, count: usize) -> usize {
        ((self.next() * 0.5 + 0.5) * count as f64) as usize % count
    }

    pub fn vec(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_scaled_axis(2.0 * self.vec())
    }

    pub fn pose(&mut self) -> DTransform {
        DTransform::new(self.vec(), self.rotation())
    }
}

#[derive(Clone)]
pub enum Kind {
    /// Axes, and how many of them slide.
    Axes(Vec<DVec3>, usize),
    Ball,
    Free,
}

#[derive(Clone)]
pub struct TestJoint {
    pub kind: Kind,
    /// The joint that holds the parent.
    pub parent: Option<usize>,
    pub parent_anchor: DTransform,
    pub child_anchor: DTransform,
    pub mass: f64,
    pub com: DVec3,
    pub inertia: DMat3,
}

/// A tree with one body for each joint, in the order of parents before children.
#[derive(Clone)]
pub struct Tree {
    pub joints: Vec<TestJoint>,
    pub gravity: DVec3,
}

/// Coordinates and speeds of joints, in the layout of the library.
#[derive(Clone)]
pub struct Motion {
    pub q: Vec<f64>,
    pub qd: Vec<f64>,
}

impl Tree {
    pub fn random(seed: u64, joints: usize) -> (Tree, Motion) {
        let mut n = Numbers::new(seed);
        let mut motion = Motion { q: vec![], qd: vec![] };
        let mut tree = Tree { joints: vec![], gravity: DVec3::new(0.3, -0.2, -9.81) };
        for number in 0..joints {
            let kind = match n.below(6) {
                0 => Kind::Ball,
                1 => Kind::Free,
                2 => Kind::Axes(vec![], 0),
                _ => {
                    // Not at right angles, and far from being dependent.
                    let (linear, angular) = (n.below(3), n.below(3));
                    let turn = n.rotation();
                    let unit = |k: usize| [DVec3::X, DVec3::Y, DVec3::Z][k % 3];
                    let axis =
                        |k: usize| (turn * (unit(if k < linear { k } else { k - linear }) + 0.3 * n.vec())).normalize();
                    Kind::Axes((0..=linear + angular).map(axis).collect(), linear)
                }
            };
            let (q, qd): (Vec<f64>, usize) = match &kind {
                Kind::Axes(axes, _) => (axes.iter().map(|_| 0.8 * n.next()).collect(), axes.len()),
                Kind::Ball => (n.rotation().to_array().to_vec(), 3),
                Kind::Free => (n.vec().to_array().into_iter().chain(n.rotation().to_array()).collect(), 6),
            };
            motion.q.extend(q);
            motion.qd.extend((0..qd).map(|_| 2.0 * n.next()));
            let parent = (number > 0 && n.below(4) > 0).then(|| n.below(number));
            let turn = DMat3::from_quat(n.rotation());
            let moments = DVec3::new(1.0, 1.2, 1.4) + 0.2 * n.vec();
            tree.joints.push(TestJoint {
                kind,
                parent,
                parent_anchor: n.pose(),
                child_anchor: n.pose(),
                mass: 1.5 + n.next(),
                com: 0.5 * n.vec(),
                inertia: turn * DMat3::from_diagonal(0.2 * moments) * turn.transpose(),
            });
        }
        (tree, motion)
    }

    /// The tree as a user would describe it, starting at a motion.
    pub fn described(&self, motion: &Motion) -> ModelBuilder {
        let mut b = ModelBuilder::new();
        b.gravity(self.gravity);
        self.describe(&mut b, motion);
        b
    }

    pub fn describe(&self, b: &mut ModelBuilder, motion: &Motion) -> Vec<JointId> {
        let mut ids = vec![];
        let mut bodies = vec![];
        let (mut at_q, mut at_qd) = (0, 0);
        for (number, joint) in self.joints.iter().enumerate() {
            let pose = match joint.kind {
                // What a free joint starts at is where its child is described.
                Kind::Free => {
                    let parent =
                        joint.parent.map_or(DTransform::IDENTITY, |parent| self.described_pose(parent, motion));
                    parent * joint.parent_anchor * pose_at(&motion.q[at_q..]) * joint.child_anchor.inverse()
                }
                _ => DTransform::IDENTITY,
            };
            let body = b.body(format!("body {number}")).at(pose.p).turned(pose.q);
            let body = body.mass_properties(joint.mass, joint.com, joint.inertia).id();
            bodies.push(body);
            let parent = joint.parent.map(|parent| bodies[parent]);
            let label = format!("joint {number}");
            let described = match &joint.kind {
                Kind::Axes(axes, linear) => {
                    let dof = |(k, axis): (usize, &DVec3)| {
                        let dof = if k < *linear { Dof::linear(*axis) } else { Dof::angular(*axis) };
                        dof.position(motion.q[at_q + k]).velocity(motion.qd[at_qd + k])
                    };
                    b.d6(label, parent, body, axes.iter().enumerate().map(dof).collect::<Vec<_>>())
                }
                Kind::Ball => b.ball(label, parent, body).turned(rotation_at(&motion.q[at_q..])),
                Kind::Free => b.free(label, parent, body),
            };
            ids.push(described.parent_anchor(joint.parent_anchor).child_anchor(joint.child_anchor).id());
            at_q += joint.coordinates();
            at_qd += joint.dofs();
        }
        ids
    }

    /// Where a body is described: at the world's origin, but for free ones.
    fn described_pose(&self, number: usize, motion: &Motion) -> DTransform {
        let joint = &self.joints[number];
        if !matches!(joint.kind, Kind::Free) {
            return DTransform::IDENTITY;
        }
        let at_q: usize = self.joints[..number].iter().map(TestJoint::coordinates).sum();
        let parent = joint.parent.map_or(DTransform::IDENTITY, |parent| self.described_pose(parent, motion));
        parent * joint.parent_anchor * pose_at(&motion.q[at_q..]) * joint.child_anchor.inverse()
    }

    pub fn dofs(&self) -> usize {
        self.joints.iter().map(TestJoint::dofs).sum()
    }

    /// Where all bodies are.
    pub fn poses(&self, q: &[f64]) -> Vec<DTransform> {
        let mut poses: Vec<DTransform> = vec![];
        let mut at = 0;
        for joint in &self.joints {
            let parent = joint.parent.map_or(DTransform::IDENTITY, |parent| poses[parent]);
            let moved = match &joint.kind {
                Kind::Axes(axes, linear) => axes.iter().enumerate().fold(DTransform::IDENTITY, |pose, (k, axis)| {
                    pose * match k < *linear {
                        true => DTransform::from_translation(*axis * q[at + k]),
                        false => DTransform::from_rotation(DQuat::from_axis_angle(*axis, q[at + k])),
                    }
                }),
                Kind::Ball => DTransform::from_rotation(rotation_at(&q[at..])),
                Kind::Free => pose_at(&q[at..]),
            };
            poses.push(parent * joint.parent_anchor * moved * joint.child_anchor.inverse());
            at += joint.coordinates();
        }
        poses
    }

    /// Centres of mass, and rotations.
    fn centers(&self, q: &[f64]) -> Vec<(DVec3, DQuat)> {
        let poses = self.poses(q);
        self.joints.iter().zip(poses).map(|(joint, pose)| (pose.transform_point(joint.com), pose.q)).collect()
    }

    /// Coordinates after a time at given speeds and accelerations: a curve that has these at its start.
    pub fn after(&self, q: &[f64], qd: &[f64], qdd: &[f64], t: f64) -> Vec<f64> {
        let (mut out, mut at_q, mut at_qd) = (vec![], 0, 0);
        let along = |k: usize| qd[k] * t + 0.5 * qdd[k] * t * t;
        for joint in &self.joints {
            match &joint.kind {
                Kind::Axes(axes, _) => out.extend((0..axes.len()).map(|k| q[at_q + k] + along(at_qd + k))),
                Kind::Ball => out.extend(turned(&q[at_q..], &along, at_qd)),
                Kind::Free => {
                    let start = pose_at(&q[at_q..]);
                    let rotation = DQuat::from_slice(&turned(&q[at_q + 3..], &along, at_qd + 3));
                    // The speeds are those of the centre of mass.
                    let com = joint.child_anchor.inverse().transform_point(joint.com);
                    let shift = DVec3::new(along(at_qd), along(at_qd + 1), along(at_qd + 2));
                    out.extend((start.transform_point(com) + shift - rotation * com).to_array());
                    out.extend(rotation.to_array());
                }
            }
            at_q += joint.coordinates();
            at_qd += joint.dofs();
        }
        out
    }

    /// Velocities of centres of mass, and how bodies turn.
    pub fn velocities(&self, q: &[f64], qd: &[f64]) -> Vec<(DVec3, DVec3)> {
        let still = vec![0.0; qd.len()];
        let h = 1e-5;
        let [before, after] = [-h, h].map(|t| self.centers(&self.after(q, qd, &still, t)));
        let change = |((a, p), (b, q)): (&(DVec3, DQuat), &(DVec3, DQuat))| {
            ((*b - *a) / (2.0 * h), spin_between(*p, *q) / (2.0 * h))
        };
        before.iter().zip(&after).map(change).collect()
    }

    /// What each degree of freedom has to do for these accelerations: d'Alembert's principle on differences of poses.
    pub fn efforts(&self, motion: &Motion, qdd: &[f64]) -> Vec<f64> {
        let h = 1e-4;
        let at = |t: f64| self.centers(&self.after(&motion.q, &motion.qd, qdd, t));
        let [before, now, after] = [at(-h), at(0.0), at(h)];
        let columns: Vec<Vec<(DVec3, DVec3)>> = (0..self.dofs())
            .map(|dof| {
                let unit: Vec<f64> = (0..self.dofs()).map(|k| f64::from(u8::from(k == dof))).collect();
                self.velocities(&motion.q, &unit)
            })
            .collect();
        let mut wrenches = vec![];
        for (k, joint) in self.joints.iter().enumerate() {
            let acceleration = (after[k].0 - 2.0 * now[k].0 + before[k].0) / (h * h);
            let (late, early) = (spin_between(now[k].1, after[k].1) / h, spin_between(before[k].1, now[k].1) / h);
            let (w, rate) = (0.5 * (late + early), (late - early) / h);
            let turn = DMat3::from_quat(now[k].1);
            let inertia = turn * joint.inertia * turn.transpose();
            let force = joint.mass * (acceleration - self.gravity);
            wrenches.push((force, inertia * rate + w.cross(inertia * w)));
        }
        let work = |column: &Vec<(DVec3, DVec3)>| {
            column.iter().zip(&wrenches).map(|((v, w), (f, n))| v.dot(*f) + w.dot(*n)).sum()
        };
        columns.iter().map(work).collect()
    }

    /// The mass matrix by its definition: the sum of what all bodies have of kinetic energy.
    pub fn mass_matrix(&self, q: &[f64]) -> Vec<Vec<f64>> {
        let dofs = self.dofs();
        let unit = |dof: usize| (0..dofs).map(|k| f64::from(u8::from(k == dof))).collect::<Vec<_>>();
        let columns: Vec<_> = (0..dofs).map(|dof| self.velocities(q, &unit(dof))).collect();
        let turns: Vec<DMat3> = self.poses(q).iter().map(|pose| DMat3::from_quat(pose.q)).collect();
        let entry = |a: &Vec<(DVec3, DVec3)>, b: &Vec<(DVec3, DVec3)>| {
            let of = |k: usize| {
                let joint = &self.joints[k];
                let inertia = turns[k] * joint.inertia * turns[k].transpose();
                joint.mass * a[k].0.dot(b[k].0) + a[k].1.dot(inertia * b[k].1)
            };
            (0..self.joints.len()).map(of).sum()
        };
        columns.iter().map(|a| columns.iter().map(|b| entry(a, b)).collect()).collect()
    }
}

impl TestJoint {
    pub fn coordinates(&self) -> usize {
        match &self.kind {
            Kind::Axes(axes, _) => axes.len(),
            Kind::Ball => 4,
            Kind::Free => 7,
        }
    }

    pub fn dofs(&self) -> usize {
        match &self.kind {
            Kind::Axes(axes, _) => axes.len(),
            Kind::Ball => 3,
            Kind::Free => 6,
        }
    }
}

pub fn rotation_at(q: &[f64]) -> DQuat {
    DQuat::from_xyzw(q[0], q[1], q[2], q[3])
}

pub fn pose_at(q: &[f64]) -> DTransform {
    DTransform::new(DVec3::new(q[0], q[1], q[2]), rotation_at(&q[3..]))
}

/// A rotation that is turned about the axes of the parent's side.
fn turned(q: &[f64], along: &impl Fn(usize) -> f64, first: usize) -> [f64; 4] {
    let turn = DVec3::new(along(first), along(first + 1), along(first + 2));
    (DQuat::from_scaled_axis(turn) * rotation_at(q)).to_array()
}

/// The turn from one rotation to another that is near.
fn spin_between(from: DQuat, to: DQuat) -> DVec3 {
    let mut turn = to * from.inverse();
    if turn.w < 0.0 {
        turn = -turn;
    }
    // Of small turns the vector part keeps all digits.
    let v = DVec3::new(turn.x, turn.y, turn.z);
    v * (2.0 * v.length().atan2(turn.w) / v.length().max(1e-300))
}
