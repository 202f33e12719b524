//! Bodies that nothing touches: falls, throws, spin.

use warp::math::{DMat3, DQuat, DVec3, Transform};
use warp::sim::{Mesh, Model, ModelBuilder, Shape, State};

use super::{assert_near, cpu, semi_implicit, weightless};

fn pose(model: &Model, sim: &warp::sim::Stepper<'_, warp::sim::SemiImplicit>, name: &str) -> Transform {
    sim.state.body_q.get(model.body_at(0, model.body(name).unwrap()).unwrap()).unwrap()
}

#[test]
fn falls_and_throws_are_those_of_the_discrete_sum() {
    let mut b = ModelBuilder::new();
    b.body("fall").at([0.0, 0.0, 10.0]).shape(Shape::sphere(0.1)).id();
    b.body("throw").velocity([3.0, 0.0, 4.0]).shape(Shape::cuboid([0.1, 0.2, 0.3])).id();
    b.body("floats").gravity_scale(0.0).shape(Shape::sphere(0.1)).id();
    b.body("carried").kinematic().velocity([1.0, 0.0, 0.0]).spin([0.0, 0.0, 0.5]).id();
    let model = cpu(&b);
    let mut sim = semi_implicit(&model);
    (0..240).for_each(|_| sim.step(1.0 / 240.0).unwrap());
    assert_near("the fall", f64::from(pose(&model, &sim, "fall").p.z) - 10.0, -4.9254375, 5e-5);
    let throw = pose(&model, &sim, "throw").p;
    assert_near("x of the throw", f64::from(throw.x), 3.0, 3e-5);
    assert_near("z of the throw", f64::from(throw.z), 4.0 - 4.9254375, 5e-5);
    let speed = sim.state.body_qd.get(1).unwrap();
    assert_near("speed along x", f64::from(speed.linear.x), 3.0, 3e-6);
    assert_eq!(pose(&model, &sim, "floats"), Transform::IDENTITY);
    let carried = pose(&model, &sim, "carried");
    assert_near("x of what is carried", f64::from(carried.p.x), 1.0, 1e-5);
    assert_near("its turn", f64::from(carried.q.to_scaled_axis().z), 0.5, 1e-5);
    assert!((sim.time() - 1.0).abs() < 1e-6);
}

