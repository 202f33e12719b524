//! The frame: arguments are loaded once, then a loop walks the bundles of `lo..hi`, row by row where the launch has more
//! than one dimension.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, types};

use super::wide::Wide;
use super::{Lanes, Stop, refused};

impl Lanes<'_, '_> {
    /// Makes the whole function.
    pub(super) fn thread_loop(&mut self) -> Result<(), Stop> {
        if self.refills && !self.one.function().locals.is_empty() {
            return refused("threads have arrays of their own, which lanes would have to change with them");
        }
        let entry = self.one.builder.create_block();
        self.one.builder.append_block_params_for_function_params(entry);
        self.one.builder.switch_to_block(entry);
        let [words, lo, hi, context] = *self.one.builder.block_params(entry) else {
            unreachable!("the signature has four parameters");
        };
        self.one.context = Some(context);
        self.one.make_truths();
        self.one.load_arguments(words);
        self.place_own()?;
        self.note_extents();
        self.one.alias_regions();
        self.one.motion.before.push(entry);
        match self.one.input.kernel.rank {
            0 | 1 => {
                let done = self.one.builder.create_block();
                let next = self.one.builder.append_block_param(done, types::I64);
                self.walk_row(vec![], lo, hi, done)?;
                self.one.builder.switch_to_block(done);
                self.one.builder.ins().return_(&[next]);
            }
            rank => self.walk_grid(rank as usize, lo, hi)?,
        }
        Ok(())
    }

    fn note_extents(&mut self) {
        for (array, words) in self.one.function().arrays.iter().zip(&self.one.words.arrays) {
            let extents = &self.one.arguments[words.extents..][..array.rank as usize];
            self.extents.extend(extents.iter().flatten());
        }
    }

    fn walk_grid(&mut self, rank: usize, lo: clif::Value, hi: clif::Value) -> Result<(), Stop> {
        self.one.load_dims(rank);
        let coordinates = self.one.coordinates_of(lo);
        let left = self.one.builder.ins().isub(hi, lo);
        let row = self.one.builder.create_block();
        for _ in 0..=rank {
            self.one.builder.append_block_param(row, types::I64);
        }
        let args: Vec<BlockArg> = coordinates.iter().copied().chain([left]).map(BlockArg::Value).collect();
        self.one.builder.ins().jump(row, &args);

        self.one.motion.before.push(row);
        self.one.builder.switch_to_block(row);
        let params = self.one.builder.block_params(row).to_vec();
        let (outer, first, left) = (params[..rank - 1].to_vec(), params[rank - 1], params[rank]);
        let room = self.one.builder.ins().isub(self.one.dims[rank - 1], first);
        let take = self.one.builder.ins().umin(left, room);
        let end = self.one.builder.ins().iadd(first, take);
        let row_done = self.one.builder.create_block();
        let next = self.one.builder.append_block_param(row_done, types::I64);
        self.walk_row(outer.clone(), first, end, row_done)?;

        self.one.builder.switch_to_block(row_done);
        let [whole, rest, below, done] = std::array::from_fn(|_| self.one.builder.create_block());
        let is_whole = self.one.builder.ins().icmp(IntCC::Equal, next, end);
        self.one.builder.ins().brif(is_whole, whole, &[], rest, &[]);

        self.one.builder.switch_to_block(rest);
        self.one.tids = outer.iter().copied().chain([next]).collect();
        let number = self.one.thread_number();
        self.one.builder.ins().return_(&[number]);

        self.one.builder.switch_to_block(whole);
        let left = self.one.builder.ins().isub(left, take);
        let more = self.one.builder.ins().icmp_imm_s(IntCC::NotEqual, left, 0);
        self.one.builder.ins().brif(more, below, &[], done, &[]);
        self.one.builder.switch_to_block(below);
        let args: Vec<BlockArg> = self.one.next_row(&outer).into_iter().chain([left]).map(BlockArg::Value).collect();
        self.one.builder.ins().jump(row, &args);

        self.one.builder.switch_to_block(done);
        self.one.builder.ins().return_(&[hi]);
        Ok(())
    }

    /// The innermost loop; goes to `done` with the first coordinate that does not start a whole bundle.
    fn walk_row(
        &mut self,
        outer: Vec<clif::Value>,
        first: clif::Value,
        end: clif::Value,
        done: clif::Block,
    ) -> Result<(), Stop> {
        if self.refills {
            return self.walk_row_in_blocks(&outer, first, end, done);
        }
        let [body, give_up] = std::array::from_fn(|_| self.one.builder.create_block());
        let at = self.one.builder.append_block_param(body, types::I64);
        self.one.builder.set_cold_block(give_up);
        self.one_more(first, end, body, done);

        self.one.builder.switch_to_block(body);
        self.one.tids = outer.into_iter().chain([at]).collect();
        self.give_up = Some(give_up);
        let function = self.one.function();
        self.ops(&function.body.ops)?;
        self.flush(0)?;
        self.settle();
        let threads = self.threads() as i64;
        let next = self.one.builder.ins().iadd_imm_s(at, threads);
        self.one_more(next, end, body, done);

        self.one.builder.switch_to_block(give_up);
        let number = self.one.thread_number();
        self.one.builder.ins().return_(&[number]);
        Ok(())
    }

    /// Goes on with a bundle at `next` if there is a whole one before `end`.
    pub(super) fn one_more(&mut self, next: clif::Value, end: clif::Value, body: clif::Block, done: clif::Block) {
        let left = self.one.builder.ins().isub(end, next);
        let threads = self.threads() as i64;
        let more = self.one.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, left, threads);
        let next = [BlockArg::Value(next)];
        self.one.builder.ins().brif(more, body, &next, done, &next);
    }

    /// The coordinate in a dimension of the launch.
    pub(super) fn tid(&self, dim: u8) -> Wide {
        let is = self.one.tids[dim as usize];
        if dim as usize + 1 == self.one.tids.len() { Wide::Linear { first: is, stride: 1 } } else { Wide::Same(is) }
    }
}
