//! Expansions give the bits of the host meaning.

use warp_ir::builtins::{Builtin, Expand, Expression, Form, Graph, Ptx};
use warp_ir::ir::Scalar;
use warp_ir::random::{alike, edges, instances};

use crate::samples::Samples;

fn expansions(builtin: Builtin, args: &[Scalar], result: Scalar) -> Vec<Expand> {
    let row = builtin.row();
    let clif = match row.clif(args, result) {
        Some(Form::Expand(expand)) => Some(expand),
        _ => None,
    };
    let ptx = match row.ptx(args, result) {
        Some(Ptx::Expand(expand)) => Some(expand),
        _ => None,
    };
    clif.into_iter().chain(ptx).collect()
}

fn compare(builtin: Builtin, args: &[Scalar], result: Scalar, expression: &Expression, bits: &[u64]) {
    let expected = builtin.eval(args, result, bits).expect("defined");
    let found = expression.eval(bits)[0].expect("defined");
    assert!(
        alike(result, found, expected),
        "{builtin:?} {args:?} -> {result:?} of {bits:x?}: {found:#x}, {expected:#x}"
    );
}

#[test]
fn expansions_equal_the_host() {
    let mut seen = 0;
    let mut samples = Samples(7);
    for &builtin in Builtin::ALL {
        for (args, result) in instances(builtin.row()) {
            for expand in expansions(builtin, &args, result) {
                seen += 1;
                let expression = Graph::expand(&args, result, expand);
                let lists: Vec<Vec<u64>> = args.iter().map(|&s| edges(s)).collect();
                for &a in &lists[0] {
                    match lists.get(1) {
                        None => compare(builtin, &args, result, &expression, &[a]),
                        Some(seconds) => {
                            seconds.iter().for_each(|&b| compare(builtin, &args, result, &expression, &[a, b]))
                        }
                    }
                }
                for _ in 0..2000 {
                    let bits: Vec<u64> = args.iter().map(|s| samples.word() & s.mask()).collect();
                    compare(builtin, &args, result, &expression, &bits);
                }
            }
        }
    }
    assert!(seen > 20, "only {seen} expansions");
}
