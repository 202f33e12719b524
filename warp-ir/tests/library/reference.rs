//! The pages of `docs/library/`: what the texts say, and all that they should say.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use warp_ir::library::reference::{Kind, conditions, examples, pages, paragraphs, shown};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/library")
}

#[test]
fn the_pages_are_up_to_date() {
    let pages: BTreeMap<String, String> = pages().into_iter().collect();
    let files = || -> BTreeMap<String, String> {
        let entries = std::fs::read_dir(folder()).into_iter().flatten().map(|entry| entry.expect("an entry"));
        entries
            .map(|e| (e.file_name().to_string_lossy().into_owned(), std::fs::read_to_string(e.path()).expect("text")))
            .collect()
    };
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(folder()).expect("docs can be written");
        for name in files().keys().filter(|name| !pages.contains_key(*name)) {
            std::fs::remove_file(folder().join(name)).expect("docs can be written");
        }
        pages.iter().for_each(|(name, text)| std::fs::write(folder().join(name), text).expect("docs can be written"));
    }
    let found = files();
    for (name, text) in &pages {
        let there = found.get(name).map_or("", String::as_str);
        let first = there.lines().zip(text.lines()).position(|(a, b)| a != b);
        assert!(there == text, "docs/library/{name} differs from the texts at line {first:?}; BLESS=1 renews it");
    }
    let gone: Vec<&String> = found.keys().filter(|name| !pages.contains_key(*name)).collect();
    assert!(gone.is_empty(), "docs/library has pages of nothing: {gone:?}; BLESS=1 renews it");
}

#[test]
fn every_function_says_what_it_is_and_has_an_example() {
    let mut missing = vec![];
    for shown in shown().iter() {
        let (title, doc) = (shown.title(), &shown.entry.doc);
        // glam's own structs are described at the head of their file.
        let glams = matches!(shown.entry.kind, Kind::Type | Kind::Field) && !shown.source.ours;
        let called = matches!(shown.entry.kind, Kind::Function | Kind::Operator);
        let meaning = paragraphs(doc).next().filter(|first| !first.is_empty() && !first.starts_with("Example:"));
        if meaning.is_none() && !glams {
            missing.push(format!("{title} has no documentation"));
        }
        match conditions(doc) {
            Ok(list) if list.is_empty() && called => {
                missing.push(format!("{title} has no example: add a paragraph \"Example: `call` is `value`.\""));
            }
            Err(words) => missing.push(format!("{title}: {words}")),
            Ok(_) => {}
        }
    }
    assert!(missing.is_empty(), "\n{}\n", missing.join("\n"));
}

/// What a text declares is on a page, in the index and among the examples: nobody has to list it.
#[test]
fn what_a_text_declares_appears_everywhere() {
    let (pages, examples) = (pages(), examples());
    let index = &pages.iter().find(|(name, _)| name == "README.md").expect("an index").1;
    let functions: Vec<_> = shown().into_iter().filter(|shown| shown.entry.kind == Kind::Function).collect();
    let mut sections = 0;
    for (name, text) in pages.iter().filter(|(name, _)| name != "README.md") {
        let here = text.matches("\nDerivative: ").count();
        assert!(here > 0 && text.matches("\nExample:").count() >= here, "{name}");
        sections += here;
    }
    assert_eq!(sections, functions.len());
    for shown in &functions {
        let title = shown.title();
        assert!(index.contains(&format!("[`{title}`](")), "the index lacks {title}");
        let entry = &shown.entry;
        let of = entry.owner.iter().chain([&entry.name]).cloned().collect::<Vec<_>>().join("::");
        // The same example may stand at several functions; then it counts for the first.
        let own = conditions(&entry.doc).expect("in a known form");
        assert!(examples.iter().any(|example| example.of == of || own.contains(&example.condition)), "{title}");
    }
    // A public function of a text is one that is shown.
    for source in warp_ir::library::sources() {
        let declared = source.text.matches("pub fn ").count();
        let lengths = if source.name == "mat_ours" { 3 } else { 1 };
        let found = functions.iter().filter(|shown| std::ptr::eq(shown.source, source)).count();
        assert_eq!(found, declared * lengths, "{}", source.name);
    }
}

#[test]
fn types_that_share_a_function_are_named() {
    let shown = shown();
    let of = |title: &str| shown.iter().find(|shown| shown.title() == title).expect("shown").types.join(" ");
    assert_eq!(of("Vec3::dot"), "Vec3 DVec3 IVec3 UVec3");
    assert_eq!(of("IVec2::wrapping_add"), "IVec2 UVec2");
    assert_eq!(of("Mat4::lu"), "Mat4 DMat4");
    assert_eq!(of("Triangle::normal"), "Triangle DTriangle");
    assert_eq!(of("f32::lerp"), "f32 f64");
    assert_eq!(of("i32::clamp"), "i32 i8 i16 i64 isize u8 u16 u32 u64 usize");
}
