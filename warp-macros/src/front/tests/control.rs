//! Control flow.

use super::agree::agree;

agree! { early_return_in_nested_loops: {
    fn k(n: &[i32], out: &mut [i32]) {
        let t = tid();
        out[t] = -1;
        for i in 0..n[t] {
            for j in 0..i {
                if i * j == 6 { out[t] = i * 10 + j; return; }
                out[t] -= 1;
            }
        }
        out[t] += 1000;
    }
} 6, (n: i32 = [0, 1, 3, 4, 5, 9], out: i32 = [0; 6]), k(&n, &mut out) }

agree! { labelled_break_and_continue: {
    fn k(n: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut sum = 0;
        'outer: for i in 0..n[t] {
            let mut j = 0;
            while j < 5 {
                j += 1;
                if (i + j) % 4 == 0 { continue 'outer; }
                if i * j > 20 { break 'outer; }
                if j == 4 { break; }
                sum += i * 10 + j;
            }
            sum += 1000;
        }
        out[t] = sum;
    }
} 5, (n: i32 = [0, 1, 4, 7, 20], out: i32 = [0; 5]), k(&n, &mut out) }

agree! { loops_with_values: {
    fn k(n: &[u32], out: &mut [u32]) {
        let t = tid();
        let mut i = n[t];
        let steps = loop {
            if i <= 1 { break 7; }
            i = if i % 2 == 0 { i / 2 } else { 3 * i + 1 };
            if i > 1000 { break i; }
        };
        let found = 'search: {
            for k in 0..10 {
                if k * k > n[t] { break 'search k; }
            }
            99
        };
        out[t] = steps * 100 + found;
    }
} 5, (n: u32 = [0, 1, 27, 50, 400], out: u32 = [0; 5]), k(&n, &mut out) }

agree! { exits_inside_expressions: {
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut sum = 0;
        for i in 0..a.len() {
            let x = match a[i] { 0 => continue, v if v < 0 => break, v => v };
            sum += x + if x > 50 { out[t] = sum; return } else { 1 };
            out[t] = 5 + (if sum > 30 { break } else { sum });
        }
        out[t] += sum;
    }
} 1, (a: i32 = [1, 0, 5, 0, 20, 3, 60, -1, 4], out: i32 = [0]), k(&a, &mut out) }

agree! { while_with_effects_in_the_condition: {
    fn k(a: &[i32], out: &mut [i32]) {
        let mut i = 0;
        let mut n = 0;
        while { n += 1; i < a.len() && a[i] != 0 } { i += 1; }
        out[0] = i as i32;
        out[1] = n;
        let mut m = 0;
        while a[m] > 0 && m < 3 { m += 1; }
        out[2] = m as i32;
    }
} 1, (a: i32 = [3, 2, 4, 5, 0, 1], out: i32 = [0; 3]), k(&a, &mut out) }

agree! { while_let_and_if_let_chains: {
    fn half(x: i32) -> Option<i32> { if x > 0 && x % 2 == 0 { Some(x / 2) } else { None } }
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut x = a[t];
        let mut n = 0;
        while let Some(y) = half(x) { x = y; n += 1; }
        out[t] = x * 100 + n;
        if let Some(h) = half(a[t]) && h > 3 && let Some(q) = half(h) {
            out[t] += q * 10000;
        } else if let Some(h) = half(a[t]) {
            out[t] -= h;
        } else {
            out[t] -= 500;
        }
    }
} 6, (a: i32 = [0, 1, 2, 6, 8, 48], out: i32 = [0; 6]), k(&a, &mut out) }

agree! { let_else: {
    fn pick(x: i32) -> Option<(i32, i32)> { if x < 3 { None } else { Some((x, x * x)) } }
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        out[t] = 1;
        let Some((x, y)) = pick(a[t]) else { out[t] = -5; return };
        out[t] += x + y;
        let (Some((p, 16..)), q) = (pick(x), 2) else { return };
        out[t] += p * q * 1000;
    }
} 4, (a: i32 = [1, 3, 4, 9], out: i32 = [0; 4]), k(&a, &mut out) }

agree! { matches_of_all_kinds: {
    #[derive(Clone, Copy, PartialEq)]
    enum Kind { Fluid, Solid, Gas }
    fn kind(x: i32) -> Kind { match x % 3 { 0 => Kind::Fluid, 1 => Kind::Solid, _ => Kind::Gas } }
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let x = a[t];
        let r = match x {
            i32::MIN..=-1 => -1,
            0 | 5 | 7 => 50,
            n @ 1..=4 => n * 2,
            n if n % 2 == 0 => n,
            _ => match kind(x) { Kind::Fluid => 300, Kind::Solid => 301, Kind::Gas => 302 },
        };
        let pair = match (x > 3, kind(x)) {
            (true, Kind::Solid) => 1,
            (_, Kind::Gas) => 2,
            (false, _) => 3,
            (true, k) if k == Kind::Fluid => 4,
            (true, _) => 5,
        };
        out[t] = r * 10 + pair + matches!(x, 1 | 2 if x != 1) as i32 * 1000;
    }
} 12, (a: i32 = [-7, -1, 0, 1, 2, 3, 4, 5, 6, 7, 9, 13], out: i32 = [0; 12]), k(&a, &mut out) }

