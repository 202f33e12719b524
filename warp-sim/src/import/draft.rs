//! What a file describes, before it goes to a builder: links, each held by its parent.

use std::collections::BTreeMap;

use warp::math::{DMat3, DQuat, DSpatialInertia, DTransform, DVec3};

use super::xml::Element;
use super::{Frame, ImportError, Imported, Importer, Keyframe, Notes};
use crate::Error;
use crate::geometry::Shape;
use crate::model::{BodyId, Dof, JointBuilder, JointId, ModelBuilder};

/// A file's content.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Parents come before children.
    pub links: Vec<Link>,
    pub frames: Vec<Place>,
    /// Shapes of the world.
    pub fixed_shapes: Vec<Shape>,
    /// Links that do not touch each other, by their numbers; none is the world.
    pub excluded: Vec<[Option<usize>; 2]>,
    pub gravity: Option<DVec3>,
    pub keyframes: Vec<Keyframe>,
    pub timestep: Option<f64>,
}

#[derive(Debug)]
pub(super) struct Place {
    pub name: String,
    pub link: Option<usize>,
    pub pose: DTransform,
}

#[derive(Debug)]
pub(super) struct Link {
    pub name: String,
    /// None for the world.
    pub parent: Option<usize>,
    /// In the parent, where all coordinates are as the file describes bodies.
    pub pose: DTransform,
    /// None where the file says nothing of mass.
    pub inertia: Option<DSpatialInertia>,
    pub shapes: Vec<Shape>,
    pub hold: Hold,
    pub kinematic: bool,
    pub gravity_scale: f64,
    /// Whether it stands between two joints of one body of the file.
    pub between: bool,
}

/// The joint of a link.
#[derive(Clone, Debug)]
pub(super) struct Hold {
    pub name: String,
    pub kind: HoldKind,
    pub dofs: Vec<Dof>,
    /// Its frame in the link.
    pub anchor: DTransform,
    /// How far it has moved where the file describes bodies.
    pub moved: DTransform,
    /// What drives and damps a ball joint, in place of dofs.
    pub every: Option<Dof>,
    pub mimic: Option<Mimic>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HoldKind {
    Fixed,
    Axes,
    Ball,
    Free,
}

#[derive(Clone, Debug)]
pub(super) struct Mimic {
    /// The joint's name.
    pub leader: String,
    pub ratio: f64,
    pub offset: f64,
    pub element: Element,
}

impl Hold {
    pub fn new(name: impl Into<String>, kind: HoldKind) -> Hold {
        Hold {
            name: name.into(),
            kind,
            dofs: vec![],
            anchor: DTransform::IDENTITY,
            moved: DTransform::IDENTITY,
            every: None,
            mimic: None,
        }
    }
}

impl Draft {
    /// Gives all to a builder.
    pub fn build(mut self, how: &Importer, b: &mut ModelBuilder, notes: Notes) -> Result<Imported, Error> {
        if how.collapse_fixed {
            self.collapse();
        }
        if let Some(gravity) = self.gravity {
            b.gravity(gravity);
        }
        let named = |name: &str| if name.is_empty() { String::new() } else { format!("{}{name}", how.prefix) };
        let mut imported = Imported {
            warnings: notes.warnings,
            keyframes: self.keyframes,
            timestep: self.timestep,
            ..Imported::default()
        };
        let (mut ids, mut poses): (Vec<BodyId>, Vec<DTransform>) = (vec![], vec![]);
        for link in &self.links {
            let parent = link.parent.map_or(how.pose, |parent| poses[parent]);
            let pose = parent * link.pose;
            let mut body = b.body(named(&link.name)).at(pose.p).turned(pose.q).gravity_scale(link.gravity_scale);
            if link.kinematic {
                body = body.kinematic();
            }
            if let Some(inertia) = link.inertia {
                body = body.mass_properties(inertia.mass, inertia.com, inertia.inertia);
            }
            for shape in &link.shapes {
                let label = named(&shape.label);
                body = body.shape(Shape { label, ..shape.clone() });
            }
            let id = body.id();
            if !link.between {
                imported.bodies.push((link.name.clone(), id));
            }
            ids.push(id);
            poses.push(pose);
        }
        let mut joints: BTreeMap<&str, JointId> = BTreeMap::new();
        for (number, link) in self.links.iter().enumerate() {
            // A free root, or one that the program carries, needs no joint.
            if link.parent.is_none()
                && (link.kinematic || link.hold.kind == HoldKind::Free && link.hold.name.is_empty())
            {
                continue;
            }
            let parent = link.parent.map(|parent| ids[parent]);
            let id = hold(b, named(&link.hold.name), parent, ids[number], link, how.pose);
            if !link.hold.name.is_empty() {
                joints.insert(&link.hold.name, id);
            }
            imported.joints.push((link.hold.name.clone(), id));
        }
        for (link, (_, id)) in
            self.links.iter().filter(|link| link.parent.is_some() || !link.kinematic).zip(&imported.joints)
        {
            if let Some(mimic) = &link.hold.mimic {
                let leader = joints.get(mimic.leader.as_str());
                let told = || mimic.element.wrong(format!("there is no joint `{}` to follow", mimic.leader));
                b.mimic(*id, *leader.ok_or_else(told)?, mimic.ratio, mimic.offset);
            }
        }
        for shape in self.fixed_shapes {
            b.fixed_shape(Shape { pose: how.pose * shape.pose, label: named(&shape.label), ..shape });
        }
        for [one, other] in self.excluded {
            b.exclude(one.map(|link| ids[link]), other.map(|link| ids[link]));
        }
        for Place { name, link, pose } in self.frames {
            let pose = if link.is_none() { how.pose * pose } else { pose };
            imported.frames.insert(named(&name), Frame { body: link.map(|link| ids[link]), pose });
        }
        Ok(imported)
    }

