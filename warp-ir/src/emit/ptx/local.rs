//! Local arrays, in memory of the thread's own, a variable for each leaf; and constant tables, variables of the module.

use super::emitter::{Emitter, Operand, Val};
use super::memory::{Place, memory_type};
use super::text::{Class, Line, Reg};
use crate::builtins::{Builtin, Table};
use crate::ir::{Function, LocalId, Scalar, Value};

/// Bytes of a thread's own memory that a device has.
pub(super) const MOST_BYTES: u64 = 512 << 10;
/// Fills of so many elements are not a loop.
const UNROLLED: u32 = 16;

/// The variable of a leaf of a local array.
pub(super) fn plane(local: u32, leaf: u16) -> String {
    format!("local_{local}_{leaf}")
}

/// Declarations of the local arrays.
pub(super) fn declare(function: &Function) -> Vec<Line> {
    let mut lines = vec![];
    for (number, local) in function.locals.iter().enumerate() {
        for (leaf, scalar) in local.leaves.iter().enumerate() {
            let bytes = local.len as usize * scalar.size();
            let name = plane(number as u32, leaf as u16);
            lines.push(Line::new(format!("    .local .align 8 .b8 {name}[{bytes}];"), None));
        }
    }
    lines
}

impl Emitter<'_, '_> {
    /// Writes a leaf of all elements.
    pub(super) fn fill(&mut self, local: LocalId, leaf: u16, value: Value) {
        let array = &self.function().locals[local.0 as usize];
        let (scalar, count) = (array.leaves[leaf as usize], array.len);
        let name = plane(local.0, leaf);
        let mut operand = self.operand(value);
        if scalar == Scalar::Bool
            && let Ok(byte) = self.compute(Builtin::Cast, std::slice::from_ref(&operand), Scalar::U8, None)
        {
            operand = (byte, Scalar::U8);
        }
        let ty = memory_type(scalar);
        let text = self.text(&operand);
        if count <= UNROLLED {
            for k in 0..count as usize {
                let offset = k * scalar.size();
                self.ins(format!("st.local.{ty} [{name}+{offset}], {text};"));
            }
            return;
        }
        let [at, end] = ["fill", "end"].map(|name| self.fresh(Class::B64, name));
        let more = self.fresh(Class::Pred, "more");
        let again = self.fresh_label("fill");
        self.ins(format!("mov.u64 {at}, {name};"));
        self.ins(format!("add.u64 {end}, {at}, {};", count as usize * scalar.size()));
        self.place(&again);
        self.ins(format!("st.local.{ty} [{at}], {text};"));
        self.ins(format!("add.u64 {at}, {at}, {};", scalar.size()));
        self.ins(format!("setp.lt.u64 {more}, {at}, {end};"));
        self.ins(format!("@{more} bra {again};"));
    }

    /// An element of a constant table of the kernel; the index is in range.
    pub(super) fn table(&mut self, table: u32, index: Value, result: Value) {
        let (scalar, elements) = self.function().tables[table as usize].clone();
        let index = self.operand(index);
        let low = self.low(&index);
        let known = self.shared.tables.iter().find(|(_, known)| **known == (scalar, elements.clone()));
        let name = match known {
            Some((name, _)) => name.clone(),
            None => {
                let name = format!("table_{}", self.shared.tables.len());
                self.shared.tables.insert(name.clone(), (scalar, elements));
                name
            }
        };
        let address = self.table_address(&name, &low, scalar);
        let place = Place { scalar, address: address.to_string(), space: "global", constant: true };
        let reg = match scalar {
            Scalar::Bool => self.fresh(Class::B32, "table"),
            _ => self.register(result, Class::of(scalar), "table"),
        };
        self.load_into(&reg, &place);
        if scalar == Scalar::Bool {
            let truth = self.register(result, Class::Pred, "table");
            self.ins(format!("setp.ne.u32 {truth}, {reg}, 0;"));
            return self.set(result, Val::Pred(truth, false));
        }
        self.set(result, Val::Reg(reg));
    }

    /// A word of a builtin's table at an index that wraps at its length.
    pub(super) fn look_up(&mut self, table: &'static Table, index: &Operand) -> Val {
        let name = format!("table_{}", super::name::identifier(table.name));
        self.shared.tables.entry(name.clone()).or_insert_with(|| (Scalar::U64, table.words.to_vec()));
        if let Val::Bits(bits) = index.0 {
            return Val::Bits(table.word(bits));
        }
        let low = self.low(index);
        let wrapped = self.fresh(Class::B32, "index");
        self.ins(format!("and.b32 {wrapped}, {low}, {};", table.len() - 1));
        let address = self.table_address(&name, &wrapped, Scalar::U64);
        let word = self.fresh(Class::B64, "word");
        self.ins(format!("ld.global.nc.b64 {word}, [{address}];"));
        Val::Reg(word)
    }

    fn table_address(&mut self, name: &str, index: &str, scalar: Scalar) -> Reg {
        let [base, address] = ["table", "table_at"].map(|name| self.fresh(Class::B64, name));
        self.ins(format!("mov.u64 {base}, {name};"));
        self.ins(format!("mad.wide.u32 {address}, {index}, {}, {base};", scalar.size()));
        address
    }
}

/// The declaration of a table.
pub(super) fn declare_table(name: &str, scalar: Scalar, elements: &[u64]) -> Vec<String> {
    let ty = match scalar.size() {
        1 => "u8",
        2 => "u16",
        4 => "u32",
        _ => "u64",
    };
    let mut lines = vec![format!(".global .align 8 .{ty} {name}[{}] = {{", elements.len())];
    let chunks: Vec<&[u64]> = elements.chunks(4).collect();
    for (number, chunk) in chunks.iter().enumerate() {
        let words: Vec<String> = chunk.iter().map(|word| format!("0x{word:x}")).collect();
        let comma = if number + 1 < chunks.len() { "," } else { "" };
        lines.push(format!("    {}{comma}", words.join(", ")));
    }
    lines.push("};".into());
    lines
}
