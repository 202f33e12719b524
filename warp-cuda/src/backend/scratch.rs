//! Fault blocks and print rings, kept between launches.

use std::sync::{Arc, Mutex, PoisonError};

use warp_ir::emit::ptx::abi::{Fault, FaultBlock};
use warp_ir::ir::PrintSite;

use super::prints::Ring;
use crate::device::Device;
use crate::error::Error;
use crate::memory::Memory;
use crate::pinned::Pinned;
use crate::stream::Stream;

/// Words that a fault block has at least, so that kernels with few operands share theirs.
const WORDS: usize = 32;

/// Fault blocks that are taken at once: pinned memory is slow to get.
const AT_ONCE: usize = 32;

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
                let mut more = Block::several(stream, words.max(WORDS))?;
                let block = more.pop().ok_or_else(|| Error::Refused("no fault blocks were made".into()))?;
                self.blocks.lock().unwrap_or_else(PoisonError::into_inner).extend(more);
                Ok(block)
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
    slab: Arc<Slab>,
    /// Where it starts, and how long it is, in words.
    start: usize,
    words: usize,
}

/// The memory of several blocks.
struct Slab {
    memory: Memory,
    host: Pinned,
}

impl Block {
    fn several(stream: &Stream, words: usize) -> Result<Vec<Block>, Error> {
        let mut memory = stream.allocate(8 * words * AT_ONCE)?;
        let host = stream.device().pinned(8 * words * AT_ONCE)?;
        stream.upload(&mut memory, 0, &bytes(&quiet(words).repeat(AT_ONCE)))?;
        let slab = Arc::new(Slab { memory, host });
        Ok((0..AT_ONCE).map(|k| Block { slab: slab.clone(), start: k * words, words }).collect())
    }

    fn words(&self) -> usize {
        self.words
    }

    pub(super) fn device(&self) -> &Device {
        self.slab.memory.device()
    }

    pub(super) fn address(&self) -> u64 {
        self.slab.memory.address() + 8 * self.start as u64
    }

    /// Where its words are on the host.
    fn host(&self) -> *mut u8 {
        self.slab.host.start().wrapping_add(8 * self.start)
    }

    /// Queues a copy of the block to the host.
    pub(super) fn fetch(&mut self, stream: &Stream) -> Result<(), Error> {
        // SAFETY: both have so many bytes, which are this block's alone, and live until the stream has been waited for.
        unsafe { stream.download_raw(self.host(), self.address(), 8 * self.words) }
    }

    /// What the fetched block tells, once the fetch is done.
    pub(super) fn read(&self) -> Option<Fault> {
        // SAFETY: so many bytes of the slab are this block's alone, and nothing writes them any more.
        let bytes = unsafe { std::slice::from_raw_parts(self.host(), 8 * self.words) };
        let words: Vec<u64> = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        FaultBlock::read(&words)
    }

    /// Puts the block into its quiet state, and waits for it. No launch uses it any more.
    pub(super) fn silence(&mut self) -> Result<(), Error> {
        let Some(stream) = self.slab.memory.stream() else { return Ok(()) };
        let quiet = bytes(&quiet(self.words));
        // SAFETY: the block has so many bytes; those of the host are lent until the stream has been waited for.
        unsafe { stream.upload_raw(self.address(), quiet.as_ptr(), quiet.len()) }?;
        stream.synchronize()
    }
}

fn quiet(words: usize) -> Vec<u64> {
    FaultBlock { operands: words - FaultBlock::OPERANDS }.quiet()
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
