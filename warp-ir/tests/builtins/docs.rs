//! The reference page is what the rows say.

use std::collections::BTreeSet;
use std::path::Path;

use warp_ir::builtins::{Builtin, page};
use warp_ir::library::reference::{conditions, row_examples};

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/builtins.md");
    let page = page();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).expect("docs/builtins.md can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let first = found.lines().zip(page.lines()).position(|(a, b)| a != b);
    assert!(found == page, "docs/builtins.md differs from the rows at line {first:?}; BLESS=1 renews it");
}

#[test]
fn every_row_has_an_example() {
    let doc = |builtin: Builtin| builtin.row().doc.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let without: Vec<String> = Builtin::ALL
        .iter()
        .filter_map(|&builtin| match conditions(&doc(builtin)) {
            Ok(list) if list.is_empty() => {
                Some(format!("{builtin:?}: add a paragraph \"Example: `call` is `value`.\""))
            }
            Ok(_) => None,
            Err(words) => Some(format!("{builtin:?}: {words}")),
        })
        .collect();
    assert!(without.is_empty(), "\n{}\n", without.join("\n"));
}

/// One row is one name that is found, one section of the page and one documented example or more, which tests run on the
/// host and in kernels. `tests/functions.rs` of the facade counts the functions of the host.
#[test]
fn a_row_appears_everywhere() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/builtins");
    let files = std::fs::read_dir(folder).expect("the rows").map(|entry| entry.expect("a file").path());
    let texts = files.filter(|path| path.is_file()).map(|path| std::fs::read_to_string(path).expect("text"));
    let is_row = |line: &str| {
        let head = line.strip_prefix("    ").and_then(|line| line.split_once(" = "));
        head.is_some_and(|(name, rest)| {
            let camel = name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphanumeric);
            camel && rest.starts_with(char::is_lowercase) && rest.contains('(') && rest.ends_with('{')
        })
    };
    let rows: usize = texts.map(|text| text.lines().filter(|line| is_row(line)).count()).sum();
    let found = Builtin::ALL.iter().filter(|&&b| Builtin::from_name(b.name()) == Some(b)).count();
    let sections = page().matches("\n### `").count();
    let documented: BTreeSet<String> = row_examples().into_iter().map(|example| example.of).collect();
    assert_eq!([rows, found, sections, documented.len()], [Builtin::ALL.len(); 4]);
}

#[test]
fn the_page_has_every_builtin() {
    let page = page();
    for &builtin in Builtin::ALL {
        assert!(page.contains(&format!("\n### `{}`\n", builtin.name())), "{builtin:?}");
    }
}
