//! Running a segment of a tape again, beside the user's arrays.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::checkpoint::{Piece, Segment};
use super::error::TapeError;
use super::memory::Memory;
use super::recorder::{Recorder, Use, make_records};
use super::step::{Entry, Launch, Step, ordinal};
use super::value::{Copies, Counted, Located, Meter, Own, copy_bytes};
use crate::adjoint::places;
use crate::array::buffer::Buffer;
use crate::backend::{Call, LaunchStop};
use crate::error::Error;
use crate::print::Silent;
use crate::profile::{self, Label};

/// Memory in which a segment runs again.
struct Replay<'a> {
    /// For each buffer of the segment the one that stands for it.
    homes: HashMap<usize, Arc<Buffer>>,
    /// Those that were made for it.
    made: Vec<Counted>,
    /// Those that are the user's.
    held: Vec<Located>,
    entries: &'a [Entry],
    first: usize,
}

/// The steps of a segment with what each one's way back reads.
pub(crate) struct Again {
    pub(crate) entries: Vec<Entry>,
    /// Where they ran.
    _made: Vec<Counted>,
}

/// Runs the steps of a segment again, from the values at its start.
pub(crate) fn replay(segment: &Segment, entries: &[Entry], meter: &Arc<Meter>) -> Result<Again, Error> {
    let replay = Replay::new(segment, entries, meter)?;
    let mut recorder = Recorder::counting(meter);
    for entry in entries {
        replay.step(entry, &mut recorder)?;
    }
    Ok(Again { entries: recorder.entries, _made: replay.made })
}

impl<'a> Replay<'a> {
    fn new(segment: &Segment, entries: &'a [Entry], meter: &Arc<Meter>) -> Result<Replay<'a>, Error> {
        let written: HashSet<usize> = entries.iter().flat_map(|entry| entry.step.written()).map(Memory::key).collect();
        let mut pieces: HashMap<usize, Vec<&Piece>> = HashMap::new();
        for piece in &segment.needs {
            pieces.entry(piece.memory.key()).or_default().push(piece);
        }
        let mut replay = Replay { homes: HashMap::new(), made: vec![], held: vec![], entries, first: segment.first };
        for memory in entries.iter().flat_map(|entry| entry.step.memories()) {
            if replay.homes.contains_key(&memory.key()) {
                continue;
            }
            let pieces = pieces.get(&memory.key()).map_or(&[][..], Vec::as_slice);
            let home = match written.contains(&memory.key()) {
                true => None,
                false => replay.in_place(memory, pieces)?,
            };
            let home = match home {
                Some(home) => home,
                None => replay.shadow(memory, pieces, meter)?,
            };
            replay.homes.insert(memory.key(), home);
        }
        Ok(replay)
    }

    /// The buffer itself, if it holds what the segment found in it.
    fn in_place(&mut self, memory: &Memory, pieces: &[&Piece]) -> Result<Option<Arc<Buffer>>, Error> {
        let Some(home) = memory.buffer() else { return Ok(None) };
        let mut held = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match piece.value.locate()? {
                Some(found) if !found.copied => held.push(found),
                _ => return Ok(None),
            }
        }
        self.held.append(&mut held);
        Ok(Some(home))
    }

    /// A twin of a buffer, with what the segment found in it.
    fn shadow(&mut self, memory: &Memory, pieces: &[&Piece], meter: &Arc<Meter>) -> Result<Arc<Buffer>, Error> {
        let twin = memory.twin()?;
        for piece in pieces {
            let found = piece.value.locate()?.ok_or_else(|| self.gone(memory))?;
            let (span, from) = (piece.span, piece.span.start - piece.value.span.start);
            let from = found.start + from;
            // SAFETY: the value is held or the tape's own, and nobody else has the twin.
            unsafe { copy_bytes(&found.memory, from, &twin, span.start, span.end - span.start)? };
        }
        self.made.push(Counted::new(twin.clone(), meter));
        Ok(twin)
    }

    /// The first launch that has the memory for an argument.
    fn gone(&self, memory: &Memory) -> Error {
        for (k, entry) in self.entries.iter().enumerate() {
            let position = ordinal(self.first + k);
            let Step::Launch(launch) = &*entry.step else { continue };
            if let Some(at) = launch.args.iter().position(|arg| arg.memory.key() == memory.key()) {
                let (argument, kernel) = (launch.name_of(at), launch.definition.name().into());
                return TapeError::Gone { argument, kernel, position }.into();
            }
        }
        let step = self.entries.first().map_or_else(String::new, |entry| entry.step.name());
        TapeError::GoneSource { step, position: ordinal(self.first) }.into()
    }

