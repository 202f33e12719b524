//! Memory: of devices by made-up addresses, of the host where it is pinned.

use std::collections::{BTreeMap, BTreeSet};

use super::{Handle, State};
use crate::code::{self, Code};

/// All memory.
#[derive(Default)]
pub struct Space {
    /// By first address.
    pub allocations: BTreeMap<u64, Allocation>,
    /// Pinned memory of the host: bytes by first address, and whether the driver took it itself.
    pub pinned: BTreeMap<u64, (usize, bool)>,
    next: u64,
}

/// A piece of a device's memory.
pub struct Allocation {
    pub device: usize,
    pub bytes: Vec<u8>,
    /// The pool that it is of; 0 for none.
    pub pool: Handle,
    /// The module whose variables it holds; 0 for none.
    pub module: Handle,
    /// Whether the stream that takes it has come so far.
    pub here: bool,
    /// Whether a stream has it to give back.
    pub leaving: bool,
}

/// A pool.
pub struct Pool {
    pub device: usize,
    /// Bytes that it keeps.
    pub threshold: u64,
    pub used: u64,
    pub used_high: u64,
    pub reserved: u64,
    pub reserved_high: u64,
}

/// Where the first piece lies.
const FIRST: u64 = 0x7f30_0000_0000;
/// Addresses of pieces are multiples of this, and so far apart at least.
const STEP: u64 = 512;

impl Space {
    /// A piece that holds no particular bytes.
    fn put(&mut self, device: usize, bytes: usize, pool: Handle, module: Handle, here: bool) -> u64 {
        let address = FIRST + self.next;
        self.next += (bytes as u64).next_multiple_of(STEP) + STEP;
        // Nothing that a program wants by chance: large numbers, and no NaN that would spread unseen.
        let bytes = (0..bytes).map(|k| 0xa5 ^ (k % 7) as u8).collect();
        self.allocations.insert(address, Allocation { device, bytes, pool, module, here, leaving: false });
        address
    }

    /// The piece that an address lies in, and how far behind its begin.
    pub fn find(&self, address: u64) -> Option<(u64, usize)> {
        let (&start, allocation) = self.allocations.range(..=address).next_back()?;
        let offset = address - start;
        (offset <= allocation.bytes.len() as u64).then_some((start, offset as usize))
    }

    /// The piece that holds a whole range.
    pub fn range(&self, address: u64, bytes: usize) -> Option<(u64, usize)> {
        let (start, offset) = self.find(address)?;
        let end = offset.checked_add(bytes)?;
        (end <= self.allocations[&start].bytes.len()).then_some((start, offset))
    }

    /// Whether a range of host memory is pinned.
    pub fn is_pinned(&self, address: u64, bytes: usize) -> bool {
        self.pinned
            .range(..=address)
            .next_back()
            .is_some_and(|(start, (len, _))| (address - start).saturating_add(bytes as u64) <= *len as u64)
    }

    pub fn forget(&mut self, device: usize) {
        self.allocations.retain(|_, allocation| allocation.device != device);
    }
}

impl State {
    /// Takes memory.
    pub fn allocate(&mut self, device: usize, bytes: usize, pool: Handle, here: bool) -> Result<u64, Code> {
        if bytes == 0 {
            return Err(code::ERROR_INVALID_VALUE);
        }
        self.count_allocation()?;
        let size = (bytes as u64).checked_next_multiple_of(STEP).ok_or(code::ERROR_OUT_OF_MEMORY)?;
        let idle: u64 = self
            .pools
            .iter()
            .filter(|(h, p)| **h != pool && p.device == device)
            .map(|(_, p)| p.reserved - p.used)
            .sum();
        let total = self.contexts[device].taken.saturating_add(size).saturating_add(idle);
        if total > self.settings.memory {
            return Err(code::ERROR_OUT_OF_MEMORY);
        }
        self.contexts[device].taken += size;
        if let Some(pool) = self.pools.get_mut(&pool) {
            pool.used += size;
            pool.used_high = pool.used_high.max(pool.used);
            pool.reserved = pool.reserved.max(pool.used);
            pool.reserved_high = pool.reserved_high.max(pool.reserved);
        }
        Ok(self.space.put(device, bytes, pool, 0, here))
    }

