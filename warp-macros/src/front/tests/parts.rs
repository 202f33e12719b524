//! Parts of arrays: of slices, local arrays, and of arrays that lie in fields and elements, written through names,
//! arguments, loops and methods.

use super::agree::agree;
use super::harness::{Source, arr, run};
use crate::front::ErrorKind;

agree! { parts_of_fields_and_elements_are_written: {
    #[derive(Clone, Copy)]
    struct S { a: [i32; 5], n: i32, g: [[i32; 3]; 2] }
    fn bump(a: &mut [i32]) { for x in a.iter_mut() { *x += 10; } a[0] -= 1; }
    fn mix(a: &mut [i32], b: &mut [i32]) { for i in 0..a.len().min(b.len()) { let x = a[i]; a[i] = b[i] * 2; b[i] = x - 1; } }
    fn k(v: &mut [[i32; 5]], out: &mut [i32]) {
        let t = tid();
        let mut s = S { a: v[t], n: 2, g: [[1, 2, 3], [4, 5, 6]] };
        bump(&mut s.a[1..4]);
        bump(&mut v[t][t..t + 2]);
        bump(&mut s.g[t % 2][1..]);
        s.a[1..][t] = 5;
        s.a[..=3][t % 3] += 7;
        v[t][1..][0] *= 3;
        for x in s.a[1..].iter_mut() { *x += s.n; }
        for (i, x) in v[t][..t + 1].iter_mut().enumerate() { *x -= i as i32; }
        for x in s.g[1].iter_mut().rev().take(2) { *x *= *x; }
        s.a[..2].swap(0, 1);
        s.a[2..].swap(t % 3, 2);
        let part = &mut s.a[1..4];
        part[0] = 100;
        part[t % 3] -= 7;
        bump(part);
        bump(&mut part[1..]);
        let q = &mut part[1..];
        for x in q.iter_mut() { *x ^= 3; }
        out[t] = q[0] * 1000 + q.len() as i32 + part[0];
        mix(&mut s.a[..2], &mut v[t][3..]);
        let row = &mut s.g[1];
        row[1..][0] = 77;
        for j in 0..3 { out[t] = out[t] * 3 + s.a[j] + s.g[0][j] + s.g[1][j] * 5; }
        out[t] += s.a[3] + s.a[4] * 11;
    }
} 3, (v: [i32; 5] = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15]], out: i32 = [0; 3]), k(&mut v, &mut out) }

agree! { parts_named_before_a_loop_change_in_it: {
    #[derive(Clone, Copy)]
    struct S { a: [i32; 4], b: [i32; 4] }
    fn bump(a: &mut [i32], by: i32) -> i32 { for x in a.iter_mut() { *x += by; } a.len() as i32 }
    fn k(out: &mut [i32]) {
        let t = tid();
        let mut s = S { a: [1, 2, 3, 4], b: [5, 6, 7, 8] };
        let mut o = Some(([1, 2, 3], 4));
        {
            let p = &mut s.a[t..];
            let q: &mut [i32] = &mut s.b;
            for i in 0..5 {
                if i == 3 { continue; }
                p[0] += i;
                out[t] += bump(q, p[0]);
                if t == 1 && i == 2 { break; }
                q[i as usize % 4] -= 1;
                let last = q.len() - 1;
                q.swap(0, last);
            }
            while p[0] < 40 { p[0] += 7; for x in q[1..].iter_mut() { *x += 1; } }
        }
        if let Some((a, n)) = &mut o { let p = &mut a[1..]; p[1] = *n; bump(p, 3); *n = 9; }
        for x in s.a { out[t] = out[t] * 3 + x; }
        for x in s.b { out[t] = out[t] * 3 + x; }
        if let Some((a, n)) = o { out[t] += a[0] + a[1] * 10 + a[2] * 100 + n; }
    }
} 3, (out: i32 = [0; 3]), k(&mut out) }

