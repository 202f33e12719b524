//! The frame of a compiled kernel: arguments are loaded once, then a loop nest walks the threads `lo..hi`, last
//! dimension innermost. Coordinates are divided out of `lo` once; after that they only count.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, types};
use warp_core::backend::BackendError;
use warp_ir::ir::Scalar;
use warp_ir::planted::{self, Bug};

use super::survey::word_type;
use super::{Definition, Lowering, clif_type};
use crate::context::{DIMS_OFFSET, SCRATCH_OFFSET};

/// Where the innermost loop stands.
struct Row {
    /// Coordinates of the outer dimensions.
    outer: Vec<clif::Value>,
    /// First coordinate in the last dimension.
    first: clif::Value,
    /// The end of the threads in the last dimension.
    end: clif::Value,
}

impl Lowering<'_, '_> {
    /// Makes the whole function.
    pub(super) fn thread_loop(&mut self) -> Result<(), BackendError> {
        let entry = self.builder.create_block();
        self.builder.append_block_params_for_function_params(entry);
        self.builder.switch_to_block(entry);
        let [words, lo, hi, context] = *self.builder.block_params(entry) else {
            unreachable!("the signature has four parameters");
        };
        self.context = Some(context);
        self.make_truths();
        self.load_arguments(words);
        self.alias_regions();
        self.place_report();
        self.place_locals();
        let done = self.builder.create_block();
        let start = self.builder.create_block();
        let any = self.builder.ins().icmp(IntCC::UnsignedLessThan, lo, hi);
        self.builder.ins().brif(any, start, &[], done, &[]);
        self.builder.switch_to_block(start);
        self.motion.before.extend([entry, start]);
        match self.input.kernel.rank {
            0 | 1 => self.walk_line(lo, hi, done)?,
            rank => self.walk_grid(rank as usize, lo, hi, done)?,
        }
        self.builder.switch_to_block(done);
        self.builder.ins().return_(&[hi]);
        Ok(())
    }

    /// Threads of a kernel of one dimension.
    fn walk_line(&mut self, lo: clif::Value, hi: clif::Value, done: clif::Block) -> Result<(), BackendError> {
        self.walk_row(Row { outer: Vec::new(), first: lo, end: hi }, done)
    }

    /// Threads of a kernel of more dimensions, row by row.
    fn walk_grid(
        &mut self,
        rank: usize,
        lo: clif::Value,
        hi: clif::Value,
        done: clif::Block,
    ) -> Result<(), BackendError> {
        self.load_dims(rank);
        let coordinates = self.coordinates_of(lo);
        let left = self.builder.ins().isub(hi, lo);
        let row = self.builder.create_block();
        for _ in 0..=rank {
            self.builder.append_block_param(row, types::I64);
        }
        let args: Vec<BlockArg> = coordinates.iter().copied().chain([left]).map(BlockArg::Value).collect();
        self.builder.ins().jump(row, &args);

        self.motion.before.push(row);
        self.builder.switch_to_block(row);
        let params = self.builder.block_params(row).to_vec();
        let (outer, first, left) = (params[..rank - 1].to_vec(), params[rank - 1], params[rank]);
        let room = self.builder.ins().isub(self.dims[rank - 1], first);
        let take = self.builder.ins().umin(left, room);
        let end = self.builder.ins().iadd(first, take);
        let row_done = self.builder.create_block();
        self.walk_row(Row { outer: outer.clone(), first, end }, row_done)?;

        self.builder.switch_to_block(row_done);
        let left = self.builder.ins().isub(left, take);
        let next = self.builder.create_block();
        let more = self.builder.ins().icmp_imm_s(IntCC::NotEqual, left, 0);
        self.builder.ins().brif(more, next, &[], done, &[]);
        self.builder.switch_to_block(next);
        let args: Vec<BlockArg> = self.next_row(&outer).into_iter().chain([left]).map(BlockArg::Value).collect();
        self.builder.ins().jump(row, &args);
        Ok(())
    }

