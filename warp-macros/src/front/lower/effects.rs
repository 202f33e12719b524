//! What expressions may do, found before lowering: leave a loop or the function, write variables, or nothing at all.

use std::collections::{BTreeSet, HashMap};

use super::Cell;
use crate::env::Type;
use crate::front::ast::*;
use crate::front::infer::Typed;
use crate::front::walk::{children, pattern_variables, root_variable};

pub(crate) struct Effects {
    /// For each expression, the flags that it may set for code outside it.
    exits: Vec<Vec<Cell>>,
    /// Whether it is a pure, cheap value: no memory, no check, no branch.
    simple: Vec<bool>,
    /// For each loop, the variables written inside it.
    written: HashMap<ExprId, BTreeSet<VarId>>,
    roots: Roots,
}

/// One pass: children have smaller numbers than their parents.
pub(crate) fn find(body: &Body, typed: &Typed) -> Effects {
    let roots = Roots::find(body);
    let exits = Vec::with_capacity(body.exprs.len());
    let mut effects = Effects { exits, simple: vec![], written: HashMap::new(), roots: Roots::default() };
    for k in 0..body.exprs.len() as u32 {
        let id = ExprId(k);
        let exits = effects.exits_of(body, id);
        effects.exits.push(exits);
        let simple = effects.simple_kind(body, typed, &roots, id);
        effects.simple.push(simple);
        if matches!(body.expr(id).kind, Kind::While { .. } | Kind::Loop { .. } | Kind::For { .. }) {
            let mut written = BTreeSet::new();
            collect_written(body, typed, &roots, id, &mut written);
            effects.written.insert(id, written);
        }
    }
    effects.roots = roots;
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
        self.roots.of(var).iter().any(|root| written.contains(root))
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

    fn simple_kind(&self, body: &Body, typed: &Typed, roots: &Roots, id: ExprId) -> bool {
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
            Kind::Var(var) if roots.aliases.contains_key(var) => false,
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
fn collect_written(body: &Body, typed: &Typed, roots: &Roots, id: ExprId, written: &mut BTreeSet<VarId>) {
    written_places(body, typed, id, &mut |place| {
        if let Some(var) = root_variable(body, place) {
            written.extend(roots.of(var));
        }
    });
    children(body, id, &mut |child| collect_written(body, typed, roots, child, written));
}

/// The places that an expression itself writes, or gives away to be written.
pub(super) fn written_places(body: &Body, typed: &Typed, id: ExprId, place: &mut dyn FnMut(ExprId)) {
    match &body.expr(id).kind {
        Kind::Assign { place: e, .. } | Kind::Compound { place: e, .. } => place(*e),
        Kind::Borrow { mutable: true, place: e } => place(*e),
        Kind::Method { receiver, args, name, .. } => {
            let own = !typed.functions.contains_key(&id);
            if own && matches!(name.as_str(), "take" | "fill" | "swap" | "set") {
                place(*receiver);
            }
            let all = std::iter::once(receiver).chain(args);
            handed_over(typed, id, all).for_each(place);
        }
        Kind::Call { args, .. } => handed_over(typed, id, args.iter()).for_each(place),
        Kind::For { iter, .. } => written(iter).for_each(place),
        _ => {}
    }
}

/// The arguments for `&mut` parameters.
fn handed_over<'a>(
    typed: &'a Typed,
    id: ExprId,
    args: impl Iterator<Item = &'a ExprId> + 'a,
) -> impl Iterator<Item = ExprId> + 'a {
    let params = typed.functions.get(&id).map_or(&[][..], |f| &f.params);
    params.iter().zip(args).filter(|(param, _)| matches!(param, Type::MutRef(_))).map(|(_, arg)| *arg)
}

/// The places whose elements a loop may write.
fn written(iter: &Iter) -> impl Iterator<Item = ExprId> {
    iter.sources().into_iter().filter_map(|source| match source {
        Iter::Elements { place, mutable: true } => Some(*place),
        _ => None,
    })
}

/// Variables that are references, and so stand for parts of other variables.
#[derive(Default)]
pub(crate) struct Roots {
    aliases: HashMap<VarId, BTreeSet<VarId>>,
}

impl Roots {
    fn find(body: &Body) -> Roots {
        let mut roots = Roots::default();
        for expr in &body.exprs {
            match &expr.kind {
                Kind::Let { pat, value } => roots.bound(body, *pat, *value),
                Kind::Match { value, arms } => arms.iter().for_each(|arm| roots.bound(body, arm.pat, *value)),
                Kind::Block { stmts, .. } => {
                    for stmt in stmts {
                        if let Stmt::Let { pat, init: Some(init), .. } = stmt {
                            roots.bound(body, *pat, *init);
                        }
                    }
                }
                // Each variable of a pair may stand for either side.
                Kind::For { pat, iter, .. } => written(iter).for_each(|e| roots.alias(body, *pat, e)),
                _ => {}
            }
        }
        roots
    }

    fn bound(&mut self, body: &Body, pat: PatId, value: ExprId) {
        if is_reference(body, value) || matches!(body.expr(value).kind, Kind::Var(v) if self.aliases.contains_key(&v)) {
            self.alias(body, pat, value);
        }
    }

    fn alias(&mut self, body: &Body, pat: PatId, value: ExprId) {
        let Some(root) = root_variable(body, value) else { return };
        for var in pattern_variables(body, pat) {
            if var != root {
                self.aliases.entry(var).or_default().insert(root);
            }
        }
    }

    /// The variables that own what a variable stands for.
    fn of(&self, var: VarId) -> BTreeSet<VarId> {
        let (mut owners, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![var]);
        while let Some(var) = open.pop() {
            match self.aliases.get(&var) {
                Some(roots) => open.extend(roots.iter().copied().filter(|root| seen.insert(*root))),
                None => owners.extend([var]),
            }
        }
        owners
    }
}

/// Whether an expression is a `&mut`: written out, or a parameter of that type by its bare name.
pub(crate) fn is_reference(body: &Body, id: ExprId) -> bool {
    match &body.expr(id).kind {
        Kind::Borrow { mutable, .. } => *mutable,
        Kind::Var(var) => body.params.iter().any(|p| {
            p.passing == Passing::InOut && matches!(body.pat(p.pat).kind, PatKind::Bind { var: v, .. } if v == *var)
        }),
        _ => false,
    }
}