/// A box that spins about its middle axis, which is unstable: it flips over and over.
#[test]
fn a_spinning_box_flips_in_time_and_keeps_energy_and_momentum() {
    let mut b = weightless();
    b.body("box").spin([0.2, 5.0, 0.0]).shape(Shape::cuboid([0.1, 0.2, 0.3])).mass(1.0).id();
    let model = cpu(&b);
    let mut sim = semi_implicit(&model);
    let before = model.measure(&sim.state).unwrap()[0];
    assert_near("2 E", 2.0 * before.kinetic, 0.83506667, 1e-6);
    assert_near("L", before.angular_momentum.length(), 0.16689185, 1e-7);
    let mut flips = vec![];
    let mut last = 5.0;
    for step in 1..=20_000u32 {
        sim.step(1e-3).unwrap();
        let q = sim.state.body_q.get(0).unwrap().q;
        let along = (q.conjugate() * sim.state.body_qd.get(0).unwrap().angular).y;
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

#[test]
fn a_thrown_disc_wobbles_at_the_rates_of_a_free_top() {
    let mut b = weightless();
    b.body("disc").spin([1.0, 0.0, 10.0]).shape(Shape::cylinder(0.2, 0.05)).mass(1.0).id();
    let model = cpu(&b);
    let mut sim = semi_implicit(&model);
    let momentum = model.measure(&sim.state).unwrap()[0].angular_momentum.normalize();
    // How far the body's own axes have turned about its symmetry axis, and its axis about L.
    let mut turned = [0.0; 2];
    let mut last: Option<[f64; 2]> = None;
    let side = momentum.any_orthonormal_vector();
    for _ in 0..2_000 {
        sim.step(1e-3).unwrap();
        let q = DQuat::from_array(sim.state.body_q.get(0).unwrap().q.to_array().map(f64::from));
        let w = q.inverse() * sim.state.body_qd.get(0).unwrap().angular.as_dvec3();
        let axis = q * DVec3::Z;
        let now = [w.y.atan2(w.x), axis.dot(momentum.cross(side)).atan2(axis.dot(side))];
        if let Some(last) = last {
            for k in 0..2 {
                let full = 2.0 * std::f64::consts::PI;
                turned[k] += (now[k] - last[k] + 0.5 * full).rem_euclid(full) - 0.5 * full;
            }
        }
        last = Some(now);
    }
    let seconds = 1.999;
    assert_near("precession in the body", turned[0].abs() / seconds, 8.46153846, 8.5e-3);
    assert_near("precession about L", turned[1].abs() / seconds, 18.4886020, 1.85e-2);
}

#[test]
fn a_body_circles_its_centre_of_mass() {
    let mut b = weightless();
    let inertia = DMat3::IDENTITY;
    b.body("off").mass_properties(1.0, [0.0, 0.5, 0.0], inertia).spin([0.0, 0.0, 2.0]).id();
    let model = cpu(&b);
    let mut sim = semi_implicit(&model);
    let q = sim.state.body_q.get(0).unwrap();
    let qd = sim.state.body_qd.get(0).unwrap();
    let origin = qd.linear + qd.angular.cross(q.p - (q.q * warp::Vec3::new(0.0, 0.5, 0.0) + q.p));
    assert!(origin.abs_diff_eq(warp::Vec3::X, 1e-6), "{origin}");
    let steps = 785;
    (0..steps).for_each(|_| sim.step((std::f64::consts::FRAC_PI_4 / f64::from(steps)) as f32).unwrap());
    let q = sim.state.body_q.get(0).unwrap();
    assert!(q.p.abs_diff_eq(warp::Vec3::new(0.5, 0.5, 0.0), 2e-3), "{}", q.p);
    assert!(q.transform_point(warp::Vec3::new(0.0, 0.5, 0.0)).abs_diff_eq(warp::Vec3::new(0.0, 0.5, 0.0), 1e-5));
}

#[test]
fn drifting_bodies_keep_momentum() {
    let mut b = weightless();
    let points = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    b.body("a").at([-1.0, 0.3, 0.2]).velocity([0.5, -0.1, 0.2]).spin([2.0, -1.0, 3.0]).shape(Shape::mesh(mesh)).id();
    let spin = [-1.0, 4.0, 0.5];
    b.body("b").at([1.0, 0.0, -0.4]).velocity([-0.4, 0.3, 0.1]).spin(spin).shape(Shape::capsule(0.1, 0.4)).id();
    let model = cpu(&b);
    let mut sim = semi_implicit(&model);
    let before = model.measure(&sim.state).unwrap()[0];
    // What belongs to the places of bodies and not to their spin, about the origin.
    let places = |state: &State| {
        let (q, qd) = (state.body_q.to_vec().unwrap(), state.body_qd.to_vec().unwrap());
        let part = |i: usize| {
            let body = model.body_inertia(0, model.body(["a", "b"][i]).unwrap()).unwrap();
            q[i].transform_point(body.com).as_dvec3().cross(f64::from(body.mass) * qd[i].linear.as_dvec3())
        };
        part(0) + part(1)
    };
    let before_places = places(&sim.state);
    (0..10_000).for_each(|_| sim.step(1e-3).unwrap());
    let after = model.measure(&sim.state).unwrap()[0];
    let drift = |a: DVec3, b: DVec3| (a - b).length() / a.length();
    assert_near("momentum", drift(before.momentum, after.momentum), 0.0, 1e-5);
    let spin = drift(before.angular_momentum - before_places, after.angular_momentum - places(&sim.state));
    assert_near("angular momentum of the spins", spin, 0.0, 1e-5);
    // Positions of some metres are rounded by up to 2.4e-7 m in each of 10,000 steps, all in one direction.
    assert_near("angular momentum", drift(before.angular_momentum, after.angular_momentum), 0.0, 5e-4);
}

/// A free body with a force and a torque from outside.
#[test]
fn forces_from_outside_count_and_stay() {
    let mut b = weightless();
    b.body("pushed").shape(Shape::sphere(0.1)).mass(2.0).id();
    let model = cpu(&b);
    let mut sim = semi_implicit(&model).substeps(2);
    let wrench = warp::math::Wrench::new(warp::Vec3::new(4.0, 0.0, 0.0), warp::Vec3::new(0.0, 0.0, 0.008));
    sim.state.body_f.fill(wrench).unwrap();
    (0..100).for_each(|_| sim.step(0.01).unwrap());
    let qd = sim.state.body_qd.get(0).unwrap();
    assert_near("speed", f64::from(qd.linear.x), 2.0, 1e-5);
    assert_near("spin", f64::from(qd.angular.z), 0.008 / (0.4 * 2.0 * 0.01), 1e-5);
    sim.state.clear_forces().unwrap();
    sim.step(0.01).unwrap();
    assert_eq!(sim.state.body_qd.get(0).unwrap().linear, qd.linear);
}

/// A torque keeps its direction in the world, however fast the body turns under it.
#[test]
fn a_torque_does_not_turn_with_the_body() {
    let mut b = weightless();
    b.body("ball").mass_properties(1.0, [0.0; 3], DMat3::IDENTITY).spin([0.0, 0.0, 100.0]).id();
    let model = cpu(&b);
    let mut sim = semi_implicit(&model);
    sim.state.body_f.fill(warp::math::Wrench::new(warp::Vec3::ZERO, warp::Vec3::X)).unwrap();
    sim.step(0.01).unwrap();
    let spin = sim.state.body_qd.get(0).unwrap().angular;
    assert!(spin.abs_diff_eq(warp::Vec3::new(0.01, 0.0, 100.0), 1e-5), "{spin}");
}

#[test]
fn bodies_of_any_size_turn() {
    for size in [1e-4, 1e-3, 1.0, 100.0, 1e4] {
        let mut b = weightless();
        b.body("cube").shape(Shape::cuboid([size; 3])).spin([0.1, 0.2, 0.3]).id();
        let model = cpu(&b);
        let mut sim = semi_implicit(&model);
        let inertia = model.body_inertia(0, model.body("cube").unwrap()).unwrap().inertia.x_axis.x;
        sim.state.body_f.fill(warp::math::Wrench::new(warp::Vec3::ZERO, warp::Vec3::X * inertia)).unwrap();
        sim.step(0.5).unwrap();
        let spin = sim.state.body_qd.get(0).unwrap().angular;
        assert!(spin.abs_diff_eq(warp::Vec3::new(0.6, 0.2, 0.3), 1e-5), "{size} m: {spin}");
    }
}
