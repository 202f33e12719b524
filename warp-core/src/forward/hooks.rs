//! What a run with tangents does beside what the program does.

use std::sync::Arc;

use super::{TWINS, running, suspended, twin};
use crate::array::Array;
use crate::array::buffer::Buffer;
use crate::element::Element;
use crate::error::Error;
use crate::tape::{Memory, Overwritten, Region, Step, TapeError, recorder};

/// The twins of buffers; those of detached ones are zeros that nobody sees.
pub(crate) fn twins<'a>(of: impl Iterator<Item = (&'a Arc<Buffer>, bool)>) -> Result<Vec<Arc<Buffer>>, Error> {
    TWINS.with_borrow_mut(|twins| {
        let twins = twins.get_or_insert_default();
        of.map(|(buffer, detached)| if detached { Memory::of(buffer).twin() } else { twin(twins, buffer) }).collect()
    })
}

fn known(of: &Arc<Buffer>) -> Option<Arc<Buffer>> {
    let key = Memory::of(of).key();
    TWINS.with_borrow(|twins| twins.as_ref().and_then(|twins| twins.get(&key)).map(|(_, twin)| twin.clone()))
}

/// An array was copied into another: so is its tangent.
#[cold]
pub(crate) fn copied<T: Element, const R: usize>(to: &Array<T, R>, from: &Array<T, R>) -> Result<(), Error> {
    if known(&to.buffer).is_none() && known(&from.buffer).is_none() {
        return Ok(());
    }
    if from.detached {
        return overwritten(&to.buffer, "copy_from", |twin| Region::of(&to.on_mirror(twin)));
    }
    let both = twins([(&to.buffer, false), (&from.buffer, false)].into_iter())?;
    suspended(|| to.on_mirror(both[0].clone()).copy_from(&from.on_mirror(both[1].clone())))
}

/// The host wrote an array: its tangent is zero.
#[cold]
pub(crate) fn overwritten(
    array: &Arc<Buffer>,
    by: &'static str,
    region: impl FnOnce(Arc<Buffer>) -> Region,
) -> Result<(), Error> {
    let Some(twin) = known(array) else { return Ok(()) };
    let region = region(twin.clone());
    let span = region.span;
    if span.start >= span.end {
        return Ok(());
    }
    let _hold = twin.claim(span, true)?;
    let zero = || {
        twin.writes().note(span);
        region.zero(&twin)
    };
    if !recorder::recording() {
        return zero();
    }
    let step = Step::Overwrite(Overwritten { region: region.clone(), by, fill: None });
    recorder::host(step, &[(&twin, span, true)], true, zero)
}

/// Refuses guards that write: what they write has no tangent, and what they leave keeps the one it had.
#[inline]
pub(crate) fn refuse_guard() -> Result<(), Error> {
    match running() {
        true => Err(TapeError::WriteGuard.into()),
        false => Ok(()),
    }
}
