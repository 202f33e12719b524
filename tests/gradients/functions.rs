//! Functions, structs, and derivatives of one's own.

use super::*;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Item {
    v: Vec3,
    count: u32,
}

#[func]
fn make(x: Vec3) -> Item {
    Item { v: x * 2.0, count: 3 }
}

#[kernel]
fn through_a_struct(x: &[Vec3], out: &mut [f32]) {
    let i = tid();
    let s = make(x[i]);
    out[i] = s.v.dot(s.v) * s.count as f32;
}

/// The gradient goes through the floats of the struct, and not through its integer.
#[on_every_device]
fn a_struct_comes_from_a_function() {
    let (x, mut out) = (array(&[Vec3::new(1.0, 2.0, 3.0)]), zeros(1));
    back(&mut out, 1.0f32, |out| through_a_struct::launch(1, &x, out));
    close(&all(&out), &[168.0]);
    close(&gradient(&x), &[24.0, 48.0, 72.0]);
}

#[func]
fn branching(a: f32) -> f32 {
    let mut b = a;
    if b > 0.0 {
        b = a * a + b;
    } else {
        b = a * a * a - b;
    }
    b
}

#[kernel]
fn copied(a: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = branching(a[i]);
}

/// A copy is a variable of its own, with an adjoint of its own.
#[on_every_device]
fn a_branch_overwrites_a_copy() {
    let (a, mut out) = (array(&[-2.0f32, 0.5, 3.0]), zeros(3));
    back(&mut out, 1.0f32, |out| copied::launch(3, &a, out));
    close(&all(&out), &[-6.0, 0.75, 12.0]);
    close(&gradient(&a), &[11.0, 2.0, 7.0]);
}

/// Deliberately seven times too large, so that one sees that it was used.
#[func(grad = length_grad)]
fn length7(v: Vec3) -> f32 {
    v.length()
}

#[func]
fn length_grad(v: Vec3, d: f32) -> Vec3 {
    let n = v.length();
    if n > 0.0 { v * (7.0 * d / n) } else { Vec3::ZERO }
}

#[func]
fn twice(v: Vec3) -> f32 {
    length7(v) * 2.0
}

#[kernel]
fn reached(v: &[Vec3], out: &mut [f32]) {
    let i = tid();
    out[i] = twice(v[i]);
}

#[on_every_device]
fn a_derivative_of_ones_own_is_reached_through_another_function() {
    let v = array(&[Vec3::new(0.0, 2.0, 0.0), Vec3::new(3.0, 0.0, 4.0), Vec3::ZERO]);
    let mut out = zeros(3);
    // Differences are those of the length.
    let report = grad_check(|| reached::launch(3, &v, &mut out)).unwrap();
    let worst = report.worst.clone().expect("a worst entry");
    assert!(!report.passes() && (worst.gradient / worst.difference - 7.0).abs() < 1e-4, "{report}");
    back_alone(&mut out, 1.0f32, |out| reached::launch(3, &v, out));
    close(&all(&out), &[4.0, 10.0, 0.0]);
    close(&gradient(&v), &[0.0, 14.0, 0.0, 8.4, 0.0, 11.2, 0.0, 0.0, 0.0]);
}

/// The derivative calls the function that it belongs to: its value, not its derivative.
#[func(grad = sigmoid_grad)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[func]
fn sigmoid_grad(x: f32, d: f32) -> f32 {
    let s = sigmoid(x);
    10.0 * d * s * (1.0 - s)
}

#[kernel]
fn smooth(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let mut y = x[i];
    for _ in 0..3 {
        y = sigmoid(y) * 4.0;
    }
    out[i] = y;
}

