//! Threads that touch each other's elements: said where it is certain, and only there.

use super::super::harness::{Data, Source, arr, view};
use super::{f, gives, refused, zeros};

/// What a launch of `[f32]`s is told: of one that has a gradient nothing.
fn told(text: &str, dims: &[u64], arrays: &[Data]) -> Option<String> {
    Source::new(text).backward(dims, arrays, &[], &[]).err().map(|refusal| refusal.message)
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

/// Each thread keeps to elements of its own, or may do so: the launch knows.
#[test]
fn what_may_be_right_is_let_be() {
    let bodies = [
        "a[i] = a[i] * a[i];",
        "if i == 0 { a[0] = x[1]; }",
        "if i < 1 { a[0] = x[i]; }",
        "if i % 2 == 0 { a[i] = a[i + 1]; }",
        "if i + 1 < x.len() && i % 2 == 1 { a[i] = a[i + 1]; }",
        "if i > 5 { return; } a[0] += 0.0 * x[i]; ",
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
        // In the sixth, all threads of a launch of this size add to one element: under a condition.
        assert_eq!(told(&text, &[4], &arrays), None, "{body}");
    }
}
