//! Streams: queues of work on a device.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use warp_core::backend::Priority;

use crate::device::{Dead, Device};
use crate::error::Error;
use crate::event::Event;
use crate::memory::Memory;
use crate::result;
use crate::sys::{CUstream, STREAM_NON_BLOCKING};

/// A queue of work, done in order. Work of different streams has no order, unless one waits for the other.
/// A handle that is cheap to clone.
#[derive(Clone)]
pub struct Stream(Arc<Inner>);

struct Inner {
    device: Device,
    handle: CUstream,
    capturing: AtomicBool,
}

impl Device {
    /// A new stream.
    pub fn stream(&self) -> Result<Stream, Error> {
        self.stream_with(Priority::Normal)
    }

    /// A new stream with a priority, as far as the device has several.
    pub fn stream_with(&self, priority: Priority) -> Result<Stream, Error> {
        let _current = self.enter()?;
        let level = match priority {
            Priority::Normal => 0,
            Priority::Low => result::context::priorities(self.cuda())?.0,
            Priority::High => result::context::priorities(self.cuda())?.1,
        };
        // SAFETY: the device's context is current.
        let handle = unsafe { result::stream::create(self.cuda(), STREAM_NON_BLOCKING, level) }?;
        Ok(Stream(Arc::new(Inner { device: self.clone(), handle, capturing: AtomicBool::new(false) })))
    }
}

impl Stream {
    /// Its device.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// The driver's handle.
    pub fn raw(&self) -> CUstream {
        self.0.handle
    }

    /// The number that the driver has for its priority: 0 is normal, lower is sooner.
    pub fn priority(&self) -> Result<i32, Error> {
        let _current = self.device().enter()?;
        // SAFETY: the stream is alive.
        unsafe { result::stream::priority(self.device().cuda(), self.raw()) }
    }

    /// Waits until all its work is done.
    pub fn synchronize(&self) -> Result<(), Error> {
        let _current = self.device().enter()?;
        // SAFETY: the stream is alive.
        unsafe { self.device().cuda().cuStreamSynchronize(self.raw()) }
    }

    /// Whether all its work is done.
    pub fn is_done(&self) -> Result<bool, Error> {
        let _current = self.device().enter()?;
        // SAFETY: the stream is alive.
        unsafe { result::stream::is_done(self.device().cuda(), self.raw()) }
    }

    /// What comes from now on waits for what came before the event was recorded; the host does not wait. The event may be
    /// another device's.
    pub fn wait(&self, event: &Event) -> Result<(), Error> {
        self.device().same_driver("the stream", "the event", event.device())?;
        let _current = self.device().enter()?;
        // SAFETY: both are alive.
        unsafe { self.device().cuda().cuStreamWaitEvent(self.raw(), event.raw(), 0) }
    }

    /// What comes from now on waits for all that is in the other stream now.
    pub fn follow(&self, other: &Stream) -> Result<(), Error> {
        if self == other {
            return Ok(());
        }
        let event = other.device().event()?;
        event.record(other)?;
        self.wait(&event)
    }

    /// Copies from the host, and waits for it.
    pub fn upload(&self, to: &mut Memory, at: usize, from: &[u8]) -> Result<(), Error> {
        let address = self.place(to, "an upload", at, from.len())?;
        self.refuse_capture("an upload")?;
        self.ordered(to, |stream| {
            // SAFETY: the range lies in the memory, which is borrowed until the copy is done.
            unsafe { stream.upload_raw(address, from.as_ptr(), from.len()) }?;
            stream.synchronize()
        })
    }

    /// Copies to the host, and waits for it.
    pub fn download(&self, from: &Memory, at: usize, to: &mut [u8]) -> Result<(), Error> {
        let address = self.place(from, "a download", at, to.len())?;
        self.refuse_capture("a download")?;
        self.ordered(from, |stream| {
            // SAFETY: the range lies in the memory, which is borrowed until the copy is done.
            unsafe { stream.download_raw(to.as_mut_ptr(), address, to.len()) }?;
            stream.synchronize()
        })
    }

    /// Copies from memory to memory, also between devices.
    pub fn copy(
        &self,
        from: &Memory,
        from_at: usize,
        to: &mut Memory,
        to_at: usize,
        bytes: usize,
    ) -> Result<(), Error> {
        for memory in [from, &*to] {
            self.device().same_driver("the stream", "the memory", memory.device())?;
        }
        let source = from.address_of("a copy", from_at, bytes)?;
        let target = to.address_of("a copy", to_at, bytes)?;
        let (from_device, to_device) = (from.device().clone(), to.device().clone());
        let _current = self.device().enter()?;
        self.ordered(from, |stream| {
            stream.ordered(to, |stream| {
                let cuda = stream.device().cuda();
                // SAFETY: both ranges lie in their memory, which goes after the copy, since their streams wait for it.
                match from_device == to_device {
                    true => unsafe { cuda.cuMemcpyDtoDAsync_v2(target, source, bytes, stream.raw()) },
                    false => unsafe {
                        let (to, from) = (to_device.context(), from_device.context());
                        cuda.cuMemcpyPeerAsync(target, to, source, from, bytes, stream.raw())
                    },
                }
            })
        })
    }