agree! { slices_are_filled_copied_and_split: {
    #[derive(Clone, Copy)]
    struct S { a: [i32; 6], p: [(i32, bool); 3] }
    fn both(a: &mut [i32], b: &mut [i32]) { for x in a.iter_mut() { *x += 100; } b[0] = -1; let n = b.len(); b[n - 1] += 1000; }
    fn k(a: &[i32], v: &mut [[i32; 6]], out: &mut [i32]) {
        let t = tid();
        let mut s = S { a: [1, 2, 3, 4, 5, 6], p: [(0, false); 3] };
        let mut d = [9; 6];
        out[3 * t..3 * t + 2].fill(t as i32 + 1);
        s.a[1..3].fill(7);
        s.p[t..].fill((t as i32, true));
        d[t..t + 2].fill(4);
        v[t][2..4].copy_from_slice(&a[t..t + 2]);
        s.a[3..5].copy_from_slice(&d[t + 1..t + 3]);
        d[..2].copy_from_slice(&s.a[4..]);
        d[2..].copy_from_slice(&v[t][..4]);
        {
            let (x, y) = s.a.split_at_mut(t + 1);
            both(x, y);
            x[0] += y.len() as i32;
            let (_, z) = y.split_at_mut(1);
            z[0] = 55;
            x.copy_from_slice(&d[..t + 1]);
        }
        let (l, r) = a.split_at(2);
        let (b, c) = v[t].split_at_mut(3);
        b[t] += l[0] + r[0];
        c.copy_from_slice(&[1, 2, 3]);
        c[0] += r.len() as i32;
        let (e, f) = d.split_at_mut(4);
        e[0] = f[1];
        f[0] = e[3];
        for i in 0..6 { out[3 * t + 2] = out[3 * t + 2] * 3 + s.a[i] + d[i] * 2; }
        for (n, flag) in s.p { if flag { out[3 * t + 2] += n + 1; } }
    }
} 3, (a: i32 = [10, 20, 30, 40], v: [i32; 6] = [[1, 2, 3, 4, 5, 6]; 3], out: i32 = [0; 9]), k(&a, &mut v, &mut out) }

agree! { slices_are_walked_in_chunks: {
    #[derive(Clone, Copy)]
    struct S { a: [i32; 7] }
    fn total(a: &[i32]) -> i32 { let mut s = 1; for x in a { s = s * 3 + *x; } s }
    fn bump(a: &mut [i32]) { for x in a.iter_mut() { *x += 10; } }
    fn k(a: &[i32], v: &mut [[i32; 5]], out: &mut [i32]) {
        let t = tid();
        let mut s = S { a: [1, 2, 3, 4, 5, 6, 7] };
        let mut d = [3; 8];
        for c in a.chunks_exact(t + 1) { out[t] += total(c) + c[0]; }
        for (i, c) in s.a.chunks_exact_mut(3).enumerate() { c[i] += 100; bump(c); c.swap(0, 2); }
        for c in v[t].chunks_exact_mut(2).rev() { c[1] = c[0] * 2 + total(&c[1..]); if c[1] > 40 { break; } }
        for (c, e) in d[1..].chunks_exact_mut(2).zip(a.chunks_exact(2)).skip(1) { c.copy_from_slice(e); }
        for c in d.chunks_exact(4).step_by(2) { out[t] = out[t] * 5 + total(c); }
        for c in s.a.chunks_exact(2) { out[t] = out[t] * 5 + c[0] - c[1]; }
        for x in s.a { out[t] ^= x; }
    }
} 3, (a: i32 = [10, 20, 30, 40, 50, 60, 70], v: [i32; 5] = [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [9, 9, 9, 9, 9]], out: i32 = [0; 3]), k(&a, &mut v, &mut out) }

agree! { columns_of_matrices_are_lent: {
    fn double(v: &mut Vec3) { v.x *= 2.0; v.z -= 1.0; }
    fn k(n: &mut [u32], m: &mut [Mat3], out: &mut [f32]) {
        let t = tid();
        let mut a = m[t];
        *a.col_mut(t % 3) = Vec3::new(1.0, 2.0, 3.0);
        a.col_mut((t + 1) % 3).y += 4.0;
        a.col_mut(2)[t % 3] = 9.0;
        *a.col_mut({ n[t] += 1; n[t] as usize % 3 }) += { n[t] += 10; Vec3::new(0.5, 0.25, n[t] as f32) };
        m[t].col_mut(t % 3).z = 8.0;
        double(a.col_mut(1));
        double(m[t].col_mut((t + 2) % 3));
        let c = a.col_mut(t % 3);
        c.x -= 3.0;
        c[1] *= 2.0;
        for i in 0..3 { m[t].col_mut(i).x += i as f32; let d = a.col_mut(2 - i); d.y = d.y * 2.0 + d.x; }
        out[t] = a.x_axis.dot(a.y_axis) + a.z_axis.y * 3.0 + a.col_mut(t % 3).x;
        a.x_axis[t % 3] = 7.0;
        out[t] += a.x_axis.x * 5.0 + a.x_axis.y * 25.0;
    }
} 3, (n: u32 = [0; 3], m: Mat3 = [Mat3::from_cols(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0), Vec3::new(7.0, 8.0, 9.0)); 3], out: f32 = [0.0; 3]), k(&mut n, &mut m, &mut out) }

