//! Pictures of simulations, without a display and without a GPU.

mod camera;
mod picture;
mod tessellate;

pub use self::camera::Camera;
pub use self::picture::Picture;
