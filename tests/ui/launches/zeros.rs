use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(u8)]
enum Phase {
    Solid = 1,
    Liquid = 2,
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Cell {
    phase: Phase,
    mass: f32,
}

fn arrays(device: &Device) -> Result<(), Error> {
    Array::full(device, 3, Phase::Solid)?;
    Array::<Phase>::zeros(device, 3)?;
    Array::<[Cell; 2], 2>::zeros(device, (3, 3))?;
    SoaArray::<Cell>::zeros(device, 3)?;
    Ok(())
}

fn main() {}
