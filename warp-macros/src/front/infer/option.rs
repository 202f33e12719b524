//! Methods of `Option`, whose closures are lowered in place.

use super::*;

impl Infer<'_> {
    /// Whether `Default` of the type is all zeros for sure: quaternions and matrices start at the identity, and users'
    /// types as they like.
    fn zero_by_default(&self, ty: &Ty) -> bool {
        match self.unifier.shallow(ty) {
            ty @ Ty::Struct(..) => crate::front::library::vector(&ty).is_some(),
            Ty::Enum(_) => false,
            Ty::Tuple(list) => list.iter().all(|t| self.zero_by_default(t)),
            Ty::Array(element, _) => self.zero_by_default(&element),
            _ => true,
        }
    }

    /// The type of a method call on an `Option<inner>`; `None` for an unknown method.
    pub(super) fn option_method(&mut self, inner: &Ty, name: &str, args: &[ExprId]) -> Option<Ty> {
        let own = Ty::Option(Box::new(inner.clone()));
        Some(match (name, args) {
            ("is_some" | "is_none", []) => Ty::BOOL,
            ("unwrap_or_default", []) if !self.zero_by_default(inner) => return None,
            ("unwrap" | "unwrap_or_default", []) => inner.clone(),
            ("clone" | "copied" | "cloned", []) => own,
            ("expect", [_]) => inner.clone(),
            ("unwrap_or", [default]) => {
                self.coerced(*default, inner);
                inner.clone()
            }
            ("unwrap_or_else", [closure]) => {
                let result = self.closure(*closure, &[]);
                self.coerce(*closure, &result, inner);
                inner.clone()
            }
            ("or", [other]) => {
                self.coerced(*other, &own);
                own
            }
            ("or_else", [closure]) => {
                let result = self.closure(*closure, &[]);
                self.coerce(*closure, &result, &own);
                own
            }
            ("and", [other]) => self.plain(*other),
            ("xor", [other]) => {
                self.coerced(*other, &own);
                own
            }
            ("map", [closure]) => Ty::Option(Box::new(self.closure(*closure, std::slice::from_ref(inner)))),
            ("and_then", [closure]) => self.closure(*closure, std::slice::from_ref(inner)),
            ("filter" | "is_some_and" | "is_none_or", [closure]) => {
                let result = self.closure(*closure, std::slice::from_ref(inner));
                self.coerce(*closure, &result, &Ty::BOOL);
                if name == "filter" { own } else { Ty::BOOL }
            }
            ("map_or", [default, closure]) => {
                let ty = self.plain(*default);
                let result = self.closure(*closure, std::slice::from_ref(inner));
                self.coerce(*closure, &result, &ty);
                ty
            }
            ("map_or_else", [default, closure]) => {
                let ty = self.closure(*default, &[]);
                let result = self.closure(*closure, std::slice::from_ref(inner));
                self.coerce(*closure, &result, &ty);
                ty
            }
            ("zip", [other]) => {
                let theirs = self.fresh();
                self.coerced(*other, &Ty::Option(Box::new(theirs.clone())));
                Ty::Option(Box::new(Ty::Tuple(vec![inner.clone(), theirs])))
            }
            ("take", []) => own,
            ("replace" | "insert" | "get_or_insert", _) => return None,
            _ => return None,
        })
    }

    /// The result of a closure that gets these types.
    pub(super) fn closure(&mut self, id: ExprId, given: &[Ty]) -> Ty {
        let body = self.body;
        let Kind::Closure { params, body: inner } = &body.expr(id).kind else {
            self.plain(id);
            self.errors.refuse(self.span(id), "in kernels this argument is a closure written in place: `|x| ..`");
            return self.fresh();
        };
        if params.len() != given.len() {
            self.errors.defer(self.span(id), format!("this closure takes {} arguments here", given.len()));
        }
        for (param, ty) in params.iter().zip(given) {
            self.pat(*param, ty);
        }
        let diverged = self.diverges;
        let result = self.plain(*inner);
        self.diverges = diverged;
        self.exprs[id.0 as usize] = Some(result.clone());
        result
    }
}
