//! How a type is compared must be known: what a user writes by hand outside of `#[methods]` is not.
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

#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub struct Point {
    pub x: f32,
}

impl PartialEq for Point {
    fn eq(&self, other: &Point) -> bool {
        (self.x - other.x).abs() < 1e-3
    }
}

impl PartialOrd for Point {
    fn partial_cmp(&self, other: &Point) -> Option<std::cmp::Ordering> {
        other.x.partial_cmp(&self.x)
    }
}

#[derive(Clone, Copy, PartialEq, Struct)]
#[repr(u32)]
pub enum Level {
    Low,
    High,
}

impl PartialOrd for Level {
    fn partial_cmp(&self, other: &Level) -> Option<std::cmp::Ordering> {
        (*other as u32).partial_cmp(&(*self as u32))
    }
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
