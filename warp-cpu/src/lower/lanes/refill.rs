//! Lanes that are filled again: where a thread has left the kernel's loop, its lane goes on with another thread.
//!
//! Under a mask (`repeat.rs`) a bundle takes as many turns as its slowest thread, and most lanes have nothing to do. Where
//! threads differ much it is better to run the threads of a row in blocks of a few hundred, in three parts. First all
//! threads of a block run up to the loop, and lay down what it needs of them. Then lanes take turns of it; at the head of a
//! turn those whose thread leaves lay down its results and take up the next thread (`take_up.rs`). Last, all threads of the block
//! run what follows, in order. So all writes come in the order in which they would come under a mask.
//!
//! A bundle that gives up in the first two parts takes its block with it, which has written nothing by then.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, StackSlotData, StackSlotKind, types};
use warp_ir::ir::{Scalar, Value};
use warp_ir::planted::{self, Bug};

use super::leaving::{self, Break};
use super::parts::Parts;
use super::shelf::{Hand, LONGEST_BLOCK};
use super::wide::{Wide, canonical_types};
use super::{LANES, Lanes, Masks, Stop, refused};

/// Bytes of a block's shelves, so that they stay in the nearest cache.
const BLOCK_BYTES: usize = 16 << 10;
/// Bundles of a block, at least. At its end lanes run empty, as no thread is left for them.
const FEWEST_BUNDLES: usize = 16;

/// What lanes carry from turn to turn.
pub(super) struct State {
    /// The values that the loop carries with their types, in each group.
    pub values: Vec<(Scalar, Vec<Wide>)>,
    /// The lanes whose thread has not left the loop in the last turn.
    pub staying: Masks,
    /// The first thread of the block that no lane has had.
    pub next: clif::Value,
}

/// A block of threads.
pub(super) struct Block {
    /// Its first thread, in the last dimension.
    pub start: clif::Value,
    /// How many there are.
    pub count: clif::Value,
    /// Where its shelves are, and what lanes have in hand.
    pub base: clif::Value,
    /// What lanes have in hand.
    pub hand: Hand,
}

impl Lanes<'_, '_> {
    /// The innermost loop, as `walk_row` in `frame.rs`.
    pub(super) fn walk_row_in_blocks(
        &mut self,
        outer: &[clif::Value],
        first: clif::Value,
        end: clif::Value,
        done: clif::Block,
    ) -> Result<(), Stop> {
        let kernel = self.one.input.kernel;
        let mut parts = Parts::of(&kernel.function, &self.kinds, &self.one.survey.uses)?;
        let length = self.block_length(&parts)?;
        parts.shelves.lay_out(length);
        let outside = parts.outside.iter().map(|value| kernel.function.scalar(*value));
        let hand = Hand::of(&parts.shelves, outside, self.groups);
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, hand.end() as u32, 4);
        let slot = self.one.builder.create_sized_stack_slot(data);
        let [block, finished, lost, lost_behind] = std::array::from_fn(|_| self.one.builder.create_block());
        let start = self.one.builder.append_block_param(block, types::I64);
        self.one_more(first, end, block, done);

        self.one.builder.switch_to_block(block);
        self.one.motion.before.push(block);
        let base = self.one.builder.ins().stack_addr(types::I64, slot, 0);
        let left = self.one.builder.ins().isub(end, start);
        let most = self.one.builder.ins().iconst(types::I64, length as i64);
        let take = self.one.builder.ins().umin(left, most);
        let stop = self.one.builder.ins().iadd(start, take);
        self.give_up = Some(lost);
        let filled = self.fill(&parts, outer, (start, stop), base)?;
        let count = self.one.builder.ins().isub(filled.end, start);
        let block_of_threads = Block { start, count, base, hand };
        let kinds = self.kinds.clone();
        [parts.cond, parts.body].into_iter().for_each(|region| self.kinds.let_vary(region));
        self.drain(&parts, &block_of_threads)?;
        self.kinds = kinds;
        self.give_up = Some(lost_behind);
        let at = self.finish(&parts, outer, &block_of_threads, &filled, finished)?;

