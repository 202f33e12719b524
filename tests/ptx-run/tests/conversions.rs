//! `cvt`, against Rust's conversions, exact comparisons, and tables by hand.

mod support;

use support::{apply, check, kernel, refused};

/// Runs a conversion on all values.
fn all(name: &str, from: &str, to: &str, values: &[u64], expected: impl Fn(u64) -> u64) {
    let (a, d) = (format!("{from}1"), format!("{to}0"));
    let rows: Vec<Vec<u64>> = values.iter().map(|&value| vec![value]).collect();
    let found = apply(&format!("cvt.{name} {d}, {a};"), &[&a], &rows, &[&d]);
    for (&value, found) in values.iter().zip(found) {
        let wanted = expected(value);
        assert_eq!(found[0], wanted, "cvt.{name} of {value:x} gives {:x}, expected {wanted:x}", found[0]);
    }
}

const INTEGERS: [u64; 14] = [
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_ffff,
];

#[test]
fn between_integers() {
    all("s64.s32", "%r", "%rd", &INTEGERS, |a| a as i32 as u64);
    all("u64.u32", "%r", "%rd", &INTEGERS, |a| u64::from(a as u32));
    all("u32.u64", "%rd", "%r", &INTEGERS, |a| u64::from(a as u32));
    all("s32.s16", "%h", "%r", &INTEGERS, |a| u64::from(a as i16 as u32));
    all("s32.s8", "%r", "%r", &INTEGERS, |a| u64::from(a as i8 as u32));
    all("u16.u8", "%rd", "%h", &INTEGERS, |a| a & 0xff);
    // A result that is narrower than its register is extended by its own type.
    all("s8.u32", "%r", "%rd", &INTEGERS, |a| a as i8 as u64);
    all("s8.u32", "%r", "%h", &INTEGERS, |a| u64::from(a as i8 as u16));
    all("u8.s32", "%r", "%r", &INTEGERS, |a| a & 0xff);
    all("u16.s64", "%rd", "%r", &INTEGERS, |a| a & 0xffff);
    all("s16.u16", "%h", "%r", &INTEGERS, |a| u64::from(a as i16 as u32));
    all("sat.u8.s32", "%r", "%h", &INTEGERS, |a| (a as i32).clamp(0, 255) as u64);
    all("sat.s8.s64", "%rd", "%r", &INTEGERS, |a| u64::from((a as i64).clamp(-128, 127) as u32));
    all("sat.u32.s32", "%r", "%r", &INTEGERS, |a| (a as i32).max(0) as u64);
    all("sat.s32.u32", "%r", "%r", &INTEGERS, |a| u64::from((a as u32).min(i32::MAX as u32)));
    all("sat.s32.u64", "%rd", "%r", &INTEGERS, |a| a.min(i32::MAX as u64));
    check("cvt.u64.u32 %rd0, %tid.x;", &[], &[("%rd0", 0)]);
}

#[test]
fn from_integers_to_floats() {
    let mut values = INTEGERS.to_vec();
    values.extend([16_777_217, 16_777_219, 0x1_0000_0001, (1 << 53) + 1, u64::MAX - 1024, 0xffff_ff7f, 0xffff_ff80]);
    all("rn.f32.s32", "%r", "%f", &values, |a| (a as i32 as f32).to_bits().into());
    all("rn.f32.u32", "%r", "%f", &values, |a| (a as u32 as f32).to_bits().into());
    all("rn.f32.s64", "%rd", "%f", &values, |a| (a as i64 as f32).to_bits().into());
    all("rn.f32.u64", "%rd", "%f", &values, |a| (a as f32).to_bits().into());
    all("rn.f64.s64", "%rd", "%d", &values, |a| (a as i64 as f64).to_bits());
    all("rn.f64.u64", "%rd", "%d", &values, |a| (a as f64).to_bits());
    all("rn.f64.s32", "%r", "%d", &values, |a| f64::from(a as i32).to_bits());
    all("rn.f32.u8", "%r", "%f", &values, |a| f32::from(a as u8).to_bits().into());
    all("rn.f32.s16", "%h", "%f", &values, |a| f32::from(a as i16).to_bits().into());
    // The nearest may lie on the wrong side of the exact whole number; then its neighbour is right.
    for (mode, down, up) in [("rm", true, true), ("rp", false, false), ("rz", true, false)] {
        let expected = |exact: i128, nearest: f32| {
            let down = if exact >= 0 { down } else { up };
            let distance = nearest as i128 - exact;
            let next = match (down, distance) {
                (true, 1..) => nearest.next_down(),
                (false, ..=-1) => nearest.next_up(),
                _ => nearest,
            };
            u64::from(next.to_bits())
        };
        all(&format!("{mode}.f32.s64"), "%rd", "%f", &values, |a| expected(i128::from(a as i64), a as i64 as f32));
        all(&format!("{mode}.f32.u64"), "%rd", "%f", &values, |a| expected(i128::from(a), a as f32));
        all(&format!("{mode}.f32.s32"), "%r", "%f", &values, |a| expected(i128::from(a as i32), a as i32 as f32));
    }
    all("rn.sat.f32.s32", "%r", "%f", &values, |a| ((a as i32).clamp(0, 1) as f32).to_bits().into());
}

