//! Functions of the host with a way back of their own.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::backward::Backward;
use super::error::TapeError;
use super::recorder::{self, OwnedUse, borrowed};
use super::region::Region;
use super::step::{Entry, Step, ordinal};
use crate::array::buffer::Buffer;
use crate::array::dims::spoken;
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
/// then of the outputs. It gives the arrays that hold the gradients of the inputs then: these or others.
type Back = dyn Fn(&[Part], &[Part]) -> Result<Vec<Passed>, Error> + Send + Sync;

#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) region: Region,
    /// Whether no gradient flows back to it.
    detached: bool,
}

impl Input {
    fn new(region: &Region, detached: bool) -> Input {
        Input { region: region.clone(), detached }
    }
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
    /// The gradient of each input: zeros, to which the gradient is to be added, or in whose place an array of the same
    /// shape may be put. What is here in the end reaches the array besides what else flows there.
    pub input_gradients: &'a mut I,
}

/// Runs a function of the host on arrays, with a way back: a solver, an inverse, anything that is no kernel.
///
/// `forward` runs now, on the arrays that are passed; a tape that records on this thread takes no other notice of what it
/// does. All elements of the outputs count as overwritten: what they held before has a gradient of zero, and a function
/// that changes an array takes what it was as an input, in another array. `forward` may also put another array in the
/// place of an output.
///
/// `backward` runs once in each [`Tape::backward`](super::Tape::backward) that a gradient of an output reaches (twice where
/// that starts over, as it finds a NaN), and turns gradients of outputs into gradients of inputs. It gets the arrays' values as they were, of which the tape keeps copies
/// where they are overwritten.
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
    mut outputs: O,
    forward: impl for<'a> FnOnce(I, O::Reborrowed<'a>) -> Result<(), Error>,
    backward: impl Fn(Pullback<'_, I::Arrays, O::Arrays>) -> Result<(), Error> + Send + Sync + 'static,
) -> Result<(), Error> {
    if crate::forward::running() {
        return Err(TapeError::FunctionTangent { name: name.into() }.into());
    }
    if !recorder::recording() {
        return forward(inputs, outputs.reborrow());
    }
    crate::graph::capture::refuse("recording a function on a tape")?;
    let mut reads = Vec::new();
    inputs.regions(&mut reads);
    let writes = apart(&outputs)?;
    let (uses, shapes) = (uses_of(&reads, &writes), Arc::new(OnceLock::new()));
    let step = Step::Function(Function {
        name: name.into(),
        back: erased(inputs.shapes(), shapes.clone(), backward),
        inputs: reads.iter().map(|Passed { region, detached, .. }| Input::new(region, *detached)).collect(),
        outputs: writes.into_iter().map(|passed| passed.region).collect(),
    });
    // The function takes what it uses itself.
    recorder::host_function(step, &borrowed(&uses), |step| {
        recorder::suspended(|| forward(inputs, outputs.reborrow()))?;
        // Safe code may have put other arrays in their place.
        let writes = apart(&outputs)?;
        let uses = uses_of(&reads, &writes);
        if let Step::Function(function) = step {
            function.outputs = writes.into_iter().map(|passed| passed.region).collect();
        }
        let _ = shapes.set(outputs.shapes());
        Ok(uses)
    })
}

/// Where outputs lie, no two of which may share memory: which of them a gradient belongs to, nobody could say.
fn apart<O: HostOutputs>(outputs: &O) -> Result<Vec<Passed>, Error> {
    let mut writes = Vec::new();
    outputs.regions(&mut writes);
    match writes.iter().enumerate().any(|(k, output)| writes[..k].iter().any(|other| other.meets(output))) {
        true => Err(Error::Busy { write: true }),
        false => Ok(writes),
    }
}

fn uses_of(reads: &[Passed], writes: &[Passed]) -> Vec<OwnedUse> {
    let use_of = |passed: &Passed, write| (passed.buffer.clone(), passed.region.span, write);
    let reads = reads.iter().map(|passed| use_of(passed, false));
    reads.chain(writes.iter().map(|passed| use_of(passed, true))).collect()
}

