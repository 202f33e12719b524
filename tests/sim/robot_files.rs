//! Real robot files against what MuJoCo says of them in double precision.
//!
//! The files lie in Python wheels, which are fetched with pip and checked by their sums; `robots.json` says which and what is
//! right (its own README is the head of `tests/sim/robots.py`). The small ones are always read, the others with
//! `WARP_ROBOTS=all`. Without a network the test says so and passes, but fails where `CI` is set.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use warp::math::{DMat3, DQuat, DVec3};
use warp::prelude::*;
use warp::sim::articulation::{bias, forward_kinematics, gravity_effort, mass_matrix};
use warp::sim::import::{Imported, Importer};
use warp::sim::{Featherstone, JointKind, Model, ModelBuilder, Solver, State};

use super::assert_near;

/// Wheels of less than 15 MB.
const SMALL: [&str; 5] = ["gymnasium", "brax", "mujoco_warp", "newton", "airo_models"];

fn reference() -> Value {
    serde_json::from_str(include_str!("robots.json")).unwrap()
}

/// Where the files of a wheel are, or why they are not there.
fn unpacked(wheel: &str, about: &Value) -> Result<PathBuf, String> {
    // Tests run beside each other, and fetch each wheel once.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("robots").join(wheel);
    if folder.join("whole").is_file() {
        return Ok(folder);
    }
    let text = |name: &str| about[name].as_str().unwrap().to_owned();
    let said = Command::new("python3")
        .args(["-c", include_str!("robots.py"), &text("requirement"), &text("file"), &text("sha256")])
        .arg(&folder)
        .output()
        .map_err(|error| format!("python3 does not run: {error}"))?;
    match said.status.success() {
        true => Ok(folder),
        false => Err(String::from_utf8_lossy(&said.stderr).into_owned()),
    }
}

/// The same; without a network a user is told, and has none, but where `CI` is set it fails.
fn fetched(wheel: &str, reference: &Value) -> Option<PathBuf> {
    match unpacked(wheel, &reference["wheels"][wheel]) {
        Ok(folder) => Some(folder),
        Err(why) if std::env::var_os("CI").is_none() => {
            println!("The robots of `{wheel}` were not compared: {why}");
            None
        }
        Err(why) => panic!("the robots of `{wheel}` cannot be fetched: {why}"),
    }
}

/// The coordinates of the rule that the reference has, by joint of the file.
fn pose(model: &Model, robot: &Imported, limits: &BTreeMap<usize, [f64; 2]>) -> (Vec<f64>, Vec<f64>) {
    let start = model.state().unwrap();
    let mut q: Vec<f64> = start.joint_q.to_vec().unwrap().into_iter().map(f64::from).collect();
    let mut qd = vec![0.0; model.dofs()];
    let mut number = 0;
    for (_, joint) in &robot.joints {
        let (at, dof) = (model.joint_q_range(0, *joint).unwrap(), model.joint_qd_range(0, *joint).unwrap());
        match model.joint_kind(0, *joint).unwrap() {
            JointKind::Ball => {
                let axis = DVec3::new(1.0, 2.0, 3.0) / 14f64.sqrt();
                let turn = DQuat::from_axis_angle(axis, 0.4);
                q[at].copy_from_slice(&turn.to_array());
                // The reference tells speeds of balls along the child's axes.
                qd[dof].copy_from_slice(&(turn * DVec3::new(0.1, -0.2, 0.3)).to_array());
            }
            JointKind::Axes => {
                for (at, dof) in at.zip(dof) {
                    let slides = !turns(model, dof);
                    let k = f64::from(number + 1);
                    let most = if slides { 1.0 } else { 2.0 * std::f64::consts::PI };
                    q[at] = match limits.get(&dof) {
                        Some([low, high]) if low < high && high - low <= most + 1e-6 => {
                            low + (high - low) * (0.25 + 0.5 * (0.618034 * k).fract())
                        }
                        _ => 0.6 * (1.3 * k).sin() * if slides { 0.1 } else { 1.0 },
                    };
                    qd[dof] = 0.5 * (0.9 * k).cos();
                    number += 1;
                }
            }
            _ => {}
        }
    }
    (q, qd)
}