fn floats() -> Vec<f64> {
    let mut values = vec![0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.499, 0.9999, 1e-30, 100.7, -100.7, 255.5];
    values.extend([2147483520.0, 2147483648.0, -2147483648.0, -2147483904.0, 4294967040.0, 4294967296.0, -1.0]);
    values.extend([9.223372036854775e18, 9.223372036854776e18, -9.3e18, 1.9e19, 1e300, -1e300, 32768.5, -32769.0]);
    values.extend([f64::INFINITY, f64::NEG_INFINITY]);
    values
}

fn rounded(mode: &str, value: f64) -> f64 {
    match mode {
        "rni" => value.round_ties_even(),
        "rzi" => value.trunc(),
        "rmi" => value.floor(),
        _ => value.ceil(),
    }
}

#[test]
fn from_floats_to_integers() {
    let doubles: Vec<u64> = floats().into_iter().map(f64::to_bits).collect();
    let singles: Vec<u64> = floats().into_iter().map(|v| u64::from((v as f32).to_bits())).collect();
    let single = |bits: u64| f64::from(f32::from_bits(bits as u32));
    let double = f64::from_bits;
    for mode in ["rni", "rzi", "rmi", "rpi"] {
        let name = |types: &str| format!("{mode}.{types}");
        // Rust's `as` clamps as the instruction does.
        all(&name("s32.f32"), "%f", "%r", &singles, |a| u64::from(rounded(mode, single(a)) as i32 as u32));
        all(&name("u32.f32"), "%f", "%r", &singles, |a| u64::from(rounded(mode, single(a)) as u32));
        all(&name("s64.f32"), "%f", "%rd", &singles, |a| rounded(mode, single(a)) as i64 as u64);
        all(&name("u64.f32"), "%f", "%rd", &singles, |a| rounded(mode, single(a)) as u64);
        all(&name("s32.f64"), "%d", "%r", &doubles, |a| u64::from(rounded(mode, double(a)) as i32 as u32));
        all(&name("u32.f64"), "%d", "%r", &doubles, |a| u64::from(rounded(mode, double(a)) as u32));
        all(&name("s64.f64"), "%d", "%rd", &doubles, |a| rounded(mode, double(a)) as i64 as u64);
        all(&name("u64.f64"), "%d", "%rd", &doubles, |a| rounded(mode, double(a)) as u64);
        all(&name("s16.f32"), "%f", "%h", &singles, |a| u64::from(rounded(mode, single(a)) as i16 as u16));
        all(&name("u16.f64"), "%d", "%h", &doubles, |a| u64::from(rounded(mode, double(a)) as u16));
        all(&name("s8.f32"), "%f", "%r", &singles, |a| u64::from(rounded(mode, single(a)) as i8 as u32));
        all(&name("f32.f32"), "%f", "%f", &singles, |a| u64::from((rounded(mode, single(a)) as f32).to_bits()));
        all(&name("f64.f64"), "%d", "%d", &doubles, |a| rounded(mode, double(a)).to_bits());
    }
    // NaN: zero from `f32` to 32 bits or fewer, else the highest bit alone.
    let nan = [("%f1", 0x7fc0_0000), ("%d1", 0x7ff8_0000_0000_0000)];
    check("cvt.rzi.s32.f32 %r0, %f1;", &nan, &[("%r0", 0)]);
    check("cvt.rzi.u32.f32 %r0, %f1;", &nan, &[("%r0", 0)]);
    check("cvt.rzi.s64.f32 %rd0, %f1;", &nan, &[("%rd0", 1 << 63)]);
    check("cvt.rzi.u64.f32 %rd0, %f1;", &nan, &[("%rd0", 1 << 63)]);
    check("cvt.rzi.s32.f64 %r0, %d1;", &nan, &[("%r0", 1 << 31)]);
    check("cvt.rzi.u32.f64 %r0, %d1;", &nan, &[("%r0", 1 << 31)]);
    check("cvt.rzi.s64.f64 %rd0, %d1;", &nan, &[("%rd0", 1 << 63)]);
}

