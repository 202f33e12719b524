//! `==` and `<` of the user's types: as derived where that is known, else by the user's own function.

use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(u8)]
pub enum Phase {
    Solid,
    Liquid = 4,
}

#[derive(Clone, Copy, Debug, Struct)]
#[repr(i16)]
#[derive(PartialEq, PartialOrd)]
pub enum Grade {
    Low = -3,
    High = 2,
}

#[derive(Clone, Copy, PartialEq, Debug, Struct)]
#[repr(C)]
pub struct Part {
    pub mass: f32,
    pub at: Vec3,
    pub turn: Quat,
    pub half: f16,
    pub grade: Grade,
}

#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
#[derive(PartialEq)]
pub struct Whole {
    pub parts: [Part; 2],
    pub phase: Phase,
}

/// Equal up to a thousandth.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub struct Near {
    pub x: f32,
}

#[methods]
impl PartialEq for Near {
    fn eq(&self, other: &Self) -> bool {
        (self.x - other.x).abs() < 1e-3
    }
}

#[kernel]
fn compare(parts: &[Part], wholes: &[Whole], near: &[Near], out: &mut [u32]) {
    let i = tid();
    let j = (i + 1) % parts.len();
    let (a, b) = (parts[i], parts[j]);
    let mut bits = 0;
    bits |= (a == b) as u32;
    bits |= ((a != b) as u32) << 1;
    bits |= ((a.grade < b.grade) as u32) << 2;
    bits |= ((a.grade == Grade::High) as u32) << 3;
    bits |= ((wholes[i] == wholes[j]) as u32) << 4;
    bits |= ((wholes[i].phase != wholes[j].phase) as u32) << 5;
    bits |= ((near[i] == near[j]) as u32) << 6;
    bits |= ((near[i] != near[j]) as u32) << 7;
    bits |= ((Some(a) == Some(wholes[j].parts[0])) as u32) << 8;
    assert_eq!(a.grade, parts[i].grade);
    out[i] = bits;
}

#[on_every_device]
fn own_and_derived_comparisons() {
    let device = device();
    let part = |mass, grade| Part { mass, at: Vec3::new(1.0, 2.0, 3.0), turn: Quat::IDENTITY, half: f16::ONE, grade };
    let parts = [
        part(0.0, Grade::Low),
        part(-0.0, Grade::Low),
        part(1.0, Grade::High),
        part(f32::NAN, Grade::Low),
        part(f32::NAN, Grade::Low),
    ];
    let whole = |k: usize, phase| Whole { parts: [parts[k], parts[0]], phase };
    let wholes = [
        whole(0, Phase::Solid),
        whole(1, Phase::Solid),
        whole(2, Phase::Liquid),
        whole(3, Phase::Liquid),
        whole(4, Phase::Solid),
    ];
    let near = [1.0, 1.0005, 1.002, 1.0025, f32::NAN].map(|x| Near { x });
    let mut plain = [0; 5];
    compare::plain(5, &parts, &wholes, &near, &mut plain).unwrap();
    let mut out = Array::zeros(&device, 5).unwrap();
    let arrays = (
        Array::from_slice(&device, &parts).unwrap(),
        Array::from_slice(&device, &wholes).unwrap(),
        Array::from_slice(&device, &near).unwrap(),
    );
    compare::launch(5, &arrays.0, &arrays.1, &arrays.2, &mut out).unwrap();
    assert_eq!(plain, [0b1_0101_0001, 0b1010_0110, 0b0_0100_1010, 0b1010_0010, 0b1000_0010]);
    assert_eq!(out.to_vec().unwrap(), plain);
}