/// Whether a degree of freedom turns: its column of the Jacobian has an angular part.
fn turns(model: &Model, dof: usize) -> bool {
    let state = model.state().unwrap();
    let joint = model.joint_ids(0).unwrap().find(|joint| model.joint_qd_range(0, *joint).unwrap().contains(&dof));
    let body = model.joint_child(0, joint.unwrap()).unwrap();
    let column = warp::sim::articulation::jacobian(model, &state, body, Vec3::ZERO).unwrap().to_vec().unwrap()[dof];
    column.angular.length_squared() > 0.0
}

/// How speeds of this library follow from those of the reference, whose free joints tell the speed of the origin and turn about
/// the body's axes, and whose balls turn about the child's.
fn change(model: &Model, state: &State) -> Vec<Vec<f64>> {
    let dofs = model.dofs();
    let mut all: Vec<Vec<f64>> = (0..dofs).map(|k| (0..dofs).map(|j| f64::from(u8::from(j == k))).collect()).collect();
    let place = |all: &mut Vec<Vec<f64>>, row: usize, column: usize, block: DMat3| {
        for (k, line) in block.transpose().to_cols_array_2d().iter().enumerate() {
            all[row + k][column..column + 3].copy_from_slice(line);
        }
    };
    let q = state.joint_q.to_vec().unwrap();
    let joints = model.joint_ids(0).unwrap().collect::<Vec<_>>();
    for joint in joints {
        let (at, dof) = (model.joint_q_range(0, joint).unwrap(), model.joint_qd_range(0, joint).unwrap().start);
        let turn = |first: usize| {
            DMat3::from_quat(DQuat::from_array([0, 1, 2, 3].map(|k| f64::from(q[first + k]))).normalize())
        };
        match model.joint_kind(0, joint).unwrap() {
            JointKind::Ball => place(&mut all, dof, dof, turn(at.start)),
            JointKind::Free => {
                let turn = turn(at.start + 3);
                let body = model.body_inertia(0, model.joint_child(0, joint).unwrap()).unwrap();
                let r = turn * body.com.as_dvec3();
                let cross = DMat3::from_cols(DVec3::X.cross(r), DVec3::Y.cross(r), DVec3::Z.cross(r));
                place(&mut all, dof, dof + 3, cross * turn);
                place(&mut all, dof + 3, dof + 3, turn);
            }
            _ => {}
        }
    }
    all
}

fn numbers(of: &Value) -> Vec<f64> {
    of.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[track_caller]
fn assert_vector(name: &str, found: &[f64], right: &[f64], tolerance: f64) {
    assert_eq!(found.len(), right.len(), "{name}");
    let largest = right.iter().fold(1e-4f64, |most, x| most.max(x.abs()));
    for (k, (found, right)) in found.iter().zip(right).enumerate() {
        let off = (found - right).abs() / largest;
        assert!(off <= tolerance, "{name}[{k}] is {found}, and should be {right}: {off:.1e} of the largest");
    }
}

fn times(rows: &[Vec<f64>], v: &[f64]) -> Vec<f64> {
    rows.iter().map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum()).collect()
}

fn transposed(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..rows.len()).map(|k| rows.iter().map(|row| row[k]).collect()).collect()
}

fn doubles(of: &Array<f32>) -> Vec<f64> {
    of.to_vec().unwrap().into_iter().map(f64::from).collect()
}

/// A file without ties between joints, since the reference moves each joint for itself, and without the shapes of URDF, which it
/// leaves out: they stand in for inertias of zero.
fn untied(text: &str, urdf: bool) -> String {
    let mut rest = text.to_owned();
    let shapes = [("<collision", "</collision>"), ("<visual", "</visual>")];
    for (begin, end) in
        [("<equality>", "</equality>"), ("<mimic", "/>")].into_iter().chain(shapes.into_iter().filter(|_| urdf))
    {
        while let Some(at) = rest.find(begin)
            && let Some(length) = rest[at..].find(end)
        {
            rest.replace_range(at..at + length + end.len(), "");
        }
    }
    rest
}

