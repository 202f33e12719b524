//! Names of the language that mean something else here.
mod vectors {
    use warp::prelude::*;

    #[derive(Clone, Copy)]
    struct Vec3 {
        x: f32,
    }

    impl Vec3 {
        const X: Vec3 = Vec3 { x: 1.0 };
    }

    #[func]
    fn a_vector(v: Vec3) -> f32 {
        v.x
    }

    #[kernel]
    fn a_vector_in_the_body(out: &mut [f32]) {
        let v = Vec3::X;
        out[tid()] = v.x;
    }
}

mod numbers {
    use warp::prelude::*;

    #[allow(non_camel_case_types)]
    type f32 = f64;

    #[kernel]
    fn a_number(out: &mut [f32]) {
        out[tid()] = 1.0;
    }
}

mod options {
    use warp::prelude::*;

    #[allow(dead_code)]
    struct Option<T>(T);

    #[func]
    fn an_option(_x: Option<u32>) -> u32 {
        1
    }
}

mod functions {
    use warp::prelude::*;

    fn tid() -> usize {
        7
    }

    #[kernel]
    fn a_builtin(out: &mut [f32]) {
        out[tid()] = 1.0;
    }
}

mod traits {
    use warp::func;

    trait Float: Copy + std::ops::Add<Output = Self> {}

    impl Float for f32 {}

    #[func]
    fn a_bound<T: Float>(x: T) -> T {
        x + x
    }
}

fn main() {}
