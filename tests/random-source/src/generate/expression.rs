//! Random expressions of a wanted type.

use super::{Maker, Variable};
use crate::program::{Arm, Block, Expr, Stmt, Ty, assign};

fn name(text: &str) -> Expr {
    Expr::Name(text.into())
}

fn binary(op: &'static str, l: Expr, r: Expr) -> Expr {
    Expr::Binary(op, Box::new(l), Box::new(r))
}

fn index(array: &str, i: Expr) -> Expr {
    Expr::Index(Box::new(name(array)), Box::new(i))
}

fn field(value: Expr, f: &'static str) -> Expr {
    Expr::Field(Box::new(value), f)
}

impl Maker {
    /// An expression of type `ty`; `depth` bounds its height.
    pub(super) fn expr(&mut self, ty: Ty, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf(ty);
        }
        match self.random.below(20) {
            0 | 1 => self.leaf(ty),
            2 => {
                let cond = self.expr(Ty::Bool, depth - 1);
                let (then, otherwise) = (self.value_block(ty, depth - 1), self.value_block(ty, depth - 1));
                Expr::If(Box::new(cond), then, otherwise)
            }
            3 => Expr::Block(self.value_block(ty, depth - 1)),
            4 => self.matching(ty, depth - 1),
            5 if depth >= 2 && self.loops.len() < 2 => self.value_loop(ty),
            _ => self.operation(ty, depth - 1),
        }
    }

    fn leaf(&mut self, ty: Ty) -> Expr {
        let variables = self.visible(|v: &Variable| v.ty == ty);
        if !variables.is_empty() && self.random.chance(70) {
            return name(&self.random.pick(&variables));
        }
        if self.random.chance(50)
            && let Some(e) = self.memory(ty)
        {
            return e;
        }
        self.literal(ty)
    }

    /// A read of an array or parameter.
    fn memory(&mut self, ty: Ty) -> Option<Expr> {
        if self.random.chance(25)
            && let Some(e) = self.array_value(ty)
        {
            return Some(e);
        }
        let array = match ty {
            Ty::F32 => "fa",
            Ty::F64 => "ga",
            Ty::I32 => "ia",
            Ty::U64 => "ua",
            _ => "va",
        };
        if !self.is_free(array) || !self.is_free("va") || !self.is_free("fb") || !self.is_free("ib") {
            return None;
        }
        let own = || name("i");
        let body = |m: &mut Maker| {
            if m.is_free("sa") && m.random.chance(50) { index("sa", name("i")) } else { index("sb", m.any_index("sb")) }
        };
        Some(match ty {
            Ty::F32 => match self.random.below(6) {
                0 => index("fa", own()),
                1 => field(index("va", own()), "y"),
                2 => field(body(self), "m"),
                3 => field(field(body(self), "q"), "c"),
                4 => name("nf"),
                _ => index("fb", self.any_index("fb")),
            },
            Ty::F64 => index("ga", own()),
            Ty::I32 => match self.random.below(4) {
                0 => index("ia", own()),
                1 => name("ni"),
                2 => field(body(self), "k"),
                _ => index("ib", self.any_index("ib")),
            },
            Ty::U64 => index("ua", own()),
            Ty::U32 => name("nu"),
            Ty::U16 => field(field(body(self), "q"), "n"),
            Ty::Bool => index("hb", self.any_index("hb")),
            Ty::Usize => match self.random.below(3) {
                0 => own(),
                1 => Expr::Method(Box::new(name("fb")), "len", vec![]),
                _ => Expr::Method(Box::new(name("ia")), "len", vec![]),
            },
            Ty::Vec3 if self.random.chance(50) => index("va", own()),
            Ty::Vec3 => field(body(self), "p"),
            Ty::Body => body(self),
            _ => return None,
        })
    }

    /// An index into a read-only array: masked, or whatever in risky kernels.
    fn any_index(&mut self, array: &str) -> Expr {
        let from = self.random.pick(&[Ty::I32, Ty::U32, Ty::Usize, Ty::U8]);
        let value = self.expr(from, 1);
        let value = if from == Ty::Usize { value } else { Expr::Cast { value: Box::new(value), from, to: Ty::Usize } };
        if self.risky && self.random.chance(12) {
            return value;
        }
        binary("%", value, Expr::Method(Box::new(name(array)), "len", vec![]))
    }

    pub(super) fn literal(&mut self, ty: Ty) -> Expr {
        let text = match ty {
            Ty::Bool => self.random.pick(&["true", "false"]).to_string(),
            Ty::F32 | Ty::F64 => {
                self.random.pick(&["0.0", "1.0", "0.5", "2.0", "-1.5", "3.25", "0.1", "-0.3", "1e3", "7.0"]).to_string()
            }
            Ty::Vec3 => {
                let parts = (0..3).map(|_| self.literal(Ty::F32)).collect();
                return Expr::Call("Vec3::new", parts);
            }
            Ty::Body => {
                let parts = [Ty::Vec3, Ty::F32, Ty::I32, Ty::F32, Ty::U16].map(|t| self.literal(t));
                return Expr::BodyLit(parts.into());
            }
            Ty::DuoF | Ty::DuoI => {
                let of = argument(ty);
                let parts = vec![self.literal(of), self.literal(of)];
                return Expr::DuoLit(ty, self.random.chance(50), parts);
            }
            Ty::Pair => return Expr::Tuple(vec![self.literal(Ty::F32), self.literal(Ty::I32)]),
            Ty::OptI | Ty::OptF => {
                let inner = if ty == Ty::OptI { Ty::I32 } else { Ty::F32 };
                return if self.random.chance(30) {
                    Expr::None(ty)
                } else {
                    Expr::Call("Some", vec![self.literal(inner)])
                };
            }
            Ty::ArrF => return Expr::Array((0..4).map(|_| self.literal(Ty::F32)).collect()),
            Ty::ArrI => return Expr::Array((0..4).map(|_| self.literal(Ty::I32)).collect()),
            Ty::Rig => {
                let parts = [[Ty::F32; 4].as_slice(), &[Ty::I32; 6], &[Ty::Vec3]].concat();
                return Expr::RigLit(parts.into_iter().map(|t| self.literal(t)).collect());
            }
            Ty::Wide => return Expr::Repeat(Box::new(self.literal(Ty::I32)), 20),
            Ty::Rows => return Expr::Repeat(Box::new(self.literal(Ty::Wide)), 3),
            Ty::Mat => return Expr::Call("Mat3::from_cols", (0..3).map(|_| self.literal(Ty::Vec3)).collect()),
            Ty::Mode => return name(self.random.pick(&["Mode::Off", "Mode::Slow", "Mode::Fast"])),
            t if t.is_signed() => {
                let extreme =
                    [("i8", "-128"), ("i16", "-32768"), ("i32", "-2147483648"), ("i64", "-9223372036854775808")];
                let this = extreme.iter().find(|(n, _)| *n == crate::text::Numbers::Real.ty(t)).expect("signed").1;
                self.random.pick(&["0", "1", "2", "3", "-1", "7", "100", "-5", this]).to_string()
            }
            _ => self.random.pick(&["0", "1", "2", "3", "5", "8", "31", "255"]).to_string(),
        };
        let suffix = !matches!(ty, Ty::Bool);
        Expr::Lit { ty, text, suffix }
    }

    fn value_block(&mut self, ty: Ty, depth: u32) -> Block {
        self.scopes.push(vec![]);
        let mut block = Block::default();
        for _ in 0..self.random.below(2) {
            let inner = self.any_type();
            let value = self.expr(inner, depth);
            let shadow = self.random.pick(&["a", "b", "c"]);
            block.statements.push(Stmt::Let { pattern: format!("mut {shadow}"), ty: Some(inner), value });
            self.declare(shadow, inner, true);
        }
        if self.random.chance(40) {
            block.statements.extend(self.assignment(depth));
        }
        block.value = Some(Box::new(self.expr(ty, depth)));
        self.scopes.pop();
        block
    }

    fn matching(&mut self, ty: Ty, depth: u32) -> Expr {
        let arm = |pattern: &str, guard: Option<Expr>, value: Expr| Arm { pattern: pattern.into(), guard, value };
        let (scrutinee, arms) = match self.random.below(4) {
            0 => {
                let s = self.expr(Ty::Mode, depth.min(1));
                (s, vec![("Mode::Off", false), ("Mode::Slow", true), ("_", false)])
            }
            1 => {
                let s = Expr::Tuple(vec![self.expr(Ty::Bool, depth), self.expr(Ty::I32, depth.min(1))]);
                (s, vec![("(true, 0..=3)", false), ("(false, 1 | 2 | 5)", true), ("(_, ..0)", false), ("_", false)])
            }
            2 => {
                let s = self.expr(Ty::OptI, depth.min(1));
                (s, vec![("Some(-3..=3)", true), ("None", false), ("Some(_)", false)])
            }
            _ => {
                let s = self.expr(Ty::I32, depth);
                (s, vec![("0", false), ("1..=4", true), ("-9..0 | 7", false), ("_", false)])
            }
        };
        let mut made = vec![];
        for (pattern, guarded) in arms {
            let guard = (guarded && self.random.chance(50)).then(|| self.expr(Ty::Bool, depth.min(1)));
            let value = self.expr(ty, depth);
            made.push(arm(pattern, guard, value));
        }
        // A block copies the scrutinee, so that a guard may assign to the variable it came from.
        let scrutinee = Expr::Block(Block { statements: vec![], value: Some(Box::new(scrutinee)) });
        Expr::Match(Box::new(scrutinee), made)
    }

    fn operation(&mut self, ty: Ty, depth: u32) -> Expr {
        match ty {
            Ty::Bool => self.boolean(depth),
            Ty::F32 | Ty::F64 => self.float(ty, depth),
            t if t.is_int() => self.integer(t, depth),
            Ty::Vec3 => self.vector(depth),
            Ty::Body => {
                if self.random.chance(40) {
                    return binary("+", self.expr(Ty::Body, depth), self.expr(Ty::Body, depth.min(1)));
                }
                let parts = [Ty::Vec3, Ty::F32, Ty::I32, Ty::F32, Ty::U16].map(|t| self.expr(t, depth));
                Expr::BodyLit(parts.into())
            }
            Ty::DuoF | Ty::DuoI => self.duo(ty, depth),
            Ty::Pair => Expr::Tuple(vec![self.expr(Ty::F32, depth), self.expr(Ty::I32, depth)]),
            Ty::OptI | Ty::OptF => {
                let inner = if ty == Ty::OptI { Ty::I32 } else { Ty::F32 };
                if self.random.chance(30) { Expr::None(ty) } else { Expr::Call("Some", vec![self.expr(inner, depth)]) }
            }
            Ty::ArrF => Expr::Array((0..4).map(|_| self.expr(Ty::F32, depth)).collect()),
            Ty::ArrI => Expr::Array((0..4).map(|_| self.expr(Ty::I32, depth)).collect()),
            Ty::Rig => {
                let parts = [[Ty::F32; 4].as_slice(), &[Ty::I32; 6], &[Ty::Vec3]].concat();
                Expr::RigLit(parts.into_iter().map(|t| self.expr(t, depth.min(1))).collect())
            }
            Ty::Wide => Expr::Repeat(Box::new(self.expr(Ty::I32, depth)), 20),
            Ty::Rows => Expr::Repeat(Box::new(self.expr(Ty::Wide, depth)), 3),
            Ty::Mat => Expr::Call("Mat3::from_cols", (0..3).map(|_| self.expr(Ty::Vec3, depth)).collect()),
            _ => self.literal(ty),
        }
    }

    /// An instance of the generic struct.
    fn duo(&mut self, ty: Ty, depth: u32) -> Expr {
        let of = argument(ty);
        match self.random.below(5) {
            0 => binary("+", self.expr(ty, depth), self.expr(ty, depth.min(1))),
            1 => binary("*", self.expr(ty, depth), self.expr(of, depth.min(1))),
            2 => Expr::Method(Box::new(self.expr(ty, depth)), "swapped", vec![]),
            3 => {
                let new = if ty == Ty::DuoF { "Duo::<f32>::new" } else { "Duo::new" };
                Expr::Call(new, vec![self.expr(of, depth), self.expr(of, depth)])
            }
            _ => {
                let parts = vec![self.expr(of, depth), self.expr(of, depth)];
                Expr::DuoLit(ty, self.random.chance(50), parts)
            }
        }
    }

    /// A part of an instance of the generic struct, or their sum.
    fn of_duo(&mut self, ty: Ty, depth: u32) -> Expr {
        let whole = Box::new(self.expr(ty, depth.min(1)));
        match self.random.below(3) {
            0 => Expr::Field(whole, "a"),
            1 => Expr::Field(whole, "b"),
            _ => Expr::Method(whole, "sum", vec![]),
        }
    }

    fn boolean(&mut self, depth: u32) -> Expr {
        match self.random.below(6) {
            0 => Expr::Unary("!", Box::new(self.expr(Ty::Bool, depth))),
            1 | 2 => {
                let op = self.random.pick(&["&&", "||", "&", "|", "^"]);
                binary(op, self.expr(Ty::Bool, depth), self.expr(Ty::Bool, depth))
            }
            3 => Expr::Method(Box::new(self.expr(Ty::OptF, depth.min(1))), "is_some", vec![]),
            _ => {
                let ty = self.random.pick(&[Ty::I32, Ty::F32, Ty::U64, Ty::I8, Ty::F64, Ty::Usize]);
                let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                binary(op, self.expr(ty, depth), self.expr(ty, depth))
            }
        }
    }

    fn float(&mut self, ty: Ty, depth: u32) -> Expr {
        if ty == Ty::F32
            && let Some(e) = self.around_places(ty, depth)
        {
            return e;
        }
        match self.random.below(15) {
            0 => Expr::Unary("-", Box::new(self.expr(ty, depth))),
            1 => {
                let method = self.random.pick(&["abs", "floor", "ceil", "trunc", "round"]);
                Expr::Method(Box::new(self.expr(ty, depth)), method, vec![])
            }
            2 => {
                let inner = Expr::Method(Box::new(self.expr(ty, depth)), "abs", vec![]);
                Expr::Method(Box::new(inner), "sqrt", vec![])
            }
            // Rust does not say which zero `min` and `max` give; adding zero makes them one.
            3 => {
                let method = self.random.pick(&["min", "max"]);
                let chosen = Expr::Method(Box::new(self.expr(ty, depth)), method, vec![self.expr(ty, depth)]);
                binary("+", chosen, Expr::Lit { ty, text: "0.0".into(), suffix: true })
            }
            4 => {
                let from = self.random.pick(&[Ty::I32, Ty::U8, Ty::I64, Ty::U64, Ty::U32]);
                Expr::Cast { value: Box::new(self.expr(from, depth)), from, to: ty }
            }
            5 => {
                let from = if ty == Ty::F32 { Ty::F64 } else { Ty::F32 };
                Expr::Cast { value: Box::new(self.expr(from, depth)), from, to: ty }
            }
            6 if ty == Ty::F32 => Expr::Call("blend", (0..3).map(|_| self.expr(Ty::F32, depth)).collect()),
            7 if ty == Ty::F32 => {
                Expr::Method(Box::new(self.expr(Ty::Vec3, depth)), "dot", vec![self.expr(Ty::Vec3, depth)])
            }
            8 if ty == Ty::F32 => Expr::Method(Box::new(self.expr(Ty::Body, depth.min(1))), "energy", vec![]),
            9 if ty == Ty::F32 => self.element(Ty::ArrF),
            10 if ty == Ty::F32 => {
                Expr::Method(Box::new(self.expr(Ty::OptF, depth)), "unwrap_or", vec![self.expr(Ty::F32, depth)])
            }
            11 if ty == Ty::F32 => Expr::Field(Box::new(self.expr(Ty::Pair, depth.min(1))), "0"),
            12 if ty == Ty::F32 => self.of_duo(Ty::DuoF, depth),
            _ => {
                let op = self.random.pick(&["+", "-", "*", "/", "+", "-", "*"]);
                let left = self.expr(ty, depth);
                binary(op, left, self.operand(ty, depth))
            }
        }
    }

    /// In some of the cases: a number that comes of places which change on the way.
    fn around_places(&mut self, ty: Ty, depth: u32) -> Option<Expr> {
        match self.random.below(20) {
            0 | 1 => self.of_part(ty, depth),
            2 => self.changed_receiver(ty, depth),
            3 if ty == Ty::F32 => self.of_body(depth),
            _ => None,
        }
    }

    /// A right-hand side: a literal may go without its suffix, for inference to find.
    fn operand(&mut self, ty: Ty, depth: u32) -> Expr {
        let mut e = self.expr(ty, depth);
        if let Expr::Lit { suffix, .. } = &mut e {
            *suffix = false;
        }
        e
    }

    fn element(&mut self, array: Ty) -> Expr {
        let found = self.visible(|v| v.ty == array);
        let value = if found.is_empty() { self.literal(array) } else { name(&self.random.pick(&found)) };
        let i = if self.risky && self.random.chance(15) {
            self.expr(Ty::Usize, 1)
        } else if self.random.chance(40) {
            Expr::Lit { ty: Ty::Usize, text: self.random.pick(&["0", "1", "2", "3"]).into(), suffix: false }
        } else {
            binary("&", self.expr(Ty::Usize, 1), Expr::Lit { ty: Ty::Usize, text: "3".into(), suffix: false })
        };
        Expr::Index(Box::new(value), Box::new(i))
    }

    fn integer(&mut self, ty: Ty, depth: u32) -> Expr {
        if ty == Ty::I32
            && let Some(e) = self.around_places(ty, depth)
        {
            return e;
        }
        match self.random.below(17) {
            0 if ty.is_signed() => Expr::Unary("-", Box::new(self.expr(ty, depth))),
            1 => Expr::Unary("!", Box::new(self.expr(ty, depth))),
            2 | 3 => {
                let from = self.random.pick(&[
                    Ty::I8,
                    Ty::I16,
                    Ty::I32,
                    Ty::I64,
                    Ty::U8,
                    Ty::U16,
                    Ty::U32,
                    Ty::U64,
                    Ty::Usize,
                    Ty::F32,
                    Ty::F64,
                    Ty::Bool,
                ]);
                Expr::Cast { value: Box::new(self.expr(from, depth)), from, to: ty }
            }
            4 | 5 => {
                let op = self.random.pick(&["/", "%"]);
                let left = self.expr(ty, depth);
                binary(op, left, self.divisor(ty, depth))
            }
            6 => {
                let op = self.random.pick(&["<<", ">>"]);
                binary(op, self.expr(ty, depth), self.expr(Ty::U32, depth.min(1)))
            }
            7 => {
                let method = self.random.pick(&[
                    "min",
                    "max",
                    "wrapping_add",
                    "wrapping_mul",
                    "wrapping_sub",
                    "saturating_add",
                    "saturating_sub",
                ]);
                Expr::Method(Box::new(self.expr(ty, depth)), method, vec![self.expr(ty, depth)])
            }
            8 => {
                let method = self.random.pick(&["rotate_left", "rotate_right"]);
                Expr::Method(Box::new(self.expr(ty, depth)), method, vec![self.expr(Ty::U32, depth.min(1))])
            }
            9 if ty == Ty::U32 => {
                let of = self.random.pick(&Ty::INTS);
                let method = self.random.pick(&["count_ones", "leading_zeros", "trailing_zeros"]);
                Expr::Method(Box::new(self.expr(of, depth)), method, vec![])
            }
            9 => {
                Expr::Method(Box::new(self.expr(ty, depth)), self.random.pick(&["swap_bytes", "reverse_bits"]), vec![])
            }
            10 if ty == Ty::I32 => {
                let variables = self.visible(|v| v.ty == Ty::I32 && v.mutable);
                if variables.is_empty() {
                    return self.leaf(ty);
                }
                let target = format!("&mut {}", self.random.pick(&variables));
                // The argument is a literal: Rust would refuse one that reads the borrowed variable.
                Expr::Call("bump", vec![name(&target), self.literal(Ty::I32)])
            }
            11 if ty == Ty::I32 => self.element(Ty::ArrI),
            12 if ty == Ty::I32 => {
                Expr::Method(Box::new(self.expr(Ty::OptI, depth)), "unwrap_or", vec![self.expr(Ty::I32, depth)])
            }
            14 if ty == Ty::I32 => self.of_duo(Ty::DuoI, depth),
            13 if ty == Ty::I32 => {
                let value = Box::new(self.expr(Ty::Mode, depth.min(1)));
                Expr::Cast { value, from: Ty::Mode, to: Ty::I32 }
            }
            _ => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                let left = self.expr(ty, depth);
                binary(op, left, self.operand(ty, depth))
            }
        }
    }

    /// A divisor that cannot fault, or any in risky kernels.
    fn divisor(&mut self, ty: Ty, depth: u32) -> Expr {
        let lit = |text: &str| Expr::Lit { ty, text: text.into(), suffix: false };
        let value = self.expr(ty, depth);
        if self.risky && self.random.chance(30) {
            return value;
        }
        binary("+", binary("&", value, lit("7")), lit("1"))
    }

    fn vector(&mut self, depth: u32) -> Expr {
        if self.random.chance(8)
            && let Some(e) = self.changed_receiver(Ty::Vec3, depth)
        {
            return e;
        }
        match self.random.below(6) {
            0 => Expr::Unary("-", Box::new(self.expr(Ty::Vec3, depth))),
            1 => Expr::Call("Vec3::new", (0..3).map(|_| self.expr(Ty::F32, depth)).collect()),
            2 => {
                let op = self.random.pick(&["*", "/"]);
                binary(op, self.expr(Ty::Vec3, depth), self.expr(Ty::F32, depth))
            }
            3 => Expr::Method(Box::new(self.expr(Ty::Vec3, depth)), "cross", vec![self.expr(Ty::Vec3, depth)]),
            _ => {
                let op = self.random.pick(&["+", "-", "*", "/"]);
                binary(op, self.expr(Ty::Vec3, depth), self.expr(Ty::Vec3, depth))
            }
        }
    }

    /// `{ let mut l = 0u32; loop { l += 1; .. if l > n { break v; } } }`
    fn value_loop(&mut self, ty: Ty) -> Expr {
        let counter = self.fresh("l");
        let lit = |text: String| Expr::Lit { ty: Ty::U32, text, suffix: false };
        let start = Stmt::Let { pattern: format!("mut {counter}"), ty: Some(Ty::U32), value: lit("0".into()) };
        self.loops.push(super::Loop { label: None, value: Some(ty) });
        self.scopes.push(vec![]);
        self.declare(&counter, Ty::U32, false);
        let mut body = vec![assign(name(&counter), "+=", lit("1".into()))];
        body.extend(self.statements(2));
        let last = self.expr(ty, 1);
        let limit = binary(">", name(&counter), lit(self.random.below(4).to_string()));
        body.push(Stmt::If(limit, Block { statements: vec![Stmt::Break(None, Some(last))], value: None }, None));
        // `continue` must not jump over the limit, so it stands first as well.
        let guard = binary(">", name(&counter), lit("6".into()));
        let fallback = self.literal(ty);
        body.insert(
            1,
            Stmt::If(guard, Block { statements: vec![Stmt::Break(None, Some(fallback))], value: None }, None),
        );
        self.scopes.pop();
        self.loops.pop();
        let value = Expr::Loop(Block { statements: body, value: None });
        Expr::Block(Block { statements: vec![start], value: Some(Box::new(value)) })
    }
}

/// The argument of an instance of the generic struct.
fn argument(ty: Ty) -> Ty {
    if ty == Ty::DuoF { Ty::F32 } else { Ty::I32 }
}
