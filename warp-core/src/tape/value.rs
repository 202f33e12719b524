//! Values that the way back reads: in place while they last, and copies of what was overwritten.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::array::borrow::Span;
use crate::array::buffer::{Buffer, Hold};
use crate::array::watch::Watch;
use crate::backend::Address;
use crate::device::Device;
use crate::error::Error;

/// What a part of memory held at some time.
#[derive(Debug)]
pub(crate) struct Value {
    pub(crate) span: Span,
    version: u64,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    InPlace(Watch),
    Copied(Counted),
    /// It was overwritten by somebody who is not on the tape.
    Gone,
}

/// Memory of a tape's own, counted.
#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) memory: Arc<Buffer>,
    meter: Arc<Meter>,
}

impl Counted {
    pub(crate) fn new(memory: Arc<Buffer>, meter: &Arc<Meter>) -> Counted {
        meter.put_on(memory.bytes());
        Counted { memory, meter: meter.clone() }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.meter.take_off(self.memory.bytes());
    }
}

/// Where a value is found.
pub(crate) struct Located {
    /// Of its first byte.
    pub(crate) address: Address,
    pub(crate) memory: Arc<Buffer>,
    /// Where its first byte is in that memory.
    pub(crate) start: usize,
    /// Whether it is a copy of the tape's own.
    pub(crate) copied: bool,
    _hold: Option<Hold>,
}

/// Copies that were made just now, by buffer and by where the part of it starts and ends.
pub(crate) type Copies = HashMap<(usize, usize, usize), Arc<Buffer>>;

/// A use of memory by the operation that is about to run.
pub(crate) type Own<'a> = (&'a Arc<Buffer>, Span);

