//! Arithmetic and bits of whole numbers, against Rust's own integers.

mod support;

use support::{apply, check};

/// Numbers at which arithmetic goes wrong, as 64 bits; narrower types take the low ones.
const EDGES: [u64; 15] = [
    0,
    1,
    2,
    3,
    7,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fffe,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_fffd,
];

fn pairs() -> Vec<Vec<u64>> {
    EDGES.iter().flat_map(|&a| EDGES.iter().map(move |&b| vec![a, b])).collect()
}

fn triples() -> Vec<Vec<u64>> {
    let few = [0, 1, 0x8000, 0x7fff_ffff, 0xffff_ffff, 0x8000_0000_0000_0000, 0xffff_ffff_ffff_fffd, 12345];
    let pairs = few.iter().flat_map(|&a| few.iter().map(move |&b| [a, b]));
    pairs.flat_map(|[a, b]| few.iter().map(move |&c| vec![a, b, c])).collect()
}

/// Registers of a width in bits.
fn register(bits: u32) -> &'static str {
    match bits {
        16 => "%h",
        32 => "%r",
        _ => "%rd",
    }
}

/// Runs an instruction `root.type` on all pairs and compares with a function of 64 bits.
fn two(name: &str, bits: u32, result: u32, expected: impl Fn(u64, u64) -> u64) {
    let (d, a, b) = (format!("{}0", register(result)), format!("{}1", register(bits)), format!("{}2", register(bits)));
    let rows = pairs();
    let found = apply(&format!("{name} {d}, {a}, {b};"), &[&a, &b], &rows, &[&d]);
    for (row, found) in rows.iter().zip(found) {
        let wanted = expected(row[0], row[1]);
        assert_eq!(found[0], wanted, "{name} of {row:x?} gives {:x}, expected {wanted:x}", found[0]);
    }
}

fn three(name: &str, bits: u32, wide: u32, expected: impl Fn(u64, u64, u64) -> u64) {
    let (d, c) = (format!("{}0", register(wide)), format!("{}3", register(wide)));
    let (a, b) = (format!("{}1", register(bits)), format!("{}2", register(bits)));
    let rows = triples();
    let found = apply(&format!("{name} {d}, {a}, {b}, {c};"), &[&a, &b, &c], &rows, &[&d]);
    for (row, found) in rows.iter().zip(found) {
        let wanted = expected(row[0], row[1], row[2]);
        assert_eq!(found[0], wanted, "{name} of {row:x?} gives {:x}, expected {wanted:x}", found[0]);
    }
}

macro_rules! arithmetic {
    ($t:ty, $unsigned:ty, $wide:ty, $name:literal) => {{
        type T = $t;
        let bits = T::BITS;
        let out = |value: T| u64::from(value as $unsigned);
        let n = |name: &str| format!("{name}.{}", $name);
        two(&n("add"), bits, bits, |a, b| out((a as T).wrapping_add(b as T)));
        two(&n("sub"), bits, bits, |a, b| out((a as T).wrapping_sub(b as T)));
        two(&n("mul.lo"), bits, bits, |a, b| out((a as T).wrapping_mul(b as T)));
        two(&n("mul.hi"), bits, bits, |a, b| out(((a as T as $wide * b as T as $wide) >> bits) as T));
        two(&n("min"), bits, bits, |a, b| out((a as T).min(b as T)));
        two(&n("max"), bits, bits, |a, b| out((a as T).max(b as T)));
        // Zero as a divisor gives all ones.
        let all = out(!0);
        two(&n("div"), bits, bits, |a, b| if b as T == 0 { all } else { out((a as T).wrapping_div(b as T)) });
        two(&n("rem"), bits, bits, |a, b| if b as T == 0 { all } else { out((a as T).wrapping_rem(b as T)) });
        three(&n("mad.lo"), bits, bits, |a, b, c| out((a as T).wrapping_mul(b as T).wrapping_add(c as T)));
        three(&n("mad.hi"), bits, bits, |a, b, c| {
            out((((a as T as $wide * b as T as $wide) >> bits) as T).wrapping_add(c as T))
        });
    }};
}

#[test]
fn arithmetic_of_all_widths() {
    arithmetic!(u16, u16, u32, "u16");
    arithmetic!(u32, u32, u64, "u32");
    arithmetic!(u64, u64, u128, "u64");
    arithmetic!(i16, u16, i32, "s16");
    arithmetic!(i32, u32, i64, "s32");
    arithmetic!(i64, u64, i128, "s64");
}

