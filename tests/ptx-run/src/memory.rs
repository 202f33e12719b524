//! Global memory: a trait for whoever owns it, and a ready one.

use std::cell::Cell;

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
    /// In the order of their addresses, which only grow.
    allocations: Vec<Allocation>,
    next: u64,
    /// The allocation that was found last, where the next access likely goes as well.
    last: Cell<usize>,
}

#[derive(Debug)]
struct Allocation {
    start: u64,
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
        let (data, written) = (vec![0; size], vec![false; size]);
        self.allocations.push(Allocation { start: address, data, written, freed: false });
        address
    }

    /// An allocation that holds `bytes`.
    pub fn allocate_from(&mut self, bytes: &[u8]) -> u64 {
        let address = self.allocate(bytes.len());
        let allocation = self.allocations.last_mut().expect("it was just made");
        allocation.data.copy_from_slice(bytes);
        allocation.written.fill(true);
        address
    }

    /// Frees the allocation that begins at `address`; accesses to it are errors from then on.
    pub fn free(&mut self, address: u64) -> Result<(), String> {
        match self.allocations.iter_mut().find(|allocation| allocation.start == address) {
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
        self.allocations.iter().find(|a| a.start == address && !a.freed).map(|a| a.data.as_slice())
    }

    /// Where an access lies: its allocation and the first byte in it.
    fn find(&self, address: u64, size: usize) -> Result<(usize, usize), String> {
        let end = address.saturating_add(size as u64);
        let holds = |a: &Allocation| a.start <= address && end <= a.start + a.data.len() as u64 && !a.freed;
        let last = self.last.get();
        if let Some(allocation) = self.allocations.get(last).filter(|a| holds(a)) {
            return Ok((last, (address - allocation.start) as usize));
        }
        let behind = self.allocations.partition_point(|a| a.start <= address);
        let Some(allocation) = behind.checked_sub(1).and_then(|index| self.allocations.get(index)) else {
            return Err(format!("no allocation holds {size} bytes at {address:#x}."));
        };
        let start = allocation.start;
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
        self.last.set(behind - 1);
        Ok((behind - 1, offset as usize))
    }
}

impl Memory for SimpleMemory {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), String> {
        let (index, offset) = self.find(address, bytes.len())?;
        let allocation = &self.allocations[index];
        let range = offset..offset + bytes.len();
        if allocation.written[range.clone()].contains(&false) {
            return Err(format!("{} bytes at {address:#x} are read and were never written.", bytes.len()));
        }
        bytes.copy_from_slice(&allocation.data[range]);
        Ok(())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), String> {
        let (index, offset) = self.find(address, bytes.len())?;
        let allocation = &mut self.allocations[index];
        let range = offset..offset + bytes.len();
        allocation.data[range.clone()].copy_from_slice(bytes);
        allocation.written[range].fill(true);
        Ok(())
    }
}
