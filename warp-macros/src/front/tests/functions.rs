//! Functions, parameters, the library.

use super::agree::agree;
use super::harness::{Source, arr, raw, run, view};

agree! { places_as_arguments: {
    fn bump(x: &mut f32, by: f32) -> f32 { *x += by; *x * 2.0 }
    fn both(a: &mut i32, b: &mut (i32, i32)) { let t = *a; *a = b.0; b.0 = t; b.1 += 1; }
    fn part(a: &[f32], from: usize) -> f32 { if from < a.len() { a[from] } else { -1.0 } }
    fn write(a: &mut [f32], at: usize, x: f32) { a[at] = x; }
    fn outer(a: &mut [f32]) -> f32 { write(a, 1, 42.0); part(&a[1..], 0) }
    fn k(a: &mut [f32], out: &mut [f32]) {
        let t = tid();
        let mut x = 1.0;
        out[t] = bump(&mut x, 2.0) + x + bump(&mut a[t], 0.5);
        let (mut n, mut p) = (1, (5, 6));
        both(&mut n, &mut p);
        both(&mut p.1, &mut (n, 0));
        write(a, 3, 7.0);
        write(&mut a[4..], 1, x);
        out[t] += part(a, 3) + part(&a[2..5], 1) * 10.0 + part(&a[5..], 9) + n as f32 + p.0 as f32 * 10.0 + p.1 as f32;
        out[t] += outer(a);
    }
} 2, (a: f32 = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], out: f32 = [0.0; 2]), k(&mut a, &mut out) }

agree! { generic_functions: {
    fn first<T: Copy>(a: T, _b: T) -> T { a }
    fn pair<A: Copy, B: Copy>(a: A, b: B) -> (B, A) { (b, a) }
    fn k(out: &mut [f32], n: &mut [u8]) {
        out[0] = first(1.5, 2.0);
        n[0] = first(200, 3);
        let (x, y) = pair(first(7u8, 1), 2.5);
        out[1] = x;
        n[1] = y;
    }
} 1, (out: f32 = [0.0; 2], n: u8 = [0; 2]), k(&mut out, &mut n) }

agree! { generic_methods: {
    #[derive(Clone, Copy)]
    struct Line { at: f32, slope: f32 }
    impl Line {
        fn pick<T: Copy>(self, low: T, high: T) -> T { if self.slope > 0.0 { high } else { low } }
        fn powers<const N: usize>(&self) -> [f32; N] {
            let mut all = [self.at; N];
            for k in 1..N { all[k] = all[k - 1] * self.slope; }
            all
        }
        fn put<T: Copy>(&mut self, x: f32, marks: T) -> (T, f32) { self.at = x; (self.pick(marks, marks), self.slope) }
        fn of<T: Copy, const N: usize>(list: [T; N], at: usize) -> T { list[at % N] }
    }
    fn k(out: &mut [f32], n: &mut [u8]) {
        let mut line = Line { at: 3.0, slope: 0.5 };
        out[0] = line.pick(1.5, 2.5);
        n[0] = line.pick(200, 3);
        let five: [f32; 5] = line.powers();
        out[1] = five[4] + line.powers::<2>()[1];
        let (mark, slope) = line.put(9.0, 7u8);
        n[1] = mark;
        out[2] = slope + line.at;
        n[2] = Line::of([1, 2, 3u8], 4);
        out[3] = Line::of::<f32, 2>([1.0, 2.0], 3);
    }
} 1, (out: f32 = [0.0; 4], n: u8 = [0; 3]), k(&mut out, &mut n) }

#[test]
fn every_function_of_the_library_is_lowered() {
    let ids = crate::front::library::all();
    assert!(ids.len() > 500, "{} functions", ids.len());
    let missing: Vec<&String> = ids.iter().filter(|id| crate::front::library_function(id).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn constants_are_slots() {
    let text = "fn k(out: &mut [f32], n: &mut [i32]) {
        out[0] = GRAVITY * 2.0 + consts::HALF;
        let g: Vec3 = DOWN;
        out[1] = g.y + GRAVITY;
        n[0] = COUNT as i32 + STEPS;
        for i in 0..LAST { n[1 + i - i] += i as i32; }
        out[2] = f32::MAX.min(2.0 * CFG.gain);
        out[3] = (STEPS * 2) as f32;
    }";
    let source = Source::new(text);
    let lowered = source.lowered();
    let named: Vec<(String, u16)> = lowered.slots.iter().map(|s| (s.expression.to_string(), s.leaf)).collect();
    let names: Vec<&str> = named.iter().map(|(n, _)| n.as_str()).collect();
    let expected =
        ["GRAVITY * 2.0 + consts :: HALF", "DOWN", "DOWN", "DOWN", "GRAVITY", "COUNT as i32 + STEPS", "LAST"];
    assert_eq!(names[..7], expected);
    let slots: Vec<u64> = [3.5f32, 0.0, -1.0, 0.0, 0.25].iter().map(|x| x.to_bits() as u64).collect();
    let slots = [slots, vec![9, 3], vec![1.5f32.to_bits() as u64, 8f32.to_bits() as u64]].concat();
    let report = source.run_with(&[1], &[arr(&[0f32; 4]), arr(&[0i32; 2])], &[], &slots);
    assert_eq!(report.get::<f32>(0), [3.5, -0.75, 1.5, 8.0]);
    assert_eq!(report.get::<i32>(1), [9, 3]);
}

#[test]
fn views_are_checked_in_each_dimension() {
    let text = "fn k(a: View2<f32>, out: &mut ViewMut2<f32>) {
        let (i, j) = tid2();
        out[(j, i)] = a[(i, j)] * 2.0 + a.shape()[0] as f32;
    }";
    let arrays = [view(&[2, 3], &[1f32, 2.0, 3.0, 4.0, 5.0, 6.0]), view(&[3, 2], &[0f32; 6])];
    let report = Source::new(text).run_with(&[2, 3], &arrays, &[], &[]);
    assert_eq!(report.get::<f32>(1), [4.0, 10.0, 6.0, 12.0, 8.0, 14.0]);
    let report = Source::new(text).run_with(&[2, 4], &arrays, &[], &[]);
    assert_eq!(report.fault().unwrap(), "Index [3, 3] `a[(i, j)]`");
}

