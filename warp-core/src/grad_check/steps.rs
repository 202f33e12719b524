//! The steps of a recording, ready to run again on memory of their own.

use std::sync::Arc;

use warp_ir::ir::{Kernel, Scalar};
use warp_ir::passes::promote_floats;
use warp_ir::validate::Valid;

use super::leaves::{Known, Leaf, Precision, download, upload};
use super::memories::Memories;
use super::plain::ByFunction;
use crate::adjoint::places;
use crate::array::buffer::Buffer;
use crate::backend::{self, Call, Executable, How};
use crate::device::Device;
use crate::error::Error;
use crate::kernel::{Definition, Spec};
use crate::layout::read_float;
use crate::print::Collector;
use crate::program;
use crate::tape::{Copied, Entry, Launch, Region, Step, TapeError, is_float, ordinal};

/// One step of a run.
pub(super) enum Run {
    Launch(Ready),
    /// A launch by the kernel's plain function.
    Function(ByFunction),
    /// Scalars from one memory to another: offsets there, offsets here, sizes.
    Copy {
        from: usize,
        to: usize,
        scalars: Vec<(usize, usize, usize)>,
    },
    /// Bytes that count as constants.
    Write {
        to: usize,
        scalars: Vec<(usize, Vec<u8>)>,
    },
}

/// A launch with all its words.
pub(super) struct Ready {
    executable: Arc<dyn Executable>,
    device: Device,
    words: Vec<u64>,
    dims: Vec<u64>,
    how: How,
    name: &'static str,
    /// What it reads detached: which memory, and a copy of what that holds where no number is changed.
    detached: Vec<(usize, Arc<Buffer>)>,
}

