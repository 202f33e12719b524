//! What every backend must do, bit for bit, as tests. A backend joins with one line in a file of its tests:
//!
//! ```ignore
//! warp_conformance::suite!(|| MyBackend::open());
//! ```
//!
//! The closure gives a [`Backend`](warp::backend::Backend); each test calls it for one of its own. Nothing here assumes
//! that the host can reach the device's memory, nor in which order or how many at once threads run. What the checks
//! expect comes from the meaning of each builtin on the host, from Rust's own arithmetic, or from the evaluator of the
//! IR, never from a backend.
//!
//! A check is a function of a [`Rig`] that panics where the backend is wrong. [`ALL`] lists them, so that a test can show
//! that a backend with a mistake is found out.

pub mod atomics;
pub mod buffer;
pub mod control;
pub mod evaluated;
pub mod faults;
pub mod kernels;
pub mod launches;
pub mod memory;
pub mod prints;
pub mod quotients;
pub mod random;
pub mod recorded;
pub mod rig;
pub mod rows;
pub mod scalars;

pub use buffer::Buffer;
pub use evaluated::{agrees, agrees_on};
pub use rig::Rig;

/// A check, with its module and name.
pub struct Check {
    /// Module and name: `rows::on_edges`.
    pub name: &'static str,
    /// Panics where the backend is wrong.
    pub run: fn(&Rig),
}

/// Calls another macro of this crate with the list of all checks, followed by what else it is given.
#[doc(hidden)]
#[macro_export]
macro_rules! checks {
    ($then:ident $($more:tt)*) => {
        $crate::$then! {
            [
                memory {
                    blocks_are_zeroed_and_keep_bytes,
                    structs_of_any_layout,
                    planes,
                    strides_of_any_sign,
                    packed_grids,
                    local_arrays_of_any_size,
                    tables,
                    any_byte_but_zero_is_true,
                    constants_and_parameters_of_all_types,
                }
                launches {
                    every_thread_runs_once_with_its_coordinates,
                    lengths_decide_each_time,
                    hundreds_of_parameters,
                    many_host_threads_at_a_cold_start,
                    sums_keep_their_order,
                    programs_that_do_not_fit_are_refused,
                }
                faults {
                    the_smallest_thread_is_reported_and_nothing_is_written_outside,
                    a_thread_stops_where_its_check_fails,
                    operands_have_their_bits_and_types,
                    messages_of_assertions_arrive,
                    local_arrays_keep_their_numbers,
                    a_good_launch_follows_a_fault,
                }
                atomics { integers_of_all_widths, extrema_of_floats, sums_of_floats_lose_nothing }
                prints { lines_arrive_once_each, arguments_of_all_types, lines_of_a_thread_keep_their_order }
                kernels {
                    nothing_to_do,
                    empty_arrays, loads_stay_behind_their_conditions,
                    views_in_all_directions,
                    structs_in_arrays_and_planes,
                    a_fault_is_a_sentence,
                    printed_text,
                    copies,
                }
                rows { on_edges, with_a_constant, selects_by_a_comparison }
                quotients {
                    with_a_shared_divisor,
                    with_divisors_of_their_own,
                    roots,
                    that_depend_on_each_other,
                    with_other_ops_between,
                    of_both_widths,
                    with_guards,
                }
                control { flags_end_loops, loops_nest, arms_give_values }
                random { kernels_do_what_the_evaluator_does, adjoints_do_what_the_evaluator_does }
            ]
            $($more)*
        }
    };
}

/// The tests of a backend that the expression, a closure, gives.
#[macro_export]
macro_rules! suite {
    ($backend:expr) => {
        /// A backend of its own for each test.
        fn rig() -> $crate::Rig {
            $crate::Rig::new(($backend)())
        }
        $crate::checks! { tests_of }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! tests_of {
    ([$($module:ident { $($check:ident),* $(,)? })*]) => { $(
        mod $module {
            $(
                #[test]
                fn $check() {
                    $crate::$module::$check(&super::rig());
                }
            )*
        }
    )* };
}

#[doc(hidden)]
#[macro_export]
macro_rules! list_of {
    ([$($module:ident { $($check:ident),* $(,)? })*]) => {
        &[$($(Check { name: concat!(stringify!($module), "::", stringify!($check)), run: $module::$check },)*)*]
    };
}

/// All checks.
pub const ALL: &[Check] = checks! { list_of };
