//! URDF: links, and the joints between them.

use std::collections::BTreeMap;

use warp::math::{DMat3, DSpatialInertia, DTransform, DVec3};

use super::draft::{Draft, Hold, HoldKind, Link, Mimic, weighed};
use super::numbers::from_rpy;
use super::xml::Element;
use super::{ImportError, Importer, Notes, files};
use crate::geometry::Shape;
use crate::model::Dof;

/// What URDF files have beside links and joints, and what says nothing of motion.
const SILENT: [&str; 4] = ["link", "joint", "material", "static"];

pub(super) fn read(how: &Importer, root: &Element, notes: &mut Notes) -> Result<Draft, ImportError> {
    notes.strangers(root, &SILENT);
    let mut links: BTreeMap<&str, &Element> = BTreeMap::new();
    for link in root.all("link") {
        let name = link.needs("name")?;
        if links.insert(name, link).is_some() {
            return Err(super::draft::twice(link, name));
        }
    }
    // The joint that holds each link, and the links that each one holds.
    let mut held: BTreeMap<&str, &Element> = BTreeMap::new();
    let mut children: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for joint in root.all("joint") {
        joint.needs("name")?;
        let end = |which: &str| -> Result<&str, ImportError> {
            let end = joint.child(which).ok_or_else(|| joint.wrong(format!("it has no <{which}>")))?;
            let name = end.needs("link")?;
            let known = links.get_key_value(name).ok_or_else(|| end.wrong(format!("there is no link `{name}`")))?;
            Ok(known.0)
        };
        let (parent, child) = (end("parent")?, end("child")?);
        if held.insert(child, joint).is_some() {
            return Err(joint.wrong(format!("the link `{child}` is the child of another joint already")));
        }
        children.entry(parent).or_default().push(child);
    }
    let mut reader = Reader { how, notes, draft: Draft::default(), joints: BTreeMap::new() };
    let roots = root.all("link").filter(|link| !held.contains_key(link.get("name").unwrap_or_default()));
    // Parents come before children; what is never reached goes round in a loop.
    let mut waiting: Vec<(&str, Option<usize>)> =
        roots.map(|link| (link.get("name").unwrap_or_default(), None)).collect();
    waiting.reverse();
    let mut reached = 0;
    while let Some((name, parent)) = waiting.pop() {
        let number = reader.link(links[name], held.get(name).copied(), parent)?;
        reached += 1;
        let below = children.get(name).into_iter().flatten().rev();
        waiting.extend(below.map(|&child| (child, Some(number))));
    }
    if reached < links.len() {
        let lost = root.all("joint").find(|joint| {
            let child = joint.child("child").and_then(|child| child.get("link")).unwrap_or_default();
            !reader.draft.links.iter().any(|link| link.name == child)
        });
        return Err(lost.unwrap_or(root).wrong("its links hold each other in a circle, and none of them is a root"));
    }
    if reached == 0 {
        return Err(root.wrong("it has no link"));
    }
    Ok(reader.draft)
}

struct Reader<'a, 'n> {
    how: &'a Importer,
    notes: &'n mut Notes,
    draft: Draft,
    joints: BTreeMap<String, ()>,
}

impl Reader<'_, '_> {
    fn link(&mut self, link: &Element, joint: Option<&Element>, parent: Option<usize>) -> Result<usize, ImportError> {
        self.notes.strangers(link, &["inertial", "visual", "collision"]);
        let name = link.get("name").unwrap_or_default();
        let mut shapes = vec![];
        for collision in link.all("collision") {
            shapes.extend(self.shape(collision, false)?);
        }
        let solid = shapes.clone();
        if self.how.visuals {
            for visual in link.all("visual") {
                shapes.extend(self.shape(visual, true)?);
            }
        }
        let mut inertia = match link.child("inertial") {
            Some(inertial) => Some(self.inertial(inertial, &solid)?),
            None => None,
        };
        if inertia.is_none() {
            match self.how.density {
                Some(density) => {
                    for shape in shapes.iter_mut().filter(|shape| shape.touches()) {
                        shape.density = density;
                    }
                    inertia = Some(weighed(&shapes));
                }
                None => {
                    // What the file does not state is not invented.
                    shapes.iter_mut().for_each(|shape| shape.density = 0.0);
                    if !solid.is_empty() {
                        let text = "it states no mass, and is taken to have none: `Importer::density` weighs such links by their shapes";
                        self.notes.warn(link, text);
                    }
                }
            }
        }
        let (pose, hold) = match joint {
            Some(joint) => (origin(joint)?, self.joint(joint)?),
            None if self.how.floating => (DTransform::IDENTITY, Hold::new("", HoldKind::Free)),
            None => (DTransform::IDENTITY, Hold::new("", HoldKind::Fixed)),
        };
        self.draft.links.push(Link {
            name: name.to_owned(),
            parent,
            pose,
            inertia,
            shapes,
            hold,
            kinematic: false,
            gravity_scale: 1.0,
            between: false,
        });
        Ok(self.draft.links.len() - 1)
    }

