//! Random kernels of `f64` for derivatives: loops of every kind, exits, branches, memory updated in place.
//!
//! Values stay within a few units however long loops run, so that derivatives do too. Threads own windows of the arrays
//! that they write, or add to shared ones atomically, so that their order does not matter.

mod custom;

use super::Rng;
use crate::builder::Builder;
use crate::builtins::Builtin;
use crate::evaluate::{Array, Inputs, Layout};
use crate::ir::*;
use crate::validate::Valid;

/// Elements of each array that belong to one thread.
pub const WINDOW: u64 = 4;

/// Elements of the array that all threads read.
const SHARED: u64 = 6;

/// From this seed on kernels have derivatives of their own; those before stay what they are.
pub const CUSTOMS: u64 = 1_000_000;

/// A random kernel with a gradient. Its arrays: `x` is read anywhere, `n` holds integers as floats, threads own windows of
/// `y` and `z`, add to `s`, and draw numbers from the counters `c`. It asks for the gradient of its scalar `a`, and not
/// for that of `b`.
pub fn smooth(seed: u64) -> Valid<Kernel> {
    make(seed, None)
}

/// The same, with maxima or minima of what threads find in the array `m`.
pub fn smooth_with_maxima(seed: u64) -> Valid<Kernel> {
    make(seed, Some(if seed.is_multiple_of(2) { AtomicKind::Max } else { AtomicKind::Min }))
}

fn make(seed: u64, choice: Option<AtomicKind>) -> Valid<Kernel> {
    let mut maker = Smooth::new(seed);
    maker.customs = seed >= CUSTOMS;
    maker.choice = choice;
    let statements = maker.rng.range(10, 24);
    maker.block(statements);
    maker.outputs();
    let mut kernel = maker.b.finish_kernel(1);
    kernel.attributes.grad = vec!["a".into()];
    match Valid::<Kernel>::new(kernel) {
        Ok(kernel) => kernel,
        Err(e) => panic!("smooth kernel {seed} is not valid: {e}"),
    }
}

/// Random arguments for a smooth kernel, for a few threads.
pub fn smooth_inputs(seed: u64) -> Inputs {
    let mut rng = Rng::new(seed ^ 0x5a5a);
    let threads = rng.range(1, 3);
    let mut reals =
        |count: u64| -> Vec<f64> { (0..count).map(|_| rng.bits() as f64 / u64::MAX as f64 * 2.0 - 1.0).collect() };
    let windows = [reals(WINDOW * threads), reals(WINDOW * threads)];
    let [x, s, m] = [reals(SHARED), reals(SHARED), reals(SHARED)];
    let scalars = reals(2).into_iter().map(f64::to_bits).collect();
    let n: Vec<f64> = (0..SHARED).map(|_| rng.below(6) as f64).collect();
    let c: Vec<u64> = (0..SHARED).map(|_| rng.below(3)).collect();
    let [y, z] = windows;
    let mut arrays: Vec<Array> = [x, n, y, z, s, m].iter().map(|a| doubles(a)).collect();
    arrays.push(words(&c));
    Inputs { dims: vec![threads], scalars, slots: vec![], arrays }
}

/// An array argument of `u64`.
fn words(numbers: &[u64]) -> Array {
    let bytes = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    let layout = Layout { size: 8, offsets: vec![0] };
    Array { buffers: vec![bytes], start: 0, extents: vec![numbers.len() as u64], strides: vec![], layout }
}

/// An array argument of `f64`.
pub fn doubles(numbers: &[f64]) -> Array {
    words(&numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>())
}

struct Smooth {
    b: Builder,
    rng: Rng,
    floats: Vec<Value>,
    /// `U64` values, small in most cases.
    ints: Vec<Value>,
    locals: Vec<(LocalId, u64)>,
    arrays: [ArrayId; 7],
    /// How threads choose in `m`, if they do.
    choice: Option<AtomicKind>,
    tid: Value,
    source: SourceId,
    depth: u32,
    /// Loops around.
    turns: u32,
    /// Statements that may still be made.
    budget: u32,
    /// Whether values may say what their derivative is.
    customs: bool,
}

