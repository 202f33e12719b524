//! Types of fields, elements and struct literals.

use super::*;
use crate::front::library;

impl Infer<'_> {
    pub(super) fn settle_field(&mut self, id: ExprId) -> bool {
        let Kind::Field { base, name, name_span } = &self.body.expr(id).kind else { return true };
        let ty = self.type_of(*base);
        if self.unifier.kind(&ty) == Some(VarKind::Any) {
            return false;
        }
        let field = match &ty {
            Ty::Tuple(list) => name.parse::<usize>().ok().and_then(|k| list.get(k).cloned()),
            other => self.field_type(other, name),
        };
        match field {
            Some(field) => self.gives(id, &field),
            None => {
                let message = format!("{} has no field `{name}` in kernels", self.show(&ty));
                self.errors.defer(*name_span, message);
                let any = self.fresh();
                self.gives(id, &any);
            }
        }
        true
    }

    fn field_type(&self, ty: &Ty, name: &str) -> Option<Ty> {
        self.names.fields(ty)?.into_iter().find(|(n, _)| *n == name).map(|(_, t)| t)
    }

    pub(super) fn index(&mut self, id: ExprId, base: ExprId, index: ExprId) -> Ty {
        self.plain(base);
        self.expr(index, Expect::Has(Ty::Usize));
        self.waiting(id, Pending::Index { id })
    }

    pub(super) fn settle_index(&mut self, id: ExprId) -> bool {
        let Kind::Index { base, index } = &self.body.expr(id).kind else { return true };
        let (base, index) = (*base, *index);
        let ty = self.type_of(base);
        if self.unifier.kind(&ty) == Some(VarKind::Any) {
            return false;
        }
        let position = self.type_of(index);
        let result = match (&ty, &position) {
            (Ty::Slice { element, mutable }, Ty::Range(bound)) => {
                self.equal(self.span(index), bound, &Ty::Usize);
                Ty::Slice { element: element.clone(), mutable: *mutable }
            }
            (Ty::Array(element, _), Ty::Range(bound)) => {
                self.equal(self.span(index), bound, &Ty::Usize);
                Ty::Slice { element: element.clone(), mutable: true }
            }
            (Ty::Slice { element, .. } | Ty::Planes { element, .. } | Ty::Array(element, _), _) => {
                self.equal(self.span(index), &position, &Ty::Usize);
                (**element).clone()
            }
            (Ty::View { element, rank, .. }, _) => {
                let wanted = Ty::Tuple(vec![Ty::Usize; *rank as usize]);
                self.equal(self.span(index), &position, &wanted);
                (**element).clone()
            }
            (other, _) => match library::vector(other) {
                Some((component, _)) => {
                    self.equal(self.span(index), &position, &Ty::Usize);
                    component
                }
                None if library::matrix(other).is_some() => {
                    self.equal(self.span(index), &position, &Ty::Tuple(vec![Ty::Usize; 2]));
                    library::matrix(other).map_or(Ty::Unit, |(component, ..)| component)
                }
                None => {
                    let message = format!("kernels cannot index {}", self.show(&ty));
                    self.errors.defer(self.span(id), message);
                    self.fresh()
                }
            },
        };
        self.gives(id, &result);
        true
    }

    pub(super) fn struct_literal(
        &mut self,
        id: ExprId,
        ty: &Ty,
        fields: &[(String, ExprId)],
        base: Option<ExprId>,
    ) -> Ty {
        let ty = &self.open(ty);
        for (name, value) in fields {
            match self.field_type(ty, name) {
                Some(field) => {
                    self.coerced(*value, &field);
                }
                None => {
                    self.plain(*value);
                    let message = format!("{} has no field `{name}`", self.show(ty));
                    self.errors.defer(self.span(*value), message);
                }
            }
        }
        if let Some(base) = base {
            self.coerced(base, ty);
        }
        let known = self.names.field_count(ty);
        if base.is_none() && known != fields.len() {
            let message = format!("{} has {known} fields; this names {}", self.show(ty), fields.len());
            self.errors.defer(self.span(id), message);
        }
        ty.clone()
    }
}
