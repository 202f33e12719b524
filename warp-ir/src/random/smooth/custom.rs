//! Values with a derivative that is written by hand: three times that of the computation, so that nobody can take the one
//! for the other.

use super::Smooth;
use crate::builtins::Builtin;
use crate::ir::*;

impl Smooth {
    /// A float that says by itself what its derivative is.
    pub(super) fn custom(&mut self) {
        let result = match self.rng.below(4) {
            0 => self.sine(),
            1 => self.quotient(),
            2 => self.of_memory(),
            _ => self.sum(),
        };
        self.floats.push(result);
    }

    fn handed_on(
        &mut self,
        value: Value,
        by: &[Value],
        gradient: impl FnOnce(&mut Smooth, Value) -> Vec<Value>,
    ) -> Value {
        let adjoint = self.b.open(&[Scalar::F64])[0];
        let three = self.b.f64(3.0);
        let yields = gradient(self, adjoint).into_iter().map(|slope| self.b.mul(three, slope)).collect::<Vec<_>>();
        let gradient = self.b.close(&yields);
        self.b.push_custom(&[value], by, gradient)[0]
    }

    /// `a sin(c)`
    fn sine(&mut self) -> Value {
        let (a, c) = (self.float(), self.float());
        let sine = self.b.pure(Builtin::Sin, &[c]);
        let value = self.b.mul(a, sine);
        self.handed_on(value, &[a, c], |smooth, adjoint| {
            let b = &mut smooth.b;
            let (sine, cosine) = (b.pure(Builtin::Sin, &[c]), b.pure(Builtin::Cos, &[c]));
            let slope = b.mul(a, cosine);
            vec![b.mul(adjoint, sine), b.mul(adjoint, slope)]
        })
    }

    /// `a / (1 + c c)`, whose derivative reads the result.
    fn quotient(&mut self) -> Value {
        let (a, c) = (self.float(), self.float());
        let b = &mut self.b;
        let (square, one) = (b.mul(c, c), b.f64(1.0));
        let below = b.add(square, one);
        let value = b.div(a, below);
        self.handed_on(value, &[a, c], |smooth, adjoint| {
            let b = &mut smooth.b;
            let part = b.div(adjoint, below);
            let (two, slope) = (b.f64(-2.0), b.mul(value, c));
            let slope = b.mul(two, slope);
            vec![part, b.mul(part, slope)]
        })
    }

    /// `a m`, where `m` lies in memory, and the derivative reads it there once more.
    fn of_memory(&mut self) -> Value {
        let a = self.float();
        let (array, index) = match self.rng.below(3) {
            0 => (self.arrays[0], self.below(super::SHARED)),
            k => (self.arrays[1 + k as usize], self.window()),
        };
        let m = self.load(array, index);
        let product = self.b.mul(a, m);
        let value = self.b.pure(Builtin::Sin, &[product]);
        self.handed_on(value, &[a, m], |smooth, adjoint| {
            let again = smooth.load(array, index);
            let b = &mut smooth.b;
            let product = b.mul(a, again);
            let slope = b.pure(Builtin::Cos, &[product]);
            let part = b.mul(adjoint, slope);
            vec![b.mul(part, again), b.mul(part, a)]
        })
    }

    /// `(a + c) / 2`, whose derivative goes through a loop over a local array and a branch.
    fn sum(&mut self) -> Value {
        let (a, c) = (self.float(), self.float());
        let half = self.b.f64(0.5);
        let sum = self.b.add(a, c);
        let value = self.b.mul(sum, half);
        let (cond, name) = (self.condition(), format!("d{}", self.b.function().locals.len()));
        self.handed_on(value, &[a, c], |smooth, adjoint| {
            let source = smooth.source;
            let b = &mut smooth.b;
            let local = b.local(&name, &[Scalar::F64], 2);
            let mem = Mem::Local(local);
            let quarter = b.f64(0.25);
            let part = b.mul(adjoint, quarter);
            b.fill(local, 0, part);
            let (two, zero) = (b.u64(2), b.f64(0.0));
            let total = b.counted(two, &[zero], |b, k, carried| {
                b.check_index(mem, 0, k, source);
                let part = b.load(mem, k, 0);
                vec![b.add(carried[0], part)]
            })[0];
            let same = b.if_(cond, |_| vec![total], |b| vec![b.mul(adjoint, half)])[0];
            vec![total, same]
        })
    }
}
