//! Loads and stores, and the addresses in them.

use super::abi::Width;
use super::elements::{Distance, Measure, Size};
use super::emitter::{Base, Emitter, Operand, Val};
use super::local;
use super::text::{Class, Reg};
use crate::builtins::Builtin;
use crate::ir::{Access, ArrayId, Mem, Scalar, Storage, Value};
use crate::planted::{self, Bug};

/// A scalar in memory.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) scalar: Scalar,
    /// What stands in the brackets.
    pub(super) address: String,
    /// The state space, as instructions name it.
    pub(super) space: &'static str,
    /// Whether nobody writes there during the launch.
    pub(super) constant: bool,
}

impl Place {
    pub(super) fn cache(&self) -> &'static str {
        if self.constant && self.space == "global" { ".nc" } else { "" }
    }
}

impl Emitter<'_, '_> {
    pub(super) fn place_of(&mut self, mem: Mem, index: Value, leaf: u16) -> Place {
        match mem {
            Mem::Array(array) => self.array_place(array, index, leaf),
            Mem::Local(id) => self.local_place(id, index, leaf),
        }
    }

    pub(super) fn array_place(&mut self, array: ArrayId, index: Value, leaf: u16) -> Place {
        let param = &self.function().arrays[array.0 as usize];
        let scalar = param.leaves[leaf as usize];
        let word = self.words.arrays[array.0 as usize].address;
        let (word, size, offset) = match param.storage {
            Storage::Elements => {
                let elements = &self.elements[array.0 as usize];
                (word, elements.size(), elements.offset(leaf))
            }
            Storage::Planes => (word + leaf as usize, Size::Bytes(scalar.size()), Distance::Bytes(0)),
        };
        // An access is in range, and in a narrow launch no range is beyond 32 bits.
        let halves = self.width == Width::Narrow;
        let address = self.element(Base::Word(word), index, size, offset, halves);
        Place { scalar, address, space: "global", constant: param.access == Access::Read }
    }

    /// A leaf of a local array. The array is smaller than 2^32 bytes, and the index is in range.
    fn local_place(&mut self, id: crate::ir::LocalId, index: Value, leaf: u16) -> Place {
        let scalar = self.function().locals[id.0 as usize].leaves[leaf as usize];
        let address = match self.get(index) {
            Val::Bits(bits) => offset_from(&local::plane(id.0, leaf), bits as i64 * scalar.size() as i64),
            _ => {
                let size = Size::Bytes(scalar.size());
                self.element(Base::Local(id.0, leaf), index, size, Distance::Bytes(0), true)
            }
        };
        Place { scalar, address, space: "local", constant: false }
    }

    /// The start of an array or of a plane, in a register.
    fn base(&mut self, base: Base) -> Reg {
        match base {
            Base::Word(word) => {
                let name = self.array_name(word);
                self.word(word, Class::B64, &name)
            }
            Base::Local(id, leaf) => {
                if let Some(reg) =
                    self.scopes.iter().find_map(|scope| scope.addresses.get(&(base, None, Size::Bytes(0))))
                {
                    return reg.clone();
                }
                let reg = self.fresh(Class::B64, "local");
                self.ins(format!("mov.u64 {reg}, {};", local::plane(id, leaf)));
                self.scope().addresses.insert((base, None, Size::Bytes(0)), reg.clone());
                reg
            }
        }
    }

    fn array_name(&self, word: usize) -> String {
        let mut arrays = self.words.arrays.iter().zip(&self.function().arrays);
        let (_, param) = arrays.rfind(|(words, _)| words.address <= word).expect("the word is an array's");
        super::name::identifier(&param.name)
    }

    /// The address of an element and an offset, as brackets take it. With `halves` the index is known to fit in 32 bits.
    fn element(&mut self, base: Base, index: Value, size: Size, offset: Distance, halves: bool) -> String {
        let counted = self.sums.get(&index).and_then(|&(root, delta)| {
            let there = offset.further(delta, size).filter(|_| self.counts_from(base, root, size))?;
            Some((root, delta, there))
        });
        let (root, delta, offset) = match counted {
            Some(counted) => counted,
            None => (index, 0, offset),
        };
        let start = self.base(base);
        // An index that only addresses are counted from has not been computed.
        let index = if self.left_out.contains(&root) { self.sum(root) } else { self.operand(root) };
        if let Val::Bits(bits) = index.0
            && let Some(at) = offset.further(bits as i64, size)
        {
            return self.at_distance(&start, at);
        }
        let key = (base, Some(root), size);
        if let Some(reg) = self.scopes.iter().find_map(|scope| scope.addresses.get(&key)) {
            let reg = reg.clone();
            return self.at_distance(&reg, offset);
        }
        let address = self.fresh(
            Class::B64,
            &format!("{}_at", start[1..].trim_end_matches(|c: char| c.is_ascii_digit() || c == '_')),
        );
        self.count(&address, (root, &index), size, &start, halves && delta == 0);
        self.scope().addresses.insert(key, address.clone());
        self.at_distance(&address, offset)
    }

