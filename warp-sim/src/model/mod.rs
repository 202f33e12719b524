//! What is simulated: described by [`ModelBuilder`], constant in [`Model`], changing in [`State`].

mod bodies;
mod body;
mod builder;
mod check;
mod control;
mod finalize;
mod inertia;
mod joint;
mod joints;
mod label;
mod layout;
mod measure;
mod parameter;
mod particle;
mod problem;
pub(crate) mod record;
mod reset;
mod scene;
mod state;
mod tree;
mod tree_check;

use warp::math::{Mat3, SpatialInertia, Transform, Twist, Vec3};
use warp::{Array, Device};

use self::joints::Joints;
use self::label::Labels;
use self::layout::Layout;
use self::parameter::Parameter as P;
use crate::Error;
use crate::geometry::Shape;

pub(crate) use self::bodies::Bodies;
pub use self::body::BodyBuilder;
pub use self::builder::ModelBuilder;
pub use self::control::Control;
pub(crate) use self::inertia::is_impossible;
pub use self::joint::{Dof, JointBuilder, JointKind};
pub use self::label::{BodyId, JointId, ParticleId, SpringId};
pub use self::measure::Measures;
pub use self::parameter::Parameter;
pub use self::particle::{ParticleBuilder, SpringBuilder};
pub use self::problem::ModelError;
pub use self::state::State;

/// All constants of what is simulated, on one device: made by [`ModelBuilder::finalize`].
///
/// Things lie world after world. Names are a prefix for the thing and a suffix for the property, in the singular: the mass
/// of bodies is `body_mass`. Each [`Parameter`] may be changed, by world too, and is a leaf for gradients.
#[derive(Debug)]
pub struct Model {
    pub(crate) device: Device,
    /// Gravity of each world, m/s².
    pub gravity: Array<Vec3>,
    /// Mass of bodies, kg. It means nothing for kinematic ones.
    pub body_mass: P<f32>,
    /// Centre of mass of bodies in their link frames, m.
    pub body_com: P<Vec3>,
    /// Inertia of bodies about their centres of mass, along the link frame's axes, kg m². It has to be symmetric.
    pub body_inertia: P<Mat3>,
    /// How strongly gravity pulls at bodies: 1 for most.
    pub body_gravity_scale: P<f32>,
    /// Which bodies are kinematic: 1, else 0.
    pub(crate) body_kinematic: P<u32>,
    /// Pose of bodies at the start: link frame in the world, m.
    pub body_q_start: P<Transform>,
    /// Velocity of bodies at the start: of the centre of mass, along the world's axes, m/s and rad/s.
    pub body_qd_start: P<Twist>,
    /// Mass of particles, kg; zero for those that are held.
    pub particle_mass: P<f32>,
    /// Radius of particles, m.
    pub particle_radius: P<f32>,
    /// Position of particles at the start, m.
    pub particle_q_start: P<Vec3>,
    /// Velocity of particles at the start, m/s.
    pub particle_qd_start: P<Vec3>,
    /// The two particles of springs, by their numbers in the row.
    pub(crate) spring_nodes: P<[u32; 2]>,
    /// Length of springs without a force, m.
    pub spring_rest: P<f32>,
    /// Stiffness of springs, N/m.
    pub spring_ke: P<f32>,
    /// Damping of springs, N s/m.
    pub spring_kd: P<f32>,
    /// Frame of joints in their parents, m.
    pub joint_parent_anchor: P<Transform>,
    /// Frame of joints in their children, m.
    pub joint_child_anchor: P<Transform>,
    /// The most that ball joints lean from their parents' z axis, rad; infinite for no limit.
    pub joint_cone: P<f32>,
    /// The most that ball joints twist about their z axis, rad; infinite for no limit.
    pub joint_twist: P<f32>,
    /// Coordinates of joints at the start, m and rad; quaternions as x, y, z, w.
    pub joint_q_start: P<f32>,
    /// Where drives go to in a new [`Control`], laid out as the coordinates.
    pub joint_target_q_start: P<f32>,
    /// Where springs of joints rest, laid out as the coordinates.
    pub joint_rest: P<f32>,
    /// Axis of each degree of freedom in the joint's frame, of length 1.
    pub joint_axis: P<Vec3>,
    /// Speed of each degree of freedom at the start, m/s and rad/s.
    pub joint_qd_start: P<f32>,
    /// How fast drives want to go in a new [`Control`], m/s and rad/s.
    pub joint_target_qd_start: P<f32>,
    /// Lowest coordinate of each degree of freedom, m and rad; minus infinity for no limit.
    pub joint_limit_lower: P<f32>,
    /// Highest coordinate of each degree of freedom, m and rad; infinity for no limit.
    pub joint_limit_upper: P<f32>,
    /// Stiffness of limits, N/m and N m/rad; 0 for hard stops.
    pub joint_limit_ke: P<f32>,
    /// Damping of limits that have a stiffness, N s/m and N m s/rad.
    pub joint_limit_kd: P<f32>,
    /// The most that drives can do, N and N m; infinity for no limit.
    pub joint_effort_limit: P<f32>,
    /// The fastest that each degree of freedom goes, m/s and rad/s; infinity for no limit.
    pub joint_velocity_limit: P<f32>,
    /// What rotors and gears add to the inertia, kg and kg m².
    pub joint_armature: P<f32>,
    /// Dry friction, N and N m.
    pub joint_friction: P<f32>,
    /// Damping, N s/m and N m s/rad.
    pub joint_damping: P<f32>,
    /// Stiffness of springs that pull to [`joint_rest`](Model::joint_rest), N/m and N m/rad.
    pub joint_stiffness: P<f32>,
    /// Stiffness of drives, N/m and N m/rad.
    pub joint_target_ke: P<f32>,
    /// Damping of drives, N s/m and N m s/rad.
    pub joint_target_kd: P<f32>,
    pub(crate) joints: Joints,
    pub(crate) adjacency: Adjacency,
    pub(crate) worlds: Worlds,
}

