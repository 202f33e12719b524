// A function of a library that was made by another version of the macros, as its hidden macro would hand it over.
use warp::prelude::*;

mod library {
    macro_rules! face_of_twice {
        ([{$($next:tt)*} $($more:tt)*] $($answers:tt)*) => {
            $($next)* ! { [$($more)*] $($answers)* { "#*)(" [] } }
        };
    }

    pub fn twice(x: f32) -> f32 {
        x * 2.0
    }

    #[allow(non_camel_case_types)]
    pub struct twice {}

    pub(crate) use face_of_twice as twice;
}

#[kernel]
fn k(a: &mut [f32]) {
    let i = tid();
    a[i] = library::twice(a[i]);
}

#[func]
fn caller(x: f32) -> f32 {
    library::twice(x)
}

#[kernel]
fn above(a: &mut [f32]) {
    let i = tid();
    a[i] = caller(a[i]);
}

fn main() {}
