//! Scalar arguments whose gradients kernels ask for.

use warp_ir::ir::Scalar;

use super::leaves::Precision;
use super::program::{Number, Of};
use crate::adjoint::{Reverse, Variant};
use crate::error::Error;
use crate::kernel::Definition;
use crate::layout::read_float;
use crate::tape::{Backward, Step, Tape};

/// A scalar argument of a kernel, in all its launches.
#[derive(Debug)]
pub(super) struct Argument {
    definition: &'static Definition,
    /// Its place among the kernel's scalars, and in the adjoint's list of gradients.
    place: (usize, usize),
    pub name: String,
    /// The launches in which it is something.
    pub launches: Vec<AtLaunch>,
}

/// What it is in a launch.
#[derive(Debug)]
pub(super) struct AtLaunch {
    /// The launch among those of its kernel.
    pub launch: usize,
    pub number: Number,
    /// The launch on the tape.
    position: usize,
}

impl Argument {
    /// All of a tape.
    pub fn all(tape: &Tape, precision: Precision) -> Result<Vec<Argument>, Error> {
        let mut all: Vec<Argument> = Vec::new();
        let mut counts: Vec<(&'static Definition, usize)> = Vec::new();
        for (position, entry) in tape.entries().iter().enumerate() {
            let Step::Launch(launch) = &*entry.step else { continue };
            let definition = launch.definition;
            let number = match counts.iter_mut().find(|(of, _)| std::ptr::eq(*of, definition)) {
                Some((_, count)) => {
                    *count += 1;
                    *count - 1
                }
                None => {
                    counts.push((definition, 1));
                    0
                }
            };
            let Reverse::Adjoint(adjoint) = definition.reverse(Variant::default())? else { continue };
            // Those without threads do not run.
            if launch.is_empty() || launch.args.is_empty() {
                continue;
            }
            let function = &adjoint.kernel.function;
            for (k, of) in adjoint.scalars.iter().enumerate() {
                let place = (of.param as usize, k);
                let (Some(param), Some(&bits)) = (function.params.get(place.0), launch.values.get(place.0)) else {
                    continue;
                };
                let scalar = function.scalar(param.value);
                let of = Of::Launch { position, word: launch.words.len() + place.0 };
                let there = if precision == Precision::Double { Scalar::F64 } else { scalar };
                let number_there = Number { of, scalar: there, x: read_float(scalar, &bits.to_le_bytes()) };
                let here = AtLaunch { launch: number, number: number_there, position };
                let same = |a: &&mut Argument| std::ptr::eq(a.definition, definition) && a.place == place;
                match all.iter_mut().find(same) {
                    Some(known) => known.launches.push(here),
                    None => all.push(Argument { definition, place, name: param.name.clone(), launches: vec![here] }),
                }
            }
        }
        Ok(all)
    }

    /// The kernel's name.
    pub fn kernel(&self) -> &'static str {
        self.definition.name()
    }

    /// What a backward pass has found, for each launch.
    pub fn gradients(&self, found: &Backward) -> Vec<f64> {
        let of = |at: &AtLaunch| found.scalar_gradients(at.position).get(self.place.1).copied().unwrap_or(0.0);
        self.launches.iter().map(of).collect()
    }
}
