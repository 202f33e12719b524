//! Names for people: of entries and registers.

/// Letters, digits and underscores of a name, so that it is one in PTX.
pub(super) fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.trim_start_matches("r#").chars().map(plain).collect();
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name,
        _ => format!("k{name}"),
    }
}

/// A short name for a register from an expression of the user's, if that is a name or a path of fields.
pub(super) fn of_expression(text: &str) -> Option<String> {
    let simple = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    let named = text.starts_with(|c: char| c.is_ascii_alphabetic());
    (simple && named && text.len() <= 24).then(|| identifier(text))
}

/// A comment from the user's source, on one line and not too long.
pub(super) fn comment(text: &str) -> Option<String> {
    const LONGEST: usize = 72;
    let line: String = text.chars().map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '~' }).collect();
    let line = line.trim();
    match line.len() {
        0 => None,
        1..=LONGEST => Some(format!(" // {line}")),
        _ => Some(format!(" // {} ..", &line[..LONGEST - 3])),
    }
}

/// Whether a text of the user's has a name in it.
pub(super) fn says(text: &str, name: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let alone = |at: usize| !text[..at].ends_with(inside) && !text[at + name.len()..].starts_with(inside);
    !name.is_empty() && text.match_indices(name).any(|(at, _)| alone(at))
}