    /// Sets bytes to a value.
    pub fn fill(&self, memory: &mut Memory, range: Range<usize>, value: u8) -> Result<(), Error> {
        let bytes = range.end.saturating_sub(range.start);
        let address = self.place(memory, "a fill", range.start, bytes)?;
        self.ordered(memory, |stream| {
            // SAFETY: the range lies in the memory, which goes after the fill, since its stream waits for it.
            unsafe { stream.fill_raw(address, value, bytes) }
        })
    }

    /// The address of a range of memory of this stream's device.
    fn place(&self, memory: &Memory, what: &'static str, start: usize, len: usize) -> Result<u64, Error> {
        self.device().same("the stream", "the memory", memory.device())?;
        memory.address_of(what, start, len)
    }

    /// Refuses what waits, before anything is queued.
    fn refuse_capture(&self, what: &str) -> Result<(), Error> {
        match self.is_capturing() {
            true => {
                Err(Error::Refused(format!("{what} waits for its end, which a capture cannot; do it before or after")))
            }
            false => Ok(()),
        }
    }

    /// Runs something on memory between what its own stream does before and after.
    fn ordered(&self, memory: &Memory, work: impl FnOnce(&Stream) -> Result<(), Error>) -> Result<(), Error> {
        let other = memory.stream().filter(|stream| *stream != self);
        other.map_or(Ok(()), |stream| self.follow(stream))?;
        work(self)?;
        let followed = other.map_or(Ok(()), |stream| stream.follow(self));
        if followed.is_err() && !self.is_capturing() {
            // Then the host waits in its place, as the memory's stream may give it back at any time.
            self.synchronize()?;
        }
        followed
    }

    /// Queues a copy from the host.
    ///
    /// # Safety
    /// Both are valid for so many bytes until the copy is done.
    pub unsafe fn upload_raw(&self, to: u64, from: *const u8, bytes: usize) -> Result<(), Error> {
        let _current = self.device().enter()?;
        // SAFETY: the caller's contract.
        unsafe { self.device().cuda().cuMemcpyHtoDAsync_v2(to, from.cast(), bytes, self.raw()) }
    }

    /// Queues a copy to the host.
    ///
    /// # Safety
    /// Both are valid for so many bytes until the copy is done.
    pub unsafe fn download_raw(&self, to: *mut u8, from: u64, bytes: usize) -> Result<(), Error> {
        let _current = self.device().enter()?;
        // SAFETY: the caller's contract.
        unsafe { self.device().cuda().cuMemcpyDtoHAsync_v2(to.cast(), from, bytes, self.raw()) }
    }

    /// Queues a copy on the device.
    ///
    /// # Safety
    /// Both are valid for so many bytes until the copy is done.
    pub unsafe fn copy_raw(&self, to: u64, from: u64, bytes: usize) -> Result<(), Error> {
        let _current = self.device().enter()?;
        // SAFETY: the caller's contract.
        unsafe { self.device().cuda().cuMemcpyDtoDAsync_v2(to, from, bytes, self.raw()) }
    }

    /// Queues setting bytes to a value.
    ///
    /// # Safety
    /// The address is valid for so many bytes until it is done.
    pub unsafe fn fill_raw(&self, to: u64, value: u8, bytes: usize) -> Result<(), Error> {
        let _current = self.device().enter()?;
        // SAFETY: the caller's contract.
        unsafe { self.device().cuda().cuMemsetD8Async(to, value, bytes, self.raw()) }
    }

    /// Queues setting words of 32 bits to a value.
    ///
    /// # Safety
    /// The address is a multiple of 4, and valid for so many words until it is done.
    pub unsafe fn fill_words_raw(&self, to: u64, value: u32, words: usize) -> Result<(), Error> {
        let _current = self.device().enter()?;
        // SAFETY: the caller's contract.
        unsafe { self.device().cuda().cuMemsetD32Async(to, value, words, self.raw()) }
    }

    pub(crate) fn capturing(&self) -> &AtomicBool {
        &self.0.capturing
    }

    /// Whether its work goes into a graph now.
    pub fn is_capturing(&self) -> bool {
        self.0.capturing.load(SeqCst)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The driver keeps a destroyed stream until its work is done.
        self.device.dispose(Dead::Stream(self.handle));
    }
}

impl PartialEq for Stream {
    fn eq(&self, other: &Stream) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Stream {}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({} of {})", self.raw().0.addr(), self.device().label())
    }
}
