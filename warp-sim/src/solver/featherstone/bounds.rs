//! How far ball joints are from their cones and twists.
//!
//! Both act as springs along one direction of the rotation, implicit and so stiff that a step leaves about a thousandth of what
//! goes beyond.

use warp::Array;
use warp::math::{SpatialInertia, Vec3};
use warp::prelude::*;

use crate::Error;
use crate::articulation::walk::rotation_at;
use crate::articulation::{Motion, Scratch};
use crate::model::Model;
use crate::model::record::{BALL, JointRecord};

/// How many times the inertia about its direction a bound is as stiff, over the square of the step.
const STIFFNESS: f32 = 1000.0;

/// A direction in which a rotation may go on only so far, along the axes of the parent's side.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(super) struct Bound {
    pub along: Vec3,
    /// The angle that is left, negative beyond.
    pub room: f32,
    /// Its stiffness times the square of the step.
    pub gain: f32,
}

/// Those of a ball joint.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(super) struct Bounds {
    pub cone: Bound,
    pub twist: Bound,
}

#[kernel]
fn measure(
    records: &[JointRecord],
    cone: &[f32],
    twist: &[f32],
    strides: Strides,
    q: &[f32],
    motions: &[Motion],
    composites: &[SpatialInertia],
    bounds: &mut [Bounds],
) {
    let (joint, row) = tid2();
    let record = records[joint];
    if record.kind == BALL {
        let rows = strides.rows as usize;
        let turn = rotation_at(q, row * strides.coordinates as usize + record.q as usize);
        // The cone is about the parent's z axis; that of the child leans away from it about their product.
        let lean = Vec3::Z.cross(turn * Vec3::Z);
        let height = (turn * Vec3::Z).z;
        let size = (lean.length_squared() + 1e-20).sqrt();
        let cone_along = lean / size;
        // The twist is what is left without the lean: twice the angle of (w, z).
        let (z, w) = if turn.w < 0.0 { (-turn.z, -turn.w) } else { (turn.z, turn.w) };
        let angle = 2.0 * z.atan2(w);
        let side = if angle < 0.0 { -1.0 } else { 1.0 };
        let v = turn.xyz();
        let scale = side / (turn.z * turn.z + turn.w * turn.w + 1e-20);
        let twist_along = Vec3::new((turn.w * v.y + turn.z * v.x) * scale, (turn.z * v.y - turn.w * v.x) * scale, side);

        let body = composites[joint * rows + row];
        let first = record.qd as usize * rows + row;
        let (x, y, z) = (motions[first], motions[first + rows], motions[first + 2 * rows]);
        let arm = body.com - x.at;
        let cone_axis = x.angular * cone_along.x + y.angular * cone_along.y + z.angular * cone_along.z;
        let twist_axis = x.angular * twist_along.x + y.angular * twist_along.y + z.angular * twist_along.z;
        bounds[joint * rows + row] = Bounds {
            cone: bound(
                cone[row * strides.cone as usize + joint],
                size.atan2(height),
                cone_along,
                inertia_about(body, arm, cone_axis),
            ),
            twist: bound(
                twist[row * strides.twist as usize + joint],
                side * angle,
                twist_along,
                inertia_about(body, arm, twist_axis),
            ),
        };
    }
}

/// A bound at `most`, which may be infinite: then there is none.
#[func]
fn bound(most: f32, angle: f32, along: Vec3, inertia: f32) -> Bound {
    if most < 4.0 {
        let stiffness: f32 = STIFFNESS;
        Bound { along, room: most - angle, gain: stiffness * inertia }
    } else {
        Bound { along: Vec3::ZERO, room: 0.0, gain: 0.0 }
    }
}

/// What a body has about an axis, `arm` away from its centre.
#[func]
fn inertia_about(body: SpatialInertia, arm: Vec3, axis: Vec3) -> f32 {
    axis.dot(body.inertia * axis) + body.mass * axis.cross(arm).length_squared()
}

#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
struct Strides {
    rows: u32,
    coordinates: u32,
    cone: u32,
    twist: u32,
}

pub(super) fn find_bounds(
    model: &Model,
    q: &Array<f32>,
    scratch: &Scratch,
    composites: &Array<SpatialInertia>,
    bounds: &mut Array<Bounds>,
) -> Result<(), Error> {
    let (rows, joints) = model.worlds.joints.grid();
    let strides = Strides {
        rows: rows as u32,
        coordinates: model.worlds.coordinates.grid().1 as u32,
        cone: model.joint_cone.stride(),
        twist: model.joint_twist.stride(),
    };
    measure::launch(
        (joints, rows),
        &model.joints.records,
        model.joint_cone.array(),
        model.joint_twist.array(),
        strides,
        q,
        &scratch.motions,
        composites,
        bounds,
    )?;
    Ok(())
}
