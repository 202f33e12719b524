//! Derivatives of the user's own that read a local array of the caller.
//!
//! The region of a `Custom` runs on the way back, when such an array has other contents. Its elements are loaded where
//! the `Custom` stands, and the region, which sees those values, fills an array of its own with them.

use std::collections::BTreeSet;

use super::LinkError;
use super::inline::{Binding, Frame, Inliner};
use crate::ir::*;

/// The most numbers that a derivative can have of one local array.
pub const DERIVATIVE_READS: usize = 256;

impl<'a> Inliner<'_, 'a> {
    /// Gives a region arrays of its own in place of the caller's local arrays that it reads.
    pub(super) fn keep_apart(
        &mut self,
        frame: &Frame<'a>,
        gradient: &mut Region,
        out: &mut Vec<Op>,
    ) -> Result<(), LinkError> {
        let local = |bound: &Binding| match bound.mem {
            Mem::Local(local) => Some(local),
            Mem::Array(_) => None,
        };
        let locals: BTreeSet<LocalId> = frame.arrays.iter().filter_map(local).collect();
        let mut start = vec![];
        for of in locals {
            let mut leaves = BTreeSet::new();
            leaves_read(gradient, of, &mut leaves);
            let own = LocalId(self.out.locals.len() as u32);
            let array = self.out.locals[of.0 as usize].clone();
            if leaves.is_empty() {
                continue;
            }
            if array.len as usize * leaves.len() > DERIVATIVE_READS {
                return Err(self.derivative_reads_too_much(frame, &array, leaves.len()));
            }
            for leaf in leaves {
                self.hand_over((of, own), (leaf, &array), out, &mut start)?;
            }
            self.out.locals.push(array);
            redirect(gradient, of, own);
        }
        start.append(&mut gradient.ops);
        gradient.ops = start;
        Ok(())
    }

    /// Loads a leaf of all elements in front of the region, and stores them where it starts.
    fn hand_over(
        &mut self,
        (of, own): (LocalId, LocalId),
        (leaf, array): (u16, &LocalArray),
        out: &mut Vec<Op>,
        start: &mut Vec<Op>,
    ) -> Result<(), LinkError> {
        for element in 0..u64::from(array.len) {
            let index = self.out.value(Scalar::U64);
            self.push(out, Op::Const { bits: element, result: index })?;
            let value = self.out.value(array.leaves[leaf as usize]);
            self.push(out, Op::Load { mem: Mem::Local(of), index, leaf, result: value })?;
            if element == 0 {
                self.push(start, Op::Fill { local: own, leaf, value })?;
            } else {
                self.push(start, Op::Store { mem: Mem::Local(own), index, leaf, value })?;
            }
        }
        Ok(())
    }

    fn derivative_reads_too_much(&self, frame: &Frame<'a>, array: &LocalArray, leaves: usize) -> LinkError {
        let place = match frame.call {
            Some(Source { file, line, text, .. }) if !text.is_empty() => format!(" (`{text}` at {file}:{line})"),
            Some(Source { file, line, .. }) if !file.is_empty() => format!(" ({file}:{line})"),
            _ => String::new(),
        };
        LinkError::DerivativeReadsTooMuch {
            function: frame.function.name.clone(),
            array: array.name.clone(),
            place,
            numbers: array.len as usize * leaves,
        }
    }
}

/// The leaves of a local array that a region reads.
fn leaves_read(region: &Region, local: LocalId, leaves: &mut BTreeSet<u16>) {
    for op in &region.ops {
        if let Op::Load { mem, leaf, .. } = op
            && *mem == Mem::Local(local)
        {
            leaves.insert(*leaf);
        }
        op.shape().regions.into_iter().for_each(|inner| leaves_read(inner, local, leaves));
    }
}

/// Lets a region use one local array in place of another.
fn redirect(region: &mut Region, from: LocalId, to: LocalId) {
    for op in &mut region.ops {
        op.map_local(|local| {
            if *local == from {
                *local = to;
            }
        });
        op.regions_mut().into_iter().for_each(|inner| redirect(inner, from, to));
    }
}
