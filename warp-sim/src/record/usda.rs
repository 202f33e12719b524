//! Universal Scene Description, as text: for usdview, Blender, Omniverse.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use warp::math::{DTransform, DVec3};

use super::names::Names;
use super::track::{Actor, Track};
use crate::Error;
use crate::geometry::{Geometry, Shape};
use crate::model::{Model, State};

/// Time codes in a second.
const CODES: f64 = 60.0;
/// Half the side of what stands for a plane, m.
const GROUND: f64 = 20.0;

/// Records a world of a simulation as a USD stage of text, `.usda`: each body with its shapes, and where it is at each frame.
/// Metres, z up, 60 time codes a second.
///
/// ```
/// use warp::prelude::*;
/// use warp::sim::record::UsdaRecorder;
/// use warp::sim::{ModelBuilder, SemiImplicit, Shape, Stepper};
///
/// let mut b = ModelBuilder::new();
/// b.body("ball").at([0.0, 0.0, 2.0]).shape(Shape::sphere(0.1)).id();
/// let model = b.finalize(&Device::cpu())?;
/// let mut sim = Stepper::new(&model, SemiImplicit::new(&model)?)?;
/// let mut film = UsdaRecorder::new(&model, 0)?;
/// for _ in 0..10 {
///     film.frame(&model, &sim.state, sim.time())?;
///     sim.step(1.0 / 60.0)?;
/// }
/// assert!(film.text().contains("def Sphere"));
/// # Ok::<(), warp::sim::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct UsdaRecorder {
    track: Track,
}

impl UsdaRecorder {
    /// Of one world.
    ///
    /// # Errors
    /// Where there is no such world.
    pub fn new(model: &Model, world: usize) -> Result<UsdaRecorder, Error> {
        Ok(UsdaRecorder { track: Track::new(model, world)? })
    }

    /// Adds where all is at a time, s.
    ///
    /// # Errors
    /// Where the state belongs to another model, or the time is not after that of the last frame.
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
        fs::write(path, self.text()).map_err(wrong)
    }

    /// What the file holds.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, to: &mut String) -> std::fmt::Result {
        let track = &self.track;
        let code = |time: Option<&f64>| time.map_or(0.0, |time| time * CODES);
        writeln!(to, "#usda 1.0\n(\n    defaultPrim = \"World\"\n    metersPerUnit = 1\n    upAxis = \"Z\"")?;
        writeln!(to, "    startTimeCode = {}", code(track.times.first()))?;
        writeln!(to, "    endTimeCode = {}\n    timeCodesPerSecond = {CODES}\n)\n", code(track.times.last()))?;
        writeln!(to, "def Xform \"World\"\n{{")?;
        for body in &track.bodies {
            write_body(to, body, &track.times)?;
        }
        if !track.fixed.is_empty() {
            writeln!(to, "    def Xform \"fixed_shapes\"\n    {{")?;
            write_shapes(to, &track.fixed, [0.62, 0.64, 0.66])?;
            writeln!(to, "    }}")?;
        }
        self.write_particles(to)?;
        writeln!(to, "}}")
    }

    fn write_particles(&self, to: &mut String) -> std::fmt::Result {
        let track = &self.track;
        if track.radii.is_empty() {
            return Ok(());
        }
        writeln!(to, "    def Points \"particles\"\n    {{")?;
        // Points without a size are shown small.
        let widths: Vec<f64> =
            track.radii.iter().map(|radius| if *radius > 0.0 { 2.0 * radius } else { 0.02 }).collect();
        writeln!(to, "        float[] widths = {widths:?}\n        point3f[] points.timeSamples = {{")?;
        for (time, places) in track.times.iter().zip(&track.places) {
            writeln!(to, "            {}: [{}],", time * CODES, joined(places))?;
        }
        writeln!(to, "        }}\n    }}")
    }
}

