//! Derivatives of random kernels with loops of every kind, exits, local arrays and memory updated in place: reverse
//! against forward mode, against differences, for any number of slots, and the derivative of the derivative.
//! `WARP_RANDOM_KERNELS` sets how many.

mod infinite;

use warp_ir::differentiate::{Adjoint, Options, Reverse, Tangent, differentiate, tangent};
use warp_ir::evaluate::{self, Array, Inputs, run, run_threads, way_back};
use warp_ir::ir::{ArrayId, ArrayParam, Kernel, Mem, Op, Region};
use warp_ir::passes::{self, simplify};
use warp_ir::planted::{self, Bug};
use warp_ir::random::{CUSTOMS, Rng, count, doubles, search, smooth, smooth_inputs, smooth_with_maxima};
use warp_ir::text::{parse_kernel, print_kernel};
use warp_ir::validate::{Valid, guarded};

const STEPS: u64 = 20_000_000;

/// Arrays of floats: all but the last.
const FLOATS: usize = 6;

/// The array in which threads choose.
const MAXIMA: usize = 5;

type Maker = fn(u64) -> Valid<Kernel>;

/// Fails with the kernel's text.
fn hold(first: u64, default: u64, property: impl Fn(u64) -> Result<(), String> + Sync) {
    hold_for(smooth, first, default, property);
}

fn hold_for(maker: Maker, first: u64, default: u64, property: impl Fn(u64) -> Result<(), String> + Sync) {
    if let Err((seed, message)) = search(first, count(default), property) {
        panic!("smooth kernel {seed}: {message}\n{}", print_kernel(&made(maker, seed)));
    }
}

fn simplified(seed: u64) -> Valid<Kernel> {
    made(smooth, seed)
}

fn made(maker: Maker, seed: u64) -> Valid<Kernel> {
    let mut kernel = maker(seed).into_inner();
    simplify(&mut kernel);
    Valid::<Kernel>::new(kernel).unwrap()
}

fn reverse(kernel: &Valid<Kernel>, slots: Option<u32>) -> Result<Adjoint, String> {
    differentiate(kernel, &Options { slots, ..Options::of(kernel) }).map_err(|e| e.message)
}

fn numbers(array: &Array) -> Vec<f64> {
    array.buffers[0].chunks(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect()
}

/// A number for each float of the arrays, and one for the scalar `a`.
#[derive(Clone, PartialEq, Debug)]
struct Point {
    arrays: Vec<Array>,
    scalar: f64,
}

impl Point {
    /// Random numbers between -1 and 1, for the arrays of a launch.
    fn random(inputs: &Inputs, seed: u64) -> Point {
        let mut rng = Rng::new(seed);
        let mut number = || rng.below(2001) as f64 / 1000.0 - 1.0;
        let arrays = inputs.arrays[..FLOATS].iter();
        let arrays = arrays.map(|a| doubles(&numbers(a).iter().map(|_| number()).collect::<Vec<_>>())).collect();
        Point { arrays, scalar: number() }
    }

    fn zero(inputs: &Inputs) -> Point {
        let arrays = inputs.arrays[..FLOATS].iter().map(|a| doubles(&vec![0.0; numbers(a).len()])).collect();
        Point { arrays, scalar: 0.0 }
    }

    fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        self.arrays.iter().flat_map(numbers).chain([self.scalar])
    }
}

/// A scalar product, and the sum of the magnitudes of its parts.
fn dot(a: &Point, b: &Point) -> (f64, f64) {
    let products = a.numbers().zip(b.numbers()).map(|(x, y)| x * y);
    products.fold((0.0, 0.0), |(sum, size), p| (sum + p, size + p.abs()))
}

/// The arrays after a launch.
fn launch(kernel: &Valid<Kernel>, inputs: &Inputs) -> Result<Vec<Array>, String> {
    let mut inputs = inputs.clone();
    match run(kernel, &mut inputs, STEPS).map_err(|e| e.to_string())?.fault {
        None => Ok(inputs.arrays),
        Some(fault) => Err(format!("{fault:?}\n{}", print_kernel(kernel))),
    }
}

fn seeds(of: &Point) -> Vec<Option<Array>> {
    of.arrays.iter().cloned().map(Some).chain([None]).collect()
}

