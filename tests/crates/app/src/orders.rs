//! Every order and place in which items can stand, as macros do not look ahead.

use warp::prelude::*;

use self::deep::er::*;
use self::ping::one as first;
use crate::orders::siblings::right::from_right as renamed;
use renamed as renamed_twice;

/// The kernel stands before all it calls.
#[kernel]
pub fn early(out: &mut [f32]) {
    let i = tid();
    out[i] = a1(i as f32) + first(1.0) + deepest(2.0) + renamed_twice(3.0) + self::ping::pong::two(4.0);
}

macro_rules! link {
    ($($name:ident calls $next:ident;)*) => { $(
        #[func]
        fn $name(x: f32) -> f32 {
            $next(x) + 1.0
        }
    )* };
}

// Twelve deep, each before its callee.
link! {
    a1 calls a2;
    a2 calls a3;
    a3 calls a4;
    a4 calls a5;
    a5 calls a6;
    a6 calls a7;
    a7 calls a8;
    a8 calls a9;
    a9 calls a10;
    a10 calls a11;
    a11 calls a12;
}

#[func]
fn a12(x: f32) -> f32 {
    x * 2.0
}

/// Modules that import each other.
pub mod ping {
    use warp::prelude::*;

    use super::ping::pong::*;

    const GAIN: f32 = 3.0;

    /// Calls into the other module.
    #[func]
    pub fn one(x: f32) -> f32 {
        half_of_two(x) + GAIN
    }

    /// What the other module calls.
    #[func]
    pub fn base(x: f32) -> f32 {
        x * GAIN
    }

    /// The other module.
    pub mod pong {
        use warp::prelude::*;

        use super::*;

        const GAIN: f32 = 5.0;

        /// Calls back.
        #[func]
        pub fn two(x: f32) -> f32 {
            super::base(x) + GAIN
        }

        /// Calls a sibling.
        #[func]
        pub fn half_of_two(x: f32) -> f32 {
            two(x) * 0.5
        }

        /// A use of the outer name, so that the glob means something.
        #[func]
        pub fn around(x: f32) -> f32 {
            base(x)
        }
    }
}

/// A child's child that reaches up.
pub mod deep {
    /// Deeper.
    pub mod er {
        use warp::prelude::*;

        use super::super::*;

        /// Calls a private function of the grandparent.
        #[func]
        pub fn deepest(x: f32) -> f32 {
            a12(x) + crate::orders::ping::base(x)
        }
    }
}

/// Siblings under a parent that globs them, and which they glob.
pub mod siblings {
    pub use left::*;
    pub use middle::*;

    /// One.
    pub mod left {
        use warp::prelude::*;

        use super::*;

        /// Calls the next one, by the parent's glob.
        #[func]
        pub fn from_left(x: f32) -> f32 {
            from_middle(x) + 1.0
        }
    }

    /// Two.
    pub mod middle {
        use warp::prelude::*;

        use super::*;

        /// Calls the next one, by a path.
        #[func]
        pub fn from_middle(x: f32) -> f32 {
            right::from_right(x) + 10.0
        }
    }

    /// Three.
    pub mod right {
        use warp::prelude::*;

        /// Calls nobody.
        #[func]
        pub fn from_right(x: f32) -> f32 {
            x * 100.0
        }
    }
}

/// Through the siblings.
#[kernel]
pub fn through_siblings(out: &mut [f32]) {
    let i = tid();
    out[i] = siblings::from_left(i as f32) + self::ping::pong::around(1.0);
}

/// Everything inside a function, in the wrong order.
pub fn inside_a_function(device: &Device) -> Result<Vec<f32>, Error> {
    #[kernel]
    fn local(out: &mut [f32]) {
        use self::ping::base as from_outside;
        let i = tid();
        out[i] = later(i as f32) + from_outside(1.0) + inside(Point { x: 1.0 });
    }

    let mut out = Array::zeros(device, 3)?;
    local::launch(3, &mut out)?;
    return out.to_vec();

    #[func]
    fn later(x: f32) -> f32 {
        use self::siblings::right::from_right;
        from_right(x) + HERE
    }

    const HERE: f32 = 0.25;

    #[derive(Clone, Copy, Struct)]
    #[repr(C)]
    struct Point {
        x: f32,
    }

    #[func]
    fn inside(p: Point) -> f32 {
        p.x * HERE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Definitions in a test module.
    #[func]
    fn only_here(x: f32) -> f32 {
        a12(x) + 0.5
    }

    #[kernel]
    fn in_tests(out: &mut [f32]) {
        let i = tid();
        out[i] = only_here(i as f32);
    }

    #[test]
    fn items_of_a_test_module_work() {
        let device = warp::Device::cpu();
        let mut out = Array::zeros(&device, 2).unwrap();
        in_tests::launch(2, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), [0.5, 2.5]);
    }
}
