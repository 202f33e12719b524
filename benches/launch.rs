//! What a launch costs through the public API: an ordinary one, and the first one of a kernel.
//!
//! `cargo bench --bench launch` prints the numbers beside their targets. It judges nothing, since machines differ.

use std::error::Error;
use std::time::Instant;

use warp::prelude::*;

#[kernel]
fn add(a: &[f32], b: &[f32], sum: &mut [f32]) {
    let i = tid();
    sum[i] = a[i] + b[i];
}

/// Small kernels that differ, so that each has a first launch of its own.
macro_rules! small {
    ($($name:ident: $factor:literal),*) => {
        $(
            #[kernel]
            fn $name(x: &[f32], y: &mut [f32]) {
                let i = tid();
                if i < x.len() {
                    y[i] += $factor * x[i];
                }
            }
        )*

        /// Seconds of the first launch of each.
        fn first_launches(x: &Array<f32>, y: &mut Array<f32>) -> Result<Vec<f64>, warp::Error> {
            let mut seconds = Vec::new();
            $(
                let start = Instant::now();
                $name::launch(1, x, y)?;
                seconds.push(start.elapsed().as_secs_f64());
            )*
            Ok(seconds)
        }
    };
}

small!(a: 1.0, b: 2.0, c: 3.0, d: 4.0, e: 5.0, f: 6.0, g: 7.0, h: 8.0, i: 9.0, j: 10.0, k: 11.0);

/// Launches of one batch, and the number of batches.
const BATCH: (u32, usize) = (20_000, 31);

fn main() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let device = Device::cpu();
    let mut y = Array::<f32>::zeros(&device, 1)?;
    let x = Array::full(&device, 1, 1.0f32)?;
    let opened = start.elapsed().as_secs_f64();

    let first = first_launches(&x, &mut y)?;
    let expected: f32 = (1..=11).map(|k| k as f32).sum();
    if y.to_vec()? != [expected] {
        return Err(format!("The kernels wrote {:?}, expected is {expected}.", y.to_vec()?).into());
    }
    println!("opening the device and two arrays: {:9.3} ms", opened * 1e3);
    println!("first launch of the process:       {:9.3} ms", first[0] * 1e3);
    println!("first launch of a kernel, median:  {:9.3} ms   (target: below 5 ms)", median(&first[1..]) * 1e3);

    let mut sum = Array::<f32>::zeros(&device, 1)?;
    let mut batches = Vec::new();
    for _ in 0..BATCH.1 {
        let start = Instant::now();
        for _ in 0..BATCH.0 {
            add::launch(1, &x, &y, &mut sum)?;
        }
        batches.push(start.elapsed().as_secs_f64() / f64::from(BATCH.0));
    }
    println!("a launch with three arrays, median:{:9.1} ns   (target: below 200 ns)", median(&batches) * 1e9);

    let (graph, ()) = device.capture(|| (0..1000).try_for_each(|_| add::launch(1, &x, &y, &mut sum)))?;
    let mut batches = Vec::new();
    for _ in 0..BATCH.1 {
        let start = Instant::now();
        (0..20).try_for_each(|_| graph.launch())?;
        batches.push(start.elapsed().as_secs_f64() / 20_000.0);
    }
    println!("one of a thousand in a graph:      {:9.1} ns", median(&batches) * 1e9);
    Ok(())
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
