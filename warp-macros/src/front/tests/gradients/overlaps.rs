//! Threads that touch each other's elements: said where it is certain, and only there.

use super::super::harness::{Data, Source, arr, view};
use super::{f, gives, refused, zeros};

/// What a launch of `[f32]`s is told: of one that has a gradient nothing.
fn told(text: &str, dims: &[u64], arrays: &[Data]) -> Option<String> {
    told_with(text, dims, arrays, &[])
}

fn told_with(text: &str, dims: &[u64], arrays: &[Data], scalars: &[u64]) -> Option<String> {
    Source::new(text).backward(dims, arrays, scalars, &[]).err().map(|refusal| refusal.message)
}

#[test]
fn a_neighbours_element_is_read_or_written() {
    let text = "fn k(a: &mut [f32]) { let i = tid(); a[i] = a[i + 1] * 2.0; }";
    let words = "threads i and i+1 touch the same element of `a`; write to a second array";
    let arrays = [f(&[1., 2., 3.])];
    assert_eq!(refused(text, &[2], &arrays, &[]), (words.into(), Some("a[i]".into())));
    // Alone, thread 0 has nobody to meet.
    gives(text, &[1], &arrays, &[], &[(0, &[4., 2., 3.])], &[(0, &[0., 3., 1.])]);

    let apart = "fn k(a: &mut [f32]) { let i = tid(); a[i + 3] = a[i] * 2.0; }";
    let arrays = [f(&[1., 2., 3., 4., 5., 6., 7., 8.])];
    assert_eq!(told(apart, &[3], &arrays), None);
    assert_eq!(told(apart, &[4], &arrays).unwrap(), words.replace("i+1", "i+3"));

    let added = "fn k(x: &[f32], a: &mut [f32]) { let i = tid(); a[i] = x[i]; atomic_add(&mut a[i + 1], x[i]); }";
    assert_eq!(told(added, &[2], &[f(&[1., 2.]), zeros(3)]).unwrap(), words);

    let read = "fn k(a: &mut [f32]) { let i = tid(); a[i + 1] = a[0] * 2.0; }";
    let words = "threads 0 and 1 touch the same element of `a`; write to a second array";
    assert_eq!(told(read, &[2], &[zeros(4)]), None);
    let read = read.replace("i + 1", "i");
    assert_eq!(told(&read, &[2], &[zeros(4)]).unwrap(), words);
}

#[test]
fn all_threads_write_one_element() {
    let words =
        "threads i and i+1 touch the same element of `y`; let one thread write it, or add to it with `atomic_add`";
    let arrays = [f(&[1., 2.]), zeros(2)];
    for index in ["0", "x.len() - 1", "n as usize", "n as usize + 1 - 1"] {
        let text = format!("fn k(x: &[f32], y: &mut [f32], n: u32) {{ y[{index}] = x[tid()]; }}");
        let (found, at) = refused(&text, &[2], &arrays, &[1]);
        assert_eq!(found, words, "{index}");
        assert_eq!(at.unwrap(), format!("y[{index}]"));
        assert!(Source::new(&text).backward(&[1], &arrays, &[1], &[]).is_ok(), "{index}");
    }
    // One and the same value is no matter who writes it.
    let text = "fn k(x: &[f32], y: &mut [f32], z: &mut [f32]) { let i = tid(); y[0] = 3.0; z[i] = x[i] * x[i]; }";
    let arrays = [f(&[1., 2.]), f(&[5., 6.]), zeros(2)];
    gives(text, &[2], &arrays, &[], &[(1, &[3., 6.])], &[(0, &[2., 4.]), (1, &[0., 1.])]);
}

