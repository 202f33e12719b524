//! Runs a random kernel every way there is, and compares.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::bounded::take_undecided;
use crate::data::{Data, DataB};

/// How a launch or a plain run ended: `None`, or the thread and the kind of its fault.
pub type End = Option<(u64, String)>;

/// A random kernel, compiled every way.
#[allow(missing_docs)]
pub struct Case {
    pub seed: u64,
    /// The plain function over all threads, in order.
    pub plain: fn(usize, &mut Data) -> End,
    /// The `no_fma` kernel on so many machine threads.
    pub exact: fn(usize, &mut Data, usize) -> End,
    /// The kernel with contraction, for those that are compiled so.
    pub contracted: Option<Contracted>,
}

/// A kernel with contraction, and what its results are held against.
#[allow(missing_docs)]
pub struct Contracted {
    /// The ordinary kernel.
    pub fused: fn(usize, &mut Data, usize) -> End,
    /// The function of bounded numbers, for one thread.
    pub bounded: fn(usize, &mut DataB),
}

/// What came of a case.
#[derive(Default, Debug)]
pub struct Tally {
    /// Launches compared bit for bit.
    pub exact: usize,
    /// Launches that faulted, as the plain function did.
    pub faults: usize,
    /// Threads whose contracted results were held against bounds.
    pub bounded: usize,
    /// Threads left out, since rounding decides a branch or cast there.
    pub undecided: usize,
    /// What differed.
    pub failures: Vec<String>,
}

impl Case {
    /// Runs the case on ordinary and on special data.
    pub fn run(&self, tally: &mut Tally) {
        for special in [false, true] {
            let threads = 3 + (self.seed % 6) as usize;
            let data = Data::new(self.seed ^ special as u64, threads, special);
            let mut expected = data.clone();
            let end = (self.plain)(threads, &mut expected);
            for machine_threads in [1, 4] {
                let mut found = data.clone();
                let found_end = (self.exact)(threads, &mut found, machine_threads);
                self.compare(&end, &expected, &found_end, &found, tally);
            }
            if let (None, false, Some(contracted)) = (&end, special, &self.contracted) {
                self.within_bounds(contracted, threads, &data, tally);
            }
        }
    }

    fn compare(&self, end: &End, expected: &Data, found_end: &End, found: &Data, tally: &mut Tally) {
        if end != found_end {
            tally.failures.push(format!(
                "seed {}: the plain function ended with {end:?}, the launch with {found_end:?}",
                self.seed
            ));
        } else if end.is_some() {
            tally.faults += 1;
        } else {
            tally.exact += 1;
            let differ = expected.bits().into_iter().zip(found.bits()).find(|(a, b)| a != b);
            if let Some(((name, a), (_, b))) = differ {
                tally.failures.push(format!("seed {}: {name} is {b:#x}, the plain function gives {a:#x}", self.seed));
            }
        }
    }

    fn within_bounds(&self, contracted: &Contracted, threads: usize, data: &Data, tally: &mut Tally) {
        let mut found = data.clone();
        let end = (contracted.fused)(threads, &mut found, 1);
        let mut reference = DataB::from(data);
        for i in 0..threads {
            take_undecided();
            let ran = catch_unwind(AssertUnwindSafe(|| (contracted.bounded)(i, &mut reference)));
            if take_undecided() {
                tally.undecided += 1;
                continue;
            }
            tally.bounded += 1;
            if ran.is_err() || end.is_some() {
                // Another thread's fault says nothing of this one.
                tally.bounded -= 1;
                continue;
            }
            if let Some(wrong) = reference.outside(i, &found) {
                tally.failures.push(format!("seed {}, contracted: {wrong}", self.seed));
            }
        }
    }
}

/// Runs all cases, prints the tally, and exits with 1 when anything differed.
pub fn main(cases: &[Case]) {
    std::panic::set_hook(Box::new(|_| {}));
    let mut tally = Tally::default();
    for case in cases {
        case.run(&mut tally);
    }
    let Tally { exact, faults, bounded, undecided, failures } = &tally;
    for f in failures.iter().take(40) {
        println!("{f}");
    }
    println!(
        "{} kernels: {exact} launches bit for bit, {faults} faults alike, {bounded} threads within bounds, {undecided} undecided, {} failures",
        cases.len(),
        failures.len()
    );
    if !failures.is_empty() {
        std::process::exit(1);
    }
}

