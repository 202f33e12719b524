//! All memory of a recording, and what it holds in the end.

use std::collections::BTreeSet;

use warp_ir::ir::Scalar;

use super::Places;
use super::leaves::{Known, Leaf, Name, Precision};
use super::report::ResultEntry;
use super::steps::validated;
use crate::error::Error;
use crate::layout::read_float;
use crate::tape::{First, Memory, Step, Tape, Value, is_float};

/// All buffers that launches and copies meet.
#[derive(Debug)]
pub(super) struct Memories {
    pub list: Vec<Known>,
    pub places: Places,
    pub precision: Precision,
}

impl Memories {
    pub fn new(tape: &Tape, first: &First, precision: Precision) -> Result<Memories, Error> {
        let mut memories = Memories { list: Vec::new(), places: Places::new(), precision };
        // Launches have better names for what copies meet as well.
        for entry in tape.entries() {
            let Step::Launch(launch) = &*entry.step else { continue };
            let no_adjoint = validated(&launch.definition.spec)?.attributes.no_adjoint;
            for (k, arg) in launch.args.iter().enumerate() {
                let known = |value: &Value| Known::of_argument(launch, k, value, precision).map(Some);
                let met = memories.meet(&arg.memory, arg.kind.write, first, known)?;
                if let Some(known) = met.filter(|_| arg.kind.write) {
                    known.constant = no_adjoint.then(|| launch.definition.name().into());
                }
            }
        }
        for entry in tape.entries() {
            let Step::Copy(copied) = &*entry.step else { continue };
            for (region, end, write) in [(&copied.from, "from", false), (&copied.to, "to", true)] {
                let known = |value: &Value| Known::of_copy(region, end, value, precision);
                if let Some(known) = memories.meet(&region.memory, write, first, known)?.filter(|_| write) {
                    known.constant = None;
                }
            }
        }
        // Where nothing else is written, what has no way back is what was to be checked.
        if memories.outputs().next().is_none() {
            memories.list.iter_mut().for_each(|known| known.constant = None);
        }
        Ok(memories)
    }

    fn meet(
        &mut self,
        memory: &Memory,
        write: bool,
        first: &First,
        known: impl FnOnce(&Value) -> Result<Option<Known>, Error>,
    ) -> Result<Option<&mut Known>, Error> {
        let key = memory.key();
        if !self.places.contains_key(&key)
            && let Some((_, value)) = first.iter().find(|(memory, _)| memory.key() == key)
            && let Some(known) = known(value)?
        {
            self.places.insert(key, self.list.len());
            self.list.push(known);
        }
        let Some(&known) = self.places.get(&key) else { return Ok(None) };
        self.list[known].written |= write;
        Ok(Some(&mut self.list[known]))
    }

    /// What is known of memory.
    pub fn find(&self, memory: &Memory) -> Option<&Known> {
        self.places.get(&memory.key()).map(|&at| &self.list[at])
    }

    /// Those that are written, that hold floats and from which a gradient can come, with their numbers.
    pub fn outputs(&self) -> impl Iterator<Item = (usize, &Known)> {
        self.list.iter().enumerate().filter(|(_, known)| known.counts())
    }

    /// The kernels marked `no_adjoint` whose results do not count.
    pub fn without_adjoint(&self) -> Vec<String> {
        let outputs = self.list.iter().filter(|known| known.is_output());
        let names: BTreeSet<&String> = outputs.filter_map(|known| known.constant.as_ref()).collect();
        names.into_iter().cloned().collect()
    }

    /// What is allowed of gradients by the numbers that there are: those of short floats are rounded to them.
    pub fn tolerance(&self) -> f64 {
        match (self.precision, self.narrowest()) {
            (Precision::Own, Narrowest::Double) => 1e-5,
            (Precision::Own, _) => 5e-2,
            (Precision::Double, Narrowest::Double) => 1e-6,
            (Precision::Double, Narrowest::Single) => 1e-3,
            (Precision::Double, Narrowest::Half) => 2e-2,
        }
    }

    /// What is allowed of results: launches round after each operation, the run in double precision does so less.
    pub fn tolerance_of_results(&self) -> f64 {
        match self.narrowest() {
            Narrowest::Double => 1e-6,
            Narrowest::Single => 1e-2,
            Narrowest::Half => 1e-1,
        }
    }

