//! Bundles of arguments, and bundles inside them.

use warp::prelude::*;
use warp::{Error, FaultKind};
use warp_test_devices::{device, ended, on_every_device};

#[derive(Args)]
struct Mesh<'a> {
    points: &'a [Vec3],
    faces: View2<'a, u32>,
    areas: &'a mut [f32],
}

#[derive(Struct, Clone, Copy)]
#[repr(C)]
struct Material {
    density: f32,
    gain: [f32; 2],
}

#[derive(Args)]
struct World<'a> {
    dt: f32,
    material: Material,
    mesh: Mesh<'a>,
    forces: &'a mut [Vec3],
}

#[derive(Args)]
struct Scene<'a> {
    world: World<'a>,
    ground: Mesh<'a>,
}

#[func]
fn corner(mesh: &Mesh, face: usize, k: usize) -> Vec3 {
    mesh.points[mesh.faces[(face, k)] as usize]
}

#[func]
fn area(mesh: &Mesh, face: usize) -> f32 {
    let (a, b, c) = (corner(mesh, face, 0), corner(mesh, face, 1), corner(mesh, face, 2));
    (b - a).cross(c - a).length() * 0.5
}

#[func]
fn push(world: &mut World, i: usize) {
    let pull = world.material.density * world.mesh.areas[i];
    world.forces[i] += Vec3::Z * (pull * world.dt * world.material.gain[1]);
}

#[kernel]
fn weigh(scene: Scene, scale: f32) {
    let mut scene = scene;
    let i = tid();
    scene.world.mesh.areas[i] = area(&scene.world.mesh, i) * scale;
    scene.ground.areas[i] = area(&scene.ground, i);
    push(&mut scene.world, i);
    let ground = scene.ground;
    scene.world.forces[i].x += ground.areas[i];
}

const POINTS: [Vec3; 4] = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(0.0, 0.0, 2.0)];
const MATERIAL: Material = Material { density: 3.0, gain: [0.0, 4.0] };

/// Areas of the triangles with corners 0 1 2 and 0 1 3 are 1/2 and 1; scaled by 2, then 3 * area * 0.5 * 4.
fn expected() -> (Vec<f32>, Vec<f32>, Vec<Vec3>) {
    (vec![1.0, 2.0], vec![1.0, 0.5], vec![Vec3::new(1.0, 0.0, 6.0), Vec3::new(0.5, 0.0, 13.0)])
}

struct Arrays {
    points: Array<Vec3>,
    faces: Array<u32, 2>,
    back: Array<u32, 2>,
    areas: Array<f32>,
    ground: Array<f32>,
    forces: Array<Vec3>,
}

fn arrays(device: &Device) -> Arrays {
    Arrays {
        points: Array::from_slice(device, &POINTS).unwrap(),
        faces: Array::from_fn(device, (2, 3), |[r, c]| [[0, 1, 2], [0, 1, 3]][r][c]).unwrap(),
        back: Array::from_fn(device, (2, 3), |[r, c]| [[0, 1, 3], [0, 1, 2]][r][c]).unwrap(),
        areas: Array::zeros(device, 2).unwrap(),
        ground: Array::zeros(device, 2).unwrap(),
        forces: Array::from_slice(device, &[Vec3::ZERO, Vec3::Z]).unwrap(),
    }
}

fn launch(a: &mut Arrays, n: usize) -> Result<(), Error> {
    let mesh = MeshArrays { points: &a.points, faces: &a.faces, areas: &mut a.areas };
    let world = WorldArrays { dt: 0.5, material: MATERIAL, mesh, forces: &mut a.forces };
    let ground = MeshArrays { points: &a.points, faces: &a.back, areas: &mut a.ground };
    weigh::launch(n, SceneArrays { world, ground }, 2.0)
}

#[on_every_device]
fn bundles_in_bundles_reach_kernels_and_functions() {
    let mut a = arrays(&device());
    launch(&mut a, 2).unwrap();
    let found = (a.areas.to_vec().unwrap(), a.ground.to_vec().unwrap(), a.forces.to_vec().unwrap());
    assert_eq!(found, expected());
}

#[on_every_device]
fn bundles_in_bundles_run_as_plain_rust() {
    let (faces, back) = ([0, 1, 2, 0, 1, 3], [0, 1, 3, 0, 1, 2]);
    let (mut areas, mut ground, mut forces) = ([0.0; 2], [0.0; 2], [Vec3::ZERO, Vec3::Z]);
    let mesh = Mesh { points: &POINTS, faces: View2::new(&faces, [2, 3]), areas: &mut areas };
    let world = World { dt: 0.5, material: MATERIAL, mesh, forces: &mut forces };
    let ground_mesh = Mesh { points: &POINTS, faces: View2::new(&back, [2, 3]), areas: &mut ground };
    weigh::plain(2, Scene { world, ground: ground_mesh }, 2.0).unwrap();
    assert_eq!((areas.to_vec(), ground.to_vec(), forces.to_vec()), expected());
}

#[on_every_device]
fn a_fault_names_the_array_by_its_way_through_the_bundles() {
    let mut a = arrays(&device());
    a.areas = Array::zeros(&device(), 1).unwrap();
    let Err(Error::Fault(fault)) = ended(launch(&mut a, 2)) else { panic!("no fault") };
    let array = "scene.world.mesh.areas".into();
    assert_eq!(fault.kind, FaultKind::Index { array, dim: None, index: 1, extent: 1 });
}
