//! Loaded code.

use std::sync::Arc;

use super::{Handle, State};
use crate::code::{self, Code as ResultCode};
use crate::device::BLOCK_THREADS;
use crate::machine;

/// A text that was read.
pub type Code = machine::Program;

/// A module in a context.
pub struct Loaded {
    pub device: usize,
    pub program: Arc<Code>,
    /// Where its variables lie; 0 without any.
    pub globals: u64,
}

/// An entry of a module.
#[derive(Clone)]
pub struct Function {
    pub module: Handle,
    pub name: String,
    /// Bytes of shared memory that launches may ask for.
    pub dynamic_shared: i32,
}

impl Loaded {
    /// Most threads of a block of an entry.
    pub fn block_threads(&self, entry: &str) -> u32 {
        self.program.most_threads(entry).unwrap_or(BLOCK_THREADS).min(BLOCK_THREADS)
    }
}

impl State {
    /// A function whose module is alive, in the current context.
    pub fn function(&self, handle: Handle) -> Result<(&Function, &Loaded), ResultCode> {
        let current = self.current()?;
        let function = self.functions.get(&handle).ok_or(code::ERROR_INVALID_HANDLE)?;
        let module = self.modules.get(&function.module).ok_or(code::ERROR_INVALID_HANDLE)?;
        if module.device == current { Ok((function, module)) } else { Err(code::ERROR_INVALID_CONTEXT) }
    }
}
