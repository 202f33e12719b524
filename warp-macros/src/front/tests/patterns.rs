//! Patterns: alternatives that bind, guards on them, `let .. else`, chains of conditions, long chains of arms.

use super::agree::agree;
use super::harness::Source;

agree! { guards_try_each_alternative: {
    fn k(x: &[u32], out: &mut [u32]) {
        let t = tid();
        let mut tried = 0;
        out[t] = match (x[t], x[(t + 3) % 9]) {
            (a, _) | (_, a) if { tried += 1; a > 3 } => a + 100,
            (1 | 2, b) | (b, 7..) if b < 2 => b + 200,
            (a, b) if a == b => 300,
            (0, (c | c)) => c + 400,
            _ => 500,
        } + tried * 1000;
        let o = if x[t] < 5 { Some((x[t], 2)) } else { None };
        out[t] += match (o, x[t] % 3) {
            (Some((a, _)), 0) | (Some((_, a)), _) if a > 1 => a * 10,
            (None, a) | (Some((a, 2)), _) => a,
            _ => 7,
        } * 100000;
        if matches!((x[t], t as u32), (a, _) | (_, a) if a == 4) { out[t] += 5; }
    }
} 9, (x: u32 = [0, 1, 2, 3, 4, 5, 6, 7, 8], out: u32 = [0; 9]), k(&x, &mut out) }

agree! { alternatives_bind_arrays: {
    fn k(x: &[usize], out: &mut [u32]) {
        let t = tid();
        let o = (x[t] % 2 == 0, [1u32, 2, 3], [40u32, 50, 60]);
        out[t] = match o { (true, a, _) | (false, _, a) => a[x[t] % 3] };
        out[t] += match (o, x[t]) { ((_, mut a, _), 0 | 3) | ((_, _, mut a), _) if a[x[t] % 3] > 2 => { a[x[t] % 3] += 1; a[x[t] % 3] * 100 }, _ => 9 };
    }
} 6, (x: usize = [0, 1, 2, 3, 4, 5], out: u32 = [0; 6]), k(&x, &mut out) }

agree! { let_else: {
    fn half(x: i32) -> Option<i32> { if x % 2 == 0 { Some(x / 2) } else { None } }
    fn k(x: &[i32], out: &mut [i32]) {
        let t = tid();
        out[t] = -1;
        let Some(h) = half(x[t]) else { return };
        out[t] = h;
        let mut sum = 0;
        for i in 0..6 {
            let (Some(a), b) = (half(i + h), i) else { sum += 1000; continue };
            let Some(c @ 1..) = half(a) else { sum += 1; if a > 3 { break } else { continue } };
            let ((1 | 2, d) | (d, 7)) = (c, b) else { out[t] -= 5; return };
            sum += c * 10 + d;
        }
        let [p, .., q] = [sum, 1, h];
        let 0..=20000 = sum else { panic!("never") };
        out[t] += p + q;
    }
} 9, (x: i32 = [0, 1, 2, 3, 4, 6, 8, 10, 12], out: i32 = [0; 9]), k(&x, &mut out) }

agree! { chains_of_conditions: {
    fn half(x: i32) -> Option<i32> { if x % 2 == 0 { Some(x / 2) } else { None } }
    fn k(x: &[i32], out: &mut [i32]) {
        let t = tid();
        let v = x[t];
        out[t] = if let Some(a) = half(v) && a > 1 && let Some(b) = half(a) { a * 10 + b }
            else if v > 4 && let Some(b) = half(v + 1) && b != 4 { 1000 + b }
            else if let (3, c) | (c, 7) = (v, v) { 2000 + c } else { 5 };
        let mut n = v;
        while n > 0 && let Some(m) = half(n) && m != 3 { n = m; out[t] += 10000; }
        let mut o = Some(v);
        while let Some(c) = o { o = if c > 3 { Some(c - 3) } else { None }; out[t] += 100000; if c == 5 { break; } }
    }
} 10, (x: i32 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12], out: i32 = [0; 10]), k(&x, &mut out) }

