//! What springs pull with.

use warp::math::Vec3;
use warp::prelude::*;

use crate::Error;
use crate::model::{Model, State};

#[derive(Args)]
struct Springs<'a> {
    nodes: &'a [[u32; 2]],
    rest: &'a [f32],
    ke: &'a [f32],
    kd: &'a [f32],
    strides: Strides,
}

/// How far apart the parameters of neighbouring worlds are, their springs and their particles.
#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Strides {
    nodes: u32,
    rest: u32,
    ke: u32,
    kd: u32,
    springs: u32,
    particles: u32,
}

/// The force on the first particle of each spring. Ends at one place have no direction
/// between them, and no force.
#[kernel]
fn pull_springs(of: Springs, q: &[Vec3], qd: &[Vec3], force: &mut [Vec3]) {
    let (row, i) = tid2();
    let s = of.strides;
    let [a, b] = of.nodes[row * s.nodes as usize + i];
    let first = row * s.particles as usize;
    let (a, b) = (first + a as usize, first + b as usize);
    let between = q[b] - q[a];
    let length_squared = between.length_squared();
    let mut pull = Vec3::ZERO;
    // Below a picometre the derivative of the direction would leave the range of numbers.
    if length_squared > 1e-24 {
        let length = length_squared.sqrt();
        let along = between / length;
        let stretch = length - of.rest[row * s.rest as usize + i];
        let speed = along.dot(qd[b] - qd[a]);
        pull = along * (of.ke[row * s.ke as usize + i] * stretch + of.kd[row * s.kd as usize + i] * speed);
    }
    force[row * s.springs as usize + i] = pull;
}

pub(in crate::solver) fn pull(model: &Model, from: &State, to: &mut State) -> Result<(), Error> {
    let grid = model.worlds.springs.grid();
    let springs = SpringsArrays {
        nodes: model.spring_nodes.array(),
        rest: model.spring_rest.array(),
        ke: model.spring_ke.array(),
        kd: model.spring_kd.array(),
        strides: Strides {
            nodes: model.spring_nodes.stride(),
            rest: model.spring_rest.stride(),
            ke: model.spring_ke.stride(),
            kd: model.spring_kd.stride(),
            springs: grid.1 as u32,
            particles: model.worlds.particles.grid().1 as u32,
        },
    };
    pull_springs::launch(grid, springs, &from.particle_q, &from.particle_qd, &mut to.spring_f)?;
    Ok(())
}
