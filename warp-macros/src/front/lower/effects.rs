//! What expressions may do, found before lowering: leave a loop or the function, write variables, or nothing at all.

use std::collections::{BTreeSet, HashMap};

use super::Cell;
use super::reference::References;
use crate::env::Type;
use crate::front::ast::*;
use crate::front::infer::Typed;
use crate::front::planted::{self, Bug};
use crate::front::walk::{children, root_variable};

pub(crate) struct Effects {
    /// For each expression, the flags that it may set for code outside it.
    exits: Vec<Vec<Cell>>,
    /// Whether it is a pure, cheap value: no memory, no check, no branch.
    simple: Vec<bool>,
    /// For each loop, the variables written inside it.
    written: HashMap<ExprId, BTreeSet<VarId>>,
    pub(crate) references: References,
}

/// One pass: children have smaller numbers than their parents.
pub(crate) fn find(body: &Body, typed: &Typed) -> Effects {
    let exits = Vec::with_capacity(body.exprs.len());
    let references = References::find(body, typed);
    let mut effects = Effects { exits, simple: vec![], written: HashMap::new(), references };
    for k in 0..body.exprs.len() as u32 {
        let id = ExprId(k);
        let exits = effects.exits_of(body, id);
        effects.exits.push(exits);
        let simple = effects.simple_kind(body, typed, id);
        effects.simple.push(simple);
        if matches!(body.expr(id).kind, Kind::While { .. } | Kind::Loop { .. } | Kind::For { .. }) {
            let mut written = BTreeSet::new();
            collect_written(body, typed, &effects.references, id, &mut written);
            effects.written.insert(id, written);
        }
    }
    effects
}

impl Effects {
    /// Whether it may leave a loop or the function.
    pub(crate) fn leaves(&self, id: ExprId) -> bool {
        !self.exits[id.0 as usize].is_empty()
    }

    pub(crate) fn exits(&self, id: ExprId) -> &[Cell] {
        &self.exits[id.0 as usize]
    }

    /// Whether something inside `id` sets this flag.
    pub(crate) fn sets(&self, body: &Body, id: ExprId, flag: Cell) -> bool {
        let mut found = false;
        children(body, id, &mut |child| found |= self.exits(child).contains(&flag));
        found
    }

    pub(crate) fn is_simple(&self, id: ExprId) -> bool {
        self.simple[id.0 as usize]
    }

    pub(crate) fn written(&self, id: ExprId) -> BTreeSet<VarId> {
        self.written.get(&id).cloned().unwrap_or_default()
    }

    /// Whether a loop writes what a variable stands for.
    pub(crate) fn writes(&self, id: ExprId, var: VarId) -> bool {
        let Some(written) = self.written.get(&id) else { return false };
        self.references.owners(var).iter().any(|root| written.contains(root))
    }

    fn exits_of(&self, body: &Body, id: ExprId) -> Vec<Cell> {
        let mut exits = vec![];
        children(body, id, &mut |child| {
            for exit in &self.exits[child.0 as usize] {
                if !exits.contains(exit) {
                    exits.push(*exit);
                }
            }
        });
        let mut own = |cell| {
            if !exits.contains(&cell) {
                exits.push(cell);
            }
        };
        match &body.expr(id).kind {
            Kind::Return(_) => own(Cell::Returned),
            Kind::Break { target, .. } => own(Cell::broken(*target)),
            Kind::Continue { target } => own(Cell::continued(*target)),
            Kind::While { target, .. }
            | Kind::Loop { target, .. }
            | Kind::For { target, .. }
            | Kind::Block { label: Some(target), .. } => {
                exits.retain(|e| *e != Cell::broken(*target) && *e != Cell::continued(*target));
            }
            _ => {}
        }
        exits
    }

