//! Finding the driver's library.

use std::ffi::{OsStr, OsString, c_void};
use std::mem::ManuallyDrop;

use super::secure;
use crate::error::Error;

/// The driver's library, by name only: where it lies is the system's business.
#[cfg(not(windows))]
pub const DEFAULT_NAME: &str = "libcuda.so.1";
/// The driver's library, by name only.
#[cfg(windows)]
pub const DEFAULT_NAME: &str = "nvcuda.dll";

/// Names another library, by name or path. Not heard in processes with more rights than who started them.
pub const VARIABLE: &str = "WARP_LIBCUDA";

/// A loaded library. It stays loaded to the end of the process, as drivers do not take being unloaded.
#[derive(Debug)]
pub struct Library {
    name: String,
    library: ManuallyDrop<libloading::Library>,
}

impl Library {
    /// Loads the library that [`VARIABLE`] names, else the system's.
    pub fn find() -> Result<Library, Error> {
        let (name, ignored) = chosen(std::env::var_os(VARIABLE), secure::is_privileged());
        let (by_variable, name) = (name.is_some(), name.unwrap_or_else(|| DEFAULT_NAME.into()));
        // SAFETY: loading the driver runs its start-up code, which is what the user of a GPU wants; another library has
        // been asked for by who runs the process.
        unsafe { Library::load(&name, by_variable) }.map_err(|why| Error::NoLibrary {
            name: name.to_string_lossy().into_owned(),
            by_variable,
            ignored,
            why,
        })
    }

    /// Loads a library by name or path.
    ///
    /// # Safety
    /// Its start-up code is sound, and the functions that it has in common with the driver mean the same.
    pub unsafe fn open(name: &OsStr) -> Result<Library, Error> {
        // SAFETY: the caller's contract.
        unsafe { Library::load(name, true) }.map_err(|why| Error::NoLibrary {
            name: name.to_string_lossy().into_owned(),
            by_variable: false,
            ignored: false,
            why,
        })
    }

    /// # Safety
    /// As [`open`](Library::open).
    unsafe fn load(name: &OsStr, explicit: bool) -> Result<Library, String> {
        #[cfg(windows)]
        if !explicit {
            use libloading::os::windows;
            // SAFETY: the caller's contract. From the system's folder only, so that no other folder can slip one in.
            let loaded = unsafe { windows::Library::load_with_flags(name, windows::LOAD_LIBRARY_SEARCH_SYSTEM32) };
            return loaded.map(|library| Library::keep(name, library.into())).map_err(|error| chain(&error));
        }
        let _ = explicit;
        // SAFETY: the caller's contract.
        unsafe { libloading::Library::new(name) }
            .map(|library| Library::keep(name, library))
            .map_err(|error| chain(&error))
    }

    fn keep(name: &OsStr, library: libloading::Library) -> Library {
        Library { name: name.to_string_lossy().into_owned(), library: ManuallyDrop::new(library) }
    }

    /// What was asked for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The address of an exported symbol, where there is one.
    pub fn symbol(&self, name: &str) -> Option<*const c_void> {
        // SAFETY: the symbol is only looked up, as an address in a library that stays; who calls it says what it is.
        let address = unsafe { self.library.get::<*const c_void>(name).ok()?.try_as_raw_ptr() }?;
        (!address.is_null()).then_some(address.cast_const())
    }
}

/// Which library the variable asks for, and whether it asked in vain.
fn chosen(variable: Option<OsString>, privileged: bool) -> (Option<OsString>, bool) {
    let variable = variable.filter(|value| !value.is_empty());
    let ignored = privileged && variable.is_some();
    (variable.filter(|_| !privileged), ignored)
}

/// An error with its causes, which is where the loader's own words are.
fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => chain(source),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_names_another_library_unless_the_process_is_privileged() {
        let asked = || Some(OsString::from("other.so"));
        assert_eq!(chosen(asked(), false), (asked(), false));
        assert_eq!(chosen(asked(), true), (None, true));
        assert_eq!(chosen(None, true), (None, false));
        assert_eq!(chosen(Some("".into()), false), (None, false));
    }

    #[test]
    fn this_process_is_not_privileged() {
        assert!(!secure::is_privileged());
    }

    #[test]
    fn a_library_that_is_not_there_is_an_error_that_names_it() {
        // SAFETY: there is no such library.
        let error = unsafe { Library::open(OsStr::new("libthereisnone.so.7")) }.expect_err("there is none");
        assert!(error.to_string().contains("`libthereisnone.so.7`"), "{error}");
    }
}
