//! Times kernels of the IR's builder against the same loops in Rust: nanoseconds a thread on one core, best of many
//! rounds, and what a launch and a first launch cost. A number printed is a measurement of this machine, not a test.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use warp_core::backend::{Backend, Call, ElementLayout, Executable, How, Printer, Program};
use warp_cpu::Cpu;
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::{Access, ArrayId, ArrayParam, Kernel, Mem, PrintSite, Scalar, Source, Storage, Value};

struct Silent;

impl Printer for Silent {
    fn print(&self, _thread: u64, _site: &PrintSite, _args: &[u64]) {}
}

fn compile(cpu: &Cpu, kernel: Kernel) -> Arc<dyn Executable> {
    let layout = |array: &ArrayParam| {
        let size: usize = array.leaves.iter().map(|leaf| leaf.size()).sum();
        let offsets = (0..array.leaves.len()).map(|k| k * array.leaves[0].size()).collect();
        ElementLayout { size, align: array.leaves[0].size(), offsets }
    };
    let layouts = kernel.function.arrays.iter().map(layout).collect();
    cpu.compile(&Program { kernel, slots: vec![], layouts }).expect("the kernel compiles")
}

fn launch(executable: &Arc<dyn Executable>, dims: &[u64], words: &[u64], threads: Option<usize>) {
    // SAFETY: callers pass addresses and lengths of slices that they hold.
    unsafe {
        executable.launch(&Call { words, dims, how: How { threads, ..How::default() }, printer: &Silent, queued: None })
    }
    .expect("no thread fails");
}

fn words<T>(slice: &mut [T]) -> [u64; 2] {
    [slice.as_mut_ptr().expose_provenance() as u64, slice.len() as u64]
}

/// Best nanoseconds of a call in many rounds.
fn best(mut call: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    let start = Instant::now();
    while start.elapsed().as_millis() < 300 {
        let round = Instant::now();
        call();
        best = best.min(round.elapsed().as_nanos() as f64);
    }
    best
}

fn report(name: &str, threads: f64, compiled: f64, rust: f64) {
    println!(
        "{name:24} {:8.3} ns a thread, rust {:8.3}, ratio {:5.2}",
        compiled / threads,
        rust / threads,
        rust / compiled
    );
}

fn source(b: &mut Builder) -> warp_ir::ir::SourceId {
    b.source(Source::default())
}

fn array(b: &mut Builder, name: &str, leaves: &[Scalar], rank: u8, access: Access) -> ArrayId {
    let storage = Storage::Elements;
    b.array(ArrayParam { name: name.into(), leaves: leaves.into(), rank, strided: false, access, storage })
}

fn saxpy() -> Kernel {
    let mut b = Builder::new("saxpy");
    let x = b.slice("x", Scalar::F32, Access::Read);
    let y = b.slice("y", Scalar::F32, Access::Write);
    let a = b.param("a", Scalar::F32);
    let (i, at) = (b.tid(0), source(&mut b));
    b.check_index(Mem::Array(x), 0, i, at);
    let xi = b.load(Mem::Array(x), i, 0);
    let product = b.mul(a, xi);
    b.check_index(Mem::Array(y), 0, i, at);
    let yi = b.load(Mem::Array(y), i, 0);
    let sum = b.add(product, yi);
    b.store(Mem::Array(y), i, 0, sum);
    b.finish_kernel(1)
}

fn bench_saxpy(cpu: &Cpu) {
    let kernel = compile(cpu, saxpy());
    for n in [8192usize, 1 << 22] {
        let (mut x, mut y) = (vec![1f32; n], vec![2f32; n]);
        let args = [&words(&mut x)[..], &words(&mut y), &[u64::from(2.5f32.to_bits())]].concat();
        let compiled = best(|| launch(&kernel, &[n as u64], &args, Some(1)));
        let rust = best(|| {
            let (x, y) = black_box((&x[..], &mut y[..]));
            for i in 0..n {
                y[i] += 2.5 * x[i];
            }
        });
        report(&format!("saxpy {n}"), n as f64, compiled, rust);
    }
}

