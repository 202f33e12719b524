//! Forward mode: a kernel that computes, beside what the primal does, how its results change when inputs do.
//!
//! Every float has a tangent, and so has every array of floats: a second array of the same shape. The rules are those
//! of the reverse, read the other way: as they are linear in the adjoint, a rule with an operand's tangent in its place
//! gives that operand's part of the result's tangent.

mod custom;

use std::collections::BTreeMap;

use super::copy::Copying;
use super::sources::Sources;
use super::tree::{OpId, Tree, adjoint_scalar, carries};
use super::{Place, Refusal, activity, place};
use super::{refusal, share};
use crate::builder::Builder;
use crate::builtins::{Adjoint as Rule, Builtin, Node};
use crate::ir::*;
use crate::validate::{Term, Valid};

/// A kernel with tangents.
#[derive(Clone, PartialEq, Debug)]
pub struct Tangent {
    /// The primal's scalars, then a tangent for each that is a float; the primal's arrays, then the tangents of those
    /// with floats, of the same shape and layout.
    pub kernel: Valid<Kernel>,
    /// The position of each scalar's tangent among the scalars.
    pub scalars: Vec<Option<usize>>,
    /// The position of each array's tangent among the arrays.
    pub arrays: Vec<Option<ArrayId>>,
}

/// The forward derivative of a simplified kernel.
pub fn tangent(kernel: &Valid<Kernel>) -> Result<Tangent, Refusal> {
    let kernel = &*super::plain::plain(kernel)?;
    let tree = Tree::new(&kernel.function);
    let places = place::places(&tree, kernel)?;
    activity::no_bits_of_numbers(&tree)?;
    check_atomics(&tree)?;
    let mut forward = Forward::new(&tree, &places);
    share::room(&tree, forward.b.function(), &forward.locals)?;
    forward.region(&tree.top())?;
    let (scalars, arrays) = (forward.scalars, forward.arrays);
    let function = forward.b.finish(&[]);
    let kernel = super::finish(kernel, function, crate::passes::tidy)?;
    Ok(Tangent { kernel, scalars, arrays })
}

/// Refuses atomics whose value and tangent threads may see in different orders. Adjoint kernels take a gradient and leave
/// zero, which is one thread's business.
fn check_atomics(tree: &Tree<'_>) -> Result<(), Refusal> {
    for (id, site) in tree.ops.iter().enumerate() {
        let Op::Atomic { kind, mem: Mem::Array(_), value, result, .. } = site.op else { continue };
        if !carries(tree.function.scalar(*value)) {
            continue;
        }
        match kind {
            AtomicKind::Add | AtomicKind::Sub if is_followed(tree, *result) => {
                return Err(refusal::old_float(tree, id));
            }
            AtomicKind::Add | AtomicKind::Sub => {}
            AtomicKind::Exchange if tree.constant(*value) == Some(0) => {}
            AtomicKind::Min | AtomicKind::Max => return Err(refusal::choice_forward(tree, id)),
            _ => return Err(refusal::atomic_kind(tree, id, *kind)),
        }
    }
    Ok(())
}

/// Whether a derivative by a value is asked for: comparisons and casts to integers do not, nor does `detach`.
fn is_followed(tree: &Tree<'_>, value: Value) -> bool {
    tree.ops.iter().any(|site| match site.op {
        Op::Pure { builtin, args, result } => {
            let has_rule = *builtin == Builtin::Cast || matches!(builtin.row().adjoint, Rule::Rule { .. });
            args.contains(&value) && has_rule && carries(tree.function.scalar(*result))
        }
        // What it hands on changes as its derivative says.
        Op::Custom { by, .. } => by.contains(&value),
        op => {
            let shape = op.shape();
            shape.operands.contains(&value) || shape.regions.iter().any(|region| region.yields.contains(&value))
        }
    })
}