#[on_every_device]
fn a_derivative_calls_its_function() {
    let at = [0.3f32, -1.0];
    let (x, mut out) = (array(&at), zeros(2));
    back_alone(&mut out, 1.0f32, |out| smooth::launch(2, &x, out));
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let f = |x: f64| (0..3).fold(x, |y, _| sigmoid(y) * 4.0);
    close(&all(&out), &wide(&at).into_iter().map(f).collect::<Vec<_>>());
    // Ten times as much in each of the three turns.
    let expected: Vec<f64> = wide(&at).iter().map(|&x| 1000.0 * slopes(&[x], |x| f(x[0]))[0]).collect();
    close(&gradient(&x), &expected);
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Spring {
    stiffness: f32,
    kind: u32,
    rest: f32,
}

/// Values, structs with integers in them, and memory that is read. The second result has no part in it.
#[func(grad = force_grad)]
fn force(spring: Spring, at: Vec3, number: usize, table: &[f32]) -> (Vec3, u32) {
    (at * (spring.stiffness * table[number] - spring.rest), spring.kind + 1)
}

#[func]
fn force_grad(spring: Spring, at: Vec3, number: usize, table: &[f32], d: Vec3) -> (Spring, Vec3) {
    let slope = at.dot(d);
    let of_spring = Spring { stiffness: 2.0 * slope * table[number], kind: spring.kind, rest: -slope };
    (of_spring, d * (spring.stiffness * table[number] - spring.rest))
}

#[kernel]
fn forces(springs: &[Spring], at: &[Vec3], table: &[f32], out: &mut [Vec3], kinds: &mut [u32]) {
    let i = tid();
    let (f, kind) = force(springs[i], at[i], i % 2, &table[1..]);
    out[i] = f;
    kinds[i] = kind;
}

#[on_every_device]
fn a_derivative_takes_structs_and_memory() {
    let springs = [Spring { stiffness: 2.0, kind: 7, rest: 0.5 }, Spring { stiffness: -1.0, kind: 8, rest: 0.25 }];
    let springs = array(&springs);
    let at = array(&[Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.5, 0.0, -1.0)]);
    let (table, mut kinds) = (array(&[100.0f32, 3.0, 4.0]), zeros(2));
    let mut out = zeros::<Vec3>(2);
    back_alone(&mut out, Vec3::ONE, |out| forces::launch(2, &springs, &at, &table, out, &mut kinds));
    close(&all(&out), &[5.5, 11.0, 16.5, -2.125, 0.0, 4.25]);
    assert_eq!(kinds.to_vec().unwrap(), [8, 9]);
    let of_springs = springs.grad().unwrap().to_vec().unwrap();
    let of_springs: Vec<f64> = of_springs.iter().flat_map(|s| [s.stiffness.into(), s.rest.into()]).collect();
    // The sum of the components of `at` is 6 and -0.5; stiffness twice, as the derivative says.
    close(&of_springs, &[2.0 * 6.0 * 3.0, -6.0, 2.0 * -0.5 * 4.0, 0.5]);
    close(&gradient(&at), &[5.5, 5.5, 5.5, -4.25, -4.25, -4.25]);
    // By memory that is read no derivative is given.
    close(&gradient(&table), &[0.0; 3]);
}

/// A generic function, in two instances.
#[func(grad = cube_grad)]
fn cube<T: warp::Float>(x: T) -> T {
    x * x * x
}

#[func]
fn cube_grad<T: warp::Float>(x: T, d: T) -> T {
    T::from_f32(-3.0) * x * x * d
}

#[kernel]
fn cubes(x: &[f32], y: &[f64], out: &mut [f32]) {
    let i = tid();
    out[i] = cube(x[i]) + cube(y[i]) as f32;
}

#[on_every_device]
fn a_generic_function_has_a_generic_derivative() {
    let (x, y, mut out) = (array(&[2.0f32, 0.5]), array(&[-1.0f64, 3.0]), zeros(2));
    back_alone(&mut out, 1.0f32, |out| cubes::launch(2, &x, &y, out));
    close(&all(&out), &[7.0, 27.125]);
    close(&gradient(&x), &[-12.0, -0.75]);
    close(&y.grad().unwrap().to_vec().unwrap(), &[-3.0, -27.0]);
}

#[kernel]
fn detached(x: &[f32], v: &[Vec3], springs: &[Spring], out: &mut [f32]) {
    let i = tid();
    let s = detach(springs[i]);
    out[i] = x[i] * detach(x[i]) + detach(v[i]).dot(v[i]) + s.stiffness * springs[i].rest * s.kind as f32;
    if x[i] < 0.0 {
        out[i] = detach(out[i]);
    }
}

/// What is detached counts as a constant, also as a part of what it is multiplied by.
#[on_every_device]
fn detached_values_are_constants() {
    let (x, v) = (array(&[3.0f32, -1.0]), array(&[Vec3::new(1.0, 2.0, 3.0), Vec3::ONE]));
    let spring = Spring { stiffness: 5.0, kind: 7, rest: 0.5 };
    let (springs, mut out) = (array(&[spring; 2]), zeros(2));
    back_alone(&mut out, 1.0f32, |out| detached::launch(2, &x, &v, &springs, out));
    close(&all(&out), &[9.0 + 14.0 + 17.5, 1.0 + 3.0 + 17.5]);
    close(&gradient(&x), &[3.0, 0.0]);
    close(&gradient(&v), &[1.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
    let of_springs = springs.grad().unwrap().to_vec().unwrap();
    assert_eq!(of_springs.iter().map(|s| (s.stiffness, s.rest)).collect::<Vec<_>>(), [(0.0, 35.0), (0.0, 0.0)]);
}

#[kernel]
fn queued(x: &[f32], count: &mut [u32], out: &mut [f32]) {
    let i = tid();
    let y = cube(x[i]);
    if y > 1.0 {
        let slot = atomic_add(&mut count[0], 1);
        out[slot as usize] = y;
    }
}

/// Where the launch has to write down which place each thread got.
#[on_every_device]
fn a_derivative_of_ones_own_in_a_launch_that_is_written_down() {
    let (x, mut count, mut out) = (array(&[2.0f32, 0.5, 3.0]), zeros(1), zeros(3));
    back_alone(&mut out, 1.0f32, |out| queued::launch(3, &x, &mut count, out));
    assert_eq!(count.to_vec().unwrap(), [2u32]);
    close(&gradient(&x), &[-12.0, 0.0, -27.0]);
}

#[func(grad = weigh)]
fn thrice(x: f32) -> Vec3 {
    Vec3::splat(x)
}

/// Tells the adjoints of the three components apart, though all are one value.
#[func]
fn weigh(_x: f32, d: Vec3) -> f32 {
    d.x + 10.0 * d.y + 100.0 * d.z
}

#[kernel]
fn spreads(x: &[f32], y: &mut [Vec3]) {
    let i = tid();
    y[i] = thrice(x[i]);
}

#[on_every_device]
fn results_that_are_one_value_have_adjoints_of_their_own() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[2.0f32])?;
    let mut y = Array::zeros(&device, 1)?;
    let seed = Array::from_slice(&device, &[Vec3::new(1.0, 2.0, 3.0)])?;
    let tape = Tape::record(|| spreads::launch(1, &x, &mut y))?;
    tape.backward_with([(&y, &seed)])?;
    assert_eq!(x.grad()?.to_vec()?, [321.0]);
    Ok(())
}