    fn inertial(&mut self, inertial: &Element, solid: &[Shape]) -> Result<DSpatialInertia, ImportError> {
        self.notes.strangers(inertial, &["origin", "mass", "inertia"]);
        let pose = origin(inertial)?;
        let mass = inertial.child("mass").ok_or_else(|| inertial.wrong("it has no <mass>"))?;
        let mass = mass.number("value")?.ok_or_else(|| mass.wrong("it has no `value`"))?;
        let entry = |name: &str| -> Result<f64, ImportError> {
            let Some(inertia) = inertial.child("inertia") else { return Ok(0.0) };
            Ok(inertia.number(name)?.unwrap_or(0.0))
        };
        let (xx, yy, zz) = (entry("ixx")?, entry("iyy")?, entry("izz")?);
        let (xy, xz, yz) = (entry("ixy")?, entry("ixz")?, entry("iyz")?);
        let rows = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
        if rows == DMat3::ZERO && mass > 0.0 {
            let all = weighed(solid);
            if all.mass > 0.0 {
                self.notes
                    .warn(inertial, "its inertia is zero; that of the collision shapes stands in, scaled to the mass");
                let turn = DMat3::from_quat(pose.q);
                let own = turn.transpose() * (all.inertia * (mass / all.mass)) * turn;
                return Ok(pose.transform_inertia(DSpatialInertia::new(mass, DVec3::ZERO, own)));
            }
            self.notes.warn(inertial, "its inertia is zero and it has no shape: it is taken for a point");
        }
        Ok(pose.transform_inertia(DSpatialInertia::new(mass, DVec3::ZERO, rows)))
    }

    fn shape(&mut self, of: &Element, visual: bool) -> Result<Option<Shape>, ImportError> {
        self.notes.strangers(of, &["origin", "geometry", "material", "verbose", "contact_coefficients"]);
        let pose = origin(of)?;
        let Some(geometry) = of.child("geometry").and_then(|geometry| geometry.children.first()) else {
            return Err(of.wrong("it has no <geometry> with a shape in it"));
        };
        let size = |name: &str| -> Result<f64, ImportError> {
            geometry.number(name)?.ok_or_else(|| geometry.wrong(format!("it has no `{name}`")))
        };
        let sizes = ["size", "radius", "length"].map(|name| geometry.numbers(name));
        for size in sizes {
            if size?.is_some_and(|all| all.iter().any(|size| *size <= 0.0)) {
                self.notes.warn(geometry, "a shape has to have a size above zero; it is left out");
                return Ok(None);
            }
        }
        let shape = match geometry.name.as_str() {
            "box" => {
                let size = geometry.vector("size")?.ok_or_else(|| geometry.wrong("it has no `size`"))?;
                Shape::cuboid(0.5 * size)
            }
            "sphere" => Shape::sphere(size("radius")?),
            "cylinder" => Shape::cylinder(size("radius")?, 0.5 * size("length")?),
            "capsule" => Shape::capsule(size("radius")?, 0.5 * size("length")?),
            "mesh" => {
                let scale = geometry.vector("scale")?.unwrap_or(DVec3::ONE);
                match self.mesh(geometry, geometry.needs("filename")?, scale)? {
                    Some(shape) => shape,
                    None => return Ok(None),
                }
            }
            _ => {
                self.notes.warn(geometry, "shapes of this kind are not known here, and left out");
                return Ok(None);
            }
        };
        let label = of.get("name").unwrap_or_default();
        let shape = Shape { pose: pose * shape.pose, ..shape };
        // Visual and collision shapes may share a name.
        Ok(Some(if visual { shape.visual() } else { shape.named(label) }))
    }

    /// Meshes are left out, with a warning, where they cannot be read: the file says what they weigh.
    fn mesh(&mut self, at: &Element, name: &str, scale: DVec3) -> Result<Option<Shape>, ImportError> {
        let Some(path) = files::found(name, &self.how.folder) else {
            self.notes.warn_once(
                format!("mesh {name}"),
                at,
                format!("the mesh file `{name}` is not there; the shape is left out"),
            );
            return Ok(None);
        };
        match files::mesh(&path, scale) {
            Ok(mesh) => {
                // A surface that is open or inside out has no volume that means anything.
                let mesh = if mesh.volume() < 0.0 { std::sync::Arc::new(mesh.flipped()) } else { mesh };
                Ok(Some(Shape::mesh(mesh)))
            }
            Err(error) => {
                self.notes.warn_once(format!("mesh {name}"), at, format!("{error}; the shape is left out"));
                Ok(None)
            }
        }
    }

