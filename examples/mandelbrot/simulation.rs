//! The kernels: one in the order of the pixels, one in any order.

use warp::prelude::*;

/// Turns until the point of a pixel leaves the circle of radius 2, `limit` at most. The picture has `n * n` pixels and
/// shows the square from -2 - 1.3 i to 0.6 + 1.3 i.
#[func]
pub fn turns(pixel: i32, n: i32, limit: i32) -> i32 {
    let width = (10 * n) as f32;
    let cx = (26 * (pixel % n) + 13 - 20 * n) as f32 / width;
    let cy = (26 * (pixel / n) + 13 * (1 - n)) as f32 / width;
    let mut x = 0.0;
    let mut y = 0.0;
    let mut k = 0;
    while k < limit {
        let x2 = x * x;
        let y2 = y * y;
        if x2 + y2 > 4.0 {
            break;
        }
        y = (x + x) * y + cy;
        x = (x2 - y2) + cx;
        k += 1;
    }
    k
}

/// Each thread counts the turns of one pixel.
#[kernel]
pub fn rows(counts: &mut [i32], n: i32, limit: i32) {
    let t = tid();
    counts[t] = turns(t as i32, n, limit);
}

/// Each thread counts the turns of the pixel that `order` gives it.
#[kernel]
pub fn ordered(order: &[i32], counts: &mut [i32], n: i32, limit: i32) {
    let pixel = order[tid()];
    counts[pixel as usize] = turns(pixel, n, limit);
}
