//! Checks: a branch where they fail, to a block out of the way. What it does there is said at
//! [`FaultBlock`](super::abi::FaultBlock).

use super::Site;
use super::abi::FaultBlock;
use super::emitter::{Emitted, Emitter, Operand, Val};
use super::text::{Class, Line, Reg};
use crate::ir::{CheckKind, Mem, SourceId, Value};
use crate::planted::{self, Bug};

/// Where checks with the same number of operands go when they fail.
pub(super) struct Tail {
    label: String,
    /// The check's number, and its operands.
    site: Reg,
    operands: Vec<Reg>,
}

impl Emitter<'_, '_> {
    pub(super) fn check(&mut self, cond: Value, kind: &CheckKind, operands: &[Value], source: SourceId) -> Emitted {
        let cond = self.get(cond);
        if matches!(cond, Val::Bits(bits) if bits & 1 == 1) {
            return Ok(());
        }
        let function = self.function();
        let site = self.shared.site(Site {
            kind: self.in_the_program(kind),
            source: function.sources[source.0 as usize].clone(),
            operands: operands.iter().map(|&value| self.scalar(value)).collect(),
        });
        if site >> FaultBlock::SITE_BITS != 0 {
            return Err(format!("it has more than {} checks", 1 << FaultBlock::SITE_BITS));
        }
        let failed = self.fresh_label("failed");
        self.branch_if(&cond, false, &failed);
        let operands: Vec<Operand> = operands.iter().map(|&value| self.operand(value)).collect();
        self.out_of_line(|e| {
            e.place(&failed);
            let (label, site_reg, regs) = e.tail(operands.len());
            for (reg, operand) in regs.iter().zip(&operands) {
                let word = e.bits_word(operand);
                e.ins(format!("mov.b64 {reg}, {word};"));
            }
            e.ins(format!("mov.b64 {site_reg}, {site};"));
            e.ins(format!("bra.uni {label};"));
            Ok(())
        })
    }

    /// The kind with the local array's number in the program's kernel, which its name tells.
    fn in_the_program(&self, kind: &CheckKind) -> CheckKind {
        let mut kind = kind.clone();
        if let CheckKind::Index { mem: Mem::Local(local), .. } | CheckKind::SliceRange { mem: Mem::Local(local) } =
            &mut kind
        {
            let name = &self.function().locals[local.0 as usize].name;
            local.0 = name.parse().unwrap_or(local.0);
        }
        kind
    }

    fn tail(&mut self, operands: usize) -> (String, Reg, Vec<Reg>) {
        if !self.tails.contains_key(&operands) {
            let label = self.fresh_label("fault");
            let site = self.fresh(Class::B64, "site");
            let regs = (0..operands).map(|_| self.fresh(Class::B64, "told")).collect();
            self.tails.insert(operands, Tail { label, site, operands: regs });
        }
        let tail = &self.tails[&operands];
        (tail.label.clone(), tail.site.clone(), tail.operands.clone())
    }

    /// What failed checks have in common, at the end of the entry.
    pub(super) fn fault_tails(&mut self) -> Vec<Line> {
        self.source = None;
        let saved = std::mem::take(&mut self.out);
        for tail in std::mem::take(&mut self.tails).into_values() {
            self.fault_tail(&tail);
        }
        std::mem::replace(&mut self.out, saved)
    }

