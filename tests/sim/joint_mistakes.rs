//! What is wrong with joints is a sentence that names them.

use warp::math::{DMat3, DTransform, DVec3};
use warp::prelude::*;
use warp::sim::{BodyId, Dof, Featherstone, ModelBuilder, SemiImplicit, Solver};

fn body(b: &mut ModelBuilder, name: &str) -> BodyId {
    b.body(name).mass_properties(1.0, [0.0; 3], DMat3::IDENTITY).id()
}

/// What `finalize` says of a world with the bodies `a` and `b`.
#[track_caller]
fn told(describe: impl FnOnce(&mut ModelBuilder, BodyId, BodyId)) -> String {
    let mut b = ModelBuilder::new();
    let (one, two) = (body(&mut b, "a"), body(&mut b, "b"));
    describe(&mut b, one, two);
    b.finalize(&Device::cpu()).unwrap_err().to_string()
}

#[test]
fn joints_that_cannot_be_are_named() {
    let z = DVec3::Z;
    let cases: Vec<(String, &str)> = vec![
        (
            told(|b, one, _| {
                b.revolute("j", one, one, z);
            }),
            "joint `j` has to hold a body of its world, and its parent be another one, or the world by `None`",
        ),
        (
            told(|b, one, two| {
                b.revolute("j", None, two, z);
                b.ball("k", one, two);
            }),
            "body `b` is the child of two joints, joint `j` and joint `k`: bodies form trees",
        ),
        (
            told(|b, one, two| {
                b.revolute("j", one, two, z);
                b.revolute("k", two, one, z);
            }),
            "the parents of joint `j` lead back to itself",
        ),
        (
            told(|b, one, two| {
                b.d6("j", one, two, [Dof::angular(z), Dof::linear(z)]);
            }),
            "joint `j` has up to three axes to slide along, and after them up to three to turn about",
        ),
        (
            told(|b, one, two| {
                b.d6("j", one, two, [z; 4].map(Dof::angular));
            }),
            "joint `j` has up to three axes to slide along",
        ),
        (
            told(|b, one, two| {
                b.ball("j", one, two).limits(-1.0, 1.0);
            }),
            "joint `j` has a quaternion among its coordinates",
        ),
        (
            told(|b, one, two| {
                b.revolute("j", one, two, z).cone(1.0);
            }),
            "cone of joint `j` is 1, and has to be between 0 and π, and only ball joints have one",
        ),
        (
            told(|b, one, two| {
                b.revolute("j", one, two, [0.0; 3]);
            }),
            "axis's length of joint `j` is 0, and has to be above zero and finite",
        ),
        (
            told(|b, one, two| {
                b.revolute("j", one, two, z).limits(1.0, -1.0);
            }),
            "lower limit of joint `j` is 1, and has to be not above the upper one",
        ),
        (
            told(|b, one, two| {
                b.revolute("j", one, two, z).friction(-1.0);
            }),
            "friction of joint `j` is -1, and has to be at least zero",
        ),
        (
            told(|b, one, two| {
                b.revolute("j", one, two, z).effort_limit(f64::NAN);
            }),
            "effort limit of joint `j` is NaN",
        ),
        (
            told(|b, one, two| {
                let anchor = DTransform::from_translation(DVec3::new(f64::INFINITY, 0.0, 0.0));
                b.revolute("j", one, two, z).parent_anchor(anchor);
            }),
            "anchor of joint `j` is [inf, 0, 0]",
        ),
        (
            told(|b, one, _| {
                let moving = b.body("c").velocity(z).mass_properties(1.0, [0.0; 3], DMat3::IDENTITY).id();
                b.revolute("j", one, moving, z);
            }),
            "body `c` is held by joint `j`, which says how it moves at the start",
        ),
        (
            told(|b, one, _| {
                let carried = b.body("c").kinematic().id();
                b.revolute("j", one, carried, z);
            }),
            "body `c` is kinematic, so joint `j` cannot hold it",
        ),
        (
            told(|b, one, two| {
                let ball = b.ball("ball", None, one).id();
                b.revolute("j", one, two, z).mimic(ball, 1.0, 0.0);
            }),
            "joint `j` cannot follow another joint: its leader has to have one degree of freedom",
        ),
        (
            told(|b, one, two| {
                let first = b.revolute("i", None, one, z).id();
                let second = b.revolute("j", one, two, z).mimic(first, 1.0, 0.0).id();
                let third = body(b, "c");
                let third = b.revolute("k", two, third, z).mimic(second, 1.0, 0.0).id();
                let fourth = body(b, "d");
                b.revolute("l", two, fourth, z).mimic(third, f64::NAN, 0.0);
            }),
            "joint `l` cannot follow another joint: its ratio and offset have to be finite",
        ),
        (
            told(|b, one, two| {
                let lead = b.revolute("lead", None, one, z).id();
                b.revolute("j", one, two, z).mimic(lead, 1.0, 0.0).drive(1.0, 0.0);
            }),
            "joint `j` cannot follow another joint: it has a drive, and only its leader can be driven",
        ),
        (
            told(|b, one, _| {
                let bare = b.body("c").id();
                b.revolute("j", one, bare, z);
            }),
            "body `c` has no mass",
        ),
        (
            told(|b, one, two| {
                b.revolute("j", None, one, z);
                b.revolute("j", None, two, z);
            }),
            "two things of one world are the joint `j`",
        ),
    ];
    for (found, wanted) in cases {
        assert!(found.contains(wanted), "`{found}` does not say `{wanted}`");
    }
}

