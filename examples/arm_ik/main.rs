//! An arm of seven joints reaches for many places at once: inverse kinematics of one world each, within the joints' limits.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use warp::math::{DQuat, DTransform, DVec3};
use warp::prelude::*;
use warp::sim::articulation::forward_kinematics;
use warp::sim::ik::Ik;
use warp::sim::record::Camera;
use warp::sim::{BodyId, ModelBuilder, Shape};
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::count;
use warp_examples_support::output;
use warp_examples_support::picture::Picture;
use warp_examples_support::random::uniform;

/// Reach for places.
#[derive(Parser)]
struct Options {
    /// Number of goals, each in a world of its own.
    #[arg(long, default_value_t = 200, value_parser = count(1 << 20))]
    n: usize,
    /// Number of steps towards them.
    #[arg(long, default_value_t = 100, value_parser = count(100_000))]
    steps: usize,
    /// Write the picture of the first arm to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/arm_ik.png")]
    picture: PathBuf,
}

/// Of each joint: how its frame lies in the last link's (a length along x, a length along its own axis, a turn about x), and its limits.
const JOINTS: [(f64, f64, f64, [f64; 2]); 7] = [
    (0.0, 0.33, 0.0, [-2.9, 2.9]),
    (0.0, 0.0, -1.0, [-1.8, 1.8]),
    (0.0, 0.32, 1.0, [-2.9, 2.9]),
    (0.08, 0.0, 1.0, [-3.1, -0.1]),
    (-0.08, 0.38, -1.0, [-2.9, 2.9]),
    (0.0, 0.0, 1.0, [0.0, 3.7]),
    (0.09, 0.0, 1.0, [-2.9, 2.9]),
];

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn arm() -> (ModelBuilder, BodyId) {
    let mut b = ModelBuilder::new();
    b.ground();
    let mut last: Option<BodyId> = None;
    for (k, (along, up, turn, [lower, upper])) in JOINTS.into_iter().enumerate() {
        let (bone, knob) =
            (Shape::capsule(0.045, 0.5 * (up.abs() + 0.02)), Shape::sphere(if k % 2 == 0 { 0.06 } else { 0.066 }));
        let link = b.body(format!("link {k}")).shape(bone.at([0.0, 0.0, -0.5 * up])).shape(knob);
        let link = if k == 6 { link.shape(Shape::cone(0.04, 0.06).at([0.0, 0.0, 0.12])) } else { link }.id();
        let turn = DQuat::from_rotation_x(turn * std::f64::consts::FRAC_PI_2);
        let pose = DTransform::new(DVec3::new(along, 0.0, 0.0) + turn * DVec3::new(0.0, 0.0, up), turn);
        let joint = b.revolute(format!("joint {k}"), last, link, DVec3::Z).parent_anchor(pose);
        joint.limits(lower, upper).position(0.5 * (lower + upper));
        last = Some(link);
    }
    (b, last.expect("there are seven"))
}

fn run(options: &Options) -> Outcome {
    let (b, hand) = arm();
    let model = b.replicate(options.n).finalize(&Device::cpu())?;
    // Goals are where the hand is at coordinates that nobody tells the solver.
    let mut state = model.state()?;
    let secret = (0..options.n)
        .flat_map(|world| JOINTS.into_iter().enumerate().map(move |(k, (.., limits))| (world, k, limits)));
    let secret: Vec<f32> = secret
        .map(|(world, k, [low, high])| (low + (high - low) * uniform(7, (7 * world + k) as u64)) as f32)
        .collect();
    state.joint_q.copy_from_slice(&secret)?;
    forward_kinematics(&model, &mut state)?;
    let poses = state.body_q.to_vec()?;
    let goals = (0..options.n).map(|world| Ok(poses[model.body_at(world, hand)?]));
    let goals = goals.collect::<Result<Vec<_>, warp::sim::Error>>()?;

    let mut state = model.state()?;
    let places: Vec<Vec3> = goals.iter().map(|goal| goal.p).collect();
    let turns: Vec<Quat> = goals.iter().map(|goal| goal.q).collect();
    let ik = Ik::new(&model)?.position(hand, Vec3::ZERO, &places)?.orientation(hand, &turns)?;
    let found = ik.iterations(options.steps as u32).solve(&mut state)?;
    let there = found.iter().filter(|missed| missed.distance < 1e-3 && missed.angle < 0.5f32.to_radians()).count();
    output::line(format!("{there} of {} goals are reached within 1 mm and half a degree", options.n))?;
    let camera = Camera::new([1.3, -1.4, 1.0], [0.0, 0.0, 0.45]);
    let drawn = camera.draw(&model, &state, 0)?;
    let pixel = |x, y| drawn.pixel(x, y).unwrap_or_default();
    Picture::from_fn(drawn.width(), drawn.height(), pixel).save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    if options.steps >= 100 && there * 100 < 90 * options.n {
        return Err("Too few goals are reached.".to_owned().into());
    }
    Ok(())
}
