//! Generic structs: their instances in arrays, fields and parameters, their methods and operators.

#![allow(clippy::needless_range_loop, reason = "the indices are what is tested")]

use core::ops::{Add, AddAssign, Mul, Neg, Shl, Sub};

use warp::prelude::*;
use warp::{Float, Scalar};
use warp_test_devices::{device, on_every_device};

#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Struct)]
#[repr(C)]
struct Pair<T> {
    a: T,
    b: T,
}

#[methods]
impl<T: Copy> Pair<T> {
    fn new(a: T, b: T) -> Pair<T> {
        Pair { a, b }
    }

    fn swapped(self) -> Self {
        Self { a: self.b, b: self.a }
    }

    fn swap(&mut self) {
        *self = self.swapped();
    }

    fn with<U: Copy>(&self, other: U) -> Two<T, U> {
        Two(self.a, other)
    }
}

#[methods]
impl<T: Scalar> Pair<T> {
    fn sum(&self) -> T {
        self.a + self.b
    }
}

/// A tuple struct of two parameters.
#[derive(Clone, Copy, PartialEq, Debug, Struct)]
#[repr(C)]
struct Two<A, B>(A, B);

#[methods]
impl<A: Copy, B: Copy> Two<A, B> {
    fn turned(self) -> Two<B, A> {
        let Two(a, b) = self;
        Two(b, a)
    }
}

/// The last `N` values.
#[derive(Clone, Copy, PartialEq, Debug, Struct)]
#[repr(C)]
struct Ring<T, const N: usize> {
    data: [T; N],
    at: u32,
}

#[methods]
impl<T: Copy, const N: usize> Ring<T, N> {
    fn filled(value: T) -> Self {
        Ring { data: [value; N], at: 0 }
    }

    fn push(&mut self, value: T) -> T {
        let at = self.at as usize;
        let before = self.data[at];
        self.data[at] = value;
        self.at = (self.at + 1) % N as u32;
        before
    }
}

#[methods]
impl<T: Float, const N: usize> Ring<T, N> {
    fn mean(&self) -> T {
        let mut sum = T::from_f32(0.0);
        for k in 0..N {
            sum += self.data[k];
        }
        sum / T::from_usize(N)
    }
}

/// An instance as a field, and one of a parameter.
#[derive(Clone, Copy, PartialEq, Debug, Struct)]
#[repr(C)]
struct Track<T> {
    ends: Pair<Vec3>,
    last: Ring<T, 3>,
    id: u8,
}

/// Positions differ with the argument: one byte, and eight.
#[derive(Clone, Copy, PartialEq, Debug, Struct)]
#[repr(C)]
struct Padded<T> {
    mark: u8,
    value: T,
    end: u8,
}

#[func]
fn middle<T: Float>(pair: Pair<T>) -> T {
    pair.sum() / T::from_f32(2.0)
}

#[func]
fn spread<T: Float>(x: T, by: T) -> Pair<T> {
    Pair { a: x - by, b: x + by }
}

#[func]
fn move_all<const N: usize>(pairs: &mut [Pair<f32>], ring: &Ring<f32, N>) {
    for k in 0..pairs.len() {
        pairs[k].a += ring.data[k % N];
    }
}

#[kernel]
fn instances(pairs: &mut [Pair<f32>], nested: &mut [Pair<Pair<i32>>], points: &mut [Pair<Vec3>], out: &mut [f64]) {
    let i = tid();
    let pair = pairs[i];
    pairs[i] = Pair { a: pair.b, b: middle(pair) };
    let inner = nested[i].a;
    nested[i] = Pair::new(Pair::new(inner.b, 7), inner.swapped());
    nested[i].b.a += 1;
    points[i].swap();
    let Two(a, Pair { a: low, b: high }) = Two(0.5, spread(1.0, 0.25));
    out[i] = a + low * 10.0 + high * 100.0 + Pair::<f64> { a: 1000.0, b: 2000.0 }.sum();
}

