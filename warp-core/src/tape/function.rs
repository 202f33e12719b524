//! Functions of the host with a way back of their own.

use std::fmt;
use std::sync::Arc;

use super::backward::Backward;
use super::error::TapeError;
use super::recorder::{self, Use};
use super::region::Region;
use super::step::{Entry, Step, ordinal};
use crate::array::buffer::Buffer;
use crate::array::{Array, SoaArray};
use crate::element::{Element, Zeroed};
use crate::error::Error;

/// A function on a tape.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) inputs: Vec<Input>,
    pub(crate) outputs: Vec<Region>,
    back: Box<Back>,
}

/// The user's way back, with handles that are made of the memory: first values, then gradients, each of the inputs and
/// then of the outputs.
type Back = dyn Fn(&[Part], &[Part]) -> Result<(), Error> + Send + Sync;

#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) region: Region,
    /// Whether no gradient flows back to it.
    detached: bool,
}

/// An array as it was passed.
#[derive(Debug)]
#[doc(hidden)]
pub struct Passed {
    region: Region,
    buffer: Arc<Buffer>,
    detached: bool,
}

/// Memory with a part of a buffer's bytes.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Part {
    memory: Arc<Buffer>,
    /// The offset in the buffer of the memory's first byte.
    first: usize,
}

impl Passed {
    /// Whether both have bytes in common.
    fn meets(&self, other: &Passed) -> bool {
        Arc::ptr_eq(&self.buffer, &other.buffer) && self.region.span.overlaps(other.region.span)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({})", self.name)
    }
}

/// What the way back of a [`record_fn`] gets: `I` and `O` are tuples of the arrays that the function read and wrote.
#[derive(Debug)]
pub struct Pullback<'a, I, O> {
    /// The inputs as the function saw them.
    pub inputs: &'a I,
    /// The outputs as the function left them.
    pub outputs: &'a O,
    /// The gradient of each output.
    pub output_gradients: &'a O,
    /// The gradient of each input: zeros, to which the gradient is to be added. What is written here reaches the array
    /// besides what else flows there.
    pub input_gradients: &'a mut I,
}

