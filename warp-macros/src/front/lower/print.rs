//! `println!`: text and scalars; composite values are taken apart into both.

use warp_ir::ir::{PrintPiece, PrintSite, Value};

use super::Lower;
use crate::env::TypeDef;
use crate::front::ast::*;
use crate::front::library;
use crate::front::types::Ty;

impl Lower<'_> {
    pub(super) fn print(&mut self, pieces: &[Piece], newline: bool) {
        let mut site = PrintSite { pieces: vec![], newline };
        let mut args = vec![];
        for piece in pieces {
            match piece {
                Piece::Text(text) => push_text(&mut site, text),
                Piece::Arg { value, spec } => {
                    let ty = self.ty(*value).clone();
                    let values = self.value(*value, &ty);
                    self.shown(*value, &ty, spec, &values, &mut site, &mut args);
                }
            }
        }
        let site = self.b.print_site(site);
        self.b.print(site, &args);
    }

    /// One argument as text and scalars, the way its `Debug` or `Display` writes it.
    fn shown(
        &mut self,
        id: ExprId,
        ty: &Ty,
        spec: &str,
        values: &[Value],
        site: &mut PrintSite,
        args: &mut Vec<Value>,
    ) {
        if ty.scalar().is_some() {
            site.pieces.push(PrintPiece::Arg { scalar: self.b.scalar(values[0]), spec: spec.into() });
            args.push(values[0]);
            return;
        }
        let debug = spec.ends_with('?') && !spec.contains('#');
        let vector = library::vector(ty).is_some();
        let parts: Vec<(Option<String>, Ty)> = match ty {
            _ if !debug && !vector => return self.unprintable(id, ty),
            Ty::Tuple(list) => list.iter().map(|t| (None, t.clone())).collect(),
            Ty::Array(element, len) => (0..*len).map(|_| (None, (**element).clone())).collect(),
            Ty::Struct(_) => {
                let named = !vector && !self.is_tuple_struct(ty);
                let fields = self.names.fields(ty).unwrap_or(&[]);
                fields.iter().map(|(n, t)| (named.then(|| n.clone()), Ty::from_type(t))).collect()
            }
            _ => return self.unprintable(id, ty),
        };
        let (open, close) = match ty {
            Ty::Tuple(_) => ("(".to_string(), ")"),
            Ty::Array(..) => ("[".to_string(), "]"),
            _ if vector && !debug => ("[".to_string(), "]"),
            _ if parts.first().is_some_and(|(n, _)| n.is_some()) => (format!("{} {{ ", self.names.display(ty)), " }"),
            _ => (format!("{}(", self.names.display(ty)), ")"),
        };
        push_text(site, &open);
        let mut at = 0;
        for (k, (name, part)) in parts.iter().enumerate() {
            if k > 0 {
                push_text(site, ", ");
            }
            if let Some(name) = name {
                push_text(site, &format!("{name}: "));
            }
            let count = self.count(part);
            self.shown(id, part, spec, &values[at..at + count], site, args);
            at += count;
        }
        push_text(site, close);
    }

    fn is_tuple_struct(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Struct(id) if matches!(self.names.definition(id), Some(TypeDef::Struct { tuple: true, .. })))
    }

    fn unprintable(&mut self, id: ExprId, ty: &Ty) {
        let span = self.body.expr(id).span;
        let message = format!(
            "kernels cannot print `{}` with this format: print its parts, or structs, tuples and arrays with `{{:?}}`",
            self.names.display(ty)
        );
        self.errors.refuse(span, message);
    }
}

fn push_text(site: &mut PrintSite, text: &str) {
    match site.pieces.last_mut() {
        Some(PrintPiece::Text(last)) => last.push_str(text),
        _ => site.pieces.push(PrintPiece::Text(text.into())),
    }
}
