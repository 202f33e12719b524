//! Properties over random kernels: they are guarded, they come back from text, bytes and ASCII as they were, and they
//! run without anything undefined. `WARP_RANDOM_KERNELS` sets how many.

use warp_ir::builtins::Builtin;
use warp_ir::encode::Encode;
use warp_ir::evaluate::{Outcome, Trouble, run};
use warp_ir::ir::{Kernel, Op, Region, Scalar, Value};
use warp_ir::planted::{self, Bug};
use warp_ir::random::{Features, Rng, STEPS, count, inputs, kernel, minimise, same, search};
use warp_ir::text::{parse_kernel, print_kernel};
use warp_ir::validate::{Valid, guarded};

/// Fails with the kernel's text.
fn hold(first: u64, default: u64, property: impl Fn(u64) -> Result<(), String> + Sync) {
    if let Err((seed, message)) = search(first, count(default), property) {
        panic!("random kernel {seed}: {message}\n{}", print_kernel(&kernel(seed)));
    }
}

#[test]
fn random_kernels_are_guarded_and_run() {
    hold(0, 10_000, |seed| {
        let kernel = kernel(seed);
        guarded(&kernel).map_err(|e| e.to_string())?;
        run(&kernel, &mut inputs(&kernel, seed), STEPS).map_err(|e| e.to_string())?;
        Ok(())
    });
}

#[test]
fn text_bytes_and_ascii_give_back_the_kernel() {
    hold(0, 10_000, |seed| {
        let kernel = kernel(seed);
        let text = print_kernel(&kernel);
        let from_text = parse_kernel(&text).map_err(|e| e.to_string())?;
        let from_bytes = Kernel::from_bytes(&Kernel::to_bytes(&kernel)).map_err(|e| e.to_string())?;
        let from_ascii = Kernel::from_ascii(&Kernel::to_ascii(&kernel)).map_err(|e| e.to_string())?;
        match [from_text, from_bytes, from_ascii].iter().position(|k| *k != kernel) {
            None => Ok(()),
            Some(form) => Err(format!("{} differ", ["text", "bytes", "ascii"][form])),
        }
    });
}

#[test]
fn each_feature_stands_in_many_kernels() {
    let most = 4000;
    let mut counts = [0; 12];
    let mut faults = 0;
    let mut types = [0; 13];
    for seed in 0..most {
        let kernel = kernel(seed);
        for (count, (_, there)) in counts.iter_mut().zip(Features::of(&kernel).list()) {
            *count += u64::from(there);
        }
        for scalar in Features::scalars(&kernel) {
            types[scalar as usize] += 1;
        }
        let outcome = run(&kernel, &mut inputs(&kernel, seed), STEPS).unwrap();
        faults += u64::from(outcome.faults > 0);
    }
    let share = |n: u64| n * 100 / most;
    for ((name, _), n) in Features::default().list().into_iter().zip(counts) {
        let least = if ["prints", "planes"].contains(&name) { 15 } else { 30 };
        assert!(share(n) > least, "{name} in {} % of kernels", share(n));
    }
    assert!((30..70).contains(&share(faults)), "faults in {} % of launches", share(faults));
    for (scalar, n) in Scalar::ALL.into_iter().zip(types) {
        assert!(share(n) > 25, "{scalar:?} in {} % of kernels", share(n));
    }
}

/// Most kernels do something: two launches on different arrays give different arrays.
#[test]
fn kernels_depend_on_their_inputs() {
    let most = 500;
    let changed = (0..most).filter(|&seed| {
        let kernel = kernel(seed);
        let before = inputs(&kernel, seed);
        let mut after = before.clone();
        run(&kernel, &mut after, STEPS).unwrap();
        after != before
    });
    assert!(changed.count() > 400);
}

