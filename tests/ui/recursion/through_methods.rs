use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Node {
    x: f32,
}

#[methods]
impl Node {
    fn ping(&self) -> f32 {
        self.pong()
    }

    fn pong(&self) -> f32 {
        helper(*self)
    }
}

#[func]
fn helper(node: Node) -> f32 {
    node.ping()
}

#[kernel]
fn k(nodes: &[Node], out: &mut [f32]) {
    let i = tid();
    out[i] = nodes[i].ping();
}

fn main() {}
