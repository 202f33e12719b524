//! Arrays of threads' own. The elements of a group's threads at one index lie side by side, so that where all of them use
//! one index an access is one of a vector. Nobody else sees them: a bundle may change them and give up all the same, as
//! its threads then start anew.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self as clif, BlockArg, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Type, types,
};
use warp_ir::ir::{LocalArray, LocalId, Scalar, Value};
use warp_ir::planted::{self, Bug};

use super::super::memory::{LINE, local_planes};
use super::wide::{Wide, canonical_types};
use super::{LANES, Lanes, Stop, refused};

/// Bytes on the stack for the arrays of all threads of a bundle, at most.
const MOST_BYTES: usize = 16 * 1024;
/// A fill of up to so many elements is no loop.
const UNROLLED_FILL: usize = 16;

/// Where the arrays of a bundle's threads lie.
#[derive(Default)]
pub(super) struct Own {
    base: Option<clif::Value>,
    /// For each array, the offset of each leaf's plane.
    planes: Vec<Vec<usize>>,
    /// Bytes of a group.
    of_group: usize,
}

/// Where the elements of a group's threads are.
enum Spot {
    /// Side by side from this address on.
    Together(clif::Value),
    /// Each at an address of its own.
    Apart([clif::Value; LANES]),
}

/// Groups whose arrays find room on the stack: none where those of one group are too large.
pub(super) fn fitting_groups(locals: &[LocalArray]) -> usize {
    let (_, of_group) = local_planes(locals, |leaf| LANES * stored_size(leaf));
    MOST_BYTES.checked_div(of_group).unwrap_or(usize::MAX)
}

