//! Whether an adjoint takes the arguments that the head of [the module](super) lists, and nothing else: launches give
//! them by position.

use super::scalars::CELL;
use super::tree::carries;
use super::{Adjoint, ArrayNeed, LogArrays, Recording};
use crate::ir::*;

/// Says what does not fit.
pub(super) fn fits(adjoint: &Adjoint, primal: &Kernel) -> Result<(), String> {
    let Adjoint { kernel, arrays: needs, scalars, overlaps, detached, recording, logs, unguarded: _ } = adjoint;
    same_call(kernel, primal)?;
    let mut taken = Taken { arrays: &kernel.function.arrays, next: 0 };
    primal_arrays(&mut taken, needs, kernel, primal)?;
    gradients(&mut taken, needs, primal)?;
    for of in scalars {
        let param = primal.function.params.get(of.param as usize).ok_or("a scalar is missing")?;
        let scalar = primal.function.scalar(param.value);
        if !carries(scalar) {
            return Err(format!("`{}` has no gradient", param.name));
        }
        taken.list(of.gradient, CELL, 1, Access::Write)?;
    }
    if let Some(recording) = recording {
        records(&mut taken, recording, primal)?;
    }
    for log in logs {
        of_log(&mut taken, log, recording.as_ref(), primal)?;
    }
    if taken.next != taken.arrays.len() {
        return Err("it takes further arrays".into());
    }
    let refusals = overlaps.iter().map(|o| &o.refusal).chain(detached.iter().map(|d| &d.refusal));
    let places = refusals.map(|refusal| refusal.source).chain(logs.iter().map(|l| l.source)).flatten();
    let missing = |at: SourceId| at.0 as usize >= primal.function.sources.len();
    if places.into_iter().any(missing) {
        return Err("a place is missing".into());
    }
    if detached.iter().any(|of| of.array.0 as usize >= needs.len()) {
        return Err("an array without a gradient is missing".into());
    }
    overlaps.iter().try_for_each(|overlap| overlap.fits(primal))
}

/// Whether a kernel is launched with the scalars and constants of the primal.
fn same_call(kernel: &Kernel, primal: &Kernel) -> Result<(), String> {
    let scalars = |f: &Function| -> Vec<Scalar> { f.params.iter().map(|p| f.scalar(p.value)).collect() };
    let (own, of) = (&kernel.function, &primal.function);
    match kernel.rank == primal.rank && scalars(own) == scalars(of) && own.slots <= of.slots {
        true => Ok(()),
        false => Err("its launch, scalars or constants differ".into()),
    }
}

/// The arrays that an adjoint takes, and how many have been accounted for.
struct Taken<'a> {
    arrays: &'a [ArrayParam],
    next: usize,
}

impl<'a> Taken<'a> {
    fn next(&mut self) -> Result<&'a ArrayParam, String> {
        self.next += 1;
        self.arrays.get(self.next - 1).ok_or_else(|| "it takes too few arrays".into())
    }

    /// The next array, which has to be at `id`.
    fn at(&mut self, id: ArrayId) -> Result<&'a ArrayParam, String> {
        match id.0 as usize == self.next {
            true => self.next(),
            false => Err(format!("array {} is not where it belongs", id.0)),
        }
    }

    /// The next array, of one scalar an element.
    fn list(&mut self, id: ArrayId, scalar: Scalar, rank: u8, access: Access) -> Result<(), String> {
        let array = self.at(id)?;
        match is_list(array, scalar, rank, access) {
            true => Ok(()),
            false => Err(format!("`{}` is another array", array.name)),
        }
    }
}

fn is_list(array: &ArrayParam, scalar: Scalar, rank: u8, access: Access) -> bool {
    let plain = !array.strided && array.storage == Storage::Elements;
    plain && array.leaves == [scalar] && array.rank == rank && array.access == access
}

fn primal_arrays(taken: &mut Taken<'_>, needs: &[ArrayNeed], kernel: &Kernel, primal: &Kernel) -> Result<(), String> {
    let of = &primal.function;
    if needs.len() != of.arrays.len() {
        return Err("the numbers of arrays differ".into());
    }
    let read = loaded(&kernel.function);
    let written = stored(of);
    for (k, (need, array)) in needs.iter().zip(&of.arrays).enumerate() {
        let same = taken.next()?;
        if !alike(same, array) || (same.access == Access::Write) != need.scratch {
            return Err(format!("`{}` is another array there", array.name));
        }
        if read[k] && !need.contents && !need.after {
            return Err(format!("it reads `{}` without saying so", array.name));
        }
        // What it takes back it has to be given, or it would write what is the user's.
        if need.scratch && !need.contents {
            return Err(format!("it writes `{}` without asking for a copy", array.name));
        }
        if need.written != written[k] {
            return Err(format!("it errs about who writes `{}`", array.name));
        }
        if need.after && (need.contents || need.scratch) {
            return Err(format!("it wants two versions of `{}`", array.name));
        }
    }
    Ok(())
}

