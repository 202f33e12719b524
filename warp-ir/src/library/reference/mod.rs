//! The reference of the library: the pages in `docs/library/`, and the examples that tests run.
//!
//! All of it is read from the texts. A function that is added to a text, or a file to the list of sources, appears by
//! itself.

mod entry;
mod example;

pub use entry::{Entry, Kind, entries};
pub use example::{Example, conditions, paragraphs};

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{OWN_TYPES, Source, Text, is_own, matrix_shape, replaced, sources, texts, type_names};
use crate::builtins::Builtin;

/// An entry where a page has it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The entry, of the type that the file is written for.
    pub entry: Entry,
    /// The file that it stands in.
    pub source: &'static Source,
    /// All types that have it, that of the entry first.
    pub types: Vec<String>,
}

impl Shown {
    /// `Vec3::dot`, `vec3`, `f32::clamp`.
    pub fn title(&self) -> String {
        match (self.entry.kind, self.types.first()) {
            (Kind::Function | Kind::Constant, Some(of)) => format!("{of}::{}", self.entry.name),
            _ => self.entry.name.clone(),
        }
    }
}

/// All entries of the library, each once: of the type that its file is written for.
///
/// A file with letters for lengths is shown with its letters (`MatRxC`); what it gives glam's types, `VecN` and `MatN`,
/// is shown for each length.
pub fn shown() -> Vec<Shown> {
    let mut found: Vec<Shown> = vec![];
    for source in sources() {
        let instances: Vec<&Text> = texts().iter().filter(|text| std::ptr::eq(text.source, source)).collect();
        let lengths = |entry: &Entry| entry.owner.as_deref().is_some_and(|owner| ["VecN", "MatN"].contains(&owner));
        for entry in entries(source.text) {
            if !lengths(&entry) {
                let types = types(&entry, source, &instances);
                found.push(Shown { entry, source, types });
            }
        }
        for instance in instances.iter().filter(|text| text.owners.iter().all(|owner| !owner.starts_with('D'))) {
            for (raw, entry) in entries(source.text).into_iter().zip(entries(instance.text())) {
                if lengths(&raw) {
                    let owner = entry.owner.clone().unwrap_or_default();
                    let types = vec![owner.clone(), format!("D{owner}")];
                    found.push(Shown { entry, source, types });
                }
            }
        }
    }
    found
}

/// The types that have an entry: its owner in each instance of the file; for methods of primitives the receiver's.
fn types(entry: &Entry, source: &Source, instances: &[&Text]) -> Vec<String> {
    let primitive = instances.iter().any(|text| text.is_primitive());
    let named = match (&entry.owner, entry.kind) {
        (Some(owner), _) => owner.clone(),
        (None, Kind::Function) if !primitive => return vec![],
        (None, Kind::Function) => {
            let receiver = entry.declaration.split_once("x: ").map_or("", |(_, rest)| rest);
            receiver.split([',', ')']).next().unwrap_or_default().to_string()
        }
        (None, _) => entry.name.clone(),
    };
    if source.name.starts_with("matrix") {
        return vec![named];
    }
    let mut types = vec![named.clone()];
    for instance in instances {
        let of = replaced(&named, &instance.words);
        if !types.contains(&of) {
            types.push(of);
        }
    }
    types
}

