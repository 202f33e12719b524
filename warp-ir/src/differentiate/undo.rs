//! Memory that own stores change before it is read: the stores are run again on the version before the launch, and the
//! reverse takes them back one by one.
//!
//! Outside loops a store keeps what it overwrites as a value. Inside loops turns are run several times, so replays write
//! down in a log what they overwrite, and going back to a stored state takes back what was written since. A short log
//! whose size is known lies in the thread's own memory; of others the recorded launch counts the entries, and each
//! thread has its part of arrays that are as long as all threads need.

use super::emit::Emit;
use super::logs::Logged;
use super::record::Count;
use super::recording::{own_place, record};
use super::tree::OpId;
use super::{LogArrays, refusal};
use crate::ir::*;

/// A log of overwritten elements of one leaf: indices in each dimension, and the old value.
#[derive(Clone, Copy)]
pub(super) struct Log {
    entries: Entries,
    /// One element: where the next entry goes.
    height: LocalId,
}

#[derive(Clone, Copy)]
enum Entries {
    /// An element for each entry: the indices, then the value.
    Own(LocalId),
    /// Arrays that all threads share, and where the thread's part ends.
    Given { indices: ArrayId, values: ArrayId, end: Value },
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
            return self.fail(refusal::gap("an overwritten value is not kept"));
        };
        let indices = self.indices(id);
        let at = self.flat_in(*array, &indices);
        self.b.store(Mem::Array(*array), at, *leaf, old);
    }

    /// A store that writes the old value down.
    pub(super) fn store_logging(&mut self, id: OpId) {
        let Op::Store { mem: Mem::Array(array), leaf, value, .. } = self.op(id) else { return };
        let Some(log) = self.logs.get(&(*array, *leaf)).copied() else {
            return self.fail(refusal::gap("an overwritten value has no log"));
        };
        let indices = self.indices(id);
        let at = self.flat_in(*array, &indices);
        let value = self.get(*value);
        let old = self.b.load(Mem::Array(*array), at, *leaf);
        let height = self.height((*array, *leaf));
        self.write_entry(log, height, &indices, old);
        let one = self.b.u64(1);
        let higher = self.b.add(height, one);
        self.set_height(log, higher);
        self.b.store(Mem::Array(*array), at, *leaf, value);
    }

    fn write_entry(&mut self, log: Log, at: Value, indices: &[Value], old: Value) {
        match log.entries {
            Entries::Own(local) => {
                let mem = Mem::Local(local);
                self.inside(mem, 0, at);
                for (dim, &index) in indices.iter().enumerate() {
                    self.b.store(mem, at, dim as u16, index);
                }
                self.b.store(mem, at, indices.len() as u16, old);
            }
            Entries::Given { indices: places, values, end } => {
                self.has_room(at, end);
                for (dim, &index) in indices.iter().enumerate() {
                    let place = self.place_of_index(places, at, indices.len(), dim);
                    self.b.store(Mem::Array(places), place, 0, index);
                }
                self.inside(Mem::Array(values), 0, at);
                self.b.store(Mem::Array(values), at, 0, old);
            }
        }
    }

    /// The indices and the old value of an entry.
    fn read_entry(&mut self, log: Log, at: Value, rank: usize) -> (Vec<Value>, Value) {
        match log.entries {
            Entries::Own(local) => {
                let mem = Mem::Local(local);
                self.inside(mem, 0, at);
                let indices = (0..rank).map(|dim| self.b.load(mem, at, dim as u16)).collect();
                (indices, self.b.load(mem, at, rank as u16))
            }
            Entries::Given { indices, values, .. } => {
                let mut found = vec![];
                for dim in 0..rank {
                    let place = self.place_of_index(indices, at, rank, dim);
                    found.push(self.b.load(Mem::Array(indices), place, 0));
                }
                self.inside(Mem::Array(values), 0, at);
                (found, self.b.load(Mem::Array(values), at, 0))
            }
        }
    }

    fn place_of_index(&mut self, indices: ArrayId, at: Value, rank: usize, dim: usize) -> Value {
        let mut place = at;
        if rank > 1 {
            let (width, dim) = (self.b.u64(rank as u64), self.b.u64(dim as u64));
            let row = self.b.mul(at, width);
            place = self.b.add(row, dim);
        }
        self.inside(Mem::Array(indices), 0, place);
        place
    }

    /// Stops a thread whose part is full: the counts are those of another launch.
    fn has_room(&mut self, at: Value, end: Value) {
        let text = "the reverse of a launch overwrites more in its loops than the launch itself did; this is a mistake of \
                    the compiler, please report it with the kernel";
        let room = self.b.lt(at, end);
        let message = vec![PrintPiece::Text(text.into())];
        self.b.check(room, CheckKind::Assert { message }, &[], self.source);
    }

    /// Makes the log of a leaf: in the thread's memory where it is short for certain, else in arrays.
    pub(super) fn make_log(&mut self, logged: &Logged, counts: Option<(u32, ArrayId)>) -> Option<LogArrays> {
        let array = self.tree.function.arrays[logged.of.0.0 as usize].clone();
        let scalar = array.leaves[logged.of.1 as usize];
        let height = self.b.local(&format!("{} overwritten height", array.name), &[Scalar::U64], 1);
        self.zeroed.push(height);
        let Some((number, counts)) = counts else {
            let mut leaves = vec![Scalar::U64; array.rank as usize];
            leaves.push(scalar);
            let count = logged.most.unwrap_or(1).max(1) as u32;
            let local = self.b.local(&format!("{} overwritten", array.name), &leaves, count);
            self.zeroed.push(local);
            self.logs.insert(logged.of, Log { entries: Entries::Own(local), height });
            return None;
        };
        let name = |what: &str| format!("{} overwritten {what}", array.name);
        let rank = self.rank;
        let starts = self.b.array(record(name("from"), Scalar::U64, rank, Access::Read));
        let indices = self.b.array(record(name("at"), Scalar::U64, 1, Access::Write));
        let values = self.b.array(record(name("values"), scalar, 1, Access::Write));
        let at = own_place(&mut self.b, starts, rank, self.source);
        let start = self.b.load(Mem::Array(starts), at, 0);
        let at = own_place(&mut self.b, counts, rank, self.source);
        let count = self.b.load(Mem::Array(counts), at, 0);
        let count = self.b.cast(Scalar::U64, count);
        let end = self.b.add(start, count);
        let log = Log { entries: Entries::Given { indices, values, end }, height };
        self.set_height(log, start);
        self.logs.insert(logged.of, log);
        Some(LogArrays { counts: number, of: logged.of, starts, indices, values, source: logged.source })
    }

    /// Where the next entry of a log goes.
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

    /// Takes stores back, the last first, until the next entry would go to `target`.
    pub(super) fn take_back_to(&mut self, leaf: (ArrayId, u16), target: Value) {
        let Some(log) = self.logs.get(&leaf).copied() else { return };
        let rank = self.tree.function.arrays[leaf.0.0 as usize].rank as usize;
        let top = self.height(leaf);
        let params = self.b.open(&[Scalar::U64]);
        let go = self.b.lt(target, params[0]);
        let cond = self.b.close(&[go]);
        let params = self.b.open(&[Scalar::U64]);
        let one = self.b.u64(1);
        let last = self.b.sub(params[0], one);
        let (indices, old) = self.read_entry(log, last, rank);
        let at = self.flat_in(leaf.0, &indices);
        self.b.store(Mem::Array(leaf.0), at, leaf.1, old);
        let body = self.b.close(&[last]);
        self.b.push_loop(&[top], cond, body);
        self.set_height(log, target);
    }
}
