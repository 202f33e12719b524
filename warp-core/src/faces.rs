//! The faces of the library's free functions: hidden macros beside them, which kernels ask at expansion time.
//!
//! The macros of `warp-macros` say how faces work; a builtin's payload is just its name.

macro_rules! faces {
    ($($face:ident $name:ident;)*) => { faces! { ($) $($face $name;)* } };
    (($dollar:tt) $($face:ident $name:ident;)*) => { $(
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $face {
            ([{$dollar($dollar next:tt)*} $dollar($dollar more:tt)*] $dollar($dollar answers:tt)*) => {
                $dollar($dollar next)* ! { [$dollar($dollar more)*] $dollar($dollar answers)* {builtin $name} }
            };
        }
        #[doc(hidden)]
        pub use $face as $name;
    )* };
}

faces! {
    __warp_face_tid tid;
    __warp_face_tid2 tid2;
    __warp_face_tid3 tid3;
    __warp_face_tid4 tid4;
    __warp_face_atomic_add atomic_add;
    __warp_face_atomic_sub atomic_sub;
    __warp_face_atomic_min atomic_min;
    __warp_face_atomic_max atomic_max;
    __warp_face_atomic_and atomic_and;
    __warp_face_atomic_or atomic_or;
    __warp_face_atomic_xor atomic_xor;
    __warp_face_atomic_exchange atomic_exchange;
    __warp_face_atomic_compare_exchange atomic_compare_exchange;
    __warp_face_detach detach;
}
