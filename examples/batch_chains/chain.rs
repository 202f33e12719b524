//! A cart on a rail with a chain of three links, in as many worlds as wanted, each started at other angles.

use warp::math::{DMat3, DVec3};
use warp::prelude::*;
use warp::sim::{Error, Model, ModelBuilder};
use warp_examples_support::random::uniform;

const LINKS: usize = 3;
/// Mass, length, distance of the centre from the hinge, and inertia about it across the link: kg, m, kg m².
const LINK: (f64, f64, f64, f64) = (0.2, 0.5, 0.25, 0.0041666667);

pub fn chains(n: usize, device: &Device) -> Result<Model, Error> {
    let (mass, length, com, across) = LINK;
    let mut b = ModelBuilder::new();
    let cart = b.body("cart").mass_properties(1.0, [0.0; 3], DMat3::IDENTITY * 0.01).id();
    b.prismatic("rail", None, cart, [1.0, 0.0, 0.0]);
    let mut parent = cart;
    for k in 0..LINKS {
        let link = b.body(format!("link {k}")).at([0.0, 0.0, -(length * k as f64)]);
        let inertia = DMat3::from_diagonal(DVec3::new(across, across, 1e-4));
        let link = link.mass_properties(mass, [0.0, 0.0, -com], inertia).id();
        b.revolute(format!("hinge {k}"), parent, link, [0.0, 1.0, 0.0]);
        parent = link;
    }
    let mut model = b.replicate(n).finalize(device)?;
    model.joint_q_start.spread()?;
    let mut q = model.joint_q_start.array().to_vec()?;
    for (world, own) in q.chunks_exact_mut(1 + LINKS).enumerate() {
        for (k, angle) in own[1..].iter_mut().enumerate() {
            *angle = ((2.0 * uniform(12, (LINKS * world + k) as u64) - 1.0) * 0.5) as f32;
        }
    }
    model.joint_q_start.array_mut().copy_from_slice(&q)?;
    Ok(model)
}
