//! Makes random kernels: well typed, always ending, without races between threads.
//!
//! A thread writes its own elements only (`[i]`), and reads others only from arrays that nobody writes. Loops have a
//! bound of their own. What may fault (an unmasked index, any divisor) occurs in *risky* kernels only.

mod expression;
mod memory;
mod reference;
mod statement;

use crate::program::{Block, Ty};
use crate::random::Random;

/// A random kernel's body and what was drawn for it.
pub struct Program {
    /// The body.
    pub body: Block,
    /// Whether it may fault.
    pub risky: bool,
}

/// The kernel with this seed.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let risky = random.chance(35);
    let mut maker = Maker { random, scopes: vec![], loops: vec![], risky, names: 0, hidden: vec![], budget: 120 };
    let body = maker.kernel();
    Program { body, risky }
}

struct Variable {
    name: String,
    ty: Ty,
    mutable: bool,
}

struct Loop {
    label: Option<&'static str>,
    /// The type of a `loop` that is an expression.
    value: Option<Ty>,
}

struct Maker {
    random: Random,
    scopes: Vec<Vec<Variable>>,
    loops: Vec<Loop>,
    risky: bool,
    names: u32,
    /// Variables and parameters that are borrowed where we stand: they go unmentioned.
    hidden: Vec<String>,
    /// Statements left; keeps kernels of a size that a reader can take in.
    budget: i32,
}

impl Maker {
    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn declare(&mut self, name: &str, ty: Ty, mutable: bool) {
        self.scopes.last_mut().expect("a scope is open").push(Variable { name: name.into(), ty, mutable });
    }

    /// Variables in sight with a test on them; shadowed ones are left out.
    fn visible(&self, test: impl Fn(&Variable) -> bool) -> Vec<String> {
        let mut seen = std::collections::HashSet::new();
        let mut found = vec![];
        for v in self.scopes.iter().rev().flat_map(|s| s.iter().rev()) {
            if seen.insert(v.name.clone()) && self.is_free(&v.name) && test(v) {
                found.push(v.name.clone());
            }
        }
        found
    }

    fn any_type(&mut self) -> Ty {
        use Ty::*;
        self.random.pick(&[
            Bool, I8, I16, I32, I32, I32, I64, U8, U16, U32, U64, Usize, F32, F32, F32, F64, Vec3, Vec3, Body, Body,
            DuoF, DuoI, Pair, OptI, OptF, ArrF, ArrI, Mode, Rig, Wide, Rows, Mat,
        ])
    }
}
