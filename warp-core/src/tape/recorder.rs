//! Recording: this thread's launches, copies and writes, as they happen.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use super::checkpoint::Segments;
use super::error::TapeError;
use super::image::Image;
use super::open::Open;
use super::step::{Entry, Step};
use super::unseen::{self, Known};
use super::value::{Copies, Counted, Meter, Own, Value};
use super::witness::Witness;
use crate::adjoint::{Loaded, Reverse, Role, Variant, dense_words};
use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::device::Device;
use crate::error::Error;

thread_local! {
    /// How many tapes record on this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Those tapes, the outermost first.
    static STACK: RefCell<Vec<Recorder>> = const { RefCell::new(Vec::new()) };
}

/// Whether some tape records on this thread.
#[inline]
pub(crate) fn recording() -> bool {
    DEPTH.get() != 0
}

/// A tape that grows.
#[derive(Default, Debug)]
pub(crate) struct Recorder {
    pub(crate) entries: Vec<Entry>,
    /// Values that are needed, and in place as far as is known, by their buffers.
    pub(super) open: HashMap<usize, Open>,
    pub(crate) meter: Arc<Meter>,
    /// The checkpoints, where the tape keeps those alone.
    pub(crate) segments: Option<Segments>,
    /// The writes that it knows of.
    pub(super) known: Known,
    /// For recordings that are run again.
    pub(super) witness: Option<Witness>,
}

/// A use of memory, and whether it is written.
pub(crate) type Use<'a> = (&'a Arc<Buffer>, Span, bool);

/// As [`Use`], and keeps the memory.
pub(crate) type OwnedUse = (Arc<Buffer>, Span, bool);

/// The uses, without keeping the memory.
pub(crate) fn borrowed(uses: &[OwnedUse]) -> Vec<Use<'_>> {
    uses.iter().map(|(buffer, span, write)| (buffer, *span, *write)).collect()
}

impl Recorder {
    /// A recorder that counts on a given meter.
    pub(crate) fn counting(meter: &Arc<Meter>) -> Recorder {
        Recorder { meter: meter.clone(), ..Recorder::default() }
    }

    /// A recorder that keeps checkpoints.
    pub(crate) fn checkpointing() -> Recorder {
        Recorder { segments: Some(Segments::default()), ..Recorder::default() }
    }

