//! Constants: those of the primitive and vector types have known values, all others are holes that rustc fills.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use warp_ir::ir::Scalar;

use super::Parser;
use super::path::is_screaming;
use crate::front::ast::*;
use crate::front::text::identifiers;
use crate::front::types::Ty;

/// The value of `f32::MAX`, `i32::MIN`, `f32::consts::PI`..: its type and bits.
pub(crate) fn primitive_constant(owner: &Ty, group: &str, name: &str) -> Option<(Ty, u64)> {
    let scalar = owner.scalar()?;
    let float = |x: f64| match scalar {
        Scalar::F32 => Some((x as f32).to_bits() as u64),
        Scalar::F64 => Some(x.to_bits()),
        _ => None,
    };
    let bits = match (group, scalar.is_int()) {
        ("consts", _) => float(named_number(name)?),
        (_, true) => match name {
            "MAX" if scalar.is_signed() => Some(scalar.mask() >> 1),
            "MAX" => Some(scalar.mask()),
            "MIN" if scalar.is_signed() => Some((scalar.mask() >> 1) + 1),
            "MIN" | "ZERO" => Some(0),
            "ONE" => Some(1),
            "BITS" => return Some((Ty::U32, scalar.bits() as u64)),
            _ => None,
        },
        _ => match (name, scalar) {
            ("ZERO", _) => float(0.0),
            ("ONE", _) => float(1.0),
            ("INFINITY", _) => float(f64::INFINITY),
            ("NEG_INFINITY", _) => float(f64::NEG_INFINITY),
            ("NAN", _) => float(f64::NAN),
            ("MAX", Scalar::F32) => float(f32::MAX as f64),
            ("MIN", Scalar::F32) => float(f32::MIN as f64),
            ("EPSILON", Scalar::F32) => float(f32::EPSILON as f64),
            ("MIN_POSITIVE", Scalar::F32) => float(f32::MIN_POSITIVE as f64),
            ("MAX", Scalar::F64) => float(f64::MAX),
            ("MIN", Scalar::F64) => float(f64::MIN),
            ("EPSILON", Scalar::F64) => float(f64::EPSILON),
            ("MIN_POSITIVE", Scalar::F64) => float(f64::MIN_POSITIVE),
            _ => None,
        },
    };
    Some((owner.clone(), bits?))
}

