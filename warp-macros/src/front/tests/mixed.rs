//! Rules that meet: state in branches and loops, values that are composite and carried, exits from everywhere.

use super::agree::agree;

agree! { changes_in_conditions_and_guards: {
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut n = 0;
        let mut m = 1;
        let hit = a[t] > 2 && { n += 1; a[t] < 50 } && { m *= 3; true } || { n += 10; m > 1 };
        match a[t] {
            x if { n += 100; x > 4 } => m += x,
            x if { n += 1000; x == 2 } => m -= x,
            _ => n -= 1,
        }
        while { n -= 7; n > 0 } && { m += 1; m % 5 != 0 } { if m > 40 { break; } m += 2; }
        if hit || { m = -m; false } { n += 3; }
        out[2 * t] = n;
        out[2 * t + 1] = m;
    }
} 5, (a: i32 = [1, 2, 3, 9, 70], out: i32 = [0; 10]), k(&a, &mut out) }

agree! { composite_values_in_loops: {
    #[derive(Clone, Copy)]
    struct State { x: Vec3, n: i32, best: Option<(i32, f32)>, w: [i32; 4] }
    fn k(a: &[i32], out: &mut [f32]) {
        let t = tid();
        let mut s = State { x: Vec3::ZERO, n: 0, best: None, w: [0; 4] };
        for (i, &v) in a.iter().enumerate() {
            s.n += v;
            s.x[i % 3] += v as f32 * 0.5;
            s.w[(v & 3) as usize] += i as i32 + 1;
            if s.best.is_none() || v > s.best.unwrap().0 { s.best = Some((v, s.x.y)); }
            if let Some((_, f)) = s.best { s.x.z -= f; }
            if s.n > 40 { break; }
        }
        let mut pair = (1, [2.0, 3.0]);
        let mut k = 0;
        while k < 4 { pair.1[k % 2] *= 1.5; pair.0 += s.w[k]; k += 1; }
        out[t] = s.x.x + s.x.y * 10.0 + s.x.z + s.n as f32 + pair.0 as f32 + pair.1[0] + pair.1[1];
        let State { best: Some((b, _)), w: [w0, .., w3], .. } = s else { return };
        out[t] += (b + w0 * w3) as f32;
    }
} 1, (a: i32 = [3, 9, -2, 7, 11, 1, 20, 5], out: f32 = [0.0]), k(&a, &mut out) }

agree! { functions_that_leave_early: {
    fn find(a: &[i32], x: i32) -> Option<usize> {
        for i in 0..a.len() { if a[i] == x { return Some(i); } }
        None
    }
    fn collatz(mut n: u32) -> (u32, u32) {
        let mut steps = 0;
        let mut top = n;
        loop {
            if n == 1 { return (steps, top); }
            n = if n & 1 == 0 { n >> 1 } else { n * 3 + 1 };
            if n > top { top = n; }
            steps += 1;
            if steps > 500 { break; }
        }
        (0, 0)
    }
    fn sign((a, b): (i32, i32)) -> i32 {
        if a > b { return 1; } else if a < b { return -1; }
        0
    }
    fn grid(n: i32, goal: i32) -> i32 {
        let r = 'outer: loop {
            for i in 0..n {
                let mut j = 0;
                loop {
                    if j > i { break; }
                    if i * j == goal { break 'outer i * 100 + j; }
                    if i + j > 50 { return -7; }
                    j += 1;
                }
            }
            break -1;
        };
        r * 2
    }
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let (s, top) = collatz(a[t] as u32 + 1);
        out[t] = find(a, t as i32 * 3).map_or(-1, |i| i as i32) + (s + top) as i32 * 10 + sign((a[t], 4)) + grid(9, a[t]);
        if a[t] == 6 { out[t] += grid(60, 4000); }
    }
} 5, (a: i32 = [0, 6, 3, 12, 26], out: i32 = [0; 5]), k(&a, &mut out) }

agree! { arrays_of_composites: {
    #[derive(Clone, Copy)]
    struct P { at: (f32, i32), tag: [u8; 2] }
    fn total(ps: &[P]) -> f32 { let mut s = 0.0; for p in ps { s += p.at.0 * p.at.1 as f32 + p.tag[1] as f32; } s }
    fn k(a: &[i32], out: &mut [f32], grid: &mut [[i32; 3]]) {
        let t = tid();
        let mut ps = [P { at: (1.5, 2), tag: [3, 4] }; 5];
        for i in 0..5 { ps[i].at.1 += i as i32; ps[i].tag[i % 2] = 9; }
        let i = a[t] as usize;
        ps[i].at = (0.5, 7);
        let q = ps[(i + 1) % 5];
        let mut nest = [[(1, 2.5f32); 2]; 3];
        nest[i % 3][t % 2].1 *= 4.0;
        nest[2][1].0 = 6;
        let row = nest[i % 3];
        out[t] = total(&ps) + total(&ps[1..3]) + q.at.0 + q.tag[i % 2] as f32 + row[1].1 + nest[2][t % 2].0 as f32;
        grid[t][i % 3] += 5;
        grid[t] = [grid[t][2], grid[t][0], grid[t][1] + 1];
        let mut o = [None, Some(3)];
        if i > 2 { o[t % 2] = Some(i as i32); }
        out[t] += o[0].unwrap_or(10) as f32 + o[1].map_or(0, |x| x * 2) as f32;
    }
} 4, (a: i32 = [0, 2, 3, 4], out: f32 = [0.0; 4], grid: [i32; 3] = [[1, 2, 3]; 4]), k(&a, &mut out, &mut grid) }

