//! What bodies weigh.

use warp::math::{DMat3, DMat3Ext, DSpatialInertia, DTransform, DVec3};

use super::super::ImportError;
use super::super::xml::Element;
use super::Reader;
use super::compiler::FromGeoms;
use crate::geometry::{Mesh, Shape};
use crate::model::is_impossible;

impl Reader<'_, '_> {
    pub(super) fn inertial(&mut self, of: &Element) -> Result<DSpatialInertia, ImportError> {
        let known = ["pos", "quat", "mass", "diaginertia", "axisangle", "xyaxes", "zaxis", "euler", "fullinertia"];
        self.notes.attributes(of, &known);
        let mass = of.number("mass")?.ok_or_else(|| of.wrong("it has no `mass`"))?;
        let pose: DTransform = self.compiler.pose(of)?;
        let inertia = match (of.vector("diaginertia")?, of.numbers("fullinertia")?.as_deref()) {
            (Some(diagonal), None) => DMat3::from_diagonal(diagonal),
            (None, Some(&[xx, yy, zz, xy, xz, yz])) => DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]),
            (None, None) => DMat3::ZERO,
            (Some(_), Some(_)) => return Err(of.wrong("it has both `diaginertia` and `fullinertia`")),
            (None, Some(all)) => {
                return Err(of.wrong(format!("`fullinertia` has {} numbers, and has to have six", all.len())));
            }
        };
        Ok(pose.transform_inertia(DSpatialInertia::new(mass, DVec3::ZERO, inertia)))
    }

    /// Weighs all bodies, as the compiler says.
    pub(super) fn settle_masses(&mut self) -> Result<(), ImportError> {
        let compiler = &self.compiler;
        for (number, link) in self.draft.links.iter_mut().enumerate() {
            let nothing = DSpatialInertia::new(0.0, DVec3::ZERO, DMat3::ZERO);
            let own = self.weights.iter().filter(|(on, _)| *on == number);
            let geoms = own.fold(nothing, |sum, (_, weight)| sum + *weight);
            let stated = link.inertia.filter(|_| compiler.from_geoms != FromGeoms::Always);
            let inertia = match (stated, compiler.from_geoms) {
                (Some(inertia), _) => Some(inertia),
                (None, FromGeoms::Never) => None,
                (None, _) => Some(geoms).filter(|all| all.mass > 0.0),
            };
            let [mass, moment] = compiler.least;
            // All bodies of the file have the least mass, also those without any.
            let bare = || (!link.between && mass > 0.0).then(|| DSpatialInertia::new(0.0, DVec3::ZERO, DMat3::ZERO));
            link.inertia = inertia.or_else(bare).map(|mut inertia| {
                if !link.between {
                    inertia.mass = inertia.mass.max(mass);
                }
                if moment > 0.0 && inertia.mass > 0.0 {
                    let (moments, axes) = inertia.inertia.symmetric_eigen();
                    let moments = moments.max(DVec3::splat(moment));
                    inertia.inertia = axes * DMat3::from_diagonal(moments) * axes.transpose();
                }
                if compiler.balance && is_impossible(inertia.inertia) {
                    let i = inertia.inertia;
                    let mean = (i.x_axis.x + i.y_axis.y + i.z_axis.z) / 3.0;
                    inertia.inertia = DMat3::from_diagonal(DVec3::splat(mean));
                }
                inertia
            });
        }
        if let Some(total) = compiler.total_mass {
            let all: f64 = self.draft.links.iter().filter_map(|link| Some(link.inertia?.mass)).sum();
            for inertia in self.draft.links.iter_mut().filter_map(|link| link.inertia.as_mut()) {
                let scale = if all > 0.0 { total / all } else { 1.0 };
                (inertia.mass, inertia.inertia) = (inertia.mass * scale, inertia.inertia * scale);
            }
        }
        Ok(())
    }
}

/// What a mesh weighs as MuJoCo counts it unless told otherwise: tetrahedra between its triangles and the middle of its surface,
/// all as if they were outward. For surfaces that are not convex that is more than they enclose.
pub(super) fn legacy(mesh: &Mesh, density: f64) -> DSpatialInertia {
    let corners = |triangle: &[u32; 3]| triangle.map(|point| mesh.points()[point as usize]);
    let (mut area, mut middle) = (0.0, DVec3::ZERO);
    for triangle in mesh.triangles() {
        let [a, b, c] = corners(triangle);
        let part = 0.5 * (b - a).cross(c - a).length();
        area += part;
        middle += part * (a + b + c) / 3.0;
    }
    let middle = if area > 0.0 { middle / area } else { DVec3::ZERO };
    // The centre of mass is found about the middle of the surface, and then mass and inertia about that centre.
    let first = outward(mesh, middle).map_or(middle, |whole| middle + whole.density(1.0).mass_properties().com);
    match outward(mesh, first) {
        Some(whole) => {
            let all = whole.density(density).mass_properties();
            DSpatialInertia::new(all.mass, first, all.about_origin())
        }
        None => DSpatialInertia::new(0.0, DVec3::ZERO, DMat3::ZERO),
    }
}

/// A mesh from a point, each triangle that is inward from there turned round: then all volumes count as they are.
fn outward(mesh: &Mesh, middle: DVec3) -> Option<Shape> {
    let turned = mesh.triangles().iter().map(|triangle| {
        let [a, b, c] = triangle.map(|point| mesh.points()[point as usize] - middle);
        let [i, j, k] = *triangle;
        if a.dot(b.cross(c)) < 0.0 { [i, k, j] } else { [i, j, k] }
    });
    let points = mesh.points().iter().map(|point| *point - middle).collect();
    Mesh::new(points, turned.collect()).ok().map(Shape::mesh)
}
