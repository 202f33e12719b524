//! Arrays that another library works on for a while: one of them, or several together.

use warp_core::{Array, Device, Element, Error, Slice, SliceMut};
use warp_cuda::Cuda;
use warp_cuda::sys::CUstream;

use crate::turns::{Turn, Whose, cuda, failed};

/// Arrays that are lent to a library together: `&Array` for reading, `&mut Array` for reading and writing, parts of arrays
/// likewise (`array.slice(2..5)?`, `array.cast_mut::<[f32; 3]>()`), and tuples of up to eight of these.
pub trait Lend<L: Library>: Sized {
    /// What the library gets for them: of a tuple, a tuple.
    type Lent<'a>;
    /// Addresses and numbers of elements, while the arrays are in use.
    #[doc(hidden)]
    type Places;
    /// The library's objects over that memory.
    #[doc(hidden)]
    type Objects<'a>;

    /// The device of the first one.
    #[doc(hidden)]
    fn device(&self) -> &Device;
    /// That all are on it.
    #[doc(hidden)]
    fn expect_on(&self, device: &Device) -> Result<(), Error>;
    /// Keeps them in use while `next` runs.
    #[doc(hidden)]
    fn hold<A>(self, next: impl FnOnce(Self::Places) -> A) -> Result<A, Error>;
    /// Makes the objects.
    ///
    /// # Safety
    /// The places are those of a `hold` that lasts as long as the objects do.
    #[doc(hidden)]
    unsafe fn objects<'a>(cuda: &Cuda, on: L::On<'a>, places: Self::Places) -> Result<Self::Objects<'a>, Error>;
    /// What the library's words take.
    #[doc(hidden)]
    fn lent<'a>(objects: &'a mut Self::Objects<'_>) -> Self::Lent<'a>;
}

/// Another library.
///
/// # Safety
/// What `stream` finds is alive for as long as `on` is, and of the primary context of the backend's device.
#[doc(hidden)]
pub unsafe trait Library {
    /// What it works on: a stream, if it tells of such.
    type On<'a>: Copy;

    /// The driver's name of the stream, after a look whether it may be used here; `None`: on which streams, nobody knows.
    fn stream(cuda: &Cuda, on: Self::On<'_>) -> Result<Option<CUstream>, Error>;

    /// Looks for what went wrong where the library had no words for it. The host has waited then.
    fn settle(cuda: &Cuda, on: Self::On<'_>) -> Result<(), Error> {
        let _nothing_is_kept_back = (cuda, on);
        Ok(())
    }
}

/// A library that knows elements of a type.
#[doc(hidden)]
pub trait Knows<T: Element>: Library {
    /// Its object over the memory of an array, which leaves that where it is.
    type Object<'a>;
    /// What reads there.
    type Read<'a>;
    /// What reads and writes there.
    type Write<'a>;

    /// # Safety
    /// For as long as the object lives there are so many values of `T` at the address, which nobody else uses but to read.
    unsafe fn object<'a>(cuda: &Cuda, on: Self::On<'a>, address: u64, len: usize) -> Result<Self::Object<'a>, Error>;
    fn read<'a>(object: &'a mut Self::Object<'_>) -> Self::Read<'a>;
    fn write<'a>(object: &'a mut Self::Object<'_>) -> Self::Write<'a>;
}

/// Runs `work` with arrays as a library's own objects, in a turn of that library.
pub(crate) fn lend<L: Library, V: Lend<L>, A>(
    arrays: V,
    on: L::On<'_>,
    work: impl for<'a> FnOnce(V::Lent<'a>) -> A,
) -> Result<A, Error> {
    let device = arrays.device().clone();
    let cuda = cuda(&device)?;
    arrays.expect_on(&device)?;
    let stream = L::stream(cuda, on)?;
    arrays.hold(|places| {
        // SAFETY: the stream was looked at, and lives as long as `on`.
        let turn = unsafe { Turn::begin(&device, Whose::Theirs, stream) }?;
        let done = cuda.device().within(|| {
            // SAFETY: the arrays are held until this ends.
            let mut objects = unsafe { V::objects(cuda, on, places) }?;
            Ok(work(V::lent(&mut objects)))
        });
        let done = done.map_err(|error| failed(cuda, error)).and_then(|done| done);
        let settled = L::settle(cuda, on);
        let ended = turn.end();
        let done = done?;
        settled.and(ended).map(|()| done)
    })?
}

