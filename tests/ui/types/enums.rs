use warp::Struct;

#[derive(Clone, Copy, Struct)]
enum NoRepr {
    A,
}

#[derive(Clone, Copy, Struct)]
#[repr(u8)]
enum WithFields {
    A(f32),
}

const TWO: u8 = 2;

#[derive(Clone, Copy, Struct)]
#[repr(u8)]
enum Computed {
    A = TWO,
}

fn main() {}