#[test]
fn between_floats() {
    let mut values = floats();
    values.extend([
        0.1,
        1e-40,
        1e-46,
        -1e-46,
        3.5e38,
        -3.5e38,
        1.0 + 2f64.powi(-24),
        1.0 + 2f64.powi(-25),
        1.17549428e-38,
    ]);
    let doubles: Vec<u64> = values.iter().map(|v| v.to_bits()).collect();
    let singles: Vec<u64> = values.iter().map(|&v| u64::from((v as f32).to_bits())).collect();
    all("f64.f32", "%f", "%d", &singles, |a| f64::from(f32::from_bits(a as u32)).to_bits());
    all("rn.f32.f64", "%d", "%f", &doubles, |a| u64::from((f64::from_bits(a) as f32).to_bits()));
    for mode in ["rz", "rm", "rp"] {
        all(&format!("{mode}.f32.f64"), "%d", "%f", &doubles, |bits| {
            let exact = f64::from_bits(bits);
            let nearest = exact as f32;
            let down = mode == "rm" || (mode == "rz" && exact > 0.0);
            let next = if down && f64::from(nearest) > exact {
                nearest.next_down()
            } else if !down && f64::from(nearest) < exact {
                nearest.next_up()
            } else {
                nearest
            };
            u64::from(next.to_bits())
        });
    }
    let clamp = |v: f64| if v <= 0.0 { 0.0f32 } else { v.min(1.0) as f32 };
    all("rn.sat.f32.f64", "%d", "%f", &doubles, |a| u64::from(clamp(f64::from_bits(a)).to_bits()));
    all("sat.f32.f32", "%f", "%f", &singles, |a| u64::from(clamp(f64::from(f32::from_bits(a as u32))).to_bits()));
    check("cvt.sat.f32.f32 %f0, %f1;", &[("%f1", 0xffc0_0000)], &[("%f0", 0)]);
    check("cvt.rn.f32.f64 %f0, %d1;", &[("%d1", f64::NAN.to_bits())], &[("%f0", 0x7fff_ffff)]);
    check("cvt.f64.f32 %d0, %f1;", &[("%f1", 0x7fc0_0001)], &[("%d0", 0x7ff8_0000_0000_0000)]);
}

