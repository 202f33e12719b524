//! What kernels do not have: one sentence each, at the token, at once.

use super::harness::Source;
use crate::front::ErrorKind;

/// The first error of a kernel with this body: its kind, column and words.
fn first(body: &str) -> (ErrorKind, usize, String) {
    let text = format!("fn k(a: &mut [f32]) {{ {body} }}");
    let error = Source::new(&text).errors().into_iter().next().unwrap();
    (error.kind, error.span.start().column.saturating_sub(22), error.message)
}

#[test]
fn each_has_a_reason_and_a_way_out() {
    let cases = [
        ("let r = (1, &mut a[0]);", 12, "no references in values"),
        ("let v = vec![1.0];", 8, "no heap"),
        ("let s = \"text\";", 8, "no strings"),
        ("let f = |x: f32| x; a[0] = f(1.0);", 8, "`#[func]`"),
        ("fn inner() {} inner();", 0, "move it out"),
        ("unsafe { a[0] = 1.0; }", 0, "`unsafe`"),
        ("let x = Some(1.0)?;", 8, "`let .. else`"),
        ("#[cfg(test)] let x = 1;", 0, "`#[cfg]`"),
        ("let x: Box<f32> = a[0];", 7, "no `Box`"),
        ("let x: &dyn Copy = a[0];", 8, "trait objects"),
        ("let x = async { 1 };", 8, "async"),
        ("let c = 'x';", 8, "no `char`"),
        ("atomic_add(&mut 3.0, 1.0);", 0, "an element of an array"),
        ("let x = [0u8; N];", 14, "`#[func] const N: usize = 8;`"),
        ("let mut x = [0f64; 10000]; x[a.len()] = 1.0;", 8, "80000 bytes"),
        ("let (i, j) = tid2(); a[tid()] = i as f32;", 23, "one of `tid`"),
        ("let g = G;", 8, "`let g: f32 = G;`"),
        ("let x: [!; 2] = a[0];", 8, "no type of a value"),
        ("let g = SETTINGS.gravity;", 8, "`let gravity: f32 = SETTINGS.gravity;`"),
        ("let o: Option<f32> = LIMIT;", 21, "a constant for each part"),
        ("let p: [(f32, u32); 2] = PAIRS;", 25, "a constant for each part"),
        ("let m: Mat3 = -TURN;", 15, "`let turn: f32 = TURN;`"),
        ("let v: Vec3 = UP * SCALE;", 14, "`let up: f32 = UP;`"),
        ("eprintln!(\"x\");", 0, "`println!`"),
        ("let r = if a.len() > 1 { &mut a[0] } else { &mut a[1] }; *r = 1.0;", 25, "no references in values"),
        ("println!(\"{}\", Some(1));", 15, "print its parts"),
        ("println!(\"{:*>w$}\", 1);", 9, "are numbers"),
        ("let v = [1, 2, 3]; let t = matches!(v, [1, _rest @ ..]);", 43, "name the elements"),
    ];
    for (body, column, words) in cases {
        let (kind, found, message) = first(body);
        assert!(message.contains(words), "{body}: {message}");
        assert_eq!(kind, ErrorKind::Refused, "{body}: {message}");
        assert_eq!(found, column, "{body}: {message}");
    }
}

#[test]
fn halves_compute_in_f32() {
    for method in ["sin()", "recip()", "lerp(f16::from_f32(1.0), 0.5)"] {
        let (name, _) = method.split_once('(').unwrap();
        let (kind, _, message) = first(&format!("let h = f16::from_f32(a[0]).{method};"));
        assert!(message.contains(&format!("`x.to_f32().{name}(..)`")), "{message}");
        assert_eq!(kind, ErrorKind::Deferred);
    }
}

#[test]
fn what_rustc_says_better_waits_for_it() {
    for body in ["a[0] = true;", "a[0] = 1;", "a[0].nonsense();", "a[1u32] = 1.0;", "let x = a[0] + 1;", "missing(3);"]
    {
        assert_eq!(first(body).0, ErrorKind::Deferred, "{body}");
    }
}

#[test]
fn all_errors_of_a_phase_come_at_once() {
    let errors = Source::new("fn k() { let v = vec![1]; let s = \"a\"; let x: String = s; }").errors();
    assert_eq!(errors.len(), 3);
}

#[test]
fn functions_give_values() {
    let text = "fn k(a: &mut [f32]) -> &mut f32 { &mut a[0] }";
    assert!(Source::new(text).errors()[0].message.contains("give values, not references"));
}

#[test]
fn nesting_is_bounded() {
    let (open, close) = ("if a[0] > 1.0 { a[0] += 1.0; ".repeat(120), "}".repeat(120));
    let text = format!("fn k(a: &mut [f32]) {{ {open} {close} }}");
    assert!(Source::new(&text).errors()[0].message.contains("move a part into a `#[func]`"));
}

#[test]
fn iterators_of_users_take_no_adaptors() {
    let count = "#[derive(Struct)] struct Count { at: u32, end: u32 }
        impl Count { fn next(&mut self) -> Option<u32> { None } }";
    for adaptor in ["enumerate()", "take(3)", "skip(1)", "step_by(2)", "zip(0..3)", "take(3).rev()"] {
        let text = format!(
            "{count} fn k(a: &mut [f32]) {{ for x in (Count {{ at: 0, end: 4 }}).{adaptor} {{ a[0] += 1.0; }} }}"
        );
        let errors = Source::new(&text).errors();
        assert!(errors[0].message.contains("call `next` in a `while let`"), "{adaptor}: {}", errors[0].message);
        assert_eq!(errors[0].kind, ErrorKind::Refused);
    }
}
