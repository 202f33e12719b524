//! Steps of arrays on their device, by kernels.

use std::marker::PhantomData;

use warp_ir::ir::Scalar;

use super::first_order::{Formula, Rule};
use super::real::Real;
use crate::number::Float;
use crate::prelude::*;

#[kernel(T = [f32, f64])]
#[allow(clippy::too_many_arguments)]
pub(super) fn sgd<T: Float>(
    x: &mut [T],
    gradient: &[T],
    direction: &mut [T],
    rate: T,
    momentum: T,
    dampening: T,
    decay: T,
    kind: u32,
) {
    let i = tid();
    let stepped = super::sgd::step(x[i], gradient[i], direction[i], rate, momentum, dampening, decay, kind);
    x[i] = stepped.0;
    direction[i] = stepped.1;
}

#[kernel(T = [f32, f64])]
pub(super) fn adam<T: Float>(x: &mut [T], gradient: &[T], first: &mut [T], second: &mut [T], by: [T; 9]) {
    let i = tid();
    let stepped = super::adam::step(x[i], gradient[i], first[i], second[i], by);
    x[i] = stepped.0;
    first[i] = stepped.1;
    second[i] = stepped.2;
}

/// Steps of one array: the running averages lie beside it on its device, and each step is one launch.
pub struct ArraySteps<T: Element, const R: usize> {
    rule: Rule,
    taken: u32,
    averages: Averages,
    shape: [usize; R],
    element: PhantomData<T>,
}

enum Averages {
    Single(Array<f32>, Array<f32>),
    Double(Array<f64>, Array<f64>),
}

impl<T: Element, const R: usize> ArraySteps<T, R> {
    pub(super) fn new(rule: Rule, array: &Array<T, R>) -> Result<ArraySteps<T, R>, Error> {
        let (device, n) = (array.device(), array.len() * T::LAYOUT.leaves());
        // Gradient descent has one average; the other is empty.
        let second = if matches!(rule.0, Formula::Adam(_)) { n } else { 0 };
        let averages = match only_float(&T::LAYOUT) {
            Some(Scalar::F32) => Averages::Single(Array::zeros(device, n)?, Array::zeros(device, second)?),
            Some(Scalar::F64) => Averages::Double(Array::zeros(device, n)?, Array::zeros(device, second)?),
            _ => {
                return Err(Error::Shape {
                    doing: "optimising an array".into(),
                    expected: "elements that are made of `f32` alone or of `f64` alone".into(),
                    found: format!("elements of type `{}`", std::any::type_name::<T>()),
                });
            }
        };
        Ok(ArraySteps { rule, taken: 0, averages, shape: array.shape(), element: PhantomData })
    }

    /// Moves the array one step by its gradient, in one launch. Both have the shape of the array that the steps were made
    /// for, and elements that lie one after another.
    ///
    /// # Errors
    /// When a shape is another, an array is strided, or the launch fails.
    pub fn take(&mut self, x: &mut Array<T, R>, gradient: &Array<T, R>) -> Result<(), Error> {
        for (what, shape) in [("the array", x.shape()), ("its gradient", gradient.shape())] {
            if shape != self.shape {
                return Err(Error::Shape {
                    doing: format!("a step of {what}"),
                    expected: format!("shape {:?}", self.shape),
                    found: format!("{shape:?}"),
                });
            }
        }
        if !x.is_contiguous() || !gradient.is_contiguous() {
            return Err(Error::Strided { doing: "a step of an array".into() });
        }
        let taken = self.taken.saturating_add(1);
        match &mut self.averages {
            Averages::Single(first, second) => launch::<f32, T, R>(self.rule, taken, x, gradient, (first, second))?,
            Averages::Double(first, second) => launch::<f64, T, R>(self.rule, taken, x, gradient, (first, second))?,
        }
        self.taken = taken;
        Ok(())
    }
}

fn launch<S: Real, T: Element, const R: usize>(
    rule: Rule,
    taken: u32,
    x: &mut Array<T, R>,
    gradient: &Array<T, R>,
    (first, second): (&mut Array<S>, &mut Array<S>),
) -> Result<(), Error> {
    let n = x.len() * T::LAYOUT.leaves();
    // SAFETY: `only_float` said that elements are such scalars and nothing else; both arrays are contiguous. The handle
    // on `x` lives as long as the exclusive borrow of `x`.
    let (mut x, gradient) = unsafe { (x.scalars::<S>(n), gradient.scalars::<S>(n)) };
    match rule.0 {
        Formula::Sgd(sgd) => S::sgd(&mut x, &gradient, first, sgd.numbers(), sgd.kind(taken)),
        Formula::Adam(adam) => S::adam(&mut x, &gradient, (first, second), adam.numbers(taken)),
    }
}

/// The one type of all leaves, if it is `f32` or `f64` and they fill the element.
fn only_float(layout: &crate::layout::Layout) -> Option<Scalar> {
    let leaves = layout.leaves();
    if leaves == 0 || layout.has_padding() {
        return None;
    }
    let (_, first) = layout.leaf(0);
    let float = matches!(first, Scalar::F32 | Scalar::F64);
    (float && (0..leaves).all(|k| layout.leaf(k).1 == first)).then_some(first)
}

impl<T: Element, const R: usize> std::fmt::Debug for ArraySteps<T, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ArraySteps({:?}, {} taken)", self.rule, self.taken)
    }
}
