//! Checks a description and packs it into arrays.

use warp::math::{DMat3, DVec3, Mat3, Transform, Twist, Vec3};
use warp::{Array, Device};

use super::builder::ModelBuilder;
use super::joints::Joints;
use super::layout::Layout;
use super::record::NONE;
use super::scene::{Body, Scene};
use super::tree::Trees;
use super::{Adjacency, Kind, Model, ModelError, Parameter, Worlds, inertia};
use crate::Error;
use crate::geometry::{Geometry, Shape};

pub(super) fn model(builder: &ModelBuilder, device: &Device) -> Result<Model, Error> {
    let scenes = scenes(builder)?;
    let packed = scenes.iter().map(|(scene, _)| Packed::of(scene, builder)).collect::<Result<Vec<_>, _>>()?;
    builder.fixed_shapes.iter().try_for_each(|shape| check_shape("a fixed shape", shape))?;
    finite("the model", "gravity", builder.gravity)?;

    let worlds = scenes.iter().try_fold(0usize, |sum, (_, count)| sum.checked_add(*count)).unwrap_or(usize::MAX);
    let most = i32::MAX as usize;
    if worlds > most {
        return Err(ModelError::TooMany { unit: "worlds", count: worlds, most }.into());
    }
    // Which kind each world is.
    let kind_of: Vec<u32> = (0..).zip(&scenes).flat_map(|(kind, (_, count))| vec![kind; *count]).collect();
    if kind_of.is_empty() {
        return Err(ModelError::NoWorld.into());
    }
    let alike = scenes.iter().filter(|(_, count)| *count > 0).count() == 1;
    let layout = |unit, count: fn(&Scene) -> usize| {
        Layout::new(unit, kind_of.iter().map(|&kind| count(scenes[kind as usize].0)), alike)
    };
    let bodies = layout("bodies", |scene| scene.bodies.len())?;
    let particles = layout("particles", |scene| scene.particles.len())?;
    let springs = layout("springs", |scene| scene.springs.len())?;

    let count = |number: fn(&Trees) -> usize| -> Vec<usize> { packed.iter().map(|kind| number(&kind.trees)).collect() };
    let layout = |unit, counts: &[usize]| Layout::new(unit, kind_of.iter().map(|&kind| counts[kind as usize]), alike);
    let joints = layout("joints", &count(|trees| trees.records.len()))?;
    let coordinates = layout("joint coordinates", &count(|trees| trees.q_start.len()))?;
    let dofs = layout("degrees of freedom", &count(|trees| trees.dofs.joint.len()))?;

    // A row of alike worlds is one world, else all of them.
    let rows: &[u32] = if alike { &kind_of[..1] } else { &kind_of };
    let row = Packed::joined(rows.iter().map(|&kind| &packed[kind as usize]));
    let owners = |layout: &Layout| -> Vec<u32> {
        (0..layout.worlds()).flat_map(|world| vec![world as u32; layout.of(world).len()]).collect()
    };
    let kind = |scene: &Scene| Kind {
        bodies: scene.body_labels.clone(),
        particles: scene.particle_labels.clone(),
        joints: scene.joint_labels.clone(),
        shapes: scene.shapes.clone(),
        excluded: scene.excluded.clone(),
    };
    let trees = &row.trees;
    let of_dofs = |values: &[f32]| Parameter::new(device, &dofs, values);
    let of_dofs3 = |values: &[Vec3]| Parameter::new(device, &dofs, values);
    let gravity = vec![builder.gravity.as_vec3(); kind_of.len()];
    Ok(Model {
        device: device.clone(),
        gravity: Array::from_vec(device, gravity)?,
        body_mass: Parameter::new(device, &bodies, &row.mass)?,
        body_com: Parameter::new(device, &bodies, &row.com)?,
        body_inertia: Parameter::new(device, &bodies, &row.inertia)?,
        body_gravity_scale: Parameter::new(device, &bodies, &row.gravity_scale)?,
        body_kinematic: Parameter::new(device, &bodies, &row.kinematic)?,
        body_q_start: Parameter::new(device, &bodies, &row.body_q)?,
        body_qd_start: Parameter::new(device, &bodies, &row.body_qd)?,
        particle_mass: Parameter::new(device, &particles, &row.particle_mass)?,
        particle_radius: Parameter::new(device, &particles, &row.particle_radius)?,
        particle_q_start: Parameter::new(device, &particles, &row.particle_q)?,
        particle_qd_start: Parameter::new(device, &particles, &row.particle_qd)?,
        adjacency: adjacency(device, row.particle_q.len(), &row.spring_nodes)?,
        spring_nodes: Parameter::new(device, &springs, &row.spring_nodes)?,
        spring_rest: Parameter::new(device, &springs, &row.spring_rest)?,
        spring_ke: Parameter::new(device, &springs, &row.spring_ke)?,
        spring_kd: Parameter::new(device, &springs, &row.spring_kd)?,
        joint_parent_anchor: Parameter::new(device, &joints, &trees.parent_anchor)?,
        joint_child_anchor: Parameter::new(device, &joints, &trees.child_anchor)?,
        joint_cone: Parameter::new(device, &joints, &trees.cone)?,
        joint_twist: Parameter::new(device, &joints, &trees.twist)?,
        joint_q_start: Parameter::new(device, &coordinates, &trees.q_start)?,
        joint_target_q_start: Parameter::new(device, &coordinates, &trees.target_q)?,
        joint_rest: Parameter::new(device, &coordinates, &trees.rest)?,
        joint_axis: of_dofs3(&trees.dofs.axis)?,
        joint_qd_start: of_dofs(&trees.dofs.qd_start)?,
        joint_target_qd_start: of_dofs(&trees.dofs.target_qd)?,
        joint_limit_lower: of_dofs(&trees.dofs.limit_lower)?,
        joint_limit_upper: of_dofs(&trees.dofs.limit_upper)?,
        joint_limit_ke: of_dofs(&trees.dofs.limit_ke)?,
        joint_limit_kd: of_dofs(&trees.dofs.limit_kd)?,
        joint_effort_limit: of_dofs(&trees.dofs.effort_limit)?,
        joint_velocity_limit: of_dofs(&trees.dofs.velocity_limit)?,
        joint_armature: of_dofs(&trees.dofs.armature)?,
        joint_friction: of_dofs(&trees.dofs.friction)?,
        joint_damping: of_dofs(&trees.dofs.damping)?,
        joint_stiffness: of_dofs(&trees.dofs.stiffness)?,
        joint_target_ke: of_dofs(&trees.dofs.target_ke)?,
        joint_target_kd: of_dofs(&trees.dofs.target_kd)?,
        joints: Joints::new(device, &row.trees)?,
        worlds: Worlds {
            joints: joints.clone(),
            coordinates: coordinates.clone(),
            dofs: dofs.clone(),
            body_world: Array::from_vec(device, owners(&bodies))?,
            particle_world: Array::from_vec(device, owners(&particles))?,
            coordinate_world: Array::from_vec(device, owners(&coordinates))?,
            dof_world: Array::from_vec(device, owners(&dofs))?,
            body_start: Array::from_slice(device, bodies.starts())?,
            dof_start: Array::from_slice(device, dofs.starts())?,
            fixed_shapes: builder.fixed_shapes.clone(),
            kinds: scenes.iter().map(|(scene, _)| kind(scene)).collect(),
            kind_of,
            bodies,
            particles,
            springs,
        },
    })
}

