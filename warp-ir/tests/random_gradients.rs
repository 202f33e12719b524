//! Reverse against forward mode on random kernels: `<w, J v> = <Jᵀ w, v>`.

use warp_ir::differentiate::{Options, Refusal, differentiate, tangent};
use warp_ir::evaluate::{Array, Inputs, run};
use warp_ir::ir::*;
use warp_ir::passes::simplify;
use warp_ir::random::{Rng, count, doubles, search, smooth, smooth_inputs};
use warp_ir::text::print_kernel;
use warp_ir::validate::Valid;

const STEPS: u64 = 20_000_000;

fn simplified(seed: u64) -> Valid<Kernel> {
    let mut kernel = smooth(seed).into_inner();
    simplify(&mut kernel);
    Valid::<Kernel>::new(kernel).unwrap()
}

fn numbers(array: &Array) -> Vec<f64> {
    array.buffers[0].chunks(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect()
}

fn directions(arrays: &[Array], seed: u64) -> Vec<Array> {
    let mut rng = Rng::new(seed);
    let mut alike = |array: &Array| -> Array {
        let numbers: Vec<f64> = numbers(array).iter().map(|_| rng.below(2001) as f64 / 1000.0 - 1.0).collect();
        doubles(&numbers)
    };
    arrays.iter().map(&mut alike).collect()
}

fn dot(a: &[Array], b: &[Array]) -> (f64, f64) {
    let products: Vec<f64> = a.iter().zip(b).flat_map(|(a, b)| numbers(a).into_iter().zip(numbers(b)).map(|(x, y)| x * y).collect::<Vec<_>>()).collect();
    (products.iter().sum(), products.iter().map(|p| p.abs()).sum())
}

enum Outcome { Right, Refused(Refusal) }

fn reverse_is_forward(seed: u64, slots: Option<u32>) -> Result<Outcome, String> {
    let kernel = simplified(seed);
    let options = Options { slots, undo_entries: 4000, ..Options::of(&kernel) };
    let adjoint = match differentiate(&kernel, &options) {
        Ok(adjoint) => adjoint,
        Err(refusal) if refusal.message.contains("gap") => return Err(refusal.message),
        Err(refusal) => return Ok(Outcome::Refused(refusal)),
    };
    let forward = tangent(&kernel).map_err(|e| e.message)?;
    let inputs = smooth_inputs(seed);
    let (v, w) = (directions(&inputs.arrays, seed + 1), directions(&inputs.arrays, seed + 2));
    let with = |more: &[Array]| Inputs { arrays: [&inputs.arrays, more].concat(), ..inputs.clone() };
    let (mut tangents, mut gradients) = (with(&v), with(&w));
    for (what, kernel, inputs) in [("tangent", &forward.kernel, &mut tangents), ("adjoint", &adjoint.kernel, &mut gradients)] {
        let outcome = run(kernel, inputs, STEPS).map_err(|e| format!("{what}: {e}"))?;
        if let Some(fault) = outcome.fault {
            // More writes in loops than a thread takes back are an error, and no wrong gradient.
            if matches!(fault.kind, CheckKind::Assert { .. }) {
                return Ok(Outcome::Refused(Refusal { source: None, message: "too many writes".into() }));
            }
            return Err(format!("{what}: {fault:?}\n{}", print_kernel(kernel)));
        }
    }
    let n = inputs.arrays.len();
    if gradients.arrays[..n] != inputs.arrays[..] {
        return Err("the adjoint wrote to an array of the primal".into());
    }
    let (forward_dot, size) = dot(&w, &tangents.arrays[n..]);
    let (reverse_dot, _) = dot(&v, &gradients.arrays[n..]);
    let error = (forward_dot - reverse_dot).abs();
    match error <= 1e-10 * size.max(1.0) {
        true => Ok(Outcome::Right),
        false => Err(format!("forward {forward_dot}, reverse {reverse_dot}")),
    }
}

#[test]
fn reverse_mode_is_the_transpose_of_forward_mode() {
    let refused = std::sync::Mutex::new(std::collections::BTreeMap::<String, u64>::new());
    let most = count(2000);
    let found = search(0, most, |seed| {
        let slots = [None, Some(2), Some(4), Some(8)][seed as usize % 4];
        if let Outcome::Refused(refusal) = reverse_is_forward(seed, slots)? {
            *refused.lock().unwrap().entry(refusal.message.chars().take(60).collect()).or_default() += 1;
        }
        Ok(())
    });
    println!("{most} kernels; refused: {:#?}", refused.lock().unwrap());
    if let Err((seed, message)) = found {
        panic!("smooth kernel {seed}: {message}\n{}", print_kernel(&simplified(seed)));
    }
}

#[test]
fn simplified_kernels_are_guarded() {
    for seed in 0..count(2000) {
        let kernel = simplified(seed);
        if let Err(e) = warp_ir::validate::guarded(&kernel) {
            println!("{}", print_kernel(&kernel));
            println!("{}", print_kernel(&smooth(seed)));
            panic!("{seed}: {e}");
        }
    }
}
