//! Random bodies: statements, branches, loops.

use super::memory::Role;
use super::pool::Pool;
use super::rng::Rng;
use crate::builder::Builder;
use crate::ir::{CheckKind, Function, LocalId, Scalar, Source, SourceId, Value};

/// A kernel in the making.
pub(super) struct Maker {
    pub(super) rng: Rng,
    pub(super) b: Builder,
    pub(super) pool: Pool,
    pub(super) rank: u8,
    /// Types that this kernel likes.
    pub(super) palette: Vec<Scalar>,
    /// By array parameter.
    pub(super) roles: Vec<Role>,
    /// Local arrays with contents here.
    pub(super) locals: Vec<LocalId>,
    /// The thread's coordinates.
    pub(super) tid: Vec<Value>,
    /// Whether checks may fail on purpose.
    risky: bool,
    /// Whether values get spans.
    spans: bool,
    /// Statements left.
    budget: u32,
    /// Loops and branches around here.
    loops: u32,
    depth: u32,
}

/// What a statement can be.
#[derive(Clone, Copy, PartialEq)]
enum Statement {
    Expressions,
    Components,
    Load,
    Store,
    Update,
    Atomic,
    Local,
    If,
    Loop,
    Assert,
    Print,
}

/// Statements with their weights.
const STATEMENTS: [(Statement, u64); 11] = [
    (Statement::Expressions, 26),
    (Statement::Components, 6),
    (Statement::Load, 14),
    (Statement::Store, 6),
    (Statement::Update, 10),
    (Statement::Atomic, 6),
    (Statement::Local, 10),
    (Statement::If, 9),
    (Statement::Loop, 7),
    (Statement::Assert, 4),
    (Statement::Print, 2),
];

/// Statements that a kernel has for certain, each with its chance in percent.
const PLANNED: [(Statement, u64); 5] = [
    (Statement::Loop, 55),
    (Statement::If, 50),
    (Statement::Local, 45),
    (Statement::Update, 60),
    (Statement::Atomic, 30),
];

impl Maker {
    pub(super) fn new(seed: u64) -> Maker {
        let mut rng = Rng::new(seed);
        let mut palette: Vec<Scalar> = (0..4).map(|_| rng.pick(&Scalar::ALL)).collect();
        palette.push(rng.pick(&[Scalar::F32, Scalar::F32, Scalar::F64]));
        palette.push(rng.pick(&[Scalar::I32, Scalar::U32, Scalar::U64, Scalar::I64]));
        let mut maker = Maker {
            b: Builder::new(&format!("random{seed}")),
            pool: Pool::default(),
            rank: rng.pick(&[1, 1, 1, 2, 2, 3]),
            palette,
            roles: vec![],
            locals: vec![],
            tid: vec![],
            risky: rng.chance(80),
            spans: rng.chance(50),
            budget: rng.pick(&[6, 12, 12, 20, 30]),
            loops: 0,
            depth: 0,
            rng,
        };
        maker.declare();
        maker
    }

    pub(super) fn rank(&self) -> u8 {
        self.rank
    }

    pub(super) fn finish(self) -> Function {
        self.b.finish(&[])
    }

    fn declare(&mut self) {
        self.array(Role::Own);
        for _ in 0..self.rng.below(4) {
            let role = match self.rng.below(3) {
                0 => Role::Own,
                _ => Role::Input,
            };
            self.array(role);
        }
        let shared = self.shared_role();
        self.array(shared);
        for k in 0..self.rng.below(4) {
            let scalar = self.liked();
            let value = self.b.param(&format!("p{k}"), scalar);
            self.pool.add(scalar, value);
        }
        for dim in 0..self.rank {
            let tid = self.b.tid(dim);
            self.tid.push(tid);
            self.pool.add(Scalar::U64, tid);
        }
        for _ in 0..self.rng.below(3) {
            let scalar = self.liked();
            let value = self.b.slot(scalar);
            self.pool.add(scalar, value);
        }
        if self.rng.chance(30) {
            self.table();
        }
    }

    fn table(&mut self) {
        let scalar = self.liked();
        let elements = (0..4).map(|_| super::bits::bits(&mut self.rng, scalar)).collect();
        let table = self.b.table(scalar, elements);
        let (raw, mask) = (self.value(Scalar::U64), self.b.u64(3));
        let index = self.b.and(raw, mask);
        let value = self.b.lookup(table, index);
        self.pool.add(scalar, value);
    }

