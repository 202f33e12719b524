//! What a run with tangents does beside what the program does.

use std::sync::Arc;

use super::{TWINS, running, suspended};
use crate::array::Array;
use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::element::Element;
use crate::error::Error;
use crate::tape::{Memory, Overwritten, Region, Step, TapeError, recorder};

/// The twins of buffers; those of detached ones are zeros that nobody sees.
pub(crate) fn twins<'a>(of: impl Iterator<Item = (&'a Arc<Buffer>, bool)>) -> Result<Vec<Arc<Buffer>>, Error> {
    TWINS.with_borrow_mut(|twins| {
        let twins = twins.get_or_insert_default();
        of.map(|(buffer, detached)| if detached { Memory::of(buffer).twin() } else { twins.twin(buffer) }).collect()
    })
}

fn known(of: &Arc<Buffer>) -> Option<Arc<Buffer>> {
    let key = Memory::of(of).key();
    TWINS.with_borrow(|twins| twins.as_ref().and_then(|twins| twins.get(key)))
}

/// Bytes are about to be used: where they were written unseen, they have no tangent any more.
#[cold]
pub(crate) fn notice(of: &Arc<Buffer>, span: Span) -> Result<(), Error> {
    let unseen = TWINS.with_borrow_mut(|twins| twins.as_mut().map(|twins| twins.unseen(of, span)));
    unseen.into_iter().flatten().try_for_each(|(twin, part)| forget(&twin, part))
}

/// This run has written bytes, and their tangents.
#[cold]
pub(crate) fn wrote(of: &Arc<Buffer>, span: Span) {
    TWINS.with_borrow_mut(|twins| twins.iter_mut().for_each(|twins| twins.settle(of, span)));
}

/// Sets a part of a twin to zero.
pub(super) fn forget(twin: &Arc<Buffer>, part: Span) -> Result<(), Error> {
    zero(twin, Region::bytes(Memory::of(twin), part), "a write outside the run")
}

/// Sets elements of a twin to zero, in sight of the tapes of this thread.
fn zero(twin: &Arc<Buffer>, region: Region, by: &'static str) -> Result<(), Error> {
    let span = region.span;
    if span.start >= span.end {
        return Ok(());
    }
    let _hold = twin.claim(span, true)?;
    let write = |region: &Region| {
        twin.writes().note(span);
        region.zero(twin)
    };
    if !recorder::recording() {
        return write(&region);
    }
    let step = Step::Overwrite(Overwritten { region: region.clone(), by, fill: None });
    recorder::host(step, &[(twin, span, true)], true, || write(&region))
}

/// An array was copied into another: so is its tangent.
#[cold]
pub(crate) fn copied<T: Element, const R: usize>(to: &Array<T, R>, from: &Array<T, R>) -> Result<(), Error> {
    if known(&to.buffer).is_none() && known(&from.buffer).is_none() {
        return Ok(());
    }
    if from.detached {
        return overwritten(&to.buffer, to.span(), "copy_from", |twin| Region::of(&to.on_mirror(twin)));
    }
    let both = twins([(&to.buffer, false), (&from.buffer, false)].into_iter())?;
    suspended(|| to.on_mirror(both[0].clone()).copy_from(&from.on_mirror(both[1].clone())))?;
    wrote(&to.buffer, to.span());
    Ok(())
}

/// The host wrote an array: its tangent is zero.
#[cold]
pub(crate) fn overwritten(
    array: &Arc<Buffer>,
    span: Span,
    by: &'static str,
    region: impl FnOnce(Arc<Buffer>) -> Region,
) -> Result<(), Error> {
    let Some(twin) = known(array) else { return Ok(()) };
    zero(&twin, region(twin.clone()), by)?;
    wrote(array, span);
    Ok(())
}

/// Refuses guards that write: what they write has no tangent, and what they leave keeps the one it had.
#[inline]
pub(crate) fn refuse_guard() -> Result<(), Error> {
    match running() {
        true => Err(TapeError::WriteGuard.into()),
        false => Ok(()),
    }
}
