//! How a run is timed: inputs put back (not timed), then the whole work (timed), again and again.

use std::time::Instant;

/// Wall-clock and processor seconds of each repetition.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// Wall-clock seconds.
    pub wall: Vec<f64>,
    /// Processor seconds of all threads of the process; empty where the system does not tell.
    pub processor: Vec<f64>,
}

/// Repetitions timed at least, where their number is not given.
const LEAST: usize = 5;
/// Repetitions timed at most, where their number is not given.
const MOST: usize = 25;
/// Seconds after which no more than `LEAST` are timed.
const ENOUGH: f64 = 1.5;

/// Runs once untimed, then times `repetitions` runs, or for 0 at least 5 and up to 25 while less than 1.5 s have passed.
/// `prepare` puts the inputs back before each run.
pub fn repeat<S, E>(
    repetitions: usize,
    state: &mut S,
    mut prepare: impl FnMut(&mut S) -> Result<(), E>,
    mut run: impl FnMut(&mut S) -> Result<(), E>,
) -> Result<Times, E> {
    prepare(state)?;
    run(state)?;
    let (least, most) = if repetitions > 0 { (repetitions, repetitions) } else { (LEAST, MOST) };
    let mut times = Times::default();
    let all = Instant::now();
    while times.wall.len() < least || (times.wall.len() < most && all.elapsed().as_secs_f64() < ENOUGH) {
        prepare(state)?;
        let (processor, wall) = (processor_seconds(), Instant::now());
        run(state)?;
        times.wall.push(wall.elapsed().as_secs_f64());
        if let (Some(before), Some(after)) = (processor, processor_seconds()) {
            times.processor.push(after - before);
        }
    }
    Ok(times)
}

/// The middle value; the mean of the two middle ones of an even count; `None` of nothing.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[half]),
        _ => Some(0.5 * (sorted[half - 1] + sorted[half])),
    }
}

/// Processor time that all threads of this process have used so far.
#[cfg(unix)]
pub fn processor_seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9)
}

/// Not to be had without a call that only this system has.
#[cfg(not(unix))]
pub fn processor_seconds() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middle_values() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }

    #[test]
    fn one_untimed_run_and_inputs_put_back_each_time() {
        let mut log = String::new();
        let push = |c: char| {
            move |log: &mut String| {
                log.push(c);
                Ok::<(), ()>(())
            }
        };
        let times = repeat(2, &mut log, push('p'), push('r')).unwrap();
        assert_eq!((times.wall.len(), log.as_str()), (2, "prprpr"));
    }

    #[test]
    fn the_default_count_lies_between_its_bounds() {
        let quick = repeat(0, &mut (), |_| Ok::<(), ()>(()), |_| Ok(())).unwrap();
        assert_eq!(quick.wall.len(), 25);
    }

    #[cfg(unix)]
    #[test]
    fn processor_time_grows_with_work() {
        let before = processor_seconds().unwrap();
        let spin = Instant::now();
        while spin.elapsed().as_secs_f64() < 0.05 {}
        assert!(processor_seconds().unwrap() > before);
    }
}
