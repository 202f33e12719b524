//! `WARP_PROFILE`: the launches of the whole process, told when it ends.

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use super::{Label, Profile};

/// What `WARP_PROFILE` asks for.
struct Wanted {
    /// Where the launches one by one go.
    trace: Option<PathBuf>,
    profile: Mutex<Profile>,
}

fn wanted() -> Option<&'static Wanted> {
    static WANTED: OnceLock<Option<Wanted>> = OnceLock::new();
    let ask = || {
        let value = std::env::var_os("WARP_PROFILE").filter(|value| !value.is_empty() && value != "0")?;
        let path = PathBuf::from(value);
        let trace = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json")).then_some(path);
        // SAFETY: the function takes nothing, gives nothing and does not unwind.
        unsafe { atexit(tell) };
        Some(Wanted { trace, profile: Mutex::new(Profile::new()) })
    };
    WANTED.get_or_init(ask).as_ref()
}

pub(super) fn is_wanted() -> bool {
    wanted().is_some()
}

pub(super) fn add(label: &Label<'_>, started: Instant, length: Duration) {
    if let Some(wanted) = wanted() {
        let mut profile = wanted.profile.lock().unwrap_or_else(|e| e.into_inner());
        profile.add(label, started, length, wanted.trace.is_some());
    }
}

/// What the process measured, at its end. A panic here would have no one to go to, so nothing in it panics.
extern "C" fn tell() {
    use std::io::Write;
    let Some(wanted) = wanted() else { return };
    let profile = wanted.profile.lock().unwrap_or_else(|e| e.into_inner());
    let mut text = profile.to_string();
    if let Some(path) = &wanted.trace
        && let Err(error) = profile.write_trace(path)
    {
        text.push_str(&format!("warp: WARP_PROFILE: {error}\n"));
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}

unsafe extern "C" {
    /// Of the C library that `std` links: calls a function when the process ends by `exit` or by returning from `main`.
    fn atexit(call: extern "C" fn()) -> std::ffi::c_int;
}
