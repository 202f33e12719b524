//! Derivatives of the user's own: what `#[func(grad = f_grad)]` makes of a lowered function.
//!
//! Behind the body stands an [`Op::Custom`] that hands the results on. Its region calls the derivative, with the arguments
//! as they came and the adjoints. The call is lowered as the body of a function of its own, the *bridge*, which takes the
//! function's arguments and then its results, and is put into the region here.

use warp_ir::ir::{CalleeId, Function, Op, Region, SourceId, Value};

use crate::env::Lowered;

/// The attribute under which an item on its way carries the path of its derivative. rustc never sees it.
const MARK: &str = "__warp_grad";

/// Puts the path of its derivative on an item.
pub(crate) fn mark(item: &mut syn::ItemFn, path: &syn::Path) {
    let mark = quote::format_ident!("{}", MARK);
    item.attrs.push(syn::parse_quote!(#[#mark(#path)]));
}

/// The path of an item's derivative, if it has one of its own.
pub(crate) fn named(item: &syn::ItemFn) -> Option<syn::Path> {
    let marked = item.attrs.iter().find(|attribute| attribute.path().is_ident(MARK))?;
    marked.parse_args().ok()
}

/// The name of the bridge's parameter for an argument.
pub(crate) fn argument(number: usize) -> String {
    format!("argument{number}")
}

/// Puts the bridge into the function. `given` are the arguments whose adjoints it gives, by number. A function whose
/// instance has no floats among its arguments or results stays as it is.
pub(crate) fn graft(lowered: &mut Lowered, bridge: Lowered, given: &[usize]) -> Result<(), String> {
    let function = &mut lowered.function;
    let results = std::mem::take(&mut function.body.yields);
    if bridge.function.params.len() != function.params.len() + results.len() || !bridge.slots.is_empty() {
        return Err("the derivative of this function does not fit it: a fault of the macros".into());
    }
    let taken = function.params.len();
    let arguments: Vec<(String, Value)> =
        (0..taken).map(|k| (bridge.function.params[k].name.clone(), function.params[k].value)).collect();
    let by_given = given.iter().flat_map(|&number| {
        let name = argument(number);
        arguments.iter().filter(move |(leaf, _)| is_part(leaf, &name)).map(|(_, value)| *value)
    });
    let by_given: Vec<Value> = by_given.collect();
    if by_given.len() != bridge.function.body.yields.len() {
        return Err("the derivative of this function gives too little: a fault of the macros".into());
    }

    let mut graft = Graft::new(lowered, &bridge);
    for (k, &(_, value)) in arguments.iter().enumerate() {
        graft.names[bridge.function.params[k].value.0 as usize] = Some(value);
    }
    let mut floats = vec![];
    let mut region = Region::default();
    for (param, &result) in bridge.function.params[taken..].iter().zip(&results) {
        let scalar = graft.lowered.function.scalar(result);
        let stands = match scalar.is_float() || scalar.is_half() {
            true => {
                let adjoint = graft.lowered.function.value(scalar);
                region.params.push(adjoint);
                floats.push(result);
                adjoint
            }
            // What is no float in the type of a result is in its adjoint as it is there.
            false => result,
        };
        graft.names[param.value.0 as usize] = Some(stands);
    }
    let inner = graft.region(&bridge.function.body);
    let function = &mut lowered.function;
    region.ops = inner.ops;
    let mut by = vec![];
    for (value, adjoint) in by_given.into_iter().zip(inner.yields) {
        let scalar = function.scalar(value);
        if scalar.is_float() || scalar.is_half() {
            by.push(value);
            region.yields.push(adjoint);
        }
    }
    if by.is_empty() || floats.is_empty() {
        function.body.yields = results;
        return Ok(());
    }
    let handed: Vec<Value> = floats.iter().map(|&f| function.value(function.scalar(f))).collect();
    // One value may stand in several results, each with an adjoint of its own: they are told apart by their order.
    let mut next = handed.iter();
    for &result in &results {
        let scalar = function.scalar(result);
        let handed = if scalar.is_float() || scalar.is_half() { next.next().copied() } else { None };
        function.body.yields.push(handed.unwrap_or(result));
    }
    function.body.ops.push(Op::Custom { values: floats, by, gradient: region, results: handed });
    Ok(())
}

/// Whether a scalar of the bridge is one of those of a parameter.
fn is_part(leaf: &str, parameter: &str) -> bool {
    leaf.strip_prefix(parameter).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The way of the bridge's ops into the function.
struct Graft<'l> {
    lowered: &'l mut Lowered,
    /// What stands for each value of the bridge.
    names: Vec<Option<Value>>,
    scalars: Vec<warp_ir::ir::Scalar>,
    callees: Vec<CalleeId>,
    sources: u32,
    locals: u32,
    tables: u32,
    prints: u32,
}

impl<'l> Graft<'l> {
    fn new(lowered: &'l mut Lowered, bridge: &Lowered) -> Graft<'l> {
        let Function { sources, locals, tables, prints, .. } = &lowered.function;
        let bases = [sources.len(), locals.len(), tables.len(), prints.len()].map(|len| len as u32);
        let [sources, locals, tables, prints] = bases;
        let before = lowered.calls.len();
        let mut callees = vec![];
        for (callee, call) in bridge.function.callees.iter().zip(&bridge.calls) {
            let at = lowered.function.callees.iter().position(|known| known == callee).unwrap_or_else(|| {
                lowered.function.callees.push(callee.clone());
                lowered.calls.push(call.clone());
                lowered.calls.len() - 1
            });
            callees.push(CalleeId(at as u32));
        }
        lowered.derivatives = lowered.calls.len() - before;
        let function = &mut lowered.function;
        function.sources.extend(bridge.function.sources.iter().cloned());
        function.locals.extend(bridge.function.locals.iter().cloned());
        function.tables.extend(bridge.function.tables.iter().cloned());
        function.prints.extend(bridge.function.prints.iter().cloned());
        let names = vec![None; bridge.function.values.len()];
        Graft { lowered, names, scalars: bridge.function.values.clone(), callees, sources, locals, tables, prints }
    }

    fn region(&mut self, region: &Region) -> Region {
        let params = region.params.iter().map(|&p| self.fresh(p)).collect();
        let ops = region.ops.iter().map(|op| self.op(op)).collect();
        let yields = region.yields.iter().map(|&y| self.name(y)).collect();
        Region { params, ops, yields }
    }

    fn op(&mut self, op: &Op) -> Op {
        let mut copy = op.clone();
        copy.map_operands(|v| *v = self.name(*v));
        for inner in copy.regions_mut() {
            *inner = self.region(&std::mem::take(inner));
        }
        copy.map_results(|r| *r = self.fresh(*r));
        self.handles(&mut copy);
        copy
    }

    /// Names of arrays stay: the bridge takes those of the function.
    fn handles(&self, op: &mut Op) {
        use warp_ir::ir::{CheckKind, Mem};
        let mem = |mem: &mut Mem| {
            if let Mem::Local(local) = mem {
                local.0 += self.locals;
            }
        };
        match op {
            Op::Load { mem: at, .. } | Op::Store { mem: at, .. } | Op::Atomic { mem: at, .. } => mem(at),
            Op::Fill { local, .. } => local.0 += self.locals,
            Op::Table { table, .. } => *table += self.tables,
            Op::Print { site, .. } => site.0 += self.prints,
            Op::Check { kind, source, .. } => {
                source.0 += self.sources;
                if let CheckKind::Index { mem: at, .. } | CheckKind::SliceRange { mem: at } = kind {
                    mem(at);
                }
            }
            Op::Call { callee, arrays, source, .. } => {
                *callee = self.callees[callee.0 as usize];
                *source = SourceId(source.0 + self.sources);
                arrays.iter_mut().for_each(|array| mem(&mut array.mem));
            }
            _ => {}
        }
    }

    fn name(&self, value: Value) -> Value {
        self.names[value.0 as usize].unwrap_or(value)
    }

    fn fresh(&mut self, value: Value) -> Value {
        let fresh = self.lowered.function.value(self.scalars[value.0 as usize]);
        self.names[value.0 as usize] = Some(fresh);
        fresh
    }
}
