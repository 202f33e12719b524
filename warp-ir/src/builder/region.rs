//! Regions: branches and loops.

use super::Builder;
use crate::ir::*;

/// Regions.
impl Builder {
    /// Opens a region with parameters of these types; ops go into it until `close`.
    pub fn open(&mut self, params: &[Scalar]) -> Vec<Value> {
        let params: Vec<Value> = params.iter().map(|&s| self.value(s)).collect();
        self.open.push(Region { params: params.clone(), ..Region::default() });
        params
    }

    /// Closes the innermost region.
    pub fn close(&mut self, yields: &[Value]) -> Region {
        let mut region = self.open.pop().expect("`close` without `open`");
        region.yields = yields.into();
        region
    }

    /// Appends an `If` of two closed regions with as many yields.
    pub fn push_if(&mut self, cond: Value, then: Region, otherwise: Region) -> Vec<Value> {
        assert_eq!(then.yields.len(), otherwise.yields.len(), "the arms of an `If` yield alike");
        let scalars: Vec<Scalar> = then.yields.iter().map(|&v| self.scalar(v)).collect();
        let results: Vec<Value> = scalars.into_iter().map(|s| self.value(s)).collect();
        self.push(Op::If { cond, then, otherwise, results: results.clone() });
        results
    }

    /// Appends a `Loop` of two closed regions.
    pub fn push_loop(&mut self, inits: &[Value], cond: Region, body: Region) -> Vec<Value> {
        assert_eq!(body.yields.len(), inits.len(), "the body of a `Loop` yields what it carries");
        let scalars: Vec<Scalar> = inits.iter().map(|&v| self.scalar(v)).collect();
        let results: Vec<Value> = scalars.into_iter().map(|s| self.value(s)).collect();
        self.push(Op::Loop { inits: inits.into(), cond, body, results: results.clone() });
        results
    }

    /// Appends values that are handed on with a derivative of their own, `by` other floats: the closed region takes the
    /// adjoints of the floats among the values.
    pub fn push_custom(&mut self, values: &[Value], by: &[Value], gradient: Region) -> Vec<Value> {
        let results: Vec<Value> = values.iter().map(|&v| self.value(self.scalar(v))).collect();
        self.push(Op::Custom { values: values.into(), by: by.into(), gradient, results: results.clone() });
        results
    }

    /// An `If` with values.
    pub fn if_(
        &mut self,
        cond: Value,
        then: impl FnOnce(&mut Builder) -> Vec<Value>,
        otherwise: impl FnOnce(&mut Builder) -> Vec<Value>,
    ) -> Vec<Value> {
        let then = self.region(then);
        let otherwise = self.region(otherwise);
        self.push_if(cond, then, otherwise)
    }

    /// An `If` without values and without an else.
    pub fn if_then(&mut self, cond: Value, then: impl FnOnce(&mut Builder)) {
        let then = self.region(|b| {
            then(b);
            vec![]
        });
        self.push_if(cond, then, Region::default());
    }

    /// `while cond(carried) { carried = body(carried) }`; gives the carried values after it.
    pub fn loop_(
        &mut self,
        inits: &[Value],
        cond: impl FnOnce(&mut Builder, &[Value]) -> Value,
        body: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let scalars: Vec<Scalar> = inits.iter().map(|&v| self.scalar(v)).collect();
        let carried = self.open(&scalars);
        let go = cond(self, &carried);
        let cond = self.close(&[go]);
        let carried = self.open(&scalars);
        let next = body(self, &carried);
        let body = self.close(&next);
        self.push_loop(inits, cond, body)
    }

    /// `for t in 0..count`, with carried values: the canonical form, whose counter is the first carried value.
    /// The body takes `t` and the carried values; gives the carried values after the loop.
    pub fn counted(
        &mut self,
        count: Value,
        inits: &[Value],
        body: impl FnOnce(&mut Builder, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let mut all = vec![self.int(self.scalar(count), 0)];
        all.extend(inits);
        let results = self.loop_(
            &all,
            |b, carried| b.lt(carried[0], count),
            |b, carried| {
                let next = body(b, carried[0], &carried[1..]);
                let one = b.int(b.scalar(count), 1);
                let mut yields = vec![b.add(carried[0], one)];
                yields.extend(next);
                yields
            },
        );
        results[1..].to_vec()
    }

    fn region(&mut self, fill: impl FnOnce(&mut Builder) -> Vec<Value>) -> Region {
        self.open(&[]);
        let yields = fill(self);
        self.close(&yields)
    }
}
