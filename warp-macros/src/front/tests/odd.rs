//! Odd but ordinary Rust: exits inside expressions, shadowing, labels, references, patterns of all kinds.
//!
//! `tests/language_cases` launches the same kernels.

use super::agree::agree;

agree! { breaks_with_values_from_deep_inside: {
    fn k(n: &[u32], out: &mut [u32]) {
        let t = tid();
        let x = n[t];
        let a = 'a: { let b = 'b: { if x == 0 { break 'a 1; } if x == 1 { break 'b 2; } if x == 2 { break 'a ({ break 'b 7 }); } x }; b * 10 };
        let b = loop { let c = loop { if a > 50 { break a; } break loop { break a + 1; }; }; break c * 2; };
        let c = 'x: loop { for i in 0..10 { if i * i > x { break 'x i; } if i == 7 { break 'x (loop { break 99 }); } } break 5; };
        let d = 'outer: { let mut s = 0; for i in 0..x { s += 'inner: { if i == 2 { break 'inner 100; } if i == 4 { break 'outer s; } i }; } s + 1 };
        out[t] = a + 1000 * b + 100_000 * c + 10_000_000 * d;
    }
} 8, (n: u32 = [0, 1, 2, 3, 4, 5, 6, 90], out: u32 = [0; 8]), k(&n, &mut out) }

agree! { exits_in_the_middle_of_expressions: {
    fn f(a: u32, b: u32) -> u32 { a * 7 + b }
    fn k(n: &[u32], out: &mut [u32]) {
        let t = tid();
        let mut i = 0;
        let mut s = 1;
        while i < 6 {
            i += 1;
            s += f(s, if i == n[t] { continue } else { i }) % 100;
            s = s * 2 + match (i, n[t]) { (3, 7) => break, (4, 8) => return, (_, 9) if { s += 1; s > 90 } => { i += 1; continue }, (a, b) => a ^ b };
            let v = [s, if s > 1000 { break } else { 1 }, if n[t] == 2 && i == 4 { out[t] = s; return; } else { 2 }];
            s = v[0] + v[1] * v[2];
            s -= { let w = s % 5; if w == 4 { continue; } w };
            out[t] ^= (s << (if s % 3 == 0 { break } else { 2 })) | (!s & { s += 1; s });
            s = -(if i == 5 { continue } else { s as i32 }) as u32 & 0xff;
            assert!(s < 256 || { s = 3; false } || { out[t] = 1; return });
            if !(if n[t] == 5 { break } else { s > 20 }) { s += 9; } else if (if i == 2 { continue } else { n[t] }) > 3 && { s += 1; s % 2 == 0 } { s += 20; }
        }
        out[t] = out[t] * 3 + s + i;
    }
} 10, (n: u32 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], out: u32 = [0; 10]), k(&n, &mut out) }

agree! { returns_from_everywhere: {
    fn pick(x: i32) -> i32 {
        let a = (if x == 0 { return 100 } else { x }, match x { 1 => return 101, v => v + 1 });
        let b = Some(if x == 2 { return 102 } else { a.0 });
        let c = -{ if x == 3 { return 103; } a.1 };
        let d = (x as i64 + if x == 4 { return 104 } else { 0 }) as i32;
        let e = if x == 5 { return { if d > 3 { return 105; } 7 } } else { d };
        let f = [1, 2, 3][(if x == 6 { return 106 } else { x as usize }) % 3];
        let g = loop { break if x == 7 { return 107 } else { break 8 } };
        let h = 'l: { if x == 8 { break 'l ({ if g > 1 { return 108 } else { 5 } }) } f };
        let z = b.map(|v| v * 2).unwrap_or(if x == 9 { return 109 } else { 0 });
        return if x == 10 { return 110 } else { c + d + e + h + z };
    }
    fn k(n: &[i32], out: &mut [i32]) { let t = tid(); out[t] = pick(n[t]) + pick(n[t] - 1) * 1000; }
} 13, (n: i32 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], out: i32 = [0; 13]), k(&n, &mut out) }

