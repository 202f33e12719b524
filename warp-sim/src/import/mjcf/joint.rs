//! Joints of a body, one after the other.

use warp::math::{DTransform, DVec3};

use super::super::ImportError;
use super::super::draft::{Hold, HoldKind, moved_by};
use super::super::xml::Element;
use super::Reader;
use super::compiler::truth;
use crate::model::Dof;

const KNOWN: [&str; 34] = [
    "name",
    "class",
    "type",
    "group",
    "pos",
    "axis",
    "springdamper",
    "limited",
    "actuatorfrclimited",
    "solreflimit",
    "solimplimit",
    "solreffriction",
    "solimpfriction",
    "stiffness",
    "range",
    "actuatorfrcrange",
    "actuatorgravcomp",
    "margin",
    "ref",
    "springref",
    "armature",
    "damping",
    "frictionloss",
    "user",
    "childclass",
    "dclass",
    "armaturegain",
    "align",
    "damperpoly",
    "stiffnesspoly",
    "texture",
    "rgba",
    "material",
    "solmix",
];

/// A joint as the file has it, in radians.
#[derive(Clone)]
pub(super) struct FileJoint {
    pub name: String,
    pub kind: JointType,
    pub at: DVec3,
    pub axis: DVec3,
    /// The coordinate where the body is described.
    pub reference: f64,
    pub dof: Dof,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointType {
    Free,
    Ball,
    Slide,
    Hinge,
}

impl Reader<'_, '_> {
    pub(super) fn joint(&mut self, of: &Element) -> Result<FileJoint, ImportError> {
        self.notes.attributes(of, &KNOWN);
        let kind = match of.get("type").unwrap_or("hinge") {
            _ if of.name == "freejoint" => JointType::Free,
            "free" => JointType::Free,
            "ball" => JointType::Ball,
            "slide" => JointType::Slide,
            "hinge" => JointType::Hinge,
            other => return Err(of.wrong(format!("its type `{other}` is not known"))),
        };
        let axis = of.vector("axis")?.unwrap_or(DVec3::Z);
        if axis.length_squared() == 0.0 {
            return Err(of.wrong("its axis has no direction"));
        }
        let angle = if kind == JointType::Slide { 1.0 } else { self.compiler.angle };
        let number = |name: &str| -> Result<f64, ImportError> { Ok(of.number(name)?.unwrap_or(0.0)) };
        let mut dof = if kind == JointType::Slide { Dof::linear(axis) } else { Dof::angular(axis) };
        let reference = number("ref")? * angle;
        if matches!(kind, JointType::Slide | JointType::Hinge) {
            dof = dof.position(reference);
            if let Some([lower, upper]) = self.range(of, "range", "limited")? {
                dof = dof.limits(lower * angle, upper * angle);
            }
            dof = dof.spring(number("stiffness")?, number("springref")? * angle);
        } else {
            if kind == JointType::Ball && self.range(of, "range", "limited")?.is_some() {
                self.notes.unsupported(of, "a limit of the whole turn of a ball joint")?;
            }
            if kind == JointType::Ball && number("stiffness")? != 0.0 {
                dof = dof.spring(number("stiffness")?, 0.0);
            }
        }
        if let Some([low, high]) = self.range(of, "actuatorfrcrange", "actuatorfrclimited")? {
            if low != -high {
                self.notes.warn(of, "its drives may do more one way than the other; the smaller of both counts");
            }
            dof = dof.effort_limit(low.abs().min(high.abs()));
        }
        dof = dof.armature(number("armature")?).damping(number("damping")?).friction(number("frictionloss")?);
        if of.numbers("springdamper")?.is_some_and(|all| all.iter().any(|x| *x != 0.0)) {
            self.notes.unsupported(of, "a spring by its time and damping ratio (`springdamper`)")?;
        }
        let name = of.get("name").unwrap_or_default().to_owned();
        let at = of.vector("pos")?.unwrap_or(DVec3::ZERO);
        Ok(FileJoint { name, kind, at, axis, reference, dof })
    }

    /// A range that counts: where the file says so, or where it is there and limits are found by themselves.
    pub(super) fn range(&self, of: &Element, name: &str, limited: &str) -> Result<Option<[f64; 2]>, ImportError> {
        let range = match of.numbers(name)?.as_deref() {
            None => None,
            Some(&[low, high]) => Some([low, high]),
            Some(all) => return Err(of.wrong(format!("`{name}` has {} numbers, and has to have two", all.len()))),
        };
        let counts = match of.get(limited) {
            None | Some("auto") => self.compiler.autolimits && range.is_some(),
            Some(value) => truth(of, limited, value)?,
        };
        match (counts, range) {
            (false, _) => Ok(None),
            (true, None) => Err(of.wrong(format!("it is limited, and has no `{name}`"))),
            (true, Some([low, high])) if low > high => {
                Err(of.wrong(format!("`{name}` goes from {low} to {high}: the lower end comes first")))
            }
            (true, Some(range)) => Ok(Some(range)),
        }
    }
}

impl FileJoint {
    /// How it holds its link.
    pub fn hold(&self) -> Hold {
        let kind = match self.kind {
            JointType::Free => HoldKind::Free,
            JointType::Ball => HoldKind::Ball,
            JointType::Slide | JointType::Hinge => HoldKind::Axes,
        };
        let mut hold = Hold::new(&self.name, kind);
        match kind {
            HoldKind::Axes => {
                hold.anchor = DTransform::from_translation(self.at);
                hold.dofs = vec![self.dof.clone()];
                hold.moved = moved_by(self.kind == JointType::Hinge, self.axis, -self.reference);
            }
            HoldKind::Ball => {
                hold.anchor = DTransform::from_translation(self.at);
                hold.every = Some(self.dof.clone());
            }
            _ => {}
        }
        hold
    }
}
