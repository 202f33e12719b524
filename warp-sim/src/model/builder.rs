//! Describes a world.

use warp::math::DVec3;

use super::body::BodyBuilder;
use super::joint::{Dof, JointBuilder, JointKind};
use super::label::{BodyId, JointId, ParticleId, SpringId};
use super::particle::{ParticleBuilder, SpringBuilder};
use super::scene::{Body, Joint, Particle, Scene, Spring};
use super::{Model, ModelError};
use crate::Error;
use crate::geometry::Shape;

/// Describes bodies, joints, particles and springs in words; [`finalize`](ModelBuilder::finalize) makes a [`Model`] of them.
///
/// Up is z, gravity is 9.81 m/s² downwards, and lengths are metres, unless [`gravity`](ModelBuilder::gravity) says
/// otherwise. Nothing is checked before `finalize`, which names what is wrong. Numbers are kept in double precision
/// until then.
///
/// ```
/// use warp::prelude::*;
/// use warp::sim::{ModelBuilder, Shape};
///
/// let mut b = ModelBuilder::new();
/// let cube = b.body("cube").at([0.0, 0.0, 1.0]).shape(Shape::cuboid([0.1; 3]).density(300.0)).id();
/// let model = b.replicate(64).finalize(&Device::cpu())?;
/// assert_eq!((model.worlds(), model.bodies()), (64, 64));
/// assert!((model.body_inertia(0, cube)?.mass - 2.4).abs() < 1e-6);
/// # Ok::<(), warp::sim::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    pub(super) gravity: DVec3,
    pub(super) repair_inertia: bool,
    /// The world that is being described.
    pub(super) scene: Scene,
    pub(super) fixed_shapes: Vec<Shape>,
    /// Finished ones, each with how often it is there.
    pub(super) worlds: Vec<(Scene, usize)>,
    /// The first mistake of a call that returns an id; `finalize` tells it.
    pub(super) mistake: Option<ModelError>,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        ModelBuilder::new()
    }
}

impl ModelBuilder {
    /// An empty world, with gravity.
    pub fn new() -> ModelBuilder {
        ModelBuilder {
            gravity: DVec3::new(0.0, 0.0, -9.81),
            repair_inertia: false,
            scene: Scene::default(),
            fixed_shapes: vec![],
            worlds: vec![],
            mistake: None,
        }
    }

    /// Gravity in all worlds, m/s². For a world with y up: `[0.0, -9.81, 0.0]`.
    pub fn gravity(&mut self, gravity: impl Into<DVec3>) -> &mut Self {
        self.gravity = gravity.into();
        self
    }

    /// Whether an inertia that no body can have is replaced by the nearest possible one, in place of an error.
    pub fn repair_inertia(&mut self, repair: bool) -> &mut Self {
        self.repair_inertia = repair;
        self
    }

