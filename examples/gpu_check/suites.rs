//! The suites that tests run on machines without a GPU, on this one.

use std::sync::Arc;

use warp::cuda::{Cuda, Device};
use warp_conformance::Rig;
use warp_examples_support::check::Row;
use warp_test_devices::{Outcome, Twins, choose_device};

use crate::attempt;
use crate::gradients;

/// A backend of its own for each check.
fn backend(device: &Device) -> Cuda {
    Cuda::new(device).unwrap_or_else(|error| panic!("{error}"))
}

/// What every backend must do.
pub fn conformance(device: &Device) -> Vec<Row> {
    let checks = warp_conformance::ALL.iter().map(|check| (check.name.to_owned(), check.run));
    attempt::all(checks, |run| run(&Rig::new(backend(device))))
}

/// The suite of gradients, with each launch on the CPU, too.
pub fn gradients(device: &Device) -> Vec<Row> {
    let device = device.clone();
    choose_device(move || warp::Device::new(Arc::new(Twins::beside(backend(&device)))));
    let checks = GRADIENTS.iter().map(|(name, test)| (format!("gradients::{name}"), *test));
    attempt::all(checks, |test| test())
}

/// Names and functions of tests. One that is forgotten here is dead code to the compiler.
macro_rules! tests {
    ($($module:ident { $($test:ident),* $(,)? })*) => {
        &[$($((
            concat!(stringify!($module), "::", stringify!($test)),
            || assert!(gradients::$module::$test().passed(), "the test gave back an error"),
        ),)*)*]
    };
}

const GRADIENTS: &[(&str, fn())] = tests! {
    atomics {
        a_hundred_thousand_threads_add_to_one_element,
        computed_indices_repeat,
        the_winner_of_a_maximum_takes_the_gradient,
    }
    branches {
        a_guard_keeps_infinite_slopes_out,
        angles_on_the_axes_and_at_the_origin,
        bounds_stop_the_derivative,
        casts_and_rounding_are_flat,
        only_the_arm_that_was_taken_contributes,
    }
    functions {
        a_branch_overwrites_a_copy,
        a_derivative_calls_its_function,
        a_derivative_of_ones_own_in_a_launch_that_is_written_down,
        a_derivative_of_ones_own_is_reached_through_another_function,
        a_derivative_reads_arrays_inside_the_kernel,
        a_derivative_takes_structs_and_memory,
        a_derivative_that_nobody_takes_asks_for_nothing,
        a_derivative_with_checks_in_two_instances,
        a_generic_function_has_a_generic_derivative,
        a_struct_comes_from_a_function,
        detached_values_are_constants,
        results_that_are_one_value_have_adjoints_of_their_own,
    }
    loops {
        a_running_maximum_skips_turns,
        a_value_from_before_a_loop_is_used_after_it,
        elements_are_added_to_in_loops,
        nested_loops_are_ragged,
        steps_and_reversed_ranges_keep_their_order,
    }
    memory {
        adjoints_lie_where_their_arrays_do,
        an_update_in_place_is_launched_twice,
        components_of_an_element_are_written_one_by_one,
        entries_of_a_local_matrix_are_read_and_written,
        the_path_goes_through_an_array_in_the_middle,
        two_launches_write_one_array,
    }
    rotations {
        rotations_at_the_identity_and_at_half_a_turn,
    }
    values {
        a_number_is_divided_by_a_vector,
        factors_of_matrices_go_back,
        singular_values_coincide,
        the_determinant_of_a_singular_matrix,
        the_length_of_the_zero_vector,
        the_rotation_of_equal_singular_values,
    }
};
