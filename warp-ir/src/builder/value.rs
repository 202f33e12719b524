//! Values that have no operands: literals, slots, the thread, extents and tables.

use super::Builder;
use crate::ir::*;

/// Values from nowhere.
impl Builder {
    /// A literal by its bits, zero-extended.
    pub fn const_(&mut self, scalar: Scalar, bits: u64) -> Value {
        let result = self.value(scalar);
        self.push(Op::Const { bits: bits & scalar.mask(), result });
        result
    }

    /// An integer literal of any integer type.
    pub fn int(&mut self, scalar: Scalar, number: i64) -> Value {
        assert!(scalar.is_int());
        self.const_(scalar, number as u64)
    }

    /// A `bool` literal.
    pub fn bool(&mut self, truth: bool) -> Value {
        self.const_(Scalar::Bool, truth as u64)
    }

    /// A `usize` literal.
    pub fn u64(&mut self, number: u64) -> Value {
        self.const_(Scalar::U64, number)
    }

    /// An `i32` literal.
    pub fn i32(&mut self, number: i32) -> Value {
        self.const_(Scalar::I32, number as u32 as u64)
    }

    /// An `f32` literal.
    pub fn f32(&mut self, number: f32) -> Value {
        self.const_(Scalar::F32, number.to_bits() as u64)
    }

    /// An `f64` literal.
    pub fn f64(&mut self, number: f64) -> Value {
        self.const_(Scalar::F64, number.to_bits())
    }

    /// The zero of any type.
    pub fn zero(&mut self, scalar: Scalar) -> Value {
        self.const_(scalar, 0)
    }

    /// The next slot for a constant of the user's crate.
    pub fn slot(&mut self, scalar: Scalar) -> Value {
        let slot = self.function.slots;
        self.function.slots += 1;
        self.slot_again(slot, scalar)
    }

    /// Makes room for slots up to `count`, to be read with [`slot_again`](Builder::slot_again).
    pub fn slots(&mut self, count: u32) {
        self.function.slots = self.function.slots.max(count);
    }

    /// A slot that was made before.
    pub fn slot_again(&mut self, slot: u32, scalar: Scalar) -> Value {
        let result = self.value(scalar);
        self.push(Op::Slot { slot, result });
        result
    }

    /// The thread's coordinate.
    pub fn tid(&mut self, dim: u8) -> Value {
        let result = self.value(Scalar::U64);
        self.push(Op::Tid { dim, result });
        result
    }

    /// Length of a dimension of an array parameter.
    pub fn extent(&mut self, array: ArrayId, dim: u8) -> Value {
        let result = self.value(Scalar::U64);
        self.push(Op::Extent { array, dim, result });
        result
    }

    /// Stride of a dimension of an array parameter.
    pub fn stride(&mut self, array: ArrayId, dim: u8) -> Value {
        let result = self.value(Scalar::U64);
        self.push(Op::Stride { array, dim, result });
        result
    }

    /// Length of any memory, in its first dimension.
    pub fn len(&mut self, mem: Mem) -> Value {
        match mem {
            Mem::Array(a) => self.extent(a, 0),
            Mem::Local(l) => self.u64(self.function.locals[l.0 as usize].len as u64),
        }
    }

    /// An element of a constant table.
    pub fn lookup(&mut self, table: u32, index: Value) -> Value {
        let result = self.value(self.function.tables[table as usize].0);
        self.push(Op::Table { table, index, result });
        result
    }
}
