//! A recording that runs again and again, with one number changed.

use std::sync::Arc;

use warp_ir::ir::{Kernel, Scalar};
use warp_ir::passes::promote_floats;
use warp_ir::validate::Valid;

use super::leaves::{Known, Memories, Precision, weight};
use crate::adjoint::{place, places};
use crate::array::buffer::Buffer;
use crate::backend::{self, Call, Executable};
use crate::device::Device;
use crate::error::Error;
use crate::kernel::{Definition, Spec};
use crate::layout::{read_float, write_float};
use crate::print::Collector;
use crate::program;
use crate::tape::{Entry, Launch, Step, Tape, TapeError};

/// One step of a run.
enum Run {
    Launch(Ready),
    /// Scalars from one memory to another: offsets there, offsets here, sizes.
    Copy {
        from: usize,
        to: usize,
        scalars: Vec<(usize, usize, usize)>,
    },
    /// Bytes that the host wrote.
    Write {
        to: usize,
        scalars: Vec<(usize, Vec<u8>)>,
    },
}

/// A launch with all its words.
struct Ready {
    executable: Arc<dyn Executable>,
    device: Device,
    words: Vec<u64>,
    dims: Vec<u64>,
    threads: Option<usize>,
    name: &'static str,
}

/// The steps of a recording.
pub(super) struct Program {
    runs: Vec<Run>,
}

/// A difference of the sum of results, or why there is none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Difference {
    /// The slope, and how exact the sum's own rounding lets it be.
    Slope(f64, f64),
    /// Slopes on both sides differ.
    Kink,
}

/// Why not everything runs in double precision, if it does not.
pub(super) fn widest(tape: &Tape) -> Result<Option<String>, Error> {
    for entry in tape.entries() {
        let Step::Launch(launch) = &*entry.step else { continue };
        let spec = &launch.definition.spec;
        let kernel = validated(spec)?;
        if let Err(refusal) = promote_floats(&kernel) {
            return Ok(Some(format!(
                "kernel `{}` ({}): {}",
                spec.name,
                place(spec, &kernel, &refusal),
                refusal.message
            )));
        }
    }
    Ok(None)
}

fn validated(spec: &Spec) -> Result<Valid<Kernel>, Error> {
    let bad = |reason: String| Error::BadKernel { kernel: spec.name.into(), reason };
    Valid::<Kernel>::new(program::program(spec)?.kernel).map_err(|e| bad(e.to_string()))
}

