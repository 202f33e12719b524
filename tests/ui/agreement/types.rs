//! The name `M` is one struct to rustc, by an alias, and another to the macros, by a glob import.
mod a {
    use warp::prelude::*;

    #[derive(Clone, Copy, Struct)]
    #[repr(C)]
    pub struct M {
        pub x: f32,
        pub y: f32,
    }

    #[derive(Clone, Copy, PartialEq, Struct)]
    #[repr(u32)]
    pub enum Mode {
        On,
        Off,
    }

    #[derive(Args)]
    pub struct Mesh<'a> {
        pub points: &'a mut [f32],
    }
}

mod b {
    use warp::prelude::*;

    #[derive(Clone, Copy, Struct)]
    #[repr(C)]
    pub struct M {
        pub x: f32,
        pub y: f32,
    }

    #[derive(Clone, Copy, PartialEq, Struct)]
    #[repr(u32)]
    pub enum Mode {
        Off,
        On,
    }

    #[derive(Args)]
    pub struct Mesh<'a> {
        pub points: &'a mut [f32],
    }
}

mod user {
    use super::a::*;
    use warp::prelude::*;

    // Under a condition, so that the source alone does not settle what the names mean.
    #[cfg(all())]
    type M = super::b::M;
    #[cfg(all())]
    type Mode = super::b::Mode;
    #[cfg(all())]
    type Mesh<'a> = super::b::Mesh<'a>;

    #[kernel]
    fn in_a_signature(points: &mut [M]) {
        points[tid()].x = 1.0;
    }

    #[kernel]
    fn in_a_body(out: &mut [f32]) {
        let m = M { x: 1.0, y: 2.0 };
        out[tid()] = m.y;
    }

    #[func]
    fn of_a_function(mode: Mode) -> bool {
        mode == Mode::On
    }

    #[kernel]
    fn of_a_bundle(mesh: Mesh) {
        mesh.points[tid()] = 1.0;
    }

    #[derive(Clone, Copy, Struct)]
    #[repr(C)]
    struct Holder {
        m: M,
    }

    #[methods]
    impl M {
        fn sum(&self) -> f32 {
            self.x + self.y
        }
    }
}

fn main() {}
