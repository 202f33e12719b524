//! Kernels without a gradient, and what their authors are told. Those about atomics, overlaps, records and names of scalars
//! stand with their subjects.

use warp_ir::differentiate::{Options, differentiate, tangent};

use super::super::harness::{Source, arr};
use super::{f, gives, refused, zeros};

#[test]
fn numbers_as_bits() {
    let text = "fn k(x: &[f32], y: &mut [f32]) {
        let i = tid();
        y[i] = f32::from_bits(x[i].to_bits() & 0x7fff_ffff);
    }";
    let words = "a number that a gradient flows through is taken apart into bits and put together again, which has no \
        derivative. Compute it with arithmetic (`abs`, `copysign`, `mul_add`), or mark the kernel `no_adjoint`";
    assert_eq!(refused(text, &[1], &[f(&[1.]), zeros(1)], &[]), (words.into(), Some("x[i]".into())));
}

#[test]
fn states_that_are_too_large() {
    let text = "fn k(x: &[f32], n: usize, y: &mut [f32]) {
        let i = tid();
        let mut state = [0.5; 40];
        for j in 0..n { state[j % 40] = state[(j * 7) % 40] * x[i]; }
        y[i] = state[3];
    }";
    let words = "a loop keeps 168 bytes a turn for its gradient, and eight such states do not fit the 1024 bytes that a \
        thread has. Raise `checkpoint_bytes` to 1344, or make what the loop carries smaller";
    let (found, at) = refused(text, &[1], &[f(&[1.]), zeros(1)], &[5]);
    assert_eq!(found, words);
    assert!(at.unwrap().starts_with("state["));
    // Where there is room, there is a gradient.
    let (kernel, _) = Source::new(text).adjoint();
    assert!(differentiate(&kernel, &Options { checkpoint_bytes: 8 * 168, ..Options::of(&kernel) }).is_ok());
}

#[test]
fn a_maximum_beside_what_is_overwritten() {
    let text = "struct Cell { best: f32, sum: f32 }
    fn k(x: &[f32], cells: &mut [Cell]) {
        let i = tid();
        atomic_max(&mut cells[0].best, x[i]);
        cells[i].sum = cells[i].sum * x[i];
    }";
    let words = "the elements of `cells` hold the maximum or minimum of what threads find, and beside it what the kernel \
        reads and overwrites. Use a separate array for the maximum";
    assert_eq!(refused(text, &[2], &[f(&[1., 2.]), zeros(4)], &[]), (words.into(), Some("cells[i]".into())));
}

#[test]
fn halves_that_threads_share() {
    let text = "fn k(x: &[f16], ids: &[u32], y: &mut [f32]) {
        let i = tid();
        y[i] = x[ids[i] as usize].to_f32() * 2.0;
    }";
    let words = "several threads may add to the gradient of one element of `x`, and its half-precision floats have no \
        atomic addition. Use `f32` elements, or hand the array over with `.detach()` if no gradient is meant to reach it";
    let arrays = [arr(&[0x3c00u16, 0x4200]), arr(&[1u32, 1]), zeros(2)];
    assert_eq!(refused(text, &[2], &arrays, &[]), (words.into(), Some("x[ids[i] as usize]".into())));
}

/// Where nothing is added to their gradient, halves may be read by all.
#[test]
fn halves_that_no_gradient_flows_through() {
    let arrays = [f(&[1., 2.]), arr(&[1u32, 1]), arr(&[0x3c00u16, 0x4200]), zeros(2)];
    for read in ["detach(table[ids[i] as usize].to_f32())", "(table[ids[i] as usize].to_f32() as i32) as f32"] {
        let text = format!(
            "fn k(x: &[f32], ids: &[u32], table: &[f16], y: &mut [f32]) {{ let i = tid(); y[i] = x[i] * {read}; }}"
        );
        gives(&text, &[2], &arrays, &[], &[(3, &[3., 6.])], &[(0, &[3., 3.]), (2, &[0., 0.])]);
    }
    // One leaf of the elements is all that the refusal is about.
    let text = "struct Entry { weight: f32, tag: f16 }
    fn k(x: &[f32], ids: &[u32], table: &[Entry], y: &mut [f32]) {
        let i = tid();
        y[i] = x[i] * table[ids[i] as usize].weight;
    }";
    let table = arr(&[2f32.to_bits(), 0, 5f32.to_bits(), 0]);
    let arrays = [f(&[1., 2.]), arr(&[1u32, 1]), table, zeros(2)];
    gives(text, &[2], &arrays, &[], &[(3, &[5., 10.])], &[(0, &[5., 5.]), (2, &[0., 0., 3., 0.])]);
}

