//! The order in which parts of an expression are evaluated, and what is left undone when one of them leaves.

use super::agree::agree;
use super::harness::{arr, run};

agree! { exits_in_indexes: {
    fn k(x: &[u32], out: &mut [u32]) {
        let t = tid();
        let mut a = [[0u32; 3]; 3];
        let mut n = 0;
        for i in 0..4u32 {
            a[match x[t] { 0 => return, 1 => continue, 2 if i > 1 => break, k => (k + i) as usize % 3 }][{ n += 1; n % 3 }] = {
                n += 1;
                n as u32
            };
            a[0][if x[t] == 3 && i == 2 { break } else { 1 }] += a[if x[t] == 4 { continue } else { 2 }][n % 3] + i;
            out[if x[t] == 5 && i == 3 { return } else { t }] += a[1][1] + a[2][if n > 100 { return } else { 0 }];
        }
        out[t] = out[t] * 10 + a[0][0] + 2 * a[0][1] + 3 * a[0][2] + 5 * a[1][0] + 7 * a[1][1] + 11 * a[2][2] + n as u32 * 100;
    }
} 8, (x: u32 = [0, 1, 2, 3, 4, 5, 6, 7], out: u32 = [0; 8]), k(&x, &mut out) }

agree! { exits_in_bounds_of_slices: {
    fn total(a: &[u32]) -> u32 { let mut s = 0; for i in 0..a.len() { s = s * 10 + a[i]; } s }
    fn first(a: &mut [u32], by: u32) -> u32 { a[0] += by; a[0] }
    fn k(x: &[u32], out: &mut [u32]) {
        let t = tid();
        let mut a = [1u32, 2, 3, 4, 5, 6];
        for i in 0..3usize {
            out[t] += total(&a[if x[t] == 0 { return } else { i }..]);
            out[t] += total(&a[i..if x[t] == 1 { continue } else { 4 }]);
            out[t] += total(&x[..=if x[t] == 2 { break } else { i }]);
            out[t] += first(&mut a[i..][if x[t] == 3 { break } else { 1 }..], if x[t] == 4 { continue } else { 1 });
            for y in x[if x[t] == 5 { break } else { 1 }..].iter() { out[t] += *y; }
            out[t] += x[1..5][if x[t] == 6 { return } else { 2 }..][0];
        }
        out[t] += 10 * a[2];
    }
} 8, (x: u32 = [0, 1, 2, 3, 4, 5, 6, 7], out: u32 = [0; 8]), k(&x, &mut out) }

agree! { exits_in_arguments_and_receivers: {
    #[derive(Clone, Copy)]
    struct P { x: i32, y: i32 }
    impl P { fn add(&mut self, by: i32) -> i32 { self.x += by; self.y -= by; self.x } }
    fn both(a: &mut i32, b: i32, c: i32) -> i32 { *a += b * c; *a - b }
    fn k(x: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut p = [P { x: 1, y: 2 }, P { x: 3, y: 4 }];
        let mut o = Some(3);
        let mut q = [1, 2, 3];
        for i in 0..3 {
            out[t] += p[if x[t] == 0 { break } else { 1 }].add(if x[t] == 1 { continue } else { i });
            out[t] += both(&mut q[if x[t] == 2 { return } else { 1 }], i, if x[t] == 3 { break } else { 5 });
            out[t] += o.unwrap_or(if x[t] == 4 { break } else { 9 }).max(if x[t] == 5 && i == 1 { return } else { -4 });
            o = if x[t] == 6 { o.take().map(|v| v + 1) } else { None };
            q.swap(if x[t] == 7 { continue } else { 0 }, 2);
            q.fill(if x[t] == 8 { break } else { i + 4 });
            let z = P { x: q[2], y: if x[t] == 9 { break } else { 5 } };
            let w = P { x: if x[t] == 10 { return } else { 2 }, ..z };
            out[t] += w.x + w.y + [w.x, if x[t] == 11 { break } else { 3 }, 7][i as usize];
        }
        out[t] += p[0].x + 10 * p[1].x + 100 * p[1].y + 1000 * q[0] + q[1] + q[2];
    }
} 13, (x: i32 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], out: i32 = [0; 13]), k(&x, &mut out) }

