//! A loop that needs checkpoints, and a count of its turns that changes nothing else.

use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::*;
use warp_ir::passes::simplify;
use warp_ir::validate::Valid;

/// `x = sin x` over and over; the derivative reads `x`, and has a cosine.
pub fn sines() -> Valid<Kernel> {
    let mut b = Builder::new("sines");
    let n = b.param("n", Scalar::U64);
    let x = b.slice("x", Scalar::F64, Access::Write);
    let source = b.source(Source::default());
    let i = b.tid(0);
    b.check_index(Mem::Array(x), 0, i, source);
    let start = b.load(Mem::Array(x), i, 0);
    let last = b.counted(n, &[start], |b, _, carried| vec![b.pure(Builtin::Sin, &[carried[0]])]);
    b.store(Mem::Array(x), i, 0, last[0]);
    let mut kernel = b.finish_kernel(1);
    simplify(&mut kernel);
    Valid::<Kernel>::new(kernel).unwrap()
}

/// The kernel, with a further array whose element counts the sines.
pub fn counting(kernel: &Kernel) -> Valid<Kernel> {
    let mut counting = kernel.clone();
    let function = &mut counting.function;
    let like = function.arrays[0].clone();
    function.arrays.push(ArrayParam { name: "turns".into(), leaves: vec![Scalar::U64], access: Access::Write, ..like });
    let turns = ArrayId(function.arrays.len() as u32 - 1);
    let mut body = std::mem::take(&mut function.body);
    count_in(function, &mut body, turns);
    function.body = body;
    Valid::<Kernel>::new(counting).unwrap()
}

fn count_in(function: &mut Function, region: &mut Region, turns: ArrayId) {
    for mut op in std::mem::take(&mut region.ops) {
        op.regions_mut().into_iter().for_each(|inner| count_in(function, inner, turns));
        let counts = matches!(op, Op::Pure { builtin: Builtin::Sin, .. });
        region.ops.push(op);
        if counts {
            let [zero, one, extent, before, after] = [(); 5].map(|()| function.value(Scalar::U64));
            let (inside, mem) = (function.value(Scalar::Bool), Mem::Array(turns));
            let (kind, source) = (CheckKind::Index { mem, dim: 0 }, SourceId(0));
            region.ops.extend([
                Op::Const { bits: 0, result: zero },
                Op::Const { bits: 1, result: one },
                Op::Extent { array: turns, dim: 0, result: extent },
                Op::Pure { builtin: Builtin::Lt, args: vec![zero, extent], result: inside },
                Op::Check { cond: inside, kind, operands: vec![zero, extent], source },
                Op::Load { mem, index: zero, leaf: 0, result: before },
                Op::Pure { builtin: Builtin::Add, args: vec![before, one], result: after },
                Op::Store { mem, index: zero, leaf: 0, value: after },
            ]);
        }
    }
}

/// The derivative of so many sines in a row: the product of their cosines.
pub fn slope(start: f64, turns: u64) -> f64 {
    let (mut at, mut slope) = (start, 1.0);
    for _ in 0..turns {
        slope *= at.cos();
        at = at.sin();
    }
    slope
}