#[on_every_device]
fn instances_are_made_and_taken_apart() -> Result<(), Error> {
    let device = device();
    let given = [Pair { a: 1.0f32, b: 4.0 }, Pair { a: -2.0, b: 8.0 }];
    let nested = [Pair { a: Pair { a: 1, b: 2 }, b: Pair { a: 3, b: 4 } }, Pair::new(Pair::new(5, 6), Pair::new(7, 8))];
    let points = [Pair::new(Vec3::X, Vec3::Y); 2];
    let (mut p, mut n) = (Array::from_slice(&device, &given)?, Array::from_slice(&device, &nested)?);
    let (mut v, mut out) = (Array::from_slice(&device, &points)?, Array::zeros(&device, 2)?);
    instances::launch(2, &mut p, &mut n, &mut v, &mut out)?;
    assert_eq!(p.to_vec()?, [Pair { a: 4.0, b: 2.5 }, Pair { a: 8.0, b: 3.0 }]);
    let first = Pair { a: Pair { a: 2, b: 7 }, b: Pair { a: 3, b: 1 } };
    assert_eq!(n.to_vec()?, [first, Pair { a: Pair { a: 6, b: 7 }, b: Pair { a: 7, b: 5 } }]);
    assert_eq!(v.to_vec()?, [Pair { a: Vec3::Y, b: Vec3::X }; 2]);
    assert_eq!(out.to_vec()?, [0.5 + 7.5 + 125.0 + 3000.0; 2]);

    let (mut pp, mut pn, mut pv, mut po) = (given, nested, points, [0.0; 2]);
    instances::plain(2, &mut pp, &mut pn, &mut pv, &mut po)?;
    assert_eq!((p.to_vec()?, n.to_vec()?, v.to_vec()?, out.to_vec()?), (pp.into(), pn.into(), pv.into(), po.into()));
    Ok(())
}

#[kernel]
fn rings(rings: &mut [Ring<f32, 4>], tracks: &mut [Track<f64>], pairs: &mut [Pair<f32>], given: Two<u8, Pair<i16>>) {
    let i = tid();
    let mut ring: Ring<_, 4> = Ring::filled(1.5);
    ring.push(0.5);
    let mut total = 0.0;
    for k in 0..6 {
        total += rings[i].push(k as f32);
    }
    tracks[i].last.push(ring.mean() + 0.25);
    tracks[i].last.push(total as f64);
    tracks[i].id += given.0;
    tracks[i].ends.a.x += Pair::<Vec3>::new(Vec3::ONE, Vec3::ZERO).swapped().b.y;
    let turned: Two<Pair<i16>, u8> = given.turned();
    if turned.0 == (Pair { a: 3, b: -4 }) && turned.0 < Pair::new(3, 0) {
        move_all(pairs, &Ring::<f32, 2> { data: [10.0, 20.0], at: 0 });
    }
    let Two(_, second) = turned.0.with(i);
    pairs[second].b = ring.data[1] as f32 + rings[i].mean();
}

#[on_every_device]
fn lengths_and_several_parameters() -> Result<(), Error> {
    let device = device();
    let ring = [Ring { data: [1.0f32, 2.0, 3.0, 4.0], at: 1 }];
    let track = [Track { ends: Pair::new(Vec3::ZERO, Vec3::X), last: Ring { data: [0.0; 3], at: 2 }, id: 5 }];
    let (mut r, mut t) = (Array::from_slice(&device, &ring)?, Array::from_slice(&device, &track)?);
    let mut p = Array::from_slice(&device, &[Pair { a: 1.0, b: 0.0 }, Pair { a: 2.0, b: 0.0 }])?;
    let given = Two(3u8, Pair { a: 3i16, b: -4 });
    rings::launch(1, &mut r, &mut t, &mut p, given)?;
    // 0..6 into places 1, 2, 3, 0, 1, 2: replaced were 2, 3, 4, 1, and then 0 and 1.
    assert_eq!(r.to_vec()?, [Ring { data: [3.0, 4.0, 5.0, 2.0], at: 3 }]);
    let last = Ring { data: [11.0, 0.0, 1.25 + 0.25], at: 1 };
    let ends = Pair { a: Vec3::X, b: Vec3::X };
    assert_eq!(t.to_vec()?, [Track { ends, last, id: 8 }]);
    assert_eq!(p.to_vec()?, [Pair { a: 11.0, b: 1.5 + 3.5 }, Pair { a: 22.0, b: 0.0 }]);

    let (mut pr, mut pt, mut pp) = (ring, track, [Pair { a: 1.0, b: 0.0 }, Pair { a: 2.0, b: 0.0 }]);
    rings::plain(1, &mut pr, &mut pt, &mut pp, given)?;
    assert_eq!((r.to_vec()?, t.to_vec()?, p.to_vec()?), (pr.into(), pt.into(), pp.into()));
    Ok(())
}

