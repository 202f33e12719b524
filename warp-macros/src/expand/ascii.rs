//! Data in a string literal: plain ASCII that needs no escape, which rustc's lexer and metadata handle cheapest.
//!
//! A byte below 91 is one character; the others are two, of which the first is one of two prefixes.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::{Serialize, de::DeserializeOwned};

/// Raised with each change of what faces and bodies carry, so that two versions in one build answer with a sentence.
pub(crate) const FORMAT: u16 = 2;

/// Why a text has no value: a sentence.
pub(crate) type Unread = Cow<'static, str>;

/// What each text begins with, in all versions alike: the format, and the version of these macros.
type Head = (u16, [u16; 3]);

static HEAD: LazyLock<Head> = LazyLock::new(|| {
    let parts = [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")];
    (FORMAT, parts.map(|part| part.parse().unwrap_or(0)))
});

/// The printable characters without the quote and the backslash; the last two are prefixes.
const DIGITS: &[u8; 93] =
    b" !#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
const SINGLES: usize = DIGITS.len() - 2;

/// The text of a value.
pub(crate) fn encode<T: Serialize>(value: &T) -> String {
    to_text(&postcard::to_allocvec(&(*HEAD, value)).expect("data of the IR has a form in bytes"))
}

fn to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 5 / 4);
    for byte in bytes.iter().copied().map(usize::from) {
        if byte < SINGLES {
            text.push(DIGITS[byte] as char);
        } else {
            let rest = byte - SINGLES;
            text.push(DIGITS[SINGLES + rest / DIGITS.len()] as char);
            text.push(DIGITS[rest % DIGITS.len()] as char);
        }
    }
    text
}

/// The value of a text; the sentence says why there is none.
pub(crate) fn decode<T: DeserializeOwned>(text: &str) -> Result<T, Unread> {
    let bytes = to_bytes(text).ok_or("this is not data that these macros wrote")?;
    let (head, rest) = postcard::take_from_bytes::<Head>(&bytes).map_err(|_| "data of an item is cut short")?;
    if head != *HEAD {
        let ((_, theirs), (_, ours)) = (head, *HEAD);
        return Err(format!(
            "this was made by version {} of the kernel macros, and version {} meets it here: let all crates of the program \
             use one version of the library (`cargo tree --duplicates` shows which do not)",
            theirs.map(|part| part.to_string()).join("."),
            ours.map(|part| part.to_string()).join(".")
        )
        .into());
    }
    postcard::from_bytes(rest).map_err(|_| "data of an item is damaged".into())
}

fn to_bytes(text: &str) -> Option<Vec<u8>> {
    const VALUES: [u8; 128] = values();
    let digit = |character: u8| match VALUES.get(character as usize) {
        Some(&value) if value != NONE => Some(value as usize),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len());
    let mut characters = text.bytes();
    while let Some(character) = characters.next() {
        let first = digit(character)?;
        let byte = if first < SINGLES {
            first
        } else {
            SINGLES + (first - SINGLES) * DIGITS.len() + digit(characters.next()?)?
        };
        bytes.push(u8::try_from(byte).ok()?);
    }
    Some(bytes)
}

const NONE: u8 = 255;

const fn values() -> [u8; 128] {
    let mut values = [NONE; 128];
    let mut at = 0;
    while at < DIGITS.len() {
        values[DIGITS[at] as usize] = at as u8;
        at += 1;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_come_back() {
        let all: Vec<u8> = (0..=255).collect();
        let text = encode(&all);
        assert!(text.bytes().all(|c| (b' '..=b'~').contains(&c) && c != b'"' && c != b'\\'));
        assert_eq!(decode::<Vec<u8>>(&text), Ok(all));
    }

    #[test]
    fn damage_is_told() {
        assert!(decode::<Vec<u8>>("\u{e9}").is_err());
        assert!(decode::<Vec<u8>>("").is_err());
        let text = encode(&"some words");
        assert!(decode::<String>(&text[..text.len() - 4]).is_err());
    }

    #[test]
    fn another_version_is_told_with_both_numbers() {
        let others: [Head; 2] = [(FORMAT, [9, 8, 7]), (FORMAT + 1, [9, 8, 7])];
        for other in others {
            let text = to_text(&postcard::to_allocvec(&(other, 5u8)).unwrap());
            let sentence = decode::<u8>(&text).unwrap_err();
            let own = concat!("version ", env!("CARGO_PKG_VERSION"), " meets it");
            assert!(sentence.contains("version 9.8.7 of") && sentence.contains(own), "{sentence}");
        }
    }
}
