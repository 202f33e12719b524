//! Loads and stores: array parameters, local arrays, constant tables.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self as clif, AliasRegionData, BlockArg, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Type, types,
};
use warp_ir::ir::{ArrayId, LocalArray, LocalId, Mem, Scalar, Storage, Value};
use warp_ir::planted::{self, Bug};

use super::survey::{address_word, written};
use super::{Lowering, TableWords, clif_type};

/// Local arrays up to so many bytes in all lie on the stack.
const STACK_BYTES: usize = 4096;
/// Leaves of a local array start at multiples of this, and are padded to it: fills are vector stores.
pub(super) const LINE: usize = 16;
/// Fills up to so many vector stores are not a loop.
const UNROLLED_FILL: usize = 16;

/// Where the local arrays lie.
#[derive(Default)]
pub(super) struct Locals {
    /// The address of all of them.
    base: Option<clif::Value>,
    /// For each local array, the offset of each leaf's plane.
    planes: Vec<Vec<usize>>,
    /// Bytes in scratch memory; 0 when they lie on the stack.
    pub scratch: usize,
}

/// A scalar in memory.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub scalar: Scalar,
    pub address: clif::Value,
    pub offset: i32,
    pub flags: MemFlagsData,
    /// Whether other machine threads see it.
    pub shared: bool,
}

impl Lowering<'_, '_> {
    /// Writable arrays overlap no other argument of a launch, and arrays that are only read overlap none that is
    /// written, so each array is a region of memory of its own. The exception are gradients of arguments that overlap: all
    /// that an adjoint does there is atomic, so arrays with atomics are one region together. On one machine thread atomics
    /// are plain reads and writes, which would otherwise be taken from the last one to the same array.
    pub(super) fn alias_regions(&mut self) {
        let function = self.function();
        let atomic = written(function, true);
        let mut shared = None;
        for (number, array) in function.arrays.iter().enumerate() {
            let regions = &mut self.builder.func.dfg.alias_regions;
            let data = || AliasRegionData { user_id: number as u32, description: array.name.clone().into() };
            self.regions.push(match atomic[number] {
                true => *shared.get_or_insert_with(|| regions.insert(data())),
                false => regions.insert(data()),
            });
        }
    }

