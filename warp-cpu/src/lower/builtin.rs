//! Builtins that are one or a few instructions.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use warp_core::backend::BackendError;
use warp_ir::builtins::Builtin;
use warp_ir::ir::{Scalar, Value};

use super::{Lowering, clif_type};
use crate::runtime;

impl Lowering<'_, '_> {
    /// A pure builtin on IR values.
    pub(super) fn pure(
        &mut self,
        builtin: Builtin,
        args: &[Value],
        result: Value,
    ) -> Result<clif::Value, BackendError> {
        let scalar = self.scalar(args[0]);
        let a = self.get(args[0]);
        Ok(match builtin {
            Builtin::Select => self.choose(args[0], args[1], args[2]),
            Builtin::Min | Builtin::Max if scalar.is_float() => self.extremum(builtin, scalar, args[0], args[1]),
            Builtin::Fma => {
                let (b, c) = (self.get(args[1]), self.get(args[2]));
                self.builder.ins().fma(a, b, c)
            }
            Builtin::Cast => self.cast(scalar, self.scalar(result), a)?,
            Builtin::Bitcast => self.reinterpret(self.scalar(result), a),
            Builtin::Rem if scalar == Scalar::F32 => {
                self.call(runtime::REM_F32, &[a, self.get(args[1])], types::F32)?
            }
            Builtin::Rem if scalar == Scalar::F64 => {
                self.call(runtime::REM_F64, &[a, self.get(args[1])], types::F64)?
            }
            _ if args.len() == 1 => self.unary(builtin, scalar, a),
            _ => {
                let b = self.get(args[1]);
                self.binary(builtin, scalar, a, b)
            }
        })
    }

    fn unary(&mut self, builtin: Builtin, scalar: Scalar, a: clif::Value) -> clif::Value {
        let float = scalar.is_float();
        let ins = self.builder.ins();
        match builtin {
            Builtin::Neg if float => ins.fneg(a),
            Builtin::Neg => ins.ineg(a),
            Builtin::Abs if float => ins.fabs(a),
            Builtin::Abs if scalar.is_signed() => ins.iabs(a),
            Builtin::Abs => a,
            Builtin::Sqrt => ins.sqrt(a),
            Builtin::Floor => ins.floor(a),
            Builtin::Ceil => ins.ceil(a),
            Builtin::Trunc => ins.trunc(a),
            Builtin::Round => self.round(scalar, a),
            Builtin::RoundEven => ins.nearest(a),
            Builtin::Not if scalar == Scalar::Bool => ins.bxor_imm_s(a, 1),
            Builtin::Not => ins.bnot(a),
            Builtin::CountOnes => {
                let count = ins.popcnt(a);
                self.to_u32(count)
            }
            Builtin::LeadingZeros => {
                let count = ins.clz(a);
                self.to_u32(count)
            }
            Builtin::TrailingZeros => {
                let count = ins.ctz(a);
                self.to_u32(count)
            }
            Builtin::ReverseBits => ins.bitrev(a),
            Builtin::SwapBytes if scalar.size() == 1 => a,
            Builtin::SwapBytes => ins.bswap(a),
            _ => unreachable!("a valid kernel gives {builtin:?} more than one operand"),
        }
    }

    /// A builtin of two operands, but for floats' `Rem`.
    pub(super) fn binary(&mut self, builtin: Builtin, scalar: Scalar, a: clif::Value, b: clif::Value) -> clif::Value {
        let (float, signed) = (scalar.is_float(), scalar.is_signed());
        let ins = self.builder.ins();
        match builtin {
            Builtin::Add if float => ins.fadd(a, b),
            Builtin::Add => ins.iadd(a, b),
            Builtin::Sub if float => ins.fsub(a, b),
            Builtin::Sub => ins.isub(a, b),
            Builtin::Mul if float => ins.fmul(a, b),
            Builtin::Mul => ins.imul(a, b),
            Builtin::Div if float => ins.fdiv(a, b),
            Builtin::Div if signed => ins.sdiv(a, b),
            Builtin::Div => ins.udiv(a, b),
            Builtin::Rem if signed => ins.srem(a, b),
            Builtin::Rem => ins.urem(a, b),
            Builtin::Min | Builtin::Max if float => self.extremum_of(builtin, scalar, a, b),
            Builtin::Min if signed => ins.smin(a, b),
            Builtin::Min => ins.umin(a, b),
            Builtin::Max if signed => ins.smax(a, b),
            Builtin::Max => ins.umax(a, b),
            Builtin::Copysign => ins.fcopysign(a, b),
            Builtin::And => ins.band(a, b),
            Builtin::Or => ins.bor(a, b),
            Builtin::Xor => ins.bxor(a, b),
            Builtin::Shl => ins.ishl(a, b),
            Builtin::Shr if signed => ins.sshr(a, b),
            Builtin::Shr => ins.ushr(a, b),
            Builtin::RotateLeft => ins.rotl(a, b),
            Builtin::RotateRight => ins.rotr(a, b),
            Builtin::Eq | Builtin::Ne | Builtin::Lt | Builtin::Le if float => ins.fcmp(float_condition(builtin), a, b),
            Builtin::Eq | Builtin::Ne | Builtin::Lt | Builtin::Le => ins.icmp(int_condition(builtin, signed), a, b),
            _ => unreachable!("a valid kernel does not give {builtin:?} two operands of type {scalar:?}"),
        }
    }

    /// Nearest, ties away from zero: the largest value below one half is added, with the sign, and the rest cut off.
    fn round(&mut self, scalar: Scalar, a: clif::Value) -> clif::Value {
        let below_half = match scalar {
            Scalar::F32 => self.builder.ins().f32const(0.5f32.next_down()),
            _ => self.builder.ins().f64const(0.5f64.next_down()),
        };
        let shift = self.builder.ins().fcopysign(below_half, a);
        let moved = self.builder.ins().fadd(a, shift);
        self.builder.ins().trunc(moved)
    }

    fn to_u32(&mut self, count: clif::Value) -> clif::Value {
        match self.value_type(count).bits() {
            32 => count,
            64 => self.builder.ins().ireduce(types::I32, count),
            _ => self.builder.ins().uextend(types::I32, count),
        }
    }

    fn reinterpret(&mut self, to: Scalar, a: clif::Value) -> clif::Value {
        let ty = clif_type(to);
        let is = if self.value_type(a) == ty { a } else { self.builder.ins().bitcast(ty, MemFlagsData::new(), a) };
        if to == Scalar::Bool { self.builder.ins().band_imm_s(is, 1) } else { is }
    }
}

/// The condition of a float comparison; only `!=` holds for NaN.
pub(super) fn float_condition(builtin: Builtin) -> FloatCC {
    match builtin {
        Builtin::Eq => FloatCC::Equal,
        Builtin::Ne => FloatCC::NotEqual,
        Builtin::Lt => FloatCC::LessThan,
        _ => FloatCC::LessThanOrEqual,
    }
}

fn int_condition(builtin: Builtin, signed: bool) -> IntCC {
    match (builtin, signed) {
        (Builtin::Eq, _) => IntCC::Equal,
        (Builtin::Ne, _) => IntCC::NotEqual,
        (Builtin::Lt, true) => IntCC::SignedLessThan,
        (Builtin::Lt, false) => IntCC::UnsignedLessThan,
        (_, true) => IntCC::SignedLessThanOrEqual,
        (_, false) => IntCC::UnsignedLessThanOrEqual,
    }
}