struct Forward<'a, 'k> {
    tree: &'a Tree<'k>,
    places: &'a BTreeMap<OpId, Place>,
    b: Builder,
    names: Vec<Option<Value>>,
    /// Tangents; none where they are zero.
    tangents: Vec<Option<Value>>,
    scalars: Vec<Option<usize>>,
    arrays: Vec<Option<ArrayId>>,
    locals: Vec<Option<LocalId>>,
    /// Other local arrays in place of some, in what is copied now.
    aside: Vec<(LocalId, LocalId)>,
    sources: Sources,
    source: SourceId,
}

impl<'a, 'k> Forward<'a, 'k> {
    fn new(tree: &'a Tree<'k>, places: &'a BTreeMap<OpId, Place>) -> Forward<'a, 'k> {
        let primal = tree.function;
        let mut b = Builder::new(&format!("{} tangent", primal.name));
        let none = vec![None; primal.values.len()];
        let (mut names, mut tangents) = (none.clone(), none);
        for param in &primal.params {
            names[param.value.0 as usize] = Some(b.param(&param.name, primal.scalar(param.value)));
        }
        let mut scalars = vec![];
        for param in primal.params.iter() {
            let scalar = primal.scalar(param.value);
            scalars.push(carries(scalar).then(|| b.function().params.len()));
            if carries(scalar) {
                let tangent = b.param(&format!("{} tangent", param.name), adjoint_scalar(scalar));
                tangents[param.value.0 as usize] = Some(tangent);
            }
        }
        for array in &primal.arrays {
            b.array(array.clone());
        }
        let has_floats = |leaves: &[Scalar]| leaves.iter().any(|&l| carries(l));
        let mut twin =
            |array: &ArrayParam| b.array(ArrayParam { name: format!("{} tangent", array.name), ..array.clone() });
        let arrays = primal.arrays.iter().map(|a| has_floats(&a.leaves).then(|| twin(a))).collect();
        for local in &primal.locals {
            b.local(&local.name, &local.leaves, local.len);
        }
        let mut twin = |local: &LocalArray| {
            let leaves: Vec<Scalar> = local.leaves.iter().map(|&l| adjoint_scalar(l)).collect();
            b.local(&format!("{} tangent", local.name), &leaves, local.len)
        };
        let locals = primal.locals.iter().map(|l| has_floats(&l.leaves).then(|| twin(l))).collect();
        for (scalar, bits) in &primal.tables {
            b.table(*scalar, bits.clone());
        }
        let sources = Sources::new(&mut b, primal);
        for site in &primal.prints {
            b.print_site(site.clone());
        }
        b.slots(primal.slots);
        let source = b.source(primal.sources.first().cloned().unwrap_or_default());
        Forward { tree, places, b, names, tangents, scalars, arrays, locals, aside: vec![], sources, source }
    }

    fn tangent_or_zero(&mut self, value: Value) -> Value {
        let scalar = adjoint_scalar(self.tree.function.scalar(value));
        self.tangents[value.0 as usize].unwrap_or_else(|| self.b.zero(scalar))
    }

    fn carries(&self, value: Value) -> bool {
        carries(self.tree.function.scalar(value))
    }

    fn region(&mut self, ops: &[OpId]) -> Result<(), Refusal> {
        ops.iter().try_for_each(|&id| self.op(id))
    }