#[test]
fn rows_and_columns_of_threads() {
    let grid = |values: &[f32]| view(&[2, 3], values);
    let text = "fn k(a: ViewMut2<f32>) { let (i, j) = tid2(); a[(i, j)] = a[(i, j + 1)]; }";
    let words = "threads (i, j) and (i, j+1) touch the same element of `a`; write to a second array";
    let wide = [view(&[2, 4], &[1f32; 8])];
    assert_eq!(told(text, &[2, 3], &wide).unwrap(), words);
    assert_eq!(told(text, &[2, 1], &wide), None);
    let text = "fn k(x: View2<f32>, y: &mut [f32]) { let (i, j) = tid2(); y[i] = x[(i, j)]; }";
    let words = "threads (i, j) and (i, j+1) touch the same element of `y`; let one thread write it, or add to it with \
        `atomic_add`";
    let arrays = [grid(&[1., 2., 3., 4., 5., 6.]), zeros(2)];
    assert_eq!(told(text, &[2, 3], &arrays).unwrap(), words);
    gives(text, &[2, 1], &arrays, &[], &[(1, &[1., 4.])], &[(0, &[1., 0., 0., 1., 0., 0.]), (1, &[0., 0.])]);
    // Four to a row: a fifth meets the first of the next row.
    let text = "fn k(y: &mut [f32]) { let (i, j) = tid2(); y[i * 4 + j] = y[i * 4 + j] * j as f32; }";
    assert_eq!(told(text, &[3, 4], &[zeros(20)]), None);
    let words = "threads (i, j) and (i+1, j-4) touch the same element of `y`";
    assert!(told(text, &[3, 5], &[zeros(20)]).unwrap().starts_with(words));
}

#[test]
fn integers_matter_where_the_gradient_reads_them() {
    let text = |read: &str| {
        format!(
            "fn k(x: &[f32], n: &mut [u32], y: &mut [f32]) {{
                let i = tid();
                {read}
                n[0] = i as u32;
            }}"
        )
    };
    let arrays = [f(&[1., 2.]), arr(&[0u32, 1]), zeros(2)];
    assert_eq!(told(&text("y[i] = x[i] * x[i];"), &[2], &arrays), None);
    assert_eq!(told(&text("y[i] = x[i] + n[1] as f32;"), &[2], &arrays), None);
    let words = told(&text("y[i] = x[i] * x[i] * n[0] as f32;"), &[2], &arrays).unwrap();
    assert!(words.contains("touch the same element of `n`"), "{words}");
}

/// A kernel of one array, that array, a launch whose threads keep apart, and one in which these two meet.
type Case<'a> = (String, Data, &'a [u64], &'a [u64], &'a str);

/// The largest launches whose threads keep apart, and the smallest ones whose threads do not.
#[test]
fn threads_that_are_far_apart() {
    let line = |body: &str| format!("fn k(a: &mut [f32]) {{ let i = tid(); {body} }}");
    let plane = |body: &str| format!("fn k(a: &mut [f32]) {{ let (i, j) = tid2(); {body} }}");
    let grid = |body: &str| format!("fn k(a: ViewMut2<f32>) {{ let (i, j) = tid2(); {body} }}");
    let block = |body: &str| format!("fn k(a: ViewMut3<f32>) {{ let (i, j, k) = tid3(); {body} }}");
    let cases: [Case<'_>; 12] = [
        (line("a[i + 64] = a[i] * 2.0;"), zeros(200), &[64], &[65], "i and i+64"),
        (line("a[i] = a[i + 1000] * 2.0;"), zeros(2100), &[1000], &[1001], "i and i+1000"),
        (line("a[3 * i] = a[3 * i + 300];"), zeros(700), &[100], &[101], "i and i+100"),
        (line("a[i] = a[100] * 2.0;"), zeros(200), &[100], &[101], "0 and 100"),
        (line("a[2 * i] = a[150] * 2.0;"), zeros(200), &[75], &[76], "0 and 75"),
        (plane("a[i * 16 + j] = a[i * 16 + j] * 2.0;"), zeros(99), &[2, 16], &[2, 17], "(i, j) and (i+1, j-16)"),
        (plane("a[i + j * 100] = a[i + j * 100 + 1];"), zeros(999), &[1, 5], &[2, 1], "(i, j) and (i+1, j)"),
        (plane("a[i * 16 + j + 100] = a[i * 16 + j];"), zeros(300), &[6, 16], &[7, 5], "(i, j) and (i+6, j+4)"),
        (grid("a[(i + 8, j)] = a[(i, j)];"), view(&[20, 2], &[0f32; 40]), &[8, 2], &[9, 1], "(i, j) and (i+8, j)"),
        (
            grid("a[(i + 9, j + 70)] = a[(i, j)];"),
            view(&[20, 150], &[0f32; 3000]),
            &[9, 80],
            &[10, 71],
            "(i, j) and (i+9, j+70)",
        ),
        (
            block("a[(i, j, k)] = a[(i, j, k + 4)];"),
            view(&[2, 2, 9], &[0f32; 36]),
            &[2, 2, 4],
            &[1, 1, 5],
            "(i, j, k) and (i, j, k+4)",
        ),
        (
            block("a[(0, 0, i * 30 + j * 6 + k)] = a[(0, 0, i * 30 + j * 6 + k)] * 2.0;"),
            view(&[1, 1, 99], &[0f32; 99]),
            &[2, 5, 6],
            &[2, 6, 1],
            "(i, j, k) and (i+1, j-5, k)",
        ),
    ];
    for (text, array, apart, meeting, threads) in cases {
        assert_eq!(told(&text, apart, std::slice::from_ref(&array)), None, "{text}");
        let words = told(&text, meeting, &[array]).unwrap_or_else(|| panic!("{text} is let be"));
        assert!(words.starts_with(&format!("threads {threads} touch the same element of `a`")), "{text}: {words}");
    }
}

