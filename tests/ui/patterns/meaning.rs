//! What would mean something else in a kernel than in Rust is refused.
use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(u32)]
pub enum Mode {
    Fast,
    Slow,
}

mod numbers {
    pub const MANY: u32 = 7;
}

#[kernel]
fn variant(x: &[Mode], out: &mut [u32]) {
    use Mode::*;
    let i = tid();
    out[i] = match x[i] {
        Fast => 1,
        Slow => 0,
    };
}

#[kernel]
fn guard(x: &[u32], out: &mut [u32]) {
    let i = tid();
    let mut pair = (x[i], x[0]);
    match &mut pair {
        (a, _) | (_, a) if *a > 3 => *a = 1,
        _ => out[i] = 0,
    }
}

#[kernel]
fn many(x: &[u32], out: &mut [u32]) {
    let i = tid();
    let p = (x[0], x[1]);
    out[i] = match (p, p, p, p, p, p, p) {
        (
            (a, _) | (_, a),
            (b, _) | (_, b),
            (c, _) | (_, c),
            (d, _) | (_, d),
            (e, _) | (_, e),
            (f, _) | (_, f),
            (g, _) | (_, g),
        ) if a + b + c + d + e + f + g > 3 => a,
        _ => 0,
    };
}

#[kernel]
fn inner(out: &mut [u32]) {
    let i = tid();
    if i > 3 {
        use numbers::MANY;
        out[i] = MANY;
    }
}

fn main() {}
