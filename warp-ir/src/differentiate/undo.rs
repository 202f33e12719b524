//! Memory that own stores change before it is read: the stores are run again on the version before the launch, and the
//! reverse takes them back one by one.
//!
//! Outside loops a store keeps what it overwrites as a value. Inside loops turns are run several times, so replays write
//! down in a log what they overwrite, and going back to a stored state takes back what was written since.

use super::emit::Emit;
use super::record::Count;
use super::tree::OpId;
use crate::ir::*;

/// A log of overwritten elements of one leaf: indices in each dimension, then the old value.
#[derive(Clone, Copy)]
pub(super) struct Log {
    entries: LocalId,
    /// One element: how many entries there are.
    height: LocalId,
}

impl Emit<'_, '_> {
    /// Whether an op is a store that later loads see.
    pub(super) fn is_replayed(&self, id: OpId) -> bool {
        match self.op(id) {
            Op::Store { mem: Mem::Array(array), leaf, .. } => self.needs.replayed.contains(&(*array, *leaf)),
            _ => false,
        }
    }

    /// A store that keeps the old value in scope for its reverse.
    pub(super) fn store_keeping(&mut self, id: OpId) {
        let Op::Store { mem: Mem::Array(array), leaf, value, .. } = self.op(id) else { return };
        let indices = self.indices(id);
        let at = self.flat_in(*array, &indices);
        let value = self.get(*value);
        let old = self.b.load(Mem::Array(*array), at, *leaf);
        self.b.store(Mem::Array(*array), at, *leaf, value);
        self.name(self.count_of(id, Count::Old), old);
    }

    /// Puts back what [`store_keeping`](Emit::store_keeping) has overwritten.
    pub(super) fn take_back(&mut self, id: OpId) {
        let Op::Store { mem: Mem::Array(array), leaf, .. } = self.op(id) else { return };
        let old = self.count_of(id, Count::Old);
        let Some(old) = self.known(old) else {
            return self.fail(super::refusal::gap("an overwritten value is not kept"));
        };
        let indices = self.indices(id);
        let at = self.flat_in(*array, &indices);
        self.b.store(Mem::Array(*array), at, *leaf, old);
    }

    /// A store that writes the old value down.
    pub(super) fn store_logging(&mut self, id: OpId) {
        let Op::Store { mem: Mem::Array(array), leaf, value, .. } = self.op(id) else { return };
        let Some(log) = self.logs.get(&(*array, *leaf)).copied() else {
            return self.fail(super::refusal::gap("an overwritten value has no log"));
        };
        let indices = self.indices(id);
        let at = self.flat_in(*array, &indices);
        let value = self.get(*value);
        let old = self.b.load(Mem::Array(*array), at, *leaf);
        let height = self.height((*array, *leaf));
        self.fits(*array, height);
        let entries = Mem::Local(log.entries);
        self.inside(entries, 0, height);
        for (dim, &index) in indices.iter().enumerate() {
            self.b.store(entries, height, dim as u16, index);
        }
        self.b.store(entries, height, indices.len() as u16, old);
        let one = self.b.u64(1);
        let higher = self.b.add(height, one);
        self.set_height(log, higher);
        self.b.store(Mem::Array(*array), at, *leaf, value);
    }

    /// Stops the thread where the log is full.
    fn fits(&mut self, array: ArrayId, height: Value) {
        let entries = self.options.undo_entries;
        let name = &self.tree.function.arrays[array.0 as usize].name;
        let text = format!(
            "the gradient of a loop has to take back more than {entries} writes to `{name}` a thread; keep what is written \
             in variables or a local array, or raise `undo_entries`"
        );
        let message = vec![PrintPiece::Text(text)];
        let limit = self.b.u64(u64::from(entries));
        let room = self.b.lt(height, limit);
        self.b.check(room, CheckKind::Assert { message }, &[], self.source);
    }

    pub(super) fn make_log(&mut self, leaf: (ArrayId, u16)) {
        if self.logs.contains_key(&leaf) {
            return;
        }
        let array = self.tree.function.arrays[leaf.0.0 as usize].clone();
        let mut leaves = vec![Scalar::U64; array.rank as usize];
        leaves.push(array.leaves[leaf.1 as usize]);
        let entries = self.b.local(&format!("{} overwritten", array.name), &leaves, self.options.undo_entries);
        let height = self.b.local(&format!("{} overwritten count", array.name), &[Scalar::U64], 1);
        self.zeroed.extend([entries, height]);
        self.logs.insert(leaf, Log { entries, height });
    }

    /// How many entries a log has.
    pub(super) fn height(&mut self, leaf: (ArrayId, u16)) -> Value {
        let zero = self.b.u64(0);
        match self.logs.get(&leaf) {
            Some(log) => self.b.load(Mem::Local(log.height), zero, 0),
            None => zero,
        }
    }

    fn set_height(&mut self, log: Log, height: Value) {
        let zero = self.b.u64(0);
        self.b.store(Mem::Local(log.height), zero, 0, height);
    }

    /// Takes stores back, the last first, until the log has so many entries.
    pub(super) fn take_back_to(&mut self, leaf: (ArrayId, u16), target: Value) {
        let Some(log) = self.logs.get(&leaf).copied() else { return };
        let rank = self.tree.function.arrays[leaf.0.0 as usize].rank as u16;
        let top = self.height(leaf);
        let params = self.b.open(&[Scalar::U64]);
        let go = self.b.lt(target, params[0]);
        let cond = self.b.close(&[go]);
        let params = self.b.open(&[Scalar::U64]);
        let one = self.b.u64(1);
        let last = self.b.sub(params[0], one);
        let entries = Mem::Local(log.entries);
        self.inside(entries, 0, last);
        let indices: Vec<Value> = (0..rank).map(|dim| self.b.load(entries, last, dim)).collect();
        let old = self.b.load(entries, last, rank);
        let at = self.flat_in(leaf.0, &indices);
        self.b.store(Mem::Array(leaf.0), at, leaf.1, old);
        let body = self.b.close(&[last]);
        self.b.push_loop(&[top], cond, body);
        self.set_height(log, target);
    }
}