/// A function's way back with the types of its arrays left out. The outputs' shapes are known once it has run.
fn erased<I: Shapes, O: Shapes>(
    inputs: I,
    outputs: Arc<OnceLock<O>>,
    backward: impl Fn(Pullback<'_, I::Arrays, O::Arrays>) -> Result<(), Error> + Send + Sync + 'static,
) -> Box<Back> {
    Box::new(move |values, gradients| {
        let (of_inputs, of_outputs) = values.split_at(I::COUNT);
        let (to_inputs, from_outputs) = gradients.split_at(I::COUNT);
        // Of a function that has not run, no gradient is asked for.
        let Some(outputs) = outputs.get() else { return Ok(vec![]) };
        let mut input_gradients = inputs.arrays(to_inputs);
        backward(Pullback {
            inputs: &inputs.arrays(of_inputs),
            outputs: &outputs.arrays(of_outputs),
            output_gradients: &outputs.arrays(from_outputs),
            input_gradients: &mut input_gradients,
        })?;
        Ok(I::regions(&input_gradients))
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
            self.hands_out(output, &gradient)?;
            output.shifted(taken.first).add(&taken.memory, output, &gradient, true)?;
            if output.is_dense() {
                self.gradients.quiet(&output.memory, output.span);
            }
        }
        if self.guards.failed {
            return Ok(());
        }
        let found = recorder::suspended(|| (function.back)(&values, &gradients)).map_err(|source| Error::WayBack {
            function: function.name.clone(),
            position: ordinal(position),
            source: Box::new(source),
        })?;
        drop(held);
        for (k, (input, found)) in function.inputs.iter().zip(&found).enumerate() {
            let region = &input.region;
            if !input.detached && region.has_floats() {
                function.fits(k, &found.region)?;
                let gradient = self.gradients.mirror(&region.memory)?;
                // The function may have given its handle away.
                let _hold = found.buffer.hold(found.region.span, false)?;
                region.add(&gradient, &found.region, &found.buffer, false)?;
                self.gradients.enliven(&region.memory, region.span);
            }
        }
        Ok(())
    }
}

impl Function {
    /// Whether the array that its way back left as the gradient of input `k` has the input's shape.
    fn fits(&self, k: usize, found: &Region) -> Result<(), Error> {
        let expected = &self.inputs[k].region.extents;
        if *expected == found.extents {
            return Ok(());
        }
        Err(Error::Shape {
            doing: format!("the way back of function `{}`", self.name),
            expected: format!("a gradient of shape {} for input {k}, as that has", spoken(expected)),
            found: format!("shape {}", spoken(&found.extents)),
        })
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
pub trait HostOutputs: HostArgs + sealed::Reborrow {}

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
    pub trait Output: Arg + Lent {
        fn reborrow(&mut self) -> Self::Lent<'_>;
    }

    /// What a function is lent of an output. (A trait of its own, as beside the method the type would have to last as long
    /// as the output, and that cannot be asked of all lifetimes.)
    pub trait Lent {
        type Lent<'a>;
    }

    /// As [`Lent`], of all outputs.
    pub trait LentAll {
        /// The same arrays for a while.
        type Reborrowed<'a>;
    }

    pub trait Reborrow: LentAll {
        fn reborrow(&mut self) -> Self::Reborrowed<'_>;
    }

    /// A handle without memory.
    pub trait Shape: Send + Sync + 'static {
        type Array: 'static;
        fn array(&self, part: &Part) -> Self::Array;
        fn region(array: &Self::Array) -> Passed;
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
        fn regions(arrays: &Self::Arrays) -> Vec<Passed>;
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

        fn region(array: &Array<T, R>) -> Passed {
            Passed { region: Region::of(array), buffer: array.buffer.clone(), detached: array.detached }
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

        fn region(array: &SoaArray<T>) -> Passed {
            Passed { region: Region::of_planes(array), buffer: array.buffer.clone(), detached: false }
        }
    }

    macro_rules! args {
        ($(&$($mutable:ident)?),*) => { $(
            impl<T: Element + Zeroed, const R: usize> Arg for &$($mutable)? Array<T, R> {
                type Shape = ArrayShape<T, R>;

                fn shape(&self) -> ArrayShape<T, R> {
                    let (start, extents, strides) = (self.start, self.extents, self.strides);
                    ArrayShape { start, extents, strides, element: self.element }
                }

                fn region(&self) -> Passed {
                    ArrayShape::region(self)
                }
            }

            impl<T: Element + Zeroed> Arg for &$($mutable)? SoaArray<T> {
                type Shape = PlanesShape<T>;

                fn shape(&self) -> PlanesShape<T> {
                    PlanesShape { len: self.len(), element: std::marker::PhantomData }
                }

                fn region(&self) -> Passed {
                    PlanesShape::region(self)
                }
            }
        )* };
    }

    args! { &, &mut }

    impl<T: Element + Zeroed, const R: usize> Input for &Array<T, R> {}
    impl<T: Element + Zeroed> Input for &SoaArray<T> {}

    macro_rules! outputs {
        ($(<$($generic:ident: $kind:tt),*> $array:ty;)*) => { $(
            impl<T: Element + Zeroed $(, const $generic: $kind)*> Lent for &mut $array {
                type Lent<'a> = &'a mut $array;
            }

            impl<T: Element + Zeroed $(, const $generic: $kind)*> Output for &mut $array {
                fn reborrow(&mut self) -> &mut $array {
                    self
                }
            }
        )* };
    }

    outputs! {
        <R: usize> Array<T, R>;
        <> SoaArray<T>;
    }

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

                fn regions(arrays: &Self::Arrays) -> Vec<Passed> {
                    vec![$($name::region(&arrays.$at)),*]
                }
            }

            impl<$($name: Arg),*> HostArgs for ($($name,)*) {
                type Arrays = ($(<$name::Shape as Shape>::Array,)*);
            }

            impl<$($name: Input),*> HostInputs for ($($name,)*) {}
            impl<$($name: Output),*> HostOutputs for ($($name,)*) {}

            impl<$($name: Output),*> LentAll for ($($name,)*) {
                type Reborrowed<'a> = ($($name::Lent<'a>,)*);
            }

            impl<$($name: Output),*> Reborrow for ($($name,)*) {
                fn reborrow(&mut self) -> Self::Reborrowed<'_> {
                    ($(self.$at.reborrow(),)*)
                }
            }
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