#[test]
fn wide_products() {
    two("mul.wide.u16", 16, 32, |a, b| u64::from(a as u16) * u64::from(b as u16));
    two("mul.wide.s16", 16, 32, |a, b| u64::from((i32::from(a as i16) * i32::from(b as i16)) as u32));
    two("mul.wide.u32", 32, 64, |a, b| u64::from(a as u32) * u64::from(b as u32));
    two("mul.wide.s32", 32, 64, |a, b| (i64::from(a as i32) * i64::from(b as i32)) as u64);
    three("mad.wide.u32", 32, 64, |a, b, c| (u64::from(a as u32) * u64::from(b as u32)).wrapping_add(c));
    three("mad.wide.s32", 32, 64, |a, b, c| (i64::from(a as i32) * i64::from(b as i32)).wrapping_add(c as i64) as u64);
    three("mad.wide.u16", 16, 32, |a, b, c| {
        u64::from((u32::from(a as u16) * u32::from(b as u16)).wrapping_add(c as u32))
    });
    three("mad.wide.s16", 16, 32, |a, b, c| {
        u64::from((i32::from(a as i16) * i32::from(b as i16)).wrapping_add(c as i32) as u32)
    });
}

#[test]
fn saturating_sums() {
    two("add.sat.s32", 32, 32, |a, b| u64::from((a as i32).saturating_add(b as i32) as u32));
    two("sub.sat.s32", 32, 32, |a, b| u64::from((a as i32).saturating_sub(b as i32) as u32));
}

#[test]
fn logic() {
    two("and.b16", 16, 16, |a, b| a & b & 0xffff);
    two("or.b32", 32, 32, |a, b| (a | b) & 0xffff_ffff);
    two("xor.b64", 64, 64, |a, b| a ^ b);
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        check("and.pred %p0, %p1, %p2;", &[("%p1", a), ("%p2", b)], &[("%p0", a & b)]);
        check("or.pred %p0, %p1, %p2;", &[("%p1", a), ("%p2", b)], &[("%p0", a | b)]);
        check("xor.pred %p0, %p1, %p2;", &[("%p1", a), ("%p2", b)], &[("%p0", a ^ b)]);
        check("not.pred %p0, %p1;", &[("%p1", a)], &[("%p0", 1 - a)]);
    }
    check("not.b16 %h0, %h1;", &[("%h1", 0x1234)], &[("%h0", 0xedcb)]);
    check("not.b32 %r0, %r1;", &[("%r1", 1)], &[("%r0", 0xffff_fffe)]);
    check("not.b64 %rd0, %rd1;", &[("%rd1", 1)], &[("%rd0", u64::MAX - 1)]);
}

#[test]
fn signs() {
    for a in EDGES {
        check("neg.s16 %h0, %h1;", &[("%h1", a)], &[("%h0", u64::from((a as i16).wrapping_neg() as u16))]);
        check("neg.s32 %r0, %r1;", &[("%r1", a)], &[("%r0", u64::from((a as i32).wrapping_neg() as u32))]);
        check("neg.s64 %rd0, %rd1;", &[("%rd1", a)], &[("%rd0", (a as i64).wrapping_neg() as u64)]);
        check("abs.s32 %r0, %r1;", &[("%r1", a)], &[("%r0", u64::from((a as i32).wrapping_abs() as u32))]);
        check("abs.s64 %rd0, %rd1;", &[("%rd1", a)], &[("%rd0", (a as i64).wrapping_abs() as u64)]);
    }
}

#[test]
fn shifts_are_clamped() {
    for amount in [0u32, 1, 15, 16, 31, 32, 33, 63, 64, 65, 256, u32::MAX] {
        for a in EDGES {
            let given = |register: &'static str| [(register, a), ("%r2", u64::from(amount))];
            let left = |bits: u32| if amount >= bits { 0 } else { a << amount };
            check("shl.b16 %h0, %h1, %r2;", &given("%h1"), &[("%h0", left(16) & 0xffff)]);
            check("shl.b32 %r0, %r1, %r2;", &given("%r1"), &[("%r0", left(32) & 0xffff_ffff)]);
            check("shl.b64 %rd0, %rd1, %r2;", &given("%rd1"), &[("%rd0", left(64))]);
            let right = |value: u64| if amount >= 64 { 0 } else { value >> amount };
            check("shr.u32 %r0, %r1, %r2;", &given("%r1"), &[("%r0", right(a & 0xffff_ffff))]);
            check("shr.b64 %rd0, %rd1, %r2;", &given("%rd1"), &[("%rd0", right(a))]);
            // A sign that fills is a division by a power of two that rounds down.
            let signed = |value: i64| value >> amount.min(63);
            let word = u64::from(signed(i64::from(a as i32)) as u32);
            check("shr.s32 %r0, %r1, %r2;", &given("%r1"), &[("%r0", word)]);
            check("shr.s64 %rd0, %rd1, %r2;", &given("%rd1"), &[("%rd0", signed(a as i64) as u64)]);
            let half = u64::from(signed(i64::from(a as i16)) as u16);
            check("shr.s16 %h0, %h1, %r2;", &given("%h1"), &[("%h0", half)]);
        }
    }
    check("shl.b32 %r0, %r1, 4;", &[("%r1", 0x1234_5678)], &[("%r0", 0x2345_6780)]);
}

