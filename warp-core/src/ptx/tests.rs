//! The text in the binary is the one that is made when all is known, with the same places for what came later.

use std::mem::{offset_of, size_of};

use warp::Float;
use warp::prelude::*;
use warp_ir::differentiate::Reverse;
use warp_ir::emit::ptx::{Elements, Input, emit, emit_early};
use warp_ir::validate::Valid;

use crate::backend::ElementLayout;
use crate::kernel::Definition;
use crate::program;

const SCALE: f32 = 0.1 * 5.0;
const LIMITS: [i16; 2] = [-3, 700];
const FAR: f64 = 1.0e300;
const SIGNED: i64 = -2;
const ON: bool = true;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Spin {
    axis: Vec3,
    turns: u8,
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Ball {
    heavy: bool,
    mass: f64,
    at: Vec3,
    turn: Quat,
    spin: Spin,
}

/// Nothing here is left open.
#[kernel]
fn smooth(from: &[f32], to: &mut [f32], at: &mut [Vec3], dt: f32) {
    let i = tid();
    if i > 0 && i + 1 < from.len() {
        to[i] = (from[i - 1] + from[i + 1]) * 0.5;
    }
    at[i] += Vec3::ONE * dt;
}

/// Constants of each kind.
#[kernel]
fn constants(out: &mut [f32], wide: &mut [f64], long: &mut [i64], short: &mut [i16]) {
    let i = tid();
    let scale: f32 = SCALE;
    out[i] *= scale;
    if ON {
        wide[i] = FAR;
    }
    long[i] += SIGNED;
    let limits: [i16; 2] = LIMITS;
    short[i] = limits[0];
    short[0] = limits[1];
}

/// Elements of the user's, and neighbours of them.
#[kernel]
fn balls(balls: &[Ball], out: &mut [Ball], spins: View2<Spin>, speeds: &Soa<Ball>, x: &[f32]) {
    let i = tid();
    if i > 0 && i + 1 < balls.len() {
        let scale: f32 = SCALE;
        out[i].at = (balls[i + 1].at - balls[i - 1].at) * scale + spins[(i, 2)].axis + speeds[i].at;
        out[i].mass = balls[i].mass * x[i] as f64;
    }
    out[3].turn = balls[0].turn;
}

/// Its scalars lie as they would alone.
#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Sphere {
    at: Vec3,
    radius: f32,
}

#[kernel(no_adjoint)]
fn spheres(from: &[Sphere], to: &mut [Sphere]) {
    let i = tid();
    to[i] = from[i];
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Head {
    far: f64,
    small: u8,
}

/// The end of `head` is filled up, so that they do not.
#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Apart {
    head: Head,
    a: f32,
    b: f32,
    c: f32,
}

#[kernel(no_adjoint)]
fn parts(from: &[Apart], to: &mut [Apart]) {
    let i = tid();
    to[i] = from[i];
}

#[derive(Args)]
struct Both<'a> {
    balls: &'a mut [Ball],
    x: &'a [f32],
}

#[kernel(no_adjoint)]
fn bundle(both: Both, y: &[u32]) {
    let i = tid();
    both.balls[i].mass += both.x[i] as f64 + y[i] as f64;
}

#[kernel(T = [f32, f64])]
fn halve<T: Float>(x: &mut [T]) {
    let i = tid();
    let half = x[i] * T::from_f32(0.5);
    x[i] = half;
}

/// The text that a kernel has at run time, where `elements` says what was left open.
fn again(definition: &Definition, back: bool, of: impl Fn(&[ElementLayout]) -> Vec<Elements>) -> String {
    let program = program::program(&definition.spec).unwrap();
    let kernel = Valid::<warp_ir::ir::Kernel>::new(program.kernel).unwrap();
    let mut elements = of(&program.layouts);
    let mut emitted = kernel.clone();
    if back {
        let Reverse::Adjoint(adjoint) = Reverse::from_bytes(definition.spec.adjoint, &kernel).unwrap() else {
            panic!("there is an adjoint");
        };
        // In these kernels each gradient stands behind the arrays, in their order, for arrays that hold floats.
        for need in &adjoint.arrays {
            if let Some(at) = need.gradient {
                assert_eq!(at.0 as usize, elements.len());
                let like = adjoint.arrays.iter().position(|other| other == need).unwrap();
                elements.push(elements[like].clone());
            }
        }
        emitted = adjoint.kernel;
    }
    let module = emit_early(&emitted, &elements).unwrap();
    module.filled(&program.slots, &program.layouts).unwrap()
}

fn later(definition: &'static Definition, number: usize) -> Elements {
    let first = definition.spec.arrays.iter().position(|layout| *layout == definition.spec.arrays[number]);
    Elements::Later(first.unwrap() as u32)
}

#[test]
fn where_nothing_is_open_it_is_the_text_of_launches() {
    let definition = smooth::definition();
    let program = program::program(&definition.spec).unwrap();
    let kernel = Valid::<warp_ir::ir::Kernel>::new(program.kernel).unwrap();
    let launched = emit(&Input { kernel: &kernel, layouts: &program.layouts, slots: Some(&[]) }).unwrap();
    assert_eq!(smooth::PTX, launched.text);
    let known = |layouts: &[ElementLayout]| layouts.iter().cloned().map(Elements::Known).collect();
    assert_eq!(smooth::PTX_ADJOINT, again(definition, true, known));
}

