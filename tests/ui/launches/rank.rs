use warp::prelude::*;

#[kernel]
fn along(a: &[f32], b: &mut [f32]) {
    let i = tid();
    b[i] = a[i];
}

#[kernel]
fn across(a: View2<f32>, mut b: ViewMut3<f32>) {
    let (i, j) = tid2();
    b[(i, j, 0)] = a[(i, j)];
}

fn launch(line: &mut Array<f32>, grid: &mut Array<f32, 2>, cube: &mut Array<f32, 3>) -> Result<(), Error> {
    along::launch(3, grid, line)?;
    along::launch(3, line, cube)?;
    across::launch((3, 3), line, cube)?;
    across::launch((3, 3), grid, grid)?;
    along::launch((3, 3), line, line)?;
    across::launch(3, grid, cube)
}

#[kernel]
fn indexed(a: View2<f32>, b: &mut [f32]) {
    let i = tid();
    b[i] = a[i];
}

#[kernel]
fn indexed_deeper(a: View3<f32>, b: &mut [f32]) {
    let i = tid();
    b[i] = a[(i, i)] + a[(i, i, i)];
}

fn main() {}
