//! One launch: arguments into words, memory into use, threads off.

mod inline;
mod options;
mod run;
mod stop;
mod wrong;

use std::sync::Arc;

use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::array::dims::volume;
use crate::array::{Array, SoaArray};
use crate::element::Element;
use crate::error::Error;
use crate::forward;
use crate::graph::capture;
use crate::kernel::Definition;
use crate::layout::read_scalar;
use crate::program::{Form, Kind};

use inline::Inline;
pub use options::Options;
pub(crate) use stop::{Launched, stopped, told_first, told_late};

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

    /// Runs all threads, or queues them on a device that does so. No threads is nothing to do, and no error. The launcher is
    /// large, and stays where it is; it is spent then.
    #[inline]
    pub fn run<const R: usize>(&mut self, dims: [usize; R]) -> Result<(), Error> {
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
