//! The expressions right inside an expression, in order of evaluation.

use super::ast::*;

/// Calls `visit` for each expression right inside `id`. Constants of patterns are left out.
pub(crate) fn children(body: &Body, id: ExprId, visit: &mut dyn FnMut(ExprId)) {
    match &body.expr(id).kind {
        Kind::Int { .. }
        | Kind::Float { .. }
        | Kind::Bool(_)
        | Kind::Bits { .. }
        | Kind::Text(_)
        | Kind::Unit
        | Kind::Var(_)
        | Kind::Constant { .. }
        | Kind::Variant { .. }
        | Kind::None
        | Kind::Continue { .. }
        | Kind::Bad => {}
        Kind::Folded { inner, .. } => visit(*inner),
        Kind::Some(e)
        | Kind::Ascribed { value: e, .. }
        | Kind::Unary { value: e, .. }
        | Kind::Cast { value: e, .. }
        | Kind::Field { base: e, .. }
        | Kind::Borrow { place: e, .. }
        | Kind::Deref(e)
        | Kind::Repeat { value: e, .. }
        | Kind::Let { value: e, .. }
        | Kind::Loop { body: e, .. }
        | Kind::Closure { body: e, .. } => visit(*e),
        Kind::Binary { left, right, .. } | Kind::Logic { left, right, .. } => {
            visit(*left);
            visit(*right);
        }
        Kind::Assert { cond, message } => {
            visit(*cond);
            arguments(message).for_each(visit);
        }
        Kind::AssertEq { left, right, message, .. } => {
            visit(*left);
            visit(*right);
            arguments(message).for_each(visit);
        }
        Kind::Assign { place, value } | Kind::Compound { place, value, .. } => {
            visit(*value);
            visit(*place);
        }
        Kind::Index { base, index } => {
            visit(*base);
            visit(*index);
        }
        Kind::Range { start, end, .. } => [start, end].into_iter().flatten().for_each(|e| visit(*e)),
        Kind::Call { args, .. } => args.iter().for_each(|e| visit(*e)),
        Kind::Method { receiver, args, .. } => {
            visit(*receiver);
            args.iter().for_each(|e| visit(*e));
        }
        Kind::Struct { fields, base, .. } => {
            fields.iter().for_each(|(_, e)| visit(*e));
            base.iter().for_each(|e| visit(*e));
        }
        Kind::Tuple(list) | Kind::List(list) => list.iter().for_each(|e| visit(*e)),
        Kind::If { cond, then, otherwise } => {
            visit(*cond);
            visit(*then);
            otherwise.iter().for_each(|e| visit(*e));
        }
        Kind::Match { value, arms } => {
            visit(*value);
            for arm in arms {
                arm.guard.iter().for_each(|e| visit(*e));
                visit(arm.body);
            }
        }
        Kind::Block { stmts, tail, .. } => {
            for stmt in stmts {
                match stmt {
                    Stmt::Expr(e) => visit(*e),
                    Stmt::Let { init, otherwise, .. } => {
                        [init, otherwise].into_iter().flatten().for_each(|e| visit(*e));
                    }
                }
            }
            tail.iter().for_each(|e| visit(*e));
        }
        Kind::While { cond, body, .. } => {
            visit(*cond);
            visit(*body);
        }
        Kind::For { iter, body, .. } => {
            iter_children(iter, visit);
            visit(*body);
        }
        Kind::Break { value, .. } | Kind::Return(value) => value.iter().for_each(|e| visit(*e)),
        Kind::Print { pieces, .. } | Kind::Panic { message: pieces } => arguments(pieces).for_each(visit),
    }
}

/// The arguments of a format string, each once, in their own order: as they were parsed.
pub(crate) fn arguments(pieces: &[Piece]) -> impl Iterator<Item = ExprId> {
    let values = pieces.iter().filter_map(|piece| match piece {
        Piece::Arg { value, .. } => Some(*value),
        Piece::Text(_) => None,
    });
    let mut values: Vec<ExprId> = values.collect();
    values.sort();
    values.dedup();
    values.into_iter()
}

