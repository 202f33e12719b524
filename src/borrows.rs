//! Another library's buffers that stand as arrays for a while: one of them, or several together.

use std::marker::PhantomData;

use warp_core::{Array, Device, Element, Error, Loan};
use warp_cuda::Cuda;
use warp_cuda::sys::CUstream;

use crate::turns::{Turn, Whose, cuda};

/// Buffers of a library that are borrowed together: `&buffer` for reading, `&mut buffer` for reading and writing, and tuples
/// of up to eight of these.
pub trait Borrow<L>: Sized {
    /// The arrays in their memory: of a tuple, a tuple.
    type Lent<'a>;
    #[doc(hidden)]
    type Loans<'a>;

    #[doc(hidden)]
    fn open(self, device: &Device) -> Result<Self::Loans<'_>, Error>;
    #[doc(hidden)]
    fn lent<'a>(loans: &'a mut Self::Loans<'_>) -> Self::Lent<'a>;
    #[doc(hidden)]
    fn close(loans: Self::Loans<'_>) -> Result<(), Error>;
}

/// Runs `work` with buffers as arrays, in a turn of this library. A handle that is kept is of no use afterwards.
pub(crate) fn borrow<L, V: Borrow<L>, A>(
    device: &Device,
    buffers: V,
    work: impl for<'a> FnOnce(V::Lent<'a>) -> A,
) -> Result<A, Error> {
    let mut loans = buffers.open(device)?;
    let done = work(V::lent(&mut loans));
    V::close(loans).map(|()| done)
}

/// A borrow of a buffer.
///
/// # Safety
/// `place` says where so many values of the element type lie on the device, which are there for as long as the borrow is, and
/// nobody's but the stream's (where there is none: any stream's of the device's context) until `passed`.
#[doc(hidden)]
pub unsafe trait Theirs<T: Element> {
    /// Where it lies, and its stream; what other streams of the library do is waited for there.
    fn place(&mut self, cuda: &Cuda) -> Result<(Option<CUstream>, u64, usize), Error>;

    /// Other streams of the library have to wait for its own.
    fn passed(&mut self) {}

    /// Looks for what went wrong where the library had no words for it. The host has waited then.
    fn settle(&self, cuda: &Cuda) -> Result<(), Error> {
        let _nothing_is_kept_back = cuda;
        Ok(())
    }
}

/// A buffer with an array in its memory, until this goes.
#[doc(hidden)]
pub struct Borrowed<'d, T: Element, B: Theirs<T>> {
    // In the order in which they end.
    loan: Loan<T>,
    turn: Turn<'d>,
    buffer: Passed<T, B>,
    cuda: &'d Cuda,
}

/// Tells the other library in the end, also after a panic.
struct Passed<T: Element, B: Theirs<T>>(B, PhantomData<T>);

impl<T: Element, B: Theirs<T>> Drop for Passed<T, B> {
    fn drop(&mut self) {
        self.0.passed();
    }
}

impl<'d, T: Element, B: Theirs<T>> Borrowed<'d, T, B> {
    pub(crate) fn open(mut buffer: B, device: &'d Device, write: bool) -> Result<Self, Error> {
        let cuda = cuda(device)?;
        let (stream, address, len) = buffer.place(cuda)?;
        let buffer = Passed(buffer, PhantomData);
        // SAFETY: the stream is the buffer's, which is borrowed.
        let turn = unsafe { Turn::begin(device, Whose::Ours, stream) }?;
        // SAFETY: the contract of `Theirs`; this is not handed out, and ends before the turn does.
        let loan = unsafe { Array::loan(device, address, len, write) }?;
        Ok(Borrowed { loan, turn, buffer, cuda })
    }

    pub(crate) fn array(&self) -> &Array<T> {
        self.loan.array()
    }

    pub(crate) fn array_mut(&mut self) -> &mut Array<T> {
        self.loan.array_mut()
    }

    pub(crate) fn close(self) -> Result<(), Error> {
        let Borrowed { loan, turn, mut buffer, cuda } = self;
        drop(loan);
        let ended = turn.end();
        buffer.0.passed();
        let settled = buffer.0.settle(cuda);
        std::mem::forget(buffer);
        ended.and(settled)
    }
}

/// Each kind of borrow of a library's buffer: for reading, and for reading and writing.
macro_rules! borrowed {
    ($library:ty, $buffer:ident, $($bound:ident)?) => {
        impl<'s, T: Element $(+ $bound)?> $crate::borrows::Borrow<$library> for &'s $buffer<T> {
            type Lent<'a> = &'a Array<T>;
            type Loans<'a> = $crate::borrows::Borrowed<'a, T, &'s $buffer<T>>;

            fn open(self, device: &Device) -> Result<Self::Loans<'_>, Error> {
                $crate::borrows::Borrowed::open(self, device, false)
            }

            fn lent<'a>(loans: &'a mut Self::Loans<'_>) -> &'a Array<T> {
                loans.array()
            }

            fn close(loans: Self::Loans<'_>) -> Result<(), Error> {
                loans.close()
            }
        }

        impl<'s, T: Element $(+ $bound)?> $crate::borrows::Borrow<$library> for &'s mut $buffer<T> {
            type Lent<'a> = &'a mut Array<T>;
            type Loans<'a> = $crate::borrows::Borrowed<'a, T, &'s mut $buffer<T>>;

            fn open(self, device: &Device) -> Result<Self::Loans<'_>, Error> {
                $crate::borrows::Borrowed::open(self, device, true)
            }

            fn lent<'a>(loans: &'a mut Self::Loans<'_>) -> &'a mut Array<T> {
                loans.array_mut()
            }

            fn close(loans: Self::Loans<'_>) -> Result<(), Error> {
                loans.close()
            }
        }
    };
}

pub(crate) use borrowed;

macro_rules! tuples {
    ($($($buffer:ident)+;)+) => { $(
        #[allow(non_snake_case)]
        impl<L, $($buffer: Borrow<L>),+> Borrow<L> for ($($buffer,)+) {
            type Lent<'a> = ($($buffer::Lent<'a>,)+);
            type Loans<'a> = ($($buffer::Loans<'a>,)+);

            fn open(self, device: &Device) -> Result<Self::Loans<'_>, Error> {
                let ($($buffer,)+) = self;
                Ok(($($buffer.open(device)?,)+))
            }

            fn lent<'a>(($($buffer,)+): &'a mut Self::Loans<'_>) -> Self::Lent<'a> {
                ($(<$buffer as Borrow<L>>::lent($buffer),)+)
            }

            fn close(($($buffer,)+): Self::Loans<'_>) -> Result<(), Error> {
                let mut ended = Ok(());
                $(ended = ended.and(<$buffer as Borrow<L>>::close($buffer));)+
                ended
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
