//! Joints as kernels know them.

use warp::prelude::*;

/// What a joint is and where its things are, by their numbers in the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Struct)]
#[repr(C)]
pub(crate) struct JointRecord {
    /// [`AXES`], [`BALL`] or [`FREE`]; a fixed joint is one of no axes.
    pub kind: u32,
    /// The joint that holds the parent, or [`NONE`] where that is the world.
    pub parent: u32,
    /// The child.
    pub body: u32,
    /// Its first coordinate.
    pub q: u32,
    /// Its first degree of freedom.
    pub qd: u32,
    /// How many degrees of freedom it has, and how many of them slide.
    pub dofs: u32,
    pub linear: u32,
}

/// Slides along axes, then turns about axes.
pub(crate) const AXES: u32 = 0;
/// Coordinates are a quaternion.
pub(crate) const BALL: u32 = 1;
/// Coordinates are a place and a quaternion.
pub(crate) const FREE: u32 = 2;
/// No joint, no leader.
pub(crate) const NONE: u32 = u32::MAX;

impl JointRecord {
    /// How many coordinates it has.
    pub fn coordinates(&self) -> u32 {
        match self.kind {
            AXES => self.dofs,
            BALL => 4,
            _ => 7,
        }
    }

    /// The same in a row that holds other things before.
    pub fn moved(self, joints: u32, bodies: u32, coordinates: u32, dofs: u32) -> JointRecord {
        let parent = if self.parent == NONE { NONE } else { joints + self.parent };
        JointRecord { parent, body: bodies + self.body, q: coordinates + self.q, qd: dofs + self.qd, ..self }
    }
}

/// Two degrees of freedom with an entry in the mass matrix: what hangs on the inner one hangs on the outer one too, or both are
/// the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Struct)]
#[repr(C)]
pub(crate) struct Pair {
    pub outer: u32,
    pub inner: u32,
    /// The joint of the inner one.
    pub joint: u32,
}
