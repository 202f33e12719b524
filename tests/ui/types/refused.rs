// Types that were refused: told where they are, once, and those who use them are silent.
use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
struct WithoutRepr {
    x: f32,
}

#[derive(Clone, Copy, Struct)]
#[repr(u8)]
enum WithFields {
    Number(f32),
    Nothing,
}

#[derive(Clone, Copy)]
struct Plain {
    x: f32,
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct HoldsPlain {
    plain: Plain,
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct HoldsOptions {
    option: Option<f32>,
    pair: (f32, f32),
}

#[kernel]
fn uses(a: &mut [f32], w: &[WithoutRepr], kind: WithFields, p: &[HoldsPlain], o: HoldsOptions) {
    let i = tid();
    if let WithFields::Number(x) = kind {
        a[i] = w[i].x + x + p[i].plain.x + o.pair.0;
    }
}

fn launches(a: &mut Array<f32>, w: &Array<WithoutRepr>, p: &Array<HoldsPlain>, o: HoldsOptions) -> Result<(), Error> {
    uses::launch(4, a, w, WithFields::Nothing, p, o)
}

fn main() {}
