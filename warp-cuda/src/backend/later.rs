//! How queued launches ended: known once somebody has waited for them.
//!
//! Each launch leaves a copy of its fault block on the host, behind itself in its stream. Whoever waits for a stream or an
//! event says which launches are done by then, with those of other streams that were waited for on the way; the copies of
//! these may be read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use warp_core::backend::{Origin, Queue as _, Stopped};

use super::faults::{Area, Landed};
use super::queue::CudaQueue;
use super::scratch::{Block, ScratchPool};
use crate::device::Device;
use crate::error::Error;
use crate::pinned::Pinned;
use crate::stream::Stream;

/// Launches of each queue that are done at some time: so many, the first ones.
#[derive(Clone, Default, Debug)]
pub(super) struct Clock(BTreeMap<u64, u64>);

impl Clock {
    /// So many of a queue.
    pub(super) fn of(queue: u64, count: u64) -> Clock {
        Clock(BTreeMap::from([(queue, count)]))
    }

    /// All of both.
    pub(super) fn join(&mut self, other: &Clock) {
        for (&queue, &count) in &other.0 {
            let own = self.0.entry(queue).or_default();
            *own = count.max(*own);
        }
    }

    /// Whether a launch is among them.
    fn has(&self, queue: u64, count: u64) -> bool {
        self.0.get(&queue).is_some_and(|done| *done >= count)
    }
}

/// The launches that nobody has asked for yet.
#[derive(Default)]
pub(crate) struct Later {
    done: Mutex<Clock>,
    pending: Mutex<Vec<Pending>>,
    /// Launches that stopped, and nobody was told of, in the order of their numbers; none is behind another.
    stopped: Mutex<Vec<(Place, Stopped)>>,
    next: AtomicU64,
    /// Fault blocks and print rings between launches.
    pub(super) scratch: ScratchPool,
}

/// A launch, or a graph of launches.
struct Pending {
    place: Place,
    stream: Stream,
    left: Left,
    /// It came behind one that somebody was told of.
    behind: bool,
}

/// Which launch it is.
struct Place {
    /// In the order in which the host asked for them.
    number: u64,
    /// Its queue, and its number there.
    queue: u64,
    count: u64,
    /// What is done when it is.
    clock: Clock,
}

impl Place {
    fn is_in(&self, clock: &Clock) -> bool {
        clock.has(self.queue, self.count)
    }
}

/// What a launch leaves.
pub(super) enum Left {
    One { block: Block, faults: Arc<Landed>, origin: Origin },
    Graph { copy: Pinned, area: Arc<Area> },
}

impl Left {
    /// How much it keeps, in launches. However large, a few graphs may be on their way at once.
    fn weight(&self) -> usize {
        match self {
            Left::One { .. } => 1,
            Left::Graph { area, .. } => area.launches().clamp(1, MOST / 4),
        }
    }
}

/// How much may wait to be asked for, in launches.
const MOST: usize = 1024;

impl Later {
    /// So much is done.
    pub(super) fn reached(&self, clock: &Clock) {
        lock(&self.done).join(clock);
    }

    /// Drops from a clock what is done anyway, of queues of which everything is told.
    pub(super) fn forget_done(&self, clock: &mut Clock) {
        const MANY: usize = 16;
        if clock.0.len() <= MANY {
            return;
        }
        let (stopped, pending, done) = (lock(&self.stopped), lock(&self.pending), lock(&self.done));
        let places = stopped.iter().map(|(place, _)| place).chain(pending.iter().map(|pending| &pending.place));
        let open: BTreeSet<u64> = places.map(|place| place.queue).collect();
        clock.0.retain(|queue, count| open.contains(queue) || !done.has(*queue, *count));
    }

    /// Queues something that leaves something behind.
    pub(super) fn queue(
        &self,
        queue: &CudaQueue,
        mut left: Left,
        work: impl FnOnce(&Stream, &mut Left) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Err(error) = self.make_room() {
            self.take_back(left);
            return Err(error);
        }
        let stream = queue.stream();
        let mut place = None;
        let queued = queue.count(
            || work(stream, &mut left),
            |count, clock| {
                let number = self.next.fetch_add(1, Ordering::Relaxed);
                place = Some(Place { number, queue: queue.id(), count, clock });
            },
        );
        match place {
            Some(place) => lock(&self.pending).push(Pending { place, stream: stream.clone(), left, behind: false }),
            // What was queued uses it.
            None => match stream.synchronize() {
                Ok(()) => self.take_back(left),
                Err(_) => drop(left),
            },
        }
        queued
    }

