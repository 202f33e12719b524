//! What threads print.

use warp_ir::builder::Builder;
use warp_ir::ir::{Access, Kernel, Mem, PrintPiece, PrintSite, Scalar};
use warp_ir::random::{Rng, edges};

use crate::rig::{Rig, source};
use crate::scalars::pack;

fn argument(scalar: Scalar) -> PrintPiece {
    PrintPiece::Arg { scalar, spec: String::new() }
}

/// Prints its number and twice that.
fn printing() -> Kernel {
    let mut b = Builder::new("printing");
    let text = |text: &str| PrintPiece::Text(text.into());
    let pieces = vec![text("thread "), argument(Scalar::U64), text(": "), argument(Scalar::U64)];
    let site = b.print_site(PrintSite { pieces, newline: true });
    let i = b.tid(0);
    let twice = b.add(i, i);
    b.print(site, &[i, twice]);
    b.finish_kernel(1)
}

/// From a thousand threads, in any order.
pub fn lines_arrive_once_each(rig: &Rig) {
    let compiled = rig.compile(printing());
    for _ in 0..3 {
        let mut lines = compiled.launch_printing(&[1000], &[]);
        lines.sort();
        assert_eq!(lines.len(), 1000);
        assert!((0..).zip(lines).all(|(i, line)| line == (i, vec![i, 2 * i])));
    }
}

/// The bits of a value of each type, from memory.
pub fn arguments_of_all_types(rig: &Rig) {
    for scalar in Scalar::ALL {
        let mut b = Builder::new("values");
        let a = b.slice("a", scalar, Access::Read);
        let site = b.print_site(PrintSite { pieces: vec![argument(scalar), argument(scalar)], newline: false });
        let (i, at) = (b.tid(0), source(&mut b, "a[i]"));
        b.check_index(Mem::Array(a), 0, i, at);
        let (x, none) = (b.load(Mem::Array(a), i, 0), b.zero(scalar));
        b.print(site, &[x, none]);
        let compiled = rig.compile(b.finish_kernel(1));
        let values = edges(scalar);
        let buffer = rig.buffer(&pack(scalar, &values));
        let n = values.len() as u64;
        let mut lines = compiled.launch_printing(&[n], &[buffer.address(), n]);
        lines.sort();
        assert_eq!(lines, (0..).zip(values.iter().map(|x| vec![*x, 0])).collect::<Vec<_>>(), "{scalar:?}");
    }
}

/// Each thread prints some lines in a loop.
pub fn lines_of_a_thread_keep_their_order(rig: &Rig) {
    let mut b = Builder::new("counting");
    let counts = b.slice("counts", Scalar::U64, Access::Read);
    let site = b.print_site(PrintSite { pieces: vec![argument(Scalar::U64)], newline: true });
    let (i, at) = (b.tid(0), source(&mut b, "counts[i]"));
    b.check_index(Mem::Array(counts), 0, i, at);
    let turns = b.load(Mem::Array(counts), i, 0);
    b.counted(turns, &[], |b, k, _| {
        b.print(site, &[k]);
        vec![]
    });
    let compiled = rig.compile(b.finish_kernel(1));
    let mut rng = Rng::new(3);
    let counts: Vec<u64> = (0..300).map(|_| rng.below(12)).collect();
    let buffer = rig.buffer(&counts);
    let mut lines = compiled.launch_printing(&[300], &buffer.words());
    // A stable sort: the lines of a thread stay as they came.
    lines.sort_by_key(|line| line.0);
    let expected = (0..).zip(&counts).flat_map(|(i, turns)| (0..*turns).map(move |k| (i, vec![k])));
    assert_eq!(lines, expected.collect::<Vec<_>>());
}