impl Program {
    pub fn new(tape: &Tape, memories: &Memories) -> Result<Program, Error> {
        let mut compiled: Vec<(&'static Definition, Arc<dyn Executable>)> = Vec::new();
        let mut runs = Vec::new();
        for entry in tape.entries() {
            match &*entry.step {
                Step::Launch(launch) if launch.is_empty() || launch.args.is_empty() => {}
                Step::Launch(launch) => {
                    let device = &launch.args[0].memory.device;
                    let known = compiled.iter().find(|(of, _)| std::ptr::eq(*of, launch.definition));
                    let executable = match known {
                        Some((_, executable)) => executable.clone(),
                        None => compile(launch, memories, device)?,
                    };
                    compiled.push((launch.definition, executable.clone()));
                    runs.push(Run::Launch(ready(launch, memories, executable, device)?));
                }
                Step::Copy(copied) => {
                    let known = |key| memories.places.get(&key).copied();
                    let (from, to) = (known(copied.from.memory.key()), known(copied.to.memory.key()));
                    if let (Some(from), Some(to)) = (from, to) {
                        let pairs = copied.from.offsets().zip(copied.to.offsets());
                        let scalars = pairs.flat_map(|(a, b)| between(&memories.list[from], a, &memories.list[to], b));
                        runs.push(Run::Copy { from, to, scalars: scalars.collect() });
                    } else if let Some(to) = to {
                        runs.extend(written(entry, memories, to, copied.to.offsets())?);
                    }
                }
                Step::Function(_) | Step::Backward(_) => {
                    return Err(TapeError::NotAgain { step: entry.step.name() }.into());
                }
                Step::Overwrite(overwritten) => {
                    if let Some(&to) = memories.places.get(&overwritten.region.memory.key()) {
                        runs.extend(written(entry, memories, to, overwritten.region.offsets())?);
                    }
                }
            }
        }
        Ok(Program { runs })
    }

    /// What all memories hold after a run from the recorded start.
    pub fn results(&self, memories: &Memories) -> Result<Vec<Vec<u8>>, Error> {
        self.run(memories, None)?;
        memories.list.iter().map(|known| super::leaves::download(&known.buffer)).collect()
    }

    /// How the weighted sum changes with each of the chosen floats of one memory.
    pub fn differences(&self, memories: &Memories, of: usize, chosen: &[usize]) -> Result<Vec<Difference>, Error> {
        let here = self.weighted(memories, None)?;
        let floats = memories.list[of].places_of_floats();
        let mut found = Vec::with_capacity(chosen.len());
        for &float in chosen {
            let (at, scalar) = floats[float];
            let x = read_float(scalar, &memories.list[of].first[at..]);
            // Where slopes on both sides differ, a kink may lie between; nearer by it may not.
            let mut difference = Difference::Kink;
            for nearer in [1.0, 1e-2] {
                let wide = x.abs().max(1.0) * nearer * if scalar == Scalar::F64 { 1e-5 } else { 4e-3 };
                let (more, less) = (rounded(scalar, x + wide), rounded(scalar, x - wide));
                let above = Change::between(&here, &self.weighted(memories, Some((of, at, scalar, more)))?);
                let below = Change::between(&here, &self.weighted(memories, Some((of, at, scalar, less)))?);
                let (right, left) = (above.sum / (more - x), below.sum / (less - x));
                let noise = rounding(memories, scalar) * (above.size + below.size) / wide;
                let apart = (right - left).abs();
                if apart <= 0.02 * right.abs().max(left.abs()) + 4.0 * noise {
                    difference = Difference::Slope((above.sum - below.sum) / (more - less), noise);
                    break;
                }
            }
            found.push(difference);
        }
        Ok(found)
    }

    /// All results, each times its weight.
    fn weighted(&self, memories: &Memories, change: Option<(usize, usize, Scalar, f64)>) -> Result<Vec<f64>, Error> {
        self.run(memories, change)?;
        let mut all = Vec::new();
        for known in memories.outputs() {
            let floats = known.floats_there(&super::leaves::download(&known.buffer)?);
            all.extend(floats.iter().enumerate().map(|(k, v)| weight(k) * v));
        }
        Ok(all)
    }

    fn run(&self, memories: &Memories, change: Option<(usize, usize, Scalar, f64)>) -> Result<(), Error> {
        for (k, known) in memories.list.iter().enumerate() {
            match change {
                Some((of, at, scalar, value)) if of == k => {
                    let mut bytes = known.first.clone();
                    write_float(scalar, value, &mut bytes[at..]);
                    upload(&known.buffer, &bytes)?;
                }
                _ => upload(&known.buffer, &known.first)?,
            }
        }
        self.runs.iter().try_for_each(|run| run.run(memories))
    }
}

/// How results differ from others. Those that stay say nothing, and add no rounding.
struct Change {
    sum: f64,
    /// Of all that changed, whose rounding is in the sum.
    size: f64,
}

impl Change {
    fn between(here: &[f64], there: &[f64]) -> Change {
        let changed = here.iter().zip(there).filter(|(a, b)| a != b);
        changed.fold(Change { sum: 0.0, size: 0.0 }, |Change { sum, size }, (a, b)| Change {
            sum: sum + (b - a),
            size: size + a.abs().max(b.abs()),
        })
    }
}

/// The nearest number of the type.
fn rounded(scalar: Scalar, value: f64) -> f64 {
    let mut bytes = [0; 8];
    write_float(scalar, value, &mut bytes);
    read_float(scalar, &bytes)
}

/// Rounding of the sum, relative to its size.
fn rounding(memories: &Memories, scalar: Scalar) -> f64 {
    match (memories.precision, scalar) {
        (Precision::Double, _) | (_, Scalar::F64) => 1e-14,
        _ => 1e-6,
    }
}

impl Run {
    fn run(&self, memories: &Memories) -> Result<(), Error> {
        match self {
            Run::Launch(ready) => ready.run(),
            Run::Copy { from, to, scalars } => {
                let source = super::leaves::download(&memories.list[*from].buffer)?;
                let target = &memories.list[*to].buffer;
                let mut bytes = super::leaves::download(target)?;
                for &(a, b, size) in scalars {
                    bytes[b..b + size].copy_from_slice(&source[a..a + size]);
                }
                upload(target, &bytes)
            }
            Run::Write { to, scalars } => {
                let target = &memories.list[*to].buffer;
                let mut bytes = super::leaves::download(target)?;
                for (at, scalar) in scalars {
                    bytes[*at..at + scalar.len()].copy_from_slice(scalar);
                }
                upload(target, &bytes)
            }
        }
    }
}

impl Ready {
    fn run(&self) -> Result<(), Error> {
        let printer = Collector::new();
        let call = Call { words: &self.words, dims: &self.dims, threads: self.threads, printer: &printer };
        // SAFETY: the words are those of the recorded launch, with memory of this check's own in place of each buffer, in
        // which all offsets and extents stay inside, and what lay apart lies apart.
        let done = unsafe { self.executable.launch(&call) };
        done.map_err(|stop| match stop {
            backend::LaunchStop::Backend(source) => {
                self.device.failed(&format!("checking kernel `{}`", self.name), source)
            }
            backend::LaunchStop::Fault { thread, .. } => self.device.failed(
                &format!("checking kernel `{}`", self.name),
                backend::BackendError(format!(
                    "thread {thread} faults in double precision, or beside the recorded point"
                )),
            ),
        })
    }
}

fn compile(launch: &Launch, memories: &Memories, device: &Device) -> Result<Arc<dyn Executable>, Error> {
    let spec = &launch.definition.spec;
    let mut program = program::program(spec)?;
    if memories.precision == Precision::Double {
        let wide = promote_floats(&validated(spec)?);
        let bad = |reason: String| Error::BadKernel { kernel: spec.name.into(), reason };
        program.kernel = wide.map_err(|refusal| bad(refusal.message))?.into_inner();
        let known = |k: usize| memories.places.get(&launch.args[k].memory.key()).map(|&at| &memories.list[at]);
        for (k, layout) in program.layouts.iter_mut().enumerate() {
            if let Some(known) = known(k) {
                *layout = known.layout_there(memories.precision);
            }
        }
    }
    let failed = |source| device.failed(&format!("compiling kernel `{}` for a check", spec.name), source);
    device.backend().compile(&program).map_err(failed)
}

fn ready(
    launch: &Launch,
    memories: &Memories,
    executable: Arc<dyn Executable>,
    device: &Device,
) -> Result<Ready, Error> {
    let function = program::program(&launch.definition.spec)?.kernel.function;
    let mut words = Vec::with_capacity(launch.words.len() + launch.values.len());
    for (place, arg) in places(&function).iter().zip(&launch.args) {
        let recorded = &launch.words[place.words.clone()];
        for (at, &word) in recorded.iter().enumerate() {
            let known = memories.places.get(&arg.memory.key()).map(|&k| &memories.list[k]);
            words.push(match known {
                Some(known) if at < place.addresses => known.address(word, at, memories.precision),
                _ => word,
            });
        }
    }
    for (param, &bits) in function.params.iter().zip(&launch.values) {
        let scalar = function.scalar(param.value);
        let wide = memories.precision == Precision::Double && (scalar.is_float() || scalar.is_half());
        words.push(if wide { read_float(scalar, &bits.to_le_bytes()).to_bits() } else { bits });
    }
    let (dims, threads, name) = (launch.dims.clone(), launch.threads, launch.definition.name());
    Ok(Ready { executable, device: device.clone(), words, dims, threads, name })
}

/// The scalars of an element of one memory and of the other: offsets in the run, and sizes.
fn between<'a>(a: &'a Known, from: usize, b: &'a Known, to: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let (a, b) = (a.element_at(from), b.element_at(to));
    a.iter().zip(b).map(|(a, b)| (a.there, b.there, a.scalar_there.size())).collect::<Vec<_>>().into_iter()
}

/// What the host wrote to elements.
fn written(
    entry: &Entry,
    memories: &Memories,
    to: usize,
    offsets: impl Iterator<Item = usize>,
) -> Result<Option<Run>, Error> {
    let known = &memories.list[to];
    let Some(value) = &entry.written else { return Ok(None) };
    let Some(bytes) = value.bytes(&known.memory.device)? else { return Ok(None) };
    let mut there = vec![0; known.first.len()];
    let mut scalars = Vec::new();
    for offset in offsets {
        for leaf in known.element_at(offset) {
            leaf.carry(&bytes, value.span.start, &mut there);
            scalars.push((leaf.there, there[leaf.there..leaf.there + leaf.scalar_there.size()].to_vec()));
        }
    }
    Ok(Some(Run::Write { to, scalars }))
}

fn upload(buffer: &Arc<Buffer>, bytes: &[u8]) -> Result<(), Error> {
    if bytes.is_empty() {
        return Ok(());
    }
    // SAFETY: the buffer is the check's own, and has these bytes.
    unsafe { buffer.device().backend().upload(buffer.address(), bytes) }
        .map_err(|source| buffer.device().failed("writing an array", source))
}
