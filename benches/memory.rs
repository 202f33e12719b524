//! What moves between the host and a device, and what fills and copies arrays there.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use measure::Clock;
use warp::prelude::*;

mod measure;

/// Floats: of a level of caches each, and more than all hold.
const SIZES: [usize; 3] = [1 << 10, 1 << 16, 1 << 24];

fn arrays(c: &mut Criterion<Clock>) {
    let device = Device::cpu();
    for n in SIZES {
        let host: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let from = Array::from_slice(&device, &host).expect("memory");
        let mut array = Array::<f32>::zeros(&device, n).expect("memory");
        let mut group = c.benchmark_group(format!("array of {n} floats"));
        group.throughput(Throughput::Bytes(4 * n as u64));
        group.bench_function("upload", |bench| bench.iter(|| array.copy_from_slice(&host).expect("a copy")));
        group.bench_function("download", |bench| bench.iter(|| array.to_vec().expect("a copy")));
        group.bench_function("copy", |bench| bench.iter(|| array.copy_from(&from).expect("a copy")));
        group.bench_function("fill", |bench| bench.iter(|| array.fill(0.5).expect("a fill")));
        // Where memory comes fresh from the system, whoever touches it first pays for it.
        group.bench_function("new zeros", |bench| bench.iter(|| Array::<f32>::zeros(&device, n).expect("memory")));
        group.finish();
    }
}

criterion_group! { name = benches; config = measure::criterion(Clock::Processor); targets = arrays }
criterion_main!(benches);