#[test]
fn the_reverse_of_a_reverse() {
    let (_, adjoint) = Source::new("fn k(x: &[f32], y: &mut [f32]) { let i = tid(); y[i] = x[i] * x[i]; }").adjoint();
    let adjoint = adjoint.unwrap().kernel;
    let words = "`k adjoint` has no gradient: it is marked `no_adjoint`, or it is the reverse of another kernel. Second \
        derivatives are the forward derivative of the gradient (`hvp`)";
    assert_eq!(differentiate(&adjoint, &Options::of(&adjoint)).unwrap_err().message, words);
    assert!(tangent(&adjoint).is_ok());
}

#[test]
fn forward_through_a_maximum() {
    let (kernel, _) = Source::new("fn k(x: &[f32], y: &mut [f32]) { atomic_min(&mut y[0], x[tid()]); }").adjoint();
    let words = "which thread finds the minimum in `y` is known after the launch alone, so that this kernel has no forward \
        derivative. Take its gradient, or find the minimum with a kernel of one thread";
    assert_eq!(tangent(&kernel).unwrap_err().message, words);
}

#[test]
fn what_decides_and_depends_on_the_order() {
    let text = "fn k(x: &[f32], n: &mut [u32], y: &mut [f32]) {
        let i = tid();
        atomic_add(&mut n[0], 1);
        y[i] = x[i] * n[0] as f32;
    }";
    let words = "`n` is added to by other threads and read in the same kernel, so that what is read depends on their order. \
        Use two kernels";
    assert_eq!(refused(text, &[1], &[f(&[1.]), arr(&[0u32]), zeros(1)], &[]), (words.into(), Some("n[0]".into())));
}

/// Of `y[i] = {}`.
fn of(expression: &str) -> String {
    format!("fn k(x: &[f32], y: &mut [f32]) {{ let i = tid(); y[i] = {expression}; }}")
}

#[test]
fn bits_that_are_taken_for_an_integer() {
    let words = "the bits of a number that a gradient flows through are taken for an integer, and that for a number, which \
        has no derivative. Compute it with arithmetic (`log2`, `exp2`), or wrap the number in `detach(..)` if a derivative \
        of zero is meant";
    let log2 = "x[i].to_bits() as f32 * 1.1920929e-7 - 126.94";
    let (found, place) = refused(&of(log2), &[1], &[f(&[1.]), zeros(1)], &[]);
    assert_eq!(found, words);
    assert!(place.unwrap().starts_with("x[i]"));
    for expression in [
        "(x[i].to_bits() << 9) as f32",
        "(x[i].to_bits() >> 22) as f32",
        "(x[i].to_bits() & 0x007f_ffff) as f32",
        "((x[i].to_bits() & 0x007f_ffff) | 0x1000_0000) as i32 as f32",
        "(x[i].to_bits() as i32 - 0x3f80_0000) as f32",
        "(x[i].to_bits() as u64 * 5) as f32",
        "(((x[i].to_bits() as i32) << 9) >> 23) as f32",
        "(x[i] as f64).to_bits() as f32",
        "(((x[i] as f64).to_bits() as u32) >> 3) as f32",
    ] {
        assert_eq!(refused(&of(expression), &[1], &[f(&[1.]), zeros(1)], &[]).0, words, "{expression}");
    }
    // Through memory, and around a loop.
    let text = "fn k(x: &[f32], n: &mut [u32], y: &mut [f32]) {
        let i = tid();
        n[i] = x[i].to_bits();
        let mut bits = 0;
        for j in 0..x.len() { bits ^= n[i] + j as u32; }
        y[i] = bits as f32;
    }";
    assert_eq!(refused(text, &[1], &[f(&[1.]), arr(&[0u32]), zeros(1)], &[]).0, words);
}

/// An exponent stays as it is between two powers of two, and so does what is computed of it.
#[test]
fn exponents_are_constants() {
    // 6 is 1.5 * 2^2, and its bits are 0x40c0_0000.
    for (expression, slope) in [
        ("(x[i].to_bits() >> 23) as f32 * x[i]", 129.0),
        ("((x[i].to_bits() as i32 >> 23) - 127) as f32 * x[i]", 2.0),
        ("((x[i].to_bits() - 0x3f80_0000) >> 23) as f32 * x[i]", 2.0),
        ("(x[i].to_bits() & 0x7f80_0000) as f32 / 8388608.0 * x[i]", 129.0),
        ("(((x[i].to_bits() >> 23) & 0xff) * 3) as f32 * x[i]", 387.0),
        ("((x[i] as f64).to_bits() >> 52) as f32 * x[i]", 1025.0),
        ("detach(x[i]).to_bits() as f32 / 8388608.0 * x[i]", 129.5),
    ] {
        let (_, gradients) = Source::new(&of(expression)).backward(&[1], &[f(&[6.]), zeros(1)], &[], &[]).unwrap();
        assert_eq!(gradients[0], [slope], "{expression}");
    }
}