agree! { names_for_places: {
    #[derive(Clone, Copy)]
    struct S { a: [i32; 2], p: (i32, f32) }
    fn bump(x: &mut i32) { *x += 1; }
    fn sum(x: &[i32; 2]) -> i32 { x[0] + 2 * x[1] }
    fn k(v: &mut [i32], w: &mut [[i32; 2]], out: &mut [i32]) {
        let t = tid();
        let mut s = S { a: [1, 2], p: (3, 4.0) };
        let mut i = t;
        let x = &mut v[i];
        i += 1;
        *x += 5;
        bump(x);
        let y = &v[t];
        let z = &s.a;
        out[t] = *y * 2 + y.abs() + sum(z) + z[t % 2];
        let row = &mut w[t];
        for j in 0..2 { row[j] += 3; row[(i + j) % 2] *= 2; }
        out[t] += sum(row);
        let (n, f) = &mut s.p;
        *n += 7;
        *f *= 0.5;
        let Some(q) = &mut Some(3) else { return };
        let mut r = &s.a[0];
        if t == 1 { r = &s.a[1]; }
        out[t] = out[t] * 10 + *r + s.p.0 * 100 + s.p.1 as i32 + *q;
        let whole = &mut s;
        whole.a[t % 2] = 50;
        let again = whole;
        again.p.0 = 60;
        out[t] += s.a[0] + s.a[1] + s.p.0;
    }
} 2, (v: i32 = [1, -20], w: [i32; 2] = [[1, 2], [3, 4]], out: i32 = [0; 2]), k(&mut v, &mut w, &mut out) }

#[test]
fn parts_that_do_not_fit_are_faults() {
    let cases = [
        ("s.a[2..t + 9].fill(0.0);", "SliceRange [2, 9, 4] `s.a[2..t + 9]`"),
        ("let p = &mut s.a[1..3]; p[t + 2] = 1.0;", "Index [2, 2] `p[t + 2]`"),
        ("let p = &mut s.a[1..]; let q = &mut p[t + 4..]; q[0] = 1.0;", "SliceRange [4, 3, 3] `p[t + 4..]`"),
        ("s.a[1..].swap(0, t + 3);", "Index [3, 3] `s.a[1..].swap(0, t + 3)`"),
        ("let (p, q) = s.a.split_at_mut(t + 5); p[0] = q[0];", "SliceRange [0, 5, 4] `s.a.split_at_mut(t + 5)`"),
        ("s.a[1..].copy_from_slice(&out[t..t + 1]);", "Assert [1, 3] `s.a[1..].copy_from_slice(&out[t..t + 1])`"),
        ("for c in s.a.chunks_exact_mut(t) { c[0] = 1.0; }", "Assert [] `s.a.chunks_exact_mut(t)`"),
        ("for c in s.a.chunks_exact(t + 2) { out[0] = c[t + 2]; }", "Index [2, 2] `c[t + 2]`"),
        ("s.m.col_mut(t + 3).x = 1.0;", "Index [3, 3] `s.m.col_mut(t + 3)`"),
    ];
    for (body, words) in cases {
        let text = format!(
            "struct S {{ a: [f32; 4], m: Mat3 }}\n\
             fn k(out: &mut [f32]) {{ let t = tid(); let mut s = S {{ a: [1.0; 4], m: Mat3::IDENTITY }};\n{body}\nout[0] = s.a[1]; }}"
        );
        let report = run(&text, 1, &[arr(&[0f32; 4])]);
        assert_eq!(report.fault().as_deref(), Some(words), "{body}");
    }
}

