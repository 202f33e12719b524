//! What loops walk over.

use super::*;

impl Infer<'_> {
    /// The type of the items.
    pub(super) fn iter(&mut self, at: ExprId, iter: &Iter) -> Ty {
        match iter {
            Iter::Range { start, end, .. } => {
                let first = self.plain(*start);
                if let Some(end) = *end {
                    let last = self.expr(end, Expect::Has(first.clone()));
                    self.coerce(end, &last, &first);
                }
                first
            }
            Iter::Rev(inner) => self.iter(at, inner),
            Iter::StepBy(inner, n) | Iter::Take(inner, n) | Iter::Skip(inner, n) => {
                let item = self.iter(at, inner);
                self.coerced(*n, &Ty::Usize);
                item
            }
            Iter::Enumerate(inner) => Ty::Tuple(vec![Ty::Usize, self.iter(at, inner)]),
            Iter::Zip(a, b) => {
                let first = self.iter(at, a);
                Ty::Tuple(vec![first, self.iter(at, b)])
            }
            Iter::Elements { place, .. } => {
                self.plain(*place);
                self.elements(*place)
            }
            Iter::Value(value) => {
                self.plain(*value);
                match self.settled(*value) {
                    Ty::Struct(owner) => self.next_of(at, *value, &owner),
                    _ => self.elements(*value),
                }
            }
        }
    }

    fn elements(&mut self, place: ExprId) -> Ty {
        match self.settled(place) {
            Ty::Slice { element, .. } | Ty::Array(element, _) | Ty::Planes { element, .. } => *element,
            other => {
                let message = format!(
                    "kernels loop over ranges, slices, arrays, and structs with a `next` method; this is {}",
                    self.show(&other)
                );
                self.errors.defer(self.span(place), message);
                self.fresh()
            }
        }
    }

    fn next_of(&mut self, at: ExprId, value: ExprId, owner: &str) -> Ty {
        let Some(function) = self.find_method(&Ty::Struct(owner.into()), "next", self.span(value)) else {
            return self.fresh();
        };
        let item = match Ty::from_type(&function.result) {
            Ty::Option(item) => *item,
            _ => {
                self.errors.defer(self.span(value), "the `next` method of what a loop walks over gives an `Option`");
                self.fresh()
            }
        };
        self.nexts.insert(at, function);
        item
    }
}