    /// The whole body: planned statements among random ones, and a store at the end, so that something comes of it.
    pub(super) fn body(&mut self) {
        let planned: Vec<Statement> =
            PLANNED.into_iter().filter(|&(_, percent)| self.rng.chance(percent)).map(|(s, _)| s).collect();
        for statement in planned {
            self.block(2);
            self.statement(statement);
        }
        while self.budget > 0 {
            self.block(4);
        }
        self.store(true);
    }

    /// A new place in the source; every check has its own.
    pub(super) fn source(&mut self) -> SourceId {
        let line = self.b.function().sources.len() as u32 + 1;
        let source =
            self.b.source(Source { file: "random.rs".into(), line, column: 1, text: format!("expression {line}") });
        if self.spans {
            self.b.at(Some(source));
        }
        source
    }

    /// Whether something may be made that can fail: never in a kernel that takes no risks.
    pub(super) fn takes_risk(&mut self) -> bool {
        self.risky && self.rng.chance(40)
    }

    /// Up to `most` random statements.
    fn block(&mut self, most: u64) {
        for _ in 0..self.rng.below(most) + 1 {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            let mut at = self.rng.below(100);
            for (statement, weight) in STATEMENTS {
                if at < weight {
                    self.statement(statement);
                    break;
                }
                at -= weight;
            }
        }
    }

    fn statement(&mut self, statement: Statement) {
        match statement {
            Statement::Expressions => {
                for _ in 0..self.rng.range(1, 4) {
                    self.expression();
                }
            }
            Statement::Components => self.components(),
            Statement::Load => self.load(),
            Statement::Store => self.store(false),
            Statement::Update => self.store(true),
            Statement::Atomic => self.shared_atomic(),
            Statement::Local => self.local_access(),
            Statement::If if self.depth < 4 => self.branch(),
            Statement::Loop if self.loops < 2 && self.depth < 4 => self.repeat(),
            Statement::Assert => self.assert(),
            Statement::Print => self.print(),
            _ => {
                self.expression();
            }
        }
    }

    fn assert(&mut self) {
        let cond = if self.takes_risk() {
            self.condition()
        } else {
            let (a, b) = (self.value(Scalar::U64), self.value(Scalar::U64));
            let most = self.b.max(a, b);
            self.b.le(a, most)
        };
        let source = self.source();
        let (kind, operands) = match self.rng.below(3) {
            0 => (CheckKind::Unwrap { message: String::new() }, vec![]),
            1 => (CheckKind::StepZero, vec![]),
            _ => {
                let (message, operands) = self.said();
                (CheckKind::Assert { message }, operands)
            }
        };
        self.b.check(cond, kind, &operands, source);
    }

    /// Statements in a region of their own, which yields values of these types.
    fn nested(
        &mut self,
        params: &[Scalar],
        inside: impl FnOnce(&mut Maker, &[Value]) -> Vec<Value>,
    ) -> crate::ir::Region {
        let (mark, locals) = (self.pool.mark(), self.locals.len());
        self.depth += 1;
        let values = self.b.open(params);
        for (&scalar, &value) in params.iter().zip(&values) {
            self.pool.add(scalar, value);
        }
        let yields = inside(self, &values);
        let region = self.b.close(&yields);
        self.depth -= 1;
        self.pool.cut(mark);
        self.locals.truncate(locals);
        region
    }

    fn some_types(&mut self, most: u64) -> Vec<Scalar> {
        (0..self.rng.below(most + 1)).map(|_| self.liked()).collect()
    }

    fn branch(&mut self) {
        let cond = self.condition();
        let scalars = self.some_types(3);
        let arm = |maker: &mut Maker, _: &[Value]| {
            maker.block(3);
            scalars.iter().map(|&s| maker.value(s)).collect()
        };
        let then = self.nested(&[], arm);
        let otherwise = self.nested(&[], arm);
        for (scalar, value) in scalars.iter().zip(self.b.push_if(cond, then, otherwise)) {
            self.pool.add(*scalar, value);
        }
    }

