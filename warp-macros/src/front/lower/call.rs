//! Calls: of functions by linking, of what lowering knows itself in place.

use warp_ir::ir::{ArrayArg, Scalar, SourceId, Value};

use super::Lower;
use super::builtin::{self, Free};
use super::memory::Memory;
use super::place::Place;
use crate::env::Type;
use crate::front::ast::*;
use crate::front::infer::{FunctionUse, vector_method};
use crate::front::types::Ty;

/// What a method of arrays works on.
enum Target {
    Memory(Memory),
    Array(Place),
    Nothing,
}

impl Lower<'_> {
    /// Emits a call; gives the function's value, then what its `&mut` parameters hold.
    pub(super) fn emit_call(
        &mut self,
        function: &FunctionUse,
        args: &[Value],
        arrays: Vec<ArrayArg>,
        source: SourceId,
    ) -> Vec<Value> {
        let callee = self.b.callee(&function.id, &function.name);
        if callee.0 as usize == self.calls.len() {
            self.calls.push(function.how.clone());
        }
        let mut results = self.leaves(&Ty::from_type(&function.result));
        for param in &function.params {
            if let Type::MutRef(inner) = param {
                results.extend(self.leaves(&Ty::from_type(inner)));
            }
        }
        self.b.call(callee, args, arrays, &results, source)
    }

    pub(super) fn call(&mut self, id: ExprId, callee: &Callee, args: &[ExprId]) -> Vec<Value> {
        if self.typed.functions.contains_key(&id) {
            return self.function_of(id, args);
        }
        match callee {
            Callee::Func { .. } => vec![],
            Callee::Builtin { name, .. } => match builtin::free(name) {
                Some(Free::Tid(n)) => self.tid(id, n),
                Some(Free::Atomic(kind)) => self.atomic(id, kind, args),
                Some(Free::Detach) => self.detach(args[0]),
                Some(Free::ClampBounds) => {
                    let (low, high) = (self.scalar(args[0]), self.scalar(args[1]));
                    self.check_bounds(id, low, high);
                    vec![]
                }
                None => vec![],
            },
            Callee::Assoc { ty, name, .. } => self.assoc(id, ty, name, args),
        }
    }

    fn assoc(&mut self, id: ExprId, ty: &Ty, name: &str, args: &[ExprId]) -> Vec<Value> {
        if self.is_vector(ty) {
            return self.vector_constructor(ty, name, args);
        }
        let Some(scalar) = ty.scalar() else { return vec![] };
        if name == "from_bits" {
            let bits = self.scalar(args[0]);
            return vec![self.b.bitcast(scalar, bits)];
        }
        if name.starts_with("from") {
            let from = self.scalar(args[0]);
            return vec![self.b.cast(scalar, from)];
        }
        let own = self.value(args[0], ty);
        self.scalar_method(id, ty, name, own[0], &args[1..])
    }

    pub(super) fn method(&mut self, id: ExprId, receiver: ExprId, name: &str, args: &[ExprId]) -> Vec<Value> {
        if self.typed.functions.contains_key(&id) {
            let mut all = vec![receiver];
            all.extend(args);
            return self.function_of(id, &all);
        }
        let ty = self.ty(receiver).clone();
        match &ty {
            Ty::Option(inner) => self.option_method(id, receiver, inner, name, args),
            Ty::Slice { .. } | Ty::Planes { .. } | Ty::View { .. } | Ty::Array(..) => {
                self.memory_method(id, receiver, name, args)
            }
            _ if name == "clone" => self.value(receiver, &ty),
            _ if self.is_column(id) => {
                let place = self.column(id, receiver, args[0]);
                self.read(&place)
            }
            _ if vector_method(&ty, name).is_some() => {
                let own = self.value(receiver, &ty);
                self.vector_method(&ty, name, &own, args)
            }
            _ if ty.scalar().is_some() => {
                let own = self.scalar(receiver);
                self.scalar_method(id, &ty, name, own, args)
            }
            _ => {
                let result = self.ty(id).clone();
                self.zeros(&result)
            }
        }
    }

    fn memory_method(&mut self, id: ExprId, receiver: ExprId, name: &str, args: &[ExprId]) -> Vec<Value> {
        let ty = self.ty(receiver).clone();
        match name {
            "len" | "is_empty" => {
                let len = self.len_of(receiver, &ty);
                if name == "len" {
                    return vec![len];
                }
                let zero = self.b.u64(0);
                vec![self.b.eq(len, zero)]
            }
            "clone" => self.value(receiver, &ty),
            "shape" => self.extents(receiver),
            "rows" => self.extents(receiver)[..1].to_vec(),
            "cols" => self.extents(receiver)[1..2].to_vec(),
            "dim" | "extent" => {
                let shape = self.extents(receiver);
                match self.body.expr(args[0]).kind {
                    Kind::Int { value, .. } if (value as usize) < shape.len() => vec![shape[value as usize]],
                    _ => {
                        let span = self.body.expr(args[0]).span;
                        self.errors.refuse(span, "the dimension of a view is named by a literal, from 0");
                        vec![shape.first().copied().unwrap_or_else(|| self.b.u64(0))]
                    }
                }
            }
            "get" => {
                let target = self.target(receiver);
                let position = self.expr(args[0]);
                self.get(id, &target, &ty, &position)
            }
            "first" | "last" => {
                let target = self.target(receiver);
                let zero = self.b.u64(0);
                let one = self.b.u64(1);
                let len = self.target_len(&target, &ty);
                // Of nothing, the last is beyond the end as well.
                let position = if name == "first" { zero } else { self.b.sub(len, one) };
                self.get(id, &target, &ty, &[position])
            }
            "set" => {
                let target = self.target(receiver);
                let position = self.expr(args[0]);
                let element = self.ty(args[1]).clone();
                let values = self.value(args[1], &element);
                let place = self.at_position(id, &target, &ty, &position);
                self.write(&place, &values);
                vec![]
            }
            "swap" => {
                let target = self.target(receiver);
                let (a, b) = (self.expr(args[0]), self.expr(args[1]));
                let first = self.at_position(id, &target, &ty, &a);
                let second = self.at_position(id, &target, &ty, &b);
                let (x, y) = (self.read(&first), self.read(&second));
                self.write(&first, &y);
                self.write(&second, &x);
                vec![]
            }
            "fill" if matches!(ty, Ty::Array(..)) => self.fill(receiver, args[0]),
            _ => {
                let (Ty::Slice { element, .. } | Ty::Array(element, _)) = &ty else { return vec![] };
                match name {
                    "fill" => self.fill_slice(id, receiver, args[0], element),
                    "copy_from_slice" => self.copy_from_slice(id, receiver, args[0], element),
                    _ => {
                        let message = "kernels take the two halves of a slice apart at once: `let (a, b) = \
                                       slice.split_at_mut(middle);`";
                        self.errors.refuse(self.body.expr(id).span, message);
                        vec![]
                    }
                }
            }
        }
    }

    fn fill(&mut self, receiver: ExprId, value: ExprId) -> Vec<Value> {
        let ty = self.ty(receiver).clone();
        let Ty::Array(element, len) = &ty else { return vec![] };
        let place = self.place(receiver);
        let one = self.value(value, element);
        let all: Vec<Value> = one.iter().copied().cycle().take(one.len() * *len as usize).collect();
        self.write(&place, &all);
        vec![]
    }

    fn len_of(&mut self, receiver: ExprId, ty: &Ty) -> Value {
        match ty {
            Ty::Array(_, len) => {
                // Its indexes are checked, and what it does is done.
                self.place(receiver);
                self.b.u64(*len)
            }
            Ty::View { .. } => {
                let extents = self.extents(receiver);
                let mut product = extents[0];
                for &extent in &extents[1..] {
                    product = self.b.mul(product, extent);
                }
                product
            }
            _ => match self.wanted(receiver) {
                Some(memory) => self.memory_len(&memory),
                None => self.b.u64(0),
            },
        }
    }

    fn extents(&mut self, receiver: ExprId) -> Vec<Value> {
        use warp_ir::ir::Mem;
        let Ty::View { rank, .. } = *self.ty(receiver) else { return vec![self.b.u64(0)] };
        match self.wanted(receiver) {
            Some(Memory::Whole { mem: Mem::Array(array), .. }) => (0..rank).map(|d| self.b.extent(array, d)).collect(),
            _ => vec![self.b.u64(0); rank as usize],
        }
    }

    /// `a.get(i)`: an option on slices and arrays, the element itself on planes and views.
    fn get(&mut self, id: ExprId, target: &Target, ty: &Ty, position: &[Value]) -> Vec<Value> {
        let Ty::Option(element) = self.ty(id).clone() else {
            let place = self.at_position(id, target, ty, position);
            return self.read(&place);
        };
        let len = self.target_len(target, ty);
        let inside = self.b.lt(position[0], len);
        let some = Ty::Option(element);
        let found = |l: &mut Self| {
            let place = l.at_position(id, target, ty, position);
            let mut all = vec![l.b.bool(true)];
            all.extend(l.read(&place));
            all
        };
        self.either(inside, &some, found, |l| l.zeros(&some))
    }

    /// How many elements a method of slices and arrays works on.
    fn target_len(&mut self, target: &Target, ty: &Ty) -> Value {
        match (target, ty) {
            (_, Ty::Array(_, len)) => self.b.u64(*len),
            (Target::Memory(memory), _) => self.memory_len(memory),
            _ => self.b.u64(0),
        }
    }

    /// What a method of arrays works on; its indexes and bounds are evaluated here, once.
    fn target(&mut self, receiver: ExprId) -> Target {
        if let Ty::Array(..) = self.ty(receiver) {
            return Target::Array(self.place(receiver));
        }
        self.wanted(receiver).map_or(Target::Nothing, Target::Memory)
    }

    fn at_position(&mut self, id: ExprId, target: &Target, ty: &Ty, position: &[Value]) -> Place {
        match (ty, target) {
            (Ty::View { element, rank, .. }, Target::Memory(Memory::Whole { mem, .. })) => {
                self.view_element(id, *mem, *rank, position, (**element).clone())
            }
            (Ty::Array(element, len), Target::Array(place)) => {
                self.computed_element(id, place.clone(), *len, position[0], (**element).clone())
            }
            (Ty::Slice { element, .. } | Ty::Planes { element, .. }, Target::Memory(memory)) => {
                self.check_against(id, memory, position[0]);
                self.element(memory, position[0], (**element).clone(), id)
            }
            (Ty::View { element, .. } | Ty::Slice { element, .. } | Ty::Planes { element, .. }, _) => {
                self.nothing(id, element)
            }
            (other, _) => self.nothing(id, other),
        }
    }

    /// Bits of a float as an integer.
    pub(super) fn bits_of(&mut self, value: Value) -> Value {
        let to = match self.b.scalar(value) {
            Scalar::F64 => Scalar::U64,
            Scalar::F16 | Scalar::BF16 => Scalar::U16,
            _ => Scalar::U32,
        };
        self.b.bitcast(to, value)
    }
}
