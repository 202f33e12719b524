//! From `syn` items to IR. Pure: no tokens out except constants.

use crate::env::{Ask, Env, Item, Outcome, Type};

/// The paths whose faces an item needs.
pub(crate) fn asks(_item: &Item<'_>) -> Vec<Ask> {
    vec![]
}

/// Lowers an item with all that is known.
pub(crate) fn lower(_item: &Item<'_>, _env: &Env) -> Outcome {
    Outcome::Failed(vec![syn::Error::new(proc_macro2::Span::call_site(), "kernels are not lowered yet")])
}

/// The name of a type in the keys of operators.
pub(crate) fn type_name(ty: &Type) -> String {
    format!("{ty:?}")
}
