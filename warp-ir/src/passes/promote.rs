//! Promotion: local arrays whose elements are only named by constants become values.

use super::constants::constants_of;
use super::replace::Replacements;
use crate::ir::*;
use crate::planted::{self, Bug};

/// Scalars that a promoted array may have: each is a value carried through every branch that writes it.
const SCALARS: usize = 256;

/// Promotes local arrays; tells whether any was.
pub(super) fn promote(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let constants = constants_of(&body, function.values.len());
    let mut chosen: Vec<bool> = function.locals.iter().map(|l| l.len as usize * l.leaves.len() <= SCALARS).collect();
    let mut used = vec![false; chosen.len()];
    exclude(&body, &constants, &mut chosen, &mut used);
    chosen.iter_mut().zip(used).for_each(|(chosen, used)| *chosen &= used);
    let changed = chosen.contains(&true);
    if changed {
        let cells = Cells::new(function, chosen, constants);
        let mut current = vec![None; cells.scalars.len()];
        let to = Replacements::new(function.values.len());
        Promote { function, cells, to }.region(&mut body, &mut current);
    }
    function.body = body;
    changed
}

/// Excludes arrays with indices that are not constants, or with atomics.
fn exclude(region: &Region, constants: &[Option<u64>], chosen: &mut [bool], used: &mut [bool]) {
    for op in &region.ops {
        match op {
            Op::Load { mem: Mem::Local(local), index, .. } | Op::Store { mem: Mem::Local(local), index, .. } => {
                used[local.0 as usize] = true;
                chosen[local.0 as usize] &= constants[index.0 as usize].is_some();
            }
            Op::Atomic { mem: Mem::Local(local), .. } => chosen[local.0 as usize] = false,
            Op::Custom { gradient, .. } => {
                let mut own = vec![false; chosen.len()];
                exclude(gradient, constants, &mut vec![true; chosen.len()], &mut own);
                chosen.iter_mut().zip(own).for_each(|(chosen, own)| *chosen &= !own);
                continue;
            }
            Op::Call { arrays, .. } => {
                for array in arrays {
                    if let Mem::Local(local) = array.mem {
                        chosen[local.0 as usize] = false;
                    }
                }
            }
            _ => {}
        }
        op.shape().regions.into_iter().for_each(|r| exclude(r, constants, chosen, used));
    }
}

/// The promoted scalars: one cell for each leaf of each element.
struct Cells {
    /// First cell of each promoted array.
    first: Vec<Option<usize>>,
    /// Leaves of an element and number of elements of each array.
    sizes: Vec<(usize, usize)>,
    scalars: Vec<Scalar>,
    constants: Vec<Option<u64>>,
}

impl Cells {
    fn new(function: &Function, chosen: Vec<bool>, constants: Vec<Option<u64>>) -> Cells {
        let mut cells = Cells { first: vec![], sizes: vec![], scalars: vec![], constants };
        for (local, chosen) in function.locals.iter().zip(chosen) {
            cells.first.push(chosen.then_some(cells.scalars.len()));
            cells.sizes.push((local.leaves.len(), local.len as usize));
            if chosen {
                (0..local.len).for_each(|_| cells.scalars.extend(&local.leaves));
            }
        }
        cells
    }

    /// The cell of an element; `Some(None)` when the index is out of range, which some check before it has stopped.
    fn at(&self, mem: Mem, index: Value, leaf: u16) -> Option<Option<usize>> {
        let Mem::Local(LocalId(local)) = mem else { return None };
        let first = self.first[local as usize]?;
        let (leaves, len) = self.sizes[local as usize];
        let index = self.constants[index.0 as usize]?;
        Some((index < len as u64).then(|| first + index as usize * leaves + leaf as usize))
    }

    /// The cells of one leaf of all elements.
    fn all(&self, local: LocalId, leaf: u16) -> Option<impl Iterator<Item = usize> + use<>> {
        let first = self.first[local.0 as usize]?;
        let (leaves, len) = self.sizes[local.0 as usize];
        Some((0..len).map(move |k| first + k * leaves + leaf as usize))
    }