    fn op(&mut self, id: OpId) -> Result<(), Refusal> {
        match self.tree.ops[id].op {
            Op::If { .. } => self.branch(id),
            Op::Loop { .. } => self.repeat(id),
            Op::Custom { .. } => {
                self.custom(id);
                Ok(())
            }
            Op::Atomic { .. } => {
                self.atomic(id);
                Ok(())
            }
            op => {
                self.copy(op);
                match op {
                    Op::Pure { .. } => self.pure(id),
                    Op::Load { mem, index, leaf, result } if self.carries(*result) => {
                        if let Some((mem, at)) = self.twin(id, *mem, *index) {
                            let tangent = self.b.load(mem, at, *leaf);
                            let wide = self.b.cast(adjoint_scalar(self.b.scalar(tangent)), tangent);
                            self.tangents[result.0 as usize] = Some(wide);
                        }
                    }
                    Op::Store { mem, index, leaf, value } if self.carries(*value) => {
                        if let Some((mem, at)) = self.twin(id, *mem, *index) {
                            let tangent = self.tangent_or_zero(*value);
                            let narrow = self.narrow(mem, *value, tangent);
                            self.b.store(mem, at, *leaf, narrow);
                        }
                    }
                    Op::Fill { local, leaf, value } if self.carries(*value) => {
                        if let Some(twin) = self.locals[local.0 as usize] {
                            let tangent = self.tangent_or_zero(*value);
                            self.b.fill(twin, *leaf, tangent);
                        }
                    }
                    _ => {}
                }
                Ok(())
            }
        }
    }

    /// A tangent in the type that memory has for it.
    fn narrow(&mut self, mem: Mem, value: Value, tangent: Value) -> Value {
        match mem {
            Mem::Array(_) => self.b.cast(self.tree.function.scalar(value), tangent),
            Mem::Local(_) => tangent,
        }
    }

    fn copy(&mut self, op: &Op) {
        self.sources.at(&mut self.b, self.tree.function, op);
        let mut copy = op.clone();
        copy.map_operands(|v| *v = self.names[v.0 as usize].unwrap_or(*v));
        for &result in op.shape().results {
            self.names[result.0 as usize] = Some(self.b.value(self.tree.function.scalar(result)));
        }
        copy.map_results(|r| *r = self.names[r.0 as usize].unwrap_or(*r));
        self.sources.rename(&mut copy);
        self.b.push(copy);
    }

    /// The place in the array of tangents.
    fn twin(&mut self, id: OpId, mem: Mem, index: Value) -> Option<(Mem, Value)> {
        match mem {
            Mem::Local(local) => Some((Mem::Local(self.locals[local.0 as usize]?), self.get(index))),
            Mem::Array(array) => {
                let twin = self.arrays[array.0 as usize]?;
                let indices: Vec<Value> = self.places[&id]
                    .clone()
                    .iter()
                    .map(|term| match *term {
                        Term::Const(bits) => self.b.u64(bits),
                        Term::Extent(array, dim) => self.b.extent(array, dim),
                        Term::Value(value) => self.get(value),
                    })
                    .collect();
                Some((Mem::Array(twin), place::flat(&mut self.b, twin, &indices, self.source)))
            }
        }
    }

    fn pure(&mut self, id: OpId) {
        let Op::Pure { builtin, args, result } = self.tree.ops[id].op else { return };
        if !self.carries(*result) || args.iter().all(|a| self.tangents[a.0 as usize].is_none()) {
            return;
        }
        let scalar = adjoint_scalar(self.tree.function.scalar(*result));
        if *builtin == Builtin::Cast {
            let tangent = self.tangents[args[0].0 as usize].map(|t| self.b.cast(scalar, t));
            self.tangents[result.0 as usize] = tangent;
            return;
        }
        if !matches!(builtin.row().adjoint, Rule::Rule { .. }) {
            return;
        }
        let scalars: Vec<Scalar> = args.iter().map(|&a| adjoint_scalar(self.tree.function.scalar(a))).collect();
        // A tangent of zero times something infinite is zero, whatever becomes of the result.
        let Some(rule) = builtin.row().adjoint(&scalars, scalar, true) else { return };
        let mut sum = None;
        for (k, arg) in args.iter().enumerate() {
            let (Some(tangent), Some(_)) = (self.tangents[arg.0 as usize], rule.outputs[k]) else { continue };
            let mut single = rule.clone();
            single.outputs.iter_mut().enumerate().filter(|(j, _)| *j != k).for_each(|(_, o)| *o = None);
            let part = single.walk(|node, operands: &[Value], scalar| match node {
                Node::Input(input) => match args.iter().chain([result]).nth(*input) {
                    Some(&value) => {
                        let primal = self.get(value);
                        self.b.cast(scalar, primal)
                    }
                    None => tangent,
                },
                Node::Literal(bits) => self.b.const_(scalar, *bits),
                Node::Op(builtin, _) => self.b.pure_as(scalar, *builtin, operands),
                Node::Table(..) => unreachable!("rules read no tables"),
            })[k];
            sum = match (sum, part) {
                (Some(sum), Some(part)) => Some(self.b.add(sum, part)),
                (sum, part) => sum.or(part),
            };
        }
        self.tangents[result.0 as usize] = sum;
    }

