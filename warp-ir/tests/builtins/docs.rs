//! The reference page is what the rows say.

use std::path::Path;

use warp_ir::builtins::{Builtin, page};

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
fn the_page_has_every_builtin() {
    let page = page();
    for &builtin in Builtin::ALL {
        assert!(page.contains(&format!("\n### `{}`\n", builtin.name())), "{builtin:?}");
    }
}
