//! Shapes, triangle meshes, and the mass that they enclose.

mod hull;
mod mass;
mod mesh;
mod shape;

pub use mesh::{Mesh, MeshError};
pub use shape::{Axis, Geometry, Material, Shape};
