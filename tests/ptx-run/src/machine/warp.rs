//! What the threads of a warp do together: shuffles, votes, matches, reductions.

use super::block::Surroundings;
use super::thread::{Checked, State, Thread, trouble};
use crate::code::{Op, Shuffle, Vote, WarpOp};
use crate::error::Fault;

/// Threads of a warp.
const LANES: usize = 32;

impl Surroundings<'_> {
    /// Lets threads of warps go on that have met; whether there were any. No thread runs meanwhile.
    pub(super) fn meet_in_warps(&mut self, threads: &mut [Thread]) -> Result<bool, Fault> {
        let mut any = false;
        for warp in threads.chunks_mut(LANES) {
            any |= self.meet(warp)?;
        }
        Ok(any)
    }

    /// One warp: all that have met by their masks go on; if none has, those that ask who is active.
    fn meet(&mut self, warp: &mut [Thread]) -> Result<bool, Fault> {
        let mut any = false;
        for lane in 0..warp.len() {
            let mask = match self.mask_of(&warp[lane]) {
                None => continue,
                Some(Ok(mask)) => mask,
                Some(Err(trouble)) => return Err(self.fault(&warp[lane], *trouble)),
            };
            let at = warp[lane].at;
            let members: Vec<usize> = (0..warp.len()).filter(|&k| mask >> k & 1 == 1).collect();
            let met = |k: &usize| {
                let thread = &warp[*k];
                thread.state == State::Exited
                    || (thread.at == at && matches!(self.mask_of(thread), Some(Ok(other)) if other == mask))
            };
            if members.iter().all(met) {
                let here: Vec<usize> = members.into_iter().filter(|&k| warp[k].state == State::AtWarp).collect();
                self.together(warp, &here)?;
                any = true;
            }
        }
        if any {
            return Ok(true);
        }
        let asking = warp.iter().find(|thread| self.asks_who_is_active(thread)).map(|thread| thread.at);
        if let Some(at) = asking {
            let is_here = |k: &usize| warp[*k].at == at && self.asks_who_is_active(&warp[*k]);
            let here: Vec<usize> = (0..warp.len()).filter(is_here).collect();
            self.together(warp, &here)?;
        }
        Ok(asking.is_some())
    }

    fn operation_of(&self, thread: &Thread) -> Option<&WarpOp> {
        match &self.program.instructions[thread.at].op {
            Op::Warp(op) if thread.state == State::AtWarp => Some(op),
            _ => None,
        }
    }

    fn asks_who_is_active(&self, thread: &Thread) -> bool {
        matches!(self.operation_of(thread), Some(WarpOp::Active { .. }))
    }

    /// The lanes that a waiting thread waits for, which it must be one of.
    fn mask_of(&self, thread: &Thread) -> Option<Checked<u64>> {
        let slot = match self.operation_of(thread)? {
            WarpOp::Shuffle { mask, .. }
            | WarpOp::Vote { mask, .. }
            | WarpOp::MatchAny { mask, .. }
            | WarpOp::MatchAll { mask, .. }
            | WarpOp::Reduce { mask, .. }
            | WarpOp::Barrier { mask } => *mask,
            WarpOp::Active { .. } => return None,
        };
        Some(thread.get(slot).and_then(|mask| {
            let lane = thread.index as usize % LANES;
            if mask >> lane & 1 == 0 {
                return trouble(format!("the thread, lane {lane}, is not in its own mask {mask:#010x}."));
            }
            Ok(mask)
        }))
    }

    /// Executes the operation for threads that have met, given by their lanes.
    fn together(&mut self, warp: &mut [Thread], here: &[usize]) -> Result<(), Fault> {
        let program = self.program;
        let Op::Warp(op) = &program.instructions[warp[here[0]].at].op else { return Ok(()) };
        let fault = |thread: &Thread, trouble: Box<super::thread::Trouble>| self.fault(thread, *trouble);
        // What each lane brings, before any lane gets its result.
        let mut brought = [None; LANES];
        for &lane in here {
            let thread = &warp[lane];
            let value = match &**op {
                WarpOp::Shuffle { a, .. } | WarpOp::MatchAny { a, .. } | WarpOp::MatchAll { a, .. } => thread.get(*a),
                WarpOp::Reduce { a, .. } => thread.get(*a),
                WarpOp::Vote { p, .. } => thread.holds(*p).map(u64::from),
                WarpOp::Barrier { .. } | WarpOp::Active { .. } => Ok(0),
            };
            brought[lane] = Some(value.map_err(|trouble| fault(thread, trouble))?);
        }
        for &lane in here {
            let thread = &mut warp[lane];
            if let Err(trouble) = give(op, thread, lane, &brought) {
                return Err(fault(thread, trouble));
            }
        }
        for &lane in here {
            warp[lane].state = State::Ready;
            warp[lane].at += 1;
        }
        Ok(())
    }
}

