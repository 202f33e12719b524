//! Launches one by one, as a file that timeline viewers read.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use super::{Profile, Sample};
use crate::error::Error;

/// A complete event of the Trace Event Format: times in microseconds.
#[derive(Serialize)]
struct Event<'a> {
    name: &'a str,
    cat: &'a str,
    ph: &'static str,
    ts: f64,
    dur: f64,
    pid: u32,
    tid: u64,
    args: Args,
}

#[derive(Serialize)]
struct Args {
    threads: u64,
}

impl Profile {
    /// Writes each launch into a JSON file of the Trace Event Format, which `chrome://tracing` and Perfetto show as a
    /// timeline; the first [`TRACE_LIMIT`](super::TRACE_LIMIT) of them. An error names the file.
    pub fn write_trace(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let failed = |reason: String| Error::File { path: path.to_owned(), reason };
        let mut file = BufWriter::new(File::create(path).map_err(|why| failed(why.to_string()))?);
        let events: Vec<Event<'_>> = self.samples.iter().map(event).collect();
        serde_json::to_writer(&mut file, &events).map_err(|why| failed(why.to_string()))?;
        file.flush().map_err(|why| failed(why.to_string()))
    }
}

fn event(sample: &Sample) -> Event<'_> {
    let microseconds = |time: std::time::Duration| time.as_nanos() as f64 / 1e3;
    Event {
        name: &sample.kernel,
        cat: &sample.device,
        ph: "X",
        ts: microseconds(sample.start),
        dur: microseconds(sample.length),
        pid: std::process::id(),
        tid: sample.host,
        args: Args { threads: sample.threads },
    }
}