/// What a region sees at its start.
type Mark = (usize, usize, usize);

impl Smooth {
    fn new(seed: u64) -> Smooth {
        let mut b = Builder::new("smooth");
        let floats = vec![b.param("a", Scalar::F64), b.param("b", Scalar::F64)];
        let mut slice = |name: &str, access| b.slice(name, Scalar::F64, access);
        let mut arrays = [("x", Access::Read), ("n", Access::Read), ("y", Access::Write), ("z", Access::Write)]
            .map(|(name, access)| slice(name, access))
            .to_vec();
        arrays.extend([slice("s", Access::Write), slice("m", Access::Write)]);
        arrays.push(b.slice("c", Scalar::U64, Access::Write));
        let arrays = arrays.try_into().expect("seven of them");
        let source = b.source(Source::default());
        let tid = b.tid(0);
        let mut smooth = Smooth {
            b,
            rng: Rng::new(seed),
            floats,
            ints: vec![tid],
            locals: vec![],
            arrays,
            tid,
            source,
            depth: 0,
            turns: 0,
            choice: None,
            budget: 90,
            customs: false,
        };
        for _ in 0..2 {
            smooth.load_shared(0);
        }
        smooth.load_window(2);
        smooth.load_integer();
        smooth
    }

    fn mark(&self) -> Mark {
        (self.floats.len(), self.ints.len(), self.locals.len())
    }

    fn cut(&mut self, mark: Mark) {
        self.floats.truncate(mark.0);
        self.ints.truncate(mark.1);
        self.locals.truncate(mark.2);
    }

    fn float(&mut self) -> Value {
        match self.rng.below(12) {
            0 => self.b.f64([0.0, 0.5, 1.0, -0.3][self.rng.below(4) as usize]),
            // Recent values more often than old ones.
            1..=6 => {
                let recent = self.floats.len().saturating_sub(4);
                self.floats[recent + self.rng.below((self.floats.len() - recent) as u64) as usize]
            }
            _ => self.rng.pick(&self.floats.clone()),
        }
    }

    fn int(&mut self) -> Value {
        match self.rng.below(6) {
            0 => self.b.u64(self.rng.below(5)),
            _ => self.rng.pick(&self.ints.clone()),
        }
    }

    /// An integer below `bound`.
    fn below(&mut self, bound: u64) -> Value {
        let (int, bound) = (self.int(), self.b.u64(bound));
        self.b.rem(int, bound)
    }

    fn condition(&mut self) -> Value {
        match self.rng.below(4) {
            0 => {
                let (a, b) = (self.float(), self.float());
                self.b.lt(a, b)
            }
            1 => {
                let (a, b) = (self.below(3), self.b.u64(1));
                self.b.eq(a, b)
            }
            _ => {
                let (a, b) = (self.below(4), self.below(4));
                self.b.lt(a, b)
            }
        }
    }

    /// A new float of bounded size.
    fn compute(&mut self) -> Value {
        let (a, c) = (self.float(), self.float());
        let b = &mut self.b;
        let half = b.f64(0.5);
        match self.rng.below(16) {
            0 => b.pure(Builtin::Sin, &[a]),
            1 => {
                let product = b.mul(a, c);
                b.pure(Builtin::Cos, &[product])
            }
            2 | 3 => {
                let sum = b.add(a, c);
                b.mul(sum, half)
            }
            4 => {
                let difference = b.sub(a, c);
                b.pure(Builtin::Tanh, &[difference])
            }
            5 | 6 => {
                let sine = b.pure(Builtin::Sin, &[c]);
                b.mul(a, sine)
            }
            7 => {
                let (square, one) = (b.mul(c, c), b.f64(1.0));
                let more = b.add(square, one);
                b.div(a, more)
            }
            8 => {
                let (square, one) = (b.mul(a, a), b.f64(1.0));
                let more = b.add(square, one);
                let root = b.sqrt(more);
                b.mul(root, half)
            }
            9 => b.min(a, c),
            10 => b.max(a, c),
            11 => b.abs(a),
            12 => {
                let cond = self.condition();
                self.b.select(cond, a, c)
            }
            13 => {
                let part = b.mul(a, half);
                let third = b.f64(0.3);
                b.fma(third, c, part)
            }
            14 => {
                let floor = b.floor(a);
                let rest = b.sub(a, floor);
                b.mul(rest, c)
            }
            _ => b.neg(a),
        }
    }

