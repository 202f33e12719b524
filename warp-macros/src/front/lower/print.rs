//! `println!` and the messages of assertions: text and scalars; composite values are taken apart into both.

use warp_ir::ir::{PrintPiece, PrintSite, Scalar, Value};

use super::Lower;
use super::order::Ready;
use crate::env::TypeDef;
use crate::front::ast::*;
use crate::front::library;
use crate::front::types::Ty;
use crate::front::walk::arguments;

/// What is said, as the IR keeps it.
#[derive(Default)]
pub(super) struct Said {
    pub pieces: Vec<PrintPiece>,
    pub args: Vec<Value>,
    /// Pieces before this one belong to cases of a choice: text that follows must not join them.
    sealed: usize,
}

impl Said {
    pub(super) fn text(&mut self, text: &str) {
        let open = self.pieces.len() > self.sealed;
        match self.pieces.last_mut() {
            Some(PrintPiece::Text(last)) if open => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.pieces.push(PrintPiece::Text(text.into())),
        }
    }

    pub(super) fn scalar(&mut self, scalar: Scalar, value: Value, spec: &str) {
        self.pieces.push(PrintPiece::Arg { scalar, spec: spec.into() });
        self.args.push(value);
    }

    /// Says the case whose number `value` is.
    fn choice(&mut self, scalar: Scalar, value: Value, cases: Vec<(u64, Said)>) {
        let numbers = cases.iter().map(|(number, said)| (*number, said.pieces.len() as u32)).collect();
        self.pieces.push(PrintPiece::Choice { scalar, cases: numbers });
        self.args.push(value);
        for (_, said) in cases {
            self.pieces.extend(said.pieces);
            self.args.extend(said.args);
        }
        self.sealed = self.pieces.len();
    }
}

/// A composite value: what stands around its parts, as Rust's `DebugStruct` and its kin write it.
struct Shape {
    open: String,
    close: &'static str,
    /// Field names where they are written, and types.
    parts: Vec<(Option<String>, Ty)>,
    /// What each part is formatted by.
    spec: String,
    /// `(1,)`: a tuple of one.
    lone: bool,
}

