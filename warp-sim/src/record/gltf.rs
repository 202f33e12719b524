//! glTF 2.0 in its binary form: for browsers, Blender, viewers of all kinds.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use warp::math::{DQuat, DTransform, DVec3};

use super::tessellate::{Face, faces};
use super::track::Track;
use crate::Error;
use crate::geometry::{Geometry, Shape};
use crate::model::{Model, State};

/// Records a world of a simulation as an animation in a `.glb` file: a node for each body with its shapes as triangles, and where it
/// is at each frame. Everything hangs on a node that turns z up into that format's y up.
///
/// ```
/// use warp::prelude::*;
/// use warp::sim::record::GltfRecorder;
/// use warp::sim::{ModelBuilder, SemiImplicit, Shape, Stepper};
///
/// let mut b = ModelBuilder::new();
/// b.body("ball").at([0.0, 0.0, 2.0]).shape(Shape::sphere(0.1)).id();
/// let model = b.finalize(&Device::cpu())?;
/// let mut sim = Stepper::new(&model, SemiImplicit::new(&model)?)?;
/// let mut film = GltfRecorder::new(&model, 0)?;
/// for _ in 0..10 {
///     film.frame(&model, &sim.state, sim.time())?;
///     sim.step(1.0 / 60.0)?;
/// }
/// assert_eq!(film.bytes()[..4], *b"glTF");
/// # Ok::<(), warp::sim::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GltfRecorder {
    track: Track,
}

/// Half the side of what stands for a plane, m.
const GROUND: f64 = 20.0;
/// Numbers of the format: floats, words, and what a view of the data is for.
const FLOAT: u32 = 5126;
const WORD: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

impl GltfRecorder {
    /// Of one world.
    ///
    /// # Errors
    /// Where there is no such world.
    pub fn new(model: &Model, world: usize) -> Result<GltfRecorder, Error> {
        Ok(GltfRecorder { track: Track::new(model, world)? })
    }

    /// Adds where all is at a time, s.
    ///
    /// # Errors
    /// Where the state belongs to another model or holds numbers that are not finite, or the time is not after that of the last
    /// frame.
    pub fn frame(&mut self, model: &Model, state: &State, time: f64) -> Result<(), Error> {
        self.track.frame(model, state, time)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let wrong = |error: std::io::Error| Error::Record { file: path.display().to_string(), why: error.to_string() };
        fs::write(path, self.bytes()).map_err(wrong)
    }

    /// What the file holds.
    pub fn bytes(&self) -> Vec<u8> {
        let mut file = Document::default();
        let times = (!self.track.times.is_empty()).then(|| file.times(&self.track.times));
        for body in &self.track.bodies {
            let all: Vec<Face> = body.shapes.iter().flat_map(faces).collect();
            let node = file.node(&body.name, &all, body.color);
            if let Some(times) = times {
                let places: Vec<DVec3> = body.poses.iter().map(|(place, _)| *place).collect();
                file.moves(node, times, &places);
                file.turns(node, times, &body.poses.iter().map(|(_, turn)| *turn).collect::<Vec<_>>());
            }
        }
        let fixed: Vec<Face> = self.track.fixed.iter().flat_map(still).collect();
        if !fixed.is_empty() {
            file.node("fixed_shapes", &fixed, [0.62, 0.64, 0.66]);
        }
        for (k, radius) in self.track.radii.iter().enumerate() {
            let ball = faces(&Shape::sphere(if *radius > 0.0 { *radius } else { 0.01 }));
            let node = file.node(&format!("particle_{k}"), &ball, [0.30, 0.47, 0.74]);
            if let Some(times) = times {
                file.moves(node, times, &self.track.places.iter().map(|places| places[k]).collect::<Vec<_>>());
            }
        }
        file.finish()
    }
}

/// The surface of a fixed shape; of a plane, a large square.
fn still(shape: &Shape) -> Vec<Face> {
    if shape.geometry != Geometry::Plane {
        return faces(shape);
    }
    let square = Shape::cuboid([GROUND, GROUND, 0.005]).at([0.0, 0.0, -0.005]);
    let pose: DTransform = shape.pose * square.pose;
    faces(&Shape { pose, ..square })
}

