//! Indices out of range: reported, and nothing else happens.

use warp::prelude::*;
use warp::{Error, FaultKind};
use warp_test_devices::{device, ended, on_every_device};

#[kernel]
fn gather(src: &[f32], idx: &[u32], out: &mut [f32]) {
    let i = tid();
    out[i] = src[idx[i] as usize];
}

#[kernel]
fn unused(src: &[f32], idx: &[u32], out: &mut [f32]) {
    let i = tid();
    let _v = src[idx[i] as usize];
    out[i] = 1.0;
}

#[kernel]
fn scatter(src: &[f32], idx: &[u32], out: &mut [f32]) {
    let i = tid();
    out[idx[i] as usize] = src[i];
}

/// Arrays of a case: the output lies between guards.
struct Case {
    src: Array<f32>,
    idx: Array<u32>,
    whole: Array<f32>,
}

const GUARD: f32 = 77.0;

impl Case {
    fn new(idx: &[u32; 4]) -> Result<Case, Error> {
        let device = device();
        let src = Array::from_slice(&device, &[10.0, 11.0, 12.0, 13.0])?;
        Ok(Case { src, idx: Array::from_slice(&device, idx)?, whole: Array::full(&device, 12, GUARD)? })
    }

    /// The fault of a launch whose output is the middle third, after looking at the guards.
    fn fault(&mut self, launch: impl Fn(&Array<f32>, &Array<u32>, &mut Array<f32>) -> Result<(), Error>) -> Box<Fault> {
        let result = ended(launch(&self.src, &self.idx, &mut self.whole.slice_mut(4..8).unwrap()));
        let after = self.whole.to_vec().unwrap();
        assert_eq!((&after[..4], &after[8..]), (&[GUARD; 4][..], &[GUARD; 4][..]));
        match result {
            Err(Error::Fault(fault)) => fault,
            other => panic!("{other:?}"),
        }
    }
}

fn beyond(array: &str) -> FaultKind {
    FaultKind::Index { array: array.into(), dim: None, index: 1000, extent: 4 }
}

#[on_every_device]
fn an_index_out_of_range_is_reported() {
    let mut case = Case::new(&[0, 3, 1000, u32::MAX]).unwrap();
    for (launch, array) in [
        (gather::launch as fn(usize, &_, &_, &mut _) -> _, "src"),
        (unused::launch as fn(usize, &_, &_, &mut _) -> _, "src"),
        (scatter::launch as fn(usize, &_, &_, &mut _) -> _, "out"),
    ] {
        let fault = case.fault(|src, idx, out| launch(4, src, idx, out));
        assert_eq!((&fault.kind, fault.thread, fault.count), (&beyond(array), 2, 2), "{fault}");
        assert!(fault.file.ends_with("faults.rs") && fault.text.contains("idx[i] as usize"), "{fault}");
    }
}

#[on_every_device]
fn a_good_launch_follows_a_fault() {
    let mut case = Case::new(&[0, 3, 1000, u32::MAX]).unwrap();
    case.fault(|src, idx, out| gather::launch(4, src, idx, out));
    case.idx.copy_from_slice(&[3, 2, 1, 0]).unwrap();
    gather::launch(4, &case.src, &case.idx, &mut case.whole.slice_mut(4..8).unwrap()).unwrap();
    assert_eq!(case.whole.to_vec().unwrap()[4..8], [13.0, 12.0, 11.0, 10.0]);
}

/// Each thread has a number; those from `bad` on reach a thousand elements too far.
#[kernel]
fn reach2(out: &mut [u32], bad: usize) {
    let (i, j) = tid2();
    let n = i * 5 + j;
    out[n + n / bad * 1000] = n as u32;
}

#[kernel]
fn reach3(out: &mut [u32], bad: usize) {
    let (i, j, k) = tid3();
    let n = (i * 5 + j) * 3 + k;
    out[n + n / bad * 1000] = n as u32;
}

