//! Launches.

use fake_cuda::Fake;
use warp_core::backend::{Backend, LaunchStop};
use warp_ir::builder::Builder;
use warp_ir::ir::{PrintPiece, PrintSite, Scalar};

use super::kernels::{Buffer, Lines, increment, launch, open, program};

#[test]
fn any_block_size_gives_the_same() {
    let fake = Fake::new();
    let (_driver, cuda) = open(&fake).unwrap();
    let executable = cuda.compile(&program(increment("increment"))).unwrap();
    let values: Vec<u32> = (0..500).collect();
    let expected: Vec<u32> = (1..501).collect();
    for block in [None, Some(1), Some(32), Some(100), Some(1024), Some(5000)] {
        let buffer = Buffer::new(&cuda, &values).unwrap();
        let lines = Lines::default();
        launch(&executable, 500, &[buffer.address, 500], block, &lines).unwrap();
        assert_eq!(buffer.read().unwrap(), expected, "{block:?}");
        assert_eq!(lines.printed.lock().unwrap().len(), 500);
    }
}

/// The same text is compiled once, and kept for as long as the backend.
#[test]
fn kernels_of_the_same_text_share_a_module() {
    let fake = Fake::new();
    let (_driver, cuda) = open(&fake).unwrap();
    let first = cuda.compile(&program(increment("increment"))).unwrap();
    let second = cuda.compile(&program(increment("increment"))).unwrap();
    assert_eq!(fake.live().modules, 1);
    drop((first, second));
    cuda.compile(&program(increment("increment"))).unwrap();
    cuda.compile(&program(increment("other"))).unwrap();
    assert_eq!(fake.live().modules, 2);
}

/// Warm launches take nothing new.
#[test]
fn launches_do_not_grow_memory() {
    let fake = Fake::new();
    let (_driver, cuda) = open(&fake).unwrap();
    let executable = cuda.compile(&program(increment("increment"))).unwrap();
    let buffer = Buffer::new(&cuda, &[0; 8]).unwrap();
    let mut before = None;
    for round in 0..100 {
        // A fault now and then, which leaves its block to be made quiet again.
        let n = if round % 10 == 9 { 9 } else { 8 };
        let done = launch(&executable, n, &[buffer.address, 8], None, &Lines::default());
        assert_eq!(done.is_err(), n == 9);
        let live = fake.live();
        assert_eq!(*before.get_or_insert(live), live);
    }
    assert_eq!(buffer.read().unwrap(), [100; 8]);
}

/// What finds no room on the device is told.
#[test]
fn lines_that_find_no_room_are_counted() {
    let mut b = Builder::new("chatty");
    let arg = || PrintPiece::Arg { scalar: Scalar::U64, spec: String::new() };
    let site = b.print_site(PrintSite { pieces: (0..30).map(|_| arg()).collect(), newline: true });
    let (i, turns) = (b.tid(0), b.u64(600));
    b.counted(turns, &[], |b, _, _| {
        b.print(site, &[i; 30]);
        vec![]
    });
    let fake = Fake::new();
    let (_driver, cuda) = open(&fake).unwrap();
    let executable = cuda.compile(&program(b.finish_kernel(1))).unwrap();
    // A launch shows 16 MiB of lines at most, and each of these counts with 62 bytes at least.
    let room = (16usize << 20).div_ceil(62);
    for (threads, expected) in [(500, (room, 300_000 - room as u64)), (2, (1200, 0))] {
        let lines = Lines::default();
        launch(&executable, threads, &[], None, &lines).unwrap();
        let (printed, lost) = (lines.printed.into_inner().unwrap(), lines.lost.into_inner().unwrap());
        assert_eq!((printed.len(), lost), expected);
        assert!(printed.iter().all(|(thread, args)| args.iter().all(|arg| arg == thread)));
    }
}

/// Another user of the device poisons the context: launches and copies say so.
#[test]
fn a_lost_context_is_told_by_everything() {
    let fake = Fake::new();
    let (_driver, cuda) = open(&fake).unwrap();
    let executable = cuda.compile(&program(increment("increment"))).unwrap();
    let buffer = Buffer::new(&cuda, &[0; 8]).unwrap();
    // The words say more than there is, against the contract of launches.
    let stop = launch(&executable, 64, &[buffer.address, 64], None, &Lines::default()).unwrap_err();
    let LaunchStop::Backend(error) = stop else { panic!("{stop:?}") };
    assert!(
        error.to_string().contains("CUDA_ERROR_ILLEGAL_ADDRESS") && error.to_string().contains("PTX line"),
        "{error}"
    );
    assert!(buffer.read().is_err() && cuda.allocate(4).is_err() && cuda.check().is_err());
}
