//! Global memory: a trait for whoever owns it, and a ready one.

use std::collections::BTreeMap;
use std::ops::Bound;

/// Global memory as the owner of allocations sees it. An error is the sentence of the fault.
///
/// The interpreter checks the alignment of accesses; bounds are the owner's to check, for all bytes of an access.
pub trait Memory {
    /// Reads `bytes.len()` bytes from `address` on.
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), String>;
    /// Writes all `bytes` from `address` on.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), String>;
}

/// Allocations at made-up addresses, far apart, with every byte known to be written or not.
#[derive(Debug, Default)]
pub struct SimpleMemory {
    allocations: BTreeMap<u64, Allocation>,
    next: u64,
}

#[derive(Debug)]
struct Allocation {
    data: Vec<u8>,
    written: Vec<bool>,
    freed: bool,
}

/// Where the first allocation lies.
const FIRST: u64 = 0x7000_0000_0000;
/// The alignment of all allocations, and the least distance between two.
const STEP: u64 = 512;

impl SimpleMemory {
    /// Memory without allocations.
    pub fn new() -> Self {
        Self::default()
    }

    /// An allocation of `size` bytes that nobody has written; its address is a multiple of 512.
    pub fn allocate(&mut self, size: usize) -> u64 {
        let address = FIRST + self.next;
        self.next += (size as u64).next_multiple_of(STEP) + STEP;
        self.allocations.insert(address, Allocation { data: vec![0; size], written: vec![false; size], freed: false });
        address
    }

    /// An allocation that holds `bytes`.
    pub fn allocate_from(&mut self, bytes: &[u8]) -> u64 {
        let address = self.allocate(bytes.len());
        let allocation = self.allocations.get_mut(&address).expect("it was just made");
        allocation.data.copy_from_slice(bytes);
        allocation.written.fill(true);
        address
    }

    /// Frees the allocation that begins at `address`; accesses to it are errors from then on.
    pub fn free(&mut self, address: u64) -> Result<(), String> {
        match self.allocations.get_mut(&address) {
            Some(allocation) if !allocation.freed => {
                allocation.freed = true;
                Ok(())
            }
            Some(_) => Err(format!("the allocation at {address:#x} was freed before.")),
            None => Err(format!("no allocation begins at {address:#x}.")),
        }
    }

    /// The content of the allocation that begins at `address`, zero where nobody has written.
    pub fn bytes(&self, address: u64) -> Option<&[u8]> {
        self.allocations.get(&address).filter(|a| !a.freed).map(|a| a.data.as_slice())
    }

    /// Where an access lies: the start of its allocation and the first byte in it.
    fn find(&self, address: u64, size: usize) -> Result<(u64, usize), String> {
        let before = self.allocations.range((Bound::Unbounded, Bound::Included(address))).next_back();
        let Some((&start, allocation)) = before else {
            return Err(format!("no allocation holds {size} bytes at {address:#x}."));
        };
        let offset = address - start;
        let length = allocation.data.len() as u64;
        if offset.checked_add(size as u64).is_none_or(|end| end > length) {
            return Err(format!(
                "{size} bytes at {address:#x} are out of bounds: the allocation before that address begins at \
                 {start:#x} and has {length} bytes, so the access begins at its byte {offset}."
            ));
        }
        if allocation.freed {
            return Err(format!("{size} bytes at {address:#x} lie in an allocation that was freed."));
        }
        Ok((start, offset as usize))
    }
}

impl Memory for SimpleMemory {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), String> {
        let (start, offset) = self.find(address, bytes.len())?;
        let allocation = &self.allocations[&start];
        let range = offset..offset + bytes.len();
        if allocation.written[range.clone()].contains(&false) {
            return Err(format!("{} bytes at {address:#x} are read and were never written.", bytes.len()));
        }
        bytes.copy_from_slice(&allocation.data[range]);
        Ok(())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), String> {
        let (start, offset) = self.find(address, bytes.len())?;
        let allocation = self.allocations.get_mut(&start).expect("find found it");
        let range = offset..offset + bytes.len();
        allocation.data[range.clone()].copy_from_slice(bytes);
        allocation.written[range].fill(true);
        Ok(())
    }
}
