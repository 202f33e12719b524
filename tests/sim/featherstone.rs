//! Robots in joint coordinates, against closed forms and published values.

use warp::math::{DMat3, DQuat, DVec3};
use warp::prelude::*;
use warp::sim::articulation::inverse_dynamics;
use warp::sim::{Featherstone, Model, ModelBuilder, Shape, Stepper};

use super::trees::{Kind, Numbers, Tree};
use super::{assert_near, cpu, featherstone, weightless};

type Sim<'m> = Stepper<'m, Featherstone>;

fn q(sim: &Sim<'_>, k: usize) -> f64 {
    f64::from(sim.state.joint_q.get(k).unwrap())
}

fn qd(sim: &Sim<'_>, k: usize) -> f64 {
    f64::from(sim.state.joint_qd.get(k).unwrap())
}

fn run(sim: &mut Sim<'_>, seconds: f64, dt: f64) {
    for _ in 0..(seconds / dt).round() as usize {
        sim.step(dt as f32).unwrap();
    }
    sim.check().unwrap();
}

/// A mass on a massless rod of 1 m, hanging down at zero.
fn point(b: &mut ModelBuilder, angle: f64) {
    let body = b.body("bob").mass_properties(1.0, [0.0, 0.0, -1.0], DMat3::ZERO).id();
    b.revolute("hinge", None, body, [0.0, 1.0, 0.0]).position(angle);
}

const ROD: DMat3 = DMat3::from_diagonal(DVec3::new(1.0 / 12.0, 1.0 / 12.0, 1e-4));

/// A uniform rod of 1 m and 1 kg, hanging down at zero from its end.
fn rod(b: &mut ModelBuilder, angle: f64) {
    let body = b.body("rod").mass_properties(1.0, [0.0, 0.0, -0.5], ROD).id();
    b.revolute("hinge", None, body, [0.0, 1.0, 0.0]).position(angle);
}

/// The time of a swing over and back, from crossings of the lowest point.
fn period(model: &Model, dt: f64, most: f64) -> f64 {
    let mut sim = featherstone(model);
    let (mut crossings, mut last) = (vec![], q(&sim, 0));
    for step in 1..(most / dt) as usize {
        sim.step(dt as f32).unwrap();
        let now = q(&sim, 0);
        if (now < 0.0) != (last < 0.0) {
            crossings.push((step as f64 - now / (now - last)) * dt);
        }
        last = now;
    }
    crossings[2] - crossings[0]
}

#[test]
fn pendulums_swing_in_their_periods() {
    for (angle, right) in [(0.1, 2.00732119), (1.0, 2.13913760), (2.0, 2.66587094), (3.0, 5.15806675)] {
        let mut b = ModelBuilder::new();
        point(&mut b, angle);
        let tolerance = if angle == 3.0 { 5e-3 } else { 1e-3 };
        assert_near(&format!("the period from {angle} rad"), period(&cpu(&b), 1e-3, 8.0) / right, 1.0, tolerance);
    }
    for (angle, right) in [(0.1, 1.63897089), (1.0, 1.74659854), (2.0, 2.17667451)] {
        let mut b = ModelBuilder::new();
        rod(&mut b, angle);
        assert_near(&format!("the rod's from {angle} rad"), period(&cpu(&b), 1e-3, 4.0) / right, 1.0, 1e-3);
    }
}

/// A rotor of some inertia on the hinge slows the swing.
#[test]
fn armature_counts_as_inertia() {
    let mut b = ModelBuilder::new();
    let body = b.body("rod").mass_properties(1.0, [0.0, 0.0, -0.5], ROD).id();
    b.revolute("hinge", None, body, [0.0, 1.0, 0.0]).position(0.1).armature(0.2);
    let right = 1.63897089 * ((1.0f64 / 3.0 + 0.2) * 3.0).sqrt();
    assert_near("the period", period(&cpu(&b), 1e-3, 5.0) / right, 1.0, 1e-3);
}

