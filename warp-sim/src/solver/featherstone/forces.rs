//! What acts along one degree of freedom: drives, springs, damping, friction, limits.
//!
//! Drives, springs and damping are implicit: they are those of the end of the step, whose motion is not known yet, so that their
//! slopes times the step go to the matrix and no stiffness is too large. What switches, such as a limit or dry friction, has a
//! mark, which the solution sets.

use warp::math::Quat;
use warp::prelude::*;

use crate::articulation::walk::{component, rotation_at};
use crate::model::record::{AXES, BALL, JointRecord, NONE};
use crate::model::{Control, Model, State};

/// The drive does all that it can, forward or back.
pub(super) const DRIVES_FORWARD: u32 = 1;
pub(super) const DRIVES_BACK: u32 = 2;
/// The limit acts.
pub(super) const LOWER: u32 = 4;
pub(super) const UPPER: u32 = 8;
/// Dry friction brakes what slides; with neither, what has friction sticks.
pub(super) const SLIDES_FORWARD: u32 = 16;
pub(super) const SLIDES_BACK: u32 = 32;
/// It goes as fast as it may.
pub(super) const FAST_FORWARD: u32 = 64;
pub(super) const FAST_BACK: u32 = 128;
/// On the first degree of freedom of a ball joint: its cone acts, or its twist.
pub(super) const CONE: u32 = 256;
pub(super) const TWIST: u32 = 512;

/// What the model knows of degrees of freedom.
#[derive(Args)]
pub(super) struct Dofs<'a> {
    pub joint: &'a [u32],
    pub records: &'a [JointRecord],
    /// The coordinate of each, or none.
    pub coordinate: &'a [u32],
    pub limit_lower: &'a [f32],
    pub limit_upper: &'a [f32],
    pub limit_ke: &'a [f32],
    pub limit_kd: &'a [f32],
    pub effort_limit: &'a [f32],
    pub velocity_limit: &'a [f32],
    pub armature: &'a [f32],
    pub friction: &'a [f32],
    pub damping: &'a [f32],
    pub stiffness: &'a [f32],
    pub rest: &'a [f32],
    pub target_ke: &'a [f32],
    pub target_kd: &'a [f32],
    pub strides: DofStrides,
}

#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(super) struct DofStrides {
    pub limit_lower: u32,
    pub limit_upper: u32,
    pub limit_ke: u32,
    pub limit_kd: u32,
    pub effort_limit: u32,
    pub velocity_limit: u32,
    pub armature: u32,
    pub friction: u32,
    pub damping: u32,
    pub stiffness: u32,
    pub rest: u32,
    pub target_ke: u32,
    pub target_kd: u32,
    pub coordinates: u32,
    pub dofs: u32,
}

/// Where joints are and what the program asks of them.
#[derive(Args)]
pub(super) struct Asked<'a> {
    pub q: &'a [f32],
    pub qd: &'a [f32],
    pub target_q: &'a [f32],
    pub target_qd: &'a [f32],
    pub effort: &'a [f32],
}

pub(super) fn dofs(model: &Model) -> DofsArrays<'_> {
    DofsArrays {
        joint: &model.joints.of_dof,
        records: &model.joints.records,
        coordinate: &model.joints.coordinate,
        limit_lower: model.joint_limit_lower.array(),
        limit_upper: model.joint_limit_upper.array(),
        limit_ke: model.joint_limit_ke.array(),
        limit_kd: model.joint_limit_kd.array(),
        effort_limit: model.joint_effort_limit.array(),
        velocity_limit: model.joint_velocity_limit.array(),
        armature: model.joint_armature.array(),
        friction: model.joint_friction.array(),
        damping: model.joint_damping.array(),
        stiffness: model.joint_stiffness.array(),
        rest: model.joint_rest.array(),
        target_ke: model.joint_target_ke.array(),
        target_kd: model.joint_target_kd.array(),
        strides: DofStrides {
            limit_lower: model.joint_limit_lower.stride(),
            limit_upper: model.joint_limit_upper.stride(),
            limit_ke: model.joint_limit_ke.stride(),
            limit_kd: model.joint_limit_kd.stride(),
            effort_limit: model.joint_effort_limit.stride(),
            velocity_limit: model.joint_velocity_limit.stride(),
            armature: model.joint_armature.stride(),
            friction: model.joint_friction.stride(),
            damping: model.joint_damping.stride(),
            stiffness: model.joint_stiffness.stride(),
            rest: model.joint_rest.stride(),
            target_ke: model.joint_target_ke.stride(),
            target_kd: model.joint_target_kd.stride(),
            coordinates: model.worlds.coordinates.grid().1 as u32,
            dofs: model.worlds.dofs.grid().1 as u32,
        },
    }
}

