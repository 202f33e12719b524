//! Prints: a record in the ring, of which [`PrintRing`] tells.

use super::abi::PrintRing;
use super::emitter::{Emitted, Emitter, Operand};
use super::text::{Class, Line};
use crate::ir::{PrintId, Value};

impl Emitter<'_, '_> {
    pub(super) fn print(&mut self, site: PrintId, args: &[Value]) -> Emitted {
        let site = self.shared.print(&self.function().prints[site.0 as usize]);
        let operands: Vec<Operand> = args.iter().map(|&arg| self.operand(arg)).collect();
        let (full, inside, end) = (self.fresh_label("full"), self.fresh_label("cut"), self.fresh_label("printed"));
        let [ring, at, behind, room, record] =
            ["ring", "at", "behind", "room", "record"].map(|name| self.fresh(Class::B64, name));
        let none = self.fresh(Class::Pred, "none");
        let field = |word: usize| if word == 0 { format!("[{ring}]") } else { format!("[{ring}+{}]", 8 * word) };
        let words = 2 + args.len();
        let load = self.load_word(self.launch.prints, Class::B64, &ring);
        self.out.push(Line::new(load, self.source));
        self.ins(format!("ld.global.u64 {room}, {};", field(PrintRing::CAPACITY)));
        self.ins(format!("atom.global.add.u64 {at}, {}, {words};", field(PrintRing::CURSOR)));
        self.ins(format!("shl.b64 {record}, {at}, 3;"));
        self.ins(format!("add.u64 {record}, {record}, {ring};"));
        self.ins(format!("add.u64 {behind}, {at}, {words};"));
        self.ins(format!("setp.gt.u64 {none}, {behind}, {room};"));
        self.ins(format!("@{none} bra {full};"));
        let first = 8 * PrintRing::RECORDS;
        let what = (site as u64 + 1) | (args.len() as u64) << 32;
        let head = self.fresh(Class::B64, "head");
        self.ins(format!("mov.b64 {head}, {what};"));
        self.ins(format!("st.global.u64 [{record}+{first}], {head};"));
        let thread = self.thread_number();
        self.ins(format!("st.global.u64 [{record}+{}], {thread};", first + 8));
        for (k, operand) in operands.iter().enumerate() {
            let word = self.bits_word(operand);
            self.ins(format!("st.global.u64 [{record}+{}], {word};", first + 16 + 8 * k));
        }
        self.place(&end);
        self.out_of_line(|e| {
            e.place(&full);
            e.ins(format!("red.global.add.u64 {}, 1;", field(PrintRing::LOST)));
            e.ins(format!("setp.ge.u64 {none}, {at}, {room};"));
            e.ins(format!("@{none} bra {inside};"));
            e.ins(format!("st.global.u64 [{record}+{first}], 0;"));
            e.place(&inside);
            e.ins(format!("bra.uni {end};"));
            Ok(())
        })
    }
}
