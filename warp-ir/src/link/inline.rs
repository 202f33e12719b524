//! Copying a call tree into one function.

use std::collections::HashMap;

use super::{DEPTH_LIMIT, LinkError, Linked, SlotBlock};
use crate::builtins::Builtin;
use crate::ir::*;

type Lookup<'l, 'a> = &'l dyn Fn(&str) -> Option<&'a Function>;

pub(super) struct Inliner<'l, 'a> {
    root: &'a Function,
    lookup: Lookup<'l, 'a>,
    op_limit: usize,
    ops: usize,
    pub(super) out: Function,
    slots: Vec<SlotBlock>,
    /// Side tables of definitions copied so far, by identity.
    known: HashMap<&'a str, Bases>,
    /// Identities, names and call positions from the root down to here; the root has an empty identity.
    chain: Vec<(&'a str, &'a str)>,
    path: Vec<u32>,
    /// In the derivative of a function: the length of the chain where it began.
    in_gradient: Option<usize>,
    /// Whether derivatives of the user's own are left out.
    plain: bool,
}

/// Where the side tables of a definition begin in the linked function's.
#[derive(Clone, Copy)]
struct Bases {
    slots: u32,
    sources: u32,
    prints: u32,
    tables: u32,
}

/// One activation: how the callee's names map to the linked function's.
pub(super) struct Frame<'a> {
    pub(super) function: &'a Function,
    /// The expression that calls it; none for the root.
    pub(super) call: Option<&'a Source>,
    /// Where values come from of which the function does not say it: the statement that calls it.
    statement: Option<SourceId>,
    bases: Bases,
    locals: u32,
    pub(super) arrays: Vec<Binding>,
    values: Vec<Option<Value>>,
}

/// The memory that an array parameter of a callee stands for: flat index `k` of the callee is `start + k * step`.
#[derive(Clone, Copy)]
pub(super) struct Binding {
    pub(super) mem: Mem,
    start: Option<Value>,
    step: Option<Value>,
    len: Option<Value>,
    /// Somewhere on the way here it was copied from memory that threads share.
    copied: bool,
}

impl<'l, 'a> Inliner<'l, 'a> {
    pub(super) fn new(root: &'a Function, lookup: Lookup<'l, 'a>, op_limit: usize, plain: bool) -> Self {
        let out = Function { name: root.name.clone(), arrays: root.arrays.clone(), ..Function::default() };
        Inliner {
            root,
            lookup,
            op_limit,
            ops: 0,
            out,
            slots: vec![],
            known: HashMap::new(),
            chain: vec![("", &root.name)],
            path: vec![],
            in_gradient: None,
            plain,
        }
    }

    pub(super) fn run(mut self) -> Result<Linked, LinkError> {
        let whole = |a| Binding { mem: Mem::Array(ArrayId(a)), start: None, step: None, len: None, copied: false };
        let arrays = (0..self.root.arrays.len() as u32).map(whole).collect();
        let mut frame = self.enter(self.root, "", arrays);
        for param in &self.root.params {
            let value = self.fresh(&mut frame, param.value)?;
            self.out.params.push(Param { name: param.name.clone(), value });
        }
        let mut ops = vec![];
        self.copy_ops(&mut frame, &self.root.body.ops, &mut ops)?;
        let yields = self.all_mapped(&frame, &self.root.body.yields)?;
        self.out.body = Region { params: vec![], ops, yields };
        self.out.slots = self.slots.iter().map(|s| s.count).sum();
        if !self.out.spans.is_empty() {
            self.out.spans.resize(self.out.values.len(), None);
        }
        Ok(Linked { function: self.out, slots: self.slots })
    }

