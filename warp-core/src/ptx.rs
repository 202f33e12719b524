//! How the text of a kernel gets what only rustc knows: used by generated code, in constants.

use warp_ir::emit::ptx::{Hole, Measure, stitch};

use crate::layout::Layout;

/// What is put into the text: the user's constants, then the numbers of bytes that `measures` ask for, each as the number
/// of an array, a leaf plus one (0: none) and a number of elements, then for each guess whether it holds. There are `N`.
///
/// # Panics
/// Where a distance is too long for the text, so that naming the text is a compile error.
pub const fn bits<const N: usize>(
    slots: &[u64],
    arrays: &[&Layout],
    measures: &[(u32, u32, i64)],
    guesses: &[Guess],
) -> [u64; N] {
    let mut bits = [0; N];
    let constants = N - measures.len() - guesses.len();
    let mut k = 0;
    while k < N {
        bits[k] = if k < constants {
            slots[k]
        } else if k - constants < measures.len() {
            bytes(arrays, measures[k - constants])
        } else {
            holds(arrays, guesses[k - constants - measures.len()]) as u64
        };
        k += 1;
    }
    bits
}

/// How the elements of an array may lie: its number, their size, their alignment at least, and the offset of each leaf.
pub type Guess = (u32, usize, usize, &'static [usize]);

const fn holds(arrays: &[&Layout], (array, size, align, offsets): Guess) -> bool {
    let layout = arrays[array as usize];
    if layout.size != size || layout.align < align || layout.leaves() != offsets.len() {
        return false;
    }
    let mut leaf = 0;
    while leaf < offsets.len() {
        if layout.leaf(leaf).0 != offsets[leaf] {
            return false;
        }
        leaf += 1;
    }
    true
}

const fn bytes(arrays: &[&Layout], (array, leaf, steps): (u32, u32, i64)) -> u64 {
    let layout = arrays[array as usize];
    let (leaf, offset) = match leaf {
        0 => (None, 0),
        leaf => (Some((leaf - 1) as u16), layout.leaf(leaf as usize - 1).0),
    };
    match (Measure { elements: array, leaf, steps }).bytes(layout.size, offset) {
        Some(bytes) => bytes,
        None => panic!("an element of one of this kernel's arrays is too large for its PTX in the binary"),
    }
}

/// A text that a kernel's type carries, or why there is none.
#[derive(Clone, Copy, Debug)]
pub enum Text {
    /// The text.
    Known(&'static str),
    /// The reason.
    Missing(&'static str),
}

impl Text {
    /// The text, or `missing` where elements are not as `dense` has to find them.
    pub const fn of(text: &'static str, dense: bool) -> Text {
        match dense {
            true => Text::Known(text),
            false => Text::Missing(
                "this program lays out a type of the language otherwise than its PTX in the binary takes it",
            ),
        }
    }

    /// The text, for somebody who names it.
    ///
    /// # Panics
    /// Where there is none: in a constant, and so at compile time.
    #[track_caller]
    pub const fn named(self) -> &'static str {
        match self {
            Text::Known(text) => text,
            Text::Missing(reason) => panic!("{}", reason),
        }
    }
}

/// Whether the elements of these arrays are scalars side by side, which the text takes for granted.
pub const fn dense(arrays: &[&Layout], dense: &[usize]) -> bool {
    let mut k = 0;
    while k < dense.len() {
        let layout = arrays[dense[k]];
        let (mut leaf, mut at) = (0, 0);
        while leaf < layout.leaves() {
            let (offset, scalar) = layout.leaf(leaf);
            if offset != at || layout.align < scalar.size() {
                return false;
            }
            at += scalar.size();
            leaf += 1;
        }
        if layout.size != at {
            return false;
        }
        k += 1;
    }
    true
}

/// A text with everything in it.
#[derive(Debug)]
pub struct Filled<const N: usize>([u8; N]);

impl<const N: usize> Filled<N> {
    /// The text with `bits` in its holes. `N` is its length.
    ///
    /// # Panics
    /// Where a hole is none.
    pub const fn new(text: &str, holes: &[u64], bits: &[u64]) -> Filled<N> {
        let Some(bytes) = text.as_bytes().first_chunk::<N>() else {
            panic!("the text is shorter than it was when it was made")
        };
        let mut k = 0;
        while k < holes.len() {
            let hole = Hole::unpacked(holes[k]);
            let mut byte = 0;
            while byte < hole.fill.width() {
                assert!(bytes[hole.at + byte] == hole.fill.before(), "what is put into the text has no place there");
                byte += 1;
            }
            k += 1;
        }
        Filled(stitch(bytes, holes, bits))
    }

    /// As text.
    pub const fn text(&'static self) -> &'static str {
        // SAFETY: it was text, in which `stitch` writes ASCII, and `new` has seen ASCII in all places where it does.
        unsafe { std::str::from_utf8_unchecked(&self.0) }
    }
}

#[cfg(test)]
mod tests;