    /// A register and a distance from it.
    fn at_distance(&mut self, start: &str, distance: Distance) -> String {
        match distance {
            Distance::Bytes(bytes) => offset_from(start, bytes),
            Distance::Later(measure) => {
                let sign = if measure.steps < 0 { "-" } else { "" };
                format!("{start}+{sign}{}", self.shared.measure(measure))
            }
        }
    }

    /// A number of bytes as an instruction takes it.
    fn bytes(&mut self, size: Size) -> String {
        match size {
            Size::Bytes(bytes) => bytes.to_string(),
            Size::Later(elements) => self.shared.measure(Measure { elements, leaf: None, steps: 1 }),
        }
    }

    /// Whether other addresses may be counted from that of an element: it is there already, or all of its index is known,
    /// which need not be one.
    fn counts_from(&self, base: Base, root: Value, size: Size) -> bool {
        let wrong = planted::is(Bug::PtxCountsFromHalves);
        wrong
            || self.is_whole(root)
            || self.scopes.iter().any(|scope| scope.addresses.contains_key(&(base, Some(root), size)))
    }

    /// Whether all of a value is known where addresses are computed, which in a narrow launch take a lower half.
    fn is_whole(&self, value: Value) -> bool {
        match self.width {
            Width::Wide => !self.ranges.is_half(value) || self.ranges.fits(value),
            Width::Narrow => matches!(self.values[value.0 as usize], Some(Val::Short(_))) && self.ranges.fits(value),
        }
    }

    /// Bytes from the start of an array to an element whose index fits in 32 bits.
    fn way(&mut self, root: Value, index: &Operand, size: Size) -> Reg {
        if let Some(way) = self.scopes.iter().find_map(|scope| scope.ways.get(&(root, size))) {
            return way.clone();
        }
        let index = self.low(index);
        let way = self.fresh(Class::B64, "way");
        let bytes = self.bytes(size);
        self.ins(format!("mul.wide.u32 {way}, {index}, {bytes};"));
        self.scope().ways.insert((root, size), way.clone());
        way
    }

    /// `address = index * size + base`. Multiplication and addition are apart, so that the driver's compiler takes the
    /// base from where it lies, and the product serves all arrays with elements of that size.
    fn count(&mut self, address: &Reg, (root, index): (Value, &Operand), size: Size, base: &Reg, halves: bool) {
        if matches!(index.0, Val::Short(_)) || halves {
            let way = self.way(root, index, size);
            return self.ins(format!("add.s64 {address}, {base}, {way};"));
        }
        let index = self.text(index);
        match size {
            Size::Bytes(size) if size.is_power_of_two() => {
                self.ins(format!("shl.b64 {address}, {index}, {};", size.trailing_zeros()));
                self.ins(format!("add.u64 {address}, {address}, {base};"));
            }
            _ => {
                let bytes = self.bytes(size);
                self.ins(format!("mad.lo.u64 {address}, {index}, {bytes}, {base};"));
            }
        }
    }

    /// Notes a sum with a constant that addresses can be counted through; tells whether nothing else needs it.
    pub(super) fn note_sum(&mut self, builtin: Builtin, args: &[Value], result: Value) -> bool {
        if self.scalar(result) != Scalar::U64 {
            return false;
        }
        let Some((root, delta)) = self.sum_of(builtin, args, result) else { return false };
        let near = (-(1 << 20)..1 << 20).contains(&delta);
        if !near || !self.is_whole(root) && !self.ranges.is_half(root) {
            return false;
        }
        self.sums.insert(result, (root, delta));
        let only = self.uses[result.0 as usize] == self.index_uses[result.0 as usize];
        if only {
            self.left_out.insert(result);
        }
        only
    }

