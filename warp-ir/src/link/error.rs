//! Why functions could not be linked.

use std::fmt;

use super::{DEPTH_LIMIT, DERIVATIVE_READS};

/// Why functions could not be linked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkError {
    /// A function calls itself, directly or through others.
    Recursion {
        /// Names along the cycle; the first one is also the last.
        cycle: Vec<String>,
    },
    /// Calls nest deeper than [`DEPTH_LIMIT`].
    TooDeep {
        /// Names from the root to the call that went too far.
        chain: Vec<String>,
    },
    /// With its calls inlined the function has too many ops.
    TooLarge {
        /// The root.
        root: String,
        /// The function that was being inlined.
        at: String,
        /// How many ops are allowed.
        limit: usize,
    },
    /// A function works atomically on an array that its caller copied for it.
    AtomicOnCopy {
        /// Its name.
        function: String,
    },
    /// The derivative of a function's own reads more of a caller's local array than
    /// [`DERIVATIVE_READS`](super::DERIVATIVE_READS) numbers.
    DerivativeReadsTooMuch {
        /// The function.
        function: String,
        /// The array.
        array: String,
        /// Where the function is called, in brackets, if that is known.
        place: String,
        /// The numbers that would have to be handed over.
        numbers: usize,
    },
    /// A callee is not known.
    Missing {
        /// Its name.
        name: String,
        /// Who calls it.
        caller: String,
    },
    /// A call does not fit its callee: made by different versions of the compiler, or damaged.
    Mismatch {
        /// The callee's name.
        name: String,
        /// Who calls it.
        caller: String,
        /// What does not fit.
        what: String,
    },
}

impl std::error::Error for LinkError {}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::Recursion { cycle } if cycle.len() == 2 => {
                write!(f, "recursion is not supported in kernels: `{}` calls itself; write it as a loop", cycle[0])
            }
            LinkError::Recursion { cycle } => {
                write!(f, "recursion is not supported in kernels: {}; write it as a loop", arrows(cycle))
            }
            LinkError::TooDeep { chain } => {
                write!(f, "calls nest deeper than {DEPTH_LIMIT} functions: {}; join some of them", arrows(chain))
            }
            LinkError::TooLarge { root, at, limit } => write!(
                f,
                "`{root}` has more than {limit} operations once its calls are inlined (reached in `{at}`); \
                 call fewer or smaller functions, or put repeated calls into a loop"
            ),
            LinkError::AtomicOnCopy { function } => write!(
                f,
                "`{function}` works atomically on an array that it is given as a copy, since it lies inside an element of \
                 another one: keep what threads share in an array of its own"
            ),
            LinkError::DerivativeReadsTooMuch { function, array, place, numbers } => write!(
                f,
                "the derivative of `{function}`, which is called with `{array}`{place}, reads {numbers} numbers of that \
                 array, and of one inside a kernel {DERIVATIVE_READS} are the most: make it smaller, pass an array of the \
                 host, or mark the kernel `no_adjoint`"
            ),
            LinkError::Missing { name, caller } => {
                write!(f, "`{caller}` calls `{name}`, of which no compiled form is known")
            }
            LinkError::Mismatch { name, caller, what } => {
                write!(
                    f,
                    "the call of `{name}` in `{caller}` does not fit its definition: {what}; rebuild the crates of both"
                )
            }
        }
    }
}

fn arrows(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    if quoted.len() <= 12 {
        return quoted.join(" -> ");
    }
    let (head, tail) = (&quoted[..6], &quoted[quoted.len() - 5..]);
    format!("{} -> .. -> {}", head.join(" -> "), tail.join(" -> "))
}
