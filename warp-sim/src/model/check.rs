//! Whether a state is one of the model's, and whole.

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
        self.tell_particle("particle_qd", bad)
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
        fit("springs", self.springs(), state.spring_f.len())
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
        self.spring_kd.fits("spring_kd")
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

    fn not_finite(&self, what: &'static str, world: usize, label: String) -> Error {
        Error::NotFinite { what, label, world: (self.worlds() > 1).then_some(world) }
    }
}