/// What thread `i` of a launch does to elements of `a`: what it stores to, and what it loads.
type Touches = fn(u64, u64) -> (Vec<u64>, Vec<u64>);

/// Accesses under conditions that the launch decides, against what its threads touch one by one.
#[test]
fn conditions_that_the_launch_decides() {
    let cases: [(&str, Touches); 16] = [
        ("if i + 1 < n { a[i] = a[i + 1] * 2.0; }", |i, n| touch(i + 1 < n, &[i], &[i + 1])),
        ("if i >= n { return; } a[i] = a[i + 3] * 2.0;", |i, n| touch(i < n, &[i], &[i + 3])),
        ("if n <= i { b[i] = 1.0; } else { a[i] = a[i + 1]; }", |i, n| touch(i < n, &[i], &[i + 1])),
        ("if i > 0 && i + 1 < n { a[i] = a[i - 1] + a[i + 1]; }", |i, n| {
            touch(i > 0 && i + 1 < n, &[i], &[i.max(1) - 1, i + 1])
        }),
        ("if i % 2 == 0 { a[i] = a[i + 1]; }", |i, _| touch(i % 2 == 0, &[i], &[i + 1])),
        ("if i % 2 == 1 { a[i] = a[i + 2]; }", |i, _| touch(i % 2 == 1, &[i], &[i + 2])),
        ("if i == 0 { a[0] = x[i]; }", |i, _| touch(i == 0, &[0], &[])),
        ("if i == n { a[0] = x[i]; }", |i, n| touch(i == n, &[0], &[])),
        ("if i < 2 { a[0] = x[i]; }", |i, _| touch(i < 2, &[0], &[])),
        ("if i >= 5 && i < 7 { a[0] = x[i]; }", |i, _| touch((5..7).contains(&i), &[0], &[])),
        ("if i < 4 { a[i] = x[i]; } else { b[i] = a[i - 4]; }", |i, _| match i < 4 {
            true => (vec![i], vec![]),
            false => (vec![], vec![i - 4]),
        }),
        ("if i < 4 { a[i] = a[i + 4] * 2.0; }", |i, _| touch(i < 4, &[i], &[i + 4])),
        ("if (i as i32) < n as i32 - 2 { a[i] = a[i + 1]; }", |i, n| touch((i as i32) < n as i32 - 2, &[i], &[i + 1])),
        ("if n < 4 { a[i] = a[i + 1] * 2.0; }", |i, n| touch(n < 4, &[i], &[i + 1])),
        ("if !(i < n || i > 6) { a[i] = a[i + 1]; }", |i, n| touch(i >= n && i <= 6, &[i], &[i + 1])),
        ("if 10 - i < n { if i != 9 { a[i] = a[i + 1]; } }", |i, n| touch(10 - i < n && i != 9, &[i], &[i + 1])),
    ];
    for (body, touches) in cases {
        let text = format!("fn k(x: &[f32], a: &mut [f32], b: &mut [f32], n: usize) {{ let i = tid(); {body} }}");
        let arrays = [f(&[1.; 10]), zeros(14), zeros(10)];
        for (n, dims) in [(2, 3), (2, 10), (3, 2), (6, 2), (6, 5), (6, 8), (6, 10)] {
            let all: Vec<_> = (0..dims).map(|i| touches(i, n)).collect();
            let meets = |s: &Vec<u64>, k: usize| {
                all.iter()
                    .enumerate()
                    .any(|(at, (stores, loads))| at != k && stores.iter().chain(loads).any(|e| s.contains(e)))
            };
            let expected = all.iter().enumerate().any(|(k, (stores, _))| meets(stores, k));
            let words = told_with(&text, &[dims], &arrays, &[n]);
            assert_eq!(words.is_some(), expected, "{body} with n = {n} and {dims} threads: {words:?}");
        }
    }
}

