//! One launch: arguments into words, memory into use, threads off.

use std::mem::MaybeUninit;
use std::sync::Arc;

use warp_ir::ir::Kernel;

use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::array::dims::{spoken, volume};
use crate::array::{Array, SoaArray};
use crate::backend::{self, BackendError, Call, Executable, How, LaunchStop, Origin, Queue, Queued, Stopped};
use crate::device::Device;
use crate::element::Element;
use crate::error::Error;
use crate::fault::Fault;
use crate::forward::{self, Forward};
use crate::graph::capture;
use crate::graph::node;
use crate::kernel::Definition;
use crate::layout::read_scalar;
use crate::print::Collector;
use crate::profile::{self, Label};
use crate::program::{Form, Kind, Loaded};
use crate::stream::{self, Stream, order};
use crate::tape::{self, Arg, Memory, Step, TapeError, recorder};

/// Where and how a kernel runs: made from a `&Device` or a `&Stream`.
#[derive(Clone, Default, Debug)]
pub struct Options {
    device: Option<Device>,
    how: How,
    stream: Option<Stream>,
}

impl Options {
    /// The device of the first array, and all its threads.
    pub const fn new() -> Options {
        let how = How { threads: None, block: None, deterministic: false };
        Options { device: None, how, stream: None }
    }

    /// An upper bound on the threads of the machine that take part. Results do not depend on it.
    pub fn threads(mut self, n: usize) -> Options {
        self.how.threads = Some(n.max(1));
        self
    }

    /// Threads of a block on devices that have blocks; others take no notice. Results do not depend on it. It is taken for
    /// the most that the kernel allows, where it is more: by the registers it takes, or by `#[kernel(block = ..)]`.
    pub fn block(mut self, n: u32) -> Options {
        self.how.block = Some(n);
        self
    }

    /// Sums of floats by atomics have the same bits each time, on every machine and for any number of its threads, here and
    /// in the gradients of this launch. On CPUs such sums are made in up to eight parts of the launch, each in the order of
    /// its threads, which are added up in order; that is slower where there are few cores. GPUs refuse kernels with such
    /// sums. All else has the same bits in any case. `WARP_DETERMINISTIC=1` asks this of all launches of a process.
    ///
    /// Not for sums that only have to be right to a few digits: those are faster without.
    pub fn deterministic(mut self) -> Options {
        self.how.deterministic = true;
        self
    }

    /// The stream that the launch goes into, in place of the one of this thread. A graph that is recorded takes no notice, nor
    /// does a launch that waits for its end (see [`Stream`]).
    pub fn stream(self, stream: &Stream) -> Options {
        Options { stream: Some(stream.clone()), ..self }
    }

    /// What [`block`](Options::block) asked for.
    pub fn block_size(&self) -> Option<u32> {
        self.how.block
    }

    /// What is asked of the device.
    fn how(&self) -> How {
        How { deterministic: self.how.deterministic || backend::deterministic_wanted(), ..self.how }
    }
}

impl From<&Device> for Options {
    fn from(device: &Device) -> Options {
        Options { device: Some(device.clone()), ..Options::new() }
    }
}

impl From<&Stream> for Options {
    fn from(stream: &Stream) -> Options {
        Options::from(stream.device()).stream(stream)
    }
}

/// Collects the arguments of one launch, and runs it. Used by generated code.
///
/// Arrays are in use from the moment they are added until the launcher goes. What is wrong with an argument comes out
/// of [`run`](Launcher::run).
pub struct Launcher<'a, 'o> {
    definition: &'static Definition,
    options: &'o Options,
    arrays: Inline<u64, 48>,
    values: Inline<u64, 32>,
    uses: Inline<Use<'a>, 16>,
    wrong: Option<Box<Error>>,
}

/// An array argument while it is in use.
#[derive(Clone, Copy)]
struct Use<'a> {
    buffer: &'a Arc<Buffer>,
    span: Span,
    kind: Kind,
    /// Whether no gradient flows through it.
    detached: bool,
}

