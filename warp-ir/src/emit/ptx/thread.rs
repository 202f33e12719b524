//! Which thread this is: coordinates from the grid, without a division.

use super::abi::Width;
use super::emitter::{Emitter, Val};
use super::text::{Class, Line, Reg};
use crate::planted::{self, Bug};

const AXES: [&str; 3] = ["x", "y", "z"];

impl Emitter<'_, '_> {
    /// Finds the coordinates, and leaves where there are more threads than asked for. These lines come first.
    pub(super) fn thread(&mut self) -> Vec<Line> {
        let saved = (std::mem::take(&mut self.out), std::mem::take(&mut self.prologue));
        let coordinates = match self.width {
            Width::Narrow => self.narrow_coordinates(true),
            Width::Wide => self.wide_coordinates(),
        };
        let short = self.width == Width::Narrow;
        let mut coordinates = coordinates;
        if planted::is(Bug::PtxSwapsCoordinates) && coordinates.len() > 1 {
            coordinates.swap(0, 1);
        }
        self.coordinates =
            coordinates.into_iter().map(|reg| if short { Val::Short(reg) } else { Val::Reg(reg) }).collect();
        let (out, prologue) =
            (std::mem::replace(&mut self.out, saved.0), std::mem::replace(&mut self.prologue, saved.1));
        prologue.into_iter().chain(out).collect()
    }

    /// The number of threads before this one along an axis of the grid.
    fn along(&mut self, axis: &str) -> Reg {
        let [of_block, blocks, size, at] =
            ["lane", "block", "size", "at"].map(|name| self.fresh(Class::B32, &format!("{name}_{axis}")));
        self.ins(format!("mov.u32 {of_block}, %tid.{axis};"));
        self.ins(format!("mov.u32 {blocks}, %ctaid.{axis};"));
        self.ins(format!("mov.u32 {size}, %ntid.{axis};"));
        self.ins(format!("mad.lo.u32 {at}, {blocks}, {size}, {of_block};"));
        at
    }

    /// A launch word in 32 bits, loaded here.
    fn short_word(&mut self, word: usize, name: &str) -> Reg {
        let reg = self.fresh(Class::B32, name);
        let load = self.load_word(word, Class::B32, &reg);
        self.out.push(Line::new(load, None));
        reg
    }

    fn long_word(&mut self, word: usize, name: &str) -> Reg {
        let reg = self.fresh(Class::B64, name);
        let load = self.load_word(word, Class::B64, &reg);
        self.out.push(Line::new(load, None));
        reg
    }

    fn leave_unless_below(&mut self, at: &Reg, end: &Reg, ty: &str) {
        let beyond = self.fresh(Class::Pred, "beyond");
        self.ins(format!("setp.ge.{ty} {beyond}, {at}, {end};"));
        self.ins(format!("@{beyond} bra done;"));
    }

    /// Each axis of the grid is a dimension, the last on x; of four, the first two share z.
    fn narrow_coordinates(&mut self, check: bool) -> Vec<Reg> {
        let rank = self.launch.rank;
        let mut coordinates = vec![];
        for (axis, dim) in (0..rank).rev().enumerate().take(3) {
            let at = self.along(AXES[axis]);
            if rank == 4 && dim == 1 {
                let [first, second] = self.split(&at, check);
                coordinates.extend([second, first]);
                break;
            }
            if check {
                let end = self.short_word(self.launch.dims + dim, "extent");
                self.leave_unless_below(&at, &end, "u32");
            }
            coordinates.push(at);
        }
        coordinates.reverse();
        coordinates
    }

