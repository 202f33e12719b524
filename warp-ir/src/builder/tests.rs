use super::*;
use crate::builtins::Builtin;

#[test]
fn a_counted_loop_is_canonical() {
    let mut b = Builder::new("sum");
    let n = b.param("n", Scalar::U64);
    let zero = b.f32(0.0);
    let sum = b.counted(n, &[zero], |b, t, carried| {
        let x = b.cast(Scalar::F32, t);
        vec![b.add(carried[0], x)]
    });
    let f = b.finish(&sum);
    let Op::Loop { inits, cond, body, results } = f.body.ops.last().unwrap() else { panic!("no loop") };
    assert_eq!((inits.len(), cond.params.len(), body.params.len(), results.len()), (2, 2, 2, 2));
    assert_eq!(cond.ops, [Op::Pure { builtin: Builtin::Lt, args: vec![cond.params[0], n], result: cond.yields[0] }]);
    assert_eq!(f.body.yields, [results[1]]);
}

#[test]
fn values_remember_the_current_place() {
    let mut b = Builder::new("f");
    let x = b.param("x", Scalar::F32);
    let here = b.source(Source { file: "a.rs".into(), line: 3, column: 5, text: "-x".into() });
    assert_eq!(b.source(Source { file: "a.rs".into(), line: 3, column: 5, text: "-x".into() }), here);
    let before = b.at(Some(here));
    let y = b.neg(x);
    b.at(before);
    let z = b.neg(y);
    let f = b.finish(&[z]);
    assert_eq!(f.spans, [None, Some(here), None]);
}

#[test]
fn types_of_results_follow_from_operands() {
    let mut b = Builder::new("f");
    let (x, c) = (b.param("x", Scalar::I16), b.param("c", Scalar::Bool));
    let same = b.add(x, x);
    let truth = b.gt(x, x);
    let ones = b.pure(Builtin::CountOnes, &[x]);
    let picked = b.select(c, x, x);
    let scalars = [same, truth, ones, picked].map(|v| b.scalar(v));
    assert_eq!(scalars, [Scalar::I16, Scalar::Bool, Scalar::U32, Scalar::I16]);
}
