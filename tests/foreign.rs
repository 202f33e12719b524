//! Arrays in memory that somebody else allocated, on the device whose memory is the host's.
#![cfg(feature = "cpu")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use warp::prelude::*;
use warp::{Error, Graph};

#[kernel]
fn add(to: &mut [f32], from: &[f32]) {
    let i = tid();
    to[i] += from[i];
}

/// Numbers with room behind them, as the device may read it.
#[repr(align(64))]
struct Numbers([f32; 8]);

/// Says when it goes.
struct Owner(Box<Numbers>, Arc<AtomicBool>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.1.store(true, Ordering::Relaxed);
    }
}

fn owner() -> (Owner, u64, Arc<AtomicBool>) {
    let mut numbers = Box::new(Numbers([1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0]));
    let address = numbers.0.as_mut_ptr().expose_provenance() as u64;
    let gone = Arc::new(AtomicBool::new(false));
    (Owner(numbers, gone.clone()), address, gone)
}

/// The first four numbers as an array that owns them.
fn adopted(device: &Device) -> (Array<f32>, Arc<AtomicBool>) {
    let (owner, address, gone) = owner();
    // SAFETY: the owner has the numbers, and four more behind them.
    (unsafe { Array::adopt(device, address, 4, owner) }.unwrap(), gone)
}

#[test]
fn an_owner_goes_with_the_last_use_of_its_memory() {
    // One of its own, of which no other test counts bytes.
    let device = Device::cpu_with_threads(1);
    let bytes = device.memory().now;
    let (mut array, gone) = adopted(&device);
    let ones = Array::full(&device, 4, 1.0f32).unwrap();
    let (graph, ()): (Graph, ()) = device.capture(|| add::launch(4, &mut array, &ones)).unwrap();
    graph.launch().unwrap();
    assert_eq!(array.to_vec().unwrap(), [2.0, 3.0, 4.0, 5.0]);
    drop(array);
    assert!(!gone.load(Ordering::Relaxed), "the graph needs it");
    graph.launch().unwrap();
    drop(graph);
    assert!(gone.load(Ordering::Relaxed));
    drop(ones);
    assert_eq!(device.memory().now, bytes);
}

#[test]
fn an_owner_is_given_back() {
    let device = Device::cpu();
    let (mut array, gone) = adopted(&device);
    array.set(2, -1.0).unwrap();
    assert_eq!(array.with_owner(|_: &String| ()), None);
    let array = array.into_owner::<String>().unwrap_err().value;
    let array = array.into_memory().unwrap_err().value;
    assert_eq!(array.with_owner(|owner: &Owner| owner.0.0[2]), Some(-1.0));
    let owner = array.into_owner::<Owner>().unwrap();
    assert_eq!(owner.0.0, [1.0, 2.0, -1.0, 4.0, 0.0, 0.0, 0.0, 0.0]);
    assert!(!gone.load(Ordering::Relaxed));
    drop(owner);
    assert!(gone.load(Ordering::Relaxed));
}

#[test]
fn a_loan_ends() {
    let device = Device::cpu();
    let (mut owner, address, _) = owner();
    let mut kept = Array::full(&device, 1, 0.0f32).unwrap();
    let ones = Array::full(&device, 4, 1.0f32).unwrap();
    // SAFETY: the numbers are there, and nobody else uses them.
    let graph = unsafe {
        Array::borrow_memory_mut(&device, address, 4, |array: &mut Array<f32>| {
            add::launch(4, array, &ones)?;
            let (graph, ()): (Graph, ()) = device.capture(|| add::launch(4, array, &ones))?;
            std::mem::swap(array, &mut kept);
            Ok::<_, Error>(graph)
        })
    };
    let graph = graph.unwrap().unwrap();
    assert_eq!(owner.0.0, [2.0, 3.0, 4.0, 5.0, 0.0, 0.0, 0.0, 0.0]);
    owner.0.0 = [0.0; 8];
    assert!(matches!(graph.launch(), Err(Error::LoanEnded)));
    assert!(matches!(kept.read(), Err(Error::LoanEnded)));
    assert!(matches!(kept.write(), Err(Error::LoanEnded)));
    let words = add::launch(4, &mut kept, &ones).unwrap_err().to_string();
    assert!(
        words.starts_with("the array lies in memory that another library had lent, and the loan has ended"),
        "{words}"
    );
    assert_eq!(owner.0.0, [0.0; 8]);
}

#[test]
fn what_is_lent_for_reading_is_not_written() {
    let device = Device::cpu();
    let (owner, address, _) = owner();
    // SAFETY: the numbers are there, and nobody writes them.
    let read =
        unsafe { Array::borrow_memory(&device, address, (2, 2), |array: &Array<f32, 2>| array.row(1)?.to_vec()) };
    assert_eq!(read.unwrap().unwrap(), [3.0, 4.0]);
    // SAFETY: nothing is read.
    let odd = unsafe { Array::<f32>::borrow_memory(&device, address + 2, 1, |_| ()) };
    assert!(odd.unwrap_err().to_string().contains("is not aligned to 16 bytes"));
    drop(owner);
}

#[test]
fn parts_are_not_handed_over() {
    let device = Device::cpu();
    let (address, bytes) = Array::full(&device, 6, 0.0f32).unwrap().into_memory().unwrap();
    assert_eq!(bytes, 24);
    // SAFETY: the backend gave it, and so it takes it.
    unsafe { device.backend().free(address, bytes) };

    // A part that safe code has put in the place of a whole.
    let (mut whole, mut other) = (Array::full(&device, 6, 0.0f32).unwrap(), Array::full(&device, 1, 0.0f32).unwrap());
    std::mem::swap(&mut *whole.slice_mut(1..3).unwrap(), &mut other);
    let refused = other.into_memory().unwrap_err();
    assert_eq!(refused.to_string(), "only a whole array can be handed over, and this is a part of one");
    assert!(whole.into_memory().unwrap_err().to_string().contains("still needs its memory"));
}
