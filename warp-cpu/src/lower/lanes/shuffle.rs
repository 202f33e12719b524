//! Moving 32-bit lanes between vectors: elements of several leaves into a vector a leaf, and back.

use cranelift_codegen::ir::{self as clif, Immediate, InstBuilder, types};

use super::{LANES, Lanes};

impl Lanes<'_, '_> {
    /// The vector with these lanes: 0 to 3 are those of `a`, 4 to 7 those of `b`.
    pub(super) fn shuffle(&mut self, a: clif::Value, b: clif::Value, lanes: [u8; LANES]) -> clif::Value {
        let ty = self.one.value_type(a);
        let (a, b) = (self.bits_as(types::I8X16, a), self.bits_as(types::I8X16, b));
        let bytes: Vec<u8> = lanes.iter().flat_map(|lane| (0..4).map(move |byte| lane * 4 + byte)).collect();
        let lanes: Immediate = self.one.builder.func.dfg.immediates.push(bytes.into());
        let moved = self.one.builder.ins().shuffle(a, b, lanes);
        self.bits_as(ty, moved)
    }

    /// Four elements, a vector each of which the first `leaves` lanes count, as a vector for each leaf.
    pub(super) fn leaves_of_rows(&mut self, rows: &[clif::Value; LANES], leaves: usize) -> Vec<clif::Value> {
        let low = [self.shuffle(rows[0], rows[1], [0, 4, 1, 5]), self.shuffle(rows[2], rows[3], [0, 4, 1, 5])];
        let mut vectors = self.halves(low);
        if leaves > 2 {
            let high = [self.shuffle(rows[0], rows[1], [2, 6, 3, 7]), self.shuffle(rows[2], rows[3], [2, 6, 3, 7])];
            vectors.extend(self.halves(high));
        }
        vectors.truncate(leaves);
        vectors
    }

    /// The lower halves of two vectors, and the upper ones.
    fn halves(&mut self, pair: [clif::Value; 2]) -> Vec<clif::Value> {
        vec![self.shuffle(pair[0], pair[1], [0, 1, 4, 5]), self.shuffle(pair[0], pair[1], [2, 3, 6, 7])]
    }

    /// The inverse of [`Lanes::leaves_of_rows`], for two to four leaves. Lanes without a leaf hold anything.
    pub(super) fn rows_of_leaves(&mut self, leaves: &[clif::Value]) -> [clif::Value; LANES] {
        let low = self.shuffle(leaves[0], leaves[1], [0, 4, 1, 5]);
        let high = self.shuffle(leaves[0], leaves[1], [2, 6, 3, 7]);
        match *leaves {
            [_, _, z] => [
                self.shuffle(low, z, [0, 1, 4, 4]),
                self.shuffle(low, z, [2, 3, 5, 5]),
                self.shuffle(high, z, [0, 1, 6, 6]),
                self.shuffle(high, z, [2, 3, 7, 7]),
            ],
            [_, _, z, w] => {
                let low_zw = self.shuffle(z, w, [0, 4, 1, 5]);
                let high_zw = self.shuffle(z, w, [2, 6, 3, 7]);
                [
                    self.shuffle(low, low_zw, [0, 1, 4, 5]),
                    self.shuffle(low, low_zw, [2, 3, 6, 7]),
                    self.shuffle(high, high_zw, [0, 1, 4, 5]),
                    self.shuffle(high, high_zw, [2, 3, 6, 7]),
                ]
            }
            _ => [low, self.shuffle(low, low, [2, 3, 2, 3]), high, self.shuffle(high, high, [2, 3, 2, 3])],
        }
    }

    /// Vectors as they lie in memory, of elements side by side, as a vector for each leaf.
    pub(super) fn leaves_of_block(&mut self, block: &[clif::Value]) -> Vec<clif::Value> {
        match *block {
            // x0 x1 x2 ... of `x0 y0 z0 x1 | y1 z1 x2 y2 | z2 x3 y3 z3`.
            [a, b, c] => {
                let xy23 = self.shuffle(b, c, [2, 3, 5, 6]);
                let yz01 = self.shuffle(a, b, [1, 2, 4, 5]);
                let x = self.shuffle(a, xy23, [0, 3, 4, 6]);
                let y = self.shuffle(yz01, xy23, [0, 2, 5, 7]);
                let z = self.shuffle(yz01, c, [1, 3, 4, 7]);
                vec![x, y, z]
            }
            [a, b] => vec![self.shuffle(a, b, [0, 2, 4, 6]), self.shuffle(a, b, [1, 3, 5, 7])],
            [a, b, c, d] => self.leaves_of_rows(&[a, b, c, d], 4),
            _ => block.to_vec(),
        }
    }

    /// The inverse of [`Lanes::leaves_of_block`].
    pub(super) fn block_of_leaves(&mut self, leaves: &[clif::Value]) -> Vec<clif::Value> {
        match *leaves {
            [x, y, z] => {
                let xy = self.shuffle(x, y, [0, 2, 4, 6]);
                let yz = self.shuffle(y, z, [1, 3, 5, 7]);
                let zx = self.shuffle(z, x, [0, 2, 5, 7]);
                let a = self.shuffle(xy, zx, [0, 2, 4, 6]);
                let b = self.shuffle(yz, xy, [0, 2, 5, 7]);
                let c = self.shuffle(zx, yz, [1, 3, 5, 7]);
                vec![a, b, c]
            }
            [x, y] => vec![self.shuffle(x, y, [0, 4, 1, 5]), self.shuffle(x, y, [2, 6, 3, 7])],
            [_, _, _, _] => self.rows_of_leaves(leaves).to_vec(),
            _ => leaves.to_vec(),
        }
    }
}
