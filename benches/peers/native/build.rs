//! Hands over the version of the compiler, which the printed line names.

use std::process::Command;

fn main() {
    let rustc = std::env::var_os("RUSTC").expect("Cargo names the compiler");
    let said = Command::new(rustc).arg("--version").output().expect("the compiler tells its version");
    let said = String::from_utf8_lossy(&said.stdout);
    let version = said.split_whitespace().nth(1).unwrap_or("unknown");
    println!("cargo::rustc-env=RUSTC_OF_THIS_BUILD={version}");
    println!("cargo::rerun-if-changed=build.rs");
}
