//! Holds the house rules that no compiler knows: sizes, leftovers, words that do not belong here.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file with more lines is two files.
const LINES: usize = 800;

/// What a finished file does not hold. The words are cut, so that this file does not hold them.
const LEFTOVERS: [&str; 5] = [
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("dbg", "!("),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
];

/// Places of somebody's machine, and marks of unresolved merges.
const STRANGE: [&str; 9] = [
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("/tm", "p/"),
    concat!("C:", "\\"),
    concat!("sha", "red/"),
    concat!("<<<<", "<<< "),
    concat!(">>>>", ">>> "),
];

/// Files of text: what people write, and what is generated and committed.
const TEXT: [&str; 10] = ["rs", "md", "toml", "sh", "py", "stderr", "stdout", "txt", "json", "run"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !matches!(name.as_str(), ".git" | "target" | "out") {
                walk(&path, files);
            }
        } else if name == "run" || path.extension().is_some_and(|e| TEXT.iter().any(|t| e == *t)) {
            files.push(path);
        }
    }
}

/// All files of text with their names from the root and their content.
fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    walk(root(), &mut files);
    files.sort();
    assert!(files.len() > 20, "the walk found only {} files", files.len());
    let name = |path: &Path| path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/");
    files.iter().map(|path| (name(path), fs::read_to_string(path).expect("a file of UTF-8 text"))).collect()
}

/// Each line of each file that `is_wrong` says something about.
fn complaints(is_wrong: impl Fn(&str, &str) -> Option<String>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, content) in files() {
        for (k, line) in content.lines().enumerate() {
            found.extend(is_wrong(&name, line).map(|what| format!("{name}:{}: {what}", k + 1)));
        }
    }
    found
}

fn none(found: Vec<String>) {
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn nothing_is_left_over() {
    none(complaints(|name, line| {
        let word = LEFTOVERS.iter().find(|word| name.ends_with(".rs") && line.contains(**word))?;
        Some(format!("holds {word}"))
    }));
}

#[test]
fn nobodys_machine_is_named() {
    none(complaints(|_, line| STRANGE.iter().find(|word| line.contains(**word)).map(|word| format!("holds {word}"))));
}

#[test]
fn files_are_short() {
    let long = files().into_iter().filter(|(name, content)| name.ends_with(".rs") && content.lines().count() > LINES);
    none(long.map(|(name, content)| format!("{name} has {} lines", content.lines().count())).collect());
}

#[test]
fn lines_end_cleanly() {
    // What a compiler printed is kept as it came.
    let printed = |name: &str| name.ends_with(".stderr") || name.ends_with(".stdout");
    none(complaints(|name, line| {
        (!printed(name) && line.ends_with([' ', '\t', '\r'])).then(|| "ends with a blank".to_owned())
    }));
    let open = files().into_iter().filter(|(_, content)| !content.is_empty() && !content.ends_with('\n'));
    none(open.map(|(name, _)| format!("{name} does not end with a newline")).collect());
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut broken = Vec::new();
    for (name, content) in files().into_iter().filter(|(name, _)| name.ends_with(".md")) {
        for link in content.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            let outside = target.is_empty() || target.contains("://");
            let folder = root().join(&name);
            if !outside && !folder.parent().unwrap_or(root()).join(target).exists() {
                broken.push(format!("{name} links to {target}, which is not there"));
            }
        }
    }
    none(broken);
}

#[test]
fn variables_of_the_environment_are_told() {
    let page = fs::read_to_string(root().join("docs/environment.md")).expect("docs/environment.md");
    // What only tests read is none of a user's business.
    let library = |name: &str| {
        let folders = ["src/", "warp-core/src/", "warp-cpu/src/", "warp-cuda/src/", "warp-ir/src/", "warp-macros/src/"];
        folders.iter().any(|folder| name.starts_with(folder)) && !name.contains("/tests") && !name.contains("/random/")
    };
    let (mut read, mut missing) = (0, vec![]);
    for (name, content) in files().into_iter().filter(|(name, _)| library(name)) {
        let is_name = |text: &&str| text.bytes().all(|byte| byte == b'_' || byte.is_ascii_uppercase());
        for variable in content.split('"').filter(|text| text.starts_with(concat!("WA", "RP_"))).filter(is_name) {
            read += 1;
            if !page.contains(&format!("`{variable}`")) && !page.contains(&format!("`{variable}=")) {
                missing.push(format!("{name} reads {variable}, which docs/environment.md lacks"));
            }
        }
    }
    assert!(read >= 7, "only {read} variables were found");
    none(missing);
}

#[test]
fn continuous_integration_runs_what_the_readme_says() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let run = fs::read_to_string(root().join(".ci/run")).expect(".ci/run");
    let mut blocks = readme.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands: Vec<&str> = blocks.next().expect("a block of commands").lines().collect();
    assert_eq!(commands, ["cargo run --release --example particles", "cargo test --workspace"]);
    for command in commands {
        assert!(run.lines().any(|line| line.starts_with(command)), "{command}");
    }
}

#[test]
fn the_readmes_programs_are_tested() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let tested = fs::read_to_string(root().join("tests/readme.rs")).expect("tests/readme.rs");
    let blocks = readme.split("```rust\n").skip(3).filter_map(|rest| rest.split("```").next());
    let pieces: Vec<&str> = blocks.flat_map(|block| block.trim_end().split("\n\n")).collect();
    assert!(pieces.len() > 5);
    none(
        pieces
            .into_iter()
            .filter(|piece| !tested.contains(*piece))
            .map(|piece| format!("untested:\n{piece}"))
            .collect(),
    );
}

#[test]
fn the_readmes_kernel_is_an_example() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let example = fs::read_to_string(root().join("examples/hello_kernel.rs")).expect("the example");
    let kernel = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a kernel");
    assert!(kernel.lines().count() <= 16, "the kernel has {} lines", kernel.lines().count());
    assert!(example.contains(kernel.trim()), "examples/hello_kernel.rs lacks the README's text:\n{kernel}");
}
