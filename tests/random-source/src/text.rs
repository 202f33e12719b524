//! Prints a random kernel as Rust: with real numbers, or with bounded ones.

use crate::program::{Arm, Block, Expr, Iter, Stmt, Ty};

/// The parameters of every random kernel.
pub fn parameters(numbers: Numbers) -> String {
    let [f, d, v, b, r] = [Ty::F32, Ty::F64, Ty::Vec3, Ty::Body, Ty::Rig].map(|t| numbers.ty(t));
    format!(
        "fa: &mut [{f}], ga: &mut [{d}], ia: &mut [i32], ua: &mut [u64], va: &mut [{v}], sa: &mut [{b}], ra: &mut [{r}], \
         fb: &[{f}], ib: &[i32], sb: &[{b}], hb: &[bool], nf: {f}, ni: i32, nu: u32"
    )
}

/// Which numbers the text computes with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// `f32`, `f64`, `Vec3`, `Body`.
    Real,
    /// `F32`, `F64`, `Vec3B`, `BodyB`.
    Bounded,
}

impl Numbers {
    /// The type's name.
    pub fn ty(self, ty: Ty) -> &'static str {
        let bounded = self == Numbers::Bounded;
        match ty {
            Ty::Bool => "bool",
            Ty::I8 => "i8",
            Ty::I16 => "i16",
            Ty::I32 => "i32",
            Ty::I64 => "i64",
            Ty::U8 => "u8",
            Ty::U16 => "u16",
            Ty::U32 => "u32",
            Ty::U64 => "u64",
            Ty::Usize => "usize",
            Ty::F32 => ["f32", "F32"][bounded as usize],
            Ty::F64 => ["f64", "F64"][bounded as usize],
            Ty::Vec3 => ["Vec3", "Vec3B"][bounded as usize],
            Ty::Body => ["Body", "BodyB"][bounded as usize],
            Ty::DuoF => ["Duo<f32>", "DuoB<F32>"][bounded as usize],
            Ty::DuoI => "Duo<i32>",
            Ty::Pair => ["(f32, i32)", "(F32, i32)"][bounded as usize],
            Ty::OptI => "Option<i32>",
            Ty::OptF => ["Option<f32>", "Option<F32>"][bounded as usize],
            Ty::ArrF => ["[f32; 4]", "[F32; 4]"][bounded as usize],
            Ty::ArrI => "[i32; 4]",
            Ty::Mode => "Mode",
            Ty::Rig => ["Rig", "RigB"][bounded as usize],
            Ty::Wide => "[i32; 20]",
            Ty::Rows => "[[i32; 20]; 3]",
            Ty::Mat => ["Mat3", "Mat3B"][bounded as usize],
        }
    }

    /// A block, braces included.
    pub fn block(self, block: &Block) -> String {
        let mut out = String::from("{\n");
        for s in &block.statements {
            out += &self.statement(s);
            out.push('\n');
        }
        if let Some(v) = &block.value {
            out += &self.expr(v);
            out.push(' ');
        }
        out + "}"
    }

    fn statement(self, s: &Stmt) -> String {
        let label = |l: &Option<&'static str>| l.map(|l| format!("{l}: ")).unwrap_or_default();
        let target = |l: &Option<&'static str>| l.map(|l| format!(" {l}")).unwrap_or_default();
        match s {
            Stmt::Let { pattern, ty, value } => {
                let ty = ty.map(|t| format!(": {}", self.ty(t))).unwrap_or_default();
                format!("let {pattern}{ty} = {};", self.expr(value))
            }
            // Bounded numbers are no primitives, so the right side's turn comes first only by hand.
            Stmt::Assign { place, op, value, place_first: false } if self == Numbers::Bounded && *op != "=" => {
                format!("{{ let __right = {}; {} {op} __right; }}", self.expr(value), self.expr(place))
            }
            Stmt::Assign { place, op, value, .. } => format!("{} {op} {};", self.expr(place), self.expr(value)),
            Stmt::If(c, then, otherwise) => {
                let otherwise = otherwise.as_ref().map(|b| format!(" else {}", self.block(b))).unwrap_or_default();
                format!("if {} {}{otherwise}", self.expr(c), self.block(then))
            }
            Stmt::IfLet { pattern, value, then, otherwise } => {
                let otherwise = otherwise.as_ref().map(|b| format!(" else {}", self.block(b))).unwrap_or_default();
                format!("if let {pattern} = {} {}{otherwise}", self.expr(value), self.block(then))
            }
            Stmt::While { label: l, cond, body } => {
                format!("{}while {} {}", label(l), self.expr(cond), self.block(body))
            }
            Stmt::For { label: l, pattern, iter, body } => {
                format!("{}for {pattern} in {} {}", label(l), self.iter(iter), self.block(body))
            }
            Stmt::Break(l, value) => {
                let value = value.as_ref().map(|v| format!(" {}", self.expr(v))).unwrap_or_default();
                format!("break{}{value};", target(l))
            }
            Stmt::Continue(l) => format!("continue{};", target(l)),
            Stmt::Return => "return;".into(),
            Stmt::Assert(c) => format!("assert!({});", self.expr(c)),
            Stmt::Expr(e) => format!("{};", self.expr(e)),
            Stmt::Block(b) => self.block(b),
        }
    }

    fn iter(self, iter: &Iter) -> String {
        match iter {
            Iter::Range { lo, hi, inclusive, rev, step } => {
                let dots = if *inclusive { "..=" } else { ".." };
                let mut out = format!("({}{dots}{})", self.expr(lo), self.expr(hi));
                if *rev {
                    out += ".rev()";
                }
                if let Some(n) = step {
                    out += &format!(".step_by({n})");
                }
                out
            }
            Iter::Slice { name, enumerate } => {
                format!("{name}.iter(){}", if *enumerate { ".enumerate()" } else { "" })
            }
            Iter::Name(text) => text.clone(),
        }
    }

    /// An expression.
    pub fn expr(self, e: &Expr) -> String {
        match e {
            Expr::Lit { ty, text, suffix } => self.literal(*ty, text, *suffix),
            Expr::Name(n) => n.clone(),
            Expr::Field(v, f) => format!("{}.{f}", self.expr(v)),
            Expr::Index(a, i) => format!("{}[{}]", self.expr(a), self.expr(i)),
            Expr::Unary(op, v) => format!("({op}{})", self.expr(v)),
            // Rust compares bounded numbers by reference; a block copies the left one, which the right side may change.
            Expr::Binary(op @ ("==" | "!=" | "<" | "<=" | ">" | ">="), l, r) if self == Numbers::Bounded => {
                format!("({{ {} }} {op} {})", self.expr(l), self.expr(r))
            }
            Expr::Binary(op, l, r) => format!("({} {op} {})", self.expr(l), self.expr(r)),
            Expr::Cast { value, from, to } => self.cast(value, *from, *to),
            Expr::Method(v, name, args) => format!("{}.{name}({})", self.expr(v), self.list(args)),
            Expr::Call(name, args) => format!("{}({})", self.callee(name), self.list(args)),
            Expr::BodyLit(v) => {
                let names = if self == Numbers::Real { ("Body", "Inner") } else { ("BodyB", "InnerB") };
                let [p, m, k, c, n] = [0, 1, 2, 3, 4].map(|i| self.expr(&v[i]));
                format!("({} {{ p: {p}, m: {m}, k: {k}, q: {} {{ c: {c}, n: {n} }} }})", names.0, names.1)
            }
            Expr::DuoLit(ty, written, v) => {
                let name = if self == Numbers::Bounded && *ty == Ty::DuoF { "DuoB" } else { "Duo" };
                let of = self.ty(if *ty == Ty::DuoF { Ty::F32 } else { Ty::I32 });
                let argument = if *written { format!("::<{of}>") } else { String::new() };
                format!("({name}{argument} {{ a: {}, b: {} }})", self.expr(&v[0]), self.expr(&v[1]))
            }
            Expr::None(ty) => format!("None::<{}>", self.ty(if *ty == Ty::OptI { Ty::I32 } else { Ty::F32 })),
            Expr::Tuple(v) => format!("({})", self.list(v)),
            Expr::Array(v) => format!("[{}]", self.list(v)),
            Expr::Repeat(v, n) => format!("[{}; {n}]", self.expr(v)),
            Expr::RigLit(v) => {
                let name = if self == Numbers::Real { "Rig" } else { "RigB" };
                let (t, w, c) = (self.list(&v[..4]), self.list(&v[4..10]), self.expr(&v[10]));
                format!("({name} {{ t: [{t}], w: [{w}], c: {c} }})")
            }
            Expr::If(c, t, o) => format!("(if {} {} else {})", self.expr(c), self.block(t), self.block(o)),
            Expr::Match(v, arms) => {
                let arms: Vec<String> = arms.iter().map(|a| self.arm(a)).collect();
                format!("(match {} {{ {} }})", self.expr(v), arms.join(", "))
            }
            Expr::Block(b) => format!("({})", self.block(b)),
            Expr::Loop(b) => format!("(loop {})", self.block(b)),
        }
    }

    fn arm(self, arm: &Arm) -> String {
        let guard = arm.guard.as_ref().map(|g| format!(" if {}", self.expr(g))).unwrap_or_default();
        format!("{}{guard} => {}", arm.pattern, self.expr(&arm.value))
    }

    fn list(self, items: &[Expr]) -> String {
        items.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn callee(self, name: &str) -> String {
        match (self, name) {
            (Numbers::Bounded, "Vec3::new") => "Vec3B::new".into(),
            (Numbers::Bounded, "Mat3::from_cols") => "Mat3B::from_cols".into(),
            (Numbers::Bounded, "blend" | "total" | "lift") => format!("{name}_b"),
            // The instance of floats is named after them.
            (Numbers::Bounded, "Duo::<f32>::new") => "DuoB::<F32>::new".into(),
            _ => name.into(),
        }
    }

    fn literal(self, ty: Ty, text: &str, suffix: bool) -> String {
        if self == Numbers::Bounded && ty.is_float() {
            let real = Numbers::Real.ty(ty);
            return format!("{}::exact({text}{real} as f64)", self.ty(ty));
        }
        let text = if suffix { format!("{text}{}", self.ty(ty)) } else { text.into() };
        if text.starts_with('-') { format!("({text})") } else { text }
    }

    fn cast(self, value: &Expr, from: Ty, to: Ty) -> String {
        let v = self.expr(value);
        if self == Numbers::Real || !(from.is_float() || to.is_float()) {
            return format!("({v} as {})", Numbers::Real.ty(to));
        }
        match (from.is_float(), to) {
            (true, Ty::F32) => format!("{v}.narrow()"),
            (true, Ty::F64) => format!("{v}.wide()"),
            (true, _) => format!("({v}.whole() as {})", self.ty(to)),
            (false, _) => format!("{}::from_integer({v} as f64)", self.ty(to)),
        }
    }
}
