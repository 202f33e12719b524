//! Films of simulations, as other programs read them.

use serde_json::Value;
use warp::math::{DQuat, DVec3};
use warp::prelude::*;
use warp::sim::record::{Curves, GltfRecorder, UsdaRecorder};
use warp::sim::{Mesh, Model, ModelBuilder, SemiImplicit, Shape, Stepper};

fn scene() -> Model {
    let mut b = ModelBuilder::new();
    b.ground();
    let tilt = DQuat::from_rotation_x(0.5);
    b.body("a box/1").velocity([1.0, 0.0, 2.0]).spin([0.0, 3.0, 0.0]).shape(Shape::cuboid([0.1, 0.2, 0.3])).id();
    b.body("a box 1")
        .at([0.0, 1.0, 0.0])
        .shape(Shape::capsule(0.1, 0.2).turned(tilt))
        .shape(Shape::cone(0.1, 0.2))
        .id();
    let points = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let mesh = Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    b.body("1 mesh").shape(Shape::mesh(mesh)).shape(Shape::ellipsoid([0.1, 0.2, 0.3]).named("egg")).id();
    b.body("").at([2.0, 0.0, 0.0]).shape(Shape::cylinder(0.1, 0.2)).shape(Shape::sphere(0.2)).id();
    b.particle([0.0, 0.0, 3.0]).radius(0.1).id();
    b.particle([0.0, 0.5, 3.0]).id();
    b.replicate(2).finalize(&Device::cpu()).unwrap()
}

