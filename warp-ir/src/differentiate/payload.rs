//! What the binary carries of a kernel's derivative, as bytes.
//!
//! Reading is a security boundary, as it is for kernels: the adjoint is valid and guarded, and takes exactly the arguments
//! that the primal's launch and its gradients give.

use serde::{Deserialize, Serialize};

use super::tree::carries;
use super::{Adjoint, ArrayNeed, Options, Refusal, differentiate};
use crate::encode::{self, DecodeError};
use crate::ir::*;
use crate::validate::{Valid, guarded};

/// The reverse of a kernel, as far as there is one.
#[derive(Clone, PartialEq, Debug)]
pub enum Reverse {
    /// The kernel that brings gradients back.
    Adjoint(Box<Adjoint>),
    /// There is none, for a reason that is told when a gradient is asked for.
    Refused(Refusal),
    /// None was wanted: `#[kernel(no_adjoint)]`.
    LeftOut,
}

/// The form of the bytes.
#[derive(Serialize, Deserialize)]
enum Data {
    Adjoint { kernel: Kernel, arrays: Vec<ArrayNeed> },
    Refused(Refusal),
    LeftOut,
}

const REVERSE: u8 = b'R';

impl Reverse {
    /// The reverse of a simplified kernel, as its attributes want it.
    pub fn of(primal: &Valid<Kernel>) -> Reverse {
        if primal.attributes.no_adjoint {
            return Reverse::LeftOut;
        }
        match differentiate(primal, &Options::of(primal)) {
            Ok(adjoint) => Reverse::Adjoint(Box::new(adjoint)),
            Err(refusal) => Reverse::Refused(refusal),
        }
    }

    /// The encoded form.
    pub fn to_bytes(self) -> Vec<u8> {
        let data = match self {
            Reverse::Adjoint(adjoint) => {
                let Adjoint { kernel, arrays } = *adjoint;
                Data::Adjoint { kernel: kernel.into_inner(), arrays }
            }
            Reverse::Refused(refusal) => Data::Refused(refusal),
            Reverse::LeftOut => Data::LeftOut,
        };
        encode::to_bytes(REVERSE, &data)
    }

    /// The inverse of [`to_bytes`](Reverse::to_bytes), for the kernel that it is the reverse of; hostile bytes give an
    /// error.
    pub fn from_bytes(bytes: &[u8], primal: &Kernel) -> Result<Reverse, DecodeError> {
        let misfit = |what: String| DecodeError::Damaged(format!("its reverse does not fit it: {what}"));
        match encode::decode(REVERSE, bytes)? {
            Data::Adjoint { kernel, arrays } => {
                let kernel = Valid::<Kernel>::new(kernel)?;
                guarded(&kernel)?;
                let adjoint = Adjoint { kernel, arrays };
                fits(&adjoint, primal).map_err(misfit)?;
                Ok(Reverse::Adjoint(Box::new(adjoint)))
            }
            Data::Refused(refusal) => match refusal.source {
                Some(at) if at.0 as usize >= primal.function.sources.len() => Err(misfit("a place is missing".into())),
                _ => Ok(Reverse::Refused(refusal)),
            },
            Data::LeftOut => Ok(Reverse::LeftOut),
        }
    }
}

/// Whether an adjoint takes the arguments that the head of [the module](super) lists.
fn fits(adjoint: &Adjoint, primal: &Kernel) -> Result<(), String> {
    let Adjoint { kernel, arrays: needs } = adjoint;
    let (own, of) = (&kernel.function, &primal.function);
    let scalars =
        |function: &Function| -> Vec<Scalar> { function.params.iter().map(|p| function.scalar(p.value)).collect() };
    if kernel.rank != primal.rank || scalars(own) != scalars(of) || own.slots > of.slots {
        return Err("its launch, scalars or constants differ".into());
    }
    if needs.len() != of.arrays.len() || own.arrays.len() < needs.len() {
        return Err("the numbers of arrays differ".into());
    }
    let read = loaded(own);
    let mut next = needs.len();
    for (k, (need, array)) in needs.iter().zip(&of.arrays).enumerate() {
        let same = &own.arrays[k];
        if !alike(same, array) || (same.access == Access::Write) != need.scratch {
            return Err(format!("`{}` is another array there", array.name));
        }
        if read[k] && !need.contents {
            return Err(format!("it reads `{}` without saying so", array.name));
        }
        let floats = array.leaves.iter().any(|&leaf| carries(leaf));
        if need.gradient != floats.then_some(ArrayId(next as u32)) {
            return Err(format!("the gradient of `{}` is not where it belongs", array.name));
        }
        if floats {
            let gradient = own.arrays.get(next);
            if !gradient.is_some_and(|g| alike(g, array) && g.access == Access::Write) {
                return Err(format!("the gradient of `{}` is another array", array.name));
            }
            next += 1;
        }
    }
    if next != own.arrays.len() {
        return Err("it takes further arrays".into());
    }
    Ok(())
}

/// Whether two arrays take the same argument but for writing.
fn alike(a: &ArrayParam, b: &ArrayParam) -> bool {
    a.leaves == b.leaves && a.rank == b.rank && a.strided == b.strided && a.storage == b.storage
}

/// Which array parameters a function takes contents from.
fn loaded(function: &Function) -> Vec<bool> {
    fn walk(region: &Region, loaded: &mut [bool]) {
        for op in &region.ops {
            if let Op::Load { mem: Mem::Array(a), .. } | Op::Atomic { mem: Mem::Array(a), .. } = op {
                loaded[a.0 as usize] = true;
            }
            op.shape().regions.into_iter().for_each(|region| walk(region, loaded));
        }
    }
    let mut loaded = vec![false; function.arrays.len()];
    walk(&function.body, &mut loaded);
    loaded
}
