//! A picture of the cloth: shaded triangles, seen from above and in front.

use warp::prelude::*;
use warp_examples_support::color::heat;
use warp_examples_support::picture::Picture;

const WIDTH: usize = 640;
const HEIGHT: usize = 640;
/// How steeply the eye looks down, as sine and cosine.
const DOWN: (f32, f32) = (0.5, 0.866);

/// Draws the cloth of `n * n` particles.
pub fn picture(places: &[[f32; 3]], n: usize) -> Picture {
    let corners = project(places);
    let mut canvas = Canvas { depth: vec![f32::INFINITY; WIDTH * HEIGHT], light: vec![None; WIDTH * HEIGHT] };
    for i in 1..n {
        for j in 1..n {
            let at = |di: usize, dj: usize| (i - di) * n + (j - dj);
            for triangle in [[at(1, 1), at(1, 0), at(0, 0)], [at(1, 1), at(0, 0), at(0, 1)]] {
                let light = shade(triangle.map(|k| Vec3::from_array(places[k])));
                canvas.triangle(triangle.map(|k| corners[k]), light);
            }
        }
    }
    Picture::from_fn(WIDTH, HEIGHT, |x, y| canvas.light[y * WIDTH + x].map_or([18, 20, 28], heat))
}

/// Column, row and depth of each place; all fit into the picture.
fn project(places: &[[f32; 3]]) -> Vec<Vec3> {
    let turned: Vec<Vec3> =
        places.iter().map(|[x, y, z]| Vec3::new(*x, -DOWN.1 * y + DOWN.0 * z, -DOWN.0 * y - DOWN.1 * z)).collect();
    let low = turned.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = turned.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let size = (high - low).truncate().max_element().max(1e-6);
    let scale = 0.9 * (WIDTH.min(HEIGHT) as f32) / size;
    let middle = (low + high) / 2.0;
    let centre = Vec3::new(WIDTH as f32 / 2.0, HEIGHT as f32 / 2.0, 0.0);
    turned.iter().map(|p| (*p - middle) * scale + centre).collect()
}

/// Light on a triangle from above and the side, the same on both faces.
fn shade([a, b, c]: [Vec3; 3]) -> f32 {
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let light = Vec3::new(0.55, 0.6, 0.58);
    0.25 + 0.65 * normal.dot(light).abs()
}

struct Canvas {
    depth: Vec<f32>,
    light: Vec<Option<f32>>,
}

impl Canvas {
    /// Fills the pixels whose centres lie in the triangle, where nothing nearer is.
    fn triangle(&mut self, [a, b, c]: [Vec3; 3], light: f32) {
        let area = (b - a).truncate().perp_dot((c - a).truncate());
        if area == 0.0 {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        for y in low.y.max(0.0) as usize..=(high.y.max(0.0) as usize).min(HEIGHT - 1) {
            for x in low.x.max(0.0) as usize..=(high.x.max(0.0) as usize).min(WIDTH - 1) {
                let p = Vec3::new(x as f32 + 0.5, y as f32 + 0.5, 0.0);
                let part = |from: Vec3, to: Vec3| (to - from).truncate().perp_dot((p - from).truncate()) / area;
                let [wa, wb, wc] = [part(b, c), part(c, a), part(a, b)];
                let depth = wa * a.z + wb * b.z + wc * c.z;
                let at = y * WIDTH + x;
                if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 && depth < self.depth[at] {
                    self.depth[at] = depth;
                    self.light[at] = Some(light);
                }
            }
        }
    }
}