pub(super) fn asked<'a>(state: &'a State, control: &'a Control) -> AskedArrays<'a> {
    AskedArrays {
        q: &state.joint_q,
        qd: &state.joint_qd,
        target_q: &control.joint_target_q,
        target_qd: &control.joint_target_qd,
        effort: &control.joint_f,
    }
}

/// How far it is to where the spring rests, and to the drive's target.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(super) struct Missing {
    pub rest: f32,
    pub target: f32,
}

#[func]
pub(super) fn missing(of: &Dofs, asked: &Asked, row: usize, dof: usize) -> Missing {
    let record = of.records[of.joint[dof] as usize];
    let s = of.strides;
    let first = row * s.coordinates as usize + record.q as usize;
    let rest = row * s.rest as usize + record.q as usize;
    let k = dof as u32 - record.qd;
    let turning = if record.kind == BALL { 0 } else { 3 };
    if record.kind == AXES || k < turning {
        let number = k as usize;
        let now = asked.q[first + number];
        Missing { rest: of.rest[rest + number] - now, target: asked.target_q[first + number] - now }
    } else {
        // Coordinates of a rotation begin where those of a place end.
        let part = k - turning;
        let now = rotation_at(asked.q, first + turning as usize);
        Missing {
            rest: turn_left(now, rotation_at(of.rest, rest + turning as usize), part),
            target: turn_left(now, rotation_at(asked.target_q, first + turning as usize), part),
        }
    }
}

/// The part about an axis of the parent's side of the shortest turn from one rotation to another.
#[func]
fn turn_left(now: Quat, goal: Quat, part: u32) -> f32 {
    let turn = goal * now.conjugate();
    let shortest = if turn.w < 0.0 { -turn } else { turn };
    component(shortest.to_scaled_axis(), part)
}

/// What acts along a degree of freedom: `force - slope * qdd`. Where something holds it, it gets the acceleration `held`.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(super) struct Acting {
    pub force: f32,
    pub slope: f32,
    pub held: f32,
    /// The drive's share, were it not limited.
    pub drive: f32,
    pub drive_slope: f32,
}

#[func]
pub(super) fn acting(of: &Dofs, asked: &Asked, row: usize, dof: usize, mark: u32, dt: f32) -> Acting {
    let s = of.strides;
    let at = row * s.dofs as usize + dof;
    let v = asked.qd[at];
    let left = missing(of, asked, row, dof);
    let damping = of.damping[row * s.damping as usize + dof];
    let stiffness = of.stiffness[row * s.stiffness as usize + dof];
    let mut force = asked.effort[at] - damping * v + stiffness * (left.rest - dt * v);
    let mut slope = of.armature[row * s.armature as usize + dof] + dt * (damping + dt * stiffness);

    let ke = of.target_ke[row * s.target_ke as usize + dof];
    let kd = of.target_kd[row * s.target_kd as usize + dof];
    let drive = ke * (left.target - dt * v) + kd * (asked.target_qd[at] - v);
    let drive_slope = dt * (kd + dt * ke);
    let most = of.effort_limit[row * s.effort_limit as usize + dof];
    if mark & DRIVES_FORWARD != 0 {
        force += most;
    } else if mark & DRIVES_BACK != 0 {
        force -= most;
    } else {
        force += drive;
        slope += drive_slope;
    }

    let friction = of.friction[row * s.friction as usize + dof];
    if mark & SLIDES_FORWARD != 0 {
        force -= friction;
    }
    if mark & SLIDES_BACK != 0 {
        force += friction;
    }

    let mut goal = 0.0;
    if mark & (LOWER | UPPER) != 0 {
        let end = if mark & LOWER != 0 {
            of.limit_lower[row * s.limit_lower as usize + dof]
        } else {
            of.limit_upper[row * s.limit_upper as usize + dof]
        };
        let over = end - asked.q[row * s.coordinates as usize + of.coordinate[dof] as usize];
        let ke = of.limit_ke[row * s.limit_ke as usize + dof];
        if ke > 0.0 {
            let kd = of.limit_kd[row * s.limit_kd as usize + dof];
            force += ke * (over - dt * v) - kd * v;
            slope += dt * (kd + dt * ke);
        } else {
            goal = over / dt;
        }
    } else if mark & FAST_FORWARD != 0 {
        goal = of.velocity_limit[row * s.velocity_limit as usize + dof];
    } else if mark & FAST_BACK != 0 {
        goal = -of.velocity_limit[row * s.velocity_limit as usize + dof];
    }
    Acting { force, slope, held: (goal - v) / dt, drive, drive_slope }
}

