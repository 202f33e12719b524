//! What is wrong with a description is told by name.

use warp::math::{DMat3, DVec3};
use warp::prelude::*;
use warp::sim::{Mesh, ModelBuilder, SemiImplicit, Shape, Solver};

fn told(describe: impl FnOnce(&mut ModelBuilder)) -> String {
    let mut b = ModelBuilder::new();
    describe(&mut b);
    b.finalize(&Device::cpu()).map(drop).unwrap_err().to_string()
}

#[test]
fn mistakes_are_sentences() {
    let ball = || Shape::sphere(0.1);
    let sentences = [
        (
            told(|b| {
                b.body("arm").id();
            }),
            "body `arm` has no mass: give it a shape with a density",
        ),
        (
            told(|b| {
                b.body("arm").shape(ball()).id();
                b.body("arm").shape(ball()).id();
            }),
            "two things of one world are the body `arm`",
        ),
        (
            told(|b| {
                b.body("arm").shape(ball().density(-1.0)).id();
            }),
            "density of shape 0 is -1, and has to be at least",
        ),
        (
            told(|b| {
                b.body("arm").shape(Shape::sphere(0.0)).id();
            }),
            "radius of shape 0 is 0",
        ),
        (
            told(|b| {
                b.body("arm").shape(Shape::plane()).id();
            }),
            "body `arm` has a plane",
        ),
        (
            told(|b| {
                b.body("arm").at([f64::NAN, 0.0, 0.0]).shape(ball()).id();
            }),
            "position of body `arm` is",
        ),
        (
            told(|b| {
                b.body("arm").mass(-2.0).shape(ball()).id();
            }),
            "mass of body `arm` is -2",
        ),
        (
            told(|b| {
                let a = b.particle([0.0; 3]).id();
                b.spring(a, a, 1.0).id();
            }),
            "spring 0 ties 0 to 0: its ends have to be two particles",
        ),
        (
            told(|b| {
                b.particle([0.0; 3]).mass(0.0).id();
            }),
            "mass of particle 0 is 0, and has to be above zero",
        ),
        (
            told(|b| {
                b.body("arm").shape(ball()).id();
                let one = b.clone();
                b.add_worlds(&one, 2);
            }),
            "worlds were added to this builder",
        ),
        (told(|b| *b = b.replicate(0)), "a model has at least one world"),
        (
            told(|b| {
                b.fixed_shape(ball().restitution(2.0));
            }),
            "restitution of a fixed shape is 2, and has to be between 0 and 1",
        ),
    ];
    for (found, start) in sentences {
        assert!(found.starts_with(start), "{found:?} does not start with {start:?}");
    }
}

