//! The way back: from the last operation to the first.

use super::error::TapeError;
use super::gradients::Gradients;
use super::step::{Copied, Entry, Launch, Overwritten, Step, ordinal};
use crate::adjoint::{Loaded, Reverse, Role};
use crate::array::buffer::Buffer;
use crate::backend::{Call, LaunchStop};
use crate::device::Device;
use crate::error::Error;
use crate::fault::Fault;
use crate::print::Collector;
use std::sync::Arc;

/// Brings gradients back through operations.
#[derive(Default, Debug)]
pub(crate) struct Backward {
    pub(crate) gradients: Gradients,
}

impl Backward {
    /// Goes back through an operation. `position` is its place on the tape.
    pub(crate) fn step(&mut self, position: usize, entry: &Entry) -> Result<(), Error> {
        match &*entry.step {
            Step::Launch(launch) => self.launch(position, launch, entry),
            Step::Copy(copied) => self.copy(copied),
            Step::Overwrite(overwritten) => self.overwrite(overwritten),
        }
    }

    /// What was copied adds to what it came from; what it overwrote had no other use.
    fn copy(&mut self, copied: &Copied) -> Result<(), Error> {
        let (to, from) = (&copied.to, &copied.from);
        if !self.gradients.is_live(&to.memory, to.span) {
            return Ok(());
        }
        let gradient = self.gradients.mirror(&to.memory)?;
        if copied.detached {
            to.zero(&gradient)?;
        } else {
            let source = self.gradients.mirror(&from.memory)?;
            from.add(&source, to, &gradient, true)?;
            self.gradients.enliven(&from.memory, from.span);
        }
        self.emptied(to);
        Ok(())
    }

    /// What was overwritten had no other use.
    fn overwrite(&mut self, overwritten: &Overwritten) -> Result<(), Error> {
        let region = &overwritten.region;
        if self.gradients.is_live(&region.memory, region.span) {
            region.zero(&*self.gradients.mirror(&region.memory)?)?;
            self.emptied(region);
        }
        Ok(())
    }

    /// The gradient of a region is zero now; what lies between its elements is not.
    fn emptied(&mut self, region: &super::region::Region) {
        if region.is_dense() {
            self.gradients.quiet(&region.memory, region.span);
        }
    }

    fn launch(&mut self, position: usize, launch: &Launch, entry: &Entry) -> Result<(), Error> {
        if launch.is_empty() || launch.args.is_empty() {
            return Ok(());
        }
        let definition = launch.definition;
        let live = |k: usize| {
            let arg = &launch.args[k];
            arg.kind.write && arg.has_floats() && self.gradients.is_live(&arg.memory, arg.span)
        };
        let written: Vec<usize> = (0..launch.args.len()).filter(|&k| live(k)).collect();
        if written.is_empty() {
            return Ok(());
        }
        let reverse = definition.reverse(false)?;
        if let Reverse::Adjoint(adjoint) = reverse
            && !written.iter().any(|&k| adjoint.arrays[k].written)
        {
            return Ok(());
        }
        let overlapping = overlapping(launch);
        let device = &launch.args[0].memory.device;
        let Some(loaded) = definition.adjoint(device, overlapping)? else {
            return Err(refused(position, launch, definition.reverse(overlapping)?));
        };
        self.run(position, launch, entry, &loaded, device)
    }

