//! A launch whose arguments are right: at once, in a queue, into a graph, in sight of tapes, or as a tangent.

use std::sync::Arc;

use warp_ir::ir::Kernel;

use super::{Inline, Launched, Launcher, Use, stopped, told_first};
use crate::backend::{Call, Executable, How, Origin, Queue, Queued};
use crate::device::Device;
use crate::error::Error;
use crate::forward::{self, Forward};
use crate::graph::{capture, node};
use crate::print::Collector;
use crate::profile::{self, Label};
use crate::program::Loaded;
use crate::stream::{self, order};
use crate::tape::{self, Arg, Memory, Step, TapeError, recorder};

impl<'a> Launcher<'a, '_> {
    #[inline]
    pub(super) fn run_checked(&mut self, loaded: &'static Loaded, device: &Device, dims: &[u64]) -> Result<(), Error> {
        match recorder::recording() {
            true => self.run_recorded(loaded, device, dims),
            false => self.run_plain(loaded, device, dims),
        }
    }

    /// Runs with nobody watching: on a device that queues, the launch is queued.
    #[inline]
    fn run_plain(&mut self, loaded: &'static Loaded, device: &Device, dims: &[u64]) -> Result<(), Error> {
        if !device.queues() {
            return self.execute(&*loaded.executable, &loaded.program.kernel, device, dims, &[], None);
        }
        // Tangents have to know whether it went well, and prints are handed over at the end.
        let waits = forward::running() || loaded.prints();
        if !waits && let Some(queue) = stream::chosen(device, self.options.stream.as_ref()) {
            return self.run_queued(loaded, device, dims, &queue);
        }
        let done = self.execute(&*loaded.executable, &loaded.program.kernel, device, dims, &[], None);
        told_first(device, done)
    }

    #[cold]
    fn run_queued(
        &mut self,
        loaded: &'static Loaded,
        device: &Device,
        dims: &[u64],
        queue: &Arc<dyn Queue>,
    ) -> Result<(), Error> {
        let origin: Origin = Arc::new(Launched { definition: self.definition, loaded, dims: dims.to_vec() });
        let queued = Queued { queue, origin: &origin };
        let done = self.execute(&*loaded.executable, &loaded.program.kernel, device, dims, &[], Some(queued));
        // Whoever measures it has waited for it.
        if profile::is_heard() { told_first(device, done) } else { done }
    }

    /// Becomes a part of the graph that is recorded.
    #[cold]
    pub(super) fn capture(&self, loaded: &'static Loaded, device: &Device, dims: &[u64]) -> Result<(), Error> {
        let words = self.arrays.as_slice().iter().chain(self.values.as_slice()).copied().collect();
        let (definition, how) = (self.definition, self.options.how());
        let bytes = bytes_of(self.uses.as_slice());
        let launch = node::Launch { definition, loaded, words, dims: dims.to_vec(), how, bytes };
        let uses = self.uses.as_slice().iter().map(|u| (u.buffer, u.span, u.kind.write));
        capture::push(device, node::Node::Launch(launch), uses)
    }

    /// Runs the kernel's tangent in its place: on the same arguments, and behind them the twins of the arrays of floats
    /// and the tangents of scalars, zero where none was given.
    #[cold]
    pub(super) fn run_forward(&mut self, device: &Device, dims: &[u64]) -> Result<(), Error> {
        let kernel = || self.definition.name().into();
        let known = match self.definition.forward()? {
            Forward::Known(known) => known,
            Forward::Refused { place, reason } => {
                let (place, reason) = (place.clone(), reason.clone());
                return Err(TapeError::NoTangent { kernel: kernel(), place, reason }.into());
            }
        };
        let changing: Vec<Use<'a>> = known.arrays.iter().map(|&k| self.uses.as_slice()[k]).collect();
        changing.iter().filter(|u| !u.detached).try_for_each(|u| forward::notice(u.buffer, u.span))?;
        let twins = forward::twins(changing.iter().map(|u| (u.buffer, u.detached)))?;
        let uses = std::mem::replace(&mut self.uses, Inline::new());
        let mut dual = Launcher::empty(&known.definition, self.options);
        dual.uses = uses;
        self.arrays.as_slice().iter().for_each(|&word| dual.arrays.push(word));
        self.values.as_slice().iter().for_each(|&word| dual.values.push(word));
        for ((&k, u), twin) in known.arrays.iter().zip(&changing).zip(&twins) {
            let words = &self.arrays.as_slice()[known.words[k].words.clone()];
            let away = twin.address().wrapping_sub(u.buffer.address());
            for (at, &word) in words.iter().enumerate() {
                dual.arrays.push(if at < known.words[k].addresses { word.wrapping_add(away) } else { word });
            }
            dual.take(twin, u.span, u.kind, u.detached);
        }
        forward::seeded_values(self.definition, &known.scalars).into_iter().for_each(|bits| dual.values.push(bits));
        if let Some(wrong) = dual.wrong.take() {
            return Err(*wrong);
        }
        let loaded = known.definition.load(device)?;
        let words = (dual.arrays.as_slice().len(), dual.values.as_slice().len());
        let fit = dual.uses.as_slice().iter().zip(&loaded.arrays).all(|(u, array)| array.fits(&u.kind));
        if loaded.rank != dims.len()
            || loaded.arrays.len() != dual.uses.as_slice().len()
            || loaded.words != words
            || !fit
        {
            return Err(dual.misfit(loaded, dims.len()));
        }
        let done = dual.run_checked(loaded, device, dims);
        changing.iter().filter(|u| u.kind.write).for_each(|u| forward::wrote(u.buffer, u.span));
        done
    }

    /// Runs a kernel that takes the arguments of this launch, behind whose arrays come some more: it is queued, with
    /// `later`, or comes after all that is queued, and is waited for.
    #[inline]
    fn execute(
        &mut self,
        executable: &dyn Executable,
        kernel: &Kernel,
        device: &Device,
        dims: &[u64],
        more: &[u64],
        later: Option<Queued<'_>>,
    ) -> Result<(), Error> {
        more.iter().for_each(|&word| self.arrays.push(word));
        for &word in self.values.as_slice() {
            self.arrays.push(word);
        }
        for u in self.uses.as_slice().iter().filter(|u| u.kind.write) {
            u.buffer.writes().note(u.span);
        }
        match later {
            None => self.launch(executable, kernel, device, dims, None),
            Some(queued) => {
                let uses = self.uses.as_slice().iter().map(|u| (u.buffer, u.span, u.kind.write));
                order::ordered(device, queued.queue, uses, || self.launch(executable, kernel, device, dims, later))
            }
        }
    }

    #[inline]
    fn launch(
        &self,
        executable: &dyn Executable,
        kernel: &Kernel,
        device: &Device,
        dims: &[u64],
        queued: Option<Queued<'_>>,
    ) -> Result<(), Error> {
        let printer = Collector::new();
        let call = Call { words: self.arrays.as_slice(), dims, how: self.options.how(), printer: &printer, queued };
        // SAFETY: there are as many words as the program takes, and each array is of the kind that it takes in that place;
        // each is in use by this launch for as long as it runs, read or written as its parameter says, and overlaps no
        // written one.
        let uses = self.uses.as_slice();
        let label = || Label {
            kernel: &kernel.function.name,
            device: device.name(),
            threads: dims.iter().product(),
            bytes: bytes_of(uses),
        };
        let done = unsafe { profile::launch(executable, &call, label) };
        printer.finish();
        done.map_err(|stop| stopped(self.definition, stop, kernel, device, dims))
    }

    /// Runs in sight of the tapes of this thread.
    #[cold]
    fn run_recorded(&mut self, loaded: &Loaded, device: &Device, dims: &[u64]) -> Result<(), Error> {
        let step = self.step(dims);
        let own: Vec<_> = self.uses.as_slice().iter().map(|u| (u.buffer, u.span, u.kind.write)).collect();
        let recording = self.definition.recording(device)?;
        let mut pending = recorder::begin(&step, &own, true)?;
        let done = match recording {
            Some(recording) => {
                let words = pending.make_records(&recording, device, dims)?;
                self.execute(&*recording.executable, &recording.program.kernel, device, dims, &words, None)
            }
            None => self.execute(&*loaded.executable, &loaded.program.kernel, device, dims, &[], None),
        };
        let noted = recorder::end(pending, step, &own, done.is_err());
        told_first(device, done).and(noted)
    }

    /// No threads: tapes get to know the arrays all the same.
    #[inline]
    pub(super) fn record_nothing<const R: usize>(&self, dims: &[usize; R]) -> Result<(), Error> {
        if recorder::recording() {
            let step = self.step(&dims.map(|n| n as u64));
            return recorder::end(recorder::begin(&step, &[], true)?, step, &[], false);
        }
        Ok(())
    }

    /// This launch as it stands on a tape.
    fn step(&self, dims: &[u64]) -> Step {
        let uses = self.uses.as_slice().iter();
        let arg = |u: &Use<'_>| Arg { memory: Memory::of(u.buffer), span: u.span, kind: u.kind, detached: u.detached };
        Step::Launch(tape::Launch {
            definition: self.definition,
            dims: dims.to_vec(),
            // An adjoint has registers of its own.
            how: How { block: None, ..self.options.how() },
            words: self.arrays.as_slice().to_vec(),
            values: self.values.as_slice().to_vec(),
            args: uses.map(arg).collect(),
        })
    }
}

/// Bytes of array arguments.
fn bytes_of(uses: &[Use<'_>]) -> u64 {
    uses.iter().map(|u| (u.span.end - u.span.start) as u64).sum()
}
