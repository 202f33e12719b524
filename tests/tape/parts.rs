//! Slices, views, planes, overlapping and detached arguments, and parameters by value.

use super::*;
use warp::tape::Seed;

#[kernel]
fn product(a: &[f32], b: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i] * b[i];
}

#[kernel]
fn row_products(m: View2<f32>, out: &mut [f32]) {
    let i = tid();
    out[i] = m[(i, 0)] * m[(i, 1)];
}

#[kernel]
fn double_view(m: View2<f32>, mut out: ViewMut2<f32>) {
    let (i, j) = tid2();
    out[(i, j)] = 2.0 * m[(i, j)] * m[(i, j)];
}

#[derive(Clone, Copy, PartialEq, Debug, Struct)]
#[repr(C)]
struct Ball {
    kind: u32,
    mass: f32,
    at: Vec3,
}

#[kernel]
fn moments(balls: &Soa<Ball>, out: &mut [f32]) {
    let i = tid();
    out[i] = balls[i].mass * balls[i].at.x * balls[i].kind as f32;
}

#[kernel]
fn energies(balls: &[Ball], out: &mut [f32]) {
    let i = tid();
    out[i] = balls[i].mass * balls[i].at.length_squared();
}

#[on_every_device]
fn parts_of_arrays_have_parts_of_gradients() {
    let device = device();
    let m = Array::from_shaped(&device, (2, 2), &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let mut out = Array::zeros(&device, 2).unwrap();
    // Rows, and columns as rows: m0 m1 + m2 m3, then m0 m2 + m1 m3.
    let (loss, tape) = Tape::record_with(|| {
        let mut rows = Array::zeros(&device, 4)?;
        row_products::launch(2, &m, &mut *rows.slice_mut(..2)?)?;
        row_products::launch(2, &*m.transpose()?, &mut *rows.slice_mut(2..)?)?;
        sum::launch(4, &rows, &mut *out.slice_mut(1..)?)?;
        let mut loss = Array::zeros(&device, 1)?;
        loss.copy_from(&*out.slice(1..)?)?;
        Ok::<_, warp::Error>(loss)
    })
    .unwrap();
    tape.backward(&loss).unwrap();
    assert_eq!(loss.get(0).unwrap(), 2.0 + 12.0 + 3.0 + 8.0);
    let grad = m.grad().unwrap();
    assert_eq!(grad.shape(), [2, 2]);
    assert_eq!(grad.to_vec().unwrap(), [5.0, 5.0, 5.0, 5.0]);
    assert_eq!(m.row(1).unwrap().grad().unwrap().to_vec().unwrap(), [5.0, 5.0]);
    assert_eq!(out.grad().unwrap().to_vec().unwrap(), [0.0, 1.0], "the sum was added to it");
}

#[on_every_device]
fn strided_copies_and_writes_go_back() {
    let device = device();
    let m = Array::from_fn(&device, (3, 4), |[i, j]| (4 * i + j) as f32).unwrap();
    let mut out = Array::full(&device, (4, 3), 5.0f32).unwrap();
    let tape = Tape::record(|| {
        out.copy_from(&*m.transpose()?)?;
        out.column_mut(1)?.fill(7.0)?;
        out.set((0, 0), 9.0)?;
        let squares = &mut out.slice_mut(2..3)?;
        double_view::launch((1, 3), &*m.slice(1..2)?.slice_along(1, ..3)?, squares)
    })
    .unwrap();
    let seed = Array::from_fn(&device, (4, 3), |[i, j]| (1 + 3 * i + j) as f32).unwrap();
    tape.backward_with([(&out, &seed)]).unwrap();
    let mut expected = [[0.0f32; 4]; 3];
    for (i, j) in (0..4).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let seed = (1 + 3 * i + j) as f32;
        match (i, j) {
            (2, _) => expected[1][j] += seed * 4.0 * (4 + j) as f32,
            (_, 1) | (0, 0) => {}
            _ => expected[j][i] += seed,
        }
    }
    assert_eq!(m.grad().unwrap().to_vec().unwrap(), expected.concat());
}

