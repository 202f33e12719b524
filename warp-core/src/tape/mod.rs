//! Gradients of whole programs: what a thread launched, copied and wrote, and the way back through it.
//!
//! # What a gradient belongs to
//!
//! After [`Tape::backward`] an array's gradient belongs to the value that the array had **at the start of the recording**.
//! Where a program overwrites an array, what it held before had no use, and its gradient is zero.

mod backward;
#[cfg(test)]
mod blank;
mod checkpoint;
mod dot;
mod error;
mod function;
mod grad;
mod gradients;
mod guards;
mod image;
mod jacobian;
mod kept;
mod launch;
mod memory;
mod open;
pub(crate) mod recorder;
mod region;
mod replay;
mod running;
mod scalars;
mod seed;
mod step;
mod unseen;
mod value;
mod witness;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard};

pub use error::TapeError;
pub use function::{HostArgs, HostInputs, HostOutputs, Pullback, record_fn};
pub use grad::HasGradient;
pub(crate) use grad::sealed::Mirrored;
pub use jacobian::Jacobian;
pub use seed::Seed;

pub(crate) use backward::Backward;
pub(crate) use memory::{Memory, Published};
pub(crate) use region::{Region, floats, is_float};
pub(crate) use scalars::parts;
pub(crate) use seed::not_one_float;
pub(crate) use step::{Arg, Copied, Entry, Launch, Overwritten, Step, ordinal};
pub(crate) use unseen::Known;
pub(crate) use value::Value;
pub(crate) use witness::First;

use crate::array::Array;
use crate::element::Element;
use crate::error::Error;
use checkpoint::Segments;
use guards::Guards;
use recorder::Recorder;
use running::Running;
use value::Meter;

/// The launches, copies and writes of a stretch of a program, in order, and the way back through them.
///
/// ```
/// # extern crate warp_core as warp;
/// use warp_core::prelude::*;
///
/// #[kernel(grad(dt))]
/// fn fall(height: &mut [f32], speed: &mut [f32], dt: f32) {
///     let i = tid();
///     speed[i] -= 9.81 * dt;
///     height[i] += speed[i] * dt;
/// }
///
/// /// The gradient of a weighted sum of heights by the speeds at the start, and by each step's length.
/// fn gradients(
///     height: &mut Array<f32>,
///     speed: &mut Array<f32>,
///     weights: &Array<f32>,
/// ) -> Result<(Array<f32>, Vec<f32>), Error> {
///     let n = height.len();
///     let tape = Tape::checkpointed(|| (0..1000).try_for_each(|_| fall::launch(n, height, speed, 0.01)))?;
///     println!("{tape}");
///     tape.backward_with([(&*height, weights)])?;
///     Ok((speed.grad()?, tape.value_grads::<fall, f32>("dt")?))
/// }
/// # fn main() {}
/// ```
pub struct Tape {
    entries: Vec<Entry>,
    /// Where the tape starts again from checkpoints.
    segments: Option<Segments>,
    meter: Arc<Meter>,
    /// What the last backward pass found. Never held while one runs, as a function's way back may ask for it.
    found: Mutex<Option<Backward>>,
}

impl Tape {
    /// Runs `body` and records what this thread launches, copies and writes meanwhile.
    ///
    /// Inside another recording both tapes see it. When `body` fails, so does the recording.
    pub fn record(body: impl FnOnce() -> Result<(), Error>) -> Result<Tape, Error> {
        Tape::record_with(body).map(|((), tape)| tape)
    }

    /// As [`record`](Tape::record), for a `body` that gives a value and has errors of its own.
    pub fn record_with<T, E>(body: impl FnOnce() -> Result<T, E>) -> Result<(T, Tape), E> {
        Tape::recorded(Recorder::default(), body)
    }

    /// As [`record`](Tape::record), for long rollouts: the tape copies the state at some steps alone, and
    /// [`backward`](Tape::backward) runs the steps between again, beside the user's arrays. Of `n` steps it keeps about
    /// `2 sqrt(n)` states, in place of `n`, and each step runs twice; gradients are the same, bit for bit.
    pub fn checkpointed(body: impl FnOnce() -> Result<(), Error>) -> Result<Tape, Error> {
        Tape::checkpointed_with(body).map(|((), tape)| tape)
    }

    /// As [`checkpointed`](Tape::checkpointed), for a `body` that gives a value and has errors of its own.
    pub fn checkpointed_with<T, E>(body: impl FnOnce() -> Result<T, E>) -> Result<(T, Tape), E> {
        Tape::recorded(Recorder::checkpointing(), body)
    }

    /// Whether a tape records what this thread launches, or tangents follow it: where neither is so,
    /// a library may leave out what serves derivatives alone.
    pub fn is_recording() -> bool {
        recorder::recording() || crate::forward::running()
    }

    fn recorded<T, E>(recorder: Recorder, body: impl FnOnce() -> Result<T, E>) -> Result<(T, Tape), E> {
        let (done, recorder) = recorder::with(recorder, body);
        let value = done?;
        let Recorder { entries, meter, segments, .. } = recorder;
        Ok((value, Tape { entries, segments, meter, found: Mutex::new(None) }))
    }

