//! Looks at a world.

use warp::math::{DMat3, DQuat, DTransform, DVec2, DVec3};

use super::picture::{Canvas, Picture};
use super::tessellate::{Face, faces};
use crate::Error;
use crate::geometry::{Geometry, Shape};
use crate::model::{Model, State};

/// Draws a world of a state onto a picture, without a display and without a GPU: what bodies look like, fixed shapes, particles and
/// springs. The same state gives the same picture.
///
/// ```
/// use warp::prelude::*;
/// use warp::sim::record::Camera;
/// use warp::sim::{ModelBuilder, Shape};
///
/// let mut b = ModelBuilder::new();
/// b.body("box").at([0.0, 0.0, 0.5]).shape(Shape::cuboid([0.2, 0.3, 0.5])).id();
/// b.ground();
/// let model = b.finalize(&Device::cpu())?;
/// let state = model.state()?;
/// let picture = Camera::facing(&model, &state, 0)?.size(160, 120).draw(&model, &state, 0)?;
/// assert_eq!((picture.width(), picture.height()), (160, 120));
/// # Ok::<(), warp::sim::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands, m.
    pub position: DVec3,
    /// What it looks at, m.
    pub target: DVec3,
    /// What is up on the picture.
    pub up: DVec3,
    /// The angle between the lowest and the highest that it sees, rad.
    pub field_of_view: f64,
    width: usize,
    height: usize,
}

/// Colours of bodies, one after the other.
const COLORS: [[f64; 3]; 8] = [
    [0.30, 0.47, 0.74],
    [0.88, 0.50, 0.24],
    [0.38, 0.65, 0.38],
    [0.78, 0.33, 0.34],
    [0.58, 0.47, 0.72],
    [0.60, 0.46, 0.38],
    [0.36, 0.65, 0.70],
    [0.80, 0.70, 0.34],
];
const FIXED: [f64; 3] = [0.62, 0.64, 0.66];
const TILES: [[f64; 3]; 2] = [[0.86, 0.86, 0.84], [0.74, 0.75, 0.76]];
/// Tiles of a plane to each side of what is looked at.
const TILES_EACH_WAY: i32 = 12;

impl Camera {
    /// At a place, looking at another, with z up and half a right angle of view.
    pub fn new(position: impl Into<DVec3>, target: impl Into<DVec3>) -> Camera {
        let (position, target) = (position.into(), target.into());
        let field_of_view = std::f64::consts::FRAC_PI_4;
        Camera { position, target, up: DVec3::Z, field_of_view, width: 640, height: 480 }
    }

    /// Where it sees all bodies and particles of a world, from the front, the right and above.
    pub fn facing(model: &Model, state: &State, world: usize) -> Result<Camera, Error> {
        let scene = Scene::of(model, state, world)?;
        let (low, high) = scene.extent();
        let (center, radius) = (0.5 * (low + high), (0.5 * (high - low).length()).max(1e-3));
        let away = DVec3::new(1.0, -1.6, 0.8).normalize();
        let camera = Camera::new(center, center);
        let distance = 1.15 * radius / (0.5 * camera.field_of_view).sin();
        Ok(Camera { position: center + away * distance, ..camera })
    }

    /// How many pixels its pictures have; at least one each way, and at most 16,384.
    pub fn size(mut self, width: usize, height: usize) -> Self {
        (self.width, self.height) = (width.clamp(1, 16_384), height.clamp(1, 16_384));
        self
    }

    /// Draws a world as it is in a state.
    ///
    /// # Errors
    /// Where the state belongs to another model, or there is no such world.
    pub fn draw(&self, model: &Model, state: &State, world: usize) -> Result<Picture, Error> {
        let scene = Scene::of(model, state, world)?;
        let eye = Eye::of(self);
        let mut canvas = Canvas::new(self.width, self.height);
        let (low, high) = scene.extent();
        for pose in &scene.planes {
            tiles(pose, 0.5 * (low + high), (high - low).length())
                .iter()
                .for_each(|(face, color)| canvas.face(&eye, face, *color));
        }
        scene.faces.iter().for_each(|(face, color)| canvas.face(&eye, face, *color));
        scene.lines.iter().for_each(|[a, b]| canvas.line(&eye, *a, *b, [0.25, 0.25, 0.28]));
        Ok(canvas.finish())
    }
}

/// The colour of a body, by its number in its world.
pub(super) fn color_of(body: usize) -> [f64; 3] {
    COLORS[body % COLORS.len()]
}