impl<'a, 'o> Launcher<'a, 'o> {
    /// A launch without arguments.
    ///
    /// # Safety
    /// The arguments that follow have the types and the order that the definition describes.
    #[inline]
    pub unsafe fn new(definition: &'static Definition, options: &'o Options) -> Launcher<'a, 'o> {
        Launcher::empty(definition, options)
    }

    #[inline]
    fn empty(definition: &'static Definition, options: &'o Options) -> Launcher<'a, 'o> {
        Launcher { definition, options, arrays: Inline::new(), values: Inline::new(), uses: Inline::new(), wrong: None }
    }

    /// The next array parameter is `&[T]`.
    #[inline]
    pub fn array<T: Element>(&mut self, array: &'a Array<T>) {
        self.slice_words(array);
        self.take(
            &array.buffer,
            array.span(),
            Kind { form: Form::Slice, write: false, layout: &T::LAYOUT },
            array.detached,
        );
    }

    /// The next array parameter is `&mut [T]`.
    #[inline]
    pub fn array_mut<T: Element>(&mut self, array: &'a mut Array<T>) {
        self.slice_words(array);
        self.take(
            &array.buffer,
            array.span(),
            Kind { form: Form::Slice, write: true, layout: &T::LAYOUT },
            array.detached,
        );
    }

    /// The next array parameter is a view that is read.
    #[inline]
    pub fn view<T: Element, const R: usize>(&mut self, array: &'a Array<T, R>) {
        self.view_words(array);
        self.take(
            &array.buffer,
            array.span(),
            Kind { form: Form::View(R), write: false, layout: &T::LAYOUT },
            array.detached,
        );
    }

    /// The next array parameter is a view that is written.
    #[inline]
    pub fn view_mut<T: Element, const R: usize>(&mut self, array: &'a mut Array<T, R>) {
        self.view_words(array);
        self.take(
            &array.buffer,
            array.span(),
            Kind { form: Form::View(R), write: true, layout: &T::LAYOUT },
            array.detached,
        );
    }

    /// The next array parameter is `&Soa<T>`.
    #[inline]
    pub fn planes<T: Element>(&mut self, array: &'a SoaArray<T>) {
        self.plane_words(array);
        self.take(&array.buffer, array.span(), Kind { form: Form::Planes, write: false, layout: &T::LAYOUT }, false);
    }

    /// The next array parameter is `&mut Soa<T>`.
    #[inline]
    pub fn planes_mut<T: Element>(&mut self, array: &'a mut SoaArray<T>) {
        self.plane_words(array);
        self.take(&array.buffer, array.span(), Kind { form: Form::Planes, write: true, layout: &T::LAYOUT }, false);
    }

    /// The next value.
    #[inline]
    pub fn value<T: Element>(&mut self, value: &T) {
        let from = (value as *const T).cast::<u8>();
        T::LAYOUT.for_each_leaf(0, &mut |offset, scalar| {
            // SAFETY: `Element` promises that the leaf lies inside the value and holds such a scalar.
            self.values.push(unsafe { read_scalar(from.add(offset), scalar) });
        });
    }

    #[inline]
    fn slice_words<T: Element>(&mut self, array: &Array<T>) {
        if !array.is_contiguous() {
            self.complain(|spec, argument| Error::ArgumentStrided { kernel: spec.name().into(), argument });
        }
        self.arrays.push(array.address());
        self.arrays.push(array.extents[0] as u64);
    }

    #[inline]
    fn view_words<T: Element, const R: usize>(&mut self, array: &Array<T, R>) {
        self.arrays.push(array.address());
        array.extents.iter().chain(&array.strides).for_each(|&n| self.arrays.push(n as u64));
    }

