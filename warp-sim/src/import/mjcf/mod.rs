//! The core of MJCF: bodies, geoms, joints, defaults, actuators, joint equalities, excludes, keyframes.

mod actuator;
mod compiler;
mod defaults;
mod geom;
mod joint;
mod mass;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use warp::math::{DQuat, DSpatialInertia, DTransform, DVec3};

use self::compiler::Compiler;
use self::defaults::Defaults;
use self::joint::{FileJoint, JointType};
use super::draft::{Draft, Hold, HoldKind, Link, Mimic, Place};
use super::xml::Element;
use super::{ImportError, Importer, Keyframe, Notes, files, xml};
use crate::geometry::{Mesh, Shape};
use crate::model::Dof;

/// Sections that are read, or that say nothing of motion.
const SECTIONS: [&str; 18] = [
    "compiler",
    "option",
    "size",
    "visual",
    "statistic",
    "default",
    "asset",
    "worldbody",
    "contact",
    "equality",
    "tendon",
    "actuator",
    "sensor",
    "keyframe",
    "custom",
    "extension",
    "deformable",
    "include",
];

/// Files inside files, at most.
const INCLUDES: usize = 16;

pub(super) fn read(how: &Importer, mut root: Element, notes: &mut Notes) -> Result<Draft, ImportError> {
    include(&mut root, how, 0, &mut vec![])?;
    notes.strangers(&root, &SECTIONS);
    let compiler = Compiler::read(&root, how, notes)?;
    let defaults = Defaults::read(&root)?;
    let assets = root.all("asset").flat_map(|asset| asset.all("mesh")).map(|mesh| {
        let mesh = defaults.applied(mesh, None)?;
        let file = mesh.get("file").map(PathBuf::from);
        let stem = file.and_then(|file| Some(file.file_stem()?.to_string_lossy().into_owned()));
        let name = mesh.get("name").map(str::to_owned).or(stem);
        Ok((name.ok_or_else(|| mesh.wrong("it has neither `name` nor `file`"))?, mesh))
    });
    let assets = assets.collect::<Result<BTreeMap<_, _>, ImportError>>()?;
    let mut reader = Reader {
        how,
        notes,
        compiler,
        defaults,
        assets,
        meshes: BTreeMap::new(),
        draft: Draft { gravity: Some(DVec3::new(0.0, 0.0, -9.81)), ..Draft::default() },
        weights: vec![],
        joints: vec![],
        bodies: BTreeMap::new(),
    };
    reader.options(&root)?;
    for world in root.all("worldbody") {
        reader.world(world)?;
    }
    reader.settle_masses()?;
    reader.tendons(&root)?;
    reader.actuators(&root)?;
    reader.equalities(&root)?;
    reader.contacts(&root)?;
    reader.keyframes(&root)?;
    for section in ["sensor", "deformable", "extension"] {
        for element in root.all(section).flat_map(|section| &section.children) {
            match section {
                "sensor" => reader.notes.warn_once("sensor", element, "sensors are left out"),
                _ => reader.notes.unsupported(element, format!("a part of <{section}>"))?,
            }
        }
    }
    Ok(reader.draft)
}

/// Puts what other files hold in the place of what names them.
fn include(of: &mut Element, how: &Importer, depth: usize, seen: &mut Vec<PathBuf>) -> Result<(), ImportError> {
    let mut all = vec![];
    for mut child in std::mem::take(&mut of.children) {
        if child.name != "include" {
            include(&mut child, how, depth, seen)?;
            all.push(child);
            continue;
        }
        if depth >= INCLUDES {
            return Err(child.wrong(format!("files include each other deeper than {INCLUDES}")));
        }
        let name = child.needs("file")?;
        let beside = PathBuf::from(&child.file).parent().map(|folder| folder.join(name));
        let path = files::found(name, &how.folder).or(beside.filter(|path| path.is_file()));
        let path = path.ok_or_else(|| child.wrong(format!("the file `{name}` is not there")))?;
        if seen.contains(&path) {
            return Err(child.wrong(format!("the file `{name}` is included twice")));
        }
        seen.push(path.clone());
        let (mut inner, _) = xml::read(&files::text(&path)?, &path.display().to_string())?;
        include(&mut inner, how, depth + 1, seen)?;
        all.append(&mut inner.children);
    }
    of.children = all;
    Ok(())
}

