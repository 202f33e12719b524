//! What must hold of every row.

use warp_ir::builtins::{Adjoint, Builtin, Class, Form, Graph, Node, Ptx};
use warp_ir::ir::Scalar;
use warp_ir::random::{edges, instances};

#[test]
fn every_builtin_is_found_by_its_name() {
    for &builtin in Builtin::ALL {
        let row = builtin.row();
        assert_eq!(row.builtin, builtin);
        assert_eq!(Builtin::from_name(row.name), Some(builtin));
        let camel = format!("{builtin:?}");
        assert_eq!(row.name.replace('_', ""), camel.to_lowercase());
        assert!(row.doc.trim().len() > 10, "{camel} has no documentation");
    }
    assert_eq!(Builtin::from_name("sin_of_something"), None);
}

#[test]
fn every_instance_has_a_meaning_and_forms() {
    for &builtin in Builtin::ALL {
        let row = builtin.row();
        let instances = instances(row);
        assert!(!instances.is_empty(), "{builtin:?} takes nothing");
        for (args, result) in instances {
            let bits: Vec<u64> = args.iter().map(|&s| edges(s)[1]).collect();
            assert!(builtin.eval(&args, result, &bits).is_some(), "{builtin:?} {args:?} -> {result:?}");
            assert!(row.clif(&args, result).is_some(), "{builtin:?} {args:?} has no Cranelift form");
            assert!(row.ptx(&args, result).is_some(), "{builtin:?} {args:?} has no PTX form");
            assert_eq!(row.result_type(&args, result), Some(result), "{builtin:?} {args:?}");
        }
    }
}

#[test]
fn wrong_operands_are_refused_in_words() {
    use Scalar::*;
    let refused = |b: Builtin, args: &[Scalar], result| b.row().check(args, result).unwrap_err();
    assert_eq!(refused(Builtin::Add, &[F32], F32), "`add` takes 2 operands, not 1");
    assert_eq!(refused(Builtin::Add, &[F32, F64], F32), "operands of `add` must be of one type, not f32 and f64");
    assert_eq!(
        refused(Builtin::Add, &[Bool, Bool], Bool),
        "operand `a` of `add` must be an integer, f32 or f64, not bool"
    );
    assert_eq!(refused(Builtin::Lt, &[F32, F32], F32), "`lt` gives bool, not f32");
    assert_eq!(refused(Builtin::Sqrt, &[F16], F16), "operand `a` of `sqrt` must be f32 or f64, not f16");
    assert_eq!(refused(Builtin::Cast, &[I32], Bool), "`cast` does not take i32 to bool");
    assert_eq!(refused(Builtin::Cast, &[F16], I32), "`cast` does not take f16 to i32");
    assert_eq!(refused(Builtin::Bitcast, &[F32], U64), "`bitcast` does not take f32 to u64: the sizes must be equal");
    assert_eq!(Builtin::Add.row().result_type(&[F32, F64], F32), None);
    assert_eq!(Builtin::Add.row().result_type(&[], F32), None);
    assert_eq!(Builtin::Lt.row().result_type(&[F32, F32], F32), Some(Bool));
    assert_eq!(Builtin::Add.eval(&[F32, F64], F32, &[0, 0]), None);
}

/// F16 and BF16 are storage: nothing computes with them.
#[test]
fn halves_only_convert_and_select() {
    for &builtin in Builtin::ALL {
        let takes_half =
            instances(builtin.row()).iter().any(|(args, result)| args.iter().chain([result]).any(|s| s.is_half()));
        assert_eq!(takes_half, matches!(builtin, Builtin::Cast | Builtin::Bitcast | Builtin::Select), "{builtin:?}");
    }
}

#[test]
fn ptx_slots_name_parameters() {
    for &builtin in Builtin::ALL {
        let row = builtin.row();
        for (_, ptx) in row.ptx {
            let Ptx::Text(text) = ptx else { continue };
            let slots = Ptx::slots(text);
            let known =
                |slot: &str| ["r", "t", "bits", "to"].contains(&slot) || row.params.iter().any(|p| p.name == slot);
            assert!(slots.iter().all(|s| known(s)), "{builtin:?}: {text}");
            for name in row.params.iter().map(|p| p.name).chain(["r"]) {
                assert!(slots.contains(&name), "{builtin:?} does not use {{{name}}}: {text}");
            }
            assert!(text.ends_with(';'), "{builtin:?}: {text}");
        }
    }
    let text = "copysign.{t} {r}, {sign}, {a};";
    let fill = |slot: &str| {
        Some(match slot {
            "t" => "f32",
            "r" => "%f3",
            "sign" => "%f2",
            _ => "%f1",
        })
    };
    assert_eq!(Ptx::render(text, fill).as_deref(), Some("copysign.f32 %f3, %f2, %f1;"));
    assert_eq!(Ptx::render(text, |_| None), None);
}

/// Expansions end in rows that have an instruction, so that no backend expands for ever.
#[test]
fn expansions_rest_on_instructions() {
    for &builtin in Builtin::ALL {
        for (args, result) in instances(builtin.row()) {
            let Some(Form::Expand(expand)) = builtin.row().clif(&args, result) else { continue };
            let expression = Graph::expand(&args, result, expand);
            for (node, scalar) in &expression.nodes {
                let Node::Op(inner, operands) = node else { continue };
                let scalars: Vec<Scalar> = operands.iter().map(|&o| expression.nodes[o].1).collect();
                let form = inner.row().clif(&scalars, *scalar);
                assert!(matches!(form, Some(Form::Inst(_))), "{builtin:?} expands to {inner:?} {scalars:?}: {form:?}");
            }
        }
    }
}

#[test]
fn differentiable_rows_say_where_to_sample() {
    for &builtin in Builtin::ALL {
        let row = builtin.row();
        match row.adjoint {
            Adjoint::None(reason) => {
                assert!(!reason.is_empty() && row.domain.is_empty() && row.fixed.is_empty(), "{builtin:?}");
            }
            Adjoint::Rule { .. } => assert_eq!(row.domain.len(), row.params.len(), "{builtin:?}"),
        }
        for fixed in row.fixed {
            assert_eq!((fixed.at.len(), fixed.gradient.len()), (row.params.len(), row.params.len()), "{builtin:?}");
        }
        assert_eq!(Class::Float.members().iter().count(), 2);
    }
}