/// Lanes whose value satisfies `holds`, as bits.
fn lanes(brought: &[Option<u64>; LANES], holds: impl Fn(u64) -> bool) -> u64 {
    (0..LANES).fold(0, |bits, lane| bits | u64::from(brought[lane].is_some_and(&holds)) << lane)
}

/// Gives a lane its result.
fn give(op: &WarpOp, thread: &mut Thread, lane: usize, brought: &[Option<u64>; LANES]) -> Checked<()> {
    let all = lanes(brought, |_| true);
    match op {
        WarpOp::Shuffle { mode, d, p, b, c, .. } => {
            let (source, inside) = shuffle(*mode, lane as i64, thread.get(*b)?, thread.get(*c)?);
            // What comes from a lane that takes no part is not defined.
            match brought[source] {
                Some(value) => thread.set(*d, value),
                None => thread.forget(*d),
            }
            if let Some(p) = p {
                thread.set(*p, u64::from(inside));
            }
        }
        WarpOp::Vote { mode, d, .. } => {
            let yes = lanes(brought, |value| value != 0);
            let result = match mode {
                Vote::All => u64::from(yes == all),
                Vote::Any => u64::from(yes != 0),
                Vote::Uniform => u64::from(yes == all || yes == 0),
                Vote::Ballot => yes,
            };
            thread.set(*d, result);
        }
        WarpOp::MatchAny { d, .. } => {
            let mine = brought[lane];
            thread.set(*d, lanes(brought, |value| Some(value) == mine));
        }
        WarpOp::MatchAll { d, p, .. } => {
            let same = lanes(brought, |value| Some(value) == brought[lane]) == all;
            thread.set(*d, if same { all } else { 0 });
            if let Some(p) = p {
                thread.set(*p, u64::from(same));
            }
        }
        WarpOp::Reduce { f, d, .. } => {
            let result = brought.iter().flatten().copied().reduce(f);
            thread.set(*d, result.unwrap_or(0));
        }
        WarpOp::Barrier { .. } => {}
        WarpOp::Active { d } => thread.set(*d, all),
    }
    Ok(())
}

/// The lane that a value comes from, and whether it lies within the segment; else it is the lane itself.
fn shuffle(mode: Shuffle, lane: i64, b: u64, c: u64) -> (usize, bool) {
    let (distance, clamp, segment) = ((b & 31) as i64, (c & 31) as i64, (c >> 8 & 31) as i64);
    let least = lane & segment;
    let bound = least | (clamp & !segment);
    let (source, inside) = match mode {
        Shuffle::Up => (lane - distance, lane - distance >= bound),
        Shuffle::Down => (lane + distance, lane + distance <= bound),
        Shuffle::Butterfly => (lane ^ distance, lane ^ distance <= bound),
        Shuffle::Index => {
            let source = least | (distance & !segment);
            (source, source <= bound)
        }
    };
    (if inside { source } else { lane } as usize, inside)
}
