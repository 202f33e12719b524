//! How large values may be: what a thread holds is bounded, and checked before anything of it is made.

use crate::env::TypeDef;
use crate::front::ast::Body;
use crate::front::errors::Errors;
use crate::front::infer::Typed;
use crate::front::names::Names;
use crate::front::types::Ty;

/// The most bytes of one value.
const LARGEST: u64 = 64 << 10;

/// The bytes of a value, without paddings; for memory, those of its largest element.
fn bytes(names: &Names<'_>, ty: &Ty) -> u64 {
    let fields = || names.fields(ty).unwrap_or_default().into_iter().map(|(_, field)| bytes(names, &field));
    match ty {
        Ty::Struct(..) => fields().fold(0, u64::saturating_add),
        Ty::Bundle(_) => fields().max().unwrap_or(0),
        Ty::Enum(id) => match names.definition(id) {
            Some(TypeDef::Enum { repr, .. }) => repr.size() as u64,
            _ => 0,
        },
        Ty::Tuple(list) => list.iter().map(|t| bytes(names, t)).fold(0, u64::saturating_add),
        // Elements without bytes are counted as well, since each is looked at.
        Ty::Array(element, len) => bytes(names, element).max(1).saturating_mul(*len),
        Ty::Option(inner) => bytes(names, inner).saturating_add(1),
        Ty::Slice { element, .. } | Ty::Planes { element, .. } | Ty::View { element, .. } => bytes(names, element),
        other => other.scalar().map_or(0, |scalar| scalar.size() as u64),
    }
}

/// The error about the first value of a body that is too large for a thread.
pub(super) fn too_large(names: &Names<'_>, body: &Body, typed: &Typed) -> Option<Errors> {
    let over = |ty: &Ty| Some(bytes(names, ty)).filter(|bytes| *bytes > LARGEST);
    let variables = body.vars.iter().zip(&typed.vars).filter_map(|(variable, ty)| {
        let name = &variable.name;
        let what = match ty {
            Ty::Array(..) => format!("the array `{name}`"),
            Ty::Slice { .. } | Ty::Planes { .. } | Ty::View { .. } | Ty::Bundle(_) => format!("an element of `{name}`"),
            _ => format!("the variable `{name}`"),
        };
        Some((variable.span, what, over(ty)?))
    });
    let values = body.exprs.iter().zip(&typed.exprs).filter_map(|(expr, ty)| {
        let what = if matches!(ty, Ty::Array(..)) { "this array" } else { "this value" };
        Some((expr.span, what.to_string(), over(ty)?))
    });
    let (span, what, bytes) = variables.chain(values).next()?;
    let mut errors = Errors::default();
    let message = format!(
        "{what} takes {bytes} bytes in each thread, more than the {LARGEST} that kernels allow: pass an array of the host \
         and give each thread a part of it"
    );
    errors.refuse(span, message);
    Some(errors)
}