    fn block(&mut self, statements: u64) {
        for _ in 0..statements {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement();
        }
    }

    fn statement(&mut self) {
        let deep = self.depth >= 3;
        match self.rng.below(if self.customs { 26 } else { 24 }) {
            22 if self.turns == 0 => self.draw(),
            23 if self.choice.is_some() => self.choose(),
            0..=4 => {
                let value = self.compute();
                self.floats.push(value);
            }
            5 => self.load_shared(0),
            6 => self.load_integer(),
            7 | 8 => {
                let array = 2 + self.rng.below(2) as usize;
                self.load_window(array);
            }
            9 | 10 => self.store_window(),
            11 => self.add_shared(),
            12..=14 => self.local_access(),
            15 | 16 | 22 | 23 if !deep => self.branch(),
            17..=19 if !deep => self.counted(),
            20 if !deep => self.whiled(),
            24 | 25 => self.custom(),
            _ => {
                let (a, b) = (self.int(), self.below(3));
                let sum = self.b.add(a, b);
                self.ints.push(sum);
            }
        }
    }
}

/// Memory.
impl Smooth {
    fn load_shared(&mut self, array: usize) {
        let index = self.below(SHARED);
        let value = self.load(self.arrays[array], index);
        self.floats.push(value);
    }

    fn load_integer(&mut self) {
        let index = self.below(SHARED);
        let value = self.load(self.arrays[1], index);
        let value = self.b.cast(Scalar::U64, value);
        self.ints.push(value);
    }

    fn load(&mut self, array: ArrayId, index: Value) -> Value {
        self.b.check_index(Mem::Array(array), 0, index, self.source);
        self.b.load(Mem::Array(array), index, 0)
    }

    fn window(&mut self) -> Value {
        let (width, within) = (self.b.u64(WINDOW), self.below(WINDOW));
        let start = self.b.mul(self.tid, width);
        self.b.add(start, within)
    }

    fn load_window(&mut self, array: usize) {
        let index = self.window();
        let value = self.load(self.arrays[array], index);
        self.floats.push(value);
    }

    fn store_window(&mut self) {
        let array = self.arrays[2 + self.rng.below(2) as usize];
        let index = self.window();
        let value = if self.rng.chance(40) { self.compute() } else { self.float() };
        self.b.check_index(Mem::Array(array), 0, index, self.source);
        self.b.store(Mem::Array(array), index, 0, value);
    }

    fn add_shared(&mut self) {
        let (array, index, value) = (self.arrays[4], self.below(SHARED), self.float());
        self.b.check_index(Mem::Array(array), 0, index, self.source);
        let kind = if self.rng.chance(70) { AtomicKind::Add } else { AtomicKind::Sub };
        self.b.atomic(kind, Mem::Array(array), index, 0, value);
    }

    /// A number that depends on the order of threads, and only decides.
    fn draw(&mut self) {
        let (array, index, one) = (self.arrays[6], self.below(SHARED), self.b.u64(1));
        self.b.check_index(Mem::Array(array), 0, index, self.source);
        let drawn = self.b.atomic(AtomicKind::Add, Mem::Array(array), index, 0, one);
        self.ints.push(drawn);
    }