#[test]
fn threads_put_back_their_own_parts_of_one_element() {
    let text = "fn bump(a: &mut [u32]) { for x in a.iter_mut() { *x += 1; } }
        fn k(m: &mut [[u32; 4]], n: &[u32]) {
            let t = tid();
            let low = 2 * (t % 2);
            bump(&mut m[t / 2][low..low + 2]);
            m[t / 2][low..low + 1].fill(n[0]);
        }";
    let m: Vec<u32> = (0..8).collect();
    let report = run(text, 4, &[arr(&m), arr(&[70u32])]);
    assert_eq!(report.fault(), None);
    assert_eq!(report.get::<u32>(0), [70, 2, 70, 4, 70, 6, 70, 8]);
    // A store of a neighbour that was not given away would undo what another thread writes there, so each store stands
    // under a branch of its own.
    let kernel = super::harness::show(&report.kernel);
    assert_eq!(kernel.lines().filter(|line| line.starts_with("  store array0")).count(), 0, "{kernel}");
}

#[test]
fn halves_and_chunks_without_names_are_refused() {
    let cases = [
        ("let p = out.split_at_mut(1); p.0[0] = 1.0;", "split_at_mut(1)", "apart at once"),
        ("let mut p = &mut out[1..]; p = &mut out[2..]; p[0] = 1.0;", "&", "no references in values"),
        ("let mut p = &out[1..]; p = &out[2..]; let x = p[0];", "p = ", "one slice for good"),
        ("for c @ _ in out.chunks_exact_mut(2) { c[0] = 1.0; }", "c @ _", "give a chunk a name"),
        ("for p in out.chunks_exact_mut(2).enumerate() { p.1[0] = 1.0; }", "p", "take pairs of a loop apart"),
    ];
    for (body, token, words) in cases {
        let text = format!("fn k(out: &mut [f32]) {{\n{body}\n}}");
        let error = Source::new(&text).errors().into_iter().next().unwrap_or_else(|| panic!("no error: {body}"));
        assert_eq!(error.kind, ErrorKind::Refused, "{body}: {}", error.message);
        let column = error.span.start().column;
        assert!(body[column..].starts_with(token), "{body}: at {}: {}", &body[column..], error.message);
        assert!(error.message.contains(words), "{body}: {}", error.message);
    }
}

agree! { parts_behind_many_exits: {
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let p = &a[1..];
        if a[t] == 1 { out[t] = 1; return; }
        if a[t] == 2 { out[t] = 2; return; }
        let q = &p[if a[t] == 3 { out[t] = 3; return } else { 1 }..];
        let r = &a[5..if a[t] == 4 { out[t] = 4; return } else { 7 }];
        if a[t] == 5 { out[t] = 5; return; }
        for i in 0..2 { if q[i] == 100 { return; } }
        let (x, y) = a.split_at(if a[t] == 6 { out[t] = q[1]; return } else { 2 });
        if x[0] == 40 { return; }
        if x[0] == 41 { return; } if x[0] == 42 { return; } if x[0] == 43 { return; } if x[0] == 44 { return; }
        if x[0] == 45 { return; } if x[0] == 46 { return; } if x[0] == 47 { return; } if x[0] == 48 { return; }
        let z = &y[1..];
        if z[0] == 45 { return; } if x[0] == 56 { return; } if x[0] == 57 { return; } if x[0] == 58 { return; }
        if z[0] == 65 { return; } if x[0] == 66 { return; } if x[0] == 67 { return; } if x[0] == 68 { return; }
        if z[1] == 65 { return; } if x[0] == 66 { return; } if x[0] == 67 { return; } if x[0] == 68 { return; }
        out[t] = r[1] * 100 + q[0] + z[0] * 10000 + y.len() as i32;
    }
} 7, (a: i32 = [1, 2, 3, 4, 5, 6, 7], out: i32 = [0; 7]), k(&a, &mut out) }

agree! { ranges_whose_end_leaves: {
    fn k(out: &mut [i32]) {
        let t = tid();
        out[t] = 1;
        for i in 0..({ if t == 1 { out[t] = 2; } return }) { out[t] = i; }
    }
} 2, (out: i32 = [0; 2]), k(&mut out) }