agree! { ranges_in_loops: {
    fn k(a: &[i32], out: &mut [i32]) {
        let (lo, hi) = (a[0], a[1]);
        let mut s = 0i64;
        for j in (lo..=hi).rev() { s = s * 3 + j as i64; }
        for j in (lo..hi).step_by(2).rev() { s = s * 3 + j as i64; }
        for j in (0..hi).rev().skip(2).take(3) { s = s * 3 + j as i64; }
        for j in lo..=lo { s = s * 3 + j as i64; }
        for j in hi..=lo { s += 1_000_000; }
        for j in (-128i8..=127).step_by(50) { s = s * 2 + j as i64; }
        for (k, j) in (lo..hi).enumerate() { s += k as i64 * j as i64; }
        out[0] = s as i32;
        out[1] = (s >> 32) as i32;
        let mut u = 0u8;
        for j in 250u8..=255 { u = u.wrapping_add(j); }
        out[2] = u as i32;
    }
} 1, (a: i32 = [-3, 6], out: i32 = [0; 3]), k(&a, &mut out) }

agree! { iterating_over_arrays: {
    fn k(a: &[i32], b: &mut [i32], out: &mut [i32]) {
        let mut s = 0;
        for x in a.iter() { s = s * 2 + *x; }
        for (i, &x) in a.iter().enumerate() { s += i as i32 * x; }
        for (x, y) in a.iter().zip(b.iter()).skip(1) { s += x * y; }
        for x in b.iter_mut() { *x += s; }
        for (i, x) in b.iter_mut().enumerate().rev() { *x += i as i32 * 3; }
        let mut local = [1, 2, 3, 4];
        for x in local.iter_mut() { *x *= 10; }
        for x in &local { s += x; }
        for x in local { s += x; }
        for x in &mut local { *x -= 1; }
        out[0] = s + local[0] + local[3];
    }
} 1, (a: i32 = [5, -2, 7], b: i32 = [1, 2, 3], out: i32 = [0]), k(&a, &mut b, &mut out) }

agree! { own_iterators: {
    #[derive(Clone, Copy)]
    struct Count { at: i32, end: i32 }
    impl Count {
        fn next(&mut self) -> Option<i32> {
            if self.at >= self.end { return None; }
            self.at += 1;
            Some(self.at * self.at)
        }
    }
    impl Iterator for Count { type Item = i32; fn next(&mut self) -> Option<i32> { Count::next(self) } }
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut s = 0;
        for x in (Count { at: 0, end: a[t] }) {
            if x == 4 { continue; }
            if x > 30 { break; }
            s += x;
        }
        let mut c = Count { at: 1, end: 4 };
        while let Some(x) = c.next() { s += 100 * x; }
        out[t] = s + c.at;
    }
} 4, (a: i32 = [0, 2, 4, 12], out: i32 = [0; 4]), k(&a, &mut out) }

agree! { deferred_initialisation: {
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let x;
        let y: i32;
        if a[t] > 3 { x = 1; y = a[t]; } else { y = 2; x = y + 1; }
        let mut z = 0;
        { let z = 5; out[t] = z; }
        z += x;
        out[t] += x * 100 + y * 10 + z;
    }
} 2, (a: i32 = [1, 9], out: i32 = [0; 2]), k(&a, &mut out) }

agree! { many_guards_one_after_another: {
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        for i in 0..a.len() {
            if a[i] == 1 { continue; }
            out[t] += 1;
            if a[i] == 2 { continue; }
            out[t] += 10;
            if a[i] == 3 { break; }
            out[t] += 100;
            if a[i] == 4 { return; }
            out[t] += 1000;
        }
        out[t] += 100000;
    }
} 1, (a: i32 = [1, 2, 5, 1, 3, 5], out: i32 = [0]), k(&a, &mut out) }

agree! { closures_of_options: {
    fn even(x: i32) -> Option<i32> { if x % 2 == 0 { Some(x) } else { None } }
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let o = even(a[t]);
        let scale = 3;
        let mut r = o.map(|x| x * scale).unwrap_or(-1);
        r += o.and_then(|x| even(x / 2)).map_or(7, |x| x + 1) * 100;
        r += o.unwrap_or_else(|| scale + 1) * 1000;
        r += o.filter(|x| *x > 2).is_some() as i32 * 50;
        r += if o.is_some_and(|x| x == 4) { 5 } else { 0 };
        r += o.or(Some(9)).unwrap() + o.unwrap_or_default();
        if o == Some(4) { r += 1; }
        if o != None { r += 2; }
        let mut p = o;
        if let Some(x) = p.take() { r += x; }
        out[t] = r + p.is_none() as i32;
    }
} 5, (a: i32 = [0, 1, 2, 4, 6], out: i32 = [0; 5]), k(&a, &mut out) }

agree! { evaluation_order: {
    fn bump(x: &mut i32) -> i32 { *x += 1; *x }
    fn k(out: &mut [i32]) {
        let mut n = 0;
        let t = (bump(&mut n), bump(&mut n) * 10, n);
        out[0] = t.0 + t.1 + t.2 * 100;
        let a = n + { n = 10; n } + n;
        out[1] = a;
        let mut i = 0;
        out[{ i += 2; i }] = { i += 1; i as i32 };
        out[{ i += 1; i }] += { i += 0; 5 };
        out[5] = i as i32;
    }
} 1, (out: i32 = [0; 6]), k(&mut out) }
