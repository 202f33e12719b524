//! Reading regions from bytes, with bounded nesting: a decoder recurses, and hostile bytes must not exhaust the stack.

use std::cell::Cell;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::{Op, Region, Value};
use crate::validate::limits::DEPTH;

thread_local! {
    static NESTED: Cell<usize> = const { Cell::new(0) };
}

/// One level of nesting, as long as it lives.
struct Level;

impl Level {
    fn enter() -> Option<Level> {
        let level = Level;
        NESTED.with(|n| n.set(n.get() + 1));
        (NESTED.with(Cell::get) <= DEPTH).then_some(level)
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        NESTED.with(|n| n.set(n.get() - 1));
    }
}

#[derive(Deserialize)]
struct Fields {
    params: Vec<Value>,
    ops: Vec<Op>,
    yields: Vec<Value>,
}

impl<'de> Deserialize<'de> for Region {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Region, D::Error> {
        let _level = Level::enter().ok_or_else(|| D::Error::custom("regions are nested too deep"))?;
        let Fields { params, ops, yields } = Fields::deserialize(deserializer)?;
        Ok(Region { params, ops, yields })
    }
}