agree! { closures_see_and_change_variables: {
    fn opt(x: i32) -> Option<i32> { if x > 1 { Some(x) } else { None } }
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut calls = 0;
        let x = 5;
        let r = opt(a[t]).map(|x| { calls += 1; x * 2 }).unwrap_or_else(|| { calls += 10; x });
        let q = opt(a[t]).and_then(|v| opt(v - 2)).or_else(|| Some(a[t] * 7));
        out[t] = r * 1000 + calls + x + match q { Some(v @ 0..=9) => v, Some(v) => v * 100, None => -1 };
    }
} 4, (a: i32 = [0, 1, 2, 9], out: i32 = [0; 4]), k(&a, &mut out) }

agree! { wrapping_and_shifting: {
    fn k(a: &[i32], s: &[i32], out: &mut [i64], b: &mut [u8], n: &mut [usize]) {
        let t = tid();
        let (x, y) = (a[t], s[t]);
        out[t] = (x << y) as i64 + (x >> y) as i64 + ((x as u32) >> y) as i64 + ((x as i8) << (y as u8)) as i64
            + ((x as u64) << y) as i64 + (x as i64 >> (y as i64)) + ((x as i16) >> (y as usize)) as i64;
        b[t] = (x as u8) << 1 | (x as u8) >> 7 ^ !(x as u8) & 0x3c;
        b[t] <<= y;
        b[t] ^= b'a';
        n[t] = t.wrapping_sub(1) + 3;
        n[t] -= (x as i8 as isize - 1) as usize;
        let mut f = x > 0;
        f &= y > 1;
        f |= (x < y) == (y < 3);
        f ^= true;
        out[t] += f as i64 * 1000 + (!f & (x != 1)) as i64;
    }
} 5, (a: i32 = [1, -1, 123456, i32::MIN, 77], s: i32 = [0, 3, 31, 40, -5], out: i64 = [0; 5], b: u8 = [7; 5], n: usize = [0; 5]),
  k(&a, &s, &mut out, &mut b, &mut n) }

agree! { enums_and_casts: {
    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    #[repr(i32)]
    enum Mode { Slow, Fast, Stop }
    use Mode::*;
    fn next(m: Mode) -> Mode { match m { Mode::Slow => Mode::Fast, Mode::Fast => Mode::Stop, Mode::Stop => Mode::Slow } }
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut m = if a[t] > 2 { Mode::Fast } else { Mode::Slow };
        for _ in 0..a[t] { m = next(m); if m == Mode::Stop && a[t] == 4 { break; } }
        out[t] = m as i32 * 10 + (m >= Mode::Fast) as i32 + matches!(m, Mode::Slow | Mode::Stop) as i32 * 100;
    }
} 5, (a: i32 = [0, 1, 2, 3, 4], out: i32 = [0; 5]), k(&a, &mut out) }

agree! { values_that_are_dropped: {
    fn f(x: &mut i32) -> (i32, bool) { *x += 1; (*x, true) }
    fn k(out: &mut [i32]) {
        let mut x = 0;
        f(&mut x);
        let _ = f(&mut x);
        let (_, ok) = f(&mut x);
        { f(&mut x) };
        if ok { f(&mut x); } else { }
        match f(&mut x) { (1, _) => (), (_, true) => x += 10, _ => { x = 0 } }
        ();
        out[0] = { let y = x; { let x = y * 2; x + 1 } } + x;
        return;
    }
} 1, (out: i32 = [0]), k(&mut out) }

