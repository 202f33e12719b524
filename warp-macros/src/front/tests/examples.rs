//! The examples of the reference as kernels: each is found by name, lowered and evaluated, and holds.

use warp_ir::library::reference::{Example, examples, row_examples};

use super::harness::{Source, arr};

/// Whether the condition holds in a kernel; else what a user would see.
fn holds(condition: &str) -> Result<(), String> {
    let run = || {
        let text = format!("fn k(y: &mut [u32]) {{ let holds: bool = {condition}; y[0] = holds as u32 + 1; }}");
        let report = Source::new(&text).run_with(&[1], &[arr(&[0u32])], &[], &[]);
        match (report.fault(), &report.get::<u32>(0)[..]) {
            (Some(fault), _) => Err(fault),
            (None, [2]) => Ok(()),
            (None, _) => Err("it does not hold".into()),
        }
    };
    std::panic::catch_unwind(run).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        Err(words.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default())
    })
}

fn all_hold(examples: Vec<Example>) {
    let failed: Vec<String> = examples
        .iter()
        .filter_map(|e| holds(&e.condition).err().map(|words| format!("{}: `{}`: {words}", e.of, e.condition)))
        .collect();
    assert!(failed.is_empty(), "{} of {}\n{}", failed.len(), examples.len(), failed.join("\n"));
}

#[test]
fn examples_of_the_library_hold_in_kernels() {
    all_hold(examples());
}

#[test]
fn examples_of_rows_hold_in_kernels() {
    all_hold(row_examples());
}

#[test]
fn a_wrong_example_is_found() {
    assert_eq!(holds("(2 + 3) == (6)"), Err("it does not hold".into()));
    assert!(holds("Vec3::new(1.0, 2.0, 3.0).no_such_method() == 1.0").is_err());
    assert_eq!(holds("i32::MIN / -1 == 1").map_err(|words| words.is_empty()), Err(false));
}
