//! Generic methods: lowered for each type and length that a kernel calls them with; and structs for several types.

use warp::prelude::*;
use warp::{Float, Int, Scalar};
use warp_test_devices::{device, on_every_device};

const STEP: f32 = 0.25;

#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
struct Track {
    start: f32,
    slope: f32,
}

#[methods]
impl Track {
    const LIMIT: i32 = 3;

    fn blend<T: Float>(self, a: T, b: T, t: T) -> T {
        let way = b - a;
        a + way * t
    }

    fn samples<const N: usize>(&self) -> [f32; N] {
        let mut all = [0.0; N];
        let mut x = self.start;
        for place in all.iter_mut() {
            *place = x;
            x += self.slope * STEP;
        }
        all
    }

    fn shift<T: Int>(&mut self, by: T, times: T) -> T {
        self.start += STEP;
        by * times
    }

    fn total<const N: usize, const M: usize>(&self) -> f32 {
        let mut sum = Self::LIMIT as f32;
        for x in self.samples::<N>() {
            sum += x;
        }
        for x in self.samples::<M>() {
            sum -= self.blend(x, 1.0, 0.5);
        }
        sum
    }

    fn nth<T: Scalar, const N: usize>(list: [T; N], at: usize) -> T {
        list[at % N]
    }
}

#[func]
fn through<T: Float>(track: Track, x: T) -> T {
    track.blend(x, x * x, x)
}

#[kernel]
fn tracks(tracks: &mut [Track], singles: &mut [f32], doubles: &mut [f64], whole: &mut [i64]) {
    let i = tid();
    let track = tracks[i];
    let four: [f32; 4] = track.samples();
    singles[i] = track.blend(four[1], four[3], 0.5) + track.samples::<2>()[1] + through(track, 3.0);
    doubles[i] = track.blend::<f64>(1.0, 2.0, 0.1) + through(track, 0.3);
    whole[i] = tracks[i].shift(1 << 40, 3i64) + i64::from(Track::nth([5, 6, 7i8], i + 4));
    singles[i] += track.total::<3, 2>() + Track::nth::<f32, 2>([0.5, 1.5], i);
}

#[on_every_device]
fn generic_methods_run_for_each_type_and_length() -> Result<(), Error> {
    let device = device();
    let given = [Track { start: 1.0, slope: 2.0 }, Track { start: -8.0, slope: 0.5 }];
    let mut moved = Array::from_slice(&device, &given)?;
    let mut singles = Array::zeros(&device, 2)?;
    let mut doubles = Array::zeros(&device, 2)?;
    let mut whole = Array::zeros(&device, 2)?;
    tracks::launch(2, &mut moved, &mut singles, &mut doubles, &mut whole)?;

    for (i, track) in given.iter().enumerate() {
        let (a, d) = (track.start, track.slope * STEP);
        // `through`: 3 + (9 - 3) * 3; `total`: three samples less half of (two samples and 1 each).
        let middle = a + 2.0 * d;
        let total = 3.0 + (3.0 * a + 3.0 * d) - ((a + 1.0) + (a + d + 1.0)) / 2.0;
        let picked = if i == 0 { 0.5 } else { 1.5 };
        assert_eq!(singles.to_vec()?[i], middle + (a + d) + 21.0 + (total + picked));
        assert_eq!(doubles.to_vec()?[i], (1.0 + 1.0 * 0.1) + (0.3 + (0.3 * 0.3 - 0.3) * 0.3));
        assert_eq!(whole.to_vec()?[i], (3i64 << 40) + [6, 7][i]);
        assert_eq!(moved.to_vec()?[i], Track { start: a + STEP, ..*track });
    }

    let (mut plain, mut s, mut d, mut w) = (given, [0.0; 2], [0.0; 2], [0; 2]);
    tracks::plain(2, &mut plain, &mut s, &mut d, &mut w)?;
    assert_eq!((moved.to_vec()?, singles.to_vec()?), (plain.to_vec(), s.to_vec()));
    assert_eq!((doubles.to_vec()?, whole.to_vec()?), (d.to_vec(), w.to_vec()));
    Ok(())
}

