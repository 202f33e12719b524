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
use crate::graph::node::Node;
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
        let address = device.backend().allocate(bytes.max(1)).map_err(|source| Error::Memory {
            device: device.name().into(),
            bytes,
            source,
        })?;
        device.took(bytes);
        let buffer = Buffer::new(device, address, bytes, Keeper::Device);
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

    /// Nobody uses the memory from here on: who asks is told so, and who has asked is waited for.
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

    /// A graph that is recorded writes the same bytes so many times.
    pub(crate) fn fill(self: &Arc<Buffer>, at: usize, value: &[u8], times: usize) -> Result<(), Error> {
        let span = Span { start: at, end: at + value.len() * times };
        let node = Node::Fill { to: self.clone(), at, value: value.to_vec(), times };
        capture::push(&self.device, node, [(self, span, true)])
    }

    /// A graph that is recorded copies bytes from a place in another buffer.
    pub(crate) fn copy_from(
        self: &Arc<Buffer>,
        at: usize,
        from: &Arc<Buffer>,
        start: usize,
        bytes: usize,
    ) -> Result<(), Error> {
        let (read, written) = (Span { start, end: start + bytes }, Span { start: at, end: at + bytes });
        let node = Node::Copy { from: from.clone(), start, to: self.clone(), at, bytes };
        capture::push(&self.device, node, [(from, read, false), (self, written, true)])
    }

    /// A graph that is recorded writes bytes of the host.
    pub(crate) fn upload(self: &Arc<Buffer>, at: usize, bytes: &[u8]) -> Result<(), Error> {
        let span = Span { start: at, end: at + bytes.len() };
        let node = Node::Upload { to: self.clone(), at, bytes: bytes.to_vec() };
        capture::push(&self.device, node, [(self, span, true)])
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

    /// Some of its bytes, for a call that `doing` tells of where it fails.
    ///
    /// # Safety
    /// They are inside, and nobody writes them meanwhile.
    pub(crate) unsafe fn download(&self, span: Span, doing: &str) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; span.end - span.start];
        if !bytes.is_empty() {
            // SAFETY: as the caller says.
            unsafe { self.device.backend().download(self.address + span.start as u64, &mut bytes) }
                .map_err(|source| self.device.failed(doing, source))?;
        }
        Ok(bytes)
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
            return;
        }
        self.device.gave_back(self.bytes);
        // SAFETY: the address came from `allocate` with these bytes; no handle is left, and each use holds a handle.
        unsafe { self.device.backend().free(self.address, self.bytes.max(1)) }
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