/// W2: a particle in a central field.
fn gravity() -> Kernel {
    let mut b = Builder::new("gravity");
    let leaves = [Scalar::F32; 3];
    let pos = Mem::Array(array(&mut b, "pos", &leaves, 1, Access::Write));
    let vel = Mem::Array(array(&mut b, "vel", &leaves, 1, Access::Write));
    let (strength, dt) = (b.param("strength", Scalar::F32), b.param("dt", Scalar::F32));
    let (i, at) = (b.tid(0), source(&mut b));
    b.check_index(pos, 0, i, at);
    let p: Vec<Value> = (0..3).map(|k| b.load(pos, i, k)).collect();
    let squares: Vec<Value> = p.iter().map(|&x| b.mul(x, x)).collect();
    let partial = b.add(squares[0], squares[1]);
    let square = b.add(partial, squares[2]);
    let r = b.sqrt(square);
    let tiny = b.f32(1e-6);
    let near = b.lt(r, tiny);
    let far = b.not(near);
    b.if_then(far, |b| {
        let r2 = b.mul(r, r);
        let scale = b.div(strength, r2);
        b.check_index(vel, 0, i, at);
        for k in 0..3 {
            let minus = b.neg(p[k as usize]);
            let direction = b.div(minus, r);
            let a = b.mul(direction, scale);
            let change = b.mul(a, dt);
            let old = b.load(vel, i, k);
            let v = b.add(old, change);
            b.store(vel, i, k, v);
            let step = b.mul(v, dt);
            let new = b.add(p[k as usize], step);
            b.store(pos, i, k, new);
        }
    });
    b.finish_kernel(1)
}

fn bench_gravity(cpu: &Cpu) {
    let n = 100_000usize;
    let kernel = compile(cpu, gravity());
    let point = |i: usize| [10.0 + (i % 1000) as f32, (i % 77) as f32 - 30.0, (i % 13) as f32];
    let (mut pos, mut vel): (Vec<[f32; 3]>, _) = ((0..n).map(point).collect(), vec![[0f32; 3]; n]);
    let scalars = [u64::from(0.5f32.to_bits()), u64::from(0.01f32.to_bits())];
    let args = [&words(&mut pos)[..], &words(&mut vel), &scalars].concat();
    let compiled = best(|| launch(&kernel, &[n as u64], &args, Some(1)));
    let rust = best(|| {
        let (pos, vel) = black_box((&mut pos[..], &mut vel[..]));
        for i in 0..n {
            let p = pos[i];
            let r = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
            if r < 1e-6 {
                continue;
            }
            let scale = 0.5 / (r * r);
            for k in 0..3 {
                vel[i][k] += -p[k] / r * scale * 0.01;
                pos[i][k] = p[k] + vel[i][k] * 0.01;
            }
        }
    });
    report("gravity", n as f64, compiled, rust);
}

/// W5: one step of heat on a grid; the border is copied.
fn heat() -> Kernel {
    let mut b = Builder::new("heat");
    let u = array(&mut b, "u", &[Scalar::F32], 2, Access::Read);
    let out = array(&mut b, "out", &[Scalar::F32], 2, Access::Write);
    let (i, j, at) = (b.tid(0), b.tid(1), source(&mut b));
    let (rows, columns) = (b.extent(u, 0), b.extent(u, 1));
    let one = b.u64(1);
    let at2 = |b: &mut Builder, array: ArrayId, i: Value, j: Value| {
        b.check_index(Mem::Array(array), 0, i, at);
        b.check_index(Mem::Array(array), 1, j, at);
        let across = b.extent(array, 1);
        let row = b.mul(i, across);
        b.add(row, j)
    };
    let index = at2(&mut b, u, i, j);
    let c = b.load(Mem::Array(u), index, 0);
    let (below_i, below_j) = (b.sub(rows, one), b.sub(columns, one));
    let tests = [b.le(one, i), b.lt(i, below_i), b.le(one, j), b.lt(j, below_j)];
    let inside = tests.into_iter().reduce(|a, c| b.pure(Builtin::And, &[a, c])).expect("there are four");
    let value = b.if_(
        inside,
        |b| {
            let (up, down, left, right) = (b.sub(i, one), b.add(i, one), b.sub(j, one), b.add(j, one));
            let mut sum = None;
            for (i, j) in [(up, j), (down, j), (i, left), (i, right)] {
                let index = at2(b, u, i, j);
                let x = b.load(Mem::Array(u), index, 0);
                sum = Some(sum.map_or(x, |sum| b.add(sum, x)));
            }
            let (four, tenth) = (b.f32(4.0), b.f32(0.1));
            let middle = b.mul(four, c);
            let difference = b.sub(sum.expect("there are four"), middle);
            let change = b.mul(tenth, difference);
            vec![b.add(c, change)]
        },
        |_| vec![c],
    );
    let index = at2(&mut b, out, i, j);
    b.store(Mem::Array(out), index, 0, value[0]);
    b.finish_kernel(2)
}