#[test]
fn counts_of_bits() {
    for a in EDGES {
        let low = a as u32;
        check("popc.b32 %r0, %r1;", &[("%r1", a)], &[("%r0", u64::from(low.count_ones()))]);
        check("popc.b64 %r0, %rd1;", &[("%rd1", a)], &[("%r0", u64::from(a.count_ones()))]);
        check("clz.b32 %r0, %r1;", &[("%r1", a)], &[("%r0", u64::from(low.leading_zeros()))]);
        check("clz.b64 %r0, %rd1;", &[("%rd1", a)], &[("%r0", u64::from(a.leading_zeros()))]);
        check("brev.b32 %r0, %r1;", &[("%r1", a)], &[("%r0", u64::from(low.reverse_bits()))]);
        check("brev.b64 %rd0, %rd1;", &[("%rd1", a)], &[("%rd0", a.reverse_bits())]);
    }
}

#[test]
fn fields_of_bits() {
    let bfe = |kind: &str, a: u64, start: u64, length: u64, expected: u64| {
        let (d, s) = if kind.ends_with("64") { ("%rd0", "%rd1") } else { ("%r0", "%r1") };
        check(&format!("bfe.{kind} {d}, {s}, %r2, %r3;"), &[(s, a), ("%r2", start), ("%r3", length)], &[(d, expected)]);
    };
    bfe("u32", 0x1234_5678, 8, 8, 0x56);
    bfe("u32", 0x1234_5678, 28, 8, 0x1);
    bfe("u32", 0x1234_5678, 4, 0, 0);
    bfe("u32", 0x1234_5678, 40, 8, 0);
    bfe("u32", 0x1234_5678, 256 + 8, 256 + 8, 0x56);
    bfe("s32", 0x0000_f000, 12, 4, 0xffff_ffff);
    bfe("s32", 0x0000_7000, 12, 4, 7);
    bfe("s32", 0x8000_0000, 24, 16, 0xffff_ff80);
    bfe("s32", 0x8000_0000, 40, 8, 0xffff_ffff);
    bfe("s32", 0x8000_0000, 0, 0, 0);
    bfe("u64", 0x0123_4567_89ab_cdef, 32, 16, 0x4567);
    bfe("s64", 0x0123_4567_89ab_cdef, 4, 8, 0xffff_ffff_ffff_ffde);
    let bfi = |kind: &str, a: u64, b: u64, start: u64, length: u64, expected: u64| {
        let (d, s, t) = if kind == "b64" { ("%rd0", "%rd1", "%rd2") } else { ("%r0", "%r1", "%r2") };
        let given = [(s, a), (t, b), ("%r3", start), ("%r4", length)];
        check(&format!("bfi.{kind} {d}, {s}, {t}, %r3, %r4;"), &given, &[(d, expected)]);
    };
    bfi("b32", 0xab, 0x1234_5678, 8, 8, 0x1234_ab78);
    bfi("b32", 0xffff, 0, 24, 16, 0xff00_0000);
    bfi("b32", 0xffff, 5, 32, 8, 5);
    bfi("b32", 0xffff, 5, 4, 0, 5);
    bfi("b64", 0xab, 0, 60, 8, 0xb000_0000_0000_0000);
}

#[test]
fn bytes_are_permuted() {
    let prmt = |mode: &str, c: u64, expected: u64| {
        let given = [("%r1", 0x3322_1100), ("%r2", 0xf7e6_d5c4), ("%r3", c)];
        check(&format!("prmt.b32{mode} %r0, %r1, %r2, %r3;"), &given, &[("%r0", expected)]);
    };
    // Bytes 0 to 7 are 00 11 22 33 c4 d5 e6 f7.
    prmt("", 0x3210, 0x3322_1100);
    prmt("", 0x7654, 0xf7e6_d5c4);
    prmt("", 0x0426, 0x00c4_22e6);
    // The highest bit of a selector asks for the sign of the byte.
    prmt("", 0xf8c1, 0xff00_ff11);
    prmt(".f4e", 1, 0xc433_2211);
    prmt(".b4e", 1, 0xe6f7_0011);
    prmt(".rc8", 2, 0x2222_2222);
    prmt(".ecl", 2, 0x3322_2222);
    prmt(".ecr", 1, 0x1111_1100);
    prmt(".rc16", 3, 0x3322_3322);
}

