//! Which values stand for which, while a pass walks forward.

use crate::ir::{Op, Region, Value};

/// A dense map from values to the values that replace them.
#[derive(Default)]
pub(super) struct Replacements {
    to: Vec<Value>,
}

impl Replacements {
    /// Nothing is replaced among the first `count` values.
    pub(super) fn new(count: usize) -> Replacements {
        Replacements { to: (0..count as u32).map(Value).collect() }
    }

    /// What stands for `value` now.
    pub(super) fn get(&self, value: Value) -> Value {
        let mut value = value;
        while let Some(&to) = self.to.get(value.0 as usize)
            && to != value
        {
            value = to;
        }
        value
    }

    /// From now on `to` stands for `value`. Setting a value to itself ends a replacement.
    pub(super) fn set(&mut self, value: Value, to: Value) {
        let at = value.0 as usize;
        for next in self.to.len()..=at {
            self.to.push(Value(next as u32));
        }
        self.to[at] = if to == value { value } else { self.get(to) };
    }

    /// Replaces the operands of an op, not those in its regions. Derivatives of the user's own are the exception, as passes
    /// leave them alone otherwise.
    pub(super) fn operands(&self, op: &mut Op) {
        op.map_operands(|v| *v = self.get(*v));
        if let Op::Custom { gradient, .. } = op {
            self.everywhere(gradient);
        }
    }

    fn everywhere(&self, region: &mut Region) {
        for op in &mut region.ops {
            op.map_operands(|v| *v = self.get(*v));
            op.regions_mut().into_iter().for_each(|inner| self.everywhere(inner));
        }
        self.all(&mut region.yields);
    }

    /// Replaces all of a list.
    pub(super) fn all(&self, values: &mut [Value]) {
        values.iter_mut().for_each(|v| *v = self.get(*v));
    }
}