impl Value {
    /// What `span` holds now.
    pub(crate) fn now(home: &Arc<Buffer>, span: Span) -> Value {
        let watch = Watch::new(home);
        let version = home.writes().version(span);
        Value { span, version, state: Mutex::new(State::InPlace(watch)) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Whether it is what `span` holds now.
    pub(crate) fn is_now(&self, home: &Arc<Buffer>, span: Span) -> bool {
        let in_place = matches!(&*self.state(), State::InPlace(watch) if Arc::ptr_eq(&watch.buffer, home));
        in_place && self.span == span && self.version == home.writes().version(span)
    }

    /// Copies it before it is overwritten, unless it is copied or gone. `copies` has those that were made for others
    /// just now.
    pub(crate) fn keep(&self, own: &[Own<'_>], meter: &Arc<Meter>, copies: &mut Copies) -> Result<(), Error> {
        let mut state = self.state();
        let State::InPlace(watch) = &*state else { return Ok(()) };
        let home = watch.buffer.clone();
        let key = (Arc::as_ptr(&home) as usize, self.span.start, self.span.end);
        let memory = match copies.get(&key) {
            Some(memory) if home.writes().version(self.span) == self.version => Some(memory.clone()),
            _ => copy(&home, self.span, own, || home.writes().version(self.span) == self.version)?,
        };
        *state = match memory {
            Some(memory) => {
                copies.insert(key, memory.clone());
                State::Copied(Counted::new(memory, meter))
            }
            None => State::Gone,
        };
        Ok(())
    }

    /// Its bytes, on the host; none when it is gone.
    pub(crate) fn bytes(&self, device: &Device) -> Result<Option<Vec<u8>>, Error> {
        let Some(located) = self.locate()? else { return Ok(None) };
        let mut bytes = vec![0; self.span.end - self.span.start];
        if !bytes.is_empty() {
            // SAFETY: it lies there with all its bytes, in memory of this device that is a copy or held for reading.
            unsafe { device.backend().download(located.address, &mut bytes) }
                .map_err(|source| device.failed("reading an array", source))?;
        }
        Ok(Some(bytes))
    }

    /// Finds it; none when it is gone.
    pub(crate) fn locate(&self) -> Result<Option<Located>, Error> {
        match &*self.state() {
            State::Gone => Ok(None),
            State::Copied(copy) => {
                let (address, memory) = (copy.memory.address(), copy.memory.clone());
                Ok(Some(Located { address, memory, start: 0, copied: true, _hold: None }))
            }
            State::InPlace(watch) => {
                let home = &watch.buffer;
                if home.writes().version(self.span) != self.version {
                    return Ok(None);
                }
                let hold = home.hold(self.span, false)?;
                if home.writes().version(self.span) != self.version {
                    return Ok(None);
                }
                let address = home.address() + self.span.start as u64;
                let (memory, start) = (home.clone(), self.span.start);
                Ok(Some(Located { address, memory, start, copied: false, _hold: Some(hold) }))
            }
        }
    }
}

impl Located {
    /// A copy of it for somebody who writes to it.
    pub(crate) fn scratch(&self, bytes: usize) -> Result<Arc<Buffer>, Error> {
        let scratch = Buffer::zeroed(self.memory.device(), bytes)?;
        // SAFETY: the value is held or a copy that nobody writes, it has these bytes, and the new memory is nobody else's.
        unsafe { copy_bytes(&self.memory, self.start, &scratch, 0, bytes)? };
        Ok(scratch)
    }
}

impl Value {
    /// The bytes of its copy, or 0.
    pub(crate) fn copied_bytes(&self) -> usize {
        match &*self.state() {
            State::Copied(copied) => copied.memory.bytes(),
            _ => 0,
        }
    }
}

/// Copies `span` on its device. What the running operation uses itself is its own to read; none when somebody else
/// writes there, or has written.
pub(crate) fn copy(
    home: &Arc<Buffer>,
    span: Span,
    own: &[Own<'_>],
    intact: impl Fn() -> bool,
) -> Result<Option<Arc<Buffer>>, Error> {
    let mut others = vec![span];
    for (_, used) in own.iter().filter(|(buffer, _)| Arc::ptr_eq(buffer, home)) {
        others = others.into_iter().flat_map(|part| without(part, *used)).collect();
    }
    let mut holds = Vec::with_capacity(others.len());
    for part in others {
        match home.hold(part, false) {
            Ok(hold) => holds.push(hold),
            Err(Error::Busy { .. }) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    if !intact() {
        return Ok(None);
    }
    let bytes = span.end - span.start;
    let memory = Buffer::zeroed(home.device(), bytes)?;
    // SAFETY: the new memory is nobody else's, and the old is held here or by the caller.
    unsafe { copy_bytes(home, span.start, &memory, 0, bytes)? };
    Ok(Some(memory))
}

/// Copies bytes from one buffer to another, on whatever devices.
///
/// # Safety
/// The caller may read and write them, and they are not the same.
pub(crate) unsafe fn copy_bytes(
    from: &Buffer,
    start: usize,
    to: &Buffer,
    at: usize,
    bytes: usize,
) -> Result<(), Error> {
    if bytes == 0 {
        return Ok(());
    }
    let (source, target) = (from.address() + start as u64, to.address() + at as u64);
    let failed = |device: &Device, source| device.failed("keeping a value for the gradient", source);
    if from.device() == to.device() {
        // SAFETY: as the caller says.
        return unsafe { from.device().backend().copy(source, target, bytes) }.map_err(|e| failed(from.device(), e));
    }
    let mut copy = vec![0u8; bytes];
    // SAFETY: as the caller says.
    unsafe {
        from.device().backend().download(source, &mut copy).map_err(|e| failed(from.device(), e))?;
        to.device().backend().upload(target, &copy).map_err(|e| failed(to.device(), e))
    }
}

/// The parts of `span` outside `cut`.
fn without(span: Span, cut: Span) -> impl Iterator<Item = Span> {
    let low = Span { start: span.start, end: span.end.min(cut.start) };
    let high = Span { start: span.start.max(cut.end), end: span.end };
    [low, high].into_iter().filter(|part| part.start < part.end)
}

/// Counts the bytes of a tape's copies.
#[derive(Default, Debug)]
pub(crate) struct Meter {
    now: AtomicUsize,
    peak: AtomicUsize,
}

impl Meter {
    fn put_on(&self, bytes: usize) {
        let now = self.now.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    fn take_off(&self, bytes: usize) {
        self.now.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(crate) fn now(&self) -> usize {
        self.now.load(Ordering::Relaxed)
    }

    pub(crate) fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }
}
