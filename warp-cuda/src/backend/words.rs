//! The parameter of a launch: its words, or where they lie.

use std::ffi::c_void;

use warp_ir::emit::ptx::abi::LaunchWords;

use crate::error::Error;
use crate::memory::Memory;
use crate::stream::Stream;

/// The words of a launch, by value, or by the address of a copy on the device where they are too many.
pub(super) struct Parameter {
    words: Vec<u64>,
    /// The copy, and the word that holds its address.
    away: Option<(Memory, u64)>,
}

impl Parameter {
    pub(super) fn new(
        stream: &Stream,
        layout: &LaunchWords,
        arguments: &[u64],
        launch: &[u64],
    ) -> Result<Parameter, Error> {
        let words = [arguments, launch].concat();
        if !layout.by_address() {
            return Ok(Parameter { words, away: None });
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut memory = stream.allocate(bytes.len())?;
        stream.upload(&mut memory, 0, &bytes)?;
        let address = memory.address();
        Ok(Parameter { words, away: Some((memory, address)) })
    }

    /// What the launch is given: a pointer to the words, or to the address of them.
    pub(super) fn pointer(&mut self) -> *mut c_void {
        match &mut self.away {
            Some((_, address)) => (&raw mut *address).cast(),
            None => self.words.as_mut_ptr().cast(),
        }
    }
}