fn iter_children(iter: &Iter, visit: &mut dyn FnMut(ExprId)) {
    match iter {
        Iter::Range { start, end, .. } => {
            visit(*start);
            end.iter().for_each(|e| visit(*e));
        }
        Iter::Rev(inner) | Iter::Enumerate(inner) => iter_children(inner, visit),
        Iter::StepBy(inner, e) | Iter::Take(inner, e) | Iter::Skip(inner, e) => {
            iter_children(inner, visit);
            visit(*e);
        }
        Iter::Zip(a, b) => {
            iter_children(a, visit);
            iter_children(b, visit);
        }
        Iter::Elements { place, .. } => visit(*place),
        Iter::Chunks { place, size, .. } => {
            visit(*place);
            visit(*size);
        }
        Iter::Value(e) => visit(*e),
    }
}

/// The variables that a pattern binds, each once.
pub(crate) fn pattern_variables(body: &Body, id: PatId) -> Vec<VarId> {
    let mut vars = vec![];
    collect_variables(body, id, true, &mut vars);
    vars
}

/// The variables that a pattern binds to parts of what stands behind a reference that it meets; those under a `&mut`
/// of its own hold copies.
pub(crate) fn named_parts(body: &Body, id: PatId) -> Vec<VarId> {
    let mut vars = vec![];
    collect_variables(body, id, false, &mut vars);
    vars
}

fn collect_variables(body: &Body, id: PatId, copies: bool, vars: &mut Vec<VarId>) {
    match &body.pat(id).kind {
        PatKind::Bind { var, sub } => {
            if !vars.contains(var) {
                vars.push(*var);
            }
            if let Some(sub) = sub {
                collect_variables(body, *sub, copies, vars);
            }
        }
        PatKind::Tuple(list) | PatKind::List(list) | PatKind::Or(list) => {
            list.iter().for_each(|p| collect_variables(body, *p, copies, vars));
        }
        PatKind::Struct { fields, .. } => fields.iter().for_each(|(_, p)| collect_variables(body, *p, copies, vars)),
        PatKind::Some(p) | PatKind::Typed(p, _) => collect_variables(body, *p, copies, vars),
        PatKind::Reference(p) if copies => collect_variables(body, *p, copies, vars),
        _ => {}
    }
}

/// Whether alternatives somewhere in a pattern bind variables.
pub(crate) fn binds_by_alternatives(body: &Body, id: PatId) -> bool {
    match &body.pat(id).kind {
        PatKind::Or(_) => !pattern_variables(body, id).is_empty(),
        PatKind::Tuple(list) | PatKind::List(list) => list.iter().any(|p| binds_by_alternatives(body, *p)),
        PatKind::Struct { fields, .. } => fields.iter().any(|(_, p)| binds_by_alternatives(body, *p)),
        PatKind::Bind { sub: Some(p), .. } | PatKind::Some(p) | PatKind::Typed(p, _) | PatKind::Reference(p) => {
            binds_by_alternatives(body, *p)
        }
        _ => false,
    }
}

/// Methods that lend a part of their receiver; a user's method may have such a name as well, and gives a value.
pub(crate) fn lends(name: &str) -> bool {
    matches!(name, "col_mut" | "split_at_mut")
}

/// The variable that a place is a part of.
pub(crate) fn root_variable(body: &Body, id: ExprId) -> Option<VarId> {
    match &body.expr(id).kind {
        Kind::Var(var) => Some(*var),
        Kind::Field { base, .. } | Kind::Index { base, .. } => root_variable(body, *base),
        Kind::Borrow { place, .. } => root_variable(body, *place),
        Kind::Deref(value) => root_variable(body, *value),
        Kind::Method { receiver, name, .. } if lends(name) => root_variable(body, *receiver),
        _ => None,
    }
}