    /// An activation of `function`, whose side tables join the linked function's at the first one.
    fn enter(&mut self, function: &'a Function, id: &'a str, arrays: Vec<Binding>) -> Frame<'a> {
        let bases = match self.known.get(id) {
            Some(&bases) => bases,
            None => self.join_tables(function, id),
        };
        let locals = self.out.locals.len() as u32;
        self.out.locals.extend(function.locals.iter().cloned());
        Frame {
            function,
            call: None,
            statement: None,
            bases,
            locals,
            arrays,
            values: vec![None; function.values.len()],
        }
    }

    fn join_tables(&mut self, function: &'a Function, id: &'a str) -> Bases {
        let slots = self.slots.last().map_or(0, |s| s.base + s.count);
        let bases = Bases {
            slots,
            sources: self.out.sources.len() as u32,
            prints: self.out.prints.len() as u32,
            tables: self.out.tables.len() as u32,
        };
        if function.slots > 0 || id.is_empty() {
            let (id, path) = (id.to_owned(), self.path.clone());
            self.slots.push(SlotBlock { id, path, base: slots, count: function.slots });
        }
        self.out.sources.extend(function.sources.iter().cloned());
        self.out.prints.extend(function.prints.iter().cloned());
        self.out.tables.extend(function.tables.iter().cloned());
        self.known.insert(id, bases);
        bases
    }

    fn copy_region(&mut self, frame: &mut Frame<'a>, region: &'a Region) -> Result<Region, LinkError> {
        let params = region.params.iter().map(|&p| self.fresh(frame, p)).collect::<Result<_, _>>()?;
        let mut ops = Vec::with_capacity(region.ops.len());
        self.copy_ops(frame, &region.ops, &mut ops)?;
        let yields = self.all_mapped(frame, &region.yields)?;
        Ok(Region { params, ops, yields })
    }

    fn copy_ops(&mut self, frame: &mut Frame<'a>, ops: &'a [Op], out: &mut Vec<Op>) -> Result<(), LinkError> {
        for op in ops {
            match op {
                Op::Call { callee, args, arrays, results, source } => {
                    self.call(frame, (*callee, *source), args, arrays, results, out)?
                }
                Op::Extent { array, dim, result } => {
                    let value = self.extent(frame, *array, *dim, out)?;
                    self.bind(frame, *result, value)?;
                }
                Op::Stride { array, dim, result } => {
                    let value = self.stride(frame, *array, *dim, out)?;
                    self.bind(frame, *result, value)?;
                }
                Op::If { cond, then, otherwise, results } => {
                    let cond = self.mapped(frame, *cond)?;
                    let then = self.copy_region(frame, then)?;
                    let otherwise = self.copy_region(frame, otherwise)?;
                    let results = self.all_fresh(frame, results)?;
                    self.push(out, Op::If { cond, then, otherwise, results })?;
                }
                Op::Loop { inits, cond, body, results } => {
                    let inits = self.all_mapped(frame, inits)?;
                    let cond = self.copy_region(frame, cond)?;
                    let body = self.copy_region(frame, body)?;
                    let results = self.all_fresh(frame, results)?;
                    self.push(out, Op::Loop { inits, cond, body, results })?;
                }
                Op::Custom { values, by, gradient, results } => {
                    let values = self.all_mapped(frame, values)?;
                    // Nothing is differentiated inside the derivative of something else. What is by nothing counts as a
                    // constant forward too.
                    if self.in_gradient.is_some() || (self.plain && !by.is_empty()) {
                        results.iter().zip(values).try_for_each(|(&r, value)| self.bind(frame, r, value))?;
                        continue;
                    }
                    let by = self.all_mapped(frame, by)?;
                    // What a derivative calls may be what it is the derivative of: a new chain begins.
                    self.in_gradient = Some(self.chain.len());
                    let mut gradient = self.copy_region(frame, gradient)?;
                    self.in_gradient = None;
                    self.keep_apart(frame, &mut gradient, out)?;
                    let results = self.all_fresh(frame, results)?;
                    self.push(out, Op::Custom { values, by, gradient, results })?;
                }
                _ => self.copy_simple(frame, op.clone(), out)?,
            }
        }
        Ok(())
    }

    /// Copies an op that has no regions, is no call and asks for no dimension.
    fn copy_simple(&mut self, frame: &mut Frame<'a>, mut op: Op, out: &mut Vec<Op>) -> Result<(), LinkError> {
        let mut failure = Ok(());
        op.map_operands(|v| match self.mapped(frame, *v) {
            Ok(mapped) => *v = mapped,
            Err(e) => failure = Err(e),
        });
        op.map_results(|r| match self.fresh(frame, *r) {
            Ok(fresh) => *r = fresh,
            Err(e) => failure = Err(e),
        });
        failure?;
        let function = frame.function;
        let atomic = matches!(op, Op::Atomic { .. });
        match &mut op {
            Op::Slot { slot, .. } => self.rebase(slot, frame.bases.slots, function.slots as usize, "slot")?,
            Op::Table { table, .. } => self.rebase(table, frame.bases.tables, function.tables.len(), "table")?,
            Op::Print { site, .. } => {
                self.rebase(&mut site.0, frame.bases.prints, function.prints.len(), "print site")?
            }
            Op::Fill { local, .. } => self.rebase(&mut local.0, frame.locals, function.locals.len(), "local array")?,
            Op::Load { mem, index, .. } | Op::Store { mem, index, .. } | Op::Atomic { mem, index, .. } => {
                let bound = self.binding(frame, *mem)?;
                if bound.copied && atomic {
                    let function = self.chain.last().expect("the root stays").1.to_string();
                    return Err(LinkError::AtomicOnCopy { function });
                }
                *mem = bound.mem;
                *index = self.flat(bound, *index, out)?;
            }
            Op::Check { kind, source, .. } => {
                self.rebase(&mut source.0, frame.bases.sources, function.sources.len(), "place")?;
                if let CheckKind::Index { mem, .. } | CheckKind::SliceRange { mem } = kind {
                    *mem = self.binding(frame, *mem)?.mem;
                }
            }
            _ => {}
        }
        self.push(out, op)
    }

    fn call(
        &mut self,
        frame: &mut Frame<'a>,
        (callee, source): (CalleeId, SourceId),
        args: &[Value],
        arrays: &[ArrayArg],
        results: &[Value],
        out: &mut Vec<Op>,
    ) -> Result<(), LinkError> {
        let Some(callee_of) = frame.function.callees.get(callee.0 as usize) else {
            return Err(self.damaged(format!("callee {} does not exist", callee.0)));
        };
        let function = self.find(callee_of)?;
        let args = self.all_mapped(frame, args)?;
        let bindings = self.bind_arrays(frame, function, arrays, source, out)?;
        self.chain.push((&callee_of.id, &callee_of.name));
        self.path.push(callee.0);
        if args.len() != function.params.len() || results.len() != function.body.yields.len() {
            return Err(self.damaged("the numbers of arguments or results differ".into()));
        }
        let mut inner = self.enter(function, &callee_of.id, bindings);
        inner.call = frame.function.sources.get(source.0 as usize);
        inner.statement = results.first().and_then(|&result| self.place(frame, result));
        for (param, arg) in function.params.iter().zip(args) {
            self.bind(&mut inner, param.value, arg)?;
        }
        self.copy_ops(&mut inner, &function.body.ops, out)?;
        for (&result, &value) in results.iter().zip(&function.body.yields) {
            let value = self.mapped(&inner, value)?;
            self.bind(frame, result, value)?;
        }
        self.chain.pop();
        self.path.pop();
        Ok(())
    }

    /// The callee's definition, unless calling it from here closes a cycle or goes too deep.
    fn find(&self, callee: &Callee) -> Result<&'a Function, LinkError> {
        let names = |from: usize| {
            let chain = self.chain[from..].iter().map(|(_, name)| name.to_string());
            chain.chain([callee.name.clone()]).collect()
        };
        let begin = self.in_gradient.unwrap_or(0);
        if let Some(at) = self.chain[begin..].iter().position(|(id, _)| *id == callee.id) {
            return Err(LinkError::Recursion { cycle: names(begin + at) });
        }
        if self.chain.len() > DEPTH_LIMIT {
            return Err(LinkError::TooDeep { chain: names(0) });
        }
        let caller = self.chain.last().expect("the root stays").1.to_string();
        (self.lookup)(&callee.id).ok_or_else(|| LinkError::Missing { name: callee.name.clone(), caller })
    }

    fn bind_arrays(
        &mut self,
        frame: &Frame<'a>,
        function: &Function,
        args: &[ArrayArg],
        source: SourceId,
        out: &mut Vec<Op>,
    ) -> Result<Vec<Binding>, LinkError> {
        if args.len() != function.arrays.len() {
            return Err(self.damaged("the numbers of arrays differ".into()));
        }
        let mut bindings = Vec::with_capacity(args.len());
        for (arg, param) in args.iter().zip(&function.arrays) {
            let mut whole = self.binding(frame, arg.mem)?;
            whole.copied |= arg.copied;
            self.fits(whole.mem, param)?;
            bindings.push(match arg.part {
                None => self.compacted(whole, param, out)?,
                Some((start, len)) => {
                    let (start, len) = (self.mapped(frame, start)?, self.mapped(frame, len)?);
                    let start = self.flat(whole, start, out)?;
                    if whole.start.is_some() && whole.step.is_none() {
                        self.say_part_of_part(frame, whole.mem, (start, len), source, out)?;
                    }
                    let part = Binding { start: Some(start), len: Some(len), ..whole };
                    self.compacted(part, param, out)?
                }
            });
        }
        Ok(bindings)
    }

    /// A part of a part lies inside the memory, as the outer part does. A check that never fails says so, by numbers of
    /// the whole memory, to whoever shows that indices are in range.
    fn say_part_of_part(
        &mut self,
        frame: &Frame<'a>,
        mem: Mem,
        (start, len): (Value, Value),
        mut source: SourceId,
        out: &mut Vec<Op>,
    ) -> Result<(), LinkError> {
        self.rebase(&mut source.0, frame.bases.sources, frame.function.sources.len(), "place")?;
        let whole = self.out.value(Scalar::U64);
        let op = match mem {
            Mem::Array(array) => Op::Extent { array, dim: 0, result: whole },
            Mem::Local(l) => Op::Const { bits: self.out.locals[l.0 as usize].len as u64, result: whole },
        };
        self.push(out, op)?;
        let end = self.pure(Builtin::Add, start, len, out)?;
        let span = self.pure(Builtin::Sub, end, start, out)?;
        let mut all = None;
        for (small, great) in [(start, end), (end, whole), (len, span)] {
            let ordered = self.out.value(Scalar::Bool);
            self.push(out, Op::Pure { builtin: Builtin::Le, args: vec![small, great], result: ordered })?;
            all = Some(match all {
                None => ordered,
                Some(all) => {
                    let both = self.out.value(Scalar::Bool);
                    self.push(out, Op::Pure { builtin: Builtin::And, args: vec![all, ordered], result: both })?;
                    both
                }
            });
        }
        let operands = vec![start, end, whole];
        let cond = all.expect("three conditions");
        self.push(out, Op::Check { cond, kind: CheckKind::SliceRange { mem }, operands, source })
    }

    /// A callee that takes a packed slice steps over a strided array by the array's stride.
    fn compacted(&mut self, mut bound: Binding, param: &ArrayParam, out: &mut Vec<Op>) -> Result<Binding, LinkError> {
        if let Mem::Array(array) = bound.mem
            && bound.step.is_none()
            && param.rank == 1
            && !param.strided
            && self.out.arrays[array.0 as usize].strided
        {
            let step = self.out.value(Scalar::U64);
            self.push(out, Op::Stride { array, dim: 0, result: step })?;
            bound.step = Some(step);
        }
        Ok(bound)
    }

    /// Whether memory of the linked function may stand for an array parameter of a callee.
    fn fits(&self, mem: Mem, param: &ArrayParam) -> Result<(), LinkError> {
        let (leaves, rank, readable_only) = match mem {
            Mem::Array(a) => {
                let array = &self.out.arrays[a.0 as usize];
                (&array.leaves, array.rank, array.access == Access::Read)
            }
            Mem::Local(l) => (&self.out.locals[l.0 as usize].leaves, 1, false),
        };
        let what = if *leaves != param.leaves {
            "its elements differ"
        } else if rank != param.rank {
            "its number of dimensions differs"
        } else if readable_only && param.access == Access::Write {
            "it is written there, but read-only here"
        } else {
            return Ok(());
        };
        Err(self.damaged(format!("array `{}`: {what}", param.name)))
    }

    fn binding(&self, frame: &Frame<'a>, mem: Mem) -> Result<Binding, LinkError> {
        let bound = match mem {
            Mem::Array(a) => frame.arrays.get(a.0 as usize).copied(),
            Mem::Local(l) if (l.0 as usize) < frame.function.locals.len() => Some(Binding {
                mem: Mem::Local(LocalId(frame.locals + l.0)),
                start: None,
                step: None,
                len: None,
                copied: false,
            }),
            Mem::Local(_) => None,
        };
        bound.ok_or_else(|| self.damaged(format!("{mem:?} does not exist")))
    }

    /// The flat index in the linked function's memory for one of the callee's.
    fn flat(&mut self, bound: Binding, index: Value, out: &mut Vec<Op>) -> Result<Value, LinkError> {
        let scaled = match bound.step {
            Some(step) => self.pure(Builtin::Mul, index, step, out)?,
            None => index,
        };
        match bound.start {
            Some(start) => self.pure(Builtin::Add, start, scaled, out),
            None => Ok(scaled),
        }
    }

    fn extent(&mut self, frame: &Frame<'a>, array: ArrayId, dim: u8, out: &mut Vec<Op>) -> Result<Value, LinkError> {
        let bound = self.binding(frame, Mem::Array(array))?;
        if let Some(len) = bound.len {
            return Ok(len);
        }
        let result = self.out.value(Scalar::U64);
        let op = match bound.mem {
            Mem::Array(array) => Op::Extent { array, dim, result },
            Mem::Local(l) => Op::Const { bits: self.out.locals[l.0 as usize].len as u64, result },
        };
        self.push(out, op)?;
        Ok(result)
    }

    fn stride(&mut self, frame: &Frame<'a>, array: ArrayId, dim: u8, out: &mut Vec<Op>) -> Result<Value, LinkError> {
        let bound = self.binding(frame, Mem::Array(array))?;
        let result = self.out.value(Scalar::U64);
        let op = match bound.mem {
            // `step` is part of the flat index then.
            Mem::Array(array) if bound.step.is_none() && self.out.arrays[array.0 as usize].strided => {
                Op::Stride { array, dim, result }
            }
            _ => Op::Const { bits: 1, result },
        };
        self.push(out, op)?;
        Ok(result)
    }

    fn pure(&mut self, builtin: Builtin, a: Value, b: Value, out: &mut Vec<Op>) -> Result<Value, LinkError> {
        let result = self.out.value(Scalar::U64);
        self.push(out, Op::Pure { builtin, args: vec![a, b], result })?;
        Ok(result)
    }

    pub(super) fn push(&mut self, out: &mut Vec<Op>, op: Op) -> Result<(), LinkError> {
        self.ops += 1;
        if self.ops > self.op_limit {
            let at = self.chain.last().expect("the root stays").1.to_string();
            return Err(LinkError::TooLarge { root: self.root.name.clone(), at, limit: self.op_limit });
        }
        out.push(op);
        Ok(())
    }

    /// A value of the linked function for one that the callee defines.
    fn fresh(&mut self, frame: &mut Frame<'a>, value: Value) -> Result<Value, LinkError> {
        let Some(&scalar) = frame.function.values.get(value.0 as usize) else {
            return Err(self.damaged(format!("value {} does not exist", value.0)));
        };
        let span = self.place(frame, value);
        let fresh = Value(self.out.values.len() as u32);
        self.out.values.push(scalar);
        if span.is_some() || !self.out.spans.is_empty() {
            self.out.spans.resize(self.out.values.len(), None);
            self.out.spans[fresh.0 as usize] = span;
        }
        self.bind(frame, value, fresh)?;
        Ok(fresh)
    }

    /// Where a value of a function comes from, as a place of the linked function.
    fn place(&self, frame: &Frame<'a>, value: Value) -> Option<SourceId> {
        let span = frame.function.spans.get(value.0 as usize).copied().flatten();
        span.map(|span| SourceId(span.0 + frame.bases.sources)).or(frame.statement)
    }

    fn all_fresh(&mut self, frame: &mut Frame<'a>, values: &[Value]) -> Result<Vec<Value>, LinkError> {
        values.iter().map(|&v| self.fresh(frame, v)).collect()
    }

    fn bind(&self, frame: &mut Frame<'a>, value: Value, to: Value) -> Result<(), LinkError> {
        match frame.values.get_mut(value.0 as usize) {
            Some(place) => *place = Some(to),
            None => return Err(self.damaged(format!("value {} does not exist", value.0))),
        }
        Ok(())
    }

    fn mapped(&self, frame: &Frame<'a>, value: Value) -> Result<Value, LinkError> {
        let mapped = frame.values.get(value.0 as usize).copied().flatten();
        mapped.ok_or_else(|| self.damaged(format!("value {} is used before its definition", value.0)))
    }

    fn all_mapped(&self, frame: &Frame<'a>, values: &[Value]) -> Result<Vec<Value>, LinkError> {
        values.iter().map(|&v| self.mapped(frame, v)).collect()
    }

    fn rebase(&self, number: &mut u32, base: u32, len: usize, what: &str) -> Result<(), LinkError> {
        if *number as usize >= len {
            return Err(self.damaged(format!("{what} {number} does not exist")));
        }
        *number += base;
        Ok(())
    }

    fn damaged(&self, what: String) -> LinkError {
        let name = |back: usize| self.chain.iter().rev().nth(back).map_or(self.root.name.clone(), |c| c.1.to_string());
        LinkError::Mismatch { name: name(0), caller: name(1), what }
    }
}