#[test]
fn constants_stand_where_they_belong() {
    let known = |layouts: &[ElementLayout]| layouts.iter().cloned().map(Elements::Known).collect();
    for (text, back) in [(constants::PTX, false), (constants::PTX_ADJOINT, true)] {
        assert_eq!(text, again(constants::definition(), back, known), "{text}");
    }
    let places = [
        format!("0f{:08X};", SCALE.to_bits()),
        format!("0d{:016X};", FAR.to_bits()),
        format!("0x{SIGNED:016X};"),
        format!("0x{:04X};", LIMITS[0]),
        format!("0x{:04X};", LIMITS[1]),
        "0x01;".into(),
    ];
    for place in places {
        assert!(constants::PTX.contains(&place), "no {place} in\n{}", constants::PTX);
    }
}

#[test]
fn elements_of_the_users_lie_where_rustc_put_them() {
    let definition = balls::definition();
    let open = |layouts: &[ElementLayout]| {
        let of = |(k, layout): (usize, &ElementLayout)| match k {
            4 => Elements::Known(layout.clone()),
            _ => later(definition, k),
        };
        layouts.iter().enumerate().map(of).collect()
    };
    for (text, back) in [(balls::PTX, false), (balls::PTX_ADJOINT, true)] {
        assert_eq!(text, again(definition, back, open), "{text}");
    }
    let (size, at, mass) = (size_of::<Ball>(), offset_of!(Ball, at), offset_of!(Ball, mass));
    let turn = offset_of!(Ball, turn);
    let places = [
        format!(", 0x{size:08X}"),
        format!("+0x{:08X}]", size + at + 4),
        format!("+-0x{:08X}]", size - at - 4),
        format!("+0x{mass:08X}]"),
        format!("+0x{:08X}]", 3 * size + turn),
        format!(", 0x{:08X}", size_of::<Spin>()),
    ];
    for place in places {
        assert!(balls::PTX.contains(&place), "no {place} in\n{}", balls::PTX);
    }
}

/// The lines of an entry that move something in global memory, without those that are comments, and how many of these there are.
fn moves<'t>(text: &'t str, entry: &str) -> (Vec<&'t str>, usize) {
    let body = text.split(&format!(".visible .entry {entry}(")).nth(1).expect("the entry is there");
    let body = body.split("\n}").next().unwrap_or_default();
    let all: Vec<&str> = body.lines().filter(|line| line.contains("ld.global") || line.contains("st.global")).collect();
    let lines: Vec<&str> = all.iter().copied().filter(|line| !line.starts_with("//")).collect();
    let comments = all.len() - lines.len();
    (lines, comments)
}

#[test]
fn neighbours_move_together_where_rustc_put_them_side_by_side() {
    for (text, kernel) in [(spheres::PTX, spheres::definition()), (parts::PTX, parts::definition())] {
        let open = |layouts: &[ElementLayout]| (0..layouts.len()).map(|k| later(kernel, k)).collect();
        assert_eq!(text, again(kernel, false, open), "{text}");
    }
    let (lines, comments) = moves(spheres::PTX, "spheres_narrow");
    assert!(lines.len() == 2 && lines.iter().all(|line| line.contains(".v4.f32")) && comments == 8, "{}", spheres::PTX);
    // Where nothing is known of the address, a struct of floats is no better aligned than these.
    let (lines, comments) = moves(spheres::PTX, "spheres_wide");
    assert!(lines.len() == 8 && comments == 0, "{}", spheres::PTX);
    let (lines, comments) = moves(parts::PTX, "parts_narrow");
    assert!(lines.len() == 10 && !lines.iter().any(|line| line.contains(".v2")) && comments == 2, "{}", parts::PTX);
    let (a, size) = (offset_of!(Apart, a), size_of::<Apart>());
    assert!(parts::PTX.contains(&format!("+0x{a:08X}]")) && parts::PTX.contains(&format!(", 0x{size:08X}")));
}

#[test]
fn bundles_and_generic_kernels_have_texts_too() {
    let definition = bundle::definition();
    let open = |layouts: &[ElementLayout]| {
        let of = |(k, layout): (usize, &ElementLayout)| match k {
            2 => Elements::Known(layout.clone()),
            _ => Elements::Later(k as u32),
        };
        layouts.iter().enumerate().map(of).collect()
    };
    assert_eq!(bundle::PTX, again(definition, false, open));
    const SINGLE: &str = halve::ptx::<f32>();
    const DOUBLE: &str = halve::ptx_adjoint::<f64>();
    assert!(SINGLE.contains("mul.rn.f32") && !SINGLE.contains(".f64"), "{SINGLE}");
    assert!(DOUBLE.contains(".f64") && DOUBLE.contains(".visible .entry"), "{DOUBLE}");
}

#[test]
fn texts_say_how_they_are_launched() {
    let head = "// Kernel `smooth`.\n// `args` is these words, 64 bits each:\n//    0  from: address\n//    1  from: elements\n\
        //    2  to: address\n//    3  to: elements\n//    4  at: address\n//    5  at: elements\n//    6  dt: f32\n\
        //    7  address of the fault block, which has 6 words\n//    8  address of the print ring, or 0\n\
        //    9  extent 0 of the launch\n//   10  threads of the launch\n.version 7.0\n";
    assert!(smooth::PTX.starts_with(head), "{}", smooth::PTX);
    let wide = "// right for every launch: blocks and threads along x alone\n.visible .entry smooth_wide(";
    assert!(smooth::PTX.contains(wide), "{}", smooth::PTX);
}