pub(super) struct Reader<'a, 'n> {
    how: &'a Importer,
    notes: &'n mut Notes,
    compiler: Compiler,
    defaults: Defaults,
    /// Mesh assets by name, and those that were read; none for those that were left out.
    assets: BTreeMap<String, Element>,
    meshes: BTreeMap<String, Option<Arc<Mesh>>>,
    draft: Draft,
    /// What geoms weigh, with their links.
    weights: Vec<(usize, DSpatialInertia)>,
    /// All joints in the order of the file, with their links.
    joints: Vec<(FileJoint, usize)>,
    /// The link of each body.
    bodies: BTreeMap<String, usize>,
}

/// What is around an element.
#[derive(Clone, Copy)]
struct Around<'a> {
    /// None for the world.
    link: Option<usize>,
    /// Where a frame has moved what is in it.
    pose: DTransform,
    class: Option<&'a str>,
}

impl Reader<'_, '_> {
    fn options(&mut self, root: &Element) -> Result<(), ImportError> {
        for option in root.all("option") {
            if let Some(gravity) = option.vector("gravity")? {
                self.draft.gravity = Some(gravity);
            }
            if let Some(step) = option.number("timestep")? {
                self.draft.timestep = Some(step);
            }
            for (name, what) in
                [("density", "the drag of a medium"), ("viscosity", "the drag of a medium"), ("wind", "wind")]
            {
                if option.numbers(name)?.is_some_and(|all| all.iter().any(|x| *x != 0.0)) {
                    self.notes.unsupported(option, what)?;
                }
            }
            for flag in option.all("flag") {
                for (name, value) in &flag.attributes {
                    if name == "gravity" && value == "disable" {
                        self.draft.gravity = Some(DVec3::ZERO);
                    } else if value == "disable"
                        && !matches!(
                            name.as_str(),
                            "warmstart" | "filterparent" | "eulerdamp" | "contact" | "sensor" | "energy"
                        )
                    {
                        self.notes.unsupported(flag, format!("`{name}` that is switched off"))?;
                    }
                }
            }
            let ours = ["gravity", "timestep", "density", "viscosity", "wind"];
            if option.attributes.iter().any(|(name, _)| !ours.contains(&name.as_str())) {
                self.notes.warn_once(
                    "option",
                    option,
                    "how the other program solves its steps is left out: this library has its own ways",
                );
            }
        }
        Ok(())
    }

    fn world(&mut self, world: &Element) -> Result<(), ImportError> {
        let around = Around { link: None, pose: DTransform::IDENTITY, class: world.get("childclass") };
        self.inside(world, around)
    }

    /// What bodies, the world and frames have in them.
    fn inside(&mut self, of: &Element, around: Around<'_>) -> Result<(), ImportError> {
        for child in &of.children {
            match child.name.as_str() {
                "geom" => {
                    let geom = self.defaults.applied(child, around.class)?;
                    if let Some(geom) = self.geom(&geom)? {
                        let shape = Shape { pose: around.pose * geom.shape.pose, ..geom.shape };
                        let weight = geom.weight.map(|weight| around.pose.transform_inertia(weight));
                        self.place_geom(shape, weight, around.link);
                    }
                }
                "body" => self.body(child, around)?,
                "frame" => {
                    let pose = around.pose * self.compiler.pose(child)?;
                    self.inside(child, Around { pose, class: child.get("childclass").or(around.class), ..around })?;
                }
                "site" => {
                    let site = self.defaults.applied(child, around.class)?;
                    if let Some(name) = site.get("name") {
                        let pose = around.pose * self.compiler.pose(&site)?;
                        self.draft.frames.push(Place { name: name.to_owned(), link: around.link, pose });
                    }
                }
                "joint" | "freejoint" | "inertial" if of.name == "body" => {}
                "camera" | "light" => {}
                "replicate" | "composite" | "flexcomp" | "plugin" | "attach" => {
                    self.notes.unsupported(child, format!("what <{}> makes", child.name))?;
                }
                _ => {
                    let text = "it is not known here, and left out";
                    self.notes.warn_once(format!("body/{}", child.name), child, text);
                }
            }
        }
        Ok(())
    }