#[test]
fn impossible_inertias_are_refused_or_repaired() {
    let describe = |b: &mut ModelBuilder, x, y, z| {
        b.body("rod").mass_properties(1.0, [0.0; 3], DMat3::from_diagonal(DVec3::new(x, y, z))).id();
    };
    let found = told(|b| describe(b, 0.1, 0.1, 0.3));
    assert!(
        found.starts_with("the inertia of body `rod` is impossible: its principal moments are 1.0000e-1"),
        "{found}"
    );
    assert!(told(|b| describe(b, -0.1, 0.1, 0.1)).contains("all have to be above zero"));
    let lopsided = DMat3::from_cols_array(&[1.0, 0.2, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    assert!(
        told(|b| {
            b.body("rod").mass_properties(1.0, [0.0; 3], lopsided).id();
        })
        .contains("not symmetric")
    );
    // A flat plate is just possible.
    let mut b = ModelBuilder::new();
    describe(&mut b, 0.1, 0.2, 0.3);
    b.finalize(&Device::cpu()).unwrap();
    let mut b = ModelBuilder::new();
    b.repair_inertia(true);
    describe(&mut b, 0.1, 0.1, 0.3);
    let model = b.finalize(&Device::cpu()).unwrap();
    let inertia = model.body_inertia(0, model.body("rod").unwrap()).unwrap().inertia;
    assert!(inertia.abs_diff_eq(Mat3::from_diagonal(Vec3::new(0.15, 0.15, 0.3)), 1e-6), "{inertia}");
}

#[test]
fn names_are_found_and_near_ones_offered() {
    let mut b = ModelBuilder::new();
    b.body("left_arm").shape(Shape::sphere(0.1)).id();
    let hand = b.body("left_hand").shape(Shape::sphere(0.1)).id();
    let anchor = b.named_particle("anchor", [0.0; 3]).fixed().id();
    let model = b.replicate(2).finalize(&Device::cpu()).unwrap();
    assert_eq!(model.body("left_hand").unwrap(), hand);
    assert_eq!(model.particle("anchor").unwrap(), anchor);
    assert_eq!(model.body_label(1, hand).unwrap(), "left_hand");
    assert_eq!(model.body_at(1, hand).unwrap(), 3);
    assert_eq!(model.body("left_han").unwrap_err().to_string(), "there is no body `left_han`; there is `left_hand`");
    assert_eq!(
        model.body_at(2, hand).unwrap_err().to_string(),
        "there is no world 2: the model has 2, counted from zero"
    );
}

#[test]
fn steps_and_states_that_do_not_fit_are_refused() {
    let mut b = ModelBuilder::new();
    b.body("ball").shape(Shape::sphere(0.1)).id();
    let (one, two) = (b.finalize(&Device::cpu()).unwrap(), b.replicate(2).finalize(&Device::cpu()).unwrap());
    let (state, mut next) = (one.state().unwrap(), one.state().unwrap());
    for dt in [0.0, -0.1, f32::NAN, f32::INFINITY] {
        let told = SemiImplicit.step(&one, &state, &mut next, &one.control().unwrap(), dt).unwrap_err().to_string();
        assert!(told.starts_with("a step takes a time above zero"), "{told}");
    }
    let told = SemiImplicit.step(&two, &state, &mut next, &two.control().unwrap(), 0.1).unwrap_err().to_string();
    assert_eq!(told, "the state was made for another model: 2 bodies are expected, and it has 1");
    let mut broken = two.state().unwrap();
    broken.body_qd.set(1, warp::math::Twist::new(Vec3::NAN, Vec3::ZERO)).unwrap();
    assert_eq!(two.check(&broken).unwrap_err().to_string(), "body_qd of body `ball` in world 1 is not finite");
}

#[test]
fn triangles_that_are_no_mesh_are_refused() {
    let points = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    assert!(Mesh::new(points.clone(), vec![]).unwrap_err().to_string().contains("at least one triangle"));
    let told = Mesh::new(points.clone(), vec![[0, 1, 4]]).unwrap_err().to_string();
    assert_eq!(told, "triangle 0 of the mesh has the point 4, and there are 4, counted from zero");
    // Its triangles look inwards.
    let inside_out = Mesh::new(points, vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]).unwrap();
    let found = told_of(inside_out.clone());
    assert!(found.starts_with("the mesh of shape `shard` is inside out: its volume is -0.1666"), "{found}");
    let mut b = ModelBuilder::new();
    b.body("shard").shape(Shape::mesh(inside_out.flipped())).id();
    b.finalize(&Device::cpu()).unwrap();
}

fn told_of(mesh: Mesh) -> String {
    told(|b| {
        b.body("shard").shape(Shape::mesh(mesh).named("shard")).id();
    })
}

#[test]
fn what_single_precision_cannot_hold_is_refused() {
    assert!(
        told(|b| {
            b.particle([0.0; 3]).mass(1e-46).id();
        })
        .starts_with("mass of particle 0 is")
    );
    assert!(
        told(|b| {
            b.particle([1e39, 0.0, 0.0]).id();
        })
        .starts_with("position of particle 0 is")
    );
    assert!(
        told(|b| {
            let (a, c) = (b.particle([0.0; 3]).id(), b.particle([1.0, 0.0, 0.0]).id());
            b.spring(a, c, 1e39).id();
        })
        .starts_with("stiffness of spring 0 is")
    );
}

#[test]
fn worlds_are_never_lost() {
    let mut b = ModelBuilder::new();
    b.body("ball").shape(Shape::sphere(0.1)).id();
    let mut two = b.replicate(2);
    two.body("more").shape(Shape::sphere(0.1)).id();
    for lost in [two.replicate(3), {
        let mut all = ModelBuilder::new();
        all.add_worlds(&two, 1);
        all
    }] {
        let told = lost.finalize(&Device::cpu()).map(drop).unwrap_err().to_string();
        assert!(told.starts_with("worlds were added to this builder"), "{told}");
    }
    let told = b.replicate(1 << 40).finalize(&Device::cpu()).map(drop).unwrap_err().to_string();
    assert_eq!(told, "the model has 1099511627776 worlds, and the most is 2147483647");
}

#[test]
fn masses_that_say_two_things_or_nothing() {
    let both = |b: &mut ModelBuilder| {
        b.body("rod").mass_properties(1.0, [0.0; 3], DMat3::IDENTITY).mass(2.0).id();
    };
    assert_eq!(told(both), "body `rod` has both `mass` and `mass_properties`: leave one of them out");
    // A hull without mass changes nothing.
    let mut b = ModelBuilder::new();
    let hull = Shape::sphere(0.1).hollow(0.01).density(0.0);
    let body = b.body("ball").shape(Shape::sphere(0.1)).shape(hull).id();
    let mass = b.finalize(&Device::cpu()).unwrap().body_inertia(0, body).unwrap();
    assert!(mass.com.abs_diff_eq(Vec3::ZERO, 1e-9) && (mass.mass - 4.18879).abs() < 1e-4, "{mass:?}");
}

#[test]
fn parameters_and_states_of_another_length_are_told() {
    let mut b = ModelBuilder::new();
    b.body("ball").shape(Shape::sphere(0.1)).id();
    let (small, mut large) =
        (b.replicate(2).finalize(&Device::cpu()).unwrap(), b.replicate(3).finalize(&Device::cpu()).unwrap());
    let state = small.state().unwrap();
    assert!(large.measure(&state).unwrap_err().to_string().starts_with("the state was made for another model"));
    assert!(large.check(&state).unwrap_err().to_string().starts_with("the state was made for another model"));
    *large.body_mass.array_mut() = Array::zeros(&Device::cpu(), 2).unwrap();
    let told = large.state().unwrap_err().to_string();
    assert_eq!(told, "`body_mass` has 2 values: it takes 1, shared by all worlds, or 3, one world after the other");
}
