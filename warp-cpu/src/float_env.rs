//! The floating-point environment: kernels run in the default one, whatever the calling thread has set.

/// Holds the default environment until dropped, then puts the caller's back.
pub(crate) struct FloatEnv {
    /// The control word to put back; `None` where the caller had the default.
    saved: Option<Word>,
}

impl FloatEnv {
    /// Sets the default environment on this machine thread.
    pub(crate) fn enter() -> FloatEnv {
        let word = read();
        if word & !STICKY == DEFAULT {
            return FloatEnv { saved: None };
        }
        write(DEFAULT);
        FloatEnv { saved: Some(word) }
    }
}

impl Drop for FloatEnv {
    fn drop(&mut self) {
        if let Some(word) = self.saved {
            write(word);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use std::arch::asm;

    pub(super) type Word = u32;
    /// All exceptions masked, round to nearest, denormals kept.
    pub(super) const DEFAULT: Word = 0x1f80;
    /// Flags that arithmetic raises and nobody reads.
    pub(super) const STICKY: Word = 0x3f;

    pub(super) fn read() -> Word {
        let mut word: Word = 0;
        // SAFETY: stores the control word MXCSR to a local.
        unsafe { asm!("stmxcsr [{}]", in(reg) &mut word, options(nostack, preserves_flags)) };
        word
    }

    pub(super) fn write(word: Word) {
        // SAFETY: `word` is the default or was read from MXCSR, so no reserved bit is set. Rust code that runs while
        // another value is set is compiled code of ours alone, or the caller's own choice.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &word, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod arch {
    use std::arch::asm;

    pub(super) type Word = u64;
    /// Round to nearest, denormals kept, NaNs propagated, no traps.
    pub(super) const DEFAULT: Word = 0;
    /// FPCR holds no sticky flags.
    pub(super) const STICKY: Word = 0;

    pub(super) fn read() -> Word {
        let word: Word;
        // SAFETY: reads the control register FPCR.
        unsafe { asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack, preserves_flags)) };
        word
    }

    pub(super) fn write(word: Word) {
        // SAFETY: `word` is the default or was read from FPCR.
        unsafe { asm!("msr fpcr, {}", in(reg) word, options(nostack, preserves_flags)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod arch {
    pub(super) type Word = u32;
    pub(super) const DEFAULT: Word = 0;
    pub(super) const STICKY: Word = 0;

    /// Other architectures start in the default environment and this crate knows of no way to leave it.
    pub(super) fn read() -> Word {
        DEFAULT
    }

    pub(super) fn write(_word: Word) {}
}

use arch::{DEFAULT, STICKY, Word, read, write};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_callers_environment_comes_back() {
        let flush_to_zero = DEFAULT | 0x8000;
        let before = read();
        write(flush_to_zero);
        {
            let _env = FloatEnv::enter();
            assert_eq!(read() & !STICKY, DEFAULT);
        }
        let after = read();
        write(before);
        assert_eq!(after & !STICKY, flush_to_zero & !STICKY);
    }
}