/// The gradient for seeds of the outputs. What the primal's arrays hold is in the end what they held at the start.
fn gradient(kernel: &Valid<Kernel>, adjoint: &Adjoint, inputs: &Inputs, of: &Point) -> Result<Point, String> {
    let mut after = inputs.clone();
    let found = evaluate::reverse(kernel, adjoint, &mut after, &seeds(of), STEPS).map_err(|e| e.to_string())?;
    if let Some(fault) = found.forward.fault.or(found.backward.fault) {
        return Err(format!("{fault:?}\n{}", print_kernel(&adjoint.kernel)));
    }
    for (k, need) in adjoint.arrays.iter().enumerate() {
        let given = if need.after { &after.arrays[k] } else { &inputs.arrays[k] };
        if found.contents[k].as_ref().is_some_and(|left| left != given) {
            return Err("the adjoint left an array of the primal changed".into());
        }
    }
    let scalar = found.scalars.first().map_or(0.0, |bits| f64::from_bits(*bits));
    Ok(Point { arrays: found.gradients.into_iter().flatten().collect(), scalar })
}

/// How outputs change with inputs.
fn change(tangent: &Tangent, inputs: &Inputs, direction: &Point) -> Result<Point, String> {
    let n = inputs.arrays.len();
    let mut inputs = inputs.clone();
    inputs.arrays.extend(direction.arrays.clone());
    inputs.scalars.extend([direction.scalar.to_bits(), 0]);
    Ok(Point { arrays: launch(&tangent.kernel, &inputs)?.split_off(n), scalar: 0.0 })
}