/// A struct for each type, in the place of a generic struct.
macro_rules! pair {
    ($name:ident, $scalar:ty, $len:expr) => {
        #[derive(Clone, Copy, Debug, PartialEq, Struct)]
        #[repr(C)]
        struct $name {
            a: $scalar,
            rest: [$scalar; $len],
        }

        #[methods]
        impl $name {
            fn dot(&self, other: &$name) -> $scalar {
                let mut sum = self.a * other.a;
                for k in 0..$len {
                    sum += self.rest[k] * other.rest[k];
                }
                sum
            }

            fn grown<T: Scalar>(mut self, by: $scalar, mark: T) -> ($name, T) {
                self.a += by;
                (self, mark)
            }
        }

        #[methods]
        impl core::ops::Mul<$scalar> for $name {
            type Output = $name;
            fn mul(self, factor: $scalar) -> $name {
                $name { a: self.a * factor, ..self }
            }
        }
    };
}

pair!(Singles, f32, 2);
pair!(Doubles, f64, 1);
pair!(Whole, i16, 3);

#[kernel]
fn pairs(singles: &mut [Singles], doubles: &[Doubles], whole: Whole, out: &mut [f64]) {
    let i = tid();
    let (grown, mark) = (singles[i] * 3.0).grown(0.5, i);
    singles[i] = grown;
    let (whole, _) = whole.grown(1, i);
    let (double, mark) = doubles[i].grown::<u8>(1.0, mark as u8);
    out[i] = double.dot(&doubles[i]) + grown.dot(&grown) as f64 + whole.dot(&(whole * 2i16)) as f64;
    if mark == 1 {
        out[i] += 1000.0;
    }
}

#[on_every_device]
fn structs_of_one_macro_stand_for_several_types() -> Result<(), Error> {
    let device = device();
    let given = [Singles { a: 1.0, rest: [2.0, 0.5] }, Singles { a: -1.0, rest: [0.0, 4.0] }];
    let doubles = [Doubles { a: 0.1, rest: [3.0] }, Doubles { a: 7.0, rest: [0.25] }];
    let whole = Whole { a: 2, rest: [1, -3, 5] };
    let mut singles = Array::from_slice(&device, &given)?;
    let mut out = Array::zeros(&device, 2)?;
    pairs::launch(2, &mut singles, &Array::from_slice(&device, &doubles)?, whole, &mut out)?;
    assert_eq!(singles.to_vec()?, [Singles { a: 3.5, ..given[0] }, Singles { a: -2.5, ..given[1] }]);
    // Of `whole`: 3 * 6 + 1 + 9 + 25.
    let first = 1.1 * 0.1 + 9.0 + (12.25 + 4.0 + 0.25) + 53.0;
    let second = 8.0 * 7.0 + 0.0625 + (6.25 + 16.0) + 53.0 + 1000.0;
    let found = out.to_vec()?;
    assert!((found[0] - first).abs() < 1e-12, "{} {first}", found[0]);
    assert_eq!(found[1], second);
    let mut plain = given;
    pairs::plain(2, &mut plain, &doubles, whole, &mut [0.0; 2])?;
    assert_eq!(plain.to_vec(), singles.to_vec()?);
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
struct Counter {
    n: u32,
}

#[methods]
impl Counter {
    fn emptied(mut self, out: &mut u32) -> Counter {
        while self.n > 0 {
            self.n -= 1;
            *out += self.n;
        }
        self = Counter { n: *out };
        self.n *= 2;
        self
    }

    #[allow(clippy::needless_arbitrary_self_type)]
    fn raised(self: &mut Self, by: u32) -> u32 {
        self.n += by;
        self.n
    }

    #[allow(clippy::needless_arbitrary_self_type)]
    fn of(self: &Self, other: &Self) -> Counter {
        Counter { n: self.n * other.n }
    }

    #[allow(clippy::needless_arbitrary_self_type)]
    fn halved(mut self: Self) -> Self {
        self.n /= 2;
        self
    }
}

#[kernel]
fn selves(counters: &mut [Counter], sums: &mut [u32]) {
    let i = tid();
    let mut counter = counters[i].emptied(&mut sums[i]);
    sums[i] += counter.raised(3);
    counters[i] = counter.of(&counters[i]).halved();
}

/// `mut self` is the method's own, `self: &mut Self` the caller's.
#[on_every_device]
fn methods_take_themselves_in_every_way() -> Result<(), Error> {
    let device = device();
    let mut counters = Array::from_slice(&device, &[Counter { n: 4 }, Counter { n: 0 }])?;
    let mut sums = Array::from_slice(&device, &[0, 5])?;
    selves::launch(2, &mut counters, &mut sums)?;
    // 3 + 2 + 1 + 0, twice that and 3 more; 15 * 4 / 2.
    assert_eq!(sums.to_vec()?, [6 + 15, 5 + 13]);
    assert_eq!(counters.to_vec()?, [Counter { n: 30 }, Counter { n: 0 }]);
    Ok(())
}