    fn joint(&mut self, joint: &Element) -> Result<Hold, ImportError> {
        let known =
            ["parent", "child", "origin", "axis", "limit", "dynamics", "mimic", "safety_controller", "calibration"];
        self.notes.strangers(joint, &known);
        let name = joint.needs("name")?;
        if self.joints.insert(name.to_owned(), ()).is_some() {
            return Err(super::draft::twice(joint, name));
        }
        for ignored in ["safety_controller", "calibration"] {
            if let Some(element) = joint.child(ignored) {
                let kind = format!("joint/{ignored}");
                self.notes.warn_once(kind, element, "it is for the controllers of real robots, and left out");
            }
        }
        let axis = match joint.child("axis") {
            Some(axis) => axis.vector("xyz")?.unwrap_or(DVec3::X),
            None => DVec3::X,
        };
        let kind = joint.needs("type")?;
        let mut hold = match kind {
            "fixed" => Hold::new(name, HoldKind::Fixed),
            "revolute" | "continuous" => Hold { dofs: vec![Dof::angular(axis)], ..Hold::new(name, HoldKind::Axes) },
            "prismatic" => Hold { dofs: vec![Dof::linear(axis)], ..Hold::new(name, HoldKind::Axes) },
            "planar" => {
                let (u, v) = axis.normalize_or(DVec3::Z).any_orthonormal_pair();
                let dofs = vec![Dof::linear(u), Dof::linear(v), Dof::angular(axis)];
                Hold { dofs, ..Hold::new(name, HoldKind::Axes) }
            }
            "spherical" | "ball" => Hold { every: Some(Dof::angular(axis)), ..Hold::new(name, HoldKind::Ball) },
            "floating" => Hold::new(name, HoldKind::Free),
            _ => return Err(joint.wrong(format!("its type `{kind}` is not known"))),
        };
        if hold.kind == HoldKind::Axes && axis.length_squared() == 0.0 {
            return Err(joint.wrong("its axis has no direction"));
        }
        self.actions(joint, kind, &mut hold)?;
        if let Some(mimic) = joint.child("mimic") {
            hold.mimic = Some(Mimic {
                leader: mimic.needs("joint")?.to_owned(),
                ratio: mimic.number("multiplier")?.unwrap_or(1.0),
                offset: mimic.number("offset")?.unwrap_or(0.0),
                element: mimic.clone(),
            });
        }
        Ok(hold)
    }

    /// Limits, friction and damping.
    fn actions(&mut self, joint: &Element, kind: &str, hold: &mut Hold) -> Result<(), ImportError> {
        let mut change: Vec<Box<dyn Fn(Dof) -> Dof>> = vec![];
        if let Some(limit) = joint.child("limit") {
            self.notes.attributes(limit, &["lower", "upper", "effort", "velocity"]);
            let (lower, upper) = (limit.number("lower")?, limit.number("upper")?);
            if matches!(kind, "revolute" | "prismatic") {
                let (lower, upper) = (lower.unwrap_or(0.0), upper.unwrap_or(0.0));
                if lower > upper {
                    return Err(limit.wrong(format!("its lower end {lower} is above its upper one {upper}")));
                }
                change.push(Box::new(move |dof| dof.limits(lower, upper)));
            } else if kind == "continuous" && (lower.is_some() || upper.is_some()) {
                self.notes.warn(limit, "its joint is continuous, so the limits of its angle do not count");
            }
            // Files write zero where nobody knew the number.
            let effort: fn(Dof, f64) -> Dof = |dof, most| dof.effort_limit(most);
            let velocity: fn(Dof, f64) -> Dof = |dof, most| dof.velocity_limit(most);
            for (name, set) in [("effort", effort), ("velocity", velocity)] {
                match limit.number(name)? {
                    Some(most) if most > 0.0 => change.push(Box::new(move |dof| set(dof, most))),
                    Some(most) if most < 0.0 => return Err(limit.wrong(format!("its {name} is below zero"))),
                    Some(_) => self.notes.warn_once(
                        format!("limit@{name}=0"),
                        limit,
                        format!("its {name} is zero, which would stop the joint for good: it is taken for no limit"),
                    ),
                    None => {}
                }
            }
        } else if matches!(kind, "revolute" | "prismatic") {
            self.notes.warn_once("no limit", joint, "it has no <limit>, and goes without one");
        }
        if let Some(dynamics) = joint.child("dynamics") {
            self.notes.attributes(dynamics, &["damping", "friction"]);
            let (damping, friction) =
                (dynamics.number("damping")?.unwrap_or(0.0), dynamics.number("friction")?.unwrap_or(0.0));
            if damping < 0.0 || friction < 0.0 {
                return Err(dynamics.wrong("damping and friction have to be at least zero"));
            }
            change.push(Box::new(move |dof| dof.damping(damping).friction(friction)));
        }
        for change in change {
            hold.dofs = hold.dofs.drain(..).map(&change).collect();
            hold.every = hold.every.take().map(&change);
        }
        Ok(())
    }
}

fn origin(of: &Element) -> Result<DTransform, ImportError> {
    let Some(origin) = of.child("origin") else { return Ok(DTransform::IDENTITY) };
    let place = origin.vector("xyz")?.unwrap_or(DVec3::ZERO);
    Ok(DTransform::new(place, from_rpy(origin.vector("rpy")?.unwrap_or(DVec3::ZERO))))
}
