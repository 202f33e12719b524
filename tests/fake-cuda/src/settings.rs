//! What a test chooses before the driver starts, by environment variables.
//!
//! | variable | what | else |
//! |---|---|---|
//! | `FAKE_CUDA_DEVICES` | how many devices | 2 |
//! | `FAKE_CUDA_MEMORY` | bytes of each | 1 GiB |
//! | `FAKE_CUDA_SEED` | decides the order of streams and threads | 0 |
//! | `FAKE_CUDA_VERSION` | as `cuDriverGetVersion` has it | 12080 |
//! | `FAKE_CUDA_CAPABILITY` | 10 times major plus minor | 90 |
//! | `FAKE_CUDA_POOLS` | 0: no pools of memory | 1 |
//! | `FAKE_CUDA_FAIL_CALL` | `n` or `n:code`: the n-th call fails | none |
//! | `FAKE_CUDA_FAIL_ALLOC` | `n`: the n-th allocation finds no memory | none |
//! | `WARP_KEEP_PTX` | a folder where each text that is loaded is written | none |

use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::str::FromStr;

use crate::code::{self, Code};

/// What a test chose.
#[derive(Clone, Debug)]
pub struct Settings {
    pub devices: usize,
    pub memory: u64,
    pub seed: u64,
    pub version: i32,
    pub capability: i32,
    pub pools: bool,
    pub fail_call: Option<(u64, Code)>,
    pub fail_allocation: Option<u64>,
    pub keep: Option<PathBuf>,
}

impl Settings {
    pub fn from_environment() -> Settings {
        Settings {
            devices: number("FAKE_CUDA_DEVICES").unwrap_or(2),
            memory: number("FAKE_CUDA_MEMORY").unwrap_or(1 << 30),
            seed: number("FAKE_CUDA_SEED").unwrap_or(0),
            version: number("FAKE_CUDA_VERSION").unwrap_or(12080),
            capability: number("FAKE_CUDA_CAPABILITY").unwrap_or(90),
            pools: number("FAKE_CUDA_POOLS") != Some(0),
            fail_call: env::var("FAKE_CUDA_FAIL_CALL").ok().and_then(|text| call(&text)),
            fail_allocation: number::<u64>("FAKE_CUDA_FAIL_ALLOC").map(|nth| nth.saturating_sub(1)),
            keep: env::var_os("WARP_KEEP_PTX").map(PathBuf::from),
        }
    }

    /// Writes a text that has been loaded to where texts are kept. The same one has the same name.
    pub fn keep(&self, text: &[u8]) {
        let Some(folder) = &self.keep else { return };
        let mut hash = DefaultHasher::new();
        text.hash(&mut hash);
        let path = folder.join(format!("{:016x}.ptx", hash.finish()));
        if let Err(error) = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text)) {
            eprintln!("fake CUDA: {}: {error}", path.display());
        }
    }
}

fn number<T: FromStr>(name: &str) -> Option<T> {
    env::var(name).ok()?.trim().parse().ok()
}

fn call(text: &str) -> Option<(u64, Code)> {
    let (call, code) = text.split_once(':').map_or((text, None), |(call, code)| (call, Some(code)));
    Some((call.trim().parse().ok()?, code.map_or(Some(code::ERROR_UNKNOWN), |code| code.trim().parse().ok())?))
}
