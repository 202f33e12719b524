//! What all worlds know of their joints, and where a joint's numbers are.

use std::ops::Range;

use warp::{Array, Device};

use super::label::{BodyId, JointId};
use super::record::{AXES, BALL, FREE, JointRecord, NONE, Pair};
use super::tree::{Lists, Trees};
use super::{JointKind, Model};
use crate::Error;

/// The trees of a row.
#[derive(Debug)]
pub(crate) struct Joints {
    /// Whether any of them turn about no axis of their own.
    pub turn: bool,
    /// The same on the host and the device.
    pub row: Vec<JointRecord>,
    pub records: Array<JointRecord>,
    /// The joint of each body, or [`NONE`].
    pub of_body: Array<u32>,
    /// The joint of each degree of freedom.
    pub of_dof: Array<u32>,
    /// The number of each degree of freedom in its world.
    pub dof_number: Array<u32>,
    /// The coordinate of each degree of freedom, or none.
    pub coordinate: Array<u32>,
    /// The entries of the mass matrix.
    pub pairs: Array<Pair>,
    /// The joints from the root to each one, itself the last.
    pub paths: Listed,
    /// The joints that hang on each one, itself among them.
    pub subtrees: Listed,
    /// The degree of freedom that each one follows, itself or none, with ratio and offset.
    pub leader: Vec<u32>,
    pub ratio: Vec<f32>,
    /// The same on the device: itself where it follows none.
    pub leaders: Array<u32>,
    pub offsets: Array<f32>,
    pub ratios: Array<f32>,
    /// Whether nothing but its own velocity moves each degree of freedom.
    pub prescribed: Array<bool>,
}

/// Lists of numbers on the device, one after the other.
#[derive(Debug)]
pub(crate) struct Listed {
    pub start: Array<u32>,
    pub entries: Array<u32>,
}

impl Listed {
    pub(super) fn new(device: &Device, lists: &Lists) -> Result<Listed, Error> {
        Ok(Listed {
            start: Array::from_slice(device, &lists.start)?,
            entries: Array::from_slice(device, &lists.entries)?,
        })
    }
}

impl Joints {
    pub(super) fn new(device: &Device, trees: &Trees) -> Result<Joints, Error> {
        Ok(Joints {
            turn: trees.records.iter().any(|record| record.kind != AXES),
            row: trees.records.clone(),
            records: Array::from_slice(device, &trees.records)?,
            of_body: Array::from_slice(device, &trees.of_body)?,
            of_dof: Array::from_slice(device, &trees.dofs.joint)?,
            dof_number: Array::from_slice(device, &trees.dofs.number)?,
            coordinate: Array::from_vec(device, trees.coordinates())?,
            pairs: Array::from_vec(device, trees.pairs())?,
            paths: Listed::new(device, &trees.paths)?,
            subtrees: Listed::new(device, &trees.subtrees)?,
            leader: trees.dofs.leader.clone(),
            ratio: trees.dofs.ratio.clone(),
            leaders: Array::from_vec(device, trees.dofs.leaders())?,
            offsets: Array::from_slice(device, &trees.dofs.offset)?,
            ratios: Array::from_slice(device, &trees.dofs.ratio)?,
            prescribed: Array::from_vec(device, trees.dofs.leader.iter().map(|&leader| leader == NONE).collect())?,
        })
    }
}

impl Model {
    /// How a joint lets its child move.
    pub fn joint_kind(&self, world: usize, joint: JointId) -> Result<JointKind, Error> {
        let record = self.record(world, joint)?;
        Ok(match (record.kind, record.dofs) {
            (BALL, _) => JointKind::Ball,
            (FREE, _) => JointKind::Free,
            (_, 0) => JointKind::Fixed,
            _ => JointKind::Axes,
        })
    }

