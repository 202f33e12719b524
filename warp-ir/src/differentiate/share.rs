//! How a thread's memory is shared out: which loops have a slot for each turn, and how many slots the others have.

use std::collections::BTreeMap;

use super::emit::Emit;
use super::needs::Plan;
use super::tree::{OpId, Tree};
use super::{Refusal, refusal};
use crate::ir::*;
use crate::validate::limits::{LEAVES, LOCAL_BYTES, LOCALS_BYTES};

/// Fewest and most slots of a loop of any number of turns.
const SLOTS: [u64; 2] = [8, 64];

/// The slots of one loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Share {
    pub(super) slots: u64,
    /// Whether these are all turns that the loop can make.
    pub(super) all_turns: bool,
}

impl Emit<'_, '_> {
    /// Shares out what is left beside the local arrays that are there by now.
    pub(super) fn share_memory(&mut self) -> Result<(), Refusal> {
        let room = room(self.tree, self.b.function(), &self.twins)?;
        let mut wishes = vec![];
        for (&id, plan) in self.needs.loops.iter().filter(|(_, plan)| plan.has_state()) {
            wishes.push(self.wish(id, plan)?);
        }
        let limit = u64::from(self.options.checkpoint_bytes);
        let bytes_with = |limit: u64| wishes.iter().map(|wish| wish.share(limit).slots * wish.bytes).sum::<u64>();
        if bytes_with(0) > room {
            let of = wishes.iter().max_by_key(|wish| wish.bytes).map_or(0, |wish| wish.id);
            return Err(refusal::all_checkpoints(self.tree, of, bytes_with(0), room));
        }
        // The largest limit under which all have room: what they take only grows with it.
        let (mut fits, mut above) = (0, limit + 1);
        while fits + 1 < above {
            let middle = fits + (above - fits) / 2;
            if bytes_with(middle) <= room { fits = middle } else { above = middle }
        }
        self.shares = wishes.iter().map(|wish| (wish.id, wish.share(fits))).collect();
        Ok(())
    }

    fn wish(&self, id: OpId, plan: &Plan) -> Result<Wish, Refusal> {
        let params = &self.tree.parts(id).body.params;
        let carried: u64 = plan.state.iter().map(|&k| self.scalar(params[k]).size() as u64).sum();
        let row = 8 + carried + 8 * plan.logs.len() as u64;
        let fits_in_row = 1 + plan.state.len() + plan.logs.len() <= LEAVES;
        let copies = plan.keep.locals.iter().map(|&(local, leaf)| {
            let of = &self.tree.function.locals[local.0 as usize];
            (u64::from(of.len) * of.leaves[leaf as usize].size() as u64, of.name.as_str())
        });
        let copies: Vec<(u64, &str)> = copies.collect();
        let largest = copies.iter().copied().chain([(row, "")]).max().unwrap_or_default();
        let wish = Wish {
            id,
            bytes: row + copies.iter().map(|(bytes, _)| bytes).sum::<u64>(),
            turns: plan.count.and_then(|count| self.tree.constant(count)),
            most: if fits_in_row { LOCAL_BYTES / largest.0 } else { 0 },
            given: self.options.slots.map(u64::from),
        };
        let (least, limit) = (wish.least(), u64::from(self.options.checkpoint_bytes));
        if wish.most < least {
            return Err(refusal::copies(self.tree, id, largest, least, LOCAL_BYTES));
        }
        if wish.given.is_none() && least * wish.bytes > limit {
            return Err(refusal::checkpoint(self.tree, id, wish.bytes, wish.turns, least, limit));
        }
        Ok(wish)
    }
}

/// What a loop would have.
struct Wish {
    id: OpId,
    /// Bytes of one state.
    bytes: u64,
    /// The number of its turns, where it is a constant.
    turns: Option<u64>,
    /// How many states local arrays can hold.
    most: u64,
    /// The number of slots that is asked for, whatever the bytes.
    given: Option<u64>,
}

impl Wish {
    /// How few slots it can do with.
    fn least(&self) -> u64 {
        let least = self.given.map_or(SLOTS[0], |given| given.clamp(2, SLOTS[0]));
        self.turns.map_or(least, |turns| turns.clamp(1, least))
    }

    /// What it has of so many bytes.
    fn share(&self, bytes: u64) -> Share {
        let fitting = self.given.unwrap_or(bytes / self.bytes).max(self.least()).min(self.most);
        match self.turns {
            Some(turns) if turns <= fitting => Share { slots: turns.max(1), all_turns: true },
            _ => Share { slots: fitting.min(SLOTS[1]) & !1, all_turns: false },
        }
    }
}

/// Bytes of a thread's memory that are left in a derived kernel, in which `twins` have the derivatives of the primal's
/// local arrays.
pub(super) fn room(tree: &Tree<'_>, derived: &Function, twins: &[Option<LocalId>]) -> Result<u64, Refusal> {
    let bytes = |local: &LocalArray| u64::from(local.len) * local.leaves.iter().map(|l| l.size() as u64).sum::<u64>();
    for (of, twin) in twins.iter().enumerate() {
        let Some(twin) = twin else { continue };
        let bytes = bytes(&derived.locals[twin.0 as usize]);
        if bytes > LOCAL_BYTES {
            return Err(refusal::twin_of_local(tree, of, bytes, LOCAL_BYTES));
        }
    }
    let taken = derived.locals.iter().map(bytes).sum();
    LOCALS_BYTES.checked_sub(taken).ok_or_else(|| refusal::twins_of_locals(tree, taken, LOCALS_BYTES))
}

/// The shares of all loops that have slots.
pub(super) type Shares = BTreeMap<OpId, Share>;
