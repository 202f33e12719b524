//! Indices out of range: reported, and nothing else happens.

use warp::prelude::*;
use warp::{Error, FaultKind};

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
        let device = Device::cpu();
        let src = Array::from_slice(&device, &[10.0, 11.0, 12.0, 13.0])?;
        Ok(Case { src, idx: Array::from_slice(&device, idx)?, whole: Array::full(&device, 12, GUARD)? })
    }

    /// The fault of a launch whose output is the middle third, after looking at the guards.
    fn fault(&mut self, launch: impl Fn(&Array<f32>, &Array<u32>, &mut Array<f32>) -> Result<(), Error>) -> Box<Fault> {
        let result = launch(&self.src, &self.idx, &mut self.whole.slice_mut(4..8).unwrap());
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

#[test]
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

#[test]
fn a_good_launch_follows_a_fault() {
    let mut case = Case::new(&[0, 3, 1000, u32::MAX]).unwrap();
    case.fault(|src, idx, out| gather::launch(4, src, idx, out));
    case.idx.copy_from_slice(&[3, 2, 1, 0]).unwrap();
    gather::launch(4, &case.src, &case.idx, &mut case.whole.slice_mut(4..8).unwrap()).unwrap();
    assert_eq!(case.whole.to_vec().unwrap()[4..8], [13.0, 12.0, 11.0, 10.0]);
}
