//! The values that are visible, by type.

use super::bits;
use super::rng::Rng;
use crate::builder::Builder;
use crate::builtins::Builtin;
use crate::ir::{Scalar, Value};

/// Visible values by type; scopes are left by cutting back.
#[derive(Default)]
pub(super) struct Pool {
    lists: [Vec<Value>; 13],
}

/// The sizes of all lists at one moment.
pub(super) type Mark = [usize; 13];

impl Pool {
    pub(super) fn add(&mut self, scalar: Scalar, value: Value) {
        self.lists[scalar as usize].push(value);
    }

    pub(super) fn mark(&self) -> Mark {
        std::array::from_fn(|k| self.lists[k].len())
    }

    pub(super) fn cut(&mut self, mark: Mark) {
        for (list, len) in self.lists.iter_mut().zip(mark) {
            list.truncate(len);
        }
    }

    /// One of the visible values, recent ones more often.
    pub(super) fn pick(&self, rng: &mut Rng, scalar: Scalar) -> Option<Value> {
        let list = &self.lists[scalar as usize];
        let len = list.len() as u64;
        match len {
            0 => None,
            _ if rng.chance(50) => Some(list[(len - 1 - rng.below(len.min(4))) as usize]),
            _ => Some(list[rng.below(len) as usize]),
        }
    }

    /// A visible value of the type, or a constant, or a conversion.
    pub(super) fn value(&mut self, rng: &mut Rng, b: &mut Builder, scalar: Scalar) -> Value {
        if rng.chance(85)
            && let Some(value) = self.pick(rng, scalar)
        {
            return value;
        }
        let value = match self.pick(rng, Scalar::U64) {
            Some(from) if rng.chance(50) && (scalar.is_int() || scalar.is_float()) && scalar != Scalar::U64 => {
                let result = b.value(scalar);
                b.push(crate::ir::Op::Pure { builtin: Builtin::Cast, args: vec![from], result });
                result
            }
            _ => b.const_(scalar, bits::bits(rng, scalar)),
        };
        self.add(scalar, value);
        value
    }
}
