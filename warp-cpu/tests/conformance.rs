//! What every backend must do, on one machine thread and on several, thread by thread and in the lanes of vectors, with one
//! group of threads and with several side by side. Those with several machine threads are told that every launch is worth
//! spreading: launches that a test can check are too small for that otherwise.

use warp_cpu::Cpu;

mod on_one_machine_thread {
    use super::Cpu;
    warp_conformance::suite!(|| Cpu::with_threads(1).verifying().scalar());
}

mod on_several_machine_threads {
    use super::Cpu;
    warp_conformance::suite!(|| Cpu::with_threads(4).verifying().eager().scalar());
}

mod in_lanes_on_one_machine_thread {
    use super::Cpu;
    warp_conformance::suite!(|| Cpu::with_threads(1).verifying().lanes().side_by_side(1));
}

mod in_lanes_on_several_machine_threads {
    use super::Cpu;
    warp_conformance::suite!(|| Cpu::with_threads(4).verifying().eager().lanes());
}

mod in_two_groups_side_by_side {
    use super::Cpu;
    warp_conformance::suite!(|| Cpu::with_threads(1).verifying().lanes().side_by_side(2));
}

mod in_three_groups_side_by_side {
    use super::Cpu;
    warp_conformance::suite!(|| Cpu::with_threads(1).verifying().lanes().side_by_side(3));
}

mod in_lanes_that_take_up_other_threads {
    use super::Cpu;
    warp_conformance::suite!(|| Cpu::with_threads(1).verifying().refilling().side_by_side(2));
}

mod in_one_group_that_takes_up_other_threads {
    use super::Cpu;
    warp_conformance::suite!(|| Cpu::with_threads(4).verifying().eager().refilling().side_by_side(1));
}
