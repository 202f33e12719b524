//! Random launches of a kernel: small, mostly covering the arrays, sometimes not.

use super::bits::bits;
use super::rng::Rng;
use crate::evaluate::{Array, Inputs, Layout};
use crate::ir::{ArrayParam, Kernel, Op, Region, Scalar, Storage};

/// Something to launch a kernel on: dimensions, arguments and arrays with layouts as Rust might choose them.
pub fn inputs(kernel: &Kernel, seed: u64) -> Inputs {
    let mut rng = Rng::new(seed ^ 0x5eed_0f1a);
    let function = &kernel.function;
    let most = [24, 6, 3, 2][kernel.rank.clamp(1, 4) as usize - 1];
    let dims: Vec<u64> = (0..kernel.rank).map(|_| rng.range(1, most)).collect();
    let scalars = function.params.iter().map(|p| bits(&mut rng, function.scalar(p.value))).collect();
    let mut slot_types = vec![Scalar::U8; function.slots as usize];
    find_slots(kernel, &function.body, &mut slot_types);
    let slots = slot_types.into_iter().map(|scalar| bits(&mut rng, scalar)).collect();
    let arrays = function.arrays.iter().map(|param| array(&mut rng, param, &dims)).collect();
    Inputs { dims, scalars, slots, arrays }
}

fn find_slots(kernel: &Kernel, region: &Region, types: &mut [Scalar]) {
    for op in &region.ops {
        if let Op::Slot { slot, result } = op {
            types[*slot as usize] = kernel.function.scalar(*result);
        }
        op.shape().regions.into_iter().for_each(|nested| find_slots(kernel, nested, types));
    }
}

fn array(rng: &mut Rng, param: &ArrayParam, dims: &[u64]) -> Array {
    let covers = param.rank as usize == dims.len() && rng.chance(85);
    let extents: Vec<u64> = (0..param.rank as usize)
        .map(|dim| match covers {
            true => dims[dim] + if rng.chance(30) { rng.below(3) } else { 0 },
            false if rng.chance(4) => 0,
            false => rng.range(1, 9),
        })
        .collect();
    let layout = if param.storage == Storage::Planes { Layout::default() } else { layout(rng, &param.leaves) };
    let strides = if param.strided { strides(rng, &extents) } else { vec![] };
    let elements = elements(&extents, &strides);
    let mut array = Array { start: 0, extents, strides, layout, buffers: vec![] };
    let sizes: Vec<usize> = match param.storage {
        Storage::Planes => param.leaves.iter().map(|l| l.size() * elements as usize).collect(),
        Storage::Elements => vec![array.layout.size * elements as usize],
    };
    array.buffers = sizes.into_iter().map(|size| (0..size).map(|_| rng.bits() as u8).collect()).collect();
    for index in 0..elements {
        for (leaf, &scalar) in param.leaves.iter().enumerate() {
            // Each index is inside, by the sizes above.
            let _ = array.set(param, index, leaf as u16, bits(rng, scalar));
        }
    }
    array
}

/// Offsets in declaration order or shuffled, with room between and after.
fn layout(rng: &mut Rng, leaves: &[Scalar]) -> Layout {
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    if rng.chance(40) {
        order.reverse();
    }
    let mut offsets = vec![0; leaves.len()];
    let (mut at, mut align) = (0usize, 1);
    for leaf in order {
        let size = leaves[leaf].size();
        align = align.max(size);
        at = at.next_multiple_of(size);
        offsets[leaf] = at;
        at += size;
    }
    if rng.chance(20) {
        at += align;
    }
    Layout { size: at.next_multiple_of(align), offsets }
}

/// Row-major, transposed or padded; elements never overlap.
fn strides(rng: &mut Rng, extents: &[u64]) -> Vec<u64> {
    let mut order: Vec<usize> = (0..extents.len()).rev().collect();
    if rng.chance(40) {
        order.reverse();
    }
    let mut strides = vec![0; extents.len()];
    let mut next = if rng.chance(20) { 2 } else { 1 };
    for dim in order {
        strides[dim] = next;
        next *= extents[dim].max(1);
        if rng.chance(20) {
            next += 1;
        }
    }
    strides
}

/// One more than the largest flat index.
fn elements(extents: &[u64], strides: &[u64]) -> u64 {
    if extents.contains(&0) {
        return 0;
    }
    match strides {
        [] => extents.iter().product(),
        _ => extents.iter().zip(strides).map(|(e, s)| (e - 1) * s).sum::<u64>() + 1,
    }
}
