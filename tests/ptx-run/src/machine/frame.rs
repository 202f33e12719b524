//! Frames: what a function's slots hold when it begins, calls and returns.

use super::block::Surroundings;
use super::thread::{Checked, Frame, State, Thread, Value, trouble};
use crate::code::{Fixed, FunctionCode, Special, Transfer};

/// Calls deeper than this are surely endless.
const DEEPEST: usize = 1 << 12;

impl Surroundings<'_> {
    /// Appends the frame of a function.
    fn open(&self, thread: &mut Thread, function: usize) {
        let code = &self.program.functions[function];
        let values = thread.values.len();
        thread.values.resize(values + code.slots(), Value::default());
        let params = thread.params.len();
        thread.params.resize(params + code.param_size);
        let locals = thread.locals.len().next_multiple_of(16);
        thread.locals.resize(locals + code.local_size);
        thread.frame = Frame { function, values, params, locals, ..thread.frame };
        self.fill_fixed(thread, code);
    }

    fn fill_fixed(&self, thread: &mut Thread, code: &FunctionCode) {
        for (slot, fixed) in &code.fixed {
            let bits = match *fixed {
                Fixed::Bits(bits) => bits,
                Fixed::Special(special) => self.special(thread, special),
                Fixed::Global(offset) => self.globals.wrapping_add(offset),
                Fixed::Shared(variable, offset) => self.shared_places[variable].wrapping_add_signed(offset),
                Fixed::Local(offset) => super::space::FIRST.wrapping_add(thread.frame.locals as u64 + offset),
            };
            thread.set(*slot, bits);
        }
    }

    fn special(&self, thread: &Thread, special: Special) -> u64 {
        let lane = thread.index % 32;
        let up_to = |lane: u32| u32::MAX >> (31 - lane);
        let bits = match special {
            Special::Thread(axis) => thread.id[axis],
            Special::ThreadCount(axis) => self.shape[axis],
            Special::Block(axis) => self.block[axis],
            Special::BlockCount(axis) => self.grid[axis],
            Special::Lane => lane,
            Special::Warp => thread.index / 32,
            Special::LanesEqual => 1 << lane,
            Special::LanesBelow => up_to(lane) >> 1,
            Special::LanesUpTo => up_to(lane),
            Special::LanesAbove => !up_to(lane),
            Special::LanesFrom => !(up_to(lane) >> 1),
            Special::DynamicShared => self.dynamic_shared,
            Special::TotalShared => self.total_shared,
        };
        u64::from(bits)
    }

    /// Puts a thread at the begin of the entry.
    pub(super) fn begin(&self, thread: &mut Thread) {
        thread.values.clear();
        thread.params.clear(0);
        thread.locals.clear(0);
        thread.callers.clear();
        self.open(thread, self.function);
        thread.at = self.program.functions[self.function].start;
    }

    /// Enters a function.
    pub(super) fn call(&self, thread: &mut Thread, site: usize) -> Checked<()> {
        if thread.callers.len() >= DEEPEST {
            return trouble(format!("calls are nested deeper than {DEEPEST}."));
        }
        let caller = Frame { return_to: thread.at + 1, site, ..thread.frame };
        let site = &self.program.sites[site];
        self.open(thread, site.callee);
        for &input in &site.inputs {
            match input {
                // What the caller never wrote stays unwritten: the function may not read it.
                Transfer::Register { from, to } => {
                    let value = thread.values[caller.values + from as usize];
                    thread.values[thread.frame.values + to as usize] = value;
                }
                Transfer::Bytes { from, to, size } => {
                    thread.params.copy(caller.params + from, thread.frame.params + to, size);
                }
                Transfer::Value { from, to, size } => {
                    let value = thread.values[caller.values + from as usize];
                    if value.known {
                        thread.params.write(thread.frame.params + to, &value.bits.to_le_bytes()[..size]);
                    }
                }
            }
        }
        thread.callers.push(caller);
        thread.at = self.program.functions[site.callee].start;
        Ok(())
    }

    /// Leaves a function, or ends the thread where it is the entry.
    pub(super) fn leave(&self, thread: &mut Thread) {
        let Some(caller) = thread.callers.pop() else {
            thread.state = State::Exited;
            return;
        };
        for &output in &self.program.sites[caller.site].outputs {
            match output {
                Transfer::Register { from, to } => {
                    let value = thread.values[thread.frame.values + from as usize];
                    thread.values[caller.values + to as usize] = value;
                }
                Transfer::Bytes { from, to, size } => {
                    thread.params.copy(thread.frame.params + from, caller.params + to, size);
                }
                // Results go where they came from: into bytes out of bytes.
                Transfer::Value { .. } => {}
            }
        }
        thread.values.truncate(thread.frame.values);
        thread.params.resize(thread.frame.params);
        thread.locals.resize(thread.frame.locals);
        thread.at = caller.return_to;
        thread.frame = caller;
    }
}