#[test]
fn a_pendulum_keeps_its_energy_over_a_hundred_swings() {
    let mut b = ModelBuilder::new();
    point(&mut b, 1.0);
    let model = cpu(&b);
    let mut sim = featherstone(&model);
    // From its lowest point, which is where the energy is measured from.
    let height = 9.81 * (1.0 - f64::cos(1.0));
    let energy = |sim: &Sim<'_>| 0.5 * qd(sim, 0).powi(2) + 9.81 * (1.0 - q(sim, 0).cos());
    let swings = 100;
    let mut means = vec![];
    for _ in 0..swings {
        let (mut sum, mut most) = (0.0, 0.0f64);
        for _ in 0..2139 {
            sim.step(1e-3).unwrap();
            let off = energy(&sim) / height - 1.0;
            sum += off;
            most = most.max(off.abs());
        }
        assert!(most < 3e-3, "the energy swings by {most}");
        means.push(sum / 2139.0);
    }
    let middle = 0.5 * f64::from(swings - 1);
    let (over, under) = means.iter().zip(0..).fold((0.0, 0.0), |(over, under), (mean, k)| {
        let x = f64::from(k) - middle;
        (over + x * mean, under + x * x)
    });
    let slope: f64 = over / under;
    assert!(slope.abs() < 1e-5, "the energy drifts by {slope} a swing");
}

/// Two rods, or two point masses, one below the other.
fn double(point: bool, angles: [f64; 2]) -> Model {
    let mut b = ModelBuilder::new();
    let mut parent = None;
    for k in 0..2 {
        let (com, inertia) = if point { (-1.0, DMat3::ZERO) } else { (-0.5, ROD) };
        let body = b.body(["upper", "lower"][k]).at([0.0, 0.0, -(k as f64)]);
        let body = body.mass_properties(1.0, [0.0, 0.0, com], inertia).id();
        b.revolute(["first", "second"][k], parent, body, [0.0, 1.0, 0.0]).position(angles[k]);
        parent = Some(body);
    }
    cpu(&b)
}

#[test]
fn double_pendulums_go_where_integrators_of_high_order_say() {
    let rods = double(false, [1.0, 0.0]);
    let right = [-0.80579616, -0.07468375, -2.08576238, 2.27098172];
    let off = |dt: f64| {
        let mut sim = featherstone(&rods);
        run(&mut sim, 1.0, dt);
        let found = [q(&sim, 0), q(&sim, 1), qd(&sim, 0), qd(&sim, 1)];
        found.iter().zip(right).fold(0.0f64, |most, (found, right)| most.max((found - right).abs()))
    };
    let [coarse, half, fine] = [1e-3, 5e-4, 1e-4].map(off);
    assert!(coarse < 3e-3 && fine < 4e-4, "{coarse} and {fine}");
    assert_near("the error's ratio on half the step", coarse / half, 2.0, 0.2);

    let points = double(true, [0.5, 0.0]);
    let mut sim = featherstone(&points);
    run(&mut sim, 1.0, 1e-4);
    assert_near("the upper angle", q(&sim, 0), -0.24343057, 4e-4);
    assert_near("the lower angle", q(&sim, 1), -0.27979779, 4e-4);
    run(&mut sim, 2.0, 1e-4);
    assert_near("the upper angle later", q(&sim, 0), 0.29056063, 3e-3);
    assert_near("the lower angle later", q(&sim, 1), 0.15156727, 3e-3);
}

/// A fast top leans and goes round slowly, and neither rises nor falls.
#[test]
fn a_heavy_top_goes_round_steadily() {
    let (spin, tilt, slow) = (200.0, 30f64.to_radians(), 0.99164519);
    let mut b = ModelBuilder::new();
    let inertia = DMat3::from_diagonal([0.0025, 0.0025, 0.005].into());
    let disc = b.body("disc").mass_properties(1.0, [0.0, 0.0, 0.1], inertia).id();
    let lean = DQuat::from_rotation_y(tilt);
    b.ball("tip", None, disc).turned(lean);
    let model = cpu(&b);
    let mut sim = featherstone(&model);
    let axis = lean * DVec3::Z;
    let turn = axis * spin + (DVec3::Z - axis * tilt.cos()) * slow;
    sim.state.joint_qd.copy_from_slice(&turn.to_array().map(|w| w as f32)).unwrap();
    let axis_now = |sim: &Sim<'_>| {
        let rotation: Vec<f64> = (0..4).map(|k| q(sim, k)).collect();
        DQuat::from_slice(&rotation) * DVec3::Z
    };
    let (mut turned, mut last) = (0.0, 0.0);
    for _ in 0..5000 {
        sim.step(1e-3).unwrap();
        let axis = axis_now(&sim);
        let lean = axis.z.acos().to_degrees();
        assert_near("the lean", lean, 30.0, 0.1);
        let angle = axis.y.atan2(axis.x);
        turned += (angle - last + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
        last = angle;
    }
    assert_near("how fast it goes round", turned / 5.0 / slow, 1.0, 5e-3);
}

