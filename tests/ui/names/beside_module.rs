// A function brings a type of its name, and so does a module: rustc takes one of them. Rename the module.
use drag::drag;
use warp::prelude::*;

mod drag {
    use warp::prelude::*;

    #[func]
    pub fn drag(x: f32) -> f32 {
        x
    }
}

#[kernel]
fn k(a: &mut [f32]) {
    let i = tid();
    a[i] = drag(a[i]);
}

fn main() {}
