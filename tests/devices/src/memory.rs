//! Memory that exists twice: the addresses that the runtime sees are neither device's.

use std::collections::BTreeMap;

use warp_core::backend::Address;

/// Addresses between two blocks. A slice that starts behind the last element of one is still that block's.
const GAP: u64 = 1 << 20;
/// More than what blocks are aligned to.
const ALIGN: u64 = 256;

/// A block of memory on both devices.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// What the runtime takes for its address.
    pub base: Address,
    pub bytes: usize,
    pub cpu: Address,
    pub cuda: Address,
}

/// A place in a block.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub block: Block,
    pub offset: u64,
}

impl Place {
    pub fn cpu(&self) -> Address {
        self.block.cpu + self.offset
    }

    pub fn cuda(&self) -> Address {
        self.block.cuda + self.offset
    }
}

/// All blocks, by address.
#[derive(Default)]
pub struct Blocks {
    blocks: BTreeMap<Address, Block>,
    next: Address,
}

impl Blocks {
    /// Names a new block.
    pub fn add(&mut self, bytes: usize, cpu: Address, cuda: Address) -> Address {
        let base = self.next.max(GAP);
        self.next = (base + bytes as u64 + GAP).next_multiple_of(ALIGN);
        self.blocks.insert(base, Block { base, bytes, cpu, cuda });
        base
    }

    pub fn remove(&mut self, base: Address) -> Block {
        self.blocks.remove(&base).expect("what is given back was taken, and once")
    }

    /// Where an address lies; `None` where nothing is, any more.
    pub fn find(&self, address: Address) -> Option<Place> {
        let (_, block) = self.blocks.range(..=address).next_back()?;
        let offset = address - block.base;
        (offset <= block.bytes as u64).then_some(Place { block: *block, offset })
    }
}
