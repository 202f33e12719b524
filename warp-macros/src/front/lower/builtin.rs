//! The builtin free functions: thread numbers, atomics, and values without a derivative.

use warp_ir::ir::{AtomicKind, Mem, Scalar, Value};

use super::Lower;
use super::place::Place;
use crate::front::ast::*;
use crate::front::types::Ty;

/// A builtin free function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Free {
    /// `tid()`, `tid2()`..: with so many dimensions.
    Tid(u8),
    Atomic(AtomicKind),
    /// `detach(x)`: a value that counts as a constant for gradients.
    Detach,
    /// The library's check that bounds do not cross.
    ClampBounds,
}

/// A builtin by its original name.
pub(crate) fn free(name: &str) -> Option<Free> {
    Some(match name {
        "clamp_bounds" => Free::ClampBounds,
        "detach" => Free::Detach,
        "tid" => Free::Tid(1),
        "tid2" => Free::Tid(2),
        "tid3" => Free::Tid(3),
        "tid4" => Free::Tid(4),
        "atomic_add" => Free::Atomic(AtomicKind::Add),
        "atomic_sub" => Free::Atomic(AtomicKind::Sub),
        "atomic_min" => Free::Atomic(AtomicKind::Min),
        "atomic_max" => Free::Atomic(AtomicKind::Max),
        "atomic_and" => Free::Atomic(AtomicKind::And),
        "atomic_or" => Free::Atomic(AtomicKind::Or),
        "atomic_xor" => Free::Atomic(AtomicKind::Xor),
        "atomic_exchange" => Free::Atomic(AtomicKind::Exchange),
        "atomic_compare_exchange" => Free::Atomic(AtomicKind::CompareExchange),
        _ => return None,
    })
}

/// Operands after the place.
pub(crate) fn atomic_operands(kind: AtomicKind) -> usize {
    if kind == AtomicKind::CompareExchange { 2 } else { 1 }
}

