//! Gradients of scalar parameters: what all threads found is added up in one element. That is an `f64` whatever the
//! parameter's type, as a sum over millions of threads outgrows an `f32`: its last bit comes to stand for more than what one
//! thread adds.

use super::emit::Emit;
use super::tree::carries;
use super::{Refusal, ScalarGradient, refusal};
use crate::ir::*;

/// The scalar parameters of floats that the names of `grad(..)` stand for: a name of a struct or vector for all of its
/// floats.
pub(super) fn named(function: &Function, names: &[String]) -> Result<Vec<u32>, Refusal> {
    for name in names {
        let mut of_name = function.params.iter().filter(|param| is_part(&param.name, name)).peekable();
        if of_name.peek().is_none() {
            let is_array = function.arrays.iter().any(|array| is_part(&array.name, name));
            return Err(if is_array { refusal::grad_of_array(name) } else { refusal::grad_of_nothing(function, name) });
        }
        if !of_name.any(|param| carries(function.scalar(param.value))) {
            return Err(refusal::grad_without_floats(name));
        }
    }
    let params = function.params.iter().enumerate();
    let wanted = params.filter(|(_, param)| {
        carries(function.scalar(param.value)) && names.iter().any(|name| is_part(&param.name, name))
    });
    Ok(wanted.map(|(k, _)| k as u32).collect())
}

/// Whether `p.mass` or `p[0]` is a part of `p`, or is it.
fn is_part(param: &str, name: &str) -> bool {
    param.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// What a gradient of a scalar is added up in.
pub(super) const CELL: Scalar = Scalar::F64;

impl Emit<'_, '_> {
    /// Makes an array of one element for each of the parameters.
    pub(super) fn make_scalar_gradients(&mut self, params: &[u32]) -> Vec<ScalarGradient> {
        let mut gradients = vec![];
        for &param in params {
            let of = &self.tree.function.params[param as usize];
            let gradient = self.b.slice(&format!("{} gradient", of.name), CELL, Access::Write);
            gradients.push(ScalarGradient { param, gradient });
        }
        gradients
    }

    /// Adds what the thread has found.
    pub(super) fn reverse_scalars(&mut self, gradients: &[ScalarGradient]) {
        for of in gradients {
            let value = self.tree.function.params[of.param as usize].value;
            if let Some(adjoint) = self.take_adjoint(value) {
                let (mem, zero) = (Mem::Array(of.gradient), self.b.u64(0));
                self.inside(mem, 0, zero);
                let wide = self.b.cast(CELL, adjoint);
                self.b.atomic(AtomicKind::Add, mem, zero, 0, wide);
            }
        }
    }
}