fn gradients(taken: &mut Taken<'_>, needs: &[ArrayNeed], primal: &Kernel) -> Result<(), String> {
    for (need, array) in needs.iter().zip(&primal.function.arrays) {
        let floats = array.leaves.iter().any(|&leaf| carries(leaf));
        match need.gradient {
            Some(at) if floats && at.0 as usize == taken.next => {
                let gradient = taken.next()?;
                if !alike(gradient, array) || gradient.access != Access::Write {
                    return Err(format!("the gradient of `{}` is another array", array.name));
                }
            }
            None if !floats => {}
            _ => return Err(format!("the gradient of `{}` is not where it belongs", array.name)),
        }
    }
    Ok(())
}

/// What is written down, and read by the adjoint.
fn records(taken: &mut Taken<'_>, recording: &Recording, primal: &Kernel) -> Result<(), String> {
    let Recording { kernel, records } = recording;
    same_call(kernel, primal)?;
    let (own, of) = (&kernel.function.arrays, &primal.function.arrays);
    if own.len() != of.len() + records.len() || own[..of.len()].iter().zip(of).any(|(a, b)| !same_argument(a, b)) {
        return Err("the recording launch takes other arrays".into());
    }
    for (record, written) in records.iter().zip(&own[of.len()..]) {
        taken.list(record.array, record.scalar, primal.rank, Access::Read)?;
        if !is_list(written, record.scalar, primal.rank, Access::Write) {
            return Err(format!("the recording launch takes another `{}`", written.name));
        }
    }
    Ok(())
}

fn of_log(
    taken: &mut Taken<'_>,
    log: &LogArrays,
    recording: Option<&Recording>,
    primal: &Kernel,
) -> Result<(), String> {
    let counts = recording.and_then(|of| of.records.get(log.counts as usize));
    if counts.is_none_or(|counts| counts.scalar != Scalar::U32) {
        return Err("the counts of a log are missing".into());
    }
    let (array, leaf) = log.of;
    let array = primal.function.arrays.get(array.0 as usize).ok_or("the array of a log is missing")?;
    let leaf = *array.leaves.get(leaf as usize).ok_or("the leaf of a log is missing")?;
    taken.list(log.starts, Scalar::U64, primal.rank, Access::Read)?;
    taken.list(log.indices, Scalar::U64, 1, Access::Write)?;
    taken.list(log.values, leaf, 1, Access::Write)
}

/// Whether two arrays take the same argument but for writing.
fn alike(a: &ArrayParam, b: &ArrayParam) -> bool {
    a.leaves == b.leaves && a.rank == b.rank && a.strided == b.strided && a.storage == b.storage
}

fn same_argument(a: &ArrayParam, b: &ArrayParam) -> bool {
    alike(a, b) && a.access == b.access
}

/// Which arrays a function loads from.
fn loaded(function: &Function) -> Vec<bool> {
    met(function, |op| match op {
        Op::Load { mem: Mem::Array(a), .. } | Op::Atomic { mem: Mem::Array(a), .. } => Some(*a),
        _ => None,
    })
}

/// Which arrays a function writes to.
fn stored(function: &Function) -> Vec<bool> {
    met(function, |op| match op {
        Op::Store { mem: Mem::Array(a), .. } | Op::Atomic { mem: Mem::Array(a), .. } => Some(*a),
        _ => None,
    })
}

fn met(function: &Function, meets: impl Fn(&Op) -> Option<ArrayId>) -> Vec<bool> {
    fn walk(region: &Region, meets: &impl Fn(&Op) -> Option<ArrayId>, met: &mut [bool]) {
        for op in &region.ops {
            meets(op).into_iter().for_each(|a| met[a.0 as usize] = true);
            op.shape().regions.into_iter().for_each(|region| walk(region, meets, met));
        }
    }
    let mut met = vec![false; function.arrays.len()];
    walk(&function.body, &meets, &mut met);
    met
}
