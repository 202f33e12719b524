//! A framework that knows the library by another name, has functions of its own, and re-exports it.
#![deny(warnings, missing_docs, unreachable_pub, future_incompatible, unused)]

pub use engine as simulation;
use engine::prelude::*;

const GRAVITY: f32 = 10.0;

/// A body.
#[derive(Clone, Copy, PartialEq, Debug, Struct)]
#[warp(crate = ::engine)]
#[repr(C)]
pub struct Body {
    /// Its speed.
    pub speed: f32,
    /// What it is.
    pub kind: Kind,
}

/// Kinds of bodies.
#[derive(Clone, Copy, PartialEq, Debug, Struct)]
#[warp(crate = ::engine)]
#[repr(u8)]
pub enum Kind {
    /// It falls.
    Free,
    /// It stays.
    Fixed,
}

#[methods(crate = ::engine)]
impl Body {
    /// After a time.
    pub fn after(self, time: f32) -> Body {
        Body { speed: fall(self.speed, time) + GRAVITY * time, ..self }
    }
}

/// Falls for a time.
#[func(crate = ::engine)]
pub fn fall<T: engine::Float>(speed: T, time: T) -> T {
    speed + time * time
}
