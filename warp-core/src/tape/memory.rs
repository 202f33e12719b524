//! Memory as a tape knows it: also when nobody holds it any more.

use std::sync::{Arc, Weak};

use crate::array::buffer::Buffer;
use crate::backend::Address;
use crate::device::Device;
use crate::error::Error;

/// A buffer that the tape does not keep alive: where nothing needs its contents, they may go.
#[derive(Clone, Debug)]
pub struct Memory {
    buffer: Weak<Buffer>,
    pub(crate) device: Device,
    pub(crate) address: Address,
    pub(crate) bytes: usize,
}

impl Memory {
    pub(crate) fn of(buffer: &Arc<Buffer>) -> Memory {
        Memory {
            buffer: Arc::downgrade(buffer),
            device: buffer.device().clone(),
            address: buffer.address(),
            bytes: buffer.bytes(),
        }
    }

    /// Tells buffers apart, for as long as somebody has a `Memory` of each.
    pub(crate) fn key(&self) -> usize {
        self.buffer.as_ptr() as usize
    }

    /// The buffer, if it still lives.
    pub(crate) fn buffer(&self) -> Option<Arc<Buffer>> {
        self.buffer.upgrade()
    }

    /// Whether no array lies in it any more, so that nobody will ask what belongs to it.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.buffer().is_none_or(|buffer| buffer.is_abandoned())
    }

    /// Zeroed memory of the same size on the same device.
    pub(crate) fn twin(&self) -> Result<Arc<Buffer>, Error> {
        Buffer::zeroed(&self.device, self.bytes)
    }
}

/// What a backward pass found for a buffer.
#[derive(Clone, Debug)]
pub(crate) enum Published {
    /// Nothing flowed to it.
    Zero,
    /// Its gradient, byte for byte where its elements are.
    Found(Arc<Buffer>),
}

impl Published {
    /// The gradient's memory, made now where it is zero.
    pub(crate) fn memory(&mut self, of: &Memory) -> Result<Arc<Buffer>, Error> {
        if let Published::Zero = self {
            *self = Published::Found(of.twin()?);
        }
        match self {
            Published::Found(found) => Ok(found.clone()),
            Published::Zero => of.twin(),
        }
    }
}
