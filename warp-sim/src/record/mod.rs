//! Pictures, films and curves of simulations, without a display and without a GPU.

mod camera;
mod curves;
mod gltf;
mod names;
mod picture;
mod tessellate;
mod track;
mod usda;

pub use self::camera::Camera;
pub use self::curves::Curves;
pub use self::gltf::GltfRecorder;
pub use self::picture::Picture;
pub use self::usda::UsdaRecorder;
