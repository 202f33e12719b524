//! Whether the process has more rights than who started it: then the environment must not choose its code.

/// Whether the process is set-user-id, set-group-id or otherwise privileged.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn is_privileged() -> bool {
    use std::ffi::c_ulong;
    const AT_SECURE: c_ulong = 23;
    unsafe extern "C" {
        fn getauxval(kind: c_ulong) -> c_ulong;
    }
    // SAFETY: it reads what the kernel handed to the process, for any kind.
    unsafe { getauxval(AT_SECURE) != 0 }
}

/// Whether the process is set-user-id or set-group-id.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
pub(super) fn is_privileged() -> bool {
    unsafe extern "C" {
        fn getuid() -> u32;
        fn geteuid() -> u32;
        fn getgid() -> u32;
        fn getegid() -> u32;
    }
    // SAFETY: these take nothing and cannot fail.
    unsafe { getuid() != geteuid() || getgid() != getegid() }
}

/// There is no such thing.
#[cfg(not(unix))]
pub(super) fn is_privileged() -> bool {
    false
}
