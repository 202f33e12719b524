//! Sums in parts: the threads of a launch are cut into a few stretches, each of which adds into memory of its own, and what
//! came together there is added to the arrays when all are through. An atomic addition costs about eight plain ones.
//!
//! The first stretch adds to the arrays themselves. The memory of the others starts out as what changes no sum, -0.0 for
//! floats, and is added in the order of the stretches: what an array holds in the end depends on how many of them there are,
//! and on nothing else.

mod merge;
mod spare;

use warp_core::backend::ElementLayout;
use warp_ir::abi::{ArgWords, ArrayWords};
use warp_ir::ir::{ArrayParam, Kernel, Scalar, Storage};
use warp_ir::{passes, sums};

use crate::pool::Pool;
use spare::Block;
pub(crate) use spare::Spare;

/// Stretches whose own memory is worth its while: together they have at most so many values for each addition.
const VALUES_AN_ADDITION: f64 = 2.0;
/// Bytes that all stretches of a launch take together, at most.
const MOST_BYTES: f64 = 256e6;
/// Regions of memory start at multiples of so many bytes, a cache line.
const ALIGN: usize = 64;
/// Readable bytes past the end of a region, as behind an array.
const PADDING: usize = 16;

/// The arrays to which a kernel adds, where nothing else happens with them.
pub(crate) struct Sums {
    targets: Vec<Target>,
    /// Values that a thread adds, roughly.
    additions: f64,
}

/// One of them.
struct Target {
    words: ArrayWords,
    rank: usize,
    regions: Vec<Region>,
    strands: Vec<Strand>,
}

/// Memory that one address stands for.
struct Region {
    /// The word with the address.
    word: usize,
    /// Bytes from an element to the next.
    step: usize,
}

/// Values of one type in each element, side by side.
struct Strand {
    scalar: Scalar,
    /// In which region.
    region: usize,
    /// Where in the element.
    offset: usize,
    /// How many of them.
    count: usize,
}

/// The memory of a launch in parts.
pub(crate) struct Parts<'a> {
    sums: &'a Sums,
    /// The arguments of the launch.
    words: &'a [u64],
    /// Of all stretches but the first.
    own: Vec<Own>,
}

/// What a stretch adds into.
struct Own {
    /// The arguments, with its memory in place of the arrays.
    words: Vec<u64>,
    block: Block,
}

impl Sums {
    /// Those of a kernel, where it has such and no other atomics.
    pub(crate) fn of(kernel: &Kernel, layouts: &[ElementLayout]) -> Option<Sums> {
        let (function, words) = (&kernel.function, ArgWords::of(&kernel.function));
        let target = |summed: sums::Summed| {
            let number = summed.array.0 as usize;
            Target::new(&function.arrays[number], words.arrays[number], &layouts[number], &summed.leaves)
        };
        let targets = sums::summed(kernel)?.into_iter().map(target).collect();
        Some(Sums { targets, additions: passes::additions(kernel) })
    }

    /// Whether a launch of `total` threads in so many stretches adds often enough for the memory that this takes.
    pub(crate) fn worthwhile(&self, words: &[u64], total: u64, stretches: u64) -> bool {
        let values = self.targets.iter().map(|target| target.values(words)).sum::<f64>();
        // Where elements share memory, adding to them from several places at a time would be a race.
        let apart = self.targets.iter().all(|target| !target.repeats(words));
        let often = values * stretches as f64 <= VALUES_AN_ADDITION * self.additions * total as f64;
        let bytes = self.targets.iter().map(|target| target.bytes(words)).sum::<f64>();
        values > 0.0 && apart && often && bytes * (stretches - 1) as f64 <= MOST_BYTES
    }

    /// The memory for a launch with these arguments in so many stretches, of which there is at least one; none where the
    /// machine has no more.
    pub(crate) fn parts<'a>(&'a self, words: &'a [u64], stretches: u64, spare: &Spare) -> Option<Parts<'a>> {
        let own = (1..stretches).map(|_| self.own(words, spare)).collect::<Option<_>>()?;
        Some(Parts { sums: self, words, own })
    }

    fn own(&self, words: &[u64], spare: &Spare) -> Option<Own> {
        let (mut words, mut places, mut bytes) = (words.to_vec(), vec![], 0);
        for target in &self.targets {
            for region in &target.regions {
                places.push((region.word, bytes));
                bytes = (bytes + target.elements(&words) * region.step + PADDING).next_multiple_of(ALIGN);
            }
            target.dense_strides(&mut words);
        }
        let block = spare.take(bytes)?;
        places.into_iter().for_each(|(word, at)| words[word] = block.address() + at as u64);
        Some(Own { words, block })
    }
}