/// A box that turns about its middle axis, as the root of a tree: two halves held together.
#[test]
fn a_root_spins_as_a_free_body_does() {
    let mut b = weightless();
    let half = Shape::cuboid([0.1, 0.2, 0.15]);
    let lower = b.body("lower").at([0.0, 0.0, -0.15]).spin([0.2, 5.0, 0.0]).velocity([-0.75, 0.0, 0.0]);
    // The velocity is that of its own centre of mass, and the middle of both stands still.
    let lower = lower.velocity(DVec3::new(0.2, 5.0, 0.0).cross(DVec3::new(0.0, 0.0, -0.15)));
    let lower = lower.shape(half.clone()).mass(0.5).id();
    let upper = b.body("upper").at([0.0, 0.0, 0.15]).shape(half).mass(0.5).id();
    b.fixed("glue", lower, upper);
    let model = cpu(&b);
    let mut sim = featherstone(&model);
    let before = model.measure(&sim.state).unwrap()[0];
    assert_near("2 E", 2.0 * before.kinetic, 0.83506667, 1e-6);
    let (mut flips, mut last) = (vec![], 5.0);
    for step in 1..=20_000u32 {
        sim.step(1e-3).unwrap();
        let (pose, twist) = (sim.state.body_q.get(0).unwrap(), sim.state.body_qd.get(0).unwrap());
        let along = (pose.q.conjugate() * twist.angular).y;
        if (along < 0.0) != (last < 0.0) {
            flips.push(f64::from(step) * 1e-3 - f64::from(along / (along - last)) * 1e-3);
        }
        last = along;
    }
    let after = model.measure(&sim.state).unwrap()[0];
    assert_near("dE/E", after.kinetic / before.kinetic - 1.0, 0.0, 1e-4);
    let lost = (after.angular_momentum - before.angular_momentum).length() / before.angular_momentum.length();
    assert_near("dL/L", lost, 0.0, 1e-4);
    assert_eq!(flips.len(), 6, "{flips:?}");
    for (number, flip) in (0u32..).zip(flips) {
        assert_near("a flip", flip, 1.76371075 + 3.5274215 * f64::from(number), 0.02);
    }
}

/// The accelerations of a step make the efforts that act, by inverse dynamics.
#[test]
fn accelerations_make_the_efforts_that_act() {
    for seed in 0..20 {
        let (tree, motion) = Tree::random(seed, 1 + seed as usize % 6);
        let model = cpu(&tree.described(&motion));
        let mut sim = featherstone(&model);
        let mut n = Numbers::new(seed + 7);
        // Where rotations are taken in the middle of the step, a start at rest and a short step leave nothing of that; else
        // accelerations are those of the start, and a long step shows all their digits.
        let turns = tree.joints.iter().any(|joint| !matches!(joint.kind, Kind::Axes(..)));
        let (moving, dt) = if turns { (0.0, 1e-3) } else { (1.0, 1.0) };
        let speeds: Vec<f32> = motion.qd.iter().map(|v| (moving * *v) as f32).collect();
        sim.state.joint_qd.copy_from_slice(&speeds).unwrap();
        let efforts: Vec<f32> = motion.qd.iter().map(|_| 5.0 * n.next() as f32).collect();
        sim.control.joint_f.copy_from_slice(&efforts).unwrap();
        let start = sim.state.try_clone().unwrap();
        sim.step(dt).unwrap();
        let after = sim.state.joint_qd.to_vec().unwrap();
        let qdd: Vec<f32> = after.iter().zip(&speeds).map(|(after, before)| (after - before) / dt).collect();
        let largest = qdd.iter().fold(1.0f32, |most, rate| most.max(rate.abs()));
        let qdd = Array::from_slice(&Device::cpu(), &qdd).unwrap();
        let found = inverse_dynamics(&model, &start, &qdd).unwrap().to_vec().unwrap();
        for (k, (found, right)) in found.iter().zip(&efforts).enumerate() {
            let tolerance = 1e-4 * f64::from(largest.max(5.0));
            assert_near(&format!("seed {seed}: effort {k}"), f64::from(*found), f64::from(*right), tolerance);
        }
    }
}

