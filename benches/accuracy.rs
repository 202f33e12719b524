//! The functions of one `f32`, for every number that there is, against `f64`: the largest distance from the true value
//! in units of the last place, where it is, and what a kernel takes for a number. The rows say which functions there are.
//!
//! `cargo bench --bench accuracy` takes an hour or so for all; names choose some: `cargo bench --bench accuracy sin exp`. A
//! function that is farther off than its row says is an error at the end.
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

/// How far a number is from the true value; infinite where only one of them is NaN, or one infinite without reason.
fn distance(found: f32, expected: f64) -> f64 {
    let rounded = expected as f32;
    if found.is_finite() && expected.is_finite() {
        return (f64::from(found) - expected).abs() / unit(expected);
    }
    // Beside the largest number, either side will do.
    let beyond =
        found.is_infinite() && expected.abs() > f64::from(f32::MAX) && found.is_sign_negative() == (expected < 0.0);
    match found == rounded || (found.is_nan() && rounded.is_nan()) {
        true => 0.0,
        false if beyond => 0.5,
        false => f64::INFINITY,
    }
}

/// The worst of some numbers; `expected` knows the true value of the k-th.
fn worst_of(start: u64, step: u64, found: &[f32], expected: impl Fn(usize, f64) -> f64) -> Worst {
    let mut worst = Worst::default();
    for (k, found) in found.iter().enumerate() {
        let bits = (start + k as u64 * step) as u32;
        let error = distance(*found, expected(k, f64::from(f32::from_bits(bits))));
        if error > worst.error {
            worst = Worst { error, bits };
        }
    }
    worst
}

/// A function of the table.
struct Function {
    name: &'static str,
    single: fn(&Array<u32>, &mut Array<f32>) -> Result<(), warp::Error>,
    /// The same in F64, on the same numbers, which another table holds to the true values.
    double: fn(&Array<u32>, &mut Array<f64>) -> Result<(), warp::Error>,
    /// Rust's own in F64, where Rust has it.
    rusts: fn(f64) -> Option<f64>,
}

/// Whether the function is as near as its row says.
fn measure(function: &Function, every: u64) -> Result<bool, warp::Error> {
    let device = Device::cpu();
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let (mut worst, mut time, mut count) = (Worst::default(), Duration::ZERO, 0u64);
    let is_rusts = (function.rusts)(0.5).is_some();
    let mut out = Array::<f32>::zeros(&device, BATCH)?;
    let mut wide = Array::<f64>::zeros(&device, BATCH)?;
    let mut start = 0;
    while start < 1 << 32 {
        let bits: Vec<u32> = (0..BATCH as u64).map(|k| (start + k * every) as u32).collect();
        let bits = Array::from_slice(&device, &bits)?;
        let before = Instant::now();
        (function.single)(&bits, &mut out)?;
        time += before.elapsed();
        count += BATCH as u64;
        let found = out.to_vec()?;
        if !is_rusts {
            (function.double)(&bits, &mut wide)?;
        }
        let ours = if is_rusts { vec![] } else { wide.to_vec()? };
        let part = BATCH.div_ceil(threads);
        let parts: Vec<Worst> = std::thread::scope(|scope| {
            let check = |(k, found)| {
                let (first, ours, rusts) = (k * part, &ours, function.rusts);
                let expected = move |k: usize, x: f64| rusts(x).unwrap_or_else(|| ours[first + k]);
                scope.spawn(move || worst_of(start + first as u64 * every, every, found, expected))
            };
            let running: Vec<_> = found.chunks(part).enumerate().map(check).collect();
            running.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
        });
        worst = parts.into_iter().fold(worst, |a, b| if b.error > a.error { b } else { a });
        start += BATCH as u64 * every;
    }
    let at = f32::from_bits(worst.bits);
    let each = time.as_nanos() as f64 / count as f64;
    let (name, says) = (function.name, says(function.name));
    let (error, bits) = (worst.error, worst.bits);
    println!("{name:9} {error:7.4} units at {at:e} ({bits:#010x}), {each:.2} ns, the row says {says}");
    Ok(error <= says)
}

/// What a function's row says of its accuracy in F32, as its page repeats it.
fn says(name: &str) -> f64 {
    let page = include_str!("../docs/builtins.md");
    let row = page.split("\n### `").find(|text| text.starts_with(&format!("{name}`"))).unwrap_or_default();
    let number = row.split("\nWithin ").nth(1).and_then(|text| text.split(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0.0)
}

macro_rules! functions {
    (: $($name:ident)*; $($two:ident)*) => {
        mod single {
            use warp::prelude::*;
            $(
                #[kernel]
                pub fn $name(bits: &[u32], out: &mut [f32]) {
                    let i = tid();
                    out[i] = f32::from_bits(bits[i]).$name();
                }
            )*
        }

        mod double {
            use warp::prelude::*;
            $(
                #[kernel]
                #[allow(unstable_name_collisions)]
                pub fn $name(bits: &[u32], out: &mut [f64]) {
                    let i = tid();
                    out[i] = (f32::from_bits(bits[i]) as f64).$name();
                }
            )*
        }

        /// Methods that Rust's F64 has come before those of this trait.
        #[allow(unstable_name_collisions, dead_code)]
        mod rusts {
            trait Missing: Sized {
                $( fn $name(self) -> Option<f64> { None } )*
            }
            impl Missing for f64 {}
            $( pub fn $name(x: f64) -> Option<f64> { x.$name().into() } )*
        }

        /// All rows of one float with an accuracy.
        const FUNCTIONS: &[Function] = &[$(Function {
            name: stringify!($name),
            single: |bits, out| single::$name::launch(BATCH, bits, out),
            double: |bits, out| double::$name::launch(BATCH, bits, out),
            rusts: rusts::$name,
        }),*];
    };
}

warp_test_reference::functions_of_floats!(functions);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let every = std::env::var("WARP_EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let wanted: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let mut off = vec![];
    for function in FUNCTIONS.iter().filter(|function| is_wanted(function.name)) {
        if !measure(function, every)? {
            off.push(function.name);
        }
    }
    if off.is_empty() { Ok(()) } else { Err(format!("farther off than their rows say: {}", off.join(", ")).into()) }
}