/// Which springs end at each particle. Forces are summed by whoever feels them, in this order, whatever else runs.
#[derive(Debug)]
pub(crate) struct Adjacency {
    /// Offsets for the particles of a row.
    pub start: Array<u32>,
    /// Twice the spring's number in the row, and one more where the particle is its second end.
    pub ends: Array<u32>,
}

/// What the host knows of the worlds.
#[derive(Debug)]
pub(crate) struct Worlds {
    pub bodies: Layout,
    pub particles: Layout,
    pub springs: Layout,
    pub joints: Layout,
    pub coordinates: Layout,
    pub dofs: Layout,
    pub fixed_shapes: Vec<Shape>,
    /// The kinds of worlds, and which kind a world is.
    pub kinds: Vec<Kind>,
    pub kind_of: Vec<u32>,
    /// The world of each body, and of each particle.
    pub body_world: Array<u32>,
    pub particle_world: Array<u32>,
    /// The same of joint coordinates, and of degrees of freedom.
    pub coordinate_world: Array<u32>,
    pub dof_world: Array<u32>,
    /// Where the bodies of each world begin, and its degrees of freedom, with the end.
    pub body_start: Array<u32>,
    pub dof_start: Array<u32>,
}

/// What the host remembers of one kind of world.
#[derive(Debug)]
pub(crate) struct Kind {
    pub bodies: Labels,
    pub particles: Labels,
    pub joints: Labels,
    /// Its shapes, each with its body.
    pub shapes: Vec<(u32, Shape)>,
    /// Bodies whose shapes do not touch each other.
    pub excluded: Vec<[Option<u32>; 2]>,
}

impl Worlds {
    /// What kind a world is. It is one of the worlds.
    fn kind(&self, world: usize) -> &Kind {
        &self.kinds[self.kind_of[world] as usize]
    }
}

impl Model {
    /// The device that it is on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// How many worlds there are.
    pub fn worlds(&self) -> usize {
        self.worlds.bodies.worlds()
    }

    /// How many bodies there are in all worlds.
    pub fn bodies(&self) -> usize {
        self.worlds.bodies.all()
    }

    /// How many particles there are in all worlds.
    pub fn particles(&self) -> usize {
        self.worlds.particles.all()
    }

    /// How many springs there are in all worlds.
    pub fn springs(&self) -> usize {
        self.worlds.springs.all()
    }

    /// How many joints there are in all worlds, with one for each free body on which others hang.
    pub fn joints(&self) -> usize {
        self.worlds.joints.all()
    }

