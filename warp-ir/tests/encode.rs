//! Encoded IR comes back as it was, and damaged or hostile input is an error, never a panic.

use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::differentiate::{
    Adjoint, ArrayNeed, Condition, Detached, LogArrays, Overlap, Record, Recording, Refusal, Reverse, Step, StepOf,
};
use warp_ir::encode::{DecodeError, Encode, FORMAT, ascii, from_ascii};
use warp_ir::ir::*;
use warp_ir::passes;
use warp_ir::validate::{Valid, limits};

fn nested(depth: usize) -> Kernel {
    let mut function = Function { name: "deep".into(), ..Function::default() };
    let cond = function.value(Scalar::Bool);
    let mut region = Region::default();
    for _ in 1..depth {
        let op = Op::If { cond, then: region, otherwise: Region::default(), results: vec![] };
        region = Region { ops: vec![op], ..Region::default() };
    }
    region.ops.insert(0, Op::Const { bits: 1, result: cond });
    function.body = region;
    Kernel { function, rank: 1, ..Kernel::default() }
}

#[test]
fn nesting_up_to_the_limit_is_fine_on_a_small_stack() {
    let work = || {
        let kernel = Valid::<Kernel>::new(nested(limits::DEPTH)).unwrap();
        let bytes = Kernel::to_bytes(&kernel);
        assert_eq!(Kernel::from_bytes(&bytes).unwrap(), kernel);
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn nesting_beyond_the_limit_is_an_error() {
    let error = Valid::<Kernel>::new(nested(limits::DEPTH + 1)).unwrap_err();
    assert!(error.message.contains("nested deeper than the limit of 128"), "{error}");

    // Bytes that claim ever deeper nesting: a region without parameters, with one op, an `If` on v0, and so on.
    let if_tag = postcard_tag_of_if();
    let mut bytes = vec![FORMAT as u8, 0, b'K', 0, 0, 0, 0];
    for _ in 0..200_000 {
        bytes.extend([0, 1, if_tag, 0]);
    }
    assert!(matches!(Kernel::from_bytes(&bytes), Err(DecodeError::Damaged(_))));
}

/// The bytes before and after one `If` is put into the body differ by its tag.
fn postcard_tag_of_if() -> u8 {
    let bytes = Kernel::to_bytes(&Valid::<Kernel>::new(nested(2)).unwrap());
    // Header, name, no params, arrays, locals; body: no params, two ops, the constant (tag 0, bits, v0), the `If`.
    let at = 3 + 1 + "deep".len() + 3 + 1 + 1 + 3;
    assert_eq!(bytes[at + 1], Value(0).0 as u8);
    bytes[at]
}

#[test]
fn other_versions_and_kinds_are_named() {
    let mut bytes = Kernel::to_bytes(&Valid::<Kernel>::new(nested(1)).unwrap());
    assert_eq!(Function::from_bytes(&bytes), Err(DecodeError::Kind));
    bytes[0] += 1;
    let error = Kernel::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, DecodeError::Format { found: FORMAT + 1 });
    assert!(error.to_string().contains("same version"));
    assert!(matches!(Kernel::from_bytes(&bytes[..2]), Err(DecodeError::Damaged(_))));
}

#[test]
fn bytes_missing_or_left_over_are_errors() {
    let bytes = Kernel::to_bytes(&Valid::<Kernel>::new(nested(3)).unwrap());
    for len in 3..bytes.len() {
        assert!(Kernel::from_bytes(&bytes[..len]).is_err(), "{len} of {} bytes", bytes.len());
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(Kernel::from_bytes(&longer), Err(DecodeError::Damaged(_))));
}

#[test]
fn ascii_is_one_to_one() {
    for len in 0..40usize {
        let bytes: Vec<u8> = (0..len).map(|k| (k * 151 + len * 31) as u8).collect();
        let text = ascii(&bytes);
        assert!(text.len() <= len * 4 / 3 + 1, "six bits a character");
        assert!(text.bytes().all(|c| c.is_ascii_graphic() && c != b'"' && c != b'\\'));
        assert_eq!(from_ascii(&text).unwrap(), bytes);
    }
    assert_eq!(from_ascii("AA\""), Err(DecodeError::Ascii { at: 2 }));
    assert_eq!(from_ascii("AAé"), Err(DecodeError::Ascii { at: 2 }));
    // One character holds no byte, and bits left over are zero.
    assert!(from_ascii("A").is_err());
    assert!(from_ascii("AB").is_err());
}

/// A kernel `y[i] = x[i] * s`, simplified, and its reverse.
fn scaled() -> (Valid<Kernel>, Adjoint) {
    let mut b = Builder::new("scale");
    let s = b.param("s", Scalar::F32);
    let x = Mem::Array(b.slice("x", Scalar::F32, Access::Read));
    let y = Mem::Array(b.slice("y", Scalar::F32, Access::Write));
    let source = b.source(Source::default());
    let i = b.tid(0);
    b.check_index(x, 0, i, source);
    b.check_index(y, 0, i, source);
    let value = b.load(x, i, 0);
    let value = b.mul(value, value);
    let value = b.mul(value, s);
    b.store(y, i, 0, value);
    let mut kernel = b.finish_kernel(1);
    kernel.attributes.grad = vec!["s".into()];
    passes::simplify(&mut kernel);
    let kernel = Valid::<Kernel>::new(kernel).unwrap();
    match Reverse::of(&kernel) {
        Reverse::Adjoint(adjoint) => (kernel, *adjoint),
        other => panic!("{other:?}"),
    }
}

/// A reverse is taken for the kernel that it belongs to, and for no other arguments.
#[test]
fn a_reverse_that_does_not_fit_its_kernel_is_refused() {
    let (kernel, adjoint) = scaled();
    let good = Reverse::Adjoint(Box::new(adjoint.clone()));
    assert_eq!(Reverse::from_bytes(&good.clone().to_bytes(), &kernel), Ok(good));
    assert_eq!(Reverse::from_bytes(&Kernel::to_bytes(&kernel), &kernel), Err(DecodeError::Kind));

    let change = |change: &dyn Fn(&mut Kernel, &mut Vec<ArrayNeed>)| {
        let Adjoint { kernel: own, mut arrays, .. } = adjoint.clone();
        let mut own = own.into_inner();
        change(&mut own, &mut arrays);
        let changed = Adjoint { kernel: Valid::<Kernel>::new(own).unwrap(), arrays, ..adjoint.clone() };
        let bytes = Reverse::Adjoint(Box::new(changed)).to_bytes();
        Reverse::from_bytes(&bytes, &kernel).unwrap_err().to_string()
    };
    let words = [
        ("launch, scalars", change(&|own, _| own.rank = 2)),
        ("launch, scalars", change(&|own, _| own.function.slots = 1)),
        ("`x` is another array", change(&|own, _| own.function.arrays[0].access = Access::Write)),
        ("`y` is another array", change(&|own, _| own.function.arrays[1].storage = Storage::Planes)),
        ("gradient of `x` is another array", change(&|own, _| own.function.arrays[2].leaves.push(Scalar::F32))),
        ("gradient of `y` is not where", change(&|_, needs| needs[1].gradient = Some(ArrayId(2)))),
        ("gradient of `x` is not where", change(&|_, needs| needs[0].gradient = None)),
        ("reads `x` without saying so", change(&|_, needs| needs[0].contents = false)),
        ("`x` is another array", change(&|_, needs| needs[0].scratch = true)),
        ("two versions of `x`", change(&|_, needs| needs[0].after = true)),
        ("numbers of arrays", change(&|_, needs| needs.truncate(1))),
        ("further arrays", change(&|own, _| own.function.arrays.push(own.function.arrays[3].clone()))),
    ];
    for (expected, words) in words {
        assert!(words.contains(expected), "{expected}: {words}");
    }
}

/// What launches compute to find threads that meet has a meaning for this kernel.
#[test]
fn threads_that_meet_have_to_fit() {
    let (kernel, adjoint) = scaled();
    let refusal = Refusal { source: None, message: "they meet".into() };
    let step = |of, scalar| Step { of, scalar };
    let steps = vec![
        step(StepOf::Tid(0), Scalar::U64),
        step(StepOf::Extent(ArrayId(1), 0), Scalar::U64),
        step(StepOf::Pure(Builtin::Lt, vec![0, 1]), Scalar::Bool),
        step(StepOf::Param(0), Scalar::F32),
        step(StepOf::Const(1), Scalar::Bool),
    ];
    let conditions = [vec![Condition { step: 2, holds: true }], vec![Condition { step: 4, holds: false }]];
    let good = Overlap { threads: [vec![1], vec![0]], alike: true, steps, conditions, refusal: refusal.clone() };
    let read = |overlap: Overlap, detached: Vec<Detached>| {
        let changed = Adjoint { overlaps: vec![overlap], detached, ..adjoint.clone() };
        Reverse::from_bytes(&Reverse::Adjoint(Box::new(changed)).to_bytes(), &kernel).err().map(|e| e.to_string())
    };
    let damaged = |change: &dyn Fn(&mut Overlap)| {
        let mut overlap = good.clone();
        change(&mut overlap);
        read(overlap, vec![])
    };
    assert_eq!(damaged(&|_| ()), None);
    let words = [
        ("not in its launch", damaged(&|o| o.threads[0].push(0))),
        ("not in its launch", damaged(&|o| o.threads[1] = vec![1])),
        ("no meaning", damaged(&|o| o.conditions[0][0].step = 5)),
        ("no meaning", damaged(&|o| o.conditions[1][0].step = 1)),
        ("no meaning", damaged(&|o| o.steps[0].of = StepOf::Tid(1))),
        ("no meaning", damaged(&|o| o.steps[0].scalar = Scalar::U32)),
        ("no meaning", damaged(&|o| o.steps[1].of = StepOf::Extent(ArrayId(2), 0))),
        ("no meaning", damaged(&|o| o.steps[1].of = StepOf::Extent(ArrayId(1), 1))),
        ("no meaning", damaged(&|o| o.steps[2].of = StepOf::Pure(Builtin::Lt, vec![0, 2]))),
        ("no meaning", damaged(&|o| o.steps[2].of = StepOf::Pure(Builtin::Lt, vec![0]))),
        ("no meaning", damaged(&|o| o.steps[2].of = StepOf::Pure(Builtin::Lt, vec![0, 3]))),
        ("no meaning", damaged(&|o| o.steps[3].of = StepOf::Param(1))),
        ("no meaning", damaged(&|o| o.steps[3].scalar = Scalar::F64)),
        ("no meaning", damaged(&|o| o.steps[3].of = StepOf::Slot(0))),
        ("no meaning", damaged(&|o| o.steps[4].of = StepOf::Const(2))),
        ("a place is missing", damaged(&|o| o.refusal.source = Some(SourceId(99)))),
        ("without a gradient", read(good.clone(), vec![Detached { array: ArrayId(2), refusal: refusal.clone() }])),
    ];
    for (k, (expected, words)) in words.into_iter().enumerate() {
        assert!(words.as_ref().is_some_and(|words| words.contains(expected)), "{k}, {expected}: {words:?}");
    }
    assert_eq!(read(good.clone(), vec![Detached { array: ArrayId(0), refusal }]), None);
}

/// What the launch writes down, logs and gradients of scalars are arguments as well.
#[test]
fn further_arguments_of_a_reverse_have_to_fit() {
    let (kernel, adjoint) = scaled();
    let refused = |change: &dyn Fn(&mut Adjoint, &mut Kernel)| {
        let mut changed = adjoint.clone();
        let mut own = adjoint.kernel.clone().into_inner();
        change(&mut changed, &mut own);
        changed.kernel = Valid::<Kernel>::new(own).unwrap();
        let bytes = Reverse::Adjoint(Box::new(changed)).to_bytes();
        Reverse::from_bytes(&bytes, &kernel).err().map(|e| e.to_string())
    };
    // What a recording launch takes: the arguments of the launch, and a list in the end.
    let list = |scalar, access| ArrayParam {
        name: "list".into(),
        leaves: vec![scalar],
        rank: 1,
        strided: false,
        access,
        storage: Storage::Elements,
    };
    let mut records = (*kernel).clone();
    records.function.arrays.push(list(Scalar::U32, Access::Write));
    let records = Valid::<Kernel>::new(records).unwrap();
    let record = Record { scalar: Scalar::U32, array: ArrayId(5) };
    let log = LogArrays {
        counts: 0,
        of: (ArrayId(1), 0),
        starts: ArrayId(6),
        indices: ArrayId(7),
        values: ArrayId(8),
        source: None,
    };
    let recorded = |adjoint: &mut Adjoint, own: &mut Kernel| {
        adjoint.recording = Some(Recording { kernel: records.clone(), records: vec![record] });
        own.function.arrays.push(list(Scalar::U32, Access::Read));
    };
    let logged = |adjoint: &mut Adjoint, own: &mut Kernel| {
        recorded(adjoint, own);
        adjoint.logs = vec![log];
        let more = [(Scalar::U64, Access::Read), (Scalar::U64, Access::Write), (Scalar::F32, Access::Write)];
        own.function.arrays.extend(more.map(|(scalar, access)| list(scalar, access)));
    };
    assert_eq!(refused(&recorded), None);
    assert_eq!(refused(&logged), None);
    let words = [
        ("further arrays", refused(&|adjoint, _| adjoint.scalars.clear())),
        ("a scalar is missing", refused(&|adjoint, _| adjoint.scalars[0].param = 7)),
        ("array 3 is not where", refused(&|adjoint, _| adjoint.scalars[0].gradient = ArrayId(3))),
        ("`s gradient` is another", refused(&|_, own| own.function.arrays[4].leaves.push(Scalar::F32))),
        (
            "too few",
            refused(&|a, own| {
                recorded(a, own);
                own.function.arrays.pop();
            }),
        ),
        (
            "`list` is another",
            refused(&|a, own| {
                recorded(a, own);
                own.function.arrays[5].leaves = vec![Scalar::F32];
            }),
        ),
        (
            "recording launch takes other",
            refused(&|a, own| {
                recorded(a, own);
                a.recording.as_mut().unwrap().kernel = kernel.clone();
            }),
        ),
        (
            "counts of a log",
            refused(&|a, own| {
                logged(a, own);
                a.logs[0].counts = 1;
            }),
        ),
        (
            "array of a log",
            refused(&|a, own| {
                logged(a, own);
                a.logs[0].of.0 = ArrayId(2);
            }),
        ),
        (
            "leaf of a log",
            refused(&|a, own| {
                logged(a, own);
                a.logs[0].of.1 = 1;
            }),
        ),
        (
            "`list` is another",
            refused(&|a, own| {
                logged(a, own);
                own.function.arrays[8].leaves = vec![Scalar::F64];
            }),
        ),
        (
            "a place is missing",
            refused(&|a, own| {
                logged(a, own);
                a.logs[0].source = Some(SourceId(9));
            }),
        ),
    ];
    for (expected, words) in words {
        assert!(words.as_ref().is_some_and(|w| w.contains(expected)), "{expected}: {words:?}");
    }
}

/// An adjoint whose accesses no check guards is no adjoint.
#[test]
fn a_reverse_without_its_checks_is_refused() {
    let (kernel, adjoint) = scaled();
    let mut own = adjoint.kernel.clone().into_inner();
    own.function.body.ops.retain(|op| !matches!(op, Op::Check { .. }));
    let bare = Adjoint { kernel: Valid::<Kernel>::new(own).unwrap(), ..adjoint };
    let bytes = Reverse::Adjoint(Box::new(bare)).to_bytes();
    assert!(matches!(Reverse::from_bytes(&bytes, &kernel), Err(DecodeError::Invalid(_))));
}