agree! { names_hide_names: {
    fn k(n: &[i32], out: &mut [i32]) {
        let t = tid();
        let x = n[t];
        let x = x + { let x = x * 2; let x = { let x = x + 1; x * x }; x };
        let y = match x { x if x > 50 => { let x = x - 50; x }, x => x };
        let (x, y) = (y, x);
        let z = { let mut x = x; for x in 0..x.min(3) { let x = x + 1; if x == 2 { continue; } } x += 1; x };
        let x = if let Some(x) = (if x > 3 { Some(x) } else { None }) { x } else { let x = 7; x };
        let f = Some(x).map(|x| { let y = x + 1; y * x }).unwrap_or(0);
        let [x, y, ..] = [y, x, z];
        let t2 = t;
        let t = out.len();
        out[t2] = x + y * 3 + z * 5 + f * 7 + t as i32;
    }
} 6, (n: i32 = [0, 1, 2, 3, 9, -4], out: i32 = [0; 6]), k(&n, &mut out) }

agree! { matches_of_many_kinds: {
    fn k(n: &[i32], out: &mut [i32]) {
        let t = tid();
        let x = n[t];
        let p = (x, (x % 3, [x, x + 1, x * x]));
        out[t] = match p { (0, _) => 1, (1..=3, (0, _)) => 2, (_, (1, [a, ..])) if a > 5 => a, (_, (_, [.., c])) if c == 64 => 64, (a @ (-5..=-1 | 10..), (b, _)) => a * 10 + b, (.., (1 | 2, [_, b, _])) => b, _ => -1 };
        out[t] += 1000 * match x { i32::MIN..0 => 1, 0 => 2, v @ 1..5 => v, 5 | 7 | 9 => 6, v if v % 2 == 0 => 7, _ => 8 };
        out[t] += 10000 * match (x > 0, x % 2 == 0) { (true, true) => 1, (true, false) => 2, (false, e) => e as i32 + 3 };
        out[t] += match &p { (a, (b, c)) => *a + *b + c[1] };
        out[t] += match x as u8 { b'a'..=b'z' => 3, 0xff => 4, _ => 5 };
        let y = x;
        out[t] += match y { 3 => 10, z => z } + match Some(x) { Some(ref v) if *v == 4 => 1, Some(v) => v & 1, None => 9 };
        out[t] += match (Some(x), if x > 2 { Some(x > 4) } else { None }) { (Some(1 | 2), None) => 1, (Some(a), Some(true)) => a, (Some(_), Some(false)) => 3, (None, _) | (_, None) => 4 };
    }
} 13, (n: i32 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -3, 97], out: i32 = [0; 13]), k(&n, &mut out) }

agree! { options_and_loops_over_them: {
    fn next(s: &mut u32) -> Option<u32> { if *s > 20 { None } else { *s = *s * 2 + 1; Some(*s) } }
    fn k(n: &[u32], out: &mut [u32]) {
        let t = tid();
        let mut s = n[t];
        let mut sum = 0;
        while let Some(v) = next(&mut s) && v != 7 { if v % 5 == 0 { continue; } sum += v; if sum > 60 { break; } }
        let mut o = Some(n[t]);
        while let Some(v @ 1..) = o { o = if v > 3 { v.checked_sub(3) } else { None }; sum += 100; }
        let mut q = Some((1, Some(n[t])));
        if let Some((a, Some(b))) = q && let Some(c) = b.checked_sub(2) && a < c { sum += 1000 * c; }
        if let Some((_, Some(b))) = &mut q { *b += 5; }
        if let Some((a, b)) = &mut q { *a += 2; if let Some(b) = b { *b += *a; } }
        let Some((a, Some(b))) = q else { return };
        let taken = q.take();
        let w = if let (None, Some((x, _))) = (q, taken) { x } else { 50 };
        out[t] = sum + a * 10_000 + b * 100_000 + w * 10_000_000;
        let e = taken.and_then(|(a, b)| b.map(|b| { let mut c = a; while c < b { c *= 2; } c })).filter(|c| *c > 4).or(Some(3));
        out[t] ^= e.map_or(1, |e| e << 3);
    }
} 8, (n: u32 = [0, 1, 2, 3, 4, 7, 10, 30], out: u32 = [0; 8]), k(&n, &mut out) }

