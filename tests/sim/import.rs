//! What real files do that specifications do not say, and what they say that is easily read wrong.

use warp::math::{DQuat, DVec3};
use warp::prelude::*;
use warp::sim::import::{Imported, Importer};
use warp::sim::{Error, Model, ModelBuilder};

use super::{assert_near, cpu, featherstone};

fn urdf(how: Importer, text: &str) -> (Model, Imported) {
    let mut b = ModelBuilder::new();
    let robot = how.urdf(text, &mut b).unwrap();
    (cpu(&b), robot)
}

fn mjcf(text: &str) -> (Model, Imported) {
    let mut b = ModelBuilder::new();
    let robot = Importer::new().collapse_fixed(false).mjcf(text, &mut b).unwrap();
    (cpu(&b), robot)
}

#[track_caller]
fn refused(read: impl FnOnce(&mut ModelBuilder) -> Result<Imported, Error>) -> String {
    read(&mut ModelBuilder::new()).unwrap_err().to_string()
}

fn warned(robot: &Imported, wanted: &str) -> usize {
    robot.warnings.iter().filter(|warning| warning.to_string().contains(wanted)).count()
}

const UNIT: &str =
    r#"<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"#;

fn pair(joint: &str) -> String {
    format!(
        r#"<robot name="r"><link name="base">{UNIT}</link><link name="arm">{UNIT}</link>
        {joint}</robot>"#
    )
}