    /// The innermost loop; goes to `done` at the end of the row.
    fn walk_row(&mut self, row: Row, done: clif::Block) -> Result<(), BackendError> {
        let body = self.builder.create_block();
        let last = self.builder.append_block_param(body, types::I64);
        self.builder.ins().jump(body, &[BlockArg::Value(row.first)]);
        self.builder.switch_to_block(body);
        self.tids = row.outer;
        self.tids.push(last);
        self.region_ops(&self.function().body.ops)?;
        let next = self.builder.ins().iadd_imm_s(last, 1);
        let more = self.builder.ins().icmp(IntCC::UnsignedLessThan, next, row.end);
        self.builder.ins().brif(more, body, &[BlockArg::Value(next)], done, &[]);
        Ok(())
    }

    /// Coordinates of the first thread of the row after the one at `outer`.
    pub(super) fn next_row(&mut self, outer: &[clif::Value]) -> Vec<clif::Value> {
        let zero = self.builder.ins().iconst(types::I64, 0);
        let mut carry = self.builder.ins().iconst(types::I64, 1);
        let mut next = vec![zero; outer.len() + 1];
        for dim in (0..outer.len()).rev() {
            let raised = self.builder.ins().iadd(outer[dim], carry);
            let wraps = self.builder.ins().icmp(IntCC::Equal, raised, self.dims[dim]);
            next[dim] = self.builder.ins().select(wraps, zero, raised);
            carry = self.builder.ins().uextend(types::I64, wraps);
        }
        next
    }

    /// Coordinates of a thread number.
    pub(super) fn coordinates_of(&mut self, thread: clif::Value) -> Vec<clif::Value> {
        let mut rest = thread;
        let mut coordinates = vec![thread; self.dims.len()];
        for dim in (1..self.dims.len()).rev() {
            let extent = self.dims[dim];
            coordinates[dim] = self.builder.ins().urem(rest, extent);
            rest = self.builder.ins().udiv(rest, extent);
        }
        coordinates[0] = rest;
        coordinates
    }

    /// The row-major number of the current thread.
    pub(super) fn thread_number(&mut self) -> clif::Value {
        let mut number = self.tids[0];
        let counted = if planted::is(Bug::CpuMisnumbersThreads) { 1 } else { self.tids.len() };
        for dim in 1..counted {
            let scaled = self.builder.ins().imul(number, self.dims[dim]);
            number = self.builder.ins().iadd(scaled, self.tids[dim]);
        }
        number
    }

    /// Loads the argument words that the kernel reads. The loads carry no permission to move: moved into the loop, they
    /// would be repeated for each thread.
    pub(super) fn load_arguments(&mut self, words: clif::Value) {
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        for word in 0..self.words.total {
            let used = self.survey.words[word];
            let scalar = word_type(self.input, &self.words, word);
            let shift = if cfg!(target_endian = "big") { 8 - scalar.size() } else { 0 };
            let offset = (word * 8 + shift) as i32;
            let loaded = used.then(|| self.builder.ins().load(clif_type(scalar), flags, words, offset));
            self.arguments.push(loaded);
        }
        for (number, param) in self.function().params.iter().enumerate() {
            if let Some(value) = self.arguments[self.words.scalars + number] {
                // Range facts rely on a truth being 0 or 1; a host type that is only called `bool` may hold any byte.
                let value = match self.scalar(param.value) {
                    Scalar::Bool => self.builder.ins().icmp_imm_s(IntCC::NotEqual, value, 0),
                    _ => value,
                };
                self.set(param.value, value);
            }
        }
    }

    pub(super) fn make_truths(&mut self) {
        for bits in [0, 1] {
            let is = self.builder.ins().iconst(types::I8, bits);
            self.definitions.insert(is, Definition::Constant(bits as u64));
            self.truths[bits as usize] = Some(is);
        }
    }

    pub(super) fn load_dims(&mut self, rank: usize) {
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        let context = self.context();
        self.dims = (0..rank)
            .map(|dim| self.builder.ins().load(types::I64, flags, context, DIMS_OFFSET + 8 * dim as i32))
            .collect();
    }

    /// The address of this machine thread's scratch memory.
    pub(super) fn load_scratch(&mut self) -> clif::Value {
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        let context = self.context();
        self.builder.ins().load(types::I64, flags, context, SCRATCH_OFFSET)
    }

    pub(super) fn context(&self) -> clif::Value {
        self.context.expect("set on entry")
    }

    fn place_report(&mut self) {
        if self.survey.report > 0 {
            let bytes = self.survey.report as u32 * 8;
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
            self.report = Some(self.builder.create_sized_stack_slot(data));
        }
    }
}
