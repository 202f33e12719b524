//! Slices, parts of arrays, bundles and elements by computed indexes: each means what it means in Rust, or is refused.

use super::agree::agree;
use super::harness::{Source, arr, run};
use crate::front::ErrorKind;

/// The first error of a source, which refuses it: the line from its token on, and its words.
fn refused(text: &str) -> (String, String) {
    let error = Source::new(text).errors().into_iter().next().unwrap_or_else(|| panic!("no error: {text}"));
    assert_eq!(error.kind, ErrorKind::Refused, "{text}: {}", error.message);
    let start = error.span.start();
    let line = text.lines().nth(start.line - 1).unwrap_or_default();
    (line[start.column..].to_string(), error.message)
}

#[test]
fn slices_and_views_are_names_for_memory_and_not_values() {
    let cases = [
        (
            "let src = if flip[0] > 0.0 { a } else { b }; out[0] = src[0];",
            "if flip[0] > 0.0 { a } else { b }",
            "at run time",
        ),
        (
            "let src = match flip.len() { 1 => a, _ => b }; out[0] = src[0];",
            "match flip.len() { 1 => a, _ => b }",
            "at run time",
        ),
        ("let src = loop { break a; }; out[0] = src[0];", "loop { break a; }", "at run time"),
        ("let src = { let c = a; c }; out[0] = src[0];", "{ let c = a; c }", "before the `let`"),
        ("let (p, q) = (a, b); out[0] = p[0] + q[0];", "p", "where it is declared"),
        ("let p = (a, b); out[0] = p.0[0];", "p.0", "in a tuple"),
        ("let s; if flip[0] > 0.0 { s = a } else { s = b } out[0] = s[0];", "s", "where it is declared"),
        ("match a { s => out[0] = s[0] }", "s", "where it is declared"),
        ("out[0] = (if flip[0] > 0.0 { a } else { b })[0];", "if flip[0] > 0.0 { a } else { b }", "at run time"),
        ("out[0] = total(if flip[0] > 0.0 { a } else { b });", "if flip[0] > 0.0 { a } else { b }", "at run time"),
        (
            "out[0] = (if flip[0] > 0.0 { a } else { b }).len() as f32;",
            "if flip[0] > 0.0 { a } else { b }",
            "at run time",
        ),
        (
            "for x in (if flip[0] > 0.0 { a } else { b }).iter() { out[0] += *x; }",
            "if flip[0] > 0.0 { a } else { b }",
            "at run time",
        ),
        (
            "for x in (if flip[0] > 0.0 { a } else { b }) { out[0] += *x; }",
            "if flip[0] > 0.0 { a } else { b }",
            "at run time",
        ),
        (
            "let m = if flip[0] > 0.0 { m } else { n }; out[0] = m.w[0];",
            "if flip[0] > 0.0 { m } else { n }",
            "at run time",
        ),
        (
            "let m = if flip[0] > 0.0 { m } else { n }; out[0] = m.k as f32;",
            "if flip[0] > 0.0 { m } else { n }",
            "at run time",
        ),
        ("out[0] = (if flip[0] > 0.0 { m } else { n }).k as f32;", "if flip[0] > 0.0 { m } else { n }", "at run time"),
        ("let (m, n) = (m, n); out[0] = weigh(m) + weigh(n);", "m", "where it is declared"),
        (
            "let v = if flip[0] > 0.0 { v } else { w }; out[0] = v[(0, 0)];",
            "if flip[0] > 0.0 { v } else { w }",
            "at run time",
        ),
        (
            "out[0] = (if flip[0] > 0.0 { v } else { w }).rows() as f32;",
            "if flip[0] > 0.0 { v } else { w }",
            "at run time",
        ),
        ("let M { k, .. } = m; out[0] = k as f32;", "M { k, .. }", "name its fields"),
        ("match m { M { w, k } => out[0] = w[0] + k as f32 }", "M { w, k }", "name its fields"),
        ("out[0] = weigh(M { w: a, k: 3 });", "M { w: a, k: 3 }", "by its name only"),
        ("let p = Some(a); if let Some(p) = p { out[0] = p[0]; }", "p", "where it is declared"),
    ];
    for (body, token, words) in cases {
        let text = format!(
            "struct M<'a> {{ w: &'a [f32], k: u32 }}\n\
             fn total(a: &[f32]) -> f32 {{ a[0] + a[1] }}\n\
             fn weigh(m: M<'_>) -> f32 {{ m.w[0] }}\n\
             fn k(flip: &[f32], a: &[f32], b: &[f32], m: M<'_>, n: M<'_>, v: View2<f32>, w: View2<f32>, out: &mut [f32]) {{\n{body}\n}}"
        );
        let (at, message) = refused(&text);
        assert!(message.contains(words), "{body}: {message}");
        assert!(at.starts_with(token), "{body}: at {at}: {message}");
    }
}

