//! Derivatives of random kernels with loops of every kind, exits, local arrays and memory updated in place: reverse
//! against forward mode, against differences, for any number of slots, and the derivative of the derivative.
//! `WARP_RANDOM_KERNELS` sets how many.

use warp_ir::differentiate::{Adjoint, Options, Reverse, Tangent, differentiate, tangent};
use warp_ir::evaluate::{Array, Inputs, run};
use warp_ir::ir::{ArrayParam, CheckKind, Kernel};
use warp_ir::passes::simplify;
use warp_ir::planted::{self, Bug};
use warp_ir::random::{Rng, count, doubles, search, smooth, smooth_inputs};
use warp_ir::text::{parse_kernel, print_kernel};
use warp_ir::validate::{Valid, guarded};

const STEPS: u64 = 20_000_000;

/// Fails with the kernel's text.
fn hold(first: u64, default: u64, property: impl Fn(u64) -> Result<(), String> + Sync) {
    if let Err((seed, message)) = search(first, count(default), property) {
        panic!("smooth kernel {seed}: {message}\n{}", print_kernel(&simplified(seed)));
    }
}

fn simplified(seed: u64) -> Valid<Kernel> {
    let mut kernel = smooth(seed).into_inner();
    simplify(&mut kernel);
    Valid::<Kernel>::new(kernel).unwrap()
}

fn reverse(kernel: &Valid<Kernel>, slots: Option<u32>) -> Result<Adjoint, String> {
    let options = Options { slots, undo_entries: 4000, ..Options::of(kernel) };
    differentiate(kernel, &options).map_err(|e| e.message)
}

