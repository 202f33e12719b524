//! Describes joints.

use warp::math::{DQuat, DTransform, DVec3};

use super::builder::ModelBuilder;
use super::label::JointId;
use super::scene::{Joint, Mimic};

/// How a joint lets its child move against its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JointKind {
    /// Not at all.
    Fixed,
    /// Along and about up to six axes, one after the other: revolute, prismatic, universal and all that D6 means.
    Axes,
    /// About any axis through its anchor. Its coordinates are a quaternion.
    Ball,
    /// Anyhow. Its coordinates are a place and a quaternion.
    Free,
}

/// One degree of freedom of a joint: an axis to turn about or to slide along, and what acts there.
///
/// Coordinates are radians, or metres. All that is not said is absent: no limits, no friction, no spring, no drive.
#[derive(Clone, Debug)]
pub struct Dof {
    pub(super) angular: bool,
    pub(super) axis: DVec3,
    pub(super) position: f64,
    pub(super) velocity: f64,
    pub(super) limits: [f64; 2],
    pub(super) limit_gains: [f64; 2],
    pub(super) effort_limit: f64,
    pub(super) velocity_limit: f64,
    pub(super) armature: f64,
    pub(super) friction: f64,
    pub(super) damping: f64,
    pub(super) stiffness: f64,
    pub(super) rest: f64,
    pub(super) target_gains: [f64; 2],
    pub(super) target: Option<f64>,
    pub(super) target_velocity: f64,
}

impl Dof {
    /// Turns about an axis, in the joint's frame. Its length does not count.
    pub fn angular(axis: impl Into<DVec3>) -> Dof {
        Dof::new(true, axis.into())
    }

    /// Slides along an axis, in the joint's frame. Its length does not count.
    pub fn linear(axis: impl Into<DVec3>) -> Dof {
        Dof::new(false, axis.into())
    }

    /// Whether it has a drive.
    pub(crate) fn is_driven(&self) -> bool {
        self.target_gains != [0.0; 2]
    }

    /// The most that its drive can do.
    pub(crate) fn most_effort(&self) -> f64 {
        self.effort_limit
    }

    pub(super) fn new(angular: bool, axis: DVec3) -> Dof {
        Dof {
            angular,
            axis,
            position: 0.0,
            velocity: 0.0,
            limits: [f64::NEG_INFINITY, f64::INFINITY],
            limit_gains: [0.0; 2],
            effort_limit: f64::INFINITY,
            velocity_limit: f64::INFINITY,
            armature: 0.0,
            friction: 0.0,
            damping: 0.0,
            stiffness: 0.0,
            rest: 0.0,
            target_gains: [0.0; 2],
            target: None,
            target_velocity: 0.0,
        }
    }
}

impl Joint {
    pub(super) fn new(kind: JointKind, parent: Option<u32>, child: u32, dofs: Vec<Dof>) -> Joint {
        Joint {
            kind,
            parent,
            child,
            at: None,
            parent_anchor: None,
            child_anchor: None,
            dofs,
            rotation: DQuat::IDENTITY,
            cone: f64::INFINITY,
            twist: f64::INFINITY,
            mimic: None,
        }
    }

    /// Those of a free joint: along the axes of its parent's side, then about them.
    pub(super) fn free_dofs() -> Vec<Dof> {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        axes.map(Dof::linear).into_iter().chain(axes.map(Dof::angular)).collect()
    }
}

/// Describes a joint, one call after the other; [`id`](JointBuilder::id) ends it.
///
/// Bodies are described where they are while all coordinates are zero. A model's start is where the joints'
/// [`position`](JointBuilder::position)s take them. What acts along a degree of freedom is said of all that the joint has;
/// for a joint with several, [`Dof`] says it of each.
#[derive(Debug)]
pub struct JointBuilder<'a> {
    builder: &'a mut ModelBuilder,
    id: JointId,
}

impl<'a> JointBuilder<'a> {
    pub(super) fn new(builder: &'a mut ModelBuilder, id: JointId) -> Self {
        JointBuilder { builder, id }
    }

    fn described(self, describe: impl FnOnce(&mut Joint)) -> Self {
        describe(&mut self.builder.scene.joints[self.id.index()]);
        self
    }

    /// Has what acts along one degree of freedom act along all that it has; their axes stay.
    pub fn every(self, dof: Dof) -> Self {
        self.each(|own| Dof { angular: own.angular, axis: own.axis, ..dof.clone() })
    }

