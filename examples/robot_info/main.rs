//! What is in a robot file: its links with their masses, its joints with their limits, and what was left out in reading it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use warp::prelude::*;
use warp::sim::import::{Imported, Importer};
use warp::sim::record::Camera;
use warp::sim::{JointKind, Model, ModelBuilder};
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::output;

/// Describe a robot of a URDF or MJCF file.
#[derive(Parser)]
struct Options {
    /// The file.
    file: PathBuf,
    /// Keep links that are fixed to others as bodies of their own.
    #[arg(long)]
    keep_fixed: bool,
    /// Leave out what is not supported, though the robot moves in another way then.
    #[arg(long)]
    leave_out: bool,
    /// Take the nearest possible inertia where a file has an impossible one.
    #[arg(long)]
    repair: bool,
    /// Draw the robot to this PNG file.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let mut b = ModelBuilder::new();
    b.repair_inertia(options.repair);
    let how = Importer::new().collapse_fixed(!options.keep_fixed).leave_out(options.leave_out);
    let robot = how.file(&options.file, &mut b)?;
    let model = b.finalize(&Device::cpu())?;
    links(&model, &robot)?;
    joints(&model, &robot)?;
    for (name, frame) in &robot.frames {
        let on = match frame.body {
            Some(body) => model.body_label(0, body)?,
            None => "the world",
        };
        output::line(format!("frame {name} on {on}"))?;
    }
    for warning in &robot.warnings {
        output::line(format!("warning: {warning}"))?;
    }
    if let Some(file) = &options.picture {
        let state = model.state()?;
        Camera::facing(&model, &state, 0)?.draw(&model, &state, 0)?.save_png(file)?;
        output::line(format!("picture: {}", file.display()))?;
    }
    let dofs = model.dofs();
    let plural = if dofs == 1 { "degree" } else { "degrees" };
    let mass: f32 = model.body_mass.array().to_vec()?.iter().sum();
    output::line(format!("{} bodies of {mass:.4} kg, {dofs} {plural} of freedom", model.bodies()))?;
    Ok(())
}

fn links(model: &Model, robot: &Imported) -> Outcome {
    let state = model.state()?;
    output::line(format!("{:<28} {:>10}   {}", "link", "mass, kg", "where it starts, m"))?;
    for (name, body) in &robot.bodies {
        let place = state.body_q.get(model.body_at(0, *body)?)?.p;
        let mass = model.body_inertia(0, *body)?.mass;
        output::line(format!("{name:<28} {mass:>10.4}   {:.3}, {:.3}, {:.3}", place.x, place.y, place.z))?;
    }
    Ok(())
}

fn joints(model: &Model, robot: &Imported) -> Outcome {
    let (lower, upper) = (model.joint_limit_lower.array().to_vec()?, model.joint_limit_upper.array().to_vec()?);
    let effort = model.joint_effort_limit.array().to_vec()?;
    output::line(format!("{:<28} {:<8} {:<20} {}", "joint", "kind", "limits, rad or m", "effort, N m or N"))?;
    for (name, joint) in &robot.joints {
        let kind = match model.joint_kind(0, *joint)? {
            JointKind::Fixed => "fixed",
            JointKind::Axes => "axes",
            JointKind::Ball => "ball",
            JointKind::Free => "free",
            _ => "other",
        };
        let dofs = model.joint_qd_range(0, *joint)?;
        let limits: Vec<String> = dofs
            .clone()
            .map(|dof| match (lower[dof].is_finite(), upper[dof].is_finite()) {
                (false, false) => "none".to_owned(),
                _ => format!("{:.3} to {:.3}", lower[dof], upper[dof]),
            })
            .collect();
        let most: Vec<String> =
            dofs.filter(|dof| effort[*dof].is_finite()).map(|dof| effort[dof].to_string()).collect();
        output::line(format!("{name:<28} {kind:<8} {:<20} {}", limits.join(", "), most.join(", ")))?;
    }
    Ok(())
}