agree! { slices_of_slices: {
    fn sum(a: &[i32]) -> i32 { let mut s = 0; for (i, x) in a.iter().enumerate() { s = s * 3 + *x + i as i32; } s }
    fn inner(a: &[i32], from: usize) -> i32 { sum(&a[from..]) + sum(&a[..from]) * 7 + if a.len() > 4 { inner2(&a[1..a.len() - 1][1..]) } else { 0 } }
    fn inner2(a: &[i32]) -> i32 { sum(&a[a.len() / 2..]) + a[..2][1] }
    fn add(a: &mut [i32], by: i32) { for x in a.iter_mut() { *x += by; } a[0] -= 1; }
    fn halves(a: &mut [i32]) { add(&mut a[..2], 1); add(&mut a[2..], 10); add(&mut a[1..][1..3], 100); }
    fn k(n: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut a = [1, 2, 3, 4, 5, 6, 7, 8];
        halves(&mut a[t..]);
        halves(&mut a[1..][..5]);
        let mut s = 0;
        for x in a[2..].iter() { s = s * 2 + *x; }
        for x in a[1..7][t..4].iter_mut().rev() { *x -= s; s += 1; }
        for x in &a[..=3] { s ^= *x; }
        for (x, y) in a[..4].iter().zip(n[1..].iter()) { s += x * y; }
        out[t] = s + sum(&a) + sum(&a[3..][..2]) + n[1..][t];
    }
} 3, (n: i32 = [3, 1, 4, 1, 5], out: i32 = [0; 3]), k(&n, &mut out) }

agree! { closures_in_closures: {
    fn k(n: &[i32], out: &mut [i32]) {
        let t = tid();
        let x = n[t];
        let o = if x > 2 { Some(x) } else { None };
        let r = o.map(|a| o.map(|b| { let c = a * b; Some(c).filter(|c| *c > a + 5).unwrap_or_else(|| a - b + x) }).unwrap_or(0) + a);
        out[t] = r.map_or_else(|| { let mut s = 0; for i in 0..x { if i == 1 { continue; } s += i; } s - 5 }, |v| match v { 0..10 => 1, v if v > 20 => { let w = v; w / 2 }, v => v });
        out[t] += 1000 * o.is_some_and(|v| { let y = v * 2; y > 7 && x < 9 }) as i32;
        out[t] += 10000 * o.zip(r).and_then(|(a, b)| if a < b { Some(b - a) } else { None }).xor(None).unwrap_or_default();
    }
} 7, (n: i32 = [0, 1, 2, 3, 4, 6, 9], out: i32 = [0; 7]), k(&n, &mut out) }