/// The parts of a file.
#[derive(Default)]
struct Document {
    data: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    nodes: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Document {
    /// Numbers in the data, so many to an element, with their least and most where the format wants these.
    fn floats(&mut self, values: &[f32], width: usize, bounds: bool, target: Option<u32>) -> usize {
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][width - 1];
        let view = self.view(values.iter().flat_map(|value| value.to_le_bytes()), target);
        let count = values.len() / width;
        let mut accessor = json!({ "bufferView": view, "componentType": FLOAT, "count": count, "type": kind });
        if bounds {
            let over = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
                let column = |k: usize| values.iter().copied().skip(k).step_by(width).reduce(pick).unwrap_or(0.0);
                (0..width).map(column).collect()
            };
            accessor["min"] = json!(over(f32::min));
            accessor["max"] = json!(over(f32::max));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: impl Iterator<Item = u8>, target: Option<u32>) -> usize {
        let start = self.data.len();
        self.data.extend(bytes);
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.data.len() - start });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        self.views.len() - 1
    }

    fn times(&mut self, times: &[f64]) -> usize {
        let times: Vec<f32> = times.iter().map(|time| *time as f32).collect();
        self.floats(&times, 1, true, None)
    }

    fn node(&mut self, name: &str, all: &[Face], color: [f64; 3]) -> usize {
        let mut node = json!({ "name": name });
        if !all.is_empty() {
            node["mesh"] = json!(self.mesh(name, all, color));
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn mesh(&mut self, name: &str, all: &[Face], color: [f64; 3]) -> usize {
        let three = |v: &DVec3| v.as_vec3().to_array();
        let points: Vec<f32> = all.iter().flat_map(|face| face.points.iter().flat_map(three)).collect();
        let normals: Vec<f32> = all.iter().flat_map(|face| face.normals.iter().flat_map(three)).collect();
        let position = self.floats(&points, 3, true, Some(VERTICES));
        let normal = self.floats(&normals, 3, false, Some(VERTICES));
        let corners = 0..3 * all.len() as u32;
        let view = self.view(corners.flat_map(u32::to_le_bytes), Some(INDICES));
        let count = 3 * all.len();
        self.accessors.push(json!({ "bufferView": view, "componentType": WORD, "count": count, "type": "SCALAR" }));
        let indices = self.accessors.len() - 1;
        let [r, g, b] = color;
        self.materials.push(json!({
            "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7 },
            "doubleSided": true,
        }));
        self.meshes.push(json!({ "name": name, "primitives": [{
            "attributes": { "POSITION": position, "NORMAL": normal },
            "indices": indices,
            "material": self.materials.len() - 1,
        }] }));
        self.meshes.len() - 1
    }

    fn moves(&mut self, node: usize, times: usize, places: &[DVec3]) {
        let values: Vec<f32> = places.iter().flat_map(|place| place.as_vec3().to_array()).collect();
        let output = self.floats(&values, 3, false, None);
        self.channel(node, "translation", times, output);
    }

    fn turns(&mut self, node: usize, times: usize, turns: &[DQuat]) {
        let values: Vec<f32> = turns.iter().flat_map(|turn| turn.as_quat().to_array()).collect();
        let output = self.floats(&values, 4, false, None);
        self.channel(node, "rotation", times, output);
    }

    fn channel(&mut self, node: usize, path: &str, input: usize, output: usize) {
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        let sampler = self.samplers.len() - 1;
        self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    /// A header, the description, and the data, each of whole words.
    fn finish(mut self) -> Vec<u8> {
        let children: Vec<usize> = (0..self.nodes.len()).collect();
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let mut root = json!({ "name": "World", "rotation": [-half, 0.0, 0.0, half] });
        if !children.is_empty() {
            root["children"] = json!(children);
        }
        self.nodes.push(root);
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "warp-sim" },
            "scene": 0,
            "scenes": [{ "nodes": [self.nodes.len() - 1] }],
            "nodes": self.nodes,
        });
        let lists = [
            ("bufferViews", self.views),
            ("accessors", self.accessors),
            ("meshes", self.meshes),
            ("materials", self.materials),
        ];
        // Lists without anything in them are not allowed there.
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            document[name] = Value::Array(list);
        }
        if !self.channels.is_empty() {
            document["animations"] =
                json!([{ "name": "simulation", "samplers": self.samplers, "channels": self.channels }]);
        }
        if !self.data.is_empty() {
            document["buffers"] = json!([{ "byteLength": self.data.len() }]);
        }
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        let mut file = b"glTF".to_vec();
        let chunks = [(text, *b"JSON"), (self.data, *b"BIN\0")];
        let chunks: Vec<_> = chunks.into_iter().filter(|(bytes, _)| !bytes.is_empty()).collect();
        let length = 12 + chunks.iter().map(|(bytes, _)| 8 + bytes.len()).sum::<usize>();
        file.extend([2u32, length as u32].into_iter().flat_map(u32::to_le_bytes));
        for (bytes, kind) in chunks {
            file.extend((bytes.len() as u32).to_le_bytes());
            file.extend(kind);
            file.extend(bytes);
        }
        file
    }
}