    /// Up to where gradients may be rounding, relative to the largest: some of the last digits of such floats.
    pub fn rounding(&self) -> f64 {
        match self.narrowest() {
            Narrowest::Double => 2e-15,
            Narrowest::Single => 1e-6,
            Narrowest::Half => 6e-2,
        }
    }

    /// A result that is NaN or infinite.
    pub fn not_finite(&self, results: &[Vec<u8>]) -> Option<ResultEntry> {
        let outputs = self.list.iter().zip(results).filter(|(known, _)| known.is_output());
        let found = outputs.flat_map(|(known, result)| {
            let floats = known.leaves.iter().filter(|leaf| leaf.is_float());
            floats.map(move |leaf| (known, leaf, number(leaf.scalar_there, &result[leaf.there..])))
        });
        let (known, leaf, again) = found.into_iter().find(|(.., value)| !value.is_finite())?;
        let launched = known.last.as_ref().map_or(again, |last| number(leaf.scalar, &last[leaf.at..]));
        let Name { kernel, array, .. } = known.name.clone();
        Some(ResultEntry { kernel, array, index: leaf.element, leaf: leaf.leaf, launched, again, error: 0.0 })
    }

    fn narrowest(&self) -> Narrowest {
        let is = |leaf: &Leaf| match leaf.scalar {
            Scalar::F32 => Narrowest::Single,
            scalar if scalar.is_half() => Narrowest::Half,
            _ => Narrowest::Double,
        };
        self.list.iter().flat_map(|known| &known.leaves).map(is).min().unwrap_or(Narrowest::Double)
    }

    /// The result of the run that is farthest off the recorded one, relative to the largest of its array, among the
    /// scalars that `of` names; none where all are the same. What is no float is the same, or infinitely far off.
    pub fn worst_result(&self, results: &[Vec<u8>], of: impl Fn(&Leaf) -> bool) -> Option<ResultEntry> {
        let mut worst: Option<(&Known, &Leaf, [f64; 3])> = None;
        for (known, result) in self.list.iter().zip(results).filter(|(known, _)| known.written) {
            let Some(last) = &known.last else { continue };
            let leaves = || known.leaves.iter().filter(|leaf| of(leaf));
            let again = |leaf: &Leaf| number(leaf.scalar_there, &result[leaf.there..]);
            let floats = leaves().filter(|leaf| leaf.is_float());
            let size = floats.fold(f64::MIN_POSITIVE, |size: f64, leaf| size.max(again(leaf).abs()));
            for leaf in leaves() {
                let size_of = leaf.scalar.size();
                let same_bits = last[leaf.at..leaf.at + size_of] == result[leaf.there..leaf.there + size_of];
                let (recorded, again) = (number(leaf.scalar, &last[leaf.at..]), again(leaf));
                let same = recorded == again || recorded.is_nan() && again.is_nan();
                // As numbers, large integers lose their last digits.
                if if leaf.is_float() { same } else { same_bits } {
                    continue;
                }
                let off = (recorded - again).abs() / size;
                // One of them is no number, or infinite where the other is not.
                let error = if off.is_nan() || !leaf.is_float() { f64::INFINITY } else { off };
                if worst.is_none_or(|(_, _, [_, _, most])| error > most) {
                    worst = Some((known, leaf, [recorded, again, error]));
                }
            }
        }
        let (known, leaf, [launched, again, error]) = worst?;
        let Name { kernel, array, .. } = known.name.clone();
        Some(ResultEntry { kernel, array, index: leaf.element, leaf: leaf.leaf, launched, again, error })
    }
}

/// A scalar as a number.
fn number(scalar: Scalar, bytes: &[u8]) -> f64 {
    let (mut bits, size) = ([0; 8], scalar.size());
    bits[..size].copy_from_slice(&bytes[..size]);
    let unused = 64 - 8 * size as u32;
    match scalar {
        scalar if is_float(scalar) => read_float(scalar, bytes),
        scalar if scalar.is_signed() => (i64::from_le_bytes(bits) << unused >> unused) as f64,
        _ => u64::from_le_bytes(bits) as f64,
    }
}

/// The shortest floats that there are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Narrowest {
    Half,
    Single,
    Double,
}
