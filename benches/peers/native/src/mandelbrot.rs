//! W14: the Mandelbrot set.

use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use rayon::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::mandelbrot;

use crate::Job;

/// Pixels side by side: all turn until the last one has left.
const GROUP: usize = 32;

/// A group of pixels at a time, which the compiler makes vectors of.
pub fn side_by_side(job: &Job) -> Outcome<Measured> {
    measure(job, |plane, pixels, counts| {
        let found = plane.turns_of_group(std::array::from_fn(|k| pixels[k.min(pixels.len() - 1)]));
        pixels.iter().zip(found).for_each(|(pixel, turns)| counts[*pixel as usize].store(turns, Relaxed));
    })
}

/// One pixel after the other.
pub fn one_by_one(job: &Job) -> Outcome<Measured> {
    measure(job, |plane, pixels, counts| {
        pixels.iter().for_each(|pixel| counts[*pixel as usize].store(plane.turns(*pixel), Relaxed));
    })
}

fn measure(job: &Job, group: impl Fn(&Plane, &[i32], &[AtomicI32]) + Sync) -> Outcome<Measured> {
    let plane = Plane { n: i32::try_from(job.n)?, limit: i32::try_from(job.steps)? };
    let pixels = if job.mode == "shuffled" { mandelbrot::shuffled(job.n) } else { (0..plane.n * plane.n).collect() };
    // Each pixel is written once. Relaxed stores are plain ones to the machine.
    let counts: Vec<AtomicI32> = pixels.iter().map(|_| AtomicI32::new(0)).collect();
    job.measure(
        counts,
        |counts| counts.iter_mut().for_each(|count| *count.get_mut() = 0),
        |counts| {
            pixels
                .par_chunks(64 * GROUP)
                .for_each(|part| part.chunks(GROUP).for_each(|pixels| group(&plane, pixels, counts)));
        },
        |counts| {
            let counts: Vec<i32> = counts.iter().map(|count| count.load(Relaxed)).collect();
            let reference = mandelbrot::reference(job.n, plane.limit);
            (mandelbrot::checksum(&counts), mandelbrot::share_that_differs(&counts, &reference))
        },
    )
}

struct Plane {
    n: i32,
    limit: i32,
}

impl Plane {
    fn point(&self, pixel: i32) -> (f32, f32) {
        let (n, width) = (self.n, (10 * self.n) as f32);
        ((26 * (pixel % n) + 13 - 20 * n) as f32 / width, (26 * (pixel / n) + 13 * (1 - n)) as f32 / width)
    }

    fn turns(&self, pixel: i32) -> i32 {
        let (cx, cy) = self.point(pixel);
        let (mut x, mut y) = (0f32, 0f32);
        for k in 0..self.limit {
            let (x2, y2) = (x * x, y * y);
            if x2 + y2 > 4.0 {
                return k;
            }
            y = (x + x) * y + cy;
            x = (x2 - y2) + cx;
        }
        self.limit
    }

    fn turns_of_group(&self, pixels: [i32; GROUP]) -> [i32; GROUP] {
        let (mut cx, mut cy) = ([0f32; GROUP], [0f32; GROUP]);
        for k in 0..GROUP {
            (cx[k], cy[k]) = self.point(pixels[k]);
        }
        let (mut x, mut y, mut turns) = ([0f32; GROUP], [0f32; GROUP], [0; GROUP]);
        for _ in 0..self.limit {
            let mut inside = 0;
            for k in 0..GROUP {
                let (x2, y2) = (x[k] * x[k], y[k] * y[k]);
                // Who has left stays outside, since the place is kept.
                let stays = i32::from(x2 + y2 <= 4.0);
                let next_y = (x[k] + x[k]) * y[k] + cy[k];
                let next_x = (x2 - y2) + cx[k];
                x[k] = if stays != 0 { next_x } else { x[k] };
                y[k] = if stays != 0 { next_y } else { y[k] };
                turns[k] += stays;
                inside += stays;
            }
            if inside == 0 {
                break;
            }
        }
        turns
    }
}
