//! Stores of 16-bit constants. Behind a prefix that makes an operand of 16 bits, x86 processors look for 32 bits of a constant
//! at first, and stop for some cycles to look again: a row of such stores takes three times as long as one from a register.
//!
//! Which values are constant is known when the code has been optimised. So code that has such stores is made again, with
//! stores that cut a 32-bit value off: for these the code generator has no instruction with a constant inside.

use cranelift_codegen::ir::{self as clif, InstBuilder, Opcode, ValueDef, types};

use super::Lowering;
use super::memory::Place;

/// Whether optimised code stores constants of 16 bits where that is slow.
pub(crate) fn stores_constants(function: &clif::Function) -> bool {
    let (dfg, layout) = (&function.dfg, &function.layout);
    let is_constant = |value| match dfg.value_def(value) {
        ValueDef::Result(inst, _) => dfg.insts[inst].opcode() == Opcode::Iconst,
        _ => false,
    };
    let slow = |inst| {
        let stored = dfg.inst_args(inst).first().filter(|_| dfg.insts[inst].opcode() == Opcode::Store);
        stored.is_some_and(|&value| dfg.value_type(value) == types::I16 && is_constant(value))
    };
    cfg!(target_arch = "x86_64") && layout.blocks().flat_map(|block| layout.block_insts(block)).any(slow)
}

impl Lowering<'_, '_> {
    /// Stores a 16-bit value from the lower half of a register of 32 bits.
    pub(super) fn store_half(&mut self, place: Place, value: clif::Value) {
        let wide = self.builder.ins().uextend(types::I32, value);
        self.builder.ins().istore16(place.flags, wide, place.address, place.offset);
    }
}

#[cfg(test)]
mod tests {
    use cranelift_codegen::cursor::{Cursor, FuncCursor};
    use cranelift_codegen::ir::{Function, MemFlagsData, Type};

    use super::*;

    /// A function that stores a constant of a type, or the lower half of one of 32 bits.
    fn storing(constant: Type, half: bool) -> Function {
        let mut function = Function::new();
        let block = function.dfg.make_block();
        let address = function.dfg.append_block_param(block, types::I64);
        let mut cursor = FuncCursor::new(&mut function);
        cursor.insert_block(block);
        let value = cursor.ins().iconst(constant, 7);
        match half {
            true => cursor.ins().istore16(MemFlagsData::new(), value, address, 0),
            false => cursor.ins().store(MemFlagsData::new(), value, address, 0),
        };
        cursor.ins().return_(&[]);
        function
    }

    #[test]
    fn only_constants_of_16_bits_are_slow() {
        assert_eq!(stores_constants(&storing(types::I16, false)), cfg!(target_arch = "x86_64"));
        assert!(!stores_constants(&storing(types::I32, true)));
        for constant in [types::I8, types::I32, types::I64] {
            assert!(!stores_constants(&storing(constant, false)), "{constant}");
        }
    }
}
