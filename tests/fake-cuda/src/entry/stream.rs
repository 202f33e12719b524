use std::collections::VecDeque;
use std::ffi::{c_int, c_uint, c_void};

use super::{call, give};
use crate::code::{self, Code};
use crate::state::capture::MODE;
use crate::state::context::Context;
use crate::state::stream::{Stream, Target};
use crate::state::work::Work;
use crate::state::{Handle, State};

fn create(state: &mut State, flags: c_uint, priority: c_int) -> Result<Handle, Code> {
    let device = state.current()?;
    if flags > 1 {
        return Err(code::ERROR_INVALID_VALUE);
    }
    let handle = state.handle();
    let priority = priority.clamp(-5, 0);
    let queue = VecDeque::new();
    let stream = Stream { device, blocking: flags == 0, priority, queue, capture: 0, destroyed: false };
    state.streams.insert(handle, stream);
    Ok(handle)
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuStreamCreate(stream: *mut Handle, flags: c_uint) -> Code {
    // SAFETY: the caller's contract.
    call(|state| unsafe { give(stream, create(state, flags, 0)?) })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuStreamCreateWithPriority(stream: *mut Handle, flags: c_uint, priority: c_int) -> Code {
    // SAFETY: the caller's contract.
    call(|state| unsafe { give(stream, create(state, flags, priority)?) })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuStreamDestroy_v2(stream: Handle) -> Code {
    call(|state| {
        state.current()?;
        state.destroy_stream(stream)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuStreamQuery(stream: Handle) -> Code {
    call(|state| match state.target(stream)? {
        Target::Default(_) => Ok(()),
        Target::Stream(stream) if state.stream(stream)?.queue.is_empty() => Ok(()),
        Target::Stream(stream) => {
            // Whoever asks again and again gets there.
            if state.random.below(2) == 0 {
                state.drain_stream(stream);
            }
            Err(code::ERROR_NOT_READY)
        }
        Target::Capture(capture) => Err(state.invalidate(capture, code::ERROR_STREAM_CAPTURE_UNSUPPORTED)),
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuStreamSynchronize(stream: Handle) -> Code {
    call(|state| {
        state.current()?;
        state.wait_for_stream(stream)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuStreamWaitEvent(stream: Handle, event: Handle, flags: c_uint) -> Code {
    call(|state| {
        let event = state.events.get(&event).ok_or(code::ERROR_INVALID_HANDLE)?.clone();
        if flags != 0 {
            return Err(code::ERROR_INVALID_VALUE);
        }
        let captured = event.capture().clone();
        let target = state.target(stream)?;
        match (captured, target) {
            (Some(_), Target::Default(_)) => Err(code::ERROR_STREAM_CAPTURE_IMPLICIT),
            (Some((capture, before)), _) => state.capture_wait(capture, stream, &before),
            // A graph cannot wait for what is outside of it.
            (None, Target::Capture(capture)) => match event.asked() {
                0 => Ok(()),
                _ => Err(state.invalidate(capture, code::ERROR_STREAM_CAPTURE_ISOLATION)),
            },
            (None, Target::Default(_)) => {
                let record = event.asked();
                state.drain_event(&event, record);
                Ok(())
            }
            (None, Target::Stream(_)) => {
                let record = event.asked();
                state.submit(stream, Work::Wait(event, record))
            }
        }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuStreamGetPriority(stream: Handle, priority: *mut c_int) -> Code {
    // SAFETY: the caller's contract.
    call(|state| unsafe { give(priority, state.stream(stream)?.priority) })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuStreamGetCtx(stream: Handle, context: *mut Handle) -> Code {
    // SAFETY: the caller's contract.
    call(|state| unsafe { give(context, Context::handle(state.stream(stream)?.device)) })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuStreamBeginCapture_v2(stream: Handle, mode: c_int) -> Code {
    call(|state| {
        state.current()?;
        state.begin_capture(stream, mode)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuStreamEndCapture(stream: Handle, graph: *mut Handle) -> Code {
    call(|state| {
        state.current()?;
        let found = state.end_capture(stream);
        // SAFETY: the caller's contract.
        unsafe { give(graph, *found.as_ref().unwrap_or(&0)) }?;
        found.map(|_| ())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuStreamIsCapturing(stream: Handle, status: *mut c_int) -> Code {
    call(|state| {
        let capture = if stream == 0 { 0 } else { state.stream(stream)?.capture };
        let found = match state.captures.get(&capture) {
            None => 0,
            Some(capture) if capture.invalid => 2,
            Some(_) => 1,
        };
        // SAFETY: the caller's contract.
        unsafe { give(status, found) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuThreadExchangeStreamCaptureMode(mode: *mut c_int) -> Code {
    call(|_| {
        if mode.is_null() {
            return Err(code::ERROR_INVALID_VALUE);
        }
        // SAFETY: the caller's contract.
        let new = unsafe { mode.read() };
        if !(0..=2).contains(&new) {
            return Err(code::ERROR_INVALID_VALUE);
        }
        // SAFETY: the caller's contract.
        unsafe { give(mode, MODE.replace(new)) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuLaunchHostFunc(
    stream: Handle,
    function: Option<unsafe extern "C" fn(*mut c_void)>,
    data: *mut c_void,
) -> Code {
    call(|state| {
        let function = function.ok_or(code::ERROR_INVALID_VALUE)?;
        state.submit(stream, Work::Call { function, data })
    })
}