/// A circle of followers.
#[test]
fn followers_do_not_go_in_circles() {
    let found = told(|b, one, two| {
        // The id of the second joint is known before it is described: they count from zero.
        let mut other = ModelBuilder::new();
        let spare = body(&mut other, "x");
        other.revolute("0", None, spare, DVec3::Z);
        let spare = body(&mut other, "y");
        let second = other.revolute("1", None, spare, DVec3::Z).id();
        let first = b.revolute("i", None, one, DVec3::Z).mimic(second, 1.0, 0.0).id();
        b.revolute("j", one, two, DVec3::Z).mimic(first, 1.0, 0.0);
    });
    assert!(found.contains("follow each other in a circle"), "{found}");
}

#[test]
fn solvers_say_what_they_do_not_do() {
    let mut b = ModelBuilder::new();
    let one = body(&mut b, "a");
    b.revolute("hinge", None, one, DVec3::Z);
    let model = b.finalize(&Device::cpu()).unwrap();
    let found = SemiImplicit::new(&model).unwrap_err().to_string();
    assert_eq!(found, "SemiImplicit does not do joints: joint `hinge` has it. `Featherstone` does");

    let mut parent = None;
    let mut b = ModelBuilder::new();
    for k in 0..65 {
        let link = body(&mut b, &format!("link {k}"));
        b.revolute(format!("hinge {k}"), parent, link, DVec3::Z);
        parent = Some(link);
    }
    let model = b.finalize(&Device::cpu()).unwrap();
    let found = Featherstone::new(&model).unwrap_err().to_string();
    assert!(found.contains("does not do trees of more than 64 degrees of freedom"), "{found}");
    assert!(found.contains("the tree of joint `hinge 0`, which has 65,"), "{found}");
}

#[test]
fn what_was_made_for_another_model_is_told() {
    let mut b = ModelBuilder::new();
    let one = body(&mut b, "a");
    b.revolute("hinge", None, one, DVec3::Z);
    let small = b.finalize(&Device::cpu()).unwrap();
    let large = b.replicate(2).finalize(&Device::cpu()).unwrap();
    let solver = Featherstone::new(&small).unwrap();
    let (from, mut to) = (large.state().unwrap(), large.state().unwrap());
    let told = solver.step(&large, &from, &mut to, &large.control().unwrap(), 0.1).unwrap_err().to_string();
    assert_eq!(told, "the solver was made for another model: 2 rows are expected, and it has 1");
    let solver = Featherstone::new(&large).unwrap();
    let told = solver.step(&large, &from, &mut to, &small.control().unwrap(), 0.1).unwrap_err().to_string();
    assert_eq!(told, "the control was made for another model: 2 joint coordinates are expected, and it has 1");
    let mut state = large.state().unwrap();
    state.joint_qd.copy_from_slice(&[0.0, f32::NAN]).unwrap();
    let told = large.check(&state).unwrap_err().to_string();
    assert_eq!(told, "joint_qd of joint `hinge` in world 1 is not finite");
}
