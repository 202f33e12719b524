use warp::prelude::*;

const DOWN: Vec3 = Vec3::Z;

#[kernel]
fn k(out: &mut [Vec3]) {
    let i = tid();
    let down = DOWN;
    out[i].x = down.y;
}

fn main() {}
