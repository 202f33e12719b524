//! How a launch and an emitted kernel meet: one truth for the emitter and for whoever launches.
//!
//! An entry has one parameter, `args`: the argument words of [`ArgWords`], then the *launch words*. With more than 4,096
//! bytes of words the parameter is the address of a buffer in device memory that holds them. The launch words are
//!
//! | words | what |
//! |---|---|
//! | 1 | address of the fault block ([`FaultBlock`]) |
//! | 1 | address of the print ring ([`PrintRing`]); 0 for a kernel that prints nothing |
//! | rank | the extents of the launch, slowest first |
//! | 1 | the number of threads |
//! | 2 a dimension but the first | magic number and shift that divide a thread number by the extent |
//! | 2, for rank 4 | the same for the second extent, in 32 bits |
//!
//! A kernel has several entries. Each says which launches it is right for ([`Entry::fits`]); the first that fits is the
//! best, and the last fits all that [`LaunchWords::threads`] takes. In *narrow* ones the grid carries the coordinates, the
//! last dimension on x; a fourth dimension shares z with the third. In *wide* ones it carries the thread's number.

mod fault;
mod ring;

use crate::abi::ArgWords;
use crate::ir::Kernel;

pub use fault::{Fault, FaultBlock};
pub use ring::{PrintRing, Printed, Prints};

/// Bytes that a launch can pass by value.
pub const PARAMETER_BYTES: usize = 4096;
/// Threads of one launch are fewer than this: a thread's number and a check's share a word.
pub const MOST_THREADS: u64 = 1 << 48;
/// Threads of a launch of a narrow entry, elements of the arrays that it is given, and their distances from the first, are
/// fewer than this.
pub const NARROW: u64 = 1 << 31;
/// The grid's limits in blocks, by dimension.
const GRID: [u64; 3] = [(1 << 31) - 1, 65_535, 65_535];

/// Where the launch words lie in the block of words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchWords {
    /// Dimensions of the launch.
    pub rank: usize,
    /// The word with the address of the fault block: the first behind the arguments.
    pub fault: usize,
    /// The word with the address of the print ring.
    pub prints: usize,
    /// The word of the extent of dimension 0.
    pub dims: usize,
    /// The word of the number of threads.
    pub threads: usize,
    /// The word of the magic number of dimension 1, which its shift follows; then those of the other dimensions.
    pub divisors: usize,
    /// For rank 4: the word of the magic number of dimension 1 in 32 bits.
    pub narrow_divisor: Option<usize>,
    /// Words in all, arguments included.
    pub total: usize,
}

impl LaunchWords {
    /// The layout for a kernel.
    pub fn of(kernel: &Kernel) -> LaunchWords {
        let rank = kernel.rank.clamp(1, 4) as usize;
        let fault = ArgWords::of(&kernel.function).total;
        let dims = fault + 2;
        let threads = dims + rank;
        let divisors = threads + 1;
        let end = divisors + 2 * (rank - 1);
        let narrow_divisor = (rank == 4).then_some(end);
        let total = end + if rank == 4 { 2 } else { 0 };
        LaunchWords { rank, fault, prints: fault + 1, dims, threads, divisors, narrow_divisor, total }
    }

    /// Whether the parameter is an address of the words, as they are too many to be passed by value.
    pub fn by_address(&self) -> bool {
        self.total * 8 > PARAMETER_BYTES
    }

    /// The number of threads of a launch; `None` where an entry cannot count them, or there are none.
    pub fn threads(dims: &[u64]) -> Option<u64> {
        let threads = dims.iter().try_fold(1u64, |threads, &extent| threads.checked_mul(extent))?;
        (1..MOST_THREADS).contains(&threads).then_some(threads)
    }

    /// The launch words, to be put behind the argument words. `dims` are those of a launch that
    /// [`threads`](LaunchWords::threads) counts, as many as the kernel's rank.
    pub fn fill(&self, dims: &[u64], fault: u64, prints: u64) -> Vec<u64> {
        let mut words = vec![fault, prints];
        words.extend(dims);
        words.push(dims.iter().product());
        words.extend(dims.iter().skip(1).flat_map(|&extent| wide_divisor(extent)));
        if self.narrow_divisor.is_some() {
            // A launch of the wide entry may have an extent that this cannot divide by; it does not ask either.
            words.extend(
                dims.get(1).filter(|&&extent| extent < NARROW).map_or([0, 0], |&extent| narrow_divisor(extent)),
            );
        }
        words
    }
}

/// Magic number and shift such that `n / d` is `mul_hi(n << 2, magic) >> shift`, for `n` and `d` below 2^48.
///
/// With `2^k` the power of two at or above `d` and `m = ceil(2^(48 + k) / d)`, what `m` is too large by is less than
/// `2^k / d`, so that `n * m` is too large by less than `2^(48 + k) / d`, and the quotient is right. `m` is below 2^49;
/// 14 bits of its word and 2 of that of `n` are free for the 16 that make the high half one of 64 bits.
fn wide_divisor(d: u64) -> [u64; 2] {
    let shift = d.next_power_of_two().trailing_zeros();
    let magic = (1u128 << (48 + shift)).div_ceil(u128::from(d.max(1))) as u64;
    [magic << 14, u64::from(shift)]
}

/// As [`wide_divisor`], with `mul_hi(n << 1, magic) >> shift` of 32 bits, for `n` and `d` below 2^31.
fn narrow_divisor(d: u64) -> [u64; 2] {
    let shift = d.next_power_of_two().trailing_zeros();
    let magic = (1u64 << (31 + shift)).div_ceil(d.max(1));
    [magic, u64::from(shift)]
}