/// The kinds of worlds, and how many there are of each.
fn scenes(builder: &ModelBuilder) -> Result<Vec<(&Scene, usize)>, ModelError> {
    if let Some(mistake) = &builder.mistake {
        return Err(mistake.clone());
    }
    if builder.worlds.is_empty() {
        return Ok(vec![(&builder.scene, 1)]);
    }
    if !builder.scene.is_empty() {
        return Err(ModelError::BesideWorlds);
    }
    Ok(builder.worlds.iter().map(|(scene, count)| (scene, *count)).collect())
}

/// One world as the arrays have it.
#[derive(Clone, Default)]
struct Packed {
    mass: Vec<f32>,
    com: Vec<Vec3>,
    inertia: Vec<Mat3>,
    gravity_scale: Vec<f32>,
    kinematic: Vec<u32>,
    body_q: Vec<Transform>,
    body_qd: Vec<Twist>,
    particle_mass: Vec<f32>,
    particle_radius: Vec<f32>,
    particle_q: Vec<Vec3>,
    particle_qd: Vec<Vec3>,
    spring_nodes: Vec<[u32; 2]>,
    spring_rest: Vec<f32>,
    spring_ke: Vec<f32>,
    spring_kd: Vec<f32>,
    trees: Trees,
}

impl Packed {
    fn of(scene: &Scene, builder: &ModelBuilder) -> Result<Packed, ModelError> {
        let mut packed = Packed { trees: Trees::of(scene)?, ..Packed::default() };
        for (number, (_, shape)) in scene.shapes.iter().enumerate() {
            check_shape(&scene.shape_labels.call("shape", number), shape)?;
        }
        for number in 0..scene.bodies.len() {
            packed.add_body(scene, number, builder.repair_inertia)?;
        }
        for number in 0..scene.particles.len() {
            packed.add_particle(scene, number)?;
        }
        for pair in &scene.excluded {
            if pair.iter().flatten().any(|&body| body as usize >= scene.bodies.len()) {
                return Err(ModelError::Excluded { bodies: scene.bodies.len() });
            }
        }
        for number in 0..scene.springs.len() {
            packed.add_spring(scene, number)?;
        }
        Ok(packed)
    }

