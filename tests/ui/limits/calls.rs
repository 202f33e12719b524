//! Forty calls deep is the most: kernels with one more or with many more are refused, the one beside them is not.
use warp::prelude::*;

macro_rules! link {
    ($($name:ident $next:ident)*) => { $(
        #[func]
        fn $name(x: f32) -> f32 {
            $next(x) + 1.0
        }
    )* };
}

link! {
    g1 g2
    g2 g3
    g3 g4
    g4 g5
    g5 g6
    g6 g7
    g7 g8
    g8 g9
    g9 g10
    g10 g11
    g11 g12
    g12 g13
    g13 g14
    g14 g15
    g15 g16
    g16 g17
    g17 g18
    g18 g19
    g19 g20
    g20 g21
    g21 g22
    g22 g23
    g23 g24
    g24 g25
    g25 g26
    g26 g27
    g27 g28
    g28 g29
    g29 g30
    g30 g31
    g31 g32
    g32 g33
    g33 g34
    g34 g35
    g35 g36
    g36 g37
    g37 g38
    g38 g39
    g39 g40
    g40 g41
    g41 g42
    g42 g43
    g43 g44
    g44 g45
}

#[func]
fn g45(x: f32) -> f32 {
    x
}

#[kernel]
fn fits(out: &mut [f32]) {
    let i = tid();
    out[i] = g6(out[i]);
}

#[kernel]
fn too_deep(out: &mut [f32]) {
    let i = tid();
    out[i] = g5(out[i]);
}

#[kernel]
fn far_too_deep(out: &mut [f32]) {
    let i = tid();
    out[i] = g1(out[i]);
}

fn main() {}
