//! A piece of device memory with its borrow state.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::borrow::{Borrows, Span};
use super::watch::Writes;
use crate::backend::Address;
use crate::device::Device;
use crate::error::Error;
use crate::graph::capture;
use crate::stream;
use crate::stream::order::{self, Found, Order};
use crate::tape::Published;

/// Device memory, given back when the last handle goes.
#[derive(Debug)]
pub(crate) struct Buffer {
    device: Device,
    address: Address,
    bytes: usize,
    keeper: Keeper,
    /// Whether the memory was lent, and is not any more.
    ended: AtomicBool,
    borrows: Borrows,
    writes: Writes,
    order: Order,
    /// What the last backward pass found for it.
    gradient: Mutex<Option<Published>>,
}

/// Who gives the memory back.
#[derive(Debug)]
pub(crate) enum Keeper {
    /// The device that it came from.
    Device,
    /// Whoever this is: it goes with the buffer.
    Owner(Mutex<Box<dyn Any + Send>>),
    /// Somebody else, later.
    Nobody,
}

impl Buffer {
    /// Zeroed memory. An empty buffer still has an address.
    pub(crate) fn zeroed(device: &Device, bytes: usize) -> Result<Arc<Buffer>, Error> {
        let failed = |source| Error::Memory { device: device.name().into(), bytes, source };
        let queue = stream::current(device);
        let address = match &queue {
            None => device.backend().allocate(bytes.max(1)),
            Some(queue) => queue.allocate(bytes.max(1)),
        };
        let buffer = Buffer::new(device, address.map_err(failed)?, bytes, Keeper::Device);
        device.took(bytes);
        if let Some(queue) = &queue {
            // There it becomes zero.
            let mark = order::mark(device, queue);
            buffer.order.note(&Found::default(), queue, mark, Span { start: 0, end: bytes.max(1) }, true);
        }
        if capture::capturing() {
            capture::made(&buffer)?;
        }
        Ok(buffer)
    }

    fn new(device: &Device, address: Address, bytes: usize, keeper: Keeper) -> Arc<Buffer> {
        Arc::new(Buffer {
            device: device.clone(),
            address,
            bytes,
            keeper,
            ended: AtomicBool::new(false),
            borrows: Borrows::default(),
            writes: Writes::default(),
            order: Order::default(),
            gradient: Mutex::new(None),
        })
    }

    /// Memory that did not come from the device's backend.
    ///
    /// # Safety
    /// It is as the backend's would be, for as long as `owner` lives, or else until [`end`](Buffer::end).
    pub(crate) unsafe fn foreign(
        device: &Device,
        address: Address,
        bytes: usize,
        owner: Option<Box<dyn Any + Send>>,
    ) -> Arc<Buffer> {
        let keeper = owner.map_or(Keeper::Nobody, |owner| Keeper::Owner(Mutex::new(owner)));
        Buffer::new(device, address, bytes, keeper)
    }

    /// Nobody uses the memory from here on: who asks is told so, and who has asked is waited for, but not what is queued.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::Release);
        // What is taken here is never given back. Who holds it is another thread, since uses end with the calls that make
        // them.
        while !self.borrows.take(self.span(), true, true) {
            std::thread::yield_now();
        }
    }

    /// Whether the memory was lent, and is not any more.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Who gives it back.
    pub(crate) fn keeper(&self) -> &Keeper {
        &self.keeper
    }

    /// Lets the memory be somebody else's to give back.
    pub(crate) fn give_up(mut self) -> Keeper {
        if matches!(self.keeper, Keeper::Device) {
            self.device.gave_back(self.bytes);
        }
        std::mem::replace(&mut self.keeper, Keeper::Nobody)
    }

    #[inline]
    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    #[inline]
    pub(crate) fn address(&self) -> Address {
        self.address
    }

    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// All of it.
    #[inline]
    pub(crate) fn span(&self) -> Span {
        Span { start: 0, end: self.bytes }
    }

    /// What streams still do with it.
    #[inline]
    pub(crate) fn order(&self) -> &Order {
        &self.order
    }

    /// Who wrote it when.
    #[inline]
    pub(crate) fn writes(&self) -> &Writes {
        &self.writes
    }

    /// Whether no array lies in it any more: the caller has it, and tapes that keep what it holds.
    pub(crate) fn is_abandoned(self: &Arc<Buffer>) -> bool {
        self.writes.only_kept(self)
    }

    /// What the last backward pass found for it.
    pub(crate) fn gradient(&self) -> &Mutex<Option<Published>> {
        &self.gradient
    }

    /// The memory as the host sees it. Only for devices with host memory.
    #[inline]
    pub(crate) fn host(&self) -> *mut u8 {
        debug_assert!(self.device.host_memory());
        std::ptr::with_exposed_provenance_mut(self.address as usize)
    }

    #[inline]
    fn whole(&self, span: Span) -> bool {
        span.start == 0 && span.end == self.bytes
    }

    /// Takes a part until `give`; false while a conflicting use lasts.
    #[inline]
    pub(crate) fn take(&self, span: Span, write: bool) -> bool {
        // No bytes conflict with nothing.
        span.start == span.end || self.borrows.take(span, self.whole(span), write)
    }

    /// Gives a part back that `take` took.
    #[inline]
    pub(crate) fn give(&self, span: Span, write: bool) {
        if span.start != span.end {
            self.borrows.give(span, self.whole(span), write);
        }
    }

    /// Takes a part until the guard goes, and writes it at once where it does so.
    pub(crate) fn hold(self: &Arc<Buffer>, span: Span, write: bool) -> Result<Hold, Error> {
        let hold = self.claim(span, write)?;
        if write {
            self.writes.note(span);
        }
        Ok(hold)
    }

    /// As [`hold`](Buffer::hold), for somebody who tells of the write when it comes.
    pub(crate) fn claim(self: &Arc<Buffer>, span: Span, write: bool) -> Result<Hold, Error> {
        match self.take(span, write) {
            true => Ok(Hold { buffer: self.clone(), span, write }),
            false if self.has_ended() => Err(Error::LoanEnded),
            false => Err(Error::Busy { write }),
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if !matches!(self.keeper, Keeper::Device) {
            // An owner may go while work is under way, and who lends memory waits, or has the device wait.
            return;
        }
        self.device.gave_back(self.bytes);
        let bytes = self.bytes.max(1);
        let Some(spare) = self.device.backend().spare_queue() else {
            // SAFETY: the address came from `allocate` with these bytes; no handle is left, and each use holds a handle.
            return unsafe { self.device.backend().free(self.address, bytes) };
        };
        let queue = match self.order.last(spare) {
            Ok(queue) => queue,
            Err(error) => {
                self.device.backend().keep_untold(error);
                if let Err(error) = self.order.settle() {
                    // Something may still use it, so that it must not go.
                    return self.device.backend().keep_untold(error);
                }
                spare.clone()
            }
        };
        // SAFETY: the address came from `allocate` with these bytes; no handle is left, and the queue holds, or waits for,
        // all that is still done there.
        unsafe { queue.free(self.address, bytes) }
    }
}

/// A part of a buffer in use.
#[derive(Debug)]
pub(crate) struct Hold {
    buffer: Arc<Buffer>,
    span: Span,
    write: bool,
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.buffer.give(self.span, self.write);
    }
}