        self.one.builder.switch_to_block(finished);
        let next = self.one.builder.append_block_param(finished, types::I64);
        self.one_more(next, end, block, done);
        for (lost, at) in [(lost, start), (lost_behind, at)] {
            self.one.builder.set_cold_block(lost);
            self.one.builder.switch_to_block(lost);
            self.one.tids = outer.iter().copied().chain([at]).collect();
            let number = self.one.thread_number();
            self.one.builder.ins().return_(&[number]);
        }
        Ok(())
    }

    /// Threads of a block: a multiple of those of a bundle.
    fn block_length(&self, parts: &Parts<'_>) -> Result<usize, Stop> {
        let threads = (BLOCK_BYTES / parts.shelves.bytes_of_thread.max(1)).min(LONGEST_BLOCK);
        let bundles = threads / self.threads();
        if bundles < FEWEST_BUNDLES {
            return refused("its loop reads so much that blocks of threads would be short");
        }
        Ok(bundles * self.threads())
    }

    /// Runs all threads of a block up to the loop.
    fn fill(
        &mut self,
        parts: &Parts<'_>,
        outer: &[clif::Value],
        (start, stop): (clif::Value, clif::Value),
        base: clif::Value,
    ) -> Result<Filled, Stop> {
        let [fill, filled] = std::array::from_fn(|_| self.one.builder.create_block());
        let at = self.one.builder.append_block_param(fill, types::I64);
        self.one.builder.ins().jump(fill, &[BlockArg::Value(start)]);
        self.one.builder.switch_to_block(fill);
        self.one.tids = outer.iter().copied().chain([at]).collect();
        self.ops(parts.before)?;
        self.settle();
        let slot = self.one.builder.ins().isub(at, start);
        for (value, shelf) in &parts.shelves.inputs {
            for (group, wide) in self.get_each(*value).into_iter().enumerate() {
                self.group = group;
                self.lay_down_row(*shelf, base, slot, &wide);
            }
            self.group = 0;
        }
        let threads = self.threads() as i64;
        let next = self.one.builder.ins().iadd_imm_s(at, threads);
        let mut handed = vec![next];
        handed.extend(parts.shared.iter().map(|value| self.one.get(*value)));
        for (value, stride) in &parts.rows {
            // Where the row of the block's first thread starts.
            let first = self.scalars(Scalar::U64, &self.get(*value))[0];
            let distance = self.one.builder.ins().imul_imm_s(slot, *stride);
            handed.push(self.one.builder.ins().isub(first, distance));
        }
        for value in &handed {
            let ty = self.one.value_type(*value);
            self.one.builder.append_block_param(filled, ty);
        }
        let handed: Vec<BlockArg> = handed.into_iter().map(BlockArg::Value).collect();
        let left = self.one.builder.ins().isub(stop, next);
        let more = self.one.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, left, threads);
        self.one.builder.ins().brif(more, fill, &[BlockArg::Value(next)], filled, &handed);

        self.one.builder.switch_to_block(filled);
        self.forget();
        let params = self.one.builder.block_params(filled).to_vec();
        let (shared, rows) = params[1..].split_at(parts.shared.len());
        parts.shared.iter().zip(shared).for_each(|(value, is)| self.one.set(*value, *is));
        parts.again.iter().try_for_each(|op| self.one.op(op))?;
        Ok(Filled { end: params[0], rows: rows.to_vec() })
    }

    /// A load that the code generator moves to where this stands has left its loop.
    fn stand_before_a_loop(&mut self) {
        let block = self.one.builder.current_block().expect("code is being written");
        self.one.motion.before.push(block);
    }

    /// Forgets what is known of values that were computed in another part.
    fn forget(&mut self) {
        self.values.iter_mut().for_each(|values| values.fill(None));
        self.elements.clear();
        self.negatives.clear();
    }

    /// Turns of the loop, until all threads of a block have left it.
    fn drain(&mut self, parts: &Parts<'_>, block: &Block) -> Result<(), Stop> {
        self.apart = true;
        let this = leaving::Loop { cond: parts.cond, body: parts.body, inits: parts.inits, needed: parts.needed() };
        let by_break = this.by_break(&self.one.survey.uses, &self.constants);
        let flag = by_break.as_ref().and_then(|by_break| by_break.flag);
        let carried: Vec<usize> = (0..parts.inits.len()).filter(|k| Some(*k) != flag).collect();
        let first = self.first_threads(parts, &carried, block)?;
        let scalars: Vec<Scalar> = first.values.iter().map(|(scalar, _)| *scalar).collect();
        let [head, turn, change, drained] = std::array::from_fn(|_| self.one.builder.create_block());
        let args = self.handed_on(&first);
        self.stand_before_a_loop();
        self.one.builder.ins().jump(head, &args);

        self.one.builder.switch_to_block(head);
        let state = self.taken_over(head, &scalars);
        for (k, (_, each)) in carried.iter().zip(&state.values) {
            self.set_groups(parts.cond.params[*k], each);
        }
        let live = self.look_in_hand(parts, block)?;
        let lowered = self.one.truth(false);
        if let Some(flag) = flag {
            self.set(parts.cond.params[flag], Wide::Same(lowered));
            self.set(parts.body.params[flag], Wide::Same(lowered));
        }
        self.live = Some(state.staying.clone());
        self.ops(&parts.cond.ops)?;
        self.settle();
        let goes_on = self.masks(parts.cond.yields[0]);
        let leaving: Masks = (0..self.groups)
            .map(|group| {
                let still = self.one.builder.ins().band(state.staying[group], goes_on[group]);
                self.one.builder.ins().band_not(live[group], still)
            })
            .collect();
        let none = self.none_in(leaving.clone());
        self.one.unless(none, (turn, &[]), (change, &[]));

        self.one.builder.switch_to_block(turn);
        for k in &carried {
            self.hand_on(&[parts.cond.params[*k]], &[parts.body.params[*k]]);
        }
        let live = self.look_in_hand(parts, block)?;
        let after = self.turn(parts, &this, by_break.as_ref(), &carried, (live, state.next))?;
        let args = self.handed_on(&after);
        self.one.builder.ins().jump(head, &args);

        self.one.builder.switch_to_block(change);
        self.live = None;
        let (next, none) = self.take_up(parts, &carried, &state, &leaving, block)?;
        let args = self.handed_on(&next);
        self.one.builder.ins().brif(none, drained, &[], head, &args);
        self.one.builder.switch_to_block(drained);
        self.forget();
        Ok(())
    }

    /// One turn of the loop, for lanes that all go on or have no thread.
    fn turn(
        &mut self,
        parts: &Parts<'_>,
        this: &leaving::Loop<'_>,
        by_break: Option<&Break>,
        carried: &[usize],
        (live, next): (Masks, clif::Value),
    ) -> Result<State, Stop> {
        self.live = Some(live.clone());
        if let Some(by_break) = by_break {
            self.decided.extend(&by_break.decided);
        }
        self.inside(|lanes| lanes.ops(&parts.body.ops))?;
        self.settle();
        let staying = match by_break {
            None => live,
            Some(by_break) => self.without_leavers(by_break, &live),
        };
        let mut values = vec![];
        for &k in carried {
            let (before, after) = (parts.body.params[k], parts.body.yields[k]);
            let scalar = self.one.scalar(before);
            let keeps = this.needed[k] && by_break.is_some_and(|by_break| by_break.stays[k]);
            let keeps = keeps && !planted::is(Bug::CpuGroupsForgetLeavers);
            let each = self.each(|lanes| {
                let (before, after) = (lanes.get(before), lanes.get(after));
                match keeps {
                    true => lanes.select(&Wide::Vectors(vec![staying[lanes.group]]), &after, &before, scalar),
                    false => Ok(after),
                }
            })?;
            values.push((scalar, each));
        }
        Ok(State { values, staying, next })
    }

    /// The lanes that have a thread; and what turns read from outside is set to what these threads have.
    fn look_in_hand(&mut self, parts: &Parts<'_>, block: &Block) -> Result<Masks, Stop> {
        for (at, value) in parts.outside.iter().enumerate() {
            let each = self.each(|lanes| Ok(lanes.in_hand(&block.hand, block.base, Hand::OUTSIDE + at)))?;
            self.set_groups(*value, &each);
        }
        self.each(|lanes| Ok(lanes.vector_in_hand(&block.hand, block.base, Hand::LIVE)))
    }

    /// Runs all threads of a block from the loop on; gives the first thread of the bundle that does.
    fn finish(
        &mut self,
        parts: &Parts<'_>,
        outer: &[clif::Value],
        block: &Block,
        filled: &Filled,
        finished: clif::Block,
    ) -> Result<clif::Value, Stop> {
        self.live = None;
        let finish = self.one.builder.create_block();
        let at = self.one.builder.append_block_param(finish, types::I64);
        self.stand_before_a_loop();
        self.one.builder.ins().jump(finish, &[BlockArg::Value(block.start)]);
        self.one.builder.switch_to_block(finish);
        self.one.tids = outer.iter().copied().chain([at]).collect();
        let slot = self.one.builder.ins().isub(at, block.start);
        for ((value, stride), first) in parts.rows.iter().zip(&filled.rows) {
            let distance = self.one.builder.ins().imul_imm_s(slot, *stride);
            let first = self.one.builder.ins().iadd(*first, distance);
            self.set(*value, Wide::Linear { first, stride: *stride });
        }
        let inputs = parts.shelves.inputs.iter().filter(|(value, _)| parts.used_after.contains(value));
        let inputs = inputs.filter(|(value, _)| !parts.rows.iter().any(|(row, _)| row == value));
        let results = parts.shelves.results.iter().map(|(k, shelf)| (parts.results[*k], *shelf));
        for (value, shelf) in inputs.copied().chain(results) {
            for group in 0..self.groups {
                self.group = group;
                let wide = self.pick_up_row(shelf, block.base, slot);
                self.set(value, wide);
            }
            self.group = 0;
        }
        self.ops(parts.after)?;
        self.flush(0)?;
        self.settle();
        let threads = self.threads() as i64;
        let next = self.one.builder.ins().iadd_imm_s(at, threads);
        self.one_more(next, filled.end, finish, finished);
        Ok(at)
    }

    fn set_groups(&mut self, value: Value, each: &[Wide]) {
        for (group, wide) in each.iter().enumerate() {
            self.group = group;
            self.set(value, wide.clone());
        }
        self.group = 0;
    }

    /// A state as arguments of a block.
    fn handed_on(&mut self, state: &State) -> Vec<BlockArg> {
        let mut args = vec![];
        for (scalar, each) in &state.values {
            for (group, wide) in each.iter().enumerate() {
                self.group = group;
                args.extend(self.canonical(*scalar, wide));
            }
            self.group = 0;
        }
        args.extend(state.staying.iter().chain([&state.next]));
        args.into_iter().map(BlockArg::Value).collect()
    }

    /// The inverse of [`Lanes::handed_on`]: the parameters that a block gets for it.
    fn taken_over(&mut self, block: clif::Block, scalars: &[Scalar]) -> State {
        let groups = self.groups;
        let mut values = vec![];
        for scalar in scalars {
            let types = canonical_types(*scalar);
            let each = (0..groups).map(|_| {
                let own = types.iter().map(|ty| self.one.builder.append_block_param(block, *ty));
                let own: Vec<clif::Value> = own.collect();
                self.of_canonical(&own)
            });
            values.push((*scalar, each.collect()));
        }
        let staying = (0..groups).map(|_| self.one.builder.append_block_param(block, types::I32X4)).collect();
        State { values, staying, next: self.one.builder.append_block_param(block, types::I64) }
    }

    /// The block's first threads, one for each lane.
    fn first_threads(&mut self, parts: &Parts<'_>, carried: &[usize], block: &Block) -> Result<State, Stop> {
        let zero = self.one.builder.ins().iconst(types::I64, 0);
        let mut values = vec![];
        for k in carried {
            let init = parts.inits[*k];
            let each = self.each(|lanes| match parts.shelves.of(init) {
                Some(shelf) => Ok(lanes.pick_up_row(shelf, block.base, zero)),
                None => Ok(lanes.get(init)),
            })?;
            values.push((self.one.scalar(init), each));
        }
        let staying = self.each(|lanes| {
            for (at, value) in parts.outside.iter().enumerate() {
                let shelf = parts.shelves.of(*value).expect("what differs between threads has a shelf");
                let wide = lanes.pick_up_row(shelf, block.base, zero);
                lanes.take_in_hand(&block.hand, block.base, Hand::OUTSIDE + at, &wide);
            }
            let slots = lanes.constant_words(std::array::from_fn(|k| (lanes.group * LANES + k) as u32));
            lanes.take_in_hand(&block.hand, block.base, Hand::SLOTS, &Wide::Vectors(vec![slots]));
            let all = lanes.mask_of(true);
            lanes.take_in_hand(&block.hand, block.base, Hand::LIVE, &Wide::Vectors(vec![all]));
            Ok(all)
        })?;
        let threads = self.threads() as i64;
        Ok(State { values, staying, next: self.one.builder.ins().iconst(types::I64, threads) })
    }
}

/// What is handed on when all threads of a block have run up to the loop.
struct Filled {
    /// The end of the block.
    end: clif::Value,
    /// The values in the block's first thread that rise from thread to thread.
    rows: Vec<clif::Value>,
}
