//! What `ld.global.nc` asks for: nobody writes the bytes while the kernel runs. The manual leaves open what such a load
//! gives where somebody does, whichever comes first.

use std::collections::HashMap;

/// Bytes of a page.
const PAGE: u64 = 1024;

/// How a launch has used a byte first: 0 for not at all; else twice the instruction, counted from 1, and one more where
/// the instruction wrote it.
type Use = u32;

/// The bytes of global memory that a launch has written, or read by `.nc`.
#[derive(Debug, Default)]
pub(super) struct Constancy {
    numbers: HashMap<u64, usize>,
    pages: Vec<Box<[Use; PAGE as usize]>>,
    /// The page that was used last, as most accesses stay in one.
    last: Option<(u64, usize)>,
}

impl Constancy {
    /// An instruction reads bytes by `.nc`, or writes them. Gives the first instruction that did the other.
    pub(super) fn touch(&mut self, address: u64, size: usize, instruction: usize, writes: bool) -> Option<usize> {
        let mine = (instruction as Use + 1) * 2 + Use::from(writes);
        for byte in address..address.saturating_add(size as u64) {
            let known = &mut self.page(byte / PAGE)[(byte % PAGE) as usize];
            match *known {
                0 => *known = mine,
                first if (first % 2 == 1) != writes => return Some(first as usize / 2 - 1),
                _ => {}
            }
        }
        None
    }

    fn page(&mut self, number: u64) -> &mut [Use; PAGE as usize] {
        let at = match self.last {
            Some((last, at)) if last == number => at,
            _ => *self.numbers.entry(number).or_insert_with(|| {
                self.pages.push(Box::new([0; PAGE as usize]));
                self.pages.len() - 1
            }),
        };
        self.last = Some((number, at));
        &mut self.pages[at]
    }
}
