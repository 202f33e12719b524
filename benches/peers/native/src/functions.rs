//! W8 and W15: functions of floats.

use rayon::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::maps::{self, Map};
use warp_examples_support::workload::{blend, largest_difference};

use crate::Job;

pub fn blend(job: &Job) -> Outcome<Measured> {
    let x = blend::inputs(job.n);
    let part = job.part(job.n, 16, 1024);
    let sweep = |y: &mut Vec<f32>| {
        y.par_chunks_mut(part).zip(x.par_chunks(part)).for_each(|(y, x)| {
            for (y, &x) in y.iter_mut().zip(x) {
                let size = x.abs();
                *y = x.sin() * (-x * x).exp()
                    + size.sqrt() * (3.0 * x).cos()
                    + x.atan2(1.0 + x * x)
                    + (size + 1.0).powf(blend::EXPONENT);
            }
        });
    };
    job.measure(
        vec![0f32; job.n],
        |_| (),
        |y| (0..job.steps).for_each(|_| sweep(y)),
        |y| (blend::checksum(y), largest_difference(y, &blend::reference(&x))),
    )
}

pub fn map(job: &Job) -> Outcome<Measured> {
    let map = Map::named(&job.mode).ok_or_else(|| format!("W15 has no mode \"{}\".", job.mode))?;
    match map {
        Map::Sin => sweeps(job, map, |x, _| x.sin()),
        Map::Cos => sweeps(job, map, |x, _| x.cos()),
        Map::Exp => sweeps(job, map, |x, _| x.exp()),
        Map::Log => sweeps(job, map, |x, _| x.ln()),
        Map::Pow => sweeps(job, map, |x, _| x.powf(maps::EXPONENT)),
        Map::Atan2 => sweeps(job, map, |x, w| x.atan2(w)),
        Map::Sqrt => sweeps(job, map, |x, _| x.sqrt()),
        Map::Div => sweeps(job, map, |x, w| x / w),
    }
}

fn sweeps(job: &Job, map: Map, f: impl Fn(f32, f32) -> f32 + Sync) -> Outcome<Measured> {
    let (x, w) = map.inputs(job.n);
    let part = job.part(job.n, 16, 1024);
    let sweep = |y: &mut Vec<f32>| {
        y.par_chunks_mut(part).zip(x.par_chunks(part)).zip(w.par_chunks(part)).for_each(|((y, x), w)| {
            for ((y, &x), &w) in y.iter_mut().zip(x).zip(w) {
                *y = f(x, w);
            }
        });
    };
    job.measure(
        vec![0f32; job.n],
        |_| (),
        |y| (0..job.steps).for_each(|_| sweep(y)),
        |y| (maps::checksum(y), map.largest_error(&x, &w, y)),
    )
}
