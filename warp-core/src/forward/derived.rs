//! The tangent of a kernel, as a kernel of its own.

use warp_ir::differentiate::{Refusal, Reverse, tangent};
use warp_ir::encode::Encode;
use warp_ir::ir::Kernel;
use warp_ir::validate::Valid;

use crate::adjoint::{ArrayPlace, place, places};
use crate::error::Error;
use crate::kernel::{Definition, Spec};
use crate::program;

/// The tangent of a kernel, or why there is none.
#[derive(Debug)]
pub(crate) enum Forward {
    /// It can be launched.
    Known(Box<Known>),
    /// There is none.
    Refused {
        /// Where the reason lies.
        place: String,
        /// The reason, and the way out.
        reason: String,
    },
}

/// The tangent of a kernel.
#[derive(Debug)]
pub(crate) struct Known {
    /// The kernel, which can go back as well.
    pub definition: Definition,
    /// Which arrays of the primal have tangents: these come behind the primal's, in this order.
    pub arrays: Vec<usize>,
    /// Which scalars of the primal have tangents: these come behind the primal's, in this order.
    pub scalars: Vec<usize>,
    /// Where the words of the primal's arrays lie.
    pub words: Vec<ArrayPlace>,
}

/// The tangent of a kernel. Definitions live as long as the program, and what is made here lives as long as they do.
pub(crate) fn derive(spec: &Spec) -> Result<Forward, Error> {
    let bad = |reason: String| Error::BadKernel { kernel: spec.name.into(), reason };
    let kernel = Valid::<Kernel>::new(program::program(spec)?.kernel).map_err(|e| bad(e.to_string()))?;
    let refused =
        |refusal: Refusal| Forward::Refused { place: place(spec, &kernel, &refusal), reason: refusal.message };
    let tangent = match tangent(&kernel) {
        Ok(tangent) => tangent,
        Err(refusal) => return Ok(refused(refusal)),
    };
    let arrays: Vec<usize> = (0..tangent.arrays.len()).filter(|&k| tangent.arrays[k].is_some()).collect();
    let first = kernel.function.arrays.len();
    let behind =
        arrays.iter().enumerate().all(|(k, &of)| tangent.arrays[of].is_some_and(|a| a.0 as usize == first + k));
    let params = kernel.function.params.len();
    let scalars = (0..tangent.scalars.len()).filter(|&k| tangent.scalars[k].is_some()).collect();
    let in_order = tangent.scalars.iter().flatten().enumerate().all(|(k, &at)| at == params + k);
    if !behind || !in_order || tangent.kernel.function.arrays.len() != first + arrays.len() {
        return Err(bad("its tangent has other arguments than its code".into()));
    }
    let mut derived = tangent.kernel.into_inner();
    derived.attributes.no_adjoint = kernel.attributes.no_adjoint;
    let derived = Valid::<Kernel>::new(derived).map_err(|e| bad(e.to_string()))?;
    let layouts: Vec<_> = spec.arrays.iter().copied().chain(arrays.iter().map(|&k| spec.arrays[k])).collect();
    let adjoint = Reverse::of(&derived).to_bytes();
    let derived = Spec {
        name: Box::leak(format!("{} tangent", spec.name).into_boxed_str()),
        adjoint: Box::leak(adjoint.into_boxed_slice()),
        ir: Box::leak(Kernel::to_bytes(&derived).into_boxed_slice()),
        arrays: Box::leak(layouts.into_boxed_slice()),
        plain: None,
        ..*spec
    };
    // SAFETY: the code is made from the primal's, and takes the primal's arguments, then for each array in `arrays` one
    // of the same kind and layout, and for each float scalar one float.
    let definition = unsafe { Definition::new(derived) };
    Ok(Forward::Known(Box::new(Known { definition, arrays, scalars, words: places(&kernel.function) })))
}
