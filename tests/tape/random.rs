//! Random tapes: launches with swapped roles, copies and writes, against dual numbers computed on the host.

use std::ops::{Add, Mul};

use super::*;

/// Elements of an array, and arrays.
const N: usize = 5;
const ARRAYS: usize = 4;

#[kernel]
fn mix(a: &[f64], b: &[f64], c: &mut [f64]) {
    let i = tid();
    c[i] = a[i] * b[(i + 1) % 5] + c[i] * 0.5;
}

#[kernel]
fn square(a: &mut [f64]) {
    let i = tid();
    a[i] = a[i] * a[i] * 0.3 + 0.7;
}

#[kernel]
fn wave(a: &[f64], c: &mut [f64]) {
    let i = tid();
    c[i] = a[i].sin();
}

#[kernel]
fn scatter(a: &[f64], c: &mut [f64]) {
    let i = tid();
    atomic_add(&mut c[i * 2 % 5], a[i] * a[i]);
}

#[kernel]
fn exchange(a: &mut [f64], b: &mut [f64]) {
    let i = tid();
    let old = a[i];
    a[i] = b[i] * 1.25;
    b[i] *= old;
}

/// A number and its derivative.
#[derive(Clone, Copy, Debug)]
struct Dual(f64, f64);

impl Add for Dual {
    type Output = Dual;
    fn add(self, other: Dual) -> Dual {
        Dual(self.0 + other.0, self.1 + other.1)
    }
}

impl Mul for Dual {
    type Output = Dual;
    fn mul(self, other: Dual) -> Dual {
        Dual(self.0 * other.0, self.0 * other.1 + self.1 * other.0)
    }
}

fn number(x: f64) -> Dual {
    Dual(x, 0.0)
}

/// A step of a random program; numbers are arrays.
#[derive(Clone, Copy, Debug)]
enum Step {
    Mix(usize, usize, usize),
    Square(usize),
    Wave(usize, usize),
    Scatter(usize, usize),
    Exchange(usize, usize),
    Copy(usize, usize),
    CopyPart(usize, usize),
    Fill(usize, f64),
    Set(usize, usize, f64),
    SquarePart(usize),
    CopyIn(usize),
    Cube(usize, usize),
}

type Arrays = Vec<Array<f64>>;

/// Two different arrays, the second to be written.
fn pair(arrays: &mut Arrays, a: usize, c: usize) -> (&Array<f64>, &mut Array<f64>) {
    let [a, c] = arrays.get_disjoint_mut([a, c]).unwrap();
    (a, c)
}

impl Step {
    fn random(random: &mut impl FnMut(usize) -> usize) -> Step {
        let (a, b) = (random(ARRAYS), random(ARRAYS));
        let c = (a + 1 + random(ARRAYS - 1)) % ARRAYS;
        match random(13) {
            0 | 12 => Step::Mix(a, if b == c { a } else { b }, c),
            1 => Step::Square(a),
            2 => Step::Wave(a, c),
            3 => Step::Scatter(a, c),
            4 => Step::Exchange(a, c),
            5 => Step::Copy(a, c),
            6 => Step::CopyPart(a, c),
            7 => Step::Fill(a, 0.25 * random(7) as f64),
            8 => Step::Set(a, random(N), 0.5),
            9 => Step::SquarePart(a),
            10 => Step::CopyIn(a),
            _ => Step::Cube(a, c),
        }
    }

    fn launch(self, arrays: &mut Arrays) -> Result<(), warp::Error> {
        match self {
            Step::Mix(a, b, c) if a == b => {
                let (a, c) = pair(arrays, a, c);
                mix::launch(N, a, a, c)
            }
            Step::Mix(a, b, c) => {
                let [a, b, c] = arrays.get_disjoint_mut([a, b, c]).unwrap();
                mix::launch(N, a, b, c)
            }
            Step::Square(a) => square::launch(N, &mut arrays[a]),
            Step::Wave(a, c) => {
                let (a, c) = pair(arrays, a, c);
                wave::launch(N, a, c)
            }
            Step::Scatter(a, c) => {
                let (a, c) = pair(arrays, a, c);
                scatter::launch(N, a, c)
            }
            Step::Exchange(a, b) => {
                let [a, b] = arrays.get_disjoint_mut([a, b]).unwrap();
                exchange::launch(N, a, b)
            }
            Step::Copy(a, c) => {
                let (a, c) = pair(arrays, a, c);
                c.copy_from(a)
            }
            Step::CopyPart(a, c) => {
                let (a, c) = pair(arrays, a, c);
                c.slice_mut(1..3)?.copy_from(&*a.slice(3..)?)
            }
            Step::Fill(a, x) => arrays[a].fill(x),
            Step::Set(a, k, x) => arrays[a].set(k, x),
            Step::SquarePart(a) => square::launch(2, &mut *arrays[a].slice_mut(2..4)?),
            Step::CopyIn(a) => arrays[a].slice_mut(..2)?.copy_from_slice(&[0.75, -0.5]),
            Step::Cube(a, c) => {
                let (a, c) = pair(arrays, a, c);
                warp::record_fn(
                    "cube",
                    (a,),
                    (c,),
                    |(a,), (c,)| c.copy_from_slice(&a.to_vec()?.iter().map(|x| x * x * x).collect::<Vec<_>>()),
                    |back| {
                        let (x, dy) = (back.inputs.0.to_vec()?, back.output_gradients.0.to_vec()?);
                        let dx: Vec<f64> = x.iter().zip(&dy).map(|(x, dy)| 3.0 * x * x * dy).collect();
                        back.input_gradients.0.copy_from_slice(&dx)
                    },
                )
            }
        }
    }

