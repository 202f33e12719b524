//! `bar.sync` and `bar.red`: threads of a block meet.

use super::block::Surroundings;
use super::thread::{Checked, State, Thread, trouble};
use crate::code::{Barrier, Op, Program, Reduction};
use crate::error::Fault;

/// A thread at a barrier.
struct Arrival {
    index: usize,
    number: u64,
    count: u64,
    /// What it brings to a reduction.
    truth: bool,
}

impl Surroundings<'_> {
    /// Lets threads go on that all have arrived at a barrier; whether there were any. No thread runs meanwhile.
    pub(super) fn meet_at_barriers(&mut self, threads: &mut [Thread]) -> Result<bool, Fault> {
        let mut arrivals = Vec::new();
        for (index, thread) in threads.iter().enumerate() {
            if let Some(barrier) = barrier_of(self.program, thread) {
                let arrival = arrival(thread, index, barrier, threads.len());
                arrivals.push(arrival.map_err(|trouble| self.fault(thread, *trouble))?);
            }
        }
        let mut any = false;
        for number in 0..16 {
            let here: Vec<&Arrival> = arrivals.iter().filter(|arrival| arrival.number == number).collect();
            let Some(first) = here.first() else { continue };
            if let Some(other) = here.iter().find(|other| other.count != first.count) {
                let (a, b) = (first.count, other.count);
                let thread = &threads[other.index];
                let message = format!("at barrier {number} this thread waits for {b} threads, and another for {a}.");
                return Err(self.fault(thread, super::thread::Trouble::Text(message)));
            }
            // More may come than a barrier waits for; it opens for as many at a time.
            if (here.len() as u64) < first.count {
                continue;
            }
            any = true;
            self.open_barrier(&here[..first.count as usize], threads);
        }
        Ok(any)
    }

    fn open_barrier(&mut self, here: &[&Arrival], threads: &mut [Thread]) {
        let holding = here.iter().filter(|arrival| arrival.truth).count();
        for arrival in here {
            let thread = &mut threads[arrival.index];
            if let Some(Barrier { reduction: Some((d, _, reduction)), .. }) = barrier_of(self.program, thread) {
                let result = match reduction {
                    Reduction::Count => holding as u64,
                    Reduction::All => u64::from(holding == here.len()),
                    Reduction::Any => u64::from(holding > 0),
                };
                thread.set(*d, result);
            }
            thread.state = State::Ready;
            thread.at += 1;
        }
    }
}

/// The barrier that a thread waits at.
fn barrier_of<'a>(program: &'a Program, thread: &Thread) -> Option<&'a Barrier> {
    match &program.instructions[thread.at].op {
        Op::Barrier(barrier) if thread.state == State::AtBarrier => Some(barrier),
        _ => None,
    }
}

fn arrival(thread: &Thread, index: usize, barrier: &Barrier, all: usize) -> Checked<Arrival> {
    let number = thread.get(barrier.number)?;
    if number > 15 {
        return trouble(format!("there is no barrier {number}: they are numbered from 0 to 15."));
    }
    let count = match barrier.count {
        None => all as u64,
        Some(slot) => thread.get(slot)?,
    };
    if barrier.count.is_some() && (count == 0 || !count.is_multiple_of(32)) {
        return trouble(format!("a barrier for {count} threads: their number must be a multiple of 32."));
    }
    let truth = match barrier.reduction {
        Some((_, condition, _)) => thread.holds(condition)?,
        None => false,
    };
    Ok(Arrival { index, number, count, truth })
}