impl Lower<'_> {
    pub(super) fn tid(&mut self, id: ExprId, dims: u8) -> Vec<Value> {
        let span = self.body.expr(id).span;
        if !self.kernel {
            let sentence = "only kernels know their thread: pass the number to this function as an argument";
            self.errors.refuse(span, sentence);
        }
        if self.rank != 0 && self.rank != dims {
            let sentence = "a kernel is launched in as many dimensions as its `tid` has: use one of `tid`, `tid2`, \
                            `tid3`, `tid4` throughout";
            self.errors.refuse(span, sentence);
        }
        self.rank = dims;
        (0..dims).map(|dim| self.b.tid(dim)).collect()
    }

    /// `detach(value)`: what no derivative is by.
    pub(super) fn detach(&mut self, arg: ExprId) -> Vec<Value> {
        let ty = self.ty(arg).clone();
        if matches!(ty, Ty::Slice { .. } | Ty::Planes { .. } | Ty::View { .. } | Ty::Bundle(_)) {
            let sentence = "`detach` takes a value, not memory: wrap the elements where they are read, `detach(a[i])`";
            self.errors.refuse(self.body.expr(arg).span, sentence);
            return self.zeros(&ty);
        }
        let values = self.value(arg, &ty);
        let is_float = |v: &&Value| {
            let scalar = self.b.scalar(**v);
            scalar.is_float() || scalar.is_half()
        };
        let floats: Vec<Value> = values.iter().filter(is_float).copied().collect();
        if floats.is_empty() {
            return values;
        }
        let scalars: Vec<Scalar> = floats.iter().map(|&v| self.b.scalar(v)).collect();
        self.b.open(&scalars);
        let nothing = self.b.close(&[]);
        let mut handed = self.b.push_custom(&floats, &[], nothing).into_iter();
        let mut left = floats.iter().peekable();
        // Floats come in their order; one value may stand twice.
        let of = |value: Value| match left.next_if(|&&float| float == value) {
            Some(_) => handed.next().unwrap_or(value),
            None => value,
        };
        values.into_iter().map(of).collect()
    }

    /// `atomic_add(&mut place, value)`; gives the old value.
    pub(super) fn atomic(&mut self, id: ExprId, kind: AtomicKind, args: &[ExprId]) -> Vec<Value> {
        let ty = self.ty(args[0]).clone();
        let mut place = None;
        let mut operands: Vec<Vec<Value>> = vec![vec![]; args.len() - 1];
        for k in self.order_of(args) {
            match k {
                0 => place = Some(self.place(args[0])),
                k => operands[k - 1] = self.value(args[k], &ty),
            }
        }
        let Some(place) = place.filter(Place::is_memory) else {
            let sentence =
                "an atomic works on an element of an array, or a part of one: `atomic_add(&mut total[0], x)`";
            self.errors.refuse(self.body.expr(id).span, sentence);
            return self.zeros(&ty);
        };
        if self.effects.references.is_handed_back(self.body, args[0]) {
            let sentence = "an atomic works on memory that threads share, and a `&mut` to a value is a copy that goes \
                            back when the function ends: take the array as a slice, `&mut [T]`, and the index";
            self.errors.refuse(self.body.expr(id).span, sentence);
            return self.zeros(&ty);
        }
        if !self.atomic_fits(id, kind, &ty) {
            return self.zeros(&ty);
        }
        self.atomic_at(kind, &place, &ty, &operands)
    }

    fn atomic_at(&mut self, kind: AtomicKind, place: &Place, ty: &Ty, operands: &[Vec<Value>]) -> Vec<Value> {
        match place {
            Place::Memory { mem, index, leaf, .. } => {
                let leaves = self.count(ty);
                (0..leaves).map(|k| self.atomic_leaf(kind, *mem, *index, leaf + k, k, operands)).collect()
            }
            Place::Element { count, .. } if *count > 0 => self.atomic_component(kind, place, 0..*count, operands),
            // Its check has failed.
            _ => self.zeros(ty),
        }
    }

    /// One of the components `range` of an element, found by halves.
    fn atomic_component(
        &mut self,
        kind: AtomicKind,
        place: &Place,
        range: std::ops::Range<usize>,
        operands: &[Vec<Value>],
    ) -> Vec<Value> {
        let Place::Element { base, index, stride, at, ty, .. } = place else { return vec![] };
        if range.len() < 2 {
            let one = base.as_ref().clone().part(range.start * stride + at, self.count(ty), ty.clone());
            return self.atomic_at(kind, &one, ty, operands);
        }
        let middle = range.start + range.len() / 2;
        let number = self.b.u64(middle as u64);
        let lower_half = self.b.lt(*index, number);
        let half = |range: std::ops::Range<usize>| {
            move |lower: &mut Self| lower.atomic_component(kind, place, range, operands)
        };
        self.either(lower_half, ty, half(range.start..middle), half(middle..range.end))
    }

    fn atomic_leaf(
        &mut self,
        kind: AtomicKind,
        mem: Mem,
        index: Value,
        leaf: usize,
        k: usize,
        operands: &[Vec<Value>],
    ) -> Value {
        match (kind, operands) {
            (AtomicKind::CompareExchange, [compare, value]) => {
                self.b.compare_exchange(mem, index, leaf as u16, compare[k], value[k])
            }
            (_, operands) => self.b.atomic(kind, mem, index, leaf as u16, operands[0][k]),
        }
    }

    fn atomic_fits(&mut self, id: ExprId, kind: AtomicKind, ty: &Ty) -> bool {
        use AtomicKind::*;
        let component_wise = matches!(kind, Add | Sub) && self.is_vector(ty);
        let fits = component_wise
            || ty.scalar().is_some_and(|s| match kind {
                And | Or | Xor => s.is_int(),
                Add | Sub | Min | Max => s.is_int() || s.is_float(),
                Exchange | CompareExchange => s.is_int() || s.is_float(),
            });
        if !fits {
            let span = self.body.expr(id).span;
            let message = format!(
                "this atomic does not work on `{}`: atomics take integers, `f32` and `f64`; `atomic_add` and \
                 `atomic_sub` take vectors too, component by component",
                self.names.display(ty)
            );
            self.errors.refuse(span, message);
        }
        fits
    }
}
