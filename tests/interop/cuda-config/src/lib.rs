//! Finds a libcuda to link with that is empty: the crate `libcuda-at-run-time` has the driver's functions.

use std::path::PathBuf;
use std::{env, fs};

/// The one folder, in which an archive without members stands for libcuda. For build scripts.
pub fn find_cuda() -> Vec<PathBuf> {
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo tells build scripts their folder"));
    fs::write(folder.join("libcuda.a"), "!<arch>\n").expect("the folder takes a file");
    vec![folder]
}

/// The same on Windows.
pub fn find_cuda_windows() -> PathBuf {
    find_cuda().remove(0)
}