#[on_every_device]
fn one_array_for_two_arguments() {
    let a = array(&[1.0, 2.0, 3.0]);
    let mut out = array(&[0.0; 2]);
    gradient_of_sum(|| {
        product::launch(2, &*a.slice(..2)?, &*a.slice(..2)?, &mut out)?;
        out.try_clone()
    });
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [2.0, 4.0, 0.0]);
    // Overlapping parts: threads that run at the same time on two cores meet on elements all the time.
    let n: usize = if device().host_memory() { 1 << 20 } else { 1 << 9 };
    let mut out = array(&vec![0.0; n]);
    let ones = array(&vec![1.0; n]);
    for apart in [1, n / 4, n / 2] {
        let a = array(&vec![0.5; n + apart]);
        let tape = Tape::record(|| product::launch(n, &*a.slice(..n)?, &*a.slice(apart..)?, &mut out)).unwrap();
        tape.backward_with([(&out, &ones)]).unwrap();
        let grad = a.grad().unwrap().to_vec().unwrap();
        let expected = |k: usize| if (apart..n).contains(&k) { 1.0 } else { 0.5 };
        let wrong = (0..n + apart).filter(|&k| grad[k] != expected(k)).count();
        assert_eq!(wrong, 0, "{apart} apart");
    }
}

#[on_every_device]
fn what_lies_between_overwritten_elements_goes_further_back() {
    let device = device();
    let m = Array::from_fn(&device, (2, 3), |[i, j]| (3 * i + j) as f32).unwrap();
    let mut out = Array::zeros(&device, (2, 3)).unwrap();
    let tape = Tape::record(|| {
        double_view::launch((2, 3), &m, &mut out)?;
        out.column_mut(0)?.fill(0.0)?;
        out.column_mut(2)?.copy_from(&array(&[0.0; 2]))
    })
    .unwrap();
    let seed = Array::full(&device, (2, 3), 1.0).unwrap();
    tape.backward_with([(&out, &seed)]).unwrap();
    assert_eq!(m.grad().unwrap().to_vec().unwrap(), [0.0, 4.0, 0.0, 0.0, 16.0, 0.0]);
}

#[on_every_device]
fn nothing_flows_through_a_detached_handle() {
    let (a, b) = (array(&[2.0, 3.0]), array(&[5.0, 7.0]));
    let mut out = array(&[0.0; 4]);
    let (_, tape) = gradient_of_sum(|| {
        product::launch(2, &a.detach(), &b, &mut *out.slice_mut(..2)?)?;
        product::launch(2, &*a.slice(..)?, &*a.detach().slice(..)?, &mut *out.slice_mut(2..)?)?;
        let mut copy = array(&[0.0; 4]);
        copy.copy_from(&out)?;
        copy.slice_mut(..2)?.copy_from(&*b.detach())?;
        Ok(copy)
    });
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [2.0, 3.0], "one factor of the square counts");
    assert_eq!(b.grad().unwrap().to_vec().unwrap(), [0.0, 0.0], "its product was overwritten");
    assert_eq!(tape.grad(&a).unwrap().to_vec().unwrap(), [2.0, 3.0]);
    assert_eq!(a.detach().to_vec().unwrap(), [2.0, 3.0]);
}

#[on_every_device]
fn planes_and_structs_have_gradients_of_their_shape() {
    let device = device();
    let balls: Vec<Ball> =
        (1..4u32).map(|k| Ball { kind: k, mass: k as f32, at: Vec3::new(1.0, 2.0, k as f32) }).collect();
    let planes = SoaArray::from_slice(&device, &balls).unwrap();
    let elements = Array::from_slice(&device, &balls).unwrap();
    let (mut out, mut energy) = (array(&[0.0; 3]), array(&[0.0; 3]));
    let tape = Tape::record(|| {
        moments::launch(3, &planes, &mut out)?;
        energies::launch(3, &elements, &mut energy)
    })
    .unwrap();
    let (ones, twos) = (array(&[1.0; 3]), array(&[2.0; 3]));
    tape.backward_with([(&out, &ones), (&energy, &twos)]).unwrap();
    for (k, ball) in planes.grad().unwrap().to_vec().unwrap().iter().enumerate() {
        let kind = (k + 1) as f32;
        assert_eq!(*ball, Ball { kind: 0, mass: kind, at: Vec3::new(kind * kind, 0.0, 0.0) });
    }
    assert_eq!(tape.grad(&planes).unwrap().to_vec().unwrap(), planes.grad().unwrap().to_vec().unwrap());
    for (ball, given) in elements.grad().unwrap().to_vec().unwrap().iter().zip(&balls) {
        let expected = Ball { kind: 0, mass: 2.0 * given.at.length_squared(), at: 4.0 * given.mass * given.at };
        assert_eq!(*ball, expected);
    }
}