    fn each(self, describe: impl Fn(Dof) -> Dof) -> Self {
        self.described(|joint| joint.dofs = joint.dofs.drain(..).map(describe).collect())
    }

    /// Puts the joint there, in the world as described, in place of the child's origin. Its axes stay the child's.
    pub fn at(self, position: impl Into<DVec3>) -> Self {
        self.described(|joint| joint.at = Some(position.into()))
    }

    /// Where the joint's frame is in its parent, in place of where its child is described.
    pub fn parent_anchor(self, pose: DTransform) -> Self {
        self.described(|joint| joint.parent_anchor = Some(pose))
    }

    /// Where the joint's frame is in its child, in place of the child's own frame.
    pub fn child_anchor(self, pose: DTransform) -> Self {
        self.described(|joint| joint.child_anchor = Some(pose))
    }

    /// How a ball joint is turned at the start: from the child's side of the joint to the parent's.
    pub fn turned(self, rotation: impl Into<DQuat>) -> Self {
        self.described(|joint| joint.rotation = rotation.into().normalize())
    }

    /// Keeps a ball joint within a cone: its frame's z axis on the child's side leans from that on the parent's side by at most
    /// this angle, rad, between 0 and π.
    pub fn cone(self, angle: impl Into<f64>) -> Self {
        self.described(|joint| joint.cone = angle.into())
    }

    /// Keeps a ball joint from twisting about its frame's z axis by more than this angle either way, rad, between 0 and π.
    pub fn twist(self, angle: impl Into<f64>) -> Self {
        self.described(|joint| joint.twist = angle.into())
    }

    /// Ties the joint to another one with one degree of freedom: its coordinate is `ratio` times the other's, plus `offset`.
    pub fn mimic(self, leader: JointId, ratio: impl Into<f64>, offset: impl Into<f64>) -> Self {
        let mimic = Mimic { leader: leader.0, ratio: ratio.into(), offset: offset.into() };
        self.described(|joint| joint.mimic = Some(mimic))
    }

    /// What it is called by from now on.
    pub fn id(self) -> JointId {
        self.id
    }
}

/// The same words for one degree of freedom and for all of a joint.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident($($value:ident),*) |$dof:ident| $set:expr;)*) => {
        impl Dof {
            $($(#[$doc])* pub fn $name(self, $($value: impl Into<f64>),*) -> Dof {
                let mut $dof = self;
                $(let $value: f64 = $value.into();)*
                $set;
                $dof
            })*
        }

        impl JointBuilder<'_> {
            $($(#[$doc])* pub fn $name(self, $($value: impl Into<f64>),*) -> Self {
                $(let $value: f64 = $value.into();)*
                self.each(|dof| dof.$name($($value),*))
            })*
        }
    };
}

words! {
    /// Its coordinate at the start: rad or m.
    position(q) |dof| dof.position = q;
    /// Its speed at the start: rad/s or m/s.
    velocity(qd) |dof| dof.velocity = qd;
    /// Keeps its coordinate between these.
    limits(lower, upper) |dof| dof.limits = [lower, upper];
    /// Makes its limits springs of this stiffness (N/m or N m/rad) and damping (N s/m or N m s/rad) in place of hard stops.
    soft_limits(stiffness, damping) |dof| dof.limit_gains = [stiffness, damping];
    /// The most that its drive can do, N or N m.
    effort_limit(effort) |dof| dof.effort_limit = effort;
    /// The fastest that it goes, m/s or rad/s.
    velocity_limit(speed) |dof| dof.velocity_limit = speed;
    /// What rotors and gears add to its inertia, kg or kg m².
    armature(inertia) |dof| dof.armature = inertia;
    /// Dry friction: the effort below which it sticks, N or N m.
    friction(effort) |dof| dof.friction = effort;
    /// How it is braked: N s/m or N m s/rad.
    damping(damping) |dof| dof.damping = damping;
    /// A spring of this stiffness (N/m or N m/rad) that pulls its coordinate to `rest`.
    spring(stiffness, rest) |dof| (dof.stiffness, dof.rest) = (stiffness, rest);
    /// A drive towards a target, of this stiffness (N/m or N m/rad) and damping (N s/m or N m s/rad).
    drive(stiffness, damping) |dof| dof.target_gains = [stiffness, damping];
    /// Where its drive goes to, until [`Control`](super::Control) says otherwise; where the joint starts unless said here.
    target(q) |dof| dof.target = Some(q);
    /// How fast its drive wants it to go, until [`Control`](super::Control) says otherwise.
    target_velocity(qd) |dof| dof.target_velocity = qd;
}
