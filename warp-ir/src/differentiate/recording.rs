//! The primal once more, writing down what its reverse cannot compute again: what atomics returned, and how many elements
//! a thread overwrites in loops.

use super::copy::Copying;
use super::emit::Emit;
use super::logs::{Logged, logged};
use super::sources::Sources;
use super::tree::{OpId, Tree};
use super::{LogArrays, Record, Recording, Refusal, place};
use crate::builder::Builder;
use crate::ir::*;
use crate::validate::Valid;

impl Emit<'_, '_> {
    /// Makes the arrays that the recorded launch writes, and the logs, short ones of which need none.
    pub(super) fn make_records(&mut self, kernel: &Kernel) -> Result<(Option<Recording>, Vec<LogArrays>), Refusal> {
        let mut records = vec![];
        for &op in &self.needs.returned {
            let of = record_of_atomic(self.tree, op, self.rank, Access::Read);
            let scalar = of.leaves[0];
            let array = self.b.array(of);
            self.returned.insert(op, array);
            records.push(Record { scalar, array });
        }
        let own = u64::from(self.options.undo_entries);
        let all = logged(self.tree, self.needs);
        let (short, long): (Vec<Logged>, Vec<Logged>) =
            all.into_iter().partition(|log| log.most.is_some_and(|most| most <= own));
        for log in &short {
            self.make_log(log, None);
        }
        let mut counts = vec![];
        for log in &long {
            let array = self.b.array(record_of_log(self.tree, log, self.rank, Access::Read));
            counts.push((records.len() as u32, array));
            records.push(Record { scalar: Scalar::U32, array });
        }
        let logs = long.iter().zip(counts).filter_map(|(log, counts)| self.make_log(log, Some(counts))).collect();
        if records.is_empty() {
            return Ok((None, logs));
        }
        let returned: Vec<OpId> = self.needs.returned.iter().copied().collect();
        let kernel = recording(kernel, self.tree, &returned, &long)?;
        Ok((Some(Recording { kernel, records }), logs))
    }
}

/// The recording kernel: the arrays behind the primal's are first one for each atomic of `returned`, then one for each
/// log.
fn recording(kernel: &Kernel, tree: &Tree<'_>, returned: &[OpId], logs: &[Logged]) -> Result<Valid<Kernel>, Refusal> {
    let primal = tree.function;
    let mut b = Builder::new(&primal.name);
    let mut names = vec![None; primal.values.len()];
    for param in &primal.params {
        names[param.value.0 as usize] = Some(b.param(&param.name, primal.scalar(param.value)));
    }
    for array in &primal.arrays {
        b.array(array.clone());
    }
    let of_atomics: Vec<(OpId, ArrayId)> =
        returned.iter().map(|&op| (op, b.array(record_of_atomic(tree, op, kernel.rank, Access::Write)))).collect();
    let of_logs: Vec<ArrayId> =
        logs.iter().map(|log| b.array(record_of_log(tree, log, kernel.rank, Access::Write))).collect();
    for local in &primal.locals {
        b.local(&local.name, &local.leaves, local.len);
    }
    let counters: Vec<LocalId> = logs.iter().map(|_| b.local("count", &[Scalar::U32], 1)).collect();
    for (scalar, bits) in &primal.tables {
        b.table(*scalar, bits.clone());
    }
    for site in &primal.prints {
        b.print_site(site.clone());
    }
    b.slots(primal.slots);
    let sources = Sources::new(&mut b, primal);
    let source = b.source(primal.sources.first().cloned().unwrap_or_default());

    let mut copy = Copy { tree, b, names, sources, source, rank: kernel.rank, of_atomics, logs, counters };
    let zero = copy.b.zero(Scalar::U32);
    copy.counters.clone().into_iter().for_each(|counter| copy.b.fill(counter, 0, zero));
    copy.copy_ops(&tree.top());
    for (counter, record) in copy.counters.clone().into_iter().zip(of_logs) {
        let first = copy.b.u64(0);
        let count = copy.b.load(Mem::Local(counter), first, 0);
        copy.write(record, count);
    }
    let function = copy.b.finish(&[]);
    super::finish(kernel, function, crate::passes::tidy)
}