#[test]
fn comparison_sees_a_changed_byte_and_takes_nans_as_one() {
    let text = "kernel \"k\" rank 1\narray0 \"a\": write elements rank 1 [f32, u8]\nbody {\n}\n";
    let kernel = parse_kernel(text).unwrap();
    let mut a = inputs(&kernel, 1);
    a.arrays[0].layout.size = 8;
    a.arrays[0].layout.offsets = vec![0, 4];
    a.arrays[0].extents = vec![1];
    a.arrays[0].buffers = vec![vec![0, 0, 0xc0, 0x7f, 5, 1, 2, 3]];
    let none = Outcome::default();
    let compare = |at: usize, byte: u8| {
        let mut b = a.clone();
        b.arrays[0].buffers[0][at] = byte;
        same(&kernel, (&a, &none), (&b, &none))
    };
    assert_eq!(compare(0, 0), Ok(()));
    assert_eq!(compare(0, 1), Ok(()), "another NaN");
    assert!(compare(3, 0).is_err(), "no NaN");
    assert!(compare(4, 6).unwrap_err().contains("leaf 1"));
    assert!(compare(6, 0).unwrap_err().contains("outside all leaves"));
}

/// The validator and the guard are believed: whatever they let through of damaged kernels runs without anything
/// undefined, and never panics.
#[test]
fn damaged_kernels_are_turned_away_or_defined() {
    hold(1_000_000, 10_000, damaged_is_defined);
}

fn damaged_is_defined(seed: u64) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let mut damaged = kernel(seed).into_inner();
    for _ in 0..rng.range(1, 3) {
        damage(&mut rng, &mut damaged);
    }
    let Ok(valid) = Valid::<Kernel>::new(damaged) else { return Ok(()) };
    if guarded(&valid).is_err() {
        return Ok(());
    }
    match run(&valid, &mut inputs(&valid, seed), STEPS) {
        Ok(_) | Err(Trouble::Steps) => Ok(()),
        Err(trouble) => Err(format!("{trouble}\n{}", print_kernel(&valid))),
    }
}

