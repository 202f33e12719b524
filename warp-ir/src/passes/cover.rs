//! Covering: a variant of a kernel for launches that reach no further than its arrays.
//!
//! Where `a[tid()]` is checked, the check is needless as soon as the launch has no more threads than `a` has elements.
//! That is known when it is launched: the variant says which lengths to compare.

use super::elide::elide_checks;
use super::facts::Covered;
use crate::builtins::Builtin;
use crate::ir::*;
use crate::planted::{self, Bug};

/// A condition on a launch: the extent of launch dimension `tid_dim` is at most extent `dim` of `array`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cover {
    /// The array.
    pub array: ArrayId,
    /// Its dimension.
    pub dim: u8,
    /// The dimension of the launch.
    pub tid_dim: u8,
}

/// Conditions, and parts of conditions, that one condition is looked through for.
const CONDITIONS: u32 = 64;

/// Elides the checks that hold if the launch is covered; gives the conditions for that. None where nothing is gained.
pub(super) fn cover_checks(function: &mut Function) -> Option<Vec<Cover>> {
    let candidates = candidates(function);
    if candidates.is_empty() {
        return None;
    }
    let elided = elide_checks(function, candidates);
    let gained = elided.dropped + elided.decided > 0 && !elided.needed.is_empty();
    gained.then(|| {
        let cover = |c: Covered| Cover { array: c.array, dim: c.dim, tid_dim: c.tid_dim };
        let mut covers: Vec<Cover> = elided.needed.into_iter().map(cover).collect();
        covers.sort_unstable();
        covers.dedup();
        if planted::is(Bug::CoverForgetsCondition) {
            covers.truncate(1);
        }
        covers
    })
}

/// What launches may promise: for each comparison of a coordinate (or one less something) with an extent, on which a
/// check depends, or a branch that is not itself inside a branch.
fn candidates(function: &Function) -> Vec<Covered> {
    let mut scan = Scan { origins: vec![Origin::Other; function.values.len()], found: vec![] };
    scan.region(&function.body, true);
    let mut found = scan.found;
    found.sort_unstable_by_key(|c| (c.array, c.dim, c.tid_dim));
    found.dedup();
    found
}

/// Where a value comes from, as far as covering looks.
#[derive(Clone, Copy)]
enum Origin {
    Other,
    /// A coordinate, or one less something.
    Tid(u8),
    Extent(ArrayId, u8),
    Compared(Covered),
    /// A condition that needs both of these.
    Both(Value, Value),
}

struct Scan {
    origins: Vec<Origin>,
    found: Vec<Covered>,
}

impl Scan {
    fn region(&mut self, region: &Region, top: bool) {
        for op in &region.ops {
            match op {
                Op::Tid { dim, result } => self.origins[result.0 as usize] = Origin::Tid(*dim),
                Op::Extent { array, dim, result } => self.origins[result.0 as usize] = Origin::Extent(*array, *dim),
                Op::Pure { builtin, args, result } => self.origins[result.0 as usize] = self.origin(*builtin, args),
                Op::Check { cond, .. } => self.candidate(*cond, &mut { CONDITIONS }),
                Op::If { cond, then, otherwise, .. } => {
                    if top {
                        self.candidate(*cond, &mut { CONDITIONS });
                    }
                    self.region(then, false);
                    self.region(otherwise, false);
                }
                Op::Loop { body, .. } => self.region(body, false),
                _ => {}
            }
        }
    }

    fn origin(&self, builtin: Builtin, args: &[Value]) -> Origin {
        let of = |at: usize| self.origins[args[at].0 as usize];
        match builtin {
            Builtin::Sub => match of(0) {
                Origin::Tid(dim) => Origin::Tid(dim),
                _ => Origin::Other,
            },
            Builtin::Lt => match (of(0), of(1)) {
                (Origin::Tid(tid_dim), Origin::Extent(array, dim)) => Origin::Compared(Covered { array, dim, tid_dim }),
                _ => Origin::Other,
            },
            Builtin::Le => match (of(1), of(0)) {
                (Origin::Tid(tid_dim), Origin::Extent(array, dim)) => Origin::Compared(Covered { array, dim, tid_dim }),
                _ => Origin::Other,
            },
            Builtin::And | Builtin::Or => Origin::Both(args[0], args[1]),
            Builtin::Not => Origin::Both(args[0], args[0]),
            _ => Origin::Other,
        }
    }

    fn candidate(&mut self, cond: Value, left: &mut u32) {
        let Some(fewer) = left.checked_sub(1) else { return };
        *left = fewer;
        match self.origins[cond.0 as usize] {
            Origin::Compared(covered) => self.found.push(covered),
            Origin::Both(a, b) => {
                self.candidate(a, left);
                if a != b {
                    self.candidate(b, left);
                }
            }
            _ => {}
        }
    }
}