/// Twenty frames of the second world, a sixtieth of a second apart.
pub fn filmed<R>(
    record: impl FnOnce(&Model) -> R,
    mut frame: impl FnMut(&mut R, &Model, &Stepper<'_, SemiImplicit>),
) -> R {
    let model = scene();
    let mut film = record(&model);
    let mut sim = Stepper::new(&model, SemiImplicit::new(&model).unwrap()).unwrap();
    for _ in 0..20 {
        frame(&mut film, &model, &sim);
        sim.step(1.0 / 60.0).unwrap();
    }
    film
}

#[test]
fn a_stage_has_all_bodies_at_all_times() {
    let film = filmed(
        |model| UsdaRecorder::new(model, 1).unwrap(),
        |film, model, sim| film.frame(model, &sim.state, sim.time()).unwrap(),
    );
    let text = film.text();
    assert!(text.starts_with("#usda 1.0\n") && text.matches('{').count() == text.matches('}').count());
    for part in [
        "metersPerUnit = 1",
        "upAxis = \"Z\"",
        "timeCodesPerSecond = 60",
        "def Xform \"a_box_1\"",
        "def Xform \"a_box_1_2\"",
        "def Xform \"_1_mesh\"",
        "def Xform \"body_3\"",
        "def Cube \"shape_0\"",
        "def Capsule \"shape_0\"",
        "def Cone \"shape_1\"",
        "def Sphere \"egg\"",
        "def Cylinder \"shape_0\"",
        "def Points \"particles\"",
        "float[] widths = [0.2",
        "int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]",
    ] {
        assert!(text.contains(part), "{part} is missing");
    }
    // The box flies as it was thrown: after 19 steps of a sixtieth of a second.
    let after = text.split("xformOp:translate.timeSamples = {").nth(1).unwrap().split('}').next().unwrap();
    let samples: Vec<&str> = after.trim().lines().collect();
    assert_eq!(samples.len(), 20);
    let numbers: Vec<f64> =
        samples[19].split(['(', ')', ',', ':']).filter_map(|word| word.trim().parse().ok()).collect();
    let t = 19.0 / 60.0;
    let height = 2.0 * t - 9.81 / 3600.0 * 19.0 * 20.0 / 2.0;
    for (found, right) in numbers.iter().zip([19.0, t, 0.0, height]) {
        assert!((found - right).abs() < 1e-4, "{numbers:?}");
    }
    let file = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("film.usda");
    film.save(&file).unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn frames_that_cannot_be_are_told() {
    let model = scene();
    let told = UsdaRecorder::new(&model, 2).unwrap_err().to_string();
    assert!(told.contains("there is no world 2"), "{told}");
    let mut film = UsdaRecorder::new(&model, 0).unwrap();
    let mut state = model.state().unwrap();
    film.frame(&model, &state, 0.5).unwrap();
    let told = film.frame(&model, &state, 0.5).unwrap_err().to_string();
    assert_eq!(told, "frames come one after the other, and one at 0.5 s does not come after the last");
    state.body_q.fill(warp::math::Transform::new(Vec3::splat(f32::NAN), Quat::IDENTITY)).unwrap();
    let told = film.frame(&model, &state, 1.0).unwrap_err().to_string();
    assert!(told.starts_with("body_q of body `a box/1` in world 0 is not finite"), "{told}");
    assert!(film.save("/nowhere/at/all.usda").unwrap_err().to_string().contains("cannot be written"));
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

#[test]
fn a_glb_has_all_bodies_at_all_times() {
    let film = filmed(
        |model| GltfRecorder::new(model, 0).unwrap(),
        |film, model, sim| film.frame(model, &sim.state, sim.time()).unwrap(),
    );
    let bytes = film.bytes();
    assert_eq!((&bytes[..4], word(&bytes, 4), word(&bytes, 8)), (&b"glTF"[..], 2, bytes.len()));
    let length = word(&bytes, 12);
    assert_eq!((length % 4, &bytes[16..20]), (0, &b"JSON"[..]));
    let json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let data = &bytes[28 + length..];
    assert_eq!((word(&bytes, 20 + length), &bytes[24 + length..28 + length]), (data.len(), &b"BIN\0"[..]));
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    // All that is named is there, and lies in the data.
    for accessor in json["accessors"].as_array().unwrap() {
        let view = &json["bufferViews"][number(&accessor["bufferView"])];
        let width = ["SCALAR", "VEC2", "VEC3", "VEC4"].iter().position(|kind| accessor["type"] == *kind).unwrap() + 1;
        assert_eq!(number(&view["byteLength"]), 4 * width * number(&accessor["count"]));
        assert!(number(&view["byteOffset"]) + number(&view["byteLength"]) <= number(&json["buffers"][0]["byteLength"]));
    }
    let nodes: Vec<&str> =
        json["nodes"].as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap()).collect();
    assert_eq!(nodes[..4], ["a_box_1", "a_box_1_2", "_1_mesh", "body_3"]);
    assert_eq!(nodes[4..], ["fixed_shapes", "particle_0", "particle_1", "World"]);
    // The last place of the box.
    let channels = json["animations"][0]["channels"].as_array().unwrap();
    assert_eq!(channels.len(), 4 * 2 + 2);
    let sampler = &json["animations"][0]["samplers"][number(&channels[0]["sampler"])];
    let output = &json["accessors"][number(&sampler["output"])];
    let view = &json["bufferViews"][number(&output["bufferView"])];
    assert_eq!(number(&output["count"]), 20);
    let end = number(&view["byteOffset"]) + number(&view["byteLength"]);
    let part = |at: usize| f32::from_le_bytes(data[at..at + 4].try_into().unwrap());
    let t = 19.0 / 60.0;
    let height = 2.0 * t - 9.81 / 3600.0 * 19.0 * 20.0 / 2.0;
    for (k, right) in [t, 0.0, height].into_iter().enumerate() {
        assert!((part(end - 12 + 4 * k) - right).abs() < 1e-4);
    }
    let file = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("film.glb");
    film.save(&file).unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    // A film without frames is a still.
    assert_eq!(GltfRecorder::new(&scene(), 0).unwrap().bytes()[..4], *b"glTF");
}

#[test]
fn curves_are_tables_and_plots() {
    let mut curves = Curves::new("Two & more", "J");
    for k in 0..5 {
        curves.add("one", f64::from(k), f64::from(k * k));
    }
    curves.add("odd, \"name\"", 2.0, 0.5);
    assert_eq!(curves.csv(), "time,one,\"odd, \"\"name\"\"\"\n0,0,\n1,1,\n2,4,0.5\n3,9,\n4,16,\n");
    let svg = curves.svg().unwrap();
    // The title, both names, and a line through all five points.
    for part in ["Two &amp; more", "one", "time, s", "<polyline"] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    curves.save(folder.join("curves.svg")).unwrap();
    curves.save(folder.join("curves.csv")).unwrap();
    let told = curves.save(folder.join("curves.pdf")).unwrap_err().to_string();
    assert!(told.contains("curves go to files that end in `.csv` or `.svg`"), "{told}");
    let told = Curves::new("none", "J").svg().unwrap_err().to_string();
    assert_eq!(told, "`none` cannot be plotted: it has no number");
}
