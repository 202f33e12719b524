//! Random statements.

use super::{Loop, Maker};
use crate::program::{Block, Expr, Iter, Stmt, Ty, assign};

impl Maker {
    /// The whole body: `let i = tid();`, variables, statements, and stores that make results visible.
    pub(super) fn kernel(&mut self) -> Block {
        self.scopes.push(vec![]);
        let mut statements = vec![Stmt::Let { pattern: "i".into(), ty: None, value: Expr::Call("tid", vec![]) }];
        self.declare("i", Ty::Usize, false);
        if self.random.chance(50) {
            let cond = Expr::Name("i >= ia.len()".into());
            statements.push(Stmt::If(cond, Block { statements: vec![Stmt::Return], value: None }, None));
        }
        for (n, ty) in [("a", Ty::F32), ("b", Ty::I32), ("c", Ty::Vec3), ("d", Ty::ArrF), ("e", Ty::ArrI)] {
            let value = self.expr(ty, 1);
            statements.push(Stmt::Let { pattern: format!("mut {n}"), ty: Some(ty), value });
            self.declare(n, ty, true);
        }
        for (n, ty) in [("r", Ty::Rig), ("w", Ty::Wide), ("t", Ty::Rows), ("m", Ty::Mat)] {
            if self.random.chance(40) {
                let value = self.expr(ty, 1);
                statements.push(Stmt::Let { pattern: format!("mut {n}"), ty: Some(ty), value });
                self.declare(n, ty, true);
            }
        }
        let count = 4 + self.random.below(5);
        statements.extend(self.statements(count));
        statements.extend(self.shown());
        for (array, ty) in [
            ("fa", Ty::F32),
            ("ia", Ty::I32),
            ("va", Ty::Vec3),
            ("ga", Ty::F64),
            ("ua", Ty::U64),
            ("sa", Ty::Body),
            ("ra", Ty::Rig),
        ] {
            if self.random.chance(60) {
                let value = self.expr(ty, 2);
                let op = if matches!(ty, Ty::Body | Ty::Vec3 | Ty::Rig) || self.random.chance(50) { "=" } else { "+=" };
                statements.push(assign(Expr::Name(format!("{array}[i]")), op, value));
            }
        }
        self.scopes.pop();
        Block { statements, value: None }
    }

    /// Stores that make arrays and matrices visible.
    fn shown(&mut self) -> Vec<Stmt> {
        let mut out = vec![];
        for v in self.visible(|v| v.ty == Ty::Wide) {
            out.push(Stmt::Expr(Expr::Name(format!("ia[i] = ia[i] * 31 + tally(&{v})"))));
        }
        for v in self.visible(|v| v.ty == Ty::Rows) {
            let text = format!("ia[i] = (ia[i] * 31 + tally(&{v}[0])) * 7 + tally(&{v}[1]) * 3 + tally(&{v}[2])");
            out.push(Stmt::Expr(Expr::Name(text)));
        }
        for v in self.visible(|v| v.ty == Ty::Rig) {
            out.push(Stmt::Expr(Expr::Name(format!("ra[i] = {v}"))));
        }
        for v in self.visible(|v| v.ty == Ty::Mat) {
            out.push(Stmt::Expr(Expr::Name(format!("va[i] = {v}.x_axis - {v}.y_axis.cross({v}.z_axis)"))));
        }
        out
    }

    pub(super) fn statements(&mut self, count: usize) -> Vec<Stmt> {
        let mut out = vec![];
        for _ in 0..count {
            self.budget -= 1;
            if self.budget < 0 {
                break;
            }
            out.extend(self.statement());
        }
        out
    }

    fn block(&mut self, count: usize) -> Block {
        self.scopes.push(vec![]);
        let statements = self.statements(count);
        self.scopes.pop();
        Block { statements, value: None }
    }

    fn statement(&mut self) -> Vec<Stmt> {
        match self.random.below(24) {
            20..=23 => self.array_statement(),
            0..=3 => vec![self.binding()],
            4..=8 => self.assignment(2),
            9 | 10 => {
                let cond = self.expr(Ty::Bool, 2);
                let then = self.block(2);
                let otherwise = self.random.chance(50).then(|| self.block(2));
                vec![Stmt::If(cond, then, otherwise)]
            }
            11 => vec![self.if_let()],
            12 | 13 if self.loops.len() < 2 => vec![self.for_loop()],
            14 if self.loops.len() < 2 => self.while_loop(),
            15 | 16 => self.jump(),
            17 if self.risky && self.random.chance(40) => vec![Stmt::Assert(self.expr(Ty::Bool, 2))],
            18 => {
                let value = self.expr(Ty::Pair, 2);
                let (x, y) = (self.random.pick(&["a", "x"]), self.random.pick(&["b", "y"]));
                self.declare(x, Ty::F32, true);
                self.declare(y, Ty::I32, true);
                vec![Stmt::Let { pattern: format!("(mut {x}, mut {y})"), ty: None, value }]
            }
            19 => self.lent(),
            _ => self.assignment(2),
        }
    }