    /// Goes back from a loss, an array of one float, and finds the gradient of that number by all arrays on the tape:
    /// [`Array::grad`] has it then. It starts from zero each time.
    pub fn backward<T: Element, const R: usize>(&self, loss: &Array<T, R>) -> Result<(), Error> {
        self.go_back(|backward| seed::plant_loss(loss, backward))
    }

    /// Goes back from several arrays, with a given gradient of each: `tape.backward_with([(&y, &dy)])`. For arrays of
    /// different types there is [`Seed`].
    pub fn backward_with<'a, S: Into<Seed<'a>>>(&self, seeds: impl IntoIterator<Item = S>) -> Result<(), Error> {
        let seeds: Vec<Seed<'a>> = seeds.into_iter().map(Into::into).collect();
        self.go_back(|backward| seeds.iter().try_for_each(|seed| seed.plant(backward)))
    }

    /// Whether the recording met an array; one that it did not has no gradient, and nothing can be found from it.
    fn met(&self, memory: &Memory, array: &'static str) -> Result<(), Error> {
        let mut met = self.entries.iter().flat_map(|entry| entry.step.memories());
        match met.any(|known| known.key() == memory.key()) {
            true => Ok(()),
            false => Err(TapeError::NotOnTape { array, ran: true }.into()),
        }
    }

    fn go_back(&self, plant: impl Fn(&mut Backward) -> Result<(), Error>) -> Result<(), Error> {
        let running = self.begin()?;
        *self.found() = None;
        let backward = self.pass(&running, plant)?;
        if recorder::recording() {
            recorder::host(Step::Backward(backward.gradients.found()), &[], false, || Ok(()))?;
        }
        // Together, as another thread may go back at the same time.
        let mut found = self.found();
        backward.gradients.publish();
        *found = Some(backward);
        Ok(())
    }

    fn begin(&self) -> Result<Running, Error> {
        crate::graph::capture::refuse("going back along a tape")?;
        match crate::forward::running() {
            true => Err(TapeError::BackwardTangent.into()),
            false => Running::begin(self),
        }
    }

    /// Goes back, and gives what it finds to the caller alone.
    fn pass(&self, _running: &Running, plant: impl Fn(&mut Backward) -> Result<(), Error>) -> Result<Backward, Error> {
        let backward = self.pass_with(Guards::default(), &plant)?;
        match backward.needs_guards(&self.entries)? {
            true => {
                drop(backward);
                self.pass_with(Guards { all: true, ..Guards::default() }, &plant)
            }
            false => Ok(backward),
        }
    }

    fn pass_with(&self, guards: Guards, plant: impl Fn(&mut Backward) -> Result<(), Error>) -> Result<Backward, Error> {
        if let Some(position) = self.entries.iter().position(|entry| entry.failed) {
            let step = self.entries[position].step.name();
            return Err(TapeError::Failed { step, position: ordinal(position) }.into());
        }
        let mut backward = Backward { guards, ..Backward::default() };
        for memory in self.entries.iter().flat_map(|entry| entry.step.memories()) {
            backward.gradients.mention(memory);
        }
        plant(&mut backward)?;
        self.walk(&mut backward)?;
        Ok(backward)
    }

    /// From the last step to the first.
    fn walk(&self, backward: &mut Backward) -> Result<(), Error> {
        let firsts = self.firsts();
        let Some(segments) = &self.segments else { return walk(backward, 0, &self.entries, &firsts) };
        for (segment, range) in segments.all.iter().zip(checkpoint::ranges(segments, &self.entries)).rev() {
            if backward.guards.failed {
                return Ok(());
            }
            let entries = &self.entries[range.clone()];
            if backward.reaches(entries) {
                let again = replay::replay(segment, entries, &self.meter)?;
                walk(backward, segment.first, &again.entries, &firsts)?;
            } else {
                range.for_each(|position| forget(backward, position, &firsts));
            }
        }
        Ok(())
    }

    /// For each step the memory that it is the first to use.
    fn firsts(&self) -> Vec<Vec<usize>> {
        let mut seen = HashSet::new();
        let first = |entry: &Entry| {
            let keys = entry.step.memories().into_iter().map(Memory::key);
            keys.filter(|&key| seen.insert(key)).collect()
        };
        self.entries.iter().map(first).collect()
    }

    fn found(&self) -> MutexGuard<'_, Option<Backward>> {
        self.found.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Bytes of the copies that the tape keeps of values which were overwritten.
    pub fn snapshot_bytes(&self) -> usize {
        self.meter.now()
    }

    /// The most that [`snapshot_bytes`](Tape::snapshot_bytes) has been so far, in backward passes too.
    pub fn peak_snapshot_bytes(&self) -> usize {
        self.meter.peak()
    }
}

fn walk(backward: &mut Backward, first: usize, entries: &[Entry], firsts: &[Vec<usize>]) -> Result<(), Error> {
    for (k, entry) in entries.iter().enumerate().rev() {
        backward.step(first + k, entry)?;
        if backward.guards.failed {
            return Ok(());
        }
        forget(backward, first + k, firsts);
    }
    Ok(())
}

/// Lets go of gradients that were made for the way alone: of arrays that are gone and in which no earlier step has a part.
fn forget(backward: &mut Backward, position: usize, firsts: &[Vec<usize>]) {
    firsts[position].iter().for_each(|&key| backward.gradients.forget_abandoned(key));
}
