//! Memory of a device.

use std::fmt;

use crate::device::{Dead, Device};
use crate::error::Error;
use crate::result;
use crate::stream::Stream;

/// A piece of a device's memory. What it holds at first is anything.
///
/// Memory of a stream is taken and given back in the order of that stream, from the device's pool; so an allocation costs
/// little, and what is queued still has its memory.
pub struct Memory {
    device: Device,
    /// Whose order it follows.
    stream: Option<Stream>,
    address: u64,
    bytes: usize,
}

impl Device {
    /// Takes memory at once. Giving it back waits for all work of the device.
    pub fn allocate(&self, bytes: usize) -> Result<Memory, Error> {
        let address = self.take(None, bytes)?;
        Ok(Memory { device: self.clone(), stream: None, address, bytes })
    }

    /// Takes memory; the driver has no pieces of zero bytes.
    pub(crate) fn take(&self, stream: Option<&Stream>, bytes: usize) -> Result<u64, Error> {
        let address = self.try_take(stream, bytes).or_else(|error| {
            // What lies in the pool unused, or could not be given back before, may be enough.
            if !error.is(crate::sys::CUresult::OUT_OF_MEMORY) || crate::capture::is_running() {
                return Err(error);
            }
            self.sweep();
            let Some(waited) = self.wait_if_quiet() else { return Err(error) };
            let trimmed = waited.and_then(|()| self.trim(0));
            trimmed.and_then(|()| self.try_take(stream, bytes)).map_err(|_| error)
        })?;
        self.ledger().taken(bytes);
        Ok(address)
    }

    fn try_take(&self, stream: Option<&Stream>, bytes: usize) -> Result<u64, Error> {
        let _current = self.enter()?;
        let bytes = bytes.max(1);
        // SAFETY: the device's context is current; pool and stream are alive.
        match stream.filter(|_| !self.pool().is_null()) {
            Some(stream) => unsafe {
                result::memory::allocate_from_pool(self.cuda(), self.pool(), bytes, stream.raw())
            },
            None => unsafe { result::memory::allocate(self.cuda(), bytes) },
        }
    }

    /// Gives memory back that `take` took.
    pub(crate) fn give(&self, stream: Option<&Stream>, address: u64, bytes: usize) {
        self.ledger().given_back(bytes);
        // What is captured must hold no free of memory that is not its own.
        match stream.filter(|_| !self.pool().is_null()) {
            Some(stream) if !stream.is_capturing() => self.dispose(Dead::Ordered(address, stream.raw())),
            Some(_) => self.dispose(Dead::Pooled(address)),
            None => self.dispose(Dead::Memory(address)),
        }
    }
}

impl Stream {
    /// Takes memory in the order of this stream.
    pub fn allocate(&self, bytes: usize) -> Result<Memory, Error> {
        if self.is_capturing() {
            return Err(Error::Refused("memory cannot be taken during a capture; take it before".into()));
        }
        let address = self.device().take(Some(self), bytes)?;
        Ok(Memory { device: self.device().clone(), stream: Some(self.clone()), address, bytes })
    }

    /// Takes memory in the order of this stream, all zero.
    pub fn allocate_zeroed(&self, bytes: usize) -> Result<Memory, Error> {
        let mut memory = self.allocate(bytes)?;
        self.fill(&mut memory, 0..bytes, 0)?;
        Ok(memory)
    }
}

impl Memory {
    /// Its first byte, for kernels.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Whose order it follows; none, where it was taken at once.
    pub fn stream(&self) -> Option<&Stream> {
        self.stream.as_ref()
    }

    /// The address of a range, if it lies inside.
    pub(crate) fn address_of(&self, what: &'static str, start: usize, len: usize) -> Result<u64, Error> {
        match start.checked_add(len) {
            Some(end) if end <= self.bytes => Ok(self.address + start as u64),
            _ => Err(Error::Range { what, start, len, bytes: self.bytes }),
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.device.give(self.stream.as_ref(), self.address, self.bytes);
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory({} bytes at {:#x} of {})", self.bytes, self.address, self.device.label())
    }
}
