//! What a kernel's hidden copy asks, with answers that are wrong on purpose: types found by inference are compared with
//! rustc's own, and do not decide them.
use warp::__private::inferred;
use warp::prelude::*;

fn an_integer_is_an_i32_by_default() {
    let n = 7;
    inferred::<u8>(&n);
}

fn a_float_is_an_f64_by_default() {
    let x = 0.5;
    inferred::<f32>(&x);
}

fn what_comes_later_decides() {
    let y = 0.5;
    inferred::<f64>(&y);
    let _: f32 = y;
}

fn of_other_functions() {
    let i = tid();
    inferred::<u32>(&i);
}

fn behind_references(a: &[f32]) {
    for v in a {
        inferred::<f64>(&v);
    }
}

fn inside_of_others(a: &[f32]) {
    let pair = Some((a[0], [1u16; 2]));
    inferred::<Option<(f32, [i16; 2])>>(&pair);
}

fn of_vectors() {
    inferred::<Vec3>(&Vec3::ONE);
    inferred::<DVec3>(&Vec3::ONE);
}

fn main() {}
