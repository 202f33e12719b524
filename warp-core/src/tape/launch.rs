//! The way back through a launch.

use std::sync::Arc;

use warp_ir::abi::ArgWords;
use warp_ir::differentiate::{Adjoint, ArrayNeed, Given, LogArrays, Overlap};
use warp_ir::ir::{ArrayId, ArrayParam, Kernel, Scalar};

use super::backward::Backward;
use super::error::TapeError;
use super::region::READING;
use super::step::{Entry, Launch, ordinal};
use super::value::Located;
use crate::adjoint::{Loaded, Reverse, Role, Variant, dense_words, place};
use crate::array::buffer::Buffer;
use crate::backend::{Call, LaunchStop};
use crate::device::Device;
use crate::error::Error;
use crate::fault::Fault;
use crate::print::Collector;
use crate::profile::{self, Label};

impl Backward {
    pub(crate) fn launch(&mut self, position: usize, launch: &Launch, entry: &Entry) -> Result<(), Error> {
        if launch.is_empty() || launch.args.is_empty() {
            return Ok(());
        }
        let live = |k: &usize| {
            let arg = &launch.args[*k];
            arg.kind.write && arg.has_floats() && self.gradients.is_live(&arg.memory, arg.span)
        };
        let live: Vec<usize> = (0..launch.args.len()).filter(live).collect();
        if live.is_empty() {
            return Ok(());
        }
        let mut guarded = false;
        if let Reverse::Adjoint(adjoint) = launch.definition.reverse(Variant::default())? {
            if !live.iter().any(|&k| adjoint.arrays[k].written) {
                return Ok(());
            }
            guarded = self.guards.all && adjoint.unguarded;
        }
        let variant = Variant { overlapping: overlapping(launch), guarded };
        let adjoint = match launch.definition.reverse(variant)? {
            Reverse::Adjoint(adjoint) => adjoint,
            Reverse::Refused { place, reason } => return Err(refused(position, launch, place.clone(), reason.clone())),
        };
        let flows = adjoint.detached.iter().find(|of| !launch.args[of.array.0 as usize].detached);
        if let Some(refusal) = overlap(launch, adjoint).map(|o| &o.refusal).or(flows.map(|of| &of.refusal)) {
            let place = place(&launch.definition.spec, primal(launch)?, refusal);
            return Err(refused(position, launch, place, refusal.message.clone()));
        }
        let device = &launch.args[0].memory.device;
        let Some(loaded) = launch.definition.adjoint(device, variant)? else { return Ok(()) };
        self.guards.missed |= adjoint.unguarded;
        Way { position, launch, entry, adjoint, loaded: &loaded, device, keep: vec![], held: vec![] }.go(self)
    }
}

/// The way back through one launch.
struct Way<'a> {
    position: usize,
    launch: &'a Launch,
    entry: &'a Entry,
    adjoint: &'a Adjoint,
    loaded: &'a Loaded,
    device: &'a Device,
    /// Memory that has to last until it is over.
    keep: Vec<Arc<Buffer>>,
    held: Vec<Located>,
}