/// Runs a function of the host on arrays, with a way back: a solver, an inverse, anything that is no kernel.
///
/// `forward` runs now, on the arrays that are passed; a tape that records on this thread takes no other notice of what it
/// does. All elements of the outputs count as overwritten: what they held before has a gradient of zero, and a function
/// that changes an array takes what it was as an input, in another array. `backward` runs once in each [`Tape::backward`](super::Tape::backward) that a gradient of an output reaches, and
/// turns gradients of outputs into gradients of inputs. It gets the arrays' values as they were, of which the tape keeps
/// copies where they are overwritten.
///
/// ```
/// # use warp_core::{Array, Error, record_fn};
/// fn exp(x: &Array<f32>, y: &mut Array<f32>) -> Result<(), Error> {
///     record_fn(
///         "exp",
///         (x,),
///         (y,),
///         |(x,), (y,)| y.copy_from_slice(&x.to_vec()?.iter().map(|x| x.exp()).collect::<Vec<_>>()),
///         |back| {
///             let (y, dy) = (back.outputs.0.to_vec()?, back.output_gradients.0.to_vec()?);
///             let dx: Vec<f32> = y.iter().zip(&dy).map(|(y, dy)| y * dy).collect();
///             back.input_gradients.0.copy_from_slice(&dx)
///         },
///     )
/// }
/// ```
pub fn record_fn<I: HostInputs, O: HostOutputs>(
    name: &str,
    inputs: I,
    outputs: O,
    forward: impl FnOnce(I, O) -> Result<(), Error>,
    backward: impl Fn(Pullback<'_, I::Arrays, O::Arrays>) -> Result<(), Error> + Send + Sync + 'static,
) -> Result<(), Error> {
    if crate::forward::running() {
        return Err(TapeError::FunctionTangent { name: name.into() }.into());
    }
    if !recorder::recording() {
        return forward(inputs, outputs);
    }
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    inputs.regions(&mut reads);
    outputs.regions(&mut writes);
    if writes.iter().enumerate().any(|(k, output)| writes[..k].iter().any(|other| other.meets(output))) {
        // Which of the two a gradient belongs to, nobody could say.
        return Err(Error::Busy { write: true });
    }
    let use_of = |passed: &Passed, write| (passed.buffer.clone(), passed.region.span, write);
    let uses = reads.iter().map(|passed| use_of(passed, false)).chain(writes.iter().map(|passed| use_of(passed, true)));
    let uses: Vec<_> = uses.collect();
    let uses: Vec<Use<'_>> = uses.iter().map(|(buffer, span, write)| (buffer, *span, *write)).collect();
    let step = Step::Function(Function {
        name: name.into(),
        back: erased(inputs.shapes(), outputs.shapes(), backward),
        inputs: reads.into_iter().map(|Passed { region, detached, .. }| Input { region, detached }).collect(),
        outputs: writes.into_iter().map(|passed| passed.region).collect(),
    });
    // The function takes what it uses itself.
    recorder::host(step, &uses, false, || recorder::suspended(|| forward(inputs, outputs)))
}

fn erased<I: Shapes, O: Shapes>(
    inputs: I,
    outputs: O,
    backward: impl Fn(Pullback<'_, I::Arrays, O::Arrays>) -> Result<(), Error> + Send + Sync + 'static,
) -> Box<Back> {
    Box::new(move |values, gradients| {
        let (of_inputs, of_outputs) = values.split_at(I::COUNT);
        let (to_inputs, from_outputs) = gradients.split_at(I::COUNT);
        backward(Pullback {
            inputs: &inputs.arrays(of_inputs),
            outputs: &outputs.arrays(of_outputs),
            output_gradients: &outputs.arrays(from_outputs),
            input_gradients: &mut inputs.arrays(to_inputs),
        })
    })
}

impl Backward {
    pub(crate) fn function(&mut self, position: usize, function: &Function, entry: &Entry) -> Result<(), Error> {
        let outputs = function.outputs.iter();
        if !outputs.clone().any(|output| self.gradients.is_live(&output.memory, output.span)) {
            return Ok(());
        }
        let regions: Vec<&Region> = function.inputs.iter().map(|input| &input.region).chain(outputs.clone()).collect();
        let (mut values, mut held) = (vec![], vec![]);
        for (k, region) in regions.iter().enumerate() {
            if region.span.start == region.span.end {
                values.push(fresh(region)?);
                continue;
            }
            let value = match entry.needs.get(k) {
                Some(Some(value)) => value.locate()?,
                _ => None,
            };
            let step = || format!("function `{}`", function.name);
            let value = value.ok_or_else(|| TapeError::GoneSource { step: step(), position: ordinal(position) })?;
            values.push(Part { memory: value.memory.clone(), first: region.span.start.wrapping_sub(value.start) });
            held.push(value);
        }
        let gradients = regions.iter().map(|region| fresh(region)).collect::<Result<Vec<Part>, Error>>()?;
        for (output, taken) in outputs.zip(&gradients[function.inputs.len()..]) {
            let gradient = self.gradients.mirror(&output.memory)?;
            output.shifted(taken.first).add(&taken.memory, output, &gradient, true)?;
            if output.is_dense() {
                self.gradients.quiet(&output.memory, output.span);
            }
        }
        recorder::suspended(|| (function.back)(&values, &gradients))?;
        drop(held);
        for (input, found) in function.inputs.iter().zip(&gradients) {
            let region = &input.region;
            if !input.detached && region.has_floats() {
                let gradient = self.gradients.mirror(&region.memory)?;
                let from = region.shifted(found.first);
                // The function may have given its handle away.
                let _hold = found.memory.hold(from.span, false)?;
                region.add(&gradient, &from, &found.memory, false)?;
                self.gradients.enliven(&region.memory, region.span);
            }
        }
        Ok(())
    }
}

/// Zeros for the elements of a region.
fn fresh(region: &Region) -> Result<Part, Error> {
    let memory = Buffer::zeroed(&region.memory.device, region.span.end - region.span.start)?;
    Ok(Part { memory, first: region.span.start })
}

/// Arrays that a [`record_fn`] takes: [`HostInputs`] or [`HostOutputs`].
pub trait HostArgs: sealed::Args<Shapes: Shapes<Arrays = Self::Arrays>> {
    /// The same arrays as its way back gets them: `(Array<f32>, Array<Vec3>)`.
    type Arrays: 'static;
}

/// What a [`record_fn`] reads: tuples of one to six `&Array` or `&SoaArray`.
///
/// What it writes is an output, as a tape could not know otherwise:
///
/// ```compile_fail,E0277
/// # use warp_core::{Array, Error, record_fn};
/// fn f(x: &mut Array<f32>, y: &mut Array<f32>) -> Result<(), Error> {
///     record_fn("f", (x,), (y,), |(x,), (y,)| x.fill(0.0), |_| Ok(()))
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a `record_fn` reads `&Array` or `&SoaArray`, at most six in a tuple, and not `{Self}`",
    label = "not what a function reads",
    note = "an array that it writes goes into the second tuple, and one that it changes goes there with a copy of it here"
)]
pub trait HostInputs: HostArgs {}

/// What a [`record_fn`] writes: tuples of one to six `&mut Array` or `&mut SoaArray`.
#[diagnostic::on_unimplemented(
    message = "a `record_fn` writes `&mut Array` or `&mut SoaArray`, at most six in a tuple, and not `{Self}`",
    label = "not what a function writes",
    note = "an array that it only reads goes into the first tuple"
)]
pub trait HostOutputs: HostArgs {}

use sealed::Shapes;

mod sealed {
    use super::*;

    pub trait Arg {
        type Shape: Shape;
        fn shape(&self) -> Self::Shape;
        fn region(&self) -> Passed;
    }

