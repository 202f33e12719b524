use warp::prelude::*;

const PLAIN: usize = 4;

#[func]
const SIX: usize = 6;

#[func]
const FROM_PLAIN: usize = PLAIN + 1;

#[func]
const COMPUTED: usize = usize::MAX.count_ones() as usize;

#[func]
const NUMBER: f32 = 4.0;

#[func]
const NEGATIVE: usize = 3 - SIX;

#[kernel]
fn plain(out: &mut [f32]) {
    let i = tid();
    let a = [1.0; PLAIN];
    out[i] = a[i];
}

#[kernel]
fn nested(out: &mut [f32]) {
    let i = tid();
    {
        const FOUR: usize = 4;
        out[i] = FOUR as f32;
    }
    let a = [1.0; FOUR];
    out[i] = a[i];
}

mod shadowed {
    use super::fine::*;
    use warp::prelude::*;

    // Made by a macro, so that the source does not tell what the name means.
    macro_rules! make {
        ($name:ident) => {
            const $name: usize = 4;
        };
    }

    make!(FIVE);

    #[kernel]
    fn other_value(out: &mut [f32]) {
        let i = tid();
        let a = [1.0; FIVE];
        out[i] = a[i];
    }
}

mod fine {
    #[warp::func]
    pub const FIVE: usize = 5;
}

struct Sizes;

impl Sizes {
    const N: usize = 3;
}

#[kernel]
fn member(out: &mut [f32]) {
    let i = tid();
    let a = [1.0; Sizes::N];
    out[i] = a[i];
}

fn main() {}
