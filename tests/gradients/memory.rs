//! Elements that are overwritten, read back and handed on.

use super::*;

#[kernel]
fn step(a: &mut [f32]) {
    let i = tid();
    a[i] = a[i] * a[i] + 1.0;
}

/// The derivative of the square needs the value from before the write, in both launches.
#[on_every_device]
fn an_update_in_place_is_launched_twice() {
    let (source, mut a) = (array(&[0.5f32, -1.0, 2.0]), zeros(3));
    back(&mut a, 1.0f32, |a| {
        a.copy_from(&source)?;
        step::launch(3, a)?;
        step::launch(3, a)
    });
    close(&all(&a), &[2.5625, 5.0, 26.0]);
    close(&gradient(&source), &[2.5, -8.0, 40.0]);
}

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

/// A write ends the life of what was there, and its adjoint with it.
#[on_every_device]
fn two_launches_write_one_array() {
    let (a, b, mut y) = (array(&[1.0f32, 1.0]), array(&[1.0f32, 2.0]), zeros(2));
    back(&mut y, 1.0f32, |y| {
        square2::launch(2, &a, y)?;
        triple::launch(2, &b, y)
    });
    close(&all(&y), &[3.0, 6.0]);
    close(&gradient(&a), &[0.0; 2]);
    close(&gradient(&b), &[3.0; 2]);
}

#[kernel]
fn entries(x: &[f32], w: &[f32], out: &mut [f32]) {
    let i = tid();
    let mut m = Mat2::ZERO;
    for g in 0..4 {
        m.x_axis.x = m.x_axis.x + w[g] * x[i];
        m.x_axis.y += m.x_axis.x * 0.5;
    }
    out[i] = m.x_axis.x * m.x_axis.x + m.x_axis.y;
}

/// `m = m + v` and `m += v` of one entry are the same, and one entry feeds another between.
#[on_every_device]
fn entries_of_a_local_matrix_are_read_and_written() {
    let run = |x: &[f32], w: &[f32]| {
        let (x, w, mut out) = (array(x), array(w), zeros(1));
        back(&mut out, 1.0f32, |out| entries::launch(1, &x, &w, out));
        (all(&out), gradient(&x), gradient(&w))
    };
    let (out, dx, dw) = run(&[0.7], &[0.1, 0.2, 0.3, 0.4]);
    close(&out, &[1.19]);
    close(&dx, &[2.4]);
    close(&dw, &[2.38, 2.03, 1.68, 1.33]);

    let (x, w) = ([-1.3f32], [0.5f32, -0.2, 0.9, 1.1]);
    let f = |x: f64, w: &[f64]| {
        let (a, b) = w.iter().fold((0.0, 0.0), |(a, b), w| (a + w * x, b + (a + w * x) * 0.5));
        a * a + b
    };
    let (_, dx, dw) = run(&x, &w);
    close(&dx, &slopes(&wide(&x), |x| f(x[0], &wide(&w))));
    close(&dw, &slopes(&wide(&w), |w| f((-1.3f32).into(), w)));
}

#[kernel]
fn components(x: &[f32], y: &mut [Vec3]) {
    let i = tid();
    y[i].x = 2.0 * x[i];
    y[i].y = x[i] * x[i];
    y[i].z = y[i].x * x[i];
}

/// A component that was just written is read back.
#[on_every_device]
fn components_of_an_element_are_written_one_by_one() {
    let (x, mut y) = (array(&[1.0f32, 2.0, -0.5]), zeros::<Vec3>(3));
    back(&mut y, Vec3::ONE, |y| components::launch(3, &x, y));
    close(&gradient(&x), &[8.0, 14.0, -1.0]);
    close(&gradient(&y), &[0.0; 9]);
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

/// Nobody has asked for a gradient of the array in the middle, and yet it goes through.
#[on_every_device]
fn the_path_goes_through_an_array_in_the_middle() {
    let (k, x) = (array(&[1.5f32]), array(&[1.0f32, 2.0, 4.0]));
    let (mut tmp, mut v) = (zeros(3), zeros(3));
    back(&mut v, 1.0f32, |v| {
        prepare::launch(3, &k, &mut tmp)?;
        apply::launch(3, &tmp, &x, v)
    });
    close(&gradient(&k), &[-7.0]);
    close(&gradient(&x), &[-1.5; 3]);
}

/// An adjoint that lies elsewhere is found before anything runs, and both devices go on.
#[on_every_device]
fn adjoints_lie_where_their_arrays_do() {
    let (a, mut out) = (array(&[3.0f32; 4]), array(&[0.0f32; 4]));
    let tape = Tape::record(|| square2::launch(4, &a, &mut out)).unwrap();
    let wrong = Array::full(&Device::cpu_with_threads(1), 4, 1.0f32).unwrap();
    let told = tape.backward_with([(&out, &wrong)]).unwrap_err().to_string();
    let (there, here) = (wrong.device().name(), device());
    let devices = format!("the gradient is on device {there}, but its array on device {here};");
    assert!(told.contains(&devices), "{told}");
    tape.backward_with([(&out, &array(&[1.0; 4]))]).unwrap();
    close(&gradient(&a), &[12.0; 4]);
}
