//! Primary contexts, and which one a thread works in.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::{Handle, State};
use crate::code::{self, Code};

/// The primary context of a device.
pub struct Context {
    pub device: usize,
    /// Who takes part in it; none: it is not there.
    pub shares: u64,
    pub flags: u32,
    /// What a kernel did to it: every call gets this code from then on.
    pub poison: Option<Code>,
    /// Devices whose memory it may use.
    pub peers: BTreeSet<usize>,
    /// Bytes of the device's memory that are taken.
    pub taken: u64,
}

thread_local! {
    /// Nothing to drop, so that it is there as long as the thread: its last destructors may give memory back.
    static STACK: Cell<Stack> = const { Cell::new(Stack { handles: [0; DEEPEST], depth: 0 }) };
}

/// How many contexts a thread may have on top of each other.
const DEEPEST: usize = 32;

/// Contexts of a thread, the current one last.
#[derive(Clone, Copy)]
struct Stack {
    handles: [Handle; DEEPEST],
    depth: usize,
}

impl Stack {
    fn top(&self) -> Option<Handle> {
        self.depth.checked_sub(1).map(|last| self.handles[last])
    }

    fn push(&mut self, handle: Handle) {
        self.handles[self.depth] = handle;
        self.depth += 1;
    }

    fn pop(&mut self) -> Option<Handle> {
        let top = self.top()?;
        self.depth -= 1;
        Some(top)
    }
}

/// Changes the stack of this thread.
fn with_stack<A>(change: impl FnOnce(&mut Stack) -> A) -> A {
    let mut stack = STACK.get();
    let done = change(&mut stack);
    STACK.set(stack);
    done
}

impl Context {
    pub fn new(device: usize) -> Context {
        Context { device, shares: 0, flags: 0, poison: None, peers: BTreeSet::new(), taken: 0 }
    }

    /// The context's name is the device's for good, as with the real one.
    pub fn handle(device: usize) -> Handle {
        0x0c00_0000 + 0x40 * (device as Handle + 1)
    }
}

/// The thread's context, whether it is alive or not; 0 for none.
pub fn current_handle() -> Handle {
    STACK.get().top().unwrap_or(0)
}

pub fn set_current(handle: Handle) {
    with_stack(|stack| {
        stack.pop();
        if handle != 0 {
            stack.push(handle);
        }
    });
}

pub fn push(handle: Handle) {
    with_stack(|stack| stack.push(handle));
}

pub fn pop() -> Option<Handle> {
    with_stack(Stack::pop)
}

impl State {
    /// The device of a context's handle.
    pub fn device_of(&self, context: Handle) -> Result<usize, Code> {
        (0..self.contexts.len()).find(|&device| Context::handle(device) == context).ok_or(code::ERROR_INVALID_CONTEXT)
    }

    /// The device that this thread works on; its context is alive and well.
    pub fn current(&self) -> Result<usize, Code> {
        let device = self.device_of(current_handle())?;
        self.healthy(device)?;
        Ok(device)
    }

    /// A context that is alive and well.
    pub fn healthy(&self, device: usize) -> Result<(), Code> {
        let context = &self.contexts[device];
        match (context.shares, context.poison) {
            (0, _) => Err(code::ERROR_CONTEXT_IS_DESTROYED),
            (_, Some(code)) => Err(code),
            _ => Ok(()),
        }
    }

    /// A share of the context goes; with the last one all that is in it.
    pub fn release(&mut self, device: usize) -> Result<(), Code> {
        let context = self.contexts.get_mut(device).ok_or(code::ERROR_INVALID_DEVICE)?;
        if context.shares == 0 {
            return Err(code::ERROR_INVALID_CONTEXT);
        }
        context.shares -= 1;
        if context.shares == 0 {
            if self.contexts[device].poison.is_none() {
                self.drain_device(device);
            }
            let live = self.live_on(device);
            self.leaked.add(live);
            self.destroy_context(device);
        }
        Ok(())
    }

    fn destroy_context(&mut self, device: usize) {
        self.streams.retain(|_, stream| stream.device != device);
        self.events.retain(|_, event| event.device != device);
        self.modules.retain(|_, module| module.device != device);
        let modules: Vec<Handle> = self.modules.keys().copied().collect();
        self.functions.retain(|_, function| modules.contains(&function.module));
        self.space.forget(device);
        self.contexts[device] = Context::new(device);
    }
}