    /// Room for the variables of a module.
    pub fn place_globals(&mut self, device: usize, bytes: usize, module: Handle) -> u64 {
        self.space.put(device, bytes, 0, module, true)
    }

    /// The piece that begins at an address, and that nobody has given back yet.
    pub fn owned(&self, address: u64) -> Result<&Allocation, Code> {
        let found = self.space.allocations.get(&address).filter(|a| a.module == 0 && !a.leaving);
        found.ok_or(code::ERROR_INVALID_VALUE)
    }

    /// Gives a piece back: from here on nothing may be asked of it any more.
    pub fn leave(&mut self, address: u64) {
        let Some(allocation) = self.space.allocations.get_mut(&address) else { return };
        allocation.leaving = true;
        let size = (allocation.bytes.len() as u64).next_multiple_of(STEP);
        self.contexts[allocation.device].taken -= size;
        if let Some(pool) = self.pools.get_mut(&allocation.pool) {
            pool.used -= size;
        }
    }

    /// A range for a copy or fill that is asked for now.
    pub fn check_range(&self, address: u64, bytes: usize) -> Result<usize, Code> {
        let (start, _) = self.space.range(address, bytes).ok_or(code::ERROR_INVALID_VALUE)?;
        let allocation = &self.space.allocations[&start];
        if allocation.leaving { Err(code::ERROR_INVALID_VALUE) } else { Ok(allocation.device) }
    }
}

/// Memory as the kernels of a device see it.
pub struct View<'a> {
    pub space: &'a mut Space,
    pub device: usize,
    pub peers: &'a BTreeSet<usize>,
    /// Whether an access was refused.
    pub refused: std::cell::Cell<bool>,
}

impl View<'_> {
    /// Where a range lies: in a piece, or in pinned memory of the host.
    fn place(&self, address: u64, bytes: usize) -> Result<Option<(u64, usize)>, String> {
        let Some((start, offset)) = self.space.range(address, bytes) else {
            if self.space.is_pinned(address, bytes) {
                return Ok(None);
            }
            return Err(match self.space.find(address) {
                Some((start, offset)) => format!(
                    "{bytes} bytes at {address:#x} begin at byte {offset} of memory that begins at {start:#x} and has {}",
                    self.space.allocations[&start].bytes.len()
                ),
                None => format!("no memory holds {bytes} bytes at {address:#x}"),
            });
        };
        let allocation = &self.space.allocations[&start];
        if !allocation.here {
            return Err(format!(
                "{bytes} bytes at {address:#x}: the stream that takes this memory has not come so far"
            ));
        }
        if allocation.device != self.device && !self.peers.contains(&allocation.device) {
            return Err(format!("{bytes} bytes at {address:#x} are memory of device {}", allocation.device));
        }
        Ok(Some((start, offset)))
    }

    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), String> {
        match self.place(address, bytes.len()).inspect_err(|_| self.refused.set(true))? {
            Some((start, offset)) => {
                bytes.copy_from_slice(&self.space.allocations[&start].bytes[offset..offset + bytes.len()]);
            }
            // SAFETY: the range is pinned memory, which stays until it is given back.
            None => unsafe { bytes.as_mut_ptr().copy_from(host(address), bytes.len()) },
        }
        Ok(())
    }

    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), String> {
        match self.place(address, bytes.len()).inspect_err(|_| self.refused.set(true))? {
            Some((start, offset)) => {
                let allocation = self.space.allocations.get_mut(&start).expect("it was just found");
                allocation.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
            }
            // SAFETY: the range is pinned memory, which stays until it is given back.
            None => unsafe { host(address).copy_from(bytes.as_ptr(), bytes.len()) },
        }
        Ok(())
    }
}

/// A place of the host.
pub fn host(address: u64) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(address as usize)
}
