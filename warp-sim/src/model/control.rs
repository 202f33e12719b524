//! What a program asks of the joints.

use warp::Array;

use super::Model;
use crate::Error;

/// What drives go to and what pulls at joints, by world as the states: set by the program, read by each step.
#[derive(Debug)]
pub struct Control {
    /// Where drives go to, m and rad, laid out as [`State::joint_q`](super::State::joint_q).
    pub joint_target_q: Array<f32>,
    /// How fast drives want to go, m/s and rad/s, laid out as [`State::joint_qd`](super::State::joint_qd).
    pub joint_target_qd: Array<f32>,
    /// Effort along each degree of freedom besides that of drives, N and N m. No limit applies to it.
    pub joint_f: Array<f32>,
}

impl Model {
    /// Drives as the joints were described, and no other effort.
    pub fn control(&self) -> Result<Control, Error> {
        let each = |of: &super::Parameter<f32>, all: usize| -> Result<Array<f32>, Error> {
            let values = of.array().to_vec()?;
            let repeated: Vec<f32> = values.iter().copied().cycle().take(all).collect();
            Ok(Array::from_vec(&self.device, repeated)?)
        };
        Ok(Control {
            joint_target_q: each(&self.joint_target_q_start, self.coordinates())?,
            joint_target_qd: each(&self.joint_target_qd_start, self.dofs())?,
            joint_f: Array::zeros(&self.device, self.dofs())?,
        })
    }

    /// Whether a control was made for a model of this size.
    pub(crate) fn fits_control(&self, control: &Control) -> Result<(), Error> {
        let fit = |unit, expected, found| {
            (expected == found).then_some(()).ok_or(Error::OtherModel { what: "the control", unit, expected, found })
        };
        fit("joint coordinates", self.coordinates(), control.joint_target_q.len())?;
        fit("degrees of freedom", self.dofs(), control.joint_target_qd.len())?;
        fit("degrees of freedom", self.dofs(), control.joint_f.len())
    }
}

impl Control {
    /// Takes all efforts besides those of drives away.
    pub fn clear_forces(&mut self) -> Result<(), Error> {
        Ok(self.joint_f.fill(0.0)?)
    }

    /// A control of its own with the same values.
    pub fn try_clone(&self) -> Result<Control, Error> {
        Ok(Control {
            joint_target_q: self.joint_target_q.try_clone()?,
            joint_target_qd: self.joint_target_qd.try_clone()?,
            joint_f: self.joint_f.try_clone()?,
        })
    }
}
