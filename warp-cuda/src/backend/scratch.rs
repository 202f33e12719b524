//! Fault blocks and print rings, kept between launches.

use std::sync::{Mutex, PoisonError};

use warp_ir::emit::ptx::abi::{Fault, FaultBlock};
use warp_ir::ir::PrintSite;

use super::prints::Ring;
use crate::error::Error;
use crate::memory::Memory;
use crate::pinned::Pinned;
use crate::stream::Stream;

/// Words that a fault block has at least, so that kernels with few operands share theirs.
const WORDS: usize = 32;

/// What launches leave for the next one. Each takes one of each for itself.
#[derive(Default)]
pub(crate) struct ScratchPool {
    blocks: Mutex<Vec<Block>>,
    rings: Mutex<Vec<Ring>>,
}

impl ScratchPool {
    /// A fault block in its quiet state, of so many words.
    pub(super) fn block(&self, stream: &Stream, words: usize) -> Result<Block, Error> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let known = blocks.iter().rposition(|block| block.words() >= words);
        match known.map(|at| blocks.swap_remove(at)) {
            Some(block) => Ok(block),
            None => {
                drop(blocks);
                Block::new(stream, words.max(WORDS))
            }
        }
    }

    /// An empty print ring with room for all that a launch with these sites shows.
    pub(super) fn ring(&self, stream: &Stream, sites: &[PrintSite]) -> Result<Ring, Error> {
        let wanted = Ring::room(sites);
        let mut rings = self.rings.lock().unwrap_or_else(PoisonError::into_inner);
        let known = rings.iter().rposition(|ring| ring.capacity() >= wanted);
        match known.map(|at| rings.swap_remove(at)) {
            Some(ring) => Ok(ring),
            None => {
                drop(rings);
                Ring::new(stream, wanted)
            }
        }
    }

    /// Both are quiet again.
    pub(super) fn give_back(&self, block: Block, ring: Option<Ring>) {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).push(block);
        self.rings.lock().unwrap_or_else(PoisonError::into_inner).extend(ring);
    }
}

/// A fault block on the device, and its words on the host.
pub(crate) struct Block {
    memory: Memory,
    host: Pinned,
}

impl Block {
    fn new(stream: &Stream, words: usize) -> Result<Block, Error> {
        let memory = stream.allocate(8 * words)?;
        let host = stream.device().pinned(8 * words)?;
        let mut block = Block { memory, host };
        block.silence(stream, &FaultBlock { operands: words - FaultBlock::OPERANDS })?;
        Ok(block)
    }

    fn words(&self) -> usize {
        self.memory.len() / 8
    }

    pub(super) fn address(&self) -> u64 {
        self.memory.address()
    }

    /// Queues a copy of the block to the host.
    pub(super) fn fetch(&mut self, stream: &Stream) -> Result<(), Error> {
        let (to, bytes) = (self.host.as_mut_ptr(), self.host.len());
        // SAFETY: both have so many bytes, and live until the stream has been waited for.
        unsafe { stream.download_raw(to, self.memory.address(), bytes) }
    }

    /// What the fetched block tells.
    pub(super) fn read(&self) -> Option<Fault> {
        let words: Vec<u64> = self.host.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        FaultBlock::read(&words)
    }

    /// Puts the block into its quiet state, and waits for it.
    pub(super) fn silence(&mut self, stream: &Stream, layout: &FaultBlock) -> Result<(), Error> {
        let quiet: Vec<u8> = layout.quiet().iter().flat_map(|word| word.to_le_bytes()).collect();
        stream.upload(&mut self.memory, 0, &quiet)
    }
}
