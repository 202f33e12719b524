//! Random kernels through rustc and the macros: the launch is held against the plain function, bit for bit without
//! contraction, within error bounds with it, and faults against panics.
//!
//! `WARP_RANDOM_SOURCE` sets how many kernels are made (2,000), `WARP_RANDOM_SEED` the first seed (0).

use std::path::{Path, PathBuf};
use std::process::Command;

fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} must be a whole number, not `{text}`")),
        Err(_) => default,
    }
}

#[test]
fn launches_agree_with_the_plain_function() {
    let (count, first) = (number("WARP_RANDOM_SOURCE", 2000), number("WARP_RANDOM_SEED", 0));
    let package = write_package(first..first + count);
    // The folder that this test was built in: the dependencies are there already.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("inside the target folder");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .output()
        .expect("cargo runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{out}");
    assert!(output.status.success(), "{out}\n{}", &err[..err.len().min(20_000)]);
}

/// Kernels are split over modules of a few files, so that rustc's codegen units can share the work.
fn write_package(seeds: std::ops::Range<u64>) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("random-kernels");
    let write = |path: PathBuf, text: String| {
        std::fs::create_dir_all(path.parent().expect("inside the package")).expect("the folder can be made");
        std::fs::write(&path, text).unwrap_or_else(|e| panic!("cannot write {}: {e}", path.display()));
    };
    let root = here.parent().and_then(Path::parent).expect("the workspace's root");
    let manifest = format!(
        "[package]\nname = \"random-kernels\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         warp = {{ package = \"warp-kernel\", path = {root:?} }}\nwarp-random-source = {{ path = {here:?} }}\n\n\
         {}",
        profiles(root)
    );
    write(package.join("Cargo.toml"), manifest);
    // The same versions as the workspace's, which are all at hand.
    std::fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).expect("the workspace has a lock file");
    write(package.join("src/main.rs"), warp_random_source::source::program(seeds));
    package
}

/// The workspace's profiles, so that nothing is built twice; the kernels themselves are not optimised.
fn profiles(root: &Path) -> String {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("the workspace has a manifest");
    let profiles: String =
        manifest.split("\n[").filter(|table| table.starts_with("profile.")).map(|t| format!("[{t}\n")).collect();
    assert!(!profiles.is_empty(), "the workspace sets its profiles");
    format!("{profiles}[profile.dev.package.random-kernels]\nopt-level = 0\ndebug = false\n")
}
