//! Vectors: their constructors, and the few methods that are written out, in glam's order of operations.

use warp_ir::ir::Value;

use super::Lower;
use crate::front::ast::*;
use crate::front::infer::swizzle;
use crate::front::types::Ty;

impl Lower<'_> {
    /// `Vec3::new`, `splat`, `from_array`.
    pub(super) fn vector_constructor(&mut self, ty: &Ty, name: &str, args: &[ExprId]) -> Vec<Value> {
        let n = self.count(ty);
        let values: Vec<Value> = args
            .iter()
            .flat_map(|&arg| {
                let of = self.ty(arg).clone();
                self.value(arg, &of)
            })
            .collect();
        match name {
            "splat" => vec![values[0]; n],
            _ => values,
        }
    }

    /// A method of a vector that lowering writes out.
    pub(super) fn vector_method(&mut self, ty: &Ty, name: &str, own: &[Value], args: &[ExprId]) -> Vec<Value> {
        match name {
            "to_array" => own.to_vec(),
            "length" => {
                let squared = self.dot(own, own);
                vec![self.b.sqrt(squared)]
            }
            "length_squared" => vec![self.dot(own, own)],
            _ if args.is_empty() => {
                let picked = swizzle(name, own.len()).unwrap_or_default();
                picked.into_iter().map(|k| own[k]).collect()
            }
            _ => {
                let other = self.value(args[0], ty);
                if name == "dot" { vec![self.dot(own, &other)] } else { self.cross(own, &other) }
            }
        }
    }

    fn dot(&mut self, a: &[Value], b: &[Value]) -> Value {
        let products: Vec<Value> = a.iter().zip(b).map(|(&a, &b)| self.b.mul(a, b)).collect();
        let mut sum = products[0];
        for &product in &products[1..] {
            sum = self.b.add(sum, product);
        }
        sum
    }

    fn cross(&mut self, a: &[Value], b: &[Value]) -> Vec<Value> {
        let (a, b) = ([a[0], a[1], a[2]], [b[0], b[1], b[2]]);
        [(1, 2), (2, 0), (0, 1)]
            .into_iter()
            .map(|(i, j)| {
                let (plus, minus) = (self.b.mul(a[i], b[j]), self.b.mul(b[i], a[j]));
                self.b.sub(plus, minus)
            })
            .collect()
    }
}
