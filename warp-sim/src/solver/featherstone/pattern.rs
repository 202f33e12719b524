//! Which numbers the linear system of a tree has, and in which order it is solved.
//!
//! The unknowns, its columns, are the accelerations of the degrees of freedom that follow no other one. The matrix is that of
//! masses with what followers add to their leaders. It is factored from its last column to its first as `Lᵀ D L`: with
//! parents before children that makes no entry that was not there (Featherstone, *Rigid Body Dynamics Algorithms*, 2008,
//! section 6.5). Which entries ties between branches add is found here, once.

use std::collections::{BTreeMap, BTreeSet};

use warp::prelude::*;
use warp::{Array, Device};

use crate::Error;
use crate::model::Model;
use crate::model::record::{BALL, NONE};

/// The columns of one component: trees that nothing ties to others.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(super) struct Component {
    pub first: u32,
    pub end: u32,
}

/// An unknown, with where its lists begin and end.
#[derive(Clone, Copy, Debug, Default, Struct)]
#[repr(C)]
pub(super) struct Column {
    /// The degree of freedom that it is.
    pub dof: u32,
    /// Whether its own velocity alone moves it.
    pub prescribed: bool,
    /// The ball joint of which it is the first degree of freedom, or none.
    pub ball: u32,
    /// Its entry on the diagonal.
    pub pivot: u32,
    pub members: Range,
    pub updates: Range,
    pub below: Range,
    pub near: Range,
}

#[derive(Clone, Copy, Debug, Default, Struct)]
#[repr(C)]
pub(super) struct Range {
    pub first: u32,
    pub end: u32,
}

/// A degree of freedom of a column, and how many times the column's motion it has.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(super) struct Member {
    pub dof: u32,
    pub ratio: f32,
}

/// An entry of the matrix.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(super) struct Entry {
    pub row: u32,
    pub column: u32,
    /// The entries of the mass matrix that add up to it.
    pub sources: Range,
    /// The ball joint to whose block it belongs, or none, and where in that.
    pub ball: u32,
    pub a: u32,
    pub b: u32,
}

/// An entry of the mass matrix, and how often it counts.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(super) struct Source {
    pub pair: u32,
    pub weight: f32,
}

/// A step of the elimination: the product of two entries is taken from a third.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(super) struct Update {
    pub target: u32,
    pub a: u32,
    pub b: u32,
}

/// An entry and the other column that it stands for.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(super) struct Link {
    pub entry: u32,
    pub column: u32,
}

/// The pattern on the device.
#[derive(Debug)]
pub(super) struct Pattern {
    pub components: Array<Component>,
    pub columns: Array<Column>,
    pub members: Array<Member>,
    pub entries: Array<Entry>,
    pub sources: Array<Source>,
    pub updates: Array<Update>,
    /// The entries left of each column's pivot.
    pub below: Array<Link>,
    /// All entries of each column.
    pub near: Array<Link>,
    /// The column of each degree of freedom, and its part of the motion.
    pub column_of: Array<u32>,
    pub ratio_of: Array<f32>,
}

/// The kernels' side.
#[derive(Args)]
pub(super) struct System<'a> {
    pub components: &'a [Component],
    pub columns: &'a [Column],
    pub members: &'a [Member],
    pub entries: &'a [Entry],
    pub sources: &'a [Source],
    pub updates: &'a [Update],
    pub below: &'a [Link],
    pub near: &'a [Link],
}

impl Pattern {
    pub fn new(model: &Model) -> Result<Pattern, Error> {
        Symbols::of(model)?.on(model.device())
    }

    pub fn args(&self) -> SystemArrays<'_> {
        SystemArrays {
            components: &self.components,
            columns: &self.columns,
            members: &self.members,
            entries: &self.entries,
            sources: &self.sources,
            updates: &self.updates,
            below: &self.below,
            near: &self.near,
        }
    }
}