impl Lower<'_> {
    pub(super) fn print(&mut self, pieces: &[Piece], newline: bool) {
        let Said { pieces, args, .. } = self.said(pieces);
        let site = self.b.print_site(PrintSite { pieces, newline });
        self.b.print(site, &args);
    }

    /// Text and arguments of a format string. An argument is evaluated once, however often the text names it.
    pub(super) fn said(&mut self, pieces: &[Piece]) -> Said {
        let given: Vec<ExprId> = arguments(pieces).filter(|value| !self.ready.contains_key(value)).collect();
        for &value in &given {
            let ty = self.ty(value).clone();
            let values = self.value(value, &ty);
            self.ready.insert(value, Ready::Values(values));
        }
        let said = self.said_of_ready(pieces);
        self.ready.retain(|value, _| !given.contains(value));
        said
    }

    fn said_of_ready(&mut self, pieces: &[Piece]) -> Said {
        let mut said = Said::default();
        for piece in pieces {
            match piece {
                Piece::Text(text) => said.text(text),
                Piece::Arg { value, spec } => {
                    let ty = self.ty(*value).clone();
                    let values = self.value(*value, &ty);
                    self.shown(*value, &ty, spec, &values, 0, &mut said);
                }
            }
        }
        said
    }

    /// One argument, the way its `Debug` or `Display` writes it; `depth` counts what it is inside of.
    pub(super) fn shown(&mut self, id: ExprId, ty: &Ty, spec: &str, values: &[Value], depth: usize, said: &mut Said) {
        if ty.scalar().is_some() {
            return said.scalar(self.b.scalar(values[0]), values[0], spec);
        }
        let debug = spec.ends_with('?');
        match ty {
            Ty::Enum(_) if debug => self.variant(ty, values[0], said),
            Ty::Option(inner) if debug => self.option_shown(id, inner, spec, values, depth, said),
            Ty::Unit if matches!(spec, "?" | "#?") => said.text("()"),
            Ty::Struct(name, _) if debug && name.starts_with("BVec") && library::types().contains_key(name) => {
                mask_shown(name, values, said);
            }
            _ => match self.shape(ty, spec, debug) {
                Some(shape) => self.parts_shown(id, &shape, values, depth, said),
                None => self.unprintable(id, ty),
            },
        }
    }

    /// The name of a fieldless enum's variant. Like Rust's, it takes no width.
    fn variant(&mut self, ty: &Ty, value: Value, said: &mut Said) {
        let Ty::Enum(id) = ty else { return };
        let Some(TypeDef::Enum { repr, variants, .. }) = self.names.definition(id) else { return };
        let case = |(name, number): &(String, i128)| {
            let mut said = Said::default();
            said.text(name);
            (*number as u64 & repr.mask(), said)
        };
        said.choice(*repr, value, variants.iter().map(case).collect());
    }

    fn option_shown(&mut self, id: ExprId, inner: &Ty, spec: &str, values: &[Value], depth: usize, said: &mut Said) {
        let (mut none, mut some) = (Said::default(), Said::default());
        none.text("None");
        let shape = Shape {
            open: "Some(".into(),
            close: ")",
            parts: vec![(None, inner.clone())],
            spec: spec.into(),
            lone: false,
        };
        self.parts_shown(id, &shape, &values[1..], depth, &mut some);
        said.choice(Scalar::Bool, values[0], vec![(0, none), (1, some)]);
    }

    /// How a composite value is written, if it can be.
    fn shape(&self, ty: &Ty, spec: &str, debug: bool) -> Option<Shape> {
        let shared = matches!(ty, Ty::Struct(id, _) if library::types().contains_key(id));
        if !debug && !shared {
            return None;
        }
        let unnamed = |list: Vec<Ty>| list.into_iter().map(|ty| (None, ty)).collect();
        let shape =
            |open: &str, close, parts| Shape { open: open.into(), close, parts, spec: spec.into(), lone: false };
        Some(match ty {
            Ty::Tuple(list) => Shape { lone: list.len() == 1, ..shape("(", ")", unnamed(list.clone())) },
            Ty::Array(element, len) => shape("[", "]", (0..*len).map(|_| (None, (**element).clone())).collect()),
            Ty::Struct(id, _) => {
                let fields = self.names.fields(ty)?.into_iter().map(|(name, ty)| (name.to_string(), ty));
                let tuple = self.is_tuple_struct(ty) || library::vector(ty).is_some() || id.ends_with("Quat") && shared;
                let name = self.names.name_of(id);
                match (debug, tuple) {
                    _ if debug && fields.len() == 0 => shape(&name, "", vec![]),
                    (false, _) => {
                        Shape { spec: precision(spec), ..shape("[", "]", unnamed(fields.map(|f| f.1).collect())) }
                    }
                    (true, true) => shape(&format!("{name}("), ")", unnamed(fields.map(|f| f.1).collect())),
                    (true, false) => {
                        shape(&format!("{name} {{"), "}", fields.map(|(name, ty)| (Some(name), ty)).collect())
                    }
                }
            }
            _ => return None,
        })
    }

    fn parts_shown(&mut self, id: ExprId, shape: &Shape, values: &[Value], depth: usize, said: &mut Said) {
        let pretty = shape.spec.ends_with('?') && shape.spec.contains('#') && !shape.parts.is_empty();
        let braces = shape.close == "}";
        let indent = "    ".repeat(depth + 1);
        said.text(&shape.open);
        let mut at = 0;
        for (k, (name, part)) in shape.parts.iter().enumerate() {
            match (k, pretty) {
                (_, true) => said.text(&format!("\n{indent}")),
                (0, false) if braces => said.text(" "),
                (0, false) => {}
                _ => said.text(", "),
            }
            if let Some(name) = name {
                said.text(&format!("{name}: "));
            }
            let count = self.count(part);
            self.shown(id, part, &shape.spec, &values[at..at + count], depth + 1, said);
            at += count;
            if pretty {
                said.text(",");
            }
        }
        match pretty {
            true => said.text(&format!("\n{}", "    ".repeat(depth))),
            false if shape.lone => said.text(","),
            false if braces => said.text(" "),
            false => {}
        }
        said.text(shape.close);
    }

    fn is_tuple_struct(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Struct(id, _) if matches!(self.names.definition(id), Some(TypeDef::Struct { tuple: true, .. })))
    }

    fn unprintable(&mut self, id: ExprId, ty: &Ty) {
        let span = self.body.expr(id).span;
        let message = format!(
            "kernels cannot print `{}` with this format: print its parts, or structs, enums, options, tuples and arrays \
             with `{{:?}}`",
            self.names.display(ty)
        );
        self.errors.refuse(span, message);
    }
}

/// The precision in a format: all that vectors and matrices hand on to their numbers in `{}`.
fn precision(spec: &str) -> String {
    match spec.rsplit_once('.') {
        Some((_, digits)) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => format!(".{digits}"),
        _ => String::new(),
    }
}

/// Masks show their bits, whatever the format.
fn mask_shown(name: &str, values: &[Value], said: &mut Said) {
    said.text(&format!("{name}("));
    for (k, &value) in values.iter().enumerate() {
        if k > 0 {
            said.text(", ");
        }
        let (mut no, mut yes) = (Said::default(), Said::default());
        no.text("0x0");
        yes.text("0xffffffff");
        said.choice(Scalar::Bool, value, vec![(0, no), (1, yes)]);
    }
    said.text(")");
}