agree! { slices_by_other_names: {
    fn total(a: &[i32]) -> i32 { let mut s = 0; for x in a { s = s * 3 + *x; } s }
    fn k(a: &[i32], b: &[i32], out: &mut [i32]) {
        let t = tid();
        let (n, src) = (2, 1);
        let s = a;
        let r = s;
        let c = b;
        let x = if t % 2 == 0 { a[t] } else { b[t] };
        let y = match t { 0 => total(a), 1 => total(&b[1..]), _ => total(&r[n..][src..]) };
        let z;
        if t > 1 { z = s[t] } else { z = r.len() as i32 }
        out[t] = x + 10 * y + 100 * z + c[0];
    }
} 4, (a: i32 = [1, 2, 3, 4, 5], b: i32 = [6, 7, 8, 9, 10], out: i32 = [0; 4]), k(&a, &b, &mut out) }

agree! { parts_of_arrays_inside_elements_and_fields: {
    #[derive(Clone, Copy)]
    struct S { a: [i32; 4], n: i32 }
    fn bump(a: &mut [i32]) { for x in a.iter_mut() { *x += 10; } a[0] -= 1; }
    fn total(a: &[i32]) -> i32 { let mut s = 0; for x in a { s = s * 3 + *x; } s }
    fn k(v: &mut [[i32; 4]], out: &mut [i32]) {
        let t = tid();
        let mut s = S { a: v[t], n: 2 };
        bump(&mut s.a);
        bump(&mut v[t]);
        out[t] = total(&v[t][1..3]) + total(&s.a[..s.n as usize]) + s.a[1..][t % 3] + v[t][1..].len() as i32;
        let mut row = v[t];
        bump(&mut row[1..3]);
        row[1..][0] += 5;
        row[..2].swap(0, 1);
        for x in row[2..].iter_mut() { *x *= 2; }
        v[t] = row;
        let mut rows = [[1, 2, 3, 4]; 5];
        bump(&mut rows[t][1..3]);
        rows[t + 1][1..][t % 2] += 7;
        for row in rows.iter_mut() { bump(&mut row[2..]); }
        for x in rows[t][..3].iter() { out[t] += *x; }
        out[t] += total(&rows[t + 1]) + total(&rows[4]);
    }
} 4, (v: [i32; 4] = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]], out: i32 = [0; 4]), k(&mut v, &mut out) }

agree! { indexes_in_copies_of_large_arrays_are_evaluated_once: {
    fn next(s: &mut u32) -> usize { *s += 1; *s as usize }
    fn k(count: &mut [u32], out: &mut [[i32; 20]], n: &mut [u32]) {
        let t = tid();
        let mut seed = 0;
        let mut row = [t as i32; 20];
        row[t] = 7;
        out[next(&mut count[0])] = row;
        let mut table = [[1; 20]; 4];
        for i in 0..4 { for j in 0..20 { table[i][j] = (i * 20 + j) as i32; } }
        let copy = table[next(&mut seed)];
        let mut other = [0; 20];
        other = table[next(&mut seed)];
        table[{ seed += 1; 0 }] = out[next(&mut count[1])];
        row = out[{ seed += 1; t + 1 }];
        n[t] = seed;
        let mut sum = 0;
        for i in 0..20 { sum += copy[i] * 2 + other[i] * 3 + table[0][i] * 5 + row[i]; }
        out[t][19] = sum;
    }
} 3, (count: u32 = [0, 0], out: [i32; 20] = [[5; 20]; 6], n: u32 = [0; 3]), k(&mut count, &mut out, &mut n) }

agree! { a_copied_array_is_read_before_the_targets_index_changes_it: {
    fn change(a: &mut [i32]) -> usize { a[0] = 50; a[19] += 1; 1 }
    fn k(out: &mut [i32]) {
        let t = tid();
        let mut v = [[1; 20]; 3];
        let mut w = [[2; 20]; 2];
        v[{ w[0][0] = 9; 1 }] = w[0];
        v[change(&mut w[1])] = w[1];
        v[{ v[0][t] = 8; 2 }] = v[0];
        for i in 0..3 { out[t] = out[t] * 7 + v[i][0] + v[i][19] + v[i][t] * 3; }
    }
} 2, (out: i32 = [0; 2]), k(&mut out) }

