//! What is done to each value of sums in parts.

use std::ops::Range;

use warp_ir::ir::Scalar;

use super::{Region, Strand, Target};
use crate::float_env::FloatEnv;
use crate::pool::Pool;

/// Elements that a machine thread adds up at a time.
const CHUNK: usize = 4096;

/// Puts what changes no sum into the elements behind these words, which lie without gaps.
///
/// # Safety
/// The memory holds so many elements, and nobody else uses it.
pub(super) unsafe fn clear(target: &Target, words: &[u64], elements: usize) {
    for strand in &target.strands {
        let line = Line::of(strand, &target.regions[strand.region], words);
        // SAFETY: the caller's contract.
        unsafe { line.clear(elements) };
    }
}

/// Adds the elements behind `own`, each without gaps, to those behind `words`, in order.
///
/// # Safety
/// The memory of all holds the elements, and nobody else uses it.
pub(super) unsafe fn add(target: &Target, words: &[u64], own: &[&[u64]], threads: usize, pool: &Pool) {
    let elements = target.elements(words);
    let mut dense = words.to_vec();
    target.dense_strides(&mut dense);
    // Views with gaps could have elements that share memory: one machine thread does all of them.
    let chunk = if dense == words { CHUNK } else { elements.max(1) };
    let chunks = elements.div_ceil(chunk) as u64;
    pool.run(chunks, threads, &|chunks| {
        let _env = FloatEnv::enter();
        for number in chunks {
            let start = number as usize * chunk;
            let range = start..elements.min(start + chunk);
            // SAFETY: the caller's contract; chunks have no element in common.
            unsafe { add_range(target, words, own, range) };
        }
    });
}

/// # Safety
/// As [`add`], for these elements.
unsafe fn add_range(target: &Target, words: &[u64], own: &[&[u64]], range: Range<usize>) {
    let mut at = range.start;
    while at < range.end {
        let (start, step, rest) = run(target, words, at);
        let count = rest.min(range.end - at);
        for strand in &target.strands {
            let region = &target.regions[strand.region];
            let to = Line::of(strand, region, words).starting_at(start, step);
            for own in own {
                let from = Line::of(strand, region, own).starting_at(at as i64, 1);
                // SAFETY: the caller's contract.
                unsafe { to.add(from, count) };
            }
        }
        at += count;
    }
}

/// Where the element with this number lies, the distance to the next one, both in elements, and how many follow at that
/// distance.
fn run(target: &Target, words: &[u64], number: usize) -> (i64, i64, usize) {
    let Some(strides) = target.strides(words) else { return (number as i64, 1, target.elements(words) - number) };
    let (mut rest, mut start, extents) = (number, 0i64, target.extents(words));
    for (extent, stride) in extents.iter().zip(strides).rev() {
        let extent = *extent as usize;
        start = start.wrapping_add((rest % extent) as i64 * *stride as i64);
        rest /= extent;
    }
    let (extent, stride) = (extents[target.rank - 1] as usize, strides[target.rank - 1]);
    (start, stride as i64, extent - number % extent)
}

/// Places at equal distances, each with a few values side by side.
#[derive(Clone, Copy)]
struct Line {
    address: u64,
    /// Bytes from one place to the next.
    step: i64,
    scalar: Scalar,
    /// Values at a place.
    count: usize,
}

/// Calls a generic method with the type of a scalar's values.
macro_rules! by_scalar {
    ($scalar:expr, $line:ident . $method:ident ( $($argument:expr),* )) => {
        match $scalar {
            Scalar::F32 => $line.$method::<f32>($($argument),*),
            Scalar::F64 => $line.$method::<f64>($($argument),*),
            Scalar::I8 | Scalar::U8 => $line.$method::<u8>($($argument),*),
            Scalar::I16 | Scalar::U16 => $line.$method::<u16>($($argument),*),
            Scalar::I32 | Scalar::U32 => $line.$method::<u32>($($argument),*),
            Scalar::I64 | Scalar::U64 => $line.$method::<u64>($($argument),*),
            Scalar::Bool | Scalar::F16 | Scalar::BF16 => unreachable!("validated kernels add no {:?}", $scalar),
        }
    };
}

impl Line {
    /// The values of a strand, in elements without gaps.
    fn of(strand: &Strand, region: &Region, words: &[u64]) -> Line {
        let address = words[region.word] + strand.offset as u64;
        Line { address, step: region.step as i64, scalar: strand.scalar, count: strand.count }
    }

    /// The same values from an element on, at another distance of elements.
    fn starting_at(self, start: i64, step: i64) -> Line {
        let address = self.address.wrapping_add_signed(start.wrapping_mul(self.step));
        Line { address, step: self.step * step, ..self }
    }

    /// Whether there is nothing between the values.
    fn is_solid(&self) -> bool {
        self.step == (self.count * self.scalar.size()) as i64
    }

    /// # Safety
    /// There are so many places, and nobody else uses their values.
    unsafe fn clear(self, places: usize) {
        // SAFETY: the caller's contract.
        unsafe { by_scalar!(self.scalar, self.clear_as(places)) }
    }

    /// # Safety
    /// Both have so many places, and nobody else uses their values.
    unsafe fn add(self, from: Line, places: usize) {
        // SAFETY: the caller's contract.
        unsafe { by_scalar!(self.scalar, self.add_as(from, places)) }
    }

    /// # Safety
    /// As `clear`, and the values are `T`s.
    unsafe fn clear_as<T: Sum>(self, places: usize) {
        if self.is_solid() {
            // SAFETY: the caller's contract.
            unsafe { self.values::<T>(0, places * self.count) }.fill(T::NOTHING);
            return;
        }
        for place in 0..places {
            // SAFETY: the caller's contract.
            unsafe { self.values::<T>(place, self.count) }.fill(T::NOTHING);
        }
    }

    /// # Safety
    /// As `add`, and the values are `T`s.
    unsafe fn add_as<T: Sum>(self, from: Line, places: usize) {
        let add = |to: &mut [T], from: &mut [T]| to.iter_mut().zip(from).for_each(|(to, from)| *to = to.plus(*from));
        if self.is_solid() && from.is_solid() {
            let count = places * self.count;
            // SAFETY: the caller's contract.
            return unsafe { add(self.values(0, count), from.values(0, count)) };
        }
        for place in 0..places {
            // SAFETY: the caller's contract.
            unsafe { add(self.values(place, self.count), from.values(place, self.count)) };
        }
    }

    /// So many values from a place on.
    ///
    /// # Safety
    /// They are `T`s, and nobody else uses them while the slice lives.
    unsafe fn values<'a, T>(self, place: usize, count: usize) -> &'a mut [T] {
        let address = self.address.wrapping_add_signed((place as i64).wrapping_mul(self.step));
        // SAFETY: the caller's contract; elements are aligned for their scalars.
        unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(address as usize), count) }
    }
}

/// What sums are made of.
trait Sum: Copy {
    /// What changes no sum, and no sign of a zero.
    const NOTHING: Self;

    fn plus(self, other: Self) -> Self;
}

macro_rules! floats {
    ($($t:ty)*) => {$(impl Sum for $t {
        const NOTHING: Self = -0.0;

        fn plus(self, other: Self) -> Self {
            self + other
        }
    })*};
}

macro_rules! integers {
    ($($t:ty)*) => {$(impl Sum for $t {
        const NOTHING: Self = 0;

        fn plus(self, other: Self) -> Self {
            self.wrapping_add(other)
        }
    })*};
}

floats!(f32 f64);
integers!(u8 u16 u32 u64);