#[kernel]
fn reach4(out: &mut [u32], bad: usize) {
    let (i, j, k, l) = tid4();
    let n = ((i * 5 + j) * 3 + k) * 2 + l;
    out[n + n / bad * 1000] = n as u32;
}

/// The second index of a view is the one that is wrong.
#[kernel]
fn reach_view(mut out: ViewMut2<u32>, by: usize) {
    let (i, j) = tid2();
    out[(i, j + i / 3 * by)] = (i * 5 + j) as u32;
}

#[on_every_device]
fn the_smallest_thread_is_told_in_launches_of_several_dimensions() {
    type Launch = fn(&mut Array<u32>, usize) -> Result<(), Error>;
    let launches: [(Launch, u64); 3] = [
        (|out, bad| reach2::launch((4, 5), out, bad), 20),
        (|out, bad| reach3::launch((4, 5, 3), out, bad), 60),
        (|out, bad| reach4::launch((4, 5, 3, 2), out, bad), 120),
    ];
    for (launch, threads) in launches {
        let mut out = Array::zeros(&device(), 120).unwrap();
        let Err(Error::Fault(fault)) = ended(launch(&mut out, 13)) else { panic!("thread 13 reaches 1013") };
        assert_eq!(fault.kind, FaultKind::Index { array: "out".into(), dim: None, index: 1013, extent: 120 });
        assert_eq!((fault.thread, fault.count), (13, threads - 13));
        // The device goes on.
        launch(&mut out, 1000).unwrap();
        let found = out.to_vec().unwrap();
        assert!((0..threads as u32).all(|n| found[n as usize] == n), "{found:?}");
    }
    let mut grid = Array::zeros(&device(), (4, 5)).unwrap();
    let reached = ended(reach_view::launch((4, 5), &mut grid, 2));
    let Err(Error::Fault(fault)) = reached else { panic!("row 3 reaches column 5") };
    assert_eq!(fault.kind, FaultKind::Index { array: "out".into(), dim: Some(1), index: 5, extent: 5 });
    assert_eq!((fault.thread, fault.count), (3 * 5 + 3, 2));
    reach_view::launch((4, 5), &mut grid, 0).unwrap();
    assert_eq!(grid.to_vec().unwrap(), (0..20).collect::<Vec<u32>>());
}

/// A derivative of one's own, which looks up a table that may be too short.
#[func(grad = priced_grad)]
fn priced(x: f32, _prices: &[f32], _at: u32) -> f32 {
    x
}

#[func]
fn priced_grad(_x: f32, prices: &[f32], at: u32, adjoint: f32) -> f32 {
    prices[at as usize] * adjoint
}

#[kernel]
fn buy(x: &[f32], prices: &[f32], at: &[u32], out: &mut [f32]) {
    let i = tid();
    out[i] = priced(x[i], prices, at[i]);
}

#[on_every_device]
fn a_way_back_that_reaches_too_far_is_told_and_the_device_goes_on() {
    let device = device();
    let x = Array::from_slice(&device, &[1.0f32, 2.0, 3.0]).unwrap();
    let prices = Array::from_slice(&device, &[10.0f32, 20.0]).unwrap();
    let (mut out, ones) = (Array::zeros(&device, 3).unwrap(), Array::full(&device, 3, 1.0f32).unwrap());
    let mut at = Array::from_slice(&device, &[1u32, 2, 7]).unwrap();
    let tape = Tape::record(|| buy::launch(3, &x, &prices.detach(), &at, &mut out)).unwrap();
    let said = tape.backward_with([(&out, &ones)]).unwrap_err().to_string();
    let index = "index 2 is out of range for `prices` of length 2, in thread 1";
    assert!(said.contains(index) && said.contains("faults.rs"), "{said}");
    device.check().unwrap();
    at.copy_from_slice(&[1, 0, 1]).unwrap();
    let tape = Tape::record(|| buy::launch(3, &x, &prices.detach(), &at, &mut out)).unwrap();
    tape.backward_with([(&out, &ones)]).unwrap();
    assert_eq!(x.grad().unwrap().to_vec().unwrap(), [20.0, 10.0, 20.0]);
}