    fn on_host(self, arrays: &mut [[Dual; N]; ARRAYS]) {
        let squared = |x: Dual| x * x * number(0.3) + number(0.7);
        for i in 0..N {
            match self {
                Step::Mix(a, b, c) => arrays[c][i] = arrays[a][i] * arrays[b][(i + 1) % N] + arrays[c][i] * number(0.5),
                Step::Square(a) => arrays[a][i] = squared(arrays[a][i]),
                Step::SquarePart(a) if (2..4).contains(&i) => arrays[a][i] = squared(arrays[a][i]),
                Step::Wave(a, c) => {
                    let Dual(x, dx) = arrays[a][i];
                    arrays[c][i] = Dual(x.sin(), x.cos() * dx);
                }
                Step::Scatter(a, c) => {
                    let sum = arrays[c][i * 2 % N] + arrays[a][i] * arrays[a][i];
                    arrays[c][i * 2 % N] = sum;
                }
                Step::Exchange(a, b) => {
                    let (old, other) = (arrays[a][i], arrays[b][i]);
                    arrays[a][i] = other * number(1.25);
                    arrays[b][i] = old * other;
                }
                Step::Copy(a, c) => arrays[c][i] = arrays[a][i],
                Step::CopyPart(a, c) if (1..3).contains(&i) => arrays[c][i] = arrays[a][i + 2],
                Step::Fill(a, x) => arrays[a][i] = number(x),
                Step::Set(a, k, x) if k == i => arrays[a][i] = number(x),
                Step::CopyIn(a) if i < 2 => arrays[a][i] = number([0.75, -0.5][i]),
                Step::Cube(a, c) => arrays[c][i] = arrays[a][i] * arrays[a][i] * arrays[a][i],
                _ => {}
            }
        }
    }
}

/// The gradient by each element of each array, of the sum of all elements with weights.
fn expected(steps: &[Step], start: &[[f64; N]; ARRAYS]) -> Vec<Vec<f64>> {
    let by = |array: usize, element: usize| {
        let mut arrays = start.map(|array| array.map(number));
        arrays[array][element].1 = 1.0;
        steps.iter().for_each(|step| step.on_host(&mut arrays));
        let all = arrays.iter().flatten().enumerate();
        all.map(|(k, x)| x.1 * weight(k)).sum()
    };
    (0..ARRAYS).map(|a| (0..N).map(|e| by(a, e)).collect()).collect()
}

fn weight(k: usize) -> f64 {
    1.0 + 0.1 * k as f64
}

fn gradients(device: &Device, steps: &[Step], start: &[[f64; N]; ARRAYS], checkpointed: bool) -> Vec<Vec<f64>> {
    let mut arrays: Arrays = start.iter().map(|values| Array::from_slice(device, values).unwrap()).collect();
    let body = || {
        // Without a thread, so that the tape meets arrays that no step uses.
        arrays.iter_mut().try_for_each(|array| square::launch(0, array))?;
        steps.iter().try_for_each(|step| step.launch(&mut arrays))
    };
    let ((), tape) = record(checkpointed, body);
    let seeds: Arrays = (0..ARRAYS).map(|a| Array::from_fn(device, N, |[e]| weight(a * N + e)).unwrap()).collect();
    let before: Vec<Vec<f64>> = arrays.iter().map(|a| a.to_vec().unwrap()).collect();
    for _ in 0..2 {
        tape.backward_with(arrays.iter().zip(&seeds)).unwrap();
    }
    let after: Vec<Vec<f64>> = arrays.iter().map(|a| a.to_vec().unwrap()).collect();
    assert_eq!(before, after, "the way back leaves arrays alone");
    arrays.iter().map(|array| tape.grad(array).unwrap().to_vec().unwrap()).collect()
}

#[test]
fn random_tapes_agree_with_dual_numbers() {
    let mut state = 2026u64;
    let mut random = move |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let (far, cuda) = (devices::far(), Device::new(std::sync::Arc::new(warp_test_devices::Twins::new())));
    for round in 0..400 {
        let device = match round % 8 {
            3 | 7 => far.clone(),
            5 => cuda.clone(),
            _ => Device::cpu(),
        };
        let start = std::array::from_fn(|_| std::array::from_fn(|_| random(1000) as f64 / 400.0 - 1.2));
        let steps: Vec<Step> =
            (0..2 + random(if round % 10 == 0 { 30 } else { 5 })).map(|_| Step::random(&mut random)).collect();
        let expected = expected(&steps, &start);
        let found = gradients(&device, &steps, &start, false);
        let again = gradients(&device, &steps, &start, true);
        for (k, (found, expected)) in found.iter().flatten().zip(expected.iter().flatten()).enumerate() {
            let near = (found - expected).abs() <= 1e-11 * (1.0 + expected.abs());
            assert!(near, "round {round}, element {k}: {found} for {expected} of {steps:?}");
        }
        let bits = |all: &[Vec<f64>]| all.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&found), bits(&again), "round {round}: {steps:?}");
    }
}
