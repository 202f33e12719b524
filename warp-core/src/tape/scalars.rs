//! Gradients of scalar parameters.

use std::mem::MaybeUninit;

use half::{bf16, f16};
use warp_ir::differentiate::Adjoint;
use warp_ir::ir::{Function, Scalar};

use super::Tape;
use super::error::TapeError;
use super::step::Step;
use crate::adjoint::{Reverse, Variant};
use crate::element::{Element, Zeroed};
use crate::error::Error;
use crate::kernel::{Definition, Kernel};
use crate::layout::write_scalar;

impl Tape {
    /// The gradient by a parameter that kernel `K` takes by value, one for each of its launches on the tape, in the order
    /// of recording. The kernel has to ask for it, `#[kernel(grad(dt))]`, and `T` is the parameter's type; of a struct,
    /// what is no float is zero.
    pub fn value_grads<K: Kernel, T: Element + Zeroed>(&self, parameter: &str) -> Result<Vec<T>, Error> {
        let definition = K::definition();
        let own = leaves_of::<T>(definition, parameter)?;
        // Where tangents were computed, the kernel's tangent was launched, which takes the same values and more.
        let tangent = definition.known_tangent();
        let mut of_tangent = None;
        let found = self.found();
        let Some(found) = found.as_ref() else {
            return Err(TapeError::NotOnTape { array: "the parameter", ran: false }.into());
        };
        let mut grads = Vec::new();
        for (position, entry) in self.entries.iter().enumerate() {
            let Step::Launch(launch) = &*entry.step else { continue };
            let leaves = match tangent {
                _ if std::ptr::eq(launch.definition, definition) => &own,
                Some(tangent) if std::ptr::eq(launch.definition, tangent) => match &mut of_tangent {
                    Some(known) => known,
                    new => new.insert(leaves_of::<T>(tangent, parameter)?),
                },
                _ => continue,
            };
            grads.push(assemble(leaves, found.scalars.get(&position).map_or(&[], Vec::as_slice)));
        }
        match grads.is_empty() {
            true => Err(no_gradient(definition, parameter, "no launch of it is on this tape".into()).into()),
            false => Ok(grads),
        }
    }
}

fn no_gradient(definition: &Definition, parameter: &str, reason: String) -> TapeError {
    TapeError::NoValueGradient { kernel: definition.name().into(), parameter: parameter.into(), reason }
}

/// For each leaf of a kernel's parameter the position of its gradient among those of the adjoint, if it has one.
fn leaves_of<T: Element>(definition: &Definition, parameter: &str) -> Result<Vec<Option<usize>>, Error> {
    let no = |reason: String| no_gradient(definition, parameter, reason);
    match definition.reverse(Variant::default())? {
        Reverse::Adjoint(adjoint) => Ok(leaves::<T>(adjoint, parameter).map_err(no)?),
        Reverse::Refused { place, reason } => Err(no(format!("it has no gradient ({place}): {reason}")).into()),
    }
}

/// As [`leaves_of`], or why there is none.
fn leaves<T: Element>(adjoint: &Adjoint, parameter: &str) -> Result<Vec<Option<usize>>, String> {
    let parts = parts::<T>(&adjoint.kernel.function, parameter)?;
    let gradient = |k: &usize| adjoint.scalars.iter().position(|of| of.param as usize == *k);
    let leaves: Vec<Option<usize>> = parts.iter().map(gradient).collect();
    match leaves.iter().any(Option::is_some) {
        true => Ok(leaves),
        false => Err(format!("the kernel does not ask for it; write `#[kernel(grad({parameter}))]`")),
    }
}

/// The scalars of a function that a parameter of type `T` consists of, or why there are none such.
pub(crate) fn parts<T: Element>(function: &Function, parameter: &str) -> Result<Vec<usize>, String> {
    let is_part = |name: &str| {
        let rest = name.strip_prefix(parameter);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let parts: Vec<usize> = (0..function.params.len()).filter(|&k| is_part(&function.params[k].name)).collect();
    if parts.is_empty() {
        return Err(format!("it takes no such value; it takes {}", values_of(function)));
    }
    let (_, scalars) = T::LAYOUT.flatten();
    if !parts.iter().map(|&k| function.scalar(function.params[k].value)).eq(scalars.iter().copied()) {
        let names = |all: Vec<Scalar>| all.iter().map(|s| s.name()).collect::<Vec<_>>().join(", ");
        let is = parts.iter().map(|&k| function.scalar(function.params[k].value)).collect();
        return Err(format!("it consists of {}, and the type asked for of {}", names(is), names(scalars)));
    }
    Ok(parts)
}

fn values_of(function: &Function) -> String {
    let name = |name: &str| name.split(['.', '[']).next().unwrap_or_default().to_string();
    let mut names: Vec<String> = function.params.iter().map(|p| format!("`{}`", name(&p.name))).collect();
    names.dedup();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// A value from the gradients of its leaves.
fn assemble<T: Element + Zeroed>(leaves: &[Option<usize>], found: &[f64]) -> T {
    let mut value = MaybeUninit::<T>::zeroed();
    let mut next = leaves.iter();
    T::LAYOUT.for_each_leaf(0, &mut |offset, scalar| {
        let number = next.next().copied().flatten().and_then(|k| found.get(k));
        if let Some(&number) = number {
            let bits = match scalar {
                Scalar::F16 => f16::from_f64(number).to_bits().into(),
                Scalar::BF16 => bf16::from_f64(number).to_bits().into(),
                Scalar::F32 => (number as f32).to_bits().into(),
                _ => number.to_bits(),
            };
            // SAFETY: the leaf lies inside the value.
            unsafe { write_scalar(value.as_mut_ptr().cast::<u8>().add(offset), scalar, bits) }
        }
    });
    // SAFETY: all-zero bits are a value, by `Zeroed`, and any bits are a float.
    unsafe { value.assume_init() }
}
