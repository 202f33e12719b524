use warp::prelude::*;
#[kernel]
fn step(pos: &mut [Vec3], vel: &mut [Vec3], dt: f32, gravity: f32, mass: f32) {
    let i = tid();
    let p = pos[i];
    let r = p.length();
    if r < 1.0e-6 {
        return;
    }
    let acc = -p / r * (gravity * mass / (r * r));
    let v = vel[i] + acc * dt;
    vel[i] = v;
    pos[i] = p + v * dt;
}
fn main() {
    let device = Device::cpu();
    let mut pos = Array::from_slice(&device, &[Vec3::new(1.0, 2.0, 3.0); 4]).unwrap();
    let mut vel = Array::from_slice(&device, &[Vec3::ZERO; 4]).unwrap();
    step::launch(4, &mut pos, &mut vel, 0.01, 0.5, 1.0).unwrap();
    println!("{:?}", pos.to_vec().unwrap());
    println!("{}", step::launch(5, &mut pos, &mut vel, 0.01, 0.5, 1.0).unwrap_err());
}