/// The number of degrees of freedom in the largest component, and one of its joints.
pub(super) fn largest(model: &Model) -> (usize, usize) {
    let component = components(model);
    let mut sizes = BTreeMap::<usize, (usize, usize)>::new();
    for (joint, record) in model.joints.row.iter().enumerate() {
        sizes.entry(component[joint]).or_insert((0, joint)).0 += record.dofs as usize;
    }
    sizes.into_values().max_by_key(|&(dofs, joint)| (dofs, usize::MAX - joint)).unwrap_or((0, 0))
}

/// The component of each joint, by the number of one of its joints.
fn components(model: &Model) -> Vec<usize> {
    let joints = &model.joints;
    let mut group: Vec<usize> = (0..joints.row.len()).collect();
    fn root(group: &mut [usize], mut at: usize) -> usize {
        while group[at] != at {
            group[at] = group[group[at]];
            at = group[at];
        }
        at
    }
    let joint_of = |dof: u32| joints.row.partition_point(|record| record.qd <= dof) - 1;
    let parents = joints.row.iter().enumerate().filter(|(_, record)| record.parent != NONE);
    let mut ties: Vec<(usize, usize)> = parents.map(|(joint, record)| (joint, record.parent as usize)).collect();
    for (joint, record) in joints.row.iter().enumerate() {
        for dof in record.qd..record.qd + record.dofs {
            let leader = joints.leader[dof as usize];
            if leader != NONE && leader != dof {
                ties.push((joint, joint_of(leader)));
            }
        }
    }
    for (a, b) in ties {
        let (a, b) = (root(&mut group, a), root(&mut group, b));
        group[a.max(b)] = a.min(b);
    }
    (0..group.len()).map(|joint| root(&mut group, joint)).collect()
}

/// The pattern on the host.
struct Symbols {
    components: Vec<Component>,
    columns: Vec<Column>,
    members: Vec<Member>,
    column_of: Vec<u32>,
    ratio_of: Vec<f32>,
    /// The sources of each entry, by row and column.
    matrix: BTreeMap<(u32, u32), Vec<Source>>,
    /// Where entries of ball joints' blocks are.
    blocks: BTreeMap<u32, (u32, u32)>,
}

impl Symbols {
    fn of(model: &Model) -> Result<Symbols, Error> {
        let joints = &model.joints;
        let component = components(model);
        let depth = model.joints.paths.start.to_vec()?;
        let depth = |joint: usize| depth[joint + 1] - depth[joint];
        // Parents come before children, and components one after the other.
        let mut order: Vec<usize> = (0..joints.row.len()).collect();
        order.sort_by_key(|&joint| (component[joint], depth(joint), joint));
        let mut symbols = Symbols {
            components: vec![],
            columns: vec![],
            members: vec![],
            column_of: vec![NONE; joints.leader.len()],
            ratio_of: joints.ratio.clone(),
            matrix: BTreeMap::new(),
            blocks: BTreeMap::new(),
        };
        let mut last = None;
        for &joint in &order {
            let record = joints.row[joint];
            if last != Some(component[joint]) {
                let first = symbols.columns.len() as u32;
                symbols.components.push(Component { first, end: first });
                last = Some(component[joint]);
            }
            for k in 0..record.dofs {
                let dof = record.qd + k;
                let leader = joints.leader[dof as usize];
                if leader != NONE && leader != dof {
                    continue;
                }
                let column = symbols.columns.len() as u32;
                let ball = if record.kind == BALL && k == 0 { joint as u32 } else { NONE };
                symbols.column_of[dof as usize] = column;
                symbols.columns.push(Column { dof, prescribed: leader == NONE, ball, ..Column::default() });
                if record.kind == BALL {
                    symbols.blocks.insert(column, (joint as u32, k));
                }
            }
            symbols.components.last_mut().expect("one was begun").end = symbols.columns.len() as u32;
        }
        symbols.add_members(model);
        symbols.add_entries(model)?;
        Ok(symbols)
    }

    fn add_members(&mut self, model: &Model) {
        let mut of: Vec<Vec<Member>> = vec![vec![]; self.columns.len()];
        for dof in 0..self.column_of.len() {
            if self.column_of[dof] == NONE {
                self.column_of[dof] = self.column_of[model.joints.leader[dof] as usize];
            }
            of[self.column_of[dof] as usize].push(Member { dof: dof as u32, ratio: self.ratio_of[dof] });
        }
        for (column, members) in self.columns.iter_mut().zip(of) {
            column.members = appended(&mut self.members, members);
        }
    }