    /// What nobody will ask for is free again.
    fn take_back(&self, left: Left) {
        match left {
            Left::One { block, .. } => self.silence(block),
            Left::Graph { copy, area } => area.give_back(copy),
        }
    }

    /// Waits for the stream of the oldest launch, where too many wait to be asked for.
    fn make_room(&self) -> Result<(), Error> {
        let oldest = {
            let pending = lock(&self.pending);
            if pending.iter().map(|pending| pending.left.weight()).sum::<usize>() < MOST {
                return Ok(());
            }
            pending.first().map(|first| {
                let same = pending.iter().filter(|other| other.place.queue == first.place.queue);
                let last = same.map(|other| other.place.count).max().unwrap_or(first.place.count);
                (first.stream.clone(), Clock::of(first.place.queue, last))
            })
        };
        if let Some((stream, clock)) = oldest {
            stream.synchronize()?;
            self.reached(&clock);
            drop(self.harvest());
        }
        Ok(())
    }

    /// Waits for all work of a device.
    pub(super) fn wait_for_all(&self, device: &Device) -> Result<(), Error> {
        let mut clock = Clock::default();
        lock(&self.pending).iter().for_each(|pending| clock.join(&pending.place.clock));
        device.wait()?;
        self.reached(&clock);
        Ok(())
    }

    /// Whether somebody has to be told of a launch.
    pub(super) fn has_stopped(&self) -> bool {
        !self.harvest().is_empty()
    }

    /// The first launch that stopped, among those of a clock. What is behind it in order is forgotten with it.
    pub(super) fn stopped(&self, among: Option<&Clock>) -> Option<Stopped> {
        let mut stopped = self.harvest();
        let first = stopped.iter().position(|(place, _)| among.is_none_or(|clock| place.is_in(clock)))?;
        let (told, stop) = stopped.remove(first);
        for pending in lock(&self.pending).iter_mut() {
            pending.behind |= told.is_in(&pending.place.clock);
        }
        Some(stop)
    }

    /// Reads what the launches that are done have left. Who asks meanwhile waits, so that nothing is between two places.
    fn harvest(&self) -> MutexGuard<'_, Vec<(Place, Stopped)>> {
        let mut stopped = lock(&self.stopped);
        let landed: Vec<Pending> = {
            let mut pending = lock(&self.pending);
            let done = lock(&self.done);
            pending.extract_if(.., |pending| pending.place.is_in(&done)).collect()
        };
        let mut told = vec![];
        for Pending { place, left, behind, .. } in landed {
            let found = match left {
                Left::One { block, faults, origin } => {
                    let stop = block.read().map(|fault| Stopped { origin, stop: faults.stop(&fault) });
                    match stop {
                        Some(_) => told.push(block),
                        None => self.scratch.give_back(block, None),
                    }
                    stop
                }
                Left::Graph { copy, area } => {
                    let stop = area.read(&copy);
                    area.give_back(copy);
                    stop
                }
            };
            if let Some(stop) = found.filter(|_| !behind) {
                keep(&mut stopped, place, stop);
            }
        }
        told.into_iter().for_each(|block| self.silence(block));
        stopped
    }

    /// A block that may have something to tell is made quiet, and is free again.
    pub(super) fn silence(&self, mut block: Block) {
        match block.silence() {
            Ok(()) => self.scratch.give_back(block, None),
            // It is not used again.
            Err(error) => block.device().keep_untold(error),
        }
    }
}

/// Keeps a launch to tell of, unless it is behind another one.
fn keep(stopped: &mut Vec<(Place, Stopped)>, place: Place, stop: Stopped) {
    if stopped.iter().any(|(other, _)| other.is_in(&place.clock)) {
        return;
    }
    stopped.retain(|(other, _)| !place.is_in(&other.clock));
    let at = stopped.partition_point(|(other, _)| other.number < place.number);
    stopped.insert(at, (place, stop));
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
