//! How PTX computes a row: one instruction as text with named slots, or an expression over other builtins.
//!
//! | slot | stands for | example |
//! |---|---|---|
//! | `{r}` | the result's register | `%f3` |
//! | `{a}`, `{x}`, .. | a parameter's register, by the parameter's name | `%f1` |
//! | `{t}` | type of the operand, with its sign | `f32`, `s32`, `u64` |
//! | `{bits}` | type of the operand, without sign | `b32` |
//! | `{to}` | type of the result, with its sign | `f64` |
//!
//! PTX has no arithmetic on 8 bits and little on 16: an emitter computes those in 32 bits and brings the result back
//! into range. `Bool` is a predicate register, hence its own forms.

use super::expression::Expand;
use crate::ir::Scalar;

/// The PTX form of a row for some operand types.
#[derive(Clone, Copy, Debug)]
pub enum Ptx {
    /// One instruction.
    Text(&'static str),
    /// An expression over other builtins that gives the same bits.
    Expand(Expand),
    /// Several instructions, chosen by the emitter from the two types.
    Emitter,
}

impl Ptx {
    /// The slots in the text, in order.
    pub fn slots(text: &str) -> Vec<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
    }

    /// The text with each slot replaced; `None` when `fill` knows no answer for one.
    pub fn render<'a>(text: &str, mut fill: impl FnMut(&str) -> Option<&'a str>) -> Option<String> {
        let mut out = String::with_capacity(text.len() + 16);
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}')?;
            out.push_str(before);
            out.push_str(fill(name)?);
            rest = after;
        }
        out.push_str(rest);
        Some(out)
    }

    /// The type suffix with sign: what `{t}` becomes.
    pub fn typed(scalar: Scalar) -> &'static str {
        match scalar {
            Scalar::Bool => "pred",
            Scalar::I8 => "s8",
            Scalar::I16 => "s16",
            Scalar::I32 => "s32",
            Scalar::I64 => "s64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            other => other.name(),
        }
    }

    /// The type suffix without sign: what `{bits}` becomes.
    pub fn untyped(scalar: Scalar) -> &'static str {
        match scalar.size() {
            _ if scalar == Scalar::Bool => "pred",
            1 => "b8",
            2 => "b16",
            4 => "b32",
            _ => "b64",
        }
    }
}