#[kernel]
fn padded(bytes: &mut [Padded<u8>], longs: &mut [Padded<i64>], planes: &mut Soa<Padded<f32>>) {
    let i = tid();
    bytes[i].end = bytes[i].value + bytes[i].mark;
    longs[i].end = longs[i].value as u8 + longs[i].mark;
    planes[i] = Padded { mark: 1, value: longs[i].value as f32, ..planes[i] };
}

#[on_every_device]
fn each_instance_has_its_own_layout() -> Result<(), Error> {
    let device = device();
    assert_eq!((size_of::<Padded<u8>>(), size_of::<Padded<i64>>()), (3, 24));
    let bytes: Vec<_> = (0..4).map(|k| Padded { mark: k, value: 10 * k, end: 0 }).collect();
    let longs: Vec<_> = (0..4).map(|k| Padded { mark: k, value: 20 * k as i64, end: 0 }).collect();
    let (mut b, mut l) = (Array::from_slice(&device, &bytes)?, Array::from_slice(&device, &longs)?);
    let mut planes = SoaArray::<Padded<f32>>::zeros(&device, 4)?;
    padded::launch(4, &mut b, &mut l, &mut planes)?;
    assert_eq!(b.to_vec()?.iter().map(|p| p.end).collect::<Vec<_>>(), [0, 11, 22, 33]);
    assert_eq!(l.to_vec()?.iter().map(|p| p.end).collect::<Vec<_>>(), [0, 21, 42, 63]);
    let last = planes.to_vec()?[3];
    assert_eq!(last, Padded { mark: 1, value: 60.0, end: 0 });
    Ok(())
}

/// A number and its derivative: forward-mode differentiation.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
struct Dual<T: Float> {
    v: T,
    d: T,
}

#[methods]
impl<T: Float> Dual<T> {
    fn constant(v: T) -> Dual<T> {
        Dual { v, d: T::from_f32(0.0) }
    }

    fn variable(v: T) -> Self {
        Self { v, d: T::from_f32(1.0) }
    }

    fn sin(self) -> Self {
        Self { v: self.v.sin(), d: self.d * self.v.cos() }
    }

    /// The polynomial with these coefficients.
    fn polynomial<const N: usize>(self, coefficients: [T; N]) -> Self {
        let mut sum = Dual::constant(coefficients[N - 1]);
        for k in 1..N {
            sum = sum * self + Dual::constant(coefficients[N - 1 - k]);
        }
        sum
    }
}

#[methods]
impl<T: Float> Add for Dual<T> {
    type Output = Dual<T>;
    fn add(self, other: Dual<T>) -> Dual<T> {
        Dual { v: self.v + other.v, d: self.d + other.d }
    }
}

#[methods]
impl<T: Float> Sub for Dual<T> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

#[methods]
impl<T: Float> Neg for Dual<T> {
    type Output = Self;
    fn neg(self) -> Self {
        Dual { v: -self.v, d: -self.d }
    }
}

#[methods]
impl<T: Float> Mul for Dual<T> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Dual { v: self.v * other.v, d: self.v * other.d + self.d * other.v }
    }
}

#[methods]
impl<T: Float> Mul<T> for Dual<T> {
    type Output = Self;
    fn mul(self, factor: T) -> Self {
        Dual { v: self.v * factor, d: self.d * factor }
    }
}

#[methods]
impl Mul<Dual<f32>> for f32 {
    type Output = Dual<f32>;
    fn mul(self, right: Dual<f32>) -> Dual<f32> {
        right * self
    }
}