    /// A loop of at most five turns, often of none: carried values after the counter and, for one that breaks, a flag.
    fn repeat(&mut self) {
        let breaks = self.rng.chance(60);
        let count = self.count();
        let mut scalars = vec![Scalar::U64];
        let mut inits = vec![self.b.u64(0)];
        if breaks {
            scalars.push(Scalar::Bool);
            inits.push(self.b.bool(false));
        }
        let fixed = scalars.len();
        // The condition asks something of a value that no turn changes, and that a carried value begins with.
        let asked = self.rng.chance(40).then(|| {
            let scalar = self.integer();
            self.value(scalar)
        });
        if let Some(asked) = asked {
            scalars.push(self.b.scalar(asked));
            inits.push(asked);
        }
        for scalar in self.some_types(3) {
            scalars.push(scalar);
            inits.push(self.value(scalar));
        }
        self.loops += 1;
        let cond = self.nested(&scalars, |maker, carried| {
            let mut go = maker.b.lt(carried[0], count);
            if let Some(asked) = asked {
                let holds = maker.asks(asked);
                go = maker.b.and(go, holds);
            }
            if breaks {
                let goes_on = maker.b.not(carried[1]);
                go = maker.b.and(go, goes_on);
            }
            vec![go]
        });
        let body = self.nested(&scalars, |maker, carried| {
            maker.block(3);
            let rest = if breaks {
                maker.breaking(&scalars[fixed..], &carried[fixed..])
            } else {
                maker.going_on(&scalars[fixed..], &carried[fixed..])
            };
            let one = maker.b.u64(1);
            let mut yields = vec![maker.b.add(carried[0], one)];
            yields.extend(rest);
            if asked.is_some() && maker.rng.chance(50) {
                let few = maker.rng.below(12) as i64;
                yields[fixed] = maker.b.int(scalars[fixed], few);
            }
            yields
        });
        self.loops -= 1;
        let results = self.b.push_loop(&inits, cond, body);
        for (&scalar, &value) in scalars.iter().zip(&results) {
            self.pool.add(scalar, value);
        }
        if asked.is_some() {
            self.ask_after(results[fixed]);
        }
    }

    /// How an integer compares with a small constant, or with anything.
    fn asks(&mut self, value: Value) -> Value {
        let scalar = self.b.scalar(value);
        let few = self.rng.below(16) as i64;
        let other = if self.rng.chance(70) { self.b.int(scalar, few) } else { self.value(scalar) };
        self.compared(value, other)
    }

    /// The same question of what a loop left, on which something depends.
    fn ask_after(&mut self, result: Value) {
        let cond = self.asks(result);
        if self.takes_risk() {
            let source = self.source();
            return self.b.check(cond, CheckKind::StepZero, &[], source);
        }
        let scalar = self.liked();
        let arm = |maker: &mut Maker, _: &[Value]| vec![maker.value(scalar)];
        let (then, otherwise) = (self.nested(&[], arm), self.nested(&[], arm));
        let chosen = self.b.push_if(cond, then, otherwise);
        self.pool.add(scalar, chosen[0]);
    }

    /// How many turns a loop takes.
    fn count(&mut self) -> Value {
        if self.rng.chance(40) {
            let count = self.rng.below(5);
            return self.b.u64(count);
        }
        let raw = self.value(Scalar::U64);
        let limit = self.b.u64(self.rng.range(2, 6));
        self.b.rem(raw, limit)
    }

    /// New values for what a loop carries; some exchange their places.
    fn going_on(&mut self, scalars: &[Scalar], carried: &[Value]) -> Vec<Value> {
        let mut next: Vec<Value> = Vec::new();
        for (k, &scalar) in scalars.iter().enumerate() {
            let same: Vec<usize> = (0..scalars.len()).filter(|&j| j != k && scalars[j] == scalar).collect();
            next.push(match self.rng.below(5) {
                0 if !same.is_empty() => carried[self.rng.pick(&same)],
                0 => carried[k],
                1 => self.value(scalar),
                _ => self.computed(scalar),
            });
        }
        next
    }

    /// `if condition { break }` in the middle of a body: the flag and the next carried values.
    fn breaking(&mut self, scalars: &[Scalar], carried: &[Value]) -> Vec<Value> {
        let cond = self.condition();
        let then = self.nested(&[], |maker, _| {
            let mut yields = vec![maker.b.bool(true)];
            yields.extend(carried);
            yields
        });
        let otherwise = self.nested(&[], |maker, _| {
            maker.block(3);
            let mut yields = vec![maker.b.bool(false)];
            yields.extend(maker.going_on(scalars, carried));
            yields
        });
        self.b.push_if(cond, then, otherwise)
    }
}
