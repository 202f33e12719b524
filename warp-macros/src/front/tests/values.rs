//! Composite values: tuples, arrays, structs.

use super::agree::agree;

agree! { tuples_and_destructuring: {
    fn swap(p: (i32, f32)) -> (f32, i32) { (p.1, p.0) }
    fn k(a: &[i32], out: &mut [i32], f: &mut [f32]) {
        let t = tid();
        let ((x, y), z) = ((a[t], 2.5), 3);
        let mut p = swap((x, y));
        p.0 += 1.0;
        p.1 *= z;
        let (mut u, mut v) = (1, 2);
        (u, v) = (v, u + x);
        (_, u) = (7, u * 10);
        let (first, .., last) = (1, 2, 3, v);
        let nested = ((1, 2), (3, (4, x)));
        out[t] = p.1 + u * 100 + v * 1000 + first + last + nested.1.1.1 + nested.0.1;
        f[t] = p.0;
        if (x, 1) < (3, 0) && (x, u) != (2, 20) { out[t] += 5; }
    }
} 4, (a: i32 = [1, 2, 3, 4], out: i32 = [0; 4], f: f32 = [0.0; 4]), k(&a, &mut out, &mut f) }

agree! { local_arrays: {
    fn sum(a: &[i32]) -> i32 { let mut s = 0; for i in 0..a.len() { s = s * 2 + a[i]; } s }
    fn fill(a: &mut [i32], x: i32) { for i in 0..a.len() { a[i] += x * i as i32; } }
    fn reversed(a: [i32; 3]) -> [i32; 3] { [a[2], a[1], a[0]] }
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut w = [0; 8];
        for i in 0..8 { w[i] = a[t] * i as i32; }
        let copy = w;
        w[a[t] as usize % 8] = 100;
        let mut m = [[1, 2, 3], [4, 5, 6]];
        m[t % 2][(t + 1) % 3] = 50;
        m[0][0] += w[3];
        let row = m[1];
        let c = [0.5f32, 1.5];
        fill(&mut w, 3);
        fill(&mut w[2..5], 1000);
        let r = reversed([a[t], 2, 3]);
        out[t] = sum(&w) + sum(&copy[1..=3]) * 7 + row[2] + m[t % 2][1] + c[1] as i32 + r[0] * r[2] + w.len() as i32;
        let mut big = [1i64; 40];
        big[t + 3] = 9;
        let other = big;
        big = [2; 40];
        big[1] = other[t + 3];
        out[t] += (big[1] + big[2] + other[0]) as i32;
        let [p, q, _] = r;
        let same = r == [a[t], 2, 3];
        out[t] += p - q + same as i32;
    }
} 5, (a: i32 = [1, 2, 3, 11, 8], out: i32 = [0; 5]), k(&a, &mut out) }

