//! Geoms: shapes, and what they weigh.

use std::sync::Arc;

use warp::math::{DMat3, DQuat, DSpatialInertia, DTransform, DVec3};

use super::super::xml::Element;
use super::super::{ImportError, Notes};
use super::{Reader, mass};
use crate::geometry::{Geometry, Mesh, MeshError, Shape};

/// What geoms say of contact and looks, which is read elsewhere or says nothing of motion.
const KNOWN: [&str; 40] = [
    "name",
    "class",
    "type",
    "contype",
    "conaffinity",
    "condim",
    "group",
    "priority",
    "size",
    "material",
    "rgba",
    "friction",
    "mass",
    "density",
    "solmix",
    "solref",
    "solimp",
    "margin",
    "gap",
    "fromto",
    "pos",
    "quat",
    "axisangle",
    "xyaxes",
    "zaxis",
    "euler",
    "hfield",
    "mesh",
    "fitscale",
    "user",
    "fluidshape",
    "fluidcoef",
    "shellinertia",
    "childclass",
    "texture",
    "surfacevel",
    "texrepeat",
    "dclass",
    "octree",
    "adhesion",
];

/// A geom as a shape.
pub(super) struct Geom {
    pub shape: Shape,
    /// What it weighs, in its body's frame; none where it does not count.
    pub weight: Option<DSpatialInertia>,
}

impl Reader<'_, '_> {
    /// A geom, with its defaults; none where it is left out.
    pub(super) fn geom(&mut self, of: &Element) -> Result<Option<Geom>, ImportError> {
        self.notes.attributes(of, &KNOWN);
        let kind = of.get("type").unwrap_or(if of.get("mesh").is_some() { "mesh" } else { "sphere" });
        let size = of.numbers("size")?.unwrap_or_default();
        let size_at = |k: usize| -> Result<f64, ImportError> {
            let value = size.get(k).copied().ok_or_else(|| of.wrong(format!("its `size` lacks number {}", k + 1)))?;
            if value > 0.0 {
                Ok(value)
            } else {
                Err(of.wrong(format!("its `size` has {value}, and has to be above zero")))
            }
        };
        let (pose, half) = self.laid(of)?;
        let long = |k: usize| half.map_or_else(|| size_at(k), Ok);
        let shape = match kind {
            "plane" => Shape::plane(),
            "sphere" => Shape::sphere(size_at(0)?),
            "capsule" => Shape::capsule(size_at(0)?, long(1)?),
            "cylinder" => Shape::cylinder(size_at(0)?, long(1)?),
            "ellipsoid" => Shape::ellipsoid(DVec3::new(
                size_at(0)?,
                if half.is_some() { size_at(0)? } else { size_at(1)? },
                long(2)?,
            )),
            "box" => {
                Shape::cuboid(DVec3::new(size_at(0)?, if half.is_some() { size_at(0)? } else { size_at(1)? }, long(2)?))
            }
            "mesh" => {
                let name = of.needs("mesh")?;
                let mesh = self.mesh(of, name)?;
                match mesh {
                    Some(mesh) => Shape::mesh(mesh),
                    None => return Ok(None),
                }
            }
            "hfield" | "sdf" => {
                self.notes.warn(of, format!("geoms of type `{kind}` are not known here, and left out"));
                return Ok(None);
            }
            _ => return Err(of.wrong(format!("its type `{kind}` is not known"))),
        };
        if of.get("shellinertia") == Some("true") {
            self.notes.unsupported(of, "inertia of its surface alone (`shellinertia`)")?;
        }
        let mut shape = Shape { pose, ..shape };
        let weight = match shape.geometry {
            Geometry::Plane => None,
            _ => Some(self.weight(of, &shape)?),
        };
        let bits = |name: &str| -> Result<u32, ImportError> { Ok(of.number(name)?.map_or(1, |bits| bits as u32)) };
        shape = shape.groups(bits("contype")?, bits("conaffinity")?).margin(of.number("margin")?.unwrap_or(0.0));
        let friction = of.numbers("friction")?.and_then(|all| all.first().copied()).unwrap_or(1.0);
        shape = shape.friction(friction).named(of.get("name").unwrap_or_default());
        let group = of.number("group")?.unwrap_or(0.0);
        let [low, high] = self.compiler.groups;
        Ok(Some(Geom { shape, weight: weight.filter(|_| (low..=high).contains(&group)) }))
    }