#[test]
fn halves() {
    // Values and their bits as f16, by hand from the format: 1, 5 and 10 bits.
    let exact: [(f32, u64); 9] = [
        (0.0, 0),
        (-0.0, 0x8000),
        (1.0, 0x3c00),
        (-2.0, 0xc000),
        (65504.0, 0x7bff),
        (5.960_464_5e-8, 0x0001),
        (6.103_515_6e-5, 0x0400),
        (0.333_251_95, 0x3555),
        (f32::INFINITY, 0x7c00),
    ];
    for (value, bits) in exact {
        let single = u64::from(value.to_bits());
        check("cvt.rn.f16.f32 %h0, %f1;", &[("%f1", single)], &[("%h0", bits)]);
        check("cvt.f32.f16 %f0, %h1;", &[("%h1", bits)], &[("%f0", single)]);
        check("cvt.f64.f16 %d0, %h1;", &[("%h1", bits)], &[("%d0", f64::from(value).to_bits())]);
        check("cvt.rn.f16.f64 %h0, %d1;", &[("%d1", f64::from(value).to_bits())], &[("%h0", bits)]);
    }
    // 1 + 2^-11 lies half-way: to the even one; 65520 half-way to what would follow the largest.
    let rounding = |value: f32, mode: &str, bits: u64| {
        check(&format!("cvt.{mode}.f16.f32 %h0, %f1;"), &[("%f1", value.to_bits().into())], &[("%h0", bits)]);
    };
    rounding(1.0 + 1.0 / 2048.0, "rn", 0x3c00);
    rounding(1.0 + 3.0 / 2048.0, "rn", 0x3c02);
    rounding(1.0 + 1.0 / 2048.0, "rp", 0x3c01);
    rounding(65519.0, "rn", 0x7bff);
    rounding(65520.0, "rn", 0x7c00);
    rounding(65520.0, "rz", 0x7bff);
    rounding(2.980_232_2e-8, "rn", 0);
    rounding(2.980_232_6e-8, "rn", 1);
    rounding(f32::NAN, "rn", 0x7fff);
    check("cvt.rn.f16.s32 %h0, %r1;", &[("%r1", 2049)], &[("%h0", 0x6800)]);
    check("cvt.rzi.s32.f16 %r0, %h1;", &[("%h1", 0xc500)], &[("%r0", 0xffff_fffb)]);
    check("cvt.rni.f16.f16 %h0, %h1;", &[("%h1", 0x3e00)], &[("%h0", 0x4000)]);
}

#[test]
fn brain_floats() {
    // The upper half of an f32.
    let rounding = |bits: u64, mode: &str, expected: u64| {
        check(&format!("cvt.{mode}.bf16.f32 %h0, %f1;"), &[("%f1", bits)], &[("%h0", expected)]);
    };
    rounding(0x3f80_0000, "rn", 0x3f80);
    rounding(0x3f80_8000, "rn", 0x3f80);
    rounding(0x3f80_8001, "rn", 0x3f81);
    rounding(0x3f81_8000, "rn", 0x3f82);
    rounding(0x3f80_ffff, "rz", 0x3f80);
    rounding(0x7f7f_ffff, "rn", 0x7f80);
    rounding(0x0000_8001, "rn", 0x0001);
    rounding(0x7fc0_0000, "rn", 0x7fff);
    check("cvt.f32.bf16 %f0, %h1;", &[("%h1", 0xc049)], &[("%f0", 0xc049_0000)]);
}

#[test]
fn roundings_must_be_right() {
    let refuse = |line: &str, why: &str| {
        let message = refused(&kernel(line));
        assert!(message.contains(why), "{line}: {message}");
    };
    refuse("cvt.f32.s32 %f0, %r1;", "a rounding must be said");
    refuse("cvt.f32.f64 %f0, %d1;", "a rounding must be said");
    refuse("cvt.s32.f32 %r0, %f1;", "a rounding that is said");
    refuse("cvt.rn.s32.f32 %r0, %f1;", "a rounding that is said");
    refuse("cvt.rn.f64.f32 %d0, %f1;", "no rounding is allowed");
    refuse("cvt.rn.u8.s32 %r0, %r1;", "no rounding is allowed");
    refuse("cvt.rn.f32.f32 %f0, %f1;", "nothing to round");
    refuse("cvt.rzi.f32.f64 %f0, %d1;", "a rounding must be said");
    refuse("cvt.rn.ftz.f32.f64 %f0, %d1;", "`.ftz` is not handled here");
    refuse("cvt.rn.f16x2.f32 %r0, %f1, %f2;", "`.f16x2` is not handled here");
    refuse("cvt.sat.bf16.bf16 %h0, %h1;", "no such form");
    refuse("cvt.rna.tf32.f32 %r0, %f1;", "`.rna` is not handled here");
    refuse("cvt.b32.u32 %r0, %r1;", "no type of numbers");
    refuse("cvt.s64.s32 %rd0, %h1;", "has type .b16; .s32 is wanted");
    refuse("cvt.rn.f32.s32 %f0, %f1;", "has type .f32; .s32 is wanted");
}