fn touch(does: bool, stores: &[u64], loads: &[u64]) -> (Vec<u64>, Vec<u64>) {
    if does { (stores.into(), loads.into()) } else { (vec![], vec![]) }
}

#[test]
fn conditions_far_out_and_in_two_dimensions() {
    let words = "threads i and i+1 touch the same element of `a`; write to a second array";
    let text = "fn k(a: &mut [f32]) { let i = tid(); if i + 1 < a.len() { a[i] = a[i + 1] * 2.0; } }";
    assert_eq!(told(text, &[800], &[zeros(800)]).unwrap(), words);
    assert_eq!(told(text, &[2], &[zeros(2)]), None);
    let text = |last: u32| {
        format!("fn k(x: &[f32], a: &mut [f32]) {{ let i = tid(); if i >= 500 && i < {last} {{ a[0] = x[i]; }} }}")
    };
    assert!(told(&text(502), &[900], &[f(&[1.; 900]), zeros(1)]).is_some());
    assert_eq!(told(&text(501), &[900], &[f(&[1.; 900]), zeros(1)]), None);

    let text = "fn k(a: ViewMut2<f32>, n: u32) {
        let (i, j) = tid2();
        if i + 1 < a.rows() && (j as u32) < n { a[(i, j)] = a[(i + 1, j)] * 2.0; }
    }";
    let grid = |rows: u64| [view(&[rows, 4], &vec![0f32; 4 * rows as usize])];
    assert!(told_with(text, &[3, 4], &grid(3), &[1]).unwrap().starts_with("threads (i, j) and (i+1, j) touch"));
    assert_eq!(told_with(text, &[2, 4], &grid(2), &[1]), None);
    assert_eq!(told_with(text, &[3, 4], &grid(3), &[0]), None);
}

/// Each thread keeps to elements of its own, or may do so: the launch knows.
#[test]
fn what_may_be_right_is_let_be() {
    let bodies = [
        "a[i] = a[i] * a[i];",
        "if i == 0 { a[0] = x[1]; }",
        "if i < 1 { a[0] = x[i]; }",
        "if i % 2 == 0 { a[i] = a[i + 1]; }",
        "if i + 1 < x.len() && i % 2 == 1 { a[i] = a[i + 1]; }",
        "if i > 0 { return; } a[0] += 0.0 * x[i];",
        "if x[i] > 0.0 { a[0] = x[i]; }",
        "for j in 0..2 { if ids[j] == 7 { a[0] = x[i]; } }",
        "if i < 2 { a[i] = a[i + 2] * 2.0; }",
        "a[2 * i] = a[2 * i + 1];",
        "a[3 * i] = a[3 * i + 1] * a[3 * i + 2];",
        "for j in 0..2 { a[i * 2 + j] = a[i * 2 + 1 - j] * 2.0; }",
        "a[ids[i] as usize] = x[i];",
        "a[ids[i] as usize] = a[ids[i] as usize] * x[i];",
        "a[x.len() - 1 - i] = x[i] * a[x.len() - 1 - i];",
        "atomic_add(&mut a[0], x[i]);",
        "atomic_add(&mut a[i], x[i]); atomic_add(&mut a[i + 1], x[i]);",
        "a[i] = x[i] + x[i + 1] + x[0];",
        "pairs[i].x = pairs[i].y * x[i];",
        "pairs[i].x = pairs[i + 1].y;",
        "rows[i][0] = rows[i][1] * rows[i][2];",
    ];
    for body in bodies {
        let text = format!(
            "fn k(x: &[f32], ids: &[u32], a: &mut [f32], pairs: &mut [Vec2], rows: &mut [[f32; 3]]) {{
                let i = tid();
                {body}
            }}"
        );
        let arrays = [f(&[1., 2., 3., 4., 5.]), arr(&[0u32, 1, 2, 3]), zeros(12), zeros(10), zeros(15)];
        assert_eq!(told(&text, &[4], &arrays), None, "{body}");
    }
}
