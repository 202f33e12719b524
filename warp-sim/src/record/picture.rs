//! Pictures, and what is drawn onto them.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use warp::math::DVec3;

use super::camera::Eye;
use super::tessellate::Face;
use crate::Error;

/// A finished picture: rows of pixels from above, each red, green and blue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Pixels to the right.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Pixels downwards.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The colour of a pixel, counted from the left and from above; none where there is none.
    pub fn pixel(&self, x: usize, y: usize) -> Option<[u8; 3]> {
        if x < self.width { self.pixels.get(y * self.width + x).copied() } else { None }
    }

    /// Writes it to a PNG file.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn save_png(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let wrong = |why: String| Error::Record { file: path.display().to_string(), why };
        let file = File::create(path).map_err(|error| wrong(error.to_string()))?;
        let mut encoder = png::Encoder::new(BufWriter::new(file), self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(|error| wrong(error.to_string()))?;
        writer.write_image_data(self.pixels.as_flattened()).map_err(|error| wrong(error.to_string()))?;
        writer.finish().map_err(|error| wrong(error.to_string()))
    }
}

/// Points a pixel has to each side: their mean is its colour.
const FINE: usize = 2;
/// Where light comes from, and how much of it there is everywhere.
const LIGHT: DVec3 = DVec3::new(0.35, -0.45, 0.82);
const AMBIENT: f64 = 0.38;
const SKY: [f64; 3] = [0.93, 0.95, 0.98];

/// What is drawn so far, in points.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    colors: Vec<[f32; 3]>,
    /// One over the distance along the view.
    nearness: Vec<f32>,
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Canvas {
        let (width, height) = (FINE * width, FINE * height);
        let sky = SKY.map(|part| part as f32);
        Canvas { width, height, colors: vec![sky; width * height], nearness: vec![0.0; width * height] }
    }

    /// Draws a triangle in a colour, lit.
    pub fn face(&mut self, eye: &Eye, face: &Face, color: [f64; 3]) {
        let shade = |normal: DVec3| {
            // Both sides are lit, since meshes of files are not always closed.
            let toward = normal.dot(LIGHT.normalize());
            AMBIENT + (1.0 - AMBIENT) * toward.max(-0.3 * toward)
        };
        let corners = [0, 1, 2].map(|k| Corner { at: eye.seen(face.points[k]), light: shade(face.normals[k]) });
        let polygon = clipped(&corners, eye.nearest());
        for k in 2..polygon.len() {
            self.triangle(eye, [polygon[0], polygon[k - 1], polygon[k]], color);
        }
    }

    /// Draws a thin line.
    pub fn line(&mut self, eye: &Eye, from: DVec3, to: DVec3, color: [f64; 3]) {
        let (a, b) = (eye.seen(from), eye.seen(to));
        if a.z < eye.nearest() || b.z < eye.nearest() {
            return;
        }
        let (p, q) = (eye.point(a, self.width, self.height), eye.point(b, self.width, self.height));
        let steps = (q.x - p.x).abs().max((q.y - p.y).abs()).min(1e4) as usize + 1;
        for k in 0..=steps {
            let t = k as f64 / steps as f64;
            let (x, y) = (p.x + t * (q.x - p.x), p.y + t * (q.y - p.y));
            let nearness = (1.0 - t) / a.z + t / b.z;
            for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
                self.dot(x + dx, y + dy, nearness, color);
            }
        }
    }

    fn dot(&mut self, x: f64, y: f64, nearness: f64, color: [f64; 3]) {
        if x < 0.0 || y < 0.0 || x >= self.width as f64 || y >= self.height as f64 {
            return;
        }
        let at = y as usize * self.width + x as usize;
        if nearness as f32 > self.nearness[at] {
            self.nearness[at] = nearness as f32;
            self.colors[at] = color.map(|part| part as f32);
        }
    }

    fn triangle(&mut self, eye: &Eye, corners: [Corner; 3], color: [f64; 3]) {
        let [a, b, c] = corners.map(|corner| eye.point(corner.at, self.width, self.height));
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let bound = |low: f64, most: usize| low.clamp(0.0, most as f64) as usize;
        let columns = bound(a.x.min(b.x).min(c.x).floor(), self.width)..bound(a.x.max(b.x).max(c.x).ceil(), self.width);
        let rows = bound(a.y.min(b.y).min(c.y).floor(), self.height)..bound(a.y.max(b.y).max(c.y).ceil(), self.height);
        for y in rows {
            for x in columns.clone() {
                let (px, py) = (x as f64 + 0.5, y as f64 + 0.5);
                let u = ((b.x - px) * (c.y - py) - (b.y - py) * (c.x - px)) / area;
                let v = ((c.x - px) * (a.y - py) - (c.y - py) * (a.x - px)) / area;
                let w = 1.0 - u - v;
                if u < 0.0 || v < 0.0 || w < 0.0 {
                    continue;
                }
                let parts = [u / corners[0].at.z, v / corners[1].at.z, w / corners[2].at.z];
                let nearness: f64 = parts.iter().sum();
                let light: f64 = parts.iter().zip(&corners).map(|(part, corner)| part * corner.light).sum();
                self.dot(px, py, nearness, color.map(|part| part * light / nearness));
            }
        }
    }

    pub fn finish(self) -> Picture {
        let (width, height) = (self.width / FINE, self.height / FINE);
        let mean = |x: usize, y: usize| {
            let mut sum = [0.0f32; 3];
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let color = self.colors[(FINE * y + dy) * self.width + FINE * x + dx];
                sum.iter_mut().zip(color).for_each(|(sum, part)| *sum += part);
            }
            // Half of the light is far more than half as bright to the eye.
            sum.map(|part| ((part / (FINE * FINE) as f32).clamp(0.0, 1.0).powf(0.8) * 255.0).round() as u8)
        };
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| mean(x, y)).collect();
        Picture { width, height, pixels }
    }
}

/// A corner as the eye sees it: to the right, up, and away.
#[derive(Clone, Copy)]
struct Corner {
    at: DVec3,
    light: f64,
}

/// The part of a triangle that is before the eye.
fn clipped(corners: &[Corner; 3], nearest: f64) -> Vec<Corner> {
    let mut polygon = vec![];
    for k in 0..3 {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        if from.at.z >= nearest {
            polygon.push(from);
        }
        if (from.at.z >= nearest) != (to.at.z >= nearest) {
            let t = (nearest - from.at.z) / (to.at.z - from.at.z);
            let light = from.light + t * (to.light - from.light);
            polygon.push(Corner { at: from.at + t * (to.at - from.at), light });
        }
    }
    polygon
}