    /// The greatest or the smallest of what threads find.
    fn choose(&mut self) {
        let Some(kind) = self.choice else { return };
        let (array, index, value) = (self.arrays[5], self.below(SHARED), self.compute());
        self.b.check_index(Mem::Array(array), 0, index, self.source);
        self.b.atomic(kind, Mem::Array(array), index, 0, value);
    }

    fn local_access(&mut self) {
        if self.locals.is_empty() || self.rng.chance(20) {
            let len = self.rng.range(1, 4);
            let local = self.b.local(&format!("l{}", self.b.function().locals.len()), &[Scalar::F64], len as u32);
            let value = self.float();
            self.b.fill(local, 0, value);
            self.locals.push((local, len));
        }
        let (local, len) = self.rng.pick(&self.locals.clone());
        let index = self.below(len);
        let mem = Mem::Local(local);
        match self.rng.below(12) {
            0 => {
                let value = self.float();
                self.b.fill(local, 0, value);
            }
            1..=5 => {
                let value = self.compute();
                self.b.store(mem, index, 0, value);
            }
            6 => {
                let old = self.b.load(mem, index, 0);
                let more = self.compute();
                let sum = self.b.add(old, more);
                let half = self.b.f64(0.5);
                let new = self.b.mul(sum, half);
                self.b.store(mem, index, 0, new);
            }
            _ => {
                let value = self.b.load(mem, index, 0);
                self.floats.push(value);
            }
        }
    }

    /// Something is written at the end in any case.
    fn outputs(&mut self) {
        self.store_window();
        self.add_shared();
        self.choose();
        self.store_window();
    }
}

/// Control flow.
impl Smooth {
    fn nested(&mut self, params: &[Scalar], fill: impl FnOnce(&mut Smooth, &[Value]) -> Vec<Value>) -> Region {
        let mark = self.mark();
        self.depth += 1;
        let params = self.b.open(params);
        let yields = fill(self, &params);
        self.depth -= 1;
        self.cut(mark);
        self.b.close(&yields)
    }

    fn turn(&mut self, params: &[Scalar], fill: impl FnOnce(&mut Smooth, &[Value]) -> Vec<Value>) -> Region {
        self.turns += 1;
        let body = self.nested(params, fill);
        self.turns -= 1;
        body
    }

    fn branch(&mut self) {
        let cond = self.condition();
        let results = self.rng.below(3);
        let passes = self.rng.chance(30);
        let arm = |smooth: &mut Smooth| {
            smooth.nested(&[], |smooth, _| {
                if !passes {
                    let statements = smooth.rng.range(1, 3);
                    smooth.block(statements);
                }
                (0..results).map(|_| smooth.float()).collect()
            })
        };
        let (then, otherwise) = (arm(self), arm(self));
        let fresh = self.b.push_if(cond, then, otherwise);
        self.floats.extend(fresh);
    }

    /// The next carried values: some computed, some swapped, some kept.
    fn next(&mut self, carried: &[Value]) -> Vec<Value> {
        let next = |smooth: &mut Smooth, k: usize| match smooth.rng.below(6) {
            0 => carried[k],
            1 => smooth.rng.pick(carried),
            2 => smooth.float(),
            _ => {
                let fresh = smooth.compute();
                let sum = smooth.b.add(fresh, carried[k]);
                let half = smooth.b.f64(0.5);
                smooth.b.mul(sum, half)
            }
        };
        (0..carried.len()).map(|k| next(self, k)).collect()
    }

