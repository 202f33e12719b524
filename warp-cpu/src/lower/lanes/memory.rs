//! Loads of array parameters: side by side, through shuffles where elements have several leaves, and lane by lane.

use std::collections::HashMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, Type, types};
use warp_ir::ir::{Access, ArrayId, Mem, Op, Region, Scalar, Storage, Value};

use super::super::clif_type;
use super::super::survey::address_word;
use super::wide::{Wide, vector_type};
use super::{LANES, Lanes, Stop};

/// A leaf of an array in memory, of no element in particular.
#[derive(Clone, Copy)]
pub(super) struct Plane {
    pub array: ArrayId,
    pub scalar: Scalar,
    /// The address of the array.
    pub base: clif::Value,
    /// Bytes from one element to the next.
    pub size: usize,
    /// The leaf within an element.
    pub offset: i32,
    pub flags: MemFlagsData,
}

/// Where a leaf of the elements of a group lies.
pub(super) enum Places {
    /// At one address.
    Same(clif::Value),
    /// From this address on, that of the first lane of the first group, an element after the other.
    Row(clif::Value),
    /// Anywhere.
    Apart([clif::Value; LANES]),
}

/// How many different leaves of the elements at an index are loaded, in all of a kernel.
pub(super) fn leaves_loaded(body: &Region) -> HashMap<(ArrayId, Value), usize> {
    let mut leaves: HashMap<(ArrayId, Value), Vec<u16>> = HashMap::new();
    note_leaves(body, &mut leaves);
    let count = |(at, mut leaves): (_, Vec<u16>)| {
        leaves.sort_unstable();
        leaves.dedup();
        (at, leaves.len())
    };
    leaves.into_iter().map(count).collect()
}

fn note_leaves(region: &Region, leaves: &mut HashMap<(ArrayId, Value), Vec<u16>>) {
    for op in &region.ops {
        if let Op::Load { mem: Mem::Array(array), index, leaf, .. } = op {
            leaves.entry((*array, *index)).or_default().push(*leaf);
        }
        op.shape().regions.into_iter().for_each(|region| note_leaves(region, leaves));
    }
}

impl Lanes<'_, '_> {
    pub(super) fn load(&mut self, array: ArrayId, index: Value, leaf: u16, result: Value) -> Result<(), Stop> {
        self.settle();
        self.flush_before_load(array, leaf)?;
        if self.kinds.is_uniform(result) {
            let is = self.one.load(Mem::Array(array), index, leaf, false);
            self.one.set(result, is);
            return Ok(());
        }
        let mut plane = self.plane(array, leaf);
        if self.one.motion.is_free(result) {
            plane.flags = plane.flags.with_readonly().with_can_move();
        }
        self.set_each(result, |lanes| Ok(lanes.load_group(plane, index, leaf)))
    }

    /// A load of one group.
    fn load_group(&mut self, plane: Plane, index: Value, leaf: u16) -> Wide {
        let (array, group) = (plane.array, self.group);
        if let Some(leaves) = self.elements.get(&(array, index, group)) {
            return Wide::Vectors(vec![leaves[self.position(array, leaf)]]);
        }
        let at = self.get(index);
        let at = self.index_of_live(at);
        let places = self.places(plane, &at);
        let wanted = self.loads.get(&(array, index)).copied().unwrap_or(1);
        match places {
            Places::Same(address) => Wide::Same(self.load_scalar(plane, address, plane.offset)),
            Places::Row(first) if self.is_dense(plane) => self.load_row(plane, first),
            Places::Row(_) | Places::Apart(_) if wanted > 1 && self.is_block(array) => {
                let leaves = self.load_elements(plane, &places);
                let is = leaves[self.position(array, leaf)];
                self.elements.insert((array, index, group), leaves);
                Wide::Vectors(vec![is])
            }
            _ => self.load_apart(plane, &places),
        }
    }