#[kernel]
fn widen(a: &[f32], out: &mut [f64]) {
    let i = tid();
    out[i] = (a[i] * a[i]) as f64;
}

#[on_every_device]
fn seeds_of_several_types_and_planes() {
    let device = device();
    let a = array(&[3.0, 4.0]);
    let mut wide = Array::<f64>::zeros(&device, 2).unwrap();
    let mut narrow = array(&[0.0; 2]);
    let tape = Tape::record(|| {
        widen::launch(2, &a, &mut wide)?;
        product::launch(2, &a, &a, &mut narrow)
    })
    .unwrap();
    let (dw, dn) = (Array::from_slice(&device, &[1.0f64, 10.0]).unwrap(), array(&[0.5, 0.25]));
    tape.backward_with([Seed::from((&wide, &dw)), Seed::from((&narrow, &dn)), Seed::from((&narrow, &dn))]).unwrap();
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [6.0 + 6.0, 80.0 + 4.0]);
    // Seeds of planes reach them directly.
    let balls = [Ball { kind: 3, mass: 2.0, at: Vec3::ONE }];
    let (planes, seed) =
        (SoaArray::from_slice(&device, &balls).unwrap(), SoaArray::from_slice(&device, &balls).unwrap());
    let tape = Tape::record(|| moments::launch(1, &planes, &mut narrow)).unwrap();
    tape.backward_with([(&planes, &seed)]).unwrap();
    assert_eq!(planes.grad().unwrap().to_vec().unwrap(), [Ball { kind: 0, ..balls[0] }]);
}

#[kernel]
fn halves(a: &[warp::f16], out: &mut [warp::bf16]) {
    let i = tid();
    out[i] = warp::bf16::from_f32(3.0 * a[i].to_f32());
}

#[on_every_device]
fn copies_of_halves_add_in_halves() {
    let device = device();
    let values = [1.0, 2.0].map(warp::f16::from_f32);
    let a = Array::from_slice(&device, &values).unwrap();
    let mut b = Array::from_slice(&device, &values).unwrap();
    let tape = Tape::record(|| b.copy_from(&a)).unwrap();
    let seed = Array::from_slice(&device, &[0.1, 3.0].map(warp::f16::from_f32)).unwrap();
    tape.backward_with([(&b, &seed), (&b, &seed)]).unwrap();
    let twice = |x: f32| warp::f16::from_f32(2.0 * warp::f16::from_f32(x).to_f32());
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [twice(0.1), twice(3.0)]);
}

#[kernel]
fn looked_up(x: &[f32], ids: &[u32], table: &[warp::f16], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] * table[ids[i] as usize].to_f32();
}

/// Several threads read one half, to whose gradient none can add.
#[on_every_device]
fn tables_of_halves_are_detached() {
    let device = device();
    let x = Array::from_slice(&device, &[1.0f32, 2.0]).unwrap();
    let ids = Array::from_slice(&device, &[1u32, 1]).unwrap();
    let table = Array::from_slice(&device, &[5.0, 3.0].map(warp::f16::from_f32)).unwrap();
    let mut y = Array::zeros(&device, 2).unwrap();
    let seed = Array::from_slice(&device, &[1.0f32, 10.0]).unwrap();
    let tape = Tape::record(|| looked_up::launch(2, &x, &ids, &table.detach(), &mut y)).unwrap();
    tape.backward_with([(&y, &seed)]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [3.0, 6.0]);
    assert_eq!(x.grad().unwrap().to_vec().unwrap(), [3.0, 30.0]);
    let tape = Tape::record(|| looked_up::launch(2, &x, &ids, &table, &mut y)).unwrap();
    let words = tape.backward_with([(&y, &seed)]).unwrap_err().to_string();
    assert!(words.contains("`table[ids[i] as usize]`") && words.contains("`.detach()`"), "{words}");
}

#[kernel(grad(dt, spring))]
fn pull(x: &[f32], out: &mut [f32], dt: f32, spring: Spring, n: u32) {
    let i = tid();
    out[i] = x[i] * dt + spring.stiffness * spring.ends.y * n as f32;
}

#[derive(Clone, Copy, PartialEq, Debug, Struct)]
#[repr(C)]
struct Spring {
    stiffness: f32,
    id: u32,
    ends: Vec2,
}