impl Lanes<'_, '_> {
    /// Makes room for the arrays of a bundle's threads.
    pub(super) fn place_own(&mut self) -> Result<(), Stop> {
        let (planes, end) = local_planes(&self.one.function().locals, |leaf| LANES * stored_size(leaf));
        let bytes = end * self.groups;
        if bytes > MOST_BYTES {
            return refused("threads have large arrays of their own");
        }
        if bytes > 0 {
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes as u32, LINE.ilog2() as u8);
            let slot = self.one.builder.create_sized_stack_slot(data);
            let base = self.one.builder.ins().stack_addr(types::I64, slot, 0);
            self.own = Own { base: Some(base), planes, of_group: end };
        }
        Ok(())
    }

    pub(super) fn load_own(&mut self, local: LocalId, index: Value, leaf: u16, result: Value) -> Result<(), Stop> {
        // Indices are in range by the checks so far.
        self.settle();
        let scalar = self.one.local_scalar(local, leaf);
        self.set_each(result, |lanes| {
            let (spot, offset) = lanes.spot(local, index, leaf);
            let parts = lanes.read_own(&spot, offset, scalar);
            Ok(lanes.of_canonical(&parts))
        })
    }

    pub(super) fn store_own(&mut self, local: LocalId, index: Value, leaf: u16, value: Value) -> Result<(), Stop> {
        self.settle();
        let scalar = self.one.local_scalar(local, leaf);
        self.each(|lanes| {
            let (spot, offset) = lanes.spot(local, index, leaf);
            let value = lanes.get(value);
            lanes.write_own(&spot, offset, scalar, &value)
        })?;
        Ok(())
    }

    /// Writes a leaf of all elements.
    pub(super) fn fill_own(&mut self, local: LocalId, leaf: u16, value: Value) -> Result<(), Stop> {
        let array = &self.one.function().locals[local.0 as usize];
        let (scalar, length) = (array.leaves[leaf as usize], array.len as usize);
        let step = LANES * stored_size(scalar);
        let base = self.own.base.expect("arrays have been placed");
        if length <= UNROLLED_FILL {
            self.each(|lanes| {
                let (offset, value) = (lanes.offset_of_own(local, leaf), lanes.get(value));
                let mut elements = 0..length as i32;
                elements
                    .try_for_each(|k| lanes.write_own(&Spot::Together(base), offset + k * step as i32, scalar, &value))
            })?;
            return Ok(());
        }
        let [body, done] = std::array::from_fn(|_| self.one.builder.create_block());
        let at = self.one.builder.append_block_param(body, types::I64);
        let end = self.one.builder.ins().iadd_imm_s(base, (length * step) as i64);
        self.one.builder.ins().jump(body, &[BlockArg::Value(base)]);
        self.one.builder.switch_to_block(body);
        self.each(|lanes| {
            let (offset, value) = (lanes.offset_of_own(local, leaf), lanes.get(value));
            lanes.write_own(&Spot::Together(at), offset, scalar, &value)
        })?;
        let next = self.one.builder.ins().iadd_imm_s(at, step as i64);
        let more = self.one.builder.ins().icmp(IntCC::UnsignedLessThan, next, end);
        self.one.builder.ins().brif(more, body, &[BlockArg::Value(next)], done, &[]);
        self.one.builder.switch_to_block(done);
        Ok(())
    }

    /// How far from the start the plane of a leaf lies, for this group.
    fn offset_of_own(&self, local: LocalId, leaf: u16) -> i32 {
        let group = if planted::is(Bug::CpuGroupsShareOwn) { 0 } else { self.group };
        (group * self.own.of_group + self.own.planes[local.0 as usize][leaf as usize]) as i32
    }

    /// Where the elements at an index lie. Threads that are not here have element 0.
    fn spot(&mut self, local: LocalId, index: Value, leaf: u16) -> (Spot, i32) {
        let scalar = self.one.local_scalar(local, leaf);
        let base = self.own.base.expect("arrays have been placed");
        let step = (LANES * stored_size(scalar)) as i64;
        let address = |lanes: &mut Self, index: clif::Value| {
            let distance = lanes.one.builder.ins().imul_imm_s(index, step);
            lanes.one.builder.ins().iadd(base, distance)
        };
        let index = self.get(index);
        let spot = match self.index_of_live(index) {
            Wide::Same(index) => Spot::Together(address(self, index)),
            index => Spot::Apart(self.scalars(Scalar::U64, &index).map(|index| address(self, index))),
        };
        (spot, self.offset_of_own(local, leaf))
    }

    /// The elements of a group as they are stored: vectors, or one for each lane.
    fn read_own(&mut self, spot: &Spot, offset: i32, scalar: Scalar) -> Vec<clif::Value> {
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        let (parts, lane_type) = (canonical_types(scalar), stored_lane(scalar));
        match spot {
            Spot::Together(address) => {
                let part = |(k, ty): (usize, Type)| {
                    self.one.builder.ins().load(ty, flags, *address, offset + (k * ty.bytes() as usize) as i32)
                };
                parts.into_iter().enumerate().map(part).collect()
            }
            Spot::Apart(addresses) => {
                let lanes = std::array::from_fn::<_, LANES, _>(|lane| {
                    let offset = offset + (lane * stored_size(scalar)) as i32;
                    self.one.builder.ins().load(lane_type, flags, addresses[lane], offset)
                });
                if parts.len() == LANES {
                    return lanes.to_vec();
                }
                lanes.chunks(LANES / parts.len()).map(|lanes| self.side_by_side(parts[0], lanes)).collect()
            }
        }
    }

    /// Writes the elements of the threads that are here.
    fn write_own(&mut self, spot: &Spot, offset: i32, scalar: Scalar, value: &Wide) -> Result<(), Stop> {
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        let parts = canonical_types(scalar);
        let mut value = self.canonical(scalar, value);
        if let Some(live) = self.live().filter(|_| !planted::is(Bug::CpuGroupsStoreForAll)) {
            let old = self.read_own(spot, offset, scalar);
            let [new, old] = [value, old].map(|parts| self.of_canonical(&parts));
            let chosen = self.select(&Wide::Vectors(vec![live]), &new, &old, scalar)?;
            value = self.canonical(scalar, &chosen);
        }
        match spot {
            Spot::Together(address) => {
                for (k, (part, ty)) in value.into_iter().zip(parts).enumerate() {
                    self.one.builder.ins().store(flags, part, *address, offset + (k * ty.bytes() as usize) as i32);
                }
            }
            Spot::Apart(addresses) => {
                let each = LANES / parts.len();
                for lane in 0..LANES {
                    let part = value[lane / each];
                    let part = match each {
                        1 => part,
                        _ => self.one.builder.ins().extractlane(part, (lane % each) as u8),
                    };
                    let offset = offset + (lane * stored_size(scalar)) as i32;
                    self.one.builder.ins().store(flags, part, addresses[lane], offset);
                }
            }
        }
        Ok(())
    }
}

/// The type of one lane, as in registers: truths are masks.
fn stored_lane(scalar: Scalar) -> Type {
    canonical_types(scalar)[0].lane_type()
}

/// Bytes of one lane.
fn stored_size(scalar: Scalar) -> usize {
    stored_lane(scalar).bytes() as usize
}
