//! `WARP_DUMP=ir` writes the IR at the first launch. The environment is read once a process, so the test runs itself.

extern crate warp_core as warp;

mod mock;

use std::process::Command;

use warp::__private::{Launcher, Options};
use warp_ir::builder::Builder;
use warp_ir::ir::Scalar;

#[test]
fn launch_once() {
    let mut b = Builder::new("dumped");
    b.param("x", Scalar::F32);
    let kernel = mock::definition(b.finish_kernel(1), &[], &[]);
    let options = Options::from(&mock::idle("mock", true));
    // SAFETY: the argument is that of the kernel.
    let mut launcher = unsafe { Launcher::new(kernel, &options) };
    launcher.value(&1.0f32);
    launcher.run([1]).unwrap();
}

#[test]
fn the_ir_is_written_and_reads_back() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("dump");
    let _ = std::fs::remove_dir_all(&folder);
    let run = |kinds: &str| {
        let mut own = Command::new(std::env::current_exe().unwrap());
        let own = own.args(["--exact", "launch_once"]).env("WARP_DUMP", kinds).env("WARP_DUMP_DIR", &folder);
        assert!(own.output().unwrap().status.success());
    };
    run("clif");
    assert!(!folder.exists(), "the IR was not asked for");
    run("clif, ir");
    let text = std::fs::read_to_string(folder.join("dumped.ir")).unwrap();
    assert!(text.starts_with("// dumped in tests, tests/kernels.rs:1\n"), "{text}");
    let kernel = warp_ir::text::parse_kernel(&text).unwrap();
    assert_eq!(kernel.function.params[0].name, "x");
}