#[on_every_device]
fn parameters_by_value_have_a_gradient_for_each_launch() {
    let x = array(&[1.0, 2.0, 3.0]);
    let spring = Spring { stiffness: 2.0, id: 7, ends: Vec2::new(5.0, 3.0) };
    for checkpointed in [false, true] {
        let mut y = array(&[0.0; 3]);
        let mut out = array(&[0.0; 3]);
        let (loss, tape) = record(checkpointed, || {
            pull::launch(3, &x, &mut y, 0.5, spring, 1)?;
            pull::launch(0, &x, &mut y, 0.5, spring, 1)?;
            pull::launch(2, &*y.slice(..2)?, &mut *out.slice_mut(..2)?, 4.0, spring, 2)?;
            total(&out)
        });
        tape.backward(&loss).unwrap();
        // y = x / 2 + 6; the loss is 4 (y0 + y1) + 2 stiffness ends.y 2.
        assert_eq!(tape.value_grads::<pull, f32>("dt").unwrap(), [4.0 * 3.0, 0.0, 6.5 + 7.0]);
        let none = Spring { stiffness: 0.0, id: 0, ends: Vec2::ZERO };
        let first = Spring { stiffness: 4.0 * 2.0 * 3.0, id: 0, ends: Vec2::new(0.0, 4.0 * 2.0 * 2.0) };
        let last = Spring { stiffness: 2.0 * 3.0 * 2.0, id: 0, ends: Vec2::new(0.0, 2.0 * 2.0 * 2.0) };
        assert_eq!(tape.value_grads::<pull, Spring>("spring").unwrap(), [first, none, last]);
        assert_eq!(tape.value_grads::<pull, f32>("spring.stiffness").unwrap(), [24.0, 0.0, 12.0]);
        let missing = tape.value_grads::<stretch, f32>("s").unwrap_err().to_string();
        assert_eq!(missing, "kernel `stretch` has no gradient by `s`: no launch of it is on this tape");
        // A part of an array has its part of the gradient.
        let part: Array<f32> = tape.grad(&x.slice(1..).unwrap()).unwrap();
        assert_eq!(part.to_vec().unwrap(), tape.grad(&x).unwrap().to_vec().unwrap()[1..]);
        assert_eq!(tape.value_grads::<sum, f32>("none").unwrap_err().to_string(), NO_VALUE);
        let wrong = tape.value_grads::<pull, u32>("n").unwrap_err().to_string();
        assert!(wrong.ends_with("the kernel does not ask for it; write `#[kernel(grad(n))]`"), "{wrong}");
        let wrong = tape.value_grads::<pull, f64>("dt").unwrap_err().to_string();
        assert!(wrong.ends_with("it consists of f32, and the type asked for of f64"), "{wrong}");
    }
}

#[kernel(grad(s))]
fn stretch(a: &[f32], out: &mut [f32], s: f32) {
    let i = tid();
    out[i] = a[i] * s;
}

#[kernel(grad(half, double))]
fn stretch_otherwise(a: &[f64], out: &mut [f64], half: warp::bf16, double: f64) {
    let i = tid();
    out[i] = a[i] * double + f64::from(half.to_f32());
}

#[on_every_device]
fn gradients_of_parameters_are_sums_of_many_numbers() {
    // Beside 2^24 an f32 has no room for a one.
    let large = 2f32.powi(24);
    let ones = [1.0; 1000];
    for list in
        [[&[large], &ones[..]].concat(), [&ones[..], &[large]].concat(), [&[large], &ones[..], &[large]].concat()]
    {
        let (a, mut out) = (array(&list), array(&vec![0.0; list.len()]));
        let seed = array(&vec![1.0; list.len()]);
        let tape = Tape::record(|| stretch::launch(list.len(), &a, &mut out, 3.0)).unwrap();
        tape.backward_with([(&out, &seed)]).unwrap();
        let sum: f64 = list.iter().map(|x| f64::from(*x)).sum();
        assert_eq!(tape.value_grads::<stretch, f32>("s").unwrap(), [sum as f32]);
    }
    let list: Vec<f64> = (0..1000).map(|k| f64::from(k) / 8.0).collect();
    let device = device();
    let (a, mut out) = (Array::from_slice(&device, &list).unwrap(), Array::zeros(&device, 1000).unwrap());
    let seed = Array::from_slice(&device, &[1.0; 1000]).unwrap();
    let half = warp::bf16::from_f32(2.0);
    let tape = Tape::record(|| stretch_otherwise::launch(1000, &a, &mut out, half, 5.0)).unwrap();
    tape.backward_with([(&out, &seed)]).unwrap();
    let by_half = tape.value_grads::<stretch_otherwise, warp::bf16>("half").unwrap();
    assert_eq!(by_half, [warp::bf16::from_f32(1000.0)]);
    assert_eq!(tape.value_grads::<stretch_otherwise, f64>("double").unwrap(), [999.0 * 500.0 / 8.0]);
}