fn named_number(name: &str) -> Option<f64> {
    use std::f64::consts::*;
    Some(match name {
        "PI" => PI,
        "TAU" => TAU,
        "E" => E,
        "SQRT_2" => SQRT_2,
        "FRAC_1_SQRT_2" => FRAC_1_SQRT_2,
        "FRAC_1_PI" => FRAC_1_PI,
        "FRAC_2_PI" => FRAC_2_PI,
        "FRAC_2_SQRT_PI" => FRAC_2_SQRT_PI,
        "FRAC_PI_2" => FRAC_PI_2,
        "FRAC_PI_3" => FRAC_PI_3,
        "FRAC_PI_4" => FRAC_PI_4,
        "FRAC_PI_6" => FRAC_PI_6,
        "FRAC_PI_8" => FRAC_PI_8,
        "LN_2" => LN_2,
        "LN_10" => LN_10,
        "LOG2_E" => LOG2_E,
        "LOG10_E" => LOG10_E,
        "LOG2_10" => LOG2_10,
        "LOG10_2" => LOG10_2,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Parses inside a block whose constants these statements declare: they hold in all of it, and hide variables.
    pub(super) fn with_constants<T>(&mut self, stmts: &[syn::Stmt], inside: impl FnOnce(&mut Self) -> T) -> T {
        let constants: Vec<syn::ItemConst> = stmts
            .iter()
            .filter_map(|stmt| match stmt {
                syn::Stmt::Item(syn::Item::Const(item)) => Some(item.clone()),
                _ => None,
            })
            .collect();
        let scope = self.scopes.last_mut().expect("a scope is open");
        scope.extend(constants.iter().map(|item| (super::unraw(&item.ident), None)));
        self.constants.push(constants);
        let result = inside(self);
        self.constants.pop();
        result
    }

    /// A constant, by its path.
    pub(super) fn constant(&mut self, path: TokenStream, ty: Option<Ty>, span: Span) -> ExprId {
        if self.depends_on_instance(&path) {
            return self.bad(
                span,
                "the instances of a generic item share their constants, and this one depends on the parameters: write a \
                 function that gives the value",
            );
        }
        let tokens = self.standing_alone(path);
        self.push(span, Kind::Constant { tokens, ty })
    }

    /// Whether tokens name a parameter of the generic item that they stand in.
    fn depends_on_instance(&self, tokens: &TokenStream) -> bool {
        let (types, lengths) = (&self.names.types, &self.names.lengths);
        if types.is_empty() && lengths.is_empty() {
            return false;
        }
        let generic_owner = matches!(&self.names.owner, Some(Ty::Struct(_, arguments)) if !arguments.is_empty());
        let named = identifiers(tokens.clone());
        named.iter().any(|name| types.contains_key(name) || lengths.contains_key(name))
            || generic_owner && named.contains("Self")
    }

    /// A constant expression as it stands alone, outside of the function: with the constants of inner blocks that it
    /// names.
    pub(super) fn standing_alone(&self, expression: TokenStream) -> TokenStream {
        let inner = self.constants.iter().skip(1).rev();
        inner.fold(expression, |expression, constants| {
            let named = identifiers(expression.clone());
            if !constants.iter().any(|item| named.contains(&item.ident.to_string())) {
                return expression;
            }
            quote!({ #(#[allow(dead_code)] #constants)* #expression })
        })
    }

    /// The type of a constant that a block declares, when its name is meant.
    pub(super) fn block_constant(&self, name: &str) -> Option<Ty> {
        let mut all = self.constants.iter().rev().flatten();
        let item = all.find(|item| super::unraw(&item.ident) == name)?;
        self.names.ty(&item.ty).ok()
    }

    /// A larger expression of constants alone becomes one hole: rustc evaluates it as a whole.
    pub(super) fn folded(&mut self, expr: &syn::Expr, span: Span, inner: ExprId) -> ExprId {
        let tokens = expr.to_token_stream();
        if self.depends_on_instance(&tokens) {
            return inner;
        }
        let tokens = self.standing_alone(tokens);
        self.push(span, Kind::Folded { tokens, inner })
    }

    /// Whether an expression is made of constants alone, at least one of them the user's.
    pub(super) fn is_constant(&self, expr: &syn::Expr) -> bool {
        self.constant_parts(expr) == Some(true)
    }

    /// `None`: not constant; else whether a constant of the user's is in it.
    fn constant_parts(&self, expr: &syn::Expr) -> Option<bool> {
        match expr {
            syn::Expr::Lit(_) => Some(false),
            syn::Expr::Paren(e) => self.constant_parts(&e.expr),
            syn::Expr::Group(e) => self.constant_parts(&e.expr),
            syn::Expr::Unary(e) if !matches!(e.op, syn::UnOp::Deref(_)) => self.constant_parts(&e.expr),
            syn::Expr::Cast(e) => self.constant_parts(&e.expr),
            syn::Expr::Field(e) => self.constant_parts(&e.base).filter(|_| !matches!(*e.base, syn::Expr::Binary(_))),
            syn::Expr::Binary(e) if arithmetic(&e.op) => {
                let right = self.constant_parts(&e.right)?;
                Some(self.constant_parts(&e.left)? | right)
            }
            syn::Expr::Path(p) => self.constant_path(p),
            _ => None,
        }
    }

    fn constant_path(&self, p: &syn::ExprPath) -> Option<bool> {
        let name = super::unraw(&p.path.segments.last()?.ident);
        if !is_screaming(&name) {
            return None;
        }
        match p.path.get_ident() {
            Some(_) if self.lookup(&name).is_some() => None,
            Some(_) if self.names.lengths.contains_key(&name) => Some(false),
            Some(_) => Some(true),
            // Constants of shared types are values of structs: operators on them are not constant in Rust.
            None => match self.owner_type(&p.path) {
                Some((Ty::Struct(id, _), _)) if crate::front::library::types().contains_key(&id) => None,
                Some((owner, group)) if primitive_constant(&owner, group, &name).is_some() => Some(false),
                _ => Some(true),
            },
        }
    }
}

fn arithmetic(op: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    matches!(op, Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) | BitAnd(_) | BitOr(_) | BitXor(_) | Shl(_) | Shr(_))
}
