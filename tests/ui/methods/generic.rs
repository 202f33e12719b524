use warp::Float;
use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Point {
    x: f32,
}

#[methods]
impl Point {
    fn scaled<T>(&self, by: T) -> T {
        by
    }

    fn corner<const UP: bool>(&self) -> f32 {
        self.x
    }
}

#[methods]
impl Point {
    fn unknown<T: Float>(&self, by: T) -> T {
        by.digamma()
    }

    fn wrong<T: Float, const N: usize>(self, list: [T; N]) -> T {
        list[0] + self.x
    }

    fn text<T: Float>(&self, by: T) -> T {
        let _name = "point";
        by
    }
}

#[kernel]
fn silent(points: &mut [Point]) {
    let i = tid();
    points[i].x = points[i].unknown(1.0) + points[i].wrong([1.0, 2.0]) + points[i].text(3.0);
}

fn main() {}
