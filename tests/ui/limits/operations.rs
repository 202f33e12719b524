//! Ten calls of ten of ten of ten of ten: more operations than one kernel may hold.
use warp::prelude::*;

#[func]
fn work(x: f32) -> f32 {
    let y = x * x + 1.0;
    let z = y.sqrt() - x * 0.5;
    (z * y + x) / (y + 2.0)
}

macro_rules! ten_times {
    ($name:ident calls $next:ident) => {
        #[func]
        fn $name(x: f32) -> f32 {
            let x = $next($next($next($next($next(x)))));
            $next($next($next($next($next(x)))))
        }
    };
}

ten_times!(ten calls work);
ten_times!(hundred calls ten);
ten_times!(thousand calls hundred);
ten_times!(ten_thousand calls thousand);
ten_times!(hundred_thousand calls ten_thousand);

#[kernel]
fn k(out: &mut [f32]) {
    let i = tid();
    out[i] = hundred_thousand(out[i]);
}

fn main() {}
