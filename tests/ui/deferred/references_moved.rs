use warp::prelude::*;

#[kernel]
fn larger(a: &mut [f32], b: &mut [f32]) {
    for (mut x, y) in a.iter_mut().zip(b.iter_mut()) {
        if *y > *x {
            x = y;
        }
        *x += tid() as f32;
    }
}

fn main() {}
