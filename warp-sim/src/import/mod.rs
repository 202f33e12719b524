//! Reads robots and scenes: URDF, and the core of MJCF.
//!
//! Files come into a [`ModelBuilder`] with their names; what they mean by their numbers is converted to this library's
//! conventions on the way: radians, quaternions as x, y, z, w, z up.

mod draft;
mod files;
mod mjcf;
mod numbers;
mod problem;
mod urdf;
mod xml;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use warp::math::{DTransform, DVec3};

use self::xml::Element;
use crate::Error;
use crate::model::{BodyId, JointId, ModelBuilder};

pub use self::problem::{ImportError, Warning};

/// Reads files into builders.
///
/// ```
/// use warp::prelude::*;
/// use warp::sim::import::Importer;
/// use warp::sim::ModelBuilder;
///
/// let mut b = ModelBuilder::new();
/// let text = r#"<robot name="pendulum">
///     <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
///     <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
///         <inertia ixx="0.08" iyy="0.08" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
///     <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
/// </robot>"#;
/// let robot = Importer::new().urdf(text, &mut b)?;
/// assert!(robot.warnings.is_empty());
/// let model = b.finalize(&Device::cpu())?;
/// assert_eq!((model.bodies(), model.dofs()), (2, 1));
/// # Ok::<(), warp::sim::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Importer {
    collapse_fixed: bool,
    floating: bool,
    density: Option<f64>,
    leave_out: bool,
    visuals: bool,
    prefix: String,
    folder: PathBuf,
    file: String,
    pose: DTransform,
}

impl Default for Importer {
    fn default() -> Self {
        Importer::new()
    }
}

impl Importer {
    /// What most files want.
    pub fn new() -> Importer {
        Importer {
            collapse_fixed: true,
            floating: false,
            density: None,
            leave_out: false,
            visuals: true,
            prefix: String::new(),
            folder: PathBuf::from("."),
            file: "the text".to_owned(),
            pose: DTransform::IDENTITY,
        }
    }

    /// Whether links that are fixed to another become part of it: true unless said otherwise. Their names stay, as
    /// [`frames`](Imported::frames).
    pub fn collapse_fixed(mut self, collapse: bool) -> Self {
        self.collapse_fixed = collapse;
        self
    }

    /// Whether the root of a URDF is free, in place of fixed to the world. MJCF says that by itself.
    pub fn floating(mut self, floating: bool) -> Self {
        self.floating = floating;
        self
    }

    /// Weighs links of a URDF that state no mass by their collision shapes, at this density in kg/m³. Without it, such links
    /// have none.
    pub fn density(mut self, density: impl Into<f64>) -> Self {
        self.density = Some(density.into());
        self
    }

    /// Whether parts that are not supported, and without which the model moves in another way, are left out with a warning each, in
    /// place of an error.
    pub fn leave_out(mut self, leave_out: bool) -> Self {
        self.leave_out = leave_out;
        self
    }

    /// Whether shapes that say how a robot looks, and that touch nothing, are read too: true unless said otherwise.
    pub fn visuals(mut self, visuals: bool) -> Self {
        self.visuals = visuals;
        self
    }

    /// What all names begin with: for several robots in one world.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Where texts look for the files that they name.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// Puts the robot there, in the world.
    pub fn at(mut self, position: impl Into<DVec3>) -> Self {
        self.pose.p = position.into();
        self
    }

    /// Reads a file, URDF or MJCF by what its root is.
    ///
    /// # Errors
    /// [`ImportError`], with file, line and element. The builder may have parts of the file then.
    pub fn file(&self, path: impl AsRef<Path>, builder: &mut ModelBuilder) -> Result<Imported, Error> {
        let path = path.as_ref();
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        let with = Importer { folder, file: path.display().to_string(), ..self.clone() };
        let text = files::text(path)?;
        let (root, strange) = xml::read(&text, &with.file)?;
        with.root(root, strange, builder)
    }

    /// Reads the text of a URDF.
    ///
    /// # Errors
    /// [`ImportError`], with line and element.
    pub fn urdf(&self, text: &str, builder: &mut ModelBuilder) -> Result<Imported, Error> {
        self.text("robot", text, builder)
    }

