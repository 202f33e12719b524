//! The builtins: what a `Pure` op can compute. One row each; everything else about a builtin is derived from its row.
//!
//! A row says, in one place: the documentation, the signature, the meaning on the host, the adjoint as an expression
//! over other builtins, the Cranelift and PTX forms, the allowed distance between devices, and where tests sample.
//! From it come name lookup, the validator's type rule, constant folding, the differentiate pass, the emitters, the
//! page `docs/builtins.md`, and the tests in `warp-ir/tests/builtins.rs`.
//!
//! To add a builtin: its name in the list below, its row in the file of its topic, then
//! `BLESS=1 cargo test -p warp-ir --test builtins`. A name without a row, and a row without a name, do not compile.

mod class;
mod clif;
mod docs;
mod expression;
mod half;
mod host;
mod ptx;
#[macro_use]
mod row;

mod arithmetic;
mod bits;
mod compare;
mod convert;
mod rounding;
mod select;
pub mod soft;

pub use class::{Class, Scalars};
pub use clif::{Clif, Form};
pub use docs::page;
pub use expression::{Expand, Expression, Graph, Node, Operand, Val};
pub use ptx::Ptx;
pub use row::{Adjoint, Contribution, FixedGradient, Param, Row};

use serde::{Deserialize, Serialize};

use crate::ir::Scalar;

macro_rules! builtins {
    ($($topic:ident: $($name:ident),+;)+) => {
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
                    $($(Builtin::$name => &$topic::$name,)+)+
                }
            }
        }
    };
}

builtins! {
    arithmetic: Add, Sub, Mul, Div, Rem, Neg, Abs, Min, Max, Fma, Sqrt;
    rounding: Floor, Ceil, Trunc, Round, RoundEven, Copysign;
    bits: And, Or, Xor, Not, Shl, Shr, CountOnes, LeadingZeros, TrailingZeros, ReverseBits, SwapBytes, RotateLeft, RotateRight;
    compare: Eq, Ne, Lt, Le;
    select: Select;
    convert: Cast, Bitcast;
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
