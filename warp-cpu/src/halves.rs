//! Constants of 16 bits. Behind a prefix that makes an operand of 16 bits, x86 processors look for 32 bits of a constant at
//! first, and stop for some cycles to look again: a row of additions or stores of such constants takes three times as long as
//! one from registers.
//!
//! Which values are constant is known when the code has been optimised. So between that and the choice of instructions such
//! constants become the lower halves of ones of 32 bits, for which the code generator has no instruction with a constant inside.

use std::collections::HashMap;

use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{Function, Inst, InstBuilder, InstructionData, Opcode, Value, types};

/// Takes constants of 16 bits out of the instructions of optimised code, where those would be slow.
pub(crate) fn take_out(function: &mut Function) {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let mut cursor = FuncCursor::new(function);
    while cursor.next_block().is_some() {
        let mut loaded = HashMap::new();
        while let Some(inst) = cursor.next_inst() {
            if can_hold(cursor.func.dfg.insts[inst].opcode()) {
                take_out_of(&mut cursor, inst, &mut loaded);
            }
        }
    }
}

/// Puts registers in the places of constants, each of which is `loaded` once a block.
fn take_out_of(cursor: &mut FuncCursor<'_>, inst: Inst, loaded: &mut HashMap<i64, Value>) {
    for at in 0..cursor.func.dfg.inst_args(inst).len() {
        let Some(constant) = constant(cursor.func, cursor.func.dfg.inst_args(inst)[at]) else { continue };
        let register = *loaded.entry(constant).or_insert_with(|| {
            let wide = cursor.ins().iconst(types::I32, constant & 0xffff);
            cursor.ins().ireduce(types::I16, wide)
        });
        cursor.func.dfg.inst_args_mut(inst)[at] = register;
    }
}

/// Whether there are processors' instructions for this that hold a constant as wide as the operands. Shifts hold a byte.
fn can_hold(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, Store | Iadd | Isub | Imul | Band | Bor | Bxor | Icmp | AtomicRmw | AtomicStore)
}

/// The number that a value of 16 bits is.
fn constant(function: &Function, value: Value) -> Option<i64> {
    let inst = function.dfg.value_def(value).inst().filter(|_| function.dfg.value_type(value) == types::I16)?;
    match function.dfg.insts[inst] {
        InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use cranelift_codegen::ir::{MemFlagsData, Type};

    use super::*;

    /// A function that stores the sum of a value and a constant, and the constant.
    fn adding(ty: Type) -> Function {
        let mut function = Function::new();
        let block = function.dfg.make_block();
        let address = function.dfg.append_block_param(block, types::I64);
        let mut cursor = FuncCursor::new(&mut function);
        cursor.insert_block(block);
        let old = cursor.ins().load(ty, MemFlagsData::new(), address, 0);
        let constant = cursor.ins().iconst(ty, 7);
        let sum = cursor.ins().iadd(old, constant);
        cursor.ins().store(MemFlagsData::new(), sum, address, 0);
        cursor.ins().store(MemFlagsData::new(), constant, address, 8);
        cursor.ins().return_(&[]);
        function
    }

    fn count(function: &Function, opcode: Opcode) -> usize {
        let insts = function.layout.blocks().flat_map(|block| function.layout.block_insts(block));
        insts.filter(|&inst| function.dfg.insts[inst].opcode() == opcode).count()
    }

    #[test]
    fn constants_of_16_bits_are_loaded_once_a_block() {
        for ty in [types::I8, types::I16, types::I32, types::I64] {
            let mut function = adding(ty);
            take_out(&mut function);
            let taken = ty == types::I16 && cfg!(target_arch = "x86_64");
            assert_eq!(count(&function, Opcode::Ireduce), usize::from(taken), "{ty}");
            let held = function.layout.blocks().flat_map(|block| function.layout.block_insts(block)).any(|inst| {
                can_hold(function.dfg.insts[inst].opcode())
                    && function.dfg.inst_args(inst).iter().any(|&value| constant(&function, value).is_some())
            });
            assert!(!(taken && held), "{}", function.display());
        }
    }
}
