//! Elements that many threads write or read.

use super::*;

#[kernel]
fn winner(x: &[f32], w: &[f32], best: &mut [f32]) {
    let i = tid();
    let v = x[i] * w[i];
    atomic_max(&mut best[0], v);
}

#[kernel]
fn squared(best: &[f32], loss: &mut [f32]) {
    loss[0] = best[0] * best[0];
}

/// Who has won gets the adjoint, be it what was there before.
#[on_every_device]
fn the_winner_of_a_maximum_takes_the_gradient() {
    let run = |before: f32| {
        let (x, w) = (array(&[1.0f32, 4.0, 2.0, 3.0]), array(&[2.0f32, 1.0, 0.5, 1.5]));
        let (mut best, mut loss) = (array(&[before]), zeros(1));
        let program = |best: &mut Array<f32>, loss: &mut Array<f32>| {
            winner::launch(4, &x, &w, best)?;
            squared::launch(1, best, loss)
        };
        agree(0, || program(&mut array(&[before]), &mut zeros(1)));
        back_alone(&mut loss, 1.0f32, |loss| program(&mut best, loss));
        (all(&loss), gradient(&x), gradient(&w), gradient(&best))
    };
    let (loss, dx, dw, _) = run(-1e30);
    close(&loss, &[20.25]);
    close(&dx, &[0.0, 0.0, 0.0, 13.5]);
    close(&dw, &[0.0, 0.0, 0.0, 27.0]);
    let (_, dx, dw, before) = run(100.0);
    close(&dx, &[0.0; 4]);
    close(&dw, &[0.0; 4]);
    close(&before, &[200.0]);
}

#[kernel]
fn gather(table: &[f32], ids: &[u32], w: &[f32], out: &mut [f32]) {
    let i = tid();
    let t = table[ids[i] as usize];
    atomic_add(&mut out[0], t * t * w[i]);
}

/// An element that two threads read gets both their adjoints.
#[on_every_device]
fn computed_indices_repeat() {
    let (table, ids) = (array(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]), array(&[1u32, 3, 1, 5]));
    let (w, mut out) = (array(&[0.25f32, 0.5, 1.0, 2.0]), zeros(1));
    back(&mut out, 1.0f32, |out| gather::launch(4, &table, &ids, &w, out));
    close(&all(&out), &[85.0]);
    close(&gradient(&table), &[0.0, 5.0, 0.0, 4.0, 0.0, 24.0]);
    close(&gradient(&w), &[4.0, 16.0, 4.0, 36.0]);
}

#[kernel]
fn crowd(x: &[f32], out: &mut [f32]) {
    let (i, j) = tid2();
    atomic_add(&mut out[0], x[i] * (j % 7) as f32);
}

/// All sums are whole numbers below 2^24, and so exact in any order.
#[on_every_device]
fn a_hundred_thousand_threads_add_to_one_element() {
    let (x, mut out) = (array(&[1.0f32, 2.0, 3.0]), zeros(1));
    back(&mut out, 1.0f32, |out| crowd::launch((3, 40_000), &x, out));
    assert_eq!(all(&out), [719_970.0]);
    assert_eq!(gradient(&x), [119_995.0; 3]);
}
