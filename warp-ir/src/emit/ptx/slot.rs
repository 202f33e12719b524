//! What is put into the text after it has been made: user constants, and numbers of bytes in memory.

use super::Module;
use crate::abi::ElementLayout;

/// A place in the text for so many hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hole {
    /// Position of the first digit in the text, in bytes.
    pub at: usize,
    /// Digits: 2, 4, 8 or 16.
    pub digits: usize,
    /// The user's constant, by slot number; from the kernel's number of slots on, the module's measures.
    pub slot: u32,
}

impl Hole {
    /// All of it in a word.
    pub const fn packed(self) -> u64 {
        (self.at as u64) << 32 | (self.digits as u64) << 24 | self.slot as u64
    }

    /// The inverse of [`packed`](Hole::packed).
    pub const fn unpacked(word: u64) -> Hole {
        let (at, digits) = ((word >> 32) as usize, (word >> 24 & 0xff) as usize);
        Hole { at, digits, slot: (word & 0xff_ffff) as u32 }
    }
}

/// The text with `bits` in it, by the numbers of the holes, which are [packed](Hole::packed). It copies the text and writes a few digits, so that it
/// costs little in constants of a crate.
///
/// A hole outside the text, and a slot without bits, are errors where it is evaluated.
pub const fn stitch<const N: usize>(text: &[u8; N], holes: &[u64], bits: &[u64]) -> [u8; N] {
    let mut out = *text;
    let mut k = 0;
    while k < holes.len() {
        let hole = Hole::unpacked(holes[k]);
        let mut rest = bits[hole.slot as usize];
        let mut digit = hole.digits;
        while digit > 0 {
            digit -= 1;
            out[hole.at + digit] = b"0123456789ABCDEF"[(rest & 15) as usize];
            rest >>= 4;
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
        let mut text = self.text.clone();
        for hole in &self.slots {
            let digits = format!("{:016X}", bits.get(hole.slot as usize)?);
            text.replace_range(hole.at..hole.at + hole.digits, &digits[16 - hole.digits..]);
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8; 26] = b"mov a, 0x00; mov b, 0f0000";
    const HOLES: [u64; 2] = [Hole { at: 9, digits: 2, slot: 1 }.packed(), Hole { at: 22, digits: 4, slot: 0 }.packed()];
    /// Evaluated as a constant.
    const STITCHED: [u8; 26] = stitch(TEXT, &HOLES, &[0x12ab, 0x3ff]);

    #[test]
    fn a_packed_hole_is_what_it_was() {
        let hole = Hole { at: 123_456_789, digits: 16, slot: 0xab_cdef };
        assert_eq!(Hole::unpacked(hole.packed()), hole);
    }

    #[test]
    fn digits_go_where_the_holes_are() {
        assert_eq!(&STITCHED, b"mov a, 0xFF; mov b, 0f12AB");
    }
}