    /// An array that a function reads.
    #[diagnostic::on_unimplemented(
        message = "a `record_fn` reads `&Array` or `&SoaArray`, and not `{Self}`",
        label = "this array is not one that a function reads",
        note = "an array that it writes goes into the second tuple, and one that it changes goes there with a copy of it here"
    )]
    pub trait Input: Arg {}

    /// An array that a function writes.
    #[diagnostic::on_unimplemented(
        message = "a `record_fn` writes `&mut Array` or `&mut SoaArray`, and not `{Self}`",
        label = "this array is not one that a function writes",
        note = "an array that it only reads goes into the first tuple"
    )]
    pub trait Output: Arg {}

    /// A handle without memory.
    pub trait Shape: Send + Sync + 'static {
        type Array: 'static;
        fn array(&self, part: &Part) -> Self::Array;
    }

    pub trait Args {
        type Shapes: Shapes;
        fn shapes(&self) -> Self::Shapes;
        fn regions(&self, to: &mut Vec<Passed>);
    }

    pub trait Shapes: Send + Sync + 'static {
        const COUNT: usize;
        type Arrays: 'static;
        fn arrays(&self, parts: &[Part]) -> Self::Arrays;
    }

    #[derive(Debug)]
    pub struct ArrayShape<T, const R: usize> {
        start: usize,
        extents: [usize; R],
        strides: [usize; R],
        element: std::marker::PhantomData<T>,
    }

    impl<T: Element, const R: usize> Shape for ArrayShape<T, R> {
        type Array = Array<T, R>;

        fn array(&self, part: &Part) -> Array<T, R> {
            let (extents, strides, start) = (self.extents, self.strides, self.start.wrapping_sub(part.first));
            Array { buffer: part.memory.clone(), start, extents, strides, detached: false, element: self.element }
        }
    }

    #[derive(Debug)]
    pub struct PlanesShape<T> {
        len: usize,
        element: std::marker::PhantomData<T>,
    }

    impl<T: Element> Shape for PlanesShape<T> {
        type Array = SoaArray<T>;

        fn array(&self, part: &Part) -> SoaArray<T> {
            // Planes start where their buffer does.
            SoaArray::on(part.memory.clone(), self.len)
        }
    }

    macro_rules! args {
        ($($role:ident &$($mutable:ident)?),*) => { $(
            impl<T: Element + Zeroed, const R: usize> $role for &$($mutable)? Array<T, R> {}
            impl<T: Element + Zeroed> $role for &$($mutable)? SoaArray<T> {}

            impl<T: Element + Zeroed, const R: usize> Arg for &$($mutable)? Array<T, R> {
                type Shape = ArrayShape<T, R>;

                fn shape(&self) -> ArrayShape<T, R> {
                    let (start, extents, strides) = (self.start, self.extents, self.strides);
                    ArrayShape { start, extents, strides, element: self.element }
                }

                fn region(&self) -> Passed {
                    Passed { region: Region::of(self), buffer: self.buffer.clone(), detached: self.detached }
                }
            }

            impl<T: Element + Zeroed> Arg for &$($mutable)? SoaArray<T> {
                type Shape = PlanesShape<T>;

                fn shape(&self) -> PlanesShape<T> {
                    PlanesShape { len: self.len(), element: std::marker::PhantomData }
                }

                fn region(&self) -> Passed {
                    Passed { region: Region::of_planes(self), buffer: self.buffer.clone(), detached: false }
                }
            }
        )* };
    }

    args! { Input &, Output &mut }

    macro_rules! tuples {
        ($($count:literal: $($name:ident $at:tt),*;)*) => { $(
            impl<$($name: Arg),*> Args for ($($name,)*) {
                type Shapes = ($($name::Shape,)*);

                fn shapes(&self) -> Self::Shapes {
                    ($(self.$at.shape(),)*)
                }

                fn regions(&self, to: &mut Vec<Passed>) {
                    $(to.push(self.$at.region());)*
                }
            }

            impl<$($name: Shape),*> Shapes for ($($name,)*) {
                const COUNT: usize = $count;
                type Arrays = ($($name::Array,)*);

                fn arrays(&self, parts: &[Part]) -> Self::Arrays {
                    ($(self.$at.array(&parts[$at]),)*)
                }
            }

            impl<$($name: Arg),*> HostArgs for ($($name,)*) {
                type Arrays = ($(<$name::Shape as Shape>::Array,)*);
            }

            impl<$($name: Input),*> HostInputs for ($($name,)*) {}
            impl<$($name: Output),*> HostOutputs for ($($name,)*) {}
        )* };
    }

    tuples! {
        1: A 0;
        2: A 0, B 1;
        3: A 0, B 1, C 2;
        4: A 0, B 1, C 2, D 3;
        5: A 0, B 1, C 2, D 3, E 4;
        6: A 0, B 1, C 2, D 3, E 4, F 5;
    }
}
