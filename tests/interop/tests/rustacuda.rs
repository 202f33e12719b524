//! rustacuda and arrays.

use std::mem;

use ::rustacuda::memory::{CopyDestination, DeviceBuffer};
use warp::Error;
use warp::prelude::*;
use warp::rustacuda::{adopt, borrow, borrow_all, borrow_mut, context, lend, lend_all, lend_mut, release};

use crate::cases;
use crate::driver::Driver;
use crate::theirs::{NUMBERS, device, double, doubled, scale_by, twice_balanced};

cases! {
    arrays_are_lent => arrays;
    buffers_are_borrowed => buffers;
    buffers_become_arrays_and_buffers_again => moves;
    strangers_are_refused => strangers;
}

fn arrays(driver: &Driver) {
    let device = device();
    context(&device).unwrap();
    twice_balanced(driver, || {
        let mut array = Array::from_slice(&device, &NUMBERS).unwrap();
        double::launch(5, &mut array).unwrap();
        let mut found = [0.0; 5];
        lend(&array, |slice| slice.copy_to(&mut found)).unwrap().unwrap();
        assert_eq!(found.to_vec(), doubled());
        let copied = lend_mut(&mut array, |slice| {
            let (left, right) = slice.split_at_mut(2);
            left.copy_from(&NUMBERS[..2])?;
            right.copy_from(&NUMBERS[2..])
        });
        copied.unwrap().unwrap();
        double::launch(5, &mut array).unwrap();
        assert_eq!(array.to_vec().unwrap(), doubled());
        let mut copy = Array::zeros(&device, 5).unwrap();
        let copied = lend_all((&array, &mut copy), |(from, to)| from.copy_to(to));
        copied.unwrap().unwrap();
        double::launch(5, &mut copy).unwrap();
        assert_eq!(copy.to_vec().unwrap(), NUMBERS.map(|x| 4.0 * x));
    });
}

fn buffers(driver: &Driver) {
    let device = device();
    context(&device).unwrap();
    twice_balanced(driver, || {
        let mut buffer = DeviceBuffer::from_slice(&NUMBERS).unwrap();
        assert_eq!(borrow(&device, &buffer, |array| array.to_vec()).unwrap().unwrap(), NUMBERS);
        let mut kept = Array::zeros(&device, 1).unwrap();
        let launch = |array: &mut Array<f32>| {
            double::launch(5, array)?;
            mem::swap(array, &mut kept);
            Ok::<(), Error>(())
        };
        borrow_mut(&device, &mut buffer, launch).unwrap().unwrap();
        assert!(matches!(kept.to_vec(), Err(Error::LoanEnded)));
        let mut found = [0.0; 5];
        buffer.copy_to(&mut found).unwrap();
        assert_eq!(found.to_vec(), doubled());
        let by = DeviceBuffer::from_slice(&[0.5f32; 5]).unwrap();
        let launched = borrow_all(&device, (&by, &mut buffer), |(by, buffer)| scale_by::launch(5, by, buffer));
        launched.unwrap().unwrap();
        buffer.copy_to(&mut found).unwrap();
        assert_eq!(found, NUMBERS);
    });
}

fn moves(driver: &Driver) {
    let device = device();
    context(&device).unwrap();
    twice_balanced(driver, || {
        let mut buffer = DeviceBuffer::from_slice(&NUMBERS).unwrap();
        let address = buffer.as_device_ptr().as_raw();
        let mut array = adopt(&device, buffer).unwrap();
        double::launch(5, &mut array).unwrap();
        let mut back = release(array).unwrap();
        assert_eq!(back.as_device_ptr().as_raw(), address, "no copy");
        let mut found = [0.0; 5];
        back.copy_to(&mut found).unwrap();
        assert_eq!(found.to_vec(), doubled());
        drop(adopt(&device, back).unwrap());

        // As an array it may go on a thread that has no context.
        let array = adopt(&device, DeviceBuffer::from_slice(&NUMBERS).unwrap()).unwrap();
        std::thread::spawn(move || drop(array)).join().unwrap();
    });
    let words = release(Array::from_slice(&device, &NUMBERS).unwrap()).unwrap_err().to_string();
    assert!(words.contains("memory did not come from there"), "{words}");
}

fn strangers(_: &Driver) {
    let (first, second) = (device(), Device::cuda(1).unwrap());
    context(&second).unwrap();
    let there = DeviceBuffer::from_slice(&NUMBERS).unwrap();
    context(&first).unwrap();
    let expected =
        "the buffer of rustacuda is on cuda:1, and what it is wanted for on cuda:0; both must be on one device";
    assert_eq!(borrow(&first, &there, |_| ()).unwrap_err().to_string(), expected);
    assert_eq!(borrow(&second, &there, |array| array.to_vec()).unwrap().unwrap(), NUMBERS);
    context(&second).unwrap();
    drop(there);
    let on_cpu = Array::from_slice(&Device::cpu(), &NUMBERS).unwrap();
    assert!(matches!(lend(&on_cpu, |_| ()), Err(Error::Foreign(_))));
}
