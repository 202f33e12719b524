//! Memory without a name: slices, views and bundles that only the running program could tell apart are refused, and so
//! is writing where nothing would be kept.

use super::effects::written_places;
use super::memory::Memory;
use super::{Alias, Lower};
use crate::front::ast::*;
use crate::front::types::Ty;
use crate::front::walk::children;

/// The word for memory of this type; `None` for values.
fn word(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Slice { .. } => Some("slice"),
        Ty::Planes { .. } => Some("`Soa` array"),
        Ty::View { .. } => Some("view"),
        Ty::Bundle(_) => Some("bundle of arrays"),
        _ => None,
    }
}

impl Lower<'_> {
    /// The memory that an expression must name, or an error.
    pub(super) fn wanted(&mut self, id: ExprId) -> Option<Memory> {
        let memory = self.memory(id);
        if memory.is_none() {
            self.refuse_unnamed(id);
        }
        memory
    }

    /// Says why an expression names no memory, where it is chosen or kept.
    pub(super) fn refuse_unnamed(&mut self, id: ExprId) {
        let body = self.body;
        let culprit = self.unnamed(id);
        let Some(what) = word(self.ty(culprit)) else { return };
        let expr = body.expr(culprit);
        let (span, message) = match &expr.kind {
            // Its declaration was refused.
            Kind::Var(var) if self.aliases.contains_key(var) => return,
            Kind::Var(var) => {
                let variable = &body.vars[var.0 as usize];
                let name = &variable.name;
                let message = format!(
                    "kernels must know which {what} `{name}` is where it is declared: give it a `let {name} = ..;` of its own"
                );
                (variable.span, message)
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Loop { .. } | Kind::Block { label: Some(_), .. } => {
                let message = format!(
                    "a {what} cannot be chosen at run time: choose between elements, as in `if c {{ a[i] }} else {{ b[i] \
                     }}`, or move the work into a `#[func]` and call it in each branch"
                );
                (expr.span, message)
            }
            Kind::Block { .. } => {
                let message = format!(
                    "kernels name a {what} by a plain `let`, not by a block: put the block's statements before the `let`"
                );
                (expr.span, message)
            }
            Kind::Field { .. } | Kind::Index { .. } => {
                let message = format!("a {what} cannot be kept in a tuple or an array: give each a `let` of its own");
                (expr.span, message)
            }
            _ => (expr.span, format!("kernels know a {what} by its name only: use the name of a parameter or `let`")),
        };
        self.errors.refuse(span, message);
    }

    /// The part of an expression that would have to be a name.
    fn unnamed(&self, id: ExprId) -> ExprId {
        match &self.body.expr(id).kind {
            Kind::Borrow { place: e, .. } | Kind::Deref(e) => self.unnamed(*e),
            Kind::Field { base, .. } if matches!(self.ty(*base), Ty::Bundle(_)) => self.unnamed(*base),
            Kind::Index { base, index } if matches!(self.body.expr(*index).kind, Kind::Range { .. }) => {
                self.unnamed(*base)
            }
            _ => id,
        }
    }

    /// Whether `let name = init;` needs memory and has none: an error, and the name is known from here on.
    pub(super) fn unnamed_variable(&mut self, var: VarId, init: ExprId) -> bool {
        if word(self.ty(init)).is_none() {
            return false;
        }
        self.refuse_unnamed(init);
        self.aliases.insert(var, Alias::Memory(Memory::Bundle(vec![])));
        true
    }

    /// A name of memory keeps its meaning: true where another one is assigned to it.
    pub(super) fn refuse_other_memory(&mut self, place: ExprId) -> bool {
        let Some(what) = word(self.ty(place)) else { return false };
        let body = self.body;
        let message = match &body.expr(place).kind {
            // Its declaration says so.
            Kind::Var(var) if !self.aliases.contains_key(var) => {
                self.refuse_unnamed(place);
                return true;
            }
            Kind::Var(var) => {
                let name = &body.vars[var.0 as usize].name;
                format!("`{name}` is the name of one {what} for good: give the other a `let` of its own")
            }
            _ => format!("kernels cannot put another {what} in place of this one: give the other a `let` of its own"),
        };
        self.errors.refuse(body.expr(place).span, message);
        true
    }

    /// A bundle has no value that a pattern could take apart.
    pub(super) fn refuse_bundles_taken_apart(&mut self) {
        for pat in &self.body.pats {
            if let PatKind::Struct { ty: Ty::Bundle(_), .. } = pat.kind {
                let message = "kernels do not take a bundle of arrays apart by a pattern: name its fields, as in `let a = \
                               bundle.a;`";
                self.errors.refuse(pat.span, message);
            }
        }
    }

    /// Looks at all places that the body writes: values that a bundle carries are refused, parts of arrays remembered.
    pub(super) fn find_written(&mut self, id: ExprId) {
        let (body, typed) = (self.body, self.typed);
        let mut places = vec![];
        written_places(body, typed, &self.effects.references, id, &mut |place| places.push(place));
        for place in places {
            self.written_through(place);
        }
        let mut inner = vec![];
        children(body, id, &mut |child| inner.push(child));
        for child in inner {
            self.find_written(child);
        }
    }

    fn written_through(&mut self, id: ExprId) {
        let body = self.body;
        match &body.expr(id).kind {
            Kind::Deref(e) | Kind::Borrow { place: e, .. } => self.written_through(*e),
            Kind::Index { base, index } => {
                if matches!(body.expr(*index).kind, Kind::Range { .. }) {
                    self.written_parts.insert(id);
                }
                self.written_through(*base);
            }
            Kind::Field { base, name, .. }
                if matches!(self.ty(*base), Ty::Bundle(_)) && word(self.ty(id)).is_none() =>
            {
                let message = format!(
                    "`{name}` is a value that the bundle carries, the same for all threads: to change it, copy it to a \
                     variable first, as in `let mut {name} = ..;`"
                );
                self.errors.refuse(body.expr(id).span, message);
            }
            // What a bundle names is memory, whose elements keep what is written.
            Kind::Field { base, .. } if matches!(self.ty(*base), Ty::Bundle(_)) => {}
            Kind::Field { base, .. } => self.written_through(*base),
            _ => {}
        }
    }
}