    /// What a geom weighs: by its density, or as much as it says.
    fn weight(&self, of: &Element, shape: &Shape) -> Result<DSpatialInertia, ImportError> {
        let density = of.number("density")?.unwrap_or(1000.0);
        let asset = of.get("mesh").and_then(|name| self.assets.get(name));
        let exact = asset.and_then(|asset| asset.get("inertia")) == Some("exact");
        let all = match &shape.geometry {
            Geometry::Mesh(mesh) if !exact => shape.pose.transform_inertia(mass::legacy(mesh, density)),
            _ => shape.clone().density(density).mass_properties(),
        };
        match of.number("mass")? {
            Some(mass) if all.mass > 0.0 => Ok(DSpatialInertia::new(mass, all.com, all.inertia * (mass / all.mass))),
            Some(mass) => Ok(DSpatialInertia::new(mass, all.com, DMat3::ZERO)),
            None => Ok(all),
        }
    }

    /// Where a geom lies, and half its length where `fromto` says that.
    fn laid(&self, of: &Element) -> Result<(DTransform, Option<f64>), ImportError> {
        let Some(ends) = of.numbers("fromto")? else { return Ok((self.compiler.pose(of)?, None)) };
        let &[ax, ay, az, bx, by, bz] = ends.as_slice() else {
            return Err(of.wrong(format!("`fromto` has {} numbers, and has to have six", ends.len())));
        };
        let (a, b) = (DVec3::new(ax, ay, az), DVec3::new(bx, by, bz));
        let along = (a - b).try_normalize().ok_or_else(|| of.wrong("both ends of `fromto` are one place"))?;
        let turn = DQuat::from_rotation_arc(DVec3::Z, along);
        Ok((DTransform::new(0.5 * (a + b), turn), Some(0.5 * a.distance(b))))
    }

    /// A mesh of the assets.
    fn mesh(&mut self, at: &Element, name: &str) -> Result<Option<Arc<Mesh>>, ImportError> {
        if let Some(known) = self.meshes.get(name) {
            return Ok(known.clone());
        }
        let asset = self.assets.get(name).cloned();
        let asset = asset.ok_or_else(|| at.wrong(format!("there is no mesh `{name}`")))?;
        let mesh = read_mesh(&asset, &self.compiler.meshes, &self.how.folder, self.notes)?;
        self.meshes.insert(name.to_owned(), mesh.clone());
        Ok(mesh)
    }
}

fn read_mesh(
    asset: &Element,
    meshes: &std::path::Path,
    folder: &std::path::Path,
    notes: &mut Notes,
) -> Result<Option<Arc<Mesh>>, ImportError> {
    let known = [
        "name",
        "class",
        "file",
        "scale",
        "vertex",
        "face",
        "normal",
        "texcoord",
        "inertia",
        "smoothnormal",
        "maxhullvert",
        "content_type",
        "refpos",
        "refquat",
        "octreemaxdepth",
    ];
    notes.attributes(asset, &known);
    let scale = asset.vector("scale")?.unwrap_or(DVec3::ONE);
    let mesh = match asset.get("file") {
        Some(file) => {
            let path = super::super::files::found(file, meshes).or_else(|| super::super::files::found(file, folder));
            let path = path.ok_or_else(|| asset.wrong(format!("the mesh file `{file}` is not there")))?;
            super::super::files::mesh(&path, scale)?
        }
        None => {
            let points = asset.numbers("vertex")?.ok_or_else(|| asset.wrong("it has neither `file` nor `vertex`"))?;
            let points: Vec<DVec3> = points.chunks_exact(3).map(|p| DVec3::new(p[0], p[1], p[2])).collect();
            let wrong = |error: MeshError| asset.wrong(error.to_string());
            let Some(faces) = asset.numbers("face")? else {
                // Points without faces mean their hull.
                return Ok(Some(Arc::new(Mesh::hull(&points, usize::MAX).map_err(wrong)?.scaled(scale))));
            };
            let faces = faces.chunks_exact(3).map(|f| [f[0] as u32, f[1] as u32, f[2] as u32]).collect();
            let mesh = Mesh::new(points, faces).map_err(wrong)?;
            Arc::new(mesh.scaled(scale))
        }
    };
    if !matches!(asset.get("inertia"), None | Some("legacy" | "exact")) {
        notes.unsupported(asset, "inertia of its hull or its surface alone (`inertia`)")?;
    }
    for moved in ["refpos", "refquat"] {
        if asset.get(moved).is_some() {
            notes.unsupported(asset, format!("a mesh that is moved by `{moved}`"))?;
        }
    }
    Ok(Some(if mesh.volume() < 0.0 { Arc::new(mesh.flipped()) } else { mesh }))
}
