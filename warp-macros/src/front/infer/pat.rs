//! Types of patterns.

use super::*;

impl Infer<'_> {
    /// A pattern that a value of type `ty` meets.
    pub(super) fn pat(&mut self, id: PatId, ty: &Ty) {
        let body = self.body;
        let pat = body.pat(id);
        match &pat.kind {
            PatKind::Wild | PatKind::Rest | PatKind::Bad => {}
            PatKind::Bind { var, sub } => {
                let known = self.vars[var.0 as usize].clone();
                self.equal(pat.span, ty, &known);
                if let Some(sub) = sub {
                    self.pat(*sub, ty);
                }
            }
            PatKind::Value(value) => {
                self.coerced(*value, ty);
            }
            PatKind::Range { start, end, .. } => {
                for bound in [start, end].into_iter().flatten() {
                    self.coerced(*bound, ty);
                }
            }
            PatKind::Tuple(list) => self.tuple_pat(pat, list, ty),
            PatKind::List(list) => {
                let whole = list.iter().all(|p| !matches!(body.pat(*p).kind, PatKind::Rest));
                let element = match self.unifier.shallow(ty) {
                    Ty::Array(element, len) => {
                        if whole {
                            // Another number is rustc's to report.
                            self.unifier.unify_lengths(len, list.len() as u64);
                        }
                        *element
                    }
                    _ => {
                        let element = self.fresh();
                        let array = Ty::Array(Box::new(element.clone()), list.len() as u64);
                        self.equal(pat.span, ty, &array);
                        element
                    }
                };
                for &p in list {
                    self.pat(p, &element);
                }
            }
            PatKind::Struct { ty: named, fields } => {
                let named = self.open(named);
                self.equal(pat.span, ty, &named);
                let known = self.names.fields(&named).unwrap_or_default();
                for (name, p) in fields {
                    match known.iter().find(|(n, _)| n == name) {
                        Some((_, field)) => self.pat(*p, field),
                        None => {
                            let message = format!("{} has no field `{name}`", self.show(&named));
                            self.errors.defer(pat.span, message);
                        }
                    }
                }
            }
            PatKind::None => {
                let any = Ty::Option(Box::new(self.fresh()));
                self.equal(pat.span, ty, &any);
            }
            PatKind::Some(p) => {
                let inner = match self.unifier.shallow(ty) {
                    Ty::Option(inner) => *inner,
                    _ => {
                        let inner = self.fresh();
                        self.equal(pat.span, ty, &Ty::Option(Box::new(inner.clone())));
                        inner
                    }
                };
                self.pat(*p, &inner);
            }
            PatKind::Or(list) => {
                for &p in list {
                    self.pat(p, ty);
                }
            }
            PatKind::Reference(p) => self.pat(*p, ty),
            PatKind::Typed(p, named) => {
                let named = self.open(named);
                self.equal(pat.span, ty, &named);
                self.pat(*p, ty);
            }
        }
    }

    fn tuple_pat(&mut self, pat: &Pat, list: &[PatId], ty: &Ty) {
        let rest = list.iter().position(|p| matches!(self.body.pat(*p).kind, PatKind::Rest));
        let types = match self.unifier.shallow(ty) {
            Ty::Tuple(types) => types,
            _ if rest.is_none() => {
                let types: Vec<Ty> = list.iter().map(|_| self.fresh()).collect();
                self.equal(pat.span, ty, &Ty::Tuple(types.clone()));
                types
            }
            other => {
                let message = format!("expected a tuple, found {}", self.show(&other));
                self.errors.defer(pat.span, message);
                return;
            }
        };
        match tuple_positions(list.len(), rest, types.len()) {
            Some(positions) => {
                for (k, at) in positions {
                    self.pat(list[k], &types[at]);
                }
            }
            None => self
                .errors
                .defer(pat.span, format!("a pattern with {} parts meets a tuple with {}", list.len(), types.len())),
        }
    }
}

/// Which part of a tuple each pattern meets, around one `..` at `rest`.
pub(crate) fn tuple_positions(patterns: usize, rest: Option<usize>, parts: usize) -> Option<Vec<(usize, usize)>> {
    match rest {
        None => (patterns == parts).then(|| (0..parts).map(|k| (k, k)).collect()),
        Some(rest) => {
            let named = patterns - 1;
            let skipped = parts.checked_sub(named)?;
            Some(
                (0..patterns).filter(|k| *k != rest).map(|k| (k, if k < rest { k } else { k - 1 + skipped })).collect(),
            )
        }
    }
}