    /// Runs the adjoint of a launch.
    fn run(
        &mut self,
        position: usize,
        launch: &Launch,
        entry: &Entry,
        loaded: &Loaded,
        device: &Device,
    ) -> Result<(), Error> {
        let mut words = Vec::with_capacity(2 * launch.words.len() + launch.values.len());
        let mut located = Vec::new();
        let mut kept: Vec<Arc<Buffer>> = Vec::new();
        for role in &loaded.roles {
            // How far the memory of this array is from that of the primal's.
            let (k, away) = match *role {
                Role::Primal(k) if wants(&loaded.arrays[k]) && launch.args[k].span.start < launch.args[k].span.end => {
                    let arg = &launch.args[k];
                    let value = match entry.needs.get(k) {
                        Some(Some(value)) => value.locate()?,
                        _ => None,
                    };
                    let value = value.filter(|value| value.copied || !loaded.arrays[k].scratch);
                    let value = value.ok_or_else(|| gone(position, launch, k))?;
                    let home = arg.memory.address + arg.span.start as u64;
                    let away = value.address.wrapping_sub(home);
                    located.push(value);
                    (k, away)
                }
                Role::Primal(k) => (k, 0),
                Role::Gradient(k) if launch.args[k].detached => {
                    let arg = &launch.args[k];
                    let nowhere = Buffer::zeroed(device, arg.span.end - arg.span.start)?;
                    let away = nowhere.address().wrapping_sub(arg.memory.address + arg.span.start as u64);
                    kept.push(nowhere);
                    (k, away)
                }
                Role::Gradient(k) => {
                    let arg = &launch.args[k];
                    let mirror = self.gradients.mirror(&arg.memory)?;
                    self.gradients.enliven(&arg.memory, arg.span);
                    let away = mirror.address().wrapping_sub(arg.memory.address);
                    kept.push(mirror);
                    (k, away)
                }
            };
            let place = &loaded.words[k];
            let array = &launch.words[place.words.clone()];
            words.extend(array[..place.addresses].iter().map(|address| address.wrapping_add(away)));
            words.extend_from_slice(&array[place.addresses..]);
        }
        words.extend_from_slice(&launch.values);
        let printer = Collector::new();
        let call = Call { words: &words, dims: &launch.dims, threads: launch.threads, printer: &printer };
        // SAFETY: the adjoint has the arrays that `roles` says, each of the kind that its primal had, and its values;
        // contents are held for reading or copies of this tape alone, gradients are this pass's alone, and where those
        // of two arguments overlap, this is the variant that adds to them atomically.
        let done = unsafe { loaded.executable.launch(&call) };
        printer.finish();
        done.map_err(|stop| stopped(stop, position, launch, loaded, device))
    }
}

/// Whether the adjoint reads what an array held.
pub(crate) fn wants(need: &warp_ir::differentiate::ArrayNeed) -> bool {
    need.contents
}

/// Whether gradients of two arguments share memory.
fn overlapping(launch: &Launch) -> bool {
    let flows = |k: usize| launch.args[k].has_floats() && !launch.args[k].detached;
    (0..launch.args.len()).filter(|&k| flows(k)).any(|k| {
        let arg = &launch.args[k];
        let meets =
            |j: usize| launch.args[j].memory.key() == arg.memory.key() && launch.args[j].span.overlaps(arg.span);
        (0..k).any(|j| flows(j) && meets(j))
    })
}

fn gone(position: usize, launch: &Launch, k: usize) -> Error {
    let (argument, kernel) = (launch.name_of(k), launch.definition.name().into());
    TapeError::Gone { argument, kernel, position: ordinal(position) }.into()
}

fn refused(position: usize, launch: &Launch, reverse: &Reverse) -> Error {
    let (place, reason) = match reverse {
        Reverse::Refused { place, reason } => (place.clone(), reason.clone()),
        Reverse::Adjoint(_) => Default::default(),
    };
    let kernel = launch.definition.name().into();
    TapeError::Refused { kernel, position: ordinal(position), place, reason }.into()
}

fn stopped(stop: LaunchStop, position: usize, launch: &Launch, loaded: &Loaded, device: &Device) -> Error {
    let name = launch.definition.name();
    match stop {
        LaunchStop::Fault { thread, kind, source, operands, count } => {
            let function = &loaded.program.kernel.function;
            let spec = &launch.definition.spec;
            let fault = Fault::of_launch(spec, function, &launch.dims, thread, kind, source, operands, count);
            TapeError::Fault { position: ordinal(position), fault: Box::new(fault) }.into()
        }
        LaunchStop::Backend(source) => device.failed(&format!("going back through kernel `{name}`"), source),
    }
}