#[on_every_device]
fn parameters_have_gradients_where_tangents_are_computed() {
    let (x, direction) = (array(&[1.0, 2.0, 3.0]), array(&[10.0, 20.0, 40.0]));
    let (mut y, mut first, ones) = (array(&[0.0; 3]), array(&[0.0; 3]), array(&[1.0; 3]));
    let spring = Spring { stiffness: 2.0, id: 7, ends: Vec2::new(5.0, 3.0) };
    let mut along = warp::Tangents::new();
    along.seed(&x, &direction).unwrap();
    let tape = Tape::record(|| {
        pull::launch(3, &x, &mut first, 0.25, spring, 1)?;
        along.run(|| pull::launch(3, &x, &mut y, 0.5, spring, 1))
    })
    .unwrap();
    // The tangent of y is that of x times dt; y itself is x dt + stiffness ends.y.
    tape.backward_with([(&along.of(&y).unwrap(), &ones)]).unwrap();
    assert_eq!(tape.value_grads::<pull, f32>("dt").unwrap(), [0.0, 70.0]);
    tape.backward_with([(&y, &ones), (&first, &ones)]).unwrap();
    assert_eq!(tape.value_grads::<pull, f32>("dt").unwrap(), [6.0, 6.0]);
    assert_eq!(tape.value_grads::<pull, f32>("spring.stiffness").unwrap(), [9.0, 9.0]);
}

const NO_VALUE: &str = "kernel `sum` has no gradient by `none`: it takes no such value; it takes none";