/// Bytes and text from anywhere are taken or refused, without a panic; what is taken can be encoded again.
#[test]
fn hostile_bytes_and_text_are_taken_or_refused() {
    hold(0, 4_000, |seed| {
        let mut rng = Rng::new(seed);
        let mut bytes = Kernel::to_bytes(&kernel(seed));
        for _ in 0..rng.range(1, 4) {
            let at = 3 + rng.below(bytes.len() as u64 - 3) as usize;
            match rng.below(4) {
                0 => bytes[at] = rng.bits() as u8,
                1 => bytes[at] = bytes[at].wrapping_add(1),
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, rng.pick(&[0, 1, 0x7f, 0xff])),
            }
        }
        if let Ok(taken) = Kernel::from_bytes(&bytes)
            && Kernel::from_bytes(&Kernel::to_bytes(&taken)).as_ref() != Ok(&taken)
        {
            return Err("a kernel taken from damaged bytes does not come back".into());
        }
        let mut text: Vec<char> = print_kernel(&kernel(seed)).chars().collect();
        for _ in 0..rng.range(1, 4) {
            let at = rng.below(text.len() as u64) as usize;
            let other = rng.below(text.len() as u64) as usize;
            match rng.below(3) {
                0 => text[at] = rng.pick(&['0', '9', 'v', '{', '}', ',', '"', '\n', 'é', '@']),
                1 => drop(text.remove(at)),
                _ => text.swap(at, other),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(taken) = parse_kernel(&text)
            && parse_kernel(&print_kernel(&taken)).as_ref() != Ok(&taken)
        {
            return Err(format!("a kernel taken from damaged text does not come back:\n{text}"));
        }
        Ok(())
    });
}

#[test]
fn planted_bugs_of_the_guard_are_found() {
    let bugs = [Bug::GuardIgnoresDimension, Bug::GuardKeepsFactsOfArms, Bug::GuardTakesEqualForLess];
    for bug in bugs {
        let tried = (1_000_000..1_020_000).find(|&seed| {
            planted::set(Some(bug));
            let held = damaged_is_defined(seed);
            planted::set(None);
            held.is_err() && damaged_is_defined(seed).is_ok()
        });
        assert!(tried.is_some(), "{bug:?} is not found");
    }
}

/// Drops, exchanges or rewires something.
fn damage(rng: &mut Rng, kernel: &mut Kernel) {
    let values = kernel.function.values.len() as u64;
    let arrays = kernel.function.arrays.len() as u64;
    let mut body = std::mem::take(&mut kernel.function.body);
    let mut region = &mut body;
    // Into a random nested region.
    while rng.chance(60) {
        let nested: Vec<usize> = (0..region.ops.len()).filter(|&k| !region.ops[k].shape().regions.is_empty()).collect();
        if nested.is_empty() {
            break;
        }
        let k = rng.pick(&nested);
        let mut regions = region.ops[k].regions_mut();
        let which = rng.below(regions.len() as u64) as usize;
        region = regions.swap_remove(which);
    }
    damage_region(rng, region, values, arrays);
    kernel.function.body = body;
}

fn damage_region(rng: &mut Rng, region: &mut Region, values: u64, arrays: u64) {
    if region.ops.is_empty() {
        return;
    }
    let at = rng.below(region.ops.len() as u64) as usize;
    match rng.below(7) {
        0 => {
            region.ops.remove(at);
        }
        1 => {
            let other = rng.below(region.ops.len() as u64) as usize;
            region.ops.swap(at, other);
        }
        2 => {
            let checks: Vec<usize> =
                (0..region.ops.len()).filter(|&k| matches!(region.ops[k], Op::Check { .. })).collect();
            if !checks.is_empty() {
                region.ops.remove(rng.pick(&checks));
            }
        }
        3 => {
            let value = Value(rng.below(values) as u32);
            let mut operands = 0;
            region.ops[at].map_operands(|_| operands += 1);
            if operands > 0 {
                let mut left = rng.below(operands);
                region.ops[at].map_operands(|v| {
                    if left == 0 {
                        *v = value;
                    }
                    left = left.wrapping_sub(1);
                });
            }
        }
        4 => match &mut region.ops[at] {
            Op::Const { bits, .. } => *bits = rng.below(20),
            Op::Extent { array, dim, .. } | Op::Stride { array, dim, .. } => {
                array.0 = rng.below(arrays) as u32;
                *dim = rng.below(3) as u8;
            }
            Op::Load { mem, leaf, .. } | Op::Store { mem, leaf, .. } | Op::Atomic { mem, leaf, .. } => {
                if let warp_ir::ir::Mem::Array(array) = mem {
                    array.0 = rng.below(arrays) as u32;
                }
                *leaf = rng.below(4) as u16;
            }
            Op::Pure { builtin, .. } => {
                use warp_ir::builtins::Builtin::*;
                *builtin = rng.pick(&[Add, Sub, Mul, Div, Rem, And, Or, Min, Max, Shr, Lt, Le, Ne, Eq]);
            }
            Op::If { then, otherwise, .. } => std::mem::swap(then, otherwise),
            _ => {}
        },
        5 => {
            // An index may then be the extent itself.
            let orders: Vec<&mut Op> = region.ops.iter_mut().filter(|op| is_less(op)).collect();
            let count = orders.len() as u64;
            if count > 0
                && let Some(Op::Pure { builtin, .. }) = orders.into_iter().nth(rng.below(count) as usize)
            {
                *builtin = Builtin::Le;
            }
        }
        _ => {
            if let Some(op) = region.ops.get(at).cloned()
                && op.shape().results.is_empty()
            {
                region.ops.push(op);
            }
        }
    }
}

fn is_less(op: &Op) -> bool {
    matches!(op, Op::Pure { builtin: Builtin::Lt, .. })
}

#[test]
fn a_failing_kernel_is_made_small() {
    // Kernels that print: the smallest one is the print alone, with its arguments.
    let prints = |kernel: &Valid<Kernel>| print_kernel(kernel).contains("print print");
    let seed = (0..).find(|&seed| prints(&kernel(seed))).unwrap();
    let small = minimise(&kernel(seed), prints);
    assert!(prints(&small));
    let ops = print_kernel(&small).lines().skip_while(|l| !l.starts_with("body")).count();
    assert!(ops < 10, "{}", print_kernel(&small));
}
