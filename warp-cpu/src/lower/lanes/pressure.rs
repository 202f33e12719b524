//! How many groups are worth running side by side: as many as find room in the vector registers of the machine.
//!
//! A second group costs nothing where the first one waits for results, and saves its share of what is done once for a
//! bundle: counting, branches, the same values for all. Where its values have to be put aside it costs more than it saves.

use std::collections::HashSet;

use warp_ir::ir::{Kernel, Op, Region, Scalar, Value};
use warp_ir::uniformity::{Kind, Uniformity};

use super::own::fitting_groups;

/// Vector registers that the values of a bundle may take, as the kernel orders its ops: code generation orders them so that
/// fewer are needed.
const REGISTERS: usize = 20;
/// Groups of a bundle, at most.
pub(crate) const MOST_GROUPS: usize = 4;
/// Ops of a kernel of which more than two groups run side by side: each of them is made once for each group.
const LONGEST: usize = 256;

/// How many groups of a kernel are to run side by side.
pub(crate) fn groups(kernel: &Kernel) -> usize {
    let kinds = Uniformity::of(kernel);
    let mut live = Live { kernel, kinds: &kinds, values: HashSet::new(), now: 0, most: 0 };
    live.region(&kernel.function.body);
    let most = if kernel.function.values.len() > LONGEST { 2 } else { MOST_GROUPS };
    (REGISTERS / live.most.max(1)).min(fitting_groups(&kernel.function.locals)).clamp(1, most)
}

/// The values that are needed later, on the way through a kernel from its end.
struct Live<'k> {
    kernel: &'k Kernel,
    kinds: &'k Uniformity,
    values: HashSet<Value>,
    /// Registers that these take, here and at most so far.
    now: usize,
    most: usize,
}

impl Live<'_> {
    fn region(&mut self, region: &Region) {
        region.yields.iter().for_each(|value| self.need(*value));
        for op in region.ops.iter().rev() {
            let shape = op.shape();
            if let Op::Loop { .. } = op {
                // What a turn needs of the outside is needed in all turns.
                shape.regions.iter().for_each(|inner| self.need_from_outside(inner));
            }
            shape.results.iter().for_each(|value| self.done(*value));
            for inner in shape.regions {
                self.region(inner);
                inner.params.iter().for_each(|value| self.done(*value));
            }
            shape.operands.iter().for_each(|value| self.need(*value));
        }
    }

    fn need_from_outside(&mut self, region: &Region) {
        let (mut used, mut made) = (HashSet::new(), HashSet::new());
        note_uses(region, &mut used, &mut made);
        used.difference(&made).for_each(|value| self.need(*value));
    }

    fn need(&mut self, value: Value) {
        if self.values.insert(value) {
            self.now += self.registers(value);
            self.most = self.most.max(self.now);
        }
    }

    fn done(&mut self, value: Value) {
        if self.values.remove(&value) {
            self.now -= self.registers(value);
        }
    }

    /// Vector registers for a value of one group.
    fn registers(&self, value: Value) -> usize {
        match (self.kinds.kind(value), self.kernel.function.scalar(value)) {
            (Kind::Uniform | Kind::Linear(_), _) => 0,
            (Kind::Varying, Scalar::F64) => 2,
            (Kind::Varying, _) => 1,
        }
    }
}

/// Values that a region uses, and those that it makes.
pub(super) fn note_uses(region: &Region, used: &mut HashSet<Value>, made: &mut HashSet<Value>) {
    used.extend(&region.yields);
    made.extend(&region.params);
    for op in &region.ops {
        let shape = op.shape();
        used.extend(&shape.operands);
        made.extend(shape.results);
        shape.regions.into_iter().for_each(|inner| note_uses(inner, used, made));
    }
}
