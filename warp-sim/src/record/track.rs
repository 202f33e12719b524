//! What moves, frame by frame.

use warp::math::{DQuat, DVec3};

use super::names::Names;
use crate::Error;
use crate::geometry::Shape;
use crate::model::{Model, State};

/// One world of a simulation over time: what recorders write to files.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub bodies: Vec<Actor>,
    pub fixed: Vec<Shape>,
    /// When each frame is, s.
    pub times: Vec<f64>,
    /// Of particles: radius, and places by frame.
    pub radii: Vec<f64>,
    pub places: Vec<Vec<DVec3>>,
    world: usize,
}

/// A body.
#[derive(Clone, Debug)]
pub(super) struct Actor {
    pub name: String,
    /// Its colour, and its shapes.
    pub color: [f64; 3],
    pub shapes: Vec<Shape>,
    /// Where it is, by frame.
    pub poses: Vec<(DVec3, DQuat)>,
    /// Where it is in arrays.
    at: usize,
}

impl Track {
    pub fn new(model: &Model, world: usize) -> Result<Track, Error> {
        let mut names = Names::default();
        let shapes: Vec<_> = model.shapes(world)?.collect();
        let mut bodies = vec![];
        for body in model.body_ids(world)? {
            let own = || shapes.iter().filter(|(on, _)| *on == body).map(|(_, shape)| (*shape).clone());
            // Where a file says how a body looks, its collision shapes are not shown.
            let looks = own().any(|shape| !shape.touches());
            let shapes = own().filter(|shape| !looks || !shape.touches()).collect();
            let name = names.like(model.body_label(world, body)?, &format!("body_{}", body.index()));
            let color = super::camera::color_of(body.index());
            bodies.push(Actor { name, color, shapes, poses: vec![], at: model.body_at(world, body)? });
        }
        let radii = model.particle_radius.array().to_vec()?;
        let particles = model.worlds.particles.of(world).enumerate();
        let radii = particles.map(|(number, at)| f64::from(radii[model.particle_radius.index(number, at)]));
        let (fixed, radii) = (model.fixed_shapes().to_vec(), radii.collect());
        Ok(Track { bodies, fixed, times: vec![], radii, places: vec![], world })
    }

    /// Adds a frame. Times go on, and players take no numbers that are not finite.
    pub fn frame(&mut self, model: &Model, state: &State, time: f64) -> Result<(), Error> {
        model.check(state)?;
        if !time.is_finite() || self.times.last().is_some_and(|last| time <= *last) {
            return Err(Error::BadFrame(time));
        }
        let poses = state.body_q.to_vec()?;
        for body in &mut self.bodies {
            let pose = poses[body.at];
            let mut turn = DQuat::from_array(pose.q.to_array().map(f64::from)).normalize();
            // Of both signs the one that is nearer to the last, so that players turn the short way.
            if body.poses.last().is_some_and(|(_, last)| last.dot(turn) < 0.0) {
                turn = -turn;
            }
            body.poses.push((pose.p.as_dvec3(), turn));
        }
        let places = state.particle_q.to_vec()?;
        self.places.push(model.worlds.particles.of(self.world).map(|at| places[at].as_dvec3()).collect());
        self.times.push(time);
        Ok(())
    }
}
