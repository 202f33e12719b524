//! Memory of another library's buffer that an array has taken over.

use std::any::Any;
use std::marker::PhantomData;

use warp_core::{Array, Device, Element, Refused};

use crate::turns::{cuda, failed};

/// Memory that was in a buffer of type `B`, which the driver takes back by its address.
pub(crate) struct Owned<B> {
    address: u64,
    len: usize,
    device: Device,
    was: PhantomData<fn() -> B>,
}

impl<B: Any> Owned<B> {
    /// An array in the memory of a buffer.
    ///
    /// # Safety
    /// The address is that of so many values of `T`, on the device and in its primary context, which nobody else gives back
    /// or uses; nothing is queued that uses it. It is allocated where there is more than none.
    pub(crate) unsafe fn adopt<T: Element>(
        device: &Device,
        address: u64,
        len: usize,
    ) -> Result<Array<T>, Refused<Owned<B>>> {
        let owned = Owned { address, len, device: device.clone(), was: PhantomData };
        // SAFETY: the caller's contract; the driver waits for the device before the memory goes.
        unsafe { Array::adopt(device, address, len, owned) }
    }

    /// The address and length of the buffer that an array was adopted from, when the device is done with it.
    pub(crate) fn release<T: Element>(array: Array<T>) -> Result<(u64, usize), Refused<Array<T>>> {
        let device = array.device().clone();
        let waited = cuda(&device).and_then(|cuda| cuda.wait().map_err(|error| failed(cuda, error)));
        match waited {
            Ok(()) => array.into_owner::<Owned<B>>().map(Owned::into_parts),
            Err(error) => Err(Refused { error, value: array }),
        }
    }

    pub(crate) fn into_parts(self) -> (u64, usize) {
        let parts = (self.address, self.len);
        let mut gone = self;
        gone.len = 0;
        parts
    }
}

impl<B> Drop for Owned<B> {
    fn drop(&mut self) {
        if self.len > 0
            && let Ok(cuda) = cuda(&self.device)
        {
            // SAFETY: the address is the buffer's, which nobody else has any more.
            unsafe { cuda.device().free_foreign(self.address) }
        }
    }
}
