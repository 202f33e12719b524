//! What can go wrong with the driver, in sentences.

use std::fmt;

use crate::sys::library::{DEFAULT_NAME, VARIABLE};
use crate::sys::{CUresult, advice};

/// Why something on a device failed.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The driver's library is not there, or is none that can be opened.
    #[error("{}", no_library(name, *by_variable, *ignored, why))]
    NoLibrary {
        /// What was looked for.
        name: String,
        /// Whether the environment asked for it.
        by_variable: bool,
        /// Whether the environment asked for another one and was not heard.
        ignored: bool,
        /// The loader's words.
        why: String,
    },

    /// The driver lacks a function.
    #[error(
        "the library `{library}` has no function `{name}`: it came with CUDA {since}; install a newer NVIDIA driver"
    )]
    NoFunction {
        /// The function.
        name: &'static str,
        /// The version that brought it.
        since: &'static str,
        /// The library.
        library: String,
    },

    /// A call failed.
    #[error(transparent)]
    Driver(DriverError),

    /// There is no such device.
    #[error("there is no device cuda:{index}: {}", devices(*count))]
    NoSuchDevice {
        /// What was asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },

    /// Code was refused.
    #[error("{}", refused(error, log))]
    Module {
        /// What the driver said.
        error: Box<Error>,
        /// What its compiler said: lines of the PTX with what is wrong in them.
        log: String,
    },

    /// A module has nothing of that name.
    #[error("the module has no {what} `{name}`: {error}")]
    NoSuchName {
        /// What was looked for.
        what: &'static str,
        /// Its name.
        name: String,
        /// What the driver said.
        error: Box<Error>,
    },

    /// A graph could not be changed in place.
    #[error("the graph cannot be updated in place: {why}; instantiate the new one")]
    GraphUpdate {
        /// What differs.
        why: String,
    },

    /// A range beyond a piece of memory.
    #[error("{what} needs bytes {start} to {end} of memory that has {bytes}", end = start.saturating_add(*len))]
    Range {
        /// What was asked for.
        what: &'static str,
        /// First byte.
        start: usize,
        /// Bytes.
        len: usize,
        /// Bytes that there are.
        bytes: usize,
    },

    /// Things of two devices, or of two drivers, in one call.
    #[error("{what} is on {first}, and {other} on {second}; both must be on one device")]
    Mixed {
        /// The first thing.
        what: &'static str,
        /// Its device.
        first: String,
        /// The second thing.
        other: &'static str,
        /// Its device.
        second: String,
    },

    /// Something that cannot be done, whatever the device.
    #[error("{0}")]
    Refused(String),
}

/// What the driver answered to a call.
#[derive(Clone, PartialEq, Eq)]
pub struct DriverError {
    /// The code.
    pub code: CUresult,
    /// Its name, where the driver knows it.
    pub name: Option<String>,
    /// The driver's words.
    pub text: Option<String>,
    /// The function.
    pub call: &'static str,
}

impl Error {
    /// The driver's code, where it gave one.
    pub fn code(&self) -> Option<CUresult> {
        match self {
            Error::Driver(error) => Some(error.code),
            Error::Module { error, .. } | Error::NoSuchName { error, .. } => error.code(),
            _ => None,
        }
    }

    /// Whether the driver gave this code.
    pub fn is(&self, code: CUresult) -> bool {
        self.code() == Some(code)
    }
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failed: ", self.call)?;
        match &self.name {
            Some(name) => write!(f, "{name} ({})", self.code.0)?,
            None => write!(f, "code {}, which this driver has no name for", self.code.0)?,
        }
        if let Some(text) = self.text.as_ref().filter(|text| !text.is_empty()) {
            write!(f, ", {text}")?;
        }
        match advice(self.code) {
            Some(advice) => write!(f, "; {advice}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for DriverError {}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn no_library(name: &str, by_variable: bool, ignored: bool, why: &str) -> String {
    let (asked, way_out) = match by_variable {
        true => (format!(" (from {VARIABLE})"), format!("let {VARIABLE} name a library, or unset it")),
        false if name == DEFAULT_NAME => {
            (String::new(), "it comes with the NVIDIA driver, no toolkit is needed".into())
        }
        false => (String::new(), "give its name or path".into()),
    };
    let ignored = match ignored {
        true => format!("; {VARIABLE} is not heard in a process with more rights than who started it"),
        false => String::new(),
    };
    format!("the CUDA driver's library `{name}`{asked} cannot be opened: {way_out} ({why}){ignored}")
}

fn devices(count: usize) -> String {
    match count {
        0 => "the driver sees none; look at `nvidia-smi` and at CUDA_VISIBLE_DEVICES".into(),
        1 => "the driver sees one, cuda:0".into(),
        n => format!("the driver sees cuda:0 to cuda:{}", n - 1),
    }
}

fn refused(error: &Error, log: &str) -> String {
    match log.trim() {
        "" => error.to_string(),
        log => format!("{error}. Its compiler says:\n{log}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_call_is_a_sentence_with_the_way_out() {
        let error = DriverError {
            code: CUresult::OUT_OF_MEMORY,
            name: Some("CUDA_ERROR_OUT_OF_MEMORY".into()),
            text: Some("out of memory".into()),
            call: "cuMemAlloc_v2",
        };
        assert_eq!(
            error.to_string(),
            "cuMemAlloc_v2 failed: CUDA_ERROR_OUT_OF_MEMORY (2), out of memory; free arrays, or make them smaller"
        );
        let unknown = DriverError { code: CUresult(4711), name: None, text: None, call: "cuInit" };
        assert_eq!(unknown.to_string(), "cuInit failed: code 4711, which this driver has no name for");
    }

    #[test]
    fn a_missing_library_is_named_with_who_asked_for_it() {
        let missing = |by_variable, ignored| {
            let name = if by_variable { "my.so" } else { DEFAULT_NAME }.into();
            Error::NoLibrary { name, by_variable, ignored, why: "no such file".into() }.to_string()
        };
        assert!(missing(true, false).contains("`my.so` (from WARP_LIBCUDA) cannot be opened"));
        assert!(missing(false, false).contains("it comes with the NVIDIA driver"));
        assert!(missing(false, true).contains("WARP_LIBCUDA is not heard"));
    }
}