/// The examples of the library, in all types that have them.
///
/// In a file with letters for lengths, an example with letters is one of each length, and one without is of one type.
/// Those of each length are in single precision for matrices that are not square: double is the same text.
pub fn examples() -> Vec<Example> {
    let mut found: Vec<Example> = vec![];
    let mut seen = std::collections::HashSet::new();
    for text in texts() {
        let becomes = |from: &str| text.words.iter().find(|(word, _)| *word == from).map(|(_, to)| to.as_str());
        let whole = becomes("f32").is_some_and(|to| !to.starts_with('f'));
        let lengths = becomes("N").is_some();
        let letters: Vec<_> = text.words.iter().filter(|(word, _)| *word != "f32").cloned().collect();
        let is_one_of_many = text
            .owners
            .iter()
            .any(|owner| owner.starts_with('D') && matrix_shape(owner).is_some_and(|(rows, columns)| rows != columns));
        for (raw, entry) in entries(text.source.text).into_iter().zip(entries(text.text())) {
            let of = entry.owner.iter().chain([&entry.name]).cloned().collect::<Vec<_>>().join("::");
            // A form that nobody knows is what the test of the pages reports.
            let written = [raw, entry].map(|entry| conditions(&entry.doc).unwrap_or_default());
            for (raw, condition) in written[0].iter().zip(&written[1]) {
                let with_letters = replaced(raw, &letters) != *raw;
                if lengths && with_letters && is_one_of_many {
                    continue;
                }
                let condition = if lengths && !with_letters { raw } else { condition };
                let condition = if whole { example::of_integers(condition) } else { condition.clone() };
                if seen.insert(condition.clone()) {
                    found.push(Example { of: of.clone(), condition });
                }
            }
        }
    }
    found
}

/// The examples of the rows.
pub fn row_examples() -> Vec<Example> {
    let examples = |builtin: &Builtin| {
        let row = builtin.row();
        let doc = row.doc.lines().map(str::trim).collect::<Vec<_>>().join("\n");
        let all = conditions(&doc).unwrap_or_default();
        all.into_iter().map(|condition| Example { of: row.name.into(), condition }).collect::<Vec<_>>()
    };
    Builtin::ALL.iter().flat_map(examples).collect()
}

/// The pages: file names below `docs/library/`, and texts.
pub fn pages() -> Vec<(String, String)> {
    let mut pages: BTreeMap<&str, Vec<Shown>> = BTreeMap::new();
    for shown in shown() {
        pages.entry(page_of(&shown)).or_default().push(shown);
    }
    let order = |name: &&str| sources().iter().position(|source| source.name == *name);
    let mut names: Vec<&str> = pages.keys().copied().collect();
    names.sort_by_key(order);
    let mut texts: Vec<(String, String)> = names.iter().map(|name| (file_of(name), page(name, &pages[name]))).collect();
    texts.push(("README.md".into(), index(&names, &pages)));
    texts
}

fn file_of(page: &str) -> String {
    format!("{}.md", page.replace('_', "-"))
}

/// The file whose page an entry stands on: that of its type's declaration, else its own.
fn page_of(shown: &Shown) -> &'static str {
    let Some(of) = shown.entry.owner.as_deref().or((shown.entry.kind == Kind::Type).then_some(&*shown.entry.name))
    else {
        let constructed = type_names().into_iter().any(|name| name.to_lowercase() == shown.entry.name);
        return if constructed { declaring(&capital(&shown.entry.name)) } else { None }.unwrap_or(shown.source.name);
    };
    let letters = of.starts_with("MatRxC") || of.starts_with("MatNxN") || matrix_shape(of).is_some();
    let found = if letters { declaring("MatRxC") } else { declaring(of) };
    found.or_else(|| declaring(of.trim_start_matches(['D', 'I', 'U']))).unwrap_or(shown.source.name)
}

fn capital(name: &str) -> String {
    match name.strip_prefix('b') {
        Some(rest) => format!("B{}{}", rest[..1].to_uppercase(), &rest[1..]),
        None => format!("{}{}", name[..1].to_uppercase(), &name[1..]),
    }
}

/// The file that declares a type.
fn declaring(name: &str) -> Option<&'static str> {
    let declaration = format!("pub struct {name} {{");
    sources().iter().find(|source| source.text.contains(&declaration)).map(|source| source.name)
}

const NOTE: &str = "This page is made from the texts in `warp-ir/src/library/`; do not edit it.\n\
                    `BLESS=1 cargo test -p warp-ir --test library reference` renews it.\n";

