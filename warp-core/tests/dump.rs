//! `WARP_DUMP=ir,adjoint` writes the IR, and that of the gradient, at the first launch. The environment is read once a process, so the test runs itself.

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
    let mut kernel = b.finish_kernel(1);
    kernel.attributes.no_adjoint = std::env::var_os("DUMP_NO_ADJOINT").is_some();
    let kernel = mock::definition(kernel, &[], &[]);
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
    let run = |kinds: &str, without: bool| {
        let mut own = Command::new(std::env::current_exe().unwrap());
        if without {
            own.env("DUMP_NO_ADJOINT", "1");
        }
        let own = own.args(["--exact", "launch_once"]).env("WARP_DUMP", kinds).env("WARP_DUMP_DIR", &folder);
        assert!(own.output().unwrap().status.success());
    };
    run("clif", false);
    assert!(!folder.exists(), "the IR was not asked for");
    run("clif, ir", false);
    let text = std::fs::read_to_string(folder.join("dumped.ir")).unwrap();
    assert!(text.starts_with("// dumped in tests, tests/kernels.rs:1\n"), "{text}");
    let kernel = warp_ir::text::parse_kernel(&text).unwrap();
    assert_eq!(kernel.function.params[0].name, "x");
    let adjoint = folder.join("dumped.adjoint");
    assert!(!adjoint.exists(), "the adjoint was not asked for");
    run("adjoint", false);
    let text = std::fs::read_to_string(&adjoint).unwrap();
    let kernel = warp_ir::text::parse_kernel(&text).unwrap();
    assert_eq!((&*kernel.function.name, &*kernel.function.params[0].name), ("dumped adjoint", "x"));
    run("adjoint", true);
    let text = std::fs::read_to_string(&adjoint).unwrap();
    assert_eq!(text.lines().nth(1), Some("// has no gradient: it is marked `no_adjoint`"), "{text}");
}