fn ends(of: &str) -> String {
    pair(&of.replace("ENDS", r#"<parent link="base"/><child link="arm"/>"#))
}

#[test]
fn a_rotated_inertial_frame_turns_the_inertia() {
    let (model, _) = urdf(
        Importer::new(),
        r#"<robot name="r"><link name="only"><inertial><origin xyz="0 0 0" rpy="0.3 -0.5 0.7"/><mass value="1"/>
           <inertia ixx="1" iyy="2" izz="3" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"#,
    );
    let found = model.body_inertia(0, model.body("only").unwrap()).unwrap().inertia.to_cols_array();
    let right = [
        1.575051225,
        -0.296136296,
        -0.455877837,
        -0.296136296,
        1.951905458,
        -0.707916965,
        -0.455877837,
        -0.707916965,
        2.473043317,
    ];
    found.iter().zip(right).for_each(|(found, right)| assert_near("an entry", f64::from(*found), right, 1e-6));
}

/// A link with a shape and without a stated mass gets none.
#[test]
fn what_a_file_does_not_state_is_not_invented() {
    let text = r#"<robot name="r">
        <link name="torso"><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
        <link name="arm"><inertial><mass value="0.5"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="weld" type="fixed"><parent link="torso"/><child link="base"/></joint>
        <joint name="hinge" type="revolute"><parent link="torso"/><child link="arm"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
    </robot>"#;
    for collapse in [true, false] {
        let (model, robot) = urdf(Importer::new().collapse_fixed(collapse), text);
        let mass: f32 = model.body_mass.array().to_vec().unwrap().iter().sum();
        assert_near("the mass", f64::from(mass), 3.5, 1e-6);
        assert!(model.shapes(0).unwrap().any(|(_, shape)| shape.touches()), "the box still collides");
        assert_eq!(warned(&robot, r#"<link name="base">: it states no mass"#), 1, "{:?}", robot.warnings);
        let mut sim = featherstone(&model);
        sim.step(0.01).unwrap();
        sim.check().unwrap();
    }
    let (model, _) = urdf(Importer::new().density(100.0), text);
    let mass: f32 = model.body_mass.array().to_vec().unwrap().iter().sum();
    assert_near("the mass by a density", f64::from(mass), 103.5, 1e-4);
}

#[test]
fn fixed_links_become_one_body() {
    let text = r#"<robot name="r">
        <link name="parent"><inertial><origin xyz="0 0 0.1"/><mass value="2"/><inertia ixx="0.1" iyy="0.2" izz="0.3" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <link name="child"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.02" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="weld" type="fixed"><parent link="parent"/><child link="child"/><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/></joint>
    </robot>"#;
    let (one, robot) = urdf(Importer::new().floating(true), text);
    let found = one.body_inertia(0, one.body("parent").unwrap()).unwrap();
    assert_near("the mass", f64::from(found.mass), 3.0, 1e-6);
    let com = found.com.as_dvec3();
    assert!((com - DVec3::new(1.0 / 3.0, 0.2 / 3.0, 0.2 / 3.0)).length() < 1e-6, "{com}");
    let right = [
        0.153333333,
        -0.133333333,
        0.066666667,
        -0.133333333,
        0.883333333,
        0.013333333,
        0.066666667,
        0.013333333,
        1.023333333,
    ];
    let entries = found.inertia.to_cols_array();
    entries.iter().zip(right).for_each(|(found, right)| assert_near("an entry", f64::from(*found), right, 1e-6));
    let frame = robot.frames["child"];
    assert!(frame.body == Some(one.body("parent").unwrap()) && (frame.pose.p - DVec3::X).length() < 1e-12);

    // Both fall and spin alike.
    let (two, _) = urdf(Importer::new().floating(true).collapse_fixed(false), text);
    let start = [0.3, -0.2, 0.5, 1.0, 2.0, -1.5];
    let after = |model: &Model, joints: bool| {
        let mut sim = featherstone(model);
        let body = model.body_at(0, model.body("parent").unwrap()).unwrap();
        if joints {
            // Speeds are those of the parent's own centre.
            let r = DVec3::new(0.0, 0.0, 0.1) - DVec3::new(1.0 / 3.0, 0.2 / 3.0, 0.2 / 3.0);
            let v = DVec3::from_slice(&start) + DVec3::from_slice(&start[3..]).cross(r);
            let all: Vec<f32> = v.to_array().iter().chain(&start[3..]).map(|x| *x as f32).collect();
            sim.state.joint_qd.copy_from_slice(&all).unwrap();
        } else {
            let [linear, angular] = [DVec3::from_slice(&start).as_vec3(), DVec3::from_slice(&start[3..]).as_vec3()];
            sim.state.body_qd.fill(warp::math::Twist::new(linear, angular)).unwrap();
        }
        (0..200).for_each(|_| sim.step(1e-3).unwrap());
        sim.state.body_q.get(body).unwrap()
    };
    let (a, b) = (after(&one, false), after(&two, true));
    assert!(a.p.abs_diff_eq(b.p, 5e-4) && a.q.dot(b.q).abs() > 1.0 - 1e-6, "{a:?} {b:?}");
}

#[test]
fn degrees_turn_angles_alone() {
    let joints = |angle: &str, range: &str, reference: &str| {
        format!(
            r#"<mujoco><compiler angle="{angle}"/><worldbody>
            <body name="A"><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><joint name="a" type="hinge" range="{range}" damping="2" stiffness="5" ref="{reference}"/></body>
            <body name="B"><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><joint name="b" type="hinge" damping="2"/></body>
            <body name="C"><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><joint name="c" type="slide" range="-1 2"/></body>
            </worldbody></mujoco>"#
        )
    };
    let texts = [
        joints("degree", "-90 90", "45"),
        joints("radian", "-1.5707963267948966 1.5707963267948966", "0.7853981633974483"),
    ];
    for text in texts {
        let (model, robot) = mjcf(&text);
        assert!(robot.warnings.is_empty(), "{:?}", robot.warnings);
        let dof = |name: &str| model.joint_qd_range(0, model.joint(name).unwrap()).unwrap().start;
        let of = |array: &Array<f32>, name: &str| f64::from(array.get(dof(name)).unwrap());
        let (lower, upper) = (model.joint_limit_lower.array(), model.joint_limit_upper.array());
        assert_near("the lower limit of a", of(lower, "a"), -std::f64::consts::FRAC_PI_2, 1e-7);
        assert_near("the upper limit of a", of(upper, "a"), std::f64::consts::FRAC_PI_2, 1e-7);
        assert_near("its damping", of(model.joint_damping.array(), "a"), 2.0, 0.0);
        assert_near("its stiffness", of(model.joint_stiffness.array(), "a"), 5.0, 0.0);
        let q = model.state().unwrap().joint_q.to_vec().unwrap();
        assert_near("its coordinate as described", f64::from(q[dof("a")]), std::f64::consts::FRAC_PI_4, 1e-7);
        assert_eq!((of(lower, "b"), of(upper, "b")), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!((of(lower, "c"), of(upper, "c")), (-1.0, 2.0));
        // Where the file describes the body is where its coordinate is its reference.
        let pose = model.state().unwrap().body_q.get(0).unwrap();
        assert!(pose.q.dot(Quat::IDENTITY).abs() > 1.0 - 1e-6, "{pose:?}");
    }
}

#[test]
fn a_class_of_its_own_takes_the_place_of_that_around() {
    let (model, _) = mjcf(
        r#"<mujoco><default><geom friction="1 0.005 0.0001"/>
          <default class="ambient"><geom friction="0.6 0.005 0.0001" margin="0.01"/></default>
          <default class="own"><geom size="0.2"/></default></default>
        <worldbody><body childclass="ambient"><freejoint/>
          <geom name="p" class="own" type="sphere"/> <geom name="q" type="sphere" size="0.3"/>
        </body></worldbody></mujoco>"#,
    );
    let shapes: Vec<_> = model.shapes(0).unwrap().map(|(_, shape)| shape.clone()).collect();
    let of = |name: &str| shapes.iter().find(|shape| shape.label == name).unwrap();
    let (p, q) = (of("p"), of("q"));
    assert_eq!((&p.geometry, p.material.friction, p.margin), (&warp::sim::Geometry::Sphere { radius: 0.2 }, 1.0, 0.0));
    assert_eq!((&q.geometry, q.material.friction, q.margin), (&warp::sim::Geometry::Sphere { radius: 0.3 }, 0.6, 0.01));
}

/// Prefixes that nobody declares, and bytes of zero behind the end.
#[test]
fn files_that_strict_readers_refuse_are_read() {
    let text = format!(
        "\u{feff}<?xml version='1.0'?><!DOCTYPE robot [<!ENTITY x \"y\">]><robot name='r'>\n<!-- a > b --><link name='a &amp; b'>{UNIT}\n\
         <drake:thing drake:x='1'/></link></robot>\n\0\0"
    );
    let (model, robot) = urdf(Importer::new(), &text);
    assert!(model.body("a & b").is_ok());
    assert_eq!(warned(&robot, "nobody declares the prefix `drake:`"), 1, "{:?}", robot.warnings);
    assert_eq!(warned(&robot, "line 3: <drake:thing>: it is not known here"), 1, "{:?}", robot.warnings);
}

#[test]
fn files_that_are_no_xml_are_told_by_line() {
    for (text, wanted) in [
        ("", "line 1: there is no element"),
        ("<robot>\n<link name='a'>", "<link> of line 2 has no end"),
        ("<robot>\n</link>", "line 2: </link> stands where <robot> of line 1 has to end"),
        ("<robot name=r/>", "the value of `name` has to stand in quotes"),
        ("<robot name='r", "the value of `name` has no end"),
        ("<robot name='a' name='b'/>", "<robot> has the attribute `name` twice"),
        ("<robot><!-- ", "a comment has no end"),
        ("<robot/><robot/>", "<robot> stands behind the end of the root"),
        ("<robot name='&nope;'/>", "`&nope;` is no entity"),
        ("words", "`words` stands outside of all elements"),
        ("<sdf/>", "the root has to be <robot>"),
    ] {
        let found = refused(|b| Importer::new().urdf(text, b));
        assert!(found.contains(wanted), "`{found}` does not say `{wanted}`");
    }
    let deep = "<a>".repeat(100_000);
    assert!(refused(|b| Importer::new().urdf(&deep, b)).contains("nested deeper than 256"));
}

#[test]
fn limits_of_continuous_joints_do_not_count() {
    let (model, robot) = urdf(
        Importer::new(),
        &ends(r#"<joint name="j" type="continuous">ENDS<limit lower="-1" upper="1" effort="5" velocity="2"/></joint>"#),
    );
    assert_eq!(model.joint_limit_upper.array().to_vec().unwrap(), [f32::INFINITY]);
    assert_eq!(model.joint_effort_limit.array().to_vec().unwrap(), [5.0]);
    assert_eq!(model.joint_velocity_limit.array().to_vec().unwrap(), [2.0]);
    assert_eq!(warned(&robot, "its joint is continuous"), 1);
    // And an axis that is not said is x.
    let mut sim = featherstone(&model);
    sim.control.joint_f.fill(1.0).unwrap();
    sim.step(0.1).unwrap();
    let spin = sim.state.body_qd.get(1).unwrap().angular;
    assert!(spin.x > 0.0 && spin.y == 0.0 && spin.z == 0.0, "{spin}");
}

#[test]
fn spherical_and_planar_joints_are_known() {
    let (model, _) =
        urdf(Importer::new(), &ends(r#"<joint name="j" type="spherical">ENDS<dynamics damping="0.5"/></joint>"#));
    assert_eq!(model.joint_kind(0, model.joint("j").unwrap()).unwrap(), warp::sim::JointKind::Ball);
    assert_eq!(model.joint_damping.array().to_vec().unwrap(), [0.5; 3]);
    let (model, _) = urdf(Importer::new(), &ends(r#"<joint name="j" type="planar">ENDS<axis xyz="0 0 2"/></joint>"#));
    assert_eq!(model.dofs(), 3);
    let (model, _) = urdf(Importer::new(), &ends(r#"<joint name="j" type="floating">ENDS</joint>"#));
    assert_eq!(model.dofs(), 6);
}

/// The inertia of the collision shape stands in for zeros.
#[test]
fn zero_inertias_are_those_of_the_shape() {
    let text = r#"<robot name="r"><link name="a"><inertial><mass value="2"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>
        <collision><geometry><box size="0.2 0.4 0.6"/></geometry></collision></link></robot>"#;
    let (model, robot) = urdf(Importer::new().floating(true), text);
    assert_eq!(warned(&robot, "its inertia is zero"), 1);
    let found = model.body_inertia(0, model.body("a").unwrap()).unwrap();
    let right = DVec3::new(0.4 * 0.4 + 0.36, 0.04 + 0.36, 0.04 + 0.16) * (2.0 / 12.0);
    let inertia = found.inertia;
    let found = DVec3::new(inertia.x_axis.x.into(), inertia.y_axis.y.into(), inertia.z_axis.z.into());
    assert!((found - right).length() < 1e-6, "{found}");
}

#[test]
fn impossible_inertias_are_told_or_repaired() {
    let text = r#"<robot name="r"><link name="odd"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="5" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"#;
    let mut b = ModelBuilder::new();
    Importer::new().floating(true).urdf(text, &mut b).unwrap();
    let told = b.finalize(&Device::cpu()).unwrap_err().to_string();
    assert!(told.contains("the inertia of body `odd` is impossible"), "{told}");
    b.repair_inertia(true);
    assert!(b.finalize(&Device::cpu()).is_ok());
}

/// A root that is fixed to the world keeps its mass, and joints their order and their mimics.
#[test]
fn followers_and_fixed_bases_are_kept() {
    let text = format!(
        r#"<robot name="r"><link name="palm">{UNIT}</link><link name="a">{UNIT}</link><link name="b">{UNIT}</link>
        <joint name="right" type="prismatic"><parent link="palm"/><child link="b"/><limit lower="-1" upper="1" effort="0" velocity="0"/><mimic joint="left" multiplier="-2" offset="0.1"/></joint>
        <joint name="left" type="prismatic"><parent link="palm"/><child link="a"/><limit lower="0" upper="0.2" effort="1" velocity="1"/></joint></robot>"#
    );
    let (model, robot) = urdf(Importer::new(), &text);
    assert_eq!(model.body_inertia(0, model.body("palm").unwrap()).unwrap().mass, 1.0);
    let q = model.state().unwrap().joint_q.to_vec().unwrap();
    let at = |name: &str| model.joint_q_range(0, model.joint(name).unwrap()).unwrap().start;
    assert_near("the follower", f64::from(q[at("right")]), 0.1, 1e-7);
    assert_eq!(warned(&robot, "its velocity is zero"), 1, "{:?}", robot.warnings);
}

#[test]
fn what_is_wrong_in_a_urdf_is_told_by_element_and_line() {
    let bare = r#"<robot name="r"><link name="base"/></robot>"#;
    let cases = [
        (
            ends(r#"<joint name="j" type="hinge">ENDS</joint>"#),
            "line 2: <joint name=\"j\">: its type `hinge` is not known",
        ),
        (ends(r#"<joint name="j" type="fixed"><parent link="base"/></joint>"#), "it has no <child>"),
        (
            ends(r#"<joint name="j" type="fixed"><parent link="base"/><child link="leg"/></joint>"#),
            "there is no link `leg`",
        ),
        (
            ends(r#"<joint name="j" type="revolute">ENDS<axis xyz="0 0"/></joint>"#),
            "`xyz` has 2 numbers, and has to be three",
        ),
        (
            ends(r#"<joint name="j" type="revolute">ENDS<axis xyz="0 0 zero"/></joint>"#),
            "has to be numbers that are finite",
        ),
        (
            ends(r#"<joint name="j" type="revolute">ENDS<limit lower="1" upper="-1"/></joint>"#),
            "its lower end 1 is above its upper one -1",
        ),
        (ends(r#"<joint name="j" type="revolute">ENDS<mimic joint="k"/></joint>"#), "there is no joint `k` to follow"),
        (
            ends(r#"<joint name="j" type="fixed">ENDS</joint><joint name="k" type="fixed">ENDS</joint>"#),
            "the link `arm` is the child of another joint already",
        ),
        (
            ends(
                r#"<joint name="j" type="fixed">ENDS</joint><joint name="k" type="fixed"><parent link="arm"/><child link="base"/></joint>"#,
            ),
            "hold each other in a circle",
        ),
        (bare.replace("<link name=\"base\"/>", "<link/>"), "<link>: it has no `name`"),
        (bare.replace("base\"/>", "base\"/><link name=\"base\"/>"), "the name `base` is taken"),
        (bare.replace("<link name=\"base\"/>", ""), "it has no link"),
    ];
    for (text, wanted) in cases {
        let found = refused(|b| Importer::new().urdf(&text, b));
        assert!(found.contains(wanted), "`{found}` does not say `{wanted}`");
    }
}

fn body(inside: &str, beside: &str) -> String {
    format!(
        r#"<mujoco><worldbody><body name="a"><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>{inside}</body></worldbody>
        {beside}</mujoco>"#
    )
}

const HINGE: &str = r#"<joint name="h"/>"#;

#[test]
fn what_an_mjcf_has_that_changes_motion_is_refused_or_left_out() {
    let cases = [
        body(HINGE, r#"<tendon><fixed name="t" stiffness="5"><joint joint="h" coef="1"/></fixed></tendon>"#),
        body(HINGE, r#"<equality><connect body1="a" anchor="0 0 0"/></equality>"#),
        body(HINGE, r#"<equality><joint joint1="h"/></equality>"#),
        body(HINGE, r#"<actuator><muscle joint="h"/></actuator>"#),
        body(HINGE, r#"<actuator><motor tendon="t"/></actuator>"#),
        body(HINGE, r#"<option density="1000"/>"#),
        body(HINGE, r#"<deformable><flex name="f"/></deformable>"#),
        body(r#"<joint type="ball" range="0 30" limited="true"/>"#, ""),
        body(HINGE, r#"<worldbody><replicate count="3"/></worldbody>"#),
    ];
    for text in cases {
        let found = refused(|b| Importer::new().mjcf(&text, b));
        assert!(found.contains("is not supported, and without it the model would move in another way"), "{found}");
        let mut b = ModelBuilder::new();
        let robot = Importer::new().leave_out(true).mjcf(&text, &mut b).unwrap();
        assert_eq!(warned(&robot, "the model moves in another way without it"), 1, "{:?}", robot.warnings);
    }
}

#[test]
fn what_an_mjcf_has_that_says_nothing_of_motion_is_told_once() {
    let text = body(
        HINGE,
        r#"<sensor><jointpos joint="h"/><jointvel joint="h"/></sensor><strange/><strange/>
        <tendon><fixed name="t"><joint joint="h" coef="1"/></fixed></tendon>"#,
    );
    let (_, robot) = mjcf(&text);
    assert_eq!(robot.warnings.len(), 3, "{:?}", robot.warnings);
    assert_eq!(warned(&robot, "line 2: <jointpos>: sensors are left out"), 1);
    assert_eq!(warned(&robot, "line 2: <strange>: it is not known here"), 1);
}

/// Servos are drives, in whatever words; gears count twice.
#[test]
fn servos_are_drives() {
    for (actuator, right) in [
        (r#"<position joint="h" kp="50" kv="3" forcerange="-4 4"/>"#, [50.0, 3.0, 4.0]),
        (r#"<velocity joint="h" kv="3"/>"#, [0.0, 3.0, f32::INFINITY]),
        (
            r#"<general joint="h" gainprm="50" biastype="affine" biasprm="0 -50 -3" forcerange="-4 4"/>"#,
            [50.0, 3.0, 4.0],
        ),
        (r#"<position joint="h" kp="50" gear="2" forcerange="-4 4"/>"#, [200.0, 0.0, 8.0]),
        (r#"<motor joint="h" gear="100"/>"#, [0.0, 0.0, f32::INFINITY]),
    ] {
        let (model, _) = mjcf(&body(HINGE, &format!("<actuator>{actuator}</actuator>")));
        let of = |array: &Array<f32>| array.get(0).unwrap();
        let found = [
            of(model.joint_target_ke.array()),
            of(model.joint_target_kd.array()),
            of(model.joint_effort_limit.array()),
        ];
        assert_eq!(found, right, "{actuator}");
    }
}

#[test]
fn equalities_tie_joints() {
    let text = r#"<mujoco><compiler angle="radian"/><worldbody>
        <body name="a"><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><joint name="lead" ref="0.1"/></body>
        <body name="b"><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><joint name="follow"/></body></worldbody>
        <equality><joint joint1="follow" joint2="lead" polycoef="0.2 -0.5"/></equality>
        <contact><exclude body1="a" body2="b"/></contact>
        <keyframe><key name="up" qpos="1 -0.25" qvel="0 0"/></keyframe></mujoco>"#;
    let (model, robot) = mjcf(text);
    let q = model.state().unwrap().joint_q.to_vec().unwrap();
    // The leader stands at its reference, from which the equality counts.
    assert_near("the follower", f64::from(q[1]), 0.2, 1e-6);
    assert_eq!(model.excluded(0).unwrap().count(), 1);
    assert_eq!(robot.keyframes[0].joint_q, [1.0, -0.25]);
}

/// Joints of one body, in any order and at any places, are those of links without mass between.
#[test]
fn several_joints_of_a_body_move_it_one_after_the_other() {
    let text = r#"<mujoco><compiler angle="radian"/><worldbody><body name="a" pos="1 0 0"><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
        <joint name="h" axis="0 0 1" pos="-1 0 0"/><joint name="s" type="slide" axis="1 0 0"/></body></worldbody></mujoco>"#;
    let (model, robot) = mjcf(text);
    assert_eq!(robot.bodies.len(), 1);
    let mut state = model.state().unwrap();
    state.joint_q.copy_from_slice(&[std::f32::consts::FRAC_PI_2, 0.5]).unwrap();
    warp::sim::articulation::forward_kinematics(&model, &mut state).unwrap();
    let at = state.body_q.get(model.body_at(0, robot.bodies[0].1).unwrap()).unwrap();
    assert!(at.p.abs_diff_eq(Vec3::new(0.0, 1.5, 0.0), 1e-6), "{at:?}");
    let turn = DQuat::from_array(at.q.to_array().map(f64::from));
    assert!(turn.dot(DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2)).abs() > 1.0 - 1e-6);
}

#[test]
fn what_is_wrong_in_an_mjcf_is_told_by_element_and_line() {
    for (text, wanted) in [
        (body(r#"<joint type="screw"/>"#, ""), "line 1: <joint>: its type `screw` is not known"),
        (body(r#"<joint axis="0 0 0"/>"#, ""), "its axis has no direction"),
        (body(r#"<joint limited="true"/>"#, ""), "it is limited, and has no `range`"),
        (body(r#"<joint range="2 1"/>"#, ""), "the lower end comes first"),
        (body(r#"<geom type="box" size="1"/>"#, ""), "its `size` lacks number 2"),
        (body(r#"<geom type="sphere" size="-1"/>"#, ""), "its `size` has -1, and has to be above zero"),
        (body(r#"<geom type="mesh" mesh="m"/>"#, ""), "there is no mesh `m`"),
        (body(r#"<geom class="c"/>"#, ""), "there is no default class `c`"),
        (body(r#"<freejoint/><joint/>"#, ""), "a free joint is the only one of its body"),
        (body(HINGE, r#"<actuator><motor joint="k"/></actuator>"#), "line 2: <motor>: there is no joint `k`"),
        (body(HINGE, r#"<compiler coordinate="global"/>"#), "coordinates that are not local have left the format"),
        (body(HINGE, r#"<compiler angle="grad"/>"#), "has to be `degree` or `radian`"),
        (body(HINGE, r#"<include file="nowhere.xml"/>"#), "the file `nowhere.xml` is not there"),
        (body(HINGE, r#"<keyframe><key qpos="1 2 3"/></keyframe>"#), "its `qpos` has 3 numbers"),
        (
            body(r#"<inertial mass="1" pos="0 0 0"/>"#, r#"<worldbody><body name="a"/></worldbody>"#),
            "the name `a` is taken",
        ),
    ] {
        let found = refused(|b| Importer::new().mjcf(&text, b));
        assert!(found.contains(wanted), "`{found}` does not say `{wanted}`");
    }
}

/// Files with bytes lost, doubled or changed are read or refused, and never stop the program.
#[test]
fn broken_files_are_refused_and_never_panic() {
    let mut n = super::trees::Numbers::new(4);
    let urdf = ends(
        r#"<joint name="j" type="revolute">ENDS<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="j"/></joint>"#,
    );
    let mjcf = r#"<mujoco><compiler angle="degree" eulerseq="xyz"/><default><geom size="0.1"/><default class="c"><joint range="-1 1"/></default></default>
        <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/></asset>
        <worldbody><geom type="plane"/><body name="a" euler="1 2 3"><freejoint name="f"/><geom type="mesh" mesh="m"/>
        <body name="b" childclass="c" pos="0 0 1"><joint name="h"/><joint name="s" type="slide"/><geom fromto="0 0 0 0 0 1" type="capsule"/></body></body></worldbody>
        <equality><joint joint1="h" joint2="s" polycoef="0 1"/></equality><actuator><position joint="s" kp="10"/></actuator>
        <keyframe><key qpos="0 0 0 1 0 0 0 0 0"/></keyframe></mujoco>"#;
    let mut read = 0;
    for round in 0..6000 {
        let mut bytes = if round % 2 == 0 { urdf.clone().into_bytes() } else { mjcf.as_bytes().to_vec() };
        for _ in 0..1 + n.below(4) {
            let (at, other) = (n.below(bytes.len()), n.below(bytes.len()));
            match n.below(5) {
                0 if bytes.len() > 2 => drop(bytes.remove(at)),
                1 => bytes.truncate(at.max(2)),
                2 => bytes.insert(at, bytes[other]),
                3 => bytes.swap(at, other),
                _ => bytes[at] = b"<>/\"'=&;-.09ez \0"[n.below(16)],
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let mut b = ModelBuilder::new();
        let how = Importer::new().leave_out(round % 3 == 0);
        let found = if round % 2 == 0 { how.urdf(&text, &mut b) } else { how.mjcf(&text, &mut b) };
        if found.is_ok() && b.finalize(&Device::cpu()).is_ok() {
            read += 1;
        }
    }
    assert!(read > 100, "only {read} were read: the changes are too large to test anything");
}

/// The same of mesh files, in all their kinds.
#[test]
fn broken_mesh_files_are_refused_and_never_panic() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("meshes");
    std::fs::create_dir_all(&folder).unwrap();
    let corners = [[0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let faces = [[0usize, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mut binary = vec![0u8; 80];
    binary.extend(4u32.to_le_bytes());
    for face in faces {
        binary.extend([0f32; 3].into_iter().flat_map(f32::to_le_bytes));
        face.iter().for_each(|&k| binary.extend(corners[k].into_iter().flat_map(f32::to_le_bytes)));
        binary.extend([0, 0]);
    }
    let mut ascii = "solid t\n".to_owned();
    let mut obj = corners.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect::<String>();
    for face in faces {
        let vertex = |k: &usize| format!("vertex {} {} {}\n", corners[*k][0], corners[*k][1], corners[*k][2]);
        let all = face.iter().map(vertex).collect::<String>();
        ascii += &format!("facet normal 0 0 0\nouter loop\n{all}endloop\nendfacet\n");
        obj += &format!("f {} {} {}\n", face[0] + 1, face[1] + 1, face[2] + 1);
    }
    ascii += "endsolid t\n";
    let mut msh: Vec<u8> = [4i32, 0, 0, 4].into_iter().flat_map(i32::to_le_bytes).collect();
    msh.extend(corners.iter().flatten().flat_map(|x| x.to_le_bytes()));
    msh.extend(faces.iter().flatten().flat_map(|k| (*k as u32).to_le_bytes()));
    let kinds = [("stl", binary), ("stl", ascii.into_bytes()), ("obj", obj.into_bytes()), ("msh", msh)];
    let read = |kind: &str, bytes: &[u8]| {
        let name = format!("m.{kind}");
        std::fs::write(folder.join(&name), bytes).unwrap();
        let text = body(
            r#"<freejoint/><geom type="mesh" mesh="m"/>"#,
            &format!(r#"<asset><mesh name="m" file="{name}"/></asset>"#),
        );
        let text = text.replace(r#"<inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>"#, "");
        let mut b = ModelBuilder::new();
        Importer::new().folder(&folder).mjcf(&text, &mut b)?;
        b.finalize(&Device::cpu())
    };
    let mut n = super::trees::Numbers::new(5);
    for (kind, whole) in &kinds {
        let model = read(kind, whole).unwrap();
        assert_near(
            &format!("the mass of {kind}"),
            f64::from(model.body_mass.array().get(0).unwrap()),
            1000.0 / 6.0,
            1e-3,
        );
        for _ in 0..400 {
            let mut bytes = whole.clone();
            for _ in 0..1 + n.below(3) {
                let at = n.below(bytes.len());
                match n.below(3) {
                    0 => bytes.truncate(at.max(1)),
                    1 => bytes[at] = (128.0 + 127.0 * n.next()) as u8,
                    _ => bytes.insert(at, b"0 -\nvf9e\xff"[n.below(9)]),
                }
            }
            // Whatever it says, it says it.
            let _ = read(kind, &bytes);
        }
    }
}
