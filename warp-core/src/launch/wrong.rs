//! What can be wrong with a launch before it runs, in words.

use std::sync::Arc;

use super::{Launcher, Use};
use crate::array::dims::spoken;
use crate::device::Device;
use crate::error::Error;
use crate::kernel::Definition;
use crate::program::Loaded;
use crate::stream::Stream;

impl<'a> Launcher<'a, '_> {
    /// A buffer is in use already. Finds out by whom and complains.
    #[cold]
    pub(super) fn share(&mut self, new: Use<'a>) -> bool {
        if new.buffer.has_ended() {
            self.complain(|_, _| Error::LoanEnded);
            return false;
        }
        let earlier = self.uses.as_slice().iter().position(|u| {
            Arc::ptr_eq(u.buffer, new.buffer) && u.span.overlaps(new.span) && (u.kind.write || new.kind.write)
        });
        self.complain(|definition, argument| {
            let kernel = definition.name().into();
            match earlier {
                Some(k) => Error::Overlap { kernel, first: definition.array_name(k), second: argument, both: false },
                None => Error::ArgumentBusy { kernel, argument },
            }
        });
        if let (Some(k), Some(Error::Overlap { both, .. })) = (earlier, self.wrong.as_deref_mut()) {
            *both = new.kind.write && self.uses.as_slice()[k].kind.write;
        }
        false
    }

    #[cold]
    pub(super) fn mixed(&mut self, found: &Device) {
        let (first, first_device) = match (&self.options.device, self.uses.as_slice().first()) {
            (None, Some(first)) => (format!("argument `{}`", self.definition.array_name(0)), first.buffer.device()),
            (device, _) => ("the launch".into(), device.as_ref().unwrap_or(found)),
        };
        let (first_device, second_device) = (first_device.to_string(), found.to_string());
        self.complain(|definition, second| Error::MixedDevices {
            kernel: definition.name().into(),
            first,
            first_device,
            second,
            second_device,
        });
    }

    /// Keeps the first thing that is wrong; `make` gets the name of the argument that is being added.
    #[cold]
    pub(super) fn complain(&mut self, make: impl FnOnce(&'static Definition, String) -> Error) {
        if self.wrong.is_none() {
            let argument = self.definition.array_name(self.uses.as_slice().len());
            self.wrong = Some(Box::new(make(self.definition, argument)));
        }
    }

    #[cold]
    pub(super) fn too_large(&self, dims: &[usize]) -> Error {
        Error::LaunchTooLarge { kernel: self.definition.name().into(), dims: spoken(dims) }
    }

    #[cold]
    pub(super) fn misfit(&self, loaded: &Loaded, rank: usize) -> Error {
        let reason = format!(
            "its code takes {} dimensions, {} arrays and {:?} words, its launch gives {rank}, {} and {:?}",
            loaded.rank,
            loaded.arrays.len(),
            loaded.words,
            self.uses.as_slice().len(),
            (self.arrays.as_slice().len(), self.values.as_slice().len())
        );
        Error::BadKernel { kernel: self.definition.name().into(), reason }
    }

    #[cold]
    pub(super) fn other_stream(&self, device: &Device, stream: &Stream) -> Error {
        Error::OtherStream {
            kernel: self.definition.name().into(),
            device: device.name().into(),
            found: stream.device().name().into(),
        }
    }

    /// The macros see to it that code and signature name the same types; this stands behind them.
    #[cold]
    pub(super) fn wrong_kind(&self, loaded: &Loaded, k: usize) -> Error {
        let argument = self.definition.array_name(k);
        let (code, given) = (loaded.arrays[k], self.uses.as_slice()[k].kind);
        let reason = format!("its code takes {code} for `{argument}`, and its launch gives {given}");
        Error::BadKernel { kernel: self.definition.name().into(), reason }
    }
}
