//! Memory for sums in parts, kept from launch to launch: fresh pages cost more than what is done with them.

use std::sync::{Mutex, MutexGuard};

/// What is kept at most, in words of 16 bytes: 256 MiB.
const MOST_KEPT: usize = 1 << 24;

/// Memory that no launch uses at the moment.
#[derive(Default)]
pub(crate) struct Spare(Mutex<Vec<Block>>);

/// A piece of it, which starts at a multiple of 16 bytes.
pub(crate) struct Block(Vec<u128>);

impl Spare {
    /// At least so many bytes, with anything in them; none where the machine has no more.
    pub(super) fn take(&self, bytes: usize) -> Option<Block> {
        let words = bytes.div_ceil(size_of::<u128>());
        let mut kept = self.kept();
        let fits = |block: &Block| block.0.len() >= words && block.0.len() / 4 <= words;
        if let Some(found) = kept.iter().position(fits) {
            return Some(kept.swap_remove(found));
        }
        drop(kept);
        let mut fresh = Vec::new();
        fresh.try_reserve_exact(words).ok()?;
        fresh.resize(words, 0);
        Some(Block(fresh))
    }

    pub(super) fn give_back(&self, block: Block) {
        let mut kept = self.kept();
        if kept.iter().map(|block| block.0.len()).sum::<usize>() + block.0.len() <= MOST_KEPT {
            kept.push(block);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Block>> {
        self.0.lock().unwrap_or_else(|poison| poison.into_inner())
    }
}

impl Block {
    /// Where it starts.
    pub(super) fn address(&self) -> u64 {
        self.0.as_ptr().expose_provenance() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again_where_it_fits() {
        let spare = Spare::default();
        let block = spare.take(1000).unwrap();
        let address = block.address();
        spare.give_back(block);
        let (again, other) = (spare.take(999).unwrap(), spare.take(999).unwrap());
        assert_eq!(again.address(), address);
        assert_ne!(other.address(), address);
        spare.give_back(again);
        let (small, large) = (spare.take(16).unwrap(), spare.take(2000).unwrap());
        assert!(small.address() != address && large.address() != address, "too large, or too small");
    }

    #[test]
    fn more_than_the_machine_has_is_none() {
        assert!(Spare::default().take(usize::MAX / 2).is_none());
    }

    #[test]
    fn no_more_is_kept_than_the_limit() {
        let spare = Spare::default();
        for _ in 0..3 {
            // Pages that nobody touches take no memory.
            spare.give_back(Block(vec![0; MOST_KEPT / 2]));
        }
        assert_eq!(spare.kept().len(), 2);
    }
}