/// Three times the slope, so that one sees that it was used.
#[func(grad = dot_grad)]
fn dot<const N: usize>(a: [f32; N], t: &[f32]) -> f32 {
    let mut sum = 0.0;
    for j in 0..N {
        sum += a[j] * t[j];
    }
    sum
}

#[func]
fn dot_grad<const N: usize>(_a: [f32; N], t: &[f32], d: f32) -> [f32; N] {
    let mut slopes = [0.0; N];
    for j in 0..N {
        slopes[j] = 3.0 * d * t[j];
    }
    slopes
}

#[kernel]
fn dots(x: &[f32], t: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = dot([x[i], x[i] * x[i]], t) + dot([x[i], 2.0 * x[i], 1.0], t);
}

/// Each instance brings the same places for the checks of `t[j]`.
#[on_every_device]
fn a_derivative_with_checks_in_two_instances() {
    let (x, t, mut y) = (array(&[2.0f32, -1.0]), array(&[1.0f32, 10.0, 100.0]), zeros(2));
    back_alone(&mut y, 1.0f32, |y| dots::launch(2, &x, &t, y));
    close(&all(&y), &[42.0 + 142.0, 9.0 + 79.0]);
    close(&gradient(&x), &[3.0 * (41.0 + 21.0), 3.0 * (-19.0 + 21.0)]);
    close(&gradient(&t), &[0.0; 3]);
}

/// Ten times the slope.
#[func(grad = bend_grad)]
fn bend(x: f32, w: &[f32]) -> f32 {
    x * w[0] + x * x * w[1]
}

#[func]
fn bend_grad(x: f32, w: &[f32], d: f32) -> f32 {
    10.0 * d * (w[0] + 2.0 * x * w[1])
}

#[kernel]
fn bent(x: &[f32], pairs: &[[f32; 2]], y: &mut [f32]) {
    let i = tid();
    let mut w = [0.5, 1.0, 0.25];
    let mut v = x[i];
    for k in 0..3 {
        v = bend(v, &w[i..]);
        w[k] += 0.5;
    }
    y[i] = bend(v, &pairs[i]);
}

/// The derivative has the elements as they were at the call.
#[on_every_device]
fn a_derivative_reads_arrays_inside_the_kernel() {
    let at = [0.5f32, -0.25];
    let (x, pairs, mut y) = (array(&at), array(&[[2.0f32, 1.0], [1.0, 4.0]]), zeros(2));
    back_alone(&mut y, 1.0f32, |y| bent::launch(2, &x, &pairs, y));
    let f = |i: usize, x: f64| {
        let mut w = [0.5, 1.0, 0.25];
        let bend = |x: f64, w: &[f64]| x * w[0] + x * x * w[1];
        let mut v = x;
        for k in 0..3 {
            v = bend(v, &w[i..]);
            w[k] += 0.5;
        }
        bend(v, &[[2.0, 1.0], [1.0, 4.0]][i])
    };
    let at: Vec<f64> = wide(&at);
    close(&all(&y), &[f(0, at[0]), f(1, at[1])]);
    let slope = |i: usize| 1e4 * slopes(&[at[i]], |x| f(i, x[0]))[0];
    close(&gradient(&x), &[slope(0), slope(1)]);
    assert_eq!(pairs.grad().unwrap().to_vec().unwrap(), [[0.0; 2]; 2]);
}

#[kernel(no_adjoint)]
fn bent_by_many(x: &[f32], y: &mut [f32]) {
    let i = tid();
    let w = [0.5; 1000];
    y[i] = bend(x[i], &w);
}

/// A kernel without a gradient may hand over arrays of any size.
#[on_every_device]
fn a_derivative_that_nobody_takes_asks_for_nothing() {
    let (x, mut y) = (array(&[2.0f32]), zeros(1));
    bent_by_many::launch(1, &x, &mut y).unwrap();
    close(&all(&y), &[3.0]);
}
