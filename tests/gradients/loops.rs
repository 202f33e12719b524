//! Loops whose turns depend on each other.

use super::*;

#[kernel]
fn accumulated(x: &[f32], w: &[f32], n: usize, out: &mut [f32]) {
    let i = tid();
    let area = x[i] * x[i];
    let mut acc = 5.0;
    for j in 0..n {
        acc += w[j] * x[i];
    }
    out[i] = acc * area;
}

/// Behind a loop the product rule needs what the loop has left, and not what it began with.
#[on_every_device]
fn a_value_from_before_a_loop_is_used_after_it() {
    let run = |x: &[f32], w: &[f32], n: usize| {
        let (x, w, mut out) = (array(x), array(w), zeros(1));
        back(&mut out, 1.0f32, |out| accumulated::launch(1, &x, &w, n, out));
        (all(&out), gradient(&x), gradient(&w))
    };
    let (out, dx, dw) = run(&[3.0], &[1.0, 2.0, 0.5], 3);
    close(&out, &[139.5]);
    close(&dx, &[124.5]);
    close(&dw, &[27.0; 3]);
    let (out, dx, dw) = run(&[3.0], &[1.0, 2.0, 0.5], 0);
    close(&out, &[45.0]);
    close(&dx, &[30.0]);
    close(&dw, &[0.0; 3]);

    let (x, w) = ([0.7f32], [0.3f32, -1.5, 2.0, 0.25]);
    let (_, dx, dw) = run(&x, &w, 4);
    let f = |x: f64, w: &[f64]| (5.0 + w.iter().map(|w| w * x).sum::<f64>()) * x * x;
    close(&dx, &slopes(&wide(&x), |x| f(x[0], &wide(&w))));
    close(&dw, &slopes(&wide(&w), |w| f(0.7f32.into(), w)));
}

#[kernel]
fn ragged(first: &[u32], angle: &[f32], off: &[f32], out: &mut [f32]) {
    let mut p = 1.0;
    for b in 0..off.len() {
        p = 1.1 * p + off[b];
        for j in first[b] as usize..first[b + 1] as usize {
            p = p + angle[j].sin() * p;
        }
    }
    out[tid()] = p;
}

/// The state of the outer loop goes through the inner one, which has 2, 0 and 3 turns.
#[on_every_device]
fn nested_loops_are_ragged() {
    let run = |first: &[u32], angle: &[f32], off: &[f32]| {
        let (first, angle, off, mut out) = (array(first), array(angle), array(off), zeros(1));
        back(&mut out, 1.0f32, |out| ragged::launch(1, &first, &angle, &off, out));
        (all(&out), gradient(&angle), gradient(&off))
    };
    let (out, dangle, doff) = run(&[0, 2, 2, 5], &[0.1, -0.2, 0.3, 0.4, -0.5], &[0.5, -0.25, 2.0]);
    close(&out, &[3.215237939]);
    close(&dangle, &[1.446445564, 1.955455425, 2.370965816, 2.131417271, 5.420236597]);
    close(&doff, &[0.999272932, 1.030748622, 0.937044201]);

    let (first, angle, off) = ([0u32, 0, 3, 4, 4], [0.7f32, -0.1, 0.2, 0.9], [-0.5f32, 1.0, 0.1, 3.0]);
    let f = |angle: &[f64], off: &[f64]| {
        let mut p = 1.0;
        for (b, off) in off.iter().enumerate() {
            p = 1.1f32 as f64 * p + off;
            p += (first[b]..first[b + 1]).fold(0.0, |more, j| more + angle[j as usize].sin() * (p + more));
        }
        p
    };
    let (_, dangle, doff) = run(&first, &angle, &off);
    close(&dangle, &slopes(&wide(&angle), |angle| f(angle, &wide(&off))));
    close(&doff, &slopes(&wide(&off), |off| f(&wide(&angle), off)));
}

#[kernel]
fn largest(c: &[f32], x: &[f32], out: &mut [f32]) {
    let i = tid();
    let mut best = -1.0e20;
    for p in 0..3 {
        for q in 0..4 {
            let a = c[p * 4 + q];
            if a == 0.0 {
                continue;
            }
            let v = x[i] * a * (1 + p + q) as f32;
            if v > best {
                best = v;
            }
        }
    }
    out[i] = best;
}

/// Which turn has won differs from thread to thread; turns that are skipped neither win nor get anything.
#[on_every_device]
fn a_running_maximum_skips_turns() {
    let c = array(&[0.0f32, 1.0, 0.0, -2.0, 3.0, 0.0, 0.0, 0.5, -1.0, 0.0, 2.0, 0.0]);
    let (x, mut out) = (array(&[2.0f32, -1.5, 0.25]), zeros(3));
    back(&mut out, 1.0f32, |out| largest::launch(3, &c, &x, out));
    close(&all(&out), &[20.0, 12.0, 2.5]);
    close(&gradient(&x), &[10.0, -8.0, 10.0]);
    let mut expected = [0.0; 12];
    (expected[3], expected[10]) = (-6.0, 11.25);
    close(&gradient(&c), &expected);
}

#[kernel]
fn strided(x: &[f32], n: usize, out: &mut [f32]) {
    let mut s = 1.0;
    for j in (1..n).step_by(3) {
        s = s * s * 0.5 + x[j];
    }
    for j in (0..n).rev().step_by(4) {
        s = s * 0.5 + x[j] * x[j];
    }
    out[tid()] = s;
}

/// Turns that depend on each other come back in the reverse order, whatever the step.
#[on_every_device]
fn steps_and_reversed_ranges_keep_their_order() {
    let run = |x: &[f32]| {
        let (n, x, mut out) = (x.len(), array(x), zeros(1));
        back(&mut out, 1.0f32, |out| strided::launch(1, &x, n, out));
        (all(&out), gradient(&x))
    };
    let tenths: Vec<f32> = (1..=11).map(|k| k as f32 / 10.0).collect();
    let (out, dx) = run(&tenths);
    close(&out, &[0.847564574]);
    close(&dx, &[0.0, 0.070240346, 0.6, 0.0, 0.100343352, 0.0, 0.7, 0.134689062, 0.0, 0.0, 0.675]);
    for n in [0, 1, 2, 7, 40] {
        let x: Vec<f32> = (0..n).map(|k| ((k * 7 + 3) % 11) as f32 / 9.0 - 0.5).collect();
        let f = |x: &[f64]| {
            let s = (1..x.len()).step_by(3).fold(1.0, |s, j| s * s * 0.5 + x[j]);
            (0..x.len()).rev().step_by(4).fold(s, |s, j| s * 0.5 + x[j] * x[j])
        };
        close(&run(&x).1, &slopes(&wide(&x), f));
    }
}

#[kernel]
fn adding(y: &[f32], acc: &mut [f32]) {
    let i = tid();
    for j in 0..y.len() {
        acc[i] += y[j] * (i + 1) as f32;
    }
}

/// To add to an element in a loop is what adding to a variable is.
#[on_every_device]
fn elements_are_added_to_in_loops() {
    let (y, mut acc) = (array(&[1.0f32, 2.0, 3.0]), array(&[1.0f32, 0.0, 0.0, 0.0, 0.0]));
    back(&mut acc, 1.0f32, |acc| adding::launch(5, &y, acc));
    close(&all(&acc), &[7.0, 12.0, 18.0, 24.0, 30.0]);
    close(&gradient(&y), &[15.0; 3]);
    close(&gradient(&acc), &[1.0; 5]);
}
