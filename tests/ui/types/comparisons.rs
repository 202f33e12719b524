//! How a type is compared must be known: a derive in one list with `Struct` is out of sight.
use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(u32)]
pub enum Mode {
    Fast,
    Slow,
}

impl PartialEq for Mode {
    fn eq(&self, _: &Mode) -> bool {
        true
    }
}

#[derive(Clone, Copy, PartialEq, PartialOrd, Struct)]
#[repr(C)]
pub struct Point {
    pub x: f32,
}

#[derive(Clone, Copy, PartialEq, PartialOrd, Struct)]
#[repr(u32)]
pub enum Level {
    Low,
    High,
}

#[kernel]
fn own(modes: &[Mode], out: &mut [u32]) {
    let i = tid();
    out[i] = (modes[i] == Mode::Fast) as u32;
}

#[kernel]
fn inside(points: &[Point], out: &mut [u32]) {
    let i = tid();
    out[i] = (Some(points[i]) == None) as u32;
    assert_eq!(points[i], points[0]);
}

#[kernel]
fn order(points: &[Point], levels: &[Level], out: &mut [u32]) {
    let i = tid();
    out[i] = (points[i] < points[0]) as u32 + (levels[i] >= levels[0]) as u32;
}

#[kernel]
fn equal(points: &[Point], out: &mut [u32]) {
    let i = tid();
    out[i] = (points[i] == points[0]) as u32;
}

fn main() {}