fn bench_heat(cpu: &Cpu) {
    let n = 512usize;
    let kernel = compile(cpu, heat());
    let (mut u, mut out): (Vec<f32>, _) = ((0..n * n).map(|k| (k % 17) as f32).collect(), vec![0f32; n * n]);
    let (address, to, size) = (words(&mut u)[0], words(&mut out)[0], n as u64);
    let args = [address, size, size, to, size, size];
    let compiled = best(|| launch(&kernel, &[size, size], &args, Some(1)));
    let rust = best(|| {
        let (u, out, n) = black_box((&u[..], &mut out[..], n));
        for i in 0..n {
            for j in 0..n {
                let c = u[i * n + j];
                out[i * n + j] = if i >= 1 && i < n - 1 && j >= 1 && j < n - 1 {
                    let sum = u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1];
                    c + 0.1 * (sum - 4.0 * c)
                } else {
                    c
                };
            }
        }
    });
    report("heat", (n * n) as f64, compiled, rust);
}

/// W14: iterations until escape.
fn mandelbrot() -> Kernel {
    let mut b = Builder::new("mandelbrot");
    let count = b.slice("count", Scalar::I32, Access::Write);
    let (n, steps) = (b.param("n", Scalar::I32), b.param("steps", Scalar::I32));
    let (p, at) = (b.tid(0), source(&mut b));
    let p32 = b.cast(Scalar::I32, p);
    let zero32 = b.const_(Scalar::I32, 0);
    let positive = b.lt(zero32, n);
    b.check(positive, warp_ir::ir::CheckKind::DivideByZero, &[], at);
    let (ix, iy) = (b.pure(Builtin::Rem, &[p32, n]), b.pure(Builtin::Div, &[p32, n]));
    let int = |b: &mut Builder, x: i64| b.int(Scalar::I32, x);
    let (c26, c13, c20, c10, c1) = (int(&mut b, 26), int(&mut b, 13), int(&mut b, 20), int(&mut b, 10), int(&mut b, 1));
    let ten_n = b.mul(c10, n);
    let scale = b.cast(Scalar::F32, ten_n);
    let (x26, n20) = (b.mul(c26, ix), b.mul(c20, n));
    let x = b.add(x26, c13);
    let x = b.sub(x, n20);
    let x = b.cast(Scalar::F32, x);
    let cx = b.div(x, scale);
    let (y26, one_less) = (b.mul(c26, iy), b.sub(c1, n));
    let y13 = b.mul(c13, one_less);
    let y = b.add(y26, y13);
    let y = b.cast(Scalar::F32, y);
    let cy = b.div(y, scale);
    let zero = b.f32(0.0);
    // The test and the update share the squares by carrying them; `break` is a flag.
    let running = b.bool(true);
    let results = b.loop_(
        &[zero, zero, zero32, running],
        |b, carried| {
            let more = b.lt(carried[2], steps);
            b.pure(Builtin::And, &[more, carried[3]])
        },
        |b, carried| {
            let (zx, zy, k) = (carried[0], carried[1], carried[2]);
            let (x2, y2) = (b.mul(zx, zx), b.mul(zy, zy));
            let square = b.add(x2, y2);
            let four = b.f32(4.0);
            let outside = b.lt(four, square);
            b.if_(
                outside,
                |b| vec![zx, zy, k, b.bool(false)],
                |b| {
                    let twice = b.add(zx, zx);
                    let product = b.mul(twice, zy);
                    let y = b.add(product, cy);
                    let difference = b.sub(x2, y2);
                    let x = b.add(difference, cx);
                    let one = b.int(Scalar::I32, 1);
                    vec![x, y, b.add(k, one), b.bool(true)]
                },
            )
        },
    );
    b.check_index(Mem::Array(count), 0, p, at);
    b.store(Mem::Array(count), p, 0, results[2]);
    b.finish_kernel(1)
}