#[test]
fn threads_write_their_own_components_of_one_element() {
    let (m, v): (Vec<f32>, Vec<f32>) = ((0..32).map(|i| i as f32).collect(), (0..33).map(|i| i as f32).collect());
    let text = "fn k(m: &mut [[f32; 16]], v: &mut [Vec3], q: &mut [[[f32; 2]; 3]]) {
        let t = tid();
        m[t / 16][t % 16] = 100.0 + t as f32;
        v[t / 3][t % 3] += 0.5;
        q[t / 6][t % 6 / 2][t % 2] *= 2.0;
    }";
    let report = run(text, 32, &[arr(&m), arr(&v), arr(&v[..30])]);
    assert_eq!(report.fault(), Some("Index [5, 5] `q[t / 6]`".into()));
    let q: Vec<f32> = (0..36).map(|i| i as f32).collect();
    let report = run(text, 32, &[arr(&m), arr(&v), arr(&q)]);
    assert_eq!(report.fault(), None);
    assert_eq!(report.get::<f32>(0), (0..32).map(|i| 100.0 + i as f32).collect::<Vec<_>>());
    assert_eq!(report.get::<f32>(1), (0..33).map(|i| i as f32 + if i < 32 { 0.5 } else { 0.0 }).collect::<Vec<_>>());
    assert_eq!(report.get::<f32>(2), (0..36).map(|i| i as f32 * if i < 32 { 2.0 } else { 1.0 }).collect::<Vec<_>>());
    // One store for a component, not one for each scalar of the element: else threads undo what others wrote.
    let text = "fn k(m: &mut [[f32; 16]], x: &mut [f32]) { let t = tid(); m[t / 16][x.len() % 16] = 1.0; }";
    let report = run(text, 32, &[arr(&m), arr(&m)]);
    let kernel = super::harness::show(&report.kernel);
    assert!(!kernel.contains("load"), "nothing that others write is read to write one component:\n{kernel}");
}

agree! { components_by_computed_indexes_in_all_places: {
    #[derive(Clone, Copy)]
    struct P { at: [(i32, u8); 3], grid: [[i32; 3]; 2], flag: Option<[i32; 2]> }
    fn add(x: &mut i32) { *x += 4; }
    fn k(p: &mut [[i32; 5]], q: &mut [[[i32; 3]; 2]], v: &mut [Vec3]) {
        let t = tid();
        p[t][t % 5] = 9;
        add(&mut p[t][(t + 1) % 5]);
        p[t].swap(t % 5, 4);
        for x in p[t].iter_mut() { *x += 1; }
        q[t][t % 2][t % 3] += 7;
        q[t][(t + 1) % 2] = [t as i32, 1, 2];
        add(&mut q[t][t % 2][2]);
        v[t][t % 3] -= 2.0;
        let mut s = P { at: [(1, 2); 3], grid: q[t], flag: Some([1, 2]) };
        s.at[t % 3].0 += 5;
        s.at[(t + 1) % 3] = (t as i32, 4);
        s.grid[t % 2][t % 3] *= 2;
        if let Some(f) = &mut s.flag { f[t % 2] = 8; }
        for i in 0..3 { p[t][i] += s.at[i].0 * 100 + s.at[i].1 as i32 + s.grid[1][i]; }
        p[t][4] += s.flag.map_or(0, |f| f[0] * 10 + f[1]);
    }
} 6, (p: [i32; 5] = [[1, 2, 3, 4, 5]; 6], q: [[i32; 3]; 2] = [[[1, 2, 3], [4, 5, 6]]; 6], v: Vec3 = [Vec3::ONE; 6]), k(&mut p, &mut q, &mut v) }

