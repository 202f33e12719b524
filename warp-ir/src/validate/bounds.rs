//! Launch bounds: how large blocks may be, and how many a multiprocessor is to hold.

use crate::ir::Attributes;

/// Threads of a block at most, on all devices.
pub const BLOCK: u32 = 1024;
/// Blocks that a multiprocessor holds at most, on the largest devices.
pub const BLOCKS: u32 = 32;
/// Threads that it holds at most, on these.
pub const THREADS: u32 = 2048;

/// Whether there are devices for the bounds; else a sentence.
pub fn check(attributes: &Attributes) -> Result<(), String> {
    let Attributes { block, min_blocks, .. } = attributes;
    if block.is_some_and(|block| !(1..=BLOCK).contains(&block)) {
        return Err(format!("a block has 1 to {BLOCK} threads"));
    }
    match (block, min_blocks) {
        (_, None) => Ok(()),
        (None, Some(_)) => {
            Err("`min_blocks` counts blocks of a size: say that as well, `block = 128, min_blocks = 4`".into())
        }
        (Some(block), &Some(blocks)) => match (1..=BLOCKS).contains(&blocks) && block * blocks <= THREADS {
            true => Ok(()),
            false => Err(format!(
                "a multiprocessor holds 1 to {BLOCKS} blocks and at most {THREADS} threads, on smaller devices 1024"
            )),
        },
    }
}