    fn atomic(&mut self, id: OpId) {
        let op = self.tree.ops[id].op;
        let Op::Atomic { kind, mem, index, leaf, value, result, .. } = op else { return };
        self.copy(op);
        if !self.carries(*value) {
            return;
        }
        if let Some((mem, at)) = self.twin(id, *mem, *index) {
            let tangent = self.tangent_or_zero(*value);
            let old = self.b.atomic(*kind, mem, at, *leaf, tangent);
            self.tangents[result.0 as usize] = Some(old);
        }
    }

    fn branch(&mut self, id: OpId) -> Result<(), Refusal> {
        let Op::If { cond, then, otherwise, results } = self.tree.ops[id].op else { return Ok(()) };
        let floats: Vec<usize> = (0..results.len()).filter(|&k| self.carries(results[k])).collect();
        let cond = self.get(*cond);
        let mut arms = vec![];
        for (k, region) in [then, otherwise].into_iter().enumerate() {
            self.b.open(&[]);
            self.region(&self.tree.ops[id].regions[k].clone())?;
            let mut yields: Vec<Value> = region.yields.iter().map(|&v| self.get(v)).collect();
            yields.extend(floats.iter().map(|&k| self.tangent_or_zero(region.yields[k])).collect::<Vec<_>>());
            arms.push(self.b.close(&yields));
        }
        let [then, otherwise] = arms.try_into().unwrap_or_default();
        let fresh = self.b.push_if(cond, then, otherwise);
        self.results(results, &floats, &fresh);
        Ok(())
    }

    fn repeat(&mut self, id: OpId) -> Result<(), Refusal> {
        let parts = self.tree.parts(id);
        let floats: Vec<usize> = (0..parts.inits.len()).filter(|&k| self.carries(parts.inits[k])).collect();
        let mut inits: Vec<Value> = parts.inits.iter().map(|&v| self.get(v)).collect();
        inits.extend(floats.iter().map(|&k| self.tangent_or_zero(parts.inits[k])).collect::<Vec<_>>());
        let scalars: Vec<Scalar> = inits.iter().map(|&v| self.b.scalar(v)).collect();
        let mut regions = vec![];
        for (k, region) in [parts.cond, parts.body].into_iter().enumerate() {
            let params = self.b.open(&scalars);
            self.results(&region.params, &floats, &params);
            self.region(&self.tree.ops[id].regions[k].clone())?;
            let mut yields: Vec<Value> = region.yields.iter().map(|&v| self.get(v)).collect();
            if k == 1 {
                yields.extend(floats.iter().map(|&k| self.tangent_or_zero(region.yields[k])).collect::<Vec<_>>());
            }
            regions.push(self.b.close(&yields));
        }
        let [cond, body] = regions.try_into().unwrap_or_default();
        let fresh = self.b.push_loop(&inits, cond, body);
        self.results(parts.results, &floats, &fresh);
        Ok(())
    }

    /// Names values, and the tangents of those that have any, which follow them.
    fn results(&mut self, values: &[Value], floats: &[usize], fresh: &[Value]) {
        values.iter().zip(fresh).for_each(|(v, &f)| self.names[v.0 as usize] = Some(f));
        for (&k, &tangent) in floats.iter().zip(&fresh[values.len()..]) {
            self.tangents[values[k].0 as usize] = Some(tangent);
        }
    }
}
