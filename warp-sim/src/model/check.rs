//! Whether a state is one of the model's, and whole.

use super::layout::Layout;
use super::record::JointRecord;
use super::{Model, State};
use crate::Error;

impl Model {
    /// Looks for numbers that are not finite, and names the first. It waits for the state.
    pub fn check(&self, state: &State) -> Result<(), Error> {
        self.parameters_fit()?;
        self.fits(state)?;
        let bad = state.body_q.to_vec()?.iter().position(|q| !(q.p.is_finite() && q.q.is_finite()));
        self.tell_body("body_q", bad)?;
        let bad = state.body_qd.to_vec()?.iter().position(|v| !(v.linear.is_finite() && v.angular.is_finite()));
        self.tell_body("body_qd", bad)?;
        let bad = state.particle_q.to_vec()?.iter().position(|x| !x.is_finite());
        self.tell_particle("particle_q", bad)?;
        let bad = state.particle_qd.to_vec()?.iter().position(|v| !v.is_finite());
        self.tell_particle("particle_qd", bad)?;
        let bad = state.joint_q.to_vec()?.iter().position(|q| !q.is_finite());
        self.tell_joint("joint_q", &self.worlds.coordinates, bad, |record| record.q)?;
        let bad = state.joint_qd.to_vec()?.iter().position(|qd| !qd.is_finite());
        self.tell_joint("joint_qd", &self.worlds.dofs, bad, |record| record.qd)
    }

    /// Whether a state was made for a model of this size.
    pub(crate) fn fits(&self, state: &State) -> Result<(), Error> {
        let fit = |unit, expected, found| {
            (expected == found).then_some(()).ok_or(Error::OtherModel { what: "the state", unit, expected, found })
        };
        fit("bodies", self.bodies(), state.body_q.len())?;
        fit("bodies", self.bodies(), state.body_qd.len())?;
        fit("bodies", self.bodies(), state.body_f.len())?;
        fit("particles", self.particles(), state.particle_q.len())?;
        fit("particles", self.particles(), state.particle_qd.len())?;
        fit("particles", self.particles(), state.particle_f.len())?;
        fit("springs", self.springs(), state.spring_f.len())?;
        fit("joint coordinates", self.coordinates(), state.joint_q.len())?;
        fit("degrees of freedom", self.dofs(), state.joint_qd.len())
    }

    /// Whether parameters still have the lengths that they were made with.
    pub(crate) fn parameters_fit(&self) -> Result<(), Error> {
        if self.gravity.len() != self.worlds() {
            let (expected, found) = (self.worlds(), self.gravity.len());
            return Err(Error::OtherModel { what: "gravity", unit: "worlds", expected, found });
        }
        self.body_mass.fits("body_mass")?;
        self.body_com.fits("body_com")?;
        self.body_inertia.fits("body_inertia")?;
        self.body_gravity_scale.fits("body_gravity_scale")?;
        self.body_q_start.fits("body_q_start")?;
        self.body_qd_start.fits("body_qd_start")?;
        self.particle_mass.fits("particle_mass")?;
        self.particle_radius.fits("particle_radius")?;
        self.particle_q_start.fits("particle_q_start")?;
        self.particle_qd_start.fits("particle_qd_start")?;
        self.spring_rest.fits("spring_rest")?;
        self.spring_ke.fits("spring_ke")?;
        self.spring_kd.fits("spring_kd")?;
        self.joint_parent_anchor.fits("joint_parent_anchor")?;
        self.joint_child_anchor.fits("joint_child_anchor")?;
        self.joint_cone.fits("joint_cone")?;
        self.joint_twist.fits("joint_twist")?;
        self.joint_axis.fits("joint_axis")?;
        self.joint_q_start.fits("joint_q_start")?;
        self.joint_target_q_start.fits("joint_target_q_start")?;
        self.joint_rest.fits("joint_rest")?;
        self.joint_qd_start.fits("joint_qd_start")?;
        self.joint_target_qd_start.fits("joint_target_qd_start")?;
        self.joint_limit_lower.fits("joint_limit_lower")?;
        self.joint_limit_upper.fits("joint_limit_upper")?;
        self.joint_limit_ke.fits("joint_limit_ke")?;
        self.joint_limit_kd.fits("joint_limit_kd")?;
        self.joint_effort_limit.fits("joint_effort_limit")?;
        self.joint_velocity_limit.fits("joint_velocity_limit")?;
        self.joint_armature.fits("joint_armature")?;
        self.joint_friction.fits("joint_friction")?;
        self.joint_damping.fits("joint_damping")?;
        self.joint_stiffness.fits("joint_stiffness")?;
        self.joint_target_ke.fits("joint_target_ke")?;
        self.joint_target_kd.fits("joint_target_kd")
    }

    fn tell_body(&self, what: &'static str, bad: Option<usize>) -> Result<(), Error> {
        let Some(bad) = bad else { return Ok(()) };
        let (world, number) = self.worlds.bodies.find(bad);
        Err(self.not_finite(what, world, self.worlds.kind(world).bodies.call("body", number)))
    }

    fn tell_particle(&self, what: &'static str, bad: Option<usize>) -> Result<(), Error> {
        let Some(bad) = bad else { return Ok(()) };
        let (world, number) = self.worlds.particles.find(bad);
        Err(self.not_finite(what, world, self.worlds.kind(world).particles.call("particle", number)))
    }

    /// Names the joint that has a coordinate or a degree of freedom.
    fn tell_joint(
        &self,
        what: &'static str,
        layout: &Layout,
        bad: Option<usize>,
        first: fn(&JointRecord) -> u32,
    ) -> Result<(), Error> {
        let Some(bad) = bad else { return Ok(()) };
        let (world, number) = layout.find(bad);
        let in_row = if layout.is_alike() { number } else { bad };
        let joint = self.joints.row.partition_point(|record| first(record) as usize <= in_row) - 1;
        let before = if layout.is_alike() { 0 } else { self.worlds.joints.of(world).start };
        Err(self.not_finite(what, world, self.worlds.kind(world).joints.call("joint", joint - before)))
    }

    fn not_finite(&self, what: &'static str, world: usize, label: String) -> Error {
        Error::NotFinite { what, label, world: (self.worlds() > 1).then_some(world) }
    }
}
