//! User constants that are put into the text after it has been made.

/// The place of a user constant in the text: as many hexadecimal digits as its bits take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hole {
    /// Position of the first digit in the text, in bytes.
    pub at: usize,
    /// Digits: 2, 4, 8 or 16.
    pub digits: usize,
    /// The user's constant, by slot number.
    pub slot: u32,
}

/// The text with the user's constants in it: `bits` by slot number. It copies the text and writes a few digits, so that it
/// costs little in constants of a crate.
///
/// A hole outside the text, and a slot without bits, are errors where it is evaluated.
pub const fn stitch<const N: usize>(text: &[u8; N], holes: &[Hole], bits: &[u64]) -> [u8; N] {
    let mut out = *text;
    let mut k = 0;
    while k < holes.len() {
        let hole = holes[k];
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8; 26] = b"mov a, 0x00; mov b, 0f0000";
    const HOLES: [Hole; 2] = [Hole { at: 9, digits: 2, slot: 1 }, Hole { at: 22, digits: 4, slot: 0 }];
    /// Evaluated as a constant.
    const STITCHED: [u8; 26] = stitch(TEXT, &HOLES, &[0x12ab, 0x3ff]);

    #[test]
    fn digits_go_where_the_holes_are() {
        assert_eq!(&STITCHED, b"mov a, 0xFF; mov b, 0f12AB");
    }
}
