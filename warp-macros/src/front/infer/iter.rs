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
            Iter::Rev(inner) => self.adapted(at, inner),
            Iter::StepBy(inner, n) | Iter::Take(inner, n) | Iter::Skip(inner, n) => {
                let item = self.adapted(at, inner);
                self.coerced(*n, &Ty::Usize);
                item
            }
            Iter::Enumerate(inner) => Ty::Tuple(vec![Ty::Usize, self.adapted(at, inner)]),
            Iter::Zip(a, b) => {
                let first = self.adapted(at, a);
                Ty::Tuple(vec![first, self.adapted(at, b)])
            }
            Iter::Elements { place, .. } => {
                self.plain(*place);
                self.elements(*place)
            }
            Iter::Chunks { place, size, mutable } => {
                self.plain(*place);
                let element = self.elements(*place);
                self.coerced(*size, &Ty::Usize);
                Ty::Slice { element: Box::new(element), mutable: *mutable }
            }
            Iter::Value(value) => {
                self.plain(*value);
                match self.settled(*value) {
                    owner @ Ty::Struct(..) => self.next_of(at, *value, &owner),
                    _ => self.elements(*value),
                }
            }
        }
    }

    /// The type of the items of what an adaptor takes. How often a struct with `next` has an item is known only when
    /// it has been asked, so it takes no adaptors.
    fn adapted(&mut self, at: ExprId, iter: &Iter) -> Ty {
        if let Iter::Value(value) = iter {
            self.plain(*value);
            if let Ty::Struct(..) = self.settled(*value) {
                let message = "a struct with a `next` method is walked as it is, without `enumerate`, `rev`, `zip`, `take`, \
                               `skip` or `step_by`: count in the loop, or call `next` in a `while let`";
                self.errors.refuse(self.span(*value), message);
                return self.fresh();
            }
            return self.elements(*value);
        }
        self.iter(at, iter)
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

    fn next_of(&mut self, at: ExprId, value: ExprId, owner: &Ty) -> Ty {
        let Some(function) = self.find_method(owner, "next", self.span(value)) else {
            return self.fresh();
        };
        let instance = self.instance(&function, &[]);
        if let Some(of_block) = &function.owner {
            self.equal(self.span(value), owner, &Ty::of(of_block, &instance));
        }
        let item = match Ty::of(&function.result, &instance) {
            Ty::Option(item) => *item,
            _ => {
                self.errors.defer(self.span(value), "the `next` method of what a loop walks over gives an `Option`");
                self.fresh()
            }
        };
        self.nexts.insert(at, function);
        if !instance.is_empty() {
            self.next_instances.insert(at, instance);
        }
        item
    }
}