#[methods]
impl Mul<Dual<f64>> for f64 {
    type Output = Dual<f64>;
    fn mul(self, right: Dual<f64>) -> Dual<f64> {
        right * self
    }
}

#[methods]
impl<T: Float> AddAssign<T> for Dual<T> {
    fn add_assign(&mut self, other: T) {
        self.v += other;
    }
}

#[methods]
impl<T: Float> PartialEq for Dual<T> {
    fn eq(&self, other: &Self) -> bool {
        self.v == other.v
    }
}

#[func]
fn wave<T: Float>(x: Dual<T>, scale: T) -> Dual<T> {
    let mut y = (x * x).sin() * scale - x.polynomial([scale, T::from_f32(3.0), T::from_f32(-2.0)]);
    y += scale;
    y
}

#[kernel(T = [f32, f64])]
fn slopes<T: Float>(x: &[T], out: &mut [Dual<T>]) {
    let i = tid();
    let x = Dual::variable(x[i]);
    let same = x == Dual::constant(x.v) && x != x * x;
    let y = wave(x, T::from_f32(0.5));
    out[i] = if same { y } else { -y };
}

#[kernel]
fn scaled(singles: &mut [Dual<f32>], doubles: &mut [Dual<f64>]) {
    let i = tid();
    singles[i] = 2.0 * singles[i] * 3.0 + singles[i];
    doubles[i] = 0.1 * doubles[i] * 0.3;
    doubles[i] += 1.0;
    singles[i] += singles[i].v;
}

#[on_every_device]
fn dual_numbers_differentiate() -> Result<(), Error> {
    let device = device();
    let x = [0.3f64, -1.2, 2.0];
    let mut out = Array::from_slice(&device, &[Dual::constant(0.0); 3])?;
    slopes::launch(3, &Array::from_slice(&device, &x)?, &mut out)?;
    for (x, y) in x.iter().zip(out.to_vec()?) {
        // (sin x²) / 2 - (1/2 + 3 x - 2 x²) + 1/2
        let v = (x * x).sin() / 2.0 - 3.0 * x + 2.0 * x * x;
        let d = x * (x * x).cos() - 3.0 + 4.0 * x;
        assert!((y.v - v).abs() < 1e-14 && (y.d - d).abs() < 1e-14, "{y:?} {v} {d}");
    }
    let singles = x.map(|x| x as f32);
    let mut out = Array::from_slice(&device, &[Dual::constant(0.0f32); 3])?;
    slopes::launch(3, &Array::from_slice(&device, &singles)?, &mut out)?;
    let mut plain = [Dual::constant(0.0f32); 3];
    slopes::plain(3, &singles, &mut plain)?;
    for (a, b) in out.to_vec()?.iter().zip(plain) {
        assert!((a.v - b.v).abs() < 1e-6 && (a.d - b.d).abs() < 1e-6, "{a:?} {b:?}");
    }

    let (singles, doubles) = ([Dual { v: 1.5f32, d: -2.0 }], [Dual { v: 0.7f64, d: 1.0 }]);
    let (mut s, mut d) = (Array::from_slice(&device, &singles)?, Array::from_slice(&device, &doubles)?);
    scaled::launch(1, &mut s, &mut d)?;
    let (one, other) = (s.to_vec()?[0], d.to_vec()?[0]);
    assert_eq!((one.v, one.d), (21.0, -14.0));
    assert_eq!((other.v, other.d), (0.7 * 0.1 * 0.3 + 1.0, 0.1 * 0.3));
    let (mut ps, mut pd) = (singles, doubles);
    scaled::plain(1, &mut ps, &mut pd)?;
    assert_eq!((one.v, one.d, other.v, other.d), (ps[0].v, ps[0].d, pd[0].v, pd[0].d));
    Ok(())
}

#[methods]
impl<T: Copy, const N: usize> Shl<u32> for Ring<T, N> {
    type Output = Ring<T, N>;
    fn shl(self, by: u32) -> Ring<T, N> {
        Ring { at: (self.at + by) % N as u32, ..self }
    }
}