    /// A leaf of an array.
    pub(super) fn plane(&mut self, array: ArrayId, leaf: u16) -> Plane {
        let param = &self.one.function().arrays[array.0 as usize];
        let scalar = param.leaves[leaf as usize];
        let base = self.one.argument(address_word(&self.one.function().arrays, &self.one.words, array, leaf));
        let (size, offset) = match param.storage {
            Storage::Elements => {
                let layout = &self.one.input.layouts[array.0 as usize];
                (layout.size, layout.offsets[leaf as usize] as i32)
            }
            Storage::Planes => (scalar.size(), 0),
        };
        let flags = MemFlagsData::new().with_notrap().with_alias_region(Some(self.one.regions[array.0 as usize]));
        Plane { array, scalar, base, size, offset, flags }
    }

    /// Where the elements of an index start.
    pub(super) fn places(&mut self, plane: Plane, index: &Wide) -> Places {
        match index {
            Wide::Same(index) => Places::Same(self.address(plane, *index)),
            Wide::Linear { first, stride: 1 } => Places::Row(self.address(plane, *first)),
            _ => Places::Apart(self.scalars(Scalar::U64, index).map(|index| self.address(plane, index))),
        }
    }

    /// An index that is 0 for threads that are not here. There is an element 0: that of a thread which is here exists.
    pub(super) fn index_of_live(&mut self, index: Wide) -> Wide {
        let Some(live) = self.live() else { return index };
        match &index {
            Wide::Same(_) => index,
            Wide::Extended { from, signed } => {
                let from = self.vectors(if *signed { Scalar::I32 } else { Scalar::U32 }, from)[0];
                let from = self.one.builder.ins().band(from, live);
                Wide::Extended { from: Box::new(Wide::Vectors(vec![from])), signed: *signed }
            }
            _ => {
                let lanes = self.scalars(Scalar::U64, &index);
                Wide::Scalars(std::array::from_fn(|lane| {
                    let here = self.one.builder.ins().extractlane(live, lane as u8);
                    let here = self.one.builder.ins().sextend(types::I64, here);
                    self.one.builder.ins().band(lanes[lane], here)
                }))
            }
        }
    }

    fn address(&mut self, plane: Plane, index: clif::Value) -> clif::Value {
        let distance = self.one.builder.ins().imul_imm_s(index, plane.size as i64);
        self.one.builder.ins().iadd(plane.base, distance)
    }

    /// Where one element starts, as an address and an offset.
    pub(super) fn place_of(&self, plane: Plane, places: &Places, lane: usize) -> (clif::Value, i32) {
        match places {
            Places::Same(address) => (*address, 0),
            Places::Row(first) => (*first, self.start_of_row(plane) + (lane * plane.size) as i32),
            Places::Apart(addresses) => (addresses[lane], 0),
        }
    }

    /// How far behind the elements of the first group those of this one lie, where all lie in a row.
    pub(super) fn start_of_row(&self, plane: Plane) -> i32 {
        (self.group * LANES * plane.size) as i32
    }

    /// Whether a leaf of elements in a row fills vectors.
    pub(super) fn is_dense(&self, plane: Plane) -> bool {
        plane.size == plane.scalar.size() && plane.size >= 4
    }

    /// Whether elements consist of two to four leaves of 32 bits and nothing else.
    pub(super) fn is_block(&self, array: ArrayId) -> bool {
        let param = &self.one.function().arrays[array.0 as usize];
        let leaves = param.leaves.len();
        param.storage == Storage::Elements
            && (2..=LANES).contains(&leaves)
            && param.leaves.iter().all(|leaf| leaf.size() == 4 && vector_type(*leaf).is_some())
            && self.one.input.layouts[array.0 as usize].size == 4 * leaves
    }

    /// Which of the words of a block a leaf is.
    pub(super) fn position(&self, array: ArrayId, leaf: u16) -> usize {
        self.one.input.layouts[array.0 as usize].offsets[leaf as usize] / 4
    }

