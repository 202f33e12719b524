//! Odd but ordinary Rust, launched: the kernels that the front end's own tests evaluate.

#![allow(warnings, clippy::all, reason = "the oddness is the test")]

/// The kernels are written in the form of the front end's tests, whose macro evaluates them; this one launches them.
mod agree {
    /// A module with a kernel `k`, and a test that what is launched does what rustc makes of the same tokens.
    macro_rules! agree {
        ($name:ident: { $($items:tt)* } $threads:expr, (n: $in:ty = $given:expr, out: $ty:ty = $zeros:expr), k(&n, &mut out)) => {
            mod $name {
                use warp::prelude::*;
                use warp_test_devices::{device, on_every_device};

                super::super::marked! { $($items)* }

                #[on_every_device]
                fn plain_and_launched() {
                    let device = device();
                    let given: Vec<$in> = $given.to_vec();
                    let mut expected: Vec<$ty> = $zeros.to_vec();
                    k::plain($threads, &given, &mut expected).unwrap();
                    let n = Array::from_slice(&device, &given).unwrap();
                    let mut out = Array::from_slice(&device, &$zeros).unwrap();
                    k::launch($threads, &n, &mut out).unwrap();
                    assert_eq!(out.to_vec().unwrap(), expected);
                }
            }
        };
    }
    pub(crate) use agree;
}

/// The items with the attributes that make them a kernel's.
macro_rules! marked {
    () => {};
    ($(#[$attribute:meta])* struct $name:ident $fields:tt $($rest:tt)*) => {
        $(#[$attribute])*
        #[derive(Struct)]
        #[repr(C)]
        struct $name $fields
        super::super::marked! { $($rest)* }
    };
    (fn k $parameters:tt $body:tt $($rest:tt)*) => {
        #[kernel]
        fn k $parameters $body
        super::super::marked! { $($rest)* }
    };
    (fn $name:ident $parameters:tt -> $result:ty $body:block $($rest:tt)*) => {
        #[func]
        fn $name $parameters -> $result $body
        super::super::marked! { $($rest)* }
    };
    (fn $name:ident $parameters:tt $body:tt $($rest:tt)*) => {
        #[func]
        fn $name $parameters $body
        super::super::marked! { $($rest)* }
    };
}
use marked;

#[path = "../../warp-macros/src/front/tests/odd.rs"]
mod kernels;
