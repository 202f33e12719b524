//! Directions to start along: of arrays, and of the values that kernels take.

use super::*;

#[derive(Struct, Clone, Copy)]
#[repr(C)]
struct Air {
    layers: u32,
    drag: f64,
    wind: DVec2,
}

#[kernel]
fn fall(height: &mut [f64], speed: &mut [f64], dt: f64, air: Air) {
    let i = tid();
    speed[i] += (air.wind.y - air.drag * speed[i]) * dt * air.layers as f64;
    height[i] += speed[i] * dt;
}

/// Along dt and the fields of a struct, against differences of the same steps in plain Rust.
#[on_every_device]
fn scalar_arguments_have_tangents_where_they_are_seeded() -> Result<(), Error> {
    let (air, dt) = (Air { layers: 2, drag: 0.3, wind: DVec2::new(5.0, -9.81) }, 0.05);
    let at = |h: f64| {
        let (mut height, mut speed, dt) = (10.0, 0.5, dt + 0.5 * h);
        for _ in 0..4 {
            speed += (air.wind.y - 3.0 * h - (air.drag + 2.0 * h) * speed) * dt * 2.0;
            height += speed * dt;
        }
        height
    };
    let expected = (8.0 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3;
    let device = device();
    let run = |along: &mut Tangents| -> Result<(f64, f64), Error> {
        let mut height = Array::from_slice(&device, &[10.0])?;
        let mut speed = Array::from_slice(&device, &[0.5])?;
        along.run(|| (0..4).try_for_each(|_| fall::launch(1, &mut height, &mut speed, dt, air)))?;
        Ok((height.get(0)?, along.of(&height)?.get(0)?))
    };
    let mut along = Tangents::new();
    along.seed_value::<fall, f64>("dt", 7.0)?;
    along.seed_value::<fall, _>("dt", 0.5)?;
    along.seed_value::<fall, _>("air", Air { layers: 9, drag: 2.0, wind: DVec2::new(11.0, -3.0) })?;
    for _ in 0..2 {
        let (height, slope) = run(&mut along)?;
        assert!((height - at(0.0)).abs() < 1e-14, "{height}");
        assert!((slope - expected).abs() < 1e-8 * expected.abs(), "{slope} {expected}");
    }
    assert_eq!(run(&mut Tangents::new())?.1, 0.0, "seeds are of the run that has them");
    Ok(())
}

#[kernel]
fn scaled(x: &[f64], by: f16, times: u32, y: &mut [f64]) {
    let i = tid();
    y[i] = x[i] * by.to_f64() * times as f64;
}

#[on_every_device]
fn seeds_of_values_are_of_their_types() -> Result<(), Error> {
    let device = device();
    let (x, mut y) = (Array::from_slice(&device, &[3.0])?, Array::zeros(&device, 1)?);
    let mut along = Tangents::new();
    along.seed_value::<scaled, _>("by", f16::from_f32(0.25))?;
    let message = |seeded: Result<(), Error>| seeded.unwrap_err().to_string();
    let error = message(along.seed_value::<scaled, f64>("by", 1.0));
    assert_eq!(error, "kernel `scaled` has no tangent by `by`: it consists of f16, and the type asked for of f64");
    let error = message(along.seed_value::<scaled, f64>("b", 1.0));
    assert_eq!(error, "kernel `scaled` has no tangent by `b`: it takes no such value; it takes `by`, `times`");
    let error = message(along.seed_value::<scaled, u32>("times", 1));
    assert!(error.contains("`times`: it holds no floats"), "{error}");
    along.run(|| scaled::launch(1, &x, f16::from_f32(2.0), 4, &mut y))?;
    assert_eq!((y.get(0)?, along.of(&y)?.get(0)?), (24.0, 3.0));
    let error = message(along.seed_value::<largest, f64>("x", 1.0));
    assert!(error.starts_with("kernel `largest` has no tangent ("), "{error}");
    Ok(())
}

#[on_every_device]
fn a_seed_has_the_shape_of_its_array() -> Result<(), Error> {
    let device = device();
    let (x, short) = (Array::from_slice(&device, &[2.0, 3.0])?, Array::from_slice(&device, &[1.0])?);
    let said = Tangents::new().seed(&x, &short).unwrap_err().to_string();
    assert_eq!(said, "`Tangents::seed`: expected a direction of shape 2, as the array's, found shape 1");
    Ok(())
}