/// Gravity pulls a level rod past its limit.
#[test]
fn a_limit_holds() {
    let mut b = ModelBuilder::new();
    let body = b.body("rod").mass_properties(
        1.0,
        [0.5, 0.0, 0.0],
        DMat3::from_diagonal([1e-4, 1.0 / 12.0, 1.0 / 12.0].into()),
    );
    let body = body.id();
    let limit = 30f64.to_radians();
    b.revolute("hinge", None, body, [0.0, 1.0, 0.0]).limits(-1.0, limit);
    let model = cpu(&b);
    let mut sim = featherstone(&model);
    let mut highest = 0.0f64;
    for _ in 0..5000 {
        sim.step(1e-3).unwrap();
        highest = highest.max(q(&sim, 0));
    }
    assert_near("where it rests", q(&sim, 0), limit, 2e-3);
    assert!(highest < limit + 2e-3, "it went to {highest}");
    assert_near("its speed", qd(&sim, 0), 0.0, 1e-5);
}

/// A soft limit gives as its spring does.
#[test]
fn a_soft_limit_gives() {
    let mut b = ModelBuilder::new();
    let body = b.body("load").mass_properties(2.0, [0.0; 3], DMat3::IDENTITY).id();
    b.prismatic("slide", None, body, [0.0, 0.0, 1.0]).limits(-0.1, 1.0).soft_limits(1000.0, 200.0);
    let model = cpu(&b);
    let mut sim = featherstone(&model);
    run(&mut sim, 4.0, 1e-3);
    assert_near("where it rests", q(&sim, 0), -0.1 - 2.0 * 9.81 / 1000.0, 1e-5);
}

#[test]
fn a_drive_holds_where_its_spring_balances() {
    let level = |stiffness: f64, damping: f64| {
        let mut b = ModelBuilder::new();
        let inertia = DMat3::from_diagonal([1e-4, 1.0 / 12.0, 1.0 / 12.0].into());
        let body = b.body("rod").mass_properties(1.0, [0.5, 0.0, 0.0], inertia).id();
        // Up is positive.
        b.revolute("hinge", None, body, [0.0, -1.0, 0.0]).drive(stiffness, damping);
        cpu(&b)
    };
    let model = level(100.0, 10.0);
    let mut sim = featherstone(&model);
    run(&mut sim, 5.0, 1e-3);
    assert_near("where it holds", q(&sim, 0), -0.04899115, 1e-4);
    let model = level(1e6, 1e3);
    let mut sim = featherstone(&model);
    run(&mut sim, 5.0, 1.0 / 60.0);
    assert_near("where a stiff one holds", q(&sim, 0), -4.905e-6, 1e-6);
}

/// All drives push with their limit towards what is far.
#[test]
fn drives_do_no_more_than_their_limit() {
    for (stiffness, damping, target, speed) in [(1e4, 0.0, 100.0, 0.0), (0.0, 1e3, 0.0, 1e3), (500.0, 10.0, 50.0, 0.0)]
    {
        let mut b = weightless();
        let body = b.body("rod").mass_properties(1.0, [0.0, 0.0, -0.5], ROD).id();
        let hinge = b.revolute("hinge", None, body, [0.0, 1.0, 0.0]).drive(stiffness, damping);
        hinge.target(target).target_velocity(speed).effort_limit(5.0);
        let model = cpu(&b);
        let mut sim = featherstone(&model);
        run(&mut sim, 0.1, 1e-3);
        assert_near("its speed", qd(&sim, 0), 1.5, 0.015);
    }
}

