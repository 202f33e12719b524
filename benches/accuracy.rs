//! The functions of one `f32`, for every number that there is, against `f64`: the largest distance from the true value
//! in units of the last place, where it is, and what a kernel takes for a number.
//!
//! `cargo bench --bench accuracy` takes an hour or so for all; names choose some: `cargo bench --bench accuracy sin exp`.
//! `WARP_EVERY=16` takes every 16th number.

use std::time::{Duration, Instant};

use warp::prelude::*;

/// Numbers in a launch.
const BATCH: usize = 1 << 20;

/// What is known of a function after some numbers.
#[derive(Clone, Copy, Default)]
struct Worst {
    error: f64,
    bits: u32,
}

/// The distance of neighbours of F32 at a number.
fn unit(x: f64) -> f64 {
    let exponent = ((x.abs().to_bits() >> 52) as i32 - 1023).clamp(-126, 127);
    2f64.powi(exponent - 23)
}

fn distance(found: f32, expected: f64) -> f64 {
    let rounded = expected as f32;
    if found == rounded || (found.is_nan() && rounded.is_nan()) {
        return if found.is_finite() { (f64::from(found) - expected).abs() / unit(expected) } else { 0.0 };
    }
    match found.is_infinite() {
        true if expected.abs() > f64::from(f32::MAX) => 0.5,
        true => f64::INFINITY,
        false => (f64::from(found) - expected).abs() / unit(expected),
    }
}

fn worst_of(start: u64, step: u64, found: &[f32], reference: fn(f64) -> f64) -> Worst {
    let mut worst = Worst::default();
    for (k, found) in found.iter().enumerate() {
        let bits = (start + k as u64 * step) as u32;
        let error = distance(*found, reference(f64::from(f32::from_bits(bits))));
        if error > worst.error || error.is_nan() {
            worst = Worst { error, bits };
        }
    }
    worst
}

type Launch = fn(&Array<u32>, &mut Array<f32>) -> Result<(), warp::Error>;

fn measure(name: &str, launch: Launch, reference: fn(f64) -> f64, every: u64) -> Result<(), warp::Error> {
    let device = Device::cpu();
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let (mut worst, mut time, mut count) = (Worst::default(), Duration::ZERO, 0u64);
    let mut start = 0;
    let mut out = Array::<f32>::zeros(&device, BATCH)?;
    while start < 1 << 32 {
        let bits: Vec<u32> = (0..BATCH as u64).map(|k| (start + k * every) as u32).collect();
        let bits = Array::from_slice(&device, &bits)?;
        let before = Instant::now();
        launch(&bits, &mut out)?;
        time += before.elapsed();
        count += BATCH as u64;
        let found = out.to_vec()?;
        let part = BATCH.div_ceil(threads);
        let parts: Vec<Worst> = std::thread::scope(|scope| {
            let check = |(k, found)| {
                let first = start + (k * part) as u64 * every;
                scope.spawn(move || worst_of(first, every, found, reference))
            };
            let running: Vec<_> = found.chunks(part).enumerate().map(check).collect();
            running.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
        });
        worst = parts.into_iter().fold(worst, |a, b| if b.error > a.error { b } else { a });
        start += BATCH as u64 * every;
    }
    let at = f32::from_bits(worst.bits);
    let each = time.as_nanos() as f64 / count as f64;
    println!("{name:9} {:7.4} units at {at:e} ({:#010x}), {each:.2} ns", worst.error, worst.bits);
    Ok(())
}

macro_rules! functions {
    ($($name:ident $reference:expr;)*) => {
        $(
            #[kernel]
            fn $name(bits: &[u32], out: &mut [f32]) {
                let i = tid();
                out[i] = f32::from_bits(bits[i]).$name();
            }
        )*

        fn main() -> Result<(), warp::Error> {
            let every = std::env::var("WARP_EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
            let wanted: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
            let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
            $(
                if is_wanted(stringify!($name)) {
                    measure(stringify!($name), |bits, out| $name::launch(BATCH, bits, out), $reference, every)?;
                }
            )*
            Ok(())
        }
    };
}

functions! {
    sin f64::sin;
    cos f64::cos;
    tan f64::tan;
    asin f64::asin;
    acos f64::acos;
    atan f64::atan;
    sinh f64::sinh;
    cosh f64::cosh;
    tanh f64::tanh;
    asinh f64::asinh;
    acosh f64::acosh;
    atanh f64::atanh;
    exp f64::exp;
    exp2 f64::exp2;
    exp_m1 f64::exp_m1;
    ln f64::ln;
    log2 f64::log2;
    log10 f64::log10;
    ln_1p f64::ln_1p;
    cbrt f64::cbrt;
    erf warp::math::erf::<f64>;
    erfc warp::math::erfc::<f64>;
    erf_inv warp::math::erf_inv::<f64>;
    erfc_inv warp::math::erfc_inv::<f64>;
}
