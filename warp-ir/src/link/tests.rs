use super::*;
use crate::builder::Builder;
use crate::builtins::Builtin;
use crate::ir::*;

/// A caller's identity for a function is `crate::name` in these tests.
fn find<'a>(functions: &'a [Function]) -> impl Fn(&str) -> Option<&'a Function> {
    move |id| functions.iter().find(|f| id == format!("crate::{}", f.name))
}

fn here(b: &mut Builder) -> SourceId {
    b.source(Source { file: "k.rs".into(), line: 1, column: 1, text: b.function().name.clone() })
}

/// `fn name(x: f32) -> f32 { x <builtin> SLOT }`, or a call of `inner` in place of the builtin.
fn scaled(name: &str, inner: Option<&str>) -> Function {
    let mut b = Builder::new(name);
    let source = here(&mut b);
    let x = b.param("x", Scalar::F32);
    let factor = b.slot(Scalar::F32);
    let product = b.mul(x, factor);
    let result = match inner {
        Some(inner) => {
            let callee = b.callee(&format!("crate::{inner}"), inner);
            b.call(callee, &[product], vec![], &[Scalar::F32], source)[0]
        }
        None => product,
    };
    b.finish(&[result])
}

#[test]
fn calls_become_their_bodies_and_slots_come_once_a_definition() {
    let functions = [scaled("outer", Some("inner")), scaled("inner", None)];
    let mut b = Builder::new("root");
    let source = here(&mut b);
    let x = b.param("x", Scalar::F32);
    b.slot(Scalar::I32);
    let unused = b.callee("crate::inner", "inner");
    let outer = b.callee("crate::outer", "outer");
    let y = b.call(outer, &[x], vec![], &[Scalar::F32], source)[0];
    let z = b.call(outer, &[y], vec![], &[Scalar::F32], source)[0];
    let w = b.call(unused, &[z], vec![], &[Scalar::F32], source)[0];
    let root = b.finish(&[w]);
    let linked = link(&root, find(&functions)).unwrap();

    let slots: Vec<u32> = linked
        .function
        .body
        .ops
        .iter()
        .filter_map(|op| match op {
            Op::Slot { slot, .. } => Some(*slot),
            Op::Pure { builtin: Builtin::Mul, .. } => None,
            other => panic!("{other:?} is left"),
        })
        .collect();
    assert_eq!(slots, [0, 1, 2, 1, 2, 2]);
    assert_eq!(linked.function.slots, 3);
    let block = |id: &str, path: &[u32], base| SlotBlock { id: id.into(), path: path.into(), base, count: 1 };
    assert_eq!(linked.slots, [block("", &[], 0), block("crate::outer", &[1], 1), block("crate::inner", &[1, 0], 2)]);
    let Op::Pure { result, .. } = linked.function.body.ops.last().unwrap() else { panic!() };
    assert_eq!(linked.function.body.yields, [*result]);
}

/// `fn put(a: &mut [f32], i: usize) { a[i] = a.len() as f32 }`
fn put() -> Function {
    let mut b = Builder::new("put");
    let source = here(&mut b);
    let a = b.slice("a", Scalar::F32, Access::Write);
    let i = b.param("i", Scalar::U64);
    b.check_index(Mem::Array(a), 0, i, source);
    let n = b.extent(a, 0);
    let x = b.cast(Scalar::F32, n);
    b.store(Mem::Array(a), i, 0, x);
    b.finish(&[])
}

/// `fn put_in(a: &mut [f32], i: usize, len: usize) { put(&mut a[1..1 + len], i) }`
fn put_in() -> Function {
    let mut b = Builder::new("put_in");
    let source = here(&mut b);
    let a = b.slice("a", Scalar::F32, Access::Write);
    let (i, len) = (b.param("i", Scalar::U64), b.param("len", Scalar::U64));
    let one = b.u64(1);
    let callee = b.callee("crate::put", "put");
    b.call(callee, &[i], vec![ArrayArg { mem: Mem::Array(a), part: Some((one, len)), copied: false }], &[], source);
    b.finish(&[])
}

