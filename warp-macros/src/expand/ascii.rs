//! Data in a string literal: plain ASCII that needs no escape, which rustc's lexer and metadata handle cheapest.
//!
//! A byte below 91 is one character; the others are two, of which the first is one of two prefixes.

use serde::{Serialize, de::DeserializeOwned};

/// Raised with each change of what faces and bodies carry, so that two versions in one build answer with a sentence.
pub(crate) const FORMAT: u16 = 2;

/// The printable characters without the quote and the backslash; the last two are prefixes.
const DIGITS: &[u8; 93] =
    b" !#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
const SINGLES: usize = DIGITS.len() - 2;

/// The text of a value.
pub(crate) fn encode<T: Serialize>(value: &T) -> String {
    let bytes = postcard::to_allocvec(&(FORMAT, value)).expect("data of the IR has a form in bytes");
    let mut text = String::with_capacity(bytes.len() * 5 / 4);
    for byte in bytes.into_iter().map(usize::from) {
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
pub(crate) fn decode<T: DeserializeOwned>(text: &str) -> Result<T, &'static str> {
    let bytes = to_bytes(text).ok_or("this is not data that these macros wrote")?;
    let (format, rest) = postcard::take_from_bytes::<u16>(&bytes).map_err(|_| "data of an item is cut short")?;
    if format != FORMAT {
        return Err("two versions of the kernel macros meet in this build; use one version of the crate everywhere");
    }
    postcard::from_bytes(rest).map_err(|_| "data of an item is damaged")
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
    fn another_format_is_told() {
        let other = postcard::to_allocvec(&(FORMAT + 1, 5u8)).unwrap();
        let text: String = other.iter().map(|&byte| DIGITS[byte as usize] as char).collect();
        assert!(decode::<u8>(&text).unwrap_err().contains("two versions"));
    }
}
