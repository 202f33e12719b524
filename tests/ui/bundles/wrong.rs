use warp::Args;

#[derive(Args)]
struct Values {
    x: f32,
}

#[derive(Args)]
struct Tuple<'a>(&'a [f32]);

#[derive(Args)]
struct Generic<'a, T> {
    x: &'a [T],
}

#[derive(Args)]
struct Inner<'a> {
    x: &'a [f32],
}

#[derive(Args)]
struct Outer<'a> {
    inner: Inner<'a>,
    reference: &'a mut Inner<'a>,
}

#[derive(Args)]
struct Unknown<'a> {
    inner: NoBundle<'a>,
}

struct NoBundle<'a> {
    x: &'a [f32],
}

fn main() {}
