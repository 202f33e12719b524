//! Random uses of arrays: parts of them, elements and components by computed indexes, copies of large ones.

use super::{Maker, Variable};
use crate::program::{Block, Expr, Iter, Stmt, Ty, assign};

fn name(text: String) -> Expr {
    Expr::Name(text)
}

/// A part of an array, as text.
pub(super) struct Part {
    pub text: String,
    /// The variable or parameter that it lies in.
    pub root: String,
    /// Its length, where the text alone says it.
    len: Option<usize>,
}

/// An array, as text, with its root and length.
type Base = (String, String, usize);

impl Maker {
    /// While `root` is borrowed, nothing that is made here mentions it.
    pub(super) fn without<T>(&mut self, root: &str, make: impl FnOnce(&mut Maker) -> T) -> T {
        self.hidden.push(root.into());
        let made = make(self);
        self.hidden.pop();
        made
    }

    pub(super) fn is_free(&self, root: &str) -> bool {
        !self.hidden.iter().any(|h| h == root)
    }

    /// An index below `n`: a number, a masked variable, or something that changes a variable or an array on the way.
    pub(super) fn index_text(&mut self, n: usize) -> String {
        let ints = self.visible(|v| v.ty == Ty::I32);
        let changed = self.visible(|v| v.ty == Ty::I32 && v.mutable);
        let by = 1 + self.random.below(5);
        match self.random.below(10) {
            0..=2 if !ints.is_empty() => format!("({} as usize) % {n}", self.random.pick(&ints)),
            3 | 4 if !changed.is_empty() => {
                let v = self.random.pick(&changed);
                format!("{{ {v} += {by}; ({v} as usize) % {n} }}")
            }
            5 if !changed.is_empty() => format!("(bump(&mut {}, {by}) as usize) % {n}", self.random.pick(&changed)),
            6 => match self.plain_part(Ty::I32) {
                Some(part) => format!("(stir(&mut {}, {by}) as usize) % {n}", part.text),
                None => self.random.below(n).to_string(),
            },
            _ => self.random.below(n).to_string(),
        }
    }

    /// An index for an array of `n`: in risky kernels perhaps beyond it.
    pub(super) fn array_index(&mut self, n: usize) -> String {
        let ints = self.visible(|v| v.ty == Ty::I32);
        if self.risky && !ints.is_empty() && self.random.chance(6) {
            return format!("{} as usize", self.random.pick(&ints));
        }
        self.index_text(n)
    }

    /// The arrays of `element` that can be cut, or those among them that can be written.
    fn bases(&mut self, element: Ty, written: bool) -> Vec<Base> {
        let usable = |v: &Variable| v.mutable || !written;
        let mut bases: Vec<Base> = vec![];
        let (own, field, fields) = if element == Ty::F32 { (Ty::ArrF, "t", 4) } else { (Ty::ArrI, "w", 6) };
        for v in self.visible(|v| v.ty == own && usable(v)) {
            bases.push((v.clone(), v, 4));
        }
        for v in self.visible(|v| v.ty == Ty::Rig && usable(v)) {
            bases.push((format!("{v}.{field}"), v, fields));
        }
        if self.is_free("ra") {
            bases.push((format!("ra[i].{field}"), "ra".into(), fields));
        }
        if element == Ty::F32 {
            if !written {
                bases.push(("fb".into(), "fb".into(), 9));
            }
            return bases;
        }
        for v in self.visible(|v| v.ty == Ty::Wide && usable(v)) {
            bases.push((v.clone(), v, 20));
        }
        for v in self.visible(|v| v.ty == Ty::Rows && usable(v)) {
            let row = self.random.below(3);
            bases.push((format!("{v}[{row}]"), v, 20));
        }
        if !written {
            bases.push(("ib".into(), "ib".into(), 7));
        }
        bases
    }

    /// A part with bounds that are numbers.
    fn plain_part(&mut self, element: Ty) -> Option<Part> {
        let bases = self.bases(element, true);
        let (base, root, n) = self.pick_one(&bases)?;
        let low = self.random.below(n);
        let high = low + 1 + self.random.below(n - low);
        Some(Part { text: format!("{base}[{low}..{high}]"), root, len: Some(high - low) })
    }

