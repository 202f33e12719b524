//! What stands behind a reference: which expressions are `&mut`s, and the variables that own what they lead to.
//!
//! Types say nothing of references, so this is found from where values come. A loop over a `&mut` walks over the
//! elements themselves, and a pattern that meets one names parts of what stands behind it.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::front::ast::*;
use crate::front::infer::Typed;
use crate::front::planted::{self, Bug};
use crate::front::types::Ty;
use crate::front::walk::{lends, named_parts, root_variable};

/// The variables of a body that are `&mut`s.
#[derive(Default)]
pub(crate) struct References {
    /// Parameters: what they lead to belongs to the caller.
    params: HashSet<VarId>,
    /// Calls of methods that lend a part of their receiver.
    lent: HashSet<ExprId>,
    /// Names for parts of other variables, and those variables.
    leads: HashMap<VarId, BTreeSet<VarId>>,
}

impl References {
    pub(crate) fn find(body: &Body, typed: &Typed) -> References {
        let mut references = References::default();
        for param in body.params.iter().filter(|param| param.passing == Passing::InOut) {
            if let PatKind::Bind { var, .. } = body.pat(param.pat).kind {
                references.params.insert(var);
            }
        }
        for k in (0..body.exprs.len() as u32).map(ExprId) {
            if matches!(&body.expr(k).kind, Kind::Method { name, .. } if lends(name))
                && !typed.functions.contains_key(&k)
            {
                references.lent.insert(k);
            }
        }
        // What stands inside an expression has a smaller number, and may use names that the expression makes.
        loop {
            let before = references.size();
            (0..body.exprs.len() as u32).for_each(|k| references.made_by(body, typed, ExprId(k)));
            if references.size() == before {
                return references;
            }
        }
    }

    fn size(&self) -> usize {
        self.leads.values().map(|roots| roots.len() + 1).sum()
    }

    /// The names that an expression makes.
    fn made_by(&mut self, body: &Body, typed: &Typed, id: ExprId) {
        match &body.expr(id).kind {
            Kind::Let { pat, value } => self.bound(body, *pat, *value),
            Kind::Match { value, arms } => arms.iter().for_each(|arm| self.bound(body, arm.pat, *value)),
            Kind::Block { stmts, .. } => {
                for stmt in stmts {
                    if let Stmt::Let { pat, init: Some(init), .. } = stmt {
                        self.bound(body, *pat, *init);
                    }
                }
            }
            Kind::For { pat, iter, .. } if !typed.nexts.contains_key(&id) => self.items(body, typed, *pat, iter),
            _ => {}
        }
    }

    fn bound(&mut self, body: &Body, pat: PatId, value: ExprId) {
        if self.is_reference(body, value) {
            self.names(body, pat, value);
        }
    }

    /// The items of a loop: pairs are taken apart as their patterns are.
    fn items(&mut self, body: &Body, typed: &Typed, pat: PatId, iter: &Iter) {
        match (iter, &body.pat(pat).kind) {
            (Iter::Rev(inner) | Iter::StepBy(inner, _) | Iter::Take(inner, _) | Iter::Skip(inner, _), _) => {
                self.items(body, typed, pat, inner);
            }
            (Iter::Enumerate(inner), PatKind::Tuple(list)) if list.len() == 2 => {
                self.items(body, typed, list[1], inner);
            }
            (Iter::Zip(a, b), PatKind::Tuple(list)) if list.len() == 2 => {
                self.items(body, typed, list[0], a);
                self.items(body, typed, list[1], b);
            }
            (source, _) => {
                if let Some(place) = self.walked(body, typed, source) {
                    self.names(body, pat, place);
                }
            }
        }
    }

    fn names(&mut self, body: &Body, pat: PatId, value: ExprId) {
        let root = root_variable(body, value);
        for var in named_parts(body, pat) {
            self.leads.entry(var).or_default().extend(root.filter(|root| *root != var));
        }
    }

    /// Whether an expression is a `&mut` to a value: written out, or a variable that is one.
    pub(crate) fn is_reference(&self, body: &Body, id: ExprId) -> bool {
        match &body.expr(id).kind {
            Kind::Borrow { mutable, .. } => *mutable,
            Kind::Method { .. } => self.lent.contains(&id),
            Kind::Var(var) => self.params.contains(var) || self.names_part(*var),
            _ => false,
        }
    }

    /// Whether a variable is a name for a part of another one.
    pub(crate) fn names_part(&self, var: VarId) -> bool {
        self.leads.contains_key(&var)
    }

    /// The place that a source of a loop walks over by reference, where it does.
    pub(crate) fn walked(&self, body: &Body, typed: &Typed, source: &Iter) -> Option<ExprId> {
        match source {
            Iter::Elements { place, mutable: true } | Iter::Chunks { place, mutable: true, .. } => Some(*place),
            Iter::Value(_) if planted::is(Bug::LoopCopiesReferences) => None,
            Iter::Value(value) => {
                let ty = &typed.exprs[value.0 as usize];
                let memory = matches!(ty, Ty::Slice { mutable: true, .. } | Ty::Planes { mutable: true, .. });
                (memory || self.is_reference(body, *value)).then_some(*value)
            }
            _ => None,
        }
    }

    /// The variables that own what a variable stands for: its own, where it is no reference.
    pub(crate) fn owners(&self, var: VarId) -> BTreeSet<VarId> {
        let (mut owners, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![var]);
        while let Some(var) = open.pop() {
            match self.leads.get(&var) {
                Some(roots) => open.extend(roots.iter().copied().filter(|root| seen.insert(*root))),
                None => owners.extend([var]),
            }
        }
        owners
    }

    /// Whether what a place is a part of belongs to the caller, who gets a copy back.
    pub(crate) fn is_handed_back(&self, body: &Body, place: ExprId) -> bool {
        root_variable(body, place)
            .is_some_and(|var| !self.owners(var).is_disjoint(&self.params.iter().copied().collect()))
    }
}
