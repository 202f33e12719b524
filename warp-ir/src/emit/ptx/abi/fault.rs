//! The fault block: what failed checks leave in device memory.
//!
//! | word | what | quiet |
//! |---|---|---|
//! | 0 | `thread << 16 \| site` of the smallest thread that failed: the *key* | all ones |
//! | 1 | how many threads failed | 0 |
//! | 2 | a lock | 0 |
//! | 3 | the key whose operands follow | all ones |
//! | 4.. | the operands of the check that the key names | 0 |
//!
//! A thread that fails counts itself and takes the minimum of the key and its own. If that lowered the key it goes for
//! the lock; with the lock in hand it looks at the key again, writes its operands and that they are its own if the key
//! is still so, and gives the lock back. Nobody lowers the key after the smallest thread, so this one finds it
//! unchanged when its turn comes, however late; a thread that gets the lock after that finds another's key and writes
//! nothing, and what was written before is overwritten. So the operands are always those of the key. A thread that
//! holds the lock waits for nothing, and one that does not gives up as soon as the key is lower than its own. (A table
//! of records with a slot for each lowering would need as many slots as there are threads.)
//!
//! A thread stops at its first failing check, so it has one key.

/// The layout of a fault block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FaultBlock {
    /// Operands of the check that has most.
    pub operands: usize,
}

/// What a fault block tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Row-major number of the smallest thread that failed.
    pub thread: u64,
    /// The check, by its position in [`Module::sites`](super::super::Module::sites).
    pub site: usize,
    /// Bits of operands; of these the first are the check's.
    pub operands: Vec<u64>,
    /// Threads that failed.
    pub count: u64,
}

impl FaultBlock {
    /// The word of the key.
    pub const KEY: usize = 0;
    /// The word of the count.
    pub const COUNT: usize = 1;
    /// The word of the lock.
    pub const LOCK: usize = 2;
    /// The word with the key whose operands are written.
    pub const TOLD: usize = 3;
    /// The word of the first operand.
    pub const OPERANDS: usize = 4;
    /// Bits of the key that number the check.
    pub const SITE_BITS: u32 = 16;

    /// Words of the block.
    pub fn words(&self) -> usize {
        FaultBlock::OPERANDS + self.operands
    }

    /// What the block holds before a launch.
    pub fn quiet(&self) -> Vec<u64> {
        let mut words = vec![0; self.words()];
        words[FaultBlock::KEY] = u64::MAX;
        words[FaultBlock::TOLD] = u64::MAX;
        words
    }

    /// What the block tells after a launch; `None` where no check failed.
    pub fn read(words: &[u64]) -> Option<Fault> {
        let key = *words.get(FaultBlock::KEY)?;
        (key != u64::MAX).then(|| Fault {
            thread: key >> FaultBlock::SITE_BITS,
            site: (key & ((1 << FaultBlock::SITE_BITS) - 1)) as usize,
            operands: words.get(FaultBlock::OPERANDS..).unwrap_or_default().to_vec(),
            count: words.get(FaultBlock::COUNT).copied().unwrap_or_default(),
        })
    }
}
