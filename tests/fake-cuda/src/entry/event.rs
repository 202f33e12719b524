use std::ffi::c_uint;
use std::sync::Arc;

use super::{call, give};
use crate::code::{self, Code};
use crate::state::event::Event;
use crate::state::stream::Target;
use crate::state::work::Work;
use crate::state::{Handle, State};

fn find(state: &State, event: Handle) -> Result<Arc<Event>, Code> {
    state.events.get(&event).cloned().ok_or(code::ERROR_INVALID_HANDLE)
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuEventCreate(event: *mut Handle, flags: c_uint) -> Code {
    call(|state| {
        let device = state.current()?;
        if flags > 3 {
            return Err(code::ERROR_INVALID_VALUE);
        }
        let handle = state.handle();
        state.events.insert(handle, Arc::new(Event::new(device, flags & 2 == 0)));
        // SAFETY: the caller's contract.
        unsafe { give(event, handle) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuEventDestroy_v2(event: Handle) -> Code {
    call(|state| {
        state.current()?;
        state.events.remove(&event).map(|_| ()).ok_or(code::ERROR_INVALID_HANDLE)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuEventRecord(event: Handle, stream: Handle) -> Code {
    call(|state| {
        let event = find(state, event)?;
        if event.device != state.current()? {
            return Err(code::ERROR_INVALID_HANDLE);
        }
        match state.target(stream)? {
            Target::Capture(capture) => state.capture_record(capture, stream, &event),
            _ => {
                let record = event.ask();
                state.submit(stream, Work::Record(event, record))
            }
        }
    })
}

fn uncaptured(event: &Event) -> Result<(), Code> {
    if event.capture().is_some() { Err(code::ERROR_CAPTURED_EVENT) } else { Ok(()) }
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuEventQuery(event: Handle) -> Code {
    call(|state| {
        let event = find(state, event)?;
        uncaptured(&event)?;
        state.healthy(event.device)?;
        let record = event.asked();
        if event.has_reached(record) {
            return Ok(());
        }
        // Whoever asks again and again gets there.
        if state.random.below(2) == 0 {
            state.drain_event(&event, record);
        }
        Err(code::ERROR_NOT_READY)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuEventSynchronize(event: Handle) -> Code {
    call(|state| {
        let event = find(state, event)?;
        uncaptured(&event)?;
        state.healthy(event.device)?;
        let record = event.asked();
        state.drain_event(&event, record);
        state.healthy(event.device)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuEventElapsedTime(milliseconds: *mut f32, start: Handle, end: Handle) -> Code {
    call(|state| {
        let (start, end) = (find(state, start)?, find(state, end)?);
        let never = start.asked() == 0 || end.asked() == 0;
        if start.device != end.device || !start.timing || !end.timing || never {
            return Err(code::ERROR_INVALID_HANDLE);
        }
        if !start.has_reached(start.asked()) || !end.has_reached(end.asked()) {
            return Err(code::ERROR_NOT_READY);
        }
        let nanoseconds = end.time() as f64 - start.time() as f64;
        // SAFETY: the caller's contract.
        unsafe { give(milliseconds, (nanoseconds / 1e6) as f32) }
    })
}
