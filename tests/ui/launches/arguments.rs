use warp::prelude::*;

#[kernel]
fn k(a: &mut [f32], b: &[Vec3], dt: f32) {
    let i = tid();
    a[i] = b[i].x * dt;
}

fn launch(a: &mut Array<f32>, b: &Array<Vec3>) -> Result<(), Error> {
    k::launch(3, a, b)?;
    k::launch(3, a, a, 1.0)?;
    k::launch((3, 3), a, b, 1.0)?;
    k::launch(3, a, b, 1.0f64)
}

fn main() {}