impl Target {
    fn new(array: &ArrayParam, words: ArrayWords, layout: &ElementLayout, leaves: &[u16]) -> Target {
        let scalar = |leaf: u16| array.leaves[leaf as usize];
        let (regions, strands) = match array.storage {
            Storage::Planes => {
                let region = |leaf: &u16| Region { word: words.address + *leaf as usize, step: scalar(*leaf).size() };
                let strand =
                    |(region, leaf): (usize, &u16)| Strand { scalar: scalar(*leaf), region, offset: 0, count: 1 };
                (leaves.iter().map(region).collect(), leaves.iter().enumerate().map(strand).collect())
            }
            Storage::Elements => {
                let mut strands: Vec<Strand> = vec![];
                for leaf in leaves {
                    let (scalar, offset) = (scalar(*leaf), layout.offsets[*leaf as usize]);
                    match strands.last_mut() {
                        Some(last) if last.scalar == scalar && last.end() == offset => last.count += 1,
                        _ => strands.push(Strand { scalar, region: 0, offset, count: 1 }),
                    }
                }
                (vec![Region { word: words.address, step: layout.size }], strands)
            }
        };
        Target { words, rank: array.rank as usize, regions, strands }
    }

    fn extents<'a>(&self, words: &'a [u64]) -> &'a [u64] {
        &words[self.words.extents..][..self.rank]
    }

    fn strides<'a>(&self, words: &'a [u64]) -> Option<&'a [u64]> {
        self.words.strides.map(|strides| &words[strides..][..self.rank])
    }

    fn elements(&self, words: &[u64]) -> usize {
        self.extents(words).iter().product::<u64>() as usize
    }

    /// Values of a stretch, where they may be more than fit into memory.
    fn values(&self, words: &[u64]) -> f64 {
        let each = self.strands.iter().map(|strand| strand.count as f64).sum::<f64>();
        self.extents(words).iter().fold(each, |values, extent| values * *extent as f64)
    }

    /// Bytes of a stretch, likewise.
    fn bytes(&self, words: &[u64]) -> f64 {
        let each = self.regions.iter().map(|region| region.step as f64).sum::<f64>();
        self.extents(words).iter().fold(each, |bytes, extent| bytes * *extent as f64)
    }

    /// Whether several elements lie at one place.
    fn repeats(&self, words: &[u64]) -> bool {
        let repeats =
            |strides: &[u64]| self.extents(words).iter().zip(strides).any(|(n, stride)| *n > 1 && *stride == 0);
        self.strides(words).is_some_and(repeats)
    }

    /// The strides of elements without gaps, last dimension fastest.
    fn dense_strides(&self, words: &mut [u64]) {
        let Some(strides) = self.words.strides else { return };
        let mut stride = 1;
        for dim in (0..self.rank).rev() {
            words[strides + dim] = stride;
            stride *= words[self.words.extents + dim];
        }
    }
}

impl Strand {
    /// Where the values end in the element.
    fn end(&self) -> usize {
        self.offset + self.count * self.scalar.size()
    }
}

impl Parts<'_> {
    /// The arguments for a stretch.
    pub(crate) fn words(&self, stretch: u64) -> *const u64 {
        match stretch {
            0 => self.words.as_ptr(),
            _ => self.own[stretch as usize - 1].words.as_ptr(),
        }
    }

    /// Makes the memory of a stretch ready to be added to. One machine thread does that, before the stretch runs.
    pub(crate) fn clear(&self, stretch: u64) {
        let Some(own) = (stretch as usize).checked_sub(1).map(|k| &self.own[k]) else { return };
        for target in &self.sums.targets {
            // SAFETY: the block holds these elements, and belongs to this stretch alone.
            unsafe { merge::clear(target, &own.words, target.elements(self.words)) };
        }
    }

    /// Adds what the stretches have to the arrays, on up to `threads` machine threads, and gives the memory back.
    ///
    /// # Safety
    /// All stretches have run, and the arguments still name the memory of the arrays, which nobody else uses.
    pub(crate) unsafe fn merge(self, threads: usize, pool: &Pool, spare: &Spare) {
        for target in &self.sums.targets {
            let own: Vec<&[u64]> = self.own.iter().map(|own| &own.words[..]).collect();
            // SAFETY: the caller's contract. One target comes after the other: arrays may be the same.
            unsafe { merge::add(target, self.words, &own, threads, pool) };
        }
        self.own.into_iter().for_each(|own| spare.give_back(own.block));
    }
}