    pub(super) fn place_locals(&mut self) {
        let end;
        (self.locals.planes, end) = local_planes(&self.function().locals, Scalar::size);
        if end == 0 {
            return;
        }
        self.locals.base = Some(if end <= STACK_BYTES {
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, end as u32, LINE.ilog2() as u8);
            let slot = self.builder.create_sized_stack_slot(data);
            self.builder.ins().stack_addr(types::I64, slot, 0)
        } else {
            self.locals.scratch = end;
            self.load_scratch()
        });
    }

    /// Where a leaf of an element lies.
    pub(super) fn place(&mut self, mem: Mem, index: Value, leaf: u16) -> Place {
        match mem {
            Mem::Array(array) => self.array_place(array, index, leaf),
            Mem::Local(local) => self.local_place(local, index, leaf),
        }
    }

    fn array_place(&mut self, array: ArrayId, index: Value, leaf: u16) -> Place {
        let param = &self.function().arrays[array.0 as usize];
        let scalar = param.leaves[leaf as usize];
        let base = self.argument(address_word(&self.function().arrays, &self.words, array, leaf));
        let (size, offset) = match param.storage {
            Storage::Elements => {
                let layout = &self.input.layouts[array.0 as usize];
                (layout.size, layout.offsets[if planted::is(Bug::CpuShiftsOffsets) { 0 } else { leaf as usize }])
            }
            Storage::Planes => (scalar.size(), 0),
        };
        let flags = MemFlagsData::new().with_notrap().with_alias_region(Some(self.regions[array.0 as usize]));
        self.element(base, index, size, Place { scalar, address: base, offset: offset as i32, flags, shared: true })
    }

    fn local_place(&mut self, local: LocalId, index: Value, leaf: u16) -> Place {
        let scalar = self.local_scalar(local, leaf);
        let (base, offset) = self.local_plane(local, leaf);
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        let place = Place { scalar, address: base, offset: offset as i32, flags, shared: false };
        self.element(base, index, scalar.size(), place)
    }

    fn element(&mut self, base: clif::Value, index: Value, size: usize, place: Place) -> Place {
        let index = self.get(index);
        let distance = self.builder.ins().imul_imm_s(index, size as i64);
        Place { address: self.builder.ins().iadd(base, distance), ..place }
    }

    pub(super) fn local_scalar(&self, local: LocalId, leaf: u16) -> Scalar {
        self.function().locals[local.0 as usize].leaves[leaf as usize]
    }

    fn local_plane(&self, local: LocalId, leaf: u16) -> (clif::Value, usize) {
        let base = self.locals.base.expect("a kernel with local arrays has placed them");
        (base, self.locals.planes[local.0 as usize][leaf as usize])
    }

    /// A load that `moves` is made where its value is needed.
    pub(super) fn load(&mut self, mem: Mem, index: Value, leaf: u16, moves: bool) -> clif::Value {
        let mut place = self.place(mem, index, leaf);
        if moves {
            place.flags = place.flags.with_readonly().with_can_move();
        }
        self.load_place(place)
    }

    pub(super) fn load_place(&mut self, place: Place) -> clif::Value {
        let ty = clif_type(place.scalar);
        let loaded = self.builder.ins().load(ty, place.flags, place.address, place.offset);
        match place.scalar {
            // Memory may hold any byte; a value is 0 or 1.
            Scalar::Bool => self.builder.ins().icmp_imm_s(IntCC::NotEqual, loaded, 0),
            _ => loaded,
        }
    }

    pub(super) fn store(&mut self, mem: Mem, index: Value, leaf: u16, value: Value) {
        let place = self.place(mem, index, leaf);
        let value = self.get(value);
        self.store_place(place, value);
    }

    pub(super) fn store_place(&mut self, place: Place, value: clif::Value) {
        self.builder.ins().store(place.flags, value, place.address, place.offset);
    }

    /// Writes a leaf of all elements of a local array by vector stores.
    pub(super) fn fill(&mut self, local: LocalId, leaf: u16, value: Value) {
        let array = &self.function().locals[local.0 as usize];
        let scalar = array.leaves[leaf as usize];
        let lines = (array.len as usize * scalar.size()).div_ceil(LINE);
        let lines = if planted::is(Bug::CpuFillsTooLittle) { lines - 1 } else { lines };
        let (base, offset) = self.local_plane(local, leaf);
        let vector = vector_of(clif_type(scalar));
        let value = self.get(value);
        let line = self.builder.ins().splat(vector, value);
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        if lines <= UNROLLED_FILL {
            for number in 0..lines {
                self.builder.ins().store(flags, line, base, (offset + number * LINE) as i32);
            }
            return;
        }
        let first = self.builder.ins().iadd_imm_s(base, offset as i64);
        let end = self.builder.ins().iadd_imm_s(first, (lines * LINE) as i64);
        let [body, done] = std::array::from_fn(|_| self.builder.create_block());
        let at = self.builder.append_block_param(body, types::I64);
        self.builder.ins().jump(body, &[BlockArg::Value(first)]);
        self.builder.switch_to_block(body);
        self.builder.ins().store(flags, line, at, 0);
        let next = self.builder.ins().iadd_imm_s(at, LINE as i64);
        let more = self.builder.ins().icmp(IntCC::UnsignedLessThan, next, end);
        self.builder.ins().brif(more, body, &[BlockArg::Value(next)], done, &[]);
        self.builder.switch_to_block(done);
    }

    /// An element of a constant table. Its address is in the code as a number, since what the code generator lays out may
    /// end up further from the code than a relocation reaches.
    pub(super) fn table(&mut self, table: u32, index: Value, result: Value) {
        let index = self.get(index);
        let is = self.table_element(table, index);
        self.set(result, is);
    }

    pub(super) fn table_element(&mut self, table: u32, index: clif::Value) -> clif::Value {
        let (scalar, bits) = &self.function().tables[table as usize];
        let size = scalar.size();
        let words = self.tables.entry(table).or_insert_with(|| table_words(bits, size));
        let address = words.as_ptr() as i64;
        let base = self.builder.ins().iconst(types::I64, address);
        let flags = MemFlagsData::new().with_notrap().with_aligned().with_readonly();
        let place = Place { scalar: *scalar, address: base, offset: 0, flags, shared: false };
        let distance = self.builder.ins().imul_imm_s(index, size as i64);
        let address = self.builder.ins().iadd(base, distance);
        self.load_place(Place { address, ..place })
    }

    /// The stride of an array that lies packed, in elements.
    pub(super) fn packed_stride(&mut self, array: ArrayId, dim: u8) -> clif::Value {
        let rank = self.function().arrays[array.0 as usize].rank;
        let extents = self.words.arrays[array.0 as usize].extents;
        let mut stride = self.builder.ins().iconst(types::I64, 1);
        for inner in dim + 1..rank {
            let extent = self.argument(extents + inner as usize);
            stride = self.builder.ins().imul(stride, extent);
        }
        stride
    }
}

/// Where the leaves' planes of local arrays start, one behind the other, and where the last one ends. An element of a plane
/// takes `size` bytes.
pub(super) fn local_planes(locals: &[LocalArray], size: impl Fn(Scalar) -> usize) -> (Vec<Vec<usize>>, usize) {
    let mut end = 0;
    let mut place = |local: &LocalArray, leaf: Scalar| {
        let at = end;
        end += (local.len as usize * size(leaf)).next_multiple_of(LINE);
        if planted::is(Bug::CpuSharesLocals) { 0 } else { at }
    };
    let planes = locals.iter().map(|local| local.leaves.iter().map(|leaf| place(local, *leaf)).collect()).collect();
    (planes, end)
}

/// The 128-bit vector of a lane type.
fn vector_of(lane: Type) -> Type {
    lane.by(128 / lane.bits()).expect("128-bit vectors of all scalar types exist")
}

/// The elements of a constant table, side by side in words, so that they are aligned.
fn table_words(bits: &[u64], size: usize) -> TableWords {
    let bytes: Vec<u8> = bits.iter().flat_map(|bits| element_bytes(*bits, size)).collect();
    let word = |part: &[u8]| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        u64::from_ne_bytes(word)
    };
    bytes.chunks(8).map(word).collect()
}

/// The low bytes of an element, in the machine's order.
fn element_bytes(bits: u64, size: usize) -> Vec<u8> {
    if cfg!(target_endian = "big") {
        bits.to_be_bytes()[8 - size..].to_vec()
    } else {
        bits.to_le_bytes()[..size].to_vec()
    }
}