    /// The value that this one differs from by a constant.
    fn sum_of(&mut self, builtin: Builtin, args: &[Value], result: Value) -> Option<(Value, i64)> {
        let constant = |value: &Value| match self.values[value.0 as usize] {
            Some(Val::Bits(bits)) => Some(bits as i64),
            _ => None,
        };
        let known = |value: &Value| self.sums.get(value).copied().unwrap_or((*value, 0));
        let &[a, b] = args else { return None };
        match (builtin, constant(&a), constant(&b)) {
            (Builtin::Add, Some(_), Some(_)) | (Builtin::Sub, Some(_), _) => None,
            (Builtin::Add, None, Some(delta)) | (Builtin::Add, Some(delta), None) => {
                let (root, before) = known(if constant(&a).is_none() { &a } else { &b });
                Some((root, before.wrapping_add(delta)))
            }
            (Builtin::Sub, None, Some(delta)) => {
                let (root, before) = known(&a);
                Some((root, before.wrapping_sub(delta)))
            }
            (Builtin::Add, None, None) => {
                let ((one, first), (other, second)) = (known(&a), known(&b));
                let (key, delta) = ((one.min(other), one.max(other)), first.wrapping_add(second));
                match self.scopes.iter().find_map(|scope| scope.pairs.get(&key).copied()) {
                    Some((sum, part)) => Some((sum, delta.wrapping_sub(part))),
                    None => {
                        self.scope().pairs.insert(key, (result, delta));
                        None
                    }
                }
            }
            _ => None,
        }
    }

    /// Computes a sum that was left out, for this place alone.
    fn sum(&mut self, value: Value) -> Operand {
        let (root, delta) = self.sums[&value];
        let whole = self.is_whole(root);
        let root = self.operand(root);
        if !whole {
            let low = self.low(&root);
            let reg = self.fresh(Class::B32, "index");
            self.ins(format!("add.u32 {reg}, {low}, {};", delta as i32));
            return (Val::Short(reg), Scalar::U64);
        }
        let text = self.text(&root);
        let reg = self.fresh(Class::B64, "index");
        self.ins(format!("add.s64 {reg}, {text}, {delta};"));
        (Val::Reg(reg), Scalar::U64)
    }

    pub(super) fn load(&mut self, mem: Mem, index: Value, leaf: u16, result: Value) {
        let place = self.place_of(mem, index, leaf);
        let name = self.memory_name(mem);
        match place.scalar {
            // Memory may hold any byte; a value is 0 or 1.
            Scalar::Bool => {
                let byte = self.fresh(Class::B32, &name);
                self.load_into(&byte, &place);
                let truth = self.register(result, Class::Pred, &name);
                self.ins(format!("setp.ne.u32 {truth}, {byte}, 0;"));
                self.set(result, Val::Pred(truth, false));
            }
            scalar => {
                let reg = self.register(result, Class::of(scalar), &name);
                self.load_into(&reg, &place);
                self.set(result, Val::Reg(reg));
            }
        }
    }

    pub(super) fn memory_name(&self, mem: Mem) -> String {
        super::name::identifier(match mem {
            Mem::Array(array) => &self.function().arrays[array.0 as usize].name,
            Mem::Local(_) => "local",
        })
    }

    pub(super) fn load_into(&mut self, reg: &Reg, place: &Place) {
        self.ins(alone(true, place, reg));
    }

    pub(super) fn store(&mut self, mem: Mem, index: Value, leaf: u16, value: Value) {
        let place = self.place_of(mem, index, leaf);
        let operand = self.operand(value);
        self.store_to(&place, &operand);
    }

    /// Stores a value; a truth as 0 or 1.
    pub(super) fn store_to(&mut self, place: &Place, operand: &Operand) {
        let text = match operand {
            (Val::Bits(bits), Scalar::Bool) => (bits & 1).to_string(),
            (_, Scalar::Bool) => match self.compute(Builtin::Cast, std::slice::from_ref(operand), Scalar::U32, None) {
                Ok(byte) => self.text(&(byte, Scalar::U32)),
                Err(_) => return,
            },
            _ => self.text(operand),
        };
        self.ins(alone(false, place, &text));
    }
}

/// The instruction that moves one of them.
pub(super) fn alone(loads: bool, place: &Place, register: &str) -> String {
    let ty = memory_type(place.scalar);
    match loads {
        true => format!("ld.{}{}.{ty} {register}, [{}];", place.space, place.cache(), place.address),
        false => format!("st.{}.{ty} [{}], {register};", place.space, place.address),
    }
}

/// A register or name and an offset.
fn offset_from(start: &str, offset: i64) -> String {
    if offset == 0 { start.to_owned() } else { format!("{start}+{offset}") }
}

/// The type of loads and stores: small integers are extended when they are loaded.
pub(super) fn memory_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool | Scalar::U8 => "u8",
        Scalar::I8 => "s8",
        Scalar::I16 => "s16",
        Scalar::U16 | Scalar::F16 | Scalar::BF16 => "u16",
        Scalar::I32 | Scalar::U32 => "b32",
        Scalar::I64 | Scalar::U64 => "b64",
        Scalar::F32 => "f32",
        Scalar::F64 => "f64",
    }
}
