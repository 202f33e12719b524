//! Captures: work that goes into a graph, and what is refused meanwhile.

use std::collections::BTreeMap;
use std::thread::{self, ThreadId};

use super::event::Event;
use super::graph::Node;
use super::work::Work;
use super::{Handle, State};
use crate::code::{self, Code};

/// A capture under way.
pub struct Capture {
    /// The stream that it began in.
    pub origin: Handle,
    /// 0: global, 1: of the thread, 2: relaxed.
    pub mode: i32,
    pub thread: ThreadId,
    pub nodes: Vec<Node>,
    /// For each stream that takes part, the nodes that its next one waits for.
    pub ends: BTreeMap<Handle, Vec<usize>>,
    pub invalid: bool,
}

thread_local! {
    /// How strict this thread is with itself.
    pub static MODE: std::cell::Cell<i32> = const { std::cell::Cell::new(0) };
}

impl State {
    pub fn begin_capture(&mut self, origin: Handle, mode: i32) -> Result<(), Code> {
        if !(0..=2).contains(&mode) {
            return Err(code::ERROR_INVALID_VALUE);
        }
        if origin == 0 {
            return Err(code::ERROR_STREAM_CAPTURE_UNSUPPORTED);
        }
        if self.stream(origin)?.capture != 0 {
            return Err(code::ERROR_ILLEGAL_STATE);
        }
        let capture = self.handle();
        let ends = BTreeMap::from([(origin, Vec::new())]);
        let thread = thread::current().id();
        self.captures.insert(capture, Capture { origin, mode, thread, nodes: Vec::new(), ends, invalid: false });
        self.stream(origin)?.capture = capture;
        Ok(())
    }

    /// Ends a capture; gives the graph.
    pub fn end_capture(&mut self, stream: Handle) -> Result<Handle, Code> {
        let handle = self.stream(stream)?.capture;
        let Some(capture) = self.captures.get(&handle) else { return Err(code::ERROR_ILLEGAL_STATE) };
        if capture.mode != 2 && capture.thread != thread::current().id() {
            return Err(code::ERROR_STREAM_CAPTURE_WRONG_THREAD);
        }
        if capture.origin != stream {
            return Err(self.invalidate(handle, code::ERROR_STREAM_CAPTURE_UNMATCHED));
        }
        let capture = self.end_capture_of(handle).ok_or(code::ERROR_ILLEGAL_STATE)?;
        if capture.invalid {
            return Err(code::ERROR_STREAM_CAPTURE_INVALIDATED);
        }
        let joined = before(&capture.nodes, &capture.ends[&stream]);
        if capture.ends.iter().any(|(_, ends)| ends.iter().any(|end| !joined[*end])) {
            return Err(code::ERROR_STREAM_CAPTURE_UNJOINED);
        }
        let graph = self.handle();
        self.graphs.insert(graph, capture.nodes);
        Ok(graph)
    }

    /// Takes all streams out of a capture.
    pub fn end_capture_of(&mut self, handle: Handle) -> Option<Capture> {
        self.streams.values_mut().filter(|s| s.capture == handle).for_each(|s| s.capture = 0);
        self.captures.remove(&handle)
    }

    /// A capture in which nothing went wrong so far.
    pub fn valid_capture(&mut self, handle: Handle) -> Result<&mut Capture, Code> {
        match self.captures.get_mut(&handle) {
            Some(capture) if !capture.invalid => Ok(capture),
            _ => Err(code::ERROR_STREAM_CAPTURE_INVALIDATED),
        }
    }

    /// Something went wrong in a capture: its end will say so. Hands the code on.
    pub fn invalidate(&mut self, handle: Handle, code: Code) -> Code {
        self.captures.get_mut(&handle).into_iter().for_each(|capture| capture.invalid = true);
        code
    }

    /// Puts work into the graph.
    pub fn capture_work(&mut self, handle: Handle, stream: Handle, work: Work) -> Result<(), Code> {
        if matches!(work, Work::Take(_) | Work::Give(_)) {
            // Nodes that take memory are more than this driver knows.
            return Err(self.invalidate(handle, code::ERROR_NOT_SUPPORTED));
        }
        let capture = self.valid_capture(handle)?;
        let at = capture.nodes.len();
        let after = capture.ends.insert(stream, vec![at]).unwrap_or_default();
        capture.nodes.push(Node { work, after });
        Ok(())
    }

    /// An event in a capture marks the nodes before it.
    pub fn capture_record(&mut self, handle: Handle, stream: Handle, event: &Event) -> Result<(), Code> {
        let capture = self.valid_capture(handle)?;
        *event.capture() = Some((handle, capture.ends.get(&stream).cloned().unwrap_or_default()));
        Ok(())
    }

    /// A stream waits for an event of a capture: it takes part from then on.
    pub fn capture_wait(&mut self, handle: Handle, stream: Handle, before: &[usize]) -> Result<(), Code> {
        let own = self.stream(stream)?.capture;
        if own != 0 && own != handle {
            self.invalidate(own, 0);
            return Err(self.invalidate(handle, code::ERROR_STREAM_CAPTURE_MERGE));
        }
        self.valid_capture(handle)?;
        self.stream(stream)?.capture = handle;
        let capture = self.valid_capture(handle)?;
        let ends = capture.ends.entry(stream).or_default();
        ends.extend(before);
        ends.sort_unstable();
        ends.dedup();
        Ok(())
    }

    /// Refuses a call that a capture forbids on this thread: one that may wait for work behind the program's back.
    pub fn refuse_unsafe(&mut self) -> Result<(), Code> {
        if MODE.get() == 2 {
            return Ok(());
        }
        let here = thread::current().id();
        let forbids = |capture: &Capture| match capture.mode {
            0 => MODE.get() == 0 || capture.thread == here,
            1 => capture.thread == here,
            _ => false,
        };
        match self.captures.iter().find(|(_, capture)| forbids(capture)).map(|(handle, _)| *handle) {
            Some(handle) => Err(self.invalidate(handle, code::ERROR_STREAM_CAPTURE_UNSUPPORTED)),
            None => Ok(()),
        }
    }
}

/// Which nodes lie at or before the given ones.
fn before(nodes: &[Node], ends: &[usize]) -> Vec<bool> {
    let mut found = vec![false; nodes.len()];
    let mut open = ends.to_vec();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut found[at], true) {
            open.extend(&nodes[at].after);
        }
    }
    found
}