#[methods]
impl<T: Copy> Shl<T> for Pair<T> {
    type Output = Pair<T>;
    fn shl(self, next: T) -> Pair<T> {
        Pair { a: self.b, b: next }
    }
}

/// Methods of one instance alone.
#[methods]
impl Pair<i32> {
    fn product(self) -> i32 {
        self.a * self.b
    }
}

#[methods]
impl<T: Copy> Iterator for Ring<T, 2> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        if self.at == 2 {
            return None;
        }
        self.at += 1;
        Some(self.data[self.at as usize - 1])
    }
}

#[func]
fn rotated<T: Copy>(ring: Ring<T, 3>) -> Ring<T, 3> {
    ring << 2
}

#[kernel]
fn shifts(words: &mut [Ring<u32, 3>], signs: &mut [Ring<i8, 3>], points: &mut [Pair<Vec3>], out: &mut [i32]) {
    let i = tid();
    words[i] = rotated(words[i]) << 2u32;
    signs[i] = rotated(signs[i]);
    points[i] = points[i] << Vec3::Z << Vec3::ONE;
    out[i] = (Pair::new(1, 2) << 5).product();
    for x in (Ring { data: [100, 1000], at: 0 }) {
        out[i] += x;
    }
    for pair in (Ring { data: [Pair::new(1u8, 2), Pair::new(3, 4)], at: 1 }) {
        out[i] += pair.sum() as i32 * 10000;
    }
}

#[on_every_device]
fn operators_with_other_right_sides_and_methods_of_one_instance() -> Result<(), Error> {
    let device = device();
    let (words, signs) = ([Ring { data: [7u32, 8, 9], at: 1 }], [Ring { data: [7i8, 8, 9], at: 2 }]);
    let points = [Pair::new(Vec3::X, Vec3::Y)];
    let (mut w, mut s) = (Array::from_slice(&device, &words)?, Array::from_slice(&device, &signs)?);
    let (mut p, mut out) = (Array::from_slice(&device, &points)?, Array::zeros(&device, 1)?);
    shifts::launch(1, &mut w, &mut s, &mut p, &mut out)?;
    assert_eq!(w.to_vec()?, [Ring { at: 2, ..words[0] }]);
    assert_eq!(s.to_vec()?, [Ring { at: 1, ..signs[0] }]);
    assert_eq!(p.to_vec()?, [Pair::new(Vec3::Z, Vec3::ONE)]);
    assert_eq!(out.to_vec()?, [10 + 1100 + 70000]);
    let (mut pw, mut ps, mut pp, mut po) = (words, signs, points, [0]);
    shifts::plain(1, &mut pw, &mut ps, &mut pp, &mut po)?;
    assert_eq!((w.to_vec()?, s.to_vec()?, p.to_vec()?, out.to_vec()?), (pw.into(), ps.into(), pp.into(), po.into()));
    Ok(())
}

mod other {
    use super::Two;
    use warp::prelude::*;

    /// Of the same name as the one outside.
    #[derive(Clone, Copy, PartialEq, Debug, Struct)]
    #[repr(C)]
    pub struct Pair<T> {
        pub first: T,
        pub second: [T; 2],
    }

    impl Pair<f32> {
        pub const UNIT: Pair<f32> = Pair { first: 1.0, second: [0.5, 0.25] };
    }

    #[methods]
    impl<T: Copy> Pair<T> {
        pub fn pick<const M: usize>(&self) -> [T; M] {
            let mut all = [self.first; M];
            for k in 1..M {
                all[k] = self.second[k % 2];
            }
            all
        }
    }

    /// An instance that is named here alone.
    #[func]
    pub fn hidden(x: f64) -> Pair<Two<f64, u8>> {
        Pair { first: Two(x, 1), second: [Two(-x, 2), Two(0.5, 3)] }
    }
}

use other::Pair as Triple;

#[derive(Args)]
struct Bundle<'a> {
    pairs: &'a mut [Pair<f32>],
    grid: View2<'a, Triple<u16>>,
    scale: Two<f32, Pair<i32>>,
}

#[func]
fn total<T: Float>(pairs: &[Pair<T>]) -> T {
    let mut sum = T::from_f32(0.0);
    for pair in pairs {
        sum += pair.a * pair.b;
    }
    sum
}

