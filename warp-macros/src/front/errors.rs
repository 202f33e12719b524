//! Errors of the front end: a sentence at a token, with the way out.

use proc_macro2::Span;

/// Who speaks first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ErrorKind {
    /// Valid Rust that kernels do not have: reported at once.
    Refused,
    /// What rustc says better when the body has a type error: reported only when rustc finds nothing.
    Deferred,
}

/// One error.
#[derive(Clone, Debug)]
pub(crate) struct Error {
    pub span: Span,
    pub message: String,
    pub kind: ErrorKind,
}

/// Collects all errors of a phase.
#[derive(Default, Debug)]
pub(crate) struct Errors {
    list: Vec<Error>,
}

impl Errors {
    /// Valid Rust that kernels do not have.
    pub(crate) fn refuse(&mut self, span: Span, message: impl Into<String>) {
        self.list.push(Error { span, message: message.into(), kind: ErrorKind::Refused });
    }

    /// The same, unless the sentence was said before.
    pub(crate) fn refuse_once(&mut self, span: Span, message: impl Into<String>) {
        let message = message.into();
        if self.list.iter().all(|error| error.message != message) {
            self.refuse(span, message);
        }
    }

    /// Something that rustc may say better.
    pub(crate) fn defer(&mut self, span: Span, message: impl Into<String>) {
        self.list.push(Error { span, message: message.into(), kind: ErrorKind::Deferred });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Hands the errors over, without repetitions.
    pub(crate) fn take(&mut self) -> Vec<Error> {
        let mut seen = std::collections::HashSet::new();
        let list = std::mem::take(&mut self.list);
        list.into_iter().filter(|e| seen.insert((e.message.clone(), format!("{:?}", e.span)))).collect()
    }
}
