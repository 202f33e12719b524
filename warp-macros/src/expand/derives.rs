//! The derives in one list with ours, read in the source file: rustc does not hand them over.
//!
//! A derive is given its item with the lists below its own, and never its own list. Where that list stands rustc does
//! say, and the list of a derive that runs is in force, behind `cfg_attr` too. What cannot be read for certain (a list
//! that a macro makes of fragments) counts as no derive: then kernels ask for it, and never compare otherwise than Rust.

use proc_macro2::Span;
use syn::{Attribute, Ident, parse_quote};

/// The comparisons of the list that `place`, the name of the running derive, stands in; as a list below it would be.
pub(super) fn of_own_list(place: Span) -> Option<Attribute> {
    let text = std::fs::read_to_string(place.local_file()?).ok()?;
    let start = place.start();
    let offset = offset(&text, start.line, start.column)?;
    let comparisons = list_around(&text, offset)?
        .into_iter()
        .filter(|name| ["PartialEq", "PartialOrd"].contains(&name.as_str()))
        .map(|name| Ident::new(&name, place));
    Some(parse_quote!(#[derive(#(#comparisons),*)]))
}

/// Lines count from 1, columns in characters from 0.
fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    // rustc does not count the mark that some editors put at the start of a file.
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let before: usize = text[mark..].split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let (inside, _) = text[mark + before..].char_indices().nth(column)?;
    Some(mark + before + inside)
}

/// The last words of the paths in the `derive(..)` around a place.
fn list_around(text: &str, offset: usize) -> Option<Vec<String>> {
    let open = text[..offset].rfind('(')?;
    let close = offset + text[offset..].find(')')?;
    let head = text[..open].trim_end().strip_suffix("derive")?;
    let line = head.rsplit('\n').next()?;
    if line.contains("//") || line.contains("/*") {
        return None;
    }
    let list = without_comments(&text[open + 1..close]);
    let paths = list.split(',').filter(|path| !path.trim().is_empty());
    Some(paths.map(|path| path.rsplit("::").next().unwrap_or(path).trim().to_string()).collect())
}

fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        kept.push_str(&rest[..at]);
        let (end, mark) = if rest[at..].starts_with("//") { ("\n", 1) } else { ("*/", 2) };
        rest = rest[at + 2..].find(end).map_or("", |len| &rest[at + 2 + len + mark..]);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list around the word `Struct`.
    fn list(text: &str) -> Option<Vec<String>> {
        list_around(text, text.rfind("Struct").unwrap())
    }

    #[test]
    fn names_of_the_own_list_are_read() {
        let names = |text| list(text).unwrap().join(" ");
        assert_eq!(names("#[derive(Clone, PartialEq, Struct)] s"), "Clone PartialEq Struct");
        assert_eq!(names("#[derive(PartialEq)] #[derive(Debug, warp::Struct,)]"), "Debug Struct");
        assert_eq!(names("#[cfg_attr(all(), derive (Struct, std::cmp::PartialOrd))]"), "Struct PartialOrd");
        assert_eq!(
            names("#[derive(\n    Clone, // not PartialEq, yet\n    PartialOrd, /* PartialEq, */ Struct)]"),
            "Clone PartialOrd Struct"
        );
    }

    #[test]
    fn what_is_no_plain_list_is_not_read() {
        for text in
            ["Struct", "m!(PartialEq, Struct);", "#[derive(Clone, $($name,)* Struct)]", "// derive(PartialEq,\nStruct)"]
        {
            assert_eq!(list(text), None, "{text}");
        }
    }

    #[test]
    fn places_are_lines_and_characters() {
        let text = "\u{feff}/* é */ one\r\n\n/* ∂ */ two";
        assert_eq!(offset(text, 1, 8).map(|at| &text[at..at + 3]), Some("one"));
        assert_eq!(offset(text, 3, 8).map(|at| &text[at..at + 3]), Some("two"));
        assert_eq!(offset(text, 3, 80), None);
        assert_eq!(offset(text, 9, 0), None);
    }
}
