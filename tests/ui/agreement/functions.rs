//! A function's name is another item to rustc than to the macros.
mod a {
    use warp::Float;
    use warp::prelude::*;

    pub const FACTOR: f32 = 2.0;

    #[func]
    pub fn scale(x: f32) -> f32 {
        x * FACTOR
    }

    #[func]
    pub fn shift(x: f32) -> f32 {
        x + FACTOR
    }

    #[func]
    pub fn twice<T: Float>(x: T) -> T {
        x + x
    }
}

mod alias {
    use super::a::*;
    use warp::prelude::*;

    #[allow(non_camel_case_types)]
    type scale = u32;

    #[kernel]
    fn the_constants_would_be_missing(out: &mut [f32]) {
        out[tid()] = scale(1.0);
    }
}

mod shadow {
    use super::a::*;
    use warp::Float;
    use warp::prelude::*;

    // Under a condition, so that the source alone does not settle what the names mean.
    #[cfg(all())]
    fn shift(x: f32) -> f32 {
        x - 1.0
    }

    #[cfg(all())]
    fn twice<T: Float>(x: T) -> T {
        x
    }

    #[kernel]
    fn another_function_would_be_called(out: &mut [f32]) {
        out[tid()] = shift(1.0);
    }

    #[func]
    fn also_if_it_is_generic(x: f32) -> f32 {
        twice(x)
    }
}

fn main() {}
