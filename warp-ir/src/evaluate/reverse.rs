//! A launch and its reverse, as every runtime has to carry them out.

use super::{Array, Inputs, Layout, Outcome, Trouble, run};
use crate::differentiate::{Adjoint, Given, LogArrays};
use crate::ir::{ArrayId, ArrayParam, Kernel, Scalar, Storage};
use crate::validate::Valid;

/// What a launch and its reverse left.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reversed {
    /// What the launch did; where a thread failed, nothing was reversed.
    pub forward: Outcome,
    /// What its reverse did.
    pub backward: Outcome,
    /// The gradient of each array that has one.
    pub gradients: Vec<Option<Array>>,
    /// The bits of the gradient of each of [`Adjoint::scalars`].
    pub scalars: Vec<u64>,
    /// The arrays of the primal that the reverse was given, as it left them; none for those whose contents it does not
    /// ask for.
    pub contents: Vec<Option<Array>>,
    /// Entries of all logs together.
    pub logged: u64,
}

/// Runs a kernel, which changes the arrays of `inputs`, and then its adjoint with these gradients of what it left, each
/// in at most `steps` ops.
pub fn reverse(
    primal: &Valid<Kernel>,
    adjoint: &Adjoint,
    inputs: &mut Inputs,
    seeds: &[Option<Array>],
    steps: u64,
) -> Result<Reversed, Trouble> {
    let (forward, mut launch, logged) = way_back(primal, adjoint, inputs, seeds, steps)?;
    let mut reversed = Reversed { forward, gradients: seeds.to_vec(), logged, ..Reversed::default() };
    if reversed.forward.faults > 0 {
        return Ok(reversed);
    }
    reversed.backward = run(&adjoint.kernel, &mut launch, steps)?;
    let params = &adjoint.kernel.function.arrays;
    let got = |at: usize| launch.arrays[at].clone();
    reversed.gradients = adjoint.arrays.iter().map(|need| need.gradient.map(|g| got(g.0 as usize))).collect();
    reversed.contents =
        adjoint.arrays.iter().enumerate().map(|(k, need)| (need.contents || need.after).then(|| got(k))).collect();
    let cell = |at: usize| launch.arrays[at].get(&params[at], 0, 0).unwrap_or(0);
    reversed.scalars = adjoint.scalars.iter().map(|s| cell(s.gradient.0 as usize)).collect();
    Ok(reversed)
}

/// Runs a kernel, and gives what its adjoint is to be launched with, and how many entries its logs have together.
pub fn way_back(
    primal: &Valid<Kernel>,
    adjoint: &Adjoint,
    inputs: &mut Inputs,
    seeds: &[Option<Array>],
    steps: u64,
) -> Result<(Outcome, Inputs, u64), Trouble> {
    let extent = |array: ArrayId, dim: u8| inputs.arrays[array.0 as usize].extents[dim as usize];
    let given = Given { dims: &inputs.dims, scalars: &inputs.scalars, slots: &inputs.slots, extent: &extent };
    if let Some(overlap) = adjoint.overlap(&given) {
        return Err(Trouble::Inputs(overlap.refusal.message.clone()));
    }
    if let Some(detached) = adjoint.detached.first() {
        return Err(Trouble::Inputs(detached.refusal.message.clone()));
    }
    let before = inputs.arrays.clone();
    let records = match &adjoint.recording {
        Some(recording) => recording.records.iter().map(|r| blank(r.scalar, &inputs.dims)).collect(),
        None => vec![],
    };
    inputs.arrays.extend(records);
    let outcome = run(adjoint.recording.as_ref().map_or(primal, |r| &r.kernel), inputs, steps)?;
    let records = inputs.arrays.split_off(before.len());

    let mut arrays = vec![];
    for (need, (before, after)) in adjoint.arrays.iter().zip(before.into_iter().zip(&inputs.arrays)) {
        arrays.push(match (need.contents, need.after) {
            (true, _) => before,
            (false, true) => after.clone(),
            (false, false) => spoiled(before),
        });
    }
    for (need, seed) in adjoint.arrays.iter().zip(seeds) {
        if need.gradient.is_some() {
            arrays.push(seed.clone().ok_or(Trouble::Inputs("a gradient is missing".into()))?);
        }
    }
    let params = &adjoint.kernel.function.arrays;
    arrays.extend(adjoint.scalars.iter().map(|s| blank(params[s.gradient.0 as usize].leaves[0], &[1])));
    arrays.extend(records.iter().cloned());
    let mut logged = 0;
    for log in &adjoint.logs {
        let (starts, total) = starts(&records[log.counts as usize], &inputs.dims);
        logged += total;
        arrays.push(starts);
        arrays.extend(entries(params, log, total));
    }
    Ok((outcome, Inputs { arrays, ..inputs.clone() }, logged))
}

/// Contents that nobody may read.
fn spoiled(mut array: Array) -> Array {
    array.buffers.iter_mut().for_each(|buffer| buffer.fill(0xff));
    array
}

/// An array of single scalars, all zero.
fn blank(scalar: Scalar, extents: &[u64]) -> Array {
    let size = scalar.size();
    let count: u64 = extents.iter().product();
    let layout = Layout { size, offsets: vec![0] };
    Array { buffers: vec![vec![0; size * count as usize]], start: 0, extents: extents.into(), strides: vec![], layout }
}

/// The sums of counts before each thread, and of all of them.
fn starts(counts: &Array, dims: &[u64]) -> (Array, u64) {
    let param = |leaf| ArrayParam {
        name: String::new(),
        leaves: vec![leaf],
        rank: dims.len() as u8,
        strided: false,
        access: crate::ir::Access::Read,
        storage: Storage::Elements,
    };
    let mut starts = blank(Scalar::U64, dims);
    let mut total = 0;
    for thread in 0..dims.iter().product() {
        let _ = starts.set(&param(Scalar::U64), thread, 0, total);
        total += counts.get(&param(Scalar::U32), thread, 0).unwrap_or(0);
    }
    (starts, total)
}

fn entries(params: &[ArrayParam], log: &LogArrays, total: u64) -> [Array; 2] {
    let width = u64::from(params[log.of.0.0 as usize].rank);
    let scalar = params[log.values.0 as usize].leaves[0];
    [blank(Scalar::U64, &[total * width]), blank(scalar, &[total])]
}