/// A kernel with a long chain, beside what it should give.
fn long(body: String, given: &[u32], wanted: &[u32]) {
    let text = format!("fn k(x: &[u32], out: &mut [u32]) {{ let t = tid(); let x = x[t]; {body} }}");
    let data = [super::harness::arr(given), super::harness::arr(&vec![7u32; given.len()])];
    let report = Source::new(&text).run_with(&[given.len() as u64], &data, &[], &[]);
    assert_eq!(report.fault(), None);
    assert_eq!(report.get::<u32>(1), wanted);
}

const GIVEN: [u32; 8] = [0, 1, 17, 150, 298, 299, 300, 4000];

#[test]
fn three_hundred_branches_in_a_row() {
    let arms: String = (0..300).map(|k| format!("if x == {k} {{ {} }} else ", k * 3)).collect();
    let wanted = GIVEN.map(|x| if x < 300 { x * 3 } else { 5 });
    long(format!("out[t] = {arms} {{ 5 }};"), &GIVEN, &wanted);
}

#[test]
fn three_hundred_branches_that_leave_and_change() {
    let arms: String = (0..300)
        .map(|k| match k % 3 {
            0 => format!("if x == {k} {{ n += {k}; }} else "),
            1 => format!("if {{ tried += 1; x == {k} }} {{ out[t] = n + 2; return; }} else "),
            _ => format!("if let {k} = x {{ n = {k}; break; }} else "),
        })
        .collect();
    let body = format!(
        "let mut n = 1; let mut tried = 0; loop {{ {arms} {{ n = 9; }} n += 1; break; }} out[t] = n + 1000 * tried;"
    );
    let wanted = GIVEN.map(|x| {
        let tried = x.min(299).div_ceil(3) * 1000;
        match x {
            300.. => 10 + 100_000,
            x if x % 3 == 0 => 2 + x + tried,
            x if x % 3 == 1 => 3,
            x => x + tried,
        }
    });
    long(body, &GIVEN, &wanted);
}

#[test]
fn three_hundred_arms() {
    let arms: String = (0..300).map(|k| format!("{k} => {},", k * 3)).collect();
    long(format!("out[t] = match x {{ {arms} _ => 5 }};"), &GIVEN, &GIVEN.map(|x| if x < 300 { x * 3 } else { 5 }));
}

#[test]
fn three_hundred_arms_with_guards() {
    let arms: String = (0..300).map(|k| format!("v if v == {k} => {{ n += 1; v + {k} }}")).collect();
    let wanted = GIVEN.map(|x| if x < 300 { x * 2 + 1 } else { 5 });
    long(format!("let mut n = 0; out[t] = match x {{ {arms} _ => 5 }} + n;"), &GIVEN, &wanted);
}

#[test]
fn three_hundred_statements_that_may_leave() {
    let guards: String =
        (0..300).map(|k| format!("if x == {k} {{ return; }} let v{k} = x + {k}; out[t] = v{k}; ")).collect();
    let wanted = GIVEN.map(|x| match x {
        0 => 7,
        x if x < 300 => x + x - 1,
        x => x + 299,
    });
    long(guards, &GIVEN, &wanted);
    let skips: String = (0..300).map(|k| format!("if x == {k} {{ if n > 2 {{ break; }} continue; }} ")).collect();
    let body = format!("let mut n = 0; while n < 5 {{ n += 1; {skips} out[t] += 1; }} out[t] += 100 * n;");
    let wanted = GIVEN.map(|x| if x < 300 { 307 } else { 512 });
    long(body, &GIVEN, &wanted);
}

