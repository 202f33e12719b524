//! What a function of floats costs: nanoseconds of processor time a number, one by one and in the lanes of vectors.

use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use measure::Clock;
use warp::prelude::*;
use warp_cpu::Cpu;

mod measure;

/// Numbers of a launch: with their results they stay within the second level of caches.
const NUMBERS: usize = 1 << 14;

/// A launch of one of the kernels.
type Launch<T> = fn(&Device, &Array<T>, &Array<T>, &mut Array<T>) -> Result<(), warp::Error>;

/// A kernel a function, which the second number is an argument of where it has two.
macro_rules! kernels {
    ($float:ident; $($name:ident: |$x:ident, $y:ident| $value:expr;)*) => {
        mod $float {
            use warp::prelude::*;
            $(
                #[kernel]
                pub(super) fn $name(x: &[$float], y: &[$float], out: &mut [$float]) {
                    let i = tid();
                    let ($x, $y) = (x[i], y[i]);
                    out[i] = $value;
                }
            )*

            pub(super) const KERNELS: &[(&str, super::Launch<$float>)] = &[
                $((stringify!($name), |device, x, y, out| $name::on(device).launch(super::NUMBERS, x, y, out))),*
            ];
        }
    };
}

macro_rules! functions {
    ($($float:ident)*) => {
        $(kernels! {
            $float;
            add: |x, y| x + y;
            div: |x, y| x / y;
            sqrt: |x, _y| x.sqrt();
            sin: |x, _y| x.sin();
            cos: |x, _y| x.cos();
            exp: |x, _y| x.exp();
            log: |x, _y| x.ln();
            pow: |x, y| x.powf(y);
            atan2: |x, y| x.atan2(y);
        })*
    };
}

functions!(f32 f64);

/// All kernels of one float type, on numbers between 0.1 and 10.
fn measure_all<T: Element>(c: &mut Criterion<Clock>, float: &str, kernels: &[(&str, Launch<T>)], number: fn(f64) -> T) {
    let devices = [("one by one", Cpu::with_threads(1).scalar()), ("in lanes", Cpu::with_threads(1).lanes())]
        .map(|(name, cpu)| (name, Device::new(Arc::new(cpu))));
    for (kernel, launch) in kernels {
        let mut group = c.benchmark_group(format!("{float}/{kernel}"));
        group.throughput(Throughput::Elements(NUMBERS as u64));
        for (name, device) in &devices {
            let numbers = |step: usize| {
                let at = move |i: usize| number(0.1 + 9.9 * (i * step % NUMBERS) as f64 / NUMBERS as f64);
                Array::from_fn(device, NUMBERS, |[i]| at(i)).expect("memory")
            };
            let (x, y, mut out) = (numbers(7919), numbers(104_729), numbers(1));
            group.bench_function(*name, |bench| bench.iter(|| launch(device, &x, &y, &mut out).expect("a launch")));
        }
        group.finish();
    }
}

fn all(c: &mut Criterion<Clock>) {
    measure_all(c, "f32", f32::KERNELS, |x| x as f32);
    measure_all(c, "f64", f64::KERNELS, |x| x);
}

criterion_group! { name = benches; config = measure::criterion(Clock::Processor); targets = all }
criterion_main!(benches);