#[on_every_device]
fn empty_launches_and_arrays_have_zero_gradients() {
    let (a, b) = (array(&[1.0, 2.0]), array(&[]));
    let mut out = array(&[3.0, 4.0]);
    for checkpointed in [false, true] {
        let body = || {
            product::launch(0, &a, &a, &mut out)?;
            row_products::launch(0, &Array::zeros(a.device(), (0, 4))?, &mut out)?;
            let mut none = array(&[]);
            none.copy_from(&b)?;
            product::launch(0, &b, &b, &mut none)?;
            total(&out)
        };
        let (loss, tape) = record(checkpointed, body);
        tape.backward_with([(&b, &b)]).unwrap();
        tape.backward(&loss).unwrap();
        assert_eq!(a.grad().unwrap().to_vec().unwrap(), [0.0, 0.0]);
        assert_eq!(b.grad().unwrap().to_vec().unwrap(), [0.0; 0]);
        assert_eq!(out.grad().unwrap().to_vec().unwrap(), [1.0, 1.0]);
    }
    Tape::record(|| Ok(())).unwrap().backward_with(Vec::<Seed<'_>>::new()).unwrap();
}

/// Two handles of the same memory.
fn twins(values: &Array<f32, 2>) -> (Array<f32, 2>, Array<f32, 2>) {
    let mut one = values.try_clone().unwrap();
    let other = std::mem::replace(&mut *one.slice_mut(..).unwrap(), Array::zeros(values.device(), (0, 0)).unwrap());
    (one, other)
}

#[on_every_device]
fn copies_within_the_same_memory_go_back() {
    let device = device();
    let values = Array::from_shaped(&device, (2, 2), &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let weights = Array::from_shaped(&device, (2, 2), &[1.0f32, 10.0, 100.0, 1000.0]).unwrap();
    for checkpointed in [false, true] {
        // A column onto itself is as it was.
        let (mut m, same) = twins(&values);
        let ((), tape) = record(checkpointed, || m.column_mut(1)?.copy_from(&*same.column(1)?));
        tape.backward_with([(&m, &weights)]).unwrap();
        assert_eq!(m.grad().unwrap().to_vec().unwrap(), [1.0, 10.0, 100.0, 1000.0]);
        // All of it onto itself, transposed, and twice its squares.
        let (mut m, same) = twins(&values);
        let mut out = Array::zeros(&device, (2, 2)).unwrap();
        let ((), tape) = record(checkpointed, || {
            m.copy_from(&*same.transpose()?)?;
            double_view::launch((2, 2), &m, &mut out)?;
            m.fill(0.0)
        });
        tape.backward_with([(&out, &weights)]).unwrap();
        assert_eq!(out.to_vec().unwrap(), [2.0, 18.0, 8.0, 32.0]);
        // 4 x[i, j] w[j, i].
        assert_eq!(m.grad().unwrap().to_vec().unwrap(), [4.0, 800.0, 120.0, 16000.0]);
    }
}

#[on_every_device]
fn outputs_that_share_memory_are_refused() {
    let values = Array::from_shaped(&device(), (2, 2), &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let (mut one, mut other) = twins(&values);
    let ran = Tape::record(|| {
        warp::record_fn("f", (&values,), (&mut one, &mut other), |_, _| panic!("it does not run"), |_| Ok(()))
    });
    assert!(matches!(ran, Err(warp::Error::Busy { write: true })), "{ran:?}");
}

#[on_every_device]
fn a_gradient_is_the_users_own() {
    let device = device();
    let mut a = Array::from_shaped(&device, (2, 2), &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let planes = SoaArray::from_slice(&device, &[Vec2::new(2.0, 3.0)]).unwrap();
    let mut out = array(&[0.0]);
    let (loss, tape) = Tape::record_with(|| {
        square_plus_one::launch(4, &mut *a.reshape_mut(4)?)?;
        warp::record_fn(
            "product",
            (&planes,),
            (&mut out,),
            |(v,), (out,)| out.set(0, v.to_vec()?[0].x * v.to_vec()?[0].y),
            |back| {
                let (v, d) = (back.inputs.0.to_vec()?[0], back.output_gradients.0.get(0)?);
                back.input_gradients.0.copy_from_slice(&[Vec2::new(v.y * d, v.x * d)])
            },
        )?;
        let mut loss = total(&*a.reshape(4)?)?;
        sum::launch(1, &out, &mut loss)?;
        Ok::<_, warp::Error>(loss)
    })
    .unwrap();
    tape.backward(&loss).unwrap();
    for _ in 0..2 {
        let mut gradients = [a.grad().unwrap(), tape.grad(&a).unwrap(), a.transpose().unwrap().grad().unwrap()];
        let expected = [[2.0, 4.0, 6.0, 8.0], [2.0, 4.0, 6.0, 8.0], [2.0, 6.0, 4.0, 8.0]];
        for (gradient, expected) in gradients.iter_mut().zip(expected) {
            assert_eq!(gradient.to_vec().unwrap(), expected);
            gradient.fill(0.0).unwrap();
        }
        let mut column = a.slice_along(1, 1..).unwrap().grad().unwrap();
        assert_eq!(column.to_vec().unwrap(), [4.0, 8.0]);
        column.fill(0.0).unwrap();
        for mut gradient in [planes.grad().unwrap(), tape.grad(&planes).unwrap()] {
            assert_eq!(gradient.to_vec().unwrap(), [Vec2::new(3.0, 2.0)]);
            gradient.copy_from_slice(&[Vec2::ZERO]).unwrap();
        }
    }
}

/// In the way back, two arguments of one memory are added to in turns, and once more in an arm.
#[kernel]
fn mixed(a: &[f32], b: &[f32], out: &mut [f32], both: bool) {
    let i = tid();
    let mut y = 0.0;
    if both {
        y += 2.0 * a[i];
    }
    y += 3.0 * b[i];
    y += 5.0 * a[i];
    out[i] = y;
}

#[on_every_device]
fn overlapping_arguments_lose_no_part_of_their_gradient() -> Result<(), Error> {
    const N: usize = 40;
    for cpu in [warp_cpu::Cpu::with_threads(1).scalar(), warp_cpu::Cpu::with_threads(1).lanes()] {
        let device = Device::new(std::sync::Arc::new(cpu));
        let x = Array::full(&device, N + 3, 1.0f32)?;
        let mut out = Array::zeros(&device, N)?;
        let seed = Array::from_fn(&device, N, |[i]| 1.0 + i as f32)?;
        for (shift, both) in [(0, true), (1, true), (3, true), (2, false)] {
            let tape =
                Tape::record(|| mixed::launch(N, &*x.slice(..N)?, &*x.slice(shift..shift + N)?, &mut out, both))?;
            tape.backward_with([(&out, &seed)])?;
            let mut expected = [0.0; N + 3];
            for i in 0..N {
                expected[i] += (1.0 + i as f32) * if both { 7.0 } else { 5.0 };
                expected[i + shift] += (1.0 + i as f32) * 3.0;
            }
            assert_eq!(x.grad()?.to_vec()?, expected, "shifted by {shift}, {both}");
        }
    }
    Ok(())
}