    fn binding(&mut self) -> Stmt {
        let ty = self.any_type();
        let value = self.expr(ty, 2);
        let n = if self.random.chance(50) {
            self.random.pick(&["a", "b", "c", "d", "e"]).to_string()
        } else {
            self.fresh("v")
        };
        self.declare(&n, ty, true);
        Stmt::Let { pattern: format!("mut {n}"), ty: Some(ty), value }
    }

    /// An assignment to a variable, a component, or an own element.
    pub(super) fn assignment(&mut self, depth: u32) -> Vec<Stmt> {
        let (place, ty) = self.place();
        let op = match ty {
            Ty::F32 | Ty::F64 => self.random.pick(&["=", "+=", "-=", "*="]),
            t if t.is_int() => self.random.pick(&["=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>="]),
            Ty::Vec3 => self.random.pick(&["=", "+=", "-=", "*="]),
            Ty::Bool => self.random.pick(&["=", "&=", "|=", "^="]),
            _ => "=",
        };
        // Rust evaluates the right side of a compound assignment first for primitives, and the place first for `Vec3`,
        // whose value must then not borrow it again.
        let place_first = ty == Ty::Vec3 && op != "=";
        let value = match op {
            _ if place_first => self.without(root(&place), |m| m.changing_value(depth)),
            "<<=" | ">>=" => self.expr(Ty::U32, 1),
            _ => self.expr(ty, depth),
        };
        vec![Stmt::Assign { place: Expr::Name(place), op, value, place_first }]
    }

    /// A vector, perhaps behind an assignment to something else.
    fn changing_value(&mut self, depth: u32) -> Expr {
        let value = self.expr(Ty::Vec3, depth.min(1));
        if self.random.chance(50) {
            return value;
        }
        let statements = self.assignment(1);
        Expr::Block(Block { statements, value: Some(Box::new(value)) })
    }

    fn place(&mut self) -> (String, Ty) {
        let memory = [
            ("fa[i]", Ty::F32),
            ("ia[i]", Ty::I32),
            ("va[i]", Ty::Vec3),
            ("va[i].x", Ty::F32),
            ("ga[i]", Ty::F64),
            ("ua[i]", Ty::U64),
            ("sa[i].m", Ty::F32),
            ("sa[i].k", Ty::I32),
            ("sa[i].p.z", Ty::F32),
            ("sa[i].q.n", Ty::U16),
        ];
        let memory: Vec<_> = memory.into_iter().filter(|(place, _)| self.is_free(root(place))).collect();
        if self.random.chance(25) {
            let ty = self.random.pick(&[Ty::F32, Ty::I32]);
            if let Some(place) = self.component(ty) {
                return (place, ty);
            }
        }
        if self.random.chance(40) {
            let (place, ty) = self.random.pick(&memory);
            return (place.into(), ty);
        }
        use Ty::*;
        let ty = self.random.pick(&[F32, I32, Vec3, ArrF, ArrI, Body, Pair, DuoF, DuoI, Rig, Wide, Mat]);
        let found = self.visible(|v| v.ty == ty && v.mutable);
        if found.is_empty() {
            let (place, ty) = self.random.pick(&memory);
            return (place.into(), ty);
        }
        let v = self.random.pick(&found);
        match ty {
            Ty::Vec3 if self.random.chance(40) => (format!("{v}.{}", self.random.pick(&["x", "y", "z"])), Ty::F32),
            Ty::ArrF => (format!("{v}[{}]", self.slot()), Ty::F32),
            Ty::ArrI => (format!("{v}[{}]", self.slot()), Ty::I32),
            Ty::Body if self.random.chance(70) => {
                let (f, t) = self.random.pick(&[("m", Ty::F32), ("k", Ty::I32), ("p.y", Ty::F32), ("q.c", Ty::F32)]);
                (format!("{v}.{f}"), t)
            }
            Ty::DuoF | Ty::DuoI if self.random.chance(70) => {
                let of = if ty == Ty::DuoF { Ty::F32 } else { Ty::I32 };
                (format!("{v}.{}", self.random.pick(&["a", "b"])), of)
            }
            Ty::Pair => (format!("{v}.1"), Ty::I32),
            Ty::Mat if self.random.chance(60) => {
                let column = self.without(&v, |m| m.index_text(3));
                (format!("*{v}.col_mut({column})"), Ty::Vec3)
            }
            Ty::Mat => (format!("{v}.x_axis"), Ty::Vec3),
            _ => (v, ty),
        }
    }

    fn slot(&mut self) -> String {
        let ints = self.visible(|v| v.ty == Ty::I32);
        if ints.is_empty() || self.random.chance(40) {
            return self.random.below(4).to_string();
        }
        format!("({} as usize) & 3", self.random.pick(&ints))
    }

