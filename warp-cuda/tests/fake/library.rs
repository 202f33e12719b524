//! Finding the library, or not.

use std::ffi::OsStr;
use std::process::Command;

use fake_cuda::Fake;
use warp_cuda::sys::FUNCTIONS;
use warp_cuda::{Driver, Error};

/// What the child process of another test does, on request.
const CHILD: &str = "WARP_CUDA_TEST_CHILD";

/// Runs the test `child_says` of this program with another library, and gives what it said.
fn child(library: Option<&OsStr>, search: Option<&OsStr>) -> String {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "library::child_says", "--nocapture"]).env(CHILD, "1").env_remove("WARP_LIBCUDA");
    library.map(|library| command.env("WARP_LIBCUDA", library));
    search.map(|search| command.env("LD_LIBRARY_PATH", search));
    let output = command.output().expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Says what it finds; does something only in a child process.
#[test]
fn child_says() {
    if std::env::var_os(CHILD).is_some() {
        match Driver::get().and_then(|driver| Ok((driver.version(), driver.device(0)?.properties().name.clone()))) {
            Ok(((major, minor), name)) => println!("found CUDA {major}.{minor}, {name}"),
            Err(error) => println!("failed: {error}"),
        }
    }
}

#[test]
fn the_variable_names_a_library() {
    let fake = Fake::new();
    let said = child(Some(fake.path().as_os_str()), None);
    assert!(said.contains("found CUDA 12.8, Fake GPU 0"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_systems_library_is_found_by_its_name() {
    let fake = Fake::new();
    let said = child(None, Some(fake.folder().as_os_str()));
    assert!(said.contains("found CUDA 12.8, Fake GPU 0"), "{said}");
}

#[test]
fn a_library_that_is_not_there_is_an_error_that_says_who_asked() {
    let said = child(Some(OsStr::new("nowhere/libnone.so")), None);
    assert!(
        said.contains("failed: the CUDA driver's library `nowhere/libnone.so` (from WARP_LIBCUDA) cannot be opened"),
        "{said}"
    );
}

/// Every function in the list is there under that very name; what is not is an error.
#[test]
fn functions_are_looked_up_by_the_names_that_drivers_export() {
    let fake = Fake::new();
    // SAFETY: the library has the driver's functions.
    let library = unsafe { warp_cuda::sys::Library::open(fake.path().as_os_str()) }.expect("the library opens");
    // The device's own pool is nothing that the fake driver has: a driver may lack what is newer than it.
    let missing: Vec<_> = FUNCTIONS.iter().map(|f| f.0).filter(|name| library.symbol(name).is_none()).collect();
    assert_eq!(missing, ["cuDeviceGetDefaultMemPool"]);
    let table = warp_cuda::sys::Table::new(library);
    let mut pool = warp_cuda::sys::CUmemoryPool::NULL;
    // SAFETY: the pointer is valid.
    let error = unsafe { table.cuDeviceGetDefaultMemPool(&mut pool, 0) }.expect_err("there is no such function");
    assert!(matches!(error, Error::NoFunction { name: "cuDeviceGetDefaultMemPool", since: "11.2", .. }));
    assert!(error.to_string().contains("install a newer NVIDIA driver"), "{error}");
}

#[test]
fn a_library_that_is_no_driver_lacks_its_functions() {
    // SAFETY: the C library has no start-up code that would run again.
    let error = unsafe { Driver::open(OsStr::new("libc.so.6")) }.expect_err("it is no driver");
    assert!(error.to_string().starts_with("the library `libc.so.6` has no function `cuInit`"), "{error}");
}

/// Codes that nobody knows are no undefined behaviour.
#[test]
fn a_code_that_nobody_knows_is_a_value() {
    let fake = Fake::new();
    fake.fail_call(1, 4711);
    let error = super::rig::open(&fake).expect_err("the first call fails");
    assert_eq!(error.to_string(), "cuInit failed: code 4711, which this driver has no name for");
}
