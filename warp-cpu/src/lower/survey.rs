//! What must be known of the whole kernel before the first instruction is made.

use warp_ir::abi::ArgWords;
use warp_ir::ir::{ArrayId, ArrayParam, Function, Mem, Op, Region, Scalar, Storage};

use super::Input;

/// Facts about a kernel.
pub(super) struct Survey {
    /// Argument words that are read.
    pub words: Vec<bool>,
    /// How often each value is used.
    pub uses: Vec<u32>,
    /// The largest number of operands of a check or print.
    pub report: usize,
}

impl Survey {
    pub(super) fn of(input: &Input<'_>) -> Survey {
        let function = &input.kernel.function;
        let words = ArgWords::of(function);
        let uses = vec![0; function.values.len()];
        let mut survey = Survey { words: vec![false; words.total], uses, report: 0 };
        survey.region(&function.body, input, &words);
        for (number, param) in function.params.iter().enumerate() {
            survey.words[words.scalars + number] = survey.uses[param.value.0 as usize] > 0;
        }
        survey
    }

    fn region(&mut self, region: &Region, input: &Input<'_>, words: &ArgWords) {
        for value in &region.yields {
            self.uses[value.0 as usize] += 1;
        }
        for op in &region.ops {
            let shape = op.shape();
            for value in &shape.operands {
                self.uses[value.0 as usize] += 1;
            }
            self.op(op, input, words);
            for region in shape.regions {
                self.region(region, input, words);
            }
        }
    }

    fn op(&mut self, op: &Op, input: &Input<'_>, words: &ArgWords) {
        let function = &input.kernel.function;
        match op {
            Op::Extent { array, dim, .. } => {
                self.words[words.arrays[array.0 as usize].extents + *dim as usize] = true;
            }
            Op::Stride { array, dim, .. } => {
                let extents = words.arrays[array.0 as usize].extents;
                match words.arrays[array.0 as usize].strides {
                    Some(strides) => self.words[strides + *dim as usize] = true,
                    // Computed from the extents further in.
                    None => {
                        let rank = function.arrays[array.0 as usize].rank;
                        (dim + 1..rank).for_each(|inner| self.words[extents + inner as usize] = true);
                    }
                }
            }
            Op::Load { mem: Mem::Array(array), leaf, .. }
            | Op::Store { mem: Mem::Array(array), leaf, .. }
            | Op::Atomic { mem: Mem::Array(array), leaf, .. } => {
                self.words[address_word(&function.arrays, words, *array, *leaf)] = true;
            }
            Op::Check { operands, .. } => self.report = self.report.max(operands.len()),
            Op::Print { args, .. } => self.report = self.report.max(args.len()),
            _ => {}
        }
    }
}

/// The argument word with the address that an access to a leaf starts from.
pub(super) fn address_word(arrays: &[ArrayParam], words: &ArgWords, array: ArrayId, leaf: u16) -> usize {
    let address = words.arrays[array.0 as usize].address;
    match arrays[array.0 as usize].storage {
        Storage::Elements => address,
        Storage::Planes => address + leaf as usize,
    }
}

/// The type of each argument word: scalars have their own, all else is 64 bits wide.
pub(super) fn word_type(input: &Input<'_>, words: &ArgWords, word: usize) -> Scalar {
    match word.checked_sub(words.scalars) {
        Some(number) => input.kernel.function.scalar(input.kernel.function.params[number].value),
        None => Scalar::U64,
    }
}

/// For each array, whether a function stores to it or has atomics on it; or whether it has atomics on it.
pub(super) fn written(function: &Function, by_atomics_alone: bool) -> Vec<bool> {
    fn walk(region: &Region, by_atomics_alone: bool, found: &mut [bool]) {
        for op in &region.ops {
            match op {
                Op::Atomic { mem: Mem::Array(array), .. } => found[array.0 as usize] = true,
                Op::Store { mem: Mem::Array(array), .. } if !by_atomics_alone => found[array.0 as usize] = true,
                _ => {}
            }
            op.shape().regions.into_iter().for_each(|inner| walk(inner, by_atomics_alone, found));
        }
    }
    let mut found = vec![false; function.arrays.len()];
    walk(&function.body, by_atomics_alone, &mut found);
    found
}