/// A plane near what is looked at, as a board of squares.
fn tiles(pose: &DTransform, near: DVec3, size: f64) -> Vec<(Face, [f64; 3])> {
    let inside = pose.inverse_transform_point(near);
    // A length of 1, 2 or 5 times a power of ten.
    let rough = (0.25 * size).max(1e-3);
    let ten = 10f64.powf(rough.log10().floor());
    let side = ten * [5.0, 2.0, 1.0].into_iter().find(|step| step * ten <= rough).unwrap_or(1.0);
    let first = [inside.x, inside.y].map(|x| (x / side).round() as i64 as f64);
    let mut all = vec![];
    for i in -TILES_EACH_WAY..TILES_EACH_WAY {
        for j in -TILES_EACH_WAY..TILES_EACH_WAY {
            let corner = |a: i32, b: i32| {
                let (x, y) = (first[0] + f64::from(i + a), first[1] + f64::from(j + b));
                pose.transform_point(DVec3::new(x * side, y * side, 0.0))
            };
            let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let odd = (first[0] + first[1] + f64::from(i + j)).rem_euclid(2.0) > 0.5;
            let normals = [pose.q * DVec3::Z; 3];
            all.extend([[a, b, c], [a, c, d]].map(|points| (Face { points, normals }, TILES[usize::from(odd)])));
        }
    }
    all
}

/// A camera's own axes.
pub(super) struct Eye {
    position: DVec3,
    /// From the world to right, up and away.
    turn: DMat3,
    /// How many times its distance half the picture's height sees.
    slope: f64,
    nearest: f64,
}

impl Eye {
    fn of(camera: &Camera) -> Eye {
        let away = (camera.target - camera.position).try_normalize().unwrap_or(DVec3::Y);
        let right = away.cross(camera.up).try_normalize().unwrap_or_else(|| away.any_orthonormal_vector());
        let turn = DMat3::from_cols(right, right.cross(away), away).transpose();
        let slope = (0.5 * camera.field_of_view.clamp(1e-3, 3.0)).tan();
        let nearest = 1e-3 * (camera.target - camera.position).length().max(1e-6);
        Eye { position: camera.position, turn, slope, nearest }
    }

    /// A point to the right, up, and away.
    pub fn seen(&self, point: DVec3) -> DVec3 {
        self.turn * (point - self.position)
    }

    pub fn nearest(&self) -> f64 {
        self.nearest
    }

    /// Where a seen point is on a canvas.
    pub fn point(&self, seen: DVec3, width: usize, height: usize) -> DVec2 {
        let scale = 0.5 * height as f64 / (self.slope * seen.z);
        DVec2::new(0.5 * width as f64 + scale * seen.x, 0.5 * height as f64 - scale * seen.y)
    }
}

/// All that is to be drawn.
struct Scene {
    faces: Vec<(Face, [f64; 3])>,
    planes: Vec<DTransform>,
    lines: Vec<[DVec3; 2]>,
}

impl Scene {
    fn of(model: &Model, state: &State, world: usize) -> Result<Scene, Error> {
        model.fits(state)?;
        let mut scene = Scene { faces: vec![], planes: vec![], lines: vec![] };
        let poses = state.body_q.to_vec()?;
        let shapes: Vec<_> = model.shapes(world)?.collect();
        // Where a file says how a body looks, its collision shapes are not drawn.
        let looks = |body| shapes.iter().any(|(on, shape)| *on == body && !shape.touches());
        for (body, shape) in &shapes {
            if shape.touches() && looks(*body) {
                continue;
            }
            let pose = poses[model.body_at(world, *body)?];
            let turn = DQuat::from_array(pose.q.to_array().map(f64::from)).normalize();
            scene.add(shape, &DTransform::new(pose.p.as_dvec3(), turn), color_of(body.index()));
        }
        for shape in model.fixed_shapes() {
            scene.add(shape, &DTransform::IDENTITY, FIXED);
        }
        scene.add_particles(model, state, world)?;
        Ok(scene)
    }

    fn add(&mut self, shape: &Shape, pose: &DTransform, color: [f64; 3]) {
        if shape.geometry == Geometry::Plane {
            self.planes.push(*pose * shape.pose);
        }
        self.faces.extend(faces(shape).iter().map(|face| (face.moved(pose), color)));
    }

    fn add_particles(&mut self, model: &Model, state: &State, world: usize) -> Result<(), Error> {
        let places = state.particle_q.to_vec()?;
        let radii = model.particle_radius.array().to_vec()?;
        for (number, at) in model.worlds.particles.of(world).enumerate() {
            let radius = f64::from(radii[model.particle_radius.index(number, at)]);
            if radius > 0.0 {
                let pose = DTransform::from_translation(places[at].as_dvec3());
                self.add(&Shape::sphere(radius), &pose, COLORS[0]);
            }
        }
        let nodes = model.spring_nodes.array().to_vec()?;
        let first = if model.worlds.particles.is_alike() { model.worlds.particles.of(world).start } else { 0 };
        for (number, spring) in model.worlds.springs.of(world).enumerate() {
            let ends = nodes[model.spring_nodes.index(number, spring)];
            self.lines.push(ends.map(|end| places[first + end as usize].as_dvec3()));
        }
        Ok(())
    }

    /// The least box around all but planes.
    fn extent(&self) -> (DVec3, DVec3) {
        let corners = self.faces.iter().flat_map(|(face, _)| face.points);
        let all = corners.chain(self.lines.iter().flatten().copied()).filter(|point| point.is_finite());
        let nothing = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = all.fold(nothing, |(low, high), point| (low.min(point), high.max(point)));
        if low.is_finite() { (low, high) } else { (-DVec3::ONE, DVec3::ONE) }
    }
}
