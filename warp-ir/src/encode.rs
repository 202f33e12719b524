//! Functions and kernels as bytes (for the binary) and as ASCII (for literals that macros hand to each other).
//!
//! Bytes are a format version, a kind and postcard's form of the data. ASCII is those bytes, six bits a character, in an
//! alphabet without quotes, backslashes or control characters, so that a string literal's text is its value. Decoding
//! always ends in the validator.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ir::{Function, Kernel};
use crate::validate::{Invalid, Valid, limits};

/// Version of the encoded form. To be raised by every change of the IR's data or of what an op means.
pub const FORMAT: u16 = 9;

/// What can be encoded.
pub trait Encode: Sized {
    /// The encoded form.
    fn to_bytes(valid: &Valid<Self>) -> Vec<u8>;

    /// The inverse of [`to_bytes`](Encode::to_bytes); hostile bytes give an error.
    fn from_bytes(bytes: &[u8]) -> Result<Valid<Self>, DecodeError>;

    /// The encoded form in ASCII.
    fn to_ascii(valid: &Valid<Self>) -> String {
        ascii(&Self::to_bytes(valid))
    }

    /// The inverse of [`to_ascii`](Encode::to_ascii); hostile text gives an error.
    fn from_ascii(text: &str) -> Result<Valid<Self>, DecodeError> {
        Self::from_bytes(&from_ascii(text)?)
    }
}

impl Encode for Kernel {
    fn to_bytes(valid: &Valid<Kernel>) -> Vec<u8> {
        to_bytes(KERNEL, &**valid)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Valid<Kernel>, DecodeError> {
        Ok(Valid::<Kernel>::new(decode(KERNEL, bytes)?)?)
    }
}

impl Encode for Function {
    fn to_bytes(valid: &Valid<Function>) -> Vec<u8> {
        to_bytes(FUNCTION, &**valid)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Valid<Function>, DecodeError> {
        Ok(Valid::<Function>::new(decode(FUNCTION, bytes)?)?)
    }
}

const KERNEL: u8 = b'K';
const FUNCTION: u8 = b'F';

/// Why encoded IR could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// The text holds a character outside the alphabet, or bits are left over.
    Ascii {
        /// Position of the character.
        at: usize,
    },
    /// Another version of this crate wrote it.
    Format {
        /// The version found.
        found: u16,
    },
    /// A function where a kernel was expected, or the other way round, or something else.
    Kind,
    /// Bytes missing, left over, or without meaning.
    Damaged(String),
    /// Readable, but not valid IR.
    Invalid(Box<Invalid>),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::Ascii { at } => write!(f, "encoded IR is damaged at character {at}"),
            DecodeError::Format { found } => write!(
                f,
                "encoded IR has format {found}, and this build reads format {FORMAT}: \
                 all crates with kernels must be built with the same version"
            ),
            DecodeError::Kind => f.write_str("encoded IR is of another kind than expected"),
            DecodeError::Damaged(what) => write!(f, "encoded IR is damaged: {what}"),
            DecodeError::Invalid(invalid) => invalid.fmt(f),
        }
    }
}

impl std::error::Error for DecodeError {}

impl From<Invalid> for DecodeError {
    fn from(invalid: Invalid) -> Self {
        DecodeError::Invalid(Box::new(invalid))
    }
}

pub(crate) fn to_bytes<T: Serialize>(kind: u8, data: &T) -> Vec<u8> {
    let mut bytes = FORMAT.to_le_bytes().to_vec();
    bytes.push(kind);
    // Serialization into a growing vector has no way to fail: there are no maps of unknown length in the data.
    postcard::to_extend(data, bytes).unwrap_or_default()
}

pub(crate) fn decode<T: DeserializeOwned>(kind: u8, bytes: &[u8]) -> Result<T, DecodeError> {
    let &[low, high, found, ref data @ ..] = bytes else {
        return Err(DecodeError::Damaged("it is too short".into()));
    };
    let format = u16::from_le_bytes([low, high]);
    if format != FORMAT {
        return Err(DecodeError::Format { found: format });
    }
    if found != kind {
        return Err(DecodeError::Kind);
    }
    if data.len() > limits::ENCODED_BYTES {
        return Err(DecodeError::Damaged(format!("{} bytes are more than the limit", data.len())));
    }
    let (value, rest) = postcard::take_from_bytes(data).map_err(|e| DecodeError::Damaged(e.to_string()))?;
    match rest.len() {
        0 => Ok(value),
        n => Err(DecodeError::Damaged(format!("{n} bytes are left over"))),
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Digit of each character, or 64.
const DIGITS: [u8; 128] = {
    let mut digits = [64; 128];
    let mut k = 0;
    while k < 64 {
        digits[ALPHABET[k] as usize] = k as u8;
        k += 1;
    }
    digits
};

/// Any bytes, six bits a character.
pub fn ascii(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for k in 0..=chunk.len() {
            text.push(char::from(ALPHABET[(bits >> (18 - 6 * k) & 63) as usize]));
        }
    }
    text
}

/// The inverse of [`ascii`].
pub fn from_ascii(text: &str) -> Result<Vec<u8>, DecodeError> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut held) = (0u32, 0);
    for (at, c) in text.bytes().enumerate() {
        let digit = *DIGITS.get(c as usize).filter(|d| **d < 64).ok_or(DecodeError::Ascii { at })?;
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    // A text has one form only: no digit stands for nothing, and the bits that are left over are zero.
    if held >= 6 || bits != 0 {
        return Err(DecodeError::Ascii { at: text.len() });
    }
    Ok(bytes)
}
