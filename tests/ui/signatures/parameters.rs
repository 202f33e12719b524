// What a kernel cannot take: one sentence at the type, and silence at the launches.
use warp::prelude::*;

#[derive(Args)]
struct Grid<'a> {
    cells: &'a mut [f32],
}

#[kernel]
fn reference(a: &mut [f32], x: &f32) {
    a[tid()] = *x;
}

#[kernel]
fn mutable_reference(x: &mut f32) {
    *x = tid() as f32;
}

#[kernel]
fn bundle(grid: &mut Grid) {
    grid.cells[tid()] = 1.0;
}

#[kernel]
fn tuple(a: &mut [f32], x: (f32, f32)) {
    a[tid()] = x.0;
}

#[kernel]
fn option(a: &mut [f32], x: Option<f32>) {
    a[tid()] = x.unwrap_or(1.0);
}

#[kernel]
fn vector(a: &mut [f32], x: &Vec<f32>) {
    a[tid()] = x[0];
}

#[kernel]
fn array(a: &mut [f32], x: &mut Array<f32>) {
    a[tid()] = x.len() as f32;
}

#[kernel]
fn planes(a: &mut [f32], x: Soa<f32>) {
    a[tid()] = x.len() as f32;
}

#[kernel]
fn planes_of_the_host(a: &mut [f32], x: &SoaArray<f32>) {
    a[tid()] = x.len() as f32;
}

#[kernel]
fn view(a: &mut [f32], x: &View2<f32>) {
    a[tid()] = x[(0, 0)];
}

#[kernel]
fn text(a: &mut [f32], name: &str) {
    a[tid()] = name.len() as f32;
}

#[kernel]
fn function(a: &mut [f32], f: fn(f32) -> f32) {
    a[tid()] = f(1.0);
}

#[kernel]
fn closure(a: &mut [f32], f: impl Fn(f32) -> f32) {
    a[tid()] = f(1.0);
}

#[kernel]
fn object(a: &mut [f32], x: &dyn Send) {
    a[tid()] = 1.0;
}

#[kernel]
fn pointer(a: &mut [f32], x: *const f32) {
    a[tid()] = 1.0;
}

#[kernel]
fn wide(a: &mut [f32], x: u128) {
    a[tid()] = x as f32;
}

#[kernel]
fn elements(a: &[Option<f32>], b: &[(f32, f32)], c: View2<char>, d: &Soa<[Box<f32>; 2]>, e: &[&f32]) {
    let _ = tid();
}

#[func]
fn of_a_function(a: &[Option<f32>]) -> usize {
    a.len()
}

// These are right, as far as anyone can tell.
fn launches(device: &Device, x: &Array<f32>) -> Result<(), Error> {
    reference::launch(4, x, 1.0)?;
    option::on(device).block(32).threads(1).launch(4, x, Some(1.0f32))?;
    tuple::plain(4, &mut [0.0], (1.0, 2.0)).unwrap();
    Ok(())
}

fn main() {}