fn page(name: &str, entries: &[Shown]) -> String {
    let mut page = format!("# {}\n\n{NOTE}", title(name));
    // What is general in a file stands at its head.
    let mut heads: Vec<&str> = vec![];
    for shown in entries {
        let head = shown.source.text;
        // One that declares types is about them, and stands on their page.
        let elsewhere = head.contains("\npub struct ") && shown.source.name != name;
        if !elsewhere && !heads.contains(&head) {
            heads.push(head);
            let about = about(shown.source).skip(1).map(|line| format!("{line}\n")).collect::<String>();
            page.push_str(&about);
        }
    }
    let operators: Vec<&Shown> = entries.iter().filter(|shown| shown.entry.kind == Kind::Operator).collect();
    for shown in entries.iter().filter(|shown| has_section(shown)) {
        section(&mut page, shown, entries);
    }
    if !operators.is_empty() {
        page.push_str("\n## Operators\n\n");
        for Shown { entry, .. } in operators {
            let about: Vec<String> = paragraphs(&entry.doc).map(|paragraph| linkless(&paragraph)).collect();
            let line = format!("* `{} -> {}`: {}", entry.name, entry.declaration, about.join(" "));
            let _ = writeln!(page, "{}", folded(&line).replace('\n', "\n  ").trim_end());
        }
    }
    page
}

/// glam describes its own types; fields stand with their type, and operators at the end.
fn has_section(shown: &Shown) -> bool {
    match shown.entry.kind {
        Kind::Function | Kind::Constant => true,
        Kind::Type => shown.source.ours,
        Kind::Field | Kind::Operator => false,
    }
}

/// The comment at the head of a file.
fn about(source: &Source) -> impl Iterator<Item = &'static str> {
    let lines = source.text.lines().take_while(|line| line.starts_with("//") && !line.starts_with("///"));
    lines.map(|line| line.trim_start_matches("//").trim_start())
}

fn title(page: &str) -> String {
    let source = sources().iter().find(|source| source.name == page);
    let first = source.and_then(|source| about(source).next()).unwrap_or(page);
    first.split([';', ':', '.']).next().unwrap_or(first).trim().into()
}

fn section(page: &mut String, shown: &Shown, all: &[Shown]) {
    let entry = &shown.entry;
    let _ = write!(page, "\n## `{}`\n\n```\n{}\n```\n", shown.title(), entry.declaration);
    for paragraph in paragraphs(&entry.doc).filter(|paragraph| !paragraph.is_empty()) {
        let _ = write!(page, "\n{}", folded(&linkless(&paragraph)));
    }
    if entry.kind == Kind::Type {
        page.push('\n');
        let own = |field: &&Shown| field.entry.kind == Kind::Field && field.entry.owner.as_ref() == Some(&entry.name);
        for Shown { entry: field, .. } in all.iter().filter(own) {
            let about = paragraphs(&field.doc).next().unwrap_or_default();
            page.push_str(&folded(&format!("* `{}`: {}", field.declaration, linkless(&about))));
        }
    }
    if let [_, others @ ..] = &shown.types[..]
        && !others.is_empty()
    {
        let others: Vec<String> = others.iter().map(|of| format!("`{of}`")).collect();
        let _ = write!(page, "\n{}", folded(&format!("Also for {}.", others.join(", "))));
    }
    if entry.kind == Kind::Function {
        let _ = write!(page, "\n{}\n", derivative(entry));
    }
}

/// Links to other functions, which rustdoc resolves, as plain code.
fn linkless(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("[`") {
        let Some(end) = rest[start..].find("`]").map(|end| start + end) else { break };
        let after = &rest[end + 2..];
        let after =
            if after.starts_with('(') { after.split_once(')').map_or(after, |(_, after)| after) } else { after };
        out.push_str(&rest[..start]);
        out.push_str(&rest[start + 1..=end]);
        rest = after;
    }
    out + rest
}

