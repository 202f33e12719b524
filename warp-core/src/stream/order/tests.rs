//! What is waited for, with queues that only keep what they are asked.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use super::{Found, Order};
use crate::array::borrow::Span;
use crate::backend::{Address, BackendError, Mark, Queue, Stopped};

type Done<T> = Result<T, BackendError>;

/// A queue that keeps which marks it waits for.
#[derive(Default)]
struct Line {
    id: u64,
    marks: AtomicU64,
    waits: Mutex<Vec<(u64, u64)>>,
}

/// The mark of that number in that queue.
struct Place {
    queue: u64,
    number: u64,
    done: Arc<AtomicBool>,
}

impl Line {
    fn new(id: u64) -> Arc<Line> {
        Arc::new(Line { id, ..Line::default() })
    }

    fn place(&self, done: &Arc<AtomicBool>) -> Arc<dyn Mark> {
        let number = self.marks.fetch_add(1, Relaxed);
        Arc::new(Place { queue: self.id, number, done: done.clone() })
    }

    /// The marks that were waited for since the last question: their queues and numbers.
    fn waited(&self) -> Vec<(u64, u64)> {
        let mut waits = std::mem::take(&mut *self.waits.lock().unwrap());
        waits.sort_unstable();
        waits
    }
}

impl Queue for Line {
    fn id(&self) -> u64 {
        self.id
    }
    fn mark(&self, _: bool) -> Done<Arc<dyn Mark>> {
        Ok(self.place(&Arc::default()))
    }
    fn wait(&self, mark: &dyn Mark) -> Done<bool> {
        let place: &Place = (mark as &dyn Any).downcast_ref().unwrap();
        self.waits.lock().unwrap().push((place.queue, place.number));
        Ok(true)
    }
    fn synchronize(&self) -> Done<()> {
        unreachable!()
    }
    fn stopped(&self) -> Option<Stopped> {
        unreachable!()
    }
    fn allocate(&self, _: usize) -> Done<Address> {
        unreachable!()
    }
    unsafe fn free(&self, _: Address, _: usize) {
        unreachable!()
    }
    fn is_done(&self) -> Done<bool> {
        Ok(false)
    }
    unsafe fn upload(&self, _: Address, _: &[u8]) -> Done<()> {
        unreachable!()
    }
    unsafe fn download(&self, _: Address, _: &mut [u8]) -> Done<()> {
        unreachable!()
    }
    unsafe fn copy(&self, _: Address, _: Address, _: usize) -> Done<()> {
        unreachable!()
    }
    unsafe fn fill(&self, _: Address, _: &[u8], _: usize) -> Done<()> {
        unreachable!()
    }
}

impl Mark for Place {
    fn synchronize(&self) -> Done<()> {
        self.done.store(true, Relaxed);
        Ok(())
    }
    fn is_done(&self) -> Done<bool> {
        Ok(self.done.load(Relaxed))
    }
    fn stopped(&self) -> Option<Stopped> {
        unreachable!()
    }
    fn seconds_since(&self, _: &dyn Mark) -> Done<f64> {
        unreachable!()
    }
}

const ALL: Span = Span { start: 0, end: 100 };

/// Marks that are reached once this is set.
fn later() -> Arc<AtomicBool> {
    Arc::default()
}

fn wait(order: &Order, line: &Arc<Line>, span: Span, write: bool) -> Found {
    let queue: Arc<dyn Queue> = line.clone();
    order.wait(&queue, span, write).unwrap()
}

fn note(order: &Order, found: &Found, line: &Arc<Line>, done: &Arc<AtomicBool>, span: Span, write: bool) {
    let (queue, mark): (Arc<dyn Queue>, _) = (line.clone(), line.place(done));
    order.note(found, &queue, Some(mark), span, write);
}

/// Waits and notes, as one call does.
fn used(order: &Order, line: &Arc<Line>, done: &Arc<AtomicBool>, span: Span, write: bool) {
    let found = wait(order, line, span, write);
    note(order, &found, line, done, span, write);
}

#[test]
fn writers_wait_for_all_and_readers_for_writers() {
    let (order, [a, b, c]) = (Order::default(), [1, 2, 3].map(Line::new));
    used(&order, &a, &later(), ALL, true);
    used(&order, &b, &later(), ALL, false);
    assert_eq!((a.waited(), b.waited()), (vec![], vec![(1, 0)]));
    used(&order, &c, &later(), ALL, false);
    assert_eq!(c.waited(), [(1, 0)], "readers do not wait for each other");
    used(&order, &a, &later(), ALL, true);
    assert_eq!(a.waited(), [(2, 0), (3, 0)], "a queue does not wait for itself");
    used(&order, &b, &later(), ALL, true);
    assert_eq!(b.waited(), [(1, 1)], "the last writer has waited for the others");
}

#[test]
fn parts_that_lie_apart_have_no_order() {
    let (order, [a, b, c]) = (Order::default(), [1, 2, 3].map(Line::new));
    let parts = [Span { start: 0, end: 40 }, Span { start: 40, end: 80 }];
    used(&order, &a, &later(), parts[0], true);
    used(&order, &b, &later(), parts[1], true);
    assert_eq!(b.waited(), []);
    used(&order, &c, &later(), Span { start: 39, end: 40 }, false);
    assert_eq!(c.waited(), [(1, 0)]);
    used(&order, &c, &later(), ALL, true);
    assert_eq!(c.waited(), [(1, 0), (2, 0)]);
}

/// Two threads work in one queue: the one that is first in it may be the last to leave its use behind.
#[test]
fn what_came_meanwhile_stays() {
    let (order, [a, b]) = (Order::default(), [1, 2].map(Line::new));
    let first = wait(&order, &a, ALL, false);
    let second = wait(&order, &a, ALL, false);
    note(&order, &second, &a, &later(), ALL, false);
    note(&order, &first, &a, &later(), ALL, false);
    used(&order, &b, &later(), ALL, true);
    assert_eq!(b.waited(), [(1, 0), (1, 1)]);
}

#[test]
fn of_many_uses_those_stay_that_are_not_done() {
    let (order, last) = (Order::default(), Line::new(99));
    let (done, open) = (later(), later());
    for id in 1..=40 {
        used(&order, &Line::new(id), if id % 4 == 0 { &open } else { &done }, ALL, false);
    }
    wait(&order, &last, ALL, true);
    assert_eq!(last.waited().len(), 40, "none is done");
    done.store(true, Relaxed);
    used(&order, &Line::new(41), &open, ALL, false);
    wait(&order, &last, ALL, true);
    let expected: Vec<(u64, u64)> = (1..=10).map(|k| (4 * k, 0)).chain([(41, 0)]).collect();
    assert_eq!(last.waited(), expected);
}

#[test]
fn memory_goes_behind_all_uses() {
    let (order, [a, b, spare]) = (Order::default(), [1, 2, 3].map(Line::new));
    let other: Arc<dyn Queue> = spare.clone();
    let last = |order: &Order| order.last(&other).unwrap().id();
    used(&order, &a, &later(), ALL, true);
    used(&order, &a, &later(), ALL, false);
    assert_eq!((last(&order), spare.waited()), (1, vec![]), "it goes in the order of its only queue");
    used(&order, &b, &later(), Span { start: 0, end: 1 }, false);
    assert_eq!(last(&order), 3);
    assert_eq!(spare.waited(), [(1, 0), (1, 1), (2, 0)]);
    let done = later();
    used(&order, &b, &done, ALL, false);
    order.settle().unwrap();
    assert!(done.load(Relaxed), "the host waits for each");
}