    /// A body of this name: what it is and has, [`BodyBuilder`] takes one call after the other.
    pub fn body(&mut self, label: impl AsRef<str>) -> BodyBuilder<'_> {
        let named = self.scene.body_labels.add("body", label.as_ref());
        let id = self.noted(named);
        self.scene.bodies.push(Body::new());
        BodyBuilder::new(self, BodyId(id))
    }

    /// A particle at this place, of 1 kg.
    pub fn particle(&mut self, position: impl Into<DVec3>) -> ParticleBuilder<'_> {
        self.named_particle("", position)
    }

    /// A particle with a name.
    pub fn named_particle(&mut self, label: impl AsRef<str>, position: impl Into<DVec3>) -> ParticleBuilder<'_> {
        let named = self.scene.particle_labels.add("particle", label.as_ref());
        let id = self.noted(named);
        self.scene.particles.push(Particle::new(position.into()));
        ParticleBuilder::new(self, ParticleId(id))
    }

    /// A spring between two particles of this world, of this stiffness in N/m; it rests at their distance as described.
    pub fn spring(&mut self, a: ParticleId, b: ParticleId, stiffness: impl Into<f64>) -> SpringBuilder<'_> {
        let id = self.scene.springs.len() as u32;
        self.scene.springs.push(Spring { ends: [a.0, b.0], rest: None, stiffness: stiffness.into(), damping: 0.0 });
        SpringBuilder::new(self, SpringId(id))
    }

    /// Holds a body fast to its parent, or to the world where the parent is `None`.
    pub fn fixed(
        &mut self,
        label: impl AsRef<str>,
        parent: impl Into<Option<BodyId>>,
        child: BodyId,
    ) -> JointBuilder<'_> {
        self.joint(JointKind::Fixed, label.as_ref(), parent.into(), child, vec![])
    }

    /// Lets a body turn about an axis of its own frame.
    pub fn revolute(
        &mut self,
        label: impl AsRef<str>,
        parent: impl Into<Option<BodyId>>,
        child: BodyId,
        axis: impl Into<DVec3>,
    ) -> JointBuilder<'_> {
        self.d6(label, parent, child, [Dof::angular(axis)])
    }

    /// Lets a body slide along an axis of its own frame.
    pub fn prismatic(
        &mut self,
        label: impl AsRef<str>,
        parent: impl Into<Option<BodyId>>,
        child: BodyId,
        axis: impl Into<DVec3>,
    ) -> JointBuilder<'_> {
        self.d6(label, parent, child, [Dof::linear(axis)])
    }

    /// Lets a body turn about two axes: about `axes[0]` of the parent's side, then about `axes[1]` of its own.
    pub fn universal(
        &mut self,
        label: impl AsRef<str>,
        parent: impl Into<Option<BodyId>>,
        child: BodyId,
        axes: [impl Into<DVec3>; 2],
    ) -> JointBuilder<'_> {
        self.d6(label, parent, child, axes.map(Dof::angular))
    }

    /// Lets a body turn anyhow about the joint's place.
    pub fn ball(
        &mut self,
        label: impl AsRef<str>,
        parent: impl Into<Option<BodyId>>,
        child: BodyId,
    ) -> JointBuilder<'_> {
        let dofs = [DVec3::X, DVec3::Y, DVec3::Z].map(Dof::angular).to_vec();
        self.joint(JointKind::Ball, label.as_ref(), parent.into(), child, dofs)
    }

    /// Lets a body move anyhow, with coordinates relative to its parent. A body that no joint holds needs none to be free.
    pub fn free(
        &mut self,
        label: impl AsRef<str>,
        parent: impl Into<Option<BodyId>>,
        child: BodyId,
    ) -> JointBuilder<'_> {
        self.joint(JointKind::Free, label.as_ref(), parent.into(), child, Joint::free_dofs())
    }

    /// Lets a body move along up to six axes: first it slides along the linear ones, then it turns about the angular ones, each
    /// in the frame that those before have turned (Euler angles). Linear axes come first.
    pub fn d6(
        &mut self,
        label: impl AsRef<str>,
        parent: impl Into<Option<BodyId>>,
        child: BodyId,
        dofs: impl IntoIterator<Item = Dof>,
    ) -> JointBuilder<'_> {
        self.joint(JointKind::Axes, label.as_ref(), parent.into(), child, dofs.into_iter().collect())
    }

    /// Ties a joint with one degree of freedom to another one: its coordinate is `ratio` times the other's, plus `offset`. As
    /// [`JointBuilder::mimic`], for joints that are described already.
    pub fn mimic(
        &mut self,
        follower: JointId,
        leader: JointId,
        ratio: impl Into<f64>,
        offset: impl Into<f64>,
    ) -> &mut Self {
        JointBuilder::new(self, follower).mimic(leader, ratio, offset);
        self
    }

    /// Keeps the shapes of two bodies from touching each other; `None` is the world with its fixed shapes. Bodies that a joint
    /// holds together do not touch anyway.
    pub fn exclude(&mut self, one: impl Into<Option<BodyId>>, other: impl Into<Option<BodyId>>) -> &mut Self {
        self.scene.excluded.push([one.into().map(|body| body.0), other.into().map(|body| body.0)]);
        self
    }

    fn joint(
        &mut self,
        kind: JointKind,
        label: &str,
        parent: Option<BodyId>,
        child: BodyId,
        dofs: Vec<Dof>,
    ) -> JointBuilder<'_> {
        let named = self.scene.joint_labels.add("joint", label);
        let id = self.noted(named);
        self.scene.joints.push(Joint::new(kind, parent.map(|body| body.0), child.0, dofs));
        JointBuilder::new(self, JointId(id))
    }

    /// A shape that stands still, the same one in all worlds.
    pub fn fixed_shape(&mut self, shape: Shape) -> &mut Self {
        self.fixed_shapes.push(shape);
        self
    }

    /// The ground: a fixed plane through the origin, its upper side against gravity as it is set by then.
    pub fn ground(&mut self) -> &mut Self {
        let up = (-self.gravity).try_normalize().unwrap_or(DVec3::Z);
        self.fixed_shape(Shape::plane().turned(warp::math::DQuat::from_rotation_arc(DVec3::Z, up)).named("ground"))
    }

    /// The described world so many times, all alike. Fixed shapes are shared.
    pub fn replicate(&self, worlds: usize) -> ModelBuilder {
        let mut all = ModelBuilder { scene: Scene::default(), worlds: vec![], ..self.clone() };
        all.add_worlds(self, worlds);
        all
    }

    /// Adds the world, or all the worlds, of another builder, so many times each: worlds need not be alike. Of fixed shapes,
    /// gravity and `repair_inertia` this builder's own count. Parameters are shared between worlds of one call alone, and only
    /// where there is no other world: for many alike worlds use [`replicate`](ModelBuilder::replicate).
    pub fn add_worlds(&mut self, of: &ModelBuilder, times: usize) -> &mut Self {
        if of.worlds.is_empty() {
            self.worlds.push((of.scene.clone(), times));
        } else if !of.scene.is_empty() {
            self.mistake = self.mistake.take().or(Some(ModelError::BesideWorlds));
        }
        self.worlds.extend(of.worlds.iter().map(|(scene, count)| (scene.clone(), count.saturating_mul(times))));
        self.mistake = self.mistake.take().or_else(|| of.mistake.clone());
        self
    }

    /// Checks the description and puts it on a device.
    pub fn finalize(&self, device: &warp::Device) -> Result<Model, Error> {
        super::finalize::model(self, device)
    }

    pub(super) fn add_shape(&mut self, body: BodyId, shape: Shape) {
        let named = self.scene.shape_labels.add("shape", &shape.label);
        self.noted(named);
        self.scene.shapes.push((body.0, shape));
    }

    /// The number of what was named. A name that is taken already is told by `finalize`.
    fn noted(&mut self, (number, mistake): (u32, Option<ModelError>)) -> u32 {
        self.mistake = self.mistake.take().or(mistake);
        number
    }
}
