//! The measured workloads on the device and on the CPU.

use std::sync::Arc;
use std::time::Duration;

use warp::cuda::{Cuda, Device};
use warp::{Devices, KernelTime};
use warp_examples_support::check::{Row, Verdict};
use warp_examples_support::failure::Outcome;
use warp_examples_support::options::all_threads;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::maps::Map;
use warp_test_devices::Twins;

use crate::Job;
use crate::attempt;
use crate::catalogue::Name;

/// A workload in one of its variants.
#[derive(Clone, Copy)]
struct Case {
    workload: Name,
    mode: &'static str,
    /// Size and steps at which each launch is compared with the CPU's.
    small: (usize, usize),
    /// How far its result may lie from the CPU's, relative to it, because it adds up floats in no order.
    tolerance: f64,
}

const fn case(workload: Name, mode: &'static str, small: (usize, usize), tolerance: f64) -> Case {
    Case { workload, mode, small, tolerance }
}

const CASES: [Case; 11] = [
    case(Name::W1, "", (4096, 2), 0.0),
    case(Name::W2, "", (100, 10), 0.0),
    case(Name::W2, "planes", (100, 10), 0.0),
    case(Name::W3, "", (64, 3), 0.0),
    case(Name::W4, "", (8, 5), 1e-5),
    case(Name::W4, "grad", (6, 4), 1e-4),
    case(Name::W5, "", (16, 5), 0.0),
    case(Name::W5, "grad", (8, 4), 1e-4),
    case(Name::W8, "", (500, 1), 0.0),
    case(Name::W9, "", (1, 20), 0.0),
    case(Name::W14, "", (16, 32), 0.0),
];

/// All of them, a line for each kernel.
pub fn all(cuda: &Device, device: &warp::Device, small: bool) -> Outcome<Vec<Row>> {
    let maps = Map::ALL.map(|(name, _)| case(Name::W15, name, (300, 1), 0.0));
    let shuffled = case(Name::W14, "shuffled", (16, 32), 0.0);
    let mut rows = Vec::new();
    for case in CASES.into_iter().chain([shuffled]).chain(maps) {
        rows.extend(case.rows(cuda, device, small)?);
    }
    Ok(rows)
}

impl Case {
    fn name(&self) -> String {
        format!("{:?} {}", self.workload, self.mode).trim_end().to_lowercase()
    }

    fn measure(&self, device: &warp::Device, (n, steps): (usize, usize), reps: usize) -> Outcome<Measured> {
        let job = Job { device: device.clone(), n, steps, reps, threads: all_threads() };
        self.workload.measure(self.mode, &job)
    }

    fn rows(&self, cuda: &Device, device: &warp::Device, small: bool) -> Outcome<Vec<Row>> {
        if let Some(row) = self.launch_by_launch(cuda) {
            return Ok(vec![row]);
        }
        let (usual, _, steps) = self.workload.sizes(self.mode);
        let size = if small { self.small } else { (usual, steps) };
        let on_the_cpu = self.measure(&warp::Device::cpu(), size, 1)?;
        let (measured, profile) = warp::profile(|| self.measure(device, size, usize::from(small)));
        let verdict = match measured {
            Ok(found) => self.verdict(&found, &on_the_cpu),
            Err(error) => Verdict::Differs(error.to_string()),
        };
        let mine = profile.kernels().filter(|kernel| kernel.device == device.name());
        let rows: Vec<Row> = mine.map(|kernel| self.row(kernel, &verdict, size.0)).collect();
        let nothing_ran = || Row { name: self.name(), verdict, time: Duration::ZERO, bytes: None, operations: None };
        Ok(if rows.is_empty() { vec![nothing_ran()] } else { rows })
    }

    /// Runs it at its small size with each launch on the CPU, too; gives a line where something differs.
    fn launch_by_launch(&self, cuda: &Device) -> Option<Row> {
        let run = |_: &()| {
            let backend = Cuda::new(cuda).unwrap_or_else(|error| panic!("{error}"));
            let twins = warp::Device::new(Arc::new(Twins::beside(backend)));
            self.measure(&twins, self.small, 1).unwrap_or_else(|error| panic!("{error}"));
        };
        attempt::all([(self.name(), ())], run).into_iter().find(|row| !row.verdict.passes())
    }

    fn verdict(&self, found: &Measured, on_the_cpu: &Measured) -> Verdict {
        let numbers = |run: &Measured| {
            let error = run.max_err.filter(|_| self.tolerance == 0.0);
            [Some(run.checksum), error].into_iter().flatten().collect::<Vec<f64>>()
        };
        Verdict::of(&numbers(found), &numbers(on_the_cpu), self.tolerance)
    }

    /// The line of a kernel. Its slowest launch is left out: the driver compiles in it.
    fn row(&self, kernel: &KernelTime, verdict: &Verdict, n: usize) -> Row {
        let time = match u32::try_from(kernel.launches) {
            Ok(launches @ 2..) => (kernel.total - kernel.max) / (launches - 1),
            _ => kernel.mean(),
        };
        // Twenty additions and multiplications for each pair of bodies.
        let operations = (self.workload == Name::W3).then_some(20.0 * n as f64 * n as f64);
        let bytes = Some(kernel.bytes as f64 / kernel.launches.max(1) as f64).filter(|bytes| *bytes > 0.0);
        Row { name: format!("{}: {}", self.name(), kernel.kernel), verdict: verdict.clone(), time, bytes, operations }
    }
}
