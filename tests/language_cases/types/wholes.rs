//! Constants, tuples, arrays and structs in one another.

use super::*;

agree! {
    constants_of_other_types([0u8, 1, 2]);
    mixed_tuples([0i32, 3, -4, 100000]);
    arrays_of_arrays([0u16, 1, 2, 3, 4, 5]);
    structs_in_arrays_in_structs([0u32, 1, 2, 3, 4, 5, 6]);
}

const BYTE: u8 = 250;
const SHORT: i16 = -300;
const LARGE: u64 = 0xfedc_ba98_7654_3210;
const SMALL: f32 = 1e-3;
const YES: bool = true;
const PAIR: (u8, f64) = (7, -0.5);
const GRID: [[i8; 3]; 2] = [[1, -2, 3], [-4, 5, -6]];
const HALF: f16 = f16::from_f32_const(0.1);

#[kernel(no_fma)]
fn constants_of_other_types(n: &[u8], out: &mut [[i64; 8]]) {
    let i = tid();
    let n = n[i];
    let grid: [[i8; 3]; 2] = GRID;
    let half: f16 = HALF;
    let large: u64 = LARGE;
    out[i] = [
        (BYTE + n * 3) as i64,
        ((SHORT + n as i16) * 200) as i64,
        (large >> n) as i64,
        (SMALL * n as f32).to_bits() as i64,
        (YES as u8 - n) as i64,
        (PAIR.1 * PAIR.0 as f64 + n as f64).to_bits() as i64,
        grid[n as usize % 2][n as usize % 3] as i64,
        (half + half).to_bits() as i64,
    ];
}

#[kernel(no_fma)]
fn mixed_tuples(x: &[i32], out: &mut [[i64; 4]]) {
    let i = tid();
    let x = x[i];
    let mut t = (x as u8, (x as f32 * 0.1, [x as i16, 3]), x > 0, (x as usize, -1isize));
    t.0 += 250;
    t.1.1[0] *= 9;
    (t.1.0, t.3.1) = (t.1.0 - 0.5, t.3.1 << t.1.1[1]);
    let (a, (b, [c, d]), e, (f, g)) = t;
    out[i] = [a as i64 + (e as i64) * 1000, b.to_bits() as i64, c as i64 * d as i64, f as i64 - g as i64];
}

#[kernel]
fn arrays_of_arrays(n: &[u16], out: &mut [[u16; 4]]) {
    let i = tid();
    let k = n[i] as usize;
    let mut a = [[[n[i]; 2]; 3]; 2];
    a[k % 2][k % 3][1] *= 40000;
    a[1] = [[1, 2], a[0][k % 3], [u16::MAX; 2]];
    a[0][2] = a[1][(k + 1) % 3];
    for plane in a.iter_mut() {
        for row in plane.iter_mut() {
            row[0] += row[1];
        }
    }
    let [[_, b, _], [.., c]] = a;
    out[i] = [b[0] ^ c[1], c[0], a[0][2][0] - a[1][0][1], (a[0] == a[1]) as u16 + 2 * (a[0] < a[1]) as u16];
}

#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Struct)]
#[repr(C)]
pub struct Leaf {
    pub tag: u8,
    pub mass: f64,
    pub on: bool,
    pub short: [i16; 3],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Struct)]
#[repr(C)]
pub struct Branch {
    pub leaves: [Leaf; 2],
    pub at: Vec3,
    pub id: u16,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Struct)]
#[repr(C)]
pub struct Tree {
    pub small: i8,
    pub branches: [[Branch; 2]; 2],
    pub best: Leaf,
}

#[kernel(no_fma)]
fn structs_in_arrays_in_structs(n: &[u32], out: &mut [Tree]) {
    let i = tid();
    let k = n[i] as usize;
    let leaf = Leaf { tag: n[i] as u8 * 90, mass: -0.0, on: k % 2 == 0, short: [-1, k as i16, i16::MIN] };
    let mut tree = Tree { small: -(k as i8), branches: out[i].branches, best: leaf };
    tree.branches[k % 2][1].leaves[k / 2 % 2] = Leaf { on: true, ..leaf };
    tree.branches[1][k % 2].leaves[1].short[k % 3] -= 32767;
    tree.branches[0] = tree.branches[1];
    tree.branches[0][0].at.y += k as f32 * 0.1;
    for row in tree.branches.iter_mut() {
        for b in row.iter_mut() {
            b.id += b.leaves[1].tag as u16 * 300;
            b.leaves[0].mass -= 1e-17;
        }
    }
    if tree.branches[0] == tree.branches[1] {
        tree.small -= 100;
    }
    if tree.branches[1][1].leaves[1] < leaf {
        tree.best = tree.branches[1][1].leaves[1];
    }
    out[i] = tree;
}
