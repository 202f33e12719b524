//! What the binary carries of a kernel's derivative, as bytes.
//!
//! Reading is a security boundary, as it is for kernels: the adjoint is valid and guarded, and takes exactly the arguments
//! that the primal's launch and its gradients give.

use serde::{Deserialize, Serialize};

use super::fits::fits;
use super::{
    Adjoint, ArrayNeed, Detached, LogArrays, Options, Overlap, Record, Recording, Refusal, ScalarGradient,
    differentiate,
};
use crate::encode::{self, DecodeError};
use crate::ir::Kernel;
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
    Adjoint(Box<AdjointData>),
    Refused(Refusal),
    LeftOut,
}

#[derive(Serialize, Deserialize)]
struct AdjointData {
    kernel: Kernel,
    arrays: Vec<ArrayNeed>,
    scalars: Vec<ScalarGradient>,
    overlaps: Vec<Overlap>,
    detached: Vec<Detached>,
    recording: Option<(Kernel, Vec<Record>)>,
    logs: Vec<LogArrays>,
    unguarded: bool,
}

const REVERSE: u8 = b'R';

impl Reverse {
    /// The reverse of a simplified kernel, as its attributes want it.
    pub fn of(primal: &Valid<Kernel>) -> Reverse {
        if primal.attributes.no_adjoint {
            return Reverse::LeftOut;
        }
        match differentiate(primal, &Options { trimmed: true, ..Options::of(primal) }) {
            Ok(adjoint) => Reverse::Adjoint(Box::new(adjoint)),
            Err(refusal) => Reverse::Refused(refusal),
        }
    }

    /// The encoded form.
    pub fn to_bytes(self) -> Vec<u8> {
        let data = match self {
            Reverse::Adjoint(adjoint) => {
                let Adjoint { kernel, arrays, scalars, overlaps, detached, recording, logs, unguarded } = *adjoint;
                let recording = recording.map(|of| (of.kernel.into_inner(), of.records));
                let kernel = kernel.into_inner();
                Data::Adjoint(Box::new(AdjointData {
                    kernel,
                    arrays,
                    scalars,
                    overlaps,
                    detached,
                    recording,
                    logs,
                    unguarded,
                }))
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
            Data::Adjoint(data) => {
                let AdjointData { kernel, arrays, scalars, overlaps, detached, recording, logs, unguarded } = *data;
                let recording = match recording {
                    Some((kernel, records)) => Some(Recording { kernel: proven(kernel)?, records }),
                    None => None,
                };
                let adjoint = Adjoint {
                    kernel: proven(kernel)?,
                    arrays,
                    scalars,
                    overlaps,
                    detached,
                    recording,
                    logs,
                    unguarded,
                };
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

/// A kernel that is valid and guarded.
fn proven(kernel: Kernel) -> Result<Valid<Kernel>, DecodeError> {
    let kernel = Valid::<Kernel>::new(kernel)?;
    guarded(&kernel)?;
    Ok(kernel)
}