    fn place_geom(&mut self, shape: Shape, weight: Option<DSpatialInertia>, link: Option<usize>) {
        if let (Some(link), Some(weight)) = (link, weight) {
            self.weights.push((link, weight));
        }
        // Bodies get their masses as a whole.
        let shape = shape.density(0.0);
        match link {
            _ if !shape.touches() && !self.how.visuals => {}
            Some(link) => self.draft.links[link].shapes.push(shape),
            None => self.draft.fixed_shapes.push(shape),
        }
    }

    fn body(&mut self, of: &Element, around: Around<'_>) -> Result<(), ImportError> {
        let known = [
            "name",
            "childclass",
            "mocap",
            "pos",
            "quat",
            "axisangle",
            "xyaxes",
            "zaxis",
            "euler",
            "gravcomp",
            "user",
            "sleep",
        ];
        self.notes.attributes(of, &known);
        let class = of.get("childclass").or(around.class);
        let pose = around.pose * self.compiler.pose(of)?;
        let name = of.get("name").unwrap_or_default();
        let mut joints = vec![];
        for joint in of.children.iter().filter(|child| matches!(child.name.as_str(), "joint" | "freejoint")) {
            let whole = if joint.name == "joint" { self.defaults.applied(joint, class)? } else { joint.clone() };
            joints.push(self.joint(&whole)?);
        }
        let mocap = of.get("mocap") == Some("true");
        let parent = around.link;
        if joints.iter().any(|joint| joint.kind == JointType::Free) && (joints.len() > 1 || parent.is_some()) {
            return Err(of.wrong("a free joint is the only one of its body, which lies in the world"));
        }
        let gravity_scale = 1.0 - of.number("gravcomp")?.unwrap_or(0.0);
        let link = |name: String, parent: Option<usize>, pose: DTransform, hold: Hold, between: bool| Link {
            name,
            parent,
            pose,
            inertia: None,
            shapes: vec![],
            hold,
            kinematic: mocap,
            gravity_scale,
            between,
        };
        let (mut parent, mut place) = (parent, pose);
        let count = joints.len();
        for (k, joint) in joints.into_iter().enumerate() {
            // All but the last hold links without mass, which stand where the body does.
            let last = k + 1 == count;
            let label = if last || name.is_empty() { name.to_owned() } else { format!("{name}/{}", k + 1) };
            self.draft.links.push(link(label, parent, place, joint.hold(), !last));
            let number = self.draft.links.len() - 1;
            self.joints.push((joint, number));
            (parent, place) = (Some(number), DTransform::IDENTITY);
        }
        if count == 0 {
            let hold = Hold::new("", HoldKind::Fixed);
            self.draft.links.push(link(name.to_owned(), parent, place, hold, false));
        }
        let number = self.draft.links.len() - 1;
        if !name.is_empty() && self.bodies.insert(name.to_owned(), number).is_some() {
            return Err(super::draft::twice(of, name));
        }
        if let Some(inertial) = of.child("inertial") {
            self.draft.links[number].inertia = Some(self.inertial(inertial)?);
        }
        self.inside(of, Around { link: Some(number), pose: DTransform::IDENTITY, class })
    }

    /// Fixed tendons that nothing pulls at say nothing of motion.
    fn tendons(&mut self, root: &Element) -> Result<(), ImportError> {
        for tendon in root.all("tendon").flat_map(|section| &section.children) {
            let whole = self.defaults.applied(tendon, None)?;
            let acts = ["stiffness", "damping", "frictionloss", "armature"];
            let pulls = acts
                .iter()
                .any(|name| whole.numbers(name).ok().flatten().is_some_and(|all| all.iter().any(|x| *x != 0.0)));
            if pulls || self.range(&whole, "range", "limited")?.is_some() {
                self.notes.unsupported(tendon, "a tendon with a stiffness, damping, friction or limit")?;
            } else {
                self.notes.warn_once("tendon", tendon, "tendons are left out; this one pulls at nothing by itself");
            }
        }
        Ok(())
    }

