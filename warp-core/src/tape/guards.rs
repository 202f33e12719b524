//! Gradients of zero that meet something infinite: their product is zero.
//!
//! Guarding every product of a way back would cost in every pass, and few passes need it. So a pass runs without those
//! guards first. A NaN that one of them would have kept out is in every gradient that would be another one with it; where
//! a NaN is found, be it of this sort or not, the pass starts over with all guards.

use std::collections::HashSet;

use super::backward::Backward;
use super::region::Region;
use super::step::{Entry, Launch, Step};
use crate::adjoint::places;
use crate::array::buffer::Buffer;
use crate::error::Error;
use crate::program::Form;

/// What a pass knows of guards.
#[derive(Default, Debug)]
pub(crate) struct Guards {
    /// Whether all products are guarded.
    pub(crate) all: bool,
    /// Whether a launch was gone through that has products without a guard.
    pub(crate) missed: bool,
    /// Whether it is known already that the pass has to start over.
    pub(crate) failed: bool,
}

impl Backward {
    /// Whether a NaN was found that guards might have kept out.
    pub(crate) fn needs_guards(&self, entries: &[Entry]) -> Result<bool, Error> {
        if !self.guards.missed {
            return Ok(false);
        }
        if self.guards.failed || self.scalars.values().flatten().any(|number| number.is_nan()) {
            return Ok(true);
        }
        let mut seen = HashSet::new();
        for entry in entries {
            for region in regions(&entry.step, &mut |key| seen.insert(key))? {
                if self.has_nan(&region)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// A function of the host is about to get a gradient, of which it may make what it likes.
    pub(crate) fn hands_out(&mut self, gradient: &Region, memory: &Buffer) -> Result<(), Error> {
        self.guards.failed |= self.guards.missed && gradient.has_nan(memory)?;
        Ok(())
    }

    fn has_nan(&self, region: &Region) -> Result<bool, Error> {
        match self.gradients.existing(&region.memory) {
            Some(gradient) if self.gradients.is_live(&region.memory, region.span) => region.has_nan(&gradient),
            _ => Ok(false),
        }
    }
}

/// What tells regions of one tape apart: buffer, bytes, and the layout of elements.
type Key = (usize, (usize, usize), usize);

/// The floats that a step lets gradients flow to, as far as they are new.
fn regions(step: &Step, is_new: &mut impl FnMut(Key) -> bool) -> Result<Vec<Region>, Error> {
    let mut new = |region: &Region| is_new(key(region));
    match step {
        Step::Launch(launch) if !launch.is_empty() => {
            let flows = (0..launch.args.len()).filter(|&k| launch.args[k].has_floats() && !launch.args[k].detached);
            let all: Result<Vec<Region>, Error> = flows.map(|k| argument(launch, k)).collect();
            Ok(all?.into_iter().filter(|region| new(region)).collect())
        }
        Step::Copy(copied) => Ok([&copied.from, &copied.to].into_iter().filter(|r| new(r)).cloned().collect()),
        Step::Function(function) => {
            Ok(function.inputs.iter().map(|input| &input.region).filter(|region| new(region)).cloned().collect())
        }
        Step::Launch(_) | Step::Overwrite(_) | Step::Backward(_) => Ok(vec![]),
    }
}

fn key(region: &Region) -> Key {
    let layout = region.layout.map_or(0, |layout| std::ptr::from_ref(layout) as usize);
    (region.memory.key(), (region.span.start, region.span.end), layout)
}

/// The elements of an argument: of a view all that lie between its first and its last, too.
fn argument(launch: &Launch, k: usize) -> Result<Region, Error> {
    let arg = &launch.args[k];
    let (memory, layout) = (&arg.memory, arg.kind.layout);
    if let Form::Slice | Form::View(_) = arg.kind.form {
        return Ok(Region::elements(memory, arg.span, layout));
    }
    let function = &launch.definition.load(&memory.device)?.program.kernel.function;
    let place = &places(function)[k];
    let (addresses, extents) = launch.words[place.words.clone()].split_at(place.addresses);
    let starts = addresses.iter().map(|address| (address - memory.address) as usize).collect();
    let len = extents.first().map_or(0, |&len| len as usize);
    Ok(Region::planes(memory, arg.span, layout, starts, len))
}