    fn if_let(&mut self) -> Stmt {
        let (ty, inner) = self.random.pick(&[(Ty::OptI, Ty::I32), (Ty::OptF, Ty::F32)]);
        let value = self.expr(ty, 2);
        let n = self.fresh("o");
        self.scopes.push(vec![]);
        self.declare(&n, inner, false);
        let then = self.block(2);
        self.scopes.pop();
        let otherwise = self.random.chance(50).then(|| self.block(1));
        Stmt::IfLet { pattern: format!("Some({n})"), value, then, otherwise }
    }

    pub(super) fn label(&mut self) -> Option<&'static str> {
        let name = if self.loops.is_empty() { "'outer" } else { "'inner" };
        self.random.chance(50).then_some(name)
    }

    pub(super) fn looped(
        &mut self,
        label: Option<&'static str>,
        variables: &[(String, Ty, bool)],
        count: usize,
    ) -> Block {
        self.loops.push(Loop { label, value: None });
        self.scopes.push(vec![]);
        for (n, ty, mutable) in variables {
            self.declare(n, *ty, *mutable);
        }
        let block = self.block(count);
        self.scopes.pop();
        self.loops.pop();
        block
    }

    fn for_loop(&mut self) -> Stmt {
        let label = self.label();
        if self.random.chance(25) {
            let (x, k) = (self.fresh("x"), self.fresh("k"));
            let enumerate = self.random.chance(50);
            let pattern = if enumerate { format!("({k}, &{x})") } else { format!("&{x}") };
            let mut variables = vec![(x, Ty::F32, false)];
            if enumerate {
                variables.push((k, Ty::Usize, false));
            }
            let body = self.looped(label, &variables, 2);
            return Stmt::For { label, pattern, iter: Iter::Slice { name: "fb", enumerate }, body };
        }
        let ty = self.random.pick(&[Ty::I32, Ty::I32, Ty::Usize, Ty::U8, Ty::I64]);
        let lit = |n: i32, suffix| Expr::Lit { ty, text: n.to_string(), suffix };
        let lo = if ty.is_signed() { self.random.below(6) as i32 - 3 } else { self.random.below(3) as i32 };
        let span = self.random.below(6) as i32;
        // Half of the upper bounds are known at run time only, below 8.
        let hi = if self.random.chance(50) {
            lit(lo + span, true)
        } else {
            let value = self.expr(ty, 1);
            Expr::Binary("&", Box::new(value), Box::new(lit(7, false)))
        };
        let iter = Iter::Range {
            lo: lit(lo, false),
            hi,
            inclusive: self.random.chance(25),
            rev: self.random.chance(25),
            step: self.random.chance(25).then(|| 1 + self.random.below(3) as u32),
        };
        let n = self.fresh("j");
        let body = self.looped(label, &[(n.clone(), ty, false)], 3);
        Stmt::For { label, pattern: n, iter, body }
    }

    fn while_loop(&mut self) -> Vec<Stmt> {
        let label = self.label();
        let n = self.fresh("w");
        let lit = |n: usize| Box::new(Expr::Lit { ty: Ty::I32, text: n.to_string(), suffix: false });
        let counter = || Expr::Name(n.clone());
        let start = Stmt::Let { pattern: format!("mut {n}"), ty: Some(Ty::I32), value: *lit(0) };
        let bound = Expr::Binary("<", Box::new(counter()), lit(1 + self.random.below(6)));
        let cond = if self.random.chance(50) {
            Expr::Binary("&&", Box::new(bound), Box::new(self.expr(Ty::Bool, 1)))
        } else {
            bound
        };
        let mut body = self.looped(label, &[(n.clone(), Ty::I32, false)], 3);
        body.statements.insert(0, assign(counter(), "+=", *lit(1)));
        vec![start, Stmt::While { label, cond, body }]
    }

    /// `if c { break; }` and relatives.
    fn jump(&mut self) -> Vec<Stmt> {
        let mut options = vec![];
        if self.random.chance(25) {
            options.push(Stmt::Return);
        }
        if let Some(inner) = self.loops.last() {
            match inner.value {
                None => options.push(Stmt::Break(None, None)),
                Some(ty) => {
                    let value = self.expr(ty, 1);
                    options.push(Stmt::Break(None, Some(value)));
                }
            }
            options.push(Stmt::Continue(None));
        }
        for l in &self.loops {
            if let (Some(label), None) = (l.label, l.value) {
                options.push(Stmt::Break(Some(label), None));
                options.push(Stmt::Continue(Some(label)));
            }
        }
        if options.is_empty() {
            return self.assignment(2);
        }
        let chosen = self.random.pick(&options);
        let cond = self.expr(Ty::Bool, 2);
        vec![Stmt::If(cond, Block { statements: vec![chosen], value: None }, None)]
    }
}

/// The variable or parameter of a place.
fn root(place: &str) -> &str {
    place.trim_start_matches(['*', '(']).split(['.', '[', ')']).next().unwrap_or(place)
}