/// A paragraph in lines that fit, without a break inside of code.
pub(crate) fn folded(paragraph: &str) -> String {
    let (mut lines, mut line, mut word, mut code) = (String::new(), String::new(), String::new(), false);
    for c in paragraph.chars().chain([' ']) {
        code ^= c == '`';
        if c != ' ' || code {
            word.push(c);
            continue;
        }
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 120 {
            let _ = writeln!(lines, "{}", std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&std::mem::take(&mut word));
    }
    lines + &line + "\n"
}

/// How a function is differentiated, by its types.
fn derivative(entry: &Entry) -> &'static str {
    let (inputs, result) = entry.declaration.split_once(") -> ").unwrap_or((&entry.declaration, ""));
    let owner = entry.owner.as_deref().filter(|_| inputs.contains("self")).unwrap_or_default();
    match (carries_float(result), carries_float(inputs) || carries_float(owner)) {
        (false, _) => "Derivative: none, as the result holds no floats.",
        (true, false) => "Derivative: none, as no operand holds floats.",
        (true, true) => "Derivative: through its body.",
    }
}

/// Whether a type that is named in a text holds floats.
fn carries_float(text: &str) -> bool {
    let mut names = text.split(|c: char| !c.is_alphanumeric()).filter(|name| name.starts_with(char::is_alphabetic));
    names.any(|name| {
        let single = name.strip_prefix('D').unwrap_or(name);
        let of_own = OWN_TYPES.iter().find(|(own, _)| *own == single);
        match of_own {
            Some((_, fields)) => fields.iter().any(|(_, ty)| carries_float(ty)),
            None => {
                let glams = !["I", "U", "B"].iter().any(|prefix| single.starts_with(prefix));
                let known = type_names().iter().any(|known| known == name) || is_own(name);
                ["f32", "f64", "MatRxC", "MatCxR", "MatNxN"].contains(&name) || known && glams
            }
        }
    })
}

fn index(names: &[&str], pages: &BTreeMap<&str, Vec<Shown>>) -> String {
    let mut page = String::from(INDEX);
    page.push_str("\n## [Operations and functions of scalars](../builtins.md)\n\n");
    let rows: Vec<String> = Builtin::ALL.iter().map(|b| link(b.name(), "../builtins.md")).collect();
    page.push_str(&folded(&rows.join(", ")));
    for name in names {
        let file = file_of(name);
        let _ = write!(page, "\n## [{}]({file})\n\n", title(name));
        let links: Vec<String> =
            pages[name].iter().filter(|shown| has_section(shown)).map(|shown| link(&shown.title(), &file)).collect();
        page.push_str(&folded(&links.join(", ")));
    }
    page
}

fn link(name: &str, file: &str) -> String {
    let anchor: String = name.to_lowercase().chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    format!("[`{name}`]({file}#{anchor})")
}

const INDEX: &str = "\
# Functions

All functions that kernels know, besides those of their own program. Each page is made from the source of what it
describes; `BLESS=1 cargo test -p warp-ir` renews them all.

* **Operations and functions of scalars** are rows of a table: each has its derivative as a rule, and the accuracy is
  stated with it.
* **Library functions** are plain Rust in the kernel language. They are differentiated through their bodies: by the rules
  of the operations in the branch that was taken. What is special at kinks and singular points stands with the function:
  where nothing stands, the value is what the formula gives, and the derivative there is that of the branch taken. They
  round at every operation, as the same lines do in Rust; what glam has is computed in glam's order. Where glam takes
  something by reference, write the `&` in a kernel too: rustc reads the same line.
* **Orders of Euler angles** are glam's `EulerRot`, imported from `warp::math`: constants, and also parameters of kernels,
  fields, and elements of arrays.
* **Swizzles**: `v.xz()`, `v.zyx()` and all others of two to four components, on vectors of two to four.
* Angles are in radians, right-handed about their axis. Vectors are columns: `m * v`. Quaternions have their real part
  last. Lengths, masses and times are in whatever units you choose, where no unit is named.
* Examples are run by tests: on the host and in kernels, and in every type that has the function. \"About\" means within
  1e-5.
";
