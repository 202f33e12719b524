//! What a launch reports: faults, failures of the backend, prints.

use warp::backend::{BackendError, LaunchStop};
use warp::{Error, FaultKind, capture_output};
use warp_ir::ir::{ArrayId, CheckKind, Mem, PrintPiece, PrintSite, Scalar};

use super::{F32, checked, launch, mock, two_slices, words_of};

#[test]
fn a_fault_is_a_sentence() {
    let device = mock::device("mock", true, |program, _| {
        let function = &program.kernel.function;
        Err(LaunchStop::Fault {
            thread: 2,
            kind: CheckKind::Index { mem: Mem::Array(ArrayId(0)), dim: 0 },
            source: function.sources[0].clone(),
            operands: vec![(Scalar::U64, 1000), (Scalar::U64, 4)],
            count: 2,
        })
    });
    let kernel = mock::definition(checked(), &[F32, F32], &[]);
    let (mut a, b) = (words_of(&device, 4), words_of(&device, 4));
    let error = launch(kernel, 7, &mut a, &b).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `gather` (src/main.rs:12): index 1000 is out of range for `src` of length 4, in thread 2: `src[i]`; \
         one more thread failed too"
    );
    let Error::Fault(fault) = error else { panic!() };
    assert_eq!(fault.kind, FaultKind::Index { array: "src".into(), dim: None, index: 1000, extent: 4 });
    assert_eq!((fault.thread, &fault.index[..], fault.count), (2, &[2][..], 2));
    a.fill(0.0).expect("the launch has ended");
}

#[test]
fn a_failing_backend_is_told_in_its_words() {
    let device = mock::device("hot", true, |_, _| Err(LaunchStop::Backend(BackendError("the fan is off".into()))));
    let words = launch(two_slices(), 1, &mut words_of(&device, 1), &words_of(&device, 1)).unwrap_err().to_string();
    assert_eq!(words, "device hot failed while running kernel `two_slices`: the fan is off");
}

#[test]
fn prints_come_by_thread_and_then_in_order() {
    let site = PrintSite {
        pieces: vec![
            PrintPiece::Text("x = ".into()),
            PrintPiece::Arg { scalar: Scalar::F32, spec: ".2".into() },
            PrintPiece::Text(", n = ".into()),
            PrintPiece::Arg { scalar: Scalar::U8, spec: "#04x".into() },
        ],
        newline: true,
    };
    let device = mock::device("mock", true, move |_, call| {
        for (thread, x) in [(2, 0.5f32), (0, 1.0), (2, 1.5), (1, -2.0)] {
            call.printer.print(thread, &site, &[x.to_bits() as u64, thread]);
        }
        Ok(())
    });
    let (mut a, b) = (words_of(&device, 1), words_of(&device, 1));
    let (result, text) = capture_output(|| launch(two_slices(), 3, &mut a, &b));
    result.unwrap();
    assert_eq!(text, "x = 1.00, n = 0x00\nx = -2.00, n = 0x01\nx = 0.50, n = 0x02\nx = 1.50, n = 0x02\n");
    assert_eq!(capture_output(|| ()).1, "");
}