    /// The cells that a region writes.
    fn written(&self, region: &Region, cells: &mut Vec<usize>) {
        for op in &region.ops {
            match op {
                Op::Store { mem, index, leaf, .. } => cells.extend(self.at(*mem, *index, *leaf).flatten()),
                Op::Fill { local, leaf, .. } => cells.extend(self.all(*local, *leaf).into_iter().flatten()),
                Op::If { then, otherwise, .. } => {
                    self.written(then, cells);
                    self.written(otherwise, cells);
                }
                Op::Loop { body, .. } => self.written(body, cells),
                _ => {}
            }
        }
        cells.sort_unstable();
        cells.dedup();
    }
}

struct Promote<'f> {
    function: &'f mut Function,
    cells: Cells,
    to: Replacements,
}

/// The value of each cell, where it has one.
type Current = Vec<Option<Value>>;

impl Promote<'_> {
    fn region(&mut self, region: &mut Region, current: &mut Current) {
        let ops = std::mem::take(&mut region.ops);
        region.ops.reserve(ops.len());
        for mut op in ops {
            self.to.operands(&mut op);
            self.op(op, current, &mut region.ops);
        }
        self.to.all(&mut region.yields);
    }

    fn op(&mut self, op: Op, current: &mut Current, out: &mut Vec<Op>) {
        match op {
            Op::Load { mem, index, leaf, result } => match self.cells.at(mem, index, leaf) {
                Some(Some(cell)) => {
                    let value = self.value(cell, current, out);
                    self.to.set(result, value);
                }
                Some(None) => out.push(Op::Const { bits: 0, result }),
                None => out.push(op),
            },
            Op::Store { mem, index, leaf, value } => match self.cells.at(mem, index, leaf) {
                Some(Some(cell)) => current[cell] = Some(value),
                Some(None) => {}
                None => out.push(op),
            },
            Op::Fill { local, leaf, value } => match self.cells.all(local, leaf) {
                Some(cells) => cells.for_each(|cell| current[cell] = Some(value)),
                None => out.push(op),
            },
            Op::If { cond, then, otherwise, results } => self.branch(cond, [then, otherwise], results, current, out),
            Op::Loop { .. } => self.repeat(op, current, out),
            _ => out.push(op),
        }
    }

    /// The value of a cell. One without contents is zero: nothing reads it before it is written.
    fn value(&mut self, cell: usize, current: &Current, out: &mut Vec<Op>) -> Value {
        current[cell].unwrap_or_else(|| {
            let result = self.function.value(self.cells.scalars[cell]);
            out.push(Op::Const { bits: 0, result });
            result
        })
    }

    /// Cells that an arm writes leave the `If` as results.
    fn branch(
        &mut self,
        cond: Value,
        mut arms: [Region; 2],
        mut results: Vec<Value>,
        current: &mut Current,
        out: &mut Vec<Op>,
    ) {
        let mut written = vec![];
        arms.iter().for_each(|arm| self.cells.written(arm, &mut written));
        for arm in &mut arms {
            let mut inside = current.clone();
            self.region(arm, &mut inside);
            for &cell in &written {
                let value = self.value(cell, &inside, &mut arm.ops);
                arm.yields.push(value);
            }
        }
        for &cell in &written {
            let result = self.function.value(self.cells.scalars[cell]);
            results.push(result);
            if !planted::is(Bug::PromoteForgetsStore) {
                current[cell] = Some(result);
            }
        }
        let [then, otherwise] = arms;
        out.push(Op::If { cond, then, otherwise, results });
    }

    /// Cells that the body writes are carried.
    fn repeat(&mut self, op: Op, current: &mut Current, out: &mut Vec<Op>) {
        let Op::Loop { mut inits, mut cond, mut body, mut results } = op else { return };
        let mut written = vec![];
        self.cells.written(&body, &mut written);
        let mut inside = current.clone();
        for &cell in &written {
            inits.push(self.value(cell, current, out));
            let scalar = self.cells.scalars[cell];
            cond.params.push(self.function.value(scalar));
            let carried = self.function.value(scalar);
            body.params.push(carried);
            inside[cell] = Some(carried);
        }
        let mut unread = inside.clone();
        self.region(&mut cond, &mut unread);
        self.region(&mut body, &mut inside);
        for &cell in &written {
            let value = self.value(cell, &inside, &mut body.ops);
            body.yields.push(value);
            let result = self.function.value(self.cells.scalars[cell]);
            results.push(result);
            current[cell] = Some(result);
        }
        out.push(Op::Loop { inits, cond, body, results });
    }
}
