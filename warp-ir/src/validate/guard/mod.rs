//! Evidence of memory safety: each unchecked op stands under a check, or under constants, that make it defined.
//!
//! The walk keeps the facts that hold where it stands (`facts.rs`): conditions of dominating checks, of enclosing
//! ifs and loops, and of loops that are over; an arm that stops every thread leaves the condition of the other one.
//! `bounds.rs` shows from them that an index is in range, `division.rs` that a division is defined, `contents.rs`
//! that a local array has been filled.

mod bounds;
mod contents;
mod division;
mod facts;

use super::{Invalid, Valid, op};
use crate::ir::{Kernel, Mem, Op, Region};
use crate::text;
use contents::Contents;
use facts::Facts;
pub(crate) use facts::Term;

/// Shows that every load, store, atomic, table access and integer division of a kernel is defined (number 13 of the
/// list at the head of [`validate`](super)). To be called on a kernel as it arrives, before checks are elided.
pub fn guarded(kernel: &Valid<Kernel>) -> Result<(), Invalid> {
    indices(kernel).map(drop)
}

/// The index in each dimension of every load, store and atomic, in the order of the text, as the proofs of [`guarded`]
/// read them from flat indices.
pub(crate) fn indices(kernel: &Valid<Kernel>) -> Result<Vec<Vec<Term>>, Invalid> {
    let function = &kernel.function;
    let mut walk = Walk { facts: Facts::new(function), contents: Contents::new(function), indices: vec![] };
    match walk.region(&function.body) {
        Ok(()) => Ok(walk.indices),
        Err((op, message)) => Err(Invalid {
            function: function.name.clone(),
            op: text::first_line(function, op),
            source: op::source(function, op),
            message,
        }),
    }
}

struct Walk<'k> {
    facts: Facts<'k>,
    contents: Contents,
    indices: Vec<Vec<Term>>,
}

type Shown<'k> = Result<(), (&'k Op, String)>;

impl<'k> Walk<'k> {
    fn region(&mut self, region: &'k Region) -> Shown<'k> {
        for op in &region.ops {
            self.op(op).map_err(|message| (op, message))?;
            match op {
                Op::If { cond, then, otherwise, .. } => {
                    self.contents.enter();
                    self.scoped(then, |facts| facts.assume(*cond, true))?;
                    let filled = self.contents.leave();
                    self.contents.enter();
                    self.scoped(otherwise, |facts| facts.assume(*cond, false))?;
                    let other = self.contents.leave();
                    // Whoever gets past an arm that stops every thread came through the other one.
                    match (self.stops(then), self.stops(otherwise)) {
                        (true, _) => {
                            self.facts.assume(*cond, false);
                            self.contents.filled(other);
                        }
                        (_, true) => {
                            self.facts.assume(*cond, true);
                            self.contents.filled(filled);
                        }
                        _ => self.contents.filled(filled.into_iter().filter(|f| other.contains(f))),
                    }
                }
                Op::Loop { cond, body, results, .. } => {
                    self.contents.enter();
                    self.scoped(cond, |_| ())?;
                    self.scoped(body, |facts| {
                        facts.rename(&cond.params, &body.params);
                        facts.assume(cond.yields[0], true);
                    })?;
                    self.contents.leave();
                    self.facts.rename(&cond.params, results);
                    self.facts.assume(cond.yields[0], false);
                }
                // It does not run here, so what its checks show holds nowhere else.
                Op::Custom { gradient, .. } => {
                    self.contents.enter();
                    self.scoped(gradient, |_| ())?;
                    self.contents.leave();
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether a check that fails for certain stops every thread that enters a region.
    fn stops(&self, region: &Region) -> bool {
        let fails = |op: &Op| matches!(op, Op::Check { cond, .. } if self.facts.constant(*cond) == Some(0));
        region.ops.iter().any(fails)
    }

    fn scoped(&mut self, region: &'k Region, assume: impl FnOnce(&mut Facts<'k>)) -> Shown<'k> {
        let scope = self.facts.enter();
        assume(&mut self.facts);
        self.region(region)?;
        self.facts.leave(scope);
        Ok(())
    }

    fn op(&mut self, op: &'k Op) -> Result<(), String> {
        match op {
            Op::Check { cond, .. } => self.facts.assume(*cond, true),
            Op::Pure { builtin, args, result } => division::check(&self.facts, *builtin, args, *result)?,
            Op::Table { table, index, .. } => bounds::check_table(&self.facts, *table, *index)?,
            Op::Fill { local, leaf, .. } => self.contents.filled([(*local, *leaf)]),
            Op::Load { mem, index, leaf, .. } | Op::Atomic { mem, index, leaf, .. } => {
                self.indices.push(bounds::check(&self.facts, *mem, *index)?);
                if let Mem::Local(local) = mem {
                    self.contents.read(*local, *leaf, self.facts.constant(*index))?;
                }
            }
            Op::Store { mem, index, leaf, .. } => {
                self.indices.push(bounds::check(&self.facts, *mem, *index)?);
                if let (Mem::Local(local), Some(element)) = (mem, self.facts.constant(*index)) {
                    self.contents.stored(*local, *leaf, element);
                }
            }
            _ => {}
        }
        Ok(())
    }
}