agree! { places_of_all_kinds: {
    #[derive(Clone, Copy)]
    struct P { x: i32, v: [i32; 3] }
    #[derive(Clone, Copy)]
    struct Q { p: [P; 2] }
    fn bump(p: &mut P, by: i32) -> i32 { p.x += by; p.v[1] -= by; p.x }
    fn two(a: &mut i32, b: &mut i32) { let c = *a; *a = *b; *b = c + 1; }
    fn k(n: &[usize], out: &mut [i32]) {
        let t = tid();
        let i = n[t];
        let p = P { x: 1, v: [2, 3, 4] };
        let mut q = Q { p: [p, P { x: 9, ..p }] };
        let (mut o, mut u) = (Some(p), (5, [p; 2]));
        q.p[i % 2].v[i % 3] += bump(&mut u.1[(i + 1) % 2], 4);
        u.1[i % 2] = q.p[(i + 1) % 2];
        u.1[1].v = [i as i32; 3];
        q.p[1].v[2] *= u.1[0].v[i % 3] - 1;
        if let Some(p) = &mut o { bump(p, i as i32); p.v[i % 3] = 40; for v in p.v.iter_mut() { *v += 1; } }
        match &mut u { (a, [b, c]) => { *a += b.x; c.x = *a; two(a, &mut b.v[i % 3]); } }
        for (p, v) in q.p.iter_mut().zip([10, 20]) { p.x += v; for (a, b) in p.v.iter_mut().zip(u.1[0].v.iter()) { *a += *b * v; } }
        let r = q;
        q.p[0] = r.p[1];
        q.p.swap(0, i % 2);
        let mut s = u.0;
        for p in q.p.iter() { s = s * 5 + p.x + p.v[0] + p.v[1] * 2 + p.v[2] * 3; }
        for p in u.1 { s = s.wrapping_mul(3) + p.x + p.v[0] + p.v[1] * 2 + p.v[2]; u.1[1].x = 1000; }
        out[t] = s.wrapping_add(r.p[0].v[i % 3]).wrapping_add(match o { Some(P { x, v: [a, _, c] }) => x + a * c, None => 0 });
    }
} 5, (n: usize = [0, 1, 2, 3, 4], out: i32 = [0; 5]), k(&n, &mut out) }

