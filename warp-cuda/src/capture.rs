//! Capturing a stream's work into a graph.

use std::cell::Cell;
use std::sync::RwLockWriteGuard;
use std::sync::atomic::Ordering::SeqCst;

use crate::error::Error;
use crate::graph::Graph;
use crate::result;
use crate::stream::Stream;
use crate::sys::CAPTURE_THREAD_LOCAL;

thread_local! {
    /// How many captures this thread has begun and not ended.
    static RUNNING: Cell<usize> = const { Cell::new(0) };
}

/// Whether this thread is inside of a capture.
pub(crate) fn is_running() -> bool {
    RUNNING.get() > 0
}

impl Stream {
    /// Runs `work`, whose launches and copies on this stream, and on streams that wait for it, go into a graph and do not
    /// run. Waiting, and taking memory, is refused by the driver meanwhile; what goes out of use is given back afterwards.
    ///
    /// ```no_run
    /// # fn run(stream: warp_cuda::Stream, mut memory: warp_cuda::Memory) -> Result<(), warp_cuda::Error> {
    /// let graph = stream.capture(|| stream.fill(&mut memory, 0..1024, 0))?;
    /// let graph = graph.instantiate()?;
    /// // SAFETY: the memory is alive.
    /// unsafe { graph.launch(&stream) }?;
    /// stream.synchronize()
    /// # }
    /// ```
    pub fn capture<E: From<Error>>(&self, work: impl FnOnce() -> Result<(), E>) -> Result<Graph, E> {
        let running = Running::begin(self)?;
        let done = work();
        let graph = running.end();
        done?;
        Ok(graph?)
    }
}

impl Stream {
    /// As [`capture`](Stream::capture), of this crate's own work in a stream that nobody else has: who has to wait for the device
    /// meanwhile waits for the end of the capture first.
    pub(crate) fn capture_inside(&self, work: impl FnOnce() -> Result<(), Error>) -> Result<Graph, Error> {
        let alone = self.device().alone();
        let mut running = Running::begin(self)?;
        running.alone = Some(alone);
        let done = work();
        let graph = running.end();
        done?;
        graph
    }
}

/// A capture that ends when this goes.
struct Running<'a> {
    stream: &'a Stream,
    ended: bool,
    /// What others wait for.
    alone: Option<RwLockWriteGuard<'a, ()>>,
}

impl<'a> Running<'a> {
    fn begin(stream: &'a Stream) -> Result<Running<'a>, Error> {
        let device = stream.device();
        let _current = device.enter()?;
        if stream.capturing().swap(true, SeqCst) {
            return Err(Error::Refused("the stream is being captured already; end that capture first".into()));
        }
        // SAFETY: the stream is alive.
        let begin = || unsafe { device.cuda().cuStreamBeginCapture_v2(stream.raw(), CAPTURE_THREAD_LOCAL) };
        if let Err(error) = device.begin_capture(begin) {
            stream.capturing().store(false, SeqCst);
            return Err(error);
        }
        RUNNING.set(RUNNING.get() + 1);
        Ok(Running { stream, ended: false, alone: None })
    }

    fn end(mut self) -> Result<Graph, Error> {
        self.finish()
    }

    fn finish(&mut self) -> Result<Graph, Error> {
        self.ended = true;
        let device = self.stream.device();
        let end = || {
            let _current = device.enter()?;
            // SAFETY: the stream is alive, and its capture began on this thread, where `Stream::capture` stays.
            unsafe { result::stream::end_capture(device.cuda(), self.stream.raw()) }
        };
        let ended = end().inspect_err(|_| {
            // A capture that the driver has not ended would hold the stream for ever.
            if let Ok(graph) = end() {
                drop(Graph::new(device.clone(), graph));
            }
        });
        RUNNING.set(RUNNING.get() - 1);
        self.stream.capturing().store(false, SeqCst);
        device.end_capture();
        // Before something is given back, which may have to wait for the device.
        self.alone = None;
        let handle = ended?;
        device.sweep();
        Ok(Graph::new(device.clone(), handle))
    }
}

/// A panic of the work, or an error before its end.
impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.ended
            && let Err(error) = self.finish()
        {
            self.stream.device().keep_untold(error);
        }
    }
}