impl Way<'_> {
    fn go(mut self, backward: &mut Backward) -> Result<(), Error> {
        let launch = self.launch;
        let cells = self.cells()?;
        let logs = self.logs()?;
        let mut words = Vec::with_capacity(2 * launch.words.len() + launch.values.len());
        for (role, array) in self.loaded.roles.iter().zip(&self.loaded.program.kernel.function.arrays) {
            match *role {
                Role::Primal(k) => self.primal(k, &mut words)?,
                Role::Gradient(k) => self.gradient(k, backward, &mut words)?,
                Role::Scalar(k) => words.extend(dense_words(array, cells[k].address(), &[1])),
                Role::Record(k) => words.extend(self.record_words(k, array)?),
                Role::Starts(k) => words.extend(dense_words(array, logs[k].starts.address(), &launch.dims)),
                Role::Indices(k) => words.extend(logs[k].indices_words(array)),
                Role::Values(k) => words.extend(dense_words(array, logs[k].values.address(), &[logs[k].entries])),
            }
        }
        words.extend_from_slice(&launch.values);
        let printer = Collector::new();
        let call = Call { words: &words, dims: &launch.dims, how: launch.how, printer: &printer, queued: None };
        // SAFETY: the adjoint has the arrays that its roles say, each of the kind that it takes, and the values of its
        // primal; contents that it only reads are held or copies that nobody writes, those that it writes are this way's
        // alone, gradients are this pass's alone, and where those of two arguments overlap, this is the variant that adds
        // to them atomically.
        let label = || Label {
            kernel: &self.loaded.program.kernel.function.name,
            device: self.device.name(),
            threads: launch.dims.iter().product(),
            bytes: 2 * launch.bytes(),
        };
        let done = unsafe { profile::launch(&*self.loaded.executable, &call, label) };
        printer.finish();
        done.map_err(|stop| self.stopped(stop))?;
        let found: Result<Vec<f64>, Error> = cells.iter().map(|cell| read(cell)).collect();
        backward.scalars.insert(self.position, found?);
        Ok(())
    }

    /// The words of the primal's array `k`, whose contents are where they are found.
    fn primal(&mut self, k: usize, words: &mut Vec<u64>) -> Result<(), Error> {
        let (arg, need) = (&self.launch.args[k], &self.adjoint.arrays[k]);
        let mut away = 0;
        if wants(need) && arg.span.start < arg.span.end {
            let value = match self.entry.needs.get(k) {
                Some(Some(value)) => value.locate()?,
                _ => None,
            };
            let value = value.ok_or_else(|| self.gone(k))?;
            let address = if need.scratch {
                // Other tapes may share a copy, and go back at the same time; and a fault would leave it half taken back.
                let scratch = value.scratch(arg.span.end - arg.span.start)?;
                self.keep.push(scratch.clone());
                scratch.address()
            } else {
                value.address
            };
            away = address.wrapping_sub(arg.memory.address + arg.span.start as u64);
            self.held.push(value);
        }
        self.moved(k, away, words);
        Ok(())
    }

    /// The words of the gradient of array `k`.
    fn gradient(&mut self, k: usize, backward: &mut Backward, words: &mut Vec<u64>) -> Result<(), Error> {
        let arg = &self.launch.args[k];
        let (memory, home) = if arg.detached {
            let nowhere = Buffer::zeroed(self.device, arg.span.end - arg.span.start)?;
            (nowhere, arg.memory.address + arg.span.start as u64)
        } else {
            backward.gradients.enliven(&arg.memory, arg.span);
            (backward.gradients.mirror(&arg.memory)?, arg.memory.address)
        };
        self.moved(k, memory.address().wrapping_sub(home), words);
        self.keep.push(memory);
        Ok(())
    }

    /// The words of the primal's array `k`, with addresses so far away.
    fn moved(&self, k: usize, away: u64, words: &mut Vec<u64>) {
        let place = &self.loaded.words[k];
        let array = &self.launch.words[place.words.clone()];
        words.extend(array[..place.addresses].iter().map(|address| address.wrapping_add(away)));
        words.extend_from_slice(&array[place.addresses..]);
    }

    /// One `f64` for the gradient of each scalar.
    fn cells(&self) -> Result<Vec<Arc<Buffer>>, Error> {
        self.adjoint.scalars.iter().map(|_| Buffer::zeroed(self.device, size_of::<f64>())).collect()
    }

    /// The words of what the launch wrote down.
    fn record_words(&self, k: usize, array: &ArrayParam) -> Result<Vec<u64>, Error> {
        let (record, threads) = (self.record(k)?, self.launch.dims.iter().product::<u64>());
        match record.bytes() as u64 == threads * array.leaves[0].size() as u64 {
            true => Ok(dense_words(array, record.address(), &self.launch.dims)),
            false => Err(self.not_written()),
        }
    }

    /// What the launch wrote down.
    fn record(&self, k: usize) -> Result<&Arc<Buffer>, Error> {
        self.entry.records.get(k).map(|record| &record.memory).ok_or_else(|| self.not_written())
    }

    fn not_written(&self) -> Error {
        let kernel = self.launch.definition.name().into();
        Error::BadKernel { kernel, reason: "its gradient reads what its launch did not write down".into() }
    }

    fn gone(&self, k: usize) -> Error {
        let (argument, kernel) = (self.launch.name_of(k), self.launch.definition.name().into());
        TapeError::Gone { argument, kernel, position: ordinal(self.position) }.into()
    }

    fn stopped(&self, stop: LaunchStop) -> Error {
        let (launch, name) = (self.launch, self.launch.definition.name());
        match stop {
            LaunchStop::Fault { thread, kind, source, operands, count } => {
                let function = &self.loaded.program.kernel.function;
                let spec = &launch.definition.spec;
                let fault = Fault::of_launch(spec, function, &launch.dims, thread, kind, source, operands, count);
                TapeError::Fault { position: ordinal(self.position), fault: Box::new(fault) }.into()
            }
            LaunchStop::Backend(source) => self.device.failed(&format!("going back through kernel `{name}`"), source),
        }
    }
}

/// Memory for what the adjoint overwrites in loops, and takes back.
struct Log {
    starts: Arc<Buffer>,
    indices: Arc<Buffer>,
    values: Arc<Buffer>,
    entries: u64,
    /// Dimensions of the array that it is of.
    rank: u64,
}

impl Log {
    fn indices_words(&self, array: &ArrayParam) -> Vec<u64> {
        dense_words(array, self.indices.address(), &[self.entries * self.rank])
    }
}

/// Bytes of all logs of one launch, when the kernel does not say.
const UNDO_BYTES: u64 = 256 << 20;

/// What the launch has counted for a log.
struct Counts {
    starts: Vec<u8>,
    entries: u64,
    bytes: u64,
}