#[test]
fn bundles_planes_and_atomics() {
    let text = "struct Mesh<'a> { points: &'a [Vec3], sums: &'a mut [f32], scale: f32 }
    fn weight(mesh: &Mesh, i: usize) -> f32 { mesh.points[i].x * mesh.scale }
    fn k(mesh: Mesh, soa: &mut Soa<Vec3>, n: &mut [u32]) {
        let i = tid();
        let old = atomic_add(&mut mesh.sums[0], weight(&mesh, i));
        soa[i].y += mesh.points[i].z + old * 0.0;
        soa[i] += Vec3::X;
        atomic_max(&mut n[0], i as u32 * 3);
        atomic_compare_exchange(&mut n[1], 5, i as u32 + 6);
        atomic_add(&mut soa[0], Vec3::ONE);
    }";
    let points = [1f32, 0.0, 10.0, 2.0, 0.0, 20.0];
    let arrays = [arr(&points), arr(&[0f32]), arr(&[0f32; 6]), arr(&[1u32, 5])];
    let report = Source::new(text).run_with(&[2], &arrays, &[0.5f32.to_bits() as u64], &[]);
    assert_eq!(report.get::<f32>(1), [1.5]);
    assert_eq!(report.get::<f32>(2), [3.0, 12.0, 2.0, 1.0, 20.0, 0.0]);
    assert_eq!(report.get::<u32>(3), [3, 6]);
}

#[test]
fn prints_take_values_apart() {
    let text = "fn k(a: &[f32]) {
        let t = tid();
        println!(\"{t}: {:.2} {{}} {:?} {v:?}\", a[t], (t, true), v = Vec3::X);
        print!(\"end\");
    }";
    let report = run(text, 1, &[arr(&[0.5f32])]);
    let prints = &report.outcome.prints;
    assert_eq!(prints.len(), 2);
    assert_eq!(prints[0].args.len(), 7);
    let site = &report.kernel.function.prints[0];
    let text: String = site
        .pieces
        .iter()
        .map(|p| match p {
            warp_ir::ir::PrintPiece::Text(t) => t.clone(),
            warp_ir::ir::PrintPiece::Arg { spec, .. } => format!("<{spec}>"),
            warp_ir::ir::PrintPiece::Choice { .. } => panic!("no choice is printed here"),
        })
        .collect();
    assert_eq!(text, "<>: <.2> {} (<?>, <?>) Vec3(<?>, <?>, <?>)");
    assert!(site.newline && !report.kernel.function.prints[1].newline);
}

#[test]
fn faults_name_their_place() {
    let cases = [
        ("let x = a[0]; assert!(x > 5, \"too small\");", "Assert [] `assert!(x > 5, \"too small\")`"),
        ("assert_eq!(a[0], 4);", "Assert [3, 4] `assert_eq!(a[0], 4)`"),
        ("if a[0] == 3 { panic!(\"no\"); }", "Assert [] `panic!(\"no\")`"),
        ("let o: Option<i32> = None; a[0] = o.unwrap();", "Unwrap [] `o.unwrap()`"),
        ("let i = a.len(); a[i + 1] += 1;", "Index [3, 2] `a[i + 1]`"),
        ("let n = a[1]; a[0] /= n;", "DivideByZero [] `a[0] /= n`"),
        ("for i in (0..9).step_by(a[1] as usize) { a[0] += i; }", "StepZero [] `(0..9).step_by(a[1] as usize)`"),
        ("a[0] = a[0].clamp(a[0], a[1]);", "ClampBounds [3, 0] `a[0].clamp(a[0], a[1])`"),
        ("let l = [1, 2, 3]; let i = a[0] as usize; a[0] = l[i];", "Index [3, 3] `l[i]`"),
        ("let m = [[1, 2, 3], [4, 5, 6]]; let i = a[0] as usize; a[0] = m[1][i];", "Index [3, 3] `m[1][i]`"),
        ("let n = a[0] as usize; f(&mut a[n..]);", "SliceRange [3, 2, 2] `a[n..]`"),
    ];
    for (body, fault) in cases {
        let text = format!("fn f(a: &mut [i32]) {{ a[0] = 1; }} fn k(a: &mut [i32]) {{ {body} }}");
        let report = Source::new(&text).run_with(&[1], &[raw(vec![3, 0])], &[], &[]);
        assert_eq!(report.fault().as_deref(), Some(fault), "{body}");
    }
}