    #[inline]
    fn plane_words<T: Element>(&mut self, array: &SoaArray<T>) {
        for leaf in 0..T::LAYOUT.leaves() {
            self.arrays.push(array.buffer.address() + array.plane(leaf) as u64);
        }
        self.arrays.push(array.len() as u64);
    }

    /// Takes an argument's memory. From here on `uses` counts it.
    #[inline]
    fn take(&mut self, buffer: &'a Arc<Buffer>, span: Span, kind: Kind, detached: bool) {
        if self.wrong.is_some() {
            return;
        }
        let device = match self.options.device.as_ref() {
            Some(device) => device,
            None => self.uses.as_slice().first().map_or(buffer.device(), |first| first.buffer.device()),
        };
        if device != buffer.device() {
            return self.mixed(buffer.device());
        }
        let new = Use { buffer, span, kind, detached };
        if !buffer.take(span, kind.write) && !self.share(new) {
            return;
        }
        self.uses.push(new);
    }

    /// A buffer is in use already. Finds out by whom and complains.
    #[cold]
    fn share(&mut self, new: Use<'a>) -> bool {
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
    fn mixed(&mut self, found: &Device) {
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
    fn complain(&mut self, make: impl FnOnce(&'static Definition, String) -> Error) {
        if self.wrong.is_none() {
            let argument = self.definition.array_name(self.uses.as_slice().len());
            self.wrong = Some(Box::new(make(self.definition, argument)));
        }
    }

    /// Runs all threads, or queues them on a device that does so. No threads is nothing to do, and no error.
    #[inline]
    pub fn run<const R: usize>(mut self, dims: [usize; R]) -> Result<(), Error> {
        if let Some(wrong) = self.wrong.take() {
            return Err(*wrong);
        }
        let Some(threads) = volume(&dims) else {
            return Err(self.too_large(&dims));
        };
        let device = match (&self.options.device, self.uses.as_slice().first()) {
            (Some(device), _) => device,
            (None, Some(first)) => first.buffer.device(),
            (None, None) => return Err(Error::NoDevice { kernel: self.definition.name().into() }),
        };
        if let Some(stream) = self.options.stream.as_ref().filter(|stream| stream.device() != device) {
            return Err(self.other_stream(device, stream));
        }
        if threads == 0 {
            return self.record_nothing(&dims);
        }
        let loaded = self.definition.load(device)?;
        let uses = self.uses.as_slice();
        let words = (self.arrays.as_slice().len(), self.values.as_slice().len());
        if loaded.rank != R || loaded.arrays.len() != uses.len() || loaded.words != words {
            return Err(self.misfit(loaded, R));
        }
        if let Some(k) = uses.iter().zip(&loaded.arrays).position(|(u, array)| !array.fits(&u.kind)) {
            return Err(self.wrong_kind(loaded, k));
        }
        let dims = dims.map(|n| n as u64);
        if forward::running() {
            return self.run_forward(device, &dims);
        }
        if capture::capturing() {
            return self.capture(loaded, device, &dims);
        }
        self.run_checked(loaded, device, &dims)
    }

    #[inline]
    fn run_checked(&mut self, loaded: &'static Loaded, device: &Device, dims: &[u64]) -> Result<(), Error> {
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
    fn capture(&self, loaded: &'static Loaded, device: &Device, dims: &[u64]) -> Result<(), Error> {
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
    fn run_forward(&mut self, device: &Device, dims: &[u64]) -> Result<(), Error> {
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
    fn record_nothing<const R: usize>(&self, dims: &[usize; R]) -> Result<(), Error> {
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

    #[cold]
    fn too_large(&self, dims: &[usize]) -> Error {
        Error::LaunchTooLarge { kernel: self.definition.name().into(), dims: spoken(dims) }
    }

    #[cold]
    fn misfit(&self, loaded: &Loaded, rank: usize) -> Error {
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
    fn other_stream(&self, device: &Device, stream: &Stream) -> Error {
        Error::OtherStream {
            kernel: self.definition.name().into(),
            device: device.name().into(),
            found: stream.device().name().into(),
        }
    }

    /// The macros see to it that code and signature name the same types; this stands behind them.
    #[cold]
    fn wrong_kind(&self, loaded: &Loaded, k: usize) -> Error {
        let argument = self.definition.array_name(k);
        let (code, given) = (loaded.arrays[k], self.uses.as_slice()[k].kind);
        let reason = format!("its code takes {code} for `{argument}`, and its launch gives {given}");
        Error::BadKernel { kernel: self.definition.name().into(), reason }
    }
}

/// How a launch ended that came behind all that was queued, and was waited for: where something stopped before, that is told,
/// and a fault of the launch may be its consequence.
pub(crate) fn told_first(device: &Device, done: Result<(), Error>) -> Result<(), Error> {
    match done {
        Ok(()) | Err(Error::Fault(_)) => device.tell(device.backend().stopped()).and(done),
        other => other,
    }
}

/// A launch that is told later how it ended.
pub(crate) struct Launched {
    pub definition: &'static Definition,
    pub loaded: &'static Loaded,
    pub dims: Vec<u64>,
}

/// Why a queued launch stopped, in words.
#[cold]
pub(crate) fn told_late(device: &Device, stopped: Stopped) -> Error {
    match stopped.origin.downcast_ref::<Launched>() {
        Some(launched) => {
            self::stopped(launched.definition, stopped.stop, &launched.loaded.program.kernel, device, &launched.dims)
        }
        None => device.failed("running a kernel", BackendError("it stopped, and nobody knows which one it was".into())),
    }
}

/// Bytes of array arguments.
fn bytes_of(uses: &[Use<'_>]) -> u64 {
    uses.iter().map(|u| (u.span.end - u.span.start) as u64).sum()
}

/// Why a launch of a kernel stopped, in words.
#[cold]
pub(crate) fn stopped(
    definition: &Definition,
    stop: LaunchStop,
    kernel: &Kernel,
    device: &Device,
    dims: &[u64],
) -> Error {
    match stop {
        LaunchStop::Fault { thread, kind, source, operands, count } => Error::Fault(Box::new(Fault::of_launch(
            &definition.spec,
            &kernel.function,
            dims,
            thread,
            kind,
            source,
            operands,
            count,
        ))),
        LaunchStop::Backend(source) => device.failed(&format!("running kernel `{}`", definition.name()), source),
    }
}

impl Drop for Launcher<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        for u in self.uses.as_slice() {
            u.buffer.give(u.span, u.kind.write);
        }
    }
}

impl std::fmt::Debug for Launcher<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Launcher({})", self.definition.name())
    }
}

/// A growing list that allocates only beyond `N` items.
struct Inline<T: Copy, const N: usize> {
    len: usize,
    few: [MaybeUninit<T>; N],
    /// All items, once there are more than `N`.
    many: Vec<T>,
}

impl<T: Copy, const N: usize> Inline<T, N> {
    #[inline]
    fn new() -> Self {
        Inline { len: 0, few: [const { MaybeUninit::uninit() }; N], many: Vec::new() }
    }

    #[inline]
    fn push(&mut self, item: T) {
        if self.len < N {
            self.few[self.len].write(item);
        } else {
            self.push_far(item);
        }
        self.len += 1;
    }

    #[cold]
    fn push_far(&mut self, item: T) {
        if self.len == N {
            // SAFETY: the first `N` items were written.
            self.many.extend(self.few.iter().map(|slot| unsafe { slot.assume_init() }));
        }
        self.many.push(item);
    }

    #[inline]
    fn as_slice(&self) -> &[T] {
        if self.len > N {
            return &self.many;
        }
        // SAFETY: the first `len` items were written, and `len <= N`.
        unsafe { std::slice::from_raw_parts(self.few.as_ptr().cast(), self.len) }
    }
}
