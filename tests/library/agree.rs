//! Runs a kernel by launch and as plain Rust, and compares what both wrote: bit for bit, NaN as a class.

use warp::prelude::*;

/// The bits of a value, all NaNs alike.
pub(crate) trait Bits {
    fn bits(&self) -> Vec<u64>;
}

macro_rules! integers {
    ($($type:ty),+) => {$(
        impl Bits for $type {
            fn bits(&self) -> Vec<u64> {
                vec![*self as u64]
            }
        }
    )+};
}
integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

macro_rules! floats {
    ($($type:ty),+) => {$(
        impl Bits for $type {
            fn bits(&self) -> Vec<u64> {
                vec![if self.is_nan() { u64::MAX } else { self.to_bits().into() }]
            }
        }
    )+};
}
floats!(f32, f64);

macro_rules! composites {
    ($($type:ident $array:ident),+ $(,)?) => {$(
        impl Bits for $type {
            fn bits(&self) -> Vec<u64> {
                self.$array().iter().flat_map(Bits::bits).collect()
            }
        }
    )+};
}
composites! {
    Vec2 to_array, Vec3 to_array, Vec4 to_array, Quat to_array, DVec2 to_array, DVec3 to_array, DVec4 to_array, DQuat to_array, IVec3 to_array,
    UVec3 to_array, Mat3 to_cols_array, DMat2 to_cols_array, DMat3 to_cols_array, DMat4 to_cols_array,
}

impl Bits for warp::math::Mat4x2 {
    fn bits(&self) -> Vec<u64> {
        self.m.as_flattened().iter().flat_map(Bits::bits).collect()
    }
}

/// Launches `kernel` on every device with read-only inputs, and output arrays of `zero` with `count` places a thread.
macro_rules! agree {
    ($kernel:ident, $($input:ident),+; $($out:ident: $zero:expr, $count:expr),+) => {{
        use warp::prelude::*;
        let threads = [$($input.len()),+][0];
        $(let mut $out = vec![$zero; threads * $count];)+
        $kernel::plain(threads, $(&$input),+, $(&mut $out),+).expect("the plain run has no fault");
        let expected = [$($out.iter().flat_map($crate::agree::Bits::bits).collect::<Vec<u64>>()),+];
        warp_test_devices::on_every_device(|| {
            let device = warp_test_devices::device();
            $(let $input = Array::from_slice(&device, &$input).expect("memory");)+
            $(let mut $out = Array::from_slice(&device, &vec![$zero; threads * $count]).expect("memory");)+
            // Interpreting all of them takes long.
            let launched = if device.host_memory() { threads } else { threads.min(100) };
            $kernel::launch(launched, $(&$input),+, $(&mut $out),+).expect("the launch has no fault");
            let counts = [$($count),+];
            let found = [$($out.to_vec().expect("no fault").iter().flat_map($crate::agree::Bits::bits).collect::<Vec<u64>>()),+];
            for (array, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let words = found.len() / (threads * counts[array]);
                let written = launched * counts[array] * words;
                if let Some(at) = found[..written].iter().zip(expected).position(|(f, e)| f != e) {
                    let (thread, place) = (at / words / counts[array], at / words % counts[array]);
                    panic!(
                        "thread {thread}, array {array}, place {place}: {:#x}, expected {:#x}",
                        found[at], expected[at]
                    );
                }
            }
        });
    }};
}
pub(crate) use agree;

/// A small generator, so that samples are the same on every run.
pub(crate) struct Samples(pub(crate) u64);

impl Samples {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ (mixed >> 29)
    }

    /// Mostly ordinary, now and then something that breaks things.
    pub(crate) fn float(&mut self) -> f64 {
        const SPECIAL: [f64; 10] = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-30];
        match self.word() % 64 {
            k @ 0..10 => SPECIAL[k as usize],
            10..24 => (self.word() % 9) as f64 - 4.0,
            _ => (self.word() >> 11) as f64 / (1u64 << 50) as f64 - 4.0,
        }
    }

    /// Between -4 and 4, now and then a whole number.
    pub(crate) fn small(&mut self) -> f64 {
        match self.word() % 8 {
            0 => (self.word() % 9) as f64 - 4.0,
            _ => (self.word() >> 11) as f64 / (1u64 << 50) as f64 - 4.0,
        }
    }

    /// Small, or near the ends of 64 bits, or anything.
    pub(crate) fn integer(&mut self) -> u64 {
        let word = self.word();
        match word % 8 {
            0 => i64::MIN as u64,
            1 => u64::MAX >> (word >> 8 & 63),
            2..6 => (word >> 8) % 9,
            6 => 0u64.wrapping_sub((word >> 8) % 9),
            _ => word >> 3,
        }
    }
}