    /// `for j in (lo..).step_by(step).take(n)`, perhaps with a break; the number of turns is data or a constant.
    fn counted(&mut self) {
        let count = match self.rng.below(4) {
            0 => self.b.u64(self.rng.below(4)),
            1 => self.b.u64(self.rng.range(5, 14)),
            _ => self.below(6),
        };
        let floats = self.rng.range(1, 3) as usize;
        let breaks = self.rng.chance(40);
        let mut inits = vec![self.b.u64(0)];
        if breaks {
            inits.push(self.b.bool(false));
        }
        let first = inits.len();
        inits.extend((0..floats).map(|_| self.float()).collect::<Vec<_>>());
        let scalars: Vec<Scalar> = inits.iter().map(|&v| self.b.scalar(v)).collect();
        let params = self.b.open(&scalars);
        let mut go = self.b.lt(params[0], count);
        if breaks {
            let on = self.b.not(params[1]);
            go = self.b.and(go, on);
        }
        let cond = self.b.close(&[go]);
        let body = self.turn(&scalars, |smooth, params| {
            let (lo, step) = (smooth.rng.below(4), smooth.rng.range(1, 3));
            let (lo, step) = (smooth.b.u64(lo), smooth.b.u64(step));
            let way = smooth.b.mul(params[0], step);
            let j = smooth.b.add(lo, way);
            smooth.ints.extend([params[0], j]);
            smooth.floats.extend(&params[first..]);
            let one = smooth.b.u64(1);
            let mut yields = vec![smooth.b.add(params[0], one)];
            if breaks {
                yields.extend(smooth.breaking(&params[first..]));
            } else {
                let statements = smooth.rng.range(1, 4);
                smooth.block(statements);
                yields.extend(smooth.next(&params[first..]));
            }
            yields
        });
        let results = self.b.push_loop(&inits, cond, body);
        self.ints.push(results[0]);
        self.floats.extend(&results[first..]);
    }

    /// A break, or a continue, in the middle of a body: the flag and the next carried values.
    fn breaking(&mut self, carried: &[Value]) -> Vec<Value> {
        let statements = self.rng.range(1, 2);
        self.block(statements);
        let cond = self.condition();
        let leaves = self.rng.chance(60);
        let then = self.nested(&[], |smooth, _| {
            let mut yields = vec![smooth.b.bool(leaves)];
            yields.extend(carried);
            yields
        });
        let otherwise = self.nested(&[], |smooth, _| {
            let statements = smooth.rng.range(1, 3);
            smooth.block(statements);
            let mut yields = vec![smooth.b.bool(false)];
            yields.extend(smooth.next(carried));
            yields
        });
        self.b.push_if(cond, then, otherwise)
    }

    /// `while` over an integer that need not go down by ones, with an upper limit.
    fn whiled(&mut self) {
        let start = self.below(9);
        let zero = self.b.u64(0);
        let floats = self.rng.range(1, 2) as usize;
        let mut inits = vec![start, zero];
        inits.extend((0..floats).map(|_| self.float()).collect::<Vec<_>>());
        let scalars: Vec<Scalar> = inits.iter().map(|&v| self.b.scalar(v)).collect();
        let params = self.b.open(&scalars);
        let (low, limit) = (self.b.u64(1), self.b.u64(7));
        let (more, few) = (self.b.lt(low, params[0]), self.b.lt(params[1], limit));
        let go = self.b.and(more, few);
        let cond = self.b.close(&[go]);
        let body = self.turn(&scalars, |smooth, params| {
            smooth.ints.push(params[0]);
            smooth.floats.extend(&params[2..]);
            let statements = smooth.rng.range(1, 3);
            smooth.block(statements);
            let one = smooth.b.u64(1);
            let next = match smooth.rng.below(2) {
                0 => smooth.b.shr(params[0], one),
                _ => {
                    let (three, seven) = (smooth.b.u64(3), smooth.b.u64(7));
                    let times = smooth.b.mul(params[0], three);
                    smooth.b.rem(times, seven)
                }
            };
            let mut yields = vec![next, smooth.b.add(params[1], one)];
            yields.extend(smooth.next(&params[2..]));
            yields
        });
        let results = self.b.push_loop(&inits, cond, body);
        self.ints.push(results[1]);
        self.floats.extend(&results[2..]);
    }
}