impl Way<'_> {
    /// Memory for the logs, of the size that the launch has counted.
    fn logs(&self) -> Result<Vec<Log>, Error> {
        let counts: Vec<Counts> = self.adjoint.logs.iter().map(|log| self.counts(log)).collect::<Result<_, _>>()?;
        let limit = self.adjoint.kernel.attributes.undo_bytes.unwrap_or(UNDO_BYTES);
        let bytes = counts.iter().fold(0, |sum: u64, counts| sum.saturating_add(counts.bytes));
        // More than that is no size of memory.
        if bytes > limit.min(i64::MAX as u64) {
            return Err(self.too_large(&counts, bytes, limit)?);
        }
        let logs = self.adjoint.logs.iter().zip(counts);
        logs.map(|(log, counts)| self.log(log, &counts)).collect()
    }

    /// How many entries each thread needs.
    fn counts(&self, log: &LogArrays) -> Result<Counts, Error> {
        let counts = self.record(log.counts as usize)?;
        let (mut starts, mut entries) = (Vec::with_capacity(2 * counts.bytes()), 0u64);
        // SAFETY: the tape alone has it, and nothing runs on it.
        let bytes = unsafe { counts.bytes_of(counts.span(), READING)? };
        for count in bytes.chunks_exact(Scalar::U32.size()) {
            starts.extend(entries.to_le_bytes());
            entries = entries.saturating_add(u64::from(u32::from_le_bytes(count.try_into().unwrap_or_default())));
        }
        let (rank, scalar) = self.logged(log);
        Ok(Counts { starts, entries, bytes: entries.saturating_mul(8 * rank + scalar.size() as u64) })
    }

    fn log(&self, log: &LogArrays, counts: &Counts) -> Result<Log, Error> {
        let ((rank, scalar), entries) = (self.logged(log), counts.entries);
        let memory = |bytes: u64| Buffer::zeroed(self.device, bytes as usize);
        let (indices, values) = (memory(8 * rank * entries)?, memory(entries * scalar.size() as u64)?);
        Ok(Log { starts: self.uploaded(&counts.starts)?, indices, values, entries, rank })
    }

    /// Dimensions of the array that a log is of, and the type of its values.
    fn logged(&self, log: &LogArrays) -> (u64, Scalar) {
        let array = &self.loaded.program.kernel.function.arrays[log.of.0.0 as usize];
        (u64::from(array.rank), array.leaves[log.of.1 as usize])
    }

    fn too_large(&self, counts: &[Counts], bytes: u64, limit: u64) -> Result<Error, Error> {
        let function = &primal(self.launch)?.function;
        let largest = self.adjoint.logs.iter().zip(counts).max_by_key(|(_, counts)| counts.bytes).map(|(log, _)| log);
        let array = largest.and_then(|log| function.arrays.get(log.of.0.0 as usize));
        let source = largest.and_then(|log| function.sources.get(log.source?.0 as usize));
        let error = TapeError::LogTooLarge {
            kernel: self.launch.definition.name().into(),
            position: ordinal(self.position),
            array: array.map_or_else(String::new, |array| array.name.clone()),
            place: source.map_or_else(String::new, |s| format!(" ({}:{})", s.file, s.line)),
            bytes,
            limit,
        };
        Ok(error.into())
    }

    fn uploaded(&self, bytes: &[u8]) -> Result<Arc<Buffer>, Error> {
        let memory = Buffer::zeroed(self.device, bytes.len())?;
        // SAFETY: the memory has these bytes and is nobody else's.
        unsafe { self.device.backend().upload(memory.address(), bytes) }
            .map_err(|source| self.device.failed("writing for the gradient", source))?;
        Ok(memory)
    }
}

/// The code that was launched: places in the source count by its list, and the adjoint has one of its own.
fn primal(launch: &Launch) -> Result<&Kernel, Error> {
    Ok(&launch.definition.load(&launch.args[0].memory.device)?.program.kernel)
}

/// The number in memory.
fn read(memory: &Buffer) -> Result<f64, Error> {
    // SAFETY: the pass alone has it, and nothing runs on it.
    let bytes = unsafe { memory.bytes_of(memory.span(), READING)? };
    Ok(f64::from_le_bytes(bytes.try_into().unwrap_or_default()))
}

/// Whether the adjoint reads what an array held.
fn wants(need: &ArrayNeed) -> bool {
    need.contents || need.after
}

/// Threads of the launch that touch each other's elements.
fn overlap<'a>(launch: &Launch, adjoint: &'a Adjoint) -> Option<&'a Overlap> {
    if adjoint.overlaps.is_empty() {
        return None;
    }
    // The adjoint takes the arrays of the launch first, so that their words lie alike.
    let places = ArgWords::of(&adjoint.kernel.function).arrays;
    let extent = |array: ArrayId, dim: u8| launch.words[places[array.0 as usize].extents + dim as usize];
    let slots = launch.definition.slots();
    adjoint.overlap(&Given { dims: &launch.dims, scalars: &launch.values, slots, extent: &extent })
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

fn refused(position: usize, launch: &Launch, place: String, reason: String) -> Error {
    let kernel = launch.definition.name().into();
    TapeError::Refused { kernel, position: ordinal(position), place, reason }.into()
}
