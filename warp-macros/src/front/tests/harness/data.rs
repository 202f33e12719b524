//! What kernels in tests get and leave: scalars by their bits.

use warp_ir::evaluate::{Array, Layout};
use warp_ir::ir::{Access, ArrayParam, Scalar, Storage};

/// A scalar of the host.
pub trait Bits: Copy {
    fn bits(self) -> u64;
    fn of(bits: u64) -> Self;
}

macro_rules! ints {
    ($($t:ident $unsigned:ident),*) => {$(
        impl Bits for $t {
            fn bits(self) -> u64 { self as $unsigned as u64 }
            fn of(bits: u64) -> Self { bits as $t }
        }
    )*};
}

ints!(i8 u8, i16 u16, i32 u32, i64 u64, u8 u8, u16 u16, u32 u32, u64 u64, usize u64);

impl Bits for f32 {
    fn bits(self) -> u64 {
        self.to_bits() as u64
    }
    fn of(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
    fn of(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}

impl Bits for bool {
    fn bits(self) -> u64 {
        self as u64
    }
    fn of(bits: u64) -> bool {
        bits != 0
    }
}

/// The scalars of an array, leaf by leaf, element by element; with extents for views.
#[derive(Clone, Debug)]
pub struct Data {
    leaves: Vec<u64>,
    extents: Option<Vec<u64>>,
}

pub fn arr<T: Bits>(values: &[T]) -> Data {
    Data { leaves: values.iter().map(|v| v.bits()).collect(), extents: None }
}

pub fn view<T: Bits>(extents: &[u64], values: &[T]) -> Data {
    Data { extents: Some(extents.into()), ..arr(values) }
}

fn float_bits(scalar: Scalar, number: f64) -> u64 {
    match scalar {
        Scalar::F32 => u64::from((number as f32).to_bits()),
        Scalar::F64 => number.to_bits(),
        _ => 0,
    }
}

/// The floats of an array, element by element; zero for what is none.
pub fn floats(param: &ArrayParam, array: &Array) -> Vec<f64> {
    let count: u64 = array.extents.iter().product();
    let places = (0..count).flat_map(|i| (0..param.leaves.len()).map(move |leaf| (i, leaf)));
    places
        .map(|(i, leaf)| {
            let bits = array.get(param, i, leaf as u16).expect("in range");
            number(param.leaves[leaf], bits)
        })
        .collect()
}

/// A float of these bits; zero for what is none.
pub fn number(scalar: Scalar, bits: u64) -> f64 {
    match scalar {
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        Scalar::F64 => f64::from_bits(bits),
        _ => 0.0,
    }
}

/// One for every float of an array that the kernel writes, else zero.
pub fn ones(param: &ArrayParam, data: &Data) -> Data {
    let one = if param.access == Access::Write { 1.0 } else { 0.0 };
    let leaves = param.leaves.iter().cycle().take(data.leaves.len());
    Data { leaves: leaves.map(|&leaf| float_bits(leaf, one)).collect(), extents: data.extents.clone() }
}

pub fn fill(param: &ArrayParam, data: &Data) -> Array {
    let leaves = param.leaves.len();
    let count = data.leaves.len() / leaves.max(1);
    let mut offsets = vec![];
    let mut size: usize = 0;
    for leaf in &param.leaves {
        size = size.next_multiple_of(leaf.size());
        offsets.push(size);
        size += leaf.size();
    }
    let size = size.next_multiple_of(8);
    let extents = data.extents.clone().unwrap_or_else(|| vec![count as u64]);
    let strides = match param.strided {
        true => (0..extents.len()).map(|d| extents[d + 1..].iter().product()).collect(),
        false => vec![],
    };
    let buffers = match param.storage {
        Storage::Elements => vec![vec![0; size * count]],
        Storage::Planes => param.leaves.iter().map(|s| vec![0; s.size() * count]).collect(),
    };
    let mut array = Array { buffers, start: 0, extents, strides, layout: Layout { size, offsets } };
    for (k, &bits) in data.leaves.iter().enumerate() {
        array.set(param, (k / leaves) as u64, (k % leaves) as u16, bits).expect("in range");
    }
    array
}

/// An array by the bits of its scalars.
pub fn raw(leaves: Vec<u64>) -> Data {
    Data { leaves, extents: None }
}