/// The array for what an atomic returned.
fn record_of_atomic(tree: &Tree<'_>, op: OpId, rank: u8, access: Access) -> ArrayParam {
    let Op::Atomic { mem: Mem::Array(array), result, .. } = tree.ops[op].op else { unreachable!("no atomic") };
    let name = format!("{} before", tree.function.arrays[array.0 as usize].name);
    record(name, tree.function.scalar(*result), rank, access)
}

/// The array for the number of entries of a log.
fn record_of_log(tree: &Tree<'_>, log: &Logged, rank: u8, access: Access) -> ArrayParam {
    let name = format!("{} overwritten count", tree.function.arrays[log.of.0.0 as usize].name);
    record(name, Scalar::U32, rank, access)
}

/// An array with an element for each thread.
pub(super) fn record(name: String, scalar: Scalar, rank: u8, access: Access) -> ArrayParam {
    ArrayParam { name, leaves: vec![scalar], rank, strided: false, access, storage: Storage::Elements }
}

/// The thread's place in an array with an element for each thread.
pub(super) fn own_place(b: &mut Builder, array: ArrayId, rank: u8, source: SourceId) -> Value {
    let coordinates: Vec<Value> = (0..rank).map(|dim| b.tid(dim)).collect();
    place::flat(b, array, &coordinates, source)
}

struct Copy<'a, 'k> {
    tree: &'a Tree<'k>,
    b: Builder,
    names: Vec<Option<Value>>,
    sources: Sources,
    source: SourceId,
    rank: u8,
    of_atomics: Vec<(OpId, ArrayId)>,
    logs: &'a [Logged],
    counters: Vec<LocalId>,
}

impl<'k> Copying<'k> for Copy<'_, 'k> {
    fn tree(&self) -> &Tree<'k> {
        self.tree
    }

    fn builder(&mut self) -> &mut Builder {
        &mut self.b
    }

    fn get(&self, value: Value) -> Value {
        self.names[value.0 as usize].unwrap_or(value)
    }

    fn name(&mut self, value: Value, to: Value) {
        self.names[value.0 as usize] = Some(to);
    }

    /// An op without regions, and what is to be written down of it.
    fn plain(&mut self, id: OpId, op: &Op) {
        self.sources.at(&mut self.b, self.tree.function, op);
        let mut copy = op.clone();
        copy.map_operands(|v| *v = self.names[v.0 as usize].unwrap_or(*v));
        for &result in op.shape().results {
            self.names[result.0 as usize] = Some(self.b.value(self.tree.function.scalar(result)));
        }
        copy.map_results(|r| *r = self.names[r.0 as usize].unwrap_or(*r));
        self.sources.rename(&mut copy);
        self.b.push(copy);
        if let Some(&(_, record)) = self.of_atomics.iter().find(|(atomic, _)| *atomic == id) {
            let returned = self.get(op.shape().results[0]);
            self.write(record, returned);
        }
        if let Some(at) = self.logs.iter().position(|log| log.stores.contains(&id)) {
            self.count(self.counters[at]);
        }
    }
}

impl Copy<'_, '_> {
    fn write(&mut self, record: ArrayId, value: Value) {
        let at = own_place(&mut self.b, record, self.rank, self.source);
        self.b.store(Mem::Array(record), at, 0, value);
    }

    fn count(&mut self, counter: LocalId) {
        let (mem, first) = (Mem::Local(counter), self.b.u64(0));
        let before = self.b.load(mem, first, 0);
        let one = self.b.const_(Scalar::U32, 1);
        let after = self.b.add(before, one);
        self.b.store(mem, first, 0, after);
    }
}