#[test]
fn funnels_and_tables() {
    let shf = |form: &str, amount: u64, expected: u64| {
        let given = [("%r1", 0x8765_4321), ("%r2", 0x1234_5678), ("%r3", amount)];
        check(&format!("shf.{form}.b32 %r0, %r1, %r2, %r3;"), &given, &[("%r0", expected)]);
    };
    // The pair is 0x12345678_87654321.
    shf("l.wrap", 8, 0x3456_7887);
    shf("l.wrap", 40, 0x3456_7887);
    shf("l.clamp", 40, 0x8765_4321);
    shf("r.wrap", 8, 0x7887_6543);
    shf("r.wrap", 0, 0x8765_4321);
    shf("r.clamp", 99, 0x1234_5678);
    let (a, b, c) = (0xf0f0_1234u64, 0xcccc_5678u64, 0xaaaa_9abcu64);
    let given = [("%r1", a), ("%r2", b), ("%r3", c)];
    check("lop3.b32 %r0, %r1, %r2, %r3, 0x96;", &given, &[("%r0", a ^ b ^ c)]);
    check("lop3.b32 %r0, %r1, %r2, %r3, 0xca;", &given, &[("%r0", a & b | !a & 0xffff_ffff & c)]);
    check("lop3.b32 %r0, %r1, %r2, %r3, 0xe8;", &given, &[("%r0", a & b | a & c | b & c)]);
}

#[test]
fn carries_join_words() {
    let (a, b): (u128, u128) = (0xffff_ffff_ffff_fffe_8000_0000_ffff_ffff, 0x1_0000_0001_9000_0000_0000_0001);
    let halves = |x: u128| ((x & 0xffff_ffff_ffff_ffff) as u64, (x >> 64) as u64);
    let given = [("%rd1", halves(a).0), ("%rd2", halves(a).1), ("%rd3", halves(b).0), ("%rd4", halves(b).1)];
    let sum = halves(a.wrapping_add(b));
    check("add.cc.u64 %rd5, %rd1, %rd3; addc.u64 %rd6, %rd2, %rd4;", &given, &[("%rd5", sum.0), ("%rd6", sum.1)]);
    let difference = halves(b.wrapping_sub(a));
    check(
        "sub.cc.u64 %rd5, %rd3, %rd1; subc.u64 %rd6, %rd4, %rd2;",
        &given,
        &[("%rd5", difference.0), ("%rd6", difference.1)],
    );
    // A product of 64 by 64 bits from words of 32, by the school's method.
    let (x, y) = (0xffff_fffe_dcba_9877u64, 0x8765_4321_ffff_ffffu64);
    let product = u128::from(x) * u128::from(y);
    let words = |value: u64| (value & 0xffff_ffff, value >> 32);
    let given = [("%r1", words(x).0), ("%r2", words(x).1), ("%r3", words(y).0), ("%r4", words(y).1)];
    let part = |k: u32| (product >> (32 * k)) as u64 & 0xffff_ffff;
    check(
        "mul.lo.u32 %r5, %r1, %r3; mul.hi.u32 %r6, %r1, %r3; \
         mad.lo.cc.u32 %r6, %r1, %r4, %r6; madc.hi.u32 %r7, %r1, %r4, 0; \
         mad.lo.cc.u32 %r6, %r2, %r3, %r6; madc.hi.cc.u32 %r7, %r2, %r3, %r7; addc.u32 %r8, 0, 0; \
         mad.lo.cc.u32 %r7, %r2, %r4, %r7; madc.hi.u32 %r8, %r2, %r4, %r8;",
        &given,
        &[("%r5", part(0)), ("%r6", part(1)), ("%r7", part(2)), ("%r8", part(3))],
    );
    // Signed words: the upper half of -1 * 1 is -1, and a sum in between carries.
    check(
        "mad.hi.cc.s32 %r5, %r1, %r2, %r3; addc.u32 %r6, 0, 0;",
        &[("%r1", 0xffff_ffff), ("%r2", 1), ("%r3", 2)],
        &[("%r5", 1), ("%r6", 1)],
    );
}