#[test]
fn a_part_of_a_part_adds_its_starts_and_has_its_own_length() {
    let functions = [put(), put_in()];
    let mut b = Builder::new("root");
    let source = here(&mut b);
    b.slice("other", Scalar::F32, Access::Read);
    let a = b.slice("a", Scalar::F32, Access::Write);
    let [start, len, i, inner] = ["start", "len", "i", "inner"].map(|n| b.param(n, Scalar::U64));
    let callee = b.callee("crate::put_in", "put_in");
    b.call(
        callee,
        &[i, inner],
        vec![ArrayArg { mem: Mem::Array(a), part: Some((start, len)), copied: false }],
        &[],
        source,
    );
    let linked = link(&b.finish(&[]), find(&functions)).unwrap().function;

    let ops = &linked.body.ops;
    let params: Vec<Value> = linked.params.iter().map(|p| p.value).collect();
    let defined = |v: Value| ops.iter().find(|op| op.shape().results.contains(&v)).unwrap();
    let Some(Op::Store { mem, index, .. }) = ops.iter().find(|op| matches!(op, Op::Store { .. })) else { panic!() };
    assert_eq!(*mem, Mem::Array(ArrayId(1)));
    let Op::Pure { builtin: Builtin::Add, args: outer, .. } = defined(*index) else { panic!() };
    assert_eq!(outer[1], params[2]);
    let Op::Pure { builtin: Builtin::Add, args: starts, .. } = defined(outer[0]) else { panic!() };
    assert_eq!(starts[0], params[0]);
    assert!(matches!(defined(starts[1]), Op::Const { bits: 1, .. }));
    let checks: Vec<&Op> = ops.iter().filter(|op| matches!(op, Op::Check { .. })).collect();
    let [Op::Check { kind: part, operands: bounds, .. }, Op::Check { kind, operands, source, .. }] = checks[..] else {
        panic!()
    };
    // That the inner part lies inside the array is said beside, in numbers of the array.
    assert_eq!(*part, CheckKind::SliceRange { mem: Mem::Array(ArrayId(1)) });
    assert_eq!(bounds[0], outer[0]);
    assert_eq!(*kind, CheckKind::Index { mem: Mem::Array(ArrayId(1)), dim: 0 });
    assert_eq!(operands[..], [params[2], params[3]]);
    assert_eq!(linked.sources[source.0 as usize].text, "put");
}

#[test]
fn local_and_strided_arrays_stand_for_slices() {
    let functions = [put()];
    let mut b = Builder::new("root");
    let source = here(&mut b);
    let view = b.array(ArrayParam {
        name: "view".into(),
        leaves: vec![Scalar::F32],
        rank: 1,
        strided: true,
        access: Access::Write,
        storage: Storage::Elements,
    });
    let local = b.local("scratch", &[Scalar::F32], 7);
    let zero = b.u64(0);
    let callee = b.callee("crate::put", "put");
    for mem in [Mem::Array(view), Mem::Local(local)] {
        b.call(callee, &[zero], vec![ArrayArg { mem, part: None, copied: false }], &[], source);
    }
    let linked = link(&b.finish(&[]), find(&functions)).unwrap().function;
    let ops = &linked.body.ops;
    let defined = |v: Value| ops.iter().find(|op| op.shape().results.contains(&v)).unwrap();
    let stores: Vec<(Mem, Value)> = ops
        .iter()
        .filter_map(|op| match op {
            Op::Store { mem, index, .. } => Some((*mem, *index)),
            _ => None,
        })
        .collect();
    let Op::Pure { builtin: Builtin::Mul, args, .. } = defined(stores[0].1) else { panic!("no stride") };
    assert!(matches!(defined(args[1]), Op::Stride { .. }));
    assert_eq!(stores[1].0, Mem::Local(LocalId(0)));
    assert!(ops.iter().any(|op| matches!(op, Op::Const { bits: 7, .. })));
}