    /// Reads the text of an MJCF.
    ///
    /// # Errors
    /// [`ImportError`], with line and element.
    pub fn mjcf(&self, text: &str, builder: &mut ModelBuilder) -> Result<Imported, Error> {
        self.text("mujoco", text, builder)
    }

    fn text(&self, kind: &str, text: &str, builder: &mut ModelBuilder) -> Result<Imported, Error> {
        let (root, strange) = xml::read(text, &self.file)?;
        if root.name != kind {
            return Err(root.wrong(format!("the root has to be <{kind}>")).into());
        }
        self.root(root, strange, builder)
    }

    fn root(
        &self,
        root: Element,
        strange: Option<(String, usize)>,
        builder: &mut ModelBuilder,
    ) -> Result<Imported, Error> {
        let mut notes = Notes { leave_out: self.leave_out, ..Notes::default() };
        if let Some((prefix, line)) = strange {
            let at = Element { line, file: root.file.clone(), name: root.name.clone(), ..Element::default() };
            notes.warn(&at, format!("nobody declares the prefix `{prefix}:`; it is taken as part of names"));
        }
        let draft = match root.name.as_str() {
            "robot" => urdf::read(self, &root, &mut notes)?,
            "mujoco" => mjcf::read(self, root, &mut notes)?,
            _ => return Err(root.wrong("the root has to be <robot> of a URDF, or <mujoco> of an MJCF").into()),
        };
        draft.build(self, builder, notes)
    }
}

/// What a file brought besides what it described.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// What was left out or mended.
    pub warnings: Vec<Warning>,
    /// The bodies, in the order of the file, with their names there.
    pub bodies: Vec<(String, BodyId)>,
    /// The joints, in the order of the file, with their names there.
    pub joints: Vec<(String, JointId)>,
    /// Places on bodies that have a name: links that became part of others, and sites.
    pub frames: BTreeMap<String, Frame>,
    /// States that an MJCF has names for.
    pub keyframes: Vec<Keyframe>,
    /// The step that an MJCF asks for, s.
    pub timestep: Option<f64>,
}

/// A place on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The body; none for the world.
    pub body: Option<BodyId>,
    /// Where it is on that.
    pub pose: DTransform,
}

/// A state that a file has a name for, laid out as the joints of the file, in this library's coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframe {
    /// Its name; empty for none.
    pub name: String,
    /// Coordinates of the joints: empty where the file says none.
    pub joint_q: Vec<f64>,
    /// Speeds of the degrees of freedom: empty where the file says none.
    pub joint_qd: Vec<f64>,
}

/// What there is to say about a file, each thing once.
#[derive(Debug, Default)]
struct Notes {
    warnings: Vec<Warning>,
    said: BTreeSet<String>,
    leave_out: bool,
}

impl Notes {
    fn warn(&mut self, at: &Element, text: impl Into<String>) {
        let (file, line, element) = (at.file.clone(), at.line, at.called());
        self.warnings.push(Warning { file, line, element, text: text.into() });
    }

    /// A warning of a kind of which one is enough.
    fn warn_once(&mut self, kind: impl Into<String>, at: &Element, text: impl Into<String>) {
        if self.said.insert(kind.into()) {
            self.warn(at, text);
        }
    }

    /// What would change how the model moves: an error, or a warning where that was asked for.
    fn unsupported(&mut self, at: &Element, what: impl Into<String>) -> Result<(), ImportError> {
        let what = what.into();
        if self.leave_out {
            self.warn(at, format!("{what} is left out: the model moves in another way without it"));
            return Ok(());
        }
        Err(ImportError::Unsupported { file: at.file.clone(), line: at.line, element: at.called(), what })
    }

    /// Tells elements in `of` that nobody knows, each kind once.
    fn strangers(&mut self, of: &Element, known: &[&str]) {
        for child in of.children.iter().filter(|child| !known.contains(&child.name.as_str())) {
            self.warn_once(format!("{}/{}", of.name, child.name), child, "it is not known here, and left out");
        }
    }

    /// Tells attributes that nobody knows, each once.
    fn attributes(&mut self, of: &Element, known: &[&str]) {
        for (name, _) in of.attributes.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
            if !name.starts_with("xmlns") {
                let kind = format!("{}@{name}", of.name);
                self.warn_once(kind, of, format!("its `{name}` is not known here, and left out"));
            }
        }
    }
}