/// The end of a launch.
pub fn end_of_launch(result: Result<(), warp::Error>) -> End {
    match result {
        Ok(()) => None,
        Err(warp::Error::Fault(fault)) => Some(end_of_fault(&fault)),
        Err(other) => Some((u64::MAX, other.to_string())),
    }
}

/// Thread and kind of a fault, in the words of Rust's own panic where it has fixed ones.
pub fn end_of_fault(fault: &warp::Fault) -> (u64, String) {
    use warp::FaultKind::*;
    let words = match &fault.kind {
        Index { index, extent, .. } => format!("index out of bounds: the len is {extent} but the index is {index}"),
        DivideByZero => "divide by zero".into(),
        DivideOverflow => "overflow".into(),
        Assert { .. } => "assertion failed".into(),
        SliceRange { .. } => "range of a slice".into(),
        Panic { message } if message.contains("for slice of length") || message.contains("slice index starts") => {
            "range of a slice".into()
        }
        Panic { message } if message.contains("divisor of zero") => "divide by zero".into(),
        Panic { message } => {
            let fixed = ["divide by zero", "overflow", "assertion failed"];
            fixed.into_iter().find(|words| message.contains(words)).unwrap_or(message).into()
        }
        other => format!("{other:?}"),
    };
    (fault.thread, words)
}

/// Makes a [`Case`] of a module with `exact`, and with `fused` and `bounded` where it says `contracted`.
#[macro_export]
macro_rules! case {
    (exact $module:ident, $seed:expr) => {
        $crate::case!(@ $module, $seed, None)
    };
    (contracted $module:ident, $seed:expr) => {
        $crate::case!(@ $module, $seed, Some($crate::harness::Contracted {
            fused: $crate::launch!($module::fused),
            bounded: |i, d: &mut $crate::data::DataB| {
                $module::bounded(
                    i, &mut d.fa, &mut d.ga, &mut d.ia, &mut d.ua, &mut d.va, &mut d.sa, &mut d.ra, &d.fb, &d.ib, &d.sb, &d.hb,
                    d.nf, d.ni, d.nu,
                )
            },
        }))
    };
    (@ $module:ident, $seed:expr, $contracted:expr) => {
        $crate::harness::Case {
            seed: $seed,
            plain: |n, d: &mut $crate::data::Data| {
                $module::exact::plain(
                    n, &mut d.fa, &mut d.ga, &mut d.ia, &mut d.ua, &mut d.va, &mut d.sa, &mut d.ra, &d.fb, &d.ib, &d.sb, &d.hb,
                    d.nf, d.ni, d.nu,
                )
                .err()
                .map(|fault| $crate::harness::end_of_fault(&fault))
            },
            exact: $crate::launch!($module::exact),
            contracted: $contracted,
        }
    };
}

/// A closure that launches a random kernel on arrays made of the data, and reads them back.
#[macro_export]
macro_rules! launch {
    ($module:ident :: $kernel:ident) => {
        |n, d: &mut $crate::data::Data, threads| {
            let device = Device::cpu();
            let mut fa = Array::from_slice(&device, &d.fa).unwrap();
            let mut ga = Array::from_slice(&device, &d.ga).unwrap();
            let mut ia = Array::from_slice(&device, &d.ia).unwrap();
            let mut ua = Array::from_slice(&device, &d.ua).unwrap();
            let mut va = Array::from_slice(&device, &d.va).unwrap();
            let mut sa = Array::from_slice(&device, &d.sa).unwrap();
            let mut ra = Array::from_slice(&device, &d.ra).unwrap();
            let fb = Array::from_slice(&device, &d.fb).unwrap();
            let ib = Array::from_slice(&device, &d.ib).unwrap();
            let sb = Array::from_slice(&device, &d.sb).unwrap();
            let hb = Array::from_slice(&device, &d.hb).unwrap();
            let result = $module::$kernel::on(&device).threads(threads).launch(
                n, &mut fa, &mut ga, &mut ia, &mut ua, &mut va, &mut sa, &mut ra, &fb, &ib, &sb, &hb, d.nf, d.ni, d.nu,
            );
            d.fa = fa.to_vec().unwrap();
            d.ga = ga.to_vec().unwrap();
            d.ia = ia.to_vec().unwrap();
            d.ua = ua.to_vec().unwrap();
            d.va = va.to_vec().unwrap();
            d.sa = sa.to_vec().unwrap();
            d.ra = ra.to_vec().unwrap();
            $crate::harness::end_of_launch(result)
        }
    };
}
