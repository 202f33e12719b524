use warp::prelude::*;

#[func]
fn tally(bins: &mut [u32; 8], k: usize) {
    atomic_add(&mut bins[k], 1);
}

#[kernel]
fn counted(hist: &mut [[u32; 8]]) {
    tally(&mut hist[0], tid());
}

fn main() {}
