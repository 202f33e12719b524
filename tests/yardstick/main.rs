//! The kernels by which emitted PTX is measured are what the macros make of their source today: `warp-ir/tests/ptx` measures
//! the IR that is kept there. `BLESS=1` renews it.

#[expect(clippy::assign_op_pattern, reason = "sums are written as in the other languages that they are compared with")]
mod kernels;

use std::path::Path;
use std::process::Command;

use kernels::{gravity, heat, nbody, saxpy, spring};
use warp::prelude::*;

/// Tells the process that launches the kernels from the one that compares.
const LAUNCHES: &str = "WARP_TEST_YARDSTICK_LAUNCHES";
const KERNELS: [&str; 5] = ["saxpy", "gravity", "nbody", "spring", "heat"];

#[test]
fn launches() -> Result<(), warp::Error> {
    if std::env::var_os(LAUNCHES).is_none() {
        return Ok(());
    }
    let device = Device::cpu();
    let vectors = || Array::<Vec3>::full(&device, 4, Vec3::ONE);
    let numbers = || Array::<f32>::full(&device, 4, 1.0);
    let indices = || Array::<u32>::full(&device, 4, 1);
    let (x, v, m, mut x1, mut v1, mut e) = (vectors()?, vectors()?, numbers()?, vectors()?, vectors()?, numbers()?);
    saxpy::launch(4, &m, &mut e, 2.0)?;
    gravity::launch(4, &x, &v, &mut x1, &mut v1, &mut e, Vec3::Y, 0.1, 0.5)?;
    nbody::launch(4, &x, &v, &m, &mut x1, &mut v1, 0.1, 0.5)?;
    spring::launch(4, &x, &v, &indices()?, &indices()?, &m, 1.0, 0.5, &mut x1)?;
    let (plate, mut warmer) = (Array::<f32, 2>::zeros(&device, [4, 4])?, Array::<f32, 2>::zeros(&device, [4, 4])?);
    heat::launch([4, 4], &plate, &mut warmer, 4, 0.1)
}

#[test]
fn what_is_kept_is_what_the_macros_make() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("yardstick");
    let mut own = Command::new(std::env::current_exe().expect("this program"));
    own.args(["--exact", "launches"]).env(LAUNCHES, "1");
    let output = own.env("WARP_DUMP", "ir,adjoint").env("WARP_DUMP_DIR", &folder).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("warp-ir/tests/ptx/kernels");
    let read =
        |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for kernel in KERNELS {
        for kind in ["ir", "adjoint"] {
            let name = format!("{kernel}.{kind}");
            let made = read(&folder.join(&name));
            let (_, made) = made.split_once('\n').expect("the first line says where the kernel stands");
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(kept.join(&name), made).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
            assert!(read(&kept.join(&name)) == made, "{name} differs; BLESS=1 renews it.\n{made}");
        }
    }
}
