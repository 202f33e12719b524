//! How an example ends when something is wrong: one sentence on standard error and a non-zero exit code.

use std::error::Error;
use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

/// Why an example could not do its work, as one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub String);

impl Failure {
    /// A sentence of the form "particles.png cannot be written: no space left on device."
    pub fn of_file(path: &Path, what: &str, why: impl Display) -> Failure {
        let why = why.to_string();
        Failure(format!("{} cannot be {what}: {}.", path.display(), why.trim().trim_end_matches('.')))
    }
}

/// What an example's work returns. Faults of kernels, errors of launches and our own failures all fit.
pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// The exit code of an outcome; the sentence of an error goes to standard error.
pub fn exit(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", sentence(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}

/// The error and its causes, where the error does not already say them.
fn sentence(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let words = next.to_string();
        if !text.contains(&words) {
            text = format!("{}: {words}", text.trim_end_matches('.'));
        }
        cause = next.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the launch failed.")]
    struct Outer(#[source] Failure);

    #[test]
    fn causes_are_told_once() {
        assert_eq!(sentence(&Outer(Failure("index 4 of 4".into()))), "the launch failed: index 4 of 4");
        assert_eq!(sentence(&Outer(Failure("failed".into()))), "the launch failed.");
    }

    #[test]
    fn files_are_named() {
        let failure = Failure::of_file(Path::new("a/b.ply"), "read", "no such file. ");
        assert_eq!(failure.to_string(), "a/b.ply cannot be read: no such file.");
    }
}
