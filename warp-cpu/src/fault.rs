//! Failed checks: the smallest thread number wins, so the report does not depend on the order of execution.

use std::sync::Mutex;

use warp_core::backend::LaunchStop;
use warp_ir::ir::{CheckKind, Scalar, Source};
use warp_ir::planted::{self, Bug};

/// A check of a compiled kernel.
#[derive(Clone, Debug)]
pub(crate) struct CheckSite {
    /// What it guards.
    pub kind: CheckKind,
    /// The user's expression.
    pub source: Source,
    /// Types of its operands.
    pub operands: Vec<Scalar>,
}

/// The failed checks of a launch.
#[derive(Default)]
pub(crate) struct FaultLog {
    state: Mutex<Log>,
}

#[derive(Default)]
struct Log {
    count: u64,
    first: Option<Record>,
}

struct Record {
    thread: u64,
    site: usize,
    operands: Vec<u64>,
}

impl FaultLog {
    /// Notes that `thread` failed the check of `site`.
    pub(crate) fn record(&self, thread: u64, site: usize, operands: &[u64]) {
        let mut log = self.state.lock().unwrap_or_else(|poison| poison.into_inner());
        log.count += 1;
        if log.first.as_ref().is_none_or(|first| thread < first.thread || planted::is(Bug::CpuReportsLastFault)) {
            log.first = Some(Record { thread, site, operands: operands.to_vec() });
        }
    }

    /// The report, when a check failed.
    pub(crate) fn report(self, sites: &[CheckSite]) -> Result<(), LaunchStop> {
        let log = self.state.into_inner().unwrap_or_else(|poison| poison.into_inner());
        let Some(first) = log.first else { return Ok(()) };
        let site = &sites[first.site];
        Err(LaunchStop::Fault {
            thread: first.thread,
            kind: site.kind.clone(),
            source: site.source.clone(),
            operands: site.operands.iter().copied().zip(first.operands).collect(),
            count: log.count,
        })
    }
}
