//! Atomics: plain reads and writes in launches on one machine thread, else atomic instructions where there are such,
//! and compare-and-swap loops for the rest.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, AtomicRmwOp, BlockArg, InstBuilder};
use warp_core::backend::BackendError;
use warp_ir::builtins::Builtin;
use warp_ir::ir::{AtomicKind, Scalar, Value};
use warp_ir::planted::{self, Bug};

use super::memory::Place;
use super::{Atomics, Lowering, clif_type};

impl Lowering<'_, '_> {
    pub(super) fn atomic(
        &mut self,
        kind: AtomicKind,
        place: Place,
        value: Value,
        compare: Option<Value>,
        result: Value,
    ) -> Result<(), BackendError> {
        let value = self.get(value);
        let compare = compare.map(|compare| self.get(compare));
        let old = self.atomic_at(kind, place, value, compare)?;
        self.set(result, old);
        Ok(())
    }

    /// Gives the old value.
    pub(super) fn atomic_at(
        &mut self,
        kind: AtomicKind,
        place: Place,
        value: clif::Value,
        compare: Option<clif::Value>,
    ) -> Result<clif::Value, BackendError> {
        let shared = place.shared && self.input.atomics == Atomics::Shared;
        let old = if !shared {
            self.plain(kind, place, value, compare)?
        } else if let Some(compare) = compare {
            self.compare_and_swap(place, compare, value)
        } else if let Some(op) = instruction(kind, place.scalar) {
            self.read_modify_write(op, place, value)
        } else {
            self.swap_loop(kind, place, value)?
        };
        Ok(if place.scalar == Scalar::Bool { self.builder.ins().icmp_imm_s(IntCC::NotEqual, old, 0) } else { old })
    }

    fn plain(
        &mut self,
        kind: AtomicKind,
        place: Place,
        value: clif::Value,
        compare: Option<clif::Value>,
    ) -> Result<clif::Value, BackendError> {
        let old = self.load_place(place);
        let new = match compare {
            Some(compare) => {
                let (old_bits, compare) = (self.bits_of(old), self.bits_of(compare));
                let value = self.bits_of(value);
                let same = self.builder.ins().icmp(IntCC::Equal, old_bits, compare);
                let bits = self.builder.ins().select(same, value, old_bits);
                self.of_bits(clif_type(place.scalar), bits)
            }
            None => self.combine(kind, place.scalar, old, value)?,
        };
        self.store_place(place, new);
        Ok(if planted::is(Bug::CpuAtomicGivesNew) { new } else { old })
    }

    /// What the place holds after an atomic other than a compare-exchange.
    fn combine(
        &mut self,
        kind: AtomicKind,
        scalar: Scalar,
        old: clif::Value,
        value: clif::Value,
    ) -> Result<clif::Value, BackendError> {
        let builtin = match kind {
            AtomicKind::Add => Builtin::Add,
            AtomicKind::Sub => Builtin::Sub,
            AtomicKind::Min => Builtin::Min,
            AtomicKind::Max => Builtin::Max,
            AtomicKind::And => Builtin::And,
            AtomicKind::Or => Builtin::Or,
            AtomicKind::Xor => Builtin::Xor,
            AtomicKind::Exchange | AtomicKind::CompareExchange => return Ok(value),
        };
        self.pure(builtin, &[(old, scalar), (value, scalar)], scalar)
    }

    fn compare_and_swap(&mut self, place: Place, compare: clif::Value, value: clif::Value) -> clif::Value {
        let address = self.exact_address(place);
        let (compare, value) = (self.bits_of(compare), self.bits_of(value));
        let old = self.builder.ins().atomic_cas(place.flags, address, compare, value);
        self.of_bits(clif_type(place.scalar), old)
    }

    fn read_modify_write(&mut self, op: AtomicRmwOp, place: Place, value: clif::Value) -> clif::Value {
        let address = self.exact_address(place);
        let value = self.bits_of(value);
        let ty = self.value_type(value);
        let old = self.builder.ins().atomic_rmw(ty, place.flags, op, address, value);
        self.of_bits(clif_type(place.scalar), old)
    }

    fn swap_loop(&mut self, kind: AtomicKind, place: Place, value: clif::Value) -> Result<clif::Value, BackendError> {
        let address = self.exact_address(place);
        let ty = clif_type(place.scalar);
        let bits = if ty.is_float() { ty.as_int() } else { ty };
        let [again, done] = std::array::from_fn(|_| self.builder.create_block());
        let expected = self.builder.append_block_param(again, bits);
        let first = self.builder.ins().load(bits, place.flags, address, 0);
        self.builder.ins().jump(again, &[BlockArg::Value(first)]);
        self.builder.switch_to_block(again);
        let old = self.of_bits(ty, expected);
        let new = self.combine(kind, place.scalar, old, value)?;
        let new = self.bits_of(new);
        let seen = self.builder.ins().atomic_cas(place.flags, address, expected, new);
        let same = self.builder.ins().icmp(IntCC::Equal, seen, expected);
        self.builder.ins().brif(same, done, &[], again, &[BlockArg::Value(seen)]);
        self.builder.switch_to_block(done);
        Ok(old)
    }

    /// Atomic instructions take no offset.
    fn exact_address(&mut self, place: Place) -> clif::Value {
        self.builder.ins().iadd_imm_s(place.address, i64::from(place.offset))
    }
}

/// The instruction that does it all, where there is one.
fn instruction(kind: AtomicKind, scalar: Scalar) -> Option<AtomicRmwOp> {
    if kind == AtomicKind::Exchange {
        return Some(AtomicRmwOp::Xchg);
    }
    if scalar.is_float() || scalar.is_half() {
        return None;
    }
    Some(match kind {
        AtomicKind::Add => AtomicRmwOp::Add,
        AtomicKind::Sub => AtomicRmwOp::Sub,
        AtomicKind::And => AtomicRmwOp::And,
        AtomicKind::Or => AtomicRmwOp::Or,
        AtomicKind::Xor => AtomicRmwOp::Xor,
        AtomicKind::Min if scalar.is_signed() => AtomicRmwOp::Smin,
        AtomicKind::Min => AtomicRmwOp::Umin,
        AtomicKind::Max if scalar.is_signed() => AtomicRmwOp::Smax,
        AtomicKind::Max => AtomicRmwOp::Umax,
        AtomicKind::Exchange | AtomicKind::CompareExchange => return None,
    })
}