    /// Gets ready for a step: what it reads and the way back needs is known, then what it overwrites is copied.
    pub(crate) fn before(
        &mut self,
        step: &Step,
        uses: &[Use<'_>],
        own: &[Own<'_>],
        copies: &mut Copies,
    ) -> Result<Vec<Option<Arc<Value>>>, Error> {
        self.see(uses);
        for (k, &(home, span, write)) in uses.iter().enumerate() {
            if !(write && step.overwrites_all(k)) {
                self.notice(home, span, own)?;
            }
        }
        let needs = match self.segments.take() {
            Some(mut segments) => {
                segments.before(step, uses, self.entries.len(), &mut |home, span| self.value(home, span));
                self.segments = Some(segments);
                vec![]
            }
            None => self.needs_of(step, uses, false)?,
        };
        for &(buffer, span, _) in uses.iter().filter(|(_, _, write)| *write) {
            self.keep(buffer, span, own, copies)?;
        }
        Ok(needs)
    }

    /// Puts a step that has run on the tape.
    pub(crate) fn after(
        &mut self,
        step: &Arc<Step>,
        uses: &[Use<'_>],
        own: &[Own<'_>],
        mut needs: Vec<Option<Arc<Value>>>,
        records: &[Arc<Buffer>],
        failed: bool,
    ) -> Result<(), Error> {
        let kept = match &self.segments {
            _ if failed => Ok(vec![]),
            Some(_) => Image::of(step, uses, own, &self.meter),
            None => self.needs_of(step, uses, true).map(|after| {
                needs.iter_mut().zip(after).for_each(|(need, after)| *need = need.take().or(after));
                vec![]
            }),
        };
        let (images, error) = match kept {
            Ok(images) => (images, None),
            // The step has run, so it has to be there, if only to say that there is no way back through it.
            Err(error) => (vec![], Some(error)),
        };
        let failed = failed || error.is_some();
        if let Some(segments) = &mut self.segments {
            segments.after(uses);
        }
        for (home, span, _) in uses.iter().filter(|(_, _, write)| *write) {
            self.known.learn(home, &home.writes().last(*span));
        }
        // What a step writes down when it runs again is as good.
        let kept = self.segments.is_none() || step.depends_on_order();
        let records =
            records.iter().filter(|_| kept).map(|memory| Arc::new(Counted::new(memory.clone(), &self.meter))).collect();
        let written = self.seen_written(step);
        self.entries.push(Entry { step: step.clone(), needs, records, images, written, failed });
        error.map_or(Ok(()), Err)
    }

    /// Puts writes on the tape that it did not see, to bytes that a step is about to use.
    fn notice(&mut self, home: &Arc<Buffer>, span: Span, own: &[Own<'_>]) -> Result<(), Error> {
        for part in self.known.changed(home, span) {
            let (step, uses, last) = (unseen::step(home, part), [(home, part, true)], home.writes().last(part));
            let images = match &self.segments {
                Some(_) => Image::of(&step, &uses, own, &self.meter)?,
                None => vec![],
            };
            if home.writes().last(part) != last {
                return Err(Error::Busy { write: false });
            }
            self.put_unseen(step, home, &last, images);
        }
        Ok(())
    }

    /// Puts a write on the tape that it did not see.
    fn put_unseen(&mut self, step: Step, home: &Arc<Buffer>, last: &[(Span, u64)], images: Vec<Image>) {
        self.known.learn(home, last);
        if let Some(segments) = &mut self.segments {
            let uses: Vec<Use<'_>> = last.iter().map(|&(span, _)| (home, span, true)).collect();
            // It overwrites all, so that no value is needed.
            segments.before(&step, &uses, self.entries.len(), &mut |home, span| Arc::new(Value::now(home, span)));
            segments.after(&uses);
        }
        let written = self.seen_written(&step);
        let (needs, records) = (vec![], vec![]);
        self.entries.push(Entry { step: Arc::new(step), needs, records, images, written, failed: false });
    }

    /// Ends the recording: what was written unseen after its last use is no result of it.
    fn finish(&mut self) {
        for (home, part) in self.known.all_changed() {
            let last = home.writes().last(part);
            // Nothing reads it here, so that no image is needed.
            self.put_unseen(unseen::step(&home, part), &home, &last, vec![]);
        }
        self.known = Known::default();
    }

    /// A value that is in memory now.
    pub(super) fn value(&mut self, home: &Arc<Buffer>, span: Span) -> Arc<Value> {
        let open = self.open.entry(Arc::as_ptr(home) as usize).or_default();
        if let Some(known) = open.find(span).filter(|value| value.is_now(home, span)) {
            return known;
        }
        let value = Arc::new(Value::now(home, span));
        open.put(&value);
        value
    }

    /// Copies the values that are about to be overwritten.
    fn keep(&mut self, home: &Arc<Buffer>, span: Span, own: &[Own<'_>], copies: &mut Copies) -> Result<(), Error> {
        let Some(open) = self.open.get_mut(&(Arc::as_ptr(home) as usize)) else { return Ok(()) };
        let mut done = Ok(());
        for value in open.take(span) {
            if done.is_ok() {
                done = value.keep(own, &self.meter, copies);
            }
            if done.is_err() {
                open.put(&value);
            }
        }
        done
    }

    /// The values that a step's way back reads, of those that are there before it, or `after`.
    fn needs_of(&mut self, step: &Step, uses: &[Use<'_>], after: bool) -> Result<Vec<Option<Arc<Value>>>, Error> {
        let wanted: Vec<bool> = match step {
            Step::Launch(launch) if !launch.is_empty() => match launch.definition.reverse(Variant::default())? {
                Reverse::Adjoint(adjoint) => {
                    adjoint.arrays.iter().map(|need| if after { need.after } else { need.contents }).collect()
                }
                Reverse::Refused { .. } => vec![],
            },
            Step::Function(_) => uses.iter().map(|(_, _, write)| *write == after).collect(),
            _ => vec![],
        };
        let wanted = wanted.into_iter().zip(uses);
        let value = |(wants, &(buffer, span, _)): (bool, &Use<'_>)| {
            (wants && span.start < span.end).then(|| self.value(buffer, span))
        };
        Ok(wanted.map(value).collect())
    }
}

/// An operation between its announcement and its end.
#[derive(Default)]
pub(crate) struct Pending {
    /// Whether the step holds what it uses.
    held: bool,
    /// The needs of each tape that records.
    needs: Vec<Vec<Option<Arc<Value>>>>,
    /// What it writes for its way back.
    records: Vec<Arc<Buffer>>,
}

impl Pending {
    /// Makes memory for what a launch writes for its way back: its words.
    pub(crate) fn make_records(&mut self, of: &Loaded, device: &Device, dims: &[u64]) -> Result<Vec<u64>, Error> {
        let (words, records) = make_records(of, device, dims)?;
        self.records = records;
        Ok(words)
    }
}

/// Memory for what a launch writes for its way back: words, and where they lead.
pub(crate) fn make_records(of: &Loaded, device: &Device, dims: &[u64]) -> Result<(Vec<u64>, Vec<Arc<Buffer>>), Error> {
    let threads: u64 = dims.iter().product();
    let (mut words, mut records) = (Vec::new(), Vec::new());
    for (array, role) in of.program.kernel.function.arrays.iter().zip(&of.roles) {
        if let Role::Record(_) = role {
            let memory = Buffer::zeroed(device, threads as usize * array.leaves[0].size())?;
            words.extend(dense_words(array, memory.address(), dims));
            records.push(memory);
        }
    }
    Ok((words, records))
}

/// Runs what the host does to arrays, and puts it on all tapes that record. `held` says that the caller has taken what it
/// uses, so that nobody else writes there from here on.
pub(crate) fn host(
    step: Step,
    uses: &[Use<'_>],
    held: bool,
    run: impl FnOnce() -> Result<(), Error>,
) -> Result<(), Error> {
    let mut announced = Announced { uses, of: Some((begin(&step, uses, held)?, step)) };
    let done = run();
    let noted = announced.end(done.is_err());
    done.and(noted)
}

/// As [`host`], of a function that may end up with other memory than it was about to use: `run` gives what it has used,
/// and puts that on the step.
pub(crate) fn host_function(
    step: Step,
    uses: &[Use<'_>],
    run: impl FnOnce(&mut Step) -> Result<Vec<OwnedUse>, Error>,
) -> Result<(), Error> {
    let mut announced = Announced { uses, of: Some((begin(&step, uses, false)?, step)) };
    let used = match announced.of.as_mut() {
        Some((_, step)) => run(step)?,
        None => vec![],
    };
    announced.of.take().map_or(Ok(()), |(pending, step)| end(pending, step, &borrowed(&used), false))
}

/// What the host is about to do; where it panics, it is on the tapes as failed.
struct Announced<'a, 'b> {
    uses: &'a [Use<'b>],
    of: Option<(Pending, Step)>,
}

impl Announced<'_, '_> {
    fn end(&mut self, failed: bool) -> Result<(), Error> {
        self.of.take().map_or(Ok(()), |(pending, step)| end(pending, step, self.uses, failed))
    }
}

impl Drop for Announced<'_, '_> {
    fn drop(&mut self) {
        // Nothing can go wrong with what has failed.
        let _ = self.end(true);
    }
}

/// Announces an operation: values that it overwrites are copied. `uses` is what it uses, the arguments of a launch in
/// order; `held` says that it has taken them already.
#[cold]
pub(crate) fn begin(step: &Step, uses: &[Use<'_>], held: bool) -> Result<Pending, Error> {
    let own = own(uses, held);
    STACK.with_borrow_mut(|stack| {
        let (mut pending, mut copies) = (Pending { held, ..Pending::default() }, Copies::new());
        for recorder in stack.iter_mut() {
            pending.needs.push(recorder.before(step, uses, &own, &mut copies)?);
        }
        Ok(pending)
    })
}

/// What a step has taken itself.
fn own<'a>(uses: &[Use<'a>], held: bool) -> Vec<Own<'a>> {
    uses.iter().filter(|_| held).map(|&(buffer, span, _)| (buffer, span)).collect()
}

/// Puts an operation on all tapes that record.
#[cold]
pub(crate) fn end(pending: Pending, step: Step, uses: &[Use<'_>], failed: bool) -> Result<(), Error> {
    let (step, own) = (Arc::new(step), own(uses, pending.held));
    STACK.with_borrow_mut(|stack| {
        let mut done = Ok(());
        for (recorder, needs) in stack.iter_mut().zip(pending.needs) {
            done = done.and(recorder.after(&step, uses, &own, needs, &pending.records, failed));
        }
        done
    })
}

/// Runs `body` with a recorder on this thread, and gives it back; also when `body` panics it goes.
pub(crate) fn with<T>(recorder: Recorder, body: impl FnOnce() -> T) -> (T, Recorder) {
    struct Depth(usize);
    impl Drop for Depth {
        fn drop(&mut self) {
            DEPTH.set(self.0);
            // Functions of the user's go with a recorder, and may launch when they go.
            drop(STACK.with_borrow_mut(|stack| stack.split_off(self.0)));
        }
    }
    let depth = STACK.with_borrow_mut(|stack| {
        stack.push(recorder);
        Depth(stack.len() - 1)
    });
    DEPTH.set(depth.0 + 1);
    let done = body();
    let mut recorder = STACK.with_borrow_mut(|stack| stack.pop()).unwrap_or_default();
    recorder.finish();
    (done, recorder)
}

/// Runs `body` unseen by the tapes of this thread.
pub(crate) fn suspended<T>(body: impl FnOnce() -> T) -> T {
    struct Hidden(Vec<Recorder>);
    impl Drop for Hidden {
        fn drop(&mut self) {
            DEPTH.set(self.0.len());
            STACK.set(std::mem::take(&mut self.0));
        }
    }
    let _hidden = Hidden(STACK.take());
    DEPTH.set(0);
    body()
}

/// Refuses what a tape could not follow.
#[inline]
pub(crate) fn refuse_guard() -> Result<(), Error> {
    match recording() {
        true => Err(TapeError::WriteGuard.into()),
        false => Ok(()),
    }
}