/// That an array is on the device of the others.
fn expect_on<T: Element, const R: usize>(array: &Array<T, R>, device: &Device) -> Result<(), Error> {
    match array.device() == device {
        true => Ok(()),
        false => Err(Error::Foreign(format!(
            "of the arrays that are to be lent together one is on {device} and one on {}; lend those of one device",
            array.device()
        ))),
    }
}

/// Arrays of one type: reading and writing, whole or in part.
macro_rules! arrays {
    ($($array:ty, $what:ident, $by:ident, $lend:ident;)*) => { $(
        impl<L: Knows<T>, T: Element, const R: usize> Lend<L> for $array {
            type Lent<'a> = L::$what<'a>;
            type Places = (u64, usize);
            type Objects<'a> = L::Object<'a>;

            fn device(&self) -> &Device {
                Array::device(self)
            }

            fn expect_on(&self, device: &Device) -> Result<(), Error> {
                expect_on(self, device)
            }

            #[allow(unused_mut)]
            fn hold<A>(mut self, next: impl FnOnce((u64, usize)) -> A) -> Result<A, Error> {
                self.$lend(|address, len| next((address, len)))
            }

            unsafe fn objects<'a>(cuda: &Cuda, on: L::On<'a>, (address, len): (u64, usize)) -> Result<L::Object<'a>, Error> {
                // SAFETY: the array is in use, for reading alone or by nobody else.
                unsafe { L::object(cuda, on, address, len) }
            }

            fn lent<'a>(objects: &'a mut L::Object<'_>) -> L::$what<'a> {
                L::$by(objects)
            }
        }
    )* };
}

arrays! {
    &Array<T, R>, Read, read, lend;
    &mut Array<T, R>, Write, write, lend_mut;
    Slice<'_, T, R>, Read, read, lend;
    SliceMut<'_, T, R>, Write, write, lend_mut;
}

/// Holds one after another.
macro_rules! hold {
    ($next:ident ($($place:ident)*)) => { Ok($next(($($place,)*))) };
    ($next:ident ($($place:ident)*) $array:ident $($more:ident)*) => {
        $array.hold(|$array| hold!($next ($($place)* $array) $($more)*))?
    };
}

macro_rules! tuples {
    ($($($array:ident)+;)+) => { $(
        #[allow(non_snake_case)]
        impl<L: Library, $($array: Lend<L>),+> Lend<L> for ($($array,)+) {
            type Lent<'a> = ($($array::Lent<'a>,)+);
            type Places = ($($array::Places,)+);
            type Objects<'a> = ($($array::Objects<'a>,)+);

            fn device(&self) -> &Device {
                self.0.device()
            }

            fn expect_on(&self, device: &Device) -> Result<(), Error> {
                let ($($array,)+) = self;
                $($array.expect_on(device)?;)+
                Ok(())
            }

            fn hold<Z>(self, next: impl FnOnce(Self::Places) -> Z) -> Result<Z, Error> {
                let ($($array,)+) = self;
                hold!(next () $($array)+)
            }

            unsafe fn objects<'a>(cuda: &Cuda, on: L::On<'a>, ($($array,)+): Self::Places) -> Result<Self::Objects<'a>, Error> {
                // SAFETY: the caller's contract.
                Ok(($(unsafe { <$array as Lend<L>>::objects(cuda, on, $array) }?,)+))
            }

            fn lent<'a>(($($array,)+): &'a mut Self::Objects<'_>) -> Self::Lent<'a> {
                ($(<$array as Lend<L>>::lent($array),)+)
            }
        }
    )+ };
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}
