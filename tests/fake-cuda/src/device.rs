//! What the devices are.

use crate::settings::Settings;

/// Most threads of a block.
pub const BLOCK_THREADS: u32 = 1024;
/// Most threads of a block along x, y and z.
pub const BLOCK: [u32; 3] = [1024, 1024, 64];
/// Most blocks of a grid along x, y and z.
pub const GRID: [u32; 3] = [i32::MAX as u32, 65535, 65535];
/// Bytes of shared memory of a block, if nothing is said.
pub const BLOCK_SHARED: u32 = 48 << 10;
/// Bytes of shared memory of a block of a function that asks for more.
pub const BLOCK_SHARED_MOST: u32 = 227 << 10;
/// Threads of a multiprocessor.
pub const MULTIPROCESSOR_THREADS: u32 = 2048;
/// Multiprocessors.
pub const MULTIPROCESSORS: u32 = 8;

/// The value of an attribute, as the driver numbers them.
pub fn attribute(settings: &Settings, what: i32) -> Option<i32> {
    Some(match what {
        1 => BLOCK_THREADS as i32,
        2..=4 => BLOCK[what as usize - 2] as i32,
        5..=7 => GRID[what as usize - 5] as i32,
        8 => BLOCK_SHARED as i32,
        9 => 64 << 10,
        10 => 32,
        11 => i32::MAX,
        12 => 64 << 10,
        13 => 1_500_000,
        16 => MULTIPROCESSORS as i32,
        18 => 0,
        31 => 1,
        36 => 2_000_000,
        37 => 1024,
        38 => 4 << 20,
        39 => MULTIPROCESSOR_THREADS as i32,
        40 => 2,
        41 => 1,
        75 => settings.capability / 10,
        76 => settings.capability % 10,
        81 => 228 << 10,
        82 => 64 << 10,
        95 => 1,
        97 => BLOCK_SHARED_MOST as i32,
        106 => 32,
        115 => i32::from(settings.pools),
        _ => return None,
    })
}
