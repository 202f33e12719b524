//! Rust's `as`.

use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use warp_ir::ir::Scalar;
use warp_ir::planted::{self, Bug};

use super::{Lowering, clif_type};

impl Lowering<'_, '_> {
    /// Any conversion but from and to half floats, which is an expansion.
    pub(super) fn convert(&mut self, from: Scalar, to: Scalar, a: clif::Value) -> clif::Value {
        match (from, to) {
            _ if from == to => a,
            (Scalar::F32, Scalar::F64) => self.builder.ins().fpromote(types::F64, a),
            (Scalar::F64, Scalar::F32) => self.builder.ins().fdemote(types::F32, a),
            _ if from.is_float() => self.float_to_int(to, a),
            _ if to.is_float() => self.int_to_float(from, to, a),
            _ => self.int_to_int(from, to, a),
        }
    }

    fn int_to_int(&mut self, from: Scalar, to: Scalar, a: clif::Value) -> clif::Value {
        let ty = clif_type(to);
        match from.size().cmp(&to.size()) {
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Greater => self.builder.ins().ireduce(ty, a),
            std::cmp::Ordering::Less if from.is_signed() && !planted::is(Bug::CpuZeroExtends) => {
                self.builder.ins().sextend(ty, a)
            }
            std::cmp::Ordering::Less => self.builder.ins().uextend(ty, a),
        }
    }

    fn int_to_float(&mut self, from: Scalar, to: Scalar, a: clif::Value) -> clif::Value {
        let ty = clif_type(to);
        let wide = match (from.size(), from.is_signed()) {
            (1 | 2, true) => self.builder.ins().sextend(types::I32, a),
            // Fits the signed type of twice the width, whose conversion is one instruction.
            (1 | 2, false) => self.builder.ins().uextend(types::I32, a),
            (4, false) => self.builder.ins().uextend(types::I64, a),
            _ => a,
        };
        match from {
            Scalar::U64 => self.builder.ins().fcvt_from_uint(ty, wide),
            _ => self.builder.ins().fcvt_from_sint(ty, wide),
        }
    }

    /// Saturates; NaN gives 0.
    fn float_to_int(&mut self, to: Scalar, a: clif::Value) -> clif::Value {
        match to {
            Scalar::I32 | Scalar::I64 => self.builder.ins().fcvt_to_sint_sat(clif_type(to), a),
            Scalar::U32 | Scalar::U64 => self.builder.ins().fcvt_to_uint_sat(clif_type(to), a),
            _ => {
                let (low, high) = match to {
                    Scalar::I8 => (i64::from(i8::MIN), i64::from(i8::MAX)),
                    Scalar::I16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
                    Scalar::U8 => (0, i64::from(u8::MAX)),
                    _ => (0, i64::from(u16::MAX)),
                };
                let wide = self.builder.ins().fcvt_to_sint_sat(types::I32, a);
                if planted::is(Bug::CpuCastWraps) {
                    return self.builder.ins().ireduce(clif_type(to), wide);
                }
                let low = self.builder.ins().iconst(types::I32, low & 0xffff_ffff);
                let high = self.builder.ins().iconst(types::I32, high);
                let above = self.builder.ins().smax(wide, low);
                let within = self.builder.ins().smin(above, high);
                self.builder.ins().ireduce(clif_type(to), within)
            }
        }
    }
}
