//! The name of a generic struct is one to the macros, by a glob import, and to rustc an alias that takes other arguments.
mod a {
    use warp::prelude::*;

    #[derive(Clone, Copy, Struct)]
    #[repr(C)]
    pub struct Two<A, B> {
        pub a: A,
        pub b: B,
    }

    #[derive(Clone, Copy, Struct)]
    #[repr(C)]
    pub struct Pair<T> {
        pub a: T,
        pub b: T,
    }

    #[derive(Clone, Copy, Struct)]
    #[repr(C)]
    pub struct Other<T> {
        pub a: T,
        pub b: T,
    }
}

mod swapped {
    use super::a::*;
    use warp::prelude::*;

    // Under a condition, so that the source alone does not settle what the name means.
    #[cfg(all())]
    type Two<B, A> = super::a::Two<A, B>;

    #[kernel]
    fn in_a_signature(values: &mut [Two<f32, f64>]) {
        values[tid()].a = 1.0;
    }
}

mod another {
    use super::a::*;
    use warp::prelude::*;

    type Pair<T> = super::a::Other<T>;

    #[func]
    fn made(x: f32) -> f32 {
        let pair: Pair<f32> = Pair { a: x, b: x };
        pair.a
    }
}

mod fixed {
    use super::a::*;
    use warp::prelude::*;

    type Pair = super::a::Pair<f32>;

    #[func]
    fn made(x: f32) -> f32 {
        let pair = Pair { a: x, b: x };
        pair.a
    }
}

fn main() {}