    fn add_body(&mut self, scene: &Scene, number: usize, repair: bool) -> Result<(), ModelError> {
        let body = &scene.bodies[number];
        let name = scene.body_labels.call("body", number);
        check_motion(&name, body)?;
        let mut shapes = scene.shapes.iter().filter(|(on, _)| *on as usize == number);
        if shapes.any(|(_, shape)| shape.geometry == Geometry::Plane) {
            return Err(ModelError::PlaneOnBody { body: name });
        }
        if let Some(mass) = body.mass {
            positive(&name, "mass", mass)?;
            if body.inertia.is_some() {
                return Err(ModelError::TwoMasses { body: name });
            }
        }
        let mut of = scene.inertia_of(number);
        finite(&name, "centre of mass", of.com)?;
        if body.kinematic && of.mass == 0.0 {
            (of.mass, of.inertia) = (1.0, DMat3::IDENTITY);
        } else if of.mass == 0.0 && !self.carries(scene, number) {
            return Err(ModelError::NoMass { body: name });
        } else if of.mass != 0.0 {
            positive(&name, "mass", of.mass)?;
            // What a joint holds may be a point.
            let point = self.trees.of_body[number] != NONE && of.inertia == DMat3::ZERO;
            if !point && let Some(why) = inertia::fault(of.inertia) {
                if !repair || !of.inertia.is_finite() {
                    return Err(ModelError::Inertia { body: name, why });
                }
                of.inertia = inertia::repaired(of.inertia);
            }
        }
        self.mass.push(of.mass as f32);
        self.com.push(of.com.as_vec3());
        self.inertia.push(of.inertia.as_mat3());
        self.gravity_scale.push(body.gravity_scale as f32);
        self.kinematic.push(u32::from(body.kinematic));
        self.body_q.push(Transform::new(body.pose.p.as_vec3(), body.pose.q.normalize().as_quat()));
        self.body_qd.push(Twist::new(body.linear.as_vec3(), body.angular.as_vec3()));
        Ok(())
    }

    /// Whether a joint holds a body on which others with a mass hang: then it needs none of its own.
    fn carries(&self, scene: &Scene, number: usize) -> bool {
        let joint = self.trees.of_body[number];
        let has_mass = |&joint: &u32| scene.inertia_of(self.trees.records[joint as usize].body as usize).mass > 0.0;
        if joint == NONE {
            return false;
        }
        // What is held fast moves with what holds it.
        self.trees.records[joint as usize].dofs == 0 || self.trees.subtree_of(joint as usize).iter().any(has_mass)
    }

    fn add_particle(&mut self, scene: &Scene, number: usize) -> Result<(), ModelError> {
        let particle = &scene.particles[number];
        let name = scene.particle_labels.call("particle", number);
        finite(&name, "position", particle.position)?;
        finite(&name, "velocity", particle.velocity)?;
        not_negative(&name, "radius", particle.radius)?;
        if let Some(mass) = particle.mass {
            positive(&name, "mass", mass)?;
        }
        self.particle_mass.push(particle.mass.unwrap_or(0.0) as f32);
        self.particle_radius.push(particle.radius as f32);
        self.particle_q.push(particle.position.as_vec3());
        self.particle_qd.push(particle.velocity.as_vec3());
        Ok(())
    }

    fn add_spring(&mut self, scene: &Scene, number: usize) -> Result<(), ModelError> {
        let spring = &scene.springs[number];
        let name = format!("spring {number}");
        let [a, b] = spring.ends;
        if a == b || a.max(b) as usize >= scene.particles.len() {
            return Err(ModelError::SpringEnds { spring: name, ends: spring.ends });
        }
        let [a, b] = [a, b].map(|end| scene.particles[end as usize].position);
        let rest = spring.rest.unwrap_or_else(|| a.distance(b));
        not_negative(&name, "length at rest", rest)?;
        not_negative(&name, "stiffness", spring.stiffness)?;
        not_negative(&name, "damping", spring.damping)?;
        self.spring_nodes.push(spring.ends);
        self.spring_rest.push(rest as f32);
        self.spring_ke.push(spring.stiffness as f32);
        self.spring_kd.push(spring.damping as f32);
        Ok(())
    }

