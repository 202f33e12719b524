//! Comparisons of whole values, as derived: part by part.

use warp_ir::ir::{Scalar, Value};

use super::Lower;
use crate::front::ast::Binary;
use crate::front::types::Ty;

impl Lower<'_> {
    /// `a == b`.
    pub(super) fn equal(&mut self, ty: &Ty, a: &[Value], b: &[Value]) -> Value {
        let mut all: Option<Value> = None;
        for (of, range) in self.components(ty) {
            let same = match &of {
                Ty::Option(inner) => {
                    let (a, b) = (&a[range.clone()], &b[range]);
                    let flags = self.b.eq(a[0], b[0]);
                    let values = self.equal(inner, &a[1..], &b[1..]);
                    let none = self.b.not(a[0]);
                    let values = self.b.or(none, values);
                    self.b.and(flags, values)
                }
                _ => {
                    let (a, b) = self.widened(a[range.start], b[range.start]);
                    self.b.eq(a, b)
                }
            };
            all = Some(match all {
                Some(all) => self.b.and(all, same),
                None => same,
            });
        }
        all.unwrap_or_else(|| self.b.bool(true))
    }

    /// A comparison operator.
    pub(super) fn compare(&mut self, op: Binary, ty: &Ty, a: &[Value], b: &[Value]) -> Value {
        match op {
            Binary::Eq => self.equal(ty, a, b),
            Binary::Ne if ty.scalar().is_some_and(|s| !s.is_half()) => self.b.ne(a[0], b[0]),
            Binary::Ne => {
                let same = self.equal(ty, a, b);
                self.b.not(same)
            }
            Binary::Lt => self.ordered(ty, a, b, false),
            Binary::Le => self.ordered(ty, a, b, true),
            Binary::Gt => self.ordered(ty, b, a, false),
            _ => self.ordered(ty, b, a, true),
        }
    }

    /// `a < b`, or `a <= b`: the first parts that differ decide.
    fn ordered(&mut self, ty: &Ty, a: &[Value], b: &[Value], or_equal: bool) -> Value {
        let parts = self.components(ty);
        let mut result: Option<Value> = None;
        for (of, range) in parts.into_iter().rev() {
            let (a, b) = (&a[range.clone()], &b[range]);
            result = Some(match (&of, result) {
                (Ty::Option(inner), rest) => {
                    // `None` comes first.
                    let rest = rest.unwrap_or_else(|| self.b.bool(or_equal));
                    let inside = self.ordered(inner, &a[1..], &b[1..], false);
                    let same = self.equal(inner, &a[1..], &b[1..]);
                    let tied = self.b.and(same, rest);
                    let both = self.b.or(inside, tied);
                    let with_some = self.b.and(b[0], both);
                    let without = self.b.not(b[0]);
                    let equal_none = self.b.and(without, rest);
                    let with_none = self.b.or(b[0], equal_none);
                    self.b.select(a[0], with_some, with_none)
                }
                (_, None) => {
                    let (a, b) = self.widened(a[0], b[0]);
                    if or_equal { self.b.le(a, b) } else { self.b.lt(a, b) }
                }
                (_, Some(rest)) => {
                    let (a, b) = self.widened(a[0], b[0]);
                    let (less, same) = (self.b.lt(a, b), self.b.eq(a, b));
                    let tied = self.b.and(same, rest);
                    self.b.or(less, tied)
                }
            });
        }
        result.unwrap_or_else(|| self.b.bool(or_equal))
    }

    /// The parts of a type that are compared one by one: scalars and options.
    fn components(&self, ty: &Ty) -> Vec<(Ty, std::ops::Range<usize>)> {
        let mut parts = vec![];
        self.collect_components(ty, &mut 0, &mut parts);
        parts
    }

    fn collect_components(&self, ty: &Ty, at: &mut usize, parts: &mut Vec<(Ty, std::ops::Range<usize>)>) {
        match ty {
            Ty::Tuple(list) => list.iter().for_each(|t| self.collect_components(t, at, parts)),
            Ty::Array(element, len) => (0..*len).for_each(|_| self.collect_components(element, at, parts)),
            Ty::Struct(..) => {
                for (_, field) in self.names.fields(ty).unwrap_or_default() {
                    self.collect_components(&field, at, parts);
                }
            }
            other => {
                let count = self.count(other);
                if count > 0 {
                    parts.push((other.clone(), *at..*at + count));
                }
                *at += count;
            }
        }
    }

    /// Half floats are compared as `f32`.
    fn widened(&mut self, a: Value, b: Value) -> (Value, Value) {
        if self.b.scalar(a).is_half() {
            return (self.b.cast(Scalar::F32, a), self.b.cast(Scalar::F32, b));
        }
        (a, b)
    }
}