    /// Coordinates of the first two dimensions of four.
    fn split(&mut self, at: &Reg, check: bool) -> [Reg; 2] {
        let word = self.launch.narrow_divisor.unwrap_or(self.launch.divisors);
        let (magic, shift) = (self.short_word(word, "magic"), self.short_word(word + 1, "shift"));
        let [twice, high, first, back, second] =
            ["twice", "high", "at_w", "back", "at_z"].map(|name| self.fresh(Class::B32, name));
        let extent = self.short_word(self.launch.dims + 1, "extent");
        self.ins(format!("shl.b32 {twice}, {at}, 1;"));
        self.ins(format!("mul.hi.u32 {high}, {twice}, {magic};"));
        self.ins(format!("shr.u32 {first}, {high}, {shift};"));
        self.ins(format!("mul.lo.u32 {back}, {first}, {extent};"));
        self.ins(format!("sub.u32 {second}, {at}, {back};"));
        if check {
            let end = self.short_word(self.launch.dims, "extent");
            self.leave_unless_below(&first, &end, "u32");
        }
        [first, second]
    }

    /// The thread's number from a grid of one dimension, whose rows lie on y where they are too many.
    fn wide_number(&mut self) -> Reg {
        let [of_block, block, row, size, rows] =
            ["lane_x", "block_x", "block_y", "size_x", "blocks_x"].map(|name| self.fresh(Class::B32, name));
        self.ins(format!("mov.u32 {of_block}, %tid.x;"));
        self.ins(format!("mov.u32 {block}, %ctaid.x;"));
        self.ins(format!("mov.u32 {row}, %ctaid.y;"));
        self.ins(format!("mov.u32 {size}, %ntid.x;"));
        self.ins(format!("mov.u32 {rows}, %nctaid.x;"));
        let [lane, first, before, number] =
            ["lane", "first", "before", "number"].map(|name| self.fresh(Class::B64, name));
        self.ins(format!("cvt.u64.u32 {first}, {block};"));
        self.ins(format!("mad.wide.u32 {before}, {row}, {rows}, {first};"));
        let wide_size = self.fresh(Class::B64, "size");
        self.ins(format!("cvt.u64.u32 {wide_size}, {size};"));
        self.ins(format!("cvt.u64.u32 {lane}, {of_block};"));
        self.ins(format!("mad.lo.u64 {number}, {before}, {wide_size}, {lane};"));
        number
    }

    fn wide_coordinates(&mut self) -> Vec<Reg> {
        let number = self.wide_number();
        let end = self.long_word(self.launch.threads, "threads");
        self.leave_unless_below(&number, &end, "u64");
        let mut rest = number;
        let mut coordinates = vec![];
        for dim in (1..self.launch.rank).rev() {
            let word = self.launch.divisors + 2 * (dim - 1);
            let magic = self.long_word(word, "magic");
            let shift = self.short_word(word + 1, "shift");
            let extent = self.long_word(self.launch.dims + dim, "extent");
            let [scaled, high, quotient, back, at] =
                ["scaled", "high", "rest", "back", "at"].map(|name| self.fresh(Class::B64, name));
            self.ins(format!("shl.b64 {scaled}, {rest}, 2;"));
            self.ins(format!("mul.hi.u64 {high}, {scaled}, {magic};"));
            self.ins(format!("shr.u64 {quotient}, {high}, {shift};"));
            self.ins(format!("mul.lo.u64 {back}, {quotient}, {extent};"));
            self.ins(format!("sub.u64 {at}, {rest}, {back};"));
            coordinates.push(at);
            rest = quotient;
        }
        coordinates.push(rest);
        coordinates.reverse();
        coordinates
    }

    /// The row-major number of the thread in 64 bits, found once more: the places that want it are seldom reached, and
    /// need not keep registers for it all the way.
    pub(super) fn thread_number(&mut self) -> Reg {
        if self.width == Width::Wide {
            return self.wide_number();
        }
        let coordinates = self.narrow_coordinates(false);
        let mut number = coordinates[0].clone();
        for (dim, at) in coordinates.iter().enumerate().skip(1) {
            let extent = self.short_word(self.launch.dims + dim, "extent");
            let next = self.fresh(Class::B32, "number");
            self.ins(format!("mad.lo.u32 {next}, {number}, {extent}, {at};"));
            number = next;
        }
        let wide = self.fresh(Class::B64, "thread");
        self.ins(format!("cvt.u64.u32 {wide}, {number};"));
        wide
    }
}