/// Whether marks hold a degree of freedom: a hard limit, its speed, or friction that sticks.
#[func]
pub(super) fn is_held(of: &Dofs, row: usize, dof: usize, mark: u32) -> bool {
    let s = of.strides;
    let hard = of.limit_ke[row * s.limit_ke as usize + dof] <= 0.0;
    let sticks = of.friction[row * s.friction as usize + dof] > 0.0 && mark & (SLIDES_FORWARD | SLIDES_BACK) == 0;
    (hard && mark & (LOWER | UPPER) != 0) || mark & (FAST_FORWARD | FAST_BACK) != 0 || sticks
}

/// The marks that a step begins with: friction brakes what moves.
#[func]
pub(super) fn first_mark(v: f32) -> u32 {
    if v > 0.0 {
        SLIDES_FORWARD
    } else if v < 0.0 {
        SLIDES_BACK
    } else {
        0
    }
}

/// The marks after a solution: `qdd` is the acceleration, and `hold` the effort that holds what is held.
#[func]
pub(super) fn next_mark(
    of: &Dofs,
    asked: &Asked,
    row: usize,
    dof: usize,
    mark: u32,
    dt: f32,
    qdd: f32,
    hold: f32,
) -> u32 {
    let s = of.strides;
    let may_switch = of.friction[row * s.friction as usize + dof] > 0.0
        || of.effort_limit[row * s.effort_limit as usize + dof] < f32::INFINITY
        || of.velocity_limit[row * s.velocity_limit as usize + dof] < f32::INFINITY
        || of.limit_lower[row * s.limit_lower as usize + dof] > f32::NEG_INFINITY
        || of.limit_upper[row * s.limit_upper as usize + dof] < f32::INFINITY;
    if !may_switch {
        return mark;
    }
    let v = asked.qd[row * s.dofs as usize + dof];
    let after = v + dt * qdd;
    let held = is_held(of, row, dof, mark);
    let act = acting(of, asked, row, dof, mark, dt);
    let mut next = 0u32;

    let effort = act.drive - act.drive_slope * qdd;
    let most = of.effort_limit[row * s.effort_limit as usize + dof];
    if effort > most {
        next = DRIVES_FORWARD;
    } else if effort < -most {
        next = DRIVES_BACK;
    }

    let coordinate = of.coordinate[dof];
    let mut stops = 0u32;
    if coordinate != NONE {
        let q = asked.q[row * s.coordinates as usize + coordinate as usize] + dt * after;
        let lower = of.limit_lower[row * s.limit_lower as usize + dof];
        let upper = of.limit_upper[row * s.limit_upper as usize + dof];
        let hard = of.limit_ke[row * s.limit_ke as usize + dof] <= 0.0;
        // A hard limit lets go where it would have to pull, a soft one where it is not reached.
        if mark & LOWER != 0 && hard {
            stops = if hold >= 0.0 { LOWER } else { 0 };
        } else if mark & UPPER != 0 && hard {
            stops = if hold <= 0.0 { UPPER } else { 0 };
        } else if q < lower {
            stops = LOWER;
        } else if q > upper {
            stops = UPPER;
        }
    }
    next |= stops;

    let fast = of.velocity_limit[row * s.velocity_limit as usize + dof];
    if stops == 0 {
        if mark & FAST_FORWARD != 0 {
            next |= if hold <= 0.0 { FAST_FORWARD } else { 0 };
        } else if mark & FAST_BACK != 0 {
            next |= if hold >= 0.0 { FAST_BACK } else { 0 };
        } else if after > fast {
            next |= FAST_FORWARD;
        } else if after < -fast {
            next |= FAST_BACK;
        }
    }

    let slides = mark & (SLIDES_FORWARD | SLIDES_BACK);
    let friction = of.friction[row * s.friction as usize + dof];
    let otherwise_held = held && mark & (LOWER | UPPER | FAST_FORWARD | FAST_BACK) != 0;
    if friction <= 0.0 {
        next |= slides;
    } else if slides == 0 && !otherwise_held {
        // What sticks slides off where more pulls at it than friction holds.
        if hold > friction {
            next |= SLIDES_BACK;
        } else if hold < -friction {
            next |= SLIDES_FORWARD;
        }
    } else if slides == SLIDES_FORWARD && after >= 0.0 {
        next |= SLIDES_FORWARD;
    } else if slides == SLIDES_BACK && after <= 0.0 {
        next |= SLIDES_BACK;
    }
    next
}
