//! Runs the threads of a block in turns until all have exited.

use super::bytes::Bytes;
use super::constant::Constancy;
use super::thread::{State, Thread, Trouble};
use crate::code::{Op, Program};
use crate::counts::Counts;
use crate::error::{Fault, ThreadId};
use crate::memory::Memory;
use crate::random::Random;

/// All that threads see beside their own state, and what is counted.
pub(super) struct Surroundings<'a> {
    pub program: &'a Program,
    /// The function of the entry.
    pub function: usize,
    pub params: &'a [u8],
    pub memory: &'a mut dyn Memory,
    pub grid: [u32; 3],
    /// Threads of a block.
    pub shape: [u32; 3],
    /// The block that runs.
    pub block: [u32; 3],
    /// Where the module's variables in global memory begin.
    pub globals: u64,
    pub shared_places: Vec<u64>,
    pub dynamic_shared: u32,
    pub total_shared: u32,
    pub shared: Bytes,
    /// What is promised to be constant; none where the text promises nothing.
    pub constancy: Option<Constancy>,
    pub counts: Counts,
    /// How often each instruction was executed.
    pub hits: Vec<u64>,
    pub limit: u64,
    /// Instructions until the limit.
    pub left: u64,
    pub random: Option<Random>,
    /// Threads that have exited, whose memory others take over while the processor has it at hand.
    pub spare: Vec<Thread>,
}

/// The length of a turn without a seed.
const TURN: u64 = 1 << 16;

impl Surroundings<'_> {
    pub(super) fn run_block(&mut self, threads: &mut [Thread]) -> Result<(), Fault> {
        self.shared.clear(self.total_shared as usize);
        threads.iter_mut().for_each(Thread::reset);
        let mut order: Vec<usize> = (0..threads.len()).collect();
        loop {
            if let Some(random) = &mut self.random {
                random.shuffle(&mut order);
            }
            let mut ran = false;
            for &k in &order {
                if threads[k].state == State::Ready {
                    ran = true;
                    self.turn(&mut threads[k])?;
                }
            }
            if ran {
                continue;
            }
            if threads.iter().all(|thread| thread.state == State::Exited) {
                return Ok(());
            }
            if !self.meet_in_warps(threads)? && !self.meet_at_barriers(threads)? {
                return Err(self.deadlock(threads));
            }
        }
    }

    /// Lets a thread run for a while.
    fn turn(&mut self, thread: &mut Thread) -> Result<(), Fault> {
        if !thread.begun {
            if let Some(mut spare) = self.spare.pop() {
                thread.take_memory(&mut spare);
            }
            thread.begun = true;
            self.begin(thread);
        }
        let turn = match &mut self.random {
            None => TURN,
            // Of all lengths: short ones mix threads finely, long ones do not.
            Some(random) => {
                let scale = random.below(17);
                1 + random.below(1 << scale)
            }
        };
        match self.run(thread, turn.min(self.left)) {
            Ok(passed) => self.left -= passed,
            Err(trouble) => return Err(self.fault(thread, *trouble)),
        }
        if thread.state == State::Exited {
            self.counts.most_in_a_thread = self.counts.most_in_a_thread.max(thread.executed);
            let mut spare = Thread::default();
            spare.take_memory(thread);
            self.spare.push(spare);
        } else if self.left == 0 && thread.state == State::Ready {
            let message =
                format!("the launch ran {} instructions, the limit of this machine; a loop may never end.", self.limit);
            return Err(self.fault(thread, Trouble::Text(message)));
        }
        Ok(())
    }

    /// What a thread met at its next instruction.
    pub(super) fn fault(&self, thread: &Thread, trouble: Trouble) -> Fault {
        let message = match trouble {
            Trouble::Text(message) => message,
            Trouble::Unwritten(slot) => {
                let names = &self.program.functions[thread.frame.function].names;
                let name = names.get(slot as usize).map_or("_", String::as_str);
                format!("the register `{name}` is read and was never written.")
            }
        };
        let line = Some(self.program.lines[thread.at] as usize);
        Fault { line, thread: Some(ThreadId { block: self.block, thread: thread.id }), message }
    }

    /// The report that all threads which have not exited wait, and none can go on.
    fn deadlock(&self, threads: &[Thread]) -> Fault {
        let waiting: Vec<&Thread> = threads.iter().filter(|thread| thread.state != State::Exited).collect();
        let mut places: Vec<usize> = waiting.iter().map(|thread| thread.at).collect();
        places.sort_unstable();
        places.dedup();
        let mut parts: Vec<String> = Vec::new();
        for at in places {
            let count = waiting.iter().filter(|thread| thread.at == at).count();
            let what = match self.program.instructions[at].op {
                Op::Barrier(_) => "the barrier",
                _ => "what the warp does together",
            };
            parts.push(format!("{} at {what} in line {}", threads_said(count), self.program.lines[at]));
        }
        let exited = threads.len() - waiting.len();
        if exited > 0 {
            parts.push(format!("{} exited", threads_said(exited)));
        }
        let message = format!("the threads of the block wait for each other for ever: {}.", parts.join(", "));
        self.fault(waiting[0], Trouble::Text(message))
    }
}

fn threads_said(count: usize) -> String {
    if count == 1 { "1 thread".to_owned() } else { format!("{count} threads") }
}
