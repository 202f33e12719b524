//! Masks against glam's, all of them.

use crate::host::masks;
use crate::same::agree;

macro_rules! tests {
    ($($test:ident: $host:ident $n:literal;)+) => {$(
        #[test]
        fn $test() {
            let of = |bits: u32| std::array::from_fn::<bool, $n, _>(|i| bits >> i & 1 == 1);
            for i in 0..1u32 << $n {
                for j in 0..1u32 << $n {
                    let (a, b) = (masks::$host::from_array(of(i)), masks::$host::from_array(of(j)));
                    let (ga, gb) = (glam::$host::from_array(of(i)), glam::$host::from_array(of(j)));
                    assert_eq!((a.bitmask(), a.any(), a.all()), (i, i != 0, i == (1 << $n) - 1));
                    agree!(a & b, ga & gb, i, j);
                    agree!(a | b, ga | gb, i, j);
                    agree!(a ^ b, ga ^ gb, i, j);
                    agree!(!a, !ga, i);
                    agree!(masks::$host::splat(i == 0), glam::$host::splat(i == 0), i);
                    for k in 0..$n {
                        assert_eq!(a.test(k), ga.test(k));
                    }
                }
            }
        }
    )+};
}

tests! {
    bvec2_agrees: BVec2 2;
    bvec3_agrees: BVec3 3;
    bvec4_agrees: BVec4 4;
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_component_that_is_not_there_is_a_fault() {
    masks::BVec3::splat(true).test(3);
}
