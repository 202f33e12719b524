//! Values that kernels leave infinite or NaN in memory, with gradients of zero.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;

/// The inputs with one or two infinite numbers, among those that are no indices.
fn with_infinities(seed: u64) -> Inputs {
    let (mut inputs, mut rng) = (smooth_inputs(seed), Rng::new(seed ^ 0xF00D));
    for _ in 0..rng.range(1, 2) {
        let array = rng.pick(&[0, 2, 3, 4]);
        let mut all = numbers(&inputs.arrays[array]);
        let at = rng.below(all.len() as u64) as usize;
        all[at] = rng.pick(&[f64::INFINITY, f64::NEG_INFINITY, 1e308]);
        inputs.arrays[array] = doubles(&all);
    }
    inputs
}

/// The point with zeros where another one is infinite or NaN.
fn finite_part(of: &Point, where_finite: &[Array]) -> Point {
    let arrays = of.arrays.iter().zip(where_finite).map(|(of, other)| {
        let kept = numbers(of).into_iter().zip(numbers(other));
        doubles(&kept.map(|(number, other)| if other.is_finite() { number } else { 0.0 }).collect::<Vec<_>>())
    });
    Point { arrays: arrays.collect(), scalar: of.scalar }
}

fn variant(kernel: &Valid<Kernel>, guarded: bool) -> Result<Adjoint, String> {
    differentiate(kernel, &Options { guarded, ..Options::of(kernel) }).map_err(|e| e.message)
}

#[test]
fn nothing_comes_of_gradients_that_are_all_zero() {
    for first in [90_000, CUSTOMS + 90_000] {
        hold_for(smooth_with_maxima, first, 300, |seed| {
            let (kernel, inputs) = (made(smooth_with_maxima, seed), with_infinities(seed));
            let gradient = gradient(&kernel, &variant(&kernel, true)?, &inputs, &Point::zero(&inputs))?;
            match gradient.numbers().find(|g| *g != 0.0) {
                Some(other) => Err(format!("a gradient of {other}")),
                None => Ok(()),
            }
        });
    }
}

/// What a tape relies on: where a guard is missed, the gradient is NaN, whatever becomes of it on its way.
#[test]
fn a_missed_guard_leaves_nan_in_all_that_it_changes() {
    let missed = AtomicU64::new(0);
    for first in [100_000, CUSTOMS + 100_000] {
        hold_for(smooth_with_maxima, first, 300, |seed| {
            let (kernel, inputs) = (made(smooth_with_maxima, seed), with_infinities(seed));
            let after = launch(&kernel, &inputs)?;
            let w = finite_part(&Point::random(&inputs, seed + 2), &after[..FLOATS]);
            let plain = variant(&kernel, false)?;
            let [without, with] = [&plain, &variant(&kernel, true)?].map(|a| gradient(&kernel, a, &inputs, &w));
            let (without, with) = (without?, with?);
            for (without, with) in without.numbers().zip(with.numbers()) {
                let same = without.to_bits() == with.to_bits() || without.is_nan() && with.is_nan();
                missed.fetch_add(u64::from(!same), Ordering::Relaxed);
                if !(same || without.is_nan() && plain.unguarded) {
                    return Err(format!("a gradient of {without} without guards, and of {with} with them"));
                }
            }
            Ok(())
        });
    }
    let missed = missed.into_inner();
    assert!(missed > 0, "no guard was missed");
}

/// `<w, J v> = <Jᵀ w, v>` over what stays finite.
#[test]
fn finite_results_have_the_gradients_of_forward_mode() {
    let (compared, spoiled) = (AtomicU64::new(0), AtomicU64::new(0));
    hold(110_000, 1000, |seed| {
        let (kernel, inputs) = (simplified(seed), with_infinities(seed));
        let after = launch(&kernel, &inputs)?;
        let v = finite_part(&Point::random(&inputs, seed + 1), &inputs.arrays[..FLOATS]);
        let w = finite_part(&Point::random(&inputs, seed + 2), &after[..FLOATS]);
        let forward = tangent(&kernel).map_err(|e| e.message)?;
        let change = finite_part(&change(&forward, &inputs, &v)?, &after[..FLOATS]);
        let gradient =
            finite_part(&gradient(&kernel, &variant(&kernel, true)?, &inputs, &w)?, &inputs.arrays[..FLOATS]);
        if change.numbers().chain(gradient.numbers()).any(|number| !number.is_finite() || number.abs() > 1e100) {
            return Ok(());
        }
        compared.fetch_add(1, Ordering::Relaxed);
        let is_spoiled = after[..FLOATS].iter().flat_map(numbers).any(|number| !number.is_finite());
        spoiled.fetch_add(u64::from(is_spoiled), Ordering::Relaxed);
        let ((there, size), (back, _)) = (dot(&w, &change), dot(&v, &gradient));
        match (there - back).abs() <= 1e-10 * size.max(1.0) {
            true => Ok(()),
            false => Err(format!("forward {there}, reverse {back}")),
        }
    });
    let (compared, spoiled, most) = (compared.into_inner(), spoiled.into_inner(), count(1000));
    assert!(2 * compared > most && 4 * spoiled > most, "{compared} compared, {spoiled} of them with infinite results");
}