agree! { side_effects_from_left_to_right: {
    fn three(a: i32, b: i32, c: i32) -> i32 { a * 100 + b * 10 + c }
    fn change(a: &mut i32, b: i32) -> i32 { *a = *a * 10 + b; *a }
    fn k(out: &mut [i32]) {
        let mut n = 0;
        let mut a = [0; 8];
        out[0] = three({ n += 1; n }, { n *= 3; n }, n);
        a[{ n += 1; n as usize }] += { n -= 2; n };
        out[1] = a[2] * 10 + a[4];
        a[{ n += 1; n as usize }] = { n += 2; n };
        out[2] = n * 100 + a[5];
        let mut x = 1;
        out[3] = x + { x = 5; x } * x;
        let t = (x, { x += 1; x }, x);
        out[4] = t.0 * 100 + t.1 * 10 + t.2;
        out[5] = change(&mut a[{ n = 1; 3 }], n);
        out[6] = [x, { x = 0; 2 }, x][{ n += 1; n as usize }];
        out[7] = (if n > 1 { n = 0; 3 } else { 4 }) + n;
        (a[{ n += 1; 0 }], a[{ n *= 5; 1 }]) = ({ n += 10; n }, n);
        out[8] = a[0] * 100 + a[1] * 10 + n;
        let mut m = [[1, 2], [3, 4]];
        m[{ n = 1; 0 }].swap({ n -= 1; n as usize }, 1);
        out[9] = m[0][0] * 10 + m[0][1] + 100 * n;
        m[{ n += 1; 1 }].fill({ n += 1; n });
        out[10] = m[1][0] * 10 + n;
        out[11] = *m[{ n += 1; 0 }].get({ n += 1; (n - 4) as usize }).unwrap() + n * 10;
    }
} 1, (out: i32 = [0; 12]), k(&mut out) }

agree! { vectors_take_their_place_first: {
    fn k(out: &mut [f32]) {
        let mut n = 0usize;
        let mut v = [Vec3::ZERO; 4];
        v[{ n += 1; n }] += Vec3::splat({ n += 1; n as f32 });
        v[{ n += 1; n - 1 }] *= { n += 1; n as f32 };
        let mut s = [0.0f32; 8];
        s[{ n += 1; n }] += { n -= 1; n as f32 };
        for i in 0..4 { out[i] = v[i].x + s[i] * 100.0; }
        out[4] = n as f32;
    }
} 1, (out: f32 = [0.0; 5]), k(&mut out) }

#[test]
fn an_outer_index_is_checked_before_the_inner_one_leaves() {
    let text = "fn k(n: &[usize], out: &mut [u32]) { let mut a = [[0u32; 2]; 2]; \
                a[n[0]][if n[0] > 1 { return } else { 0 }] = 1; out[0] = a[0][0]; }";
    let report = run(text, 1, &[arr(&[5usize]), arr(&[0u32])]);
    assert!(report.fault().unwrap().starts_with("Index [5, 2]"), "{:?}", report.fault());
    assert_eq!(run(text, 1, &[arr(&[0usize]), arr(&[0u32])]).get::<u32>(1), [1]);
}

agree! { printed_once: {
    fn k(out: &mut [i32]) {
        let mut n = 0;
        println!("{1} {0} {0} {1} {x} {n}", { n += 1; n }, { n *= 10; n }, x = { n += 5; n });
        out[0] = n;
    }
} 1, (out: i32 = [0; 1]), k(&mut out) }

agree! { destructuring_assignments: {
    #[derive(Clone, Copy)]
    struct P { x: i32, y: i32 }
    #[derive(Clone, Copy)]
    struct Q(i32, P, [i32; 3]);
    fn pair(n: &mut i32) -> (i32, (i32, i32)) { *n += 1; (*n, (*n * 2, *n * 3)) }
    fn k(out: &mut [i32]) {
        let mut n = 0;
        let (mut a, mut b, mut c);
        (a, (b, c)) = pair(&mut n);
        let mut q = Q(1, P { x: 2, y: 3 }, [4, 5, 6]);
        (q.0, (q.1.x, q.2[n as usize])) = pair(&mut n);
        out[0] = a + 10 * b + 100 * c;
        [a, b] = [b, a];
        out[1] = a * 10 + b;
        P { x: a, y: q.2[0] } = P { x: q.2[0], y: a };
        P { x: c, .. } = q.1;
        _ = pair(&mut n);
        (_, (a, _)) = pair(&mut n);
        let mut p = P { x: 0, y: 0 };
        Q(out[2], p, _) = q;
        Q(b, ..) = q;
        [out[3], .., p.y] = q.2;
        [a, ..] = [n, 2, 3];
        (.., c) = (1, 2, n + 5);
        (a, _, b) = (b, a, c);
        (p.x, ()) = (p.x + 1, ());
        out[4] = n; out[5] = a; out[6] = b; out[7] = c; out[8] = p.x * 10 + p.y;
        out[9] = q.0 + q.1.x * 10 + q.2[0] * 100 + q.2[1] * 1000 + q.2[2] * 10000;
        let x = { (a, b) = (b, a); };
        (out[10], out[a as usize % 4 + 10]) = (b, a);
        let mut i = 11;
        (i, out[i]) = (12, 5);
        (i, out[i]) = (13, 6);
    }
} 1, (out: i32 = [0; 16]), k(&mut out) }