#[test]
fn what_a_bundle_carries_by_value_is_not_written_unseen() {
    let cases = [
        ("m.n = 3;", "m.n"),
        ("m.n += 3;", "m.n"),
        ("bump(&mut m.n);", "m.n"),
        ("m.w[1] = 1.0;", "m.w"),
        ("m.w[out.len() % 2] = 1.0;", "m.w"),
        ("for x in m.w.iter_mut() { *x = 1.0; }", "m.w"),
        ("m.w.fill(0.0);", "m.w"),
        ("m.w.swap(0, 1);", "m.w"),
        ("m.o.take();", "m.o"),
        ("m.p.turn();", "m.p"),
        ("m.p.x = 1.0;", "m.p"),
        ("set(&mut m.w);", "m.w"),
    ];
    for (body, token) in cases {
        let text = format!(
            "struct P {{ x: f32 }}\n\
             impl P {{ fn turn(&mut self) {{ self.x = -self.x; }} }}\n\
             struct M<'a> {{ a: &'a mut [f32], n: u32, w: [f32; 2], o: Option<f32>, p: P }}\n\
             fn bump(n: &mut u32) {{ *n += 1; }}\n\
             fn set(w: &mut [f32]) {{ w[0] = 1.0; }}\n\
             fn k(m: M<'_>, out: &mut [f32]) {{\n{body}\n out[0] = m.n as f32 + m.w[0] + m.a[0]; }}"
        );
        let (at, message) = refused(&text);
        assert!(message.contains("copy it to a variable"), "{body}: {message}");
        assert!(at.starts_with(token), "{body}: at {at}: {message}");
    }
}

#[test]
fn arrays_in_a_bundle_are_written_and_its_values_read() {
    let text = "struct M<'a> { a: &'a mut [f32], n: u32, w: [f32; 2] }
        fn set(w: &mut [f32]) { w[0] += 1.0; }
        fn k(m: M<'_>) {
            let mut w = m.w;
            w[tid() % 2] += 1.0;
            m.a[0] = w[0] * 10.0 + w[1] + m.n as f32;
            for x in m.a[1..].iter_mut() { *x = 5.0; }
            m.a[1..].swap(0, 1);
            set(&mut m.a[2..]);
        }";
    let text = &Source::new(text);
    let bits = |x: f32| x.to_bits() as u64;
    let report = text.run_with(&[1], &[arr(&[0f32; 4])], &[100, bits(1.0), bits(2.0)], &[]);
    assert_eq!(report.get::<f32>(0), [122.0, 5.0, 6.0, 5.0]);
}

agree! { lengths_of_arrays_evaluate_their_array: {
    fn row(n: &mut u32) -> [i32; 3] { *n += 10; [1, 2, 3] }
    fn k(n: &mut [u32], rows: &[[i32; 5]]) {
        let t = tid();
        let mut c = 0;
        let mut m = [[1; 4]; 2];
        let a = m[{ c += 1; 0 }].len();
        let b = row(&mut c).len() + rows[{ c += 100; 0 }].len();
        let e = m[{ c += 1000; 1 }].is_empty();
        m[1][t] = 3;
        n[t] = c * 100 + (a + b + m.len()) as u32 + e as u32;
    }
} 2, (n: u32 = [0; 2], rows: [i32; 5] = [[0; 5]; 1]), k(&mut n, &rows) }

#[test]
fn a_length_behind_a_wrong_index_is_a_fault() {
    let text = "fn k(rows: &[[f32; 4]], out: &mut [u32]) { let t = tid(); out[t] = rows[t + 7].len() as u32; }";
    let report = run(text, 1, &[arr(&[0f32; 8]), arr(&[0u32])]);
    assert_eq!(report.fault(), Some("Index [7, 2] `rows[t + 7]`".into()));
}

#[test]
fn arrays_too_large_for_a_thread_are_refused_before_they_are_made() {
    let cases = [
        ("f([0.0; 1 << 40]);", "[0.0; 1 << 40]", "4398046511104 bytes"),
        ("let x = [[0u8; 1 << 40]; 1 << 40]; out[0] = x[0][0] as f32;", "x", "more than the 65536"),
        ("let x = [(); 1 << 40]; out[0] = x.len() as f32;", "x", "more than the 65536"),
        ("out[0] = [0.5f32; 1 << 50][1];", "[0.5f32; 1 << 50]", "more than the 65536"),
        ("let x = (1, [0.5f32; 20000]); out[0] = x.1[3];", "x", "80004 bytes"),
        ("let x = Some([0.5f32; 20000]); out[0] = x.map_or(0.0, |y| y[3]);", "x", "80001 bytes"),
    ];
    for (body, token, words) in cases {
        let text = format!("fn f(a: [f32; 1 << 40]) {{}}\nfn k(out: &mut [f32]) {{\n{body}\n}}");
        let (at, message) = refused(&text);
        assert!(message.contains(words), "{body}: {message}");
        assert!(at.starts_with(token), "{body}: at {at}: {message}");
    }
    let (_, message) = refused("fn k(a: &[[f32; 1 << 20]], out: &mut [f32]) { out[0] = a[0][0]; }");
    assert!(message.contains("4194304 bytes"), "{message}");
}
