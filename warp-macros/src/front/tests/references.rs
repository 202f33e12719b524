//! What stands behind references: loops over them, patterns that meet them, functions that write through them.

use super::agree::agree;
use super::harness::{Linked, Source};
use crate::front::ErrorKind;

agree! { loops_over_a_mutable_slice_by_its_name: {
    fn scale(a: &mut [f32], by: f32) { for x in a { *x *= by; } }
    fn add(a: &mut [f32], b: &mut [f32]) { for (x, y) in a.iter_mut().zip(b) { *y += *x; *x = 0.5; } }
    fn from_end(a: &mut [f32]) { for (i, x) in a.into_iter().rev().enumerate() { *x += i as f32; if i == 2 { break; } } }
    fn k(a: &mut [f32], b: &mut [f32]) {
        scale(a, 2.0);
        add(&mut a[1..4], b);
        from_end(&mut a[..5]);
        scale(&mut b[1..], 0.5);
        for x in a { *x += 0.25; }
    }
} 1, (a: f32 = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], b: f32 = [10.0, 20.0, 30.0]), k(&mut a, &mut b) }

agree! { loops_over_a_mutable_array_by_its_name: {
    fn step(v: &mut [f32; 3], by: f32) -> f32 { let mut s = 0.0; for x in v { s += *x; *x += by; } s }
    fn twice(v: &mut [f32; 3]) { for (i, x) in v.into_iter().enumerate() { if i == 1 { continue; } *x *= 2.0; } }
    fn k(a: &mut [[f32; 3]], out: &mut [f32]) {
        let mut own = [1.0, 2.0, 3.0];
        out[0] = step(&mut own, 0.5);
        twice(&mut own);
        out[1] = own[0] + 10.0 * own[1] + 100.0 * own[2];
        out[2] = step(&mut a[1], 4.0);
        for row in a.iter_mut() { for x in row { *x += 1.0; } }
        for row in a { let [_, y, _] = row; *y *= 3.0; for x in row { *x -= 0.5; } }
        if let [x, (4.0..), _] = &mut own { *x = -*x; }
        out[3] = own[0] + 10.0 * own[1] + 100.0 * own[2];
    }
} 1, (a: [f32; 3] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], out: f32 = [0.0; 4]), k(&mut a, &mut out) }

agree! { names_made_inside_a_loop_lead_to_the_variable: {
    #[derive(Clone, Copy)]
    struct S { x: i32, y: i32 }
    fn k(n: &[u32], out: &mut [i32]) {
        let t = tid();
        let mut all = [S { x: 1, y: 2 }, S { x: 3, y: 4 }];
        let mut i = 0;
        while i < n[t] {
            for s in all.iter_mut() {
                let S { x, y } = s;
                let mut j = 0;
                while j < n[t] { *x += *y; if j > 1 { let z = x; *z -= 1; break; } j += 1; }
            }
            i += 1;
        }
        out[t] = all[0].x + 100 * all[0].y + 10_000 * all[1].x;
    }
} 3, (n: u32 = [0, 1, 3], out: i32 = [0; 3]), k(&n, &mut out) }

agree! { reference_patterns_copy: {
    #[derive(Clone, Copy)]
    struct S { x: i32, y: [i32; 2] }
    fn swap(p: &mut S) { let &mut S { x, y: [a, b] } = p; p.x = b; p.y = [x, a]; }
    fn turn(v: &mut [i32; 3]) { let &mut [a, b, c] = v; v[0] = b; v[1] = c; v[2] = a; }
    fn next(n: &mut i32) -> i32 { let &mut old = n; *n += 1; old }
    fn of(o: &mut Option<i32>) -> i32 { if let &mut Some(v) = o { *o = None; return v; } match o { &mut Some(v) => v, &mut None => { *o = Some(7); -1 } } }
    fn k(a: &mut [i32], out: &mut [i32]) {
        let mut s = S { x: 1, y: [2, 3] };
        swap(&mut s);
        out[0] = s.x + 10 * s.y[0] + 100 * s.y[1];
        let mut v = [4, 5, 6];
        turn(&mut v);
        out[1] = v[0] + 10 * v[1] + 100 * v[2];
        let mut n = 5;
        out[2] = next(&mut n) * 100 + n;
        let mut o = Some(3);
        out[3] = of(&mut o) * 100 + of(&mut o) * 10 + of(&mut o);
        for &mut mut x in a.iter_mut() { x += 1; out[4] += x; }
        for (i, &mut x) in a.iter_mut().enumerate() { out[5] += x * i as i32; }
        for (x, &mut y) in v.iter_mut().zip(a) { *x += y; }
        out[6] = v[0] + 10 * v[1] + 100 * v[2];
    }
} 1, (a: i32 = [1, 2, 3], out: i32 = [0; 7]), k(&mut a, &mut out) }

agree! { an_iterator_behind_a_reference_goes_on: {
    #[derive(Clone, Copy)]
    struct Count { at: i32, end: i32 }
    impl Count {
        fn next(&mut self) -> Option<i32> { if self.at < self.end { self.at += 1; Some(self.at) } else { None } }
    }
    impl Iterator for Count { type Item = i32; fn next(&mut self) -> Option<i32> { Count::next(self) } }
    fn two(it: &mut Count) -> i32 {
        let (mut n, mut s) = (0, 0);
        for x in it { s = s * 10 + x; n += 1; if n == 2 { break; } }
        s
    }
    fn one(it: &mut Count) -> i32 { let d = it; let mut s = 0; for x in d { s = x; break; } s }
    fn until(it: &mut Count, last: i32) -> i32 { for x in it { if x == last { return x; } } -1 }
    fn k(out: &mut [i32]) {
        let mut c = Count { at: 0, end: 7 };
        out[0] = two(&mut c);
        out[1] = two(&mut c);
        out[2] = until(&mut c, 6);
        let copy = c;
        for x in copy { out[3] += x; }
        out[4] = c.at;
        let mut i = 0;
        while i < 3 { out[5] += one(&mut c) * 10; i += 1; }
        out[6] = c.at;
    }
} 1, (out: i32 = [0; 7]), k(&mut out) }