/// What runs launches again.
pub(super) enum By {
    /// Their devices, by what was compiled, each kernel once.
    Devices(Vec<(&'static Definition, Arc<dyn Executable>)>),
    /// The plain functions of their kernels.
    Functions,
}

/// The code of a kernel, valid.
pub(super) fn validated(spec: &Spec) -> Result<Valid<Kernel>, Error> {
    let bad = |reason: String| Error::BadKernel { kernel: spec.name.into(), reason };
    Valid::<Kernel>::new(program::program(spec)?.kernel).map_err(|e| bad(e.to_string()))
}

impl Run {
    /// The step again; none where it does nothing that can be seen.
    pub fn of(entry: &Entry, position: usize, memories: &Memories, by: &mut By) -> Result<Option<Run>, Error> {
        match (&*entry.step, by) {
            (Step::Launch(launch), _) if launch.is_empty() || launch.args.is_empty() => Ok(None),
            (Step::Launch(launch), By::Functions) => {
                let unknown = || Error::BadKernel {
                    kernel: launch.definition.name().into(),
                    reason: "it has no plain function, or an array of it is unknown".into(),
                };
                let again = ByFunction::new(launch, memories)?.ok_or_else(unknown)?;
                Ok(Some(Run::Function(again)))
            }
            (Step::Launch(launch), By::Devices(compiled)) => {
                let known = compiled.iter().find(|(of, _)| std::ptr::eq(*of, launch.definition));
                let executable = match known {
                    Some((_, executable)) => executable.clone(),
                    None => {
                        let executable = compile(launch, memories)?;
                        compiled.push((launch.definition, executable.clone()));
                        executable
                    }
                };
                Ready::new(launch, memories, executable).map(|ready| Some(Run::Launch(ready)))
            }
            // No gradient flows back, so that what was copied counts as a constant.
            (Step::Copy(copied), _) if copied.detached => written(entry, position, memories, &copied.to),
            (Step::Copy(copied), _) => Ok(again(copied, memories)),
            (Step::Overwrite(overwritten), _) => written(entry, position, memories, &overwritten.region),
            (Step::Function(_) | Step::Backward(_), _) => Err(TapeError::NotAgain { step: entry.step.name() }.into()),
        }
    }

    /// Runs it with `words` other than its own, as word and bits. With `keep`, what launches read detached is what is
    /// there now, in this run and in later ones.
    pub fn run(&self, memories: &Memories, word: Option<(usize, u64)>, keep: bool) -> Result<(), Error> {
        match self {
            Run::Launch(ready) => ready.run(memories, word, keep),
            Run::Function(launch) => launch.run(memories),
            Run::Copy { from, to, scalars } => {
                let source = download(&memories.list[*from].buffer)?;
                let target = &memories.list[*to].buffer;
                let mut bytes = download(target)?;
                for &(a, b, size) in scalars {
                    bytes[b..b + size].copy_from_slice(&source[a..a + size]);
                }
                upload(target, &bytes)
            }
            Run::Write { to, scalars } => {
                let target = &memories.list[*to].buffer;
                let mut bytes = download(target)?;
                for (at, scalar) in scalars {
                    bytes[*at..at + scalar.len()].copy_from_slice(scalar);
                }
                upload(target, &bytes)
            }
        }
    }
}

impl Ready {
    fn new(launch: &Launch, memories: &Memories, executable: Arc<dyn Executable>) -> Result<Ready, Error> {
        let device = launch.args[0].memory.device.clone();
        let function = &launch.definition.load(&device)?.program.kernel.function;
        let mut words = Vec::with_capacity(launch.words.len() + launch.values.len());
        let mut detached: Vec<(usize, Arc<Buffer>)> = Vec::new();
        for (place, arg) in places(function).iter().zip(&launch.args) {
            let known = memories.places.get(&arg.memory.key()).copied();
            let buffer = match known {
                // Nothing writes through what is detached.
                Some(k) if arg.detached && !arg.kind.write => match detached.iter().find(|(of, _)| *of == k) {
                    Some((_, copy)) => Some(copy.clone()),
                    None => {
                        let copy = Buffer::zeroed(&device, memories.list[k].first.len())?;
                        detached.push((k, copy.clone()));
                        Some(copy)
                    }
                },
                Some(k) => Some(memories.list[k].buffer.clone()),
                None => None,
            };
            for (at, &word) in launch.words[place.words.clone()].iter().enumerate() {
                words.push(match (known, &buffer) {
                    (Some(k), Some(buffer)) if at < place.addresses => {
                        buffer.address() + memories.list[k].away(word, at) as u64
                    }
                    _ => word,
                });
            }
        }
        for (param, &bits) in function.params.iter().zip(&launch.values) {
            words.push(bits_there(function.scalar(param.value), bits, memories.precision));
        }
        let (dims, how, name) = (launch.dims.clone(), launch.how, launch.definition.name());
        Ok(Ready { executable, device, words, dims, how, name, detached })
    }

    fn run(&self, memories: &Memories, word: Option<(usize, u64)>, keep: bool) -> Result<(), Error> {
        for (of, copy) in self.detached.iter().filter(|_| keep) {
            upload(copy, &download(&memories.list[*of].buffer)?)?;
        }
        let mut changed;
        let words = match word {
            None => &self.words,
            Some((at, bits)) => {
                changed = self.words.clone();
                changed[at] = bits;
                &changed
            }
        };
        let printer = Collector::new();
        let call = Call { words, dims: &self.dims, how: self.how, printer: &printer, queued: None };
        // SAFETY: the words are those of the recorded launch, with memory of this check's own in place of each buffer, in
        // which all offsets and extents stay inside, and what lay apart lies apart; a word that was changed is a scalar.
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

/// The bits of a scalar argument, as the run takes it.
fn bits_there(scalar: Scalar, bits: u64, precision: Precision) -> u64 {
    match precision == Precision::Double && is_float(scalar) {
        true => read_float(scalar, &bits.to_le_bytes()).to_bits(),
        false => bits,
    }
}

fn compile(launch: &Launch, memories: &Memories) -> Result<Arc<dyn Executable>, Error> {
    let (spec, device) = (&launch.definition.spec, &launch.args[0].memory.device);
    let mut program = program::program(spec)?;
    if memories.precision == Precision::Double {
        let wide = promote_floats(&validated(spec)?);
        let bad = |reason: String| Error::BadKernel { kernel: spec.name.into(), reason };
        program.kernel = wide.map_err(|refusal| bad(refusal.message))?.into_inner();
        for (layout, arg) in program.layouts.iter_mut().zip(&launch.args) {
            if let Some(known) = memories.find(&arg.memory) {
                *layout = known.layout_there();
            }
        }
    }
    let failed = |source| device.failed(&format!("compiling kernel `{}` for a check", spec.name), source);
    device.backend().compile(&program).map_err(failed)
}

/// A copy from one memory to another.
fn again(copied: &Copied, memories: &Memories) -> Option<Run> {
    let known = |region: &Region| memories.places.get(&region.memory.key()).copied();
    let (from, to) = (known(&copied.from)?, known(&copied.to)?);
    let pairs = copied.from.offsets().zip(copied.to.offsets());
    let scalars = pairs.flat_map(|(a, b)| between(&memories.list[from], a, &memories.list[to], b));
    Some(Run::Copy { from, to, scalars: scalars.collect() })
}

/// The scalars of an element of one memory and of the other: offsets in the run, and sizes.
fn between<'a>(
    a: &'a Known,
    from: usize,
    b: &'a Known,
    to: usize,
) -> impl Iterator<Item = (usize, usize, usize)> + use<'a> {
    let (a, b) = (a.element_at(from), b.element_at(to));
    a.iter().zip(b).map(|(a, b)| (a.there, b.there, a.scalar_there.size()))
}

/// What was left in elements as a constant.
fn written(entry: &Entry, position: usize, memories: &Memories, region: &Region) -> Result<Option<Run>, Error> {
    let (Some(&to), Some(value)) = (memories.places.get(&region.memory.key()), &entry.written) else { return Ok(None) };
    let known = &memories.list[to];
    let Some(bytes) = value.bytes(&known.memory.device)? else {
        return Err(TapeError::GoneSource { step: entry.step.name(), position: ordinal(position) }.into());
    };
    let leaves: Vec<&Leaf> = match region.layout {
        Some(_) => region.offsets().flat_map(|offset| known.element_at(offset)).collect(),
        // Bytes, whatever they are.
        None => {
            let inside = |leaf: &&Leaf| region.span.start <= leaf.at && leaf.at + leaf.scalar.size() <= region.span.end;
            known.leaves.iter().filter(inside).collect()
        }
    };
    let mut there = vec![0; known.first.len()];
    let scalar = |leaf: &Leaf| {
        leaf.carry(&bytes, value.span.start, &mut there);
        (leaf.there, there[leaf.there..leaf.there + leaf.scalar_there.size()].to_vec())
    };
    Ok(Some(Run::Write { to, scalars: leaves.into_iter().map(scalar).collect() }))
}