    /// Worlds one after the other in one row.
    fn joined<'a>(worlds: impl Iterator<Item = &'a Packed>) -> Packed {
        let mut row = Packed::default();
        for world in worlds {
            let first = row.particle_q.len() as u32;
            row.mass.extend(&world.mass);
            row.com.extend(&world.com);
            row.inertia.extend(&world.inertia);
            row.gravity_scale.extend(&world.gravity_scale);
            row.kinematic.extend(&world.kinematic);
            row.body_q.extend(&world.body_q);
            row.body_qd.extend(&world.body_qd);
            row.particle_mass.extend(&world.particle_mass);
            row.particle_radius.extend(&world.particle_radius);
            row.particle_q.extend(&world.particle_q);
            row.particle_qd.extend(&world.particle_qd);
            row.spring_nodes.extend(world.spring_nodes.iter().map(|ends| ends.map(|end| first + end)));
            row.spring_rest.extend(&world.spring_rest);
            row.spring_ke.extend(&world.spring_ke);
            row.spring_kd.extend(&world.spring_kd);
            row.trees.extend(&world.trees);
        }
        row
    }
}

fn adjacency(device: &Device, particles: usize, nodes: &[[u32; 2]]) -> Result<Adjacency, Error> {
    let mut of: Vec<Vec<u32>> = vec![vec![]; particles];
    for (spring, ends) in (0..).zip(nodes) {
        for (end, &particle) in (0..).zip(ends) {
            of[particle as usize].push(2 * spring + end);
        }
    }
    let mut start = vec![0u32];
    start.extend(of.iter().scan(0, |sum, ends| {
        *sum += ends.len() as u32;
        Some(*sum)
    }));
    Ok(Adjacency { start: Array::from_vec(device, start)?, ends: Array::from_vec(device, of.concat())? })
}

fn check_motion(name: &str, body: &Body) -> Result<(), ModelError> {
    finite(name, "position", body.pose.p)?;
    finite(name, "velocity", body.linear)?;
    finite(name, "spin", body.angular)?;
    let single = "finite in single precision";
    number(name, "gravity scale", body.gravity_scale, single, |scale| (scale as f32).is_finite())?;
    let length = body.pose.q.length();
    number(name, "rotation's length", length, "1", |length| (length - 1.0).abs() < 1e-6)
}

fn check_shape(name: &str, shape: &Shape) -> Result<(), ModelError> {
    not_negative(name, "density", shape.density)?;
    not_negative(name, "friction", shape.material.friction)?;
    number(name, "margin", shape.margin, "finite in single precision", |margin| (margin as f32).is_finite())?;
    number(name, "restitution", shape.material.restitution, "between 0 and 1", |e| (0.0..=1.0).contains(&e))?;
    finite(name, "position", shape.pose.p)?;
    number(name, "rotation's length", shape.pose.q.length(), "1", |length| (length - 1.0).abs() < 1e-6)?;
    if let Some(wall) = shape.wall {
        positive(name, "wall", wall)?;
    }
    let sizes = |sizes: DVec3| sizes.to_array().into_iter().try_for_each(|size| positive(name, "size", size));
    match &shape.geometry {
        Geometry::Sphere { radius } => positive(name, "radius", *radius),
        Geometry::Cuboid { half_extents: size } | Geometry::Ellipsoid { radii: size } => sizes(*size),
        Geometry::Capsule { radius, half_length }
        | Geometry::Cylinder { radius, half_length }
        | Geometry::Cone { radius, half_length } => {
            positive(name, "radius", *radius)?;
            positive(name, "half length", *half_length)
        }
        Geometry::Plane => Ok(()),
        Geometry::Mesh(mesh) => {
            let volume = mesh.volume();
            let solid = shape.wall.is_none() && shape.density > 0.0;
            match solid && volume < 0.0 {
                true => Err(ModelError::InsideOut { of: name.to_owned(), volume }),
                false => Ok(()),
            }
        }
    }
}

pub(super) fn number(
    of: &str,
    property: &'static str,
    value: f64,
    wanted: &'static str,
    may: impl Fn(f64) -> bool,
) -> Result<(), ModelError> {
    let wrong = || ModelError::Number { of: of.to_owned(), property, value: value.to_string(), wanted };
    may(value).then_some(()).ok_or_else(wrong)
}

fn positive(of: &str, property: &'static str, value: f64) -> Result<(), ModelError> {
    number(of, property, value, "above zero and finite in single precision", |value| {
        let rounded = value as f32;
        rounded > 0.0 && rounded.is_finite()
    })
}

pub(super) fn not_negative(of: &str, property: &'static str, value: f64) -> Result<(), ModelError> {
    number(of, property, value, "at least zero and finite in single precision", |value| {
        value >= 0.0 && (value as f32).is_finite()
    })
}

pub(super) fn finite(of: &str, property: &'static str, value: DVec3) -> Result<(), ModelError> {
    let wrong = || ModelError::Number {
        of: of.to_owned(),
        property,
        value: value.to_string(),
        wanted: "finite in single precision",
    };
    value.as_vec3().is_finite().then_some(()).ok_or_else(wrong)
}