#[test]
fn a_speed_limit_holds_and_lets_go() {
    let mut b = weightless();
    let body = b.body("rod").mass_properties(1.0, [0.0, 0.0, -0.5], ROD).id();
    b.revolute("hinge", None, body, [0.0, 1.0, 0.0]).velocity_limit(2.0);
    let model = cpu(&b);
    let mut sim = featherstone(&model);
    sim.control.joint_f.fill(1.0).unwrap();
    run(&mut sim, 2.0, 1e-2);
    assert_near("its speed", qd(&sim, 0), 2.0, 1e-6);
    sim.control.joint_f.fill(-1.0).unwrap();
    run(&mut sim, 0.1, 1e-2);
    assert_near("its speed after", qd(&sim, 0), 2.0 - 0.1 * 3.0, 1e-4);
}

#[test]
fn friction_sticks_and_slides() {
    let mut b = weightless();
    let body = b.body("rod").mass_properties(1.0, [0.0, 0.0, -0.5], ROD).id();
    b.revolute("hinge", None, body, [0.0, 1.0, 0.0]).friction(1.0);
    let model = cpu(&b);
    let mut sim = featherstone(&model);
    sim.control.joint_f.fill(0.9).unwrap();
    run(&mut sim, 1.0, 1e-3);
    assert_near("what sticks", q(&sim, 0), 0.0, 1e-4);
    sim.control.joint_f.fill(1.1).unwrap();
    run(&mut sim, 1.0, 1e-3);
    assert_near("what slides", qd(&sim, 0), 0.3, 3e-3);
    // Without a push it stops, and stays.
    sim.control.joint_f.fill(0.0).unwrap();
    run(&mut sim, 1.0, 1e-3);
    assert_near("its speed", qd(&sim, 0), 0.0, 1e-7);
}

/// Fingers of a gripper: one follows the other, under a load on the follower.
#[test]
fn followers_follow_under_load() {
    for (ratio, offset) in [(1.0, 0.0), (-0.5, 0.01)] {
        let mut b = ModelBuilder::new();
        let palm = b.body("palm").mass_properties(1.0, [0.0; 3], DMat3::IDENTITY).id();
        b.fixed("wrist", None, palm);
        let [left, right] =
            ["left", "right"].map(|name| b.body(name).mass_properties(0.1, [0.0; 3], DMat3::IDENTITY * 1e-4).id());
        let driven = b.prismatic("driver", palm, left, [0.0, 1.0, 0.0]).drive(2000.0, 100.0).target(0.02).id();
        let follower = b.prismatic("follower", palm, right, [0.0, 1.0, 0.0]).mimic(driven, ratio, offset).id();
        let model = cpu(&b);
        let mut sim = featherstone(&model);
        let at = |joint| model.joint_q_range(0, joint).unwrap().start;
        let mut loads = vec![0.0; model.dofs()];
        loads[model.joint_qd_range(0, follower).unwrap().start] = -50.0;
        sim.control.joint_f.copy_from_slice(&loads).unwrap();
        for _ in 0..1000 {
            sim.step(1e-3).unwrap();
            let (lead, follow) = (q(&sim, at(driven)), q(&sim, at(follower)));
            assert_near("the follower", follow, ratio * lead + offset, 1e-6);
        }
        // The load reaches the drive by the ratio.
        assert_near("the driver", q(&sim, at(driven)), 0.02 - ratio * 50.0 / 2000.0, 1e-5);
    }
}

/// A ball joint hangs a rod from above, thrown against its cone.
#[test]
fn a_cone_holds() {
    let limit = 30f64;
    for spin in [[0.0, 6.0, 0.0], [3.0, 4.0, 2.0], [0.0, -8.0, 9.0]] {
        let mut b = ModelBuilder::new();
        // Its own z axis points up at rest, so the cone is about the vertical.
        let body = b.body("rod").mass_properties(1.0, [0.0, 0.0, -0.5], ROD).id();
        b.ball("shoulder", None, body).cone(limit.to_radians());
        let model = cpu(&b);
        let mut sim = featherstone(&model);
        sim.state.joint_qd.copy_from_slice(&spin.map(|w: f64| w as f32)).unwrap();
        let mut widest = 0.0f64;
        for _ in 0..5000 {
            sim.step(1e-3).unwrap();
            let rotation: Vec<f64> = (0..4).map(|k| q(&sim, k)).collect();
            widest = widest.max((DQuat::from_slice(&rotation) * DVec3::Z).z.acos().to_degrees());
        }
        assert!(widest < limit + 1.0, "it leans by {widest}");
        assert!(widest > limit - 1.0, "it only leans by {widest}");
    }
}