    /// A leaf of elements that lie side by side, and have no other.
    fn load_row(&mut self, plane: Plane, first: clif::Value) -> Wide {
        let vector = vector_type(plane.scalar).expect("of 32 or 64 bits");
        let offset = plane.offset + self.start_of_row(plane);
        let load = |lanes: &mut Self, k: usize| {
            let offset = offset + 16 * k as i32;
            lanes.one.builder.ins().load(vector, plane.flags, first, offset)
        };
        let is_read = self.one.function().arrays[plane.array.0 as usize].access == Access::Read;
        if is_read && vector == types::I32X4 {
            return Wide::Stored { vector: load(self, 0), address: first, offset, flags: plane.flags };
        }
        if vector == types::I64X2 {
            // These are mostly indices, which are wanted one by one.
            return Wide::Scalars(std::array::from_fn(|k| self.load_scalar(plane, first, offset + 8 * k as i32)));
        }
        Wide::Vectors((0..plane.size / 4).map(|k| load(self, k)).collect())
    }

    /// All leaves of elements that consist of words.
    fn load_elements(&mut self, plane: Plane, places: &Places) -> Vec<clif::Value> {
        let param = &self.one.function().arrays[plane.array.0 as usize];
        let leaves = param.leaves.len();
        if let Places::Row(first) = places {
            let start = self.start_of_row(plane);
            let block: Vec<clif::Value> = (0..leaves)
                .map(|k| self.one.builder.ins().load(types::F32X4, plane.flags, *first, start + 16 * k as i32))
                .collect();
            let words = self.leaves_of_block(&block);
            return self.typed(plane.array, words);
        }
        let rows = std::array::from_fn(|lane| {
            let (address, offset) = self.place_of(plane, places, lane);
            match leaves {
                2 => {
                    let pair = self.one.builder.ins().load(types::F64, plane.flags, address, offset);
                    let pair = self.one.builder.ins().scalar_to_vector(types::F64X2, pair);
                    self.bits_as(types::F32X4, pair)
                }
                // The last element of an array has 16 readable bytes behind its start: memory goes on behind its end.
                _ => self.one.builder.ins().load(types::F32X4, plane.flags, address, offset),
            }
        });
        let words = self.leaves_of_rows(&rows, leaves);
        self.typed(plane.array, words)
    }

    /// A vector for each word of the elements, in the types of the leaves.
    fn typed(&mut self, array: ArrayId, words: Vec<clif::Value>) -> Vec<clif::Value> {
        let param = &self.one.function().arrays[array.0 as usize];
        let mut types: Vec<Type> = vec![types::F32X4; words.len()];
        for (leaf, scalar) in param.leaves.iter().enumerate() {
            types[self.position(array, leaf as u16)] = vector_type(*scalar).expect("of 32 bits");
        }
        words.into_iter().zip(types).map(|(word, ty)| self.bits_as(ty, word)).collect()
    }

    /// Lane by lane.
    fn load_apart(&mut self, plane: Plane, places: &Places) -> Wide {
        let lanes = std::array::from_fn(|lane| {
            let (address, offset) = self.place_of(plane, places, lane);
            self.load_scalar(plane, address, offset + plane.offset)
        });
        match vector_type(plane.scalar) {
            Some(vector) if plane.scalar.is_float() || plane.scalar.size() == 4 => {
                let each = LANES / (plane.scalar.size() / 4);
                Wide::Vectors(lanes.chunks(each).map(|lanes| self.side_by_side(vector, lanes)).collect())
            }
            _ => Wide::Scalars(lanes),
        }
    }

    pub(super) fn load_scalar(&mut self, plane: Plane, address: clif::Value, offset: i32) -> clif::Value {
        let loaded = self.one.builder.ins().load(clif_type(plane.scalar), plane.flags, address, offset);
        match plane.scalar {
            // Memory may hold any byte; a value is 0 or 1.
            Scalar::Bool => self.one.builder.ins().icmp_imm_s(IntCC::NotEqual, loaded, 0),
            _ => loaded,
        }
    }
}
