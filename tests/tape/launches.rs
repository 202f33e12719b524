//! Small programs on which a tape easily goes wrong, with gradients worked out by hand.

use super::*;

#[kernel]
fn square2(a: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = 2.0 * a[i] * a[i];
}

#[kernel]
fn triple(b: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = 3.0 * b[i];
}

#[kernel]
fn prepare(k: &[f32], tmp: &mut [f32]) {
    let i = tid();
    tmp[i] = -k[0];
}

#[kernel]
fn apply(tmp: &[f32], x: &[f32], v: &mut [f32]) {
    let i = tid();
    v[i] = tmp[i] * x[i];
}

#[on_every_device]
fn in_place_updates_one_after_another() {
    let source = array(&[0.5, -1.0, 2.0]);
    let mut a = array(&[0.0; 3]);
    let (loss, tape) = gradient_of_sum(|| {
        a.copy_from(&source)?;
        square_plus_one::launch(3, &mut a)?;
        square_plus_one::launch(3, &mut a)?;
        a.try_clone()
    });
    assert_eq!(a.to_vec().unwrap(), [2.5625, 5.0, 26.0]);
    assert_eq!(loss, 33.5625);
    assert_eq!(source.grad().unwrap().to_vec().unwrap(), [2.5, -8.0, 40.0]);
    assert_eq!(tape.grad(&source).unwrap().to_vec().unwrap(), [2.5, -8.0, 40.0]);
    // What `a` held before it was overwritten had no use.
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [0.0; 3]);
}

#[on_every_device]
fn a_write_ends_the_life_of_what_was_there() {
    let (a, b) = (array(&[1.0, 1.0]), array(&[1.0, 2.0]));
    let mut y = array(&[0.0; 2]);
    gradient_of_sum(|| {
        square2::launch(2, &a, &mut y)?;
        triple::launch(2, &b, &mut y)?;
        y.try_clone()
    });
    assert_eq!(y.to_vec().unwrap(), [3.0, 6.0]);
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [0.0; 2]);
    assert_eq!(b.grad().unwrap().to_vec().unwrap(), [3.0; 2]);
}

#[on_every_device]
fn arrays_in_the_middle_need_no_word() {
    let (k, x) = (array(&[1.5]), array(&[1.0, 2.0, 4.0]));
    gradient_of_sum(|| {
        let (mut tmp, mut v) = (array(&[0.0; 3]), array(&[0.0; 3]));
        prepare::launch(3, &k, &mut tmp)?;
        apply::launch(3, &tmp, &x, &mut v)?;
        Ok(v)
    });
    assert_eq!(k.grad().unwrap().to_vec().unwrap(), [-7.0]);
    assert_eq!(x.grad().unwrap().to_vec().unwrap(), [-1.5; 3]);
}

#[kernel]
fn largest_product(x: &[f32], w: &[f32], best: &mut [f32]) {
    let i = tid();
    let v = x[i] * w[i];
    atomic_max(&mut best[0], v);
}

#[kernel]
fn squared(a: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i] * a[i];
}

#[on_every_device]
fn the_winner_of_a_maximum_has_its_gradient() {
    let (x, w) = (array(&[1.0, 4.0, 2.0, 3.0]), array(&[2.0, 1.0, 0.5, 1.5]));
    for checkpointed in [false, true] {
        for (first, dx, dw, dfirst) in [(-1e30, 13.5, 27.0, 0.0), (100.0, 0.0, 0.0, 200.0)] {
            let mut best = array(&[first]);
            let (loss, tape) = record(checkpointed, || {
                let mut loss = array(&[0.0]);
                largest_product::launch(4, &x, &w, &mut best)?;
                squared::launch(1, &best, &mut loss)?;
                best.fill(0.0)?; // the value after the launch is needed
                Ok(loss)
            });
            tape.backward(&loss).unwrap();
            assert_eq!(x.grad().unwrap().to_vec().unwrap(), [0.0, 0.0, 0.0, dx]);
            assert_eq!(w.grad().unwrap().to_vec().unwrap(), [0.0, 0.0, 0.0, dw]);
            assert_eq!(best.grad().unwrap().to_vec().unwrap(), [dfirst]);
        }
    }
}

#[kernel]
fn shadows(a: &[f32], out: &mut [f32], second: &mut [f32]) {
    let i = tid();
    let x = a[i];
    let mut acc = x;
    {
        let x = x * 10.0;
        acc += x;
        let mut acc = 1000.0;
        acc += x;
        second[i] = acc;
    }
    let x = if x > 1.0 {
        let x = x - 1.0;
        x * x
    } else {
        x
    };
    for x in 0..3 {
        acc += x as f32;
    }
    out[i] = acc + x;
}

#[on_every_device]
fn shadowed_names_have_gradients_of_their_own() {
    let (a, mut out, mut second) = (array(&[3.0, 0.5]), array(&[0.0; 2]), array(&[0.0; 2]));
    let tape = Tape::record(|| shadows::launch(2, &a, &mut out, &mut second)).unwrap();
    tape.backward_with([(&out, &array(&[1.0; 2]))]).unwrap();
    assert_eq!(out.to_vec().unwrap(), [40.0, 9.0]);
    assert_eq!(second.to_vec().unwrap(), [1030.0, 1005.0]);
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [15.0, 12.0]);
}

#[on_every_device]
fn backward_again_is_the_same() {
    let mut a = array(&[0.3, 0.7, -1.2]);
    let (loss, tape) = Tape::record_with(|| {
        square_plus_one::launch(3, &mut a)?;
        square_plus_one::launch(3, &mut a)?;
        total(&a)
    })
    .unwrap();
    tape.backward(&loss).unwrap();
    let first = a.grad().unwrap();
    let bits = |g: &Array<f32>| g.to_vec().unwrap().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let expected = bits(&first);
    tape.backward(&loss).unwrap();
    assert_eq!(bits(&a.grad().unwrap()), expected);
    assert_eq!(bits(&first), expected, "a gradient in hand is not written");
}