    /// Where the coordinates of a joint are in arrays such as [`State::joint_q`](super::State::joint_q).
    pub fn joint_q_range(&self, world: usize, joint: JointId) -> Result<Range<usize>, Error> {
        let record = self.record(world, joint)?;
        let first = self.first(&self.worlds.coordinates, world) + record.q as usize;
        Ok(first..first + record.coordinates() as usize)
    }

    /// Where the degrees of freedom of a joint are in arrays such as [`State::joint_qd`](super::State::joint_qd).
    pub fn joint_qd_range(&self, world: usize, joint: JointId) -> Result<Range<usize>, Error> {
        let record = self.record(world, joint)?;
        let first = self.first(&self.worlds.dofs, world) + record.qd as usize;
        Ok(first..first + record.dofs as usize)
    }

    /// The body that a joint holds.
    pub fn joint_child(&self, world: usize, joint: JointId) -> Result<BodyId, Error> {
        Ok(BodyId(self.record(world, joint)?.body - self.skipped(&self.worlds.bodies, world) as u32))
    }

    /// The body that a joint holds its child to: none where that is the world.
    pub fn joint_parent(&self, world: usize, joint: JointId) -> Result<Option<BodyId>, Error> {
        let parent = self.record(world, joint)?.parent;
        if parent == NONE {
            return Ok(None);
        }
        let body = self.joints.row[parent as usize].body;
        Ok(Some(BodyId(body - self.skipped(&self.worlds.bodies, world) as u32)))
    }

    /// The name of a joint of a world, empty where it has none.
    pub fn joint_label(&self, world: usize, joint: JointId) -> Result<&str, Error> {
        Ok(self.kind(world)?.joints.of(joint.index()))
    }

    /// The joints of a world, in the order in which they were described; those of free bodies on which others hang come last.
    pub fn joint_ids(&self, world: usize) -> Result<impl Iterator<Item = JointId> + use<>, Error> {
        self.kind(world)?;
        Ok((0..self.worlds.joints.of(world).len() as u32).map(JointId))
    }

    /// The joint that holds a body: none for one that moves freely and on which nothing hangs.
    pub fn joint_of(&self, world: usize, body: BodyId) -> Result<Option<JointId>, Error> {
        self.body_at(world, body)?;
        let joint = self.joint_in_row(world, body);
        let first = self.skipped(&self.worlds.joints, world) as u32;
        Ok((joint != NONE).then(|| JointId(joint - first)))
    }

    /// What a message calls a joint by its number in the row.
    pub(crate) fn joint_in_row_called(&self, joint: usize) -> String {
        let (world, number) = self.worlds.joints.find(joint);
        self.worlds.kind(world).joints.call("joint", number)
    }

    /// What a message calls the first joint, if there is one.
    pub(crate) fn first_joint(&self) -> Option<String> {
        let worlds = 0..self.worlds();
        let world = worlds.into_iter().find(|&world| !self.worlds.joints.of(world).is_empty())?;
        Some(self.worlds.kind(world).joints.call("joint", 0))
    }

    /// The joint of a body by its number in the row, or [`NONE`]. The body is one of the world's.
    pub(crate) fn joint_in_row(&self, world: usize, body: BodyId) -> u32 {
        let wanted = self.skipped(&self.worlds.bodies, world) as u32 + body.0;
        let of = |record: &JointRecord| record.body == wanted;
        self.joints.row.iter().position(of).map_or(NONE, |joint| joint as u32)
    }

    fn record(&self, world: usize, joint: JointId) -> Result<JointRecord, Error> {
        self.at(&self.worlds.joints, "joint", world, joint.index())?;
        Ok(self.joints.row[self.skipped(&self.worlds.joints, world) + joint.index()])
    }

    /// How many things of its row are before a world.
    fn skipped(&self, layout: &super::layout::Layout, world: usize) -> usize {
        if layout.is_alike() { 0 } else { layout.of(world).start }
    }

    /// Where a world's part of an array begins, less what its records count already.
    fn first(&self, layout: &super::layout::Layout, world: usize) -> usize {
        layout.of(world).start - self.skipped(layout, world)
    }
}