    fn pick_one<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        if list.is_empty() { None } else { Some(self.random.pick(list)) }
    }

    /// A part of an array of `F32` or `I32`.
    pub(super) fn part(&mut self, element: Ty, written: bool) -> Option<Part> {
        let bases = self.bases(element, written);
        let (base, root, n) = self.pick_one(&bases)?;
        let ints = self.without(&root, |m| m.visible(|v| v.ty == Ty::I32));
        let low = self.random.below(n);
        let high = low + self.random.below(n - low + 1);
        let (range, len) = match self.random.below(10) {
            0 | 1 => (format!("[{low}..{high}]"), Some(high - low)),
            2 => (format!("[{low}..]"), Some(n - low)),
            3 => (format!("[..{high}]"), Some(high)),
            4 => (format!("[..={low}]"), Some(low + 1)),
            5 if high > low => (format!("[{low}..{high}][1..]"), Some(high - low - 1)),
            6 => (String::new(), Some(n)),
            7 if self.risky && !ints.is_empty() => {
                let v = self.random.pick(&ints);
                (self.random.pick(&[format!("[{v} as usize..]"), format!("[..({v} as usize) & 15]")]), None)
            }
            _ if !ints.is_empty() => {
                let (v, w) = (self.random.pick(&ints), self.random.pick(&ints));
                (format!("[({v} as usize) & 1..{n} - (({w} as usize) & 1)]"), None)
            }
            _ => ("[..]".into(), Some(n)),
        };
        Some(Part { text: format!("{base}{range}"), root, len })
    }

    /// A number that a function or a method makes of a part.
    pub(super) fn of_part(&mut self, element: Ty, depth: u32) -> Option<Expr> {
        let written = self.random.chance(40);
        let part = self.part(element, written)?;
        let (reads, writes) = functions(element);
        if written {
            let by = self.without(&part.root, |m| m.expr(element, depth));
            return Some(Expr::Call(writes, vec![name(format!("&mut {}", part.text)), by]));
        }
        match part.len {
            Some(n) if n > 0 && self.random.chance(30) => {
                let index = self.without(&part.root, |m| m.index_text(n));
                Some(name(format!("{}[{index}]", part.text)))
            }
            _ => Some(Expr::Call(reads, vec![name(format!("&{}", part.text))])),
        }
    }

    /// A place of type `F32` or `I32` inside an array, a vector or a matrix.
    pub(super) fn component(&mut self, ty: Ty) -> Option<String> {
        let bases = self.bases(ty, true);
        if ty == Ty::I32 {
            let (base, root, n) = self.pick_one(&bases)?;
            let index =
                if base.contains('.') { self.without(&root, |m| m.array_index(n)) } else { self.array_index(n) };
            return Some(format!("{base}[{index}]"));
        }
        // The index of a vector is Rust's `IndexMut`, which borrows the vector before.
        let mut vectors = vec![];
        for v in self.visible(|v| v.ty == Ty::Vec3 && v.mutable) {
            vectors.push((v.clone(), v));
        }
        for (text, root) in [("va[i]", "va"), ("sa[i].p", "sa"), ("ra[i].c", "ra")] {
            if self.is_free(root) {
                vectors.push((text.into(), root.into()));
            }
        }
        for v in self.visible(|v| v.ty == Ty::Mat && v.mutable) {
            let column = self.without(&v, |m| m.index_text(3));
            vectors.push((format!("{v}.col_mut({column})"), v.clone()));
            vectors.push((format!("{v}.y_axis"), v));
        }
        if self.random.chance(60)
            && let Some((vector, root)) = self.pick_one(&vectors)
        {
            if self.random.chance(30) {
                return Some(format!("{vector}.{}", self.random.pick(&["x", "y", "z"])));
            }
            let index = self.without(&root, |m| m.index_text(3));
            return Some(format!("{vector}[{index}]"));
        }
        let (base, root, n) = self.pick_one(&bases)?;
        let index = self.without(&root, |m| m.array_index(n));
        Some(format!("{base}[{index}]"))
    }

    /// A value of a type that only arrays have, or a component of one.
    pub(super) fn array_value(&mut self, ty: Ty) -> Option<Expr> {
        let text = match ty {
            Ty::F32 | Ty::I32 => self.component(ty)?.replace("col_mut", "col"),
            Ty::Vec3 => {
                let found = self.visible(|v| v.ty == Ty::Mat);
                let v = self.pick_one(&found)?;
                if self.random.chance(40) { format!("{v}.z_axis") } else { format!("{v}.col({})", self.index_text(3)) }
            }
            Ty::ArrF if self.is_free("ra") => "ra[i].t".into(),
            Ty::Rig if self.is_free("ra") => "ra[i]".into(),
            Ty::Wide => {
                let found = self.visible(|v| v.ty == Ty::Rows);
                let v = self.pick_one(&found)?;
                format!("{v}[{}]", self.array_index(3))
            }
            _ => return None,
        };
        Some(name(text))
    }

    /// A statement about arrays.
    pub(super) fn array_statement(&mut self) -> Vec<Stmt> {
        let element = self.random.pick(&[Ty::F32, Ty::I32]);
        let made = match self.random.below(8) {
            0 | 1 if self.loops.len() < 2 => self.walk_part(element),
            2 | 3 => self.named_part(element),
            4 => self.changed_part(element),
            5 if self.loops.len() < 2 && self.random.chance(50) => self.walk_chunks(element),
            5 | 6 => self.copied_row(),
            _ if self.loops.len() < 2 => self.walk_value(),
            _ => None,
        };
        match made {
            Some(statement) => vec![statement],
            None => self.assignment(2),
        }
    }

    /// `for x in d[1..].iter_mut() { .. }`
    fn walk_part(&mut self, element: Ty) -> Option<Stmt> {
        let written = self.random.chance(60);
        let part = self.part(element, written)?;
        let (x, k) = (self.fresh("x"), self.fresh("k"));
        let label = self.label();
        let mut adaptors = String::from(if written { ".iter_mut()" } else { ".iter()" });
        for adaptor in [".skip(1)", ".take(3)", ".rev()"] {
            if self.random.chance(15) {
                adaptors += adaptor;
            }
        }
        let enumerate = self.random.chance(30);
        let item = if written { x.clone() } else { format!("&{x}") };
        let pattern = if enumerate { format!("({k}, {item})") } else { item };
        if enumerate {
            adaptors += ".enumerate()";
        }
        let mut variables = vec![(if written { format!("(*{x})") } else { x }, element, written)];
        if enumerate {
            variables.push((k, Ty::Usize, false));
        }
        let mut body = self.without(&part.root, |m| m.looped(label, &variables, 2));
        if written {
            let value = self.without(&part.root, |m| m.expr(element, 1));
            let op = self.random.pick(&["=", "+=", "-=", "*="]);
            body.statements.insert(0, assign(name(variables[0].0.clone()), op, value));
        }
        Some(Stmt::For { label, pattern, iter: Iter::Name(part.text + &adaptors), body })
    }

    /// `for x in d { .. }`, where the body may change `d`.
    fn walk_value(&mut self) -> Option<Stmt> {
        let (array, element) = self.random.pick(&[(Ty::ArrF, Ty::F32), (Ty::ArrI, Ty::I32), (Ty::Wide, Ty::I32)]);
        let mut found = self.visible(|v| v.ty == array);
        if array == Ty::ArrF && self.is_free("ra") {
            found.push("ra[i].t".into());
        }
        let over = self.pick_one(&found)?;
        let (x, label) = (self.fresh("x"), self.label());
        let body = self.looped(label, &[(x.clone(), element, false)], 2);
        Some(Stmt::For { label, pattern: x, iter: Iter::Name(over), body })
    }

    /// `for x in d[1..].chunks_exact_mut(2) { x[0] = ..; .. }`
    fn walk_chunks(&mut self, element: Ty) -> Option<Stmt> {
        let written = self.random.chance(60);
        let part = self.part(element, written)?;
        let (x, size, label) = (self.fresh("x"), 1 + self.random.below(3), self.label());
        let chunks = if written { "chunks_exact_mut" } else { "chunks_exact" };
        let adaptor = self.random.pick(&["", "", ".rev()", ".skip(1)", ".take(2)"]);
        let body = self.without(&part.root, |m| {
            let mut body = m.looped(label, &[], 2);
            let (reads, writes) = functions(element);
            let first = match (written, m.place_of(element)) {
                (true, _) if m.random.chance(40) => Expr::Call(writes, vec![name(x.clone()), m.expr(element, 1)]),
                (true, _) => {
                    let op = m.random.pick(&["=", "+=", "-=", "*="]);
                    let value = m.expr(element, 1);
                    body.statements.insert(0, assign(name(format!("{x}[{}]", size - 1)), op, value));
                    return body;
                }
                (false, Some(place)) => {
                    let value = Expr::Call(reads, vec![name(x.clone())]);
                    body.statements.insert(0, assign(name(place), "+=", value));
                    return body;
                }
                (false, None) => Expr::Call(reads, vec![name(x.clone())]),
            };
            body.statements.insert(0, Stmt::Expr(first));
            body
        });
        let over = Iter::Name(format!("{}.{chunks}({size}){adaptor}", part.text));
        Some(Stmt::For { label, pattern: x, iter: over, body })
    }

    /// A variable of this type that can be changed.
    fn place_of(&mut self, ty: Ty) -> Option<String> {
        let found = self.visible(|v| v.ty == ty && v.mutable);
        self.pick_one(&found)
    }

    /// `{ let p = &mut d[1..3]; p[0] = ..; .. }`, or the same with the halves of a part.
    fn named_part(&mut self, element: Ty) -> Option<Stmt> {
        let part = self.part(element, true)?;
        let n = part.len.filter(|n| *n > 0)?;
        let p = self.fresh("p");
        self.scopes.push(vec![]);
        let statements = self.without(&part.root, |m| {
            let mut names = vec![(p.clone(), n)];
            let (pattern, value) = if m.random.chance(30) {
                let (q, middle) = (m.fresh("p"), m.random.below(n + 1));
                names = vec![(p.clone(), middle), (q.clone(), n - middle)];
                (format!("({p}, {q})"), format!("{}.split_at_mut({middle})", part.text))
            } else {
                let cut = if part.text.ends_with(']') { "" } else { "[..]" };
                (p.clone(), format!("&mut {}{cut}", part.text))
            };
            let mut out = vec![Stmt::Let { pattern, ty: None, value: name(value) }];
            for _ in 0..2 + m.random.below(3) {
                let (p, n) = m.random.pick(&names);
                out.extend(m.of_name(element, &p, n));
            }
            out
        });
        self.scopes.pop();
        Some(Stmt::Block(Block { statements, value: None }))
    }

    /// A statement about the slice `p` of `n` elements.
    fn of_name(&mut self, element: Ty, p: &str, n: usize) -> Vec<Stmt> {
        let (_, writes) = functions(element);
        match self.random.below(6) {
            0 => {
                let by = self.expr(element, 1);
                vec![Stmt::Expr(Expr::Call(writes, vec![name(p.into()), by]))]
            }
            1 => {
                let (low, by) = (self.random.below(n + 1), self.expr(element, 1));
                vec![Stmt::Expr(Expr::Call(writes, vec![name(format!("&mut {p}[{low}..]")), by]))]
            }
            2 => {
                let value = self.expr(element, 1);
                vec![Stmt::Expr(Expr::Method(Box::new(name(p.into())), "fill", vec![value]))]
            }
            _ if n > 0 && self.random.chance(70) => {
                let index = self.array_index(n);
                let op = self.random.pick(&["=", "+=", "-=", "*="]);
                let value = self.expr(element, 2);
                vec![assign(name(format!("{p}[{index}]")), op, value)]
            }
            _ => self.statements(1),
        }
    }

    /// `d[1..].swap(0, 2);` and relatives.
    fn changed_part(&mut self, element: Ty) -> Option<Stmt> {
        let part = self.part(element, true)?;
        if self.random.chance(30) {
            let value = self.without(&part.root, |m| m.expr(element, 1));
            return Some(Stmt::Expr(Expr::Method(Box::new(name(part.text)), "fill", vec![value])));
        }
        let n = part.len.filter(|n| *n > 0)?;
        if self.random.chance(50)
            && let Some(from) = self.without(&part.root, |m| m.part(element, false))
            && from.len.is_some_and(|len| len >= n)
        {
            return Some(Stmt::Expr(name(format!("{}.copy_from_slice(&{}[..{n}])", part.text, from.text))));
        }
        let (a, b) = self.without(&part.root, |m| (m.array_index(n), m.array_index(n)));
        Some(Stmt::Expr(name(format!("{}.swap({a}, {b})", part.text))))
    }

    /// Copies between a large array and a row of a larger one: the target's index may change what is copied.
    fn copied_row(&mut self) -> Option<Stmt> {
        let rows = self.visible(|v| v.ty == Ty::Rows && v.mutable);
        let wide = self.visible(|v| v.ty == Ty::Wide && v.mutable);
        let rows = self.pick_one(&rows)?;
        let row = |m: &mut Maker| format!("{rows}[{}]", m.array_index(3));
        let (place, value) = match self.pick_one(&wide) {
            Some(wide) if self.random.chance(40) => (row(self), wide),
            Some(wide) if self.random.chance(50) => (wide, row(self)),
            _ => (row(self), row(self)),
        };
        Some(assign(name(place), "=", name(value)))
    }

    /// `x.max({ x = 2.0; 3.0 })`: the receiver was read before its argument changes it.
    pub(super) fn changed_receiver(&mut self, ty: Ty, depth: u32) -> Option<Expr> {
        let places = self.visible(|v| v.ty == ty && v.mutable);
        let place = match ty {
            Ty::F32 | Ty::I32 if self.random.chance(50) => self.component(ty),
            _ => self.pick_one(&places),
        }?;
        let changed = name(place.clone());
        let value = self.expr(ty, depth.min(1));
        let argument = |m: &mut Maker, of: Ty| {
            let block = Block { statements: vec![assign(changed, "=", value)], value: Some(Box::new(m.expr(of, 1))) };
            Expr::Block(block)
        };
        let receiver = Box::new(name(place));
        Some(match ty {
            Ty::F32 => {
                let method = self.random.pick(&["min", "max"]);
                let chosen = Expr::Method(receiver, method, vec![argument(self, Ty::F32)]);
                let zero = Expr::Lit { ty, text: "0.0".into(), suffix: true };
                Expr::Binary("+", Box::new(chosen), Box::new(zero))
            }
            Ty::I32 => {
                let method = self.random.pick(&["wrapping_sub", "max", "wrapping_mul"]);
                Expr::Method(receiver, method, vec![argument(self, Ty::I32)])
            }
            Ty::Vec3 => Expr::Method(receiver, "cross", vec![argument(self, Ty::Vec3)]),
            _ => return None,
        })
    }

    /// A method of `Body` that reads or changes it, with an argument that reads or changes it, too.
    pub(super) fn of_body(&mut self, depth: u32) -> Option<Expr> {
        let mut places: Vec<(String, String)> =
            self.visible(|v| v.ty == Ty::Body && v.mutable).into_iter().map(|v| (v.clone(), v)).collect();
        if self.is_free("sa") {
            places.push(("sa[i]".into(), "sa".into()));
        }
        let (place, root) = self.pick_one(&places)?;
        let receiver = Box::new(name(place.clone()));
        if self.random.chance(50) {
            let value = self.expr(Ty::F32, depth.min(1));
            let statements = vec![assign(name(format!("{place}.m")), "=", value)];
            let block = Block { statements, value: Some(Box::new(self.expr(Ty::F32, 1))) };
            return Some(Expr::Method(receiver, "weigh", vec![Expr::Block(block)]));
        }
        // The receiver is borrowed: its argument may read it, and no more.
        let by = if self.random.chance(50) {
            name(format!("{place}.q.c"))
        } else {
            self.without(&root, |m| m.expr(Ty::F32, depth))
        };
        Some(Expr::Method(receiver, "grow", vec![by]))
    }
}

/// The functions that read and that write a slice of this type.
fn functions(element: Ty) -> (&'static str, &'static str) {
    if element == Ty::F32 { ("total", "lift") } else { ("tally", "stir") }
}
