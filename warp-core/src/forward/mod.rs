//! Forward mode: how results change along a direction, computed beside the results.
//!
//! Every buffer has a *twin* of the same size, which holds the tangent of each float where that float is. While
//! [`Tangents::run`] runs, each launch runs its kernel's tangent in place of the kernel: it writes what the kernel writes,
//! and the tangents into the twins. Copies copy twins, and what the host writes has tangent zero.
//!
//! A tape that records meanwhile records the tangent kernels, so that going back from a tangent gives second derivatives.

mod derived;
mod hooks;
mod hvp;
mod twins;
mod values;

use std::cell::{Cell, RefCell};

pub(crate) use derived::{Forward, derive};
pub(crate) use hooks::{copied, notice, overwritten, refuse_guard, twins, wrote};
pub use hvp::hvp;
pub(crate) use values::seeded_values;

use crate::array::Array;
use crate::array::dims::spoken;
use crate::element::{Element, Zeroed};
use crate::error::Error;
use crate::graph::capture;
use crate::layout::Layout;
use crate::tape::{HasGradient, Mirrored, TapeError, floats};
use twins::Twins;
use values::Values;

/// How arrays change along a direction: seeds first, and after [`run`](Tangents::run) the tangents of all that was
/// computed from them.
///
/// ```
/// # use warp_core::prelude::*;
/// # use warp_core::{Tangents, tape::Tape};
/// # fn launch(x: &Array<f32>, loss: &mut Array<f32>) -> Result<(), Error> { Ok(()) }
/// fn slope(x: &Array<f32>, direction: &Array<f32>, loss: &mut Array<f32>) -> Result<f32, Error> {
///     let mut along = Tangents::new();
///     along.seed(x, direction)?;
///     along.run(|| launch(x, loss))?;
///     along.of(loss)?.get(0)
/// }
///
/// /// The product of the loss's second derivatives by `x` and a direction: the gradient of the slope.
/// fn curvature(x: &Array<f32>, direction: &Array<f32>, loss: &mut Array<f32>) -> Result<Array<f32>, Error> {
///     let mut along = Tangents::new();
///     along.seed(x, direction)?;
///     let tape = Tape::record(|| along.run(|| launch(x, loss)))?;
///     tape.backward(&along.of(loss)?)?;
///     tape.grad(x)
/// }
/// ```
///
/// What is written between two runs, or by others during one, is a constant, as all is that comes from the host: the next
/// run that meets it takes its tangent for zero. Scalar arguments of launches have tangent zero unless
/// [`seed_value`](Tangents::seed_value) gives another. A kernel whose tangent is not known (it keeps the largest float of
/// all threads, for instance) makes its launch an error.
#[derive(Default, Debug)]
pub struct Tangents {
    twins: Twins,
    values: Values,
}

thread_local! {
    /// Whether launches of this thread compute tangents.
    static RUNNING: Cell<bool> = const { Cell::new(false) };
    /// The twins of the run that is going on.
    static TWINS: RefCell<Option<Twins>> = const { RefCell::new(None) };
    /// The tangents of scalar arguments in the run that is going on.
    static VALUES: RefCell<Values> = const { RefCell::new(Values::new()) };
}

/// Whether launches of this thread compute tangents.
#[inline]
pub(crate) fn running() -> bool {
    RUNNING.get()
}

impl Tangents {
    /// Nothing changes.
    pub fn new() -> Tangents {
        Tangents::default()
    }

    /// Says how an array, or a part of one, changes; `direction` has its shape. Arrays without a seed do not change.
    pub fn seed<T: Element + Zeroed, const R: usize>(
        &mut self,
        array: &Array<T, R>,
        direction: &Array<T, R>,
    ) -> Result<(), Error> {
        has_floats(&T::LAYOUT, "`seed`")?;
        capture::refuse("seeding tangents")?;
        if array.shape() != direction.shape() {
            return Err(Error::Shape {
                doing: "`Tangents::seed`".into(),
                expected: format!("a direction of shape {}, as the array's", spoken(&array.shape())),
                found: format!("shape {}", spoken(&direction.shape())),
            });
        }
        let twin = self.twins.twin(&array.buffer)?;
        for (twin, part) in self.twins.unseen(&array.buffer, array.span()) {
            hooks::forget(&twin, part)?;
        }
        suspended(|| array.on_mirror(twin).copy_from(direction))?;
        self.twins.settle(&array.buffer, array.span());
        Ok(())
    }

    /// Runs `body`; what this thread launches and copies meanwhile has tangents. A later run goes on from the tangents of
    /// an earlier one.
    pub fn run<T>(&mut self, body: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        capture::refuse("computing tangents")?;
        if TWINS.with_borrow(Option::is_some) {
            return Err(TapeError::NestedTangents.into());
        }
        /// Takes the twins back, also from a `body` that panics.
        struct Back<'a>(&'a mut Tangents);
        impl Drop for Back<'_> {
            fn drop(&mut self) {
                RUNNING.set(false);
                self.0.twins = TWINS.take().unwrap_or_default();
                self.0.values = VALUES.take();
                self.0.twins.forget_abandoned();
            }
        }
        TWINS.set(Some(std::mem::take(&mut self.twins)));
        VALUES.set(std::mem::take(&mut self.values));
        RUNNING.set(true);
        let back = Back(self);
        let done = body();
        drop(back);
        done
    }

    /// The tangent of an array, or of a part of one, as the last run left it: of the same shape, and zero where nothing
    /// changes. It is the memory that these tangents are in and no copy, so that a tape knows it: later seeds and runs
    /// change it, and what is written to it changes the tangent.
    pub fn of<A: HasGradient>(&self, array: &A) -> Result<A::Gradient, Error> {
        A::Gradient::check()?;
        let array = array.array();
        let memory = array.memory();
        let twin = match self.twins.get(memory.key()) {
            Some(twin) => twin,
            None => memory.twin()?,
        };
        Ok(array.mirrored(twin.into()))
    }
}

/// Runs `body`, whose launches and copies have no tangents.
fn suspended<T>(body: impl FnOnce() -> T) -> T {
    struct Back(bool);
    impl Drop for Back {
        fn drop(&mut self) {
            RUNNING.set(self.0);
        }
    }
    let _back = Back(RUNNING.replace(false));
    body()
}

fn has_floats(layout: &Layout, doing: &'static str) -> Result<(), Error> {
    match floats(layout).is_empty() {
        true => Err(TapeError::NoFloats { doing }.into()),
        false => Ok(()),
    }
}