agree! { structs: {
    #[derive(Clone, Copy)]
    struct Spring { k: f32, rest: f32, ends: (u32, u32) }
    #[derive(Clone, Copy)]
    struct Body { x: Vec3, v: Vec3, spring: Spring, w: [f32; 3] }
    #[derive(Clone, Copy)]
    struct Wrapper(f32, i32);
    impl Body {
        fn energy(self) -> f32 { 0.5 * self.v.length_squared() + self.spring.stored(self.x.x) }
        fn step(&mut self, dt: f32) { self.x += self.v * dt; self.spring.rest *= 0.5; self.w[1] = dt; }
        fn new(x: f32) -> Self {
            Body { x: Vec3::splat(x), v: Vec3::ONE, spring: Spring { k: 2.0, rest: x, ends: (1, 2) }, w: [x; 3] }
        }
    }
    impl Spring { fn stored(&self, x: f32) -> f32 { let d = x - self.rest; self.k * d * d } }
    impl std::ops::Add for Wrapper { type Output = Wrapper; fn add(self, o: Wrapper) -> Wrapper { Wrapper(self.0 + o.0, self.1 * o.1) } }
    impl std::ops::Mul<f32> for Wrapper { type Output = Wrapper; fn mul(self, s: f32) -> Wrapper { Wrapper(self.0 * s, self.1) } }
    impl std::ops::Mul<Wrapper> for f32 { type Output = Wrapper; fn mul(self, o: Wrapper) -> Wrapper { Wrapper(self * o.0, o.1 + 1) } }
    impl std::ops::AddAssign<f32> for Wrapper { fn add_assign(&mut self, s: f32) { self.0 += s; self.1 += 1; } }
    impl std::ops::Neg for Wrapper { type Output = Wrapper; fn neg(self) -> Wrapper { Wrapper(-self.0, self.1) } }
    fn k(a: &[f32], out: &mut [f32]) {
        let t = tid();
        let mut b = Body::new(a[t]);
        b.step(0.25);
        b.w[t % 3] += 1.0;
        let Body { x, spring: Spring { rest, ends: (_, e), .. }, .. } = b;
        let c = Body { v: x, ..b };
        let mut w = -(Wrapper(a[t], 3) + Wrapper(1.0, 2)) * 2.0 + 3.0 * Wrapper(0.5, 4);
        w += 1.5;
        let Wrapper(p, q) = w;
        out[t] = b.energy() + c.energy() + rest + e as f32 + p + q as f32 + b.w[0] + b.w[1] + w.0;
    }
} 3, (a: f32 = [1.0, 0.25, -2.0], out: f32 = [0.0; 3]), k(&a, &mut out) }

agree! { swaps_and_gets: {
    fn k(a: &mut [i32], out: &mut [i32]) {
        a.swap(0, 2);
        let mut l = [1, 2, 3];
        l.swap(0, 1);
        let v = l[2] + l[0]; l.fill(v);
        out[0] = a.get(1).copied().unwrap_or(9) + a.get(7).map_or(100, |x| *x) + l[1];
        out[1] = a.is_empty() as i32 + a.len() as i32;
    }
} 1, (a: i32 = [5, 6, 7], out: i32 = [0; 2]), k(&mut a, &mut out) }

agree! { derived_comparisons: {
    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    struct P { x: f32, y: [i32; 2] }
    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    struct Q(P, Option<P>);
    fn k(x: &[f32], out: &mut [u32]) {
        let t = tid();
        let (a, b) = (x[t], x[(t + 1) % 6]);
        let p = P { x: a, y: [1, t as i32] };
        let q = P { x: b, y: [1, 2] };
        let (m, n) = (Q(p, Some(q)), Q(q, if a > 2.0 { None } else { Some(p) }));
        let mut bits = 0;
        for (k, yes) in [p == q, p != q, p < q, p <= q, p > q, p >= q, m == n, m != n, m < n, m >= n, p == p, Some(p) == n.1, (p, 1) < (q, 0), [m, n] == [n, m]].into_iter().enumerate() {
            bits |= (yes as u32) << k;
        }
        out[t] = bits;
        assert_eq!(q, Q(q, None).0, "{b}");
    }
} 6, (x: f32 = [0.0, -0.0, 1.0, 3.0, f32::INFINITY, 2.5], out: u32 = [0; 6]), k(&x, &mut out) }

agree! { comparisons_with_nan: {
    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    struct P { n: i32, x: f64 }
    fn k(x: &[f64], out: &mut [u32]) {
        let t = tid();
        let (a, b) = (P { n: 1, x: x[t] }, P { n: t as i32, x: x[t] });
        out[t] = (a == a) as u32 + 2 * (a != b) as u32 + 4 * (a < b) as u32 + 8 * (a <= b) as u32 + 16 * (a >= b) as u32;
    }
} 3, (x: f64 = [f64::NAN, f64::NAN, 1.0], out: u32 = [0; 3]), k(&x, &mut out) }