agree! { loops_by_value_keep_what_functions_overwrite: {
    #[derive(Clone, Copy)]
    struct Row { vals: [f32; 3] }
    fn touch(a: &mut [Row], i: usize) { a[i].vals[2] += 100.0; a[i].vals[0] = 0.0; }
    fn each(v: &mut [f32], by: f32) { for x in v { *x += by; } }
    fn rows(v: &mut [f32; 3]) -> f32 { let mut s = 0.0; for k in 0..3 { each(v, k as f32 + 0.5); s += v[k]; } s }
    fn first(a: &mut [Row], i: usize) -> f32 { let mut s = 0.0; for v in a[i].vals { touch(a, i); s = s * 2.0 + v; } s }
    fn second(a: &mut [Row]) -> f32 { let mut s = 0.0; for v in a[0].vals { a[0].vals = [7.0; 3]; s = s * 2.0 + v; } s }
    fn k(out: &mut [f32]) {
        let mut all = [Row { vals: [1.0, 2.0, 3.0] }, Row { vals: [4.0, 5.0, 6.0] }];
        out[0] = first(&mut all, 1);
        out[1] = second(&mut all) + all[1].vals[2];
        let mut own = [1.0, 2.0, 3.0];
        out[2] = rows(&mut own);
        for v in own { each(&mut own, 1.0); out[3] += v; }
        out[4] = own[0] + 10.0 * own[1] + 100.0 * own[2];
    }
} 1, (out: f32 = [0.0; 5]), k(&mut out) }

/// The first error of the function `f`.
fn refused(text: &str) -> (ErrorKind, String) {
    let error = Source::new(text).errors_of("f").into_iter().next().unwrap_or_else(|| panic!("no error: {text}"));
    (error.kind, error.message)
}

#[test]
fn a_copy_that_goes_back_takes_no_atomics() {
    let functions = [
        "fn f(bins: &mut [u32; 8], k: usize) { atomic_add(&mut bins[k], 1); }",
        "fn f(bins: &mut [u32; 8], k: usize) { for b in bins { atomic_max(b, k as u32); } }",
        "fn f(bins: &mut [[u32; 2]; 8]) { for row in bins.iter_mut() { let [a, _] = row; atomic_max(a, 5); } }",
    ];
    for text in functions {
        let (kind, message) = refused(text);
        assert_eq!(kind, ErrorKind::Refused, "{text}: {message}");
        assert!(message.contains("an atomic works on"), "{text}: {message}");
    }
    let (_, message) = refused(functions[0]);
    assert!(message.contains("take the array as a slice"), "{message}");
    // An array of the function's own is no copy of anything.
    let own = "fn f(k: usize) -> u32 { let mut bins = [0u32; 4]; atomic_add(&mut bins[k], 1); bins[k] }";
    assert!(Source::new(own).errors_of("f").is_empty());
}

#[test]
fn a_reference_stays_what_it_is() {
    let bodies = [
        "for (mut x, y) in a.iter_mut().zip(b.iter_mut()) { if *y > *x { x = y; } *x += 1.0; }",
        "for (mut x, mut y) in a.iter_mut().zip(b) { (x, y) = (y, x); *x += 1.0; *y -= 1.0; }",
    ];
    for body in bodies {
        let (kind, message) = refused(&format!("fn f(a: &mut [f32], b: &mut [f32]) {{ {body} }}"));
        assert_eq!(kind, ErrorKind::Deferred, "{body}");
        assert!(message.contains("is a reference") && message.contains("`*x`"), "{body}: {message}");
    }
    let (_, message) = refused("fn f(mut x: &mut f32, y: &mut f32) { x = y; *x += 1.0; }");
    assert!(message.contains("`x` is a reference"), "{message}");
}

#[test]
fn atomics_find_copies_through_slices() {
    let tally = "fn tally(bins: &mut [u32], k: usize) { atomic_add(&mut bins[k], 1); } ";
    let linked = |kernel: &str| {
        let source = Source::new(&format!("{tally}{kernel}"));
        source.link(*source.lowered()).map(|linked| matches!(linked, Linked::Kernel(_)))
    };
    for kernel in [
        "fn k(h: &mut [[u32; 8]]) { tally(&mut h[0], tid()); }",
        "struct S { bins: [u32; 4], n: f32 } fn k(all: &mut [S]) { let i = tid(); tally(&mut all[i].bins, 2); }",
        "fn g(bins: &mut [u32; 8]) { tally(bins, 3); } fn k(h: &mut [[u32; 8]]) { g(&mut h[0]); }",
    ] {
        let words = linked(kernel).expect_err(kernel);
        assert!(words.contains("AtomicOnCopy { function: \"tally\" }"), "{kernel}: {words}");
    }
    // Memory that is no copy: an array of the kernel's, a part of it, and an array of the thread's own.
    for kernel in [
        "fn k(h: &mut [u32]) { tally(h, tid()); tally(&mut h[2..], 1); }",
        "fn k(h: &mut [u32]) { let mut own = [0u32; 8]; tally(&mut own, tid() % 8); h[0] = own[1]; }",
    ] {
        assert_eq!(linked(kernel), Ok(true), "{kernel}");
    }
}