#[test]
fn recursion_is_named() {
    let functions = [scaled("a", Some("b")), scaled("b", Some("c")), scaled("c", Some("a")), scaled("s", Some("s"))];
    let error = link(&scaled("root", Some("a")), find(&functions)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "recursion is not supported in kernels: `a` -> `b` -> `c` -> `a`; write it as a loop"
    );
    let error = link(&scaled("root", Some("s")), find(&functions)).unwrap_err();
    assert_eq!(error.to_string(), "recursion is not supported in kernels: `s` calls itself; write it as a loop");
}

fn chain(len: usize) -> Vec<Function> {
    let next = |k: usize| (k + 1 < len).then(|| format!("f{}", k + 1));
    (0..len).map(|k| scaled(&format!("f{k}"), next(k).as_deref())).collect()
}

#[test]
fn forty_calls_deep_is_the_limit() {
    let root = scaled("root", Some("f0"));
    let functions = chain(40);
    assert_eq!(link(&root, find(&functions)).unwrap().function.slots, 41);
    let functions = chain(41);
    let error = link(&root, find(&functions)).unwrap_err().to_string();
    assert!(error.starts_with("calls nest deeper than 40 functions: `root` -> `f0`"), "{error}");
    assert!(error.contains("-> `f40`; join some"), "{error}");
}

#[test]
fn too_many_ops_are_refused_in_words() {
    let functions = chain(10);
    let error = link_within(&scaled("root", Some("f0")), find(&functions), 12).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`root` has more than 12 operations once its calls are inlined (reached in `f5`); \
         call fewer or smaller functions, or put repeated calls into a loop"
    );
}

#[test]
fn a_call_that_does_not_fit_is_an_error() {
    let functions = [put()];
    let mut b = Builder::new("root");
    let source = here(&mut b);
    let a = b.slice("a", Scalar::F32, Access::Read);
    let i = b.u64(0);
    let callee = b.callee("crate::put", "put");
    b.call(callee, &[i], vec![ArrayArg { mem: Mem::Array(a), part: None, copied: false }], &[], source);
    let error = link(&b.finish(&[]), find(&functions)).unwrap_err().to_string();
    assert!(error.contains("array `a`: it is written there, but read-only here"), "{error}");
    let error = link(&scaled("root", Some("gone")), find(&functions)).unwrap_err();
    assert_eq!(error.to_string(), "`root` calls `gone`, of which no compiled form is known");
}

#[test]
fn an_atomic_on_a_copy_is_an_error() {
    let mut b = Builder::new("count");
    let bins = b.slice("bins", Scalar::F32, Access::Write);
    let i = b.param("i", Scalar::U64);
    let (one, place) = (b.f32(1.0), here(&mut b));
    b.check_index(Mem::Array(bins), 0, i, place);
    b.atomic(AtomicKind::Add, Mem::Array(bins), i, 0, one);
    let count = b.finish(&[]);
    // Handed on by a function between, which sees nothing of the copy.
    let mut b = Builder::new("between");
    let bins = b.slice("bins", Scalar::F32, Access::Write);
    let (i, place) = (b.u64(2), here(&mut b));
    let callee = b.callee("crate::count", "count");
    b.call(callee, &[i], vec![ArrayArg { mem: Mem::Array(bins), part: None, copied: false }], &[], place);
    let between = b.finish(&[]);
    let functions = [count, between];
    let root = |copied: bool| {
        let mut b = Builder::new("root");
        let place = here(&mut b);
        let local = b.local("l", &[Scalar::F32], 4);
        let (zero, callee) = (b.f32(0.0), b.callee("crate::between", "between"));
        b.fill(local, 0, zero);
        b.call(callee, &[], vec![ArrayArg { mem: Mem::Local(local), part: None, copied }], &[], place);
        b.finish(&[])
    };
    assert!(link(&root(false), find(&functions)).is_ok());
    assert_eq!(link(&root(true), find(&functions)).unwrap_err(), LinkError::AtomicOnCopy { function: "count".into() });
}
