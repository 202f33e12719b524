//! Compaction: values, places, local arrays, tables and callees that nothing names any more leave the side tables.

use crate::ir::*;

/// Numbers values in the order of their definitions and drops what is not named. Slots keep their numbers, since the
/// table of constants is made elsewhere.
pub(super) fn compact(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let mut pass = Compact::new(function);
    for param in &mut function.params {
        pass.define(&mut param.value);
    }
    pass.region(&mut body);
    function.body = body;
    function.values = pass.order.iter().map(|v| function.values[v.0 as usize]).collect();
    if !function.spans.is_empty() {
        function.spans = pass.order.iter().map(|v| function.spans[v.0 as usize]).collect();
        for span in function.spans.iter_mut().flatten() {
            span.0 = pass.sources.take(span.0);
        }
    }
    pass.sources.keep(&mut function.sources);
    pass.locals.keep(&mut function.locals);
    pass.tables.keep(&mut function.tables);
    if !pass.calls {
        function.callees.clear();
    }
}

struct Compact {
    /// New numbers of values.
    values: Vec<Option<Value>>,
    /// Old values in their new order.
    order: Vec<Value>,
    sources: Numbers,
    locals: Numbers,
    tables: Numbers,
    calls: bool,
}

/// New numbers of entries of a side table, in the order of their first use.
struct Numbers {
    new: Vec<Option<u32>>,
    order: Vec<u32>,
}

impl Numbers {
    fn new(count: usize) -> Numbers {
        Numbers { new: vec![None; count], order: vec![] }
    }

    fn take(&mut self, old: u32) -> u32 {
        let next = self.order.len() as u32;
        let order = &mut self.order;
        *self.new[old as usize].get_or_insert_with(|| {
            order.push(old);
            next
        })
    }

    fn keep<T>(self, table: &mut Vec<T>) {
        let mut old: Vec<Option<T>> = std::mem::take(table).into_iter().map(Some).collect();
        table.extend(self.order.into_iter().filter_map(|at| old[at as usize].take()));
    }
}

impl Compact {
    fn new(function: &Function) -> Compact {
        Compact {
            values: vec![None; function.values.len()],
            order: vec![],
            sources: Numbers::new(function.sources.len()),
            locals: Numbers::new(function.locals.len()),
            tables: Numbers::new(function.tables.len()),
            calls: false,
        }
    }

    fn define(&mut self, value: &mut Value) {
        let new = Value(self.order.len() as u32);
        self.order.push(*value);
        self.values[value.0 as usize] = Some(new);
        *value = new;
    }

    fn renamed(&self, value: &mut Value) {
        *value = self.values[value.0 as usize].expect("a value is defined before its uses");
    }

    fn region(&mut self, region: &mut Region) {
        region.params.iter_mut().for_each(|p| self.define(p));
        for op in &mut region.ops {
            op.map_operands(|v| self.renamed(v));
            op.regions_mut().into_iter().for_each(|r| self.region(r));
            op.map_results(|r| self.define(r));
            self.handles(op);
        }
        region.yields.iter_mut().for_each(|y| self.renamed(y));
    }

    fn handles(&mut self, op: &mut Op) {
        match op {
            Op::Load { mem, .. } | Op::Store { mem, .. } | Op::Atomic { mem, .. } => self.mem(mem),
            Op::Fill { local, .. } => local.0 = self.locals.take(local.0),
            Op::Table { table, .. } => *table = self.tables.take(*table),
            Op::Check { kind, source, .. } => {
                source.0 = self.sources.take(source.0);
                if let CheckKind::Index { mem, .. } | CheckKind::SliceRange { mem } = kind {
                    self.mem(mem);
                }
            }
            Op::Call { arrays, source, .. } => {
                self.calls = true;
                source.0 = self.sources.take(source.0);
                arrays.iter_mut().for_each(|a| self.mem(&mut a.mem));
            }
            _ => {}
        }
    }

    fn mem(&mut self, mem: &mut Mem) {
        if let Mem::Local(local) = mem {
            local.0 = self.locals.take(local.0);
        }
    }
}
