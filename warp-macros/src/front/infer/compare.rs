//! Comparisons: by the user's own `eq`, or part by part as a derive does it, where that is known to be the same.

use super::*;
use crate::env::TypeDef;
use crate::front::library;

impl Infer<'_> {
    pub(super) fn settle_comparison(&mut self, id: ExprId, op: Binary, right: ExprId, l: &Ty, r: &Ty) -> bool {
        if self.unifier.kind(l) == Some(VarKind::Any) && self.unifier.kind(r) == Some(VarKind::Any) && l != r {
            self.gives(id, &Ty::BOOL);
            return false;
        }
        self.equal(self.span(right), r, l);
        let by_order = !matches!(op, Binary::Eq | Binary::Ne);
        if let Ty::Struct(owner, _) = l
            && !by_order
            && !library::types().contains_key(owner)
            && !self.derives(owner, by_order)
        {
            return self.settle_operator(id, Binary::Eq.function(), l, r);
        }
        self.compared.push((id, l.clone(), by_order));
        self.gives(id, &Ty::BOOL);
        true
    }

    fn derives(&self, id: &str, by_order: bool) -> bool {
        let derived = match self.names.definition(id) {
            Some(TypeDef::Struct { derived, .. } | TypeDef::Enum { derived, .. }) => *derived,
            _ => return false,
        };
        if by_order { derived.ordered } else { derived.equal }
    }

    /// Refuses comparisons part by part of types that may compare themselves otherwise; gives the enums whose `==` rustc
    /// has to vouch for.
    pub(super) fn report_comparisons(&mut self) -> Vec<(TypeId, Span)> {
        let mut enums = vec![];
        for (id, ty, by_order) in std::mem::take(&mut self.compared) {
            let (ty, span) = (self.unifier.resolve(&ty), self.span(id));
            let mut found = vec![];
            match self.compares_itself(&ty, by_order, &mut found) {
                Some(owner) => {
                    let sentence = self.unknown_comparison(&owner, by_order);
                    self.errors.refuse(span, sentence);
                }
                None => enums.extend(found.into_iter().map(|id| (id, span))),
            }
        }
        enums
    }

    /// A type in `ty` that is not known to compare part by part; `enums` are those that only rustc knows about.
    fn compares_itself(&self, ty: &Ty, by_order: bool, enums: &mut Vec<TypeId>) -> Option<Ty> {
        match ty {
            Ty::Struct(id, _) if library::types().contains_key(id) => None,
            // glam derives the comparison of its orders.
            Ty::Enum(id) if !by_order && library::types().contains_key(id) => None,
            Ty::Enum(id) if !by_order => {
                enums.push(id.clone());
                None
            }
            Ty::Struct(id, _) | Ty::Enum(id) => {
                if !self.derives(id, by_order) {
                    return Some(ty.clone());
                }
                let fields = self.names.fields(ty).unwrap_or_default();
                fields.iter().find_map(|(_, field)| self.compares_itself(field, by_order, enums))
            }
            Ty::Tuple(list) => list.iter().find_map(|ty| self.compares_itself(ty, by_order, enums)),
            Ty::Array(ty, _) | Ty::Option(ty) => self.compares_itself(ty, by_order, enums),
            _ => None,
        }
    }

    fn unknown_comparison(&self, ty: &Ty, by_order: bool) -> String {
        let name = self.names.display(ty);
        match (ty, by_order) {
            (Ty::Enum(_), _) => format!(
                "kernels do not know how `{name}` is ordered: derive it in one list with `Struct`, \
                 `#[derive(PartialEq, PartialOrd, Struct)]`, or compare numbers: `a as i32 < b as i32`"
            ),
            (_, true) => format!(
                "kernels do not know how `{name}` is ordered: derive it in one list with `Struct`, \
                 `#[derive(PartialEq, PartialOrd, Struct)]`, or compare the parts"
            ),
            _ => format!(
                "kernels do not know how `{name}` is compared here: derive it in one list with `Struct`, \
                 `#[derive(PartialEq, Struct)]`, or compare the values themselves by an `==` under `#[methods]`"
            ),
        }
    }
}
