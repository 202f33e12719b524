//! What is put into the text after it has been made: user constants, and numbers of bytes in memory.

use super::Module;
use crate::abi::ElementLayout;

/// A place in the text for something that is known later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hole {
    /// Position in the text, in bytes.
    pub at: usize,
    /// What goes there.
    pub fill: Fill,
    /// The user's constant, by slot number; from the kernel's number of slots on, the module's measures, then its guesses.
    pub slot: u32,
}

/// What is put into the text, of a word that is known later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// So many hexadecimal digits: 2, 4, 8 or 16.
    Digits(u8),
    /// Before a line: makes a comment of it unless the word is 1.
    If,
    /// Before a line: makes a comment of it if the word is 1.
    Unless,
}

impl Fill {
    /// Bytes in the text.
    pub const fn width(self) -> usize {
        match self {
            Fill::Digits(digits) => digits as usize,
            Fill::If | Fill::Unless => 2,
        }
    }

    /// What stands there meanwhile, which is what a word of 0 gives: a text as it is made can be read and assembled.
    pub const fn before(self) -> u8 {
        match self {
            Fill::Digits(_) => b'0',
            Fill::If => b'/',
            Fill::Unless => b' ',
        }
    }

    /// The byte at a position, counted from the end.
    const fn byte(self, word: u64, from_end: usize) -> u8 {
        match self {
            Fill::Digits(_) => b"0123456789ABCDEF"[(word >> (4 * from_end) & 15) as usize],
            Fill::If => b"/ "[(word == 1) as usize],
            Fill::Unless => b" /"[(word == 1) as usize],
        }
    }
}

impl Hole {
    /// All of it in a word.
    pub const fn packed(self) -> u64 {
        let fill = match self.fill {
            Fill::Digits(digits) => digits as u64,
            Fill::If => 0x81,
            Fill::Unless => 0x80,
        };
        (self.at as u64) << 32 | fill << 24 | self.slot as u64
    }

    /// The inverse of [`packed`](Hole::packed).
    pub const fn unpacked(word: u64) -> Hole {
        let fill = match word >> 24 & 0xff {
            0x81 => Fill::If,
            0x80 => Fill::Unless,
            digits => Fill::Digits(digits as u8),
        };
        Hole { at: (word >> 32) as usize, fill, slot: (word & 0xff_ffff) as u32 }
    }
}

/// The text with `bits` in it, by the numbers of the holes, which are [packed](Hole::packed). It copies the text and writes
/// a few bytes, so that it costs little in constants of a crate.
///
/// A hole outside the text, and a slot without bits, are errors where it is evaluated.
pub const fn stitch<const N: usize>(text: &[u8; N], holes: &[u64], bits: &[u64]) -> [u8; N] {
    let mut out = *text;
    let mut k = 0;
    while k < holes.len() {
        let hole = Hole::unpacked(holes[k]);
        let (word, len) = (bits[hole.slot as usize], hole.fill.width());
        let mut left = len;
        while left > 0 {
            left -= 1;
            out[hole.at + left] = hole.fill.byte(word, len - 1 - left);
        }
        k += 1;
    }
    out
}

impl Module {
    /// The text with everything in it: user constants by slot number, and the layouts that came later by their number.
    /// `None` where one is missing, or an element is too large to be counted in.
    pub fn filled(&self, slots: &[u64], layouts: &[ElementLayout]) -> Option<String> {
        let mut bits = slots.get(..self.constants)?.to_vec();
        for measure in &self.measures {
            let layout = layouts.get(measure.elements as usize)?;
            let offset = match measure.leaf {
                Some(leaf) => *layout.offsets.get(leaf as usize)?,
                None => 0,
            };
            bits.push(measure.bytes(layout.size, offset)?);
        }
        for guess in &self.guesses {
            bits.push(u64::from(guess.holds(layouts.get(guess.elements as usize)?)));
        }
        let mut text = self.text.clone();
        for hole in &self.slots {
            let (word, len) = (*bits.get(hole.slot as usize)?, hole.fill.width());
            let filled: String = (0..len).rev().map(|from_end| char::from(hole.fill.byte(word, from_end))).collect();
            text.replace_range(hole.at..hole.at + len, &filled);
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8; 26] = b"mov a, 0x00; mov b, 0f0000";
    const HOLES: [u64; 2] = [
        Hole { at: 9, fill: Fill::Digits(2), slot: 1 }.packed(),
        Hole { at: 22, fill: Fill::Digits(4), slot: 0 }.packed(),
    ];
    /// Evaluated as a constant.
    const STITCHED: [u8; 26] = stitch(TEXT, &HOLES, &[0x12ab, 0x3ff]);

    #[test]
    fn a_packed_hole_is_what_it_was() {
        for fill in [Fill::Digits(16), Fill::If, Fill::Unless] {
            let hole = Hole { at: 123_456_789, fill, slot: 0xab_cdef };
            assert_eq!(Hole::unpacked(hole.packed()), hole);
        }
    }

    #[test]
    fn digits_go_where_the_holes_are() {
        assert_eq!(&STITCHED, b"mov a, 0xFF; mov b, 0f12AB");
    }

    #[test]
    fn one_of_two_lines_becomes_a_comment() {
        let holes = [Hole { at: 0, fill: Fill::If, slot: 0 }, Hole { at: 5, fill: Fill::Unless, slot: 0 }];
        let holes = holes.map(Hole::packed);
        assert_eq!(&stitch(b"//v4\n  v1\n", &holes, &[0]), b"//v4\n  v1\n");
        assert_eq!(&stitch(b"//v4\n  v1\n", &holes, &[1]), b"  v4\n//v1\n");
    }
}
