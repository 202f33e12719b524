//! The builtins: what a `Pure` op can compute. One row each; everything else about a builtin is derived from its row.
//!
//! A row says, in one place: the documentation, the signature, the meaning on the host, the adjoint as an expression
//! over other builtins, the Cranelift and PTX forms, the allowed distance between devices, and where tests sample.
//! From it come name lookup, the validator's type rule, constant folding, the differentiate pass, the emitters, the
//! page `docs/builtins.md`, and the tests in `warp-ir/tests/builtins.rs`.
//!
//! To add a builtin: its row in the file of its topic, then `BLESS=1 cargo test -p warp-ir --test builtins`.

mod class;
mod clif;
mod coefficients;
mod docs;
mod elementary;
mod expression;
mod half;
mod host;
mod ptx;
#[macro_use]
mod row;
pub mod soft;
mod value;
mod word;

pub use class::{Class, Scalars};
pub use clif::{Clif, Form};
pub use docs::page;
pub use expression::{Expand, Expression, Graph, Node, Operand, Step, Val};
pub use host::HostFloat;
pub use ptx::Ptx;
pub use row::{Adjoint, Contribution, FixedGradient, Param, Row, Value};
pub use value::Table;
pub(crate) use value::literal_bits;

use serde::{Deserialize, Serialize};

use crate::ir::Scalar;

#[macro_use]
mod arithmetic;
#[macro_use]
mod rounding;
#[macro_use]
mod bits;
#[macro_use]
mod compare;
#[macro_use]
mod select;
#[macro_use]
mod convert;
#[macro_use]
mod trigonometry;
#[macro_use]
mod exponential;
#[macro_use]
mod hyperbolic;
#[macro_use]
mod error;

/// Asks one module after another for its names, and makes the list of all builtins of what comes together.
macro_rules! all_names {
    ([$first:ident $($next:ident)*] $($seen:tt)*) => {
        $first! { [$($next)*] $($seen)* }
    };
    ([] $($module:ident: $($name:ident),+;)+) => {
        /// A pure scalar operation. Its row ([`Builtin::row`]) says all about it; `docs/builtins.md` lists the rows.
        #[allow(missing_docs)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        pub enum Builtin {
            $($($name,)+)+
        }

        impl Builtin {
            /// All builtins, by topic.
            pub const ALL: &'static [Builtin] = &[$($(Builtin::$name,)+)+];

            /// What there is to know about it.
            pub fn row(self) -> &'static Row {
                match self {
                    $($(Builtin::$name => &$module::$name,)+)+
                }
            }
        }

        /// The functions that are expansions, for the host: the bits that kernels compute on every device. The methods
        /// of Rust's own floats may differ in the last places.
        pub mod math {
            $(#[allow(unused_imports)] pub use super::$module::functions::*;)+
        }
    };
}

all_names! {
    [
        arithmetic_names rounding_names bits_names compare_names select_names convert_names trigonometry_names
        exponential_names hyperbolic_names error_names
    ]
}

impl Builtin {
    /// The name in the text form: `add`, `leading_zeros`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The inverse of [`Builtin::name`].
    pub fn from_name(name: &str) -> Option<Builtin> {
        Builtin::ALL.iter().copied().find(|b| b.name() == name)
    }

    /// The value on the host: what constant folding and evaluators use. Operands and result are bits, zero-extended.
    ///
    /// `None` where the IR leaves the op undefined (integer division by zero, and `MIN / -1`), and for operand types
    /// that the signature does not take.
    pub fn eval(self, args: &[Scalar], result: Scalar, bits: &[u64]) -> Option<u64> {
        self.row().eval(args, result, bits)
    }
}