agree! { a_match_with_many_arms: {
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut n = 0;
        out[t] = match a[t] {
            0 => 5, 1 => 9, 2 => { n += 1; 3 } 3 => 8, 4 => 1, 5 => 2, 6 => 77, 7 => 4, 8 => 6, 9 => 10, 10 => 11, 11 => 12,
            12 => 13, 13 => 14, 14 => return, 15 => 16, 16 => 17, 17 => 18, 18 => 19, 19 => 20, 20 => 21, 21 => 22, 22 => 23,
            23 => 24, 24 => 25, 25 => 26, 26 => 27, 27 => 28, 28 => 29, 29 => 30, 30 => 31, 31 => 32, 32 => 33, 33 => 34,
            34 => 35, 35 => 36, 36 => 37, 37 => 38, 38 => 39, 39 => 40, 40 => 41, 41 => 42, 42 => 43, 43 => 44, 44 => 45,
            45 => 46, 46 => 47, 47 => 48, 48 => 49, 49 => 50, 50 => 51, 51 => 52, 52 => 53, 53 => 54, 54 => 55, 55 => 56,
            56 => 57, 57 => 58, 58 => 59, 59 => 60, 60 => 61, 61 => 62, 62 => 63, 63 => 64, 64 => 65, 65 => 66, 66 => 67,
            67 => 68, 68 => 69, 69 => 70, 70 => 71, 71 => 72, 72 => 73, 73 => 74, 74 => 75, 75 => 76, 76 => 77, 77 => 78,
            78 => 79, 79 => 80, 80 => 81, 81 => 82, 82 => 83, 83 => 84, 84 => 85, 85 => 86, 86 => 87, 87 => 88, 88 => 89,
            89 => 90, 90 => 91, 91 => 92, 92 => 93, 93 => 94, 94 => 95, 95 => 96, 96 => 97, 97 => 98, 98 => 99, 99 => 100,
            100 => 101, 101 => 102, 102 => 103, 103 => 104, 104 => 105, 105 => 106, 106 => 107, 107 => 108, 108 => 109,
            109 => 110, 110 => 111, 111 => 112, 112 => 113, 113 => 114, 114 => 115, 115 => 116, 116 => 117, 117 => 118,
            118 => 119, 119 => 120, 120 => 121, 121 => 122, 122 => 123, 123 => 124, 124 => 125, 125 => 126, 126 => 127,
            127 => 128, 128 => 129, 129 => 130, 130 => { n += 2; 131 } x => x * 2,
        };
        out[t] += n * 1000;
    }
} 7, (a: i32 = [0, 2, 14, 64, 130, 131, -4], out: i32 = [0; 7]), k(&a, &mut out) }

agree! { const_lengths: {
    fn sum<const N: usize>(a: [f32; N]) -> f32 { let mut s = 0.0; for i in 0..N { s += a[i] * (i + N) as f32; } s }
    fn k(out: &mut [f32]) {
        let n = [1.0, 2.0, 3.0];
        out[0] = sum(n) + sum([0.5; 2]);
    }
} 1, (out: f32 = [0.0]), k(&mut out) }

agree! { unused_and_unit_values: {
    fn nothing(_x: f32) {}
    fn k(a: &mut [f32]) {
        let t = tid();
        let u = nothing(1.0);
        let v = ();
        if u == v { a[t] += 1.0; }
        let z = if a[t] > 100.0 { panic!("never") } else { 3.0 };
        let w: f32 = match t { 0 => 1.0, 1 => return, _ => unreachable!() };
        a[t] += z + w;
    }
} 2, (a: f32 = [1.0, 2.0]), k(&mut a) }

agree! { references_to_places: {
    #[derive(Clone, Copy)]
    struct S { a: [i32; 3], o: Option<i32>, p: (i32, i32) }
    fn raise(o: &mut Option<i32>, by: i32) { if let Some(x) = o { *x += by; } }
    fn swap(p: &mut (i32, i32)) { let (a, b) = p; let t = *a; *a = *b; *b = t + 1; }
    fn twice(x: &mut i32) { let y = x; *y *= 2; }
    fn deep(s: &mut S) { match s { S { o: Some(v), p: (q, _), .. } if *v > 3 => { *v -= 1; *q += 5; } S { a, .. } => a[1] += 100 } }
    impl S { fn grow(&mut self, n: &mut i32) { for x in self.a.iter_mut() { for j in 0..3 { *x += j; *n += 1; } } } }
    fn k(a: &mut [i32], pairs: &mut [[i32; 2]]) {
        let t = tid();
        let mut s = S { a: [1, 2, 3], o: Some(a[t]), p: (7, 8) };
        let mut n = 0;
        for i in 0..2 { raise(&mut s.o, i + 1); swap(&mut s.p); twice(&mut s.a[i as usize]); deep(&mut s); s.grow(&mut n); }
        for x in s.a.iter_mut() { if *x > 8 { *x = 0; } for k in 0..2 { *x += k * 3; } }
        for [p, q] in pairs.iter_mut() { *p += *q; let r = q; *r += 1; }
        let mut list = [(1, 2), (3, 4)];
        for (i, (x, y)) in list.iter_mut().enumerate() { *x += *y; *y -= i as i32; }
        for w in list.iter_mut() { while w.0 > 2 { w.0 -= 2; w.1 += 1; } }
        if let Some(v) = &mut s.o { *v += 1000; }
        match &mut s.p { (x, 5..) => *x = 1, (_, y) => *y += 2 }
        let mut o = Some(3);
        while let Some(v) = &mut o { *v -= 1; n += *v; if *v == 0 { o = None; } }
        debug_assert!(n >= 0);
        a[t] = s.a[0] + s.a[1] * 3 + s.a[2] * 7 + s.o.unwrap_or(-1) + s.p.0 * 11 + s.p.1 * 13 + n
            + list[0].0 + list[0].1 * 2 + list[1].0 * 3 + list[1].1 * 5;
    }
} 2, (a: i32 = [3, 9], pairs: [i32; 2] = [[1, 2], [3, 4]]), k(&mut a, &mut pairs) }
