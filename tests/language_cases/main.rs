//! Small kernels where a language for kernels goes wrong easily, with the values that Rust gives.
//!
//! Most run on the CPU and on a CUDA device (`tests/devices`). The list of cases that this project keeps, where each is tested, and what waits for a later feature:
//!
//! | case | test | waits |
//! |---|---|---|
//! | one name for several loops and a counter | `statements::one_name_for_several_loops_and_a_counter` | |
//! | `continue` and `break` in one loop, values carried over | `statements::continue_and_break_in_one_loop` | |
//! | division and remainder of negative numbers | `numbers::division_and_remainder_of_negative_numbers`, `divisions_without_a_result_are_faults`, `remainders_of_floats_and_a_wrapping_division` | |
//! | `&&` and `||` stop early | `statements::and_and_or_stop_early` | |
//! | float to integer casts out of range | `numbers::float_to_integer_casts_out_of_range` | |
//! | widening and narrowing, signed and unsigned | `numbers::widening_and_narrowing_signed_and_unsigned` | |
//! | names that mean something to the target | `statements::names_that_mean_something_to_the_target` | |
//! | empty launches and empty arrays | `launches::nothing_to_do`, `empty_arrays`; a wrong rank is rustc's error: `tests/messages`; gradients: `tests/tape/parts.rs` | |
//! | more than 2^31 threads | `launches::more_threads_than_32_bits_count`; on the driver without a GPU refused: `tests/cuda.rs` | |
//! | ranges: empty, backwards, stepped, negative | `statements::empty_backward_stepped_and_negative_ranges` | |
//! | shadowing in blocks, arms and loops | `statements::shadowing_in_blocks_arms_and_loops`; gradients: `tests/tape/launches.rs` | |
//! | a gather index out of range | `faults::an_index_out_of_range_is_reported`, `a_good_launch_follows_a_fault`; gradients: `tests/tape/errors.rs` | |
//! | an array on another device | `launches::arrays_of_two_devices_in_one_launch`; in a bundle: `tests/arguments.rs`; gradients: `tests/tape/errors.rs` | graphs |
//! | arrays dropped while a kernel runs | `drops::arrays_go_where_they_were_made_or_elsewhere` | streams |
//! | graphs recorded and thrown away in a loop | | graphs |
//! | the kernel cache after an edit | there is no cache between processes | a cache |
//! | eight host threads, cold start | `launches::eight_threads_of_the_host_from_a_cold_start`; gradients: `tests/tape/several.rs` | |

mod bundles;
mod comparisons;
mod constants;
mod drops;
mod elements;
mod faults;
mod generics;
mod gradients;
mod hash_grid;
mod launches;
mod lengths;
mod literals;
mod methods;
mod numbers;
mod odd;
mod parts;
mod prints;
mod references;
mod scopes;
mod statements;
mod types;
mod views;