#[test]
fn a_twist_holds() {
    let mut b = weightless();
    let body = b.body("wheel").mass_properties(1.0, [0.0; 3], DMat3::IDENTITY).id();
    b.ball("axle", None, body).twist(0.5);
    let model = cpu(&b);
    let mut sim = featherstone(&model);
    sim.control.joint_f.copy_from_slice(&[0.0, 0.0, -1.0]).unwrap();
    let mut least = 0.0f64;
    for _ in 0..3000 {
        sim.step(1e-3).unwrap();
        least = least.min(2.0 * q(&sim, 2).atan2(q(&sim, 3)));
    }
    assert_near("the twist", least, -0.5, 0.01);
}

/// A kinematic base goes on as its velocity says, whatever swings on it; what hangs there feels nothing of a steady motion.
#[test]
fn a_carried_base_goes_its_way() {
    let mut b = ModelBuilder::new();
    let base = b.body("base").kinematic().velocity([1.0, 0.5, 0.0]).id();
    let bob = b.body("bob").mass_properties(1.0, [0.0, 0.0, -1.0], DMat3::ZERO).id();
    b.revolute("hinge", base, bob, [0.0, 1.0, 0.0]).position(0.1);
    let still = b.body("spinner").at([5.0, 0.0, 0.0]).kinematic().spin([0.0, 0.0, 3.0]).id();
    // An arm on a turntable, out to the side: it rises until the pull of gravity and of its circle are in line.
    let arm = b.body("arm").at([6.0, 0.0, 0.0]).mass_properties(1.0, [0.0, 0.0, -1.0], DMat3::ZERO).id();
    b.revolute("swing", still, arm, [0.0, 1.0, 0.0]).damping(3.0);
    let model = cpu(&b);
    let mut sim = featherstone(&model);
    let hinge = model.joint_q_range(0, model.joint("hinge").unwrap()).unwrap().start;
    let swing = model.joint_q_range(0, model.joint("swing").unwrap()).unwrap().start;
    let (mut crossings, mut last) = (vec![], q(&sim, hinge));
    for step in 1..=20_000 {
        sim.step(1e-3).unwrap();
        let now = q(&sim, hinge);
        if (now < 0.0) != (last < 0.0) {
            crossings.push((f64::from(step) - now / (now - last)) * 1e-3);
        }
        last = now;
    }
    assert_near("the period", (crossings[2] - crossings[0]) / 2.00732119, 1.0, 1e-3);
    let at = sim.state.body_q.get(model.body_at(0, base).unwrap()).unwrap().p;
    assert!(at.abs_diff_eq(Vec3::new(20.0, 10.0, 0.0), 2e-2), "{at}");
    // Turning by a positive angle about y moves the hanging mass inwards, so that it settles at a negative one.
    let angle = q(&sim, swing);
    let out = 1.0 - angle.sin();
    assert_near("how it leans", 9.81 * -angle.tan(), 9.0 * out, 0.02);
}

/// Bodies without a joint, particles and springs move beside robots as they do alone.
#[test]
fn what_no_joint_holds_moves_as_without_robots() {
    let describe = |b: &mut ModelBuilder| {
        b.body("box").velocity([1.0, 0.0, 2.0]).spin([0.2, 5.0, 0.0]).shape(Shape::cuboid([0.1, 0.2, 0.3])).id();
        let a = b.particle([0.0; 3]).fixed().id();
        let c = b.particle([0.5, 0.0, 0.0]).id();
        b.spring(a, c, 100.0).damping(0.1);
    };
    let (mut alone, mut beside) = (ModelBuilder::new(), ModelBuilder::new());
    describe(&mut alone);
    point(&mut beside, 1.0);
    describe(&mut beside);
    let (alone, beside) = (cpu(&alone), cpu(&beside));
    let (mut one, mut other) = (super::semi_implicit(&alone), featherstone(&beside));
    for _ in 0..100 {
        one.step(1e-3).unwrap();
        other.step(1e-3).unwrap();
    }
    assert_eq!(one.state.body_q.get(0).unwrap(), other.state.body_q.get(1).unwrap());
    assert_eq!(one.state.particle_q.to_vec().unwrap(), other.state.particle_q.to_vec().unwrap());
}
