//! Sums of floats to which neighbouring threads add, in rows that reach into each other: they are those of one thread after
//! the other, for any number of groups side by side.

use warp_conformance::Rig;
use warp_conformance::rig::source;
use warp_cpu::Cpu;
use warp_ir::builder::Builder;
use warp_ir::ir::*;

/// How far behind its number a thread adds its parts, but for the last part, whose distance is a parameter.
const PLACES: [u64; 4] = [8, 9, 7, 8];

/// `sums[i + 8] += x; sums[i + 9] += 3 x; sums[i + 7] += 5 x; sums[i + 8] += 7 x; sums[i + 8 + far] += 9 x`.
fn spread() -> Kernel {
    let mut b = Builder::new("spread");
    let (a, sums) = (b.slice("a", Scalar::F32, Access::Read), b.slice("sums", Scalar::F32, Access::Write));
    let far = b.param("far", Scalar::U64);
    let (i, at) = (b.tid(0), source(&mut b, "sums[place]"));
    b.check_index(Mem::Array(a), 0, i, at);
    let x = b.load(Mem::Array(a), i, 0);
    let mut places = vec![];
    for place in PLACES {
        let distance = b.u64(place);
        places.push(b.add(i, distance));
    }
    places.push(b.add(places[0], far));
    for place in &places {
        b.check_index(Mem::Array(sums), 0, *place, at);
    }
    for (k, place) in places.into_iter().enumerate() {
        let factor = b.const_(Scalar::F32, u64::from((2.0 * k as f32 + 1.0).to_bits()));
        let part = b.mul(x, factor);
        b.atomic(AtomicKind::Add, Mem::Array(sums), place, 0, part);
    }
    b.finish_kernel(1)
}

#[test]
fn rows_that_meet_add_up_in_the_order_of_threads() {
    let backends = (1..=4).map(|groups| Cpu::with_threads(1).verifying().lanes().side_by_side(groups));
    for (number, backend) in backends.chain([Cpu::with_threads(1).verifying().scalar()]).enumerate() {
        let rig = Rig::new(backend);
        let compiled = rig.compile(spread());
        for n in [1usize, 7, 16, 50] {
            let a: Vec<f32> = (0..n).map(|i| 1.0 / (3.0 + (i * i % 17) as f32)).collect();
            for far in [0i64, 1, 2, 3, 5, 13, 17, 40, -1, -4, -8] {
                let mut expected = vec![0.1f32; n + 60];
                for (i, x) in a.iter().enumerate() {
                    let far = (8 + far) as usize;
                    for (k, place) in PLACES.into_iter().map(|place| place as usize).chain([far]).enumerate() {
                        expected[i + place] += x * (2.0 * k as f32 + 1.0);
                    }
                }
                let (input, sums) = (rig.buffer(&a), rig.buffer(&vec![0.1f32; n + 60]));
                let words = [&input.words()[..], &sums.words()[..], &[far as u64]].concat();
                compiled.launch(&[n as u64], &words).unwrap();
                assert_eq!(sums.read(), expected, "{n} threads, the last row {far} further, backend {number}");
            }
        }
    }
}