    fn fault_tail(&mut self, tail: &Tail) {
        let (wait, unlock) = (self.fresh_label("wait"), self.fresh_label("unlock"));
        let [block, key, mine, before] = ["faults", "key", "key", "before"].map(|name| self.fresh(Class::B64, name));
        let [lost, busy] = ["lost", "busy"].map(|name| self.fresh(Class::Pred, name));
        let at = |word: usize| if word == 0 { format!("[{block}]") } else { format!("[{block}+{}]", 8 * word) };
        let (key_at, lock_at) = (at(FaultBlock::KEY), at(FaultBlock::LOCK));
        self.place(&tail.label);
        let load = self.load_word(self.launch.fault, Class::B64, &block);
        self.out.push(Line::new(load, None));
        let thread = self.thread_number();
        self.ins(format!("shl.b64 {mine}, {thread}, {};", FaultBlock::SITE_BITS));
        self.ins(format!("or.b64 {mine}, {mine}, {};", tail.site));
        self.ins(format!("red.global.add.u64 {}, 1;", at(FaultBlock::COUNT)));
        self.ins(format!("atom.global.min.u64 {before}, {key_at}, {mine};"));
        let looks = !planted::is(Bug::PtxTellsOfOthers);
        self.ins(format!("setp.le.u64 {lost}, {before}, {mine};"));
        self.ins(format!("@{lost} bra done;"));
        // What a thread does with the lock in hand lies inside the loop, whose one way out is what memory holds: whoever
        // compiles this has no reason to have it wait for the threads of its warp that go round.
        self.place(&wait);
        self.ins(format!("ld.volatile.global.u64 {key}, {};", at(FaultBlock::TOLD)));
        self.ins(format!("setp.eq.u64 {lost}, {key}, {mine};"));
        self.ins(format!("@{lost} bra done;"));
        self.ins(format!("ld.volatile.global.u64 {key}, {key_at};"));
        self.ins(format!("setp.ne.u64 {lost}, {key}, {mine};"));
        if looks {
            self.ins(format!("@{lost} bra done;"));
        }
        self.ins(format!("atom.global.cas.b64 {before}, {lock_at}, 0, 1;"));
        self.ins(format!("setp.ne.u64 {busy}, {before}, 0;"));
        self.ins(format!("@{busy} bra {wait};"));
        self.ins("membar.gl;");
        self.ins(format!("ld.volatile.global.u64 {key}, {key_at};"));
        self.ins(format!("setp.ne.u64 {lost}, {key}, {mine};"));
        if looks {
            self.ins(format!("@{lost} bra {unlock};"));
        }
        for (k, operand) in tail.operands.iter().enumerate() {
            self.ins(format!("st.volatile.global.u64 {}, {operand};", at(FaultBlock::OPERANDS + k)));
        }
        self.ins(format!("st.volatile.global.u64 {}, {mine};", at(FaultBlock::TOLD)));
        self.place(&unlock);
        self.ins("membar.gl;");
        self.ins(format!("atom.global.exch.b64 {before}, {lock_at}, 0;"));
        self.ins(format!("bra.uni {wait};"));
    }

    /// The bits of a value as a word of 64 bits, zero-extended.
    pub(super) fn bits_word(&mut self, operand: &Operand) -> String {
        use crate::ir::Scalar;
        let (val, scalar) = operand;
        if let Val::Bits(bits) = val {
            return Emitter::immediate(Scalar::U64, bits & scalar.mask());
        }
        if matches!(val, Val::Short(_)) || matches!(scalar, Scalar::I64 | Scalar::U64) {
            return self.text(operand);
        }
        let word = self.fresh(Class::B64, "word");
        let text = self.text(operand);
        match scalar {
            Scalar::F64 => self.ins(format!("mov.b64 {word}, {text};")),
            Scalar::Bool => self.ins(format!("selp.b64 {word}, 1, 0, {text};")),
            Scalar::F32 => {
                let bits = self.fresh(Class::B32, "bits");
                self.ins(format!("mov.b32 {bits}, {text};"));
                self.ins(format!("cvt.u64.u32 {word}, {bits};"));
            }
            Scalar::I8 | Scalar::I16 => {
                let bits = self.fresh(Class::B32, "bits");
                self.ins(format!("and.b32 {bits}, {text}, {};", scalar.mask()));
                self.ins(format!("cvt.u64.u32 {word}, {bits};"));
            }
            _ => self.ins(format!("cvt.u64.u32 {word}, {text};")),
        }
        word.to_string()
    }
}