    fn simple_kind(&self, body: &Body, typed: &Typed, id: ExprId) -> bool {
        if typed.functions.contains_key(&id) {
            return false;
        }
        let integer = |e: &ExprId| {
            let ty = &typed.exprs[e.0 as usize];
            !ty.is_float() && !crate::front::library::vector(ty).is_some_and(|(t, _)| t.is_float())
        };
        let allowed = match &body.expr(id).kind {
            Kind::Int { .. }
            | Kind::Float { .. }
            | Kind::Bool(_)
            | Kind::Bits { .. }
            | Kind::Unit
            | Kind::Constant { .. }
            | Kind::Folded { .. }
            | Kind::Variant { .. }
            | Kind::None
            | Kind::Some(_)
            | Kind::Ascribed { .. }
            | Kind::Unary { .. }
            | Kind::Logic { .. }
            | Kind::Cast { .. }
            | Kind::Deref(_)
            | Kind::Tuple(_)
            | Kind::Struct { .. } => true,
            // What stands for a place may have to be loaded.
            Kind::Var(var) if self.references.names_part(*var) => false,
            Kind::Var(var) => !matches!(typed.vars[var.0 as usize], crate::front::types::Ty::Array(..)),
            Kind::Field { base, .. } => !matches!(typed.exprs[base.0 as usize], crate::front::types::Ty::Array(..)),
            Kind::Binary { op, left, .. } => !(matches!(op, Binary::Div | Binary::Rem) && integer(left)),
            Kind::Method { receiver, name, .. } => simple_method(&typed.exprs[receiver.0 as usize], name),
            _ => false,
        };
        let mut all = allowed;
        if allowed {
            let method = matches!(body.expr(id).kind, Kind::Method { .. });
            children(body, id, &mut |child| {
                let slice = method && matches!(body.expr(child).kind, Kind::Var(_));
                all &= slice || self.simple[child.0 as usize];
            });
        }
        all
    }
}

/// Methods that are a few pure ops.
fn simple_method(ty: &crate::front::types::Ty, name: &str) -> bool {
    use crate::front::types::Ty;
    match ty {
        Ty::Slice { .. } | Ty::Planes { .. } | Ty::View { .. } | Ty::Array(..) => matches!(name, "len" | "is_empty"),
        Ty::Option(_) => matches!(name, "is_some" | "is_none"),
        ty if ty.is_float() => {
            matches!(
                name,
                "sqrt"
                    | "abs"
                    | "floor"
                    | "ceil"
                    | "trunc"
                    | "min"
                    | "max"
                    | "is_nan"
                    | "is_finite"
                    | "is_infinite"
                    | "to_bits"
                    | "mul_add"
                    | "copysign"
            )
        }
        ty if ty.is_int() => matches!(
            name,
            "min"
                | "max"
                | "abs"
                | "count_ones"
                | "leading_zeros"
                | "trailing_zeros"
                | "wrapping_add"
                | "wrapping_sub"
                | "wrapping_mul"
        ),
        _ => false,
    }
}

/// Variables that code inside `id` writes.
fn collect_written(body: &Body, typed: &Typed, references: &References, id: ExprId, written: &mut BTreeSet<VarId>) {
    written_places(body, typed, references, id, &mut |place| {
        if let Some(var) = root_variable(body, place) {
            written.extend(references.owners(var));
        }
    });
    children(body, id, &mut |child| collect_written(body, typed, references, child, written));
}

/// The places that an expression itself writes, or gives away to be written.
pub(super) fn written_places(
    body: &Body,
    typed: &Typed,
    references: &References,
    id: ExprId,
    place: &mut dyn FnMut(ExprId),
) {
    match &body.expr(id).kind {
        Kind::Assign { place: e, .. } | Kind::Compound { place: e, .. } => place(*e),
        Kind::Borrow { mutable: true, place: e } => place(*e),
        Kind::Method { receiver, args, name, .. } => {
            let own = !typed.functions.contains_key(&id);
            if own && matches!(name.as_str(), "take" | "fill" | "swap" | "set" | "copy_from_slice" | "split_at_mut") {
                place(*receiver);
            }
            let all = std::iter::once(receiver).chain(args);
            handed_over(typed, id, all).for_each(place);
        }
        Kind::Call { args, .. } => handed_over(typed, id, args.iter()).for_each(place),
        // An iterator behind a `&mut` goes on where the loop left it.
        Kind::For { iter, .. } => {
            iter.sources().into_iter().filter_map(|source| references.walked(body, typed, source)).for_each(place);
        }
        _ => {}
    }
}

/// The arguments that a function may write to: `&mut`s, and memory that is not only for reading.
fn handed_over<'a>(
    typed: &'a Typed,
    id: ExprId,
    args: impl Iterator<Item = &'a ExprId> + 'a,
) -> impl Iterator<Item = ExprId> + 'a {
    let params = typed.functions.get(&id).map_or(&[][..], |f| &f.params);
    params.iter().zip(args).filter(|(param, _)| is_written(param)).map(|(_, arg)| *arg)
}

/// Whether a function may write to what it is given for a parameter of this type. Bundles count, whatever they hold.
fn is_written(param: &Type) -> bool {
    match param {
        Type::MutRef(_) | Type::Bundle(_) => true,
        Type::Slice { .. } if planted::is(Bug::LoopForgetsHandedSlices) => false,
        Type::Slice { mutable, .. } | Type::Planes { mutable, .. } | Type::View { mutable, .. } => *mutable,
        Type::Ref(inner) => matches!(**inner, Type::Bundle(_)),
        _ => false,
    }
}