    fn add_entries(&mut self, model: &Model) -> Result<(), Error> {
        for (number, pair) in (0..).zip(model.joints.pairs.to_vec()?) {
            let [a, b] = [pair.outer, pair.inner].map(|dof| self.column_of[dof as usize]);
            let ratio = self.ratio_of[pair.outer as usize] * self.ratio_of[pair.inner as usize];
            // What two tied degrees of freedom share counts for both.
            let twice = if a == b && pair.outer != pair.inner { 2.0 } else { 1.0 };
            let sources = self.matrix.entry((a.max(b), a.min(b))).or_default();
            sources.push(Source { pair: number, weight: ratio * twice });
        }
        for column in 0..self.columns.len() as u32 {
            self.matrix.entry((column, column)).or_default();
        }
        // What elimination fills in, from the last column to the first.
        let mut left: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); self.columns.len()];
        for &(row, column) in self.matrix.keys().filter(|(row, column)| row != column) {
            left[row as usize].insert(column);
        }
        for row in (0..left.len()).rev() {
            let all: Vec<u32> = left[row].iter().copied().collect();
            for (k, &i) in all.iter().enumerate() {
                for &j in &all[..k] {
                    left[i as usize].insert(j);
                    self.matrix.entry((i, j)).or_default();
                }
            }
        }
        Ok(())
    }

    fn on(mut self, device: &Device) -> Result<Pattern, Error> {
        let number: BTreeMap<(u32, u32), u32> = self.matrix.keys().copied().zip(0..).collect();
        let left = |row: u32| number.range((row, 0)..(row, row)).map(|(&(_, column), &entry)| Link { entry, column });
        let (mut updates, mut below, mut near) = (vec![], vec![], vec![]);
        let mut beside: Vec<Vec<Link>> = vec![vec![]; self.columns.len()];
        for (&(row, column), &entry) in &number {
            beside[row as usize].push(Link { entry, column });
            if row != column {
                beside[column as usize].push(Link { entry, column: row });
            }
        }
        for (row, column) in (0..).zip(&mut self.columns) {
            column.pivot = number[&(row, row)];
            let all: Vec<Link> = left(row).collect();
            let pairs = (0..all.len()).flat_map(|i| (0..=i).map(move |j| (i, j)));
            let update = |(i, j): (usize, usize)| Update {
                target: number[&(all[i].column, all[j].column)],
                a: all[i].entry,
                b: all[j].entry,
            };
            column.updates = appended(&mut updates, pairs.map(update));
            column.below = appended(&mut below, all.iter().copied());
            column.near = appended(&mut near, beside[row as usize].iter().copied());
        }
        let (mut entries, mut sources) = (vec![], vec![]);
        for ((row, column), of) in &self.matrix {
            let places = (self.blocks.get(row), self.blocks.get(column));
            let (ball, a, b) = match places {
                (Some(&(joint, a)), Some(&(other, b))) if joint == other => (joint, a, b),
                _ => (NONE, 0, 0),
            };
            let sources = appended(&mut sources, of.iter().copied());
            entries.push(Entry { row: *row, column: *column, sources, ball, a, b });
        }
        Ok(Pattern {
            components: Array::from_vec(device, self.components)?,
            columns: Array::from_vec(device, self.columns)?,
            members: Array::from_vec(device, self.members)?,
            entries: Array::from_vec(device, entries)?,
            sources: Array::from_vec(device, sources)?,
            updates: Array::from_vec(device, updates)?,
            below: Array::from_vec(device, below)?,
            near: Array::from_vec(device, near)?,
            column_of: Array::from_vec(device, self.column_of)?,
            ratio_of: Array::from_vec(device, self.ratio_of)?,
        })
    }
}

/// Adds items at the end, and says where they are.
fn appended<T>(all: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Range {
    let first = all.len() as u32;
    all.extend(items);
    Range { first, end: all.len() as u32 }
}