/// An entry of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name in the module.
    pub name: String,
    /// How the grid carries the threads.
    pub width: Width,
    /// What else it takes for granted of a launch.
    pub conditions: Vec<Condition>,
}

/// How the grid carries the threads, and how wide their coordinates are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// Coordinates in 32 bits, by the dimensions of the grid.
    Narrow,
    /// Coordinates in 64 bits, from the thread's number.
    Wide,
}

/// What an entry takes for granted of a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// The launch's extent in this dimension is at most the argument word.
    Reaches {
        /// The dimension of the launch.
        dim: usize,
        /// The argument word.
        word: usize,
    },
    /// An argument word is at most another one.
    AtMost {
        /// The smaller word.
        word: usize,
        /// The larger word.
        other: usize,
    },
    /// The stride at this word is 1.
    SideBySide {
        /// The argument word.
        word: usize,
    },
    /// The product of the argument words `first .. first + count`, the extents of an array, is below [`NARROW`].
    Small {
        /// The first word.
        first: usize,
        /// How many there are.
        count: usize,
    },
    /// The strides of an array are not negative, and these and its last element's place are below [`NARROW`], counted in
    /// elements.
    Near {
        /// The word of the first extent.
        extents: usize,
        /// The word of the first stride.
        strides: usize,
        /// How many there are of both.
        count: usize,
    },
    /// The address at this word is a multiple of `to`.
    Aligned {
        /// The argument word.
        word: usize,
        /// A power of two.
        to: u64,
    },
}

impl Condition {
    /// Whether it holds for a launch with these extents and argument words.
    pub fn holds(&self, dims: &[u64], words: &[u64]) -> bool {
        match *self {
            Condition::Reaches { dim, word } => dims[dim] <= words[word],
            Condition::AtMost { word, other } => words[word] <= words[other],
            Condition::SideBySide { word } => words[word] == 1,
            Condition::Small { first, count } => product(&words[first..first + count]).is_some_and(|n| n < NARROW),
            Condition::Near { extents, strides, count } => {
                near(&words[extents..extents + count], &words[strides..strides + count])
            }
            Condition::Aligned { word, to } => words[word].is_multiple_of(to),
        }
    }
}

/// The product, where no extent and no product of the first ones leaves 64 bits. An empty array has extents, too.
fn product(extents: &[u64]) -> Option<u64> {
    let longest = extents.iter().copied().max().unwrap_or(1);
    let product = extents.iter().filter(|&&extent| extent > 0).try_fold(1u64, |product, &n| product.checked_mul(n));
    product.map(|product| product.max(longest))
}

/// Whether all elements lie near the first, behind it. Negative strides are large numbers here.
fn near(extents: &[u64], strides: &[u64]) -> bool {
    let ways = extents.iter().zip(strides).map(|(&n, &stride)| u128::from(n.saturating_sub(1)) * u128::from(stride));
    strides.iter().all(|&stride| stride < NARROW) && ways.sum::<u128>() < u128::from(NARROW)
}

impl Entry {
    /// The grid for a launch in blocks of `block` threads, where this entry is right for it: `dims` are those of a launch
    /// that [`LaunchWords::threads`] counts, `words` its argument words.
    pub fn fits(&self, dims: &[u64], words: &[u64], block: u32) -> Option<Grid> {
        let grid = Grid::new(self.width, dims, block)?;
        self.conditions.iter().all(|condition| condition.holds(dims, words)).then_some(grid)
    }
}

/// Blocks and threads of a launch, x first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    /// Blocks in each dimension.
    pub grid: [u32; 3],
    /// Threads of a block in each dimension.
    pub block: [u32; 3],
}

impl Grid {
    /// The grid for a launch in blocks of at most `block` threads; `None` where a grid cannot carry it.
    pub fn new(width: Width, dims: &[u64], block: u32) -> Option<Grid> {
        let threads = LaunchWords::threads(dims)?;
        let block = u64::from(block.clamp(1, 1024));
        match width {
            Width::Wide => {
                let blocks = threads.div_ceil(block);
                let x = blocks.min(GRID[0]);
                Grid::checked([x, blocks.div_ceil(x), 1], [block, 1, 1])
            }
            Width::Narrow if threads >= NARROW => None,
            Width::Narrow => {
                let extents = axes(dims);
                let mut left = block;
                let mut shape = [1; 3];
                for (axis, &extent) in extents.iter().enumerate().take(axes_of(dims.len())) {
                    let most = if axis == 2 { left.min(64) } else { left };
                    // The last axis that there is takes no more than what divides the block.
                    shape[axis] = if dims.len() == 1 { most } else { most.min(extent.next_power_of_two()) };
                    left /= shape[axis];
                }
                let blocks = [0, 1, 2].map(|axis| extents[axis].div_ceil(shape[axis]));
                Grid::checked(blocks, shape)
            }
        }
    }

    fn checked(blocks: [u64; 3], block: [u64; 3]) -> Option<Grid> {
        let fits = blocks.iter().zip(GRID).all(|(&blocks, most)| (1..=most).contains(&blocks));
        fits.then(|| Grid { grid: blocks.map(|n| n as u32), block: block.map(|n| n as u32) })
    }
}

fn axes_of(rank: usize) -> usize {
    rank.clamp(1, 3)
}

/// The extents of the three axes of the grid, x first; those before the third from the end share z.
fn axes(dims: &[u64]) -> [u64; 3] {
    let mut axes = [1; 3];
    for (from_end, &extent) in dims.iter().rev().enumerate() {
        axes[from_end.min(2)] *= extent;
    }
    axes
}

#[cfg(test)]
mod tests;