    /// How many coordinates all joints have: the length of [`State::joint_q`].
    pub fn coordinates(&self) -> usize {
        self.worlds.coordinates.all()
    }

    /// How many degrees of freedom all joints have: the length of [`State::joint_qd`].
    pub fn dofs(&self) -> usize {
        self.worlds.dofs.all()
    }

    /// The shapes that stand still in all worlds.
    pub fn fixed_shapes(&self) -> &[Shape] {
        &self.worlds.fixed_shapes
    }

    /// The shapes of a world's bodies, each with the body that it is on.
    pub fn shapes(&self, world: usize) -> Result<impl Iterator<Item = (BodyId, &Shape)>, Error> {
        Ok(self.kind(world)?.shapes.iter().map(|(body, shape)| (BodyId(*body), shape)))
    }

    /// Which bodies of a world do not touch each other though no joint holds them together: none is the world.
    pub fn excluded(&self, world: usize) -> Result<impl Iterator<Item = [Option<BodyId>; 2]>, Error> {
        Ok(self.kind(world)?.excluded.iter().map(|pair| pair.map(|body| body.map(BodyId))))
    }

    /// The body of this name in the first world, and in all that are like it.
    pub fn body(&self, label: &str) -> Result<BodyId, Error> {
        self.body_in(0, label)
    }

    /// The body of this name in a world.
    pub fn body_in(&self, world: usize, label: &str) -> Result<BodyId, Error> {
        Ok(BodyId(self.kind(world)?.bodies.find("body", label)?))
    }

    /// The particle of this name in the first world, and in all that are like it.
    pub fn particle(&self, label: &str) -> Result<ParticleId, Error> {
        Ok(ParticleId(self.kind(0)?.particles.find("particle", label)?))
    }

    /// The joint of this name in the first world, and in all that are like it.
    pub fn joint(&self, label: &str) -> Result<JointId, Error> {
        self.joint_in(0, label)
    }

    /// The joint of this name in a world.
    pub fn joint_in(&self, world: usize, label: &str) -> Result<JointId, Error> {
        Ok(JointId(self.kind(world)?.joints.find("joint", label)?))
    }

    /// The bodies of a world, in the order in which they were described.
    pub fn body_ids(&self, world: usize) -> Result<impl Iterator<Item = BodyId> + use<>, Error> {
        self.kind(world)?;
        Ok((0..self.worlds.bodies.of(world).len() as u32).map(BodyId))
    }

    /// The name of a body of a world, empty where it has none.
    pub fn body_label(&self, world: usize, body: BodyId) -> Result<&str, Error> {
        Ok(self.kind(world)?.bodies.of(body.index()))
    }

    /// Where a body of a world is in arrays of bodies such as [`State::body_q`].
    pub fn body_at(&self, world: usize, body: BodyId) -> Result<usize, Error> {
        self.at(&self.worlds.bodies, "body", world, body.index())
    }

    /// Where a particle of a world is in arrays of particles such as [`State::particle_q`].
    pub fn particle_at(&self, world: usize, particle: ParticleId) -> Result<usize, Error> {
        self.at(&self.worlds.particles, "particle", world, particle.index())
    }

    /// Mass, centre of mass and inertia of a body in its link frame, the inertia about the centre of mass.
    pub fn body_inertia(&self, world: usize, body: BodyId) -> Result<SpatialInertia, Error> {
        let (number, thing) = (body.index(), self.body_at(world, body)?);
        Ok(SpatialInertia::new(
            self.body_mass.array().get(self.body_mass.index(number, thing))?,
            self.body_com.array().get(self.body_com.index(number, thing))?,
            self.body_inertia.array().get(self.body_inertia.index(number, thing))?,
        ))
    }

    fn kind(&self, world: usize) -> Result<&Kind, Error> {
        if world >= self.worlds() {
            return Err(ModelError::NoSuchWorld { world, worlds: self.worlds() }.into());
        }
        Ok(self.worlds.kind(world))
    }

    fn at(&self, layout: &Layout, kind: &'static str, world: usize, number: usize) -> Result<usize, Error> {
        self.kind(world)?;
        let range = layout.of(world);
        if number >= range.len() {
            return Err(ModelError::NotInWorld { kind, number, world, count: range.len() }.into());
        }
        Ok(range.start + number)
    }
}
