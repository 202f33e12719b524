//! Deterministic launches: sums of floats that have the same bits for any number of threads of the machine, each time.

use std::process::Command;

use warp::prelude::*;

/// Threads of the launches, and elements that these add to.
const N: usize = 20_000;
const BINS: usize = 37;

#[kernel]
fn spread(from: &[f32], at: &[u32], to: &mut [f32]) {
    let i = tid();
    atomic_add(&mut to[at[i] as usize], from[i].sqrt());
}

#[kernel]
fn gather(from: &[f32], at: &[u32], to: &mut [f32]) {
    let i = tid();
    to[i] = from[at[i] as usize] * (i as f32).sin();
}

/// Each thread takes the next free place.
#[kernel]
fn claim(count: &mut [u32], out: &mut [u32]) {
    let place = atomic_add(&mut count[0], 1);
    out[place as usize] = tid() as u32;
}

#[kernel]
fn most(x: &[f32], out: &mut [f32]) {
    atomic_max(&mut out[0], x[tid()]);
}

fn numbers() -> (Vec<f32>, Vec<u32>) {
    let from = (0..N).map(|i| 1.0 / (1.0 + (i * 37 % 1009) as f32)).collect();
    (from, (0..N).map(|i| (i * 7919 % 10_007 % BINS) as u32).collect())
}

/// The bits of the sums, of those of a graph's launch, and of a gradient that is made of sums.
fn bits(device: &Device, deterministic: bool) -> Result<[Vec<u32>; 3], Error> {
    let (from, at) = numbers();
    let (from, at) = (Array::from_slice(device, &from)?, Array::from_slice(device, &at)?);
    let [mut sums, mut replayed] = [Array::zeros(device, BINS)?, Array::zeros(device, BINS)?];
    let (mut spread, mut gather) = (spread::on(device), gather::on(device));
    if deterministic {
        (spread, gather) = (spread.deterministic(), gather.deterministic());
    }
    spread.launch(N, &from, &at, &mut sums)?;
    let (graph, ()) = device.capture(|| spread.launch(N, &from, &at, &mut replayed))?;
    graph.launch()?;
    let (table, mut to) = (Array::full(device, BINS, 0.5)?, Array::zeros(device, N)?);
    let tape = Tape::record(|| gather.launch(N, &table, &at, &mut to))?;
    tape.backward_with([(&to, &from)])?;
    let gradient = table.grad()?.to_vec()?;
    Ok([sums.to_vec()?, replayed.to_vec()?, gradient].map(|sums| sums.into_iter().map(f32::to_bits).collect()))
}

/// Holds sums against the same ones in double precision.
fn near(bits: &[u32], of: impl Fn(usize, f64) -> f64) {
    let (from, at) = numbers();
    let mut sums = vec![(0.0, 0.0); BINS];
    for (i, (x, bin)) in from.iter().zip(&at).enumerate() {
        let (sum, size) = &mut sums[*bin as usize];
        let part = of(i, f64::from(*x));
        (*sum, *size) = (*sum + part, *size + part.abs());
    }
    for (found, (sum, size)) in bits.iter().map(|bits| f64::from(f32::from_bits(*bits))).zip(sums) {
        assert!((found - sum).abs() < 1e-5 * size, "{found} in place of {sum}");
    }
}

#[test]
fn sums_have_the_same_bits_for_any_number_of_threads() -> Result<(), Error> {
    let [sums, replayed, gradient] = bits(&Device::cpu_with_threads(1), true)?;
    near(&sums, |_, x| x.sqrt());
    near(&gradient, |i, x| x * f64::from(i as f32).sin());
    assert_eq!(replayed, sums);
    for threads in [2, 3, 16] {
        let device = Device::cpu_with_threads(threads);
        for _ in 0..3 {
            assert_eq!(bits(&device, true)?, [&sums[..], &sums, &gradient], "{threads} threads");
        }
    }
    // Without being asked for, one core has another order.
    assert_ne!(bits(&Device::cpu_with_threads(1), false)?, [&sums[..], &sums, &gradient]);
    Ok(())
}

#[test]
fn who_comes_first_is_the_first_thread() -> Result<(), Error> {
    for threads in [1, 3, 16] {
        let device = Device::cpu_with_threads(threads);
        let (mut count, mut out) = (Array::zeros(&device, 1)?, Array::zeros(&device, N)?);
        claim::on(&device).deterministic().launch(N, &mut count, &mut out)?;
        assert!(out.to_vec()?.into_iter().eq(0..N as u32), "{threads} threads");
        // All are the largest: one has the gradient.
        let (x, mut out) = (Array::full(&device, N, 1.0f32)?, Array::zeros(&device, 1)?);
        let tape = Tape::record(|| most::on(&device).deterministic().launch(N, &x, &mut out))?;
        tape.backward(&out)?;
        let gradient = x.grad()?.to_vec()?;
        assert!(gradient[0] == 1.0 && gradient[1..].iter().all(|part| *part == 0.0), "{threads} threads");
    }
    Ok(())
}

#[test]
fn the_variable_asks_it_of_all_launches() {
    const CASE: &str = "WARP_TEST_DETERMINISTIC_CASE";
    let asked = bits(&Device::cpu_with_threads(2), true).unwrap();
    if std::env::var_os(CASE).is_some() {
        assert_eq!(bits(&Device::cpu_with_threads(1), false).unwrap(), asked);
        return;
    }
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "the_variable_asks_it_of_all_launches"]).env(CASE, "1").env("WARP_DETERMINISTIC", "1");
    let output = command.output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}
