//! What a module is loaded from.

use std::borrow::Cow;
use std::ffi::c_void;

use crate::error::Error;

/// How ELF files start: cubins are such.
const ELF: &[u8] = b"\x7fELF";
/// How fatbins start.
const FATBIN: &[u8] = &[0x50, 0xed, 0x55, 0xba];

/// Machine code, or text with a zero behind it, as the driver wants it.
pub(super) struct Image<'a>(Cow<'a, [u8]>);

impl Image<'_> {
    pub(super) fn new(bytes: &[u8]) -> Result<Image<'_>, Error> {
        if bytes.starts_with(ELF) || bytes.starts_with(FATBIN) {
            return Ok(Image(Cow::Borrowed(bytes)));
        }
        match bytes.iter().position(|byte| *byte == 0) {
            // Some compilers put the zero there themselves.
            Some(end) if bytes[end..].iter().all(|byte| *byte == 0) => Ok(Image(Cow::Borrowed(bytes))),
            Some(at) => Err(Error::Refused(format!(
                "the code to load is neither machine code nor PTX: there is a zero in it at byte {at} of {}",
                bytes.len()
            ))),
            None => Ok(Image(Cow::Owned([bytes, b"\0"].concat()))),
        }
    }

    pub(super) fn start(&self) -> *const c_void {
        self.0.as_ptr().cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_ends_with_a_zero_and_machine_code_stays_as_it_is() {
        assert_eq!(*Image::new(b".version 7.0").unwrap().0, *b".version 7.0\0");
        assert_eq!(*Image::new(b".version 7.0\0").unwrap().0, *b".version 7.0\0");
        assert_eq!(*Image::new(b"\x7fELF\0\x01").unwrap().0, *b"\x7fELF\0\x01");
        let error = Image::new(b".version\x007.0").err().expect("a zero inside").to_string();
        assert!(error.contains("at byte 8 of 12"), "{error}");
    }
}
