//! Names of the prelude that are other items here: defined here, or imported from another place.
mod others {
    pub fn tid() -> usize {
        7
    }

    pub fn atomic_add(x: &mut u32, y: u32) -> u32 {
        *x += y + 1;
        *x
    }

    pub fn vec3(x: f32, y: f32, z: f32) -> warp::Vec3 {
        warp::Vec3::new(z, y, x)
    }

    pub trait Float: Copy + std::ops::Add<Output = Self> {}

    impl Float for f32 {}
}

mod defined_here {
    use warp::prelude::*;

    fn atomic_add(x: &mut u32, y: u32) -> u32 {
        *x += y + 1;
        *x
    }

    fn vec3(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3::new(z, y, x)
    }

    #[kernel]
    fn a_sum(out: &mut [u32]) {
        atomic_add(&mut out[0], 1);
    }

    #[kernel]
    fn a_vector(out: &mut [Vec3]) {
        out[tid()] = vec3(1.0, 2.0, 3.0);
    }
}

mod imported_by_name {
    use super::others::{Float, atomic_add, tid, vec3};
    use warp::prelude::*;

    #[kernel]
    fn an_index(out: &mut [u32]) {
        out[tid()] = 1;
    }

    #[kernel]
    fn a_sum(out: &mut [u32]) {
        atomic_add(&mut out[0], 1);
    }

    #[func]
    fn a_vector(x: f32) -> Vec3 {
        vec3(x, 2.0, 3.0)
    }

    #[func]
    fn a_bound<T: Float>(x: T) -> T {
        x + x
    }
}

mod imported_with_all {
    use super::others::*;
    use warp::func;
    use warp::kernel;

    #[kernel]
    fn an_index(out: &mut [u32]) {
        out[tid()] = 1;
    }

    #[kernel]
    fn a_sum(out: &mut [u32]) {
        atomic_add(&mut out[0], 1);
    }

    #[func]
    fn a_bound<T: Float>(x: T) -> T {
        x + x
    }
}

mod imported_twice {
    use super::others::*;
    use warp::prelude::*;

    #[kernel]
    fn an_index(out: &mut [u32]) {
        out[tid()] = 1;
    }

    #[func]
    fn a_vector(x: f32) -> Vec3 {
        vec3(x, 2.0, 3.0)
    }
}

fn main() {}
