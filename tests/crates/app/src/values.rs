//! Constants of every kind, and names that must not be mixed up.

use warp::prelude::*;

/// A trait with a constant.
pub trait Gain {
    /// The constant.
    const GAIN: f32;
}

/// Holds constants.
pub struct Config {
    /// A gain.
    pub gain: f32,
}

impl Config {
    /// An associated constant.
    pub const HALF: f32 = 0.5;
}

impl Gain for Config {
    const GAIN: f32 = 64.0;
}

/// A constant struct.
pub const CONFIG: Config = Config { gain: 16.0 };

/// An integer.
pub const COUNT: i32 = 4;

/// A vector.
pub const DOWN: Vec3 = Vec3::new(0.0, -10.0, 0.5);

/// Constants by paths of every kind.
pub mod inner {
    use warp::prelude::*;

    /// All of them in one expression.
    #[kernel]
    pub fn constants(out: &mut [f32]) {
        let i = tid();
        let down: Vec3 = super::DOWN;
        let half: f32 = super::Config::HALF;
        let gain: f32 = <super::Config as super::Gain>::GAIN;
        out[i] = super::CONFIG.gain + half + gain + super::COUNT as f32 + down.y + down.z;
    }
}

// The root of this crate has a `GAIN` too; so has this module, and it means its own.
const GAIN: f32 = 7.0;

/// Uses the module's own constant and function.
#[kernel]
pub fn own_names(out: &mut [f32]) {
    let i = tid();
    out[i] = gain(1.0) + GAIN;
}

#[func]
fn gain(x: f32) -> f32 {
    x * GAIN
}

/// Names that helper items of the macros could have.
#[kernel]
pub fn names(n: usize, dims: usize, launcher: f32, r#type: f32, out: &mut [f32]) {
    let i = tid();
    out[i] = n as f32 + dims as f32 + launcher + r#type;
}

/// Constants with names that helper items of the macros could have.
pub mod helper_names {
    use warp::prelude::*;

    const SLOTS: f32 = 1.0;
    const LATE: f32 = 2.0;
    const DEFINITION: f32 = 4.0;
    const E: f32 = 8.0;
    const N: f32 = 16.0;
    const NUMBER: u32 = 32;

    /// All of them.
    #[kernel]
    pub fn sum(out: &mut [f32]) {
        let i = tid();
        out[i] = SLOTS + LATE + DEFINITION + E + N + NUMBER as f32 + twice(N);
    }

    #[func]
    fn twice(x: f32) -> f32 {
        x * 2.0 + E
    }
}

/// Reads and writes the same array in one line.
#[kernel]
pub fn in_place(a: &mut [Vec3], sum: &mut [f32]) {
    let i = tid();
    let last = a.len() - 1;
    a[i] += a[last] * 0.5;
    atomic_add(&mut sum[0], sum[1]);
}

/// Several arrays and a value as one argument.
#[derive(Args)]
pub struct Mesh<'a> {
    /// The points.
    pub points: &'a [Vec3],
    /// The lengths, written.
    pub lengths: &'a mut [f32],
    /// A factor.
    pub factor: f32,
}

/// Takes a bundle apart.
#[kernel]
pub fn measure(mesh: Mesh, offset: f32) {
    let i = tid();
    mesh.lengths[i] = mesh.points[i].x * mesh.factor + offset;
}
