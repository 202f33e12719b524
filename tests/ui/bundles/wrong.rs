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
    y: &'a [f32],
    inner: Inner<'a>,
}

fn main() {}