agree! { arrays_without_elements: {
    #[derive(Clone, Copy)]
    struct S { a: [f32; 0], n: u32 }
    fn count(a: &[u32]) -> u32 { let mut n = 0; for x in a.iter() { n += *x + 1; } n + a.len() as u32 * 100 }
    fn k(x: &[usize], out: &mut [u32]) {
        let t = tid();
        let s = S { a: [], n: 3 };
        let mut e = [0u32; 0];
        if x[t] > 5 { e[x[t]] = 1; out[t] = s.a[x[t] - 5] as u32 + e[x[t] - 6]; }
        for y in e { out[t] += y; }
        for y in e.iter_mut() { *y += 1; }
        out[t] += count(&e) + s.n + e.len() as u32 + if let Some(v) = e.get(x[t]) { *v } else { 50 };
        let [] = e;
    }
} 3, (x: usize = [0, 1, 2], out: u32 = [0; 3]), k(&x, &mut out) }

#[test]
fn an_index_into_nothing_is_a_fault() {
    for body in [
        "let e = [0u32; 0]; out[0] = e[x[0]];",
        "let mut e = [0u32; 0]; e[x[0]] = 1;",
        "let s = (1, [0u32; 0]); out[0] = s.1[x[0]];",
        "let mut s = (1, [0u32; 0]); s.1[x[0]] += 2;",
        "let e = [[0u32; 2]; 0]; out[0] = e[x[0]][1];",
    ] {
        let text = format!("fn k(x: &[usize], out: &mut [u32]) {{ {body} }}");
        let report = super::harness::run(&text, 1, &[super::harness::arr(&[0usize]), super::harness::arr(&[0u32])]);
        assert!(report.fault().unwrap().starts_with("Index [0, 0]"), "{body}: {:?}", report.fault());
    }
}

agree! { places_inside_options_and_tuples_of_structs: {
    #[derive(Clone, Copy)]
    struct P { x: i32, v: [i32; 3] }
    #[derive(Clone, Copy)]
    struct Q { p: [P; 2], o: Option<P>, t: (i32, [P; 2]) }
    fn bump(p: &mut P, by: i32) -> i32 { p.x += by; p.v[1] -= by; p.x }
    fn two(a: &mut i32, b: &mut i32) { let c = *a; *a = *b; *b = c + 1; }
    fn k(n: &[usize], out: &mut [i32]) {
        let t = tid();
        let i = n[t];
        let p = P { x: 1, v: [2, 3, 4] };
        let mut q = Q { p: [p, P { x: 9, ..p }], o: Some(p), t: (5, [p; 2]) };
        q.p[i % 2].v[i % 3] += bump(&mut q.t.1[(i + 1) % 2], 4);
        q.t.1[i % 2] = q.p[(i + 1) % 2];
        q.t.1[1].v = [i as i32; 3];
        q.p[1].v[2] *= q.t.1[0].v[i % 3] - 1;
        if let Some(p) = &mut q.o { bump(p, i as i32); p.v[i % 3] = 40; for v in p.v.iter_mut() { *v += 1; } }
        match &mut q.t { (a, [b, c]) => { *a += b.x; c.x = *a; two(a, &mut b.v[i % 3]); } }
        for (p, v) in q.p.iter_mut().zip([10, 20]) { p.x += v; for (a, b) in p.v.iter_mut().zip(q.t.1[0].v.iter()) { *a += *b * v; } }
        let r = q;
        q.p[0] = r.p[1];
        q.p.swap(0, i % 2);
        let mut s = q.t.0;
        for p in q.p.iter() { s = s * 5 + p.x + p.v[0] + p.v[1] * 2 + p.v[2] * 3; }
        for p in q.t.1 { s = s.wrapping_mul(3) + p.x + p.v[0] + p.v[1] * 2 + p.v[2]; q.t.1[1].x = 1000; }
        out[t] = s.wrapping_add(r.p[0].v[i % 3]).wrapping_add(match q.o { Some(P { x, v: [a, _, c] }) => x + a * c, None => 0 });
    }
} 5, (n: usize = [0, 1, 2, 3, 4], out: i32 = [0; 5]), k(&n, &mut out) }