    fn equalities(&mut self, root: &Element) -> Result<(), ImportError> {
        for equality in root.all("equality").flat_map(|section| &section.children) {
            let whole = self.defaults.applied(equality, None)?;
            if whole.get("active") == Some("false") {
                continue;
            }
            if equality.name != "joint" {
                self.notes.unsupported(equality, format!("an equality of kind `{}`", equality.name))?;
                continue;
            }
            let coefficients = whole.numbers("polycoef")?.unwrap_or_else(|| vec![0.0, 1.0]);
            let coefficient = |k: usize| coefficients.get(k).copied().unwrap_or(0.0);
            if (2..5).any(|k| coefficient(k) != 0.0) {
                self.notes.unsupported(equality, "a joint that follows another by more than a factor and an offset")?;
                continue;
            }
            let follower = whole.needs("joint1")?;
            let Some(leader) = whole.get("joint2") else {
                self.notes.unsupported(equality, "a joint that is held at one coordinate by an equality")?;
                continue;
            };
            let find = |name: &str| {
                let found = self.joints.iter().find(|(joint, _)| joint.name == name);
                found.ok_or_else(|| equality.wrong(format!("there is no joint `{name}`")))
            };
            let ((own, link), (lead, lead_link)) = (find(follower)?, find(leader)?);
            // Coordinates are told from where bodies are described.
            let (ratio, offset) = (coefficient(1), own.reference + coefficient(0) - coefficient(1) * lead.reference);
            let driven = |link: usize| self.draft.links[link].hold.dofs.iter().any(Dof::is_driven);
            // Both are tied either way; the one with a drive leads.
            let swaps = driven(*link) && !driven(*lead_link) && ratio != 0.0;
            let (link, mimic) = match swaps {
                false => (*link, Mimic { leader: leader.to_owned(), ratio, offset, element: equality.clone() }),
                true => {
                    let (ratio, offset) = (1.0 / ratio, -offset / ratio);
                    (*lead_link, Mimic { leader: follower.to_owned(), ratio, offset, element: equality.clone() })
                }
            };
            self.draft.links[link].hold.mimic = Some(mimic);
        }
        Ok(())
    }

    fn contacts(&mut self, root: &Element) -> Result<(), ImportError> {
        for contact in root.all("contact").flat_map(|section| &section.children) {
            if contact.name != "exclude" {
                let text = "pairs of geoms with contact of their own are left out";
                self.notes.warn_once("contact", contact, text);
                continue;
            }
            let body = |name: &str| -> Result<Option<usize>, ImportError> {
                let name = contact.needs(name)?;
                match self.bodies.get(name) {
                    Some(&link) => Ok(Some(link)),
                    None if name == "world" => Ok(None),
                    None => Err(contact.wrong(format!("there is no body `{name}`"))),
                }
            };
            let pair = [body("body1")?, body("body2")?];
            self.draft.excluded.push(pair);
        }
        Ok(())
    }

    fn keyframes(&mut self, root: &Element) -> Result<(), ImportError> {
        for key in root.all("keyframe").flat_map(|section| section.all("key")) {
            let joint_q = match key.numbers("qpos")? {
                Some(q) => self.converted(key, &q)?,
                None => vec![],
            };
            let joint_qd = match key.numbers("qvel")? {
                Some(qd)
                    if !self
                        .joints
                        .iter()
                        .any(|(joint, _)| matches!(joint.kind, JointType::Free | JointType::Ball)) =>
                {
                    qd
                }
                Some(qd) if qd.iter().all(|speed| *speed == 0.0) => qd,
                Some(_) => {
                    let text = "speeds of free and ball joints are told in other axes there, and left out";
                    self.notes.warn_once("key@qvel", key, text);
                    vec![]
                }
                None => vec![],
            };
            let name = key.get("name").unwrap_or_default().to_owned();
            self.draft.keyframes.push(Keyframe { name, joint_q, joint_qd });
        }
        Ok(())
    }

    /// Coordinates as this library has them.
    fn converted(&self, key: &Element, q: &[f64]) -> Result<Vec<f64>, ImportError> {
        let mut rest = q.iter().copied();
        let mut all = vec![];
        let wrong = || key.wrong(format!("its `qpos` has {} numbers, and the joints have another number", q.len()));
        let mut next = || rest.next().ok_or_else(wrong);
        for (joint, _) in &self.joints {
            if joint.kind == JointType::Free {
                all.extend([next()?, next()?, next()?]);
            }
            if matches!(joint.kind, JointType::Free | JointType::Ball) {
                let [w, x, y, z] = [next()?, next()?, next()?, next()?];
                all.extend(DQuat::from_xyzw(x, y, z, w).normalize().to_array());
            } else {
                all.push(next()?);
            }
        }
        if rest.next().is_some() { Err(wrong()) } else { Ok(all) }
    }
}