fn numbers(array: &Array) -> Vec<f64> {
    array.buffers[0].chunks(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect()
}

/// Arrays like these with random numbers between -1 and 1.
fn directions(arrays: &[Array], seed: u64) -> Vec<Array> {
    let mut rng = Rng::new(seed);
    let mut alike = |array: &Array| {
        let numbers: Vec<f64> = numbers(array).iter().map(|_| rng.below(2001) as f64 / 1000.0 - 1.0).collect();
        doubles(&numbers)
    };
    arrays.iter().map(&mut alike).collect()
}

fn zeros(arrays: &[Array]) -> Vec<Array> {
    arrays.iter().map(|array| doubles(&vec![0.0; numbers(array).len()])).collect()
}

/// A scalar product, and the sum of the magnitudes of its parts.
fn dot(a: &[Array], b: &[Array]) -> (f64, f64) {
    let pairs = a.iter().zip(b).flat_map(|(a, b)| numbers(a).into_iter().zip(numbers(b)));
    pairs.map(|(x, y)| x * y).fold((0.0, 0.0), |(sum, size), p| (sum + p, size + p.abs()))
}

/// The arrays after a launch. `None` where a thread has more writes in loops than it takes back, which is an error.
fn launch(kernel: &Valid<Kernel>, inputs: &Inputs, arrays: Vec<Array>) -> Result<Option<Vec<Array>>, String> {
    let mut inputs = Inputs { arrays, ..inputs.clone() };
    let outcome = run(kernel, &mut inputs, STEPS).map_err(|e| e.to_string())?;
    match outcome.fault {
        None => Ok(Some(inputs.arrays)),
        Some(fault) if matches!(fault.kind, CheckKind::Assert { .. }) => Ok(None),
        Some(fault) => Err(format!("{fault:?}\n{}", print_kernel(kernel))),
    }
}

/// The gradient for seeds of the outputs.
fn gradient(adjoint: &Adjoint, inputs: &Inputs, seeds: &[Array]) -> Result<Option<Vec<Array>>, String> {
    let n = inputs.arrays.len();
    let Some(mut after) = launch(&adjoint.kernel, inputs, [&inputs.arrays[..], seeds].concat())? else {
        return Ok(None);
    };
    let gradient = after.split_off(n);
    match after == inputs.arrays {
        true => Ok(Some(gradient)),
        false => Err("the adjoint left an array of the primal changed".into()),
    }
}

/// How outputs change with inputs.
fn change(tangent: &Tangent, inputs: &Inputs, direction: &[Array]) -> Result<Vec<Array>, String> {
    let n = inputs.arrays.len();
    let after = launch(&tangent.kernel, inputs, [&inputs.arrays[..], direction].concat())?;
    Ok(after.ok_or("a primal failed")?.split_off(n))
}

/// `<w, J v> = <Jᵀ w, v>`
fn reverse_is_forward(seed: u64, slots: Option<u32>) -> Result<(), String> {
    let kernel = simplified(seed);
    let adjoint = reverse(&kernel, slots)?;
    let forward = tangent(&kernel).map_err(|e| e.message)?;
    let inputs = smooth_inputs(seed);
    let (v, w) = (directions(&inputs.arrays, seed + 1), directions(&inputs.arrays, seed + 2));
    let Some(gradient) = gradient(&adjoint, &inputs, &w)? else { return Ok(()) };
    let (there, size) = dot(&w, &change(&forward, &inputs, &v)?);
    let (back, _) = dot(&v, &gradient);
    match (there - back).abs() <= 1e-10 * size.max(1.0) {
        true => Ok(()),
        false => Err(format!("forward {there}, reverse {back}")),
    }
}

#[test]
fn reverse_mode_is_the_transpose_of_forward_mode() {
    hold(0, 1000, |seed| reverse_is_forward(seed, [None, Some(2), Some(4), Some(8)][seed as usize % 4]));
}

#[test]
fn the_number_of_slots_does_not_change_a_bit() {
    hold(10_000, 150, |seed| {
        let (kernel, inputs) = (simplified(seed), smooth_inputs(seed));
        let seeds = directions(&inputs.arrays, seed + 2);
        let all = [2, 4, 8, 32].map(|slots| gradient(&reverse(&kernel, Some(slots))?, &inputs, &seeds));
        let [first, rest @ ..] = all;
        let first = first?;
        for other in rest {
            if other? != first {
                return Err("gradients differ with the number of slots".into());
            }
        }
        Ok(())
    });
}

#[test]
fn seeds_of_zero_give_gradients_of_zero() {
    hold(20_000, 150, |seed| {
        let (kernel, inputs) = (simplified(seed), smooth_inputs(seed));
        let gradient = gradient(&reverse(&kernel, None)?, &inputs, &zeros(&inputs.arrays))?;
        match gradient.iter().flatten().flat_map(numbers).find(|g| *g != 0.0) {
            Some(other) => Err(format!("a gradient of {other}")),
            None => Ok(()),
        }
    });
}

#[test]
fn adjoints_print_and_parse_and_stay_guarded() {
    hold(30_000, 150, |seed| {
        let kernel = simplified(seed);
        for derived in [reverse(&kernel, None)?.kernel, tangent(&kernel).map_err(|e| e.message)?.kernel] {
            guarded(&derived).map_err(|e| e.to_string())?;
            let text = print_kernel(&derived);
            if parse_kernel(&text).map_err(|e| format!("{e}\n{text}"))? != derived {
                return Err("text does not give the kernel back".into());
            }
        }
        Ok(())
    });
}

/// The gradient along a direction is the slope of `<w, f>` along it, where two differences agree on one.
#[test]
fn gradients_are_slopes() {
    let compared = std::sync::atomic::AtomicU64::new(0);
    let most = count(300);
    hold(40_000, 300, |seed| {
        let (kernel, inputs) = (simplified(seed), smooth_inputs(seed));
        let mut v = directions(&inputs.arrays, seed + 1);
        // The second array holds integers.
        v[1] = zeros(&v[1..2]).remove(0);
        let w = directions(&inputs.arrays, seed + 2);
        let Some(gradient) = gradient(&reverse(&kernel, None)?, &inputs, &w)? else { return Ok(()) };
        let along = |step: f64| -> Result<f64, String> {
            let moved = inputs.arrays.iter().zip(&v).map(|(x, v)| {
                let sums: Vec<f64> = numbers(x).iter().zip(numbers(v)).map(|(x, v)| x + step * v).collect();
                doubles(&sums)
            });
            let after = launch(&kernel, &inputs, moved.collect())?.ok_or("a primal failed")?;
            Ok(dot(&w, &after).0)
        };
        let slope = |h: f64| -> Result<f64, String> {
            Ok((8.0 * (along(h)? - along(-h)?) - (along(2.0 * h)? - along(-2.0 * h)?)) / (12.0 * h))
        };
        let (near, far) = (slope(1e-4)?, slope(2e-4)?);
        let (found, size) = dot(&v, &gradient);
        let tolerance = 1e-6 * size.max(1.0);
        if (near - far).abs() > tolerance / 10.0 {
            return Ok(());
        }
        compared.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        match (found - near).abs() <= tolerance {
            true => Ok(()),
            false => Err(format!("gradient {found}, slope {near}")),
        }
    });
    let compared = compared.into_inner();
    assert!(compared * 10 > most * 7, "{compared} of {most} kernels are smooth around their inputs");
}

/// Second derivatives, forward over reverse: `<u, H v> = <v, H u>`.
#[test]
fn second_derivatives_are_symmetric() {
    let curved = std::sync::atomic::AtomicU64::new(0);
    let most = count(150);
    hold(50_000, 150, |seed| {
        let (kernel, inputs) = (simplified(seed), smooth_inputs(seed));
        let second = tangent(&reverse(&kernel, None)?.kernel).map_err(|e| e.message)?;
        let n = inputs.arrays.len();
        let w = directions(&inputs.arrays, seed + 2);
        let times = |v: &[Array]| -> Result<Option<Vec<Array>>, String> {
            let arrays = [&inputs.arrays[..], &w, v, &zeros(&w)].concat();
            Ok(launch(&second.kernel, &inputs, arrays)?.map(|mut after| after.split_off(3 * n)))
        };
        let (u, v) = (directions(&inputs.arrays, seed + 3), directions(&inputs.arrays, seed + 4));
        let (Some(of_u), Some(of_v)) = (times(&u)?, times(&v)?) else { return Ok(()) };
        let ((one, size), (other, _)) = (dot(&v, &of_u), dot(&u, &of_v));
        if size > 1e-3 {
            curved.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        match (one - other).abs() <= 1e-9 * size.max(1.0) {
            true => Ok(()),
            false => Err(format!("{one} and {other}")),
        }
    });
    let curved = curved.into_inner();
    assert!(curved * 2 > most, "{curved} of {most} kernels are curved");
}

/// Most kernels have what is hard, so that the properties above say something.
#[test]
fn each_feature_stands_in_many_kernels() {
    let most = 300;
    let texts: Vec<String> = (0..most).map(|seed| print_kernel(&simplified(seed))).collect();
    let share = |what: &str| texts.iter().filter(|t| t.contains(what)).count() * 100 / most as usize;
    for (what, least) in [("= loop", 70), ("= if", 75), ("load local", 30), ("atomic", 80), ("do |", 70), ("fill", 30)]
    {
        assert!(share(what) >= least, "`{what}` in {} % of kernels", share(what));
    }
    let replays = |seed| reverse(&simplified(seed), None).is_ok_and(|a| a.arrays.iter().any(|n| n.scratch));
    let replayed = (0..most).filter(|&seed| replays(seed)).count();
    assert!(replayed * 10 > most as usize * 2, "stores are replayed in {replayed} of {most} kernels");
}

#[test]
fn planted_bugs_are_found() {
    let bugs = [
        Bug::AdjointForgetsPassThrough,
        Bug::AdjointKeepsOverwritten,
        Bug::AdjointTakesOtherArm,
        Bug::AdjointRestoresLateState,
        Bug::AdjointForgetsClosedForms,
        Bug::AdjointForgetsLocals,
        Bug::AdjointTakesNothingBack,
        Bug::AdjointForgetsTurns,
        Bug::AdjointForgetsFill,
        Bug::AdjointReadsBefore,
    ];
    for bug in bugs {
        let finds = |seed: u64| {
            planted::set(Some(bug));
            let found = std::panic::catch_unwind(|| reverse_is_forward(seed, Some(4)));
            planted::set(None);
            !matches!(found, Ok(Ok(())))
        };
        assert!((0..1000).any(finds), "{bug:?} is not found");
    }
}

/// Bytes of a reverse from anywhere are taken or refused, without a panic; what is taken is valid, guarded and has the
/// arguments of its primal.
#[test]
fn damaged_reverses_are_taken_or_refused() {
    hold(0, 300, |seed| {
        let (kernel, other) = (simplified(seed), simplified(seed + 1));
        let reverse = Reverse::of(&kernel);
        let bytes = reverse.clone().to_bytes();
        if Reverse::from_bytes(&bytes, &kernel).as_ref() != Ok(&reverse) {
            return Err("a reverse does not come back".into());
        }
        if kernel.function.arrays.len() != other.function.arrays.len() && Reverse::from_bytes(&bytes, &other).is_ok() {
            return Err("the reverse of another kernel was taken".into());
        }
        let mut rng = Rng::new(seed);
        for _ in 0..20 {
            let mut bytes = bytes.clone();
            for _ in 0..rng.range(1, 3) {
                let at = 3 + rng.below(bytes.len() as u64 - 3) as usize;
                match rng.below(4) {
                    0 => bytes[at] = rng.bits() as u8,
                    1 => bytes[at] = bytes[at].wrapping_add(1),
                    2 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, rng.pick(&[0, 1, 0x7f, 0xff])),
                }
            }
            let Ok(Reverse::Adjoint(taken)) = Reverse::from_bytes(&bytes, &kernel) else { continue };
            guarded(&taken.kernel).map_err(|e| format!("taken, and not guarded: {e}"))?;
            let (own, of) = (&taken.kernel.function, &kernel.function);
            let leaves = |a: &ArrayParam| a.leaves.clone();
            let expected: Vec<_> = of.arrays.iter().chain(&of.arrays).map(leaves).collect();
            if own.arrays.iter().map(leaves).collect::<Vec<_>>() != expected {
                return Err("taken, with other arrays than those of the launch and their gradients".into());
            }
        }
        Ok(())
    });
}
