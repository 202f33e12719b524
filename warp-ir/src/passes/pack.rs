//! Packing: strides of 1 where neighbours lie side by side.

use crate::ir::{ArrayId, Function, Op, Region};

/// Takes the stride of the last dimension of every strided array to be 1. Gives the arrays of which that must be true.
pub(super) fn pack_strides(function: &mut Function) -> Vec<ArrayId> {
    let last: Vec<Option<u8>> = function.arrays.iter().map(|a| a.strided.then(|| a.rank - 1)).collect();
    let mut packed = Vec::new();
    pack_region(&mut function.body, &last, &mut packed);
    packed.sort_unstable();
    packed.dedup();
    packed
}

fn pack_region(region: &mut Region, last: &[Option<u8>], packed: &mut Vec<ArrayId>) {
    for op in &mut region.ops {
        if let Op::Stride { array, dim, result } = *op
            && last[array.0 as usize] == Some(dim)
        {
            packed.push(array);
            *op = Op::Const { bits: 1, result };
        }
        for inner in op.regions_mut() {
            pack_region(inner, last, packed);
        }
    }
}
