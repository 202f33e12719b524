//! Constants of blocks: each holds in its own block and hides what stands outside.
#![allow(non_upper_case_globals)]

use warp::prelude::*;

const SCALE: u32 = 2;
const N: u32 = 5;

const fn thrice(x: u32) -> u32 {
    x * 3
}

#[kernel]
fn scoped(x: &[u32], out: &mut [u32]) {
    const BASE: u32 = thrice(100);
    let i = tid();
    let mut s = SCALE;
    {
        const SCALE: u32 = 10;
        const OTHER: u32 = SCALE + 1;
        s += SCALE * OTHER;
        let untyped = OTHER;
        s += untyped;
    }
    if i > 0 {
        const SCALE: u32 = BASE + 7;
        s += SCALE;
        for k in 0..2 {
            const SCALE: u32 = 1000;
            const step: u32 = SCALE / 2;
            s += SCALE * k + step;
        }
        s += match x[i] {
            SCALE => 50_000,
            N => 60_000,
            _ => 70_000,
        };
    }
    out[i] = s + SCALE;
}

#[test]
fn constants_of_blocks_hold_there_alone() {
    let device = Device::cpu();
    let given = [0, 307, 5, 2];
    let x = Array::from_slice(&device, &given).unwrap();
    let mut out = Array::zeros(&device, 4).unwrap();
    scoped::launch(4, &x, &mut out).unwrap();
    let mut plain = [0; 4];
    scoped::plain(4, &given, &mut plain).unwrap();
    // 2 + 10 * 11 + 11 + 2, and in the branch 307 + (0 + 500) + (1000 + 500) and the arm.
    assert_eq!(plain, [125, 125 + 2307 + 50_000, 125 + 2307 + 60_000, 125 + 2307 + 70_000]);
    assert_eq!(out.to_vec().unwrap(), plain);
}
