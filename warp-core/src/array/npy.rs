//! NumPy's `.npy` files.
//!
//! Vectors and matrices are trailing axes there: an array of `n` `Vec3` is a file of shape `(n, 3)`. Matrices lie column
//! by column, as glam stores them.

use std::path::Path;

use warp_ir::ir::Scalar;

use super::Array;
use super::copy::bytes_of;
use super::dims::volume;
use crate::device::Device;
use crate::element::{Element, Validity};
use crate::error::Error;

const MAGIC: &[u8] = b"\x93NUMPY";

impl<T: Element, const R: usize> Array<T, R> {
    /// Reads a `.npy` file. Types and number of dimensions must be those of the array: nothing is converted.
    pub fn load_npy(device: &Device, path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let wrong = |reason: String| Error::File { path: path.into(), reason };
        let bytes = std::fs::read(path).map_err(|e| wrong(e.to_string()))?;
        let (extents, values) = parse::<T, R>(&bytes).map_err(wrong)?;
        Self::from_shaped(device, extents, &values)
    }

    /// Writes a `.npy` file.
    pub fn save_npy(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let wrong = |reason: String| Error::File { path: path.into(), reason };
        let (scalar, parts) = uniform::<T>().map_err(wrong)?;
        let values = self.to_vec()?;
        let mut shape: Vec<String> = self.extents.iter().map(usize::to_string).collect();
        shape.extend((parts > 1).then(|| parts.to_string()));
        let comma = if shape.len() == 1 { "," } else { "" };
        let descr = descr(scalar).ok_or_else(|| wrong(format!("NumPy has no type for {}", scalar.name())))?;
        let mut header =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}{comma}), }}", shape.join(", "));
        // The data starts at a multiple of 64 bytes, and the header ends in a line end.
        let padding = (MAGIC.len() + 4 + header.len() + 1).next_multiple_of(64) - (MAGIC.len() + 4 + header.len() + 1);
        header.push_str(&" ".repeat(padding));
        header.push('\n');
        let mut file = Vec::with_capacity(128 + size_of_val(&values[..]));
        file.extend_from_slice(MAGIC);
        file.extend_from_slice(&[1, 0]);
        file.extend_from_slice(&(header.len() as u16).to_le_bytes());
        file.extend_from_slice(header.as_bytes());
        file.extend_from_slice(&bytes_of(&values));
        std::fs::write(path, file).map_err(|e| wrong(e.to_string()))
    }
}

/// NumPy's name of a type, little endian.
fn descr(scalar: Scalar) -> Option<&'static str> {
    use Scalar::*;
    Some(match scalar {
        Bool => "|b1",
        I8 => "|i1",
        I16 => "<i2",
        I32 => "<i4",
        I64 => "<i8",
        U8 => "|u1",
        U16 => "<u2",
        U32 => "<u4",
        U64 => "<u8",
        F16 => "<f2",
        F32 => "<f4",
        F64 => "<f8",
        BF16 => return None,
    })
}

/// The one scalar type of an element, and how many it has.
fn uniform<T: Element>() -> Result<(Scalar, usize), String> {
    let (_, scalars) = T::LAYOUT.flatten();
    let first = scalars.first().copied().filter(|&first| {
        let valid = T::VALIDITY == Validity::Any || first == Scalar::Bool;
        valid && scalars.iter().all(|&s| s == first) && !T::LAYOUT.has_padding()
    });
    if let Some(first) = first {
        return Ok((first, scalars.len()));
    }
    Err(format!("`{}` is not a scalar, vector or matrix, and .npy files hold only those", std::any::type_name::<T>()))
}

fn parse<T: Element, const R: usize>(bytes: &[u8]) -> Result<([usize; R], Vec<T>), String> {
    let (scalar, parts) = uniform::<T>()?;
    let (header, data) = split(bytes)?;
    let found = text_of(header, "'descr':").ok_or("its header has no 'descr'")?;
    let expected = descr(scalar).ok_or_else(|| format!("NumPy has no type for {}", scalar.name()))?;
    if found.trim_start_matches('=') != expected.trim_start_matches(['<', '|']) && found != expected {
        return Err(format!("it holds elements of type '{found}', and the array has '{expected}' ({})", scalar.name()));
    }
    match header.split_once("'fortran_order':").map(|(_, rest)| rest.trim_start()) {
        Some(rest) if rest.starts_with("False") => {}
        Some(_) => return Err("it is in column-major order; save it with `numpy.ascontiguousarray`".into()),
        None => return Err("its header has no 'fortran_order'".into()),
    }
    let shape = shape_of(header)?;
    let (own, trailing) = shape.split_at(R.min(shape.len()));
    let per_element = volume(trailing).ok_or("its shape is too large")?;
    let extents: [usize; R] = match own.try_into() {
        Ok(extents) if per_element == parts && (trailing.is_empty() || parts > 1) => extents,
        _ => {
            let wanted = if parts > 1 { format!("{R} and a last one of {parts}") } else { R.to_string() };
            return Err(format!("it has shape {shape:?}, and the array has {wanted} dimensions"));
        }
    };
    let n = volume(&extents).ok_or("its shape is too large")?;
    let size = n.checked_mul(size_of::<T>()).ok_or("its shape is too large")?;
    let data = data
        .get(..size)
        .ok_or_else(|| format!("it ends early: {size} bytes of data expected, {} found", data.len()))?;
    if scalar == Scalar::Bool && data.iter().any(|b| *b > 1) {
        return Err("it holds a truth value that is neither 0 nor 1".into());
    }
    let mut values: Vec<T> = Vec::with_capacity(n);
    // SAFETY: the data has `n` elements without padding, and its bits are values of `T`: any are, or those of `bool`s,
    // which were checked. Little endian is the machine's order, as asserted below.
    unsafe {
        std::ptr::copy_nonoverlapping(data.as_ptr(), values.as_mut_ptr().cast::<u8>(), size);
        values.set_len(n);
    }
    Ok((extents, values))
}

const _: () = assert!(cfg!(target_endian = "little"), "kernels need a little-endian machine");

fn split(bytes: &[u8]) -> Result<(&str, &[u8]), String> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("it is not a .npy file")?;
    let short = "it ends inside its header";
    let (&major, rest) = rest.split_first().ok_or(short)?;
    let rest = rest.get(1..).ok_or(short)?;
    let wide = if major == 1 { 2 } else { 4 };
    let length = rest.get(..wide).ok_or(short)?;
    let length = length.iter().rev().fold(0usize, |n, b| n << 8 | *b as usize);
    let header = rest.get(wide..).and_then(|r| r.get(..length)).ok_or(short)?;
    let header = std::str::from_utf8(header).map_err(|_| "its header is not text")?;
    Ok((header, &rest[wide + length..]))
}

/// What stands in quotes after a key.
fn text_of<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let after = header.split_once(key)?.1.trim_start();
    after.strip_prefix('\'')?.split_once('\'').map(|(text, _)| text)
}

fn shape_of(header: &str) -> Result<Vec<usize>, String> {
    let inside = header.split_once("'shape':").and_then(|(_, rest)| rest.split_once('('));
    let (inside, _) = inside.and_then(|(_, rest)| rest.split_once(')')).ok_or("its header has no 'shape'")?;
    let parts = inside.split(',').map(str::trim).filter(|n| !n.is_empty());
    parts.map(|n| n.parse().map_err(|_| format!("its shape has the part `{n}`"))).collect()
}
