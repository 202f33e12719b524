//! How long a turn of compiled code takes, roughly: to choose between two codes for one kernel.

use cranelift_codegen::Context;
use cranelift_codegen::ir::{Inst, Opcode};

/// Turns of a loop inside of another one.
const TURNS: f64 = 8.0;

/// The weight of a function that has been compiled: of its instructions, more of those in loops, none of those in blocks
/// that are seldom entered.
pub(crate) fn weight(context: &Context) -> f64 {
    let layout = &context.func.layout;
    let blocks = layout.blocks().filter(|block| !layout.is_cold(*block));
    let of_block = |block| {
        let turns = TURNS.powi(context.loop_analysis.loop_level(block).level() as i32);
        turns * layout.block_insts(block).map(|inst| of_instruction(context, inst)).sum::<f64>()
    };
    blocks.map(of_block).sum()
}

/// What an instruction keeps the machine busy for, in times of an addition. A vector takes as long as a scalar.
fn of_instruction(context: &Context, inst: Inst) -> f64 {
    match context.func.dfg.insts[inst].opcode() {
        Opcode::Iconst | Opcode::F32const | Opcode::F64const | Opcode::Jump | Opcode::Bitcast => 0.0,
        Opcode::Call => 20.0,
        Opcode::Sdiv | Opcode::Udiv | Opcode::Srem | Opcode::Urem => 12.0,
        Opcode::Fdiv | Opcode::Sqrt => 5.0,
        Opcode::AtomicCas | Opcode::AtomicRmw => 20.0,
        Opcode::FcvtToSintSat | Opcode::FcvtToUintSat => 2.0,
        Opcode::Insertlane | Opcode::Extractlane => 5.0,
        _ => 1.0,
    }
}
