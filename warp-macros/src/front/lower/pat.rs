//! Patterns: whether a value matches, and the variables it binds. Both are pure: parts of a value are always there.

use warp_ir::ir::Value;

use super::memory::Memory;
use super::place::Place;
use super::state::Held;
use super::{Alias, Cell, Lower};
use crate::front::ast::*;
use crate::front::infer::tuple_positions;
use crate::front::planted::{self, Bug};
use crate::front::types::Ty;
use crate::front::walk::pattern_variables;

impl Lower<'_> {
    /// Whether a value matches; `None`: always.
    pub(super) fn matches(&mut self, id: PatId, ty: &Ty, values: &[Value]) -> Option<Value> {
        let body = self.body;
        match &body.pat(id).kind {
            PatKind::Wild | PatKind::Rest | PatKind::Bad | PatKind::Bind { sub: None, .. } => None,
            PatKind::Bind { sub: Some(sub), .. } | PatKind::Typed(sub, _) | PatKind::Reference(sub) => {
                self.matches(*sub, ty, values)
            }
            PatKind::Value(value) => {
                let wanted = self.value(*value, ty);
                Some(self.equal(ty, values, &wanted))
            }
            PatKind::Range { start, end, inclusive } => self.in_range(values[0], *start, *end, *inclusive),
            PatKind::None => Some(self.b.not(values[0])),
            PatKind::Some(inner) => {
                let Ty::Option(of) = ty else { return None };
                let found = self.matches(*inner, of, &values[1..]);
                Some(match found {
                    Some(found) => self.b.and(values[0], found),
                    None => values[0],
                })
            }
            PatKind::Or(list) => {
                let mut any: Option<Value> = None;
                for &case in list {
                    let found = self.matches(case, ty, values)?;
                    any = Some(match any {
                        Some(any) => self.b.or(any, found),
                        None => found,
                    });
                }
                any
            }
            PatKind::Tuple(_) | PatKind::List(_) | PatKind::Struct { .. } => {
                let mut all: Option<Value> = None;
                for (part, of, range) in self.parts(id, ty) {
                    if let Some(found) = self.matches(part, &of, &values[range]) {
                        all = Some(match all {
                            Some(all) => self.b.and(all, found),
                            None => found,
                        });
                    }
                }
                all
            }
        }
    }

    fn in_range(&mut self, value: Value, start: Option<ExprId>, end: Option<ExprId>, inclusive: bool) -> Option<Value> {
        let low = start.map(|start| {
            let start = self.scalar(start);
            self.b.le(start, value)
        });
        let high = end.map(|end| {
            let end = self.scalar(end);
            if inclusive { self.b.le(value, end) } else { self.b.lt(value, end) }
        });
        match (low, high) {
            (Some(low), Some(high)) => Some(self.b.and(low, high)),
            (one, other) => one.or(other),
        }
    }

    /// The patterns inside a pattern, each with its type and its scalars.
    fn parts(&self, id: PatId, ty: &Ty) -> Vec<(PatId, Ty, std::ops::Range<usize>)> {
        let mut parts = vec![];
        match (&self.body.pat(id).kind, ty) {
            (PatKind::Tuple(list), Ty::Tuple(types)) => {
                let rest = list.iter().position(|p| matches!(self.body.pat(*p).kind, PatKind::Rest));
                for (k, at) in tuple_positions(list.len(), rest, types.len()).unwrap_or_default() {
                    let start: usize = types[..at].iter().map(|t| self.count(t)).sum();
                    parts.push((list[k], types[at].clone(), start..start + self.count(&types[at])));
                }
            }
            (PatKind::List(list), Ty::Array(element, len)) => {
                let rest = list.iter().position(|p| matches!(self.body.pat(*p).kind, PatKind::Rest));
                let size = self.count(element);
                for (k, at) in tuple_positions(list.len(), rest, *len as usize).unwrap_or_default() {
                    parts.push((list[k], (**element).clone(), at * size..(at + 1) * size));
                }
            }
            (PatKind::Struct { fields, .. }, _) => {
                for (name, part) in fields {
                    if let Some((at, of)) = self.field(ty, name) {
                        let count = self.count(&of);
                        parts.push((*part, of, at..at + count));
                    }
                }
            }
            _ => {}
        }
        parts
    }

    /// Gives the variables of a pattern their values.
    pub(super) fn bind(&mut self, id: PatId, ty: &Ty, values: &[Value]) {
        let body = self.body;
        match &body.pat(id).kind {
            PatKind::Bind { var, sub } => {
                if self.declared.contains(var) {
                    let place = self.var_place(*var);
                    self.write(&place, values);
                } else if self.in_memory.contains(var) {
                    let ty = self.var_type(*var);
                    self.bind_array(*var, &ty, values);
                } else {
                    self.state.set(Cell::var(*var), Held::Values(values.to_vec()));
                }
                if let Some(sub) = sub {
                    self.bind(*sub, ty, values);
                }
            }
            PatKind::Typed(inner, _) | PatKind::Reference(inner) => self.bind(*inner, ty, values),
            PatKind::Some(inner) => {
                if let Ty::Option(of) = ty {
                    self.bind(*inner, of, &values[1..]);
                }
            }
            PatKind::Tuple(_) | PatKind::List(_) | PatKind::Struct { .. } => {
                for (part, of, range) in self.parts(id, ty) {
                    self.bind(part, &of, &values[range]);
                }
            }
            PatKind::Or(list) => self.bind_alternatives(list, ty, values),
            _ => {}
        }
    }

    /// The first alternative that matches gives the variables their values.
    fn bind_alternatives(&mut self, list: &[PatId], ty: &Ty, values: &[Value]) {
        let Some(&first) = list.first() else { return };
        if self.pattern_vars(first).is_empty() {
            return;
        }
        let declared = self.declare(first);
        self.bind_first(list, ty, values);
        self.undeclare(&declared);
    }

    fn bind_first(&mut self, list: &[PatId], ty: &Ty, values: &[Value]) {
        let Some((&case, rest)) = list.split_first() else { return };
        let matched = if rest.is_empty() { None } else { self.matches(case, ty, values) };
        let bind = |l: &mut Self| {
            l.bind(case, ty, values);
            vec![]
        };
        match matched {
            None => drop(bind(self)),
            Some(matched) => {
                let otherwise = |l: &mut Self| {
                    l.bind_first(rest, ty, values);
                    vec![]
                };
                self.either(matched, &Ty::Unit, bind, otherwise);
            }
        }
    }

    /// Makes the variables of a pattern known before the branch that binds them.
    pub(super) fn outlive_branches(&mut self, pat: PatId) {
        for var in self.pattern_vars(pat) {
            let held = self.uninit(&self.var_type(var));
            self.state.set(Cell::var(var), held);
        }
    }

    /// The same, where several branches bind them: arrays get the memory that all of these write. Gives the arrays that
    /// had none, for [`Lower::undeclare`].
    pub(super) fn declare(&mut self, pat: PatId) -> Vec<VarId> {
        self.outlive_branches(pat);
        let mut declared = vec![];
        for var in self.pattern_vars(pat) {
            if self.in_memory.contains(&var) && !self.declared.contains(&var) {
                let ty = self.var_type(var);
                self.memory_of_array(var, &ty);
                self.declared.insert(var);
                declared.push(var);
            }
        }
        declared
    }

    /// The memory of an array that a pattern binds: new, unless it was declared before the branch that binds it.
    pub(super) fn memory_of_array(&mut self, var: VarId, ty: &Ty) -> Memory {
        if self.declared.contains(&var)
            && let Some(Alias::Memory(memory)) = self.aliases.get(&var)
        {
            return memory.clone();
        }
        let memory = self.new_local(var, ty);
        self.aliases.insert(var, Alias::Memory(memory.clone()));
        memory
    }

    /// Further bindings of these arrays are new ones.
    pub(super) fn undeclare(&mut self, vars: &[VarId]) {
        self.declared.retain(|var| !vars.contains(var));
    }

    /// The variables that a pattern binds.
    pub(super) fn pattern_vars(&self, id: PatId) -> Vec<VarId> {
        pattern_variables(self.body, id)
    }

    /// The place behind a `&mut` that a pattern meets, if the value is one.
    pub(super) fn referred(&mut self, value: ExprId) -> Option<Place> {
        self.effects.references.is_reference(self.body, value).then(|| self.place(value))
    }

    /// Binds a pattern to a value, or where it is a `&mut` to the place behind it.
    pub(super) fn bind_to(&mut self, id: PatId, ty: &Ty, values: &[Value], place: Option<&Place>) {
        match place {
            Some(place) => self.bind_place(id, ty, place),
            None => self.bind(id, ty, values),
        }
    }

    /// The variables of a pattern become names for parts of a place.
    pub(super) fn bind_place(&mut self, id: PatId, ty: &Ty, place: &Place) {
        let body = self.body;
        match &body.pat(id).kind {
            PatKind::Wild | PatKind::Rest | PatKind::Value(_) | PatKind::Range { .. } | PatKind::None => {}
            PatKind::Bind { var, sub: None } => {
                self.aliases.insert(*var, Alias::Place(place.clone()));
            }
            PatKind::Typed(inner, _) => self.bind_place(*inner, ty, place),
            PatKind::Reference(inner) if planted::is(Bug::PatternNamesCopies) => self.bind_place(*inner, ty, place),
            PatKind::Reference(inner) => {
                let values = self.read(place);
                self.bind(*inner, ty, &values);
            }
            PatKind::Some(inner) => {
                if let Ty::Option(of) = ty {
                    let count = self.count(of);
                    let part = place.clone().part(1, count, (**of).clone());
                    self.bind_place(*inner, of, &part);
                }
            }
            PatKind::Tuple(_) | PatKind::Struct { .. } | PatKind::List(_) => {
                for (part, of, range) in self.parts(id, ty) {
                    let inner = match place {
                        Place::Block { mem, start, .. } => self.block_part(*mem, *start, range.start, of.clone()),
                        place => place.clone().part(range.start, range.len(), of.clone()),
                    };
                    self.bind_place(part, &of, &inner);
                }
            }
            _ => {
                let span = body.pat(id).span;
                let sentence = "kernels do not take this pattern apart through a `&mut`: assign to the place itself";
                self.errors.refuse(span, sentence);
            }
        }
    }
}
