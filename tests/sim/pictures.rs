//! Pictures without a display.

use warp::math::DVec3;
use warp::prelude::*;
use warp::sim::record::{Camera, Picture};
use warp::sim::{Axis, Model, ModelBuilder, Shape, State};

use super::{assert_near, cpu};

fn drawn(b: &ModelBuilder, camera: Camera) -> Picture {
    let model = cpu(b);
    camera.draw(&model, &model.state().unwrap(), 0).unwrap()
}

/// How many pixels are not the sky.
fn covered(picture: &Picture) -> usize {
    let sky = picture.pixel(0, 0).unwrap();
    let all = (0..picture.height()).flat_map(|y| (0..picture.width()).map(move |x| (x, y)));
    all.filter(|(x, y)| picture.pixel(*x, *y).unwrap() != sky).count()
}

/// Seen along an axis from 10 m away, each covers what its outline does.
#[test]
fn shapes_cover_their_outlines() {
    let pixels_at = |distance: f64| 0.5 * 400.0 / (std::f64::consts::FRAC_PI_8.tan() * distance);
    let circle = |radius: f64, distance: f64| {
        // What is seen of a ball is a little more than its radius at its middle.
        std::f64::consts::PI * (radius / (1.0 - (radius / distance).powi(2)).sqrt() * pixels_at(distance)).powi(2)
    };
    let side = |size: f64, distance: f64| size * pixels_at(distance);
    for (shape, right) in [
        (Shape::sphere(1.0), circle(1.0, 10.0)),
        (Shape::ellipsoid([0.5, 1.0, 1.0]), circle(1.0, 10.0)),
        (Shape::cuboid([0.5, 1.0, 0.6]), side(2.0, 9.5) * side(1.2, 9.5)),
        (Shape::cylinder(1.0, 0.5).along(Axis::X), std::f64::consts::PI * pixels_at(9.5).powi(2)),
        (Shape::cone(1.0, 0.5).along(Axis::X), std::f64::consts::PI * pixels_at(10.5).powi(2)),
        (Shape::capsule(0.5, 1.0), circle(0.5, 10.0) + side(1.0, 10.0) * side(2.0, 10.0)),
    ] {
        let mut b = ModelBuilder::new();
        b.body("it").shape(shape.clone()).id();
        let picture = drawn(&b, Camera::new([10.0, 0.0, 0.0], [0.0; 3]).size(400, 400));
        assert_near(&format!("{:?}", shape.geometry), covered(&picture) as f64 / right, 1.0, 0.03);
    }
}

#[test]
fn what_is_nearer_hides_what_is_farther() {
    let camera = Camera::new([10.0, 0.0, 0.0], [0.0; 3]).size(41, 41);
    let middle = |places: &[f64]| {
        let mut b = ModelBuilder::new();
        for (k, x) in places.iter().enumerate() {
            b.body(format!("{k}")).at([*x, 0.0, 0.0]).shape(Shape::cuboid([0.1, 2.0, 2.0])).id();
        }
        drawn(&b, camera).pixel(20, 20).unwrap()
    };
    let (first, second) = (middle(&[1.0]), middle(&[-5.0, 1.0]));
    assert_ne!(first, second, "bodies have colours of their own");
    assert_eq!(middle(&[1.0, -5.0]), first);
    assert_eq!(middle(&[-5.0, 1.0]), second);
    // And what is behind the eye is not there.
    assert_eq!(middle(&[1.0, 20.0]), first);
}

fn scene() -> (Model, State) {
    let mut b = ModelBuilder::new();
    b.ground();
    let arm = b.body("arm").at([0.0, 0.0, 1.0]).shape(Shape::capsule(0.1, 0.4)).shape(Shape::sphere(0.3).visual()).id();
    b.revolute("hinge", None, arm, DVec3::Y);
    let a = b.particle([1.0, 0.0, 0.5]).radius(0.1).id();
    let c = b.particle([1.0, 0.5, 0.5]).radius(0.05).id();
    b.spring(a, c, 10.0);
    let model = b.replicate(2).finalize(&Device::cpu()).unwrap();
    let state = model.state().unwrap();
    (model, state)
}

#[test]
fn the_same_state_is_the_same_picture() {
    let (model, state) = scene();
    let camera = Camera::facing(&model, &state, 1).unwrap().size(120, 90);
    let picture = camera.draw(&model, &state, 1).unwrap();
    assert_eq!(picture, camera.draw(&model, &state, 1).unwrap());
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("scene.png");
    picture.save_png(&file).unwrap();
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(bytes[16..24], [0, 0, 0, 120, 0, 0, 0, 90]);
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let (model, state) = scene();
    let camera = Camera::new([3.0, 0.0, 0.0], [0.0; 3]).size(8, 8);
    let told = camera.draw(&model, &state, 2).unwrap_err().to_string();
    assert_eq!(told, "there is no world 2: the model has 2, counted from zero");
    let told = camera.draw(&model, &state, 0).unwrap().save_png("/nowhere/at/all.png").unwrap_err().to_string();
    assert!(told.starts_with("the file /nowhere/at/all.png cannot be written: "), "{told}");
    // Numbers that are none draw nothing, and stop nothing.
    let mut state = state;
    state.body_q.fill(warp::math::Transform::new(Vec3::splat(f32::NAN), Quat::IDENTITY)).unwrap();
    camera.draw(&model, &state, 0).unwrap();
}