agree! { loops_in_conditions_and_conditions_in_loops: {
    fn k(n: &[u32], out: &mut [u32]) {
        let t = tid();
        let x = n[t];
        let mut c = 0;
        if { let mut i = 0; loop { i += 1; if i * i >= x { break i % 2 == 0 } } } { c += 1; }
        while { let mut any = false; for i in 0..3 { if c + i == 2 { any = true; break; } } any } { c += 1; }
        let s = 'a: { for i in 0..if x == 3 { break 'a 77; } else { x } { if (loop { if i > 2 { break true; } if i == 1 { break 'a 55; } break false; }) { break 'a i; } } 66 };
        'o: while c < 40 { c += 3; 'i: for j in 0.. { if j > 5 { continue 'o; } if (c + j) % 7 == x % 7 { break 'o; } if j % 2 == 0 { continue 'i; } c += 1; } }
        let m = match { c += 1; c } { v if { c += 1; v % 2 == 0 } => v, v => if { c += 1; c } > 20 { v + c } else { v } };
        out[t] = c * 100 + s + 10_000 * m + (if x > 1 && { c = 2; x < 5 } || c == 3 { 5 } else { c }) % 9;
    }
} 8, (n: u32 = [0, 1, 2, 3, 4, 5, 17, 30], out: u32 = [0; 8]), k(&n, &mut out) }

agree! { late_and_conditional_assignment: {
    fn k(n: &[i32], out: &mut [i32]) {
        let t = tid();
        let a;
        let b: (i32, [i32; 2]);
        let x = n[t];
        if x > 2 { a = x; b = (1, [x; 2]); } else if x == 1 { out[t] = 9; return; } else { a = -x; b = (a, [1, 2]); }
        let c;
        loop { if x > 3 { c = 1; break; } c = 2; break; }
        let d = { let e; e = a + b.0; e };
        let f: [i32; 4];
        match x { 0 => f = [0; 4], 2 => { f = [a, c, d, 1]; } _ => { f = [b.1[0], b.1[1], a, c]; } }
        let mut s = 0;
        for i in 0..4 { s = s * 7 + f[i]; }
        out[t] = a + b.0 + b.1[x as usize % 2] + c * 100 + d * 1000 + s * 10000;
    }
} 5, (n: i32 = [0, 1, 2, 3, 4], out: i32 = [0; 5]), k(&n, &mut out) }

agree! { arrays_that_are_large_or_indexed: {
    fn k(n: &[usize], out: &mut [i32]) {
        let t = tid();
        let i = n[t];
        let mut a = [0i32; 100];
        for k in 0..100 { a[k] = (k * k) as i32; }
        let b = a;
        a[i] = -1;
        let mut m = [[1i32, 2, 3], [4, 5, 6], [7, 8, 9]];
        let row = m[i % 3];
        m[(i + 1) % 3] = row;
        m[0][i % 3] += { m[1] = [i as i32; 3]; m[1][2] };
        let c = if i > 2 { b } else { a };
        let d = match i { 0 => [1, 2, 3], 1 => row, _ => m[i % 3] };
        a = if i == 4 { c } else if i == 3 { return } else { b };
        let (mut e, f) = (m, [c[i], b[i], a[i]]);
        e[2] = f;
        [e[0][0], .., e[1][1]] = d;
        let same = (m == e) as i32 + 2 * (row == m[(i + 1) % 3]) as i32 + 4 * ([1, 2] != [row[0], row[1]]) as i32 + 8 * (row < d) as i32;
        let mut s = same;
        for r in e { for (k, v) in r.iter().enumerate() { s = s * 3 + *v * k as i32; } }
        for r in &mut m { r.swap(0, i % 3); let [p, _, q] = r; *p += *q; s += r[0]; }
        out[t] = s + c[i + 1] + d[i % 3];
    }
} 5, (n: usize = [0, 1, 2, 3, 4], out: i32 = [0; 5]), k(&n, &mut out) }

agree! { casts_and_literals_in_odd_places: {
    fn k(n: &[i64], out: &mut [i64]) {
        let t = tid();
        let x = n[t];
        let a = x as u8 as i8 as i64 + (x as u16 as i16 as i64) * 3 + (x as f32 as u8) as i64;
        let b = (!0u8 >> 3) as i64 + (1i64 << 40 | 0xff_u8 as i64) + (-1i8 as u32 as i64) + i64::from(true);
        let c = if x as usize > 5 { 1 } else { -1 } * 3 - -x;
        let d = (x as i32).pow(2).wrapping_mul(1 << 20) as i64 ^ (x.rem_euclid(7) << 3) ^ x.abs_diff(-3) as i64;
        let e = -x.min(-2) + -(x.max(3)) * 2 - !x;
        let f = (1.5f64 * x as f64).floor() as i64 + (x as f64 / 0.0) as i8 as i64 + (0.0f32 / 0.0) as i64;
        let g = 5 % 3 * 2 - 7 / 2 % 2 + (x & 3 == 2) as i64 + (x | 1 > 3 && x ^ 1 < 9 || x != 2) as i64;
        out[t] = a ^ b.rotate_left(7) ^ c << 9 ^ d.wrapping_mul(31) ^ e ^ f ^ g;
    }
} 7, (n: i64 = [0, 1, -1, 200, -40000, 3000000000, 2], out: i64 = [0; 7]), k(&n, &mut out) }

agree! { labels_in_several_functions: {
    fn twice(x: u32, f: u32) -> u32 { let mut x = x; 'a: loop { x += f; 'b: loop { if x % 2 == 0 { break 'a; } if x > 9 { break 'b; } x += 3; continue 'a; } } x }
    fn deep(x: u32) -> u32 { twice(twice(x, 1), if x > 3 { return twice(x, 3) } else { 2 }) }
    fn k(n: &[u32], out: &mut [u32]) {
        let t = tid();
        let mut s = 0;
        'a: for i in 0..n[t] { 'b: for j in 0..i { if j == 2 { continue 'b; } if j == 3 { break 'b; } s += deep(i + j); } if i == 5 { break 'a; } s *= 3; }
        out[t] = s + 'a: { 'b: { if n[t] == 2 { break 'b; } s += 1; } if s > 10 { break 'a 1; } 2 };
    }
} 6, (n: u32 = [0, 1, 2, 3, 5, 8], out: u32 = [0; 6]), k(&n, &mut out) }

agree! { mutable_references_through_calls: {
    fn inc(x: &mut u32) -> u32 { *x += 1; *x }
    fn via(x: &mut u32, y: &mut [u32; 3]) -> u32 { let a = inc(x); y[a as usize % 3] += inc(x); for v in y.iter_mut() { if *v > 5 { return inc(v); } *v += 1; } inc(&mut y[0]) + *x }
    fn pass(x: &mut (u32, [u32; 3])) -> u32 { if x.0 > 6 { return 0; } via(&mut x.0, &mut x.1) + inc(&mut x.1[x.0 as usize % 3]) }
    fn k(n: &[u32], out: &mut [u32]) {
        let t = tid();
        let mut p = (n[t], [1, 2, 3]);
        let r = inc(&mut p.0) + inc(&mut p.0) * 10 + pass(&mut p) * 100 + pass(&mut p) * 10_000;
        let mut o = Some(p.0);
        let q = match &mut o { Some(v) if *v > 4 => inc(v), Some(v) => { *v = 50; *v }, None => 0 };
        let mut m = [[1u32; 2]; 2];
        for r in m.iter_mut() { for v in r.iter_mut() { if inc(v) + *v > p.0 { break; } } inc(&mut r[1]); }
        out[t] = r + q * 3 + o.unwrap_or(0) * 7 + p.1[0] + p.1[1] * 5 + p.1[2] * 25 + m[0][0] + m[0][1] * 2 + m[1][0] * 3;
    }
} 6, (n: u32 = [0, 1, 2, 3, 5, 8], out: u32 = [0; 6]), k(&n, &mut out) }

agree! { arrays_that_conditions_bind: {
    fn k(n: &[u32], out: &mut [u32]) {
        let t = tid();
        let o = if n[t] % 2 == 0 { Some([n[t], 7, 9, 11]) } else { None };
        let mut s = 0;
        for i in 0..4 {
            if n[t] > 2 && let Some(w) = o && w[i] > 3 { s += w[i] * 10; } else { s += 1; }
            if let Some(w) = o { s += w[(i + 1) % 4]; }
        }
        let mut turns = 0;
        while turns < 3 && let Some(mut w) = o { w[turns] += 5; s += w[turns] + w[(turns + 1) % 4]; turns += 1; }
        out[t] = s;
    }
} 6, (n: u32 = [0, 1, 2, 3, 4, 8], out: u32 = [0; 6]), k(&n, &mut out) }

agree! { arrays_between_many_ways_out: {
    fn k(n: &[usize], out: &mut [u32]) {
        let t = tid();
        let x = n[t];
        if x == 1 { return; }
        let mut w = [3u32; 8];
        let late: [u32; 4];
        w[x % 8] = 9;
        if x == 2 { return; } if x == 3 { return; } if x == 4 { return; } if x == 5 { return; }
        if x == 6 { return; } if x == 7 { return; } if x == 8 { return; } if x == 9 { return; }
        late = [w[x % 8], 2, 3, 4];
        let z = w;
        if x == 10 { return; } if x == 11 { return; } if x == 12 { return; } if x == 13 { return; }
        w[1] += 1;
        if x == 14 { return; } if x == 15 { return; } if x == 16 { return; } if x == 17 { return; }
        if x == 18 { return; } if x == 19 { return; } if x == 20 { return; } if x == 21 { return; }
        out[t] = w[x % 8] + w[(x + 1) % 8] * 100 + late[x % 4] * 1000 + z[1] * 10_000;
    }
} 6, (n: usize = [0, 1, 9, 17, 30, 41], out: u32 = [0; 6]), k(&n, &mut out) }