/// Poses, masses and dynamics of one file.
fn check(name: &str, path: &Path, right: &Value) {
    let urdf = right["kind"] == "urdf";
    let mut b = ModelBuilder::new();
    // Parts that the reference leaves out too do not change what is compared: forces that act besides bias and mass.
    let how = Importer::new().collapse_fixed(false).leave_out(true);
    let text = untied(&String::from_utf8_lossy(&std::fs::read(path).unwrap()), urdf);
    // As it is, it can be read too.
    how.file(path, &mut ModelBuilder::new()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let how = how.folder(path.parent().unwrap());
    let robot = if urdf { how.urdf(&text, &mut b) } else { how.mjcf(&text, &mut b) };
    let robot = robot.unwrap_or_else(|error| panic!("{name}: {error}"));
    // What the reference could not take has impossible inertias, or none.
    b.repair_inertia(right["dynamics"].is_null());
    if right["total_mass"] == 0.0 {
        let told = b.finalize(&Device::cpu()).unwrap_err().to_string();
        assert!(told.contains("has no mass"), "{name}: {told}");
        return;
    }
    let model = b.finalize(&Device::cpu()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let wanted = if urdf { "links" } else { "bodies" };
    assert_eq!(robot.bodies.len() as u64, right[wanted].as_u64().unwrap(), "{name}: {wanted}");
    if let (Some(nv), Some(nq)) = (right["nv"].as_u64(), right["nq"].as_u64()) {
        assert_eq!(
            (model.dofs() as u64, model.coordinates() as u64),
            (nv, nq),
            "{name}: degrees of freedom, coordinates"
        );
    }
    let mut total = 0.0;
    for (number, (label, body)) in robot.bodies.iter().enumerate() {
        let mass = f64::from(model.body_inertia(0, *body).unwrap().mass);
        total += mass;
        let label = if label.is_empty() { format!("body{}", number + 1) } else { label.clone() };
        let stated = right["body_mass"].get(&label).and_then(Value::as_f64).unwrap_or(0.0);
        assert_near(&format!("{name}: the mass of {label}"), mass, stated, 1e-5 * stated.max(1e-3));
    }
    let stated = right["total_mass"].as_f64().unwrap();
    assert_near(&format!("{name}: the mass"), total, stated, 1e-5 * stated);
    let dynamics = &right["dynamics"];
    if dynamics.is_null() {
        return;
    }
    let limits = model
        .joint_limit_lower
        .array()
        .to_vec()
        .unwrap()
        .into_iter()
        .zip(model.joint_limit_upper.array().to_vec().unwrap())
        .enumerate()
        .filter(|(_, (low, high))| low.is_finite() && high.is_finite())
        .map(|(dof, (low, high))| (dof, [f64::from(low), f64::from(high)]))
        .collect();
    let (q, qd) = pose(&model, &robot, &limits);
    let mut state = model.state().unwrap();
    state.joint_q.copy_from_slice(&q.iter().map(|x| *x as f32).collect::<Vec<_>>()).unwrap();
    state.joint_qd.copy_from_slice(&qd.iter().map(|x| *x as f32).collect::<Vec<_>>()).unwrap();
    forward_kinematics(&model, &mut state).unwrap();
    for (number, (label, body)) in robot.bodies.iter().enumerate() {
        let found = state.body_q.get(model.body_at(0, *body).unwrap()).unwrap();
        let label = if label.is_empty() { format!("body{}", number + 1) } else { label.clone() };
        let pose = numbers(&dynamics["body_pose_xyz_xyzw"][&label]);
        let place = DVec3::from_slice(&pose);
        assert_near(
            &format!("{name}: where {label} is"),
            (found.p.as_dvec3() - place).length(),
            0.0,
            1e-5 * place.length().max(1.0),
        );
        let turn = DQuat::from_slice(&pose[3..]);
        let own = DQuat::from_array(found.q.to_array().map(f64::from));
        assert_near(&format!("{name}: how {label} is turned"), own.dot(turn).abs(), 1.0, 1e-6);
    }
    let dofs = model.dofs();
    let dense = mass_matrix(&model, &state).unwrap().to_vec().unwrap();
    let rows: Vec<Vec<f64>> = dense.chunks(dofs).map(|row| row.iter().map(|x| f64::from(*x)).collect()).collect();
    let change = change(&model, &state);
    let back = transposed(&change);
    let theirs: Vec<Vec<f64>> = transposed(&back.iter().map(|row| times(&transposed(&rows), row)).collect::<Vec<_>>());
    let theirs: Vec<Vec<f64>> = back.iter().map(|row| times(&transposed(&theirs), row)).collect::<Vec<_>>();
    let diagonal: Vec<f64> = (0..dofs).map(|k| theirs[k][k]).collect();
    assert_vector(&format!("{name}: the diagonal of M"), &diagonal, &numbers(&dynamics["mass_matrix_diag"]), 1e-5);
    let momentum = times(&back, &times(&rows, &qd));
    assert_vector(&format!("{name}: M qd"), &momentum, &numbers(&dynamics["mass_matrix_times_qd"]), 1e-5);
    let found = times(&back, &doubles(&bias(&model, &state).unwrap()));
    assert_vector(&format!("{name}: the bias"), &found, &numbers(&dynamics["bias"]), 1e-5);
    let found = times(&back, &doubles(&gravity_effort(&model, &state).unwrap()));
    assert_vector(&format!("{name}: gravity"), &found, &numbers(&dynamics["gravity_force"]), 1e-5);
    if let Some(right) = dynamics["mass_matrix"].as_array() {
        for (k, row) in right.iter().enumerate() {
            let largest = numbers(&dynamics["mass_matrix_diag"]).into_iter().fold(0.0, f64::max);
            for (j, entry) in numbers(row).into_iter().enumerate() {
                assert_near(&format!("{name}: M[{k}, {j}]"), theirs[k][j], entry, 1e-5 * largest);
            }
        }
    }
    let energy = warp::sim::articulation::energy(&model, &state).unwrap().get(0).unwrap();
    let kinetic = dynamics["kinetic"].as_f64().unwrap();
    let potential = dynamics["potential"].as_f64().unwrap();
    let found = f64::from(energy.potential) + f64::from(energy.elastic);
    // Springs that are left out have energy in the reference.
    if !robot.warnings.iter().any(|warning| warning.text.contains("springdamper")) {
        assert_near(&format!("{name}: potential energy"), found, potential, 1e-5 * potential.abs().max(1.0));
    }
    assert_near(&format!("{name}: kinetic energy"), f64::from(energy.kinetic), kinetic, 1e-5 * kinetic.max(1e-3));
}

#[test]
fn robot_files_have_the_dynamics_of_the_reference() {
    let reference = reference();
    let all = std::env::var("WARP_ROBOTS").is_ok_and(|value| value == "all");
    let only = std::env::var("WARP_ROBOTS").ok().filter(|value| value != "all");
    let (mut checked, mut wrong) = (0, vec![]);
    for (name, right) in reference["models"].as_object().unwrap() {
        let wheel = right["wheel"].as_str().unwrap();
        if !(all || SMALL.contains(&wheel)) && only.as_deref() != Some(name) {
            continue;
        }
        let Some(folder) = fetched(wheel, &reference) else { continue };
        let path = folder.join(right["path"].as_str().unwrap());
        // All that are wrong are told.
        if std::panic::catch_unwind(|| check(name, &path, right)).is_err() {
            wrong.push(name.as_str());
        }
        checked += 1;
    }
    println!("{checked} robots were compared.");
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// A real arm: random poses that it can reach, each within its limits.
#[test]
fn a_real_arm_reaches_what_it_can_reach() {
    let reference = reference();
    let switched = std::env::var("WARP_ROBOTS").is_ok_and(|value| value == "all");
    let arms = [("airo_ur5e", "wrist_3_link"), ("genesis_panda", "hand")];
    for (name, hand) in arms.into_iter().take(if switched { 2 } else { 1 }) {
        let right = &reference["models"][name];
        let wheel = right["wheel"].as_str().unwrap();
        let Some(folder) = fetched(wheel, &reference) else { continue };
        let mut b = ModelBuilder::new();
        let path = folder.join(right["path"].as_str().unwrap());
        let robot = Importer::new().leave_out(true).file(path, &mut b).unwrap();
        let hand = robot.bodies.iter().find(|(label, _)| label == hand).map(|(_, body)| *body);
        let hand = hand.or_else(|| robot.frames[hand_of(name)].body).unwrap();
        let model = b.replicate(100).finalize(&Device::cpu()).unwrap();
        let (count, found) = super::inverse_kinematics::reached(&model, hand, 5);
        assert!(count >= 95, "{name}: only {count} of 100 are reached: {found:?}");
    }
}

/// What the hand of an arm is called, where it became part of another link.
fn hand_of(name: &str) -> &'static str {
    if name == "airo_ur5e" { "tool0" } else { "hand" }
}

/// The flange of the UR5e by its Denavit-Hartenberg table.
#[test]
fn the_flange_of_an_arm_is_where_its_table_says() {
    let reference = reference();
    let right = &reference["models"]["airo_ur5e"];
    let Some(folder) = fetched("airo_models", &reference) else { return };
    let mut b = ModelBuilder::new();
    let robot = Importer::new().file(folder.join(right["path"].as_str().unwrap()), &mut b).unwrap();
    let model = b.finalize(&Device::cpu()).unwrap();
    let mut state = model.state().unwrap();
    let q = [0.57813491, 0.30930082, 1.11244424, -0.53007279, 0.12907199, 0.59912601f64];
    state.joint_q.copy_from_slice(&q.map(|angle| angle as f32)).unwrap();
    forward_kinematics(&model, &mut state).unwrap();
    let body = robot.bodies.iter().find(|(label, _)| label == "wrist_3_link").unwrap().1;
    let at = state.body_q.get(model.body_at(0, body).unwrap()).unwrap();
    // The frame of the last link lies in the flange: the table's last length is part of its joint.
    let flange = at.p.as_dvec3();
    let table = DVec3::new(0.20277096, 0.40941510, -0.42731655);
    assert_near("the flange", (flange - table).length(), 0.0, 1e-5);
}

/// Masses, centres and inertias of a real arm decide where it is after fifty steps as differences say.
#[test]
fn a_real_arm_has_gradients_by_its_masses() {
    let reference = reference();
    let right = &reference["models"]["airo_ur5e"];
    let Some(folder) = fetched("airo_models", &reference) else { return };
    let mut b = ModelBuilder::new();
    Importer::new().file(folder.join(right["path"].as_str().unwrap()), &mut b).unwrap();
    let mut model = b.finalize(&Device::cpu()).unwrap();
    // Where joints start at rest, no friction at all is a kink.
    model.joint_friction.array_mut().fill(0.05).unwrap();
    let solver = Featherstone::new(&model).unwrap();
    let control = model.control().unwrap();
    let mut states: Vec<State> = (0..=50).map(|_| model.state().unwrap()).collect();
    states[0].joint_q.copy_from_slice(&[0.5, -1.2, 1.0, 0.3, 0.4, 0.2]).unwrap();
    let check = warp::GradCheck::new().entries(7);
    let report = check.run(|| {
        for step in 0..50 {
            let (from, to) = states.split_at_mut(step + 1);
            solver.step(&model, &from[step], &mut to[0], &control, 0.005).map_err(|error| match error {
                warp::sim::Error::Runtime(error) => error,
                other => panic!("{other}"),
            })?;
        }
        Ok(())
    });
    let report = report.unwrap();
    assert!(report.passes(), "{report}");
}
