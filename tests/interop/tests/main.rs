//! Arrays beside cust, rustacuda and cudarc on the driver that needs no GPU: all of them find one library, and one copy of
//! it, in the search path of a process of their own. Each test below starts this very program again for its case.

use std::process::Command;

use driver::{Driver, Folder};
use libcuda_at_run_time as _;

mod cudarc;
mod cust;
mod driver;
mod kills;
mod pages;
mod rustacuda;
mod theirs;

/// Says to a process where its driver lies.
const FOLDER: &str = "WARP_TEST_INTEROP_FOLDER";

/// Runs a case in a process whose driver does the work of streams in several orders.
fn in_a_process(case: &str) {
    for seed in 1..=12 {
        let folder = Folder::new();
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", case, "--nocapture"]);
        command.env("LD_LIBRARY_PATH", folder.path()).env(FOLDER, folder.path()).env_remove("WARP_LIBCUDA");
        command.env("FAKE_CUDA_SEED", seed.to_string());
        let output = command.output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    }
}

/// The driver of this process, if it was started for a case.
fn driver() -> Option<Driver> {
    std::env::var_os(FOLDER).map(|folder| Driver::open(folder.as_ref()))
}

/// Tests that run as cases of their own, with the driver.
macro_rules! cases {
    ($($name:ident => $body:expr;)*) => { $(
        #[test]
        fn $name() {
            let path = concat!(module_path!(), "::", stringify!($name));
            match $crate::driver() {
                Some(driver) => $body(&driver),
                None => $crate::in_a_process(path.split_once("::").expect("a module of this program").1),
            }
        }
    )* };
}

pub(crate) use cases;