fn bench_mandelbrot(cpu: &Cpu) {
    let n = 64usize;
    let kernel = compile(cpu, mandelbrot());
    let mut count = vec![0i32; n * n];
    let args = [&words(&mut count)[..], &[n as u64, 256]].concat();
    let compiled = best(|| launch(&kernel, &[(n * n) as u64], &args, Some(1)));
    let sum: i64 = count.iter().map(|k| i64::from(*k)).sum();
    let rust = best(|| {
        let (count, n) = black_box((&mut count[..], n as i32));
        for p in 0..(n * n) {
            let (ix, iy) = (p % n, p / n);
            let cx = (26 * ix + 13 - 20 * n) as f32 / (10 * n) as f32;
            let cy = (26 * iy + 13 * (1 - n)) as f32 / (10 * n) as f32;
            let (mut zx, mut zy, mut k) = (0f32, 0f32, 0);
            while k < 256 {
                let (x2, y2) = (zx * zx, zy * zy);
                if x2 + y2 > 4.0 {
                    break;
                }
                zy = (zx + zx) * zy + cy;
                zx = (x2 - y2) + cx;
                k += 1;
            }
            count[p as usize] = k;
        }
    });
    assert_eq!(sum, count.iter().map(|k| i64::from(*k)).sum::<i64>(), "both count alike");
    report("mandelbrot", (n * n) as f64, compiled, rust);
}

/// Three arrays and one thread: the price of a launch.
fn bench_launch(cpu: &Cpu) {
    let mut b = Builder::new("three");
    let arrays: Vec<ArrayId> = (0..3).map(|k| b.slice(&format!("a{k}"), Scalar::F32, Access::Write)).collect();
    let (i, at) = (b.tid(0), source(&mut b));
    for array in arrays {
        b.check_index(Mem::Array(array), 0, i, at);
        let x = b.load(Mem::Array(array), i, 0);
        let one = b.f32(1.0);
        let more = b.add(x, one);
        b.store(Mem::Array(array), i, 0, more);
    }
    let kernel = compile(cpu, b.finish_kernel(1));
    let (mut x, mut y, mut z) = ([0f32; 1], [0f32; 1], [0f32; 1]);
    let args = [words(&mut x), words(&mut y), words(&mut z)].concat();
    let calls = 1000;
    let time = best(|| (0..calls).for_each(|_| launch(&kernel, &[1], &args, None)));
    println!("{:24} {:8.1} ns", "launch of one thread", time / f64::from(calls));
}

fn bench_first_launch(cpu: &Cpu) {
    for (name, kernel) in [("saxpy", saxpy()), ("gravity", gravity()), ("heat", heat())] {
        let start = Instant::now();
        let executable = compile(cpu, kernel);
        let mut memory = vec![0f32; 64];
        let address = words(&mut memory)[0];
        let args: &[u64] = match name {
            "saxpy" => &[address, 1, address, 1, 0],
            "gravity" => &[address, 1, address + 16, 1, 0, 0],
            _ => &[address, 1, 1, address + 16, 1, 1],
        };
        launch(&executable, if name == "heat" { &[1, 1] } else { &[1] }, args, None);
        println!("{:24} {:8.3} ms", format!("first launch of {name}"), start.elapsed().as_secs_f64() * 1e3);
    }
}

fn main() {
    let cpu = Cpu::with_threads(2);
    bench_first_launch(&cpu);
    bench_launch(&cpu);
    bench_saxpy(&cpu);
    bench_gravity(&cpu);
    bench_heat(&cpu);
    bench_mandelbrot(&cpu);
}
