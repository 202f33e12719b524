//! Types of method calls, once the receiver is known.

use warp_ir::ir::Scalar;
use warp_ir::library::row_of;

use super::*;
use crate::front::library;

impl Infer<'_> {
    pub(super) fn method(&mut self, id: ExprId, receiver: ExprId, args: &[ExprId]) -> Ty {
        self.plain(receiver);
        let known = self.settled(receiver);
        if self.unifier.kind(&known).is_some() {
            // Arguments are visited now, for what they say about other types.
            for &arg in args {
                if !matches!(self.body.expr(arg).kind, Kind::Closure { .. }) {
                    self.plain(arg);
                }
            }
        }
        self.waiting(id, Pending::Method { id })
    }

    pub(super) fn settle_method(&mut self, id: ExprId) -> bool {
        let body = self.body;
        let Kind::Method { receiver, name, name_span, generics, args } = &body.expr(id).kind else { return true };
        let ty = self.type_of(*receiver);
        if self.unifier.kind(&ty).is_some() {
            return false;
        }
        let result = match &ty {
            Ty::Never => Some(self.fresh()),
            Ty::Option(inner) => self.option_method(inner, name, args),
            Ty::Slice { .. } | Ty::Planes { .. } | Ty::View { .. } | Ty::Array(..) => {
                self.memory_method(&ty, name, args)
            }
            other => self.value_method(id, other, name, *name_span, generics, args),
        };
        match result {
            Some(result) => self.gives(id, &result),
            None => {
                if self.asks.is_empty() {
                    let message = match (&ty, name.as_str()) {
                        (Ty::Slice { .. } | Ty::Array(..), "iter" | "iter_mut" | "into_iter") => {
                            format!("kernels have iterators in the head of `for` alone: `for x in a.{name}() {{ .. }}`")
                        }
                        (Ty::Scalar(half), _) if half.is_half() && is_of_f32(name) => {
                            let ty = self.show(&ty);
                            format!(
                                "{ty} is for storage: compute in `f32`, `x.to_f32().{name}(..)`, and convert the result back"
                            )
                        }
                        _ => format!("kernels have no method `{name}` on {}", self.show(&ty)),
                    };
                    self.errors.defer(*name_span, message);
                }
                for &arg in args {
                    if self.exprs[arg.0 as usize].is_none() {
                        self.plain(arg);
                    }
                }
                let any = self.fresh();
                self.gives(id, &any);
            }
        }
        true
    }

    fn memory_method(&mut self, ty: &Ty, name: &str, args: &[ExprId]) -> Option<Ty> {
        let element = match ty {
            Ty::Slice { element, .. } | Ty::Planes { element, .. } | Ty::View { element, .. } => (**element).clone(),
            Ty::Array(element, _) => (**element).clone(),
            _ => return None,
        };
        let rank = if let Ty::View { rank, .. } = ty { *rank } else { 1 };
        let position = if rank == 1 { Ty::Usize } else { Ty::Tuple(vec![Ty::Usize; rank as usize]) };
        match (name, args) {
            ("len", []) => Some(Ty::Usize),
            ("rows" | "cols", []) if rank > 1 => Some(Ty::Usize),
            ("is_empty", []) => Some(Ty::BOOL),
            ("shape", []) if rank > 1 => Some(Ty::Array(Box::new(Ty::Usize), rank as u64)),
            ("dim" | "extent", [k]) if rank > 1 => {
                self.coerced(*k, &Ty::Usize);
                Some(Ty::Usize)
            }
            ("get", [at]) if matches!(ty, Ty::Planes { .. } | Ty::View { .. }) => {
                self.coerced(*at, &position);
                Some(element)
            }
            ("get", [at]) => {
                self.coerced(*at, &position);
                Some(Ty::Option(Box::new(element)))
            }
            ("set", [at, value]) if matches!(ty, Ty::Planes { .. } | Ty::View { .. }) => {
                self.coerced(*at, &position);
                self.coerced(*value, &element);
                Some(Ty::Unit)
            }
            ("first" | "last", []) if matches!(ty, Ty::Slice { .. } | Ty::Array(..)) => {
                Some(Ty::Option(Box::new(element)))
            }
            ("swap", [a, b]) => {
                self.coerced(*a, &position);
                self.coerced(*b, &position);
                Some(Ty::Unit)
            }
            ("fill", [value]) if matches!(ty, Ty::Slice { .. } | Ty::Array(..)) => {
                self.coerced(*value, &element);
                Some(Ty::Unit)
            }
            ("copy_from_slice", [from]) if matches!(ty, Ty::Slice { .. } | Ty::Array(..)) => {
                let source = Ty::Slice { element: Box::new(element), mutable: false };
                self.argument(*from, &source);
                Some(Ty::Unit)
            }
            ("split_at" | "split_at_mut", [middle]) if matches!(ty, Ty::Slice { .. } | Ty::Array(..)) => {
                self.coerced(*middle, &Ty::Usize);
                let half = Ty::Slice { element: Box::new(element), mutable: name == "split_at_mut" };
                Some(Ty::Tuple(vec![half.clone(), half]))
            }
            ("clone", []) if matches!(ty, Ty::Array(..)) => Some(ty.clone()),
            _ => None,
        }
    }

    fn value_method(
        &mut self,
        id: ExprId,
        ty: &Ty,
        name: &str,
        at: Span,
        generics: &[Generic],
        args: &[ExprId],
    ) -> Option<Ty> {
        if let Some((params, result)) = super::scalar::method(ty, name) {
            self.arguments(id, name, &params, args);
            return Some(result);
        }
        if name == "clone" && args.is_empty() {
            return Some(ty.clone());
        }
        if let ("col_mut", Some((column, _))) = (name, library::column(ty)) {
            self.arguments(id, name, &[Ty::Usize], args);
            return Some(column);
        }
        if let Some((params, result)) = vector_method(ty, name) {
            self.arguments(id, name, &params, args);
            return Some(result);
        }
        let function = self.find_method(ty, name, at)?;
        Some(self.method_call(id, function, ty, generics, args))
    }
}

/// Methods of vectors that lowering writes out: few and hot.
pub(crate) fn vector_method(ty: &Ty, name: &str) -> Option<(Vec<Ty>, Ty)> {
    let (component, n) = library::vector(ty)?;
    let own = ty.clone();
    let float = component.is_float();
    Some(match (name, n) {
        ("dot", _) => (vec![own], component),
        ("cross", 3) if float => (vec![own.clone()], own),
        ("length", _) if float => (vec![], component),
        ("length_squared", _) if float => (vec![], component),
        ("to_array", _) => (vec![], Ty::Array(Box::new(component), n as u64)),
        _ => (vec![], library::vector_of(component.scalar()?, swizzle(name, n)?.len())?),
    })
}

/// The components that a name like `zyx` picks.
pub(crate) fn swizzle(name: &str, n: usize) -> Option<Vec<usize>> {
    let picked: Option<Vec<usize>> = name.chars().map(|c| "xyzw"[..n].find(c)).collect();
    picked.filter(|list| (2..=4).contains(&list.len()))
}

/// Whether `f32` has the method.
fn is_of_f32(name: &str) -> bool {
    row_of(Scalar::F32, name).is_some() || library::function("f32", name).is_some()
}
