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

/// Kernels in a program. Rustc takes longer for each kernel of a large program, and for each small program.
const TOGETHER: u64 = 75;

#[test]
fn launches_agree_with_the_plain_function() {
    let (count, first) = (number("WARP_RANDOM_SOURCE", 2000), number("WARP_RANDOM_SEED", 0));
    let programs = count.div_ceil(TOGETHER);
    let package = write_package(first, count, programs);
    // The folder that this test was built in: the dependencies are there already.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("inside the target folder");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--offline", "--bins", "--manifest-path"]).arg(package.join("Cargo.toml"));
    let (built, words) = run(cargo.arg("--target-dir").arg(target));
    assert!(built, "{}", &words[..words.len().min(20_000)]);
    let ends: Vec<_> = (0..programs)
        .map(|k| {
            run(&mut Command::new(target.join("debug").join(format!("kernels{k}{}", std::env::consts::EXE_SUFFIX))))
        })
        .collect();
    for (_, words) in &ends {
        println!("{words}");
    }
    assert!(ends.iter().all(|(good, _)| *good), "launches and plain functions differ; the seeds stand above");
}

fn run(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap_or_else(|e| panic!("cannot run {command:?}: {e}"));
    let words = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.success(), words)
}

fn write_package(first: u64, count: u64, programs: u64) -> PathBuf {
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
    let _ = std::fs::remove_dir_all(package.join("src/bin"));
    for k in 0..programs {
        let seeds = first + count * k / programs..first + count * (k + 1) / programs;
        write(package.join(format!("src/bin/kernels{k}.rs")), warp_random_source::source::program(seeds));
    }
    package
}

/// The workspace's profiles, so that nothing is built twice; the kernels themselves are not optimised.
fn profiles(root: &Path) -> String {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("the workspace has a manifest");
    let profiles: String =
        manifest.split("\n[").filter(|table| table.starts_with("profile.")).map(|t| format!("[{t}\n")).collect();
    assert!(!profiles.is_empty(), "the workspace sets its profiles");
    format!("{profiles}[profile.dev.package.random-kernels]\nopt-level = 0\ndebug = false\ncodegen-units = 8\n")
}