/// `<w, J v> = <Jᵀ w, v>`
fn reverse_is_forward(seed: u64, slots: Option<u32>) -> Result<(), String> {
    let kernel = simplified(seed);
    let adjoint = reverse(&kernel, slots)?;
    let forward = tangent(&kernel).map_err(|e| e.message)?;
    let inputs = smooth_inputs(seed);
    let (v, w) = (Point::random(&inputs, seed + 1), Point::random(&inputs, seed + 2));
    let gradient = gradient(&kernel, &adjoint, &inputs, &w)?;
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

/// Neither the number of slots nor where logs lie changes a bit.
#[test]
fn slots_and_logs_do_not_change_a_bit() {
    hold_for(smooth_with_maxima, 10_000, 150, |seed| {
        let (kernel, inputs) = (made(smooth_with_maxima, seed), smooth_inputs(seed));
        let w = Point::random(&inputs, seed + 2);
        let of = |slots, undo_entries| {
            let options = Options { slots: Some(slots), undo_entries, ..Options::of(&kernel) };
            gradient(&kernel, &differentiate(&kernel, &options).map_err(|e| e.message)?, &inputs, &w)
        };
        let first = of(2, 64)?;
        for (slots, undo_entries) in [(3, 64), (4, 0), (8, 4000), (32, 0)] {
            if of(slots, undo_entries)? != first {
                return Err("gradients differ with the number of slots, or with the place of logs".into());
            }
        }
        Ok(())
    });
}

#[test]
fn seeds_of_zero_give_gradients_of_zero() {
    hold_for(smooth_with_maxima, 20_000, 150, |seed| {
        let (kernel, inputs) = (made(smooth_with_maxima, seed), smooth_inputs(seed));
        let gradient = gradient(&kernel, &reverse(&kernel, None)?, &inputs, &Point::zero(&inputs))?;
        match gradient.numbers().find(|g| *g != 0.0) {
            Some(other) => Err(format!("a gradient of {other}")),
            None => Ok(()),
        }
    });
}

#[test]
fn derived_kernels_print_and_parse_and_stay_guarded() {
    hold(30_000, 150, |seed| {
        let kernel = simplified(seed);
        let adjoint = reverse(&kernel, None)?;
        let mut derived = vec![adjoint.kernel, tangent(&kernel).map_err(|e| e.message)?.kernel];
        derived.extend(adjoint.recording.map(|recording| recording.kernel));
        for derived in derived {
            guarded(&derived).map_err(|e| e.to_string())?;
            let text = print_kernel(&derived);
            if parse_kernel(&text).map_err(|e| format!("{e}\n{text}"))? != derived {
                return Err("text does not give the kernel back".into());
            }
        }
        Ok(())
    });
}

/// What backends do with an adjoint before they run it changes nothing; nor does recording a launch.
#[test]
fn passes_and_records_do_not_change_a_bit() {
    hold_for(smooth_with_maxima, 60_000, 100, |seed| {
        let (kernel, inputs) = (made(smooth_with_maxima, seed), smooth_inputs(seed));
        let mut adjoint = reverse(&kernel, None)?;
        let w = Point::random(&inputs, seed + 2);
        let before = gradient(&kernel, &adjoint, &inputs, &w)?;
        let mut lowered = adjoint.kernel.clone().into_inner();
        passes::specialize(&mut lowered, &[]);
        passes::elide(&mut lowered);
        adjoint.kernel = Valid::<Kernel>::new(lowered).map_err(|e| e.to_string())?;
        if gradient(&kernel, &adjoint, &inputs, &w)? != before {
            return Err("gradients differ after passes".into());
        }
        let mut recorded = inputs.clone();
        way_back(&kernel, &adjoint, &mut recorded, &seeds(&w), STEPS).map_err(|e| e.to_string())?;
        match recorded.arrays == launch(&kernel, &inputs)? {
            true => Ok(()),
            false => Err("the recording launch leaves something else".into()),
        }
    });
}

/// The threads of an adjoint may run in any order, but for rounding of sums.
#[test]
fn the_order_of_threads_does_not_matter() {
    hold(70_000, 150, |seed| {
        let (kernel, inputs) = (simplified(seed), Inputs { dims: vec![3], ..smooth_inputs(seed) });
        let inputs = widened(inputs);
        let adjoint = reverse(&kernel, None)?;
        let w = Point::random(&inputs, seed + 2);
        let (_, launch, _) =
            way_back(&kernel, &adjoint, &mut inputs.clone(), &seeds(&w), STEPS).map_err(|e| e.to_string())?;
        let in_order = |order: [u64; 3]| {
            let mut launch = launch.clone();
            run_threads(&adjoint.kernel, &mut launch, STEPS, order).map_err(|e| e.to_string())?;
            Ok::<_, String>(launch.arrays[inputs.arrays.len()..][..FLOATS].iter().flat_map(numbers).collect::<Vec<_>>())
        };
        let first = in_order([0, 1, 2])?;
        for order in [[2, 1, 0], [1, 0, 2]] {
            let other = in_order(order)?;
            let size = first.iter().fold(1.0f64, |size, g| size.max(g.abs()));
            if first.iter().zip(&other).any(|(a, b)| (a - b).abs() > 1e-12 * size) {
                return Err(format!("threads in the order {order:?} give another gradient"));
            }
        }
        Ok(())
    });
}

/// Windows for three threads.
fn widened(mut inputs: Inputs) -> Inputs {
    for array in &mut inputs.arrays[2..4] {
        let all: Vec<f64> = numbers(array).into_iter().cycle().take(12).collect();
        *array = doubles(&all);
    }
    inputs
}

/// No two threads touch one element of a gradient that is not added to by atomics.
#[test]
fn plain_gradients_are_not_shared() {
    let plain_ones = std::sync::atomic::AtomicU64::new(0);
    hold(80_000, 150, |seed| {
        let (kernel, inputs) = (simplified(seed), widened(Inputs { dims: vec![3], ..smooth_inputs(seed) }));
        let adjoint = reverse(&kernel, None)?;
        let w = Point::random(&inputs, seed + 2);
        let (_, launch, _) =
            way_back(&kernel, &adjoint, &mut inputs.clone(), &seeds(&w), STEPS).map_err(|e| e.to_string())?;
        let plain = |of: ArrayId| !has_atomic(&adjoint.kernel.function.body, of);
        for gradient in adjoint.arrays.iter().filter_map(|need| need.gradient).filter(|&of| plain(of)) {
            plain_ones.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let before = numbers(&launch.arrays[gradient.0 as usize]);
            let mut owners = vec![None; before.len()];
            for thread in 0..3 {
                let mut alone = launch.clone();
                run_threads(&adjoint.kernel, &mut alone, STEPS, [thread]).map_err(|e| e.to_string())?;
                for (k, now) in numbers(&alone.arrays[gradient.0 as usize]).into_iter().enumerate() {
                    if now != before[k] && owners[k].replace(thread).is_some() {
                        return Err(format!("threads share element {k} of gradient {}", gradient.0));
                    }
                }
            }
        }
        Ok(())
    });
    assert!(plain_ones.into_inner() > 0);
}

fn has_atomic(region: &Region, of: ArrayId) -> bool {
    region.ops.iter().any(|op| {
        matches!(op, Op::Atomic { mem: Mem::Array(a), .. } if *a == of)
            || op.shape().regions.into_iter().any(|inner| has_atomic(inner, of))
    })
}

/// The gradient along a direction is the slope of `<w, f>` along it, where two differences agree on one.
#[test]
fn gradients_are_slopes() {
    let compared = std::sync::atomic::AtomicU64::new(0);
    let most = count(300);
    hold_for(smooth_with_maxima, 40_000, 300, |seed| {
        let (kernel, inputs) = (made(smooth_with_maxima, seed), smooth_inputs(seed));
        let mut v = Point::random(&inputs, seed + 1);
        // The second array holds integers.
        v.arrays[1] = Point::zero(&inputs).arrays.swap_remove(1);
        let w = Point::random(&inputs, seed + 2);
        let gradient = gradient(&kernel, &reverse(&kernel, None)?, &inputs, &w)?;
        let along = |step: f64| -> Result<f64, String> {
            let mut moved = inputs.clone();
            for (x, v) in moved.arrays.iter_mut().zip(&v.arrays) {
                let sums: Vec<f64> = numbers(x).iter().zip(numbers(v)).map(|(x, v)| x + step * v).collect();
                *x = doubles(&sums);
            }
            moved.scalars[0] = (f64::from_bits(moved.scalars[0]) + step * v.scalar).to_bits();
            let mut arrays = launch(&kernel, &moved)?;
            arrays.truncate(FLOATS);
            Ok(dot(&w, &Point { arrays, scalar: 0.0 }).0)
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
    hold_for(smooth_with_maxima, 50_000, 150, |seed| {
        let (kernel, inputs) = (made(smooth_with_maxima, seed), smooth_inputs(seed));
        let adjoint = reverse(&kernel, None)?;
        let second = tangent(&adjoint.kernel).map_err(|e| e.message)?;
        let w = Point::random(&inputs, seed + 2);
        let (_, back, _) =
            way_back(&kernel, &adjoint, &mut inputs.clone(), &seeds(&w), STEPS).map_err(|e| e.to_string())?;
        let times = |v: &Point| -> Result<Point, String> {
            let mut launch_of = back.clone();
            launch_of.scalars.extend([v.scalar.to_bits(), 0]);
            // The primal's arrays move along `v`; gradients, cells and logs start still.
            for (k, array) in back.arrays.iter().enumerate().filter(|(k, _)| second.arrays[*k].is_some()) {
                let still = doubles(&vec![0.0; numbers(array).len()]);
                launch_of.arrays.push(v.arrays.get(k).cloned().unwrap_or(still));
            }
            let after = launch(&second.kernel, &launch_of)?;
            let of = |at: ArrayId| second.arrays[at.0 as usize].map(|at| after[at.0 as usize].clone());
            let arrays = adjoint.arrays.iter().filter_map(|need| need.gradient.and_then(of)).collect();
            let scalar = adjoint.scalars.iter().filter_map(|s| of(s.gradient)).map(|cell| numbers(&cell)[0]).sum();
            Ok(Point { arrays, scalar })
        };
        let (u, v) = (Point::random(&inputs, seed + 3), Point::random(&inputs, seed + 4));
        let ((one, size), (other, _)) = (dot(&v, &times(&u)?), dot(&u, &times(&v)?));
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
    let adjoints: Vec<Adjoint> = (0..most).filter_map(|seed| reverse(&simplified(seed), None).ok()).collect();
    type Has = fn(&Adjoint) -> bool;
    let share = |has: Has| adjoints.iter().filter(|a| has(a)).count() * 100 / most as usize;
    let scalar = |a: &Adjoint| has_atomic(&a.kernel.function.body, a.scalars[0].gradient);
    let drawn = |a: &Adjoint| a.recording.as_ref().is_some_and(|r| r.records.len() > a.logs.len());
    let features: [(&str, Has, usize); 5] = [
        ("a gradient", |_| true, 100),
        ("stores replayed", |a| a.arrays.iter().any(|need| need.scratch), 20),
        ("a log in arrays", |a| !a.logs.is_empty(), 5),
        ("a recorded number", drawn, 5),
        ("the gradient of a scalar", scalar, 40),
    ];
    for (what, has, least) in features {
        assert!(share(has) >= least, "{what} in {} % of kernels", share(has));
    }
    let chosen = |seed| reverse(&made(smooth_with_maxima, seed), None).is_ok_and(|a| a.arrays[MAXIMA].after);
    assert!((0..most).all(chosen));
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
            let expected: Vec<_> = of.arrays.iter().chain(&of.arrays[..FLOATS]).map(leaves).collect();
            if own.arrays.iter().map(leaves).take(expected.len()).collect::<Vec<_>>() != expected {
                return Err("taken, with other arrays than those of the launch and their gradients".into());
            }
        }
        Ok(())
    });
}

/// Values that say themselves what their derivative is, whatever they are computed from.
#[test]
fn derivatives_of_ones_own_are_taken() {
    hold(CUSTOMS, 300, |seed| reverse_is_forward(seed, [None, Some(2), Some(8)][seed as usize % 3]));
    let finds = |seed: u64| {
        planted::set(Some(Bug::AdjointForgetsCustom));
        let found = std::panic::catch_unwind(|| reverse_is_forward(seed, Some(4)));
        planted::set(None);
        !matches!(found, Ok(Ok(())))
    };
    assert!((CUSTOMS..CUSTOMS + 100).any(finds), "derivatives of one's own may be left out");
}