    fn home(&self, memory: &Memory) -> Result<&Arc<Buffer>, Error> {
        self.homes.get(&memory.key()).ok_or_else(|| self.gone(memory))
    }

    fn step(&self, entry: &Entry, recorder: &mut Recorder) -> Result<(), Error> {
        let uses = entry.step.uses();
        let homes: Vec<&Arc<Buffer>> = uses.iter().map(|(memory, ..)| self.home(memory)).collect::<Result<_, _>>()?;
        let uses: Vec<Use<'_>> =
            homes.iter().zip(&uses).map(|(&home, &(_, span, write))| (home, span, write)).collect();
        // Shadows are nobody else's, so that nothing has to be taken; what is only read is held where it is needed.
        let own: Vec<Own<'_>> = uses.iter().map(|&(home, span, _)| (home, span)).collect();
        let needs = recorder.before(&entry.step, &uses, &own, &mut Copies::new())?;
        uses.iter().filter(|(_, _, write)| *write).for_each(|(home, span, _)| home.writes().note(*span));
        let runs = entry.images.is_empty() && entry.records.is_empty();
        let records = if runs { self.run(&entry.step, &homes)? } else { vec![] };
        for image in &entry.images {
            let bytes = image.span.end - image.span.start;
            // SAFETY: the image is the tape's own, and the shadow is this replay's.
            unsafe { copy_bytes(&image.copy.memory, 0, homes[image.of], image.span.start, bytes)? };
        }
        recorder.after(&entry.step, &uses, &own, needs, &records, false)?;
        if let Some(last) = recorder.entries.last_mut().filter(|_| !runs) {
            last.records = entry.records.clone();
        }
        Ok(())
    }

    /// Runs a step again, and gives what it wrote down.
    fn run(&self, step: &Step, homes: &[&Arc<Buffer>]) -> Result<Vec<Arc<Buffer>>, Error> {
        match step {
            Step::Launch(launch) => return launch_again(launch, homes),
            Step::Copy(copied) => copied.to.copy(homes[1], &copied.from, homes[0])?,
            Step::Overwrite(overwritten) => {
                overwritten.fill.iter().try_for_each(|element| overwritten.region.fill(homes[0], element))?
            }
            Step::Function(_) | Step::Backward(_) => {}
        }
        Ok(vec![])
    }
}

/// Runs a launch with other memory, and gives what it wrote down.
fn launch_again(launch: &Launch, homes: &[&Arc<Buffer>]) -> Result<Vec<Arc<Buffer>>, Error> {
    if launch.is_empty() || launch.args.is_empty() {
        return Ok(vec![]);
    }
    let device = &launch.args[0].memory.device;
    let recording = launch.definition.recording(device)?;
    let (executable, program) = match &recording {
        Some(recording) => (&recording.executable, &recording.program),
        None => {
            let loaded = launch.definition.load(device)?;
            (&loaded.executable, &loaded.program)
        }
    };
    let mut words = launch.words.clone();
    for ((place, arg), home) in places(&program.kernel.function).iter().zip(&launch.args).zip(homes) {
        let away = home.address().wrapping_sub(arg.memory.address);
        let addresses = place.words.start..place.words.start + place.addresses;
        words[addresses].iter_mut().for_each(|address| *address = address.wrapping_add(away));
    }
    let (more, records) = match &recording {
        Some(recording) => make_records(recording, device, &launch.dims)?,
        None => Default::default(),
    };
    words.extend(more);
    words.extend_from_slice(&launch.values);
    let call = Call { words: &words, dims: &launch.dims, how: launch.how, printer: &Silent, queued: None };
    // SAFETY: the words are those of the recorded launch, with memory of the same size in place of its own: shadows, which
    // nobody else has, and buffers that are only read. Arguments overlap as they did then.
    let label = || Label {
        kernel: &program.kernel.function.name,
        device: device.name(),
        threads: launch.dims.iter().product(),
        bytes: launch.bytes(),
    };
    let done = unsafe { profile::launch(&**executable, &call, label) };
    done.map_err(|stop| {
        let name = launch.definition.name();
        let source = match stop {
            LaunchStop::Backend(source) => source,
            // It ran without a fault on the same values before.
            LaunchStop::Fault { .. } => crate::backend::BackendError("a thread stopped that had not before".into()),
        };
        device.failed(&format!("running kernel `{name}` again"), source)
    })?;
    Ok(records)
}
