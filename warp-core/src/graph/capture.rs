//! What this thread records into a graph.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::Shared;
use super::node::Node;
use super::uses::Uses;
use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::backend::Address;
use crate::device::Device;
use crate::error::Error;
use crate::forward;
use crate::tape::recorder;

thread_local! {
    /// Whether this thread records; apart, so that launches look at one word.
    static CAPTURING: Cell<bool> = const { Cell::new(false) };
    static CAPTURE: RefCell<Option<Capture>> = const { RefCell::new(None) };
}

/// A recording that grows.
struct Capture {
    device: Device,
    work: Captured,
    /// Where the memory lies that was made meanwhile; the work keeps it.
    made: Vec<Address>,
}

/// Work in order, and the memory that it needs.
#[derive(Default)]
pub(crate) struct Captured {
    pub(crate) nodes: Vec<Shared>,
    pub(crate) uses: Uses,
}

/// Whether this thread records a graph.
#[inline]
pub(crate) fn capturing() -> bool {
    CAPTURING.get()
}

/// Runs `body`, and gives what it asked the device for.
pub(crate) fn record<T, E: From<Error>>(
    device: &Device,
    body: impl FnOnce() -> Result<T, E>,
) -> Result<(Captured, T), E> {
    /// Ends the recording, also when `body` panics.
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            CAPTURING.set(false);
            CAPTURE.take();
        }
    }
    refuse("capturing another graph")?;
    if recorder::recording() || forward::running() {
        return Err(Error::GraphUnderTape { tape: recorder::recording() }.into());
    }
    CAPTURE.set(Some(Capture { device: device.clone(), work: Captured::default(), made: vec![] }));
    CAPTURING.set(true);
    let end = End;
    let value = body()?;
    let work = CAPTURE.take().map(|capture| capture.work).unwrap_or_default();
    drop(end);
    Ok((work, value))
}

/// Memory was made: a graph that is recorded makes it zero each time.
pub(crate) fn made(buffer: &Arc<Buffer>) -> Result<(), Error> {
    buffer.capture_fill(0, &[0], buffer.bytes())?;
    CAPTURE.with_borrow_mut(|capture| capture.iter_mut().for_each(|capture| capture.made.push(buffer.address())));
    Ok(())
}

/// Records work in place of doing it; `uses` is the memory that it reads and writes.
///
/// What the host puts into memory that was made meanwhile is also done at once: an array is handed out with values of its
/// type in it, for which zeros may not do.
pub(crate) fn push<'a>(
    device: &Device,
    node: Node,
    uses: impl IntoIterator<Item = (&'a Arc<Buffer>, Span, bool)>,
) -> Result<(), Error> {
    let node = Arc::new(node);
    with(device, &node.to_string(), |work| {
        uses.into_iter().for_each(|(buffer, span, write)| work.uses.add(buffer, span, write));
        work.nodes.push(node.clone());
    })?;
    let is_new = |buffer: &Arc<Buffer>| {
        CAPTURE.with_borrow(|capture| capture.iter().any(|capture| capture.made.contains(&buffer.address())))
    };
    if node.target().is_some_and(is_new) { node.run(device, None) } else { Ok(()) }
}

/// Records all of another graph.
pub(crate) fn again(device: &Device, graph: &Captured) -> Result<(), Error> {
    with(device, "a graph", |work| {
        work.uses.add_all(&graph.uses);
        work.nodes.extend(graph.nodes.iter().cloned());
    })
}

/// What needs the results of what runs cannot be recorded.
#[inline]
pub(crate) fn refuse(doing: &str) -> Result<(), Error> {
    if capturing() { Err(Error::WhileCapturing { doing: doing.into() }) } else { Ok(()) }
}

fn with(device: &Device, what: &str, add: impl FnOnce(&mut Captured)) -> Result<(), Error> {
    if recorder::recording() || forward::running() {
        return Err(Error::GraphUnderTape { tape: recorder::recording() });
    }
    CAPTURE.with_borrow_mut(|capture| match capture {
        Some(capture) if capture.device == *device => {
            add(&mut capture.work);
            Ok(())
        }
        Some(capture) => Err(Error::OutsideGraph {
            what: what.into(),
            found: device.name().into(),
            device: capture.device.name().into(),
        }),
        None => Ok(()),
    })
}
