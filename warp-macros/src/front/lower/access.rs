//! Arrays that came for reading and are written: rustc says it at the line, so these words wait for it.

use std::collections::BTreeSet;

use warp_ir::ir::{Access, ArrayId, Function, Mem, Op, Region};

use super::memory::Memory;
use crate::front::ast::Body;
use crate::front::errors::Errors;

/// Reports the parameters whose arrays a body writes, or hands over to be written, though they are for reading.
pub(super) fn check(function: &Function, handed: &BTreeSet<ArrayId>, body: &Body, errors: &mut Errors) {
    let mut written = handed.clone();
    stores(&function.body, &mut written);
    for array in written {
        let param = &function.arrays[array.0 as usize];
        if param.access != Access::Read {
            continue;
        }
        let owner = param.name.split('.').next().unwrap_or_default();
        if let Some(parameter) = body.params.iter().find(|parameter| parameter.name == owner) {
            let name = &param.name;
            errors.defer(parameter.span, format!("`{name}` is for reading only: take it by `&mut` to write to it"));
        }
    }
}

fn stores(region: &Region, written: &mut BTreeSet<ArrayId>) {
    for op in &region.ops {
        if let Op::Store { mem: Mem::Array(array), .. } | Op::Atomic { mem: Mem::Array(array), .. } = op {
            written.insert(*array);
        }
        op.shape().regions.into_iter().for_each(|region| stores(region, written));
    }
}

impl super::Lower<'_> {
    /// Remembers that a function is given this memory to write to.
    pub(super) fn hand_over(&mut self, memory: &Memory) {
        if let Memory::Whole { mem: Mem::Array(array), .. } | Memory::Part { mem: Mem::Array(array), .. } = memory {
            self.handed.insert(*array);
        }
    }
}