fn write_body(to: &mut String, body: &Actor, times: &[f64]) -> std::fmt::Result {
    writeln!(to, "    def Xform \"{}\"\n    {{", body.name)?;
    writeln!(to, "        double3 xformOp:translate.timeSamples = {{")?;
    for (time, (place, _)) in times.iter().zip(&body.poses) {
        writeln!(to, "            {}: {},", time * CODES, triple(*place))?;
    }
    writeln!(to, "        }}\n        quatd xformOp:orient.timeSamples = {{")?;
    for (time, (_, q)) in times.iter().zip(&body.poses) {
        // The real part comes first there.
        writeln!(to, "            {}: ({}, {}, {}, {}),", time * CODES, q.w, q.x, q.y, q.z)?;
    }
    writeln!(to, "        }}")?;
    writeln!(to, "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]")?;
    write_shapes(to, &body.shapes, body.color)?;
    writeln!(to, "    }}")
}

fn write_shapes(to: &mut String, shapes: &[Shape], color: [f64; 3]) -> std::fmt::Result {
    let mut names = Names::default();
    for (number, shape) in shapes.iter().enumerate() {
        let name = names.like(&shape.label, &format!("shape_{number}"));
        let (kind, attributes, scale) = prim(&shape.geometry);
        writeln!(to, "        def {kind} \"{name}\"\n        {{")?;
        for attribute in attributes {
            writeln!(to, "            {attribute}")?;
        }
        let DTransform { p, q } = shape.pose;
        writeln!(to, "            color3f[] primvars:displayColor = [({}, {}, {})]", color[0], color[1], color[2])?;
        writeln!(to, "            double3 xformOp:translate = {}", triple(p))?;
        writeln!(to, "            quatd xformOp:orient = ({}, {}, {}, {})", q.w, q.x, q.y, q.z)?;
        writeln!(to, "            double3 xformOp:scale = {}", triple(scale))?;
        let order = "[\"xformOp:translate\", \"xformOp:orient\", \"xformOp:scale\"]";
        writeln!(to, "            uniform token[] xformOpOrder = {order}\n        }}")?;
    }
    Ok(())
}

/// The kind of prim that a form is, its attributes, and how it is stretched.
fn prim(geometry: &Geometry) -> (&'static str, Vec<String>, DVec3) {
    let round = |radius: f64, height: f64| {
        vec![
            format!("double radius = {radius}"),
            format!("double height = {height}"),
            "uniform token axis = \"Z\"".to_owned(),
        ]
    };
    match geometry {
        Geometry::Sphere { radius } => ("Sphere", vec![format!("double radius = {radius}")], DVec3::ONE),
        Geometry::Ellipsoid { radii } => ("Sphere", vec!["double radius = 1".to_owned()], *radii),
        Geometry::Cuboid { half_extents } => ("Cube", vec!["double size = 2".to_owned()], *half_extents),
        Geometry::Capsule { radius, half_length } => ("Capsule", round(*radius, 2.0 * half_length), DVec3::ONE),
        Geometry::Cylinder { radius, half_length } => ("Cylinder", round(*radius, 2.0 * half_length), DVec3::ONE),
        Geometry::Cone { radius, half_length } => ("Cone", round(*radius, 2.0 * half_length), DVec3::ONE),
        Geometry::Plane => {
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let corners = corners.map(|(x, y)| DVec3::new(x * GROUND, y * GROUND, 0.0));
            ("Mesh", surface(&corners, "4", "0, 1, 2, 3"), DVec3::ONE)
        }
        Geometry::Mesh(mesh) => {
            let counts = vec!["3"; mesh.triangles().len()].join(", ");
            let corners = mesh.triangles().iter().flatten().map(u32::to_string).collect::<Vec<_>>().join(", ");
            ("Mesh", surface(mesh.points(), &counts, &corners), DVec3::ONE)
        }
    }
}

fn surface(points: &[DVec3], counts: &str, corners: &str) -> Vec<String> {
    vec![
        format!("point3f[] points = [{}]", joined(points)),
        format!("int[] faceVertexCounts = [{counts}]"),
        format!("int[] faceVertexIndices = [{corners}]"),
        "uniform token subdivisionScheme = \"none\"".to_owned(),
        "bool doubleSided = true".to_owned(),
    ]
}

fn triple(v: DVec3) -> String {
    format!("({}, {}, {})", v.x, v.y, v.z)
}

fn joined(points: &[DVec3]) -> String {
    points.iter().map(|point| triple(*point)).collect::<Vec<_>>().join(", ")
}
