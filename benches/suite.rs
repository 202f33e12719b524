//! Whether lanes make a kernel slower: each program of the conformance suite, one thread after the other and as the backend
//! chooses, in turn.
//!
//! `cargo bench --bench suite` prints the programs that are slower by more than a tenth, and how many are not. A launch of the
//! suite is made longer until it takes about a millisecond. Those that look slow are measured again before they count.

use std::error::Error;

use warp_conformance::Rig;
use warp_conformance::recorded::{Longer, Recorded, launches};
use warp_cpu::Cpu;
use warp_examples_support::timing::{median, processor_seconds};

/// Threads of a launch at least, and what it takes at most.
const THREADS: u64 = 1 << 14;
const SECONDS: f64 = 2e-3;
/// Launches before it counts: by then the backend has made its choice.
const WARM: usize = 6;
const ROUNDS: usize = 9;
/// How often a program has to look slow.
const AGAIN: usize = 3;
/// How many times as long it may take.
const SLOWER: f64 = 1.1;

/// Seconds of processor time so far.
fn now() -> Result<f64, &'static str> {
    processor_seconds().ok_or("this system does not tell processor time")
}

/// Seconds of one launch, or `None` if a thread fails.
fn time(launch: &Longer) -> Result<Option<f64>, Box<dyn Error>> {
    launch.reset()?;
    let start = now()?;
    let outcome = launch.launch();
    let seconds = now()? - start;
    Ok(outcome.ok().map(|()| seconds))
}

/// The program on both backends, long enough; `None` if threads of the longer launch fail.
fn prepare(recorded: &Recorded, rigs: &[Rig; 2]) -> Result<Option<[Longer; 2]>, Box<dyn Error>> {
    let mut times = THREADS.div_ceil(recorded.threads().max(1));
    loop {
        let one = recorded.on(&rigs[0], times)?;
        let Some(seconds) = time(&one)? else { return Ok(None) };
        if seconds <= SECONDS || times == 1 {
            return Ok(Some([one, recorded.on(&rigs[1], times)?]));
        }
        times = times.div_ceil(2);
    }
}

/// Medians of one thread after the other, and as chosen.
fn measure(launches: &[Longer; 2]) -> Result<Option<[f64; 2]>, Box<dyn Error>> {
    let mut times: [Vec<f64>; 2] = Default::default();
    for round in 0..WARM + ROUNDS {
        for (launch, times) in launches.iter().zip(&mut times) {
            let Some(seconds) = time(launch)? else { return Ok(None) };
            if round >= WARM {
                times.push(seconds);
            }
        }
    }
    Ok(Some(times.map(|times| median(&times).unwrap_or(0.0))))
}

fn main() -> Result<(), Box<dyn Error>> {
    std::panic::set_hook(Box::new(|_| {}));
    let recorded = launches(|| Cpu::with_threads(1).scalar());
    let _ = std::panic::take_hook();
    let rigs = [Cpu::with_threads(1).scalar(), Cpu::with_threads(1)].map(Rig::new);
    let (mut ratios, mut failing, mut slow) = (vec![], 0, vec![]);
    for one in &recorded {
        let Some(launches) = prepare(one, &rigs)? else {
            failing += 1;
            continue;
        };
        let mut ratio = f64::INFINITY;
        let mut nanoseconds = [0.0; 2];
        for _ in 0..AGAIN {
            let Some([scalar, chosen]) = measure(&launches)? else { break };
            if chosen / scalar < ratio {
                (ratio, nanoseconds) = (chosen / scalar, [1e9 * scalar, 1e9 * chosen]);
            }
            if ratio <= SLOWER {
                break;
            }
        }
        ratios.push(ratio);
        if ratio > SLOWER {
            slow.push((ratio, nanoseconds, one));
        }
        if launches[0].read() != launches[1].read() {
            println!("{}: the results differ (NaNs may)", one.check);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let at = |part: f64| ratios.get((part * ratios.len() as f64) as usize).copied().unwrap_or(f64::NAN);
    println!("{} programs; {failing} more whose threads fail in longer launches", ratios.len());
    println!(
        "as chosen / one by one: least {:.2}, a quarter below {:.2}, half below {:.2}, nine tenths below {:.2}, most {:.2}",
        at(0.0),
        at(0.25),
        at(0.5),
        at(0.9),
        ratios.last().copied().unwrap_or(f64::NAN)
    );
    slow.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("{} slower by more than a tenth", slow.len());
    for (ratio, [scalar, chosen], one) in slow {
        println!("{} `{}`: {ratio:.2} ({scalar:.0} ns, {chosen:.0} ns)", one.check, one.program.kernel.function.name);
    }
    Ok(())
}