/// Handed on, and compared by the type's own means.
#[func]
fn other_than<T: Copy + PartialEq>(pair: Pair<T>, than: T) -> Option<T> {
    match pair.a == than {
        true if pair.b == than => None,
        true => Some(pair.b),
        false => Some(pair.a),
    }
}

#[kernel]
fn odd(bundle: Bundle, out: &mut [f64]) {
    let (i, j) = tid2();
    if i + j > 0 {
        return;
    }
    let mut triple = bundle.grid[(1, 0)];
    triple.second[1] += bundle.grid[(0, 1)].first;
    let four = triple.pick::<4>();
    let unit: Triple<f32> = Triple::<f32>::UNIT;
    let [_, x, _] = unit.pick();
    let mut local = [Pair { a: 1u8, b: 2 }; 3];
    local[i + 1].b = 9;
    local[2].swap();
    let some = Some(local[1]);
    out[0] = match some {
        Some(Pair { a: 0, .. }) => -1.0,
        Some(Pair { a: 1, b }) if b > 5 => b as f64,
        _ => -2.0,
    };
    out[1] = total(bundle.pairs) as f64 + total(&[Pair::new(2.0, 3.0), Pair { a: 0.5f64, b: 4.0 }]);
    bundle.pairs[1] = Pair { b: bundle.scale.0, ..bundle.pairs[0] };
    let chosen = other::hidden(2.5).second;
    let pair = <Pair<_>>::new(chosen[1], chosen[0]).swapped();
    out[2] = pair.a.0 + pair.b.1 as f64 + x as f64 + four[3] as f64 + local[2].a as f64 * 1000.0;
    let vector = other_than(Pair::new(Vec3::X, Vec3::Y), Vec3::X);
    let nested = other_than(Pair::new(local[0], local[2]), Pair { a: 1, b: 2 }).unwrap();
    let two = other_than(Pair::new(Two(1.0f32, 2u8), Two(3.0, 4)), Two(1.0, 7));
    out[3] = vector.unwrap().y as f64 + nested.a as f64 * 10.0 + two.map_or(0, |x| x.1) as f64 * 100.0;
    let whole: (Pair<i32>, [Two<bool, i32>; 2]) = (bundle.scale.1, [Two(true, -3), Two(false, 4)]);
    out[4] = if whole.1[0].0 && !whole.1[1].0 { (whole.0.product() + whole.1[1].1) as f64 } else { 0.0 };
}

#[on_every_device]
fn instances_in_bundles_views_options_and_patterns() -> Result<(), Error> {
    let device = device();
    let pairs = [Pair { a: 3.0f32, b: 2.0 }, Pair { a: 10.0, b: 10.0 }];
    let grid: Vec<_> = (0..4u16).map(|k| Triple { first: k, second: [10 * k, 100 * k] }).collect();
    let scale = Two(0.125f32, Pair { a: 6, b: -7 });
    let mut p = Array::from_slice(&device, &pairs)?;
    let flat = Array::from_slice(&device, &grid)?;
    let g = flat.reshape([2, 2])?;
    let mut out = Array::zeros(&device, 5)?;
    odd::launch((2, 2), BundleArrays { pairs: &mut p, grid: &g, scale }, &mut out)?;
    assert_eq!(p.to_vec()?, [pairs[0], Pair { a: 3.0, b: 0.125 }]);
    // 3 * 2 + 100 and 2 * 3 + 2. Then -2.5 + 3, the first of `second`, 200 + 1, and 2 or 9 of the last one.
    let expected = [9.0, 106.0 + 8.0, -2.5 + 3.0 + 0.25 + 201.0 + 2000.0, 1.0 + 20.0 + 200.0, -38.0];
    assert_eq!(out.to_vec()?, expected);
    let (mut pp, mut po) = (pairs, [0.0; 5]);
    odd::plain((2, 2), Bundle { pairs: &mut pp, grid: View2::new(&grid, [2, 2]), scale }, &mut po)?;
    assert_eq!((p.to_vec()?, out.to_vec()?), (pp.to_vec(), po.to_vec()));
    Ok(())
}
