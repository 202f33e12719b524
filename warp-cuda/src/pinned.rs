//! Memory of the host that the device reaches by itself.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use crate::device::{Dead, Device};
use crate::error::Error;
use crate::result;
use crate::sys::HOST_ALLOC_PORTABLE;

/// Memory of the host that stays where it is, so that copies from and to it run beside everything else. Zero at first.
///
/// It is scarce: take little, and keep it.
pub struct Pinned {
    device: Device,
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: it is plain memory with one owner.
unsafe impl Send for Pinned {}
// SAFETY: as above.
unsafe impl Sync for Pinned {}

impl Device {
    /// Takes pinned memory. All devices know it.
    pub fn pinned(&self, bytes: usize) -> Result<Pinned, Error> {
        let address = {
            let _current = self.enter()?;
            // SAFETY: the device's context is current.
            unsafe { result::memory::allocate_host(self.cuda(), bytes.max(1), HOST_ALLOC_PORTABLE) }?
        };
        let start = NonNull::new(address.cast::<u8>())
            .ok_or_else(|| Error::Refused("the driver gave no address for pinned memory".into()))?;
        // SAFETY: the driver gave so many bytes.
        unsafe { start.as_ptr().write_bytes(0, bytes.max(1)) };
        Ok(Pinned { device: self.clone(), start, bytes })
    }
}

impl Pinned {
    /// Its first byte. What is written through it is the writer's affair: copies of the device, mostly.
    pub fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The device that it was taken by.
    pub fn device(&self) -> &Device {
        &self.device
    }
}

impl Deref for Pinned {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: so many bytes are valid and were written; copies into it while it is shared are the caller's contract
        // of the raw calls.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }
}

impl DerefMut for Pinned {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        self.device.dispose(Dead::Pinned(self.start.as_ptr().cast()));
    }
}

impl fmt::Debug for Pinned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pinned({} bytes)", self.bytes)
    }
}
