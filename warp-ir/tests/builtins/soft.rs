//! Fused products and remainders in integers against Rust's own.

use warp_ir::builtins::soft::{fma_f32, fma_f64, rem_f32, rem_f64};
use warp_ir::ir::Scalar;
use warp_ir::random::edges;

use crate::samples::Samples;

fn same64(found: f64, expected: f64) -> bool {
    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan())
}

fn same32(found: f32, expected: f32) -> bool {
    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan())
}

/// Numbers whose exponents lie close together, so that sums cancel, and few bits, so that ties occur.
fn near(samples: &mut Samples) -> f64 {
    let word = samples.word();
    let fraction = samples.word() & ((1 << 52) - 1);
    let fraction = if word & 7 == 0 { fraction & !0xff_ffff_ffff } else { fraction };
    f64::from_bits((1023 - 40 + (word >> 8) % 80) << 52 | fraction | (word & 8) << 60)
}

#[test]
fn f64_fused_on_edges() {
    let values: Vec<f64> = edges(Scalar::F64).into_iter().map(f64::from_bits).collect();
    for &a in &values {
        for &b in &values {
            for &c in &values {
                let (found, expected) = (fma_f64(a, b, c), a.mul_add(b, c));
                assert!(same64(found, expected), "{a:e} {b:e} {c:e}: {found:e}, {expected:e}");
            }
        }
    }
}

#[test]
fn f64_fused_at_random() {
    let mut samples = Samples(73);
    for k in 0..600_000 {
        let mut draw = || if k % 2 == 0 { near(&mut samples) } else { f64::from_bits(samples.word()) };
        let (a, b, mut c) = (draw(), draw(), draw());
        // The addend near the negated product, and denormal results.
        if k % 8 == 0 {
            c = f64::from_bits((-(a * b)).to_bits().wrapping_add(k / 8 % 5));
        }
        let (a, c) = if k % 16 == 2 { (a * 1e-300, c * f64::from_bits(1)) } else { (a, c) };
        let (found, expected) = (fma_f64(a, b, c), a.mul_add(b, c));
        assert!(same64(found, expected), "{a:e} {b:e} {c:e}: {found:e}, {expected:e}");
    }
}

#[test]
fn f32_fused() {
    let mut samples = Samples(79);
    let values: Vec<f32> = edges(Scalar::F32).into_iter().map(|b| f32::from_bits(b as u32)).collect();
    let check = |a: f32, b: f32, c: f32| {
        let (found, expected) = (fma_f32(a, b, c), a.mul_add(b, c));
        assert!(same32(found, expected), "{a:e} {b:e} {c:e}: {found:e}, {expected:e}");
    };
    for &a in &values {
        for &b in &values {
            values.iter().for_each(|&c| check(a, b, c));
        }
    }
    for k in 0..400_000u32 {
        let [a, b, c]: [f32; 3] = std::array::from_fn(|_| match k % 2 {
            0 => near(&mut samples) as f32,
            _ => f32::from_bits(samples.word() as u32),
        });
        check(a, b, c);
        check(a, b, f32::from_bits((-(a * b)).to_bits().wrapping_add(k % 5)));
    }
}

#[test]
fn remainders() {
    let mut samples = Samples(83);
    let values: Vec<f64> = edges(Scalar::F64).into_iter().map(f64::from_bits).collect();
    let random = (0..200_000).map(|k| match k % 2 {
        0 => (near(&mut samples), near(&mut samples)),
        _ => (f64::from_bits(samples.word()), f64::from_bits(samples.word())),
    });
    let pairs = values.iter().flat_map(|&x| values.iter().map(move |&y| (x, y)));
    for (x, y) in pairs.chain(random.collect::<Vec<_>>()) {
        assert!(same64(rem_f64(x, y), x % y), "{x:e} % {y:e}: {:e}, {:e}", rem_f64(x, y), x % y);
        let (x, y) = (x as f32, y as f32);
        assert!(same32(rem_f32(x, y), x % y), "{x:e} % {y:e}: {:e}, {:e}", rem_f32(x, y), x % y);
    }
}