    /// Makes fixed links parts of their parents.
    fn collapse(&mut self) {
        // Where each link went: to a link that stays, or to the world.
        let mut into: Vec<(Option<usize>, DTransform)> = vec![];
        let (mut kept, mut merged): (Vec<Link>, Vec<Place>) = (vec![], vec![]);
        for mut link in std::mem::take(&mut self.links) {
            let (parent, base) = link.parent.map_or((None, DTransform::IDENTITY), |parent| into[parent]);
            let pose = base * link.pose;
            let fixed = link.hold.kind == HoldKind::Fixed && !link.kinematic;
            let massless = link.inertia.is_none_or(|inertia| inertia.mass == 0.0);
            let massless = massless && link.shapes.iter().all(|shape| shape.density == 0.0);
            if !fixed || (parent.is_none() && !massless) {
                (link.parent, link.pose) = (parent, pose);
                into.push((Some(kept.len()), DTransform::IDENTITY));
                kept.push(link);
                continue;
            }
            let moved = link.shapes.into_iter().map(|shape| Shape { pose: pose * shape.pose, ..shape });
            match parent {
                Some(parent) => {
                    let parent = &mut kept[parent];
                    // What has no mass of its own from the file is weighed by its shapes then, on both sides.
                    let own =
                        |inertia: Option<DSpatialInertia>, shapes: &[Shape]| inertia.unwrap_or_else(|| weighed(shapes));
                    let moved: Vec<Shape> = moved.collect();
                    let part = link.inertia.map(|inertia| pose.transform_inertia(inertia));
                    if parent.inertia.is_some() || part.is_some() {
                        parent.inertia = Some(own(parent.inertia, &parent.shapes) + own(part, &moved));
                    }
                    parent.shapes.extend(moved);
                }
                None => self.fixed_shapes.extend(moved),
            }
            merged.push(Place { name: link.name, link: parent, pose });
            into.push((parent, pose));
        }
        for place in &mut self.frames {
            if let Some(link) = place.link {
                let (to, pose) = into[link];
                (place.link, place.pose) = (to, pose * place.pose);
            }
        }
        self.frames.extend(merged);
        for pair in &mut self.excluded {
            *pair = pair.map(|link| link.and_then(|link| into[link].0));
        }
        self.links = kept;
    }
}

/// What shapes weigh together.
pub(super) fn weighed(shapes: &[Shape]) -> DSpatialInertia {
    let nothing = DSpatialInertia::new(0.0, DVec3::ZERO, DMat3::ZERO);
    shapes.iter().fold(nothing, |sum, shape| sum + shape.mass_properties())
}

fn hold(
    b: &mut ModelBuilder,
    name: String,
    parent: Option<BodyId>,
    child: BodyId,
    link: &Link,
    world: DTransform,
) -> JointId {
    let Hold { kind, dofs, anchor, moved, every, .. } = link.hold.clone();
    let base = if parent.is_none() { world * link.pose } else { link.pose };
    let joint: JointBuilder<'_> = match kind {
        HoldKind::Fixed => b.fixed(name, parent, child),
        HoldKind::Axes => b.d6(name, parent, child, dofs),
        HoldKind::Ball => {
            let ball = b.ball(name, parent, child);
            match every {
                Some(dof) => ball.every(dof),
                None => ball,
            }
        }
        HoldKind::Free => return b.free(name, parent, child).id(),
    };
    joint.parent_anchor(base * anchor * moved).child_anchor(anchor).id()
}

/// The turn and the shift that a joint has made at a coordinate.
pub(super) fn moved_by(angular: bool, axis: DVec3, by: f64) -> DTransform {
    match angular {
        true => DTransform::from_rotation(DQuat::from_axis_angle(axis.normalize_or(DVec3::Z), by)),
        false => DTransform::from_translation(axis.normalize_or(DVec3::Z) * by),
    }
}

/// An error for a name that two things have.
pub(super) fn twice(at: &Element, name: &str) -> ImportError {
    at.wrong(format!("the name `{name}` is taken"))
}
